"""Temperatures and thresholds from the development split, and the picture of how calibrated it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from models.heads_labels import DESTINATIONS, INTENTS
from models.training.corpus import Example
from models.training.scores import (
    Logits,
    best_temperature,
    calibration_error,
    clarify_threshold,
    knee,
    probabilities,
    ranking,
    reliability,
    sigmoid,
)

__all__ = ["Calibration", "calibrate", "plot"]

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Calibration:
    """Temperatures and thresholds, and what they were measured on: each head's (confidence, right) pairs."""

    temperatures: dict[str, float]
    thresholds: dict[str, float]
    pairs: dict[str, tuple[Floats, Flags]]
    before: dict[str, float]

    def errors(self) -> dict[str, float]:
        """Expected calibration error by head, after scaling."""
        return {name: round(calibration_error(*pair), 4) for name, pair in self.pairs.items()}

    def rankings(self) -> dict[str, float]:
        """By head: the share of (right, wrong) pairs in which the right one is surer."""
        return {name: round(ranking(*pair), 4) for name, pair in self.pairs.items()}


def calibrate(rows: Sequence[Example], logits: Sequence[Logits]) -> Calibration:
    """Fits one temperature a head by negative log likelihood, then reads the thresholds off the scaled values."""
    intents = [(x.intent, INTENTS.index(r.intent)) for r, x in zip(rows, logits, strict=True) if r.intent]
    places = [
        (x.destination, DESTINATIONS.index(r.destination))
        for r, x in zip(rows, logits, strict=True)
        if r.destination is not None
    ]
    asks = np.array([row.clarify for row in rows])
    clarify = np.array([x.clarify for x in logits])
    temperatures: dict[str, float] = {}
    pairs: dict[str, tuple[Floats, Flags]] = {}
    before: dict[str, float] = {}
    for name, found in (("intent", intents), ("destination", places)):
        values, labels = np.stack([v for v, _ in found]), np.array([label for _, label in found])
        temperatures[name] = best_temperature(lambda t, v=values, y=labels: _loss(v, y, t))  # type: ignore[misc]
        right = values.argmax(axis=1) == labels
        before[name] = calibration_error(probabilities(values).max(axis=1), right)
        pairs[name] = (probabilities(values, temperatures[name]).max(axis=1), right)
    temperatures["clarify"] = best_temperature(
        lambda t: float(-np.log(np.where(asks, sigmoid(clarify, t), 1 - sigmoid(clarify, t)) + 1e-12).mean())
    )
    chances = sigmoid(clarify, temperatures["clarify"])
    threshold = clarify_threshold(chances, asks)
    before["clarify"] = calibration_error(sigmoid(clarify), asks)
    pairs["clarify"] = (chances, asks)
    # The intent threshold acts on what the clarify head lets through.
    through = np.array([not row.clarify for row in rows])
    passed = chances[through] < threshold
    confidence, right = pairs["intent"]
    return Calibration(
        temperatures=temperatures,
        thresholds={"clarify": threshold, "intent": knee(confidence[passed], right[passed])},
        pairs=pairs,
        before={name: round(value, 4) for name, value in before.items()},
    )


def _loss(logits: Floats, labels: npt.NDArray[np.int_], temperature: float) -> float:
    chances = probabilities(logits, temperature)[np.arange(len(labels)), labels]
    return float(-np.log(chances + 1e-12).mean())


def plot(found: Calibration, path: Path) -> None:
    """The reliability diagram of each head and the risk-coverage curve of the intent head, as a PNG."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 4, figsize=(16, 4), layout="constrained")
    errors = found.errors()
    for axis, (name, pair) in zip(axes, found.pairs.items(), strict=False):
        bins = reliability(*pair)
        axis.plot([0, 1], [0, 1], color="0.7", linewidth=1)
        axis.plot([b[0] for b in bins], [b[1] for b in bins], marker="o")
        for sure, accuracy, count in bins:
            axis.annotate(str(count), (sure, accuracy), textcoords="offset points", xytext=(4, -10))
        axis.set(title=f"{name}: ECE {errors[name]:.3f}", xlabel="confidence", ylabel="right", xlim=(0, 1.02))
        axis.set_ylim(0, 1.02)
    confidence, right = found.pairs["intent"]
    order = np.argsort(-confidence)
    covered = np.arange(1, len(order) + 1)
    axes[3].plot(covered / len(order), np.cumsum(~right[order]) / covered)
    threshold = found.thresholds["intent"]
    share = float((confidence >= threshold).mean())
    axes[3].axvline(share, color="0.7", linewidth=1)
    axes[3].set(title=f"intent: threshold {threshold} covers {share:.1%}", xlabel="coverage", ylabel="risk")
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=80, metadata={"Software": None})
    pyplot.close(figure)
