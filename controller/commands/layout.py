"""`tablectl layout`: which antenna of the chip mat lies under which area of the felt."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from xml.sax.saxutils import escape

import click

from controller import games
from controller.commands.options import CONFIG
from controller.commands.output import NEW_FILE, give
from controller.config.file import check_config
from controller.config.types import TableConfig
from controller.core.guarded import GuardedTable

COLUMNS = 7
WIDE, HIGH = 150, 70


@click.command()
@CONFIG
@click.option("--picture", type=NEW_FILE, help="Draw it, as SVG.")
@click.option("--json", "as_json", is_flag=True)
def layout(path: Path, picture: Path | None, as_json: bool) -> None:
    """The areas of this table by the number of their antenna, as a list and as a picture."""
    areas = areas_of(check_config(path))
    if picture is not None:
        give(drawn(areas), picture)
    if as_json:
        click.echo(json.dumps({str(number): name for number, name in areas.items()}))
        return
    for number, name in areas.items():
        click.echo(f"{number:>4}  {name}")


def areas_of(config: TableConfig) -> dict[int, str]:
    """What each antenna lies under; 0 is the float tray, where this table has one."""
    table = GuardedTable(config).table
    first = 0 if config.chips.float_tray else 1
    return {number: table.money.where(number) for number in range(first, games.find(config.table.game).areas(config))}


def drawn(areas: Mapping[int, str]) -> str:
    """The felt from above: the float at the dealer's side, the areas before it, each with its number."""
    betting = [number for number in areas if number]
    rows = -(-len(betting) // COLUMNS)
    boxes = [_box(0, 0, WIDE * COLUMNS, 0, areas[0])] if 0 in areas else []
    for place, number in enumerate(betting):
        boxes.append(_box(place % COLUMNS * WIDE, (1 + place // COLUMNS) * HIGH, WIDE, number, areas[number]))
    size = f"{WIDE * COLUMNS} {(1 + rows) * HIGH}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}" font-family="sans-serif" '
        f'text-anchor="middle">\n{chr(10).join(boxes)}\n</svg>\n'
    )


def _box(x: int, y: int, wide: int, number: int, name: str) -> str:
    middle = x + wide // 2
    return (
        f'<rect x="{x + 3}" y="{y + 3}" width="{wide - 6}" height="{HIGH - 6}" rx="8" fill="#e8f0ea" stroke="#274"/>'
        f'<text x="{middle}" y="{y + 32}" font-size="22">{number}</text>'
        f'<text x="{middle}" y="{y + 54}" font-size="13">{escape(name)}</text>'
    )
