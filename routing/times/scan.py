"""The walk over an utterance: pieces where a word can begin a time, and runs of pieces that are one time."""

from __future__ import annotations

from routing.times import en, en_words, ru, ru_words
from routing.times.model import Frame, merged
from routing.times.tokens import Tokens, words

_STARTS = {**ru.START, **en.START}
TRIGGERS: frozenset[str] = frozenset((
    *ru_words.UNITS, *ru_words.HALVES, *ru_words.DAYS, *ru_words.WEEKDAYS, *ru_words.WEEKDAYS_PLURAL,
    *ru_words.DAY_GROUPS,
    *ru_words.MONTHS, *ru_words.SEASONS, *ru_words.SEASON_NOUNS, *ru_words.PARTS, *ru_words.PART_NOUNS,
    *ru_words.PARTS_PLURAL, *ru_words.PARTS_OF_CLOCK, *ru_words.NOON, *ru_words.MIDNIGHT, *ru_words.CARDINALS,
    *ru_words.ORDINALS, *ru_words.HALF_HOURS, "выходные", "выходных", "выходным", "ежедневно", "еженедельно",
    "ежемесячно", "ежегодно", "ежечасно", "днях", "минуты", "четверть", "четверти", "половина", "половине",
    "половину", "дважды", "трижды", "викенд", "уикенд",
    *en_words.TRIGGERS,
    *(str(n) for n in range(2400)), *(f"{n:02d}" for n in range(10)), *(str(n) for n in range(2400, 3000)),
))  # fmt: skip
"""Every time has at least one of these words, so an utterance without any costs one split and one look."""

_INSIDE = frozenset("-.:/")
"""Between digits, what makes them one figure: a telephone, a version."""

_TRIES = 128
"""Words at which a time is looked for, at most: an utterance has a handful, a page of "час час час" need not
be slow.
"""

_FOUND = 32
"""Times that are kept, at most; each is resolved, which costs more than finding it."""

Run = tuple[int, int, Frame]
"""Start and end in the folded text, and what the words between name."""


def runs(low: str, durations: bool) -> list[Run]:
    """The times of a folded text in order, pieces that stand side by side and name one time made one."""
    if TRIGGERS.isdisjoint(words(low)):
        return []
    t = Tokens(low, durations)
    out: list[tuple[int, int, Frame]] = []
    w, glued, n = t.w, t.glued, t.n
    get = _STARTS.get
    i, tries = 0, 0
    while i < n:
        word = w[i]
        begin = get(word)
        if begin is None and "0" <= word[0] <= "9":
            begin = _digits
        if begin is None or glued[i]:
            i += 1
            continue
        tries += 1
        if tries > _TRIES or len(out) >= _FOUND:
            break
        found = begin(t, i)
        if found is None or found[0] <= i:
            i += 1
            continue
        j, frame = found
        if out:
            a, b, before = out[-1]
            if b == i or (b == i - 1 and w[b] == ","):
                both = merged(before, frame, near=True)
                if both is not None:
                    both.weak = before.weak and frame.weak
                    out[-1] = (a, j, both)
                    i = j
                    continue
        out.append((i, j, frame))
        i = j
    return [(t.s[a], t.e[b - 1], f) for a, b, f in out if not f.weak or _stands(t, f)]


def _stands(t: Tokens, f: Frame) -> bool:
    """Whether a clock of weak words is one with no other time beside it: minutes were said, and an alarm."""
    return f.clock is not None and f.clock[3] != "hour" and t.scheduling()


def _digits(t: Tokens, i: int) -> tuple[int, Frame] | None:
    """An expression that begins with a number in digits: English words after it decide for English."""
    if i > 1 and t.close(i) and t.close(i - 1) and t.w[i - 1] in _INSIDE and t.w[i - 2].isdecimal():
        return None
    if en.follows_number(t.w[i + 1]) or (t.w[i + 1] in ("/", "-") and en.follows_number(t.w[i + 3])):
        return en.number_first(t, i)
    return ru.number_first(t, i)
