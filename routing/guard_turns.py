"""Three readings of the order guard (`routing.guard`): a condition, a prohibition, an account of what somebody does."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime

from routing import wordforms
from routing.decision import Decision, Intent
from routing.functions import FunctionTable
from routing.guard_words import (
    ASIDE,
    BE_SO_KIND,
    IF,
    IF_POLITE,
    IF_POLITE_EN,
    NEGATED_MODALS,
    NOT,
    NOT_EN,
    NOT_GENUINE,
    ORDERS,
    ORDERS_EN,
    REPORTS,
    REPORTS_EN,
    SPEAKING,
    SUBJECTS_EN,
    VERBAL_EN,
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


# --- an order of the speaker's own, after a clause that is none --------------------------------------------------

_LEAD_IN = frozenset(
    "а и но лучше пожалуйста так тогда просто поэтому please just so then but instead maven мавен".split()
)
_DENIES = NOT | NOT_EN | {"nobody", "no", "none", "nothing", "not"}


def own_order(utterance: Utterance) -> int | None:
    """Index of the word that opens the first clause, behind another one, that begins with an order to her and is not
    negated ("говорят, ночью мороз, закрой теплицу"); None where punctuation shows none."""
    words = utterance.words
    for i in range(1, len(words) - 1):
        gap = utterance.raw[utterance.word_span(i - 1, i - 1)[1] : utterance.word_span(i, i)[0]]
        if not any(char in gap for char in ",.;!—"):
            continue
        at = i
        while at < len(words) - 1 and words[at] in _LEAD_IN:
            at += 1
        word = words[at].removesuffix("-ка")
        if any(near in BE_SO_KIND for near in words[at + 1 : at + 2]):
            continue
        if word in ORDERS_EN or (ORDERS.match(word) and not _INFINITIVE.match(word) and is_imperative(word)):
            return i
    return None


def lead_apart(utterance: Utterance, begin: int) -> bool:
    """Whether the words before `begin` are a clause of their own that leaves the order after it alone: what somebody
    said, whole, or what is not so ("я не хочу вставать, выключи лампу")."""
    words = utterance.words
    lead = words[:begin]
    before = utterance.raw[: utterance.word_span(begin, begin)[0]]
    if re.search(r":(?!\d)|[«»“”„\"?]", before) or any(w in IF or w in _WHEN for w in lead):
        return False
    told = [i for i, word in enumerate(lead) if word in REPORTS or word in REPORTS_EN]
    if told:
        return _content(utterance, told[-1], begin)
    return any(word in _DENIES for word in lead) and SPEAKING.search(f" {' '.join(lead)} ") is None


_WHEN = frozenset("когда чтобы чтоб unless when whenever кабы лишь случае".split())
_HEARSAY = frozenset("говорят пишут слышал слышала читал читала прочитал прочитала".split())
_VOICES = frozenset("ты тебе тебя вы вам вас you your".split())


def _content(utterance: Utterance, report: int, begin: int) -> bool:
    """Whether something whole was said between the verb of saying and the order: a clause, or what was to be done."""
    words = utterance.words
    said = list(words[report + 1 : begin])
    if words[report] in REPORTS_EN:
        return _content_english(words[report], said)
    if not said or any(word in _VOICES or is_imperative(word) for word in said):
        return False
    parted = "," in utterance.raw[utterance.word_span(report, report)[1] : utterance.word_span(begin - 1, begin - 1)[0]]
    if said[0] in ("что", "будто") or (parted and "что" in said):
        return len(said) > 1
    if any(_INFINITIVE.match(word) or wordforms.is_finite(word) for word in said):
        return True
    # a bare nominal after a person's "сказал," may be whom the quoted order names
    return parted and len(said) > 1 and words[report] in _HEARSAY


def _content_english(verb: str, said: list[str]) -> bool:
    while said and said[0] in ("me", "us", "that", "him", "her", "them"):
        said.pop(0)
    if len(said) < 2 or any(word in _VOICES or word in NOT_EN for word in said[:2]):
        return False
    if said[0] not in SUBJECTS_EN or said[0] in ORDERS_EN:
        return False
    if any(word in VERBAL_EN for word in said):
        return True
    own = 1 if said[0] in ("it", "he", "she", "they", "we", "i") else 2
    return verb not in ("told", "tells") and any(re.search(r"(?:s|ed)$", word) for word in said[own:])


def forbids_an_order(words: Sequence[str]) -> bool:
    """Whether a clause takes some order back ("не включай люстру"), and not only tells why another one is given."""
    return any(
        ORDERS.match(word.removesuffix("-ка"))
        or (word in ORDERS_EN and words[max(0, i - 1)] not in ("the", "a", "my", "is", "some"))
        for i, word in enumerate(words)
    )


def falls_in(utterance: Utterance, decision: Decision, begin: int) -> bool:
    """Whether the decision is about the words before `begin`, or would be, once the extractor fills what it left."""
    start = utterance.word_span(begin, begin)[0]
    lead = utterance.words[:begin]
    spans = decision.slots.spans
    if decision.intent is Intent.ACT and spans.get("fn", (start, start))[0] < start:
        return True
    if not forbids_an_order(lead):
        return False
    if any(span[0] < start for span in spans.values()):
        return True
    if "time" not in spans and decision.time is None and find_times(utterance.raw[:start], _ANY_DAY, "UTC"):
        return True
    if decision.intent is not Intent.ACT or ("fn" in spans and "key" in spans):
        return False
    found = FunctionTable.default().resolve(utterance.words)
    return found is not None and (found.verb[0] < begin or (found.place is not None and found.place[0] < begin))
