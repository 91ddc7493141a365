"""Builds `router_heads.onnx` out of the encoder's weights and the trained adapters that git holds.

`models/data/heads` holds adapters, biases, norms and heads (float16 safetensors, about 1.5 MB for six
layers) and `heads.json`, which names the base they belong to, the label lists, temperatures and thresholds.
The artefact is a folder under `HOME/models/heads` with the graph, the tokenizer and a manifest.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from models.artifacts import DEFAULT_SOURCE, TOKENIZER_REVISION, ArtifactError, best_precision
from models.heads_labels import (
    ADAPTER,
    DESTINATIONS,
    HEAD_OUTPUTS,
    INTENTS,
    MODEL_FILE,
    SCALE,
    SLOT_TAGS,
    tokenise,
)
from models.quantize import Precision
from models.sources import PACK_SHA256, PackageSource, Source, file_sha256, open_source

if TYPE_CHECKING:
    from models.encoder_weights import EncoderWeights, Floats

__all__ = [
    "MODEL_FILE",
    "TRAINED",
    "HeadsArtifact",
    "base_of",
    "ensure_heads",
    "label_lists",
    "list_heads",
    "merged",
    "verify_heads",
]

TRAINED = Path(__file__).parent / "data" / "heads"
"""What training left: `heads.json` and the safetensors file that it names."""

_TOKENIZER_FILE = "tokenizer.json"
_MANIFEST_FILE = "manifest.json"
_SPACE_NEEDED = 400 << 20

GRAPH_REVISION = 1
"""Raised whenever the same adapters give another graph than before."""


@dataclass(frozen=True)
class HeadsArtifact:
    """Built heads on disk. `base` is the id of the encoder they were trained on; thresholds are in 0..1."""

    id: str
    folder: Path
    precision: str
    base: str
    layers: int
    intent_threshold: float
    clarify_threshold: float

    @property
    def model_path(self) -> Path:
        """What `models.heads.path` is set to."""
        return self.folder / MODEL_FILE

    @property
    def tokenizer_path(self) -> Path:
        return self.folder / _TOKENIZER_FILE


def base_of(source: Source) -> dict[str, str]:
    """The id and the SHA-256 of the weights that a source gives, which adapters are bound to."""
    digest = PACK_SHA256 if isinstance(source, PackageSource) else source.digest
    return {
        "id": f"{source.model}@{source.dim}/tok{TOKENIZER_REVISION}/{source.weights_tag}",
        "sha256": digest,
    }


def label_lists() -> dict[str, list[str]]:
    """The order of each head's outputs."""
    return {
        "intent": [intent.value for intent in INTENTS],
        "destination": [source.value for source in DESTINATIONS],
        "clarify": ["clarify"],
        "slots": list(SLOT_TAGS),
    }


def merged(weights: EncoderWeights, tensors: Mapping[str, Floats], layers: int) -> EncoderWeights:
    """The base with the adapters added: `W + SCALE * up @ down`, and the trained biases and norms in place."""
    from models.encoder_weights import layer_linears

    changed = {name: value for name, value in tensors.items() if name in weights.tensors}
    for index in range(layers):
        for name in layer_linears(index):
            change = tensors[f"{name}.{ADAPTER}_up"] @ tensors[f"{name}.{ADAPTER}_down"]
            changed[f"{name}.weight"] = (weights.tensors[f"{name}.weight"] + SCALE * change).astype(np.float32)
    return weights.replaced(changed)


def ensure_heads(
    home: Path,
    source: str = DEFAULT_SOURCE,
    precision: Precision | Literal["auto"] = "auto",
    progress: Callable[[str], None] = lambda line: None,
    trained: Path = TRAINED,
) -> HeadsArtifact:
    """The heads for a source and a precision, built first when they are not there (3 to 6 s).

    Files are hashed at every call (0.1 s), and damaged ones made again. Raises `ArtifactError`: nothing is
    trained, the source is another base than the adapters', or the disk refuses.
    """
    chosen: Precision = best_precision() if precision == "auto" else precision
    if chosen not in get_args(Precision):
        raise ArtifactError(f"unknown precision {chosen!r}: known are auto, {', '.join(get_args(Precision))}")
    record = _trained(trained)
    root = _root(home)
    try:
        root.mkdir(parents=True, exist_ok=True)
        opened = open_source(source, home / "models" / "encoder")
        base = base_of(opened)
        if base != record["base"]:
            raise ArtifactError(
                f"the routing heads belong to {record['base']['id']} ({record['base']['sha256'][:12]}…), not to "
                f"{base['id']} ({base['sha256'][:12]}…): train them again (maven-serve train heads)"
            )
        identity = f"heads-{record['sha256'][:8]}/{base['id']}/{chosen}.{GRAPH_REVISION}"
        folder = root / identity.replace("/", "--")
        with _lock(root):
            found = _read(folder)
            if found is None or found.id != identity or any(verify_files(folder).values()):
                _build(opened, record, folder, identity, precision=chosen, progress=progress)
                found = _read(folder)
    except OSError as error:
        raise ArtifactError(f"cannot use {root}: {error.strerror or error}") from error
    if found is None:
        raise ArtifactError(f"{folder} cannot be read back after writing it")
    return found


def list_heads(home: Path) -> list[HeadsArtifact]:
    """The heads built under `home`, by id."""
    found = (_read(path.parent) for path in sorted(_root(home).glob(f"heads-*/{_MANIFEST_FILE}")))
    return [artifact for artifact in found if artifact is not None]


def verify_heads(home: Path) -> dict[str, dict[str, str]]:
    """For every built artefact, by id: its files and what is wrong with each (nothing: an empty string)."""
    return {artifact.id: verify_files(artifact.folder) for artifact in list_heads(home)}


def verify_files(folder: Path) -> dict[str, str]:
    """Each file of the manifest and what is wrong with it."""
    manifest = json.loads((folder / _MANIFEST_FILE).read_text("utf-8"))
    return {
        name: ""
        if (folder / name).is_file() and file_sha256(folder / name) == digest
        else "missing or of another SHA-256"
        for name, digest in manifest["files"].items()
    }


def _root(home: Path) -> Path:
    return home / "models" / "heads"


def _trained(folder: Path) -> dict[str, Any]:
    """`heads.json` with the folder of its file. Raises `ArtifactError` when it is damaged or of other labels."""
    try:
        record: dict[str, Any] = json.loads((folder / "heads.json").read_text("utf-8"))
        path = folder / record["file"]
        digest = file_sha256(path)
    except (OSError, ValueError, KeyError) as error:
        raise ArtifactError(f"no trained heads in {folder}: {error}") from error
    if digest != record["sha256"]:
        raise ArtifactError(f"{path} has SHA-256 {digest[:12]}…, not {record['sha256'][:12]}…")
    if record["labels"] != label_lists():
        raise ArtifactError(f"{folder} was trained with other label lists: train the heads again")
    return record | {"path": path}


def _read(folder: Path) -> HeadsArtifact | None:
    try:
        manifest = json.loads((folder / _MANIFEST_FILE).read_text("utf-8"))
        return HeadsArtifact(
            id=manifest["id"],
            folder=folder,
            precision=manifest["precision"],
            base=manifest["base"]["id"],
            layers=manifest["layers"],
            intent_threshold=manifest["thresholds"]["intent"],
            clarify_threshold=manifest["thresholds"]["clarify"],
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _build(
    opened: Source,
    record: Mapping[str, Any],
    folder: Path,
    identity: str,
    *,
    precision: Precision,
    progress: Callable[[str], None],
) -> None:
    from safetensors.numpy import load_file

    from models.calibration import calibrate, calibration_texts
    from models.encoder_graph import LinearHead, build_graph

    if shutil.disk_usage(folder.parent).free < _SPACE_NEEDED:
        raise ArtifactError(f"no disk space in {folder.parent}: {_SPACE_NEEDED >> 20} MB are needed")
    progress(f"merging {record['file']} into {record['base']['id']}")
    weights, tokenizer = opened.read()
    tensors = {name: value.astype(np.float32) for name, value in load_file(record["path"]).items()}
    layers = int(record["layers"])
    changed = merged(weights, tensors, layers)
    calibration = None
    if precision == "int8":
        progress("measuring activation ranges for int8")
        calibration = calibrate(changed, (tokenise(tokenizer, text).ids for text in calibration_texts()))
    heads = [
        LinearHead(
            name,
            "tokens" if name == "slots" else "pooled",
            tensors[f"head.{name}.weight"],
            tensors[f"head.{name}.bias"],
        )
        for name in HEAD_OUTPUTS
    ]
    progress(f"writing the {precision} graph")
    model = build_graph(changed, layers=layers, heads=heads, precision=precision, outputs=(), calibration=calibration)
    making = folder.parent / f".making-{os.getpid()}"
    shutil.rmtree(making, ignore_errors=True)
    making.mkdir()
    try:
        (making / MODEL_FILE).write_bytes(model.SerializeToString())
        tokenizer.save(str(making / _TOKENIZER_FILE), pretty=False)
        kept = ("base", "labels", "layers", "temperatures", "thresholds")
        manifest = {"id": identity, "precision": precision} | {name: record[name] for name in kept}
        manifest["files"] = {name: file_sha256(making / name) for name in (MODEL_FILE, _TOKENIZER_FILE)}
        text = json.dumps(manifest, ensure_ascii=False, indent=1) + "\n"
        (making / _MANIFEST_FILE).write_text(text, "utf-8")
        shutil.rmtree(folder, ignore_errors=True)
        making.replace(folder)
    finally:
        shutil.rmtree(making, ignore_errors=True)
    progress(f"{identity} is ready")


@contextmanager
def _lock(root: Path) -> Iterator[None]:
    """Two processes do not build at once: the second waits and finds the first one's work."""
    with (root / ".lock").open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
