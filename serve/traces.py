"""The trace ring in Redis: a capped stream, written off the hot path, with the durable store beside it."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from redis.asyncio import Redis
from redis.exceptions import RedisError, ResponseError

from serve.metrics import Metrics
from serve.schemas import TraceRecord
from serve.trace_store import StoreUnavailable, TraceStore, asked, pack, unpack

__all__ = ["StoreUnavailable", "TraceRing"]

log = logging.getLogger(__name__)

Build = Callable[[], TraceRecord]

BATCH = 256
LINGER_S = 0.1
"""Records of so long are written together: a turn that writes its own record would delay the next one by it."""
SLICE = 8
"""Records built before other work of this process gets its turn: 0.1 ms each."""
RETRY_S = 0.5
"""Pause after a failed write: long enough to spare a server that is starting, short against a person's patience."""

_FAILURES = (RedisError, OSError, TimeoutError)


class TraceRing:
    """The newest `size` records. `put` never waits and never fails a turn: what Redis does not take is lost, and
    counted. At most `queue` records wait in memory; one more drops the oldest (counted as lost too).

    `store` gets every record as well. A batch that Redis may or may not have got (the answer never came) is kept and
    written again until there is an answer, which the store takes once: so the counts of lost and written are exact.
    """

    def __init__(
        self,
        redis: Redis,
        *,
        prefix: str,
        size: int,
        queue: int,
        metrics: Metrics,
        store: TraceStore | None = None,
    ) -> None:
        self._redis = redis
        self.key = f"{prefix}ring"
        self.size = size
        self._limit = queue
        self._metrics = metrics
        self._store = store
        self._waiting: deque[Build] = deque()
        self._writing: Sequence[Build | TraceRecord] = ()
        self._wake = asyncio.Event()
        self._idle = asyncio.Event()
        self._idle.set()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin writing, on the running loop."""
        self._task = asyncio.create_task(self._write_forever())

    async def stop(self) -> None:
        """Write what waits, for a second at most, then stop; what is left is lost, and counted."""
        if self._task is None:
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(1.0):
                await self.written()
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task
        self.forget()

    @property
    def held(self) -> int:
        """Records in memory: waiting, and on their way."""
        return len(self._waiting) + len(self._writing)

    def forget(self) -> int:
        """Drop the records that wait (counted as lost); gives how many."""
        dropped = len(self._waiting)
        self._waiting.clear()
        self._metrics.trace_lost.inc(dropped)
        self._metrics.trace_queue.set(self.held)
        return dropped

    async def written(self) -> None:
        """Wait until every record that was put is written or lost."""
        await self._idle.wait()

    def put(self, build: Build) -> None:
        """Hand over a record, built only when it is written: building costs more than a stage 0 decision."""
        if self.size == 0 and self._store is None:
            return
        if self.held >= self._limit:
            self._metrics.trace_lost.inc()
            if not self._waiting:
                return
            self._waiting.popleft()
        self._waiting.append(build)
        self._idle.clear()
        self._metrics.trace_queue.set(self.held)
        self._wake.set()

    async def _write_forever(self) -> None:
        while True:
            await self._wake.wait()
            await asyncio.sleep(LINGER_S)
            while self._waiting:
                self._writing = [self._waiting.popleft() for _ in range(min(BATCH, len(self._waiting)))]
                try:
                    await self._deliver()
                except asyncio.CancelledError:
                    self._metrics.trace_lost.inc(len(self._writing))
                    raise
                except Exception:
                    self._metrics.trace_lost.inc(len(self._writing))
                    log.exception("trace: %d records lost", len(self._writing))
                finally:
                    self._writing = ()
                    self._metrics.trace_queue.set(self.held)
            self._wake.clear()
            self._idle.set()

    async def _deliver(self) -> None:
        """Write the batch in `_writing`, or count it as lost."""
        records = await self._built()
        doubtful = False
        while True:
            try:
                await self._connect()
            except _FAILURES as error:
                if not doubtful:
                    self._lost(len(records), error)
                    await asyncio.sleep(RETRY_S)
                    return
            else:
                try:
                    await self._write(records)
                    self._metrics.trace_written.inc(len(records))
                    return
                except _FAILURES as error:
                    if self._store is None or isinstance(error, ResponseError):  # nothing is in doubt
                        self._lost(len(records), error)
                        await asyncio.sleep(RETRY_S)
                        return
                    doubtful = True
            await asyncio.sleep(RETRY_S)

    async def _built(self) -> list[TraceRecord]:
        records: list[TraceRecord] = []
        batch = [build for build in self._writing if callable(build)]
        for i, build in enumerate(batch, 1):
            try:
                records.append(build())
            except Exception:
                log.exception("trace: a record cannot be built")
            if i % SLICE == 0:
                await asyncio.sleep(0)
        self._metrics.trace_lost.inc(len(batch) - len(records))
        self._writing = records
        return records

    def _lost(self, count: int, error: Exception) -> None:
        self._metrics.trace_lost.inc(count)
        self._writing = ()
        log.warning("trace: %d records lost: %s", count, error)

    async def _connect(self) -> None:
        """Have a connection in the pool: where there is none, nothing of a batch can have been sent."""
        pool = self._redis.connection_pool
        await pool.release(await pool.get_connection())  # type: ignore[no-untyped-call]

    async def _write(self, records: list[TraceRecord]) -> None:
        async with self._redis.pipeline(transaction=False) as pipe:
            packed = [(record.id, pack(record)) for record in records]
            for trace_id, data in packed[-self.size :] if self.size else ():
                pipe.xadd(self.key, {"id": trace_id, "z": data}, maxlen=self.size, approximate=False)
            if self._store is not None:
                self._store.add(pipe, packed)
            await pipe.execute()

    async def newest(self, limit: int | None = None) -> list[TraceRecord]:
        """Records, newest first. Raises `StoreUnavailable`."""
        rows: list[Any] = await asked(self._redis.xrevrange(self.key, count=limit or max(self.size, 1)))
        found: dict[str, TraceRecord] = {}  # a batch that was written twice stands there twice
        for _, fields in rows:
            record = unpack(fields[b"z"])
            found.setdefault(record.id, record)
        return list(found.values())

    async def find(self, trace_id: str) -> TraceRecord | None:
        """The record of `trace_id`, in the ring or in the store; None where it is in neither. Raises
        `StoreUnavailable`."""
        for record in await self.newest():
            if record.id == trace_id:
                return record
        return await self._store.find(trace_id) if self._store is not None else None
