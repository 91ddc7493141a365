"""``maven-serve up``: everything that one instance needs, started in order, watched, and stopped.

``up`` is the process that stays in front; ``Launcher`` (``serve.instance``) has one in a process of its own.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import FrameType
from typing import IO

from serve import processes, raynode
from serve.instance import Launcher, LaunchError, State, base_url, free_port, get
from serve.processes import Process
from serve.settings import Settings
from serve.valkey import Valkey, ValkeyError

__all__ = ["DEFAULT_APPLICATION", "LEAST_DISK_MB", "LaunchError", "Launcher", "free_port", "up"]

DEFAULT_APPLICATION = "serve.graph:build"
LEAST_DISK_MB = 500
STOP_RAY_S = 9.0  # of the 15 s that a stop may take; the rest is for what did not listen
SETTLE_S = 30.0  # the application runs; how long it may stay unready before that is only reported
EXAMPLE = "напомни через час выключить духовку"


class _Interrupt(BaseException):
    """A signal while starting: unwind from wherever we are."""


def up(
    settings: Settings,
    application: str = DEFAULT_APPLICATION,
    say: Callable[[str], None] | None = None,
) -> int:
    """Run one instance until SIGINT or SIGTERM; gives the exit code.

    ``application`` is ``module:function``, a function of the plain settings that gives a Serve application;
    only the default one needs weights. ``say`` takes the progress lines. Call it from the main thread: it
    installs signal handlers.
    """
    return _Instance(settings, application, say or _printer()).run()


def _printer() -> Callable[[str], None]:
    began = time.monotonic()

    def say(line: str) -> None:
        print(f"[{time.monotonic() - began:5.1f} s] {line}", flush=True)

    return say


class _Instance:
    def __init__(
        self,
        settings: Settings,
        application: str,
        say: Callable[[str], None],
    ) -> None:
        self.settings = settings
        self.application = application
        self.say = say
        self.state = State(settings.home)
        self.run_dir: Path | None = None
        self.lock: IO[str] | None = None
        self.ports: raynode.Ports | None = None
        self.valkey: Valkey | None = None
        self.watchman: processes.Watchman | None = None
        self.core: list[Process] = []  # of Ray; without one of them the instance is lost
        self.woken = threading.Event()
        self.phase = "starting"
        self.asked_to_stop = False
        self.stopping_since = 0.0

    def run(self) -> int:
        previous = {n: signal.getsignal(n) for n in (signal.SIGINT, signal.SIGTERM, signal.SIGALRM)}
        self._listen()
        code = 0
        try:
            self._start()
            self.phase = "front"
            if not self.asked_to_stop:  # an interrupt may have been swallowed by code that catches everything
                self._stay()
        except _Interrupt:
            self.say("stopped while starting")
            code = 130
        except (LaunchError, ValkeyError, raynode.NodeError) as error:
            self._fail(str(error))
            code = 1
        except SystemExit:  # Ray's own SIGTERM handler, in the moment before ours replaces it
            code = 143
        finally:
            self._stop(keep_logs=code == 1)
            for number, handler in previous.items():
                signal.signal(number, handler)
        return code

    def _fail(self, reason: str) -> None:
        print(f"maven-serve: {reason}", file=sys.stderr, flush=True)
        session = self.run_dir and self.run_dir / "ray" / "session_latest" / "logs"
        if session and session.exists():
            print(f"maven-serve: Ray's logs: {session}", file=sys.stderr, flush=True)

    # -- signals

    def _listen(self) -> None:
        signal.signal(signal.SIGINT, self._on_signal)
        signal.signal(signal.SIGTERM, self._on_signal)
        signal.signal(signal.SIGALRM, self._on_alarm)

    def _on_alarm(self, _number: int, _frame: FrameType | None) -> None:
        raise LaunchError(f"it does not run after {self.settings.ray.start_timeout_s:.0f} s")

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        self.asked_to_stop = True
        if self.phase == "starting":
            self.phase = "stopping"
            raise _Interrupt
        if self.phase == "front":
            self.phase = "stopping"
            self.woken.set()
        elif self.stopping_since and time.monotonic() - self.stopping_since > 1.0 and self.run_dir:
            # A second Ctrl-C by a person; `make` passes one on within milliseconds, which is none.
            self.say("ending everything now")
            processes.end_all(str(self.run_dir), grace_s=0.0)

    # -- start

    def _start(self) -> None:
        settings = self.settings
        self._check()
        self._clean_up_after_a_crash()
        if self.application == DEFAULT_APPLICATION:
            self._prepare_weights()
        run = self._run_dir()
        os.environ["MAVEN_HOME"] = str(settings.home)
        tree = settings.plain()
        if settings.ray.address is None:
            self.ports = raynode.Ports.take(settings.home, settings.ray.port_base)
            os.environ.update(raynode.environment(settings, run, self.ports.base))
        os.environ[processes.MARK] = str(run)
        self.watchman = processes.Watchman(str(run))
        if settings.redis.url is None:
            self.valkey = Valkey(
                settings.home / "valkey",
                run / "valkey.sock",
                settings.home / "logs" / "valkey.log",
                settings.valkey,
            )
            self.valkey.start()
            tree["redis"]["url"] = self.valkey.url
            self.say(f"valkey: ready at {self.valkey.url}")
        self.state.write(pid=os.getpid(), url=base_url(settings), redis_url=tree["redis"]["url"], ready=False)
        self._start_ray(run)
        self.say("application: starting")
        signal.setitimer(signal.ITIMER_REAL, settings.ray.start_timeout_s)
        raynode.deploy(settings, self.application, tree)
        signal.setitimer(signal.ITIMER_REAL, 0)
        self.say("application: runs; waiting for its first good answer")
        degraded = self._wait_until_ready()
        self.state.write(pid=os.getpid(), url=base_url(settings), redis_url=tree["redis"]["url"], ready=True)
        self._announce(degraded)

    def _prepare_weights(self) -> None:
        from models.artifacts import ArtifactError
        from serve import weights

        try:
            artifact = weights.prepare(self.settings, lambda line: self.say(f"weights: {line}"))
        except ArtifactError as error:
            raise LaunchError(str(error)) from None
        self.say(f"weights: {artifact.id}")

    def _start_ray(self, run: Path) -> None:
        address = self.settings.ray.address
        self.say(f"ray: joining {address}" if address else "ray: starting a node of its own")
        raynode.start_ray(self.settings, run, self.ports.base if self.ports else 0)
        self._listen()  # Ray has put its own handler for SIGTERM in place
        if address is None:
            self.core = [p for p in processes.belonging(str(run)) if p.name in {"raylet", "gcs_server"}]
        self.say("ray: ready")

    def _check(self) -> None:
        """What can be known to be wrong before anything is started."""
        home, host, port = self.settings.home, self.settings.http.host, self.settings.http.port
        try:
            (home / "run").mkdir(parents=True, exist_ok=True)
            self.lock = (home / "run" / "lock").open("a+")
        except OSError as error:
            raise LaunchError(f"home: {home} cannot be written: {error.strerror}") from None
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            owner = self.state.read().get("pid", "unknown")
            raise LaunchError(f"home: {home} is in use by another maven-serve (pid {owner})") from None
        free_mb = shutil.disk_usage(home).free >> 20
        if free_mb < LEAST_DISK_MB:
            raise LaunchError(f"home: {home} has {free_mb} MiB of disk left; {LEAST_DISK_MB} MiB are needed")
        if self.settings.ray.address and not self.settings.redis.url:
            raise LaunchError("redis.url: must be set when ray.address is: other nodes cannot reach our Valkey")
        try:
            socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except OSError:
            raise LaunchError(f"http.host: {host} is no address of this machine") from None
        self._run_dir()  # raises if it cannot be had

    def _run_dir(self) -> Path:
        if self.run_dir is None:
            path = raynode.run_path(self.settings.home, self.settings.ray.temp_dir)
            raynode.make_run_dir(path)
            self.run_dir = path
        return self.run_dir

    def _clean_up_after_a_crash(self) -> None:
        """End and remove what an earlier instance of this home left; the lock says that it is dead."""
        run = self._run_dir()
        left = processes.belonging(str(run))
        if left:
            self.say(f"ending {len(left)} processes of an earlier run of this home")
            processes.end_all(str(run), grace_s=1.0)
        self.state.remove()
        _empty(run)
        host, port = self.settings.http.host, self.settings.http.port
        if not raynode.port_is_free(host, port):
            raise LaunchError(f"http.port: {port} on {host} is taken; set MAVEN__HTTP__PORT or http.port")

    def _wait_until_ready(self) -> str:
        """Poll ``/readyz``; gives what is degraded, as text, empty when all is well."""
        began = time.monotonic()
        said = "nothing answered"
        while (waited := time.monotonic() - began) < self.settings.ray.start_timeout_s:
            status, body = get(base_url(self.settings) + "/readyz")
            if status == 200:
                return _degraded(body)
            if status:
                said = f"{status} {body[:200]}".strip()
                if waited > SETTLE_S and _degraded(body):
                    return _degraded(body)
            self._check_core()
            time.sleep(0.1)
        raise LaunchError(f"/readyz was not good within {waited:.0f} s: {said}")

    def _announce(self, degraded: str) -> None:
        url = base_url(self.settings)
        auth = ' -H "authorization: Bearer $TOKEN"' if self.settings.http.token else ""
        body = json.dumps({"utterance": EXAMPLE}, ensure_ascii=False)
        self.say(f"ready, but degraded: {degraded}" if degraded else "ready")
        print(
            f"\n  {url}/chat     talk to it\n  {url}/trace    what it decided, and why\n"
            f"  {url}/docs     the HTTP interface\n\n"
            f"  curl -s {url}/v1/route{auth} -H 'content-type: application/json' -d '{body}'\n\n"
            "  Ctrl-C stops everything.\n",
            flush=True,
        )

    # -- front

    def _stay(self) -> None:
        restarts = 0
        while not self.woken.wait(0.5):
            self._check_core()
            if self.valkey is not None and self.valkey.restarts != restarts:
                restarts = self.valkey.restarts
                self.say(f"valkey: died and is back ({restarts})")

    def _check_core(self) -> None:
        for process in self.core:
            if not process.alive():
                raise LaunchError(f"Ray's {process.name} (pid {process.pid}) ended; stopping")

    # -- stop

    def _stop(self, keep_logs: bool) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        self.phase = "stopping"
        self.stopping_since = began = time.monotonic()
        run = self.run_dir
        if self.watchman is not None and run is not None:
            self.say("stopping")
            if "ray" in sys.modules:
                raynode.stop(self.settings, STOP_RAY_S, run / "stop.log")
            if self.valkey is not None:
                self.valkey.stop(timeout_s=3.0)
            keep = {self.watchman.pid}
            processes.end([p for p in processes.belonging(str(run)) if p.pid not in keep], grace_s=0.5)
            self.watchman.dismiss()
            processes.end_all(str(run), grace_s=0.0)
            self.state.remove()
            self.say(f"stopped in {time.monotonic() - began:.1f} s")
        if run is not None and not (keep_logs and (run / "ray").exists()):
            shutil.rmtree(run, ignore_errors=True)
        if self.ports is not None:
            self.ports.release()
        if self.lock is not None:
            self.lock.close()


def _empty(folder: Path) -> None:
    for entry in folder.iterdir():
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry, ignore_errors=True)
        else:
            entry.unlink(missing_ok=True)


def _degraded(body: str) -> str:
    """What a ``/readyz`` body names as degraded: a list, a mapping or a text under that key."""
    try:
        value = json.loads(body).get("degraded")
    except (ValueError, AttributeError):
        return ""
    if isinstance(value, Mapping):
        return "; ".join(f"{name}: {reason}" for name, reason in value.items())
    if isinstance(value, list):
        return "; ".join(str(item) for item in value)
    return str(value) if value else ""
