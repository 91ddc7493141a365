"""What a time expression is, and the half-read form that the grammars build and the resolver reads."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

SECOND, MINUTE, HOUR, PART, DAY, WEEK, MONTH, YEAR = (
    "second", "minute", "hour", "part", "day", "week", "month", "year",
)  # fmt: skip
"""Grains, finest first: the finest unit that was spoken, so "в семь" is an hour and "в 7:15" a minute."""


def ordered(text: str) -> list[str]:
    """The words of `text`, which is how a lexicon is easiest to read."""
    return text.split()


def forms(text: str) -> frozenset[str]:
    """The words of `text` as a set to look words up in."""
    return frozenset(text.split())


@dataclass(frozen=True, slots=True)
class TimeExpression:
    """One time expression of an utterance.

    `start` and `end` are the half-open character range in the original text, preposition included, and
    `text` is that range. `at` and `end_at` are aware instants in the caller's zone; `end_at` only where two
    ends were spoken ("с двух до четырёх", "за последний месяц"). `grain` says how exact `at` is meant to be.
    `recurrence` is an RFC 5545 RRULE value ("FREQ=WEEKLY;BYDAY=MO"), of which `at` is the first occurrence.
    `resolved` is False, with `at` None, where the words are a time but no instant ("тридцатое февраля", "в
    25:70", "через несколько минут").
    """

    start: int
    end: int
    text: str
    at: datetime | None
    end_at: datetime | None
    grain: str
    recurrence: str | None
    resolved: bool


Clock = tuple[int, int, int, str]
"""Hour, minute, second, and how it was said: "hour" (a bare hour), "spoken" (hour and minutes, no 24-hour
notation), "digital" (7:15, to be read literally), "midnight" (the end of a named day)."""

Amount = tuple[int, int, int, str, bool]
"""A length of time: months, days, seconds, grain, and whether it is vague ("несколько минут")."""

Rule = tuple[str, int, str, int]
"""A recurrence: FREQ, INTERVAL, BYDAY ("" where none), BYMONTHDAY (0 where none)."""


class Frame:
    """The parts of a time that a stretch of words names; every slot is None until it is named.

    rel: days from today. wd: (weekday 0..6, "" | "this" | "next" | "last"). date: (day, month or 0, year or
    0). period: ("week" | "month" | "year" | "weekend", offset), ("named", month 1..12, year or 0, "" |
    "this" | "next" | "last"), ("season", first month, same) or ("edge", 0 start | 1 middle | 2 end, the
    period it is the edge of). part: a key of `resolve.PARTS`. end: the other end of a span. back: `offset`
    and now bound a past period. weak: only a time beside another time or in the frame of a reminder. broken:
    a time that no calendar or clock has.
    """

    __slots__ = (
        "back", "broken", "clock", "date", "end", "offset", "part", "period", "recur", "rel", "wd", "weak",
    )  # fmt: skip

    def __init__(
        self,
        *,
        rel: int | None = None,
        wd: tuple[int, str] | None = None,
        date: tuple[int, int, int] | None = None,
        period: tuple[object, ...] | None = None,
        clock: Clock | None = None,
        part: str | None = None,
        offset: Amount | None = None,
        recur: Rule | None = None,
        end: Frame | None = None,
        back: bool = False,
        weak: bool = False,
        broken: bool = False,
    ) -> None:
        self.rel = rel
        self.wd = wd
        self.date = date
        self.period = period
        self.clock = clock
        self.part = part
        self.offset = offset
        self.recur = recur
        self.end = end
        self.back = back
        self.weak = weak
        self.broken = broken


Match = tuple[int, Frame]
"""What a grammar function gives: the index after the last word it took, and what the words name."""


def merged(a: Frame, b: Frame, *, near: bool) -> Frame | None:
    """One frame with the parts of both, or None where they name different times.

    `near` says that the two stand side by side, where a weekday and a date may name the same day ("в
    пятницу, 23 мая"); apart, only a day and a time of day complete each other.
    """
    if a.broken or b.broken or a.back or b.back:
        return None
    out = Frame()
    for slot in ("rel", "wd", "date", "period", "clock", "part", "offset", "recur", "end"):
        x, y = getattr(a, slot), getattr(b, slot)
        if x is not None and y is not None:
            return None
        setattr(out, slot, y if x is None else x)
    return out if _consistent(out, near) else None


def _consistent(f: Frame, near: bool) -> bool:
    """Whether the named parts can be parts of one time."""
    day = f.date is not None or f.wd is not None or f.period is not None
    if f.offset is not None:
        fine = f.offset[2] != 0
        if fine and (day or f.clock or f.part or f.recur or (f.rel and f.rel != 0)):
            return False
        if not fine and (f.rel is not None or f.date or f.period or f.recur):
            return False
        if f.wd is not None and f.offset[3] not in (WEEK, MONTH):
            return False
    if f.rel is not None and (day or f.recur):
        return False
    if f.recur is not None and f.wd is not None:
        return False
    if f.wd is not None and f.date is not None and not near:
        return False
    if f.period is not None and f.date is not None:
        # "пятого числа следующего месяца", "8 марта прошлого года"
        return near and f.period[0] == ("year" if f.date[1] else "month") and not f.date[2]
    return True
