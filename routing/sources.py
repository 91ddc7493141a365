"""Where a query is looked up, and in which order: the owner's data first, then the world.

The order is load-bearing and nothing here changes it. A decision only ever takes sources out, and only those that
guess: they decide by likeness that a turn is theirs and hold no table that could come back empty. Observed: weather
answered "что такое TCP" with "для какого города?", the feed a question about the owner with kernel headlines.
"""

from __future__ import annotations

from routing.decision import Decision, Intent, Source

CHAIN = tuple("recall calendar tasks list attention house network weather feed clock self boundary world".split())
"""Every source in the order it is asked; `boundary` stands between the owner's data and the world."""

GUESSERS = frozenset({"weather", "feed", "house", "boundary"})
"""The sources that guess, so that a named other one takes them out."""

BOUNDARY = "boundary"


def walk(decision: Decision) -> tuple[str, ...] | None:
    """The sources left to ask for `decision`, in order; None where it is no query.

    Naming nothing keeps the whole chain. The personal boundary comes off only where a grammar anchored the source:
    an inferred `world` on a question about the owner would carry it outside.
    """
    if decision.intent is not Intent.QUERY:
        return None
    named = decision.source
    if named is Source.UNKNOWN:
        return CHAIN
    return tuple(name for name in CHAIN if not _taken_out(name, named, decision.source_anchored))


def _taken_out(name: str, named: Source, anchored: bool) -> bool:
    if name not in GUESSERS or name == named.value:
        return False
    return anchored if name == BOUNDARY else True
