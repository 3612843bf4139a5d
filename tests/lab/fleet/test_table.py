"""The judge of a table that was upgraded and cut from its power: a lost or a wrong round is found."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from controller.core.effects import Settled
from firmware_specs.clock import VirtualClock
from lab.fleet.table import missing_rounds, money_problems
from lab.proofs.stage import Host, World
from lab.proofs.wheel import BigWheel
from simulators.people.chips import Felt
from simulators.people.table import Due

STAKES = {("P1", "A"): 500, ("P2", "B"): 1000}


def settled(*results: Due) -> Settled:
    said = [{**msgspec.structs.asdict(one), "clauses": ()} for one in results]
    return msgspec.convert({"round": 3, "outcome": "A", "results": said}, Settled)


@pytest.mark.parametrize(
    ("seen", "played", "settled", "lost"),
    [
        ({1, 2, 3}, 3, {1, 2, 3}, []),
        ({1, 2, 3}, 3, {1, 2}, ["round 3 is not in the journal"]),
        ({1}, 3, {1, 2}, ["3 rounds were played and 2 are in the journal"]),
        ({1, 2}, 2, {1, 2, 3}, []),
    ],
)
def test_a_round_that_people_ended_and_no_journal_has_is_lost(seen, played, settled, lost) -> None:
    assert missing_rounds(seen, played, settled) == lost


def test_an_event_is_held_until_it_is_in_a_journal_so_that_no_power_is_cut_before(tmp_path) -> None:
    game, clock = BigWheel(), VirtualClock()
    world = World(game, clock, 1)
    world.devices.start()
    Felt(world.devices.mat, world.bank).put(500, 1)
    clock.run_for(2.0)
    (laid, *_) = world.posted["chips"]
    assert world.links["chips"].holds(laid.number)
    Host(world, tmp_path / "table.sqlite").start()
    clock.run_for(10.0)
    assert not world.links["chips"].holds(laid.number)
    assert world.host is not None
    world.host.stop()
    world.devices.stop()


def test_whoever_a_dealer_names_is_said_to_be_new_as_every_page_asks(tmp_path, monkeypatch) -> None:
    clock = VirtualClock()
    world = World(BigWheel(), clock, 1)
    crew, pressed = world.game.crew(world, 1), list[dict[str, Any]]()
    host = Host(world, tmp_path / "table.sqlite")
    truly = host.runtime.command

    def command(key: str, by: Any, args: dict[str, Any], *more: Any) -> None:
        pressed.extend([args] if key == "assign" else [])
        truly(key, by, args, *more)

    monkeypatch.setattr(host.runtime, "command", command)
    world.devices.start()
    host.start()
    crew.start()
    clock.run_until(lambda: crew.rounds >= 1, 300.0)
    host.stop()
    world.devices.stop()
    assert pressed
    assert all(args["player_is_new"] is True for args in pressed)


def test_a_wrong_payment_is_found() -> None:
    game = BigWheel()
    odds = game.option.symbol("A").odds
    right = settled(Due("P1", "A", "win", 500 * odds, 0, 500), Due("P2", "B", "lose", 0, 1000, 0))
    assert money_problems(game, 3, STAKES, "A", {3: right}) == []
    assert "on the felt was" in money_problems(game, 3, STAKES, "B", {3: right})[0]
    short = settled(Due("P1", "A", "win", 500 * odds, 0, 500))
    assert "on the felt was" in money_problems(game, 3, STAKES, "A", {3: short})[0]
