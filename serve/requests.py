"""From a request to what the cascade takes, and from its answer to what goes back."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from zoneinfo import ZoneInfo

import msgspec

from routing.cascade import Turn
from routing.context import Context
from routing.decision import Decision
from routing.functions import FunctionTable
from routing.questions import clarify_question, language_of
from serve.problems import HttpError
from serve.schemas import (
    ClaimValue,
    ClarifyValue,
    DecisionValue,
    FunctionDefinition,
    RouteRequest,
    RouteResponse,
    SlotValues,
    TimeValue,
)

_INVISIBLE = frozenset(("Zs", "Zl", "Zp", "Cc", "Cf", "Cn", "Co", "Cs"))


def check_utterance(utterance: str, max_chars: int) -> None:
    """Raises `HttpError`: 413 over `max_chars`, 422 where nothing visible was said."""
    if len(utterance) > max_chars:
        raise HttpError(413, f"utterance: {len(utterance)} characters, at most {max_chars} are read")
    if not utterance.strip() or all(unicodedata.category(char) in _INVISIBLE for char in utterance):
        raise HttpError(422, "utterance: empty or blank")


@lru_cache(maxsize=128)
def zone_of(name: str) -> ZoneInfo:
    """The zone of an IANA name. Raises `HttpError` 422."""
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise HttpError(422, f"timezone: no such IANA time zone: {name[:64]!r}") from None


def instant_of(text: str | None, zone: ZoneInfo) -> datetime:
    """The caller's instant, aware. Raises `HttpError` 422 for what is not ISO 8601."""
    if text is None:
        return datetime.now(zone)
    try:
        instant = datetime.fromisoformat(text)
        return instant.replace(tzinfo=zone) if instant.tzinfo is None else instant.astimezone(zone)
    except (ValueError, OverflowError):
        raise HttpError(422, f"now: not an ISO 8601 instant: {text[:64]!r}") from None


def context_of(
    now: str | None,
    timezone: str | None,
    functions: Sequence[str | FunctionDefinition] | None,
    table: FunctionTable,
    default_zone: str,
    surfaced: Sequence[str] = (),
) -> Context:
    """The context of a request. Raises `HttpError` 422 naming the field."""
    name = default_zone if timezone is None else timezone
    instant = instant_of(now, zone_of(name))
    if functions is not None:
        try:
            table = table.restricted([f if isinstance(f, str) else msgspec.to_builtins(f) for f in functions])
        except ValueError as error:
            raise HttpError(422, f"functions: {error}") from None
    return Context(instant, name, table, tuple(surfaced))


def route_context(request: RouteRequest, table: FunctionTable, default_zone: str) -> Context:
    """The context of one routing request. Raises `HttpError` 422."""
    return context_of(request.now, request.timezone, request.functions, table, default_zone)


def decision_value(decision: Decision) -> DecisionValue:
    """A decision as it goes over the wire."""
    time = decision.time
    return DecisionValue(
        intent=decision.intent.value if decision.intent is not None else None,
        source=decision.source.value,
        source_anchored=decision.source_anchored,
        slots=SlotValues(**decision.slots.as_dict()),
        time=None
        if time is None
        else TimeValue(
            at=time.at.isoformat() if time.at is not None else None,
            grain=time.grain,
            recurrence=time.recurrence,
            end=time.end_at.isoformat() if time.end_at is not None else None,
        ),
        stage=decision.stage.value,
        claimant=decision.claimant,
        confidence=round(min(max(decision.confidence, 0.0), 1.0), 4),
        more=decision.more,
    )


def clarify_value(decision: Decision, utterance: str) -> ClarifyValue | None:
    """Why and what to ask, where the decision is to ask."""
    if decision.clarify is None:
        return None
    return ClarifyValue(decision.clarify, clarify_question(decision.clarify, language_of(utterance)))


def response_of(trace_id: str, turn: Turn) -> RouteResponse:
    """The answer to a routing request, without its trace."""
    return RouteResponse(
        trace_id=trace_id,
        decision=decision_value(turn.decision),
        clarify=clarify_value(turn.decision, turn.utterance.raw),
        walk=list(turn.walk) if turn.walk is not None else None,
        missing=list(turn.missing),
        elapsed_ms=round(turn.elapsed_ms, 3),
        personal=None if turn.personal is None else round(turn.personal, 4),
    )


def claim_values(claims: list[dict[str, object]]) -> list[ClaimValue]:
    """A record's claims as they go over the wire."""
    return msgspec.convert(claims, list[ClaimValue])
