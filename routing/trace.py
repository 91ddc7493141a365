"""The record of one turn: every claimant, what it would have made the turn, and how it ended.

The record rides a context variable, so a claim site can only add to it and never change a route; with no record
installed, noting costs one lookup.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from routing.decision import Claim, Decision, Outcome

_current: ContextVar[Record | None] = ContextVar("routing_record", default=None)


@dataclass(slots=True)
class Entry:
    """One claimant of a record. `micros` is the time it took, in microseconds; None where it was not measured."""

    claimant: str
    stage: str
    outcome: Outcome
    would_be: str | None = None
    score: float | None = None
    reason: str | None = None
    micros: float | None = None

    def as_dict(self) -> dict[str, object]:
        """The entry as JSON-ready values."""
        return {
            "claimant": self.claimant,
            "stage": self.stage,
            "outcome": self.outcome.value,
            "would_be": self.would_be,
            "score": self.score,
            "reason": self.reason,
            "micros": None if self.micros is None else round(self.micros, 1),
        }


@dataclass(slots=True)
class Record:
    """Claims on one utterance, in the order they were heard."""

    entries: list[Entry] = field(default_factory=list)
    more: bool = False

    def note(
        self,
        claimant: str,
        stage: str,
        outcome: Outcome,
        *,
        decision: Decision | None = None,
        score: float | None = None,
        reason: str | None = None,
        micros: float | None = None,
    ) -> None:
        """Add one claimant's outcome."""
        would_be = decision.summary() if decision is not None else None
        self.entries.append(Entry(claimant, stage, outcome, would_be, score, reason, micros))

    def note_claim(self, claim: Claim, stage: str, micros: float | None = None) -> None:
        """Add a stage's claim as it stands."""
        self.note(
            claim.claimant, stage, claim.outcome,
            decision=claim.decision, score=claim.score, reason=claim.reason, micros=micros,
        )  # fmt: skip

    def not_asked(self, claimants: Sequence[tuple[str, str]]) -> None:
        """Add every (claimant, stage) that the turn never reached."""
        self.entries.extend(Entry(name, stage, Outcome.NOT_ASKED) for name, stage in claimants)

    def as_list(self) -> list[dict[str, object]]:
        """All entries as JSON-ready values."""
        return [entry.as_dict() for entry in self.entries]


def current() -> Record | None:
    """The record of the turn in progress, or None where nobody is recording."""
    return _current.get()


@contextmanager
def recording(record: Record | None) -> Iterator[Record | None]:
    """Install `record` for the enclosed turn."""
    token = _current.set(record)
    try:
        yield record
    finally:
        _current.reset(token)
