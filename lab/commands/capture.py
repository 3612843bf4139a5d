"""`tablectl capture`: what passed on a device's line, read, played again, made into scenarios, compared."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from controller import log
from controller.commands.output import NEW_FILE, TO_FILE, give
from controller.commands.spec import KINDS
from drivers.capture import BadCapture
from lab.captures.frames import frames, spec_of_run, the_run

FILE = click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
DEVICE = click.option("--device", default="", type=click.Choice(["", *KINDS]), help="Which device, if it does not say.")
RUN = click.option("--run", "number", type=int, help="Which start of the program, from 1; the last one by default.")


class _Group(click.Group):
    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BadCapture as bad:
            raise click.ClickException(f"{bad}; record one with `tablectl run --captures FOLDER`") from bad


@click.group(cls=_Group)
def capture() -> None:
    """What passed on a device's line."""
    log.setup(level="error")


@capture.command()
@FILE
@DEVICE
@RUN
def show(file: Path, device: str, number: int | None) -> None:
    """Print every frame with what it says."""
    run = the_run(file, number)
    spec = spec_of_run(run, device)
    for frame in frames(run, spec):
        click.echo(frame.line())


@capture.command()
@FILE
@RUN
@click.option("--output", type=NEW_FILE, required=True, help="The file to write.")
def pcap(file: Path, number: int | None, output: Path) -> None:
    """Write it for Wireshark; `tablectl spec dissector` writes the plugin that reads it."""
    from lab.captures.pcap import as_pcap

    output.write_bytes(as_pcap(the_run(file, number)))


@capture.command()
@FILE
@DEVICE
@RUN
def replay(file: Path, device: str, number: int | None) -> None:
    """Play it against the driver as if the device were there; one JSON object for each thing the table is told."""
    from lab.captures.replay import replay as play

    for line in play(the_run(file, number), device).lines():
        click.echo(json.dumps(line))


@capture.command()
@FILE
@RUN
@click.option("--option", default=1, show_default=True, help="Which of the rulebook's wheels it was.")
@TO_FILE
def scenario(file: Path, number: int | None, option: int, output: Path | None) -> None:
    """Make a scenario of the spins of a captured wheel, or of the cards that left a captured shoe or shuffler."""
    from lab.captures.replay import as_scenario
    from lab.captures.replay import replay as play

    cases = as_scenario(play(the_run(file, number)), option)
    if not cases:
        raise click.ClickException(
            f"{file}: no whole spin and no card is in this capture; capture a spin from start to rest, or draw a card"
        )
    text = json.dumps({"meta": {"about": f"What was captured in {file.name}."}, "cases": cases}, indent=1) + "\n"
    give(text, output)


@capture.command()
@FILE
@DEVICE
@RUN
@click.option("--json", "as_json", is_flag=True)
def compare(file: Path, device: str, number: int | None, as_json: bool) -> None:
    """Hold it against the simulator; exit status 1 when messages differ or times are out of bounds."""
    from lab.captures.compare import as_plain
    from lab.captures.compare import compare as hold

    comparison = hold(the_run(file, number), device)
    if as_json:
        click.echo(json.dumps(as_plain(comparison)))
    else:
        _tell(comparison, click.echo)
    if not comparison.same:
        raise SystemExit(1)


def _tell(comparison: Any, say: Callable[[str], None]) -> None:
    say(f"{comparison.kind}: {comparison.frames} frames, longest quiet {comparison.longest_quiet_s:g} s")
    for name, times in comparison.answers_ms.items():
        for whose, took in times.items():
            if took:
                say(f"  {name:9} {whose:9} typical {took['typical']:8.3f} ms, worst {took['worst']:8.3f} ms")
    for spin in comparison.spins:
        say(f"  spin {spin.spin}: {len(spin.captured)} messages in {spin.captured_s[-1]:.2f} s; "
            f"the simulator {len(spin.simulated)} in {spin.simulated_s[-1]:.2f} s")  # fmt: skip
    for difference in comparison.differences:
        say(f"DIFFERS {difference}")
    if comparison.same:
        say("nothing differs")
