"""Turns texts into unit vectors with a converted encoder, on ONNX Runtime."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from tokenizers import Tokenizer

from models.artifacts import EncoderArtifact

__all__ = ["MAX_TOKENS", "Encoder", "Kind"]

Kind = Literal["query", "passage"]

MAX_TOKENS = 512
"""Positions the model has, `<s>` and `</s>` included. What goes beyond is cut off at the end."""

_PAD = 1
_ROWS = 32
_TOKENS = 4096
"""Padded tokens in one run at most: activations of 4,096 tokens take about 60 MB."""


class Encoder:
    """multilingual-e5-small: text to a float32 vector of norm 1, whose dot product is the cosine.

    A blank text (nothing is left of it after the normaliser: spaces, control and zero-width characters) has
    the zero vector, so its cosine with everything is 0; the model itself would give it a vector near to any
    short text. A vector does not depend on what else is in the call (differences stay under 1e-4).

    `encode` may be called from several threads at once. `device` is `cpu`, `cuda`, or `auto`, which takes
    CUDA when ONNX Runtime has it and the artefact is fp32 (the other precisions have no CUDA kernels).
    `threads` counts the threads of one run; `spinning` keeps them busy between runs: quicker on idle cores,
    harmful on shared ones.

    Raises `ValueError` when `device` is `cuda` and there is none, and ONNX Runtime's own errors for a file it
    cannot load.
    """

    def __init__(
        self,
        artifact: EncoderArtifact,
        *,
        threads: int = 2,
        spinning: bool = False,
        device: Literal["auto", "cpu", "cuda"] = "auto",
    ) -> None:
        import onnxruntime

        self.id = artifact.id
        self.dim = artifact.dim
        self.precision = artifact.precision
        available = onnxruntime.get_available_providers()
        cuda = "CUDAExecutionProvider" in available and artifact.precision == "fp32" and device != "cpu"
        if device == "cuda" and not cuda:
            raise ValueError(f"no CUDA for {artifact.id}: providers are {', '.join(available)}, fp32 is needed")
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        options.add_session_config_entry("session.intra_op.allow_spinning", "1" if spinning else "0")
        providers = ["CUDAExecutionProvider"] * cuda + ["CPUExecutionProvider"]
        self._session: Any = onnxruntime.InferenceSession(str(artifact.model_path), options, providers=providers)
        self.providers: list[str] = self._session.get_providers()
        self._tokenizer = Tokenizer.from_file(str(artifact.tokenizer_path))
        self._tokenizer.enable_truncation(MAX_TOKENS)
        self._blank = {kind: self._tokenizer.encode(f"{kind}: ").ids for kind in ("query", "passage")}

    def token_ids(self, text: str, kind: Kind = "query") -> list[int]:
        """The ids the model is given: the prefix `query: ` or `passage: ` and the text, 512 at most.

        A lone surrogate, which UTF-8 cannot carry, is read as `?`.
        """
        clean = text.encode("utf-8", "replace").decode("utf-8")
        ids: list[int] = self._tokenizer.encode(f"{kind}: {clean}").ids
        return ids

    def encode(self, texts: Sequence[str], kind: Kind = "query") -> npt.NDArray[np.float32]:
        """The vectors of `texts`, float32 [len(texts), dim], in order.

        `kind` is `query` for what is asked and for symmetric comparison, `passage` for what is searched (the
        model card's rule). Texts of like length run together, so that little is padded. Raises `TypeError`
        when given a bare string.
        """
        if isinstance(texts, str):
            raise TypeError("encode takes a sequence of texts, not one string")
        vectors = np.zeros((len(texts), self.dim), np.float32)
        sequences = [self.token_ids(text, kind) for text in texts]
        places = [k for k, ids in enumerate(sequences) if ids != self._blank[kind]]
        places.sort(key=lambda k: len(sequences[k]))
        for batch in _batches(places, [len(ids) for ids in sequences]):
            vectors[batch] = self._run([sequences[k] for k in batch])
        return vectors

    def _run(self, sequences: Sequence[Sequence[int]]) -> npt.NDArray[np.float32]:
        shape = (len(sequences), max(map(len, sequences)))
        ids = np.full(shape, _PAD, np.int64)
        mask = np.zeros(shape, np.int64)
        for row, sequence in enumerate(sequences):
            ids[row, : len(sequence)] = sequence
            mask[row, : len(sequence)] = 1
        (vectors,) = self._session.run(["embedding"], {"input_ids": ids, "attention_mask": mask})
        result: npt.NDArray[np.float32] = vectors
        return result


def _batches(places: Sequence[int], lengths: Sequence[int]) -> Iterator[list[int]]:
    """Cuts places, sorted by length, where a longer text would pad the others by more than a quarter."""
    batch: list[int] = []
    for place in places:
        longest = lengths[place]
        if batch and (
            len(batch) == _ROWS or longest * (len(batch) + 1) > _TOKENS or longest > lengths[batch[0]] * 1.25 + 4
        ):
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch
