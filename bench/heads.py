"""How fast the heads are: one forward pass of an utterance of 12 tokens, precisions taking turns.

    python -m bench.heads [--runs 300] [--home FOLDER] [--threads 1 2]

Reads everything that `RouterHeads.predict` does (tokenising, the graph, softmax, spans) and the graph alone, and
beside them the embedder at the same precision, so that a figure stands next to one made in the same minute.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import numpy as np

from bench.encoder import machine
from models.artifacts import Precision, default_home, ensure_encoder
from models.encoder import Encoder
from models.heads import RouterHeads
from models.heads_build import ensure_heads
from models.heads_labels import HEAD_OUTPUTS

TEXT = "напомни мне завтра утром позвонить маме"


def percentiles(calls: dict[str, Callable[[], object]], rounds: int) -> dict[str, tuple[float, float]]:
    """The median and the 95th percentile of each call in milliseconds, over alternating rounds."""
    taken: dict[str, list[float]] = {name: [] for name in calls}
    for call in calls.values():
        call()
    for _ in range(rounds):
        for name, call in calls.items():
            started = time.perf_counter()
            call()
            taken[name].append(1e3 * (time.perf_counter() - started))
    return {name: (float(np.median(t)), float(np.percentile(t, 95))) for name, t in taken.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=300)
    parser.add_argument("--home", type=Path, default=default_home())
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    given = parser.parse_args()
    calls: dict[str, Callable[[], object]] = {}
    for precision in get_args(Precision):
        built = ensure_heads(given.home, precision=precision, progress=print)
        encoder_artifact = ensure_encoder(given.home, precision=precision, progress=print)
        for threads in given.threads:
            heads = RouterHeads(built.model_path, threads=threads, device="cpu")
            encoder = Encoder(encoder_artifact, threads=threads, device="cpu")
            ids = np.array([heads.token_ids(TEXT)], np.int64)
            feed = {"input_ids": ids, "attention_mask": np.ones_like(ids)}
            label = f"{precision:8} {threads} thread{'s' * (threads > 1)}"
            calls[f"{label}  predict"] = lambda h=heads: h.predict([TEXT])  # type: ignore[misc]
            calls[f"{label}  graph"] = lambda h=heads, f=feed: h._session.run(list(HEAD_OUTPUTS), f)  # type: ignore[misc]
            calls[f"{label}  embedder"] = lambda e=encoder: e.encode([TEXT])  # type: ignore[misc]
    print(machine())
    print(f"{ids.shape[1]} tokens for the heads, p50 and p95 in ms of {given.runs} alternating runs")
    for name, (median, high) in percentiles(calls, given.runs).items():
        print(f"{name:32} {median:7.2f} {high:7.2f}")


if __name__ == "__main__":
    main()
