"""Who cuts the cards at Casino War, by which clause, and what becomes of a refusal."""

from __future__ import annotations

import pytest

from tests.controller.games.war.cards import (
    HOUSES,
    MELBOURNE,
    PERTH,
    STAR,
    answers,
    betting,
    closed_shoe,
    noted,
    question,
    refused,
    stake,
)
from tests.controller.games.war.play import Play

clause = pytest.mark.clause
NEW_GAME = {MELBOURNE: "4.2.1(a)", PERTH: "4.3(a)", STAR: "4.3.1"}
REPLACED = {MELBOURNE: "4.2.1(d)", PERTH: "4.3(c)(i)", STAR: "4.3.5"}
REFUSED = {MELBOURNE: "4.2.2", PERTH: "4.4", STAR: "4.4"}
DEPTH = {MELBOURNE: ("4.2.3", "4.2.4(a)"), PERTH: ("4.5",), STAR: ("4.5", "4.6")}
RECORDED = {MELBOURNE: "4.2.3", PERTH: "4.5", STAR: "4.5"}


def offered(play: Play) -> tuple[str, tuple[str, ...]]:
    """To whom the cut is offered, and by which clauses."""
    asked = question(play, "cut")
    return asked.evidence["player"], asked.clauses


def fresh(house: str, *seats: tuple[int, str]) -> Play:
    """Players came in this order and sat down; the new cards are shuffled."""
    play = closed_shoe(house)
    for box, player in seats:
        play.press("player_card", player=player)
        play.press("sit", box=box, player=player)
    play.press("check_cards", how="by hand")
    play.press("shuffled")
    return play


def played(play: Play, *stakes: tuple[int, str]) -> None:
    """A round of these stakes, settled; the next one is called for."""
    for box, player in stakes:
        play.lay(f"{player}{box}", player, box, "main", 1000)
    play.press("no_more_bets")
    play.cards(*["QH"] * len({box for box, _ in stakes}), "7C")
    play.press("settled")
    play.press("place_bets")


def ordered(play: Play) -> None:
    """A shuffle nobody's cutting card called for."""
    play.press("order_shuffle", rank=4)
    play.press("shuffled")


@clause(MELBOURNE, "4.2.1(a)", "4.2.2", "4.2.3", "4.2.4(a)")
@clause(PERTH, "4.3(a)", "4.4", "4.5")
@clause(STAR, "4.3.1", "4.4", "4.5", "4.6")
@pytest.mark.parametrize("house", HOUSES)
def test_at_a_new_game_the_first_to_come_cuts_and_a_refusal_goes_clockwise_to_a_supervisor(house: str) -> None:
    play = fresh(house, (4, "Ann"), (2, "Bob"), (6, "Cyd"))
    assert offered(play) == ("Ann", (NEW_GAME[house], *DEPTH[house]))
    asked = question(play, "cut")
    assert answers(asked) == [("cut", 1, RECORDED[house]), ("refused", 1, RECORDED[house])]
    assert asked.proposal == "cut"
    for player in ("Cyd", "Bob"):
        play.answer("cut", "refused", rank=1)
        assert offered(play)[0] == player
    play.answer("cut", "refused", rank=1)
    assert offered(play) == ("", (REFUSED[house], *DEPTH[house]))
    assert answers(question(play, "cut")) == [("cut", 2, REFUSED[house])]
    play.answer("cut", "cut", rank=1)
    assert refused(play) == ("rank_too_low", (REFUSED[house],))
    play.answer("cut", "cut", rank=2)
    assert noted(play, "cut") == [({"player": "", "by": "rank2"}, (REFUSED[house], *DEPTH[house]))]
    assert play.phase == "burning"


@clause(MELBOURNE, "4.2.3", "4.2.4(a)")
@clause(PERTH, "4.5")
@clause(STAR, "4.5", "4.6")
@pytest.mark.parametrize("house", HOUSES)
def test_a_cut_is_noted_with_who_made_it_and_nobody_is_named_for_it_any_more(house: str) -> None:
    play = fresh(house, (4, "Ann"), (2, "Bob"))
    assert play.game.view()["cutter"] == "Ann"
    play.answer("cut", "refused")
    play.answer("cut", "cut", rank=1)
    assert noted(play, "cut") == [({"player": "Bob", "by": "rank1"}, (NEW_GAME[house], *DEPTH[house]))]
    assert (play.questions(), play.game.view()["cutter"]) == ([], "")


@clause(MELBOURNE, "4.2.2")
@clause(PERTH, "4.4")
@clause(STAR, "4.4")
@pytest.mark.parametrize("house", HOUSES)
def test_where_nobody_plays_a_supervisor_cuts(house: str) -> None:
    play = fresh(house)
    assert offered(play) == ("", (REFUSED[house], *DEPTH[house]))
    assert play.game.view()["cutter"] == ""
    assert answers(question(play, "cut")) == [("cut", 2, REFUSED[house])]


@clause(MELBOURNE, "4.2.1(d)")
@clause(PERTH, "4.3(c)(i)")
@clause(STAR, "4.3.5")
@pytest.mark.parametrize("house", HOUSES)
def test_new_cards_are_cut_by_the_player_furthest_to_the_right(house: str) -> None:
    play = betting(house, source="shoe")
    played(play, (2, "Ann"), (5, "Bob"), (3, "Cyd"))
    play.press("order_shuffle", rank=4)
    play.press("replace_cards", rank=4)
    play.press("check_cards", how="by hand")
    play.press("shuffled")
    assert offered(play) == ("Bob", (REPLACED[house], *DEPTH[house]))


@clause(MELBOURNE, "4.2.1(d)", "4.2.1(b)")
@pytest.mark.parametrize(("reading", "cutter"), [("furthest_right", "Bob"), ("first_seated", "Cyd")])
def test_where_no_cutting_card_came_the_house_reads_who_cuts_but_new_cards_go_to_the_right(
    reading: str, cutter: str
) -> None:
    play = betting(MELBOURNE, readings={"shoe.cutter_without_cutting_card": reading})
    played(play, (2, "Cyd"), (2, "Ann"), (5, "Bob"))
    ordered(play)
    assert offered(play) == (cutter, ("4.2.1(d)", "4.2.3", "4.2.4(a)"))
    play.answer("cut", "cut")
    play.card("2C")
    play.lay("again", "Bob", 5, "main", 1000)
    ordered(play)
    assert offered(play)[0] == cutter
    new = betting(MELBOURNE, readings={"shoe.cutter_without_cutting_card": reading})
    played(new, (2, "Cyd"), (5, "Bob"))
    new.press("order_shuffle", rank=4)
    new.press("replace_cards", rank=4)
    new.press("check_cards", how="by hand")
    new.press("shuffled")
    assert offered(new)[0] == "Bob"
    empty = closed_shoe(MELBOURNE, readings={"shoe.cutter_without_cutting_card": reading})
    empty.new_shoe("2C")
    ordered(empty)
    assert offered(empty)[0] == ""


@clause(MELBOURNE, "4.2.1(b)")
@clause(PERTH, "4.3(b)")
def test_on_a_shared_box_the_front_of_the_line_cuts_and_for_somebody_who_left_the_one_furthest_right() -> None:
    play = betting(MELBOURNE)
    for box, player in ((2, "Dot"), (2, "Ann"), (5, "Bob")):
        play.lay(f"{player}{box}", player, box, "main", 1000)
    play.press("no_more_bets")
    play.cards("CUT", "QH", "QD", "7C")
    play.press("settled")
    play.press("place_bets")
    play.press("shuffled")
    assert offered(play) == ("Dot", ("4.2.1(b)", "4.2.3", "4.2.4(a)"))
    left = betting(PERTH)
    stake(left, "Ann", "Bob", "Cyd")
    left.cards("QH", "CUT", "QD", "3D", "7C")
    left.press("settled")
    left.press("place_bets")
    left.press("player_left", rank=4, player="Bob")
    left.press("shuffled")
    assert offered(left) == ("Cyd", ("4.3(b)", "4.5"))


@clause(MELBOURNE, "4.2.1(d)", "4.2.2")
def test_who_moved_to_another_box_sits_there_and_those_who_wait_a_round_still_sit_at_theirs() -> None:
    play = betting(MELBOURNE)
    played(play, (6, "Ann"), (4, "Bob"))
    play.lay("again", "Ann", 1, "main", 1000)
    ordered(play)
    assert offered(play)[0] == "Bob"
    play.answer("cut", "refused")
    assert offered(play)[0] == "Ann"
    play.answer("cut", "refused")
    assert offered(play)[0] == ""


@clause(MELBOURNE, "4.2.1(d)")
def test_before_anybody_staked_those_who_sat_down_are_the_players_at_the_table() -> None:
    play = closed_shoe(MELBOURNE)
    play.new_shoe("2C")
    play.press("sit", box=5, player="Ann")
    play.press("sit", box=2, player="Bob")
    ordered(play)
    assert offered(play)[0] == "Ann"
    play.answer("cut", "refused")
    assert offered(play)[0] == "Bob"
