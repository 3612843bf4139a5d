"""`tablectl hall sim`: an event that plays itself, from its terms to its prizes."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from controller.commands import Misuse


@click.command(name="sim")
@click.option("--game", type=click.Choice(["war", "wheel", "poker"]), show_default="war")
@click.option("--tables", type=click.IntRange(1, 100), show_default="3")
@click.option("--entrants", default=18, show_default=True, type=click.IntRange(2, 1000))
@click.option("--seed", default=1, show_default=True)
@click.option("--terms", "file", type=click.Path(path_type=Path, dir_okay=False), help="An event of your own.")
@click.option("--folder", type=click.Path(path_type=Path, file_okay=False), help="Keep journals and store here.")
@click.option("--harm", default=0, show_default=True, type=click.IntRange(0, 1000),
              help="So often a controller or the hall is killed, or a line to the floor cut.")  # fmt: skip
@click.option(
    "--live", is_flag=True, help="At real pace, with a broker, a floor with its hall, and tables as processes."
)
@click.option("--rounds", default=2, show_default=True, type=click.IntRange(1, 100), help="Of a session, with --live.")
@click.option("--quick", is_flag=True, help="The hall alone, over tables that are only the games' settlement.")
def hall_sim(
    game: str | None, tables: int | None, entrants: int, seed: int, file: Path | None, folder: Path | None, harm: int,
    live: bool, rounds: int, quick: bool,
) -> None:  # fmt: skip
    """Play an event in virtual time: entries, draw, sessions, moves, re-buys, ties, prizes, tables free again.

    Every table is a whole controller with simulated devices and people, a journal, and a line to a floor, which checks
    its rows, brings them to the hall, and signs the hall's orders. The broker between them is there with --live, which
    measures how long orders are on their way; without it, messages are handed over.
    """
    from floor.hall.files import read_text
    from lab.hall.terms import terms_for

    if file is not None and (game or tables):
        raise Misuse(f"{file.name} says which game and which tables; leave out --game and --tables")
    text = read_text(file) if file is not None else terms_for(game or "war", tables or 3, entrants)
    _fits(text, file.name if file is not None else "these numbers", entrants)
    with tempfile.TemporaryDirectory(prefix="tablectl-hall-") as scratch:
        if (quick or live) and harm:
            raise Misuse("--harm is for whole tables in virtual time; leave out --quick and --live")
        where = _room(folder) if folder is not None else Path(scratch)
        if live:
            _live(text, entrants, where, rounds)
        else:
            (_quick if quick else _whole)(text, entrants, where, seed, harm)


def _room(folder: Path) -> Path:
    """The folder that journals and store are kept in; one that holds anything is refused, and left as it is."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise Misuse(f"--folder {folder}: it holds something already; name a new folder")
    except OSError as trouble:
        raise Misuse(f"--folder {folder}: it cannot be had ({trouble.strerror}); name another") from None
    return folder


def _fits(text: str, name: str, entrants: int) -> None:
    """Refuse an event that cannot be: unlawful terms, or another number of entrants than they take."""
    from controller.tournament.checks import BadTerms, terms_of

    try:
        details = terms_of(text, name).tournament
    except BadTerms as bad:
        raise Misuse("\n".join(f"{name}: {finding.said()}" for finding in bad.findings)) from None
    if not details.least <= entrants <= details.most:
        raise Misuse(f"{name}: from {details.least} to {details.most} may enter, and --entrants says {entrants}")


def _live(text: str, entrants: int, folder: Path, rounds: int) -> None:
    from lab.hall.live import LiveEvent, Stalled, at_real_time, late

    event = LiveEvent(folder, at_real_time(text, rounds), entrants)
    try:
        event.start()
        seen = event.run()
        lags = event.lags()
    except Stalled as trouble:
        raise click.ClickException(str(trouble)) from trouble
    finally:
        event.stop()
    for row in seen["results"]["rows"]:
        click.echo(f"{row['place']:4}. {row['number']:8} {row['prize']}")
    for kind, found in lags.items():
        ordered = sorted(found)
        click.echo(f"{kind}: {len(found)} orders, on disk at the table after {ordered[len(found) // 2]} ms, "
                   f"at most {ordered[-1]} ms")  # fmt: skip
    if slow := late(lags):
        raise click.ClickException("; ".join(slow))


def _quick(text: str, entrants: int, folder: Path, seed: int, harm: int) -> None:
    from lab.hall.event import PlayedEvent, Stuck

    began = time.process_time()
    event = PlayedEvent(text, entrants, folder / "hall.journal", seed)
    try:
        event.run()
    except Stuck as stuck:
        raise click.ClickException(f"{stuck}; repeat it with --seed {seed}") from None
    rows = event.work.journal.last_seq
    event.work.close()
    _list(event.hall.state)
    click.echo(
        f"{event.hall.terms.id}: {_summary(event.hall.state)}, {event.rounds} rounds; quick: tables are the games' "
        f"settlement, no controllers; {rows} rows in the hall's journal; {time.process_time() - began:.1f} s"
    )


def _whole(text: str, entrants: int, folder: Path, seed: int, harm: int) -> None:
    from controller import log
    from lab.hall.event import Stuck
    from lab.hall.harm import Harm
    from lab.hall.whole import WholeEvent

    log.setup(level="error")
    began = time.process_time()
    event, broken = WholeEvent(text, entrants, folder, seed), Harm(seed, harm)
    event.seen = broken
    try:
        event.run()
    except Stuck as stuck:
        raise click.ClickException(
            f"{stuck}; repeat it with --seed {seed} --folder DIR and read the journals"
        ) from None
    wrong = [*event.wrong(), *broken.missing()]
    rows, orders, hall = event.rows, event.house.orders, event.house.service.work.journal.last_seq
    event.house.close()
    _list(event.hall.state)
    click.echo(
        f"{event.terms.id}: {_summary(event.hall.state)}, {event.rounds} rounds; {rows} rows in {len(event.tables)} "
        f"tables' journals, {orders} signed orders, {hall} rows in the hall's; {broken.said()}; "
        f"{time.process_time() - began:.1f} s"
    )
    if wrong:
        raise click.ClickException("; ".join(wrong))
    click.echo("every unit is accounted for, and the hall has every row of every table once")


def _list(state: Any) -> None:
    from controller.money.amounts import dollars

    prizes: Mapping[str, int] = state.prizes
    for number, place in sorted(state.places.items(), key=lambda one: (one[1], one[0]))[: len(prizes) + 3]:
        click.echo(f"{place:4}. {number:8} {dollars(prizes.get(number, 0))}")


def _summary(state: Any) -> str:
    from controller.money.amounts import dollars

    return f"{len(state.places)} placed, {len(state.tickets)} moves, {dollars(state.pool)} awarded"
