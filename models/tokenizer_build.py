"""Writes the pack's SentencePiece unigram model as a `tokenizer.json` that `tokenizers` loads.

The character map becomes a `Precompiled` normaliser. Its binary is a Darts double array (a byte trie)
followed by the replacement strings; the format is that of SentencePiece's `precompiled_charsmap`
(github.com/google/sentencepiece, src/normalizer.cc) and darts-clone's `double_array_unit`.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tokenizers import Regex, Tokenizer, normalizers, pre_tokenizers, processors
from tokenizers.models import Unigram

__all__ = ["build_tokenizer", "compile_character_map"]

_LEAF_FLAG = 1 << 31
_HAS_LEAF = 1 << 8
_WIDE_OFFSET = 1 << 9
_NARROW_LIMIT = 1 << 21
_PAGE = 256

# `Precompiled` looks a short grapheme up whole and takes the replacement of its first code point for all of
# it, so "\u00b2" + "\u0301" would lose its accent. A control character in between splits the grapheme, and
# the map then deletes the control character.
_GRAPHEME_BREAK = "\x01"
_BEFORE_EXTENDER = r"(?!^)(?=[\p{M}\x{200C}\x{200D}\x{FF9E}\x{FF9F}])"


@dataclass
class _Node:
    """A node of a byte trie; `value` is set where a key ends."""

    children: dict[int, _Node] = field(default_factory=dict)
    value: int | None = None

    def add(self, key: bytes, value: int) -> None:
        node = self
        for byte in key:
            node = node.children.setdefault(byte, _Node())
        node.value = value

    def labels(self) -> list[int]:
        """The labels of its units, ascending; the value's unit has label 0."""
        return ([] if self.value is None else [0]) + sorted(self.children)


def _encode_offset(offset: int) -> int:
    if offset < _NARROW_LIMIT:
        return offset << 10
    if offset % _PAGE:
        raise ValueError(f"double-array offset {offset} cannot be encoded")
    return (offset >> 8) << 10 | _WIDE_OFFSET


def _double_array(root: _Node) -> list[int]:
    """Lays the trie out as Darts units.

    A node at index p with offset o has base p ^ o; the child under byte b sits at base ^ b and carries b as
    its label. Bases are never shared: two nodes on one base would answer for each other's children. The array
    is padded to whole pages of 256, so that a lookup with any byte stays inside it.
    """
    units = [0] * _PAGE
    taken = {0}
    bases = {0}
    # Searching on from where the last node of the same width went keeps this linear, for a few spare pages.
    resume: dict[int, int] = {}
    pending = [(0, root)]
    while pending:
        index, node = pending.pop()
        labels = node.labels()
        slot = resume.get(len(labels), 1)
        base = slot ^ labels[0]
        while base in bases or any(base ^ label in taken for label in labels):
            slot += 1
            base = slot ^ labels[0]
        resume[len(labels)] = slot
        bases.add(base)
        taken.update(base ^ label for label in labels)
        units.extend([0] * ((base | (_PAGE - 1)) + 1 - len(units)))
        units[index] |= _encode_offset(index ^ base)
        if node.value is not None:
            units[index] |= _HAS_LEAF
            units[base] = _LEAF_FLAG | node.value
        for label, child in node.children.items():
            units[base ^ label] = label
            pending.append((base ^ label, child))
    return units


def compile_character_map(mapping: Mapping[str, str]) -> bytes:
    """The `precompiled_charsmap` binary for a map of strings to replacements (possibly empty).

    Layout: u32 byte length of the trie, the trie's u32 units, then the replacements, each ended by a zero
    byte; a key's value is where its replacement starts. Keys must be non-empty and free of U+0000,
    replacements free of U+0000.
    """
    pool = bytearray()
    places: dict[str, int] = {}
    trie = _Node()
    for key in sorted(mapping):
        replacement = mapping[key]
        if not key or "\0" in key or "\0" in replacement:
            raise ValueError(f"U+0000 or an empty key in the character map at {key!r}")
        if replacement not in places:
            places[replacement] = len(pool)
            pool += replacement.encode() + b"\0"
        trie.add(key.encode(), places[replacement])
    units = _double_array(trie)
    return struct.pack(f"<I{len(units)}I", 4 * len(units), *units) + bytes(pool)


# `Strip` would also take U+0085 and other white space that the map keeps and the vocabulary knows.
_OUTER_SPACE = r"\A | \z"


def build_tokenizer(
    pieces: Sequence[tuple[str, float]], character_map: Mapping[str, str], *, unk: int, bos: int, eos: int
) -> Tokenizer:
    """A unigram tokenizer: NFC, the character map, folded and stripped spaces, a leading `▁`, `<s> … </s>`.

    NFC comes first because the map holds single code points, whereas the real normaliser composes sequences.
    A typed `</s>` is the piece of that name, as in the pack's own engine; a typed `<unk>` is not.
    """
    vocabulary = list(pieces)
    # No text holds a control character once the map has been over it, so this piece matches nothing.
    vocabulary[unk] = (_GRAPHEME_BREAK + pieces[unk][0], pieces[unk][1])
    tokenizer = Tokenizer(Unigram(vocabulary, unk_id=unk, byte_fallback=False))
    tokenizer.normalizer = normalizers.Sequence(
        [
            normalizers.NFC(),
            normalizers.Replace(Regex(_BEFORE_EXTENDER), _GRAPHEME_BREAK),
            normalizers.Precompiled(compile_character_map(character_map)),
            normalizers.Replace(Regex(" {2,}"), " "),
            normalizers.Replace(Regex(_OUTER_SPACE), ""),
        ]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="always", split=False)
    begin, end = pieces[bos][0], pieces[eos][0]
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{begin} $A {end}", special_tokens=[(begin, bos), (end, eos)]
    )
    return tokenizer
