"""Row 14: an explicit capture ("запиши: ...", "запомни, что ..."), a fact where what is captured has a key.

Observed: models send "заметка ..." to chat and drop the command words into the text; the frame gives both exactly.
"""

from __future__ import annotations

from routing.context import Context
from routing.decision import Decision, Intent, Slots
from routing.grammars.base import Grammar, Match, group, group_span
from routing.keyed import keyed, taste
from routing.lexicon import SOFT, any_of, words_of
from routing.text import Utterance

_WRITE = (
    r"запиши(?:те)?(?:-ка)?|записать|запишем|записывай(?:те)?|пометь(?:те)?|пометить|зафиксируй(?:те)?|"
    r"зафиксировать|законспектируй|отметь(?:те)?|сохрани(?:те)?|"
    r"черкни|зарегистрируй|занеси"
)
_KEEP = r"запомни(?:те)?(?:-ка)?|запомнить|запоминай(?:те)?|имей(?:те)? в виду|учти(?:те)?|держи в уме|знай"
_NOTE = (
    r"заметка|заметку|пометка|запись|заметочка|заметочку|запись в дневник|в дневник|дневник|дневниковая запись|"
    r"для памяти|на память|мысль|идея"
)
_MAKE = r"(?:сделай|создай|добавь|запиши|оставь|заведи|внеси|сохрани|создать|сделать|добавить|новая|новую)(?:те)?"
_WHERE = (
    r"(?: (?:в|во|к) (?:заметки|заметках|заметку|дневник|дневничок|блокнот|журнал|память|записную книжку|"
    r"записи|лог))?"
)
_SOFT = (
    r"(?: (?:себе|мне|пожалуйста|плиз|там|где-нибудь|куда-нибудь|ка|быстро|быстренько|еще|так|следующее|такое|"
    r"такую мысль|на будущее|для меня|мысль|идею|please|down|this|for me|the following))*"
)
_THAT = r"(?: (?:что|о том что|про то что|that|том что))?"

_NOT_CAPTURE = words_of(
    "видео голосовое аудио песню ролик звук трек передачу экран разговор меня нас его ее маму папу сына дочь "
    "ребенка собаку кота телефон звонок программу video audio song screen call podcast"
)
_ELSEWHERE = words_of(
    "список списке списки корзину календарь календаре расписание ежедневник покупки задачи задачу задача дела "
    "дело напоминание встречу встреча событие созвон прием приема list calendar cart tasks todo todos task "
    "meeting appointment event reminder alarm"
)
_DONE = words_of(
    "как сделанное сделанным выполненное выполненным готовым готовое выполнено done complete completed галочкой "
    "прочитанным важным"
)
_ASKS = words_of("как где когда кто какой какая сколько почему зачем куда who when how where why which whether if")


def _build(utterance: Utterance, match: Match, context: Context) -> Decision | None:
    words = utterance.words
    span = group_span(utterance, match, "x")
    if span is None or utterance.question:
        return None
    first, last = utterance.words_of(span)
    while last > first and words[last - 1] in ("пожалуйста", "плиз", "please", "мавен", "maven", "ладно", "спасибо"):
        last -= 1
    while first < last and words[first] in ("что", "пожалуйста", "и", "мне", "себе"):
        first += 1
    if first >= last:
        return None
    verb = group(match, "cmd") or ""
    rest = words[first:last]
    if (rest[0] in _NOT_CAPTURE and rest[1:2] != ["зовут"]) or all(word in SOFT or word in _POINTERS for word in rest):
        return None
    if (
        any_of(rest[-3:], _ELSEWHERE)
        and any_of(rest, words_of("в во на to in on for"))
        and any(rest[i] in _ELSEWHERE and i and rest[i - 1] in _INTO for i in range(len(rest)))
    ):
        return None
    if rest[0] in _ELSEWHERE or (
        rest[0] in ("новую", "новое", "a", "an", "the") and len(rest) > 1 and rest[1] in _ELSEWHERE
    ):
        return None
    if rest[0] in ("в", "на", "to", "on", "in") and any_of(rest[:4], _ELSEWHERE):
        return None
    if verb.startswith(("отмет", "помет", "mark")) and any_of(rest, _DONE):
        return None
    if verb.startswith("отмет") and words[first - 1] != "что" and "себе" not in words[:first]:
        return None
    if verb.startswith(("remember", "занеси", "сохрани", "save", "keep", "знай", "log")) and not _captures(
        utterance, verb, first, rest
    ):
        return None
    if rest[0] in _ASKS and (verb.startswith(("запомн", "remember")) or rest[0] in ("how", "when", "if", "whether")):
        return None
    keep = verb.startswith(
        ("запомн", "запомин", "remember", "имей", "учти", "знай", "держи", "keep", "note that", "bear")
    )
    frame = keyed(utterance, first, last) or (taste(words, first, last) if keep else None)
    if frame is not None:
        (a, b), (c, d) = frame
        spans = {"key": utterance.word_span(a, b - 1), "value": utterance.word_span(c, d - 1)}
        return Decision(Intent.FACT, slots=Slots.of(utterance.raw, spans), claimant="bare-capture")
    spans = {"text": utterance.word_span(first, last - 1)}
    return Decision(Intent.NOTE, slots=Slots.of(utterance.raw, spans), claimant="bare-capture")


_POINTERS = words_of("это этот эту то все всё this that it them")
_INTO = words_of("в во на к ко to in on into my the наш мой")


def _captures(utterance: Utterance, verb: str, first: int, rest: list[str]) -> bool:
    """Heads that have other uses ("remember when we met", "сохрани файл") need "that", "что" or a colon."""
    words = utterance.words
    if words[first - 1] in ("that", "что", "заметки", "дневник", "блокнот", "журнал", "память"):
        return True
    begin = utterance.word_span(first, first)[0]
    if utterance.raw[:begin].rstrip().endswith((":", "—", "-", ",")) and rest[0] not in ("to", "when", "how"):
        return True
    if verb.startswith("remember") and rest[0] in ("i", "i'm", "i've", "we", "we're"):
        return len(rest) > 2
    return (
        verb.startswith("remember")
        and rest[0] in ("my", "our", "the", "his", "her")
        and (keyed(utterance, first, first + len(rest)) is not None)
    )


_START = r"^ (?:(?:давай|хочу|надо|можешь|можно|мне|please|can you|could you|прошу|нужно|просто) )*"


def _checked(utterance: Utterance, match: Match, context: Context) -> Decision | None:
    verb = group(match, "cmd") or ""
    words = utterance.words
    bare = (
        "в дневник",
        "заметк",
        "пометк",
        "запись",
        "дневник",
        "мысль",
        "идея",
        "note",
        "memo",
        "diary",
        "journal",
        "log",
        "дневниковая",
    )
    if verb.startswith(bare) and verb != "note that":
        # a bare noun is a command only in front of its colon, or in front of words that are no statement about it
        at = len(verb.split())
        if words[at : at + 1] and (words[at] in _ABOUT_NOTE or words[at] in _VERBS):
            return None
        if verb.split()[0] in ("мысль", "идея", "запись", "дневник", "note", "log", "journal", "diary") and not _marked(
            utterance, at
        ):
            return None
    return _build(utterance, match, context)


_VERBS = words_of("запиши запишите добавь внеси пометь занеси запомни запишем")
_ABOUT_NOTE = words_of(
    "была был где пропала удалилась не есть от за о которую которая хорошая про сделана нужна важная моя from "
    "about was is where книга для на в с so"
)


def _marked(utterance: Utterance, at: int) -> bool:
    """Whether a colon or dash stands right after word `at` - 1."""
    end = utterance.word_span(at - 1, at - 1)[1]
    return utterance.raw[end:].lstrip()[:1] in (":", "—", "–", "-", ",") or " ".join(utterance.words[:at]) in (
        "note to self",
        "for the record",
    )


GRAMMARS = (
    Grammar(
        "bare-capture",
        (
            rf"{_START}(?P<cmd>{_WRITE}|{_KEEP}){_SOFT}{_WHERE}{_SOFT}{_THAT} (?P<x>\S.*) $",
            rf"{_START}(?P<cmd>{_MAKE} (?:новую |короткую |быструю |мне |себе |пожалуйста )*(?:заметк[уа]|"
            rf"пометку|запись)){_WHERE}{_THAT} (?P<x>\S.*) $",
            rf"^ (?P<cmd>{_NOTE}){_THAT} (?P<x>\S.*) $",
            r"^ (?P<x>\S+ \S.*) (?P<cmd>запомни|запиши|запомните|запишите)(?: (?:это|пожалуйста|себе|"
            r"там))* $",
            rf"^ (?:в|во) (?:заметки|дневник|блокнот|журнал) (?P<cmd>{_WRITE}|добавь|"
            rf"внеси){_SOFT}{_THAT} (?P<x>\S.*) $",
            rf"{_START}(?P<cmd>добавь|внеси|внести|добавить|кинь|закинь) (?:мне |пожалуйста )?(?:в|"
            rf"во) (?:заметки|дневник|блокнот|журнал|записи){_THAT} (?P<x>\S.*) $",
            rf"{_START}(?P<cmd>write down|write this down|jot down|jot this down|note down|put down|"
            rf"take this down){_SOFT}{_THAT} (?P<x>\S.*) $",
            rf"{_START}(?P<cmd>(?:take|make|add|create|leave|save|write) (?:me )?(?:a |an |this |quick |"
            rf"new )*(?:note|memo|journal entry|diary entry)){_THAT}(?: of| saying)? (?P<x>\S.*) $",
            rf"{_START}(?P<cmd>note that|note to self|note|memo|for the record|diary|journal|keep in mind|"
            rf"bear in mind|remember|log|save){_SOFT}{_THAT} (?P<x>\S.*) $",
        ),
        _checked,
    ),
)
