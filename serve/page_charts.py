"""The two small charts over a list of decisions: share by stage, and time to decide."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from serve.schemas import TraceRecord
from serve.trace_store import stage_of

_STAGES = ("ladder", "grammar", "heads", "resident", "classifier")
_EDGES = (0.5, 1.0, 2.0, 5.0, 20.0, 100.0)
_NAMES = ("<0.5", "<1", "<2", "<5", "<20", "<100", "≥100")
_BAR = 170.0
_HEIGHT = 54.0
_WIDE, _PITCH = 38, 45


@dataclass(frozen=True, slots=True)
class Share:
    """One bar of the first chart, in its units of drawing."""

    name: str
    width: float
    label: str


@dataclass(frozen=True, slots=True)
class Bucket:
    """One bar of the second chart."""

    name: str
    count: int
    x: int
    wide: int
    height: float


@dataclass(frozen=True, slots=True)
class Charts:
    """Both charts, and each in words for whoever does not see them."""

    shares: list[Share]
    shares_text: str
    latency: list[Bucket]
    latency_text: str


def charts_of(records: Sequence[TraceRecord]) -> Charts:
    """The charts of `records`."""
    count = Counter(stage_of(record) for record in records)
    total = max(len(records), 1)
    shares = [
        Share(name, round(_BAR * count[name] / total, 1), f"{100 * count[name] / total:.0f} % ({count[name]})")
        for name in _STAGES
        if count[name]
    ]
    times = sorted(record.elapsed_ms for record in records)
    buckets = Counter(sum(time >= edge for edge in _EDGES) for time in times)
    most = max(buckets.values(), default=1)
    latency = [
        Bucket(name, buckets[i], 3 + i * _PITCH, _WIDE, round(_HEIGHT * buckets[i] / most, 1))
        for i, name in enumerate(_NAMES)
    ]
    words = "; ".join(f"{share.name} {share.label}" for share in shares)
    return Charts(shares, words, latency, f"p50 {_quantile(times, 0.5):.2f} · p95 {_quantile(times, 0.95):.2f}")


def _quantile(times: Sequence[float], share: float) -> float:
    """The nearest-rank quantile of sorted times; 0 of none."""
    return times[min(len(times) - 1, int(share * len(times)))] if times else 0.0
