"""Records for tests, without a cascade behind them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from serve.schemas import ClaimValue, DecisionValue, ShadowValue, SlotValues, TraceRecord
from serve.ulid import ulid_at


def record_of(utterance: str = "что такое кварк", *, at: float = 1_800_000_000.0, **changes: Any) -> TraceRecord:
    """A record of the instant `at` (seconds since the epoch). `changes` are fields of its decision, or `shadow`."""
    shadow: ShadowValue | None = changes.pop("shadow", None)
    fields: dict[str, Any] = {
        "intent": "query", "source": "world", "source_anchored": True, "slots": SlotValues(), "time": None,
        "stage": "grammar", "claimant": "definition-query", "confidence": 1.0, **changes,
    }  # fmt: skip
    claims = [
        ClaimValue("definition-query", "grammar", "won", "query:world", 1.0, None, 12.5),
        ClaimValue("classifier", "classifier", "not_asked", None, None, None, None),
    ]
    return TraceRecord(
        ulid_at(round(at * 1e3)), datetime.fromtimestamp(at, UTC).isoformat(), "route", utterance, "full",
        DecisionValue(**fields), None, claims, 0.4, {"grammars": "0123456789ab"}, shadow=shadow,
    )  # fmt: skip


def disagreeing() -> ShadowValue:
    """A shadow that would have made it a chat."""
    chat = DecisionValue("chat", "", False, SlotValues(), None, "classifier", "classifier", 0.6)
    return ShadowValue("classifier", chat, False, 0.9)
