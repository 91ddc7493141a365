"""How the encoder's matrices and activations become eight-bit numbers.

Two schemes, both with results that do not depend on what else is in a batch:

- `int8`: weights int8, one scale an output; activations uint8 around 128, one scale for a whole tensor where
  a layer norm bounds them, one scale a row (a token) elsewhere. Ranges are evened out first by moving a
  factor a channel from activations into weights (SmoothQuant, arXiv 2211.10438).
- `block8`: weights in blocks of 32, the pack's own 4 bits where they are known and 8 bits elsewhere; ONNX
  Runtime's `MatMulNBits` quantises activations itself, a scale for 32 of a row.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from models.e5_pack import BLOCK, PackedMatrix
from models.encoder_weights import Floats

__all__ = [
    "BlockMatrix",
    "Int8Matrix",
    "Precision",
    "block_matrix",
    "int8_matrix",
    "interleave",
    "round_up_ranges",
    "smoothing",
]

Precision = Literal["fp32", "int8", "block8"]
"""What the linear maps compute in: float32, or one of the two schemes above."""

SMOOTHING_POWER = 0.65
"""Share of a channel's range that moves into the weights. Of 0, 0.5, 0.65 and 0.8 this one came nearest to
fp32 on 163 utterances, Russian, English and odd, with a scale a row everywhere (mean cosine 0.9990, 0.9996,
0.9997 and 0.9996)."""

_INT8_MAX = 127
_FLOOR = 1e-5


@dataclass(frozen=True)
class Int8Matrix:
    """An int8 matrix [inputs, outputs] and its float32 scale an output: weight = value * scale."""

    values: npt.NDArray[np.int8]
    scales: Floats


@dataclass(frozen=True)
class BlockMatrix:
    """What `MatMulNBits` takes: bytes [outputs, blocks, block bytes], float32 scales [outputs, blocks], the
    bits."""

    values: npt.NDArray[np.uint8]
    scales: Floats
    bits: int


def round_up_ranges(ranges: Floats) -> Floats:
    """Ranges moved up to the next of 16 steps an octave.

    Two machines' float arithmetic differs in the last bits; on a grid both come to the same int8 weights.
    """
    rounded: Floats = np.exp2(np.ceil(np.log2(np.maximum(ranges, _FLOOR)) * 16) / 16).astype(np.float32)
    return rounded


def smoothing(activation_ranges: Floats, weights: Floats) -> Floats:
    """The factor for each input channel that divides activations and multiplies weights [inputs, outputs].

    Its geometric mean is 1.
    """
    weight_ranges = np.maximum(np.abs(weights).max(axis=1), _FLOOR)
    factors = np.maximum(activation_ranges, _FLOOR) ** SMOOTHING_POWER / weight_ranges ** (1 - SMOOTHING_POWER)
    result: Floats = (factors / np.exp(np.log(factors).mean())).astype(np.float32)
    return result


def int8_matrix(weights: Floats) -> Int8Matrix:
    """Quantises [inputs, outputs] with one symmetric scale an output."""
    scales = np.maximum(np.abs(weights).max(axis=0), 1e-12) / _INT8_MAX
    values = np.clip(np.rint(weights / scales), -_INT8_MAX, _INT8_MAX).astype(np.int8)
    return Int8Matrix(values, scales.astype(np.float32))


def block_matrix(weights: Floats, packed: PackedMatrix | None) -> BlockMatrix:
    """Blocks of 32 of a matrix [outputs, inputs]: exactly the pack's 4 bits when given, else 8 bits."""
    outputs = weights.shape[0]
    if packed is not None:
        return BlockMatrix(interleave(packed), packed.scales.astype(np.float32), 4)
    blocks = weights.reshape(outputs, -1, BLOCK)
    scales = np.maximum(np.abs(blocks).max(axis=-1), 1e-12) / _INT8_MAX
    values = (np.rint(blocks / scales[..., None]) + 128).astype(np.uint8)
    return BlockMatrix(values, scales.astype(np.float32), 8)


def interleave(packed: PackedMatrix) -> npt.NDArray[np.uint8]:
    """The pack's nibbles with neighbours in one byte, low half first: uint8 [rows, blocks, 16].

    The pack puts weights j and j + 16 of a block into byte j; ONNX Runtime puts 2j and 2j + 1 there.
    """
    rows, blocks = packed.scales.shape
    halves = packed.nibbles.reshape(rows, blocks, BLOCK // 2)
    single = np.concatenate([halves & 15, halves >> 4], axis=-1)
    joined: npt.NDArray[np.uint8] = single[..., 0::2] | (single[..., 1::2] << 4)
    return joined
