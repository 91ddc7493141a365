"""The command line: light to start, one clear line when the settings are wrong."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from serve.cli import app


def test_help_loads_nothing_heavy() -> None:
    heavy = "{'ray', 'pydantic', 'onnxruntime', 'numpy', 'redis', 'starlette', 're2', 'httpx'}"
    code = f"import sys, serve.cli; print({heavy} & set(sys.modules))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "set()"


def test_it_names_the_commands_of_the_contract() -> None:
    text = CliRunner().invoke(app, ["--help"]).output
    for command in (
        "up",
        "route",
        "turn",
        "eval",
        "models",
        "train",
        "trace",
        "labels",
        "wipe",
        "doctor",
    ):
        assert f" {command} " in text


@pytest.mark.parametrize("command", [["up"], ["doctor"], ["models", "list"]])
def test_wrong_settings_end_every_command_alike(command: list[str], tmp_path: Path) -> None:
    path = tmp_path / "own.yaml"
    path.write_text("http: {port: 0}\nredis: {uri: x}\n", encoding="utf-8")
    result = CliRunner().invoke(app, [*command, "--config", str(path)])
    assert result.exit_code == 1
    assert result.stderr.splitlines() == [
        f"maven-serve: {path}: http.port: Input should be greater than or equal to 1",
        f"maven-serve: {path}: redis.uri: no such setting",
    ]
