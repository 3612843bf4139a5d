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
    is_foreign,
)
from controller.core.alarms import Alarm
from controller.core.desk import Ask, Key, Refusal
from controller.core.effects import Asked, WagerResult
from controller.core.events import ChipsCounted, ChipsMoved, TimerDue
from controller.core.machine import StrictMachine
from controller.core.table import Table
from controller.games.poker import (
    alarms,
    changes,
    dealing,
    deck,
    floor_work,
    lying,
    offers,
    powers,
    seating,
    telling,
    wagering,
)
from controller.games.poker.at_table import TableCourse, drop_unless_due
from controller.games.poker.betting import Player
from controller.games.poker.course import HandMachine
from controller.games.poker.floor import PokerState
from controller.games.poker.flop_chase import BonusPrize
from controller.games.poker.hand import apply, expected, options_now, set_up
from controller.games.poker.inputs import Input, Rule, TimeUp
from controller.games.poker.keys import FIRES, declare_keys
from controller.games.poker.layout import Layout
from controller.games.poker.outputs import Finished, Output, Refused
from controller.games.poker.round import BETWEEN, ROUND_OF, ROWS
from controller.games.poker.rules import PokerRules, Terms
from controller.games.poker.state import Hand, move
from controller.money.amounts import dollars
from controller.money.table_money import Layout as MoneyLayout
from controller.people import Person
from drivers.card_antennas import place_name
from drivers.shuffler import DeckChecked, ShufflerLoaded, ShufflerPoweredUp, ShufflerState

ACT_TIMER = "act"
CHIP_CLAUSES = {"foreign": ("6.2",), "other_table": ("6.2",), "collect": ("10.2.1",), "pay": ("10.2.1",)}
_HAND_TIMERS = (wagering.LINE, wagering.PUSH, dealing.AWAY, dealing.TIMER, ACT_TIMER)


class PokerSetup(msgspec.Struct, frozen=True):
    """One table's poker: its rulebook, what its sign says, its seats, and where a shuffler stands."""

    rules: PokerRules
    terms: Terms
    seats: int
    shuffler: str = ""
    bonus: tuple[BonusPrize, ...] = ()


class PokerGame:
    """One hand after another at one table."""

    name = "poker"
    alarms = alarms.ALARMS

    def __init__(self, table: Table, setup: PokerSetup) -> None:
        self.table = table
        self.desk = table.desk
        self.setup = setup
        self.rules = setup.rules
        self.layout = Layout(setup.seats)
        self.state = PokerState(setup.terms)
        self.keys = declare_keys(table.house)
        self.devices = frozenset({"cards", "chips"}) | ({setup.shuffler} if setup.shuffler else frozenset())
        self._hands = HandMachine(TableCourse(), ROWS)
        self.machine: StrictMachine = self._hands
        self.money = table.money
        self.money.join(MoneyLayout(self.layout.name, lambda chip: chip.cents, wagering.COUNTS, CHIP_CLAUSES))

    @property
    def hand(self) -> Hand:
        """The hand under way; refused where there is none."""
        if self.state.hand is None:
            raise Refusal("no_hand", "No hand is under way; start one first.", ("8.4",))
        return self.state.hand

    # -- what a sealer asks ------------------------------------------------------------------------------------

    @property
    def salt(self) -> str:
        return self.state.salt

    @property
    def deal(self) -> int:
        return self.state.deal

    def uncovered(self) -> dict[str, tuple[str, ...]]:
        return {order: opening.cards for order, opening in self.state.openings.items()}

    # -- what devices saw --------------------------------------------------------------------------------------

    def handle(self, event: msgspec.Struct) -> None:
        match event:
            case CardsMoved():
                dealing.moved(self, event)
            case ChipsMoved():
                wagering.moved(self, event)
            case CardsOpened():
                dealing.opened(self, event)
            case TimerDue(timer):
                self._timer(timer)
            case ShufflerState() | ShufflerLoaded() | ShufflerPoweredUp() | DeckChecked():
                deck.told(self, event)
            case CardsCounted():
                dealing.counted(self, event)
            case ChipsCounted():
                wagering.counted(self, event)
            case CardBetween(card=card, antennas=antennas):
                self._between(card, antennas)
            case CardNotBetween(card=card):
                if card in self.state.between:
                    self.state.between.remove(card)
            case CardDoubled():
                self._doubled(event)
            case CardSingle(card=card):
                if card in self.state.doubled:
                    self.state.doubled.remove(card)
            case SealBegun(salt=salt):
                self.state.salt = salt

    def _timer(self, timer: str) -> None:
        if timer.startswith(wagering.LINE):
            wagering.line_due(self, timer)
        elif timer == wagering.PUSH:
            wagering.push_due(self)
        elif timer == floor_work.COLLECTION:
            floor_work.collection_due(self)
        elif timer == dealing.TIMER:
            dealing.late_due(self)
        elif timer == deck.CHECK:
            deck.check_due(self)
        elif timer.startswith(dealing.AWAY):
            dealing.away_due(self, timer)
        elif timer == ACT_TIMER and self.state.hand is not None:
            hand = self.state.hand
            if hand.phase in ROUND_OF:
                self.give(TimeUp(hand.betting.players[hand.betting.turn].seat))

    def _between(self, card: str, antennas: tuple[int, ...]) -> None:
        self.state.cards.pop(card, None)
        fresh = card not in self.state.between
        if fresh:
            self.state.between.append(card)
        alarm = alarms.CardBetweenPlaces(places=" and ".join(place_name(antenna) for antenna in antennas))
        (alarm.happened if fresh else alarm.holds)(self)

    def _doubled(self, event: CardDoubled) -> None:
        if event.card not in self.state.doubled:
            self.state.doubled.append(event.card)
        places = " and ".join(place_name(antenna) for antenna in event.antennas)
        alarms.CardTwice(places=places).holds(self, event.card)

    # -- the hand ----------------------------------------------------------------------------------------------

    def start_hand(self) -> None:
        """Set up the next hand (8.4)."""
        state = self.state
        if state.hand is not None:
            raise Refusal("hand_under_way", "A hand is under way.", ("8.4",))
        self.cards_gathered("last hand")
        agreed = changes.next_terms(self)
        lineup = seating.lineup(self, agreed)
        changes.take_effect(self, agreed)
        seating.started(self, lineup)
        stacks = lineup.stacks
        state.next_positions = lineup.places
        state.hand = set_up(agreed, stacks, lineup.places, lineup.posting)
        dealing.new_deal(state)
        state.announced, state.fresh, state.stakes, state.refunds, state.results = {}, {}, {}, {}, ()
        state.base = {seat: lying.total(self, seat) for seat in stacks}
        self._hands.stand_by(state.hand)
        outs: list[Output] = []
        move(state.hand, "start_hand", outs)
        self.conclude(outs)

    def cards_gathered(self, of: str) -> None:
        """Refuse to begin a deal while cards of an earlier one lie on the table."""
        cards = self.state.cards.items()
        lying = sorted({place_name(antenna) for card, antenna in cards if not is_foreign(card)})
        if lying:
            raise Refusal("cards_lie", f"Cards of the {of} still lie at {', '.join(lying)}; gather them.", ("5.1",))

    def give(self, given: Input, *, by_key: bool = False) -> bool:
        """Hand something to the hand and conclude what it answers; whether it was taken."""
        hand = self.hand
        turn = hand.betting.turn
        outs = apply(hand, given)
        match outs:
            case [Refused() as refused]:
                if by_key:
                    raise Refusal("not_legal", telling.refusal_text(refused), (refused.clause,))
                telling.tell(self, outs)
                return False
        telling.tell(self, outs)
        wagering.lines_after(self, hand, outs)
        if hand.betting.turn != turn:
            self.watch_time()
        telling.follow(self, outs)
        return True

    def conclude(self, outs: list[Output]) -> None:
        """Tell what became of the hand without an input, and go on from there."""
        telling.tell(self, outs)
        telling.follow(self, outs)

    def over(self, told: Finished) -> None:
        """The hand is over: settle it, and everything goes on from the stacks it left."""
        state, hand = self.state, self.hand
        settled = telling.settlement(self, hand)
        self.desk.emit(settled)
        completed = settled.outcome != "refunded"
        self.desk.note("hand_over", (), rake=told.rake, fees=told.fees, side=told.side_house,
                       pot=sum(pot.amount for pot in hand.pots), players=len(hand.betting.players),
                       deals=1 + hand.misdeals)  # fmt: skip
        state.results = settled.results
        state.hand = None
        if state.coming is not None and completed:
            state.coming.notice.hands += 1
        seating.hand_over(self, told.stacks, completed)
        for timer in [timer for timer in self.desk.state.timers if timer.startswith(_HAND_TIMERS)]:
            self.desk.timer_off(timer)
        if self.money.state.watch is not None:
            self.money.round_over()
        self.table.round_over(notice=completed)

    # -- side wagers and time ----------------------------------------------------------------------------------

    def owe_side_wagers(self, hand: Hand) -> None:
        """Side wagers that are decided must be taken and paid before the hand is over (10.2.1)."""
        results = telling.side_results(self, hand)
        if results and self.money.state.watch is None:
            areas = {
                result.wager: self.layout.side(side.seat, side.colour)
                for result, side in zip(results, hand.side_results, strict=True)
            }

            def area_of(result: WagerResult) -> int:
                return areas[result.wager]

            self.money.owe(results, area_of)

    def side_paid(self, by: Person, confirmed: bool) -> bool:
        """Whether the side wagers are taken and paid, as far as can be seen."""
        return self.money.may_end("dropped", by, confirmed)

    def offer_bonus(self, seat: int, high: int) -> None:
        """A tabled hand may have earned a prize."""
        floor_work.offer_bonus(self, seat, high)

    def watch_time(self) -> None:
        """Give the seat in turn its time to act, where the sign has one (6.15)."""
        hand = self.hand
        if not hand.terms.time_to_act_s:
            return
        if hand.phase not in ROUND_OF:
            self.desk.timer_off(ACT_TIMER)
            return
        player = hand.betting.players[hand.betting.turn]
        more = hand.terms.extension_s * player.time_bought
        self.desk.timer(ACT_TIMER, self.desk.at + 1000 * (hand.terms.time_to_act_s + more))

    # -- people ------------------------------------------------------------------------------------------------

    def command(self, key: Key, args: dict[str, Any], by: Person) -> None:
        powers.DO[key.name](self, args, by)

    def can(self, key: Key) -> bool:
        hand = self.state.hand
        trigger = FIRES.get(key.name)
        if trigger is not None:
            return self.machine.can(trigger)
        when = powers.WHEN.get(key.name)
        if when is not None:
            return hand is not None and when(hand)
        if key.name == "agree":
            return self.state.coming is not None
        if key.name == "close_agreed":
            return self.table.state.closing is not None
        return True

    def check_answer(self, asked: Asked, answer: str, args: dict[str, Any]) -> None:
        if self.state.hand is None or self.state.hand.ruling is None:
            raise Refusal("overtaken", "This question has been overtaken.", ("9.1.1",))

    def asks(self, asked: Asked, answer: str) -> tuple[Ask, ...]:
        return ()

    def answered(self, asked: Asked, answer: str, args: dict[str, Any], by: Person) -> None:
        self.give(Rule(answer, by.rank, by.id))

    # -- what the table asks -----------------------------------------------------------------------------------

    def idle(self) -> bool:
        return self.machine.state == BETWEEN

    def players_present(self) -> bool:
        return bool(self.state.seats)

    def opening_faults(self) -> list[Alarm[Any]]:
        lie = any(not card.startswith("?") for card in self.state.cards)
        return [alarms.CardsLie()] if lie else []

    def resumed(self) -> None:
        """What was due while the table stood still follows now."""
        deck.take_if_ready(self)
        if self.state.hand is not None:
            dealing.deal_waiting(self)
        drop_unless_due(self)

    def closed(self) -> None:
        """Nothing of the session is left to end."""

    def device_lost(self, device: str, evidence_gone: bool) -> None:
        self.desk.note(
            "device_lost", ("13.5.1",) if not self.idle() else (), device=device, evidence_gone=evidence_gone
        )

    def chip_picture(self) -> dict[int, list[int]]:
        return {area: list(chips) for area, chips in self.state.chips.items()}

    def desired(self) -> dict[str, dict[str, Any]]:
        return {}

    def save(self) -> bytes:
        return msgspec.json.encode(self.state)

    def restore(self, saved: bytes) -> None:
        self.state = msgspec.json.decode(saved, type=PokerState)
        self._hands.stand_by(self.state.hand)

    def came_from(self) -> str:
        hand = self.state.hand
        return hand.ruling.return_to if hand is not None and hand.ruling is not None else ""

    # -- what the screens show ---------------------------------------------------------------------------------

    def sign(self) -> dict[str, Any]:
        coming = self.state.coming
        return {
            **offers.sign_of(self.state.terms),
            "change": offers.sign_of(coming.terms) if coming is not None else None,
        }

    def view(self) -> dict[str, Any]:
        """What the screens show of the round; of cards only those that lie open, and how many lie where."""
        state, hand = self.state, self.state.hand
        positions = state.next_positions or state.positions
        players = {player.seat: player for player in hand.betting.players} if hand is not None else {}
        seats = [self._seat_view(number, players.get(number)) for number in sorted(state.seats)]
        shown: dict[str, Any] = {
            "state": self.machine.state,
            "phase": self.machine.state,
            "hand": self.table.state.round,
            "game": state.terms.game.name,
            "button": positions.button if positions is not None else 0,
            "seats": seats,
            "board": list(hand.board) if hand is not None else [],
            "pots": self._pots(hand),
            "rake": hand.rake if hand is not None else 0,
            "turn": 0,
            "instruction": "",
            "results": msgspec.to_builtins(state.results),
            "deck": state.deck,
        }
        if hand is not None:
            wanted = expected(hand)
            shown["expected"] = {"what": wanted.what, "clause": wanted.clause, "seats": wanted.seats,
                                 "amount": wanted.amount}  # fmt: skip
            may = options_now(hand)
            shown["options"] = msgspec.to_builtins(may) if may is not None else None
            shown["turn"] = may.seat if may is not None else 0
            shown["instruction"] = self._instruction(hand)
            shown["tabled"] = {player.seat: player.shown for player in hand.betting.players if player.shown}
        return shown

    def _seat_view(self, number: int, player: Player | None) -> dict[str, Any]:
        seat = self.state.seats[number]
        flags = [name for name, on in msgspec.to_builtins(seat.flags).items() if on]
        if player is None:
            return {"seat": number, "player": seat.player, "stack": seat.stack, "status": " ".join(flags)}
        status = player.out or ("all_in" if player.all_in else "")
        return {
            "seat": number,
            "player": seat.player,
            "stack": player.stack,
            "in_round": player.in_round,
            "cards": len(player.cards) if player.live else 0,
            "folded": not player.live,
            "status": status,
        }

    def _pots(self, hand: Hand | None) -> list[int]:
        if hand is None:
            return []
        if hand.pots:
            return [pot.amount for pot in hand.pots]
        return [hand.betting.kept] if hand.betting.kept else []

    def _instruction(self, hand: Hand) -> str:
        """What the dealer has to do next, in words."""
        if hand.ruling is not None and hand.ruling.steps:
            return telling.step_words(hand.ruling.steps[0])
        wanted = expected(hand)
        seats = ", ".join(str(seat) for seat in wanted.seats)
        match wanted.what:
            case "blind" | "fee":
                return f"Seat {seats}: {wanted.what} of {dollars(wanted.amount)}."
            case "card":
                return f"Card to seat {seats}."
            case "board":
                return f"Turn up {wanted.amount} on the board."
            case "action":
                return telling.legal_words(wanted.options).strip()
            case "show":
                return f"Seat {wanted.seats[0]} shows first." if wanted.seats else ""
            case "discard":
                return f"Seats {seats} give up a card."
            case "drop":
                return telling.drop_words(self)
        return {"shuffle": "Shuffle the deck.", "cut": "Cut the deck.", "burn": "Burn a card.",
                "push": "Push the pots."}.get(wanted.what, "")  # fmt: skip
