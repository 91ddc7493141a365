"""The live stream of new records: one reader of the ring for every client that watches, and nothing when none does."""

from __future__ import annotations

import asyncio
import zlib
from collections import deque
from collections.abc import AsyncIterator
from contextlib import suppress
from time import monotonic

from redis.asyncio import Redis

from serve.metrics import Metrics
from serve.problems import HttpError
from serve.trace_store import StoreUnavailable, asked
from serve.traces import TraceRing

POLL_S = 0.25
"""Between two looks at the ring: what another replica wrote arrives as soon as one's own."""
HEARTBEAT_S = 10.0
"""A comment when nothing happens, so that a proxy keeps the connection and a client that left is found out."""
CLIENTS = 32
WAITING = 100
"""Records that wait for a slow client; one more drops the oldest, and the client is told that some are missing."""


class _Client:
    def __init__(self) -> None:
        self.events: deque[bytes] = deque()
        self.missed = 0
        self.wake = asyncio.Event()
        self.closed = False

    def give(self, event: bytes) -> None:
        if len(self.events) >= WAITING:
            self.events.popleft()
            self.missed += 1
        self.events.append(event)
        self.wake.set()


class Feed:
    """Server-sent events of the ring: `record` (the record as JSON), `missed` (how many), `down` and `up` (Redis).

    A stream ends after `life_s`, before whatever serves it would cut it: a browser asks again by itself, with the id
    of the last record it got, and is given those since.
    """

    def __init__(self, redis: Redis, ring: TraceRing, metrics: Metrics, *, life_s: float = 3_600.0) -> None:
        self._life_s = life_s
        self._redis = redis
        self._ring = ring
        self._metrics = metrics
        self._clients: set[_Client] = set()
        self._task: asyncio.Task[None] | None = None

    def watch(self, after: str | None = None) -> AsyncIterator[bytes]:
        """Events for one client, until it leaves; first those since the record `after`, where the ring still holds
        it. Raises `HttpError`: 404 with no ring, 503 with too many clients."""
        if self._ring.size == 0:
            raise HttpError(404, "there is no ring here: trace.ring is 0")
        if len(self._clients) >= CLIENTS:
            raise HttpError(503, f"{CLIENTS} clients watch already", headers={"Retry-After": "5"})
        return self._events(after)

    async def _events(self, after: str | None) -> AsyncIterator[bytes]:
        client = _Client()
        self._clients.add(client)
        self._metrics.watchers.set(len(self._clients))
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._read())
        try:
            ends = monotonic() + self._life_s
            yield b"retry: 500\n\n"
            for event in await self._since(after):
                yield event
            while not client.closed and (left := ends - monotonic()) > 0:
                try:
                    async with asyncio.timeout(min(HEARTBEAT_S, left)):
                        await client.wake.wait()
                except TimeoutError:
                    yield b": still here\n\n"
                    continue
                client.wake.clear()
                if client.missed:
                    yield f"event: missed\ndata: {client.missed}\n\n".encode()
                    client.missed = 0
                while client.events:
                    yield client.events.popleft()
        finally:
            self._leave(client)

    async def _since(self, after: str | None) -> list[bytes]:
        """The ring's records after one, oldest first; none where it is not in the ring."""
        if after is None:
            return []
        with suppress(StoreUnavailable):
            rows = await asked(self._redis.xrevrange(self._ring.key, count=max(self._ring.size, 1)))
            ids = [fields[b"id"] for _, fields in rows]
            if after.encode() in ids:
                newer = rows[: ids.index(after.encode())]
                return [_event(fields) for _, fields in reversed(newer)]
        return []

    def _leave(self, client: _Client) -> None:
        self._clients.discard(client)
        self._metrics.watchers.set(len(self._clients))

    async def stop(self) -> None:
        """End every stream."""
        for client in self._clients:
            client.closed = True
            client.wake.set()
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def _read(self) -> None:
        """Read what is new in the ring for as long as somebody watches."""
        last: bytes | None = None
        down = False
        while self._clients:
            try:
                if last is None:
                    newest = await asked(self._redis.xrevrange(self._ring.key, count=1))
                    last = newest[0][0] if newest else b"0-0"
                found = await asked(self._redis.xread({self._ring.key: last}, count=WAITING))
            except StoreUnavailable:
                if not down:
                    self._tell(b"event: down\ndata: redis\n\n")
                down = True
                await asyncio.sleep(2 * POLL_S)
                continue
            if down:
                self._tell(b"event: up\ndata: redis\n\n")
                down = False
            for _, rows in found.items() if isinstance(found, dict) else found:
                for row in rows[0] if rows and isinstance(rows[0], list) else rows:
                    last = row[0]
                    self._tell(_event(row[1]))
            await asyncio.sleep(POLL_S)

    def _tell(self, event: bytes) -> None:
        for client in self._clients:
            client.give(event)


def _event(fields: dict[bytes, bytes]) -> bytes:
    return b"event: record\nid: " + fields[b"id"] + b"\ndata: " + zlib.decompress(fields[b"z"]) + b"\n\n"
