"""From what a hand answers to what the table concludes: questions, instructions, refusals, awards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from controller.core.desk import Clauses
from controller.core.effects import Awarded, Moved, Refused
from controller.games.poker import outputs
from controller.games.poker.instructions import refusal_text, request_words, step_words
from controller.games.poker.outputs import Output
from controller.games.poker.questions import QUESTIONS
from controller.games.poker.table import PokerTable
from controller.money.amounts import dollars


def _moved(game: PokerTable, moved: outputs.Moved) -> None:
    game.desk.emit(Moved(game.machine.name, moved.source, moved.dest, moved.trigger))


def _follows(game: PokerTable, follows: outputs.Follows) -> None:
    if not follows.at_last:
        follows.do(game)


def _refused(game: PokerTable, refused: outputs.Refused) -> None:
    game.desk.emit(Refused("action", "not_legal", refusal_text(refused), (refused.clause,)))


def _prompt(game: PokerTable, prompt: outputs.Prompt) -> None:
    """What the hand asks is a question to people, or something that the dealer sees to."""
    subject = prompt.what.replace(" ", "_")
    if subject in QUESTIONS:
        game.ask(subject, prompt)
    else:
        game.desk.announce("dealer", subject, request_words(prompt), (prompt.clause,))


def _instruct(game: PokerTable, instruction: outputs.Instruct) -> None:
    game.desk.announce("dealer", "step", step_words(instruction.step), (instruction.clause,))


def _acted(game: PokerTable, act: outputs.Acted) -> None:
    game.desk.note("acted", (act.clause,), seat=act.seat, kind=act.kind, total=act.total, added=act.added)
    if act.returned:
        game.desk.announce("dealer", "return", f"Return {dollars(act.returned)} to seat {act.seat}.", (act.clause,))


def _held(game: PokerTable, held: outputs.HeldBack) -> None:
    text = f"Seat {held.seat} acted out of turn ({held.kind.replace('_', ' ')}); it waits for its turn."
    game.desk.announce("dealer", "out_of_turn", text, (held.clause,))


def _returned(game: PokerTable, refund: outputs.Returned) -> None:
    refunds = game.in_play.refunds
    refunds[refund.seat] = refunds.get(refund.seat, 0) + refund.amount
    game.desk.announce("dealer", "return", f"Return {dollars(refund.amount)} to seat {refund.seat}.", (refund.clause,))


def _rake(game: PokerTable, rake: outputs.RakeSetAside) -> None:
    game.desk.note("rake", (rake.clause,), amount=rake.amount, total=rake.total)


def _award(game: PokerTable, award: outputs.Award) -> None:
    player = game.state.seats[award.seat].player
    clauses: Clauses = (award.clause,)
    game.desk.emit(
        Awarded(game.table.state.round, award.pot, award.seat, player, award.amount, award.side, clauses, award.hand)
    )


def _side_settled(game: PokerTable, side: outputs.SideSettled) -> None:
    game.desk.note("side_wager", (side.clause,), seat=side.seat, colour=side.colour, amount=side.amount, won=side.won)


def _recorded(game: PokerTable, fact: outputs.Recorded) -> None:
    facts: dict[str, Any] = {}
    if fact.seat:
        facts["seat"] = fact.seat
    if fact.amount:
        facts["amount"] = fact.amount
    game.desk.note(fact.what.replace(" ", "_"), (fact.clause,), **facts)


def _finished(game: PokerTable, ended: outputs.Finished) -> None:
    game.over(ended)


_CONCLUDE: dict[type[Output], Callable[[Any, Any], None]] = {
    outputs.Moved: _moved,
    outputs.Follows: _follows,
    outputs.Refused: _refused,
    outputs.Prompt: _prompt,
    outputs.Instruct: _instruct,
    outputs.Acted: _acted,
    outputs.HeldBack: _held,
    outputs.Returned: _returned,
    outputs.RakeSetAside: _rake,
    outputs.Award: _award,
    outputs.SideSettled: _side_settled,
    outputs.Recorded: _recorded,
    outputs.Finished: _finished,
}


def conclude(game: PokerTable, outs: list[Output]) -> None:
    """Put everything a hand answered on the desk, in its order."""
    for output in outs:
        _CONCLUDE[type(output)](game, output)


def follow(game: PokerTable, outs: list[Output]) -> None:
    """Do what was to be done at last, once each."""
    for do in dict.fromkeys(out.do for out in outs if isinstance(out, outputs.Follows) and out.at_last):
        if game.state.hand is not None:
            do(game)
