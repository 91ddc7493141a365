"""Russian numbers, lengths of time and clocks: the pieces that the frames in `ru` are made of."""

from __future__ import annotations

from routing.times.digits import digital_clock
from routing.times.model import HOUR, MINUTE, Amount, Clock, Frame
from routing.times.ru_words import (
    CARDINALS,
    COUNTED,
    HALF_HOURS,
    HALVES,
    HOUR_ORDINALS,
    MIDNIGHT,
    MONTHS_GENITIVE,
    NOON,
    NOT_COUNTED,
    ONE,
    ORDINALS,
    PARTS_OF_CLOCK,
    SIZES,
    TAILS,
    UNITS,
)
from routing.times.tokens import Tokens

_VAGUE = frozenset(("несколько", "нескольких"))
_PAIR = frozenset(("пара", "пару", "паре", "пары", "парочку"))
_ONE_AND_HALF = frozenset(("полтора", "полторы", "полутора"))
_FINER = {"second": 0, "minute": 1, "hour": 2, "day": 3, "week": 4, "month": 5, "quarter": 6, "year": 7}


def number(t: Tokens, i: int) -> tuple[int, int, str] | None:
    """A whole number in digits or words at `i`: value, index after it, cases ("*" for digits, which have
    none).
    """
    word = t.w[i]
    if word[:1].isdecimal():
        return (int(word), i + 1, "*") if len(word) <= 6 else None
    known = CARDINALS.get(word)
    if known is None:
        return None
    value, rank, cases = known
    i += 1
    while rank > 2:
        more = CARDINALS.get(t.w[i])
        # the next rank down only: "двадцать тридцать" is two numbers
        if more is None or more[1] >= rank or more[0] == 0 or (rank == 3 and more[1] == 2):
            break
        # "без двадцати шесть" is two numbers as well
        if not set(more[2]) & set(cases):
            break
        value, rank, cases = value + more[0], more[1], more[2]
        i += 1
    return value, i, cases


def ordinal(t: Tokens, i: int) -> tuple[int, int, str] | None:
    """An ordinal in words ("двадцать третьего") or digits with an ending ("5-го"): value, index after it,
    ending.
    """
    word = t.w[i]
    known = ORDINALS.get(word)
    if known is not None:
        return known[0], i + 1, known[1]
    if word[:1].isdecimal():
        tail = TAILS.get(t.w[i + 1])
        if tail is not None and len(word) <= 2 and (t.close(i + 1) or t.glued[i + 1]):
            return int(word), i + 2, tail
        return None
    tens = CARDINALS.get(word)
    if tens is not None and tens[1] == 3 and tens[2][0] == "n":
        last = ORDINALS.get(t.w[i + 1])
        if last is not None and last[0] < 10:
            return tens[0] + last[0], i + 2, last[1]
    return None


def counted(t: Tokens, i: int) -> bool:
    """Whether the word at `i` makes the number before it a count or a name ("этаже", "магазинов", "%")."""
    word = t.w[i]
    if not word or i >= t.n:
        return False
    if not word[0].isalpha():
        return word in "%$€₽°№×+*/" or (word in "-.,:" and t.close(i) and t.w[i + 1][:1].isdecimal())
    if word in COUNTED:
        return True
    if word in UNITS and word not in ("ч", "час", "часа", "часов"):
        return True
    if len(word) >= 5 and word not in NOT_COUNTED:
        return word.endswith(("ов", "ев", "ах", "ях", "шек", "чек"))
    return word.isascii() and (t.close(i) or word in ("km", "kg", "gb", "mb", "x"))


def part_of_clock(t: Tokens, i: int) -> str | None:
    """The part of day that a clock just before `i` is in, if `i` names one."""
    return PARTS_OF_CLOCK.get(t.w[i])


def amount(t: Tokens, i: int) -> tuple[int, Amount] | None:
    """A length of time at `i` ("час двадцать", "два с половиной часа", "10 мин"), with the index after it."""
    months = days = seconds = 0
    grain, vague, unit = "", False, ""
    j = i
    while True:
        k = j + 1 if grain and t.w[j] == "и" else j
        piece = _piece(t, k, alone=not grain)
        if piece is None or (unit and _FINER.get(piece[2], -1) >= _FINER[unit]):
            break
        j, size, unit = piece
        months, days, seconds = months + size[0], days + size[1], seconds + size[2]
        grain, vague = size[3], vague or size[4]
        if not unit:
            break
    if not grain:
        return None
    if unit == "hour" and grain == HOUR:
        # "через час двадцать": minutes without their word
        rest = number(t, j)
        if rest and 5 <= rest[0] < 60 and rest[2] in ("*", "n") and not counted(t, rest[1]) and not t.glued[j]:
            word = t.w[rest[1]]
            if word not in UNITS and word not in MONTHS_GENITIVE and word not in (":", "."):
                seconds, grain, j = seconds + rest[0] * 60, MINUTE, rest[1]
    return j, (months, days, seconds, grain, vague)


def _scaled(unit: str, doubled: int) -> Amount:
    """Half of `doubled` units."""
    months, days, seconds, grain = SIZES[unit]
    if doubled % 2 == 0:
        n = doubled // 2
        return months * n, days * n, seconds * n, grain, False
    finer = {"hour": MINUTE, "minute": "second", "week": "day", "month": "day", "year": "month", "day": HOUR}
    if unit == "month":
        return doubled // 2, 15, 0, "day", False
    if unit in ("day", "week"):
        hours = days * 12 * doubled
        return 0, hours // 24, hours % 24 * 3600, finer[unit], False
    return months * doubled // 2, 0, seconds * doubled // 2, finer.get(unit, grain), False


def _piece(t: Tokens, i: int, alone: bool) -> tuple[int, Amount, str] | None:
    """A count and its unit: index after it, the length, the unit ("" where nothing finer may follow)."""
    w = t.w
    word = w[i]
    half = HALVES.get(word)
    if half:
        return i + 1, half, ""
    if word in ONE and alone and not (word == "час" and w[i + 1] == "пик"):
        unit = UNITS[word]
        if w[i + 1] == "с" and w[i + 2] == "половиной":
            return i + 3, _scaled(unit, 3), ""
        if w[i + 1] == "с" and w[i + 2] == "четвертью" and unit == "hour":
            return i + 3, (0, 0, 4500, MINUTE, False), ""
        return i + 1, _scaled(unit, 2), unit
    if word == "пол":
        half = HALVES.get("пол" + w[i + 1])
        return (i + 2, half, "") if half else None
    if word == "четверть" and w[i + 1] == "часа":
        return i + 2, (0, 0, 900, MINUTE, False), ""
    if word == "три" and w[i + 1] == "четверти" and w[i + 2] == "часа":
        return i + 3, (0, 0, 2700, MINUTE, False), ""
    if word in _VAGUE or word in _PAIR or word in _ONE_AND_HALF:
        unit = UNITS.get(w[i + 1], "")
        if not unit:
            return None
        months, days, seconds, grain, _ = _scaled(unit, 3 if word in _ONE_AND_HALF else 4)
        return i + 2, (months, days, seconds, grain, word in _VAGUE), "" if word in _ONE_AND_HALF else unit
    read = number(t, i)
    if read is None:
        return None
    value, j, _ = read
    doubled = value * 2
    decimal = w[j] in (".", ",") and w[j + 1] == "5" and t.close(j) and t.close(j + 1)
    if decimal or (w[j] == "с" and w[j + 1] == "половиной"):
        doubled, j = doubled + 1, j + 2
    elif w[j] == "-":
        # "через 10-15 минут": the nearer end is when one begins to wait
        further = number(t, j + 1)
        if further and w[further[1]] in UNITS:
            j = further[1]
    unit = UNITS.get(w[j], "")
    if not unit:
        return None
    return j + 1, _scaled(unit, doubled), unit if doubled % 2 == 0 else ""


def clock(t: Tokens, i: int, cases: str) -> tuple[int, Frame, bool] | None:
    """A time of day at `i`, whose number stands in one of `cases`: index after it, frame, and whether the
    words alone make it a clock (a bare number does not: "к пяти").
    """
    w = t.w
    word = w[i]
    if word in NOON and word != "полдня":
        return i + 1, Frame(clock=(12, 0, 0, "spoken")), True
    if word in MIDNIGHT:
        return i + 1, Frame(clock=(0, 0, 0, "midnight")), True
    half = HALF_HOURS.get(word)
    if half:
        return _closed(t, i + 1, (half - 1 or 12, 30, 0, "spoken"), True)
    if word == "без":
        return _before(t, i + 1)
    if word in ("пол", "половина", "половине", "половину", "половины", "четверть", "четверти"):
        hour = HOUR_ORDINALS.get(w[i + 1])
        if hour is None or w[i + 2] in MONTHS_GENITIVE:
            return None
        return _closed(t, i + 2, (hour - 1 or 12, 15 if word[0] == "ч" else 30, 0, "spoken"), True)
    if word[:1].isdecimal():
        read = digital_clock(t, i)
        if read is not None:
            if w[read[0]] != "-" and counted(t, read[0]):
                return None
            frame = read[1]
            part = part_of_clock(t, read[0])
            if part is not None:
                frame.part = part
            return read[0] + (part is not None), frame, True
    if UNITS.get(word) == "hour" and word in ("час", "часу", "часа"):
        if {"час": "n", "часу": "d", "часа": "g"}[word] not in cases or w[i + 1] in ("пик", "назад", "от"):
            return None
        return _minutes(t, i + 1, 1, word == "час")
    read_number = number(t, i)
    if read_number is None:
        return None
    value, j, case = read_number
    if UNITS.get(w[j]) == "minute":
        hour = HOUR_ORDINALS.get(w[j + 1])
        if hour is None or value > 59 or w[j + 2] in MONTHS_GENITIVE:
            return None
        return _closed(t, j + 2, (hour - 1 or 12, value, 0, "spoken"), True)
    if value > 24 or (case != "*" and not set(case) & set(cases)):
        return None
    if value == 1 and case != "*" and word != "один":
        return None
    strong = False
    if w[j] == "-" and (further := number(t, j + 1)) is not None and UNITS.get(w[further[1]]) == "hour":
        # "в 5-6 часов": the nearer end, as with lengths
        j = further[1]
    if UNITS.get(w[j]) == "hour":
        strong, j = True, j + 1
    elif case != "*" and value == 1:
        return None
    return _minutes(t, j, value, strong)


def _before(t: Tokens, i: int) -> tuple[int, Frame, bool] | None:
    """After "без": "четверти пять", "двадцати минут восемь"."""
    if t.w[i] == "четверти":
        minutes, j = 15, i + 1
    else:
        read = number(t, i)
        if read is None or not (read[2] == "*" or "g" in read[2]) or not 0 < read[0] < 30:
            return None
        minutes, j = read[0], read[1]
        if UNITS.get(t.w[j]) == "minute":
            j += 1
    if t.w[j] == "час":
        return _closed(t, j + 1, (12, 60 - minutes, 0, "spoken"), True)
    hour = number(t, j)
    if hour is None or not (hour[2] == "*" or "n" in hour[2]) or not 1 < hour[0] <= 24 or counted(t, hour[1]):
        return None
    j = hour[1]
    if UNITS.get(t.w[j]) == "hour":
        j += 1
    return _closed(t, j, (hour[0] - 1, 60 - minutes, 0, "spoken"), True)


def _minutes(t: Tokens, j: int, hour: int, strong: bool) -> tuple[int, Frame, bool] | None:
    """The rest of a clock after its hour: minutes, if any."""
    w = t.w
    minute, after, pair = 0, j, False
    word = w[j]
    if word in ("ноль", "нуль"):
        last = CARDINALS.get(w[j + 1])
        spoken = last is not None and last[1] == 1
        minute, after, pair = (last[0] if last and spoken else 0), j + 1 + spoken, True
    elif word.isdecimal():
        # two digits are minutes, one is a count: "в 7 5 яиц"
        minute, after = int(word[:3]), j + 1
        pair = minute < 60 and (len(word) == 2 or UNITS.get(w[after]) == "minute") and not t.close(j)
    elif (read := number(t, j)) is not None and read[0] < 60 and "n" in read[2]:
        minute, after, _ = read
        pair = minute >= 10 or UNITS.get(w[after]) == "minute"
    if pair and UNITS.get(w[after]) == "minute":
        return _closed(t, after + 1, (hour, minute, 0, "spoken"), True)
    if pair and not counted(t, after) and w[after] not in MONTHS_GENITIVE and w[after] not in UNITS:
        return _closed(t, after, (hour, minute, 0, "spoken"), strong)
    return _closed(t, j, (hour, 0, 0, "hour"), strong)


def _closed(t: Tokens, j: int, clock: Clock, strong: bool) -> tuple[int, Frame, bool] | None:
    """A clock whose digits end at `j`, with the part of day said after it."""
    part = part_of_clock(t, j)
    if part is not None:
        j, strong = j + 1, True
    elif not strong and clock[3] == "hour" and (counted(t, j) or t.glued[j]):
        return None
    if clock[0] > 24 or (clock[0] == 24 and clock[1]):
        return None
    if clock[0] == 24:
        clock = (0, 0, 0, "midnight")
    elif clock[0] == 12 and part == "night" and clock[1] == 0:
        return j, Frame(clock=(0, 0, 0, "midnight")), True
    return j, Frame(clock=clock, part=part), strong
