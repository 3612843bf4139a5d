"""A poker crew that plays by itself: dealer and players, sensible most of the time, and now and then not."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from firmware_specs.clock import Clock
from simulators.card_mouth import CannotDraw
from simulators.people.chips import Felt
from simulators.people.poker_habits import Habits
from simulators.people.poker_screen import BOARD, BURN, MUCK, Antennas, Areas, PokerScreen, Shuffler, Wanted
from simulators.people.table import Question

REACTION_S = (0.2, 0.6)
DEAL_S = 0.2
"""From one card to the next."""
KEY_AFTER_S = 4.0
"""How long the dealer waits for antennas that have not seen a hand thrown in."""
RANKS = "23456789TJQKA"
ROUND = (10_000, 2_500, 500)
"""People wager round amounts, in few chips."""


class PokerCrew:
    """Dealer, supervisor and players; driven by what the screen says and by the clock."""

    def __init__(
        self,
        clock: Clock,
        screen: PokerScreen,
        felt: Felt,
        antennas: Antennas,
        shuffler: Shuffler | None,
        decks: Sequence[dict[int, str]],
        areas: Areas,
        seed: int,
        habits: Habits | None = None,
        *,
        buy_in: int = 50_000,
        chip: int = 250,
        side_wagers: bool = False,
    ) -> None:
        self.clock = clock
        self.screen = screen
        self.felt = felt
        self.antennas = antennas
        self.shuffler = shuffler
        self.areas = areas
        self.habits = habits or Habits()
        self.hands = 0
        self.standing_back = False
        self._decks = [list(deck) for deck in decks]
        """Tags of the decks: the first is in play, the next is the one in the shuffler."""
        self._faces = {tag: face for deck in decks for tag, face in deck.items()}
        self._random = random.Random(seed)
        self._buy_in, self._chip, self._side_wagers = buy_in, chip, side_wagers
        self._busy = False
        self._latest = 0
        self._stub: list[int] = list(self._decks[0])
        self._loaded: list[int] = []
        self._held: dict[int, list[int]] = {}
        self._board: list[int] = []
        self._aside: list[int] = []
        self._folded: dict[int, float] = {}
        self._waited: dict[int, float] = {}
        self._shown: dict[int, int] = {}
        """Hole cards that the dealer has shown, by seat."""
        self._begun = False
        self._reported = False
        self._do: dict[str, Callable[[Wanted], None]] = {
            "blind": self._blinds,
            "fee": lambda wanted: self.screen.press("fees", 1),
            "shuffle": self._shuffle,
            "cut": self._cut,
            "card": self._deal,
            "action": self._action,
            "discard": self._discard,
            "burn": self._street,
            "board": self._street,
            "show": self._show,
            "push": self._push,
            "drop": self._drop,
            "decision": self._rule,
            "step": self._carry_out,
        }

    # -- reacting ----------------------------------------------------------------------------------------------

    def stand_back(self, back: bool) -> None:
        """Leave the table to somebody else, or take it over again."""
        self.standing_back = back
        if not back:
            self.look()

    def look(self) -> None:
        """Something changed on the screen: do what is due, after a person's reaction time."""
        if self._busy or self.standing_back:
            return
        self._busy = True
        self.clock.call_later(self._random.uniform(*REACTION_S), self._act)

    def _act(self) -> None:
        self._busy = False
        if self.standing_back:
            return
        life = self.screen.life()
        if life == "closed" and self._begun:
            self._gather()  # the table closed with the hand that was over
        elif life == "closed":
            self.screen.press("open", 1)
        elif life in ("open", "closing"):
            if self._changes_bad_deck():
                self._again(1.0)
            elif self.screen.state() == "between_hands":
                self._between()
            else:
                wanted = self.screen.wanted()
                due = self._do.get(wanted.what)
                if due is not None:
                    due(wanted)

    def _then(self, delay: float, action: Callable[..., None], *args: object) -> None:
        """Do this a little later; until then nothing else."""
        self._busy = True
        self._latest += 1
        self.clock.call_later(delay, self._now, self._latest, action, args)

    def _now(self, number: int, action: Callable[..., None], args: tuple[object, ...]) -> None:
        if number == self._latest:  # what was put off later still has to come
            self._busy = False
        action(*args)

    def _again(self, delay: float) -> None:
        self._then(delay, self.look)

    def _happens(self, chance: float) -> bool:
        return chance > 0 and self._random.random() < chance

    def top_card(self) -> int | None:
        """The next card off the deck in the dealer's hand."""
        return self._stub.pop(0) if self._stub else None

    def take_up(self) -> None:
        self._take_up_cards()

    # -- between hands -----------------------------------------------------------------------------------------

    def _between(self) -> None:
        if self._begun:
            self._gather()
            return
        stacks = self.screen.stacks()
        for seat in range(1, self.habits.players + 1):
            if seat not in stacks:
                self.screen.press("sit", 1, {"seat": seat, "player": f"P{seat}", "amount": self._buy_in})
                return
        for seat, stack in stacks.items():
            if stack < self._buy_in // 5:
                self.screen.press("add_chips", 1, {"seat": seat, "amount": self._buy_in})
                return
        self._begun = True
        self.hands += 1
        self._reported = False
        self.screen.press("start_hand", 1)

    def _gather(self) -> None:
        """Take everything up and put the deck into the shuffler."""
        self._begun = False
        for area in range(1, self.areas.drop + 1 + 2 * self.areas.seats):
            self.felt.clear(area)
        self._take_up_cards()
        self._again(1.0)

    def _take_up_cards(self) -> None:
        places = [*range(self.areas.seats + 1), BOARD, BURN]
        lying = [tag for place in places for tag in self.antennas.lying(place)]
        self.antennas.remove(lying)
        self._held, self._board, self._aside, self._shown = {}, [], [], {}
        self._stub = list(self._decks[0])
        self._load()

    def _load(self) -> None:
        """Put the deck that was played into the shuffler; the other one is dealt meanwhile."""
        if self.shuffler is not None and not self._loaded:
            self._loaded = self._decks[-1]
            self.shuffler.load([self._faces[tag].upper() for tag in self._loaded])

    def _changes_bad_deck(self) -> bool:
        """A deck that was found defective is changed before anything else is done."""
        if not self.screen.deck_is_bad() or self.screen.state() not in ("between_hands", "posting", "shuffling"):
            return False
        if self.shuffler is not None and self._loaded:
            self.shuffler.take_out()
            self._loaded = []
        self.screen.press("change_cards", 1, {"reason": "defective"})
        return True

    # -- before the deal ---------------------------------------------------------------------------------------

    def _blinds(self, wanted: Wanted) -> None:
        if self._take_back_misdeal():  # everything was refunded, and is put up anew
            self._again(1.0)
            return
        if self._side_wagers and self.hands and self._happens(self.habits.side_wager):
            seat, colour = wanted.seats[0], self._random.choice(("red", "black"))
            area = self.areas.side(seat, colour)
            if not self.felt.areas[area]:
                self.felt.put(self._chip * self._random.randint(2, 8), area)
        seat = wanted.seats[0]
        if not self.felt.areas[seat]:
            self.felt.put(wanted.amount, seat)
        self._again(0.5)

    def _shuffle(self, wanted: Wanted) -> None:
        self._take_back_misdeal()
        if self.shuffler is None:
            self._random.shuffle(self._stub)
            self.screen.press("shuffled", 1)
        else:
            self._load()

    def _take_back_misdeal(self) -> bool:
        """After a misdeal everything comes back first; whether anything lay there."""
        if not self._held and not any(self.antennas.lying(place) for place in (BOARD, BURN, MUCK)):
            return False
        for seat in range(1, self.areas.seats + 1):
            if self.screen.refunds():
                self.felt.clear(seat)
        self._take_up_cards()
        return True

    def _cut(self, wanted: Wanted) -> None:
        if self._take_back_misdeal():
            self._again(1.0)
            return
        if not self._lift():
            self._again(5.0)  # it lost its power meanwhile: wait until the deck stands there again
            return
        at = self._random.randint(5, len(self._stub) - 5)
        self._stub = self._stub[at:] + self._stub[:at]
        self.screen.press("cut", 1)

    def _lift(self) -> bool:
        """Take the shuffled deck off the shuffler, if there is one, and put the other in; False when none is ready."""
        if self.shuffler is None or not self._loaded:
            return True
        of = {self._faces[tag]: tag for tag in self._loaded}
        try:
            lifted = self.shuffler.lift_deck()
        except CannotDraw:
            return False
        self._stub = [of[card[0] + card[1].lower()] for card in lifted]
        self._decks = [self._loaded, *(deck for deck in self._decks if deck is not self._loaded)]
        self._loaded = []
        self._load()
        return True

    def _deal(self, wanted: Wanted) -> None:
        """Deal on round the table, one card at a time, until the screen says otherwise."""
        dealt = sum(len(cards) for cards in self._held.values())
        if dealt >= len(wanted.order) * wanted.hole:
            return  # all are out, and not all are read yet
        seat = wanted.order[dealt % len(wanted.order)]
        tag = self._stub.pop(0)
        late = 0.8 if self._happens(self.habits.late_read / 12) else 0.0
        if self._happens(self.habits.deals_wrong_seat / 12):
            wrong = seat % self.areas.seats + 1
            self._held.setdefault(seat, []).append(tag)
            self.antennas.place((tag,), wrong)
            self._again(2.5)
            return
        if self._happens(self.habits.on_the_edge / 12) and seat < self.areas.seats:
            self.antennas.put_on_edge(tag, (seat, seat + 1))
            self.clock.call_later(2.0, self.antennas.place, (tag,), seat)
            self._held.setdefault(seat, []).append(tag)
            self._again(3.0)
            return
        self._held.setdefault(seat, []).append(tag)
        self.antennas.place((tag,), seat, late_s=late)
        if self._happens(self.habits.shows_a_card / 12):
            self._shown.setdefault(seat, tag)
            self.clock.call_later(0.4 + late, self.screen.press, "exposed", 1, {"seat": seat})
        self._busy = True
        self.clock.call_later(DEAL_S + late, self._deal_on)

    def _deal_on(self) -> None:
        self._busy = False
        wanted = self.screen.wanted()
        if self.screen.life() in ("open", "closing") and wanted.what == "card":
            self._deal(wanted)
        else:
            self.look()

    # -- betting -----------------------------------------------------------------------------------------------

    def _to_act(self, seat: int) -> bool:
        """Whether this player has cards to act on and has not acted yet; they are looked at again soon."""
        if seat not in self._held:
            self._thrown_in(seat, "fold")
            return False
        laid = self._laid_already(seat)
        self._again(0.5)
        return not laid

    def _action(self, wanted: Wanted) -> None:
        seat = wanted.seats[0]
        if len(self._board) < 5 and not self._reported and self._happens(self.habits.turns_early / 8):
            self._reported = True
            self._turn(3 if len(self._board) < 3 else 1)
            return
        if self._happens(self.habits.out_of_turn / 8):
            other = self._random.choice(list(self._held))
            if other != seat and not self.felt.areas[other]:
                self.felt.put(max(wanted.to_call, self._chip), other)
                self._again(1.5)
                return
        if not self._to_act(seat):
            return
        likes, roll = self._likes(seat), self._random.random()
        if wanted.to_call:
            if roll > likes:
                self._fold(seat)
            elif wanted.raise_max and roll < 0.2 * likes:
                self._raise(wanted, seat)
            else:
                self.felt.put(wanted.to_call, seat)
        elif wanted.raise_max and roll < 0.6 * likes:
            self._raise(wanted, seat)
        else:
            self.screen.press("check", 1)

    def _laid_already(self, seat: int) -> bool:
        """Whether this seat has put chips forward that the table has not ruled on yet; nobody waits long for it."""
        wagered, lies = self.screen.on_line(seat)
        if lies <= wagered:
            self._waited.pop(seat, None)
            return False
        return self.clock.now() - self._waited.setdefault(seat, self.clock.now()) < KEY_AFTER_S

    def _likes(self, seat: int) -> float:
        """How much a player likes the hand: high cards and pairs before the flop, what the board gave after it."""
        cards = [self._faces[tag] for tag in self._held[seat]]
        ranks = sorted((RANKS.index(card[0]) for card in cards), reverse=True)
        pairs = len(ranks) - len(set(ranks))
        if not self._board:
            return 0.9 if pairs else max(0.15, (ranks[0] + ranks[1] - 11) / 13)
        board = [self._faces[tag] for tag in self._board]
        hits = sum(RANKS[rank] in (card[0] for card in board) for rank in ranks[:2]) + pairs
        suited = max(sum(card[1] == suit for card in cards + board) for suit in "cdhs")
        return min(0.95, 0.2 + 0.4 * hits + (0.5 if suited >= 5 else 0.0))

    def _raise(self, wanted: Wanted, seat: int) -> None:
        low, most = wanted.raise_min, wanted.raise_max
        total = low
        if most > low:
            total = min(most, low + int(wanted.pot * self._random.uniform(0.0, 0.8)))
            step = next((chip for chip in ROUND if chip * 2 <= total), self._chip)
            total = max(low, total - total % step)
        chips = total - wanted.in_round
        tags = self.felt.bank.make(chips)
        if len(tags) == 1 or wanted.to_call:
            self.screen.press("announce", 1, {"what": "raise"})
        self.felt.lay(tags, seat)

    def _fold(self, seat: int) -> None:
        self._folded[seat] = self.clock.now()
        self.antennas.place(self._held.pop(seat), MUCK)

    def _thrown_in(self, seat: int, key: str) -> None:
        """The hand lies in the muck and the screen does not know: after a while the dealer says so."""
        if self.clock.now() - self._folded.get(seat, 0.0) > KEY_AFTER_S:
            self.screen.press(key, 1, {"seat": seat})
        else:
            self._again(1.0)

    def _discard(self, wanted: Wanted) -> None:
        for seat in wanted.seats:
            cards = sorted(self._held[seat], key=lambda tag: RANKS.index(self._faces[tag][0]))
            self._held[seat] = cards[1:]
            self.antennas.place(cards[:1], MUCK)
        self._again(1.0)

    # -- the board ---------------------------------------------------------------------------------------------

    def _sweep(self) -> None:
        """Give back what nobody called, and bring the wagers of the round into the pot."""
        for seat in range(1, self.areas.seats + 1):
            wagered, _ = self.screen.on_line(seat)
            if self.felt.bank.worth(self.felt.areas[seat]) > wagered:
                self.felt.clear(seat)
                if wagered:
                    self.felt.put(wagered, seat)
        tags = [tag for seat in range(1, self.areas.seats + 1) for tag in self.felt.areas.pop(seat, [])]
        if tags:
            self.felt.areas[self.areas.pot] += tags
            self.felt.mat.place(tags, self.areas.pot)

    def _street(self, wanted: Wanted) -> None:
        self._sweep()
        if wanted.what == "burn" and not self._happens(self.habits.forgets_burn / 3):
            self.antennas.place((self._stub.pop(0),), BURN)
            self._again(0.4)
            return
        missing = wanted.amount or (3 if len(self._board) < 3 else 1)
        if missing == 1 and self._happens(self.habits.turns_two / 2):
            missing = 2
        self._turn(missing)

    def _turn(self, cards: int) -> None:
        new = [self._stub.pop(0) for _ in range(cards)]
        self._board += new
        self.antennas.place(new, BOARD)
        self._then(0.5, self.screen.press, "turned_up", 1, None)

    # -- the end -----------------------------------------------------------------------------------------------

    def _show(self, wanted: Wanted) -> None:
        self._sweep()
        seat = wanted.seats[0]
        if seat not in self._held:
            self._thrown_in(seat, "muck_hand")
            return
        if len(wanted.seats) > 1 and self._random.random() < 0.1:
            self._fold(seat)
        else:
            self.screen.press("table_hand", 1, {"seat": seat})

    def _push(self, wanted: Wanted) -> None:
        rake = self.screen.rake()
        if rake:
            self.felt.put(rake, self.areas.drop)
        for area in (*range(1, self.areas.seats + 1), self.areas.pot):
            self.felt.clear(area)
        self._again(1.5)

    def _drop(self, wanted: Wanted) -> None:
        for area, pays in self.screen.side_due():
            if pays > 0:
                self.felt.pay(pays, area)
            else:
                self.felt.collect(area)
        self._then(0.8, self.screen.press, "dropped", 2, {"confirmed": True})

    # -- putting things right ----------------------------------------------------------------------------------

    def _rule(self, wanted: Wanted) -> None:
        for question in self.screen.questions():
            if question.subject == "out_of_order" and not self._astray():
                self._straighten()
                self._again(1.5)
            else:
                self.answer(question, question.proposal)
            return

    def _astray(self) -> list[tuple[int, int]]:
        """Cards that lie elsewhere than with the seat they were meant for, each with that seat."""
        lying = {tag for seat in self._held for tag in self.antennas.lying(seat) if tag in self._held[seat]}
        return [(tag, seat) for seat, tags in self._held.items() for tag in tags if tag not in lying]

    def _straighten(self) -> None:
        """Every card lies where it was dealt, and one was not read: lay them down anew until it is."""
        for seat, tags in self._held.items():
            self.antennas.place(tags, seat)

    def answer(self, question: Question, wanted: str) -> None:
        """The person of the rank that is needed answers; the proposal where it is an answer, else the first."""
        rank, args = question.answered(wanted)
        self.screen.press("answer", rank, args)

    def _mix(self) -> None:
        self._random.shuffle(self._stub)

    def _carry_out(self, wanted: Wanted) -> None:
        step = self.screen.step()
        if step is None:
            return
        of = {self._faces[tag]: tag for tag in self._decks[0]}
        tags = [of[card] for card in step.cards]
        match step.kind:
            case "take_back" | "set_aside" | "return_to_top":
                self.antennas.remove(tags)
                self._board = [tag for tag in self._board if tag not in tags]
                if step.kind == "set_aside":
                    self._aside += tags
                else:
                    self._stub = tags + self._stub
            case "shuffle_in_aside":
                self._stub += self._aside
                self._aside = []
                self._mix()
            case "shuffle_stub":
                self._mix()
            case "to_burn" | "to_muck":
                self.antennas.place(tags, BURN if step.kind == "to_burn" else MUCK)
                self._board = [tag for tag in self._board if tag not in tags]
            case "move_card":
                # Where nothing lies wrong, a card was called out of order too soon: it will be read now.
                for tag, seat in self._astray():
                    self.antennas.place((tag,), seat)
                self._straighten()
            case "swap_with_top_card":
                seat = step.seat  # told late, a card of the hand before may have been meant: any of the seat's will do
                tag = self._shown.get(seat, self._held[seat][-1])
                self.antennas.place((tag,), BURN)
                top = self._stub.pop(0)
                self._held[seat] = [top if one == tag else one for one in self._held[seat]]
                self.antennas.place((top,), seat)
                self._again(1.0)
                return
            case "give_top_card":
                top = self._stub.pop(0)
                self._held.setdefault(step.seat, []).append(top)
                self.antennas.place((top,), step.seat)
                self._again(1.0)
                return
        self._then(0.8, self.screen.press, "done", 1, None)
