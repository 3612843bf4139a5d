"""The showdown: who shows first, hands shown whole and once, read as their game says, live again or not."""

from __future__ import annotations

from typing import Any

from controller.games.poker.betting import call, fold
from controller.games.poker.evaluate import hand_values
from controller.games.poker.hand_end import ask_to_see, drop, enter_showdown, push, table_hand
from controller.games.poker.inputs import AskToSee, Dropped, Pushed, Table
from controller.games.poker.outputs import Output, Prompt, Recorded
from controller.games.poker.pots import Share
from controller.games.poker.showdown import TabledHand, read_hand, show_order
from controller.games.poker.state import Hand
from tests.controller.games.poker.hands import NO_LIMIT, at_table, hand, player, refused
from tests.controller.games.poker.seen import BOOK, clause

# -- showing hands ----------------------------------------------------------------------------------------------------


def showdown(**more: Any) -> Hand:
    one = hand(
        player(1, 500, cards=["a", "b"]), player(2, 500, cards=["c", "d"]), player(3, 500, cards=["e", "f"]),
        phase="showdown", **more,
    )  # fmt: skip
    one.board = ["2d", "3h", "4d", "5c", "Ts"]
    enter_showdown(one, [])
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
    before.phase = "dealing"
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
    dead = given_up()
    out: list[Output] = []
    ask_to_see(dead, AskToSee(3, 2), out)
    assert (dead.betting.players[2].live, dead.betting.players[2].out, dead.given_up) == (False, "dead", [3])
    assert out == [Recorded("hand touched to the muck and shown, dead", "9.5", 3)]
    live, out = given_up(), []
    ask_to_see(live, AskToSee(3, 1), out)
    assert (live.betting.players[2].live, live.betting.players[2].out, live.given_up) == (True, "", [])
    assert (live.awards, live.phase) == ([], "showdown")
    assert out[0] == Recorded("hand shown live at the winner's request", "9.5", 3)
    assert refused(ask_to_see, dead, AskToSee(3, 1)) == "9.5"  # the winner asks second: it was touched to the muck
    still = given_up("showdown")
    ask_to_see(still, AskToSee(3, 1), [])
    assert (still.phase, len(still.awards)) == ("showdown", 1)


@clause("1.1 'Cards speak'", "1.1 'Community cards'")
def test_a_tabled_hand_is_read_as_its_game_says() -> None:
    from controller.games.poker.rules import PokerRules
    from controller.rules.rulebook import load_rules

    rules = load_rules(BOOK, PokerRules)
    board = ("2s", "3h", "7d", "Kc", "Qs")
    for name, hole in (("Holdem", ("As", "4d")), ("Omaha Hi-Lo Eight Qualifier", ("As", "4d", "Kd", "Ks"))):
        game = rules.game(name)
        read = read_hand(5, hole, board, game)
        assert (read.seat, (read.high, read.low)) == (5, hand_values(hole, board, omaha=game.omaha, hilo=game.hilo))


@clause("8.20.4")
def test_who_was_called_shows_first_and_the_rest_follow_clockwise() -> None:
    betting = at_table(NO_LIMIT, 5000, 5000, 5000, 5000)
    assert show_order(betting.players, 2) == [3, 4, 1, 2]
    assert show_order(betting.players, 0) == show_order(betting.players, -1) == [1, 2, 3, 4]
    fold(betting, 2)
    assert show_order(betting.players, 2) == [1, 2, 4]
    assert show_order(betting.players, 3) == [4, 1, 2]
    assert call(betting, 0) == 100
