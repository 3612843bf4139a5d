"""A table is restarted between rounds; in the middle of one it says so first."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from controller.config.file import check_config
from controller.pi import service
from controller.pi.install.under_way import round_under_way
from firmware_specs.clock import FIRST_MORNING_MS, VirtualClock
from lab.sim.table import SimulatedTable
from tests.standing import Configured, tablectl


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[tuple[str, ...]]:
    """What systemd is asked; the network rights of the service lie in the test's folder."""
    said: list[tuple[str, ...]] = []
    monkeypatch.setattr(service, "systemctl", lambda *words: said.append(words))
    monkeypatch.setattr(service, "DROP_IN", tmp_path / "tablectl.service.d" / "network.conf")
    (tmp_path / "tablectl.service.d").mkdir()
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(os, "fchown", lambda *facts: None)
    return said


def play_until(config: Path, spinning: bool) -> None:
    """Let the simulated people play until a round is under way, or has just ended."""
    checked = check_config(config)
    clock = VirtualClock(FIRST_MORNING_MS)
    table = SimulatedTable(checked, Path(checked.table.journal), clock, 7)
    game = table.runtime.table.game
    table.start()
    clock.run_until(lambda: not game.idle(), 600)
    if not spinning:
        clock.run_until(game.idle, 600)
    clock.run_for(0.01)  # and let it be written
    table.runtime.journal.close()  # as a reader finds it while the table runs


def test_in_the_middle_of_a_round_a_restart_warns_and_does_nothing(
    configured: Configured, asked: list[tuple[str, ...]]
) -> None:
    config = configured()
    play_until(config, spinning=True)
    assert "A round is under way at table Big Wheel 1" in round_under_way(config)
    done = tablectl("restart", "--config", config)
    assert done.exit_code == 1
    assert "Wait for its end, or say --now" in done.output
    assert asked == []
    assert tablectl("restart", "--config", config, "--now").exit_code == 0
    assert asked == [("daemon-reload",), ("restart", "tablectl.service")]


def test_between_rounds_a_restart_writes_the_network_rights_and_restarts(
    configured: Configured, asked: list[tuple[str, ...]], tmp_path: Path
) -> None:
    config = configured(chips='port = "tcp://192.168.7.20:9000"')
    assert round_under_way(config) == "", "a table that never played"
    play_until(configured(), spinning=False)
    assert round_under_way(config) == ""
    config = configured(chips='port = "tcp://192.168.7.20:9000"')
    done = tablectl("restart", "--config", config)
    assert done.exit_code == 0, done.output
    assert "IPAddressAllow=localhost 192.168.7.20" in service.DROP_IN.read_text()
    assert asked[-1] == ("restart", "tablectl.service")
