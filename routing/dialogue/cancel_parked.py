"""Rung `cancel-parked`: "never mind" drops the open request, and it alone; the one below is heard again."""

from __future__ import annotations

from msgspec.structs import replace as changed

from routing.dialogue.negative import is_negative
from routing.dialogue.state import Outcome, Reply, TurnState, complete_top
from routing.lexicon import words_of

NAME = "cancel-parked"

_PHRASES = frozenset(
    tuple(phrase.split())
    for phrase in (
        "отмена", "отмени", "отмените", "отменить", "отменяй", "отбой", "забудь", "забудь это",
        "забудь об этом", "забей",
        "не надо", "не нужно", "уже не надо", "уже не нужно", "больше не надо", "ничего не надо",
        "ничего не нужно", "неважно",
        "не важно", "уже неважно", "ничего", "передумал", "передумала", "я передумал", "я передумала",
        "стоп", "хватит",
        "проехали", "отставить", "оставь", "нет", "никакое", "ни одно", "никакой", "ни одного", "не стоит",
        "брось",
        "cancel", "cancel it", "cancel that", "never mind", "nevermind", "forget it", "forget that",
        "forget about it",
        "skip it", "skip", "drop it", "stop", "leave it", "no need", "not needed", "don't", "don't bother",
        "no", "none",
        "none of them", "neither", "i changed my mind", "changed my mind", "abort",
    )
)  # fmt: skip
_LONGEST = max(map(len, _PHRASES))
_AROUND = words_of("нет no nope пожалуйста please мавен maven все всё же тогда уже давай лучше well")


def is_cancel(words: list[str]) -> bool:
    """Whether the whole utterance drops what is open: nothing but such phrases, one after another."""
    if tuple(words) in _PHRASES:
        return True
    left = [word for word in words if word not in _AROUND]
    if not left:
        return bool(words) and words[0] in ("нет", "no", "nope")
    at = 0
    while at < len(left):
        size = next((n for n in range(min(_LONGEST, len(left) - at), 0, -1) if tuple(left[at : at + n]) in _PHRASES), 0)
        if size == 0:
            return False
        at += size
    return True


async def rung(state: TurnState) -> Outcome | None:
    """Drop the list that was just read out, or else the open request."""
    session, words = state.session, state.utterance.words
    said, top = session.candidates, session.top
    listed = said is not None and not said.spent and state.fresh(said.at)
    newest = listed and said is not None and (top is None or said.at >= top.asked_at)
    if not is_cancel(words) and not (newest and is_negative(words)):
        return None
    reply = Reply("cancelled", state.say("cancelled"))
    if newest and said is not None:
        return Outcome(
            changed(session, candidates=changed(said, spent=True)), reply, ended=((said.request, "cancelled"),),
            reason="list",
        )  # fmt: skip
    if top is None:
        state.decline("nothing-parked")
        return None
    return Outcome(complete_top(session), reply, ended=((top.request, "cancelled"),), reason="parked")
