"""Times and dates written in digits alone, the same in every language."""

from __future__ import annotations

from routing.times.model import Frame, Match
from routing.times.tokens import Tokens


def _number(t: Tokens, i: int, sizes: tuple[int, ...]) -> int:
    """The number at `i` where it is digits of one of `sizes` touching the word before; else -1."""
    word = t.w[i]
    return int(word) if word.isdecimal() and len(word) in sizes and t.close(i) else -1


def digital_clock(t: Tokens, i: int) -> Match | None:
    """ "7:15", "11.30", "07-30", "23:59:59" at `i`; broken where the figures are no clock ("25:70")."""
    mark = t.w[i + 1]
    if mark not in (":", ".", "-") or len(t.w[i]) > 2 or not t.close(i + 1):
        return None
    minute = _number(t, i + 2, (2,))
    if minute < 0 or (mark != ":" and t.w[i + 3] == mark and t.close(i + 3)):
        return None
    hour, second, j = int(t.w[i]), 0, i + 3
    if mark == ":" and t.w[j] == ":" and t.close(j) and (read := _number(t, j + 1, (2,))) >= 0:
        second, j = read, j + 2
    if hour > 24 or minute > 59 or second > 59 or (hour == 24 and minute + second):
        return (j, Frame(broken=True)) if mark == ":" else None
    if hour == 24:
        return j, Frame(clock=(0, 0, 0, "midnight"))
    return j, Frame(clock=(hour, minute, second, "digital"))


def date(t: Tokens, i: int, *, bare: bool) -> Match | None:
    """ "23.05", "23.05.2027", "23/05/27", "2027-05-23" at `i`.

    `bare` (no preposition) wants two digits on both sides, or "версия 3.11" would be the third of November.
    """
    w = t.w
    if len(w[i]) == 4 and w[i + 1] == "-" and w[i + 3] == "-" and t.close(i + 1):
        month, day = _number(t, i + 2, (2,)), _number(t, i + 4, (2,))
        return (i + 5, Frame(date=(day, month, int(w[i])))) if 0 < month < 13 and 0 < day < 32 else None
    mark = w[i + 1]
    if mark not in (".", "/") or len(w[i]) > 2 or not t.close(i + 1):
        return None
    day, month = int(w[i]), _number(t, i + 2, (1, 2))
    if not (0 < day < 32 and 0 < month < 13):
        return None
    if w[i + 3] == mark and t.close(i + 3) and (year := _number(t, i + 4, (2, 4))) >= 0:
        if w[i + 5] == mark and t.close(i + 5) and w[i + 6].isdecimal():
            return None
        return i + 5, Frame(date=(day, month, year if year > 99 else 2000 + year))
    if mark == "/" or (bare and not (len(w[i]) == len(w[i + 2]) == 2)) or w[i + 3] == "%":
        return None
    return i + 3, Frame(date=(day, month, 0))
