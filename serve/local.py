"""The same router with no server up: the encoder in this process. For the command line and the evaluation."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from models.classifier import Vectors
from serve.heads import local_heads
from serve.service import Router
from serve.settings import Settings


class LocalEncoder:
    """The encoder in this process, loaded on first use: a decision of stage 0 needs none."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._encoder: Any = None

    def _loaded(self) -> Any:
        if self._encoder is None:
            from models.artifacts import ensure_encoder
            from models.encoder import Encoder

            asked = self._settings.models.encoder
            artifact = ensure_encoder(self._settings.home, asked.source, asked.precision, progress=lambda _: None)
            self._encoder = Encoder(artifact, threads=asked.threads or os.cpu_count() or 1, device=asked.device)
        return self._encoder

    async def __call__(self, texts: Sequence[str]) -> Vectors:
        """Query vectors, float32 [len(texts), dim]."""
        vectors: Vectors = self._loaded().encode(list(texts))
        return vectors

    async def describe(self) -> dict[str, Any]:
        """Id and dimension."""
        encoder = self._loaded()
        return {"id": encoder.id, "dim": encoder.dim, "providers": encoder.providers}


def local_router(settings: Settings) -> Router:
    """A router of every arm that `settings` configure, in this process."""
    encoder = LocalEncoder(settings)
    heads = local_heads(settings)
    return Router(settings, encoder, encoder.describe, {} if heads is None else {"heads": heads})
