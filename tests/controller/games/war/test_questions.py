"""What a dealer of Casino War reports and somebody of rank rules: who is asked, and when it is asked no more."""

from __future__ import annotations

from typing import Any

import pytest

from controller.core.effects import Reversed, Settled
from controller.games.war.config import WarConfig
from tests.controller.games.war.play import MELBOURNE, PERTH, STAR, Play, clause, codes, noted, opened, tied
from tests.controller.games.war.rulings import (
    BACK,
    HALVED,
    HOUSES,
    LOST,
    WON,
    lying,
    money,
    question,
    record,
    ruled,
    staked,
    told,
    withdrawn,
)

VOID_PLAYER = {MELBOURNE: (4, "11.2.1"), PERTH: (3, "6.6(a)"), STAR: (2, "13.4.1")}
DISPUTE = {MELBOURNE: (3, "11.10"), PERTH: (3, "6.11"), STAR: (2, "13.12")}


# -- one player -------------------------------------------------------------------------------------------------------


@clause(MELBOURNE, "11.2.1")
@clause(PERTH, "6.6(a)")
@clause(STAR, "13.4.1")
@pytest.mark.parametrize("house", HOUSES)
def test_a_manager_who_voids_a_player_at_once_answers_the_dealers_question_about_that_player(house: str) -> None:
    play = staked(house, "Ann", "Bob", "Cyd")
    play.card("KH")
    for player in ("Bob", "Bob", "Ann"):
        play.press("void_player", rank=1, player=player)
    named = VOID_PLAYER[house][1]
    options = [("rule", *VOID_PLAYER[house]), ("stand", *DISPUTE[house])]
    assert question(play, "void_player:Bob") == ("void_player:Bob", "rule", options, (named,))
    assert (play.phase, play.questions()) == ("ruling", ["void_player:Bob", "void_player:Ann"])
    play.press("void_player", rank=4, player="Bob")
    assert ruled(play, "void_player") == [("Bob", "rank4", (named,))]
    assert (play.phase, play.questions()) == ("ruling", ["void_player:Ann"])
    assert withdrawn(play)[-1] == "void_player:Bob"
    assert money(play) == {"mBob": BACK}
    play.answer("void_player:Ann", "stand")
    assert play.phase == "dealing"
    play.cards("2D", "5D")
    assert lying(play) == ["box1", "box3", "dealer"]
    assert money(play) == {"mBob": BACK, "mAnn": WON, "mCyd": LOST}


@clause(MELBOURNE, "11.2.1")
@clause(PERTH, "6.6(a)")
@clause(STAR, "13.4.1")
@pytest.mark.parametrize("house", HOUSES)
def test_a_round_ends_when_its_only_player_is_voided_and_what_comes_then_is_a_card_too_many(house: str) -> None:
    play = staked(house, "Ann")
    play.card("KH")
    play.press("void_player", rank=4, player="Ann")
    assert (play.phase, money(play)) == ("over", {"mAnn": BACK})
    assert record(play)["valid"] is False
    assert record(play)["results"] == [["mAnn", "void", 0, 0, 1000]]
    assert play.results()["mAnn"].clauses[0] == VOID_PLAYER[house][1]
    play.card("5D")
    assert play.questions() == ["surplus:" + str(len(play.game.state.round.drawn) - 1)]


@clause(MELBOURNE, "11.2.1")
@clause(PERTH, "6.6(a)")
@clause(STAR, "13.4.1")
@pytest.mark.parametrize("house", HOUSES)
def test_a_voided_player_has_nothing_to_choose_and_the_others_choose_on(house: str) -> None:
    play = tied(house)
    play.press("void_player", rank=4, player="Bob")
    assert (play.phase, play.questions()) == ("choosing", ["choice:1:Ann"])
    assert [choice.player for choice in play.game.state.round.choices] == ["Ann"]
    assert money(play)["mCyd"] == LOST  # settled already
    play.press("void_player", rank=4, player="Cyd")
    assert money(play)["mCyd"] == LOST
    play.answer("choice:1:Ann", "surrender")
    assert play.phase == "over"
    assert record(play)["choices"] == [[1, "Ann", "surrender"]]
    assert record(play)["valid"] is True


@clause(MELBOURNE, "11.2.1")
@clause(PERTH, "6.6(a)")
@clause(STAR, "13.4.1")
@pytest.mark.parametrize("house", HOUSES)
def test_when_the_last_player_to_choose_is_voided_the_war_of_the_others_begins(house: str) -> None:
    play = tied(house)
    play.lay("w", "Ann", 1, "war", 1000)
    play.press("void_player", rank=1, player="Bob")
    play.answer("void_player", "rule")
    assert (play.phase, play.questions()) == ("war_burning" if house == PERTH else "war_dealing", [])
    play.cards(*(("3C", "4C", "5C") if house == PERTH else ()), "9H", "8D")
    assert money(play)["w"] == WON


@clause(MELBOURNE, "11.2.1")
@clause(STAR, "13.4.1", "11.22.2")
@pytest.mark.parametrize("house", [MELBOURNE, STAR])
def test_a_house_that_keeps_voided_stakes_takes_those_of_the_player_alone(house: str) -> None:
    play = staked(house, "Ann", "Bob", readings={"wagers.voided_stake": "forfeited"})
    play.card("KH")
    play.press("void_player", rank=4, player="Bob")
    play.card("5D")
    assert money(play) == {"mBob": ("void", 0, 1000, 0), "mAnn": WON}


@clause(STAR, "11.22.2")
def test_a_supervisor_who_rules_on_a_borrowed_card_at_once_answers_the_dealers_question() -> None:
    play = staked(STAR, "Ann", "Bob")
    play.card("KH")
    play.press("invalid_card", rank=1, player="Ann")
    options = [("rule", 2, "11.22.2"), ("stand", 2, "13.12")]
    assert question(play, "invalid") == ("invalid:Ann", "rule", options, ("11.22.2", "13.1"))
    play.press("invalid_card", rank=2, player="Ann")
    assert (play.phase, play.questions(), withdrawn(play)) == ("dealing", [], ["invalid:Ann"])
    assert ruled(play, "invalid_card") == [("Ann: void", "rank2", ("11.22.2", "13.1"))]


@clause(STAR, "11.22.2")
def test_a_supervisor_may_let_a_stake_stand_that_the_dealer_took_for_anothers() -> None:
    play = staked(STAR, "Ann")
    play.card("KH")
    play.press("invalid_card", rank=1, player="Ann")
    play.answer("invalid:Ann", "stand", rank=2)
    assert (play.phase, ruled(play, "invalid_card")) == ("dealing", [])
    play.card("5D")
    assert money(play) == {"mAnn": WON}


@clause(STAR, "11.22.2")
@pytest.mark.parametrize(("reading", "loser", "open_"), [("return", BACK, False), ("collect", LOST, True)])
def test_a_losing_stake_on_a_borrowed_card_goes_back_or_stays_lost_as_the_house_reads_it(
    reading: str, loser: tuple[str, int, int, int], open_: bool
) -> None:
    play = staked(STAR, "Ann", "Bob", readings={"wagers.losing_invalid_stake": reading})
    play.card("3H")
    play.lay("x", "Ann", 3, "main", 1000)  # too late: it goes back
    play.cards("KD", "5S")
    play.press("invalid_card", rank=2, player="Ann")
    play.press("invalid_card", rank=2, player="Bob")
    assert money(play) == {"x": BACK, "mAnn": loser, "mBob": BACK}  # a winning one brings nothing
    assert play.phase == ("interim" if open_ else "over")


@clause(STAR, "11.22.2")
def test_where_losing_stakes_are_collected_one_that_is_not_decided_yet_goes_back() -> None:
    play = staked(STAR, "Ann", "Bob", readings={"wagers.losing_invalid_stake": "collect"})
    play.card("3H")
    play.press("invalid_card", rank=2, player="Ann")
    assert money(play) == {"mAnn": BACK}


# -- the round --------------------------------------------------------------------------------------------------------


@clause(MELBOURNE, "9.4")
def test_whoever_may_rebuild_asks_the_players_first_and_names_nobody_who_is_not_there() -> None:
    play = staked(MELBOURNE, "Ann", "Bob")
    play.cards("KH", "3D", "5S")
    play.press("misplaced", rank=1)
    options = [("rule", 2, "9.4"), ("stand", 3, "11.10")]
    assert question(play, "misplaced") == ("misplaced", "rule", options, ("9.4", "9.4.1", "9.4.2"))
    play.press("misplaced", rank=2)
    assert (play.phase, play.questions()) == ("ruling", ["misplaced"])  # players may take their stakes back first
    text = "Cards were laid wrongly. Ask each player whether to take the stakes back, then rebuild?"
    assert play.game.asked("misplaced").text == text  # type: ignore[union-attr]
    play.press("misplaced", rank=2, withdraw=["An"])
    assert play.refusals()[-1].text.endswith("there is no 'An' here; did you mean 'Ann'?")
    play.answer("misplaced", "rule", rank=2, withdraw=["Anna"])
    assert play.refusals()[-1].text.endswith("there is no 'Anna' here; did you mean 'Ann'?")
    play.answer("misplaced", "rule", rank=2)
    assert (play.phase, play.questions()) == ("interim", [])
    assert ruled(play, "rebuild") == [("rebuilt in the order drawn", "rank2", ("9.4", "9.4.1", "9.4.2"))]


ROUND = [
    # house, key, subject, who rules by which clause, why, what the record calls it
    (MELBOURNE, "void_round", (3, "11.10"), ("11.10",)),
    (MELBOURNE, "misdeal", (3, "11.10"), ("11.10",)),
    (PERTH, "void_round", (3, "5.4"), ("5.4",)),
    (PERTH, "misdeal", (3, "5.4"), ("5.4",)),
    (STAR, "void_round", (2, "11.6"), ("11.6", "11.6.1")),
    (STAR, "misdeal", (2, "11.16"), ("11.16", "11.13", "11.15")),
]


@clause(MELBOURNE, "11.10")
@clause(PERTH, "5.4")
@clause(STAR, "11.6", "11.6.1", "11.13", "11.15", "11.16")
@pytest.mark.parametrize("at_once", [False, True])
@pytest.mark.parametrize(("house", "key", "power", "why"), ROUND)
def test_a_deal_that_cannot_be_put_right_is_void_by_the_word_of_rank_and_only_so(
    house: str, key: str, power: tuple[int, str], why: tuple[str, ...], at_once: bool
) -> None:
    play = staked(house, "Ann", "Bob")
    play.cards("KH", "9C^", "3D")
    play.press(key, rank=1)
    assert question(play, key) == (key, "rule", [("rule", *power), ("stand", *DISPUTE[house])], why)
    assert (play.phase, money(play)) == ("ruling", {})
    if at_once:
        play.press(key, rank=power[0])
        assert withdrawn(play) == [key]
    else:
        play.answer(key, "rule", rank=power[0])
    assert (play.phase, play.questions()) == ("over", [])
    assert money(play) == {"mAnn": BACK, "mBob": BACK}
    assert ruled(play, "void") == [("round, first cards", f"rank{power[0]}", why)]
    assert lying(play) == ["void", "discard", "void"]
    assert record(play)["valid"] is False
    play.press("place_bets")
    assert play.phase == "betting"  # from the same cards


@clause(STAR, "11.16")
@clause(MELBOURNE, "11.10")
@pytest.mark.parametrize(
    ("house", "returns", "loser"),
    [(STAR, "open", LOST), (STAR, "all", BACK), (MELBOURNE, "", LOST)],
)
def test_a_misdeal_at_war_leaves_interim_alone_unless_the_house_reads_it_otherwise(
    house: str, returns: str, loser: tuple[str, int, int, int]
) -> None:
    play = tied(house, readings={"remedies.misdeal.returns": returns} if returns else {})
    play.answer("choice:2:Bob", "surrender")
    play.lay("w", "Ann", 1, "war", 1000)
    play.card("9H")
    play.press("misdeal", rank=4)
    assert ruled(play, "void")[0][0] == "round, war cards"
    assert lying(play) == ["box1", "box2", "box3", "dealer", "void"]
    halved = BACK if returns == "all" else HALVED
    assert money(play) == {"mAnn": BACK, "w": BACK, "mBob": halved, "mCyd": loser}


@clause(MELBOURNE, "11.3", "11.4", "11.5")
@clause(PERTH, "6.9(a)", "6.9(b)", "6.10")
@clause(STAR, "13.5.1", "13.5.2", "13.6")
@pytest.mark.parametrize(
    ("house", "reason", "power", "why"),
    [
        (MELBOURNE, "disruption", (2, "11.4"), ("11.4", "11.5")),
        (MELBOURNE, "fraud", (4, "11.3"), ("11.3", "11.5")),
        (PERTH, "disruption", (3, "6.9(a)"), ("6.9(a)", "6.10")),
        (PERTH, "fraud", (3, "6.9(b)"), ("6.9(b)", "6.10")),
        (STAR, "disruption", (2, "13.5.1"), ("13.5.1", "13.6")),
        (STAR, "fraud", (2, "13.5.2"), ("13.5.2", "13.6")),
    ],
)
def test_an_outcome_cancelled_after_the_round_takes_everything_back_and_answers_the_question(
    house: str, reason: str, power: tuple[int, str], why: tuple[str, ...]
) -> None:
    play = staked(house, "Ann", "Bob")
    play.lay("no", "Ann", 99, "main", 1000)
    play.cards("KH", "3D", "5S")
    play.press("settled")
    assert (play.phase, record(play)["valid"]) == ("over", True)
    play.press("cancel", rank=1, reason=reason)
    assert question(play, "cancel") == ("cancel", "rule", [("rule", *power), ("stand", *DISPUTE[house])], why)
    play.press("cancel", rank=power[0], reason=reason)
    assert (play.phase, play.questions(), withdrawn(play)) == ("over", [], ["cancel"])
    assert money(play) == {"no": BACK, "mAnn": BACK, "mBob": BACK}
    name = "cancel_fraud" if reason == "fraud" else "cancel_disruption"
    assert ruled(play, "cancel") == [(name, f"rank{power[0]}", why)]
    assert (told(play, Settled), told(play, Reversed)) == ([["no"], ["mAnn", "mBob"]], [["mAnn", "mBob"]])
    assert {play.results()[wager].clauses for wager in ("mAnn", "mBob")} == {why}


@clause(STAR, "13.6", "13.5.2")
def test_after_the_round_too_only_the_device_users_stake_is_forfeited() -> None:
    play = staked(STAR, "Ann", "Bob")
    play.cards("KH", "3D", "5S")
    play.press("settled")
    play.press("cancel", rank=1, reason="fraud", forfeit="Ann")
    play.answer("cancel", "rule", rank=2)
    assert money(play) == {"mAnn": ("void", 0, 1000, 0), "mBob": BACK}


@clause(MELBOURNE, "11.10")
def test_a_question_that_is_let_stand_changes_nothing() -> None:
    for key, args in (
        ("misplaced", {}),
        ("void_hand", {"box": 1}),
        ("void_round", {}),
        ("cancel", {"reason": "disruption"}),
    ):
        play = staked(MELBOURNE, "Ann")
        play.card("KH")
        play.press(key, rank=1, **args)
        assert play.phase == "ruling"
        play.answer(key, "stand")
        assert (play.phase, play.questions()) == ("dealing", [])
        assert [ruled(play, what) for what in ("rebuild", "void", "void_hand", "cancel")] == [[]] * 4
        play.card("5D")
        assert money(play) == {"mAnn": WON}


# -- no stakes --------------------------------------------------------------------------------------------------------


def without_stakes(house: str) -> Play:
    """A card comes although nobody staked; the cutting card came right before it where that ends no round."""
    play = opened(house)
    play.press("no_more_bets")
    play.cards(*(("CUT",) if house == MELBOURNE else ()), "KH")
    return play


@clause(MELBOURNE, "9.3")
def test_cards_dealt_to_nobody_are_burned_by_the_word_of_a_higher_duties_dealer() -> None:
    play = without_stakes(MELBOURNE)
    options = [("rule", 2, "9.3"), ("stand", 3, "11.10")]
    assert question(play, "no_stakes") == ("no_stakes", "rule", options, ("9.3",))
    assert play.phase == "ruling"
    play.answer("no_stakes", "rule", rank=2)
    assert ruled(play, "no_stakes") == [("void, cards burned", "rank2", ("9.3",))]
    assert (play.phase, play.questions()) == ("over", [])
    assert record(play)["to"][-2:] == ["cut", "discard"]


@clause(PERTH, "5.3")
@clause(STAR, "11.5")
@pytest.mark.parametrize(("house", "named"), [(PERTH, "5.3"), (STAR, "11.5")])
def test_cards_dealt_to_nobody_are_burned_at_once_where_the_dealer_may(house: str, named: str) -> None:
    play = without_stakes(house)
    assert ruled(play, "no_stakes") == [("void, cards burned", "table", (named,))]
    assert (play.phase, play.questions(), record(play)["to"][-1]) == ("over", [], "discard")


@clause(MELBOURNE, "9.3")
def test_where_nobody_staked_playing_on_is_no_way_out() -> None:
    play = without_stakes(MELBOURNE)
    play.answer("no_stakes", "stand", rank=3)
    assert (play.phase, play.questions()) == ("ruling", ["no_stakes"])


# -- words of rank ----------------------------------------------------------------------------------------------------


@clause(MELBOURNE, "11.2.2")
@clause(PERTH, "6.6(b)")
@clause(STAR, "13.4.2")
@pytest.mark.parametrize(("house", "named"), [(MELBOURNE, "11.2.2"), (PERTH, "6.6(b)"), (STAR, "13.4.2")])
def test_who_barred_a_player_is_on_record(house: str, named: str) -> None:
    play = opened(house)
    play.press("bar_player", player="Ann")
    assert ruled(play, "bar_player") == [("Ann", "rank4", (named,))]


@clause(MELBOURNE, "5.10")
@clause(PERTH, "3.3")
@clause(STAR, "5.7.2")
@pytest.mark.parametrize(("house", "most", "named"), [(MELBOURNE, 3, "5.10"), (PERTH, 3, "3.3"), (STAR, 1, "5.6")])
def test_so_few_as_one_and_as_many_as_the_document_says_may_share(house: str, most: int, named: str) -> None:
    play = opened(house)
    for number in (1, most):
        play.press("share", most=number)
        assert (ruled(play, "share")[-1], play.game.state.house.share_most) == (
            (str(number), "rank4", (named,)),
            number,
        )
    for number in (0, most + 1):
        play.press("share", most=number)
        assert (codes(play)[-1], play.game.state.house.share_most) == ("bad_share", most)


@clause(STAR, "13.12")
def test_a_decision_is_reviewed_once_by_somebody_else_and_the_inspector_is_named() -> None:
    play = Play(STAR, WarConfig(decks=6))
    play.press("review", rank=3, decision="stands")
    play.press("dispute", rank=2, text="I said war", decision="surrender stands")
    play.press("review", rank=3, decision="war")
    facts: dict[str, Any] = {"decided_by": "rank2", "by": "rank3", "told_of_inspector": True}
    assert noted(play, "review") == [facts]
    assert ruled(play, "review") == [("war", "rank3", ("13.12", "13.13"))]
    play.press("review", rank=3, decision="again")
    assert codes(play) == ["no_decision", "no_decision"]
