"""Loads the routing corpora and splits them so that no template or near copy lies on both sides."""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from models.training.corpus_build import FOLDER
from models.training.neighbours import TrigramIndex, clusters, folded
from routing.decision import Intent, Source, Span

__all__ = ["Example", "corpora", "load", "load_labels", "read_example", "split"]

CLUSTER = 0.6
"""Trigram Jaccard from which two rows go to one side of the split: looser than a near copy."""

DEV_SHARE = 0.12

DEVELOPMENT = FOLDER.parent / "development.txt"


@dataclass(frozen=True)
class Example:
    """A labelled utterance. `intent` is None when the label is to clarify (or, from a correction, unknown).

    `destination` is None when the row says nothing about it; `spans` holds slots as character ranges of
    `text`, and `tagged` whether the row says which words are slots at all.
    """

    text: str
    lang: str
    intent: Intent | None
    destination: Source | None
    clarify: bool
    spans: Mapping[str, Span] = field(default_factory=dict)
    template: str | None = None
    tagged: bool = True

    @property
    def label(self) -> str:
        """`clarify`, an intent, or `query/destination`."""
        if self.intent is None:
            return "clarify"
        return self.intent.value if self.destination is None else f"query/{self.destination.value or '-'}"


def read_example(row: Mapping[str, Any]) -> Example:
    """An example from a corpus row or a case. Raises `ValueError` when a slot is no literal part of the text."""
    text = row["text"]
    spans: dict[str, Span] = {}
    for name, value in (row.get("slots") or {}).items():
        start, end = row.get("spans", {}).get(name) or (text.find(value), text.find(value) + len(value))
        if start < 0 or text[start:end] != value:
            raise ValueError(f"slot {name} {value!r} is not a part of {text!r}")
        spans[name] = (start, end)
    intent = Intent(row["intent"]) if row.get("intent") else None
    source = row.get("source")
    destination = Source(source) if intent is Intent.QUERY and source is not None else None
    lang, template = row.get("lang", "ru"), row.get("template")
    return Example(text, lang, intent, destination, bool(row.get("clarify")), spans, template)


def load(folder: Path = FOLDER) -> list[Example]:
    """Every row of the corpora, in a fixed order."""
    return [
        read_example(json.loads(line))
        for path in sorted(folder.glob("*.jsonl"))
        for line in path.read_text("utf-8").splitlines()
    ]


def corpora() -> tuple[list[Example], list[Example]]:
    """The training and the development side of the corpora as they are in git.

    The development side is frozen in `models/data/development.txt` (made by `split`), so that rows written later
    train and figures stay comparable. Rows of a development row's template, and near copies, are left out.
    """
    rows = load()
    frozen = {folded(line) for line in DEVELOPMENT.read_text("utf-8").splitlines()}
    dev = [row for row in rows if folded(row.text) in frozen]
    index = TrigramIndex(row.text for row in dev)
    templates = {row.template for row in dev if row.template}
    rest = (row for row in rows if folded(row.text) not in frozen)
    return [r for r in rest if r.template not in templates and not index.near(r.text)], dev


def load_labels(path: Path) -> list[Example]:
    """Corrections as the service exports them: `utterance` and `want` (or null); rows that name these `text` and
    `intent` are read too, with `source` where it is known.

    A correction with no intent says only what the utterance is not, which no head learns from: left out.
    Slots are not corrected by hand, so these rows leave the slot head alone.
    """
    found = []
    for line in path.read_text("utf-8").splitlines():
        row = json.loads(line) if line.strip() else {}
        row = {"text": row.get("utterance"), "intent": row.get("want"), **row}
        if row["intent"] or row.get("clarify"):
            example = read_example({**row, "slots": None})
            found.append(
                Example(
                    example.text,
                    example.lang,
                    example.intent,
                    example.destination,
                    example.clarify,
                    tagged=False,
                )
            )
    return found


def split(examples: Sequence[Example], share: float = DEV_SHARE, seed: int = 0) -> tuple[list[Example], list[Example]]:
    """Training and development sides: whole clusters, the same share of every label and language."""
    numbers = clusters([e.text for e in examples], [e.template for e in examples], CLUSTER)
    members: dict[int, list[Example]] = defaultdict(list)
    for number, example in zip(numbers, examples, strict=True):
        members[number].append(example)
    groups = sorted(members.values(), key=lambda group: group[0].text)
    random.Random(seed).shuffle(groups)
    wanted = {key: share * count for key, count in _counts(examples).items()}
    train: list[Example] = []
    dev: list[Example] = []
    for group in groups:
        counts = _counts(group)
        # A large cluster stays in training: on the other side it would be most of its label.
        if len(group) <= 8 and all(wanted[key] >= count for key, count in counts.items()):
            dev += group
            for key, count in counts.items():
                wanted[key] -= count
        else:
            train += group
    return train, dev


def _counts(examples: Iterable[Example]) -> dict[tuple[str, str], int]:
    found: dict[tuple[str, str], int] = defaultdict(int)
    for example in examples:
        found[example.label, example.lang] += 1
    return found
