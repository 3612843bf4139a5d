"""The betting rounds: who acts, what it does, what waits for its turn, and what follows when a round is over."""

from __future__ import annotations

from typing import cast

from controller.games.poker.actions import (
    Announced,
    ChipReading,
    Held,
    extension_fault,
    out_of_time,
    read_chips,
    resolve_held,
)
from controller.games.poker.betting import (
    Betting,
    call,
    close_round,
    fold,
    next_turn,
    open_first_round,
    open_round,
    options,
    wager,
)
from controller.games.poker.commission import increment
from controller.games.poker.hand_end import read_when_done, return_uncalled, settle_side
from controller.games.poker.inputs import Act, ActKind, BuyTime, Chips, SaidLate, TimeUp
from controller.games.poker.outputs import Acted, HeldBack, Instruct, Output, Prompt, RakeSetAside, Recorded
from controller.games.poker.remedies import DEALER, Facts, Remedy, Step
from controller.games.poker.round import ROUND_OF, WHILE
from controller.games.poker.state import Hand, OpenRuling, Placed, Refusal, index_of, move, one_left
from controller.money.amounts import dollars

CLAUSE = {"fold": "8.2.3", "check": "8.2.4", "call": "8.2.1", "bet": "8.18.3(b)", "raise": "8.2.2"}


def deal_if_cut(hand: Hand, out: list[Output]) -> None:
    """The cards may go out once the deck is cut."""
    if hand.cut:
        move(hand, "cut_done", out)


def begin_betting(hand: Hand, out: list[Output]) -> None:
    """Open the betting round of the state the hand is in."""
    hand.street_actors = 0
    hand.placed = None
    hand.held = []
    number = ROUND_OF[hand.phase]
    if number == 1:
        blind = hand.terms.blinds[-1]
        last = hand.straddler if hand.straddle else hand.last_blind_index
        open_first_round(hand.betting, blind, last, hand.straddle)
    else:
        open_round(hand.betting, number)
        if hand.betting.turn < 0:
            settle_side(hand, out)  # no action will follow (P-A31)
    if hand.betting.turn < 0:
        move(hand, "round_done", out)


def act(hand: Hand, given: Act, out: list[Output]) -> None:
    """An action in words or by key; out of turn it is held or, for a fold, stands."""
    betting = hand.betting
    if hand.phase not in ROUND_OF:
        raise Refusal("1.1 'Action'", f"nobody is to act while {WHILE[hand.phase]}")
    turn = betting.turn
    player = betting.players[turn]
    if player.seat != given.seat:
        _out_of_turn(hand, given, out)
        return
    kind = given.kind
    if kind == "fold":
        fold(betting, turn)
        hand.muck += player.cards
        out.append(Acted(given.seat, "fold", player.in_round, 0, 0, False, "8.2.3"))
    elif kind == "call" or kind == "check":
        if kind == "check" and betting.high > player.in_round:
            raise Refusal("1.1 'Check'", f"seat {given.seat} faces a wager: call, raise or fold")
        added = call(betting, turn)
        all_in = player.all_in > 0
        clause = "6.16.1" if all_in else CLAUSE[kind]
        out.append(Acted(given.seat, kind, player.in_round, added, 0, all_in, clause))
    else:
        _wager_in_turn(hand, given, out)
    acted(hand, turn, out)


def _wager_in_turn(hand: Hand, given: Act, out: list[Output]) -> None:
    betting = hand.betting
    turn = betting.turn
    player = betting.players[turn]
    may = options(betting, turn)
    total = player.in_round + player.stack if given.kind == "all_in" else given.amount
    if given.kind == "all_in" and (total <= betting.high or not may.raise_max):
        # Who has more than anybody can still lose to them, or may not raise, wagers what chips would: the call.
        word, clause = ("call" if betting.high > player.in_round else "check"), may.no_raise or "6.16.1"
        added = call(betting, turn)
        out.append(Acted(given.seat, word, player.in_round, added, 0, player.all_in > 0, clause))
        return
    if given.kind == "all_in":
        total = min(total, may.raise_max)
    if not may.raise_max:
        raise Refusal(may.no_raise, f"seat {given.seat} may not raise now: call {dollars(may.to_call)}, check or fold")
    if not may.raise_min <= total <= may.raise_max:
        text = f"a total of {dollars(total)} is not legal: {dollars(may.raise_min)} to {dollars(may.raise_max)} is"
        raise Refusal("[6.6]", text)
    if total % betting.structure.chip and total != player.in_round + player.stack:
        raise Refusal("8.5", f"{dollars(total)} cannot be made of the chips in play")
    word = "bet" if may.opening else "raise"
    before = player.in_round
    wager(betting, turn, total)
    all_in = player.all_in > 0
    out.append(Acted(given.seat, word, total, total - before, 0, all_in, "6.16.1" if all_in else CLAUSE[word]))


def put_chips(hand: Hand, given: Chips, out: list[Output]) -> None:
    """Chips without a full announcement are ruled on; out of turn they are held."""
    betting = hand.betting
    if hand.phase not in ROUND_OF:
        raise Refusal("1.1 'Action'", f"nobody is to act while {WHILE[hand.phase]}; return the chips")
    index = index_of(hand, given.seat)
    player = betting.players[index]
    if not 0 < given.amount <= player.stack:
        raise Refusal("1.1 'Table stakes'", f"seat {given.seat} has {dollars(player.stack)} on the table")
    if index != betting.turn:
        if hand.placed is not None and hand.placed.index == index and player.live:
            _one_placement(hand, given, out) if given.same else _string_bet(hand, given, out)
        else:
            kind: ActKind = "call" if given.announced == "call" else "raise"
            _out_of_turn(hand, Act(given.seat, kind, player.in_round + given.amount), out, given)
        return
    reading = read_chips(betting, index, given.amount, single=given.single, announced=given.announced)
    if reading.verdict == "complete_or_fold":
        # The chips stay whatever the player now does (6.17).
        player.stack -= given.amount
        player.in_round += given.amount
        player.in_hand += given.amount
        player.closed = "6.17"
        hand.placed = None
        choices = (f"add {reading.add}", f"fold and leave {given.amount}")
        out.append(Prompt("short call", "6.17", DEALER, "add", choices, given.seat, reading.add))
        return
    before = _as_it_stands(betting, index, given)
    _take_reading(hand, index, reading, out)
    acted(hand, index, out, before)


def _as_it_stands(betting: Betting, index: int, given: Chips) -> Placed:
    player = betting.players[index]
    return Placed(
        index, given.amount, player.in_round, player.may_raise, betting.high, betting.full, betting.last_raise,
        betting.raises, betting.aggressor, given.single, given.announced,
    )  # fmt: skip


def said_late(hand: Hand, given: SaidLate, out: list[Output]) -> None:
    """Something is told of chips that have been ruled on: the dealer knows whether it was said with them (6.14.2)."""
    if hand.phase not in ROUND_OF:
        raise Refusal("6.18", f"nobody is to act while {WHILE[hand.phase]}: what is said now binds nobody")
    placed = hand.placed
    if placed is None or hand.betting.players[placed.index].seat != given.seat:
        raise Refusal("6.18", f"seat {given.seat} has acted, and play has gone on: what is said now binds nobody")
    choices = ("too_late", "with_the_chips")
    facts = Facts(seat=given.seat, said=given.what)
    ruling = OpenRuling("late_announcement", Remedy("ask", "6.14.2", otherwise=choices), facts)
    asked = Prompt("late_announcement", "6.14.2", DEALER, "too_late", choices, given.seat, placed.amount)
    move(hand, "irregularity", out, ruling, asked)


def rule_again(hand: Hand, said: Announced, out: list[Output]) -> None:
    """It was said with the chips: take what they were ruled to be back, and rule on them again (6.14.2)."""
    before = _take_placement_back(hand)
    reading = read_chips(hand.betting, before.index, before.amount, single=before.single, announced=said)
    _take_reading(hand, before.index, reading, out)
    acted(hand, before.index, out)


def _string_bet(hand: Hand, given: Chips, out: list[Output]) -> None:
    """Chips added after the first placement has come to rest: the dealer is asked what was announced (P-A10)."""
    choices = ("return_chips", "one_wager")
    facts = Facts(seat=given.seat, amount=given.amount)
    ruling = OpenRuling("string_bet", Remedy("ask", "6.12", otherwise=choices), facts)
    asked = Prompt("string_bet", "6.12", DEALER, "return_chips", choices, given.seat, given.amount)
    move(hand, "irregularity", out, ruling, asked)


def _one_placement(hand: Hand, given: Chips, out: list[Output]) -> None:
    """Chips of a placement that were read a moment after it was ruled on: all of it is ruled on anew (P-A10)."""
    assert hand.placed is not None
    in_round = hand.betting.players[hand.placed.index].in_round
    before = _take_placement_back(hand)
    amount = in_round - before.in_round + given.amount
    put_chips(hand, Chips(given.seat, amount, announced=cast(Announced, before.announced)), out)


def one_wager(hand: Hand, added: int, out: list[Output]) -> None:
    """The chips were announced as one wager: take the first placement back, and rule on both together (6.12)."""
    assert hand.placed is not None
    in_round = hand.betting.players[hand.placed.index].in_round
    before = _take_placement_back(hand)
    chips = in_round - before.in_round + added
    reading = read_chips(hand.betting, before.index, chips, single=False, announced="raise")
    _take_reading(hand, before.index, reading, out)
    acted(hand, before.index, out)


def _take_placement_back(hand: Hand) -> Placed:
    """The betting as it stood before the last chips in turn."""
    before, betting = hand.placed, hand.betting
    assert before is not None
    player = betting.players[before.index]
    taken_back = player.in_round - before.in_round
    player.stack += taken_back
    player.in_hand -= taken_back
    player.in_round = before.in_round
    player.may_raise = before.may_raise
    if player.all_in == betting.round:
        player.all_in = 0
    if betting.wagers and betting.wagers[-1][0] == before.index and betting.high != before.high:
        betting.wagers.pop()
    betting.high, betting.full, betting.last_raise = before.high, before.full, before.last_raise
    betting.raises, betting.aggressor, betting.turn = before.raises, before.aggressor, before.index
    return before


def _take_reading(hand: Hand, index: int, reading: ChipReading, out: list[Output]) -> None:
    betting = hand.betting
    player = betting.players[index]
    before = player.in_round
    kind = reading.verdict
    if kind in ("check", "call", "all_in_call"):
        call(betting, index)
    else:
        wager(betting, index, reading.total)
    if reading.add:
        out.append(Prompt("complete the wager", reading.clause, DEALER, "add", (), player.seat, reading.add))
    added = player.in_round - before
    out.append(Acted(player.seat, kind, player.in_round, added, reading.returned, player.all_in > 0, reading.clause))


def _out_of_turn(hand: Hand, given: Act, out: list[Output], chips: Chips | None = None) -> None:
    betting = hand.betting
    index = index_of(hand, given.seat)
    player = betting.players[index]
    if not player.live or player.all_in:
        raise Refusal("6.16.1", f"seat {given.seat} takes no further part in the betting")
    if not player.owes:
        raise Refusal("1.1 'Action'", f"seat {given.seat} has acted; seat {betting.players[betting.turn].seat} is next")
    if given.kind == "fold":
        fold(betting, index)  # cards that reached the muck stay there (P-A11)
        hand.muck += player.cards
        out.append(Acted(given.seat, "fold", player.in_round, 0, 0, False, "6.18"))
        _note_actor(hand, index)
        _go_on(hand, out)
        return
    if any(held.seat == given.seat for held in hand.held):
        raise Refusal("6.18", f"an earlier action of seat {given.seat} already waits for its turn")
    if given.kind == "check":
        player.closed = "6.18.3"
        hand.held.append(Held(given.seat, "check"))
        out.append(HeldBack(given.seat, "check", 0, "6.18.3"))
        return
    amount = given.amount - player.in_round
    if given.kind == "call":
        amount = min(betting.high - player.in_round, player.stack)
    elif given.kind == "all_in":
        amount = player.stack
    if not 0 <= amount <= player.stack:
        raise Refusal("1.1 'Table stakes'", f"seat {given.seat} has {dollars(player.stack)} on the table")
    hand.held.append(_held_as(given, chips, amount, betting.high))
    said = "chips" if hand.held[-1].kind == "chips" else given.kind
    out.append(HeldBack(given.seat, said, amount, "6.18.1"))


def _held_as(given: Act, chips: Chips | None, amount: int, high: int) -> Held:
    """Nothing but what was said makes early chips a raise, as in turn (6.12, 6.18.1)."""
    if chips is not None and not chips.announced:
        return Held(given.seat, "chips", amount, chips.single, high)
    return Held(given.seat, "call" if given.kind == "call" else "raise", amount, bool(chips and chips.single), high)


def acted(hand: Hand, index: int, out: list[Output], placed: Placed | None = None) -> None:
    """Note who acted, settle the side wagers once the flop has seen action, and pass the turn."""
    hand.placed = placed
    _note_actor(hand, index)
    if hand.betting.round == 2:
        settle_side(hand, out)
    seat = hand.betting.players[index].seat
    hand.held = [held for held in hand.held if held.seat != seat]
    _pass_turn(hand, out)


def _note_actor(hand: Hand, index: int) -> None:
    """This seat has acted in the hand and on the street (1.1 'Substantial action')."""
    bit = 1 << index
    hand.actors |= bit
    hand.street_actors |= bit


def _go_on(hand: Hand, out: list[Output]) -> None:
    """Somebody's hand is out: whoever is in turn keeps the turn, unless it was that hand's."""
    hand.betting.turn -= 1
    _pass_turn(hand, out)


def _pass_turn(hand: Hand, out: list[Output]) -> None:
    betting = hand.betting
    while (turn := next_turn(betting)) >= 0:
        betting.turn = turn
        seat = betting.players[turn].seat
        held = next((held for held in hand.held if held.seat == seat), None)
        if held is None:
            return
        resolved = resolve_held(betting, turn, held)
        if resolved.reading is None:
            choices = ("call", "take back and fold", "raise") if resolved.take_back else ("call", "fold")
            add = betting.high - betting.players[turn].in_round - held.amount
            out.append(Prompt("early action overtaken", resolved.clause, DEALER, "ask", choices, seat, add))
            return
        hand.held.remove(held)
        hand.placed = None
        _take_reading(hand, turn, resolved.reading, out)
        _note_actor(hand, turn)
    move(hand, "round_done", out)


def bring_in_wagers(hand: Hand, out: list[Output]) -> None:
    """A round is over: what nobody called goes back, the rest comes in, and commission is set aside."""
    betting = hand.betting
    return_uncalled(hand, out)
    close_round(betting)
    if not one_left(hand):
        more = increment(hand.terms.commission, betting.kept, hand.rake, betting.structure.chip)
        if more:
            hand.rake += more
            out.append(RakeSetAside(more, hand.rake, "7.2.1(a)"))


def put_back_aside(hand: Hand, out: list[Output]) -> None:
    """The card set aside in a premature turn goes back before the river, and no burn is taken (9.12.3)."""
    step = Step("shuffle_in_aside", tuple(hand.aside))
    cure = Remedy("set_aside", "9.12.3", steps=(step,))
    ruling = OpenRuling("premature_turn", cure, decided="set_aside", steps=[step])
    move(hand, "irregularity", out, ruling, Instruct(step, "9.12.3"))


def time_up(hand: Hand, given: TimeUp, out: list[Output]) -> None:
    """The time to act is over: propose a dead hand or a check, the dealer confirms (6.15)."""
    if hand.phase not in ROUND_OF:
        raise Refusal("6.15", "nobody is to act")
    turn = hand.betting.turn
    if hand.betting.players[turn].seat != given.seat:
        raise Refusal("6.15", f"seat {given.seat} is not in turn")
    if not hand.terms.time_to_act_s:
        raise Refusal("6.15", "this game has no time to act on its sign")
    proposal = out_of_time(hand.betting, turn)
    choices = (proposal, "more_time")
    ruling = OpenRuling("time_up", Remedy("ask", "6.15", otherwise=choices))
    asked = Prompt("time to act is over", "6.15", DEALER, proposal, choices, given.seat)
    move(hand, "irregularity", out, ruling, asked)


def buy_time(hand: Hand, given: BuyTime, out: list[Output]) -> None:
    """The seat in turn buys time at the sign's fee, as often as the sign allows (6.15.1, 6.15.2)."""
    terms = hand.terms
    if hand.phase not in ROUND_OF or hand.betting.players[hand.betting.turn].seat != given.seat:
        raise Refusal("6.15.1", f"seat {given.seat} is not in turn")
    player = hand.betting.players[hand.betting.turn]
    if extension_fault(player.time_bought, terms.extensions):
        raise Refusal("6.15.2", f"the sign allows {terms.extensions or 'no'} purchases of time a hand")
    if player.stack <= terms.extension_fee:
        raise Refusal("6.15.2", f"seat {given.seat} cannot pay {dollars(terms.extension_fee)} and stay in the betting")
    player.time_bought += 1
    player.stack -= terms.extension_fee
    hand.fees += terms.extension_fee
    out.append(Recorded("time to act bought", "6.15.1", given.seat, terms.extension_fee))


def discards_when_done(hand: Hand, out: list[Output]) -> None:
    """Go on to the next street once every live hand has given up its card (9.15.1)."""
    kept = hand.terms.game.kept
    if all(len(player.cards) == kept for player in hand.betting.players if player.live):
        move(hand, "discards_done", out)


def hand_is_out(hand: Hand, index: int, why: str, clause: str, out: list[Output]) -> None:
    """A hand was declared dead or void by a ruling; go on without it."""
    player = hand.betting.players[index]
    fold(hand.betting, index, why)
    hand.muck += player.cards
    hand.hands = [read for read in hand.hands if read.seat != player.seat]
    hand.held = [held for held in hand.held if held.seat != player.seat]
    out.append(Recorded(f"hand {why}", clause, player.seat))
    if hand.phase in ROUND_OF:
        _go_on(hand, out)
    elif hand.phase == "showdown":
        read_when_done(hand, out)
    elif one_left(hand):
        move(hand, "left_alone", out)
    elif hand.phase in ("discard1", "discard2"):
        discards_when_done(hand, out)
