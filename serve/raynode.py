"""The Ray node of one instance and the Serve application on it.

Ray reads most of its settings from the environment, once, at import; so `environment` comes first and
nothing here imports `ray` before it is in place. Two instances on one machine share no file and no port: each
has a run folder of its own and a block of a hundred ports that it holds by a file lock.
"""

from __future__ import annotations

import contextlib
import fcntl
import importlib
import logging
import os
import secrets
import socket
import sys
import tempfile
import threading
import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any

from serve.settings import Settings

APPLICATION = "maven"
# Ray's unix sockets end in /ray/session_<time>_<pid>/sockets/plasma_store and HAProxy's in
# /h/<56 letters>/a.<pid>.<n>; the kernel allows 107 bytes in all.
LONGEST_RUN_DIR = 24
# under the range that the kernel and Ray hand out by themselves (32768 and up)
FIRST_PORT, LAST_PORT, BLOCK = 20_000, 32_600, 100
LOOPBACK = "127.0.0.2"  # Ray rewrites 127.0.0.1 to the machine's outer address


class NodeError(RuntimeError):
    """Ray or the application cannot be started; the message is one line."""


def run_path(home: Path, wanted: Path | None = None) -> Path:
    """The folder for sockets and Ray's session: short, and the same for the same home. Not made here."""
    base = Path(tempfile.gettempdir())
    base = base if len(str(base)) <= 6 else Path("/tmp")  # noqa: S108 -- owner and mode are checked below
    return wanted or base / f"mv{os.getuid()}-{zlib.crc32(str(home).encode()):08x}"


def make_run_dir(path: Path) -> None:
    """Make ``path`` its owner's alone. Raises ``NodeError`` if it is too long or somebody else's."""
    if len(str(path)) > LONGEST_RUN_DIR:
        raise NodeError(f"ray.temp_dir: {path} is longer than {LONGEST_RUN_DIR} characters")
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        if path.is_symlink() or path.stat().st_uid != os.getuid():
            raise NodeError(f"{path} belongs to somebody else; set ray.temp_dir")
        path.chmod(0o700)  # HAProxy's control socket inside is open to whoever reaches it
    except OSError as error:
        raise NodeError(f"{path}: {error.strerror}; set ray.temp_dir") from None


class Ports:
    """A block of ports on this machine, held until ``release``."""

    def __init__(self, base: int, lock: IO[str]) -> None:
        self.base = base
        self._lock = lock

    def release(self) -> None:
        """Let another instance have the block."""
        self._lock.close()

    @classmethod
    def take(cls, home: Path, wanted: int | None = None) -> Ports:
        """The block at ``wanted``, else the first free one from a place that depends on ``home``.

        Raises ``NodeError`` when none is free.
        """
        locks = Path(tempfile.gettempdir()) / f"mv{os.getuid()}-ports"
        locks.mkdir(mode=0o700, exist_ok=True)
        blocks = list(range(FIRST_PORT, LAST_PORT, BLOCK))
        start = zlib.crc32(str(home).encode()) % len(blocks)
        for base in [wanted] if wanted else blocks[start:] + blocks[:start]:
            lock = (locks / str(base)).open("w")
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                lock.close()
                continue
            if all(port_is_free("0.0.0.0", port) for port in range(base, base + BLOCK)):  # noqa: S104 -- a probe
                return cls(base, lock)
            lock.close()
        where = f"{wanted} to {wanted + BLOCK - 1}" if wanted else f"{FIRST_PORT} to {LAST_PORT + BLOCK}"
        raise NodeError(f"ray.port_base: no {BLOCK} free ports in {where}")


def port_is_free(host: str, port: int) -> bool:
    """Whether a server could listen there now."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # a socket in TIME_WAIT is no obstacle
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True


def environment(settings: Settings, run: Path, base: int) -> dict[str, str]:
    """The variables that Ray and Serve must find. A token for Ray's own ports is written to ``run``."""
    token = run / "token"
    token.unlink(missing_ok=True)
    with open(token, "w", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
        file.write(secrets.token_hex(32))
    haproxy = run / "h"
    tuning = {
        # HAProxy and throughput mode: 0.45 ms and 3,200 requests/s for a path that takes 11 ms without
        "RAY_SERVE_ENABLE_HA_PROXY": "1",
        "RAY_SERVE_THROUGHPUT_OPTIMIZED": "1",
        "RAY_SERVE_HAPROXY_NBTHREAD": str(min(os.cpu_count() or 1, 4)),
        "RAY_SERVE_HAPROXY_METRICS_ENABLED": "0",  # 0.13 ms of CPU a request
        "RAY_SERVE_PROXY_HEALTH_CHECK_PERIOD_S": "1",  # a killed HAProxy is back in 5 s, not in 25
        "RAY_SERVE_PROXY_HEALTH_CHECK_TIMEOUT_S": "2",
        "RAY_SERVE_DIRECT_INGRESS_MIN_DRAINING_PERIOD_S": f"{settings.ray.drain_s:g}",
        "RAY_worker_niceness": "0",  # at 15, its default, p99 is 260 to 480 ms beside a busy neighbour
    }
    own = {
        "RAY_USAGE_STATS_ENABLED": "0",
        "RAY_AUTH_MODE": "token",  # Ray's ports listen on every interface
        "RAY_AUTH_TOKEN_PATH": str(token),
        "RAY_SERVE_HAPROXY_CONFIG_FILE_LOC": str(haproxy / "haproxy.cfg"),
        "RAY_SERVE_HAPROXY_SOCKET_PATH": str(haproxy / "a"),
        "RAY_SERVE_HAPROXY_SERVER_STATE_BASE": str(haproxy),
        "RAY_SERVE_HAPROXY_SERVER_STATE_FILE": str(haproxy / "state"),
        "RAY_SERVE_HAPROXY_METRICS_SOCKET_PATH": str(haproxy / "m"),
        "RAY_SERVE_HAPROXY_STATS_PORT": str(base),
        "RAY_SERVE_HAPROXY_METRICS_PORT": str(base + 1),
        "RAY_SERVE_FALLBACK_PROXY_HTTP_PORT": str(base + 2),
        "RAY_SERVE_FALLBACK_PROXY_GRPC_PORT": str(base + 3),
        "RAY_SERVE_DIRECT_INGRESS_MIN_HTTP_PORT": str(base + 10),
        "RAY_SERVE_DIRECT_INGRESS_MAX_HTTP_PORT": str(base + 79),
        "RAY_SERVE_DIRECT_INGRESS_MIN_GRPC_PORT": str(base + 80),
        "RAY_SERVE_DIRECT_INGRESS_MAX_GRPC_PORT": str(base + 99),
    }
    return {name: os.environ.get(name, value) for name, value in tuning.items()} | own


def start_ray(settings: Settings, run: Path, base: int) -> None:
    """Start a node of our own, or join ``ray.address``. The node dies with this process."""
    import ray

    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": "warning"}
    try:
        if settings.ray.address:
            ray.init(address=settings.ray.address, **quiet)
            return
        ray.init(
            address="local",
            num_cpus=settings.ray.num_cpus,
            num_gpus=settings.ray.num_gpus,
            include_dashboard=settings.ray.dashboard,
            object_store_memory=settings.ray.object_store_mb << 20,
            _node_ip_address=LOOPBACK,
            _temp_dir=str(run / "ray"),
            _metrics_export_port=base + 4,
            **quiet,
        )
    except (OSError, RuntimeError, ValueError, ConnectionError) as error:
        raise NodeError(f"Ray did not start: {_last_line(error)}") from error


def deploy(settings: Settings, application: str, tree: Mapping[str, Any]) -> None:
    """Build ``application`` (``module:function``, called with ``tree``) and run it; returns once it runs.

    Raises ``NodeError`` with the last line of what went wrong.
    """
    from ray import serve as ray_serve
    from ray.serve.config import HTTPOptions
    from ray.serve.schema import LoggingConfig

    logging.getLogger("ray.serve").setLevel(logging.WARNING)  # importing it sets its own level
    module, _, function = application.partition(":")
    try:
        build = getattr(importlib.import_module(module), function)
    except (ImportError, AttributeError) as error:
        raise NodeError(f"{application} cannot be imported: {error}") from error
    # the access log alone costs p99 of 25 to 40 ms in throughput mode
    logs = LoggingConfig(enable_access_log=False, log_level=settings.log.level)
    http = HTTPOptions(
        host=settings.http.host,
        port=settings.http.port,
        request_timeout_s=settings.http.request_timeout_s,
    )
    try:
        ray_serve.start(http_options=http, logging_config=logs)
        ray_serve.run(build(dict(tree)), name=APPLICATION, route_prefix="/", logging_config=logs)
    except Exception as error:
        reason = "; ".join(_failures()) or _last_line(error)
        raise NodeError(f"the application did not start: {reason}") from error


def _failures() -> list[str]:
    """What each deployment that did not start says: its name and the last line of its complaint."""
    from ray import serve as ray_serve

    found = []
    with contextlib.suppress(Exception):  # it is only to say more than we could otherwise
        for name, deployment in ray_serve.status().applications[APPLICATION].deployments.items():
            if deployment.status.name != "HEALTHY" and deployment.message:
                found.append(f"{name}: {_last_line(deployment.message)}")
    return found


def stop(settings: Settings, timeout_s: float, log: Path | None = None) -> None:
    """Take the application down, then our own node; a joined cluster keeps its Serve and other applications.

    Gives up on each step after its share of ``timeout_s``: the caller ends what is left.
    """
    import ray

    if not ray.is_initialized():
        return
    from ray import serve as ray_serve

    joined = settings.ray.address is not None
    take_down = (lambda: ray_serve.delete(APPLICATION)) if joined else ray_serve.shutdown
    # Ray prints its own shutdown as failed tasks: nothing that a person could act on
    with _output_to(log or Path(os.devnull)):
        _within(timeout_s * 0.7, take_down)
        _within(timeout_s * 0.3, ray.shutdown)


@contextlib.contextmanager
def _output_to(path: Path) -> Iterator[None]:
    """Standard output and error to a file: by descriptor, because Ray keeps the streams that it found."""
    kept = {number: os.dup(number) for number in (1, 2)}
    streams = (sys.stdout, sys.stderr)
    try:
        for stream in streams:
            stream.flush()
        with path.open("ab") as file:
            for number in kept:
                os.dup2(file.fileno(), number)
        yield
    finally:
        for stream in streams:
            stream.flush()
        for number, copy in kept.items():
            os.dup2(copy, number)
            os.close(copy)


def _within(timeout_s: float, step: Callable[[], object]) -> None:
    def attempt() -> None:
        with contextlib.suppress(Exception):  # whatever it is, the processes are ended by hand next
            step()

    thread = threading.Thread(target=attempt, daemon=True)
    thread.start()
    thread.join(timeout_s)


def _last_line(error: BaseException | str) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1] if lines else type(error).__name__
