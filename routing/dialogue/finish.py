"""Doing a request: the one way from a complete decision to its effect, and the wrappers that lead there."""

from __future__ import annotations

from dataclasses import replace

from msgspec.structs import replace as changed

from routing.decision import Decision
from routing.dialogue import cancellation, replies
from routing.dialogue.effects import REMINDER_CANCEL, IncompleteRequest, effect_of
from routing.dialogue.required import missing_for, needs_intent, with_time
from routing.dialogue.session import LastAction, Parked, Session, StoredDecision, StoredTime
from routing.dialogue.state import (
    Outcome,
    Reply,
    TurnState,
    ask,
    give_up,
    new_parked,
    next_request,
    prefixed,
)
from routing.text import Utterance


def perform(
    state: TurnState,
    session: Session,
    request: str,
    decision: Decision,
    utterance: str,
    *,
    time: StoredTime | None = None,
    corrects: str | None = None,
) -> Outcome:
    """Act on a decision and record the action as the next correctable one.

    The required-slot check is repeated while the effect is built, so no way here passes it by; a request that fails
    it is given up. A decision to cancel a reminder is resolved against the pending ones, and has authority only in
    the addressed form.
    """
    if decision.slots.fn == REMINDER_CANCEL:
        return _cancel(state, session, request, decision, utterance)
    try:
        effect = effect_of(decision, utterance, request, time=time, corrects=corrects)
    except IncompleteRequest as error:
        parked = new_parked(state, request, decision, utterance, error.missing, corrects=corrects)
        return give_up(state, session, parked, f"boundary:{error.missing[0]}")
    done = with_time(decision, time)
    last = LastAction(request, StoredDecision.of(done), utterance, state.now, f"p-{request}", state.context.trace_id)
    return Outcome(
        changed(session, last=last),
        Reply("done", state.say(f"done-{needs_intent(decision).value}")),
        effects=(effect,),
        decision=done,
        ended=((request, "done"),),
    )


def _cancel(state: TurnState, session: Session, request: str, decision: Decision, utterance: str) -> Outcome:
    frame = cancellation.frame_of(Utterance(utterance))
    if frame is None:
        outcome = state.noop("cancel-no-authority", "no-authority")
        return replace(outcome, session=session, decision=decision, ended=((request, "done"),))
    outcome = cancellation.resolve(state, session, frame, request)
    return outcome if outcome.ended else replace(outcome, ended=((request, "done"),))


def fresh(state: TurnState, decision: Decision) -> Outcome:
    """A request that the cascade has just decided: do it, or ask for its first gap."""
    session, request = next_request(state.session)
    return start(state, session, request, decision, state.utterance.raw)


def start(state: TurnState, session: Session, request: str, decision: Decision, utterance: str) -> Outcome:
    """Do a new request, or park it with a question."""
    gaps = missing_for(decision)
    if gaps:
        return ask(state, session, new_parked(state, request, decision, utterance, gaps))
    return perform(state, session, request, decision, utterance)


def finish_clarified(
    state: TurnState, session: Session, parked: Parked, decision: Decision, time: StoredTime | None
) -> Outcome:
    """Act on an answered request whose gaps were checked when its answer was read. `session` no longer holds it."""
    return perform(state, session, parked.request, decision, parked.utterance, time=time, corrects=parked.corrects)


def finish_repaired(state: TurnState, session: Session, request: str, decision: Decision, last: LastAction) -> Outcome:
    """Act on a corrected request, or push the question for a gap that the correction exposes.

    Unlike an answered request, a rebuilt one was never checked against the schema of its new intent: that comes
    first here. The reply begins with what it is now taken for.
    """
    name = replies.intent_name(needs_intent(decision).value, state.language)
    gaps = missing_for(decision)
    if gaps:
        parked = new_parked(state, request, decision, last.utterance, gaps, corrects=last.request)
        return prefixed(ask(state, session, parked), state.say("repair-gap", intent=name))
    outcome = perform(state, session, request, decision, last.utterance, corrects=last.request)
    if outcome.reply.kind != "done":
        return prefixed(outcome, state.say("repair-gap", intent=name))
    text = state.say("repaired", intent=name, ack=outcome.reply.text)
    return replace(outcome, reply=changed(outcome.reply, kind="repaired", text=text))
