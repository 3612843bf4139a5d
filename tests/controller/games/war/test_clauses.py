"""Casino War clause by clause, where no written case speaks: ranks, layout, odds, persons, notices, records."""

from __future__ import annotations

from itertools import pairwise

import pytest

from controller.core.effects import Alarmed, Announced, Noted, Ruled
from controller.core.events import TimerDue
from controller.games.war.config import WarConfig, zones_of
from controller.games.war.layout import layout_of
from controller.games.war.rules import war_rules
from controller.games.war.settle import compare, on_first_cards, on_war_cards, pair
from controller.rules.rulebook import load_rulebook
from tests.controller.games.war.open_tables import HOUSES, open_table
from tests.controller.games.war.play import Play


def announced(play: Play, code: str) -> list[Announced]:
    return [effect for effect in play.effects if isinstance(effect, Announced) and effect.code == code]


def noted(play: Play, what: str) -> list[Noted]:
    return [effect for effect in play.effects if isinstance(effect, Noted) and effect.what == what]


# -- ranks ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause(
    "melbourne-war",
    "1.1 [Dealer]",
    "1.1 [TG Higher Duties Dealer]",
    "1.1 [TG Area Manager]",
    "1.1 [TG Assistant Casino Manager]",
)
@pytest.mark.clause(
    "perth-war", "1.1 [Dealer]", "1.1 [Table Inspector]", "1.1 [Table Games Manager]", "1.1 [Casino Operator]"
)
@pytest.mark.clause(
    "star-war",
    "1.1 [dealer]",
    "1.1 [Gaming Supervisor]",
    "1.1 [Assistant Gaming Manager]",
    "1.1 [Gaming Manager]",
    "1.1 [casino supervisor]",
)
@pytest.mark.parametrize(
    ("rulebook", "ladder", "power", "least"),
    [
        ("melbourne-war", ["dealer", "HDD", "AM", "ACM"], "cancel_fraud", "ACM"),
        ("melbourne-war", ["dealer", "HDD", "AM", "ACM"], "change_limits", "AM"),
        ("perth-war", ["dealer", "TI", "TGM"], "void_device", "TGM"),
        ("perth-war", ["dealer", "TI", "TGM"], "cut_for_players", "TI"),
        ("star-war", ["dealer", "GS", "AGM", "GM"], "cancel_fraud", "GS"),
        ("star-war", ["dealer", "GS", "AGM", "GM"], "review", "AGM"),
    ],
)
def test_each_rank_may_what_its_house_gives_it_and_those_above_may_too(
    rulebook: str, ladder: list[str], power: str, least: str
) -> None:
    book = load_rulebook(rulebook)
    assert list(book.ladder) == ladder
    assert [rank for rank in ladder if book.may(rank, power)] == ladder[ladder.index(least) :]


# -- layout, cards, odds -------------------------------------------------------------------------------------------


@pytest.mark.clause("melbourne-war", "2.1", "2.2.1", "Diagram A")
@pytest.mark.clause(
    "perth-war", "2.1", "1.1 [Box]", "1.1 [Box](a)", "1.1 [Box](b)", "1.1 [Box](c)", "1.1 [Betting Area]"
)
@pytest.mark.clause("star-war", "2.1", "2.2.1.1", "2.2.1.2", "Diagram A")
@pytest.mark.parametrize(
    ("rulebook", "chosen", "zones"),
    [
        ("melbourne-war", (), ("main", "tie", "war")),
        ("perth-war", (), ("main", "war")),
        ("perth-war", ("tie",), ("main", "tie", "war")),
        ("perth-war", ("a_bomb", "perfect_pairs"), ("main", "a_bomb", "perfect_pairs", "war")),
        ("star-war", (), ("main", "tie", "war")),
    ],
)
def test_every_zone_of_every_box_is_an_area_of_its_own(
    rulebook: str, chosen: tuple[str, ...], zones: tuple[str, ...]
) -> None:
    rules, config = war_rules(rulebook), WarConfig(6, boxes=7, optional_zones=chosen)
    layout = layout_of(rules, config)
    assert layout.zones == zones
    assert set(zones_of(rules, config)) == set(zones) - {"war"}
    areas = [layout.area(box, zone) for box in range(1, 8) for zone in zones]
    assert areas == list(range(1, layout.areas))
    assert all(layout.place(area) for area in areas if area)
    assert layout.place(0) is None
    assert layout.area(8, "main") is None


@pytest.mark.clause("perth-war", "3.1", "3.2")
@pytest.mark.clause("star-war", "5.6")
@pytest.mark.clause("melbourne-war", "5.2", "5.5.1")
@pytest.mark.parametrize("rulebook", HOUSES)
def test_a_stake_lies_on_a_zone_of_the_table_and_before_the_first_card(rulebook: str) -> None:
    play = open_table(rulebook)
    play.lay("x", "P1", 1, "roulette", 1000)
    play.lay("a", "P1", 1, "main", 5000)
    if rulebook == "star-war":
        play.lay("y", "P2", 1, "main", 5000)
    play.cards("KS")
    play.lay("z", "P3", 3, "main", 5000)
    codes = [refusal.code for refusal in play.refusals()]
    assert codes == ["no_such_zone", *(["area_full"] if rulebook == "star-war" else []), "late"]
    assert play.results()["z"].stake_returned == 5000


@pytest.mark.clause("melbourne-war", "3.3", "3.3.1")
@pytest.mark.clause("star-war", "3.2", "3.2.1")
def test_ace_is_high_and_suits_are_equal() -> None:
    assert compare("TH", "TS") == 0
    ranks = "AKQJT98765432"
    assert all(compare(f"{high}S", f"{low}H") == 1 for high, low in pairwise(ranks))


@pytest.mark.clause("perth-war", "1.1 [Mixed Pair]", "1.1 [Perfect Pairs]", "1.1 [A Bomb]", "1.1 [Tie]", "3.10(b)")
def test_side_bets_of_perth_are_judged_by_the_cards_of_their_stage() -> None:
    rules = war_rules("perth-war")
    column = rules.column(2)
    assert pair("8H", "8S") == "mixed"
    assert on_first_cards(rules, column, "perfect_pairs", "8H", "8S").odds == 5
    assert on_war_cards(rules, column, "perfect_pairs", "8H", "8H").odds == 25
    assert on_first_cards(rules, None, "a_bomb", "AH", "AS").odds == 10
    assert on_first_cards(rules, None, "tie", "9H", "8S").result == "lose"


@pytest.mark.clause(
    "perth-war", *(f"3.16 [column {number}: {decks} decks]" for number, decks in enumerate((6, 6, 6, 6, 8, 8), 2))
)
@pytest.mark.parametrize(
    ("number", "decks", "odds"),
    [
        (1, 4, (30, 12, 5)),
        (2, 6, (25, 12, 5)),
        (3, 6, (30, 12, 5)),
        (4, 6, (30, 10, 5)),
        (5, 6, (25, 12, 6)),
        (6, 8, (25, 12, 5)),
        (7, 8, (25, 12, 6)),
    ],
)
def test_every_payout_column_is_as_the_document_has_it(number: int, decks: int, odds: tuple[int, int, int]) -> None:
    column = war_rules("perth-war").column(number)
    assert column is not None
    assert (column.decks, column.perfect, column.coloured, column.mixed) == (decks, *odds)


@pytest.mark.clause(
    "melbourne-war",
    "8.1 [Table 1: Casino War Wager]",
    "8.1 [Table 1: Go to War Wager]",
    "8.1 [Table 1: Tie Wager]",
    "1.1 [Void]",
    "1.1 [Surrender]",
    "1.1 [Tie wager]",
)
@pytest.mark.clause("perth-war", "3.6", "1.1 [Standoff]", "1.1 [Surrender]")
@pytest.mark.clause(
    "star-war", "5.2.1.6", "5.2.2.2", "5.2.3.2", "1.1 [stand off]", "1.1 [surrender]", "1.1 [void]", "8.1.1"
)
@pytest.mark.parametrize("rulebook", HOUSES)
def test_main_tie_and_war_are_paid_as_the_odds_say(rulebook: str) -> None:
    rules = war_rules(rulebook)
    assert (
        on_first_cards(rules, None, "main", "KS", "9H").odds,
        on_first_cards(rules, None, "tie", "9S", "9H").odds,
    ) == (
        1,
        10,
    )
    assert on_first_cards(rules, None, "tie", "KS", "9H").result == "lose"
    assert on_war_cards(rules, None, "war", "KS", "9H").odds == 1
    assert on_war_cards(rules, None, "main", "KS", "9H").result == "standoff"
    assert {on_war_cards(rules, None, zone, "2S", "9H").result for zone in ("main", "war")} == {"lose"}


# -- persons -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("melbourne-war", "11.2.2")
@pytest.mark.clause("perth-war", "6.6(b)")
@pytest.mark.clause("star-war", "13.4.2")
@pytest.mark.parametrize("rulebook", HOUSES)
def test_a_barred_player_stakes_no_more(rulebook: str) -> None:
    play = open_table(rulebook)
    play.press("bar_player", rank=1, player="P1")
    play.press("bar_player", rank=4, player="P1")
    play.lay("a", "P1", 1, "main", 5000)
    assert [refusal.code for refusal in play.refusals()] == ["rank_too_low", "barred"]


@pytest.mark.clause("perth-war", "6.6(a)", "6.9(b)")
@pytest.mark.clause("star-war", "13.5.1")
@pytest.mark.clause("melbourne-war", "11.5")
@pytest.mark.parametrize("rulebook", HOUSES)
def test_a_cancelled_outcome_gives_every_stake_back(rulebook: str) -> None:
    for reason in ("disruption", "fraud"):
        play = open_table(rulebook)
        play.lay("a", "P1", 1, "main", 5000)
        play.lay("b", "P2", 2, "main", 5000)
        play.cards("KS", "2S")
        play.press("cancel", rank=4, reason=reason)
        assert {result.stake_returned for result in play.results().values()} == {5000}
    play = open_table(rulebook)
    play.lay("a", "P1", 1, "main", 5000)
    play.lay("b", "P2", 2, "main", 5000)
    play.cards("KS", "2S")
    play.press("void_player", rank=4, player="P2")
    play.cards("9H")
    results = play.results()
    assert (results["a"].result, results["b"].result, results["b"].stake_returned) == ("win", "void", 5000)


@pytest.mark.clause("star-war", "5.10", "5.7", "5.7.2")
def test_star_may_keep_boxes_for_one_player_and_lets_players_hold_several() -> None:
    play = open_table("star-war")
    play.press("reserve", rank=2, box=3, player="P1")
    play.lay("a", "P2", 3, "main", 5000)
    assert play.refusals()[-1].code == "reserved"
    play.lay("b", "P1", 3, "main", 5000)
    play.lay("c", "P1", 4, "main", 5000)
    assert {stake.id for stake in play.game.state.round.stakes if stake.live} == {"b", "c"}
    assert play.questions() == []
    play.press("share", rank=2, most=1)
    play.press("share", rank=2, most=2)
    assert play.refusals()[-1].code == "bad_share"


@pytest.mark.clause(
    "star-war", "1.1 [invalid Wager]", "1.1 [Tie Wager]", "1.1 [Player Card]", "1.1 [casino promotional token]"
)
def test_a_tie_without_its_main_stake_is_void_and_goes_back() -> None:
    play = open_table("star-war")
    play.lay("t", "P1", 1, "tie", 1000)
    play.lay("a", "P2", 2, "main", 5000)
    play.cards("KS", "9H")
    assert (play.results()["t"].result, play.results()["t"].stake_returned) == ("void", 1000)


@pytest.mark.clause("star-war", "6.6")
@pytest.mark.clause("melbourne-war", "1.1 [Distinctive Marker]")
def test_a_players_own_maximum_holds_while_its_marker_lies() -> None:
    for marker, counted in ((True, 200000), (False, 50000)):
        play = open_table("star-war")
        play.press("personal_limit", rank=2, player="P1", least=1000, most=200000)
        play.press("marker", rank=1, player="P1", laid=marker)
        play.lay("a", "P1", 1, "main", 200000)
        play.cards("KS")
        assert play.game.state.round.stake("a").counted == counted


@pytest.mark.clause("melbourne-war", "1.1 [Go to War wager]")
@pytest.mark.clause("star-war", "1.1 [War Wager]", "9.1")
@pytest.mark.clause("perth-war", "4.10(c)")
@pytest.mark.parametrize("rulebook", HOUSES)
def test_a_war_stake_equals_the_main_stake_and_belongs_to_its_player(rulebook: str) -> None:
    play = open_table(rulebook)
    play.lay("a", "P1", 1, "main", 5000)
    play.press("no_more_bets")
    play.cards("8S", "8H")
    play.press("settled")
    for amount in (2500, 10000):
        play.lay(f"w{amount}", "P1", 1, "war", amount)
        assert play.refusals()[-1].code == "war_stake_differs"
    play.lay("x", "P2", 1, "war", 5000)
    assert play.refusals()[-1].code == "no_main_stake"
    play.lay("b", "P1", 1, "war", 5000)
    assert play.phase in ("war_burning", "war_dealing")


@pytest.mark.clause("melbourne-war", "11.6")
@pytest.mark.clause("star-war", "13.7")
@pytest.mark.parametrize("rulebook", HOUSES)
def test_the_screen_offers_the_choice_and_recommends_none(rulebook: str) -> None:
    play = open_table(rulebook)
    play.lay("a", "P1", 1, "main", 5000)
    play.press("no_more_bets")
    play.cards("8S", "8H")
    play.press("settled")
    asked = play.game.asked("choice:")
    assert asked is not None
    assert asked.proposal == ""
    assert [option.answer for option in asked.options] == ["war", "surrender", "decline"]


@pytest.mark.clause("perth-war", "5.8")
def test_stakes_combined_to_get_round_the_maximum_are_refused_before_the_deal() -> None:
    play = open_table("perth-war")
    play.lay("a", "P1", 1, "main", 50000)
    play.lay("b", "P2", 1, "main", 50000)
    assert [one.clauses for one in announced(play, "partnership")] == [("5.8",)]
    play.press("refuse_stake", rank=1, wager="b")
    assert (play.refusals()[-1].code, play.refusals()[-1].clauses) == ("refused", ("5.8",))
    play.cards("KS", "9H")
    results = play.results()
    assert (results["a"].pays, results["b"].result, results["b"].stake_returned) == (50000, "void", 50000)


# -- limits, chips and notices -------------------------------------------------------------------------------------


@pytest.mark.clause("perth-war", "5.7(a)", "5.7 [closing words]")
def test_an_under_minimum_stake_is_settled_as_placed_and_the_player_told() -> None:
    play = open_table("perth-war")
    play.lay("a", "P1", 1, "main", 500)
    play.cards("KS", "9H")
    assert play.results()["a"].pays == 500
    assert announced(play, "advise_limits")


@pytest.mark.clause("perth-war", "6.1")
def test_chips_that_move_before_the_zone_is_paid_are_told() -> None:
    play = open_table("perth-war")
    play.lay("a", "P1", 1, "main", 5000)
    play.cards("KS")
    from controller.games.war.events import StakeChanged

    play.take(StakeChanged("a", 0))
    assert any(isinstance(effect, Alarmed) and effect.code == "moved:a" for effect in play.effects)


@pytest.mark.clause("melbourne-war", "6.1", "1.1 [Table Limit Sign]", "6.1 [footnote 1: s66(1)(c)]")
@pytest.mark.clause("perth-war", "2.3(a)")
@pytest.mark.parametrize("rulebook", HOUSES)
def test_the_sign_shows_the_limits_the_decks_and_the_odds(rulebook: str) -> None:
    sign = open_table(rulebook).table.sign()
    assert (sign["least"], sign["most"], sign["decks"], sign["odds"]["tie"]) == (1000, 50000, 6, 10)


@pytest.mark.clause("melbourne-war", "6.1 [footnote 1: s66(2)]")
def test_a_coming_minimum_stands_on_the_sign_with_its_time() -> None:
    play = open_table("melbourne-war")
    play.press("limits", rank=3, least=2500, most=50000)
    coming = play.table.sign()["coming"]
    assert (coming["least"], coming["at"]) == (2500, play.at + 1_200_000)


@pytest.mark.clause("star-war", "6.5.3")
def test_while_two_minimums_run_the_sign_shows_both() -> None:
    play = open_table("star-war")
    play.press("keep_minimum", rank=2, least=2500)
    sign = play.table.sign()
    assert (sign["least"], set(sign["kept_minimums"].values())) == (2500, {1000})


@pytest.mark.clause("melbourne-war", "11.8")
@pytest.mark.clause("perth-war", "6.7")
@pytest.mark.clause("star-war", "13.9")
@pytest.mark.parametrize(("rulebook", "rounds", "minutes"), [
    ("melbourne-war", 3, 0), ("perth-war", 0, 10), ("star-war", 0, 20),
])  # fmt: skip
def test_a_table_with_players_closes_on_the_notice_its_house_gives(rulebook: str, rounds: int, minutes: int) -> None:
    play = open_table(rulebook)
    play.lay("a", "P1", 1, "main", 5000)
    play.press("close", rank=1)
    assert play.refusals()[-1].code == "rank_too_low"
    play.press("close", rank=4)
    assert play.table.state.life == "closing"
    notice = play.table.state.closing
    assert notice is not None
    assert notice.rounds == rounds
    assert notice.until == (play.at + minutes * 60_000 if minutes else 0)
    play.press("close", rank=4)
    assert play.refusals()[-1].code == "notice_runs"
    for number in range(max(rounds, 1)):
        if number:
            play.lay(f"a{number}", "P1", 1, "main", 5000)
        play.press("no_more_bets")
        play.cards("KS", "9H")
        play.press("settled")
        play.press("place_bets")
    if minutes:
        play.at = notice.until
        play.take(TimerDue("closing"))
    play.press("close", rank=4)
    assert play.table.state.life == "closed"


@pytest.mark.clause("melbourne-war", "11.9")
@pytest.mark.clause("star-war", "13.10")
@pytest.mark.parametrize("rulebook", ["melbourne-war", "star-war"])
def test_three_rounds_without_a_stake_free_a_seat_only_when_all_others_are_in_use(rulebook: str) -> None:
    for boxes, free in ((2, True), (3, False)):
        play = open_table(rulebook, boxes=boxes)
        play.lay("x", "P3", 1, "main", 5000)
        play.press("no_more_bets")
        play.cards("KS", "9H")
        for number in range(3):
            play.press("settled")
            play.press("place_bets")
            for box, player in ((1, "P1"), (2, "P2")):
                play.lay(f"{player}{number}", player, box, "main", 5000)
            play.press("no_more_bets")
            play.cards("KD", "QD", "9S")
        play.press("settled")
        assert bool([said for said in announced(play, "idle_seat") if "P3" in said.text]) is free


@pytest.mark.clause("melbourne-war", "11.11")
@pytest.mark.clause("star-war", "13.13")
@pytest.mark.parametrize("rulebook", HOUSES)
def test_a_decided_dispute_is_on_record_with_the_players_right_to_an_inspector(rulebook: str) -> None:
    play = open_table(rulebook)
    play.press("dispute", rank=1, text="I said war", decision="surrender stands")
    assert play.refusals()[-1].code == "rank_too_low"
    play.press("dispute", rank=4, text="I said war", decision="surrender stands")
    assert noted(play, "dispute")[0].facts == {"text": "I said war", "told_of_inspector": True}
    ruled = [effect for effect in play.effects if isinstance(effect, Ruled) and effect.subject == "dispute"]
    assert ruled[0].clauses == play.game.rules.cite("dispute")
