"""What is read off an utterance after something claimed it, and which slots an action cannot do without.

`fill` adds the time, the function and the key where the claim left them empty; a matched value wins, and text is
never invented. Observed: without it "напомни в 11:00 позвонить маме" was asked "Когда?".
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from routing.context import Context
from routing.decision import Decision, Intent, Slots, Source
from routing.keyed import keyed
from routing.lexicon import words_of
from routing.text import Utterance
from routing.times import TimeExpression, find_times, parse_time

_TIMED_INTENTS = frozenset({Intent.REMINDER, Intent.ACT, Intent.QUERY})
_TIMELESS_SOURCES = frozenset({Source.WORLD, Source.SELF, Source.CLOCK})
_DURATIONS = ("timer.", "event.move", "alarm.change", "task.move")
_SELF_SAID = words_of(
    "будильник будильника будильники таймер таймера таймеры разбуди разбудите разбудить буди будить засеки засечь "
    "засекай отсчет секундомер подними поднять alarm alarms timer timers countdown wake"
)
"""Alarms and timers: what they are to say is that they ring, so no text is missing."""


def fill(utterance: Utterance, decision: Decision, context: Context) -> Decision:
    """`decision` with time, fn and key read off the utterance where they were empty."""
    if decision.intent is None:
        return decision
    if decision.intent in _TIMED_INTENTS:
        decision = _fill_time(utterance, decision, context)
    if decision.intent is Intent.ACT:
        decision = _fill_function(utterance, decision, context)
    elif decision.intent is Intent.FACT and decision.slots.key is None:
        decision = _fill_fact_key(utterance, decision)
    elif decision.intent is Intent.REMINDER:
        decision = _mark_alarm(utterance, decision)
    return decision


def shifted(decision: Decision, by: int) -> Decision:
    """`decision` on a piece of an utterance, its spans moved to the whole, in which the piece starts at `by`."""
    spans = {name: (start + by, end + by) for name, (start, end) in decision.slots.spans.items()}
    time = decision.time
    if time is not None:
        time = replace(time, start=time.start + by, end=time.end + by)
    return replace(decision, slots=replace(decision.slots, spans=spans), time=time)


def _fill_time(utterance: Utterance, decision: Decision, context: Context) -> Decision:
    slots = decision.slots
    if decision.time is not None:
        if slots.time is None:
            span = (decision.time.start, decision.time.end)
            return replace(decision, slots=slots.filled("time", decision.time.text, span))
        return decision
    if decision.intent is Intent.QUERY and decision.source in _TIMELESS_SOURCES and slots.time is None:
        return decision
    fn = slots.fn or ""
    lengths = fn.startswith(_DURATIONS) or (decision.intent is Intent.REMINDER and _rings(utterance))
    time = _time(utterance, decision, context, lengths)
    if time is None:
        return decision
    if slots.time is None:
        slots = slots.filled("time", time.text, (time.start, time.end))
    return replace(decision, slots=slots, time=time)


def _time(utterance: Utterance, decision: Decision, context: Context, lengths: bool) -> TimeExpression | None:
    """The time that the slot's own words name, or, without a slot, the one the utterance is about. A time inside
    the text of the claim is payload ("добавь хлеб на завтра в список")."""
    raw, now, zone = utterance.raw, context.now, context.timezone
    span = decision.slots.spans.get("time")
    if decision.slots.time is not None and span is None:
        at = raw.find(decision.slots.time)
        span = (at, at + len(decision.slots.time)) if at >= 0 else None
    if span is not None:
        near = [t for t in find_times(raw, now, zone, durations=True) if t.start < span[1] and t.end > span[0]]
        return near[0] if near else None
    if decision.slots.time is not None:
        return None
    found = parse_time(raw, now, zone, durations=lengths)
    if found is not None and any(
        start < found.end and found.start < end
        for name, (start, end) in decision.slots.spans.items()
        if name in ("key", "value")
    ):
        return None
    text = decision.slots.spans.get("text")
    if found is not None and text is not None and text[0] <= found.start and found.end <= text[1]:
        return found if decision.intent is Intent.REMINDER else None
    return found


def _fill_function(utterance: Utterance, decision: Decision, context: Context) -> Decision:
    slots = decision.slots
    table = context.functions
    known = slots.fn is not None and table.allows(slots.fn)
    if known and slots.key is not None:
        return decision
    found = table.resolve(utterance.words)
    if not known:
        if found is None:
            return replace(decision, slots=replace(slots, fn=None)) if slots.fn is not None else decision
        spans = dict(slots.spans)
        spans.setdefault("fn", utterance.word_span(found.verb[0], found.verb[1] - 1))
        slots = replace(slots, fn=found.name, spans=spans)
    if slots.key is None and found is not None and found.name == slots.fn and found.place is not None:
        span = utterance.word_span(found.place[0], found.place[1] - 1)
        if not any(span[0] < end and start < span[1] for start, end in slots.spans.values()):
            slots = slots.filled("key", utterance.slice(span), span)
    return replace(decision, slots=slots)


def _fill_fact_key(utterance: Utterance, decision: Decision) -> Decision:
    found = keyed(utterance)
    if found is None:
        return decision
    (a, b), _ = found
    span = utterance.word_span(a, b - 1)
    return replace(decision, slots=decision.slots.filled("key", utterance.slice(span), span))


def _rings(utterance: Utterance) -> bool:
    return not _SELF_SAID.isdisjoint(utterance.words)


def _mark_alarm(utterance: Utterance, decision: Decision) -> Decision:
    """A reminder that needs no text keeps the span of the word that says so under `fn`; any other keeps none."""
    spans = dict(decision.slots.spans)
    spans.pop("fn", None)
    at = next((i for i, word in enumerate(utterance.words) if word in _SELF_SAID), None)
    if at is not None and decision.slots.text is None:
        spans["fn"] = utterance.word_span(at, at)
    if spans == decision.slots.spans:
        return decision
    return replace(decision, slots=replace(decision.slots, spans=spans))


# --- required slots --------------------------------------------------------------------------------------------

REQUIRED: dict[tuple[Intent, str], tuple[str, ...]] = {
    (Intent.REMINDER, ""): ("time", "text"),
    (Intent.ACT, "list.add"): ("text",),
    (Intent.ACT, "list.remove"): ("text",),
    (Intent.ACT, "task.create"): ("text",),
    (Intent.ACT, "message.send"): ("key", "text"),
    (Intent.ACT, "call.start"): ("key",),
    (Intent.ACT, "event.create"): ("time",),
    (Intent.ACT, "event.move"): ("time",),
    (Intent.ACT, "alarm.change"): ("time",),
    (Intent.ACT, "praxis.complete"): ("text",),
    (Intent.ACT, "praxis.accept"): ("text",),
    (Intent.ACT, "praxis.defer"): ("text",),
    (Intent.ACT, "praxis.drop"): ("text",),
}
"""The slots that an intent (and, for an act, a function) cannot be carried out without, in the order asked."""

_INSTEAD = {"text": ("value",), "time": ("value",)}
"""Slots that stand in for a missing one: "продли на час" names its amount as a value."""

_QUESTIONS: dict[tuple[Intent, str, str], tuple[str, str]] = {
    (Intent.REMINDER, "", "time"): ("Когда?", "When?"),
    (Intent.REMINDER, "", "text"): ("О чём напомнить?", "What about?"),
    (Intent.ACT, "list.add", "text"): ("Что добавить?", "Add what?"),
    (Intent.ACT, "list.remove", "text"): ("Что вычеркнуть?", "Remove what?"),
    (Intent.ACT, "task.create", "text"): ("Какую задачу?", "What is the task?"),
    (Intent.ACT, "message.send", "key"): ("Кому?", "To whom?"),
    (Intent.ACT, "message.send", "text"): ("Что передать?", "What should I say?"),
    (Intent.ACT, "call.start", "key"): ("Кому позвонить?", "Call whom?"),
    (Intent.ACT, "event.create", "time"): ("На когда?", "For when?"),
    (Intent.ACT, "event.move", "time"): ("На когда перенести?", "Move it to when?"),
    (Intent.ACT, "alarm.change", "time"): ("На какое время?", "To what time?"),
    (Intent.ACT, "praxis.complete", "text"): ("Что закрыть?", "Which one is done?"),
    (Intent.ACT, "praxis.accept", "text"): ("Что принять?", "Accept which one?"),
    (Intent.ACT, "praxis.defer", "text"): ("Что отложить?", "Put off which one?"),
    (Intent.ACT, "praxis.drop", "text"): ("Что снять?", "Drop which one?"),
}
_ANY = {
    "time": ("Когда?", "When?"),
    "text": ("Что именно?", "What exactly?"),
    "key": ("Что именно?", "Which one?"),
    "value": ("Сколько?", "How much?"),
    "fn": ("Что сделать?", "Do what?"),
}


def missing(decision: Decision) -> tuple[str, ...]:
    """The required slots that `decision` lacks, in the order they are asked; see `REQUIRED`."""
    if decision.intent is None:
        return ()
    fn = (decision.slots.fn or "") if decision.intent is Intent.ACT else ""
    return tuple(slot for slot in REQUIRED.get((decision.intent, fn), ()) if not _given(decision, decision.slots, slot))


def _given(decision: Decision, slots: Slots, slot: str) -> bool:
    if slots.get(slot) is not None:
        return True
    if decision.intent is Intent.REMINDER:
        return slot == "text" and "fn" in slots.spans
    return any(slots.get(other) is not None for other in _INSTEAD.get(slot, ()))


def question(decision: Decision, slot: str, language: Literal["ru", "en"]) -> str:
    """The question for one missing slot of `decision`."""
    fn = (decision.slots.fn or "") if decision.intent is Intent.ACT else ""
    pair = _QUESTIONS.get((decision.intent, fn, slot)) if decision.intent is not None else None
    return (pair or _ANY[slot])[language == "en"]
