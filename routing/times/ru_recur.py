"""Russian recurrences: "каждый понедельник", "по будням", "раз в полгода", "ежемесячно"."""

from __future__ import annotations

from collections.abc import Callable

from routing.times.model import Frame, Match, forms
from routing.times.recur import WEEKEND, WORKDAYS, byday, every, times_in
from routing.times.ru_amounts import amount, number, ordinal
from routing.times.ru_days import dated
from routing.times.ru_words import (
    DAY_GROUPS,
    EACH,
    PARTS_PLURAL,
    SIZES,
    UNITS,
    WEEKDAYS,
    WEEKDAYS_PLURAL,
)
from routing.times.tokens import Tokens

_PARTS = {"утро": "morning", "утра": "morning", "вечер": "evening", "вечера": "evening", "ночь": "night",
          "ночи": "night", "обед": "lunch", "полдень": "noon"}  # fmt: skip
_UNITS = forms("день дня сутки неделю недели месяц месяца год года час часа минуту минуты квартал секунду")
_FREQUENT = {"ежедневно": "DAILY", "еженедельно": "WEEKLY", "ежемесячно": "MONTHLY", "ежегодно": "YEARLY",
             "ежечасно": "HOURLY", "ежегодный": "YEARLY"}  # fmt: skip
_LAST = forms("последний последнюю последнее последнего последней")
_DATE_WORDS = ("число", "числа")


def _each(t: Tokens, i: int) -> Match | None:
    """After "каждый"."""
    w = t.w
    j = i + 1
    word = w[j]
    if word in WEEKDAYS:
        return _weekdays(t, j)
    if word in _PARTS:
        return j + 1, Frame(recur=("DAILY", 1, "", 0), part=_PARTS[word])
    if word in ("будний", "рабочий", "будние", "рабочие"):
        return j + 2, Frame(recur=("WEEKLY", 1, WORKDAYS, 0))
    if word in ("выходные", "выходной", "выходных"):
        return j + 1 + (w[j + 1] == "день"), Frame(recur=("WEEKLY", 1, WEEKEND, 0))
    if word in _LAST:
        return _place(t, j + 1, -1)
    place = ordinal(t, j)
    if place is not None and place[0] < 32:
        return _place(t, place[1], place[0]) or _yearly(t, j)
    read = number(t, j)
    if read is not None and w[read[1]] in _DATE_WORDS and 0 < read[0] < 32:
        return _of_month(t, read[1] + 1), Frame(recur=("MONTHLY", 1, "", read[0]))
    if read is not None and (yearly := _yearly(t, j)) is not None:
        return yearly
    if word in _UNITS:
        months, days, seconds, grain = SIZES[UNITS[word]]
        rule = every((months, days, seconds, grain, False))
        return (j + 1, Frame(recur=rule)) if rule else None
    length = amount(t, j)
    if length is not None and (rule := every(length[1])) is not None:
        return length[0], Frame(recur=rule)
    return None


def _yearly(t: Tokens, i: int) -> Match | None:
    """ "каждое 8 марта"."""
    found = dated(t, i, "*")
    if found is None or not found[1].date or not found[1].date[1]:
        return None
    found[1].recur = ("YEARLY", 1, "", 0)
    return found


def _weekdays(t: Tokens, i: int) -> Match:
    """Weekdays from `i`, joined by commas, "и" and a repeated "каждый"."""
    w = t.w
    days = [WEEKDAYS[w[i]]]
    j = i + 1
    while True:
        k = j + 1 if w[j] in ("и", ",") else j
        k += w[k] in EACH
        if k == j or w[k] not in WEEKDAYS:
            break
        days.append(WEEKDAYS[w[k]])
        j = k + 1
    return j, Frame(recur=("WEEKLY", 1, byday(days), 0))


def _of_month(t: Tokens, j: int) -> int:
    """The index after "месяца" or "каждого месяца", where that follows."""
    return j + (t.w[j] in ("месяца", "месяц")) if t.w[j] != "каждого" else j + 2 * (t.w[j + 1] == "месяца")


def _place(t: Tokens, j: int, place: int) -> Match | None:
    """After "каждый второй": a weekday, a day of the month, or a unit to skip."""
    w = t.w
    word = w[j]
    if word in WEEKDAYS:
        after = _of_month(t, j + 1)
        day = byday([WEEKDAYS[word]])
        # "каждый второй вторник" is every other one; the first, the last, and "... месяца" count within the
        # month
        if after > j + 1 or place in (1, -1):
            return after, Frame(recur=("MONTHLY", 1, f"{place}{day}", 0)) if place < 6 else Frame(broken=True)
        return j + 1, Frame(recur=("WEEKLY", place, day, 0))
    if word in _DATE_WORDS:
        return _of_month(t, j + 1), Frame(recur=("MONTHLY", 1, "", place))
    if place == -1:
        return (_of_month(t, j + 1), Frame(recur=("MONTHLY", 1, "", -1))) if word == "день" else None
    if word in _UNITS:
        months, days, seconds, grain = SIZES[UNITS[word]]
        rule = every((months * place, days * place, seconds * place, grain, False))
        return (j + 1, Frame(recur=rule)) if rule else None
    return None


def _along(t: Tokens, i: int) -> Match | None:
    """After "по": "по понедельникам и средам", "по будням", "по утрам"."""
    w = t.w
    word = w[i + 1]
    if word in PARTS_PLURAL and word != "дням":
        return i + 2, Frame(recur=("DAILY", 1, "", 0), part=PARTS_PLURAL[word])
    if word in DAY_GROUPS and word.endswith("м"):
        return i + 2 + (w[i + 2] in ("дням",)), Frame(recur=("WEEKLY", 1, DAY_GROUPS[word], 0))
    days: list[int] = []
    j = i + 1
    while w[j] in WEEKDAYS_PLURAL:
        days.append(WEEKDAYS_PLURAL[w[j]])
        j += 1
        k = j + (w[j] in ("и", ","))
        k += w[k] == "по"
        if w[k] not in WEEKDAYS_PLURAL:
            break
        j = k
    return (j, Frame(recur=("WEEKLY", 1, byday(days), 0))) if days else None


def _times(t: Tokens, i: int) -> Match | None:
    """ "раз в полгода", "один раз в день"; `_counted_times` has the numbers."""
    j = i
    if t.w[j] in ("один", "1"):
        j += 1
    if t.w[j] != "раз" or t.w[j + 1] not in ("в", "во"):
        return None
    length = amount(t, j + 2)
    if length is None or (rule := every(length[1])) is None:
        return None
    return length[0], Frame(recur=rule)


def counted_times(t: Tokens, i: int) -> Match | None:
    """ "два раза в день", "дважды в неделю"."""
    w = t.w
    if w[i] in ("дважды", "трижды"):
        count, j = (2 if w[i] == "дважды" else 3), i + 1
    else:
        read = number(t, i)
        if read is None or w[read[1]] not in ("раза", "раз"):
            return None
        count, j = read[0], read[1] + 1
    if w[j] not in ("в", "во") or w[j + 1] not in _UNITS:
        return None
    rule = times_in(count, UNITS[w[j + 1]])
    return j + 2, Frame(recur=rule, broken=rule is None)


def _frequent(t: Tokens, i: int) -> Match | None:
    """ "ежедневно", "ежемесячно"."""
    return i + 1, Frame(recur=(_FREQUENT[t.w[i]], 1, "", 0))


def _workdays(t: Tokens, i: int) -> Match | None:
    """ "в будни", "на будни": the working days, each of them."""
    return (i + 2, Frame(recur=("WEEKLY", 1, WORKDAYS, 0))) if t.w[i + 1] in ("будни", "будние") else None


workdays = _workdays
START: dict[str, Callable[[Tokens, int], Match | None]] = {
    **dict.fromkeys(EACH, _each), **dict.fromkeys(_FREQUENT, _frequent), "по": _along, "раз": _times,
    "дважды": counted_times, "трижды": counted_times,
}  # fmt: skip
