"""The whole service on real parts: Ray, Valkey, weights. Asked, hurt, and asked again."""

from __future__ import annotations

import base64
import os
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import openai
import pytest

from serve import processes, raynode
from serve.launcher import Launcher

pytestmark = pytest.mark.integration

GRAMMAR = {"utterance": "что такое кварк"}
STATISTICAL = {"utterance": "как-то оно всё странно вышло тогда с этим делом"}


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Launcher]:
    from models.artifacts import default_home

    home = tmp_path_factory.mktemp("service")
    (home / "models").symlink_to(default_home() / "models")  # converted once, by `make env`
    with Launcher(home) as launcher:
        yield launcher


@pytest.fixture(scope="module")
def http(running: Launcher) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=running.url, timeout=15.0) as client:
        yield client


def eventually(check: Callable[[], Any], timeout_s: float = 40.0) -> Any:
    began = time.monotonic()
    while time.monotonic() - began < timeout_s:
        if value := check():
            return value
        time.sleep(0.1)
    raise AssertionError(f"not within {timeout_s} s")


def kill(running: Launcher, name: str) -> None:
    titles = {process.pid: title(process.pid) for process in processes.belonging(str(raynode.run_path(running.home)))}
    victims = [pid for pid, text in titles.items() if name in text]
    assert victims, titles
    for pid in victims:
        os.kill(pid, signal.SIGKILL)


def title(pid: int) -> str:
    """What a process calls itself: a Serve replica says its deployment there."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
    except OSError:
        return ""


def degraded(http: httpx.Client) -> set[str]:
    answer = http.get("/readyz")
    assert answer.status_code == 200
    return set(answer.json()["degraded"])


def test_a_grammar_and_the_floor_answer(http: httpx.Client) -> None:
    got = http.post("/v1/route", json=GRAMMAR).json()
    assert got["decision"]["stage"] == "grammar"
    assert got["walk"][-1] == "world"
    got = http.post("/v1/route", json={**STATISTICAL, "arm": "classifier", "trace": True}).json()
    claims = {claim["claimant"]: claim["outcome"] for claim in got["trace"]}
    assert claims["classifier"] == "won"


def test_a_record_reaches_the_ring_and_the_ring_stays_small(http: httpx.Client) -> None:
    for i in range(40):
        trace_id = http.post("/v1/route", json={"utterance": f"что такое число {i}"}).json()["trace_id"]
    record = eventually(lambda: http.get(f"/v1/traces/{trace_id}").is_success and http.get(f"/v1/traces/{trace_id}"))
    body = record.json()
    assert body["utterance"] == "что такое число 39"
    assert [c["claimant"] for c in body["claims"] if c["outcome"] == "won"] == ["definition-query"]
    assert body["versions"]["embedder"].startswith("multilingual-e5-small@384/")
    ring = http.get("/v1/traces").json()["traces"]
    assert len(ring) == 25
    assert ring[0]["id"] == trace_id
    assert http.get("/v1/traces/nothing").status_code == 404


def test_the_openai_client_gets_embeddings_in_float_and_base64(running: Launcher) -> None:
    client = openai.OpenAI(base_url=f"{running.url}/v1", api_key="none", max_retries=0)
    texts = ["где мои ключи", "куда я положила ключи", "курс евро на сегодня"]
    floats = client.embeddings.create(model="multilingual-e5-small", input=texts, encoding_format="float")
    packed = client.embeddings.create(model="multilingual-e5-small", input=texts)
    a = np.array([item.embedding for item in floats.data], np.float32)
    b = np.array([item.embedding for item in packed.data], np.float32)
    assert a.shape == (3, 384)
    np.testing.assert_allclose(a, b, atol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(a, axis=1), 1.0, atol=1e-3)
    assert a[0] @ a[1] > a[0] @ a[2]
    assert floats.usage.prompt_tokens > 6
    raw = httpx.post(
        f"{running.url}/v1/embeddings",
        json={"model": floats.model, "input": texts[0], "encoding_format": "base64"},
    )
    assert len(base64.b64decode(raw.json()["data"][0]["embedding"])) == 384 * 4
    with pytest.raises(openai.NotFoundError):
        client.embeddings.create(model="text-embedding-3-small", input="а")


def keeps_answering(http: httpx.Client, seconds: float) -> None:
    """Stage 0 utterances answer 200 all along, from several callers at once."""
    until = time.monotonic() + seconds

    def ask(_: int) -> int:
        worst = 200
        while time.monotonic() < until:
            worst = max(worst, http.post("/v1/route", json=GRAMMAR).status_code)
        return worst

    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(ask, range(4))) == {200}


def test_the_embedder_killed(running: Launcher, http: httpx.Client) -> None:
    kill(running, ":embedder")
    got = http.post("/v1/route", json=STATISTICAL)
    assert got.status_code == 200
    keeps_answering(http, 2.0)
    eventually(lambda: "embedder" not in degraded(http))
    got = eventually(lambda: _by_classifier(http))
    assert got["decision"]["stage"] == "classifier"


def _by_classifier(http: httpx.Client) -> Any:
    got = http.post("/v1/route", json={**STATISTICAL, "arm": "classifier", "trace": True}).json()
    return got if {c["claimant"]: c["outcome"] for c in got["trace"]}["classifier"] == "won" else None


def test_valkey_killed(running: Launcher, http: httpx.Client) -> None:
    kill(running, "valkey-server")
    keeps_answering(http, 1.0)
    eventually(lambda: "redis" not in degraded(http))
    trace_id = http.post("/v1/route", json=GRAMMAR).json()["trace_id"]
    eventually(lambda: http.get(f"/v1/traces/{trace_id}").status_code == 200)


def test_both_killed_and_the_ready_page_says_so(running: Launcher, http: httpx.Client) -> None:
    kill(running, ":embedder")
    kill(running, "valkey-server")
    seen: set[str] = set()

    def watched() -> bool:
        now = degraded(http)
        seen.update(now)
        assert http.post("/v1/route", json=GRAMMAR).status_code == 200
        return not now and {"embedder"} <= seen

    eventually(watched)
    eventually(lambda: _by_classifier(http))
    eventually(lambda: http.get("/v1/traces").status_code == 200)


def test_the_sockets_edge_refuses_what_it_should(http: httpx.Client) -> None:
    assert http.post("/v1/route", content=b'{"utterance": "' + b"a" * 70_000 + b'"}').status_code == 413
    assert http.post("/v1/route", content=b"\xff").status_code == 400
    assert http.post("/v1/route", json={"utterance": " "}).status_code == 422
    assert http.get("/nothing").status_code == 404
    assert http.get("/nothing").headers["content-type"] == "application/problem+json"
