"""`tablectl explore`: random walks over a game, and what they find."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from controller import log


def _length(ctx: click.Context, param: click.Parameter, value: str) -> tuple[int, int]:
    least, _, most = value.partition("-")
    if not (least.isdecimal() and most.isdecimal() and 0 < int(least) <= int(most)):
        raise click.BadParameter(f"{value!r} is no range of steps; write it as in 5-60")
    return int(least), int(most)


@click.command()
@click.argument("game", required=False)
@click.option("--rulebook", help="One rulebook; every one of the game if none is named.")
@click.option("--walks", default=500, show_default=True, type=click.IntRange(min=1), help="So many for each rulebook.")
@click.option("--seed", default=1, show_default=True, type=click.IntRange(min=0), help="The same seed, the same walks.")
@click.option("--steps", default="5-60", show_default=True, callback=_length, help="Shortest and longest walk.")
@click.option(
    "--keep",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write what was found and reached here, and go on where the last campaign with this folder stopped.",
)
@click.option(
    "--replay", type=click.Path(path_type=Path, exists=True, dir_okay=False), help="Play the walk of this file again."
)
@click.option(
    "--planted",
    is_flag=True,
    help="Take mends out, one after the other, and tell after how many walks each is found.",
)
def explore(
    game: str | None,
    rulebook: str | None,
    walks: int,
    seed: int,
    steps: tuple[int, int],
    keep: Path | None,
    replay: Path | None,
    planted: bool,
) -> None:
    """Walk at random over GAME with the inputs a real table gets, then let a plain crew finish the round and the next.

    Chips are laid, lifted, moved and swapped, cards drawn and the wheel pushed in every way, any offered key is pressed
    and any question answered with what its form can enter, devices fall silent, the controller restarts. Each kind of
    finding is told once, shrunk to the steps it needs. Exit status 1 when anything is found that is not known yet.
    """
    log.setup(level="error")
    if replay is not None:
        _replay(replay)
        return
    from lab.explore.hands import GAMES

    if game not in GAMES:
        raise click.UsageError(f"name the game to explore: {', '.join(GAMES)}")
    books = _books(game, rulebook)
    if planted:
        _planted(books, seed, walks)
        return
    fresh = [name for book in books for name in _explored(game, book, walks, seed, steps, keep)]
    if fresh:
        raise click.ClickException(f"{len(fresh)} found that are not listed as known: {'; '.join(fresh)}")


def _books(game: str, rulebook: str | None) -> list[str]:
    from controller.rules.rulebook import load_rulebook, rulebook_ids

    known = [book for book in rulebook_ids() if load_rulebook(book).game == game]
    if rulebook is not None and rulebook not in known:
        raise click.UsageError(f"{game} has no rulebook {rulebook!r}; there are {', '.join(known)}")
    return [rulebook] if rulebook else known


def _explored(game: str, book: str, walks: int, seed: int, steps: tuple[int, int], keep: Path | None) -> list[str]:
    from lab.explore.campaign import Campaign, Explored, tables
    from lab.explore.coverage import GOAL, declared_at
    from lab.explore.known import cannot_be_reached, known_findings
    from lab.explore.state_of_code import state_of_code

    known = known_findings(book)
    campaign = Campaign(game, book, seed, steps)
    if keep is not None:
        campaign.go_on(keep)

    def tell(one: Explored) -> None:
        listed = " (known)" if one.found.name in known else ""
        click.echo(f"{book}: {one.found.name}{listed}: {one.found.text[:200]} [{len(one.walk.steps)} steps]")

    campaign.run(walks, tell)
    for found in campaign.coverage.in_vain():
        click.echo(f"{book}: {found.name}{' (known)' if found.name in known else ''}: {found.text}")
    cover = campaign.coverage
    click.echo(
        f"{book}: {walks} walks, {cover.walks} in all; reached "
        f"{len(cover.keys)} keys, {len(cover.answers)} answers, {len(cover.rows)} rows, {len(cover.alarms)} alarms"
    )
    state = state_of_code(game)
    made, showing = cover.states[state]
    click.echo(f"  {made} walks over this state of the code ({state}), {showing} of them with a finding")
    for kind, few in cover.short_of(declared_at(tables(game, book).values())).items():
        cannot = cannot_be_reached(book, kind, few)
        left = {name: times for name, times in few.items() if name not in cannot}
        told = ", ".join(f"{name} {times}" for name, times in sorted(left.items(), key=lambda one: one[1]))
        never = sum(not times for times in left.values())
        click.echo(f"  {kind}: {len(left)} reached less than {GOAL} times, {never} of them never: {told or '-'}")
        if cannot:
            click.echo(f"    cannot be reached: {'; '.join(f'{name} ({why})' for name, why in cannot.items())}")
    for name, times in sorted(cover.findings.items(), key=lambda one: -one[1]):
        click.echo(f"  {times:6} {name}")
    if keep is not None:
        for path in campaign.keep(keep):
            click.echo(f"  kept {path}")
    return [f"{book}: {name}" for name in sorted(campaign.names() - known.keys())]


def _planted(books: list[str], seed: int, walks: int) -> None:
    from lab.explore import planted

    tried = [one for one in planted.PLANTED if one.rulebook in books]
    missed = 0
    for one in tried:
        found = planted.caught(one, seed, walks)
        missed += found is None
        told = f"found in walk {found.walks} as “{one.finding}”" if found else f"not found in {walks} walks"
        click.echo(f"{one.rulebook}: {one.name}: {told}")
    if missed:
        raise click.ClickException(f"{missed} of {len(tried)} planted defects not found; try more --walks")


def _replay(path: Path) -> None:
    from lab.explore.campaign import played
    from lab.explore.steps import read

    try:
        walk = read(path.read_bytes())
    except msgspec.MsgspecError as error:
        raise click.ClickException(f"{path} holds no walk ({error}); give a file that --keep has written") from None
    table, end = played(walk)
    for row in table.rows:
        said = ", ".join(type(effect).__name__ for effect in row.effects)
        click.echo(f"{type(row.event).__name__} {msgspec.json.encode(row.event).decode()[:160]} -> {said}")
    for found in end.found:
        click.echo(f"found: {found.name}: {found.text}")
    if walk.finding and walk.finding not in {found.name for found in end.found}:
        click.echo(f"not found any more: {walk.finding}")
    elif end.found:
        raise click.ClickException("the finding is still there")
