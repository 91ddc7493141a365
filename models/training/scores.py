"""What a set of readings is worth: accuracy of each head, slot F1, calibration, risk against coverage."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from models.heads_labels import DESTINATIONS, INTENTS, read_spans
from models.training.corpus import Example
from routing.decision import Span

__all__ = [
    "Logits",
    "Scores",
    "best_temperature",
    "calibration_error",
    "clarify_threshold",
    "knee",
    "probabilities",
    "ranking",
    "reliability",
    "score",
    "sigmoid",
]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Logits:
    """The four heads' logits of one utterance; `slots` is [words, tags], with the words' ranges."""

    intent: Floats
    destination: Floats
    clarify: float
    slots: Floats
    words: Sequence[Span]


def probabilities(logits: Floats, temperature: float = 1.0) -> Floats:
    """Softmax over the last axis."""
    scaled = logits / temperature
    raised = np.exp(scaled - scaled.max(axis=-1, keepdims=True))
    result: Floats = raised / raised.sum(axis=-1, keepdims=True)
    return result


def sigmoid(logit: float | Floats, temperature: float = 1.0) -> Floats:
    result: Floats = 1 / (1 + np.exp(-np.asarray(logit, np.float64) / temperature))
    return result


@dataclass(frozen=True)
class Scores:
    """Accuracies in 0..1 and counts, over rows that carry the label in question.

    `intent` and `destination` ignore the clarify head; `caught` of `askable` rows clarify, and so do `false` of
    `plain` ones.
    """

    intent: float
    destination: float
    slots: float
    clarify: float
    caught: int
    askable: int
    false: int
    plain: int
    destination_right: int
    destination_rows: int
    confusions: Counter[tuple[str, str]]

    @property
    def mean(self) -> float:
        """What an epoch is chosen by: intent, destination, slot F1 and clarify F1 weigh the same."""
        return (self.intent + self.destination + self.slots + self.clarify) / 4

    def line(self) -> str:
        """One line for a log."""
        return (
            f"intent {self.intent:.1%}  destination {self.destination:.1%} "
            f"({self.destination_right}/{self.destination_rows})  slots F1 {self.slots:.1%}  "
            f"clarify F1 {self.clarify:.1%} ({self.caught}/{self.askable}, {self.false} false of {self.plain})"
        )


def score(examples: Sequence[Example], logits: Sequence[Logits], clarify_at: float = 0.0) -> Scores:
    """Scores of readings; `clarify_at` is the clarify logit from which the head asks."""
    right = rows = destination_right = destination_rows = caught = askable = false = plain = 0
    hits = said = there = 0
    confusions: Counter[tuple[str, str]] = Counter()
    for example, reading in zip(examples, logits, strict=True):
        asks = reading.clarify >= clarify_at
        if example.clarify:
            askable += 1
            caught += asks
        elif example.intent is not None:
            plain += 1
            false += asks
            rows += 1
            guess = INTENTS[int(reading.intent.argmax())]
            right += guess is example.intent
            if guess is not example.intent:
                confusions[example.intent.value, guess.value] += 1
        if example.destination is not None:
            destination_rows += 1
            named = DESTINATIONS[int(reading.destination.argmax())]
            destination_right += named is example.destination
            if named is not example.destination:
                confusions[f"/{example.destination.value}", f"/{named.value}"] += 1
        if example.tagged and not example.clarify:
            spans = read_spans(reading.words, probabilities(reading.slots).astype(np.float32))
            hits += sum(spans.get(name) == span for name, span in example.spans.items())
            said += len(spans)
            there += len(example.spans)
    return Scores(
        intent=right / max(rows, 1),
        destination=destination_right / max(destination_rows, 1),
        slots=2 * hits / max(said + there, 1),
        clarify=2 * caught / max(caught + false + askable, 1),
        caught=caught,
        askable=askable,
        false=false,
        plain=plain,
        destination_right=destination_right,
        destination_rows=destination_rows,
        confusions=confusions,
    )


def best_temperature(loss: Callable[[float], float]) -> float:
    """The temperature of the smallest loss, on a grid of 1 % steps from 0.3 to 5."""
    grid: list[float] = np.exp(np.arange(np.log(0.3), np.log(5), 0.01)).tolist()
    best: float = min(grid, key=loss)
    return round(best, 4)


def calibration_error(confidence: Floats, right: npt.NDArray[np.bool_], bins: int = 10) -> float:
    """Expected calibration error: the mean gap of confidence and accuracy over equal-width bins."""
    places = np.minimum((confidence * bins).astype(int), bins - 1)
    gaps = [
        (places == k).mean() * abs(confidence[places == k].mean() - right[places == k].mean())
        for k in range(bins)
        if (places == k).any()
    ]
    return float(sum(gaps))


def reliability(confidence: Floats, right: npt.NDArray[np.bool_], bins: int = 10) -> list[tuple[float, float, int]]:
    """Mean confidence, accuracy and count of every bin that holds something."""
    places = np.minimum((confidence * bins).astype(int), bins - 1)
    return [
        (float(confidence[places == k].mean()), float(right[places == k].mean()), int((places == k).sum()))
        for k in range(bins)
        if (places == k).any()
    ]


def ranking(confidence: Floats, right: npt.NDArray[np.bool_]) -> float:
    """The share of (right, wrong) pairs in which the right one is surer; ties count half."""
    good, bad = confidence[right], confidence[~right]
    if not len(good) or not len(bad):
        return 1.0
    return float(((good[:, None] > bad).mean() + (good[:, None] >= bad).mean()) / 2)


def knee(confidence: Floats, right: npt.NDArray[np.bool_]) -> float:
    """The intent threshold at the risk-coverage curve's knee.

    Of thresholds 0.30 to 0.95 it is the one with the most wrong answers withheld less right ones withheld,
    weighing a wrong answer as two right ones: below it the next stage answers, which is slower and not always
    better.
    """
    steps = np.arange(0.30, 0.96, 0.05)
    gains = [2 * (~right & (confidence < step)).sum() - (right & (confidence < step)).sum() for step in steps]
    return float(round(steps[int(np.argmax(gains))], 2))


def clarify_threshold(chances: Floats, asks: npt.NDArray[np.bool_]) -> float:
    """The clarify probability from which to ask: best F1, the middle of the best stretch of thresholds."""
    steps = np.arange(0.2, 0.91, 0.01)
    scores = np.array([2 * (asks & (chances >= s)).sum() / max(1, (chances >= s).sum() + asks.sum()) for s in steps])
    best = steps[scores >= scores.max() - 1e-9]
    return float(round(best[len(best) // 2], 2))
