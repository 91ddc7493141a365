"""A correction as it is kept: the row that training reads."""

from __future__ import annotations

from msgspec import Struct

from routing.decision import Intent


class LabelRow(Struct, frozen=True):
    """One turn marked wrong.

    `was` is the intent it got (null where it was a question back); `want` the right one, or null where the person
    only said that it was wrong, which is a usable negative. `when` is ISO 8601; `reach` is where the correction
    came from (`spoken`, `chat`, `api`); `versions` what had decided; `trace_id` the turn's record, if known.
    """

    utterance: str
    was: str | None
    want: Intent | None
    when: str
    reach: str
    versions: dict[str, str] = {}
    trace_id: str = ""
