"""What the sign of a poker table says: read from its configuration and checked against the rulebook."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec

from controller.config.tomlread import ConfigError, nearest
from controller.config.types import Problem, TableConfig
from controller.core.house import House, Notice
from controller.games.poker.commission import Commission
from controller.games.poker.config import PokerSection
from controller.games.poker.flop_chase import BonusPrize
from controller.games.poker.rules import PokerRules, Terms, make_terms, terms_faults
from controller.games.poker.structures import Kind, Structure
from controller.money.amounts import dollars
from controller.rules.rulebook import load_rulebook, load_rules

GAMES = {
    "holdem": "Holdem",
    "pineapple": "Pineapple Holdem",
    "crazy_pineapple": "Crazy Pineapple Holdem",
    "crazy_pineapple_hilo": "Crazy Pineapple Holdem Hi-Lo Eight Qualifier",
    "holdem_hilo": "Holdem Hi-Lo Eight Qualifier",
    "omaha": "Omaha",
    "omaha_hilo": "Omaha Hi-Lo Eight Qualifier",
}
KINDS: dict[str, Kind] = {
    "fixed": "fixed",
    "spread": "spread",
    "half_pot": "half_pot",
    "pot_limit": "pot",
    "no_limit": "no_limit",
}


@cache
def poker_rules(rulebook: str) -> PokerRules:
    """What a poker rulebook fixes."""
    return load_rules(rulebook, PokerRules)


def terms_of(config: TableConfig) -> Terms:
    """The terms a table opens with."""
    section = config.own(PokerSection)
    rake = section.rake
    commission = Commission(
        rake.method,
        rake.percent,
        rake.cap or 0,
        rake.minimum or 0,
        rake.fee or 0,
        {int(players): fee for players, fee in rake.fees.items() if players.isdigit()},
        rake.stand_alone,
    )
    structure = Structure(
        KINDS[section.structure],
        config.limits.min,
        config.limits.smallest_chip,
        section.levels,
        section.most or 0,
    )
    return make_terms(
        poker_rules(config.table.rulebook),
        GAMES[section.game],
        structure,
        section.blinds,
        commission,
        minimum_buy_in=section.least_buy_in or 0,
        straddle=section.straddle,
        over_blinds=section.over_blinds,
        side_wagers=section.side_wagers,
        time_to_act_s=section.time_to_act_s,
        extensions=section.extensions,
        extension_s=section.extension_s,
        extension_fee=section.extension_fee or 0,
    )


def prizes_of(config: TableConfig) -> tuple[BonusPrize, ...]:
    """The bonus prizes of a table; ConfigError for a kind of hand that does not exist (11.1)."""
    from controller.games.poker.evaluate import NAMES, least_value  # its tables take a while to make

    prizes = []
    for prize in config.own(PokerSection).bonus:
        if prize.hand not in NAMES:
            raise ConfigError(f"bonus '{prize.name}': no hand '{prize.hand}' (11.2); there are {', '.join(NAMES)}")
        prizes.append(BonusPrize(prize.name, prize.kind, least_value(prize.hand), prize.amount or 0))
    return tuple(prizes)


def house_of(rulebook: str) -> House:
    """The poker rulebook as the table uses it."""
    book, notices = load_rulebook(rulebook), poker_rules(rulebook).notices
    return House(
        book,
        closing=Notice("13.3", rounds=notices.close_hands),
        raising=Notice("footnote 2 s 66(2)", minutes=notices.raise_minimum_minutes),
        round_word="hand",
    )


def faults_of(config: TableConfig) -> list[tuple[str, str]]:
    """Everything about a table's terms that the rulebook does not allow, as (clause, sentence)."""
    terms = terms_of(config)
    faults = terms_faults(terms, poker_rules(config.table.rulebook), config.seats.count)
    if terms.minimum_buy_in <= 0:
        faults.append(("6.1.1", "the smallest buy-in is missing, and the sign must show it; set least_buy_in"))
    return faults


def check_poker(config: TableConfig) -> Iterator[Problem]:
    """Game, seats, structure, blinds and rake that the rulebook allows, each with its clause; cards that are known."""
    for players in config.own(PokerSection).rake.fees:
        if not players.isdigit():
            yield Problem(("poker", "rake", "fees"), f"'{players}' is no number of players (7.2.3(b))", "write 2 to 11")
    yield from _unknown_hands(config)
    for clause, what in faults_of(config):
        yield Problem(("poker",), f"{what} ({clause})", "choose what the rulebook allows")
    cards = [place for place, device in config.devices.items() if device.kind == "cards"]
    if not config.own(PokerSection).deck and any(not config.devices[place].simulated for place in cards):
        what = "the tags of the deck are not known, so no card can be told (3.1)"
        yield Problem(("poker",), what, "set deck to the register of this table's cards")


def _unknown_hands(config: TableConfig) -> Iterator[Problem]:
    """Prizes for a kind of hand that does not exist (11.2)."""
    prizes = config.own(PokerSection).bonus
    if prizes:
        from controller.games.poker.evaluate import NAMES

        for number, prize in enumerate(prizes):
            if prize.hand not in NAMES:
                what = f"bonus '{prize.name}': there is no hand '{prize.hand}' (11.2)"
                yield Problem(("poker", "bonus", number, "hand"), what, nearest(prize.hand, list(NAMES)))


def sign_of(terms: Terms) -> dict[str, Any]:
    """What the sign must carry (6.1.1, 6.15.2, 7.1, 8.9.1)."""
    return {
        "game": terms.game.name,
        "structure": terms.structure.kind.replace("_", " "),
        "blinds": list(terms.blinds),
        "least_buy_in": terms.minimum_buy_in,
        "levels": list(terms.structure.levels),
        "highest_bet": terms.structure.maximum,
        "commission": msgspec.to_builtins(terms.commission),
        "time_to_act_s": terms.time_to_act_s,
        "extensions": terms.extensions,
        "extension_s": terms.extension_s,
        "extension_fee": terms.extension_fee,
        "straddle": terms.straddle,
        "flop_chase": terms.side_odds if terms.side_wagers else 0,
        "terms": _words_of(terms),
    }


_BETTING: dict[Kind, str] = {
    "fixed": "Fixed limit",
    "spread": "Spread limit",
    "half_pot": "Half-pot limit",
    "pot": "Pot limit",
    "no_limit": "No limit",
}


def _words_of(terms: Terms) -> dict[str, str]:
    """The terms as players read them."""
    structure = terms.structure
    betting = _BETTING[structure.kind]
    if structure.levels:
        betting += f" {', '.join(map(dollars, structure.levels))}"
    if structure.maximum:
        betting += f" {dollars(structure.minimum)} to {dollars(structure.maximum)}"
    shown = {
        "Smallest buy-in": dollars(terms.minimum_buy_in),
        "Blinds": ", ".join(map(dollars, terms.blinds)),
        "Betting": betting,
        "Commission": _charge(terms.commission),
    }
    if terms.time_to_act_s:
        shown["Time to act"] = f"{terms.time_to_act_s} s"
    if terms.extensions:
        fee = dollars(terms.extension_fee)
        shown["More time"] = f"{terms.extension_s} s for {fee}, up to {terms.extensions} times a hand"
    if terms.straddle:
        shown["Straddle"] = "twice the large blind"
    if terms.side_wagers:
        shown["Flop Chase"] = f"{terms.side_odds} to 1"
    return shown


def _charge(commission: Commission) -> str:
    """What is taken, the least and the most of it in dollars (7.1)."""
    match commission.method:
        case "percentage":
            return f"{commission.percent}%, {dollars(commission.minimum)} to {dollars(commission.cap)} a hand"
        case "time":
            return f"{dollars(commission.fee)} an hour for each player"
        case "per_person":
            return f"{dollars(commission.fee)} a hand for each player"
        case "per_hand":
            rows = sorted(commission.fees.items())
            return ", ".join(f"{dollars(fee)} a hand from {players} players" for players, fee in rows)
    return "None"
