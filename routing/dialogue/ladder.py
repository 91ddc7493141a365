"""The pre-route ladder: who hears a turn before the cascade, in order. Every name is in every record."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from routing.dialogue import answer, cancel_parked, cancellation, negative, ordinal, repair
from routing.dialogue.state import Outcome, TurnState

STAGE = "ladder"
"""The stage of a rung in a record."""


@dataclass(frozen=True, slots=True)
class Rung:
    """One rung: a name, and a function that gives its outcome or None to decline."""

    name: str
    hear: Callable[[TurnState], Awaitable[Outcome | None]]


LADDER: tuple[Rung, ...] = (
    Rung(cancellation.NAME, cancellation.rung),
    Rung(ordinal.NAME, ordinal.rung),
    Rung(repair.NAME, repair.rung),
    Rung(negative.NAME, negative.rung),
    Rung(answer.NAME, answer.rung),
    Rung(cancel_parked.NAME, cancel_parked.rung),
)

NAMES = tuple(rung.name for rung in LADDER)
"""Every rung's name, in order."""
