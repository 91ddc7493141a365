"""What holds of times for any text, any now and any zone."""

from __future__ import annotations

import unicodedata
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

from hypothesis import example, given
from hypothesis import strategies as st

from routing.times import TimeExpression, find_times, parse_time
from routing.times.scan import TRIGGERS

GRAINS = {"second", "minute", "hour", "part", "day", "week", "month", "year"}
ZONES = st.one_of(
    st.sampled_from(
        ["Europe/Moscow", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu",
         "Pacific/Apia", "Africa/Casablanca", "UTC"]
    ).map(ZoneInfo),
    st.integers(-23 * 60, 23 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes))),
)  # fmt: skip
NOWS = st.datetimes(timezones=st.just(UTC))
PLAUSIBLE = st.datetimes(datetime(1990, 1, 1), datetime(2090, 1, 1), timezones=st.just(UTC))
_LITTLE = (
    "в во на к до с со по за через между и после около без каждый следующий прошлый этот раз назад числа "
    "at in on by for from to every next last this the of a an and past ago , - : . % ё й"
)
WORDS = st.one_of(st.sampled_from(sorted(TRIGGERS)), st.sampled_from(_LITTLE.split()), st.text(max_size=6))
SPEECH = st.lists(WORDS, max_size=12).flatmap(
    lambda words: st.sampled_from([" ", "-", ""]).map(lambda glue: (" " if glue == " " else glue).join(words))
)
AHEAD = (
    "утром", "днём", "вечером", "ночью", "в полдень", "в полночь", "по будням в 8", "каждый понедельник",
    "ежемесячно 31 числа", "каждый час",
)  # fmt: skip
TEXTS = st.one_of(st.text(max_size=200), SPEECH)


def _check(text: str, found: list[TimeExpression]) -> None:
    last = 0
    for item in found:
        assert last <= item.start < item.end <= len(text)
        assert text[item.start : item.end] == item.text
        assert item.grain in GRAINS
        assert item.resolved is (item.at is not None)
        assert item.at is None or item.at.utcoffset() is not None
        assert item.recurrence is None or item.recurrence.startswith("FREQ=")
        last = item.end


@given(TEXTS, NOWS, ZONES, st.booleans())
@example("тридцатое февраля", datetime(2027, 1, 1, tzinfo=UTC), UTC, False)
@example("в 25:70", datetime(2027, 1, 1, tzinfo=UTC), UTC, False)
@example("İ завтра ǰ в 7", datetime(2027, 1, 1, tzinfo=UTC), UTC, False)
@example("через 999999 лет", datetime(2027, 1, 1, tzinfo=UTC), UTC, False)
@example("каждый 0 день", datetime(2027, 1, 1, tzinfo=UTC), UTC, True)
@example("на ²е ¹ мая", datetime(2027, 1, 1, tzinfo=UTC), UTC, True)
@example("в ²", datetime(2027, 1, 1, tzinfo=UTC), UTC, True)
@example("в ٧ ٣٠", datetime(2027, 1, 1, tzinfo=UTC), UTC, True)
def test_any_text_at_any_time_gives_literal_spans(text: str, now: datetime, zone: tzinfo, durations: bool) -> None:
    _check(text, find_times(text, now, zone, durations=durations))
    whole = parse_time(text, now, zone, durations=durations)
    if whole is not None:
        _check(text, [whole])


@given(TEXTS, PLAUSIBLE)
@example("напомни\u0306 в 7", datetime(2027, 1, 1, tzinfo=UTC))
def test_composed_and_decomposed_text_are_the_same(text: str, now: datetime) -> None:
    composed = unicodedata.normalize("NFC", text)
    decomposed = unicodedata.normalize("NFD", text)
    a = find_times(composed, now, "Europe/Moscow")
    b = find_times(decomposed, now, "Europe/Moscow")
    assert [(x.at, x.end_at, x.grain, x.recurrence) for x in a] == [(x.at, x.end_at, x.grain, x.recurrence) for x in b]
    assert [x.text for x in a] == [unicodedata.normalize("NFC", x.text) for x in b]
    _check(decomposed, b)


@given(PLAUSIBLE, ZONES, st.integers(0, 23), st.integers(0, 59))
def test_a_past_clock_rolls_forward(now: datetime, zone: tzinfo, hour: int, minute: int) -> None:
    got = parse_time(f"напомни в {hour}:{minute:02d}", now, zone)
    assert got is not None
    assert got.at is not None
    assert got.at > now
    # a day has 25 hours where the clocks go back, and some zones have skipped a whole one
    assert got.at - now <= timedelta(hours=49)
    gap = got.at.replace(tzinfo=None) != got.at.astimezone(UTC).astimezone(zone).replace(tzinfo=None)
    assert not gap


@given(PLAUSIBLE, ZONES, st.sampled_from(AHEAD))
def test_what_names_no_day_is_ahead(now: datetime, zone: tzinfo, text: str) -> None:
    got = parse_time(text, now, zone)
    assert got is not None
    assert got.at is not None
    assert got.at > now


@given(PLAUSIBLE, ZONES, st.integers(1, 10_000))
def test_minutes_are_added_in_absolute_time(now: datetime, zone: tzinfo, minutes: int) -> None:
    got = parse_time(f"через {minutes} минут", now, zone)
    assert got is not None
    assert got.at == now + timedelta(minutes=minutes)
