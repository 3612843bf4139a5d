"""The crew of a poker case: does what the case says, one thing after the other, and what is due by itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from controller.config.tomlread import nearest
from firmware_specs.clock import Clock
from simulators.people.chips import Felt
from simulators.people.poker import BURN, HONEST, MUCK, Antennas, Areas, PokerCrew, PokerScreen, Wanted
from simulators.people.table import Question

BEFORE_THE_DEAL = ("straddle", "side", "refuse_blind", "posts")
AT_A_QUESTION = ("answer",)
AT_SHOWDOWN = ("show", "muck", "ask_to_see", "look")
KEYS = (
    "report", "exposed", "boxed", "time_up", "buy_time", "cancel_disruption", "cancel_fraud", "announce", "done",
    "refuse_blind", "posts", "ask_to_see", "look", "shuffled", "cut",
)  # fmt: skip
WORDS = ("fold", "check", "call", "bet", "raise", "all_in")
BY_HAND = ("turn_up", "discard", "deal_to")
PASSIVELY = ("until", "probe")
"""Until: check or call up to a street. Probe: look at what the seat in turn may do."""
SAID_SO = {
    "folds": "fold", "checks": "check", "calls": "call", "bets": "bet", "raises": "raise", "raise_to": "raise",
    "raises_to": "raise", "bet_to": "bet", "allin": "all_in", "goes_all_in": "all_in", "all_ins": "all_in",
    "stand": "check", "table_hand": "show", "shows": "show", "tables": "show", "mucks": "muck", "muck_hand": "muck",
    "give_up": "muck", "discards": "discard", "straddles": "straddle", "side_wager": "side", "flop_chase": "side",
    "post": "posts", "turned_up": "turn_up", "deal_board": "turn_up", "cancel": "cancel_disruption",
    "expose": "exposed", "time": "time_up", "ruling": "answer", "rule": "answer", "bet_out_of_turn": "bet",
}  # fmt: skip
"""Other words for the same thing."""
ACTION_KEYS = (
    "seat", "do", "action", "to", "amount", "chips", "single", "said", "announced", "colour", "color", "card", "cards",
    "burn", "early", "after_cards", "subject", "answer", "rank", "reason", "what", "asker", "correctable", "street",
    "confirmed", "player", "out_of_turn", "note",
)  # fmt: skip
SAME_KEY = {"action": "do", "announced": "said", "color": "colour"}
STREETS = {"preflop": 0, "deal": 0, "flop": 3, "turn": 4, "river": 5}


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
        script: list[dict[str, Any]],
        amount: Callable[[str, Any], int],
    ) -> None:
        """`deck` lies as it is dealt, from the top; `amount` reads dollars."""
        super().__init__(clock, screen, felt, antennas, None, (deck,), areas, 1, HONEST)
        self.script = [as_written(number, action) for number, action in enumerate(script)]
        self.trouble = ""
        self.probes: list[Wanted] = []
        self.laid = 0
        """How often somebody has put chips forward as the case says."""
        self.shuffled_to: list[str] = []
        """Cards that lie on top of the stub after it has been shuffled, from the top."""
        self._stacks, self._button, self._amount = stacks, button, amount
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

    def _next(self, *kinds: str) -> dict[str, Any] | None:
        """The next thing of the script, if it is one of these."""
        if self.script and (not kinds or self.script[0].get("do") in kinds):
            return self.script[0]
        return None

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
        self.screen.press("shuffled", 1)

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
        if action["do"] == "side":
            area = self.areas.side(int(action["seat"]), str(action["colour"]))
            self.felt.put(self._amount("actions: amount", action.get("amount")), area)
        elif action["do"] == "straddle":
            self.felt.put(self._amount("actions: amount", action.get("amount")), int(action["seat"]))
        else:
            self._press(action)
        self._again(1.0)
        return True

    def _cut(self, wanted: Wanted) -> None:
        if self._next("report"):
            self._press(self.script.pop(0))
            return
        self.screen.press("cut", 1)

    def _deal(self, wanted: Wanted) -> None:
        action = self._next("exposed", "deal_to", "boxed")
        dealt = sum(len(cards) for cards in self._held.values())
        if action is not None and int(action.get("after_cards", 0)) <= dealt:
            self.script.pop(0)
            if action["do"] == "deal_to":
                tag = self._stub.pop(0)
                meant = wanted.order[dealt % len(wanted.order)]
                self._held.setdefault(meant, []).append(tag)
                self.antennas.place((tag,), int(action["seat"]))
                self._again(2.5)
                return
            if action["do"] == "boxed":
                self.antennas.place((self._stub.pop(0),), MUCK)
                self._then(0.5, self.screen.press, "boxed", 1, None)
                return
            self._shown = {int(action["seat"]): self._held[int(action["seat"])][-1]}
            self._then(0.5, self._press, action)
            return
        super()._deal(wanted)

    # -- the script --------------------------------------------------------------------------------------------

    def _action(self, wanted: Wanted) -> None:
        while self._next("probe"):
            self.probes.append(wanted)
            self.script.pop(0)
        while self._next("until") and len(self._board) >= STREETS[self.script[0]["street"]]:
            self.script.pop(0)
            if self._next("probe"):
                self._action(wanted)
                return
        action = self._next()
        if (
            action is None
            or action.get("do") in (*AT_SHOWDOWN, "until")
            or (action.get("do") == "turn_up" and not action.get("early"))
        ):
            self._call(wanted)
            return
        self.script.pop(0)
        self._again(1.0)
        seat = int(action.get("seat", wanted.seats[0]))
        if "chips" in action:
            self._chips(action, seat)
        elif action["do"] == "fold":
            self.antennas.place(self._held.pop(seat), MUCK)
        elif action["do"] in WORDS:
            args: dict[str, Any] = {"seat": seat}
            if action["do"] in ("bet", "raise"):
                args["amount"] = self._amount("actions: to", action.get("to", action.get("amount")))
            self.screen.press(action["do"], 1, args)
            self._put_up_soon(seat)
        elif action["do"] == "turn_up":
            self._turn_up(action)
        elif action["do"] == "deal_to":
            self.antennas.place((self._stub.pop(0),), seat)
        elif action["do"] == "answer":
            self.script.insert(0, action)
            self._call(wanted)
        else:
            self._press(action)

    def _call(self, wanted: Wanted) -> None:
        self._again(0.8)
        if wanted.to_call:
            self.felt.put(wanted.to_call, wanted.seats[0])
        else:
            self.screen.press("check", 1)

    def _chips(self, action: dict[str, Any], seat: int) -> None:
        self.laid += 1
        if action.get("said"):
            self.screen.press("announce", 1, {"seat": seat, "what": action["said"]})
        if isinstance(action["chips"], list):
            tags = [self.felt.bank._one(self._amount("actions: chips", chip)) for chip in action["chips"]]
            self.felt.areas[seat] += tags
            self.felt.mat.place(tags, seat)
            return
        amount = self._amount("actions: chips", action["chips"])
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

    def _turn_up(self, action: dict[str, Any]) -> None:
        if action.get("burn", not action.get("early", False)):
            self.antennas.place((self._stub.pop(0),), BURN)
        self._turn(int(action.get("cards", 3 if len(self._board) < 3 else 1)))

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
        while self._next("discard"):
            action = self.script.pop(0)
            wanted_cards[int(action["seat"])] = str(action["card"])
        for seat in wanted.seats:
            cards = self._held[seat]
            given = next((tag for tag in cards if self._faces[tag] == wanted_cards.get(seat)), cards[-1])
            self._held[seat] = [tag for tag in cards if tag != given]
            self.antennas.place((given,), MUCK)
        self._again(1.0)

    def _show(self, wanted: Wanted) -> None:
        action = self._next(*AT_SHOWDOWN)
        if action is None:
            self._sweep()
            self.screen.press("table_hand", 1, {"seat": wanted.seats[0]})
            return
        self.script.pop(0)
        seat = int(action.get("seat", wanted.seats[0]))
        if action["do"] == "show":
            self.screen.press("table_hand", 1, {"seat": seat})
        elif action["do"] == "muck":
            self.antennas.place(self._held[seat], MUCK)
            self._again(0.8)
        else:
            self._press(action)

    def _push(self, wanted: Wanted) -> None:
        if self._next(*KEYS, *AT_SHOWDOWN):
            self._press(self.script.pop(0))
            self._again(0.5)
            return
        super()._push(wanted)

    def _mix(self) -> None:
        """Shuffle the stub; a case may say what then lies on top."""
        super()._mix()
        of = {self._faces[tag]: tag for tag in self._stub}
        top = [of[card] for card in self.shuffled_to if card in of]
        self._stub = top + [tag for tag in self._stub if tag not in top]

    def _rule(self, wanted: Wanted) -> None:
        for question in self.screen.questions():
            action = self._next("answer")
            if action is None or action.get("subject", question.subject) != question.subject:
                self.answer(question, question.proposal)
                return
            self.script.pop(0)
            self._answer_as_told(question, action)
            return

    def _answer_as_told(self, question: Question, action: dict[str, Any]) -> None:
        args = {"prompt": question.id, "answer": str(action["answer"]), "reason": str(action.get("reason", ""))}
        self.screen.press("answer", int(action.get("rank", 1)), args)

    def _press(self, action: dict[str, Any]) -> None:
        args = {key: value for key, value in action.items() if key not in ("do", "rank", "after_cards")}
        self.screen.press(str(action["do"]), int(action.get("rank", 1)), args)


def as_written(number: int, action: Any) -> dict[str, Any]:
    """One line of the script in the words that are played; ValueError for one that means nothing."""
    if not isinstance(action, dict):
        raise ValueError(f"number {number + 1} is none: {action!r}; write an object with 'seat' and 'do'")
    for key in action:
        if key not in ACTION_KEYS:
            raise ValueError(f"number {number + 1} has an unknown key {key!r}; {nearest(str(key), list(ACTION_KEYS))}")
    aside = ("note", "out_of_turn")
    plain = {SAME_KEY.get(str(key), str(key)): value for key, value in action.items() if key not in aside}
    if "do" in plain:
        word = str(plain["do"]).strip().lower().replace(" ", "_").replace("-", "_")
        plain["do"] = SAID_SO.get(word, word)
    known = sorted({*WORDS, *KEYS, *BEFORE_THE_DEAL, *AT_A_QUESTION, *AT_SHOWDOWN, *PASSIVELY, *BY_HAND})
    if "chips" not in plain and plain.get("do") not in known:
        hint = nearest(str(plain.get("do")), known)
        raise ValueError(f"number {number + 1} is none: {action!r}; {hint}; 'do' is one of {', '.join(known)}")
    if plain.get("do") in ("side", "straddle", "deal_to", "discard") and "seat" not in plain:
        raise ValueError(f"number {number + 1} needs 'seat'")
    if plain.get("do") == "until" and plain.get("street") not in STREETS:
        raise ValueError(f"number {number + 1} needs 'street': {', '.join(STREETS)}")
    if plain.get("do") in ("bet", "raise") and "to" not in plain and "amount" not in plain:
        raise ValueError(f"number {number + 1} needs 'to', the total in this round in dollars")
    return plain
