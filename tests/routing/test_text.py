"""Normalising, and the way back to what was said."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from routing.text import Utterance


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ("Мавен, ну слушай, напомни завтра в 11:00!", ["напомни", "завтра", "в", "11:00"]),
        ("МАВЕН включи свет", ["включи", "свет"]),
        ("Ёлка — «зелёная», что-то.", ["елка", "зеленая", "что-то"]),
        ("будь добра открой окно", ["открой", "окно"]),
        ("hey Maven, please turn it off", ["turn", "it", "off"]),
        ("15% от 2400", ["15%", "от", "2400"]),
        ("2+2*2=?", ["2", "+", "2", "*", "2", "="]),
        ("мавен", ["мавен"]),
        ("ну", ["ну"]),
        ("за́мок", ["замок"]),
        ("", []),
        (" \t…!?", []),
    ],
)
def test_words(raw: str, words: list[str]) -> None:
    assert Utterance(raw).words == words
    assert Utterance(unicodedata.normalize("NFD", raw)).words == words


def test_spans_are_literal_even_when_normalising_changes_lengths() -> None:
    raw = unicodedata.normalize("NFD", "ну ещё ﬁгня: «Ёжик» İстанбул")
    utterance = Utterance(raw)
    got = [utterance.slice(utterance.word_span(i, i)) for i in range(len(utterance.words))]
    assert got[0] == unicodedata.normalize("NFD", "ещё")
    assert unicodedata.normalize("NFC", got[2]) == "Ёжик"


def test_a_span_of_the_line_is_the_words_in_it() -> None:
    utterance = Utterance("Мавен, запиши: купить — молоко!")
    start = utterance.line.index("купить")
    span = utterance.span(start, len(utterance.line) - 1)
    assert span is not None
    assert utterance.slice(span) == "купить — молоко"
    assert utterance.span(len(utterance.line), len(utterance.line)) is None


@given(st.text(max_size=80))
def test_any_text_is_read_and_every_word_lies_in_it(raw: str) -> None:
    utterance = Utterance(raw)
    previous = 0
    for i, word in enumerate(utterance.words):
        start, end = utterance.word_span(i, i)
        assert 0 <= previous <= start < end <= len(raw)
        assert Utterance(raw[start:end]).tokens[:1] or word
        previous = start
    assert utterance.line == " " + "".join(f"{word} " for word in utterance.words)


@given(st.text(max_size=60))
def test_composed_and_decomposed_text_read_the_same(raw: str) -> None:
    assert Utterance(unicodedata.normalize("NFC", raw)).words == Utterance(unicodedata.normalize("NFD", raw)).words


def test_question_marks() -> None:
    assert Utterance("правда?").question
    assert Utterance("«правда?»").question
    assert not Utterance("правда? нет").question
