"""Row 10: "расскажи про X", "объясни X", "опиши X".

Observed: with no question mark and no question word models called these facts to keep. A joke, a story, a tale, a
poem, a song and talk about herself stay with chat, for no source of the query chain answers them.
"""

from __future__ import annotations

from routing.context import Context
from routing.decision import Decision, Source
from routing.grammars.base import Grammar, Match
from routing.grammars.common import HERSELF, NAMES, POINTING, REPORTED, TAIL, asks, brief, has, said
from routing.lexicon import words_of
from routing.text import Utterance

NAME = "narrative-query"
_DECISION = asks(Source.UNKNOWN, False, NAME)

_FRONT = (
    r"(?: (?:можешь|можете|могла|мог|могли|не|бы|ты|вы|сможешь|давай|давайте|мне|нам|пожалуйста|плиз|хочу"
    r"|чтобы|ты|а|и|ну|тогда|теперь|еще|лучше|попрошу|прошу|тебя|будь|добра|сначала"
    r"|просто|кратко|коротко|быстро|подробно))*"
)
_FRONT_EN = (
    r"(?: (?:can|could|would|will|you|please|i|want|to|you|so|and|now|then|just|kindly|let's|briefly|also|i'd"
    r" like|like|quickly))*"
)
_HOW = (
    r"(?: (?:мне|нам|пожалуйста|плиз|подробно|подробнее|поподробнее|кратко|коротко|вкратце|детально|детальнее"
    r"|еще|что-нибудь|что-то|чего-нибудь|немного|чуть|больше|все|всё|в|двух|словах|общих|чертах|простыми|простым"
    r"|языком|словами|как"
    r"|ребенку|для|чайников|по-простому|просто|понятно|быстро|интересно|интересное|интересного|ка|нормально"
    r"|давай|снова|сначала|по-русски|доходчиво|наглядно|пару|слов|пожалуй|что|ты|знаешь|самое|важное|главное|да))*"
)
_TELL = (
    r"(?:расскажи(?:те)?(?:-ка)?|рассказать|рассказывай(?:те)?|расскажешь|поведай(?:те)?|поведать|просвети"
    r"|скажи пару слов|скажи что-нибудь|поговорим|поговори)"
)
_ABOUT = r"(?:про|о|об|обо|насчет|на тему|по поводу|касательно)"
_EXPLAIN = (
    r"(?:объясни(?:те)?(?:-ка)?|обьясни|объяснить|объясняй|объяснишь|поясни(?:те)?|пояснить|растолкуй(?:те)?"
    r"|разъясни(?:те)?|разъяснить|разжуй)"
)
_DESCRIBE = r"(?:опиши(?:те)?(?:-ка)?|описать|опишешь|охарактеризуй)"
_QUESTION = (
    r"(?:как|почему|зачем|откуда|чем|в чем|кто|что|где|когда|какой|какая|какие|какое|сколько|отчего|из чего|за"
    r" что|для чего|куда|каким|каково|каков)"
)

_PATTERNS = (
    rf"^{_FRONT} {_TELL}(?: {_TELL})?{_HOW} {_ABOUT}(?: {_ABOUT})? (?P<x>[^ ].*?){TAIL}",
    rf"^{_FRONT} {_ABOUT} (?P<x>[^ ]+(?: [^ ]+){{0,5}}?){_HOW} {_TELL}{_HOW}{TAIL}",
    rf"^{_FRONT} {_TELL}{_HOW} (?P<q>{_QUESTION}) (?P<x>[^ ].*?){TAIL}",
    rf"^{_FRONT} {_EXPLAIN}{_HOW}(?: {_ABOUT})? (?P<x>[^ ].*?){TAIL}",
    rf"^{_FRONT} {_DESCRIBE}{_HOW}(?: {_ABOUT})? (?P<x>[^ ].*?){TAIL}",
    rf"^{_FRONT_EN} (?:tell|give|teach)(?: (?:me|us))(?: (?:more|something|a bit|a little|a little bit|all"
    rf"|everything|briefly|again|an overview|a summary|please|a few words))* (?:about|on|regarding) (?P<x>[^"
    rf" ].*?){TAIL}",
    rf"^{_FRONT_EN} (?:explain|describe)(?: (?:to me|me|to us|please|briefly|in simple terms|simply|in detail"
    rf"|again))*(?: about)? (?P<x>[^ ].*?){TAIL}",
    rf"^{_FRONT_EN} tell (?:me|us) (?P<q>how|why|where|when) (?P<x>[^ ].*?){TAIL}",
)
_CHAT = words_of(
    "шутку шутки шутка шутке шуток анекдот анекдота анекдоте анекдоты анекдотов анекдотик сказку сказки сказка "
    "сказке сказок стих стихи стиха стишок стихотворение стихотворения песню песни песня песне песенку байку байки "
    "прикол приколы "
    "тост колыбельную частушку загадку загадки "
    "joke jokes tale poem poems song riddle fairytale bedtime rhyme lullaby"
)
_CHAT_STORY = words_of("историю историйку рассказ story stories")
_TO_OTHERS = words_of(
    "ему ей им маме папе жене мужу сыну дочке дочери брату сестре бабушке дедушке ребятам всем детям другу "
    "подруге соседу начальнику боссу коллегам лене кате оле маше саше пете ване диме гостям врачу "
    "him them everyone mom dad mum"
)
_FIGURES = words_of("себе себя свой свою свои своя свое своих своей своего своему своим своем")
_DAILY = words_of("прошел прошла дела поживаешь настроение жизнь спалось")
_IDLE = words_of(
    "это этот эту это-то то так ещё еще раз снова опять подробнее почему зачем "
    "двух словах словами простыми подробно кратко коротко вкратце понятно по-русски просто в "
    "it this that again more why "
    "yourself further better"
)


def _build(utterance: Utterance, match: Match, context: Context) -> Decision | None:
    words = utterance.words
    thing = said(match, "x")
    asked = said(match, "q")
    head = thing[0]
    if (
        has(words, REPORTED)
        or has(words, _FIGURES)
        or ("не" in words and "бы" not in words and words.index("не") < _verb_at(words))
    ):
        return None
    if has(thing, HERSELF) or head in NAMES or has(thing[:2], _CHAT) or head in _TO_OTHERS:
        return None
    # "объясни шутку" and "опиши историю" order the thing itself only where it is told
    if not asked and has(thing[:1], _CHAT_STORY):
        return None
    if has(thing, {"шутку", "анекдот", "сказку", "joke", "poem", "fairytale"}) and len(thing) < 4:
        return None
    if asked and (has(thing, _DAILY) or head in ("тебя", "ты")):
        return None
    if all(word in _IDLE or word in POINTING for word in thing):
        return None
    return _DECISION


_VERBS = (
    "расск",
    "объясн",
    "обьясн",
    "опиш",
    "опис",
    "повед",
    "поясн",
    "растолк",
    "разъясн",
    "explain",
    "describe",
    "tell",
)


def _verb_at(words: list[str]) -> int:
    """Index of the word that tells, explains or describes."""
    return next((i for i, word in enumerate(words) if word.startswith(_VERBS)), 0)


GRAMMARS = (Grammar(NAME, _PATTERNS, brief(_build)),)
