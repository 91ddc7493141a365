"""How fast the encoder is: precisions by threads, one text at a time and in batches.

    python -m bench.encoder [--runs 200] [--home FOLDER]

One text of 12 tokens or so, tokenising included, the variants taking turns in every round, so that whatever
else the machine does falls on all of them; then texts a second at 8 and 32 texts a call. Cosines are to fp32,
over the anchors of `tests/fixtures/paraphrase_triples.jsonl`.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from pathlib import Path
from typing import get_args

import numpy as np
import onnxruntime

from models.artifacts import Precision, default_home, ensure_encoder
from models.encoder import Encoder

TEXT = "напомни завтра позвонить маме"
BATCHES = (8, 32)
TRIPLES = Path(__file__).parent.parent / "tests" / "fixtures" / "paraphrase_triples.jsonl"


def machine() -> str:
    """The processor's name, its cores, the load over the last minute, and ONNX Runtime's version."""
    lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    name = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "unknown")
    load = os.getloadavg()[0]
    return f"{name}, {os.cpu_count()} cores, load {load:.1f}, onnxruntime {onnxruntime.__version__}"


def times(encoders: dict[tuple[str, int], Encoder], texts: list[str], rounds: int) -> dict[tuple[str, int], float]:
    """The median seconds of one call with `texts`, by variant, over alternating rounds."""
    taken: dict[tuple[str, int], list[float]] = {key: [] for key in encoders}
    for _ in range(rounds):
        for key, encoder in encoders.items():
            started = time.perf_counter()
            encoder.encode(texts)
            taken[key].append(time.perf_counter() - started)
    return {key: float(np.median(values)) for key, values in taken.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=200, help="rounds for one text; batches take a tenth")
    parser.add_argument("--home", type=Path, default=default_home(), help="where artefacts are kept")
    given = parser.parse_args()

    artifacts = {p: ensure_encoder(given.home, precision=p, progress=print) for p in get_args(Precision)}
    encoders = {(p, n): Encoder(a, threads=n, device="cpu") for p, a in artifacts.items() for n in (1, 2)}
    sample = [json.loads(line)["anchor"] for line in TRIPLES.read_text("utf-8").splitlines()]
    vectors = {p: encoders[p, 1].encode(sample) for p in artifacts}
    cosines = {p: (vectors[p] * vectors["fp32"]).sum(axis=1) for p in artifacts}
    tokens = len(encoders["fp32", 1].token_ids(TEXT))
    one = times(encoders, [TEXT], given.runs)
    many = {size: times(encoders, [TEXT] * size, max(3, given.runs // 10)) for size in BATCHES}

    print(machine())
    print(f"one text of {tokens} tokens: p50 of {given.runs} alternating runs; texts a second in a batch")
    print(f"{'precision':10} {'threads':>7} {'MB':>5} {'p50 ms':>7} {'÷ fp32':>7}", end="")
    print("".join(f"{f'{size}/call':>9}" for size in BATCHES), f"{'cosine':>8} {'lowest':>7}")
    for (precision, threads), seconds in one.items():
        size = artifacts[precision].model_path.stat().st_size / 1e6
        ratio = seconds / one["fp32", threads]
        cells = "".join(f"{batch / many[batch][precision, threads]:9.0f}" for batch in BATCHES)
        cosine = cosines[precision]
        print(f"{precision:10} {threads:7} {size:5.0f} {seconds * 1e3:7.2f} {ratio:7.2f}{cells}", end="")
        print(f" {cosine.mean():8.4f} {cosine.min():7.4f}")


if __name__ == "__main__":
    main()
