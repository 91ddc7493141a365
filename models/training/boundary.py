"""Fits the personal boundary on `models/data/boundary.jsonl` and says how well it holds.

    python -m models.training boundary [--evaluate FILE...] [--dry-run]

Cross-validation keeps each fold balanced by class; leave-one-shape-out takes a whole kind of sentence away and
asks for it. Regularisation is chosen by both on the corpus alone, never by an evaluation set.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import numpy as np
import numpy.typing as npt

from models.artifacts import DEFAULT_SOURCE, Precision, default_home, ensure_encoder
from models.boundary import WEIGHTS, BoundaryHead
from models.encoder import Encoder
from models.training.corpus_build import BOUNDARY, read_rows

__all__ = ["Fit", "balanced_weights", "cross_validate", "fit", "leave_one_shape_out", "main"]

STRENGTHS = (0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0)
"""Inverse regularisations tried."""

Vectors = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Fit:
    """A linear score over raw vectors: personal where `vectors @ weight + bias > 0`."""

    weight: npt.NDArray[np.float64]
    bias: float

    def personal(self, vectors: Vectors) -> Flags:
        result: Flags = vectors @ self.weight + self.bias > 0
        return result


def balanced_weights(personal: Flags) -> npt.NDArray[np.float64]:
    """Row weights that give each class a total of 0.5, so that a larger class does not shift the prior."""
    result: npt.NDArray[np.float64] = np.where(personal, 0.5 / personal.sum(), 0.5 / (~personal).sum())
    return result


def fit(vectors: Vectors, personal: Flags, strength: float) -> Fit:
    """The class-balanced logistic head. Components are centred and scaled first, and that is folded back in."""
    from sklearn.linear_model import LogisticRegression

    mean = vectors.mean(axis=0)
    spread = float(vectors.std())
    model = LogisticRegression(C=strength, max_iter=2000)
    model.fit((vectors - mean) / spread, personal, sample_weight=balanced_weights(personal) * len(personal))
    weight = model.coef_[0].astype(np.float64) / spread
    return Fit(weight, float(model.intercept_[0] - mean @ weight))


def cross_validate(vectors: Vectors, personal: Flags, strength: float, folds: int = 4) -> int:
    """How many rows are right when their fold was left out."""
    from sklearn.model_selection import StratifiedKFold

    right = 0
    for inside, outside in StratifiedKFold(folds, shuffle=True, random_state=0).split(vectors, personal):
        found = fit(vectors[inside], personal[inside], strength).personal(vectors[outside])
        right += int((found == personal[outside]).sum())
    return right


def leave_one_shape_out(
    vectors: Vectors, personal: Flags, shapes: Sequence[str], strength: float
) -> dict[str, tuple[int, int]]:
    """By shape: how many of its rows are right when the whole shape was left out, and how many there are."""
    names = np.array(shapes)
    found = {}
    for shape in sorted(set(shapes)):
        out = names == shape
        right = fit(vectors[~out], personal[~out], strength).personal(vectors[out]) == personal[out]
        found[shape] = (int(right.sum()), int(out.sum()))
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="maven-serve train boundary", description=__doc__)
    parser.add_argument("--home", type=Path, default=default_home())
    parser.add_argument("--source", default=DEFAULT_SOURCE)
    parser.add_argument("--strength", type=float, help="inverse regularisation; chosen by the corpus if absent")
    parser.add_argument("--evaluate", nargs="*", type=Path, default=[], help="JSON Lines with text and label")
    parser.add_argument("--dry-run", action="store_true", help="evaluate the frozen weights, write nothing")
    given = parser.parse_args(arguments)
    encoders = {p: Encoder(ensure_encoder(given.home, given.source, p), device="cpu") for p in get_args(Precision)}
    rows = read_rows([BOUNDARY])
    vectors, personal = _vectors(encoders["fp32"], rows), _labels(rows)
    shapes = [row["shape"] for row in rows]
    if not given.dry_run:
        strength = given.strength or _strength(vectors, personal, shapes)
        right = cross_validate(vectors, personal, strength)
        apart = leave_one_shape_out(vectors, personal, shapes, strength)
        whole = sum(r for r, _ in apart.values())
        print(f"strength {strength}: four-fold {right}/{len(rows)} ({right / len(rows):.1%})")
        print(f"leave one shape out {whole}/{len(rows)} ({whole / len(rows):.1%}); worst shapes:")
        for shape, (hits, count) in sorted(apart.items(), key=lambda item: item[1][0] / item[1][1])[:6]:
            print(f"  {shape} {hits}/{count}")
        _write(fit(vectors, personal, strength), [encoder.id for encoder in encoders.values()], strength)
    for precision, encoder in encoders.items():
        head = BoundaryHead.load(encoder.id)
        for path in [BOUNDARY, *given.evaluate]:
            _report(precision, head, encoder, path)


def _strength(vectors: Vectors, personal: Flags, shapes: Sequence[str]) -> float:
    totals = {}
    for strength in STRENGTHS:
        right = cross_validate(vectors, personal, strength)
        whole = sum(r for r, _ in leave_one_shape_out(vectors, personal, shapes, strength).values())
        print(f"strength {strength:g}: four-fold {right}, leave one shape out {whole} of {len(shapes)}")
        totals[strength] = right + whole
    # Of equals the smallest: it leans least on single rows.
    return max(STRENGTHS, key=lambda strength: (totals[strength], -strength))


def _vectors(encoder: Encoder, rows: Sequence[dict[str, Any]]) -> Vectors:
    return encoder.encode([row["text"] for row in rows], kind="query")


def _labels(rows: Sequence[dict[str, Any]]) -> Flags:
    return np.array([row["label"] == "personal" for row in rows])


def _write(found: Fit, embedders: Sequence[str], strength: float) -> None:
    record = {
        "embedders": list(embedders),
        "strength": strength,
        "bias": round(found.bias, 6),
        "weight": [round(value, 6) for value in found.weight.tolist()],
    }
    WEIGHTS.write_text(json.dumps(record) + "\n", "utf-8")
    print(f"wrote {WEIGHTS.name}")


def _report(precision: str, head: BoundaryHead, encoder: Encoder, path: Path) -> None:
    rows = read_rows([path])
    labels = _labels(rows)
    found = np.array([head.is_personal(vector) for vector in _vectors(encoder, rows)])
    print(f"{precision}: {path.name} {int((found == labels).sum())}/{len(rows)}")
    for row, said, label in zip(rows, found, labels, strict=True):
        if said != label and path != BOUNDARY:
            print(f"  {row['label']}, not {'personal' if said else 'world'}: {row['text']}")
