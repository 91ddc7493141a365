"""What she says when she must ask: one line a reason, in the language of the utterance. Feminine, dry, brief."""

from __future__ import annotations

from typing import Literal

Language = Literal["ru", "en"]

_DEFAULT = ("Не поняла. Скажите иначе?", "I did not get that. Say it another way?")

_CLARIFY: dict[str, tuple[str, str]] = {
    "ambiguous-fragment": ("Что именно?", "Which one exactly?"),
    "thin-single-token": ("Что с этим сделать?", "What about it?"),
    "heads-clarify": ("Что именно нужно?", "What exactly do you need?"),
    "keyless-fact": ("Что именно запомнить?", "What exactly should I remember?"),
    "no-function": ("Не знаю такого действия. Что сделать?", "I have no such function. What should I do?"),
}


def language_of(utterance: str) -> Language:
    """`en` where the utterance has Latin letters and no Cyrillic ones, else `ru`."""
    latin = False
    for char in utterance:
        if "а" <= char.lower() <= "я" or char in "ёЁ":
            return "ru"
        latin = latin or ("a" <= char.lower() <= "z")
    return "en" if latin else "ru"


def clarify_question(reason: str, language: Language) -> str:
    """The question for a clarify `reason`."""
    return _CLARIFY.get(reason, _DEFAULT)[language == "en"]
