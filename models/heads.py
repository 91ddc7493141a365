"""Reads an utterance with the routing heads: intent, destination, clarify and slots off one forward pass."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from models.heads_labels import (
    DESTINATIONS,
    HEAD_OUTPUTS,
    INTENTS,
    MODEL_FILE,
    Words,
    read_spans,
    tokenise,
)
from routing.decision import Claim, Decision, Intent, Outcome, Slots, Source, Span, StageName, clarify

if TYPE_CHECKING:
    from routing.context import Context
    from routing.text import Utterance

__all__ = [
    "CLAIMANT",
    "HeadsConfigError",
    "HeadsReading",
    "HeadsStage",
    "RouterHeads",
    "load_heads",
    "resolve_heads_path",
]

CLAIMANT = "heads"
_PAD = 1
_ROWS = 32

_log = logging.getLogger(__name__)


class HeadsConfigError(ValueError):
    """`models.heads.path` names a file that works but has another role. One line, for a person at start."""


@dataclass(frozen=True, slots=True)
class HeadsReading:
    """What the heads say of one utterance.

    Probabilities are in 0..1 and calibrated: temperatures were fitted on the development split. `destination`
    means something on `query` alone. `slots` are character ranges of the text as it was given.
    """

    intent: Intent
    intent_probs: Mapping[Intent, float]
    destination: Source
    destination_probs: Mapping[Source, float]
    clarify: float
    slots: Mapping[str, Span]

    @property
    def confidence(self) -> float:
        """The largest intent probability."""
        return self.intent_probs[self.intent]


class RouterHeads:
    """The heads of `router_heads.onnx`, on ONNX Runtime.

    `path` lies in an artefact's folder, beside `tokenizer.json` and `manifest.json`. `predict` may be called
    from several threads and releases the GIL while it computes. `threads` and `spinning` are as in `Encoder`.

    Raises `OSError`, `ValueError` or `KeyError` for a folder that is not such an artefact, and ONNX Runtime's
    own errors for a graph it cannot load; `load_heads` turns them all into a logged reason.
    """

    def __init__(self, path: Path, *, threads: int = 2, spinning: bool = False, device: str = "auto") -> None:
        import onnxruntime
        from tokenizers import Tokenizer

        manifest = json.loads((path.parent / "manifest.json").read_text("utf-8"))
        expected = {"intent": [i.value for i in INTENTS], "destination": [s.value for s in DESTINATIONS]}
        for name, labels in expected.items():
            if manifest["labels"][name] != labels:
                raise ValueError(f"{path.name} was trained with other {name} labels")
        self.id: str = manifest["id"]
        self.precision: str = manifest["precision"]
        self.intent_threshold = float(manifest["thresholds"]["intent"])
        self.clarify_threshold = float(manifest["thresholds"]["clarify"])
        self._temperatures = {name: float(value) for name, value in manifest["temperatures"].items()}
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        options.add_session_config_entry("session.intra_op.allow_spinning", "1" if spinning else "0")
        available = onnxruntime.get_available_providers()
        cuda = "CUDAExecutionProvider" in available and self.precision == "fp32" and device != "cpu"
        providers = ["CUDAExecutionProvider"] * cuda + ["CPUExecutionProvider"]
        self._session: Any = onnxruntime.InferenceSession(str(path), options, providers=providers)
        outputs = {output.name for output in self._session.get_outputs()}
        if not HEAD_OUTPUTS.keys() <= outputs:
            raise ValueError(f"{path.name} lacks the output {min(HEAD_OUTPUTS.keys() - outputs)}")
        self._tokenizer = Tokenizer.from_file(str(path.parent / "tokenizer.json"))

    def predict(self, texts: Sequence[str]) -> list[HeadsReading]:
        """The readings of `texts`, in order. A text without a word in it reads as clarify 1.0.

        Raises `TypeError` when given a bare string.
        """
        if isinstance(texts, str):
            raise TypeError("predict takes a sequence of texts, not one string")
        words = [tokenise(self._tokenizer, text) for text in texts]
        # Texts of like length run together, so that little is padded.
        order = sorted(range(len(texts)), key=lambda k: len(words[k].ids))
        found: dict[int, HeadsReading] = {}
        for start in range(0, len(order), _ROWS):
            places = order[start : start + _ROWS]
            outputs = self._run([words[k] for k in places])
            for row, k in enumerate(places):
                found[k] = self._reading(words[k], {name: outputs[name][row] for name in HEAD_OUTPUTS})
        return [found[k] for k in range(len(texts))]

    def token_ids(self, text: str) -> list[int]:
        """The ids that the graph is given."""
        return tokenise(self._tokenizer, text).ids

    def _run(self, words: Sequence[Words]) -> dict[str, npt.NDArray[np.float32]]:
        shape = (len(words), max(len(w.ids) for w in words))
        ids = np.full(shape, _PAD, np.int64)
        mask = np.zeros(shape, np.int64)
        for row, w in enumerate(words):
            ids[row, : len(w.ids)] = w.ids
            mask[row, : len(w.ids)] = 1
        names = list(HEAD_OUTPUTS)
        values = self._session.run(names, {"input_ids": ids, "attention_mask": mask})
        return dict(zip(names, values, strict=True))

    def _reading(self, words: Words, logits: Mapping[str, npt.NDArray[np.float32]]) -> HeadsReading:
        intents = _softmax(logits["intent"], self._temperatures["intent"])
        destinations = _softmax(logits["destination"], self._temperatures.get("destination", 1.0))
        asks = float(1 / (1 + np.exp(-float(logits["clarify"][0]) / self._temperatures["clarify"])))
        return HeadsReading(
            intent=INTENTS[int(intents.argmax())],
            intent_probs=dict(zip(INTENTS, intents.tolist(), strict=True)),
            destination=DESTINATIONS[int(destinations.argmax())],
            destination_probs=dict(zip(DESTINATIONS, destinations.tolist(), strict=True)),
            clarify=asks if words.words else 1.0,
            slots=read_spans(words.words, _softmax(logits["slots"][words.first])),
        )


def _softmax(logits: npt.NDArray[np.float32], temperature: float = 1.0) -> npt.NDArray[np.float32]:
    raised = np.exp((logits - logits.max(axis=-1, keepdims=True)) / temperature)
    result: npt.NDArray[np.float32] = raised / raised.sum(axis=-1, keepdims=True)
    return result


def resolve_heads_path(setting: str | Path | None, encoder_path: Path | None) -> Path | None:
    """The heads' file, or None for no heads: the setting is empty, or the file is not there.

    The setting is `router_heads.onnx` itself or the artefact's folder.

    Raises `HeadsConfigError` when it is the embedder's own file, through links too. The heads would then score
    with the graph that recall scores with, and recall would degrade without a line in any log.
    """
    if setting is None or not str(setting).strip():
        return None
    path = Path(setting).expanduser()
    if path.is_dir():
        path /= MODEL_FILE
    if not path.exists():
        return None
    if encoder_path is not None and encoder_path.exists() and os.path.samefile(path, encoder_path):
        raise HeadsConfigError(
            f"models.heads.path {path} is the embedder's own file ({encoder_path}): the heads need "
            "router_heads.onnx, or an empty path for none"
        )
    return path


def load_heads(
    setting: str | Path | None,
    encoder_path: Path | None,
    *,
    threads: int = 2,
    spinning: bool = False,
    on_unloadable: Callable[[str], None] = lambda reason: None,
) -> RouterHeads | None:
    """The heads that the setting names, or None: the heads are an accelerator, so a bad file ends no start.

    A file that does not load is logged, and `on_unloadable` gets the reason (to count it). Raises
    `HeadsConfigError` as `resolve_heads_path` does.
    """
    path = resolve_heads_path(setting, encoder_path)
    if path is None:
        if setting is not None and str(setting).strip():
            _log.info("no routing heads: %s is not there", setting)
        return None
    try:
        return RouterHeads(path, threads=threads, spinning=spinning)
    except Exception as error:  # ONNX Runtime and tokenizers raise bare Exception subclasses
        reason = f"{type(error).__name__}: {(str(error).splitlines() or [''])[0]}"
        _log.warning("the routing heads at %s do not load: %s", path, reason)
        on_unloadable(reason)
        return None


class HeadsStage:
    """Stage 0b. `predict` gives one reading a text; it may run here or in another process.

    The clarify head decides first: it answers a different question, and a thin utterance scores a low intent by
    construction, so the threshold would take most of its cases (6 of 8 in the reference). Then the intent
    threshold, then the destination, on `query` alone. An error of `predict` is the caller's to catch: the
    cascade makes a failed claim of it.
    """

    name = CLAIMANT
    stage = StageName.HEADS

    def __init__(
        self,
        predict: Callable[[list[str]], Awaitable[Sequence[HeadsReading]]],
        *,
        intent_threshold: float,
        clarify_threshold: float,
    ) -> None:
        self._predict = predict
        self.intent_threshold = intent_threshold
        self.clarify_threshold = clarify_threshold

    async def decide(self, utterance: Utterance, context: Context) -> Claim | None:
        """A claim that takes the turn (`WON`), or one that says what the heads would have made of it."""
        reading = (await self._predict([utterance.raw]))[0]
        return self.claim(utterance.raw, reading)

    def claim(self, text: str, reading: HeadsReading) -> Claim:
        """The reading rule alone."""
        details = {
            "intent": reading.intent.value,
            "intent_probability": round(reading.confidence, 4),
            "clarify_probability": round(reading.clarify, 4),
        }
        if reading.clarify >= self.clarify_threshold:
            asked = clarify("heads-clarify", stage=StageName.HEADS, claimant=CLAIMANT, confidence=reading.clarify)
            return Claim(CLAIMANT, asked, reading.clarify, details=details)
        source = reading.destination if reading.intent is Intent.QUERY else Source.UNKNOWN
        if reading.intent is Intent.QUERY:
            details |= {"destination_probability": round(reading.destination_probs[source], 4)}
        decision = Decision(
            intent=reading.intent,
            source=source,
            slots=Slots.of(text, reading.slots),
            stage=StageName.HEADS,
            claimant=CLAIMANT,
            confidence=reading.confidence,
        )
        if reading.confidence < self.intent_threshold:
            return Claim(CLAIMANT, decision, reading.confidence, Outcome.OUTSCORED, "below-threshold", details)
        return Claim(CLAIMANT, decision, reading.confidence, details=details)
