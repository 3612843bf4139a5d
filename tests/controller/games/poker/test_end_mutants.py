"""The end of a poker hand and the cards before the dealer, held to the cent, the card and the clause."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from controller.games.poker import rulings
from controller.games.poker.betting import Betting, Player
from controller.games.poker.board import board_complete, boxed, burn, discard, once, turn_up
from controller.games.poker.commission import Commission
from controller.games.poker.flop_chase import SideResult, SideWager
from controller.games.poker.hand_end import (
    ask_to_see,
    drop,
    enter_award,
    enter_showdown,
    push,
    refund_all,
    return_uncalled,
    settle_side,
    table_hand,
)
from controller.games.poker.inputs import (
    AskToSee,
    Board,
    Boxed,
    Burn,
    BuyTime,
    Cancel,
    Discard,
    Dropped,
    Pushed,
    Table,
)
from controller.games.poker.outputs import (
    Award,
    Finished,
    Output,
    Prompt,
    RakeSetAside,
    Recorded,
    Returned,
    SideSettled,
)
from controller.games.poker.play import buy_time
from controller.games.poker.pots import Pot, Share
from controller.games.poker.remedies import Remedy
from controller.games.poker.rules import terms_faults
from controller.games.poker.showdown import TabledHand
from controller.games.poker.state import Due, Hand, OpenRuling, Refusal, move
from tests.controller.games.poker.dealer import RULES, terms

BOOK = "melbourne-poker"


def clause(*named: str) -> Any:
    return pytest.mark.clause(BOOK, *named)


def player(seat: int, in_hand: int, stack: int = 1000, *, in_round: int | None = None, **more: Any) -> Player:
    return Player(seat, stack, in_hand=in_hand, in_round=in_hand if in_round is None else in_round, **more)


def hand(*players: Player, phase: str = "award", **more: Any) -> Hand:
    of = terms(**more.pop("of", {}))
    betting = Betting(of.structure, list(players), round=more.pop("round", 2), kept=more.pop("kept", 0))
    return Hand(of, betting, 1, phase, **more)


def refused(action: Any, *args: Any) -> str:
    with pytest.raises(Refusal) as told:
        action(*args, [])
    return told.value.clause


# -- chips at the end -------------------------------------------------------------------------------------------------


@clause("7.5")
def test_what_nobody_called_goes_back_before_pots_are_made() -> None:
    one = hand(player(1, 500, all_in=2), player(2, 300), player(3, 100, live=False))
    out: list[Output] = []
    return_uncalled(one, out)
    first = one.betting.players[0]
    assert (first.stack, first.in_hand, first.in_round, first.all_in) == (1200, 300, 300, 0)
    assert out == [Returned(1, 200, "7.5")]
    later = hand(player(1, 500, in_round=50), player(2, 300, in_round=0), kept=750)
    return_uncalled(later, [])
    first = later.betting.players[0]
    assert (first.stack, first.in_hand, first.in_round, later.betting.kept) == (1200, 300, 0, 600)
    exact = hand(player(1, 500, in_round=200), player(2, 300, in_round=0), kept=600)
    return_uncalled(exact, [])
    assert (exact.betting.players[0].in_round, exact.betting.kept) == (0, 600)
    for players in ((player(1, 300), player(2, 300)), (player(1, 500, live=False), player(2, 300)), (player(1, 300),)):
        called = hand(*players)
        out = []
        return_uncalled(called, out)
        assert (out, [one.stack for one in called.betting.players]) == ([], [1000] * len(players))


@clause("13.6")
def test_a_refund_gives_everybody_back_what_they_put_in_and_takes_the_commission_back() -> None:
    one = hand(player(1, 500, posted=100, all_in=1), player(2, 300, live=False), player(3, 0), rake=80, kept=800)
    one.pots, one.awards, one.rake_by_pot = [Pot(800, [1])], [Share(0, 1, 720, "whole", "x")], [80]
    out: list[Output] = []
    refund_all(one, "13.6", out)
    assert out == [Returned(1, 500, "13.6"), Returned(2, 300, "13.6"), RakeSetAside(-80, 0, "13.6")]
    assert [seat.stack for seat in one.betting.players] == [1500, 1300, 1000]
    first = one.betting.players[0]
    assert (first.in_hand, first.in_round, first.posted, first.all_in) == (0, 0, 0, 0)
    assert (one.rake, one.pots, one.awards, one.rake_by_pot, one.betting.kept) == (0, [], [], [], 0)
    free = hand(player(1, 500))
    out = []
    refund_all(free, "13.6", out)
    assert out == [Returned(1, 500, "13.6")]


RAKE = Commission("percentage", percent=10, cap=1000)


@clause("8.17.3(a)", "8.18.3(a)", "8.19.3(a)", "8.20.3(a)")
@pytest.mark.parametrize(("round_", "named"), [(1, "8.17.3(a)"), (2, "8.18.3(a)"), (3, "8.19.3(a)"), (4, "8.20.3(a)")])
def test_who_is_left_alone_wins_the_pot_by_the_clause_of_the_round(round_: int, named: str) -> None:
    one = hand(player(1, 500), player(2, 500, live=False), round=round_, of={"rake": RAKE})
    out: list[Output] = []
    enter_award(one, out)
    assert [share for share in out if isinstance(share, Award)] == [Award(0, 1, 900, "whole", named, "")]
    assert one.rake == 100
    assert one.awards == [Share(0, 1, 1000 - one.rake, "whole", named)]
    assert one.rake_by_pot == [one.rake]


@clause("8.17.3(a)", "7.6", "8.20.3(a)")
def test_an_uncalled_raise_before_the_flop_is_no_called_bet_and_later_it_is() -> None:
    def taken(round_: int, in_hand: int) -> int:
        one = hand(
            player(1, in_hand), player(2, 200, posted=200, live=False), player(3, 100, posted=100, live=False),
            round=round_, of={"rake": RAKE},
        )  # fmt: skip
        enter_award(one, [])
        return one.rake

    assert taken(1, 2000) == 0
    assert taken(2, 2000) > 0


@clause("8.20.3(a)", "1.1 'Showdown'", "1.1 'Round of Play'")
def test_tabled_hands_share_the_pots_and_the_words_go_with_them() -> None:
    one = hand(player(1, 500), player(2, 300), player(3, 500), phase="showdown", of={"rake": RAKE}, rake=60)
    enter_showdown(one)
    assert [(pot.amount, pot.seats) for pot in one.pots] == [(900, [1, 2, 3]), (400, [1, 3])]
    one.hands = [TabledHand(1, 5 << 21, 0), TabledHand(2, 8 << 21, 0), TabledHand(3, 4 << 21, 0)]
    out: list[Output] = []
    enter_award(one, out)
    total = 1300 - one.rake
    awards = [effect for effect in out if isinstance(effect, Award)]
    assert [(award.pot, award.seat, award.hand) for award in awards] == [(0, 2, "straight flush"), (1, 1, "flush")]
    assert sum(award.amount for award in awards) == total
    assert [effect.amount for effect in out if isinstance(effect, RakeSetAside)] == [one.rake - 60]
    one.phase = "award"
    push(one, Pushed(), out)
    assert [seat.in_hand for seat in one.betting.players] == [0, 0, 0]
    assert sum(seat.stack for seat in one.betting.players) == 3000 + total
    assert one.betting.players[1].stack == 1000 + awards[0].amount
    assert refused(push, hand(player(1, 500), phase="showdown"), Pushed()) == "1.1 'Round of Play'"


@clause("6.11.1(b)", "7.2.1(b)", "10.2.1", "9.16")
def test_side_winnings_join_the_stack_when_the_commission_is_dropped() -> None:
    one = hand(player(1, 0), player(2, 0), phase="drop", rake=70, fees=30)
    one.board = ["2d", "3h", "4d", "5c", "6s"]
    one.side = [SideWager(1, "red", 500), SideWager(1, "black", 100), SideWager(2, "black", 300)]
    out: list[Output] = []
    settle_side(one, out)
    assert [effect for effect in out if isinstance(effect, SideSettled)] == [
        SideSettled(1, "red", 500, 3500, "10.1.1(c)"),
        SideSettled(1, "black", 100, 0, "10.1.1(b)"),
        SideSettled(2, "black", 300, 0, "10.1.1(b)"),
    ]
    again: list[Output] = []
    settle_side(one, again)
    assert again == []
    drop(one, Dropped(), out)
    (finished,) = [effect for effect in out if isinstance(effect, Finished)]
    assert finished.stacks == {1: 5000, 2: 1000}
    assert (finished.rake, finished.fees) == (70, 30)
    assert refused(drop, hand(player(1, 0), phase="award"), Dropped()) == "7.2.1(b)"
    nothing: list[Output] = []
    settle_side(hand(player(1, 0)), nothing)
    assert nothing == []
    mixed = hand(player(1, 0))
    mixed.board, mixed.side = ["2d", "3h", "4s"], [SideWager(1, "red", 500)]
    settle_side(mixed, [])
    assert mixed.side_results[0].won == 0


# -- showing hands ----------------------------------------------------------------------------------------------------


def showdown(**more: Any) -> Hand:
    one = hand(
        player(1, 500, cards=["a", "b"]), player(2, 500, cards=["c", "d"]), player(3, 500, cards=["e", "f"]),
        phase="showdown", **more,
    )  # fmt: skip
    one.board = ["2d", "3h", "4d", "5c", "Ts"]
    enter_showdown(one)
    return one


@clause("8.7", "1.1 'Cards speak'")
def test_a_hand_is_shown_whole_once_at_the_showdown_and_with_cards_that_lie_nowhere_else() -> None:
    assert refused(table_hand, hand(player(1, 500), phase="award"), Table(1, ("As", "Ah"))) == "8.7"
    one = showdown()
    assert refused(table_hand, one, Table(1, ("As",))) == "8.7"
    assert refused(table_hand, one, Table(9, ("As", "Ah"))) == "8.4"
    table_hand(one, Table(1, ("As", "Ah")), [])
    assert one.betting.players[0].shown == ["As", "Ah"]
    assert [(read.seat, read.high >> 21) for read in one.hands] == [(1, 4)]
    assert refused(table_hand, one, Table(1, ("As", "Ah"))) == "8.7"
    one.betting.players[2].live = False
    assert refused(table_hand, one, Table(3, ("Ks", "Kh"))) == "8.7"
    for twice in (("As", "Kh"), ("2d", "Kh")):
        again = showdown()
        table_hand(again, Table(1, ("As", "Ah")), [])
        out: list[Output] = []
        table_hand(again, Table(2, twice), out)
        assert [prompt.what for prompt in out if isinstance(prompt, Prompt)] == ["defective_deck"]
        assert again.betting.players[1].shown == []
        assert len(again.hands) == 1


@clause("8.7", "8.20.3(a)")
def test_the_pots_are_awarded_once_the_last_live_hand_lies_open() -> None:
    one = showdown()
    one.betting.players[2].live = False
    table_hand(one, Table(1, ("As", "Kh")), [])
    assert (one.phase, one.awards) == ("showdown", [])
    out: list[Output] = []
    table_hand(one, Table(2, ("Kd", "Qh")), out)
    assert one.phase == "award"
    assert [(share.seat, share.amount) for share in one.awards] == [(1, 1500)]
    push(one, Pushed(), out)
    assert one.phase == "drop"
    drop(one, Dropped(), out)
    assert one.phase not in ("drop", "award")
    before = showdown()
    before.phase = "bet4"
    assert refused(table_hand, before, Table(1, ("As", "Kh"))) == "8.7"


@clause("8.7")
def test_a_hand_of_the_wrong_number_of_cards_is_ruled_on_and_not_read() -> None:
    one = showdown()
    one.betting.players[0].cards = ["a", "b", "x"]
    out: list[Output] = []
    table_hand(one, Table(1, ("As", "Ah", "Ad")), out)
    assert [prompt.what for prompt in out if isinstance(prompt, Prompt)] == ["wrong_count"]
    assert (one.hands, one.betting.players[0].shown) == ([], [])


@clause("9.5")
def test_a_discarded_hand_is_live_again_only_when_the_winner_asks() -> None:
    def given_up(phase: str = "award") -> Hand:
        one = showdown()
        one.phase = phase
        one.hands = [TabledHand(1, 9, 0), TabledHand(2, 5, 0)]
        one.given_up = [3]
        one.betting.players[2].live, one.betting.players[2].out = False, "mucked"
        one.awards = [Share(0, 1, 1, "whole", "x")]
        return one

    assert refused(ask_to_see, given_up("bet2"), AskToSee(3, 1)) == "9.5"
    assert refused(ask_to_see, given_up(), AskToSee(2, 1)) == "9.5"
    dead, out = given_up(), []
    ask_to_see(dead, AskToSee(3, 2), out)
    assert (dead.betting.players[2].live, dead.betting.players[2].out, dead.given_up) == (False, "dead", [3])
    assert out == [Recorded("hand touched to the muck and shown, dead", "9.5", 3)]
    live, out = given_up(), []
    ask_to_see(live, AskToSee(3, 1), out)
    assert (live.betting.players[2].live, live.betting.players[2].out, live.given_up) == (True, "", [])
    assert (live.awards, live.phase) == ([], "showdown")
    assert out[0] == Recorded("hand shown live at the winner's request", "9.5", 3)
    still = given_up("showdown")
    ask_to_see(still, AskToSee(3, 1), [])
    assert (still.phase, len(still.awards)) == ("showdown", 1)


# -- the board --------------------------------------------------------------------------------------------------------


def at(phase: str, *, ready: bool = True, seen: tuple[str, ...] = (), **more: Any) -> Hand:
    one = hand(player(1, 500), player(2, 500), player(3, 500), phase=phase, **more)
    one.burn_ready = ready
    one.seen = list(seen)
    return one


@clause("1.1 'Muck'", "1.1 'Burn'", "1.1 'Burn card'")
def test_a_card_leaves_the_deck_once_and_a_burn_is_taken_once_a_street() -> None:
    one = at("flop", ready=False, seen=("As",))
    with pytest.raises(Refusal, match="card As has already left"):
        once(one, ("As",))
    with pytest.raises(Refusal, match="card Kd has already left"):
        once(one, ("Kd", "Kd"))
    once(one, ("Kd", "Kh"))
    assert refused(burn, one, Burn("As")) == "3.1"
    out: list[Output] = []
    burn(one, Burn("2c"), out)
    assert (one.seen, one.burns, one.burn_ready, out) == (["As", "2c"], ["2c"], True, [])
    assert refused(burn, one, Burn("3c")) == "1.1 'Burn'"
    assert refused(burn, at("showdown", ready=False), Burn("3c")) == "1.1 'Burn'"
    early = at("bet1", ready=False)
    burn(early, Burn("2c"), out)
    assert out == [Recorded("burned before the round was over", "1.1 'Burn'", cards=("2c",))]


@clause("8.18.1", "8.19.1", "8.20.1", "1.1 'Flop'")
def test_a_street_is_turned_up_whole_after_its_burn_or_ruled_on() -> None:
    assert refused(turn_up, at("flop"), Board(())) == "8.18.1"
    assert refused(turn_up, at("showdown"), Board(("2c",))) == "8.18.1"
    assert refused(turn_up, at("flop", seen=("2c",)), Board(("2c", "3c", "4c"))) == "3.1"

    def asked(one: Hand, *cards: str) -> list[str]:
        out: list[Output] = []
        turn_up(one, Board(cards), out)
        return [prompt.what for prompt in out if isinstance(prompt, Prompt)]

    whole = at("flop", round=1)
    assert asked(whole, "2c", "3c", "4c") == []
    assert (whole.board, whole.seen[-3:], whole.burn_ready) == (["2c", "3c", "4c"], ["2c", "3c", "4c"], False)
    assert whole.phase == "bet2"
    assert asked(at("flop", ready=False), "2c", "3c", "4c") == ["no_burn"]
    short = at("flop")
    out: list[Output] = []
    turn_up(short, Board(("2c", "3c")), out)
    assert out == [Prompt("short_flop", "13.10", 1, "complete_flop", ("complete_flop",), 0, 1)]
    assert (short.board, short.phase) == (["2c", "3c"], "flop")
    many = at("flop")
    assert len(asked(many, "2c", "3c", "4c", "5c")) == 1
    assert many.board == []
    assert asked(at("bet1"), "2c", "3c", "4c") == ["premature_flop"]
    assert asked(at("bet2"), "2c") == ["premature_turn"]
    assert asked(at("bet3"), "2c") == ["premature_river"]


@clause("9.3", "1.1 'Boxed Card'", "1.1 'Defective deck'")
def test_a_boxed_card_is_mucked_and_the_fifth_spoils_the_deck() -> None:
    one = at("dealing")
    for number, card in enumerate(("2c", "3c", "4c", "5c", "6c"), 1):
        out: list[Output] = []
        boxed(one, Boxed(card), out)
        assert Recorded("boxed card to the muck, the next card replaces it", "9.3", cards=(card,)) in out
        asked = [prompt.what for prompt in out if isinstance(prompt, Prompt)]
        assert asked == (["defective_deck"] if number == 5 else [])
    assert (one.boxed, one.muck, one.seen) == (5, ["2c", "3c", "4c", "5c", "6c"], ["2c", "3c", "4c", "5c", "6c"])
    assert refused(boxed, at("bet1"), Boxed("2c")) == "9.3"
    assert refused(boxed, at("dealing", seen=("2c",)), Boxed("2c")) == "3.1"


@clause("8.17.4", "8.18.4")
def test_a_card_is_given_up_once_in_its_round_by_a_live_hand_that_holds_it() -> None:
    def pineapple(phase: str = "discard1", **more: Any) -> Hand:
        of = {"game": "Pineapple Holdem"}
        both = player(1, 500, cards=["a", "b", "c"]), player(2, 500, cards=["d", "e", "f"])
        return hand(*both, phase=phase, of=of, **more)

    assert refused(discard, pineapple("bet1"), Discard(1, "a")) == "8.17.4"
    assert refused(discard, hand(player(1, 500, cards=["a", "b"]), phase="bet1"), Discard(1, "a")) == "8.17.4"
    one = pineapple()
    assert refused(discard, one, Discard(1, "d")) == "8.17.4"
    discard(one, Discard(1, "a"), [])
    assert (one.betting.players[0].cards, one.muck) == (["b", "c"], ["a"])
    assert refused(discard, one, Discard(1, "b")) == "8.17.4"
    one.betting.players[1].live = False
    assert refused(discard, one, Discard(2, "d")) == "8.17.4"


@clause("8.17.3(a)(i)")
def test_a_flop_for_side_wagers_only_is_settled_and_the_pot_awarded() -> None:
    one = hand(player(1, 500), player(2, 500, live=False), phase="side_flop", round=1)
    one.board, one.side, one.burn_ready = ["2d", "3h", "4d"], [SideWager(1, "red", 500)], True
    out: list[Output] = []
    board_complete(one, out)
    assert (one.phase, one.burn_ready) == ("award", False)
    assert [effect.won for effect in out if isinstance(effect, SideSettled)] == [3500]
    assert [effect.seat for effect in out if isinstance(effect, Award)] == [1]


# -- the terms --------------------------------------------------------------------------------------------------------


@clause(*(game.seats_clause for game in RULES.games), "8.9.4")
def test_terms_that_the_rulebook_does_not_allow_are_named_with_their_clauses() -> None:
    def wrong(seats: int = 6, game: str = "Holdem", **more: Any) -> list[str]:
        made = terms(game)
        return [named for named, _ in terms_faults(msgspec.structs.replace(made, **more), RULES, seats)]

    for game in RULES.games:
        for seats, fine in ((1, False), (2, True), (game.seats, True), (game.seats + 1, False)):
            assert wrong(seats, game.name) == ([] if fine else [game.seats_clause])
    assert [game.seats for game in RULES.games] == [11, 11, 11, 11, 11, 10, 10]
    assert wrong(blinds=()) == ["8.9.1"]
    assert wrong(commission=Commission("time")) == ["7.2.2(b)"]
    assert wrong(over_blinds=True) == ["8.9.4"]
    assert wrong(over_blinds=True, straddle=True) == wrong(straddle=True) == []
    assert wrong(side_odds=8) == ["10.2.2 Red"]
    made = terms("Holdem")
    assert wrong(structure=msgspec.structs.replace(made.structure, raises=4)) == ["6.9"]
    assert wrong(commission=Commission(least_percent=1)) == wrong(commission=Commission(most_percent=11)) == ["7.2.1"]
    assert (
        wrong(extensions=1)
        == wrong(extensions=1, time_to_act_s=30)
        == wrong(extensions=1, extension_s=30)
        == ["6.15.2"]
    )
    assert wrong(extensions=1, time_to_act_s=30, extension_s=30) == []
    other = msgspec.structs.replace(made, game=msgspec.structs.replace(made.game, name="Snap"))
    assert [named for named, _ in terms_faults(other, RULES, 6)] == ["4.1 Holdem"]


@clause("8.16.1(a)", "8.16.1(b)", "8.16.1(c)")
def test_each_game_deals_keeps_and_needs_its_number_of_cards() -> None:
    found = {game.name: (game.hole, game.kept, game.cards_needed, game.deal_clause) for game in RULES.games}
    assert found == {
        "Holdem": (2, 2, 30, "8.16.1(a)"),
        "Pineapple Holdem": (3, 2, 41, "8.16.1(b)"),
        "Crazy Pineapple Holdem": (3, 2, 41, "8.16.1(b)"),
        "Crazy Pineapple Holdem Hi-Lo Eight Qualifier": (3, 2, 41, "8.16.1(b)"),
        "Holdem Hi-Lo Eight Qualifier": (2, 2, 30, "8.16.1(a)"),
        "Omaha": (4, 4, 48, "8.16.1(c)"),
        "Omaha Hi-Lo Eight Qualifier": (4, 4, 48, "8.16.1(c)"),
    }


# -- deals that are undone --------------------------------------------------------------------------------------------


def rule_on(one: Hand, what: str, cure: Remedy, out: list[Output]) -> None:
    """Something went wrong, and this is what it calls for."""
    move(one, "irregularity", out, OpenRuling(what, cure), Prompt(what, cure.clause, cure.rank, cure.ruling))


def undone() -> Hand:
    """A hand in its second betting round, with blinds, later wagers and commission set aside."""
    one = hand(
        player(1, 500, posted=100, in_round=200, cards=["a", "b"]),
        player(2, 700, 0, posted=200, in_round=400, cards=["c", "d"], all_in=2),
        player(3, 300, in_round=0, cards=["e", "f"], live=False, out="folded"),
        phase="bet2", kept=900, rake=50,
    )  # fmt: skip
    one.board, one.burns, one.seen, one.muck = ["2c", "3c", "4c"], ["5c"], ["2c", "3c", "4c", "5c"], ["e", "f"]
    one.shuffled = one.cut = one.burn_ready = True
    one.dealt, one.boxed, one.actors, one.street_actors = 6, 1, 7, 3
    return one


@clause("9.1.1")
def test_a_misdeal_leaves_the_blinds_gives_later_wagers_back_and_starts_with_a_whole_deck() -> None:
    one, out = undone(), []
    rule_on(one, "misdeal", Remedy("misdeal", "9.1.1", 1), out)
    move(one, "misdeal", out)
    assert [effect for effect in out if isinstance(effect, Returned)] == [
        Returned(1, 400, "9.1.1"), Returned(2, 500, "9.1.1"), Returned(3, 300, "9.1.1"),
    ]  # fmt: skip
    assert [seat.stack for seat in one.betting.players] == [1400, 500, 1300]
    assert [(seat.in_hand, seat.in_round, seat.all_in) for seat in one.betting.players] == [
        (100, 100, 0), (200, 200, 0), (0, 0, 0),
    ]  # fmt: skip
    assert RakeSetAside(-50, 0, "9.1.1") in out
    assert (one.rake, one.betting.kept, one.ruling, one.misdeals) == (0, 0, None, 1)
    assert (one.seen, one.board, one.burns, one.muck, one.aside) == ([], [], [], [], [])
    assert (one.shuffled, one.cut, one.burn_ready, one.dealt, one.boxed) == (False, False, False, 0, 0)
    assert (one.actors, one.street_actors) == (0, 0)
    assert all(seat.live and not seat.out and not seat.cards for seat in one.betting.players)
    broke = undone()
    broke.betting.players[1].in_hand = broke.betting.players[1].in_round = 200
    rule_on(broke, "misdeal", Remedy("misdeal", "9.1.1", 1), [])
    move(broke, "misdeal", [])
    assert broke.betting.players[1].all_in == 1


@clause("9.1.1(h)", "1.1 'Defective deck'", "13.6")
def test_a_defective_deck_gives_everything_back_and_the_blinds_are_posted_anew() -> None:
    one, out = undone(), []
    one.blinds = [Due(1, 100), Due(2, 200)]
    one.side = [SideWager(1, "red", 300)]
    one.straddle, one.straddler = 400, 2
    rule_on(one, "defective_deck", Remedy("misdeal", "9.1.1(h)", 1), out)
    rulings._deal_again_refunded(one, "9.1.1(h)", out)
    assert [seat.stack for seat in one.betting.players] == [1800, 700, 1300]
    assert (one.dues, one.straddle, one.straddler, one.side) == ([Due(1, 100), Due(2, 200)], 0, -1, [])
    assert one.ruling is None
    settled, out = undone(), []
    settled.side = [SideWager(1, "red", 300)]
    settled.side_results = [SideResult(1, "red", 300, 2100, "10.1.1(c)")]
    rule_on(settled, "defective_deck", Remedy("misdeal", "9.1.1(h)", 1), out)
    rulings._deal_again_refunded(settled, "9.1.1(h)", out)
    assert settled.ruling is not None
    assert (settled.ruling.what, settled.side_results[0].won) == ("settled_side_wagers", 2100)


@clause("13.5.1", "13.5.2", "13.6")
def test_an_invalidated_hand_gives_everything_back_and_needs_level_two_in_time() -> None:
    for reason, named in (("disruption", "13.5.1"), ("fraud", "13.5.2")):
        low = undone()
        assert refused(rulings.cancel, low, Cancel(reason, 1)) == named
        for phase in ("drop", "between_hands"):
            late = undone()
            late.phase = phase
            assert refused(rulings.cancel, late, Cancel(reason, 4)) == named
        one, out = undone(), []
        one.side = [SideWager(1, "red", 300)]
        rulings.cancel(one, Cancel(reason, 2), out)
        (finished,) = [effect for effect in out if isinstance(effect, Finished)]
        assert finished.stacks == {1: 1800, 2: 700, 3: 1300}
        assert (finished.rake, one.ruling, one.side) == (0, None, [])
        assert {effect.clause for effect in out if isinstance(effect, Returned)} == {"13.6"}


@clause("6.15.1", "6.15.2")
def test_time_is_bought_in_turn_as_often_as_the_sign_says_by_a_seat_that_stays_in() -> None:
    def timed(stack: int = 501, phase: str = "bet2", turn: int = 0) -> Hand:
        one = hand(player(1, 0, stack), player(2, 0), phase=phase)
        one.terms = msgspec.structs.replace(one.terms, extensions=1, extension_fee=500)
        one.betting.turn = turn
        return one

    one, out = timed(), []
    buy_time(one, BuyTime(1), out)
    assert (one.betting.players[0].stack, one.fees, one.betting.players[0].time_bought) == (1, 500, 1)
    assert out == [Recorded("time to act bought", "6.15.1", 1, 500)]
    assert refused(buy_time, one, BuyTime(1)) == "6.15.2"
    assert refused(buy_time, timed(500), BuyTime(1)) == "6.15.2"
    assert refused(buy_time, timed(turn=1), BuyTime(1)) == "6.15.1"
    assert refused(buy_time, timed(phase="flop"), BuyTime(1)) == "6.15.1"
