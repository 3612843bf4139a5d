"""One player on several boxes: somebody of rank has to allow it, and takes it back when others wait for a place."""

from __future__ import annotations

from controller.core.desk import Refusal
from controller.core.keys import PLAYERS, Keys
from controller.games.war import order, players
from controller.games.war.giving_back import give_back
from controller.games.war.play import War
from controller.games.war.stakes import No
from controller.people import Person

KEYS: Keys[War] = Keys(while_suspended=True, about=PLAYERS)


def look(game: War, player: str) -> None:
    """Ask for somebody's word as long as this player has stakes on several boxes and nobody has allowed it."""
    if _needs_a_word(game, player):
        players.ask_several(game, player, sorted(_boxes(game, player)))
    elif player not in _several(game):
        game.desk.withdraw(f"several:{player}")


def _needs_a_word(game: War, player: str) -> bool:
    allowed = game.rules.wagers.several_boxes == "free" or player in game.state.players.several
    return not allowed and len(_boxes(game, player)) > 1


def _boxes(game: War, player: str) -> set[int]:
    return {stake.box for stake in game.state.round.stakes if stake.player == player and stake.live}


def unanswered_go_back(game: War) -> None:
    """The first card comes and nobody has allowed it: what lies on further boxes is not in play (M 5.13, P 6.3)."""
    for player in list(dict.fromkeys(stake.player for stake in game.state.round.stakes)):
        if not _needs_a_word(game, player):
            continue
        game.desk.withdraw(f"several:{player}")
        game.rule("several_boxes", f"{player}: not allowed before the first card", game.rules.cites["several_boxes"])
        only_one_box(game, player)


def _several(game: War) -> dict[str, list[int]]:
    """Players who hold more than one box, and which."""
    boxes: dict[str, set[int]] = {}
    for box, player in (*game.state.players.at_box.items(), *order.seats(game.state.round.stakes)):
        boxes.setdefault(player, set()).add(box)
    return {player: sorted(held) for player, held in boxes.items() if len(held) > 1}


@KEYS.key("waiting", "Players wait for a place", power="report", when=lambda game: bool(_several(game)))
def waiting(game: War, by: Person) -> None:
    """Players wait for a place: whoever holds several boxes may be asked for them (M 5.13, P 6.3, Star 5.7.1)."""
    clauses = (game.table.house.power("several_boxes").clause,)
    several = _several(game)
    if not several:
        raise Refusal("no_several", "Nobody holds more than one box.", clauses)
    for player, held in several.items():
        players.ask_several(game, player, held)


def only_one_box(game: War, player: str) -> None:
    """All boxes of this player but the first go back, if there is still time."""
    clauses = game.rules.cites["several_boxes"]
    game.state.players.several = [name for name in game.state.players.several if name != player]
    mine = [stake for stake in game.state.round.stakes if stake.live and stake.player == player]
    seats = [box for box, name in game.state.players.at_box.items() if name == player]
    kept = sorted([stake.box for stake in mine] or seats)[:1]
    game.state.players.at_box = {
        box: name for box, name in game.state.players.at_box.items() if name != player or box in kept
    }
    for stake in mine:
        if stake.box not in kept and not game.state.round.started:
            give_back(game, stake, "refused", No("several_boxes", f"{player} may stake on one box only.", clauses))
