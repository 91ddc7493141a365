"""The OpenAPI document, made from the same structs that the routes decode and encode."""

from __future__ import annotations

import html
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import msgspec

from routing.dialogue.labels import LabelRow
from serve import schemas, turns


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation: its request and answer types (None: no JSON body), and the statuses besides 200; `query` names its
    optional query parameters."""

    method: str
    path: str
    summary: str
    request: Any
    response: Any
    statuses: tuple[int, ...] = ()
    media_type: str = "application/json"
    query: tuple[str, ...] = ()


_BODY = (400, 401, 413, 422, 503)

OPERATIONS = (
    Operation("post", "/v1/route", "One utterance, one decision", schemas.RouteRequest, schemas.RouteResponse, _BODY),
    Operation(
        "post", "/v1/route/batch", "Up to 256 utterances, decided in order", schemas.BatchRequest,
        schemas.BatchResponse, _BODY,
    ),
    Operation("post", "/v1/turn", "One utterance of a session", turns.TurnRequest, turns.TurnResponse, _BODY),
    Operation(
        "post", "/v1/embeddings", "Sentence vectors, OpenAI-compatible", schemas.EmbeddingsRequest,
        schemas.EmbeddingsResponse, (*_BODY, 404),
    ),
    Operation(
        "get", "/v1/traces", "The newest decisions, newest first; with a filter, of all that are kept", None,
        schemas.TraceList, (401, 422, 503),
        query=("limit", "stage", "intent", "clarify", "disagree", "text"),
    ),
    Operation(
        "get", "/v1/traces/stream", "New decisions as server-sent events", None, None, (401, 404, 503),
        media_type="text/event-stream",
    ),
    Operation("get", "/v1/traces/{trace_id}", "One decision's record", None, schemas.TraceRecord, (401, 404, 503)),
    Operation(
        "post", "/v1/traces/{trace_id}/correction", "Mark a turn wrong, with or without the right intent",
        schemas.CorrectionRequest, LabelRow, (*_BODY, 403, 404),
    ),
    Operation(
        "get", "/v1/labels", "The corrections, as JSON Lines", None, LabelRow, (401, 503),
        media_type="application/jsonl",
    ),
    Operation(
        "delete", "/v1/data", "Remove every utterance, trace, label and dialogue", None, schemas.Wiped, (401, 403, 503)
    ),
    Operation("get", "/healthz", "Alive", None, dict[str, str]),
    Operation("get", "/readyz", "Ready, and what is degraded", None, schemas.Ready, (503,)),
    Operation("get", "/metrics", "Prometheus metrics", None, None, media_type="text/plain"),
)  # fmt: skip


@lru_cache(maxsize=1)
def document() -> dict[str, Any]:
    """The OpenAPI 3.1 document."""
    types = [t for op in OPERATIONS for t in (op.request, op.response) if t is not None]
    types.append(schemas.Problem)
    shapes, components = msgspec.json.schema_components(types, ref_template="#/components/schemas/{name}")
    shape_of = dict(zip([id(t) for t in types], shapes, strict=True))
    paths: dict[str, Any] = {}
    for op in OPERATIONS:
        content: Any = {"schema": {"type": "string"} if op.response is None else shape_of[id(op.response)]}
        responses: dict[str, Any] = {"200": {"description": "OK", "content": {op.media_type: content}}}
        for status in op.statuses:
            responses[str(status)] = {
                "description": "Problem",
                "content": {"application/problem+json": {"schema": shape_of[id(schemas.Problem)]}},
            }
        entry: dict[str, Any] = {
            "summary": op.summary,
            "operationId": f"{op.method}_{op.path.strip('/').translate(str.maketrans('/{}.', '____'))}",
            "responses": responses,
        }
        if op.request is not None:
            entry["requestBody"] = {
                "required": True, "content": {"application/json": {"schema": shape_of[id(op.request)]}},
            }  # fmt: skip
        if "{trace_id}" in op.path:
            entry["parameters"] = [{"name": "trace_id", "in": "path", "required": True, "schema": {"type": "string"}}]
        if op.query:
            entry.setdefault("parameters", []).extend(
                {"name": name, "in": "query", "required": False, "schema": {"type": "string"}} for name in op.query
            )
        paths.setdefault(op.path, {})[op.method] = entry
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "maven-serve",
            "version": _version(),
            "description": "Intent routing for Maven, a Russian-first personal assistant. Errors are RFC 9457 "
            "problem documents.",
        },
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{}, {"bearer": []}],
    }


def _version() -> str:
    try:
        return version("maven-serve")
    except PackageNotFoundError:
        return "0"


@lru_cache(maxsize=1)
def document_json() -> bytes:
    """The document as JSON."""
    return msgspec.json.encode(document())


@lru_cache(maxsize=1)
def page() -> str:
    """The document as a plain page, without scripts or outside assets."""
    rows = []
    for path, methods in document()["paths"].items():
        for method, entry in methods.items():
            statuses = ", ".join(entry["responses"])
            rows.append(
                f"<tr><td><code>{method.upper()}</code></td><td><code>{html.escape(path)}</code></td>"
                f"<td>{html.escape(entry['summary'])}</td><td>{statuses}</td></tr>"
            )
    parts = [
        f"<h3 id='{html.escape(name)}'>{html.escape(name)}</h3><p>{html.escape(shape.get('description', ''))}</p>"
        f"<pre>{html.escape(msgspec.json.format(msgspec.json.encode(shape), indent=1).decode())}</pre>"
        for name, shape in document()["components"]["schemas"].items()
    ]
    style = "body{font:15px/1.5 system-ui;max-width:60rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}"
    style += "td{padding:.2rem .8rem .2rem 0;vertical-align:top}pre{overflow:auto;border:1px solid #8886;padding:.6rem}"
    return (
        f"<!doctype html><html lang='en'><meta charset='utf-8'><title>maven-serve</title><style>{style}</style>"
        f"<h1>maven-serve</h1><p>{html.escape(document()['info']['description'])} "
        "The machine-readable form is <a href='/openapi.json'>/openapi.json</a>.</p>"
        f"<table><tr><th></th><th>path</th><th>does</th><th>statuses</th></tr>{''.join(rows)}</table>{''.join(parts)}</html>"
    )
