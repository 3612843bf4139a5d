"""Terms of a poker table that change: on notice, by agreement, or by level 3 between hands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from controller.core.desk import Refusal, told
from controller.core.table import Closing
from controller.games.poker.commission import Commission, commission_faults
from controller.games.poker.commission import change_fault as commission_change_fault
from controller.games.poker.floor import ComingTerms
from controller.games.poker.keys import COMMISSION, TERMS
from controller.games.poker.notices import Notice, change_fault
from controller.games.poker.offers import GAMES, KINDS
from controller.games.poker.rules import Terms, terms_faults
from controller.games.poker.structures import Structure
from controller.people import Person

if TYPE_CHECKING:
    from controller.games.poker.game import PokerGame


def change_game(game: PokerGame, args: dict[str, Any], by: Person) -> None:
    """Announce another game, other limits or another buy-in; it comes after three hands, or as agreed (6.10)."""
    asked = _as_entered(game, args)
    if not asked:
        raise Refusal(
            "bad_argument", "Tell what changes: the game, the structure, blinds, limits or buy-in.", ("6.10",)
        )
    terms = _changed(game, asked)
    _require(terms_faults(terms, game.rules, max(2, len(game.state.seats))))
    game.state.coming = ComingTerms(terms, Notice("game"), game.desk.at)
    game.desk.ruled("change_game", terms.game.name, by, ("6.10",))
    words = f"{terms.game.name} with other terms after {game.rules.notices.change_hands} hands, or once most agree."
    game.desk.announce("all", "change_comes", words, ("6.10",))
    game.table.show_sign()


def _require(faults: list[tuple[str, str]]) -> None:
    """Refuse what the rulebook does not allow, by the first fault."""
    for clause, text in faults:
        raise Refusal("not_allowed", f"This is not allowed: {text}.", (clause,))


def _as_entered(game: PokerGame, args: dict[str, Any]) -> dict[str, Any]:
    """The terms as the fields of a screen tell them; a field left empty changes nothing."""
    given = {name: args[name] for name in TERMS if args.get(name) not in (None, "")}
    asked: dict[str, Any] = {name: given[name] for name in ("game",) if name in given}
    if "blinds" in given:
        asked["blinds"] = _amounts(given["blinds"])
    if "buy_in" in given:
        asked["minimum_buy_in"] = given["buy_in"]
    structure: dict[str, Any] = {}
    if "structure" in given:
        kind = str(given["structure"])
        structure["kind"] = KINDS.get(kind, kind)
        if structure["kind"] != game.state.terms.structure.kind:  # levels and a highest bet belong to one kind only
            structure |= {"levels": [], "maximum": 0}
    structure |= {name: given[name] for name in ("minimum", "maximum") if name in given}
    if "levels" in given:
        structure["levels"] = _amounts(given["levels"])
    return asked | ({"structure": structure} if structure else {})


def _amounts(told: Any) -> list[int]:
    """Amounts in cents; written as dollars with spaces between them when they come as words."""
    try:
        if not isinstance(told, str):
            return list(told)
        return [_cents(word) for word in told.replace(",", " ").replace("/", " ").split()]
    except (TypeError, ValueError, OverflowError) as error:
        raise Refusal("bad_argument", f"{told!r} are no amounts; write dollars, as in 5 10.", ("6.10",)) from error


def _cents(dollars: str) -> int:
    return round(100 * float(dollars.lstrip("$")))


def _fees(told: Any) -> dict[int, int]:
    """A fee for each number of players, in cents; written as 2:3 6:5, dollars, when they come as words (7.2.3(b))."""
    try:
        if not isinstance(told, str):
            return dict(told)
        pairs = [word.split(":") for word in told.replace(",", " ").split()]
        return {int(players): _cents(fee) for players, fee in pairs}
    except (TypeError, ValueError, OverflowError) as error:
        words = f"{told!r} is no list of fees; write players and dollars, as in 2:3 6:5."
        raise Refusal("bad_argument", words, ("7.2.3(b)",)) from error


def _changed(game: PokerGame, asked: dict[str, Any]) -> Terms:
    now = game.state.terms
    try:
        structure = now.structure
        if "structure" in asked:
            structure = msgspec.convert({**msgspec.to_builtins(structure), **asked["structure"]}, Structure)
        blinds = tuple(int(blind) for blind in asked.get("blinds", now.blinds))
        name = GAMES.get(asked.get("game", ""), asked.get("game", now.game.name))
        return msgspec.structs.replace(
            now,
            game=game.rules.game(name),
            structure=structure,
            blinds=blinds,
            minimum_buy_in=int(asked.get("minimum_buy_in", now.minimum_buy_in)),
        )
    except (KeyError, TypeError, ValueError, msgspec.ValidationError) as error:
        raise Refusal("bad_argument", f"These are no terms of poker: {error}.", ("6.10",)) from error


def agree(game: PokerGame, args: dict[str, Any], by: Person) -> None:
    """A player agrees to the change that was announced."""
    coming, seat = game.state.coming, told(args, "seat", int)
    if coming is None:
        raise Refusal("nothing_announced", "No change was announced.", ("6.10",))
    if seat not in game.state.seats:
        raise Refusal("seat_empty", f"Nobody sits at seat {seat}.", ("6.10",))
    if seat not in coming.notice.agreed:
        coming.notice.agreed.append(seat)
    game.desk.note("agreed", ("6.10",), seat=seat)


def next_terms(game: PokerGame) -> Terms:
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
    minutes = notices.raise_minimum_minutes
    higher = coming.terms.structure.first_minimum > game.state.terms.structure.first_minimum
    if higher and game.desk.at - coming.since < minutes * 60_000:
        return now  # the statute cannot be waived (footnote 2 s 66(2), P-A32)
    return coming.terms


def take_effect(game: PokerGame, terms: Terms) -> None:
    """These terms hold from now on."""
    if terms is not game.state.terms:
        game.state.terms = terms
        game.state.coming = None
        game.desk.note("terms", ("6.10",), game=terms.game.name, blinds=list(terms.blinds))
        game.table.show_sign()


def close_agreed(game: PokerGame, args: dict[str, Any], by: Person) -> None:
    """Every player's consent ends the closing notice (13.3)."""
    if game.table.state.closing is None:
        raise Refusal("no_notice", "No closing notice runs.", ("13.3",))
    game.table.state.closing = Closing()
    game.desk.ruled("close", "agreed", by, ("13.3",))
    game.table.show_sign()


def change_commission(game: PokerGame, args: dict[str, Any], by: Person) -> None:
    """Level 3 changes how commission is taken, between hands and with the sign (7.3)."""
    entered = {name: args[name] for name in COMMISSION if args.get(name) not in (None, "")}
    if not entered:
        raise Refusal("bad_argument", "Tell what changes: the method, its rate, cap or fee.", ("7.3",))
    if "fees" in entered:
        entered = {**entered, "fees": _fees(entered["fees"])}
    try:
        plain = {**msgspec.to_builtins(game.state.terms.commission), **entered}
        commission = msgspec.convert(plain, Commission, strict=False)
    except (TypeError, ValueError, msgspec.ValidationError) as error:
        raise Refusal("bad_argument", f"This is no commission: {error}.", ("7.3",)) from error
    _set_commission(game, commission, by, "change_commission", "7.3")


def waive_commission(game: PokerGame, args: dict[str, Any], by: Person) -> None:
    """Level 3 sets the commission to nil (7.4)."""
    _set_commission(game, Commission(), by, "waive_commission", "7.4")


def _set_commission(game: PokerGame, commission: Commission, by: Person, subject: str, clause: str) -> None:
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
