"""Scoring by labels.md: what counts as right, and what the report says."""

from __future__ import annotations

from pathlib import Path

import pytest

from serve.evaluate import Answer, CasesError, Score, evaluate, load_cases

ROWS = """\
{"id": "a", "text": "где ключи", "intent": "query", "source": "recall"}
{"id": "b", "text": "расскажи про сервер", "intent": "query", "source": ""}
{"id": "c", "text": "велосипед", "clarify": true}
{"id": "d", "text": "включи свет", "intent": "act", "slots": {"fn": "включи", "key": "свет"}}
{"id": "e", "text": "привет", "intent": "chat"}
"""


def answer(intent: str | None, source: str = "", fn_words: str | None = None, **slots: str | None) -> Answer:
    return Answer(intent, source, slots, fn_words, "grammar", "x")


async def scored(tmp_path: Path, answers: dict[str, Answer]) -> dict[str, object]:
    path = tmp_path / "cases.jsonl"
    path.write_text(ROWS, encoding="utf-8")
    cases, sha256 = load_cases(path)

    async def ask(text: str) -> Answer:
        return answers[text]

    score, histogram = await evaluate(cases, ask)
    return score.report("full", sha256, histogram)


RIGHT = {
    "где ключи": answer("query", "recall"),
    "расскажи про сервер": answer("query"),
    "велосипед": answer(None),
    "включи свет": answer("act", fn="light.on", key="Свет", fn_words="включи"),
    "привет": answer("chat"),
}


async def test_all_right(tmp_path: Path) -> None:
    got = await scored(tmp_path, RIGHT)
    assert got["intent"] == {"right": 4, "of": 4}
    assert got["full"] == {"right": 5, "of": 5}
    assert got["destination"] == {"right": 2, "of": 2}
    assert got["clarify"] == {"caught": 1, "of": 1, "false": 0, "answerable": 4}
    assert got["slots"] == {"precision": 1.0, "recall": 1.0, "f1": 1.0}
    assert got["misses"] == []
    assert got["cases"] == 5
    assert set(got) == {
        "arm", "cases", "fixture_sha256", "intent", "full", "destination", "clarify", "slots", "latency_ms",
        "per_intent", "misses",
    }  # fmt: skip


async def test_a_destination_miss_does_not_fail_the_case_and_a_lost_intent_scores_none(
    tmp_path: Path,
) -> None:
    got = await scored(tmp_path, {**RIGHT, "где ключи": answer("query", "world"), "расскажи про сервер": answer(None)})
    assert got["destination"] == {"right": 0, "of": 2}
    assert got["intent"] == {"right": 3, "of": 4}
    assert got["full"] == {"right": 4, "of": 5}
    assert got["clarify"]["false"] == 1  # type: ignore[index]
    assert [(miss["want"], miss["got"]) for miss in got["misses"]] == [  # type: ignore[attr-defined]
        ("query:recall", "query:world"),
        ("query:-", "clarify"),
    ]


async def test_a_wrong_slot_fails_the_full_case_and_a_missed_clarify_is_a_miss(tmp_path: Path) -> None:
    got = await scored(
        tmp_path,
        {**RIGHT, "включи свет": answer("act", fn="light.on", key="ночник"), "велосипед": answer("note")},
    )
    assert got["full"] == {"right": 3, "of": 5}
    assert got["intent"] == {"right": 4, "of": 4}
    assert got["clarify"]["caught"] == 0  # type: ignore[index]
    assert got["slots"]["f1"] < 1.0  # type: ignore[index]


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ('{"text": "а"}', "not both"),
        ('{"text": "а", "intent": "act", "clarify": true}', "not both"),
        ('{"text": "а", "intent": "party"}', "party"),
        ('{"text": "а", "intent": "act", "source": "world"}', "query alone"),
        ('{"text": "а", "intent": "query", "source": "moon"}', "moon"),
        ('{"text": "а", "intent": "fact", "slots": {"colour": "x"}}', "colour"),
        ('{"intent": "act"}', "text"),
        ("nonsense", "line 1"),
        ("", "no cases"),
    ],
)
def test_a_wrong_file_is_refused_with_the_line(tmp_path: Path, row: str, reason: str) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_text(row, encoding="utf-8")
    with pytest.raises(CasesError, match=reason):
        load_cases(path)


def test_an_empty_score_divides_by_nothing() -> None:
    from hdrh.histogram import HdrHistogram

    assert Score().report("full", "0", HdrHistogram(1, 1000, 3))["slots"]["f1"] == 0.0
