"""Rung `repair-negative`: "not that",
with no target. A turn marked wrong is a usable label without the right one."""

from __future__ import annotations

from msgspec.structs import replace as changed

from routing.dialogue.repair import label, valid_pointer
from routing.dialogue.state import Outcome, Reply, TurnState
from routing.lexicon import words_of

NAME = "repair-negative"

_PHRASES = frozenset(
    tuple(phrase.split())
    for phrase in (
        "не то", "это не то", "не то совсем", "совсем не то", "вообще не то", "все не то", "не так",
        "это не так",
        "все не так", "неправильно", "не правильно", "это неправильно", "неверно", "не верно",
        "это неверно", "это ошибка",
        "ошибка", "ты ошиблась", "ошиблась", "ты не так поняла", "ты меня не так поняла", "не так поняла",
        "ты не поняла", "ты неправильно поняла", "неправильно поняла", "я не это имел в виду",
        "я не это имела в виду",
        "я не то имел в виду", "я не то имела в виду", "не это имел в виду", "не это имела в виду",
        "я не об этом", "я не про это",
        "не об этом", "не это", "я не это сказал", "я не это сказала", "я не это просил",
        "я не это просила", "я этого не просил",
        "я этого не просила", "не туда", "мимо",
        "not that", "wrong", "that's wrong", "that is wrong", "that was wrong", "it's wrong", "not it",
        "that's not it",
        "that's not right", "not right", "that's not what i meant", "that is not what i meant",
        "not what i meant",
        "you got it wrong", "you got that wrong", "you misunderstood", "you misunderstood me", "incorrect",
        "that's incorrect", "i didn't mean that", "that's not what i said", "that's not what i asked",
    )
)  # fmt: skip
_AROUND = words_of("нет no nope nah пожалуйста please мавен maven же опять снова again")


def is_negative(words: list[str]) -> bool:
    """Whether the whole utterance says that the last turn was wrong."""
    return tuple(word for word in words if word not in _AROUND) in _PHRASES


async def rung(state: TurnState) -> Outcome | None:
    """Mark the last action wrong. The pointer stays for a target that follows; a second negative adds nothing."""
    if not is_negative(state.utterance.words) or state.utterance.question:
        return None
    session = state.session
    said = session.candidates
    if said is not None and not said.spent and state.fresh(said.at) and (
        session.last is None or said.at > session.last.at
    ):  # fmt: skip
        state.decline("names-the-list")
        return None
    last = valid_pointer(state)
    if last is None:
        if session.last is None and not session.stack:
            state.decline("no-action")
            return None
        return state.noop("repair-stale", "stale", untouched=True)
    labels = () if last.negated else (label(state, last, None),)
    return Outcome(
        changed(session, last=changed(last, negated=True)),
        Reply("negative", state.say("negative")),
        decision=last.decision.decision(),
        labels=labels,
        reason="again" if last.negated else "no-target",
    )
