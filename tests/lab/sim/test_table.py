"""A whole simulated table whose players show their cards at a reader."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from controller.config.types import DeviceSection, PeopleSection, TableConfig
from controller.core.effects import Settled
from controller.core.runtime import Told
from controller.journal.file import JournalFile
from controller.people.staff import write_key
from controller.report import Report, report
from controller.report.text import as_text
from drivers.swipe import pseudonym
from firmware_specs.clock import VirtualClock
from lab.proofs.sloppy import CAREFUL
from lab.scenarios.war.people import card_number
from lab.sim.config import default_config
from lab.sim.table import SimulatedTable

STAFF_KEY, PLAYERS_KEY = bytes(32), bytes(range(32))
STAR = "star-war"


def name(player: str) -> str:
    return f"P-{pseudonym(PLAYERS_KEY, card_number(player))[:6]}"


def with_reader(folder: Path, **states: str) -> TableConfig:
    """A table of The Star with a reader and a list of the house's cards: valid unless told otherwise."""
    listed = folder / "players.csv"
    lines = [f"{card_number(player)},{states.get(player, 'valid')}" for player in ("P1", "P2", "P3", "P4", "P5")]
    listed.write_text("\n".join(["number,state", *lines]), encoding="utf-8")
    listed.chmod(0o600)
    write_key(folder / "staff.key", STAFF_KEY)
    write_key(folder / "players.key", PLAYERS_KEY)
    config = default_config("war", rulebook=STAR)
    devices = {**config.devices, "dealer": DeviceSection("swipe", simulated=True)}
    people = PeopleSection(str(folder / "staff.json"), players=str(listed))
    return msgspec.structs.replace(config, devices=devices, people=people)


def played(config: TableConfig, folder: Path, rounds: int) -> tuple[Report, list[Settled]]:
    """So many rounds, and the report over them."""
    clock = VirtualClock()
    habits = msgspec.structs.replace(CAREFUL["war"], players=3, boxes=3)
    table = SimulatedTable(config, folder / "table.db", clock, 1, habits=habits)
    settled: list[Settled] = []

    def watch(told: Told) -> None:
        settled.extend(effect for effect in told.effects if isinstance(effect, Settled))

    table.runtime.watchers.append(watch)
    begin = clock.wall()
    table.start()
    clock.run_until(lambda: table.shift.rounds >= rounds, 3_600)
    table.stop()
    file = JournalFile.read_only(folder / "table.db")
    try:
        return report(file, begin, clock.wall() + 1), settled
    finally:
        file.close()


@pytest.mark.clause(STAR, "5.1", "13.1")
def test_players_are_rated_by_the_cards_that_were_read(tmp_path: Path) -> None:
    day, settled = played(with_reader(tmp_path), tmp_path, 40)
    assert set(day.players) == {name(player) for player in ("P1", "P2", "P3")}
    assert day.typed_cards == []
    for player, rated in day.players.items():
        own = [one for each in settled for one in each.results if one.player == player]
        decided = [one for one in own if one.result in ("win", "lose", "standoff", "surrender")]
        staked = [one.stake_taken + one.stake_returned for one in decided]
        assert (rated.wagers, rated.staked) == (len(decided), sum(staked))
        assert rated.won == sum(one.stake_taken - one.pays for one in own)
        assert rated.rounds == len({each.round for each in settled if player in {one.player for one in each.results}})
        assert rated.average_bet == round(sum(staked) / len(staked))
        assert rated.theoretical > 0
    assert sum(rated.staked for rated in day.players.values()) == day.staked
    assert sum(rated.won for rated in day.players.values()) == day.won
    assert day.theoretical_win == round(sum(rated.theoretical for rated in day.players.values()))
    told = as_text(day, str)
    assert all(player in told for player in day.players)
    assert not any(card_number(player) in told for player in ("P1", "P2", "P3"))


@pytest.mark.clause(STAR, "5.1", "13.1")
def test_whose_card_was_withdrawn_stakes_nothing_and_is_not_rated(tmp_path: Path) -> None:
    day, settled = played(with_reader(tmp_path, P2="withdrawn"), tmp_path, 5)
    assert set(day.players) == {name("P1"), name("P3")}
    others = [one for each in settled for one in each.results if one.player not in day.players]
    assert {(one.player, one.result, one.clauses) for one in others} == {("box 2", "void", ("5.1", "13.1"))}
    assert all(one.stake_returned and not one.stake_taken and not one.pays for one in others)
