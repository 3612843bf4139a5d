"""Cards and chips read anew: what was missed is taken as if it had just happened, what is as before as nothing."""

from __future__ import annotations

import pytest

from controller.cards.events import CardsCounted, Sealed
from controller.core.events import Chip, ChipsCounted
from drivers.card_antennas import BOARD, BURN, MUCK
from tests.controller.games.poker.play import PokerPlay
from tests.controller.games.poker.seen import (
    after_the_deal,
    alarms,
    before_the_deal,
    call_round,
    cards_of,
    clause,
    deal,
    notes,
    on_the_flop,
    refusals,
    seated,
    timers,
)


def count_cards(play: PokerPlay, *moved: tuple[str, int], gone: tuple[str, ...] = (), **told: object) -> None:
    """Every antenna is read anew: cards lie where they lay, but for those that moved or are gone."""
    places = {**play.game.state.felt.cards, **dict(moved)}
    lying = tuple(Sealed(antenna, name) for name, antenna in places.items() if name not in gone)
    play.event(CardsCounted("cards", told.pop("deal", play.game.deal), lying, **told))  # type: ignore[arg-type]


def count_chips(play: PokerPlay, **areas: tuple[Chip, ...]) -> None:
    """Every area is read anew: chips lie where they lay, but for the areas told, each as `a` and its number."""
    lying = {area: tuple(Chip(tag, "cash", cents) for tag, cents in chips.items())
             for area, chips in play.game.state.felt.chips.items()}  # fmt: skip
    play.event(ChipsCounted("chips", lying | {int(area[1:]): chips for area, chips in areas.items()}))


def cash(*cents: int) -> tuple[Chip, ...]:
    """New chips of these values."""
    return tuple(Chip(9_000 + number, "cash", value) for number, value in enumerate(cents))


# -- cards ------------------------------------------------------------------------------------------------------------


@clause("8.2.3", "8.4", "13.14")
def test_a_count_that_finds_every_card_where_it_was_changes_nothing() -> None:
    play = after_the_deal()
    before = play.table.save()
    count_cards(play)
    assert (play.effects, timers(play), alarms(play)) == ([], {}, set())
    assert play.table.save() == before


@clause("8.2.3", "13.14")
def test_a_hand_that_a_count_finds_in_the_muck_was_folded() -> None:
    play = after_the_deal()
    first, second = cards_of(play, 3)
    count_cards(play, (first, MUCK))
    assert play.wanted().seats == (3,)
    count_cards(play, (second, MUCK))
    assert play.wanted().seats == (1,)
    assert [(note.facts["seat"], note.facts["kind"], note.clauses) for note in notes(play, "acted")] == [
        (3, "fold", ("8.2.3",))
    ]
    assert alarms(play) == set()


@clause("13.14", "8.4")
def test_a_count_that_finds_a_card_at_another_seat_tells_it_and_one_that_finds_none_waits_for_it() -> None:
    play = after_the_deal()
    astray, lifted = cards_of(play, 1)[0], cards_of(play, 2)[0]
    count_cards(play, (astray, 3), gone=(lifted,))
    assert alarms(play) == {"exchanged:1"}
    assert timers(play) == {"away:2": play.at + 20_000}
    assert lifted not in play.game.state.felt.cards


@clause("13.14", "8.4")
def test_cards_behind_an_antenna_that_cannot_be_read_are_taken_to_lie_where_they_were() -> None:
    play = after_the_deal()
    unread, missing = cards_of(play, 1), cards_of(play, 2)
    count_cards(play, gone=(*unread, *missing), unread=(1,))
    assert timers(play) == {"away:2": play.at + 20_000}
    assert [play.game.state.felt.cards.get(name) for name in (*unread, *missing)] == [1, 1, None, None]
    count_cards(play, (unread[0], MUCK), gone=(unread[1],), unread=(1,))  # seen elsewhere, it is there
    assert [play.game.state.felt.cards.get(name) for name in unread] == [MUCK, 1]


@clause("8.4")
@pytest.mark.parametrize(("earlier", "dealt"), [(0, 3), (1, 0)])
def test_cards_of_this_deal_that_a_count_finds_are_dealt_in_their_order_and_those_of_another_are_not(
    earlier: int, dealt: int
) -> None:
    play = before_the_deal()
    names = [play.draw() for _ in range(3)]
    count_cards(play, (names[2], 3), (names[0], 1), (names[1], 2), deal=play.game.deal - earlier)
    assert play.game.hand.dealt == dealt
    assert [cards_of(play, seat) for seat in (1, 2, 3)] == [[name] if dealt else [] for name in names]
    assert (timers(play), refusals(play)) == ({}, [])


@clause("8.4")
def test_of_two_cards_that_wait_at_one_seat_the_first_is_dealt_first_after_a_count_too() -> None:
    play = before_the_deal()
    one, two = deal(play, 3), deal(play, 3)
    play.event(CardsCounted("cards", play.game.deal, (Sealed(3, two), Sealed(3, one))))
    deal(play, 1)
    deal(play, 2)
    assert cards_of(play, 3) == [one]


@clause("9.13.2", "8.4", "13.14")
@pytest.mark.parametrize("unread", [(), (BOARD,)])
def test_a_count_does_not_change_which_of_two_cards_came_to_the_board_first(unread: tuple[int, ...]) -> None:
    play = on_the_flop()
    play.street()
    call_round(play)
    play.sweep()
    play.lay(BURN, play.draw())
    first, second = play.draw(), play.draw()
    play.lay(BOARD, first)
    play.lay(BOARD, second)
    there = play.game.state.felt.cards
    lying = tuple(Sealed(antenna, name) for name, antenna in reversed(there.items()) if antenna not in unread)
    play.event(CardsCounted("cards", play.game.deal, lying, unread))
    play.press("turned_up")
    assert play.asked().subject == "two_opened"
    assert play.game.hand.ruling is not None
    assert play.game.hand.ruling.facts.shown == (play.faces[first], play.faces[second])


# -- chips ------------------------------------------------------------------------------------------------------------


@clause("6.2", "8.9.2(b)")
def test_blinds_that_a_count_finds_are_put_up_and_only_chips_of_this_table_are_counted() -> None:
    play = seated()
    play.press("start_hand")
    foreign = Chip(8_000, "other_table", 0)
    count_chips(play, a0=(Chip(7_000, "cash", 100_000),), a1=(*cash(500), foreign), a2=(foreign,))
    assert [owed.seat for owed in play.game.hand.dues] == [2]
    assert play.game.chip_picture() == {1: [9_000]}


@clause("6.2", "6.13")
@pytest.mark.parametrize(("chips", "kind", "total"), [((2_500,), "call", 1_000), ((2_000, 500), "raise", 2_500)])
def test_chips_that_a_count_finds_on_the_line_in_turn_come_to_rest_and_are_read_as_they_lie(
    chips: tuple[int, ...], kind: str, total: int
) -> None:
    play = after_the_deal()
    count_chips(play, a3=cash(*chips))
    resting = {"line:3": play.at + 300}
    assert timers(play) == resting
    count_chips(play)
    assert timers(play) == resting  # nothing has come since
    play.settle("line:3")
    assert [(note.facts["seat"], note.facts["kind"], note.facts["total"]) for note in notes(play, "acted")] == [
        (3, kind, total)
    ]


@clause("6.2", "1.1 'Round of Play'")
def test_a_count_that_finds_the_pot_gone_waits_as_for_one_that_was_seen_to_go() -> None:
    play = after_the_deal()
    play.press("fold")
    play.press("fold")
    assert play.phase == "award"
    count_chips(play)
    assert timers(play) == {}
    count_chips(play, a1=(), a2=())
    assert timers(play) == {"push": play.at + 700}
    play.settle("push")
    assert play.stacks() == {1: 99_500, 2: 100_500, 3: 100_000}
    assert play.game.chip_picture() == {}
