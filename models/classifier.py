"""The floor: nearest neighbour over frozen seed phrases, in the resident embedder's space.

It answers when nothing better can: no heads, no resident model, or an error in either. Routing by similarity to
seeds is weak on Russian questions, which is why it stands last and asks when its best score is low.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import numpy as np
import numpy.typing as npt

from routing.context import Context
from routing.decision import Claim, Decision, Intent, Outcome, Source, StageName, clarify
from routing.text import Utterance

Vectors = npt.NDArray[np.float32]
Embed = Callable[[Sequence[str]], Awaitable[Vectors]]
"""Texts to unit row vectors, float32 [n, dim]."""

NEIGHBOURS = 10
"""Seeds that vote: one alone is at the mercy of an odd phrase. On 1,500 hand-written utterances 1, 5 and 12 neighbours
gave 60.0, 65.1 and 67.6 % intent without stage 0."""


@dataclass(frozen=True, slots=True)
class Seed:
    """A frozen phrase and its label; `source` is None on every intent but `query`."""

    text: str
    intent: Intent | None
    source: Source | None


def load_seeds(path: Path | None = None) -> tuple[Seed, ...]:
    """The seed phrases of `path`, or those in the package. Raises `ValueError` naming the line of a wrong row."""
    text = (path or files("models") / "data" / "seeds.jsonl").read_text(encoding="utf-8")
    seeds = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            row = json.loads(line)
            intent = Intent(row["intent"]) if row.get("intent") else None
            source = Source(row["source"]) if intent is Intent.QUERY else None
            seeds.append(Seed(row["text"], intent, source))
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(f"seed phrases, line {number}: {error!r}") from error
    return tuple(seeds)


def seeds_hash(seeds: Sequence[Seed]) -> str:
    """Identifies a list of seeds, so that cached vectors of another list are never used."""
    text = "\n".join(f"{seed.text}\t{seed.intent}\t{seed.source}" for seed in seeds)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


async def seed_vectors(seeds: Sequence[Seed], embed: Embed, embedder_id: str, cache: Path | None) -> Vectors:
    """Vectors of the seeds, embedded once and kept in `cache` under the embedder's id and the seeds' hash."""
    kept = None
    if cache is not None:
        kept = cache / f"{embedder_id.replace('/', '-')}.{seeds_hash(seeds)}.npy"
        if kept.is_file():
            vectors: Vectors = np.load(kept)
            if vectors.shape[:1] == (len(seeds),):
                return vectors
    vectors = await embed([seed.text for seed in seeds])
    if kept is not None:
        kept.parent.mkdir(parents=True, exist_ok=True)
        part = kept.with_suffix(f".{id(vectors)}.part")
        with part.open("wb") as file:
            np.save(file, vectors)
        part.replace(kept)
    return vectors


class Classifier:
    """Scores an utterance's vector against the seeds. Clarify is a class of its own among them."""

    def __init__(self, seeds: Sequence[Seed], vectors: Vectors) -> None:
        self._vectors = vectors - (mean := vectors.mean(axis=0))
        self._vectors /= np.linalg.norm(self._vectors, axis=1, keepdims=True) + 1e-9
        self._mean = mean
        self._labels = [(seed.intent, seed.source) for seed in seeds]
        self._intents = np.array([_INTENTS.index(seed.intent) for seed in seeds])

    def read(self, vector: Vectors) -> tuple[Intent | None, Source, float]:
        """Intent (None: clarify), destination (on `query`) and score in 0..1 of one vector [dim].

        e5's vectors all lie within a narrow cone (any two texts score 0.75 to 0.9), so the seeds' mean is taken
        off first; the score is the winners' share of the neighbours' votes, times the best cosine.
        """
        centred = vector - self._mean
        norm = float(np.linalg.norm(centred))
        if norm < 1e-6:
            return None, Source.UNKNOWN, 0.0
        cosines = self._vectors @ (centred / norm)
        nearest = np.argpartition(cosines, -NEIGHBOURS)[-NEIGHBOURS:]
        weights = np.exp(cosines[nearest] * 12.0)
        votes = np.bincount(self._intents[nearest], weights, minlength=len(_INTENTS))
        winner = int(votes.argmax())
        score = float(votes[winner] / votes.sum()) * float(np.clip(cosines[nearest].max() * 1.6, 0.0, 1.0))
        intent = _INTENTS[winner]
        source = Source.UNKNOWN
        if intent is Intent.QUERY:
            queries = np.flatnonzero(self._intents == winner)
            nearest = queries[np.argsort(cosines[queries])[-3:]]
            tally: dict[Source, float] = {}
            for i in nearest:
                label = self._labels[int(i)][1] or Source.UNKNOWN
                tally[label] = tally.get(label, 0.0) + float(np.exp(cosines[i] * 12.0))
            source = max(tally, key=tally.__getitem__)
        return intent, source, score


_INTENTS: tuple[Intent | None, ...] = (*Intent, None)


class ClassifierStage:
    """The classifier as a stage. Under `threshold` (0..1) it asks: it is the floor, nothing comes after it."""

    name = "classifier"
    stage = StageName.CLASSIFIER

    def __init__(self, classifier: Callable[[], Awaitable[Classifier]], embed: Embed, threshold: float) -> None:
        self._classifier = classifier
        self._embed = embed
        self.threshold = threshold

    async def decide(self, utterance: Utterance, context: Context) -> Claim | None:
        """The nearest seeds' label, or a clarify under the threshold."""
        classifier = await self._classifier()
        (vector,) = await self._embed([utterance.raw])
        intent, source, score = classifier.read(vector)
        if intent is None or score < self.threshold:
            reason = "classifier-unsure" if intent is not None else "classifier-clarify"
            decision = clarify(reason, stage=self.stage, claimant=self.name, confidence=score)
        else:
            decision = Decision(intent, source, stage=self.stage, claimant=self.name, confidence=score)
        return Claim(self.name, decision, score, Outcome.WON)
