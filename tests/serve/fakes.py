"""The edge of the application in unit tests: an embedder handle that answers from a hash, or not at all."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from serve.settings import Settings

DIM = 8


def vector_of(text: str) -> np.ndarray[Any, np.dtype[np.float32]]:
    """A unit vector that only this text has."""
    seed = int.from_bytes(hashlib.sha256(text.encode("utf-8", "replace")).digest()[:8], "little")
    vector = np.random.default_rng(seed).normal(size=DIM).astype(np.float32)
    return vector / np.linalg.norm(vector)


class FakeMethod:
    def __init__(self, function: Callable[..., Awaitable[Any]]) -> None:
        self.remote = function


class FakeEmbedder:
    """Stands for the handle of the embedder deployment. `broken` makes every call fail."""

    def __init__(self) -> None:
        self.broken = False
        self.calls: list[list[str]] = []
        self.encode = FakeMethod(self._encode)
        self.describe = FakeMethod(self._describe)
        self.token_count = FakeMethod(self._token_count)

    def _check(self) -> None:
        if self.broken:
            raise RuntimeError("the replica is gone")

    async def _encode(self, texts: Sequence[str], kind: str = "query") -> bytes:
        self._check()
        self.calls.append(list(texts))
        return np.stack([vector_of(text) for text in texts]).astype("<f4").tobytes()

    async def _describe(self) -> dict[str, Any]:
        self._check()
        return {"id": "fake@8/tok1/fp32", "dim": DIM, "providers": ["none"]}

    async def _token_count(self, texts: Sequence[str]) -> int:
        self._check()
        return sum(len(text.split()) for text in texts)


def settings(home: Path, **overrides: Any) -> Settings:
    """Settings with no Redis behind them: the port answers nothing."""
    return Settings.model_validate({"home": home, "redis": {"url": "redis://127.0.0.1:9"}, **overrides})
