"""Who may do what, written down a second time: a slip in a rulebook would hand a dealer a manager's power."""

from __future__ import annotations

import pytest

from controller.rulebook import load_rulebook

LADDERS = {
    "melbourne-wheel": {
        "dealer": "1.1 'Dealer'",
        "HDD": "1.1 'TG Higher Duties Dealer'",
        "AM": "1.1 'TG Area Manager'",
        "ACM": "1.1 'TG Assistant Casino Manager'",
    },
    "melbourne-war": {
        "dealer": "1.1 [Dealer]",
        "HDD": "1.1 [TG Higher Duties Dealer]",
        "AM": "1.1 [TG Area Manager]",
        "ACM": "1.1 [TG Assistant Casino Manager]",
    },
    "perth-war": {"dealer": "1.1 [Dealer]", "TI": "1.1 [Table Inspector]", "TGM": "1.1 [Table Games Manager]"},
    "star-war": {
        "dealer": "1.1 [dealer]",
        "GS": "1.1 [Gaming Supervisor]",
        "AGM": "1.1 [Assistant Gaming Manager]",
        "GM": "1.1 [Gaming Manager]",
    },
    "melbourne-poker": {
        "dealer": "1.1 'Dealer'",
        "HDD": "1.1 'TG Higher Duties Dealer'",
        "AM": "1.1 'TG Area Manager'",
        "ACM": "1.1 'TG Assistant Casino Manager'",
    },
}
"""The ranks from the lowest to the highest, with the clause that knows each."""

POWERS = {
    "melbourne-wheel": {
        "dealer": {
            "open_table": "2.1",
            "place_bets": "5.1.1",
            "no_more_bets": "5.1.2",
            "announce_result": "5.1.3",
            "confirm_collected": "3.6.1",
            "confirm_paid": "3.6.2",
            "call_no_spin": "7.2",
            "rule_late_change": "3.2",
            "assign_wager": "4.2.2",
            "place_chip": "3.4",
            "issue_colour": "3.1.2(e)",
            "redeem_colour": "3.1.2(c)(i)",
            "vacate_seat": "9.9",
        },
        "HDD": {
            "idle_spin": "5.1.5",
            "extra_colour": "3.1.2(f)",
            "close": "9.8",
            "invalidate_disruption": "9.4",
            "override_under_revs": "7.1.1",
            "confirm_near": "7.1.2",
            "override_not_clear": "7.1.2",
            "refuse_no_spin_proposal": "7.1.3",
            "close_not_announced": "5.1.2",
            "resume": "7.1.3",
        },
        "AM": {
            "change_limits": "4.1",
            "personal_limit": "4.3",
            "closed_table_chips": "3.1.2(c)(ii)",
            "dispute": "9.11",
        },
        "ACM": {
            "void_wager": "9.2.1",
            "exclude_player": "9.2.2",
            "withhold": "9.2.3",
            "invalidate_fraud": "9.3",
            "invalidate_late": "9.5",
        },
    },
    "melbourne-war": {
        "dealer": {
            "open_table": "6.1",
            "check_cards": "3.2",
            "record_shuffle": "4.1.1(a)",
            "record_cut": "4.2.3",
            "no_more_bets": "7.3.1(a)",
            "settle": "5.15.2",
            "enter_decision": "7.4.3(a)",
            "enter_card": "7.1",
            "report": "11.10",
            "rule_late_chips": "5.4",
            "spoken_bet": "5.3",
            "vacate_seat": "11.9",
        },
        "HDD": {
            "cut_for_players": "4.2.2",
            "replace_cards": "4.4.1",
            "lower_share": "5.10",
            "several_boxes": "5.13",
            "void_no_stakes": "9.3",
            "rebuild": "9.4",
            "void_device": "9.11",
            "cancel_disruption": "11.4",
            "close": "11.8",
            "correct_card": "7.1",
            "skip_burn": "4.3.1",
            "resume": "1.2",
        },
        "AM": {
            "order_shuffle": "4.1.1(d)",
            "replace_unfit": "4.4.2",
            "order_check": "4.4.2",
            "change_limits": "6.4",
            "personal_limit": "6.3",
            "change_decks": "3.1",
            "wrong_deck": "9.12.2",
            "void_hand": "11.10",
            "misdeal": "11.10",
            "rule_silence": "11.10",
            "dispute": "11.10",
        },
        "ACM": {
            "void_player": "11.2.1",
            "bar_player": "11.2.2",
            "withhold": "11.2.3",
            "cancel_fraud": "11.3",
        },
    },
    "perth-war": {
        "dealer": {
            "open_table": "2.3(a)",
            "check_cards": "2.2",
            "record_shuffle": "4.1",
            "record_cut": "4.5",
            "no_more_bets": "3.2",
            "settle": "4.9",
            "enter_decision": "4.10",
            "enter_card": "4.8(a)",
            "report": "5.4",
            "rule_late_chips": "3.2",
            "void_no_stakes": "5.3",
            "rebuild": "5.4",
        },
        "TI": {
            "cut_for_players": "4.4",
            "replace_cards": "2.7",
            "replace_unfit": "2.7",
            "correct_card": "4.8(a)",
            "skip_burn": "4.6(b)",
            "resume": "5.6",
        },
        "TGM": {
            "change_decks": "2.3(b)",
            "lower_share": "3.3",
            "several_boxes": "6.3",
            "order_shuffle": "6.11",
            "order_check": "6.11",
            "change_limits": "6.4",
            "personal_limit": "6.4",
            "void_hand": "5.4",
            "void_device": "5.6",
            "wrong_deck": "6.11",
            "misdeal": "5.4",
            "rule_silence": "6.11",
            "vacate_seat": "6.2",
            "void_player": "6.6(a)",
            "bar_player": "6.6(b)",
            "cancel_disruption": "6.9(a)",
            "cancel_fraud": "6.9(b)",
            "close": "6.7",
            "dispute": "6.11",
        },
    },
    "star-war": {
        "dealer": {
            "open_table": "2.4.1",
            "check_cards": "3.3",
            "record_shuffle": "4.1.1",
            "record_cut": "4.5",
            "no_more_bets": "7.1",
            "settle": "8.2.2",
            "enter_decision": "8.2.4",
            "enter_card": "7.1",
            "report": "11.6",
            "rule_late_chips": "5.5",
            "void_no_stakes": "11.5",
            "rebuild": "11.6",
            "rule_silence": "11.8",
            "vacate_seat": "13.10",
        },
        "GS": {
            "cut_for_players": "4.4",
            "replace_cards": "3.5.2",
            "replace_unfit": "3.5.1",
            "order_check": "3.8",
            "order_shuffle": "4.1.4",
            "approve_riffle": "4.2",
            "lower_share": "5.7.2",
            "several_boxes": "5.7.1",
            "reserve_areas": "5.10",
            "change_limits": "6.5",
            "keep_minimum": "6.5.1",
            "personal_limit": "6.6",
            "change_decks": "3.1",
            "void_hand": "11.6",
            "void_device": "12.4",
            "wrong_deck": "11.17.2",
            "misdeal": "11.16",
            "rule_invalid": "11.22.2",
            "correct_card": "7.1",
            "skip_burn": "4.9",
            "void_player": "13.4.1",
            "bar_player": "13.4.2",
            "cancel_disruption": "13.5.1",
            "cancel_fraud": "13.5.2",
            "forfeit": "13.6",
            "close": "13.9",
            "mispayment": "11.19.1",
            "resume": "12.1.3",
            "dispute": "13.12",
        },
        "AGM": {
            "review": "13.12",
        },
    },
    "melbourne-poker": {
        "dealer": {
            "open_table": "6.1",
            "seat_player": "6.3",
            "move_player": "8.9.5",
            "player_walks": "1.1 'Player Walking Button'",
            "deal_out": "1.1 'Dealt-out Button'",
            "deal_hand": "8.4",
            "post_blinds": "8.9.2(a)",
            "collect": "7.2.4(b)",
            "shuffle": "5.1",
            "cut": "5.2",
            "action": "1.1 'Action'",
            "call_time": "6.15",
            "turn_up": "8.18.1",
            "report": "9.1.1",
            "table_hand": "8.7",
            "look_at_hand": "8.21",
            "push": "1.1 'Round of Play'",
            "drop": "7.2.1(b)",
            "report_device": "13.1",
            "agree": "6.10",
            "change_cards": "5.3.1",
            "call_misdeal": "9.1.1",
            "inspect_hand": "9.2",
        },
        "HDD": {
            "count_cards": "3.4",
            "check_time_charge": "7.2.2(e)",
            "newcomer_waits": "8.10.1",
            "newcomer_posts": "8.10.2",
            "verify_bonus": "11.3",
            "invalidate_disruption": "13.5.1",
            "invalidate_fraud": "13.5.2",
            "resume": "1.2",
        },
        "AM": {
            "change_limits": "6.10",
            "change_game": "6.10",
            "change_commission": "7.3",
            "waive_commission": "7.4",
            "pick_up_player": "8.11",
            "close": "13.3",
            "rule_conduct": "13.4",
            "dispute": "13.10",
        },
        "ACM": {
            "void_wager": "13.2.1",
            "exclude_player": "13.2.2",
            "withhold": "13.2.3",
            "confiscate": "13.2.4",
        },
    },
}
"""For each rank what it may do that no rank below it may, with the clause."""


@pytest.mark.parametrize(
    "book",
    [
        pytest.param(book, marks=[pytest.mark.guards(book), pytest.mark.clause(book, *filter(None, ranks.values()))])
        for book, ranks in LADDERS.items()
    ],
)
def test_a_power_belongs_to_its_rank_and_every_rank_above_and_to_none_below(book: str) -> None:
    rules = load_rulebook(book)
    ladder = list(LADDERS[book])
    for rank, powers in POWERS[book].items():
        for power, rests in powers.items():
            assert [one for one in ladder if rules.may(one, power)] == ladder[ladder.index(rank) :], power
            assert not rules.may("guest", power)
            assert rules.powers[power].clause == rests
    assert set(rules.powers) == {power for powers in POWERS[book].values() for power in powers}


@pytest.mark.parametrize(
    "book",
    [
        pytest.param(book, marks=pytest.mark.clause(book, *filter(None, ranks.values())))
        for book, ranks in LADDERS.items()
    ],
)
def test_the_ladder_of_ranks_is_complete_and_in_order(book: str) -> None:
    rules = load_rulebook(book)
    assert {rank.id: rank.clause for rank in rules.ranks} == LADDERS[book]
    assert list(rules.ladder) == list(LADDERS[book])
    assert [rules.level(rank) for rank in LADDERS[book]] == list(range(1, len(LADDERS[book]) + 1))
    assert rules.level("guest") == 0
