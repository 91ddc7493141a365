"""The HTTP routes of what is kept: traces, their live stream, corrections, labels, and the wipe."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import get_args

import msgspec
from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from routing.decision import Intent, StageName
from routing.dialogue.labels import LabelRow
from serve.parts import Parts, decode, json_response, parts_of, stored
from serve.problems import HttpError
from serve.schemas import CorrectionRequest, IntentName, TraceList, TraceRecord
from serve.trace_store import LADDER, Filter
from serve.wipe import wipe

STAGES = (LADDER, *(stage.value for stage in StageName))
INTENTS: tuple[str, ...] = get_args(IntentName)
MOST = 10_000
"""Records in one answer at most."""
JSON_LINES = "application/jsonl"


def same_site(request: Request) -> None:
    """Raises `HttpError` 403 for a request that a browser sent for another site's page: such a page may not correct
    or wipe what a service on this machine keeps."""
    if request.headers.get("sec-fetch-site") in ("cross-site", "same-site"):
        raise HttpError(403, "another site's page may not do this")


def filter_of(query: QueryParams) -> Filter:
    """The filter that a query string asks for. Raises `HttpError` 422 naming the field."""

    def one_of(name: str, allowed: tuple[str, ...]) -> str | None:
        value = query.get(name) or None
        if value is not None and value not in allowed:
            raise HttpError(422, f"{name}: one of {', '.join(allowed)}")
        return value

    def flag(name: str) -> bool | None:
        value = one_of(name, ("true", "false"))
        return None if value is None else value == "true"

    return Filter(
        stage=one_of("stage", STAGES),
        intent=one_of("intent", (*INTENTS, "clarify", "dialogue")),
        clarify=flag("clarify"),
        disagree=flag("disagree"),
        text=(query.get("text") or "")[:200].strip(),
    )


def limit_of(query: QueryParams) -> int | None:
    """How many records are asked for. Raises `HttpError` 422."""
    limit = query.get("limit")
    if limit is None:
        return None
    if not (limit.isascii() and limit.isdigit() and 1 <= int(limit[:6]) <= MOST):
        raise HttpError(422, f"limit: a number from 1 to {MOST}")
    return int(limit)


async def records(parts: Parts, wanted: Filter, limit: int | None) -> list[TraceRecord]:
    """The ring, newest first; with a filter, what is kept beside it. Raises `HttpError` 503."""
    if wanted and parts.settings.trace.persist:
        return await stored(parts.store.search(wanted, limit=limit or 100))
    newest = await stored(parts.ring.newest(None if wanted else limit))
    return [record for record in newest if wanted.accepts(record)][:limit]


async def traces(request: Request) -> Response:
    """The ring, newest first, or what a filter finds."""
    wanted, limit = filter_of(request.query_params), limit_of(request.query_params)
    return json_response(TraceList(await records(parts_of(request), wanted, limit)))


async def find(parts: Parts, trace_id: str) -> TraceRecord:
    """One record. Raises `HttpError`: 404 where it is not kept, 503 without Redis."""
    record = await stored(parts.ring.find(trace_id))
    if record is None:
        raise HttpError(404, f"no trace {trace_id[:40]!r} is kept")
    return record


async def trace(request: Request) -> Response:
    """One record."""
    return json_response(await find(parts_of(request), request.path_params["trace_id"]))


async def stream(request: Request) -> Response:
    """New records as server-sent events."""
    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    events = parts_of(request).feed.watch(request.headers.get("last-event-id"))
    return StreamingResponse(events, headers=headers, media_type="text/event-stream")


async def correction(request: Request) -> Response:
    """Mark a turn wrong, with or without the right intent. The label outlives the record."""
    same_site(request)
    parts = parts_of(request)
    asked = decode(CorrectionRequest, await request.body())
    record = await find(parts, request.path_params["trace_id"])
    row = LabelRow(
        utterance=record.utterance,
        was=record.decision.intent if record.decision is not None else None,
        want=Intent(asked.want) if asked.want is not None else None,
        when=datetime.now(UTC).isoformat(timespec="milliseconds"),
        reach=asked.reach,
        versions=record.versions,
        trace_id=record.id,
    )
    await stored(parts.labels.add(row))
    parts.metrics.corrections.labels(asked.want or "none").inc()
    return json_response(row)


async def labels(request: Request) -> Response:
    """Every correction, oldest first, as JSON Lines."""
    rows = await stored(parts_of(request).labels.all())
    return Response(b"".join(msgspec.json.encode(row) + b"\n" for row in rows), media_type=JSON_LINES)


async def data(request: Request) -> Response:
    """Remove every utterance, trace, label and dialogue."""
    same_site(request)
    parts = parts_of(request)
    prefix = parts.settings.redis.prefix
    return json_response(await stored(wipe(parts.redis, prefix, parts.ring, parts.shadow)))


ROUTES = [
    Route("/v1/traces", traces, methods=["GET"]),
    Route("/v1/traces/stream", stream, methods=["GET"]),
    Route("/v1/traces/{trace_id}", trace, methods=["GET"]),
    Route("/v1/traces/{trace_id}/correction", correction, methods=["POST"]),
    Route("/v1/labels", labels, methods=["GET"]),
    Route("/v1/data", data, methods=["DELETE"]),
]
