"""The session: what a dialogue remembers between two turns, as one frozen value with one JSON form.

Instants are seconds since the epoch on the caller's clock, so that a session compares, stores and replays without
a clock of its own. A request keeps its number from the turn that brought it to the effect, so a caller can tell
one request's effect from another's.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal

import msgspec
from msgspec import Struct

from routing.decision import Decision, Intent, Slots, Source, StageName
from routing.times import TimeExpression

SCHEMA = 1
"""Version of the stored form. A stored session of another version is not read."""


class UnreadableSession(ValueError):
    """Stored bytes are no session of this version."""


class StoredTime(Struct, frozen=True, omit_defaults=True):
    """A time as it was understood; `text` is what was said."""

    text: str
    at: datetime | None = None
    end_at: datetime | None = None
    grain: str = "day"
    recurrence: str | None = None
    resolved: bool = False

    @classmethod
    def of(cls, time: TimeExpression) -> StoredTime:
        """The stored form of a time expression; its place in the utterance is not kept."""
        return cls(time.text, time.at, time.end_at, time.grain, time.recurrence, time.resolved)

    def expression(self) -> TimeExpression:
        """The time expression again, placed as if it were the whole utterance."""
        return TimeExpression(
            0, len(self.text), self.text, self.at, self.end_at, self.grain, self.recurrence, self.resolved
        )


class StoredDecision(Struct, frozen=True, omit_defaults=True):
    """A decision as JSON."""

    intent: str | None
    source: str = ""
    source_anchored: bool = False
    slots: dict[str, str] = {}
    spans: dict[str, tuple[int, int]] = {}
    time: StoredTime | None = None
    stage: str = StageName.GRAMMAR.value
    claimant: str = ""
    confidence: float = 1.0
    more: bool = False
    clarify: str | None = None

    @classmethod
    def of(cls, decision: Decision) -> StoredDecision:
        """The stored form of `decision`."""
        return cls(
            decision.intent.value if decision.intent is not None else None,
            decision.source.value,
            decision.source_anchored,
            {name: value for name, value in decision.slots.as_dict().items() if value is not None},
            dict(decision.slots.spans),
            StoredTime.of(decision.time) if decision.time is not None else None,
            decision.stage.value,
            decision.claimant,
            decision.confidence,
            decision.more,
            decision.clarify,
        )

    def decision(self) -> Decision:
        """The decision again. Raises `ValueError` for an intent, source or stage that is none."""
        time = self.time.expression() if self.time is not None else None
        if time is not None and (place := self.spans.get("time")) is not None:
            time = TimeExpression(
                place[0], place[1], time.text, time.at, time.end_at, time.grain, time.recurrence, time.resolved
            )
        return Decision(
            Intent(self.intent) if self.intent is not None else None,
            Source(self.source),
            self.source_anchored,
            Slots(**self.slots, spans=self.spans),
            time,
            StageName(self.stage),
            self.claimant,
            self.confidence,
            self.more,
            self.clarify,
        )


class Parked(Struct, frozen=True, omit_defaults=True):
    """A request that waits for an answer.

    `decision` is the payload: what the action gets, untouched by the words of a time answer. `time` is what
    they mean, kept apart until the request is complete. `missing` is the gaps, the one asked
    about first; for a request that was not understood at all it is `("request",)`. `asked` counts the questions
    put, of at most `budget`; `asked_at` is when its answer window began. `corrects` is the request whose action
    this one replaces, where it came from a repair.
    """

    request: str
    decision: StoredDecision
    utterance: str
    missing: tuple[str, ...]
    asked_at: float
    asked: int = 1
    budget: int = 2
    language: Literal["ru", "en"] = "ru"
    time: StoredTime | None = None
    corrects: str | None = None

    @property
    def unclear(self) -> bool:
        """Whether the question is what the request is, rather than one of its slots."""
        return self.decision.intent is None

    @property
    def can_ask(self) -> bool:
        """Whether the budget allows another question."""
        return self.asked < self.budget


class LastAction(Struct, frozen=True, omit_defaults=True):
    """The last thing done, which a correction may name wrong.

    `pointer` is claimed by the correction that redoes the action: an empty one was claimed already. `negated` says
    that the turn was called wrong without a target, which leaves the pointer for a target that follows.
    """

    request: str
    decision: StoredDecision
    utterance: str
    at: float
    pointer: str = ""
    trace_id: str = ""
    negated: bool = False


class Candidate(Struct, frozen=True):
    """One reminder that was read out to choose from."""

    id: str
    text: str
    delivery: str = ""


class Candidates(Struct, frozen=True, omit_defaults=True):
    """The reminders read out, in spoken order. `spent` once one was chosen, so that a second choice is refused."""

    items: tuple[Candidate, ...]
    at: float
    request: str
    spent: bool = False


class Surfaced(Struct, frozen=True):
    """The obligations that were just spoken, in spoken order."""

    items: tuple[str, ...]
    at: float


class Session(Struct, frozen=True):
    """A dialogue between two turns. `stack` has the active request last. `requests` counts those ever made.
    `language` is that of the last words heard, for utterances that are only a number."""

    schema: int = SCHEMA
    requests: int = 0
    language: Literal["ru", "en"] = "ru"
    stack: tuple[Parked, ...] = ()
    last: LastAction | None = None
    candidates: Candidates | None = None
    surfaced: Surfaced | None = None

    @property
    def top(self) -> Parked | None:
        """The request whose question is the open one."""
        return self.stack[-1] if self.stack else None


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Session)


def encode(session: Session) -> bytes:
    """The session as JSON."""
    return _encoder.encode(session)


def decode(data: bytes) -> Session:
    """A stored session. Raises `UnreadableSession` for what is none of this version, whatever the bytes."""
    try:
        session = _decoder.decode(data)
        if session.schema != SCHEMA:
            raise UnreadableSession(f"schema {session.schema}, not {SCHEMA}")
        for parked in session.stack:
            parked.decision.decision()
            if not parked.missing:
                raise UnreadableSession("a parked request that lacks nothing")
        if session.last is not None:
            session.last.decision.decision()
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, ValueError, TypeError) as error:
        raise UnreadableSession(str(error) or type(error).__name__) from None
    return session


def replaced(session: Session, **changes: object) -> Session:
    """A copy with some fields changed."""
    return msgspec.structs.replace(session, **changes)
