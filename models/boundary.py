"""The personal boundary: does a question need the owner's records, or can an outside source answer it?

One class-balanced logistic head over the frozen embedder's query vector. It reads the whole vector, so the
nearest single training sentence cannot decide by a public noun that both sides share.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

__all__ = ["WEIGHTS", "BoundaryError", "BoundaryHead"]

WEIGHTS = Path(__file__).parent / "data" / "boundary_head.json"


class BoundaryError(ValueError):
    """The head's weights are missing, damaged, or belong to another embedder. One line."""


@dataclass(frozen=True)
class BoundaryHead:
    """A weight for each component of the embedder's vector, and a bias; `embedders` are the ids it was fitted
    and checked on."""

    embedders: tuple[str, ...]
    weight: npt.NDArray[np.float64]
    bias: float

    @classmethod
    def load(cls, embedder: str, path: Path = WEIGHTS) -> BoundaryHead:
        """The head for the embedder with this id (`Encoder.id`). Raises `BoundaryError` for any other."""
        try:
            record = json.loads(path.read_text("utf-8"))
            head = cls(tuple(record["embedders"]), np.array(record["weight"], np.float64), float(record["bias"]))
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise BoundaryError(f"{path} does not read: {error}") from error
        if embedder not in head.embedders:
            raise BoundaryError(
                f"the boundary head belongs to {', '.join(head.embedders)}, not to {embedder}: "
                "fit it again (maven-serve train boundary)"
            )
        return head

    def personal(self, vector: Sequence[float] | npt.NDArray[np.float32]) -> float:
        """The probability, 0..1, that the question needs the owner's records.

        `vector` is one row of `Encoder.encode(..., kind="query")`. Raises `BoundaryError` for another width.
        """
        values = np.asarray(vector, np.float64)
        if values.shape != self.weight.shape:
            raise BoundaryError(f"a vector of {values.shape} instead of {self.weight.shape}")
        return float(1 / (1 + np.exp(-(values @ self.weight + self.bias))))

    def is_personal(self, vector: Sequence[float] | npt.NDArray[np.float32]) -> bool:
        """Exactly personal > world: a tie goes outside."""
        personal = self.personal(vector)
        return personal > 1 - personal
