"""Cards on a poker table outside any ruling: what lies where, what is told of it, and when it is told no longer."""

from __future__ import annotations

import pytest

from controller.cards.events import CardBetween, CardNotBetween, CardsMoved, Sealed
from controller.core.effects import Alarmed, Uncovered
from controller.games.poker.round import WHILE
from drivers.card_antennas import BOARD, BURN, MUCK
from tests.controller.games.poker.play import PokerPlay, config
from tests.controller.games.poker.seen import (
    after_the_deal,
    alarm,
    alarms,
    before_the_deal,
    call_round,
    cards_of,
    clause,
    deal,
    due,
    notes,
    on_the_flop,
    refusals,
    seated,
    timers,
)

# -- cards come and go ------------------------------------------------------------------------------------------------


@clause("13.14", "5.1")
def test_cards_laid_down_between_hands_are_only_in_the_way_of_the_next_one() -> None:
    play = seated()
    play.lay(2, play.draw(), play.draw())
    assert play.phase == "between_hands"
    refusal = play.refused("start_hand")
    assert (refusal.code, refusal.clauses) == ("cards_lie", ("5.1",))
    assert "seat 2" in refusal.text
    play.take_up(*list(play.lies))
    play.press("start_hand")
    assert play.phase == "posting"


@clause("13.14", "8.2.3")
def test_a_card_that_is_seen_in_the_muck_before_it_is_gone_from_the_seat_lies_in_the_muck() -> None:
    play = after_the_deal()
    deal_number = play.game.deal
    first, second = cards_of(play, 3)
    play.event(CardsMoved("cards", deal_number, (Sealed(MUCK, first),)))
    play.event(CardsMoved("cards", deal_number, (), ((3, first),)))
    assert play.game.state.felt.cards[first] == MUCK
    assert play.wanted().seats == (3,)
    play.event(CardsMoved("cards", deal_number, (Sealed(MUCK, second),), ((3, second),)))
    assert play.wanted().seats == (1,)
    assert [player.out for player in play.game.hand.betting.players] == ["", "", "folded"]


@clause("9.13.2", "13.14")
def test_of_two_cards_opened_on_the_turn_the_first_is_the_one_that_came_to_the_board_first() -> None:
    play = on_the_flop()
    play.street()
    call_round(play)
    play.sweep()
    play.lay(BURN, play.draw())
    late, first = play.draw(), play.draw()
    for antenna, card in ((MUCK, late), (BOARD, first), (BOARD, late)):  # one was read in passing over the muck
        play.event(CardsMoved("cards", play.game.deal, (Sealed(antenna, card),)))
    play.press("turned_up")
    assert play.asked().subject == "two_opened"
    play.answer("first_stays", 1)
    assert play.refused("done").text.startswith("The card does not lie with the burns.")
    play.event(CardsMoved("cards", play.game.deal, (), ((BOARD, late),)))
    assert play.refused("done").code == "not_seen"
    play.lay(BURN, late)
    play.press("done")
    assert play.game.hand.board[3:] == [play.faces[first]]


@clause("13.14")
def test_a_card_of_an_earlier_deal_is_not_dealt() -> None:
    play = before_the_deal()
    card = play.draw()
    play.event(CardsMoved("cards", play.game.deal - 1, (Sealed(1, card),)))
    assert (play.game.hand.dealt, play.game.state.deal.waiting) == (0, [])


@clause("3.1", "13.14")
def test_a_foreign_tag_is_told_until_it_is_taken_off_and_is_never_dealt() -> None:
    play = before_the_deal()
    play.faces["?2"] = ""
    play.lay(1, "?2")
    text, remedy, clauses = alarm(play, "foreign_card:2")
    assert "seat 1" in text
    assert "defective deck" in remedy
    assert clauses == ("3.1", "1.1 'Defective deck'")
    assert (play.game.hand.dealt, play.game.state.deal.waiting, timers(play)) == (0, [], {})
    assert not refusals(play)
    play.deal()
    assert "c2" in cards_of(play, 2)
    play.take_up("c2")
    assert "foreign_card:2" in alarms(play)
    play.take_up("?2")
    assert "foreign_card:2" not in alarms(play)


# -- between two antennas ---------------------------------------------------------------------------------------------


@clause("8.4", "13.14")
def test_a_card_between_two_places_is_told_until_every_such_card_lies_clearly() -> None:
    play = before_the_deal()
    one, two = play.draw(), play.draw()
    play.event(CardBetween("cards", one, (1, 2)))
    play.event(CardBetween("cards", two, (2, 3)))
    assert "seat 2 and seat 3" in alarm(play, "card_between")[0]
    play.lay(1, one)
    assert play.game.hand.dealt == 1
    assert "card_between" in alarms(play)
    play.event(CardNotBetween("cards", two))
    assert "card_between" not in alarms(play)


@clause("8.4")
def test_a_card_that_lay_between_two_places_when_the_next_hand_began_is_told_no_longer_once_it_is_gone() -> None:
    play = seated()
    play.event(CardBetween("cards", "old-name", (1, 2)))
    play.press("start_hand")
    play.event(CardNotBetween("cards", "new-name"))
    assert "card_between" not in alarms(play)


# -- off the table ----------------------------------------------------------------------------------------------------


@clause("8.13")
@pytest.mark.parametrize("seat", [1, 2])
def test_a_live_hand_has_twenty_seconds_off_the_table_from_its_first_card(seat: int) -> None:
    play = after_the_deal()
    first, second = cards_of(play, seat)
    play.take_up(first)
    until = play.at + 20_000
    assert timers(play) == {f"away:{seat}": until}
    play.take_up(second)
    assert timers(play) == {f"away:{seat}": until}
    play.settle(f"away:{seat}")
    assert alarm(play, f"cards_away:{seat}") == (
        f"2 of seat {seat}'s cards have not been on the table for a while.",
        "Have the player lay them down in view.",
        ("8.13",),
    )
    play.lay(seat, first)
    assert alarm(play, f"cards_away:{seat}")[0].startswith(f"1 of seat {seat}'s cards")
    play.lay(seat, second)
    assert f"cards_away:{seat}" not in alarms(play)


@clause("8.13")
@pytest.mark.parametrize("place", [MUCK, BOARD, BURN])
def test_a_live_card_that_is_lifted_from_where_it_does_not_belong_is_asked_for_too(place: int) -> None:
    play = after_the_deal()
    card = cards_of(play, 3)[0]
    play.lay(place, card)
    assert timers(play) == {}
    play.take_up(card)
    assert timers(play) == {"away:3": play.at + 20_000}


@clause("8.13")
def test_only_the_cards_of_the_seat_whose_time_is_over_are_asked_for() -> None:
    play = after_the_deal()
    play.take_up(cards_of(play, 2)[0])
    play.take_up(*cards_of(play, 3))
    due(play, "away:2")
    assert alarms(play) == {"cards_away:2"}
    assert alarm(play, "cards_away:2")[0].startswith("1 of seat 2's cards")


@clause("8.13")
def test_cards_that_are_back_or_folded_by_then_are_not_asked_for() -> None:
    play = after_the_deal()
    back, gone = cards_of(play, 2)[0], cards_of(play, 3)
    play.take_up(back)
    play.take_up(*gone)
    play.lay(2, back)
    play.press("fold")
    assert [*due(play, "away:2"), *due(play, "away:3")] == []
    assert alarms(play) == set()


@clause("8.13")
def test_time_that_runs_out_after_the_hand_asks_for_nothing() -> None:
    play = after_the_deal()
    play.take_up(cards_of(play, 1)[0])
    play.press("fold")
    play.press("fold")
    play.finish()
    assert timers(play) == {}
    due(play, "away:1")
    assert alarms(play) == set()


@clause("8.13")
def test_nobody_waits_for_cards_that_are_folded_or_tabled_or_lifted_during_a_ruling() -> None:
    folded = after_the_deal()
    folded.press("fold")
    folded.take_up(*cards_of(folded, 3))
    ruling = after_the_deal()
    ruling.press("report", what="player_exposed", seat=3)
    ruling.take_up(*cards_of(ruling, 3))
    tabled = after_the_deal()
    tabled.check_down()
    tabled.press("table_hand", seat=1)
    tabled.take_up(*cards_of(tabled, 1))
    for play in (folded, ruling, tabled):
        assert not any(timer.startswith("away") for timer in timers(play))


# -- cards at other seats ---------------------------------------------------------------------------------------------


@clause("13.14")
def test_a_live_card_at_another_seat_is_told_and_is_not_taken_to_be_off_the_table() -> None:
    play = after_the_deal()
    play.lay(2, cards_of(play, 1)[0])
    assert alarm(play, "exchanged:1") == (
        "A card that was dealt to seat 1 lies at seat 2.",
        "Put it back; report exchanged cards if it was handed over.",
        ("13.14",),
    )
    assert timers(play) == {}


@clause("13.14")
def test_a_card_laid_back_where_it_was_dealt_and_one_of_a_folded_hand_are_nobodys_concern() -> None:
    play = after_the_deal()
    card = cards_of(play, 1)[0]
    play.take_up(card)
    play.lay(1, card)
    play.press("fold")
    before = len(play.told)
    play.lay(1, cards_of(play, 3)[0])
    assert (alarms(play), [effect for effect in play.told[before:] if isinstance(effect, Alarmed)]) == (set(), [])


@clause("8.13", "13.14")
def test_one_of_two_lifted_cards_that_comes_back_in_time_tells_nothing_of_the_other() -> None:
    play = after_the_deal()
    cards = cards_of(play, 1)
    play.take_up(*cards)
    play.lay(1, cards[0])
    assert (alarms(play), list(timers(play))) == (set(), ["away:1"])
    due(play, "away:1")
    assert alarm(play, "cards_away:1")[0].startswith("1 of seat 1's cards")


@clause("8.4")
def test_a_card_that_comes_to_a_seat_after_the_deal_is_told_at_once() -> None:
    play = after_the_deal()
    play.lay(2, play.draw())
    assert alarm(play, "stray:2") == (
        "A card lies at seat 2 that is not due there.",
        "Take it back, or report what went wrong.",
        ("8.4",),
    )
    assert timers(play) == {}


# -- burns and board --------------------------------------------------------------------------------------------------


@clause("1.1 'Burn'")
def test_a_burn_that_is_not_due_is_told_until_it_is_put_back() -> None:
    play = on_the_flop()
    play.lay(BURN, play.draw())
    assert alarms(play) == set()
    extra = deal(play, BURN)
    assert alarm(play, "burn") == (
        "A card lies with the burns that is not due there.",
        "Put it back on top of the deck.",
        ("1.1 'Burn'",),
    )
    play.take_up(extra)
    assert alarms(play) == set()


@clause("9.10")
@pytest.mark.parametrize(("phase", "clauses"), [("bet1", ("9.10", "9.11", "9.12.1")), ("showdown", ())])
def test_a_board_card_that_comes_too_early_is_told_until_the_last_one_is_taken_back(
    phase: str, clauses: tuple[str, ...]
) -> None:
    play = after_the_deal()
    if phase == "showdown":
        play.check_down()
    assert play.phase == phase
    one, two = deal(play, BOARD), deal(play, BOARD)
    text, _, told = alarm(play, "board_early")
    assert (text, told) == (f"A card lies on the board while {WHILE[phase]}.", clauses)
    play.take_up(one)
    assert "board_early" in alarms(play)
    play.take_up(two)
    assert alarms(play) == set()


@clause("8.18.1", "9.10")
def test_the_flop_is_laid_in_its_time_and_may_be_lifted_and_laid_back() -> None:
    play = on_the_flop()
    play.sweep()
    play.lay(BURN, play.draw())
    flop = [play.draw() for _ in range(3)]
    play.lay(BOARD, *flop)
    assert alarms(play) == set()
    play.press("turned_up")
    play.take_up(flop[0])
    play.lay(BOARD, flop[0])
    assert alarms(play) == set()
    assert play.refused("turned_up").code == "no_card"


@clause("8.7", "8.18.1")
def test_a_hole_card_and_a_foreign_tag_on_the_board_are_not_opened_with_the_flop() -> None:
    play = on_the_flop()
    play.lay(BURN, play.draw())
    play.faces["?f"] = ""
    play.lay(BOARD, "?f", cards_of(play, 1)[0])
    flop = [play.draw() for _ in range(3)]
    play.lay(BOARD, *flop)
    opened = play.press("turned_up")
    assert [effect.cards for effect in opened if isinstance(effect, Uncovered)] == [tuple(flop)]
    assert play.game.hand.board == [play.faces[name] for name in flop]


# -- folds and discards -----------------------------------------------------------------------------------------------


@clause("8.2.3", "13.14")
def test_a_hand_is_folded_by_its_last_card_and_what_is_already_out_of_play_goes_unremarked() -> None:
    play = after_the_deal(1000, 1000, 1000, 1000)
    first, second = cards_of(play, 3)
    play.lay(MUCK, first)
    assert play.wanted().seats == (3,)
    play.lay(MUCK, second)
    assert play.wanted().seats == (4,)
    play.press("fold")
    play.fold(4)
    assert play.wanted().seats == (1,)
    assert (refusals(play), alarms(play)) == ([], set())


@clause("8.7", "13.14")
def test_a_tabled_hand_that_is_cleared_away_stays_tabled() -> None:
    play = after_the_deal()
    play.check_down()
    play.press("table_hand", seat=1)
    play.fold(1)
    assert not refusals(play)
    play.show_all()
    assert sorted(read.seat for read in play.game.hand.hands) == [1, 2, 3]


@clause("8.2.3")
def test_a_hand_given_up_while_nobody_is_to_act_is_told() -> None:
    play = on_the_flop()
    play.fold(2)
    assert alarm(play, "mucked:2") == (
        "Seat 2 has given up its cards while the flop is being dealt.",
        "Give them back, or report what went wrong.",
        ("8.2.3",),
    )
    assert play.game.hand.betting.players[1].live


@clause("8.17.4", "8.2.3")
def test_one_card_is_given_up_in_pineapple_and_a_whole_hand_is_told() -> None:
    play = on_the_flop(setup=config(game="pineapple"))
    assert play.phase == "discard1"
    one, two, three = cards_of(play, 1)
    play.lay(MUCK, one)
    assert cards_of(play, 1) == [two, three]
    play.lay(MUCK, two)
    assert (alarms(play), refusals(play)) == (set(), [])
    assert cards_of(play, 1) == [two, three]
    play.lay(MUCK, three)
    assert alarms(play) == {"mucked:1"}


@clause("8.17.4", "1.1 'Burn'")
def test_a_discard_and_the_burn_after_it_may_be_read_in_one_sweep() -> None:
    play = on_the_flop(1000, 1000, setup=config(game="pineapple"))
    play.lay(MUCK, cards_of(play, 1)[0])
    card, burn = cards_of(play, 2)[0], play.draw()
    play.event(CardsMoved("cards", play.game.deal, (Sealed(MUCK, card), Sealed(BURN, burn)), ((2, card),)))
    assert play.phase == "flop"
    assert play.game.hand.burns == [burn]
    assert not notes(play, "burned_before_the_round_was_over")
    assert alarms(play) == set()


def put_down(play: PokerPlay, seat: int) -> str:
    """A card that lies at a seat before its turn; the table waits a moment for the one that is due."""
    card = deal(play, seat)
    assert "deal" in timers(play)
    return card


@clause("8.4")
def test_cards_are_dealt_in_the_order_that_is_due_whatever_order_they_are_read_in() -> None:
    play = before_the_deal()
    third = put_down(play, 3)
    until = timers(play)["deal"]
    assert until == play.at + 1_500
    second = put_down(play, 2)
    assert (timers(play)["deal"], play.game.hand.dealt) == (until, 0)
    first = deal(play, 1)
    assert (cards_of(play, 1), cards_of(play, 2), cards_of(play, 3)) == ([first], [second], [third])
    assert (timers(play), play.game.state.deal.waiting, play.phase) == ({}, [], "dealing")


@clause("8.4")
def test_of_two_cards_that_wait_at_one_seat_the_first_is_dealt_first() -> None:
    play = before_the_deal()
    one, two = put_down(play, 3), put_down(play, 3)
    deal(play, 1)
    deal(play, 2)
    assert cards_of(play, 3) == [one]
    deal(play, 1)
    deal(play, 2)
    assert cards_of(play, 3) == [one, two]
    assert play.phase == "bet1"


@clause("8.4")
def test_a_card_the_dealer_takes_back_from_the_wrong_seat_in_time_was_never_dealt_there() -> None:
    play = before_the_deal()
    card = put_down(play, 3)
    play.take_up(card)
    assert play.game.state.deal.waiting == []
    play.lay(1, card)
    again = put_down(play, 3)
    play.lay(2, again)  # read at its new place before it was gone from the old one
    assert (cards_of(play, 1), cards_of(play, 2), cards_of(play, 3)) == ([card], [again], [])
    assert (play.game.state.deal.waiting, alarms(play), refusals(play)) == ([], set(), [])


@clause("8.4", "9.1.1(c)")
def test_a_card_that_goes_from_one_wrong_seat_to_another_lies_at_the_last() -> None:
    play = before_the_deal()
    card = put_down(play, 2)
    play.lay(3, card)
    deal(play, 1)
    assert cards_of(play, 2) == []
    play.settle("deal")
    assert play.asked().evidence["seat"] == 2
    assert play.game.hand.ruling is not None
    assert play.game.hand.ruling.facts.shown == (card,)
