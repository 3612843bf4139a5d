"""What our rules answer to the cases about turns, seats, commission and side wagers, in the cases' own terms."""

from __future__ import annotations

from typing import Any

from controller.games.poker import flop_chase, inputs, notices, positions
from controller.games.poker.actions import out_of_time, stake_change_fault
from controller.games.poker.cards import parse_cards
from controller.games.poker.commission import Commission, collect, increment, percentage_due, time_charge
from controller.games.poker.hand import apply, expected
from controller.games.poker.inputs import (
    Act,
    AskToSee,
    Board,
    Burn,
    Cancel,
    CardTo,
    Chips,
    Cut,
    Muck,
    PlaceSideWager,
    Post,
    Rule,
    Shuffled,
    TimeUp,
)
from controller.games.poker.outputs import Award, HeldBack, Prompt, Refused, Returned, SideSettled
from controller.rules.rulebook import load_rulebook
from tests.controller.games.poker.answers_wagers import dollars
from tests.controller.games.poker.dealer import RULES, Dealer, cents, percentage, terms

Case = dict[str, Any]
BOOK = load_rulebook("melbourne-poker")


def level_for(power: str) -> int:
    return BOOK.level(BOOK.powers[power].rank)


# --- out of turn, time -----------------------------------------------------------------------------------------


def _flop_with_three(stacks: dict[int, float], **more: Any) -> Dealer:
    """Seats 1 (A), 2 (B) and 3 (C, the button) see a flop; A is to act."""
    dealer = Dealer(terms(**more), stacks, button=3)
    dealer.deal()
    dealer.act("3 call", "1 call", "2 check")
    dealer.go_on()
    return dealer


def cp_067(inputs: Case, case: Case) -> Case:
    early, skipped = inputs["events"]
    dealer = _flop_with_three({1: 1000, 2: 1000, 3: 1000})
    (held,) = dealer.tell(Act(3, "bet", cents(early["amount"])))
    assert isinstance(held, HeldBack)
    dealer.act(f"1 bet {skipped['amount']}", "2 fold")
    prompt = next(output for output in reversed(dealer.out) if isinstance(output, Prompt))
    may = expected(dealer.hand).options
    assert may is not None
    stack = dealer.stacks()[3]
    dealer.act("3 fold")
    return {
        "C_options": {
            "call_more": dollars(prompt.amount),
            "take_back_and_fold": "take back and fold" in prompt.choices and dealer.stacks()[3] == stack,
            "min_reraise_to": dollars(may.raise_min),
        }
    }


def cp_068(inputs: Case, case: Case) -> Case:
    early, skipped = inputs["events"]
    dealer = _flop_with_three({1: 1000, 2: 1000, 3: early["amount"] + 10})
    dealer.tell(Act(3, "all_in"))
    dealer.act(f"1 bet {skipped['amount']}", "2 fold")
    asked = [output for output in dealer.out if isinstance(output, Prompt)]
    player = dealer.hand.betting.players[2]
    assert player.live
    return {"C": {"all_in": dollars(player.in_hand - cents(10)), "take_back_allowed": bool(asked)}}


def cp_070(inputs: Case, case: Case) -> Case:
    proposals = []
    for row in inputs["rows"]:
        if row.get("seat") == "BB":
            dealer = Dealer(terms(time_to_act_s=30), {1: 500, 2: 500, 3: 500}, button=3)
            dealer.deal()
            dealer.act("3 call", "1 call")
        else:
            dealer = _flop_with_three({1: 500, 2: 500, 3: 500}, time_to_act_s=30)
            if row["facing"]:
                dealer.act(f"1 bet {row['facing']}")
        seat = expected(dealer.hand).seats[0]
        proposed = out_of_time(dealer.hand.betting, dealer.hand.betting.turn)
        prompt = dealer.tell(TimeUp(seat))[-1]
        assert isinstance(prompt, Prompt)
        assert prompt.rank == 1
        proposals.append(prompt.proposal)
        dealer.tell(Rule(proposed, 1))
        assert dealer.hand.betting.players[seat - 1].live == (proposed == "check")
    return {"proposal": proposals, "confirm_by": "dealer"}


def cp_071(inputs: Case, case: Case) -> Case:
    changes = [(row["seat_in_hand"], row.get("add", 0) - row.get("remove", 0)) for row in inputs["rows"]]
    return {"accepted": [not stake_change_fault(in_hand, change) for in_hand, change in changes]}


def cp_136(inputs: Case, case: Case) -> Case:
    dealer = Dealer(terms(blinds=inputs["blinds"]), {1: 500, 2: 500, 3: 500}, button=3)
    dealer.deal()
    dealer.act("3 call", "1 call")
    wanted = expected(dealer.hand)
    assert wanted.options is not None
    words = ["check (call 0)"] if wanted.options.to_call == 0 else []
    words += ["raise"] if wanted.options.raise_max else []
    return {"round_over": wanted.what != "action" or wanted.seats != (2,), "bb_options": [*words, "fold"]}


# --- button, blinds, seats -------------------------------------------------------------------------------------


def _next_hands(inputs: Case, case: Case) -> Case:
    button, small, big = inputs["previous"]
    at = positions.Positions(button, (small, big), (small, big))
    hands = []
    for occupied in inputs["occupied_history"]:
        at = positions.next_positions(at, occupied)
        small, big = at.posts
        hands.append({"button": at.button, "dead_button": at.dead_button, "small": small or None, "big": big})
    return {"hands": hands}


cp_073 = cp_074 = _next_hands


def cp_076(inputs: Case, case: Case) -> Case:
    dealer = Dealer(terms(blinds=inputs["blinds"]), dict.fromkeys(inputs["occupied"], 500), inputs["button"])
    small, big = (due.seat for due in dealer.hand.dues)
    dealer.deal()
    before = expected(dealer.hand).seats[0]
    dealer.act(f"{before} call", f"{big} check")
    dealer.go_on()
    after = expected(dealer.hand).seats[0]
    return {"small": small, "big": big, "first_to_act_preflop": before, "first_to_act_postflop": after}


def cp_077(inputs: Case, case: Case) -> Case:
    gained, dealt = [], []
    for row in inputs["rows"]:
        more = positions.live_seats_gained(row["frm"], row["to"], inputs["live"], row["last_big_blind"])
        gained.append(more)
        flags = positions.SeatFlags(must_post=not positions.move_is_free(more, RULES.seats.free_move_live_seats))
        dealt.append(positions.dealt_in(flags, "other", posted="posts" in row)[0])
    return {"live_seats_gained": gained, "dealt_now": dealt}


def cp_079(inputs: Case, case: Case) -> Case:
    flags = positions.SeatFlags(**dict.fromkeys(inputs["seat_flags"], True))
    dealt = [
        positions.dealt_in(flags, "big_blind" if row.get("blind_due_now") else "other", bool(row.get("posted")))[0]
        for row in inputs["rows"]
    ]
    return {"dealt": dealt}


def cp_080(inputs: Case, case: Case) -> Case:
    minutes = RULES.seats.picked_up_head_minutes
    return {"place": [positions.waiting_list_place(away, minutes) for away in inputs["return_after_s"]]}


def cp_082(inputs: Case, case: Case) -> Case:
    when = {1: "after round 1, before flop", 2: "after round 2, before turn"}
    return {
        "hole": {game.name: game.hole for game in RULES.games},
        "discard": {game.name: when[game.discard_after] for game in RULES.games if game.discard_after},
        "max_cards_needed": {name: RULES.game(name).cards_needed for name in ("Holdem", "Pineapple Holdem", "Omaha")},
    }


# --- commission ------------------------------------------------------------------------------------------------


def cp_083(inputs: Case, case: Case) -> Case:
    rake = percentage_due(percentage(inputs["pct"], inputs["cap"]), cents(inputs["pot"]), cents(inputs["chip"]))
    return {"rake": dollars(rake), "net": dollars(cents(inputs["pot"]) - rake)}


def cp_085(inputs: Case, case: Case) -> Case:
    rate = percentage(inputs["pct"], inputs["cap"])
    taken, steps = 0, []
    for pot in inputs["pot_after_rounds"]:
        more = increment(rate, cents(pot), taken, 100)
        taken += more
        steps.append(dollars(more))
    return {"increments": steps, "total": dollars(taken)}


def cp_086(inputs: Case, case: Case) -> Case:
    """A pot of 80, then a river bet that nobody calls."""
    rate = percentage(inputs["pct"], inputs["cap"])
    dealer = Dealer(terms(rake=rate, blinds=(20, 40)), {1: 500, 2: 500}, button=2)
    dealer.deal()
    dealer.act("1 call", "2 check")
    for _ in range(2):
        dealer.go_on()
        dealer.act("1 check", "2 check")
    dealer.go_on()
    assert dealer.hand.phase == "bet4"
    assert dealer.hand.betting.kept == cents(inputs["called"])
    dealer.act(f"1 bet {inputs['uncalled']}", "2 fold")
    back = next(output for output in dealer.out if isinstance(output, Returned))
    won = dealer.finish()
    return {"rake": dollars(dealer.hand.rake), "returned": dollars(back.amount), "net": dollars(won[1])}


def cp_088(inputs: Case, case: Case) -> Case:
    sign = terms(blinds=inputs["blinds"], rake=percentage(10, 20), straddle=True)
    dealer = Dealer(sign, dict.fromkeys(range(1, 5), 500), button=4)
    dealer.post_blinds()
    dealer.tell(Post(3, cents(inputs["straddle"]), "straddle"), Shuffled(), Cut())
    dealer.go_on()
    dealer.act("4 fold", "1 fold", "2 fold")
    dealer.finish()
    return {"rake": dollars(dealer.hand.rake)}


def cp_089(inputs: Case, case: Case) -> Case:
    sign = terms(blinds=inputs["blinds"], rake=percentage(inputs["pct"], inputs["cap"]))
    dealer = Dealer(sign, dict.fromkeys(range(1, 4), 500), button=3)
    dealer.deal()
    dealer.act("3 raise 40", "1 fold", "2 fold")
    back = next(output for output in dealer.out if isinstance(output, Returned))
    won = dealer.finish()
    rake = dollars(dealer.hand.rake)
    return {"uncalled_returned": dollars(back.amount), "rake": rake, "pot_to_raiser": dollars(won[3])}


def _named(won: dict[int, int]) -> dict[str, int | float]:
    return {str(seat): dollars(won[seat]) for seat in sorted(won)}


def cp_091(inputs: Case, case: Case) -> Case:
    """Seats 1 and 2 put 100 in and tie; seat 9 called 20 before the flop and folded."""
    deck = parse_cards("AsAh" + "2c" + "KsKh" + "3c" + "4d" + "QdJdTd" + "4c" + "2d" + "4h" + "2s")
    sign = terms(rake=percentage(inputs["pct"], inputs["cap"]), blinds=(10, 20))
    dealer = Dealer(sign, {1: 500, 2: 500, 9: 500}, button=9, deck=deck)
    dealer.deal()
    dealer.act("9 call", "1 call", "2 check")
    dealer.go_on()
    dealer.act("1 bet 80", "2 call", "9 fold")
    dealer.check_down()
    won = dealer.finish()
    return {"rake": dollars(dealer.hand.rake), "award": _named(won)}


def cp_092(inputs: Case, case: Case) -> Case:
    """Heads-up: seat 1 has the high hand, seat 2 the low one."""
    rate = percentage(inputs["pct"], inputs["cap"])
    deck = parse_cards("KsAc" + "Kh2c" + "QsJh" + "QhTs" + "9c" + "KdQd3d" + "9d" + "4s" + "9h" + "7c")
    dealer = Dealer(terms(case["game"], rake=rate, blinds=(50, 100)), {1: 500, 2: 500}, button=2, deck=deck)
    dealer.deal()
    dealer.act("1 call", "2 check")
    dealer.check_down()
    won = dealer.finish()
    sides = {output.seat: output.side for output in dealer.out if isinstance(output, Award)}
    assert sides == {1: "high", 2: "low"}
    return {"rake": dollars(dealer.hand.rake), "award": _named(won)}


def cp_094(inputs: Case, case: Case) -> Case:
    rate = percentage(inputs["pct"], inputs["cap"])
    pots = [cents(pot) for pot in inputs["pots"]]
    taken = collect(rate, pots, 100, dealt_in=4, blinds_only=False, all_tied=False).by_pot
    net = [dollars(pot - part) for pot, part in zip(pots, taken, strict=True)]
    return {"rake": [dollars(part) for part in taken], "net": net}


def cp_095(inputs: Case, case: Case) -> Case:
    rate = percentage(inputs["pct"], inputs["cap"])
    return {"rake": dollars(percentage_due(rate, cents(inputs["pot"]), cents(inputs["chip"])))}


def cp_097(inputs: Case, case: Case) -> Case:
    rate = Commission("per_person", fee=cents(inputs["fee"]))
    dealer = Dealer(terms(rake=rate), dict.fromkeys(range(1, inputs["dealt_in"] + 1), 500), button=8)
    dealer.post_blinds()
    blocked = dealer.hand.phase == "posting"
    for seat in list(dealer.hand.fees_due):
        assert expected(dealer.hand).what == "fee"
        dealer.tell(Post(seat, rate.fee, "fee"))
    dealer.tell(Shuffled(), Cut())
    assert expected(dealer.hand).what == "card"
    return {"collected": dollars(dealer.hand.fees), "deal_blocked_until_collected": blocked}


def cp_098(inputs: Case, case: Case) -> Case:
    rate = Commission("time", fee=cents(inputs["hourly"]))
    needed = level_for("check_time_charge")
    return {
        "collected": dollars(time_charge(rate, inputs["seated"])),
        "drop_allowed": [rank >= needed for rank in inputs["verify_by_rank"]],
    }


# --- side wagers -----------------------------------------------------------------------------------------------


def cp_124(inputs: Case, case: Case) -> Case:
    rows = []
    for row in inputs["rows"]:
        wagers = [flop_chase.SideWager(w["seat"], w["colour"], cents(w["amount"])) for w in row["wagers"]]
        settled = flop_chase.settle_side_wagers(wagers, parse_cards(row["flop"]), RULES.flop_chase.odds)
        rows.append([dollars(result.won) for result in settled])
    return {"winnings": rows}


def _with_side_wager(seat: int, colour: Any, amount: float) -> Dealer:
    dealer = Dealer(terms(side_wagers=True), {1: 500, 2: 500, 3: 500}, button=3, seal=False)
    dealer.deck = parse_cards("2s3s4s5s6s7s")
    dealer.post_blinds()
    dealer.tell(PlaceSideWager(seat, colour, cents(amount)), Shuffled(), Cut())
    dealer.go_on()
    dealer.act("3 call", "1 call", "2 check")
    return dealer


def cp_125(inputs: Case, case: Case) -> Case:
    (wager,) = inputs["wagers"]
    dealer = _with_side_wager(wager["seat"], wager["colour"], wager["amount"])
    dealer.tell(Burn("8s"), Board(tuple(parse_cards(inputs["first_flop"]))))
    dealer.decide()
    dealer.tell(Board(tuple(parse_cards(inputs["final_flop"]))))
    dealer.act("1 check")
    settled = [output for output in dealer.out if isinstance(output, SideSettled)]
    on_final = dealer.hand.board == parse_cards(inputs["final_flop"])
    return {
        "winnings": [dollars(result.won) for result in settled],
        "settled_on": "final_flop" if on_final else "first_flop",
    }


def cp_127(inputs: Case, case: Case) -> Case:
    stake = inputs["side_win"] / 7
    dealer = Dealer(
        terms(side_wagers=True, blinds=(5, 10)), {1: 500, 2: 500, 3: inputs["stack"] + 10 + stake}, button=3, seal=False
    )
    dealer.deck = parse_cards("2s3s4s5s6s7s8s2h9dKhTsTdTcQs")
    dealer.post_blinds()
    dealer.tell(PlaceSideWager(3, "red", cents(stake)), Shuffled(), Cut())
    dealer.go_on()
    dealer.act("3 call", "1 call", "2 check")
    dealer.go_on()
    dealer.act(f"1 bet {inputs['facing']}", "2 fold")
    may = expected(dealer.hand).options
    assert may is not None
    most = may.to_call
    dealer.act("3 call")
    dealer.check_down()
    won = dealer.finish()
    gained = dealer.stacks()[3] - won.get(3, 0) - cents(stake)
    return {"max_wager": dollars(most), "stack_after_hand": f"result + {dollars(gained)}"}


def cp_128(inputs: Case, case: Case) -> Case:
    accepted = []
    for row in inputs["rows"]:
        dealer = Dealer(terms(side_wagers=True), {1: 500, 2: 500, 3: 500}, button=3)
        dealer.post_blinds()
        if row["when"] == "after_first_card":
            dealer.tell(Shuffled(), Cut(), CardTo(1, "x"))
        seat = 1 if row.get("seated", True) else 7
        accepted.append(not isinstance(apply(dealer.hand, PlaceSideWager(seat, "red", 500))[0], Refused))
    dealer = _with_side_wager(1, "red", 5)
    dealer.tell(Burn("8s"), Board(("2h", "9d", "Kh")))
    early = [output for output in dealer.out if isinstance(output, SideSettled)]
    dealer.act("1 check")
    late = [output for output in dealer.out if isinstance(output, SideSettled)]
    trigger = "flop final and first action of round 2" if not early and late else "something else"
    return {"accepted": accepted, "settle_trigger": trigger}


# --- the rest of the table -------------------------------------------------------------------------------------


def cp_130(inputs: Case, case: Case) -> Case:
    award = []
    for row in inputs["rows"]:
        # Seat 2 has aces and gives them up; seats 1 and 3 show less, seat 1 the better of the two.
        dealer = Dealer(terms(), {1: 500, 2: 500, 3: 500}, button=3)
        dealer.deck = parse_cards("KsAs3cKhAh4d8sQcJcTd8d6h8h5s")
        dealer.deal()
        dealer.act("3 call", "1 call", "2 check")
        dealer.check_down()
        dealer.show(1)
        dealer.tell(Muck(2))
        dealer.show(3)
        dealer.tell(AskToSee(2, 1 if row["asker"] == "pot_winner" else 3))
        dealer.show_all()
        award.append({2: "shown_hand", 1: "original_winner"}[dealer.hand.awards[0].seat])
    return {"award": award}


def cp_131(request: Case, case: Case) -> Case:
    kinds = {name.lower() for name in vars(inputs)}
    return {"accepted": request["request"] in kinds or "split" in kinds}


def cp_133(inputs: Case, case: Case) -> Case:
    applied = [
        not notices.change_fault(
            row["rank"],
            level_for("change_game"),
            row["hands_since"],
            row["agree"],
            inputs["players"],
            between_hands=row["between_hands"],
            notice_hands=RULES.notices.change_hands,
        )
        for row in inputs["rows"]
    ]
    return {"applied": applied}


def cp_134(inputs: Case, case: Case) -> Case:
    accepted = []
    answer: Case = {}
    for attempt in inputs["attempts"]:
        sign = terms(side_wagers=True, rake=percentage(10, 50), blinds=(10, 20))
        dealer = Dealer(sign, {1: 500, 2: 500}, button=2)
        dealer.post_blinds()
        dealer.tell(PlaceSideWager(1, "red", cents(inputs["side_wagers"]["1"])), Shuffled(), Cut())
        dealer.go_on()
        dealer.act("1 raise 40", "2 call")
        dealer.go_on()
        assert dealer.hand.rake == cents(inputs["provisional_rake"])
        dealer.act("1 bet 60")
        dealer.tell(Chips(2, cents(20)))
        put_in = {str(player.seat): dollars(player.in_hand) for player in dealer.hand.betting.players}
        assert put_in == inputs["contributions"]
        cancel = Cancel("fraud" if attempt["reason"] == "fraud" else "disruption", attempt["rank"])
        if attempt["rank"] < level_for("invalidate_disruption"):
            accepted.append(dealer.refused(cancel).clause != "13.5.1")
            continue
        accepted.append(True)
        back: dict[int, int] = {}
        for output in dealer.tell(cancel):
            if isinstance(output, Returned):
                back[output.seat] = back.get(output.seat, 0) + output.amount
        assert dealer.stacks() == {1: cents(500), 2: cents(500)}
        answer = {"refund": _named(back), "rake": dollars(dealer.hand.rake)}
    return {"accepted": accepted, **answer}
