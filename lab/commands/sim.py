"""`tablectl sim`: a whole simulated table that plays by itself."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from controller import games, log
from controller.config.types import TableConfig
from controller.rules.rulebook import load_rulebook
from controller.web.server import PortTaken, WebTrouble
from lab.sim.config import default_config
from lab.sim.summary import Shift, Summary
from lab.sim.table import play_rounds, shift_for

SPEEDS = {"1": 1.0, "20": 20.0}


@click.command()
@click.option("--game", type=click.Choice(games.names()), help=f"By itself the rulebook's, or {games.USUAL}.")
@click.option("--option", type=int, help="Big Wheel: which of the rulebook's wheels; the first by itself.")
@click.option("--rulebook", help="The rulebook to play by.")
@click.option(
    "--source", type=click.Choice(["shoe", "shuffler"]), help="Casino War: what cards come from; a shoe by itself."
)
@click.option("--rounds", type=click.IntRange(min=1), help="End after so many rounds and print a summary.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed plays the same shift.")
@click.option(
    "--speed", type=click.Choice(["1", "20", "max"]), help="1, 20, or max (with --rounds) as fast as it goes."
)
@click.option("--journal", "path", type=click.Path(path_type=Path, dir_okay=False), help="Keep the journal here.")
@click.option("--port", type=int, default=8642, show_default=True, help="Port of the page on loopback; 0 for any.")
@click.option("--no-browser", is_flag=True, help="Do not open the page.")
@click.option("--json", "as_json", is_flag=True, help="The summary as JSON.")
def sim(
    game: str | None,
    option: int | None,
    rulebook: str | None,
    source: str | None,
    rounds: int | None,
    seed: int,
    speed: str | None,
    path: Path | None,
    port: int,
    no_browser: bool,
    as_json: bool,
) -> None:
    """Play a table with every device simulated.

    Without --rounds it plays on, with a page on loopback to watch and to meddle; end it with Ctrl-C.
    The terminal tells every event in a line; all of it is in the log beside the journal, which --journal keeps.
    """
    chosen = {"option": option, "source": source}
    config = _table(
        _game(game, rulebook), rulebook, {name: value for name, value in chosen.items() if value is not None}
    )
    if speed == "max" and rounds is None:
        raise click.UsageError("--speed max needs --rounds, or it would never end")
    if path is not None and path.exists():
        text = "Its people come with other chips and cards than lay there at its end, and the table will say so."
        click.echo(f"{path} is gone on with. {text}", err=True)
    with tempfile.TemporaryDirectory(prefix="tablectl-") as scratch:
        journal = path or Path(scratch) / "table.sqlite"
        if rounds is not None and speed in (None, "max"):
            log.setup(level="warning")
            summary = _with_progress(
                config, rounds, lambda shift: play_rounds(config, journal, seed, rounds, shift, bool(path))
            )
        else:
            with journal.with_suffix(".log").open("a", encoding="utf-8") as details:
                log.setup(level="info", stream=details)
                click.echo(f"Details are written to {details.name}", err=True)
                summary = _watched(config, journal, seed, rounds, SPEEDS[speed or "1"], port, not no_browser)
    click.echo(json.dumps(summary.as_json()) if as_json else summary.as_text())


def _game(game: str | None, rulebook: str | None) -> str:
    """The game that is meant where only the rulebook is given; both must agree."""
    of_book = load_rulebook(rulebook).game if rulebook else ""
    if game and of_book and game != of_book:
        raise click.UsageError(f"{rulebook} is a rulebook of {of_book}, not of {game}; leave --game out.")
    return game or of_book or games.USUAL


def _table(game: str, rulebook: str | None, chosen: dict[str, Any]) -> TableConfig:
    """The simulated table; what only another game lets one choose is refused."""
    playable = games.find(game)
    known = {name for variant in playable.variants(rulebook or playable.rulebook).values() for name in variant}
    for name in chosen:
        if name not in known:
            raise click.UsageError(f"--{name} means nothing at {playable.title}; leave it out.")
    return default_config(game, rulebook=rulebook, **chosen)


def _watched(
    config: TableConfig, journal: Path, seed: int, rounds: int | None, speed: float, port: int, browser: bool
) -> Summary:
    from lab.sim.levers import Setup
    from lab.sim.watched import Watch

    watch = Watch(journal, rounds, speed, port, browser, lambda text: click.echo(text, err=True))
    try:
        return watch.run(Setup(config, seed))
    except PortTaken as taken:
        raise click.ClickException(
            f"Something listens on port {port} already, perhaps another table; end it, or choose another port with "
            f"--port {port + 1}, or any free one with --port 0."
        ) from taken
    except WebTrouble as trouble:
        raise click.ClickException(str(trouble)) from trouble


def _with_progress(config: TableConfig, rounds: int, play: Callable[[Shift], Summary]) -> Summary:
    shift = shift_for(config)
    if not sys.stderr.isatty():
        return play(shift)
    with click.progressbar(length=rounds, label="rounds", file=sys.stderr) as bar:
        shift.on_round = lambda: bar.update(1)
        return play(shift)
