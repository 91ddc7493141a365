"""What is kept, over HTTP: the application in this process, a real Valkey server, and no Ray."""

from __future__ import annotations

import json
import socket
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import redis
import uvicorn
from starlette.testclient import TestClient
from typer.testing import CliRunner

from models.training.corpus import load_labels
from serve.app import create
from serve.cli import app as cli
from serve.settings import Valkey as ValkeySettings
from serve.valkey import Valkey
from tests.serve.fakes import FakeEmbedder, settings

pytestmark = pytest.mark.integration


@pytest.fixture(scope="module")
def server() -> Iterator[Valkey]:
    with tempfile.TemporaryDirectory(prefix="mvt") as folder:
        home = Path(folder)
        valkey = Valkey(home / "data", home / "v.sock", home / "valkey.log", ValkeySettings())
        valkey.start()
        yield valkey
        valkey.stop()


def ready(client: TestClient) -> TestClient:
    eventually(lambda: client.get("/readyz").status_code == 200)
    return client


def eventually(check: Callable[[], Any], timeout_s: float = 10.0) -> Any:
    began = time.monotonic()
    while time.monotonic() - began < timeout_s:
        if value := check():
            return value
        time.sleep(0.02)
    raise AssertionError(f"not within {timeout_s} s")


@pytest.fixture
def http(server: Valkey, tmp_path: Path) -> Iterator[TestClient]:
    with redis.Redis.from_url(server.url) as database:
        database.flushdb()
    tree = settings(tmp_path, redis={"url": server.url}, trace={"ring": 5}).plain()
    with TestClient(create(tree, {"embedder": FakeEmbedder()})) as client:
        yield ready(client)


def routed(http: TestClient, utterance: str, **fields: Any) -> str:
    trace_id: str = http.post("/v1/route", json={"utterance": utterance, **fields}).json()["trace_id"]
    eventually(lambda: http.get(f"/v1/traces/{trace_id}").status_code == 200)
    return trace_id


def labels(http: TestClient) -> list[dict[str, Any]]:
    answer = http.get("/v1/labels")
    assert answer.headers["content-type"].startswith("application/jsonl")
    return [json.loads(line) for line in answer.text.splitlines()]


def test_a_record_outlives_the_ring_and_carries_what_decided(http: TestClient) -> None:
    trace_id = routed(http, "что такое кварк")
    for i in range(8):
        routed(http, f"что такое кварк номер {i}")
    assert len(http.get("/v1/traces").json()["traces"]) == 5
    record = http.get(f"/v1/traces/{trace_id}").json()
    assert record["utterance"] == "что такое кварк"
    assert record["arm"] == "full"
    assert record["elapsed_ms"] > 0
    assert {"grammars", "embedder"} <= set(record["versions"])
    assert record["shadow"] is None
    assert [c["claimant"] for c in record["claims"] if c["outcome"] == "won"] == ["definition-query"]
    assert len(http.get("/v1/traces?stage=grammar&limit=8").json()["traces"]) == 8  # beyond the ring
    assert len(http.get("/v1/traces?text=НОМЕР").json()["traces"]) == 8
    assert http.get("/v1/traces/01ARZ3NDEKTSV4RRFFQ69G5FAV").status_code == 404


def test_a_correction_is_kept_as_a_label(http: TestClient) -> None:
    trace_id = routed(http, "что такое кварк")
    path = f"/v1/traces/{trace_id}/correction"
    assert http.post(path, json={"want": None}).status_code == 200
    assert [(row["want"], row["reach"]) for row in labels(http)] == [(None, "api")]
    answer = http.post(path, json={"want": "note", "reach": "web"})
    (row,) = labels(http)
    assert row == answer.json()
    assert row.pop("when") > "2026"
    assert row.pop("versions")["grammars"]
    assert row == {
        "utterance": "что такое кварк", "was": "query", "want": "note", "reach": "web", "trace_id": trace_id,
    }  # fmt: skip
    for body in (
        {"want": "joke"},
        {"want": ""},
        {},
        {"want": 1},
        {"want": "note", "reach": "Web!"},
        {"want": "note", "x": 1},
    ):
        assert http.post(path, json=body).status_code == 422, body
    assert http.post("/v1/traces/01ARZ3NDEKTSV4RRFFQ69G5FAV/correction", json={"want": "note"}).status_code == 404
    assert http.post(path, json={"want": "chat"}, headers={"sec-fetch-site": "cross-site"}).status_code == 403
    assert len(labels(http)) == 1


def test_a_wipe_answers_counts_and_leaves_nothing(http: TestClient, server: Valkey) -> None:
    trace_id = routed(http, "что такое кварк")
    routed(http, "ну это")
    http.post(f"/v1/traces/{trace_id}/correction", json={"want": "note"})
    assert http.delete("/v1/data", headers={"sec-fetch-site": "cross-site"}).status_code == 403
    done = http.delete("/v1/data").json()
    assert done["wiped"] == {"traces": 2, "ring": 2, "labels": 1, "sessions": 0, "other": 0, "waiting": 0}
    with redis.Redis.from_url(server.url) as database:
        assert database.keys("*") == []
    assert http.get("/v1/traces").json() == {"traces": []}
    assert http.get(f"/v1/traces/{trace_id}").status_code == 404
    assert labels(http) == []


def test_disagreement_of_the_shadow_arm_can_be_asked_for(server: Valkey, tmp_path: Path) -> None:
    tree = settings(tmp_path, redis={"url": server.url}, shadow={"arm": "classifier-alone", "sample": 1.0}).plain()
    with TestClient(create(tree, {"embedder": FakeEmbedder()})) as client:
        http = ready(client)
        http.delete("/v1/data")
        for utterance in ("что такое кварк", "напомни в 11:00 позвонить маме"):
            routed(http, utterance)
        records = http.get("/v1/traces").json()["traces"]
        assert [r["shadow"]["arm"] for r in records] == ["classifier-alone"] * 2
        for flag in ("true", "false"):
            found = http.get(f"/v1/traces?disagree={flag}").json()["traces"]
            want = [r["id"] for r in records if r["shadow"]["agrees"] is (flag == "false")]
            assert [r["id"] for r in found] == want
        http.delete("/v1/data")


def test_with_persist_off_the_ring_is_all_there_is(server: Valkey, tmp_path: Path) -> None:
    tree = settings(tmp_path, redis={"url": server.url}, trace={"persist": False, "ring": 2}).plain()
    with TestClient(create(tree, {"embedder": FakeEmbedder()})) as client:
        http = ready(client)
        http.delete("/v1/data")
        first = routed(http, "что такое кварк")
        routed(http, "ну это")
        routed(http, "привет")
        assert http.get(f"/v1/traces/{first}").status_code == 404
        assert len(http.get("/v1/traces?stage=grammar").json()["traces"]) <= 2
        with redis.Redis.from_url(server.url) as database:
            assert database.keys("*") == [b"maven:ring"]


def test_labels_export_trace_and_wipe_on_the_command_line(server: Valkey, tmp_path: Path) -> None:
    tree = settings(tmp_path, redis={"url": server.url}).plain()
    app: Any = create(tree, {"embedder": FakeEmbedder()})
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        service = uvicorn.Server(uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=1))
        thread = threading.Thread(target=service.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        eventually(lambda: service.started)
        with httpx.Client(base_url=url, timeout=10) as http:
            eventually(lambda: http.get("/readyz").status_code == 200)
            http.delete("/v1/data")
            trace_id = http.post("/v1/route", json={"utterance": "что такое кварк"}).json()["trace_id"]
            eventually(lambda: http.get(f"/v1/traces/{trace_id}").status_code == 200)
            http.post(f"/v1/traces/{trace_id}/correction", json={"want": "note"})

        def run(*arguments: str, say: str = "", code: int = 0) -> str:
            result = CliRunner().invoke(cli, [*arguments, "--url", url], input=say)
            assert result.exit_code == code, result.output
            return result.output

        assert json.loads(run("labels", "export"))["want"] == "note"
        out = tmp_path / "labels.jsonl"
        run("labels", "export", "--out", str(out))
        assert json.loads(out.read_text("utf-8"))["utterance"] == "что такое кварк"
        (example,) = load_labels(out)
        assert (example.text, example.intent) == ("что такое кварк", "note")
        assert "definition-query" in run("trace")
        assert "Go on?" in run("wipe", say="n\n", code=1)
        assert run("labels", "export") != ""
        assert "1 labels" in run("wipe", "--yes")
        assert run("labels", "export") == ""
        service.should_exit = True
        thread.join(10)
    assert CliRunner().invoke(cli, ["wipe", "--yes", "--url", url]).exit_code == 1
