"""One safety guard over the whole cascade: an order that nobody gave is never an act nor a reminder.

Negated, reported, quoted, conditional, figurative and hypothetical orders, and accounts of what somebody does or did,
share their words with real orders; every judge with weights takes some of them for one, and a wrong act costs more
than a wrong answer. So whoever claims, the words themselves are read here once more.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from routing import wordforms
from routing.decision import Decision, Intent, Slots, Source, StageName
from routing.guard_turns import conditional, falls_in, is_imperative, lead_apart, narrated, negated, own_order
from routing.guard_words import (
    AS_THEY_SAY,
    DENIED_EN,
    FIGURES,
    HYPOTHETICAL,
    IF,
    LIKENED,
    NAMING,
    NARRATIVE,
    OATHS,
    ORDERS,
    ORDERS_EN,
    OTHERS,
    OWN_DONE,
    PROHIBITION,
    REPORTS,
    REPORTS_EN,
    SAYINGS,
    TAKEN_BACK,
    THREATS,
    WAITING,
    WANTS,
    WISHES,
)
from routing.text import Utterance

_QUOTED = re.compile(r"[«“„\"]([^«»“”„\"]+)[»”\"“]|(?:^|[\s(])['‘]([^'‘’]{4,})['’](?=[\s.,!?)]|$)")
_REPORT_AFTER = re.compile(
    r"[,»\"”!.]\s*[—–-]*\s*(?:как\s+)?(?:он\s|она\s|они\s|я\s|мне\s|he\s|she\s|they\s|i\s)?"
    r"(?:сказал[аи]?|говори[тл]\w*|попросил[аи]?|просил[аи]?|крикнул[аи]?|прошептал[аи]?|велел[аи]?|"
    r"ответил[аи]?|написал[аи]?|"
    r"повторял[аи]?|шепнул[аи]?|буркнул[аи]?|said|says|asked|told|shouted|whispered|"
    r"yelled)(?:\s+[^\s,]+){0,3}\s*[.!]*$"
)
_DONE_ORDER = re.compile(
    r"^(?:(?:в|вы|от)?ключил|отменил|удалил|(?:за|от)крыл|напомнил|поставил|запустил|остановил|добавил|"
    r"убавил|прибавил|погасил|разбудил|перезагрузил|turned|cancelled|canceled|switched|closed|opened|"
    r"stopped|started|set)"
)


def inspect(utterance: Utterance, decision: Decision) -> str | None:
    """Why the act or reminder `decision` must not stand: "negated", "reported", "quoted", "conditional", "figurative",
    "hypothetical", "past" or "third-person"; None where it may."""
    reason = _whole(utterance)
    if reason is not None:
        return reason
    begin = own_order(utterance)
    if begin is not None and lead_apart(utterance, begin) and not falls_in(utterance, decision, begin):
        # what was said, or is not so, before the comma is set aside: the order after it is read alone
        own = Utterance(utterance.raw[utterance.word_span(begin, begin)[0] :])
        return inspect(own, replace(decision, slots=Slots(), time=None))
    order = _head(utterance, decision)
    utterance = _outside_quotes(utterance, order)
    words = utterance.words
    head = len(words) if order is None else order
    reason = (
        _quoted(utterance, order)
        or _figurative(words)
        or _hypothetical(utterance, head)
        or _reported(utterance, head)
        or conditional(utterance, decision, head)
        or negated(utterance, head)
    )
    if reason is None and _prohibited(words, head):
        reason = "negated"
    if reason is None:
        reason = _told_of_oneself(words)
    if reason is None and decision.stage is not StageName.GRAMMAR:
        reason = narrated(utterance)
    return reason


def _whole(utterance: Utterance) -> str | None:
    """Turns that no comma cures: a threat, a wish, a saying, a denial, a figure, one's own finished doing."""
    line = f" {' '.join(utterance.tokens)} "
    if THREATS.search(line):
        return "hypothetical"
    found = WISHES.search(line)
    if found and not _ordered(line[: found.start()].split()):
        return "hypothetical"
    if OATHS.search(line):
        return "negated"
    if AS_THEY_SAY.search(line):
        return "quoted"
    if WAITING.search(line):
        return "figurative"
    begin = own_order(utterance)
    said = SAYINGS.search(line)
    if said and not _ordered(line[: said.start()].split()) and begin is None:
        return "quoted"
    denied = DENIED_EN.search(line)
    if denied and begin is None and not _ordered(line[: denied.start()].split()):
        return "negated"
    words = line.split()
    if _ordered(words) or begin is not None:
        return None
    if TAKEN_BACK.search(line) and any(_INFINITIVE.match(word) for word in words):
        return "negated"
    done = OWN_DONE.search(line)
    if done and " бы " not in line and " котор" not in line and not any(w in WANTS for w in done.group().split()):
        return "past"
    return None


def _ordered(words: Sequence[str]) -> bool:
    """Whether an imperative stands among these words, or in front of them in English."""
    if any(ORDERS.match(w.removesuffix("-ка")) and not _INFINITIVE.match(w) for w in words):
        return True
    return next((word for word in words if word not in ("please", "maven", "just")), "") in ORDERS_EN - {"stop"}


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


def _head(utterance: Utterance, decision: Decision) -> int | None:
    """Index of the word that gives the order: the slot's, else the first that reads like an order; None without one."""
    span = decision.slots.spans.get("fn")
    if span is not None and decision.intent is Intent.ACT:
        first, last = utterance.words_of(span)
        if last > first and not _tells(utterance.words[first]):
            return first
    # "можно не выключать, но сделай потише": the imperative is the order, whatever infinitives stand before it
    for i, word in enumerate(utterance.words):
        if ORDERS.match(word.removesuffix("-ка")) and not _INFINITIVE.match(word):
            return i
    for i, word in enumerate(utterance.words):
        bare = word.removesuffix("-ка")
        if ORDERS.match(bare) or (
            bare in ORDERS_EN and (i == 0 or utterance.words[i - 1] not in ("the", "a", "my", "to"))
        ):
            return i
    for i, word in enumerate(utterance.words):
        if word in ORDERS_EN or (word.isalpha() and is_imperative(word)):
            return i
    return None


def _imperatives(words: Sequence[str]) -> list[int]:
    return [i for i, word in enumerate(words) if is_imperative(word) or (word in ORDERS_EN and i == 0)]


def _tells(word: str) -> bool:
    """Whether a word is a finite verb that orders nothing ("включил")."""
    return not word.isascii() and wordforms.is_finite(word) and not is_imperative(word)


def _outside_quotes(utterance: Utterance, order: int | None) -> Utterance:
    """The utterance with the words of a quoted title blanked, where the order stands outside of it: what a song is
    called negates nothing."""
    for match in _QUOTED.finditer(utterance.raw):
        first, last = utterance.words_of(match.span())
        if order is not None and not first <= order < last and last > first:
            a, b = match.span()
            inside = "".join("ъ" if char.isalpha() else char for char in utterance.raw[a:b])
            utterance = Utterance(utterance.raw[:a] + inside + utterance.raw[b:])
    return utterance


def _prohibited(words: Sequence[str], head: int) -> bool:
    found = PROHIBITION.search(f" {' '.join(words)} ")
    return found is not None and not any(is_imperative(word) for word in words[:head])


def _told_of_oneself(words: Sequence[str]) -> str | None:
    line = f" {' '.join(words)} "
    if words[:1] in (["чтобы"], ["чтоб"]) and not any(is_imperative(word) for word in words):
        return "hypothetical"
    found = NARRATIVE.search(line)
    if found is None or any(is_imperative(word) for word in words):
        return None
    said = found.group()
    if " бы " in line or " чтобы " in line or "попросить" in words:
        return None
    if said.startswith((" i ", " i'", " we'", " he'", " she'", " they'", " whenever", " every", " each")):
        ordered = line[found.end() :].split()[:1]
        own = said.endswith(("to ", "whenever i ", "time i "))
        return "third-person" if own or (ordered and ordered[0] in ORDERS_EN) else None
    return "past" if re.search(r"л[аи]?(?:сь|ся)? |было", said) else "third-person"


# --- quoted ----------------------------------------------------------------------------------------------------


def _quoted(utterance: Utterance, head: int | None) -> str | None:
    words = utterance.words
    if _TRANSLATE.search(f" {' '.join(words)} "):
        return "quoted"
    if head is None:
        return "quoted" if any(word in _SPEECH_ABOUT for word in words) else None
    if head > 0 and (
        words[head - 1] in NAMING or (head > 1 and words[head - 2] in NAMING and words[head - 1] in _LINK)
    ):
        return "quoted"
    if any(word in _SPEECH_ABOUT for word in words[:head]):
        return "quoted"
    for match in _QUOTED.finditer(utterance.raw):
        inside = utterance.words_of(match.span())
        outside = len(words) - (inside[1] - inside[0])
        if inside[0] <= head < inside[1] and outside > 0 and not _hands_over(words, inside):
            return "quoted"
    return None


_TRANSLATE = re.compile(
    r" (?:переведи|переведите|перевести|translate) (?:мне )?(?:фраз|слов|предложени|на \w+ск\w+|to |into |"
    r"from |the word|the phrase|\S+ \S+ (?:in)?to )"
)
_LINK = frozenset("типа вроде это была было под названием такая такое the is was says like".split())
_SPEECH_ABOUT = frozenset(
    "переведи переведите перевести перевод переводится значит означает пишется произносится произнести "
    "расшифруй процитируй "
    "цитирую цитата translate means meaning pronounce spelled quote поется поет спела пел пела звучит "
    "гласит написано подписано "
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


_INFINITIVE = re.compile(r"^\w{2,}(?:ть|ти|чь|ться|тись|чься)$")
_SUBJECTS = OTHERS | {"я", "мы"}


def _hypothetical(utterance: Utterance, head: int) -> str | None:
    words = utterance.words
    line = f" {' '.join(utterance.tokens)} "  # "вот" in front is a filler elsewhere, and half of a wish here
    found = HYPOTHETICAL.search(line)
    if found and len(line[: found.start()].split()) <= max(head, 2):
        return "hypothetical"
    if "бы" in words and words[-1] in OTHERS and any(_tells(word) for word in words):
        return "hypothetical"
    if "бы" in words and not any(word in IF for word in words):
        # "я бы включил свет": a wish about oneself; "включила бы ты свет" asks her
        for i, word in enumerate(words):
            if (
                word in _SUBJECTS
                and any(re.search(r"л[аи]?(?:с[ья])?$", w) for w in words[i + 1 : i + 5])
                and not any(w in WANTS for w in words)
            ):
                return "hypothetical"
    return None


# --- reported --------------------------------------------------------------------------------------------------


def _reported(utterance: Utterance, head: int) -> str | None:
    words = utterance.words
    if _REPORT_AFTER.search(utterance.folded) or LIKENED.search(f" {' '.join(words)} "):
        return "reported"
    if _said_with_a_colon(utterance, head):
        return "reported"
    for r, word in enumerate(words[:head]):
        if word in REPORTS or word in REPORTS_EN:
            if (
                word in REPORTS_EN
                and r + 1 < len(words)
                and words[r + 1] in ("you", "u")
                and words[:r] in (["i"], ["i've"])
            ):
                continue
            if not _clause_ended(words, r, head):
                return "reported"
    for r, word in enumerate(words[:head]):
        # "он хочет чтобы ты включила свет": somebody else's wish
        if word in OTHERS and any(w in _THEIR_WISH for w in words[r + 1 : head]):
            return "reported"
    return None


_SPOKEN = frozenset("от команда приказ совет правило инструкция рецепт объявление".split())


def _said_with_a_colon(utterance: Utterance, head: int) -> bool:
    """ "дед вечно твердит: выключи свет": a clause with a verb of its own, and the order behind its colon."""
    words = utterance.words
    if ":" not in utterance.raw or not 0 < head < len(words):
        return False
    before = utterance.raw[: utterance.word_span(head, head)[0]]
    if not before.rstrip(" «\"“„'").endswith(":"):
        return False
    return any(_tells(word) or word in OTHERS or word in _SPOKEN for word in words[:head])


_THEIR_WISH = frozenset(
    "хочет хотел хотела хотят хотели просит просят требует требовал мечтает wants wanted needs".split()
)


def _clause_ended(words: Sequence[str], report: int, head: int) -> bool:
    """Whether what was said ended before the order ("мне сказали что дождь, закрой окна"). Russian puts no imperative
    into a clause with "что", so an imperative after one is the speaker's own."""
    between = words[report + 1 : head]
    own = head < len(words) and (is_imperative(words[head]) or words[head] in ORDERS_EN)
    if not own or not between:
        return False
    if "чтобы" in between or "to" in between:
        return False
    for i, word in enumerate(between):
        if word in ("что", "будто", "that"):
            return any(w not in _PRONOUNS for w in between[i + 1 :])
    return any(not w.isascii() and w not in _PRONOUNS and wordforms.is_finite(w) for w in between)


_PRONOUNS = frozenset(
    "я ты он она мы вы они мне тебе ему ей нам вам им меня тебя его ее you he she i they me him her them us".split()
)
