"""Three readings of the order guard (`routing.guard`): a condition, a prohibition, an account of what somebody does."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime

from routing import wordforms
from routing.decision import Decision, Intent
from routing.guard_words import (
    ASIDE,
    IF,
    IF_POLITE,
    IF_POLITE_EN,
    NEGATED_MODALS,
    NOT,
    NOT_EN,
    NOT_GENUINE,
    ORDERS_EN,
    WANTS,
)
from routing.text import Utterance
from routing.times import find_times

_ANY_DAY = datetime(2026, 1, 1, tzinfo=UTC)
_INFINITIVE = re.compile(r"^\w{2,}(?:ть|ти|чь|ться|тись|чься)$")


def is_imperative(word: str) -> bool:
    return not word.isascii() and word not in ASIDE and wordforms.is_imperative(word.removesuffix("-ка"))


# --- conditional -----------------------------------------------------------------------------------------------


def conditional(utterance: Utterance, decision: Decision, head: int) -> str | None:
    words = utterance.words
    for i, word in enumerate(words):
        if word in ("unless", "лишь", "кабы") and (word != "лишь" or words[i + 1 : i + 2] == ["если"]):
            return "conditional"
        if word in IF and not _polite_if(words, i):
            if i > head and _in_the_payload(utterance, decision, head, i):
                continue
            return "conditional"
        if word == "случае" and words[i - 1 : i] == ["в"] and i > 0:
            return "conditional"
        if word == "условии" and words[i - 1 : i] == ["при"]:
            return "conditional"
        if word == "case" and words[i - 1 : i] == ["in"] and not _to_be_told(words):
            return "conditional"
        if word in ("когда", "when", "whenever", "как") and not _to_be_told(words) and _when_somebody(words, i, head):
            return "conditional"
    return None


def _polite_if(words: Sequence[str], i: int) -> bool:
    rest = list(words[i + 1 : i + 5])
    if words[i] == "if":
        return bool(rest) and " ".join(rest).startswith(IF_POLITE_EN)
    while rest and rest[0] in ("тебе", "вам", "ты", "вы", "это", "конечно", "только", "тебя", "вас"):
        rest.pop(0)
    return bool(rest) and " ".join(rest).startswith(IF_POLITE)


_TELL_ME = re.compile(r"^(?:напомн|напомин|разбуд|буди|засе[кч]|будильник|таймер|remind|wake|alarm|timer)")


def _to_be_told(words: Sequence[str]) -> bool:
    return any(_TELL_ME.match(word) for word in words)


_MESSAGE = re.compile(
    r"^(?:напиш|скаж|переда|спрос|ответь|отправ|сообщ|предупред|tell|text|ask|message|write|send|email)"
)


def _in_the_payload(utterance: Utterance, decision: Decision, head: int, at: int) -> bool:
    """A condition said inside a message, or inside what a timed reminder is to say, orders nothing by itself."""
    words = utterance.words
    if decision.intent is Intent.REMINDER:
        begin = utterance.word_span(at, at)[0]
        return _to_be_told(words) and bool(find_times(utterance.raw[:begin], _ANY_DAY, "UTC", durations=True))
    return _MESSAGE.match(words[head]) is not None and words[at - 1] not in ("and", "и")


def _when_somebody(words: Sequence[str], i: int, head: int) -> bool:
    """ "когда стемнеет, включи свет": an order for an event, not for now. The owner's own "когда приду домой" stays an
    order, and a question about when is none of this guard's."""
    if words[i] == "как":
        return words[i + 1 : i + 2] == ["только"] and not _self(words[i + 2 : i + 5])
    if i > head and words[head + 1 : i] and words[i - 1] not in ("свет", "и") and i - head < 2:
        return False
    if i == 0 and head == 0:
        return False
    return not _self(words[i + 1 : i + 4])


def _self(near: Sequence[str]) -> bool:
    if any(word in ("я", "мы", "i", "i'm", "we", "i'll") for word in near):
        return True
    return any(re.search(r"^\w{3,}(?:у|ю|усь|юсь|дем|ем|им|емся)$", word) for word in near[:1])


# --- negated ---------------------------------------------------------------------------------------------------


def negated(utterance: Utterance, head: int) -> str | None:
    words = utterance.words
    for i, word in enumerate(words):
        if word in NOT:
            after = words[i + 1 : i + 5]
            if not after or _asks_politely(words, i):
                continue
            if word == "не" and _forbids(words, i, after, head):
                return "negated"
            if word in NEGATED_MODALS and any(_INFINITIVE.match(w) for w in after) and i <= head:
                return "negated"
        elif (
            word in NOT_EN and i <= head and not _asks_politely_en(words, i) and not _sentence_apart(utterance, i, head)
        ):
            return "negated"
    if (
        head < len(words)
        and any(word in NOT_GENUINE and words[max(0, i - 1)] != "не" for i, word in enumerate(words[:head]))
        and _INFINITIVE.match(words[head])
    ):
        return "negated"
    return None


def _sentence_apart(utterance: Utterance, i: int, head: int) -> bool:
    """Whether a comma or stop parts the negation at word `i` from the order ("don't wait, lock the door")."""
    if head - i <= 1 or head >= len(utterance.words):
        return False
    between = utterance.raw[utterance.word_span(i, i)[1] : utterance.word_span(head, head)[0]]
    return any(char in between for char in ",.;!—")


def _forbids(words: Sequence[str], i: int, after: Sequence[str], head: int) -> bool:
    """Whether the "не" at word `i` takes the order back."""
    if after[0] in ("будем", "буду") or (
        i > 0 and words[i - 1] in ("давай", "давайте") and _INFINITIVE.match(after[0])
    ):
        return True
    if after[0] in NEGATED_MODALS:
        return i <= head and any(_INFINITIVE.match(w) or w in ("чтобы", "чтоб") for w in words[i + 2 :])
    if i + 1 == head:
        return True
    if after[0] in ("хочу", "хотим", "просил", "просила", "просили", "желаю") and any(
        w in ("чтобы", "чтоб") for w in after[1:3]
    ):
        return True
    if i + 1 < head and after[0] in (
        "просил",
        "просила",
        "просили",
        "хочу",
        "хотел",
        "хотела",
        "собираюсь",
        "буду",
        "вижу",
        "планирую",
    ):
        return True
    if i < head and is_imperative(after[0]):
        # the order itself may be another one: "не спи, включи свет" orders, "не вздумай включать" does not
        return head >= len(words) or not is_imperative(words[head])
    if i > head:
        # the order was given before: unless it was only a name for what follows ("свет не включай")
        return False
    return False


def _asks_politely(words: Sequence[str], i: int) -> bool:
    """ "не мог бы ты", "не забудь", "если не трудно", "включишь, нет?"."""
    after = words[i + 1 : i + 3]
    if after[0] in (
        "мог",
        "могла",
        "могли",
        "могу",
        "забудь",
        "забудьте",
        "дай",
        "дайте",
        "трудно",
        "сложно",
        "затруднит",
        "поленись",
        "стесняйся",
        "против",
        "откажи",
        "пора",
    ):
        return after[0] != "могу"
    if after[0] in ("можешь", "можете", "сможешь", "хочешь", "желаешь"):
        return True
    if after[0].endswith(("шь", "шься")) and not is_imperative(after[0]):
        return True
    return words[max(0, i - 1) : i] == ["бы"] and words[max(0, i - 2) : i - 1] == ["почему"]


def _asks_politely_en(words: Sequence[str], i: int) -> bool:
    rest = " ".join(words[i + 1 : i + 4])
    before = words[i - 1] if i else ""
    return (
        (
            rest.startswith(
                ("let me forget", "let us forget", "forget to", "forget about", "you ", "mind", "hesitate", "be shy")
            )
            and not rest.startswith("you dare")
        )
        or (before == "why" and rest.startswith("you"))
        or (
            before in ("i", "we", "they", "it", "he", "she")
            and words[i] in ("don't", "dont", "doesn't", "can't", "cannot", "couldn't")
            and "to" not in words[i + 1 : i + 4]
        )
    )


# --- accounts of what somebody does or did ---------------------------------------------------------------------


def narrated(utterance: Utterance) -> str | None:
    """ "past" or "third-person" where nobody is addressed: a finite verb and no order beside it."""
    words = utterance.words
    if any(word.isascii() and word.isalpha() for word in words) and not any("а" <= w[0] <= "я" for w in words):
        return _narrated_english(words)
    if any(is_imperative(word) for word in words) or any(word in WANTS for word in words):
        return None
    if "чтобы" in words or "чтоб" in words:
        return None
    for i, word in enumerate(words):
        if word in ASIDE or word.isascii() or len(word) < 4:
            continue
        kind = wordforms.finite_kind(word)
        if kind == "past":
            return None if "бы" in words else "past"
        if kind == "third":
            return "third-person"
        if kind == "first" and (i == 0 or words[i - 1] in ("я", "сам", "сама", "потом", "завтра", "сейчас", "уже")):
            return "third-person"
    return None


_SUBJECT_EN = frozenset("i he she they we it he's she's they're".split())


_DONE_EN = frozenset("turned switched opened closed locked unlocked started stopped".split())


def _narrated_english(words: Sequence[str]) -> str | None:
    if words and words[0] not in ORDERS_EN and any(word in _DONE_EN for word in words):
        return "past"
    if not words or words[0] not in _SUBJECT_EN or len(words) < 3:
        return None
    if words[1] in ("want", "need", "would", "wanna", "wish", "think", "am", "was", "could", "have", "can't"):
        asks = {"you", "want", "need", "like", "wanna"} & set(words[1:5])
        return None if asks else ("past" if words[1] in ("was", "have") else None)
    return (
        "past"
        if words[1].endswith("ed") or words[1] in ("turned", "put", "set", "already", "just", "told", "bought")
        else "third-person"
    )
