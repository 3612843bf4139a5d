"""Bonus prizes: which tabled hands earn one, until level 2 has verified it."""

from __future__ import annotations

from collections.abc import Iterator

from controller.core.desk import Ask, Refusal, spoken
from controller.core.keys import CHIPS, Keys
from controller.games.poker.flop_chase import bonus_due, bonus_form
from controller.games.poker.state import Earned, Hand
from controller.games.poker.table import PokerTable
from controller.people import Person

KEYS: Keys[PokerTable] = Keys(about=CHIPS)


def look(game: PokerTable, hand: Hand) -> None:
    """Every hand that was read and earns a prize calls level 2, who verifies it (11.2, 11.3, 11.4)."""
    known = {(earned.round, earned.seat) for earned in game.state.earned}
    for read in hand.hands:
        prize = bonus_due(game.setup.bonus, read.high, folded=False)
        if prize is not None and (game.table.state.round, read.seat) not in known:
            player = game.state.seats[read.seat].player
            game.state.earned.append(Earned(game.table.state.round, read.seat, player, prize.name))
            text = f"Seat {read.seat} may have earned {prize.name}: call level 2 to verify it."
            game.desk.announce("dealer", "bonus", text, ("11.2", "11.3"))


def none_of_this_hand(game: PokerTable) -> None:
    """A hand that came to nothing earned nobody anything."""
    game.state.earned = [earned for earned in game.state.earned if earned.round != game.table.state.round]


def _seats(game: PokerTable) -> Iterator[tuple[str, str]]:
    return ((str(earned.seat), f"Seat {earned.seat} · {earned.player}") for earned in game.state.earned)


def _names(game: PokerTable) -> Iterator[tuple[str, str]]:
    return ((name, name) for name in dict.fromkeys(earned.prize for earned in game.state.earned))


SEAT = Ask("seat", "choice", "Seat", number=True, offered=_seats, suggested=True)
PRIZE = Ask("prize", "choice", "Prize on the sign", offered=_names, suggested=True)


@KEYS.key(
    "bonus",
    "Verify a bonus prize",
    power="verify_bonus",
    asks=(SEAT, PRIZE),
    when=lambda game: bool(game.state.earned),
)
def bonus(game: PokerTable, by: Person, *, seat: int, prize: str) -> None:
    """Level 2 has verified a prize; it is paid or owed by its kind (11.3)."""
    shown = next((one for one in game.setup.bonus if one.name == prize), None)
    if shown is None:
        raise Refusal("no_such_prize", f"The sign shows no prize {spoken(prize)}.", ("11.2",))
    earned = next((one for one in game.state.earned if (one.seat, one.prize) == (seat, prize)), None)
    if earned is None:
        text = f"No hand that seat {seat} has tabled earns {prize}; a folded or unseen one earns nothing."
        raise Refusal("not_earned", text, ("11.3", "11.4"))
    game.state.earned.remove(earned)
    form, clause = bonus_form(shown)
    game.desk.ruled("bonus", f"{prize}: {form}", by, ("11.3", clause))
    game.desk.note("bonus", ("11.3", clause), seat=seat, player=earned.player, prize=prize, amount=shown.amount)
