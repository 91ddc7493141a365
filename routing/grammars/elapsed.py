"""Row 7: how long ago, asked by word order ("давно я не тренировался").

Observed: without a question mark models keep it as a note; the declarative order "я давно не тренировался" is one.
"""

from __future__ import annotations

import re

from routing.context import Context
from routing.decision import Decision, Source
from routing.grammars.base import Grammar, Match
from routing.grammars.common import asks, brief, has, names_of, said
from routing.lexicon import words_of
from routing.text import Utterance

NAME = "implicit-elapsed-query"
_DECISION = asks(Source.RECALL, False, NAME)

_FRONT = (
    r"(?: (?:интересно|скажи|подскажи|напомни|вспомни|помнишь|не помнишь|знаешь|не знаешь|а|и|мне|пожалуйста"
    r"|мавен|глянь|посмотри|проверь"
    r"|слушай|и вообще))*"
)
_WHO = r"(?:я|мы|мне|нам|у меня|у нас|меня|нас)"
_KIN = (
    r"(?:мама|папа|брат|сестра|жена|муж|сын|дочь|дочка|бабушка|дедушка|дети|кот|кошка|собака|врач|сосед|соседи"
    r"|мои|мой|моя|наш|наша|наши"
    r"|[а-я]+(?:а|я))"
)
_PATTERNS = (
    rf"^{_FRONT} (?:как )*(?:давно )+(?:ли )?(?:уже |это |вообще |же |последний раз )*(?P<w>{_WHO}) (?P<rest>[^ ].*) $",
    rf"^{_FRONT} давно не [^ ]+(?:л|ла|ло|ли|лся|лась|лось|лись) (?P<w>{_WHO})(?P<rest>(?: [^ ]+)*) $",
    rf"^{_FRONT} как давно (?P<rest>(?:[^ ]+ ){{1,3}}{_WHO} .*|.* {_WHO}) $",
    rf"^{_FRONT} давно ли (?P<rest>(?:[^ ]+ ){{1,4}}{_WHO}(?: .*)?) $",
    rf"^{_FRONT} (?:как )?давно (?:ли )?(?P<kin>{_KIN})(?: [^ ]+)? (?:не )?(?P<verb>[^ ]+л[аи]?(?:сь"
    rf"|ся)?)(?P<rest>(?: [^ ]+)*) $",
    rf"^{_FRONT} сколько (?:уже )?(?:времени|дней|недель|месяцев|лет|часов)? ?(?:уже |как )?(?:я|мы) (?:уже"
    rf" )?не (?P<rest>[^ ]+.*) $",
    rf"^{_FRONT} сколько (?:уже )?(?:времени |дней |недель |месяцев |лет )?(?:уже )?прошло (?:времени |дней "
    rf"|недель |месяцев |лет )?"
    r"с (?:тех пор как|того дня как|момента как|моего|моей|моих|нашего|нашей|последн[а-я]+) (?P<rest>[^ ].*) $",
    r"^(?: (?:so|and|tell me|do you know|do you remember|remember))* how (?:long|many (?:days|weeks|months|years))"
    r" (?:has it been |is it |ago was it )?(?:since|that) (?:i|we|my|our) (?P<rest>[^ ].*) $",
    r"^(?: (?:so|and|tell me))* how (?:long|many (?:days|weeks|months|years)) ago did (?:i|we|my) (?P<rest>[^ ].*) $",
    r"^(?: (?:so|and|tell me))* how long (?:have|has) (?:i|we) (?:not|gone without|been without) (?P<rest>[^ ].*) $",
    r"^(?: (?:so|and))* (?:has it been|is it|was it) (?:a )?(?:long|a while|long time|long ago)(?: time|"
    r" while)? (?:since|that) (?:i|we)"
    r" (?P<rest>[^ ].*) $",
    r"^(?: (?:so|and|tell me))* how long (?:has it been )?since my last (?P<rest>[^ ].*) $",
)
_EXCLAIMING = words_of("так такого такой такое таких столько настолько ничего подобного")
_WISHING = re.compile(
    r"^(?:хотел|мечтал|собирал|думал|подозревал|говор|знал|знаю|искал|замети|понял|пора|жду|ждал|люблю|любил"
    r"|живу|работаю|хочу|планировал"
    r"|догадыва|просил|предлагал|обещал|убедил|привык|решил|мечтаю|слежу|занимаюсь|верю|вижу|приметил|уже)"
)
_GOING_ON = words_of(
    "запиши запомни надо пора нужно поэтому так-что хочу напомни поставь добавь давай соскучилась соскучился"
)
_TO_HER = words_of("тобой тебя тебе тебя с-тобой you")
_PAST = re.compile(
    r"[а-я]+(?:л|ла|ло|ли|лся|лась|лось|лись)$|(?:по|под|при|за|до|в|у|вы|о|об)?(?:стриг|нес|вез|рос|пек|лез"
    r"|лег|мог|помог|бег)(?:ся)?$"
)


def _build(utterance: Utterance, match: Match, context: Context) -> Decision | None:
    words = utterance.words
    group = names_of(match)
    rest = said(match, "rest")
    if has(words, _TO_HER) or has(rest, _GOING_ON):
        return None
    asked = "ли" in words or "как" in words or utterance.question
    if words[0] == "напомни" and not asked:
        return None
    if "kin" in group:
        kin = " ".join(said(match, "kin"))
        verb = " ".join(said(match, "verb"))
        if has(words, _EXCLAIMING) or _WISHING.match(verb) or kin in _NOT_KIN:
            return None
        if not (asked and kin in _KNOWN) and (kin not in _KNOWN or ("не" not in words and not utterance.question)):
            return None
        return _DECISION
    if "w" in group:
        if not asked and has(rest, _EXCLAIMING):
            return None
        if match.re.pattern == _PATTERNS[1]:
            return None if has(words, _EXCLAIMING) else _DECISION
        verb = next((w for w in rest if _PAST.match(w)), "")
        if not verb and "нет" not in rest and "ли" not in words and "как" not in words:
            return None
        if not asked and ("не" not in rest and _WISHING.match(rest[0])):
            return None
        if _WISHING.match(rest[0]) and not utterance.question and "ли" not in words and "как" not in words:
            return None
    return _DECISION


_KNOWN = words_of(
    "мама папа брат сестра жена муж сын дочь дочка бабушка дедушка дети кот кошка собака сосед соседи мои мой "
    "моя наш наша наши"
)
_NOT_KIN = words_of("дела история земля россия вселенная")

GRAMMARS = (Grammar(NAME, _PATTERNS, brief(_build)),)
