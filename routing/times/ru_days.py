"""Russian days and longer periods: everything that can stand after a preposition and is no clock."""

from __future__ import annotations

from routing.times.digits import date as digital_date
from routing.times.model import Frame, Match, forms
from routing.times.ru_amounts import number, ordinal
from routing.times.ru_words import (
    CARDINALS,
    COUNTED,
    DAY_ADJECTIVES,
    DAYS,
    EDGES,
    KINGS,
    MODIFIERS,
    MONTHS,
    MONTHS_GENITIVE,
    ORDINALS,
    PART_NOUNS,
    PARTS,
    SEASON_NOUNS,
    SEASONS,
    UNITS,
    WEEKDAYS,
)
from routing.times.tokens import Tokens

ACCUSATIVE, DATIVE, GENITIVE, PREPOSITIONAL, INSTRUMENTAL, BARE = "n", "d", "g", "p", "i", "*"

_WEEKDAY_FORMS: dict[str, frozenset[str]] = {
    ACCUSATIVE: forms("понедельник вторник среду четверг пятницу субботу воскресенье воскресение"),
    DATIVE: forms("понедельнику вторнику среде четвергу пятнице субботе воскресенью воскресению"),
    GENITIVE: forms("понедельника вторника среды четверга пятницы субботы воскресенья воскресения"),
    PREPOSITIONAL: frozenset(),
    INSTRUMENTAL: forms("понедельником вторником средой четвергом пятницей субботой воскресеньем"),
    BARE: forms("понедельник вторник среда среду четверг пятница пятницу суббота субботу воскресенье"),
}
_MONTH_ENDINGS = {
    ACCUSATIVE: "ьйт",
    DATIVE: "юу",
    GENITIVE: "яа",
    PREPOSITIONAL: "е",
    INSTRUMENTAL: "м",
    BARE: "",
}
# the environment, not the day
_MILIEU = forms("обитания разработки программирования исполнения выполнения общения")
_OFFSETS = {"this": 0, "near": 1, "next": 1, "last": -1}
_MONTH_WORDS = forms("месяца месяц")
_YEAR_WORDS = forms("года год году г")
# after an ordinal alone: a noun that agrees with it
_NOUN_ENDINGS = {
    "n": ("ое", "ие", "ье", "во", "ло", "то", "мя", "но", "ко"),
    "g": ("ого", "его", "а", "я"),
    "d": ("ому", "ему", "у", "ю"),
}
_DATE_WORDS = forms("число числа числу числе")
_WEEKEND = forms("выходные выходных выходным викенд уикенд")


def year_after(t: Tokens, i: int) -> tuple[int, int] | None:
    """A year at `i`, "2027 года", "две тысячи двадцать седьмого года", "сорок пятого": the year and index
    after it.
    """
    w = t.w
    if w[i].isdecimal():
        if len(w[i]) != 4 or not 1000 <= int(w[i]) <= 2999 or w[i + 1] == ":":
            return None
        return int(w[i]), i + 1 + (w[i + 1] in _YEAR_WORDS)
    base, j = 0, i
    if w[i] == "тысяча":
        base, j = 1000, i + 1
    elif w[i] == "две" and w[i + 1] == "тысячи":
        base, j = 2000, i + 2
    if base:
        hundreds = CARDINALS.get(w[j])
        if hundreds and hundreds[1] == 4:
            base, j = base + hundreds[0], j + 1
    read = ordinal(t, j)
    if read is None or read[2] not in "gp" or not (base or w[read[1]] in _YEAR_WORDS or read[0] > 31):
        return None
    value, j, _ = read
    if not base:
        base = 2000 if value <= 50 and value != 45 else 1900
    return base + value, j + (w[j] in _YEAR_WORDS)


def _with_year(t: Tokens, j: int, day: int, month: int) -> Match:
    """A date whose month ends at `j`, with the year after it, said outright or relative to this one."""
    found = year_after(t, j)
    if found is not None:
        return found[1], Frame(date=(day, month, found[0]))
    mod = MODIFIERS.get(t.w[j])
    if mod is not None and t.w[j + 1] == "года":
        return j + 2, Frame(date=(day, month, 0), period=("year", _OFFSETS[mod]))
    return j, Frame(date=(day, month, 0))


def dated(t: Tokens, i: int, case: str) -> Match | None:
    """A date at `i`: "23 мая", "двадцать третьего", "первого числа", "23.05.2027"."""
    w = t.w
    word = w[i]
    if word[:1].isdecimal():
        found = digital_date(t, i, bare=case in (BARE, ACCUSATIVE))
        if found is not None:
            return None if case == BARE and _is_version(t, i, found[0]) else found
    read = ordinal(t, i)
    tag = "*"
    if read is not None:
        day, j, tag = read
    elif word[:1].isdecimal() and len(word) <= 2:
        day, j = int(word), i + 1
    else:
        plain = number(t, i)
        if plain is None or w[plain[1]] not in MONTHS_GENITIVE:
            return None
        day, j, _ = plain
    if not 0 < day < 32:
        return None
    month = MONTHS_GENITIVE.get(w[j])
    if month is not None:
        return _with_year(t, j + 1, day, month)
    if w[j] in _DATE_WORDS:
        return _of_month(t, j + 1, day)
    if tag not in ("n", "g", "d") or (case != BARE and tag != ("n" if case == ACCUSATIVE else case)):
        return None
    if t.glued[j] or not _bare_ordinal(t, (i, j), day, tag, case):
        return None
    return j, Frame(date=(day, 0, 0))


def _is_version(t: Tokens, i: int, j: int) -> bool:
    """Whether figures like a date are a version or a price: "ubuntu 22.04", "12.10 рублей"."""
    before = t.w[i - 1] if i else ""
    return (before.isascii() and before.isalpha()) or before.startswith("верси") or t.w[j] in COUNTED


def _of_month(t: Tokens, j: int, day: int) -> Match:
    """A day of the month whose "числа" ends at `j`, with the month said after it."""
    w = t.w
    month = MONTHS_GENITIVE.get(w[j])
    if month is not None:
        return _with_year(t, j + 1, day, month)
    mod = MODIFIERS.get(w[j])
    if mod is not None and w[j + 1] == "месяца":
        return j + 2, Frame(date=(day, 0, 0), period=("month", _OFFSETS[mod]))
    if w[j] == "каждого" and w[j + 1] == "месяца":
        return j + 2, Frame(recur=("MONTHLY", 1, "", day))
    return j, Frame(date=(day, 0, 0))


def _bare_ordinal(t: Tokens, span: tuple[int, int], day: int, tag: str, case: str) -> bool:
    """Whether an ordinal alone is a day of the month: not "пятого этажа", "на второе", "карла пятого"."""
    i, j = span
    after = t.w[j]
    if case == BARE:
        before = t.w[i - 1] if i else ""
        if before.startswith(KINGS) or before in ("от", "из", "для", "у", "около", "без", "кроме", "вместо"):
            return False
        if tag == "d" or (tag == "n" and day < 11):
            return False
    if day <= 3 and not (t.scheduling() and not after.startswith("мест")):
        return False
    if after in COUNTED:
        return False
    endings = _NOUN_ENDINGS[tag]
    return not after.endswith(endings) or after in DAYS


def nominal(t: Tokens, i: int, case: str) -> Match | None:
    """A day, part, month, season, year, weekend or edge of one at `i`, in the case asked for."""
    w = t.w
    word = w[i]
    mod = MODIFIERS.get(word)
    if mod is not None:
        return _modified(t, i + 1, mod, case)
    rel = DAYS.get(word)
    if rel is not None:
        return i + 1, Frame(rel=rel)
    wd = WEEKDAYS.get(word)
    if wd is not None:
        if word not in _WEEKDAY_FORMS[case] or (wd == 2 and w[i + 1] in _MILIEU):
            return None
        return i + 1, Frame(wd=(wd, ""))
    if word in PART_NOUNS:
        return _part(t, i, case)
    if word in MONTHS:
        return _month(t, i, case)
    if word in EDGES and case != BARE:
        return _edge(t, i)
    if word in _WEEKEND:
        return i + 1, Frame(period=("weekend", 0))
    if word in SEASON_NOUNS and case in (ACCUSATIVE, DATIVE, GENITIVE):
        return i + 1, Frame(period=("season", SEASON_NOUNS[word], ""))
    if word in ("новый", "новому", "нового") and w[i + 1] in ("год", "году", "года"):
        return i + 2, Frame(date=(1, 1, 0))
    if word == "новом" and w[i + 1] == "году":
        return i + 2, Frame(period=("year", 1))
    if word in ("том", "той") and case == PREPOSITIONAL and w[i + 1] in ("году", "месяце", "неделе"):
        return i + 2, Frame(period=(UNITS[w[i + 1]], -1))
    if word == "неделе" and case == PREPOSITIONAL:
        return i + 1, Frame(period=("week", 0))
    stem = word[:-2] if word[-2:] in ("ий", "ее", "юю", "ей", "ем", "им", "яя") else word[:-3]
    rel = DAY_ADJECTIVES.get(stem)
    if rel is not None:
        part = PART_NOUNS.get(w[i + 1]) or PARTS.get(w[i + 1])
        if part is not None:
            return i + 2, Frame(rel=rel, part=part)
        return (i + 2, Frame(rel=rel)) if UNITS.get(w[i + 1]) == "day" else None
    if word[:1].isdecimal() or word in ORDINALS or word in CARDINALS or word == "тысяча":
        if case == PREPOSITIONAL:
            found = year_after(t, i)
            return (found[1], Frame(period=("year", found[0]))) if found and w[found[1] - 1] == "году" else None
        found_date = dated(t, i, case)
        if found_date is None and (found := year_after(t, i)) and w[found[1] - 1] in ("года", "год", "году"):
            return found[1], Frame(period=("year", found[0]))
        return found_date
    return None


def _modified(t: Tokens, i: int, mod: str, case: str) -> Match | None:
    """What follows "этот", "следующий", "прошлый" or "ближайший": `i` is the word after it."""
    word = t.w[i]
    offset = _OFFSETS[mod]
    wd = WEEKDAYS.get(word)
    if wd is not None:
        return i + 1, Frame(wd=(wd, "" if mod == "near" else mod))
    unit = UNITS.get(word)
    if unit in ("week", "month", "year") and word not in ("лет",):
        return i + 1, Frame(period=(unit, offset))
    if word in _WEEKEND:
        return i + 1, Frame(period=("weekend", 0 if mod == "near" else offset))
    if word in MONTHS:
        return i + 1, Frame(period=("named", MONTHS[word], 0, "" if mod == "near" else mod))
    season = SEASONS.get(word) or SEASON_NOUNS.get(word)
    if season:
        return i + 1, Frame(period=("season", season, "" if mod == "near" else mod))
    part = PARTS.get(word) or PART_NOUNS.get(word)
    if part is not None and part != "lunch":
        return i + 1, Frame(rel=0 if mod == "near" else offset, part=part)
    if unit == "day" and mod == "next" and case == ACCUSATIVE:
        return i + 1, Frame(rel=1)
    return None


def _part(t: Tokens, i: int, case: str) -> Match | None:
    """A part of day as a noun: "к вечеру", "до обеда", "на утро четверга"."""
    word = t.w[i]
    wd = WEEKDAYS.get(t.w[i + 1])
    if wd is not None and t.w[i + 1] in _WEEKDAY_FORMS[GENITIVE]:
        return i + 2, Frame(wd=(wd, ""), part=PART_NOUNS[word])
    allowed = {
        ACCUSATIVE: ("утро", "вечер", "ночь"), DATIVE: ("утру", "вечеру", "обеду", "ночи"),
        GENITIVE: ("утра", "вечера", "обеда", "ночи"),
    }.get(case, ())  # fmt: skip
    return (i + 1, Frame(part=PART_NOUNS[word])) if word in allowed else None


def _month(t: Tokens, i: int, case: str) -> Match | None:
    """A month on its own after a preposition, with its year if one is said."""
    word = t.w[i]
    if word[-1] not in _MONTH_ENDINGS[case]:
        return None
    month = MONTHS[word]
    found = year_after(t, i + 1)
    if found is not None:
        return found[1], Frame(period=("named", month, found[0], ""))
    mod = MODIFIERS.get(t.w[i + 1])
    if mod is not None and t.w[i + 2] == "года":
        return i + 3, Frame(period=("named", month, 0, mod + " year"))
    return i + 1, Frame(period=("named", month, 0, ""))


def _edge(t: Tokens, i: int) -> Match | None:
    """ "начале месяца", "конце следующей недели", "середине мая" at `i`."""
    w = t.w
    edge, j, offset = EDGES[w[i]], i + 1, 0
    mod = MODIFIERS.get(w[j])
    if mod is not None:
        offset, j = _OFFSETS[mod], j + 1
    unit = UNITS.get(w[j])
    if unit in ("week", "month", "year") and w[j] in ("недели", "месяца", "года"):
        return j + 1, Frame(period=("edge", edge, (unit, offset)))
    if w[j] == "дня" and mod in (None, "this") and w[j + 1] not in ("рождения", "рожденья"):
        return j + 1, Frame(part=("early", "day", "late")[edge])
    if w[j] in MONTHS_GENITIVE:
        return j + 1, Frame(period=("edge", edge, ("named", MONTHS_GENITIVE[w[j]], 0, mod or "")))
    return None
