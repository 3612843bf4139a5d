"""The continuous shuffler at the table.

It tells the events of drivers/cards.py for every card taken from its mouth, and besides:

    ShufflerPoweredUp   at every start of the machine: what it knows of the cards inside
    ShufflerState       empty, shuffling, ready, checking, jammed or stopped, with the machine's own count
    ShufflerLoaded      cards went in, as the machine counted them
    ShufflerMode        shuffle, sort or single_deck, and who set it
    CardPresented       a card stands in the mouth after the mouth was empty, or was ejected; not told for every card
    DoublePresented     two cards stand in the mouth; TwoDrawn follows when they are taken
    ShufflerJam         a card is stuck in feed, wheel or mouth; told again when the machine gives up freeing it
    ShufflerJamOver     it is free, by the machine or by a person
    DeckChecked         what a check found, by identity
    ShufflerSwapped     another machine stands here than before, with what the former one had inside
    DeviceTrouble       "door_open", "mouth_empty", "reader_dirty", "jam" (only when the machine gave up), "wrong_mode"
                        (another than the table expects), "stopped" (cards inside that it knows nothing of)

A count (`inside`) is what the machine believes and may be wrong; `certain` says only that it knows of no reason.
The face of a card is told when it is taken and never before.
Orders: Eject, StartCheck (check, decks), SetMode (mode), Count.  Outputs: `locked` and `lamp`, as those of the shoe.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from firmware_specs.clock import Clock
from firmware_specs.link import Identity
from firmware_specs.messages import shuffler as wire
from firmware_specs.port import Port
from firmware_specs.spec import Message

from .cards import CARD_OF, DECK, CardSource
from .cards import EVENTS as CARD_EVENTS
from .events import DeviceEvent, Mark, Sink
from .listener import Recorder

State = Literal["empty", "shuffling", "ready", "checking", "jammed", "stopped"]
Mode = Literal["shuffle", "sort", "single_deck"]
Place = Literal["feed", "wheel", "mouth"]
By = Literal["host", "keys", "machine"]

STATES: dict[int, State] = {
    wire.State.EMPTY: "empty",
    wire.State.SHUFFLING: "shuffling",
    wire.State.READY: "ready",
    wire.State.CHECKING: "checking",
    wire.State.JAMMED: "jammed",
    wire.State.STOPPED: "stopped",
}
MODES: dict[int, Mode] = {wire.Mode.SHUFFLE: "shuffle", wire.Mode.SORT: "sort", wire.Mode.SINGLE_DECK: "single_deck"}
PLACES: dict[int, Place] = {wire.Place.FEED: "feed", wire.Place.WHEEL: "wheel", wire.Place.MOUTH: "mouth"}
BY: dict[int, By] = {wire.By.HOST: "host", wire.By.KEYS: "keys", wire.By.MACHINE: "machine"}

CONDITIONS = {
    wire.Condition.DOOR_OPEN: (
        "door_open",
        (
            "The door of the shuffler is open.",
            "Close the door. If it is closed, its switch has failed: use another shuffler.",
        ),
    ),
    wire.Condition.MOUTH_EMPTY: (
        "mouth_empty",
        (
            "No card comes to the mouth of the shuffler, though it counts cards inside.",
            "Open the door and look for a card that hangs; if there is none, the count is wrong: check every card.",
        ),
    ),
    wire.Condition.READER_DIRTY: (
        "reader_dirty",
        (
            "The reader of the shuffler is dirty and sees cards less and less well.",
            "Wipe the window in the mouth of the shuffler with a dry lint-free cloth.",
        ),
    ),
}
STOPPED = (
    "The shuffler lost its memory with cards inside and does not know which or how many.",
    "Take every card out, check them by identity, and load them again.",
)
JAMMED_AT_START = (
    "A card is stuck in the shuffler since before its power went.",
    "Open the door, take the stuck card out, see whether it is damaged, and close the door.",
)


class ShufflerPoweredUp(DeviceEvent, frozen=True):
    """The machine started; `occupied` when it sees cards inside, `mouth` what stands in its mouth."""

    kept_memory: bool
    state: State
    mode: Mode
    inside: int
    certain: bool
    occupied: bool
    mouth: int


class ShufflerState(DeviceEvent, frozen=True):
    """What the machine is doing now."""

    state: State
    inside: int
    certain: bool


class ShufflerLoaded(DeviceEvent, frozen=True):
    """Cards went in."""

    added: int
    inside: int


class ShufflerMode(DeviceEvent, frozen=True):
    """How the machine orders cards from now on."""

    mode: Mode
    by: By


class CardPresented(DeviceEvent, frozen=True):
    """A card stands in the mouth; it will be taken under this draw number."""

    draw: int


class DoublePresented(DeviceEvent, frozen=True):
    """Two cards stand in the mouth where there should be one."""

    draws: tuple[int, int]
    order_known: bool


class ShufflerJam(DeviceEvent, frozen=True):
    """A card is stuck; a person must free it unless the machine is still `recovering`."""

    jam: int
    place: Place
    compartment: int
    recovering: bool


class ShufflerJamOver(DeviceEvent, frozen=True):
    """The stuck card is free; after a person's hand the machine is no longer certain of its count."""

    jam: int
    place: Place
    by: By
    state: State
    inside: int
    certain: bool


class DeckChecked(DeviceEvent, frozen=True):
    """What a check found; `count` is the machine's counter, everything else is by identity."""

    check: int
    decks: int
    complete: bool
    good: bool
    count: int
    missing: tuple[str, ...] = ()
    surplus: tuple[str, ...] = ()
    unread: int = 0
    jokers: int = 0
    foreign: int = 0
    boxed: tuple[str, ...] = ()


class ShufflerSwapped(DeviceEvent, frozen=True):
    """Another machine stands here; `left_inside` is what the former one counted, None when that is not known."""

    before: str
    now: str
    left_inside: int | None


EVENTS = (
    *CARD_EVENTS,
    ShufflerPoweredUp,
    ShufflerState,
    ShufflerLoaded,
    ShufflerMode,
    CardPresented,
    DoublePresented,
    ShufflerJam,
    ShufflerJamOver,
    DeckChecked,
    ShufflerSwapped,
)
"""What is told of the shuffler and of the cards from it, for the journal."""


def against_decks(tally: Sequence[int], decks: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The cards that are missing from so many decks, and those there are too many of."""
    missing: list[str] = []
    surplus: list[str] = []
    for card, found in zip(DECK, tally, strict=True):
        missing += [card] * (decks - found)
        surplus += [card] * (found - decks)
    return tuple(missing), tuple(surplus)


class Shuffler(CardSource):
    """The host end of a continuous shuffler; `expects` is the mode the table deals in."""

    def __init__(
        self,
        name: str,
        clock: Clock,
        port: Port,
        sink: Sink,
        *,
        expects: Mode = "shuffle",
        serial: str | None = None,
        resume: Mark | None = None,
        recorder: Recorder | None = None,
    ) -> None:
        super().__init__(name, wire.SPEC, clock, port, sink, serial=serial, resume=resume, recorder=recorder)
        self.expects: Mode = expects
        self._inside: int | None = None

    def on_up(self, identity: Identity, lost: bool) -> None:
        before = self.last_serial
        super().on_up(identity, lost)
        if before and before != identity.serial:
            self.tell(ShufflerSwapped(self.name, before, identity.serial, self._inside))
            self._inside = None

    def on_event(self, number: int, message: Message) -> None:
        match message:
            case wire.CardOut():
                if message.look == 1:
                    self._leaves(1)
                self.card_out(
                    number,
                    message.draw,
                    message.look,
                    message.reading,
                    message.card,
                    message.confidence,
                    message.second,
                    message.second_confidence,
                    message.face_up,
                    message.forced,
                )
            case wire.TwoOut():
                self._leaves(2)
                self.two_out(
                    number,
                    message.draw,
                    message.readings,
                    message.cards,
                    message.confidences,
                    message.order_known,
                    message.forced,
                )
            case wire.PushedBack():
                if message.told:
                    self._leaves(-1)
                self.pushed_back(number, message.draw, message.card, message.confidence, message.told)
            case wire.Loaded():
                self._inside = message.inside
                self.tell(ShufflerLoaded(self.name, message.added, message.inside), number)
            case wire.CardPresented():
                self.tell(CardPresented(self.name, message.draw), number)
            case wire.TwoPresented():
                draws = (message.draw, message.draw + 1)
                self.tell(DoublePresented(self.name, draws, message.order_known), number)
            case wire.StateChanged():
                self._inside = message.inside
                self.trouble("stopped", message.state is wire.State.STOPPED, STOPPED)
                self.tell(ShufflerState(self.name, STATES[message.state], message.inside, message.certain), number)
            case wire.ConditionChanged():
                code, words = CONDITIONS[message.condition]
                self.trouble(code, message.on, words, number)
            case wire.ModeChanged():
                self._mode(message.mode)
                self.tell(ShufflerMode(self.name, MODES[message.mode], BY[message.by]), number)
            case wire.Jam():
                self._jam(number, message)
            case wire.JamOver():
                self._jam_over(number, message)
            case wire.DeckChecked():
                self._checked(number, message)
            case wire.PoweredUp():
                self._powered_up(number, message)
            case _:
                self.settle(number)

    def _leaves(self, cards: int) -> None:
        if self._inside is not None:
            self._inside = max(self._inside - cards, 0)

    def _mode(self, mode: wire.Mode) -> None:
        told, wanted = MODES[mode], self.expects
        words = (
            f"The shuffler is in mode {told}, and this table deals in mode {wanted}.",
            f"Set the shuffler to {wanted}, and have cards that came out in the wrong mode shuffled again.",
        )
        self.trouble("wrong_mode", told != wanted, words)

    def _jam(self, number: int, jam: wire.Jam) -> None:
        place = PLACES[jam.place]
        if not jam.recovering:
            where = f"compartment {jam.compartment} of the wheel" if place == "wheel" else f"the {place}"
            words = (
                f"A card is stuck at {where} of the shuffler." if place != "wheel" else f"A card is stuck at {where}.",
                "Open the door, take the stuck card out, see whether it is damaged, and close the door.",
            )
            self.trouble("jam", True, words)
        self.tell(ShufflerJam(self.name, jam.jam, place, jam.compartment, jam.recovering), number)

    def _jam_over(self, number: int, over: wire.JamOver) -> None:
        self._inside = over.inside
        self.trouble("jam", False, JAMMED_AT_START)
        state = STATES[over.state]
        event = ShufflerJamOver(self.name, over.jam, PLACES[over.place], BY[over.by], state, over.inside, over.certain)
        self.tell(event, number)

    def _checked(self, number: int, found: wire.DeckChecked) -> None:
        complete = found.complete and len(found.tally) == len(DECK)
        missing, surplus = against_decks(found.tally, found.decks) if complete else ((), ())
        boxed = tuple(CARD_OF[code] for code in found.boxed if code)
        clean = not (missing or surplus or boxed or found.unread or found.jokers or found.foreign)
        event = DeckChecked(
            self.name,
            check=found.check,
            decks=found.decks,
            complete=complete,
            good=complete and clean,
            count=found.count,
            missing=missing,
            surplus=surplus,
            unread=found.unread,
            jokers=found.jokers,
            foreign=found.foreign,
            boxed=boxed,
        )
        self.tell(event, number)

    def _powered_up(self, number: int, found: wire.PoweredUp) -> None:
        self.powered_up(found.kept_memory, found.next_draw)
        self._inside = found.inside
        for condition, on in (
            (wire.Condition.DOOR_OPEN, found.door_open),
            (wire.Condition.MOUTH_EMPTY, found.mouth_empty),
            (wire.Condition.READER_DIRTY, found.reader_dirty),
        ):
            code, words = CONDITIONS[condition]
            self.trouble(code, on, words)
        self.trouble("jam", found.state is wire.State.JAMMED, JAMMED_AT_START)
        self.trouble("stopped", found.state is wire.State.STOPPED, STOPPED)
        self._mode(found.mode)
        event = ShufflerPoweredUp(
            self.name,
            kept_memory=found.kept_memory,
            state=STATES[found.state],
            mode=MODES[found.mode],
            inside=found.inside,
            certain=found.certain,
            occupied=found.occupied,
            mouth=int(found.mouth),
        )
        self.tell(event, number)
