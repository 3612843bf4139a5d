"""Rulebooks, set-ups, cards, settlement and expectation of Casino War."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import pairwise

import msgspec
import pytest
from pytest_mock import MockerFixture

from controller.config.tomlread import ConfigError
from controller.core.desk import Limits
from controller.games.war import edge, order
from controller.games.war.cards import FACES, BadCard, burn_value, parse
from controller.games.war.composition import Composition, audit, factory_run, switched
from controller.games.war.config import NotAllowed, WarConfig, not_allowed, rules_for
from controller.games.war.edge import UNIT, _net, edges
from controller.games.war.rules import war_rules
from controller.games.war.settle import book, compare, on_first_cards, on_war_cards, pair, surrender
from controller.games.war.state import Stake
from controller.rules.rulebook import load_rulebook

HOUSES = ("melbourne-war", "perth-war", "star-war")
LIMITS = Limits(1000, 50_000, 500, 250)


def wrong(rulebook: str, limits: Limits = LIMITS, **config: object) -> list[NotAllowed]:
    return not_allowed(rulebook, msgspec.convert({"decks": 6, **config}, WarConfig), limits)


@pytest.mark.parametrize("rulebook", HOUSES)
def test_a_usual_table_may_open(rulebook: str) -> None:
    assert wrong(rulebook) == []


@pytest.mark.clause("melbourne-war", "3.1")
@pytest.mark.clause("perth-war", "2.2")
@pytest.mark.clause("star-war", "3.1")
@pytest.mark.parametrize(
    ("rulebook", "allowed", "clause"),
    [("melbourne-war", {4, 5, 6, 7, 8}, "3.1"), ("perth-war", {4, 6, 8}, "2.2"), ("star-war", {6}, "3.1")],
)
def test_a_number_of_decks_the_house_does_not_allow_is_refused_with_its_clause(
    rulebook: str, allowed: set[int], clause: str
) -> None:
    for decks in range(1, 10):
        found = wrong(rulebook, decks=decks)
        assert [one.clause for one in found] == ([] if decks in allowed else [clause])


@pytest.mark.clause("perth-war", "3.16", "3.16 [column 1: 4 decks]")
def test_a_payout_column_made_for_another_number_of_decks_is_refused() -> None:
    assert wrong("perth-war", column=2, optional_zones=["perfect_pairs"]) == []
    (found,) = wrong("perth-war", column=1, optional_zones=["perfect_pairs"])
    assert found.clause == "3.16 [column 1: 4 decks]"
    (missing,) = wrong("perth-war", optional_zones=["perfect_pairs"])
    assert missing.clause == "3.16"


def test_options_of_another_house_are_refused_with_a_clause() -> None:
    assert wrong("melbourne-war", optional_zones=["a_bomb"])[0].clause == "2.2.1"
    assert wrong("melbourne-war", boxes=10)[0].clause == "2.1"
    assert wrong("star-war", war_method="B")[0].clause == "9.1"
    assert wrong("melbourne-war", round_burn=True)[0].clause == "7.3.1(b)"
    assert wrong("perth-war", start_burn=False)[0].clause == "4.6(a)"
    assert wrong("star-war", tournament=True)[0].clause == "13.13"
    assert wrong("melbourne-war", share_most=4)[0].clause == "5.10"
    assert wrong("perth-war", Limits(1200, 50_000, 500, 250))[0].clause == "5.7(b)"


def test_a_house_may_choose_only_where_its_document_leaves_a_choice() -> None:
    assert wrong("star-war", readings={"remedies.misdeal.returns": "all"}) == []
    assert wrong("star-war", readings={"remedies.misdeal.returns": "some"})[0].clause == "11.16"
    assert "fixed by the document" in wrong("star-war", readings={"odds.tie": 11})[0].text
    rules = rules_for("star-war", WarConfig(6, readings={"remedies.misdeal.returns": "all"}))
    assert rules.remedies["misdeal"].returns == "all"
    assert war_rules("star-war").remedies["misdeal"].returns == "open"


@pytest.mark.parametrize("rulebook", HOUSES)
def test_every_reading_names_an_option_of_its_file(rulebook: str) -> None:
    codes = {"melbourne-war": "M", "perth-war": "P", "star-war": "S"}
    readings = load_rulebook(rulebook).readings
    own = [name for name in readings if name.startswith(codes[rulebook])]
    assert own == [f"{codes[rulebook]}{number}" for number in range(1, len(own) + 1)]
    assert len(own) >= 20


def test_written_cards_are_read_and_nonsense_is_refused() -> None:
    assert parse("10h").face == "TH"
    assert parse("5D^").face_up
    assert [parse(text).kind for text in ("CUT", "JOKER", "??", "KS")] == ["cut", "foreign", "unknown", "card"]
    with pytest.raises(BadCard, match="1S"):
        parse("1S")


@pytest.mark.clause("perth-war", "2.6(a)", "2.6(b)", "4.7", "1.1 [Perfect Pair]", "1.1 [Coloured Pair]")
def test_ranks_pairs_and_burn_values() -> None:
    assert (compare("AS", "KS"), compare("TH", "TS"), compare("2C", "3C")) == (1, 0, -1)
    assert [pair("QH", other) for other in ("QH", "QD", "QS", "KH")] == ["perfect", "coloured", "mixed", None]
    assert [burn_value(face) for face in ("AS", "2S", "9S", "TS", "JS", "KS")] == [1, 2, 9, 10, 10, 10]


@pytest.mark.clause("perth-war", "1.1 [Deck]")
def test_a_seventh_queen_of_spades_from_six_decks_cannot_be() -> None:
    cards = Composition(6)
    assert [cards.draw("QS") for _ in range(6)] == [None] * 6
    trouble = cards.draw("QS")
    assert trouble is not None
    assert trouble.text == "Q♠ came 7 times from a set that holds it 6 times."


def test_a_set_is_proved_by_names_and_not_by_its_count() -> None:
    faces = [face for face in FACES for _ in range(6)]
    assert audit(6, faces).right
    faces[faces.index("QS")] = "2C"
    found = audit(6, faces)
    assert len(faces) == 312
    assert found.words() == "missing: Q♠; too many: 2♣"
    assert audit(6, [*faces, "JOKER"]).foreign == ("JOKER",)


def test_a_card_switched_on_the_layout_is_named() -> None:
    assert switched(["KS", "2D", "9H"], ["2D", "9H", "KS"]).right
    found = switched(["3S", "2D", "9H"], ["2D", "9H", "AS"])
    assert (found.missing, found.surplus) == (("3S",), ("AS",))


def test_a_damaged_card_is_owed_until_it_is_replaced() -> None:
    cards = Composition(6)
    cards.put_aside("QS")
    assert cards.total == 311
    assert not cards.replace("KS")
    assert cards.replace("QS")
    assert cards.total == 312


def test_cards_in_the_order_of_a_new_deck_are_noticed() -> None:
    assert factory_run(["9H", "AS", "2S", "3S", "4S"]) == 4
    assert factory_run(["KD", "QD", "JD"]) == 3
    assert factory_run(["AS", "2H", "3S"]) == 1
    assert factory_run([]) == 0


@pytest.mark.clause("melbourne-war", "7.4.1(a)", "7.4.1(b)", "7.4.2(a)", "7.4.2(b)")
def test_interim_runs_ties_before_mains_losers_before_winners_from_the_right() -> None:
    rules = war_rules("melbourne-war")
    stakes = [
        Stake(f"{box}{zone[0]}", "P", box, zone, 100, counted=100) for box in (1, 2, 3) for zone in ("main", "tie")
    ]
    cards = {1: "KS", 2: "9S", 3: "2S"}
    results = [
        book(rules, stake, outcome, 1)
        for stake in stakes
        if (outcome := on_first_cards(rules, None, stake.zone, cards[stake.box], "9H")).result != "tied"
    ]
    steps = [(step.action, step.wager) for step in order.interim_steps(rules, stakes, results)]
    assert steps == [("take", "3t"), ("take", "1t"), ("pay", "2t"), ("take", "3m"), ("pay", "1m")]


@pytest.mark.parametrize(
    ("rulebook", "boxes"), [("melbourne-war", [3, 1]), ("perth-war", [3, 1]), ("star-war", [1, 3])]
)
def test_choices_are_offered_from_the_side_the_house_names(rulebook: str, boxes: list[int]) -> None:
    mains = [Stake(str(box), "P", box, "main", 100) for box in (1, 3)]
    assert [stake.box for stake in order.offers(war_rules(rulebook), mains)] == boxes


@pytest.mark.parametrize("rulebook", HOUSES)
def test_tie_after_tie_is_worth_two_units_everywhere(rulebook: str) -> None:
    rules = war_rules(rulebook)
    net = 0
    for zone in ("main", "war"):
        stake = Stake("w", "P", 1, zone, 5000, counted=5000)
        net += book(rules, stake, on_war_cards(rules, None, zone, "5C", "5H"), 1).pays
    assert net == 10_000


@pytest.mark.parametrize("amount", [500, 1250, 2500, 5000, 12_345])
@pytest.mark.parametrize("chip", [1, 100, 250, 500])
@pytest.mark.parametrize("rulebook", HOUSES)
def test_a_surrender_shares_the_stake_and_never_keeps_more_than_half(rulebook: str, chip: int, amount: int) -> None:
    result = surrender(war_rules(rulebook), Stake("w", "P", 1, "main", amount, counted=amount), chip)
    assert result.stake_taken + result.stake_returned == amount
    assert 0 <= result.stake_taken * 2 <= amount


def test_the_clockwise_offer_of_the_cut_goes_round_from_the_highest_box_to_the_first() -> None:
    seats = [(1, "A"), (3, "B"), (5, "C")]
    assert order.clockwise_from("B", seats) == ["C", "A"]
    shared = [(2, "Cyd"), (1, "Zed"), (1, "Ann")]
    assert order.clockwise_from("Zed", shared) == ["Ann", "Cyd"]
    assert order.furthest_right(seats) == "C"


def test_the_known_expectations_of_six_decks() -> None:
    found = {(edge.wager, edge.way, edge.stage): edge.expectation for edge in edges("perth-war", 6)}
    assert found["main", "always surrender", "first"] == Fraction(-23, 622)
    assert found["tie", "", "first"] == Fraction(-58, 311)
    assert found["a_bomb", "", "first"] == Fraction(-2, 13)
    assert found["perfect_pairs", "column 2", "first"] == Fraction(-31, 311)
    assert round(float(found["main", "always to war", "first"]), 6) == -0.023301


@pytest.mark.parametrize("decks", [4, 6, 8])
def test_every_house_has_the_same_edge_on_the_main_wager_and_more_decks_cost_more_when_surrendering(decks: int) -> None:
    houses = [rulebook for rulebook in HOUSES if decks in war_rules(rulebook).cards.decks]
    mains = {edges(rulebook, decks)[0].expectation for rulebook in houses}
    assert len(mains) == 1


def test_more_decks_are_better_for_the_tie() -> None:
    ties = [next(e.expectation for e in edges("melbourne-war", decks) if e.wager == "tie") for decks in (4, 5, 6, 7, 8)]
    assert all(later > earlier for earlier, later in pairwise(ties))


@pytest.mark.parametrize(("rulebook", "decks"), [("melbourne-war", 4), ("perth-war", 6)])
def test_what_is_gained_at_war_is_the_mean_over_every_two_cards_that_can_follow_a_tie(
    rulebook: str, decks: int
) -> None:  # fmt: skip
    rules = war_rules(rulebook)
    gained = {(one, two): _net(rules, None, "war", one, two, True) for one in FACES for two in FACES}
    total, ways = 0, 0
    for first, second in ((one, two) for one in FACES for two in FACES if one[0] == two[0]):
        left = Counter(dict.fromkeys(FACES, decks))
        tied = left[first] * (left[second] - (first == second))
        left.subtract((first, second))
        for (one, two), net in gained.items():
            drawn = tied * left[one] * (left[two] - (one == two))
            total, ways = total + drawn * net, ways + drawn
    assert next(e.expectation for e in edges(rulebook, decks) if e.wager == "war") == Fraction(total, ways * UNIT)


def test_a_house_with_many_tables_of_one_rulebook_works_its_edges_out_once(mocker: MockerFixture) -> None:
    first = edges("star-war", 6)
    enumerated = mocker.spy(edge, "_net")
    assert edges("star-war", 6) == first
    assert not enumerated.called


def test_the_edge_of_a_deck_count_that_is_not_allowed_is_refused_with_the_clause() -> None:
    with pytest.raises(ConfigError, match=r"3\.1"):
        edges("star-war", 8)
