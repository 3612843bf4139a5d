"""What walks have reached is held against what the tables declare."""

from __future__ import annotations

from lab.explore.campaign import Campaign, tables
from lab.explore.coverage import Coverage, declared_at


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
    cover = Coverage(keys={"sit": [1, 90], "leave": [0, 29], "marker": [0, 30]})
    assert [found.name for found in cover.in_vain()] == ["key offered and always refused: marker"]
