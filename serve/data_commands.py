"""The command line over what is kept: labels out, and everything removed."""

from __future__ import annotations

import sys
from pathlib import Path

import httpx
from rich.console import Console

from serve.commands import CommandError, base_url, client
from serve.settings import Settings

_KINDS = {
    "traces": "traces", "ring": "records of the ring", "labels": "labels", "sessions": "keys of sessions",
    "waiting": "records that waited in memory", "other": "other keys",
}  # fmt: skip


def _ask(settings: Settings, url: str | None, method: str, path: str) -> httpx.Response:
    where = url or base_url(settings)
    try:
        with client(settings, url) as service:
            answer = service.request(method, path)
    except httpx.HTTPError as error:
        raise CommandError(f"{where}: {error}; is the service up? (maven-serve up)") from None
    if answer.status_code != 200:
        raise CommandError(f"{where}: {answer.status_code}: {answer.text[:200]}")
    return answer


def export_labels(settings: Settings, url: str | None, out: Path | None) -> None:
    """Write the corrections as JSON Lines to `out`, else to standard output. Raises `CommandError`."""
    lines = _ask(settings, url, "GET", "/v1/labels").text
    if out is None:
        sys.stdout.write(lines)
        return
    try:
        out.write_text(lines, encoding="utf-8")
    except OSError as error:
        raise CommandError(f"{out}: {error.strerror}") from None
    print(f"{lines.count(chr(10))} labels in {out}", file=sys.stderr)


def wipe(settings: Settings, url: str | None) -> None:
    """Remove everything, and print what it was. Raises `CommandError`."""
    done = _ask(settings, url, "DELETE", "/v1/data").json()
    console = Console(highlight=False)
    for name, words in _KINDS.items():
        console.print(f"{done['wiped'].get(name, 0):>8} {words}")
    if done["rewritten"]:
        console.print("the append-only file is being written anew, without them")
    else:
        console.print("the server keeps no append-only file, or did not let us ask to write it anew")
