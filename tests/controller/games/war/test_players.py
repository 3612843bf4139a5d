"""Who plays where: seats, player cards, boxes kept for somebody, hands on the cards, and winnings held back."""

from __future__ import annotations

import pytest

from controller.core.effects import Announced, Noted, Ruled
from controller.core.events import PlayerCardRead
from tests.controller.games.war.felt import Felt
from tests.controller.games.war.play import MELBOURNE, PERTH, STAR, Play, announced, clause, codes, noted, opened
from tests.controller.games.war.seen import HOUSES, live, refusal

CARD = ("5.1", "13.1")


def read(card: str, state: str = "valid") -> PlayerCardRead:
    return PlayerCardRead("reader", card * 16, state)


def empty(house: str, boxes: int = 7) -> Play:
    """An open table at which nobody is known yet."""
    play = opened(house, boxes=boxes)
    for player in ("Ann", "Bob", "Cyd", "Dot"):
        play.press("player_left", rank=3, player=player)
    assert play.game.view()["players"] == []
    return play


def played(play: Play, *stakes: tuple[str, int]) -> None:
    """A round in which every box wins; afterwards bets are called for."""
    for player, box in stakes:
        play.lay(f"{player} {box}", player, box, "main", 1000)
    play.press("no_more_bets")
    play.cards(*["KH"] * len(stakes), "5D")
    play.press("settled")
    play.press("place_bets")


# -- seats and boxes --------------------------------------------------------------------------------------------------


@clause(MELBOURNE, "2.1")
@clause(PERTH, "2.1")
@clause(STAR, "2.1", "5.10", "5.1")
@HOUSES
def test_a_player_sits_at_a_box_of_the_layout_and_is_at_the_table_once(house: str) -> None:
    play = empty(house, boxes=5)
    for box in (0, 6):
        play.press("sit", rank=1, box=box, player="Ann")
        assert refusal(play) == ("no_such_box", ("2.1",))
    assert play.game.view()["at_box"] == {}
    for box in (1, 5):
        assert play.press("sit", rank=1, box=box, player="Ann") == [Noted("sat_down", {"box": box, "player": "Ann"})]
    assert (play.game.view()["at_box"], play.game.view()["players"]) == ({"1": "Ann", "5": "Ann"}, ["Ann"])
    if house == STAR:
        for key in ("reserve", "player_card"):
            play.press(key, box=6, player="Ann")
            assert refusal(play) == ("no_such_box", ("2.1",))


@clause(STAR, "5.10")
def test_a_box_is_kept_for_one_player_until_it_is_freed_or_the_player_leaves() -> None:
    play = opened(STAR)
    play.press("reserve", rank=2, box=1, player="Ann")
    play.press("reserve", rank=2, box=2, player="Bob")
    play.press("reserve", rank=2, box=3, player="Ann")
    assert play.rulings()[-1] == Ruled("reserve", "box 3: Ann", "rank2", 2, ("5.10",))
    play.lay("c1", "Cyd", 1, "main", 1000)
    assert refusal(play) == ("reserved", ("5.10",))
    play.press("reserve", rank=2, box=1)
    assert play.rulings()[-1] == Ruled("reserve", "box 1: free", "rank2", 2, ("5.10",))
    play.lay("c2", "Cyd", 1, "main", 1000)
    assert live(play, "c2") == [True]
    play.press("player_left", rank=1, player="Ann")
    play.lay("c3", "Cyd", 3, "main", 1000)
    play.lay("c4", "Cyd", 2, "main", 1000)
    assert (live(play, "c3", "c4"), refusal(play)) == ([True, False], ("reserved", ("5.10",)))


# -- who leaves -------------------------------------------------------------------------------------------------------


@clause(MELBOURNE, "11.9", "4.2.1(c)")
@clause(PERTH, "6.2")
@clause(STAR, "13.10")
@HOUSES
def test_who_leaves_gives_up_every_seat_and_is_offered_no_cut(house: str) -> None:
    play = empty(house)
    for player in ("Ann", "Bob"):
        play.press("player_card", rank=1, player=player)
    for box, player in ((1, "Ann"), (5, "Bob"), (6, "Bob")):
        play.press("sit", rank=1, box=box, player=player)
    play.lay("a", "Ann", 1, "main", 1000)
    play.lay("b", "Bob", 5, "main", 1000)
    play.press("no_more_bets")
    play.cards("KH", "KD", "5D")
    play.press("settled")
    play.press("player_left", rank=3, player="Bob")
    assert (play.game.view()["at_box"], play.game.view()["players"]) == ({"1": "Ann"}, ["Ann"])
    play.press("order_shuffle", rank=3)
    play.press("place_bets")
    play.press("shuffled")
    asked = play.game.asked("cut")
    assert asked is not None
    assert asked.evidence == {"player": "Ann"}


@clause(PERTH, "6.2")
def test_the_rounds_a_player_sat_out_are_forgotten_when_the_player_leaves() -> None:
    play = empty(PERTH)
    play.press("sit", rank=1, box=2, player="Bob")
    for _ in range(2):
        played(play, ("Ann", 1))
    play.press("player_left", rank=3, player="Bob")
    play.press("sit", rank=1, box=2, player="Bob")
    for _ in range(2):
        played(play, ("Ann", 1))
    assert announced(play, "idle_seat") == []
    played(play, ("Ann", 1))
    text = "Bob has not staked for 3 rounds and may be asked for the seat."
    assert announced(play, "idle_seat") == [(text, ("6.2",))]


@clause(STAR, "13.10", "5.1")
@clause(MELBOURNE, "5.13")
def test_who_leaves_takes_card_and_leave_for_several_boxes_along() -> None:
    play = opened(STAR)
    play.press("player_card", rank=1, player="Ann")  # a second time, as after a change of dealers
    play.press("player_left", rank=1, player="Ann")
    play.lay("a", "Ann", 1, "main", 1000)
    assert refusal(play) == ("no_player_card", CARD)
    melbourne = opened(MELBOURNE)
    melbourne.press("allow_several", rank=2, player="Ann")
    melbourne.press("player_left", rank=1, player="Ann")
    melbourne.lay("a", "Ann", 1, "main", 1000)
    melbourne.lay("b", "Ann", 2, "main", 1000)
    assert melbourne.questions() == ["several:Ann"]


# -- player cards -----------------------------------------------------------------------------------------------------


@clause(STAR, "5.1", "13.1", "1.1 [Player Card]")
def test_a_card_is_read_for_the_box_that_was_chosen_and_for_that_one_only() -> None:
    felt = Felt(STAR)
    felt.take(read("ab"))
    alarm = felt.table.state.desk.alarms["player_card"]
    assert (alarm.text, alarm.clauses) == ("A player card was read, and no box was chosen for it.", CARD)
    assert felt.game.view()["players"] == []
    chosen = felt.press("player_card", 1, box=2)
    assert chosen == [Announced("dealer", "player_card", "Read the card of the player at box 2.", CARD)]
    felt.take(read("ab"))
    assert felt.table.state.desk.alarms == {}
    assert noted(felt, "player_card") == [{"player": "P-ababab", "box": 2}]
    assert (felt.game.view()["at_box"], felt.game.view()["players"]) == ({"2": "P-ababab"}, ["P-ababab"])
    felt.take(read("cd"))
    assert "player_card" in felt.table.state.desk.alarms
    assert felt.game.view()["at_box"] == {"2": "P-ababab"}
    felt.press("player_card", 1, box=3)
    felt.take(read("ab"))
    assert felt.game.view()["players"] == ["P-ababab"]
    felt.press("player_left", 1, player="P-ababab")
    for box in (2, 3):
        felt.put(box, "main", 2500)
    assert (felt.stakes(), felt.game.view()["players"]) == ({}, ["box 2", "box 3"])
    for box in (2, 3):
        felt.press("player_card", 1, box=box)
        felt.take(read("cd"))
    assert felt.game.view()["at_box"] == {"2": "P-cdcdcd", "3": "P-cdcdcd"}


@clause(STAR, "5.1", "13.1")
@clause(MELBOURNE, "2.1")
@pytest.mark.parametrize(("house", "clauses"), [(STAR, CARD), (MELBOURNE, ())])
def test_the_dealer_vouches_for_a_card_with_or_without_a_box(house: str, clauses: tuple[str, ...]) -> None:
    play = empty(house)
    (told,) = play.press("player_card", rank=1, box=3, player="Ann")
    assert told == Noted("player_card", {"player": "Ann", "box": 3, "by": "rank1"}, clauses)
    (told,) = play.press("player_card", rank=1, player="Bob")
    assert told == Noted("player_card", {"player": "Bob", "box": 0, "by": "rank1"}, clauses)
    assert play.game.view()["at_box"] == {"3": "Ann"}
    assert play.game.view()["players"] == (["Ann", "Bob"] if house == STAR else ["Ann"])
    play.press("player_card", rank=1)
    assert refusal(play) == ("bad_argument", clauses)
    for wager, player, box in (("a", "Ann", 3), ("b", "Bob", 4)):
        play.lay(wager, player, box, "main", 1000)
    assert live(play, "a", "b") == [True, True]


# -- hands on the cards, and an inquiry -------------------------------------------------------------------------------


@clause(MELBOURNE, "7.2")
@clause(STAR, "3.7")
@pytest.mark.parametrize(("house", "named"), [(MELBOURNE, ("7.2",)), (STAR, ("3.7",))])
def test_a_player_who_handled_cards_is_on_record_and_the_alarm_lasts_for_the_round(
    house: str, named: tuple[str, ...]
) -> None:
    play = opened(house)
    play.lay("a", "Ann", 1, "main", 1000)
    play.press("no_more_bets")
    play.card("KH")
    play.press("card_touched", rank=1, player="Ann")
    assert noted(play, "card_touched") == [{"player": "Ann", "by": "rank1"}]
    alarm = play.table.state.desk.alarms["card_touched"]
    assert (alarm.text, alarm.clauses) == ("Ann handled cards.", named)
    play.card("5D")
    play.press("settled")
    assert play.table.state.desk.alarms == {}


@clause(MELBOURNE, "11.2.3")
def test_an_inquiry_opened_twice_is_one_and_ends_with_one_word() -> None:
    play = opened(MELBOURNE)
    play.press("sit", box=1, player="Ann")
    for _ in range(2):
        play.press("withhold", rank=4, player="Ann", reason="marked cards")
        assert play.rulings()[-1] == Ruled("withhold", "Ann", "rank4", 4, ("11.2.3",), "marked cards")
    played(play, ("Ann", 1), ("Bob", 2))
    results = play.results()
    assert (results["Ann 1"].withheld, results["Ann 1"].pays, results["Ann 1"].clauses[-1]) == (True, 1000, "11.2.3")
    assert (results["Bob 2"].withheld, results["Bob 2"].pays) == (False, 1000)
    play.press("inquiry_over", rank=4, player="Ann", outcome="keep")
    assert noted(play, "inquiry_over") == [{"player": "Ann", "outcome": "keep", "cents": 1000}]
    played(play, ("Ann", 3))
    assert (play.results()["Ann 3"].withheld, play.results()["Ann 3"].pays) == (False, 1000)
    play.press("inquiry_over", rank=4, player="Ann", outcome="pay")
    assert codes(play)[-1] == "not_there"
