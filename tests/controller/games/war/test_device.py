"""A shuffler that fails during a round of Casino War: who is asked what, whose money goes back, how play goes on."""

from __future__ import annotations

from typing import Any

import pytest

from controller.core.effects import AnyEffect
from controller.games.war.events import SourceStopped
from tests.controller.games.war.cards import (
    MELBOURNE,
    PERTH,
    STAR,
    answers,
    at_war,
    left,
    lying,
    noted,
    paid,
    question,
    refused,
    ruled,
    staked,
)
from tests.controller.games.war.play import Play

clause = pytest.mark.clause
JAM = SourceStopped("a card is stuck")
FAULT = {MELBOURNE: ("9.11", "9.11.1"), PERTH: ("5.6",), STAR: ("12.4",)}


def stopped(house: str, *players: str, **config: Any) -> Play:
    """The first box has its card when the shuffler stops."""
    play = staked(house, *players, source="csm", **config)
    play.card("QH")
    play.take(JAM)
    return play


def step(play: Play, name: str, answer: str, **args: Any) -> list[AnyEffect]:
    """A supervisor answers one question of The Star's chapter 12, which the dealer may not."""
    play.answer(f"device_{name}", answer, rank=1)
    assert refused(play) == ("rank_too_low", ("12.4",))
    return play.answer(f"device_{name}", answer, rank=2, **args)


# -- when it matters --------------------------------------------------------------------------------------------------


@clause(MELBOURNE, "9.11")
@clause(PERTH, "5.6")
@clause(STAR, "12.1.1", "12.1.2")
@pytest.mark.parametrize("house", [MELBOURNE, PERTH, STAR])
def test_a_shuffler_that_stops_matters_only_to_a_round_that_still_needs_its_cards(house: str) -> None:
    before = staked(house, "Ann", source="csm")
    before.take(JAM)
    assert noted(before, "device_stopped") == [({"cause": "a card is stuck", "phase": "closed"}, FAULT[house])]
    dealt = staked(house, "Ann", source="csm")
    dealt.cards("QH", "7C")
    dealt.take(JAM)
    assert noted(dealt, "device_stopped") == [({"cause": "a card is stuck", "phase": "interim"}, FAULT[house])]
    from_shoe = staked(house, "Ann")
    from_shoe.card("QH")
    from_shoe.take(JAM)
    assert noted(from_shoe, "device_stopped") == [({"cause": "a card is stuck", "phase": "dealing"}, FAULT[house])]
    for play in (before, dealt, from_shoe):
        assert (play.questions(), play.phase) == ([], noted(play, "device_stopped")[0][0]["phase"])


# -- Melbourne and Perth ----------------------------------------------------------------------------------------------


@clause(MELBOURNE, "9.11", "9.11.1")
def test_at_melbourne_the_round_is_void_and_what_was_settled_in_it_stands() -> None:
    play = staked(MELBOURNE, "Ann", "Bob", source="csm")
    play.cards("KH", "3D", "KS")
    play.press("settled")
    play.answer("choice:1:Ann", "war")
    play.lay("wAnn", "Ann", 1, "war", 1000)
    play.take(JAM)
    asked = question(play, "device")
    assert (play.phase, asked.evidence) == ("ruling", {"cause": "a card is stuck", "boxes": [1]})
    assert (asked.proposal, asked.clauses) == ("void", ("9.11", "9.11.1"))
    assert answers(asked) == [("void", 2, "9.11"), ("go_on", 1, "11.10")]
    told = play.answer("device", "void", rank=2)
    assert ruled(told)[-1] == ("device", "void", "rank2", ("9.11", "9.11.1"))
    assert paid(play) == {
        "mAnn": ("void", 0, 0, 1000),
        "wAnn": ("void", 0, 0, 1000),
        "mBob": ("lose", 0, 1000, 0),
    }
    assert play.phase == "over"


@clause(MELBOURNE, "9.11")
@clause(PERTH, "5.6")
@pytest.mark.parametrize("house", [MELBOURNE, PERTH])
def test_a_fault_that_is_cleared_leaves_the_round_to_be_completed(house: str) -> None:
    play = stopped(house, "Ann", "Bob")
    told = play.answer("device", "go_on", rank=1)
    assert ruled(told)[-1] == ("device", "completed", "rank1", FAULT[house])
    assert play.phase == "dealing"
    play.cards("3D", "7C")
    assert paid(play) == {"mAnn": ("win", 1000, 0, 1000), "mBob": ("lose", 0, 1000, 0)}


@clause(PERTH, "5.6", "5.4")
def test_at_perth_every_hand_that_waits_for_the_dealers_card_is_void_unless_the_manager_names_some() -> None:
    every = stopped(PERTH, "Ann", "Bob")
    asked = question(every, "device")
    assert asked.evidence == {"cause": "a card is stuck", "boxes": [1, 2]}
    assert answers(asked)[0] == ("void", 3, "5.6")
    every.answer("device", "void", rank=2)
    assert refused(every) == ("rank_too_low", ("5.6",))
    told = every.answer("device", "void", rank=3)
    assert [one[1:] for one in ruled(told)[1:]] == [("box 1", "rank3", ("5.6",)), ("box 2", "rank3", ("5.6",))]
    assert paid(every) == {"mAnn": ("void", 0, 0, 1000), "mBob": ("void", 0, 0, 1000)}
    assert every.phase == "over"
    named = stopped(PERTH, "Ann", "Bob")
    named.answer("device", "void", rank=3, boxes="1")
    assert (named.phase, paid(named)) == ("dealing", {"mAnn": ("void", 0, 0, 1000)})
    named.cards("3D", "7C")
    assert paid(named)["mBob"] == ("lose", 0, 1000, 0)


@clause(PERTH, "5.6")
def test_at_war_only_the_hands_of_the_second_deal_are_concerned_and_only_their_open_stakes_go_back() -> None:
    play = staked(PERTH, "Ann", "Bob", source="csm")
    play.cards("3D", "KH", "KS")
    play.press("settled")
    play.answer("choice:2:Bob", "war")
    play.lay("wBob", "Bob", 2, "war", 1000)
    play.cards("2D", "4D", "5D")
    play.take(JAM)
    assert question(play, "device").evidence["boxes"] == [2]
    play.answer("device", "void", rank=3)
    assert paid(play) == {
        "mAnn": ("lose", 0, 1000, 0),
        "mBob": ("void", 0, 0, 1000),
        "wBob": ("void", 0, 0, 1000),
    }


# -- The Star, chapter 12 ---------------------------------------------------------------------------------------------


@clause(STAR, "12.1.2", "12.1.4", "12.1.5", "12.2")
def test_at_the_star_sound_cards_move_to_a_second_device_and_the_game_continues() -> None:
    play = stopped(STAR, "Ann", "Bob")
    for name, good, numbered in (
        ("harm", "no", "12.1.3"),
        ("spare", "yes", "12.1.4"),
        ("transfer", "yes", "12.1.5"),
        ("damage", "no", "12.2"),
    ):
        asked = question(play, f"device_{name}")
        assert asked.evidence == {"step": name, "cause": "a card is stuck"}
        assert (asked.proposal, asked.clauses) == (good, (numbered, "12.1.2"))
        assert answers(asked) == [("yes", 2, "12.4"), ("no", 2, "12.4")]
        told = step(play, name, good)
        assert ruled(told)[1] == (f"device_{name}", good, "rank2", (numbered,))
    assert ruled(told)[2:] == [
        ("device", "cards moved to another device, the round goes on", "rank2", ("12.2",)),
    ]
    assert (play.phase, left(play)) == ("dealing", 310)
    play.cards("3D", "7C")
    assert paid(play) == {"mAnn": ("win", 1000, 0, 1000), "mBob": ("lose", 0, 1000, 0)}


@clause(STAR, "12.4")
def test_a_fault_that_harmed_somebody_ends_the_round_and_every_stake_of_it_goes_back() -> None:
    play = staked(STAR, "Ann", "Bob", source="csm")
    play.cards("3D", "KH", "KS")
    play.press("settled")
    play.answer("choice:2:Bob", "war")
    play.lay("wBob", "Bob", 2, "war", 1000)
    play.take(JAM)
    told = step(play, "harm", "yes")
    assert ruled(told)[1:] == [("device_harm", "yes", "rank2", ("12.1.3",))]
    assert paid(play) == dict.fromkeys(("mAnn", "mBob", "wBob"), ("void", 0, 0, 1000))
    assert {result.clauses for result in play.results().values()} == {("12.4",)}
    assert play.phase == "over"


@clause(STAR, "12.3.1", "12.3.2", "12.3.3", "12.3.4")
def test_damaged_cards_are_named_and_replaced_and_the_set_is_six_decks_again() -> None:
    play = stopped(STAR, "Ann", "Bob")
    for name, good in (("harm", "no"), ("spare", "yes"), ("transfer", "yes")):
        step(play, name, good)
    step(play, "damage", "yes", damaged=["5C"] * 7)
    assert refused(play) == ("bad_card", ("12.3.1",))
    told = step(play, "damage", "yes", damaged=["5C"] * 6)
    clauses = ("12.3.1", "12.3.2", "12.3.3", "12.3.4")
    assert ruled(told)[2:] == [("device", f"damaged cards replaced ({', '.join(['5C'] * 6)})", "rank2", clauses)]
    facts = {"cards": ["5C"] * 6, "replaced_from": "new deck"}
    assert noted(play, "damaged") == [(facts, ("12.3.1", "12.3.3"))]
    assert (play.phase, left(play)) == ("dealing", 310)
    play.cards("5C", "7C")
    assert paid(play) == {"mAnn": ("win", 1000, 0, 1000), "mBob": ("lose", 0, 1000, 0)}


@clause(STAR, "12.3.1", "12.3.4")
def test_damaged_cards_that_nobody_named_are_recorded_so() -> None:
    play = stopped(STAR, "Ann")
    for name, good in (("harm", "no"), ("spare", "yes"), ("transfer", "yes")):
        step(play, name, good)
    told = step(play, "damage", "yes")
    assert ruled(told)[2][1] == "damaged cards replaced (none named)"


@clause(STAR, "12.5.1", "12.5.2", "12.5.3", "12.5.4")
@pytest.mark.parametrize("steps", [[("spare", "no")], [("spare", "yes"), ("transfer", "no")]])
def test_without_a_second_device_those_who_stay_finish_from_a_shoe(steps: list[tuple[str, str]]) -> None:
    play = stopped(STAR, "Ann", "Bob", "Cyd")
    play.card("3D")
    for name, answer in [("harm", "no"), *steps]:
        step(play, name, answer)
    asked = question(play, "device_shoe")
    assert asked.evidence == {"players": ["Ann", "Bob", "Cyd"]}
    assert (asked.proposal, asked.clauses) == ("shoe", ("12.5.1", "12.5.4"))
    assert answers(asked) == [("shoe", 2, "12.4"), ("void", 2, "12.4")]
    told = step(play, "shoe", "shoe", withdraw="Bob", damaged="9S")
    assert [one[1:] for one in ruled(told)[1:]] == [
        ("finish from a shoe without Bob", "rank2", ("12.5.1",)),
        ("shuffle and cut, finish from a shoe", "rank2", ("12.5.2", "12.5.3", "12.5.4", "4.1.1")),
    ]
    assert noted(play, "damaged") == [({"cards": ["9S"], "replaced_from": "new deck"}, ("12.5.2",))]
    assert paid(play) == {"mBob": ("void", 0, 0, 1000)}
    assert play.results()["mBob"].clauses == ("12.5.1",)
    assert play.phase == "reshuffling"
    play.press("shuffled")
    assert (play.phase, question(play, "cut").evidence) == ("recutting", {"player": "Cyd"})
    play.answer("cut", "cut")
    play.cards("2C", "9D", "7C")
    assert lying(play)[-5:] == [
        ("QH", "box1"),
        ("3D", "void"),
        ("", "shoe-burn"),
        ("9D", "box3"),
        ("7C", "dealer"),
    ]
    assert (paid(play)["mAnn"], paid(play)["mCyd"]) == (("win", 1000, 0, 1000), ("win", 1000, 0, 1000))


@clause(STAR, "12.5.1", "12.5.2", "12.5.4")
def test_everybody_may_stay_and_no_card_need_be_damaged() -> None:
    play = stopped(STAR, "Ann", "Bob")
    step(play, "harm", "no")
    step(play, "spare", "no")
    told = step(play, "shoe", "shoe")
    assert ruled(told)[1][1] == "finish from a shoe without nobody"
    assert (play.phase, paid(play), noted(play, "damaged")) == ("reshuffling", {}, [])
    play.press("shuffled")
    play.answer("cut", "cut")
    play.cards("2C", "3D", "7C")
    assert paid(play) == {"mAnn": ("win", 1000, 0, 1000), "mBob": ("lose", 0, 1000, 0)}


@clause(STAR, "12.5.1")
@pytest.mark.parametrize(("answer", "told"), [("void", {}), ("shoe", {"withdraw": ["Ann", "Bob"]})])
def test_where_nobody_stays_the_round_is_over_with_every_open_stake_back(answer: str, told: dict[str, Any]) -> None:
    play = stopped(STAR, "Ann", "Bob")
    step(play, "harm", "no")
    step(play, "spare", "no")
    rulings = ruled(step(play, "shoe", answer, **told))
    assert [one[1] for one in rulings[1:]] == ["finish from a shoe without Ann, Bob"]
    assert paid(play) == dict.fromkeys(("mAnn", "mBob"), ("void", 0, 0, 1000))
    assert play.phase == "over"
    play.press("place_bets")
    assert play.phase == "betting"


@clause(STAR, "12.5.1", "12.5.4")
def test_at_war_only_players_with_an_open_stake_are_asked_and_what_was_settled_stays() -> None:
    play = staked(STAR, "Ann", "Bob", "Cyd", source="csm")
    play.cards("3D", "KH", "KD", "KS")
    play.press("settled")
    for box, player in ((2, "Bob"), (3, "Cyd")):
        play.answer(f"choice:{box}:{player}", "war")
        play.lay(f"w{player}", player, box, "war", 1000)
    play.card("9H")
    play.take(JAM)
    step(play, "harm", "no")
    step(play, "spare", "no")
    assert question(play, "device_shoe").evidence == {"players": ["Bob", "Cyd"]}
    step(play, "shoe", "shoe", withdraw=["Ann", "Bob"])
    assert paid(play) == {
        "mAnn": ("lose", 0, 1000, 0),
        "mBob": ("void", 0, 0, 1000),
        "wBob": ("void", 0, 0, 1000),
    }
    play.press("shuffled")
    play.answer("cut", "cut")
    play.cards("2C", "TH", "9C")
    assert paid(play)["wCyd"] == ("win", 1000, 0, 1000)


@clause(STAR, "12.5.4")
def test_a_round_whose_last_card_came_while_people_were_asked_needs_no_shoe() -> None:
    play = stopped(STAR, "Ann")
    step(play, "harm", "no")
    play.card("7C")
    step(play, "spare", "no")
    step(play, "shoe", "shoe")
    assert (play.phase, paid(play)) == ("interim", {"mAnn": ("win", 1000, 0, 1000)})


@clause(STAR, "12.1.2")
def test_a_shuffler_that_stops_at_war_is_asked_about_just_as_in_the_first_deal() -> None:
    play = at_war(STAR, "Ann", source="csm")
    play.take(JAM)
    assert play.questions() == ["device_harm"]
    for name, good in (("harm", "no"), ("spare", "yes"), ("transfer", "yes"), ("damage", "no")):
        step(play, name, good)
    play.cards("9C", "8C")
    assert paid(play)["wAnn"] == ("win", 1000, 0, 1000)


# -- a table without a shoe -------------------------------------------------------------------------------------------


@clause(STAR, "12.5.3", "12.5.4")
def test_at_a_table_without_a_shoe_the_round_is_finished_by_entering_its_cards_and_the_next_is_dealt_again() -> None:
    play = staked(STAR, "Ann", "Bob", source="csm")
    play.game.places.pop("shoe")
    play.card("QH")
    play.press("card_dealt", rank=1, face="7C")
    assert refused(play)[0] == "read_by_device"
    play.take(JAM)
    for name, answer in (("harm", "no"), ("spare", "no"), ("shoe", "shoe")):
        step(play, name, answer)
    play.press("shuffled", rank=1)
    play.answer("cut", "cut", rank=1)
    assert "card_dealt" in {key.name for key in play.table.available()}
    for face in ("2D", "3H", "9S"):  # the burn, Bob's card and the dealer's
        play.press("card_dealt", rank=1, face=face)
    assert (play.phase, paid(play)["mAnn"]) == ("interim", ("win", 1000, 0, 1000))
    assert [one["face"] for one, _ in noted(play, "card_entered")] == ["2D", "3H", "9S"]
    play.press("card_dealt", rank=1, face="4H")
    assert refused(play)[0] == "not_now"
    play.press("settled", rank=1)
    play.press("place_bets", rank=1)
    assert play.phase == "unshuffled"
    play.press("shuffled", rank=1)
    assert (play.phase, play.game.source_place) == ("betting", "shuffler")
    play.lay("next", "Ann", 1, "main", 1000)
    play.cards("KH", "5C")
    assert paid(play)["next"] == ("win", 1000, 0, 1000)
