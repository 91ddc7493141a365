"""`python -m models.training heads|boundary|evaluate|picture ...`"""

from __future__ import annotations

import sys

from models.training.cli import evaluate, picture, train_boundary, train_heads

_COMMANDS = {"heads": train_heads, "boundary": train_boundary, "evaluate": evaluate, "picture": picture}

if len(sys.argv) < 2 or sys.argv[1] not in _COMMANDS:
    sys.exit(f"usage: python -m models.training {'|'.join(_COMMANDS)} [--help]")
_COMMANDS[sys.argv[1]](sys.argv[2:])
