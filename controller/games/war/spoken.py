"""Spoken bets: in play only with money that became chips on the zone before the call (Melbourne 5.3)."""

from __future__ import annotations

import msgspec

from controller.core.desk import Ask, Refusal
from controller.core.keys import Keys
from controller.games.war.asking import AMOUNT, ANYBODY, BOX, ZONE
from controller.games.war.play import War
from controller.games.war.state import BEFORE_ROUND, Spoken
from controller.money.amounts import dollars
from controller.people import TABLE, Person

KEYS: Keys[War] = Keys(while_suspended=True)
ANY_ZONE = msgspec.structs.replace(ZONE, optional=True, label="Zone, the main one if none is named")
MONEY = Ask("money", "flag", "Money came with it", optional=True)


@KEYS.key(
    "spoken",
    "Spoken bet",
    power="spoken_bet",
    asks=(BOX, ANY_ZONE, ANYBODY, AMOUNT, MONEY),
    during=BEFORE_ROUND,
    only_where_known=True,
)
def spoken(
    game: War, by: Person, *, box: int, player: str, amount: int, zone: str = "main", money: bool = False
) -> None:
    """Somebody calls a bet out; without money, or after the call, it is recorded as refused."""
    if game.layout.area(box, zone) is None:
        raise Refusal("no_such_zone", f"Box {box} has no {zone} zone.", game.rules.cites["zone_unknown"])
    bet = Spoken(player, box, zone, amount)
    if not money:
        _refuse(game, bet, "no money came with it", by)
    elif game.machine.state == "closed":
        _refuse(game, bet, "it came after the call", by)
    else:
        game.state.round.spoken.append(bet)
        text = f"Turn {player}'s money into {dollars(amount)} of chips on the {zone} of box {box} before the call."
        game.desk.announce("dealer", "spoken_bet", text, (_clause(game),))


def close(game: War) -> None:
    """The call: a bet that was spoken and has no chips on its zone is no bet."""
    for bet in game.state.round.spoken:
        staked = ((stake.player, stake.box, stake.zone) for stake in game.state.round.stakes if stake.live)
        if not bet.refused and (bet.player, bet.box, bet.zone) not in staked:
            _refuse(game, bet, "no chips lay there before the call", TABLE)


def was_refused(game: War, player: str, box: int, zone: str) -> bool:
    """Whether chips that come now belong to a spoken bet that was refused."""
    return any(
        bet.refused and (bet.player, bet.box, bet.zone) == (player, box, zone) for bet in game.state.round.spoken
    )


def _refuse(game: War, bet: Spoken, why: str, by: Person) -> None:
    refused = Spoken(bet.player, bet.box, bet.zone, bet.amount, True)
    game.state.round.spoken = [*(other for other in game.state.round.spoken if other != bet), refused]
    answer = f"{bet.player}'s {dollars(bet.amount)} on the {bet.zone} of box {bet.box} refused: {why}"
    game.ruled("spoken_bet", answer, by, (_clause(game),))


def _clause(game: War) -> str:
    return game.table.house.power("spoken_bet").clause
