"""Every form that a dictionary word takes in speech, from `pymorphy3`, worked out once a process.

`pymorphy3` is imported at the first use: a process that resolves no function never pays for its dictionaries.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import product
from typing import Any

Phrase = tuple[frozenset[str] | None, ...]
"""The forms of each word of a phrase; None is a gap."""

_ROOMS = """
спальня кухня зал гостиная детская коридор прихожая ванная ванна туалет санузел кабинет комната балкон лоджия гараж
подвал чердак двор сад терраса веранда крыльцо подъезд кладовка кладовая гардеробная столовая холл тамбур этаж дом
квартира дача баня сауна мастерская офис лестница стол кровать диван окно потолок стена пол участок парковка огород
теплица улица вход библиотека игровая прачечная котельная бойлерная мансарда постирочная студия сарай ворота бассейн
хозблок беседка камин плита раковина зеркало шкаф ниша угол тумбочка торшер фасад кухонька спаленка
"""
_KINDS = """
большой маленький первый второй третий верхний нижний дальний ближний мой твой наш весь родительский детский гостевой
жилой летний зимний левый правый задний передний главный рабочий ванный хозяйский мамин папин сынов дочкин подсобный
"""
_EN_ROOMS = """
bedroom kitchen hall hallway lounge nursery bathroom toilet office room balcony garage basement attic yard garden
terrace porch pantry closet den study stairs staircase house home apartment flat cottage shed pool driveway patio
upstairs downstairs outside table desk wall ceiling floor corner backyard laundry corridor cellar
"""
_EN_KINDS = (
    "the my our your big small first second third upper lower master guest living dining kids front back main whole"
)


@lru_cache(maxsize=1)
def _analyzer() -> Any:
    import pymorphy3

    return pymorphy3.MorphAnalyzer()


def fold(text: str) -> str:
    """Lower case with "е" for "ё", as utterances are read."""
    return text.lower().replace("ё", "е").strip()


_RUSSIAN = re.compile(r"[а-я]+(?:-[а-я]+)*")


def _is_russian(word: str) -> bool:
    return _RUSSIAN.fullmatch(word) is not None


def parses(word: str) -> list[Any]:
    """The dictionary's readings of a word; none of one that is not Russian: `pymorphy3` throws on letters that have no
    Unicode name."""
    return list(_analyzer().parse(word)) if _is_russian(word) else []


@lru_cache(maxsize=8192)
def nominal(word: str) -> frozenset[str]:
    """Every case and number of a noun or adjective; the word itself where it is neither."""
    if not _is_russian(word):
        return frozenset((word,))
    if "-" in word:
        parts = [nominal(part) for part in word.split("-")]
        joint = {"-".join(forms) for forms in product(*parts)} if len(parts) == 2 else set()
        last = {f"{word.rpartition('-')[0]}-{form}" for form in parts[-1]}
        return frozenset(joint | last | {word})
    found = parses(word)
    chosen = [
        p
        for p in found
        if p.tag.POS in ("NOUN", "ADJF", "PRTF", "NUMR")
        and "nomn" in p.tag
        and not ({"Name", "Surn"} & p.tag.grammemes)
    ]
    if not chosen:  # a person's name alone
        chosen = [p for p in found if p.tag.POS == "NOUN" and "nomn" in p.tag]
    forms = {word}
    for parse in chosen:
        # participles of a verb that only looks like the noun are no forms of it
        forms.update(fold(form.word) for form in parse.lexeme if form.tag.POS == parse.tag.POS)
    return frozenset(forms)


def _is_noun(word: str) -> bool:
    if not _is_russian(word):
        return False
    if "-" in word:
        return True
    return bool(parses(word)[0].tag.POS == "NOUN")


_PREPOSITIONS = frozenset(
    ["в", "во", "на", "у", "из", "с", "со", "к", "по", "за", "под", "над", "для", "про", "о", "об", "от", "до"]
)


def thing(phrase: str, language: str) -> list[Phrase]:
    """The forms of an object class: the adjectives and the first noun inflect, what follows stays ("список
    покупок"). A hyphenated name is also known as two words, as speech recognition writes it."""
    words = fold(phrase).split()
    if not words:
        return []
    if language == "en":
        return _english(words)
    if words[0] in _PREPOSITIONS:
        return [tuple(frozenset((word,)) for word in words)]
    out: list[frozenset[str] | None] = []
    fixed = False
    for word in words:
        out.append(frozenset((word,)) if fixed else nominal(word))
        fixed = fixed or _is_noun(word)
    forms: list[Phrase] = [tuple(out)]
    if len(words) == 1 and "-" in words[0]:
        forms.append(tuple(nominal(part) for part in words[0].split("-")))
    return forms


def _english(words: list[str]) -> list[Phrase]:
    last = words[-1]
    plural = last + ("es" if last.endswith(("s", "x", "ch", "sh")) else "s")
    plurals = {last, plural}
    if last.endswith("y") and last[-2:-1] not in "aeiou":
        plurals.add(last[:-1] + "ies")
    head: list[frozenset[str]] = [frozenset((word,)) for word in words[:-1]]
    forms: list[Phrase] = [(*head, frozenset(plurals))]
    if len(words) == 1 and "-" in last:
        forms.append(tuple(frozenset((part,)) for part in last.split("-")))
    return forms


@lru_cache(maxsize=8192)
def orders(word: str) -> frozenset[str]:
    """The forms of a verb that may ask for it: imperatives, infinitive, "включишь", "включим", and the past of
    "чтобы ты включила"; the word itself for any other."""
    if not _is_russian(word):
        return frozenset((word,))
    forms = {word}
    for parse in parses(word):
        tag = parse.tag
        if tag.POS == "INFN" or (tag.POS == "VERB" and "impr" in tag):
            for form in parse.lexeme:
                asks = form.tag.POS == "INFN" or (
                    form.tag.POS == "VERB"
                    and (
                        {"impr", "excl"} <= form.tag.grammemes
                        or {"futr", "2per"} <= form.tag.grammemes
                        or {"1per", "plur"} <= form.tag.grammemes
                        or "past" in form.tag
                    )
                )
                if asks:
                    forms.add(fold(form.word))
            break
    return frozenset(forms | {f"{form}-ка" for form in forms if form.endswith(("и", "й", "ь", "те"))})


def verb(phrase: str, language: str) -> list[Phrase]:
    """The forms of a verb phrase: its first word inflects, the others stay, `*` is a gap."""
    words = fold(phrase).split()
    if not words:
        return []
    head = orders(words[0]) if language == "ru" else frozenset((words[0],))
    return [(head, *(None if word == "*" else frozenset((word,)) for word in words[1:]))]


@lru_cache(maxsize=1)
def places() -> tuple[frozenset[str], frozenset[str]]:
    """Words that name a room or a spot in a house, and words that may stand before them."""
    rooms: set[str] = set(_EN_ROOMS.split())
    for word in _ROOMS.split():
        rooms |= nominal(word)
    kinds: set[str] = set(_EN_KINDS.split())
    for word in _KINDS.split():
        kinds |= nominal(word)
    return frozenset(rooms), frozenset(kinds - rooms | {"детской"})


@lru_cache(maxsize=16384)
def _kinds(word: str) -> tuple[bool, str]:
    """Whether `word` is an imperative in its likeliest reading, and which finite verb it is: "past", "third", "first",
    "second" or ""."""
    found = parses(word)
    if not found:
        return False, ""
    best = found[0].score
    imperative = any(
        p.tag.POS == "VERB" and {"impr", "excl"} <= p.tag.grammemes and p.score >= 0.34 * best for p in found
    )
    tag = found[0].tag
    finite = ""
    if tag.POS == "VERB" and "impr" not in tag:
        if "past" in tag:
            finite = "past"
        elif "3per" in tag:
            finite = "third"
        elif "1per" in tag and "sing" in tag:
            finite = "first"
        elif "2per" in tag:
            finite = "second"
    return imperative, finite


def is_imperative(word: str) -> bool:
    """Whether a Russian word reads as an imperative."""
    return _kinds(word)[0]


def is_finite(word: str) -> bool:
    """Whether a Russian word reads as a finite verb that is no imperative."""
    return _kinds(word)[1] != ""


def finite_kind(word: str) -> str:
    """ "past", "third", "first", "second" or "" for a Russian word."""
    return _kinds(word)[1]


@lru_cache(maxsize=4096)
def is_sentence(word: str) -> bool:
    """Whether a Russian word alone can be a sentence: in its likeliest reading a verb, an infinitive, a short
    participle or adjective, or a predicative."""
    found = parses(word)
    if not found:
        return False
    tag = found[0].tag
    return tag.POS in ("VERB", "INFN", "PRTS", "ADJS", "PRED", "GRND") or (tag.POS == "ADVB" and "Prdx" in tag)
