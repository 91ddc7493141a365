"""The personal boundary: pinned weights, the rule, balanced classes, and how it holds on rows it never saw."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from models.artifacts import Precision
from models.boundary import WEIGHTS, BoundaryError, BoundaryHead
from models.encoder import Encoder
from models.training.corpus_build import BOUNDARY, read_rows
from models.training.neighbours import TrigramIndex

FIXTURES = Path(__file__).parent.parent / "fixtures"
BALANCED = FIXTURES / "boundary_balanced.jsonl"
CHALLENGE = FIXTURES / "boundary_challenge.jsonl"


def write_head(path: Path, **changes: object) -> Path:
    record = {"embedders": ["e5/int8", "e5/fp32"], "weight": [1.0, -2.0], "bias": 0.5} | changes
    path.write_text(json.dumps(record), "utf-8")
    return path


def test_another_embedder_is_refused_with_the_reason(tmp_path: Path) -> None:
    path = write_head(tmp_path / "head.json")
    assert BoundaryHead.load("e5/int8", path).bias == 0.5
    with pytest.raises(BoundaryError, match="belongs to e5/int8, e5/fp32, not to e5/block8"):
        BoundaryHead.load("e5/block8", path)


def test_a_damaged_file_is_refused_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "head.json"
    with pytest.raises(BoundaryError, match="does not read"):
        BoundaryHead.load("e5/int8", path)
    path.write_text('{"embedders": ["e5/int8"]}', "utf-8")
    with pytest.raises(BoundaryError, match="does not read"):
        BoundaryHead.load("e5/int8", path)


def test_the_rule_is_exactly_personal_above_world(tmp_path: Path) -> None:
    head = BoundaryHead.load("e5/int8", write_head(tmp_path / "head.json"))
    tie = np.array([1.5, 1.0], np.float32)
    assert head.personal(tie) == 0.5
    assert not head.is_personal(tie)
    assert head.is_personal(tie + np.array([0.01, 0], np.float32))
    with pytest.raises(BoundaryError, match="a vector of"):
        head.personal([1.0])


def test_the_frozen_weights_are_one_for_each_component() -> None:
    record = json.loads(WEIGHTS.read_text("utf-8"))
    assert len(record["weight"]) == 384
    assert np.isfinite(record["weight"]).all()
    assert {name.rsplit("/", 1)[1] for name in record["embedders"]} == {"fp32", "int8", "block8"}


def test_evaluation_sets_are_balanced_and_apart_from_the_corpus() -> None:
    for path, size in ((BALANCED, 72), (CHALLENGE, 24)):
        rows = read_rows([path])
        counts = Counter((row["label"], row["lang"]) for row in rows)
        assert len(rows) == size
        assert sum(n for (label, _), n in counts.items() if label == "personal") * 2 == size
    assert set(Counter((r["label"], r["lang"]) for r in read_rows([BALANCED])).values()) == {18}
    index = TrigramIndex(row["text"] for row in read_rows([BOUNDARY]))
    both = [*read_rows([BALANCED]), *read_rows([CHALLENGE])]
    assert not [row["text"] for row in both if index.near(row["text"])]


def test_classes_weigh_the_same_whatever_their_size() -> None:
    pytest.importorskip("sklearn")
    from models.training.boundary import balanced_weights

    personal = np.array([True] * 3 + [False] * 7)
    weights = balanced_weights(personal)
    assert weights[personal].sum() == pytest.approx(0.5)
    assert weights[~personal].sum() == pytest.approx(0.5)


def right(head: BoundaryHead, encoder: Encoder, path: Path) -> list[bool]:
    rows = read_rows([path])
    vectors = encoder.encode([row["text"] for row in rows], kind="query")
    return [head.is_personal(v) == (row["label"] == "personal") for v, row in zip(vectors, rows, strict=True)]


@pytest.mark.weights
@pytest.mark.parametrize("precision", ["fp32", "int8"])
def test_the_frozen_head_on_its_evaluation_sets(
    precision: Precision, real_encoder: Callable[[Precision], Encoder]
) -> None:
    encoder = real_encoder(precision)
    head = BoundaryHead.load(encoder.id)
    assert sum(right(head, encoder, BALANCED)) >= 69
    assert sum(right(head, encoder, CHALLENGE)) >= 23


@pytest.mark.weights
def test_four_folds_and_leaving_a_whole_shape_out(real_encoder: Callable[[Precision], Encoder]) -> None:
    pytest.importorskip("sklearn")
    from models.training.boundary import cross_validate, leave_one_shape_out

    rows = read_rows([BOUNDARY])
    vectors = real_encoder("fp32").encode([row["text"] for row in rows], kind="query")
    personal = np.array([row["label"] == "personal" for row in rows])
    strength = json.loads(WEIGHTS.read_text("utf-8"))["strength"]
    assert cross_validate(vectors, personal, strength) >= 0.95 * len(rows)
    apart = leave_one_shape_out(vectors, personal, [row["shape"] for row in rows], strength)
    assert sum(hits for hits, _ in apart.values()) >= 0.9 * len(rows)
