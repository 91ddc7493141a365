"""Rung `repair`: an explicit correction of the last action, before a parked question hears it.

It is narrower evidence than the mere presence of a question, so it never counts as a bad answer: the question waits
and is repeated after the reply. The pointer to the last action is claimed only once its window and the target are
valid; a stale correction changes nothing, and is never routed as a fresh note over the action it meant.
"""

from __future__ import annotations

import re
from dataclasses import replace

from msgspec.structs import replace as changed

from routing.decision import Intent
from routing.dialogue import finish, replies
from routing.dialogue.labels import LabelRow
from routing.dialogue.rebuild import rebuilt
from routing.dialogue.session import LastAction
from routing.dialogue.state import Outcome, Reply, TurnState, next_request
from routing.text import Utterance

NAME = "repair"

_TARGETS: dict[Intent, str] = {
    Intent.NOTE: r"заметк[ауие]|заметкой|запись|note",
    Intent.REMINDER: r"напоминани[ея]|напоминанием|напоминалк[ау]|будильник|reminder|alarm",
    Intent.QUERY: r"вопрос|вопросом|запрос|запросом|question|query",
    Intent.FACT: r"факт|фактом|fact",
    Intent.SYSTEM: r"системн(?:ая|ую|ой) команд(?:а|у|ой)|команд(?:а|у) тебе(?: самой)?|"
    r"system command|system|order to you",
    Intent.ACT: r"команд[ау]|командой|действие|действием|поручение|поручением|command|action|act",
    Intent.CHAT: r"болтовн[яю]|болтовней|разговор|разговором|беседа|шутка|chat|small talk|chatting|a joke|joke",
}
_ANY = "|".join(_TARGETS.values())
_T = rf"(?:просто |обычн(?:ая|ый|ое|ую) |just |only |a |an |the )*(?P<target>{_ANY})"
_N = rf"(?:просто |just |a |an )*(?:{_ANY})"
_LEAD = r"^ (?:вообще-то |вообще |на самом деле |извини |прости |постой |подожди |погоди |actually |sorry |wait |oh )*"
_NO = r"(?:нет нет |нет |не |no no |no |nope |nah )"
_END = r"(?: пожалуйста| мавен| please| maven)* $"

_FRAMES = tuple(
    re.compile(pattern + _END)
    for pattern in (
        rf"{_LEAD}{_NO}?(?:это |то )?(?:была|было|был) {_T}",
        rf"{_LEAD}{_NO}(?:это |то |же )*{_T}",
        rf"{_LEAD}{_NO}?я (?:же )?(?:имела?|имею) (?:в виду|ввиду) (?:что )?(?:это )?(?:была |было |был )?{_T}",
        rf"{_LEAD}{_NO}?(?:я )?(?:хотела?|просила?) (?:создать |сделать |записать |задать |поставить |оставить )?{_T}",
        rf"{_LEAD}{_NO}?(?:это )?(?:было |была |был )?не {_N} (?:а|но|это|это была|это было|это был|а это) {_T}",
        rf"{_LEAD}{_NO}?(?:это )?(?:должна|должно|должен) (?:была |было |был )?быть {_T}",
        rf"{_LEAD}{_NO}?(?:исправь|поправь|переделай|перепиши|измени)(?: это)? (?:на|в|как) {_T}",
        rf"{_LEAD}{_NO}?(?:(?:that|it|this) was|(?:that|it|this) should (?:have been|be)) {_T}",
        rf"{_LEAD}{_NO}(?:that's |it's |this is |that is |it is )?{_T}",
        rf"{_LEAD}{_NO}?i (?:actually )?meant (?:it as |that as |it to be |that to be |to make |for it to be )?{_T}",
        rf"{_LEAD}{_NO}?i (?:wanted|asked for) {_T}",
        rf"{_LEAD}{_NO}?(?:that |it |this )?(?:was |wasn't |is |isn't )?(?:not )?{_N} (?:but )?"
        rf"(?:it was |that was )?{_T}",
        rf"{_LEAD}{_NO}?(?:make|change) (?:it|that|this) (?:to |into )?{_T}",
    )
)  # fmt: skip
_BARE = re.compile(rf"^ (?:это |была |было |был |it was |that was )*{_T}{_END}")
_TARGET_PATTERNS = tuple((intent, re.compile(rf"(?:{words})\Z")) for intent, words in _TARGETS.items())


def target_of(utterance: Utterance, *, bare: bool = False) -> Intent | None:
    """The intent that an explicit correction names, or None where the utterance is no correction.

    With `bare` the name alone is enough ("заметка"), as in an answer to "what was it?".
    """
    if utterance.question:
        return None
    line = utterance.line
    for frame in (*_FRAMES, *((_BARE,) if bare else ())):
        match = frame.search(line)
        if match is not None:
            words = match.group("target")
            return next(intent for intent, pattern in _TARGET_PATTERNS if pattern.match(words))
    return None


def valid_pointer(state: TurnState) -> LastAction | None:
    """The last action, where a correction may still claim it."""
    last = state.session.last
    return last if last is not None and last.pointer and state.fresh(last.at) else None


def label(state: TurnState, last: LastAction, want: Intent | None) -> LabelRow:
    """The row that keeps a correction for training."""
    return LabelRow(
        last.utterance, last.decision.intent, want, state.context.now.isoformat(), state.context.reach,
        dict(state.context.versions), last.trace_id,
    )  # fmt: skip


async def rung(state: TurnState) -> Outcome | None:
    """Claim an explicit correction, and do the last action again as what it was."""
    last = state.session.last
    negated = last is not None and last.negated and state.fresh(last.at)
    want = target_of(state.utterance, bare=negated)
    if want is None:
        return None
    last = valid_pointer(state)
    if last is None:
        top = state.session.top
        if top is not None and top.unclear:
            state.decline("no-action")  # it may name what the unclear request was
            return None
        return state.noop("repair-stale", "stale", untouched=True)
    name = replies.intent_name(want.value, state.language)
    if last.decision.intent == want.value:
        return Outcome(
            state.session, Reply("acknowledged", state.say("repair-same", intent=name)),
            decision=last.decision.decision(), reason="same-intent",
        )  # fmt: skip
    decision = rebuilt(last.utterance, last.decision.decision(), want, state.plain_context())
    claimed = changed(state.session, last=changed(last, pointer="", negated=False))
    session, request = next_request(claimed)
    outcome = finish.finish_repaired(state, session, request, decision, last)
    return replace(
        outcome,
        labels=(label(state, last, want),),
        claims=(last.pointer,),
        reason=f"{last.decision.intent}>{want.value}",
    )
