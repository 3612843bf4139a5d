"""Colour chips followed by their tags: what was issued, won and lost, what comes back, and what slips from the rack."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from controller.config.types import ChipsSection
from controller.core.events import Chip, ChipsCounted, ChipsMoved
from controller.games.wheel.settle import Wager
from lab.sim.config import default_config
from tests.controller.games.wheel.play import Play, clause, note, ruled
from tests.controller.money.play import MoneyPlay

BLUE = range(500, 540)


class Rack(MoneyPlay):
    """A table with forty blue chips in its tray beside the float."""

    def __init__(self) -> None:
        super().__init__()
        config = msgspec.structs.replace(default_config("wheel"), chips=ChipsSection("BW1", ("blue", "green")))
        Play.__init__(self, config=config, limits=(500, 50_000))

    def opened(self, slip: dict[int, int] | None = None) -> Rack:
        super().opened(slip)
        self.tray_gets(*BLUE)
        return self

    def chips(self, tags: Any) -> tuple[Chip, ...]:
        return tuple(Chip(tag, "colour", 0, "BW1/blue") for tag in tags)

    def tray_gets(self, *tags: int) -> None:
        self.event(ChipsMoved("chips", 0, self.chips(tags)))

    def leave_tray(self, *tags: int) -> None:
        self.event(ChipsMoved("chips", 0, removed=tags))

    def lay(self, symbol: str, *tags: int) -> None:
        self.event(ChipsMoved("chips", self.area(symbol), self.chips(tags)))

    def issue(self, count: int, player: str = "Ann", value: int = 2500) -> None:
        self.press("issue_colour", colour="blue", player=player, value=value, count=count, marker=value)
        assert self.refused == ""

    def redeem(self, count: int, rank: int = 1, **more: Any) -> str:
        self.press("redeem_colour", rank, colour="blue", player="Ann", count=count, **more)
        return self.refused

    @property
    def paid(self) -> list[int]:
        return [facts["pays"] for facts in self.noted("colour_redeemed")]

    @property
    def wagers(self) -> tuple[Wager, ...]:
        return self.table.game.wagers()  # type: ignore[attr-defined]

    @property
    def open(self) -> list[str]:
        return [asked.subject for asked in self.table.state.desk.prompts.values()]

    def watched(self) -> list[str]:
        told = (*self.announced("colour_more_than_issued"), *self.announced("colour_not_issued"))
        return [one.text for one in told if one.to == "surveillance"]


@pytest.fixture
def rack() -> Rack:
    return Rack().opened()


def given(rack: Rack, count: int) -> tuple[int, ...]:
    """Ann is issued so many, and takes them."""
    rack.issue(count)
    tags = tuple(BLUE)[:count]
    rack.leave_tray(*tags)
    rack.time(0.1)
    return tags


# -- redemption --------------------------------------------------------------------------------------------------------


@clause("3.1.2(c)(i)", "9.11")
@pytest.mark.parametrize("read", [True, False])
def test_four_hundred_of_five_issued_are_not_paid_by_a_dealer_alone_and_surveillance_is_told(read: bool) -> None:
    rack = Rack()
    (rack.opened if read else lambda: MoneyPlay.opened(rack))()
    rack.issue(5)
    assert rack.redeem(400) == ""
    assert (rack.paid, rack.open) == ([], ["redeem:blue/Ann"])
    possible = 0 if read else 5
    assert rack.watched() == [f"Ann brings 400 blue chips and can have {possible}."]
    assert rack.question.evidence["issued"] == 5
    assert "$10,000" in rack.question.text
    for rank in (1, 2):
        rack.answer("redeem", rank, reason="found")
        assert (rack.refused, rack.paid) == ("rank_too_low", [])
    rack.answer("declined")
    assert (rack.paid, rack.open, note(rack, "colour_not_redeemed").facts["count"]) == ([], [], 400)


@clause("3.1.2(c)(i)", "9.11")
def test_an_area_manager_who_finds_that_they_were_issued_here_has_them_redeemed(rack: Rack) -> None:
    given(rack, 5)
    rack.redeem(6)
    rack.answer("redeem", 3, reason="one was issued by hand")
    assert (rack.paid, ruled(rack).answer, ruled(rack).reason) == ([15_000], "redeem", "one was issued by hand")


@clause("3.1.2(c)(i)")
def test_chips_are_paid_for_once_they_lie_in_the_rack(rack: Rack) -> None:
    tags = given(rack, 5)
    assert rack.redeem(5) == "not_in_the_rack"
    assert (rack.paid, rack.watched()) == ([], [])
    rack.tray_gets(*tags[:4])
    assert rack.redeem(5) == "not_in_the_rack"
    assert rack.redeem(4, keeps=True) == ""
    assert rack.redeem(1) == "not_in_the_rack"
    rack.tray_gets(tags[4])
    assert rack.redeem(1) == ""
    assert rack.paid == [10_000, 2_500]
    rack.redeem(1)
    assert (rack.paid, rack.open) == ([10_000, 2_500], ["redeem:blue/Ann"])


@clause("3.1.2(c)(i)")
def test_a_supervisor_may_pay_for_chips_that_the_tray_did_not_read_and_they_pay_once(rack: Rack) -> None:
    tags = given(rack, 5)
    assert rack.redeem(5, confirmed=True) == "not_in_the_rack"
    assert rack.redeem(5, 2, confirmed=True, reason="the antenna is weak", keeps=True) == ""
    assert ruled(rack).reason == "the antenna is weak"
    rack.tray_gets(*tags)
    rack.redeem(1)
    assert (rack.paid, rack.open) == ([12_500], ["redeem:blue/Ann"])


@clause("3.1.2(c)(i)", "3.6.1", "3.6.2")
def test_chips_won_can_be_redeemed_and_chips_lost_cannot(rack: Rack) -> None:
    tags = given(rack, 5)
    rack.lay("A", *tags[:2])
    rack.lay("C", *tags[2:4])
    rack.result("A")
    rack.event(ChipsMoved("chips", rack.area("C"), removed=tags[2:4]))
    rack.tray_gets(*tags[2:4])
    won = tuple(BLUE)[20:22]
    rack.leave_tray(*won)
    rack.lay("A", *won)
    rack.press("paid")
    assert (rack.state, rack.watched()) == ("idle", [])
    rack.event(ChipsMoved("chips", rack.area("A"), removed=(*tags[:2], *won)))
    rack.redeem(6)
    assert (rack.paid, rack.open) == ([], ["redeem:blue/Ann"])
    rack.answer("declined")
    rack.tray_gets(*tags[:2], *won, tags[4])
    assert rack.redeem(5) == ""
    assert rack.paid == [12_500]


@clause("3.1.2(c)(i)")
def test_a_colour_that_no_tray_reads_is_held_against_what_was_won_and_lost_at_most() -> None:
    rack = Rack()
    MoneyPlay.opened(rack)
    rack.issue(5)
    rack.lay("A", 501, 502)
    rack.lay("C", 503)
    rack.result("A")
    rack.event(ChipsMoved("chips", rack.area("C"), removed=(503,)))
    rack.press("paid", 2, confirmed=True, reason="paid in colour")
    assert rack.redeem(7) == ""
    assert (rack.open, rack.question.evidence["possible"]) == (["redeem:blue/Ann"], 6)
    rack.answer("declined")
    assert rack.redeem(6) == ""
    assert rack.paid == [15_000]


@clause("3.1.2(c)(i)", "3.6.1")
def test_chips_of_a_colour_that_was_read_only_later_are_redeemed_as_far_as_they_were_issued() -> None:
    rack = Rack()
    MoneyPlay.opened(rack)
    rack.issue(5)
    rack.lay("C", 501, 502)
    rack.result("A")
    rack.event(ChipsMoved("chips", rack.area("C"), removed=(501, 502)))
    rack.tray_gets(501, 502)
    assert (rack.state, rack.redeem(3)) == ("idle", "not_in_the_rack")
    rack.tray_gets(503, 504, 505)
    assert (rack.redeem(3, keeps=True), rack.paid) == ("", [7_500])
    rack.tray_gets(506)
    assert rack.redeem(1) == ""
    assert (rack.paid, rack.open) == ([7_500], ["redeem:blue/Ann"])


# -- chips that slip from the rack -------------------------------------------------------------------------------------


@clause("3.1.2", "3.1.2(c)(i)")
def test_chips_slipped_from_the_rack_are_noticed_when_they_are_laid_and_count_for_nothing(rack: Rack) -> None:
    tags = given(rack, 5)
    rack.leave_tray(520)
    rack.time(5)
    assert rack.table.state.desk.alarms == {}
    rack.lay("A", tags[0], 520)
    assert rack.table.state.desk.alarms["not_issued:520"].text == (
        "A blue chip lies on A and it left the rack without being issued."
    )
    assert rack.watched() == ["A blue chip that was not issued lies on A."]
    assert rack.wagers == (Wager("Ann", "A", 2500),)
    rack.event(ChipsMoved("chips", rack.area("A"), removed=(520,)))
    assert rack.table.state.desk.alarms == {}


@clause("3.1.2")
def test_a_chip_slid_straight_from_the_rack_onto_a_bet_is_noticed(rack: Rack) -> None:
    given(rack, 5)
    rack.lay("A", 520)
    rack.leave_tray(520)
    assert "not_issued:520" in rack.table.state.desk.alarms
    assert rack.wagers == ()


@clause("3.1.2", "3.1.2(e)")
def test_an_issue_that_is_entered_after_its_chips_were_laid_gives_them_their_value(rack: Rack) -> None:
    rack.leave_tray(501, 502)
    rack.lay("A", 501, 502)
    rack.issue(2)
    assert (rack.wagers, rack.table.state.desk.alarms) == ((Wager("Ann", "A", 5000),), {})
    rack.leave_tray(503)
    rack.lay("A", 503)
    assert "not_issued:503" in rack.table.state.desk.alarms


@clause("3.1.2(c)(i)")
def test_slipped_chips_that_come_back_into_the_rack_are_not_redeemed(rack: Rack) -> None:
    given(rack, 5)
    rack.leave_tray(520, 521)
    rack.tray_gets(520, 521)
    assert rack.redeem(2) == "not_in_the_rack"
    assert rack.paid == []


@clause("3.1.2(e)")
def test_what_was_issued_and_left_lying_does_not_cover_a_theft_later(rack: Rack) -> None:
    rack.issue(5)
    rack.leave_tray(500, 501)
    rack.time(5)
    rack.leave_tray(502)
    rack.lay("A", 502)
    assert "not_issued:502" in rack.table.state.desk.alarms


@clause("3.1.2(e)")
def test_a_chip_that_the_tray_loses_for_a_moment_during_an_issue_is_not_issued(rack: Rack) -> None:
    rack.issue(2)
    rack.leave_tray(530)
    rack.tray_gets(530)
    rack.leave_tray(500, 501)
    rack.lay("A", 500, 501)
    assert (rack.wagers, rack.table.state.desk.alarms) == ((Wager("Ann", "A", 5000),), {})
    assert (rack.redeem(1), rack.open) == ("", ["redeem:blue/Ann"])


@clause("3.1.2", "7.2")
def test_a_losing_stake_that_goes_back_after_a_no_spin_is_its_players_again(rack: Rack) -> None:
    tags = given(rack, 2)
    rack.lay("C", *tags)
    rack.bet("Bob", "A", 10)
    rack.result("A")
    rack.event(ChipsMoved("chips", rack.area("C"), removed=tags))
    rack.tray_gets(*tags)
    rack.press("no_spin", 2, reason="interference")
    assert rack.state == "betting_open"
    rack.leave_tray(*tags)
    rack.lay("C", *tags)
    assert rack.table.state.desk.alarms == {}
    assert Wager("Ann", "C", 5000) in rack.wagers


@clause("3.1.2")
def test_a_table_that_starts_with_chips_on_the_layout_takes_issued_ones_for_what_they_are(rack: Rack) -> None:
    rack.issue(2)
    everything: dict[int, tuple[Chip, ...]] = {
        0: tuple(Chip(tag, "cash", cents) for tag, cents in rack.tray.items()) + rack.chips(tuple(BLUE)[2:]),
        rack.area("A"): rack.chips((500, 501)),
    }
    rack.event(ChipsCounted("chips", everything))
    assert (rack.wagers, rack.table.state.desk.alarms) == ((Wager("Ann", "A", 5000),), {})
    everything[rack.area("A")] = rack.chips((500, 501, 777))
    rack.event(ChipsCounted("chips", everything))
    assert list(rack.table.state.desk.alarms) == ["not_issued:777"]


def test_what_is_followed_stands_again_after_a_restart(rack: Rack) -> None:
    tags = given(rack, 5)
    rack.leave_tray(520)
    rack.again()
    rack.lay("A", tags[0], 520)
    assert list(rack.table.state.desk.alarms) == ["not_issued:520"]


# -- chips kept over a change of holder -------------------------------------------------------------------------------


@pytest.fixture
def kept_five() -> Rack:
    """Ann had twenty at $5, gave the colour up with fifteen, and keeps five in her pocket; Bob then has one at $25."""
    rack = Rack().opened()
    rack.press("place_bets")
    rack.issue(20, value=500)
    rack.leave_tray(*BLUE[:20])
    rack.time(5)
    rack.tray_gets(*BLUE[5:20])
    assert (rack.redeem(15), rack.paid) == ("", [7_500])
    rack.issue(1, "Bob")
    rack.leave_tray(BLUE[20])
    rack.time(5)
    return rack


@clause("3.1.2(c)(i)", "3.1.2(e)")
def test_chips_kept_of_an_earlier_issue_are_not_worth_what_the_colour_is_issued_at_now(kept_five: Rack) -> None:
    kept_five.lay("B", *BLUE[:5], BLUE[20])
    assert [(one.owner, one.cents) for one in kept_five.wagers] == [("Bob", 2_500)]
    assert len(kept_five.watched()) == 5
    alarm = kept_five.alarms[f"not_issued:{BLUE[0]}"]
    assert "of an earlier issue of this colour" in alarm.text


@clause("3.1.2(c)(i)")
def test_they_are_redeemed_by_whoever_had_them_at_what_they_cost_and_by_nobody_else(kept_five: Rack) -> None:
    kept_five.tray_gets(*BLUE[:5], BLUE[20])
    kept_five.press("redeem_colour", colour="blue", player="Bob", count=6)
    assert kept_five.open == ["redeem:blue/Bob"]
    kept_five.press("redeem_colour", colour="blue", player="Bob", count=1, keeps=True)
    assert (kept_five.redeem(5), kept_five.paid) == ("", [7_500, 2_500, 2_500])
    assert kept_five.redeem(1) == ""
    assert "redeem:blue/Ann" in kept_five.open


@clause("3.1.2(e)")
def test_whoever_has_the_same_colour_again_at_the_same_value_plays_on_with_what_was_kept() -> None:
    rack = Rack().opened()
    rack.press("place_bets")
    rack.issue(20, value=500)
    rack.leave_tray(*BLUE[:20])
    rack.time(5)
    rack.tray_gets(*BLUE[5:20])
    rack.redeem(15)
    rack.issue(1, value=500)
    rack.lay("B", *BLUE[:5])
    assert [(one.owner, one.cents) for one in rack.wagers] == [("Ann", 2_500)]
    assert rack.watched() == []
