"""Checks of the cards: before use, by order, by the shuffler and after gaming; always by name, never by count."""

from __future__ import annotations

from typing import Any

import pytest

from controller.core.effects import Announced, Noted, Ordered, Ruled
from controller.games.war.config import WarConfig
from drivers.shuffler import DeckChecked
from tests.controller.games.war.felt import Felt
from tests.controller.games.war.play import BURN, MELBOURNE, PERTH, STAR, Play, clause, noted, opened
from tests.controller.games.war.seen import HOUSES, refusal

WRONG_DECK = {
    PERTH: ("6.11", "2.2", "2.7"),
    STAR: ("11.17.2", "11.17.1", "11.17.3", "11.17.4"),
}


def shuffler(house: str, *burn: str) -> Play:
    """A table that deals from a shuffler, with Ann's card read."""
    play = Play(house, WarConfig(6, source="csm"))
    play.new_shoe(*burn)
    play.press("player_card", player="Ann")
    assert play.phase == "betting"
    return play


def found(count: int = 312, complete: bool = True, **wrong: Any) -> DeckChecked:
    """What the shuffler tells at the end of a check; good only when nothing whatever is wrong."""
    return DeckChecked("shuffler", 1, 6, complete, complete and not wrong, count, **wrong)


def question(play: Play) -> str:
    asked = play.game.asked("wrong_deck")
    return asked.text if asked else ""


def round_of(play: Play, *cards: str) -> None:
    play.lay("a", "Ann", 1, "main", 1000)
    play.cards(*cards)
    play.press("settled")
    assert play.phase == "over"


# -- an ordered check -------------------------------------------------------------------------------------------------


@clause(STAR, "3.8", "11.1.1", "3.3")
def test_between_rounds_the_shuffler_checks_at_once_and_every_check_has_its_number() -> None:
    play = shuffler(STAR, "2C")
    for number in (1, 2):
        effects = play.press("order_check", rank=2)
        assert effects == [
            Ordered("shuffler", "StartCheck", {"check": number, "decks": 6}),
            Noted("check_ordered", {"by": "rank2", "check": number, "decks": 6}, ("3.3",)),
        ]
    assert play.game.may_draw() is False  # nobody has staked
    play.lay("a", "Ann", 1, "main", 1000)
    assert play.game.may_draw()


@clause(STAR, "3.8", "11.1.1")
@clause(MELBOURNE, "4.4.2")
@pytest.mark.parametrize(
    ("house", "source", "named"), [(STAR, "csm", "3.8"), (STAR, "shoe", "3.8"), (MELBOURNE, "shoe", "4.4.2")]
)
def test_a_check_ordered_while_cards_are_dealt_waits_for_the_end_of_the_round(
    house: str, source: str, named: str
) -> None:
    play = opened(house, source=source)
    play.lay("a", "Ann", 1, "main", 1000)
    play.press("no_more_bets")
    play.card("KH")
    effects = play.press("order_check", rank=3)
    text = "Take every card out after this round, have them read one by one, and enter what was found."
    assert effects == [
        Ruled("order_check", "all cards are checked after this round", "rank3", 3, (named,)),
        Announced("dealer", "check_due", text, (named,)),
    ]
    play.card("5D")
    play.press("settled")
    play.press("place_bets")
    assert refusal(play) == ("check_due", (named,))


@clause(STAR, "3.8")
def test_a_check_that_finds_every_card_lifts_the_order_and_one_broken_off_does_not() -> None:
    play = shuffler(STAR, "2C")
    play.lay("a", "Ann", 1, "main", 1000)
    play.card("KH")
    play.press("order_check", rank=2)
    play.card("5D")
    play.press("settled")
    play.take(found(200, complete=False))
    alarm = play.table.state.desk.alarms["check_broken_off"]
    assert (alarm.text, alarm.clauses) == ("The check of the cards was broken off.", ("3.3", "3.8"))
    assert question(play) == ""
    play.press("place_bets")
    assert refusal(play) == ("check_due", ("3.8",))
    play.take(found(309, missing=("2C", "KH", "5D")))  # they lie in the discards
    assert (question(play), play.table.state.desk.alarms) == ("", {})
    assert noted(play, "deck_checked")[-1] == {
        "good": False, "count": 309, "missing": ["2C", "KH", "5D"], "surplus": [],
    }  # fmt: skip
    play.press("place_bets")
    assert play.phase == "betting"


# -- what the shuffler finds ------------------------------------------------------------------------------------------


@clause(STAR, "3.8")
@clause(PERTH, "2.2")
@pytest.mark.parametrize("house", [PERTH, STAR])
@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"missing": ("QS",), "surplus": ("2C",)}, "missing: Q♠; too many: 2♣"),
        ({"missing": ("QS",)}, "missing: Q♠"),
        ({"surplus": ("2C",)}, "too many: 2♣"),
        ({"unread": 1}, "foreign: foreign"),
        ({"jokers": 1}, "foreign: foreign"),
        ({"foreign": 1}, "foreign: foreign"),
        ({"jokers": 4, "foreign": 2, "unread": 1}, f"foreign: {', '.join(['foreign'] * 7)}"),
    ],
)
def test_one_wrong_card_is_enough_however_right_the_count(house: str, wrong: dict[str, Any], words: str) -> None:
    play = shuffler(house, *BURN[house])
    play.take(found(**wrong))
    assert question(play) == f"The set is not 6 decks: {words}. Void the round and return its money?"
    alarm = play.table.state.desk.alarms["wrong_deck"]
    assert (alarm.text, alarm.clauses) == (f"The set is not 6 decks: {words}.", WRONG_DECK[house])


@clause(STAR, "3.8")
@clause(PERTH, "2.2")
@pytest.mark.parametrize("house", [PERTH, STAR])
def test_cards_known_to_be_out_of_the_shuffler_are_not_missing_from_the_set(house: str) -> None:
    play = shuffler(house, *BURN[house])
    play.take(found(312 - len(BURN[house]), missing=BURN[house]))  # burned, and nothing else was dealt yet
    assert question(play) == ""
    round_of(play, "KH", "5D")
    play.take(found(310 - len(BURN[house]), missing=(*BURN[house], "KH", "5D")))
    assert question(play) == ""
    play.take(found(310 - len(BURN[house]), missing=(*BURN[house], "KH", "KH")))  # one king was dealt, not two
    assert question(play).startswith("The set is not 6 decks: missing: K♥.")


@clause(STAR, "3.8", "11.4")
def test_a_card_parked_for_the_next_round_is_not_missing_from_the_set() -> None:
    play = shuffler(STAR, "2C")
    round_of(play, "KH", "5D")
    play.card("QS")
    play.answer("surplus:", "unseen")
    play.press("place_bets")
    play.take(found(308, missing=("2C", "KH", "5D", "QS")))
    assert question(play) == ""


@clause(STAR, "3.8")
def test_after_a_shuffle_of_all_cards_the_one_that_was_burned_before_must_be_inside_again() -> None:
    play = shuffler(STAR, "2C")
    play.press("order_shuffle", rank=2)
    play.press("shuffled")
    assert play.phase == "betting"
    play.take(found(311, missing=("2C",)))
    assert question(play).startswith("The set is not 6 decks: missing: 2♣.")


# -- before use -------------------------------------------------------------------------------------------------------


@clause(STAR, "3.8", "3.3")
@clause(PERTH, "2.2")
@pytest.mark.parametrize(("house", "named"), [(PERTH, "2.2"), (STAR, "3.3")])
def test_new_cards_that_the_shuffler_found_right_are_checked_and_those_in_use_are_not_checked_in_anew(
    house: str, named: str
) -> None:
    play = Play(house, WarConfig(6, source="csm"))
    play.press("check_cards", rank=1, how="machine")
    assert [effect.command for effect in play.effects if isinstance(effect, Ordered)] == ["StartCheck"]
    assert play.phase == "unchecked"
    play.take(found())
    assert play.phase == "unshuffled"
    assert play.rulings()[-1] == Ruled("check_cards", "by the shuffler", "table", 0, (named,))
    before = len(play.rulings())
    play.take(found())
    assert (play.phase, len(play.rulings())) == ("unshuffled", before)


@clause(MELBOURNE, "3.2")
@clause(PERTH, "2.2")
@clause(STAR, "3.3", "3.8")
@HOUSES
def test_a_check_before_use_is_on_record_with_who_made_it_and_how_and_ends_what_was_ordered(house: str) -> None:
    named = {MELBOURNE: "3.2", PERTH: "2.2", STAR: "3.3"}[house]
    for told, how in (({}, "by hand"), ({"how": "by machine"}, "by machine")):
        play = Play(house, WarConfig(6))
        play.card("KS")
        assert play.game.view()["left"] == 312, "it is put back"
        play.press("order_check", rank=3)
        play.press("check_cards", rank=1, **told)
        assert play.rulings()[-1] == Ruled("check_cards", how, "rank1", 1, (named,))
        assert play.game.view()["left"] == 312
        play.press("shuffled")
        play.answer("cut", "cut")
        play.cards(*BURN[house])
        play.press("player_card", player="Ann")
        play.lay("a", "Ann", 1, "main", 1000)
        if house == MELBOURNE:
            play.press("no_more_bets")
        assert play.game.may_draw()


@clause(PERTH, "2.2", "2.7")
def test_new_cards_are_not_in_use_before_they_are_shuffled() -> None:
    play = opened(PERTH)
    play.press("replace_cards", rank=3, why="worn")
    play.press("check_cards", rank=1)
    play.card("KS")
    assert play.phase == "unshuffled"
    assert (
        play.table.state.desk.alarms["card_out_of_turn"].text
        == "A card (KS) came while the cards are not shuffled yet."
    )


# -- after gaming -----------------------------------------------------------------------------------------------------


@clause(MELBOURNE, "3.2")
def test_a_table_that_closes_before_the_cut_leaves_the_count_as_its_only_question() -> None:
    play = Play(MELBOURNE, WarConfig(6))
    play.press("check_cards")
    play.press("shuffled")
    assert play.questions() == ["cut"]
    play.press("close")
    assert play.questions() == ["count"]
    asked = play.game.asked("count")
    assert asked is not None
    assert [(one.answer, one.rank, one.clause) for one in asked.options] == [
        ("complete", 1, "3.2"), ("wrong", 1, "3.2"),
    ]  # fmt: skip
    assert (asked.proposal, asked.evidence, asked.clauses) == ("", {"expected": 312}, ("3.2",))
    assert play.phase == "unchecked"


@clause(MELBOURNE, "3.2", "4.1.1(c)")
def test_a_suspicion_about_the_order_of_the_cards_leaves_with_them() -> None:
    play = opened(MELBOURNE)
    for box in range(1, 6):
        play.lay(f"w{box}", f"P{box}", box, "main", 1000)
    play.press("no_more_bets")
    play.cards("2S", "3S", "4S", "5S", "6S", "7S")
    assert (play.questions(), list(play.table.state.desk.alarms)) == (["sequence"], ["sequence"])
    play.press("settled")
    for player in [*play.game.state.players.arrivals]:
        play.press("player_left", player=player)
    play.press("close")
    assert (play.questions(), play.table.state.desk.alarms) == (["count"], {})


@clause(MELBOURNE, "3.2")
@HOUSES
def test_only_where_the_document_says_so_is_anybody_asked_to_count_at_the_close(house: str) -> None:
    play = Play(house, WarConfig(6))
    play.new_shoe(*BURN[house])
    play.press("close")
    assert play.questions() == (["count"] if house == MELBOURNE else [])
    assert play.phase == "unchecked"


@clause(MELBOURNE, "3.2", "9.12.3")
def test_cards_that_are_blocked_stay_blocked_over_the_close() -> None:
    play = opened(MELBOURNE)
    play.lay("a", "Ann", 1, "main", 1000)
    play.press("no_more_bets")
    play.cards("KH", "JOKER")
    play.answer("wrong_deck", "void", rank=3)
    play.press("place_bets")
    play.press("player_left", player="Ann")
    assert play.phase == "blocked"
    play.press("close")
    assert (play.phase, play.questions()) == ("blocked", ["count"])
    play.answer("count", "complete", count=312)
    play.press("open")
    play.press("check_cards")
    assert (play.phase, refusal(play)[0]) == ("blocked", "not_now")


@clause(MELBOURNE, "3.2", "9.12.3")
@pytest.mark.parametrize("called", [False, True])
def test_a_stake_that_lies_when_the_cards_are_blocked_waits_for_new_ones(called: bool) -> None:
    felt = Felt(MELBOURNE)
    felt.press("close", 2)
    felt.press("open")
    felt.new_shoe(*BURN[MELBOURNE])
    felt.press("sit", 1, box=1, player="Ann")
    felt.put(1, "main", 1000)
    if called:
        felt.press("no_more_bets", 1)
        felt.press("replace_cards", 4)
        assert (felt.phase, refusal(felt)[0]) == ("closed", "not_now")  # these cards are sound as far as anybody knows
    felt.answer("count", "complete", count=311)
    felt.press("no_more_bets", 1)
    assert felt.phase == ("closed" if called else "betting")
    felt.press("replace_cards", 4)
    assert felt.phase == "unchecked"
    felt.new_shoe(*BURN[MELBOURNE])
    felt.press("no_more_bets", 1)
    felt.draw("KS")
    felt.draw("9H")
    assert [(one.bet, one.kind, one.cents) for one in felt.game.money.findings()] == [("main 1", "underpaid", 1000)]


@clause(MELBOURNE, "3.2")
def test_when_the_table_closes_after_a_round_nothing_of_it_is_owed_any_more() -> None:
    felt = Felt(MELBOURNE)
    felt.press("sit", 1, box=1, player="Ann")
    felt.put(1, "main", 2500)
    felt.press("no_more_bets", 1)
    felt.draw("KS")
    felt.draw("9H")
    felt.press("settled", 1, confirmed=True)
    assert [(one.kind, one.cents) for one in felt.game.money.findings()] == [("underpaid", 2500)]
    felt.press("player_left", 1, player="Ann")
    felt.press("close")
    assert felt.table.state.life == "closed"
    assert felt.game.money.findings() == ()


@clause(STAR, "11.1.1", "11.1")
@clause(MELBOURNE, "9.1")
@clause(PERTH, "5.1")
@HOUSES
def test_a_second_card_that_lay_face_up_is_put_to_the_supervisor_where_the_document_speaks_of_it(house: str) -> None:
    play = opened(house)
    play.lay("a", "Ann", 1, "main", 1000)
    play.press("no_more_bets")
    play.cards("3D^", "KH")
    assert play.questions() == []
    play.card("4D^")
    assert play.questions() == (["face_up"] if house == STAR else [])
    if house != STAR:
        return
    asked = play.game.asked("face_up")
    assert asked is not None
    assert (asked.clauses, [option.rank for option in asked.options], play.phase) == (("11.1.1",), [2, 2], "dealing")
    play.card("5S")
    play.answer("face_up", "check", rank=2)
    play.press("settled")
    play.press("place_bets")
    assert refusal(play) == ("check_due", ("3.8",))
    play.press("deck_checked", rank=2)
    play.press("place_bets")
    assert play.phase == "betting"
