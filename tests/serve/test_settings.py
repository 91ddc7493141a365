"""The settings tree: precedence, refusals in one line each, nothing secret printed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import BaseModel

from serve import doctor, raynode
from serve.settings import Section, Settings, SettingsError, load

CONFIGS = Path(__file__).parents[2] / "configs"


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "own.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def problems(tmp_path: Path, text: str, environ: dict[str, str] | None = None) -> list[str]:
    with pytest.raises(SettingsError) as caught:
        load(write(tmp_path, text), environ or {})
    return caught.value.problems


def test_defaults_are_usable() -> None:
    settings = load(None, {})
    assert settings.http.port == 8080
    assert settings.http.host == "127.0.0.1"
    assert settings.models.heads.threshold is None
    assert settings.trace.ring == 25
    assert settings.timezone == "Europe/Moscow"


def test_environment_over_file_over_defaults(tmp_path: Path) -> None:
    path = write(tmp_path, "http: {port: 9000, max_batch: 8}\n")
    settings = load(path, {"MAVEN__HTTP__PORT": "9001", "MAVEN__MODELS__RESIDENT__ENGINE_ARGS": "{dtype: auto}"})
    assert (settings.http.port, settings.http.max_batch) == (9001, 8)
    assert settings.models.resident.engine_args == {"dtype": "auto"}


def test_an_environment_value_may_be_a_bare_word_or_null(tmp_path: Path) -> None:
    path = write(tmp_path, "redis: {url: 'redis://elsewhere:1/0'}\n")
    assert load(path, {"MAVEN__REDIS__URL": "null"}).redis.url is None
    assert load(path, {"MAVEN__REDIS__PREFIX": "own:"}).redis.prefix == "own:"
    assert load(path, {"MAVEN__HTTP__TOKEN": "00001111"}).http.token == "00001111"
    assert load(path, {"MAVEN__TRACE__PERSIST": "false"}).trace.persist is False


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("http: {prot: 1}", "http.prot: no such setting"),
        ("http: {port: 70000}", "http.port: Input should be less than or equal to 65535"),
        ("nothing: 1", "nothing: no such setting"),
        ("timezone: Europe/Nowhere", "timezone: no such IANA time zone: 'Europe/Nowhere'"),
        ("redis: {url: 'http://x'}", "redis.url: must start with redis://, rediss:// or unix://"),
        ("http: 5", "http: Input should be a valid dictionary or instance of Http"),
        (
            "models: {heads: {threshold: 2}}",
            "models.heads.threshold: Input should be less than or equal to 1",
        ),
    ],
)
def test_a_wrong_field_is_one_line_with_its_path(tmp_path: Path, text: str, line: str) -> None:
    (problem,) = problems(tmp_path, text)
    assert problem == f"{tmp_path / 'own.yaml'}: {line}"


def test_every_problem_is_told_at_once(tmp_path: Path) -> None:
    assert len(problems(tmp_path, "http: {port: 0, max_batch: 0}\ntrace: {ring: -1}")) == 3


def test_a_wrong_variable_is_named(tmp_path: Path) -> None:
    (problem,) = problems(tmp_path, "", {"MAVEN__HTTP__PORT": "many"})
    assert problem.startswith("MAVEN__HTTP__PORT: http.port: ")


@pytest.mark.parametrize(
    ("text", "part"), [("http: [", "not YAML at line 1"), ("- 1", "must be a mapping of sections")]
)
def test_a_file_that_is_no_settings(tmp_path: Path, text: str, part: str) -> None:
    (problem,) = problems(tmp_path, text)
    assert part in problem
    assert "\n" not in problem


def test_a_missing_file_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"gone\.yaml: no such file$"):
        load(tmp_path / "gone.yaml", {})


def test_home_follows_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("MAVEN_HOME", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert load(None, {}).home == tmp_path / "maven-serve"
    monkeypatch.setenv("MAVEN_HOME", str(tmp_path / "own"))
    assert load(None, {}).home == tmp_path / "own"


def test_secrets_are_not_printed(tmp_path: Path) -> None:
    path = write(tmp_path, "http: {token: verysecret}\nredis: {url: 'redis://me:hidden@host:6379/0'}\n")
    settings = load(path, {})
    for text in (repr(settings), str(settings.redacted())):
        assert "verysecret" not in text
        assert "hidden" not in text
    assert settings.redacted()["redis"]["url"] == "redis://me:***@host:6379/0"
    assert settings.plain()["http"]["token"] == "verysecret"


def test_a_secret_that_is_refused_is_not_printed(tmp_path: Path) -> None:
    (problem,) = problems(tmp_path, "http: {token: short}")
    assert "short}" not in problem
    assert "'short'" not in problem


def test_plain_builds_the_same_settings_again() -> None:
    settings = load(None, {})
    assert Settings.model_validate(settings.plain()) == settings


def test_the_explained_settings_load_again(tmp_path: Path) -> None:
    text = doctor.explain(load(None, {}))
    assert "# TCP port to listen on\n  port: 8080\n" in text
    assert load(write(tmp_path, text), {}) == load(None, {})


def sections(model: type[BaseModel], seen: set[type[BaseModel]]) -> set[type[BaseModel]]:
    for field in model.model_fields.values():
        kind: Any = field.annotation
        if isinstance(kind, type) and issubclass(kind, Section) and kind not in seen:
            sections(kind, seen | {kind})
            seen.add(kind)
    return seen


def test_every_field_is_described() -> None:
    for section in {Settings} | sections(Settings, set()):
        for name, field in section.model_fields.items():
            nested = isinstance(field.annotation, type) and issubclass(field.annotation, Section)
            assert nested or field.description, f"{section.__name__}.{name}"


@pytest.mark.parametrize("name", ["local", "workstation"])
def test_the_given_files_load(name: str) -> None:
    load(CONFIGS / f"{name}.yaml", {})


def test_the_cluster_manifest_says_what_the_launcher_does(tmp_path: Path) -> None:
    manifest = yaml.safe_load((CONFIGS / "cluster.yaml").read_text(encoding="utf-8"))["spec"]
    application = yaml.safe_load(manifest["serveConfigV2"])["applications"][0]
    assert application["import_path"] == "serve.cluster:build"
    assert Settings.model_validate(application["args"]).redis.url == "redis://redis:6379/0"
    tuned = raynode.environment(Settings(), tmp_path, 20_000)
    groups = [
        manifest["rayClusterConfig"]["headGroupSpec"],
        *manifest["rayClusterConfig"]["workerGroupSpecs"],
    ]
    for group in groups:
        given = {item["name"]: item["value"] for item in group["template"]["spec"]["containers"][0]["env"]}
        del given["MAVEN_HOME"], given["RAY_SERVE_HAPROXY_NBTHREAD"]  # the second one: by the cores of a node
        assert given == {name: tuned[name] for name in given}
