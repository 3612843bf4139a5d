"""What walks have reached is held against what the tables declare."""

from __future__ import annotations

import tomllib
from importlib import resources

import pytest

from lab.explore.campaign import Campaign, tables
from lab.explore.coverage import Coverage, declared_at
from lab.explore.known import cannot_be_reached


def test_what_is_declared_and_seldom_reached_is_named() -> None:
    declared = declared_at(tables("wheel", "melbourne-wheel").values())
    assert {"place_bets", "limits"} <= declared["keys"]
    assert "device=withhold" in declared["answers"]
    assert "round: idle -place_bets" in declared["rows"]
    assert "late_change" in declared["alarms"]
    campaign = Campaign("wheel", "melbourne-wheel", 4)
    campaign.run(5, shrink=False)
    short = campaign.coverage.short_of(declared, goal=1)
    assert "place_bets" not in short["keys"]
    assert "round: idle -place_bets" not in short["rows"]
    assert short["keys"]["redeem_colour"] == 0


def test_reached_as_often_as_the_goal_is_enough() -> None:
    cover = Coverage(keys={"sit": [7, 2]}, rows={"round: a -b-> c": 4, "round: a -b-> d": 3}, alarms={"late": 6})
    declared = {"keys": {"sit", "leave"}, "answers": set[str](), "rows": {"round: a -b"}, "alarms": {"late"}}
    assert cover.short_of(declared, goal=7) == {"keys": {"leave": 0}, "answers": {}, "rows": {}, "alarms": {"late": 6}}


def test_a_key_refused_in_many_walks_and_taken_in_none_is_offered_in_vain() -> None:
    cover = Coverage(keys={"sit": [1, 90], "leave": [0, 99], "marker": [0, 100]})
    assert [found.name for found in cover.in_vain()] == ["key offered and always refused: marker"]


@pytest.mark.parametrize("rulebook", ["melbourne-war", "perth-war", "star-war"])
def test_what_cannot_be_reached_is_declared_and_was_not_reached(rulebook: str) -> None:
    text = resources.files("lab.explore").joinpath("unreached.toml").read_text("utf-8")
    campaign = Campaign("war", rulebook, 6)
    campaign.run(60, shrink=False)
    declared, times = declared_at(tables("war", rulebook).values()), campaign.coverage.times()
    for kind, rules in tomllib.loads(text)[rulebook].items():
        cannot = cannot_be_reached(rulebook, kind, declared[kind])
        assert {like for like in rules if any(name.startswith(like.rstrip("*")) for name in cannot)} == set(rules)
        assert {name: times[kind][name] for name in cannot if times[kind].get(name)} == {}


def test_an_alarm_of_any_table_may_be_out_of_reach() -> None:
    assert cannot_be_reached("melbourne-wheel", "alarms", ["cloned", "late_change"]).keys() == {"cloned"}
