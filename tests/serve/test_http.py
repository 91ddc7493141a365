"""The HTTP surface in process: answers, refusals, and what happens with parts missing."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from serve.app import create
from tests.serve.fakes import FakeEmbedder, settings

PROBLEM = "application/problem+json"


@pytest.fixture(scope="module")
def embedder() -> FakeEmbedder:
    return FakeEmbedder()


@pytest.fixture(scope="module")
def http(tmp_path_factory: pytest.TempPathFactory, embedder: FakeEmbedder) -> Iterator[TestClient]:
    app = create(settings(tmp_path_factory.mktemp("home")).plain(), {"embedder": embedder})
    with TestClient(app, raise_server_exceptions=True) as client:
        for _ in range(100):
            if client.get("/readyz").status_code == 200:
                break
            time.sleep(0.05)
        yield client


def is_problem(answer: Any, status: int) -> bool:
    body = answer.json()
    return (
        answer.status_code == status
        and answer.headers["content-type"] == PROBLEM
        and set(body) == {"type", "title", "status", "detail"}
        and body["status"] == status
        and bool(body["detail"])
    )


def test_one_utterance_gets_the_documented_answer(http: TestClient) -> None:
    body = {
        "utterance": "Напомни в 11:00 позвонить маме",
        "now": "2026-12-01T10:00:00+03:00",
        "timezone": "Europe/Moscow",
    }
    answer = http.post("/v1/route", json=body)
    assert answer.status_code == 200
    got = answer.json()
    assert len(got.pop("trace_id")) == 26
    assert got.pop("elapsed_ms") >= 0
    assert got == {
        "decision": {
            "intent": "reminder",
            "source": "",
            "source_anchored": False,
            "slots": {"time": "в 11:00", "fn": None, "key": None, "value": None, "text": "позвонить маме"},
            "time": {"at": "2026-12-01T11:00:00+03:00", "grain": "minute", "recurrence": None, "end": None},
            "stage": "grammar",
            "claimant": "reminder",
            "confidence": 1.0,
            "more": False,
        },
        "clarify": None,
        "walk": None,
        "missing": [],
        "personal": None,
    }


def test_intent_is_null_exactly_when_clarify_is_not(http: TestClient) -> None:
    for utterance in ("ну это", "что такое кварк", "велосипед", "👍", "включи"):
        got = http.post("/v1/route", json={"utterance": utterance}).json()
        assert (got["decision"]["intent"] is None) == (got["clarify"] is not None)
        assert (got["walk"] is not None) == (got["decision"]["intent"] == "query")
    assert http.post("/v1/route", json={"utterance": "ну это"}).json()["clarify"]["reason"] == "ambiguous-fragment"


def test_the_trace_rides_along_when_asked_for(http: TestClient) -> None:
    got = http.post("/v1/route", json={"utterance": "что такое кварк", "trace": True}).json()
    won = [claim for claim in got["trace"] if claim["outcome"] == "won"]
    assert [claim["claimant"] for claim in won] == ["definition-query"]
    assert {"classifier", "order-guard", "gate"} <= {claim["claimant"] for claim in got["trace"]}
    assert "trace" not in http.post("/v1/route", json={"utterance": "что такое кварк"}).json()


def test_a_batch_keeps_order_and_gives_each_its_own_error(http: TestClient) -> None:
    body = {"utterances": ["что такое кварк", "", {"utterance": "ну это"}, {"utterance": 7}, "x" * 2001]}
    results = http.post("/v1/route/batch", json=body).json()["results"]
    assert [item["error"]["status"] if item["error"] else 200 for item in results] == [
        200,
        422,
        200,
        422,
        413,
    ]
    assert all((item["result"] is None) != (item["error"] is None) for item in results)
    assert results[0]["result"]["decision"]["claimant"] == "definition-query"
    assert is_problem(http.post("/v1/route/batch", json={"utterances": ["а"] * 257}), 422)
    assert is_problem(http.post("/v1/route/batch", json={"utterances": []}), 422)
    assert is_problem(http.post("/v1/route/batch", json={}), 422)


def test_embeddings_in_both_encodings(http: TestClient) -> None:
    body = {"model": "fake@8/tok1/fp32", "input": ["раз", "два"]}
    floats = http.post("/v1/embeddings", json=body).json()
    assert [item["index"] for item in floats["data"]] == [0, 1]
    assert len(floats["data"][0]["embedding"]) == 8
    packed = http.post("/v1/embeddings", json={**body, "encoding_format": "base64"}).json()
    assert isinstance(packed["data"][1]["embedding"], str)
    assert is_problem(http.post("/v1/embeddings", json={**body, "model": "other"}), 404)
    assert is_problem(http.post("/v1/embeddings", json={**body, "dimensions": 7}), 422)


def malformed() -> Iterator[tuple[bytes, int]]:
    """Two hundred bodies and the status each is documented to get."""

    def utterance(text: Any, **more: Any) -> bytes:
        return json.dumps({"utterance": text, **more}).encode()

    for body in (b"", b" ", b"{", b"}", b"nul", b"{'utterance': 1}", b"\xff\xfe", b'{"utterance": "\xff"}', b"[1,",
                 b'{"utterance": "a",}', b'{"utterance": "\\ud800"}', b"\x00", b'{"utterance": "a\nb"}', b"<x/>",
                 b"utterance=1", '{"utterance": "а"'.encode(), b"NaN", b"[" * 30_000, b'{"a":' * 9_000):  # fmt: skip
        yield body, 400
    for value in (None, 1, 1.5, True, [], ["а"], {}, {"а": 1}):
        yield utterance(value), 422
    for body in (b"null", b"1", b'"a"', b"[]", b"{}", b"true", b'{"text": "a"}', b'[{"utterance": "a"}]'):
        yield body, 422
    for text in ("", " ", "\t\n", "\u00a0", "\u200b", "\u200e\u200f", "\ufeff", "\x00", "\u2028", "\u202e"):
        yield utterance(text), 422
    for count in range(2001, 2401, 5):
        yield utterance("я" * count), 413
    for count in (10_000, 12_000):
        yield utterance("е" + "\u0301" * count), 413
    for size in (65_537, 70_000, 200_000, 1_000_000):
        yield b'{"utterance": "' + b"a" * size + b'"}', 413
    for name, values in {
        "now": (1, "завтра", "2026-13-01", "", [], "2026-12-01T25:00:00", "9999999"),
        "timezone": (1, "Europe/Atlantis", "../etc/passwd", "", "\x00", [], "a" * 300),
        "functions": (1, "x", [1], [None], [{"verbs": {}}], [{"name": ""}], [{"name": "x", "more": 1}]),
        "arm": (1, "fastest", "", [], {}),
        "trace": (1, "да", [], {}, None),
        "extra": (1,),
    }.items():
        for value in values:
            yield utterance("привет", **{name: value}), 422
    hard = [
        "\x00привет", "при\x00вет", "\u202eпривет", "\u200fшалом\u200e", "é" * 100, "e" + "\u0301" * 1_500, "👍🏽" * 50,
        "\ud7ff", "\U0010ffff", "a" * 2_000, "я" * 2_000, "١٢٣", "½", "ﬁ", "Ⅻ", "K", "ſ", "İ", "ß" * 900, "?" * 500,
        "(" * 1_000, "\\" * 700, "'; DROP TABLE x; --", "<img src=x onerror=alert(1)>", "{{7*7}}", "${jndi:x}",
        "%00%0a", "напомни " * 200, "в " * 900, "1" * 2_000, "1:" * 900, "«" * 400, "\r\n\r\n", "\u0301", "а\u0301",
        "\u200d", "ZWJ\u200d\u200d", "𝕮𝖔𝖉𝖊", "ⓣⓔⓢⓣ", "кожен день", "日本語です", "العربية", "हिन्दी", "\x7f", "a\u2028b",
        "\u3000х", "\t\tх", "х" + " " * 1_900 + "у", "не " * 600, "сказал " * 250,
    ]  # fmt: skip
    for text in hard:
        blank = not any(char.isprintable() and not char.isspace() for char in text)
        yield json.dumps({"utterance": text}).encode(), 422 if blank else 200


def test_malformed_requests_get_the_documented_status_and_never_a_500(http: TestClient) -> None:
    cases = list(malformed())
    assert len(cases) >= 200
    wrong = []
    for body, want in cases:
        answer = http.post("/v1/route", content=body)
        if answer.status_code != want or (want != 200 and not is_problem(answer, want)):
            wrong.append((body[:80], want, answer.status_code, answer.text[:200]))
    assert not wrong


def test_other_paths_and_methods_are_problem_documents(http: TestClient) -> None:
    assert is_problem(http.get("/v1/nothing"), 404)
    answer = http.get("/v1/route")
    assert is_problem(answer, 405)
    assert "POST" in answer.headers["allow"]
    assert is_problem(http.get("/v1/traces?limit=0"), 422)
    assert is_problem(http.get("/v1/traces?limit=١"), 422)


def test_without_redis_routes_answer_and_the_loss_is_counted(http: TestClient) -> None:
    assert http.post("/v1/route", json={"utterance": "что такое кварк"}).status_code == 200
    assert is_problem(http.get("/v1/traces"), 503)
    ready = http.get("/readyz")
    assert ready.status_code == 200
    assert "redis" in ready.json()["degraded"]
    for _ in range(50):
        lost = [line for line in http.get("/metrics").text.splitlines() if line.startswith("maven_trace_lost_total")]
        if float(lost[0].split()[1]) > 0:
            break
        time.sleep(0.05)
    assert float(lost[0].split()[1]) > 0


def test_without_the_embedder_stage_0_answers_and_the_rest_asks(http: TestClient, embedder: FakeEmbedder) -> None:
    embedder.broken = True
    try:
        got = http.post("/v1/route", json={"utterance": "что такое кварк"}).json()
        assert got["decision"]["claimant"] == "definition-query"
        got = http.post("/v1/route", json={"utterance": "как-то оно всё странно вышло тогда", "trace": True})
        assert got.status_code == 200
        assert got.json()["clarify"]["reason"] == "no-stage-claimed"
        failed = [claim for claim in got.json()["trace"] if claim["claimant"] == "classifier"]
        assert failed[0]["outcome"] == "failed"
        assert "embedder" in http.get("/readyz").json()["degraded"]
        assert is_problem(http.post("/v1/embeddings", json={"model": "fake", "input": "а"}), 503)
    finally:
        embedder.broken = False


def test_a_token_is_asked_for_where_one_is_set(tmp_path: Path) -> None:
    app = create(settings(tmp_path, http={"token": "correct-horse"}).plain(), {"embedder": FakeEmbedder()})
    with TestClient(app) as client:
        refused = client.post("/v1/route", json={"utterance": "что такое кварк"})
        assert is_problem(refused, 401)
        assert refused.headers["www-authenticate"] == "Bearer"
        assert client.get("/healthz").status_code == 200
        granted = client.post(
            "/v1/route",
            json={"utterance": "что такое кварк"},
            headers={"Authorization": "Bearer correct-horse"},
        )
        assert granted.status_code == 200


def test_a_full_queue_is_a_503_with_retry_after(tmp_path: Path) -> None:
    app = create(settings(tmp_path, http={"max_ongoing": 1, "max_queued": 0}).plain(), {"embedder": FakeEmbedder()})
    app._inflight = 1  # type: ignore[attr-defined]
    with TestClient(app) as client:
        answer = client.post("/v1/route", json={"utterance": "что такое кварк"})
        assert is_problem(answer, 503)
        assert answer.headers["retry-after"] == "1"
        assert client.get("/healthz").status_code == 200


def test_the_description_covers_every_route_and_its_references_resolve(http: TestClient) -> None:
    document = http.get("/openapi.json").json()
    from serve import pages
    from serve.routes import ROUTES as ALL

    ROUTES = [route for route in ALL if route not in pages.ROUTES]  # pages are for people
    served = {(route.path, method.lower()) for route in ROUTES for method in route.methods - {"HEAD"}}
    described = {(path, method) for path, methods in document["paths"].items() for method in methods}
    assert {path for path, _ in served - described} <= {"/openapi.json", "/docs", "/chat", "/trace", "/static/{name}"}
    assert described <= served
    references = {part.split('"')[0] for part in json.dumps(document).split("#/components/schemas/")[1:]}
    assert references <= set(document["components"]["schemas"])
    page = http.get("/docs")
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert "/v1/route" in page.text
