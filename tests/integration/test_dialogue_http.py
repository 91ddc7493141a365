"""The scripted dialogues again, over HTTP against a real Redis, and with parts of the service killed in between."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest

from serve import processes, raynode
from serve.launcher import Launcher
from tests.dialogues.script import Dialogue, check, load

pytestmark = pytest.mark.integration

DIALOGUES = [dialogue for dialogue in load() if dialogue.http]
NOW = "2026-12-01T10:00:00+03:00"


@pytest.fixture(scope="module")
def launcher(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Launcher]:
    with Launcher(tmp_path_factory.mktemp("dialogue"), overrides={"valkey.appendfsync": "always"}) as it:
        yield it


@pytest.fixture(scope="module")
def client(launcher: Launcher) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=launcher.url, timeout=10.0) as one:
        yield one


def say(client: httpx.Client, session: str, said: str, **fields: Any) -> dict[str, Any]:
    """One turn, which must be answered with 200."""
    body = {"session": session, "utterance": said, "now": NOW, "timezone": "Europe/Moscow", **fields}
    answer = client.post("/v1/turn", json=body)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


@pytest.mark.parametrize("dialogue", DIALOGUES, ids=lambda d: d.id)
def test_dialogue(client: httpx.Client, dialogue: Dialogue) -> None:
    session = uuid4().hex
    for scripted, body in zip(dialogue.turns, dialogue.requests(), strict=True):
        answer = client.post("/v1/turn", json={**body, "session": session})
        assert answer.status_code == 200, answer.text
        assert answer.json()["dialogue"] == "ok"
        check(scripted, answer.json())


def test_two_clients_at_once(launcher: Launcher) -> None:
    """Both answer the same question at the same moment: one effect."""
    with ThreadPoolExecutor(2) as pool, httpx.Client(base_url=launcher.url, timeout=10.0) as client:
        for _ in range(50):
            session = uuid4().hex
            say(client, session, "напомни позвонить маме")
            pair = list(pool.map(lambda said, s=session: say(client, s, said), ("завтра в девять", "завтра в десять")))
            # the loser was heard again, by itself: a judge may make anything of it but a second reminder
            done = [effect["kind"] for answer in pair for effect in answer["effects"]]
            assert done.count("create_reminder") == 1, pair


def test_a_retry_over_http(client: httpx.Client) -> None:
    session = uuid4().hex
    say(client, session, "напомни позвонить маме")
    first = [say(client, session, "завтра в девять", turn_id="t1") for _ in range(5)]
    assert first[1:] == first[:-1]
    assert len(first[0]["effects"]) == 1
    body = {"session": session, "utterance": "напомни в девять встать", "now": NOW}
    answers = [client.post("/v1/turn", json=body, headers={"X-Idempotency-Key": "k"}).json() for _ in range(5)]
    assert answers[1:] == answers[:-1]
    assert len(answers[0]["effects"]) == 1


def title(pid: int) -> str:
    """The title that a process gave itself; the kernel's short name cuts that of a replica."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().decode("utf-8", "replace")
    except OSError:
        return ""


def killed(launcher: Launcher, part: str) -> None:
    """Kill one part of the instance, at once."""
    here = processes.belonging(str(raynode.run_path(launcher.home)))
    found = [p for p in here if part in p.name or part in title(p.pid)]
    assert found, f"no process of {part}: {sorted(title(p.pid)[:60] for p in here)}"
    for process in found:
        os.kill(process.pid, signal.SIGKILL)


def until_kept(client: httpx.Client, session: str, said: str) -> dict[str, Any]:
    """The first answer to `said` that a session stands behind; earlier ones, if any, must do nothing."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            body = {"session": session, "utterance": said, "now": NOW, "timezone": "Europe/Moscow", "turn_id": said}
            answer = client.post("/v1/turn", json=body)
        except httpx.HTTPError:
            time.sleep(0.2)
            continue
        if answer.status_code == 200:
            found: dict[str, Any] = answer.json()
            if found["dialogue"] == "ok":
                return found
            assert "create_reminder" not in [effect["kind"] for effect in found["effects"]]
        time.sleep(0.2)
    raise AssertionError("the service did not come back")


@pytest.mark.parametrize("part", ["valkey-server", ":ingress"])
def test_killed_between_any_two_turns(launcher: Launcher, client: httpx.Client, part: str) -> None:
    """The next turn finds the stack as it was, whatever died before it."""
    turns = (
        ("напомни позвонить маме", 1, 0), ("напомни купить хлеб", 2, 0), ("в девять", 1, 1), ("завтра в десять", 0, 1),
    )  # fmt: skip
    for at in range(1, len(turns)):
        session = uuid4().hex
        for i, (said, depth, effects) in enumerate(turns):
            if i == at:
                killed(launcher, part)
            answer = until_kept(client, session, said)
            assert answer["stack"]["depth"] == depth, (at, said, answer)
            assert len(answer["effects"]) == effects, (at, said, answer)
