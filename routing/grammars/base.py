"""What a grammar is, and how an ordered list of them reads an utterance in one scan."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import Any

import re2

from routing.context import Context
from routing.decision import Decision, Outcome, Span, StageName
from routing.text import Utterance
from routing.trace import Record

Match = Any
"""A `re2` match over `Utterance.line` (google-re2 ships no types)."""

Build = Callable[[Utterance, Match, Context], Decision | None]

LONGEST = 2_000
"""Characters of the longest line that is read: no frame is longer, and the service refuses longer utterances."""

SHORT = 160
"""Characters up to which `re` reads the groups of a pattern that has matched."""

_OPTIONS = re2.Options()
_OPTIONS.max_mem = 256 << 20  # states are built as texts need them: 8,000 different utterances took 70 MB
_OPTIONS.log_errors = False


@dataclass(frozen=True)
class Grammar:
    """One claimant of stage 0.

    `patterns` are RE2 expressions over `Utterance.line` (words between single spaces, so a word edge is a literal
    space). The first that matches and whose `build` returns a decision wins; `build` returning None declines.
    Without `captures` the pattern only says when to ask, and `build` gets None for its match.
    """

    name: str
    patterns: tuple[str, ...]
    build: Build
    captures: bool = True


class _Pattern:
    """A pattern that the set has found, searched again for its groups.

    `re2`'s Python `search` costs 8 to 40 µs, `re`'s half of one. `re` may backtrack, so it gets only short lines, and
    only those of which the set has said that they match; the rest keep linear time.
    """

    __slots__ = ("_linear", "_short", "_text")

    def __init__(self, text: str) -> None:
        self._linear = re2.compile(text, _OPTIONS)
        self._text = text
        self._short: re.Pattern[str] | None = None

    def search(self, line: str) -> Match | None:
        """The first match in `line`."""
        if len(line) > SHORT:
            return self._linear.search(line)
        if self._short is None:
            self._short = re.compile(self._text)
        return self._short.search(line)


class GrammarList:
    """An ordered list of grammars. All patterns are one RE2 set: an utterance is scanned once, and only the
    grammars with a pattern that matched are asked, in order."""

    def __init__(self, grammars: Sequence[Grammar]) -> None:
        self.grammars = tuple(grammars)
        self.names = tuple(grammar.name for grammar in self.grammars)
        if len(set(self.names)) != len(self.names):
            raise ValueError("two grammars share a name")
        self._set = re2.Set.SearchSet(_OPTIONS)
        self._compiled: list[tuple[int, _Pattern]] = []
        for position, grammar in enumerate(self.grammars):
            for pattern in grammar.patterns:
                self._set.Add(pattern)
                self._compiled.append((position, _Pattern(pattern)))
        self._set.Compile()
        text = "\n".join(f"{g.name}\t{p}" for g in self.grammars for p in g.patterns)
        self.hash = sha256(text.encode()).hexdigest()[:12]

    def decide(self, utterance: Utterance, context: Context) -> tuple[int, Decision | None]:
        """Position of the grammar that claims the utterance and its decision; (length of the list, None) where
        none does."""
        if len(utterance.line) > LONGEST:
            return len(self.grammars), None
        for index in sorted(self._set.Match(utterance.line) or ()):
            position, pattern = self._compiled[index]
            grammar = self.grammars[position]
            match = pattern.search(utterance.line) if grammar.captures else None
            if match is None and grammar.captures:
                continue
            decision = grammar.build(utterance, match, context)
            if decision is not None:
                return position, decision
        return len(self.grammars), None

    def note(self, record: Record, position: int, decision: Decision | None, micros: float) -> None:
        """Write every grammar of the list into `record`: those before `position` declined, those after it were
        never asked. `micros` is what the whole list cost, and stands on the winner, or on the last one."""
        stage = StageName.GRAMMAR.value
        for i, name in enumerate(self.names):
            if i < position:
                spent = micros if decision is None and i == len(self.names) - 1 else None
                record.note(name, stage, Outcome.DECLINED, micros=spent)
            elif i == position:
                record.note(name, stage, Outcome.WON, decision=decision, score=1.0, micros=micros)
            else:
                record.note(name, stage, Outcome.NOT_ASKED)


@cache
def group_numbers(regexp: Any) -> dict[str, int]:
    """Name to number of the groups of a pattern; `re2` works it out anew at every look."""
    return dict(regexp.groupindex)


def group(match: Match, name: str) -> str | None:
    """The words of a named group; None where it took no part."""
    text: str | None = match.group(group_numbers(match.re)[name])
    return text


def group_span(utterance: Utterance, match: Match, name: str) -> Span | None:
    """Character range in the original utterance of a named group; None where it took no part or is empty."""
    start, end = match.span(group_numbers(match.re)[name])
    return utterance.span(start, end) if 0 <= start < end else None
