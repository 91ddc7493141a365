"""Finds how far the inputs of the encoder's linear maps reach, which `int8` is built from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import resources
from typing import Any

import numpy as np

from models.encoder_graph import build_graph
from models.encoder_weights import EncoderWeights, Floats
from models.quantize import round_up_ranges

__all__ = ["calibrate", "calibration_texts"]


def calibration_texts() -> list[str]:
    """The utterances of `models/data/calibration.txt`: Russian first, with other scripts, noise and long
    ones."""
    text = resources.files("models").joinpath("data", "calibration.txt").read_text("utf-8")
    return text.splitlines()


def calibrate(weights: EncoderWeights, token_ids: Iterable[Sequence[int]], threads: int = 2) -> dict[str, Floats]:
    """The largest magnitude of each input channel, by linear map, over the given token sequences.

    Runs the fp32 graph of all layers once for every sequence (about 10 ms each on one core). The query, key
    and value maps share an input, named `encoder.layer.{i}.attention.self`.
    """
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 3
    model = build_graph(weights, outputs=(), watch=True)
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    names = [output.name for output in session.get_outputs()]
    ranges: dict[str, Any] = dict.fromkeys(names, np.float32(0))
    for sequence in token_ids:
        ids = np.array([sequence], np.int64)
        states = session.run(names, {"input_ids": ids, "attention_mask": np.ones_like(ids)})
        for name, state in zip(names, states, strict=True):
            ranges[name] = np.maximum(ranges[name], np.abs(state).max(axis=(0, 1)))
    return {name: round_up_ranges(value) for name, value in ranges.items()}
