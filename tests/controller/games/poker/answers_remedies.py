"""What our rules answer to the cases about misdeals and board irregularities, in the cases' own terms."""

from __future__ import annotations

from typing import Any

from controller.games.poker.cards import parse_cards
from controller.games.poker.hand import expected
from controller.games.poker.inputs import (
    Board,
    Boxed,
    Burn,
    CardTo,
    Cut,
    Discard,
    Exposed,
    Irregular,
    Muck,
    Rule,
    Shuffled,
    StepDone,
)
from controller.games.poker.outputs import Returned
from controller.games.poker.remedies import Facts, Remedy, deck_is_defective, remedy
from tests.controller.games.poker.answers_wagers import dollars
from tests.controller.games.poker.dealer import RULES, Dealer, cents, percentage, terms

Case = dict[str, Any]


def _three_handed(deck: list[str]) -> Dealer:
    """Seats 1 (small blind), 2 (big blind) and 3 (button), cards in the open so that the test can follow them."""
    return Dealer(terms(), {1: 500, 2: 500, 3: 500}, button=3, deck=deck, seal=False)


def _ready_to_deal(deck: list[str]) -> Dealer:
    dealer = _three_handed(deck)
    dealer.post_blinds()
    dealer.tell(Shuffled(), Cut())
    return dealer


def _named(dealer: Dealer) -> dict[str, list[str]]:
    names = {1: "SB", 2: "BB", 3: "BTN"}
    return {names[player.seat]: list(player.cards) for player in dealer.hand.betting.players}


def _proposed(dealer: Dealer) -> Remedy:
    assert dealer.hand.ruling is not None
    return dealer.hand.ruling.remedy


def cp_100(inputs: Case, case: Case) -> Case:
    dealer = _ready_to_deal(inputs["deck"])
    for seat in (1, 2):
        dealer.tell(CardTo(seat, dealer.draw()))
    dealer.tell(Exposed(2, inputs["exposed"]))
    dealer.go_on()
    dealer.decide()
    hands = _named(dealer)
    dealer.act("3 call", "1 call", "2 check")
    dealer.go_on()
    return {"hands": hands, "first_burn": dealer.hand.burns[0], "flop": dealer.hand.board}


def cp_101(inputs: Case, case: Case) -> Case:
    dealer = _ready_to_deal([])
    for seat in (1, 2, 3)[: inputs["exposed_by_dealer"]]:
        card = dealer.draw()
        dealer.tell(CardTo(seat, card), Exposed(seat, card))
    ruling = _proposed(dealer).ruling
    dealer.decide()
    assert dealer.hand.phase == "shuffling"
    assert dealer.hand.betting.players[0].in_round == cents(5), "the blinds stay up"
    return {"ruling": ruling}


def _dealt_nine() -> Dealer:
    dealer = Dealer(terms(), dict.fromkeys(range(1, 10), 500), button=9)
    dealer.deal()
    return dealer


def cp_103(inputs: Case, case: Case) -> Case:
    dealer = _dealt_nine()
    dealer.act(*inputs["actions"])
    dealer.tell(Irregular("wrong_count", inputs["seat"], correctable=True))
    ruling = _proposed(dealer).ruling
    dealer.decide()
    assert dealer.stacks()[3] == cents(500), "the one call goes back"
    return {"ruling": ruling}


def cp_104(inputs: Case, case: Case) -> Case:
    """The last seat missed its last card; the top of the stub is the card it should have had."""
    dealer = _dealt_nine()
    dealer.hand.betting.players[-1].cards.pop()
    dealer.tell(Irregular("wrong_count", inputs["seat"], correctable=inputs["correctable"]))
    cure = _proposed(dealer)
    dealer.decide()
    assert len(dealer.hand.betting.players[-1].cards) == 2
    assert dealer.hand.phase == "bet1"
    return {"ruling": cure.ruling, "give": {"give_top_card": "top stub card"}[cure.steps[0].kind]}


def cp_106(inputs: Case, case: Case) -> Case:
    dealer = _dealt_nine()
    dealer.act("3 call", f"4 raise {inputs['wagered']}")
    dealer.tell(Irregular("wrong_count", inputs["seat"]))
    ruling = _proposed(dealer).ruling
    dealer.decide()
    player = next(player for player in dealer.hand.betting.players if player.seat == inputs["seat"])
    assert not player.live
    assert player.in_hand == cents(inputs["wagered"])
    return {"ruling": ruling, "refund": dollars(player.stack - cents(500 - inputs["wagered"]))}


def cp_107(inputs: Case, case: Case) -> Case:
    """Seat 3 folds after 10, seat 1 gives up at the showdown, and seat 2 is found with three cards."""
    dealer = Dealer(terms(rake=percentage(5, 5)), {1: 500, 2: 500, 3: 500}, button=3)
    dealer.deal()
    dealer.act("3 call", "1 call", "2 check")
    dealer.go_on()
    dealer.act("1 bet 40", "2 call", "3 fold")
    dealer.check_down()
    dealer.tell(Muck(1))
    assert dealer.hand.rake == cents(inputs["provisional_rake"])
    dealer.tell(Irregular("survivor_wrong_count", int(inputs["survivor"])))
    ruling = _proposed(dealer).ruling
    dealer.decide()
    back = {str(output.seat): dollars(output.amount) for output in dealer.out if isinstance(output, Returned)}
    assert dealer.hand.phase == "between_hands"
    assert set(dealer.stacks().values()) == {cents(500)}
    return {"ruling": ruling, "refund": back, "rake": dollars(dealer.hand.rake)}


def cp_109(inputs: Case, case: Case) -> Case:
    dealer = _ready_to_deal([])
    for card in inputs["deck"]:
        if card.endswith("(boxed)"):
            dealer.tell(Boxed(card[:2]))
        elif expected(dealer.hand).what == "card":
            dealer.tell(CardTo(expected(dealer.hand).seats[0], card))
    limit = RULES.deck.boxed_makes_defective
    spoiled = [
        deck_is_defective(cards=52, distinct=52, jokers=0, boxed=count, expected=52, boxed_limit=limit)
        for count in inputs["rows"]
    ]
    return {"hands": _named(dealer), "muck": dealer.hand.muck, "defective": spoiled}


def cp_110(inputs: Case, case: Case) -> Case:
    rulings = []
    for row in inputs["rows"]:
        dealer = _dealt_nine()
        dealer.act(*row["actions"])
        dealer.tell(Irregular("not_shuffled"))
        rulings.append(_proposed(dealer).ruling)
        dealer.decide()
        assert dealer.hand.phase == ("shuffling" if rulings[-1] == "misdeal" else "bet1")
    return {"ruling": rulings}


def _at_flop(stub: list[str]) -> Dealer:
    """Round one is over and the dealer is about to burn."""
    dealer = _three_handed([])
    dealer.deck = parse_cards("2s3s4s5s6s7s") + stub
    dealer.deal()
    dealer.act("3 call", "1 call", "2 check")
    return dealer


def cp_112(inputs: Case, case: Case) -> Case:
    dealer = _at_flop([])
    dealer.tell(Board(tuple(inputs["dealt_flop"])))
    dealer.tell(Rule("redeal", 1))
    assert dealer.hand.ruling is not None
    steps = list(dealer.hand.ruling.steps)
    for _ in steps:
        dealer.tell(StepDone())
    dealer.deck = list(inputs["reshuffled_stub_top"])
    dealer.go_on()
    return {
        "taken_back": list(steps[0].cards),
        "cut": any(step.kind == "cut" for step in steps),
        "burn": dealer.hand.burns,
        "flop": dealer.hand.board,
    }


def cp_113(inputs: Case, case: Case) -> Case:
    """The dealer keyed a burn that never was; two seats have acted before it is noticed."""
    dealer = _at_flop(parse_cards("2h3h4h5h6h7h8h9h"))
    dealer.go_on()
    dealer.act(*(action if "bet" not in action else action + " 10" for action in inputs["actions"]))
    dealer.hand.burns.clear()
    dealer.tell(Irregular("no_burn"))
    ruling = _proposed(dealer).ruling
    dealer.decide()
    dealer.act("3 fold", "1 call")
    dealer.check_down()
    return {"ruling": ruling, "total_burns_in_hand": len(dealer.hand.burns)}


def _put_right(dealer: Dealer, stub: list[str]) -> Remedy:
    """Confirm the open ruling and its steps; from here the shuffled stub is dealt."""
    cure = _proposed(dealer)
    dealer.decide()
    dealer.deck = list(stub)
    return cure


def cp_115(inputs: Case, case: Case) -> Case:
    dealer = _at_flop([])
    dealer.tell(Burn(inputs["burned"][0]), Board(tuple(inputs["shown"])))
    cure = _put_right(dealer, inputs["reshuffled_stub_top"])
    dealer.go_on()
    cut = any(step.kind == "cut" for step in cure.steps)
    return {"taken_back": list(cure.back), "burn": dealer.hand.burns, "cut": cut, "flop": dealer.hand.board}


def cp_116(inputs: Case, case: Case) -> Case:
    dealer = _three_handed(parse_cards("2s3s4s5s6s7s"))
    dealer.deal()
    dealer.act("3 call", "1 call")
    dealer.tell(Burn(inputs["burned"][0]), Board(tuple(inputs["shown"])))
    cure = _put_right(dealer, [*inputs["reshuffled_stub_top"], "Ks"])
    finish_first = expected(dealer.hand).seats == (2,) and dealer.hand.board == []
    dealer.act("2 check")
    dealer.go_on()
    flop, burns = list(dealer.hand.board), list(dealer.hand.burns)
    dealer.act("1 check", "2 check", "3 check")
    dealer.go_on()
    return {
        "burn": burns,
        "finish_round_first": finish_first,
        "cut": any(step.kind == "cut" for step in cure.steps),
        "flop": flop,
        "next_burn": dealer.hand.burns[-1],
    }


def cp_118(inputs: Case, case: Case) -> Case:
    first, second = inputs["burned"]
    dealer = _at_flop([])
    dealer.tell(Burn(first), Board(("7d", "8d", "9d")))
    dealer.act("1 check", "2 check", "3 check")
    dealer.tell(Burn(second), Board(("Td",)))
    dealer.act("1 bet 10")
    dealer.tell(Burn(inputs["river_burn"]), Board((inputs["premature_river"],)))
    _put_right(dealer, inputs["reshuffled_stub_top"])
    burns = len(dealer.hand.burns)
    dealer.act("2 call", "3 call")
    dealer.go_on()
    new_burn = len(dealer.hand.burns) > burns
    return {"burns": dealer.hand.burns, "river": dealer.hand.board[4], "new_burn": new_burn}


def _at_turn() -> Dealer:
    dealer = _at_flop([])
    dealer.tell(Burn("2h"), Board(("7d", "8d", "9d")))
    dealer.act("1 check", "2 check", "3 check")
    return dealer


def cp_119(inputs: Case, case: Case) -> Case:
    turn, river = inputs["rows"]
    dealer = _at_turn()
    dealer.tell(Burn("3h"), Board(tuple(turn["opened"])))
    dealer.decide()
    dealer.act("1 check", "2 check", "3 check")
    dealer.deck = list(turn["stub_after"])
    dealer.go_on()
    first = {"turn": dealer.hand.board[3], "river_burn": dealer.hand.burns[-1], "river": dealer.hand.board[4]}
    dealer = _at_turn()
    dealer.tell(Burn("3h"), Board(("4h",)))
    dealer.act("1 check", "2 check", "3 check")
    dealer.tell(Burn("5h"), Board(tuple(river["opened"])))
    dealer.decide()
    return {"rows": [first, {"river": dealer.hand.board[4], "muck": dealer.hand.muck}]}


def _pineapple(game: str) -> Dealer:
    dealer = Dealer(terms(game), dict.fromkeys(range(1, 5), 500), button=4)
    dealer.deal()
    dealer.act("3 call", "4 call", "1 call", "2 check")
    return dealer


def _give_up_all_but(dealer: Dealer, seat: int) -> None:
    for player in dealer.hand.betting.players:
        if player.seat != seat:
            dealer.tell(Discard(player.seat, player.cards[0]))


def cp_121(inputs: Case, case: Case) -> Case:
    rows = []
    dealer = _pineapple(case["game"])
    _give_up_all_but(dealer, inputs["seat"])
    dealer.tell(Burn(dealer.draw()), Board(tuple(dealer.draw() for _ in range(3))))
    assert dealer.hand.ruling is not None
    rows.append({"ruling": f"{_proposed(dealer).clause} {dealer.hand.ruling.what.replace('_', ' ')}"})
    dealer = _pineapple(case["game"])
    _give_up_all_but(dealer, inputs["seat"])
    kept = dealer.hand.betting.players[3].cards[0]
    dealer.tell(Discard(inputs["seat"], kept))  # the antenna saw it go, but it was picked up again
    dealer.go_on()
    dealer.act("1 check", "2 bet 10")
    flop = list(dealer.hand.board)
    dealer.tell(Irregular("kept_three", inputs["seat"], (kept,)))
    dealer.decide()
    dead = not dealer.hand.betting.players[3].live
    assert dealer.hand.board == flop
    rows.append({"ruling": f"seat {inputs['seat']} {'dead' if dead else 'live'}, flop stands"})
    return {"rows": rows}


def cp_122(inputs: Case, case: Case) -> Case:
    dealer = _pineapple(case["game"])
    dealer.go_on()
    dealer.act("1 check", "2 check", "3 check", "4 check")
    _give_up_all_but(dealer, inputs["seat"])
    dealer.tell(Burn(dealer.draw()), Board((dealer.draw(),)))
    assert dealer.hand.ruling is not None
    clause = _proposed(dealer).clause.rpartition(".")[0]
    return {"ruling": f"{clause} {dealer.hand.ruling.what.replace('_', ' ')}"}


def cp_137(inputs: Case, case: Case) -> Case:
    dealer = Dealer(terms(), dict.fromkeys(inputs["live"], 500), inputs["button"])
    dealer.post_blinds()
    dealer.tell(Shuffled(), Cut())
    assert [player.seat for player in dealer.hand.betting.players] == inputs["expected_first_round"]
    seen = iter(inputs["seen"])
    at = 0
    while dealer.hand.ruling is None:
        dealer.tell(CardTo(next(seen), dealer.draw_sealed()))
        at += 1
    cure = _proposed(dealer)
    assert remedy("out_of_order", Facts(substantial=True)).ruling == "play_on"
    answer = {
        "event": dealer.hand.ruling.what,
        "at_card": at,
        "offer": cure.ruling,
        "else_": f"{cure.otherwise[0]} while no substantial action",
    }
    dealer.decide()
    assert [len(player.cards) for player in dealer.hand.betting.players] == [1, 1, 0, 0]
    return answer
