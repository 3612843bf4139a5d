"""`tablectl scenario`: play scenario files through the whole stack."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from controller import log
from controller.scenario.file import read_cases
from controller.scenario.play import play_case


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, dir_okay=False))
@click.option("--case", "only", multiple=True, help="Only the case of this id.")
def scenario(files: tuple[Path, ...], only: tuple[str, ...]) -> None:
    """Play every case of the files under the virtual clock; one JSON object a case.

    Exit status 0 when every expectation was met, 1 when one was not, 2 when a file itself is wrong.
    """
    log.setup(level="error")
    cases = [case for path in files for case in read_cases(path)]
    fine = True
    for case in cases:
        if only and case.id not in only:
            continue
        outcome = play_case(case)
        fine = fine and outcome.ok
        click.echo(msgspec.json.encode(outcome))
    if not fine:
        raise SystemExit(1)
