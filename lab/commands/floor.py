"""`tablectl floor sim`: a broker, a floor and a dozen simulated tables of all games."""

from __future__ import annotations

import contextlib
import tempfile
import time
from pathlib import Path

import click


@click.command(name="sim")
@click.option("--tables", default=12, show_default=True, type=click.IntRange(1, 2000))
@click.option("--speed", default=1.0, show_default=True, help="Times real time.")
@click.option("--port", default=8700, show_default=True, help="Port of the floor's pages on loopback.")
@click.option(
    "--data", type=click.Path(path_type=Path, file_okay=False), help="Keep everything here; else it goes with the end."
)
@click.option("--seconds", type=click.FloatRange(min=1), help="End after so long; without, with Ctrl-C.")
def floor_sim(tables: int, speed: float, port: int, data: Path | None, seconds: float | None) -> None:
    """Start a broker, a floor and simulated tables of all games, and print the floor's address."""
    from lab.floor.house import House, end_in_order
    from lab.floor.server import ServerTrouble

    end_in_order()
    with tempfile.TemporaryDirectory(prefix="tablectl-floor-") as scratch:
        house = House(data or Path(scratch), tables, port, speed)
        try:
            house.start()
            click.echo(
                f"{tables} tables play; the floor's pages are at http://127.0.0.1:{port}/  (Ctrl-C ends it)", err=True
            )
            _watch(house.dead, seconds)
        except ServerTrouble as trouble:
            raise click.ClickException(str(trouble)) from trouble
        finally:
            house.stop()


def _watch(dead: object, seconds: float | None) -> None:
    """Until somebody has seen enough, or something has ended that should not."""
    assert callable(dead)
    until = time.monotonic() + seconds if seconds is not None else float("inf")
    with contextlib.suppress(KeyboardInterrupt):
        while time.monotonic() < until:
            if gone := dead():
                raise click.ClickException(str(gone))
            time.sleep(0.5)


@click.command(name="faults")
@click.option("--count", default=20, show_default=True, type=click.IntRange(0), help="Faults more; 0 sums up the log.")
@click.option("--tables", default=8, show_default=True, type=click.IntRange(1, 200))
@click.option(
    "--log", default=Path("build/floor-faults.jsonl"), show_default=True,
    type=click.Path(path_type=Path, dir_okay=False), help="Keeps every fault; the next run goes on from there.",
)  # fmt: skip
def floor_faults(count: int, tables: int, log: Path) -> None:
    """Kill broker nodes, floor and tables of a simulated house and cut its lines, at random; hold every row against it.

    Three brokers, one floor, tables of all games. Exit status 1 when a row was lost, doubled or out of order, a chain
    broke, the page misled anybody five seconds after a fault (neither all rows nor what it lacks), or the rows were not
    all there by then (nine seconds more where brokers had to elect a leader).
    """
    import json

    import msgspec

    from lab.floor.faults import Struck, campaign, played, summed
    from lab.floor.house import end_in_order
    from lab.floor.server import ServerTrouble

    def say(one: Struck) -> None:
        said = (
            f"{one.number}: {one.what} for {one.lasted} s; the page answers after {one.answered_after} s, is "
            f"true after {one.told_after} s, has all after {one.right_after} s; machine {one.slowed:g} x {one.wrong}"
        )
        click.echo(said.rstrip(), err=True)

    end_in_order()
    log.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="tablectl-faults-") as scratch:
        try:
            struck = campaign(Path(scratch), log, count, tables, say) if count else played(log)
        except ServerTrouble as trouble:
            raise click.ClickException(str(trouble)) from trouble
    total = summed(struck)
    click.echo(json.dumps(msgspec.to_builtins(total)))
    if total.lost or total.doubled or total.out_of_order or total.wrong or total.late or total.misled:
        raise click.ClickException(
            "the house did not come out of every fault as it must; see the line above and the log"
        )
