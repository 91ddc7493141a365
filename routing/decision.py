"""The words everything else speaks: intents, sources, slots, decisions and claims."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from routing.times import TimeExpression


class Intent(StrEnum):
    """What an utterance asks of the assistant: exactly seven values."""

    QUERY = "query"
    FACT = "fact"
    NOTE = "note"
    REMINDER = "reminder"
    ACT = "act"
    SYSTEM = "system"
    CHAT = "chat"


class Source(StrEnum):
    """Where the answer to a `query` lives; `UNKNOWN` (the floor) names nothing and walks the whole chain."""

    UNKNOWN = ""
    RECALL = "recall"
    CALENDAR = "calendar"
    TASKS = "tasks"
    LIST = "list"
    ATTENTION = "attention"
    HOUSE = "house"
    NETWORK = "network"
    WEATHER = "weather"
    FEED = "feed"
    CLOCK = "clock"
    SELF = "self"
    WORLD = "world"


class Outcome(StrEnum):
    """How a claimant's turn at the utterance ended."""

    WON = "won"
    DECLINED = "declined"
    OUTSCORED = "outscored"
    GATED = "gated"
    FAILED = "failed"
    NOT_ASKED = "not_asked"


class StageName(StrEnum):
    """The stage that answered, as it stands in a response."""

    GRAMMAR = "grammar"
    HEADS = "heads"
    RESIDENT = "resident"
    CLASSIFIER = "classifier"


SLOT_NAMES = ("time", "fn", "key", "value", "text")
"""The five slots, in the order responses print them."""

Span = tuple[int, int]
"""Half-open character range into the original utterance."""


@dataclass(frozen=True, slots=True)
class Slots:
    """Slot values of a decision. Each is a literal substring of the utterance, but `fn`.

    `fn` is the allowlisted function name that the spoken verb resolves to; the verb's own words are at
    `spans["fn"]`. `spans` maps a slot name to its character range in the original utterance.
    """

    time: str | None = None
    fn: str | None = None
    key: str | None = None
    value: str | None = None
    text: str | None = None
    spans: Mapping[str, Span] = field(default_factory=dict)

    def get(self, name: str) -> str | None:
        """Value of the slot `name`, one of `SLOT_NAMES`."""
        value: str | None = getattr(self, name)
        return value

    def filled(self, name: str, value: str | None, span: Span | None = None) -> Slots:
        """A copy with one slot set (and its span, where it is a literal one)."""
        spans = dict(self.spans)
        if span is not None:
            spans[name] = span
        changes: dict[str, Any] = {name: value, "spans": spans}
        return replace(self, **changes)

    def as_dict(self) -> dict[str, str | None]:
        """Slot name to value, all five names present."""
        return {name: getattr(self, name) for name in SLOT_NAMES}

    @classmethod
    def of(cls, original: str, spans: Mapping[str, Span], fn: str | None = None) -> Slots:
        """Slots read off literal spans of `original`; `fn` is the resolved function name, if any."""
        values: dict[str, Any] = {name: original[start:end] for name, (start, end) in spans.items() if name != "fn"}
        return cls(fn=fn, spans=dict(spans), **values)


@dataclass(frozen=True, slots=True)
class Decision:
    """What an utterance is. `intent` is None exactly when the decision is to ask (`clarify` says why).

    `source` and `source_anchored` mean something on `query` alone; `source_anchored` is true only when a stage 0
    grammar named the source, and is what may take the personal boundary off the walk. `confidence` is in 0..1.
    `more` says that a further request was heard after the one decided.
    """

    intent: Intent | None
    source: Source = Source.UNKNOWN
    source_anchored: bool = False
    slots: Slots = Slots()
    time: TimeExpression | None = None
    stage: StageName = StageName.GRAMMAR
    claimant: str = ""
    confidence: float = 1.0
    more: bool = False
    clarify: str | None = None

    def summary(self) -> str:
        """Short reading of what this would make the turn: `query:world`, `act:light.on`, `clarify`."""
        if self.intent is None:
            return "clarify"
        tail = self.slots.fn if self.intent is Intent.ACT else self.source.value
        return f"{self.intent.value}:{tail}" if tail else self.intent.value


def clarify(reason: str, **fields: object) -> Decision:
    """A decision to ask; `reason` is a short stable identifier such as `thin-single-token`."""
    return Decision(intent=None, clarify=reason, **fields)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Claim:
    """What a stage would make the turn: a decision, the score it reports (0..1), and how the claim ended.

    `outcome` other than `WON` means the stage answered but does not take the turn (below its threshold, thinned by
    the gate, failed); `reason` says why in a short stable identifier.
    """

    claimant: str
    decision: Decision | None
    score: float | None = None
    outcome: Outcome = Outcome.WON
    reason: str | None = None
    details: Mapping[str, object] = field(default_factory=dict)
