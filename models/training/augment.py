"""Noise for training rows: what speech recognition, haste and a keyboard do to an utterance.

Every change is an edit of a character range, and the slot spans move with it, so a slot stays a literal part
of the changed text.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from models.training.corpus import Example
from routing.decision import Intent, Span

__all__ = ["augment", "edited", "number_in_words"]

_WORD = re.compile(r"\w+(?:[-']\w+)*")
_PUNCTUATION = re.compile(r"(?<!\d)[.,:;!?…«»\"()—–]|[.,:;!?…«»\"()—–](?!\d)|(?<=\s)-(?=\s)")


def _words(text: str) -> list[str]:
    return text.split()


_ONES = _words(
    "ноль один два три четыре пять шесть семь восемь девять десять одиннадцать двенадцать тринадцать "
    "четырнадцать пятнадцать шестнадцать семнадцать восемнадцать девятнадцать"
)
_TENS = _words("двадцать тридцать сорок пятьдесят шестьдесят семьдесят восемьдесят девяносто")
_HUNDREDS = _words("сто двести триста четыреста пятьсот шестьсот семьсот восемьсот девятьсот")
_EN_ONES = _words(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
)
_EN_TENS = _words("twenty thirty forty fifty sixty seventy eighty ninety")

_COUNTED = [
    set(_words(forms))
    for forms in (
        "минута минуты минут минуту",
        "час часа часов",
        "градус градуса градусов",
        "день дня дней",
        "процент процента процентов",
        "рубль рубля рублей",
        "неделя недели недель неделю",
        "раз раза",
        "километр километра километров",
        "секунда секунды секунд секунду",
    )
]
_FILLERS = {
    "ru": [*_words("ну слушай короче так эм это значит ой э а смотри послушай блин ага"), "ну вот", "это самое"],
    "en": _words("um uh so hey well okay listen er like oh"),
}
_NAMES = {
    "ru": ["мавен", "Мавен", "Мавен!", "мавен ну", "эй мавен", "мэвен", "maven"],
    "en": ["maven", "Maven", "hey maven", "okay maven", "Maven!", "hey Maven"],
}
_POLITE = {"ru": ["пожалуйста", "плиз", "если можно", "будь добра"], "en": ["please", "if you can"]}
_DROPPABLE = frozenset(_words("в на с к по и а то же вот бы уж the a an to of for"))
_ORDERS = {Intent.ACT, Intent.REMINDER, Intent.SYSTEM}
_LATIN = {
    "а": "a", "б": "b", "в": "v", "г": "g", "д": "d", "е": "e", "ё": "e", "ж": "zh", "з": "z", "и": "i",
    "й": "y", "к": "k", "л": "l", "м": "m", "н": "n", "о": "o", "п": "p", "р": "r", "с": "s", "т": "t",
    "у": "u", "ф": "f", "х": "h", "ц": "c", "ч": "ch", "ш": "sh", "щ": "sch", "ъ": "", "ы": "y", "ь": "",
    "э": "e", "ю": "yu", "я": "ya",
}  # fmt: skip


def edited(text: str, spans: Mapping[str, Span], start: int, end: int, new: str) -> tuple[str, dict[str, Span]]:
    """`text` with `[start, end)` replaced by `new`, and the spans moved along; a span left empty goes.

    An insertion at a span's edge stays outside it.
    """
    shift = len(new) - (end - start)
    moved: dict[str, Span] = {}
    for name, (left, right) in spans.items():
        if end <= left:
            moved[name] = (left + shift, right + shift)
        elif start >= right:
            moved[name] = (left, right)
        else:
            moved[name] = (min(left, start), max(right, end) + shift)
    return text[:start] + new + text[end:], {name: span for name, span in moved.items() if span[0] < span[1]}


def number_in_words(number: int, lang: str) -> str | None:
    """0 to 999 in words, nominative; None beyond."""
    if not 0 <= number < 1000:
        return None
    if lang == "en":
        if number < 20:
            return _EN_ONES[number]
        if number < 100:
            tail = f" {_EN_ONES[number % 10]}" if number % 10 else ""
            return _EN_TENS[number // 10 - 2] + tail
        rest = number_in_words(number % 100, lang) if number % 100 else None
        return f"{_EN_ONES[number // 100]} hundred" + (f" {rest}" if rest else "")
    words = [_HUNDREDS[number // 100 - 1]] if number >= 100 else []
    rest_number = number % 100
    if rest_number >= 20:
        words.append(_TENS[rest_number // 10 - 2])
        rest_number %= 10
    if rest_number or not words:
        words.append(_ONES[rest_number])
    return " ".join(words)


class _Draft:
    """A text and its spans while edits go over it."""

    def __init__(self, example: Example, rng: random.Random) -> None:
        self.text = example.text
        self.spans: dict[str, Span] = dict(example.spans)
        self.lang = example.lang
        self.rng = rng

    def edit(self, start: int, end: int, new: str) -> None:
        self.text, self.spans = edited(self.text, self.spans, start, end, new)

    def words(self) -> list[re.Match[str]]:
        return list(_WORD.finditer(self.text))

    def each(self, pattern: re.Pattern[str], new: Callable[[re.Match[str]], str | None]) -> None:
        for match in reversed(list(pattern.finditer(self.text))):
            changed = new(match)
            if changed is not None:
                self.edit(match.start(), match.end(), changed)

    def same_length(self, change: Callable[[str], str]) -> None:
        changed = change(self.text)
        if len(changed) == len(self.text):
            self.text = changed

    # What speech recognition does.

    def bare(self) -> None:
        """No capitals, no punctuation."""
        self.same_length(str.lower)
        self.each(_PUNCTUATION, lambda match: "")
        self.each(re.compile(r"\s{2,}"), lambda match: " ")

    def numerals(self) -> None:
        """Digits as words: `7:30` becomes `семь тридцать`."""

        def words(match: re.Match[str]) -> str | None:
            parts = [number_in_words(int(part), self.lang) for part in re.split("[:.]", match.group())]
            return None if None in parts else " ".join(part for part in parts if part)

        self.each(re.compile(r"(?<!\S)\d{1,3}(?:[:.]\d{2})?(?!\S)"), words)

    def digits(self) -> None:
        """Number words as digits."""
        known = {number_in_words(n, self.lang): n for n in (*range(21), *range(30, 100, 10))}
        self.each(_WORD, lambda match: str(known[match.group()]) if match.group() in known else None)

    def wrong_case(self) -> None:
        """Another form of a counted noun: `пять минута`."""
        for match in reversed(self.words()):
            for forms in _COUNTED:
                if match.group() in forms:
                    self.edit(match.start(), match.end(), self.rng.choice(sorted(forms)))

    def dropped(self) -> None:
        places = [m for m in self.words() if m.group().lower() in _DROPPABLE]
        if places and len(self.words()) > 3:
            match = self.rng.choice(places)
            end = match.end() + (self.text[match.end() : match.end() + 1] == " ")
            self.edit(match.start(), end, "")

    def doubled(self) -> None:
        match = self.rng.choice(self.words() or [None])
        if match is not None:
            # Replacing the word keeps both copies inside the span that held it.
            self.edit(match.start(), match.end(), f"{match.group()} {match.group()}")

    # What the speaker adds.

    def before(self, addition: str, comma: bool) -> None:
        self.edit(0, 0, f"{addition}{', ' if comma and addition[-1].isalpha() else ' '}")

    def after(self, addition: str) -> None:
        end = len(self.text.rstrip(" .!?…"))
        self.edit(end, end, f" {addition}")

    def within(self, addition: str) -> None:
        places = [m.start() for m in self.words()[1:] if not self.inside(m.start())]
        if places:
            place = self.rng.choice(places)
            self.edit(place, place, f"{addition} ")

    def inside(self, place: int) -> bool:
        return any(left < place < right for left, right in self.spans.values())

    # What a keyboard does.

    def typo(self) -> None:
        places = [m for m in self.words() if len(m.group()) >= 5 and m.group().isalpha()]
        if not places:
            return
        match = self.rng.choice(places)
        word = match.group()
        k = self.rng.randrange(1, len(word) - 2)
        kinds = (
            word[:k] + word[k + 1] + word[k] + word[k + 2 :],
            word[:k] + word[k + 1 :],
            word[:k] + word[k] + word[k:],
        )
        self.edit(match.start(), match.end(), self.rng.choice(kinds))

    def transliterated(self) -> None:
        self.same_length(str.lower)
        self.each(re.compile("[а-яё]"), lambda match: _LATIN[match.group()])

    def sentence(self) -> None:
        """A capital and a full stop."""
        if self.text:
            self.edit(0, 1, self.text[0].upper())
            if self.text[-1].isalnum():
                self.edit(len(self.text), len(self.text), self.rng.choice([".", ".", "!"]))


def augment(example: Example, rng: random.Random) -> Example:
    """A noisy reading of `example`; about one in six comes back as it was."""
    if rng.random() < 0.15:
        return example
    draft = _Draft(example, rng)
    chance = rng.random
    if chance() < 0.25:
        draft.numerals()
    elif chance() < 0.2:
        draft.digits()
    if chance() < 0.05:
        draft.wrong_case()
    if chance() < 0.08:
        draft.dropped()
    if chance() < 0.06:
        draft.doubled()
    if example.intent in _ORDERS and chance() < 0.08:
        draft.after(rng.choice(_POLITE[draft.lang]))
    if chance() < 0.06:
        draft.within(rng.choice(_FILLERS[draft.lang][:6]))
    if chance() < 0.12:
        draft.before(rng.choice(_FILLERS[draft.lang]), comma=chance() < 0.3)
    if chance() < 0.12:
        draft.before(rng.choice(_NAMES[draft.lang]), comma=chance() < 0.5)
    elif chance() < 0.03:
        draft.after("мавен" if draft.lang == "ru" else "maven")
    if chance() < 0.12:
        draft.typo()
    style = chance()
    if style < 0.5:
        draft.bare()
    elif style < 0.6:
        draft.sentence()
    elif style < 0.62:
        draft.same_length(str.upper)
    if chance() < 0.5:
        draft.same_length(lambda text: text.replace("ё", "е").replace("Ё", "Е"))
    if draft.lang == "ru" and chance() < 0.015:
        draft.transliterated()
    if not draft.text.strip():
        return example
    return replace(example, text=draft.text, spans=_trimmed(draft.text, draft.spans))


def _trimmed(text: str, spans: Mapping[str, Span]) -> dict[str, Span]:
    """Spans without the spaces that a dropped word left at their edges."""
    found = {}
    for name, (left, right) in spans.items():
        inner = text[left:right]
        start, end = right - len(inner.lstrip()), left + len(inner.rstrip())
        if start < end:
            found[name] = (start, end)
    return found
