"""Poker cases: a whole hand, with the deck as it lies and people who do what the case says, through the whole stack.

A case without a course of its own is checked down: everybody calls or checks, everybody shows, questions are answered
as proposed. A case that only asks the rules something is no hand and is not played.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from controller.core.effects import Announced, Awarded, Noted
from controller.core.runtime import Runtime, Told
from controller.games.poker.cards import DECK
from controller.games.poker.game import PokerGame
from controller.games.poker.hand import Hand, expected
from controller.games.poker.pots import Pot
from firmware_specs.clock import DeadlineMissed, Deadlock
from lab.scenarios.file import Case, dollars
from lab.scenarios.forms import filled_in, keys_of
from lab.scenarios.outcome import Outcome, settlement_line
from lab.scenarios.poker import words
from lab.scenarios.poker.asked import Asker
from lab.scenarios.poker.case import PokerCase, unknown
from lab.scenarios.poker.crew import ScriptedCrew
from lab.scenarios.poker.hands import as_whole_hand
from lab.scenarios.poker.people import PokerDealerScreen, shuffler_of
from lab.scenarios.poker.shapes import Shape, check_inputs, misspelt, shape_of
from lab.scenarios.poker.steps import PokerSteps
from lab.scenarios.stage import Stage
from lab.scenarios.table import CaseTable
from lab.scenarios.words import NOTES
from simulators.people.poker_screen import Areas

HAND_S = 900.0
REMARKS = tuple(field.name for field in NOTES)


class PokerTable(CaseTable):
    """The table of one case, with the people of a poker hand."""

    crew: ScriptedCrew | None = None
    tries = False
    """Whether its hand only tries what is legal: a refusal is then an answer."""

    def __init__(self, case: Case, folder: Path, stage: Stage) -> None:
        self.told = PokerCase(case, as_whole_hand(case) if "inputs" in case.body else case.body)
        self.pots: list[Pot] = []
        self.awards: list[Awarded] = []
        self.over: dict[str, Any] = {}
        self.board: list[str] = []
        self.acts: list[dict[str, Any]] = []
        self.announced: list[str] = []
        self.rakes: list[int] = []
        self.rake_by_pot: list[int] = []
        self.returned: dict[int, int] = {}
        self.remedies: dict[str, list[str]] = {}
        self.posted: list[int] = []
        self._last: Hand | None = None
        self.positions: list[dict[str, Any]] = []
        self.waited_for: list[str] = []
        super().__init__(case, stage.config(self.told.config), folder, stage)
        self.steps = PokerSteps(self) if self.told.steps is not None else None
        self.people.stand_back(self.steps is not None)

    def join(self, runtime: Runtime) -> None:
        super().join(runtime)
        runtime.watchers.append(self._watch)
        screen = self.stage.poker_screen(runtime, self.config)
        if self.crew is None:
            self.crew = self._crew(screen)
            self.crew.shuffler = shuffler_of(self.devices)  # where the stage has one; else a deck is shuffled by hand
            self.crew.shuffled_to = list(self.told.shuffled)
        self.crew.screen = screen
        runtime.watchers.append(lambda told: self.people.look())

    @property
    def people(self) -> ScriptedCrew:
        assert self.crew is not None
        return self.crew

    @property
    def game(self) -> PokerGame:
        return cast(PokerGame, self.runtime.table.game)

    def _crew(self, screen: PokerDealerScreen) -> ScriptedCrew:
        tags = {face: tag for tag, face in self.stage.deck().items()}
        order = [*self.told.deck, *(card for card in DECK if card not in self.told.deck)]
        return ScriptedCrew(
            self.clock,
            screen,
            self.felt,
            self.devices.antennas,
            {tags[card]: card for card in order},
            cast(Areas, self.game.layout),
            dict(self.told.stacks),
            self.told.button,
            list(self.told.actions),
            self._form,
            self._press_told,
        )

    def _form(self, key: str, said: dict[str, Any]) -> dict[str, Any]:
        """What is entered into the form of a key."""
        table = self.runtime.table
        return filled_in(table, keys_of(table)[key], said)

    def _press_told(self, where: str, key: str, args: dict[str, Any], rank: int) -> None:
        """A key of the case; where it tells its refusals, they are compared as a whole."""
        if self.tries or "refused" in self.told.expected:
            self.press(key, args, rank)
        else:
            self.press_told(where, key, args, rank)

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
                    self.acts.append({**facts, "laid": self.people.laid, "board": len(self.board)})
                case Noted(what="rake", facts=facts) if facts["amount"] > 0:
                    self.rakes.append(facts["amount"])
                case Announced(code=code):
                    self.announced.append(code)

    def _watch_hand(self, hand: Hand) -> None:
        if hand.ruling is not None and hand.ruling.steps:
            self.remedies[hand.ruling.steps[0].kind] = list(hand.ruling.steps[0].cards)
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
        return [self.people._faces[tag] for tag in self.devices.antennas.lying(antenna)]

    def holes(self) -> dict[int, list[str]]:
        """The hole cards that each seat truly holds, in the order they came."""
        return {seat: [self.people._faces[tag] for tag in tags] for seat, tags in self.people._held.items()}

    # -- playing -----------------------------------------------------------------------------------------------

    def open(self) -> None:
        """A crew that plays by itself opens the table; for steps it is opened before them."""
        if self.steps is not None:
            super().open()

    def course(self) -> None:
        try:
            if self.steps is not None:
                self.steps.run(self.told.steps)
                return
            self._hand()
            for seated in self.told.seated_then:
                self.over = {}
                self.people.next_hand(seated)
                self._hand()
        except (Deadlock, DeadlineMissed) as stuck:
            state = f"table {self.runtime.table.state.life}, hand {self.game.machine.state}"
            causes = "; ".join(fault.text for fault in self.runtime.table.state.faults.values())
            wanted = self.people.screen.wanted().what
            self.wrong(f"it did not go on: {stuck} ({state}; waits for {wanted}) {causes}")

    def _hand(self) -> None:
        self.clock.run_until(lambda: bool(self.over) or bool(self.people.trouble), HAND_S)
        if self.people.wrong is not None:
            raise self.people.wrong
        self.clock.run_for(2.0)

    # -- judging -----------------------------------------------------------------------------------------------

    def _left_over(self) -> None:
        """What the case says and nothing led to is no part of what was played."""
        outcome = self.listener.outcome
        if self.people.trouble:
            outcome.wrong(self.people.trouble)
        if self.over:
            for act in self.people.script:
                outcome.wrong(f"{act.place} never came about: the hand was over before")
        if self.told.shuffled and not self.people.mixed:
            outcome.wrong("shuffled: the stub was never shuffled, so these cards never came to lie on top")

    def judge(self) -> None:
        self._left_over()
        outcome = self.listener.outcome
        outcome.settlement += [settlement_line(result.wager, result) for result in self.listener.results]
        for name, wanted in self.told.expected.items():
            if name not in REMARKS:
                self._compare(name, wanted, self._found(name, wanted))

    def _compare(self, name: str, wanted: Any, found: Any) -> None:
        if found != _plain(wanted):
            self.listener.outcome.wrong(f"{name} is {found}, expected {_plain(wanted)}")

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
        told = [{key: one[key] for key in want if key in one} for want, one in zip(wanted, asked, strict=False)]
        return [*told, *asked[len(told) :]]

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
        return PokerTable(case, Path(folder), stage).play()


def _answered(case: Case, shape: Shape, folder: Path, stage: Stage) -> Outcome:
    """Play hands up to what the case asks, each at a table of its own, and compare the answer."""
    if type(stage) is not Stage:
        raise case.wrong("inputs", "a question is answered under the virtual clock; give seats, deck and actions")
    words.CASE.read(case.body, case.where)
    check_inputs(case, shape)
    outcome = Outcome(case.id)
    plain: dict[str, Any] = {key: case.body[key] for key in ("id", "rulebook", "title") if key in case.body}

    def play(body: dict[str, Any], shuffled_to: list[str]) -> PokerTable:
        place = Path(tempfile.mkdtemp(dir=folder))
        hand = PokerTable(Case(case.where, {**plain, **body}), place, Stage())
        hand.people.shuffled_to = shuffled_to
        hand.tries = True
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
        if name in REMARKS:
            continue
        if name not in found:
            raise case.wrong("expected", unknown(name, sorted(found)))
        if _plain(found[name]) != _plain(wanted):
            outcome.wrong(f"{name} is {found[name]}, expected {_plain(wanted)}")
    return outcome


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return _number(value)
