"""War or surrender at Casino War: choices entered, missed, wrongly followed or never made, and burns forgotten."""

from __future__ import annotations

import pytest

from controller.core.effects import Reversed
from controller.games.war.config import WarConfig
from tests.controller.games.war.play import BURN, MELBOURNE, PERTH, STAR, Play, announced, clause, codes, opened, tied
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

MISSED = {MELBOURNE: ("9.8", "9.2"), PERTH: ("5.4", "5.2"), STAR: ("11.6", "11.2")}
OFFERED = {MELBOURNE: ("7.4.3(a)",), STAR: ("8.2.4",)}
OFFERS = {MELBOURNE: ("7.4.2(c)", "7.4.5"), PERTH: ("4.10",), STAR: ("8.2.4",)}


# -- entered ----------------------------------------------------------------------------------------------------------


@clause(MELBOURNE, "7.4.3(a)")
@clause(STAR, "8.2.4")
@pytest.mark.parametrize("house", [MELBOURNE, STAR])
def test_only_war_surrender_or_no_answer_is_entered_and_only_for_somebody_who_has_to_choose(house: str) -> None:
    play = tied(house)
    play.press("choice", rank=1, box=1, player="Ann", choice="fold")
    assert (codes(play)[-1], play.refusals()[-1].clauses) == ("not_there", OFFERED[house])
    for box, player in ((1, "Bob"), (3, "Cyd"), (7, "Ann")):
        play.press("choice", rank=1, box=box, player=player, choice="war")
        assert (codes(play)[-1], play.refusals()[-1].clauses) == ("no_choice", OFFERS[house])
    play.press("choice", rank=1, box=1, player="Ann", choice="war")
    assert (play.phase, play.questions()) == ("choosing", ["choice:2:Bob"])
    play.press("choice", rank=1, box=1, player="Ann", choice="surrender")  # no chips lie there yet
    assert money(play)["mAnn"] == HALVED
    play.press("choice", rank=1, box=1, player="Ann", choice="war")
    assert codes(play)[-1] == "no_choice"
    play.lay("w", "Bob", 2, "war", 1000)
    at_war = tied(house)
    at_war.lay("w", "Ann", 1, "war", 1000)
    at_war.press("choice", rank=1, box=1, player="Ann", choice="surrender")
    cited = {MELBOURNE: ("5.6", "7.4.4(a)(i)", "1.1 [Go to War wager]"), STAR: ("5.8", "9.1", "1.1 [War Wager]")}
    assert (codes(at_war), at_war.refusals()[-1].clauses) == (["at_war"], cited[house])
    assert money(at_war).keys() == {"mCyd"}


@clause(MELBOURNE, "7.4.3(a)", "5.6", "7.4.5")
@clause(STAR, "8.2.4", "8.3")
@pytest.mark.parametrize("house", [MELBOURNE, STAR])
def test_a_round_in_which_all_surrender_is_valid_and_its_choices_are_on_record(house: str) -> None:
    play = tied(house)
    play.answer("choice:1:Ann", "surrender")
    play.answer("choice:2:Bob", "surrender")
    assert (play.phase, record(play)["valid"]) == ("over", True)
    assert sorted(record(play)["choices"]) == [[1, "Ann", "surrender"], [2, "Bob", "surrender"]]
    assert money(play) == {"mAnn": HALVED, "mBob": HALVED, "mCyd": LOST}


@clause(MELBOURNE, "5.6", "11.10")
def test_a_choice_made_while_its_silence_is_ruled_on_answers_that_question() -> None:
    for answer in ("surrender", "war"):
        play = tied(MELBOURNE)
        play.press("absent", rank=1, player="Ann")
        options = [("surrender", 3, "11.10"), ("wait", 1, "11.10")]
        assert question(play, "silent") == ("silent:1:Ann", "surrender", options, ("11.10",))
        if answer == "war":
            play.lay("w", "Ann", 1, "war", 1000)
        else:
            play.press("choice", rank=1, box=1, player="Ann", choice=answer)
        assert (play.questions(), withdrawn(play)) == (["choice:2:Bob"], ["choice:1:Ann", "silent:1:Ann"])


@clause(MELBOURNE, "5.6", "11.10")
def test_a_choice_made_while_something_else_is_ruled_on_counts_when_play_goes_on() -> None:
    play = tied(MELBOURNE)
    play.answer("choice:2:Bob", "surrender")
    play.press("void_player", rank=1, player="Cyd")
    play.answer("choice:1:Ann", "surrender")
    assert play.phase == "ruling"
    play.answer("void_player", "stand")
    assert (play.phase, play.questions()) == ("over", [])


# -- nobody there -----------------------------------------------------------------------------------------------------


@clause(STAR, "11.8")
def test_a_player_who_is_away_surrenders_every_tied_stake_once_and_nothing_else() -> None:
    play = opened(STAR)
    for box in (1, 2):
        play.lay(f"m{box}", "Ann", box, "main", 1000)
    play.lay("mBob", "Bob", 3, "main", 1000)
    play.press("no_more_bets")
    play.press("absent", rank=1, player="Ann")
    play.press("absent", rank=1, player="Ann")
    assert play.game.state.round.absent == ["Ann"]
    assert ruled(play, "absent") == [("Ann", "rank1", ("11.8",))] * 2
    play.cards("KH", "2D", "KD", "KS")
    play.press("absent", rank=1, player="Ann")
    assert (play.phase, money(play)) == ("interim", {"m2": LOST})
    play.press("settled")
    assert (play.phase, play.questions()) == ("choosing", ["choice:3:Bob"])
    assert money(play) == {"m2": LOST, "m1": HALVED}
    assert play.results()["m1"].clauses == ("11.8", "5.8", "8.2.4", "8.2.4.1", "8.3")
    play.press("absent", rank=1, player="Ann")
    assert told(play, Reversed) == []
    play.press("absent", rank=1, player="Bob")
    assert (play.phase, money(play)["mBob"]) == ("over", HALVED)
    assert sorted(record(play)["choices"]) == [[1, "Ann", "surrender"], [3, "Bob", "surrender"]]


@clause(STAR, "11.8", "5.2.1.3")
def test_who_went_to_war_and_then_left_is_at_war_still() -> None:
    play = tied(STAR)
    play.lay("w", "Ann", 1, "war", 1000)
    play.press("absent", rank=1, player="Ann")
    assert money(play) == {"mCyd": LOST}
    play.press("choice", rank=1, box=2, player="Bob", choice="decline")
    assert (play.phase, money(play)["mBob"]) == ("war_dealing", HALVED)
    assert play.results()["mBob"].clauses == ("5.2.1.3", "5.8", "8.2.4", "8.2.4.1", "8.3")


@clause(STAR, "11.8")
@clause(MELBOURNE, "11.10")
def test_a_player_who_leaves_while_something_is_ruled_on_is_missed_at_once() -> None:
    star = tied(STAR)
    star.press("void_player", rank=1, player="Cyd")
    star.press("absent", rank=1, player="Ann")
    assert (star.phase, money(star)["mAnn"]) == ("ruling", HALVED)
    melbourne = tied(MELBOURNE)
    melbourne.press("void_player", rank=1, player="Cyd")
    melbourne.press("absent", rank=1, player="Ann")
    assert sorted(melbourne.questions()) == ["choice:2:Bob", "silent:1:Ann", "void_player:Cyd"]


# -- missed -----------------------------------------------------------------------------------------------------------


@clause(MELBOURNE, "9.8", "9.2")
@clause(PERTH, "5.2")
@clause(STAR, "11.2")
@pytest.mark.parametrize("house", HOUSES)
def test_a_choice_that_is_open_stays_open_when_it_is_reported_as_missed(house: str) -> None:
    play = tied(house)
    before = play.questions()
    play.press("choice_missed", rank=1, box=1, player="Ann")
    assert ruled(play, "decision_missed") == [("box 1, Ann: choice taken again", "rank1", MISSED[house])]
    assert (play.questions(), withdrawn(play)) == (before, [])
    play.press("choice_missed", rank=1, box=3, player="Cyd")
    assert (codes(play), play.refusals()[-1].clauses) == (["no_choice"], MISSED[house])


@clause(MELBOURNE, "9.8", "9.2")
@clause(STAR, "11.2")
@pytest.mark.parametrize("house", [MELBOURNE, STAR])
def test_a_surrender_that_was_never_meant_is_asked_again_while_others_still_choose(house: str) -> None:
    play = tied(house)
    play.answer("choice:1:Ann", "surrender")
    play.press("choice_missed", rank=1, box=1, player="Ann")
    assert play.phase == "choosing"
    assert sorted(play.questions()) == ["choice:1:Ann", "choice:2:Bob"]
    assert (told(play, Reversed), money(play)["mAnn"]) == ([["mAnn"]], BACK)
    play.lay("w", "Ann", 1, "war", 1000)
    play.answer("choice:2:Bob", "surrender")
    play.cards("9H", "5S")
    assert (money(play)["w"], money(play)["mBob"]) == (WON, HALVED)


@clause(MELBOURNE, "9.8", "9.2")
@clause(STAR, "11.2")
@pytest.mark.parametrize("house", [MELBOURNE, STAR])
def test_cards_dealt_past_a_choice_wrongly_followed_are_dealt_again_after_it(house: str) -> None:
    play = tied(house)
    play.card("7C")  # drawn too early, and already the first card of the war
    play.answer("choice:2:Bob", "surrender")
    play.lay("late", "Bob", 2, "main", 1000)
    play.lay("w", "Ann", 1, "war", 1000)
    play.card("5S")
    assert (play.phase, money(play)["w"]) == ("final", WON)
    play.press("choice_missed", rank=1, box=2, player="Bob")
    assert (play.phase, play.questions()) == ("choosing", ["choice:2:Bob"])
    assert told(play, Reversed) == [["mAnn", "w"], ["mBob"]]
    assert lying(play)[4:] == ["next-round", "next-round"]
    play.lay("wBob", "Bob", 2, "war", 1000)
    play.card("6D")
    assert (play.phase, lying(play)[4:]) == ("final", ["box1", "box2", "dealer"])
    assert (money(play)["w"], money(play)["wBob"]) == (WON, LOST)
    assert {wager: money(play)[wager] for wager in ("late", "mCyd")} == {"late": BACK, "mCyd": LOST}


@clause(MELBOURNE, "9.8", "9.2")
@clause(STAR, "11.2")
@pytest.mark.parametrize("house", [MELBOURNE, STAR])
def test_a_war_that_was_never_meant_gives_its_stake_back_until_the_choice_is_taken(house: str) -> None:
    play = tied(house)
    for box, player in ((1, "Ann"), (2, "Bob")):
        play.lay(f"w{player}", player, box, "war", 1000)
    play.press("choice_missed", rank=1, box=1, player="Ann")
    hand_back = ("Hand Ann the war stake until the choice is taken.", MISSED[house])
    assert (announced(play, "hand_back"), play.questions()) == ([hand_back], ["choice:1:Ann"])
    assert "wAnn" not in [stake.id for stake in play.game.state.round.stakes]
    play.answer("choice:1:Ann", "surrender")
    assert (play.phase, money(play)["mAnn"]) == ("war_dealing", HALVED)
    play.cards("9H", "5S")
    assert lying(play)[4:] == ["box2", "dealer"]
    assert (money(play)["wBob"], "wAnn" in money(play)) == (WON, False)
    play.press("settled")
    assert (play.phase, record(play)["valid"]) == ("over", True)
    assert sorted(record(play)["choices"]) == [[1, "Ann", "surrender"], [2, "Bob", "war"]]


@clause(MELBOURNE, "9.8", "9.8.1")
@clause(STAR, "11.2")
@pytest.mark.parametrize(("house", "why"), [(MELBOURNE, ("9.8.1",)), (STAR, ("11.6", "13.12"))])
def test_a_choice_missed_that_comes_to_light_after_the_round_changes_nothing(house: str, why: tuple[str, ...]) -> None:
    play = tied(house)
    play.answer("choice:1:Ann", "surrender")
    play.answer("choice:2:Bob", "surrender")
    before = money(play)
    play.press("choice_missed", rank=1, box=1, player="Ann")
    assert ruled(play, "decision_missed") == [("all settled, nothing changes", "rank1", why)]
    assert (play.phase, play.questions(), money(play)) == ("over", [], before)


# -- settled otherwise ------------------------------------------------------------------------------------------------


@clause(MELBOURNE, "9.8.1")
def test_what_was_paid_on_a_tie_is_recorded_at_the_odds_of_the_tie() -> None:
    play = opened(MELBOURNE)
    play.lay("m", "Ann", 1, "main", 1000)
    play.lay("t", "Ann", 1, "tie", 1010)
    play.press("no_more_bets")
    play.cards("KH", "9S")
    assert money(play) == {"m": WON, "t": ("lose", 0, 1010, 0)}
    play.press("settled_as", rank=3, wager="t", result="win")
    assert money(play)["t"] == ("win", 10_250, 0, 1010)  # ten to one, in chips of $2.50
    assert (play.phase, record(play)["valid"], play.questions()) == ("over", True, [])
    assert ruled(play, "settled_as") == [("t: win", "rank3", ("9.8.1",))]


@clause(MELBOURNE, "9.8.1")
def test_nothing_was_settled_on_a_stake_that_was_refused() -> None:
    play = opened(MELBOURNE)
    play.lay("m", "Ann", 1, "main", 1000)
    play.lay("t", "Ann", 1, "tie", 1000)
    play.press("refuse_stake", rank=3, wager="t")
    play.press("no_more_bets")
    play.cards("KH", "9S")
    asked = next(key for key in play.table.available() if key.name == "settled_as").asks[0]
    assert [wager for wager, _ in asked.choices] == ["m"]
    play.press("settled_as", rank=3, wager="t", result="win")
    assert (play.refusals()[-1].code, play.phase) == ("not_there", "interim")


@clause(MELBOURNE, "9.8.1")
def test_a_stake_settled_as_surrendered_keeps_half_and_the_round_goes_on_with_the_others() -> None:
    play = tied(MELBOURNE)
    play.lay("w", "Ann", 1, "war", 1000)
    play.press("absent", rank=1, player="Bob")
    assert play.questions() == ["silent:2:Bob"]
    play.press("settled_as", rank=3, wager="mBob", result="surrender")
    assert (money(play)["mBob"], play.results()["mBob"].clauses[0]) == (HALVED, "9.8.1")
    assert (play.phase, play.questions()) == ("war_dealing", [])
    play.cards("9H", "5S")
    play.press("settled_as", rank=3, wager="w", result="lose")
    assert (play.phase, money(play)["w"]) == ("over", LOST)
    assert record(play)["results"] == [
        ["mCyd", "lose", 0, 1000, 0], ["mBob", "surrender", 0, 500, 500], ["mAnn", "standoff", 0, 0, 1000],
        ["w", "lose", 0, 1000, 0],
    ]  # fmt: skip


@clause(MELBOURNE, "9.8.1")
def test_a_tie_settled_otherwise_leaves_the_choice_of_its_main_stake_open() -> None:
    play = opened(MELBOURNE)
    play.lay("m", "Ann", 1, "main", 1000)
    play.lay("t", "Ann", 1, "tie", 1000)
    play.press("no_more_bets")
    play.cards("KH", "KS")
    play.press("settled")
    play.press("settled_as", rank=3, wager="t", result="lose")
    assert (play.phase, play.questions(), money(play)) == ("choosing", ["choice:1:Ann"], {"t": LOST})


@clause(MELBOURNE, "9.8.1")
def test_at_interim_a_stake_settled_otherwise_leaves_the_ties_to_be_offered() -> None:
    play = staked(MELBOURNE, "Ann", "Bob")
    play.cards("KH", "3D", "KS")
    play.press("settled_as", rank=3, wager="mBob", result="standoff")
    assert (play.phase, money(play)["mBob"]) == ("interim", ("standoff", 0, 0, 1000))
    play.press("misdeal", rank=3)
    assert money(play) == {"mBob": ("standoff", 0, 0, 1000), "mAnn": BACK}  # what is settled stays so


# -- stakes against the rules -----------------------------------------------------------------------------------------


@clause(STAR, "5.2.3", "1.1 [invalid Wager]")
@clause(MELBOURNE, "5.5.2")
@pytest.mark.parametrize("house", [MELBOURNE, STAR])
def test_an_invalid_stake_that_was_tied_has_nothing_to_choose(house: str) -> None:
    play = tied(house)
    play.press("invalid_stake", rank=1, wager="mAnn")
    assert (play.phase, play.questions()) == ("choosing", ["choice:2:Bob"])
    play.press("invalid_stake", rank=1, wager="mBob")
    assert (play.phase, money(play)) == ("over", {"mAnn": BACK, "mBob": BACK, "mCyd": LOST})
    early = opened(house)
    early.lay("m", "Ann", 1, "main", 1000)
    early.press("invalid_stake", rank=1, wager="m")
    assert (early.phase, money(early)) == ("betting", {"m": BACK})


# -- the call and the burn --------------------------------------------------------------------------------------------


@clause(MELBOURNE, "4.3.2(b)", "7.3.1(a)")
@clause(PERTH, "3.2", "1.1 [Round of Play]")
@clause(STAR, "7.1", "5.4")
@pytest.mark.parametrize(
    ("house", "why"),
    [(MELBOURNE, ("4.3.2(b)", "7.3.1(a)")), (PERTH, ("3.2", "1.1 [Round of Play]")), (STAR, ("7.1", "5.4"))],
)
def test_the_call_is_said_to_all_and_deals_a_card_that_waits_under_the_shoe(house: str, why: tuple[str, ...]) -> None:
    play = staked(house, "Ann")
    assert announced(play, "no_more_bets") == [("No more bets.", why)]
    play.cards("KH", "9S", "QS")
    play.press("settled")
    play.answer("surplus", "unseen")
    play.press("place_bets")
    for player in ("Bob", "Cyd"):
        play.lay(f"m{player}", player, 1, "main", 1000)
    play.press("no_more_bets")
    assert (play.phase, lying(play)) == ("dealing", ["box1"])
    lines = [("See that shared stakes stand in line, front first (box 1: Bob, Cyd).", ("5.12",))]
    assert announced(play, "line") == (lines if house == MELBOURNE else [])
    play.card("3S")
    assert money(play)["mBob"] == WON


def shuffled(house: str) -> Play:
    """The cards are cut, and the burn is due."""
    play = Play(house, WarConfig(decks=6))
    play.press("check_cards", how="by hand")
    play.press("shuffled")
    play.answer("cut", "cut")
    play.press("player_card", player="Ann")
    assert play.phase == "burning"
    return play


@clause(MELBOURNE, "4.3.1")
@clause(PERTH, "4.6(b)")
@clause(STAR, "11.10", "4.9")
@pytest.mark.parametrize(
    ("house", "why"), [(MELBOURNE, ("4.3.1",)), (PERTH, ("4.6(b)", "6.11")), (STAR, ("11.10", "4.9"))]
)
def test_a_burn_that_was_forgotten_leaves_its_card_in_play(house: str, why: tuple[str, ...]) -> None:
    play = shuffled(house)
    play.press("burn_missed", rank=1)
    assert ruled(play, "burn_missed") == [("the card stays in play", "rank1", why)]
    assert play.phase == "betting"
    assert len(announced(play, "place_bets")) == 1
    late = shuffled(house)
    late.cards(*BURN[house])
    late.lay("m", "Ann", 1, "main", 1000)
    late.press("no_more_bets")
    late.card("KH")
    late.press("burn_missed", rank=1)  # the burned cards were the first of the round
    assert [card["to"] for card in late.game.view()["cards"]][:2] == ["box1", "dealer"]
    assert late.phase == "interim"
    assert late.results()["m"].result == ("lose" if house != PERTH else "win")
    again = staked(house, "Ann")
    again.cards("KH", "9S")
    again.press("settled")
    again.press("place_bets")
    again.lay("n", "Ann", 1, "main", 1000)
    again.press("burn_missed", rank=1)
    again.press("no_more_bets")
    again.card("KD")
    again.press("burn_missed", rank=1)
    assert (codes(again), again.refusals()[-1].clauses) == (["no_burn"] * 2, why)


@clause(MELBOURNE, "4.3.1")
@clause(PERTH, "4.6(b)")
@clause(STAR, "4.9")
@pytest.mark.parametrize(("house", "why"), [(MELBOURNE, "4.3.1"), (PERTH, "4.6(b)"), (STAR, "4.9")])
def test_a_supervisor_lets_play_go_on_without_a_burn_and_without_any_that_a_card_would_ask_for(
    house: str, why: str
) -> None:
    play = shuffled(house)
    if house == PERTH:
        play.card("5D")  # five more are due
    play.press("skip_burn", rank=1)
    assert codes(play) == ["rank_too_low"]
    play.press("skip_burn", rank=2)
    assert ruled(play, "skip_burn") == [("no further burn", "rank2", (why,))]
    assert (play.phase, len(announced(play, "place_bets"))) == ("betting", 1)
    play.lay("m", "Ann", 1, "main", 1000)
    play.press("no_more_bets")
    play.cards("KH", "9S")
    assert (play.phase, lying(play)) == ("interim", ["box1", "dealer"])


@clause(PERTH, "4.6(b)")
def test_where_the_burn_is_skipped_a_turned_card_that_is_told_late_burns_nothing() -> None:
    play = shuffled(PERTH)
    play.card("??")
    play.press("skip_burn", rank=2)
    assert play.phase == "betting"
    play.answer("unknown:0", "enter", face="5D")
    assert ruled(play, "card_named") == [("card 1 is 5D, read as ??", "table", ("4.8(a)",))]
    assert ([slot.place for slot in play.game.state.round.slots], play.phase) == (["shoe-start-up"], "betting")
