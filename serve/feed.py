"""The live stream of new records: one reader of the ring for every client that watches, and nothing when none does."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import suppress

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
    """Server-sent events of the ring: `record` (the record as JSON), `missed` (how many), `down` and `up` (Redis)."""

    def __init__(self, redis: Redis, ring: TraceRing, metrics: Metrics) -> None:
        self._redis = redis
        self._ring = ring
        self._metrics = metrics
        self._clients: set[_Client] = set()
        self._task: asyncio.Task[None] | None = None

    def watch(self) -> AsyncIterator[bytes]:
        """Events for one client, until it leaves. Raises `HttpError`: 404 with no ring, 503 with too many clients."""
        if self._ring.size == 0:
            raise HttpError(404, "there is no ring here: trace.ring is 0")
        if len(self._clients) >= CLIENTS:
            raise HttpError(503, f"{CLIENTS} clients watch already", headers={"Retry-After": "5"})
        return self._events()

    async def _events(self) -> AsyncIterator[bytes]:
        client = _Client()
        self._clients.add(client)
        self._metrics.watchers.set(len(self._clients))
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._read())
        try:
            yield b"retry: 2000\n\n"
            while not client.closed:
                try:
                    async with asyncio.timeout(HEARTBEAT_S):
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
                    self._tell(b"event: record\nid: " + row[1][b"id"] + b"\ndata: " + row[1][b"record"] + b"\n\n")
            await asyncio.sleep(POLL_S)

    def _tell(self, event: bytes) -> None:
        for client in self._clients:
            client.give(event)
