"""An utterance as stage 0 reads it: normalised words, and the way back to what was said.

Grammars match on `Utterance.line`: the words of the utterance, lower case, NFKC, "ё" folded to "е", punctuation
gone, one space between and one at each end, with the name, fillers and politeness in front dropped. So a word
edge in a pattern is a literal space, which no language's `\\b` gets wrong. Every word knows the characters of the
original that it came from, so a slot is always a literal span of what was said.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cached_property

from routing.decision import Span

MAX_COMBINING = 30
"""Longest run of combining marks kept after a starter (Unicode's stream-safe text format, UAX 15 section 13)."""

# A word: a number with its inner marks (11:00, 7.30, 15%), letters with inner hyphens and apostrophes, or one
# arithmetic sign. Everything else is punctuation.
_WORD = re.compile(r"\d+(?:[:.,]\d+)*%?|[^\W\d]+(?:['’\-][^\W_]+)*\d*|[+*/=×÷√^−%]")

_NAME = frozenset(["мавен", "мейвен", "мэйвен", "мавэн", "мавин", "maven", "mavin", "mayven"])
_FILLERS = frozenset(
    [
        "ну",
        "слушай",
        "слушайте",
        "послушай",
        "так",
        "короче",
        "ээ",
        "эээ",
        "э",
        "эм",
        "мм",
        "ммм",
        "м",
        "а",
        "и",
        "вот",
        "итак",
        "значит",
        "смотри",
        "хм",
        "гм",
        "эй",
        "ой",
        "ох",
        "ах",
        "типа",
        "блин",
        "пожалуйста",
        "плиз",
        "окей",
        "ок",
        "ладно",
        "um",
        "uh",
        "er",
        "so",
        "well",
        "hey",
        "okay",
        "ok",
        "please",
        "listen",
        "oh",
        "hmm",
    ]
)
_PHRASES = frozenset(
    tuple(phrase.split())
    for phrase in (
        "будь добра", "будь добр", "будьте добры", "будь любезна", "если не трудно", "если не сложно", "если можно",
        "как его", "это самое", "так сказать", "кстати говоря", "знаешь что", "вот что", "в общем", "в общем то",
        "короче говоря", "прошу тебя", "очень прошу", "if you can", "if you could", "you know", "by the way", "i mean",
    )
)  # fmt: skip


def _compose(text: str) -> str:
    """NFKC, with runs of combining marks cut at `MAX_COMBINING` first so that the cost stays linear."""
    if text.isascii() or unicodedata.is_normalized("NFKC", text):
        return text
    return unicodedata.normalize("NFKC", _stream_safe(text))


def _stream_safe(text: str) -> str:
    out: list[str] = []
    run = 0
    for char in text:
        run = run + 1 if unicodedata.combining(char) else 0
        if run <= MAX_COMBINING:
            out.append(char)
    return "".join(out)


def _fold(text: str) -> str:
    """Composed, lower case, "е" for "ё", and no stress marks over vowels (dictionaries print them)."""
    return _compose(text).lower().replace("ё", "е").replace("\u0301", "")


def _fold_map(original: str) -> tuple[str, list[int]]:
    """The folded text, cluster by cluster, and for each of its characters where its cluster starts in `original`
    (with the end of `original` last)."""
    parts: list[str] = []
    starts: list[int] = []
    length = len(original)
    i = 0
    while i < length:
        j = i + 1
        while j < length and unicodedata.combining(original[j]):
            j += 1
        part = _fold(original[i:j])
        parts.append(part)
        starts.extend([i] * len(part))
        i = j
    starts.append(length)
    return "".join(parts), starts


class Utterance:
    """One utterance. `raw` is what was said; everything else is derived from it, some of it only when asked.

    `words` are the normalised words after the name, fillers and politeness in front are dropped; `line` is those
    words between single spaces. `question` is true where the utterance ends in a question mark.
    """

    __slots__ = ("__dict__", "first", "line", "raw", "tokens", "words")

    def __init__(self, raw: str) -> None:
        self.raw = raw
        folded = _fold(raw)
        tokens = _WORD.findall(folded)
        self.tokens: list[str] = tokens
        self.first = _skip(tokens)
        self.words = tokens[self.first :] if self.first else tokens
        self.line = f" {' '.join(self.words)} " if self.words else " "

    def __repr__(self) -> str:
        return f"Utterance({self.raw!r})"

    @cached_property
    def question(self) -> bool:
        """Whether the utterance ends in a question mark (closing quotes and spaces aside)."""
        return self.raw.rstrip(" \t\n.!»\"')…").endswith("?")

    @cached_property
    def folded(self) -> str:
        """The whole utterance folded (see the module), punctuation and everything in front kept."""
        return _fold(self.raw)

    @cached_property
    def _token_spans(self) -> list[Span]:
        """Character range in the original of every token, the dropped ones in front included."""
        raw = self.raw
        if len(self.folded) == len(raw) and (raw.isascii() or unicodedata.is_normalized("NFKC", raw)):
            return [match.span() for match in _WORD.finditer(self.folded)]
        folded, starts = _fold_map(raw)
        return [(starts[match.start()], _cluster_end(raw, starts[match.end() - 1])) for match in _WORD.finditer(folded)]

    @cached_property
    def _offsets(self) -> list[int]:
        """Where each word starts in `line`."""
        offsets: list[int] = []
        at = 1
        for word in self.words:
            offsets.append(at)
            at += len(word) + 1
        return offsets

    def word_span(self, first: int, last: int) -> Span:
        """Character range in the original of words `first` to `last`, inclusive, counted in `words`."""
        spans = self._token_spans
        return spans[self.first + first][0], spans[self.first + last][1]

    def span(self, start: int, end: int) -> Span | None:
        """Character range in the original of the words that lie in `line[start:end]`; None where none does."""
        offsets = self._offsets
        first = bisect_left(offsets, start)
        last = bisect_right(offsets, end - 1) - 1
        if first >= len(offsets) or last < first:
            return None
        return self.word_span(first, last)

    def words_of(self, span: Span) -> tuple[int, int]:
        """Indexes (first, last + 1) in `words` of the words that lie inside an original character range."""
        inside = [
            i - self.first
            for i, (a, b) in enumerate(self._token_spans)
            if i >= self.first and a < span[1] and b > span[0]
        ]
        return (inside[0], inside[-1] + 1) if inside else (0, 0)

    def slice(self, span: Span) -> str:
        """The original characters of `span`."""
        return self.raw[span[0] : span[1]]


def _cluster_end(original: str, start: int) -> int:
    """Where the cluster that starts at `start` ends in `original`."""
    end = start + 1
    while end < len(original) and unicodedata.combining(original[end]):
        end += 1
    return end


def _skip(tokens: Sequence[str]) -> int:
    """How many words in front are the name, fillers or politeness. Never all of them."""
    i = 0
    last = len(tokens) - 1
    while i < last:
        if tokens[i] in _NAME or tokens[i] in _FILLERS:
            i += 1
        elif i + 1 < last and tuple(tokens[i : i + 2]) in _PHRASES:
            i += 2
        elif i + 2 < last and tuple(tokens[i : i + 3]) in _PHRASES:
            i += 3
        else:
            break
    return i
