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
    from lab.floor.house import House
    from lab.floor.server import ServerTrouble

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
