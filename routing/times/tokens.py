"""Words of an utterance with their places, and the quick look that says there is no time in it."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Callable
from itertools import islice

# A combining mark belongs to its letter, or a decomposed word would fall apart. Neither pattern can
# backtrack: each alternative is decided by its first character, so matching is linear.
_WORDS = re.compile(r"\d+|[^\W\d_]+(?:[̀-ͯ]+[^\W\d_]*)*")
_TOKENS = re.compile(r"\d+|[^\W\d_]+(?:[̀-ͯ]+[^\W\d_]*)*|[^\w\s]")

_LETTER_DIGIT = re.compile(r"[^\W\d_]-?\d")

CONTEXT = (
    "напомни", "напоми", "будильни", "разбуди", "будит", "подъем", "встреч", "созвон", "перенес",
    "сдвин", "отлож", "запис", "назнач", "заплан", "прием", "столик", "забронир", "брон", "такси",
    "поезд", "рейс", "событи", "совещан", "планерк", "урок", "трениров", "сеанс", "билет", "звонок",
    "собрани", "заведи", "поверк", "перекин", "собеседован", "ремайнд", "подним", "маякн", "alarm",
    "remind", "wake", "meeting", "appointment", "reschedul", "schedul", "book", "move", "dinner",
    "lunch", "call", "event", "reservation", "postpone", "push",
)  # fmt: skip
"""Stems beside which a bare number after "на" or "for" is a clock: "будильник на семь", but not "громкость на
семь".
"""

AGAINST = (
    "громк", "громч", "тише", "тиш", "яркост", "ярч", "температур", "термостат", "градус", "процент",
    "канал", "скорост", "уровен", "режим", "кондиционер", "обогрев", "умнож", "раздел", "дели", "подел",
    "таймер", "прибав", "счита", "досчит", "посчит", "сложи", "вычт", "отними", "плюс", "минус",
    "оценк", "экзамен", "контрольн", "volume", "count", "bright", "temperature", "thermostat", "degree",
    "percent", "channel", "level", "timer",
)  # fmt: skip
"""Stems beside which the same number is a setting, a factor or a timer's length, whatever else was said."""


MAX_WORDS = 2048
"""Words and marks that are read: more than the 2,000 characters of an utterance can hold."""


class Tokens:
    """The words of one utterance, lower case, "ё" as "е", and the marks between them.

    `w[i]` lies at `s[i]`..`e[i]`; `glued[i]` where a hyphen joins it to the word before, or it is digits that
    follow a letter ("covid-19", "mp3"). Empty words after the last one save every look-ahead a bounds check.
    """

    __slots__ = ("_context", "durations", "e", "glued", "n", "s", "w")

    def __init__(self, low: str, durations: bool) -> None:
        found = list(islice(_TOKENS.finditer(low), MAX_WORDS))
        self.w = [match.group() for match in found]
        self.s = [match.start() for match in found]
        self.e = [match.end() for match in found]
        self.glued = [False] * len(found)
        if "-" in low:
            self._join()
        if _LETTER_DIGIT.search(low):
            for i in range(1, len(self.w)):
                if self.w[i][0].isdecimal() and self.s[i] == self.e[i - 1] and self.w[i - 1][-1].isalpha():
                    self.glued[i] = True
        self.n = len(self.w)
        self.w += ("",) * 8
        self.s += (len(low),) * 8
        self.e += (len(low),) * 8
        self.glued += (False,) * 8
        self.durations = durations
        self._context: int | None = None

    def _join(self) -> None:
        """Drop hyphens inside words ("пол-восьмого", "5-го") and mark the word after; not between digits."""
        w, s, e = self.w, self.s, self.e
        last = len(w) - 1
        kept: list[int] = []
        glued: list[bool] = []
        joined = False
        for i, word in enumerate(w):
            if (
                word == "-"
                and 0 < i < last
                and s[i] == e[i - 1]
                and e[i] == s[i + 1]
                and w[i - 1][-1].isalnum()
                and w[i + 1][0].isalnum()
                and not (w[i - 1][-1].isdecimal() and w[i + 1][0].isdecimal())
            ):
                joined = True
                continue
            kept.append(i)
            glued.append(joined)
            joined = False
        self.w = [w[i] for i in kept]
        self.s = [s[i] for i in kept]
        self.e = [e[i] for i in kept]
        self.glued = glued

    def close(self, i: int) -> bool:
        """Whether word `i` touches the word before it."""
        return 0 < i < self.n and self.s[i] == self.e[i - 1]

    def scheduling(self) -> bool:
        """Whether the utterance speaks of alarms, reminders or meetings and not of settings."""
        return self._frame() == 1

    def measuring(self) -> bool:
        """Whether it speaks of settings, sums or counts, where a bare number is no clock ("посчитай до
        десяти").
        """
        return self._frame() == 2

    def _frame(self) -> int:
        if self._context is None:
            self._context = 0
            # a frame stands near the head; a bound keeps a page of text cheap
            for word in self.w[:200]:
                if word.startswith(AGAINST):
                    self._context = 2
                    break
                if word.startswith(CONTEXT):
                    self._context = 1
        return self._context


def folded(text: str) -> str:
    """Lower case with "ё" as "е", as long as `text` (the few letters that would grow are left alone)."""
    low = text.lower()
    if len(low) != len(text):
        low = "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
    return low.replace("ё", "е")


def words(low: str) -> list[str]:
    """The words and numbers of a folded text, without places."""
    return _WORDS.findall(low)


def composed(text: str) -> tuple[str, Callable[[int], int] | None]:
    """`text` in Unicode NFC, and the map of its positions back to `text` (None where they are the same).

    Every position the map is asked for lies before a letter, a digit or a mark of punctuation or after one,
    so the decomposed prefix is as long on both sides and the place is found by bisection.
    """
    if text.isascii() or unicodedata.is_normalized("NFC", text):
        return text, None
    whole = unicodedata.normalize("NFC", text)

    def length(p: int) -> int:
        return len(unicodedata.normalize("NFD", text[:p]))

    def back(position: int) -> int:
        target = len(unicodedata.normalize("NFD", whole[:position]))
        return bisect_left(range(len(text) + 1), target, key=length)

    return whole, back
