"""Times in Russian and English utterances: where they are, which instant they name, how exact, how often.

`find_times` gives every time of an utterance, `parse_time` the one that the utterance is about. Both are
pure: the clock and the zone are arguments. The rules, where a language leaves a choice:

- A clock is read literally on 24 hours and rolls to the next day when past: "в семь" is 07:00. A part of day
  said with it moves it ("в семь вечера"); "сегодня в семь", when that is past, is the evening; "с двух до
  четырёх дня" is both ends in the day. "Полночь" and "двенадцать ночи" of a named day end that day.
- A weekday is the next one after today; "этот" is of this calendar week, "следующий" of the next, "прошлый"
  the last one before today. Weeks begin on Monday.
- A day of the month is today or the next month that has it; a date is today or the next year that has it.
- A part of day stands for the hour in `resolve.PARTS`, a day for 00:00, a week, month, season or year for
  its first day.
- A length of days or more keeps the wall clock ("через неделю" is this time next week); a month clamps to
  the month's end.
- The first occurrence of a recurrence is after now, and after today where no time of day was said.
"""

from __future__ import annotations

from datetime import datetime, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo

from routing.times.model import Frame, TimeExpression, merged
from routing.times.resolve import resolve
from routing.times.scan import Run, runs
from routing.times.tokens import composed, folded

__all__ = ["TimeExpression", "find_times", "parse_time"]


@lru_cache(maxsize=64)
def _zone(name: str) -> ZoneInfo:
    """The zone of an IANA name; `ValueError` for a name that is none."""
    try:
        return ZoneInfo(name)
    except (KeyError, OSError) as error:
        raise ValueError(f"unknown time zone: {name!r}") from error


def _expression(text: str, place: tuple[int, int], frame: Frame, now: datetime, zone: tzinfo) -> TimeExpression:
    """The expression of one run, resolved."""
    at, end_at, grain, rule = resolve(frame, now, zone)
    start, end = place
    return TimeExpression(start, end, text[start:end], at, end_at, grain, rule, at is not None)


def _found(text: str, durations: bool) -> list[Run]:
    """The runs of `text`, placed in `text` as it was given, composed or decomposed."""
    whole, back = composed(text)
    found = runs(folded(whole), durations)
    return found if back is None else [(back(a), back(b), frame) for a, b, frame in found]


def _clock(now: datetime, timezone: str | tzinfo) -> tuple[datetime, tzinfo]:
    """Now, aware (a naive one is on the zone's wall clock), and the zone."""
    zone = _zone(timezone) if isinstance(timezone, str) else timezone
    return (now if now.tzinfo is not None else now.replace(tzinfo=zone)), zone


def find_times(text: str, now: datetime, timezone: str | tzinfo, *, durations: bool = False) -> list[TimeExpression]:
    """Every time expression of `text`, in order and without overlap.

    `now` is the caller's instant, `timezone` an IANA name or a tzinfo; an unknown name is a `ValueError`.
    With `durations`, a bare length of time is one too ("таймер 10 минут"), counted from now; otherwise it is
    a payload. No text is an error: what names no instant has `resolved` False.
    """
    found = _found(text, durations)
    if not found:
        return []
    here, zone = _clock(now, timezone)
    return [_expression(text, (a, b), frame, here, zone) for a, b, frame in found]


def parse_time(text: str, now: datetime, timezone: str | tzinfo, *, durations: bool = False) -> TimeExpression | None:
    """The time that `text` is about, or None: its first expression, completed by later ones that do not
    contradict it.

    "завтра позвонить маме в девять" resolves to nine tomorrow. The span is then the longest contiguous piece
    of those that took part, the earliest of equals. Arguments and errors are those of `find_times`.
    """
    found = _found(text, durations)
    if not found:
        return None
    start, end, frame = found[0]
    for a, b, more in found[1:]:
        both = merged(frame, more, near=False)
        if both is not None:
            frame = both
            if b - a > end - start:
                start, end = a, b
    here, zone = _clock(now, timezone)
    return _expression(text, (start, end), frame, here, zone)
