"""Two who want one seat, and players who come back after their chips were picked up."""

from __future__ import annotations

from typing import Any

import pytest

from controller.core.effects import Announced
from tests.controller.games.poker.play import PokerPlay, noted, ruled

BOOK = "melbourne-poker"


def clause(*named: str) -> Any:
    return pytest.mark.clause(BOOK, *named)


def said(play: PokerPlay) -> list[tuple[str, str]]:
    return [(one.text, one.clauses[0]) for one in play.effects if isinstance(one, Announced)]


@clause("8.1.1")
def test_of_two_who_want_a_seat_the_higher_card_has_it_and_suits_decide_between_equals() -> None:
    play = PokerPlay()
    play.seat(1000, 1000)
    play.press("draw_for_seat", seat=5, claimants=["P2", "P7"], claimants_is_new=True, cards=["KH", "KS"])
    assert said(play) == [("Seat 5 goes to P7, who drew Ks.", "8.1.1")]
    (found,) = ruled(play)
    assert (found.subject, found.answer, found.by, found.reason) == ("seat_draw", "P7", "S1", "seat 5: P2 Kh, P7 Ks")
    play.press("sit", seat=5, player="P7", player_is_new=True, amount=100_000)
    assert set(play.stacks()) == {1, 2, 5}


@clause("8.1.1")
@pytest.mark.parametrize(("told", "code"), [
    ({"seat": 1}, "seat_taken"),
    ({"seat": 12}, "no_such_seat"),
    ({"claimants": ["P8"], "cards": ["KH"]}, "bad_argument"),
    ({"claimants": ["P8", "P8"]}, "bad_argument"),
    ({"cards": ["KH"]}, "wrong_count"),
    ({"cards": ["KH", "KH"]}, "wrong_count"),
])  # fmt: skip
def test_a_draw_needs_a_free_seat_two_players_and_two_cards(told: dict[str, Any], code: str) -> None:
    play = PokerPlay()
    play.seat(1000, 1000)
    drawn = {"seat": 5, "claimants": ["P7", "P8"], "claimants_is_new": True, "cards": ["KH", "2S"], **told}
    assert play.refused("draw_for_seat", **drawn).code == code


@clause("8.12", "8.11", "1.1 'Picked up'")
@pytest.mark.parametrize(("minutes", "goes", "place"), [
    (19, "heads", "head"),
    (21, "goes to the end of", "tail"),
])  # fmt: skip
def test_a_picked_up_player_who_is_back_within_twenty_minutes_heads_the_list(
    minutes: int, goes: str, place: str
) -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000)
    play.press("walk", seat=2)
    play.press("pick_up", 3, seat=2)
    play.at += minutes * 60_000
    play.press("returned", player="P2")
    assert said(play)[-1] == (f"P2 {goes} the waiting list; $1,000 are kept safe.", "8.12")
    (told, clauses) = noted(play, "returned")[0]
    assert (told["player"], told["place"], told["amount"], clauses) == ("P2", place, 100_000, ("8.12",))
    assert play.refused("returned", player="P2").code  # once


@clause("8.12")
def test_one_who_sits_down_again_at_once_is_back() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000)
    play.press("walk", seat=2)
    play.press("pick_up", 3, seat=2)
    assert set(play.game.state.picked_up) == {"P2"}
    play.press("sit", seat=2, player="P2", amount=100_000)
    assert play.game.state.picked_up == {}
