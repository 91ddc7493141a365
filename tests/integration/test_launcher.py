"""A whole instance: started, asked, hurt, stopped; two of them at once; what is left afterwards."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from serve import processes, raynode
from serve.launcher import Launcher, free_port

pytestmark = pytest.mark.integration

TINY = "tests.integration.tiny_app:build"
STOP_S = 15.0


def get(url: str) -> tuple[int, Any]:
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read() or b"null")


def instance(home: Path) -> str:
    """The mark of the processes of ``home``."""
    return str(raynode.run_path(home))


def left_of(mark: str) -> list[processes.Process]:
    return processes.belonging(mark)


def eventually(check: Any, timeout_s: float) -> float:
    began = time.monotonic()
    while time.monotonic() - began < timeout_s:
        if check():
            return time.monotonic() - began
        time.sleep(0.1)
    raise AssertionError(f"not within {timeout_s} s")


def run_up(home: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "serve.cli", "up", "--app", TINY, *arguments],
        env=os.environ | {"MAVEN__HOME": str(home)} | variables,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Launcher]:
    with Launcher(tmp_path_factory.mktemp("first"), application=TINY) as launcher:
        yield launcher


def test_it_answers_through_ingress_and_child(running: Launcher) -> None:
    assert get(f"{running.url}/hello") == (200, {"echo": "/hello"})


def test_it_says_where_it_is(running: Launcher) -> None:
    text = running.text()
    assert f"{running.url}/chat" in text
    assert f"curl -s {running.url}/v1/route" in text


def test_valkey_killed_comes_back_with_its_data(running: Launcher) -> None:
    status, before = get(f"{running.url}/count")
    assert status == 200
    time.sleep(1.5)  # the append-only file is synced every second
    (server,) = [p for p in left_of(instance(running.home)) if p.name == "valkey-server"]
    os.kill(server.pid, signal.SIGKILL)

    def counts_on() -> bool:
        status, body = get(f"{running.url}/count")
        return status == 200 and body["count"] > before["count"]

    eventually(counts_on, 10)
    eventually(lambda: "valkey: died and is back" in running.text(), 5)


def test_a_taken_port_is_one_line(running: Launcher, tmp_path: Path) -> None:
    port = running.url.rpartition(":")[2]
    result = run_up(tmp_path, MAVEN__HTTP__PORT=port)
    assert result.returncode == 1
    assert result.stderr.strip() == (
        f"maven-serve: http.port: {port} on 127.0.0.1 is taken; set MAVEN__HTTP__PORT or http.port"
    )


def test_the_same_home_twice_is_one_line(running: Launcher) -> None:
    assert running.process is not None
    result = run_up(running.home, MAVEN__HTTP__PORT=str(free_port()))
    assert result.returncode == 1
    assert result.stderr.strip() == (
        f"maven-serve: home: {running.home} is in use by another maven-serve (pid {running.process.pid})"
    )
    assert get(f"{running.url}/still")[0] == 200


def test_a_second_instance_beside_it_and_its_stop(running: Launcher, tmp_path: Path) -> None:
    with Launcher(tmp_path / "second", application=TINY) as second:
        assert get(f"{second.url}/a") == (200, {"echo": "/a"})
        assert get(f"{running.url}/b") == (200, {"echo": "/b"})
        assert second.redis_url != running.redis_url
        mark = instance(second.home)
        began = time.monotonic()
        assert second.stop(signal.SIGINT) == 0
        assert time.monotonic() - began < STOP_S
    assert left_of(mark) == []
    assert not second.state.path.exists()
    assert raynode.port_is_free("127.0.0.1", int(second.url.rpartition(":")[2]))
    assert get(f"{running.url}/c") == (200, {"echo": "/c"})


def test_sigterm_stops_all_of_it_within_the_limit(running: Launcher) -> None:
    """Last of those that share the instance."""
    mark = instance(running.home)
    assert {"raylet", "gcs_server", "haproxy", "valkey-server"} <= {p.name for p in left_of(mark)}
    began = time.monotonic()
    assert running.stop(signal.SIGTERM) == 0
    assert time.monotonic() - began < STOP_S
    assert left_of(mark) == []


def test_killed_launcher_leaves_nothing_and_the_next_start_cleans_up(tmp_path: Path) -> None:
    home = tmp_path / "home"
    mark = instance(home)
    bystander = subprocess.Popen(["sleep", "300"])
    try:
        with Launcher(home, application=TINY) as first:
            assert first.process is not None
            first.process.kill()
            eventually(lambda: left_of(mark) == [], 10)  # its watchman has ended the rest

        with Launcher(home, application=TINY, overrides={"http.port": first.overrides["http.port"]}) as second:
            assert second.process is not None
            before = left_of(mark)
            # now nobody is there to clean up: the watchman dies first
            for process in before:
                if b"processes.py" in Path(f"/proc/{process.pid}/cmdline").read_bytes():
                    os.kill(process.pid, signal.SIGKILL)
            second.process.kill()
            second.process.wait()
            time.sleep(1.0)
            assert "valkey-server" in {p.name for p in before if p.alive()}

        with Launcher(home, application=TINY, overrides={"http.port": first.overrides["http.port"]}) as third:
            assert get(f"{third.url}/x") == (200, {"echo": "/x"})
            assert "of an earlier run of this home" in third.text()
            assert [process for process in before if process.alive()] == []
        assert bystander.poll() is None
    finally:
        bystander.kill()
        bystander.wait()
        processes.end_all(mark, 0.0)


def test_a_stop_while_starting(tmp_path: Path) -> None:
    launcher = Launcher(tmp_path / "home", application=TINY)
    launcher.start()
    eventually(lambda: "ray: starting" in launcher.text(), 30)
    time.sleep(1.0)
    began = time.monotonic()
    assert launcher.stop(signal.SIGTERM) in {130, 143}
    assert time.monotonic() - began < STOP_S
    assert left_of(instance(launcher.home)) == []


def test_an_application_that_fails_is_one_line(tmp_path: Path) -> None:
    launcher = Launcher(tmp_path / "home", application="tests.integration.tiny_app:fail")
    launcher.start()
    assert launcher.process is not None
    assert launcher.process.wait(90) == 1
    text = launcher.text()
    shutil.rmtree(instance(launcher.home))  # kept for the one who wants to know why
    assert "the application did not start: Broken: RuntimeError: no weights in this replica" in text
    assert "Traceback" not in text
    assert "(raylet)" not in text
    assert left_of(instance(launcher.home)) == []


@pytest.mark.parametrize(
    ("variables", "arguments", "line"),
    [
        ({}, ["--config", "gone.yaml"], "gone.yaml: no such file"),
        ({"MAVEN__HTTP__PORT": "x"}, [], "MAVEN__HTTP__PORT: http.port: Input should be a valid integer"),
        ({"MAVEN__HTTP__HOST": "no.such.host.invalid"}, [], "http.host: no.such.host.invalid is no address"),
        ({"MAVEN__RAY__TEMP_DIR": "/tmp/" + "x" * 40}, [], "ray.temp_dir: /tmp/xxx"),
        ({"MAVEN__RAY__ADDRESS": "auto"}, [], "redis.url: must be set when ray.address is"),
        ({"MAVEN__HOME": "/proc/nowhere"}, [], "home: /proc/nowhere cannot be written"),
    ],
)
def test_what_is_wrong_beforehand_is_one_line(
    tmp_path: Path, variables: dict[str, str], arguments: list[str], line: str
) -> None:
    result = run_up(tmp_path, *arguments, **{"MAVEN__HTTP__PORT": str(free_port())} | variables)
    assert result.returncode == 1
    assert result.stderr.startswith(f"maven-serve: {line}")
    assert len(result.stderr.splitlines()) == 1


def test_ports_of_two_instances_never_meet(tmp_path: Path) -> None:
    first = raynode.Ports.take(tmp_path)
    second = raynode.Ports.take(tmp_path)
    try:
        assert abs(first.base - second.base) >= raynode.BLOCK
        with suppress(raynode.NodeError):
            raynode.Ports.take(tmp_path, wanted=first.base).release()
            raise AssertionError("a held block was given away")
    finally:
        first.release()
        second.release()
    with socket.socket() as taken:
        taken.bind(("0.0.0.0", first.base + 5))
        taken.listen()
        with pytest.raises(raynode.NodeError, match="no 100 free ports"):
            raynode.Ports.take(tmp_path, wanted=first.base)
