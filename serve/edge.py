"""What every request passes before a route sees it: token, queue, body size, and errors made documents."""

from __future__ import annotations

import hmac
import logging
from time import perf_counter
from typing import Any
from urllib.parse import quote

from deployments.ingress import Asgi, Receive, Scope, Send
from serve import page_token
from serve.metrics import Metrics
from serve.problems import CONTENT_TYPE, HttpError
from serve.settings import Http

log = logging.getLogger("maven_serve")

OPEN = frozenset({"/healthz", "/readyz", "/metrics"})
"""Paths that need no token: a load balancer and a scraper have none."""

_KNOWN = (
    "/v1/route", "/v1/route/batch", "/v1/turn", "/v1/phrase", "/v1/embeddings", "/v1/chat/completions", "/v1/models",
    "/v1/traces", "/v1/labels", "/v1/data", "/healthz", "/readyz", "/metrics", "/trace", "/chat", "/openapi.json",
    "/docs", "/v1/traces/stream", "/login",
)  # fmt: skip


class Edge:
    """ASGI middleware. Reads the whole body (bounded) and hands it on as one message."""

    def __init__(self, app: Asgi, settings: Http, metrics: Metrics) -> None:
        self._app = app
        self._settings = settings
        self._metrics = metrics
        self._token = settings.token
        self._capacity = settings.max_ongoing + settings.max_queued
        self._inflight = 0
        metrics.inflight.set_function(lambda: self._inflight)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = perf_counter()
        status = 500
        started = False

        async def watching(message: Any) -> None:
            nonlocal status, started
            if message["type"] == "http.response.start":
                status, started = message["status"], True
            await send(message)

        self._inflight += 1
        try:
            self._admit(scope)
            body = await _read(receive, self._settings.max_body_bytes, scope)
            await self._app(scope, _replay(body, receive), watching)
        except HttpError as error:
            status = error.status
            await _problem(error, send)
        except Exception:
            log.exception("%s %s", scope["method"], scope["path"])
            if not started:
                await _problem(HttpError(500, "internal error; the service's log says more"), send)
        finally:
            self._inflight -= 1
            path = _label(scope["path"])
            self._metrics.requests.labels(path, str(status)).inc()
            self._metrics.seconds.labels(path).observe(perf_counter() - began)

    def _admit(self, scope: Scope) -> None:
        path = scope["path"]
        if path in OPEN:
            return
        if self._token is not None and not path.startswith(page_token.OPEN_PAGES):
            self._check_token(self._token, scope)
        if self._inflight > self._capacity:
            raise HttpError(503, "the queue is full; try again", headers={"Retry-After": "1"})

    @staticmethod
    def _check_token(token: str, scope: Scope) -> None:
        given = {name: value for name, value in scope["headers"] if name in (b"authorization", b"cookie")}
        if hmac.compare_digest(given.get(b"authorization", b""), f"Bearer {token}".encode()):
            return
        if page_token.admits(token, given.get(b"cookie", b"")):
            return
        if scope["method"] == "GET" and page_token.is_page(scope["path"]):
            where = f"/login?next={quote(scope['path'])}"
            raise HttpError(303, "a token is needed: /login asks for it", headers={"Location": where})
        raise HttpError(401, "a bearer token is needed", headers={"WWW-Authenticate": "Bearer"})


def _label(path: str) -> str:
    """The path as a metric label: a fixed set, whatever callers ask for."""
    if path in _KNOWN:
        return path
    for prefix, label in (("/static/", "/static/{name}"), ("/trace/", "/trace/{id}")):
        if path.startswith(prefix):
            return label
    return "/v1/traces/{id}" if path.startswith("/v1/traces/") else "other"


async def _read(receive: Receive, limit: int, scope: Scope) -> bytes:
    """The request's body. Raises `HttpError` 413 past `limit` bytes, before more of it is read."""
    for name, value in scope["headers"]:
        if name == b"content-length" and value.isdigit() and int(value) > limit:
            raise HttpError(413, f"body: {int(value)} bytes, at most {limit} are read")
    parts = []
    size = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise HttpError(400, "the caller left before the body was whole")
        part = message.get("body", b"")
        size += len(part)
        if size > limit:
            raise HttpError(413, f"body: more than {limit} bytes")
        parts.append(part)
        if not message.get("more_body", False):
            return b"".join(parts)


def _replay(body: bytes, receive: Receive) -> Receive:
    """A `receive` that gives the body once, then whatever the server says (a caller who leaves)."""
    given = False

    async def replay() -> Any:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay


async def _problem(error: HttpError, send: Send) -> None:
    body = error.body()
    headers = [(b"content-type", CONTENT_TYPE.encode()), (b"content-length", str(len(body)).encode())]
    headers += [(name.lower().encode(), value.encode()) for name, value in error.headers.items()]
    await send({"type": "http.response.start", "status": error.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
