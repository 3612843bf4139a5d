"""What the poker rulebook fixes, as types, and the table's own choices checked against it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from controller.games.poker.commission import Commission, commission_faults
from controller.games.poker.structures import Structure, structure_faults

Positive = Annotated[int, Meta(ge=1)]


class Game(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One of the seven games."""

    name: str
    seats: Positive
    seats_clause: str
    hole: Literal[2, 3, 4]
    deal_clause: str
    discard_after: Literal[0, 1, 2] = 0
    """The betting round after which each live hand gives up one card; 0 for none."""
    discard_clause: str = ""
    omaha: bool = False
    hilo: bool = False

    @property
    def kept(self) -> int:
        """Hole cards at the showdown."""
        return self.hole - 1 if self.discard_after else self.hole

    @property
    def cards_needed(self) -> int:
        """Cards of the deck that a full table uses: hole cards, five on the board, three burned."""
        return self.seats * self.hole + 8


class BettingRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What limits wagers at every table."""

    raises: Positive
    heads_up: Literal["literal", "usual"]
    """Two players: the document's own order of blinds, or the button on the small blind (P-A1)."""


class CommissionRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How high a percentage may be."""

    least_percent: Positive
    most_percent: Positive


class SeatRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How players move and come back."""

    free_move_live_seats: Positive
    picked_up_head_minutes: Positive


class NoticeRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How much notice players get."""

    change_hands: Positive
    close_hands: Positive
    raise_minimum_minutes: Positive


class DeckRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """When a deck is defective, and how many seats make action substantial."""

    cards: Positive
    boxed_makes_defective: Positive
    substantial_seats: Positive


class FlopChaseRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The side wager on the colour of the flop."""

    odds: Positive
    both_colours: bool


class PokerRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything in the poker rulebook beyond its header."""

    betting: BettingRules
    commission: CommissionRules
    seats: SeatRules
    notices: NoticeRules
    deck: DeckRules
    flop_chase: FlopChaseRules
    games: tuple[Game, ...]

    def game(self, name: str) -> Game:
        """The game of this name; KeyError when the rulebook has none."""
        for game in self.games:
            if game.name == name:
                return game
        raise KeyError(name)


class Terms(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the sign says: the game, its limits and what the house offers; amounts are cents."""

    game: Game
    structure: Structure
    blinds: tuple[int, ...]
    commission: Commission = Commission()
    straddle: bool = False
    over_blinds: bool = False
    side_wagers: bool = False
    side_odds: int = 7
    side_both_colours: bool = False
    """A seat may wager on red and on black in one hand (P-A31)."""
    minimum_buy_in: int = 0
    time_to_act_s: int = 0
    extensions: int = 0
    extension_s: int = 0
    extension_fee: int = 0
    boxed_limit: int = 5
    substantial_seats: int = 2


def make_terms(
    rules: PokerRules,
    game: str,
    structure: Structure,
    blinds: tuple[int, ...],
    commission: Commission | None = None,
    **offers: Any,
) -> Terms:
    """The terms of a table, with everything the rulebook fixes taken from it; KeyError for a game it does not have.

    `offers` are the house's choices: straddle, over_blinds, side_wagers, minimum_buy_in, time_to_act_s, extensions,
    extension_s and extension_fee.
    """
    rake = commission or Commission()
    least, most = rules.commission.least_percent, rules.commission.most_percent
    fixed: dict[str, Any] = {
        "side_odds": rules.flop_chase.odds,
        "side_both_colours": rules.flop_chase.both_colours,
        "boxed_limit": rules.deck.boxed_makes_defective,
        "substantial_seats": rules.deck.substantial_seats,
    }
    return Terms(
        rules.game(game),
        msgspec.structs.replace(structure, raises=rules.betting.raises),
        blinds,
        msgspec.structs.replace(rake, least_percent=least, most_percent=most),
        **fixed,
        **offers,
    )


def terms_faults(terms: Terms, rules: PokerRules, seats: int) -> list[tuple[str, str]]:
    """Everything about these terms and this many seats that the rulebook does not allow, as (clause, sentence)."""
    faults: list[tuple[str, str]] = []
    game = terms.game
    if game not in rules.games:
        return [("4.1 Holdem", f"{game.name!r} is none of the games of this rulebook")]
    if not 2 <= seats <= game.seats:
        faults.append((game.seats_clause, f"{game.name} is for 2 to {game.seats} players, not {seats}"))
    faults += structure_faults(terms.structure, terms.blinds)
    if terms.structure.raises != rules.betting.raises:
        faults.append(("6.9", f"the rulebook allows {rules.betting.raises} raises a round"))
    faults += commission_faults(terms.commission)
    limits = (terms.commission.least_percent, terms.commission.most_percent)
    if limits != (rules.commission.least_percent, rules.commission.most_percent):
        faults.append(("7.2.1", "the lowest and highest rate are the rulebook's, not the table's"))
    if terms.over_blinds and not terms.straddle:
        faults.append(("8.9.4", "further over-blinds need the first one: offer the straddle too"))
    if terms.side_odds != rules.flop_chase.odds:
        faults.append(("10.2.2 Red", f"the side wager pays {rules.flop_chase.odds} to 1"))
    if terms.extensions and not (terms.time_to_act_s and terms.extension_s):
        faults.append(("6.15.2", "bought time needs a time to act and the seconds one purchase adds"))
    return faults
