"""A time said in answer to "when?": shorter than in a sentence."""

from __future__ import annotations

import re
from dataclasses import dataclass

from routing.dialogue.session import StoredTime
from routing.dialogue.state import DialogueContext
from routing.lexicon import words_of
from routing.questions import language_of
from routing.text import Utterance
from routing.times import TimeExpression, find_times, parse_time

_AROUND = words_of(
    "напомни напомните мне нам пожалуйста плиз мавен давай давайте лучше тогда ну да ага где-то примерно "
    "хорошо ладно часов часа час "
    "часам в на к и please maven me us let's say make it at for around about remind set yes ok okay well then"
)
"""Words beside a time that leave the utterance nothing but a time."""

_FRAMES = {"ru": ("напомни ", "напомни в "), "en": ("remind me ", "remind me at ")}
"""What a short answer leaves out: "девять" to "когда?" is "напомни в девять"."""


_NEGATED = re.compile(r"(?i)(?:^|\W)(?:не|not)\s*$")


@dataclass(frozen=True, slots=True)
class SpokenTime:
    """A time that was said. `words` are the indexes of its words in the utterance, `whole` says that there is
    nothing else."""

    time: StoredTime
    words: frozenset[int]
    whole: bool


def read_time(utterance: Utterance, context: DialogueContext) -> SpokenTime | None:
    """The time of an answer, or None.

    An instant that is past already is read but not resolved: nothing can be done at it.
    """
    found = _parsed(utterance.raw, context)
    if found is None:
        return None
    time, prefix = found
    start, end = max(time.start - prefix, 0), max(time.end - prefix, 0)
    words = frozenset(range(*utterance.words_of((start, end))))
    whole = all(i in words or word in _AROUND for i, word in enumerate(utterance.words))
    text = utterance.raw[start:end].strip()
    past = time.at is not None and time.at < context.now and time.recurrence is None
    if past:
        return SpokenTime(StoredTime(text, grain=time.grain), words, whole)
    stored = StoredTime(text, time.at, time.end_at, time.grain, time.recurrence, time.resolved)
    return SpokenTime(stored, words, whole)


def _parsed(text: str, context: DialogueContext) -> tuple[TimeExpression, int] | None:
    """The time of `text` as it stands, else inside the frame of a reminder; with the frame's length."""
    for frame in ("", *_FRAMES[language_of(text)]):
        found = find_times(frame + text, context.now, context.timezone, durations=True)
        meant = [time for time in found if not _NEGATED.search((frame + text)[: time.start])]
        if meant and len(meant) == len(found):
            whole = parse_time(frame + text, context.now, context.timezone, durations=True)
            return (whole or meant[0]), len(frame)
        if found:  # "не завтра, а послезавтра"
            return (meant[0], len(frame)) if meant else None
    return None
