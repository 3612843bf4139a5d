"""The words of written Casino War cases: what a stranger may call things, and that nothing else is taken for them."""

from __future__ import annotations

import pytest

from controller.games.war.keys import KEYS
from lab.scenarios.war.errors import BadCase
from lab.scenarios.war.happenings import WORDS, Happening, happening
from lab.scenarios.war.replies import Replies
from tests import ROOT

VALUES = {
    "box": 1, "player": "P1", "wager": "a", "most": 1, "amount": 5, "offered": 5, "paid": 5, "due": 6, "card_index": 0,
    "read_as": "2C", "settled_as": {"a": "lose"}, "decision": "as it was",
}  # fmt: skip


def read(name: str, **told: object) -> Happening:
    return happening(1, {"event": name, **told}, VALUES)


def test_every_kind_of_event_is_known_by_its_own_name() -> None:
    for word in WORDS:
        needed = {field: VALUES[field] for field in word.needs.split()}
        assert read(word.name, **needed).kind == word.kind
    assert len({word.kind for word in WORDS}) == len(WORDS)


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        (
            "wrong_deck",
            "missing_card card_missing short_deck deck_short duplicate_card incorrect_deck card_count_wrong",
        ),
        ("foreign", "foreign_card joker joker_found wrong_back card_from_other_deck"),
        ("face_up", "face_up_card faceup card_face_up reversed_card boxed_card"),
        ("surplus", "excess_card surplus extra_card burned_in_error additional_card overdrawn too_many_cards"),
        (
            "misplaced",
            "placement_error misplaced_card reconstruction rebuilt wrong_order dealt_to_wrong_box area_skipped",
        ),
        ("astray", "war_card_without_wager war_card_no_wager card_to_area_without_war_wager war_card_on_wrong_area"),
        ("passed_over", "war_area_skipped war_area_missed war_box_passed_over war_hand_skipped"),
        ("choice_missed", "decision_not_offered decision_missed wrong_decision decision_not_acted_on war_not_offered"),
        ("settled_as", "late_discovery found_after_settlement error_found_late noticed_after_settlement"),
        ("dealer_card_missing", "dealer_first_card_missing dealer_card_omitted no_dealer_card"),
        ("device", "csm_malfunction csm_jam shuffler_fault device_failure no_card_at_mouth Shuffler-Breakdown"),
        ("double", "csm_double_deal double_deal two_cards_dealt"),
        ("empty", "shoe_empty shoe_runs_out csm_empty out_of_cards cards_run_out"),
        ("cancel", "invalidated outcome_cancelled riot fire fraud round_cancelled"),
        ("void_player", "player_voided wagers_voided sanction stake_voided"),
        ("absent", "player_absent absent no_response player_left_table player_silent no_decision"),
        ("cut_refused", "cut_refused cut_declined player_refuses_cut all_refuse_cut"),
        ("invalid_card", "invalid_player_card player_card_invalid another_persons_card wrong_player_card"),
        ("no_card", "player_card_not_shown no_player_card player_card_missing"),
        ("war_stake_rejected", "war_stake_rejected war_wager_rejected partial_war insufficient_war_stake"),
        ("late", "late_bet late_wager late_chips bet_late"),
        ("refused", "refused wager_refused tie_refused handed_back"),
        ("parked", "parked_card carried_card surplus_parked card_carried_over"),
        ("shuffle_missed", "shuffle_missed missed_shuffle shuffle_overdue"),
        ("bad_cut", "bad_cut improper_cut cut_too_shallow"),
        ("order_shuffle", "shuffle_ordered abnormal_sequence dropped_cards suspected_order"),
        ("replaced", "cards_replaced replaced_cards"),
    ],
)
def test_a_stranger_is_understood(kind: str, names: str) -> None:
    stage = {"stage": "initial"} if kind == "misplaced" else {}
    assert {name: read(name, **stage).kind for name in names.split()} == dict.fromkeys(names.split(), kind)


@pytest.mark.parametrize("name", ["", "alien_landing", "dealer", "card", "war", "box", "wager", "void", "tie", "lunch"])
def test_a_word_that_means_nothing_is_refused_with_those_that_do(name: str) -> None:
    with pytest.raises(BadCase, match=r"means nothing here; (known here: refused, late_bet|did you mean)"):
        read(name)


def test_every_kind_of_event_comes_about_by_a_key_an_answer_or_the_cards_themselves() -> None:
    by_answers = {name.removeprefix("_on_") for name in dir(Replies) if name.startswith("_on_")}
    renamed = {"empty": "shoe_empty", "replaced": "replace_cards"}
    by_world = {
        *(
            "refused",
            "late",
            "no_stakes",
            "double",
            "device",
            "face_up",
            "foreign",
            "cutting_card",
            "parked",
            "new_shoe",
        ),
        *("unreadable", "war_stake_rejected", "shuffle_missed", "feed_missed", "no_card", "cut_refused"),
    }
    for word in WORDS:
        assert renamed.get(word.kind, word.kind) in {one.name for one in KEYS} | by_answers | by_world, word.kind


def test_the_page_on_casino_war_names_every_event() -> None:
    page = (ROOT / "docs" / "casino-war.md").read_text()
    assert [word.name for word in WORDS if f"`{word.name}`" not in page] == []
