"""English numbers, lengths of time and clocks."""

from __future__ import annotations

from routing.times.digits import digital_clock
from routing.times.en_words import (
    CARDINALS,
    COUNTED,
    FINER,
    MONTHS,
    ORDINALS,
    PARTS,
    PLURALS,
    SIZES,
    SUFFIXES,
    TENS,
    UNITS,
)
from routing.times.model import HOUR, Amount, Clock, Frame
from routing.times.tokens import Tokens

_NOT_PLURAL = frozenset((*PLURALS, "this", "always", "sometimes", "james", "thomas", "guests"))


def number(t: Tokens, i: int) -> tuple[int, int] | None:
    """A whole number in digits or words at `i`, with the index after it."""
    word = t.w[i]
    if word[:1].isdecimal():
        return (int(word), i + 1) if len(word) <= 6 else None
    if word in CARDINALS:
        return CARDINALS[word], i + 1
    tens = TENS.get(word)
    if tens is None:
        return None
    unit = CARDINALS.get(t.w[i + 1], 0)
    return (tens + unit, i + 2) if 0 < unit < 10 else (tens, i + 1)


def ordinal(t: Tokens, i: int) -> tuple[int, int] | None:
    """ "twenty-third", "23rd" at `i`, with the index after it."""
    word = t.w[i]
    if word[:1].isdecimal():
        return (int(word), i + 2) if len(word) <= 2 and t.w[i + 1] in SUFFIXES and t.close(i + 1) else None
    if word in ORDINALS:
        return ORDINALS[word], i + 1
    last = ORDINALS.get(t.w[i + 1], 10)
    return (TENS[word] + last, i + 2) if word in TENS and last < 10 else None


def counted(t: Tokens, i: int) -> bool:
    """Whether the word at `i` makes the number before it a count."""
    word = t.w[i]
    if not word or not word[0].isalnum():
        return word != "" and (word in "%$€£°+*/" or (word in ".,:" and t.close(i) and t.w[i + 1][:1].isdecimal()))
    if word in COUNTED or word in UNITS:
        return True
    # a plural: "after 5 beers"; "discuss" and "focus" are what is done at five
    return len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us")) and word not in _NOT_PLURAL


def amount(t: Tokens, i: int) -> tuple[int, Amount] | None:
    """A length of time at `i`: "half an hour", "an hour and a half", "two hours and ten minutes"."""
    months = days = seconds = 0
    grain, vague, unit, j = "", False, "", i
    while True:
        k = j + 1 if grain and t.w[j] in ("and", ",") else j
        piece = _piece(t, k)
        if piece is None or (unit and FINER.get(piece[2], -1) >= FINER[unit]):
            break
        j, size, unit = piece
        months, days, seconds = months + size[0], days + size[1], seconds + size[2]
        grain, vague = size[3], vague or size[4]
        if t.w[j] == "and" and t.w[j + 1] == "a" and t.w[j + 2] == "half" and unit:
            half = _halved(unit, 1)
            months, days, seconds, grain = months + half[0], days + half[1], seconds + half[2], half[3]
            j += 3
            break
        if not unit:
            break
    return (j, (months, days, seconds, grain, vague)) if grain else None


def _halved(unit: str, doubled: int) -> Amount:
    """Half of `doubled` units, with the grain that this needs."""
    months, days, seconds, grain = SIZES[unit]
    if doubled % 2 == 0:
        n = doubled // 2
        return months * n, days * n, seconds * n, grain, False
    if unit == "month":
        return doubled // 2, 15, 0, "day", False
    hours = days * 12 * doubled
    finer = {
        "year": "month",
        "quarter": "month",
        "week": "day",
        "fortnight": "week",
        "day": HOUR,
        "hour": "minute",
    }
    return (
        months * doubled // 2, hours // 24, hours % 24 * 3600 + seconds * doubled // 2, finer.get(unit,
        "second"), False, )  # fmt: skip


def _piece(t: Tokens, i: int) -> tuple[int, Amount, str] | None:
    """A count and its unit: index after it, the length, the unit ("" where nothing finer may follow)."""
    w = t.w
    word = w[i]
    if word == "half":
        j = i + 1 + (w[i + 1] in ("a", "an"))
        return (j + 1, _halved(UNITS[w[j]], 1), "") if w[j] in UNITS else None
    if word in ("a", "an"):
        if w[i + 1] == "half" and w[i + 2] in UNITS:
            return i + 3, _halved(UNITS[w[i + 2]], 1), ""
        if w[i + 1] == "quarter" and w[i + 2] == "of" and w[i + 3] == "an" and w[i + 4] == "hour":
            return i + 5, (0, 0, 900, "minute", False), ""
        if w[i + 1] in ("couple", "few"):
            j = i + 2 + (w[i + 2] == "of")
            if w[j] not in UNITS:
                return None
            size = _halved(UNITS[w[j]], 4)
            return j + 1, (*size[:4], w[i + 1] == "few"), ""
        unit = UNITS.get(w[i + 1])
        # "a two-hour meeting", "a second time" are no lengths
        return (i + 2, _halved(unit, 2), unit) if unit and w[i + 2] not in ("time", "opinion", "hand") else None
    read = number(t, i)
    if read is None:
        return None
    value, j = read
    doubled = 2 * value
    if w[j] == "and" and w[j + 1] == "a" and w[j + 2] == "half":
        doubled, j = doubled + 1, j + 3
    elif w[j] == "." and w[j + 1] == "5" and t.close(j) and t.close(j + 1):
        doubled, j = doubled + 1, j + 2
    elif w[j] in ("-", "to", "or") and (further := number(t, j + 1)) is not None and w[further[1]] in UNITS:
        j = further[1]
    j += w[j] == "more"
    unit = UNITS.get(w[j])
    if unit is None or (t.glued[j] and word[0].isalpha() and w[j] == unit):
        return None
    return j + 1, _halved(unit, doubled), unit if doubled % 2 == 0 else ""


def meridiem(t: Tokens, i: int) -> tuple[int, str] | None:
    """ "pm", "a.m.", "in the morning", "at night" after a clock: index after it and the part."""
    w = t.w
    if w[i] in ("am", "pm"):
        return i + 1, w[i]
    if w[i] in ("a", "p"):
        if w[i + 1] == "." and w[i + 2] == "m":
            return i + 3 + (w[i + 3] == "." and t.close(i + 3)), w[i] + "m"
        return (i + 2, w[i] + "m") if w[i + 1] == "m" else None
    if w[i] == "in" and w[i + 1] == "the" and w[i + 2] in ("morning", "afternoon", "evening"):
        return i + 3, PARTS[w[i + 2]]
    return (i + 2, "night") if w[i] == "at" and w[i + 1] == "night" else None


def clock(t: Tokens, i: int) -> tuple[int, Frame, bool] | None:
    """A time of day at `i`: index after it, frame, and whether its words alone make it a clock."""
    w = t.w
    word = w[i]
    if word in ("noon", "midday"):
        return i + 1, Frame(clock=(12, 0, 0, "spoken")), True
    if word == "midnight":
        return i + 1, Frame(clock=(0, 0, 0, "midnight")), True
    relative = _relative(t, i)
    if relative is not None:
        return relative
    if word[:1].isdecimal() and (read := digital_clock(t, i)) is not None:
        j, frame = read
        if frame.broken or (w[j] != "-" and counted(t, j)):
            return (j, frame, True) if frame.broken else None
        part = meridiem(t, j)
        if part is not None:
            j, frame.part = part
        return j, frame, True
    plain = number(t, i)
    if plain is None or plain[0] > 24:
        return None
    hour, j = plain
    strong = False
    if w[j] == "o" and w[j + 1] in ("'", "’") and w[j + 2] == "clock":
        strong, j = True, j + 3
    elif w[j] == "oclock" or (w[j] == "o" and w[j + 1] == "clock"):
        strong, j = True, j + 1 + (w[j] == "o")
    minute, after = _minute(t, j)
    if after > j:
        return _closed(t, after, (hour, minute, 0, "spoken"), strong)
    return _closed(t, j, (hour, 0, 0, "hour"), strong)


def _minute(t: Tokens, j: int) -> tuple[int, int]:
    """Minutes said after an hour ("fifteen", "oh five", "15"), with the index after them; the same index for
    none.
    """
    w = t.w
    if w[j] in ("oh", "o", "zero") and 0 < CARDINALS.get(w[j + 1], 0) < 10:
        return CARDINALS[w[j + 1]], j + 2
    if len(w[j]) == 2 and w[j].isdecimal() and not t.close(j):
        return (int(w[j]), j + 1) if int(w[j]) < 60 and not counted(t, j + 1) else (0, j)
    read = number(t, j) if not w[j][:1].isdecimal() else None
    return read if read and 10 <= read[0] < 60 and not counted(t, read[1]) else (0, j)


def _relative(t: Tokens, i: int) -> tuple[int, Frame, bool] | None:
    """ "half past seven", "quarter to five", "ten minutes to five", "half seven"."""
    w = t.w
    j = i + (w[i] == "a" and w[i + 1] in ("quarter", "half"))
    if w[j] == "half":
        minutes, k = 30, j + 1
        if w[k] in CARDINALS and 0 < CARDINALS[w[k]] <= 12:
            return _closed(t, k + 1, (CARDINALS[w[k]], 30, 0, "spoken"), True)
    elif w[j] == "quarter":
        minutes, k = 15, j + 1
    else:
        read = number(t, j)
        if read is None or not 0 < read[0] < 60:
            return None
        minutes, k = read[0], read[1]
        k += w[k] in ("minutes", "minute", "min")
    if w[k] not in ("past", "after", "to", "before", "till") or (w[k] != "past" and k == j):
        return None
    if w[k] in ("after", "before", "to") and w[j] not in ("quarter", "half") and minutes % 5:
        return None
    hour = number(t, k + 1)
    if w[k + 1] in ("noon", "midnight"):
        hour = (12 if w[k + 1] == "noon" else 24), k + 2
    if (
        hour is None
        or not 0 < hour[0] <= (24 if w[k + 1] == "midnight" else 12)
        or counted(t, hour[1])
        or w[hour[1]] in MONTHS
    ):
        return None
    if w[k] in ("to", "before", "till"):
        total = hour[0] * 60 - minutes
        value = (total // 60 or 12, total % 60) if hour[0] != 1 else (12, 60 - minutes)
    else:
        value = (hour[0] % 24, minutes)
    return _closed(t, hour[1], (*value, 0, "spoken"), True)


def _closed(t: Tokens, j: int, clock: Clock, strong: bool) -> tuple[int, Frame, bool] | None:
    """A clock whose words end at `j`, with the part of day said after it."""
    part = meridiem(t, j)
    if part is not None:
        if clock[0] > 24:
            return None
        if clock[0] == 12 and clock[1] == 0 and part[1] == "night":
            return part[0], Frame(clock=(0, 0, 0, "midnight")), True
        return part[0], Frame(clock=(clock[0] % 24, *clock[1:]), part=part[1]), True
    if not strong and clock[3] == "hour" and (counted(t, j) or t.glued[j] or (t.close(j) and t.w[j].isalpha())):
        return None
    if clock[0] == 24:
        return (j, Frame(clock=(0, 0, 0, "midnight")), strong) if not clock[1] else None
    return j, Frame(clock=clock), strong
