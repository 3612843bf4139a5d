"""The pages for technicians name only commands and options that exist."""

from __future__ import annotations

import re

import click
import pytest

from controller.commands import main
from controller.config.file import check_config_with_warnings
from tests import ROOT
from tests.standing import EXAMPLE

DOCS = ROOT / "docs"


def commands(page: str) -> list[list[str]]:
    text = (DOCS / page).read_text("utf-8")
    lines = re.findall(r"^ {4}(?:sudo (?:-u \w+ )?)?tablectl ([^#\n]+)", text, re.MULTILINE)
    return [line.split() for line in lines]


@pytest.mark.parametrize(("page", "several"), [("pi.md", 5), ("spare-pi.md", 4), ("spare-device.md", 1)])
def test_every_command_on_the_page_exists_with_its_options(page: str, several: int) -> None:
    found = commands(page)
    assert len(found) >= several
    context = click.Context(main)
    for words in found:
        command: click.Command | None = main
        rest = list(words)
        while isinstance(command, click.Group) and rest:
            command = command.get_command(context, rest.pop(0))
            assert command is not None, words
        assert command is not None
        known = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
        assert {word for word in rest if word.startswith("--")} <= known, words


@pytest.mark.parametrize("game", ["table", "war", "poker"])
def test_an_example_of_every_game_ships_and_is_right(game: str) -> None:
    config, notes = check_config_with_warnings(EXAMPLE.with_name(f"{game}.toml"))
    assert {"table": "wheel"}.get(game, game) == config.table.game
    assert [note for note in notes if "profile" not in note] == []
