"""Writes a hand of poker down as it was played, rulings included, so that `tablectl scenario` plays it again.

A card that nobody was shown is written as any card that was not: what it was changes nothing, and stays unknown.
"""

from __future__ import annotations

from typing import Any

from controller.cards.events import CardsMoved, CardsOpened, is_foreign
from controller.core.effects import Asked, Noted, Ruled, Settled, refusal_of
from controller.core.events import Command
from controller.core.runtime import Told
from controller.games.poker.cards import DECK
from controller.games.poker.game import PokerGame
from controller.games.poker.offers import KINDS
from controller.games.poker.state import Hand
from drivers.card_antennas import BOARD, BURN, MUCK
from lab.scenarios.file import dollars

Step = dict[str, Any]
OPENED = ("no_burn", "too_many_flop", "two_opened", "more_opened")
EARLY = ("premature_flop", "premature_turn", "premature_river")
ACTS = {
    "complete_bet": "bet", "complete_raise": "raise", "all_in_call": "all_in", "all_in_raise": "all_in",
}  # fmt: skip
PRESSED = ("report", "cancel_disruption", "cancel_fraud", "time_up")
TOO_MUCH = ("boxed", "buy_time", "ask_to_see", "refuse_blind", "inspect", "look")
"""What a case cannot tell as it happened: such a hand is not written down."""


class PokerRecord:
    """What people and cards did since the hand began, as a case."""

    def __init__(self, game: PokerGame) -> None:
        self._game = game
        self._case = 0
        self._begin(None)

    def _begin(self, hand: Hand | None) -> None:
        players = hand.betting.players if hand is not None else []
        self._seats = {player.seat: player.stack + player.in_hand for player in players}
        self._button = hand.button if hand is not None else 0
        self._before: list[Step] = []
        self._deal_again()

    def _deal_again(self) -> None:
        """Of a hand that is dealt again, the last deal is written down."""
        self._deal = self._game.state.deal.number
        self._order: list[str] = []
        self._after_shuffle: list[str] = []
        self._shuffled = False
        self._faces: dict[str, str] = {}
        self._steps: list[Step] = []
        self._rulings: list[str] = []
        self._given_up: list[int] = []
        self._tellable = True
        self._board: list[str] = []
        self._back: list[str] = []
        self._dealt_to: dict[str, int] = {}
        self._owner: dict[str, int] = {}
        self._seats_dealt: list[int] = []

    # -- following the table -----------------------------------------------------------------------------------

    def told(self, told: Told) -> Step | None:
        """One event and what came of it; the case when a hand is over that can be told as one."""
        hand = self._game.state.hand
        event = told.event
        refused = isinstance(event, Command) and refusal_of(event.name, told.effects) is not None
        if isinstance(event, Command) and event.name == "start_hand" and not refused:
            self._begin(hand)
        if hand is not None:
            self._board = list(hand.board)
            self._seats_dealt = [player.seat for player in hand.betting.players]
            self._owner.update({name: player.seat for player in hand.betting.players for name in player.cards})
            self._note_shuffle(hand)
        if isinstance(event, CardsMoved) and hand is not None:
            self._cards(event, hand)
        elif isinstance(event, CardsOpened):
            self._faces.update({name: face for name, face in event.cards if face})
        elif isinstance(event, Command) and not refused:
            self._pressed(event, hand)
        for effect in told.effects:
            self._effect(effect, hand)
        if hand is not None:
            for seat in hand.given_up:
                if seat not in self._given_up:
                    self._given_up.append(seat)
                    self._steps.append({"do": "muck", "seat": seat})
        if hand is not None and self._game.state.deal.number != self._deal:
            self._deal_again()
        settled = next((effect for effect in told.effects if isinstance(effect, Settled)), None)
        return self._over(settled) if settled is not None else None

    def _note_shuffle(self, hand: Hand) -> None:
        if hand.ruling is not None and hand.ruling.steps:
            step = hand.ruling.steps[0]
            if step.kind in ("take_back", "return_to_top"):
                back = set(step.cards)
                self._back = [name for name, face in self._faces.items() if face in back or name in back]
                self._after_shuffle = [name for name in self._after_shuffle if name not in self._back]
            elif step.kind in ("shuffle_stub", "shuffle_in_aside"):
                self._shuffled = True

    def _cards(self, event: CardsMoved, hand: Hand) -> None:
        for card in event.added:
            name, antenna = card.card, card.antenna
            if is_foreign(name):
                self._tellable = False
                continue
            known = name in self._order
            if antenna == MUCK and self._given_away(hand, name):
                self._steps.append({"do": "discard", "seat": self._owner[name], "card": name})
            if antenna in (BOARD, BURN) or 0 < antenna < BOARD:
                if self._shuffled and name not in self._after_shuffle and (not known or name in self._back):
                    self._after_shuffle.append(name)
                elif not known:
                    self._order.append(name)
                    self._dealt_to[name] = antenna

    def _given_away(self, hand: Hand, name: str) -> bool:
        """Whether a player gave up this one card, and plays on."""
        owner = next((player for player in hand.betting.players if player.seat == self._owner.get(name)), None)
        return owner is not None and owner.live and name not in owner.cards and name in hand.muck

    def _pressed(self, event: Command, hand: Hand | None) -> None:
        if event.name in PRESSED:
            args = {key: value for key, value in event.args.items() if key in ("what", "seat", "reason", "correctable")}
            rank = {"rank": event.by.rank} if event.by.rank > 1 else {}
            self._steps.append({"do": event.name, **args, **rank})
        elif event.name == "exposed" and hand is not None:
            self._steps.append({"do": "exposed", "seat": event.args["seat"], "after_cards": hand.dealt})
        elif event.name == "table_hand":
            self._steps.append({"do": "show", "seat": event.args["seat"]})
        elif event.name in TOO_MUCH:
            self._tellable = False

    def _effect(self, effect: object, hand: Hand | None) -> None:
        match effect:
            case Noted(what="acted", facts=facts):
                kind = ACTS.get(facts["kind"], facts["kind"])
                to = {"to": dollars(facts["total"])} if kind in ("bet", "raise") else {}
                self._steps.append({"seat": facts["seat"], "do": kind, **to})
            case Noted(what="side_wager_on_red" | "side_wager_on_black", facts=facts):
                colour = effect.what.rpartition("_")[2]
                amount = dollars(facts["amount"])
                self._before.append({"do": "side", "seat": facts["seat"], "colour": colour, "amount": amount})
            case Noted(what="straddle", facts=facts):
                self._before.append({"do": "straddle", "seat": facts["seat"], "amount": dollars(facts["amount"])})
            case Noted(what="question_withdrawn"):
                self._tellable = False
            case Asked() if hand is not None and hand.ruling is not None:
                self._asked(effect, hand)
            case Ruled(prompt=prompt) if prompt:
                self._rulings.append(f"{effect.subject}: {effect.answer}")
                reason = {"reason": effect.reason} if effect.reason else {}
                answer = {"subject": effect.subject, "answer": effect.answer, "rank": effect.rank, **reason}
                self._steps.append({"do": "answer", **answer})

    def _asked(self, asked: Asked, hand: Hand) -> None:
        ruling = hand.ruling
        assert ruling is not None
        cards = {"cards": len(ruling.facts.shown)}
        if asked.subject in OPENED:
            burn = {"burn": False} if asked.subject == "no_burn" else {}
            self._steps.append({"do": "turn_up", **cards, **burn})
        elif asked.subject in EARLY:
            self._steps.append({"do": "turn_up", "early": True, "burn": ruling.facts.burned, **cards})
        elif asked.subject == "out_of_order":
            seat = self._game.state.felt.cards.get(ruling.facts.shown[0], 0)
            self._steps.append({"do": "deal_to", "seat": seat, "after_cards": hand.dealt})
        elif asked.subject not in ("exposed_hole_card", "time_to_act_is_over", *PRESSED) and not any(
            step.get("what") == asked.subject for step in self._steps
        ):
            self._tellable = False

    # -- the case ----------------------------------------------------------------------------------------------

    def _over(self, settled: Settled) -> Step | None:
        if not self._tellable or not self._seats:
            return None
        self._case += 1
        face_of = self._written()
        steps = [
            {**step, "card": face_of[step["card"]]} if step.get("do") == "discard" else step for step in self._steps
        ]
        stacks = {str(seat): dollars(self._game.state.seats[seat].stack) for seat in self._seats}
        case: Step = {
            "id": f"hand-{self._case}",
            "rulebook": self._game.table.house.rulebook.id,
            "title": f"{self._game.state.terms.game.name}, as it was played",
            "config": self._config(),
            "seats": {str(seat): dollars(stack) for seat, stack in self._seats.items()},
            "button": self._button,
            "deck": [face_of[name] for name in self._from_the_top()],
            "actions": [*self._before, *steps],
            "expected": {"stacks": stacks, "outcome": settled.outcome, "board": self._board},
        }
        if self._after_shuffle:
            case["shuffled"] = [face_of[name] for name in self._after_shuffle]
        if self._rulings:
            case["expected"]["rulings"] = list(self._rulings)
        return case

    def _from_the_top(self) -> list[str]:
        """The cards as they lay in the deck: hole cards round the table, whichever was read first, then the rest."""
        seats, each = self._seats_dealt, self._game.state.terms.game.hole
        holes, rest = self._order[: len(seats) * each], self._order[len(seats) * each :]
        of: dict[int, list[str]] = {seat: [] for seat in seats}
        for name in holes:
            seat = self._owner.get(name, self._dealt_to[name])
            if seat not in of:
                return self._order
            of[seat].append(name)
        if any(len(names) != each for names in of.values()):
            return self._order
        return [*(of[seat][number] for number in range(each) for seat in seats), *rest]

    def _written(self) -> dict[str, str]:
        """A face for every card of the hand: its own where everybody saw it, else one that nobody did."""
        names = list(dict.fromkeys([*self._order, *self._after_shuffle]))
        shown = {name: self._faces[name] for name in names if name in self._faces}
        spare = [card for card in DECK if card not in shown.values()]
        return {name: shown[name] if name in shown else spare.pop() for name in names}

    def _config(self) -> Step:
        terms, state = self._game.state.terms, self._game.state
        kind = terms.structure.kind
        config: Step = {
            "game": terms.game.name,
            "structure": next(name for name, one in KINDS.items() if one == kind),
            "blinds": [dollars(blind) for blind in terms.blinds],
            "chip": dollars(terms.structure.chip),
        }
        if kind == "fixed":
            config["levels"] = [dollars(level) for level in terms.structure.levels]
        else:
            config["min"] = dollars(terms.structure.minimum)
        if kind == "spread":
            config["max"] = dollars(terms.structure.maximum)
        rake = state.terms.commission
        if rake.method != "none":
            config["rake"] = {"method": rake.method, "percent": rake.percent, "cap": dollars(rake.cap)}
            config["rake"] |= {"fee": dollars(rake.fee)} if rake.fee else {}
            config["rake"] |= {"fees": {str(n): dollars(fee) for n, fee in rake.fees.items()}} if rake.fees else {}
        for name in ("straddle", "over_blinds", "side_wagers"):
            if getattr(terms, name):
                config[name] = True
        if terms.time_to_act_s:
            config["time_to_act_s"] = terms.time_to_act_s
        return config
