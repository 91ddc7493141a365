"""`POST /v1/turn`: one utterance of a session, from a request to an answer."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from time import perf_counter
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from models.arms import Arm
from routing import sources
from routing.context import Context
from routing.dialogue import DialogueContext, Limits, Reminder, Session, TurnResult, replies, turn
from routing.dialogue.effects import plain
from routing.dialogue.engine import StackView
from routing.dialogue.required import missing_for
from routing.dialogue.state import Reply, Route
from routing.questions import language_of
from serve.problems import HttpError
from serve.requests import claim_values, clarify_value, decision_value, instant_of, zone_of
from serve.schemas import ClaimValue, ClarifyValue, DecisionValue, Functions, Now, Zone
from serve.sessions import Heard, KeyReused, RedisSessions, SessionsUnavailable

log = logging.getLogger(__name__)

Key = Annotated[str, Meta(min_length=1, max_length=128)]


class PendingReminder(Struct, forbid_unknown_fields=True):
    """A reminder that the caller keeps. `delivery`: `unknown` where it may have gone off already."""

    id: str
    text: str
    at: str | None = None
    recurrence: str | None = None
    delivery: str = ""


class SurfacedItem(Struct, forbid_unknown_fields=True):
    """An obligation that was just spoken."""

    id: str
    text: str


class TurnContext(Struct, forbid_unknown_fields=True):
    """What the caller knows: the pending reminders, and the items it has just spoken (left out: as before)."""

    pending_reminders: Annotated[list[PendingReminder], Meta(max_length=512)] = []
    surfaced_items: Annotated[list[str | SurfacedItem], Meta(max_length=64)] | None = None


class TurnRequest(Struct, forbid_unknown_fields=True):
    """One utterance of a session. A retry with the same `turn_id` gets the first answer and nothing is done again;
    the header `X-Idempotency-Key` is the same thing."""

    session: Key
    utterance: str
    context: TurnContext = msgspec.field(default_factory=TurnContext)
    now: Now | None = None
    timezone: Zone | None = None
    functions: Functions | None = None
    arm: Arm | None = None
    turn_id: Key | None = None
    trace: bool = False


class TurnResponse(Struct):
    """What a turn came to. `dialogue` is `ok`, or `unavailable` where sessions could not be kept: then the turn was
    decided by itself and nothing incomplete was done."""

    trace_id: str
    session: str
    decision: DecisionValue | None
    clarify: ClarifyValue | None
    walk: list[str] | None
    missing: list[str]
    elapsed_ms: float
    reply: Reply
    effects: list[dict[str, Any]]
    stack: StackView
    dialogue: Literal["ok", "unavailable"] = "ok"
    trace: list[ClaimValue] | UnsetType = UNSET


@dataclass(frozen=True, slots=True)
class TurnOutcome:
    """The answer's bytes; `result` is None where it was replayed, else the turn, for its record, labels and figures."""

    body: bytes
    result: TurnResult | None
    replayed: bool
    available: bool


def dialogue_context(
    request: TurnRequest,
    base: Context,
    *,
    trace_id: str,
    versions: Mapping[str, str],
    window_s: float,
    budget: int,
    depth: int,
    reach: str = "spoken",
) -> DialogueContext:
    """The context of a turn. `base` is that of a routing request. Raises `HttpError` 422 for a reminder's time."""
    zone = zone_of(base.timezone)

    def instant(at: str | None) -> datetime | None:
        return None if at is None else instant_of(at, zone)

    given = request.context.surfaced_items
    return DialogueContext(
        base.now,
        base.timezone,
        base.functions,
        tuple(
            Reminder(r.id, r.text, instant(r.at), r.recurrence, r.delivery) for r in request.context.pending_reminders
        ),
        None if given is None else tuple(i if isinstance(i, str) else i.text for i in given),
        Limits(window_s=window_s, budget=budget, depth=depth),
        trace_id,
        reach,
        dict(versions),
    )


async def handle_turn(
    request: TurnRequest,
    context: DialogueContext,
    route: Route,
    sessions: RedisSessions,
    *,
    claimants: Sequence[tuple[str, str]] = (),
    turn_id: str | None = None,
    render: Callable[[TurnResult], bytes] | None = None,
) -> TurnOutcome:
    """Hear one turn of a session kept in `sessions`.

    Where they cannot be kept, the turn is decided by itself: what is complete is done, and nothing else. Raises
    `HttpError` 422 for a `turn_id` that was used for another utterance.
    """
    began = perf_counter()
    write = render or (lambda result: answer_of(request, context.trace_id, result, began))

    async def hear(session: Session) -> Heard[TurnResult]:
        result = await turn(session, request.utterance, context, route, claimants)
        return Heard(result.session, write(result), result)

    try:
        done = await sessions.transact(
            request.session, hear, turn_id=turn_id or request.turn_id, utterance=request.utterance
        )
    except KeyReused as error:
        raise HttpError(422, f"turn_id: {error}") from None
    except SessionsUnavailable as error:
        log.warning("dialogue: %s", error)
        alone = await turn(Session(), request.utterance, replace(context, memory=False), route, claimants)
        if error.unknown:
            # the turn may be written with its effect, which a retry would get: a second one must not exist
            line = replies.line("no-memory", language_of(request.utterance))
            alone = replace(alone, effects=(), reply=Reply("noop", line), ended=())
        body = answer_of(request, context.trace_id, alone, began, available=False)
        return TurnOutcome(body, alone, False, False)
    return TurnOutcome(done.answer, done.result, done.replayed, True)


def answer_of(
    request: TurnRequest, trace_id: str, result: TurnResult, began: float, *, available: bool = True
) -> bytes:
    """The answer to a turn as JSON. `began` is the `perf_counter` reading at its start."""
    decision = result.decision
    walk = sources.walk(decision) if decision is not None else None
    return msgspec.json.encode(
        TurnResponse(
            trace_id=trace_id,
            session=request.session,
            decision=decision_value(decision) if decision is not None else None,
            clarify=clarify_value(decision, request.utterance) if decision is not None else None,
            walk=list(walk) if walk is not None else None,
            missing=list(missing_for(decision)) if decision is not None and decision.intent is not None else [],
            elapsed_ms=round((perf_counter() - began) * 1e3, 3),
            reply=result.reply,
            effects=[plain(effect) for effect in result.effects],
            stack=result.stack,
            dialogue="ok" if available else "unavailable",
            trace=claim_values(result.record.as_list()) if request.trace else UNSET,
        )
    )
