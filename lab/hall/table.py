"""A whole table of an event: simulated devices and people, a controller with its journal, and its line to the floor."""

from __future__ import annotations

from collections.abc import Callable
from importlib import metadata
from pathlib import Path

import msgspec

from controller.config.types import SeatsSection, TableConfig, TournamentSection
from controller.core.runtime import Runtime, Told
from controller.devices import inline
from controller.games.poker.config import PokerSection, RakeSection
from controller.games.war.config import WarSection
from controller.journal.cosignature import Witness
from controller.journal.head import Head, Note, TableKey
from controller.rules.rulebook import load_rulebook
from controller.tournament.book import load_book
from controller.tournament.session import Session
from controller.tournament.table import TournamentTable
from controller.tournament.terms import Terms
from controller.uplink.messages import Stands
from controller.uplink.orders import Gate
from controller.uplink.outbox import Outbox
from firmware_specs.clock import Clock
from lab.hall.chips import EventBank, EventChips
from lab.hall.people import people_of
from lab.hall.staff import EventStaff
from lab.proofs.stage import MortalClock
from lab.sim.config import default_config
from lab.sim.devices import SimulatedDevices, drivers_for, opened
from lab.sim.table import sign_that_shows

Watcher = Callable[[Told], None]
COLOURS = ("red", "blue", "green", "pink", "white", "grey", "black", "brown", "gold", "violet", "orange")


def config_of(name: str, terms: Terms, rake: RakeSection | None = None) -> TableConfig:
    """A table of this name that a hall may designate for an event with these terms, unless it takes a commission."""
    base = default_config(load_rulebook(terms.rulebook).game, rulebook=terms.rulebook)
    most = load_book(terms.rulebook).seats(terms.game)
    play, chips = base.play, base.chips
    if isinstance(play, WarSection):
        play = msgspec.structs.replace(play, places=most)
    elif isinstance(play, PokerSection):
        play = msgspec.structs.replace(play, rake=rake or RakeSection(), side_wagers=False)
    if terms.bank.chips.kind == "colour":
        chips = msgspec.structs.replace(chips, set_mark="EV", colours=COLOURS)
    return msgspec.structs.replace(
        base, table=msgspec.structs.replace(base.table, name=name), tournament=TournamentSection(), chips=chips,
        play=play, seats=SeatsSection(most),
    )  # fmt: skip


class EventTable:
    """Devices and people stay as they are when the controller is killed; another comes up on the same journal."""

    def __init__(
        self, name: str, terms: Terms, journal: Path, clock: Clock, seed: int, key: TableKey, durable: bool = False,
        rake: RakeSection | None = None,
    ) -> None:  # fmt: skip
        self.name, self._journal, self.clock, self._durable = name, journal, clock, durable
        self.config = config_of(name, terms, rake)
        self.key = key
        self.bank = EventBank(terms.bank.chips)
        self._register = EventChips(self.bank, self.config.chips.set_mark)
        self.devices = SimulatedDevices(self.config, clock, seed, self.bank)
        self.seed, self.killed = seed, 0
        self.connected = True
        self._note: Note | None = None
        self.outbox: Outbox
        self.stands = Stands()
        self.gate: Gate
        self.runtime: Runtime
        self._come_up()
        self._watchers: list[Watcher] = []
        self.staff = EventStaff(self)
        self.crew = people_of(self)
        self._join()

    # -- the controller ------------------------------------------------------------------------------------------------

    def _come_up(self) -> None:
        """A controller on the lines of the devices, standing where the journal ends."""
        self._mortal = mortal = MortalClock(self.clock)
        self.runtime = opened(self.config, self._journal, mortal, self._register, self._durable)
        drivers_for(self.runtime, self.config, {place: wire.host for place, wire in self.devices.wires.items()})
        sign_that_shows(self.runtime, mortal)
        self.runtime.journal.took = self._sign
        self.runtime.newest_head = lambda: self._note
        self.outbox = Outbox(self.runtime.journal.path, self.runtime.newest_head)

    def _join(self) -> None:
        """People look at this controller's screen from now on."""
        self.runtime.watchers.append(lambda told: self.staff.look())
        self.runtime.watchers.append(lambda told: self.crew.look())
        self.runtime.watchers += self._watchers

    def watch(self, watcher: Watcher) -> None:
        """Tell somebody all that this table concludes, whichever controller runs it."""
        self._watchers.append(watcher)
        self.runtime.watchers.append(watcher)

    def _sign(self, head: Head) -> None:
        self._note = self.key.sign(head)

    def start(self) -> None:
        self.devices.start()
        self._start()

    def _start(self) -> None:
        self.runtime.start(metadata.version("tablectl"), self.config, inline(self.runtime))

    @property
    def journal(self) -> Path:
        return self._journal

    def kill(self) -> None:
        """The controller's process ends between two instructions, and is started again."""
        old, self._mortal.alive = self.runtime, False
        for wire in self.devices.wires.values():
            wire.host.close()
        self.outbox.close()
        old.journal.close()
        self.killed += 1
        self._come_up()
        self.crew.sit_at(self.runtime)
        self._join()
        self._start()
        self.witnessed()

    def sees_chips(self) -> bool:
        """Whether antennas still tell of chips."""
        money = self.runtime.table.state.money
        return bool(money.laid or money.tray.tray or money.rack)

    def closed(self) -> None:
        """Chips are handed in: whoever waits for it sees it beside the journal."""
        self._journal.with_suffix(".closed").touch()

    def stop(self) -> None:
        self.runtime.stop()
        self.devices.stop()
        self.outbox.close()

    # -- the line to the floor -----------------------------------------------------------------------------------------

    def know(self, witness: Witness) -> None:
        """Whose orders this table believes."""
        self._witness = witness
        self.witnessed()

    def witnessed(self) -> None:
        self.gate = Gate(self._witness, self.origin, self._take_order, self.clock.now)

    def _take_order(self, event: msgspec.Struct) -> None:
        self.runtime.submit(event)

    @property
    def origin(self) -> str:
        return self.runtime.journal.origin

    # -- how it stands -------------------------------------------------------------------------------------------------

    @property
    def session(self) -> Session:
        table = self.runtime.table
        assert isinstance(table, TournamentTable)
        return table.session

    @property
    def phase(self) -> str:
        return self.session.phase

    @property
    def units(self) -> int:
        """Units that people can see at this table: in purses, on the felt and in the tray."""
        return int(self.crew.purse_in_all + self.crew.on_felt) + self.bank.in_tray
