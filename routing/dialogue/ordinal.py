"""Rung `candidate-ordinal`: which of the reminders that were read out.

The list is consumed as it was spoken: the reminders of this turn are not asked again, because one that has gone in
the meantime would move every ordinal after it. Only a whole affirmative ordinal consumes it.
"""

from __future__ import annotations

from dataclasses import replace

from msgspec.structs import replace as changed

from routing.dialogue import cancellation
from routing.dialogue.state import Outcome, TurnState, next_request
from routing.lexicon import words_of
from routing.text import Utterance

NAME = "candidate-ordinal"

_STEMS = (
    "перв", "втор", "трет", "четверт", "пят", "шест", "седьм", "восьм", "девят", "десят", "одиннадцат",
    "двенадцат",
    "тринадцат", "четырнадцат", "пятнадцат", "шестнадцат", "семнадцат", "восемнадцат", "девятнадцат",
    "двадцат",
)  # fmt: skip
_ENDINGS = words_of("ый ой ий ое ая ую ого ому ье ья ью ьего ьей")
_ORDINALS: dict[str, int] = {
    f"{stem}{ending}": n for n, stem in enumerate(_STEMS, 1) for ending in _ENDINGS
} | {
    word: n
    for n, forms in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth".split(), 1
    )
    for word in forms.split()
}  # fmt: skip
_AROUND = words_of(
    "да ага угу давай давайте ладно хорошо пожалуйста плиз номер вариант напоминание будильник мавен вот это "
    "отмени отмените удали удалите убери cancel delete remove "
    "the one yes yeah yep ok okay please number option reminder alarm let's that"
)
_AFTER_DIGITS = words_of("е й я ю ое ая ый ой го st nd rd th")
_LAST = words_of("последнее последний последнюю последняя last")


def ordinal_of(utterance: Utterance, count: int) -> int | None:
    """The ordinal that the whole utterance is, counted from 1; None where it is anything else. `count` is where
    "the last one" points."""
    if utterance.question:
        return None
    left = [word for word in utterance.words if word not in _AROUND]
    if len(left) == 2 and left[0].isdigit() and left[1] in _AFTER_DIGITS:
        left = left[:1]  # "2-е", "2nd"
    if len(left) != 1:
        return None
    word = left[0]
    if word in _LAST:
        return count
    if word.isascii() and word.isdigit() and len(word) <= 3:
        return int(word)
    return _ORDINALS.get(word)


async def rung(state: TurnState) -> Outcome | None:
    """Consume the list by a whole affirmative ordinal."""
    said = state.session.candidates
    if said is None:
        return None
    number = ordinal_of(state.utterance, len(said.items))
    if number is None:
        state.decline("no-ordinal")
        return None
    live = not said.spent and state.fresh(said.at)
    if not live:
        if state.session.stack:
            # "2" may answer the open question; a used list has no better claim to it
            state.decline("spent" if said.spent else "expired")
            return None
        return state.noop("ordinal-spent", "spent") if said.spent else state.noop("ordinal-expired", "expired")
    if not 1 <= number <= len(said.items):
        return state.noop("ordinal-out-of-range", "out-of-range")
    session, _ = next_request(changed(state.session, candidates=changed(said, spent=True)))
    outcome = cancellation.cancel(state, session, said.items[number - 1], said.request)
    return replace(outcome, reason=f"ordinal:{number}")
