"""The table's own keys whatever the game: who may press them and when, limits and their notice, closing, the sign."""

from __future__ import annotations

from typing import Any

import pytest

from controller.config.kept import plain
from controller.core.desk import Limits
from controller.core.effects import Announced, Desired, Refused
from controller.core.events import SignShown, Started
from controller.games.war.config import WarConfig
from drivers.events import DeviceTrouble
from tests.controller.games.war import play as war_play
from tests.controller.games.wheel.play import Play, money, note, ruled
from tests.controller.money.play import MoneyPlay

clause = pytest.mark.clause
WHEEL = "melbourne-wheel"
MINUTE = 60_000


@pytest.fixture
def play() -> Play:
    return Play().opened()


def told(play: Play, kind: type) -> list[Any]:
    return [effect for effect in play.told if isinstance(effect, kind)]


def last_refusal(play: Play) -> Refused:
    (refused,) = told(play, Refused)
    return refused


# -- who may press what, and when -------------------------------------------------------------------------------------


@clause(WHEEL, "1.2", "1.1 'Dealer'", "1.1 'TG Higher Duties Dealer'", "1.1 'TG Area Manager'", "4.1", "4.3", "9.8")
@pytest.mark.parametrize(
    ("key", "rank", "cited"),
    [
        ("open", 1, ("2.1",)),
        ("give_up_opening", 1, ("2.1",)),
        ("close", 2, ("9.8",)),
        ("limits", 3, ("4.1",)),
        ("personal_limit", 3, ("4.3",)),
        ("marker", 1, ("4.3",)),
        ("clear_fault", 2, ("7.1.3",)),
        ("answer", 1, ()),
    ],
)
def test_a_key_needs_its_rank_or_a_higher_one(play: Play, key: str, rank: int, cited: tuple[str, ...]) -> None:
    play.press(key, rank - 1)
    refused = last_refusal(play)
    assert (refused.what, refused.code, refused.clauses) == (key, "rank_too_low", cited)
    for enough in (rank, 4):
        play.press(key, enough)
        assert play.refused != "rank_too_low"


OFTEN = {"fill", "credit"}


def offered(play: Play) -> set[str]:
    return {key.name for key in play.table.available()} & set(play.table.keys)


def game_keys(play: Play) -> set[str]:
    return {key.name for key in play.table.available()} - set(play.table.keys)


@clause(WHEEL, "4.1", "4.3", "9.8", "1.2")
def test_the_keys_that_mean_something_follow_the_life_of_the_table() -> None:
    play = Play()
    play.event(Started("test", plain(play.config)))
    assert (offered(play), game_keys(play)) == ({"open", "limits"} | OFTEN, set())
    play.press("open")
    assert play.life == "suspended"
    assert offered(play) == {"give_up_opening", "by_hand"} | OFTEN
    play.up("wheel")
    play.up("chips")
    assert (play.life, offered(play), game_keys(play)) == ("opening", {"give_up_opening", "limits"} | OFTEN, set())
    play.event(SignShown(99))
    at_play = {"limits", "personal_limit", "buy_in", "by_hand"} | OFTEN
    assert offered(play) == at_play | {"close"}
    play.press("personal_limit", 4, player="Ann", least=500, most=20_000)
    assert offered(play) == at_play | {"close", "marker", "take_back"}
    assert game_keys(play) >= {"place_bets", "sit", "idle_spins"}
    play.event(DeviceTrouble("chips", "noise", "The antennas are disturbed.", "Look for metal."))
    assert (play.life, offered(play)) == ("suspended", {"by_hand", "take_back"} | OFTEN)
    assert game_keys(play) >= {"sit", "dispute"}
    assert not game_keys(play) & {"place_bets", "idle_spins"}
    play.event(DeviceTrouble("chips", "moved", "An antenna was moved.", "Measure it.", by_hand=True))
    assert offered(play) == {"clear_fault", "by_hand", "take_back"} | OFTEN
    play.press("sit", seat=1, player="Ann")
    play.press("device_seen", player="Ann")
    assert offered(play) == {"clear_fault", "answer", "take_back", "by_hand"} | OFTEN
    play.answer("nothing", 4, reason="a telephone")
    assert ruled(play).answer == "nothing"


@clause(WHEEL, "9.8")
def test_the_key_to_close_is_offered_to_give_notice_and_again_when_the_notice_is_over(play: Play) -> None:
    play.press("sit", seat=1, player="Ann")
    assert "close" in offered(play)
    play.press("place_bets")
    assert "close" in offered(play)
    play.table.state.sign_shown = play.table.state.sign
    play.press("close", 2)
    assert "closing" not in play.table.state.desk.timers
    notices = []
    for left in (3, 2, 1):
        assert "close" not in offered(play)
        notices.append(f"{left} spins to come")
        assert play.table.sign()["closing"] == notices[-1]
        if play.state == "idle":
            play.press("place_bets")
        play.bet("Ann", "A", 10)
        play.result("D")
        play.settle_up()
        if left == 3:
            play.event(SignShown(play.table.state.sign))
    shown = [effect.outputs for effect in play.effects if isinstance(effect, Desired) and effect.device == "sign"]
    assert [one["closing"] for one in shown[-4:]] == [*notices, "0 spins to come"]
    assert (play.life, "close" in offered(play)) == ("closing", True)
    play.press("place_bets")
    assert "close" not in offered(play)
    play.press("cancel_disruption", rank=2, reason="nobody plays")
    play.press("close", 2)
    assert play.life == "closed"


@clause(WHEEL, "9.8")
def test_a_table_does_not_close_under_a_round_though_nobody_sits_there(play: Play) -> None:
    play.press("place_bets")
    play.press("close", 2)
    assert (play.life, ruled(play).answer) == ("closing", "notice")
    play.press("close", 2)
    assert (play.life, play.refused) == ("closing", "notice_runs")


@clause(WHEEL, "9.11", "1.2")
def test_an_answer_to_a_question_that_is_not_open_is_refused(play: Play) -> None:
    play.press("answer", 4, prompt="p9", answer="stands")
    assert (last_refusal(play).what, play.refused) == ("answer", "no_such_prompt")


@clause("star-war", "11.19.1", "11.19.2")
def test_a_wrong_payment_may_always_be_recorded_where_the_rulebook_asks_for_it() -> None:
    star = war_play.Play("star-war", WarConfig(decks=8))
    assert "mispayment" in {key.name for key in star.table.available()}


@clause(WHEEL, "3.6.2", "1.2")
def test_the_float_may_be_explained_while_it_does_not_balance() -> None:
    play = MoneyPlay().opened()
    assert "float_explained" not in offered(play)
    play.out(10_000)
    play.time(1)
    assert "float_explained" in offered(play)


@clause(WHEEL, "1.2", "5.1.1")
def test_a_key_that_is_not_there_is_refused_with_the_nearest_one(play: Play) -> None:
    play.press("place_bet")
    refused = last_refusal(play)
    assert (refused.what, refused.code) == ("place_bet", "unknown_command")
    assert refused.text.endswith("Did you mean 'place_bets'?")
    play.press("xyzzy")
    assert last_refusal(play).text == "There is no key 'xyzzy' at this table."


@clause(WHEEL, "4.1", "5.1.1")
def test_the_games_keys_wait_for_the_table_to_open() -> None:
    play = Play()
    play.press("place_bets")
    assert (last_refusal(play).what, play.refused) == ("place_bets", "table_closed")
    play.press("place_bets", rank=0)
    assert play.refused == "rank_too_low"


# -- limits of a player and of a bet -----------------------------------------------------------------------------------


@clause(WHEEL, "4.1", "4.3")
@pytest.mark.parametrize("key", ["limits", "personal_limit"])
@pytest.mark.parametrize(
    ("least", "most", "right"), [(0, 100, False), (300, 200, False), (200, 200, True), (100, 100, True)]
)
def test_a_minimum_is_above_nothing_and_not_above_the_maximum(
    play: Play, key: str, least: int, most: int, right: bool
) -> None:
    whom = {"player": "Ann"} if key == "personal_limit" else {}
    play.press(key, 3, **whom, least=least, most=most)
    assert play.refused == ("" if right else "bad_limits")


@clause(WHEEL, "4.3", "1.1 'Distinctive Marker'")
def test_personal_limits_are_agreed_marked_and_lifted_for_one_player(play: Play) -> None:
    play.press("marker", player="Ann")
    assert (play.refused, last_refusal(play).clauses) == ("no_personal_limit", ("4.3",))
    play.press("personal_limit", 3, player="Ann", least=100, most=90_000)
    assert (ruled(play).answer, ruled(play).clauses) == ("Ann: 100-90000", ("4.3",))
    (said,) = told(play, Announced)
    assert (said.to, said.code, said.text, said.clauses) == (
        "dealer", "marker", "Lay the limit marker at the position of Ann.", ("4.3",),
    )  # fmt: skip
    assert play.table.limits_of("Ann", "A") == Limits(500, 10_000, 500, 100)
    play.press("marker", player="Ann")
    assert (note(play, "marker").facts, note(play, "marker").clauses) == (
        {"player": "Ann", "laid": True, "by": "S1"}, ("4.3",),
    )  # fmt: skip
    assert play.table.limits_of("Ann", "A") == Limits(100, 90_000, 500, 100)
    assert play.table.limits_of("Bob", "A") == Limits(500, 10_000, 500, 100)
    play.press("marker", player="Ann", laid=False)
    assert play.table.limits_of("Ann", "A") == Limits(500, 10_000, 500, 100)


@clause(WHEEL, "4.3", "4.2.2")
def test_a_bet_with_limits_of_its_own_is_measured_with_them_unless_the_player_has_others(play: Play) -> None:
    play.table.state.limits = Limits(500, 10_000, 500, 100, {"D": (200, 2_000)})
    play.table.state.personal.clear()
    assert play.table.limits_of("Ann", "D") == Limits(200, 2_000, 500, 100, {"D": (200, 2_000)})
    assert play.table.limits_of("Ann", "A") == play.table.state.limits
    play.press("place_bets")
    play.bet("Ann", "D", 30)
    assert money(play.result("D")["Ann/D"]) == (220, 0, 30)
