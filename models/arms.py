"""One function builds the ordered list of stages and grammars for an arm. The service, the evaluation and the
benchmarks all call it, so they cannot disagree about what answers, or in what order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

from routing.cascade import Cascade, Personal, Stage
from routing.grammars import stage_zero

Arm = Literal["full", "heads", "resident", "classifier", "heads-alone", "resident-alone", "classifier-alone"]
ARMS: tuple[Arm, ...] = get_args(Arm)

_STAGES: Mapping[Arm, tuple[str, ...]] = {
    "full": ("heads", "resident", "classifier"),
    "heads": ("heads", "classifier"),
    "resident": ("resident", "classifier"),
    "classifier": ("classifier",),
    "heads-alone": ("heads",),
    "resident-alone": ("resident",),
    "classifier-alone": ("classifier",),
}


def build_cascade(arm: Arm, stages: Mapping[str, Stage], boundary: Personal | None = None) -> Cascade:
    """The cascade of `arm`, of those `stages` (by name: heads, resident, classifier) that this instance has.

    A stage that is not configured is left out: without heads, the arm `heads` is the arm `classifier`. An `-alone`
    arm has no grammars and no gate, so that the judge is seen as it is; raises `ValueError` where its judge is not
    configured.
    """
    alone = arm.endswith("-alone")
    found = [stages[name] for name in _STAGES[arm] if name in stages]
    if alone and not found:
        raise ValueError(f"arm {arm}: {_STAGES[arm][0]} is not configured")
    return Cascade(None if alone else stage_zero(), found, gated=not alone, boundary=None if alone else boundary)
