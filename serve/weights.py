"""Weights for the launcher and the command line: a thin voice over ``models.artifacts``."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

from models import artifacts, heads_build
from serve.settings import Settings

CURRENT_HEADS = Path("models/heads/current")
"""The value of `models.heads.path` that means: the heads that come with this version, built where they are missing."""


def prepare(settings: Settings, say: Callable[[str], None]) -> artifacts.EncoderArtifact:
    """Make what ``settings`` asks for ready to load: milliseconds when it is there, seconds when converted.

    ``say`` gets a line for each step of a conversion. Raises ``artifacts.ArtifactError`` with one line.
    """
    encoder = settings.models.encoder
    artifact = artifacts.ensure_encoder(settings.home, encoder.source, encoder.precision, progress=say)
    if settings.models.heads.path == CURRENT_HEADS:
        _current_heads(settings, say)
    return artifact


def _current_heads(settings: Settings, say: Callable[[str], None]) -> None:
    """Build the heads in the package onto the encoder's weights, and point `CURRENT_HEADS` at them."""
    encoder = settings.models.encoder
    heads = heads_build.ensure_heads(settings.home, encoder.source, encoder.precision, progress=say)
    link = settings.home / CURRENT_HEADS
    target = os.path.relpath(heads.folder, link.parent)
    if not link.is_symlink() or os.readlink(link) != target:
        part = link.with_name(f".{link.name}.{os.getpid()}")
        part.symlink_to(target)
        part.replace(link)


def fetch(settings: Settings, quiet: bool) -> None:
    """The command ``models fetch``; ``quiet`` says nothing when there was nothing to do."""
    began = time.monotonic()
    said: list[str] = []

    def say(line: str) -> None:
        said.append(line)
        print(f"[{time.monotonic() - began:5.1f} s] {line}", flush=True)

    artifact = prepare(settings, say)
    if said or not quiet:
        print(f"{artifact.id} in {artifact.folder}")


def show(settings: Settings) -> None:
    """The command ``models list``: id, size on disk, source, and which one the settings use."""
    from rich.console import Console
    from rich.table import Table

    found = artifacts.list_encoders(settings.home)
    if not found:
        print(f"nothing in {settings.home} yet: maven-serve models fetch")
        return
    table = Table(box=None, pad_edge=False)
    for title in ("id", "MB", "source"):
        table.add_column(title, justify="right" if title == "MB" else "left", overflow="fold")
    for artifact in found:
        size = sum(path.stat().st_size for path in artifact.folder.iterdir() if path.is_file())
        table.add_row(artifact.id, f"{size / 1e6:.0f}", artifact.source)
    Console().print(table)


def verify(settings: Settings) -> bool:
    """The command ``models verify``: a line for each file; whether all are right."""
    checks = artifacts.verify(settings.home)
    for check in checks:
        print(f"{'ok' if check.ok else 'WRONG':6}{check.artifact}/{check.file} {check.detail}".rstrip())
    if not checks:
        print(f"nothing in {settings.home} yet: maven-serve models fetch")
    return all(check.ok for check in checks)
