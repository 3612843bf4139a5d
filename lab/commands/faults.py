"""`tablectl faults`: the fault matrix, played anew."""

from __future__ import annotations

import json
import sys
from typing import Any

import click
import msgspec

from controller import log
from lab.proofs import faultmatrix, in_tournament
from lab.proofs.faultmatrix import Cell, as_text
from lab.proofs.games import VARIANTS

FORMS = [form for forms in VARIANTS.values() for form in forms]
EVENTS = in_tournament.names()


@click.command()
@click.option("--game", type=click.Choice(list(dict.fromkeys([*VARIANTS, *FORMS, *EVENTS]))),
              help="One game only; poker is all seven, omaha one of them, “war tournament” an event.")  # fmt: skip
@click.option("--device", help="One device only, such as wheel, or the controller itself.")
@click.option("--fault", help="One fault only, such as drop or unplug.")
@click.option("--state", help="One state of the round only.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed plays the same matrix.")
@click.option("--after", type=click.FloatRange(min=0), default=0.0, show_default=True,
              help="Strike so many seconds after the state is entered.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="One JSON object a cell.")
def faults(
    game: str | None, device: str | None, fault: str | None, state: str | None, seed: int, after: float, as_json: bool
) -> None:
    """Strike every device with every fault in every state of the round, and print how the table came out of it.

    Each cell is played through the whole stack under the virtual clock and held against what truly happened: who
    staked what, and where the wheel stood. Exit status 1 when anything is wrong.
    """
    named = [game] if game else [*VARIANTS, *EVENTS]
    games = [form for one in named for form in VARIANTS.get(one, [one])]
    every = {one: list(_of(one).cells(one, seed)) for one in games}
    for position, (option, chosen) in enumerate((("--device", device), ("--fault", fault), ("--state", state))):
        known = {cell[position] for one in games for cell in every[one]}
        if chosen is not None and chosen not in known:
            raise click.UsageError(f"{option}: there is no {chosen!r}; there are {', '.join(sorted(known))}")
    log.setup(level="error")

    def wanted(of: str, what: str, when: str) -> bool:
        return (device or of) == of and (fault or what) == what and (state or when) == when

    count = sum(wanted(*cell) for one in games for cell in every[one])
    played: list[Cell] = []
    with click.progressbar(length=count, label="cells", file=sys.stderr, hidden=not sys.stderr.isatty()) as bar:
        for one in games:
            played += _of(one).matrix(one, seed, after, wanted, lambda cell: bar.update(1))
    if as_json:
        for cell in played:
            click.echo(json.dumps(msgspec.to_builtins(cell)))
    else:
        click.echo(as_text(played))
    wrong = sum(bool(cell.problems) for cell in played)
    if wrong:
        raise click.ClickException(f"{wrong} of {len(played)} cells are wrong")
    if not as_json:
        click.echo(f"{len(played)} cells, none wrong")


def _of(game: str) -> Any:
    """The matrix that a game in this form is struck by: a table's own, or that of an event."""
    return in_tournament if game in EVENTS else faultmatrix
