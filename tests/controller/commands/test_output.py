"""Where commands write: refused before any work, whole or not there at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from controller.commands import main
from controller.commands.output import opened


@pytest.mark.parametrize(
    "command",
    [
        ["spec", "header", "wheel", "--output"],
        ["spec", "dissector", "--output"],
        ["walk", "--write"],
        ["wheel", "calibrate-simulated", "--output"],
        ["chips", "export", "register.sqlite", "--output"],
        ["conform", "shoe", "simulated", "--json"],
    ],
)
def test_a_folder_that_is_not_there_is_told_before_any_work(command: list[str], tmp_path: Path) -> None:
    told = CliRunner().invoke(main, [*command, str(tmp_path / "nowhere" / "file")])
    assert told.exit_code == 2
    assert f"there is no folder {tmp_path / 'nowhere'}" in told.output.replace("\n", " ").replace("  ", " ")


def test_a_file_is_written_whole_and_keeps_its_rights(tmp_path: Path) -> None:
    there = tmp_path / "shoe.h"
    there.write_text("old", "utf-8")
    there.chmod(0o640)
    told = CliRunner().invoke(main, ["spec", "header", "shoe", "--output", str(there)])
    assert told.exit_code == 0
    assert "typedef" in there.read_text("utf-8")
    assert there.stat().st_mode & 0o777 == 0o640


def test_what_breaks_off_leaves_the_file_of_before(tmp_path: Path) -> None:
    there = tmp_path / "day.csv"
    there.write_text("yesterday", "utf-8")

    def write_half() -> None:
        with opened(there) as out:
            out.write("half")
            raise ValueError("halfway")

    with pytest.raises(ValueError, match="halfway"):
        write_half()
    assert there.read_text("utf-8") == "yesterday"
    assert os.listdir(tmp_path) == ["day.csv"]


def test_a_full_disk_is_told_with_what_to_do() -> None:
    told = CliRunner().invoke(main, ["spec", "header", "shoe", "--output", "/dev/full"])
    assert told.exit_code == 1
    assert "make room there" in told.output


def test_a_pipe_is_written_into(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    with opened(tmp_path / "pipe") as out:
        out.write("through")
    assert os.read(reader, 100) == b"through"
    os.close(reader)


def test_the_terminal_is_where_no_file_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    with opened(None) as out:
        out.write("here")
    assert capsys.readouterr().out == "here"
