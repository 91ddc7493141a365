"""Row 16, orders to lists: the entry and the list are spans of a closed frame.

Observed: models drop the last of several entries, or take the name of the list into the entry.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from routing import wordforms
from routing.context import Context
from routing.decision import Decision, Intent, Slots, Span
from routing.grammars.base import Grammar, Match, group_span
from routing.grammars.orders import ABSTRACT, MODAL, verb_form
from routing.lexicon import ASKING, SOFT, any_of, words_of
from routing.text import Utterance
from routing.times import find_times

_END = (
    r"(?: (?:пожалуйста|плиз|мавен|уже|ка|сейчас|наконец|please|maven|now|спасибо|thanks|ладно|а|милая|дорогая|"
    r"немного|чуть|чуть-чуть|чуток))* $"
)
_LIST_FRONT = words_of("еще туда тоже также и а ну мне нам пожалуйста давай надо please also")

_LIST = (
    r"(?:мой |мои |наш |общий |этот |тот )?(?:спис(?:ок|ка|ке|ку|ки|ков|кам|ком)|корзин\S+|покупк\S+|"
    r"чек-лист\S*|чеклист\S*|избранн\S+|"
    r"очеред\S+|вишлист\S*|туду-лист\S*)"
    r"(?: (?:покупок|продуктов|дел|желаний|задач|вещей|фильмов|книг|подарков|гостей|на \S+|для \S+|в \S+|"
    r"лекарств|хозтоваров|"
    r"к \S+|по \S+|идей|сериалов|рецептов|расходов|материалов|любимого|просмотра|чтения|воспроизведения))?"
)
_ADD = (
    r"добавь(?:те)?(?:-ка)?|добавить|добавляй(?:те)?|добавишь|внеси(?:те)?|внести|впиши(?:те)?|вписать|"
    r"допиши(?:те)?|дописать|занеси(?:те)?|занести|"
    r"запиши(?:те)?|записать|включи(?:те)?|включить|поставь(?:те)?|положи(?:те)?|положить|кинь(?:те)?|"
    r"закинь(?:те)?|закинуть|докинь(?:те)?|пиши|помести|"
    r"отправь|докинуть|кинуть|накидай|напиши|вноси|приплюсуй|добавь-ка"
)
_DROP = (
    r"убери(?:те)?(?:-ка)?|убрать|удали(?:те)?|удалить|вычеркни(?:те)?|вычеркнуть|вычеркивай|вычеркиваем|"
    r"сотри(?:те)?|стереть|исключи(?:те)?|исключить|"
    r"выкинь(?:те)?|выкинуть|сними(?:те)?|вытащи|зачеркни(?:те)?|выбрось|вычеркнешь|уберешь|удалишь"
)
_ADDING = re.compile(rf"^(?:{_ADD}|add|put|write|jot|append|include)$")
_DROPPING = re.compile(rf"^(?:{_DROP}|remove|take|delete|cross|strike|drop|scratch)$")
_LIST_EN = r"(?:\S+ ){0,2}?(?:list|cart|basket|groceries|queue|favorites|wishlist|checklist|shopping)"
_FRONT = r"^ (?:\S+ ){0,4}?"
_TASK_NOUN = r"задач[уи]|задание|таск|задачку|дело|тикет"


def _list(utterance: Utterance, match: Match, context: Context) -> Decision | None:
    words = utterance.words
    place = group_span(utterance, match, "fn")
    item = group_span(utterance, match, "text")
    if place is None:
        return None
    verb = utterance.words_of(place)[0]
    name = _list_function(words, verb, context)
    if name is None:
        return None
    names = match.re.groupindex
    key = group_span(utterance, match, "key") if "key" in names else None
    front = words[
        : min(verb, utterance.words_of(key)[0] if key else verb, utterance.words_of(item)[0] if item else verb)
    ]
    if any_of(words, ABSTRACT):
        return None
    if any(word not in SOFT and word not in _LIST_FRONT and word not in MODAL for word in front) and not (
        front[-1:] and front[-1] in ("в", "из", "to", "from") and all(w in SOFT or w in _LIST_FRONT for w in front[:-1])
    ):
        return None
    if words[verb - 1 : verb] == ["не"] and "мог" not in words and "могла" not in words and not utterance.question:
        return None
    if utterance.question and verb_form(words[verb]) == "infinitive" and not any_of(words[:verb], MODAL):
        return None
    if item is not None:
        item = _trimmed(utterance, item, _timed(utterance, context) if name.startswith("task.") else frozenset())
        if item is None or (utterance.words_of(item)[0] < verb and _told_by(utterance, item)):
            return None
    spans: dict[str, Span] = {"fn": place}
    if key is not None:
        spans["key"] = key
    if item is not None:
        spans["text"] = item
    return Decision(Intent.ACT, slots=Slots.of(utterance.raw, spans, fn=name), claimant="list-act")


def _list_function(words: Sequence[str], verb: int, context: Context) -> str | None:
    """The allowed function of a list frame whose verb is word `verb`."""
    found = context.functions.resolve(words)
    if found is not None and found.name.startswith(("list.", "task.")) and found.verb[0] == verb:
        return found.name
    name = "list.remove" if _DROPPING.match(words[verb]) else "list.add" if _ADDING.match(words[verb]) else None
    return name if name is not None and context.functions.allows(name) else None


_RAN_OUT = re.compile(
    r"^(?:(?:за|по)?кончил(?:ся|ась|ось|ись)|нет|нужен|нужна|нужно|нужны|у|нас|меня|вышел|вышла|мало)$"
)


def _timed(utterance: Utterance, context: Context) -> frozenset[int]:
    """Indexes of the words that lie in time expressions: the time of a task is no part of its text."""
    spans = [(t.start, t.end) for t in find_times(utterance.raw, context.now, context.timezone)]
    return frozenset(i for span in spans for i in range(*utterance.words_of(span)))


def _told_by(utterance: Utterance, item: Span) -> bool:
    """Whether what stands before the order is a clause of its own ("мама сказала, добавь в список")."""
    a, b = utterance.words_of(item)
    return any(not word.isascii() and wordforms.is_finite(word) for word in utterance.words[a:b])


def _trimmed(utterance: Utterance, span: Span, timed: frozenset[int]) -> Span | None:
    """The entry without politeness, time and "закончился" at its edges; None where nothing is left."""
    a, b = utterance.words_of(span)
    words = utterance.words
    while a < b and (words[a] in SOFT or a in timed or _RAN_OUT.match(words[a])):
        a += 1
    while b > a and (words[b - 1] in SOFT or b - 1 in timed or _RAN_OUT.match(words[b - 1])):
        b -= 1
    if a >= b or any_of(words[a : a + 1], ASKING - {"что"}):
        return None
    return utterance.word_span(a, b - 1)


GRAMMARS = (
    Grammar(
        "list-act",
        (
            rf"{_FRONT}(?P<fn>{_ADD}) (?P<text>\S.*?) (?:в|во|к|ко) (?P<key>{_LIST}){_END}",
            rf"{_FRONT}(?P<fn>{_ADD}) (?:мне |пожалуйста )?(?:в|во|к|"
            rf"ко) (?P<key>{_LIST}) (?P<text>\S.*?){_END}",
            rf"{_FRONT}в (?P<key>{_LIST}) (?:мне |пожалуйста |еще )?(?P<fn>{_ADD}) (?P<text>\S.*?){_END}",
            rf"{_FRONT}(?P<text>\S.*?) (?P<fn>{_ADD}) (?:пожалуйста )?(?:в|во|к|ко) (?P<key>{_LIST}){_END}",
            rf"{_FRONT}(?P<fn>{_DROP}) (?P<text>\S.*?) (?:из|с|со) (?P<key>{_LIST}){_END}",
            rf"{_FRONT}(?P<fn>{_DROP}) (?:из|с|со) (?P<key>{_LIST}) (?P<text>\S.*?){_END}",
            rf"{_FRONT}из (?P<key>{_LIST}) (?P<fn>{_DROP}) (?P<text>\S.*?){_END}",
            rf"^ (?:\S+ ){{0,2}}?(?P<fn>вычеркни(?:те)?|вычеркнуть|зачеркни(?:те)?) (?P<text>\S.*?){_END}",
            rf"{_FRONT}(?P<fn>очисти(?:те)?|очистить|опустоши|обнули|сотри|удали|создай|заведи|создать|"
            rf"завести|начни) (?P<text>)?(?:новый |весь |полностью |целиком |мне )*(?P<key>{_LIST}){_END}",
            rf"{_FRONT}(?P<fn>add|put|write|jot down|append|include|throw|pop|stick) (?P<text>\S.*?) (?:to|"
            rf"on|onto|in|into) (?:(?:the|my|our|a|that|this|new) )*(?P<key>{_LIST_EN}){_END}",
            rf"{_FRONT}(?P<fn>remove|take|delete|cross|strike|drop|scratch) (?P<text>\S.*?) (?:from|off|"
            rf"off of|out of) (?:(?:the|my|our|a|that|this|new) )*(?P<key>{_LIST_EN}){_END}",
            rf"{_FRONT}(?P<fn>cross off|strike off|scratch off|cross out|take off|"
            r"check off) (?P<text>\S.*?)(?: (?:from|off|on) (?:(?:the|my|our|a|that|this|"
            rf"new) )*(?P<key>{_LIST_EN}))?{_END}",
            rf"{_FRONT}(?P<fn>clear|empty|wipe|create|make|start) (?P<text>)?(?:(?:the|my|our|a|that|this|"
            rf"new) )*(?P<key>{_LIST_EN}){_END}",
            rf"{_FRONT}(?P<fn>добавь(?:те)?|создай(?:те)?|заведи(?:те)?|поставь(?:те)?|запиши(?:те)?|"
            r"добавить|создать) (?:мне |пожалуйста |новую |новое |"
            rf"еще )*(?P<key>{_TASK_NOUN}) (?P<text>\S.*?){_END}",
            rf"{_FRONT}(?P<fn>add|create|make|new) (?:a |an |new |the )*(?P<key>task|to-do|todo)(?: to|"
            rf" called| for me to|:)? (?P<text>\S.*?){_END}",
        ),
        _list,
    ),
)
