"""Russian time expressions: one function for each word that can begin one, found through `START`."""

from __future__ import annotations

from collections.abc import Callable

from routing.times.model import Amount, Frame, Match
from routing.times.recur import byday
from routing.times.ru_amounts import amount, clock, counted, number, ordinal
from routing.times.ru_days import (
    ACCUSATIVE,
    BARE,
    DATIVE,
    GENITIVE,
    PREPOSITIONAL,
    dated,
    nominal,
    year_after,
)
from routing.times.ru_recur import START as RECURRENCES
from routing.times.ru_recur import counted_times, workdays
from routing.times.ru_spans import between, since, until_after
from routing.times.ru_words import (
    CARDINALS,
    COUNTED,
    DAY_ADJECTIVES,
    DAYS,
    EDGES,
    HALF_HOURS,
    HALVES,
    MIDNIGHT,
    MODIFIERS,
    NEAR,
    NOON,
    ORDINALS,
    PART_NOUNS,
    PARTS,
    PARTS_OF_CLOCK,
    RECENT,
    SEASONS,
    SIZES,
    UNITS,
    WEEKDAYS,
    WHOLE,
)
from routing.times.tokens import Tokens

Handler = Callable[[Tokens, int], Match | None]
_BIRTHDAYS = ("рожд", "свад", "побед", "город", "знани", "матер", "независ", "учител")
_AGO = frozenset(("назад",))
_CLOCK_AFTER = frozenset(("в", "к", "до", "около", "после"))


def _clock(t: Tokens, i: int, cases: str) -> Match | None:
    """A clock after a preposition that also counts ("до", "к", "после"): not beside a sum or a setting."""
    read = clock(t, i, cases)
    if read is None or (not read[2] and t.measuring()):
        return None
    return read[0], read[1]


def _in(t: Tokens, i: int) -> Match | None:
    """After "в", "во"."""
    w = t.w
    word = w[i + 1]
    place = ordinal(t, i + 1)
    if place is not None and w[place[1]] in WEEKDAYS and w[place[1] + 1] == "месяца" and place[0] < 6:
        rule = ("MONTHLY", 1, f"{place[0]}{byday([WEEKDAYS[w[place[1]]]])}", 0)
        return place[1] + 2, Frame(recur=rule)
    if word == "обед":
        return i + 2, Frame(part="lunch")
    if word in ("будни", "будние"):
        return workdays(t, i)
    if word == "час" and i and (w[i - 1] in CARDINALS or w[i - 1].isdecimal() or w[i - 1] in COUNTED):
        # a rate: "четыреста рублей в час"
        return None
    if word == "ночь" and w[i + 2] == "на":
        night = nominal(t, i + 3, ACCUSATIVE)
        if night is not None and night[1].part is None:
            night[1].part = "small hours"
        return night
    if word in NEAR or word in RECENT:
        found = _coming(t, i + 1)
        if found is not None:
            return found
    if word in ORDINALS or word[:1].isdecimal() or word in CARDINALS or word == "тысяча":
        year = nominal(t, i + 1, PREPOSITIONAL)
        if year is not None:
            return year
        read = clock(t, i + 1, "n")
        if read is not None:
            return until_after(t, read[0], read[1])
        return _with_month(t, i + 1)
    found = nominal(t, i + 1, ACCUSATIVE) if word not in EDGES and word not in PART_NOUNS else None
    found = found or nominal(t, i + 1, PREPOSITIONAL)
    if found is not None:
        return found
    read = clock(t, i + 1, "n")
    return (read[0], read[1]) if read is not None else None


def _with_month(t: Tokens, i: int) -> Match | None:
    """A date after "в", which wants its month: "в 23 мая" is heard, "в первое" is not a day."""
    found = dated(t, i, ACCUSATIVE)
    return found if found is not None and found[1].date and found[1].date[1] else None


def _coming(t: Tokens, i: int) -> Match | None:
    """ "ближайший час", "ближайшие три дня", "последнюю неделю": a stretch from or up to now."""
    read = amount(t, i + 1)
    if read is None:
        if t.w[i + 1] == "дни":
            read = i + 2, (0, 3, 0, "day", True)
        elif t.w[i + 1] in UNITS and (months := _whole(t.w[i + 1])):
            read = i + 2, months
    if read is None:
        return None
    if t.w[i] in RECENT:
        return read[0], Frame(offset=_negative(read[1]), back=True)
    return read[0], Frame(offset=read[1], back=True)


def _whole(word: str) -> Amount | None:
    """One of the unit that `word` names."""
    size = SIZES.get(UNITS[word])
    return (*size, False) if size else None


def _negative(size: Amount) -> Amount:
    """As long, backwards."""
    return -size[0], -size[1], -size[2], size[3], size[4]


def _on(t: Tokens, i: int) -> Match | None:
    """After "на": a clock said as one, a length of time, a day, or, beside an alarm, a bare number."""
    word = t.w[i + 1]
    found: Match | None
    if word in ("будни", "будние"):
        return workdays(t, i)
    if word[:1].isdecimal():
        found = dated(t, i + 1, ACCUSATIVE)
        if found is not None:
            return found
    read = clock(t, i + 1, "n")
    length = amount(t, i + 1)
    if read is not None and read[2]:
        hours = length is not None and length[0] == read[0]
        # "на восемь часов" is a clock to an alarm and a length to a timer; "на час" is a length to both
        if not hours or (t.scheduling() and word not in UNITS and not read[1].part):
            return read[0], read[1]
    if length is not None and not t.w[length[0]].startswith(_BIRTHDAYS):
        j = length[0]
        if t.w[j] in ("позже", "раньше", "вперед", "назад", "позднее", "пораньше", "попозже"):
            # measured from another time that the utterance does not give
            return j + 1, Frame(broken=True)
        return j, Frame(offset=length[1])
    found = nominal(t, i + 1, ACCUSATIVE) or nominal(t, i + 1, PREPOSITIONAL)
    if found is not None:
        return found
    if read is not None and t.scheduling():
        return read[0], read[1]
    return (i + 2, Frame(rel=0, broken=True)) if word == "днях" else None


def _to(t: Tokens, i: int) -> Match | None:
    """After "к", "ко"."""
    return nominal(t, i + 1, DATIVE) or _clock(t, i + 1, "d")


def _genitive(t: Tokens, i: int) -> Match | None:
    """After "до", "около", "с наступлением" and the like."""
    return nominal(t, i + 1, GENITIVE) or _clock(t, i + 1, "g")


def _after(t: Tokens, i: int) -> Match | None:
    """After "после"."""
    if t.w[i + 1] == "обеда":
        return i + 2, Frame(part="afternoon")
    return _genitive(t, i)


def _within(t: Tokens, i: int) -> Match | None:
    """After "за": a past stretch ("за последний месяц"), a day, or a lead before an event ("за час до
    вылета").
    """
    w = t.w
    word = w[i + 1]
    if word in RECENT:
        return _coming(t, i + 1)
    length = amount(t, i + 1)
    if length is not None:
        j = length[0]
        if w[j] == "до" and w[j + 1]:
            return j + 2, Frame(broken=True)
        if t.scheduling():
            # "напомни за час": a lead before an event told elsewhere
            return j, Frame(broken=True)
        if length[1][2] == 0 and not w[j].startswith(_BIRTHDAYS):
            return j, Frame(offset=_negative(length[1]), back=True)
        return None
    if word in WHOLE and w[i + 2] in UNITS and (size := _whole(w[i + 2])) and size[2] == 0:
        return i + 3, Frame(offset=_negative(size), back=True)
    found = nominal(t, i + 1, ACCUSATIVE)
    if found is not None and found[1].part is not None and found[1].rel is None and found[1].wd is None:
        found[1].rel = 0
    return found


def _through(t: Tokens, i: int) -> Match | None:
    """After "через", "спустя": "через полчаса", "через минут десять"."""
    read = amount(t, i + 1)
    if read is not None:
        if t.w[read[0]].startswith(_BIRTHDAYS):
            return None
        return read[0], Frame(offset=read[1], broken=read[1][4])
    return _inverted(t, i + 1, i + 2)


def _inverted(t: Tokens, i: int, j: int) -> Match | None:
    """A unit at `i` and its number at `j`: "минут через десять", "через недели две"."""
    unit = t.w[i]
    if unit not in UNITS:
        return None
    read = number(t, j)
    if read is None or counted(t, read[1]):
        return None
    size = _whole(unit)
    if size is None:
        return None
    n = read[0]
    return read[1], Frame(offset=(size[0] * n, size[1] * n, size[2] * n, size[3], False))


def _unit(t: Tokens, i: int) -> Match | None:
    """A unit first: "минут через десять", "часов в семь", "неделю назад", "час дня"."""
    w = t.w
    after = w[i + 1]
    before = w[i - 1] if i else ""
    if after == "через":
        return _inverted(t, i, i + 2)
    if after == "на" and UNITS[w[i]] != "year":
        return _inverted(t, i, i + 2)
    if w[i] in ("часов", "часа", "часам", "часу", "часиков") and after in _CLOCK_AFTER and before != "сколько":
        read = clock(t, i + 2, {"в": "n", "к": "d"}.get(after, "g"))
        return (read[0], read[1]) if read else None
    swapped = _inverted(t, i, i + 1)
    if swapped is not None and w[swapped[0]] in _AGO and swapped[1].offset:
        return swapped[0] + 1, Frame(offset=_negative(swapped[1].offset))
    if swapped is not None and t.durations:
        return swapped
    return _length(t, i) or _said(t, i)


def _said(t: Tokens, i: int) -> Match | None:
    """A clock with no preposition that its own words give away: "час дня", "без пяти пять", "полвосьмого"."""
    read = clock(t, i, "n")
    if read is None or not (read[2] or read[1].clock):
        return None
    j, frame, strong = read
    word = t.w[i]
    if frame.part == "day" and frame.clock and frame.clock[3] == "hour" and "час" not in t.w[j - 2]:
        # "гостил три дня" is a length
        return None
    if word[:1].isdecimal() and t.w[i + 1] in (".", "-") and t.close(i + 1):
        # "11.30" may be a price and "18-20" a telephone's end
        frame.weak = t.w[i + 1] == "."
        return (j, frame) if frame.weak else None
    if not strong or (frame.part is None and (word in CARDINALS or word[:1].isdecimal() or word in UNITS)):
        whole = frame.clock is not None and (frame.clock[3] == "hour" or frame.clock[:2] == (0, 0))
        digital = frame.broken or (frame.clock is not None and frame.clock[3] == "digital")
        if digital or "минут" in t.w[i + 1 : j]:
            return until_after(t, j, frame)
        if j == i + 1 or (whole and not strong):
            return None
        # "завтра семь пятнадцать", "завтра 8 часов": a time only beside one, or the first in a reminder
        frame.weak = True
        return j, frame
    return until_after(t, j, frame)


def _length(t: Tokens, i: int) -> Match | None:
    """A length of time with no preposition: a past instant before "назад", a timer's length where those are
    asked for.
    """
    read = amount(t, i)
    if read is None:
        return None
    j, size = read
    if t.w[j] == "тому" and t.w[j + 1] in _AGO:
        j += 1
    if t.w[j] in _AGO:
        return j + 1, Frame(offset=_negative(size), broken=size[4])
    if t.durations and not t.w[j].startswith(_BIRTHDAYS) and t.w[j] not in PARTS_OF_CLOCK:
        return j, Frame(offset=size, broken=size[4])
    return None


def _number(t: Tokens, i: int) -> Match | None:
    """A number or an ordinal first: a date, "три дня назад", a clock that its own words give away."""
    return dated(t, i, BARE) or counted_times(t, i) or _length(t, i) or _said(t, i)


def _day(t: Tokens, i: int) -> Match | None:
    """ "завтра", "суббота", "следующий вторник", "утро четверга"."""
    word = t.w[i]
    if word in WEEKDAYS and i and WEEKDAYS[word] == 2 and t.w[i - 1].endswith(("ая", "ую", "ой", "ей")):
        return None
    return nominal(t, i, BARE)


def _part(t: Tokens, i: int) -> Match | None:
    """An adverb of the part of day; "днем" is often a noun ("с днем рождения")."""
    word = t.w[i]
    before = t.w[i - 1] if i else ""
    if before in ("добрым", "доброй"):
        return None
    if word == "днем" and (t.w[i + 1].startswith(_BIRTHDAYS) or before in ("с", "каждым") or before.endswith("им")):
        return None
    return i + 1, Frame(part=PARTS[word])


def _early(t: Tokens, i: int) -> Match | None:
    """ "рано утром", "поздним вечером", "глубокой ночью"."""
    part = PARTS.get(t.w[i + 1])
    if part is None:
        return None
    part = {"morning": "early", "evening": "late"}.get(part, part) if t.w[i] != "глубокой" else part
    return i + 2, Frame(part=part)


def _season(t: Tokens, i: int) -> Match | None:
    """ "весной", "летом 2020 года", "летом прошлого года"."""
    month = SEASONS[t.w[i]]
    found = year_after(t, i + 1)
    if found is not None:
        return found[1], Frame(period=("season", month, found[0]))
    mod = MODIFIERS.get(t.w[i + 1])
    if mod is not None and t.w[i + 2] == "года":
        return i + 3, Frame(period=("season", month, mod))
    return i + 1, Frame(period=("season", month, ""))


def _under(t: Tokens, i: int) -> Match | None:
    """ "под утро", "среди ночи", "посреди дня"."""
    part = PART_NOUNS.get(t.w[i + 1])
    return (i + 2, Frame(part=part)) if part is not None and part != "lunch" else None


def _all(t: Tokens, i: int) -> Match | None:
    """ "весь день", "весь вечер", "всю неделю"."""
    word = t.w[i + 1]
    if word == "день" and not t.w[i + 2].startswith(_BIRTHDAYS):
        return i + 2, Frame(rel=0)
    if word in ("вечер", "ночь"):
        return i + 2, Frame(rel=0, part=PART_NOUNS[word])
    return (i + 2, Frame(period=("week", 0))) if word == "неделю" else None


def _about(t: Tokens, i: int) -> Match | None:
    """A word of precision before a time, which belongs to it: "ровно в полдень", "не позже семи"."""
    j = i + 1
    if t.w[i] == "где":
        if t.w[j] != "то":
            return None
        j += 1
    if t.w[i] == "не":
        if t.w[j] not in ("позже", "позднее", "раньше"):
            return None
        return _genitive(t, j)
    if t.w[i] == "начиная" and t.w[j] not in ("с", "со"):
        return None
    begin = START.get(t.w[j])
    if begin is None:
        return _number(t, j) if t.w[j][:1].isdecimal() else None
    return begin(t, j) if begin is not _about else None


def _bare_day(t: Tokens, i: int) -> Match | None:
    """A noun of the part of day, which alone is no time ("доброе утро") but with a weekday is."""
    return nominal(t, i, BARE) if t.w[i + 1] in WEEKDAYS else None


def _start() -> dict[str, Handler]:
    """The word that begins an expression to the function that reads it; the later row wins."""
    table: dict[str, Handler] = {}
    rows: tuple[tuple[Handler, object], ...] = (
        (_bare_day, PART_NOUNS), (_number, CARDINALS), (_number, ORDINALS), (_unit, UNITS), (_length, HALVES),
        (_number, ("тысяча", "полтора", "полторы", "полутора", "пара", "пару", "парочку")),
        (_number, ("несколько",)),
        (_said, (*HALF_HOURS, *(NOON - {"полдня"}), *MIDNIGHT)),
        (_said, ("без", "пол", "половина", "половину", "четверть")),
        (_day, WEEKDAYS), (_day, DAYS), (_day, MODIFIERS),
        (_day, [stem + end for stem in DAY_ADJECTIVES for end in ("ий", "ее", "юю", "им", "ей", "его")]),
        (_part, PARTS), (_season, SEASONS), (_in, ("в", "во")), (_on, ("на",)), (_to, ("к", "ко")),
        (_genitive, ("до", "около")), (_after, ("после",)), (since, ("с", "со", "от")), (_within, ("за",)),
        (_through, ("через", "спустя")), (between, ("между",)), (_under, ("под", "среди", "посреди")),
        (_all, WHOLE), (_early, ("рано", "ранним", "поздно", "поздним", "глубокой")),
        (_about, ("ровно", "примерно", "приблизительно", "где", "ближе", "не", "начиная", "строго")),
        (_about, ("ориентировочно",)),
    )  # fmt: skip
    for handler, words in rows:
        table.update(dict.fromkeys(words, handler))  # type: ignore[call-overload]
    table.update(RECURRENCES)
    return table


START: dict[str, Handler] = _start()
number_first = _number
