"""The command line. Each command imports what it needs when it runs, so that ``--help`` stays quick."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

if TYPE_CHECKING:
    from serve.settings import Settings

app = typer.Typer(
    name="maven-serve",
    help="Intent routing and phrasing for Maven, a Russian-first personal assistant.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
models_app = typer.Typer(no_args_is_help=True, help="Weights: what is here, get them, check them.")
train_app = typer.Typer(no_args_is_help=True, help="Make an artefact again.")
labels_app = typer.Typer(no_args_is_help=True, help="Corrections, for training.")
app.add_typer(models_app, name="models")
app.add_typer(train_app, name="train")
app.add_typer(labels_app, name="labels")

Config = Annotated[Path | None, typer.Option("--config", "-c", help="Settings file (YAML).", show_default=False)]
Text = Annotated[list[str], typer.Argument(help="The utterance.")]


def fail(*lines: str, code: int = 1) -> NoReturn:
    """End with one clear line for each problem on standard error."""
    for line in lines:
        print(f"maven-serve: {line}", file=sys.stderr)
    raise typer.Exit(code)


@contextmanager
def complaints() -> Iterator[None]:
    """Errors that the caller can mend, as one line instead of a traceback."""
    from models.artifacts import ArtifactError
    from serve.commands import CommandError

    try:
        yield
    except (CommandError, ArtifactError) as error:
        fail(str(error))


def read_settings(config: Path | None) -> Settings:
    """The settings from ``config``, else `configs/local.yaml` here, else the copy in the package."""
    from serve.settings import SettingsError, load

    places = [Path("configs/local.yaml"), Path(__file__).parent / "configs" / "local.yaml"]
    try:
        return load(config or next((place for place in places if place.is_file()), None))
    except SettingsError as error:
        fail(*error.problems)


@app.command()
def up(
    config: Config = None,
    application: Annotated[str | None, typer.Option("--app", hidden=True)] = None,
) -> None:
    """Start everything here; prints the addresses; Ctrl-C stops it all."""
    settings = read_settings(config)
    from serve import launcher

    raise typer.Exit(launcher.up(settings, application or launcher.DEFAULT_APPLICATION))


@app.command()
def doctor(
    config: Config = None,
    show_settings: Annotated[
        bool, typer.Option("--settings", help="Print every setting with its meaning, no secret.")
    ] = False,
) -> None:
    """Look at this machine: what `up` needs and what it would use."""
    settings = read_settings(config)
    from serve import doctor as doctor_

    if show_settings:
        print(doctor_.explain(settings), end="")
        return
    raise typer.Exit(doctor_.report(settings))


@models_app.command("list")
def models_list(config: Config = None) -> None:
    """What is in the cache."""
    settings = read_settings(config)
    from serve import weights

    weights.show(settings)


@models_app.command("fetch")
def models_fetch(
    config: Config = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Say nothing when all is there.")] = False,
) -> None:
    """Get and convert what the settings ask for; quick when it is there."""
    settings = read_settings(config)
    from models.artifacts import ArtifactError
    from serve import weights

    try:
        weights.fetch(settings, quiet=quiet)
    except ArtifactError as error:
        fail(str(error))


@models_app.command("verify")
def models_verify(config: Config = None) -> None:
    """Check every file in the cache against its hash."""
    settings = read_settings(config)
    from serve import weights

    if not weights.verify(settings):
        fail("a file is not what it was: maven-serve models fetch makes it again")


Url = Annotated[str | None, typer.Option("--url", help="Ask a running service instead.", show_default=False)]


@app.command()
def route(
    text: Text,
    config: Config = None,
    arm: Annotated[str | None, typer.Option("--arm", help="Which stages.", show_default=False)] = None,
    url: Url = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")] = False,
) -> None:
    """One decision, with its trace as a tree."""
    settings = read_settings(config)
    with complaints():
        from serve import commands

        commands.route(settings, " ".join(text), arm, url, as_json)


@app.command()
def turn(
    text: Text,
    session: Annotated[str, typer.Option("--session", "-s", help="Name of the session.")],
    config: Config = None,
    url: Url = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")] = False,
) -> None:
    """One turn of a dialogue of a running service."""
    settings = read_settings(config)
    with complaints():
        from serve import commands

        commands.turn(settings, session, " ".join(text), url, as_json)


@app.command("eval")
def evaluate(
    cases: Annotated[Path, typer.Option("--cases", help="JSON Lines of labelled utterances.")],
    arm: Annotated[str, typer.Option("--arm", help="Which stages.")] = "full",
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    url: Url = None,
    config: Config = None,
) -> None:
    """Measure an arm on labelled utterances."""
    settings = read_settings(config)
    with complaints():
        from serve import commands

        commands.run_eval(settings, cases, arm, as_json, url)


PASS_ON = {"allow_extra_args": True, "ignore_unknown_options": True}


def _train(name: str, options: list[str]) -> None:
    try:
        from models.training import cli as training

        {"heads": training.train_heads, "boundary": training.train_boundary}[name](options)
    except ImportError as error:
        fail(f"train needs the `train` extra (make env-train): {error}")


@train_app.command("heads", context_settings=PASS_ON, add_help_option=False)
def train_heads(context: typer.Context) -> None:
    """Train the routing heads; `--help` lists the options (--seeds, --epochs, --layers, --labels FILE, ...)."""
    _train("heads", context.args)


@train_app.command("boundary", context_settings=PASS_ON, add_help_option=False)
def train_boundary(context: typer.Context) -> None:
    """Fit the personal boundary again; `--help` lists the options."""
    _train("boundary", context.args)


@app.command()
def trace(
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Go on as turns come.")] = False,
    limit: Annotated[int, typer.Option("--limit", min=1, help="Newest records at most.")] = 25,
    url: Url = None,
    config: Config = None,
) -> None:
    """The ring of decisions, live."""
    settings = read_settings(config)
    with complaints():
        from serve import commands

        commands.follow(settings, url, follow, limit)


@labels_app.command("export")
def labels_export(
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="File to write; none: standard output.", show_default=False)
    ] = None,
    url: Url = None,
    config: Config = None,
) -> None:
    """The corrections as JSON Lines."""
    settings = read_settings(config)
    with complaints():
        from serve import data_commands

        data_commands.export_labels(settings, url, out)


@app.command()
def wipe(
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    url: Url = None,
    config: Config = None,
) -> None:
    """Remove every utterance, trace, label and dialogue."""
    settings = read_settings(config)
    if not yes:
        typer.confirm("Every utterance, trace, label and dialogue is removed for good. Go on?", abort=True)
    with complaints():
        from serve import data_commands

        data_commands.wipe(settings, url)


def main() -> None:
    """Entry point of the console script."""
    app()


if __name__ == "__main__":
    main()
