"""Casino War cases: chips on a mat, cards out of a shoe or shuffler, and people who do what the case says.

The crew of `simulators/people` plays by habit and chance; here the case decides, so that eyes and hands are shared and
decisions are not.
"""

from __future__ import annotations

import random
import tempfile
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any, cast

from controller.config.file import require_right
from controller.config.tomlread import ConfigError
from controller.core.events import Chip
from controller.games.war import hands
from controller.games.war.cards import FACES, parse
from controller.games.war.config import WarSection
from controller.games.war.game import WarGame
from controller.games.war.layout import HOUSE
from controller.money.dress import ChipRegister
from lab.scenarios.file import Case
from lab.scenarios.outcome import Outcome, compare, settlement_line
from lab.scenarios.stage import Stage
from lab.scenarios.table import CaseTable
from lab.scenarios.war.acts import OWN, Action, Answer, Draw, Lay, Press, Stop
from lab.scenarios.war.case import Case as WarCase
from lab.scenarios.war.case import read_case
from lab.scenarios.war.config import table_config
from lab.scenarios.war.people import area_name, areas_of, due_of
from lab.scenarios.war.script import Script
from lab.scenarios.war.steps import WarSteps, thing
from simulators.people.table import CarriedOut
from simulators.shoe import CardShoe
from simulators.shuffler import CardShuffler

HAND_S = 0.2

ACTIONS_MOST = 600
SHUFFLER = "shuffler"


class Register(ChipRegister):
    """Knows cash chips by their value, and which of them are promotional tokens."""

    def __init__(self, register: dict[int, int]) -> None:
        super().__init__(register)
        self.tokens: set[int] = set()

    def chip(self, tag: int) -> Chip:
        chip = super().chip(tag)
        return Chip(tag, "token", chip.cents) if tag in self.tokens else chip


class WarTable(CaseTable):
    """One case, wired and ready."""

    register: Register

    def __init__(self, case: Case, folder: Path, stage: Stage) -> None:
        self.told: WarCase = read_case(case.body, case.where)
        try:
            config = stage.config(require_right(table_config(self.told), "the case"))
        except ConfigError as error:
            raise case.wrong("config", str(error)) from error
        super().__init__(case, config, folder, stage, Register)
        self.script = Script(self.told, self.game)
        self.steps = WarSteps(self) if "steps" in case.body else None
        self.tags: dict[str, list[int]] = {}
        self.paid: set[int] = set()
        self._carried_out = CarriedOut()

    @property
    def game(self) -> WarGame:
        return cast(WarGame, self.runtime.table.game)

    @property
    def source(self) -> CardShoe | CardShuffler:
        """What cards are drawn from now."""
        return self.devices.sources[self.game.source_place]

    # -- playing -----------------------------------------------------------------------------------------------

    def course(self) -> None:
        if self.steps is not None:
            self.steps.run(self.case.body["steps"])
            return
        if isinstance(self.source, CardShuffler):
            self._load()
        for _ in range(ACTIONS_MOST):
            action = self.script.next()
            if action is None:
                self.take_and_pay()
                return
            self._do(action)
        self.wrong(f"it came to no end: {action} again and again")

    def _do(self, action: Action) -> None:
        match action:
            case Lay():
                self.lay(action)
            case Draw():
                self._draw(action)
            case Press(key, args, rank, about):
                told = len(self.listener.refusals)
                self._press(key, args, rank)
                if about:
                    self._refused(about, key, told)
            case Answer(prompt, answer, args, rank):
                self.prepare(self.runtime.table.state.desk.prompts[prompt].subject, answer, self.script.cards)
                self.screen.press("answer", rank, {"prompt": prompt, "answer": answer, **args})
            case Stop():
                self.jam(self.script.cards)

    def _refused(self, about: str, key: str, told: int) -> None:
        """What the case says happened, and the table would not have."""
        for refusal in self.listener.refusals[told:]:
            if refusal.what == key:
                self.wrong(f"event {about!r}: refused: {refusal.text}")

    # -- chips -------------------------------------------------------------------------------------------------

    def lift(self) -> None:
        """Everybody takes what is theirs off the layout."""
        self.take_and_pay()
        for area in [area for area, tags in self.felt.areas.items() if tags and area]:
            self.felt.clear(area)
        self.wait(1.0)

    def lay(self, stake: Lay) -> None:
        """A player lays a stake; one that is not accepted is lifted again."""
        area = self.game.layout.area(stake.box, stake.zone)
        if area is None:
            raise self.case.wrong(f"wager {stake.wager}", f"box {stake.box} of this table has no {stake.zone} zone")
        self.screen.press(
            "assign", 1, {"box": stake.box, "zone": stake.zone, "player": stake.player, "wager": stake.wager}
        )
        if self.game.machine.state != "betting":
            self.wait(HAND_S)  # a hand moves after it has heard that betting is closed, or seen a card
        tags = self.felt.put(stake.amount, area)
        if stake.token:
            self.register.tokens.update(tags)
        self.tags[stake.wager] = tags
        lying = self.game.state.felt.lying
        self.until(lambda: all(tag in lying for tag in tags) and area not in self.game.state.felt.unread)
        self.until(lambda: not any(timer.startswith(hands.STACK) for timer in self.runtime.table.state.desk.timers))
        known = next((known for known in self.game.state.round.stakes if known.id == stake.wager), None)
        if known is None or (known.stage == "war" and not known.live):
            self.felt.take(tags, area)  # not accepted: the player has it back
            self.until(lambda: not any(tag in lying for tag in tags))

    def take_and_pay(self) -> None:
        """Carry every settlement out with chips, each once, and undo what was taken back."""
        booked = self.game.state.round.booked
        for due, take, pay in self._carried_out.left(due_of(one.result) for one in booked.values()):
            zone, _, box = due.bet.rpartition(" ")
            area = areas_of(self.game.layout)[area_name(int(box), zone)]
            self._take(due.wager, area, take)
            self._pay(due.wager, area, pay)
        self.wait(1.0)

    def _take(self, wager: str, area: int, cents: int) -> None:
        if cents <= 0:
            return
        own = [tag for tag in self.tags.get(wager, []) if tag in self.felt.areas[area]]
        if self.felt.bank.worth(own) == cents:
            self.felt.sweep(own, area)
        else:
            self.felt.collect(area, cents)

    def _pay(self, wager: str, area: int, cents: int) -> None:
        if cents <= 0:
            return
        place = self.game.layout.place(area)
        house = self.game.layout.area(place[0], HOUSE) if place and place[1] == "war" else None
        if house is not None and self.felt.bank.worth(self.felt.areas[house]) == cents:
            self.felt.slide(list(self.felt.areas[house]), house, area)  # method B: they lie there already
            return
        tags = self.felt.pay(cents, area)
        if not tags:
            self.screen.press("fill", 2, {"cents": self.felt.fill(cents)})
            tags = self.felt.pay(cents, area)
        self.tags.setdefault(wager, []).extend(tags)
        self.paid.update(tags)

    def house_chips(self, box: int, cents: int) -> None:
        """Method B: the dealer lays the house's own chips beside a war stake."""
        area = self.game.layout.area(box, HOUSE)
        if area is None:
            raise self.case.wrong("house chips", "they are laid only under war method B, on a box that there is")
        tags = self.felt.pay(cents, area)
        self.until(lambda: all(tag in self.game.state.felt.lying for tag in tags))

    def _sweep_house_chips(self) -> None:
        for box in list(self.game.state.round.house_chips):
            area = self.game.layout.area(int(box), HOUSE)
            if area is not None and self.felt.areas[area]:
                self.felt.collect(area)

    # -- keys --------------------------------------------------------------------------------------------------

    def _press(self, key: str, args: dict[str, Any], rank: int) -> None:
        """Somebody presses a key; what it says is done with chips and cards first."""
        if key == "house_chips":
            self.house_chips(args["box"], args["amount"])
        elif key in ("settled", "place_bets"):
            self.say(key)
        else:
            if key == "shuffled":
                self._load()
            self.press(key, args, rank)

    def say(self, key: str) -> None:
        """The dealer takes and pays what is due and says so; whoever may has it stand where the table would not."""
        self.take_and_pay()
        if self.game.machine.state in ("final", "over"):
            self._sweep_house_chips()
            self.wait(1.0)
        if key == "settled" and not self.game.can(self.game.keys[key]):
            return  # the half of the last surrender was taken, which ends the round
        self.press(key, {}, 1)
        if self.game.state.round.started and self._held_up(key):
            self.press(key, {"confirmed": True, "reason": "as the case has it"}, 4)

    def _held_up(self, key: str) -> bool:
        return any(refusal.what == key for refusal in self.listener.refusals[-1:]) or bool(self.game.money.findings())

    # -- cards -------------------------------------------------------------------------------------------------

    def _load(self) -> None:
        """All cards go into the source so that those of the case come first and in their order."""
        coming = [*self.script.ahead, *self.script.cards]
        out = [card.face for card in self.game.state.round.drawn] if self.game.state.round.started else []
        self.load(coming, self.shuffled_without([*out, *coming]))

    def shuffled_without(self, cards: Iterable[str]) -> list[str]:
        """All decks but these cards, shuffled."""
        left = Counter(FACES * self.config.own(WarSection).decks)
        left.subtract(face for face in (parse(card.removeprefix("!")).face for card in cards) if face in left)
        rest = [face for face, number in left.items() for _ in range(max(number, 0))]
        random.Random(self.case.id).shuffle(rest)
        return rest

    def load(self, coming: Iterable[str], rest: list[str], miscount: int = 0) -> None:
        """The source is emptied and filled again, so that some cards come first and in their order."""
        source, first = self.source, [thing(card) for card in coming]
        source.take_out()
        if isinstance(source, CardShoe):
            source.load([*first, *rest])
        else:
            if miscount:
                source.miscount(miscount)
            source.load([*rest, *first])
            source.stack(first)
            self.until(lambda: bool(source.mouth))
        self.until(self.told_all)

    def _draw(self, draw: Draw) -> None:
        source = self.source
        if isinstance(source, CardShuffler):
            self.until(lambda: bool(source.mouth))
        if len(draw.cards) > 1:
            self.two_at_once(draw.order_known, (*draw.cards, *self.script.cards))
        if draw.how == "misread":
            source.spoil("misread", seen=draw.seen, confidence=99)
        elif draw.how == "unreadable":
            source.spoil("unreadable")
        drawn = self.draw()
        if drawn != tuple(thing(card) for card in draw.cards):
            self.wrong(f"{drawn} came where {draw.cards} should")

    def two_at_once(self, order_known: bool, coming: Iterable[str]) -> None:
        """The next draw brings two cards."""
        source = self.source
        source.spoil("two", order_known=order_known)
        if isinstance(source, CardShuffler):
            source.stack([thing(card) for card in coming])
            self.until(lambda: len(source.mouth) == 2)

    def draw(self) -> tuple[str, ...]:
        """The dealer draws, if need be through a locked gate; what the hand holds."""
        source = self.source
        wanted = self.runtime.table.state.outputs.get(self.game.source_place, {})
        if not wanted.get("locked", True):
            self.until(lambda: not source.locked)
        held: list[tuple[str, ...]] = []
        source.draw(held.append, force=source.locked)
        self.until(lambda: bool(held))
        self.until(self.told_all)
        return held[0]

    def jam(self, coming: Iterable[str]) -> None:
        """A card sticks in the mouth and the machine cannot shake it free."""
        source = self.source
        if not isinstance(source, CardShuffler):
            raise self.case.wrong("events", "only a shuffler can stop; this table deals from a shoe")
        source.jam("mouth", recovers=False)
        source.stack([thing(card) for card in coming])
        self.until(lambda: "shuffler:jam" in self.runtime.table.state.faults)
        self.until(self.told_all)

    def prepare(self, subject: str, answer: str, cards: Iterable[str]) -> None:
        """What hands do before somebody says that a stopped shuffler goes on, is exchanged, or is done with."""
        machine = self.devices.sources.get(SHUFFLER)
        if not isinstance(machine, CardShuffler) or "shuffler:jam" not in self.runtime.table.state.faults:
            return
        coming = [thing(card) for card in cards]
        if (subject, answer) == ("device", "go_on"):
            machine.open_door()
            stuck = machine.clear_jam()
            machine.close_door()
            machine.load(stuck)
            machine.stack(coming)
        elif subject == "device_damage":
            cards = machine.take_out()
            self.until(self.told_all)
            spare = self.devices.swap(SHUFFLER, "SIM-SPARE")
            spare.load(cards)
            spare.stack(coming)
        elif (subject, answer) == ("device_shoe", "shoe"):
            machine.take_out()
        else:
            return
        self.until(lambda: "shuffler:jam" not in self.runtime.table.state.faults)
        self.until(self.told_all)

    # -- judging -----------------------------------------------------------------------------------------------

    def judge(self) -> None:
        outcome, told = self.listener.outcome, self.told
        results = {result.wager: result for result in self.listener.results if not result.wager.startswith(OWN)}
        outcome.settlement = [settlement_line(wager, result) for wager, result in results.items()]
        if told.expected is not None:
            compare(outcome, told.expected)
            self._compare_further(told.expected)
        if self.steps is not None:
            self.steps.judge()
            return
        outcome.to = self.script.places
        for difference in self.script.differences():
            outcome.wrong(difference)

    def _compare_further(self, expected: list[dict[str, Any]]) -> None:
        """Clauses, refusals, and what winnings were paid in, where the case tells them."""
        lines = {line["wager"]: line for line in self.listener.outcome.settlement}
        refused = {refusal.what.removeprefix("stake ") for refusal in self.listener.refusals}
        for want in expected:
            line = lines.get(want["wager"], {"clauses": []})
            missing = [clause for clause in want.get("clauses", []) if clause not in line["clauses"]]
            if missing:
                self.wrong(f"wager {want['wager']}: does not rest on {', '.join(missing)}, but on {line['clauses']}")
            if want.get("refused") and want["wager"] not in refused:
                self.wrong(f"wager {want['wager']}: was not refused")
        if self.case.body.get("paid_in") == "chips" and self.paid & self.register.tokens:
            self.wrong("winnings were paid in tokens")


def play_war(case: Case, stage: Stage) -> Outcome:
    """Play one Casino War case."""
    with tempfile.TemporaryDirectory(prefix="tablectl-") as folder:
        return WarTable(case, Path(folder), stage).play()
