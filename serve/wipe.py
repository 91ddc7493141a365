"""Removing everything that was ever said: every key with the service's prefix, counted."""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress

from redis.asyncio import Redis

from serve.schemas import Wiped
from serve.shadow import Shadow
from serve.trace_store import asked, rewrite_file
from serve.traces import TraceRing

PASSES = 5
"""Scans at most: another replica may write while this one scans, and a scan that finds nothing ends it."""

_COUNTS = {b"stream": "xlen", b"hash": "hlen"}
_KINDS = {"ring": "ring", "routing_traces": "traces", "routing_labels": "labels"}


async def wipe(redis: Redis, prefix: str, ring: TraceRing, shadow: Shadow) -> Wiped:
    """Remove every key with `prefix`, and what waits in memory to be written.

    Counts records, labels and sessions; keys of other kinds under `other`. Raises `StoreUnavailable`.
    """
    counts = {"traces": 0, "ring": 0, "labels": 0, "sessions": 0, "other": 0}
    counts["waiting"] = shadow.forget() + ring.forget()
    with suppress(TimeoutError):  # what is on its way is written first, and then removed
        async with asyncio.timeout(1.0):
            await ring.written()
    pattern = re.sub(r"([*?\[\]\\^])", r"\\\1", prefix) + "*"
    for _ in range(PASSES):
        found = 0
        cursor = 0
        while True:
            cursor, keys = await asked(redis.scan(cursor, match=pattern, count=500))
            for key in keys:
                found += 1
                kind, size = await _remove(redis, key, key.decode("utf-8", "replace")[len(prefix) :])
                if kind is not None:
                    counts[kind] += size
            if cursor == 0:
                break
        if found == 0:
            break
    return Wiped(counts, await rewrite_file(redis))


async def _remove(redis: Redis, key: bytes, name: str) -> tuple[str | None, int]:
    """Count and unlink one key, in one transaction."""
    if name == "routing_trace_ids":  # the index of what is counted as traces
        await asked(redis.unlink(key))
        return None, 0
    kind = _KINDS.get(name, "sessions" if name.startswith("session") else "other")
    counting = _COUNTS.get(await asked(redis.type(key))) if name in _KINDS else None
    async with redis.pipeline(transaction=True) as pipe:
        if counting is not None:
            getattr(pipe, counting)(key)
        pipe.unlink(key)
        answers = await asked(pipe.execute())
    return kind, int(answers[0])
