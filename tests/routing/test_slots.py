"""The extractor after a claim, the slots an action needs, and the structural gate."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from routing import gate, slots
from routing.context import Context
from routing.decision import Decision, Intent, Slots, Source, StageName
from routing.functions import FunctionTable
from routing.text import Utterance

CONTEXT = Context(datetime(2026, 12, 1, 12, tzinfo=ZoneInfo("Europe/Moscow")), "Europe/Moscow", FunctionTable.default())


def fill(text: str, intent: Intent, **fields: object) -> Decision:
    decision = Decision(intent, stage=StageName.HEADS, **fields)  # type: ignore[arg-type]
    return slots.fill(Utterance(text), decision, CONTEXT)


def test_a_time_is_read() -> None:
    decision = fill("напомни в 11:00 позвонить маме", Intent.REMINDER)
    assert decision.slots.time == "в 11:00"
    assert decision.time is not None
    assert decision.time.at is not None
    assert decision.time.at.hour == 11
    assert slots.missing(decision) == ("text",)


def test_text_is_never_invented() -> None:
    assert fill("напомни в 11:00 позвонить маме", Intent.REMINDER).slots.text is None


def test_a_matched_value_wins() -> None:
    text = "перенеси созвон с пяти на шесть"
    given = Slots.of(text, {"time": (16, 23)})
    decision = fill(text, Intent.ACT, slots=given)
    assert decision.slots.time == text[16:23]
    kept = fill("включи свет", Intent.ACT, slots=Slots(fn="light.off", key="лампа"))
    assert (kept.slots.fn, kept.slots.key) == ("light.off", "лампа")


def test_the_slots_own_time_is_resolved() -> None:
    text = "завтра напомни в девять про врача"
    at = text.index("в девять")
    decision = fill(text, Intent.REMINDER, slots=Slots.of(text, {"time": (at, at + 8)}))
    assert decision.time is not None
    assert decision.slots.time == "в девять"


def test_a_function_and_its_object() -> None:
    decision = fill("включи свет в спальне", Intent.ACT)
    assert (decision.slots.fn, decision.slots.key) == ("light.on", "свет в спальне")
    assert decision.slots.spans["fn"] == (0, 6)


def test_words_that_are_no_function_are_dropped() -> None:
    assert fill("подмети двор", Intent.ACT, slots=Slots(fn="подмети")).slots.fn is None


def test_the_key_of_a_fact() -> None:
    assert fill("мой любимый чай улун", Intent.FACT).slots.key == "любимый чай"
    assert fill("код от домофона 4582", Intent.FACT).slots.key == "код от домофона"
    assert fill("сегодня ходили в лес", Intent.FACT).slots.key is None


def test_nothing_is_read_off_what_carries_no_slots() -> None:
    for intent in (Intent.CHAT, Intent.NOTE, Intent.SYSTEM):
        assert fill("завтра включи свет", intent).slots == Slots()
    assert fill("что такое завтра", Intent.QUERY, source=Source.WORLD).slots.time is None
    assert fill("что у меня завтра", Intent.QUERY).slots.time == "завтра"


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("напомни", ("time", "text")),
        ("напомни завтра", ("text",)),
        ("поставь будильник", ("time",)),
        ("поставь будильник на семь", ()),
        ("таймер 10 минут", ()),
        ("разбуди меня в семь", ()),
        ("set a timer for ten minutes", ()),
        ("wake me up", ("time",)),
    ],
)
def test_what_a_reminder_needs(text: str, missing: tuple[str, ...]) -> None:
    assert slots.missing(fill(text, Intent.REMINDER)) == missing


def test_what_an_act_needs() -> None:
    assert slots.missing(Decision(Intent.ACT, slots=Slots(fn="praxis.complete"))) == ("text",)
    assert slots.missing(Decision(Intent.ACT, slots=Slots(fn="reminder.cancel"))) == ()
    assert slots.missing(Decision(Intent.ACT, slots=Slots(fn="message.send", key="Лене"))) == ("text",)
    assert slots.missing(Decision(Intent.ACT, slots=Slots(fn="event.move", value="на час"))) == ()
    assert slots.missing(Decision(None, clarify="x")) == ()
    assert slots.missing(Decision(Intent.CHAT)) == ()


@pytest.mark.parametrize("language", ["ru", "en"])
def test_every_required_slot_has_its_question(language: str) -> None:
    for (intent, fn), names in slots.REQUIRED.items():
        for name in names:
            assert slots.question(Decision(intent, slots=Slots(fn=fn or None)), name, language).endswith("?")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "intent", "fields", "reason"),
    [
        ("велосипед", Intent.NOTE, {}, "thin-single-token"),
        ("bicycle", Intent.QUERY, {}, "thin-single-token"),
        ("Мавен, велосипед", Intent.NOTE, {}, "thin-single-token"),
        ("поужинал", Intent.NOTE, {}, None),
        ("устала", Intent.NOTE, {}, None),
        ("холодно", Intent.NOTE, {}, None),
        ("привет", Intent.CHAT, {}, None),
        ("спасибо!", Intent.CHAT, {}, None),
        ("стоп", Intent.SYSTEM, {}, None),
        ("yes", Intent.CHAT, {}, None),
        ("", Intent.CHAT, {}, "thin-single-token"),
        ("включи", Intent.ACT, {}, "no-function"),
        ("подмети двор", Intent.ACT, {}, "no-function"),
        ("включи свет", Intent.ACT, {"slots": Slots(fn="light.on")}, None),
        ("готово с отчетом", Intent.ACT, {"slots": Slots(fn="praxis.complete")}, "no-function"),
        ("сегодня ходили в лес", Intent.FACT, {}, "keyless-fact"),
        ("чай улун", Intent.FACT, {"slots": Slots(key="чай")}, None),
        ("ходили в лес", Intent.NOTE, {}, None),
    ],
)
def test_the_gate(text: str, intent: Intent, fields: dict[str, object], reason: str | None) -> None:
    decision = Decision(intent, stage=StageName.HEADS, **fields)  # type: ignore[arg-type]
    assert gate.thin(Utterance(text), decision, CONTEXT) == reason


def test_a_grammar_may_name_praxis() -> None:
    decision = Decision(Intent.ACT, slots=Slots(fn="praxis.next"))
    assert gate.thin(Utterance("что дальше по делам"), decision, CONTEXT) is None
