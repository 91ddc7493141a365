"""The heads' network in torch: the encoder with low-rank adapters, one masked mean pool, four linear heads."""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import Tensor, nn
from torch.nn import functional

from models.encoder_weights import WORD_TABLE, EncoderWeights, layer_linears
from models.heads_labels import ADAPTER, HEAD_OUTPUTS, SCALE

__all__ = ["HeadsNet"]


class _Adapted(nn.Module):  # type: ignore[misc]
    """A frozen linear map plus a low-rank change, `x W' + b + SCALE (x A') B'`; the bias is trained too."""

    def __init__(self, weight: Tensor, bias: Tensor, rank: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(weight, requires_grad=False)
        self.bias = nn.Parameter(bias)
        self.down = nn.Parameter(torch.randn(rank, weight.shape[1]) / weight.shape[1] ** 0.5)
        self.up = nn.Parameter(torch.zeros(weight.shape[0], rank))

    def forward(self, value: Tensor) -> Tensor:
        plain = functional.linear(value, self.weight, self.bias)
        return plain + functional.linear(functional.linear(value, self.down), self.up * SCALE)


class _Layer(nn.Module):  # type: ignore[misc]
    def __init__(self, weights: EncoderWeights, index: int, rank: int, dropout: float) -> None:
        super().__init__()
        self.heads, self.epsilon, self.dropout = weights.heads, weights.layer_norm_epsilon, dropout
        tensors = weights.tensors
        names = layer_linears(index)
        self.query, self.key, self.value, self.output, self.inner, self.outer = (
            _Adapted(torch.tensor(tensors[f"{name}.weight"]), torch.tensor(tensors[f"{name}.bias"]), rank)
            for name in names
        )
        for name, part in (("first", "attention.output"), ("second", "output")):
            prefix = f"encoder.layer.{index}.{part}.LayerNorm"
            setattr(self, f"{name}_weight", nn.Parameter(torch.tensor(tensors[f"{prefix}.weight"])))
            setattr(self, f"{name}_bias", nn.Parameter(torch.tensor(tensors[f"{prefix}.bias"])))

    def forward(self, state: Tensor, mask: Tensor) -> Tensor:
        rows, length, hidden = state.shape
        query, key, value = (
            part(state).view(rows, length, self.heads, -1).transpose(1, 2)
            for part in (self.query, self.key, self.value)
        )
        # No dropout inside attention or on the adapters: it halves the speed here (72 s an epoch against 36).
        mixed = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        mixed = self.output(mixed.transpose(1, 2).reshape(rows, length, hidden))
        state = self.norm("first", state + functional.dropout(mixed, self.dropout, self.training))
        inner = self.outer(functional.gelu(self.inner(state)))
        return self.norm("second", state + functional.dropout(inner, self.dropout, self.training))

    def norm(self, name: str, value: Tensor) -> Tensor:
        weight, bias = getattr(self, f"{name}_weight"), getattr(self, f"{name}_bias")
        return functional.layer_norm(value, value.shape[-1:], weight, bias, self.epsilon)


class HeadsNet(nn.Module):  # type: ignore[misc]
    """The first `layers` layers of the encoder with adapters of `rank`, and the four heads.

    The word table and every large matrix stay frozen; adapters, biases, layer norms and heads are trained.
    `forward` takes ids and mask, int64 [batch, sequence], and gives logits by head name.
    """

    def __init__(self, weights: EncoderWeights, layers: int, rank: int, dropout: float = 0.1) -> None:
        super().__init__()
        table = weights.as_float32()[WORD_TABLE]
        tensors = weights.tensors
        self.words = nn.Embedding.from_pretrained(torch.from_numpy(table), freeze=True)
        positions = tensors["embeddings.position_embeddings.weight"]
        positions = positions + tensors["embeddings.token_type_embeddings.weight"][0]
        self.positions = nn.Parameter(torch.tensor(positions), requires_grad=False)
        self.norm_weight = nn.Parameter(torch.tensor(tensors["embeddings.LayerNorm.weight"]), requires_grad=False)
        self.norm_bias = nn.Parameter(torch.tensor(tensors["embeddings.LayerNorm.bias"]), requires_grad=False)
        self.epsilon, self.dropout = weights.layer_norm_epsilon, dropout
        self.layers = nn.ModuleList(_Layer(weights, index, rank, dropout) for index in range(layers))
        self.heads = nn.ModuleDict({name: nn.Linear(weights.hidden, size) for name, size in HEAD_OUTPUTS.items()})

    def forward(self, ids: Tensor, mask: Tensor) -> dict[str, Tensor]:
        state = self.words(ids) + self.positions[: ids.shape[1]]
        state = functional.layer_norm(state, state.shape[-1:], self.norm_weight, self.norm_bias, self.epsilon)
        state = functional.dropout(state, self.dropout, self.training)
        seen = mask.bool()[:, None, None, :]
        for layer in self.layers:
            state = layer(state, seen)
        state = state.float()
        share = (mask / mask.sum(dim=1, keepdim=True)).unsqueeze(-1)
        pooled = functional.dropout((state * share).sum(dim=1), self.dropout, self.training)
        tokens = functional.dropout(state, self.dropout, self.training)
        return {name: head(tokens if name == "slots" else pooled) for name, head in self.heads.items()}

    def trained(self) -> Iterator[tuple[str, Tensor]]:
        """What is saved, under the artefact's names: adapters, biases, norms, heads."""
        for index, layer in enumerate(self.layers):
            assert isinstance(layer, _Layer)
            parts = (layer.query, layer.key, layer.value, layer.output, layer.inner, layer.outer)
            for name, part in zip(layer_linears(index), parts, strict=True):
                yield f"{name}.{ADAPTER}_down", part.down
                yield f"{name}.{ADAPTER}_up", part.up
                yield f"{name}.bias", part.bias
            for name, place in (("first", "attention.output"), ("second", "output")):
                yield f"encoder.layer.{index}.{place}.LayerNorm.weight", getattr(layer, f"{name}_weight")
                yield f"encoder.layer.{index}.{place}.LayerNorm.bias", getattr(layer, f"{name}_bias")
        for name, head in self.heads.items():
            yield f"head.{name}.weight", head.weight
            yield f"head.{name}.bias", head.bias
