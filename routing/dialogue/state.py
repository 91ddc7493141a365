"""One turn in progress: what it is given, what a rung gives back, and the moves that every rung shares."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Literal, Protocol

from msgspec import Struct
from msgspec.structs import replace as changed

from routing import trace
from routing.context import Context
from routing.decision import Decision
from routing.dialogue import replies
from routing.dialogue.effects import AnyEffect
from routing.dialogue.labels import LabelRow
from routing.dialogue.required import question_for, with_time
from routing.dialogue.session import Parked, Session, StoredDecision, Surfaced
from routing.functions import FunctionTable
from routing.questions import Language, clarify_question
from routing.text import Utterance

ReplyKind = Literal[
    "question",  # a required slot is asked for
    "clarify",  # the request itself is asked for
    "give_up",  # the budget is spent: nothing was done
    "done",  # an effect follows
    "cancelled",  # a parked request was dropped
    "candidates",  # several reminders fit: which one
    "noop",  # nothing was done, and why
    "repaired",  # the last action is done again as something else
    "acknowledged",  # the correction names what it was taken for
    "negative",  # marked wrong, without a target
]

End = Literal["done", "cancelled", "given_up", "expired"]


class Routed(Protocol):
    """What a cascade gives for one utterance (`routing.cascade.Turn` is one)."""

    @property
    def decision(self) -> Decision: ...


Route = Callable[[str, Context], Awaitable[Routed]]
"""The cascade as a function of an utterance and its context (`Cascade.route` is one)."""


@dataclass(frozen=True, slots=True)
class Reminder:
    """A pending reminder of the caller. `delivery` other than "" says that its state is not known ("unknown")."""

    id: str
    text: str
    at: datetime | None = None
    recurrence: str | None = None
    delivery: str = ""


@dataclass(frozen=True, slots=True)
class Limits:
    """`window_s`: a question, a list or a correctable action waits so long, in seconds. `budget`: questions for one
    request. `depth`: requests parked at once. `candidates`: reminders read out to choose from."""

    window_s: float = 300.0
    budget: int = 2
    depth: int = 2
    candidates: int = 5


@dataclass(frozen=True, slots=True)
class DialogueContext:
    """What a turn is given besides its utterance.

    `now` is the caller's instant, aware. `surfaced_items` None means that the caller says nothing of them, and those
    of an earlier turn stand. `trace_id`, `reach` and `versions` go into the label of a spoken correction. Without
    `memory` there is nowhere to keep a question, so none is asked and nothing incomplete is done.
    """

    now: datetime
    timezone: str
    functions: FunctionTable
    pending_reminders: tuple[Reminder, ...] = ()
    surfaced_items: tuple[str, ...] | None = None
    limits: Limits = Limits()
    trace_id: str = ""
    reach: str = "spoken"
    versions: Mapping[str, str] = field(default_factory=dict)
    memory: bool = True


class Reply(Struct, frozen=True):
    """What is said. `text` is all of it; `slot` the gap that is asked about; `resumed` the question of an older
    request, which is the end of `text`."""

    kind: ReplyKind
    text: str
    slot: str | None = None
    resumed: str | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a rung made of the turn. `asked` says that the question on top of the stack is in this reply already;
    `untouched` that the session must stay exactly as it was. `reason` goes into the record."""

    session: Session
    reply: Reply
    effects: tuple[AnyEffect, ...] = ()
    decision: Decision | None = None
    labels: tuple[LabelRow, ...] = ()
    claims: tuple[str, ...] = ()
    ended: tuple[tuple[str, End], ...] = ()
    asked: bool = False
    untouched: bool = False
    reason: str | None = None


@dataclass(slots=True)
class TurnState:
    """A turn in progress. `now` is in seconds since the epoch. The cascade is asked at most once for each text,
    whichever rungs want to know; `record` is what it said of the utterance as it was spoken."""

    session: Session
    utterance: Utterance
    context: DialogueContext
    route: Route
    language: Language
    now: float
    record: trace.Record = field(default_factory=trace.Record)
    declined: str | None = None
    _routed: dict[str, Routed] = field(default_factory=dict)

    async def routed(self, text: str | None = None) -> Routed:
        """The cascade's answer to `text`, by default the utterance."""
        own = text is None or text == self.utterance.raw
        key = self.utterance.raw if text is None else text
        if key not in self._routed:
            with trace.recording(self.record if own else trace.Record()):
                self._routed[key] = await self.route(key, self.plain_context())
        return self._routed[key]

    def plain_context(self) -> Context:
        """The context of the cascade."""
        context = self.context
        surfaced = self.session.surfaced
        items = surfaced.items if surfaced is not None and self.fresh(surfaced.at) else ()
        return Context(context.now, context.timezone, context.functions, items)

    def fresh(self, at: float) -> bool:
        """Whether the answer window that began at `at` is open; a clock set back by more than a window closes it."""
        return abs(self.now - at) <= self.context.limits.window_s

    def say(self, line: str, **fields: object) -> str:
        """A line in the language of the utterance."""
        return replies.line(line, self.language, **fields)

    def noop(self, line: str, reason: str, *, untouched: bool = False) -> Outcome:
        """Nothing is done, and the reply says so."""
        return Outcome(self.session, Reply("noop", self.say(line)), reason=reason, untouched=untouched)

    def decline(self, reason: str) -> None:
        """Decline with a reason for the record."""
        self.declined = reason


def with_surfaced(session: Session, context: DialogueContext, now: float) -> Session:
    """The session with the items that the caller says were just spoken."""
    if context.surfaced_items is None:
        return session
    surfaced = Surfaced(context.surfaced_items, now) if context.surfaced_items else None
    return changed(session, surfaced=surfaced)


def next_request(session: Session) -> tuple[Session, str]:
    """The number of a new request, and the session that has counted it."""
    count = session.requests + 1
    return changed(session, requests=count), f"r{count}"


def complete_top(session: Session) -> Session:
    """The session without its active request: the one below, if any, is the active one."""
    return changed(session, stack=session.stack[:-1])


def question_of(parked: Parked, language: Language, *, again: bool = False) -> str | None:
    """The open question of a parked request; None where it has no valid one."""
    decision = parked.decision.decision()
    if decision.intent is None:
        return clarify_question(decision.clarify or "", language)
    return question_for(decision, parked.missing[0], language, again=again)


def ask(state: TurnState, session: Session, parked: Parked, *, again: bool = False) -> Outcome:
    """Ask about the first gap of `parked` and park it on top of `session`'s stack, which does not hold it; or give
    up where the budget is spent, the gap has no valid question, or there is no room."""
    decision = parked.decision.decision()
    if not state.context.memory:
        text = state.say("no-memory")
        return Outcome(
            session, Reply("give_up", text), decision=decision, ended=((parked.request, "given_up"),),
            reason="no-memory",
        )  # fmt: skip
    question = question_of(parked, state.language, again=again)
    if question is None or not parked.can_ask:
        return give_up(state, session, parked, "no-question" if question is None else "budget-spent")
    if len(session.stack) >= state.context.limits.depth:
        return give_up(state, session, parked, "stack-full", "give-up-depth")
    kept = changed(parked, asked=parked.asked + 1, asked_at=state.now, language=state.language)
    kind: ReplyKind = "clarify" if parked.unclear else "question"
    return Outcome(
        changed(session, stack=(*session.stack, kept)),
        Reply(kind, question, slot=None if parked.unclear else parked.missing[0]),
        decision=with_time(decision, parked.time),
        asked=True,
        reason=f"asked:{parked.missing[0]}",
    )


def give_up(state: TurnState, session: Session, parked: Parked, reason: str, line: str = "give-up") -> Outcome:
    """Say the give-up line and perform nothing. `session` no longer holds the request."""
    return Outcome(
        session,
        Reply("give_up", state.say(line)),
        decision=parked.decision.decision(),
        ended=((parked.request, "given_up"),),
        reason=reason,
    )


def new_parked(
    state: TurnState,
    request: str,
    decision: Decision,
    utterance: str,
    missing: tuple[str, ...],
    *,
    corrects: str | None = None,
) -> Parked:
    """A request about which nothing was asked yet."""
    return Parked(
        request, StoredDecision.of(decision), utterance, missing, state.now, asked=0,
        budget=state.context.limits.budget, language=state.language, corrects=corrects,
    )  # fmt: skip


def prefixed(outcome: Outcome, text: str) -> Outcome:
    """The outcome with `text` said before its reply."""
    said = f"{text} {outcome.reply.text}".strip()
    return replace(outcome, reply=changed(outcome.reply, text=said))
