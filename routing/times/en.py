"""English time expressions: one function for each word that can begin one, found through `START`."""

from __future__ import annotations

from collections.abc import Callable

from routing.times.digits import date as digital_date
from routing.times.en_amounts import amount, clock, counted, number, ordinal
from routing.times.en_days import dated, nominal
from routing.times.en_recur import START as RECURRENCES
from routing.times.en_recur import counted_times, plural
from routing.times.en_words import (
    CARDINALS,
    DAYS,
    GROUPS,
    MONTHS,
    ORDINALS,
    PARTS,
    PLURALS,
    SEASONS,
    SHORT,
    SIZES,
    SUFFIXES,
    TENS,
    UNITS,
    WEEKDAYS,
)
from routing.times.model import Amount, Frame, Match
from routing.times.tokens import Tokens

Handler = Callable[[Tokens, int], Match | None]


def _negative(size: Amount) -> Amount:
    """As long, backwards."""
    return -size[0], -size[1], -size[2], size[3], size[4]


def _clock(t: Tokens, i: int) -> Match | None:
    """A clock after a preposition that also counts ("by 5", "around 7"): not beside a sum or a setting."""
    read = clock(t, i)
    if read is None or (not read[2] and t.measuring()):
        return None
    return read[0], read[1]


def _at(t: Tokens, i: int) -> Match | None:
    """After "at"."""
    w = t.w
    if w[i + 1] == "night":
        return i + 2, Frame(part="night")
    if w[i + 1] == "lunchtime" or (w[i + 1] == "lunch" and w[i + 2] in ("", ".")):
        return i + 2, Frame(part="lunch")
    if w[i + 1] == "the":
        return nominal(t, i + 2) if w[i + 2] in ("end", "beginning", "start", "weekend") else None
    read = _clock(t, i + 1)
    return read if read is not None or w[i + 1] != "weekends" else (i + 2, Frame(recur=("WEEKLY", 1, "SA,SU", 0)))


def _in(t: Tokens, i: int) -> Match | None:
    """After "in", "within": a length from now, a part of day, a month, a season, a year, a past stretch."""
    w = t.w
    j = i + 1
    read = amount(t, j)
    if read is not None:
        j = read[0] + (w[read[0]] in ("time", "from") and w[read[0] + 1] != "now")
        return j, Frame(offset=read[1], broken=read[1][4])
    if w[j] == "the":
        if w[j + 1] in ("last", "past"):
            return _past(t, j + 2)
        if w[j + 1] == "next" and (ahead := _stretch(t, j + 2)) is not None:
            return ahead[0], Frame(offset=ahead[1], back=True)
        if w[j + 1] in ("morning", "afternoon", "evening"):
            return j + 2, Frame(part=PARTS[w[j + 1]])
        if w[j + 1] == "middle":
            return nominal(t, j + 1)
        j += 1
    if w[j] in ("early", "late", "mid") and w[j + 1] in MONTHS:
        return j + 2, Frame(
            period=("edge", {"early": 0, "mid": 1, "late": 2}[w[j]], ("named", MONTHS[w[j + 1]], 0, ""))
        )
    if w[j] in MONTHS or w[j] in SEASONS:
        return nominal(t, j)
    if len(w[j]) == 4 and w[j].isdecimal() and 1900 <= int(w[j]) <= 2100 and not counted(t, j + 1):
        return j + 1, Frame(period=("year", int(w[j])))
    return None


def _stretch(t: Tokens, i: int) -> tuple[int, Amount] | None:
    """A unit alone or an amount, after "the last"."""
    unit = UNITS.get(t.w[i])
    return (i + 1, (*SIZES[unit], False)) if unit else amount(t, i)


def _past(t: Tokens, i: int) -> Match | None:
    """After "in the last", "over the past": the stretch up to now."""
    read = _stretch(t, i)
    if read is None or not read[1]:
        return None
    return read[0], Frame(offset=_negative(read[1]), back=True)


def _on(t: Tokens, i: int) -> Match | None:
    """After "on"."""
    j = i + 1 + (t.w[i + 1] == "the")
    word = t.w[j]
    if word in PLURALS or word in GROUPS or word == "weekends":
        return plural(t, j)
    if word in SHORT:
        # "the sun" is no day
        return (j + 1, Frame(wd=(SHORT[word], ""))) if j == i + 1 else None
    if word in ("morning", "evening", "afternoon") and t.w[j + 1] == "of":
        found = _on(t, j + 1)
        if found is not None and found[1].part is None:
            found[1].part = PARTS[word]
        return found
    if j == i + 1 and (word in DAYS or word in ("tonight", "this", "last", "next")):
        return None
    return nominal(t, j, dates=True)


def _to(t: Tokens, i: int) -> Match | None:
    """After "to", where something is moved: "move it to friday", "reschedule to ten thirty"."""
    if not t.scheduling():
        return None
    read = clock(t, i + 1)
    return (read[0], read[1]) if read is not None else nominal(t, i + 1, dates=True)


def _by(t: Tokens, i: int) -> Match | None:
    """After "by", "until", "before", "after", "around", "since", "from" alone."""
    j = i + 1 + (t.w[i + 1] == "the")
    if i and t.w[i] == "by" and number(t, i - 1) is not None:
        return None
    if t.w[j] == "lunch" and t.w[i] in ("before", "after", "by", "until"):
        return j + 1, Frame(part="afternoon" if t.w[i] == "after" else "lunch")
    if t.w[i] in ("around", "about"):
        return _clock(t, j)
    if t.w[j] in SHORT:
        return j + 1, Frame(wd=(SHORT[t.w[j]], ""))
    if t.w[j] in MONTHS and t.w[j] not in ("march",) and dated(t, j) is None:
        return nominal(t, j)
    return nominal(t, j, dates=True) or (None if j > i + 1 else _clock(t, j))


def _for(t: Tokens, i: int) -> Match | None:
    """After "for": a length (a timer's), a day, a clock said as one, or, beside an alarm, a bare number."""
    w = t.w
    read = clock(t, i + 1)
    if read is not None and read[2]:
        return read[0], read[1]
    length = amount(t, i + 1)
    if length is not None:
        return length[0], Frame(offset=length[1], broken=length[1][4])
    if w[i + 1] == "the" and w[i + 2] in ("last", "past"):
        return _past(t, i + 3)
    if w[i + 1] in PLURALS or w[i + 1] in GROUPS:
        return plural(t, i + 1)
    if w[i + 1] == "the" and w[i + 2] in ("week", "month", "year"):
        return i + 3, Frame(period=(w[i + 2], 0))
    found = nominal(t, i + 1 + (w[i + 1] == "the"), dates=True)
    if found is not None:
        return found
    if i and w[i - 1] in ("table", "reservation", "dinner", "lunch", "room"):
        return None
    return (read[0], read[1]) if read is not None and t.scheduling() else None


def _over(t: Tokens, i: int) -> Match | None:
    """After "over", "during": "over the weekend", "over the last month"."""
    j = i + 1 + (t.w[i + 1] == "the")
    return _past(t, j + 1) if t.w[j] in ("last", "past") else nominal(t, j)


def _from(t: Tokens, i: int) -> Match | None:
    """After "from", "between": a span, or where one begins."""
    joins = ("and",) if t.w[i] == "between" else ("to", "until", "till", "through")
    first = _first(t, i + 1)
    if first is not None and t.w[first[0]] in joins:
        last = clock(t, first[0] + 1)
        if last is not None:
            start, end = first[1], last[1]
            if start.part is None and end.part is not None and start.clock and start.clock[0] <= 12:
                start.part = _same_half(start, end)
            start.end = end
            return last[0], start
    day = nominal(t, i + 1, dates=True)
    if day is not None and t.w[day[0]] in joins:
        until = nominal(t, day[0] + 1, dates=True) or _day_alone(t, day[0] + 1, day[1])
        if until is not None:
            day[1].end = until[1]
            return until[0], day[1]
    if t.w[i] == "between":
        return None
    return day if day is not None else (first[0], first[1]) if first is not None and first[2] else None


def _same_half(start: Frame, end: Frame) -> str | None:
    """ "from two to four pm": the first is in the afternoon too, unless that puts it after the last."""
    if start.clock is None or end.clock is None or end.part in ("am", "morning"):
        return end.part
    return end.part if start.clock[0] % 12 <= end.clock[0] % 12 else None


def _day_alone(t: Tokens, i: int, first: Frame) -> Match | None:
    """ "from may 5th to 10th"."""
    read = ordinal(t, i) or number(t, i)
    if read is None or first.date is None or not 0 < read[0] < 32:
        return None
    return read[1], Frame(date=(read[0], first.date[1], first.date[2]))


def _first(t: Tokens, i: int) -> tuple[int, Frame, bool] | None:
    """The first clock of a span; "five" before "to" is not "five to"."""
    read = number(t, i)
    if read is not None and read[0] <= 24 and t.w[read[1]] in ("to", "and", "until", "till", "through"):
        return read[1], Frame(clock=(read[0] % 24, 0, 0, "hour")), False
    return clock(t, i)


def _said(t: Tokens, i: int) -> Match | None:
    """A clock with no preposition that its own words give away: "half past seven", "7 pm", "noon"."""
    read = clock(t, i)
    if read is None:
        return None
    j, frame, strong = read
    if not strong:
        if frame.clock is None or frame.clock[3] != "spoken":
            return None
        frame.weak = True
    if t.w[j] in ("-", "–", "—", "to") and strong and (last := clock(t, j + 1)) is not None and last[2]:
        frame.end = last[1]
        return last[0], frame
    return j, frame


def _length(t: Tokens, i: int) -> Match | None:
    """A length of time: a past instant before "ago", one ahead before "from now", a timer's where those are
    asked for.
    """
    read = amount(t, i)
    if read is None:
        return None
    j, size = read
    if t.w[j] == "ago":
        return j + 1, Frame(offset=_negative(size), broken=size[4])
    if t.w[j] == "before" and t.w[j + 1]:
        k = j + 1 + (t.w[j + 1] in ("the", "my", "a", "our"))
        return min(k + 1, t.n), Frame(broken=True)
    if t.w[j] == "from" and t.w[j + 1] in ("now", "today"):
        return j + 2, Frame(offset=size, broken=size[4])
    if t.w[j] == "from" and t.w[j + 1] == "tomorrow" and size[:3] == (0, 7, 0):
        return j + 2, Frame(rel=8)
    # "set a second timer" asks for another one
    if t.durations and not (t.w[i] == "a" and t.w[i + 1] == "second" and t.w[j][:1].isalpha()):
        return j, Frame(offset=size, broken=size[4])
    return None


def _number(t: Tokens, i: int) -> Match | None:
    """A number or an ordinal first."""
    if t.w[i][:1].isdecimal() and (found := digital_date(t, i, bare=True)) is not None:
        return found
    return dated(t, i) or counted_times(t, i) or _length(t, i) or _said(t, i)


def _day(t: Tokens, i: int) -> Match | None:
    """ "tomorrow morning", "next tuesday", "last night"."""
    return nominal(t, i)


def _the(t: Tokens, i: int) -> Match | None:
    """ "the day after tomorrow", "the 23rd of may"."""
    w = t.w
    if w[i + 1] == "day" and w[i + 2] == "after" and w[i + 3] == "tomorrow":
        return i + 4, Frame(rel=2)
    if w[i + 1] == "day" and w[i + 2] == "before" and w[i + 3] == "yesterday":
        return i + 4, Frame(rel=-2)
    if w[i + 1] == "night" and w[i + 2] == "before" and w[i + 3] == "last":
        return i + 4, Frame(rel=-2, part="night")
    return dated(t, i + 1)


def _day_after(t: Tokens, i: int) -> Match | None:
    """ "day after tomorrow", without its article."""
    return _the(t, i - 1)


def _about(t: Tokens, i: int) -> Match | None:
    """A word of precision before a time, which belongs to it: "exactly at noon", "no later than friday"."""
    w = t.w
    if w[i] == "no":
        return _by(t, i + 2) if w[i + 1] in ("later", "earlier") and w[i + 2] == "than" else None
    begin = START.get(w[i + 1])
    return begin(t, i + 1) if begin is not None and begin is not _about else None


def _start() -> dict[str, Handler]:
    """The word that begins an expression to the function that reads it; the later row wins."""
    table: dict[str, Handler] = {}
    rows: tuple[tuple[Handler, object], ...] = (
        (_number, CARDINALS), (_number, TENS), (_number, ORDINALS), (_number, ("a", "an", "half", "quarter")),
        (_said, ("noon", "midday", "midnight")), (_day, WEEKDAYS), (_day, DAYS), (_day, MONTHS),
        (_day, ("tonight", "next", "last", "this", "coming")), (plural, PLURALS),
        (_the, ("the",)), (_day_after, ("day",)),
        (_at, ("at",)), (_to, ("to",)), (_day, ("end", "beginning")), (_in, ("in", "within")), (_on, ("on",)),
        (_by, ("by", "until", "till", "before", "after", "around", "about", "since")), (_for, ("for",)),
        (_over, ("over", "during")), (_from, ("from", "between")),
        (_about, ("exactly", "approximately", "no", "sharp")),
    )  # fmt: skip
    for handler, words in rows:
        table.update(dict.fromkeys(words, handler))  # type: ignore[call-overload]
    table.update(RECURRENCES)
    return table


START: dict[str, Handler] = _start()
number_first = _number


def follows_number(word: str) -> bool:
    """Whether a number in digits before `word` is an English one ("7 pm", "23rd", "5 minutes")."""
    return word in _AFTER_NUMBER


_AFTER_NUMBER = frozenset((*UNITS, *SUFFIXES, *MONTHS, "am", "pm", "a", "p", "o", "oclock", "past", "to", "times"))
