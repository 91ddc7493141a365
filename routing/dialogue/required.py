"""Required slots in a dialogue: `routing.slots` holds the schema and the questions, and this reads them for a
request that is put together over several turns."""

from __future__ import annotations

from dataclasses import replace

from routing import slots
from routing.decision import SLOT_NAMES, Decision, Intent
from routing.dialogue.session import StoredTime
from routing.questions import Language

AGAIN: dict[str, tuple[str, str]] = {
    "time": ("Время не разобрала.", "I could not read the time."),
    "fn": ("Не знаю такого действия.", "I have no such function."),
}
"""Said before a question that is put again because its answer filled nothing."""


def missing_for(decision: Decision, time: StoredTime | None = None) -> tuple[str, ...]:
    """The required slots that `decision` lacks, in the order they are asked about.

    `time` is time evidence held apart from the payload: the check sees a copy that carries it, the payload stays
    as it is. A decision with no intent lacks the request itself. Beyond the schema of a fresh route, an action needs
    what it cannot be built without: an instant (words that name none are a gap), a function, a key.
    """
    intent = decision.intent
    if intent is None:
        return ("request",)
    seen = with_time(decision, time)
    gaps = slots.missing(seen)
    own: tuple[str, ...] = ()
    if intent is Intent.REMINDER and (seen.time is None or seen.time.at is None):
        own = ("time",)
    elif intent is Intent.ACT and seen.slots.fn is None:
        own = ("fn",)
    elif intent is Intent.FACT and not seen.slots.key:
        own = ("key",)
    return (*own, *(gap for gap in gaps if gap not in own))


def with_time(decision: Decision, time: StoredTime | None) -> Decision:
    """A copy of `decision` that carries the time evidence; itself where there is none."""
    if time is None:
        return decision
    return replace(decision, time=time.expression(), slots=decision.slots.filled("time", time.text))


def question_for(decision: Decision, gap: str, language: Language, *, again: bool = False) -> str | None:
    """The question for one gap of `decision`; None where there is no valid one."""
    if decision.intent is None or gap not in SLOT_NAMES:
        return None
    question = slots.question(decision, gap, language)
    if again and gap in AGAIN:
        return f"{AGAIN[gap][language == 'en']} {question}"
    return question


def needs_intent(decision: Decision) -> Intent:
    """The intent of a decision that is known to have one. Raises `ValueError` where it has none."""
    if decision.intent is None:
        raise ValueError("a decision to ask is no action")
    return decision.intent
