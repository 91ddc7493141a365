"""Rung `reminder-cancellation`: an addressed order to cancel a reminder, before anything else hears the turn.

The frame is closed: an imperative in command position, then the noun. A question, a report, a past tense or a
prohibition has no authority to change anything. What follows the noun is matched against every pending reminder.
Nothing is guessed: a time that cannot be read or a subject that fits nothing is an explicit no-op.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from msgspec.structs import replace as changed

from routing.decision import Decision, Intent, Slots
from routing.dialogue import replies
from routing.dialogue.effects import REMINDER_CANCEL, CancelReminder
from routing.dialogue.session import Candidate, Candidates, Session
from routing.dialogue.state import Outcome, Reminder, Reply, TurnState, next_request
from routing.dialogue.subjects import Term, said_in, subject_fits, terms, time_fits
from routing.lexicon import words_of
from routing.text import Utterance
from routing.times import TimeExpression, find_times

NAME = "reminder-cancellation"

_VERBS = words_of(
    "отмени отмените отменяй отменяйте удали удалите удаляй удаляйте убери уберите убирай убирайте сними "
    "снимите снимай "
    "сотри сотрите стирай выключи выключите выключай отключи отключите отключай выруби вырубите сбрось "
    "сбросьте "
    "cancel delete remove drop dismiss disable clear scrap erase"
)
_TWO_WORD_VERBS = frozenset({("turn", "off"), ("switch", "off"), ("call", "off"), ("get", "rid"), ("shut", "off")})
_NOUNS = words_of(
    "напоминание напоминания напоминаний напоминанье напоминалку напоминалки напоминалка напоминалок "
    "будильник будильники будильника будильников будильничек reminder reminders alarm alarms"
)
_BETWEEN = words_of(
    "мне мое мой мои моего моих наше наш свое свой это этот эти то тот те все пожалуйста плиз сейчас "
    "быстро быстренько теперь "
    "уже тогда давай еще мавен последнее последний ближайшее ближайший следующее следующий of the my our "
    "this that these "
    "those all any please a an me last next nearest just now then"
)
_PROHIBITIONS = words_of("не ни not don't dont never")
_CONDITIONS = words_of("если бы кабы if unless")
_REPORTS = words_of(
    "сказал сказала сказали говорит говорят говорил говорила попросил попросила попросили просил просила "
    "велел велела велели "
    "написал написала пишет крикнул крикнула ответил ответила said says told asked wrote shouted"
)
_TRAILING = tuple(
    tuple(phrase.split())
    for phrase in (
        "больше не нужно", "больше не надо", "уже не нужно", "уже не надо", "мне не нужно",
        "больше не актуально",
        "уже не актуально", "больше не нужен", "уже не нужен", "за ненадобностью", "i don't need it",
        "i don't need it anymore",
        "it's not needed", "it's no longer needed", "не актуально",
    )
)  # fmt: skip
_QUOTES = "«“„\"'‘"
_DAYS = {
    "завтрашний": "завтра", "завтрашнее": "завтра", "завтрашние": "завтра", "сегодняшний": "сегодня",
    "сегодняшнее": "сегодня", "сегодняшние": "сегодня", "послезавтрашний": "послезавтра",
    "послезавтрашнее": "послезавтра", "tomorrow's": "tomorrow", "today's": "today",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Frame:
    """An addressed order to cancel: the subject words beside the noun, and the utterance for its times."""

    utterance: Utterance
    subject: tuple[int, ...]


def frame_of(utterance: Utterance) -> Frame | None:
    """The frame of an utterance with authority to cancel, or None."""
    words = utterance.words
    if utterance.question or not words or utterance.raw.lstrip()[:1] in _QUOTES:
        return None
    at = _after_verb(words)
    if at == 0:
        return None
    noun = next((i for i in range(at, min(at + 6, len(words))) if words[i] in _NOUNS), None)
    if noun is None or not _PROHIBITIONS.isdisjoint(words[:noun]):
        return None
    between = [i for i in range(at, noun) if words[i] not in _BETWEEN]
    end = _subject_end(words, noun + 1)
    after = words[noun + 1 : end]
    if not (_REPORTS | _CONDITIONS).isdisjoint(words) or tuple(after[-2:]) in (("не", "надо"), ("не", "нужно")):
        return None
    if between and not all(_describes(words[i]) for i in between):
        return None
    return Frame(utterance, (*between, *range(noun + 1, end)))


def _after_verb(words: list[str]) -> int:
    """Index after the imperative in command position; 0 where there is none. A doubled one is heard once."""
    at = 0
    while at < len(words) and (words[at].removesuffix("-ка") in _VERBS):
        at += 1
    if at == 0 and tuple(words[:2]) in _TWO_WORD_VERBS:
        at = 3 if words[2:3] == ["of"] else 2
    return at


def _describes(word: str) -> bool:
    """Whether a word between verb and noun may describe the noun: an adjective, a preposition or part of a time.
    A noun there would be the object, and the reminder something else."""
    return (
        word in _DAYS
        or word[0].isdigit()
        or word.endswith(("ий", "ый", "ой", "ее", "ое", "ие", "ые", "ую", "юю", "его", "ого"))
        or word in _TIME_WORDS
    )


_TIME_WORDS = words_of(
    "на в завтра сегодня послезавтра утра вечера дня ночи час два три четыре пять шесть семь восемь девять "
    "десять одиннадцать "
    "двенадцать полдень тридцать пятнадцать утром вечером tomorrow today morning evening o'clock am pm for "
    "at seven six eight "
    "nine ten five daily weekly"
)


def _subject_end(words: list[str], start: int) -> int:
    """Where the subject ends: what says only that the reminder is no longer wanted is none of it."""
    end = len(words)
    for phrase in sorted(_TRAILING, key=len, reverse=True):
        if end - len(phrase) >= start and tuple(words[end - len(phrase) : end]) == phrase:
            end -= len(phrase)
            break
    return end


def resolve(state: TurnState, session: Session, frame: Frame, request: str) -> Outcome:
    """Match the frame against every pending reminder: one is cancelled, several are read out, none is a no-op."""
    pending = state.context.pending_reminders
    if not pending:
        return _nothing(state, session, "cancel-none-pending", "none-pending")
    times, subject = _read(frame, state)
    matched = [r for r in pending if _matches(state, r, frame, times, subject)]
    if not matched:
        unread = any(not time.resolved for time, _ in times)
        if unread:
            return _nothing(state, session, "cancel-unread-time", "unread-time")
        return _nothing(state, session, "cancel-no-match", "no-match")
    if len(matched) == 1:
        one = matched[0]
        return cancel(state, session, Candidate(one.id, one.text, one.delivery), request)
    if not state.context.memory:
        return _nothing(state, session, "cancel-no-memory", "no-memory")
    return _read_out(state, session, matched, request)


def cancel(state: TurnState, session: Session, chosen: Candidate, request: str) -> Outcome:
    """Cancel one reminder, unless it may have gone off already."""
    if chosen.delivery:
        return _nothing(state, session, "cancel-unknown-delivery", "unknown-delivery")
    decision = Decision(Intent.ACT, slots=Slots(fn=REMINDER_CANCEL, text=chosen.text), claimant=NAME)
    return Outcome(
        session,
        Reply("done", state.say("cancel-one", text=chosen.text)),
        effects=(CancelReminder(request=request, id=chosen.id, text=chosen.text),),
        decision=decision,
        ended=((request, "done"),),
        reason="one-match",
    )


def _read_out(state: TurnState, session: Session, matched: list[Reminder], request: str) -> Outcome:
    said = matched[: state.context.limits.candidates]
    texts = [_spoken(state, one, said) for one in said]
    more = len(matched) - len(said)
    line = "cancel-which-more" if more else "cancel-which"
    text = state.say(line, list=replies.spoken_list(texts, state.language), more=more)
    items = tuple(Candidate(one.id, one.text, one.delivery) for one in said)
    return Outcome(
        changed(session, candidates=Candidates(items, state.now, request)),
        Reply("candidates", text),
        decision=Decision(Intent.ACT, slots=Slots(fn=REMINDER_CANCEL), claimant=NAME),
        reason=f"matches:{len(matched)}",
    )


def _spoken(state: TurnState, reminder: Reminder, among: list[Reminder]) -> str:
    """A reminder as it is read out: its text, and its time where the text alone would not tell it apart."""
    if reminder.at is None or sum(other.text == reminder.text for other in among) == 1:
        return reminder.text
    local = reminder.at.astimezone(state.context.now.tzinfo)
    return f"{reminder.text} ({local:%d.%m %H:%M})"


def _nothing(state: TurnState, session: Session, line: str, reason: str) -> Outcome:
    return Outcome(
        session,
        Reply("noop", state.say(line)),
        decision=Decision(Intent.ACT, slots=Slots(fn=REMINDER_CANCEL), claimant=NAME),
        reason=reason,
    )


_Times = list[tuple[TimeExpression, tuple[str, ...]]]


def _read(frame: Frame, state: TurnState) -> tuple[_Times, tuple[Term, ...]]:
    """The times of a frame, each with its words, and the terms of what is left."""
    utterance, context = frame.utterance, state.context
    times: _Times = []
    timed: set[int] = set()
    for found in find_times(utterance.raw, context.now, context.timezone):
        time = found
        first, last = utterance.words_of((time.start, time.end))
        inside = [i for i in range(first, last) if i in frame.subject]
        if inside:
            if first > 0 and utterance.words[first - 1] in ("не", "not"):
                # "не на завтра, а на пятницу": which one is meant is not read here
                time = replace(time, at=None, resolved=False)
            times.append((time, tuple(utterance.words[i] for i in inside)))
            timed.update(inside)
    rest = []
    for i in frame.subject:
        word = utterance.words[i]
        if i in timed:
            continue
        if word in _DAYS:
            times.extend((t, (word,)) for t in find_times(_DAYS[word], context.now, context.timezone))
        else:
            rest.append(word)
    return times, terms(rest)


def _matches(state: TurnState, reminder: Reminder, frame: Frame, times: _Times, subject: tuple[Term, ...]) -> bool:
    context = state.context
    for time, words in times:
        named = time.resolved and time_fits(time, reminder, context.now, context.timezone)
        if not named and not said_in(words, reminder.text):
            return False
    return subject_fits(subject, reminder.text)


async def rung(state: TurnState) -> Outcome | None:
    """Claim an addressed order to cancel a reminder."""
    frame = frame_of(state.utterance)
    if frame is None:
        return None
    session, request = next_request(state.session)
    return resolve(state, session, frame, request)
