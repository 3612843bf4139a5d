"""Who plays where: seats, player cards where the rulebook asks for them, and winnings held back during an inquiry."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from controller.core.desk import Ask, Refusal
from controller.core.events import PlayerCardRead
from controller.core.keys import PLAYERS, Keys
from controller.games.war import alarms, asking
from controller.games.war.asking import ANYBODY, BOX, PLAYER
from controller.games.war.play import War
from controller.games.war.stakes import No
from controller.games.war.state import Stake
from controller.people import Person, player_cards
from controller.people.player_cards import PlayerCard

KEYS: Keys[War] = Keys(while_suspended=True, about=PLAYERS)


def _newcomers(game: War) -> Iterator[tuple[str, str]]:
    """Who is there already, and a name for somebody new at each box."""
    new = (f"P{box}" for box in range(1, game.config.boxes + 1))
    return ((name, name) for name in dict.fromkeys((*asking.players(game), *new)))


def _withheld(game: War) -> Iterator[tuple[str, str]]:
    return ((player, player) for player in game.state.house.withheld)


NEWCOMER = Ask("player", "player", "Player", offered=_newcomers, suggested=True)
ANY_BOX = msgspec.structs.replace(BOX, optional=True)
ANY_PLAYER = msgspec.structs.replace(PLAYER, optional=True)
CARD_OF = msgspec.structs.replace(ANY_PLAYER, label="Player, none if the card is read now", suggested=True)
KEPT_FOR = msgspec.structs.replace(ANY_PLAYER, label="Player, none if the box is free again", suggested=True)
UNDER_INQUIRY = Ask("player", "player", "Player", offered=_withheld)
MAY_SAY_WHY = Ask("reason", "text", "Reason", optional=True)
OUTCOME = Ask("outcome", "choice", "Outcome",
              offered=lambda game: (("pay", "What was held back is paid"), ("keep", "It is kept")))  # fmt: skip
AT_MOST = Ask("most", "number", "Players on one area at most", least=None)


@KEYS.key("sit", "Player takes a box", power="open_table", asks=(BOX, NEWCOMER))
def sit(game: War, by: Person, *, box: int, player: str) -> None:
    """A player takes a box; chips there are theirs unless somebody says otherwise."""
    _refuse_unknown(game, box)
    seat(game, box, player)
    game.desk.note("sat_down", (), box=box, player=player)


def seat(game: War, box: int, player: str) -> None:
    """This player is the one at this box from now on."""
    game.state.players.at_box[box] = player
    if player not in game.state.players.arrivals:
        game.state.players.arrivals.append(player)


def _refuse_unknown(game: War, box: int) -> None:
    if not 1 <= box <= game.config.boxes:
        raise Refusal("no_such_box", f"There is no box {box}.", (game.rules.layout.boxes_clause,))


# -- player cards (Star 5.1, 13.1) ---------------------------------------------------------------------------------


@KEYS.key("player_card", "Player card read", power="open_table", asks=(ANY_BOX, CARD_OF))
def player_card(game: War, by: Person, *, box: int = 0, player: str = "") -> None:
    """The dealer vouches for a player's card, or says at which box the next one is read."""
    clauses = player_cards.CLAUSES if game.rules.wagers.player_card else ()
    if box:
        _refuse_unknown(game, box)
    if not player:
        if not box:
            raise Refusal("bad_argument", "This needs the box, and the player unless the card is read now.", clauses)
        game.state.players.card_at = box
        game.desk.announce("dealer", "player_card", f"Read the card of the player at box {box}.", clauses)
        return
    if game.rules.wagers.player_card:
        _refuse_typed(game, player, by)
    _carded(game, player, box)
    game.desk.note("player_card", clauses, player=player, box=box, by=by.id)


def _refuse_typed(game: War, player: str, by: Person) -> None:
    """A typed name is no card where a reader stands; while it is out of order a supervisor vouches (Star 5.1)."""
    reader = game.places.get("swipe", "")
    vouching = game.table.house.power("resume").rank
    if game.table.state.devices.get(reader) == "up":
        text = f"Choose the box and read the card of {player} at “{reader}”; a typed name is no card."
        raise Refusal("read_the_card", text, player_cards.CLAUSES)
    if reader and by.rank < vouching:
        text = f"“{reader}” is out of order: {game.desk.title(vouching)} or above vouches for the card of {player}."
        raise Refusal("rank_too_low", text, player_cards.CLAUSES)


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


@KEYS.key("player_left", "Player left", power="vacate_seat", rank=1, asks=(PLAYER,))
def player_left(game: War, by: Person, *, player: str) -> None:
    """What belongs to the person goes with them: seat, kept minimum, card, what they were told of the minimum."""
    state = game.state
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


@KEYS.key("reserve", "Keep a box for a player", power="reserve_areas", asks=(BOX, KEPT_FOR), only_where_known=True)
def reserve(game: War, by: Person, *, box: int, player: str = "") -> None:
    """Keep a box for one player, or let everybody stake there again (Star 5.10)."""
    _refuse_unknown(game, box)
    if player:
        game.state.players.reserved[str(box)] = player
    else:
        game.state.players.reserved.pop(str(box), None)
    clause = game.table.house.power("reserve_areas").clause
    game.ruled("reserve", f"box {box}: {player or 'free'}", by, (clause,))


@KEYS.key("card_touched", "A player handled cards", power="report", asks=(PLAYER,))
def card_touched(game: War, by: Person, *, player: str) -> None:
    """Somebody who may not has handled cards; what follows is a sanction's business (Melbourne 7.2, Star 3.7)."""
    clauses = game.rules.cites["hands_off"]
    game.desk.note("card_touched", clauses, player=player, by=by.id)
    alarms.CardTouched(player=player).happened(game)


# -- an inquiry (Melbourne 11.2.3) ---------------------------------------------------------------------------------


@KEYS.key("withhold", "Withhold winnings", power="withhold", asks=(ANYBODY, MAY_SAY_WHY), only_where_known=True)
def withhold(game: War, by: Person, *, player: str, reason: str = "") -> None:
    """Winnings of this player are shown and booked, and not paid until the inquiry is over."""
    if player not in game.state.house.withheld:
        game.state.house.withheld.append(player)
    clause = game.table.house.power("withhold").clause
    game.desk.ruled("withhold", player, by, (clause,), reason)


@KEYS.key(
    "inquiry_over", "Inquiry closed", power="withhold", asks=(UNDER_INQUIRY, OUTCOME), only_where_known=True,
    when=lambda game: bool(game.state.house.withheld),
)  # fmt: skip
def inquiry_over(game: War, by: Person, *, player: str, outcome: str) -> None:
    """What was held back is paid, or kept by decision."""
    clause = game.table.house.power("withhold").clause
    game.state.house.withheld.remove(player)
    owed = game.state.house.held_back.pop(player, 0)
    game.desk.ruled("inquiry", f"{player}: {outcome}", by, (clause,))
    game.desk.note("inquiry_over", (clause,), player=player, outcome=outcome, cents=owed)
    if outcome == "pay" and owed:
        game.money.book("given_back", owed, by, player=player)


# -- who may stake, and on what terms -------------------------------------------------------------------------------


def may_not_stake(game: War, stake: Stake) -> No | None:
    """Why this player may not stake here at all, if so."""
    if stake.player in game.state.house.barred:
        return barred(game, stake.player)
    no = uncarded(game, stake.player)
    if no is not None:
        return no
    if (refused := game.table.no_stake(stake.player, stake.box)) is not None:
        return No(refused.code, refused.text, refused.clauses)
    owner = game.state.players.reserved.get(str(stake.box), stake.player)
    if owner != stake.player:
        return No("reserved", f"Box {stake.box} is kept for {owner}.", ("5.10",))
    return None


def uncarded(game: War, player: str) -> No | None:
    """Where the rulebook asks for cards, nobody stakes without one that is valid at this moment (Star 5.1)."""
    seated = game.state.players
    if not game.rules.wagers.player_card:
        return None
    if player not in seated.carded:
        return No("no_player_card", f"No valid card of {player} was read.", player_cards.CLAUSES)
    if seated.cards_at.ran_out(player, game.desk.at):
        text = f"The card of {player} has run out; read a valid one before they stake again."
        return No("card_not_valid", text, player_cards.CLAUSES)
    return None


def barred(game: War, player: str) -> No:
    """Who is barred takes no further part, in a war least of all (M 11.2.2, P 6.6(b), Star 13.4.2)."""
    return No("barred", f"{player} is barred from the game.", game.rules.cites["barred"])


@KEYS.key("bar_player", "Bar a player", power="bar_player", asks=(ANYBODY,))
def bar_player(game: War, by: Person, *, player: str) -> None:
    game.state.house.barred.append(player)
    game.ruled("bar_player", player, by, game.rules.cites["barred"])


@KEYS.key("warned", "Player was told of the minimum", power="report", asks=(ANYBODY,))
def warned(game: War, by: Person, *, player: str) -> None:
    if player not in game.state.players.warned:
        game.state.players.warned.append(player)
    game.desk.note("warned_under_minimum", game.rules.cites["under_minimum"], player=player, by=by.id)


class Holding(NamedTuple):
    """A player who holds several boxes."""

    player: str
    boxes: list[int]


def ask_several(game: War, player: str, boxes: list[int]) -> None:
    """One player on several boxes needs somebody's word; while nobody refuses, the stakes lie (M 5.13, P 6.3)."""
    if not game.is_asked(f"several:{player}"):
        game.ask("several", Holding(player, boxes))


@KEYS.key("allow_several", "Allow several areas", power="several_boxes", asks=(ANYBODY,))
def allow_several(game: War, by: Person, *, player: str) -> None:
    game.desk.withdraw(f"several:{player}")
    if player not in game.state.players.several:
        game.state.players.several.append(player)
    game.ruled("several_boxes", player, by, game.rules.cites["several_boxes"])


@KEYS.key("share", "Limit sharing of an area", power="lower_share", asks=(AT_MOST,))
def share(game: War, by: Person, *, most: int) -> None:
    if not 1 <= most <= game.rules.wagers.share_most:
        text = f"Between 1 and {game.rules.wagers.share_most} may share an area."
        raise Refusal("bad_share", text, game.rules.cites["zone_full"])
    game.state.house.share_most = most
    game.ruled("share", str(most), by, game.rules.cites["zone_full"])
