"""Effects: what the caller must do. Every action goes through `effect_of`, which refuses an incomplete one."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec
from msgspec import Struct

from routing import sources
from routing.decision import Decision, Intent
from routing.dialogue.required import missing_for, needs_intent, with_time
from routing.dialogue.session import StoredTime

REMINDER_CANCEL = "reminder.cancel"


class IncompleteRequest(RuntimeError):
    """An action was built from a request that lacks a required slot. `missing` names the gaps."""

    def __init__(self, missing: tuple[str, ...]) -> None:
        super().__init__(f"required slots are missing: {', '.join(missing)}")
        self.missing = missing


class Effect(Struct, frozen=True, kw_only=True, tag_field="kind"):
    """One thing to do. `request` is its number in the session: one request has at most one effect. `corrects` is
    the request whose effect this one replaces, so that the caller can take that one back."""

    request: str
    corrects: str | None = None


class CancelReminder(Effect, frozen=True, kw_only=True, tag="cancel_reminder"):
    """Cancel one pending reminder, by the id that the caller gave it."""

    id: str
    text: str


class CreateReminder(Effect, frozen=True, kw_only=True, tag="create_reminder"):
    """Remind of `text` (null: a bare alarm or timer) at an instant, exact to `grain`; `recurrence` is an RFC 5545
    rule of which `at` is the first occurrence; `time` is what was said."""

    text: str | None
    at: datetime
    grain: str
    recurrence: str | None = None
    time: str


class SaveNote(Effect, frozen=True, kw_only=True, tag="save_note"):
    """Keep a free text."""

    text: str


class SaveFact(Effect, frozen=True, kw_only=True, tag="save_fact"):
    """Keep a value under a key. `value` is null where the words did not tell it from the key: `utterance` has it."""

    key: str
    value: str | None
    utterance: str


class RunFunction(Effect, frozen=True, kw_only=True, tag="run_function"):
    """Run an allowlisted function with the words of its slots; `at` is the resolved time, where one was said."""

    fn: str
    key: str | None = None
    value: str | None = None
    text: str | None = None
    time: str | None = None
    at: datetime | None = None
    utterance: str


class AnswerQuery(Effect, frozen=True, kw_only=True, tag="answer_query"):
    """Answer a question: ask the sources of `walk` in order. `source` is "" where none is named."""

    utterance: str
    source: str
    source_anchored: bool
    walk: tuple[str, ...]


class System(Effect, frozen=True, kw_only=True, tag="system"):
    """Obey an order about the assistant itself."""

    utterance: str
    fn: str | None = None
    value: str | None = None


class Chat(Effect, frozen=True, kw_only=True, tag="chat"):
    """Say something back; nothing is changed."""

    utterance: str


AnyEffect = CancelReminder | CreateReminder | SaveNote | SaveFact | RunFunction | AnswerQuery | System | Chat


def effect_of(
    decision: Decision,
    utterance: str,
    request: str,
    *,
    time: StoredTime | None = None,
    corrects: str | None = None,
) -> AnyEffect:
    """The effect of a complete decision. `decision` is the clean payload, `time` evidence that was held apart.

    Raises `IncompleteRequest` where a required slot is missing, whoever calls, and `ValueError` for a decision to
    ask. Cancelling a reminder never comes this way: that needs a reminder, not a decision.
    """
    gaps = missing_for(decision, time)
    if gaps:
        raise IncompleteRequest(gaps)
    intent = needs_intent(decision)
    slots = decision.slots
    when = with_time(decision, time).time
    if intent is Intent.REMINDER:
        if when is None or when.at is None:
            raise IncompleteRequest(("time",))
        return CreateReminder(
            request=request, corrects=corrects, text=slots.text, at=when.at, grain=when.grain,
            recurrence=when.recurrence, time=when.text,
        )  # fmt: skip
    if intent is Intent.NOTE:
        return SaveNote(request=request, corrects=corrects, text=slots.text or utterance)
    if intent is Intent.FACT:
        if not slots.key:
            raise IncompleteRequest(("key",))
        return SaveFact(request=request, corrects=corrects, key=slots.key, value=slots.value, utterance=utterance)
    if intent is Intent.ACT:
        if slots.fn is None:
            raise IncompleteRequest(("fn",))
        if slots.fn == REMINDER_CANCEL:
            raise ValueError("a reminder is cancelled by its id")
        return RunFunction(
            request=request, corrects=corrects, fn=slots.fn, key=slots.key, value=slots.value, text=slots.text,
            time=when.text if when is not None else slots.time, at=when.at if when is not None else None,
            utterance=utterance,
        )  # fmt: skip
    if intent is Intent.QUERY:
        return AnswerQuery(
            request=request, corrects=corrects, utterance=utterance, source=decision.source.value,
            source_anchored=decision.source_anchored, walk=tuple(sources.walk(decision) or ()),
        )  # fmt: skip
    if intent is Intent.SYSTEM:
        return System(request=request, corrects=corrects, utterance=utterance, fn=slots.fn, value=slots.value)
    return Chat(request=request, corrects=corrects, utterance=utterance)


def plain(effect: AnyEffect) -> dict[str, Any]:
    """An effect as JSON-ready values; its class is under `kind`."""
    value: dict[str, Any] = msgspec.to_builtins(effect)
    return value
