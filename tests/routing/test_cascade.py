"""The walk over the stages: order, declines, failures, the guard, the gate, and a complete record."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from models.arms import ARMS, build_cascade
from routing import trace
from routing.cascade import CHECKS, GATE, GUARD, Cascade, Turn
from routing.context import Context
from routing.decision import Claim, Decision, Intent, Outcome, Source, StageName, clarify
from routing.functions import FunctionTable
from routing.grammars import stage_zero
from routing.text import Utterance

NOW = datetime(2026, 12, 1, 10, 0, tzinfo=ZoneInfo("Europe/Moscow"))
UNCLAIMED = "как-то оно всё странно вышло тогда с этим делом"


class Fixed:
    """A stage that always says the same."""

    def __init__(
        self, name: str, answer: Claim | Decision | Exception | None, stage: StageName = StageName.HEADS
    ) -> None:
        self.name = name
        self.stage = stage
        self.answer = answer
        self.asked = 0

    async def decide(self, utterance: Utterance, context: Context) -> Claim | None:
        self.asked += 1
        if isinstance(self.answer, Exception):
            raise self.answer
        if isinstance(self.answer, Decision):
            return Claim(self.name, self.answer, self.answer.confidence)
        return self.answer


def decision(intent: Intent, claimant: str = "heads", **fields: object) -> Decision:
    return Decision(intent, stage=StageName.HEADS, claimant=claimant, **fields)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def context() -> Context:
    return Context(NOW, "Europe/Moscow", FunctionTable.default())


async def run(cascade: Cascade, text: str, context: Context) -> tuple[Turn, dict[str, trace.Entry]]:
    record = trace.Record()
    with trace.recording(record):
        turn = await cascade.route(text, context)
    names = Counter(entry.claimant for entry in record.entries)
    assert [name for name, _ in cascade.claimants()] == sorted(names, key=[e.claimant for e in record.entries].index)
    assert set(names.values()) == {1}
    return turn, {entry.claimant: entry for entry in record.entries}


async def test_a_grammar_wins_and_nobody_else_is_asked(context: Context) -> None:
    heads = Fixed("heads", decision(Intent.CHAT))
    turn, record = await run(Cascade(stage_zero(), [heads]), "что такое кварк", context)
    assert turn.decision.claimant == "definition-query"
    assert turn.walk is not None
    assert "boundary" not in turn.walk
    assert heads.asked == 0
    assert record["heads"].outcome is Outcome.NOT_ASKED
    assert record["definition-query"].would_be == "query:world"
    assert record["ambiguous-fragment"].outcome is Outcome.DECLINED
    assert record["system-control"].outcome is Outcome.NOT_ASKED


async def test_stages_answer_in_order_and_a_failure_falls_through(context: Context) -> None:
    stages = [
        Fixed("a", None),
        Fixed("b", RuntimeError("no weights")),
        Fixed("c", Claim("c", decision(Intent.NOTE, "c"), 0.3, Outcome.OUTSCORED, "below-threshold")),
        Fixed("d", decision(Intent.QUERY, "d", source=Source.RECALL, confidence=0.8)),
        Fixed("e", decision(Intent.CHAT, "e")),
    ]
    turn, record = await run(Cascade(stage_zero(), stages), UNCLAIMED, context)
    assert turn.decision.claimant == "d"
    assert turn.walk is not None
    assert "boundary" in turn.walk
    assert [record[name].outcome for name in "abcde"] == [
        Outcome.DECLINED,
        Outcome.FAILED,
        Outcome.OUTSCORED,
        Outcome.WON,
        Outcome.NOT_ASKED,
    ]
    assert record["b"].reason == "RuntimeError"
    assert record["c"].would_be == "note"
    assert record["d"].micros is not None


async def test_when_all_decline_it_asks(context: Context) -> None:
    turn, record = await run(Cascade(stage_zero(), [Fixed("a", None)]), UNCLAIMED, context)
    assert turn.decision.intent is None
    assert turn.decision.clarify == "no-stage-claimed"
    assert record["floor"].outcome is Outcome.WON


async def test_the_guard_stands_after_every_claimant(context: Context) -> None:
    text = "ни в коем случае не включай свет на кухне"
    claimed = decision(Intent.ACT)
    turn, record = await run(Cascade(stage_zero(), [Fixed("heads", claimed)]), text, context)
    assert turn.decision.intent in (Intent.CHAT, Intent.NOTE)
    assert turn.decision.claimant in (GUARD, *stage_zero().names)
    if record["heads"].outcome is Outcome.GATED:
        assert record[GUARD].outcome is Outcome.WON
        assert record[GUARD].reason == "negated"


async def test_the_gate_thins_an_act_without_a_function(context: Context) -> None:
    turn, record = await run(
        Cascade(stage_zero(), [Fixed("heads", decision(Intent.ACT))]), "синхронизируй мироздание немедленно", context
    )
    assert turn.decision.intent is None
    assert record["heads"].outcome is Outcome.GATED
    assert (record[GATE].outcome, record[GATE].stage) == (Outcome.WON, CHECKS)


async def test_a_clarify_of_a_stage_is_an_answer(context: Context) -> None:
    asks = clarify("heads-clarify", stage=StageName.HEADS, claimant="heads", confidence=0.9)
    turn, record = await run(Cascade(stage_zero(), [Fixed("heads", asks), Fixed("x", None)]), UNCLAIMED, context)
    assert turn.decision.clarify == "heads-clarify"
    assert record["heads"].would_be == "clarify"
    assert record["x"].outcome is Outcome.NOT_ASKED


async def test_with_no_record_nothing_is_noted_and_the_route_is_the_same(context: Context) -> None:
    cascade = Cascade(stage_zero(), [Fixed("heads", decision(Intent.CHAT))])
    with_record, _ = await run(cascade, UNCLAIMED, context)
    without = await cascade.route(UNCLAIMED, context)
    assert without.decision == with_record.decision
    assert trace.current() is None


async def test_a_second_request_is_heard(context: Context) -> None:
    cascade = Cascade(stage_zero(), [])
    assert (await cascade.route("включи свет на кухне и напомни завтра позвонить маме", context)).decision.more
    assert not (await cascade.route("включи свет на кухне и в коридоре", context)).decision.more


def test_arms_hold_what_they_say() -> None:
    stages = {name: Fixed(name, None) for name in ("heads", "resident", "classifier")}
    names = {arm: [stage.name for stage in build_cascade(arm, stages).stages] for arm in ARMS}
    assert names["full"] == ["heads", "resident", "classifier"]
    assert names["heads"] == ["heads", "classifier"]
    assert names["heads-alone"] == ["heads"]
    assert build_cascade("heads-alone", stages).grammars is None
    without = {"classifier": stages["classifier"]}
    assert build_cascade("heads", without).claimants() == build_cascade("classifier", without).claimants()
    with pytest.raises(ValueError, match="not configured"):
        build_cascade("heads-alone", without)


@pytest.mark.parametrize(
    ("text", "key", "time"),
    [
        ("жена сказала, что в доме холодно, включи обогреватель", "обогреватель", None),
        ("не включай люстру, включи торшер", "торшер", None),
        ("she said the bus leaves at nine, remind me at half past eight to leave", None, "at half past eight"),
    ],
)
async def test_an_order_behind_a_finished_clause_is_read_alone(
    text: str, key: str | None, time: str | None, context: Context
) -> None:
    turn, record = await run(Cascade(stage_zero(), []), text, context)
    slots = turn.decision.slots
    assert turn.decision.intent in (Intent.ACT, Intent.REMINDER)
    assert (slots.key, slots.time) == (key, time)
    assert all(text[start:end] in (slots.key, slots.time, slots.text, slots.value) or name == "fn"
               for name, (start, end) in slots.spans.items())  # fmt: skip
    assert record[GUARD].outcome is Outcome.DECLINED
