"""The floor: seeds, their cached vectors, and what it makes of a vector."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from models.classifier import Classifier, Seed, Vectors, load_seeds, seed_vectors, seeds_hash
from routing.decision import Intent, Source


def test_the_packaged_seeds_cover_every_label_in_both_languages() -> None:
    seeds = load_seeds()
    intents = Counter(seed.intent for seed in seeds)
    sources = Counter(seed.source for seed in seeds if seed.source is not None)
    assert all(intents[intent] >= 25 for intent in Intent)
    assert all(sources[source] >= 8 for source in Source)
    assert intents[None] >= 25
    assert len({seed.text for seed in seeds}) == len(seeds)
    latin = sum(seed.text.isascii() for seed in seeds)
    assert 0.15 < latin / len(seeds) < 0.4


def test_a_wrong_row_is_named_by_its_line(tmp_path: Path) -> None:
    path = tmp_path / "seeds.jsonl"
    path.write_text('{"text": "а", "intent": "chat"}\n{"text": "б", "intent": "party"}\n', encoding="utf-8")
    with pytest.raises(ValueError, match="line 2"):
        load_seeds(path)


class CountingEmbedder:
    def __init__(self) -> None:
        self.texts = 0

    async def __call__(self, texts: Sequence[str]) -> Vectors:
        self.texts += len(texts)
        return np.eye(len(texts), 4, dtype=np.float32)


SEEDS = (Seed("раз", Intent.CHAT, None), Seed("два", Intent.QUERY, Source.CLOCK), Seed("три", None, None))


async def test_vectors_are_kept_for_one_embedder_and_one_list(tmp_path: Path) -> None:
    embed = CountingEmbedder()
    first = await seed_vectors(SEEDS, embed, "a@4/tok1/fp32", tmp_path)
    again = await seed_vectors(SEEDS, embed, "a@4/tok1/fp32", tmp_path)
    np.testing.assert_array_equal(first, again)
    assert embed.texts == 3
    await seed_vectors(SEEDS, embed, "a@4/tok2/fp32", tmp_path)
    assert embed.texts == 6
    await seed_vectors(SEEDS[:2], embed, "a@4/tok1/fp32", tmp_path)
    assert embed.texts == 8
    assert seeds_hash(SEEDS) != seeds_hash(SEEDS[:2])


def test_the_nearest_seeds_decide_intent_destination_and_clarify() -> None:
    rng = np.random.default_rng(0)
    centres = {
        (Intent.CHAT, None): 0,
        (Intent.QUERY, Source.CLOCK): 1,
        (Intent.QUERY, Source.WORLD): 2,
        (None, None): 3,
    }
    seeds, rows = [], []
    for (intent, source), axis in centres.items():
        for i in range(12):
            seeds.append(Seed(f"{axis}-{i}", intent, source))
            rows.append(np.eye(8)[axis] + rng.normal(scale=0.05, size=8))
    vectors = np.array(rows, np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    classifier = Classifier(seeds, vectors.copy())
    for (intent, source), axis in centres.items():
        got, where, score = classifier.read(np.eye(8, dtype=np.float32)[axis])
        assert got is intent
        assert where == (source or Source.UNKNOWN)
        assert score > 0.8
    assert classifier.read(np.zeros(8, np.float32) + vectors.mean(axis=0))[2] < 0.5


def test_the_seeds_file_is_one_row_a_line() -> None:
    from importlib.resources import files

    for line in (files("models") / "data" / "seeds.jsonl").read_text(encoding="utf-8").splitlines():
        assert set(json.loads(line)) <= {"text", "lang", "intent", "source"}


def test_every_seed_stands_in_the_corpora_and_so_shares_nothing_with_a_fixture() -> None:
    """`test_corpus.py` checks the corpora against every fixture; the seeds are a part of them."""
    from importlib.resources import files

    corpus = {
        json.loads(line)["text"]
        for path in (files("models") / "data" / "corpus").iterdir()
        for line in path.read_text(encoding="utf-8").splitlines()
    }
    assert {seed.text for seed in load_seeds()} <= corpus
