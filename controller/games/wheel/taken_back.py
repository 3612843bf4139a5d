"""Spins taken back once the wheel rests: a late no spin (7.1), an outcome that is invalidated (9.3, 9.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from controller.core.desk import Clauses, Key, Refusal
from controller.core.effects import Reversed
from controller.core.take_back import Beside
from controller.games.wheel.settle import refund
from controller.games.wheel.state import NO_SPIN_REASONS, REASON_WORDS
from controller.people import Person
from drivers.events import DeviceEvent
from drivers.wheel import WheelKnocked, WheelStarted, WheelTurned

if TYPE_CHECKING:
    from controller.games.wheel.game import WheelGame

TOUCHED = "touched"
"""The question whether a spin that is settled was touched."""
UNDER_WAY_NOW = "now"
SETTLED_LAST = "last"


def _goes_on(game: WheelGame, event: DeviceEvent, moved_on: bool) -> bool:
    return not moved_on


def _pushed_after_the_call(game: WheelGame, event: WheelStarted, moved_on: bool) -> bool:
    return game.machine.state == "spin_closed"


BESIDE: Beside = {WheelTurned: _goes_on, WheelKnocked: _goes_on, WheelStarted: _pushed_after_the_call}
"""The wheel turns on, and is pushed though betting was closed too soon."""


def spins_to_invalidate(game: WheelGame) -> list[tuple[str, str]]:
    """The spins that can be invalidated now, and what each is called."""
    past, found = game.state.past, []
    if past is not None:
        found.append((SETTLED_LAST, f"The spin that is paid (round {past.round})"))
    if game.machine.can("cancel"):
        found.append((UNDER_WAY_NOW, f"The one under way (round {game.table.state.round})"))
    return found


def invalidate(game: WheelGame, by: Person, reason: str, clause: str, spin: str) -> None:
    """Invalidate the outcome of a spin; too late, it is on record only."""
    if spin == SETTLED_LAST and game.state.past is not None:
        game.desk.ruled("invalidate", f"round {game.state.past.round}", by, (clause,), reason)
        past_back(game, (clause, "9.5"), by)
    elif spin and spin not in dict(spins_to_invalidate(game)):
        raise Refusal("too_late", "That spin can no longer be invalidated here.", (clause,))
    elif game.machine.can("cancel"):
        game.desk.ruled("invalidate", f"round {game.table.state.round}", by, (clause,), reason)
        game.machine.fire("cancel", clause)
    else:
        late = game.table.house.power("invalidate_late")
        if by.rank < late.rank:
            raise Refusal("too_late", "That spin can no longer be invalidated here.", (late.clause,))
        game.desk.ruled("invalidate_late", "recorded", by, (clause, late.clause), reason)


def past_back(game: WheelGame, clauses: Clauses, by: Person) -> None:
    """The round that was settled last no longer counts: every wager goes back, and what was paid and taken for it."""
    past = game.state.past
    assert past is not None
    game.desk.withdraw(TOUCHED)
    game.desk.emit(Reversed(past.round, refund(past.wagers, clauses), clauses))
    game.money.reverse(past.results, by)
    for result in past.results:
        if result.withheld and result.player in game.state.held_back:
            game.state.held_back[result.player] -= result.pays
    game.state.past = None


def can_call_no_spin(game: WheelGame) -> bool:
    machine = game.machine
    return machine.can("call_no_spin") or machine.can("take_back") or game.state.past is not None


def with_rank_of_now(game: WheelGame, keys: dict[str, Key]) -> dict[str, Key]:
    """A no spin is the dealer's to call until the result is announced, then somebody's above."""
    if game.machine.can("call_no_spin") or not can_call_no_spin(game):
        return keys
    rank, clause = game.table.house.power("no_spin_settled" if game.machine.can("take_back") else "dispute")
    return {**keys, "no_spin": msgspec.structs.replace(keys["no_spin"], rank=rank, clause=clause)}


def call_no_spin(game: WheelGame, by: Person, reason: str) -> None:
    """A reason of 7.1 is a no spin whenever it is found: the dealer's word until the result is announced, then
    somebody's above, and once it is paid a decision under 9.11."""
    why = (NO_SPIN_REASONS[reason],)
    if game.machine.can("call_no_spin"):
        game.desk.ruled("spin", "no_spin", by, why, reason)
        game.machine.fire("call_no_spin", _with_the_sensors(game, reason))
    elif game.machine.can("take_back"):
        game.desk.ruled("spin", "no_spin", by, why, reason)
        game.machine.fire("take_back", _with_the_sensors(game, reason))
    elif game.state.past is not None:
        game.desk.ruled("spin", "no_spin", by, (*why, "9.11"), reason)
        past_no_spin(game, reason, by)
    else:
        raise Refusal("not_now", "There is no spin to call off.", ("7.2",))


def past_no_spin(game: WheelGame, reason: str, by: Person) -> None:
    """The spin that was paid was none: it has no effect, and what it moved goes back."""
    clauses = (NO_SPIN_REASONS[reason], "7.2", "9.11")
    past = game.state.past
    assert past is not None
    game.desk.note("no_spin", clauses, reasons=[reason], round=past.round)
    text = f"Round {past.round} was no spin: {REASON_WORDS[reason]}. What was paid and taken for it goes back."
    past_back(game, clauses, by)
    game.desk.announce("all", "no_spin", text, clauses)


def _with_the_sensors(game: WheelGame, reason: str) -> tuple[str, ...]:
    verdict = game.state.round.verdict
    return tuple(dict.fromkeys((*(verdict.reasons if verdict else ()), *game.state.round.reported, reason)))


# -- somebody saw a hand at the wheel ---------------------------------------------------------------------------------


def can_report_touch(game: WheelGame) -> bool:
    """Whether a spin is there that a hand at the wheel would spoil, turning or at rest."""
    return game.state.round.spin is not None or game.state.past is not None


def report_touch(game: WheelGame, by: Person, actor: str) -> None:
    """A hand was at the wheel: judged with the spin, or asked about at once where the wheel rests already."""
    if not can_report_touch(game):
        raise Refusal("not_now", "There is no spin that this could be about.", ("7.1.3",))
    round_ = game.state.round
    if round_.spin is not None:
        round_.reported = tuple(dict.fromkeys((*round_.reported, "interference")))
        round_.ruled = tuple(subject for subject in round_.ruled if subject != "spin")
    game.desk.note("interference_reported", ("7.1.3",), actor=actor, by=by.id)
    if actor != "dealer":
        game.desk.note("breach", ("5.3",), actor=actor)
    if game.machine.state == "ruling":
        game.ask_anew()
    elif game.machine.can("doubted"):
        game.machine.fire("doubted")
    elif (game.machine.can("take_back") or round_.spin is None) and not game.asked(TOUCHED):
        game.ask(TOUCHED, actor)
