"""Row 12: reminders, alarms and timers, and the recall questions that only look like one.

Observed: models route "напомни" well but leave its time and text to the caller, and read speech recognition's
"напомнить через пять минут" as a note; asking "Когда?" of a sentence that said when is the defect this removes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from routing.context import Context
from routing.decision import Decision, Intent, Slots, Source, Span
from routing.grammars.base import Grammar, Match, group, group_span
from routing.grammars.reminder_questions import reads_as_question
from routing.grammars.reminder_words import (
    CANCELLING,
    FILL,
    FRONT,
    GAPS_BY_ENDING,
    KEPT_TEXT,
    MAKE,
    MAKE_EN,
    NOUN,
    NOUN_EN,
    RECALL_NOUNS,
    REMIND,
    REMIND_EN,
    SUBJECTS,
    TAIL,
    TIME_IT,
    WAKE,
)
from routing.guard_words import PROHIBITION
from routing.lexicon import ASKING, PREPOSITIONS, SOFT, any_of, words_of
from routing.text import Utterance
from routing.times import TimeExpression, find_times, parse_time

LONGEST = 100
"""Most words of a reminder: what is longer is dictation, and reading its times costs milliseconds."""


def _times(utterance: Utterance, context: Context, durations: bool) -> tuple[TimeExpression | None, list[Span]]:
    """The time the utterance is about, and the spans that were said as time and so are no payload."""
    raw = utterance.raw
    found = find_times(raw, context.now, context.timezone, durations=durations)
    if not found:
        return None, []
    main = parse_time(raw, context.now, context.timezone, durations=durations)
    if main is None or len(found) == 1:
        return main, [(one.start, one.end) for one in found]
    # pieces apart that name one moment ("завтра позвонить маме в девять") are all time, another day is payload
    same = [one for one in found if one.at and main.at and one.at.date() == main.at.date()]
    spans = [(one.start, one.end) for one in found if one in same or (one.start, one.end) == (main.start, main.end)]
    return main, spans


def _timed(utterance: Utterance, spans: Sequence[Span]) -> frozenset[int]:
    """Indexes of the words that lie in time expressions."""
    out: set[int] = set()
    for span in spans:
        first, last = utterance.words_of(span)
        out.update(range(first, last))
    return frozenset(out)


def _payload(words: Sequence[str], first: int, last: int, timed: frozenset[int]) -> tuple[int, int] | None:
    """Word range of what is left of words `first` to `last` without time and command words at its edges."""
    a, b = first, last
    while a < b and (a in timed or words[a] in FRONT):
        a += 1
    if words[a : a + 2] == ["то", "забуду"] and a + 2 < b:
        a += 2
    if a < b and words[a] in ("о", "об") and words[a + 1 : a + 3] in (["том", "что"], ["том", "чтобы"]):
        a += 3
    elif a < b and (words[a] in ("что", "чтобы", "чтоб", "that") or (words[a] == "to" and a + 1 < b)):
        a += 1
        if (
            a < b
            and words[a] in ("я", "мы", "i", "мне", "нам")
            and a + 1 < b
            and words[a + 1] in ("надо", "нужно", "пора")
        ):
            a += 1
    while a < b and a in timed:
        a += 1
    if a + 1 < b and words[a] in ("надо", "нужно", "to"):
        a += 1
    while b > a and (b - 1 in timed or words[b - 1] in TAIL):
        b -= 1
    a = _after_clause(words, a, b)
    if b > a and all(word in SOFT or word in PREPOSITIONS for word in words[a:b]):
        return None
    return (a, b) if b > a else None


def _after_clause(words: Sequence[str], a: int, b: int) -> int:
    """Where the payload starts after a clause that says when ("когда приду домой полить цветы")."""
    if words[a : a + 1] in (["когда"], ["when"]) or words[a : a + 2] in (["как", "только"], ["as", "soon"]):
        for i in range(a + 2, b - 1):
            if words[i] == "to":
                return i + 1
            if words[i].endswith(("ть", "ться", "тись")) and len(words[i]) > 4:
                return i
    return a


def _decision(utterance: Utterance, time: TimeExpression | None, text: tuple[int, int] | None) -> Decision:
    spans: dict[str, Span] = {}
    if time is not None:
        spans["time"] = (time.start, time.end)
    if text is not None:
        spans["text"] = utterance.word_span(text[0], text[1] - 1)
    return Decision(Intent.REMINDER, slots=Slots.of(utterance.raw, spans), time=time, claimant="reminder")


def _command(utterance: Utterance, match: Match) -> tuple[int, int] | None:
    span = group_span(utterance, match, "cmd")
    return utterance.words_of(span) if span is not None else None


_WANT_YOU = ("want you to", "like you to", "need you to", "ask you to")


def _refused(words: Sequence[str], first: int, form: str, timed: frozenset[int]) -> bool:
    """Whether the words before the command make it no command."""
    pre = words[:first]
    if PROHIBITION.search(f" {' '.join(words)} "):
        return True
    if not pre:
        return False
    last = pre[-1]
    if " ".join(pre).endswith(_WANT_YOU):
        return False
    if last in ("не", "don't", "not", "never", "нельзя", "незачем"):
        polite = form.endswith("шь") or "мог" in pre or "могла" in pre or "могли" in pre or "можешь" in pre
        if form == "напомнить" and len(pre) >= 2 and pre[-2] in ("мог", "могла", "можешь"):
            return False
        return not polite
    if any_of(pre, CANCELLING):
        return True
    clean = [word for i, word in enumerate(pre) if i not in timed and word not in SOFT]
    if "забудь" in clean or "забудьте" in clean:
        return False
    if any_of(clean, SUBJECTS):
        # "я приду домой напомни ..." never starts an order, "когда я приду домой, напомни ..." does
        return not (
            clean and clean[0] in ("когда", "when", "как") and not any_of(clean, words_of("сказал сказала просил"))
        )
    return False


def _build_remind(utterance: Utterance, match: Match, context: Context) -> Decision | None:
    place = _command(utterance, match)
    if place is None:
        return None
    words = utterance.words
    first, after = place
    form = words[first].removesuffix("-ка")
    while after < len(words) and words[after] == words[first]:  # a stutter of speech recognition
        after += 1
    time, spans = _times(utterance, context, False)
    timed = _timed(utterance, spans)
    if _refused(words, first, form, timed):
        return None
    pre = [word for i, word in enumerate(words[:first]) if i not in timed and word not in SOFT]
    if form in ("напомню", "напомним") and not _said_as_command(utterance, first, after, pre, timed):
        return None
    if form in ("напомнить", "напоминать") and any(
        word
        not in (
            "не",
            "забудь",
            "забудьте",
            "можешь",
            "можете",
            "мог",
            "могла",
            "могли",
            "прошу",
            "попрошу",
            "просьба",
            "хочу",
            "можно",
        )
        for word in pre
    ):
        return None
    if form in ("напомнить", "напомнишь") and utterance.question and "тебе" in words:
        return None
    if after < len(words) and words[after] == "о" and words[after + 1 : after + 2] == ["себе"]:
        return None
    if reads_as_question(words, after, utterance, timed):
        return None
    tail = _payload(words, after, len(words), timed)
    head = None
    if tail is None:
        content = [i for i in range(first) if i not in timed and words[i] not in SOFT and words[i] not in _POLITE_PRE]
        head = _payload(words, content[0], first, timed) if content else None
    return _decision(utterance, time, tail or head)


_POLITE_PRE = words_of(
    "не мог могла могли можешь можете бы ты вы забудь забудьте прошу попрошу хочу чтобы можно если трудно сложно"
)


def _said_as_command(utterance: Utterance, first: int, after: int, pre: Sequence[str], timed: frozenset[int]) -> bool:
    """ "напомню через пять минут": speech recognition's hearing of "напомни". A first person with a subject or an
    addressee stays a promise."""
    words = utterance.words
    if pre or any_of(words[:first], words_of("я мы потом")):
        return False
    rest = [word for word in words[after:] if word not in ("мне", "пожалуйста")]
    if not rest or rest[0] in words_of("ему ей им вам тебе всем что как кто о об про маме папе лене"):
        return False
    return after in timed or (words[after] in ("мне",) and after + 1 in timed)


def _build_noun(utterance: Utterance, match: Match, context: Context) -> Decision | None:
    """ "поставь будильник на семь", "таймер десять минут", "set an alarm for 7"."""
    place = _command(utterance, match)
    if place is None:
        return None
    words = utterance.words
    first, after = place
    noun = words[after - 1]
    reminder = noun.startswith(("напомин", "reminder"))
    time, spans = _times(utterance, context, not reminder)
    timed = _timed(utterance, spans)
    if _refused(words, first, words[first], timed) or any_of(
        words, words_of("паузу pause громче тише громкость мелодию")
    ):
        return None
    verb_less = not group(match, "verb")
    if any_of(words[:first], ASKING | words_of("я он она мы они i he she they")):
        return None
    everywhere = find_times(utterance.raw, context.now, context.timezone, durations=True)
    timed |= _timed(utterance, [(one.start, one.end) for one in everywhere])
    gap = [
        word
        for i, word in enumerate(words[first : after - 1], first)
        if i not in timed and word not in FILL and not word.endswith(GAPS_BY_ENDING)
    ]
    verb = (group(match, "verb") or "").split()
    if any(word not in verb for word in gap if word not in ("обратный",)):
        return None
    if words[after : after + 2] and words[after] in ("не", "стоит", "сработал", "прозвенел", "звенит", "звонит"):
        return None
    text = _payload(words, after, len(words), timed)
    if verb_less:
        # a bare noun is an order only with its time, and with nothing else said ("будильник на семь не сработал")
        if time is None or utterance.question or any(word not in FILL for word in words[:first]):
            return None
        if not reminder and text is not None and words[text[0]] not in KEPT_TEXT:
            return None
    if utterance.question and verb and verb[0] in ("нужен", "нужно", "нужна", "хочу"):
        return None
    if text is not None and not reminder and words[text[0]] not in KEPT_TEXT:
        text = None
    if text is not None and reminder and words[text[0]] in ("на", "for") and text[1] - text[0] == 1:
        text = None
    return _decision(utterance, time, text)


def _build_wake(utterance: Utterance, match: Match, context: Context) -> Decision | None:
    """ "разбуди меня в семь", "wake me up at 7", "засеки десять минут"."""
    place = _command(utterance, match)
    if place is None:
        return None
    words = utterance.words
    first, after = place
    time, spans = _times(utterance, context, True)
    timed = _timed(utterance, spans)
    if _refused(words, first, words[first], timed):
        return None
    if any_of(words[:first], words_of("можно нельзя пора надо нужно")) and not words[first].startswith("wake"):
        return None
    if words[after : after + 2] in (["во", "мне"], ["в", "себе"], ["в", "ней"], ["в", "нем"]):
        return None
    if words[first] in ("буди", "будите", "будить") and time is None:
        return None
    if words[first].startswith(("подними", "поднять")) and time is None:
        return None
    if words[first].startswith(("отсчитай", "отмерь", "отсчитать")) and time is None:
        return None
    if any_of(words[:first], ASKING - {"когда", "when"}):
        return None
    return _decision(utterance, time, None)


def _build_forget(utterance: Utterance, match: Match, context: Context) -> Decision | None:
    """ "не дай мне забыть про врача завтра", "don't let me forget the keys"."""
    place = _command(utterance, match)
    if place is None:
        return None
    words = utterance.words
    time, spans = _times(utterance, context, False)
    timed = _timed(utterance, spans)
    if any_of(words[: place[0]], SUBJECTS):
        return None
    return _decision(utterance, time, _payload(words, place[1], len(words), timed))


def _build_recall(utterance: Utterance, match: Match, context: Context) -> Decision | None:
    """ "напомни, как зовут соседа": a question to memory in the clothes of a reminder."""
    place = _command(utterance, match)
    if place is None or len(utterance.words) > LONGEST:
        return None
    words = utterance.words
    first, after = place
    form = words[first].removesuffix("-ка")
    _, spans = _times(utterance, context, False)
    timed = _timed(utterance, spans)
    pre = [word for i, word in enumerate(words[:first]) if i not in timed and word not in SOFT]
    if any(word not in ("не", "можешь", "можете", "мог", "могла", "можно", "прошу", "хочу", "чтобы") for word in pre):
        return None
    if form in ("напомню", "напомним", "напоминать") or _refused(words, first, form, timed):
        return None
    if not reads_as_question(words, after, utterance, timed):
        return None
    return Decision(Intent.QUERY, source=Source.RECALL, claimant="recall-request")


_QUESTIONING = (
    r"как|кто|что|где|когда|как\S+|сколько|куда|откуда|почему|зачем|чей|чья|чье|чьи|кого|кому|чем|чего|кем|"
    r"отчего|"
    r"what|what's|who|who's|where|where's|when|when's|how|which|why|whose|whom|" + "|".join(sorted(RECALL_NOUNS))
)
_ASK_PREP = r"(?:во|в|на|до|к|с|со|у|из|от|по|о|об|про|за|при|под|для|at|in|on|for|with) "
_SOFT_GAP = r"(?:(?:мне|нам|пожалуйста|плиз|мавен|ка|еще|раз|please|again|me|maven|же|снова) )*"


def _dispatch(utterance: Utterance, match: Match, context: Context) -> Decision | None:
    if len(utterance.words) > LONGEST:
        return None
    command = group(match, "cmd") or ""
    if command.startswith(("не ", "don't", "do not", "dont", "make sure", "ping", "nudge", "buzz", "alert", "notify")):
        return _build_forget(utterance, match, context)
    if "verb" in match.re.groupindex:
        return _build_noun(utterance, match, context)
    if _REMINDING.search(command):
        return _build_remind(utterance, match, context)
    return _build_wake(utterance, match, context)


_REMINDING = re.compile(r"напом|remind")


GRAMMARS = (
    Grammar(
        "recall-request",
        (rf" (?P<cmd>{REMIND}|{REMIND_EN}) {_SOFT_GAP}(?:{_ASK_PREP})?(?:{_QUESTIONING}) ",),
        _build_recall,
    ),
    Grammar(
        "reminder",
        (
            rf" (?P<cmd>{REMIND}|{REMIND_EN}) ",
            r" (?P<cmd>(?:чтобы|чтоб) (?:(?:ты|вы|мне|завтра|потом) )*напомнил[аи]?) ",
            rf"(?:^| )(?P<cmd>(?P<verb>{MAKE}) (?:\S+ ){{0,7}}?(?:{NOUN})) ",
            rf"(?:^| )(?P<cmd>(?P<verb>{MAKE_EN}) (?:\S+ ){{0,7}}?(?:{NOUN_EN})) ",
            rf"^ (?:\S+ ){{0,4}}?(?P<cmd>(?:{NOUN}|{NOUN_EN})(?P<verb>)?) ",
            rf" (?P<cmd>{WAKE}|{TIME_IT}) ",
            r" (?P<cmd>wake (?:me|us)(?: up)?|wake up me|get me up|give me a wake-up call|time me) ",
            r" (?P<cmd>не (?:дай|дайте|давай) (?:мне |нам )?(?:за)?забыть|не (?:дай|дайте|давай) (?:мне |"
            r"нам )?забыть|"
            r"(?:don't|do not|dont) let (?:me|us) forget|make sure (?:i|we) don't forget|"
            r"(?:ping|nudge|buzz|alert|notify) (?:me|us)) ",
        ),
        _dispatch,
    ),
)
