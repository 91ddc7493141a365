"""What the families share: pieces of patterns, word sets, and the usual decisions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from functools import wraps

from routing.context import Context
from routing.decision import Decision, Intent, Slots, Source, Span
from routing.grammars.base import Build, Match, group_numbers
from routing.lexicon import words_of
from routing.text import Utterance
from routing.times import TimeExpression, find_times

TAIL = (
    r"(?: (?:пожалуйста|плиз|мавен|мейвен|ка|же|а|ну|будь добра|спасибо|если не трудно|скажи|please|maven|thanks"
    r"|thank you))* $"
)
"""What may trail behind a frame that ends the utterance."""

NAMES = words_of("мавен мейвен мэйвен мавэн maven")
OWN = words_of(
    "я мы меня мне мной мною нас нам нами мой моя мое мои моего моей моих моему моим моими моем мою наш наша наше наши "
    "нашего нашей наших нашему нашим нашими нашем нашу свой своя свое свои своего своей своих своему своим своем свою "
    "i me my mine we us our ours myself i'm i've i'd i'll we're we've we'll"
)
"""First person: what it names is the owner's."""

HERSELF = words_of(
    "ты тебя тебе тобой тобою твой твоя твое твои твоего твоей твоих твоему твоим твоем твою себя себе собой "
    "вы вас вам вами ваш ваша ваше ваши you your yours yourself"
)
"""Second person and reflexive: what it names is the assistant."""

POINTING = words_of(
    "это этот эта эти этого этой этому этим этом эту этих этими то тот та те того той тому тем том ту тех теми он она "
    "оно они его ее их ему ей им this that these those it its it's he she they him her them"
)
"""Words that stand for something said before."""

NEGATION = words_of("не ни нет нельзя never not don't dont doesn't isn't won't can't cannot")
REPORTED = words_of(
    "сказал сказала сказали говорит говорят говорил говорила говорили просил просила попросил попросила велел велела "
    "пишет пишут написал написала ответил ответила думаю думал думала якобы мол said says told asked thinks thought"
)
CONDITIONAL = words_of("если бы б чтобы чтоб пусть вдруг иначе if unless would")


def alternatives(words: str) -> str:
    """The words of `words` as one group of alternatives."""
    return "(?:" + "|".join(words.split()) + ")"


LONGEST = 60
"""Most words of an utterance that a frame of these families can be: a page is dictated, not asked."""


def brief(build: Build) -> Build:
    """`build` for utterances of at most `LONGEST` words, so that a page of text costs no look at its times."""

    @wraps(build)
    def bounded(utterance: Utterance, match: Match, context: Context) -> Decision | None:
        return None if len(utterance.words) > LONGEST else build(utterance, match, context)

    return bounded


def names_of(match: Match) -> dict[str, int]:
    """The named groups of the pattern that matched."""
    return {} if match is None else group_numbers(match.re)


def said(match: Match, name: str) -> list[str]:
    """The words of a named group; none where it took no part or the pattern has no such group."""
    number = names_of(match).get(name)
    if number is None:
        return []
    start, end = match.span(number)
    text: str = match.string[start:end] if start >= 0 else ""
    return text.split()


def placed(utterance: Utterance, match: Match, name: str) -> tuple[int, int]:
    """Half-open range of the words of a named group; empty where it took no part."""
    number = names_of(match).get(name)
    start, end = match.span(number) if number is not None else (-1, -1)
    if start < 0 or start >= end:
        return 0, 0
    line = utterance.line
    first = line[:start].count(" ") - (line[start : start + 1] != " ")
    return first, first + len(line[start:end].split())


def span_text(utterance: Utterance, first: int, end: int) -> Span | None:
    """Character range in the original of words `first` to `end`, half-open; None where there are none."""
    return utterance.word_span(first, end - 1) if first < end else None


def times_of(utterance: Utterance, context: Context) -> list[TimeExpression]:
    """Every time of the utterance, in order."""
    return find_times(utterance.raw, context.now, context.timezone)


def timed_words(utterance: Utterance, times: Iterable[TimeExpression]) -> set[int]:
    """Indexes of the words that lie inside `times`."""
    inside: set[int] = set()
    for time in times:
        inside.update(range(*utterance.words_of((time.start, time.end))))
    return inside


def residue(utterance: Utterance, context: Context, known: frozenset[str]) -> list[str]:
    """The words that are neither in `known` nor part of a time."""
    words = utterance.words
    if all(word in known for word in words):
        return []
    timed = timed_words(utterance, times_of(utterance, context))
    return [word for i, word in enumerate(words) if i not in timed and word not in known]


def asks(source: Source, anchored: bool = False, name: str = "") -> Decision:
    """A question for `source`."""
    return Decision(Intent.QUERY, source, anchored, claimant=name)


def act(
    utterance: Utterance,
    name: str,
    function: str,
    *,
    verb: Span | None = None,
    text: Span | None = None,
    time: TimeExpression | None = None,
) -> Decision:
    """An order to `function`, with what was literally said of it."""
    spans: dict[str, Span] = {}
    if time is not None:
        spans["time"] = (time.start, time.end)
    if verb is not None:
        spans["fn"] = verb
    if text is not None:
        spans["text"] = text
    return Decision(Intent.ACT, slots=Slots.of(utterance.raw, spans, fn=function), time=time, claimant=name)


def has(words: Sequence[str], *lexicons: AbstractSet[str]) -> bool:
    """Whether a word of any of `lexicons` is among `words`."""
    return any(not lexicon.isdisjoint(words) for lexicon in lexicons)
