"""The routing heads as a Ray Serve deployment, on their own copy of the encoder."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ray import serve as ray_serve

if TYPE_CHECKING:
    from models.heads import HeadsReading


@ray_serve.deployment(name="heads")
class Heads:
    """Utterances to readings. A file that does not load leaves a replica that answers with its reason: the heads are
    an accelerator, and the cascade falls through to the next stage."""

    def __init__(self, path: str, settings: dict[str, Any]) -> None:
        from models.heads import RouterHeads

        self._pool = ThreadPoolExecutor(1, "onnxruntime")
        self._failure = ""
        self._heads: RouterHeads | None = None
        try:
            self._heads = RouterHeads(
                Path(path), threads=settings["threads"] or os.cpu_count() or 1, device=settings["device"]
            )
            self._heads.predict(["разогрев"])
        except Exception as error:  # ONNX Runtime raises bare Exception subclasses
            self._failure = f"{type(error).__name__}: {(str(error).splitlines() or [''])[0]}"

    async def describe(self) -> dict[str, Any]:
        """The artefact's id. Raises `RuntimeError` with the reason where the file did not load."""
        return {"id": self._loaded().id, "pid": os.getpid()}

    def _loaded(self) -> Any:
        if self._heads is None:
            raise RuntimeError(self._failure)
        return self._heads

    async def predict(self, texts: Sequence[str]) -> list[HeadsReading]:
        """One reading a text, in order."""
        heads = self._loaded()
        loop = asyncio.get_running_loop()
        readings: list[HeadsReading] = await loop.run_in_executor(self._pool, heads.predict, list(texts))
        return readings
