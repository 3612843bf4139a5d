"""Commands of other distributions join `tablectl` as entry points; where one is not installed, its commands say so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

import click

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "tablectl.commands"
"""Entry points of this group are commands; those of `tablectl.commands.rules` are sub-commands of `rules`."""

LAB = "tablectl-lab"
FLOOR = "tablectl-floor"
ELSEWHERE: dict[str, dict[str, str]] = {
    "": {"floor": FLOOR, "hall": FLOOR, "fleet": FLOOR} | dict.fromkeys(
        ("sim", "simulate", "scenario", "rig", "conform", "capture", "bench", "faults", "fuzz", "soak", "screenshots",
         "bundle", "certificate", "explore", "ledger", "redteam", "walk", "words"), LAB),
    "chips": {"prove": LAB},
    "floor": {"sim": LAB, "faults": LAB},
    "hall": {"sim": LAB},
    "rules": {"trace": LAB, "mutate": LAB},
    "wheel": {"calibrate-simulated": LAB},
}  # fmt: skip
"""Which distribution brings a command that a table does without, by the command it belongs to."""


def others(parent: str = "") -> dict[str, EntryPoint]:
    """What other distributions add to a command; to `tablectl` itself where none is named."""
    from importlib import metadata

    group = f"{GROUP}.{parent}" if parent else GROUP
    return {point.name: point for point in metadata.entry_points(group=group)}


def load(parent: str, name: str) -> click.Command | None:
    """The command of this name that another distribution brings, or one that says which would."""
    point = others(parent).get(name)
    if point is not None:
        command = point.load()
        assert isinstance(command, click.Command)
        return command
    missing = ELSEWHERE.get(parent, {}).get(name)
    return _absent(parent, name, missing) if missing else None


def _absent(parent: str, name: str, distribution: str) -> click.Command:
    words = f"tablectl {parent} {name}" if parent else f"tablectl {name}"

    def tell(**given: Any) -> NoReturn:
        raise click.UsageError(
            f"`{words}` belongs to {distribution}, which is not installed here; a table does without it. "
            f"Install it with: pip install {distribution}"
        )

    lenient = {"ignore_unknown_options": True, "allow_extra_args": True, "help_option_names": []}
    return click.Command(name, callback=tell, context_settings=lenient, params=[click.Argument(["rest"], nargs=-1)])


class Extended(click.Group):
    """A group of commands to which other distributions may add."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*super().list_commands(ctx), *others(self.name or "")})

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        return super().get_command(ctx, name) or load(self.name or "", name)
