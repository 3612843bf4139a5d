"""`tablectl wheel`: calibrate a wheel, and look at the spins a journal kept."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime
from pathlib import Path

import click
import msgspec

from controller.calibrate import ASK_FIRST, Calibration
from controller.commands.journal import PATH, records_of, started_config
from controller.journal import JournalFile
from controller.wiring import wheel_geometry, wheel_profile
from drivers.motion import CalibrationTrouble, SpinVerdict, Trace, WheelProfile, judge
from drivers.ports import open_port
from drivers.wheel import WheelRested
from firmware_specs.clock import RealClock

FEWEST = 30
PATIENCE_S = 3600.0


@click.group()
def wheel() -> None:
    """Calibrate a wheel, and look at the spins a journal kept."""


@wheel.command()
@click.option("--port", help="The sensor's port, as in the configuration; without it the simulated wheel is used.")
@click.option("--name", default="wheel", show_default=True, help="What the profile is called.")
@click.option("--spins", default=FEWEST, show_default=True, type=click.IntRange(min=FEWEST), help="Spins each way.")
@click.option("--output", required=True, type=click.Path(path_type=Path, dir_okay=False), help="The profile to write.")
def calibrate(port: str | None, name: str, spins: int, output: Path) -> None:
    """Learn where the index sits and how the wheel slows down, from clean spins both ways."""
    date = datetime.now(UTC).date().isoformat()
    try:
        profile = asyncio.run(_by_hand(port, name, spins, date)) if port else _simulated(spins, date)
    except CalibrationTrouble as trouble:
        raise click.ClickException(f"no profile was written: {trouble}") from trouble
    except TimeoutError as late:
        raise click.ClickException("no profile was written: no further spin came; begin again") from late
    output.write_bytes(profile.encode())
    click.echo(f"{output}: learnt on {profile.learnt}, index at {profile.offset:.2f} compartments")
    click.echo(f"name it in the configuration: [wheel] profile = {output.name!r}")


def _simulated(spins: int, date: str) -> WheelProfile:
    from controller.proving.wheel_bench import learn_simulated

    return learn_simulated(spins=2 * spins + 40, learnt=date)


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
@click.argument("path", type=PATH)
@click.option("--event", type=int, help="Only the spin that ended with this event.")
@click.option("--speeds", is_flag=True, help="Speed against revolution as CSV: turns, turns a second.")
@click.option("--json", "as_json", is_flag=True)
def spins(path: Path, event: int | None, speeds: bool, as_json: bool) -> None:
    """Decide every kept spin again from its evidence; exit 1 when one comes out differently."""
    file = JournalFile.read_only(path)
    config = started_config(file)
    profile, geometry = wheel_profile(config), wheel_geometry(config)
    same = True
    for seq, _, kept in records_of(file, event or 1, event):
        if not isinstance(kept.event, WheelRested) or not kept.event.verdict.trace:
            continue
        verdict = kept.event.verdict
        trace = Trace.decode(verdict.trace)
        again = judge(trace, profile, geometry)
        same = same and again == verdict
        if speeds:
            for turns, speed in trace.speeds():
                click.echo(f"{turns:.4f},{speed:.5f}")
        else:
            _tell(seq, verdict, again == verdict, as_json)
    if not same:
        raise SystemExit(1)


def _tell(seq: int, verdict: SpinVerdict, same: bool, as_json: bool) -> None:
    if as_json:
        facts = msgspec.to_builtins(verdict)
        facts.pop("trace")
        click.echo(json.dumps({"event": seq, "same_again": same, **facts}))
        return
    where = "nowhere certain" if verdict.compartment is None else f"compartment {verdict.compartment}"
    against = ", ".join(finding.text for finding in verdict.findings) or "nothing against it"
    again = "" if same else "  DECIDED DIFFERENTLY NOW"
    click.echo(f"event {seq}: {verdict.forward:.1f} compartments {verdict.sense}, rests in {where}; {against}{again}")
