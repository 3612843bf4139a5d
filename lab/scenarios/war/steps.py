"""Casino War cases told step by step: what hands do to cards, chips and machines, and what the table must say to it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from controller.config.tomlread import nearest
from controller.games.war.cards import FACES, BadCard, parse
from controller.games.war.config import WarSection
from firmware_specs.messages.shuffler import Mode
from lab.scenarios.file import ScenarioError, cents_of, dollars
from lab.scenarios.war.acts import Lay
from simulators.card_reader import MishapKind
from simulators.shoe import CardShoe
from simulators.shuffler import CardShuffler

if TYPE_CHECKING:
    from lab.scenarios.war.play import WarScenario

Step = dict[str, Any]
HOW: dict[str, MishapKind] = {"two": "two", "half": "half", "unreadable": "unreadable", "misread": "misread"}
"""How a draw may go wrong."""
NOW = ("life", "state", "min", "max", "decks")
"""What is one thing at a time."""
PACKED = tuple(rank + suit for suit in "SHDC" for rank in "A23456789TJQK")
"""A new deck as it comes out of its box."""


class Steps:
    """Carries the steps of a case out one after the other."""

    def __init__(self, play: WarScenario, steps: list[Step]) -> None:
        self.play = play
        self.steps = steps
        self.held: list[str] = []
        self.ahead: list[str] = []
        self._do: dict[str, tuple[Callable[[Step], None], tuple[str, ...]]] = {
            "load": (self._load, ("cards", "without", "with", "next", "miscount")),
            "draw": (self._draw, ("cards", "times", "how", "seen", "order_known", "after_read")),
            "next": (self._next, ("cards",)),
            "feed": (self._feed, ("without", "with", "miscount")),
            "lay": (self._lay, ("wager", "player", "box", "zone", "amount", "token")),
            "house_chips": (self._house_chips, ("box", "amount")),
            "jam": (self._jam, ()),
            "press": (self._press, ("key", "rank", "args")),
            "answer": (self._answer, ("subject", "answer", "rank", "args")),
            "settle": (self._settle, ()),
            "next_round": (self._next_round, ()),
            "swap": (self._swap, ("serial", "left_inside")),
            "mode": (self._mode, ("mode",)),
            "wait": (self._wait, ("seconds", "hours")),
            "expect": (self._expect, (*NOW, "alarms", "faults", "refused", "asked", "ruled", "no_alarms")),
        }

    def run(self) -> None:
        for number, step in enumerate(self.steps, 1):
            place = f"steps: {number}"
            name = step.get("do")
            if name not in self._do:
                known = list(self._do)
                hint = nearest(str(name), known) or f"known are {', '.join(known)}"
                raise self.play.case.wrong(place, f"unknown step {name!r}; {hint}")
            act, keys = self._do[name]
            for key in step:
                if key not in (*keys, "do", "why"):
                    raise self.play.case.wrong(
                        place, f"{name} takes no {key!r}; it takes {', '.join(keys) or 'nothing'}"
                    )
            try:
                act(step)
            except (BadCard, ScenarioError) as error:
                raise self.play.case.wrong(place, str(error)) from error
            self.play.settle_down()

    # -- cards -------------------------------------------------------------------------------------------------

    def _load(self, step: Step) -> None:
        """All decks go in: shuffled, as they came from the factory, or in the order told; some card may be lacking."""
        source = self.play.source
        decks = self.play.config.own(WarSection).decks
        how = step.get("cards", "shuffled")
        coming = [_thing(card) for card in step.get("next", [])]
        self.ahead = [str(card) for card in step.get("next", [])]
        if how == "factory":
            cards = list(PACKED) * decks
        else:
            left = Counter(FACES * decks)
            left.subtract(parse(card.removeprefix("!")).face for card in coming)
            cards = [face for face, number in left.items() if face in FACES for _ in range(max(number, 0))]
            random.Random(self.play.case.id).shuffle(cards)
        for card in step.get("without", []):
            cards.remove(parse(card).face)
        cards += [_thing(card) for card in step.get("with", [])]
        source.take_out()
        if isinstance(source, CardShoe):
            source.load([*coming, *cards])
            return
        source.miscount(int(step.get("miscount", 0)))
        source.load([*cards, *coming])
        source.stack(coming)
        self.play.until(lambda: bool(source.mouth))

    def _draw(self, step: Step) -> None:
        """Cards come out, as told where the source was loaded so."""
        how = step.get("how")
        if how is not None:
            self._spoilt(step, str(how))
            return
        for card in step.get("cards", [""] * int(step.get("times", 1))):
            drawn = self.play.draw()
            self.held += drawn
            self.ahead = self.ahead[1:]
            if card and drawn != (_thing(card),):
                self.play.wrong(f"{', '.join(drawn)} came where {card} should")

    def _spoilt(self, step: Step, how: str) -> None:
        """A draw that goes wrong: two at once, half drawn and pushed back, unreadable, read as another card."""
        if how not in HOW:
            raise ScenarioError(f"draw: how {how!r}; {nearest(how, list(HOW))}")
        if how == "two":
            self.play.two_at_once(bool(step.get("order_known", True)), self.ahead)
        else:
            seen, after_read = str(step.get("seen", "")), bool(step.get("after_read", False))
            self.play.source.spoil(HOW[how], seen=seen, confidence=99, after_read=after_read)
        drawn = self.play.draw()
        self.held += drawn
        self.ahead = self.ahead[len(drawn) :]
        wanted = tuple(_thing(card) for card in step.get("cards", []))
        if wanted and drawn != wanted:
            self.play.wrong(f"{', '.join(drawn)} came where {', '.join(wanted)} should")

    def _next(self, step: Step) -> None:
        """These cards, which are inside, come out next."""
        source = self.play.source
        assert isinstance(source, CardShuffler)
        source.stack([_thing(card) for card in step["cards"]])
        self.play.until(lambda: bool(source.mouth))

    def _feed(self, step: Step) -> None:
        """The round's cards go back into the shuffler, perhaps not all of them, or others."""
        source = self.play.source
        assert isinstance(source, CardShuffler)
        cards = list(self.held)
        self.held = []
        for card in step.get("without", []):
            cards.remove(parse(card).face)
        source.miscount(int(step.get("miscount", 0)))
        source.load([*cards, *(_thing(card) for card in step.get("with", []))])
        self.play.wait(0.1 * len(cards) + 1.0)

    # -- chips and keys ----------------------------------------------------------------------------------------

    def _lay(self, step: Step) -> None:
        amount, token = cents_of(step.get("amount"), "lay: amount"), bool(step.get("token", False))
        self.play.lay(Lay(str(step["wager"]), str(step["player"]), int(step["box"]), str(step["zone"]), amount, token))

    def _house_chips(self, step: Step) -> None:
        self.play.house_chips({"box": int(step["box"]), "amount": cents_of(step.get("amount"), "house_chips: amount")})

    def _press(self, step: Step) -> None:
        self.play.press(str(step["key"]), dict(step.get("args", {})), self._rank(step))

    def _answer(self, step: Step) -> None:
        subject = str(step["subject"])
        prompts = self.play.runtime.table.state.desk.prompts
        for prompt, asked in prompts.items():
            if subject in (asked.subject, asked.subject.partition(":")[0]):
                args = {"prompt": prompt, "answer": str(step["answer"]), "reason": "as the case has it"}
                self.play.prepare(asked.subject, str(step["answer"]), self.ahead)
                self.play.screen.press("answer", self._rank(step), {**args, **step.get("args", {})})
                return
        self.play.wrong(f"nobody asks about {subject}")

    def _rank(self, step: Step) -> int:
        named = str(step.get("rank", "dealer"))
        level = self.play.runtime.table.house.rulebook.level(named)
        if not level:
            raise self.play.case.wrong("steps", f"the rulebook knows no rank {named!r}")
        return level

    def _settle(self, step: Step) -> None:
        self.play.press("settled", {}, 1)

    def _next_round(self, step: Step) -> None:
        self.play.lift()
        self.play.press("place_bets", {}, 1)

    # -- machines and time -------------------------------------------------------------------------------------

    def _swap(self, step: Step) -> None:
        """Somebody carries the shuffler away and brings another one."""
        left = tuple(_thing(card) for card in step.get("left_inside", []))
        self.play.devices.swap("shuffler", str(step.get("serial", "SIM-OTHER")), left)
        self.play.wait(2.0)

    def _jam(self, step: Step) -> None:
        """A card sticks in the mouth of the shuffler, and it cannot shake it free."""
        self.play.jam(self.ahead)

    def _mode(self, step: Step) -> None:
        source = self.play.source
        assert isinstance(source, CardShuffler)
        source.set_mode(Mode[str(step["mode"]).upper()])
        self.play.wait(6.0)

    def _wait(self, step: Step) -> None:
        self.play.wait(float(step.get("seconds", 0)) + 3600 * float(step.get("hours", 0)))

    # -- what must be --------------------------------------------------------------------------------------------

    def _expect(self, step: Step) -> None:
        table, listener = self.play.runtime.table, self.play.listener
        found: dict[str, Any] = {
            "life": table.state.life,
            "state": table.game.machine.state,
            "min": dollars(table.state.limits.least),
            "max": dollars(table.state.limits.most),
            "decks": self.play.game.state.shoe.cards.decks,
            "alarms": [code.partition(":")[0] for code in table.state.desk.alarms],
            "faults": list(table.state.faults),
            "refused": [refusal.code for refusal in listener.refusals],
            "asked": [asked.subject.partition(":")[0] for asked in table.state.desk.prompts.values()],
            "ruled": [f"{one['subject']}: {one['answer']}" for one in listener.outcome.rulings],
        }
        for key, wanted in step.items():
            if key in NOW and found[key] != wanted:
                self.play.wrong(f"{key} is {found[key]}, expected {wanted}")
            elif key == "no_alarms":
                self._none(wanted, found["alarms"])
            elif isinstance(wanted, list):
                for one in wanted:
                    if not any(one in seen for seen in found[key]):
                        self.play.wrong(f"{key}: {one} is not among {found[key]}")

    def _none(self, unwanted: list[str], alarms: list[str]) -> None:
        for one in unwanted:
            if one in alarms:
                self.play.wrong(f"the alarm {one} stands")


def _thing(card: str) -> str:
    """A card as the simulated devices write it; a leading ! has another back."""
    if card.startswith("!"):
        return "!" + parse(card[1:]).face
    drawing = parse(card)
    return f"{drawing.face}^" if drawing.face_up else drawing.face
