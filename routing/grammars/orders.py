"""Who an order is said to, and how its verb stands: shared by the grammars of row 16."""

from __future__ import annotations

import re
from collections.abc import Sequence

from routing import wordforms
from routing.lexicon import ASKING, SOFT, any_of, words_of
from routing.text import Utterance

ADJECTIVE = re.compile(r"^\w+(?:ый|ий|ой|ая|яя|ое|ее|ую|юю|ые|ие|ого|его|ому|ему|ым|им|ом|ем|ых|их|ыми|ими|ей)$")
_INFINITIVE = re.compile(r"^\w+(?:ть|ти|чь|ться|тись|чься)$")
_PAST = re.compile(
    r"^\w+(?:ил|ыл|ал|ел|ул|ял|ила|ыла|ала|ела|ула|яла|или|ыли|али|ели|ули|яли|ило|ало|ело|ло|нес|несла|"
    r"несли|вел|вела|вели|мог|зажег|зажгла|зажгли|сек|запер)$"
)
MODAL = words_of("можешь можете мог могла могли сможешь сможете прошу попрошу просьба можно could can would will")
_SO_THAT = words_of("чтобы чтоб")
_WISH = words_of("я мы хочу хотим хотел хотела хотелось нужно надо прошу чтобы чтоб ты вы мне нам бы очень попрошу")
ABSTRACT = words_of(
    "возможностей души сердца жизни прошлое будущее мир мудрости памяти надежды счастья тайны истины знаний "
    "мыслей разума памяти детства юности opportunity soul heart life past future wisdom hope knowledge mind"
)


def verb_form(word: str) -> str:
    """How a verb stands: "order", "infinitive" or "second" (a polite question: "включишь")."""
    word = word.removesuffix("-ка")
    if word.endswith(("шь", "шься")) and not word.endswith(("ешь", "режь")):
        return "second"
    if word.endswith("ешь") and len(word) > 5:
        return "second"
    if _PAST.match(word) and wordforms.finite_kind(word) == "past":
        return "past"
    if _INFINITIVE.match(word) and not word.endswith(("оставь", "рысть")):
        return "infinitive"
    return "order"


def addressed(utterance: Utterance, verb: int, first: int, timed: frozenset[int]) -> bool:
    """Whether the verb at word `verb` is an order to the listener. Words before `first`, the first word of the order,
    must be politeness, time or a room; an infinitive must stand alone or behind "можешь"."""
    words = utterance.words
    pre = [(i, word) for i, word in enumerate(words[:first]) if i not in timed]
    hard = [word for _, word in pre if word not in SOFT and word not in MODAL]
    if any_of(words[:first], ASKING - {"когда", "when"}):
        return False
    form = verb_form(words[verb])
    if form == "past":
        # "хочу чтобы ты выключила"
        return any_of(words[:verb], _SO_THAT) and all(word in _WISH or word in SOFT for word in words[:first])
    modal = any_of(words[:verb], MODAL)
    negated = verb > 0 and words[verb - 1] in (
        "не",
        "never",
        "don't",
        "not",
        "dont",
        "нельзя",
        "ни",
        "won't",
        "cannot",
        "can't",
    )
    if negated and not (form == "second" or words[max(0, verb - 2)] in MODAL):
        return False
    if form == "second" and not (negated or utterance.question):
        return False
    if form == "infinitive" and not modal and hard:
        return False
    if "не" in hard and modal:
        hard.remove("не")
    if utterance.question and form == "infinitive" and not modal:
        return False
    return not hard or _is_room(words[:first], hard) or (form == "order" and _own_clause(utterance, first, timed))


_NO_CLAUSE = (
    ASKING
    | {"когда", "when"}
    | words_of("если чтобы чтоб бы if unless хоть хотя будто словно то либо или or whether that не")
)


def _own_clause(utterance: Utterance, first: int, timed: frozenset[int]) -> bool:
    """Whether the words in front are a clause of their own, closed by a comma ("мама спит, выключи музыку"). What was
    said by somebody is left to the order guard, which hears it better."""
    words = utterance.words
    before = utterance.raw[: utterance.word_span(first, first)[0]].rstrip()
    return before.endswith((",", ".", "!", ";", "—")) and not any_of(words[:first], _NO_CLAUSE) and first <= 8


def _is_room(pre: Sequence[str], hard: Sequence[str]) -> bool:
    """Whether the words in front only say where ("в спальне свет выключи", "на кухне закрой окно")."""
    return (
        pre[0] in ("в", "во", "на", "у", "in", "on", "at")
        and len(hard) <= 3
        and not any(verb_form(word) == "infinitive" for word in hard)
    )
