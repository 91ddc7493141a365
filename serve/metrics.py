"""Prometheus metrics of one ingress replica, in a registry of their own.

`prometheus_client` and not Ray's: an increment costs 0.5 µs against 7 µs.
"""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_SECONDS = (0.00005, 0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)


class Metrics:
    """The counters. A fresh registry each, so that two applications in one process do not collide."""

    def __init__(self) -> None:
        registry = CollectorRegistry()
        self._registry = registry
        self.requests = Counter(
            "maven_http_requests", "Requests by route and status.", ("path", "status"), registry=registry
        )
        self.seconds = Histogram(
            "maven_http_seconds",
            "Time to answer, in seconds.",
            ("path",),
            buckets=_SECONDS,
            registry=registry,
        )
        self.decisions = Counter(
            "maven_decisions",
            "Decisions by stage, claimant and intent (clarify included).",
            ("stage", "claimant", "intent"),
            registry=registry,
        )
        self.cascade_seconds = Histogram(
            "maven_cascade_seconds",
            "Time of the cascade by the stage that answered, in seconds.",
            ("stage",),
            buckets=_SECONDS,
            registry=registry,
        )
        self.stage_seconds = Histogram(
            "maven_stage_seconds",
            "Time of each stage that was asked, in seconds, whether or not it took the turn.",
            ("stage",),
            buckets=_SECONDS,
            registry=registry,
        )
        self.outcomes = Counter(
            "maven_stage_outcomes",
            "Claims that fell through, by stage.",
            ("claimant", "outcome"),
            registry=registry,
        )
        self.trace_lost = Counter("maven_trace_lost", "Trace records that Redis did not get.", registry=registry)
        self.trace_written = Counter("maven_trace_written", "Trace records in Redis.", registry=registry)
        self.trace_queue = Gauge("maven_trace_queue", "Trace records waiting for Redis.", registry=registry)
        self.shadow = Counter("maven_shadow", "Turns by what the shadow arm said.", ("outcome",), registry=registry)
        self.corrections = Counter(
            "maven_corrections", "Corrections by the right intent.", ("want",), registry=registry
        )
        self.watchers = Gauge("maven_trace_watchers", "Clients of the live stream of records.", registry=registry)
        self.inflight = Gauge("maven_http_inflight", "Requests being worked on.", registry=registry)
        self.up = Gauge(
            "maven_part_up", "1 where the part answered last time it was asked.", ("part",), registry=registry
        )

    def text(self) -> bytes:
        """All of it in Prometheus' text form."""
        return generate_latest(self._registry)
