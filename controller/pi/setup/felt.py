"""The walk over the felt with one chip: every antenna lies under the area that has its number."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import click

from controller.config.tomlread import ConfigError
from controller.pi.setup.watch import Seen, Watch
from drivers.discover import DeviceFound
from firmware_specs.messages.chips import TagsChanged

STEP_S = 120.0


def walk(mat: DeviceFound, areas: Mapping[int, str]) -> None:
    """Have one chip laid on every area in turn; ConfigError when somebody stops, with nothing written."""
    asyncio.run(_walk(mat, areas))


async def _walk(mat: DeviceFound, areas: Mapping[int, str]) -> None:
    async with Watch([mat]) as watch:
        for number, name in areas.items():
            await _step(watch, number, name, areas)
    click.echo(f"All {len(areas)} areas are where they belong.")


async def _step(watch: Watch, number: int, name: str, areas: Mapping[int, str]) -> None:
    click.echo(f"Lay the chip on {number}, {name}.")
    while True:
        seen = await watch.next(STEP_S, lambda seen: bool(_came_to(seen)))
        if seen is None:
            raise ConfigError(
                f"no chip came to area {number} ({name}) within {STEP_S:g} s; "
                f"check the plug of antenna {number}, then begin again"
            )
        came = _came_to(seen)
        if came == {number}:
            return
        where = ", ".join(f"antenna {one} ({areas.get(one, 'no area of this table')})" for one in sorted(came))
        click.echo(
            f"  It was seen by {where}. Plug the antenna of {name} into {number}, then lay the chip there again."
        )


def _came_to(seen: Seen) -> set[int]:
    return set(seen.message.to) if isinstance(seen.message, TagsChanged) else set()
