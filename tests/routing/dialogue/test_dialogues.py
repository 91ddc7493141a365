"""Every scripted dialogue, in process: the real ladder and stage 0, and a scripted judge behind it."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from routing.cascade import Cascade
from routing.context import Context
from routing.decision import Claim, Decision, Intent, StageName
from routing.dialogue import LADDER, Limits, Session, TurnResult, decode, encode, turn
from routing.functions import FunctionTable
from routing.grammars import stage_zero
from routing.text import Utterance
from serve.requests import context_of
from serve.turns import TurnRequest, answer_of, dialogue_context
from tests.dialogues.script import Dialogue, check, load

DIALOGUES = load()


class Judge:
    """A statistical stage with fixed answers, and none for anything else."""

    name = "heads"
    stage = StageName.HEADS

    def __init__(self, answers: dict[str, str]) -> None:
        self.answers = answers

    async def decide(self, utterance: Utterance, context: Context) -> Claim | None:
        intent = self.answers.get(utterance.raw)
        if intent is None:
            return None
        return Claim("heads", Decision(Intent(intent), stage=self.stage, claimant="heads", confidence=0.9), 0.9)


def judge_of(dialogue: Dialogue) -> Judge:
    return Judge({str(t["say"]): t["judge"] for t in dialogue.turns if "judge" in t})


@pytest.mark.parametrize("dialogue", DIALOGUES, ids=lambda d: d.id)
async def test_dialogue(dialogue: Dialogue) -> None:
    cascade = Cascade(stage_zero(), [judge_of(dialogue)])
    session = Session()
    for scripted, body in zip(dialogue.turns, dialogue.requests(), strict=True):
        request = msgspec.convert({**body, "session": "s"}, TurnRequest)
        base = context_of(request.now, request.timezone, None, FunctionTable.default(), "UTC")
        limits = {"window_s": 300.0, "budget": 2, "depth": 2, **dialogue.limits}
        context = dialogue_context(request, base, trace_id="t", versions={"grammars": "g"}, **limits)
        result = await turn(session, request.utterance, context, cascade.route, cascade.claimants())
        answer: dict[str, Any] = json.loads(answer_of(request, "t", result, 0.0))
        check(scripted, answer)
        if "labels" in scripted:
            rows = [{"was": row.was, "want": row.want} for row in result.labels]
            assert rows == scripted["labels"]
        recorded(result, cascade, scripted)
        if scripted.get("same"):
            assert result.session == session
        session = decode(encode(result.session))
        assert session == result.session


def recorded(result: TurnResult, cascade: Cascade, scripted: dict[str, Any]) -> None:
    """Every rung and every claimant of the cascade is in the record, in order."""
    names = [entry.claimant for entry in result.record.entries]
    assert names[:6] == [rung.name for rung in LADDER]
    assert sorted(names[6:]) == sorted(name for name, _ in cascade.claimants()), scripted["say"]
    winners = [entry for entry in result.record.entries if entry.outcome == "won" and entry.stage != "check"]
    assert len(winners) <= 1, winners


def test_there_are_enough() -> None:
    assert len(DIALOGUES) >= 80
    assert sum(dialogue.english for dialogue in DIALOGUES) >= 20
    assert len({dialogue.id for dialogue in DIALOGUES}) == len(DIALOGUES)


def test_limits_are_those_of_the_settings() -> None:
    limits = Limits()
    assert (limits.window_s, limits.budget, limits.depth, limits.candidates) == (300.0, 2, 2, 5)
