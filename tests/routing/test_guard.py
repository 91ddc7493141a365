"""The order guard: orders that nobody gave, and orders that only look like one, whoever claims them."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from routing import guard, slots
from routing.context import Context
from routing.decision import Decision, Intent, Slots, StageName
from routing.functions import FunctionTable
from routing.grammars import stage_zero
from routing.text import Utterance

ROWS = [json.loads(line) for line in (Path(__file__).parents[1] / "fixtures/guard.jsonl").open(encoding="utf-8")]
GENUINE = [row["text"] for row in ROWS if row["stands"] and "order" not in row]
INSTEAD = [row for row in ROWS if "order" in row]
REFUSED = [row for row in ROWS if not row["stands"]]
CONTEXT = Context(datetime(2026, 12, 1, 9, tzinfo=UTC), "Europe/Moscow", FunctionTable.default())
REASONS = {"negated", "reported", "quoted", "conditional", "figurative", "hypothetical", "past", "third-person", "any"}
TOLD = ("напомн", "напомин", "разбуд", "remind", "timer", "forget", "wake")


def claimed(text: str, intent: Intent, filled: bool) -> tuple[Utterance, Decision]:
    utterance = Utterance(text)
    decision = Decision(intent, stage=StageName.HEADS, claimant="heads")
    return utterance, slots.fill(utterance, decision, CONTEXT) if filled else decision


def test_there_are_enough_rows_of_each() -> None:
    assert len(GENUINE) >= 60
    assert len(REFUSED) >= 60
    assert {row["reason"] for row in REFUSED} <= REASONS


@pytest.mark.parametrize("text", GENUINE)
@pytest.mark.parametrize("filled", [False, True])
def test_a_genuine_order_stands(text: str, filled: bool) -> None:
    told = any(word in text.lower() for word in TOLD)
    utterance, decision = claimed(text, Intent.REMINDER if told else Intent.ACT, filled)
    assert guard.inspect(utterance, decision) is None


@pytest.mark.parametrize("row", INSTEAD, ids=lambda row: row["text"])
def test_an_order_given_instead_of_another_stands_for_itself_alone(row: dict[str, str]) -> None:
    text, order = row["text"], row["order"]
    intent = Intent.REMINDER if any(word in order for word in TOLD) or "time" in row else Intent.ACT
    start = text.index(order)
    verb, _, rest = order.partition(" ")
    spans = {"fn": (start, start + len(verb)), "key": (start + len(verb) + 1, len(text))}
    slots_of_it = Slots(fn="any", key=rest, spans=spans)
    if "time" in row:
        at = text.rindex(row["time"])
        slots_of_it = Slots(time=row["time"], spans={"time": (at, at + len(row["time"]))})
    utterance = Utterance(text)
    decision = Decision(intent, slots=slots_of_it, stage=StageName.HEADS, claimant="heads")
    assert guard.inspect(utterance, decision) is None
    # the extractor reads the first verb and the first time: what it filled from the forbidden clause must not act
    bare = replace(decision, slots=Slots())
    filled = slots.fill(utterance, bare, CONTEXT)
    if any(span[0] < start for span in filled.slots.spans.values()):
        assert guard.inspect(utterance, bare) == "negated"
        assert guard.inspect(utterance, filled) == "negated"


@pytest.mark.parametrize("row", REFUSED, ids=lambda row: row["text"])
@pytest.mark.parametrize("intent", [Intent.ACT, Intent.REMINDER])
@pytest.mark.parametrize("filled", [False, True])
def test_an_order_nobody_gave_does_not(row: dict[str, str], intent: Intent, filled: bool) -> None:
    utterance, decision = claimed(row["text"], intent, filled)
    reason = guard.inspect(utterance, decision)
    assert reason is not None
    lesser = guard.downgrade(utterance, decision, reason)
    assert lesser.intent in (Intent.CHAT, Intent.NOTE)
    assert lesser.slots.fn is None
    assert lesser.claimant == "heads"


@pytest.mark.parametrize("row", REFUSED, ids=lambda row: row["text"])
def test_no_grammar_gets_one_past_the_guard(row: dict[str, str]) -> None:
    utterance = Utterance(row["text"])
    _, decision = stage_zero().decide(utterance, CONTEXT)
    if decision is not None and decision.intent in (Intent.ACT, Intent.REMINDER):
        assert guard.inspect(utterance, decision) is not None


@pytest.mark.parametrize("text", GENUINE)
def test_no_genuine_grammar_claim_is_lost(text: str) -> None:
    utterance = Utterance(text)
    _, decision = stage_zero().decide(utterance, CONTEXT)
    if decision is not None and decision.intent in (Intent.ACT, Intent.REMINDER):
        assert guard.inspect(utterance, decision) is None


@pytest.mark.parametrize(
    ("text", "reason", "intent"),
    [
        ("я отменил напоминание", "past", Intent.CHAT),
        ("я включил свет", "past", Intent.CHAT),
        ("купил хлеб и молоко", "past", Intent.NOTE),
        ("мама просила выключить музыку", "reported", Intent.NOTE),
        ("он сказал: включи свет", "reported", Intent.CHAT),
        ("не включай свет", "negated", Intent.CHAT),
    ],
)
def test_what_is_left(text: str, reason: str, intent: Intent) -> None:
    assert guard.downgrade(Utterance(text), Decision(Intent.ACT), reason).intent is intent


@pytest.mark.parametrize("text", ["", "?", "«»", "не", "если", "когда", "«", "if", "не не не", "\u0301" * 50, "бы я"])
def test_never_an_exception(text: str) -> None:
    for intent in (Intent.ACT, Intent.REMINDER):
        utterance, decision = claimed(text, intent, True)
        guard.inspect(utterance, decision)
