"""Corrections, kept without expiry: a label is not a transcript, which still expires."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from redis.asyncio import Redis

from routing.dialogue.labels import LabelRow
from serve.trace_store import asked
from serve.ulid import new_ulid

_decoder = msgspec.json.Decoder(LabelRow)


class LabelStore:
    """One hash: a turn's id to its label. A second correction of a turn replaces the first, so that a button pressed
    twice is one label, and a person may think again. A row with no turn stands for itself."""

    def __init__(self, redis: Redis, *, prefix: str) -> None:
        self._redis = redis
        self.key = f"{prefix}routing_labels"

    async def add(self, row: LabelRow) -> None:
        """Keep `row`. Raises `StoreUnavailable`."""
        await asked(self._redis.hset(self.key, row.trace_id or new_ulid(), msgspec.json.encode(row).decode()))

    async def get(self, trace_id: str) -> LabelRow | None:
        """The label of a turn, if it has one. Raises `StoreUnavailable`."""
        found = await asked(self._redis.hget(self.key, trace_id))
        return None if found is None else _decoder.decode(found)

    async def of(self, trace_ids: Sequence[str]) -> list[LabelRow]:
        """The labels of those turns that have one. Raises `StoreUnavailable`."""
        if not trace_ids:
            return []
        rows = await asked(self._redis.hmget(self.key, list(trace_ids)))
        return [_decoder.decode(row) for row in rows if row is not None]

    async def all(self) -> list[LabelRow]:
        """Every label, oldest first. Raises `StoreUnavailable`."""
        rows = await asked(self._redis.hvals(self.key))
        return sorted(map(_decoder.decode, rows), key=lambda row: (row.when, row.trace_id))
