"""`tablectl steward`: keeps a table's machine at what the floor has signed."""

from __future__ import annotations

import asyncio
import signal
import time
from pathlib import Path

import click

from controller import log
from controller.commands import Misuse
from controller.commands.options import CONFIG

FOLDER = Path("var/lib/tablectl-fleet")


@click.command()
@CONFIG
@click.option("--root", type=click.Path(path_type=Path, file_okay=False), default=Path("/"), help="Where the machine's "
              "files begin; for images and tests.")  # fmt: skip
@click.option("--once", is_flag=True, help="Print what this machine has and how it is, and end.")
def steward(path: Path, root: Path, once: bool) -> None:
    """Bring this machine's program, configuration and rulebook to what the floor has signed; run by its own service.

    It hears the broker of [uplink], believes the witness named there, switches between rounds only, and goes back by
    itself where a table does not become ready. It ends when a new version of this program is to go on in its place.
    """
    from controller.fleet.health import has
    from controller.fleet.machine import Machine
    from controller.fleet.steward import Steward
    from controller.journal.head import slug

    log.setup()
    machine = Machine(path, root)
    config = machine.table()
    mine = Steward(machine, root / FOLDER, slug(config.table.name), lambda: int(time.time() * 1000))
    if once:
        import msgspec

        click.echo(msgspec.json.format(msgspec.json.encode(has(mine)), indent=1).decode())
        return
    section = config.uplink
    if section is None or not section.witness:
        raise Misuse(f"{path}: this table hears no floor; write servers, nkey and witness under [uplink]")
    from controller.fleet.line import FleetLine
    from controller.journal.heads import key_of

    async def work() -> None:
        line = FleetLine(mine, section, key_of(config), lambda: has(mine))
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, line.stop)
        await line.run()

    asyncio.run(work())
