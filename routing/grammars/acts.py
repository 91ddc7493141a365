"""Row 16: orders to lists and to the house, and orders about the assistant herself.

Observed: models name the intent of a house order well and its function badly; an order whose verb and object both
stand in the function table needs no model at all. What the table does not know is left to the models.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from routing.context import Context
from routing.decision import Decision, Intent, Slots, Span
from routing.functions import FunctionMatch
from routing.grammars import lists, system
from routing.grammars.base import Grammar, Match
from routing.grammars.orders import ABSTRACT, ADJECTIVE, MODAL, addressed, verb_form
from routing.lexicon import ASKING, PREPOSITIONS, SOFT, any_of, words_of
from routing.text import Utterance
from routing.times import find_times

_COMPARATIVE = re.compile(
    r"^(?:по\w+(?:че|ше|ее|же|ще|те)|ярче|тише|громче|теплее|темнее|светлее|выше|ниже|больше|меньше)$"
)
_COUNT = re.compile(
    r" (?P<n>(?:на|до|to|at|by) (?:\d\S*|(?:ноль|один|одн\S+|дв\S+|тр\S+|четыр\S+|пят\S+|шест\S+|сем\S+|"
    r"восем\S+|восьм\S+|"
    r"девят\S+|девяно\S+|десят\S+|\S+надцат\S+|сорок\S*|ст[оа]|полтор\S+|половин\S+|минимум\S*|максимум\S*|"
    r"полную|всю|"
    r"one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|"
    r"sixty|seventy|eighty|"
    r"ninety|hundred|half|max|maximum|minimum|full))"
    r"(?: (?:один|одну|два|две|три|четыре|пять|шесть|семь|восемь|девять|one|two|three|four|five|six|seven|"
    r"eight|nine))?"
    r"(?: (?:градус\S*|процент\S*|%|percent|degrees|единиц\S*|ступен\S*|мощность|громкость|минут\S*|час\S*|"
    r"секунд\S*|minutes?|hours?))?) "
)


def _timed(utterance: Utterance, context: Context) -> tuple[frozenset[int], list[Span]]:
    spans = [(t.start, t.end) for t in find_times(utterance.raw, context.now, context.timezone)]
    out: set[int] = set()
    for span in spans:
        out.update(range(*utterance.words_of(span)))
    return frozenset(out), spans


def _joined(words: Sequence[str], first: int, last: int, timed: frozenset[int]) -> bool:
    """Whether words `first` to `last` may stand between a verb and its object: adjectives, rooms, politeness. A noun
    there is the real object ("закрой вопрос про окна")."""
    i = first
    while i < last:
        word = words[i]
        if (
            word in SOFT
            or i in timed
            or ADJECTIVE.match(word)
            or _COMPARATIVE.match(word)
            or word[0].isdigit()
            or word in _BETWEEN
        ):
            i += 1
        elif word in ("в", "во", "на", "у", "in", "on") and i + 1 < last:
            i += 2
        else:
            return False
    return True


_BETWEEN = words_of(
    "минут минуты минуту минутку час часа часов секунд полчаса пять десять пятнадцать двадцать тридцать весь всю "
    "все свой свою мой мою мои наш нашу этот эту эти тот ту один одну два две оба обе три какую-нибудь "
    "какой-нибудь что-нибудь другой все-таки побольше поменьше немного чуть чуть-чуть режим all some this that "
    "these those your any both living dining front back kitchen bedroom bathroom hall hallway office garage up "
    "down on off little bit two three"
)


def _value(utterance: Utterance, after: int) -> Span | None:
    """The number of a setting, with its preposition ("на тридцать процентов")."""
    tail = " " + " ".join(utterance.words[after:]) + " "
    match = _COUNT.search(tail)
    if match is None:
        return None
    offset = sum(len(word) + 1 for word in utterance.words[:after])
    return utterance.span(offset + match.start("n"), offset + match.end("n"))


def _house(utterance: Utterance, match: Match, context: Context) -> Decision | None:
    words = utterance.words
    if len(words) > 25:
        return None
    found = context.functions.resolve(words)
    if found is None:
        return None
    timed, _ = _timed(utterance, context)
    if not _is_house(found) or not _orders(utterance, found, timed):
        # the first of two requests ("открой шторы и включи свет"): the second may have read better
        cut = next((i for i in range(2, len(words) - 1) if words[i] in _THEN), 0)
        found = context.functions.resolve(words[:cut]) if cut else None
        if found is None or not _is_house(found) or not _orders(utterance, found, timed):
            return None
    spans: dict[str, Span] = {"fn": utterance.word_span(found.verb[0], found.verb[1] - 1)}
    if found.place is not None:
        first = _with_adjectives(words, found)
        spans["key"] = utterance.word_span(first, found.place[1] - 1)
    else:
        sound = next((i for i in range(*found.verb) if words[i] in _SOUND), -1)
        if sound > found.verb[0]:
            spans["fn"] = utterance.word_span(found.verb[0], sound - 1)
        if sound >= 0:
            spans["key"] = utterance.word_span(sound, sound)
    if found.name.startswith(("message.send", "task.")) and found.place is not None:
        body = _body(words, found)
        if body is not None:
            spans["text"] = utterance.word_span(body[0], body[1] - 1)
    value = _value(utterance, min(found.verb[1], found.verb[0] + 1))
    if (
        value is not None
        and not found.name.startswith("timer.")
        and timed.issuperset(range(*utterance.words_of(value)))
    ):
        value = None
    if value is not None and not found.name.startswith(
        ("message.", "call.", "order.", "event.", "task.", "alarm.", "car.")
    ):
        spans["value"] = value
    return Decision(Intent.ACT, slots=Slots.of(utterance.raw, spans, fn=found.name), claimant="house-act")


_WHOSE_VOICE = words_of("громче тише погромче потише louder quieter")
"""Alone they may mean her own voice as well as the music."""
_SOUND = words_of("громкость громкости звук звука volume sound")
_THEN = words_of("и а потом затем and then also плюс")
_NO_ADJECTIVE = words_of(
    "мне свой свою свое свои этот эту это эти мой мою мое мои наш нашу весь всю все сегодня please the a an my "
    "our this that these those some your пожалуйста какой-нибудь какую-нибудь любой любую еще их его ее ним ней "
    "нем им моей твоей"
)


def _is_house(found: FunctionMatch) -> bool:
    return not found.name.startswith(("list.", "praxis.", "reminder."))


def _with_adjectives(words: Sequence[str], found: FunctionMatch) -> int:
    """First word of the object with what qualifies it ("настольную лампу", "kitchen light")."""
    assert found.object is not None
    first = found.object[0]
    floor = found.verb[1] if found.verb[0] < first else 0
    while first > floor and words[first - 1] not in _NO_ADJECTIVE:
        word = words[first - 1]
        if (ADJECTIVE.match(word) and not word.isascii()) or (
            word.isascii() and word.isalpha() and word in _QUALIFIERS
        ):
            first -= 1
        else:
            break
    return first


_QUALIFIERS = words_of(
    "kitchen bedroom bathroom living dining room hall hallway office garage front back porch night desk floor "
    "ceiling guest kids main nursery outdoor garden upstairs downstairs basement attic patio yard led big small "
    "left right reading table bedside"
)


def _body(words: Sequence[str], found: FunctionMatch) -> tuple[int, int] | None:
    """The words of a message: what follows the person, or what stands between the verb and the person."""
    assert found.object is not None
    first, last = found.object[1], len(words)
    while last > first and words[last - 1] in ("пожалуйста", "плиз", "мавен", "please", "maven"):
        last -= 1
    while first < last and words[first] in ("что", "чтобы", "пожалуйста", "that", "to", "мне", "от", "меня"):
        first += 1
    if first < last:
        return first, last
    first, last = found.verb[1], found.object[0]
    while first < last and (words[first] in SOFT or words[first] in PREPOSITIONS):
        first += 1
    while last > first and (words[last - 1] in PREPOSITIONS or words[last - 1] in SOFT):
        last -= 1
    return (first, last) if first < last else None


def _orders(utterance: Utterance, found: FunctionMatch, timed: frozenset[int]) -> bool:
    """Whether the utterance is the order that `found` reads in it."""
    words = utterance.words
    verb = found.verb[0]
    if found.object is None:
        if words[verb] in _WHOSE_VOICE and found.verb[1] - verb == 1:
            return False
        # a verb that needs no object claims only where nothing but politeness, time and numbers stands around it
        rest = [w for i, w in enumerate(words) if i not in timed and not found.verb[0] <= i < found.verb[1]]
        if any(w not in SOFT and not w[0].isdigit() and w not in MODAL for w in rest):
            return found.verb[1] - found.verb[0] > 1 and addressed(utterance, verb, verb, timed) and len(words) <= 6
        return addressed(utterance, verb, verb, timed) and not (utterance.question and len(words) == 1)
    thing, place = found.object, found.place or found.object
    first = min(verb, thing[0])
    if thing[0] < verb:
        between = _joined(words, place[1] if place[1] <= verb else thing[1], verb, timed)
        if not between or (
            words[thing[0] - 1 : thing[0]] and words[thing[0] - 1] in PREPOSITIONS - {"в", "на", "во", "у"}
        ):
            return False
        while first > 0 and (ADJECTIVE.match(words[first - 1]) or words[first - 1] in _BETWEEN):
            first -= 1
        if utterance.question and verb_form(words[verb]) == "order" and words[-1] != words[verb]:
            return False
    elif not _joined(words, found.verb[1], thing[0], timed) and not _split(found, words):
        return False
    if not addressed(utterance, verb, first, timed):
        return False
    return not _about_the_thing(words, place[1], found.name)


def _split(found: FunctionMatch, words: Sequence[str]) -> bool:
    """Addressing a person takes words in between ("передай от меня маме привет")."""
    return (
        found.name.startswith(("message.", "media.", "document.", "pay."))
        and found.object is not None
        and (
            found.object[0] - found.verb[1] <= 3
            and not any_of(words[found.verb[1] : found.object[0]], ASKING | words_of("про о об about of for для"))
        )
    )


def _about_the_thing(words: Sequence[str], at: int, name: str) -> bool:
    """A genitive of the soul behind the object makes it a figure ("открой окно возможностей")."""
    return name.startswith(("cover.", "lock.", "light.")) and any_of(words[at : at + 3], ABSTRACT)


GRAMMARS = (*system.GRAMMARS, *lists.GRAMMARS, Grammar("house-act", (r"^ \S",), _house, captures=False))
