"""Row 15: "у меня ...", a plain declaration of what the owner has or what has happened to them.

Observed: the models read "у меня новый велосипед" as a question about the owner's things and search memory for it. The
frame is closed and its remainder open: no list of nouns.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from routing.context import Context
from routing.decision import Decision, Intent
from routing.grammars.base import Grammar, Match
from routing.guard_words import ORDERS
from routing.keyed import VALUE, keyed
from routing.lexicon import ASKING, SOFT, words_of
from routing.text import Utterance

_INFINITIVE = re.compile(r"(?:ть|ти|чь|ться|тись)$")
_REQUESTS = words_of(
    "расскажи расскажите объясни объясните опиши скажи скажите подскажи подскажите найди найдите покажи покажите "
    "помоги помогите посоветуй посоветуйте проверь проверьте посмотри посмотрите узнай глянь запомни запиши "
    "напомни разбуди пожалуйста сделай давай дай придумай переведи посчитай спой отметь пометь сохрани включи "
    "выключи закрой открой поставь убери можешь можно нельзя надо-ли прочитай перечисли назови выведи"
)
_ADVICE = (" что делать ", " как быть ", " что посоветуешь ", " как думаешь ", " что скажешь ", " что мне делать ")
_TALK = words_of("вопрос просьба предложение вопросик просьбы")
_POINTING = words_of("это то все всё так такое тоже есть нет да")
_FRONT = words_of(
    "а и но да вот ну сегодня вчера завтра сейчас опять снова тут теперь кажется похоже кстати еще уже наконец-то "
    "недавно утром вечером днем ночью короче наконец вообще-то вообще представляешь знаешь блин ура"
)


def _build(utterance: Utterance, match: Match, context: Context) -> Decision | None:
    words = utterance.words
    at = next(
        i for i, word in enumerate(words) if word == "у" and words[i + 1 : i + 2] and words[i + 1] in ("меня", "нас")
    )
    if any(word not in _FRONT for word in words[:at]):
        return None
    rest = words[at + 2 :]
    if utterance.question or all(word in SOFT or word in _POINTING or word in _FRONT for word in rest):
        return None
    if any(
        word in _REQUESTS
        or (ORDERS.match(word) and not _INFINITIVE.search(word) and not word.startswith(("будильник", "таймер")))
        for word in rest
    ):
        return None
    if any(word in _TALK for word in rest[:4]) and ("тебе" in rest or "к" in rest or len(rest) <= 3):
        return None
    if any(utterance.line.endswith(tail) for tail in _ADVICE):
        return None
    if _asks(utterance, at + 2):
        return None
    fact = keyed(utterance, at + 2)
    if fact is not None and VALUE.match(words[fact[1][0]]):
        return None
    return Decision(Intent.NOTE, claimant="possession-statement")


def _asks(utterance: Utterance, first: int) -> bool:
    """Whether a question word asks, rather than opens a clause ("у меня болит голова, когда дождь")."""
    words: Sequence[str] = utterance.words
    if "ли" in words:
        return True
    for i in range(first, len(words)):
        if words[i] not in ASKING:
            continue
        begin = utterance.word_span(i, i)[0]
        clause = utterance.raw[:begin].rstrip().endswith((",", "—", "-", ";", ".")) or (
            i >= first + 3 and i + 2 < len(words)
        )
        if words[i] in ("как", "что", "чем", "насколько", "когда") and i >= first + 2 and i + 1 < len(words):
            clause = True
        if words[i] in ("что", "как") and words[i - 1] in (
            "потому",
            "так",
            "то",
            "такое",
            "сказал",
            "чувство",
            "ощущение",
            "впечатление",
        ):
            clause = True
        if not clause:
            return True
    return False


GRAMMARS = (Grammar("possession-statement", (r"^ (?:\S+ ){0,3}?у (?:меня|нас) \S",), _build),)
