"""The continuous shuffler: its works on a wire, with a back door for the hands and for what shall go wrong."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable
from typing import Literal

from firmware_specs.clock import Clock
from firmware_specs.messages import shuffler as wire
from firmware_specs.messages.shuffler import By, Condition, Mode, Mouth, Place, State
from firmware_specs.port import Port
from firmware_specs.spec import Message
from simulators.behaviour import Refusal
from simulators.card_mouth import CannotDraw, Then
from simulators.card_reader import MishapRates, thing
from simulators.link import DeviceLink
from simulators.shuffler_works import CHECK_CARD_S, CHECK_ONE_DECK_S, PRESENT_S, JamPlan, ShufflerWorks

SPEC = wire.SPEC


class CardShuffler(ShufflerWorks):
    """A simulated shuffler; `left_inside` are cards from an earlier use that the machine knows nothing of."""

    def __init__(
        self,
        clock: Clock,
        port: Port,
        *,
        serial: str = "SHUF-1",
        firmware: str = "1.0.0",
        seed: int = 0,
        both_sides: bool = True,
        rates: MishapRates | None = None,
        mode: Mode = Mode.SHUFFLE,
        left_inside: Iterable[str] = (),
    ) -> None:
        super().__init__(clock, f"shuffler {serial} {seed}", rates, both_sides, mode, left_inside)
        capabilities = sum(SPEC.capabilities.values()) - (0 if both_sides else SPEC.capabilities["both_sides"])
        self.link = DeviceLink(
            clock, port, SPEC, self, serial=serial, firmware=firmware, capabilities=capabilities, seed=seed
        )

    def start(self) -> None:
        if not self._on:
            self.link.start()
            self.powered(True, True)

    def stop(self) -> None:
        self.link.stop()

    # The back door: what hands do to the machine, and what shall go wrong.

    def load(self, cards: Iterable[str]) -> None:
        """Put cards into the feed."""
        fresh = list(cards)
        for card in fresh:
            thing(card)
        self.feed += fresh
        self._resume()

    def stack(self, cards: Iterable[str]) -> None:
        """Let these cards, which are inside or in the feed, come out next and in this order."""
        wanted = list(cards)
        lacking = Counter(wanted) - Counter([*self.inside, *self.feed, *self.mouth])
        if lacking:
            raise ValueError(f"not inside the shuffler: {' '.join(sorted(lacking.elements()))}")
        self._stacked = deque(wanted)
        if self.mouth and not self._pulling:
            self._retract()
            self._present_soon()

    def draw(self, then: Then | None = None, *, force: bool = False) -> float:
        """Take the card from the mouth, waiting for one that is on its way; `then` gets what the hand holds."""
        if self._pulling or self._waiting:
            raise CannotDraw("a hand is already at the mouth of the shuffler")
        if self.locked and not force:
            raise CannotDraw("the gate of the shuffler is locked")
        if self.link.nearly_full and not force:
            raise CannotDraw("the gate of the shuffler is locked: there is no room to remember a card")
        if self.mouth:
            return self._pull(self._mishap, then)
        if not (self._presenting or self._recovering):
            raise CannotDraw("no card is at the mouth of the shuffler")
        self._waiting.append(then)
        return PRESENT_S + self.reader.pull_s()

    def take_out(self) -> list[str]:
        """Empty the machine through its door."""
        if self._pulling:
            raise CannotDraw("a card is on its way out of the shuffler; let go of it first")
        was_open = self.door_open
        self.open_door()
        if self._jam is not None:
            self.feed += self.clear_jam()
        cards = [*self.feed, *self.inside, *self.mouth]
        self.feed, self.inside, self.mouth = [], [], ()
        self._stacked.clear()
        self._flowing = False
        self.count, self.certain = 0, True
        self._set_mouth_empty(False)
        self._set_state(State.EMPTY)
        if not was_open:
            self.close_door()
        return cards

    def lift_deck(self) -> list[str]:
        """Take the shuffled deck off its lift, from the top; in single-deck mode only, and only when it is ready."""
        if self.mode is not Mode.SINGLE_DECK or self.state is not State.READY:
            raise CannotDraw("no shuffled deck stands on the lift of the shuffler")
        self._retract()
        deck, self.inside = list(self._stacked), [card for card in self.inside if card not in self._stacked]
        deck += reversed(self.inside)
        self.inside = []
        self._stacked.clear()
        self.count, self.certain = 0, True
        self._set_state(State.EMPTY)
        return deck

    def open_door(self) -> None:
        """The machine stands still; a check is broken off."""
        if not self.door_open:
            self.door_open = True
            self._condition(Condition.DOOR_OPEN, True)
            self._break_off_check()

    def close_door(self) -> None:
        if self.door_open:
            self.door_open = self._starving = False
            self._condition(Condition.DOOR_OPEN, False)
            self._resume()

    def set_mode(self, mode: Mode) -> None:
        """Turn the mode with the machine's own keys."""
        self._change_mode(mode, By.KEYS)

    def jam(
        self,
        place: Literal["feed", "wheel", "mouth"],
        *,
        recovers: bool = True,
        compartment: int = 0,
        after: int = 0,
    ) -> None:
        """Let a card stick at the next feeding (feed) or presentation (wheel, mouth), or so many after it."""
        feeding = place == "feed"
        when = (self._feeds if feeding else self._presentations) + after
        if place == "wheel" and not compartment:
            compartment = self._random.randint(1, 38)
        self._jams_due[feeding, when] = JamPlan(Place[place.upper()], compartment, recovers)

    def clear_jam(self) -> list[str]:
        """Free what is stuck by hand, with the door open; the hand holds it then, and the count is in doubt."""
        if self._jam is None:
            raise ValueError("nothing is stuck in the shuffler")
        if not self.door_open:
            raise ValueError("open the door of the shuffler first")
        cards = list(self.stuck)
        self.stuck = ()
        self.certain = False
        self._jam_over(By.KEYS)
        return cards

    def starve(self) -> None:
        """Let no card come to the mouth until the door was opened and closed."""
        self._starving = True
        self._retract()
        self._present_soon()

    def miscount(self, by: int) -> None:
        """Let the feed count the next cards wrong by so many."""
        self._miscount = by

    # The behaviour behind the wire.

    def command(self, command_id: int, message: Message) -> Message | Refusal | None:
        if isinstance(message, wire.Count):
            return wire.CountResult(self.count, self.certain)
        why_not = self._why_not()
        if why_not:
            return Refusal(why_not)
        if isinstance(message, wire.Eject):
            if self.mouth or self._ejecting is not None:
                return Refusal("a card stands in the mouth already; take it first")
            if self.state is not State.READY:
                return Refusal(f"no card can be dealt while the shuffler is {self.state.name.lower()}")
            self._ejecting = command_id
            self._present_soon()
            return None
        if isinstance(message, wire.StartCheck):
            if self.state is not State.READY:
                return Refusal(f"cards cannot be checked while the shuffler is {self.state.name.lower()}")
            self._retract()
            self._check = message
            self._set_state(State.CHECKING)
            each = CHECK_ONE_DECK_S if self.mode is Mode.SINGLE_DECK else CHECK_CARD_S
            self._after(each * len(self.inside), self._checked, message)
            return wire.StartCheckResult(self.count)
        if isinstance(message, wire.SetMode):
            if self.state is State.CHECKING:
                return Refusal("the cards are being checked; wait until that is over")
            self._change_mode(message.mode, By.HOST)
            return wire.SetModeResult(self.mode)
        return Refusal(f"this shuffler knows no {type(message).__name__}")

    def outputs(self, outputs: Message, why: str) -> None:
        assert isinstance(outputs, wire.Outputs)
        self.locked, self.lamp = outputs.locked, outputs.lamp

    def powered(self, on: bool, kept_memory: bool) -> None:
        self._on = on
        self._life += 1
        self._feeding = self._mixing = self._presenting = self._recovering = False
        self._ejecting = None
        self._leave_hand_empty()
        if not on:
            return
        if kept_memory and self._begun:
            self.count = max(self.count - 1, 0)
        self._power_returned(kept_memory)
        if not kept_memory:
            self.count, self.mode, self._check = 0, self._first_mode, None
            self._told_mouth_empty = False
        unknown = bool(self.inside or self.mouth or self.stuck) and not self.count
        if self._jam is not None:
            self.state = State.JAMMED
            if unknown:
                self._state_before_jam = State.STOPPED
        elif unknown:
            self.state = State.STOPPED
        elif not kept_memory:
            self.state = State.EMPTY
        elif self.state is State.CHECKING:
            self.state = State.SHUFFLING
        self.certain = self.certain and not unknown
        self._flowing = False
        self.link.post(
            wire.PoweredUp(
                at=self._at(),
                kept_memory=kept_memory,
                next_draw=self._next_draw,
                state=self.state,
                mode=self.mode,
                inside=self.count,
                certain=self.certain,
                occupied=bool(self.feed or self.inside or self.mouth or self.stuck),
                mouth=Mouth(min(len(self.mouth), 2)),
                door_open=self.door_open,
                mouth_empty=self._told_mouth_empty,
                reader_dirty=self._dirty,
            )
        )
        if self._check is not None:
            self._tell_check(self._check, complete=False)
        self._resume()

    def _why_not(self) -> str:
        """Why the machine does nothing now; empty when it works."""
        if not self._on:
            return "the shuffler has no power"
        if self.door_open:
            return "the door of the shuffler is open; close it first"
        if self._jam is not None:
            return f"a card is stuck in the {self._jam.place.name.lower()} of the shuffler; clear the jam first"
        if self.state is State.STOPPED:
            return "the shuffler does not know what is inside; empty it and load it again"
        if self._pulling:
            return "a hand is at the mouth of the shuffler"
        return ""
