"""What the house changes while people play, and how much warning they get: the minimum, and the number of decks."""

from __future__ import annotations

from typing import Any

import msgspec

from controller.core.desk import Refusal, told
from controller.games.war.composition import Composition
from controller.games.war.config import not_allowed
from controller.games.war.play import War
from controller.games.war.stakes import cents
from controller.games.war.state import DeckChange
from controller.people import Person

Args = dict[str, Any]
DECKS = "decks"


def keep_minimum(game: War, args: Args, by: Person) -> None:
    """Raise the minimum at once; those who play keep theirs, each with a marker, newcomers do not (Star 6.5.1)."""
    state, limits = game.state, game.table.state.limits
    clauses = game.rules.cites["kept_minimum"]
    least = told(args, "least", int)
    most = told(args, "most", int) if args.get("most") else limits.most
    if not limits.least < least <= most:
        text = f"The new minimum lies above {cents(limits.least)} and not above the maximum."
        raise Refusal("bad_limits", text, clauses)
    named = args.get("players")
    if named is not None and not isinstance(named, list | tuple):
        raise Refusal("bad_argument", f"This needs 'players', a list; got {named!r}.", clauses)
    players = [str(player) for player in named] if named is not None else list(state.players.arrivals)
    for player in players:
        state.players.kept_minimum.setdefault(player, limits.least)
        text = f"Lay the marker for the minimum of {cents(state.players.kept_minimum[player])} at the box of {player}."
        game.desk.announce("dealer", "marker", text, clauses)
    game.ruled("keep_minimum", f"{least}, kept by {', '.join(players) or 'nobody'}", by, clauses)
    game.table.take_limits(msgspec.structs.replace(limits, least=least, most=most))
    game.table.show_sign()


def change_decks(game: War, args: Args, by: Person) -> None:
    """Another number of decks with the next new cards, on notice where the rulebook asks for it (Perth 2.3(b))."""
    decks = told(args, "decks", int)
    column = told(args, "column", int) if args.get("column") else game.state.house.column or game.config.column
    power = game.table.house.power("change_decks")
    wanted = msgspec.structs.replace(game.config, decks=decks, column=column)
    for wrong in not_allowed(game.table.house.rulebook.id, wanted, game.table.state.limits):
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
