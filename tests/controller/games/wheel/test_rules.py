"""What Big Wheel pays and which wagers count: the odds of every symbol, and limits."""

from __future__ import annotations

import tomllib
from fractions import Fraction

import pytest

from controller import games
from controller.config.kept import plain
from controller.config.tomlread import ConfigError
from controller.core.desk import Limits
from controller.games.wheel.edge import expectation
from controller.games.wheel.rules import RETURN, wheel_rules
from controller.games.wheel.settle import Wager, settle
from tests.controller.games.wheel.play import Play, clause, money

RULES = wheel_rules()


# -- settlement --------------------------------------------------------------------------------------------------


@clause(*(symbol.pay_clause for option in RULES.options for symbol in option.symbols))
@clause("3.6.1", "3.6.2", "5.1.4")
@pytest.mark.parametrize("option", RULES.options, ids=lambda option: f"option {option.number}")
def test_ten_dollars_on_every_symbol_pay_the_odds_of_the_one_that_wins(option) -> None:
    wagers = [Wager("P1", symbol.symbol, 1000) for symbol in option.symbols]
    for winner in option.symbols:
        results = settle(option, winner.symbol, wagers, lambda *_: Limits(500, 10_000)).results
        assert sum(result.pays for result in results) == 1000 * winner.odds
        assert sum(result.stake_taken for result in results) == 1000 * (len(option.symbols) - 1)
        assert [result.bet for result in results if result.result == "win"] == [winner.symbol]
        assert all(winner.pay_clause in result.clauses for result in results)
    assert sum(symbol.compartments for symbol in option.symbols) == 52
    assert all(symbol.compartments * (symbol.odds + 1) == 48 for symbol in option.symbols)


def test_every_bet_of_every_option_loses_a_thirteenth_on_average() -> None:
    for option in RULES.options:
        for symbol in option.symbols:
            assert expectation(option, symbol.symbol) == Fraction(-1, 13)


@clause("2.1.3[unlettered item after (m)]", "2.1.3(n)", "2.1.3(o)", "6.1 Option 3 Symbol N")
def test_the_symbol_without_a_letter_is_the_fourteenth() -> None:
    play = Play(option=3).opened()
    play.press("place_bets")
    play.bet("p1", "N", 10)
    assert money(play.result("N")["p1/N"]) == (470, 0, 10)


@clause("3.6.1", "3.6.2", "6.1 Option 1 Symbol D")
def test_one_player_on_several_symbols_has_several_wagers(play: Play) -> None:
    play.bet("p1", "A", 50)
    play.bet("p1", "D", 25)
    play.bet("p1", "F", 5)
    results = play.result("D")
    assert [money(results[key]) for key in ("p1/A", "p1/D", "p1/F")] == [(0, 50, 0), (275, 0, 25), (0, 5, 0)]


# -- limits --------------------------------------------------------------------------------------------------------


@clause("4.2.2")
@pytest.mark.parametrize(("winner", "expected"), [("B", (300, 0, 150)), ("A", (0, 100, 50))])
def test_over_the_maximum_counts_as_the_maximum_and_the_rest_goes_back(
    play: Play, winner: str, expected: tuple[float, float, float]
) -> None:
    play.bet("p1", "B", 150)
    assert money(play.result(winner)["p1/B"]) == expected


@clause("4.2.2")
def test_cash_of_nobody_over_the_maximum_is_never_capped_silently(play: Play) -> None:
    play.bet("", "B", 150)
    play.spin_to("B")
    assert (play.state, play.question.subject) == ("ruling", "owners")
    tag = play.laid["B"][0]
    play.press("assign", area=play.area("B"), player="p1", tags=[tag])
    assert play.state == "result"


@clause("4.2.1")
def test_the_first_wager_under_the_minimum_is_settled_and_its_owner_advised(play: Play) -> None:
    play.bet("p1", "B", 2)
    assert money(play.result("B")["p1/B"]) == (6, 0, 2)
    assert play.noted("advised_under_minimum") == [{"player": "p1"}]


@clause("4.2.1")
@pytest.mark.parametrize("winner", ["A", "B"])
def test_after_the_advice_a_wager_under_the_minimum_goes_back_win_or_lose(play: Play, winner: str) -> None:
    play.table.game.state.advised.add("p1")  # type: ignore[attr-defined]
    play.bet("p1", "B", 2)
    result = play.result(winner)["p1/B"]
    assert (money(result), result.result) == ((0, 0, 2), "returned")


@clause("4.2.1")
def test_the_advice_lapses_when_the_minimum_changes() -> None:
    play = Play().opened()
    play.press("place_bets")
    play.bet("p1", "B", 2)
    play.result("A")
    play.settle_up()
    play.press("limits", 3, least=400, most=10_000)
    play.press("place_bets")
    play.bet("p1", "B", 2)
    assert play.result("A")["p1/B"].result == "lose"


@clause("4.2.3")
def test_winnings_are_rounded_up_to_the_smallest_chip() -> None:
    option = RULES.option(1)
    limits = Limits(500, 10_000, smallest_chip=250)
    (won,) = settle(option, "B", [Wager("p", "B", 790)], lambda *_: limits).results
    (lost,) = settle(option, "A", [Wager("p", "B", 790)], lambda *_: limits).results
    assert (won.pays, lost.stake_taken) == (2500, 790)
    assert "4.2.3" in won.clauses


@clause("4.3", "4.2.2", "1.1 'Distinctive Marker'")
@pytest.mark.parametrize(("marker", "expected"), [(True, (300, 0, 300)), (False, (100, 0, 300))])
def test_personal_limits_hold_only_with_the_marker(play: Play, marker: bool, expected: tuple[float, ...]) -> None:
    assert play.press("personal_limit", 2, player="p1", least=500, most=50_000)
    assert play.refused == "rank_too_low"
    play.press("personal_limit", 3, player="p1", least=500, most=50_000)
    if marker:
        play.press("marker", player="p1", laid=True)
    play.bet("p1", "A", 300)
    assert money(play.result("A")["p1/A"]) == expected


@clause("footnote 1 s 66(2)", "4.1", "footnote 1 s 66(1)(c)")
def test_a_higher_minimum_waits_twenty_minutes_on_the_sign_and_a_lower_one_does_not() -> None:
    from controller.core.events import SignShown

    play = Play().opened()
    play.press("limits", 3, least=1000, most=10_000)
    play.event(SignShown(play.table.state.sign))
    play.time(19)
    assert play.table.state.limits.least == 500
    assert play.table.sign()["coming"]["least"] == 1000
    play.time(2)
    assert play.table.state.limits.least == 1000
    play.press("limits", 3, least=200, most=10_000)
    assert play.table.state.limits.least == 200


@clause("footnote 1 s 66(2)")
def test_a_higher_minimum_does_not_come_while_the_sign_does_not_show_it() -> None:
    play = Play().opened()
    play.table.state.sign_shown = 0
    play.press("limits", 3, least=1000, most=10_000)
    play.time(21)
    assert play.table.state.limits.least == 500


@clause("4.1", "footnote 1 s 66(1)(c)")
def test_the_table_does_not_open_before_the_sign_shows_the_limits() -> None:
    from controller.core.events import SignShown, Started

    play = Play()
    play.event(Started("test", plain(play.config)))
    play.up("wheel")
    play.up("chips")
    play.press("open")
    assert play.life == "opening"
    play.event(SignShown(play.table.state.sign))
    assert play.life == "open"


OPTIONS = (1, 2, 3, 4)


@pytest.mark.parametrize("option", OPTIONS)
@pytest.mark.clause("melbourne-wheel", "2.1")
def test_every_bet_of_every_option_returns_48_of_52_and_fills_the_wheel(option: int) -> None:
    known = wheel_rules().option(option)
    assert sum(symbol.compartments for symbol in known.symbols) == 52
    assert {symbol.compartments * (symbol.odds + 1) for symbol in known.symbols} == {RETURN}


@pytest.mark.clause("melbourne-wheel", "2.1.3[unlettered item after (m)]", "2.1.3(n)", "2.1.3(o)")
def test_option_3_goes_by_ordinal_where_the_document_lacks_a_letter() -> None:
    option = wheel_rules().option(3)
    assert [option.symbol(name).wheel_clause for name in "MNOP"] == [
        "2.1.3(m)",
        "2.1.3[unlettered item after (m)]",
        "2.1.3(n)",
        "2.1.3(o)",
    ]
    assert option.symbol("N").pay_clause == "6.1 Option 3 Symbol N"


def test_a_rulebook_that_pays_wrong_odds_does_not_load(monkeypatch: pytest.MonkeyPatch) -> None:
    from controller.config.tomlread import Document
    from controller.games.wheel.rules import WheelRules, check_wheels
    from controller.rules import rulebook as module

    text = games.rulebooks()["melbourne-wheel"].read_text(encoding="utf-8")
    wrong = text.replace("compartments = 4, odds = 11", "compartments = 4, odds = 12", 1)
    assert tomllib.loads(wrong) != tomllib.loads(text)
    monkeypatch.setattr(module, "_document", lambda _: Document("melbourne-wheel.toml", wrong))
    with pytest.raises(
        ConfigError, match=r"symbol D: 4 compartments x \(12 \+ 1\) is 52, not 48 \(6\.1 Option 1 Symbol D\)"
    ):
        module.load_rules("melbourne-wheel", WheelRules, check_wheels)
