"""The walk over sources: what a decision may take out of it, and what it never may."""

from __future__ import annotations

import pytest

from routing.decision import Decision, Intent, Source
from routing.sources import CHAIN, GUESSERS, walk


def test_no_walk_but_for_a_query() -> None:
    for intent in set(Intent) - {Intent.QUERY}:
        assert walk(Decision(intent)) is None
    assert walk(Decision(None, clarify="x")) is None


def test_the_floor_keeps_the_whole_chain() -> None:
    assert walk(Decision(Intent.QUERY)) == CHAIN
    assert walk(Decision(Intent.QUERY, source_anchored=True)) == CHAIN


@pytest.mark.parametrize("source", [s for s in Source if s])
@pytest.mark.parametrize("anchored", [False, True])
def test_only_guessers_come_out_and_nothing_moves(source: Source, anchored: bool) -> None:
    left = walk(Decision(Intent.QUERY, source=source, source_anchored=anchored))
    assert left is not None
    assert list(left) == [name for name in CHAIN if name in left]
    assert set(CHAIN) - set(left) <= GUESSERS - {source.value}
    assert {"weather", "feed", "house"} & set(left) == {"weather", "feed", "house"} & {source.value}


@pytest.mark.parametrize("source", [s for s in Source if s])
def test_only_a_grammar_may_drop_the_boundary(source: Source) -> None:
    inferred = walk(Decision(Intent.QUERY, source=source))
    anchored = walk(Decision(Intent.QUERY, source=source, source_anchored=True))
    assert inferred is not None
    assert anchored is not None
    assert "boundary" in inferred
    assert "boundary" not in anchored


def test_naming_recall_keeps_the_boundary() -> None:
    assert "boundary" in (walk(Decision(Intent.QUERY, source=Source.RECALL)) or ())


def test_naming_the_world_jumps_no_queue() -> None:
    left = walk(Decision(Intent.QUERY, source=Source.WORLD, source_anchored=True))
    assert left is not None
    assert left[0] == "recall"
    assert left[-1] == "world"
