"""Which texts are the same or nearly so: folded equality and character-trigram Jaccard."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

__all__ = ["NEAR", "TrigramIndex", "clusters", "folded"]

NEAR = 0.8
"""Trigram Jaccard from which two utterances count as near copies."""

_NOT_WORD = re.compile(r"[^\w]+|_+")


def folded(text: str) -> str:
    """The text without case, punctuation and `ё`: what two copies share."""
    return _NOT_WORD.sub(" ", text.lower().replace("ё", "е")).strip()


def trigrams(text: str) -> frozenset[str]:
    """Character trigrams of the folded text, with a space at each end."""
    padded = f" {folded(text)} "
    return frozenset(padded[k : k + 3] for k in range(max(1, len(padded) - 2)))


class TrigramIndex:
    """Finds near copies of a text among many, by an inverted index of trigrams."""

    def __init__(self, texts: Iterable[str]) -> None:
        self.grams: list[frozenset[str]] = []
        self._places: dict[str, list[int]] = defaultdict(list)
        for text in texts:
            self.add(text)

    def add(self, text: str) -> None:
        place = len(self.grams)
        self.grams.append(trigrams(text))
        for gram in self.grams[place]:
            self._places[gram].append(place)

    def near(self, text: str, least: float = NEAR) -> list[int]:
        """Places of the texts whose Jaccard with `text` is at least `least`."""
        mine = trigrams(text)
        shared: dict[int, int] = defaultdict(int)
        for gram in mine:
            for place in self._places.get(gram, ()):
                shared[place] += 1
        return [
            place for place, count in shared.items() if count >= least * (len(mine) + len(self.grams[place]) - count)
        ]


def clusters(texts: Sequence[str], groups: Sequence[str | None], least: float) -> list[int]:
    """A cluster number for each text: near copies and members of one group (a template) lie together."""
    parent = list(range(len(texts)))

    def root(place: int) -> int:
        while parent[place] != place:
            parent[place] = parent[parent[place]]
            place = parent[place]
        return place

    index = TrigramIndex(texts)
    first: dict[str, int] = {}
    for place, text in enumerate(texts):
        group = groups[place]
        others = index.near(text, least) + ([first.setdefault(group, place)] if group else [])
        for other in others:
            parent[root(place)] = root(other)
    return [root(place) for place in range(len(texts))]
