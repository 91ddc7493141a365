"""Gathering calls: one call out serves all that wait, a deadline bounds each, a failure cools down."""

from __future__ import annotations

import asyncio

import pytest

from deployments import remote
from deployments.remote import Gather, Unavailable, retrying


async def test_requests_that_wait_share_the_next_call() -> None:
    calls: list[list[int]] = []
    gate = asyncio.Event()

    async def call(items: list[int]) -> list[int]:
        calls.append(items)
        await gate.wait()
        return [item * 10 for item in items]

    gather = Gather(call, max_batch=8, deadline_s=5.0)
    tasks = [asyncio.create_task(gather([i])) for i in range(12)]
    await asyncio.sleep(0.01)
    assert len(calls) == remote.IN_FLIGHT
    assert gather.waiting == 10
    gate.set()
    assert [result for (result,) in await asyncio.gather(*tasks)] == [i * 10 for i in range(12)]
    assert [len(items) for items in calls] == [1, 1, 8, 2]


async def test_results_keep_the_order_of_a_list() -> None:
    async def call(items: list[str]) -> list[str]:
        return [item.upper() for item in items]

    assert await Gather(call, max_batch=2, deadline_s=1.0)(["a", "b", "c", "d", "e"]) == list("ABCDE")


async def test_a_failure_is_unavailable_at_once_and_for_a_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "COOL_DOWN_S", 0.05)
    calls = 0

    async def call(items: list[int]) -> list[int]:
        nonlocal calls
        calls += 1
        if calls == 1:
            raise RuntimeError("gone")
        return items

    gather = Gather(call, max_batch=2, deadline_s=1.0)
    with pytest.raises(Unavailable, match="gone"):
        await gather([1])
    with pytest.raises(Unavailable, match="moment"):
        await gather([1])
    assert calls == 1
    await asyncio.sleep(0.06)
    assert await gather([1]) == [1]


async def test_a_silent_replica_costs_one_deadline() -> None:
    async def call(items: list[int]) -> list[int]:
        await asyncio.sleep(30)
        return items

    gather = Gather(call, max_batch=1, deadline_s=0.05)
    with pytest.raises(Unavailable, match="within"):
        await gather([1])
    with pytest.raises(Unavailable, match="moment"):
        await gather([2])


async def test_a_caller_that_left_is_not_called_for() -> None:
    gate = asyncio.Event()
    seen: list[int] = []

    async def call(items: list[int]) -> list[int]:
        seen.extend(items)
        await gate.wait()
        return items

    gather = Gather(call, max_batch=1, deadline_s=5.0)
    tasks = [asyncio.create_task(gather([i])) for i in range(4)]
    await asyncio.sleep(0.01)
    tasks[3].cancel()
    await asyncio.sleep(0)
    gate.set()
    await asyncio.gather(*tasks[:3])
    assert sorted(seen) == [0, 1, 2]


async def test_a_dead_replica_is_tried_once_more() -> None:
    from ray.exceptions import ActorUnavailableError

    tries = 0

    async def call() -> str:
        nonlocal tries
        tries += 1
        if tries == 1:
            raise ActorUnavailableError("gone", None)
        return "ok"

    assert await retrying(call) == "ok"
    assert tries == 2
