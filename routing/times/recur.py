"""Recurrences in the words of RFC 5545."""

from __future__ import annotations

from routing.times.model import Amount, Rule

WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
WORKDAYS = "MO,TU,WE,TH,FR"
WEEKEND = "SA,SU"


def byday(days: list[int]) -> str:
    """BYDAY of weekdays 0..6, in the order of the week and each once."""
    return ",".join(WEEKDAYS[day] for day in sorted(set(days)))


def every(size: Amount) -> Rule | None:
    """The rule that recurs each `size`; None for a mixture no rule holds ("месяц и три дня") or for no time
    at all.
    """
    months, days, seconds, grain, vague = size
    if vague or sum(part != 0 for part in (months, days, seconds)) != 1:
        return None
    if months:
        return ("YEARLY", months // 12, "", 0) if months % 12 == 0 else ("MONTHLY", months, "", 0)
    if days:
        return ("WEEKLY", days // 7, "", 0) if grain == "week" and days % 7 == 0 else ("DAILY", days, "", 0)
    for freq, length in (("HOURLY", 3600), ("MINUTELY", 60), ("SECONDLY", 1)):
        if seconds % length == 0:
            return freq, seconds // length, "", 0
    return None


def times_in(count: int, unit: str) -> Rule | None:
    """ "три раза в день": the rule of equal shares; None where a unit does not divide evenly."""
    if count == 1:
        return {"hour": ("HOURLY", 1, "", 0), "day": ("DAILY", 1, "", 0), "week": ("WEEKLY", 1, "", 0),
                "month": ("MONTHLY", 1, "", 0), "year": ("YEARLY", 1, "", 0)}.get(unit)  # fmt: skip
    if unit == "day" and count > 0 and 24 % count == 0:
        return "HOURLY", 24 // count, "", 0
    if unit == "hour" and count > 0 and 60 % count == 0:
        return "MINUTELY", 60 // count, "", 0
    if unit == "year" and count > 0 and 12 % count == 0:
        return "MONTHLY", 12 // count, "", 0
    return None


def text(rule: Rule, month: int = 0) -> str:
    """The rule as an RRULE value, `month` where the date of a yearly one is known."""
    freq, interval, days, monthday = rule
    out = f"FREQ={freq}"
    if interval > 1:
        out += f";INTERVAL={interval}"
    if month:
        out += f";BYMONTH={month}"
    if monthday:
        out += f";BYMONTHDAY={monthday}"
    return f"{out};BYDAY={days}" if days else out
