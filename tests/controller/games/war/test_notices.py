"""What the house changes while people play: a minimum that some keep, and another number of decks."""

from __future__ import annotations

from typing import Any

import pytest

from controller.core.desk import Limits
from controller.core.effects import Desired, Ruled
from controller.core.events import TimerDue
from tests.controller.games.war.play import MELBOURNE, PERTH, STAR, Play, announced, clause, codes, noted, opened
from tests.controller.games.war.seen import refusal

KEPT = ("6.5.1", "6.5.1.1")
HALF_AN_HOUR = 30 * 60_000


def signs(play: Play) -> list[dict[str, Any]]:
    """Everything the sign was told to show, one after the other."""
    return [one.outputs for one in play.effects if isinstance(one, Desired) and one.device == "sign"]


def star(*players: str, most: int = 50_000) -> Play:
    play = opened(STAR, Limits(1000, most, 0, 250))
    for player in ("Ann", "Bob", "Cyd", "Dot"):
        play.press("player_left", player=player)
    for box, player in enumerate(players, 1):
        play.press("player_card", box=box, player=player)
    return play


# -- a minimum that some keep -----------------------------------------------------------------------------------------


@clause(STAR, "6.5.1", "6.5.1.1", "6.5.3")
def test_a_raised_minimum_holds_at_once_and_everybody_there_keeps_the_one_they_came_under() -> None:
    play = star("Ann", "Bob")
    before = len(signs(play))
    play.press("keep_minimum", rank=2, least=2500)
    assert announced(play, "marker")[-2:] == [
        ("Lay the marker for the minimum of $10 at the box of Ann.", KEPT),
        ("Lay the marker for the minimum of $10 at the box of Bob.", KEPT),
    ]
    assert play.rulings()[-1] == Ruled("keep_minimum", "2500, kept by Ann, Bob", "rank2", 2, KEPT)
    (sign,) = signs(play)[before:]
    assert (sign["least"], sign["most"]) == (2500, 50_000)
    assert sign["kept_minimums"] == {"Ann": 1000, "Bob": 1000}
    play.press("player_card", box=3, player="Cyd")
    play.press("keep_minimum", rank=2, least=5000, most=60_000)
    assert signs(play)[-1]["kept_minimums"] == {"Ann": 1000, "Bob": 1000, "Cyd": 2500}
    assert (play.table.state.limits.least, play.table.state.limits.most) == (5000, 60_000)


@clause(STAR, "6.5.1", "6.5.1.1")
def test_the_supervisor_may_name_those_who_keep_the_minimum_and_nobody_else_does() -> None:
    play = star("Ann", "Bob")
    play.press("keep_minimum", rank=2, least=2500, players=["Bob"])
    assert signs(play)[-1]["kept_minimums"] == {"Bob": 1000}
    assert len(announced(play, "marker")) == 1
    play.press("keep_minimum", rank=2, least=3000, players=[])
    assert play.rulings()[-1].answer == "3000, kept by nobody"
    assert signs(play)[-1]["kept_minimums"] == {"Bob": 1000}


@clause(STAR, "6.5.1")
@pytest.mark.parametrize(
    ("told", "allowed"),
    [
        ({"least": 1000}, False), ({"least": 999}, False), ({"least": 1001}, True), ({"least": 5000}, True),
        ({"least": 5001}, False), ({"least": 5001, "most": 5001}, True), ({"least": 3000, "most": 2999}, False),
    ],
)  # fmt: skip
def test_the_new_minimum_lies_above_the_old_one_and_not_above_the_maximum(told: dict[str, int], allowed: bool) -> None:
    play = star("Ann", most=5000)
    play.press("keep_minimum", rank=2, **told)
    if allowed:
        assert play.table.state.limits.least == told["least"]
    else:
        assert refusal(play) == ("bad_limits", KEPT)
        assert (play.table.state.limits.least, play.game.state.players.kept_minimum) == (1000, {})


@clause(STAR, "6.5.1.2")
@clause(MELBOURNE, "11.9")
def test_when_a_player_leaves_the_marker_is_lifted_and_the_sign_says_so() -> None:
    play = star("Ann", "Bob")
    play.press("keep_minimum", rank=2, least=2500)
    before = len(signs(play))
    play.press("player_left", rank=1, player="Ann")
    assert announced(play, "marker")[-1] == ("Lift Ann's marker.", KEPT)
    assert [sign["kept_minimums"] for sign in signs(play)[before:]] == [{"Bob": 1000}]
    play.press("player_left", rank=1, player="Gus")
    other = opened(MELBOURNE)
    other.lay("a", "Ann", 1, "main", 1000)
    before = len(signs(other))
    other.press("player_left", rank=1, player="Ann")
    assert (announced(other, "marker"), signs(other)[before:]) == ([], [])


# -- another number of decks ------------------------------------------------------------------------------------------


@clause(PERTH, "2.3(b)", "2.3(c)")
@pytest.mark.parametrize("staked", [True, False])
def test_at_perth_another_number_of_decks_stands_half_an_hour_on_the_sign_whoever_is_there(staked: bool) -> None:
    play = opened(PERTH)
    if staked:
        play.lay("a", "Ann", 1, "main", 1000)
    before = len(signs(play))
    play.press("change_decks", rank=3, decks=8, column=6)
    due = play.at + HALF_AN_HOUR
    assert play.table.state.desk.timers["decks"] == due
    assert play.rulings()[-1] == Ruled("change_decks", "8 decks", "rank3", 3, ("2.3(b)",))
    assert announced(play, "decks") == [("In 30 minutes this table plays with 8 decks.", ("2.3(b)",))]
    (sign,) = signs(play)[before:]
    assert (sign["decks"], sign["coming_decks"]) == (6, {"decks": 8, "column": 6, "at": due})


@clause(PERTH, "2.3(b)", "2.7", "3.16")
def test_new_cards_are_as_announced_once_the_notice_has_run_and_not_before() -> None:
    play = opened(PERTH)
    play.press("change_decks", rank=3, decks=8, column=6)
    due = play.table.state.desk.timers["decks"]
    play.at = due - 2000
    play.press("replace_cards", rank=3, why="worn")
    assert (play.at, play.game.state.shoe.cards.decks) == (due - 1000, 6)
    assert play.game.state.house.decks_coming is not None
    play.new_shoe("AC", "2C")
    play.at = due - 1000
    play.take(TimerDue("decks"))
    assert announced(play, "decks")[-1] == ("Bring in 8 decks after this round.", ("2.3(b)",))
    play.at = due - 1000
    play.press("replace_cards", rank=3, why="eight decks")
    assert (play.at, play.game.state.shoe.cards.decks, play.game.state.house.decks_coming) == (due, 8, None)
    assert noted(play, "decks") == [{"decks": 8}]
    assert play.game.column is not None
    assert play.game.column.number == 6
    play.new_shoe("AC", "2C")
    play.press("change_decks", rank=3, decks=8)  # the column in force fits eight decks
    assert play.rulings()[-1].answer == "8 decks"
    assert play.game.state.house.decks_coming is not None
    assert play.game.state.house.decks_coming.column == 6


@clause(PERTH, "2.3(b)", "3.16", "2.2")
@pytest.mark.parametrize(
    ("told", "named"),
    [({"decks": 8}, "3.16 [column 2: 6 decks]"), ({"decks": 8, "column": 9}, "3.16"), ({"decks": 5}, "2.2")],
)
def test_decks_the_document_does_not_allow_or_no_column_fits_are_refused(told: dict[str, int], named: str) -> None:
    play = opened(PERTH)
    play.press("change_decks", rank=3, **told)
    assert refusal(play) == ("not_allowed", (named,))
    assert play.game.state.house.decks_coming is None
    play.press("change_decks", rank=3, decks=6)
    assert play.game.state.house.decks_coming is not None
    assert play.game.state.house.decks_coming.column == 2
    play.press("change_decks", rank=3, decks=8, column="six")
    assert refusal(play)[0] == "bad_argument"


@clause(MELBOURNE, "3.1")
def test_where_no_notice_is_asked_for_the_next_new_cards_are_so_many_decks() -> None:
    play = opened(MELBOURNE)
    play.lay("a", "Ann", 1, "main", 1000)
    play.press("change_decks", rank=3, decks=8)
    assert play.rulings()[-1] == Ruled("change_decks", "8 decks", "rank3", 3, ("3.1",))
    assert (announced(play, "decks"), "decks" in play.table.state.desk.timers) == ([], False)
    assert signs(play)[-1]["coming_decks"] == {"decks": 8, "column": 0, "at": play.at}
    play.press("no_more_bets")
    play.cards("KH", "5D")
    play.press("settled")
    play.press("place_bets")
    play.press("replace_cards", rank=3, why="eight decks")
    assert play.game.state.shoe.cards.decks == 8


@clause(STAR, "3.1")
def test_the_star_plays_with_six_decks_and_no_other_number() -> None:
    play = opened(STAR)
    play.press("change_decks", rank=2, decks=8)
    assert refusal(play) == ("not_allowed", ("3.1",))


@clause(STAR, "6.5.2")
@pytest.mark.parametrize("how", ["limits", "end_kept_minimum"])
def test_a_kept_minimum_is_raised_once_its_notice_has_run_and_not_before(how: str) -> None:
    play = star("Ann", "Bob")
    play.press("end_kept_minimum", rank=2)
    assert codes(play) == ["nobody_keeps"]
    play.press("keep_minimum", rank=2, least=2500)
    new = 5000 if how == "limits" else 2500
    play.press(how, rank=2, **({"least": new, "most": 50_000} if how == "limits" else {}))
    coming = play.table.state.coming
    assert coming is not None
    assert (coming.limits.least, coming.at) == (new, play.at + 20 * 60_000)
    play.at = coming.at - 2000
    play.lay("a", "Ann", 1, "main", 1000)
    play.press("no_more_bets")
    assert [text for text, _ in announced(play, "limits")] == []
    play.take(TimerDue("limits"))
    assert (play.table.state.limits.least, play.game.state.players.kept_minimum) == (new, {})
    assert "kept_minimums" not in signs(play)[-1]
    assert announced(play, "marker")[-1] == (f"Lift Bob's marker: the minimum is ${new // 100}.", KEPT)
    play.lay("b", "Bob", 2, "main", 1000)
    assert len(announced(play, "limits")) == 1
