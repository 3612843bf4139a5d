"""What our rules answer to the cases about hands, pots and wagers, in the cases' own terms (dollars)."""

from __future__ import annotations

from typing import Any

from controller.games.poker import positions
from controller.games.poker.actions import ChipReading, read_chips
from controller.games.poker.betting import Betting, Options, Player, open_round, options
from controller.games.poker.cards import parse_cards
from controller.games.poker.hand import apply, expected
from controller.games.poker.inputs import Chips, Cut, Discard, Post, Shuffled
from controller.games.poker.outputs import Acted, Prompt, Refused
from controller.games.poker.pots import make_pots, share_pot
from controller.games.poker.showdown import read_hand, share_pots
from tests.controller.games.poker.dealer import (
    RULES,
    Dealer,
    bet,
    cents,
    give_up,
    match,
    opened,
    seats_betting,
    structure,
    terms,
)

Case = dict[str, Any]


def dollars(amount: int) -> int | float:
    return amount // 100 if amount % 100 == 0 else amount / 100


# --- reading hands ---------------------------------------------------------------------------------------------


def _winners(inputs: Case, case: Case) -> Case:
    game = RULES.game(case["game"])
    board = parse_cards(inputs["board"])
    read = [read_hand(int(seat), parse_cards(cards), board, game) for seat, cards in inputs["hands"].items()]
    highs = {hand.seat: hand.high for hand in read}
    lows = {hand.seat: hand.low for hand in read} if inputs["hilo"] else {}
    assert (inputs["omaha"], inputs["hilo"]) == (game.omaha, game.hilo)
    shares = share_pot(0, 84_000, highs, lows, 100, sorted(highs), omaha=game.omaha)
    answer = {"high_winners": sorted(str(share.seat) for share in shares if share.side != "low")}
    if inputs["hilo"]:
        answer["low_winners"] = sorted(str(share.seat) for share in shares if share.side == "low")
    return answer


cp_001 = cp_002 = cp_004 = cp_005 = cp_007 = cp_008 = cp_010 = cp_011 = cp_013 = _winners
cp_014 = cp_016 = cp_019 = cp_020 = cp_022 = cp_023 = _winners


def cp_017(inputs: Case, case: Case) -> Case:
    """A whole Pineapple hand: seat 1 is dealt As Ad Kh and gives up the Kh."""
    deck = parse_cards("KcAs" + "QsAd" + "3cKh" + "8c" + inputs["board"][:6] + "8d" + "7h" + "8h" + "2d")
    dealer = Dealer(terms("Pineapple Holdem"), {1: 500, 2: 500}, button=1, deck=deck)
    dealer.deal()
    dealer.act("2 call", "1 check")
    for player in dealer.hand.betting.players:
        dealer.tell(Discard(player.seat, player.cards[-1]))
    dealer.check_down()
    assert dealer.hand.board == parse_cards(inputs["board"])
    return {"high_winners": [str(seat) for seat in dealer.finish()]}


# --- pots ------------------------------------------------------------------------------------------------------


def _award(inputs: Case, case: Case) -> Case:
    game = RULES.game(case["game"])
    chip, seats = cents(inputs["chip"]), inputs["seats"]
    board = parse_cards(inputs["board"])
    read = [read_hand(int(seat), parse_cards(cards), board, game) for seat, cards in inputs["hands"].items()]
    order = positions.clockwise_from(inputs["button"], range(1, seats + 1))
    answer: Case = {}
    if "contributions" in inputs:
        players = [
            Player(int(seat), 0, in_hand=cents(amount), live=seat in inputs["hands"])
            for seat, amount in inputs["contributions"].items()
        ]
        pots = make_pots(players)
        answer["pots"] = [{"amount": dollars(pot.amount), "eligible": pot.seats} for pot in pots]
        shares = share_pots(pots, [pot.amount for pot in pots], read, [], game, chip, order)
    else:
        highs = {hand.seat: hand.high for hand in read}
        lows = {hand.seat: hand.low for hand in read} if inputs.get("hilo") else {}
        shares = share_pot(0, cents(inputs["pot"]), highs, lows, chip, order, omaha=game.omaha)
    award: dict[str, int | float] = {}
    for share in shares:
        award[str(share.seat)] = award.get(str(share.seat), 0) + dollars(share.amount)
    return {**answer, "award": award}


cp_025 = cp_026 = cp_028 = cp_029 = cp_031 = cp_032 = _award

# --- structures ------------------------------------------------------------------------------------------------


def cp_034(inputs: Case, case: Case) -> Case:
    legal = []
    for row in inputs["rows"]:
        betting = opened("fixed", levels=inputs["levels"], betting_round=inputs["round"])
        if row.get("facing"):
            bet(betting, row["facing"])
        total = cents(row.get("try_bet") or row["try_raise_to"])
        may = options(betting, betting.turn)
        legal.append(may.raise_min <= total <= may.raise_max)
    return {"legal": legal}


def cp_035(inputs: Case, case: Case) -> Case:
    betting = opened("fixed", inputs["players_in_round"], level=inputs["level"])
    for total in inputs["wagers"]:
        bet(betting, total)
    may = options(betting, betting.turn)
    words = ["call", *(["raise"] if may.raise_max else []), "fold"]
    return {"raises_made": betting.raises, "raise_allowed": bool(may.raise_max), "options": words}


def cp_037(inputs: Case, case: Case) -> Case:
    betting = opened("fixed", 3, level=inputs["level"])
    betting.turn = 1  # seats 2, 3, 1, 2 wager, and seat 3 is the next to act
    for total in inputs["wagers"]:
        bet(betting, total)
    assert betting.players[betting.turn].seat == 3
    give_up(betting)
    may = options(betting, betting.turn)
    return {"raise_allowed": bool(may.raise_max), "next_raise_to": dollars(may.raise_min)}


def cp_038(inputs: Case, case: Case) -> Case:
    betting = seats_betting(structure("fixed", level=inputs["level"]), 3)
    betting.players[2].stack, betting.players[2].all_in = 0, 1
    open_round(betting, inputs["round"])
    for total in inputs["wagers"]:
        bet(betting, total)
    may = options(betting, betting.turn)
    return {"raise_allowed": bool(may.raise_max), "next_raise_to": dollars(may.raise_min)}


def _straddled(inputs: Case) -> Dealer:
    sign = terms(kind="fixed", blinds=inputs["blinds"], level=inputs["level"], straddle=True)
    dealer = Dealer(sign, dict.fromkeys(range(1, inputs["players_in_round"] + 1), 500), button=6)
    dealer.post_blinds()
    dealer.tell(Post(3, cents(inputs["straddle"]), "straddle"), Shuffled(), Cut())
    dealer.go_on()
    return dealer


def cp_040(inputs: Case, case: Case) -> Case:
    dealer = _straddled(inputs)
    for seat, total in zip((4, 5, 6), inputs["wagers"], strict=True):
        dealer.act(f"{seat} raise {total}")
    may = expected(dealer.hand).options
    assert may is not None
    quiet = _straddled(inputs)
    last = 0
    while expected(quiet.hand).what == "action":
        last = expected(quiet.hand).seats[0]
        quiet.act(f"{last} call")
    return {
        "raises_made": dealer.hand.betting.raises,
        "raise_allowed": bool(may.raise_max),
        "last_act_before_flop": "straddler" if last == 3 else str(last),
    }


def cp_041(inputs: Case, case: Case) -> Case:
    seats = {"UTG": 3, "UTG+1": 4}
    accepted = []
    for row in inputs["rows"]:
        dealer = Dealer(
            terms(blinds=inputs["blinds"], straddle=True, over_blinds=inputs["over_blinds_permitted"]),
            dict.fromkeys(range(1, 7), 500),
            button=6,
        )
        dealer.post_blinds()
        if "after" in row:
            dealer.tell(Post(3, cents(20), "straddle"))
        answer = apply(dealer.hand, Post(seats[row["seat"]], cents(row["amount"]), "straddle"))
        accepted.append(not isinstance(answer[0], Refused))
    return {"accepted": accepted}


def _facing_a_bet(inputs: Case) -> Options:
    betting = opened(inputs["structure"], pot=inputs["pot_before_bet"])
    bet(betting, inputs["bet"])
    return options(betting, betting.turn)


def cp_043(inputs: Case, case: Case) -> Case:
    may = _facing_a_bet(inputs)
    return {"max_total": dollars(may.raise_max), "min_total": dollars(may.raise_min)}


def cp_044(inputs: Case, case: Case) -> Case:
    opening = opened("half_pot", pot=inputs["pot_before_bet"])
    may = _facing_a_bet(inputs)
    return {
        "max_open": dollars(options(opening, opening.turn).raise_max),
        "max_total": dollars(may.raise_max),
        "min_total": dollars(may.raise_min),
    }


def cp_046(inputs: Case, case: Case) -> Case:
    betting = opened("no_limit")
    for total in inputs["wagers"]:
        bet(betting, total)
    may = options(betting, betting.turn)
    player = betting.players[betting.turn]
    top = "stack" if may.raise_max == player.stack + player.in_round else may.raise_max
    return {"min_total": dollars(may.raise_min), "max": top}


def cp_140(inputs: Case, case: Case) -> Case:
    betting = opened("half_pot", pot=inputs["pot"], chip=inputs["chip"], minimum=5)
    return {"max_open": dollars(options(betting, betting.turn).raise_max)}


def cp_142(inputs: Case, case: Case) -> Case:
    legal = []
    for row in inputs["rows"]:
        limits = structure("no_limit", minimum=inputs["table_minimum"])
        betting = seats_betting(limits, 3, stacks=[row["stack"], 500, 500])
        open_round(betting, inputs["round"])
        may = options(betting, betting.turn)
        legal.append(may.raise_min <= cents(row["bet"]) <= may.raise_max)
    return {"legal": legal}


# --- going all-in ----------------------------------------------------------------------------------------------


def cp_047(inputs: Case, case: Case) -> Case:
    betting = seats_betting(structure("fixed", level=inputs["level"]), 3, stacks=[inputs["all_in"], 500, 500])
    open_round(betting, inputs["round"])
    bet(betting, inputs["all_in"])
    may = options(betting, betting.turn)
    return {"later_seat_options": {"call": dollars(may.to_call), "raise_to": dollars(may.raise_min)}}


def _bet_then_all_in(inputs: Case, kind: str = "fixed") -> Betting:
    """Seat 1 bets, seat 2 goes all-in, seats 3 and 4 are still to act."""
    level = inputs.get("level", inputs["bet"])
    betting = seats_betting(structure(kind, level=level), 4, stacks=[500, inputs["all_in_total"], 500, 500])
    open_round(betting, 3)
    bet(betting, inputs["bet"])
    bet(betting, inputs["all_in_total"])
    return betting


def _back_to_seat_1(betting: Betting) -> Options:
    give_up(betting)
    may = options(betting, betting.turn)
    assert may.seat == 1
    return may


def cp_049(inputs: Case, case: Case) -> Case:
    betting = _bet_then_all_in(inputs)
    bet(betting, inputs["completed_to"])
    may = _back_to_seat_1(betting)
    return {"earlier_seat_options": {"call_more": dollars(may.to_call), "raise_to": dollars(may.raise_min)}}


def cp_050(inputs: Case, case: Case) -> Case:
    betting = _bet_then_all_in(inputs)
    later = options(betting, betting.turn)
    match(betting)
    earlier = _back_to_seat_1(betting)
    return {
        "later_seat_options": {"call": dollars(later.to_call), "raise_to": dollars(later.raise_min)},
        "earlier_seat_options": {"call_more": dollars(earlier.to_call), "raise_to": dollars(earlier.raise_min)},
    }


def cp_052(inputs: Case, case: Case) -> Case:
    betting = _bet_then_all_in(inputs, "no_limit")
    match(betting)
    may = _back_to_seat_1(betting)
    assert may.no_raise == "6.16.3"
    return {"bettor_options": {"call_more": dollars(may.to_call), "raise_allowed": bool(may.raise_max)}}


def cp_053(inputs: Case, case: Case) -> Case:
    betting = _bet_then_all_in(inputs, "no_limit")
    may = options(betting, betting.turn)
    bet(betting, dollars(may.raise_min))
    after = _back_to_seat_1(betting)
    return {"third_seat_min_raise_to": dollars(may.raise_min), "bettor_may_raise_after": bool(after.raise_max)}


def cp_065(inputs: Case, case: Case) -> Case:
    dealer = Dealer(terms(), {1: 1000, 2: inputs["stack"] + 10, 3: 1000}, button=3)
    dealer.deal()
    dealer.act("3 call", "1 call", "2 check")
    dealer.go_on()
    dealer.act(f"1 bet {inputs['to_call']}")
    acted = dealer.tell(Chips(2, cents(inputs["stack"])))[0]
    assert isinstance(acted, Acted)
    dealer.act("3 call")
    dealer.go_on()
    later = []
    while expected(dealer.hand).what == "action":
        later.append(expected(dealer.hand).seats[0])
        dealer.act(f"{later[-1]} check")
        dealer.go_on()
    main = make_pots(dealer.hand.betting.players)[0]
    return {
        "ruling": acted.kind,
        "total": dollars(acted.total),
        "eligible_from_each_opponent": dollars(main.amount // 3 - cents(10)),
        "acts_later": 2 in later,
    }


# --- silent chips ----------------------------------------------------------------------------------------------


def _silent(reading: ChipReading, back: str) -> Case:
    answer: Case = {"ruling": reading.verdict, "total": dollars(reading.total)}
    if reading.returned:
        answer[back] = dollars(reading.returned)
    return answer


def _rows_put_in(inputs: Case, case: Case) -> Case:
    rows = []
    for row in inputs["rows"]:
        betting = opened(inputs["structure"], 4)
        for total in inputs.get("wagers") or [inputs["bet"]]:
            bet(betting, total)
        rows.append(_silent(read_chips(betting, betting.turn, cents(row["put_in"]), single=False), "returned"))
    return {"rows": rows}


cp_055 = cp_056 = _rows_put_in


def _one_chip(inputs: Case, betting: Betting) -> Case:
    (chip,) = inputs["chips"]
    announced: Any = inputs.get("announced") or ""
    return _silent(read_chips(betting, betting.turn, cents(chip), single=True, announced=announced), "change")


def cp_058(inputs: Case, case: Case) -> Case:
    betting = opened("fixed", level=inputs["level"])
    bet(betting, inputs["bet"])
    return _one_chip(inputs, betting)


def cp_059(inputs: Case, case: Case) -> Case:
    return _one_chip(inputs, seats_betting(structure("no_limit", minimum=2), 3, first=inputs["to_call"]))


def cp_061(inputs: Case, case: Case) -> Case:
    return _one_chip(inputs, opened("pot", pot=inputs["pot"], betting_round=inputs["round"]))


def cp_062(inputs: Case, case: Case) -> Case:
    betting = opened("no_limit", betting_round=inputs["round"])
    bet(betting, inputs["to_call"])
    return _one_chip(inputs, betting)


def cp_139(inputs: Case, case: Case) -> Case:
    rows = []
    for row in inputs["rows"]:
        if row["structure"] == "fixed":
            betting = opened("fixed", level=row["level"], betting_round=inputs["round"])
        else:
            betting = opened("spread", minimum=row["min"], maximum=row["max"], betting_round=inputs["round"])
        rows.append(_one_chip(row, betting))
    return {"rows": rows}


def cp_064(inputs: Case, case: Case) -> Case:
    """Through a hand: the chips are in and stay in, whatever follows."""
    dealer = Dealer(terms(), {1: 1000, 2: inputs["stack_left"] + inputs["put_in"] + 10, 3: 1000}, button=3)
    dealer.deal()
    dealer.act("3 call", "1 call", "2 check")
    dealer.go_on()
    dealer.act(f"1 bet {inputs['to_call']}")
    (prompt,) = dealer.tell(Chips(2, cents(inputs["put_in"])))
    assert isinstance(prompt, Prompt)
    assert prompt.clause == "6.17"
    dealer.act("2 fold")
    lost = dealer.hand.betting.players[1].in_hand == cents(inputs["put_in"] + 10)
    words = [choice.rpartition(" ") for choice in prompt.choices]
    return {"prompt": [f"{said} {dollars(int(amount))}" for said, _, amount in words], "take_back_allowed": not lost}
