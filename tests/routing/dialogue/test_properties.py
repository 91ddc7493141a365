"""Any dialogue at all: random turns, answers, corrections, clock jumps and crashes between two turns."""

from __future__ import annotations

import asyncio
from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from routing.cascade import Cascade
from routing.decision import Decision, Intent, Outcome, Slots
from routing.dialogue import (
    DialogueContext,
    IncompleteRequest,
    Limits,
    Reminder,
    Session,
    TurnResult,
    UnreadableSession,
    decode,
    effect_of,
    encode,
    turn,
)
from routing.dialogue.effects import (
    AnyEffect,
    CancelReminder,
    CreateReminder,
    RunFunction,
    SaveFact,
    SaveNote,
)
from routing.functions import FunctionTable
from routing.grammars import stage_zero
from routing.slots import REQUIRED

CASCADE = Cascade(stage_zero(), [])
FUNCTIONS = FunctionTable.default()
START = datetime(2026, 12, 1, 10, 0, tzinfo=UTC)

REQUESTS = [
    "напомни", "напомни позвонить маме", "напомни завтра в девять", "напомни купить хлеб завтра в девять",
    "напомни про врача в 25:70", "поставь будильник", "поставь будильник на семь", "разбуди меня",
    "закрывай", "отложи",
    "включи", "включи свет в коридоре", "запиши: купить сыр", "запомни что код от домофона 4582",
    "что такое tcp",
    "у меня новый велосипед", "добавь в список покупок", "добавь хлеб в список покупок", "позвони",
    "велосипед", "ну это",
    "remind me to call mom", "remind me", "what is tcp", "turn on the light",
]  # fmt: skip
ANSWERS = [
    "завтра в девять", "в восемь", "через час", "вчера в девять", "в 25:70", "позвонить маме",
    "вынести мусор", "не знаю",
    "отчёт", "свет в коридоре", "хлеб", "маме", "да", "нет", "отмена", "забудь", "девять", "2", "полчаса",
    "заметка",
    "tomorrow at nine", "take out the trash", "never mind", "i don't know",
]  # fmt: skip
CORRECTIONS = [
    "нет, это была заметка", "я имел в виду напоминание", "нет, это был вопрос", "это была команда",
    "нет, это был факт",
    "не то", "неправильно", "no, that was a note", "i meant a reminder", "that's wrong",
    "это не заметка, а вопрос",
    "нет, просто разговор", "нет, системная команда",
]  # fmt: skip
CANCELLATIONS = [
    "отмени напоминание", "отмени напоминание про врача", "отмени напоминание про таблетки",
    "удали будильник на семь",
    "отмени напоминание в 25:70", "второе", "первое", "шестое", "не второе", "отмени",
    "cancel the reminder", "the first one",
]  # fmt: skip
TEXTS = [
    "записаться к врачу",
    "выпить две таблетки",
    "выпить три таблетки",
    "позвонить маме",
    "полить цветы",
    "ужин",
    "хлеб",
]


def complete(effect: AnyEffect) -> bool:
    """Whether an effect has everything that its kind requires."""
    if isinstance(effect, CreateReminder):
        return effect.at is not None
    if isinstance(effect, SaveNote):
        return bool(effect.text)
    if isinstance(effect, SaveFact):
        return bool(effect.key)
    if isinstance(effect, RunFunction):
        given = {"time": effect.time or effect.value, "text": effect.text or effect.value, "key": effect.key}
        needs = [slots for (_, fn), slots in REQUIRED.items() if fn == effect.fn]
        return bool(effect.fn) and effect.fn != "reminder.cancel" and all(given[s] for slots in needs for s in slots)
    return True


class Dialogues(RuleBasedStateMachine):
    """`ends` is how every request ended, `parked` every request that was ever parked."""

    @initialize(budget=st.integers(0, 3), depth=st.integers(1, 3), window=st.sampled_from([60.0, 300.0]))
    def start(self, budget: int, depth: int, window: float) -> None:
        self.session = Session()
        self.now = START
        self.limits = Limits(window, budget, depth)
        self.reminders: list[Reminder] = []
        self.ends: Counter[str] = Counter()
        self.effects: Counter[str] = Counter()
        self.parked: set[str] = set()
        self.pointers: Counter[str] = Counter()

    def hear(self, said: str, crash: bool, memory: bool = True) -> TurnResult:
        context = DialogueContext(
            self.now, "Europe/Moscow", FUNCTIONS, tuple(self.reminders), limits=self.limits, memory=memory
        )
        before = self.session if memory else Session()

        async def once() -> TurnResult:
            return await turn(before, said, context, CASCADE.route, CASCADE.claimants())

        result = asyncio.run(once())
        if crash:  # the process dies before anything is written: the turn is heard again
            again = asyncio.run(once())
            assert (again.session, again.effects, again.reply) == (result.session, result.effects, result.reply)
        if memory:
            self.session = decode(encode(result.session))
            assert self.session == result.session
            self.keep(result)
        return result

    def keep(self, result: TurnResult) -> None:
        for effect in result.effects:
            assert complete(effect), effect
            self.effects[effect.request] += 1
            if isinstance(effect, CancelReminder):
                self.reminders = [r for r in self.reminders if r.id != effect.id]
        self.ends.update(request for request, _ in result.ended)
        self.parked |= {parked.request for parked in result.stack.parked}
        self.pointers.update(result.claims)
        assert result.reply.text or result.effects
        if result.reply.kind in ("give_up", "noop", "cancelled", "question", "clarify", "candidates"):
            assert not result.effects
        won = [e for e in result.record.entries if e.stage == "ladder" and e.outcome is Outcome.WON]
        assert [e.claimant for e in won] == ([result.rung] if result.rung else [])

    @rule(
        said=st.sampled_from(REQUESTS + ANSWERS + CORRECTIONS + CANCELLATIONS),
        wait=st.sampled_from([0, 1, 5, 61]),
        crash=st.booleans(),
    )
    def speak(self, said: str, wait: int, crash: bool) -> None:
        self.now += timedelta(seconds=wait)
        self.hear(said, crash)

    @rule(said=st.sampled_from(ANSWERS), wait=st.integers(0, 20))
    def answer(self, said: str, wait: int) -> None:
        self.now += timedelta(seconds=wait)
        self.hear(said, False)

    @rule(said=st.text(min_size=1, max_size=40))
    def babble(self, said: str) -> None:
        if said.strip():
            self.hear(said, False)

    @rule(seconds=st.sampled_from([-86_400, -30, 301, 86_400]))
    def jump(self, seconds: int) -> None:
        self.now += timedelta(seconds=seconds)

    @rule(text=st.sampled_from(TEXTS), hours=st.integers(1, 72), unknown=st.booleans())
    def remind(self, text: str, hours: int, unknown: bool) -> None:
        at = self.now + timedelta(hours=hours)
        name = f"m{len(self.reminders)}-{hours}-{text}"
        self.reminders.append(Reminder(name, text, at, None, "unknown" if unknown else ""))

    @rule(said=st.sampled_from(REQUESTS + ANSWERS + CORRECTIONS + CANCELLATIONS))
    def without_redis(self, said: str) -> None:
        result = self.hear(said, False, memory=False)
        assert not result.stack.parked
        assert all(complete(effect) for effect in result.effects)

    @invariant()
    def bounded(self) -> None:
        if hasattr(self, "session"):
            assert len(self.session.stack) <= self.limits.depth
            assert all(1 <= p.asked <= p.budget for p in self.session.stack)

    @invariant()
    def one_end(self) -> None:
        if not hasattr(self, "session"):
            return
        open_now = {parked.request for parked in self.session.stack}
        assert all(count == 1 for count in self.ends.values()), self.ends
        assert all(count == 1 for count in self.effects.values()), self.effects
        assert all(count == 1 for count in self.pointers.values()), self.pointers
        for request in self.parked:
            assert (request in open_now) != (request in self.ends), request


Dialogues.TestCase.settings = settings(
    max_examples=80, stateful_step_count=30, deadline=None, suppress_health_check=list(HealthCheck)
)
TestDialogues: Any = Dialogues.TestCase


def test_no_caller_passes_the_boundary() -> None:
    """The action itself refuses an incomplete request, whoever hands it one."""
    for decision in (
        Decision(Intent.REMINDER, slots=Slots(text="позвонить маме")),
        Decision(Intent.REMINDER, slots=Slots(time="в 25:70", text="позвонить маме")),
        Decision(Intent.ACT),
        Decision(Intent.ACT, slots=Slots(fn="praxis.complete")),
        Decision(Intent.FACT),
        Decision(None, clarify="thin"),
    ):
        with pytest.raises(IncompleteRequest):
            effect_of(decision, "что угодно", "r1")
    with pytest.raises(ValueError, match="by its id"):
        effect_of(Decision(Intent.ACT, slots=Slots(fn="reminder.cancel")), "отмени напоминание", "r1")


def test_an_unreadable_session_is_refused() -> None:
    good = encode(Session())
    for bad in (b"", b"{", b"[]", b"null", b"\xff\xfe", good.replace(b'"schema":1', b'"schema":2'), b"[" * 5000):
        with pytest.raises(UnreadableSession):
            decode(bad)
    assert decode(good) == Session()
