"""What the commands share: which table is meant. On a Pi there is one, and it is found by itself."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from controller.config.file import check_config, read_config

INSTALLED = Path("/etc/tablectl/table.toml")
_FILE = click.Path(path_type=Path, dir_okay=False)
_HELP = f"The table's file; by itself $TABLECTL_CONFIG, or {INSTALLED}."
_META = "controller.config"

Command = TypeVar("Command", bound=Callable[..., Any])


def found_config() -> Path | None:
    """The file of the table on this machine, if there is one."""
    if named := os.environ.get("TABLECTL_CONFIG"):
        return Path(named)
    try:
        return INSTALLED if INSTALLED.exists() else None
    except OSError:  # it is there, and somebody of rank may look at it: reading it says so
        return INSTALLED


def _meant(ctx: click.Context, param: click.Parameter, value: Path | None) -> Path:
    found = value or found_config()
    if found is None:
        raise click.UsageError("Which table? Give its file with --config.")
    return found


CONFIG = click.option("--config", "path", callback=_meant, type=_FILE, help=_HELP)


def _remember(ctx: click.Context, param: click.Parameter, value: Path | None) -> None:
    ctx.meta[_META] = value or found_config()


def _journal(ctx: click.Context, param: click.Parameter, value: Path | None) -> Path:
    if value is not None:
        return value
    config: Path | None = ctx.meta.get(_META)
    if config is None:
        raise click.UsageError("Which journal? Give its path, or the table's file with --config.")
    return Path(check_config(config).table.journal)


def journal(name: str = "path") -> Callable[[Command], Command]:
    """An argument for a journal that is the table's own when none is given."""

    def added(command: Command) -> Command:
        command = click.argument(name, type=_FILE, required=False, callback=_journal, metavar="[JOURNAL]")(command)
        return click.option("--config", type=_FILE, is_eager=True, expose_value=False,
                            callback=_remember, help=_HELP)(command)  # fmt: skip

    return added


def staff_file(ctx: click.Context, param: click.Parameter, value: Path | None) -> Path:
    """The staff register of the table that is meant; without a table, the one in this folder."""
    if value is not None:
        return value
    config: Path | None = ctx.meta.get(_META)
    if config is None:
        return Path("staff.json")
    return read_config(config, config.parent).staff_file()  # unchecked: a table without staff is not right yet


def card_keys(ctx: click.Context, staff: Path) -> tuple[Path, Path]:
    """The keys of staff cards and of player cards: where the table has them, or beside the register that is meant."""
    config: Path | None = ctx.meta.get(_META)
    table = read_config(config, config.parent) if config is not None else None
    if table is not None and table.staff_file() == staff:
        return table.key_file(), table.player_key_file()
    return staff.with_suffix(".key"), staff.with_name("players.key")


STAFF_CONFIG = click.option("--config", type=_FILE, is_eager=True, expose_value=False,
                            callback=_remember, help=_HELP)  # fmt: skip
