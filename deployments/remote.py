"""Calling another deployment from the ingress: gathered into batches, with a deadline, and one retry."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Generic, TypeVar

IN_FLIGHT = 2
"""Calls out at once. One leaves the worker idle while an answer travels; more than two only split batches."""

COOL_DOWN_S = 1.0
"""After a failure, calls fail at once for so long, so that a dead replica does not hold every turn to its deadline."""


T = TypeVar("T")
R = TypeVar("R")


class Unavailable(RuntimeError):
    """The deployment did not answer in time, or at all."""


class Gather(Generic[T, R]):
    """Turns single requests into list calls: whatever waits when a call returns goes out with the next one.

    No timer: on an idle service a request goes out at once, under load batches form by themselves. `call` takes a
    list of items and gives as many results; `deadline_s` bounds the wait of one request, queueing included.
    """

    def __init__(self, call: Callable[[list[T]], Awaitable[Sequence[R]]], *, max_batch: int, deadline_s: float) -> None:
        self._call = call
        self._max_batch = max_batch
        self._deadline_s = deadline_s
        self._waiting: deque[tuple[T, asyncio.Future[R]]] = deque()
        self._tasks: set[asyncio.Task[None]] = set()
        self._down_until = 0.0

    @property
    def waiting(self) -> int:
        """Requests that no call has taken yet."""
        return len(self._waiting)

    async def __call__(self, items: Sequence[T]) -> list[R]:
        """Results of `items`, in order. Raises `Unavailable`."""
        if time.monotonic() < self._down_until:
            raise Unavailable("failed a moment ago")
        loop = asyncio.get_running_loop()
        futures: list[asyncio.Future[R]] = [loop.create_future() for _ in items]
        self._waiting.extend(zip(items, futures, strict=True))
        self._pump()
        try:
            async with asyncio.timeout(self._deadline_s):
                return list(await asyncio.gather(*futures))
        except TimeoutError:
            self._down_until = time.monotonic() + COOL_DOWN_S
            raise Unavailable(f"no answer within {self._deadline_s:g} s") from None

    def _pump(self) -> None:
        while self._waiting and len(self._tasks) < IN_FLIGHT:
            batch: list[tuple[T, asyncio.Future[R]]] = []
            while self._waiting and len(batch) < self._max_batch:
                item, future = self._waiting.popleft()
                if not future.done():  # its caller left
                    batch.append((item, future))
            if batch:
                task = asyncio.create_task(self._run(batch))
                self._tasks.add(task)
                task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self._pump()

    async def _run(self, batch: list[tuple[T, asyncio.Future[R]]]) -> None:
        try:
            async with asyncio.timeout(self._deadline_s):
                results = await self._call([item for item, _ in batch])
        except Exception as error:  # whatever went wrong over there is this call's answer
            self._down_until = time.monotonic() + COOL_DOWN_S
            for _, future in batch:
                if not future.done():
                    future.set_exception(Unavailable(f"{type(error).__name__}: {error}".splitlines()[0]))
            return
        self._down_until = 0.0
        for (_, future), result in zip(batch, results, strict=True):
            if not future.done():
                future.set_result(result)


async def retrying(call: Callable[[], Awaitable[Any]]) -> Any:
    """`call`'s result, tried a second time when the replica it went to died: Serve never retries by itself."""
    from ray.exceptions import ActorDiedError, ActorUnavailableError

    try:
        return await call()
    except (ActorDiedError, ActorUnavailableError):
        return await call()
