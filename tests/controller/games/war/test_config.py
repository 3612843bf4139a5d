"""A Casino War table is set up only as its document allows, at every edge; and a reading only where it is open."""

from __future__ import annotations

from typing import Any, cast

import msgspec

from controller.config.checks import problems
from controller.config.types import DeviceSection, Kind, PeopleSection, TableConfig
from controller.core.desk import Limits
from controller.core.house import Notice
from controller.games.war.config import WarConfig, column_of, house_of, not_allowed, zones_of
from controller.games.war.layout import layout_of
from controller.games.war.rules import war_rules
from lab.sim.config import default_config
from tests.controller.games.war.play import MELBOURNE, PERTH, STAR, clause, wrong

# -- the set-up -------------------------------------------------------------------------------------------------------


@clause(MELBOURNE, "2.1", "2.2.1", "3.1", "7.4.4(a)", "5.10")
@clause(PERTH, "2.1", "2.2", "1.1 [Box]", "3.16", "4.2", "3.3")
@clause(STAR, "2.1", "2.2.1.1", "3.1", "9.1", "4.9", "5.6")
def test_a_table_is_set_up_only_as_its_document_allows_at_every_edge() -> None:
    assert wrong(MELBOURNE) == wrong(PERTH) == wrong(STAR) == []
    assert wrong(MELBOURNE, boxes=0) == wrong(STAR, boxes=0) == [("places", "2.1")]
    assert wrong(MELBOURNE, boxes=1) == wrong(MELBOURNE, boxes=9) == []
    assert wrong(MELBOURNE, boxes=10) == [("places", "2.1")]
    assert wrong(STAR, boxes=20) == []
    assert wrong(STAR, boxes=21) == [("places", "2.1")]
    assert wrong(MELBOURNE, boxes=9, war_method="B") == []
    assert wrong(STAR, boxes=20, war_method="B") == [("places", "2.1"), ("method", "9.1")]
    assert [decks for decks in range(1, 10) if not wrong(MELBOURNE, decks=decks)] == [4, 5, 6, 7, 8]
    assert [decks for decks in range(1, 10) if not wrong(PERTH, decks=decks)] == [4, 6, 8]
    assert [decks for decks in range(1, 10) if not wrong(STAR, decks=decks)] == [6]
    assert wrong(MELBOURNE, decks=3) == [("decks", "3.1")]
    assert wrong(MELBOURNE, optional_zones=("a_bomb",)) == [("zones", "2.2.1")]
    assert wrong(PERTH, optional_zones=("a_bomb", "tie")) == []
    assert wrong(PERTH, optional_zones=("perfect_pairs",)) == [("payout_column", "3.16")]
    assert wrong(PERTH, optional_zones=("perfect_pairs",), column=1) == [("payout_column", "3.16 [column 1: 4 decks]")]
    assert wrong(PERTH, optional_zones=("perfect_pairs",), column=2) == wrong(PERTH, column=2) == []
    assert wrong(PERTH, column=8) == [("payout_column", "3.16")]
    assert wrong(STAR, column=1) == [("payout_column", "2.2.1.1")]
    assert wrong(PERTH, source="csm") == wrong(MELBOURNE, source="csm") == wrong(STAR, source="csm") == []
    assert wrong(MELBOURNE, war_method="B") == []
    assert wrong(STAR, war_method="B") == [("method", "9.1")]
    assert wrong(PERTH, war_method="B") == [("method", "4.10(c)")]
    assert wrong(PERTH, round_burn=True) == []
    assert wrong(STAR, round_burn=True) == [("round_burn", "7.1")]
    assert wrong(MELBOURNE, start_burn=False) == []
    assert wrong(STAR, start_burn=False) == [("start_burn", "4.9")]
    assert wrong(MELBOURNE, share_most=3) == []
    assert wrong(MELBOURNE, share_most=4) == wrong(MELBOURNE, share_most=-1) == [("share_most", "5.10")]
    assert wrong(STAR, tournament=True) == [("tournament", "13.13")]
    assert wrong(MELBOURNE, tournament=True) == []
    assert wrong(MELBOURNE, round_burn=True) == [("round_burn", "7.3.1(b)")]
    assert wrong(PERTH, start_burn=False) == [("start_burn", "4.6(a)")]
    assert wrong(PERTH, boxes=31) == []
    assert wrong(PERTH, boxes=32) == [("places", "2.1")]


@clause(MELBOURNE, "2.1")
@clause(PERTH, "3.16", "2.1")
def test_what_is_not_allowed_is_told_with_what_would_be() -> None:
    def told(house: str, **config: Any) -> str:
        base: dict[str, Any] = {"decks": 6, **config}
        return not_allowed(house, WarConfig(**base), Limits(1000, 50_000, 0, 250))[0].text

    assert told(MELBOURNE, boxes=10) == "10 boxes; at least 1, at most 9"
    assert told(PERTH, boxes=0) == "0 boxes; at least 1, at most as the layout shows"
    assert told(PERTH, column=9) == "no payout column 9; for 6 decks: 2, 3, 4, 5"
    assert told(STAR, column=9) == "no payout column 9; for 6 decks: none"


@clause(MELBOURNE, "6.2.1", "6.2.3", "6.1")
@clause(PERTH, "5.7(a)", "5.7(b)")
def test_limits_that_cannot_be_signed_or_paid_are_refused() -> None:
    assert wrong(MELBOURNE, Limits(1, 1, 0, 1)) == []
    assert (
        wrong(MELBOURNE, Limits(0, 1000, 0, 250)) == wrong(MELBOURNE, Limits(1001, 1000, 0, 250)) == [("min", "6.2.1")]
    )
    assert wrong(MELBOURNE, Limits(1000, 5000, 0, 0)) == [("smallest_chip", "6.2.3")]
    assert wrong(PERTH, Limits(1000, 5000, 500, 0)) == [("smallest_chip", "6.11")]
    assert wrong(PERTH, Limits(1000, 5000, 500, 250)) == []
    assert wrong(PERTH, Limits(1200, 5000, 500, 250)) == [("min", "5.7(b)")]
    assert wrong(PERTH, Limits(1000, 5000, 500, 300)) == [("unit", "5.7(b)")]
    assert wrong(MELBOURNE, Limits(1200, 5000, 500, 300)) == []
    assert wrong(PERTH, Limits(1200, 5000, 0, 250)) == []
    assert wrong(PERTH, Limits(0, 5000, 0, 250)) == [("min", "5.7(a)")]


@clause(PERTH, "6.11")
@clause(STAR, "13.12")
def test_a_reading_may_be_chosen_only_where_the_document_is_open_and_only_among_its_choices() -> None:
    def read(house: str, option: str, choice: Any) -> list[tuple[str, str]]:
        return wrong(house, readings={option: choice})

    assert read(PERTH, ".odds", 1) == [("options", "6.11")]
    assert read(MELBOURNE, "limits.half", "exact") == []
    assert read(MELBOURNE, "limits.half", "thirds") == [("options", "7.4.3(a)")]
    assert read(STAR, "odds.tie", 11) == [("options", "13.12")]
    assert read(PERTH, "odds.tie", 11) == [("options", "6.11")]
    assert read(PERTH, "wagers.share_most", 9) == [("options", "6.11")]
    assert read(MELBOURNE, "limits.halfpenny", "exact") == [("options", "11.10")]
    assert read(STAR, "remedies.misdeal.returns", "all") == []
    assert read(STAR, "remedies.misdeals.returns", "all") == [("options", "13.12")]


@clause(MELBOURNE, "11.8", "6.4")
@clause(PERTH, "6.7", "6.4(c)")
@clause(STAR, "13.9", "6.5")
def test_each_house_gives_the_notice_its_document_asks_for() -> None:
    found = {house: house_of(house) for house in (MELBOURNE, PERTH, STAR)}
    assert found[MELBOURNE].closing == Notice("11.8", rounds=3)
    assert found[PERTH].closing == Notice("6.7", minutes=10)
    assert found[STAR].closing == Notice("13.9", minutes=20)
    assert found[MELBOURNE].raising == Notice("6.4", minutes=20)
    assert found[PERTH].raising == Notice("6.4(c)", minutes=10)
    assert found[STAR].raising == Notice("6.5", minutes=20)
    assert [found[house].every_change for house in found] == [False, True, False]
    assert {house.round_word for house in found.values()} == {"round"}


@clause(PERTH, "1.1 [Box](a)", "1.1 [Box](b)", "1.1 [Box](c)")
@clause(MELBOURNE, "2.2.1")
def test_the_zones_of_a_table_are_those_of_its_document_and_those_the_house_chose() -> None:
    assert zones_of(war_rules(MELBOURNE), WarConfig(6)) == ("main", "tie")
    assert zones_of(war_rules(PERTH), WarConfig(6)) == ("main",)
    assert zones_of(war_rules(PERTH), WarConfig(6, optional_zones=("tie", "a_bomb"))) == ("main", "a_bomb", "tie")
    assert column_of(war_rules(PERTH), WarConfig(6)) is None
    column = column_of(war_rules(PERTH), WarConfig(6, column=3))
    assert column is not None
    assert column.number == 3
    assert layout_of(war_rules(MELBOURNE), WarConfig(6, boxes=2)) is not None


# -- player cards (Star 5.1) ------------------------------------------------------------------------------------------


def on_real_ports(rulebook: str, *more: str, players: str = "") -> TableConfig:
    """A table on real ports, with these devices besides its shoe and mat."""
    config = default_config("war", rulebook=rulebook)
    kinds = {**{place: device.kind for place, device in config.devices.items()}, **{kind: kind for kind in more}}
    devices = {place: DeviceSection(cast(Kind, kind), f"/dev/{place}") for place, kind in kinds.items()}
    return msgspec.structs.replace(config, devices=devices, people=PeopleSection(players=players))


@clause(STAR, "5.1", "13.1")
def test_a_table_that_asks_for_player_cards_does_not_open_without_a_reader_and_a_list_of_them() -> None:
    (no_reader,) = problems(on_real_ports(STAR))
    assert (no_reader.keys, "no card reader stands here (5.1)" in no_reader.what) == (("devices",), True)
    assert 'kind = "swipe"' in no_reader.remedy
    (no_list,) = problems(on_real_ports(STAR, "swipe"))
    assert (no_list.keys, "no list says which are (5.1)" in no_list.what) == (("people",), True)
    assert list(problems(on_real_ports(STAR, "swipe", players="players.csv"))) == []


def test_where_no_cards_are_asked_for_or_nobody_real_plays_none_are_needed() -> None:
    assert list(problems(on_real_ports(PERTH))) == []
    assert list(problems(default_config("war", rulebook=STAR))) == []
