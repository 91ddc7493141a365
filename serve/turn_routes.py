"""`POST /v1/turn` over HTTP: the dialogue of a session, its record and its labels."""

from __future__ import annotations

import asyncio
import logging
from datetime import UTC, datetime
from time import perf_counter

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from models.arms import Arm
from routing.cascade import Turn
from routing.context import Context
from routing.decision import Decision
from routing.dialogue import TurnResult
from routing.text import Utterance
from serve.parts import Parts, count_decision, decode, parts_of
from serve.problems import HttpError
from serve.requests import check_utterance, context_of
from serve.schemas import ShadowValue
from serve.service import trace_record
from serve.trace_store import StoreUnavailable
from serve.turns import TurnRequest, dialogue_context, handle_turn
from serve.ulid import new_ulid

log = logging.getLogger("maven_serve")


async def turn(request: Request) -> Response:
    """One utterance of a session: the pre-route ladder first, then the cascade."""
    parts = parts_of(request)
    settings = parts.settings
    began = perf_counter()
    asked = decode(TurnRequest, await request.body())
    check_utterance(asked.utterance, settings.http.max_utterance_chars)
    key = request.headers.get("x-idempotency-key")
    if key is not None and not 1 <= len(key) <= 128:
        raise HttpError(422, "X-Idempotency-Key: 1 to 128 characters")
    arm = asked.arm or settings.cascade.arm
    cascade = parts.router.cascades.get(arm)
    if cascade is None:
        raise HttpError(422, f"arm: {arm} is not configured here")
    base = context_of(asked.now, asked.timezone, asked.functions, parts.router.functions, settings.timezone)
    trace_id = new_ulid()
    limits = settings.dialogue
    context = dialogue_context(
        asked, base, trace_id=trace_id, versions=parts.router.versions,
        window_s=limits.window_s, budget=limits.budget, depth=limits.depth,
    )  # fmt: skip
    out = await handle_turn(asked, context, cascade.route, parts.sessions, claimants=cascade.claimants(), turn_id=key)
    if out.result is not None:
        _record(parts, trace_id, arm, asked.utterance, base, out.result, (perf_counter() - began) * 1e3)
        if out.available and out.result.labels:
            parts.background.add(task := asyncio.create_task(_keep_labels(parts, out.result)))
            task.add_done_callback(parts.background.discard)
    return Response(out.body, media_type="application/json")


def _record(
    parts: Parts, trace_id: str, arm: Arm, utterance: str, base: Context, result: TurnResult, elapsed_ms: float
) -> None:
    """Count the turn and hand its record to the ring. A turn that was only about the dialogue has no intent."""
    decision = result.decision or Decision(intent=None, claimant=result.rung or "")
    routed = Turn(Utterance(utterance), decision, None, (), elapsed_ms)
    count_decision(parts.metrics, routed, result.record)
    at = datetime.now(UTC)
    versions = parts.router.versions

    def keep(shadow: ShadowValue | None) -> None:
        parts.ring.put(lambda: trace_record(trace_id, at, "turn", arm, routed, result.record, versions, shadow))

    if result.rung is None:
        parts.shadow.after(arm, utterance, base, decision, keep)
    else:  # a rung before the cascade took the turn: another cascade would be compared with nothing
        keep(None)


async def _keep_labels(parts: Parts, result: TurnResult) -> None:
    for label in result.labels:
        try:
            await parts.labels.add(label)
        except StoreUnavailable as error:
            log.warning("a spoken correction was not kept: %s", error)


ROUTES = [Route("/v1/turn", turn, methods=["POST"])]
