"""Rung `clarify-answer`: the answer to the open question.

An answer fills the gap that was asked about; whatever else it says is no part of the payload. What is a request of
its own is left to the cascade, and the question is heard again after it. What fills nothing costs a question.
"""

from __future__ import annotations

from dataclasses import replace

from msgspec.structs import replace as changed

from routing import wordforms
from routing.cascade import GUARD
from routing.decision import Decision, Intent, StageName
from routing.dialogue import finish
from routing.dialogue.cancel_parked import is_cancel
from routing.dialogue.rebuild import payload, rebuilt, with_slot
from routing.dialogue.repair import target_of
from routing.dialogue.required import missing_for
from routing.dialogue.session import Parked, Session, StoredDecision, StoredTime
from routing.dialogue.spoken_time import SpokenTime, read_time
from routing.dialogue.state import Outcome, Routed, TurnState, ask, complete_top
from routing.lexicon import ASKING, words_of
from routing.text import Utterance

NAME = "clarify-answer"

_EMPTY_WORDS = words_of(
    "не знаю потом позже ну эээ ээ э мм м хз ммм да нет наверное может быть как-нибудь когда-нибудь "
    "что-нибудь что-то скажу "
    "подумаю еще пока сама сам угу ага пожалуйста мавен ладно хорошо там и а "
    "i don't know dunno later maybe um uh hmm yes no ok okay please maven not sure yet let me think "
    "something well"
)
_LEAD = words_of(
    "напомни напомните напомнить мне нам пожалуйста запиши запишите запомни ну так remind me us please to "
    "that чтобы чтоб ага да "
    "yes"
)
_STATEMENTS = frozenset({"possession-statement"})
"""Grammars that claim a plain declaration, which may as well be the answer to an open question."""


async def rung(state: TurnState) -> Outcome | None:
    """Read the utterance as the answer to the question on top of the stack."""
    parked = state.session.top
    if parked is None:
        return None
    if is_cancel(state.utterance.words):
        state.decline("cancels")
        return None
    below = complete_top(state.session)
    if parked.unclear:
        return await _restated(state, below, parked)
    gap = parked.missing[0]
    if gap == "time":
        return await _time_answer(state, below, parked)
    if gap == "fn":
        return await _function_answer(state, below, parked)
    return await _words_answer(state, below, parked, gap)


async def _restated(state: TurnState, below: Session, parked: Parked) -> Outcome | None:
    """The answer to "what do you want?": the name of an intent, a whole request, or the words that were missing."""
    want = target_of(state.utterance, bare=True)
    if want is not None:
        decision = rebuilt(parked.utterance, parked.decision.decision(), want, state.plain_context())
        return _go_on(state, below, changed(parked, decision=StoredDecision.of(decision)), decision)
    alone = (await state.routed()).decision
    joined_text = f"{parked.utterance.rstrip(' .,!?…')} {state.utterance.raw.strip()}"
    if _certain(alone):
        return _restart(state, below, parked, alone, state.utterance.raw)
    joined = (await state.routed(joined_text)).decision
    if _certain(joined) or alone.intent is None:
        if joined.intent is not None:
            return _restart(state, below, parked, joined, joined_text)
        return ask(state, below, changed(parked, utterance=joined_text), again=True)
    return _restart(state, below, parked, alone, state.utterance.raw)


def _certain(decision: Decision) -> bool:
    return decision.intent is not None and decision.stage is StageName.GRAMMAR


def _restart(state: TurnState, below: Session, parked: Parked, decision: Decision, utterance: str) -> Outcome:
    return _go_on(state, below, changed(parked, decision=StoredDecision.of(decision), utterance=utterance), decision)


def _go_on(
    state: TurnState,
    below: Session,
    parked: Parked,
    decision: Decision,
    time: StoredTime | None = None,
) -> Outcome:
    """After an answer: the same check as on a fresh route; then the action, or the first gap that is left."""
    gaps = missing_for(decision, time)
    if not gaps:
        outcome = finish.finish_clarified(state, below, parked, decision, time)
        return replace(outcome, reason=outcome.reason or "complete")
    kept = changed(parked, decision=StoredDecision.of(decision), time=time, missing=gaps)
    return ask(state, below, kept)


def _failed(state: TurnState, below: Session, parked: Parked) -> Outcome:
    """An answer that fills nothing: the same question once more, or the give-up line."""
    return ask(state, below, parked, again=True)


async def _time_answer(state: TurnState, below: Session, parked: Parked) -> Outcome | None:
    spoken = read_time(state.utterance, state.context)
    if spoken is None or not spoken.whole:
        routed = await state.routed()
        completed = _completes(routed, parked)
        if completed is not None:
            return _go_on(state, below, parked, completed, parked.time)
        lacks_text = "text" in parked.missing[1:]
        if _is_other(
            routed, state.utterance, statements=spoken is None,
            payload_wanted=spoken is not None or lacks_text, timed=spoken.words if spoken else frozenset(),
        ):  # fmt: skip
            state.decline("another-request")
            return None
        if spoken is None and lacks_text and not _says_nothing(state.utterance):
            # "позвонить маме" to "когда?": not what was asked, but what is needed as well
            return _fill_words(state, below, parked, "text")
    if spoken is None or not spoken.time.resolved:
        return _failed(state, below, parked)
    decision = parked.decision.decision()
    if "text" in parked.missing[1:]:
        rest = payload(state.utterance, spoken.words, _LEAD)
        if rest is not None and not _says_nothing(Utterance(state.utterance.slice(rest))):
            decision = with_slot(decision, "text", state.utterance.slice(rest))
    return _go_on(state, below, parked, decision, spoken.time)


async def _words_answer(state: TurnState, below: Session, parked: Parked, gap: str) -> Outcome | None:
    routed = await state.routed()
    completed = _completes(routed, parked)
    if completed is not None:
        return _go_on(state, below, parked, completed, parked.time)
    if _is_other(routed, state.utterance, statements=False, payload_wanted=gap == "text"):
        state.decline("another-request")
        return None
    said = read_time(state.utterance, state.context) if gap == "text" else None
    if said is not None and said.whole and parked.decision.intent == Intent.REMINDER:
        # "в шесть вечера" to "о чём?" says more of the time, and nothing to be reminded of
        return _failed(state, below, changed(parked, time=_more_exact(state, parked, said.time)))
    return _fill_words(state, below, parked, gap)


def _more_exact(state: TurnState, parked: Parked, time: StoredTime) -> StoredTime | None:
    """The time of a request after another time was said: the day and the hour together, else the later one."""
    before = parked.time or (StoredTime.of(t) if (t := parked.decision.decision().time) is not None else None)
    if not time.resolved:
        return before
    if before is not None and before.grain == "day" and time.grain != "day":
        both = read_time(Utterance(f"{before.text} {time.text}"), state.context)
        if both is not None and both.time.resolved:
            return both.time
    return time


def _fill_words(state: TurnState, below: Session, parked: Parked, gap: str) -> Outcome:
    """Fill `gap` with the words of the answer, and the time where that is missing too and was said."""
    time = parked.time
    spoken: SpokenTime | None = None
    if "time" in parked.missing[1:]:
        spoken = read_time(state.utterance, state.context)
        if spoken is not None and spoken.time.resolved:
            time = spoken.time
    words = spoken.words if spoken is not None and time is spoken.time else frozenset()
    span = payload(state.utterance, words, _LEAD if gap == "text" else frozenset())
    if span is None or _says_nothing(state.utterance):
        return _failed(state, below, changed(parked, time=time))
    decision = with_slot(parked.decision.decision(), gap, state.utterance.slice(span))
    return _go_on(state, below, parked, decision, time)


async def _function_answer(state: TurnState, below: Session, parked: Parked) -> Outcome | None:
    """A function is known by its words alone, or by them beside what was said before."""
    decision = (await state.routed()).decision
    if decision.intent is Intent.ACT and decision.slots.fn is not None:
        return _restart(state, below, parked, decision, state.utterance.raw)
    if _is_other(await state.routed(), state.utterance, statements=True):
        state.decline("another-request")
        return None
    text = f"{parked.utterance.rstrip(' .,!?…')} {state.utterance.raw.strip()}"
    joined = rebuilt(text, parked.decision.decision(), Intent.ACT, state.plain_context())
    if joined.slots.fn is None:
        return _failed(state, below, parked)
    return _restart(state, below, parked, joined, text)


def _completes(routed: Routed, parked: Parked) -> Decision | None:
    """The parked payload with what the utterance adds, where the utterance is the same request said again with the
    gap filled and nothing that contradicts it ("напомни в девять" to "когда?"); else None."""
    decision, was = routed.decision, parked.decision.decision()
    if decision.intent is not Intent.REMINDER or was.intent is not Intent.REMINDER:
        return None
    text, time = decision.slots.text, decision.time
    if text is not None and was.slots.text not in (None, text):
        return None
    timed = parked.time is not None or (was.time is not None and was.time.resolved)
    if time is not None and (timed or not time.resolved):
        return None
    adds_text = text is not None and was.slots.text is None
    if time is None and not adds_text:
        return None
    if adds_text and text is not None:
        was = with_slot(was, "text", text)
    return was if time is None else replace(was, time=time, slots=was.slots.filled("time", time.text))


def _is_other(
    routed: Routed,
    utterance: Utterance,
    *,
    statements: bool,
    payload_wanted: bool = False,
    timed: frozenset[int] = frozenset(),
) -> bool:
    """Whether the utterance is a request of its own: a grammar says so, or it is a question.

    A judge with weights is no evidence here, because free words are what an open question asks for. With
    `statements`, a plain declaration counts too. With `payload_wanted`, what reads as a bare deed is the payload
    and not an order: "позвонить маме" to "о чём напомнить?" must not call her. `timed` is the words of its time.
    """
    decision = routed.decision
    if decision.intent is None or decision.claimant == GUARD:
        return False  # what the guard left of an order that nobody gave asks for nothing
    if decision.stage is StageName.GRAMMAR:
        if payload_wanted and decision.intent is Intent.ACT:
            first = next((word for i, word in enumerate(utterance.words) if i not in timed), None)
            if first is None or not _is_order(first):
                return False
        return statements or decision.claimant not in _STATEMENTS
    asked = utterance.question or (
        any(word in ASKING for word in utterance.words[:1]) and decision.intent is Intent.QUERY
    )
    return asked


def _is_order(word: str) -> bool:
    """Whether a first word orders something. An infinitive does not here, nor does an English verb, which has one
    form for deed and order, nor "чтобы"."""
    if word.isascii():
        return False
    return any("impr" in parse.tag for parse in wordforms.parses(word.removesuffix("-ка")))


def _says_nothing(utterance: Utterance) -> bool:
    return all(word in _EMPTY_WORDS for word in utterance.tokens)
