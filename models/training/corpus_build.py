"""Compiles hand-written corpus files into `models/data/corpus/*.jsonl` and takes held-out copies out.

    python -m models.training.corpus_build compile FOLDER... --held-out FILE...
    python -m models.training.corpus_build clean --held-out FILE...

`compile` reads compact files (a row a line: `label | utterance with [slot:span]`, under `#lang`, `#hand` and
`#template ID` lines); `clean` goes over the corpora that are already here. Either drops copies (case,
punctuation and `ё` folded; both where the labels disagree) and every row that is, or is nearly, a row of a
held-out file: JSON Lines whose records carry their utterance as `text`, `utterance` or `anchor`.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from models.training.neighbours import TrigramIndex, folded
from routing.decision import SLOT_NAMES, Intent, Source

__all__ = ["FOLDER", "held_out_texts", "main", "parse_line", "without_copies"]

FOLDER = Path(__file__).parent.parent / "data" / "corpus"
BOUNDARY = FOLDER.parent / "boundary.jsonl"

Row = dict[str, Any]

_MARK = re.compile(r"\[(\w+):([^\[\]]+)\]")
_PERSONAL = {"recall", "calendar", "tasks", "list", "attention", ""}
_ORDERS = {"reminder", "act", "system"}
_HELD_OUT_FIELDS = ("text", "utterance", "anchor", "paraphrase", "other", "trap")


def parse_line(line: str) -> Row:
    """One compact row. Raises `ValueError` with the reason."""
    label, _, marked = (part.strip() for part in line.partition("|"))
    slots: dict[str, str] = {}
    spans: dict[str, list[int]] = {}
    text, end = "", 0
    for match in _MARK.finditer(marked):
        name, value = match.groups()
        if name not in SLOT_NAMES or name in slots:
            raise ValueError(f"slot {name!r} is unknown or given twice")
        text += marked[end : match.start()]
        slots[name], spans[name] = value, [len(text), len(text) + len(value)]
        text += value
        end = match.end()
    text += marked[end:]
    if not text or "[" in text or "]" in text:
        raise ValueError("no text, or a stray bracket")
    row: Row = {"text": text}
    if label == "clarify":
        row["clarify"] = True
    elif label.startswith("query/"):
        source = label.removeprefix("query/")
        row |= {"intent": "query", "source": Source("" if source == "-" else source).value}
    else:
        row["intent"] = Intent(label).value
        if label == "query":
            raise ValueError("a query names its source")
    if slots:
        row["slots"] = slots
        # The place is said only where the words alone would not find it.
        odd = {name: span for name, span in spans.items() if text.find(slots[name]) != span[0]}
        if odd:
            row["spans"] = odd
    return row


def read_compact(folder: Path) -> Iterator[Row]:
    """Every row of a folder's `*.txt`, in order. Raises `ValueError` with file and line."""
    for path in sorted(folder.rglob("*.txt")):
        lang, kind, template = "ru", "hand", None
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            words = line.strip().lstrip("#").split() if line.strip().startswith("#") else []
            if words[:1] == ["lang"]:
                lang = words[1]
            elif words[:1] == ["hand"]:
                kind, template = "hand", None
            elif words[:1] == ["template"]:
                kind, template = "template", words[1]
            elif "|" in line and not words:
                try:
                    row = parse_line(line) | {"lang": lang, "kind": kind}
                except ValueError as error:
                    raise ValueError(f"{path.name}:{number}: {error}") from error
                yield row | ({"template": template} if template else {})


def label_of(row: Row) -> str:
    """What must agree between two copies: clarify, the boundary's class, or intent and destination."""
    if row.get("clarify"):
        return "clarify"
    return str(row["label"]) if "label" in row else f"{row['intent']}/{row.get('source')}"


def without_copies(rows: Iterable[Row], held_out: Sequence[str]) -> tuple[list[Row], Counter[str]]:
    """Rows that are no copy of another and no near copy of a held-out text, with counts of what was dropped."""
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        groups[folded(row["text"])].append(row)
    index = TrigramIndex(held_out)
    kept: list[Row] = []
    dropped: Counter[str] = Counter()
    for group in groups.values():
        if len({label_of(row) for row in group}) > 1:
            dropped["conflicting labels"] += len(group)
            continue
        dropped["copies"] += len(group) - 1
        if index.near(group[0]["text"]):
            dropped["held out"] += 1
        else:
            kept.append(group[0])
    return kept, dropped


def held_out_texts(paths: Iterable[Path]) -> list[str]:
    """Every utterance of the given JSON Lines files."""
    found: list[str] = []
    for path in paths:
        for line in path.read_text("utf-8").splitlines():
            record = json.loads(line) if line.strip() else {}
            found += [record[name] for name in _HELD_OUT_FIELDS if isinstance(record.get(name), str)]
    return found


def read_rows(paths: Iterable[Path]) -> list[Row]:
    """The rows of JSON Lines files, in order."""
    return [json.loads(line) for path in paths for line in path.read_text("utf-8").splitlines() if line]


def write_rows(path: Path, rows: Iterable[Row]) -> None:
    """One row a line, keys in a fixed order."""
    order = ["text", "lang", "intent", "source", "clarify", "label", "slots", "spans", "shape", "kind", "template"]
    lines = [json.dumps({key: row[key] for key in order if key in row}, ensure_ascii=False) for row in rows]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")


def file_of(row: Row) -> str:
    """The corpus file that a row belongs into."""
    if row.get("clarify") or row["intent"] not in _ORDERS | {"query"}:
        return "statements"
    if row["intent"] in _ORDERS:
        return "orders"
    return "query_personal" if row["source"] in _PERSONAL else "query_outside"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m models.training.corpus_build", description=__doc__)
    parser.add_argument("what", choices=["compile", "clean"])
    parser.add_argument("folders", nargs="*", type=Path, help="folders of compact files, for `compile`")
    parser.add_argument("--boundary", type=Path, help="the boundary's rows, for `compile`")
    parser.add_argument("--held-out", nargs="*", type=Path, default=[], help="files no row may be near to")
    given = parser.parse_args(arguments)
    held_out = held_out_texts(given.held_out)
    if given.what == "compile":
        rows = [row for folder in given.folders for row in read_compact(folder)]
    else:
        rows = read_rows(sorted(FOLDER.glob("*.jsonl")))
    kept, dropped = without_copies(rows, held_out)
    files: dict[str, list[Row]] = defaultdict(list)
    for row in kept:
        files[file_of(row)].append(row)
    for name, content in files.items():
        write_rows(FOLDER / f"{name}.jsonl", sorted(content, key=label_of))
    print(f"{len(kept)} rows kept of {len(rows)}; dropped: {dict(dropped)}")
    boundary = given.boundary if given.what == "compile" else BOUNDARY
    if boundary is not None and boundary.exists():
        source = read_rows([boundary])
        rest, gone = without_copies(source, held_out)
        write_rows(BOUNDARY, rest)
        print(f"boundary: {len(rest)} rows kept of {len(source)}; dropped: {dict(gone)}")


if __name__ == "__main__":
    main()
