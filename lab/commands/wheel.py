"""`tablectl wheel calibrate-simulated`: the profile of the simulated wheel, learnt as a real one's is."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import click

from controller.commands.output import NEW_FILE
from controller.commands.wheel import FEWEST, keep_profile
from drivers.motion.learn import CalibrationTrouble
from lab.proofs.wheel_bench import learn_simulated


@click.command("calibrate-simulated")
@click.option("--spins", default=FEWEST, show_default=True, type=click.IntRange(min=FEWEST), help="Spins each way.")
@click.option("--output", required=True, type=NEW_FILE, help="The profile to write.")
def calibrate_simulated(spins: int, output: Path) -> None:
    """Learn the simulated wheel from clean spins both ways."""
    try:
        profile = learn_simulated(spins=2 * spins + 40, learnt=datetime.now(UTC).date().isoformat())
    except CalibrationTrouble as trouble:
        raise click.ClickException(f"no profile was written: {trouble}") from trouble
    keep_profile(profile, output)
