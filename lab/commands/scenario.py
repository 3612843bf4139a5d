"""`tablectl scenario`: play scenario files through the whole stack."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from controller import games, log
from controller.config.tomlread import nearest
from lab.scenarios.file import BrokenCase, Case, ScenarioError, each_case
from lab.scenarios.outcome import Outcome
from lab.scenarios.play import play_case
from lab.scenarios.stage import Stage

if TYPE_CHECKING:
    from lab.rig.bench import RigBench


ALL = "all"
TOURNAMENT = "tournament"


@click.command()
@click.argument("files", nargs=-1, type=click.Path(path_type=Path, dir_okay=False))
@click.option("--case", "only", multiple=True, help="Only the case of this id.")
@click.option("--on", "rig_file", type=click.Path(path_type=Path, dir_okay=False), help="Play on the rig of this file.")
@click.option("--captures", type=click.Path(path_type=Path, file_okay=False),
              help="Record every line of each case in this folder.")  # fmt: skip
@click.option("--words", is_flag=False, flag_value=ALL, type=click.Choice([ALL, *games.names(), TOURNAMENT]),
              metavar="[GAME]", help="Print every word that a case may use, of one game or of all.")  # fmt: skip
@click.option("--markdown", is_flag=True, help="Print the words as docs/scenarios.md has them.")
@click.option("--json", "as_json", is_flag=True, help="Changes nothing: cases are printed as JSON in any case.")
def scenario(
    files: tuple[Path, ...],
    only: tuple[str, ...],
    rig_file: Path | None,
    captures: Path | None,
    words: str | None,
    markdown: bool,
    as_json: bool,
) -> None:
    """Play every case of the files under the virtual clock, or in real time on a rig; one JSON object a case.

    How many were as expected is told on standard error. Exit status 0 when every expectation was met, 1 when one was
    not, 2 when a file itself, or a case in it, is wrong; the other cases are played all the same. A case may use the
    words that --words prints and no others.
    """
    if words is not None or markdown:
        _print_words(words or ALL, markdown)
        return
    if not files:
        raise click.UsageError("give the path of a scenario file, or --words for what may stand in one")
    log.setup(level="error")
    cases = [case for path in files for case in each_case(path)]
    wanted = [case for case in cases if not only or case.id in only]
    if missing := [name for name in only if name not in {case.id for case in wanted}]:
        raise ScenarioError(f"--case: no case {missing[0]!r}; {nearest(missing[0], [case.id for case in cases])}")
    met, broken = 0, 0
    with contextlib.ExitStack() as stack:
        bench = stack.enter_context(_bench(rig_file)) if rig_file is not None else None
        if bench is not None:
            bench.require_whole()
        for case in wanted:
            try:
                if isinstance(case, BrokenCase):
                    raise case.why
                outcome = _play(case, captures) if bench is None else _play_on(bench, case, captures)
            except ScenarioError as error:
                broken += 1
                click.echo(f"Error: {error}", err=True)
                outcome = Outcome(case.id, ok=False, errors=[str(error)])
            met += outcome.ok
            click.echo(msgspec.json.encode(outcome))
    click.echo(_count(len(wanted), met, broken), err=True)
    if broken:
        raise SystemExit(2)
    if met < len(wanted):
        raise SystemExit(1)


def _count(played: int, met: int, broken: int) -> str:
    told = f"{met} of {played} cases came out as expected" if played != 1 else f"{met} of 1 case came out as expected"
    return f"{told}, {broken} could not be played." if broken else f"{told}."


def _print_words(game: str, markdown: bool) -> None:
    from lab.scenarios.page import SPOKEN, page
    from lab.scenarios.played import words_of
    from lab.scenarios.words import as_text

    if markdown:
        click.echo(page(), nl=False)
        return
    for name in SPOKEN if game == ALL else (game,):
        click.echo(as_text(words_of(name)))


def _bench(path: Path) -> RigBench:
    from lab.rig.bench import RigBench
    from lab.rig.file import read_rig

    return RigBench(read_rig(path), lambda text: click.echo(text, err=True))


def _play(case: Case, captures: Path | None) -> Outcome:
    stage = Stage()
    _record(stage, case, captures)
    try:
        return play_case(case, stage)
    finally:
        stage.close_captures()


def _record(stage: Stage, case: Case, captures: Path | None) -> None:
    """A folder for each case, with a capture for each place of its table."""
    if captures is not None:
        stage.captures = captures / re.sub(r"[^\w.-]+", "-", case.id)


def _play_on(bench: RigBench, case: Case, captures: Path | None) -> Outcome:
    """One case on a rig; what hands there cannot do is this case's failure, and the next is played all the same."""
    from lab.conformance.stimulus import CannotDo
    from lab.rig.stage import RigStage

    stage = RigStage(bench)
    _record(stage, case, captures)
    try:
        return play_case(case, stage)
    except CannotDo as why:
        return Outcome(case.id, ok=False, errors=[f"it did not go on: {why}"])
    finally:
        stage.leave()
        stage.close_captures()
