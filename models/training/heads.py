"""Trains the routing heads: low-rank adapters on the encoder and four linear heads, one seed at a time."""

from __future__ import annotations

import hashlib
import json
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn import functional

from models.encoder_weights import EncoderWeights
from models.heads_labels import DESTINATIONS, INTENTS, Words, tag_words, tokenise
from models.training.augment import augment
from models.training.corpus import Example
from models.training.net import HeadsNet
from models.training.scores import Logits, Scores, score

__all__ = ["Recipe", "Trained", "corpus_digest", "read", "save", "train"]

_PAD = 1
_NOTHING = -100
"""torch's mark of a label that takes no part in the loss."""


@dataclass(frozen=True)
class Recipe:
    """Everything a run depends on besides the corpora. `rate` is the peak learning rate of the adapters."""

    layers: int = 12
    rank: int = 16
    epochs: int = 10
    batch: int = 64
    rate: float = 1e-3
    seed: int = 0
    smoothing: float = 0.05
    dropout: float = 0.1
    warmup: float = 0.06
    labels_weight: float = 2.0


@dataclass(frozen=True)
class Trained:
    """The best epoch of a run, its scores on the development side, and the seconds the run took."""

    net: HeadsNet
    recipe: Recipe
    epoch: int
    scores: Scores
    seconds: float


def train(
    train_rows: Sequence[Example],
    dev_rows: Sequence[Example],
    weights: EncoderWeights,
    tokenizer: Tokenizer,
    recipe: Recipe,
    *,
    progress: Callable[[str], None] = print,
    deadline: float | None = None,
    start: Path | None = None,
) -> Trained:
    """One run. Rows are made noisy anew in every epoch; the epoch kept is the best of all four heads together.

    `start` is a saved file of the same shape to go on from: for corrections, or rows written later.
    `deadline` (a `time.monotonic()`) ends a run early, at an epoch's end.
    """
    torch.manual_seed(recipe.seed)
    rng = random.Random(recipe.seed)
    net = HeadsNet(weights, recipe.layers, recipe.rank, recipe.dropout)
    if start is not None:
        saved = load_file(str(start))
        with torch.no_grad():
            for name, value in net.trained():
                value.copy_(saved[name])
    optimiser = torch.optim.AdamW(_groups(net, recipe.rate), weight_decay=0.01)
    steps = recipe.epochs * -(-len(train_rows) // recipe.batch)
    warm = max(1, int(steps * recipe.warmup))
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: min((step + 1) / warm, max(0.02, (steps - step) / max(1, steps - warm)))
    )
    started = time.monotonic()
    best: tuple[float, int, Scores, dict[str, Tensor]] | None = None
    for epoch in range(1, recipe.epochs + 1):
        net.train()
        total = 0.0
        batches = list(_batches([augment(row, rng) for row in train_rows], tokenizer, recipe.batch, rng))
        for rows, words in batches:
            with torch.autocast("cpu", torch.bfloat16):
                outputs = net(*_padded(words))
            loss = _loss(outputs, rows, words, recipe)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimiser.step()
            optimiser.zero_grad()
            schedule.step()
            total += float(loss.detach())
        scores = score(dev_rows, read(net, tokenizer, dev_rows))
        spent = time.monotonic() - started
        progress(f"epoch {epoch} ({spent:.0f} s): loss {total / len(batches):.3f}  {scores.line()}")
        if best is None or scores.mean > best[0]:
            best = (scores.mean, epoch, scores, {n: v.detach().clone() for n, v in net.trained()})
        if deadline is not None and time.monotonic() > deadline:
            break
    assert best is not None
    with torch.no_grad():
        for name, value in net.trained():
            value.copy_(best[3][name])
    return Trained(net, recipe, best[1], best[2], time.monotonic() - started)


def read(net: HeadsNet, tokenizer: Tokenizer, rows: Sequence[Example]) -> list[Logits]:
    """The heads' logits on `rows`, in order; no noise, no dropout, float32."""
    net.eval()
    words = [tokenise(tokenizer, row.text) for row in rows]
    order = sorted(range(len(rows)), key=lambda k: len(words[k].ids))
    found: dict[int, Logits] = {}
    with torch.inference_mode():
        for start in range(0, len(order), 64):
            places = order[start : start + 64]
            outputs = {n: v.double().numpy() for n, v in net(*_padded([words[k] for k in places])).items()}
            for row, k in enumerate(places):
                found[k] = Logits(
                    outputs["intent"][row],
                    outputs["destination"][row],
                    float(outputs["clarify"][row, 0]),
                    outputs["slots"][row, words[k].first],
                    words[k].words,
                )
    return [found[k] for k in range(len(rows))]


def save(trained: Trained, path: Path) -> None:
    """Adapters, biases, norms and heads as float16 safetensors, about 2.9 MB for 12 layers at rank 16."""
    tensors = {name: value.detach().to(torch.float16).contiguous() for name, value in trained.net.trained()}
    path.parent.mkdir(parents=True, exist_ok=True)
    save_file(tensors, str(path), metadata={"recipe": json.dumps(asdict(trained.recipe))})


def corpus_digest(rows: Sequence[Example]) -> str:
    """SHA-256 of what was trained on, so that a figure names its corpus."""
    lines = sorted(f"{row.label}|{row.text}|{sorted(row.spans.items())}" for row in rows)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def _groups(net: HeadsNet, rate: float) -> list[dict[str, Any]]:
    """Parameters by learning rate.

    Heads start from nothing on vectors that lie in a narrow cone, so they need larger steps; biases and norms
    start near where they should be: half the rate, and no decay.
    """
    matrices: list[Tensor] = []
    vectors: list[Tensor] = []
    for value in net.layers.parameters():
        if value.requires_grad:
            (matrices if value.ndim > 1 else vectors).append(value)
    return [
        {"params": matrices, "lr": rate},
        {"params": vectors, "lr": rate / 2, "weight_decay": 0.0},
        {"params": list(net.heads.parameters()), "lr": rate * 4},
    ]


def _batches(
    rows: Sequence[Example], tokenizer: Tokenizer, size: int, rng: random.Random
) -> Iterator[tuple[list[Example], list[Words]]]:
    """Batches of rows of like length in random order: sorted within random pools, so that little is padded."""
    pairs = [(row, tokenise(tokenizer, row.text)) for row in rows]
    rng.shuffle(pairs)
    batches = []
    for start in range(0, len(pairs), size * 16):
        pool = sorted(pairs[start : start + size * 16], key=lambda pair: len(pair[1].ids))
        batches += [pool[k : k + size] for k in range(0, len(pool), size)]
    rng.shuffle(batches)
    for batch in batches:
        yield [row for row, _ in batch], [words for _, words in batch]


def _padded(words: Sequence[Words]) -> tuple[Tensor, Tensor]:
    longest = max(len(w.ids) for w in words)
    ids = torch.full((len(words), longest), _PAD)
    mask = torch.zeros((len(words), longest), dtype=torch.int64)
    for row, w in enumerate(words):
        ids[row, : len(w.ids)] = torch.tensor(w.ids)
        mask[row, : len(w.ids)] = 1
    return ids, mask


def _loss(outputs: dict[str, Tensor], rows: Sequence[Example], words: Sequence[Words], recipe: Recipe) -> Tensor:
    """The heads' losses added up, each over the rows (for slots: the words) that carry its label."""
    intents = torch.tensor([_NOTHING if r.intent is None else INTENTS.index(r.intent) for r in rows])
    destinations = torch.tensor(
        [_NOTHING if r.destination is None else DESTINATIONS.index(r.destination) for r in rows]
    )
    asks = torch.tensor([float(r.clarify) for r in rows])
    outputs = {name: value.float() for name, value in outputs.items()}
    clarify = functional.binary_cross_entropy_with_logits(
        outputs["clarify"][:, 0], asks * (1 - recipe.smoothing) + recipe.smoothing / 2
    )
    return (
        _cross_entropy(outputs["intent"], intents, recipe.smoothing)
        + _cross_entropy(outputs["destination"], destinations, recipe.smoothing)
        + 2 * clarify
        + _slots_loss(outputs["slots"], rows, words)
    )


def _slots_loss(logits: Tensor, rows: Sequence[Example], words: Sequence[Words]) -> Tensor:
    places: list[tuple[int, int]] = []
    tags: list[int] = []
    for row, (example, w) in enumerate(zip(rows, words, strict=True)):
        if example.tagged:
            places += [(row, token) for token in w.first]
            tags += tag_words(w.words, example.spans)
    if not places:
        return logits.sum() * 0
    at = torch.tensor(places)
    return 2 * functional.cross_entropy(logits[at[:, 0], at[:, 1]], torch.tensor(tags))


def _cross_entropy(logits: Tensor, labels: Tensor, smoothing: float) -> Tensor:
    if bool((labels == _NOTHING).all()):
        return logits.sum() * 0
    return functional.cross_entropy(logits, labels, ignore_index=_NOTHING, label_smoothing=smoothing)
