"""Scripted dialogues: what they say, and how an answer is checked against them, whoever gives it.

A file holds `pending` (named lists of reminders) and `dialogues`. A dialogue has a `name`, the sentence of the
rules that it `covers`, `turns`, and may have `pending` (a name), `limits`, `now`, and `http: false` where it needs
the scripted judge or other limits. A turn says `say`, `after` (seconds since the turn before), `pending` (from now
on), `surfaced`, `judge` (what the scripted judge makes of the utterance), and expects `reply` (its kind), `has`
(pieces of its text), `effects` (each a part of an effect, in order; none unless given), `depth` (0 unless given),
`parked` (intents, the active one last), `intent`, `rung`, `labels`, `resumed` (whether an older question is heard
again; not checked unless given), `same` (the session is as it was), `loose` (what a judge makes of it is open, but
it is no reminder and no answer).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import yaml

FOLDER = Path(__file__).parent
NOW = "2026-12-01T10:00:00+03:00"
ZONE = "Europe/Moscow"
_TURN = {
    "say", "after", "pending", "surfaced", "judge", "reply", "has", "effects", "depth", "parked", "intent",
    "rung", "labels",
    "resumed", "same", "loose",
}  # fmt: skip


@dataclass
class Dialogue:
    """One scripted dialogue."""

    file: str
    name: str
    covers: str
    turns: list[dict[str, Any]]
    pending: dict[str, list[dict[str, Any]]]
    first_pending: str
    now: datetime
    limits: dict[str, Any] = field(default_factory=dict)
    http: bool = True

    @property
    def id(self) -> str:
        """File and name, as a test's id."""
        return f"{self.file}:{self.name}"

    @property
    def english(self) -> bool:
        """Whether everything said is in English."""
        return not any("а" <= char <= "я" for turn in self.turns for char in str(turn["say"]).lower())

    def requests(self) -> list[dict[str, Any]]:
        """The turns as request bodies, without a session."""
        now, pending, out = self.now, self.first_pending, []
        for turn in self.turns:
            now += timedelta(seconds=float(turn.get("after", 10)))
            pending = turn.get("pending", pending)
            context: dict[str, Any] = {"pending_reminders": self.pending.get(pending, [])}
            if "surfaced" in turn:
                context["surfaced_items"] = turn["surfaced"]
            body = {"utterance": str(turn["say"]), "context": context, "now": now.isoformat()}
            out.append({**body, "timezone": ZONE, "trace": True})
        return out


def load() -> list[Dialogue]:
    """Every dialogue of this folder."""
    out = []
    for path in sorted(FOLDER.glob("*.yaml")):
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
        for item in data["dialogues"]:
            for turn in item["turns"]:
                assert set(turn) <= _TURN, f"{path.name}: {item['name']}: {set(turn) - _TURN}"
            out.append(
                Dialogue(
                    path.stem, item["name"], item["covers"], item["turns"], data.get("pending", {}),
                    item.get("pending", ""), datetime.fromisoformat(item.get("now", NOW)), item.get("limits", {}),
                    item.get("http", True),
                )
            )  # fmt: skip
    return out


def check(turn: dict[str, Any], answer: dict[str, Any]) -> None:
    """Assert that `answer` (the body of a turn's answer) is what `turn` expects."""
    said = f"{turn['say']!r} -> {answer['reply']} {answer['effects']} {answer['stack']}"
    if "reply" in turn:
        assert answer["reply"]["kind"] == turn["reply"], said
    has = turn.get("has", [])
    for piece in [has] if isinstance(has, str) else has:
        assert piece in answer["reply"]["text"], said
    rungs = [claim for claim in answer["trace"] if claim["stage"] == "ladder"]
    assert len(rungs) == 6, said
    if "rung" in turn:
        won = [claim["claimant"] for claim in rungs if claim["outcome"] == "won"]
        assert won == ([turn["rung"]] if turn["rung"] else []), said
    if turn.get("loose"):
        assert "create_reminder" not in [effect["kind"] for effect in answer["effects"]], said
        return
    expected = turn.get("effects", [])
    assert len(answer["effects"]) == len(expected), said
    for effect, part in zip(answer["effects"], expected, strict=True):
        for key, value in part.items():
            assert effect[key] == value, f"{key}: {effect[key]!r} is not {value!r}; {said}"
    assert answer["stack"]["depth"] == turn.get("depth", 0) == len(answer["stack"]["parked"]), said
    if "parked" in turn:
        assert [parked["intent"] for parked in answer["stack"]["parked"]] == turn["parked"], said
    if "intent" in turn:
        assert (answer["decision"] or {}).get("intent") == turn["intent"], said
    if "resumed" in turn:
        assert (answer["reply"]["resumed"] is not None) == turn["resumed"], said
