"""The command line: `tablectl`. Each group lives in a module of its own and is loaded only when it is called."""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from controller.config.tomlread import ConfigError
from controller.core.desk import Refusal
from controller.journal.file import JournalTrouble
from firmware_specs.port import PortTrouble

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

_WHERE = {
    "run": "controller.commands.run",
    "check": "controller.commands.run",
    "restart": "controller.commands.restart",
    "replace": "controller.commands.replace",
    "upgrade": "controller.commands.upgrade",
    "setup": "controller.commands.setup",
    "layout": "controller.commands.layout",
    "devices": "controller.commands.devices",
    "journal": "controller.commands.journal",
    "screens": "controller.commands.screens",
    "chips": "controller.commands.chips",
    "staff": "controller.commands.staff",
    "report": "controller.commands.report",
    "rules": "controller.commands.rules",
    "wheel": "controller.commands.wheel",
    "pair": "controller.commands.pair",
    "doctor": "controller.commands.doctor",
    "evidence": "controller.commands.evidence",
    "steward": "controller.commands.steward",
    "spec": "controller.commands.spec",
}


class Misuse(click.ClickException):
    """A wrong file or option: one message with the place and the remedy, exit 2, nothing written."""

    exit_code = 2

    def show(self, file: Any = None) -> None:
        click.echo(f"tablectl: {self.message}", err=True)


class _Lazy(click.Group):
    """Loads a command's module when it is asked for, so that `--help` and small commands start at once."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        from controller.commands.joined import others

        return [*_WHERE, *sorted(others())]

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in _WHERE:
            from controller.commands.joined import load  # only now: a command of the table itself asks nobody else

            return load("", name)
        command = getattr(importlib.import_module(_WHERE[name]), name)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands with the first sentence of each, read from the source so that nothing is loaded for it."""
        from controller.commands.joined import others

        with formatter.section("Commands"):
            formatter.write_dl([(name, _first_sentence(module, name)) for name, module in _WHERE.items()])
        if brought := others():
            with formatter.section("Commands of other distributions"):
                formatter.write_dl([(name, _first_sentence(*_named(brought[name]))) for name in sorted(brought)])

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except (ConfigError, JournalTrouble) as error:
            raise Misuse(str(error)) from error
        except PortTrouble as trouble:
            raise click.ClickException(f"{trouble.text} {trouble.remedy}") from trouble
        except Refusal as refusal:
            raise click.ClickException(refusal.text) from refusal
        except click.UsageError as wrong:
            _name_the_nearest(wrong)
            raise
        except BrokenPipeError:
            raise SystemExit(0) from None


def _name_the_nearest(wrong: click.UsageError) -> None:
    """Of a command that does not exist, at whatever level, the nearest one that does."""
    written = re.match(r"No such command '(.+?)'", wrong.message)
    if written is None or wrong.ctx is None or not isinstance(group := wrong.ctx.command, click.Group):
        return
    from controller.config.tomlread import nearest

    near = nearest(written[1], group.list_commands(wrong.ctx))
    raise click.UsageError(f"No such command '{written[1]}'; {near}", wrong.ctx) from None


def _named(point: EntryPoint) -> tuple[str, str]:
    module, _, function = point.value.partition(":")
    return module, function


def _first_sentence(module: str, command: str) -> str:
    import ast
    import importlib.util

    spec = importlib.util.find_spec(module)
    assert spec is not None
    assert spec.origin is not None
    for node in ast.parse(Path(spec.origin).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef) and node.name == command:
            return (ast.get_docstring(node) or "").split("\n\n")[0].replace("\n", " ").split(". ")[0].rstrip(".")
    return ""


@click.command(cls=_Lazy)
@click.version_option(package_name="tablectl", prog_name="tablectl")
def main() -> None:
    """Run a casino table: listen to its devices, follow its rulebook, settle every wager, prove it later.

    Exit status: 0 fine, 1 failed, 2 misused.
    """
