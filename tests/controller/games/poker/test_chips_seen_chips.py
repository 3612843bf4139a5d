"""Chips on a poker table: blinds, wagers on the lines, side wagers, the pot and the drop, as the antennas see them."""

from __future__ import annotations

from typing import Any

import pytest

from controller.core.events import Chip, ChipsMoved
from drivers.card_antennas import BOARD, BURN
from tests.controller.games.poker.play import PokerPlay, config
from tests.controller.games.poker.seen import (
    after_the_deal,
    alarm,
    alarms,
    before_the_deal,
    call_round,
    clause,
    deal,
    due,
    notes,
    on_the_flop,
    refusals,
    seated,
    timers,
    words,
)


def lay(play: PokerPlay, area: int, *cents: int, kind: str = "cash", partial: bool = False) -> list[int]:
    """Chips onto an area; nothing comes to rest by itself."""
    chips = []
    for value in cents:
        play.tags += 1
        chips.append(Chip(play.tags, kind, value))
    play.event(ChipsMoved("chips", area, tuple(chips), (), partial))
    return [chip.tag for chip in chips]


def take(play: PokerPlay, area: int, *tags: int) -> None:
    play.event(ChipsMoved("chips", area, (), tags))


def wagered(play: PokerPlay, seat: int) -> int:
    found: int = next(player.in_round for player in play.game.hand.betting.players if player.seat == seat)
    return found


def started(*stacks: int, **poker: Any) -> PokerPlay:
    """The blinds are due: $5 from seat 1, $10 from seat 2."""
    play = seated(*stacks, setup=config(**poker))
    play.press("start_hand")
    return play


# -- what counts ------------------------------------------------------------------------------------------------------


@clause("6.2")
def test_only_chips_of_this_table_are_a_blind_and_the_float_is_none_of_the_games_business() -> None:
    play = started()
    lay(play, 1, 500, kind="other_table")
    assert [owed.seat for owed in play.game.hand.dues] == [1, 2]
    lay(play, 0, 10_000)
    assert play.game.chip_picture() == {}
    (tag,) = lay(play, 2, 500)
    play.event(ChipsMoved("chips", 2, (Chip(tag, "unknown", 0),)))  # the register has taken it out of play
    assert play.game.chip_picture() == {}
    (tag,) = lay(play, 1, 500)
    assert [owed.seat for owed in play.game.hand.dues] == [2]
    take(play, 1, tag)
    assert play.game.chip_picture() == {}


@clause("6.2")
def test_chips_laid_down_between_hands_are_nothing_yet_and_not_the_blind_of_the_next_hand() -> None:
    play = seated(setup=config(side_wagers=True))
    lay(play, 1, 500)
    lay(play, play.game.layout.side(1, "red"), 500)
    lay(play, play.game.layout.pot, 500)
    due(play, "line:1")
    due(play, "push")
    assert (play.phase, refusals(play), alarms(play)) == ("between_hands", [], set())
    play.press("start_hand")
    lay(play, 1, 500)
    assert [owed.seat for owed in play.game.hand.dues] == [2]
    assert wagered(play, 1) == 500


# -- blinds -----------------------------------------------------------------------------------------------------------


@clause("8.9.2(b)", "6.2")
def test_blinds_come_in_any_order_and_a_wrong_one_is_told_until_it_is_put_right() -> None:
    play = started()
    lay(play, 2, 1_000)
    assert [owed.seat for owed in play.game.hand.dues] == [1]
    first, second = lay(play, 1, 500, 250)
    assert alarm(play, "line:1") == (
        "Seat 1 has $7.50 on its line; $5 is due.",
        "Have the blind put right.",
        ("8.9.2(b)",),
    )
    take(play, 1, first)
    assert alarm(play, "line:1")[0] == "Seat 1 has $2.50 on its line; $5 is due."
    take(play, 1, second)
    assert alarms(play) == set()
    more, _ = lay(play, 1, 250, 500)
    assert "line:1" in alarms(play)
    take(play, 1, more)
    assert (play.phase, alarms(play), refusals(play)) == ("shuffling", set(), [])


@clause("8.9.2(b)", "6.2")
def test_a_blind_of_which_only_a_part_was_read_is_not_judged_yet() -> None:
    play = started()
    lay(play, 2, 500, partial=True)
    assert alarms(play) == set()
    lay(play, 2, 500)
    assert (alarms(play), [owed.seat for owed in play.game.hand.dues]) == (set(), [1])


@clause("6.5", "6.2")
def test_a_blind_lifted_and_laid_back_is_no_straddle_and_the_smallest_chip_too_many_is_refused_as_one() -> None:
    play = started()
    (blind,) = lay(play, 1, 500)
    take(play, 1, blind)
    play.event(ChipsMoved("chips", 1, (Chip(blind, "cash", 500),)))
    assert refusals(play) == []
    lay(play, 3, 1)
    assert [refusal.clauses for refusal in refusals(play)] == [("6.5",)]


@clause("6.5", "6.5.1")
def test_a_straddle_goes_up_before_the_first_card_and_after_it_chips_are_no_action() -> None:
    play = started(straddle=True)
    lay(play, 1, 500)
    lay(play, 2, 1_000)
    lay(play, 3, 2_000)
    assert (play.game.hand.straddle, wagered(play, 3)) == (2_000, 2_000)
    late = before_the_deal(setup=config(straddle=True))
    deal(late, 1)
    lay(late, 3, 2_000)
    assert [refusal.clauses for refusal in refusals(late)] == [("1.1 'Action'",)]
    assert (late.game.hand.straddle, alarms(late)) == (0, set())


@clause("9.1.1(b)", "6.2")
def test_chips_laid_while_a_ruling_is_open_before_the_deal_are_judged_by_nobody() -> None:
    play = started(straddle=True)
    lay(play, 1, 500)
    lay(play, 2, 1_000)
    deal(play, 1)
    assert play.asked().subject == "not_shuffled"
    lay(play, 3, 2_000)
    assert (refusals(play), timers(play), play.game.hand.straddle) == ([], {}, 0)


# -- wagers on the lines ----------------------------------------------------------------------------------------------


@clause("6.12", "6.2")
def test_a_placement_comes_to_rest_three_tenths_of_a_second_after_the_last_chip_that_came_or_went() -> None:
    play = after_the_deal()
    (tag,) = lay(play, 3, 1_000)
    assert timers(play) == {"line:3": play.at + 300}
    lay(play, 3, 2_500)
    take(play, 3, tag)
    assert timers(play) == {"line:3": play.at + 300}
    assert wagered(play, 3) == 0
    play.settle("line:3")
    assert wagered(play, 3) == 2_500
    assert (timers(play), alarms(play)) == ({}, set())


@clause("1.1 'Wager'", "6.2")
def test_a_wager_that_is_announced_is_owed_to_the_line_to_the_cent_until_it_lies_there() -> None:
    play = after_the_deal()
    play.press("raise", amount=3_000)
    assert alarm(play, "line:3") == (
        "Seat 3 owes $30 to its line.", "Have the chips put forward.", ("1.1 'Wager'",),
    )  # fmt: skip
    (one, *_) = lay(play, 3, 2_500, 499)
    play.settle("line:3")
    assert alarm(play, "line:3")[0] == "Seat 3 owes $0.01 to its line."
    lay(play, 3, 1)
    play.settle("line:3")
    assert alarms(play) == set()
    take(play, 3, one)
    assert alarm(play, "line:3")[0] == "Seat 3 owes $25 to its line."
    assert timers(play) == {}


@clause("1.1 'Wager'", "6.2")
def test_nothing_is_said_about_a_line_while_chips_are_still_being_laid_on_it() -> None:
    play = after_the_deal()
    lay(play, 3, 1_000)
    play.press("raise", amount=3_000)
    assert alarms(play) == set()
    lay(play, 3, 2_000)
    play.settle("line:3")
    assert (alarms(play), wagered(play, 3)) == (set(), 3_000)


@clause("1.1 'Action'", "6.2")
def test_chips_on_the_line_of_somebody_who_is_not_in_the_hand_are_no_wager() -> None:
    play = after_the_deal()
    lay(play, 5, 1_000)
    play.settle("line:5")
    assert alarm(play, "line:5") == ("$10 on the line of seat 5 is no wager.", "Return it to the player.",
                                     ("1.1 'Action'",))  # fmt: skip
    assert [refusal.clauses for refusal in refusals(play)] == [("8.4",)]


@clause("1.1 'Action'", "6.2")
def test_chips_laid_while_a_street_is_due_are_refused_at_once_and_no_wager_of_the_next_round() -> None:
    play = on_the_flop()
    play.sweep()
    first, _ = lay(play, 1, 500, 500)
    assert [refusal.clauses for refusal in refusals(play)] == [("1.1 'Action'",)]
    take(play, 1, first)
    assert (len(refusals(play)), timers(play), alarms(play)) == (1, {}, set())
    play.street()
    assert (play.phase, wagered(play, 1)) == ("bet2", 0)


@clause("8.18.3(b)", "6.2")
def test_chips_left_over_from_the_last_round_are_not_wagered_again_and_may_be_swept_later() -> None:
    play = after_the_deal()
    call_round(play)
    lines = dict(play.chips)
    play.lay(BURN, play.draw())
    play.lay(BOARD, *[play.draw() for _ in range(3)])
    play.press("turned_up")
    assert (play.phase, alarms(play), wagered(play, 1)) == ("bet2", set(), 0)
    lay(play, 1, 2_000)
    play.settle("line:1")
    assert (wagered(play, 1), alarms(play)) == (2_000, set())
    take(play, 2, *lines[2])
    lay(play, 2, 2_000)
    play.settle("line:2")
    assert (wagered(play, 2), alarms(play)) == (2_000, set())


@clause("6.14.1(a)", "6.2")
def test_one_chip_is_counted_from_the_last_time_the_line_was_ruled_on() -> None:
    play = after_the_deal()
    lay(play, 3, 500, 500)
    play.settle("line:3")
    lay(play, 1, 500, 500, 500, 500, 500)
    play.settle("line:1")
    assert wagered(play, 1) == 3_000
    play.press("fold")
    lay(play, 3, 10_000)
    play.settle("line:3")
    assert (play.phase, play.game.hand.betting.kept) == ("flop", 7_000)
    assert words(play, "return")[-1].text == "Return $80 to seat 3."
    assert words(play, "return")[-1].clauses == ("6.14.1(a)",)


@clause("6.12", "6.2")
def test_several_chips_that_lay_there_before_a_ruling_are_still_several_after_it() -> None:
    play = after_the_deal()
    lay(play, 3, 1_000)
    play.settle("line:3")
    lay(play, 1, 500)
    play.settle("line:1")
    play.at += 1_000
    lay(play, 1, 2_500, 500)
    play.settle("line:1")
    play.answer("return_chips", 1)
    play.press("raise", amount=2_000)
    play.press("call")
    assert play.wanted().seats == (1,)
    play.press("report", what="player_exposed", seat=1)
    due(play, "line:1")
    play.answer("play_on", 1)
    assert "line:1" in timers(play)
    play.settle("line:1")
    assert wagered(play, 1) == 4_000


@clause("9.6", "6.2")
def test_a_placement_that_comes_to_rest_during_a_ruling_waits_for_its_end() -> None:
    play = after_the_deal()
    lay(play, 3, 1_000)
    play.press("report", what="player_exposed", seat=3)
    play.settle("line:3")
    assert (refusals(play), wagered(play, 3)) == ([], 0)
    play.answer("play_on", 1)
    assert timers(play) == {"line:3": play.at + 300}
    play.settle("line:3")
    assert wagered(play, 3) == 1_000


# -- early chips ------------------------------------------------------------------------------------------------------


@clause("6.18.2", "8.2.1")
@pytest.mark.parametrize("by_key", [False, True])
def test_an_overtaken_early_call_is_completed_with_the_chips_that_already_lie_there(by_key: bool) -> None:
    play = after_the_deal()
    if by_key:
        play.press("call", seat=1)
    else:
        lay(play, 1, 500)
        play.settle("line:1")
    assert alarms(play) == set()
    lay(play, 3, 2_500, 500)
    play.settle("line:3")
    assert words(play, "early_action_overtaken")[0].clauses == ("6.18.2",)
    assert alarms(play) == set()
    lay(play, 1, *([2_500] if by_key else [500, 500, 500, 500]))
    play.settle("line:1")
    assert (wagered(play, 1), play.wanted().seats) == (3_000, (2,))
    assert (alarms(play), words(play, "short_call")) == (set(), [])


@clause("6.18.2", "6.12")
def test_one_chip_added_to_chips_that_were_laid_early_is_not_one_chip() -> None:
    play = after_the_deal()
    lay(play, 1, 500)
    play.settle("line:1")
    lay(play, 3, 2_500, 500)
    play.settle("line:3")
    lay(play, 1, 10_000)
    play.settle("line:1")
    assert wagered(play, 1) == 11_000


@clause("6.18", "1.1 'Action'")
def test_chips_of_a_seat_that_has_acted_are_told_though_another_seats_early_chips_are_as_many() -> None:
    play = after_the_deal(1000, 1000, 1000, 1000, 1000)
    for seat in (3, 4):
        lay(play, seat, 500, 500)
        play.settle(f"line:{seat}")
    (early,) = lay(play, 1, 500)
    play.settle("line:1")
    lay(play, 3, 500)
    play.settle("line:3")
    assert alarm(play, "line:3")[0] == "$5 on the line of seat 3 is no wager."
    told = len(refusals(play))
    take(play, 1, early)
    play.event(ChipsMoved("chips", 1, (Chip(early, "cash", 500),)))
    play.settle("line:1")
    assert (alarms(play), len(refusals(play))) == ({"line:3"}, told)


@clause("9.1.1", "1.1 'Wager'")
def test_after_a_misdeal_nothing_is_owed_to_a_line() -> None:
    play = after_the_deal()
    play.press("raise", amount=3_000)
    assert "line:3" in alarms(play)
    play.press("report", what="wrong_count", seat=1, correctable=False)
    play.answer("misdeal", 1)
    assert alarms(play) == set()


# -- side wagers ------------------------------------------------------------------------------------------------------


@clause("8.15.1", "1.1 'Flop Chase wager'", "6.2")
def test_side_wagers_are_each_seats_own_in_one_colour_and_only_chips_count() -> None:
    play = started(side_wagers=True)
    layout = play.game.layout
    lay(play, layout.side(1, "red"), 500)
    lay(play, layout.side(1, "red"), 500)
    lay(play, layout.side(2, "red"), 500)
    lay(play, layout.side(3, "black"), 1)
    assert [(one.seat, one.colour, one.amount) for one in play.game.hand.side] == [
        (1, "red", 1_000), (2, "red", 500), (3, "black", 1),
    ]  # fmt: skip
    lay(play, layout.side(1, "red"), 0, kind="unknown")
    assert refusals(play) == []
    lay(play, layout.side(1, "black"), 500)
    assert [refusal.clauses for refusal in refusals(play)] == [("1.1 'Flop Chase wager'",)]


@clause("8.15.2", "10.2.1", "6.2")
def test_late_side_chips_are_refused_once_and_what_is_paid_on_the_spot_is_no_wager() -> None:
    deck = ("2c", "3c", "4c", "5c", "6c", "Ah", "Kh", "Qd")
    play = started(1000, 1000, side_wagers=True)
    play.deck = [*deck, *(card for card in play.deck if card not in deck)]
    spot = play.game.layout.side(1, "red")
    lay(play, spot, 1_000)
    play.put(1, 500)
    play.put(2, 1_000)
    play.press("shuffled")
    play.press("cut")
    play.deal()
    first, _ = lay(play, spot, 250, 250)
    take(play, spot, first)
    assert [refusal.clauses for refusal in refusals(play)] == [("8.15.2",)]
    play.check_down()
    assert [note.facts["won"] for note in notes(play, "side_wager")] == [7_000]
    lay(play, spot, 7_000)
    assert len(refusals(play)) == 1


# -- the pot ----------------------------------------------------------------------------------------------------------


def decided() -> PokerPlay:
    """Seat 2 has won the blinds, which still lie on the lines."""
    play = after_the_deal()
    play.press("fold")
    play.press("fold")
    assert play.phase == "award"
    return play


@clause("1.1 'Pot'", "1.1 'Round of Play'", "6.2")
def test_the_pot_is_pushed_once_lines_and_pot_have_been_empty_for_a_moment() -> None:
    play = decided()
    pot = play.game.layout.pot
    play.lift(1)
    assert timers(play) == {}
    play.lift(2)
    until = play.at + 700
    assert timers(play) == {"push": until}
    lay(play, play.game.layout.drop, 100)
    assert timers(play) == {"push": until}
    tags = lay(play, pot, 500, 500, 500)
    assert timers(play) == {}
    take(play, pot, *tags)
    play.settle("push")
    assert play.phase == "between_hands"
    assert play.stacks() == {1: 99_500, 2: 100_500, 3: 100_000}


@clause("1.1 'Pot'", "6.2")
def test_a_pot_that_is_short_is_told_until_pot_lines_and_drop_hold_all_of_it() -> None:
    play = after_the_deal()
    play.press("fold")
    play.lift(2)
    play.press("fold")
    assert alarm(play, "pot") == (
        "$5 lies in pot and drop; by the ledger it should be $10.",
        "Count the pot and find the difference before it is pushed.",
        ("1.1 'Pot'",),
    )
    lay(play, play.game.layout.drop, 250)
    assert "pot" in alarms(play)
    lay(play, play.game.layout.pot, 249)
    assert "pot" in alarms(play)
    lay(play, play.game.layout.pot, 1)
    assert "pot" not in alarms(play)


@clause("1.1 'Pot'", "6.2")
def test_a_pot_that_was_never_seen_is_not_taken_for_pushed_until_it_was_seen_and_is_gone() -> None:
    play = decided_unseen()
    pot = play.game.layout.pot
    play.event(ChipsMoved("chips", pot))
    assert timers(play) == {}
    tags = lay(play, pot, 1_500)
    take(play, pot, *tags)
    assert timers(play) == {"push": play.at + 700}


def decided_unseen() -> PokerPlay:
    """The same, but every chip was taken up before the pot was decided."""
    play = after_the_deal()
    play.press("fold")
    play.lift(1)
    play.lift(2)
    play.press("fold")
    assert play.phase == "award"
    assert "pot" not in alarms(play)
    return play


@clause("1.1 'Pot'", "6.2")
def test_chips_swept_into_the_pot_of_a_later_hand_are_not_pushed_before_it_is_decided() -> None:
    play = decided()
    play.finish()
    play.gather()
    play.start()
    call_round(play)
    for seat in (1, 2, 3):
        play.lift(seat)
    assert list(timers(play)) == ["pot"]  # where they are is asked, not whether they were pushed
    due(play, "push")
    assert play.phase == "flop"
