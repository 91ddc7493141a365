"""Row 4: Praxis, which keeps obligations: reading them and moving them through their life.

Observed: models reach Praxis 0 times of 12, for nothing in a prompt names a capability; these grammars are the only
way to it. A stative word needs its item beside it; a bare imperative may ask which; a demonstrative resolves only
when exactly one item was just spoken.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from routing.context import Context
from routing.decision import Decision, Span
from routing.grammars.base import Build, Grammar, Match
from routing.grammars.common import (
    CONDITIONAL,
    HERSELF,
    NAMES,
    NEGATION,
    OWN,
    POINTING,
    REPORTED,
    TAIL,
    act,
    alternatives,
    brief,
    has,
    names_of,
    placed,
    span_text,
    times_of,
)
from routing.grammars.praxis_words import (
    ADVERBS,
    BARE,
    BEING,
    NOT_ITEMS,
    SENTENCE,
    STATIVE,
    STATIVE_EN,
)
from routing.lexicon import ASKING, PREPOSITIONS, words_of
from routing.text import Utterance
from routing.times import TimeExpression

ATTENTION, NEXT, LIST, COMPLETE, ACCEPT, DEFER, DROP = (
    "praxis-attention", "praxis-next", "praxis-list", "praxis-complete", "praxis-accept", "praxis-defer", "praxis-drop",
)  # fmt: skip

CAPABILITIES: dict[str, str] = {
    ATTENTION: "praxis.attention",
    NEXT: "praxis.next",
    LIST: "praxis.list",
    COMPLETE: "praxis.complete",
    ACCEPT: "praxis.accept",
    DEFER: "praxis.defer",
    DROP: "praxis.drop",
}
"""Claimant to the function name it fills; a deployment that names its capabilities otherwise changes this."""

_SERVICE = (
    r"(?:мавен(?:а|у|ом|е)?|мейвен(?:а|у|ом|е)?|maven|праксис(?:а|у|ом|е)?|praxis(?:['’]?(?:ом|а|у|е))?|нексус(?:а|у|ом"
    r"|е)?|nexus(?:['’]?(?:ом|а|у|е))?"
    r"|хексис(?:а|у|ом|е)?|гексис(?:а|у|ом|е)?|hexis(?:['’]?(?:ом|а|у|е))?)"
)
_PRAXIS = r"(?:праксис(?:а|у|ом|е)?|praxis(?:ом|а|у|е)?)"
_OBLIGATIONS = r"(?:обязательств(?:а|ах|ам|ами)?|commitments|obligations)"
_OBLIGATION = r"(?:обязательств(?:о|а|у|ом|е)|commitment|obligation)"
_WHAT = r"(?:что|чего|че|чё|шо|как|ну что|и что)"
_SOFT = (
    r"(?: (?:у|меня|нас|мне|мои|мое|мой|мою|сейчас|там|есть|еще|все|теперь|сегодня|пожалуйста|же|открытые"
    r"|незакрытые|активные|текущие|новые|the|my|our|me|all|current|open|active))*"
)
_SEE = (
    r"(?:покажи(?:те)?|перечисли(?:те)?|назови(?:те)?|выведи|озвучь|прочитай|прочти|зачитай|какие|каковы"
    r"|список|сколько|открой|дай|давай"
    r"|посмотри|проверь|что|скажи|show|list|read|what|which|what's|whats)"
)

_ATTENTIONS = (
    rf"^(?: {_WHAT})+(?: (?:там|тут|сейчас|же|у нас|вообще|слышно|нового))+ (?:с|со|в|у|по|на|насчет|про)"
    rf" (?P<x>{_SERVICE}){TAIL}",
    rf"^ (?:как там(?: дела| обстоят дела| поживает)?|как дела|как поживает|как обстоят дела) (?:с |у"
    rf" )?(?P<x>{_SERVICE}){TAIL}",
    rf"^ что с (?P<x>{_SERVICE})(?: (?:там|сейчас|случилось|происходит|творится))?{TAIL}",
    rf"^ (?:what's|whats|what is) (?:up|going on|new|happening|the story|the status|wrong|the matter) (?:with"
    rf"|at|in|of) (?P<x>{_SERVICE}){TAIL}",
    rf"^ (?:how's|hows|how is) (?P<x>{_SERVICE})(?: (?:doing|going|getting on|holding up|today|looking))?{TAIL}",
    rf"^(?: (?:какие|какое|which|what|do any|are any|any|any of))+(?: (?:у|меня|мои|из|моих|of|my))*"
    rf" (?:{_OBLIGATIONS}|{_OBLIGATION})"
    r"(?: (?:у|меня|сейчас|срочно|now|currently))* (?:требу(?:ют|ет)(?: (?:моего|срочного))? внимания|горят"
    r"|горит|просрочен[оы]|срочные"
    rf"|(?:need|needs|require|requires)(?: (?:my|immediate))? attention|(?:is |are )?(?:overdue|urgent)){TAIL}",
    rf"^ (?:что|what|anything|есть что-нибудь что)(?: (?:в|по|у|из|in|from|сейчас))* {_PRAXIS}(?: сейчас)?"
    rf" (?:требует(?: моего)? внимания"
    rf"|срочного|горит|(?:that )?needs(?: my)? attention|urgent){TAIL}",
    rf"^ (?:что|what|anything)(?: сейчас)? (?:требует(?: моего)? внимания|срочного|горит|(?:that )?needs(?:"
    rf" my)? attention)"
    rf" (?:в|по|у|in|from) {_PRAXIS}{TAIL}",
)
_NEXTS = (
    rf"^(?: (?:какое|какая|что|покажи|назови|скажи|а|what|what's|which|is|the|my|show|me|tell|мое|мне|у|меня"
    rf"|сейчас|будет|за|дай))*"
    rf" (?:следующее|ближайшее|очередное|next|upcoming) {_OBLIGATION}(?: (?:у меня|из списка|на очереди|мое"
    rf"|мне))?{TAIL}",
    rf"^ (?:что|какое|what|what's|whats|what is)(?: (?:у|меня|там|мне|делать|будет|is))* (?:дальше|следующее"
    rf"|следующим|на очереди|next|up next)"
    rf" (?:по|в|из|у|in|from|on)(?: (?:моим|мои|my|the|списка|списку))* (?:{_PRAXIS}|{_OBLIGATIONS}){TAIL}",
    rf"^ (?:за )?как(?:ое|им) {_OBLIGATION}(?: (?:мне|лучше|сейчас|стоит))* (?:взяться|браться|заняться"
    rf"|следующее|ближайшее|первое|на очереди)"
    rf"(?: (?:сейчас|дальше|следующим|первым|сначала))?{TAIL}",
    rf"^ {_PRAXIS} (?:дальше|следующее|next){TAIL}",
)
_LISTS = (
    rf"^(?: {_SEE}){{1,2}}{_SOFT} {_OBLIGATIONS}{_SOFT}(?: (?:have i got|do i have|are there|i have|на мне"
    rf"|висят|висит|остались|осталось"
    rf"|открыты|взято|взял|взяла|я|i|made|to|в {_PRAXIS}|из {_PRAXIS}|in {_PRAXIS}))*{TAIL}",
    rf"^(?: (?:what|which))(?: (?:are|is))?{_SOFT} {_OBLIGATIONS}(?: (?:have i got|do i have|are there|i have))?{TAIL}",
    rf"^(?: {_SEE}){{1,2}}{_SOFT}(?: (?:есть|лежит|сейчас|is|do i have|список|что|все))*(?: (?:в|из|по|in|from"
    rf"|on|of))? {_PRAXIS}(?: сейчас)?{TAIL}",
    rf"^{_SOFT} (?:мои|список|my|list of|открытые|все){_SOFT} {_OBLIGATIONS}{TAIL}",
    rf"^ (?:есть ли|есть)(?: у меня)?(?: (?:какие-то|какие-нибудь|открытые|еще|незакрытые))* {_OBLIGATIONS}(?:"
    rf" у меня)?{TAIL}",
    rf"^ (?:do i have|have i got|are there)(?: (?:any|some|open|other))* {_OBLIGATIONS}{TAIL}",
)

_THIS = (
    r"(?P<this>это|эту|этот|эти|ее|его|их|то|ту|это дело|эту задачу|этот пункт|это обязательство|эту запись"
    r"|этот вопрос|it|this|that|this one"
    r"|that one|that item|this item)"
)
_DONE = (
    r"(?:как )?(?:уже )?(?:сделанн(?:ое|ую|ый|ые|ым|ой|ыми)|выполненн(?:ое|ую|ый|ые|ым|ой|ыми)|готов(?:ое|ую"
    r"|ый|ые|ым|ой|ыми|о)|завершенн(?:ое|ую|ый|ые|ым"
    r"|ой|ыми)|законченн(?:ое|ую|ый|ые|ым|ой|ыми)|закрыт(?:ое|ую|ый|ые|ым|ой|ыми)|сделано|выполнено|завершено)"
)
_MARK = r"(?:отметь(?:те)?|отмечай(?:те)?|пометь(?:те)?|помечай|отметить|пометить|пометим|засчитай)"
_FRONT = (
    r"(?: (?:давай|давайте|тогда|ладно|хорошо|да|ок|окей|теперь|уже|можешь|можно|пока|просто|please|ok|okay|yes"
    r"|then|let's|just|can you))*"
)
_OF = {
    COMPLETE: r"закрой(?:те)?|закрывай(?:те)?|закрыть|закроем|закрываем|заверши(?:те)?|завершай(?:те)?|завершить"
    r"|завершаем|complete|close|finish",
    ACCEPT: r"прими(?:те)?|принимай(?:те)?|принять|принимаем|accept",
    DEFER: r"отложи(?:те)?|откладывай(?:те)?|отложить|отложим|откладываем|отсрочь(?:те)?|отсрочить|defer|postpone",
    DROP: r"отбрось(?:те)?|отбрасывай|отбросим|отбросить|дропни|дропай|дропнуть|drop",
}
_ALSO = {
    COMPLETE: r"закончи|выполни|mark|check off|tick off",
    ACCEPT: r"одобри|одобряй|беру|берем|беремся за|принимаю|возьми|take on|approve",
    DEFER: r"перенеси|сдвинь|подвинь|отодвинь|push|push back|put off|delay",
    DROP: r"сними|снимай|брось|бросай|выкинь|выбрось|отмени|удали|убери|вычеркни|abandon|remove|cancel|discard",
}
"""Verbs that are theirs only beside a demonstrative with an item in the turn, or beside the word "obligation"."""

_LATER = r"(?P<rest>(?: [^ ]+){0,6}?)"


def _bare(name: str) -> tuple[str, ...]:
    """An imperative alone ("отложи"), or with a time and nothing else ("отложи до понедельника")."""
    patterns = [rf"^{_FRONT} (?P<v>{_OF[name]}){_LATER}{TAIL}"]
    if name == COMPLETE:
        patterns.append(
            rf"^{_FRONT} (?P<v>{_MARK} {_DONE}|mark(?: as)? (?:done|complete|completed|finished)){_LATER}{TAIL}"
        )
    return tuple(patterns)


def _pointed(name: str) -> tuple[str, ...]:
    """An imperative and a demonstrative ("отметь это как сделанное")."""
    verbs = f"{_OF[name]}|{_ALSO[name]}"
    patterns = [
        rf"^{_FRONT} (?P<v>{verbs}) {_THIS}{_LATER}{TAIL}",
        rf"^{_FRONT} {_THIS} (?P<v>{verbs}){_LATER}{TAIL}",
    ]
    if name == DEFER:
        patterns.append(rf"^{_FRONT} (?P<v>put|push) {_THIS} (?:off|back){_LATER}{TAIL}")
    if name == COMPLETE:
        patterns += [
            rf"^{_FRONT} (?P<v>{_MARK}) {_THIS} {_DONE}{TAIL}",
            rf"^{_FRONT} {_THIS} (?P<v>{_MARK}) {_DONE}{TAIL}",
            rf"^{_FRONT} (?P<v>{_MARK}) {_DONE} {_THIS}{TAIL}",
            rf"^{_FRONT} (?P<v>mark|check|tick) {_THIS}(?: as)? (?:done|complete|completed|finished|off){TAIL}",
            rf"^ {_THIS} (?:уже |is |is already |уже всё )?(?P<v>готово|сделано|выполнено|завершено|готов"
            rf"|готова|сделана|done|complete|finished){TAIL}",
            rf"^ (?P<v>готово|сделано) {_THIS}{TAIL}",
        ]
    if name == ACCEPT:
        patterns.append(rf"^ {_THIS} (?P<v>принято|принят|принята|accepted){TAIL}")
    return tuple(patterns)


def _named(name: str) -> tuple[str, ...]:
    """An imperative and an item said to be an obligation, or marked as done by name."""
    verbs = f"{_OF[name]}|{_ALSO[name]}"
    patterns = [
        rf"^{_FRONT} (?P<v>{verbs})(?: (?:мое|мои|это|the|my))? {_OBLIGATION}(?: (?:по|про|о|об|насчет|на тему"
        rf"|с|to|for|about|of|on))? (?P<x>[^ ].*?){TAIL}",
    ]
    if name == COMPLETE:
        patterns += [
            rf"^{_FRONT} (?P<v>{_MARK}) (?P<x>[^ ].*?) {_DONE}{TAIL}",
            rf"^{_FRONT} (?P<v>{_MARK}) {_DONE} (?P<x>[^ ].*?){TAIL}",
            rf"^{_FRONT} (?P<v>{_MARK}) что (?P<x>[^ ].*?) (?:уже )?{alternatives(STATIVE[name])}{TAIL}",
            rf"^{_FRONT} (?P<v>{_MARK}) что {alternatives(STATIVE[name])} (?P<x>[^ ].*?){TAIL}",
            rf"^{_FRONT} (?P<v>mark) (?P<x>[^ ].*?)(?: as)? (?:done|complete|completed|finished){TAIL}",
        ]
    return tuple(patterns)


_AT_LAST = r"(?: (?:уже|наконец|наконец-то|полностью|ура|окончательно|совсем|кстати|если что))*"


def _stated(name: str) -> tuple[str, ...]:
    """A stative word and its item ("отчёт готов", "готово: отчёт")."""
    word, english = alternatives(STATIVE[name]), f"(?:{STATIVE_EN[name]})"
    return (
        rf"^ (?P<x>[^ ]+(?: [^ ]+){{0,6}}?) (?P<v>{word}){_AT_LAST}{TAIL}",
        rf"^(?: (?:уже|наконец|наконец-то|вот|да|ура|все-таки))* (?P<v>{word}) (?P<x>[^ ]+(?: [^ ]+){{0,5}}?){TAIL}",
        rf"^ (?P<x>[a-z0-9'-]+(?: [a-z0-9'-]+){{0,6}}?) (?:is |are |has been |have been |is now |is finally "
        rf"|is already )?(?P<v>{english}){TAIL}",
        rf"^ (?P<v>{english}) (?:with )?(?P<x>[a-z0-9'-]+(?: [a-z0-9'-]+){{0,5}}?){TAIL}",
    )


def _verb(utterance: Utterance, match: Match) -> Span | None:
    first, end = placed(utterance, match, "v")
    return span_text(utterance, first, end)


def _only_time(utterance: Utterance, context: Context, match: Match) -> tuple[bool, TimeExpression | None]:
    """Whether what follows the imperative is a time or nothing, and that time."""
    first, end = placed(utterance, match, "rest")
    words = utterance.words[first:end]
    for time in times_of(utterance, context) if words else ():
        a, b = utterance.words_of((time.start, time.end))
        if a >= first and all(word in ADVERBS or a <= i < b for i, word in enumerate(words, first)):
            return True, time
    return all(word in ADVERBS for word in words), None


def _spoken_of(utterance: Utterance) -> bool:
    """A question, a denial, a condition or a report: nothing is moved by it."""
    words = utterance.words
    asked = utterance.question or words[0] in _ASKING_FIRST
    return asked or has(words, NEGATION, CONDITIONAL, REPORTED, SENTENCE)


_ASKING_FIRST = words_of("is are was were has have had did does do am can")


def _read(name: str) -> Build:
    def build(utterance: Utterance, match: Match, context: Context) -> Decision | None:
        text = None
        if "x" in names_of(match):
            text = span_text(utterance, *placed(utterance, match, "x"))
        return act(utterance, name, CAPABILITIES[name], text=text)

    return build


def _bare_build(name: str, utterance: Utterance, match: Match, context: Context) -> Decision | None:
    alone, time = _only_time(utterance, context, match)
    if not alone or has(utterance.words, NEGATION):
        return None
    return act(utterance, name, CAPABILITIES[name], verb=_verb(utterance, match), time=time)


def _pointed_build(name: str, utterance: Utterance, match: Match, context: Context) -> Decision | None:
    words = utterance.words
    if len(context.surfaced_items) != 1 or utterance.question or words[0] in _ASKING_FIRST - {"can"}:
        return None
    alone, time = _only_time(utterance, context, match)
    if not alone or has(words, NEGATION, CONDITIONAL, REPORTED):
        return None
    made = act(utterance, name, CAPABILITIES[name], verb=_verb(utterance, match), time=time)
    return replace(made, slots=made.slots.filled("text", context.surfaced_items[0]))


def _named_build(name: str, utterance: Utterance, match: Match, context: Context) -> Decision | None:
    if _spoken_of(utterance):
        return None
    first, end = placed(utterance, match, "x")
    words = utterance.words
    if "это" in words[:1] or (has(words[first:end], POINTING) and end - first == 1):
        return None
    time = None
    if name == DEFER:
        for found in times_of(utterance, context):
            a, b = utterance.words_of((found.start, found.end))
            if b == end and a > first:
                time, end = found, a
    return act(
        utterance,
        name,
        CAPABILITIES[name],
        verb=_verb(utterance, match),
        text=span_text(utterance, first, end),
        time=time,
    )


def _stated_build(name: str, utterance: Utterance, match: Match, context: Context) -> Decision | None:
    words = utterance.words
    if _spoken_of(utterance) or has(words, ASKING, HERSELF):
        return None
    first, end = placed(utterance, match, "x")
    while first < end and words[first] in ADVERBS:
        first += 1
    while end > first and (words[end - 1] in BEING or words[end - 2 : end] == ["у", "меня"]):
        end -= 1 if words[end - 1] in BEING else 2
    item = words[first:end]
    if not item or not _is_item(name, utterance, item, after=first > 0 and words[0] not in item):
        return None
    text = utterance.word_span(first, end - 1)
    if item[-1].endswith(("'s", "’s")):  # "the report's done" names the report
        text = (text[0], text[1] - 2)
    return act(utterance, name, CAPABILITIES[name], verb=_verb(utterance, match), text=text)


_INSTRUMENTAL = ("ться", "ить", "ать", "еть", "уть", "ять")


def _is_item(name: str, utterance: Utterance, item: Sequence[str], after: bool) -> bool:
    """Whether the words can be an obligation: a thing, not a person, a pronoun, a verb or a place."""
    head = item[0]
    if head in PREPOSITIONS or head in NOT_ITEMS or item[-1] in PREPOSITIONS:
        return False
    if has(item, NOT_ITEMS, NAMES) or has(item[:1], OWN - _MINE, POINTING - _THESE) or has(item, BARE):
        return False
    if any(word.endswith(_INSTRUMENTAL) and len(word) > 4 for word in item):
        return False
    if after and len(item) > 3:
        return False
    # "сделано из дерева", "открыто для всех" speak of how, and what does not name a thing is no item
    return not (name == COMPLETE and item[-1].isdigit())


_MINE = words_of("мой моя мое мои наш наша наше наши свой своя свое my our")
_THESE = words_of("этот эта эти тот та те this that these those the")


def _one(name: str) -> Grammar:
    """One lifecycle claimant: every frame it has."""
    steps = [(_bare(name), _bare_build), (_pointed(name), _pointed_build), (_named(name), _named_build)]
    if name in STATIVE:
        steps.append((_stated(name), _stated_build))
    patterns = tuple(pattern for group, _ in steps for pattern in group)
    builds = {pattern: step for group, step in steps for pattern in group}

    def build(utterance: Utterance, match: Match, context: Context) -> Decision | None:
        return builds[match.re.pattern](name, utterance, match, context)

    return Grammar(name, patterns, brief(build))


GRAMMARS = (
    Grammar(ATTENTION, _ATTENTIONS, brief(_read(ATTENTION))),
    Grammar(NEXT, _NEXTS, brief(_read(NEXT))),
    Grammar(LIST, _LISTS, brief(_read(LIST))),
    _one(COMPLETE),
    _one(ACCEPT),
    _one(DEFER),
    _one(DROP),
)
