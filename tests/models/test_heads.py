"""The routing heads: the path rules, the reading rule, spans, and the real artefact."""

from __future__ import annotations

import json
import logging
import os
import shutil
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from models.artifacts import ArtifactError
from models.encoder_weights import EncoderWeights, layer_linears
from models.heads import HeadsConfigError, HeadsReading, HeadsStage, RouterHeads, load_heads, resolve_heads_path
from models.heads_build import TRAINED, ensure_heads, list_heads, merged, verify_heads
from models.heads_labels import ADAPTER, SCALE, SLOT_TAGS, read_spans, tag_words
from routing.decision import Intent, Outcome, Source, Span, StageName

FIXTURES = Path(__file__).parent.parent / "fixtures"


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The home that the real heads are built in, once a test run."""
    home = tmp_path_factory.mktemp("heads")
    ensure_heads(home, precision="int8")
    return home


def cases(name: str) -> list[dict[str, Any]]:
    path = FIXTURES / name
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []


def reading(
    intent: Intent = Intent.QUERY,
    confidence: float = 0.9,
    destination: Source = Source.WORLD,
    clarify: float = 0.1,
    slots: Mapping[str, Span] | None = None,
) -> HeadsReading:
    return HeadsReading(
        intent=intent,
        intent_probs={intent: confidence},
        destination=destination,
        destination_probs={destination: 0.8},
        clarify=clarify,
        slots=slots or {},
    )


# The path is the whole switch.


@pytest.mark.parametrize("setting", [None, "", "  ", "/nowhere/router_heads.onnx"])
def test_an_empty_or_missing_path_means_no_heads(setting: str | None) -> None:
    assert resolve_heads_path(setting, None) is None
    assert load_heads(setting, None) is None


def test_a_folder_stands_for_the_file_in_it(tmp_path: Path) -> None:
    path = tmp_path / "router_heads.onnx"
    assert resolve_heads_path(tmp_path, None) is None
    path.write_bytes(b"x")
    assert resolve_heads_path(tmp_path, None) == path


def test_the_embedders_own_file_is_refused_through_links_too(tmp_path: Path) -> None:
    encoder = tmp_path / "encoder.onnx"
    encoder.write_bytes(b"graph")
    symbolic, hard = tmp_path / "router_heads.onnx", tmp_path / "hard.onnx"
    symbolic.symlink_to(encoder)
    os.link(encoder, hard)
    for path in (encoder, symbolic, hard, tmp_path / "x" / ".." / "encoder.onnx"):
        (tmp_path / "x").mkdir(exist_ok=True)
        with pytest.raises(HeadsConfigError, match="is the embedder's own file"):
            resolve_heads_path(path, encoder)
        with pytest.raises(HeadsConfigError, match="the heads need"):
            load_heads(path, encoder)
    other = tmp_path / "other.onnx"
    other.write_bytes(b"graph")
    assert resolve_heads_path(other, encoder) == other


def test_an_unloadable_file_is_logged_counted_and_survived(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "router_heads.onnx"
    path.write_bytes(b"not a graph")
    reasons: list[str] = []
    with caplog.at_level(logging.WARNING):
        assert load_heads(path, None, on_unloadable=reasons.append) is None
    assert len(reasons) == 1
    assert reasons[0] in caplog.text


# The reading rule.


def stage(answer: HeadsReading) -> HeadsStage:
    async def predict(texts: list[str]) -> Sequence[HeadsReading]:
        assert texts == ["что такое TCP"]
        return [answer]

    return HeadsStage(predict, intent_threshold=0.6, clarify_threshold=0.5)


async def decided(answer: HeadsReading) -> Any:
    utterance: Any = SimpleNamespace(raw="что такое TCP")
    context: Any = SimpleNamespace(now=datetime(2026, 12, 1, tzinfo=UTC))
    return await stage(answer).decide(utterance, context)


async def test_clarify_decides_before_the_threshold() -> None:
    claim = await decided(reading(confidence=0.2, clarify=0.5))
    assert claim.outcome is Outcome.WON
    assert claim.decision.intent is None
    assert claim.decision.clarify == "heads-clarify"
    assert claim.decision.claimant == "heads"
    assert claim.score == 0.5


async def test_under_the_threshold_it_says_what_it_would_have_been() -> None:
    claim = await decided(reading(confidence=0.59))
    assert claim.outcome is Outcome.OUTSCORED
    assert claim.reason == "below-threshold"
    assert claim.decision.summary() == "query:world"


async def test_the_destination_is_read_on_a_query_alone() -> None:
    claim = await decided(reading(slots={"text": (10, 13)}))
    assert claim.outcome is Outcome.WON
    assert claim.decision.source is Source.WORLD
    assert not claim.decision.source_anchored
    assert claim.decision.slots.text == "TCP"
    assert claim.decision.stage is StageName.HEADS
    assert (await decided(reading(intent=Intent.CHAT))).decision.source is Source.UNKNOWN


# Slots.


def test_tags_and_spans_are_one_another_backwards() -> None:
    text = "напомни завтра в девять вынести мусор"
    words = [(0, 7), (8, 14), (15, 16), (17, 23), (24, 31), (32, 37)]
    spans = {"time": (8, 23), "text": (24, 37)}
    tags = tag_words(words, spans)
    assert [SLOT_TAGS[tag] for tag in tags] == ["O", "B-time", "I-time", "I-time", "B-text", "I-text"]
    assert read_spans(words, np.eye(len(SLOT_TAGS), dtype=np.float32)[tags]) == spans
    assert text[slice(*spans["text"])] == "вынести мусор"


def test_of_two_spans_of_one_slot_the_surer_stays() -> None:
    scores = np.zeros((3, len(SLOT_TAGS)), np.float32)
    scores[0, SLOT_TAGS.index("B-key")] = 0.6
    scores[1, 0] = 1
    scores[2, SLOT_TAGS.index("I-key")] = 0.9
    assert read_spans([(0, 1), (2, 3), (4, 5)], scores) == {"key": (4, 5)}


# The artefact.


def test_merging_adds_the_low_rank_change_and_takes_biases_over() -> None:
    rng = np.random.default_rng(0)
    names = layer_linears(0)
    base = {f"{name}.weight": rng.normal(size=(4, 4)).astype(np.float32) for name in names}
    base |= {f"{name}.bias": np.zeros(4, np.float32) for name in names}
    change = {f"{n}.{ADAPTER}_up": rng.normal(size=(4, 2)).astype(np.float32) for n in names}
    change |= {f"{n}.{ADAPTER}_down": rng.normal(size=(2, 4)).astype(np.float32) for n in names}
    change[f"{names[0]}.bias"] = np.ones(4, np.float32)
    found = merged(EncoderWeights(base, 1, 1, 1e-12), change, 1)
    name = names[0]
    wanted = base[f"{name}.weight"] + SCALE * change[f"{name}.{ADAPTER}_up"] @ change[f"{name}.{ADAPTER}_down"]
    np.testing.assert_allclose(found.tensors[f"{name}.weight"], wanted, rtol=1e-6)
    assert (found.tensors[f"{name}.bias"] == 1).all()


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"sha256": "0" * 64}, "has SHA-256"),
        ({"labels": {}}, "other label lists"),
        ({"base": {"id": "other@384/tok1/q4-00000000", "sha256": "0" * 64}}, "belong to other@384"),
    ],
)
def test_a_wrong_file_other_labels_and_another_base_are_refused(
    tmp_path: Path, change: dict[str, object], match: str
) -> None:
    trained = tmp_path / "trained"
    shutil.copytree(TRAINED, trained)
    record = json.loads((trained / "heads.json").read_text("utf-8"))
    (trained / "heads.json").write_text(json.dumps(record | change), "utf-8")
    with pytest.raises(ArtifactError, match=match):
        ensure_heads(tmp_path / "home", trained=trained)


def test_without_trained_heads_the_reason_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(ArtifactError, match="no trained heads"):
        ensure_heads(tmp_path, trained=tmp_path)


def test_what_git_holds_is_small() -> None:
    assert sum(path.stat().st_size for path in TRAINED.iterdir()) < 15 << 20


@pytest.mark.weights
def test_the_artefact_is_built_once_and_again_when_damaged(built: Path) -> None:
    lines: list[str] = []
    artifact = ensure_heads(built, precision="int8", progress=lines.append)
    assert not lines
    assert [found.id for found in list_heads(built)] == [artifact.id]
    first = RouterHeads(artifact.model_path).predict(["включи свет", "ну это"])
    artifact.model_path.write_bytes(b"damaged")
    assert any(any(files.values()) for files in verify_heads(built).values())
    ensure_heads(built, precision="int8", progress=lines.append)
    assert lines
    assert RouterHeads(artifact.model_path).predict(["включи свет", "ну это"]) == first


@pytest.mark.weights
def test_slots_are_literal_and_readings_do_not_depend_on_the_batch(built: Path) -> None:
    heads = RouterHeads(ensure_heads(built, precision="int8").model_path)
    texts = [case["text"] for case in cases("routing.jsonl")] or ["напомни завтра в 9:00, вынести мусор!"]
    for text, found in zip(texts, heads.predict(texts), strict=True):
        for start, end in found.slots.values():
            assert 0 <= start < end <= len(text)
            assert text[start:end] == text[start:end].strip()
        assert sum(found.intent_probs.values()) == pytest.approx(1, abs=1e-3)
    alone = heads.predict(texts[:1])[0]
    assert alone.intent_probs == pytest.approx(heads.predict(texts)[0].intent_probs, abs=2e-3)


@pytest.mark.weights
@pytest.mark.parametrize("text", ["", "  ", "?!", "\u200b", "\ud800", "а" * 3000, "да " * 400, "🙂"])
def test_odd_texts_are_read_without_an_error(built: Path, text: str) -> None:
    heads = RouterHeads(ensure_heads(built, precision="int8").model_path)
    (found,) = heads.predict([text])
    if not text.strip(" ?!"):
        assert found.clarify == 1.0
    with pytest.raises(TypeError):
        heads.predict(text)


@pytest.mark.weights
def test_accuracy_on_the_routing_fixture(built: Path) -> None:
    heads = RouterHeads(ensure_heads(built, precision="int8").model_path)
    rows = cases("routing.jsonl")
    if not rows:
        pytest.skip("no routing fixture")
    found = heads.predict([row["text"] for row in rows])
    asks = [r.clarify >= heads.clarify_threshold for r in found]
    labelled = [(row, r, a) for row, r, a in zip(rows, found, asks, strict=True) if not row.get("clarify")]
    right = sum(r.intent.value == row["intent"] and not a for row, r, a in labelled)
    assert right >= 0.94 * len(labelled)
    sources = [(row["source"], r) for row, r, _ in labelled if row.get("source") is not None]
    assert sum(r.destination.value == source for source, r in sources) >= 0.8 * len(sources)
    assert sum(a for row, a in zip(rows, asks, strict=True) if row.get("clarify")) >= 7
    assert sum(a for _, _, a in labelled) <= 2
