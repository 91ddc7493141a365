"""What `maven-serve train heads|boundary` and `python -m models.training ...` run."""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from models.artifacts import DEFAULT_SOURCE, default_home

if TYPE_CHECKING:
    from tokenizers import Tokenizer

    from models.encoder_weights import EncoderWeights
    from models.training.calibrate import Calibration
    from models.training.corpus import Example
    from models.training.heads import Recipe, Trained

__all__ = ["evaluate", "picture", "train_boundary", "train_heads"]

PICTURE = Path(__file__).parent.parent.parent / "docs" / "img" / "reliability.png"


def train_heads(arguments: Sequence[str] | None = None) -> None:
    """Trains the heads, one run a seed, and keeps the best run's in `--out`, with `heads.json`.

    Prints each epoch, then mean and spread over seeds. Raises `ImportError` without the `train` extra.
    """
    import torch

    from models.training.corpus import corpora, load_labels
    from models.training.heads import Recipe, save, train

    given = _heads_parser().parse_args(arguments)
    torch.set_num_threads(given.threads)
    weights, tokenizer, base = _source(given.source, given.home)
    train_rows, dev_rows = corpora()
    if given.rows:
        train_rows = random.Random(given.first_seed).sample(train_rows, min(given.rows, len(train_rows)))
    if given.labels is not None:
        extra = load_labels(given.labels)
        # A correction counts more than a corpus row: it is what the owner really said.
        train_rows += extra * given.labels_times
        print(f"{len(extra)} corrections, each {given.labels_times} times")
    print(f"{len(train_rows)} rows to train on, {len(dev_rows)} to choose by")
    recipe = Recipe(layers=given.layers, rank=given.rank, epochs=given.epochs, rate=given.rate, batch=given.batch)
    deadline = time.monotonic() + 60 * given.minutes if given.minutes else None
    runs: list[Trained] = []
    for seed in range(given.first_seed, given.first_seed + given.seeds):
        run = train(
            train_rows,
            dev_rows,
            weights,
            tokenizer,
            replace(recipe, seed=seed),
            progress=_say,
            deadline=deadline,
            start=given.start,
        )
        runs.append(run)
        name = f"seed-{seed}.safetensors" if given.keep_all else "heads.safetensors"
        _say(f"seed {seed}, epoch {run.epoch}, {run.seconds:.0f} s: {run.scores.line()}")
        if given.keep_all or run is max(runs, key=lambda r: r.scores.mean):
            save(run, given.out / name)
            _finish(run.recipe, base, weights, tokenizer, dev_rows, path=given.out / name)
    for head in ("intent", "destination", "slots", "clarify"):
        values = np.array([getattr(run.scores, head) for run in runs])
        print(f"{head:12} mean {values.mean():.1%}  spread {values.min():.1%} to {values.max():.1%}")


def train_boundary(arguments: Sequence[str] | None = None) -> None:
    """Fits the personal boundary and writes its weights. See `models.training.boundary`."""
    from models.training.boundary import main

    main(arguments)


def evaluate(arguments: Sequence[str] | None = None) -> None:
    """Reads a case file with the built heads alone. See `models.training.evaluate`."""
    from models.training.evaluate import main

    main(arguments)


def picture(arguments: Sequence[str] | None = None) -> None:
    """Draws the reliability diagram of the trained heads on the development split, and prints their scores."""
    from models.heads_build import TRAINED
    from models.training.calibrate import calibrate, plot
    from models.training.corpus import corpora
    from models.training.evaluate import graph_logits

    parser = argparse.ArgumentParser(prog="python -m models.training picture", description=picture.__doc__)
    parser.add_argument("--trained", type=Path, default=TRAINED, help="the folder with heads.json")
    parser.add_argument("--source", default=DEFAULT_SOURCE)
    parser.add_argument("--home", type=Path, default=default_home())
    parser.add_argument("--out", type=Path, default=PICTURE)
    given = parser.parse_args(arguments)
    record = json.loads((given.trained / "heads.json").read_text("utf-8"))
    weights, tokenizer, _ = _source(given.source, given.home)
    rows = corpora()[1]
    path = given.trained / record["file"]
    found = calibrate(rows, graph_logits(weights, tokenizer, path, record["layers"], rows))
    _say(_calibrated(found))
    plot(found, given.out)


def _heads_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="maven-serve train heads", description=train_heads.__doc__)
    parser.add_argument("--seeds", type=int, default=1, help="how many runs")
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--layers", type=int, default=6, help="the encoder's first layers that are used")
    parser.add_argument("--rank", type=int, default=16, help="the adapters' rank")
    parser.add_argument("--rate", type=float, default=1e-3, help="peak learning rate")
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--start", type=Path, help="go on from this safetensors file")
    parser.add_argument("--rows", type=int, help="a random sample of that many corpus rows; all of them if absent")
    parser.add_argument("--minutes", type=float, help="stop at the first epoch's end after that long")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--labels", type=Path, help="corrections, exported as JSON Lines")
    parser.add_argument("--labels-times", type=int, default=3, help="how often a correction counts")
    parser.add_argument("--keep-all", action="store_true", help="keep every seed's file, not the best alone")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent.parent / "data" / "heads")
    parser.add_argument("--source", default=DEFAULT_SOURCE)
    parser.add_argument("--home", type=Path, default=default_home())
    return parser


def _source(source: str, home: Path) -> tuple[EncoderWeights, Tokenizer, dict[str, str]]:
    from models.heads_build import base_of
    from models.sources import open_source

    cache = home / "models" / "encoder"
    cache.mkdir(parents=True, exist_ok=True)
    opened = open_source(source, cache)
    weights, tokenizer = opened.read()
    return weights, tokenizer, base_of(opened)


def _finish(
    recipe: Recipe,
    base: dict[str, str],
    weights: EncoderWeights,
    tokenizer: Tokenizer,
    dev_rows: Sequence[Example],
    *,
    path: Path,
) -> None:
    """Measures the saved file, as it will be served (float16 adapters, fp32 graph), and writes `heads.json`."""
    from models.heads_build import label_lists
    from models.sources import file_sha256
    from models.training.calibrate import calibrate
    from models.training.corpus import corpora
    from models.training.evaluate import graph_logits
    from models.training.heads import corpus_digest
    from models.training.scores import score

    logits = graph_logits(weights, tokenizer, path, recipe.layers, dev_rows)
    found = calibrate(dev_rows, logits)
    threshold, temperature = found.thresholds["clarify"], found.temperatures["clarify"]
    scores = score(dev_rows, logits, clarify_at=temperature * float(np.log(threshold / (1 - threshold))))
    _say(f"as saved: {scores.line()}")
    record: dict[str, Any] = {
        "file": path.name,
        "sha256": file_sha256(path),
        "base": base,
        "layers": recipe.layers,
        "labels": label_lists(),
        "temperatures": found.temperatures,
        "thresholds": found.thresholds,
        "recipe": asdict(recipe),
        "corpus_sha256": corpus_digest([row for side in corpora() for row in side]),
        "development": {
            "rows": len(dev_rows),
            "intent": round(scores.intent, 4),
            "destination": round(scores.destination, 4),
            "slots_f1": round(scores.slots, 4),
            "clarify": [scores.caught, scores.askable, scores.false, scores.plain],
            "calibration_error": found.errors(),
            "calibration_error_unscaled": found.before,
            "right_above_wrong": found.rankings(),
        },
    }
    text = json.dumps(record, ensure_ascii=False, indent=1) + "\n"
    path.with_suffix(".json").write_text(text, "utf-8")
    _say(_calibrated(found))


def _calibrated(found: Calibration) -> str:
    return (
        f"temperatures {found.temperatures}, thresholds {found.thresholds}, ECE {found.errors()} "
        f"(unscaled {found.before}), right above wrong {found.rankings()}"
    )


def _say(line: str) -> None:
    print(line, flush=True)
