"""Side wagers as they lie: laid, lifted and laid again until the first card, and standing from then on."""

from __future__ import annotations

from tests.controller.games.poker.play import PokerPlay, config
from tests.controller.games.poker.seen import alarm, alarms, call_round, clause, notes, pressed, refusals, seated

DECK = ("As", "Ks", "Qs", "2c", "3c", "4c", "5h", "Ah", "Kh", "Qh")


def wagering() -> tuple[PokerPlay, int]:
    """A hand has begun, and seat 1 has $10 on red."""
    play = seated(setup=config(side_wagers=True), deck=DECK)
    play.press("start_hand")
    area = play.game.layout.side(1, "red")
    play.put(area, 1_000)
    return play, area


@clause("8.15.1", "8.15.2")
def test_a_side_wager_taken_back_before_the_first_card_is_none() -> None:
    play, area = wagering()
    play.lift(area)
    play.settle(f"side:{area}")
    assert (play.game.hand.side, play.stack(1), alarms(play)) == ([], 100_000, set())
    play.put(area, 500)
    play.post_and_deal()
    assert [(wager.seat, wager.amount) for wager in play.game.hand.side] == [(1, 500)]


@clause("8.15.2", "10.2.1")
def test_a_side_wager_lifted_after_the_first_card_stands_and_is_told_with_its_seat() -> None:
    play, area = wagering()
    play.post_and_deal()
    play.lift(area)
    play.settle(f"side:{area}")
    assert alarm(play, f"side_lifted:{area}")[0] == "$10 of seat 1's wager on red was taken off after the first card."
    call_round(play)
    play.street()
    pressed(play, "check")
    assert [note.facts["won"] for note in notes(play, "side_wager")] == [7_000]
    assert f"side_lifted:{area}" not in alarms(play)


@clause("8.15.2")
def test_a_side_wager_laid_or_raised_after_the_first_card_is_refused() -> None:
    play, area = wagering()
    play.post_and_deal()
    play.put(area, 1_000)
    assert refusals(play)[-1].clauses == ("8.15.2",)
    assert [(wager.seat, wager.amount) for wager in play.game.hand.side] == [(1, 1_000)]


def test_a_chip_of_a_side_wager_that_is_unread_for_a_moment_changes_nothing() -> None:
    play, area = wagering()
    chips = dict(play.chips[area])
    play.lift(area)
    play.chips[area] = chips
    play.put(area, 1_000)
    assert [(wager.seat, wager.amount) for wager in play.game.hand.side] == [(1, 1_000)]
