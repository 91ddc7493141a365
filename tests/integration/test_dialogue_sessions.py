"""Sessions in a real server: two turns at once, retries, a server killed between two turns, and bytes that are none."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import redis.asyncio as aioredis

from routing.cascade import Cascade
from routing.dialogue import DialogueContext, Reminder, Session, turn
from routing.functions import FunctionTable
from routing.grammars import stage_zero
from serve import settings
from serve.app import redis_client
from serve.problems import HttpError
from serve.sessions import KeyReused, RedisSessions, SessionsUnavailable
from serve.turns import TurnOutcome, TurnRequest, handle_turn
from serve.valkey import Valkey

pytestmark = pytest.mark.integration

CASCADE = Cascade(stage_zero(), [])
NOW = datetime(2026, 12, 1, 10, 0, tzinfo=UTC)
CONTEXT = DialogueContext(NOW, "Europe/Moscow", FunctionTable.default())
TTL_S = 600


@pytest.fixture(scope="module")
def server() -> Iterator[Valkey]:
    """A Valkey of this module's own. Its socket's path must be short, so it is not under pytest's folder."""
    with tempfile.TemporaryDirectory(prefix="mvt") as folder:
        place = Path(folder)
        valkey = Valkey(
            place / "d",
            place / "s",
            place / "log",
            settings.Valkey(appendfsync="always"),  # type: ignore[call-arg]
        )
        valkey.start()
        yield valkey
        valkey.stop()


@pytest.fixture
async def client(server: Valkey) -> AsyncIterator[aioredis.Redis]:
    one = redis_client(settings.Redis(url=server.url))  # type: ignore[call-arg]
    await one.flushall()
    yield one
    await one.aclose()


@pytest.fixture
def sessions(client: aioredis.Redis) -> RedisSessions:
    return RedisSessions(client, prefix="t:", ttl_s=TTL_S)


async def say(
    sessions: RedisSessions, said: str, session: str = "s", turn_id: str | None = None, after: float = 0.0
) -> TurnOutcome:
    """One turn, as ingress hears it."""
    context = replace(CONTEXT, now=NOW + timedelta(seconds=after))
    request = TurnRequest(session, said, turn_id=turn_id)
    return await handle_turn(request, context, CASCADE.route, sessions, claimants=CASCADE.claimants())


def effects(outcome: TurnOutcome) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(outcome.body)["effects"]
    return found


async def test_a_session_is_one_key_with_expiry(sessions: RedisSessions, client: aioredis.Redis) -> None:
    await say(sessions, "напомни позвонить маме")
    assert await client.keys("*") == [b"t:session:{s}"]
    assert TTL_S - 5 <= await client.ttl("t:session:{s}") <= TTL_S
    session = await sessions.load("s")
    assert [parked.missing for parked in session.stack] == [("time",)]
    await sessions.forget("s")
    assert await sessions.load("s") == Session()


async def test_one_round_trip_in_and_one_out(sessions: RedisSessions, client: aioredis.Redis) -> None:
    await say(sessions, "что такое tcp")
    before = (await client.info("commandstats"))["cmdstat_evalsha"]["calls"]
    await say(sessions, "напомни позвонить маме", turn_id="k")
    stats = await client.info("commandstats")
    assert stats["cmdstat_evalsha"]["calls"] - before == 2


async def test_two_answers_at_once_are_one_effect(sessions: RedisSessions) -> None:
    """500 times: both clients answer the same question at the same moment."""
    for i in range(500):
        name = f"both-{i}"
        await say(sessions, "напомни позвонить маме", name)
        pair = await asyncio.gather(say(sessions, "завтра в девять", name), say(sessions, "завтра в десять", name))
        done = [effect for outcome in pair for effect in effects(outcome)]
        assert [effect["kind"] for effect in done] == ["create_reminder"], pair
        assert all(outcome.available for outcome in pair)


async def test_two_repairs_at_once_claim_one_pointer(sessions: RedisSessions) -> None:
    for i in range(100):
        name = f"repair-{i}"
        await say(sessions, "запиши: полить цветы завтра в девять", name)
        pair = await asyncio.gather(
            say(sessions, "нет, это было напоминание", name), say(sessions, "нет, это был вопрос", name)
        )
        results = [outcome.result for outcome in pair]
        assert all(result is not None for result in results)
        claims = [claim for result in results if result is not None for claim in result.claims]
        assert len(claims) == len(set(claims))
        # the second may correct what the first made of it, never the same action again
        assert claims.count("p-r1") == 1


async def test_a_retry_is_the_first_answer(sessions: RedisSessions) -> None:
    """200 retries of one key, many at once: one effect, one answer."""
    await say(sessions, "напомни позвонить маме", turn_id="first")
    many = await asyncio.gather(*(say(sessions, "завтра в девять", turn_id="second") for _ in range(100)))
    later = [await say(sessions, "завтра в девять", turn_id="second") for _ in range(100)]
    assert len({outcome.body for outcome in [*many, *later]}) == 1
    assert len(effects(many[0])) == 1
    assert sum(not outcome.replayed for outcome in [*many, *later]) == 1
    assert len((await sessions.load("s")).stack) == 0


async def test_a_key_for_another_utterance_is_refused(sessions: RedisSessions) -> None:
    await say(sessions, "напомни позвонить маме", turn_id="k")
    with pytest.raises(HttpError) as error:
        await say(sessions, "завтра в девять", turn_id="k")
    assert error.value.status == 422
    assert issubclass(KeyReused, ValueError)
    # keys belong to a session
    assert len(effects(await say(sessions, "напомни в девять встать", "other", "k"))) == 1


@pytest.mark.parametrize("bad", [b"", b"x", b"0" * 16 + b"{", b"0" * 16 + b'{"schema":99}', b"\xff" * 40])
async def test_an_unreadable_session_is_set_aside(
    sessions: RedisSessions, client: aioredis.Redis, bad: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    await client.set("t:session:{s}", bad)
    outcome = await say(sessions, "напомни позвонить маме")
    assert json.loads(outcome.body)["stack"]["depth"] == 1
    (aside,) = await client.keys("t:session:{s}:unreadable:*")
    assert await client.get(aside) == bad
    assert await client.ttl(aside) > TTL_S
    assert "unreadable" in caplog.text
    assert len((await sessions.load("s")).stack) == 1


async def test_a_key_of_another_type_is_set_aside(sessions: RedisSessions, client: aioredis.Redis) -> None:
    await client.hset("t:session:{s}", "a", "b")
    outcome = await say(sessions, "напомни позвонить маме")
    assert outcome.available
    assert len(await client.keys("t:session:{s}:unreadable:*")) == 1


async def test_any_name_is_a_key(sessions: RedisSessions) -> None:
    names = ["a b", "{x}", "}{", "Ж", "a:turn:k", "*", "../..", "\n", "x" * 128]
    for name in names:
        await say(sessions, "напомни позвонить маме", name)
    assert len({sessions.key(name) for name in names}) == len(names)
    for name in names:
        assert len((await sessions.load(name)).stack) == 1


async def test_a_killed_server_has_the_stack_as_it_was(server: Valkey, sessions: RedisSessions) -> None:
    await say(sessions, "напомни позвонить маме")
    await say(sessions, "напомни купить хлеб", after=5)
    before = await sessions.load("s")
    restarts, pid = server.restarts, server.pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    down = await say(sessions, "завтра в девять", after=10)
    if not down.available:
        assert json.loads(down.body)["dialogue"] == "unavailable"
        assert effects(down) == []
    deadline = time.monotonic() + 10
    while server.restarts == restarts and time.monotonic() < deadline:
        await asyncio.sleep(0.05)
    assert await sessions.load("s") == before
    outcome = await say(sessions, "завтра в девять", after=20)
    assert [effect["text"] for effect in effects(outcome)] == ["купить хлеб"]
    assert json.loads(outcome.body)["stack"]["depth"] == 1


async def test_without_redis_a_turn_is_decided_by_itself(tmp_path: Path) -> None:
    nowhere = RedisSessions(
        redis_client(settings.Redis(url=f"unix://{tmp_path}/none")),  # type: ignore[call-arg]
        prefix="t:",
        ttl_s=TTL_S,
    )
    with pytest.raises(SessionsUnavailable):
        await nowhere.load("s")
    asked = await say(nowhere, "напомни позвонить маме")
    assert not asked.available
    body = json.loads(asked.body)
    assert (body["dialogue"], body["effects"], body["stack"]["depth"]) == ("unavailable", [], 0)
    whole = json.loads((await say(nowhere, "напомни в 11:00 позвонить маме")).body)
    assert (whole["dialogue"], len(whole["effects"])) == ("unavailable", 1)


class LostReply:
    """A script that runs and whose reply is lost, the first time."""

    def __init__(self, script: Any, *, again: bool) -> None:
        self.script, self.again, self.lost = script, again, False

    async def __call__(self, **arguments: Any) -> Any:
        answer = await self.script(**arguments)
        if self.lost:
            return answer
        self.lost = True
        if self.again:  # what the client's own retry does
            return await self.script(**arguments)
        raise TimeoutError("the reply was lost")


@pytest.mark.parametrize("turn_id", [None, "k"])
async def test_a_write_that_is_sent_twice_wins_once(sessions: RedisSessions, turn_id: str | None) -> None:
    await say(sessions, "напомни позвонить маме")
    sessions._save = LostReply(sessions._save, again=True)  # type: ignore[assignment]
    outcome = await say(sessions, "завтра в девять", turn_id=turn_id)
    assert (outcome.available, outcome.replayed) == (True, False)
    assert len(effects(outcome)) == 1


async def test_a_write_of_unknown_outcome_has_no_second_effect(sessions: RedisSessions) -> None:
    sessions._save = LostReply(sessions._save, again=False)  # type: ignore[assignment]
    lost = await say(sessions, "напомни в 11:00 позвонить маме", turn_id="k")
    assert not lost.available
    assert effects(lost) == []
    again = await say(sessions, "напомни в 11:00 позвонить маме", turn_id="k")
    assert again.replayed
    assert len(effects(again)) == 1


async def test_several_reminders_without_redis_are_no_choice() -> None:
    context = replace(
        CONTEXT, memory=False, pending_reminders=(Reminder("a", "хлеб", NOW), Reminder("b", "хлеб и сыр", NOW))
    )
    result = await turn(Session(), "отмени напоминание про хлеб", context, CASCADE.route)
    assert (result.reply.kind, result.effects) == ("noop", ())
