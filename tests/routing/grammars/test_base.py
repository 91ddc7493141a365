"""The list itself: one scan, order, long lines, and two engines that read the same groups."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import re2

from routing.grammars import STAGE_ZERO, stage_zero
from routing.grammars.base import LONGEST, SHORT, Grammar, GrammarList
from routing.text import Utterance

TABLES = Path(__file__).parents[3] / "routing" / "grammars" / "tables"


def rows() -> list[str]:
    return [
        json.loads(line)["text"]
        for path in sorted(TABLES.glob("*.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
    ]


def test_both_engines_find_the_same_groups() -> None:
    lines = [Utterance(text).line for text in rows()]
    patterns = [(re2.compile(p), re.compile(p)) for grammar in STAGE_ZERO for p in grammar.patterns]
    checked = 0
    for line in lines:
        for linear, backtracking in patterns:
            ours = backtracking.search(line)
            if ours is not None:
                theirs = linear.search(line)
                assert theirs is not None
                assert theirs.span() == ours.span()
                assert theirs.groups() == ours.groups()
                checked += 1
    assert checked > 1_000


def test_a_page_is_not_a_frame_and_a_long_sentence_is_read_in_linear_time() -> None:
    long = "что такое " + "очень " * 40 + "странный кварк"
    assert len(Utterance(long).line) > SHORT
    position, decision = stage_zero().decide(Utterance(long), None)  # type: ignore[arg-type]
    assert decision is None or stage_zero().names[position] == "definition-query"
    page = "что такое кварк " * (LONGEST // 10)
    assert stage_zero().decide(Utterance(page), None)[1] is None  # type: ignore[arg-type]


def test_names_are_unique_and_a_wrong_pattern_fails_at_once() -> None:
    grammar = Grammar("x", (" a ",), lambda *_: None)
    with pytest.raises(ValueError, match="share a name"):
        GrammarList([grammar, grammar])
    with pytest.raises(re2.error):
        GrammarList([Grammar("y", (" (a ",), lambda *_: None)])
