"""One hand from the blinds to the drop: `start` makes it, `apply` takes what happens, `expected` says what is next."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from controller.games.poker import board, hand_end, inputs, play, rulings
from controller.games.poker.actions import over_blind_fault
from controller.games.poker.betting import Betting, Options, Player, options
from controller.games.poker.board import once
from controller.games.poker.flop_chase import SideWager, side_wager_fault
from controller.games.poker.outputs import Moved, Output, Recorded, Refused
from controller.games.poker.positions import Positions, clockwise_from
from controller.games.poker.remedies import Facts
from controller.games.poker.round import ALONE, BOARD_TARGET, ROUND_OF, WHILE
from controller.games.poker.round_actions import HandMachine, RoundActions
from controller.games.poker.rules import Terms
from controller.games.poker.showdown import show_order
from controller.games.poker.state import Due, Hand, Refusal, index_of, move, propose
from controller.money.amounts import dollars

Hand.machine = HandMachine(RoundActions(), ALONE)
"""How a hand moves that belongs to no table."""


def start(
    terms: Terms, stacks: dict[int, int], positions: Positions, posts: Sequence[int] = (), *, button: bool = True
) -> Hand:
    """A hand that has begun."""
    hand = set_up(terms, stacks, positions, posts, button=button)
    move(hand, "start_hand", [])
    return hand


def set_up(
    terms: Terms, stacks: dict[int, int], positions: Positions, posts: Sequence[int] = (), *, button: bool = True
) -> Hand:
    """A new hand for the seats dealt in; `posts` are those that put up the large blind to come in (8.9.5, 8.10.2)."""
    order = clockwise_from(positions.button, list(stacks))
    large = terms.blinds[-1]
    blinds = [Due(seat, amount) for seat, amount in zip(positions.posts, terms.blinds, strict=True) if seat in stacks]
    blinds += [Due(seat, large) for seat in posts if all(due.seat != seat for due in blinds)]
    players = [Player(seat, stacks[seat]) for seat in order]
    fees_due = list(order) if terms.commission.method == "per_person" else []
    return Hand(
        terms,
        Betting(terms.structure, players),
        positions.button,
        button_in_use=button,
        blinds=blinds,
        dues=list(blinds),
        fees_due=fees_due,
        last_blind_index=order.index(positions.last),
    )


def _post(hand: Hand, given: inputs.Post, out: list[Output]) -> None:
    if given.kind == "straddle":
        _straddle(hand, given, out)
        return
    if hand.phase != "posting":
        raise Refusal("8.9.2(a)", "blinds and fees are put up before the deal")
    player = hand.betting.players[index_of(hand, given.seat)]
    if given.kind == "fee":
        fee = hand.terms.commission.fee
        if given.seat not in hand.fees_due or given.amount != fee:
            raise Refusal("7.2.4(b)", f"seat {given.seat} owes no fee of {dollars(given.amount)}")
        if player.stack < fee:
            raise Refusal("7.2.4(b)", f"seat {given.seat} cannot pay the fee and is not dealt in")
        player.stack -= fee
        hand.fees += fee
        hand.fees_due.remove(given.seat)
    else:
        due = next((due for due in hand.dues if due.seat == given.seat), None)
        if due is None:
            raise Refusal("8.9.2(b)", f"no blind is due from seat {given.seat}")
        if given.amount != min(due.amount, player.stack):
            raise Refusal("8.9.2(b)", f"seat {given.seat} owes {dollars(min(due.amount, player.stack))}")
        _put_up(player, given.amount)
        hand.dues.remove(due)
    if not hand.dues and not hand.fees_due:
        move(hand, "blinds_up", out)


def _put_up(player: Player, amount: int) -> None:
    player.stack -= amount
    player.in_round += amount
    player.in_hand += amount
    player.posted += amount
    if not player.stack:
        player.all_in = 1


def _straddle(hand: Hand, given: inputs.Post, out: list[Output]) -> None:
    if hand.dealt:
        raise Refusal("6.5", "a straddle goes up before the first card")
    players = hand.betting.players
    before = hand.straddler if hand.straddle else hand.last_blind_index
    due = players[(before + 1) % len(players)]
    previous = hand.straddle or hand.terms.blinds[-1]
    player = players[index_of(hand, given.seat)]
    clause, text = over_blind_fault(
        previous,
        given.amount,
        given.seat,
        due.seat,
        first=not hand.straddle,
        straddle=hand.terms.straddle,
        over_blinds=hand.terms.over_blinds,
    )
    if clause:
        raise Refusal(clause, text)
    owed = next((due.amount for due in hand.dues if due.seat == given.seat), 0)
    more = given.amount - player.in_round  # a newcomer's post is part of it
    if player.stack < more or owed:
        raise Refusal("6.5", f"seat {given.seat} cannot put up {dollars(given.amount)} now")
    _put_up(player, more)
    hand.straddle = given.amount
    hand.straddler = players.index(player)
    out.append(Recorded("straddle", "6.5.1", given.seat, given.amount))


def _refuse_blind(hand: Hand, given: inputs.RefuseBlind, out: list[Output]) -> None:
    """The seat is not dealt in until it has made the blind good; the hand is set up again without it (8.9.3)."""
    if all(due.seat != given.seat for due in hand.dues):
        raise Refusal("8.9.3", f"no blind is due from seat {given.seat}")
    out.append(Recorded("missed blind", "8.9.3", given.seat))
    move(hand, "blind_refused", out, "8.9.3")


def _side_wager(hand: Hand, given: inputs.PlaceSideWager, out: list[Output]) -> None:
    seated = any(player.seat == given.seat for player in hand.betting.players)
    other = not hand.terms.side_both_colours and any(
        wager.seat == given.seat and wager.colour != given.colour for wager in hand.side
    )
    clause, text = side_wager_fault(
        offered=hand.terms.side_wagers, seated=seated, cards_out=hand.dealt > 0, other_colour=other
    )
    if clause:
        raise Refusal(clause, text)
    player = hand.betting.players[index_of(hand, given.seat)]
    owed = sum(due.amount for due in hand.dues if due.seat == given.seat)
    if not 0 < given.amount <= player.stack - owed:
        raise Refusal("6.11.1(a)", f"seat {given.seat} has {dollars(player.stack)}, and {dollars(owed)} of it is due")
    player.stack -= given.amount
    before = [wager for wager in hand.side if (wager.seat, wager.colour) == (given.seat, given.colour)]
    hand.side = [wager for wager in hand.side if wager not in before]
    laid = given.amount + sum(wager.amount for wager in before)  # chips added to a wager are one wager with it
    hand.side.append(SideWager(given.seat, given.colour, laid))
    out.append(Recorded(f"side wager on {given.colour}", "8.15.1", given.seat, given.amount))


def _lift_side_wager(hand: Hand, given: inputs.LiftSideWager, out: list[Output]) -> None:
    """Until the first card a side wager is as much as lies there (8.15.2)."""
    mine = [wager for wager in hand.side if (wager.seat, wager.colour) == (given.seat, given.colour)]
    if hand.dealt:
        raise Refusal("8.15.2", f"the first card is out: the side wager of seat {given.seat} stands; put it back")
    if not mine or not 0 < given.amount <= mine[0].amount:
        raise Refusal("8.15.1", f"seat {given.seat} has no side wager of {dollars(given.amount)} there")
    left = mine[0].amount - given.amount
    hand.side = [wager for wager in hand.side if wager not in mine]
    if left:
        hand.side.append(SideWager(given.seat, given.colour, left))
    hand.betting.players[index_of(hand, given.seat)].stack += given.amount
    out.append(Recorded(f"side wager on {given.colour} taken back", "8.15.2", given.seat, given.amount))


def _shuffled(hand: Hand, given: inputs.Shuffled, out: list[Output]) -> None:
    if hand.phase not in ("posting", "shuffling"):
        raise Refusal("5.1", f"the deck is not to be shuffled while {WHILE[hand.phase]}")
    hand.shuffled = True
    hand.cut = False


def _cut(hand: Hand, given: inputs.Cut, out: list[Output]) -> None:
    if not hand.shuffled:
        raise Refusal("5.2", "the cut follows the shuffle")
    if hand.cut:
        raise Refusal("5.2", "the deck is cut once only")
    hand.cut = True
    if hand.phase == "shuffling":
        move(hand, "cut_done", out)


def _card_to(hand: Hand, given: inputs.CardTo, out: list[Output]) -> None:
    players = hand.betting.players
    if hand.phase == "shuffling":
        propose(hand, "not_shuffled", Facts(shown=(given.card,), seat=given.seat), out)
        return
    if hand.phase != "dealing":
        raise Refusal("8.4", f"no card is due to a seat while {WHILE[hand.phase]}")
    once(hand, (given.card,))
    player = players[hand.dealt % len(players)]
    if player.seat != given.seat:
        facts = Facts(shown=(given.card,), seat=player.seat, correctable=True)
        propose(hand, "out_of_order", facts, out)
        return
    hand.seen.append(given.card)
    player.cards.append(given.card)
    hand.dealt += 1
    rulings.deal_progress(hand, out)


def _exposed(hand: Hand, given: inputs.Exposed, out: list[Output]) -> None:
    if not shown_in_deal_counts(hand):
        raise Refusal("9.7", "a card shown in the deal is put right before two seats have acted")
    if given.card not in hand.betting.players[index_of(hand, given.seat)].cards:
        raise Refusal("9.7", f"that card does not lie at seat {given.seat}")
    hand.exposed.append((given.seat, given.card))
    hand.flashed += 1
    out.append(Recorded("hole card shown by the dealer", "9.7", given.seat))
    if hand.flashed > 1:
        propose(hand, "several_exposed", Facts(seat=given.seat), out)
    elif hand.phase == "bet1":
        rulings.swap_shown_card(hand, out)


def shown_in_deal_counts(hand: Hand) -> bool:
    """Whether a card that the dealer showed in the deal can still be put right: it may be told after the last card."""
    betting = hand.phase == "bet1" and hand.actors.bit_count() < hand.terms.substantial_seats
    return hand.phase == "dealing" or betting


_HANDLERS: dict[type[inputs.Input], Callable[[Hand, Any, list[Output]], None]] = {
    inputs.Post: _post,
    inputs.RefuseBlind: _refuse_blind,
    inputs.PlaceSideWager: _side_wager,
    inputs.LiftSideWager: _lift_side_wager,
    inputs.Shuffled: _shuffled,
    inputs.Cut: _cut,
    inputs.CardTo: _card_to,
    inputs.Exposed: _exposed,
    inputs.Boxed: board.boxed,
    inputs.Burn: board.burn,
    inputs.Board: board.turn_up,
    inputs.Discard: board.discard,
    inputs.Act: play.act,
    inputs.Chips: play.put_chips,
    inputs.SaidLate: play.said_late,
    inputs.TimeUp: play.time_up,
    inputs.BuyTime: play.buy_time,
    inputs.Table: hand_end.table_hand,
    inputs.Muck: hand_end.give_up,
    inputs.AskToSee: hand_end.ask_to_see,
    inputs.Irregular: rulings.irregular,
    inputs.Rule: rulings.rule,
    inputs.StepDone: rulings.step_done,
    inputs.Cancel: rulings.cancel,
    inputs.Pushed: hand_end.push,
    inputs.Dropped: hand_end.drop,
}
_IN_RULING = (inputs.Rule, inputs.StepDone, inputs.Cancel)


def apply(hand: Hand, given: inputs.Input) -> list[Output]:
    """Take one input; a refusal is the only output of an input that changed nothing."""
    out: list[Output] = []
    try:
        if hand.ruling is not None and not isinstance(given, _IN_RULING):
            raise Refusal("9.1.1", f"a ruling is open: {hand.ruling.what.replace('_', ' ')}")
        _HANDLERS[type(given)](hand, given, out)
    except Refusal as refusal:
        return [Refused(refusal.clause, refusal.text, options_now(hand))]
    return out


def options_now(hand: Hand) -> Options | None:
    """What the seat in turn may do, if one is."""
    if hand.phase in ROUND_OF:
        return options(hand.betting, hand.betting.turn)
    return None


class Expected(msgspec.Struct, frozen=True):
    """What has to happen next, by whom, and the clause that asks for it."""

    what: str
    clause: str
    seats: tuple[int, ...] = ()
    amount: int = 0
    options: Options | None = None


def expected(hand: Hand) -> Expected:
    """What the hand waits for."""
    phase = hand.phase
    players = hand.betting.players
    if hand.ruling is not None:
        what = "decision" if not hand.ruling.decided else "step"
        return Expected(what, hand.ruling.remedy.clause, (), hand.ruling.remedy.rank)
    if phase in ROUND_OF:
        turn = hand.betting.turn
        clause = "8.17.1" if hand.betting.round == 1 else "8.18.3(b)"
        return Expected("action", clause, (players[turn].seat,), options=options(hand.betting, turn))
    if phase == "posting":
        if hand.fees_due:
            return Expected("fee", "7.2.4(b)", tuple(hand.fees_due), hand.terms.commission.fee)
        return Expected("blind", "8.9.2(a)", (hand.dues[0].seat,), hand.dues[0].amount)
    if phase == "shuffling":
        return Expected("cut", "5.2") if hand.shuffled else Expected("shuffle", "5.1")
    if phase == "dealing":
        return Expected("card", "8.4", (players[hand.dealt % len(players)].seat,))
    if phase in BOARD_TARGET:
        if not hand.burn_ready:
            return Expected("burn", "1.1 'Burn'")
        clause = {"turn": "8.19.1", "river": "8.20.1"}.get(phase, "8.18.1")
        return Expected("board", clause, (), BOARD_TARGET[phase] - len(hand.board))
    if phase in ("discard1", "discard2"):
        game = hand.terms.game
        seats = tuple(player.seat for player in players if player.live and len(player.cards) == game.hole)
        return Expected("discard", game.discard_clause, seats, 1)
    if phase == "showdown":
        shown = {player.seat for player in players if player.shown}
        order = [seat for seat in show_order(players, hand.betting.called) if seat not in shown]
        return Expected("show", "8.20.4", tuple(order))
    if phase == "award":
        return Expected("push", "1.1 'Round of Play'", tuple(share.seat for share in hand.awards))
    if phase == "drop":
        return Expected("drop", "7.2.1(b)", (), hand.rake)
    return Expected("nothing", "1.1 'Round of Play'")


def save(hand: Hand) -> bytes:
    """The whole hand; hole cards are in it as sealed as they came."""
    return msgspec.json.encode(hand)


def restore(saved: bytes) -> Hand:
    """The hand that was saved."""
    return msgspec.json.decode(saved, type=Hand)


__all__ = ["Expected", "Hand", "Moved", "apply", "expected", "options_now", "restore", "save", "start"]
