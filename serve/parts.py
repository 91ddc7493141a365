"""What the routes stand on, and how they read a body and write an answer."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

import msgspec
from redis.asyncio import Redis
from starlette.requests import Request
from starlette.responses import Response

from routing import trace
from routing.cascade import Turn
from serve.feed import Feed
from serve.labels import LabelStore
from serve.metrics import Metrics
from serve.problems import HttpError
from serve.remote_encoder import RemoteEncoder
from serve.service import Router
from serve.sessions import RedisSessions
from serve.settings import Settings
from serve.shadow import Shadow
from serve.trace_store import StoreUnavailable, TraceStore
from serve.traces import TraceRing

T = TypeVar("T")


@dataclass
class Parts:
    """What the routes stand on. `probes` ask each part whether it answers; `warm` is set once the seed phrases are
    embedded."""

    settings: Settings
    router: Router
    encoder: RemoteEncoder
    redis: Redis
    ring: TraceRing
    metrics: Metrics
    store: TraceStore
    labels: LabelStore
    shadow: Shadow
    feed: Feed
    sessions: RedisSessions
    probes: Mapping[str, Callable[[], Awaitable[Any]]] = field(default_factory=dict)
    warm: asyncio.Event = field(default_factory=asyncio.Event)
    background: set[asyncio.Task[None]] = field(default_factory=set)


FELL_THROUGH = frozenset({"outscored", "gated", "failed"})


def count_decision(metrics: Metrics, turn: Turn, record: trace.Record) -> None:
    """One decision, and what fell through on the way to it, into the metrics."""
    decision = turn.decision
    intent, stage = "clarify", decision.stage.value
    if decision.intent is not None:
        intent = decision.intent.value
    elif decision.clarify is None:  # the turn was only about the dialogue
        intent, stage = "dialogue", "ladder"
    metrics.decisions.labels(stage, decision.claimant, intent).inc()
    metrics.cascade_seconds.labels(stage).observe(turn.elapsed_ms / 1e3)
    for entry in record.entries:
        if entry.micros is not None:
            metrics.stage_seconds.labels(entry.stage).observe(entry.micros / 1e6)
        if entry.outcome in FELL_THROUGH:
            metrics.outcomes.labels(entry.claimant, entry.outcome.value).inc()


def parts_of(request: Request) -> Parts:
    """The parts of the application that serves `request`."""
    parts: Parts = request.app.state.parts
    return parts


_decoders: dict[type[Any], msgspec.json.Decoder[Any]] = {}


def decode(kind: type[T], body: bytes) -> T:
    """`body` as `kind`. Raises `HttpError`: 400 where it is no UTF-8 JSON, 422 where it is another shape."""
    decoder = _decoders.get(kind)
    if decoder is None:
        decoder = _decoders[kind] = msgspec.json.Decoder(kind)
    try:
        value: T = decoder.decode(body)
        return value
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _undecodable(body, error) from None


def _undecodable(body: bytes, error: Exception) -> HttpError:
    """Which of the two it is. The decoder stops at the first wrong type, so only a second look, without a type, tells
    whether what follows is JSON at all."""
    try:
        msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as unreadable:
        return HttpError(400, f"body: not UTF-8 JSON: {unreadable}")
    return HttpError(422, str(error))


def json_response(value: Any, status: int = 200) -> Response:
    """A struct as JSON."""
    return Response(msgspec.json.encode(value), status, media_type="application/json")


async def stored(reading: Awaitable[T]) -> T:
    """What Redis holds. Raises `HttpError` 503 where it does not answer."""
    try:
        return await reading
    except StoreUnavailable:
        raise HttpError(
            503, "Redis does not answer; traces and labels are kept there", headers={"Retry-After": "1"}
        ) from None
