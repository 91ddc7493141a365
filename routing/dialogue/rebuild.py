"""A request read again as another intent: what was said stays, the slots are read anew for what it was."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from routing import slots
from routing.context import Context
from routing.decision import Decision, Intent, Slots, Span
from routing.keyed import keyed
from routing.lexicon import words_of
from routing.text import Utterance
from routing.times import TimeExpression, find_times, parse_time

_COMMAND_WORDS = words_of(
    "напомни напомните напомнить мне нам нас меня пожалуйста плиз запиши запишите запомни запомните "
    "заметка заметку отметь "
    "поставь поставьте создай сделай добавь напоминание remind me us please to that note remember write "
    "down make a reminder "
    "чтобы чтоб"
)
_EDGES = words_of("и а но пожалуйста плиз мавен please maven спасибо thanks")


def rebuilt(text: str, was: Decision, want: Intent, context: Context) -> Decision:
    """The decision of `text` as the intent that a person named. `was` is what it was taken for."""
    utterance = Utterance(text)
    found = Slots()
    time: TimeExpression | None = None
    if want is Intent.REMINDER:
        time = was.time or parse_time(text, context.now, context.timezone)
        span = _kept(was) or payload(utterance, times_of(utterance, context))
        spans = {"text": span} if span is not None else {}
        if time is not None:
            spans["time"] = (time.start, time.end)
        found = Slots.of(text, spans)
    elif want is Intent.NOTE:
        span = _kept(was)
        found = Slots.of(text, {"text": span}) if span is not None else Slots(text=was.slots.text)
    elif want is Intent.FACT:
        span = _kept(was)
        first, last = utterance.words_of(span) if span is not None else (0, len(utterance.words))
        pair = keyed(utterance, first, last)
        if pair is not None:
            (a, b), (c, d) = pair
            found = Slots.of(text, {"key": utterance.word_span(a, b - 1), "value": utterance.word_span(c, d - 1)})
        else:
            found = Slots(key=was.slots.key, value=was.slots.value)
    decision = Decision(want, slots=found, time=time, claimant="repair")
    # the extractor would read a key off the command words ("запиши: ...")
    return decision if want is Intent.FACT else slots.fill(utterance, decision, context)


def _kept(was: Decision) -> Span | None:
    return was.slots.spans.get("text") if was.slots.text is not None else None


def times_of(utterance: Utterance, context: Context) -> frozenset[int]:
    """Indexes of the words that lie in time expressions."""
    timed: set[int] = set()
    for time in find_times(utterance.raw, context.now, context.timezone):
        timed.update(range(*utterance.words_of((time.start, time.end))))
    return frozenset(timed)


def payload(
    utterance: Utterance, timed: frozenset[int] = frozenset(), lead: frozenset[str] = _COMMAND_WORDS
) -> Span | None:
    """Character range of the longest run of words that is no time, without command words in front; None where
    nothing is left."""
    words = utterance.words
    best: tuple[int, int] | None = None
    for a, b in _runs(len(words), timed):
        first, last = _trimmed(words, a, b, lead)
        if last > first and (best is None or last - first > best[1] - best[0]):
            best = first, last
    return utterance.word_span(best[0], best[1] - 1) if best is not None else None


def _runs(count: int, timed: frozenset[int]) -> list[tuple[int, int]]:
    runs, start = [], 0
    for i in [*sorted(timed), count]:
        if i > start:
            runs.append((start, i))
        start = i + 1
    return runs


def _trimmed(words: Sequence[str], a: int, b: int, lead: frozenset[str]) -> tuple[int, int]:
    while a < b and (words[a] in lead or words[a] in _EDGES):
        a += 1
    if tuple(words[a : a + 3]) in (("о", "том", "что"), ("о", "том", "чтобы"), ("про", "то", "что")) and a + 3 < b:
        a += 3
    if a + 1 < b and words[a] == "что":
        a += 1
    while b > a and words[b - 1] in _EDGES:
        b -= 1
    return a, b


def with_slot(decision: Decision, name: str, value: str) -> Decision:
    """A copy of `decision` with one slot said in another utterance: it has no place in this one."""
    spans = {slot: span for slot, span in decision.slots.spans.items() if slot != name}
    return replace(decision, slots=replace(decision.slots, **{name: value}, spans=spans))
