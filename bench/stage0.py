"""How long stage 0 takes: `python bench/stage0.py [utterances.jsonl]`.

One run measures, alternating: the whole of it (normalising, the set scan, and the build of what matched), each
family alone, and the same patterns tried one after another with `re`. Then where the time of the whole goes.
Medians over the file, in microseconds an utterance.
"""

from __future__ import annotations

import argparse
import json
import platform
import re
import statistics
import sys
from collections.abc import Callable, Iterable
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from time import perf_counter_ns
from typing import Any
from zoneinfo import ZoneInfo

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from routing.context import Context  # noqa: E402
from routing.functions import FunctionTable  # noqa: E402
from routing.grammars import stage_zero  # noqa: E402
from routing.grammars.base import Grammar, GrammarList  # noqa: E402
from routing.text import Utterance  # noqa: E402

ROUNDS = 7


def utterances(path: Path) -> list[str]:
    """The texts of a file: JSON lines with "text" or "utterance", or plain lines."""
    texts = []
    for line in path.read_text("utf-8").splitlines():
        if not line.strip():
            continue
        row = json.loads(line) if line.lstrip().startswith("{") else {"text": line.strip()}
        texts.append(row.get("text") or row.get("utterance") or "")
    return [text for text in texts if text]


def per_item(function: Callable[[Any], object], items: Iterable[Any], best: list[float]) -> None:
    """Time `function` on every item once, keeping the least seen for each in `best` (microseconds)."""
    for i, item in enumerate(items):
        began = perf_counter_ns()
        function(item)
        best[i] = min(best[i], (perf_counter_ns() - began) / 1e3)


def families(grammars: tuple[Grammar, ...]) -> dict[str, list[Grammar]]:
    """Grammars by the file they live in, in order of the list."""
    found: dict[str, list[Grammar]] = {}
    for grammar in grammars:
        name = getattr(grammar.build, "__module__", "?").rpartition(".")[2]
        found.setdefault(name, []).append(grammar)
    return found


def sequential(grammars: Iterable[Grammar]) -> list[tuple[Grammar, re.Pattern[str]]]:
    """The same patterns for `re`, in order."""
    return [(grammar, re.compile(pattern)) for grammar in grammars for pattern in grammar.patterns]


def walk(patterns: list[tuple[Grammar, re.Pattern[str]]], utterance: Utterance) -> None:
    """Try every pattern in order until one matches: what stage 0 would be without the set. Builds are left out,
    which is to its advantage."""
    line = utterance.line
    for _, pattern in patterns:
        if pattern.search(line):
            return


def median(values: Iterable[float]) -> float:
    """The median."""
    return statistics.median(values)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", nargs="?", type=Path, default=ROOT / "tests/fixtures/routing.jsonl")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="measurements of each, the least counts")
    options = parser.parse_args()
    texts = utterances(options.file)
    digest = sha256(options.file.read_bytes()).hexdigest()[:12]
    whole = stage_zero()
    context = Context(
        datetime(2026, 12, 1, 10, 0, tzinfo=ZoneInfo("Europe/Moscow")), "Europe/Moscow", FunctionTable.default()
    )
    context.functions.prepare()
    said = [Utterance(text) for text in texts]
    quiet = [i for i, utterance in enumerate(said) if whole.decide(utterance, context)[1] is None]
    lists = {name: GrammarList(group) for name, group in families(whole.grammars).items()}
    plain = {name: sequential(group) for name, group in families(whole.grammars).items()}
    every = sequential(whole.grammars)

    def fresh(text: str) -> object:
        return whole.decide(Utterance(text), context)

    def scan(utterance: Utterance) -> object:
        return whole._set.Match(utterance.line)

    cells = ["normalise", "scan", "whole", "re whole", *(f"{k}:{name}" for name in lists for k in ("re2", "re"))]
    best = {cell: [float("inf")] * len(texts) for cell in cells}
    for _ in range(options.rounds):
        per_item(Utterance, texts, best["normalise"])
        per_item(scan, said, best["scan"])
        per_item(fresh, texts, best["whole"])
        per_item(lambda u: walk(every, u), said, best["re whole"])
        for name, group in lists.items():
            per_item(lambda u, g=group: g.decide(u, context), said, best[f"re2:{name}"])  # type: ignore[misc]
            per_item(lambda u, p=plain[name]: walk(p, u), said, best[f"re:{name}"])  # type: ignore[misc]

    print(f"{options.file.name}: {len(texts)} utterances, sha256 {digest}; {len(quiet)} claimed by nothing")
    size = f"{len(every)} patterns, {len(whole.grammars)} claimants"
    print(f"Python {platform.python_version()}, {platform.machine()}; {size}\n")
    print(f"{'family':<14}{'patterns':>9}{'set, us':>10}{'re, us':>10}{'ratio':>8}")
    for name in lists:
        a, b = median(best[f"re2:{name}"]), median(best[f"re:{name}"])
        print(f"{name:<14}{len(plain[name]):>9}{a:>10.2f}{b:>10.2f}{b / a:>8.1f}")
    normal = median(best["normalise"])
    a, b = median(best["whole"]), median(best["re whole"]) + normal
    print(f"{'whole':<14}{len(every):>9}{a:>10.2f}{b:>10.2f}{b / a:>8.1f}   (normalising included in both)\n")
    show_parts(best, quiet, normal)


def show_parts(best: dict[str, list[float]], quiet: list[int], normal: float) -> None:
    """Where the time of the whole goes, over all utterances and over those that nothing claims."""
    rows = range(len(best["whole"]))
    print(f"{'of the whole, us':<26}{'all':>8}{'unclaimed':>12}{'p95 all':>10}")
    for label, cell in (("normalising", "normalise"), ("one scan of the set", "scan"), ("whole", "whole")):
        values = best[cell]
        still = median([values[i] for i in quiet]) if quiet else float("nan")
        ranked = sorted(values)
        print(f"{label:<26}{median(values):>8.2f}{still:>12.2f}{ranked[int(len(ranked) * 0.95)]:>10.2f}")
    rest = [best["whole"][i] - best["normalise"][i] - best["scan"][i] for i in rows]
    still = median([rest[i] for i in quiet]) if quiet else float("nan")
    ranked = sorted(rest)
    print(f"{'matching again, building':<26}{median(rest):>8.2f}{still:>12.2f}{ranked[int(len(ranked) * 0.95)]:>10.2f}")


if __name__ == "__main__":
    main()
