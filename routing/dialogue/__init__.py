"""The stateful half of routing: what is unfinished between two turns, and who hears a turn before the cascade.

`turn` hears one utterance of a `Session` and gives the session after it, a reply and effects. Everything here is a
value or a function of values; keeping a session is the caller's.
"""

from __future__ import annotations

from routing.dialogue.effects import AnyEffect, IncompleteRequest, effect_of
from routing.dialogue.engine import TurnResult, turn
from routing.dialogue.labels import LabelRow
from routing.dialogue.ladder import LADDER
from routing.dialogue.session import SCHEMA, Session, UnreadableSession, decode, encode
from routing.dialogue.state import DialogueContext, Limits, Reminder, Reply

__all__ = [
    "LADDER", "SCHEMA", "AnyEffect", "DialogueContext", "IncompleteRequest", "LabelRow", "Limits",
    "Reminder", "Reply",
    "Session", "TurnResult", "UnreadableSession", "decode", "effect_of", "encode", "turn",
]  # fmt: skip
