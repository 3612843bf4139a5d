"""`tablectl wheel`: calibrate a wheel, look at the spins a journal kept, and ask whether landings are even."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from math import hypot
from pathlib import Path

import click
import msgspec

from controller import games, kept_file
from controller.calibrate import ASK_FIRST, Calibration
from controller.commands import Misuse
from controller.commands.joined import Extended
from controller.commands.journal import records_of, started_config
from controller.commands.options import journal as journal_path
from controller.commands.output import NEW_FILE
from controller.config.kept import of_start
from controller.config.types import TableConfig
from controller.core.events import Command, Started
from controller.devices import wheel_profile
from controller.journal.file import JournalFile
from drivers.motion import SpinVerdict, Trace, WheelProfile, judge
from drivers.motion.fairness import DEFAULT_CHANCE, Landing, landing_of
from drivers.motion.fairness import fairness as judged_fairness
from drivers.motion.learn import CalibrationTrouble
from drivers.motion.natural import one_in
from drivers.motion.trace import COMPARTMENTS, PITCH
from drivers.ports import open_port
from drivers.wheel import WheelRested
from firmware_specs.clock import RealClock

FEWEST = 30
PATIENCE_S = 3600.0


@click.group(cls=Extended)
def wheel() -> None:
    """Calibrate a wheel, and look at the spins a journal kept."""


@wheel.command()
@click.option("--port", required=True, help="The sensor's port, as in the configuration.")
@click.option("--name", default="wheel", show_default=True, help="What the profile is called.")
@click.option("--spins", default=FEWEST, show_default=True, type=click.IntRange(min=FEWEST), help="Spins each way.")
@click.option("--output", required=True, type=NEW_FILE, help="The profile to write.")
def calibrate(port: str, name: str, spins: int, output: Path) -> None:
    """Learn where the index sits and how the wheel slows down, from clean spins both ways."""
    date = datetime.now(UTC).date().isoformat()
    try:
        profile = asyncio.run(_by_hand(port, name, spins, date))
    except CalibrationTrouble as trouble:
        raise click.ClickException(f"no profile was written: {trouble}") from trouble
    except TimeoutError as late:
        raise click.ClickException("no profile was written: no further spin came; begin again") from late
    keep_profile(profile, output)


def keep_profile(profile: WheelProfile, output: Path) -> None:
    """Write what was learnt, and say how a table comes to use it."""
    kept_file.replace(output, profile.encode(), 0o644)
    click.echo(f"{output}: learnt on {profile.learnt}, index at {profile.offset:.2f} compartments")
    for name, friction in (("clockwise", profile.clockwise), ("anticlockwise", profile.anticlockwise)):
        click.echo(
            f"{name}: {friction.spins} spins, friction differs by {100 * friction.level:.1f} % from one to the next"
        )
    degrees = hypot(profile.ring.cosine, profile.ring.sine) / (PITCH * COMPARTMENTS) * 360
    click.echo(f"the ring sits {degrees:.2f} degrees off its centre, which is put right; the wheel came back at most "
               f"{profile.reversal:.2f} compartments")  # fmt: skip
    click.echo(f"name it in the configuration: [wheel] profile = {output.name!r}")


async def _by_hand(address: str, name: str, spins: int, date: str) -> WheelProfile:
    loop = asyncio.get_running_loop()
    calibration = Calibration(RealClock(loop), open_port(address, loop), spins, name)
    spun: asyncio.Queue[SpinVerdict] = asyncio.Queue()
    calibration.on_spin = spun.put_nowait
    calibration.on_trouble = lambda text: click.echo(text, err=True)
    calibration.driver.start()
    click.echo(f"Spin the wheel by hand, {spins} times each way, and let nobody touch it while it turns.")
    try:
        while any(calibration.missing()):
            await asyncio.wait_for(spun.get(), PATIENCE_S)
            if len(calibration.traces) <= ASK_FIRST:
                calibration.rests_at(await loop.run_in_executor(None, _ask_compartment))
            clockwise, anticlockwise = calibration.missing()
            click.echo(f"still wanted: {clockwise} clockwise, {anticlockwise} anticlockwise")
    finally:
        calibration.driver.stop()
    return calibration.learnt(date)


def _ask_compartment() -> int:
    question = "Number of the compartment the pointer rests in (0 to 51)"
    return int(click.prompt(question, type=click.IntRange(0, 51)))


@wheel.command()
@journal_path()
@click.option("--event", type=int, help="Only the spin that ended with this event.")
@click.option("--speeds", is_flag=True, help="Speed against revolution as CSV: turns, turns a second.")
@click.option("--json", "as_json", is_flag=True)
def spins(path: Path, event: int | None, speeds: bool, as_json: bool) -> None:
    """Decide every kept spin again from its evidence; exit 1 when one comes out differently."""
    file = JournalFile.read_only(path)
    config = started_config(file)
    _need_wheel(path, config)
    profile, geometry = wheel_profile(config), games.find(config.table.game).wheel(config).geometry
    same = True
    for seq, _, kept in records_of(file, event or 1, event):
        if not isinstance(kept.event, WheelRested) or not kept.event.verdict.trace:
            continue
        verdict = kept.event.verdict
        trace = Trace.decode(verdict.trace)
        again = judge(trace, profile, geometry, verdict.against)
        same = same and again == verdict
        if speeds:
            for turns, speed in trace.speeds():
                click.echo(f"{turns:.4f},{speed:.5f}")
        else:
            _tell(seq, verdict, again == verdict, as_json)
    if not same:
        raise SystemExit(1)


@wheel.command()
@click.argument("paths", type=click.Path(path_type=Path, dir_okay=False, exists=True), nargs=-1, required=True)
@click.option("--chance", default=DEFAULT_CHANCE, show_default=True, type=click.FloatRange(1e-9, 0.1),
              help="The chance of ever calling a fair wheel uneven, however often one looks.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True)
def fairness(paths: tuple[Path, ...], chance: float, as_json: bool) -> None:
    """Are landings even over these journals: by compartment, sector, sense, dealer and distance from the start?

    Exit status 1 when they are not.
    """
    landings = [landing for path in paths for landing in _landings(path)]
    found = judged_fairness(landings, chance)
    if as_json:
        click.echo(json.dumps({**msgspec.to_builtins(found), "uneven": found.uneven, "log_bank": found.log_bank}))
    else:
        click.echo(found.text())
        for test in found.tests[:6]:
            click.echo(f"  {test.name}: most at {test.most}, {test.met} of {test.spins}, due {test.due:.1f}; "
                       f"one unit became {test.times:,.2f}")  # fmt: skip
        click.echo("  by compartment: " + " ".join(map(str, found.counts)))
    if found.uneven:
        raise SystemExit(1)


def _need_wheel(path: Path, config: TableConfig) -> None:
    game = games.find(config.table.game)
    if "wheel" not in game.needs(config.play):
        raise Misuse(f"{path}: a journal of {game.title}, where no wheel turns; give one of a table with a wheel")


def _landings(path: Path) -> Iterator[Landing]:
    """The valid spins of a journal; who pressed the last key before a spin rested was dealing."""
    dealer = ""
    for _, _, kept in records_of(JournalFile.read_only(path), 1, None):
        event = kept.event
        if isinstance(event, Started):
            _need_wheel(path, of_start(event))
        if isinstance(event, Command) and event.by.rank:
            dealer = event.by.id
        if isinstance(event, WheelRested) and (landing := landing_of(event.verdict, dealer)) is not None:
            yield landing


def _tell(seq: int, verdict: SpinVerdict, same: bool, as_json: bool) -> None:
    if as_json:
        facts = msgspec.to_builtins(verdict)
        facts.pop("trace")
        facts.pop("against")
        click.echo(json.dumps({"event": seq, "same_again": same, **facts}))
        return
    where = "nowhere certain" if verdict.compartment is None else f"compartment {verdict.compartment}"
    against = ", ".join(finding.text for finding in verdict.findings) or "nothing against it"
    again = "" if same else "  DECIDED DIFFERENTLY NOW"
    click.echo(
        f"event {seq}: {verdict.forward:.1f} compartments {verdict.sense}, rests in {where}; {against}; "
        f"{one_in(verdict.rarity)}{again}"
    )
