"""The pages in a real browser: Debian's chromium, the application in this process, a real Valkey server, no Ray.

`MAVEN_SCREENSHOTS=docs/img` writes the pictures of the documentation again.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from serve.app import create
from serve.settings import Valkey as ValkeySettings
from serve.valkey import Valkey
from tests.serve.fakes import FakeEmbedder, settings

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")

pytestmark = [
    pytest.mark.browser,
    pytest.mark.integration,
    pytest.mark.skipif(CHROMIUM is None, reason="no chromium here: apt-get install chromium"),
]

EVIL = "<img src=x onerror=document.title='owned'>"
UTTERANCES = (
    "что такое кварк", "напомни в 11:00 позвонить маме", "включи свет в коридоре", "ну это", "запиши: купить хлеб",
    "который час", "говори тише", "велосипед", EVIL,
)  # fmt: skip


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="mvb") as folder:
        home = Path(folder)
        valkey = Valkey(home / "data", home / "v.sock", home / "valkey.log", ValkeySettings())
        valkey.start()
        tree = settings(home, redis={"url": valkey.url}, shadow={"arm": "classifier-alone", "sample": 1.0}).plain()
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            address = f"http://127.0.0.1:{listener.getsockname()[1]}"
            app: Any = create(tree, {"embedder": FakeEmbedder()})
            server = uvicorn.Server(uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=1))
            thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
            thread.start()
            eventually(lambda: server.started and httpx.get(f"{address}/readyz").status_code == 200)
            yield address
            server.should_exit = True
            thread.join(10)
        valkey.stop()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture
def context(url: str, browser: Browser) -> Iterator[BrowserContext]:
    httpx.delete(f"{url}/v1/data").raise_for_status()
    found = browser.new_context(base_url=url, locale="ru-RU", viewport={"width": 1100, "height": 800})
    found.set_default_timeout(10_000)
    yield found
    found.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    found = context.new_page()
    trouble: list[str] = []
    found.on("pageerror", lambda error: trouble.append(str(error)))
    found.on("console", lambda message: trouble.append(message.text) if message.type == "error" else None)
    yield found
    found.close()
    assert not [line for line in trouble if "Failed to load resource" not in line]  # a 404 while a record is written


def eventually(check: Callable[[], Any], timeout_s: float = 15.0) -> Any:
    began = time.monotonic()
    while time.monotonic() - began < timeout_s:
        try:
            if value := check():
                return value
        except httpx.HTTPError:
            pass
        time.sleep(0.05)
    raise AssertionError(f"not within {timeout_s} s")


def route(url: str, utterance: str) -> str:
    trace_id: str = httpx.post(f"{url}/v1/route", json={"utterance": utterance}).json()["trace_id"]
    eventually(lambda: httpx.get(f"{url}/v1/traces/{trace_id}").status_code == 200)
    return trace_id


def labels(url: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in httpx.get(f"{url}/v1/labels").text.splitlines()]


PICTURES = (
    "trace-light-1100", "trace-dark-390", "record-dark-1100", "record-light-390", "chat-light-1100", "chat-dark-390",
)  # fmt: skip
"""What docs/trace.md shows."""


def shoot(page: Page, name: str, **options: Any) -> None:
    folder = os.environ.get("MAVEN_SCREENSHOTS")
    if folder and name in PICTURES:
        Path(folder).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=Path(folder) / f"{name}.png", **options)


def no_sideways_scroll(page: Page) -> bool:
    fits: bool = page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    return fits


def test_route_read_the_ladder_correct_and_see_the_label_exported(url: str, page: Page) -> None:
    page.goto("/trace")
    page.get_by_label("Разобрать реплику").fill("что такое кварк")
    page.get_by_role("button", name="Разобрать").click()
    page.wait_for_url("**/trace/*")
    expect(page.get_by_role("heading", level=1)).to_have_text("что такое кварк")
    row = page.get_by_role("row").filter(has=page.get_by_role("rowheader", name="definition-query"))
    expect(row).to_contain_text("победил")
    expect(row).to_contain_text("query:world")
    page.get_by_text("не спрошены").first.click()
    expect(page.get_by_role("rowheader", name="classifier", exact=False).first).to_be_visible()
    page.get_by_label("note").check()
    page.get_by_role("button", name="Сохранить исправление").click()
    expect(page.locator("#correct-status")).to_have_text("Исправление сохранено: note")
    (row_,) = labels(url)
    assert (row_["utterance"], row_["was"], row_["want"], row_["reach"]) == ("что такое кварк", "query", "note", "web")
    page.get_by_label("не знаю, но это неверно").check()
    page.get_by_role("button", name="Сохранить исправление").click()
    expect(page.locator("#correct-status")).to_have_text("Исправление сохранено: не знаю, но это неверно")
    assert [label["want"] for label in labels(url)] == [None]
    page.goto("/trace")
    expect(page.get_by_text("помечено неверным")).to_be_visible()


def test_markup_in_an_utterance_stays_text(url: str, page: Page) -> None:
    trace_id = route(url, EVIL)
    for path in ("/trace", f"/trace/{trace_id}"):
        page.goto(path)
        expect(page.get_by_text(EVIL, exact=True).first).to_be_visible()
        assert page.locator("img").count() == 0
        assert "owned" not in page.title() or EVIL in page.title()
    page.goto("/chat")
    page.get_by_label("Ваша реплика").fill(EVIL)
    page.keyboard.press("Enter")
    expect(page.get_by_role("log").get_by_text(EVIL, exact=True)).to_be_visible()
    expect(page.get_by_role("log").get_by_role("button", name="Не то")).to_be_visible()
    assert page.locator("img").count() == 0
    assert page.title() != "owned"


def test_a_new_decision_arrives_by_itself_and_can_be_stopped(url: str, page: Page) -> None:
    page.goto("/trace")
    expect(page.get_by_text("Подключено")).to_be_visible()
    route(url, "который сейчас час")
    expect(page.get_by_role("link", name="который сейчас час")).to_be_visible()
    expect(page.locator("#live-status")).to_have_text("Новых решений: 1")
    page.get_by_label("Обновлять сразу").uncheck()
    expect(page.locator("#live-status")).to_have_text("Обновление остановлено.")
    eventually(lambda: "maven_trace_watchers 0.0" in httpx.get(f"{url}/metrics").text)  # it left, and is freed
    route(url, "что такое лептон")
    page.wait_for_timeout(800)
    expect(page.get_by_role("link", name="что такое лептон")).to_have_count(0)


def test_live_updates_keep_the_filter_and_the_focus(url: str, page: Page) -> None:
    first = route(url, "что такое кварк")
    page.goto("/trace?text=кварк")
    page.locator(f"#r-{first}").focus()
    route(url, "привет")
    route(url, "что такое странный кварк")
    expect(page.get_by_role("link", name="что такое странный кварк")).to_be_visible()
    expect(page.get_by_role("link", name="привет")).to_have_count(0)
    expect(page.locator(f"#r-{first}")).to_be_focused()


def test_a_dialogue_with_corrections_beside_each_reply(url: str, page: Page) -> None:
    page.goto("/chat")
    page.get_by_label("Ваша реплика").fill("что такое кварк")
    page.keyboard.press("Enter")
    log = page.get_by_role("log")
    expect(log.get_by_text("query:world").first).to_be_visible()
    expect(page.get_by_label("Ваша реплика")).to_be_focused()
    eventually(lambda: httpx.get(f"{url}/v1/traces").json()["traces"])
    log.get_by_role("button", name="Это было…").click()
    log.get_by_label("Верное намерение").select_option("fact")
    expect(log.get_by_text("Исправление сохранено: fact")).to_be_visible()
    log.get_by_role("button", name="Не то").click()
    expect(log.get_by_text("Исправление сохранено: не знаю, но это неверно")).to_be_visible()
    assert [(row["want"], row["reach"]) for row in labels(url)] == [(None, "web")]
    log.get_by_role("link", name="Разбор").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("что такое кварк")


def test_all_of_it_by_keyboard(url: str, page: Page) -> None:
    route(url, "что такое кварк")
    page.goto("/trace")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="К содержимому")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_label("Разобрать реплику")).to_be_focused()
    reached = set()
    for _ in range(30):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.id || document.activeElement.textContent"))
    assert {"stage", "intent", "text", "clarify", "disagree", "live", "Показать"} <= reached
    assert any(name.startswith("r-") for name in reached)


def test_english_is_a_link_away_and_remembered(page: Page) -> None:
    page.goto("/trace")
    page.get_by_role("link", name="English").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Decisions")
    page.goto("/chat")
    expect(page.get_by_role("heading", level=1)).to_have_text("Dialogue")
    assert page.evaluate("document.documentElement.lang") == "en"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1100, 390])
def test_both_colour_schemes_at_both_widths(url: str, browser: Browser, scheme: Any, width: int) -> None:
    httpx.delete(f"{url}/v1/data").raise_for_status()
    ids = [route(url, utterance) for utterance in UTTERANCES]
    httpx.post(f"{url}/v1/traces/{ids[4]}/correction", json={"want": "act"})
    context = browser.new_context(
        base_url=url, locale="ru-RU", color_scheme=scheme, viewport={"width": width, "height": 800}
    )
    page = context.new_page()
    ground = {"light": "rgb(251, 251, 249)", "dark": "rgb(20, 24, 27)"}[scheme]
    for name, path in (("trace", "/trace"), ("record", f"/trace/{ids[1]}"), ("chat", "/chat")):
        page.goto(path)
        if name == "chat":
            for utterance in ("напомни вынести мусор", "что такое кварк"):
                page.get_by_label("Ваша реплика").fill(utterance)
                page.keyboard.press("Enter")
                expect(page.get_by_role("log").get_by_text(utterance, exact=True)).to_be_visible()
                expect(page.get_by_label("Ваша реплика")).to_have_value("")
            expect(page.get_by_role("log").get_by_role("button", name="Не то")).to_have_count(2)
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == ground
        assert no_sideways_scroll(page), (name, width)
        assert contrast(page) == [], (name, scheme)
        shoot(page, f"{name}-{scheme}-{width}", full_page=name != "chat")
    context.close()


def contrast(page: Page) -> list[str]:
    """Texts with less than 4.5:1 against what is behind them."""
    found: list[str] = page.evaluate(
        """() => {
          const parts = (colour) => (colour.match(/[\\d.]+/g) ?? []).map(Number);
          const light = (colour) => {
            const [r, g, b] = parts(colour).map((c) => {
              const s = c / 255;
              return s <= 0.03928 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
            });
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
          };
          const behind = (node) => {
            for (let at = node; at; at = at.parentElement) {
              const colour = getComputedStyle(at).backgroundColor;
              const alpha = parts(colour)[3];
              if (alpha === undefined || alpha > 0) return colour;
            }
            return getComputedStyle(document.body).backgroundColor;
          };
          const poor = [];
          for (const node of document.querySelectorAll("body *")) {
            const own = [...node.childNodes].some((c) => c.nodeType === 3 && c.textContent.trim());
            if (!own || !node.checkVisibility() || node.namespaceURI.endsWith("svg")) continue;
            const [a, b] = [light(getComputedStyle(node).color), light(behind(node))];
            const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
            if (ratio < 4.5) poor.push(`${ratio.toFixed(2)} ${node.tagName} ${node.textContent.trim().slice(0, 40)}`);
          }
          return poor;
        }"""
    )
    return found
