"""Whether what follows "напомни" is a question to memory ("напомни, как зовут соседа") or a thing to be reminded of."""

from __future__ import annotations

import re
from collections.abc import Sequence

from routing.grammars.reminder_words import (
    ASK_HEADS,
    EN_ARRIVALS,
    FRONT,
    FUTURE_SELF,
    RECALL_NOUNS,
    TRANSITIVE,
)
from routing.lexicon import PREPOSITIONS, words_of
from routing.text import Utterance

_AS_USUAL = words_of("только обычно всегда вчера раньше прежде просил просила")


def reads_as_question(words: Sequence[str], at: int, utterance: Utterance, timed: frozenset[int]) -> bool:
    """Whether what follows the command at word `at` is a question to answer, not a thing to be reminded of."""
    while at < len(words) and words[at] in FRONT | {"раз", "том"}:
        at += 1
    if at >= len(words) or words[at - 1] == "потом":
        return False
    head = words[at]
    rest = words[at + 1 :]
    if (
        head in PREPOSITIONS
        and rest
        and rest[0] in ASK_HEADS | {"чем", "что", "сколько", "чего"}
        and head not in ("о", "об")
    ):
        return True
    if head in ("о", "об") and rest and rest[0] in ("чем", "ком"):
        return True
    if head == "как":
        return not (rest and rest[0] in _AS_USUAL)
    if head == "how":
        return True
    if head == "when":
        return not (len(rest) > 1 and rest[0] in ("i", "i'm", "we") and (rest[1] in EN_ARRIVALS or rest[0] == "i'm"))
    if head in {"what", "what's"}:
        return True
    if head == "когда":
        return not _when_arrives(rest)
    if head == "что":
        return _what_is_asked(rest, at + 1, timed, utterance)
    if head in ASK_HEADS:
        return True
    return head in RECALL_NOUNS and not timed


def _when_arrives(rest: Sequence[str]) -> bool:
    """Whether "когда ..." is a moment of the owner's ("когда приду домой"), after which to remind."""
    near = [word for word in rest[:3] if word not in ("я", "мы", "уже")]
    return any(FUTURE_SELF.match(word) for word in near[:1]) or any(
        word in ("придем", "приедем", "вернемся", "будем", "выйдем", "доедем") for word in near[:1]
    )


def _what_is_asked(rest: Sequence[str], at: int, timed: frozenset[int], utterance: Utterance) -> bool:
    """Whether "что" asks ("напомни, что я хотел купить") rather than joins ("напомни, что надо позвонить маме")."""
    if not rest or utterance.question:
        return True
    if any(re.search(r"\w(?:л|ла|ли|ло|лся|лась|лись)$", word) for word in rest):
        return True
    if rest[0] in ("у", "там", "за", "такое", "это", "мы", "еще", "же", "нового", "из", "в", "на") and at not in timed:
        return True
    body = [word for word in rest if word not in ("я", "мне", "нам", "мы")]
    if body and body[0] in ("надо", "нужно", "пора", "должен", "должна", "необходимо", "следует"):
        verb_at = next((i for i, word in enumerate(body) if re.search(r"(?:ть|ти|чь|ться|тись)$", word)), -1)
        if verb_at < 0:
            return True
        after = [w for i, w in enumerate(body) if i > verb_at]
        if body[verb_at] in TRANSITIVE:
            return not after or after[0] in PREPOSITIONS or at + len(rest) - len(after) in timed
        return False
    return not (at in timed and len(rest) > 2) and not any(i in timed for i in range(at, at + len(rest)))
