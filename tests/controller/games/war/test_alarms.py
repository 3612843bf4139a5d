"""The alarms of Casino War, each raised and ended by chips, cards and keys."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from controller.core.desk import Limits
from controller.core.events import Chip, ChipPlaced, ChipsMoved, ChipUnclear, PlayerCardRead
from controller.core.table import Table
from controller.games.war import alarms
from controller.games.war.alarms import ALARMS
from controller.games.war.config import WarConfig
from controller.games.war.events import SourceMode
from drivers.cards import CardDrawn, CardPushedBack, CardReadAgain, GateForced
from drivers.shuffler import DeckChecked, ShufflerMode, ShufflerSwapped
from tests.controller.alarm_stories import Stories, raised_and_ended
from tests.controller.games.war.cards import betting, closed_shoe, stake, staked, uncut
from tests.controller.games.war.felt import Felt, drawn, felt_with
from tests.controller.games.war.play import MELBOURNE, STAR, Play, tied

STORIES = Stories()
pytestmark = pytest.mark.guards(MELBOURNE)
PAID = {"confirmed": True, "reason": "counted by hand"}


def ended(felt: Play) -> None:
    """The round is played to its end."""
    felt.press("settled", 3, **PAID)
    felt.press("place_bets", 3, **PAID)


def in_a_round() -> Felt:
    """Ann's card lies there, and the dealer's is due."""
    felt = felt_with("Ann")
    felt.draw("KH")
    return felt


# -- the card source -----------------------------------------------------------------------------------------------


@STORIES.of(alarms.NotAllowed)
def a_table_the_rulebook_forbids() -> Iterator[Table]:
    play = Play(MELBOURNE, WarConfig(decks=1), Limits(1000, 50_000, 0, 250))
    yield play.table
    play.press("give_up_opening")


@pytest.mark.clause(MELBOURNE, "2.1")
def test_of_several_things_that_the_rulebook_forbids_the_first_is_told() -> None:
    play = Play(MELBOURNE, WarConfig(decks=1, boxes=90), Limits(1000, 50_000, 0, 250))
    (alarm,) = play.table.state.desk.alarms.values()
    assert alarm.text.startswith("90 boxes; at least 1, at most ")


@pytest.mark.clause(MELBOURNE, "7.2")
def test_what_is_about_a_round_ends_when_the_table_closes() -> None:
    felt = Felt(MELBOURNE)
    felt.press("sit", 1, box=1, player="Ann")
    felt.press("card_touched", 1, player="Ann")
    assert "card_touched" in felt.table.state.desk.alarms
    felt.press("player_left", player="Ann")
    felt.press("close")
    assert (felt.table.state.life, "card_touched" in felt.table.state.desk.alarms) == ("closed", False)


@STORIES.of(alarms.GateForced)
def a_card_through_the_gate() -> Iterator[Table]:
    felt = in_a_round()
    felt.take(GateForced("shoe", 9))
    yield felt.table
    felt.draw("5D")
    ended(felt)


@STORIES.of(alarms.OtherSource)
def a_card_from_the_spare() -> Iterator[Table]:
    felt = in_a_round()
    felt.take(CardDrawn("shuffler", 1, "KH", 99))
    yield felt.table
    felt.draw("5D")
    ended(felt)


@STORIES.of(alarms.PushedBack)
def a_card_that_went_back_too_late() -> Iterator[Table]:
    felt = in_a_round()
    felt.draw("5D")
    felt.take(CardPushedBack("shoe", felt.draws, "5D", True))
    yield felt.table
    ended(felt)


@STORIES.of(alarms.OutOfTurn)
def a_card_before_the_shuffle() -> Iterator[Table]:
    play = closed_shoe(MELBOURNE)
    play.card("KS")
    yield play.table
    play.new_shoe()
    play.card("2C")
    play.press("order_shuffle")
    play.press("shuffled")
    play.card("QS")
    yield play.table


@STORIES.of(alarms.ReadDiffers)
def a_card_read_twice() -> Iterator[Table]:
    felt = in_a_round()
    felt.take(CardReadAgain("shoe", felt.draws, "QH", 99, "KH"))
    yield felt.table
    felt.press("seen_to", 4, alarm="read_differs", reason="it is the king")


def with_shuffler() -> Play:
    return betting(MELBOURNE, source="csm")


@STORIES.of(alarms.LeftInside)
def a_shuffler_carried_away() -> Iterator[Table]:
    play = with_shuffler()
    play.take(ShufflerSwapped("shuffler", "S-1", "S-2", 40))
    yield play.table
    play.press("clear_fault", fault="cards_left_inside")


@STORIES.of(alarms.NotShuffling)
def a_shuffler_that_sorts() -> Iterator[Table]:
    play = with_shuffler()
    play.take(ShufflerMode("shuffler", "sort", "keys"))
    yield play.table
    play.take(ShufflerMode("shuffler", "shuffle", "keys"))


@STORIES.of(alarms.WrongContent)
def cards_nobody_put_there() -> Iterator[Table]:
    play = with_shuffler()
    play.take(SourceMode("shuffle", 7))
    yield play.table
    play.press("clear_fault", fault="shuffler_content")


@STORIES.of(alarms.CuttingCardInside)
def a_cutting_card_from_the_shuffler() -> Iterator[Table]:
    play = staked(MELBOURNE, "Ann", source="csm")
    play.card("CUT")
    yield play.table
    play.press("clear_fault", fault="cutting_card_in_shuffler")


# -- the cards -----------------------------------------------------------------------------------------------------


@STORIES.of(alarms.WrongDeck)
def a_joker() -> Iterator[Table]:
    play = staked(MELBOURNE, "Ann")
    play.card("JOKER")
    yield play.table
    play.answer("wrong_deck", "void")


@STORIES.of(alarms.WrongCount)
def one_card_short_after_gaming() -> Iterator[Table]:
    play = Play(MELBOURNE, WarConfig(decks=6))
    play.new_shoe("2C")
    play.press("close")
    play.answer("count", "wrong", count=311)
    yield play.table
    play.press("open")
    play.press("replace_cards", why="new cards")
    play.new_shoe("2C")
    play.press("close")
    play.answer("count", "wrong", count=313)
    yield play.table


def check(complete: bool) -> DeckChecked:
    return DeckChecked("shuffler", 1, 6, complete, complete, 312 if complete else 200)


@STORIES.of(alarms.BrokenOff)
def a_check_broken_off() -> Iterator[Table]:
    play = closed_shoe(MELBOURNE, source="csm")
    play.take(check(False))
    yield play.table
    play.take(check(True))


@STORIES.of(alarms.SetAside)
def a_damaged_card() -> Iterator[Table]:
    play = betting(MELBOURNE)
    play.press("set_aside", face="QS")
    yield play.table
    play.press("replace_card", face="QS")


@STORIES.of(alarms.InOrder)
def cards_as_the_factory_packs_them() -> Iterator[Table]:
    play = betting(MELBOURNE)
    for pair in (("4S", "5S"), ("6S", "7S"), ("8S", "9S")):
        stake(play, "Ann")
        play.cards(*pair)
        if pair[0] != "8S":
            ended(play)
    yield play.table
    play.answer("sequence", "shuffle")


@STORIES.of(alarms.CutEarly)
def a_cutting_card_too_far_to_the_front() -> Iterator[Table]:
    play = staked(MELBOURNE, "Ann")
    play.cards("QH", "CUT")
    yield play.table
    play.card("7C")
    ended(play)
    play.press("shuffled")
    play.answer("cut", "cut")


@STORIES.of(alarms.CardTouched)
def a_player_handles_cards() -> Iterator[Table]:
    felt = in_a_round()
    felt.press("card_touched", 1, player="Ann")
    yield felt.table
    felt.draw("5D")
    ended(felt)


# -- people and their stakes ---------------------------------------------------------------------------------------


@STORIES.of(alarms.ChoiceOpen)
def a_card_past_an_open_choice() -> Iterator[Table]:
    play = tied(MELBOURNE)
    play.card("9H")
    yield play.table
    play.answer("choice:2:Bob", "surrender")
    play.lay("w", "Ann", 1, "war", 1000)
    play.card("2H")
    play.press("settled")
    play.press("place_bets")
    play.lay("again", "Ann", 1, "main", 1000)
    play.press("no_more_bets")
    play.cards("QH", "QD")
    play.press("settled")
    play.card("9S")
    yield play.table


@STORIES.of(alarms.NoBoxChosen)
def a_player_card_for_no_box() -> Iterator[Table]:
    felt = Felt(STAR)
    read = PlayerCardRead("cards", "ab" * 32, "valid")
    felt.take(read)
    yield felt.table
    felt.press("player_card", 1, box=2)
    felt.take(read)


@STORIES.of(alarms.StakeMoved)
def a_stake_raised_after_the_first_card() -> Iterator[Table]:
    felt = in_a_round()
    tags = felt.put(1, "main", 500)
    yield felt.table
    felt.lift(1, "main", *tags)


@STORIES.of(alarms.Astray)
def chips_left_on_the_war_spot() -> Iterator[Table]:
    felt = felt_with("Ann")
    drawn(felt, "KS", "KD")
    felt.press("settled", 3, **PAID)
    tags = felt.put(1, "war", 1000)
    drawn(felt, "9S", "8S")
    ended(felt)
    yield felt.table
    felt.lift(1, "war", *tags)


@STORIES.of(alarms.AcrossTheLine)
def a_chip_across_a_line() -> Iterator[Table]:
    felt = Felt(MELBOURNE)
    felt.take(across(felt))
    yield felt.table
    felt.take(ChipPlaced("chips", 77))


def across(felt: Felt) -> ChipUnclear:
    return ChipUnclear("chips", Chip(77, "cash", 500), (felt.area(1, "main"), felt.area(2, "main")))


def test_every_alarm_of_the_game_has_its_story() -> None:
    assert STORIES.missing(ALARMS) == set()


@pytest.mark.parametrize("kind", STORIES)
def test_an_alarm_of_the_game_is_raised_and_ends(kind: str) -> None:
    raised_and_ended(kind, STORIES[kind])


@pytest.mark.clause(MELBOURNE, "5.4")
def test_chips_changed_for_others_of_the_same_worth_are_no_second_move_of_a_stake() -> None:
    felt = in_a_round()
    tags = felt.put(1, "main", 500)
    felt.take(ChipsMoved("chips", felt.area(1, "main"), (Chip(900, "cash", 500),), tuple(tags)))
    assert felt.table.state.desk.alarms["moved:main 1 Ann"].count == 1
    felt.put(1, "main", 500)
    assert felt.table.state.desk.alarms["moved:main 1 Ann"].count == 2


# -- in other ways -------------------------------------------------------------------------------------------------


def test_every_further_change_of_a_stake_is_told_and_counted() -> None:
    felt = in_a_round()
    first = felt.put(1, "main", 500)
    second = felt.put(1, "main", 1000)
    ((code, alarm),) = felt.table.state.desk.alarms.items()
    assert (alarm.count, alarm.text) == (2, "Chips of Ann on box 1 changed to $25 after the first card.")
    felt.lift(1, "main", *second)
    assert felt.table.state.desk.alarms[code].count == 3
    felt.lift(1, "main", *first)
    assert felt.table.state.desk.alarms == {}


def test_a_stake_that_stays_changed_is_told_until_it_is_settled() -> None:
    felt = in_a_round()
    felt.put(1, "main", 500)
    felt.draw("5D")
    felt.press("settled", 3, **PAID)
    assert felt.table.state.desk.alarms == {}


@pytest.mark.parametrize("onto", [True, False])
def test_a_chip_across_a_line_is_clear_once_it_is_seen_on_one_zone_or_lifted(onto: bool) -> None:
    felt = Felt(MELBOURNE)
    felt.take(across(felt))
    felt.take(across(felt))
    assert [alarm.count for alarm in felt.table.state.desk.alarms.values()] == [1]
    area, chip = felt.area(1, "main"), Chip(77, "cash", 500)
    felt.take(ChipsMoved("chips", area, (chip,)) if onto else ChipsMoved("chips", area, (), (77,)))
    assert felt.table.state.desk.alarms == {}


def test_two_cards_set_aside_are_two_alarms() -> None:
    play = betting(MELBOURNE)
    for face in ("QS", "QS", "4D"):
        play.press("set_aside", face=face)
    assert [alarm.count for alarm in play.table.state.desk.alarms.values()] == [2, 1]


def test_what_belongs_to_a_round_does_not_outlive_the_session() -> None:
    play = uncut(MELBOURNE)
    play.take(GateForced("shoe", 9))
    play.press("close")
    assert (play.table.state.life, play.table.state.desk.alarms) == ("closed", {})
