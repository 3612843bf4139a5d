"""What the house changes while people play, and how much warning they get: the minimum, and the number of decks."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from controller.core.desk import Ask, Refusal
from controller.core.house import House
from controller.core.keys import TABLE, Keys
from controller.games.war.asking import known_players
from controller.games.war.composition import Composition
from controller.games.war.config import not_allowed
from controller.games.war.play import War
from controller.games.war.rules import war_rules
from controller.games.war.state import DeckChange
from controller.money.amounts import dollars
from controller.people import Person

DECKS, LIMITS = "decks", "limits"
KEYS: Keys[War] = Keys(while_suspended=True, about=TABLE)


def _columns(game: War) -> Iterator[tuple[str, str]]:
    return ((str(one.number), f"Column {one.number}, for {one.decks} decks") for one in game.rules.columns)


def _has_columns(house: House) -> bool:
    return bool(war_rules(house.rulebook.edition).columns)


LEAST = Ask("least", "money", "Minimum")
MOST = Ask("most", "money", "Maximum, none if it stays", optional=True)
KEEPING = Ask("players", "names", "Who keeps the old minimum, all who play if none is named", optional=True,
              offered=known_players)  # fmt: skip
NUMBER = Ask("decks", "number", "Decks")
COLUMN = Ask("column", "choice", "Odds of Perfect Pairs", optional=True, number=True, offered=_columns, suggested=True,
             known=_has_columns)  # fmt: skip


@KEYS.key(
    "keep_minimum",
    "Raise the minimum for newcomers",
    power="keep_minimum",
    asks=(LEAST, MOST, KEEPING),
    only_where_known=True,
)
def keep_minimum(
    game: War, by: Person, *, least: int, most: int | None = None, players: tuple[str, ...] | None = None
) -> None:
    """Raise the minimum at once; those who play keep theirs, each with a marker, newcomers do not (Star 6.5.1)."""
    state, limits = game.state, game.table.state.limits
    clauses = game.rules.cites["kept_minimum"]
    most = most or limits.most
    if not limits.least < least <= most:
        text = f"The new minimum lies above {dollars(limits.least)} and not above the maximum."
        raise Refusal("bad_limits", text, clauses)
    keeping = state.players.arrivals if players is None else players
    for player in keeping:
        state.players.kept_minimum.setdefault(player, limits.least)
        text = (
            f"Lay the marker for the minimum of {dollars(state.players.kept_minimum[player])} at the box of {player}."
        )
        game.desk.announce("dealer", "marker", text, clauses)
    game.ruled("keep_minimum", f"{least}, kept by {', '.join(keeping) or 'nobody'}", by, clauses)
    game.table.take_limits(msgspec.structs.replace(limits, least=least, most=most))
    game.table.show_sign()


@KEYS.key(
    "end_kept_minimum",
    "End kept minimums on notice",
    power="keep_minimum",
    only_where_known=True,
    when=lambda game: bool(game.state.players.kept_minimum),
)
def end_kept_minimum(game: War, by: Person) -> None:
    """Those who keep an earlier minimum play at the table's once the notice has run (Star 6.5.2)."""
    if not game.state.players.kept_minimum:
        raise Refusal("nobody_keeps", "Nobody keeps an earlier minimum.", ("6.5.2",))
    limits = game.table.state.limits if game.table.state.coming is None else game.table.state.coming.limits
    game.ruled("end_kept_minimum", str(limits.least), by, ("6.5.2",))
    game.table.propose_limits(limits)
    game.table.show_sign()


def limits_due(game: War) -> None:
    """A notice of the minimum has run: it holds for those too who had kept an earlier one (Star 6.5.2)."""
    kept, least = game.state.players.kept_minimum, game.table.state.limits.least
    clauses = game.rules.cites["kept_minimum"]
    for player in [player for player, theirs in kept.items() if theirs < least]:
        del kept[player]
        game.desk.announce("dealer", "marker", f"Lift {player}'s marker: the minimum is {dollars(least)}.", clauses)


@KEYS.key("change_decks", "Change the number of decks", power="change_decks", asks=(NUMBER, COLUMN))
def change_decks(game: War, by: Person, *, decks: int, column: int = 0) -> None:
    """Another number of decks with the next new cards, on notice where the rulebook asks for it (Perth 2.3(b))."""
    column = column or game.state.house.column or game.config.column
    power = game.table.house.power("change_decks")
    wanted = msgspec.structs.replace(game.config, decks=decks, column=column)
    for wrong in not_allowed(game.table.house.rulebook.edition, wanted, game.table.state.limits):
        raise Refusal("not_allowed", f"{wrong.text}.", (wrong.clause,))
    minutes = game.rules.notices.deck_change_minutes
    at = game.desk.at + minutes * 60_000
    game.state.house.decks_coming = DeckChange(decks, wanted.column, at)
    game.ruled("change_decks", f"{decks} decks", by, (power.clause,))
    if minutes:
        game.desk.timer(DECKS, at)
        text = f"In {minutes} minutes this table plays with {decks} decks."
        game.desk.announce("all", DECKS, text, (power.clause,))
    game.table.show_sign()


def decks_due(game: War) -> None:
    """The notice has run: the next new cards are so many decks."""
    coming = game.state.house.decks_coming
    if coming is not None:
        clause = game.table.house.power("change_decks").clause
        game.desk.announce("dealer", DECKS, f"Bring in {coming.decks} decks after this round.", (clause,))


def new_cards(game: War) -> None:
    """New cards come in: so many decks as before, or as announced once the notice has run."""
    state, coming = game.state, game.state.house.decks_coming
    decks = state.shoe.cards.decks
    if coming is not None and coming.at <= game.desk.at:
        decks, state.house.column, state.house.decks_coming = coming.decks, coming.column, None
        game.desk.note("decks", (game.table.house.power("change_decks").clause,), decks=decks)
        game.table.show_sign()
    state.shoe.cards = Composition(decks)
