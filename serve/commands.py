"""What the command line does besides starting the service: one decision, an evaluation, the ring."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import httpx
import msgspec
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.tree import Tree

from models.arms import ARMS, Arm
from routing.cascade import Turn
from routing.context import Context
from serve.evaluate import NOW, Answer, Case, CasesError, Score, evaluate, load_cases
from serve.local import local_router
from serve.requests import response_of
from serve.schemas import ClaimValue, RouteResponse
from serve.settings import Settings
from serve.ulid import new_ulid

console = Console(highlight=False, soft_wrap=True)

_MARKS = {
    "won": "[bold green]won[/]", "declined": "[dim]declined[/]", "outscored": "[yellow]outscored[/]",
    "gated": "[yellow]gated[/]", "failed": "[red]failed[/]", "not_asked": "[dim]not asked[/]",
}  # fmt: skip


class CommandError(RuntimeError):
    """Something the caller can mend, in one line."""


def base_url(settings: Settings) -> str:
    """Where the configured service listens."""
    host = "127.0.0.1" if settings.http.host in ("0.0.0.0", "::") else settings.http.host  # noqa: S104
    return f"http://{host}:{settings.http.port}"


def client(settings: Settings, url: str | None = None) -> httpx.Client:
    """An HTTP client of the service, with the configured token."""
    return httpx.Client(base_url=url or base_url(settings), headers=_headers(settings), timeout=30.0)


def _headers(settings: Settings) -> dict[str, str]:
    return {"Authorization": f"Bearer {settings.http.token}"} if settings.http.token else {}


def route(settings: Settings, text: str, arm: str | None, url: str | None, as_json: bool) -> None:
    """One decision with its trace, in this process or of a running service."""
    known = _arm(arm) or settings.cascade.arm
    if url is not None:
        response = _ask_service(settings, url, {"utterance": text, "trace": True, "arm": known})
    else:
        response = asyncio.run(_route_here(settings, text, known))
    if as_json:
        print(msgspec.json.format(msgspec.json.encode(response), indent=2).decode())
    else:
        show(text, response)


def _arm(name: str | None) -> Arm | None:
    if name is None:
        return None
    if name not in ARMS:
        raise CommandError(f"no such arm: {name}; there are {', '.join(ARMS)}")
    return name


async def _route_here(settings: Settings, text: str, arm: Arm) -> RouteResponse:
    router = local_router(settings)
    if arm not in router.cascades:
        raise CommandError(f"arm {arm} is not configured here")
    context = Context(datetime.now(ZoneInfo(settings.timezone)), settings.timezone, router.functions)
    turn, record = await router.route(text, context, arm)
    response = response_of(new_ulid(), turn)
    response.trace = [ClaimValue(**entry) for entry in record.as_list()]  # type: ignore[arg-type]
    return response


def _ask_service(settings: Settings, url: str, body: dict[str, Any]) -> RouteResponse:
    try:
        with client(settings, url) as service:
            answer = service.post("/v1/route", json=body)
    except httpx.HTTPError as error:
        raise CommandError(f"{url}: {error}") from None
    if answer.status_code != 200:
        raise CommandError(f"{url}: {answer.status_code}: {answer.json().get('detail', answer.text)}")
    return msgspec.json.decode(answer.content, type=RouteResponse)


def show(text: str, response: RouteResponse) -> None:
    """Print a decision and its claims as a tree."""
    decision = response.decision
    head = decision.intent or f"clarify: {response.clarify.reason if response.clarify else ''}"
    if decision.source:
        head += f" → {decision.source}" + (" (anchored)" if decision.source_anchored else "")
    how = f"({decision.stage}, confidence {decision.confidence:.2f}) in {response.elapsed_ms:.2f} ms"
    tree = Tree(f"[bold]{escape(text)}[/]\n[bold cyan]{escape(head)}[/]  by {decision.claimant} {how}")
    if response.clarify is not None:
        tree.add(f"asks: {escape(response.clarify.question)}")
    for name, value in msgspec.structs.asdict(decision.slots).items():
        if value is not None:
            tree.add(f"{name}: {escape(value)}")
    if decision.time is not None:
        tree.add(f"time: {decision.time.at or 'unresolved'} ({decision.time.grain}) {decision.time.recurrence or ''}")
    if response.missing:
        tree.add(f"missing: {', '.join(response.missing)}")
    if response.walk is not None:
        tree.add(f"walk: {' → '.join(response.walk)}")
    if response.trace is not msgspec.UNSET:
        _add_claims(tree.add("trace"), response.trace)
    console.print(tree)


def _add_claims(branch: Tree, claims: list[ClaimValue]) -> None:
    for claim in claims:
        parts = [f"{claim.claimant} [dim]{claim.stage}[/]", _MARKS[claim.outcome]]
        if claim.would_be:
            parts.append(escape(claim.would_be))
        if claim.score is not None:
            parts.append(f"score {claim.score:.2f}")
        if claim.reason:
            parts.append(f"({escape(claim.reason)})")
        if claim.micros is not None:
            parts.append(f"[dim]{claim.micros:.0f} µs[/]")
        branch.add(" ".join(parts))


def turn(settings: Settings, session: str, text: str, url: str | None, as_json: bool) -> None:
    """One turn of a session of a running service: its reply, effects and stack, and who decided."""
    try:
        with client(settings, url) as service:
            answer = service.post("/v1/turn", json={"session": session, "utterance": text, "trace": True})
    except httpx.HTTPError as error:
        raise CommandError(f"{url or base_url(settings)}: {error}") from None
    body = answer.json()
    if answer.status_code != 200:
        raise CommandError(f"{answer.status_code}: {body.get('detail', answer.text)}")
    if as_json:
        print(json.dumps(body, ensure_ascii=False, indent=2))
        return
    reply = body["reply"]
    tree = Tree(f"[bold]{escape(text)}[/]\n[bold cyan]{reply['kind']}[/]  {escape(reply['text'] or '')}")
    for effect in body["effects"]:
        tree.add(f"effect: {escape(json.dumps(effect, ensure_ascii=False))}")
    tree.add(f"stack: {escape(json.dumps(body['stack'], ensure_ascii=False))}")
    if body["dialogue"] != "ok":
        tree.add(f"[yellow]dialogue {body['dialogue']}[/]")
    claims = msgspec.convert(body["trace"], list[ClaimValue])
    _add_claims(tree.add("trace"), [claim for claim in claims if claim.outcome not in ("not_asked", "declined")])
    console.print(tree)


def run_eval(settings: Settings, path: Path, arm_name: str, as_json: bool, url: str | None) -> None:
    """Print an arm's accuracy on the cases of `path`."""
    try:
        cases, sha256 = load_cases(path)
    except CasesError as error:
        raise CommandError(str(error)) from None
    arm = _arm(arm_name)
    assert arm is not None
    score, histogram = asyncio.run(_measure(settings, cases, arm, url))
    report = score.report(arm, sha256, histogram)
    if as_json:
        print(json.dumps(report, ensure_ascii=False))
    else:
        show_report(report)


async def _measure(settings: Settings, cases: list[Case], arm: Arm, url: str | None) -> tuple[Score, Any]:
    if url is not None:
        async with httpx.AsyncClient(base_url=url, headers=_headers(settings), timeout=30.0) as service:
            return await evaluate(cases, _over_http(service, arm))
    router = local_router(settings)
    if arm not in router.cascades:
        raise CommandError(f"arm {arm} is not configured here")
    context = Context(NOW, str(NOW.tzinfo), router.functions)

    async def ask(text: str) -> Answer:
        turn, _ = await router.route(text, context, arm)
        return _answer(turn)

    return await evaluate(cases, ask)


def _answer(turn: Turn) -> Answer:
    decision = turn.decision
    span = decision.slots.spans.get("fn")
    return Answer(
        decision.intent.value if decision.intent is not None else None,
        decision.source.value,
        decision.slots.as_dict(),
        turn.utterance.slice(span) if span is not None else None,
        decision.stage.value,
        decision.claimant,
    )


def _over_http(service: httpx.AsyncClient, arm: Arm) -> Callable[[str], Awaitable[Answer]]:
    async def ask(text: str) -> Answer:
        body = {"utterance": text, "arm": arm, "now": NOW.isoformat(), "timezone": str(NOW.tzinfo)}
        try:
            answer = await service.post("/v1/route", json=body)
        except httpx.HTTPError as error:
            raise CommandError(f"{service.base_url}: {error}") from None
        if answer.status_code != 200:
            raise CommandError(f"{service.base_url}: {answer.status_code}: {answer.text[:200]}")
        decision = msgspec.json.decode(answer.content, type=RouteResponse).decision
        slots = msgspec.structs.asdict(decision.slots)
        return Answer(decision.intent, decision.source, slots, None, decision.stage, decision.claimant)

    return ask


def show_report(report: dict[str, Any]) -> None:
    """The report as tables."""

    def share(pair: dict[str, int]) -> str:
        return f"{100 * pair['right'] / pair['of']:.1f} % ({pair['right']}/{pair['of']})" if pair["of"] else "-"

    console.print(f"[bold]{report['arm']}[/] on {report['cases']} cases, sha256 {report['fixture_sha256'][:16]}")
    clarify = report["clarify"]
    table = Table(box=None, show_header=False)
    for name in ("intent", "full", "destination"):
        table.add_row(name, share(report[name]))
    table.add_row(
        "clarify",
        f"caught {clarify['caught']}/{clarify['of']}, false {clarify['false']}/{clarify['answerable']}",
    )
    table.add_row("slots", " ".join(f"{name} {value:.3f}" for name, value in report["slots"].items()))
    table.add_row("latency, ms", " ".join(f"{name} {value:g}" for name, value in report["latency_ms"].items()))
    for name, pair in report["per_intent"].items():
        table.add_row(f"  {name}", share(pair))
    console.print(table)
    misses = Table("id", "wanted", "got", "claimant", "utterance", box=None, header_style="dim")
    for miss in report["misses"]:
        misses.add_row(miss["id"], miss["want"], miss["got"], miss["claimant"], escape(miss["text"]))
    if report["misses"]:
        console.print(misses)


def follow(settings: Settings, url: str | None, keep_on: bool, limit: int) -> None:
    """Print the ring of a running service, oldest first, and with `keep_on` what comes after."""
    seen: set[str] = set()
    try:
        with client(settings, url) as service:
            while True:
                answer = service.get("/v1/traces", params={"limit": limit})
                if answer.status_code != 200:
                    raise CommandError(f"{service.base_url}: {answer.status_code}: {answer.json()['detail']}")
                for record in reversed(answer.json()["traces"]):
                    if record["id"] not in seen:
                        seen.add(record["id"])
                        _show_record(record)
                if not keep_on:
                    return
                time.sleep(1.0)
    except httpx.HTTPError as error:
        raise CommandError(f"{url or base_url(settings)}: {error}") from None
    except KeyboardInterrupt:
        return


def _show_record(record: dict[str, Any]) -> None:
    decision = record["decision"] or {"intent": "dialogue", "source": "", "claimant": "ladder"}
    what = decision["intent"] or "clarify"
    tree = Tree(
        f"[dim]{record['at'][11:19]} {record['id']}[/] [bold]{escape(record['utterance'])}[/] → [cyan]{what}"
        f"{':' + decision['source'] if decision['source'] else ''}[/] by {decision['claimant']}"
    )
    heard = msgspec.convert(record["claims"], list[ClaimValue])
    _add_claims(tree, [c for c in heard if c.outcome not in ("not_asked", "declined")])
    console.print(tree)
