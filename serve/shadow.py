"""The shadow arm: another arm run on a share of turns, after their answer, to be compared with the one that served."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable
from contextlib import suppress
from time import perf_counter

from models.arms import Arm
from routing.cascade import Turn
from routing.context import Context
from routing.decision import Decision
from routing.trace import Record
from serve.metrics import Metrics
from serve.requests import decision_value
from serve.schemas import ShadowValue
from serve.settings import Shadow as ShadowSettings

log = logging.getLogger(__name__)

Route = Callable[[str, Context, Arm], Awaitable[tuple[Turn, Record]]]
Keep = Callable[[ShadowValue | None], None]

AT_ONCE = 2
"""Shadow runs at the same moment: they share the stages with the turns that somebody waits for."""
WAITING = 64
"""Turns that wait for a shadow run; beyond that a turn is recorded without one."""
DEADLINE_S = 10.0


class Shadow:
    """Runs `settings.arm` on a share of turns. With no arm set it costs one comparison a turn."""

    def __init__(
        self,
        route: Route,
        settings: ShadowSettings,
        metrics: Metrics,
        draw: Callable[[], float] = random.random,
    ) -> None:
        self._route = route
        self._arm = settings.arm
        self._sample = settings.sample
        self._metrics = metrics
        self._draw = draw
        self._slots = asyncio.Semaphore(AT_ONCE)
        self._tasks: dict[asyncio.Task[None], Keep] = {}

    def after(self, arm: Arm, utterance: str, context: Context, served: Decision, keep: Keep) -> None:
        """Call `keep` once with what the shadow arm made of the turn: now and with None where it is not run on this
        turn, otherwise when it is done. Never waits and never raises."""
        if self._arm is None or self._arm == arm or self._draw() >= self._sample:
            keep(None)
            return
        if len(self._tasks) >= WAITING:
            self._metrics.shadow.labels("skipped").inc()
            keep(None)
            return
        task = asyncio.create_task(self._run(self._arm, utterance, context, served, keep))
        self._tasks[task] = keep
        task.add_done_callback(lambda done: self._tasks.pop(done, None))

    async def _run(self, arm: Arm, utterance: str, context: Context, served: Decision, keep: Keep) -> None:
        began = perf_counter()
        try:
            async with self._slots, asyncio.timeout(DEADLINE_S):
                began = perf_counter()
                turn, _ = await self._route(utterance, context, arm)
        except Exception as error:  # a shadow breaks nothing: the record says why it is missing
            log.warning("shadow %s failed: %s: %s", arm, type(error).__name__, error)
            value = ShadowValue(arm, None, None, None, type(error).__name__)
            self._metrics.shadow.labels("failed").inc()
        else:
            agrees = turn.decision.summary() == served.summary()
            spent = round((perf_counter() - began) * 1e3, 3)
            value = ShadowValue(arm, decision_value(turn.decision), agrees, spent)
            self._metrics.shadow.labels("agrees" if agrees else "disagrees").inc()
        current = asyncio.current_task()
        assert current is not None
        if self._tasks.pop(current, None) is not None:  # not forgotten meanwhile
            keep(value)

    def forget(self) -> int:
        """Drop the turns that wait for their shadow, records and all; gives how many."""
        tasks = list(self._tasks)
        self._tasks.clear()
        for task in tasks:
            task.cancel()
        return len(tasks)

    async def stop(self) -> None:
        """Record the turns that still wait without a shadow."""
        waiting = dict(self._tasks)
        self.forget()
        for task, keep in waiting.items():
            with suppress(asyncio.CancelledError):
                await task
            keep(None)
