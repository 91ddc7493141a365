"""Rows 2 and 13: reports that a reminder was cancelled, and the order to cancel one.

Observed (row 2): "я отменил напоминание" was searched for in personal memory. Observed (row 13): models read
"отмени напоминание" as a new reminder, because the noun outweighs the verb.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from routing.context import Context
from routing.decision import Decision, Intent, Span
from routing.grammars.base import Grammar, Match
from routing.grammars.common import CONDITIONAL, NEGATION, TAIL, act, brief, has, placed
from routing.lexicon import ASKING, words_of
from routing.text import Utterance
from routing.times import TimeExpression, find_times

REPORT = "reminder-cancellation-report"
CANCEL = "reminder-cancel"
FUNCTION = "reminder.cancel"

NOUN = (
    r"(?:напоминани(?:е|я|й|ю|ем|ям|ями|и)|напоминалк[аиуе]|напоминалок|напоминалочку|будильник(?:и|а|ов|у|ом|ам)?"
    r"|будильничек)"
)
_TIMER = r"(?:таймер(?:ы|а|ов|у|ом)?)"
NOUN_EN = r"(?:reminders?|alarms?)"
_ADVERB = (
    r"(?:уже|только|что|сам|сама|сами|случайно|нечаянно|вчера|сегодня|утром|вечером|давно|тоже|успешно|просто|недавно"
    r"|все-таки|таки|наконец|наконец-то|зря|не|потом|сейчас|как|раз|ведь|же|заранее|специально|вроде|кажется)"
)
_KIND = (
    r"(?:[а-я-]+(?:ое|ее|ый|ий|ой|ые|ие|ую|юю|их|ых|его|ого|ей)|все|всё|то|те|мои|твои|свои|наши|это|этот|эти"
    r"|эту|ту|тот|свой"
    r"|мой|твой|наш|мое|твое|свое|наше|мою|свою|оба|обе|пару|два|три|пять|одно|один|одну|у|меня|мне|на|\d+)"
)
_PAST = (
    r"(?:отменил|отменял|удалил|убрал|снял|выключил|отключил|вырубил|сбросил|отклонил|смахнул|деактивировал)"
    r"(?:а|и|о)?|стер(?:ла|ли)?|снес(?:ла|ли)?"
)
_PASSIVE = (
    r"(?:отменен|удален|убран|снят|стерт|выключен|отключен|сброшен)(?:а|о|ы)?|отменил(?:ось|ся|ась|ись)"
    r"|удалил(?:ось|ся|ась|ись)"
)
_REPORTS = (
    # "(я) (уже) отменил (все) напоминание ..."
    rf"^(?: [^ ]+){{0,3}}?(?: {_ADVERB})* (?:{_PAST})(?: {_ADVERB})*(?: (?:{_KIND}|{_ADVERB}))* (?:{NOUN}"
    rf"|{_TIMER})(?: |$)",
    # "напоминание про врача я уже отменил"
    rf"^(?: (?:я|мы|он|она))?(?: {_KIND})* (?:{NOUN}|{_TIMER})(?: [^ ]+){{0,6}} (?:{_PAST}|{_PASSIVE})(?:"
    rf" {_ADVERB})*{TAIL}",
    # "уже отменено напоминание"
    rf"^(?: {_ADVERB})* (?:{_PASSIVE})(?: {_ADVERB}| {_KIND})* (?:{NOUN}|{_TIMER})(?: |$)",
    r"^ (?:i|we|i've|we've|he|she|they|he's|she's|they've|my [a-z]+)(?: (?:have|had|has|just|already"
    r"|accidentally|actually"
    r"|also|finally|did|recently|both|went ahead and))*"
    r" (?:cancelled|canceled|deleted|removed|dismissed|cleared|disabled|turned off|switched off|dropped)"
    r"(?: (?:the|my|that|all|of|our|this|those|both|a|an|old|two|[a-z]+'s|[a-z0-9]+)){0,4} (?:reminders?"
    r"|alarms?|timers?)(?: |$)",
    r"^ (?:i|we|i've|we've|he|she|they)(?: (?:have|had|has|just|already))* (?:turned|switched|shut)"
    r"(?: (?:the|my|that|all|our|this|[a-z]+)){0,3} (?:reminders?|alarms?) off(?: |$)",
    r"^(?: (?:cancelled|canceled|deleted|dismissed))(?: already)?(?: (?:the|my|that|all|[a-z]+)){0,3}"
    r" (?:reminders?|alarms?)(?: |$)",
    r"^(?: (?:the|my|that|all|our|this|[a-z0-9]+)){0,4} (?:reminders?|alarms?|timers?)(?: [^ ]+){0,5} (?:was"
    r"|were|is|are|has been"
    r"|have been|got)(?: (?:already|just|now))* (?:cancelled|canceled|deleted|removed|dismissed|cleared|disabled)"
    r"(?: (?:already|now|yesterday|today|too))* $",
)
_ORDERING = words_of(
    "напомни напомните поставь поставьте запиши запишите запомни отмени удали убери верни сделай включи "
    "выключи создай добавь "
    "проверь remind set cancel delete add create check прошу нужно надо хочу please убедись ensure sure want "
    "need needs should "
    "must let чтобы"
)
_SAYING_YOU = words_of("ты вы you кто")
_REPORT_FRONT = words_of("was were is are did do does have has can could should will would who why when what how which")


def _report(utterance: Utterance, match: Match, context: Context) -> Decision | None:
    words = utterance.words
    if utterance.question or words[0] in _REPORT_FRONT or "или" in words or " or " in utterance.line:
        return None
    if has(words, CONDITIONAL, _ORDERING, _SAYING_YOU) or has([w for w in words if w != "что"], ASKING):
        return None
    if "что" in words[:1] or _other_object(words):
        return None
    return Decision(Intent.CHAT, claimant=REPORT)


_OTHER_OBJECTS = words_of(
    "подписку подписки подписка заметку заметки встречу список списка звук рассылку заказ приложение статью "
    "файл фото песню "
    "subscription app note meeting sound email"
)


def _other_object(words: Sequence[str]) -> bool:
    """Whether the thing cancelled is named before the noun of reminders, and is another ("подписку на напоминания")."""
    for word in words:
        if _IS_NOUN.fullmatch(word):
            return False
        if word in _OTHER_OBJECTS:
            return True
    return False


_IS_NOUN = re.compile(f"{NOUN}|{NOUN_EN}|{_TIMER}|timers?")

_VERB = (
    r"(?:(?:отмени|отменяй|удали|удаляй|убери|убирай|сними|снимай|сотри|стирай|выключи|выключай|отключи"
    r"|отключай|выруби|снеси"
    r"|деактивируй|аннулируй)(?:те)?(?:-ка)?|отменить|удалить|убрать|снять|стереть|выключить|отключить|вырубить"
    r"|отменишь|удалишь|уберешь|отмените|отменим)"
)
_LEAD = (
    r"(?: (?:давай|давайте|можешь|можете|можно|сможешь|прошу|хочу|надо|нужно|мне|пора|тогда|теперь|срочно"
    r"|сейчас|сразу|быстро|ты|вы"
    r"|пожалуйста|плиз|просто|лучше|не|мог|могла|могли|бы|будь|добра|так|и|а|ну|вот|же|тебя|вас|попрошу|уже"
    r"|еще|также|потом|снова"
    r"|знаешь|что|все|всё|нет|стоп|да|ладно|хорошо|отлично|спасибо|ой|извини|прости))*"
)
_BETWEEN = rf"(?: (?:{_KIND}|пожалуйста|плиз|ка|мне|уже|там|тогда|давай|сейчас))*"
_OFF_EN = r"(?:turn|switch|shut)"
_VERB_EN = (
    r"(?:cancel|delete|remove|dismiss|disable|clear|scrap|kill|drop|stop|erase|get rid of|turn off|switch off"
    r"|shut off)"
)
_LEAD_EN = (
    r"(?: (?:please|can|could|would|will|you|i|want|to|need|would like|i'd like|just|now|then|let's|go|ahead"
    r"|and|okay|ok|so|hey|also"
    r"|kindly|actually|no|yes|yeah|sorry|wait|don't|do|not|never))*"
)
_CANCELS = (
    rf"^{_LEAD}(?: {_VERB})? (?P<v>{_VERB}){_BETWEEN} (?P<n>{NOUN})(?: |$)",
    rf"^(?: {_KIND})* (?P<n>{NOUN})(?: [^ ]+){{0,9}}? (?P<v>{_VERB})(?: (?:пожалуйста|плиз|мавен|ка|уже|сейчас"
    rf"|мне|тогда))* $",
    rf"^{_LEAD_EN}(?: {_VERB_EN})? (?P<v>{_VERB_EN})(?P<mid>(?: [a-z0-9:'’]+){{0,6}}?) (?P<n>{NOUN_EN})(?: |$)",
    rf"^{_LEAD_EN} (?P<v>{_OFF_EN})(?P<mid>(?: [a-z0-9:'’]+){{0,5}}?) (?P<n>{NOUN_EN})(?P<off>(?: [^"
    rf" ]+){{0,5}}?) off(?: |$)",
)
_ASKS_FIRST = ASKING | words_of("зачем стоит можно should do does did is are was were have has")
_MAY = words_of("can could should may did do does")
_COULD_YOU = words_of("можешь можете сможешь могла мог могли can could would will")
_NOT_A_NOUN = words_of(
    "smoke fire burglar car security intruder carbon intrusion clock sound subscription subscriptions app notification"
)
_PHYSICAL = words_of(
    "стола тумбочки полки комнаты кровати шкафа подоконника коробку ящик шкаф сумку рюкзак стол полку список списка"
)
_DETERMINERS = words_of(
    "все всё это этот эту эти то тот ту те мой мое мои мою твой свое свой свои свою последнее последний "
    "последнюю первое первый второе "
    "второй третье третий следующее следующий ближайшее ближайший ненужное лишнее старое старый старые новое "
    "новый предыдущее "
    "предыдущий какое-нибудь любое пожалуйста плиз ка мне уже там тогда давай сейчас у меня на все-все "
    "the my that all of this those these our any every last first second next previous please a an both old existing"
)
_SUBJECT_HEADS = words_of("про о об обо насчет по для с под for about to that called named regarding re on at")
_WHICH = words_of("которое который которые которую которых i we which")
"""Words after the noun that say which reminder by how it came to be: neither its subject nor its time."""
_CUT = words_of(
    "поставь поставьте напомни напомните включи выключи добавь создай запиши сделай remind set add create then "
    "потом затем"
)
_ENDS = words_of("пожалуйста плиз мавен мейвен спасибо please maven thanks ка off now сейчас уже больше anymore")


def _cancel(utterance: Utterance, match: Match, context: Context) -> Decision | None:
    words = utterance.words
    verb, verb_end, noun = _places(utterance, match)
    front = words[: min(verb, noun)]
    if has(words[:verb], NEGATION) and not _polite_negation(words[:verb]):
        return None
    if (words[0] in _ASKS_FIRST and not (words[0] == "можно" and not utterance.question)) or has(
        words[:verb], CONDITIONAL - {"бы"}
    ):
        return None
    if has(front, ASKING - {"что"}) or has(words[noun + 1 : verb], ASKING) or (has(front, _MAY) and "i" in front):
        return None
    if has(words, {"если", "if", "unless", "когда", "when"}) or has(words[:noun], _OTHER_OBJECTS):
        return None
    if utterance.question and not has(front, _COULD_YOU):
        return None
    if "можно ли" in utterance.line or _quoted(utterance, verb):
        return None
    following = words[noun + 1 :]
    if words[noun - 1] in _NOT_A_NOUN or (following[:1] and following[0] in _NOT_A_NOUN):
        return None
    if following[:1] and following[0] in ("с", "со", "из", "в", "под") and has(following[1:3], _PHYSICAL):
        return None
    if "уже отменить" in utterance.line and "не" in words:
        return None
    time, text = _subject(utterance, context, {*range(verb, verb_end)}, noun)
    return act(utterance, CANCEL, FUNCTION, verb=utterance.word_span(verb, verb_end - 1), text=text, time=time)


def _polite_negation(front: Sequence[str]) -> bool:
    """ "не могла бы ты", and "нет" or "no" that answers before the order: neither forbids it."""
    line = f" {' '.join(front)} "
    return (" не мог" in line and " бы " in line) or (
        ("не" not in front and has(front[:1], {"нет", "no", "not"})) and not has(front[1:], NEGATION)
    )


def _quoted(utterance: Utterance, verb: int) -> bool:
    """Whether the verb itself stands inside quotes: then the order is spoken of, not given."""
    start = utterance.word_span(verb, verb)[0]
    before = utterance.raw[:start].rstrip()
    return before.endswith(("«", '"', "“", "„")) or before.endswith("'")


def _places(utterance: Utterance, match: Match) -> tuple[int, int, int]:
    """Word indexes: the verb, the end of the verb, the noun."""
    verb, end = placed(utterance, match, "v")
    return verb, end, placed(utterance, match, "n")[0]


def _subject(
    utterance: Utterance, context: Context, verb: set[int], noun: int
) -> tuple[TimeExpression | None, Span | None]:
    """The time said, and the literal words of what the reminder is about (without the preposition)."""
    words = utterance.words
    end = len(words)
    for i in range(noun + 1, end - 1):
        if words[i] in ("и", "а", "and", "потом", "затем", "then") and words[i + 1] in _CUT:
            end = i
            break
    for i in range(noun + 1, end - 1):
        gap = utterance.raw[utterance.word_span(i, i)[1] : utterance.word_span(i + 1, i + 1)[0]]
        if any(mark in gap for mark in ",.;!?—"):  # "..., я не пойду" is a reason, not the subject
            end = i + 1
            break
    if (words[noun + 1 : noun + 2] and words[noun + 1] in _WHICH) or words[noun + 1 : noun + 3] == ["that", "i"]:
        return None, None
    heard = utterance.raw[: utterance.word_span(end - 1, end - 1)[1]]
    time = next(reversed(find_times(heard, context.now, context.timezone)), None)
    timed = set(range(*utterance.words_of((time.start, time.end)))) if time else set()
    stop = noun
    first, last = noun + 1, noun
    for i in range(noun + 1, end):
        if i in verb or words[i] in _ENDS:
            break
        last = i
    while first <= last and (first in timed or words[first] in _DETERMINERS):
        first += 1
    while last >= first and (last in timed or words[last] in _ENDS):
        last -= 1
    if first <= last and words[first] in ("из", "с", "со", "в", "from", "in", "и", "and"):
        return time, None
    if (first <= last and words[first] in _SUBJECT_HEADS and first < last) or (
        first <= last and words[first] in ("чтобы", "чтоб", "что")
    ):
        first += 1
    if first <= last:
        return time, utterance.word_span(first, last)
    # "cancel the dentist reminder": the subject stands before the noun
    before = [
        i
        for i in range(stop)
        if i > max((v for v in verb if v < stop), default=stop)
        and i not in timed
        and words[i] not in _DETERMINERS
        and words[i].isascii()
        and not words[i].isdigit()
    ]
    return (time, utterance.word_span(before[0], before[-1])) if before else (time, None)


REPORTS = (Grammar(REPORT, _REPORTS, brief(_report)),)
CANCELS = (Grammar(CANCEL, _CANCELS, brief(_cancel)),)
GRAMMARS = (*REPORTS, *CANCELS)
