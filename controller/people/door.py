"""Staff and players at a running table: cards from its readers, PINs from its screens, and the journal told of both."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from controller.config.tomlread import ConfigError
from controller.config.types import TableConfig
from controller.core.events import NotSignedIn, PlayerCardRead, SignedIn, SignedOut
from controller.core.runtime import Dresser, Runtime, Told
from controller.people import Person
from controller.people.signing_in import LOCKED_MS, Door, PinWanted, SignIns, Wrong
from controller.people.signing_in import Told as AtTheDoor
from controller.people.staff import pin_fits, read_key, read_private, read_staff
from drivers.events import DeviceDown, DeviceEvent
from drivers.swipe import CardSwiped, pseudonym
from firmware_specs.clock import Timer

if TYPE_CHECKING:
    from controller.people.player_cards import PlayerCard

LOOK_EVERY_S = 15.0
"""How often it is looked whether somebody has gone idle, or the staff register was changed."""

PinCheck = Callable[[str, str], Awaitable[bool]]
"""Whether a PIN fits what is kept of it, found out without holding up the loop."""


class OffTheLoop:
    """The slow check of a PIN in a thread of its own; one at a time, for each takes 16 MB while it lasts."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()

    async def __call__(self, pin: str, kept: str) -> bool:
        async with self._turn:
            return await asyncio.get_running_loop().run_in_executor(None, pin_fits, pin, kept)


class Doorkeeper:
    """Lets staff in at the places of one table: a place is the name of a reader, and of the screen beside it."""

    def __init__(self, runtime: Runtime, staff_file: Path, check: PinCheck | None = None) -> None:
        self._runtime = runtime
        self._file = staff_file
        self._check = check or OffTheLoop()
        self._changed = _changed_at(staff_file)
        # A clock that is set meanwhile, or before a restart, must not end a lock-out.
        self._began = runtime.clock.wall(), runtime.clock.now()
        signs = SignIns(wrong=self._still_locked())
        self.door = Door(read_staff(staff_file), runtime.table.house.rulebook, signs)
        self.listeners: list[Callable[[AtTheDoor], None]] = []
        self._timer: Timer | None = None

    def start(self) -> None:
        """Listen to the readers from now on."""
        self._runtime.watchers.append(self._heard)
        self._look()

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._runtime.watchers.remove(self._heard)

    def who(self, place: str) -> Person | None:
        """Whoever stands at this place, and uses it now."""
        return self.door.who(place, self._now())

    def card(self, place: str, card: str) -> list[AtTheDoor]:
        """A card was drawn through: its owner comes, goes, or is asked for the PIN."""
        return self._tell(self.door.card(place, card, self._now()))

    async def pin(self, place: str, pin: str) -> list[AtTheDoor]:
        """The PIN of the card that was drawn through last at this place."""
        wanted = self.door.kept_pin(place, self._now())
        if wanted is None:
            return self._tell(self.door.pin(place, "", False, self._now()))
        member, kept = wanted
        fits = await self._check(pin, kept)
        return self._tell(self.door.pin(place, member, fits, self._now()))

    def wants_pin(self, place: str) -> str:
        """Whose card was drawn through at this place and waits for its PIN; nobody's is empty."""
        waiting = self.door.signs.waiting.get(place)
        return waiting.member if waiting is not None and waiting.until > self._now() else ""

    async def recognise(self, place: str, number: str, pin: str) -> Person | NotSignedIn:
        """Whoever has this staff number and PIN; what is not accepted goes on record."""
        self.look_at_register()
        kept = self.door.number(place, number, self._now())
        if isinstance(kept, str):
            fits = await self._check(pin, kept)
            found = self.door.number_and_pin(place, number, fits, self._now())
        else:
            found = kept
        if isinstance(found, Person):
            self._tell(self.door.lift(place, found))
        elif found.code != "locked_here":  # the journal is not for whoever goes on typing at a locked screen
            self._tell([found])
        return found

    def holds(self, person: Person) -> bool:
        """Whether somebody signed in still has this rank, and these roles, by the register."""
        self.look_at_register()
        member = self.door.staff.members.get(person.id)
        return member is not None and member.person(self.door.book, self._now()) == person

    def name(self, person: Person) -> str:
        """What the register calls somebody."""
        member = self.door.staff.members.get(person.id)
        return member.name if member is not None else person.id

    def sign_out(self, place: str) -> list[AtTheDoor]:
        """Whoever stands at this place goes."""
        return self._tell(self.door.card_gone(place))

    def leaves(self, person: Person, why: str) -> list[AtTheDoor]:
        """This person has signed in at a screen, and stands at no reader any more."""
        return self._tell(self.door.leaves(person, why))

    def _still_locked(self) -> dict[str, Wrong]:
        """Lock-outs from before this start that nobody lifted: they begin again, for no clock can say what is left."""
        return {
            who: Wrong(one.wrong, self._now() + LOCKED_MS if one.until else 0, one.place)
            for who, one in self._runtime.table.state.people.wrong_pins.items()
        }

    def _now(self) -> int:
        wall, began = self._began
        return wall + round((self._runtime.clock.now() - began) * 1000)

    def _heard(self, told: Told) -> None:
        match told.event:
            case CardSwiped(device=place, card=card):
                self.card(place, card)
            case DeviceDown(device=place) if place in self.door.signs.standing:
                self.sign_out(place)

    def _look(self) -> None:
        self._tell(self.door.pass_time(self._now()))
        self.look_at_register()
        self._timer = self._runtime.clock.call_later(LOOK_EVERY_S, self._look)

    def look_at_register(self) -> None:
        """Whoever was taken out of the staff register, or got another rank, is signed out."""
        changed = _changed_at(self._file)
        if changed == self._changed:
            return
        try:
            staff = read_staff(self._file)
        except ConfigError:
            return  # it lets nobody in who is not in already, and is looked at again
        self._changed = changed
        self._tell(self.door.staff_changed(staff))

    def _tell(self, told: list[AtTheDoor]) -> list[AtTheDoor]:
        for one in told:
            if not isinstance(one, PinWanted):
                self._runtime.submit(one)
            for listen in self.listeners:
                listen(one)
        return told


def _changed_at(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


class CardDresser:
    """Tells a player's card from others before the journal sees it; everything else goes on to the next dresser."""

    def __init__(self, inner: Dresser, players: Mapping[str, PlayerCard]) -> None:
        self._inner = inner
        self._players = players

    def dress(self, event: DeviceEvent) -> list[msgspec.Struct]:
        if isinstance(event, CardSwiped) and (known := self._players.get(event.card)) is not None:
            return [PlayerCardRead(event.device, known.card, known.state, known.until)]
        return self._inner.dress(event)


def card_key(config: TableConfig) -> bytes:
    """The key of this table's card readers, by which staff cards are known."""
    return read_key(config.key_file())


def player_key(config: TableConfig) -> bytes:
    """The key by which players are known: their own, or one that follows from the staff's where none was made yet."""
    path = config.player_key_file()
    return read_key(path) if path.exists() else hmac.digest(card_key(config), b"players", "sha256")


def with_player_cards(inner: Dresser, config: TableConfig) -> Dresser:
    """A dresser that knows the house's player cards, where the configuration names a list of them."""
    if not config.people.players:
        return inner
    from controller.people.player_cards import read_player_list

    listed = Path(config.people.players)
    octets = read_private(listed)
    if octets is None:
        raise ConfigError(f"{listed}: there is no such list of player cards; check the path")
    try:
        text = octets.decode("utf-8")
    except UnicodeDecodeError:
        raise ConfigError(f"{listed}: not UTF-8 text; save the list as UTF-8") from None
    own, readers = player_key(config), card_key(config)
    if own == readers:
        remedy = "give players a key of their own with 'tablectl staff new-key --players'"
        raise ConfigError(f"{config.player_key_file()}: this is the key of the staff's cards; {remedy}")
    return CardDresser(inner, read_player_list(str(listed), text, partial(pseudonym, own), partial(pseudonym, readers)))


__all__ = [
    "CardDresser",
    "Doorkeeper",
    "NotSignedIn",
    "OffTheLoop",
    "PinWanted",
    "SignedIn",
    "SignedOut",
    "card_key",
    "with_player_cards",
]
