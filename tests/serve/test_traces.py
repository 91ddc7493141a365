"""Records are complete, tracing cannot hurt a turn, and the shadow arm only watches. No server behind any of it."""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from starlette.datastructures import QueryParams

from routing import trace
from routing.cascade import BOUNDARY, FLOOR, GATE, GUARD, Cascade, Personal
from routing.context import Context
from routing.decision import Claim, Decision, Intent, Outcome, Slots, Source, StageName
from routing.functions import FunctionTable
from routing.grammars import stage_zero
from routing.text import Utterance
from serve.app import redis_client
from serve.metrics import Metrics
from serve.problems import HttpError
from serve.schemas import ShadowValue
from serve.settings import Redis, Settings
from serve.settings import Shadow as ShadowSettings
from serve.shadow import WAITING, Shadow
from serve.trace_routes import filter_of
from serve.traces import TraceRing
from serve.ulid import is_ulid, millis_of, new_ulid, ulid_at
from tests.serve.records import record_of

FIXTURE = Path(__file__).parents[1] / "fixtures" / "routing.jsonl"
DASHBOARD = Path(__file__).parents[2] / "configs" / "grafana.json"
ZONE = "Europe/Moscow"
CONTEXT = Context(datetime(2026, 12, 1, 10, tzinfo=ZoneInfo(ZONE)), ZONE, FunctionTable.default())
QUESTION = "почему же у них вчера так странно всё вышло"
STRANGE = "как-то оно всё странно вышло тогда с этим делом"

Answer = Claim | Exception | None


class FakeStage:
    """A stage that always gives the same answer."""

    def __init__(self, name: str, stage: StageName, answer: Answer) -> None:
        self.name = name
        self.stage = stage
        self.answer = answer

    async def decide(self, utterance: Utterance, context: Context) -> Claim | None:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def claim(stage: StageName, outcome: Outcome = Outcome.WON, *, intent: Intent = Intent.NOTE, **fields: Any) -> Claim:
    decision = Decision(intent, stage=stage, claimant=stage.value, confidence=0.7, **fields)
    return Claim(stage.value, decision, score=0.7, outcome=outcome, reason="test")


ANSWERS: dict[str, Callable[[StageName], Answer]] = {
    "wins": claim,
    "declines": lambda _: None,
    "fails": lambda _: RuntimeError("no model"),
    "is outscored": lambda stage: claim(stage, Outcome.OUTSCORED),
    "orders": lambda stage: claim(stage, intent=Intent.ACT, slots=Slots(fn="light.on")),
    "asks the world": lambda stage: claim(stage, intent=Intent.QUERY, source=Source.WORLD),
}


async def failing_boundary(_: str) -> float:
    raise RuntimeError("no embedder")


async def personal(_: str) -> float:
    return 0.9


async def worldly(_: str) -> float:
    return 0.1


BOUNDARIES: dict[str, Personal | None] = {
    "no boundary": None, "personal": personal, "worldly": worldly, "a failing boundary": failing_boundary,
}  # fmt: skip


def cascade_of(heads: str, resident: str, classifier: str, boundary: str = "no boundary") -> Cascade:
    given = {StageName.HEADS: heads, StageName.RESIDENT: resident, StageName.CLASSIFIER: classifier}
    stages = [FakeStage(name.value, name, ANSWERS[how](name)) for name, how in given.items()]
    return Cascade(stage_zero(), stages, boundary=BOUNDARIES[boundary])


async def recorded(cascade: Cascade, utterance: str) -> tuple[Any, trace.Record]:
    record = trace.Record()
    with trace.recording(record):
        turn = await cascade.route(utterance, CONTEXT)
    return turn, record


def gaps(cascade: Cascade, record: trace.Record) -> list[str]:
    """Claimants that stand in the record not once, and claimants of the record that the cascade has not."""
    heard = Counter((entry.claimant, entry.stage) for entry in record.entries)
    known = cascade.claimants()
    return [name for name in known if heard[name] != 1] + [name for name in heard if name not in known]  # type: ignore[misc]


def fixture() -> list[str]:
    return [json.loads(line)["text"] for line in FIXTURE.read_text("utf-8").splitlines() if line.strip()]


def winners(record: trace.Record) -> list[trace.Entry]:
    """Who took the turn. The boundary takes none: it says whether a question may go outside."""
    return [entry for entry in record.entries if entry.outcome is Outcome.WON]


@pytest.mark.parametrize("boundary", BOUNDARIES)
@pytest.mark.parametrize("heads", ANSWERS)
async def test_every_claimant_is_in_the_record_of_every_fixture_case_once(heads: str, boundary: str) -> None:
    cascade = cascade_of(heads, "declines", "wins", boundary)
    seen: Counter[str] = Counter()
    for utterance in fixture():
        turn, record = await recorded(cascade, utterance)
        assert not gaps(cascade, record), utterance
        won = winners(record)
        assert [entry.claimant for entry in won] == [turn.decision.claimant], utterance
        assert won[0].would_be == turn.decision.summary()
        seen.update(entry.outcome.value for entry in record.entries)
    assert sum(seen.values()) == 96 * len(cascade.claimants())
    assert {"won", "declined", "not_asked"} <= set(seen)


@pytest.mark.parametrize("classifier", ANSWERS)
@pytest.mark.parametrize("resident", ANSWERS)
@pytest.mark.parametrize("heads", ANSWERS)
async def test_and_whatever_the_stages_answer(heads: str, resident: str, classifier: str) -> None:
    for boundary in BOUNDARIES:
        cascade = cascade_of(heads, resident, classifier, boundary)
        turn, record = await recorded(cascade, STRANGE)
        assert not gaps(cascade, record)
        assert [entry.claimant for entry in winners(record)] == [turn.decision.claimant]


async def test_each_ending_of_each_kind_of_claimant() -> None:
    """claimant, outcome, and what it would have made the turn."""

    def of(record: trace.Record, name: str) -> tuple[str, str | None]:
        entry = next(entry for entry in record.entries if entry.claimant == name)
        return entry.outcome.value, entry.would_be

    _, record = await recorded(cascade_of("wins", "wins", "wins"), "что такое кварк")
    assert of(record, "definition-query") == ("won", "query:world")
    assert of(record, record.entries[0].claimant) == ("declined", None)
    assert (
        of(record, "heads") == of(record, "classifier") == of(record, GATE) == of(record, FLOOR) == ("not_asked", None)
    )

    _, record = await recorded(cascade_of("fails", "is outscored", "wins"), STRANGE)
    assert of(record, "heads") == ("failed", None)
    assert of(record, "resident") == ("outscored", "note")
    assert of(record, "classifier") == ("won", "note")
    assert of(record, GATE) == ("declined", None)

    _, record = await recorded(cascade_of("asks the world", "wins", "wins"), "мотороллер")
    assert of(record, "heads") == ("gated", "query:world")
    assert of(record, GATE) == ("won", "clarify")
    assert of(record, "resident") == ("not_asked", None)

    _, record = await recorded(cascade_of("orders", "wins", "wins"), "он вчера сказал включи свет в коридоре")
    assert of(record, "heads")[0] in ("gated", "not_asked")  # a grammar may have claimed the words before it
    assert of(record, GUARD)[0] == "won"

    _, record = await recorded(cascade_of("declines", "declines", "declines"), STRANGE)
    assert of(record, FLOOR) == ("won", "clarify")
    assert of(record, BOUNDARY)[0] == "not_asked"

    for boundary, outcome in (("personal", "gated"), ("worldly", "declined"), ("a failing boundary", "failed")):
        _, record = await recorded(cascade_of("asks the world", "wins", "wins", boundary), QUESTION)
        assert of(record, "heads") == ("won", "query:world")
        assert of(record, BOUNDARY)[0] == outcome


async def test_a_claimant_that_no_record_mentions_is_found_out() -> None:
    class Forgetful(Cascade):
        """A cascade to which somebody added a check, and forgot the record."""

        def claimants(self) -> tuple[tuple[str, str], ...]:
            return (*super().claimants(), ("new-check", "check"))

    cascade = Forgetful(stage_zero(), [])
    _, record = await recorded(cascade, STRANGE)
    assert gaps(cascade, record) == [("new-check", "check")]


async def test_recording_changes_no_decision() -> None:
    cascade = cascade_of("is outscored", "declines", "wins")
    for utterance in fixture():
        turn, _ = await recorded(cascade, utterance)
        assert (await cascade.route(utterance, CONTEXT)).decision == turn.decision


async def test_without_redis_a_put_neither_waits_nor_fails_and_memory_is_bounded() -> None:
    metrics = Metrics()
    redis = redis_client(Redis(url="redis://127.0.0.1:9"))
    ring = TraceRing(redis, prefix="p:", size=25, queue=300, metrics=metrics)
    ring.start()
    built = 0

    def build() -> Any:
        nonlocal built
        built += 1
        raise ValueError("a record that cannot be built costs a count and no turn")

    for i in range(5_000):
        ring.put(build if i % 100 == 0 else record_of)
        assert ring.held <= 300
        if i % 200 == 0:
            await asyncio.sleep(0)
    await ring.stop()
    await redis.aclose()
    assert ring.held == 0
    assert metrics.trace_lost._value.get() == 5_000
    assert metrics.trace_written._value.get() == 0


def shadow_of(route: Any, *, arm: str | None = "classifier", sample: float = 1.0, draw: float = 0.5) -> Shadow:
    settings = ShadowSettings.model_validate({"arm": arm, "sample": sample})
    return Shadow(route, settings, Metrics(), draw=lambda: draw)


async def after(shadow: Shadow, served: Decision, arm: Any = "full") -> list[ShadowValue | None]:
    kept: list[ShadowValue | None] = []
    shadow.after(arm, STRANGE, CONTEXT, served, kept.append)
    for _ in range(200):
        if kept:
            break
        await asyncio.sleep(0.005)
    return kept


async def test_the_shadow_arm_says_what_it_would_have_made_of_the_turn() -> None:
    cascade = cascade_of("declines", "declines", "wins")
    asked = []

    async def route(utterance: str, context: Context, arm: str) -> tuple[Any, trace.Record]:
        asked.append(arm)
        return await recorded(cascade, utterance)

    same, other = Decision(Intent.NOTE), Decision(Intent.QUERY, Source.WORLD)
    (value,) = await after(shadow_of(route), same)
    assert value is not None
    assert (value.arm, value.agrees, value.decision and value.decision.intent) == ("classifier", True, "note")
    (value,) = await after(shadow_of(route), other)
    assert value is not None
    assert value.agrees is False
    assert len(asked) == 2
    for quiet in (shadow_of(route, arm=None), shadow_of(route, sample=0.2)):
        assert await after(quiet, same) == [None]
    assert await after(shadow_of(route), same, arm="classifier") == [None]  # the same arm served
    assert len(asked) == 2


async def test_a_shadow_that_fails_hangs_or_is_too_late_loses_no_record() -> None:
    async def failing(*_: Any) -> Any:
        raise RuntimeError("the replica is gone")

    (value,) = await after(shadow_of(failing), Decision(Intent.NOTE))
    assert value is not None
    assert (value.decision, value.agrees, value.reason) == (None, None, "RuntimeError")

    async def hanging(*_: Any) -> Any:
        await asyncio.sleep(3_600)

    shadow = shadow_of(hanging)
    kept: list[ShadowValue | None] = []
    for _ in range(WAITING + 5):
        shadow.after("full", STRANGE, CONTEXT, Decision(Intent.NOTE), kept.append)
    assert kept == [None] * 5  # no more wait than that
    await asyncio.sleep(0)
    await shadow.stop()
    assert kept == [None] * (WAITING + 5)

    shadow.after("full", STRANGE, CONTEXT, Decision(Intent.NOTE), kept.append)
    assert shadow.forget() == 1  # a wipe: what was said is not recorded afterwards
    await asyncio.sleep(0.01)
    assert len(kept) == WAITING + 5


def test_ids_tell_their_time_and_sort_by_it() -> None:
    assert millis_of(ulid_at(1_800_000_000_123)) == 1_800_000_000_123
    assert ulid_at(5, 0) < ulid_at(5) < ulid_at(6, 0)
    assert is_ulid(new_ulid())
    for text in ("", "nothing", "I" * 26, "8" + "0" * 25, "0" * 27, "0" * 25 + " ", "а" * 26):
        assert not is_ulid(text)


def test_a_filter_is_read_from_the_query_or_refused() -> None:
    wanted = filter_of(QueryParams("stage=heads&intent=clarify&disagree=true&text=%20хлеб%20"))
    assert (wanted.stage, wanted.intent, wanted.clarify, wanted.disagree, wanted.text) == (
        "heads", "clarify", None, True, "хлеб",
    )  # fmt: skip
    assert not filter_of(QueryParams("stage=&intent=&limit=5"))
    for query in ("stage=x", "intent=joke", "disagree=1", "clarify=yes"):
        with pytest.raises(HttpError, match=query.split("=")[0]):
            filter_of(QueryParams(query))


def test_the_settings_have_what_is_said_here() -> None:
    given = Settings()
    assert (given.trace.persist, given.trace.retention_days, given.shadow.arm) == (True, 14.0, None)


def test_the_dashboard_asks_only_for_metrics_that_are_there() -> None:
    metrics = Metrics()
    names = {sample.name for family in metrics._registry.collect() for sample in family.samples}
    described = {line.split()[2] for line in metrics.text().decode().splitlines() if line.startswith("# TYPE")}
    known = names | described | {f"{name}{tail}" for name in described for tail in ("_bucket", "_total")}
    dashboard = json.loads(DASHBOARD.read_text("utf-8"))
    asked = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    used = {name for expr in asked for name in re.findall(r"\bmaven_[a-z_]+", expr)}
    assert used <= known
    for name in ("http_requests_total", "decisions_total", "cascade_seconds_bucket", "stage_outcomes_total",
                 "trace_lost_total", "trace_queue", "stage_seconds_bucket"):  # fmt: skip
        assert f"maven_{name}" in used
    places = [tuple(panel["gridPos"].values()) for panel in dashboard["panels"]]
    assert len(set(places)) == len(places)
