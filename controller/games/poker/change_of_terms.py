"""Terms of a poker table that change: on notice, by agreement, or by level 3 between hands."""

from __future__ import annotations

from typing import Any

import msgspec

from controller.core.desk import Ask, Refusal, spoken
from controller.core.keys import TABLE, Keys
from controller.core.table import Closing
from controller.games.poker.asks import SEAT
from controller.games.poker.commission import Commission, commission_faults
from controller.games.poker.commission import change_fault as commission_change_fault
from controller.games.poker.notices import Notice, change_fault, raise_minimum_fault
from controller.games.poker.offers import GAMES, KINDS
from controller.games.poker.round import BETWEEN
from controller.games.poker.rules import Terms, terms_faults
from controller.games.poker.state import ComingTerms
from controller.games.poker.structures import Structure
from controller.games.poker.table import PokerTable
from controller.money.amounts import cents
from controller.people import Person

KEYS: Keys[PokerTable] = Keys(about=TABLE)
SAID_OF_THE_GAME, SAID_OF_COMMISSION = ("6.10",), ("7.3",)
TERMS = (
    Ask(
        "game", "choice", "Game", optional=True, clauses=SAID_OF_THE_GAME,
        choices=(
            ("holdem", "Holdem"), ("pineapple", "Pineapple"), ("crazy_pineapple", "Crazy Pineapple"),
            ("crazy_pineapple_hilo", "Crazy Pineapple Hi-Lo"), ("holdem_hilo", "Holdem Hi-Lo"), ("omaha", "Omaha"),
            ("omaha_hilo", "Omaha Hi-Lo"),
        ),
    ),
    Ask(
        "structure", "choice", "Structure", optional=True, clauses=SAID_OF_THE_GAME,
        choices=(
            ("fixed", "Fixed limit"), ("spread", "Spread limit"), ("half_pot", "Half pot"), ("pot_limit", "Pot limit"),
            ("no_limit", "No limit"),
        ),
    ),
    Ask("minimum", "money", "Table minimum", optional=True, clauses=SAID_OF_THE_GAME),
    Ask("maximum", "money", "Highest bet of a spread", optional=True, clauses=SAID_OF_THE_GAME),
    Ask(
        "levels", "amounts", "Bets of the four rounds of fixed limit, in dollars: 10 10 20 20", optional=True,
        clauses=SAID_OF_THE_GAME,
    ),
    Ask("blinds", "amounts", "Blinds from first to last, in dollars: 5 10", optional=True, least=None,
        clauses=SAID_OF_THE_GAME),
    Ask("buy_in", "money", "Minimum buy-in", optional=True, clauses=SAID_OF_THE_GAME),
)  # fmt: skip
COMMISSION = (
    Ask(
        "method", "choice", "Method", optional=True, clauses=SAID_OF_COMMISSION,
        choices=(
            ("percentage", "Percentage"), ("time", "By the hour"), ("per_hand", "Per hand"),
            ("per_person", "Per person"),
        ),
    ),
    Ask("percent", "rate", "Rate, 2 to 10 per cent", optional=True, clauses=SAID_OF_COMMISSION),
    Ask("cap", "money", "Most that one hand costs", optional=True, least=0, clauses=SAID_OF_COMMISSION),
    Ask("minimum", "money", "Least that one hand costs", optional=True, least=0, clauses=SAID_OF_COMMISSION),
    Ask("fee", "money", "Fee a person: for an hour, or for a hand", optional=True, least=0, clauses=SAID_OF_COMMISSION),
    Ask("fees", "slip", "Fee a hand by players dealt in, in dollars: 2:3 6:5", optional=True, clauses=("7.2.3(b)",)),
)  # fmt: skip


@KEYS.key("change_game", "Announce a change of game or stakes", power="change_game", asks=TERMS, during=(BETWEEN,))
def change_game(
    poker: PokerTable, by: Person, *, game: str = "", structure: str = "", minimum: int | None = None,
    maximum: int | None = None, levels: tuple[int, ...] | None = None, blinds: tuple[int, ...] | None = None,
    buy_in: int | None = None,
) -> None:  # fmt: skip
    """Announce another game, other limits or another buy-in; it comes after three hands, or as agreed (6.10)."""
    now = poker.state.terms
    asked = {
        "game": poker.rules.game(GAMES[game]) if game else None,
        "structure": _structure(now.structure, structure, minimum=minimum, maximum=maximum, levels=levels),
        "blinds": blinds,
        "minimum_buy_in": buy_in,
    }
    if not (changes := _said(asked)):
        raise Refusal(
            "bad_argument", "Tell what changes: the game, the structure, blinds, limits or buy-in.", SAID_OF_THE_GAME
        )
    terms = msgspec.structs.replace(now, **changes)
    _require(terms_faults(terms, poker.rules, max(2, len(poker.state.seats))))
    poker.state.coming = ComingTerms(terms, Notice("game"), poker.desk.at)
    poker.desk.ruled("change_game", terms.game.name, by, ("6.10",))
    words = f"{terms.game.name} with other terms after {poker.rules.notices.change_hands} hands, or once most agree."
    poker.desk.announce("all", "change_comes", words, ("6.10",))
    poker.table.show_sign()


def _said(asked: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in asked.items() if value is not None}


def _structure(now: Structure, kind: str, **limits: Any) -> Structure | None:
    """The structure with what is changed of it; None where nothing is."""
    changes = _said(limits)
    if kind and KINDS[kind] != now.kind:  # levels and a highest bet belong to one kind only
        changes = {"kind": KINDS[kind], "levels": (), "maximum": 0, **changes}
    return msgspec.structs.replace(now, **changes) if kind or changes else None


def _require(faults: list[tuple[str, str]]) -> None:
    """Refuse what the rulebook does not allow, by the first fault."""
    for clause, text in faults:
        raise Refusal("not_allowed", f"This is not allowed: {text}.", (clause,))


@KEYS.key(
    "agree",
    "A player agrees to the change",
    power="agree",
    asks=(SEAT,),
    when=lambda game: game.state.coming is not None,
)
def agree(game: PokerTable, by: Person, *, seat: int) -> None:
    """A player agrees to the change that was announced."""
    coming = game.state.coming
    if coming is None:
        raise Refusal("nothing_announced", "No change was announced.", ("6.10",))
    if seat not in game.state.seats:
        raise Refusal("seat_empty", f"Nobody sits at seat {seat}.", ("6.10",))
    if seat not in coming.notice.agreed:
        coming.notice.agreed.append(seat)
    game.desk.note("agreed", ("6.10",), seat=seat)


def next_terms(game: PokerTable) -> Terms:
    """The terms of the next hand: those announced, once their notice has run or most players agreed (6.10)."""
    coming, now = game.state.coming, game.state.terms
    if coming is None:
        return now
    rank = game.keys["change_game"].rank
    seated = len(game.state.seats)
    agreed = sum(seat in game.state.seats for seat in coming.notice.agreed)
    notices = game.rules.notices
    if change_fault(rank, rank, coming.notice.hands, agreed, seated, between_hands=True,
                    notice_hands=notices.change_hands):  # fmt: skip
        return now
    higher = coming.terms.structure.first_minimum > now.structure.first_minimum
    shown_s = (game.desk.at - coming.since) // 1000
    if higher and raise_minimum_fault(shown_s, notices.raise_minimum_minutes):
        return now
    return coming.terms


def take_effect(game: PokerTable, terms: Terms) -> None:
    """These terms hold from now on."""
    if terms is not game.state.terms:
        game.state.terms = terms
        game.state.coming = None
        game.desk.note("terms", ("6.10",), game=terms.game.name, blinds=list(terms.blinds))
        game.table.show_sign()


@KEYS.key(
    "close_agreed",
    "All players agree to close",
    power="close",
    when=lambda game: game.table.state.closing is not None,
)
def close_agreed(game: PokerTable, by: Person) -> None:
    """Every player's consent ends the closing notice (13.3)."""
    if game.table.state.closing is None:
        raise Refusal("no_notice", "No closing notice runs.", ("13.3",))
    game.table.state.closing = Closing()
    game.desk.ruled("close", "agreed", by, ("13.3",))
    game.table.show_sign()


@KEYS.key("change_commission", "Change the commission", power="change_commission", asks=COMMISSION, during=(BETWEEN,))
def change_commission(
    game: PokerTable, by: Person, *, method: str | None = None, percent: float | None = None, cap: int | None = None,
    minimum: int | None = None, fee: int | None = None, fees: str | dict[str, int] | None = None,
) -> None:  # fmt: skip
    """Level 3 changes how commission is taken, between hands and with the sign (7.3)."""
    asked = {"method": method, "percent": percent, "cap": cap, "minimum": minimum, "fee": fee}
    changes = _said({**asked, "fees": _fees(fees) if isinstance(fees, str) else fees})
    if not changes:
        raise Refusal("bad_argument", "Tell what changes: the method, its rate, cap or fee.", SAID_OF_COMMISSION)
    try:
        plain = {**msgspec.to_builtins(game.state.terms.commission), **changes}
        commission = msgspec.convert(plain, Commission, strict=False)
    except msgspec.ValidationError as error:
        raise Refusal("bad_argument", f"This is no commission: {error}.", SAID_OF_COMMISSION) from error
    _set_commission(game, commission, by, "change_commission", "7.3")


def _fees(text: str) -> dict[int, int]:
    """A fee for each number of players, in cents; written as 2:3 6:5, dollars (7.2.3(b))."""
    try:
        pairs = [word.split(":") for word in text.replace(",", " ").split()]
        return {int(players): cents(fee) for players, fee in pairs}
    except (ValueError, OverflowError) as error:
        words = f"{spoken(text)} is no list of fees; write players and dollars, as in 2:3 6:5."
        raise Refusal("bad_argument", words, ("7.2.3(b)",)) from error


@KEYS.key("waive_commission", "No commission", power="waive_commission", during=(BETWEEN,))
def waive_commission(game: PokerTable, by: Person) -> None:
    """Level 3 sets the commission to nil (7.4)."""
    _set_commission(game, Commission(), by, "waive_commission", "7.4")


def _set_commission(game: PokerTable, commission: Commission, by: Person, subject: str, clause: str) -> None:
    _require(commission_faults(commission))
    between = game.state.hand is None
    if commission_change_fault(by.rank, game.keys[subject].rank, between_hands=between, sign_changed=True):
        raise Refusal("hand_under_way", "The commission is changed between hands.", (clause,))
    limits = game.rules.commission
    commission = msgspec.structs.replace(
        commission, least_percent=limits.least_percent, most_percent=limits.most_percent
    )
    game.state.terms = msgspec.structs.replace(game.state.terms, commission=commission)
    game.desk.ruled(subject, commission.method, by, (clause,))
    game.table.show_sign()
