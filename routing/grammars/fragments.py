"""Row 1: filler with a demonstrative that points at nothing ("ну это", "um that one").

Observed: a statistical head invents a context for these rather than ask.
"""

from __future__ import annotations

from routing.context import Context
from routing.decision import Decision, clarify
from routing.grammars.base import Grammar, Match
from routing.grammars.common import brief
from routing.lexicon import words_of
from routing.text import Utterance

NAME = "ambiguous-fragment"

_POINTING = words_of(
    "это этот эта эти этого этой этому этим этом эту этих этими то тот та те того той тому тем том ту тех теми самое "
    "самый самая самые самого самой самому самым самом самую самых туда там сюда тут тама этак эт это-то то-то "
    "штука штуку штуки штукой штуковина штуковину хрень хрени хреновина фигня фигню вещь "
    "this that these those it one ones thing things thingy stuff there here"
)
_STRONG = _POINTING - words_of(
    "самое самый самая самые самого самой самому самым самом самую самых вещь штука штуку штуки штукой one ones thing "
    "things thingy stuff"
)
_FILLER = words_of(
    "ну а и вот вон так э ээ эээ эм эмм мм ммм м хм гм короче слушай слушайте типа значит блин как бы его ее "
    "их ох ой эй "
    "ладно в общем в-общем общем-то знаешь понимаешь вообще же ж тоже еще ещё о у прямо просто этсамое "
    "про с со на за для из к ко об в во под из-за "
    "мавен мейвен maven пожалуйста please окей ок кстати смотри послушай "
    "um umm uh uhh uhm er erm hmm hm mm like so well hey okay ok you know i mean just the a and oh or of other "
    "with about "
    "in on for to"
)
_VERBAL_PAUSE = words_of("как его ее их бы знаешь понимаешь в общем")
# "а то" agrees, "и то" weighs, "там" and "тут" alone answer a question, "так то" concedes
_IDIOMS = frozenset(
    tuple(phrase.split())
    for phrase in (
        "а то", "и то", "а там", "и там", "и тут", "а тут", "так то", "то то", "типа того", "вроде того", "to it",
        "so there",
    )
)  # fmt: skip
_PATTERN = "^(?: (?:" + "|".join(sorted(_POINTING | _FILLER)) + "))+ $"


def _build(utterance: Utterance, match: Match, context: Context) -> Decision | None:
    tokens = utterance.tokens
    if tuple(tokens) in _IDIOMS or "you know it" in utterance.line:
        return None
    strong = sum(token in _STRONG for token in tokens)
    pointing = sum(token in _POINTING for token in tokens)
    if not strong or len(tokens) < 2:
        return None
    # a demonstrative alone is one word, which the gate asks about; "how is it" of fillers alone is none
    if pointing == len(tokens) and pointing < 2:
        return None
    return clarify(NAME, claimant=NAME)


GRAMMARS = (Grammar(NAME, (_PATTERN,), brief(_build)),)
