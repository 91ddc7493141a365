"""Whether a stored reminder is the one that was spoken of: words by their dictionary forms, negation and quantities
kept, times by what they name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache

from routing import wordforms
from routing.dialogue.state import Reminder
from routing.lexicon import words_of
from routing.text import Utterance
from routing.times import TimeExpression, parse_time

_EMPTY = words_of(
    "про о об обо на в во к ко с со у из за для по от до при над под и а но что чтобы чтоб то том тот та "
    "те этот эта это "
    "эти этом этого мой моя мое мои моего моем мою мне меня мы нам нас я ты тебе она он оно они его ее их "
    "свой свою свое "
    "который которое которая которые надо нужно пора бы же ка пожалуйста плиз мавен все всё вот там тут "
    "еще поводу насчет "
    "самый самое последнее последний последнюю ближайшее ближайший следующее следующий имя "
    "the a an my our me us i you it that this these those to of for about at on in and is are please maven "
    "called named "
    "saying labeled titled regarding all last latest next nearest"
)
"""Words that say nothing of a subject."""

_NEGATIONS = words_of("не ни без нет нельзя not no don't dont never without doesn't won't shouldn't")

_NUMBERS = {
    word: value
    for value, forms in {
        0: "ноль нуль zero", 1: "один одна одно одну одного one", 2: "два две двух двум двое two",
        3: "три трех трое three",
        4: "четыре четырех четверо four", 5: "пять пяти пятеро five", 6: "шесть шести six",
        7: "семь семи seven",
        8: "восемь восьми eight", 9: "девять девяти nine", 10: "десять десяти ten", 11: "одиннадцать eleven",
        12: "двенадцать twelve", 13: "тринадцать thirteen", 14: "четырнадцать fourteen",
        15: "пятнадцать fifteen",
        16: "шестнадцать sixteen", 17: "семнадцать seventeen", 18: "восемнадцать eighteen",
        19: "девятнадцать nineteen",
        20: "двадцать twenty", 30: "тридцать thirty", 40: "сорок forty", 50: "пятьдесят fifty",
        60: "шестьдесят sixty",
        70: "семьдесят seventy", 80: "восемьдесят eighty", 90: "девяносто ninety", 100: "сто hundred",
        200: "двести",
        300: "триста", 400: "четыреста", 500: "пятьсот", 600: "шестьсот", 700: "семьсот", 800: "восемьсот",
        900: "девятьсот",
    }.items()
    for word in forms.split()
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Term:
    """One word of a subject: its dictionary forms, whether it is negated, and the quantity said of it."""

    lemmas: frozenset[str]
    negated: bool
    quantity: str | None

    def fits(self, other: Term) -> bool:
        """Whether `other`, of a stored text, says at least this."""
        return (
            not self.lemmas.isdisjoint(other.lemmas)
            and self.negated == other.negated
            and (self.quantity is None or self.quantity == other.quantity)
        )


@lru_cache(maxsize=8192)
def lemmas(word: str) -> frozenset[str]:
    """The dictionary forms that a word may be a form of."""
    if not any("а" <= char <= "я" for char in word):
        return frozenset((_english(word),))
    found = wordforms.parses(word)
    best = found[0].score if found else 0.0
    # an unlikely reading of a word ("стали" as a form of "сталь") must not make two subjects one
    kept = {wordforms.fold(p.normal_form) for p in found if p.score >= best * 0.2}
    return frozenset(kept | {word})


def _english(word: str) -> str:
    word = word.removesuffix("'s").removesuffix("’s")
    for ending, instead in (("ies", "y"), ("sses", "ss"), ("ches", "ch"), ("shes", "sh"), ("xes", "x")):
        if word.endswith(ending) and len(word) > len(ending) + 1:
            return word.removesuffix(ending) + instead
    return word[:-1] if word.endswith("s") and len(word) > 3 and not word.endswith(("ss", "us", "is")) else word


def terms(words: Sequence[str]) -> tuple[Term, ...]:
    """The terms of normalised words. A negation and a number belong to the next word that says something; a number
    that nothing follows is a term of its own."""
    out: list[Term] = []
    negated = False
    number: int | None = None
    digits: str | None = None
    for word in words:
        value = _NUMBERS.get(word)
        if value is not None:
            # "двадцать пять": a smaller number after a rounder one goes on with it
            joins = number is not None and number >= 20 and value < (10 if number % 100 else 100) and number % 10 == 0
            number = (number or 0) + value if joins else value
            digits = str(number)
        elif word[0].isdigit():
            digits, number = word.rstrip("%"), None
        elif word in _NEGATIONS:
            negated = True
        elif word not in _EMPTY:
            out.append(Term(lemmas(word), negated, digits))
            negated, number, digits = False, None, None
    if digits is not None:
        out.append(Term(frozenset((digits,)), negated, digits))
    return tuple(out)


def subject_fits(subject: Iterable[Term], text: str) -> bool:
    """Whether every term of the subject is said in the stored text."""
    stored = terms(Utterance(text).tokens)
    return all(any(term.fits(other) for other in stored) for term in subject)


def said_in(words: Sequence[str], text: str) -> bool:
    """Whether `words` stand side by side in the stored text, which makes a time part of a subject."""
    return f" {' '.join(words)} " in f" {' '.join(Utterance(text).tokens)} "


def time_fits(time: TimeExpression, reminder: Reminder, now: datetime, timezone: str) -> bool:
    """Whether a spoken time names the instant of a reminder: the day if one was said, the time of day if one was
    said, as exactly as it was said."""
    if time.at is None or reminder.at is None:
        return False
    at = reminder.at.astimezone(time.at.tzinfo)
    said = time.at
    if time.recurrence is not None and reminder.recurrence not in (None, time.recurrence):
        return False
    if time.grain == "day":
        return at.date() == said.date()
    if time.grain in ("week", "month", "year"):
        days = {"week": 7, "month": 28, "year": 365}[time.grain]
        end = time.end_at or said + timedelta(days=days)
        return said <= at < end or (time.grain == "month" and (at.year, at.month) == (said.year, said.month))
    kind = _kind(time, now, timezone)
    if kind == "relative":
        return abs((at - said).total_seconds()) < 60
    same_time = at.hour == said.hour and (at.minute == said.minute)
    return same_time and (kind == "clock" or at.date() == said.date())


def _kind(time: TimeExpression, now: datetime, timezone: str) -> str:
    """Whether a time was said as a length from now, as a time of day alone, or with its day.

    Read at the two ends of one day: a length moves with the clock, a bare time of day rolls over to the next day,
    and a time with its day stays.
    """
    local = now.astimezone(time.at.tzinfo) if time.at is not None else now
    early = parse_time(f"напомни {time.text}", local.replace(hour=0, minute=0, second=1, microsecond=0), timezone)
    late = parse_time(f"напомни {time.text}", local.replace(hour=23, minute=59, second=30, microsecond=0), timezone)
    if early is None or late is None or early.at is None or late.at is None:
        return "dated"
    if early.at.time() != late.at.time():
        # "сегодня в семь" is the evening once the morning is past
        return "dated" if (early.at + timedelta(hours=12)).time() == late.at.time() else "relative"
    return "clock" if early.at.date() != late.at.date() else "dated"
