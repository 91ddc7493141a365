"""The encoder's weights as arrays, named as Hugging Face's `BertModel` names them.

The names (`i` counts layers from 0; linear matrices are [outputs, inputs]):

- `embeddings.word_embeddings.weight`, `embeddings.position_embeddings.weight`,
  `embeddings.token_type_embeddings.weight`, `embeddings.LayerNorm.weight`/`.bias`
- `encoder.layer.{i}.attention.self.query`/`key`/`value` `.weight`/`.bias`
- `encoder.layer.{i}.attention.output.dense.*`, `encoder.layer.{i}.attention.output.LayerNorm.*`
- `encoder.layer.{i}.intermediate.dense.*`, `encoder.layer.{i}.output.dense.*`,
  `encoder.layer.{i}.output.LayerNorm.*`
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from models.e5_pack import E5Pack, PackedMatrix

__all__ = [
    "WORD_TABLE",
    "EncoderWeights",
    "Floats",
    "layer_linears",
    "read_folder_weights",
    "read_pack_weights",
]

Floats = npt.NDArray[np.float32]

WORD_TABLE = "embeddings.word_embeddings.weight"

_PACK_LINEARS = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "fi": "intermediate.dense",
    "fo": "output.dense",
}
_PACK_NORMS = {"aln": "attention.output.LayerNorm", "oln": "output.LayerNorm"}


@dataclass(frozen=True)
class EncoderWeights:
    """Everything a graph is built from.

    `tensors` maps the module's names to float32 arrays. `packed` holds matrices that the source keeps in
    4-bit blocks: the word table is then there alone (as float32 it is 384 MB), and each linear matrix is
    there besides its float32 form, so that a graph can keep the exact blocks. Whoever changes a matrix in
    `tensors` uses `replaced`, which forgets the block form.
    """

    tensors: Mapping[str, Floats]
    layers: int
    heads: int
    layer_norm_epsilon: float
    packed: Mapping[str, PackedMatrix] = field(default_factory=dict)

    @property
    def hidden(self) -> int:
        """The width of a token state, and of the embedding."""
        return int(self.tensors["embeddings.LayerNorm.weight"].shape[0])

    def replaced(self, changed: Mapping[str, Floats]) -> EncoderWeights:
        """The same weights with some tensors changed. Raises `KeyError` for a name that is not there."""
        unknown = [name for name in changed if name not in self.tensors and name not in self.packed]
        if unknown:
            raise KeyError(f"no such encoder tensor: {', '.join(unknown)}")
        kept = {name: matrix for name, matrix in self.packed.items() if name not in changed}
        return EncoderWeights({**self.tensors, **changed}, self.layers, self.heads, self.layer_norm_epsilon, kept)

    def as_float32(self) -> dict[str, Floats]:
        """Every tensor as float32, the word table too (384 MB for this model): what training starts from."""
        return {**{name: matrix.unpack() for name, matrix in self.packed.items()}, **self.tensors}


def layer_linears(index: int) -> list[str]:
    """The names, without `.weight` or `.bias`, of one layer's linear maps in the order they are applied."""
    return [f"encoder.layer.{index}.{name}" for name in _PACK_LINEARS.values()]


def read_pack_weights(pack: E5Pack) -> EncoderWeights:
    """The weights of an `E5S1` pack; linear matrices dequantised to float32 (about 85 MB)."""
    hidden = pack.hidden
    tensors: dict[str, Floats] = {
        "embeddings.position_embeddings.weight": pack.vector("emb.pos").reshape(pack.positions, hidden),
        "embeddings.token_type_embeddings.weight": pack.vector("emb.type").reshape(pack.token_types, hidden),
        "embeddings.LayerNorm.weight": pack.vector("emb.ln.w"),
        "embeddings.LayerNorm.bias": pack.vector("emb.ln.b"),
    }
    packed = {WORD_TABLE: pack.matrix("emb.word", hidden)}
    for index in range(pack.layers):
        for short, long in _PACK_LINEARS.items():
            name = f"encoder.layer.{index}.{long}"
            matrix = pack.matrix(f"l{index}.{short}.w", pack.inner if short == "fo" else hidden)
            packed[f"{name}.weight"] = matrix
            tensors[f"{name}.weight"] = matrix.unpack()
            tensors[f"{name}.bias"] = pack.vector(f"l{index}.{short}.b")
        for short, long in _PACK_NORMS.items():
            tensors[f"encoder.layer.{index}.{long}.weight"] = pack.vector(f"l{index}.{short}.w")
            tensors[f"encoder.layer.{index}.{long}.bias"] = pack.vector(f"l{index}.{short}.b")
    return EncoderWeights(tensors, pack.layers, pack.heads, pack.layer_norm_epsilon, packed)


def read_folder_weights(folder: Path) -> EncoderWeights:
    """The weights of a Hugging Face folder: `config.json` (model type bert) and `model.safetensors`.

    Raises `ImportError` when `safetensors` is not installed, `OSError` for a missing file, and `ValueError`
    when the configuration is of another architecture or a tensor is missing.
    """
    from safetensors.numpy import load_file

    config = json.loads((folder / "config.json").read_text("utf-8"))
    if config.get("model_type") != "bert" or config.get("hidden_act", "gelu") != "gelu":
        raise ValueError(f"model type {config.get('model_type')!r} is not a BERT encoder with erf GELU")
    raw = load_file(folder / "model.safetensors")
    tensors = {
        name.removeprefix("bert."): np.asarray(value, np.float32)
        for name, value in raw.items()
        if "position_ids" not in name and "pooler" not in name
    }
    layers = int(config["num_hidden_layers"])
    wanted = [WORD_TABLE, "embeddings.position_embeddings.weight", "embeddings.LayerNorm.weight"]
    wanted += [f"{name}.weight" for index in range(layers) for name in layer_linears(index)]
    missing = [name for name in wanted if name not in tensors]
    if missing:
        raise ValueError(f"tensor {missing[0]} is missing from model.safetensors")
    return EncoderWeights(tensors, layers, int(config["num_attention_heads"]), float(config["layer_norm_eps"]))
