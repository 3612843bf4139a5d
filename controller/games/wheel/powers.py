"""What people may do at a Big Wheel table, by key; ranks were checked before."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from controller.desk import Refusal, told
from controller.effects import Reversed
from controller.games.wheel import colours, doubts, seats
from controller.games.wheel.settle import refund
from controller.games.wheel.state import NO_SPIN_REASONS
from controller.people import Person

if TYPE_CHECKING:
    from controller.games.wheel.game import WheelGame


def place_bets(game: WheelGame, args: dict[str, Any], by: Person) -> None:
    if game.state.turning:
        raise Refusal("wheel_turns", "The wheel still turns; wait until it rests.", ("5.1.1",))
    game.machine.fire("place_bets")


def no_more_bets(game: WheelGame, args: dict[str, Any], by: Person) -> None:
    if game.machine.state == "betting_open" and not game.setup.rules.betting.close_before_spin:
        raise Refusal("spin_first", "Spin the wheel before you announce that no more bets may be placed.", ("5.1.2",))
    game.machine.fire("no_more_bets")


def no_spin(game: WheelGame, args: dict[str, Any], by: Person) -> None:
    reason = told(args, "reason")
    if reason not in NO_SPIN_REASONS:
        raise Refusal(
            "bad_reason", f"A no spin needs one of: {', '.join(NO_SPIN_REASONS)}.", ("7.1.1", "7.1.2", "7.1.3")
        )
    if not game.machine.can("call_no_spin"):
        raise Refusal("not_now", "There is no spin to call off.", ("7.2",))
    game.desk.ruled("spin", "no_spin", by, (NO_SPIN_REASONS[reason],), reason)
    reasons = dict.fromkeys((*(game.state.round.verdict.reasons if game.state.round.verdict else ()), reason))
    game.call_no_spin(tuple(reasons))


def acknowledge(game: WheelGame, args: dict[str, Any], by: Person) -> None:
    game.machine.fire("acknowledge")
    game.after_collecting()


def losers_clear(game: WheelGame, args: dict[str, Any], by: Person) -> None:
    if game.machine.state == "collect" and not game.losers_are_clear():
        if not args.get("confirmed") or by.rank < game.money.release.rank:
            text = f"Chips that have lost still lie on {game.money.uncollected_words()}; collect them first."
            raise Refusal("not_clear", text, ("5.1.4", "3.6.1"))
        game.desk.ruled("collected", "confirmed", by, ("3.6.1",), str(args.get("reason", "")))
        game.state.round.cleared = True
    game.after_collecting()


def paid(game: WheelGame, args: dict[str, Any], by: Person) -> None:
    if game.machine.state == "collect":
        raise Refusal("collect_first", "Losing wagers are cleared before winners are paid.", ("5.1.4",))
    if not game.machine.can("paid"):
        game.machine.fire("paid")
    if game.money.may_end("paid", by, bool(args.get("confirmed")), str(args.get("reason", ""))):
        game.machine.fire("paid")


def assign(game: WheelGame, args: dict[str, Any], by: Person) -> None:
    area, player = told(args, "area", int), told(args, "player")
    only = args.get("tags")
    chosen = [
        tag
        for tag, laid in game.state.picture.items()
        if laid.area == area and (tag in only if only is not None else not laid.owner)
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
    doubts.owners_told(game)


def dealer_placed(game: WheelGame, args: dict[str, Any], by: Person) -> None:
    game.desk.note("dealer_placed", ("3.4",), area=told(args, "area", int), player=told(args, "player"), by=by.id)


def interference(game: WheelGame, args: dict[str, Any], by: Person) -> None:
    actor = args.get("actor", "other")
    if not game.state.turning or game.state.round.spin is None:
        raise Refusal("not_now", "No spin is under way.", ("7.1.3",))
    game.state.round.reported = tuple(dict.fromkeys((*game.state.round.reported, "interference")))
    game.desk.note("interference_reported", ("7.1.3",), actor=actor, by=by.id)
    if actor != "dealer":
        game.desk.note("breach", ("5.3",), actor=actor)


def idle_spins(game: WheelGame, args: dict[str, Any], by: Person) -> None:
    spins = told(args, "spins", int)
    if spins < 1:
        raise Refusal("bad_argument", "Direct one spin or more.", ("5.1.5",))
    game.state.directed = spins
    game.desk.ruled("idle_spins", str(spins), by, ("5.1.5",))


def cancel_disruption(game: WheelGame, args: dict[str, Any], by: Person) -> None:
    _cancel(game, args, by, "9.4")


def cancel_fraud(game: WheelGame, args: dict[str, Any], by: Person) -> None:
    _cancel(game, args, by, "9.3")


def _cancel(game: WheelGame, args: dict[str, Any], by: Person, clause: str) -> None:
    reason = told(args, "reason")
    past = game.state.past
    if game.machine.state == "idle" and past is not None:
        game.desk.ruled("invalidate", f"round {past.round}", by, (clause,), reason)
        game.desk.emit(Reversed(past.round, refund(past.wagers, (clause, "9.5")), (clause, "9.5")))
        game.money.reverse(past.results, by)
        game.state.past = None
        return
    if not game.machine.can("cancel"):
        late = game.table.house.power("invalidate_late")
        if by.rank < late.rank:
            raise Refusal("too_late", "That spin can no longer be invalidated here.", (late.clause,))
        game.desk.ruled("invalidate_late", "recorded", by, (clause, late.clause), reason)
        return
    game.desk.ruled("invalidate", f"round {game.table.state.round}", by, (clause,), reason)
    game.machine.fire("cancel", clause)
    game.machine.fire("refunded")


def void(game: WheelGame, args: dict[str, Any], by: Person) -> None:
    _against_player(game, args, by, game.state.voided, "void")


def exclude(game: WheelGame, args: dict[str, Any], by: Person) -> None:
    _against_player(game, args, by, game.state.excluded, "exclude")


def withhold(game: WheelGame, args: dict[str, Any], by: Person) -> None:
    _against_player(game, args, by, game.state.withheld, "withhold")


def _against_player(game: WheelGame, args: dict[str, Any], by: Person, whom: set[str], what: str) -> None:
    player = told(args, "player")
    whom.add(player)
    game.desk.ruled(what, player, by, (game.keys[what].clause,), str(args.get("reason", "")))
    if game.machine.state == "result":
        game.show_result()


def device_seen(game: WheelGame, args: dict[str, Any], by: Person) -> None:
    """Somebody reports a recording or predicting device: the decision of 9.2 is asked for."""
    player = told(args, "player")
    game.desk.note("device_reported", ("9.1",), player=player, by=by.id)
    doubts.ask_about_device(game, player)


def inquiry_over(game: WheelGame, args: dict[str, Any], by: Person) -> None:
    player = told(args, "player")
    if player not in game.state.withheld:
        raise Refusal("no_inquiry", f"No winnings of {player} are withheld.", ("9.2.3",))
    outcome = told(args, "outcome")
    game.state.withheld.discard(player)
    game.desk.ruled("withhold", f"{player}: {outcome}", by, ("9.2.3",))


def sit(game: WheelGame, args: dict[str, Any], by: Person) -> None:
    seats.sit(game, told(args, "seat", int), told(args, "player"))


def leave(game: WheelGame, args: dict[str, Any], by: Person) -> None:
    seats.leave(game, told(args, "seat", int))


def dispute(game: WheelGame, args: dict[str, Any], by: Person) -> None:
    decision, text = told(args, "decision"), told(args, "text")
    game.desk.ruled("dispute", decision, by, ("9.11",), text)
    game.desk.announce("dealer", "inspector", "Tell the complainant that an inspector may be consulted.", ("9.10",))
    game.desk.note("inspector_told", ("9.10",), by=by.id)


DO: dict[str, Callable[[WheelGame, dict[str, Any], Person], None]] = {
    "place_bets": place_bets,
    "no_more_bets": no_more_bets,
    "no_spin": no_spin,
    "acknowledge": acknowledge,
    "losers_clear": losers_clear,
    "paid": paid,
    "assign": assign,
    "dealer_placed": dealer_placed,
    "interference": interference,
    "idle_spins": idle_spins,
    "cancel_disruption": cancel_disruption,
    "cancel_fraud": cancel_fraud,
    "void": void,
    "exclude": exclude,
    "withhold": withhold,
    "device_seen": device_seen,
    "inquiry_over": inquiry_over,
    "sit": sit,
    "leave": leave,
    "dispute": dispute,
    **colours.DO,
}
