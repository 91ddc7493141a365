"""Structural confidence of what a model said: a claim can be confident and still name nothing to act on.

Observed: the resident model answered every clarify case with full confidence (6 of 6 missed). A rule that thins every
single token is an English intuition: "поужинал" is a whole sentence, its verb contains the subject.
"""

from __future__ import annotations

import re

from routing import wordforms
from routing.context import Context
from routing.decision import Decision, Intent, StageName
from routing.lexicon import words_of
from routing.text import Utterance

SINGLES = words_of(
    # greetings and partings
    "привет приветик приветики приветствую здравствуй здравствуйте здорово здорова хай хеллоу салют доброе "
    "добрый пока покеда прощай прощайте бывай до-свидания чао "
    "спокойной ку йоу алло але ау "
    # thanks, apologies, assent, refusal
    "спасибо спасибочки спс благодарю мерси пожалуйста извини извините прости простите сорри пардон да ага "
    "угу нет неа не-а ок окей оке ладно хорошо отлично супер класс "
    "круто здорово прекрасно замечательно понятно понял поняла ясно принято точно верно правильно "
    "неправильно неверно конечно разумеется согласен согласна договорились "
    "идет давай валяй можно нельзя наверное возможно вряд никогда всегда хм ого вау ура блин черт жаль увы "
    "молодец умница умничка браво глупая дура дурочка красавица "
    "ха хаха хахаха лол мда ну так "
    # control
    "стоп стой хватит довольно отмена отбой тихо тише потише громче погромче молчи замолчи заткнись "
    "помолчи тишина пауза дальше далее назад вперед еще повтори повтор заново "
    "продолжай продолжить следующий следующая следующее предыдущий предыдущая медленнее быстрее помощь "
    "помоги справка мавен меню выход "
    # English
    "hi hello hey yo hiya howdy morning evening bye goodbye cheers thanks thx thank ty sorry yes yeah yep "
    "yup no nope nah ok okay sure fine great cool nice awesome perfect right "
    "wrong exactly correct maybe please agreed understood wow lol haha hmm well stop quit enough cancel "
    "quiet silence hush pause resume continue next previous back repeat again louder "
    "quieter slower faster help mute unmute shush skip go done wait hurray congrats maven bravo oops gosh"
)
"""Single words that are a whole turn: social and control words of both languages."""


_REMINDS = re.compile(
    r"напом|будильн|таймер|разбуд| буди|побуд|засек| не дай| не забы|маякн| дай знать|пни |толкн|сигнал|оповест|"
    r"remind|alarm|timer| wake | forget | let me know | nudge | ping | buzz "
)


def thin(utterance: Utterance, decision: Decision, context: Context) -> str | None:
    """Why a model's decision cannot be acted on, as a stable identifier: "thin-single-token", "keyless-fact",
    "no-function" or "no-reminder-words"; None where it can."""
    if decision.intent is None:
        return None
    if decision.intent is Intent.ACT and not _has_function(decision, context):
        return "no-function"
    # nearest neighbours take any tale with an hour in it for an alarm ("you woke me up at five")
    by_likeness = decision.intent is Intent.REMINDER and decision.stage is StageName.CLASSIFIER
    if by_likeness and not _REMINDS.search(utterance.line):
        return "no-reminder-words"
    if _thin_token(utterance):
        return "thin-single-token"
    if decision.intent is Intent.FACT and decision.slots.key is None:
        return "keyless-fact"
    return None


def _has_function(decision: Decision, context: Context) -> bool:
    fn = decision.slots.fn
    if fn is None or not context.functions.allows(fn):
        return False
    # Praxis keeps obligations, and no model may name one of its capabilities
    return decision.stage is StageName.GRAMMAR or not fn.startswith("praxis.")


def _thin_token(utterance: Utterance) -> bool:
    words = utterance.words
    if len(words) > 1:
        return False
    if not words:
        return True
    word = words[0]
    return word not in SINGLES and not _carries_its_subject(word)


def _carries_its_subject(word: str) -> bool:
    """Whether a Russian word stands as a sentence: a verb in any form, or a state ("холодно", "устала")."""
    return any("а" <= char <= "я" for char in word) and wordforms.is_sentence(word)
