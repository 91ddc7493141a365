"""Sortable identifiers: 48 bits of milliseconds and 80 random bits, in Crockford's base 32 (the ULID format)."""

from __future__ import annotations

import secrets
import time

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_LETTERS = frozenset(_ALPHABET)
_PAIRS = [a + b for a in _ALPHABET for b in _ALPHABET]


def new_ulid() -> str:
    """A fresh identifier, 26 characters; later ones sort after earlier ones of another millisecond."""
    return ulid_at(time.time_ns() // 1_000_000)


def ulid_at(millis: int, random: int | None = None) -> str:
    """An identifier of the instant `millis` (milliseconds since the epoch); `random` stands for its 80 random bits."""
    number = millis << 80 | (secrets.randbits(80) if random is None else random)
    return "".join([_PAIRS[number >> shift & 1023] for shift in range(120, -1, -10)])


def is_ulid(text: str) -> bool:
    """Whether `text` is an identifier as `new_ulid` writes it."""
    return len(text) == 26 and text[0] <= "7" and not set(text) - _LETTERS


def millis_of(ulid: str) -> int:
    """The instant of an identifier, in milliseconds since the epoch. `ulid` must be one (`is_ulid`)."""
    millis = 0
    for letter in ulid[:10]:
        millis = millis << 5 | _ALPHABET.index(letter)
    return millis
