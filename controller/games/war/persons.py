"""Who plays where: seats, player cards where the rulebook asks for them, and winnings held back during an inquiry."""

from __future__ import annotations

from typing import Any

import msgspec

from controller.core.desk import Refusal, told
from controller.core.effects import WagerResult
from controller.core.events import PlayerCardRead
from controller.games.war import alarms
from controller.games.war.play import War
from controller.people import Person, player_cards
from controller.people.player_cards import PlayerCard

Args = dict[str, Any]


def sit(game: War, args: Args, by: Person) -> None:
    """A player takes a box; chips there are theirs unless somebody says otherwise."""
    box, player = _box(game, args), told(args, "player")
    seat(game, box, player)
    game.desk.note("sat_down", (), box=box, player=player)


def seat(game: War, box: int, player: str) -> None:
    """This player is the one at this box from now on."""
    game.state.players.at_box[box] = player
    if player not in game.state.players.arrivals:
        game.state.players.arrivals.append(player)


def _box(game: War, args: Args) -> int:
    box: int = told(args, "box", int)
    if not 1 <= box <= game.config.boxes:
        raise Refusal("no_such_box", f"There is no box {box}.", (game.rules.layout.boxes_clause,))
    return box


# -- player cards (Star 5.1, 13.1) ---------------------------------------------------------------------------------


def player_card(game: War, args: Args, by: Person) -> None:
    """The dealer vouches for a player's card, or says at which box the next one is read."""
    clauses = player_cards.CLAUSES if game.rules.wagers.player_card else ()
    box = _box(game, args) if args.get("box") else 0
    if not args.get("player"):
        if not box:
            raise Refusal("bad_argument", "This needs the box, and the player unless the card is read now.", clauses)
        game.state.players.card_at = box
        game.desk.announce("dealer", "player_card", f"Read the card of the player at box {box}.", clauses)
        return
    _carded(game, told(args, "player"), box)
    game.desk.note("player_card", clauses, player=args["player"], box=box, by=by.id)


def card_read(game: War, event: PlayerCardRead) -> None:
    """A player's card was read: valid, and nobody else's at that box, it lets its owner stake there."""
    box = game.state.players.card_at
    if not box:
        game.state.players.card_unplaced = True
        alarms.NoBoxChosen().happened(game)
        return
    held = PlayerCard(event.card, event.state, event.until)
    bound = player_cards.present(game.state.players.cards_at, box, event.card, game.desk.at, lambda card: held)
    game.state.players.card_at = 0
    game.state.players.card_unplaced = False
    _carded(game, bound.player, box)
    game.desk.note("player_card", player_cards.CLAUSES, player=bound.player, box=box)


def _carded(game: War, player: str, box: int) -> None:
    if player not in game.state.players.carded:
        game.state.players.carded.append(player)
    if game.rules.wagers.player_card and player not in game.state.players.arrivals:
        game.state.players.arrivals.append(player)
    if box:
        seat(game, box, player)


def player_left(game: War, args: Args, by: Person) -> None:
    """What belongs to the person goes with them: seat, kept minimum, card, what they were told of the minimum."""
    player, state = told(args, "player"), game.state
    for names in (state.players.arrivals, state.players.carded, state.players.several):
        if player in names:
            names.remove(player)
    state.players.idle.pop(player, None)
    if state.players.kept_minimum.pop(player, None) is not None:
        game.desk.announce("dealer", "marker", f"Lift {player}'s marker.", game.rules.cites["kept_minimum"])
        game.table.show_sign()
    for box in state.players.cards_at.boxes_of(player):
        player_cards.left(state.players.cards_at, box)
    state.players.seats = [seat for seat in state.players.seats if seat[1] != player]
    state.players.at_box = {box: name for box, name in state.players.at_box.items() if name != player}
    state.players.reserved = {box: name for box, name in state.players.reserved.items() if name != player}


def reserve(game: War, args: Args, by: Person) -> None:
    """Keep a box for one player, or let everybody stake there again (Star 5.10)."""
    box, player = _box(game, args), str(args.get("player") or "")
    if player:
        game.state.players.reserved[str(box)] = player
    else:
        game.state.players.reserved.pop(str(box), None)
    clause = game.table.house.power("reserve_areas").clause
    game.ruled("reserve", f"box {box}: {player or 'free'}", by, (clause,))


def card_touched(game: War, args: Args, by: Person) -> None:
    """Somebody who may not has handled cards; what follows is a sanction's business (Melbourne 7.2, Star 3.7)."""
    clauses = game.rules.cites["hands_off"]
    game.desk.note("card_touched", clauses, player=told(args, "player"), by=by.id)
    alarms.CardTouched(player=args["player"]).happened(game)


# -- an inquiry (Melbourne 11.2.3) ---------------------------------------------------------------------------------


def withhold(game: War, args: Args, by: Person) -> None:
    """Winnings of this player are shown and booked, and not paid until the inquiry is over."""
    player = told(args, "player")
    if player not in game.state.house.withheld:
        game.state.house.withheld.append(player)
    clause = game.table.house.power("withhold").clause
    game.desk.ruled("withhold", player, by, (clause,), str(args.get("reason", "")))


def inquiry_over(game: War, args: Args, by: Person) -> None:
    """What was held back is paid, or kept by decision."""
    player, outcome = told(args, "player"), told(args, "outcome")
    clause = game.table.house.power("withhold").clause
    if player not in game.state.house.withheld or outcome not in ("pay", "keep"):
        raise Refusal(
            "no_inquiry", f"No inquiry about {player} is open, or it ends in neither pay nor keep.", (clause,)
        )
    game.state.house.withheld.remove(player)
    owed = game.state.house.held_back.pop(player, 0)
    game.desk.ruled("inquiry", f"{player}: {outcome}", by, (clause,))
    game.desk.note("inquiry_over", (clause,), player=player, outcome=outcome, cents=owed)
    if outcome == "pay" and owed:
        game.money.book("given_back", owed, by, player=player)


def as_due(game: War, result: WagerResult) -> WagerResult:
    """A result as it is to be paid: winnings of somebody under inquiry are held back."""
    if not result.pays or result.player not in game.state.house.withheld:
        return result
    held = game.state.house.held_back
    held[result.player] = held.get(result.player, 0) + result.pays
    clause = game.table.house.power("withhold").clause
    return msgspec.structs.replace(result, withheld=True, clauses=(*result.clauses, clause))
