"""English recurrences: "every weekday", "every other monday", "twice a day", "on weekends"."""

from __future__ import annotations

from collections.abc import Callable

from routing.times.en_amounts import amount, number, ordinal
from routing.times.en_days import dated
from routing.times.en_words import FREQUENT, GROUPS, PARTS, PLURALS, SHORT, SIZES, UNITS, WEEKDAYS
from routing.times.model import Frame, Match
from routing.times.recur import byday, every, times_in
from routing.times.tokens import Tokens

_DAYS = WEEKDAYS | SHORT


def _unit_rule(unit: str, count: int) -> tuple[str, int, str, int] | None:
    months, days, seconds, grain = SIZES[unit]
    return every((months * count, days * count, seconds * count, grain, False))


def _every(t: Tokens, i: int) -> Match | None:
    """After "every", "each"."""
    w = t.w
    j = i + 1
    word = w[j]
    if word == "other":
        return _place(t, j + 1, 2)
    if word in _DAYS:
        found = _list(t, j, _DAYS)
        part = PARTS.get(w[found[0]])
        if part is not None:
            found[1].part = part
            return found[0] + 1, found[1]
        return found
    if word in GROUPS:
        return j + 1, Frame(recur=("WEEKLY", 1, GROUPS[word], 0))
    if word == "weekend":
        return j + 1, Frame(recur=("WEEKLY", 1, "SA,SU", 0))
    if word in PARTS:
        return j + 1, Frame(recur=("DAILY", 1, "", 0), part=PARTS[word])
    if word in ("noon", "midnight"):
        clock = (12, 0, 0, "spoken") if word == "noon" else (0, 0, 0, "midnight")
        return j + 1, Frame(recur=("DAILY", 1, "", 0), clock=clock)
    if word == "last":
        return _place(t, j + 1, -1)
    yearly = dated(t, j)
    if yearly is not None and yearly[1].date:
        yearly[1].recur = ("YEARLY", 1, "", 0)
        return yearly
    place = ordinal(t, j)
    if place is not None:
        found_place = _place(t, place[1], place[0])
        if found_place is not None:
            return found_place
        of_month = 3 if w[place[1]] == "of" and w[place[1] + 2] == "month" else 0
        if 0 < place[0] < 32 and (of_month or word[0].isdecimal()):
            return place[1] + of_month, Frame(recur=("MONTHLY", 1, "", place[0]))
        return None
    if word in UNITS and (rule := _unit_rule(UNITS[word], 1)) is not None:
        return j + 1, Frame(recur=rule)
    length = amount(t, j)
    if length is not None and (rule := every(length[1])) is not None:
        return length[0], Frame(recur=rule)
    return None


def _place(t: Tokens, j: int, place: int) -> Match | None:
    """After "every other", "every second", "every last": a weekday, within the month where that is said, or a
    unit.
    """
    w = t.w
    word = w[j]
    if word in _DAYS:
        day = byday([_DAYS[word]])
        monthly = w[j + 1] in ("of", "in") and w[j + 3] == "month"
        if monthly or place in (1, -1):
            after = j + 4 if monthly else j + 1
            return (after, Frame(recur=("MONTHLY", 1, f"{place}{day}", 0))) if place < 6 else None
        return j + 1, Frame(recur=("WEEKLY", place, day, 0))
    if place == -1:
        if word == "day" and w[j + 1] == "of" and w[j + 3] == "month":
            return j + 4, Frame(recur=("MONTHLY", 1, "", -1))
        return None
    if word in UNITS and (rule := _unit_rule(UNITS[word], place)) is not None:
        return j + 1, Frame(recur=rule)
    return None


def _list(t: Tokens, i: int, names: dict[str, int]) -> Match:
    """Weekdays from `i`, joined by commas and "and"."""
    w = t.w
    days = [names[w[i]]]
    j = i + 1
    while True:
        k = j + (w[j] == ",")
        k += w[k] == "and"
        k += w[k] in ("every", "on")
        if k == j or w[k] not in names:
            break
        days.append(names[w[k]])
        j = k + 1
    return j, Frame(recur=("WEEKLY", 1, byday(days), 0))


def plural(t: Tokens, i: int) -> Match | None:
    """ "mondays and wednesdays", "weekdays", "weekends"."""
    word = t.w[i]
    if word in PLURALS:
        return _list(t, i, PLURALS)
    return i + 1, Frame(recur=("WEEKLY", 1, GROUPS[word], 0))


def counted_times(t: Tokens, i: int) -> Match | None:
    """ "three times a day"."""
    read = number(t, i)
    if read is None or t.w[read[1]] != "times":
        return None
    return _share(t, read[1] + 1, read[0])


def _share(t: Tokens, j: int, count: int) -> Match | None:
    """ "a day", "per week", "every two months" after how often."""
    w = t.w
    if w[j] in ("a", "an", "per", "each", "every") and w[j + 1] in UNITS:
        rule = times_in(count, UNITS[w[j + 1]])
        return j + 2, Frame(recur=rule, broken=rule is None)
    if w[j] == "every" and count == 1:
        return _every(t, j)
    return None


def _once(t: Tokens, i: int) -> Match | None:
    """ "once a week", "twice a day"."""
    return _share(t, i + 1, 1 if t.w[i] == "once" else 2)


def _frequent(t: Tokens, i: int) -> Match | None:
    """ "daily", "weekly": the adverb; before a noun it is a name ("the daily report")."""
    before = t.w[i - 1] if i else ""
    if before in ("the", "my", "a", "our", "this", "your"):
        return None
    return i + 1, Frame(recur=(FREQUENT[t.w[i]], 1, "", 0))


START: dict[str, Callable[[Tokens, int], Match | None]] = {
    "every": _every, "each": _every, "once": _once, "twice": _once, **dict.fromkeys(FREQUENT, _frequent),
    **dict.fromkeys(("weekdays", "weekends"), plural),
}  # fmt: skip
