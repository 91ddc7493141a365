"""Every table beside a grammar, through the whole ordered list: what a claimant must take, and what it must not."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from routing.context import Context
from routing.decision import Decision
from routing.functions import FunctionTable
from routing.grammars import stage_zero
from routing.text import Utterance

TABLES = Path(__file__).parents[3] / "routing" / "grammars" / "tables"
NOW = datetime(2026, 12, 1, 10, 0, tzinfo=ZoneInfo("Europe/Moscow"))
FUNCTIONS = FunctionTable.default()
LEAST = 20


def rows(path: Path) -> list[dict[str, Any]]:
    """The rows of one table."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def context(surfaced: list[str] | None = None) -> Context:
    """A turn on a fixed morning, with the default functions."""
    return Context(NOW, "Europe/Moscow", FUNCTIONS, tuple(surfaced or ()))


def decide(text: str, surfaced: list[str] | None = None) -> tuple[str | None, Decision | None]:
    """The claimant that takes `text` and its decision."""
    grammars = stage_zero()
    position, decision = grammars.decide(Utterance(text), context(surfaced))
    return (None if decision is None else grammars.names[position]), decision


CASES = [
    pytest.param(path.stem, row, id=f"{path.stem}-{number}")
    for path in sorted(TABLES.glob("*.jsonl"))
    for number, row in enumerate(rows(path), 1)
]


@pytest.mark.parametrize(("claimant", "row"), CASES)
def test_row(claimant: str, row: dict[str, Any]) -> None:
    winner, decision = decide(row["text"], row.get("surfaced"))
    if not row["claims"]:
        assert winner != claimant, row["text"]
        return
    assert winner == claimant, row["text"]
    assert decision is not None
    assert decision.summary() == row["decision"], row["text"]
    assert decision.claimant == claimant
    for name, value in row.get("slots", {}).items():
        assert decision.slots.get(name) == value, row["text"]
    for name, (start, end) in decision.slots.spans.items():
        if name != "fn":
            assert row["text"][start:end] == decision.slots.get(name)


def test_every_claimant_has_a_table() -> None:
    tables = {path.stem for path in TABLES.glob("*.jsonl")}
    assert tables == set(stage_zero().names)


@pytest.mark.parametrize("path", sorted(TABLES.glob("*.jsonl")), ids=lambda path: path.stem)
def test_table_is_large_enough(path: Path) -> None:
    claims = [row["claims"] for row in rows(path)]
    assert claims.count(True) >= LEAST
    assert claims.count(False) >= LEAST
    texts = [(row["text"], tuple(row.get("surfaced", ()))) for row in rows(path)]
    assert len(set(texts)) == len(texts)


def test_tables_hold_what_the_contract_asks() -> None:
    assert sum(len(rows(path)) for path in TABLES.glob("*.jsonl")) >= 640
