"""Staff at a running table: cards through a reader, PINs at a screen, and what the journal keeps of it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from controller.config.tomlread import ConfigError
from controller.config.types import DeviceSection, PeopleSection, TableConfig
from controller.core.events import LockLifted, NotSignedIn, PlayerCardRead, SignedIn, SignedOut
from controller.core.runtime import Told
from controller.devices import inline
from controller.money.dress import ChipRegister
from controller.people import Person, door
from controller.people.door import CardDresser, Doorkeeper, OffTheLoop, with_player_cards
from controller.people.player_cards import PlayerCard
from controller.people.signing_in import IDLE_MS, WRONG_AT_A_PLACE, WRONG_PINS, PinWanted
from controller.people.staff import Member, Staff, pin_fits, with_member, with_pin, write_key, write_staff
from drivers.swipe import CardSwiped, pseudonym
from firmware_specs.clock import VirtualClock
from lab.sim.config import default_config
from lab.sim.devices import SIMULATED_KEY, SimulatedDevices, drivers_for, opened
from simulators.people.chips import Bank
from simulators.swipe import card
from simulators.wire import Wire

DEALER, MANAGER, PLAYER = "6007010000000001", "6007010000000002", "6007019999999999"


def staff() -> Staff:
    known = with_member(Staff(), Member("D1", "Dee", {"melbourne-wheel": "dealer"}, pseudonym(SIMULATED_KEY, DEALER)))
    known = with_member(known, Member("M1", "Max", {"melbourne-wheel": "AM"}, pseudonym(SIMULATED_KEY, MANAGER)))
    return with_pin(known, "M1", "2580", bytes(16))


def with_reader() -> TableConfig:
    config = default_config("wheel")
    devices = {**config.devices, "dealer": DeviceSection("swipe", simulated=True)}
    return msgspec.structs.replace(config, devices=devices)


class Entrance:
    """A simulated table with a reader at the dealer's place."""

    def __init__(self, folder: Path, clock: VirtualClock | None = None) -> None:
        self.clock = clock or VirtualClock()
        self.folder = folder
        self.stopped = False
        config = with_reader()
        self.devices = SimulatedDevices(config, self.clock, 1, Bank())
        player = pseudonym(SIMULATED_KEY, PLAYER)
        dresser = CardDresser(ChipRegister({}), {player: PlayerCard(player)})
        self.runtime = opened(config, folder / "t.sqlite", self.clock, dresser, False)
        drivers_for(self.runtime, config, {place: wire.host for place, wire in self.devices.wires.items()})
        self.told: list[Told] = []
        self.runtime.watchers.append(self.told.append)
        self.devices.start()
        self.runtime.start("test", config, inline(self.runtime))
        self.door = Doorkeeper(self.runtime, folder / "staff.json", check=at_once)
        self.door.start()
        self.clock.run_for(3)

    @property
    def reader_wire(self) -> Wire:
        wire = self.devices.wires["dealer"]
        assert isinstance(wire, Wire)
        return wire

    def swipe(self, number: str) -> None:
        self.devices.readers["dealer"].swipe(card(number))
        self.clock.run_for(0.5)

    def pin(self, pin: str) -> None:
        asyncio.run(self._pin(pin))
        self.clock.run_for(0.5)

    async def _pin(self, pin: str) -> None:
        await self.door.pin("dealer", pin)

    def events(self, kind: type) -> list[object]:
        return [told.event for told in self.told if isinstance(told.event, kind)]

    def stop(self) -> None:
        if self.stopped:
            return
        self.stopped = True
        self.door.stop()
        self.runtime.stop()
        self.devices.stop()


async def at_once(pin: str, kept: str) -> bool:
    return pin_fits(pin, kept)


@pytest.fixture
def entrance(tmp_path: Path) -> Iterator[Entrance]:
    write_staff(tmp_path / "staff.json", staff())
    made = Entrance(tmp_path)
    yield made
    made.stop()


def test_a_dealers_card_signs_in_and_out_and_the_table_knows_who_stands_there(entrance: Entrance) -> None:
    entrance.swipe(DEALER)
    assert entrance.runtime.table.state.people.standing == {"dealer": Person("D1", 1)}
    assert entrance.door.who("dealer") == Person("D1", 1)
    entrance.swipe(DEALER)
    assert entrance.runtime.table.state.people.standing == {}
    assert [type(event) for event in (entrance.events(SignedIn) + entrance.events(SignedOut))] == [SignedIn, SignedOut]


def test_a_higher_rank_needs_the_pin_as_well(entrance: Entrance) -> None:
    heard: list[object] = []
    entrance.door.listeners.append(heard.append)
    entrance.swipe(MANAGER)
    assert heard == [PinWanted("dealer", "M1")]
    assert entrance.door.who("dealer") is None
    entrance.pin("2580")
    assert entrance.runtime.table.state.people.standing == {"dealer": Person("M1", 3)}


def test_wrong_pins_lock_out_and_stay_locked_after_a_restart(entrance: Entrance) -> None:
    for _ in range(WRONG_PINS):
        entrance.swipe(MANAGER)
        entrance.pin("1379")
    assert "locked:M1" in entrance.runtime.table.state.desk.alarms
    entrance.stop()
    again = Entrance(entrance.folder, entrance.clock)
    again.swipe(MANAGER)
    (refused,) = again.events(NotSignedIn)
    assert isinstance(refused, NotSignedIn)
    assert refused.code == "locked"
    again.clock.run_for(6 * 60)
    again.swipe(MANAGER)
    again.pin("2580")
    assert again.runtime.table.state.people.standing == {"dealer": Person("M1", 3)}
    again.stop()


def typed(entrance: Entrance, place: str, number: str, pin: str) -> Person | NotSignedIn:
    found = asyncio.run(entrance.door.recognise(place, number, pin))
    entrance.clock.run_for(0.5)
    return found


def test_whoever_guesses_at_a_screen_locks_nobody_out_elsewhere_or_with_the_card(entrance: Entrance) -> None:
    for number in ("M1", "M2", "M1", "M2") * WRONG_PINS:
        typed(entrance, "dealer", number, "1379")
    assert isinstance(typed(entrance, "dealer", "M1", "2580"), NotSignedIn)
    assert typed(entrance, "pit", "M1", "2580") == Person("M1", 3)
    entrance.stop()
    again = Entrance(entrance.folder, entrance.clock)
    assert isinstance(typed(again, "dealer", "M1", "2580"), NotSignedIn)
    assert typed(again, "pit", "M1", "2580") == Person("M1", 3)
    again.swipe(MANAGER)
    again.pin("2580")
    assert again.runtime.table.state.people.standing == {"dealer": Person("M1", 3)}
    again.stop()


def test_a_supervisors_card_at_the_reader_opens_the_screen_again_and_that_is_on_record(entrance: Entrance) -> None:
    for _ in range(WRONG_PINS):
        typed(entrance, "dealer", "M1", "1379")
    assert "locked:M1@dealer" in entrance.runtime.table.state.desk.alarms
    entrance.swipe(MANAGER)
    entrance.pin("2580")
    assert entrance.events(LockLifted) == [LockLifted("dealer", "M1@dealer", Person("M1", 3))]
    assert "locked:M1@dealer" not in entrance.runtime.table.state.desk.alarms
    assert typed(entrance, "dealer", "M1", "2580") == Person("M1", 3)


def test_a_second_supervisor_opens_what_the_first_one_locked_and_a_dealer_does_not(entrance: Entrance) -> None:
    known = with_member(staff(), Member("M2", "Mia", {"melbourne-wheel": "AM"}))
    write_staff(entrance.folder / "staff.json", with_pin(known, "M2", "4907", bytes(16)))
    for _ in range(WRONG_PINS):
        entrance.swipe(MANAGER)
        entrance.pin("1379")
    entrance.swipe(DEALER)
    entrance.swipe(MANAGER)
    assert entrance.door.wants_pin("dealer") == ""  # still locked
    assert typed(entrance, "dealer", "M2", "4907") == Person("M2", 3)
    entrance.swipe(MANAGER)
    assert entrance.door.wants_pin("dealer") == "M1"


def test_a_screen_takes_no_more_guesses_after_many_and_does_not_fill_the_journal(entrance: Entrance) -> None:
    for number in range(200, 400):
        typed(entrance, "dealer", f"S{number}", "1379")
    assert isinstance(typed(entrance, "dealer", "M1", "2580"), NotSignedIn)
    assert typed(entrance, "pit", "M1", "2580") == Person("M1", 3)
    assert len(entrance.events(NotSignedIn)) <= WRONG_AT_A_PLACE
    entrance.clock.run_for(6 * 60)
    assert typed(entrance, "dealer", "M1", "2580") == Person("M1", 3)


def test_a_clock_that_is_set_forward_ends_no_lock_out_also_while_the_table_is_off(entrance: Entrance) -> None:
    for _ in range(WRONG_PINS):
        entrance.swipe(MANAGER)
        entrance.pin("1379")
    entrance.clock._epoch_ms += 3_600_000
    entrance.swipe(MANAGER)
    assert entrance.door.wants_pin("dealer") == ""
    entrance.stop()
    entrance.clock._epoch_ms += 7_200_000
    again = Entrance(entrance.folder, entrance.clock)
    again.swipe(MANAGER)
    assert again.door.wants_pin("dealer") == ""
    again.stop()


def test_a_session_ends_when_nothing_is_done_or_the_reader_is_gone(entrance: Entrance) -> None:
    entrance.swipe(DEALER)
    entrance.clock.run_for(IDLE_MS / 1000 + 30)
    assert entrance.runtime.table.state.people.standing == {}
    entrance.swipe(DEALER)
    entrance.reader_wire.unplug()
    entrance.clock.run_for(1)
    assert entrance.runtime.table.state.people.standing == {}
    assert [event.reason for event in entrance.events(SignedOut)] == ["idle", "card gone"]  # type: ignore[attr-defined]


def test_a_reader_that_is_gone_is_an_alarm_and_does_not_stop_the_game(entrance: Entrance) -> None:
    entrance.reader_wire.unplug()
    entrance.clock.run_for(1)
    assert "dealer:down" in entrance.runtime.table.state.desk.alarms
    assert "dealer:down" not in entrance.runtime.table.state.faults
    entrance.reader_wire.replug()
    entrance.clock.run_for(5)
    assert "dealer:down" not in entrance.runtime.table.state.desk.alarms


def test_whoever_loses_the_rank_while_standing_there_is_signed_out(entrance: Entrance) -> None:
    entrance.swipe(DEALER)
    write_staff(entrance.folder / "staff.json", Staff())
    entrance.clock.run_for(20)
    assert entrance.runtime.table.state.people.standing == {}


def test_a_players_card_is_told_as_such_and_no_number_ever_reaches_the_journal(entrance: Entrance) -> None:
    for number in (PLAYER, DEALER, "6007015555555555"):
        entrance.swipe(number)
    (read,) = entrance.events(PlayerCardRead)
    assert isinstance(read, PlayerCardRead)
    assert (read.device, read.state) == ("dealer", "valid")
    assert [event.code for event in entrance.events(NotSignedIn)] == ["unknown_card"]  # type: ignore[attr-defined]
    rows = b"".join(row.body for row in entrance.runtime.journal.rows())
    assert all(number.encode() not in rows for number in (PLAYER, DEALER, "6007015555555555"))


# -- the players' list ---------------------------------------------------------------------------------------------

STAFF_KEY, PLAYERS_KEY = bytes(32), bytes(range(32))


def with_list(folder: Path, players_key: bytes = PLAYERS_KEY) -> TableConfig:
    listed = folder / "players.csv"
    listed.write_text(f"number\n{PLAYER}\n", encoding="utf-8")
    listed.chmod(0o600)
    write_key(folder / "staff.key", STAFF_KEY)
    write_key(folder / "players.key", players_key)
    people = PeopleSection(str(folder / "staff.json"), players=str(listed))
    return msgspec.structs.replace(default_config("wheel"), people=people)


def test_a_player_is_told_by_a_key_that_is_not_the_staffs(tmp_path: Path) -> None:
    dresser = with_player_cards(ChipRegister({}), with_list(tmp_path))
    (read,) = dresser.dress(CardSwiped("dealer", pseudonym(STAFF_KEY, PLAYER), ("good", "blank", "blank")))
    assert isinstance(read, PlayerCardRead)
    assert read.card == pseudonym(PLAYERS_KEY, PLAYER)
    assert read.card != pseudonym(STAFF_KEY, PLAYER)


def test_without_a_key_of_their_own_players_are_still_told_by_another_than_the_staffs(tmp_path: Path) -> None:
    config = with_list(tmp_path)
    (tmp_path / "players.key").unlink()
    (read,) = with_player_cards(ChipRegister({}), config).dress(
        CardSwiped("dealer", pseudonym(STAFF_KEY, PLAYER), ("good", "blank", "blank"))
    )
    assert isinstance(read, PlayerCardRead)
    assert read.card not in (pseudonym(STAFF_KEY, PLAYER), pseudonym(PLAYERS_KEY, PLAYER))


def test_a_list_of_players_that_others_may_read_is_refused(tmp_path: Path) -> None:
    config = with_list(tmp_path)
    (tmp_path / "players.csv").chmod(0o644)
    with pytest.raises(ConfigError, match="chmod 600"):
        with_player_cards(ChipRegister({}), config)


def test_players_are_never_told_by_the_key_of_the_staff(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="new-key --players"):
        with_player_cards(ChipRegister({}), with_list(tmp_path, STAFF_KEY))


def test_pins_are_checked_one_after_the_other_for_each_takes_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    inside, most = 0, 0
    turn = threading.Lock()

    def slow(pin: str, kept: str) -> bool:
        nonlocal inside, most
        with turn:
            inside += 1
            most = max(most, inside)
        threading.Event().wait(0.01)
        with turn:
            inside -= 1
        return pin == kept

    monkeypatch.setattr(door, "pin_fits", slow)

    async def many() -> list[bool]:
        check = OffTheLoop()
        return await asyncio.gather(*(check(pin, "2580") for pin in ("1", "2580", "3", "4", "5", "6")))

    assert asyncio.run(many()) == [False, True, False, False, False, False]
    assert most == 1
