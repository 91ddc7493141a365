"""Writes a pack of a toy encoder in the `E5S1` layout, and computes what the toy should answer, in numpy."""

from __future__ import annotations

import math
import struct
from pathlib import Path

import numpy as np

HIDDEN, LAYERS, HEADS, INNER, POSITIONS, TYPES = 64, 2, 4, 96, 512, 2
WORDS = [
    "<s>",
    "<pad>",
    "</s>",
    "<unk>",
    "▁",
    "▁query",
    "▁passage",
    ":",
    "▁да",
    "▁нет",
    "ё",
    "a",
    "b",
    "x",
    "▁x",
]
ROWS = len(WORDS) + 2
CHARACTER_MAP = {"\x01": "", "\t": " ", "\u200b": " ", "\u00b2": "a", "Ａ": "ab", "№": "x"}
LINEARS = {"q": (HIDDEN, HIDDEN), "k": (HIDDEN, HIDDEN), "v": (HIDDEN, HIDDEN), "ao": (HIDDEN, HIDDEN)}
LINEARS |= {"fi": (INNER, HIDDEN), "fo": (HIDDEN, INNER)}


def write_tiny_pack(path: Path, seed: int = 0) -> None:
    """A whole pack with random weights at `path`."""
    random = np.random.default_rng(seed)

    def floats(*shape: int, middle: float = 0.0) -> tuple[int, int, bytes]:
        values = (middle + 0.1 * random.standard_normal(shape)).astype("<f4")
        return 0, values.size, values.tobytes()

    def blocks(rows: int, columns: int) -> tuple[int, int, bytes]:
        count = rows * columns // 32
        scales = (0.02 + 0.02 * random.random(count)).astype("<f2").view(np.uint8).reshape(count, 2)
        nibbles = random.integers(0, 256, (count, 16), dtype=np.uint8)
        return 1, rows * columns, np.concatenate([scales, nibbles], axis=1).tobytes()

    tensors = {
        "emb.word": blocks(ROWS, HIDDEN),
        "emb.pos": floats(POSITIONS, HIDDEN),
        "emb.type": floats(TYPES, HIDDEN),
        "emb.ln.w": floats(HIDDEN, middle=1),
        "emb.ln.b": floats(HIDDEN),
    }
    for index in range(LAYERS):
        for name, shape in LINEARS.items():
            tensors[f"l{index}.{name}.w"] = blocks(*shape)
            tensors[f"l{index}.{name}.b"] = floats(shape[0])
        for name in ("aln", "oln"):
            tensors[f"l{index}.{name}.w"] = floats(HIDDEN, middle=1)
            tensors[f"l{index}.{name}.b"] = floats(HIDDEN)

    pieces = [word.encode() for word in WORDS]
    ends = np.cumsum([0, *map(len, pieces)]).astype("<u4")
    scores = np.array([0, 0, 0, 0, *(-1.5 - 0.1 * k for k in range(len(WORDS) - 4))], "<f4")
    head = b"E5S1" + struct.pack("<I", 1)
    head += struct.pack("<7ifi", HIDDEN, LAYERS, HEADS, INNER, ROWS, POSITIONS, TYPES, 1e-12, 32)
    head += struct.pack("<5iQ", len(WORDS), 0, 2, 1, 3, int(ends[-1])) + ends.tobytes() + scores.tobytes()
    head += b"".join(pieces)
    body = b"".join(
        struct.pack(f"<IB{len(to)}I", ord(code), len(to), *map(ord, to)) for code, to in CHARACTER_MAP.items()
    )
    head += struct.pack("<iI", len(CHARACTER_MAP), len(body)) + body + struct.pack("<i", len(tensors))
    offset = len(head) + sum(2 + len(name) + 21 for name in tensors)
    directory, data = b"", b""
    for name, (kind, count, raw) in tensors.items():
        directory += struct.pack("<H", len(name)) + name.encode()
        directory += struct.pack("<BIQQ", kind, count, offset + len(data), len(raw))
        data += raw
    path.write_bytes(head + directory + data)


def reference(tensors: dict[str, np.ndarray], ids: list[int], layers: int = LAYERS) -> np.ndarray:
    """The last states [tokens, hidden] of one unpadded sequence, in float64 numpy."""

    def tensor(name: str) -> np.ndarray:
        return tensors[name].astype(np.float64)

    def norm(value: np.ndarray, prefix: str) -> np.ndarray:
        value = value - value.mean(-1, keepdims=True)
        value = value / np.sqrt((value**2).mean(-1, keepdims=True) + 1e-12)
        return value * tensor(f"{prefix}.weight") + tensor(f"{prefix}.bias")

    def linear(value: np.ndarray, prefix: str) -> np.ndarray:
        return value @ tensor(f"{prefix}.weight").T + tensor(f"{prefix}.bias")

    def split(value: np.ndarray) -> np.ndarray:
        return value.reshape(len(ids), HEADS, -1).transpose(1, 0, 2)

    state = tensor("embeddings.word_embeddings.weight")[ids]
    state = state + tensor("embeddings.position_embeddings.weight")[: len(ids)]
    state = norm(state + tensor("embeddings.token_type_embeddings.weight")[0], "embeddings.LayerNorm")
    for index in range(layers):
        prefix = f"encoder.layer.{index}"
        query, key, value = (
            split(linear(state, f"{prefix}.attention.self.{part}")) for part in ("query", "key", "value")
        )
        weights = np.exp(query @ key.transpose(0, 2, 1) / np.sqrt(HIDDEN / HEADS))
        weights /= weights.sum(-1, keepdims=True)
        context = (weights @ value).transpose(1, 0, 2).reshape(len(ids), HIDDEN)
        output = f"{prefix}.attention.output"
        state = norm(state + linear(context, f"{output}.dense"), f"{output}.LayerNorm")
        inner = linear(state, f"{prefix}.intermediate.dense")
        inner = inner * 0.5 * (1 + np.vectorize(math.erf)(inner / math.sqrt(2)))
        state = norm(state + linear(inner, f"{prefix}.output.dense"), f"{prefix}.output.LayerNorm")
    return state
