"""English days and longer periods."""

from __future__ import annotations

from routing.times.digits import date as digital_date
from routing.times.en_amounts import counted, number, ordinal
from routing.times.en_words import DAYS, MONTHS, PARTS, SEASONS, SHORT, UNITS, WEEKDAYS
from routing.times.model import Frame, Match, forms
from routing.times.tokens import Tokens

_MODS = {"this": "this", "next": "next", "last": "last", "coming": "near"}
_OFFSETS = {"this": 0, "next": 1, "last": -1, "near": 0}
_MONTH_AFTER = forms("in by of until till since before for during over after")
_EDGES = {"end": 2, "beginning": 0, "start": 0, "middle": 1}
_AFTER_DATE = forms(
    "at to in by and from around call buy pay remind i we about that please send take of with for go check"
)


def _year(t: Tokens, j: int, day: int, month: int) -> Match:
    """A date, with the year after it."""
    w = t.w
    k = j + (w[j] in (",", "of"))
    if len(w[k]) == 4 and w[k].isdecimal() and 1900 <= int(w[k]) <= 2100:
        return k + 1, Frame(date=(day, month, int(w[k])))
    if w[j] in ("this", "next", "last") and w[j + 1] == "year":
        return j + 2, Frame(date=(day, month, 0), period=("year", _OFFSETS[w[j]]))
    return j, Frame(date=(day, month, 0))


def dated(t: Tokens, i: int) -> Match | None:
    """ "may 23rd", "may 23", "23 may", "the twenty-third of may" (without its article) at `i`."""
    w = t.w
    month = MONTHS.get(w[i])
    if month is not None:
        j = i + 1 + (w[i + 1] == "the")
        read = ordinal(t, j) or number(t, j)
        if read is None or not 0 < read[0] < 32 or counted(t, read[1]) or w[read[1]] == ":":
            return None
        # "may five people": a bare number in words after a word that is also a verb
        if w[i] in ("may", "march") and w[j].isalpha() and ordinal(t, j) is None:
            return None
        return _year(t, read[1], read[0], month)
    read = ordinal(t, i)
    if read is None:
        read = number(t, i)
        if read is None or w[read[1]] not in MONTHS or (w[read[1]] == "may" and w[i].isalpha()):
            return None
    day, j = read
    if not 0 < day < 32:
        return None
    k = j + (w[j] == "of")
    month = MONTHS.get(w[k])
    if month is not None:
        return _year(t, k + 1, day, month)
    if w[j] == "of" and w[j + 1] in ("this", "next", "every", "each", "the") and w[j + 2] == "month":
        if w[j + 1] in ("every", "each"):
            return j + 3, Frame(recur=("MONTHLY", 1, "", day))
        return j + 3, Frame(date=(day, 0, 0), period=("month", int(w[j + 1] == "next")))
    return None


def nominal(t: Tokens, i: int, *, dates: bool = False) -> Match | None:
    """A day, month, season, weekend or edge of a period at `i`; with `dates`, a day of the month too ("the
    23rd").
    """
    w = t.w
    word = w[i]
    rel = DAYS.get(word)
    if rel is not None:
        return _with_part(t, i + 1, Frame(rel=rel))
    if word == "tonight":
        return i + 1, Frame(rel=0, part="tonight")
    wd = WEEKDAYS.get(word)
    if wd is not None:
        return _with_part(t, i + 1, Frame(wd=(wd, "")))
    if word == "last" and w[i + 1] == "day" and w[i + 2] == "of" and w[i + 4] == "month":
        if w[i + 3] in ("every", "each"):
            return i + 5, Frame(recur=("MONTHLY", 1, "", -1))
        return i + 5, Frame(period=("edge", 2, ("month", int(w[i + 3] == "next"))))
    if word in _MODS:
        return _modified(t, i + 1, _MODS[word])
    if word in _EDGES and w[i + 1] == "of":
        return _edge(t, i)
    if word == "weekend" and (dates or w[i - 1] == "the"):
        return i + 1, Frame(period=("weekend", 0))
    if word in ("noon", "midnight", "night") and not dates:
        return None
    found = dated(t, i)
    if found is not None:
        return found
    if dates:
        if word[:1].isdecimal() and (numeric := digital_date(t, i, bare=True)) is not None:
            return numeric
        if word == "the":
            return nominal(t, i + 1, dates=True)
        read = ordinal(t, i)
        if read is not None and 0 < read[0] < 32 and not (w[i] in ("second", "first", "third") and w[read[1]]):
            return (read[1], Frame(date=(read[0], 0, 0))) if not w[read[1]].isalpha() or _ends(w[read[1]]) else None
    month = MONTHS.get(word)
    before = w[i - 1] if i else ""
    if month is not None and (before in _MONTH_AFTER):
        if len(w[i + 1]) == 4 and w[i + 1].isdecimal() and 1900 <= int(w[i + 1]) <= 2100:
            return i + 2, Frame(period=("named", month, int(w[i + 1]), ""))
        if word in ("may", "march") and before not in ("in", "by", "until", "since"):
            return None
        return i + 1, Frame(period=("named", month, 0, ""))
    if (
        word in SEASONS
        and before in ("in", "the", "by", "until", "over", "during")
        and not (word == "fall" and before != "in")
    ):
        return i + 1, Frame(period=("season", SEASONS[word], ""))
    return None


def _ends(word: str) -> bool:
    """Whether a word after "the 23rd" leaves it a day: "on the 23rd call mom" does, "on the 5th floor" does
    not.
    """
    return word in _AFTER_DATE


def _with_part(t: Tokens, j: int, frame: Frame) -> Match:
    """A day that ends at `j`, with "morning" or "night" after it."""
    part = PARTS.get(t.w[j])
    if part is None:
        return j, frame
    frame.part = part
    return j + 1, frame


def _modified(t: Tokens, i: int, mod: str) -> Match | None:
    """After "this", "next", "last", "coming"."""
    w = t.w
    word = w[i]
    wd = WEEKDAYS.get(word)
    if wd is None and t.w[i - 2] not in ("the",):
        wd = SHORT.get(word)
    if wd is not None:
        return _with_part(t, i + 1, Frame(wd=(wd, "" if mod == "near" else mod)))
    unit = UNITS.get(word)
    if unit in ("week", "month", "year") and word == unit:
        return i + 1, Frame(period=(unit, _OFFSETS[mod]))
    if word == "weekend":
        return i + 1, Frame(period=("weekend", _OFFSETS[mod]))
    if word in MONTHS and word not in ("mar", "jan", "dec"):
        return i + 1, Frame(period=("named", MONTHS[word], 0, mod))
    if word in SEASONS:
        return i + 1, Frame(period=("season", SEASONS[word], mod))
    if word in PARTS and word != "lunchtime":
        return i + 1, Frame(rel=_OFFSETS[mod], part=PARTS[word])
    return None


def _edge(t: Tokens, i: int) -> Match | None:
    """ "end of the month", "beginning of next week", "end of may" at `i`."""
    w = t.w
    edge = _EDGES[w[i]]
    j = i + 2 + (w[i + 2] == "the")
    mod = _MODS.get(w[j], "")
    j += bool(mod)
    word = w[j]
    if word in ("week", "month", "year"):
        return j + 1, Frame(period=("edge", edge, (word, _OFFSETS.get(mod, 0))))
    if word == "day" and not mod:
        return j + 1, Frame(part=("early", "day", "late")[edge])
    if word in MONTHS:
        return j + 1, Frame(period=("edge", edge, ("named", MONTHS[word], 0, mod)))
    return None
