"""Builds the encoder's ONNX graph from its weights, with `numpy` and `onnx` alone.

The graph takes `input_ids` and `attention_mask`, int64 [batch, sequence], and follows BERT: word + position +
type 0, layer norm, then layers of attention and erf-GELU feed-forward with a layer norm after each residual.
It uses ONNX Runtime's own fused operators (domain `com.microsoft`), so it runs there and nowhere else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from models.e5_pack import BLOCK
from models.encoder_weights import WORD_TABLE, EncoderWeights, Floats
from models.quantize import Precision, block_matrix, int8_matrix, interleave, smoothing

__all__ = ["LinearHead", "Precision", "build_graph"]

_CONTRIB = "com.microsoft"
_OPSET = 20
_IR_VERSION = 10
_ATTENTION = "attention.self"


@dataclass(frozen=True)
class LinearHead:
    """A linear map on top of the encoder, given as an output of its own.

    `over` says on what: `pooled` (the masked mean before normalisation; output [batch, n]), `embedding`
    (after it) or `tokens` (each token's last state; output [batch, sequence, n]). `weight` is [n, hidden],
    `bias` [n]; the output is logits.
    """

    name: str
    over: Literal["pooled", "embedding", "tokens"]
    weight: Floats
    bias: Floats


class _Graph:
    """Nodes and constants, with names made up on the way."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.constants: dict[str, Any] = {}
        self.count = 0

    def constant(self, name: str, value: Any) -> str:
        if name not in self.constants:
            self.constants[name] = numpy_helper.from_array(np.ascontiguousarray(value), name)
        return name

    def axis(self, axis: int) -> str:
        return self.constant(f"axis.{axis}", np.array([axis], np.int64))

    def several(self, operator: str, inputs: Sequence[str], outputs: int, **attributes: Any) -> list[str]:
        self.count += 1
        names = [f"{operator}.{self.count}.{k}" for k in range(outputs)]
        self.nodes.append(helper.make_node(operator, inputs, names, name=f"{operator}.{self.count}", **attributes))
        return names

    def add(self, operator: str, *inputs: str, **attributes: Any) -> str:
        return self.several(operator, inputs, 1, **attributes)[0]

    def contrib(self, operator: str, *inputs: str, **attributes: Any) -> str:
        return self.add(operator, *inputs, domain=_CONTRIB, **attributes)


class _Builder:
    def __init__(
        self, weights: EncoderWeights, precision: Precision, calibration: Mapping[str, Floats], watch: bool
    ) -> None:
        self.weights = weights
        self.precision = precision
        self.calibration = calibration
        self.watched: dict[str, str] | None = {} if watch else None
        self.graph = _Graph()

    def tensor(self, name: str) -> Floats:
        return self.weights.tensors[name]

    def embed(self) -> str:
        graph = self.graph
        positions = self.tensor("embeddings.position_embeddings.weight")
        # The type is always 0, so its vector is part of every position's.
        positions = positions + self.tensor("embeddings.token_type_embeddings.weight")[0]
        length = graph.add("Shape", "input_ids", start=1, end=2)
        zero = graph.axis(0)
        position = graph.add("Slice", graph.constant("positions", positions), zero, length, zero)
        return graph.add(
            "LayerNormalization",
            graph.add("Add", self.words(), position),
            graph.constant("embeddings.norm.weight", self.tensor("embeddings.LayerNorm.weight")),
            graph.constant("embeddings.norm.bias", self.tensor("embeddings.LayerNorm.bias")),
            axis=-1,
            epsilon=self.weights.layer_norm_epsilon,
        )

    def words(self) -> str:
        graph = self.graph
        packed = self.weights.packed.get(WORD_TABLE)
        if packed is None:
            # Half precision rounds by 5e-4 of a weight and halves 384 MB.
            table = graph.constant("words", self.tensor(WORD_TABLE).astype(np.float16))
            return graph.add("Cast", graph.add("Gather", table, "input_ids"), to=TensorProto.FLOAT)
        # A byte's two weights are looked up rather than shifted out: CUDA has no kernel for BitShift.
        pairs = np.stack([np.arange(256) & 15, np.arange(256) >> 4], axis=1).astype(np.float32) - 8
        blocks = packed.scales.shape[1]
        codes = graph.add("Gather", graph.constant("words", interleave(packed)), "input_ids")
        values = graph.add("Gather", graph.constant("nibbles", pairs), graph.add("Cast", codes, to=TensorProto.INT32))
        shape = graph.constant("shape.blocks", np.array([0, 0, blocks, BLOCK], np.int64))
        values = graph.add("Reshape", values, shape)
        scales = graph.add("Gather", graph.constant("words.scales", packed.scales[..., None]), "input_ids")
        values = graph.add("Mul", values, graph.add("Cast", scales, to=TensorProto.FLOAT))
        return graph.add("Reshape", values, graph.constant("shape.hidden", np.array([0, 0, blocks * BLOCK], np.int64)))

    def layer(self, state: str, index: int, mask: str) -> str:
        prefix = f"encoder.layer.{index}"
        graph = self.graph
        context = self.attention(state, prefix, mask)
        projected = self.linear(context, f"{prefix}.attention.output.dense", by_row=True)
        state = self.residual(projected, state, prefix + ".attention.output")
        inner = self.linear(state, f"{prefix}.intermediate.dense", by_row=False)
        bias = graph.constant(f"{prefix}.intermediate.bias", self.tensor(f"{prefix}.intermediate.dense.bias"))
        inner = graph.contrib("BiasGelu", inner, bias)
        return self.residual(self.linear(inner, f"{prefix}.output.dense", by_row=True), state, prefix + ".output")

    def residual(self, update: str, state: str, prefix: str) -> str:
        return self.graph.contrib(
            "SkipLayerNormalization",
            update,
            state,
            self.graph.constant(f"{prefix}.norm.weight", self.tensor(f"{prefix}.LayerNorm.weight")),
            self.graph.constant(f"{prefix}.norm.bias", self.tensor(f"{prefix}.LayerNorm.bias")),
            self.graph.constant(f"{prefix}.bias", self.tensor(f"{prefix}.dense.bias")),
            epsilon=self.weights.layer_norm_epsilon,
        )

    def attention(self, state: str, prefix: str, mask: str) -> str:
        graph = self.graph
        name = f"{prefix}.{_ATTENTION}"
        parts = [f"{name}.{part}" for part in ("query", "key", "value")]
        matrix = np.concatenate([self.tensor(f"{part}.weight") for part in parts])
        bias = np.concatenate([self.tensor(f"{part}.bias") for part in parts])
        heads = self.weights.heads
        if self.precision == "fp32":
            self.watch(name, state)
            weight = graph.constant(f"{name}.weight", matrix.T)
            return graph.contrib(
                "Attention", state, weight, graph.constant(f"{name}.bias", bias), mask, num_heads=heads
            )
        if self.precision == "int8":
            # The factor that the next matrix wants on its input passes through attention's weighted sum of
            # values, so it is folded in here for nothing.
            own = smoothing(self.calibration[name], matrix.T)
            factor = self.factor(f"{prefix}.attention.output.dense")
            values = slice(2 * self.weights.hidden, None)
            matrix[values] /= factor[:, None]
            bias[values] /= factor
            joined = self.int8_tensor(state, name, matrix.T, own)
        else:
            joined = self.blocks(state, name, parts, matrix)
        joined = graph.add("Add", joined, graph.constant(f"{name}.bias", bias))
        query, key, value = graph.several("Split", [joined], 3, axis=-1, num_outputs=3)
        return graph.contrib("MultiHeadAttention", query, key, value, "", mask, num_heads=heads)

    def linear(self, value: str, name: str, by_row: bool) -> str:
        """The product without the bias, which the operator after it adds."""
        weight = self.tensor(f"{name}.weight")
        if self.precision == "fp32":
            self.watch(name, value)
            return self.graph.add("MatMul", value, self.graph.constant(f"{name}.weight", weight.T))
        if self.precision == "block8":
            return self.blocks(value, name, [name], weight)
        if by_row:
            return self.int8_rows(value, name, weight.T, smoothed=name.endswith(".attention.output.dense"))
        return self.int8_tensor(value, name, weight.T, self.factor(name))

    def watch(self, name: str, value: str) -> None:
        if self.watched is not None:
            self.watched[name] = value

    def factor(self, name: str) -> Floats:
        return smoothing(self.calibration[name], self.tensor(f"{name}.weight").T)

    def int8_tensor(self, value: str, name: str, matrix: Floats, factor: Floats) -> str:
        """One scale for the whole input: it comes out of a layer norm, so calibration bounds it."""
        graph = self.graph
        ranges = self.calibration[name]
        value = graph.add("Mul", value, graph.constant(f"{name}.smooth", 1 / factor))
        step = graph.constant(f"{name}.step", np.float32((ranges / factor).max() / 127))
        return self.int8_product(value, name, matrix * factor[:, None], step)

    def int8_rows(self, value: str, name: str, matrix: Floats, smoothed: bool) -> str:
        """One scale a token: after GELU or attention a few tokens reach a hundred times further than most."""
        graph = self.graph
        factor = self.factor(name)
        if not smoothed:
            value = graph.add("Mul", value, graph.constant(f"{name}.smooth", 1 / factor))
        reach = graph.add("ReduceMax", graph.add("Abs", value), graph.axis(-1), keepdims=1)
        reach = graph.add("Max", reach, graph.constant("tiny", np.float32(1e-6)))
        step = graph.add("Mul", reach, graph.constant("one.of.127", np.float32(1 / 127)))
        one = graph.constant("one", np.float32(1))
        product = self.int8_product(graph.add("Div", value, step), name, matrix * factor[:, None], one)
        return graph.add("Mul", product, step)

    def int8_product(self, value: str, name: str, matrix: Floats, step: str) -> str:
        graph = self.graph
        quantised = int8_matrix(matrix)
        middle = graph.constant("middle", np.uint8(128))
        return graph.contrib(
            "MatMulIntegerToFloat",
            graph.add("QuantizeLinear", value, step, middle),
            graph.constant(f"{name}.weight", quantised.values),
            step,
            graph.constant(f"{name}.scales", quantised.scales),
            middle,
        )

    def blocks(self, value: str, name: str, parts: Sequence[str], matrix: Floats) -> str:
        graph = self.graph
        packs = [self.weights.packed.get(f"{part}.weight") for part in parts]
        known = all(pack is not None for pack in packs)
        matrices = [
            block_matrix(piece, pack if known else None)
            for piece, pack in zip(np.split(matrix, len(parts)), packs, strict=True)
        ]
        return graph.contrib(
            "MatMulNBits",
            value,
            graph.constant(f"{name}.weight", np.concatenate([m.values for m in matrices])),
            graph.constant(f"{name}.scales", np.concatenate([m.scales for m in matrices])),
            N=matrix.shape[0],
            K=matrix.shape[1],
            bits=matrices[0].bits,
            block_size=BLOCK,
            accuracy_level=4,  # quantise activations to int8
        )

    def pooled(self, state: str) -> str:
        graph = self.graph
        mask = graph.add("Cast", "attention_mask", to=TensorProto.FLOAT)
        count = graph.add("ReduceSum", mask, graph.axis(1), keepdims=1)
        count = graph.add("Max", count, graph.constant("one", np.float32(1)))
        share = graph.add("Unsqueeze", graph.add("Div", mask, count), graph.axis(1))
        return graph.add("Squeeze", graph.add("MatMul", share, state), graph.axis(1))

    def normalised(self, pooled: str) -> str:
        graph = self.graph
        norm = graph.add("ReduceL2", pooled, graph.axis(1), keepdims=1)
        return graph.add("Div", pooled, graph.add("Max", norm, graph.constant("tiny", np.float32(1e-6))))


def build_graph(
    weights: EncoderWeights,
    *,
    layers: int | None = None,
    heads: Sequence[LinearHead] = (),
    precision: Precision = "fp32",
    outputs: Sequence[str] = ("embedding",),
    calibration: Mapping[str, Floats] | None = None,
    watch: bool = False,
) -> onnx.ModelProto:
    """The graph of the first `layers` layers (all of them by default) with the named outputs.

    `outputs` are any of `embedding` (float32 [batch, hidden], L2 norm 1), `pooled` (the same before
    normalisation) and `tokens` (float32 [batch, sequence, hidden]); every head adds an output of its own
    name. Head matrices stay float32. `int8` needs `calibration`: the largest magnitude of each input channel
    by linear map, from `models.calibration.calibrate`. `watch` adds those inputs as outputs, to calibrate
    with.

    Raises `ValueError` for an unknown output, a layer count out of range, or `int8` without calibration.
    """
    count = weights.layers if layers is None else layers
    if not 0 < count <= weights.layers:
        raise ValueError(f"{count} layers asked of an encoder that has {weights.layers}")
    if precision == "int8" and calibration is None:
        raise ValueError("int8 needs calibration")
    if watch and precision != "fp32":
        raise ValueError("only the fp32 graph is watched")
    builder = _Builder(weights, precision, calibration or {}, watch)
    graph = builder.graph
    mask = graph.add("Cast", "attention_mask", to=TensorProto.INT32)
    state = builder.embed()
    for index in range(count):
        state = builder.layer(state, index, mask)
    pooled = builder.pooled(state)
    known = {"tokens": state, "pooled": pooled, "embedding": builder.normalised(pooled)}
    unknown = [name for name in outputs if name not in known]
    if unknown:
        raise ValueError(f"unknown output {unknown[0]!r}: known are {', '.join(known)}")
    given = {name: known[name] for name in outputs}
    for head in heads:
        matrix = graph.constant(f"head.{head.name}.weight", head.weight.T.astype(np.float32))
        product = graph.add("MatMul", known[head.over], matrix)
        bias = graph.constant(f"head.{head.name}.bias", head.bias.astype(np.float32))
        given[head.name] = graph.add("Add", product, bias)
    given |= builder.watched or {}
    return _model(graph, given, {"tokens": 3, **{head.name: 3 for head in heads if head.over == "tokens"}})


def _model(graph: _Graph, given: Mapping[str, str], ranks: Mapping[str, int]) -> onnx.ModelProto:
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "sequence"])
        for name in ("input_ids", "attention_mask")
    ]
    nodes = graph.nodes + [helper.make_node("Identity", [value], [name]) for name, value in given.items()]
    results = []
    for name in given:
        rank = 3 if name.startswith("encoder.layer.") else ranks.get(name, 2)
        shape = ["batch", "sequence", None][:: 2 if rank == 2 else 1]
        results.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, shape))
    body = helper.make_graph(nodes, "encoder", inputs, results, list(graph.constants.values()))
    opsets = [helper.make_opsetid("", _OPSET), helper.make_opsetid(_CONTRIB, 1)]
    return helper.make_model(body, opset_imports=opsets, ir_version=_IR_VERSION, producer_name="maven-serve")
