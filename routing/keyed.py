"""The key and value of a fact, read off its frame: "мой любимый чай — улун", "код от домофона 4582"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from routing.lexicon import PREPOSITIONS, words_of
from routing.text import Utterance

Range = tuple[int, int]

MINE = words_of(
    "мой моя мое мои моего моей моих моему моим наш наша наше наши нашего нашей наших my our his her their его ее "
    "их свой"
)
_ATTRIBUTES = words_of(
    "код пароль пин пин-код пинкод номер размер рост вес адрес телефон имя фамилия отчество возраст логин почта "
    "емейл имейл mail ник никнейм группа день дата годовщина цвет марка модель девиз хобби профессия должность "
    "зарплата инн снилс полис паспорт индекс этаж подъезд домофон ссылка ip айпи порт ssid артикул диагноз "
    "аллергия знак рецепт дозировка тариф лимит бюджет ставка оклад пробег давление объем мощность частота длина "
    "ширина высота диаметр емкость температура стоимость цена владелец хозяин столица кличка порода code password "
    "pin number size height weight address phone name surname age login email birthday anniversary color colour "
    "nickname passport blood model brand diet allergy budget salary wifi"
)
_FAVOURITE = re.compile(r"^(?:любим\w+|нелюбим\w+|предпочитаем\w+|favou?rite|preferred|least)$")
_TASTE = re.compile(
    r"^(?:люблю|предпочитаю|ненавижу|обожаю|ем|пью|боюсь|ношу|курю|переношу|терплю|понимаю|пользуюсь|храню|"
    r"держу|живу|родился|родилась|работаю|болею|"
    r"like|love|hate|prefer|eat|drink|wear|smoke|live|work)$"
)
_THEIR_TASTE = re.compile(
    r"^(?:любит|предпочитает|ненавидит|обожает|ест|пьет|боится|носит|живет|работает|likes|loves|hates|"
    r"prefers|eats|drinks|lives|works)$"
)
_COPULA = words_of("это is are was равен равна равно составляет = называется теперь")
_SEPARATOR = re.compile(r"\s[—–-]\s|\s*[:=]\s")
_CALLED = words_of("зовут звать кличут")
VALUE = re.compile(
    r"^(?:\d.*|[a-z]+\d*|ноль|один|одна|два|две|три|четыре|пять|шесть|семь|восемь|девять|десять|сто|"
    r"\w+надцать|\w+десят|\w*сот\w*|сорок|двадцать\S*|тридцать\S*|тысяча|(?:перв|втор|треть|четверт|пят|"
    r"шест|седьм|восьм|девят|десят|\w+надцат|двадцат|тридцат)(?:ого|его))$"
)
_VERBS = words_of(
    "купил купила сломался сломалась был была было пришел пришла сделал сделала поел поела забыл забыла нужно "
    "надо будет болит сегодня вчера завтра сейчас опять снова today yesterday tomorrow"
)


def keyed(utterance: Utterance, first: int = 0, last: int | None = None) -> tuple[Range, Range] | None:
    """Word ranges of the key and the value in words `first` to `last`; None where the words hold no such frame."""
    words = utterance.words
    end = len(words) if last is None else last
    if end - first < 2 or end - first > 16:
        return None
    if any(word in _VERBS for word in words[first:end]):
        return None
    return (
        _separated(utterance, first, end)
        or _named(words, first, end)
        or _copula(words, first, end)
        or _attribute(words, first, end)
    )


def _separated(utterance: Utterance, first: int, end: int) -> tuple[Range, Range] | None:
    """ "чай — улун", "пароль: кот"."""
    begin, stop = utterance.word_span(first, end - 1)
    match = _SEPARATOR.search(utterance.raw, begin, stop)
    if match is None:
        return None
    at = utterance.words_of((begin, match.start() + 1))[1] if match.start() > begin else first
    return _split(utterance.words, first, at, at, end, strict=False)


def _split(words: Sequence[str], a: int, b: int, c: int, d: int, *, strict: bool) -> tuple[Range, Range] | None:
    if b <= a or d <= c or b - a > 6:
        return None
    key = words[a:b]
    if strict and not any(word in MINE or word in _ATTRIBUTES or _FAVOURITE.match(word) for word in key):
        return None
    if a + 1 < b and key[0] in ("мой", "моя", "мое", "мои", "my", "our", "наш", "наша", "the"):
        a += 1
    return (a, b), (c, d)


def _named(words: Sequence[str], first: int, end: int) -> tuple[Range, Range] | None:
    """ "меня зовут Иван", "кота зовут Барсик"."""
    for i in range(first, min(end, first + 6)):
        if words[i] in _CALLED and i > first and i + 1 < end:
            return (first, i + 1), (i + 1, end)
    if words[first] in _CALLED and end - first >= 3:
        return (first, end - 1), (end - 1, end)
    return None


def _copula(words: Sequence[str], first: int, end: int) -> tuple[Range, Range] | None:
    """ "my favourite tea is oolong", "любимый чай это улун"."""
    for i in range(first + 1, min(end - 1, first + 8)):
        if (
            words[i] in _COPULA
            and words[i + 1] in ("мой", "моя", "мои", "мое", "my", "our", "наш", "наша")
            and i + 2 < end
        ):
            return (first, i), (i + 1, end)
        if words[i] in _COPULA:
            return _split(words, first, i, i + 1, end, strict=True)
    return None


def _attribute(words: Sequence[str], first: int, end: int) -> tuple[Range, Range] | None:
    """ "код от домофона 4582", "мой любимый чай улун", "размер ноги сорок три", "улун мой любимый чай"."""
    a = first
    while a < end and (words[a] in MINE or words[a] in ("у", "меня", "мамы", "жены", "мужа")):
        a += 1
    if a >= end:
        return None
    for i in range(a, min(end, a + 2)):
        if _FAVOURITE.match(words[i]) and i + 2 < end:
            at = i + 2
            while at < end - 1 and words[at - 1] in PREPOSITIONS:
                at += 1
            return (i, at), (at, end)
        if _FAVOURITE.match(words[i]) and i + 2 == end and i - first >= 2:
            return (i, end), (first, i - 1 if words[i - 1] in MINE else i)
    head = next((i for i in range(a, min(end, a + 2)) if words[i] in _ATTRIBUTES), None)
    if head is None:
        return None
    at = head + 1
    if at < end and words[at] in (
        "рождения",
        "крови",
        "телефона",
        "обуви",
        "ноги",
        "одежды",
        "машины",
        "зодиака",
        "number",
        "type",
        "size",
        "code",
        "password",
    ):
        at += 1
    while at + 1 < end and words[at] in ("от", "для", "на", "к", "из", "of", "for", "to", "с"):
        at += 2
    if words[head] in ("адрес", "address") and end - head >= 4 and at == head + 1 and a == first:
        return _split(words, a, head + 2, head + 2, end, strict=False)
    values = [i for i in range(at, end) if VALUE.match(words[i])]
    if values:
        return _split(words, a, values[0], values[0], end, strict=False)
    if at < end and (words[at] in MINE or end - at >= 2) and end - at <= 4 and at > head + 1:
        return _split(words, a, at, at, end, strict=False)
    if end - at == 1:
        return _split(words, a, at, at, end, strict=False)
    if end - at == 2:
        return _split(words, a, at + 1, at + 1, end, strict=False)
    return None


def taste(words: Sequence[str], first: int, end: int) -> tuple[Range, Range] | None:
    """ "я не ем мясо": a lasting preference, which is a fact only where it is to be remembered."""
    i = first
    while i < end and words[i] in ("я", "i", "что", "очень", "мы"):
        i += 1
    start = i
    if i < end and words[i] in ("не", "don't", "never", "do"):
        i += 1
    if i == first and not _TASTE.match(words[i]) and i + 2 < end:
        # "мама не ест рыбу", "у кота аллергия": somebody else's
        for k in range(i + 1, min(i + 4, end - 1)):
            if _THEIR_TASTE.match(words[k]):
                return (first, k + 1), (k + 1, end)
    if i < end and _TASTE.match(words[i]) and i + 1 < end:
        return (start, i + 1), (i + 1, end)
    if (
        words[first : first + 2] in (["у", "меня"], ["у", "нас"])
        and first + 3 < end
        and words[first + 2].startswith(("аллерги", "непереносимост"))
    ):
        return (first + 2, first + 3), (first + 3, end)
    return None
