"""Where the heads' artefact lies, and the heads as a stage of the cascade, in this process or in a replica."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

from deployments.remote import Gather, retrying
from models.heads import HeadsReading, HeadsStage, RouterHeads, load_heads, resolve_heads_path
from serve.settings import Settings

Predict = Callable[[list[str]], Awaitable[Sequence[HeadsReading]]]


def heads_path(settings: Settings) -> Path | None:
    """The heads' file, or None for no heads. Raises `models.heads.HeadsConfigError` where it is the embedder's."""
    asked = settings.models.heads.path
    if asked is None:
        return None
    from models.artifacts import ensure_encoder

    encoder = settings.models.encoder
    artifact = ensure_encoder(settings.home, encoder.source, encoder.precision, progress=lambda _line: None)
    return resolve_heads_path(settings.home / asked, artifact.model_path)


def heads_stage(settings: Settings, path: Path, predict: Predict) -> HeadsStage:
    """The stage over `predict`, with the artefact's own thresholds where the settings name none. A manifest that does
    not read leaves thresholds under which nothing is claimed: the replica says why it did not load."""
    asked = settings.models.heads
    try:
        measured = json.loads((path.parent / "manifest.json").read_text("utf-8"))["thresholds"]
    except (OSError, ValueError, KeyError):
        measured = {"intent": 1.0, "clarify": 1.0}
    return HeadsStage(
        predict,
        intent_threshold=measured["intent"] if asked.threshold is None else asked.threshold,
        clarify_threshold=measured["clarify"] if asked.clarify_threshold is None else asked.clarify_threshold,
    )


def heads_version(path: Path) -> str:
    """The artefact's id, for records; empty where its manifest does not read."""
    try:
        return str(json.loads((path.parent / "manifest.json").read_text("utf-8"))["id"])
    except (OSError, ValueError, KeyError):
        return ""


def remote_heads(settings: Settings, path: Path, handle: Any) -> HeadsStage:
    """The stage over the heads deployment; utterances of the same moment share a call."""
    asked = settings.models.heads

    async def call(texts: list[str]) -> Sequence[HeadsReading]:
        readings: Sequence[HeadsReading] = await retrying(lambda: handle.predict.remote(texts))
        return readings

    gather: Gather[str, HeadsReading] = Gather(call, max_batch=asked.max_batch, deadline_s=asked.deadline_ms / 1e3)
    return heads_stage(settings, path, gather)


def local_heads(settings: Settings) -> HeadsStage | None:
    """The stage in this process, or None for no heads."""
    path = heads_path(settings)
    if path is None:
        return None
    threads = settings.models.heads.threads or os.cpu_count() or 1
    heads: RouterHeads | None = load_heads(path, None, threads=threads)
    if heads is None:
        return None
    predict = heads.predict

    async def here(texts: list[str]) -> Sequence[HeadsReading]:
        return await asyncio.to_thread(predict, texts)

    return heads_stage(settings, path, here)
