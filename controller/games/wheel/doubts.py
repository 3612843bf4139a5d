"""What keeps a result from standing by itself, put to people one question at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from controller.desk import Desk, Refusal
from controller.effects import Asked, Option
from controller.events import ChipUnclear
from controller.games.wheel import colours
from controller.games.wheel.layout import Laid
from controller.games.wheel.state import NO_SPIN_REASONS
from controller.house import House
from drivers.motion import SpinVerdict

if TYPE_CHECKING:
    from controller.games.wheel.game import WheelGame

SUBJECTS = ("close_not_announced", "close_unseen", "spin", "near", "owners", "late_change")
"""In the order in which they are asked."""


def next_doubt(game: WheelGame) -> str | None:
    """The first open question about this spin."""
    return next(
        (subject for subject in SUBJECTS if subject not in game.state.round.ruled and _open(game, subject)), None
    )


def _open(game: WheelGame, subject: str) -> bool:
    round_ = game.state.round
    match subject:
        case "close_not_announced" | "close_unseen":
            return subject in round_.doubts
        case "spin":
            return bool(reasons(game))
        case "near":
            return round_.seen.clear == "near"
        case "owners":
            return bool(_ownerless_over_maximum(game))
        case _:
            restored = round_.disturbed and game.setup.rules.betting.restored_late_change == "ask"
            return bool(round_.late) or restored


def reasons(game: WheelGame) -> tuple[str, ...]:
    """All reasons for a no spin, seen by the sensor or told by people."""
    round_ = game.state.round
    return tuple(dict.fromkeys((*round_.seen.reasons, *round_.reported)))


def _ownerless_over_maximum(game: WheelGame) -> list[str]:
    wagers = game.wagers()
    return [w.symbol for w in wagers if not w.owner and w.cents > game.table.limits_of("", w.symbol).most]


def evidence(verdict: SpinVerdict) -> dict[str, Any]:
    """The numbers a person sees."""
    seen: dict[str, Any] = msgspec.to_builtins(verdict)
    seen.pop("trace", None)
    return seen


def ask(game: WheelGame) -> None:
    """Put the first open question."""
    subject = next_doubt(game)
    assert subject is not None
    globals()[f"_ask_{subject}"](game)


def _option(house: House, answer: str, label: str, power: str, needs_reason: bool = False) -> Option:
    rank, clause = house.power(power)
    return Option(answer, label, rank, clause, needs_reason)


def _ask_spin(game: WheelGame) -> None:
    house = game.table.house
    why = reasons(game)
    override = "override_under_revs" if "under_revs" in why else "override_not_clear" if "not_clear" in why else ""
    game.desk.ask(
        "spin",
        "No spin? " + ", ".join(why).replace("_", " ") + ".",
        {**evidence(game.state.round.seen), "reasons": list(why)},
        "no_spin",
        (
            _option(house, "no_spin", "No spin", "call_no_spin"),
            _option(house, "stands", "The spin stands", override or "refuse_no_spin_proposal", needs_reason=True),
        ),
        tuple(dict.fromkeys(NO_SPIN_REASONS[reason] for reason in why)),
    )


def _ask_near(game: WheelGame) -> None:
    house = game.table.house
    verdict = game.state.round.seen
    assert verdict.compartment is not None
    symbol = game.setup.ring[verdict.compartment]
    game.desk.ask(
        "near",
        f"The indicator rests close to a divider, on the side of {symbol}. Is it clearly inside?",
        evidence(verdict),
        "clear",
        (
            _option(house, "clear", f"Clearly inside {symbol}", "confirm_near"),
            _option(house, "no_spin", "Not clear: no spin", "call_no_spin"),
        ),
        ("7.1.2",),
    )


def _ask_close_not_announced(game: WheelGame) -> None:
    house = game.table.house
    game.desk.ask(
        "close_not_announced",
        "The wheel rests and “no more bets” was never announced.",
        {"wagers": [msgspec.to_builtins(w) for w in game.wagers()]},
        "settle",
        (
            _option(house, "settle", "Settle what lies on the layout", "close_not_announced"),
            _option(house, "refund", "Hand every wager back", "dispute", needs_reason=True),
        ),
        ("5.1.2", "3.2", "9.11"),
    )


def _ask_close_unseen(game: WheelGame) -> None:
    house = game.table.house
    game.desk.ask(
        "close_unseen",
        "The chip antennas were out while betting closed; the picture is the one seen since.",
        {"wagers": [msgspec.to_builtins(w) for w in game.wagers()]},
        "refund",
        (
            _option(house, "settle", "The layout is as it was at the close: settle", "close_not_announced", True),
            _option(house, "refund", "Hand every wager back", "dispute", needs_reason=True),
        ),
        ("3.5", "9.11"),
    )


def _ask_owners(game: WheelGame) -> None:
    house = game.table.house
    symbols = _ownerless_over_maximum(game)
    game.desk.ask(
        "owners",
        f"More than the maximum lies on {', '.join(symbols)}. Whose chips are they?",
        {"symbols": symbols},
        "assign",
        (_option(house, "one_player", "All of one player: settle at the maximum", "assign_wager"),),
        ("4.2.2",),
    )


def _ask_late_change(game: WheelGame) -> None:
    house = game.table.house
    game.desk.ask(
        "late_change",
        "The layout is not as it was at “no more bets”.",
        {"changes": [msgspec.to_builtins(change) for change in game.state.round.late]},
        "as_closed",
        (
            _option(house, "as_closed", "Settle the picture at the close", "rule_late_change"),
            _option(house, "as_lying", "Settle what lies there now", "dispute", needs_reason=True),
        ),
        ("3.2", "3.5", "9.11"),
    )


def ask_position(desk: Desk, house: House, event: ChipUnclear, areas: dict[int, str]) -> None:
    """On which area does this chip lie?"""
    options = tuple(_option(house, f"area{area}", f"On {areas.get(area, area)}", "place_chip") for area in event.areas)
    desk.ask(
        f"position:{event.chip.tag}",
        "A chip lies on the line between two areas. Where does it count?",
        {"tag": event.chip.tag, "cents": event.chip.cents, "areas": list(event.areas)},
        "ask_player",
        options,
        ("3.4", "3.7"),
    )


def ask_about_device(game: WheelGame, player: str) -> None:
    """What becomes of a player with a prohibited device (9.1, 9.2)?"""
    house = game.table.house
    game.desk.ask(
        f"device:{player}",
        f"{player} is reported with a device that records or predicts the game.",
        {"player": player, "wagers": [msgspec.to_builtins(w) for w in game.wagers() if w.owner == player]},
        "withhold",
        (
            _option(house, "withhold", "Withhold winnings until the inquiry is over", "withhold", needs_reason=True),
            _option(house, "void", "Void this player's wagers", "void_wager", needs_reason=True),
            _option(house, "exclude", "Exclude from the game", "exclude_player", needs_reason=True),
            _option(house, "nothing", "Nothing was found", "withhold", needs_reason=True),
        ),
        ("9.1", "9.2.1", "9.2.2", "9.2.3"),
    )


def owners_told(game: WheelGame) -> None:
    """Chips found their owner: the question of ownership may have answered itself."""
    open_question = any(asked.subject == "owners" for asked in game.desk.state.prompts.values())
    if open_question and not _ownerless_over_maximum(game):
        game.desk.withdraw("owners")
        _go_on(game)


def answered(game: WheelGame, asked: Asked, answer: str, args: dict[str, Any]) -> None:
    """Carry out a ruling."""
    round_ = game.state.round
    if asked.subject.startswith("position:"):
        _place(game, int(asked.subject.partition(":")[2]), int(answer.removeprefix("area")))
        return
    if asked.subject.startswith("device:"):
        against = {"void": game.state.voided, "exclude": game.state.excluded, "withhold": game.state.withheld}
        if answer in against:
            against[answer].add(asked.subject.partition(":")[2])
        return
    if answer == "no_spin":
        why = reasons(game) if asked.subject == "spin" else ("not_clear",)
        game.call_no_spin(why)
        return
    if answer == "refund":
        game.machine.fire("cancel", "9.11")
        game.machine.fire("refunded")
        return
    if answer == "stands":
        round_.winner = _told_symbol(args)
    if answer == "as_lying":
        round_.frozen = dict(game.state.picture)
        round_.ruled = (*round_.ruled, "late_change_as_lying")
    round_.ruled = (*round_.ruled, asked.subject)
    _go_on(game)


def _told_symbol(args: dict[str, Any]) -> str:
    """Where people say that the indicator rests; nothing where the sensor shall be believed."""
    return str(args.get("symbol", ""))


def check_answer(game: WheelGame, asked: Asked, answer: str, args: dict[str, Any]) -> None:
    """Refuse what cannot be carried out, before anything changes."""
    if asked.subject != "spin" or answer != "stands":
        return
    symbol = _told_symbol(args)
    if symbol and symbol not in game.setup.option.names:
        raise Refusal("no_such_symbol", f"This wheel has no symbol {symbol!r}.", ("5.1.3",))
    if not symbol and game.state.round.seen.compartment is None:
        raise Refusal("symbol_needed", "The sensor has no result; say which symbol the indicator rests in.", ("5.1.3",))


def _go_on(game: WheelGame) -> None:
    game.machine.fire("rule_on")
    game.machine.fire("judge")


def _place(game: WheelGame, tag: int, area: int) -> None:
    unclear = game.state.unclear.pop(tag)
    game.state.picture[tag] = Laid(unclear.chip, area)
    colours.give_owners(game, (unclear.chip,))
    game.desk.note("position_told", ("3.4",), tag=tag, area=area)
