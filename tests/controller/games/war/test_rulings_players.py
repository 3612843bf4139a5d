"""Players ruled on: another's card, devices, absence; and rounds taken back."""

from __future__ import annotations

import pytest

from controller.core.effects import Reversed, Ruled, Settled
from tests.controller.games.war.play import MELBOURNE, PERTH, STAR, clause, codes, noted, opened, tied


@clause(MELBOURNE, "11.2.1", "11.3", "11.4", "11.5")
@clause(STAR, "13.4.1", "13.5.1", "13.5.2", "13.6")
@clause(PERTH, "6.6(a)", "6.9(a)", "6.9(b)", "6.10")
@pytest.mark.parametrize("house", [MELBOURNE, PERTH, STAR])
def test_a_cancelled_round_takes_every_result_back(house: str) -> None:
    for key, named in (
        ("fraud", {MELBOURNE: "11.3", PERTH: "6.9(b)", STAR: "13.5.2"}),
        ("disruption", {MELBOURNE: "11.4", PERTH: "6.9(a)", STAR: "13.5.1"}),
    ):
        play = opened(house)
        play.lay("a", "Ann", 1, "main", 1000)
        play.lay("b", "Bob", 2, "main", 2000)
        play.press("no_more_bets")
        play.cards("KH", "3D", "5S")
        play.press("cancel", reason=key)
        back = [effect for effect in play.effects if isinstance(effect, Reversed)]
        results = play.results()
        assert {results[wager].stake_returned for wager in "ab"} == {1000, 2000}
        assert {results[wager].pays for wager in "ab"} == {0}
        assert back[-1].clauses[0] == named[house]
        assert {effect.round for effect in play.effects if isinstance(effect, Settled | Reversed)} == {back[-1].round}
        rulings = [effect for effect in play.effects if isinstance(effect, Ruled)]
        assert rulings[-1].clauses[0] == named[house]
        assert noted(play, "round")[-1]["valid"] is False


# -- what people rule -------------------------------------------------------------------------------------------------


@clause(STAR, "11.22.1", "11.22.2", "11.22.3", "13.1")
@clause(MELBOURNE, "11.10")
def test_a_stake_on_anothers_card_goes_back_before_the_deal_is_ruled_on_in_it_and_stands_after_it() -> None:
    before = opened(STAR)
    before.lay("a", "Ann", 1, "main", 1000)
    before.lay("b", "Bob", 2, "main", 1000)
    before.press("invalid_card", rank=1, player="Ann")
    assert before.rulings()[-1].clauses == ("11.22.1", "13.1")
    assert [before.game.state.round.stake(wager).live for wager in "ab"] == [False, True]
    assert "Ann" not in before.game.state.players.carded
    during = opened(STAR)
    during.lay("a", "Ann", 1, "main", 1000)
    during.lay("b", "Bob", 2, "main", 1000)
    during.press("no_more_bets")
    during.card("KH")
    during.press("invalid_card", rank=1, player="Ann")
    assert during.questions() == ["invalid:Ann"]
    during.press("invalid_card", rank=2, player="Ann")
    assert during.results()["a"].stake_returned == 1000
    assert "b" not in during.results()
    assert during.rulings()[-1].clauses[0] == "11.22.2"
    after = opened(STAR)
    after.lay("a", "Ann", 1, "main", 1000)
    after.press("no_more_bets")
    after.cards("KH", "5D")
    after.press("settled")
    after.press("invalid_card", rank=2, player="Ann")
    assert after.rulings()[-1].clauses == ("11.22.3",)
    assert after.results()["a"].pays == 1000
    other = opened(MELBOURNE)
    other.press("sit", box=1, player="Ann")
    other.press("invalid_card", rank=4, player="Ann")
    assert codes(other)[-1] == "no_card_rule"


@clause(MELBOURNE, "11.2.1")
@clause(PERTH, "6.6(a)")
@clause(STAR, "13.4.1")
@pytest.mark.parametrize("house", [MELBOURNE, PERTH, STAR])
def test_voiding_a_player_leaves_everybody_else_in_the_round(house: str) -> None:
    play = opened(house)
    for number, player in enumerate(("Ann", "Bob"), 1):
        play.lay(f"m{player}", player, number, "main", 1000)
    play.press("no_more_bets")
    play.cards("KH")
    play.press("void_player", rank=1, player="Bob")
    assert play.questions() == ["void_player:Bob"]
    play.answer("void_player", "rule", rank=4)
    assert (play.results()["mBob"].result, play.results()["mBob"].stake_returned) == ("void", 1000)
    named = {MELBOURNE: "11.2.1", PERTH: "6.6(a)", STAR: "13.4.1"}[house]
    assert play.results()["mBob"].clauses[0] == named
    assert play.rulings()[-1].clauses[0] == named
    play.card("5D")
    assert play.results()["mAnn"].pays == 1000


@clause(STAR, "13.6")
@clause(MELBOURNE, "11.5")
def test_a_device_users_stake_is_forfeited_only_where_the_document_knows_that() -> None:
    star = opened(STAR)
    star.lay("a", "Ann", 1, "main", 1000)
    star.lay("b", "Bob", 2, "main", 1000)
    star.press("no_more_bets")
    star.cards("KH", "3D", "5S")
    star.press("cancel", rank=2, reason="fraud", forfeit=["Ann"])
    assert (star.results()["a"].stake_taken, star.results()["a"].stake_returned) == (1000, 0)
    assert (star.results()["b"].stake_taken, star.results()["b"].stake_returned) == (0, 1000)
    named = opened(STAR)
    for wager, box, player in (("a", 1, "Ann"), ("b", 2, "Bob"), ("c", 3, "7")):
        named.press("player_card", player=player)
        named.lay(wager, player, box, "main", 1000)
    named.press("no_more_bets")
    named.cards("KH", "3D", "4D", "5S")
    named.press("cancel", rank=2, reason="fraud", forfeit="7, Ann")
    assert {wager: named.results()[wager].stake_taken for wager in "abc"} == {"a": 1000, "b": 0, "c": 1000}
    melbourne = opened(MELBOURNE)
    melbourne.lay("a", "Ann", 1, "main", 1000)
    melbourne.press("no_more_bets")
    melbourne.cards("KH", "5S")
    melbourne.press("cancel", rank=4, reason="fraud", forfeit=["Ann"])
    assert codes(melbourne)[-1] == "unknown_argument"
    melbourne.press("cancel", rank=1, reason="fraud")
    assert melbourne.questions() == ["cancel"]


@clause(STAR, "11.8", "5.2.1.3")
@clause(MELBOURNE, "11.10")
def test_a_player_who_is_marked_absent_is_ruled_on_at_the_choice_and_not_before() -> None:
    star = tied(STAR)
    star.press("absent", player="Ann")
    assert star.rulings()[-1].clauses == ("11.8",)
    assert star.results()["mAnn"].result == "surrender"
    assert star.results()["mAnn"].clauses[0] == "11.8"
    assert star.questions() == ["choice:2:Bob"]
    early = opened(STAR)
    early.lay("a", "Ann", 1, "main", 1000)
    early.press("absent", player="Ann")
    early.press("no_more_bets")
    early.cards("KH", "KS")
    assert early.phase in ("interim", "choosing", "over")
    early.press("settled")
    assert early.results()["a"].result == "surrender"
    melbourne = tied(MELBOURNE)
    melbourne.press("absent", player="Ann")
    assert sorted(melbourne.questions()) == ["choice:2:Bob", "silent:1:Ann"]
