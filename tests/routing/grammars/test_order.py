"""The order of stage 0 is part of the contract."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from routing.context import Context
from routing.functions import FunctionTable
from routing.grammars import STAGE_ZERO, stage_zero
from routing.text import Utterance

CONTEXT = Context(
    datetime(2026, 12, 1, 10, 0, tzinfo=ZoneInfo("Europe/Moscow")), "Europe/Moscow", FunctionTable.default()
)
ROWS = (
    ("ambiguous-fragment",),
    ("reminder-cancellation-report",),
    ("maven-help",),
    (
        "praxis-attention",
        "praxis-next",
        "praxis-list",
        "praxis-complete",
        "praxis-accept",
        "praxis-defer",
        "praxis-drop",
    ),
    ("calendar-query", "event-time-query"),
    ("agenda-query", "rest-of-day-query"),
    ("implicit-elapsed-query",),
    ("definition-query", "calculation-query"),
    ("public-version-query",),
    ("narrative-query",),
    ("weather-query", "clock-query", "feed-query", "list-query"),
    ("reminder",),
    ("reminder-cancel",),
    ("bare-capture",),
    ("possession-statement",),
    ("house-act", "list-act", "system-control"),
)
"""The contract's rows; within one row the order is free."""


def claim(text: str) -> tuple[str | None, str]:
    """The claimant and the reading of its decision."""
    grammars = stage_zero()
    position, decision = grammars.decide(Utterance(text), CONTEXT)
    return (None, "") if decision is None else (grammars.names[position], decision.summary())


def test_the_list_stands_in_the_contracts_order() -> None:
    row = {name: number for number, names in enumerate(ROWS) for name in names}
    names = stage_zero().names
    assert set(row) <= set(names)
    numbers = [row[name] for name in names if name in row]
    assert numbers == sorted(numbers)
    assert tuple(grammar.name for grammar in STAGE_ZERO) == names


@pytest.mark.parametrize(
    ("text", "winner", "reading"),
    [
        # a definition is taken before the feed and the list see their noun
        ("что такое лента", "definition-query", "query:world"),
        ("что такое список покупок", "definition-query", "query:world"),
        ("что такое погода", "definition-query", "query:world"),
        ("объясни что такое лента", "definition-query", "query:world"),
        # the possessive agenda leaves the list its list
        ("что у меня в списке покупок", "list-query", "query:list"),
        ("что у меня сегодня", "agenda-query", "query"),
        ("какие у меня встречи сегодня", "agenda-query", "query:calendar"),
        ("что у меня в календаре на завтра", "calendar-query", "query:calendar"),
        # help before the order that it asks about
        ("как отменить напоминание", "maven-help", "query:self"),
        ("как поставить таймер", "maven-help", "query:self"),
        ("как добавить молоко в список покупок", "maven-help", "query:self"),
        # an obligation before the house
        ("закрывай", "praxis-complete", "act:praxis.complete"),
        ("отчёт готов", "praxis-complete", "act:praxis.complete"),
        # reports, orders and questions about cancelling
        ("отмени напоминание", "reminder-cancel", "act:reminder.cancel"),
        ("отмени напоминание про врача", "reminder-cancel", "act:reminder.cancel"),
        ("cancel the reminder to call mom at five", "reminder-cancel", "act:reminder.cancel"),
        ("я отменил напоминание", "reminder-cancellation-report", "chat"),
        ("давно я не тренировался", "implicit-elapsed-query", "query:recall"),
        ("сколько будет 17 на 23", "calculation-query", "query:world"),
        ("what is the latest version of python", "public-version-query", "query:world"),
        ("расскажи про погоду на марсе", "narrative-query", "query"),
    ],
)
def test_who_comes_first(text: str, winner: str, reading: str) -> None:
    assert claim(text) == (winner, reading)


@pytest.mark.parametrize(
    "text",
    ["отмени напоминание", "отмени напоминание на завтра", "удали будильник на семь", "cancel my alarm for seven",
     "убери напоминание позвонить маме в пять", "отменить напоминание про врача завтра"],
)  # fmt: skip
def test_cancelling_is_never_a_reminder(text: str) -> None:
    assert claim(text)[1] == "act:reminder.cancel"


@pytest.mark.parametrize(
    "text", ["закрой шторы в комнате", "закрой дверь", "прими звонок", "отложи встречу на завтра", "close the blinds"]
)
def test_an_object_of_its_own_keeps_an_imperative_from_praxis(text: str) -> None:
    assert not (claim(text)[0] or "").startswith("praxis")


@pytest.mark.parametrize(("surfaced", "taken"), [((), False), (("отчёт",), True), (("отчёт", "смета"), False)])
def test_a_demonstrative_needs_exactly_one_surfaced_item(surfaced: tuple[str, ...], taken: bool) -> None:
    grammars = stage_zero()
    context = Context(CONTEXT.now, CONTEXT.timezone, CONTEXT.functions, surfaced)
    _, decision = grammars.decide(Utterance("отметь это как сделанное"), context)
    assert (decision is not None and decision.slots.fn == "praxis.complete") is taken
    if taken:
        assert decision is not None
        assert decision.slots.text == "отчёт"


@pytest.mark.parametrize(
    ("plain", "spoken"),
    [
        ("что такое лента", "Мавен, ну что такое лента?"),
        ("что такое черная дыра", "ЧТО ТАКОЕ ЧЁРНАЯ ДЫРА, пожалуйста?"),
        ("отмени напоминание про врача", "слушай, Мавен: отмени, пожалуйста, напоминание про врача!"),
        ("что у меня сегодня", "так, а что у меня сегодня"),
        ("отчет готов", "Ну вот, отчёт готов."),
        ("как отменить напоминание", "мавен подскажи пожалуйста как отменить напоминание"),
        ("what can you do", "Hey Maven, what can you do?"),
        ("what is a quark", "um so what is a quark, please"),
    ],
)
def test_speech_behaves_as_the_clean_sentence(plain: str, spoken: str) -> None:
    assert claim(spoken) == claim(plain)
    assert claim(plain)[0] is not None


def test_importing_routing_compiles_nothing() -> None:
    import subprocess
    import sys

    code = "import sys, routing, routing.grammars; print('re2' in sys.modules)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "False"
