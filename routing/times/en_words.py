"""English words of time."""

from __future__ import annotations

from routing.times.model import DAY, HOUR, MINUTE, MONTH, SECOND, WEEK, YEAR, forms, ordered

UNITS: dict[str, str] = {
    form: name
    for name, listed in {
        "second": "second seconds sec secs",
        "minute": "minute minutes min mins",
        "hour": "hour hours hr hrs h",
        "day": "day days",
        "week": "week weeks",
        "fortnight": "fortnight fortnights",
        "month": "month months",
        "quarter": "quarter quarters",
        "year": "year years",
    }.items()
    for form in listed.split()
}
SIZES: dict[str, tuple[int, int, int, str]] = {
    "second": (0, 0, 1, SECOND),
    "minute": (0, 0, 60, MINUTE),
    "hour": (0, 0, 3600, HOUR),
    "day": (0, 1, 0, DAY),
    "week": (0, 7, 0, WEEK),
    "fortnight": (0, 14, 0, WEEK),
    "month": (1, 0, 0, MONTH),
    "quarter": (3, 0, 0, MONTH),
    "year": (12, 0, 0, YEAR),
}
"""A unit in months, days, seconds, and its grain."""
FINER = {name: rank for rank, name in enumerate(SIZES)}

CARDINALS: dict[str, int] = {
    word: value
    for value, word in enumerate(
        ordered(
            "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
            "fifteen sixteen seventeen eighteen nineteen"
        )
    )
}
TENS: dict[str, int] = {
    word: value
    for value, word in zip(
        range(20, 100, 10), ordered("twenty thirty forty fifty sixty seventy eighty ninety"), strict=True
    )
}
ORDINALS: dict[str, int] = {
    word: value
    for value, word in enumerate(
        ordered(
            "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth "
            "fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
        ),
        1,
    )
} | {"thirtieth": 30}
SUFFIXES = frozenset(("st", "nd", "rd", "th"))

_WEEKDAYS = ordered("monday tuesday wednesday thursday friday saturday sunday")
WEEKDAYS: dict[str, int] = {name: number for number, name in enumerate(_WEEKDAYS)}
PLURALS: dict[str, int] = {name + "s": number for number, name in enumerate(_WEEKDAYS)}
SHORT: dict[str, int] = {
    "mon": 0, "tue": 1, "tues": 1, "wed": 2, "thu": 3, "thur": 3, "thurs": 3, "fri": 4, "sat": 5, "sun": 6,
}  # fmt: skip
"""Short names, days only after a word that asks for a day: "sun" and "sat" are words."""

MONTHS: dict[str, int] = {}
for _number, _name in enumerate(
    ordered("january february march april may june july august september october november december"), 1
):
    MONTHS[_name] = MONTHS[_name[:3]] = _number
MONTHS["sept"] = 9
SEASONS: dict[str, int] = {"winter": 12, "spring": 3, "summer": 6, "autumn": 9, "fall": 9}
DAYS: dict[str, int] = {"yesterday": -1, "today": 0, "tomorrow": 1}
PARTS: dict[str, str] = {
    **{name: name for name in ("morning", "afternoon", "evening", "night")},
    "lunchtime": "lunch",
}
GROUPS: dict[str, str] = {
    **dict.fromkeys(("weekday", "weekdays", "workday", "workdays"), "MO,TU,WE,TH,FR"),
    "weekends": "SA,SU",
}
FREQUENT: dict[str, str] = {
    "daily": "DAILY", "weekly": "WEEKLY", "monthly": "MONTHLY", "yearly": "YEARLY", "annually": "YEARLY",
    "hourly": "HOURLY",
}  # fmt: skip
COUNTED = forms(
    "km kilometers kilometres kilometer miles mile percent degrees dollars euros bucks people points times "
    "words word steps kg pounds lbs meters metres feet inches gb mb mph pages items eggs cups bottles packs "
    "things places rows parts pieces languages cities countries rooms copies players of x volts watts liters "
    "litres grams ounces cents bedrooms levels persons guests kids children cars books songs movies episodes"
)
"""Nouns after which a number counts: "at 5 km", "in 2 words"."""

TRIGGERS: frozenset[str] = frozenset(
    (
        *UNITS, *CARDINALS, *TENS, *ORDINALS, *WEEKDAYS, *PLURALS, *SHORT, *MONTHS, *SEASONS, *DAYS, *PARTS,
        *GROUPS, *FREQUENT,
    )
) | forms("tonight noon midday midnight weekend half quarter everyday twice")  # fmt: skip
