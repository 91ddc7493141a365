"""The corpora hold what the labelling guide asks, and no row that anything is measured on."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from models.training.augment import augment, edited, number_in_words
from models.training.corpus import corpora, load, load_labels, read_example, split
from models.training.corpus_build import (
    BOUNDARY,
    FOLDER,
    held_out_texts,
    label_of,
    parse_line,
    read_rows,
    without_copies,
)
from models.training.neighbours import TrigramIndex, folded
from routing.decision import SLOT_NAMES, Intent, Source

ROOT = Path(__file__).parent.parent.parent
FIXTURES = sorted((ROOT / "tests" / "fixtures").glob("*.jsonl"))
SHARED = sorted((ROOT.parent / "shared" / "data").glob("*.jsonl"))

ROWS = read_rows(sorted(FOLDER.glob("*.jsonl")))
BOUNDARY_ROWS = read_rows([BOUNDARY])


def test_there_are_enough_rows_of_each_language_and_label() -> None:
    languages = Counter(row["lang"] for row in ROWS)
    assert languages["ru"] >= 5000
    assert languages["en"] >= 1500
    assert sum(bool(row.get("clarify")) for row in ROWS) >= 600
    labels = Counter(label_of(row) for row in ROWS)
    assert {row["intent"] for row in ROWS if "intent" in row} == {intent.value for intent in Intent}
    for source in Source:
        assert labels[f"query/{source.value}"] >= 120, source
    assert min(labels.values()) >= 120


def test_at_least_half_is_hand_written_and_no_template_is_large() -> None:
    kinds = Counter(row["kind"] for row in ROWS)
    assert set(kinds) == {"hand", "template"}
    assert kinds["hand"] * 2 >= len(ROWS)
    templates = Counter(row["template"] for row in ROWS if row["kind"] == "template")
    assert max(templates.values()) <= 12


def test_lengths_run_from_one_word_to_twenty() -> None:
    lengths = Counter(len(row["text"].split()) for row in ROWS)
    assert min(lengths) == 1
    assert max(lengths) >= 22
    assert all(lengths[count] for count in range(1, 21))


def test_no_two_rows_are_the_same() -> None:
    assert len({folded(row["text"]) for row in ROWS}) == len(ROWS)
    assert len({folded(row["text"]) for row in BOUNDARY_ROWS}) == len(BOUNDARY_ROWS)


def test_slots_are_literal_parts_that_do_not_overlap() -> None:
    for row in ROWS:
        example = read_example(row)
        assert set(example.spans) <= set(SLOT_NAMES)
        taken = sorted(example.spans.values())
        assert all(left[1] <= right[0] for left, right in pairwise(taken)), row
        assert "source" in row if row.get("intent") == "query" else "source" not in row


@pytest.mark.parametrize("path", FIXTURES + SHARED, ids=lambda path: path.name)
def test_no_row_is_nearly_a_held_out_one(path: Path) -> None:
    index = TrigramIndex(held_out_texts([path]))
    near = [row["text"] for row in [*ROWS, *BOUNDARY_ROWS] if index.near(row["text"])]
    assert not near, f"run `python -m models.training.corpus_build clean --held-out {path.name}`: {near[:5]}"


def test_the_boundary_has_three_hundred_rows_a_class_in_both_languages() -> None:
    classes = Counter((row["label"], row["lang"]) for row in BOUNDARY_ROWS)
    for label in ("personal", "world"):
        assert classes[label, "ru"] + classes[label, "en"] >= 300
        assert classes[label, "en"] >= 80
        assert len({row["shape"] for row in BOUNDARY_ROWS if row["label"] == label}) >= 20


def test_the_split_shares_no_template_and_no_near_copy() -> None:
    train, dev = corpora()
    assert 0.08 < len(dev) / (len(train) + len(dev)) < 0.14
    assert not {row.template for row in train if row.template} & {row.template for row in dev}
    index = TrigramIndex(row.text for row in train)
    assert not [row.text for row in dev if index.near(row.text)]
    assert {row.label for row in dev} == {row.label for row in train}


def test_a_fresh_split_keeps_clusters_together() -> None:
    train, dev = split(load()[::4])
    assert not {row.template for row in train if row.template} & {row.template for row in dev}
    index = TrigramIndex(row.text for row in train)
    assert not [row.text for row in dev if index.near(row.text)]


def test_noise_keeps_slots_literal_and_labels_as_they_were() -> None:
    rng = random.Random(7)
    for row in load()[::3]:
        noisy = augment(row, rng)
        assert noisy.label == row.label
        for name, (start, end) in noisy.spans.items():
            value = noisy.text[start:end]
            assert value
            assert value == value.strip()
            assert name in row.spans


def test_an_edit_moves_the_spans_behind_it_and_stretches_the_one_around_it() -> None:
    text, spans = edited("включи свет в зале", {"fn": (0, 6), "key": (7, 18)}, 0, 0, "ну ")
    assert text == "ну включи свет в зале"
    assert {name: text[a:b] for name, (a, b) in spans.items()} == {"fn": "включи", "key": "свет в зале"}
    text, spans = edited(text, spans, 10, 14, "свет свет")
    assert {name: text[a:b] for name, (a, b) in spans.items()} == {"fn": "включи", "key": "свет свет в зале"}


@pytest.mark.parametrize(
    ("number", "lang", "words"),
    [(7, "ru", "семь"), (45, "ru", "сорок пять"), (100, "ru", "сто"), (115, "ru", "сто пятнадцать"),
     (42, "en", "forty two"),
     (300, "en", "three hundred"), (1000, "ru", None)],
)  # fmt: skip
def test_numbers_are_said_in_words(number: int, lang: str, words: str | None) -> None:
    assert number_in_words(number, lang) == words


def test_a_compact_row_gives_slots_and_says_a_place_only_where_words_do_not_find_it() -> None:
    row = parse_line("act | в чате [fn:напиши] [key:в чат] [text:скоро буду]")
    assert row["text"] == "в чате напиши в чат скоро буду"
    assert row["spans"] == {"key": [14, 19]}
    with pytest.raises(ValueError, match="given twice"):
        parse_line("act | [fn:включи] и [fn:выключи]")


def test_copies_go_and_conflicting_ones_go_both() -> None:
    rows = [
        {"text": "Ещё чаю", "intent": "act"},
        {"text": "еще чаю!", "intent": "act"},
        {"text": "который час", "intent": "query", "source": "clock"},
        {"text": "Который час?", "intent": "chat"},
        {"text": "включи свет на кухне", "intent": "act"},
    ]
    kept, dropped = without_copies(rows, ["включи свет на кухне."])
    assert [row["text"] for row in kept] == ["Ещё чаю"]
    assert dropped == {"copies": 1, "conflicting labels": 2, "held out": 1}


def test_corrections_without_a_target_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    path.write_text(
        '{"text": "как там ужин", "intent": "query", "source": ""}\n{"text": "ага", "intent": null}\n', "utf-8"
    )
    (row,) = load_labels(path)
    assert row.destination is Source.UNKNOWN
    assert not row.tagged
