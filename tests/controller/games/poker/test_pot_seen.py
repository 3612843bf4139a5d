"""The pot under watch, chip by chip: skims, splashes and change, each told within a second or not at all."""

from __future__ import annotations

import msgspec
import pytest

from controller.config.tomlread import Cents
from controller.core.events import Chip, ChipPlaced, ChipsMoved, ChipsSwept, ChipUnclear
from controller.games.poker.config import PokerSection
from controller.games.poker.lying import on_line, pot_over
from tests.controller.games.poker.play import PokerPlay, config
from tests.controller.games.poker.seen import after_the_deal, alarm, alarms, clause, timers

SECOND = 1_000


def some(play: PokerPlay, area: int, cents: int) -> list[Chip]:
    """Chips that lie on an area, up to this much."""
    found, left = [], cents
    for tag, value in sorted(play.chips[area].items(), key=lambda one: -one[1]):
        if value <= left:
            found.append(Chip(tag, "cash", value))
            left -= value
    assert not left, play.chips[area]
    return found


def move(play: PokerPlay, chips: list[Chip], origin: int, to: int = 0) -> None:
    """Chips leave an area, and come to another if there is one."""
    for chip in chips:
        del play.chips[origin][chip.tag]
    play.event(ChipsMoved("chips", origin, (), tuple(chip.tag for chip in chips)))
    if to:
        play.chips.setdefault(to, {}).update({chip.tag: chip.cents for chip in chips})
        play.event(ChipsMoved("chips", to, tuple(chips)))


def look(play: PokerPlay) -> None:
    """Whatever is to be told of the pot is told within a second."""
    if "pot" in timers(play):
        assert timers(play)["pot"] <= play.at + SECOND
        play.settle("pot")


def flop() -> tuple[PokerPlay, int]:
    """Three seats have put $50 each into the pot, and the flop is due."""
    play = after_the_deal()
    play.put(3, 5_000)
    play.put(1, 4_500)
    play.put(2, 4_000)
    assert play.phase == "flop"
    play.sweep()
    return play, play.game.layout.pot


@clause("1.1 'Pot'")
@pytest.mark.parametrize("cents", [500, 2_500, 10_000])
def test_chips_that_leave_the_pot_are_told_with_how_much_and_from_where(cents: int) -> None:
    play, pot = flop()
    before = play.at
    move(play, some(play, pot, cents), pot)
    look(play)
    text = alarm(play, "pot_short")[0]
    assert text.startswith(f"${cents // 100} of what was wagered is gone: ")
    assert "left the pot and lies nowhere" in text
    assert play.at - before <= SECOND


@clause("1.1 'Pot'")
def test_the_whole_pot_taken_during_the_flop_is_told_and_the_alarm_ends_when_it_is_back() -> None:
    play, pot = flop()
    chips = some(play, pot, 15_000)
    move(play, chips, pot)
    look(play)
    assert alarm(play, "pot_short")[0].startswith("$150 of what was wagered")
    play.chips[pot] = {chip.tag: chip.cents for chip in chips}
    play.event(ChipsMoved("chips", pot, tuple(chips)))
    assert alarms(play) == set()


@clause("1.1 'Pot'", "7.5")
def test_a_skim_no_greater_than_the_uncalled_bet_is_told_though_the_bet_still_lies_there() -> None:
    play, pot = flop()
    play.street()
    play.put(1, 10_000)
    move(play, some(play, pot, 5_000), pot)
    look(play)
    assert alarm(play, "pot_short")[0].startswith("$50 of what was wagered")
    play.press("fold", seat=2)
    play.press("fold", seat=3)
    assert play.phase == "award"
    assert alarm(play, "pot")[0] == "$100 lies in pot and drop; by the ledger it should be $150."


@clause("1.1 'Pot'")
def test_chips_taken_from_a_line_before_they_are_swept_are_told_with_the_seat() -> None:
    play = after_the_deal()
    play.put(3, 5_000)
    play.put(1, 4_500)
    play.put(2, 4_000)
    move(play, some(play, 3, 2_500), 3)
    look(play)
    assert "$25 left the line of seat 3 and lies nowhere" in alarm(play, "pot_short")[0]


@clause("1.1 'Pot'")
def test_a_blind_lifted_before_the_deal_is_told() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000)
    play.press("start_hand")
    play.put(1, 500)
    play.put(2, 1_000)
    move(play, some(play, 2, 1_000), 2)
    look(play)
    assert alarm(play, "pot_short")[0].startswith("$10 of what was wagered is gone: ")


@clause("1.1 'Pot'", "6.2")
def test_chips_of_the_pot_on_a_line_are_nobodys_wager_and_say_whose_line_it_is() -> None:
    play, pot = flop()
    play.street()
    move(play, some(play, pot, 2_500), pot, 1)
    play.settle("line:1")
    look(play)
    assert "$25 of the pot lies on the line of seat 1" in alarm(play, "pot_short")[0]
    assert play.wanted().seats == (1,)
    move(play, some(play, 1, 2_500), 1, pot)
    assert alarms(play) == set()


@clause("1.1 'Pot'", "8.2.1")
def test_chips_thrown_into_the_pot_are_told_until_they_are_wagered_before_their_seat() -> None:
    play, pot = flop()
    play.street()
    play.chips[pot][7_000] = 2_500
    play.event(ChipsMoved("chips", pot, (Chip(7_000, "cash", 2_500),)))
    look(play)
    assert alarm(play, "pot_over")[0] == "$25 lies in the pot that nobody has wagered."
    del play.chips[pot][7_000]
    play.event(ChipsMoved("chips", pot, (), (7_000,)))
    play.put(1, 2_500)
    assert (alarms(play), play.wanted().seats) == (set(), (2,))


@clause("1.1 'Pot'")
def test_a_splash_just_before_a_sweep_is_told_within_a_second_of_it_all_the_same() -> None:
    play, pot = flop()
    play.street()
    play.put(1, 5_000)
    play.put(2, 5_000)
    play.chips[pot][7_000] = 2_500
    play.event(ChipsMoved("chips", pot, (Chip(7_000, "cash", 2_500),)))
    splashed, told_by = play.at, timers(play)["pot"]
    play.fold(3)
    moves, swept = [], []
    for seat in (1, 2):
        chips = [Chip(tag, "cash", cents) for tag, cents in play.chips.pop(seat).items()]
        moves.append(ChipsMoved("chips", seat, (), tuple(chip.tag for chip in chips)))
        swept += chips
    play.at = splashed + 500
    play.chips[pot].update({chip.tag: chip.cents for chip in swept})
    play.event(ChipsSwept("chips", (*moves, ChipsMoved("chips", pot, tuple(swept)))))
    assert timers(play)["pot"] <= told_by
    look(play)
    assert alarm(play, "pot_over")[0] == "$25 lies in the pot that nobody has wagered."


# -- honest hands ------------------------------------------------------------------------------------------------


def test_a_sweep_in_parts_change_out_of_the_pot_and_commission_are_told_of_nothing() -> None:
    play, pot = flop()
    play.street()
    play.put(1, 5_000)
    play.put(2, 10_000, single=True)  # a call: $50 goes back, out of the pot
    move(play, some(play, pot, 5_000), pot)
    look(play)
    assert alarms(play) == {"line:2"}  # the chip is worth more than the call
    play.fold(3)
    for seat in (1, 2):
        chips = some(play, seat, sum(play.chips[seat].values()))
        move(play, chips, seat, pot)
        look(play)
    move(play, some(play, pot, 500), pot, play.game.layout.drop)
    look(play)
    assert alarms(play) == set()
    play.street()
    play.put(1, 5_000)
    move(play, some(play, pot, 500), pot)
    look(play)
    assert alarm(play, "pot_short")[0].startswith("$5 of what was wagered")


def test_colouring_up_the_pot_is_no_theft_and_no_splash() -> None:
    play, pot = flop()
    move(play, some(play, pot, 10_000), pot)
    play.chips[pot][7_001] = 10_000
    play.event(ChipsMoved("chips", pot, (Chip(7_001, "cash", 10_000),)))
    look(play)
    assert alarms(play) == set()


@pytest.mark.parametrize("unread_ms", [100, 500, 800])
def test_a_chip_of_the_pot_that_is_unread_for_less_than_a_second_is_unread_and_not_gone(unread_ms: int) -> None:
    play, pot = flop()
    for _ in range(3):
        chips = some(play, pot, 2_500)
        move(play, chips, pot)
        play.at += unread_ms - 100
        play.chips[pot].update({chip.tag: chip.cents for chip in chips})
        play.event(ChipsMoved("chips", pot, tuple(chips)))
        assert (alarms(play), "pot" in timers(play)) == (set(), False)


def test_an_uncalled_bet_goes_back_from_its_line_without_a_word() -> None:
    play, _ = flop()
    play.street()
    play.put(1, 10_000)
    play.press("fold", seat=2)
    play.press("fold", seat=3)
    move(play, some(play, 1, 10_000), 1)
    look(play)
    assert alarms(play) == set()


def test_what_goes_back_after_a_misdeal_leaves_the_pot_without_a_word() -> None:
    play, pot = flop()
    play.press("report", what="defective_deck")
    play.answer("misdeal_all_refunded", 1)
    look(play)
    assert alarms(play) == {"deck"}
    play.lift(pot)
    look(play)
    assert alarms(play) == {"deck"}


@clause("1.1 'Pot'")
def test_a_chip_that_no_antenna_has_read_for_a_second_is_told_at_once() -> None:
    play, pot = flop()
    (chip,) = some(play, pot, 2_500)
    del play.chips[pot][chip.tag]
    play.event(ChipsMoved("chips", pot, (), (chip.tag,), ago=900))
    assert timers(play)["pot"] <= play.at
    look(play)
    assert alarm(play, "pot_short")[0].startswith("$25 of what was wagered is gone")


@clause("1.1 'Pot'")
@pytest.mark.parametrize("stays", [True, False])
def test_a_chip_across_a_line_is_not_gone_unless_it_is_taken_from_there(stays: bool) -> None:
    play, pot = flop()
    (chip,) = some(play, pot, 2_500)
    move(play, [chip], pot)
    play.event(ChipUnclear("chips", chip, (3, pot)))
    assert timers(play)["pot"] > play.at + 2 * SECOND
    play.at += SECOND
    if stays:
        play.chips[pot][chip.tag] = chip.cents
        play.event(ChipsMoved("chips", pot, (chip,)))
        assert "pot" not in timers(play)
    else:
        play.event(ChipPlaced("chips", chip.tag))
        look(play)
        assert alarm(play, "pot_short")[0].startswith("$25")


@clause("1.1 'Pot'")
def test_a_chip_nudged_to_another_line_and_back_leaves_what_lies_there_as_it_was() -> None:
    play = after_the_deal()
    play.put(3, 5_000)
    (chip,) = some(play, 3, 2_500)[:1]
    for origin, to in ((3, 1), (1, 3)):
        play.chips[to] = {**play.chips.get(to, {}), chip.tag: play.chips[origin].pop(chip.tag)}
        both = (ChipsMoved("chips", origin, (), (chip.tag,)), ChipsMoved("chips", to, (chip,)))
        play.event(ChipsSwept("chips", both))
    seat = next(player for player in play.game.hand.betting.players if player.seat == 3)
    assert on_line(play.game, seat) == (5_000, 5_000)
    play.settle("line:1")
    play.settle("line:3")
    assert alarms(play) == set()


@clause("1.1 'Pot'", "7.5")
@pytest.mark.parametrize("lifted", [True, False])
def test_a_wager_made_in_other_chips_is_no_surplus_while_the_first_ones_are_lifted(lifted: bool) -> None:
    play = after_the_deal(1000, 1000, 100)
    play.put(3, 10_000)
    play.put(1, 20_000)
    play.fold(2)
    assert play.phase == "flop"
    stack = [Chip(tag, "cash", cents) for tag, cents in play.chips.pop(1).items()]
    play.put(play.game.layout.pot, 10_000)  # what seat 1 has wagered, in other chips
    play.sweep()
    assert pot_over(play.game, play.game.hand) == 10_000
    assert alarms(play) == set()
    if lifted:
        play.event(ChipsMoved("chips", 1, (), tuple(chip.tag for chip in stack), ago=900))
    look(play)
    assert ("pot_over" in alarms(play)) == (not lifted)


# -- slid from line to line --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["lifted first", "laid first", "in one pass"])
@clause("8.2.1", "6.2")
def test_a_wager_that_a_hand_slid_to_the_seat_in_turn_is_no_action_of_that_seat(how: str) -> None:
    play = PokerPlay()
    play.seat(200, 200, 200, 200)
    play.start()
    turn = play.wanted().options
    blind = some(play, 2, 1_000)
    lifted = ChipsMoved("chips", 2, (), tuple(chip.tag for chip in blind))
    laid = ChipsMoved("chips", turn.seat, tuple(blind))
    if how == "in one pass":
        play.event(ChipsSwept("chips", (lifted, laid)))
    else:
        for change in (lifted, laid) if how == "lifted first" else (laid, lifted):
            play.event(change)
    play.settle(f"line:{turn.seat}")
    assert play.wanted().seats == (turn.seat,), "seat 2 has put up its blind, and seat 3 has done nothing"
    assert "line:2" in play.table.state.desk.alarms
    play.event(ChipsMoved("chips", turn.seat, (), tuple(chip.tag for chip in blind)))
    play.event(ChipsMoved("chips", 2, tuple(blind)))
    play.settle("pot")
    assert not play.table.state.desk.alarms
    play.put(turn.seat, turn.to_call)
    assert play.wanted().seats != (turn.seat,)


@clause("8.9.2(b)")
def test_a_blind_that_was_slid_to_the_next_is_not_put_up_twice() -> None:
    blinds = msgspec.structs.replace(config().own(PokerSection), blinds=(Cents(1_000), Cents(1_000)))
    play = PokerPlay(msgspec.structs.replace(config(), play=blinds))
    play.seat(200, 200, 200, 200)
    play.press("start_hand")
    play.put(1, 1_000)
    blind = some(play, 1, 1_000)
    play.event(ChipsMoved("chips", 1, (), tuple(chip.tag for chip in blind)))
    play.event(ChipsMoved("chips", 2, tuple(blind)))
    assert [due.seat for due in play.game.hand.dues] == [2]
    play.event(ChipsMoved("chips", 2, (), tuple(chip.tag for chip in blind)))
    play.event(ChipsMoved("chips", 1, tuple(blind)))
    play.put(2, 1_000)
    assert not play.game.hand.dues
