"""The crew of a poker case: does what the case says, one thing after the other, and what is due by itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from firmware_specs.clock import Clock
from lab.scenarios.file import ScenarioError
from lab.scenarios.forms import answered, is_about
from lab.scenarios.poker.case import Act
from lab.scenarios.poker.words import DO, STREETS
from simulators.people.chips import Felt
from simulators.people.poker import PokerCrew
from simulators.people.poker_habits import HONEST
from simulators.people.poker_screen import BOARD, BURN, MUCK, Antennas, Areas, PokerScreen, Shuffler, Wanted
from simulators.people.table import Question

Told = Callable[[str, str, dict[str, Any], int], None]
"""Presses a key that the case tells: where it says so, which, with what, and as which rank."""
Form = Callable[[str, dict[str, Any]], dict[str, Any]]
"""What is entered into the form of a key, from what a case says of it."""
BEFORE_THE_DEAL = ("straddle", "side", "refuse_blind", "posts")
AT_SHOWDOWN = ("show", "muck", "ask_to_see", "look")
NOT_IN_A_ROUND = (*AT_SHOWDOWN, "until", "discard", "straddle", "side")
"""What waits while wagers are made: the round is called or checked through first."""
WORDS = ("check", "call", "bet", "raise", "all_in")
BY_HAND = tuple(word.name for word in DO if word.name not in ("exposed", "boxed"))
"""What is no key at the end of a hand."""


class ScriptedCrew(PokerCrew):
    """Dealer and players of one hand; `script` is what is still to happen."""

    def __init__(
        self,
        clock: Clock,
        screen: PokerScreen,
        felt: Felt,
        antennas: Antennas,
        deck: dict[int, str],
        areas: Areas,
        stacks: dict[int, int],
        button: int,
        script: list[Act],
        form: Form,
        told: Told,
    ) -> None:
        """`deck` lies as it is dealt, from the top."""
        super().__init__(clock, screen, felt, antennas, None, (deck,), areas, 1, HONEST)
        self.script = script
        self.trouble = ""
        self.wrong: ScenarioError | None = None
        """What is wrong with the case itself, found only while it is played."""
        self.probes: list[Wanted] = []
        self.laid = 0
        """How often somebody has put chips forward as the case says."""
        self.shuffled_to: list[str] = []
        """Cards that lie on top of the stub after it has been shuffled, from the top."""
        self.mixed = False
        self._stacks, self._button, self._form = stacks, button, form
        self._told = told
        self._placed = False
        self._leaving: list[int] = []

    def next_hand(self, seated: list[int]) -> None:
        """After a hand: everything is taken up, whoever is not among these leaves, and the next one begins."""
        for area in [area for area, tags in self.felt.areas.items() if tags]:
            self.felt.clear(area)
        self._take_up_cards()
        self._leaving = [seat for seat in self._stacks if seat not in seated]
        self._begun = False
        self._again(1.0)

    def next_hand_as_seated(self) -> None:
        """The next hand is for those who sit there now, with what lies before them."""
        self._stacks = self.screen.stacks()
        self.next_hand(list(self._stacks))

    def _next(self, *kinds: str) -> Act | None:
        """The next thing of the script, if it is one of these."""
        if self.script and (not kinds or self.script[0].do in kinds):
            return self.script[0]
        return None

    # -- cards by hand -----------------------------------------------------------------------------------------

    def off_the_top(self, count: int, card: str | None = None) -> list[int]:
        """So many cards off the deck, this one first; none where it is not there."""
        if card is not None:
            found = [tag for tag in self._stub if self._faces[tag] == card]
            self._stub = found + [tag for tag in self._stub if tag not in found]
        if len(self._stub) < count or (card is not None and self._faces[self._stub[0]] != card):
            return []
        tags, self._stub = self._stub[:count], self._stub[count:]
        return tags

    def put_down(self, tags: list[int], antenna: int, late_s: float = 0.0) -> None:
        """Cards come to lie at a seat, on the board, among the burns or in the muck, and are read so much later."""
        if antenna == BOARD:
            self._board += tags
        elif antenna not in (BURN, MUCK):
            self._held.setdefault(antenna, []).extend(tags)
        self.antennas.place(tags, antenna, late_s=late_s)

    def put_elsewhere(self, card: str, antenna: int | None) -> bool:
        """A card that lies somewhere is put down elsewhere, or back on top of the deck; whether it lay there."""
        tag = next((tag for tag in self._decks[0] if self._faces[tag] == card and tag not in self._stub), None)
        if tag is None:
            return False
        for cards in (self._board, *self._held.values()):
            if tag in cards:
                cards.remove(tag)
        self.antennas.remove((tag,))
        if antenna is None:
            self._stub = [tag, *self._stub]
        else:
            self.put_down([tag], antenna)
        return True

    def throw_in(self, seat: int) -> bool:
        """A seat's cards go into the muck; whether it had any."""
        cards = self._held.pop(seat, [])
        self.antennas.place(cards, MUCK)
        return bool(cards)

    # -- before the deal ---------------------------------------------------------------------------------------

    def _between(self) -> None:
        seated = self.screen.stacks()
        if self._leaving:
            seat = self._leaving.pop()
            del self._stacks[seat]
            self.screen.press("leave", 1, {"seat": seat})
            return
        for seat, stack in self._stacks.items():
            if seat not in seated:
                self.screen.press("sit", 1, {"seat": seat, "player": f"P{seat}", "amount": stack})
                return
        if not self._placed:
            self._placed = True
            self.screen.press("place_button", 3, {"seat": self._button})
        elif not self._begun:
            self._begun = True
            self.screen.press("start_hand", 1)

    def _shuffle(self, wanted: Wanted) -> None:
        if self._early():
            return
        if self._take_back_misdeal():
            self._again(1.0)
            return
        if self.shuffler is None:
            self.screen.press("shuffled", 1)
        elif not self._loaded:
            self._put_in(self.shuffler)

    def _put_in(self, shuffler: Shuffler) -> None:
        """The deck goes into the shuffler, which has been told the order of the case."""
        self._loaded = self._decks[0]
        cards = [self._faces[tag].upper() for tag in self._loaded]
        shuffler.load(cards)
        shuffler.stack(cards)

    def _load(self) -> None:
        """There is one deck, and it is in play until the next shuffle."""

    def _blinds(self, wanted: Wanted) -> None:
        if self._next("refuse_blind") and self.script[0].get("seat") == wanted.seats[0]:
            self._press(self.script.pop(0))
            return
        if self._take_back_misdeal():
            self._again(1.0)
            return
        seat = wanted.seats[0]
        stack = self._stacks[seat]
        if not self.felt.areas[seat]:
            self.felt.put(min(wanted.amount, stack), seat)
        self._again(0.5)

    def _early(self) -> bool:
        """Straddles and side wagers go up before the cards."""
        action = self._next(*BEFORE_THE_DEAL)
        if action is None:
            return False
        self.script.pop(0)
        if action.do == "side":
            area = self.areas.side(action.said["seat"], action.said["colour"])
            self.felt.put(action.said["amount"], area)
        elif action.do == "straddle":
            self.felt.put(action.said["amount"], action.said["seat"])
        else:
            self._press(action)
        self._again(1.0)
        return True

    def _cut(self, wanted: Wanted) -> None:
        if self._next("report"):
            self._press(self.script.pop(0))
            return
        if self._lift():
            self.screen.press("cut", 1)
        else:
            self._again(1.0)

    def _deal(self, wanted: Wanted) -> None:
        action = self._next("exposed", "deal_to", "boxed")
        dealt = sum(len(cards) for cards in self._held.values())
        if action is not None and action.get("after_cards", 0) <= dealt:
            self.script.pop(0)
            if action.do == "deal_to":
                tag = self._stub.pop(0)
                meant = wanted.order[dealt % len(wanted.order)]
                self._held.setdefault(meant, []).append(tag)
                self.antennas.place((tag,), action.said["seat"])
                self._again(2.5)
                return
            if action.do == "boxed":
                self.antennas.place((self._stub.pop(0),), MUCK)
                self._then(0.5, self.screen.press, "boxed", 1, None)
                return
            cards = self._cards(action, action.said["seat"])
            if cards:
                self._shown = {action.said["seat"]: cards[-1]}
                self._then(0.5, self._press, action)
            return
        super()._deal(wanted)

    # -- the script --------------------------------------------------------------------------------------------

    def _action(self, wanted: Wanted) -> None:
        while self._next("probe"):
            self.probes.append(wanted)
            self.script.pop(0)
        while self._next("until") and len(self._board) >= STREETS[self.script[0].said["street"]]:
            self.script.pop(0)
            if self._next("probe"):
                self._action(wanted)
                return
        action = self._next()
        if action is None or action.do in NOT_IN_A_ROUND or (action.do == "turn_up" and not action.get("early")):
            self._call(wanted)
            return
        self.script.pop(0)
        self._again(1.0)
        seat = action.get("seat", wanted.seats[0])
        if action.do == "chips":
            self._chips(action, seat)
        elif action.do == "fold":
            self.antennas.place(self._cards(action, seat), MUCK)
            self._held.pop(seat, None)
        elif action.do in WORDS:
            args: dict[str, Any] = {"seat": seat}
            if action.do in ("bet", "raise"):
                args["amount"] = action.said["to"]
            self._told(action.where, action.do, args, 1)
            self._put_up_soon(seat)
        elif action.do == "turn_up":
            self._turn_up(action)
        elif action.do == "deal_to":
            self.antennas.place((self._stub.pop(0),), seat)
        elif action.do == "answer":
            self.script.insert(0, action)
            self._call(wanted)
        else:
            self._press(action)

    def _cards(self, action: Act, seat: int) -> list[int]:
        """The cards that a seat holds; without any, the case says what cannot be."""
        if not self._held.get(seat):
            self.trouble = f"{action.place} never came about: seat {seat} holds no cards"
        return self._held.get(seat, [])

    def _call(self, wanted: Wanted) -> None:
        self._again(0.8)
        if wanted.to_call:
            self.felt.put(wanted.to_call, wanted.seats[0])
        else:
            self.screen.press("check", 1)

    def _chips(self, action: Act, seat: int) -> None:
        self.laid += 1
        if action.get("said"):
            self._told(action.where, "announce", {"seat": seat, "what": action.said["said"]}, 1)
        if isinstance(action.said["chips"], list):
            tags = [self.felt.bank._one(chip) for chip in action.said["chips"]]
            self.felt.areas[seat] += tags
            self.felt.mat.place(tags, seat)
            return
        amount = action.said["chips"]
        if action.get("single"):
            tags = [self.felt.bank._one(amount)]
        else:
            tags = self.felt.bank.make(amount)
            if len(tags) == 1 and action.get("single") is False:
                half = amount // 2
                tags = [self.felt.bank._one(half), self.felt.bank._one(amount - half)]
        self.felt.areas[seat] += tags
        self.felt.mat.place(tags, seat)

    def _put_up_soon(self, seat: int) -> None:
        """Whoever announced a wager puts the chips forward."""
        self.clock.call_later(0.3, self._put_up, seat)

    def _put_up(self, seat: int) -> None:
        owes = self.screen.owes(seat)
        if owes > 0:
            self.felt.put(owes, seat)

    def _turn_up(self, action: Act) -> None:
        if action.get("burn", not action.get("early", False)):
            self.antennas.place((self._stub.pop(0),), BURN)
        self._turn(action.get("cards", 3 if len(self._board) < 3 else 1))

    def _street(self, wanted: Wanted) -> None:
        action = self._next("turn_up")
        if action is not None and not action.get("early"):
            self.script.pop(0)
            self._sweep()
            self._turn_up(action)
            return
        super()._street(wanted)

    def _discard(self, wanted: Wanted) -> None:
        wanted_cards = {}
        while (action := self._next("discard")) is not None:
            self.script.pop(0)
            wanted_cards[action.said["seat"]] = action
        for seat in wanted.seats:
            cards = self._held[seat]
            given = self._thrown(wanted_cards.pop(seat), cards) if seat in wanted_cards else cards[-1]
            self._held[seat] = [tag for tag in cards if tag != given]
            self.antennas.place((given,), MUCK)
        self._again(1.0)

    def _thrown(self, action: Act, cards: list[int]) -> int:
        """The card that the case says is thrown away."""
        card = action.said["card"]
        found = [tag for tag in cards if self._faces[tag] == card]
        if not found:
            held = ", ".join(self._faces[tag] for tag in cards)
            self.trouble = f"{action.place} never came about: that seat holds {held}, and not {card}"
        return found[0] if found else cards[-1]

    def _show(self, wanted: Wanted) -> None:
        action = self._next(*AT_SHOWDOWN)
        if action is None:
            self._sweep()
            self.screen.press("table_hand", 1, {"seat": wanted.seats[0]})
            return
        self.script.pop(0)
        seat = action.get("seat", wanted.seats[0])
        if action.do == "show":
            self._told(action.where, "table_hand", {"seat": seat}, 1)
        elif action.do == "muck":
            self.antennas.place(self._cards(action, seat), MUCK)
            self._again(0.8)
        else:
            self._press(action)

    def _push(self, wanted: Wanted) -> None:
        action = self._next()
        if action is not None and (action.do == "show" or action.do not in BY_HAND):
            self.script.pop(0)
            if action.do == "show":
                self._told(action.where, "table_hand", {"seat": action.get("seat", 0)}, 1)
            else:
                self._press(action)
            self._again(0.5)
            return
        super()._push(wanted)

    def _mix(self) -> None:
        """Shuffle the stub; a case may say what then lies on top."""
        self.mixed = True
        super()._mix()
        of = {self._faces[tag]: tag for tag in self._stub}
        top = [of[card] for card in self.shuffled_to if card in of]
        self._stub = top + [tag for tag in self._stub if tag not in top]

    def _rule(self, wanted: Wanted) -> None:
        for question in self.screen.questions():
            action = self._next("answer")
            if action is None or not is_about(question, action.get("subject")):
                self.answer(question, question.proposal)
                return
            self.script.pop(0)
            self._answer_as_told(question, action)
            return

    def _answer_as_told(self, question: Question, action: Act) -> None:
        try:
            args = answered(question, action.said, action.where)
        except ScenarioError as wrong:  # told by the table once the clock stands still: nobody hears it in a timer
            self.wrong, self.trouble = wrong, str(wrong)
            return
        self._told(action.where, "answer", args, action.rank)

    def _press(self, action: Act) -> None:
        self._told(action.where, action.do, self._form(action.do, action.said), action.rank)
