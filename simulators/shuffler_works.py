"""What a continuous shuffler does by itself with the cards inside: feed, mix, present, stick, check.

Where the cards really are and what the machine believes of them (its count, its mode, its mouth) are kept apart.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterable

import msgspec

from firmware_specs.cards import DECK
from firmware_specs.clock import Clock
from firmware_specs.messages import shuffler as wire
from firmware_specs.messages.shuffler import By, Condition, Mode, Place, State
from simulators.behaviour import Refusal
from simulators.card_mouth import CardMouth, Then
from simulators.card_reader import CARD, JOKER, UNREADABLE, Mishap, MishapRates, thing

FEED_CARD_S = 0.05  # from the tray into the wheel
MIX_S = 4.0  # until the first card after loading can be dealt
PRESENT_S = 0.35  # from the wheel into the mouth
CHECK_CARD_S = 0.35  # past the reader and back
CHECK_ONE_DECK_S = 0.1  # a card of a single deck, read on its way through
RECOVERY_S = 3.0  # shaking a stuck card free, or giving up
SURE = 90  # below this a check counts a card as unread


class JamPlan(msgspec.Struct, frozen=True):
    """A card that will stick."""

    place: Place
    compartment: int
    recovers: bool


class ShufflerWorks(CardMouth):
    """Feed, wheel and mouth, and the machine's idea of them."""

    card_out = wire.CardOut
    two_out = wire.TwoOut
    pushed_back = wire.PushedBack
    condition_changed = wire.ConditionChanged
    readings = tuple(wire.Reading)
    reader_dirty = Condition.READER_DIRTY

    def __init__(
        self,
        clock: Clock,
        name: str,
        rates: MishapRates | None,
        both_sides: bool,
        mode: Mode,
        left_inside: Iterable[str],
    ) -> None:
        super().__init__(clock, name, rates, both_sides)
        self._random = random.Random(f"{name} wheel")
        # Where the cards are.
        self.feed: list[str] = []
        self.inside: list[str] = list(left_inside)
        self.mouth: tuple[str, ...] = ()
        self.stuck: tuple[str, ...] = ()
        # What the machine believes.
        self.count = 0
        self.certain = True
        self.state = State.EMPTY
        self.mode = self._first_mode = mode
        self.door_open = False
        self.lamp = wire.Lamp.RED
        self._told_mouth_empty = False
        self._flowing = False  # cards follow each other in the mouth without a word
        # What it is about.
        self._feeding = self._mixing = self._presenting = False
        self._check: wire.StartCheck | None = None
        self._ejecting: int | None = None
        self._waiting: list[Then | None] = []  # a hand at the empty mouth
        self._mishap: Mishap | None = None
        self._jam: JamPlan | None = None
        self._recovering = False
        self._state_before_jam = State.READY
        self._jams = 0
        # What will go wrong, and where the next cards come from.
        self._jams_due: dict[tuple[bool, int], JamPlan] = {}
        self._feeds = self._presentations = 0
        self._starving = False
        self._miscount = 0
        self._stacked: deque[str] = deque()

    def _works(self) -> bool:
        return self._on and not self.door_open and self._jam is None and self.state is not State.STOPPED

    def _resume(self) -> None:
        """Go on with whatever there is to do."""
        if not self._works():
            return
        if self.feed and not self._feeding:
            self._feeding = True
            if self.state is State.EMPTY:
                self._set_state(State.SHUFFLING)
            self._after(FEED_CARD_S * len(self.feed), self._fed)
        elif self.state is State.SHUFFLING and not (self._feeding or self._mixing):
            self._mix()
        self._present_soon()

    # From the feed into the wheel.

    def _fed(self) -> None:
        self._feeding = False
        if not self._works() or not self.feed:
            return
        plan = self._jams_due.pop((True, self._feeds), None) if self._jams_due else None
        self._feeds += 1
        if plan is not None:
            self.stuck = (self.feed.pop(0),)
            self._stick(plan)
            return
        added = max(len(self.feed) + self._miscount, 0)
        self.inside += self.feed
        self.feed = []
        self._miscount = 0
        self.count += added
        self.link.post(wire.Loaded(self._at(), added, self.count))
        if self.state is State.EMPTY:  # the last card was taken while these were on their way in
            self._set_state(State.SHUFFLING)
        self._resume()

    def _mix(self) -> None:
        self._mixing = True
        self._after(MIX_S, self._mixed)

    def _mixed(self) -> None:
        self._mixing = False
        if not self._works() or self.state is not State.SHUFFLING:
            return
        if self.mode is Mode.SINGLE_DECK:
            self._random.shuffle(self.inside)
        self._flowing = False
        self._set_state(State.READY if self.inside else State.EMPTY)
        self._present_soon()

    def _change_mode(self, mode: Mode, by: By) -> None:
        if mode is self.mode:
            return
        self.mode = mode
        if self._on:
            self.link.post(wire.ModeChanged(self._at(), mode, by))
        self._retract()
        if self.state is State.READY:
            self._set_state(State.SHUFFLING)
        self._resume()

    # From the wheel into the mouth.

    def _present_soon(self) -> None:
        if self._presenting or self.mouth or self.state is not State.READY or not self._works():
            return
        if self.mode is Mode.SHUFFLE or self._ejecting is not None:
            self._presenting = True
            self._after(PRESENT_S, self._present)

    def _present(self) -> None:
        self._presenting = False
        if self.mouth or self.state is not State.READY or not self._works():
            return
        if self._stacked and self._stacked[0] not in self.inside and self._stacked[0] in self.feed:
            self._presenting = True  # what shall come next is not in the wheel yet
            self._after(PRESENT_S, self._present)
            return
        plan = self._jams_due.pop((False, self._presentations), None) if self._jams_due else None
        self._presentations += 1
        if plan is not None:
            if self.inside:
                self.stuck = (self._pick(),)
            self._stick(plan)
            return
        if not self.inside or self._starving:
            self._none_comes()
            return
        if self._mishap is None:
            self._mishap = self.reader.next_mishap()
        mishap = self._mishap
        if mishap is not None and mishap.kind == "two" and len(self.inside) > 1:
            self.mouth = (self._pick(), self._pick())
        else:
            self.mouth = (self._pick(),)
        self._set_mouth_empty(False)
        if len(self.mouth) == 2 and mishap is not None:
            self.link.post(wire.TwoPresented(self._at(), self._next_draw, mishap.order_known))
        elif not self._flowing or self._ejecting is not None:
            self.link.post(wire.CardPresented(self._at(), self._next_draw))
        self._flowing = True
        if self._ejecting is not None:
            command_id, self._ejecting = self._ejecting, None
            self.link.finish(command_id, wire.EjectResult(self._next_draw))
        if self._waiting:
            if self.locked:
                self._leave_hand_empty()
            else:
                self._pull(mishap, self._waiting.pop())

    def _pick(self) -> str:
        """Which card comes next."""
        cards = self.inside
        if self._stacked:
            card = self._stacked.popleft()
            cards.remove(card)
            return card
        if self.mode is Mode.SHUFFLE:
            at = self._random.randrange(len(cards))
            cards[at], cards[-1] = cards[-1], cards[at]
        elif self.mode is Mode.SORT:
            at = min(range(len(cards)), key=lambda place: thing(cards[place]).code)
            cards[at], cards[-1] = cards[-1], cards[at]
        return cards.pop()

    def _retract(self) -> None:
        """Take what stands in the mouth back into the wheel."""
        if not self._pulling:
            self.inside += self.mouth
            self.mouth = ()
            self._flowing = False

    def _none_comes(self) -> None:
        self._flowing = False
        if self.count:
            self._set_mouth_empty(True)
        else:
            self._set_state(State.EMPTY)
        self._give_up_ejecting("no card comes to the mouth")
        self._leave_hand_empty()

    def _spoil(self, mishap: Mishap, after: int) -> None:
        """The next draw is that of the card in the mouth, if there is one."""
        if not self.mouth or self._pulling:
            self.reader.spoil(mishap, after)
        elif after:
            self.reader.spoil(mishap, after - 1)
        else:
            self._mishap = mishap
            if mishap.kind == "two":
                self._retract()
                self._present_soon()

    def _lift(self, mishap: Mishap | None) -> tuple[str, ...]:
        return self.mouth

    def _first(self) -> str:
        return self.mouth[0]

    def _gone(self, cards: int, seen: bool) -> None:
        self.mouth = ()
        self._mishap = None
        if seen:
            self.count = max(self.count - cards, 0)
        self._present_soon()

    def _went_back(self) -> None:
        self._mishap = self.reader.next_mishap()

    def _give_up_ejecting(self, why: str) -> None:
        if self._ejecting is not None:
            command_id, self._ejecting = self._ejecting, None
            self.link.finish(command_id, Refusal(why, failed=True))

    def _leave_hand_empty(self) -> None:
        while self._waiting:
            then = self._waiting.pop()
            if then is not None:
                then(())

    # Stuck cards.

    def _stick(self, plan: JamPlan) -> None:
        self._jams = (self._jams + 1) & 0xFFFF
        self._jam = plan
        self._recovering = True
        self._flowing = False
        self._state_before_jam, self.state = self.state, State.JAMMED
        self._post_jam(plan)
        self._after(RECOVERY_S, self._shake_free, plan)

    def _shake_free(self, plan: JamPlan) -> None:
        if self._jam is not plan:
            return
        self._recovering = False
        if plan.recovers and not self.door_open:
            if plan.place is Place.FEED:
                self.feed = [*self.stuck, *self.feed]
            else:
                self.inside += self.stuck
            self.stuck = ()
            self._jam_over(By.MACHINE)
        else:
            self._post_jam(plan)
            self._give_up_ejecting("a card is stuck")
            self._leave_hand_empty()

    def _jam_over(self, by: By) -> None:
        assert self._jam is not None
        place = self._jam.place
        self._jam = None
        self._recovering = False
        self.state = self._state_before_jam
        if self._on:
            self.link.post(wire.JamOver(self._at(), self._jams, place, by, self.state, self.count, self.certain))
        self._resume()

    def _post_jam(self, plan: JamPlan) -> None:
        self.link.post(wire.Jam(self._at(), self._jams, plan.place, plan.compartment, self._recovering))

    # Checking every card.

    def _checked(self, check: wire.StartCheck) -> None:
        if self._check is check:
            self._tell_check(check, complete=True)
            if self.mode is Mode.SINGLE_DECK:  # read on its way through, and mixed as it was read
                self._random.shuffle(self.inside)
                self._set_state(State.READY)
                return
            self._set_state(State.SHUFFLING)
            self._resume()

    def _break_off_check(self) -> None:
        if self._check is not None:
            self._tell_check(self._check, complete=False)
            self._set_state(State.SHUFFLING)

    def _tell_check(self, check: wire.StartCheck, complete: bool) -> None:
        self._check = None
        tally = [0] * len(DECK) if complete else []
        unread = jokers = foreign = 0
        boxed: list[int] = []
        for card in self.inside if complete else ():
            look = self.reader.look(card)
            if look.reading == UNREADABLE or (look.reading == CARD and look.confidence < SURE):
                unread += 1
            elif look.reading == CARD:
                tally[look.card - 1] += 1
                if look.face_up:
                    boxed.append(look.card)
            elif look.reading == JOKER:
                jokers += 1
            else:
                foreign += 1
        self.link.post(
            wire.DeckChecked(
                at=self._at(),
                check=check.check,
                decks=check.decks,
                complete=complete,
                count=self.count,
                tally=tuple(tally),
                unread=min(unread, 255),
                jokers=min(jokers, 255),
                foreign=min(foreign, 255),
                boxed=tuple(boxed[:52]),
            )
        )
        self._show()

    # What is told.

    def _set_state(self, state: State) -> None:
        if state is not self.state:
            self.state = state
            if self._on:
                self.link.post(wire.StateChanged(self._at(), state, self.count, self.certain))

    def _set_mouth_empty(self, empty: bool) -> None:
        if empty != self._told_mouth_empty:
            self._told_mouth_empty = empty
            self._condition(Condition.MOUTH_EMPTY, empty)

    def _show(self) -> None:
        self.link.live(wire.Inside(self.count, 100 - self.reader.dirt))
