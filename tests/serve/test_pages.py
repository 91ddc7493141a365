"""The pages as they are rendered: escaped, described for everybody, in two languages, behind a token if one is set."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from routing.decision import Intent, Outcome
from routing.dialogue.labels import LabelRow
from serve.app import create
from serve.page_charts import charts_of
from serve.page_words import _WORDS, language_of
from serve.pages import WEB, ladder_of
from serve.schemas import ClaimValue, TraceRecord
from tests.serve.fakes import FakeEmbedder, settings
from tests.serve.records import disagreeing, record_of

EVIL = "<img src=x onerror=alert(1)>\"'><script>alert(2)</script>{{7*7}}"


class FakeRing:
    size = 25

    def __init__(self, records: list[TraceRecord]) -> None:
        self.records = records

    async def newest(self, limit: int | None = None) -> list[TraceRecord]:
        return self.records[:limit]

    async def find(self, trace_id: str) -> TraceRecord | None:
        return next((record for record in self.records if record.id == trace_id), None)


class FakeLabels:
    def __init__(self, rows: list[LabelRow]) -> None:
        self.rows = rows

    async def get(self, trace_id: str) -> LabelRow | None:
        return next((row for row in self.rows if row.trace_id == trace_id), None)

    async def of(self, trace_ids: list[str]) -> list[LabelRow]:
        return [row for row in self.rows if row.trace_id in trace_ids]


@pytest.fixture
def records() -> list[TraceRecord]:
    found = [
        record_of("что такое кварк", at=1_800_000_000),
        record_of(EVIL, at=1_800_000_001, shadow=disagreeing()),
        record_of("ну это", at=1_800_000_002, intent=None, source="", stage="classifier", claimant="gate"),
        record_of("нет, это была заметка", at=1_800_000_003),
    ]
    found[3].decision = None
    return found


@pytest.fixture
def http(tmp_path: Path, records: list[TraceRecord]) -> Iterator[TestClient]:
    app: Any = create(settings(tmp_path, trace={"persist": False}).plain(), {"embedder": FakeEmbedder()})
    with TestClient(app) as client:
        parts = app._app.state.parts
        ring, labels = parts.ring, parts.labels
        parts.ring = FakeRing(records)
        wrong = LabelRow("что такое кварк", "query", Intent.NOTE, "2027-01-01", "api", {}, records[0].id)
        parts.labels = FakeLabels([wrong])
        yield client
        parts.ring, parts.labels = ring, labels


class Page(HTMLParser):
    """What a test asks of a page: its tags with attributes, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


@pytest.fixture
def pages(http: TestClient, records: list[TraceRecord]) -> dict[str, Page]:
    paths = ["/trace", "/chat", *(f"/trace/{record.id}" for record in records), "/trace?part=list", "/trace/nothing"]
    found = {}
    for language in ("ru", "en"):
        for path in paths:
            answer = http.get(path, params={"lang": language} if "?" not in path else None)
            assert answer.status_code == (404 if path.endswith("nothing") else 200), path
            assert "script-src 'self';" in answer.headers["content-security-policy"]
            assert "unsafe" not in answer.headers["content-security-policy"]
            found[f"{language} {path}"] = Page(answer.text)
    return found


def test_whatever_was_said_stays_text(pages: dict[str, Page]) -> None:
    shown = 0
    for path, page in pages.items():
        assert all((attributes.get("src") or "").startswith("/static/") for attributes in page.all("script")), path
        assert not page.all("img"), path
        assert not any(name.startswith("on") for _, attributes in page.tags for name in attributes), path
        assert not any("style" in attributes for _, attributes in page.tags), path  # the policy would refuse it
        assert not page.all("style"), path
        shown += EVIL in page.text
    assert shown >= 4  # the list and the record, in both languages


def test_everything_has_a_name_for_those_who_do_not_see_it(pages: dict[str, Page]) -> None:
    for path, page in pages.items():
        ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
        assert len(ids) == len(set(ids)), path
        labelled = {attributes.get("for") for attributes in page.all("label")}
        for tag in ("input", "select"):
            for field in page.all(tag):
                assert field.get("type") == "hidden" or field.get("id") in labelled, (path, field)
        assert all(svg.get("aria-label") for svg in page.all("svg")), path
        for _, attributes in page.tags:
            for name in ("aria-labelledby", "aria-describedby"):
                assert attributes.get(name) is None or attributes[name] in ids, (path, attributes)
        if "part=list" not in path:
            assert len(page.all("h1")) == 1, path
            assert page.all("html")[0]["lang"] == path[:2], path
            assert any(a.get("href") == "#main" for a in page.all("a")), path


def test_a_record_is_a_readable_ladder(pages: dict[str, Page], records: list[TraceRecord]) -> None:
    page = pages[f"en /trace/{records[0].id}"]
    text = re.sub(r"\s+", " ", page.text)
    for words in (
        "definition-query grammar won query:world",
        "1.00 12",
        "classifier classifier not asked",
        "0123456789ab",
    ):
        assert words in text
    checked = [field for field in page.all("input") if field.get("name") == "want" and "checked" in field]
    assert [field["value"] for field in checked] == ["note"]
    assert len([f for f in page.all("input") if f.get("name") == "want"]) == 8  # the seven, and nothing
    assert "disagree" not in text
    assert "chat" in pages[f"en /trace/{records[1].id}"].text  # what the shadow arm would have made it


def test_the_list_tells_marks_and_filters(http: TestClient, pages: dict[str, Page]) -> None:
    text = re.sub(r"\s+", " ", pages["en /trace"].text)
    for words in (
        "shadow: chat",
        "corrected: note",
        "clarify",
        "dialogue",
        "Decisions shown: 4",
        "p50 0.40 · p95 0.40",
    ):
        assert words in text
    assert "Показано решений: 4" in pages["ru /trace"].text

    def shown(query: str) -> int:
        return http.get(f"/trace?part=list&{query}").text.count("<time ")

    assert [shown(q) for q in ("intent=clarify", "stage=ladder", "disagree=true", "text=кварк", "text=нет такого")] == [
        1, 1, 1, 1, 0,
    ]  # fmt: skip
    assert http.get("/trace?stage=nothing").status_code == 422


def test_long_runs_of_silence_are_folded_and_order_is_kept() -> None:
    def claim(name: str, outcome: Any) -> ClaimValue:
        return ClaimValue(name, "grammar", outcome, None, None, None, None)

    claims = [claim(str(i), "declined") for i in range(5)] + [
        claim("w", "won"),
        claim("a", "not_asked"),
        claim("b", "not_asked"),
    ]
    groups = list(ladder_of(claims))
    assert [(group.folded, len(group.claims)) for group in groups] == [(True, 5), (False, 3)]
    assert [c for group in groups for c in group.claims] == claims


def test_charts_say_what_they_show() -> None:
    charts = charts_of([record_of(at=1e9 + i, stage="heads" if i % 4 == 0 else "grammar") for i in range(8)])
    assert charts.shares_text == "grammar 75 % (6); heads 25 % (2)"
    assert sum(bucket.count for bucket in charts.latency) == 8
    assert charts_of([]).latency_text == "p50 0.00 · p95 0.00"


@pytest.mark.parametrize(
    ("asked", "accepted", "language"),
    [
        (None, "", "ru"),
        (None, "en-US,en;q=0.9", "en"),
        (None, "de, en;q=0.5, ru;q=0.7", "ru"),
        ("en", "ru", "en"),
        ("xx", "en", "en"),
        (None, "en;q=x", "ru"),
    ],
)
def test_the_language_of_a_reader(asked: str | None, accepted: str, language: str) -> None:
    assert language_of(asked, accepted) == language


def test_every_phrase_is_in_both_languages_and_used() -> None:
    assert all(ru and en for ru, en in _WORDS.values())
    used = {outcome.value for outcome in Outcome}  # looked up by their name
    for path in (WEB / "templates").iterdir():
        text = path.read_text("utf-8")
        used |= set(re.findall(r"words\.([a-z_]+)", text)) | set(re.findall(r'"([a-z_]+)"', text))
    assert set(_WORDS) <= used


def test_without_redis_the_page_says_so(tmp_path: Path) -> None:
    app = create(settings(tmp_path).plain(), {"embedder": FakeEmbedder()})
    with TestClient(app) as client:
        answer = client.get("/trace?lang=en")
        assert answer.status_code == 200
        assert "Redis does not answer" in answer.text
        assert client.get("/trace/01ARZ3NDEKTSV4RRFFQ69G5FAV").status_code == 503


def test_static_files_and_nothing_else(http: TestClient) -> None:
    for name, kind in (("app.css", "text/css"), ("trace.js", "text/javascript"), ("icon.svg", "image/svg+xml")):
        answer = http.get(f"/static/{name}")
        assert answer.headers["content-type"].startswith(kind)
        again = http.get(f"/static/{name}", headers={"if-none-match": answer.headers["etag"]})
        assert again.status_code == 304
    for name in ("../pages.py", "%2e%2e%2fpages.py", "nothing.js"):
        assert http.get(f"/static/{name}").status_code == 404
    outside = re.compile(r"https?://(?!www\.w3\.org/2000/svg)")
    for path in WEB.rglob("*.*"):
        assert not outside.search(path.read_text("utf-8")), path


def test_with_a_token_the_pages_ask_for_it_once(tmp_path: Path) -> None:
    app = create(settings(tmp_path, http={"token": "correct-horse"}).plain(), {"embedder": FakeEmbedder()})
    with TestClient(app, follow_redirects=False) as client:
        asked = client.get("/trace")
        assert (asked.status_code, asked.headers["location"]) == (303, "/login?next=/trace")
        assert client.get("/v1/traces").status_code == 401
        assert client.get("/static/app.css").status_code == 200
        assert "password" in client.get(asked.headers["location"]).text
        assert client.post("/login", data={"token": "wrong", "next": "/chat"}).status_code == 401
        entered = client.post("/login", data={"token": "correct-horse", "next": "//evil.example"})
        assert (entered.status_code, entered.headers["location"]) == (303, "/trace")
        cookie = entered.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=strict" in cookie
        assert "correct-horse" not in cookie
        assert client.get("/trace").status_code == 200
        assert client.post("/v1/route", json={"utterance": "что такое кварк"}).status_code == 200
        client.cookies.clear()
        for cookie in ("maven=", "maven=0", "maven", "=", "maven=\u00ff"):
            assert client.get("/chat", headers={"cookie": cookie.encode("latin-1")}).status_code == 303
