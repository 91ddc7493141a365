"""What a turn knows besides its utterance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from routing.functions import FunctionTable


@dataclass(frozen=True, slots=True)
class Context:
    """`now` is the caller's instant, aware; `timezone` an IANA name; `functions` the allowlist of the turn;
    `surfaced_items` the obligations that were just spoken, in spoken order."""

    now: datetime
    timezone: str
    functions: FunctionTable
    surfaced_items: Sequence[str] = ()
