"""One turn of a dialogue: the ladder first, then the cascade; what is due is heard again at the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from time import perf_counter

from msgspec import Struct
from msgspec.structs import replace as changed

from routing import trace
from routing.decision import Decision
from routing.decision import Outcome as Ending
from routing.dialogue import finish
from routing.dialogue.effects import AnyEffect
from routing.dialogue.labels import LabelRow
from routing.dialogue.ladder import LADDER, STAGE
from routing.dialogue.session import Parked, Session
from routing.dialogue.state import (
    DialogueContext,
    End,
    Outcome,
    Reply,
    Route,
    TurnState,
    question_of,
    with_surfaced,
)
from routing.questions import language_of
from routing.text import Utterance


class ParkedView(Struct, frozen=True):
    """A parked request as a caller sees it."""

    request: str
    intent: str | None
    utterance: str
    missing: tuple[str, ...]


class StackView(Struct, frozen=True):
    """The stack as a caller sees it: the active request last."""

    depth: int
    parked: tuple[ParkedView, ...]


@dataclass(frozen=True, slots=True)
class TurnResult:
    """What a turn came to.

    `session` is the dialogue after it. `decision` is what the turn was, or None where it was only about the dialogue.
    `effects` is what the caller must do. `claims` are the repair pointers that it claimed, `labels` the corrections
    to keep, `ended` how requests ended. `record` is every claimant, rungs first. `rung` is the rung that won, or None
    where the cascade answered.
    """

    session: Session
    decision: Decision | None
    reply: Reply
    effects: tuple[AnyEffect, ...]
    stack: StackView
    claims: tuple[str, ...]
    labels: tuple[LabelRow, ...]
    ended: tuple[tuple[str, End], ...]
    record: trace.Record
    rung: str | None


async def turn(
    session: Session,
    utterance: str,
    context: DialogueContext,
    route: Route,
    claimants: Sequence[tuple[str, str]] = (),
) -> TurnResult:
    """Hear one utterance.

    `route` is the cascade (`Cascade.route`), asked at most once for a text; `claimants` its names and stages, for the
    record of a turn that never reached it (`Cascade.claimants()`). Pure but for `route`: the same arguments give the
    same result, so a turn that lost a race is simply heard again.
    """
    now = context.now.timestamp()
    heard = Utterance(utterance)
    language = language_of(utterance) if any(c.isalpha() for c in utterance) else session.language
    start, expired = _expire(session, now, context.limits.window_s)
    start = with_surfaced(changed(start, language=language), context, now)
    state = TurnState(start, heard, context, route, language, now)
    record = trace.Record()
    outcome, rung = await _climb(state, record)
    if outcome is None:
        routed = await state.routed()
        outcome = finish.fresh(state, routed.decision)
        record.entries.extend(state.record.entries)
        record.more = state.record.more
    elif state.record.entries:
        # a rung asked the cascade what the utterance is by itself, and took the turn all the same
        for entry in state.record.entries:
            if entry.outcome is Ending.WON:
                entry.outcome, entry.reason = Ending.OUTSCORED, rung
        record.entries.extend(state.record.entries)
    else:
        record.not_asked(claimants)
    outcome = _resume(state, outcome)
    stack = tuple(ParkedView(p.request, p.decision.intent, p.utterance, p.missing) for p in outcome.session.stack)
    return TurnResult(
        outcome.session, outcome.decision, outcome.reply, outcome.effects, StackView(len(stack), stack),
        outcome.claims, outcome.labels, (*expired, *outcome.ended), record, rung,
    )  # fmt: skip


async def _climb(state: TurnState, record: trace.Record) -> tuple[Outcome | None, str | None]:
    """Ask the rungs in order, noting each; the outcome and name of the one that won, if any."""
    for i, rung in enumerate(LADDER):
        began = perf_counter()
        state.declined = None
        outcome = await rung.hear(state)
        micros = (perf_counter() - began) * 1e6
        if outcome is None:
            record.note(rung.name, STAGE, Ending.DECLINED, reason=state.declined, micros=micros)
            continue
        record.note(rung.name, STAGE, Ending.WON, decision=outcome.decision, reason=outcome.reason, micros=micros)
        record.not_asked([(other.name, STAGE) for other in LADDER[i + 1 :]])
        return outcome, rung.name
    return None, None


def _expire(session: Session, now: float, window_s: float) -> tuple[Session, tuple[tuple[str, End], ...]]:
    """The session without requests whose answer window has closed.

    Only the active request's window runs: one below it waits, and its window begins when it becomes active. So a
    closed window means that the whole stack has been silent for so long.
    """
    top = session.top
    if top is None or abs(now - top.asked_at) <= window_s:
        return session, ()
    return changed(session, stack=()), tuple((parked.request, "expired") for parked in session.stack)


def _resume(state: TurnState, outcome: Outcome) -> Outcome:
    """The outcome with the open question heard again, where the turn was about something else: a suspended one after
    a repair or another request, the lower one after the active one ended. Its answer window begins anew, and it
    costs no budget: it is the same question."""
    top = outcome.session.top
    if top is None or outcome.asked:
        return outcome
    question = question_of(top, top.language)
    if question is None:
        return outcome
    reply = changed(outcome.reply, text=f"{outcome.reply.text} {question}".strip(), resumed=question)
    session = outcome.session if outcome.untouched else _restarted(outcome.session, top, state.now)
    return replace(outcome, session=session, reply=reply, asked=True)


def _restarted(session: Session, top: Parked, now: float) -> Session:
    return changed(session, stack=(*session.stack[:-1], changed(top, asked_at=now)))
