"""What wagers are owed: results booked, taken back and voided, and the house's own chips beside a war stake."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from controller.core.effects import Reversed, Settled, WagerResult
from controller.games.war import order, settle
from controller.games.war.layout import HOUSE
from controller.games.war.play import War
from controller.games.war.rules import Clauses
from controller.games.war.state import Booked, Stake
from controller.money.payment import Spot


def round_number(game: War) -> int:
    """The number of the round that lies there; once it is over, the table counts on before the next one lies."""
    return game.state.round.number or game.table.state.round


def settled(game: War, stage: str, results: tuple[WagerResult, ...]) -> None:
    """Tell what was decided about these wagers."""
    game.desk.emit(Settled(round_number(game), stage, results))


def book(game: War, stage: str, results: Iterable[WagerResult], clauses: Clauses) -> None:
    """Owe what was decided; steps for the dealer in the order of the rulebook."""
    round_ = game.state.round
    results = tuple(as_due(game, result) for result in results)
    for result in results:
        round_.booked[result.wager] = Booked(result, stage)
    if results:
        settled(game, stage, results)
        owe(game, results)
    steps = order.interim_steps if stage == "interim" else order.final_steps
    todo = [list(step) for step in steps(game.rules, round_.stakes, results)]
    game.desk.note(f"settle_{stage}", clauses, steps=todo)


def as_due(game: War, result: WagerResult) -> WagerResult:
    """A result as it is to be paid: winnings of somebody under inquiry are held back."""
    if not result.pays or result.player not in game.state.house.withheld:
        return result
    held = game.state.house.held_back
    held[result.player] = held.get(result.player, 0) + result.pays
    clause = game.table.house.power("withhold").clause
    return msgspec.structs.replace(result, withheld=True, clauses=(*result.clauses, clause))


def owe(game: War, results: Iterable[WagerResult]) -> None:
    """These chips are to be taken and paid now."""
    results = tuple(results)
    lay = _as_they_lay(game, results)
    if game.sees_chips:
        areas = game.areas()
        game.money.owe(results, lambda result: areas[result.wager], lay)


def _as_they_lay(game: War, results: Iterable[WagerResult] = ()) -> dict[int, Spot]:
    """The chips that are still at the table of stakes whose chips are to be moved, where they lay when it closed."""
    round_, to_move = game.state.round, {result.wager for result in results}
    to_move |= {stake.id for stake in round_.stakes if is_open(game, stake)}
    return {
        tag: Spot(lay.area, lay.cents)
        for tag, lay in round_.in_play.items()
        if lay.wager in to_move and game.money.place_of(tag) is not None
    }


def take_back(game: War, results: Iterable[WagerResult]) -> None:
    """What these results asked for is asked no longer; whatever was moved for them goes back."""
    for result in results:
        if result.withheld and result.player in game.state.house.held_back:
            game.state.house.held_back[result.player] -= result.pays
        if game.sees_chips and (result.pays or result.stake_taken):
            game.money.no_longer(game.areas()[result.wager], result, _as_they_lay(game))


def unbook(game: War, which: Callable[[Booked], bool], clauses: Clauses) -> None:
    """Take results back that are to be decided anew."""
    gone = [wager for wager, booked in game.state.round.booked.items() if which(booked)]
    taken_back = tuple(game.state.round.booked.pop(wager).result for wager in gone)
    if taken_back:
        take_back(game, taken_back)
        back = tuple(settle.void(game.state.round.stake(result.wager), clauses) for result in taken_back)
        game.desk.emit(Reversed(round_number(game), back, clauses))


# -- void ----------------------------------------------------------------------------------------------------------


def void_stakes(game: War, which: Callable[[Stake], bool], clauses: Clauses, forfeit: Iterable[str] = ()) -> None:
    """No result for these stakes, whatever was booked before; they go back, or are forfeited by direction."""
    round_ = game.state.round
    taken = set(forfeit)
    results: list[WagerResult] = []
    reversed_: list[WagerResult] = []
    for stake in round_.stakes:
        if not which(stake):
            continue
        result = settle.void(stake, clauses, stake.player in taken)
        if stake.id in round_.booked:
            take_back(game, (round_.booked[stake.id].result,))
        if result.stake_taken:
            owe(game, (result,))
        (reversed_ if stake.id in round_.booked else results).append(result)
        round_.booked[stake.id] = Booked(result, "void", done=True)
        if stake.dealt:
            stake.status = "void"
    if reversed_:
        game.desk.emit(Reversed(round_number(game), tuple(reversed_), clauses))
    if results:
        settled(game, "void", tuple(results))
        if game.sees_chips:
            areas = game.areas()
            game.money.nothing_decided(results, lambda result: areas[result.wager], _as_they_lay(game, results))


def is_open(game: War, stake: Stake) -> bool:
    """Not yet decided with its chips moved."""
    booked = game.state.round.booked.get(stake.id)
    return booked is None or not booked.done


def void_round(game: War, scope: str, clauses: Clauses, forfeit: Iterable[str] = ()) -> None:
    """End the round without result for all of its stakes, or for the open ones."""
    game.machine.fire("voided", scope, clauses, forfeit)


def void_whole(game: War, scope: str, clauses: Clauses, forfeit: Iterable[str] = ()) -> None:
    """The round has no result, and its cards that no place waited for are none of the next one's."""
    void_scope(game, scope, clauses, forfeit)
    for card in game.state.round.held():
        card.place = "discard"


def void_scope(game: War, scope: str, clauses: Clauses, forfeit: Iterable[str] = ()) -> None:
    """No result for all stakes of the round, or for the open ones."""
    if scope == "all":
        void_stakes(game, lambda stake: stake.status != "refused", clauses, forfeit)
    else:
        void_stakes(game, lambda stake: is_open(game, stake), clauses, forfeit)


# -- the house's own chips -----------------------------------------------------------------------------------------


def expect_house_chips(game: War, box: int, amount: int) -> None:
    if game.sees_chips:
        area = game.layout.area(box, HOUSE)
        assert area is not None  # method B has a place for them
        game.money.expect(area, amount, f"{HOUSE} {box}", _as_they_lay(game))


def no_house_chips(game: War, stake: Stake) -> None:
    """Method B: the chips laid beside this war stake go back with it."""
    asked = game.state.round.house_asked
    if str(stake.box) in asked:
        asked[str(stake.box)] -= stake.counted
        expect_house_chips(game, stake.box, -stake.counted)


def house_chips_go_back(game: War) -> None:
    """Method B: chips that pay nobody go back to the float; those slid to a winner have left their place as well."""
    asked, game.state.round.house_asked = game.state.round.house_asked, {}
    for box, amount in asked.items():
        expect_house_chips(game, int(box), -amount)
