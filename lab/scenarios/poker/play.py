"""Poker cases: a whole hand, with the deck as it lies and people who do what the case says, through the whole stack.

A case without a course of its own is checked down: everybody calls or checks, everybody shows, questions are answered
as proposed. A case that only asks the rules something is no hand and is not played.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import msgspec

from controller.config.file import require_right
from controller.config.tomlread import Cents, ConfigError, nearest
from controller.config.types import TableConfig
from controller.core.effects import Announced, Awarded, Noted
from controller.core.runtime import Told
from controller.devices import inline
from controller.games.poker.cards import DECK
from controller.games.poker.config import PokerSection, RakeSection
from controller.games.poker.game import PokerGame
from controller.games.poker.hand import Hand, expected
from controller.games.poker.offers import GAMES, KINDS
from controller.games.poker.pots import Pot
from controller.money.dress import ChipRegister
from firmware_specs.clock import DeadlineMissed, Deadlock
from lab.scenarios.file import Case, ScenarioError, cents, dollars, known_keys
from lab.scenarios.outcome import Listener, Outcome, settlement_line
from lab.scenarios.poker.asked import Asker
from lab.scenarios.poker.crew import ScriptedCrew
from lab.scenarios.poker.hands import as_whole_hand, cards_of
from lab.scenarios.poker.shapes import Shape, misspelt, shape_of
from lab.scenarios.stage import Stage
from lab.sim.config import default_config
from lab.sim.table import sign_that_shows
from simulators.faults import BadFault, Fault
from simulators.people.chips import Felt
from simulators.people.poker import Areas

HAND_S = 900.0
CASE_KEYS = (
    "id", "rulebook", "game", "option", "title", "config", "seats", "button", "deck", "actions", "events", "expected",
    "clauses", "interpretation", "why", "faults", "inputs", "shuffled", "seated_then",
)  # fmt: skip
CONFIG_KEYS = (
    "game", "structure", "levels", "blinds", "chip", "min", "max", "rake", "straddle", "over_blinds", "side_wagers",
    "time_to_act_s", "extensions", "extension_s", "extension_fee",
)  # fmt: skip
RAKE_KEYS = ("method", "percent", "pct", "cap", "minimum", "fee", "fees", "stand_alone")
EXPECTED_KEYS = (
    "pots", "award", "awards", "stacks", "rake", "rulings", "outcome", "board", "high_winners", "low_winners", "refund",
    "side", "refused", "note",
)  # fmt: skip


class PokerScenario:
    """One case, wired and ready."""

    def __init__(self, case: Case, folder: Path, stage: Stage) -> None:
        known_keys(case, "case", case.body, CASE_KEYS)
        self.case = case
        self.body = as_whole_hand(case) if "inputs" in case.body else case.body
        self.stacks = _stacks(case, self.body)
        self.config = stage.config(_config(case, self.body, max(self.stacks)))
        self.stage = stage
        self.clock = stage.clock
        bank = stage.bank()
        register = ChipRegister(bank.register)
        self.devices, self.runtime = stage.wired(self.config, folder / "case.sqlite", bank, register)
        self.listener = Listener(case.id)
        sign_that_shows(self.runtime, self.clock)
        self.pots: list[Pot] = []
        self.awards: list[Awarded] = []
        self.over: dict[str, Any] = {}
        self.board: list[str] = []
        self.acts: list[dict[str, Any]] = []
        self.announced: list[str] = []
        self.rakes: list[int] = []
        self.rake_by_pot: list[int] = []
        self.returned: dict[int, int] = {}
        self.steps: dict[str, list[str]] = {}
        self.posted: list[int] = []
        self._last: Hand | None = None
        self.positions: list[dict[str, Any]] = []
        self.waited_for: list[str] = []
        self.runtime.watchers += [self.listener.watch, self._watch]
        self.crew = self._crew(Felt(self.devices.mat, bank))
        self.crew.shuffled_to = cards_of(case, "shuffled", self.body.get("shuffled", []))
        self.runtime.watchers.append(lambda told: self.crew.look())

    @property
    def game(self) -> PokerGame:
        return cast(PokerGame, self.runtime.table.game)

    def _crew(self, felt: Felt) -> ScriptedCrew:
        given = cards_of(self.case, "deck", self.body.get("deck", []))
        tags = {face: tag for tag, face in self.stage.deck().items()}
        order = [*given, *(card for card in DECK if card not in given)]
        actions = [dict(action) for action in [*self.body.get("actions", []), *self.body.get("events", [])]]
        try:
            return ScriptedCrew(
                self.clock,
                self.stage.poker_screen(self.runtime, self.config),
                felt,
                self.devices.antennas,
                {tags[card]: card for card in order},
                cast(Areas, self.game.layout),
                self.stacks,
                int(self.body.get("button", max(self.stacks))),
                actions,
                lambda place, value: cents(self.case, place, value),
            )
        except (TypeError, ValueError) as error:
            raise self.case.wrong("actions", str(error)) from error

    def _watch(self, told: Told) -> None:
        hand = self.game.state.hand
        awarded = [effect for effect in told.effects if isinstance(effect, Awarded)]
        if awarded:
            self.awards = awarded
        if hand is not None:
            self.board = list(hand.board)
            if hand.pots:
                self.pots = [Pot(pot.amount, list(pot.seats)) for pot in hand.pots]
                self.rake_by_pot = list(hand.rake_by_pot)
            self._watch_hand(hand)
            self.returned = {seat: amount for seat, amount in self.game.in_play.refunds.items() if amount}
        for effect in told.effects:
            match effect:
                case Noted(what="hand_over", facts=facts):
                    self.over = facts
                case Noted(what="acted", facts=facts):
                    self.acts.append({**facts, "laid": self.crew.laid, "board": len(self.board)})
                case Noted(what="rake", facts=facts) if facts["amount"] > 0:
                    self.rakes.append(facts["amount"])
                case Announced(code=code):
                    self.announced.append(code)

    def _watch_hand(self, hand: Hand) -> None:
        if hand.ruling is not None and hand.ruling.steps:
            self.steps[hand.ruling.steps[0].kind] = list(hand.ruling.steps[0].cards)
        if hand is not self._last:
            self._last = hand
            self.positions.append(_positions(hand))
        if hand.phase == "posting":
            wanted = expected(hand)
            self.posted += [due.seat for due in hand.blinds if due.seat not in self.posted]
            if self.waited_for[-1:] != [wanted.what]:
                self.waited_for.append(wanted.what)

    @property
    def rake(self) -> int:
        return int(self.over.get("rake", 0))

    @property
    def awarded(self) -> dict[int, int]:
        sums: dict[int, int] = {}
        for award in self.awards:
            sums[award.seat] = sums.get(award.seat, 0) + award.cents
        return sums

    def faces_at(self, antenna: int) -> list[str]:
        """The cards that truly lie there, in the order they came."""
        return [self.crew._faces[tag] for tag in self.devices.antennas.lying(antenna)]

    def holes(self) -> dict[int, list[str]]:
        """The hole cards that each seat truly holds, in the order they came."""
        return {seat: [self.crew._faces[tag] for tag in tags] for seat, tags in self.crew._held.items()}

    # -- playing -----------------------------------------------------------------------------------------------

    def play(self) -> Outcome:
        for fault in self.body.get("faults", []):
            try:
                self.devices.plan(Fault.of(fault))
            except (BadFault, ConfigError) as error:
                raise self.case.wrong("faults", str(error)) from error
        self.devices.start()
        self.runtime.start("scenario", self.config, inline(self.runtime))
        self.stage.begun(self.runtime)
        outcome = self.listener.outcome
        try:
            self.clock.run_until(lambda: bool(self.over) or bool(self.crew.trouble), HAND_S)
            self.clock.run_for(2.0)
            for seated in self.body.get("seated_then", []):
                self.over = {}
                self.crew.next_hand([int(seat) for seat in seated])
                self.clock.run_until(lambda: bool(self.over) or bool(self.crew.trouble), HAND_S)
                self.clock.run_for(2.0)
        except (Deadlock, DeadlineMissed) as stuck:
            state = f"table {self.runtime.table.state.life}, hand {self.game.machine.state}"
            causes = "; ".join(fault.text for fault in self.runtime.table.state.faults.values())
            outcome.wrong(f"it did not go on: {stuck} ({state}; waits for {self.crew.screen.wanted().what}) {causes}")
        if self.crew.trouble:
            raise self.case.wrong("actions", self.crew.trouble)
        if self.crew.script and self.over:
            outcome.wrong(f"the hand was over before {self.crew.script[0]}")
        self._finish()
        self.stage.played(outcome)
        self.runtime.stop()
        self.devices.stop()
        return outcome

    # -- the outcome -------------------------------------------------------------------------------------------

    def _finish(self) -> None:
        outcome = self.listener.outcome
        outcome.settlement += [settlement_line(result.wager, result) for result in self.listener.results]
        expected = self.body.get("expected")
        if expected is None:
            return
        known_keys(self.case, "expected", expected, EXPECTED_KEYS)
        for name, wanted in expected.items():
            if name != "note":
                self._compare(name, wanted, self._found(name, wanted))

    def _compare(self, name: str, wanted: Any, found: Any) -> None:
        if isinstance(wanted, dict):
            wanted = {str(key): _number(value) for key, value in wanted.items()}
        elif not isinstance(wanted, list):
            wanted = _number(wanted)
        if found != wanted:
            self.listener.outcome.wrong(f"{name} is {found}, expected {wanted}")

    def _found(self, name: str, wanted: Any) -> Any:
        """What came of the hand, in the words and the shape of the expectation."""
        find: dict[str, Callable[[], Any]] = {
            "pots": lambda: self._pots(wanted),
            "award": self._awarded,
            "awards": self._awarded,
            "stacks": lambda: {str(seat): dollars(one.stack) for seat, one in self.game.state.seats.items()},
            "rake": lambda: dollars(int(self.over.get("rake", 0))),
            "rulings": lambda: self._rulings(wanted),
            "outcome": lambda: self.listener.outcomes[-1] if self.listener.outcomes else "none",
            "board": lambda: self.board,
            "high_winners": lambda: self._winners(("whole", "high")),
            "low_winners": lambda: self._winners(("low",)),
            "refund": self.refunds,
            "side": self.sides,
            "refused": lambda: [clause for refusal in self.listener.refusals for clause in refusal.clauses],
        }
        return find[name]()

    def _pots(self, wanted: Any) -> list[Any]:
        if wanted and isinstance(wanted[0], dict):
            return [{"amount": dollars(pot.amount), "eligible": sorted(pot.seats)} for pot in self.pots]
        return [dollars(pot.amount) for pot in self.pots]

    def _awarded(self) -> dict[str, Any]:
        return {str(seat): dollars(amount) for seat, amount in self.awarded.items() if amount}

    def _winners(self, sides: tuple[str, ...]) -> list[str]:
        return sorted({str(award.seat) for award in self.awards if award.side in sides})

    def _rulings(self, wanted: Any) -> list[Any]:
        asked = [one for one in self.listener.outcome.rulings if one["subject"] not in ("open", "button")]
        if wanted and isinstance(wanted[0], str):
            return [f"{one['subject']}: {one['answer']}" for one in asked]
        return [
            {key: one[key] for key in want if key in one} for want, one in zip(wanted, asked, strict=False)
        ] or asked

    def refunds(self) -> dict[str, Any]:
        seats = {one.player: number for number, one in self.game.state.seats.items()}
        sums: dict[int, int] = {}
        for result in self.listener.results:
            if result.result == "returned":
                seat = seats[result.player]
                sums[seat] = sums.get(seat, 0) + result.stake_returned
        return {str(seat): dollars(amount) for seat, amount in sums.items()}

    def sides(self) -> dict[str, Any]:
        seats = {one.player: number for number, one in self.game.state.seats.items()}
        return {
            str(seats[result.player]): dollars(result.pays)
            for result in self.listener.results
            if result.bet.startswith("flop chase")
        }


def _positions(hand: Hand) -> dict[str, Any]:
    """Where the button lies and who posts which blind, in the words of a case."""
    seats = [player.seat for player in hand.betting.players]
    by_amount = {due.amount: due.seat for due in reversed(hand.blinds)}
    return {
        "button": hand.button,
        "dead_button": hand.button not in seats,
        "small": by_amount.get(hand.terms.blinds[0]),
        "big": by_amount.get(hand.terms.blinds[-1]),
    }


def _number(value: Any) -> Any:
    return value if isinstance(value, str | bool | dict | list) or value is None else dollars(round(value * 100))


def _stacks(case: Case, body: dict[str, Any]) -> dict[int, int]:
    """Every seat's stack; from an object by seat, or a list of objects."""
    given = body.get("seats")
    if isinstance(given, list):
        given = {one.get("seat"): one.get("stack") for one in given if isinstance(one, dict)}
    if not isinstance(given, dict) or len(given) < 2:
        raise case.wrong("seats", "a hand needs two seats or more, each with its stack")
    try:
        stacks = {int(seat): cents(case, f"seats: {seat}", stack) for seat, stack in given.items()}
    except (TypeError, ValueError) as error:
        raise case.wrong("seats", f"a seat is a number: {error}") from error
    if min(stacks) < 1 or max(stacks) > 12:
        raise case.wrong("seats", "seats are numbered from 1 to 11")
    return stacks


def _config(case: Case, body: dict[str, Any], highest: int) -> TableConfig:
    given = body.get("config", {})
    known_keys(case, "config", given, CONFIG_KEYS)

    def money(name: str, default: int) -> Cents:
        return Cents(cents(case, f"config: {name}", given[name]) if name in given else default)

    chip = money("chip", 100)
    blinds = tuple(Cents(cents(case, "config: blinds", blind)) for blind in given.get("blinds", (5, 10)))
    levels = tuple(Cents(cents(case, "config: levels", level)) for level in given.get("levels", ()))
    least = money("min", levels[0] if levels else blinds[-1] if blinds else 100)
    try:
        base = default_config("poker", rulebook=case.rulebook)
        poker = PokerSection(
            game=_game(case, given.get("game", case.body.get("game", "holdem"))),
            structure=_structure(case, given.get("structure", "no_limit")),
            blinds=blinds,
            levels=levels,
            most=money("max", 0) or None,
            least_buy_in=chip,
            rake=_rake(case, given.get("rake")),
            **{name: given[name] for name in CONFIG_KEYS[8:14] if name in given},
            extension_fee=money("extension_fee", 0) or None,
        )
        limits = msgspec.structs.replace(base.limits, min=least, unit=least, max=Cents(10**9), smallest_chip=chip)
        limits = msgspec.structs.replace(limits, max=Cents(limits.max - limits.max % chip))
        devices = {place: device for place, device in base.devices.items() if device.kind != "shuffler"}
        config = msgspec.structs.replace(
            base, play=poker, limits=limits, devices=devices,
            seats=msgspec.structs.replace(base.seats, count=min(max(highest, 9), 11)),
        )  # fmt: skip
        if poker.game.startswith("omaha") and config.seats.count > 10:
            config = msgspec.structs.replace(config, seats=msgspec.structs.replace(base.seats, count=10))
        return require_right(config, case.where)
    except ScenarioError:
        raise
    except (ConfigError, TypeError, ValueError, KeyError, AttributeError) as error:
        raise case.wrong("config", str(error)) from error


def _game(case: Case, given: Any) -> Any:
    names = {full: short for short, full in GAMES.items()} | {short: short for short in GAMES}
    if given not in names:
        raise case.wrong("config: game", f"no game {given!r}; there are {', '.join(GAMES.values())}")
    return names[given]


def _structure(case: Case, given: Any) -> Any:
    names = {kind: name for name, kind in KINDS.items()} | {name: name for name in KINDS} | {"structured": "fixed"}
    if given not in names:
        raise case.wrong("config: structure", f"no structure {given!r}; there are {', '.join(KINDS)}")
    return names[given]


def _rake(case: Case, given: Any) -> RakeSection:
    if given is None:
        return RakeSection()
    if not isinstance(given, dict):
        raise case.wrong("config: rake", "an object with method, percent and cap")
    known_keys(case, "config: rake", given, RAKE_KEYS)
    amounts = {
        name: Cents(cents(case, f"config: rake: {name}", given[name]))
        for name in ("cap", "minimum", "fee")
        if name in given
    }
    fees = {
        str(players): Cents(cents(case, "config: rake: fees", fee)) for players, fee in given.get("fees", {}).items()
    }
    return RakeSection(
        given.get("method", "percentage"),
        int(given["percent"] if "percent" in given else given.get("pct", 0)),
        **amounts,
        fees=fees,
        stand_alone=bool(given.get("stand_alone", False)),
    )


def play_poker(case: Case, stage: Stage) -> Outcome:
    """Play one poker case, or the hands that answer what it asks."""
    with tempfile.TemporaryDirectory(prefix="tablectl-") as folder:
        inputs = case.body.get("inputs")
        if isinstance(inputs, dict) and not {"hands", "board"} <= set(inputs):
            shape = shape_of(case)
            if shape is not None:
                return _answered(case, shape, Path(folder), stage)
            wrong = misspelt(case)
            if wrong:
                raise case.wrong("inputs", wrong)
        return PokerScenario(case, Path(folder), stage).play()


def _answered(case: Case, shape: Shape, folder: Path, stage: Stage) -> Outcome:
    """Play hands up to what the case asks, each at a table of its own, and compare the answer."""
    if type(stage) is not Stage:
        raise case.wrong("inputs", "a question is answered under the virtual clock; give seats, deck and actions")
    known_keys(case, "case", case.body, CASE_KEYS)
    outcome = Outcome(case.id)
    plain: dict[str, Any] = {key: case.body[key] for key in ("id", "rulebook", "title") if key in case.body}

    def play(body: dict[str, Any], shuffled_to: list[str]) -> PokerScenario:
        place = Path(tempfile.mkdtemp(dir=folder))
        hand = PokerScenario(Case(case.where, {**plain, **body}), place, Stage())
        hand.crew.shuffled_to = shuffled_to
        played = hand.play()
        outcome.settlement += played.settlement
        outcome.states += played.states
        outcome.rulings += played.rulings
        outcome.prompts += played.prompts
        for error in played.errors:
            outcome.wrong(error)
        return hand

    try:
        found = shape.answer(Asker(case, play))
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, StopIteration) as error:
        raise case.wrong("inputs", f"this question cannot be put to a table ({error!r})") from error
    for name, wanted in case.body.get("expected", {}).items():
        if name == "note":
            continue
        if name not in found:
            raise case.wrong("expected", f"unknown key {name!r}; {nearest(name, sorted(found))}")
        if _plain(found[name]) != _plain(wanted):
            outcome.wrong(f"{name} is {found[name]}, expected {_plain(wanted)}")
    return outcome


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return _number(value)
