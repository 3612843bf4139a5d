"""From what a hand answers to what the table concludes: questions, instructions, refusals, awards, the settlement."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from controller.core.desk import Clauses
from controller.core.effects import Awarded, Moved, Refused, Settled, WagerResult
from controller.games.poker import outputs
from controller.games.poker.betting import Options
from controller.games.poker.cards import is_face
from controller.games.poker.commission import destination
from controller.games.poker.outputs import Output
from controller.games.poker.questions import QUESTIONS
from controller.games.poker.remedies import Step
from controller.games.poker.state import Hand
from controller.money.amounts import dollars

if TYPE_CHECKING:
    from controller.games.poker.game import PokerGame

_STEPS = {
    "take_back": "Take back {cards}.",
    "shuffle_stub": "Shuffle the stub.",
    "cut": "Cut the stub.",
    "to_burn": "Lay {cards} to the burns.",
    "to_muck": "Lay {cards} into the muck.",
    "set_aside": "Set {cards} aside.",
    "shuffle_in_aside": "Shuffle {cards} into the stub.",
    "move_card": "Move the card to seat {seat}.",
    "give_top_card": "Give seat {seat} the top card.",
    "swap_with_top_card": "Give seat {seat} the top card for the one that was shown, which becomes the first burn.",
    "return_to_top": "Put {cards} back on top of the deck.",
}


def step_words(step: Step) -> str:
    """What the dealer does next; cards that nobody has seen are not named."""
    open_cards = [card for card in step.cards if is_face(card)]
    sealed = len(step.cards) - len(open_cards)
    if sealed:
        open_cards.append("the card" if sealed == 1 else f"{sealed} cards")
    return _STEPS[step.kind].format(cards=", ".join(open_cards), seat=step.seat)


def legal_words(may: Options | None) -> str:
    """What the seat in turn may do."""
    if may is None:
        return ""
    ways = [f"call {dollars(may.to_call)}" if may.to_call else "check"]
    if may.raise_max:
        word = "bet" if may.opening else "raise to"
        span = dollars(may.raise_min)
        if may.raise_max > may.raise_min:
            span += f" up to {dollars(may.raise_max)}"
        ways.append(f"{word} {span}")
    return f" Seat {may.seat} may {', '.join(ways)} or fold."


def refusal_text(refused: outputs.Refused) -> str:
    """Why something cannot be taken, and what could be."""
    return refused.text[:1].upper() + refused.text[1:] + "." + legal_words(refused.legal)


def _moved(game: PokerGame, told: outputs.Moved) -> None:
    game.desk.emit(Moved(game.machine.name, told.source, told.dest, told.trigger))


def _follows(game: PokerGame, told: outputs.Follows) -> None:
    if not told.at_last:
        told.do(game)


def _refused(game: PokerGame, told: outputs.Refused) -> None:
    game.desk.emit(Refused("action", "not_legal", refusal_text(told), (told.clause,)))


def _prompt(game: PokerGame, told: outputs.Prompt) -> None:
    """What the hand asks is a question to people, or something that the dealer sees to."""
    subject = told.what.replace(" ", "_")
    if subject in QUESTIONS:
        game.ask(subject, told)
    else:
        game.desk.announce("dealer", subject, _request(told), (told.clause,))


def _request(told: outputs.Prompt) -> str:
    match told.what:
        case "short call":
            return f"Seat {told.seat} adds {dollars(told.amount)} to call, or folds and leaves what it put in."
        case "complete the wager":
            return f"Seat {told.seat} adds {dollars(told.amount)} to complete its wager."
        case "return the chips":
            return f"Return {dollars(told.amount)} to seat {told.seat}: its first wager counts."
        case "early action overtaken":
            return f"Seat {told.seat} acted early and is overtaken; ask: {', '.join(told.choices)}."
        case "short_flop":
            return f"The flop is short of {told.amount}; add from the top."
    return f"{told.what.replace('_', ' ').capitalize()}: {', '.join(told.choices)}."


def _instruct(game: PokerGame, told: outputs.Instruct) -> None:
    game.desk.announce("dealer", "step", step_words(told.step), (told.clause,))


def _acted(game: PokerGame, told: outputs.Acted) -> None:
    game.desk.note("acted", (told.clause,), seat=told.seat, kind=told.kind, total=told.total, added=told.added)
    if told.returned:
        game.desk.announce("dealer", "return", f"Return {dollars(told.returned)} to seat {told.seat}.", (told.clause,))


def _held(game: PokerGame, told: outputs.HeldBack) -> None:
    text = f"Seat {told.seat} acted out of turn ({told.kind.replace('_', ' ')}); it waits for its turn."
    game.desk.announce("dealer", "out_of_turn", text, (told.clause,))


def _returned(game: PokerGame, told: outputs.Returned) -> None:
    refunds = game.state.refunds
    refunds[told.seat] = refunds.get(told.seat, 0) + told.amount
    game.desk.announce("dealer", "return", f"Return {dollars(told.amount)} to seat {told.seat}.", (told.clause,))


def _rake(game: PokerGame, told: outputs.RakeSetAside) -> None:
    game.desk.note("rake", (told.clause,), amount=told.amount, total=told.total)


def _award(game: PokerGame, told: outputs.Award) -> None:
    player = game.state.seats[told.seat].player
    clauses: Clauses = (told.clause,)
    game.desk.emit(
        Awarded(game.table.state.round, told.pot, told.seat, player, told.amount, told.side, clauses, told.hand)
    )


def _side_settled(game: PokerGame, told: outputs.SideSettled) -> None:
    game.desk.note("side_wager", (told.clause,), seat=told.seat, colour=told.colour, amount=told.amount, won=told.won)


def _recorded(game: PokerGame, told: outputs.Recorded) -> None:
    facts: dict[str, Any] = {}
    if told.seat:
        facts["seat"] = told.seat
    if told.amount:
        facts["amount"] = told.amount
    game.desk.note(told.what.replace(" ", "_"), (told.clause,), **facts)


def _finished(game: PokerGame, told: outputs.Finished) -> None:
    game.over(told)


_TELL: dict[type[Output], Callable[[Any, Any], None]] = {
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


def tell(game: PokerGame, outs: list[Output]) -> None:
    """Put everything a hand answered on the desk, in its order."""
    for output in outs:
        _TELL[type(output)](game, output)


def follow(game: PokerGame, outs: list[Output]) -> None:
    """Do what was to be done at last, once each."""
    for do in dict.fromkeys(told.do for told in outs if isinstance(told, outputs.Follows) and told.at_last):
        if game.state.hand is not None:
            do(game)


# -- the settlement ----------------------------------------------------------------------------------------------


def settlement(game: PokerGame, hand: Hand) -> Settled:
    """Every wager of a hand that is over; what winners are paid comes from the others' stakes less commission."""
    round_ = game.table.state.round
    won: dict[int, int] = {}
    clauses: dict[int, Clauses] = {}
    for share in hand.awards:
        won[share.seat] = won.get(share.seat, 0) + share.amount
        clauses[share.seat] = tuple(dict.fromkeys((*clauses.get(share.seat, ()), share.clause)))
    results = []
    for seat, stake in sorted(game.state.stakes.items()):
        if stake or seat in won:
            got = won.get(seat, 0)
            back = min(got, stake)
            result = "win" if got else "lose"
            player = game.state.seats[seat].player
            why = clauses.get(seat, ("8.7",))
            results.append(WagerResult(f"{round_}/{seat}", player, "hand", result, got - back, stake - back, back, why))
    outcome = "uncontested"
    if hand.awards:
        outcome = "showdown" if hand.hands else outcome
    else:
        outcome = "refunded"
        results = [
            WagerResult(f"{round_}/{seat}", game.state.seats[seat].player, "hand", "returned", 0, 0, cents, ("13.6",))
            for seat, cents in sorted(game.state.refunds.items())
        ]
    return Settled(round_, outcome, (*results, *side_results(game, hand)))


def side_results(game: PokerGame, hand: Hand) -> tuple[WagerResult, ...]:
    """The side wagers that are decided."""
    return tuple(
        WagerResult(
            f"{game.table.state.round}/{side.seat}/{side.colour}",
            game.state.seats[side.seat].player,
            f"flop chase {side.colour}",
            "win" if side.won else "lose",
            side.won,
            0 if side.won else side.amount,
            side.amount if side.won else 0,
            (side.clause,),
        )
        for side in hand.side_results
    )


def drop_words(game: PokerGame) -> str:
    """Where the commission goes, in words."""
    where, _ = destination(game.state.terms.commission)
    place = "the chip box" if where == "chip_box" else "the float"
    return f"Drop {dollars(game.hand.rake + game.hand.fees)} into {place}."
