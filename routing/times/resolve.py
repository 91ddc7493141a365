"""From what words name to an instant: the rules of rolling forward, of days and months, and of daylight
saving.

All calendar arithmetic is on the caller's wall clock; only lengths under a day are added in absolute time
("через два часа" across a change of the clocks is two hours). An instant in a daylight-saving gap moves
forward by the gap, an ambiguous one is the first of the two.
"""

from __future__ import annotations

from calendar import monthrange
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from routing.times import recur
from routing.times.model import DAY, HOUR, MINUTE, MONTH, PART, SECOND, WEEK, YEAR, Frame

PARTS: dict[str, tuple[int, int]] = {
    # when people who said only the part want to hear of it: after waking and dressing, at the meal, after
    # work
    "early": (7, 0),
    "morning": (9, 0),
    "noon": (12, 0),
    "day": (13, 0),
    "lunch": (13, 0),
    "afternoon": (15, 0),
    "evening": (19, 0),
    "tonight": (20, 0),
    "late": (22, 0),
    # the last hour that is still on the day named, so "в субботу ночью" does not become Sunday
    "night": (23, 0),
    # "в ночь на субботу" is where Saturday begins
    "small hours": (0, 0),
}
"""Part of day to the hour and minute it stands for."""

Resolved = tuple[datetime | None, datetime | None, str, str | None]
"""Instant, other end, grain, RRULE."""

_MIDNIGHT = time(0)


class Unresolvable(Exception):
    """The words name no instant: a date that no calendar has, or one beyond the years a datetime holds."""


def resolve(f: Frame, now: datetime, zone: tzinfo) -> Resolved:
    """The instant that `f` names, counted from the aware `now` in `zone`; None where it names none."""
    grain = _spoken_grain(f)
    if f.broken:
        return None, None, grain, None
    try:
        return _resolve(f, now, zone, grain)
    except (Unresolvable, OverflowError, ValueError):
        return None, None, grain, None


def _resolve(f: Frame, now: datetime, zone: tzinfo, grain: str) -> Resolved:
    wall = now.astimezone(zone).replace(tzinfo=None, fold=0)
    if f.recur is not None:
        at, rule, grain = _recurring(f, now, wall, zone)
        return at, _end(f, at, zone) if f.end else None, grain, rule
    if f.offset is not None and (f.offset[2] or not (f.clock or f.part or f.wd)):
        shifted = _shift(f.offset, now, wall, zone)
        if not f.back:
            return shifted, None, grain, None
        here = now.astimezone(zone)
        return (shifted, here, grain, None) if shifted < here else (here, shifted, grain, None)
    day = _day(f, wall)
    at = _localise(datetime.combine(day or wall.date(), _time(f)), zone)
    if f.clock is not None and f.clock[3] == "midnight":
        at = _localise(datetime.combine((day or wall.date()) + timedelta(days=1), _MIDNIGHT), zone)
    elif at <= now and (f.clock is not None or f.part is not None):
        at = _rolled(f, day, at, now, zone)
    return at, _end(f, at, zone) if f.end else None, grain, None


def _rolled(f: Frame, day: date | None, at: datetime, now: datetime, zone: tzinfo) -> datetime:
    """The instant instead of `at`, a time of day that is over: the next day where none was named."""
    today = now.astimezone(zone).date()
    if day is None:
        return _localise(datetime.combine(today + timedelta(days=1), _time(f)), zone)
    if f.clock is not None and f.part is None and f.rel == 0 and f.clock[3] != "digital" and f.clock[0] < 12:
        # "сегодня в семь" said at eight can only be the evening
        evening = _localise(datetime.combine(day, _time(f)) + timedelta(hours=12), zone)
        return evening if evening > now else at
    small = f.part == "night" and f.clock is not None and _time(f).hour < 7
    if f.clock is not None and f.rel == 0 and (f.clock[:3] == (0, 0, 0) or small):
        # "сегодня в два часа ночи" is the night ahead
        return _localise(datetime.combine(day + timedelta(days=1), _time(f)), zone)
    if f.date is not None and f.period is None and not f.date[2]:
        number, month, _ = f.date
        after = today + timedelta(days=1)
        return _localise(datetime.combine(_next_date(after, number, month), _time(f)), zone)
    return at


def _spoken_grain(f: Frame) -> str:
    """The finest unit that was said."""
    if f.offset is not None and not (f.clock or f.part):
        return DAY if f.wd is not None else f.offset[3]
    if f.clock is not None:
        _, _, second, kind = f.clock
        return SECOND if second else HOUR if kind == "hour" else MINUTE
    if f.part is not None:
        return PART
    if f.wd is not None or f.date is not None or f.rel is not None:
        return DAY
    if f.period is not None:
        kind = str(f.period[0])
        return {"week": WEEK, "month": MONTH, "year": YEAR, "named": MONTH, "season": MONTH}.get(kind, DAY)
    return MINUTE


def _localise(wall: datetime, zone: tzinfo) -> datetime:
    """The wall time in `zone`: through UTC and back, which moves a time in a gap forward by the gap."""
    return wall.replace(tzinfo=zone).astimezone(UTC).astimezone(zone)


def _time(f: Frame) -> time:
    """The time of day, its part applied to a clock of twelve hours; midnight where neither was said."""
    if f.clock is None:
        hour, minute = PARTS[f.part] if f.part else (0, 0)
        return time(hour, minute)
    hour, minute, second, kind = f.clock
    part = f.part
    if part is None or kind == "midnight" or hour > 12:
        return time(hour, minute, second)
    if part in ("morning", "early", "am"):
        hour = 0 if hour == 12 and part == "am" else hour
    elif part == "night":
        # small hours as they are, "одиннадцать ночи" before midnight
        hour = hour % 12 if hour < 7 or hour == 12 else hour + 12
    elif part in ("noon", "lunch", "day"):
        hour += 12 if hour < 7 else 0
    else:
        hour = 12 if hour == 12 and part in ("pm", "afternoon") else hour % 12 + 12 if hour < 12 else 0
    return time(hour, minute, second)


def _months_later(day: date, months: int) -> date:
    """The same day `months` later, or the last of that month where it is shorter."""
    index = day.year * 12 + day.month - 1 + months
    year, month = divmod(index, 12)
    if not 1 <= year <= 9999:
        raise Unresolvable
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def _shift(offset: tuple[int, int, int, str, bool], now: datetime, wall: datetime, zone: tzinfo) -> datetime:
    """`now` moved by months, days (on the wall clock) and seconds (in absolute time)."""
    months, days, seconds, _, vague = offset
    if vague and not days:
        raise Unresolvable
    if not months and not days:
        return (now.astimezone(UTC) + timedelta(seconds=seconds)).astimezone(zone)
    day = _months_later(wall.date(), months) + timedelta(days=days)
    at = _localise(datetime.combine(day, wall.time()), zone)
    return (at.astimezone(UTC) + timedelta(seconds=seconds)).astimezone(zone) if seconds else at


def _day(f: Frame, wall: datetime) -> date | None:
    """The day that was named, or the first day of the week, month or year; None where none was."""
    today = wall.date()
    if f.offset is not None:
        day = _months_later(today, f.offset[0]) + timedelta(days=f.offset[1])
        return day + timedelta(days=f.wd[0] - day.weekday()) if f.wd is not None else day
    if f.rel is not None:
        return today + timedelta(days=f.rel)
    if f.date is not None:
        return _date(f, today)
    monday = today - timedelta(days=today.weekday())
    if f.wd is not None:
        wd, mod = f.wd
        if f.period is not None and f.period[0] == "week":
            return monday + timedelta(days=7 * _int(f.period[1]) + wd)
        if mod == "this":
            return monday + timedelta(days=wd)
        if mod == "next":
            return monday + timedelta(days=7 + wd)
        if mod == "last":
            return today - timedelta(days=(today.weekday() - wd - 1) % 7 + 1)
        if f.period is not None:
            today = _period(f.period, today) - timedelta(days=1)
        return today + timedelta(days=(wd - today.weekday() - 1) % 7 + 1)
    return _period(f.period, today) if f.period is not None else None


def _int(value: object) -> int:
    """A number kept in a frame's period, whose places differ by kind."""
    assert isinstance(value, int)
    return value


def _date(f: Frame, today: date) -> date:
    """The date that was named; the next one where its month or year was not."""
    assert f.date is not None
    day, month, year = f.date
    if f.period is not None:
        first = _period(f.period, today)
        return _real(first.year, month or first.month, day)
    if year:
        return _real(year, month, day)
    return _next_date(today, day, month)


def _real(year: int, month: int, day: int) -> date:
    """The date, or `Unresolvable` for the thirtieth of February."""
    try:
        return date(year, month, day)
    except ValueError as error:
        raise Unresolvable from error


def _next_date(start: date, day: int, month: int) -> date:
    """The first such date on or after `start`: of that month, or (0) of the next month that has the day."""
    if month:
        # eight years hold a leap year even around 1900 and 2100
        for year in range(start.year, start.year + 9):
            if day <= monthrange(year, month)[1] and (found := date(year, month, day)) >= start:
                return found
        raise Unresolvable
    index = start.year * 12 + start.month - 1
    for ahead in range(4):
        year, zero_month = divmod(index + ahead, 12)
        if day <= monthrange(year, zero_month + 1)[1]:
            found = date(year, zero_month + 1, day)
            if found >= start:
                return found
    raise Unresolvable


def _period(period: tuple[object, ...], today: date) -> date:
    """The first day of a week, month, season or year, the Saturday of a weekend, or the day at a period's
    edge.
    """
    kind = period[0]
    if kind == "week":
        return today - timedelta(days=today.weekday()) + timedelta(days=7 * _int(period[1]))
    if kind == "month":
        return _months_later(today.replace(day=1), _int(period[1]))
    if kind == "year":
        # an offset from this year, or a year outright
        value = _int(period[1])
        return date(value if value > 99 else today.year + value, 1, 1)
    if kind == "weekend":
        offset = _int(period[1])
        saturday = today + timedelta(days=5 - today.weekday() + 7 * offset)
        # on a Sunday the weekend is already here
        return today if offset == 0 and today.weekday() == 6 else saturday
    if kind == "edge":
        return _edge(_int(period[1]), period[2], today)
    month, year = _int(period[1]), 0
    mod = period[2] if kind == "season" else period[3]
    if kind == "named":
        year = _int(period[2])
    elif isinstance(mod, int):
        year, mod = mod, ""
    length = 3 if kind == "season" else 1
    if year:
        return date(year, month, 1)
    if mod == "this" and month != 12:
        mod = "this year"
    if isinstance(mod, str) and mod.endswith(" year"):
        return date(today.year + {"this": 0, "near": 1, "next": 1, "last": -1}[mod[:-5]], month, 1)
    first = date(today.year, month, 1)
    if _months_later(first, length - 12) > today:
        # January is in the winter that began last year
        first = _months_later(first, -12)
    elif _months_later(first, length) <= today:
        first = _months_later(first, 12)
    if mod == "next" and first <= today:
        return _months_later(first, 12)
    if mod == "last":
        return first if _months_later(first, length) <= today else _months_later(first, -12)
    return first


def _edge(edge: int, period: object, today: date) -> date:
    """The first, middle or last day of a period; the next one's where this one's is over."""
    assert isinstance(period, tuple)
    first = _period(period, today)
    kind = period[0]
    found = _edge_of(edge, kind, first)
    named_offset = kind != "named" and period[1] != 0
    if found < today and not named_offset:
        ahead = {"week": first + timedelta(days=7), "month": _months_later(first, 1)}
        found = _edge_of(edge, kind, ahead.get(str(kind)) or _months_later(first, 12))
    return found


def _edge_of(edge: int, kind: object, first: date) -> date:
    """The start (0), middle (1) or last day (2) of the period that begins at `first`."""
    if edge == 0:
        return first
    if kind == "week":
        return first + timedelta(days=2 if edge == 1 else 6)
    if kind == "year":
        return date(first.year, 7, 1) if edge == 1 else date(first.year, 12, 31)
    return first.replace(day=15 if edge == 1 else monthrange(first.year, first.month)[1])


def _end(f: Frame, at: datetime, zone: tzinfo) -> datetime | None:
    """The other end of a span that begins at `at`: the first such time after it."""
    end = f.end
    assert end is not None
    start = at.replace(tzinfo=None)
    if end.clock is not None:
        if end.clock[3] == "midnight":
            return _localise(datetime.combine(start.date() + timedelta(days=1), _MIDNIGHT), zone)
        until = datetime.combine(start.date(), _time(end if end.part or not f.part else _with_part(end, f.part)))
        if until <= start and end.part is None and end.clock[3] != "digital" and end.clock[0] < 12:
            # "с десяти до двух" is a working day's way to say 14:00
            until += timedelta(hours=12)
        return _localise(until if until > start else until + timedelta(days=1), zone)
    if end.part is not None and end.wd is None and end.rel is None:
        until = datetime.combine(start.date(), _time(end))
        return _localise(until if until > start else until + timedelta(days=1), zone)
    if end.date is not None and end.period is None and not end.date[2]:
        return _localise(datetime.combine(_next_date(start.date(), end.date[0], end.date[1]), _time(end)), zone)
    day = _day(end, start)
    return _localise(datetime.combine(day, _time(end)), zone) if day is not None else None


def _with_part(f: Frame, part: str) -> Frame:
    """The clock of `f` in `part` where it would otherwise lie before it."""
    return Frame(clock=f.clock, part=part if part in ("evening", "pm", "afternoon", "day") else None)


def _recurring(f: Frame, now: datetime, wall: datetime, zone: tzinfo) -> tuple[datetime, str, str]:
    """The first occurrence after `now`, the rule, and the grain."""
    assert f.recur is not None
    freq, interval, days, monthday = f.recur
    grain = {"DAILY": DAY, "WEEKLY": WEEK, "MONTHLY": MONTH, "YEARLY": YEAR, "HOURLY": HOUR,
             "MINUTELY": MINUTE, "SECONDLY": SECOND}[freq]  # fmt: skip
    month = 0
    if f.date is not None:
        monthday, month = f.date[0], f.date[1]
        freq = "YEARLY" if month else "MONTHLY"
        if month and monthday > monthrange(2024, month)[1]:
            raise Unresolvable
    if days or monthday:
        grain = DAY
    rule = recur.text((freq, interval, days, monthday), month)
    if freq in ("HOURLY", "MINUTELY", "SECONDLY"):
        seconds = {"HOURLY": 3600, "MINUTELY": 60, "SECONDLY": 1}[freq] * interval
        return (now.astimezone(UTC) + timedelta(seconds=seconds)).astimezone(zone), rule, grain
    timed = f.clock is not None or f.part is not None
    if timed:
        grain = _spoken_grain(Frame(clock=f.clock, part=f.part))
    at_time = _time(f)
    if f.clock is not None and f.clock[3] == "midnight":
        at_time = _MIDNIGHT
    today = wall.date()
    day = today
    # daily saving gaps apart, the second try is already after now
    for _ in range(4):
        day = _occurrence(day, freq, days, monthday, month)
        at = _localise(datetime.combine(day, at_time), zone)
        if at > now and (timed or day > today):
            break
        day += timedelta(days=1)
    if not timed and not days and not monthday:
        step = (0, interval) if freq == "DAILY" else (0, 7 * interval) if freq == "WEEKLY" else (
            interval * (12 if freq == "YEARLY" else 1), 0)  # fmt: skip
        at = _localise(datetime.combine(_months_later(today, step[0]) + timedelta(days=step[1]), _MIDNIGHT), zone)
    return at, rule, grain


def _occurrence(start: date, freq: str, days: str, monthday: int, month: int) -> date:
    """The first day on or after `start` that the rule allows."""
    if monthday > 0:
        return _next_date(start, monthday, month)
    if monthday < 0:
        return start.replace(day=monthrange(start.year, start.month)[1])
    if not days:
        return start
    if freq == "MONTHLY":
        place, wd = int(days[:-2]), recur.WEEKDAYS.index(days[-2:])
        for ahead in range(14):
            first = _months_later(start.replace(day=1), ahead)
            found = _nth(first, place, wd)
            if found is not None and found >= start:
                return found
        raise Unresolvable
    allowed = [recur.WEEKDAYS.index(day) for day in days.split(",")]
    return start + timedelta(days=min((wd - start.weekday()) % 7 for wd in allowed))


def _nth(first: date, place: int, wd: int) -> date | None:
    """The `place`-th (-1 last) weekday `wd` of the month that begins at `first`; None where it has none."""
    length = monthrange(first.year, first.month)[1]
    day = 1 + (wd - first.weekday()) % 7
    if place < 0:
        return first.replace(day=day + (length - day) // 7 * 7)
    day += 7 * (place - 1)
    return first.replace(day=day) if day <= length else None
