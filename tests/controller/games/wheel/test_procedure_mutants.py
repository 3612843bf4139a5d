"""Big Wheel's procedure held at every step: what is noted, asked, announced and refused, and what is left alone."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from controller.config.types import ChipsSection
from controller.core.desk import Refusal
from controller.core.effects import Alarmed, Asked
from controller.core.events import Chip, ChipPlaced, ChipsCounted, ChipsMoved, ChipUnclear
from controller.games.wheel.config import WheelSection
from controller.games.wheel.layout import Laid, LateChange, late_changes, wagers_of
from controller.games.wheel.settle import Wager
from controller.money.colours import ColourLedger, Holding, Issue, issue, issue_further, redeem
from drivers.wheel import WheelKnocked, WheelTurned
from lab.sim.config import default_config
from tests.controller.games.wheel.play import Play, at_bets, clause, money, note, ruled

COLOURS = ("blue", "green", "pink")


@pytest.fixture
def play() -> Play:
    return at_bets()


# -- colour chips -----------------------------------------------------------------------------------------------------


def wanted(
    colour: str = "blue", owner: str = "Ann", cents: int = 500, count: int = 20, marker: int = 0, **more: Any
) -> Issue:
    return Issue(colour, owner, cents, count, 7, "S1", marker, **more)


def refused(action: Any, *args: Any, **more: Any) -> tuple[str, tuple[str, ...]]:
    with pytest.raises(Refusal) as told:
        action(*args, **more)
    return told.value.code, told.value.clauses


@clause("3.1.2(e)", "3.1.2(a)", "3.1.2(f)")
def test_what_may_be_issued_at_every_edge_of_value_and_count() -> None:
    for action in (issue, lambda *args, **more: issue_further(*args, (), **more)):
        assert refused(action, ColourLedger(), COLOURS, 500, wanted(count=0)) == ("no_chips", ("3.1.2(e)",))
        assert action(ColourLedger(), COLOURS, 500, wanted(count=1)) == Holding("blue", "Ann", 500, 1, 0, 0, 7, "S1")
        assert refused(action, ColourLedger(), COLOURS, 500, wanted(cents=499)) == ("under_minimum", ("3.1.2(e)",))
        below = action(ColourLedger(), COLOURS, 500, wanted(cents=1), below_minimum=True)
        assert below.cents == 1
        nothing = refused(action, ColourLedger(), COLOURS, 500, wanted(cents=0), below_minimum=True)
        assert nothing == ("under_minimum", ("3.1.2(e)",))
        assert refused(action, ColourLedger(), COLOURS, 500, wanted("red")) == ("no_such_colour", ("3.1.2(a)",))
    with pytest.raises(Refusal, match="it has blue, green, pink"):
        issue(ColourLedger(), COLOURS, 500, wanted("red"))
    with pytest.raises(Refusal, match="it has none"):
        issue(ColourLedger(), (), 500, wanted("red"))


@clause("3.1.2(e)", "3.1.2(f)")
def test_more_of_a_colour_is_added_to_the_players_own_line() -> None:
    ledger = ColourLedger()
    issue(ledger, COLOURS, 500, wanted())
    more = issue(ledger, COLOURS, 500, wanted(count=5, marker=500))
    assert more == Holding("blue", "Ann", 500, 25, 0, 500, 7, "S1")
    assert ledger.holdings == [more]
    assert issue(ledger, COLOURS, 500, wanted(count=1)).marker == 500
    assert refused(issue, ledger, COLOURS, 500, wanted("green")) == ("has_a_colour", ("3.1.2(f)",))
    issue(ledger, COLOURS, 500, wanted("green", "Bob"))
    assert [(line.colour, line.issued) for line in ledger.holdings] == [("blue", 26), ("green", 20)]


@clause("3.1.2(f)")
def test_a_further_colour_is_refused_only_when_somebody_else_who_has_none_would_go_without() -> None:
    ledger = ColourLedger()
    issue(ledger, COLOURS, 500, wanted())
    issue_further(ledger, COLOURS, 500, wanted("green"), ["Ann"])
    assert refused(issue_further, ledger, COLOURS, 500, wanted("pink"), ["Bob"]) == ("shut_out", ("3.1.2(f)",))
    assert issue_further(ledger, COLOURS, 500, wanted("pink"), ["Ann"]).colour == "pink"
    other = ColourLedger()
    issue(other, COLOURS, 500, wanted())
    issue(other, COLOURS, 500, wanted("green", "Bob"))
    assert issue_further(other, COLOURS, 500, wanted("pink"), ["Ann", "Bob"]).colour == "pink"
    assert issue_further(ColourLedger(), ("blue",), 500, wanted(), ["Ann"]).colour == "blue"


@clause("3.1.2(c)(i)")
def test_chips_are_redeemed_at_their_value_and_the_line_says_how_many() -> None:
    ledger = ColourLedger()
    issue(ledger, COLOURS, 500, wanted())
    issue(ledger, COLOURS, 500, wanted(owner="Bob", consent=frozenset({"Ann"})))
    assert refused(redeem, ledger, "blue", "Ann", 0) == ("no_chips", ("3.1.2(c)(i)",))
    kept, cents = redeem(ledger, "blue", "Bob", 1, keeps=True)
    assert (kept.owner, kept.redeemed, cents) == ("Bob", 1, 500)
    assert [(line.owner, line.redeemed) for line in ledger.holdings] == [("Ann", 0), ("Bob", 1)]
    back, cents = redeem(ledger, "blue", "Bob", 4)
    assert (back.redeemed, cents) == (5, 2000)
    assert [line.owner for line in ledger.holdings] == ["Ann"]
    late, cents = redeem(ledger, "blue", "Bob", 3)
    assert (late.redeemed, cents) == (8, 1500)
    assert ledger.past["blue"].redeemed == 8
    assert refused(redeem, ledger, "green", "Bob", 1)[0] == "not_in_ledger"
    del ledger.holdings[:]
    assert refused(redeem, ledger, "blue", "Cyd", 1) == ("not_in_ledger", ("3.1.2", "3.1.2(c)(i)"))


@pytest.fixture
def coloured() -> Play:
    config = msgspec.structs.replace(default_config("wheel"), chips=ChipsSection("T1", COLOURS))
    play = Play(config=config).opened()
    play.press("place_bets")
    return play


@clause("3.1.2", "3.1.2(e)")
def test_colour_chips_are_worth_what_the_ledger_says_when_the_layout_is_read_anew(coloured: Play) -> None:
    coloured.press("issue_colour", player="Ann", colour="blue", value=700, count=20, marker=700)
    blue = Chip(71, "colour", 0, "T1/blue")
    coloured.event(ChipsCounted("chips", {coloured.area("A"): (blue, Chip(72, "cash", 500))}))
    laid = coloured.table.game.state.picture  # type: ignore[attr-defined]
    assert {tag: (one.chip.cents, one.owner) for tag, one in laid.items()} == {71: (700, "Ann"), 72: (500, "")}


# -- the layout -------------------------------------------------------------------------------------------------------


def lies(tag: int, area: int, cents: int = 500, owner: str = "", kind: str = "cash") -> Laid:
    return Laid(Chip(tag, kind, cents), area, owner)


@clause("3.4", "4.2.2", "3.1.1")
def test_wagers_are_summed_for_each_owner_and_symbol_from_chips_that_count() -> None:
    picture = {
        1: lies(1, 2, 500, "Ann"), 2: lies(2, 2, 700, "Ann"), 3: lies(3, 1, 100, "Bob"), 4: lies(4, 2, 900, "Bob"),
        5: lies(5, 1, 100, kind="token"), 6: lies(6, 1, 0, "Zed", "colour"), 7: lies(7, 9, 100),
        8: lies(8, 1, 300, kind="colour"),
    }  # fmt: skip
    assert wagers_of(picture, {1: "A", 2: "B"}) == (
        Wager("", "A", 300),
        Wager("Bob", "A", 100),
        Wager("Ann", "B", 1200),
        Wager("Bob", "B", 900),
    )


@clause("3.2", "3.3")
def test_every_difference_from_the_picture_at_the_close_is_named() -> None:
    frozen = {1: lies(1, 1, 500, "Ann"), 2: lies(2, 1, 700, "Bob"), 3: lies(3, 2, 900, "Cyd"), 4: lies(4, 2, 100)}
    live = {1: lies(1, 1, 500, "Ann"), 2: lies(2, 3, 700, "Bob"), 5: lies(5, 1, 500, "Dot"), 6: lies(6, 2, 900, "Eve")}
    assert late_changes(frozen, live, 40) == (
        LateChange("moved", 2, 700, "Bob", 1, 3, 40),
        LateChange("removed", 4, 100, "", 2, -1, 40),
        LateChange("added", 5, 500, "Dot", -1, 1, 40),
        LateChange("swapped", 6, 900, "Cyd", 2, 2, 40, 3),
    )
    two = {7: lies(7, 2, 900, "Eve"), 8: lies(8, 2, 900, "Eve")}
    swaps = late_changes({3: lies(3, 2, 900, "Cyd")}, two, 40)
    assert [(one.kind, one.tag, one.instead) for one in swaps] == [("added", 8, 0), ("swapped", 7, 3)]
    assert late_changes(frozen, frozen, 40) == ()


@clause("3.2", "3.3")
def test_only_a_chip_that_came_for_one_that_went_is_a_swap() -> None:
    def kinds(frozen: dict[int, Laid], live: dict[int, Laid]) -> list[tuple[str, int, int, str]]:
        return [(one.kind, one.tag, one.instead, one.owner) for one in late_changes(frozen, live, 40)]

    slid = kinds({1: lies(1, 1, 500, "Ann")}, {1: lies(1, 2, 500, "Zed"), 2: lies(2, 1, 500)})
    assert slid == [("moved", 1, 0, "Ann"), ("added", 2, 0, "")]
    came = kinds({1: lies(1, 1, 500, "Ann"), 2: lies(2, 2, 500, "Bob")}, {1: lies(1, 2, 500, "Ann")})
    assert came == [("moved", 1, 0, "Ann"), ("removed", 2, 0, "Bob")]
    both = kinds({3: lies(3, 1, 500, "Ann"), 4: lies(4, 1, 500, "Bob")}, {7: lies(7, 1, 500)})
    assert both == [("removed", 4, 0, "Bob"), ("swapped", 7, 3, "Ann")]


# -- the spin ---------------------------------------------------------------------------------------------------------


@clause("5.3")
def test_a_wheel_that_moves_outside_a_spin_or_round_is_noted_and_nothing_else(play: Play) -> None:
    play.event(WheelKnocked("wheel", 10, 14, 0.1))
    assert (note(play, "wheel_moved_outside_spin").clauses, play.state) == (("5.3",), "betting_open")
    play.result("D")
    state = play.state
    play.launch()
    assert note(play, "wheel_moved_outside_round").facts["spin"] == play.spins
    assert note(play, "wheel_moved_outside_round").clauses == ("5.3",)
    assert play.state == state
    play.rest("A")
    assert note(play, "wheel_rested_outside_round").facts["spin"] == play.spins
    assert play.state == state


@clause("5.1.2")
def test_the_reminder_and_the_alarm_come_once_each_at_their_own_turn_of_this_spin_only(play: Play) -> None:
    play.event(WheelTurned("wheel", 1, 1))
    assert play.announced("remind_no_more_bets") == []
    play.launch()
    play.event(WheelTurned("wheel", play.spins + 1, 1))
    assert play.announced("remind_no_more_bets") == []
    play.turn(1)
    assert len(play.announced("remind_no_more_bets")) == 1
    assert not any(isinstance(effect, Alarmed) for effect in play.told)
    play.turn(2)
    assert [effect.code for effect in play.told if isinstance(effect, Alarmed)] == ["no_more_bets_missing"]
    play.turn(3)
    assert not any(isinstance(effect, Alarmed) for effect in play.told)
    assert play.table.game.state.round.spin.turns == 3  # type: ignore[attr-defined]
    play.press("no_more_bets")
    assert "no_more_bets_missing" not in play.table.state.desk.alarms
    before = len(play.announced("remind_no_more_bets"))
    play.turn(1)
    play.turn(2)
    assert len(play.announced("remind_no_more_bets")) == before
    assert "no_more_bets_missing" not in play.table.state.desk.alarms


@clause("5.1.5", "5.1.2")
def test_a_spin_without_wagers_uses_up_what_was_directed_and_is_otherwise_told(play: Play) -> None:
    play.press("idle_spins", rank=2, spins=0)
    assert play.refused == "bad_argument"
    play.press("idle_spins", rank=2, spins=1)
    assert (ruled(play).subject, ruled(play).answer, ruled(play).clauses) == ("idle_spins", "1", ("5.1.5",))
    play.launch()
    play.press("no_more_bets")
    assert note(play, "idle_spin").facts["left"] == 0
    assert play.noted("idle_spin_not_directed") == []
    play.rest("D")
    play.press("acknowledge")
    play.press("place_bets")
    play.launch()
    play.press("no_more_bets")
    assert len(play.noted("idle_spin")) == 1
    assert len(play.noted("idle_spin_not_directed")) == 1


@clause("5.1.1")
def test_betting_opens_only_on_a_wheel_at_rest(play: Play) -> None:
    play.result("D")
    assert play.state == "idle"
    play.launch()
    play.press("place_bets")
    assert (play.refused, play.state) == ("wheel_turns", "idle")
    play.rest("A")
    play.press("place_bets")
    assert play.state == "betting_open"


@clause("7.2", "7.1.1", "7.1.2", "7.1.3")
def test_a_no_spin_needs_a_reason_and_a_spin_and_names_its_clauses(play: Play) -> None:
    play.bet("Ann", "A", 10)
    play.press("no_spin", reason="bored")
    assert play.refused == "bad_argument"
    play.press("no_spin", reason="not_clear")
    assert play.refused
    play.launch()
    play.press("no_more_bets")
    play.press("no_spin", reason="under_revs")
    assert ruled(play).clauses == ("7.1.1",)
    assert note(play, "no_spin").clauses == ("7.1.1", "7.2")
    assert note(play, "no_spin").facts["reasons"] == ["under_revs"]
    assert play.announced("no_spin")[-1].text == "No spin: under revs."
    assert play.state == "betting_open"
    assert play.settlements == []


@clause("7.1.3", "5.3")
def test_interference_is_reported_once_and_a_stranger_is_a_breach(play: Play) -> None:
    play.bet("Ann", "A", 10)
    play.press("interference")
    assert play.refused
    play.launch()
    play.press("interference", actor="dealer")
    assert play.noted("breach") == []
    play.press("interference", actor="player")
    assert note(play, "breach").clauses == ("5.3",)
    assert [facts["actor"] for facts in play.noted("interference_reported")] == ["dealer", "player"]
    play.press("no_more_bets")
    play.rest("D")
    assert play.question.subject == "spin"
    assert play.question.evidence["reasons"] == ["interference"]


@clause("1.1 'Indicator'", "5.2", "7.1.1", "5.1.3")
def test_a_spin_that_is_let_stand_against_the_sensor_wins_where_it_rests_or_where_people_say(play: Play) -> None:
    play.bet("Ann", "D", 10)
    play.spin_to("D", "under_revs")
    assert note(play, "spin_rested").facts == {
        "forward": 200.0,
        "reasons": ["under_revs"],
        "compartment": play.config.own(WheelSection).ring.index("D"),
    }
    assert note(play, "spin_rested").clauses == ("1.1 'Indicator'", "5.2")
    play.answer("stands", 2, reason="counted by hand", symbol="Z")
    assert play.refused == "no_such_symbol"
    play.answer("stands", 2, reason="counted by hand")
    play.press("acknowledge")
    assert money(play.results["Ann/D"]) == (110, 0, 10)
    other = Play().opened()
    other.press("place_bets")
    other.bet("Ann", "A", 10)
    other.spin_to("D", "under_revs")
    other.answer("stands", 2, reason="counted by hand", symbol="A")
    other.press("acknowledge")
    assert money(other.results["Ann/A"]) == (10, 0, 10)


@clause("5.1.2", "9.5", "9.11")
def test_a_wheel_at_rest_without_the_announcement_may_be_refunded_by_level_three(play: Play) -> None:
    play.bet("Ann", "D", 10)
    play.launch()
    play.rest("D")
    assert play.question.subject == "close_not_announced"
    play.answer("refund", 3, reason="never closed")
    assert play.settlements[-1].outcome == "invalidated"
    assert money(play.results["Ann/D"]) == (0, 0, 10)
    assert play.results["Ann/D"].clauses == ("9.11", "9.5")
    assert play.state == "idle"


@clause("3.2", "9.11")
def test_chips_moved_late_count_where_they_lie_only_when_that_is_ruled(play: Play) -> None:
    play.bet("Ann", "A", 10)
    play.launch()
    play.press("no_more_bets")
    tag = play.bet("", "D", 5)
    play.rest("D")
    assert play.question.subject == "late_change"
    play.answer("as_lying", 3, reason="the dealer put it there")
    play.press("assign", area=play.area("D"), player="Bob", tags=[tag])
    play.press("acknowledge")
    assert money(play.results["unassigned/D"] if "unassigned/D" in play.results else play.results["Bob/D"]) == (
        55,
        0,
        5,
    )
    closed = Play().opened()
    closed.press("place_bets")
    closed.bet("Ann", "A", 10)
    closed.launch()
    closed.press("no_more_bets")
    closed.bet("", "D", 5)
    closed.rest("D")
    closed.answer("as_closed")
    closed.press("acknowledge")
    assert money(closed.results["unassigned/D"]) == (0, 0, 5)
    assert closed.results["unassigned/D"].clauses == ("3.2", "3.3", "3.7")


@clause("9.1", "9.2.1", "9.2.2", "9.2.3")
@pytest.mark.parametrize(
    ("answer", "where"), [("withhold", "withheld"), ("void", "voided"), ("exclude", "excluded"), ("nothing", "")]
)
def test_what_is_decided_about_a_reported_device_touches_that_player_only_and_needs_a_reason(
    play: Play, answer: str, where: str
) -> None:
    play.bet("Ann", "A", 10)
    play.bet("Bob", "A", 10)
    play.press("device_seen", player="Ann")
    asked = [effect for effect in play.told if isinstance(effect, Asked)][-1]
    assert [wager["owner"] for wager in asked.evidence["wagers"]] == ["Ann"]
    assert all(option.needs_reason for option in asked.options)
    assert asked.clauses == ("9.1", "9.2.1", "9.2.2", "9.2.3")
    play.answer(answer, 4)
    assert play.refused
    play.answer(answer, 4, reason="seen by two")
    state = play.table.game.state
    found = {name: getattr(state, name) for name in ("withheld", "voided", "excluded")}
    assert found == {name: ({"Ann"} if name == where else set()) for name in found}


@clause("3.4", "3.7")
def test_a_chip_whose_place_was_in_doubt_counts_where_it_is_seen_later_or_told(play: Play) -> None:
    tag = play.unclear(10, "A", "B")
    play.event(ChipPlaced("chips", tag))
    assert play.table.state.desk.prompts == {}
    tag = play.unclear(10, "A", "B")
    play.answer(f"area{play.area('B')}")
    assert note(play, "position_told").facts == {"tag": tag, "area": play.area("B")}
    assert note(play, "position_told").clauses == ("3.4",)
    assert play.table.game.wagers() == (Wager("", "B", 1000),)  # type: ignore[attr-defined]


@clause("4.2.2")
def test_cash_of_nobody_is_asked_about_only_over_the_maximum(play: Play) -> None:
    play.bet("", "D", 100)
    play.spin_to("D")
    assert play.state == "result"
    over = Play().opened()
    over.press("place_bets")
    over.bet("", "D", 100)
    over.bet("", "D", 5)
    over.spin_to("D")
    assert over.question.subject == "owners"


@clause("9.9")
def test_an_idle_seat_is_named_after_three_spins_only_when_all_seats_are_taken() -> None:
    config = default_config("wheel")
    config = msgspec.structs.replace(config, seats=msgspec.structs.replace(config.seats, count=2))
    play = Play(config=config).opened()
    play.press("sit", seat=1, player="Ann")
    play.press("sit", seat=3, player="Bob")
    assert play.refused == "no_such_seat"
    play.press("sit", seat=0, player="Bob")
    assert play.refused == "no_such_seat"
    play.press("sit", seat=1, player="Bob")
    assert play.refused == "seat_taken"
    for spin in range(1, 6):
        if spin == 4:
            play.press("sit", seat=2, player="Bob")
        play.press("place_bets")
        play.bet("Bob" if spin >= 4 else "Cyd", "A", 10)
        play.result("D")
        play.settle_up()
        expected = 0 if spin < 4 else spin - 3
        assert len(play.announced("seat_idle")) == expected, spin
    assert "Seat 1 has not wagered for 5 spins" in play.announced("seat_idle")[-1].text
    assert play.table.game.state.idle_rounds == {1: 5, 2: 0}  # type: ignore[attr-defined]
    play.press("leave", seat=2)
    play.press("leave", seat=2)
    assert play.refused == "seat_empty"


@clause("9.3", "9.4", "9.5")
def test_a_finished_spin_may_be_undone_until_betting_closes_again(play: Play) -> None:
    play.bet("Ann", "D", 10)
    play.result("D")
    play.settle_up()
    assert play.state == "idle"
    play.press("cancel_fraud", rank=4, reason="marked wheel")
    assert ruled(play).clauses == ("9.3",)
    (undone,) = play.reversals
    assert undone.clauses == ("9.3", "9.5")
    assert [money(result) for result in undone.results] == [(0, 0, 10)]
    play.press("cancel_fraud", rank=4, reason="again")
    assert len(play.reversals) == 1


@clause("9.10", "9.11")
def test_a_decided_dispute_tells_of_the_inspector(play: Play) -> None:
    play.press("dispute", rank=3, decision="upheld", text="the symbol was D")
    assert ruled(play).clauses == ("9.11",)
    assert play.announced("inspector")[-1].clauses == ("9.10",)
    assert note(play, "inspector_told").facts["by"] == "S3"


@clause("9.2.3")
def test_winnings_are_withheld_until_the_inquiry_is_over(play: Play) -> None:
    play.press("inquiry_over", rank=4, player="Ann", outcome="nothing found")
    assert play.refused == "no_inquiry"
    play.bet("Ann", "D", 10)
    play.spin_to("D")
    play.press("withhold", rank=4, player="Ann", reason="device")
    assert ruled(play).clauses == ("9.2.3",)
    assert play.table.game.state.round.results[0].withheld  # type: ignore[attr-defined]
    play.press("inquiry_over", rank=4, player="Ann", outcome="nothing found")
    assert play.table.game.state.withheld == set()  # type: ignore[attr-defined]
    assert ruled(play).answer == "Ann: nothing found"


# -- chips seen while the round runs ----------------------------------------------------------------------------------


def picture(play: Play) -> dict[int, tuple[int, str]]:
    return {tag: (laid.area, laid.owner) for tag, laid in play.table.game.state.picture.items()}  # type: ignore[attr-defined]


@clause("3.7", "1.1 'Indicator'", "3.4")
def test_chips_before_betting_are_told_and_only_then() -> None:
    play = Play().opened()
    play.bet("", "A", 10)
    assert note(play, "chips_before_betting").facts == {"area": play.area("A"), "tags": 1}
    assert note(play, "chips_before_betting").clauses == ("3.7",)
    play.lift("A", play.tags)
    assert len(play.noted("chips_before_betting")) == 1
    play.press("place_bets")
    play.bet("", "A", 10)
    assert len(play.noted("chips_before_betting")) == 1
    closed = Play()
    closed.bet("", "A", 10)
    assert closed.noted("chips_before_betting") == []


@clause("3.4", "3.7")
def test_a_chip_in_doubt_is_no_wager_asked_about_once_and_no_longer_when_it_is_seen_or_gone(play: Play) -> None:
    tag = play.bet("Ann", "A", 10)
    chip = play.table.game.state.picture[tag].chip  # type: ignore[attr-defined]
    other = play.bet("Bob", "B", 10)
    play.event(ChipUnclear("chips", chip, (play.area("A"), play.area("B"))))
    assert list(picture(play)) == [other]
    assert note(play, "position_unclear").clauses == ("3.4", "3.7")
    play.event(ChipUnclear("chips", chip, (play.area("A"), play.area("B"))))
    assert len(play.noted("position_unclear")) == 1
    assert len(play.table.state.desk.prompts) == 1
    play.event(ChipsMoved("chips", play.area("A"), (chip,)))
    assert play.table.state.desk.prompts == {}
    assert play.table.game.state.unclear == {}  # type: ignore[attr-defined]
    tag = play.unclear(10, "A", "B")
    play.lift("A", tag)
    assert play.table.game.state.unclear == {}  # type: ignore[attr-defined]
    tag = play.unclear(7, "B", "C")
    play.launch()
    play.press("no_more_bets")
    assert play.table.state.desk.prompts == {}
    assert note(play, "unclear_chip_no_wager").facts == {"tag": tag}
    late = play.unclear(7, "A", "B")
    assert play.table.state.desk.prompts == {}
    play.event(ChipPlaced("chips", late))
    play.rest("D")
    play.press("acknowledge")
    assert play.results["unassigned/B"].stake_returned == 700
    assert play.results["unassigned/B"].clauses == ("3.2", "3.3", "3.7")


@clause("5.1.2", "3.2", "3.3")
def test_a_change_after_the_close_is_alarmed_with_its_time_and_over_when_it_is_put_back(play: Play) -> None:
    play.bet("Ann", "A", 10)
    play.launch()
    play.press("no_more_bets")
    added = [play.bet("", "B", 5) for _ in range(2)]
    assert [facts["after_ms"] for facts in play.noted("late_change")] == [1000, 2000]
    assert [facts["tag"] for facts in play.noted("late_change")] == added
    alarm = play.table.state.desk.alarms["late_change"]
    assert alarm.text == (
        "After “no more bets”: $5 added on B, 1.000 s after the close; $5 added on B, 2.000 s after the close."
    )
    for tag in added:
        play.lift("B", tag)
    assert "late_change" not in play.table.state.desk.alarms
    assert note(play, "late_change_restored").facts == {"after_ms": 4000}
    assert len(play.noted("late_change_restored")) == 1
    play.event(ChipsMoved("chips", play.area("B")))
    assert len(play.noted("late_change_restored")) == 1
    play.rest("A")
    assert play.state == "result"


@clause("7.2", "5.1.2")
def test_a_no_spin_ends_every_question_and_alarm_of_the_spin(play: Play) -> None:
    play.bet("Ann", "A", 10)
    play.launch()
    play.turn(2)
    assert "no_more_bets_missing" in play.table.state.desk.alarms
    play.press("no_spin", reason="malfunction")
    assert play.table.state.desk.alarms == {}
    play.launch()
    play.press("no_more_bets")
    play.bet("", "B", 5)
    assert "late_change" in play.table.state.desk.alarms
    round_ = play.table.state.round
    play.rest("D", "under_revs")
    assert play.question.subject == "spin"
    play.press("no_spin", reason="not_clear")
    assert (play.table.state.desk.alarms, play.table.state.desk.prompts) == ({}, {})
    assert note(play, "no_spin").facts["reasons"] == ["under_revs", "not_clear"]
    assert note(play, "no_spin").clauses == ("7.1.1", "7.1.2", "7.2")
    assert play.table.state.round >= round_


@clause("5.1.1", "4.2.1")
def test_the_advice_about_the_minimum_lasts_until_the_minimum_changes(play: Play) -> None:
    play.bet("Ann", "A", 4)
    play.result("D")
    assert play.noted("advised_under_minimum") == [{"player": "Ann"}]
    play.settle_up()
    play.press("place_bets")
    assert play.table.game.state.advised == {"Ann"}  # type: ignore[attr-defined]
    play.bet("Ann", "A", 4)
    assert play.result("A")["Ann/A"].result == "returned"


@clause("1.1 'Indicator'", "5.2")
def test_a_rest_of_another_spin_settles_nothing(play: Play) -> None:
    play.bet("Ann", "A", 10)
    play.launch()
    play.press("no_more_bets")
    play.spins += 1
    play.rest("A")
    assert (play.state, note(play, "wheel_rested_outside_round").facts["spin"]) == ("spin_closed", 2)
    play.spins = 0
    play.rest("A")
    assert play.state == "result"


@clause("9.3", "9.5", "9.4")
def test_undoing_a_finished_spin_moves_the_money_back_and_ends_when_betting_closes(play: Play) -> None:
    play.bet("Ann", "D", 10)
    play.result("D")
    play.settle_up()
    held = play.table.state.money
    before = msgspec.to_builtins(held)
    play.press("cancel_disruption", rank=2, reason="fire alarm")
    assert (ruled(play).subject, ruled(play).answer) == ("invalidate", "round 1")
    assert msgspec.to_builtins(play.table.state.money) != before
    again = Play().opened()
    again.press("place_bets")
    again.bet("Ann", "D", 10)
    again.result("D")
    again.settle_up()
    again.press("place_bets")
    again.bet("Ann", "A", 10)
    again.launch()
    again.press("no_more_bets")
    assert again.table.game.state.past is None  # type: ignore[attr-defined]
    again.press("cancel_fraud", rank=4, reason="seen")
    assert ruled(again).answer == "round 2"
    assert again.results["Ann/A"].clauses == ("9.3", "9.5")
    again.press("cancel_fraud", rank=4, reason="the one before")
    assert ruled(again).subject == "invalidate_late"
    assert ruled(again).clauses == ("9.3", "9.5")
    again.press("cancel_disruption", rank=2, reason="the one before")
    assert again.refused == "too_late"


@clause("3.6.2", "5.1.4")
def test_chips_paid_beside_a_winning_wager_are_the_winners(play: Play) -> None:
    play.bet("Ann", "D", 10)
    play.bet("Bob", "A", 10)
    play.result("D")
    play.lift("A", play.tags)
    assert play.state == "pay"
    paid = play.bet("", "D", 110)
    assert picture(play)[paid] == (play.area("D"), "Ann")
    elsewhere = play.bet("", "B", 5)
    assert picture(play)[elsewhere] == (play.area("B"), "")


@clause("3.2", "3.3")
def test_a_chip_that_is_found_to_be_cloned_was_no_wager_at_the_close_either(play: Play) -> None:
    tag = play.bet("Ann", "D", 10)
    play.bet("Bob", "A", 10)
    play.launch()
    play.press("no_more_bets")
    play.event(ChipsMoved("chips", play.area("D"), (Chip(tag, "cloned", 0),)))
    assert play.table.game.wagers() == (Wager("Bob", "A", 1000),)  # type: ignore[attr-defined]
    play.event(ChipsMoved("chips", play.area("D"), (Chip(99, "cloned", 0),)))
    assert 99 not in play.table.game.state.round.frozen  # type: ignore[attr-defined]


@clause("3.6.2", "3.2")
def test_winnings_beside_chips_of_another_stay_whose_they_are(play: Play) -> None:
    play.bet("Ann", "D", 10)
    lost = play.bet("Bob", "A", 10)
    play.result("D")
    chip = play.table.game.state.picture[lost].chip  # type: ignore[attr-defined]
    play.lift("A", lost)
    play.bet("Bob", "A", 0)
    play.event(ChipsMoved("chips", play.area("D"), (Chip(lost, chip.kind, chip.cents),)))
    assert picture(play)[lost][1] == "Ann"
    open_play = Play().opened()
    open_play.press("place_bets")
    tag = open_play.bet("", "D", 10)
    assert picture(open_play)[tag] == (open_play.area("D"), "")


@clause("5.1.5")
def test_a_spin_with_wagers_is_no_idle_spin(play: Play) -> None:
    play.bet("Ann", "D", 10)
    play.launch()
    play.press("no_more_bets")
    assert play.noted("idle_spin") == play.noted("idle_spin_not_directed") == []


@clause("3.4")
def test_a_chip_in_doubt_since_the_close_is_withdrawn_without_a_question(play: Play) -> None:
    play.bet("Ann", "A", 10)
    play.launch()
    play.press("no_more_bets")
    tag = play.unclear(7, "A", "B")
    before = len(play.effects)
    play.event(ChipPlaced("chips", tag))
    assert play.effects[before:] == []
