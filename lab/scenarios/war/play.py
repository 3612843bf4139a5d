"""Casino War cases: chips on a mat, cards out of a shoe or shuffler, and people who do what the case says."""

from __future__ import annotations

import random
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable
from decimal import Decimal
from pathlib import Path
from typing import Any, cast

import msgspec

from controller.config.file import require_right
from controller.config.tomlread import Cents, ConfigError
from controller.config.types import Bounds, DeviceSection, LimitsSection, PersonalLimit, TableConfig
from controller.core.effects import WagerResult
from controller.core.events import Chip
from controller.devices import inline
from controller.games.war.cards import FACES, parse
from controller.games.war.config import WarSection
from controller.games.war.game import WarGame
from controller.games.war.layout import HOUSE
from controller.money.dress import ChipRegister
from drivers.device import Device
from firmware_specs.clock import DeadlineMissed, Deadlock
from lab.scenarios.file import Case
from lab.scenarios.outcome import Listener, Outcome, compare, settlement_line
from lab.scenarios.stage import Stage
from lab.scenarios.war.acts import OWN, Action, Answer, Draw, Lay, Press, Stop
from lab.scenarios.war.case import Case as WarCase
from lab.scenarios.war.case import read_case
from lab.scenarios.war.script import Script
from lab.scenarios.war.steps import Steps
from lab.sim.config import default_config
from lab.sim.screen import DealerScreen
from lab.sim.table import sign_that_shows
from simulators.card_mouth import CannotDraw
from simulators.faults import BadFault, Fault
from simulators.people.chips import Felt
from simulators.shoe import CardShoe
from simulators.shuffler import CardShuffler

STEP_S = 120.0
ACTIONS_MOST = 600
SHUFFLER = "shuffler"


class _Register(ChipRegister):
    """Knows cash chips by their value, and which of them are promotional tokens."""

    def __init__(self, register: dict[int, int]) -> None:
        super().__init__(register)
        self.tokens: set[int] = set()

    def chip(self, tag: int) -> Chip:
        chip = super().chip(tag)
        return Chip(tag, "token", chip.cents) if tag in self.tokens else chip


class WarScenario:
    """One case, wired and ready."""

    def __init__(self, case: Case, folder: Path, stage: Stage) -> None:
        self.case = case
        self.told: WarCase = read_case(case.body, case.where)
        try:
            self.config = stage.config(require_right(_table_config(self.told), "the case"))
        except ConfigError as error:
            raise case.wrong("config", str(error)) from error
        self.stage = stage
        self.clock = stage.clock
        bank = stage.bank()
        self.register = _Register(bank.register)
        self.devices, self.runtime = stage.wired(self.config, folder / "case.sqlite", bank, self.register)
        self.listener = Listener(case.id)
        self.runtime.watchers.append(self.listener.watch)
        sign_that_shows(self.runtime, self.clock)
        self.screen = DealerScreen(self.runtime, self.config)
        self.felt = Felt(self.devices.mat, bank)
        self.script = Script(self.told, self.game)
        self.tags: dict[str, list[int]] = {}
        self.handled: dict[str, WagerResult] = {}
        self.paid: set[int] = set()

    @property
    def game(self) -> WarGame:
        return cast(WarGame, self.runtime.table.game)

    @property
    def source(self) -> CardShoe | CardShuffler:
        """What cards are drawn from now."""
        return self.devices.sources[self.game.source_place]

    # -- playing -----------------------------------------------------------------------------------------------

    def play(self) -> Outcome:
        for fault in self.case.body.get("faults", []):
            try:
                self.devices.plan(Fault.of(fault))
            except (BadFault, ConfigError) as error:
                raise self.case.wrong("faults", str(error)) from error
        self.devices.start()
        self.runtime.start("scenario", self.config, inline(self.runtime))
        self.stage.begun(self.runtime)
        try:
            self._course()
        except (Deadlock, DeadlineMissed, CannotDraw) as stuck:
            state = f"table {self.screen.life()}, round {self.screen.state()}"
            self.listener.outcome.wrong(f"it did not go on: {stuck} ({state})")
        self._finish()
        self.stage.played(self.listener.outcome)
        self.runtime.stop()
        self.devices.stop()
        return self.listener.outcome

    def _course(self) -> None:
        self._until(lambda: not self.runtime.table.state.faults)
        self.screen.press("open", 1)
        self._until(lambda: self.screen.life() == "open")
        steps = self.case.body.get("steps")
        if steps is not None:
            Steps(self, _plain(steps)).run()
            return
        if isinstance(self.source, CardShuffler):
            self._load()
        for _ in range(ACTIONS_MOST):
            action = self.script.next()
            if action is None:
                break
            self._do(action)
        self._take_and_pay()

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

    def _until(self, condition: Any) -> None:
        self.clock.run_until(condition, STEP_S)

    # -- for cases told step by step ---------------------------------------------------------------------------

    def until(self, condition: Callable[[], bool]) -> None:
        """Let time pass until this is so."""
        self._until(condition)

    def wait(self, seconds: float) -> None:
        """Let so much time pass, and whatever devices have to say arrive."""
        self.clock.run_for(seconds)
        self._until(self._told_all)

    def settle_down(self) -> None:
        """Let everything that is under way arrive."""
        self.wait(0.5)

    def lift(self) -> None:
        """Everybody takes what is theirs off the layout."""
        self._take_and_pay()
        for area in [area for area, tags in self.felt.areas.items() if tags and area]:
            self.felt.clear(area)
        self.wait(1.0)

    def wrong(self, text: str) -> None:
        """Something is not as the case has it."""
        self.listener.outcome.wrong(text)

    # -- hearing -----------------------------------------------------------------------------------------------

    def _told_all(self) -> bool:
        """Whether the table has heard everything the devices had to say."""
        for place, wire in self.devices.links().items():
            driver = self.runtime.drivers[place]
            if wire.held != (driver.quiet if isinstance(driver, Device) else 0):
                return False
        return True

    # -- chips -------------------------------------------------------------------------------------------------

    def lay(self, stake: Lay) -> None:
        """A player lays a stake; one that is not accepted is lifted again."""
        area = self.game.layout.area(stake.box, stake.zone)
        if area is None:
            raise self.case.wrong(f"wager {stake.wager}", f"box {stake.box} of this table has no {stake.zone} zone")
        self.screen.press(
            "assign", 1, {"box": stake.box, "zone": stake.zone, "player": stake.player, "wager": stake.wager}
        )
        tags = self.felt.put(stake.amount, area)
        if stake.token:
            self.register.tokens.update(tags)
        self.tags[stake.wager] = tags
        lying = self.game.state.felt.lying
        self._until(lambda: all(tag in lying for tag in tags) and area not in self.game.state.felt.unread)
        known = next((known for known in self.game.state.round.stakes if known.id == stake.wager), None)
        if known is None or (known.stage == "war" and not known.live):
            self.felt.take(tags, area)  # not accepted: the player has it back
            self._until(lambda: not any(tag in lying for tag in tags))

    def _take_and_pay(self) -> None:
        """Carry every settlement out with chips, each once, and undo what was taken back."""
        for booked in list(self.game.state.round.booked.values()):
            result = booked.result
            before = self.handled.get(result.wager)
            if before == result:
                continue
            self.handled[result.wager] = result
            area = self.game.area_of(result)
            taken = result.stake_taken - (before.stake_taken if before else 0)
            pays = result.pays - (before.pays if before else 0)
            self._take(result.wager, area, taken - min(pays, 0))
            self._pay(result.wager, area, max(pays, 0) - min(taken, 0))
        self.clock.run_for(1.0)
        self._until(self._told_all)

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

    def house_chips(self, args: dict[str, Any]) -> None:
        """Method B: the dealer lays the house's own chips beside a war stake."""
        area = self.game.layout.area(int(args["box"]), HOUSE)
        if area is None:
            raise self.case.wrong("events", "house chips are laid only under war method B")
        tags = self.felt.pay(int(args["amount"]), area)
        self._until(lambda: all(tag in self.game.state.felt.lying for tag in tags))

    def _sweep_house_chips(self) -> None:
        for box in list(self.game.state.round.house_chips):
            area = self.game.layout.area(int(box), HOUSE)
            if area is not None and self.felt.areas[area]:
                self.felt.collect(area)

    # -- keys --------------------------------------------------------------------------------------------------

    def _press(self, key: str, args: dict[str, Any], rank: int) -> None:
        if key == "house_chips":
            self.house_chips(args)
            return
        if key == "shuffled":
            self._load()
        self.press(key, args, rank)

    def press(self, key: str, args: dict[str, Any], rank: int) -> None:
        """Somebody presses a key; what it says is done with chips first."""
        if key in ("settled", "place_bets"):
            self._take_and_pay()
            if self.game.machine.state in ("final", "over"):
                self._sweep_house_chips()
                self.wait(1.0)
        self.screen.press(key, rank, args)
        if key in ("settled", "place_bets") and self.game.state.round.started and self._held_up(key):
            self.screen.press(key, 4, {**args, "confirmed": True, "reason": "as the case has it"})

    def _held_up(self, key: str) -> bool:
        return any(refusal.what == key for refusal in self.listener.refusals[-1:]) or bool(self.game.money.findings())

    # -- cards -------------------------------------------------------------------------------------------------

    def _load(self) -> None:
        """All cards go into the source so that those of the case come first and in their order."""
        source = self.source
        coming = [_thing(card) for card in (*self.script.ahead, *self.script.cards)]
        out = [card.face for card in self.game.state.round.drawn] if self.game.state.round.started else []
        left = Counter(FACES * self.config.own(WarSection).decks)
        left.subtract(card for card in (*out, *(parse(card).face for card in coming)) if card in left)
        rest = [face for face, number in left.items() for _ in range(max(number, 0))]
        random.Random(self.case.id).shuffle(rest)
        source.take_out()
        if isinstance(source, CardShoe):
            source.load([*coming, *rest])
        else:
            source.load([*rest, *coming])
            source.stack(coming)
            self._until(lambda: bool(source.mouth))
        self._until(self._told_all)

    def _draw(self, draw: Draw) -> None:
        source = self.source
        if isinstance(source, CardShuffler):
            self._until(lambda: bool(source.mouth))
        if len(draw.cards) > 1:
            self.two_at_once(draw.order_known, (*draw.cards, *self.script.cards))
        if draw.how == "misread":
            source.spoil("misread", seen=draw.seen, confidence=99)
        elif draw.how == "unreadable":
            source.spoil("unreadable")
        drawn = self.draw()
        if drawn != tuple(_thing(card) for card in draw.cards):
            self.wrong(f"{drawn} came where {draw.cards} should")

    def two_at_once(self, order_known: bool, coming: Iterable[str]) -> None:
        """The next draw brings two cards."""
        source = self.source
        source.spoil("two", order_known=order_known)
        if isinstance(source, CardShuffler):
            source.stack([_thing(card) for card in coming])
            self._until(lambda: len(source.mouth) == 2)

    def draw(self) -> tuple[str, ...]:
        """The dealer draws, if need be through a locked gate; what the hand holds."""
        source = self.source
        wanted = self.runtime.table.state.outputs.get(self.game.source_place, {})
        if not wanted.get("locked", True):
            self._until(lambda: not source.locked)
        held: list[tuple[str, ...]] = []
        source.draw(held.append, force=source.locked)
        self._until(lambda: bool(held))
        self._until(self._told_all)
        return held[0]

    def jam(self, coming: Iterable[str]) -> None:
        """A card sticks in the mouth and the machine cannot shake it free."""
        source = self.source
        if not isinstance(source, CardShuffler):
            raise self.case.wrong("events", "only a shuffler can stop; this table deals from a shoe")
        source.jam("mouth", recovers=False)
        source.stack([_thing(card) for card in coming])
        self._until(lambda: "shuffler:jam" in self.runtime.table.state.faults)
        self._until(self._told_all)

    def prepare(self, subject: str, answer: str, cards: Iterable[str]) -> None:
        """What hands do before somebody says that a stopped shuffler goes on, is exchanged, or is done with."""
        machine = self.devices.sources.get(SHUFFLER)
        if not isinstance(machine, CardShuffler) or "shuffler:jam" not in self.runtime.table.state.faults:
            return
        coming = [_thing(card) for card in cards]
        if (subject, answer) == ("device", "go_on"):
            machine.open_door()
            stuck = machine.clear_jam()
            machine.close_door()
            machine.load(stuck)
            machine.stack(coming)
        elif subject == "device_damage":
            cards = machine.take_out()
            self._until(self._told_all)
            spare = self.devices.swap(SHUFFLER, "SIM-SPARE")
            spare.load(cards)
            spare.stack(coming)
        elif (subject, answer) == ("device_shoe", "shoe"):
            machine.take_out()
        else:
            return
        self._until(lambda: "shuffler:jam" not in self.runtime.table.state.faults)
        self._until(self._told_all)

    # -- judging -----------------------------------------------------------------------------------------------

    def _finish(self) -> None:
        outcome, told = self.listener.outcome, self.told
        results = {result.wager: result for result in self.listener.results if not result.wager.startswith(OWN)}
        outcome.settlement = [settlement_line(wager, result) for wager, result in results.items()]
        if told.expected is not None:
            compare(outcome, told.expected)
            self._compare_further(told.expected)
        if "steps" in self.case.body:
            return
        outcome.to = self.script.places
        for difference in self.script.differences():
            outcome.wrong(difference)
        notes = self.script.reports.notes()
        if notes:
            outcome.notes = notes

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


def _thing(card: str) -> str:
    """A card as the simulated devices write it."""
    drawing = parse(card)
    return f"{drawing.face}^" if drawing.face_up else drawing.face


def _plain(value: Any) -> Any:
    """Numbers as the engine's reader takes them."""
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    return [_plain(inner) for inner in value] if isinstance(value, list) else value


def _table_config(case: WarCase) -> TableConfig:
    """The table that this case is played at."""
    war, limits = case.config, case.limits
    config = default_config("war", rulebook=case.rulebook, source="shoe" if war.source == "shoe" else "shuffler")
    devices = dict(config.devices)
    if war.source == "csm":
        devices["shoe"] = DeviceSection("shoe", simulated=True)  # to finish from, should the shuffler fail
    least = min([limits.least, *case.kept_minimum.values()])
    return msgspec.structs.replace(
        config,
        limits=LimitsSection(
            Cents(least),
            Cents(limits.most),
            Cents(limits.unit),
            Cents(limits.smallest_chip),
            {bet: Bounds(Cents(low), Cents(high)) for bet, (low, high) in limits.bets.items()},
        ),
        devices=devices,
        play=WarSection(
            decks=war.decks,
            source="shoe" if war.source == "shoe" else "shuffler",
            method=war.war_method,
            payout_column=war.column or None,
            places=case.places or max([7, *(stake.box for stake in case.stakes)]),
            zones=war.optional_zones,
            round_burn=war.round_burn,
            start_burn=war.start_burn,
            share_most=war.share_most,
            tournament=war.tournament,
            options=dict(war.readings),
        ),
        personal_limits=tuple(
            PersonalLimit(player, 1, Cents(least), Cents(most), marker=True)
            for player, (least, most) in case.personal.items()
        ),
    )


def play_war(case: Case, stage: Stage) -> Outcome:
    """Play one Casino War case."""
    with tempfile.TemporaryDirectory(prefix="tablectl-") as folder:
        return WarScenario(case, Path(folder), stage).play()
