"""Crown Poker as the table runs it: seats, hand after hand, each a pure hand told by antennas and keys."""

from __future__ import annotations

from typing import Any

import msgspec

from controller.cards.events import (
    CardBetween,
    CardDoubled,
    CardNotBetween,
    CardsCounted,
    CardSingle,
    CardsMoved,
    CardsOpened,
    SealBegun,
)
from controller.core.alarms import Alarm
from controller.core.desk import Ask, Key, Limits, Refusal
from controller.core.effects import Asked
from controller.core.events import ChipPlaced, ChipsCounted, ChipsMoved, ChipUnclear, TimerDue
from controller.core.table import Table
from controller.core.take_back import Beside
from controller.games.poker import (
    alarms,
    asks,
    cards_seen,
    change_of_terms,
    chips_seen,
    conclusions,
    deck,
    lineup,
    pot_seen,
    prizes,
    staff_keys,
    view,
)
from controller.games.poker.hand import apply, set_up
from controller.games.poker.inputs import Chips, Input, TimeUp
from controller.games.poker.instructions import refusal_text
from controller.games.poker.keys import KEYS
from controller.games.poker.lying import total
from controller.games.poker.outputs import Finished, Output, Refused
from controller.games.poker.questions import QUESTIONS
from controller.games.poker.round import BETWEEN, ROUND_OF, ROWS
from controller.games.poker.round_actions import HandMachine
from controller.games.poker.settle import settlement
from controller.games.poker.state import HandInPlay, LayOpen, move
from controller.games.poker.state_before import read_state
from controller.games.poker.structures import structure_faults
from controller.games.poker.table import ACT_TIMER, PokerSetup, PokerTable
from controller.games.poker.table_actions import TableActions, drop_unless_due
from controller.money.table_money import Layout as MoneyLayout
from controller.people import Person
from drivers.shuffler import DeckChecked, ShufflerLoaded, ShufflerPoweredUp, ShufflerState

CHIP_CLAUSES = {
    "foreign": ("6.2",),
    "fraud": ("13.5.2",),
    "tournament": ("6.2", "12.4.3(c)"),
    "collect": ("10.2.1",),
    "pay": ("10.2.1",),
}
BESIDE: Beside = {**cards_seen.BESIDE, **deck.BESIDE}
_HAND_TIMERS = (
    chips_seen.LINE,
    chips_seen.PUSH,
    chips_seen.SIDE,
    pot_seen.TIMER,
    cards_seen.AWAY,
    cards_seen.TIMER,
    ACT_TIMER,
)


class PokerGame(PokerTable):
    """One hand after another at one table."""

    name = "poker"
    alarms = alarms.ALARMS
    questions = QUESTIONS
    beside = BESIDE

    def __init__(self, table: Table, setup: PokerSetup) -> None:
        super().__init__(table, setup)
        self.keys = KEYS.of(table.house)
        self.devices = frozenset({"cards", "chips"}) | ({setup.shuffler} if setup.shuffler else frozenset())
        self._hands = HandMachine(TableActions(), ROWS)
        self.machine = self._hands
        self.money.join(
            MoneyLayout(self.layout.name, lambda chip: chip.cents, chips_seen.COUNTS, CHIP_CLAUSES, self.players_here)
        )

    # -- what a sealer asks ------------------------------------------------------------------------------------

    @property
    def salt(self) -> str:
        return self.state.deck.salt

    @property
    def deal(self) -> int:
        return self.state.deal.number

    def uncovered(self) -> dict[str, tuple[str, ...]]:
        return {order: opening.cards for order, opening in self.state.deal.openings.items()}

    # -- what devices saw --------------------------------------------------------------------------------------

    def handle(self, event: msgspec.Struct) -> None:
        match event:
            case CardsMoved():
                cards_seen.moved(self, event)
            case ChipsMoved():
                chips_seen.moved(self, event)
            case CardsOpened():
                cards_seen.opened(self, event)
            case TimerDue(timer):
                self._timer(timer)
            case ShufflerState() | ShufflerLoaded() | ShufflerPoweredUp() | DeckChecked():
                deck.seen(self, event)
            case CardsCounted():
                cards_seen.counted(self, event)
            case ChipsCounted():
                chips_seen.counted(self, event)
            case ChipUnclear(chip=chip):
                pot_seen.on_edge(self, chip.tag, pot_seen.EDGE_MS)
            case ChipPlaced(tag=tag):
                pot_seen.on_edge(self, tag, 0)
            case CardBetween():
                cards_seen.between(self, event)
            case CardNotBetween(card=card):
                cards_seen.not_between(self, card)
            case CardDoubled():
                cards_seen.doubled(self, event)
            case CardSingle(card=card):
                cards_seen.single(self, card)
            case SealBegun(salt=salt):
                self.state.deck.salt = salt

    def _timer(self, timer: str) -> None:
        if timer.startswith(chips_seen.LINE):
            chips_seen.line_due(self, timer)
        elif timer == chips_seen.PUSH:
            chips_seen.push_due(self)
        elif timer == pot_seen.TIMER:
            pot_seen.due(self)
        elif timer.startswith(chips_seen.SIDE):
            chips_seen.side_due(self, timer)
        elif timer == staff_keys.COLLECTION:
            staff_keys.collection_due(self)
        elif timer == cards_seen.TIMER:
            cards_seen.late_due(self)
        elif timer == deck.CHECK:
            deck.check_due(self)
        elif timer.startswith(cards_seen.AWAY):
            cards_seen.away_due(self, timer)
        elif timer == ACT_TIMER and self.state.hand is not None:
            hand = self.state.hand
            if hand.phase in ROUND_OF:
                self.give(TimeUp(hand.betting.players[hand.betting.turn].seat))

    # -- the hand ----------------------------------------------------------------------------------------------

    def start_hand(self) -> None:
        """Set up the next hand (8.4)."""
        state = self.state
        if state.hand is not None:
            raise Refusal("hand_under_way", "A hand is under way.", ("8.4",))
        if state.deck.status == "bad":
            raise deck.refused()
        self.cards_gathered("last hand")
        agreed = change_of_terms.next_terms(self)
        players = lineup.lineup(self, agreed)
        change_of_terms.take_effect(self, agreed)
        lineup.started(self, players)
        hand = set_up(agreed, players.stacks, players.places, players.posting)
        lying = {seat: total(self, seat) for seat in players.stacks}
        state.in_play = HandInPlay(hand, players.places, lying, before=chips_seen.lying_about(self))
        state.results, state.lay_open = (), LayOpen()
        cards_seen.new_deal(state)
        self._hands.stand_by(hand)
        outs: list[Output] = []
        move(hand, "start_hand", outs)
        self.conclude(outs)

    def give(self, given: Input, *, by_key: bool = False) -> bool:
        """Hand something to the hand and conclude what it answers; whether it was taken."""
        hand = self.hand
        if not isinstance(given, Chips):
            chips_seen.rule_waiting(self, hand)
        turn = hand.betting.turn
        outs = apply(hand, given)
        match outs:
            case [Refused() as refused]:
                if by_key:
                    raise Refusal("not_legal", refusal_text(refused), (refused.clause,))
                conclusions.conclude(self, outs)
                return False
        conclusions.conclude(self, outs)
        pot_seen.told(self, outs)
        chips_seen.lines_after(self, hand, outs)
        if hand.betting.turn != turn:
            self.watch_time()
        conclusions.follow(self, outs)
        return True

    def conclude(self, outs: list[Output]) -> None:
        """Tell what became of the hand without an input, and go on from there."""
        conclusions.conclude(self, outs)
        conclusions.follow(self, outs)

    def over(self, ended: Finished) -> None:
        """The hand is over: settle it, and everything goes on from the stacks it left."""
        state, played = self.state, self.in_play
        hand = played.hand
        settled = settlement(self.table.state.round, hand, self.players(), played.stakes, played.refunds)
        self.desk.emit(settled)
        completed = settled.outcome != "refunded"
        self.desk.note("hand_over", (), rake=ended.rake, fees=ended.fees, side=ended.side_house,
                       pot=sum(pot.amount for pot in hand.pots), players=len(hand.betting.players),
                       deals=1 + hand.misdeals)  # fmt: skip
        if hand.terms.commission.stand_alone:
            from controller.games.poker import stand_alone

            stand_alone.over(self, ended.rake + ended.fees)
        if not completed:
            prizes.none_of_this_hand(self)
        tabled = {player.seat: tuple(player.shown) for player in hand.betting.players if player.shown}
        state.results, state.lay_open = settled.results, LayOpen(tuple(hand.board), tabled)
        state.in_play = None
        if state.coming is not None and completed:
            state.coming.notice.hands += 1
        lineup.hand_over(self, played.positions if completed else None, ended.stacks)
        for timer in [timer for timer in self.desk.state.timers if timer.startswith(_HAND_TIMERS)]:
            self.desk.timer_off(timer)
        if self.money.state.watch is not None:
            self.money.round_over()
        self.table.round_over(notice=completed)

    # -- people ------------------------------------------------------------------------------------------------

    def command(self, key: Key, args: dict[str, Any], by: Person) -> None:
        KEYS.press(self, key, args, by)

    def can(self, key: Key) -> bool:
        return KEYS.means_something(self, key.name, self.machine)

    def seated(self) -> None:
        """An hourly charge is asked for once a hand could begin (7.2.2(b))."""
        staff_keys.first_hour(self)

    def ask(self, subject: str, about: Any = None) -> None:
        QUESTIONS.ask(self, subject, about)

    def outlives_hand(self, asked: Asked) -> bool:
        return asked.subject.partition(":")[0] not in QUESTIONS

    def check_answer(self, asked: Asked, answer: str, args: dict[str, Any]) -> None:
        QUESTIONS.check(self, asked, answer, args)

    def asks(self, asked: Asked, answer: str) -> tuple[Ask, ...]:
        return QUESTIONS.asks(self, asked, answer)

    def answered(self, asked: Asked, answer: str, args: dict[str, Any], by: Person) -> None:
        QUESTIONS.answered(self, asked, answer, args, by)

    # -- what the table asks -----------------------------------------------------------------------------------

    def idle(self) -> bool:
        return self.machine.state == BETWEEN

    def players_here(self) -> list[str]:
        return asks.players(self)

    def players_present(self) -> bool:
        return bool(self.state.seats)

    def limit_faults(self, limits: Limits) -> list[str]:
        """The minimum on the sign is that of the betting, which the blinds must reach (6.4)."""
        terms = self.state.terms
        structure = msgspec.structs.replace(terms.structure, minimum=limits.least, chip=limits.smallest_chip)
        return [what for _, what in structure_faults(structure, terms.blinds)]

    def opening_faults(self) -> list[Alarm[Any]]:
        lie = any(not card.startswith("?") for card in self.state.felt.cards)
        return [alarms.CardsLie()] if lie else []

    def resumed(self) -> None:
        """What was due while the table stood still follows now."""
        deck.take_if_ready(self)
        if self.state.hand is not None:
            cards_seen.deal_waiting(self)
        drop_unless_due(self)

    def closed(self) -> None:
        """Nothing of the session is left to end."""

    def device_lost(self, device: str, evidence_gone: bool) -> None:
        self.desk.note(
            "device_lost", ("13.5.1",) if not self.idle() else (), device=device, evidence_gone=evidence_gone
        )

    def chip_picture(self) -> dict[int, list[int]]:
        return {area: list(chips) for area, chips in self.state.felt.chips.items()}

    def desired(self) -> dict[str, dict[str, Any]]:
        return {}

    def save(self) -> bytes:
        return msgspec.json.encode(self.state)

    def restore(self, saved: bytes) -> None:
        self.state = read_state(saved)
        self._hands.stand_by(self.state.hand)

    def came_from(self) -> str:
        hand = self.state.hand
        return hand.ruling.return_to if hand is not None and hand.ruling is not None else ""

    # -- what the screens show ---------------------------------------------------------------------------------

    def sign(self) -> dict[str, Any]:
        return view.sign(self)

    def view(self) -> dict[str, Any]:
        return view.view(self)
