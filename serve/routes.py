"""The HTTP routes. Each reads its body once with msgspec, and answers with bytes."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from deployments.remote import Unavailable
from serve import openapi, pages, trace_routes, turn_routes
from serve.metrics import CONTENT_TYPE as METRICS_TYPE
from serve.parts import Parts, count_decision, decode, json_response, parts_of
from serve.problems import CONTENT_TYPE as PROBLEM_TYPE
from serve.problems import HttpError
from serve.requests import check_utterance, claim_values, response_of, route_context
from serve.schemas import (
    BatchItem,
    BatchRequest,
    BatchResponse,
    Embedding,
    EmbeddingsRequest,
    EmbeddingsResponse,
    Ready,
    RouteRequest,
    RouteResponse,
    Usage,
)
from serve.service import trace_record
from serve.ulid import new_ulid

PROBE_S = 1.0
"""How long `/readyz` waits for a part before it calls it degraded, in seconds."""


async def _decide(parts: Parts, request: RouteRequest) -> RouteResponse:
    check_utterance(request.utterance, parts.settings.http.max_utterance_chars)
    context = route_context(request, parts.router.functions, parts.settings.timezone)
    arm = request.arm or parts.settings.cascade.arm
    if arm not in parts.router.cascades:
        raise HttpError(422, f"arm: {arm} is not configured here")
    turn, record = await parts.router.route(request.utterance, context, arm)
    trace_id = new_ulid()
    at = datetime.now(UTC)
    versions = parts.router.versions
    decision = turn.decision
    parts.shadow.after(
        arm, request.utterance, context, decision,
        lambda shadow: parts.ring.put(
            lambda: trace_record(trace_id, at, "route", arm, turn, record, versions, shadow)
        ),
    )  # fmt: skip
    count_decision(parts.metrics, turn, record)
    response = response_of(trace_id, turn)
    if request.trace:
        response.trace = claim_values(record.as_list())
    return response


async def route(request: Request) -> Response:
    """One utterance, one decision."""
    return json_response(await _decide(parts_of(request), decode(RouteRequest, await request.body())))


async def route_batch(request: Request) -> Response:
    """Up to 256 utterances, decided in order, each its own success or error."""
    parts = parts_of(request)
    batch = decode(BatchRequest, await request.body())
    given = batch.requests if batch.requests is not msgspec.UNSET else batch.utterances
    if given is msgspec.UNSET or (batch.requests is not msgspec.UNSET and batch.utterances is not msgspec.UNSET):
        raise HttpError(422, "one of `utterances` and `requests` is needed")
    if not 1 <= len(given) <= parts.settings.http.max_batch:
        raise HttpError(422, f"{len(given)} utterances: 1 to {parts.settings.http.max_batch} go into a batch")

    async def one(item: Any) -> BatchItem:
        try:
            fields = {"utterance": item} if isinstance(item, str) else item
            if isinstance(fields, dict):
                shared = {
                    "now": batch.now,
                    "timezone": batch.timezone,
                    "functions": batch.functions,
                    "arm": batch.arm,
                }
                fields = {**{k: v for k, v in shared.items() if v is not None}, **fields}
            try:
                return BatchItem(await _decide(parts, msgspec.convert(fields, RouteRequest)), None)
            except msgspec.ValidationError as error:
                raise HttpError(422, str(error)) from None
        except HttpError as error:
            return BatchItem(None, error.problem())

    return json_response(BatchResponse(list(await asyncio.gather(*map(one, given)))))


async def embeddings(request: Request) -> Response:
    """OpenAI-compatible embeddings."""
    parts = parts_of(request)
    asked = decode(EmbeddingsRequest, await request.body())
    texts = [asked.input] if isinstance(asked.input, str) else asked.input
    if not 1 <= len(texts) <= parts.settings.http.max_batch:
        raise HttpError(422, f"input: {len(texts)} texts, 1 to {parts.settings.http.max_batch} go into a request")
    try:
        about = await parts.encoder.describe()
        if asked.model not in (about["id"], about["id"].split("@")[0]):
            raise HttpError(404, f"model: {asked.model[:80]!r} is not here; {about['id']} is")
        if asked.dimensions not in (None, about["dim"]):
            raise HttpError(422, f"dimensions: {about['dim']} is the only size")
        vectors = await parts.encoder.encode(texts, asked.input_type)
        tokens = await parts.encoder.token_count(texts)
    except Unavailable as error:
        raise HttpError(503, f"the embedder does not answer: {error}", headers={"Retry-After": "1"}) from None
    packed = asked.encoding_format == "base64"
    data = [
        Embedding(base64.b64encode(vector.tobytes()).decode() if packed else vector.tolist(), i)
        for i, vector in enumerate(vectors)
    ]
    return json_response(EmbeddingsResponse(data, about["id"], Usage(tokens, tokens)))


async def healthz(_request: Request) -> Response:
    """Alive: this process answers."""
    return json_response({"status": "ok"})


async def degraded(parts: Parts) -> dict[str, str]:
    """What does not work at this moment, by part, with the reason."""

    async def probe(name: str, asking: Callable[[], Awaitable[Any]]) -> tuple[str, str | None]:
        try:
            async with asyncio.timeout(PROBE_S):
                await asking()
        except Exception as error:  # any error is the answer here
            return name, str(error).splitlines()[0] if str(error) else type(error).__name__
        return name, None

    found = await asyncio.gather(*(probe(name, asking) for name, asking in parts.probes.items()))
    for name, reason in found:
        parts.metrics.up.labels(name).set(reason is None)
    wrong = {name: reason for name, reason in found if reason is not None}
    if not parts.warm.is_set():
        wrong["classifier"] = "the seed phrases are not embedded yet"
    return wrong


async def readyz(request: Request) -> Response:
    """Ready to decide, and what is degraded. 503 only before the first warm-up: from then on every turn is answered,
    with whatever works."""
    parts = parts_of(request)
    wrong = await degraded(parts)
    ready = parts.warm.is_set()
    return json_response(Ready(ready, wrong), 200 if ready else 503)


async def metrics(request: Request) -> Response:
    """Prometheus metrics of this replica."""
    return Response(parts_of(request).metrics.text(), media_type=METRICS_TYPE)


async def openapi_json(_request: Request) -> Response:
    """The description of this interface."""
    return Response(openapi.document_json(), media_type="application/json")


async def docs(_request: Request) -> Response:
    """The description as a page."""
    return Response(openapi.page(), media_type="text/html; charset=utf-8", headers={
        "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
    })  # fmt: skip


async def problem_response(_request: Request, error: Exception) -> Response:
    """Our own errors as problem documents."""
    assert isinstance(error, HttpError)
    return Response(error.body(), error.status, error.headers, media_type=PROBLEM_TYPE)


async def not_found(request: Request, error: Exception) -> Response:
    """Starlette's own errors (no such path, wrong method) as problem documents."""
    assert isinstance(error, HTTPException)
    detail = f"{request.method} {request.url.path[:200]}: no such thing here; /openapi.json tells what is"
    headers = dict(error.headers or {})
    return await problem_response(request, HttpError(error.status_code, detail, headers=headers))


async def internal(request: Request, _error: Exception) -> Response:
    """What nobody expected. The edge logs it."""
    return await problem_response(request, HttpError(500, "internal error; the service's log says more"))


HANDLERS: dict[Any, Any] = {HttpError: problem_response, HTTPException: not_found, Exception: internal}

ROUTES = [
    Route("/v1/route", route, methods=["POST"]),
    Route("/v1/route/batch", route_batch, methods=["POST"]),
    Route("/v1/embeddings", embeddings, methods=["POST"]),
    *turn_routes.ROUTES,
    *trace_routes.ROUTES,
    *pages.ROUTES,
    Route("/healthz", healthz, methods=["GET"]),
    Route("/readyz", readyz, methods=["GET"]),
    Route("/metrics", metrics, methods=["GET"]),
    Route("/openapi.json", openapi_json, methods=["GET"]),
    Route("/docs", docs, methods=["GET"]),
]
