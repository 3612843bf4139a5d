"""A side wager is owed once, however often the pots of its hand are decided."""

from __future__ import annotations

from tests.controller.games.poker.play import config
from tests.controller.games.poker.seen import clause, seated


@clause("10.2.1", "9.5")
def test_a_hand_asked_for_after_the_pots_were_decided_does_not_make_the_side_wagers_owed_twice() -> None:
    red = ("2c", "3c", "4c", "5c", "6c", "Ah", "Kh", "Qd")
    play = seated(1000, 1000, setup=config(side_wagers=True), deck=red)
    spot = play.game.layout.side(1, "red")
    play.press("start_hand")
    play.put(spot, 1_000)
    play.post_and_deal()
    play.check_down()
    play.press("table_hand", seat=1)
    play.press("muck_hand", seat=2)
    assert play.phase == "award"
    play.press("ask_to_see", seat=2, asker=1)
    play.press("table_hand", seat=2)
    assert play.phase == "award"
    play.put(spot, 7_000)
    play.sweep()
    play.lift(play.game.layout.pot)
    play.settle("push")
    assert play.phase == "drop"
    play.press("dropped")
    assert (play.phase, sum(play.stacks().values())) == ("between_hands", 207_000)
