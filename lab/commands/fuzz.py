"""`tablectl fuzz`: hostile input for everything that reads."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click
import msgspec

from controller import log


@click.command()
@click.argument("targets", nargs=-1, metavar="[TARGET]...")
@click.option(
    "--inputs", default=20_000, show_default=True, type=click.IntRange(min=1), help="So many for each target."
)
@click.option("--seconds", type=click.FloatRange(min=0.1), help="No longer than this for each target.")
@click.option("--seed", default=1, show_default=True, help="The same seed makes the same inputs.")
@click.option("--list", "listed", is_flag=True, help="Name the targets and stop.")
@click.option("--keep", type=click.Path(path_type=Path, file_okay=False), help="Write the inputs that were found here.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a target.")
def fuzz(
    targets: tuple[str, ...],
    inputs: int,
    seconds: float | None,
    seed: int,
    listed: bool,
    keep: Path | None,
    as_json: bool,
) -> None:
    """Feed wrong input to every reader: wires, links, reports and files; nothing may crash, hang or be half believed.

    Inputs start from right ones and are flipped, spliced, cut, grown and pushed to the edges of their fields. Only the
    declared refusal may come out, in words; what is accepted must be written back as it was read and lie in its
    declared range. Exit status 1 when anything was found.
    """
    from lab.proofs.fuzz.campaign import SHOWN, fire
    from lab.proofs.fuzz.campaign import keep as kept_in
    from lab.proofs.fuzz.targets import TARGETS

    for name in targets:
        if name not in TARGETS:
            raise click.UsageError(f"there is no target {name!r}; there are {', '.join(TARGETS)}")
    log.setup(level="error")
    found = 0
    for name in targets or TARGETS:
        target = TARGETS[name](seed)
        if listed:
            click.echo(f"{target.name:16} {target.what}")
            target.close()
            continue
        if sys.stderr.isatty():
            click.echo(f"{target.name} …", err=True)
        tally = fire(target, inputs, seconds)
        found += len(tally.findings)
        plain = msgspec.to_builtins(tally)
        click.echo(
            json.dumps({**plain, "findings": [one.text() for one in tally.findings]}) if as_json else tally.text()
        )
        if not as_json:
            for finding in tally.findings[:SHOWN]:
                click.echo(finding.text())
        if keep is not None and tally.findings:
            for path in kept_in(tally.findings, keep):
                click.echo(f"  kept {path}", err=True)
    if found:
        raise click.ClickException(f"{found} found")
