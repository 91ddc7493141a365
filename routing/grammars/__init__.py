"""Stage 0: the grammars, and the one ordered list of them.

The service, the evaluation and the benchmarks all take the list from here, so they cannot disagree about which
rules exist or in what order. Nothing is compiled before the first call: `import routing` stays cheap.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from routing.grammars.base import Grammar, GrammarList

    STAGE_ZERO: tuple[Grammar, ...]

__all__ = ["STAGE_ZERO", "stage_zero"]


@lru_cache(maxsize=1)
def _grammars() -> tuple[Grammar, ...]:
    """Every grammar in the contract's order, which is part of the contract: agenda before world before feed and
    list; a reminder before its cancelling, whose words it declines."""
    from routing.grammars import (
        acts,
        agenda,
        cancellation,
        capture,
        elapsed,
        fragments,
        help,
        narrative,
        possession,
        praxis,
        reminder,
        sources,
        world,
    )

    return (
        *fragments.GRAMMARS,
        *cancellation.REPORTS,
        *help.GRAMMARS,
        *praxis.GRAMMARS,
        *agenda.CALENDARS,
        *agenda.AGENDAS,
        *elapsed.GRAMMARS,
        *world.GRAMMARS,
        *narrative.GRAMMARS,
        *sources.GRAMMARS,
        *reminder.GRAMMARS,
        *cancellation.CANCELS,
        *capture.GRAMMARS,
        *possession.GRAMMARS,
        *acts.GRAMMARS,
    )


@lru_cache(maxsize=1)
def stage_zero() -> GrammarList:
    """The whole of stage 0, compiled once a process."""
    from routing.grammars.base import GrammarList

    return GrammarList(_grammars())


def __getattr__(name: str) -> object:
    if name == "STAGE_ZERO":
        return _grammars()
    raise AttributeError(name)
