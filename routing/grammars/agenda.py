"""Rows 5 and 6: the calendar, the time of an event, the owner's agenda, the rest of the day.

Observed: "что у меня сегодня" and "во сколько у меня встреча" went to `system`, which has no agenda. The possessive
agenda names no source on purpose: "что у меня в списке покупок" would lose its list.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from routing.context import Context
from routing.decision import Decision, Source
from routing.grammars.agenda_words import (
    AGENDA_KNOWN,
    CALENDAR_KNOWN,
    EVENTS,
    FOREIGN,
    MAKING,
    OTHER_CALENDARS,
    OWN_WORDS,
    PUBLIC,
    PUBLIC_EVENTS,
    QUESTION_HEADS,
)
from routing.grammars.base import Grammar, Match
from routing.grammars.common import HERSELF, NEGATION, TAIL, asks, brief, has, residue, said
from routing.lexicon import words_of
from routing.text import Utterance

CALENDAR, EVENT, AGENDA, REST = "calendar-query", "event-time-query", "agenda-query", "rest-of-day-query"

_CAL = r"(?:календар(?:ь|е|я|ю|ем|и|ях|ик|ике)|ежедневник(?:е|а)?|calendar|calender)"
_LOOK = (
    r"(?:что|чего|че|чё|какие|какое|какая|какой|есть|покажи(?:те)?|посмотри(?:те)?|проверь(?:те)?|прочитай"
    r"|прочти|зачитай|глянь|загляни|скажи"
    r"|расскажи|открой|озвучь|назови|перечисли|сколько|когда|кто|пуст|свободен|свободно|занято|стоит ли|нет ли"
    r"|во сколько|найди|дай|подскажи"
    r"|ближайшее|следующее|мой|моем|наш|на|у|в|по|сверься|сегодня|завтра|напомни)"
)
_CALENDARS = (rf"^(?: [^ ]+){{0,6}}? {_CAL}(?: [^ ]+)* $",)


def _calendar(utterance: Utterance, match: Match, context: Context) -> Decision | None:
    words = utterance.words
    if has(words, MAKING, OTHER_CALENDARS, NEGATION - {"нет"}, FOREIGN) or " is a " in utterance.line:
        return None
    if not (words[0] in QUESTION_HEADS or words[-1] == "что" or utterance.question or _nominal(words)):
        return None
    left = residue(utterance, context, CALENDAR_KNOWN)
    # with an event noun what is asked of it is open ("есть ли в календаре встреча с Петром")
    if left and not (has(words, EVENTS) and len(left) <= 4 and words[0] in QUESTION_HEADS):
        return None
    return asks(Source.CALENDAR, False, CALENDAR)


def _nominal(words: list[str]) -> bool:
    return words[0] in _CALENDAR_NOUNS or (words[0] in OWN_WORDS and words[1:2] and words[1] in _CALENDAR_NOUNS)  # type: ignore[return-value]


_CALENDAR_NOUNS = words_of("календарь calendar ежедневник")

_EVENT_NOUN = "(?:" + "|".join(sorted(EVENTS | PUBLIC_EVENTS, key=len, reverse=True)) + ")"
_WHEN = (
    r"(?:во сколько|в котором часу|на сколько|в какое время|к какому часу|к скольки|ко скольки|до скольки|до"
    r" которого часа|когда|со скольки"
    r"|с какого часа|на какое время|на который час|сколько времени до|через сколько|сколько осталось до|на"
    r" когда|на какой день|какого числа)"
)
_START = (
    r"(?:начало|начинается|начнется|начинаются|кончается|заканчивается|закончится|конец|будет|стоит|стоят"
    r"|назначен[аоы]?|намечен[аоы]?"
    r"|запланирован[аоы]?|состоится|сегодня|завтра|мне|нам|у|меня|нас|моя|мой|мое|мои|наша|наш|следующ[а-я]+"
    r"|ближайш[а-я]+|эта|этот|там|на|к|идти"
    r"|ехать|выходить|быть|нужно|надо|должна?|я|мы|и|же|сегодняшн[а-я]+|завтрашн[а-я]+|утренн[а-я]+"
    r"|вечерн[а-я]+|понедельник|вторник|среду|четверг"
    r"|пятницу|субботу|воскресенье|в|во|перв[а-я]+|втор[а-я]+|онлайн|рабоч[а-я]+|общ[а-я]+|видео|заседание"
    r"|моего|моей|моих|нашей|нашего"
    r"|сына|дочки|дочери|ребенка|мамы|папы|мужа|жены|детей)"
)
_DOCTORS = (
    r"(?:врачу|доктору|зубному|стоматологу|терапевту|парикмахеру|окулисту|педиатру|кардиологу|неврологу"
    r"|гинекологу|мастеру|нотариусу|юристу"
    r"|косметологу|массажисту|репетитору|психологу|ортодонту|дерматологу|лору|хирургу|ветеринару|барберу"
    r"|логопеду|дантисту)"
)
_DOCTOR = (
    r"(?:врач|доктор|зубной|стоматолог|терапевт|парикмахер|окулист|педиатр|массажист|репетитор|психолог"
    r"|косметолог|логопед|барбер|нотариус)"
)
_EVENT_TIMES = (
    rf"^(?: (?:а|и|скажи|подскажи|мне|не|помнишь|знаешь|посмотри|пожалуйста|глянь|проверь|уточни|слушай))* {_WHEN}"
    rf"(?: {_START})*? (?P<e>{_EVENT_NOUN})(?P<rest>(?: [^ ]+)*) $",
    rf"^(?: (?:а|и|скажи|подскажи))*(?: {_START})*? (?P<e>{_EVENT_NOUN})(?P<rest>(?: [^ ]+){{0,5}}?)"
    rf" (?:во сколько|в котором часу|когда|в какое время|на когда|на сколько|до скольки)(?: {_START})*{TAIL}",
    rf"^(?: (?:а|и|скажи|подскажи))* {_WHEN}(?: (?:мне|нам|я|у меня|надо|нужно|завтра|сегодня|записан|записана"
    rf"|идти|ехать|к))*"
    rf" к (?P<e>{_DOCTORS})(?P<rest>(?: [^ ]+)*) $",
    rf"^(?: (?:а|и|скажи|подскажи))* {_WHEN}(?: (?:завтра|сегодня))* (?:у меня|мой|мне|у нас)(?: (?:завтра"
    rf"|сегодня))* (?P<e>{_DOCTOR})(?P<rest>(?: [^ ]+)*) $",
    r"^(?: (?:so|and|hey|tell me|do you know|can you tell me))* (?:what time|what time's|when|when's|at what"
    r" time|how long until|how long till)"
    r"(?: (?:is|are|does|do|will|was|it|till|until|the|my|our|tomorrow's|today's|tonight's|next|this|that|a"
    r"|upcoming|first|second|weekly|daily"
    r"|monday|tuesday|wednesday|thursday|friday|saturday|sunday|morning|afternoon|evening|team|dentist|dental"
    r"|doctor's|doctor|doctors|job|parent"
    rf"|budget|project|[a-z]+'s))*? (?P<e>{_EVENT_NOUN})(?P<rest>(?: [^ ]+)*) $",
)
_MONEY = words_of(
    "обойдется обойдутся встанет выйдет оценивается оценили обошлась обошелся стоила стоил cost much стоимость "
    "раз разу люди обычно принято правильно лучше "
    "последняя последний последнее последней прошлая прошлый прошлое прошлой прошлую last happened изобрели "
    "появилась появились"
)


def _event_time(utterance: Utterance, match: Match, context: Context) -> Decision | None:
    words = utterance.words
    event = " ".join(said(match, "e"))
    rest = said(match, "rest")
    own = has(words, OWN_WORDS)
    if has(words, _MONEY, NEGATION - {"не"}) or ("не" in words and not has(words, {"помнишь", "знаешь", "подскажешь"})):
        return None
    if has(words, PUBLIC, FOREIGN) or has(words, HERSELF):
        return None
    if event in PUBLIC_EVENTS and not own:
        return None
    if event in ("запись", "записи") and not own and not (rest[:1] and rest[0] in ("к", "ко", "на")):
        return None
    if words[0] == "когда" and not own and has(words[1:2], {"была", "был", "было", "были", "я", "мы"}) and "я" in words:
        return None
    if any(_FINITE.search(word) and word not in _OF_EVENTS for word in rest) or has(rest, _GENERAL):
        return None
    if words[0] in _ASKING_EN and rest and rest[0] not in _AFTER_EN and event != "dentist":
        return None
    if words[0] == "when" and not has(words[1:3], _AUXILIARY):
        return None
    return asks(Source.CALENDAR, False, EVENT)


_FINITE = re.compile(r"(?:[иеуюя]тся|ться|л[аои]?сь|лся|[аяуюе]ют|[ауе]ет|ены|аны|ят|ла|ли)$")
"""Endings of a clause: "когда тренировки бесполезны" and "когда экзамен считается сданным" ask for no time."""
_OF_EVENTS = words_of(
    "начинается начнется начинаются начнутся кончается кончится заканчивается закончится заканчиваются "
    "состоится проводится "
    "назначены запланированы будет школы будут стоят начинаеться"
)
_GENERAL = words_of(
    "полезна полезны вредна вредны нужна нужны опасна опасны эффективны бесполезны лучше хуже прошло прошел "
    "отменен отменили"
)
_AFTER_EN = words_of(
    "with at for on in today tomorrow tonight start starts starting end ends ending begin begins beginning "
    "over scheduled again next this and "
    "happening supposed due set planned please finish finishes finished going taking to monday tuesday "
    "wednesday thursday friday saturday sunday "
    "now from by maven"
)
_ASKING_EN = words_of("when what how")
_AUXILIARY = words_of("is are does do will was my the our next")

_PLANS = (
    r"(?:план(?:ы|ов|а|ах|ам|у)?|расписание|расписании|распорядок|график|графике|повестка|программа|schedule|agenda"
    r"|plans?)"
)
_AGENDAS = (
    r"^(?: [^ ]+){0,6}? у (?:меня|нас)(?: [^ ]+){0,8} $",
    rf"^(?: [^ ]+){{0,6}}? {_PLANS}(?: [^ ]+){{0,7}} $",
    r"^(?: (?:скажи|подскажи|а|и|ну))* чем (?:я|мы)(?: [^ ]+){0,2} (?:занята?|заняты|займусь|занимаюсь)(?: [^"
    r" ]+){0,4} $",
    r"^(?: [^ ]+){0,3}? (?:свободн[аы]|свободен|занята?|заняты)(?: ли)? (?:я|мы)(?: [^ ]+){0,5} $",
    r"^(?: [^ ]+){0,4}? (?:мои|моя|моих|наши|наших)(?: [^ ]+){1,5} $",
    r"^(?: (?:а|и|когда|во сколько|скажи|подскажи))* (?:я|мы)"
    r"(?: [^ ]+){0,3} (?:свободн[аы]|свободен|занята?|заняты)(?: [^ ]+){0,4} $",
    r"^(?: [^ ]+){0,3}? что(?: (?:на|в|во|мне|нам|мной|за))?(?: [^ ]+){0,4} (?:запланировано|намечено"
    r"|назначено|намечается|предстоит|ждет)(?: [^ ]+){0,5} $",
    r"^(?: [^ ]+){0,3}? (?:what|what's|whats|do|have|am|is|are|anything|tell|show|read|give|how)(?: [^"
    r" ]+){0,5}? (?:i|i've|my|we|our|me)(?: [^ ]+){0,7} $",
)
_PLAN_WORDS = words_of(
    "план планы планов планах планам плану расписание расписании распорядок график графике повестка schedule "
    "agenda plan plans"
)
_DAYLESS = _PLAN_WORDS | words_of(
    "запланировано намечено назначено предстоит занята занят заняты свободен свободна свободны busy free "
    "planned scheduled"
)
_ASK_WORDS = words_of(
    "нет что чего че какие какой какое какая есть ли чем свободен свободна свободны сколько покажи расскажи скажи "
    "прочитай прочти зачитай озвучь назови перечисли "
    "посмотри проверь с каков каковы дай подскажи занят занята заняты когда what what's whats do have am is "
    "are anything show tell read give how when"
)


def _agenda(utterance: Utterance, match: Match, context: Context) -> Decision | None:
    words = utterance.words
    if words[0] in ("can", "could", "would") and words[1:2] == ["you"] and len(words) > 3:
        words = words[2:]
    own = has(words, OWN_WORDS)
    plans = has(words, _PLAN_WORDS)
    if not own and not plans and not has(words, _PLANNED):
        return None
    if has(words, HERSELF, MAKING, _WOULD) or has(words, NEGATION - {"нет"}):
        return None
    if not (
        words[0] in _AGENDA_HEADS or _asked(utterance) or ((plans or has(words, EVENTS)) and words[0] in _PLAN_HEADS)
    ):
        return None
    if has(words, _REST_WORDS) or ("конца" in words and "дня" in words) or _left_today(words):
        return None
    if words[0] in _SHOWING and not (
        plans or has(words, EVENTS) or has(words[1:4], {"что", "какие", "есть", "what", "what's"})
    ):
        return None
    left = residue(utterance, context, AGENDA_KNOWN)
    events = has(words, EVENTS)
    if left and not (plans and own and words[0] in _ASK_WORDS and left[0] in ("по", "с", "со", "о", "for", "with")):
        with_whom = len(left) <= 2 and own and has(words, _WITH)
        broad = own and len(left) <= 3 and has(words[:5], _PLANS_MANY) and words[0] in _ASK_WORDS
        if not broad and not (events and (set(left) <= EVENTS or with_whom)):
            return None
    if not (events or has(words, _DAYLESS)) and not _has_day(utterance, context):
        return None
    return asks(Source.CALENDAR if events else Source.UNKNOWN, False, AGENDA)


_AGENDA_HEADS = _ASK_WORDS | words_of("what're")
_PLAN_HEADS = words_of("мой мои моя мое наш наши my our расписание планы schedule agenda plans")
_SHOWING = words_of(
    "покажи расскажи скажи прочитай прочти зачитай озвучь назови перечисли посмотри проверь дай show tell read give"
)


def _asked(utterance: Utterance) -> bool:
    words = utterance.words
    return utterance.question or words[-1] in ("что", "какие", "есть") or has(words, _ASKED_INSIDE)


_WOULD = words_of("can could should would")
_PLANNED = words_of("запланировано намечено назначено")
_PLANS_MANY = words_of("планы планов plans")
_WITH = words_of("с со кем к with")
_ASKED_INSIDE = words_of("что какие ли чем что-нибудь какие-нибудь чего-нибудь сколько")
_REST_WORDS = words_of("дальше далее потом next rest")


def _left_today(words: Sequence[str]) -> bool:
    """ "что ещё сегодня" asks for the rest of the day."""
    return (
        has(words, {"еще", "осталось", "осталась", "остались"})
        and has(words, {"сегодня", "вечера", "вечер"})
        and not has(words, EVENTS)
    )


def _has_day(utterance: Utterance, context: Context) -> bool:
    """Whether a day or a part of it is named: "что у меня" alone asks of anything."""
    if "сейчас" in utterance.words or " my day " in utterance.line or " мой день " in utterance.line:
        return True
    return bool(residue(utterance, context, frozenset()) != utterance.words)


_RESTS = (
    r"^(?: (?:и|а|ну|так|скажи|подскажи|мне|ладно|хорошо|ок|окей))* (?:что|чего|че|чё)(?: (?:там|у меня|у нас"
    r"|мне|меня|нас|же|еще|ждет|будет|идет|теперь|сейчас|делать))*"
    r" (?:дальше|далее|потом|следующее|следующим|следом|на очереди)(?: (?:по плану|по расписанию|по графику|по"
    r" календарю|на сегодня|сегодня|у меня|у нас|будет|в планах"
    rf"|в расписании|делать|меня|ждет|сегодня вечером|в плане|по списку дел|то|на очереди|по делам|в"
    rf" программе)){{0,3}}{TAIL}",
    rf"^(?: (?:и|а|ну))* (?:дальше|потом|далее)(?: (?:у меня|у нас|сегодня))? что(?: (?:у меня|у нас|по плану))?{TAIL}",
    rf"^ (?:что|чего|че|какие)(?: (?:у|меня|нас|мне|дела|планы|там|же|из))* (?:еще|осталось|остается"
    rf"|остались)(?: (?:у|меня|нас|мне|на|дела|планы|из|планов|дел|сделать|запланировано|по|плану"
    rf"|есть|в|расписании|планах))* (?:сегодня|на сегодня|до конца дня|до вечера|на вечер|сегодня вечером|на"
    rf" остаток дня|этим вечером){TAIL}",
    rf"^ (?:что|какие)(?: (?:еще|у|меня|нас|мне|планы|дела|там|сегодня))*(?: (?:осталось|остались))? (?:до"
    rf" конца дня|на остаток дня|на остаток вечера|в остаток дня|остаток дня){TAIL}",
    r"^(?: (?:and|so|ok|okay|then|tell me))* (?:what's|whats|what is|what comes|what do i have|what have i got"
    r"|what's coming)(?: (?:up|on))? (?:next|after this|after that)"
    rf"(?: (?:today|for me|on my schedule|on the schedule|on my agenda|on the agenda|up|for today|this evening"
    rf"|tonight|now|in my day))*{TAIL}",
    r"^(?: (?:and|so|ok))* (?:what else|what's left|whats left|what is left|anything left|anything else)(?:"
    r" (?:is|are|do|i|have|got|there|on|for|me|my|to|do|planned|scheduled|the|agenda|schedule|of))*"
    rf" (?:today|tonight|this evening|this afternoon|later|day|later today|rest of the day|rest of my day){TAIL}",
    rf"^(?: (?:and|so))* (?:what|what's|whats|how|how's)(?: (?:is|does|the|for|does|do|i|have|look|like|about"
    rf"|on|in|are|my|plans|planned))*(?: the)? rest of (?:the|my) (?:day|evening|afternoon)(?: (?:look like|looking"
    rf"|hold))?{TAIL}",
    rf"^ what (?:now|comes next|next|then){TAIL}",
)

_REST_DECISION = asks(Source.UNKNOWN, False, REST)


def _rest(utterance: Utterance, match: Match, context: Context) -> Decision | None:
    words = utterance.words
    if has(words, HERSELF, NEGATION):
        return None
    if has(words, EVENTS) or has(words, _CALENDAR_WORDS):
        return asks(Source.CALENDAR, False, REST)
    return _REST_DECISION


_CALENDAR_WORDS = words_of("календарю календаре calendar")

CALENDARS = (Grammar(CALENDAR, _CALENDARS, brief(_calendar)), Grammar(EVENT, _EVENT_TIMES, brief(_event_time)))
AGENDAS = (Grammar(AGENDA, _AGENDAS, brief(_agenda)), Grammar(REST, _RESTS, brief(_rest)))
GRAMMARS = (*CALENDARS, *AGENDAS)
