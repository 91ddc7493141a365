"""The pages for a person: decisions as they come, one decision as a ladder, and a dialogue.

Rendered here, with autoescape on: whatever came from an utterance reaches a browser as text. A policy without inline
script or style stands behind that, should a template ever forget it.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode
from zoneinfo import ZoneInfo

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from serve import page_token
from serve.page_charts import charts_of
from serve.page_words import Words, language_of
from serve.parts import Parts, parts_of
from serve.problems import HttpError
from serve.schemas import ClaimValue, DecisionValue, TraceRecord
from serve.trace_routes import INTENTS, STAGES, filter_of, find, records
from serve.trace_store import StoreUnavailable, intent_of, stage_of

WEB = Path(__file__).parent / "web"
FOLD_FROM = 3
"""So many claimants in a row that declined, or were not asked, are folded into one line."""

HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
}

_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}

_templates = Environment(
    loader=FileSystemLoader(WEB / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


@dataclass(frozen=True, slots=True)
class Group:
    """Claimants that stand together in the ladder; `folded` ones are behind a line that counts them."""

    outcome: str
    folded: bool
    claims: list[ClaimValue] = field(default_factory=list)


def ladder_of(claims: list[ClaimValue]) -> Iterator[Group]:
    """The claims in their order, long runs of those that had nothing to say folded."""
    shown: list[ClaimValue] = []
    for outcome, run in groupby(claims, key=lambda claim: claim.outcome):
        same = list(run)
        if outcome in ("declined", "not_asked") and len(same) >= FOLD_FROM:
            if shown:
                yield Group("", False, shown)
                shown = []
            yield Group(outcome, True, same)
        else:
            shown += same
    if shown:
        yield Group("", False, shown)


def value_of(decision: DecisionValue | None) -> str:
    """A decision in a few characters: `query:world`, `act:light.on`, `clarify`."""
    if decision is None:
        return ""
    if decision.intent is None:
        return "clarify"
    tail = decision.slots.fn if decision.intent == "act" else decision.source
    return f"{decision.intent}:{tail}" if tail else decision.intent


def summary_of(record: TraceRecord) -> str:
    """What a turn was, in a few characters."""
    return "dialogue" if record.decision is None else value_of(record.decision)


_templates.globals.update(intent_of=intent_of, stage_of=stage_of, summary_of=summary_of, value_of=value_of)


def render(request: Request, template: str, status: int = 200, **values: Any) -> Response:
    """A page in the language of its reader. `?lang=` is remembered in a cookie."""
    asked = request.query_params.get("lang") or request.cookies.get("lang")
    zone = parts_of(request).settings.timezone

    def clock(at: str) -> datetime:
        return datetime.fromisoformat(at).astimezone(ZoneInfo(zone))

    words = Words(language_of(asked, request.headers.get("accept-language", "")))
    other = "en" if words.language == "ru" else "ru"
    query = [(name, value) for name, value in request.query_params.multi_items() if name not in ("lang", "part")]
    body = _templates.get_template(template).render(
        words=words, zone=zone, clock=clock, other_language=other,
        other_query=urlencode([*query, ("lang", other)]), **values,
    )  # fmt: skip
    answer = Response(body, status, HEADERS, media_type="text/html")
    if request.query_params.get("lang") in ("ru", "en"):
        answer.set_cookie("lang", words.language, max_age=365 * 86_400, samesite="lax", httponly=True)
    return answer


async def trace(request: Request) -> Response:
    """The newest decisions, or those that a filter finds; with `part=list` the list alone."""
    parts = parts_of(request)
    wanted = filter_of(request.query_params)
    found: list[TraceRecord] = []
    corrected: dict[str, str | None] = {}
    unavailable = False
    try:
        found = await records(parts, wanted, 100)
        corrected = {row.trace_id: row.want for row in await parts.labels.of([record.id for record in found])}
    except (HttpError, StoreUnavailable):
        unavailable = True
    part = request.query_params.get("part") == "list"
    return render(
        request, "list.html" if part else "trace.html", here="trace", records=found, wanted=wanted,
        unavailable=unavailable, corrected=corrected, charts=charts_of(found), stages=STAGES,
        intents=(*INTENTS, "clarify", "dialogue"), max_chars=parts.settings.http.max_utterance_chars,
    )  # fmt: skip


async def record(request: Request) -> Response:
    """One decision as a ladder."""
    parts = parts_of(request)
    trace_id = request.path_params["trace_id"]
    try:
        found = await find(parts, trace_id)
        label = await parts.labels.get(trace_id)
    except (HttpError, StoreUnavailable) as error:
        gone = isinstance(error, HttpError) and error.status == 404
        return render(
            request, "record.html", 404 if gone else 503, here="trace", record=None, unavailable=not gone
        )  # fmt: skip
    return render(
        request, "record.html", here="trace", record=found, label=label, correctable=INTENTS,
        groups=list(ladder_of(found.claims)), unavailable=False,
    )  # fmt: skip


async def chat(request: Request) -> Response:
    """A dialogue with what this service offers of it."""
    parts = parts_of(request)
    offered = {route.path for route in request.app.routes if isinstance(route, Route)}
    return render(
        request, "chat.html", here="chat", has_turn="/v1/turn" in offered, has_phrase="/v1/phrase" in offered,
        correctable=INTENTS, max_chars=parts.settings.http.max_utterance_chars,
    )  # fmt: skip


@lru_cache(maxsize=1)
def _assets() -> dict[str, tuple[bytes, str, str]]:
    """Name to bytes, media type and entity tag."""
    found = {}
    for path in sorted((WEB / "static").iterdir()):
        if path.suffix in _TYPES:
            data = path.read_bytes()
            found[path.name] = (data, _TYPES[path.suffix], f'"{sha256(data).hexdigest()[:20]}"')
    return found


async def static(request: Request) -> Response:
    """A script, a style or the icon."""
    asset = _assets().get(request.path_params["name"])
    if asset is None:
        raise HttpError(404, "no such file here")
    data, kind, tag = asset
    headers = {"etag": tag, "cache-control": "no-cache", "x-content-type-options": "nosniff"}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(data, headers=headers, media_type=kind)


def _next(asked: str) -> str:
    """Where to go after signing in: a page of ours, whatever was asked."""
    known = asked in page_token.PAGES or (asked.startswith("/trace/") and asked[7:].isalnum())
    return asked if known else "/trace"


def _token(parts: Parts) -> str | None:
    return parts.settings.http.token


async def login_page(request: Request) -> Response:
    """The form that asks for the token."""
    if _token(parts_of(request)) is None:
        return RedirectResponse("/trace", 303)
    return render(request, "login.html", here="login", next=_next(request.query_params.get("next", "")), wrong=False)


async def login(request: Request) -> Response:
    """Check the token and remember it for this browser's session."""
    token = _token(parts_of(request))
    form = parse_qs((await request.body()).decode("utf-8", "replace"))
    where = _next(form.get("next", [""])[0])
    given = form.get("token", [""])[0]
    if token is not None and not hmac.compare_digest(given.encode(), token.encode()):
        return render(request, "login.html", 401, here="login", next=where, wrong=True)
    answer = RedirectResponse(where, 303)
    if token is not None:
        answer.set_cookie(
            page_token.COOKIE, page_token.value(token), httponly=True, samesite="strict",
            secure=request.url.scheme == "https",
        )  # fmt: skip
    return answer


ROUTES = [
    Route("/trace", trace, methods=["GET"]),
    Route("/trace/{trace_id}", record, methods=["GET"]),
    Route("/chat", chat, methods=["GET"]),
    Route("/static/{name}", static, methods=["GET"]),
    Route("/login", login_page, methods=["GET"]),
    Route("/login", login, methods=["POST"]),
]
