"""`POST /v1/turn`: one utterance of a session, from a request to an answer."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from routing.context import Context
from routing.dialogue import DialogueContext, Limits, Reminder, Session, TurnResult, turn
from routing.dialogue.effects import plain
from routing.dialogue.engine import StackView
from routing.dialogue.state import Reply, Route
from serve.problems import HttpError
from serve.requests import decision_value, instant_of, zone_of
from serve.schemas import ClaimValue, DecisionValue
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
    now: str | None = None
    timezone: str | None = None
    turn_id: Key | None = None
    trace: bool = False


class TurnResponse(Struct):
    """What a turn came to. `dialogue` is `ok`, or `unavailable` where sessions could not be kept: then the turn was
    decided by itself and nothing incomplete was done."""

    trace_id: str
    session: str
    decision: DecisionValue | None
    reply: Reply
    effects: list[dict[str, Any]]
    stack: StackView
    dialogue: str = "ok"
    trace: list[ClaimValue] | None = None


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
            Reminder(r.id, r.text, instant(r.at), r.recurrence, r.delivery)
            for r in request.context.pending_reminders
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
    write = render or (lambda result: answer_of(request, context.trace_id, result))

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
        body = answer_of(request, context.trace_id, alone, available=False)
        return TurnOutcome(body, alone, False, False)
    return TurnOutcome(done.answer, done.result, done.replayed, True)


def answer_of(request: TurnRequest, trace_id: str, result: TurnResult, *, available: bool = True) -> bytes:
    """The answer to a turn as JSON."""
    claims = msgspec.convert(result.record.as_list(), list[ClaimValue]) if request.trace else None
    return msgspec.json.encode(
        TurnResponse(
            trace_id,
            request.session,
            decision_value(result.decision) if result.decision is not None else None,
            result.reply,
            [plain(effect) for effect in result.effects],
            result.stack,
            "ok" if available else "unavailable",
            claims,
        )
    )
