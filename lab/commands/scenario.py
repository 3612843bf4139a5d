"""`tablectl scenario`: play scenario files through the whole stack."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from controller import log
from lab.scenarios.file import Case, ScenarioError, read_cases
from lab.scenarios.outcome import Outcome
from lab.scenarios.play import play_case

if TYPE_CHECKING:
    from lab.rig.bench import RigBench


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, dir_okay=False))
@click.option("--case", "only", multiple=True, help="Only the case of this id.")
@click.option("--on", "rig_file", type=click.Path(path_type=Path, dir_okay=False), help="Play on the rig of this file.")
def scenario(files: tuple[Path, ...], only: tuple[str, ...], rig_file: Path | None) -> None:
    """Play every case of the files under the virtual clock, or in real time on a rig; one JSON object a case.

    Exit status 0 when every expectation was met, 1 when one was not, 2 when a file itself, or a case in it, is wrong;
    the other cases are played all the same.
    """
    log.setup(level="error")
    cases = [case for path in files for case in read_cases(path)]
    wanted = [case for case in cases if not only or case.id in only]
    fine, broken = True, False
    with contextlib.ExitStack() as stack:
        bench = stack.enter_context(_bench(rig_file)) if rig_file is not None else None
        if bench is not None:
            bench.require_whole()
        for case in wanted:
            try:
                outcome = play_case(case) if bench is None else _play_on(bench, case)
            except ScenarioError as error:
                broken = True
                click.echo(f"Error: {error}", err=True)
                outcome = Outcome(case.id, ok=False, errors=[str(error)])
            fine = fine and outcome.ok
            click.echo(msgspec.json.encode(outcome))
    if broken:
        raise SystemExit(2)
    if not fine:
        raise SystemExit(1)


def _bench(path: Path) -> RigBench:
    from lab.rig.bench import RigBench
    from lab.rig.file import read_rig

    return RigBench(read_rig(path), lambda text: click.echo(text, err=True))


def _play_on(bench: RigBench, case: Case) -> Outcome:
    """One case on a rig; what hands there cannot do is this case's failure, and the next is played all the same."""
    from lab.conformance.stimulus import CannotDo
    from lab.rig.stage import RigStage

    stage = RigStage(bench)
    try:
        return play_case(case, stage)
    except CannotDo as why:
        return Outcome(case.id, ok=False, errors=[f"it did not go on: {why}"])
    finally:
        stage.leave()
