"""Stage 0 on arbitrary text: no exception, literal spans, the same answer however the text is composed."""

from __future__ import annotations

import unicodedata
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from routing import gate, guard, slots
from routing.cascade import Cascade
from routing.context import Context
from routing.decision import Decision, Intent
from routing.functions import FunctionTable
from routing.grammars import stage_zero
from routing.text import Utterance

CONTEXT = Context(
    datetime(2026, 12, 1, 10, 0, tzinfo=ZoneInfo("Europe/Moscow")), "Europe/Moscow", FunctionTable.default()
)
WORDS = st.sampled_from(
    "мавен ну напомни отмени напоминание про врача в 7:15 завтра через полчаса что такое у меня сегодня включи свет "
    "на кухне не он сказал если бы запиши : « » — , . ? готово отметь это как сделанное remind me at seven what is the "
    "turn off lights don't 15% от 2400 ё е́ ﬁ \u202e \x00 👍 давно я не плавал список покупок добавь молоко".split(" ")
)
TEXTS = st.one_of(st.text(max_size=120), st.lists(WORDS, max_size=14).map(" ".join))


async def decided(text: str) -> Decision:
    return (await Cascade(stage_zero(), []).route(text, CONTEXT)).decision


@given(TEXTS)
@settings(max_examples=300, deadline=None)
async def test_any_text_is_decided_and_every_slot_is_a_literal_span(text: str) -> None:
    decision = await decided(text)
    for name, (start, end) in decision.slots.spans.items():
        assert 0 <= start < end <= len(text)
        if name != "fn":
            assert decision.slots.get(name) == text[start:end]


@given(TEXTS)
@settings(max_examples=200, deadline=None)
async def test_composed_and_decomposed_text_get_the_same_answer(text: str) -> None:
    one = await decided(unicodedata.normalize("NFC", text))
    other = await decided(unicodedata.normalize("NFD", text))
    assert (one.claimant, one.summary(), one.time and one.time.at) == (
        other.claimant,
        other.summary(),
        other.time and other.time.at,
    )


@given(TEXTS, st.sampled_from(list(Intent)))
@settings(max_examples=200, deadline=None)
def test_whatever_a_model_claims_the_checks_do_not_throw(text: str, intent: Intent) -> None:
    utterance = Utterance(text)
    claimed = slots.fill(utterance, Decision(intent), CONTEXT)
    reason = guard.inspect(utterance, claimed)
    if reason is not None:
        assert guard.downgrade(utterance, claimed, reason).intent in (Intent.CHAT, Intent.NOTE)
    gate.thin(utterance, claimed, CONTEXT)
    slots.missing(claimed)


@pytest.mark.parametrize("piece", ["напомни ", "не ", "в 7:15 ", "\u0301", "а", "что такое ", "«", "👍", "15% "])
async def test_a_page_of_anything_is_nobodys(piece: str) -> None:
    page = piece * (10_000 // len(piece))
    assert (await decided(page)).clarify == "no-stage-claimed"
