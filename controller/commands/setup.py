"""`tablectl setup`: from a bare installation to a table that opens, by questions or from a file of answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from controller import games
from controller.commands.layout import areas_of, drawn
from controller.commands.options import INSTALLED
from controller.commands.output import NEW_FILE, give
from controller.config.checks import problems
from controller.config.file import config_in
from controller.config.tomlread import ConfigError
from controller.config.types import TableConfig
from controller.pi.before_opening import missing
from controller.pi.setup import plugged, questions
from controller.pi.setup.answers import Answers, FromFile, FromTerminal
from controller.pi.setup.felt import walk
from controller.pi.setup.toml import written
from controller.pi.setup.write import Made, Plan, put
from controller.web.access import PAIRABLE
from controller.web.server import settings_of
from drivers.discover import DeviceFound

DATA = Path("/var/lib/tablectl")
FILE = click.Path(path_type=Path, dir_okay=False)


@click.command()
@click.option("--config", "path", type=FILE, default=INSTALLED, show_default=True, help="The table's file to write.")
@click.option("--answers", "file", type=FILE, help="Take the answers from this file, in the form of table.toml.")
@click.option("--port", "ports", multiple=True, help="Look at this address too, such as tcp://127.0.0.1:9000.")
@click.option("--picture", type=NEW_FILE, help="Draw the layout for the walk, as SVG; else beside the table's file.")
def setup(path: Path, file: Path | None, ports: tuple[str, ...], picture: Path | None) -> None:
    """Set a table up: ask, find its devices, walk over its felt with one chip, and write its file, whole and checked.

    Nothing is written before everything is answered and right. Staff and screens that are known already stay.
    """
    path = path.absolute()
    answers = FromTerminal() if file is None else FromFile(file)
    table = questions.table_section(answers, str(_data(path) / "table.db"))
    data = (path.parent / table["journal"]).parent
    _refuse_played(path.parent / table["journal"], data)
    beside = Path.cwd() if file is None else file.parent
    values, found = _right(answers, path, table, ports, beside)
    chips, lists = questions.chips_section(answers, table["game"])
    values |= {"chips": chips} if chips else {}
    config = _checked(answers, values, path)
    _felt(answers, config, found, picture or path.with_name("felt.svg"))
    people = questions.people(answers, table["rulebook"])
    screens = _screens(answers)
    if isinstance(answers, FromFile):
        answers.refuse_unread()
    _tell(put(Plan(path, data, values, [beside / one for one in lists], people, screens)), path)


def _data(path: Path) -> Path:
    return DATA if path == INSTALLED else path.parent


def _refuse_played(journal: Path, data: Path) -> None:
    if journal.exists():
        raise ConfigError(
            f"{journal}: this table has a journal already; change its file and restart it, or move the journal aside"
        )
    if not data.is_dir():
        raise ConfigError(f"{data}: the data directory is not there; mount it, or make it")


def _right(
    answers: Answers, path: Path, table: dict[str, Any], ports: tuple[str, ...], beside: Path
) -> tuple[dict[str, Any], dict[str, DeviceFound]]:
    """The sections of the table and its devices; a person is asked again until the rulebook allows what is answered."""
    own: dict[str, Any] = {}
    devices: dict[str, dict[str, Any]] = {}
    found: dict[str, DeviceFound] = {}
    while True:
        own = questions.own_sections(answers, table["game"], own)
        players = questions.player_list(answers, table, beside)
        values = {"table": table, **own, **players, "devices": devices}
        try:
            play = _read(answers, values, path).play
            for kind in games.find(table["game"]).usual_devices(play):
                if kind not in found:
                    found[kind] = plugged.device_of(kind, answers, lambda: plugged.look(ports))
                    click.echo(f"{kind}: {found[kind].serial} at {found[kind].address}")
            devices.clear()
            devices |= {kind: _section(one) for kind, one in found.items()}
            readers = plugged.readers(plugged.look(ports) if answers.by_person else [], answers, PAIRABLE)
            devices |= {place: {"kind": "swipe", "port": port} for place, port in readers.items()}
            _checked(answers, values, path)
            return values, found
        except ConfigError as error:
            if not answers.by_person:
                raise
            click.echo(f"{error}\nOnce more; what you answered stands in brackets.")


def _section(found: DeviceFound) -> dict[str, Any]:
    return {"kind": found.kind, "port": found.address, "serial": found.serial}


def _read(answers: Answers, values: dict[str, Any], path: Path) -> TableConfig:
    return config_in(answers.document(values, written(values), str(path)))


def _checked(answers: Answers, values: dict[str, Any], path: Path) -> TableConfig:
    config = _read(answers, values, path)
    for problem in problems(config):
        raise answers.document(values, written(values), str(path)).error(problem.keys, problem.what, problem.remedy)
    return config


def _felt(answers: Answers, config: TableConfig, found: dict[str, DeviceFound], picture: Path) -> None:
    """The layout as a list and a picture, and the walk over it."""
    if "chips" not in found:
        return
    areas = areas_of(config)
    for number, name in areas.items():
        click.echo(f"{number:>4}  {name}")
    wanted = answers.choose(("walk", "felt"), "Walk over the felt with one chip", ["yes", "no"], "yes")
    if wanted == "yes":
        give(drawn(areas), picture)
        click.echo(f"The felt is drawn in {picture}. Clear it of chips, and take one.")
        walk(found["chips"], areas)


def _screens(answers: Answers) -> list[str]:
    chosen = answers.value(("screens", "pair"), "Screens to pair", list(PAIRABLE)) or []
    for place in chosen:
        if place not in PAIRABLE:
            raise ConfigError(f"there is no screen '{place}'; there are {', '.join(PAIRABLE)}")
    return list(chosen)


def _tell(made: Made, path: Path) -> None:
    click.echo(f"{path}: table {made.config.table.name} under {made.config.table.rulebook} is set up.")
    scheme = "https" if settings_of(made.config).tls else "http"
    for place, code in made.codes.items():
        click.echo(f"Open this on the {place} screen, once: {scheme}://{made.config.table.web}/pair#{code}")
    for warning in made.warnings:
        click.echo(f"look at: {warning}")
    for one in missing(made.config, path if path != INSTALLED else None):
        click.echo(f"before it opens: {one.what}\n  {one.remedy}")
    click.echo("Then: sudo tablectl restart" if path == INSTALLED else f"Then: tablectl run --config {path}")
