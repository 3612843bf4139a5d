"""What people may do at a Big Wheel table: each key on the function that does it; ranks were checked before."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from controller.core.desk import ACCEPT, Ask, Refusal
from controller.core.keys import CHIPS, PLAYERS, Keys
from controller.games.wheel import colours, players, seats, taken_back
from controller.games.wheel.questions import owners_told
from controller.people import Person

if TYPE_CHECKING:
    from controller.games.wheel.game import WheelGame

KEYS: Keys[WheelGame] = Keys(colours.KEYS)


def _areas(game: WheelGame) -> Iterator[tuple[str, str]]:
    return ((str(area), symbol) for area, symbol in game.setup.areas.items())


def _tags(game: WheelGame) -> Iterator[tuple[str, str]]:
    return ((str(tag), game.symbol(laid.area)) for tag, laid in game.state.picture.items())


def _withheld(game: WheelGame) -> Iterator[tuple[str, str]]:
    return ((player, player) for player in sorted(game.state.withheld))


def _taken(game: WheelGame) -> Iterator[tuple[str, str]]:
    return ((str(seat), f"{seat}: {player}") for seat, player in sorted(game.state.seats.items()))


AREA = Ask("area", "choice", "Area", number=True, offered=_areas)
PLAYER = Ask("player", "player", "Player", offered=seats.known_players)
"""Somebody who is known here: by a seat, by chips, or by what was decided about them."""
UNDER_INQUIRY = Ask("player", "player", "Player", offered=_withheld)
ANYBODY = Ask("player", "player", "Player", offered=seats.known_players, suggested=True)
"""Somebody new too: nobody sits down at a wheel, so that most are first named by whose chips these are."""
REASON = Ask("reason", "text", "Reason")
MAY_SAY_WHY = Ask("reason", "text", "Reason", optional=True)
NO_SPIN = Ask(
    "reason", "choice", "Why", clauses=("7.1.1", "7.1.2", "7.1.3"),
    choices=(
        ("under_revs", "Under three revolutions"), ("not_clear", "Not clearly in a compartment"),
        ("interference", "Interference"), ("malfunction", "Malfunction"),
    ),
)  # fmt: skip
ACTOR = Ask(
    "actor", "choice", "Who touched it", optional=True,
    choices=(("player", "A player"), ("dealer", "The dealer"), ("other", "Somebody else")),
)  # fmt: skip
WINNINGS = Ask("winnings", "choice", "What was withheld is", optional=True, choices=(("pay", "Paid"), ("keep", "Kept")))
TAGS = Ask("tags", "numbers", "Only the chips with these tags", optional=True, aside=True, offered=_tags)


@KEYS.key("place_bets", "Place your bets", power="place_bets", fires="place_bets")
def place_bets(game: WheelGame, by: Person) -> None:
    if game.state.turning:
        raise Refusal("wheel_turns", "The wheel still turns; wait until it rests.", ("5.1.1",))
    game.machine.fire("place_bets")


@KEYS.key("no_more_bets", "No more bets", power="no_more_bets", fires="no_more_bets", while_suspended=True)
def no_more_bets(game: WheelGame, by: Person) -> None:
    if game.machine.state == "betting_open" and not game.setup.rules.betting.close_before_spin:
        raise Refusal("spin_first", "Spin the wheel before you announce that no more bets may be placed.", ("5.1.2",))
    game.machine.fire("no_more_bets")


@KEYS.key(
    "no_spin",
    "Call a no spin",
    power="call_no_spin",
    asks=(NO_SPIN,),
    when=taken_back.can_call_no_spin,
    while_suspended=True,
)
def no_spin(game: WheelGame, by: Person, *, reason: str) -> None:
    taken_back.call_no_spin(game, by, reason)


@KEYS.key("acknowledge", "Result announced", power="announce_result", fires="acknowledge", undo="never")
def acknowledge(game: WheelGame, by: Person) -> None:
    game.machine.fire("acknowledge")


@KEYS.key("losers_clear", "Losing wagers cleared", power="confirm_collected", asks=ACCEPT, fires="collected")
def losers_clear(game: WheelGame, by: Person, *, confirmed: bool = False, reason: str = "") -> None:
    if game.machine.state == "collect" and not game.losers_are_clear():
        if not confirmed or by.rank < game.money.release.rank:
            text = f"Chips that have lost still lie on {game.money.uncollected_words()}; collect them first."
            raise Refusal("not_clear", text, ("5.1.4", "3.6.1"))
        game.desk.ruled("collected", "confirmed", by, ("3.6.1",), reason)
        game.state.round.cleared = True
    game.after_collecting()


@KEYS.key("paid", "Winners paid", power="confirm_paid", asks=ACCEPT, fires="paid", undo="never")
def paid(game: WheelGame, by: Person, *, confirmed: bool = False, reason: str = "") -> None:
    if game.machine.state == "collect":
        raise Refusal("collect_first", "Losing wagers are cleared before winners are paid.", ("5.1.4",))
    if not game.machine.can("paid"):
        game.machine.fire("paid")
    if game.asked(taken_back.TOUCHED):
        raise Refusal("spin_in_doubt", "Whether this spin stands is asked; that is decided first.", ("7.1.3",))
    if game.money.may_end("paid", by, confirmed, reason):
        game.machine.fire("paid")


@KEYS.key(
    "assign",
    "Whose chips are these",
    about=CHIPS,
    power="assign_wager",
    asks=(AREA, ANYBODY, TAGS),
    when=lambda game: bool(game.state.picture),
)
def assign(game: WheelGame, by: Person, *, area: int, player: str, tags: tuple[int, ...] | None = None) -> None:
    chosen = [
        tag
        for tag, laid in game.state.picture.items()
        if laid.area == area and (tag in tags if tags is not None else not laid.owner)
    ]
    if not chosen:
        raise Refusal("no_such_chips", f"No chips without an owner lie on {game.symbol(area)}.", ("4.2.2",))
    pictures = [game.state.picture]
    if game.state.round.frozen is not None:
        pictures.append(game.state.round.frozen)
    for picture in pictures:
        for tag in chosen:
            if tag in picture:
                picture[tag] = msgspec.structs.replace(picture[tag], owner=player)
    game.state.round.late = tuple(
        msgspec.structs.replace(change, owner=player) if change.tag in chosen else change
        for change in game.state.round.late
    )
    game.desk.note("assigned", ("4.2.2",), area=area, player=player, chips=len(chosen), by=by.id)
    game.owners_changed()
    owners_told(game)


@KEYS.key(
    "dealer_placed",
    "Chips placed by the dealer",
    about=CHIPS,
    power="place_chip",
    asks=(AREA, ANYBODY),
    when=lambda game: bool(game.state.picture),
)
def dealer_placed(game: WheelGame, by: Person, *, area: int, player: str) -> None:
    game.desk.note("dealer_placed", ("3.4",), area=area, player=player, by=by.id)


@KEYS.key(
    "interference",
    "The wheel was touched",
    power="call_no_spin",
    asks=(ACTOR,),
    when=taken_back.can_report_touch,
    while_suspended=True,
)
def interference(game: WheelGame, by: Person, *, actor: str = "other") -> None:
    taken_back.report_touch(game, by, actor)


@KEYS.key(
    "idle_spins",
    "Direct spins without wagers",
    power="idle_spin",
    asks=(Ask("spins", "number", "How many", least=None),),
)
def idle_spins(game: WheelGame, by: Person, *, spins: int) -> None:
    if spins < 1:
        raise Refusal("bad_argument", "Direct one spin or more.", ("5.1.5",))
    game.state.directed = spins
    game.desk.ruled("idle_spins", str(spins), by, ("5.1.5",))


def _may_invalidate(game: WheelGame) -> bool:
    return bool(taken_back.spins_to_invalidate(game))


WHICH = Ask("spin", "choice", "Which spin", optional=True, offered=taken_back.spins_to_invalidate, suggested=True)


@KEYS.key(
    "cancel_disruption",
    "Invalidate: disruption",
    power="invalidate_disruption",
    asks=(REASON, WHICH),
    when=_may_invalidate,
    while_suspended=True,
    undo="never",
)
def cancel_disruption(game: WheelGame, by: Person, *, reason: str, spin: str = "") -> None:
    """Where nobody says which, the spin that was disrupted: the one under way."""
    under_way = game.machine.can("cancel")
    taken_back.invalidate(game, by, reason, "9.4", spin or (taken_back.SETTLED_LAST if not under_way else ""))


@KEYS.key(
    "cancel_fraud",
    "Invalidate: fraud",
    power="invalidate_fraud",
    asks=(REASON, WHICH),
    when=_may_invalidate,
    while_suspended=True,
    undo="never",
)
def cancel_fraud(game: WheelGame, by: Person, *, reason: str, spin: str = "") -> None:
    """Where nobody says which, the spin whose outcome it affected: the last that has one."""
    decided = game.state.past is None or game.state.round.verdict is not None
    taken_back.invalidate(game, by, reason, "9.3", spin or ("" if decided else taken_back.SETTLED_LAST))


@KEYS.key(
    "void",
    "Void a player's wagers",
    about=PLAYERS,
    power="void_wager",
    asks=(PLAYER, MAY_SAY_WHY),
    while_suspended=True,
)
def void(game: WheelGame, by: Person, *, player: str, reason: str = "") -> None:
    _against_player(game, by, player, reason, game.state.voided, "void")


@KEYS.key(
    "exclude",
    "Exclude a player",
    about=PLAYERS,
    power="exclude_player",
    asks=(ANYBODY, MAY_SAY_WHY),
    while_suspended=True,
)
def exclude(game: WheelGame, by: Person, *, player: str, reason: str = "") -> None:
    _against_player(game, by, player, reason, game.state.excluded, "exclude")


@KEYS.key(
    "withhold", "Withhold winnings", about=PLAYERS, power="withhold", asks=(PLAYER, MAY_SAY_WHY), while_suspended=True
)
def withhold(game: WheelGame, by: Person, *, player: str, reason: str = "") -> None:
    _against_player(game, by, player, reason, game.state.withheld, "withhold")


def _against_player(game: WheelGame, by: Person, player: str, reason: str, whom: set[str], what: str) -> None:
    whom.add(player)
    game.desk.ruled(what, player, by, (game.keys[what].clause,), reason)
    players.weigh_anew(game, player)


@KEYS.key(
    "device_seen", "A player uses a device", about=PLAYERS, power="vacate_seat", asks=(PLAYER,), while_suspended=True
)
def device_seen(game: WheelGame, by: Person, *, player: str) -> None:
    """Somebody reports a recording or predicting device: the decision of 9.2 is asked for."""
    game.desk.note("device_reported", ("9.1",), player=player, by=by.id)
    if not game.asked(f"device:{player}"):
        game.ask("device", player)
    players.weigh_anew(game, player)


@KEYS.key(
    "inquiry_over",
    "Inquiry closed",
    about=PLAYERS,
    power="withhold",
    asks=(UNDER_INQUIRY, Ask("outcome", "text", "Outcome"), WINNINGS),
    when=lambda game: bool(game.state.withheld),
    while_suspended=True,
)
def inquiry_over(game: WheelGame, by: Person, *, player: str, outcome: str, winnings: str = "") -> None:
    players.close_inquiry(game, player, winnings, outcome, by)


@KEYS.key(
    "sit",
    "Player sits down",
    about=PLAYERS,
    power="vacate_seat",
    asks=(Ask("seat", "number", "Seat", least=None), ANYBODY),
    while_suspended=True,
)
def sit(game: WheelGame, by: Person, *, seat: int, player: str) -> None:
    seats.sit(game, seat, player)


@KEYS.key(
    "leave",
    "Player leaves",
    about=PLAYERS,
    power="vacate_seat",
    asks=(Ask("seat", "choice", "Seat", number=True, offered=_taken, suggested=True),),
    while_suspended=True,
)
def leave(game: WheelGame, by: Person, *, seat: int) -> None:
    seats.leave(game, seat)


@KEYS.key(
    "dispute",
    "Dispute: decide",
    about=PLAYERS,
    power="dispute",
    asks=(Ask("text", "text", "What is disputed"), Ask("decision", "text", "Decision")),
    while_suspended=True,
)
def dispute(game: WheelGame, by: Person, *, text: str, decision: str) -> None:
    game.desk.ruled("dispute", decision, by, ("9.11",), text)
    game.desk.announce("dealer", "inspector", "Tell the complainant that an inspector may be consulted.", ("9.10",))
    game.desk.note("inspector_told", ("9.10",), by=by.id)
