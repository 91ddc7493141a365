"""Reads case files with the built heads alone: `python -m models.training evaluate FILE... [--precision int8]`.

A case is a JSON Lines record with `text`, and `intent`, `source`, `clarify` and `slots` where it says them.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from models.artifacts import DEFAULT_SOURCE, default_home
from models.heads import HeadsReading, RouterHeads
from models.heads_build import TRAINED, ensure_heads, merged
from models.heads_labels import HEAD_OUTPUTS, tokenise
from models.training.corpus import Example
from models.training.scores import Logits, calibration_error, ranking

if TYPE_CHECKING:
    from tokenizers import Tokenizer

    from models.encoder_weights import EncoderWeights

__all__ = ["Tally", "graph_logits", "main", "tally"]


@dataclass
class Tally:
    """Counts over a case file, by the rules of the labelling guide."""

    right: int = 0
    rows: int = 0
    alone: int = 0
    destination: int = 0
    destinations: int = 0
    caught: int = 0
    askable: int = 0
    false: int = 0
    withheld: int = 0
    wrong_passed: int = 0
    hits: int = 0
    said: int = 0
    there: int = 0
    confidence: list[float] = field(default_factory=list)
    correct: list[bool] = field(default_factory=list)
    confusions: Counter[tuple[str, str]] = field(default_factory=Counter)
    destination_confusions: Counter[tuple[str, str]] = field(default_factory=Counter)
    misses: list[str] = field(default_factory=list)

    def lines(self) -> Iterator[str]:
        """The figures, a line each."""
        confidence, correct = np.array(self.confidence), np.array(self.correct, bool)
        yield f"intent {self.right}/{self.rows} ({self.right / max(1, self.rows):.1%}), a clarify counts as a miss"
        yield f"intent head without clarify {self.alone}/{self.rows} ({self.alone / max(1, self.rows):.1%})"
        yield f"clarify {self.caught}/{self.askable} caught, {self.false} false of {self.rows}"
        yield f"destination {self.destination}/{self.destinations} ({self.destination / max(1, self.destinations):.1%})"
        if self.there:
            yield f"slot F1 {2 * self.hits / (self.said + self.there):.1%} ({self.hits} of {self.there})"
        yield f"under the threshold {self.withheld}; wrong intents above it {self.wrong_passed}"
        yield f"ECE {calibration_error(confidence, correct):.3f}, right above wrong {ranking(confidence, correct):.1%}"
        yield f"intents confused: {self.confusions.most_common(16)}"
        yield f"destinations confused: {self.destination_confusions.most_common(16)}"


def tally(cases: Sequence[dict[str, Any]], readings: Sequence[HeadsReading], heads: RouterHeads) -> Tally:
    """The counts of `readings` against `cases`."""
    t = Tally()
    for case, reading in zip(cases, readings, strict=True):
        asks = reading.clarify >= heads.clarify_threshold
        said = "clarify" if asks else reading.intent.value
        if case.get("clarify"):
            t.askable += 1
            t.caught += asks
            if not asks:
                t.misses.append(f"clarify -> {said} {reading.clarify:.2f}: {case['text']}")
            continue
        if not case.get("intent"):
            continue
        right = reading.intent.value == case["intent"]
        t.rows += 1
        t.alone += right
        t.false += asks
        t.right += right and not asks
        t.confidence.append(reading.confidence)
        t.correct.append(right)
        if not asks:
            t.withheld += reading.confidence < heads.intent_threshold
            t.wrong_passed += not right and reading.confidence >= heads.intent_threshold
        if said != case["intent"]:
            t.confusions[case["intent"], said] += 1
            t.misses.append(f"{case['intent']} -> {said} {reading.confidence:.2f}: {case['text']}")
        if case.get("source") is not None and case["intent"] == "query":
            t.destinations += 1
            named = reading.destination.value if said == "query" else f"({said})"
            t.destination += named == case["source"]
            if named != case["source"]:
                t.destination_confusions[case["source"], named] += 1
        if "slots" in case:
            _slots(t, case, reading)
    return t


def _slots(t: Tally, case: dict[str, Any], reading: HeadsReading) -> None:
    text = case["text"]
    found = {name: text[start:end] for name, (start, end) in reading.slots.items()}
    wanted = {name: value for name, value in case["slots"].items() if value}
    t.hits += sum(found.get(name, "").lower() == str(value).lower() for name, value in wanted.items())
    t.said += len(found)
    t.there += len(wanted)


def graph_logits(
    weights: EncoderWeights, tokenizer: Tokenizer, path: Path, layers: int, rows: Sequence[Example]
) -> list[Logits]:
    """The logits of a saved file on `rows`, off the fp32 graph that serving builds from it."""
    import onnxruntime
    from safetensors.numpy import load_file

    from models.encoder_graph import LinearHead, build_graph

    tensors = {name: value.astype(np.float32) for name, value in load_file(path).items()}
    heads = [
        LinearHead(n, "tokens" if n == "slots" else "pooled", tensors[f"head.{n}.weight"], tensors[f"head.{n}.bias"])
        for n in HEAD_OUTPUTS
    ]
    model = build_graph(merged(weights, tensors, layers), layers=layers, heads=heads, outputs=())
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 2
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    found = []
    for row in rows:
        words = tokenise(tokenizer, row.text)
        ids = np.array([words.ids], np.int64)
        values = session.run(list(HEAD_OUTPUTS), {"input_ids": ids, "attention_mask": np.ones_like(ids)})
        out = {name: value[0].astype(np.float64) for name, value in zip(HEAD_OUTPUTS, values, strict=True)}
        slots = out["slots"][words.first]
        found.append(Logits(out["intent"], out["destination"], float(out["clarify"][0]), slots, words.words))
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m models.training evaluate", description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--precision", nargs="+", default=["fp32", "int8"])
    parser.add_argument("--home", type=Path, default=default_home())
    parser.add_argument("--source", default=DEFAULT_SOURCE)
    parser.add_argument("--trained", type=Path, default=TRAINED, help="the folder with heads.json")
    parser.add_argument("--misses", type=int, default=0, help="how many misses to print")
    given = parser.parse_args(arguments)
    for precision in given.precision:
        artifact = ensure_heads(given.home, given.source, precision, trained=given.trained)
        heads = RouterHeads(artifact.model_path)
        for path in given.files:
            cases = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
            counts = tally(cases, heads.predict([case["text"] for case in cases]), heads)
            print(f"== {path.name}, {len(cases)} cases, {artifact.id}")
            print("\n".join(counts.lines()))
            for miss in counts.misses[: given.misses]:
                print(f"  {miss}")


if __name__ == "__main__":
    main()
