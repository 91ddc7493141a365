"""Accuracy of an arm on labelled utterances: the command `eval`."""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from time import perf_counter
from typing import Any
from zoneinfo import ZoneInfo

from hdrh.histogram import HdrHistogram

from routing.decision import SLOT_NAMES, Intent, Source

NOW = datetime(2026, 12, 1, 10, 0, tzinfo=ZoneInfo("Europe/Moscow"))
"""The instant every evaluation runs at, so that a figure does not depend on the day it is made."""


class CasesError(ValueError):
    """A case file that cannot be used; the message names the file, the line and the reason."""


@dataclass(frozen=True, slots=True)
class Case:
    """One labelled utterance. `source` has three states: None (no query), "" (must name nothing), a name."""

    id: str
    text: str
    intent: str | None
    source: str | None
    clarify: bool
    slots: dict[str, str]


@dataclass(frozen=True, slots=True)
class Answer:
    """What an arm made of a case: slot values, and for `fn` both the resolved name and the spoken words."""

    intent: str | None
    source: str
    slots: dict[str, str | None]
    fn_words: str | None
    stage: str
    claimant: str


Ask = Callable[[str], Awaitable[Answer]]


def load_cases(path: Path) -> tuple[list[Case], str]:
    """The cases of a JSON Lines file and the SHA-256 of its bytes. Raises `CasesError`."""
    try:
        data = path.read_bytes()
        lines = data.decode("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise CasesError(f"{path}: {error}") from None
    cases = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            cases.append(_case(json.loads(line), number))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            reason = f"no field {error}" if isinstance(error, KeyError) else str(error)
            raise CasesError(f"{path}: line {number}: {reason}") from None
    if not cases:
        raise CasesError(f"{path}: no cases")
    return cases, hashlib.sha256(data).hexdigest()


def _case(row: dict[str, Any], number: int) -> Case:
    intent = row.get("intent")
    clarify = bool(row.get("clarify", False))
    if clarify == (intent is not None):
        raise ValueError("a case has an intent, or `clarify` true, and not both")
    if intent is not None:
        Intent(intent)
    source = row.get("source")
    if source is not None:
        Source(source)
        if intent != "query":
            raise ValueError("`source` stands on a query alone")
    slots = row.get("slots") or {}
    if unknown := set(slots) - set(SLOT_NAMES):
        raise ValueError(f"no such slot: {', '.join(sorted(unknown))}")
    return Case(str(row.get("id", number)), row["text"], intent, source, clarify, dict(slots))


@dataclass
class _Slots:
    right: int = 0
    given: int = 0
    wanted: int = 0


@dataclass
class Score:
    """Counts over the cases of one run. `report` is the printed object."""

    intent: list[int] = field(default_factory=lambda: [0, 0])
    full: list[int] = field(default_factory=lambda: [0, 0])
    destination: list[int] = field(default_factory=lambda: [0, 0])
    caught: list[int] = field(default_factory=lambda: [0, 0])
    false: list[int] = field(default_factory=lambda: [0, 0])
    slots: _Slots = field(default_factory=_Slots)
    per_intent: dict[str, list[int]] = field(default_factory=dict)
    misses: list[dict[str, Any]] = field(default_factory=list)
    right_ids: set[str] = field(default_factory=set)

    def add(self, case: Case, answer: Answer) -> None:
        """Score one answer by labels.md."""
        if case.clarify:
            hit = answer.intent is None
            self.caught[0] += hit
            self.caught[1] += 1
            self.full[0] += hit
            self.full[1] += 1
            if hit:
                self.right_ids.add(case.id)
            else:
                self._miss(case, answer)
            return
        hit = answer.intent == case.intent
        self.intent[0] += hit
        self.intent[1] += 1
        self.false[0] += answer.intent is None
        self.false[1] += 1
        tally = self.per_intent.setdefault(str(case.intent), [0, 0])
        tally[0] += hit
        tally[1] += 1
        slots_right = self._add_slots(case, answer)
        self.full[0] += hit and slots_right
        self.full[1] += 1
        source_right = True
        if case.source is not None:
            source_right = hit and answer.source == case.source
            self.destination[0] += source_right
            self.destination[1] += 1
        if hit:
            self.right_ids.add(case.id)
        if not (hit and source_right):
            self._miss(case, answer)

    def _add_slots(self, case: Case, answer: Answer) -> bool:
        """Exact spans by name; an `fn` label may be the spoken words or the resolved name."""
        right = True
        for name in SLOT_NAMES:
            want = case.slots.get(name)
            got = answer.slots.get(name)
            given = answer.fn_words or got if name == "fn" else got
            accepted = {_plain(value) for value in ((got, answer.fn_words) if name == "fn" else (got,)) if value}
            match = want is not None and _plain(want) in accepted
            if case.slots:
                self.slots.wanted += want is not None
                self.slots.given += bool(given)
                self.slots.right += match
            right = right and (want is None or match)
        return right

    def _miss(self, case: Case, answer: Answer) -> None:
        want = "clarify" if case.clarify else _label(case.intent, case.source)
        got = (
            "clarify"
            if answer.intent is None
            else _label(answer.intent, answer.source if case.source is not None else None)
        )
        self.misses.append(
            {
                "id": case.id,
                "text": case.text,
                "want": want,
                "got": got,
                "stage": answer.stage,
                "claimant": answer.claimant,
            }
        )

    def report(self, arm: str, sha256: str, histogram: HdrHistogram) -> dict[str, Any]:
        """The object that `--json` prints."""
        slots = self.slots
        precision = slots.right / slots.given if slots.given else 0.0
        recall = slots.right / slots.wanted if slots.wanted else 0.0
        f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
        return {
            "arm": arm,
            "cases": self.full[1],
            "fixture_sha256": sha256,
            "intent": _of(self.intent),
            "full": _of(self.full),
            "destination": _of(self.destination),
            "clarify": {
                "caught": self.caught[0], "of": self.caught[1], "false": self.false[0], "answerable": self.false[1],
            },
            "slots": {"precision": round(precision, 4), "recall": round(recall, 4), "f1": round(f1, 4)},
            "latency_ms": {
                f"p{p}": round(histogram.get_value_at_percentile(p) / 1e3, 3) for p in (50, 95, 99)
            },
            "per_intent": {name: _of(self.per_intent[name]) for name in sorted(self.per_intent)},
            "misses": self.misses,
        }  # fmt: skip


def _of(pair: Sequence[int]) -> dict[str, int]:
    return {"right": pair[0], "of": pair[1]}


def _label(intent: str | None, source: str | None) -> str:
    return str(intent) if source is None else f"{intent}:{source or '-'}"


def _plain(text: str) -> str:
    """Slot text as it is compared: case, "ё", punctuation at the ends and runs of space do not matter."""
    text = unicodedata.normalize("NFKC", text).lower().replace("ё", "е")
    return re.sub(r"\s+", " ", text).strip(" .,!?:;—-–\"'«»„“”()")


async def evaluate(cases: Sequence[Case], ask: Ask) -> tuple[Score, HdrHistogram]:
    """Ask every case once, one after another, after one warm-up; latencies are in microseconds."""
    await ask(cases[0].text)
    score = Score()
    histogram = HdrHistogram(1, 600_000_000, 3)
    for case in cases:
        began = perf_counter()
        answer = await ask(case.text)
        histogram.record_value(max(1, round((perf_counter() - began) * 1e6)))
        score.add(case, answer)
    return score, histogram
