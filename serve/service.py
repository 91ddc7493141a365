"""What the HTTP routes, the command line and the evaluation call: cascades by arm, the embedder, and records."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np

from models.arms import ARMS, Arm, build_cascade
from models.boundary import BoundaryHead
from models.classifier import Classifier, ClassifierStage, Embed, Vectors, load_seeds, seed_vectors
from routing import trace
from routing.cascade import Cascade, Stage, Turn
from routing.context import Context
from routing.functions import FunctionTable
from routing.grammars import stage_zero
from serve.requests import clarify_value, decision_value
from serve.schemas import ClaimValue, ShadowValue, TraceRecord
from serve.settings import Settings

Describe = Callable[[], Awaitable[Mapping[str, Any]]]


def function_table(settings: Settings) -> FunctionTable:
    """The built-in functions and the owner's; the same name replaces."""
    table = FunctionTable.default([function.model_dump() for function in settings.functions])
    table.prepare()
    return table


class Router:
    """Every arm of this instance over one set of stages.

    `embed` turns texts into vectors (in process or in another deployment); `describe` tells the embedder's id, under
    which the vectors of the seed phrases are cached in `settings.home`.
    """

    def __init__(
        self,
        settings: Settings,
        embed: Embed,
        describe: Describe,
        stages: Mapping[str, Stage] | None = None,
        versions: Mapping[str, str] | None = None,
    ) -> None:
        self.settings = settings
        self.functions = function_table(settings)
        self.embed = embed
        self._describe = describe
        self._classifier: Classifier | None = None
        self._boundary: BoundaryHead | None = None
        self._loading = asyncio.Lock()
        self.versions: dict[str, str] = {"grammars": stage_zero().hash, **(versions or {})}
        known: dict[str, Stage] = dict(stages or {})
        known["classifier"] = ClassifierStage(self.classifier, embed, settings.models.classifier.threshold)
        self.stages: Mapping[str, Stage] = known
        boundary = self._personal if settings.models.boundary.enabled else None
        self.cascades: dict[Arm, Cascade] = {}
        for arm in ARMS:
            if not arm.endswith("-alone") or arm.removesuffix("-alone") in known:
                self.cascades[arm] = build_cascade(arm, known, boundary)

    async def classifier(self) -> Classifier:
        """The classifier, its seeds embedded on first use (once for an embedder's id, then read from the cache)."""
        if self._classifier is None:
            async with self._loading:
                if self._classifier is None:
                    self._classifier = await self._load_classifier()
        return self._classifier

    async def _load_classifier(self) -> Classifier:
        about = await self._describe()
        seeds = load_seeds()
        cache = Path(self.settings.home) / "cache" / "seeds"
        vectors = await seed_vectors(seeds, self._embed_many, str(about["id"]), cache)
        self.versions["embedder"] = str(about["id"])
        return Classifier(seeds, vectors)

    async def _personal(self, utterance: str) -> float:
        """The probability that a question needs the owner's records."""
        if self._boundary is None:
            about = await self._describe()
            path = self.settings.models.boundary.path
            self._boundary = BoundaryHead.load(str(about["id"]), *([path] if path is not None else []))
        (vector,) = await self.embed([utterance])
        return self._boundary.personal(vector)

    async def _embed_many(self, texts: Sequence[str]) -> Vectors:
        """`embed` in pieces, so that no single call outlasts the embedder's deadline."""
        pieces = [await self.embed(texts[i : i + 32]) for i in range(0, len(texts), 32)]
        return np.concatenate(pieces)

    async def route(self, utterance: str, context: Context, arm: Arm | None = None) -> tuple[Turn, trace.Record]:
        """Decide one utterance, with its record. `arm` defaults to the configured one; `KeyError` for an arm that
        this instance lacks."""
        record = trace.Record()
        cascade = self.cascades[arm or self.settings.cascade.arm]
        with trace.recording(record):
            turn = await cascade.route(utterance, context)
        return turn, record


def _claim(entry: trace.Entry) -> ClaimValue:
    micros = None if entry.micros is None else round(entry.micros, 1)
    return ClaimValue(
        entry.claimant, entry.stage, entry.outcome.value, entry.would_be, entry.score, entry.reason, micros
    )


def trace_record(
    trace_id: str,
    at: datetime,
    kind: str,
    arm: str,
    turn: Turn,
    record: trace.Record,
    versions: Mapping[str, str],
    shadow: ShadowValue | None = None,
) -> TraceRecord:
    """The stored form of one turn. A decision that neither names an intent nor asks stands for a turn that was only
    about the dialogue: the record has none."""
    decided = turn.decision.intent is not None or turn.decision.clarify is not None
    return TraceRecord(
        id=trace_id,
        at=at.isoformat(),
        kind=kind,
        utterance=turn.utterance.raw,
        arm=arm,
        decision=decision_value(turn.decision) if decided else None,
        clarify=clarify_value(turn.decision, turn.utterance.raw),
        claims=[_claim(entry) for entry in record.entries],
        elapsed_ms=round(turn.elapsed_ms, 3),
        versions=dict(versions),
        more=turn.decision.more,
        shadow=shadow,
    )
