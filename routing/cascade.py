"""The walk over the stages: stage 0 first, then whatever judges with weights, each of which may decline."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Protocol

from routing import gate, guard, guard_turns, slots, sources, trace
from routing.context import Context
from routing.decision import Claim, Decision, Intent, Outcome, StageName, clarify
from routing.grammars.base import GrammarList
from routing.text import Utterance

log = logging.getLogger(__name__)

GUARD = "order-guard"
GATE = "gate"
FLOOR = "floor"
BOUNDARY = sources.BOUNDARY
CHECKS = "check"

_AND_MORE = frozenset(["и", "а", "потом", "затем", "еще", "также", "плюс", "and", "then", "also", "plus"])
_COMMANDS = frozenset({Intent.ACT, Intent.REMINDER, Intent.SYSTEM, Intent.QUERY, Intent.NOTE, Intent.FACT})


class Stage(Protocol):
    """Anything that may claim an utterance. `name` is its claimant name, `stage` what a response says.

    `decide` gives a claim that won, or one that did not (below threshold, failed), or None to decline. An
    exception counts as a failed claim, and the next stage answers.
    """

    name: str
    stage: StageName

    async def decide(self, utterance: Utterance, context: Context) -> Claim | None: ...


@dataclass(frozen=True, slots=True)
class Turn:
    """A routed utterance.

    `walk` is the sources left to ask, on `query` alone; `missing` the required slots that were not said; `elapsed_ms`
    the time the cascade took, in milliseconds; `personal` the boundary's probability that the question needs the
    owner's records, where it was asked.
    """

    utterance: Utterance
    decision: Decision
    walk: tuple[str, ...] | None
    missing: tuple[str, ...]
    elapsed_ms: float
    personal: float | None = None


Personal = Callable[[str], Awaitable[float]]
"""The personal boundary: an utterance to the probability, 0..1, that it needs the owner's records."""


class Cascade:
    """An ordered list of grammars and an ordered list of stages.

    `gated` puts a statistical claim through the structural gate and the order guard; the `-alone` arms of the
    evaluation switch it off to see a judge as it is.
    """

    def __init__(
        self,
        grammars: GrammarList | None,
        stages: Sequence[Stage],
        *,
        gated: bool = True,
        boundary: Personal | None = None,
    ) -> None:
        self.boundary = boundary
        self.grammars = grammars
        self.stages = tuple(stages)
        self.gated = gated

    def claimants(self) -> tuple[tuple[str, str], ...]:
        """Every (claimant, stage) that a record of this cascade holds, in the order they are heard."""
        names = [(name, StageName.GRAMMAR.value) for name in (self.grammars.names if self.grammars else ())]
        names += [(stage.name, stage.stage.value) for stage in self.stages]
        return (*names, (GUARD, CHECKS), (GATE, CHECKS), (FLOOR, CHECKS), (BOUNDARY, CHECKS))

    async def route(self, raw: str, context: Context) -> Turn:
        """Decide one utterance. Notes every claimant into the record in progress, if there is one."""
        began = perf_counter()
        record = trace.current()
        utterance = Utterance(raw)
        decision, checks = await self._decide(utterance, context, record, began)
        if not checks.filled:
            decision = slots.fill(utterance, decision, context)
        if self._more(utterance, decision, context):
            decision = replace(decision, more=True)
        walk = sources.walk(decision)
        if record is not None:
            record.more = decision.more
            checks.note(record)
        personal = await self._personal(utterance, walk, record)
        elapsed_ms = (perf_counter() - began) * 1e3
        return Turn(utterance, decision, walk, slots.missing(decision), elapsed_ms, personal)

    async def _personal(
        self, utterance: Utterance, walk: tuple[str, ...] | None, record: trace.Record | None
    ) -> float | None:
        """The boundary's verdict where the walk still holds it: whether the question may go outside. It takes no turn
        and moves no source; whoever walks the chain asks it before the world."""
        if self.boundary is None or walk is None or BOUNDARY not in walk:
            if record is not None:
                record.note(BOUNDARY, CHECKS, Outcome.NOT_ASKED)
            return None
        began = perf_counter()
        personal = None
        try:
            personal = await self.boundary(utterance.raw)
            outcome, reason = (Outcome.GATED, "personal") if personal > 0.5 else (Outcome.DECLINED, "world")
        except Exception as error:  # an embedder that is away leaves the question to the caller's own caution
            log.warning("the boundary failed: %s: %s", type(error).__name__, error)
            outcome, reason = Outcome.FAILED, type(error).__name__
        if record is not None:
            micros = (perf_counter() - began) * 1e6
            record.note(BOUNDARY, CHECKS, outcome, score=personal, reason=reason, micros=micros)
        return personal

    async def _decide(
        self, utterance: Utterance, context: Context, record: trace.Record | None, began: float
    ) -> tuple[Decision, _Checks]:
        checks = _Checks()
        if self.grammars is not None:
            position, decision = self.grammars.decide(utterance, context)
            kept = self._guarded(utterance, decision, checks) if decision is not None else None
            if kept is None or kept is not decision:
                behind = self._behind_a_lead(utterance, context)
                if behind is not None:
                    position, decision = behind
                    kept, checks.filled = decision, True
                    checks.guard, checks.guard_passed = None, True
            if record is not None:
                self.grammars.note(record, position, decision, (perf_counter() - began) * 1e6)
                if kept is not decision:
                    record.entries[-len(self.grammars.names) + position].outcome = Outcome.GATED
            if kept is not None:
                self._not_asked(record, 0)
                return kept, checks
        for i, stage in enumerate(self.stages):
            claim, micros = await _ask(stage, utterance, context)
            decision = None
            if claim is not None and claim.outcome is Outcome.OUTSCORED and not self.gated:
                claim = replace(claim, outcome=Outcome.WON)  # a judge alone has nobody to leave the turn to
            if claim is not None and claim.outcome is Outcome.WON and claim.decision is not None:
                decision = self._checked(utterance, claim.decision, context, checks)
                if decision is not claim.decision and decision.claimant != claim.claimant:
                    claim = replace(claim, outcome=Outcome.GATED)
            if record is not None:
                if claim is None:
                    record.note(stage.name, stage.stage.value, Outcome.DECLINED, micros=micros)
                else:
                    record.note_claim(claim, stage.stage.value, micros)
            if decision is not None:
                self._not_asked(record, i + 1)
                return decision, checks
        checks.floor = clarify("no-stage-claimed", stage=StageName.CLASSIFIER, claimant=FLOOR, confidence=0.0)
        return checks.floor, checks

    def _behind_a_lead(self, utterance: Utterance, context: Context) -> tuple[int, Decision] | None:
        """The order behind a clause of its own that leaves it alone ("жена говорит, что холодно, включи обогреватель"),
        read as if nothing else had been said, so that nothing of the clause gets into its slots."""
        begin = guard_turns.own_order(utterance) if self.grammars is not None else None
        if begin is None or self.grammars is None or not guard_turns.lead_apart(utterance, begin):
            return None
        cut, _ = utterance.word_span(begin, begin)
        tail = Utterance(utterance.raw[cut:])
        position, decision = self.grammars.decide(tail, context)
        if decision is None or decision.intent not in (Intent.ACT, Intent.REMINDER):
            return None
        if guard.inspect(tail, decision) is not None:
            return None
        return position, slots.shifted(slots.fill(tail, decision, context), cut)

    def _not_asked(self, record: trace.Record | None, first: int) -> None:
        if record is not None:
            record.not_asked([(stage.name, stage.stage.value) for stage in self.stages[first:]])

    def _guarded(self, utterance: Utterance, decision: Decision, checks: _Checks) -> Decision:
        """The decision, or what is left of it where it is an order that nobody gave."""
        if decision.intent is not Intent.ACT and decision.intent is not Intent.REMINDER:
            return decision
        reason = guard.inspect(utterance, decision)
        if reason is None:
            checks.guard_passed = True
            return decision
        lesser = replace(guard.downgrade(utterance, decision, reason), claimant=GUARD, stage=StageName.GRAMMAR)
        checks.guard, checks.guard_reason = lesser, reason
        return lesser

    def _checked(self, utterance: Utterance, decision: Decision, context: Context, checks: _Checks) -> Decision:
        """A statistical decision after the guard, the extractor and the gate."""
        if not self.gated:
            return decision
        decision = self._guarded(utterance, decision, checks)
        if decision.claimant == GUARD or decision.intent is None:
            return decision
        decision = slots.fill(utterance, decision, context)
        reason = gate.thin(utterance, decision, context)
        if reason is None:
            checks.gate_passed = True
            return decision
        checks.gate = clarify(reason, stage=decision.stage, claimant=GATE, confidence=decision.confidence)
        return checks.gate

    def _more(self, utterance: Utterance, decision: Decision, context: Context) -> bool:
        """Whether a further request stands after a conjunction: heard, and not dropped in silence."""
        if self.grammars is None or decision.intent not in _COMMANDS or len(utterance.words) < 4:
            return False
        words = utterance.words
        for i in range(2, len(words) - 1):
            if words[i] in _AND_MORE and words[i + 1] not in _AND_MORE:
                rest = Utterance(" ".join(words[i + 1 :]))
                _, found = self.grammars.decide(rest, context)
                if found is not None and found.intent in (Intent.ACT, Intent.REMINDER, Intent.SYSTEM):
                    return True
        return False


class _Checks:
    """What the guard, the gate and the floor said, written last into a record."""

    __slots__ = ("filled", "floor", "gate", "gate_passed", "guard", "guard_passed", "guard_reason")

    def __init__(self) -> None:
        self.filled = False
        self.guard: Decision | None = None
        self.guard_reason: str | None = None
        self.guard_passed = False
        self.gate: Decision | None = None
        self.gate_passed = False
        self.floor: Decision | None = None

    def note(self, record: trace.Record) -> None:
        for name, decision, passed, reason in (
            (GUARD, self.guard, self.guard_passed, self.guard_reason),
            (GATE, self.gate, self.gate_passed, self.gate.clarify if self.gate else None),
            (FLOOR, self.floor, False, None),
        ):
            if decision is not None:
                record.note(name, CHECKS, Outcome.WON, decision=decision, reason=reason)
            else:
                record.note(name, CHECKS, Outcome.DECLINED if passed else Outcome.NOT_ASKED)


async def _ask(stage: Stage, utterance: Utterance, context: Context) -> tuple[Claim | None, float]:
    """A stage's claim and its microseconds; an exception is a failed claim, so that no turn breaks on a model."""
    began = perf_counter()
    try:
        claim = await stage.decide(utterance, context)
    except Exception as error:  # any error of a model falls through to the next stage
        log.warning("stage %s failed: %s: %s", stage.name, type(error).__name__, error)
        claim = Claim(stage.name, None, outcome=Outcome.FAILED, reason=type(error).__name__)
    return claim, (perf_counter() - began) * 1e6
