"""How long times take: nothing to find, a typical time, a page of anything. `python bench/times.py`."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from routing.times import find_times, parse_time

ROOT = Path(__file__).parents[1]
NOW = datetime(2026, 12, 1, 10, 0, tzinfo=ZoneInfo("Europe/Moscow"))
QUIET = [
    "включи свет в коридоре",
    "расскажи про устройство вулкана",
    "добавь молоко в список покупок",
    "turn on the light in the kitchen",
    "кто такой ломоносов",
]
PAGES = [
    "в ",
    "час ",
    "1 ",
    "7:15 ",
    "двадцать ",
    "a ",
    "через ",
    "-",
    "й",
    "завтра ",
    "1:",
    "на пять ",
    "the ",
    "x",
]


def _micros(text: str, repeat: int = 300) -> float:
    """Best of five batches, microseconds a call."""
    best = float("inf")
    for _ in range(5):
        start = time.perf_counter()
        for _ in range(repeat):
            parse_time(text, NOW, "Europe/Moscow")
        best = min(best, time.perf_counter() - start)
    return best / repeat * 1e6


def _page(unit: str) -> float:
    """Best of five, milliseconds for 10,000 characters that begin with a time."""
    text = "завтра " + (unit * 10_000)[:9_993]
    best = float("inf")
    for _ in range(5):
        start = time.perf_counter()
        find_times(text, NOW, "Europe/Moscow")
        best = min(best, time.perf_counter() - start)
    return best * 1e3


def main() -> None:
    """Print the figures as JSON."""
    rows = [json.loads(line) for line in (ROOT / "tests/fixtures/times.jsonl").read_text("utf-8").splitlines()]
    times = sorted(_micros(row["text"], 60) for row in rows if row["span"])
    # what the standard library costs is not counted: every process has it loaded
    code = (
        "import dataclasses, re, zoneinfo, datetime, calendar, time; t = time.perf_counter(); "
        "import routing.times; print(time.perf_counter() - t)"
    )
    environ = {**os.environ, "PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": tempfile.mkdtemp()}
    imports = [
        float(
            subprocess.run(
                [sys.executable, "-c", code],
                capture_output=True,
                text=True,
                check=True,
                cwd=ROOT,
                env=environ,
            ).stdout
        )
        for _ in range(5)
    ]
    print(
        json.dumps(
            {
                "no_time_us": {text: round(_micros(text, 2000), 2) for text in QUIET},
                "with_a_time_us": {
                    "median": round(statistics.median(times), 1),
                    "p95": round(times[int(len(times) * 0.95)], 1),
                    "max": round(times[-1], 1),
                    "of": len(times),
                },
                "page_ms": {unit: round(_page(unit), 2) for unit in PAGES},
                "import_ms": round(min(imports) * 1e3, 1),
            },
            ensure_ascii=False,
            indent=2,
        )
    )


if __name__ == "__main__":
    main()
