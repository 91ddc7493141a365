"""Rows 8 and 9: definitions, sums and current public releases, which anyone can answer.

Observed: "что такое TCP" was answered by the weather ("для какого города?"), "кто такой Линус Торвальдс" by the
personal boundary ("не нашла у тебя такой записи"), and "последняя версия python" by personal memory.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from routing.context import Context
from routing.decision import Decision, Source
from routing.grammars.base import Grammar, Match
from routing.grammars.common import HERSELF, NAMES, OWN, POINTING, TAIL, alternatives, asks, brief, has, said
from routing.grammars.world_words import (
    DOCUMENTS,
    FINITE,
    KIN,
    NEAR_HERE,
    NUMBERS,
    OPERATORS,
    PRIVATE_EN,
    SOFTWARE,
    STARTS_ASIDE,
    SUM_STRONG,
    SUM_WORDS,
    UNITS,
)
from routing.lexicon import words_of
from routing.text import Utterance

DEFINITION, CALCULATION, VERSION = "definition-query", "calculation-query", "public-version-query"

_FRONT = (
    r"(?: (?:меня интересует|скажи(?:те)?|подскажи(?:те)?|расскажи(?:те)?|объясни(?:те)?|поясни(?:те)?|растолкуй|ты|вы"
    r"|знаешь|знаете|не|подскажешь|скажешь|можешь"
    r"|сказать|объяснить|мне|нам|хочу|знать|узнать|понять|интересно|давай|пожалуйста|а|и|вот|все-таки|вообще"
    r"|найди|посмотри|поищи|погугли|загугли|в"
    r"|интернете|кто-нибудь|ка|же|спрошу|вопрос|быстро|кратко|коротко|простыми|словами|сначала|тогда|еще))*"
)
_SUCH = r"(?:такое|такой|такая|такие|таков|такова)"
_DEFINITIONS = (
    rf"^{_FRONT} (?P<ask>что|чё|че|кто|шо)(?: что| кто)?(?: (?:же|это|есть|вообще|за))* {_SUCH}(?: {_SUCH}| же"
    rf"| вообще)* (?P<x>[^ ].*?){TAIL}",
    rf"^{_FRONT} (?P<x>[^ ]+(?: [^ ]+){{0,4}}?) (?:это )?(?P<ask>что|кто)(?: (?:это|же))* {_SUCH}(?: (?:вообще"
    rf"|это))?{TAIL}",
    rf"^{_FRONT} (?P<x>[^ ]+(?: [^ ]+){{0,3}}?) это (?P<ask>что|кто){TAIL}",
    rf"^{_FRONT} (?P<ask>что) (?:значит|означает|обозначает)(?: (?:слово|термин|понятие|выражение|аббревиатура"
    rf"|сокращение|фраза|фразеологизм|идиома|пословица))"
    rf" (?P<x>[^ ].*?){TAIL}",
    rf"^{_FRONT} (?P<ask>что) (?:значит|означает|обозначает) (?P<x>[^ ]{{5,}}){TAIL}",
    rf"^{_FRONT} что (?P<x>[^ ]{{4,}}) (?P<ask>означает|обозначает){TAIL}",
    rf"^{_FRONT} (?:дай |приведи |назови |напиши |какое |каково )?(?P<ask>определение)(?: (?:слова|слову"
    rf"|термина|термину|понятия|понятию|для|дай|у))* (?P<x>[^ ].*?){TAIL}",
    rf"^{_FRONT} (?P<ask>кем) (?:был|была|были|является)(?: такой| такая)? (?P<x>[^ ].*?){TAIL}",
)
_FRONT_EN = (
    r"(?: (?:so|and|tell me|can you tell me|could you tell me|do you know|i want to know|i'd like to know|just"
    r"|remind|me|please|ok|okay|well|hey|but|then|also|explain|to|quickly))*"
)
_DEFINITIONS_EN = (
    rf"^{_FRONT_EN} (?P<ask>what|who|what's|whats|who's|whos)(?: (?:exactly|on earth))?(?: (?:is|are|was"
    rf"|were))?(?: (?:exactly|actually))? (?P<x>[^ ].*?){TAIL}",
    rf"^{_FRONT_EN} (?P<ask>what|who) (?P<x>[^ ]+(?: [^ ]+){{0,4}}?) (?:is|are|was|were){TAIL}",
    rf"^{_FRONT_EN} (?P<ask>what) (?:does|do)(?: (?:the word|the term|the phrase|the acronym|the expression"
    rf"|the abbreviation))? (?P<x>[^ ].*?) (?:mean|stand for){TAIL}",
    rf"^{_FRONT_EN}(?: (?:give me|what's|what is))?(?: (?:a|the))? (?P<ask>definition|meaning) of(?: (?:the"
    rf" word|the term|word|term))? (?P<x>[^ ].*?){TAIL}",
    rf"^{_FRONT_EN} (?P<ask>define)(?: (?:the word|the term|word|term))? (?P<x>[^ ].*?){TAIL}",
)


def _definition(utterance: Utterance, match: Match, context: Context) -> Decision | None:
    """Declines what is owned, pointed at or herself, and clauses ("что такое случилось")."""
    thing = said(match, "x")
    if (
        has(utterance.words, OWN - _ASKING_OWN)
        or has(thing, OWN)
        or has(thing[:1], NAMES)
        or has(utterance.words[:1], {"напомни"})
    ):
        return None
    if thing[0] in STARTS_ASIDE or thing[0] in POINTING or has(thing, FINITE, HERSELF, NEAR_HERE):
        return None
    if thing in _IDLE:
        return None
    who = " ".join(said(match, "ask")) == "кто"
    if has(thing, KIN) and (who or len(thing) < 3):
        return None
    if thing[-1] in ("это", "такое", "что") and len(thing) < 2:
        return None
    return _DEFINED


_IDLE = (
    ["ничего"],
    ["просто"],
    ["сегодня"],
    ["завтра"],
    ["когда"],
    ["можно"],
    ["нельзя"],
    ["хватит"],
    ["почему"],
    ["нормально"],
)
_ASKING_OWN = words_of("мне нам я меня me")
_DEFINED = asks(Source.WORLD, True, DEFINITION)


def _definition_en(utterance: Utterance, match: Match, context: Context) -> Decision | None:
    thing = said(match, "x")
    words = utterance.words
    ask = " ".join(said(match, "ask"))
    if (
        has(thing, OWN, HERSELF, NAMES)
        or has(thing[:1], POINTING)
        or has(words, {"it", "he", "she", "they", "him", "her", "them"})
    ):
        return None
    if not any("a" <= char <= "z" for char in thing[0]) or _summed(thing):
        return None
    if thing[0] in ("does", "do", "did"):
        return None
    if ask in ("define", "definition", "meaning") or words[-1] in ("mean", "for"):
        return None if thing[0] in ("this", "that", "the") else _DEFINED
    bare = ask in ("what", "who") and not has(words[:6], {"is", "are", "was", "were"})
    if bare or thing[0] in ("is", "are", "was", "were"):
        return None
    if ask.startswith("who"):
        here = has(thing, PRIVATE_EN) or thing[0] in _WHO_NOT or thing[0].endswith(("ing", "'s"))
        return None if here else _DEFINED
    article = thing[0] if thing[0] in ("a", "an", "the") else ""
    body = thing[1:] if article else thing
    # "what is a reminder" asks for the word, "what is the reminder" for one at hand
    if not body or (article not in ("a", "an") and has(body, PRIVATE_EN)) or body[0].endswith("'s"):
        return None
    if not article and body[0].endswith("ing") and len(body) > 1 and body[1] not in _NOUNS_OF_DOING:
        return None
    return None if has(body, _CLAUSE) or body[0] in _WHAT_NOT else _DEFINED


_NOUNS_OF_DOING = words_of("learning engine machine theory system network process language disorder day cost point")
_WHO_NOT = words_of(
    "at in on the-one there here home next online connected up going coming responsible in-charge playing "
    "winning calling speaking talking this that to "
    "left missing awake asleep available free late sick busy invited"
)
_WHAT_NOT = words_of(
    "good best great up on in at next left new happening going wrong there here good for playing with to about open "
    "closed available running "
    "planned scheduled due coming better best worse more most like cheaper faster taking making causing "
    "blocking using right true possible"
)
_CLAUSE = words_of(
    "that which who when where while if happens happened do did does has have had should can could will would "
    "tomorrow today tonight now currently playing"
)

_HEAD = (
    r"(?:сколько будет|сколько|сколько составляет|сколько это|сколько это будет|посчитай(?:те)?|подсчитай"
    r"|сосчитай|вычисли(?:те)?"
    r"|рассчитай|высчитай|чему равно|чему равен|чему равна|чему равняется|реши"
    r"|решить|реши пример|посчитать|вычислить|прикинь|считай|найди|сложи(?:ть)?|умножь|умножить|раздели(?:ть)?"
    r"|подели(?:ть)?|вычти|вычесть|прибавь|отними|возведи|извлеки|переведи|помножь"
    r"|how much is|how much are|how much|what's|whats|what is|what are|calculate|compute|work out|figure out"
    r"|evaluate|solve|multiply|divide|add|subtract|sum|convert|how many is|how many|what does)"
)
_NUM = alternatives(" ".join(sorted(NUMBERS, key=len, reverse=True)))
_CALCULATIONS = (
    rf"^{_FRONT}(?: (?:tell me|can you|could you|please|quickly|so))* (?P<head>{_HEAD})(?: {_HEAD})* (?P<x>[^"
    rf" ].*?){TAIL}",
    rf"^ (?P<x>(?:\d[\d.,]*%?|{_NUM}|корень|square root|минус) [^ ].*?)(?: (?:сколько|сколько будет|это"
    rf" сколько|будет|равно|это|equals?|is))?{TAIL}",
)
_DIGITS = re.compile(r"\d+(?:[.,]\d+)*%?$")
_TAKES = words_of(
    "сложи сложить умножь умножить раздели разделить подели поделить вычти вычесть прибавь отними возведи "
    "извлеки помножь multiply divide add subtract sum"
)


def _is_number(word: str) -> bool:
    return word in NUMBERS or bool(_DIGITS.match(word))


def _summed(words: Sequence[str]) -> bool:
    """Whether the words are numbers with an operator between them and nothing else."""
    return (
        any(_is_number(w) for w in words)
        and has(words, OPERATORS)
        and all(_is_number(w) or w in SUM_WORDS for w in words)
    )


def _calculation(utterance: Utterance, match: Match, context: Context) -> Decision | None:
    """Numbers, operators and units, and no other word: "посчитай мои расходы" is no sum."""
    thing = said(match, "x")
    head = " ".join(said(match, "head"))
    numbers = sum(map(_is_number, thing)) + sum(w in _NUMERIC for w in thing)
    if not numbers or any(not (_is_number(w) or w in SUM_WORDS or w in UNITS) for w in thing):
        return None
    if has(thing, UNITS):
        return _SUM if head and _converts(thing) else None
    if not head:
        return _SUM if (numbers > 1 or has(thing, _ROOTS)) and _is_bare_sum(thing) else None
    if head in _TAKES or head.split()[0] in _TAKES:
        return _SUM if numbers > 1 or "корень" in thing or "квадрат" in thing else None
    if (
        not has(thing, OPERATORS)
        and not any(w in _NUMERIC or w[-1] == "%" for w in thing)
        and not (numbers > 1 and "-" in utterance.raw)
    ):
        return None
    # "сколько на двоих" has one number and nothing to do with it
    return _SUM if numbers > 1 or has(thing, SUM_STRONG - {"плюс", "минус"}) else None


_NUMERIC = words_of(
    "дважды трижды четырежды пятью шестью семью восемью девятью половина половину четверть треть трети half "
    "twice quarter third двое"
)
_ROOTS = words_of("корень root")
_SUM = asks(Source.WORLD, True, CALCULATION)


def _is_bare_sum(thing: Sequence[str]) -> bool:
    """A sum without "сколько будет": its operator must be one that nothing but a sum has."""
    signed = has(thing[:1], {"плюс", "минус", "plus", "minus"})
    part = any(word[-1] == "%" for word in thing) and has(thing, {"от", "of"})
    return part or (has(thing, SUM_STRONG | {"минус"}) and not signed)


def _converts(thing: Sequence[str]) -> bool:
    """Units on both sides: "пять миль в километрах"."""
    units = [i for i, word in enumerate(thing) if word in UNITS]
    joints = [i for i, word in enumerate(thing) if word in ("в", "во", "на", "to", "in", "into", "от", "of", "от")]
    has_operator = has(thing, SUM_STRONG)
    return has_operator or (len(units) > 1 and any(units[0] < j < units[-1] for j in joints))


_CURRENT = (
    r"(?:последн(?:яя|ий|юю|ие|ее|ей|его)|актуальн(?:ая|ый|ую|ой)|текущ(?:ая|ий|ую|ей)|свеж(?:ая|ий|ую)|самая"
    r" новая|самый новый|новейш(?:ая|ий|ую)|свежайш(?:ая|ий)|стабильн(?:ая|ый|ую|ой)"
    r"|самая свежая|самый свежий|самая последняя|самый последний|latest|current|newest|most recent|stable|last"
    r"|up-to-date)"
)
_RELEASE = (
    r"(?:верси(?:я|ю|и|ей)|релиз(?:а)?|сборк(?:а|у|и)|выпуск|дистрибутив|ядр(?:о|а)|lts|version|release|build"
    r"|kernel|distro)"
)
_KIND = (
    r"(?:стабильн(?:ая|ый|ую|ой|ое|ого)|мажорн(?:ая|ый)|официальн(?:ая|ый)|публичн(?:ая|ый)|сейчас|на сегодня"
    r"|на данный момент|lts|доступная|вышедшая|stable|official|public|major|long term support|ga|point|для|of|for|у)"
)
_ASK = (
    r"(?: (?:какая|какой|какую|какова|каков|какое|что за|which|what|what's|whats|is|are|the|скажи|подскажи"
    r"|назови|узнай|пожалуйста|плиз|найди|проверь|покажи|посмотри|погугли|мне|сейчас|на сегодня|уже|есть|там"
    r"|самая"
    r"|самый|tell|me|find"
    r"|check|look up"
    r"|do you know|can you|do|you|know|и|а|вообще|не|знаешь|подскажешь|интересно|был|была|up|show|номер))*"
)
_VERSIONS = (
    rf"^{_ASK} {_CURRENT}(?: {_KIND}| {_CURRENT})* {_RELEASE}(?: {_KIND}| номер)* (?P<x>[^ ].*?){TAIL}",
    rf"^{_ASK} {_RELEASE} (?P<x>[^ ]+(?: [^ ]+){{0,3}}?)(?: (?:сейчас|на сегодня|сегодня|самая|самый|is|the"
    rf"|считается|является))* (?:{_CURRENT}|актуальна|актуален|последняя|now|сейчас|current|на сегодня|на данный"
    rf" момент)(?: (?:какая|какой))?{TAIL}",
    rf"^{_ASK} сейчас(?: (?:последн[а-я]+|актуальн[а-я]+|стабильн[а-я]+))? {_RELEASE}(?: у)? (?P<x>[^ ].*?){TAIL}",
    rf"^{_ASK}(?: (?:у|в))? (?P<x>[^ ]+(?: [^ ]+){{0,2}}?)(?: (?:какая|какой|сейчас|сегодня))* {_CURRENT}(?:"
    rf" {_KIND})* {_RELEASE}(?: (?:сейчас|какая|какой|на сегодня))?{TAIL}",
    rf"^{_ASK} {_CURRENT}(?: {_KIND}| {_CURRENT})* (?P<x>[^ ]+(?: [^ ]+){{0,2}}?) {_RELEASE}(?: number)?{TAIL}",
    rf"^{_ASK}(?: (?:the))? {_CURRENT}(?: {_KIND})* (?P<x>kernel|ядро linux|ядро линукс|ядро линукса|linux"
    rf" kernel){TAIL}",
    rf"^ (?:когда|when) (?:вышла|вышел|выпустили|выйдет|was|did|is)(?: (?:the))? {_CURRENT} {_RELEASE}(?:"
    rf" (?:of))? (?P<x>[^ ].*?)(?: (?:released|come out|out))?{TAIL}",
    rf"^ (?:is|was) there a (?:new|newer) (?:stable )?{_RELEASE} of (?P<x>[^ ].*?){TAIL}",
    rf"^ (?:вышла|вышел|есть)(?: ли)?(?: уже)? (?:новая|новый|свежая) (?:стабильная )?{_RELEASE} (?P<x>[^ ].*?){TAIL}",
    rf"^ (?:до какой|какой) {_RELEASE} (?:обновился|обновилась|дошел|дошла|уже) (?P<x>[^ ].*?){TAIL}",
)
_INSTALLED = words_of(
    "стоит стоят установлен установлена установлено установлены поставлена поставлен крутится запущена запущен "
    "работает сервере серверах ноутбуке ноуте компьютере компе телефоне роутере домашнем дома здесь кластере машине "
    "контейнере проекте малине распберри насе вебе прошивка скачал скачала используется используем обновил "
    "обновила поставил поставила файла договора installed running here machine laptop server router phone box "
    "project using "
    "home device cluster deployed nas pi"
)


def _version(utterance: Utterance, match: Match, context: Context) -> Decision | None:
    """Declines the owner's own installation, Maven herself, and versions of what is no software."""
    thing = said(match, "x")
    words = utterance.words
    if has(words, OWN - _ASKING_OWN, HERSELF - {"you"}, NAMES, _INSTALLED, DOCUMENTS, _ORDERS) or has(
        thing, NAMES, POINTING
    ):
        return None
    named = any(word in SOFTWARE or (word[:1].isascii() and word[:1].isalpha()) for word in thing)
    russian = any("а" <= char <= "я" for char in utterance.line)
    if russian:
        return _RELEASED if named and not thing[0].startswith(("как", "что")) else None
    return _RELEASED if has(thing, SOFTWARE) or (not has(thing, _PLAIN_EN) and len(thing) < 5) else None


_ORDERS = words_of(
    "обнови обновить обновись установи установить поставь поставить скачай скачать собери откати запомни "
    "запиши напомни закажи купи включи "
    "до update upgrade install download get use build remember note remind buy deploy"
)
_PLAIN_EN = words_of("the a an this that everything events story things us world bible truth map")
_RELEASED = asks(Source.WORLD, True, VERSION)


def _definition_any(utterance: Utterance, match: Match, context: Context) -> Decision | None:
    english = match.re.pattern in _ENGLISH
    return (_definition_en if english else _definition)(utterance, match, context)


_ENGLISH = frozenset(_DEFINITIONS_EN)

GRAMMARS = (
    Grammar(DEFINITION, (*_DEFINITIONS, *_DEFINITIONS_EN), brief(_definition_any)),
    Grammar(CALCULATION, _CALCULATIONS, brief(_calculation)),
    Grammar(VERSION, _VERSIONS, brief(_version)),
)
