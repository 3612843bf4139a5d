"""Which driver hangs on which port of this table, and the runtime they all report to."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypedDict, cast

import msgspec

from controller import games
from controller.config.tomlread import ConfigError
from controller.config.types import DeviceSection, TableConfig
from controller.core.guarded import GuardedTable
from controller.core.runtime import Dresser, Runtime, recover
from controller.journal import row as record
from controller.journal.committer import Committer, InlineCommitter, ThreadCommitter
from controller.journal.file import JournalFile
from controller.money.dress import ChipRegister
from controller.money.register import RegisterFile
from controller.people.door import card_key
from drivers.device import Device
from drivers.events import Driver, Mark
from drivers.identify import Pairing
from drivers.ports import open_port
from firmware_specs.clock import Clock, RealClock
from firmware_specs.port import Port

if TYPE_CHECKING:
    from controller.cards.seal import SealedGame, Sealer
    from controller.games.playable import SealedCards
    from drivers.capture import Recorder
    from drivers.motion import WheelProfile
    from drivers.pairing import KeyRing
    from drivers.shuffler import Mode as ShufflerMode

CAPTURE = "capture:"


def keys_of(config: TableConfig) -> KeyRing:
    """The keys of this table's paired devices; they lie with the journal, so that they move with the table."""
    from drivers.pairing import KeyRing

    return KeyRing(Path(config.table.journal).parent / "keys")


def wheel_profile(config: TableConfig) -> WheelProfile:
    """What calibration learnt of this wheel; the simulated wheel has its own."""
    from drivers.motion import WheelProfile, simulated_wheel

    path = games.find(config.table.game).wheel(config).profile
    if not path:
        return simulated_wheel()
    try:
        return WheelProfile.decode(Path(path).read_bytes())
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ConfigError(f"{path}: no usable wheel profile ({error}); run `tablectl wheel calibrate`") from error


def drivers_for(
    runtime: Runtime,
    config: TableConfig,
    ports: dict[str, Port],
    captures: Path | None = None,
    swipe_keys: Mapping[str, bytes] = {},
) -> None:
    """Put a driver on every port, resuming where the journal says each device stood.

    `swipe_keys` are those of readers whose cards are nobody's; any other has the table's own.
    """
    for place, section in config.devices.items():
        stand = _Stand(runtime, config, place, section, ports[place], captures)
        driver = _swipe(stand, swipe_keys.get(place)) if section.kind == "swipe" else _DRIVERS[section.kind](stand)
        if section.paired and isinstance(driver, Device):
            driver.link.pairing = _paired(config, section)
        runtime.drivers[place] = driver


def _paired(config: TableConfig, section: DeviceSection) -> Pairing:
    """Has the device prove its key; where none is paired, nothing of this is loaded."""
    from drivers.pairing import Paired

    return Paired(keys_of(config), sealed=section.sealed)


class _Stand(NamedTuple):
    """A place at the table, with the line that leads to it."""

    runtime: Runtime
    config: TableConfig
    place: str
    section: DeviceSection
    port: Port
    captures: Path | None

    @property
    def mark(self) -> Mark | None:
        return self.runtime.guarded.position.marks.get(self.place)

    def line(self) -> tuple[str, Clock, Port, Runtime]:
        return self.place, self.runtime.clock, self.port, self.runtime

    def kept(self) -> Kept:
        """Who stood there, where it stood, and where its traffic is recorded."""
        return {"serial": self.section.serial or None, "resume": self.mark, "recorder": self._recorder()}

    def _recorder(self) -> Recorder | None:
        if self.captures is None:
            return None
        from drivers.capture import Recorder

        path = self.captures / f"{self.place}.capture"
        return Recorder(path, self.runtime.clock, device=self.place, kind=self.section.kind)


class Kept(TypedDict):
    """What every driver of our own devices is given besides its line."""

    serial: str | None
    resume: Mark | None
    recorder: Recorder | None


# A driver's module is loaded only where such a device stands, and before the table is ready.


def _wheel(stand: _Stand) -> Driver:
    from drivers.wheel import Wheel

    geometry = games.find(stand.config.table.game).wheel(stand.config).geometry
    return Wheel(*stand.line(), profile=wheel_profile(stand.config), geometry=geometry, **stand.kept())


def _chips(stand: _Stand) -> Driver:
    from drivers.chips import Chips

    picture = _chips_told(stand) if stand.mark is not None else None
    return Chips(*stand.line(), picture=picture, **stand.kept())


def _chips_told(stand: _Stand) -> dict[int, list[int]]:
    """What the mat told last; where it is played without, that is not what the table knows."""
    table = stand.runtime.table
    by_hand = table.state.by_hand.get(stand.place)
    if by_hand is None:
        return table.money.picture()
    return {area: [chip.tag for chip in chips] for area, chips in by_hand.seen.items()}


def _shoe(stand: _Stand) -> Driver:
    from drivers.shoe import Shoe

    return Shoe(*stand.line(), **stand.kept())


def _shuffler(stand: _Stand) -> Driver:
    from drivers.shuffler import Shuffler

    single = games.find(stand.config.table.game).shuffles_single_decks()
    expects: ShufflerMode = "single_deck" if single else "shuffle"
    return Shuffler(*stand.line(), expects=expects, **stand.kept())


def _cards(stand: _Stand) -> Driver:
    from drivers.card_antennas import CardAntennas

    # Nothing of this line is recorded: it carries every hole card.
    return CardAntennas(*stand.line(), serial=stand.section.serial or None, resume=stand.mark)


def _swipe(stand: _Stand, key: bytes | None) -> Driver:
    from drivers.swipe import SwipeReader

    return SwipeReader(*stand.line(), key=key or card_key(stand.config), serial=stand.section.serial)


_DRIVERS: dict[str, Callable[[_Stand], Driver]] = {
    "wheel": _wheel,
    "chips": _chips,
    "shoe": _shoe,
    "shuffler": _shuffler,
    "cards": _cards,
}


class Sealing(NamedTuple):
    """The cards of a table and where the chance behind their seals comes from."""

    deck: dict[int, str]
    entropy: Callable[[int], bytes]


def opened(
    config: TableConfig,
    path: Path,
    clock: Clock,
    dresser: Dresser,
    durable: bool = True,
    alone: bool = False,
    sealing: Sealing | None = None,
) -> Runtime:
    """A runtime that stands where the journal ends; its committer and drivers come next."""
    record.expect(section.kind for section in config.devices.values())
    journal = JournalFile.open(path, config.table.name, durable, alone)
    try:
        guarded = GuardedTable(config)
        recover(guarded, journal)
    except BaseException:
        journal.close()
        raise
    sealed = games.find(config.table.game).sealed_cards(config.play)
    if sealed is None:
        return Runtime(clock, guarded, journal, dresser)
    sealer = _sealer(sealed, path, guarded, dresser, sealing)
    runtime = Runtime(clock, guarded, journal, sealer)
    sealer.join(runtime)
    return runtime


def _sealer(
    sealed: SealedCards, journal: Path, guarded: GuardedTable, rest: Dresser, sealing: Sealing | None
) -> Sealer:
    """What stands between the card antennas and a table with hole cards; the key lies with those of the devices."""
    from controller.cards.seal import Sealer, key_at, read_deck

    deck, entropy = sealing or Sealing(read_deck(Path(sealed.deck)), secrets.token_bytes)
    path = Path(sealed.key) if sealed.key else journal.parent / "keys" / "cards.seal"
    return Sealer(
        key_at(path, entropy), deck, cast("Callable[[], SealedGame]", lambda: guarded.table.game), rest, entropy
    )


def inline(runtime: Runtime) -> Committer:
    """Commits on the virtual clock's own thread."""
    return InlineCommitter(runtime.journal, runtime.clock, runtime.journal_failed)


def threaded(runtime: Runtime, loop: asyncio.AbstractEventLoop) -> Committer:
    """Commits on a thread of its own, for a real table."""
    return ThreadCommitter(runtime.journal, loop, runtime.journal_failed)


def real_ports(config: TableConfig, loop: asyncio.AbstractEventLoop) -> dict[str, Port]:
    """The host's end of every device's line."""
    return {place: real_port(section, loop) for place, section in config.devices.items()}


def real_port(section: DeviceSection, loop: asyncio.AbstractEventLoop) -> Port:
    """The line of one device, as its section says."""
    if section.kind == "swipe" and section.port.startswith("usb:"):
        from drivers.ports.usb import UsbPort
        from drivers.swipe import REPORT

        # A reader's report is longer than its packets; it must be read as one.
        return UsbPort(section.port, loop=loop, read_size=REPORT)
    if section.port.startswith(CAPTURE):
        return _captured(section.port.removeprefix(CAPTURE), loop)
    return open_port(section.port, loop)


def _captured(path: str, loop: asyncio.AbstractEventLoop) -> Port:
    """A line on which a recording is played."""
    from drivers.capture import BadCapture, ReplayPort, read_capture

    try:
        runs = read_capture(path)
    except BadCapture as bad:
        raise ConfigError(f"{bad}; record one with `tablectl run --captures FOLDER`") from bad
    return ReplayPort(RealClock(loop), runs[-1])


def register_for(config: TableConfig) -> ChipRegister:
    """The chip register of the configuration; without one, every chip is foreign."""
    if not config.chips.register:
        return ChipRegister({})
    promotional = games.find(config.table.game).stakes_promotional(config.table.rulebook)
    return ChipRegister(RegisterFile(config.chips.register), config.table.name, config.chips.set_mark, promotional)
