"""Another file for a table without a floor: taken between rounds, or refused with nothing changed."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from controller.fleet.machine import Refused
from controller.pi.install.configure import PLAYING, REFUSED, configure, main
from tests import ROOT
from tests.controller.fleet.pretended import Pretended

EXAMPLE = (ROOT / "controller" / "examples" / "table.toml").read_text("utf-8")
SYSTEMCTL = '#!/bin/sh\necho "$*" >>{folder}/asked\n'


class Standing(Pretended):
    """A machine whose service runs or does not."""

    runs = True

    def running(self) -> bool:
        return self.runs


def test_what_the_table_has_already_changes_nothing(tmp_path: Path) -> None:
    machine = Standing(tmp_path)
    assert configure(machine, b"new", check=False) == (0, "changed: the table runs by this file now")
    assert configure(machine, b"new", check=False) == (0, "unchanged: the table has this file already")
    assert machine.given == [b"new"]


def test_a_round_is_not_interrupted_and_the_status_says_so(tmp_path: Path) -> None:
    machine = Standing(tmp_path)
    machine.round = "A round is under way"
    assert configure(machine, b"new", check=False) == (PLAYING, "A round is under way")
    assert machine.given == []


def test_a_look_whether_it_fits_changes_nothing_also_in_mid_round(tmp_path: Path) -> None:
    machine = Standing(tmp_path)
    machine.round = "A round is under way"
    assert configure(machine, b"new", check=True) == (0, "it fits this table")
    assert machine.given == []


def test_a_table_that_has_the_file_and_does_not_run_is_told(tmp_path: Path) -> None:
    machine = Standing(tmp_path)
    configure(machine, b"new", check=False)
    machine.runs = False
    with pytest.raises(Refused, match="does not run: see journalctl"):
        configure(machine, b"new", check=False)


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of a table in a root of its own, with a stand-in for systemd."""
    config = tmp_path / "etc/tablectl/table.toml"
    config.parent.mkdir(parents=True)
    (tmp_path / "data").mkdir()
    config.write_text(EXAMPLE.replace('journal = "big-wheel-1.db"', 'journal = "/data/table.db"'), "utf-8")
    systemctl = tmp_path / "systemctl"
    systemctl.write_text(SYSTEMCTL.format(folder=tmp_path))
    systemctl.chmod(0o755)
    monkeypatch.setenv("TABLECTL_SYSTEMCTL", str(systemctl))
    return config


def typed(table: Path, text: str) -> Result:
    return CliRunner().invoke(main, ["-", "--config", str(table), "--root", str(table.parents[2])], input=text)


def test_a_file_from_the_standard_input_takes_effect_with_a_restart(table: Path) -> None:
    text = table.read_text("utf-8").replace("max = 500", "max = 400", 1)
    done = typed(table, text)
    assert done.exit_code == 0, done.output
    assert table.read_text("utf-8") == text
    assert "restart tablectl.service" in (table.parents[2] / "asked").read_text()


def test_a_file_that_does_not_fit_is_refused_with_its_line_and_nothing_is_touched(table: Path) -> None:
    before = table.read_text("utf-8")
    done = typed(table, before.replace("max = 500", "max = 1", 1))
    assert done.exit_code == REFUSED
    assert "the file that was sent:" in done.output
    assert table.read_text("utf-8") == before
    assert not (table.parents[2] / "asked").exists()
