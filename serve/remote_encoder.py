"""The embedder deployment as the router sees it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from deployments.remote import Gather, Unavailable, retrying
from models.classifier import Vectors
from serve.settings import Encoder


class RemoteEncoder:
    """Calls the embedder by its handle. Raises `Unavailable` where it does not answer within the deadline."""

    def __init__(self, handle: Any, settings: Encoder) -> None:
        self._handle = handle
        self._deadline_s = settings.deadline_ms / 1e3
        self._gather: Gather[str, Vectors] = Gather(
            self._query, max_batch=settings.max_batch, deadline_s=self._deadline_s
        )

    async def __call__(self, texts: Sequence[str]) -> Vectors:
        """Query vectors, float32 [len(texts), dim]; requests of the same moment share a call."""
        return np.stack(await self._gather(list(texts))) if texts else np.zeros((0, 0), np.float32)

    async def _query(self, texts: list[str]) -> list[Vectors]:
        return list(await self._encode(texts, "query"))

    async def _encode(self, texts: Sequence[str], kind: Literal["query", "passage"]) -> Vectors:
        data: bytes = await retrying(lambda: self._handle.encode.remote(list(texts), kind))
        return np.frombuffer(data, "<f4").reshape(len(texts), -1)

    async def encode(self, texts: Sequence[str], kind: Literal["query", "passage"]) -> Vectors:
        """Vectors of one request, not gathered with others': for `/v1/embeddings`, whose lists are long."""
        try:
            async with asyncio.timeout(30.0):
                return await self._encode(texts, kind)
        except Exception as error:
            raise Unavailable(f"{type(error).__name__}") from error

    async def describe(self) -> dict[str, Any]:
        """Id, dimension and providers of the embedder."""
        try:
            async with asyncio.timeout(self._deadline_s):
                about: dict[str, Any] = await retrying(self._handle.describe.remote)
                return about
        except Exception as error:
            raise Unavailable(f"{type(error).__name__}") from error

    async def token_count(self, texts: Sequence[str]) -> int:
        """Tokens of `texts`, prefixes included."""
        count: int = await retrying(lambda: self._handle.token_count.remote(list(texts)))
        return count
