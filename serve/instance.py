"""A running instance seen from outside: where it is, whether it answers, and one in a process of its own."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from serve import raynode
from serve.settings import Settings


class LaunchError(RuntimeError):
    """The instance cannot start or cannot go on; the message is one line."""


class State:
    """``home/run/state.json``: how others find a running instance."""

    def __init__(self, home: Path) -> None:
        self.path = home / "run" / "state.json"

    def write(self, **fields: Any) -> None:
        """Replace it, whole or not at all."""
        fresh = self.path.with_suffix(".new")
        fresh.write_text(json.dumps(fields), encoding="utf-8")
        fresh.replace(self.path)

    def read(self) -> dict[str, Any]:
        """Its fields (``pid``, ``url``, ``redis_url``, ``ready``); none when nothing runs."""
        try:
            fields = json.loads(self.path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return fields if isinstance(fields, dict) else {}

    def remove(self) -> None:
        """Nothing runs any more."""
        self.path.unlink(missing_ok=True)


def base_url(settings: Settings) -> str:
    """Where a caller on this machine reaches the instance."""
    host = settings.http.host
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 -- compared, not bound
    return f"http://[{host}]:{settings.http.port}" if ":" in host else f"http://{host}:{settings.http.port}"


def get(url: str, timeout_s: float = 2.0) -> tuple[int, str]:
    """Status and body; status 0 when nothing answered."""
    scheme_host, _, path = url.removeprefix("http://").partition("/")
    connection = http.client.HTTPConnection(scheme_host, timeout=timeout_s)
    try:
        connection.request("GET", f"/{path}")
        answer = connection.getresponse()
        return answer.status, answer.read().decode("utf-8", "replace")
    except (OSError, http.client.HTTPException):
        return 0, ""
    finally:
        connection.close()


class Launcher:
    """A whole instance in a process of its own, as a context manager.

    ``home`` is its MAVEN_HOME; ``overrides`` are settings by dotted path (``{"http.port": 9000}``); the port
    is a free one unless given. ``url`` and ``redis_url`` are valid inside the ``with`` block. Raises
    ``LaunchError`` with the instance's output if it is not ready within ``timeout_s`` seconds.
    """

    def __init__(
        self,
        home: Path,
        *,
        config: Path | None = None,
        application: str | None = None,
        overrides: Mapping[str, Any] | None = None,
        environ: Mapping[str, str] | None = None,
        timeout_s: float = 180.0,
    ) -> None:
        self.home = home
        self.timeout_s = timeout_s
        self.overrides = {"http.port": free_port(), **(overrides or {})}
        self.output = home / "launcher.log"
        self.state = State(home)
        self.url = f"http://127.0.0.1:{self.overrides['http.port']}"
        self.redis_url = ""
        self.process: subprocess.Popen[bytes] | None = None
        self._command = [sys.executable, "-m", "serve.cli", "up"]
        if config is not None:
            self._command += ["--config", str(config)]
        if application is not None:
            self._command += ["--app", application]
        self._environ = dict(os.environ if environ is None else environ)

    def __enter__(self) -> Self:
        self.start()
        try:
            self.wait()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def start(self) -> None:
        """Start it; returns at once."""
        self.home.mkdir(parents=True, exist_ok=True)
        variables = {
            "MAVEN__" + path.upper().replace(".", "__"): "null" if value is None else str(value)
            for path, value in ({"home": self.home} | self.overrides).items()
        }
        with self.output.open("ab") as output:
            self.process = subprocess.Popen(
                self._command,
                env=self._environ | variables,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def wait(self) -> None:
        """Return once it is ready."""
        deadline = time.monotonic() + self.timeout_s
        while time.monotonic() < deadline:
            if self.process is None or self.process.poll() is not None:
                break
            state = self.state.read()
            if state.get("ready") and state.get("pid") == self.process.pid:
                self.redis_url = str(state.get("redis_url") or "")
                return
            time.sleep(0.1)
        raise LaunchError(f"not ready: {self.text()}")

    def text(self) -> str:
        """All that it has printed."""
        return self.output.read_text(encoding="utf-8", errors="replace") if self.output.exists() else ""

    def stop(self, number: signal.Signals = signal.SIGTERM, timeout_s: float = 20.0) -> int:
        """Send it a signal and wait; gives its exit code. Kills it if it takes longer than ``timeout_s``."""
        if self.process is None:
            return 0
        with contextlib.suppress(ProcessLookupError):
            self.process.send_signal(number)
        try:
            return self.process.wait(timeout_s)
        except subprocess.TimeoutExpired:
            self.process.kill()  # its watchman ends the rest
            return self.process.wait()


def free_port() -> int:
    """A TCP port that nothing listens on now, below those that the kernel and Ray hand out by themselves."""
    for _ in range(1_000):
        port = random.randrange(10_000, raynode.FIRST_PORT)
        if raynode.port_is_free("127.0.0.1", port):
            return port
    raise LaunchError("no free port between 10000 and 20000")
