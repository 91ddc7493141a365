"""Russian spans: two ends of a time, or where one begins."""

from __future__ import annotations

from routing.times.digits import digital_clock
from routing.times.model import Frame, Match
from routing.times.ru_amounts import clock, number, ordinal
from routing.times.ru_days import ACCUSATIVE, GENITIVE, nominal
from routing.times.ru_words import CARDINALS, MONTHS_GENITIVE, ORDINALS
from routing.times.tokens import Tokens

_DATE_WORDS = frozenset(("число", "числа"))


def until_after(t: Tokens, j: int, frame: Frame) -> Match:
    """A clock that ends at `j`, and "до" another one if that follows: "в 10:00 - 11:00"."""
    if t.w[j] in ("-", "–", "—") and (end := digital_clock(t, j + 1)) is not None and end[1].clock:
        frame.end = end[1]
        return end[0], frame
    return j, frame


def since(t: Tokens, i: int) -> Match | None:
    """After "с", "со", "от": a span, or where one begins."""
    w = t.w
    bare_number = w[i + 1][:1].isdecimal() or w[i + 1] in CARDINALS or w[i + 1] in ORDINALS
    first = clock(t, i + 1, "g") or _unfinished(t, i + 1)
    if first is not None and w[first[0]] in ("до", "по"):
        last = clock(t, first[0] + 1, "g")
        if last is not None and w[last[0]] not in MONTHS_GENITIVE and w[last[0]] not in _DATE_WORDS:
            start, end = first[1], last[1]
            if start.part is None and end.part is not None:
                start.part = end.part
            start.end = end
            return last[0], start
    day = nominal(t, i + 1, GENITIVE)
    j = day[0] if day else 0
    if day is None and bare_number:
        # "с 5 по 10 мая": the month is said once
        read = number(t, i + 1) or ordinal(t, i + 1)
        if read is not None and 0 < read[0] < 32 and w[read[1]] in ("по", "до"):
            j, day = read[1], (read[1], Frame(date=(read[0], 0, 0)))
    if day is not None and w[j] in ("по", "до"):
        until = nominal(t, j + 1, ACCUSATIVE if w[j] == "по" else GENITIVE)
        if until is not None:
            start, end = day[1], until[1]
            if start.date and end.date and not start.date[1]:
                start.date = (start.date[0], end.date[1], end.date[2])
            start.end = end
            return until[0], start
    if w[i] == "от":
        return None
    if day is not None and not (day[1].date and not day[1].date[1] and w[j] == "по"):
        return day
    return (first[0], first[1]) if first is not None and first[2] else None


def _unfinished(t: Tokens, i: int) -> tuple[int, Frame, bool] | None:
    """A bare hour before "до", which `clock` takes for a count because a word follows it."""
    read = number(t, i)
    if read is None or read[0] > 24 or t.w[read[1]] != "до" or not (read[2] == "*" or "g" in read[2]):
        return None
    return read[1], Frame(clock=(read[0] % 24, 0, 0, "hour")), False


def between(t: Tokens, i: int) -> Match | None:
    """ "между тремя и пятью"."""
    first = clock(t, i + 1, "ig")
    if first is None or t.w[first[0]] != "и":
        return None
    last = clock(t, first[0] + 1, "ig")
    if last is None:
        return None
    start, end = first[1], last[1]
    if start.part is None and end.part is not None:
        start.part = end.part
    start.end = end
    return last[0], start
