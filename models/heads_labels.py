"""What the routing heads say, in order: labels, slot tags, and how words and slots lie over tokens."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from tokenizers import Tokenizer

from routing.decision import SLOT_NAMES, Intent, Source, Span

__all__ = [
    "ADAPTER",
    "DESTINATIONS",
    "HEAD_OUTPUTS",
    "INTENTS",
    "MAX_TOKENS",
    "MODEL_FILE",
    "SCALE",
    "SLOT_TAGS",
    "Words",
    "read_spans",
    "tag_words",
    "tokenise",
]

INTENTS = tuple(Intent)
DESTINATIONS = tuple(Source)
SLOT_TAGS = ("O", *(f"{edge}-{name}" for name in SLOT_NAMES for edge in "BI"))

HEAD_OUTPUTS = {"intent": len(INTENTS), "destination": len(DESTINATIONS), "clarify": 1, "slots": len(SLOT_TAGS)}
"""Outputs of the graph and the width of each: logits, `slots` for every token and the rest for the whole."""

MAX_TOKENS = 48
"""An utterance is cut there: the longest of the corpora has 26 tokens, and 10 are usual."""

MODEL_FILE = "router_heads.onnx"

ADAPTER = "adapter"
SCALE = 2.0
"""A merged matrix is `W + SCALE * up @ down`."""

_CHUNK = re.compile(r"\S+")
_EDGE = " .,:;!?…\"'«»()[]—–"


@dataclass(frozen=True)
class Words:
    """An utterance as the model gets it: token ids, each word's range, and the place of its first token.

    Words are what stands between spaces, without punctuation at their edges. Words beyond `MAX_TOKENS` are
    left out.
    """

    ids: list[int]
    words: list[Span]
    first: list[int]


def tokenise(tokenizer: Tokenizer, text: str) -> Words:
    """Ids, words and first tokens of `text`. There is no `query: ` in front: the heads are trained without it."""
    # A lone surrogate cannot go to the tokenizer; `?` is as wide, so ranges keep.
    encoding = tokenizer.encode(text.encode("utf-8", "replace").decode("utf-8"))
    ids: list[int] = list(encoding.ids)
    offsets: list[Span] = list(encoding.offsets)
    if len(ids) > MAX_TOKENS:
        ids = [*ids[: MAX_TOKENS - 1], ids[-1]]
        offsets = [*offsets[: MAX_TOKENS - 1], (0, 0)]
    words: list[Span] = []
    first: list[int] = []
    place = 1
    for match in _CHUNK.finditer(text):
        chunk = match.group()
        start = match.end() - len(chunk.lstrip(_EDGE))
        end = match.start() + len(chunk.rstrip(_EDGE))
        if start >= end:
            continue
        while place < len(ids) - 1 and offsets[place][1] <= start:
            place += 1
        if place >= len(ids) - 1:
            break
        words.append((start, end))
        first.append(place)
    return Words(ids, words, first)


def tag_words(words: Sequence[Span], spans: Mapping[str, Span]) -> list[int]:
    """The place in `SLOT_TAGS` of each word's tag: a word belongs to the span that its start lies in."""
    tags = []
    previous = ""
    for start, end in words:
        # A span may begin or end inside a word: the share of the word that it covers decides.
        inside = next((n for n, (a, b) in spans.items() if min(end, b) - max(start, a) > (end - start) / 2), "")
        edge = "I" if inside == previous else "B"
        tags.append(SLOT_TAGS.index(f"{edge}-{inside}") if inside else 0)
        previous = inside
    return tags


def read_spans(words: Sequence[Span], scores: npt.NDArray[np.float32]) -> dict[str, Span]:
    """Slots as character ranges, from each word's tag probabilities [words, tags].

    `I` without its `B` opens a span. Of several spans of one slot the surest stays, since an utterance has each
    slot at most once.
    """
    found: dict[str, tuple[float, Span]] = {}
    best = scores.argmax(axis=1) if len(words) else np.zeros(0, int)
    place = 0
    while place < len(words):
        tag = SLOT_TAGS[best[place]]
        after = place + 1
        if tag != "O":
            name = tag[2:]
            while after < len(words) and SLOT_TAGS[best[after]] == f"I-{name}":
                after += 1
            sure = float(scores[place:after].max(axis=1).mean())
            if name not in found or sure > found[name][0]:
                found[name] = (sure, (words[place][0], words[after - 1][1]))
        place = after
    return {name: span for name, (_, span) in found.items()}
