"""One safety guard over the whole cascade: an order that nobody gave is never an act nor a reminder.

Negated, reported, quoted, conditional, figurative and hypothetical orders, and accounts of what somebody does or did,
share their words with real orders; every judge with weights takes some of them for one, and a wrong act costs more
than a wrong answer. So whoever claims, the words themselves are read here once more.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from routing import wordforms
from routing.decision import Decision, Intent, Slots, Source, StageName
from routing.guard_words import (
    ASIDE,
    FIGURES,
    HYPOTHETICAL,
    IF,
    IF_POLITE,
    IF_POLITE_EN,
    NAMING,
    NEGATED_MODALS,
    NOT,
    NOT_EN,
    NOT_GENUINE,
    ORDERS,
    ORDERS_EN,
    OTHERS,
    REPORTS,
    REPORTS_EN,
    WANTS,
)
from routing.text import Utterance

_QUOTED = re.compile(r"[«“„\"]([^«»“”„\"]+)[»”\"“]|(?:^|[\s(])['‘]([^'‘’]{4,})['’](?=[\s.,!?)]|$)")
_REPORT_AFTER = re.compile(
    r"[,»\"”!.]\s*[—–-]*\s*(?:как\s+)?(?:он\s|она\s|они\s|я\s|мне\s|he\s|she\s|they\s|i\s)?"
    r"(?:сказал[аи]?|говори[тл]\w*|попросил[аи]?|просил[аи]?|крикнул[аи]?|прошептал[аи]?|велел[аи]?|ответил[аи]?|написал[аи]?|"
    r"повторял[аи]?|шепнул[аи]?|буркнул[аи]?|said|says|asked|told|shouted|whispered|yelled)(?:\s+[^\s,]+){0,3}\s*[.!]*$"
)
_INFINITIVE = re.compile(r"^\w{2,}(?:ть|ти|чь|ться|тись|чься)$")
_DONE_ORDER = re.compile(r"^(?:(?:вы|от)?ключил|отменил|удалил|(?:за|от)крыл|напомнил|поставил|запустил|остановил|добавил|убавил|прибавил|погасил|разбудил|перезагрузил|turned|cancelled|canceled|switched|closed|opened|stopped|started|set)")


def inspect(utterance: Utterance, decision: Decision) -> str | None:
    """Why the act or reminder `decision` must not stand: "negated", "reported", "quoted", "conditional", "figurative",
    "hypothetical", "past" or "third-person"; None where it may."""
    words = utterance.words
    head = _head(utterance, decision)
    reason = (
        _quoted(utterance, head)
        or _figurative(words)
        or _hypothetical(words, head)
        or _reported(utterance, head)
        or _conditional(utterance, decision, head)
        or _negated(words, head)
    )
    if reason is None and decision.stage is not StageName.GRAMMAR:
        reason = _narrated(utterance)
    return reason


def downgrade(utterance: Utterance, decision: Decision, reason: str) -> Decision:
    """What is left of an order that was none: `note` where it plainly declares, else `chat`. No slots survive."""
    if reason == "past" and any(_DONE_ORDER.match(word) for word in utterance.words):
        # a report of an order that was carried out asks nothing and keeps nothing
        plain = False
    else:
        plain = reason in ("past", "third-person") or (reason == "reported" and not _imperatives(utterance.words))
    intent = Intent.NOTE if plain and not utterance.question else Intent.CHAT
    return Decision(
        intent,
        source=Source.UNKNOWN,
        slots=Slots(),
        stage=decision.stage,
        claimant=decision.claimant,
        confidence=decision.confidence,
        more=decision.more,
    )


def _head(utterance: Utterance, decision: Decision) -> int:
    """Index of the word that gives the order: the slot's, else the first that reads like an order."""
    span = decision.slots.spans.get("fn")
    if span is not None:
        first, last = utterance.words_of(span)
        if last > first:
            return first
    for i, word in enumerate(utterance.words):
        bare = word.removesuffix("-ка")
        if ORDERS.match(bare) or (bare in ORDERS_EN and (i == 0 or utterance.words[i - 1] not in ("the", "a", "my", "to"))):
            return i
    for i, word in enumerate(utterance.words):
        if word in ORDERS_EN or word.isalpha() and _is_imperative(word):
            return i
    return 0


def _is_imperative(word: str) -> bool:
    return not word.isascii() and word not in ASIDE and wordforms.is_imperative(word.removesuffix("-ка"))


def _imperatives(words: Sequence[str]) -> list[int]:
    return [i for i, word in enumerate(words) if _is_imperative(word) or (word in ORDERS_EN and i == 0)]


# --- quoted ----------------------------------------------------------------------------------------------------


def _quoted(utterance: Utterance, head: int) -> str | None:
    words = utterance.words
    if head > 0 and (words[head - 1] in NAMING or (head > 1 and words[head - 2] in NAMING and words[head - 1] in _LINK)):
        return "quoted"
    if any(word in _SPEECH_ABOUT for word in words[:head]):
        return "quoted"
    for match in _QUOTED.finditer(utterance.raw):
        inside = utterance.words_of(match.span())
        outside = len(words) - (inside[1] - inside[0])
        if inside[0] <= head < inside[1] and outside > 0 and not _hands_over(words, inside):
            return "quoted"
    return None


_LINK = frozenset("типа вроде это была было под названием такая такое the is was says like".split())
_SPEECH_ABOUT = frozenset(
    "переведи переведите перевести перевод переводится значит означает пишется произносится произнести расшифруй процитируй "
    "цитирую цитата translate means meaning pronounce spelled quote поется поет спела пел пела звучит гласит написано подписано "
    "рифма рифмуется загадка пословица поговорка анекдот".split()
)


def _hands_over(words: Sequence[str], inside: tuple[int, int]) -> bool:
    """Whether the words outside a quotation only address her ("Мавен, «включи свет»")."""
    outside = [word for i, word in enumerate(words) if not inside[0] <= i < inside[1]]
    return all(word in ("пожалуйста", "мавен", "please", "maven") for word in outside)


# --- figurative and hypothetical -------------------------------------------------------------------------------


def _figurative(words: Sequence[str]) -> str | None:
    line = f" {' '.join(words)} "
    return "figurative" if FIGURES.search(line) else None


def _hypothetical(words: Sequence[str], head: int) -> str | None:
    line = f" {' '.join(words)} "
    found = HYPOTHETICAL.search(line)
    if found and len(line[: found.start()].split()) <= max(head, 2):
        return "hypothetical"
    if "бы" in words and not any(word in IF for word in words):
        # "я бы включил свет": a wish about oneself; "включила бы ты свет" asks her
        for i, word in enumerate(words):
            if word in ("я", "он", "она", "мы", "они") and any(re.search(r"л[аи]?(?:с[ья])?$", w) for w in words[i + 1 : i + 5]):
                if not any(w in WANTS for w in words):
                    return "hypothetical"
    return None


# --- reported --------------------------------------------------------------------------------------------------


def _reported(utterance: Utterance, head: int) -> str | None:
    words = utterance.words
    if _REPORT_AFTER.search(utterance.folded):
        return "reported"
    for r, word in enumerate(words[:head]):
        if word in REPORTS or word in REPORTS_EN:
            if word in REPORTS_EN and r + 1 < len(words) and words[r + 1] in ("you", "u") and words[:r] in (["i"], ["i've"]):
                continue
            if not _clause_ended(words, r, head):
                return "reported"
    for r, word in enumerate(words[:head]):
        # "он хочет чтобы ты включила свет": somebody else's wish
        if word in OTHERS and any(w in _THEIR_WISH for w in words[r + 1 : head]):
            return "reported"
    return None


_THEIR_WISH = frozenset("хочет хотел хотела хотят хотели просит просят требует требовал мечтает wants wanted needs".split())


def _clause_ended(words: Sequence[str], report: int, head: int) -> bool:
    """Whether what was said ended before the order ("мне сказали что дождь, закрой окна"). Russian puts no imperative
    into a clause with "что", so an imperative after one is the speaker's own."""
    between = words[report + 1 : head]
    own = _is_imperative(words[head]) or words[head] in ORDERS_EN
    if not own or not between:
        return False
    if "чтобы" in between or "to" in between:
        return False
    for i, word in enumerate(between):
        if word in ("что", "будто", "that"):
            return any(w not in _PRONOUNS for w in between[i + 1 :])
    return any(not w.isascii() and w not in _PRONOUNS and wordforms.is_finite(w) for w in between)


_PRONOUNS = frozenset("я ты он она мы вы они мне тебе ему ей нам вам им меня тебя его ее you he she i they me him her them us".split())


# --- conditional -----------------------------------------------------------------------------------------------


def _conditional(utterance: Utterance, decision: Decision, head: int) -> str | None:
    words = utterance.words
    for i, word in enumerate(words):
        if word in ("unless", "лишь", "кабы") and (word != "лишь" or words[i + 1 : i + 2] == ["если"]):
            return "conditional"
        if word in IF and not _polite_if(words, i):
            if i > head and _in_the_payload(decision, i, words):
                continue
            return "conditional"
        if word == "случае" and words[i - 1 : i] == ["в"] and i > 0:
            return "conditional"
        if word == "условии" and words[i - 1 : i] == ["при"]:
            return "conditional"
        if word == "case" and words[i - 1 : i] == ["in"] and decision.intent is Intent.ACT:
            return "conditional"
        if word in ("когда", "when", "whenever", "как") and decision.intent is Intent.ACT and _when_somebody(words, i, head):
            return "conditional"
    return None


def _polite_if(words: Sequence[str], i: int) -> bool:
    rest = list(words[i + 1 : i + 5])
    if words[i] == "if":
        return bool(rest) and " ".join(rest).startswith(IF_POLITE_EN)
    while rest and rest[0] in ("тебе", "вам", "ты", "вы", "это", "конечно", "только", "тебя", "вас"):
        rest.pop(0)
    return bool(rest) and " ".join(rest).startswith(IF_POLITE)


def _in_the_payload(decision: Decision, at: int, words: Sequence[str]) -> bool:
    """A condition said inside a message, or inside what a timed reminder is to say, orders nothing by itself."""
    if decision.intent is Intent.REMINDER:
        return decision.time is not None or decision.slots.time is not None
    fn = decision.slots.fn or ""
    return fn.startswith(("message.", "list.", "task.")) and words[at - 1] not in ("and", "и")


def _when_somebody(words: Sequence[str], i: int, head: int) -> bool:
    """"когда стемнеет, включи свет": an order for an event, not for now. The owner's own "когда приду домой" stays an
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


def _negated(words: Sequence[str], head: int) -> str | None:
    for i, word in enumerate(words):
        if word in NOT:
            after = words[i + 1 : i + 5]
            if not after or _asks_politely(words, i):
                continue
            if word == "не" and _forbids(words, i, after, head):
                return "negated"
            if word in NEGATED_MODALS and any(_INFINITIVE.match(w) for w in after) and i <= head:
                return "negated"
        elif word in NOT_EN and i <= head and not _asks_politely_en(words, i):
            return "negated"
    if any(word in NOT_GENUINE and words[max(0, i - 1)] != "не" for i, word in enumerate(words[:head])) and _INFINITIVE.match(words[head]):
        return "negated"
    return None


def _forbids(words: Sequence[str], i: int, after: Sequence[str], head: int) -> bool:
    """Whether the "не" at word `i` takes the order back."""
    if after[0] in NEGATED_MODALS:
        return i <= head and any(_INFINITIVE.match(w) or w in ("чтобы", "чтоб") for w in words[i + 2 :])
    if i + 1 == head:
        return True
    if i + 1 < head and after[0] in ("просил", "просила", "просили", "хочу", "хотел", "хотела", "собираюсь", "буду", "вижу", "планирую"):
        return True
    if i < head and _is_imperative(after[0]):
        # the order itself may be another one: "не спи, включи свет" orders, "не вздумай включать" does not
        return not _is_imperative(words[head])
    if i > head:
        # the order was given before: unless it was only a name for what follows ("свет не включай")
        return False
    return False


def _asks_politely(words: Sequence[str], i: int) -> bool:
    """"не мог бы ты", "не забудь", "если не трудно", "включишь, нет?"."""
    after = words[i + 1 : i + 3]
    if after[0] in ("мог", "могла", "могли", "могу", "забудь", "забудьте", "дай", "дайте", "трудно", "сложно", "затруднит", "поленись", "стесняйся", "против", "откажи", "пора"):
        return after[0] != "могу"
    if after[0] in ("можешь", "можете", "сможешь", "хочешь", "желаешь"):
        return True
    if after[0].endswith(("шь", "шься")) and not _is_imperative(after[0]):
        return True
    return words[max(0, i - 1) : i] == ["бы"] and words[max(0, i - 2) : i - 1] == ["почему"]


def _asks_politely_en(words: Sequence[str], i: int) -> bool:
    rest = " ".join(words[i + 1 : i + 4])
    before = words[i - 1] if i else ""
    return (
        rest.startswith(("let me forget", "let us forget", "forget to", "forget about", "you ", "mind", "hesitate", "be shy"))
        or (before == "why" and rest.startswith("you"))
        or before in ("i", "we", "they", "it", "he", "she") and words[i] in ("don't", "dont", "doesn't", "can't", "cannot", "couldn't") and "to" not in words[i + 1 : i + 4]
    )


# --- accounts of what somebody does or did ---------------------------------------------------------------------


def _narrated(utterance: Utterance) -> str | None:
    """"past" or "third-person" where nobody is addressed: a finite verb and no order beside it."""
    words = utterance.words
    if any(word.isascii() and word.isalpha() for word in words) and not any("а" <= w[0] <= "я" for w in words):
        return _narrated_english(words)
    if any(_is_imperative(word) for word in words) or any(word in WANTS for word in words):
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


def _narrated_english(words: Sequence[str]) -> str | None:
    if not words or words[0] not in _SUBJECT_EN or len(words) < 3:
        return None
    if words[1] in ("want", "need", "would", "wanna", "wish", "think", "am", "was", "could", "have", "can't"):
        asks = {"you", "want", "need", "like", "wanna"} & set(words[1:5])
        return None if asks else ("past" if words[1] in ("was", "have") else None)
    return "past" if words[1].endswith("ed") or words[1] in ("turned", "put", "set", "already", "just", "told", "bought") else "third-person"
