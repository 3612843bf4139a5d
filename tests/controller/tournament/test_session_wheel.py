"""Worked cases of a Big Wheel tournament at one table; each is named by its id."""

from __future__ import annotations

from tests.controller.tournament.cup import DIRECTOR, person
from tests.controller.tournament.wheel_night import WheelNight, begun, clause


@clause("8.4.6(a)", "8.4.4(a)")
def test_tb_01_a_spin_moves_three_banks() -> None:
    night = begun(3)
    night.play({"P1": ("C", 50), "P2": ("A", 20), "P3": ("G", 200)}, "C")
    assert night.banks == {"P1": 1250, "P2": 980, "P3": 800}
    assert night.scored == 1


@clause("8.4.3(a)(i)")
def test_tb_02_a_no_spin_is_none_of_the_fifteen_and_chips_stay() -> None:
    night = begun(1)
    night.table.session.state.scored = 7
    night.begin_round()
    night.bet("P1", "A", 100)
    night.launch()
    night.ok("no_more_bets")
    night.rest("A", "under_revs", forward=150)
    night.ok("no_spin", reason="under_revs")
    assert night.game.machine.state == "betting_open"
    assert (night.scored, night.table.session.state.dealt, night.banks) == (7, 1, {"P1": 1000})
    night.lift_all()
    assert night.game.state.picture == {}
    assert cup_goes_on(night)


def cup_goes_on(night: WheelNight) -> bool:
    """The same round is played anew, without another call for bets."""
    night.bet("P1", "A", 10)
    night.spin("B")
    return night.scored == 8


@clause("8.2.3", "8.2.3(a)")
def test_tb_03_only_a_deputy_is_there_so_by_this_document_the_spin_waits() -> None:
    night = begun(1)
    night.signs_in("DEP")
    night.play({"P1": ("A", 10)}, "A")
    night.signs_out("TD")
    assert night.phase == "held"
    night.lift_all()
    assert night.refused("place_bets").clauses == ("8.2.3",)
    night.signs_in("DEP")
    assert night.phase == "held"
    night.table.session.state.presence.deputy_counts = True
    night.signs_in("DEP")
    night.ok("place_bets")


@clause("8.4.4(c)")
def test_tb_06_a_secret_wager_is_opened_and_laid_before_no_more_bets() -> None:
    night = begun(2, P2=800)
    night.begin_round()
    night.bet("P1", "A", 10)
    night.ok("secret_slip", player="P2")
    night.launch()
    refused = night.refused("no_more_bets")
    assert (refused.clauses, "P2" in refused.text) == (("8.4.4(c)",), True)
    night.ok("open_slip", player="P2", zone="D", units=400)
    assert night.said("lay")[-1] == "Secret wager: lay 200 of P2's bank on D."
    assert "secret wager of P2 is not laid" in night.refused("no_more_bets").text
    night.bet("P2", "D", 200)
    night.ok("no_more_bets")
    night.rest("A")
    night.finish()
    assert (night.banks["P2"], night.entrant("P2").markers["secret"]) == (600, 0)


@clause("8.4.8(b)(ii)")
def test_tb_08_an_absent_entrant_pays_what_the_terms_say_and_the_idle_seat_rule_keeps_quiet() -> None:
    night = begun(5, ('absent = "nothing"', 'absent = "compulsory_forfeited"'))
    night.ok("away", player="P5")
    night.game.setup = night.game.setup.__class__(**{
        name: getattr(night.game.setup, name) for name in night.game.setup.__struct_fields__ if name != "seats"
    }, seats=5)  # fmt: skip
    for _ in range(3):
        night.play({f"P{seat}": ("A", 10) for seat in range(1, 5)}, "B")
    assert night.banks["P5"] == 970
    assert night.said("seat_idle") == []
    assert night.questions() == []


@clause("8.4.5(a)")
def test_tb_09_the_two_lowest_banks_are_equal_so_they_play_off() -> None:
    lowest = ('eliminated = "below_compulsory"', "eliminated = { lowest_after = [5, 10] }")
    night = begun(4, lowest, P1=1310, P2=1010, P3=710, P4=710)
    night.table.session.state.scored = 4
    night.play({f"P{seat}": ("A", 10) for seat in range(1, 5)}, "B")
    assert night.noted("play_off")[-1] | {"players": ["P3", "P4"], "rounds": 3} == night.noted("play_off")[-1]
    assert (night.questions(), night.noted("eliminated")) == ([], [])


@clause("8.4.8(b)(vi)")
def test_tb_10_retirement_in_mid_spin_is_settled_first_and_then_gets_its_place() -> None:
    night = begun(5, P4=400)
    night.begin_round()
    for seat in range(1, 6):
        night.bet(f"P{seat}", "B", 50)
    night.launch()
    night.ok("no_more_bets")
    night.ok("retire", player="P4")
    assert night.entrant("P4").plays
    night.rest("C")
    night.finish()
    assert (night.banks["P4"], night.entrant("P4").place, len(night.table.session.state.playing())) == (0, 5, 4)
    assert [row["units"] for row in night.noted("ledger") if row["kind"] == "removed"] == [-350]
    assert night.scored == 1


@clause("8.2.5")
def test_chips_that_are_no_entrants_keep_betting_open_until_somebody_says_whose_they_are() -> None:
    night = begun(2)
    night.begin_round()
    night.bet("P1", "A", 10)
    night.bet("P2", "A", 10)
    night.bet("P3", "B", 10)
    night.launch()
    refused = night.refused("no_more_bets")
    assert (refused.code, refused.clauses) == ("no_owner", ("8.2.5",))
    night.ok("assign", area=night.symbol_area("B"), player="P1")
    night.ok("no_more_bets")


@clause("8.4.4(a)")
def test_a_colour_is_one_entrants_alone_in_a_session() -> None:
    night = WheelNight()
    night.designate()
    night.roster(2)
    assert night.refused("colour_given", player="P2", colour="red").clauses == ("8.4.4(a)",)
    night.ok("colour_given", player="P2", colour="grey")
    assert night.table.session.state.colours == {"red": "P1", "grey": "P2"}


@clause("8.1")
def test_terms_for_another_option_are_refused_at_this_wheel() -> None:
    night = WheelNight(("option = 1", "option = 2"))
    refused = night.designate()
    assert refused is not None
    assert (refused.code, refused.clauses) == ("other_option", ("8.1",))


@clause("8.2.4", "8.2.5", "8.3.1", "8.3.2", "8.4.3(b)", "8.4.4(b)", "8.4.8(a)(i)", "8.4.8(a)(ii)", "8.4.8(a)(iii)",
        "8.4.8(b)(i)", "8.4.8(b)(iii)", "8.4.8(b)(v)", "8.4.8(h)", "8.4.3(c)")  # fmt: skip
def test_what_the_chapters_have_in_common_holds_at_the_wheel_under_its_own_clauses() -> None:
    night = WheelNight(('late = "nothing"', 'late = "compulsory_forfeited"'))
    night.designate()
    assert night.refused("open").clauses == ("8.2.5",)
    night.roster(4)
    night.opened()
    night.signs_in("TD")
    night.ok("practise", DIRECTOR)
    night.play({"P1": ("A", 10), "P2": ("A", 10)}, "B")
    for seat in range(1, 5):
        night.ok("count_bank", player=f"P{seat}", units=1000)
    night.ok("practice_over", DIRECTOR)
    assert night.refused("place_bets").clauses == ("8.3.1",)
    night.ok("briefed", DIRECTOR)
    night.ok("count_bank", player="P4", units=990)
    assert night.refused("begin_session", DIRECTOR).clauses == ("8.4.3(b)",)
    night.ok("count_bank", player="P4", units=1000)
    night.ok("begin_session", DIRECTOR)
    night.ok("late", player="P4")
    night.play({"P1": ("A", 10), "P3": ("A", 10)}, "B")
    assert night.banks == {"P1": 990, "P2": 1000, "P3": 990, "P4": 990}
    assert night.questions() == ["breach:P2"]
    assert night.answer("breach:P2", "lose_100") is None
    night.ok("phone", player="P1")
    assert night.answer("phone:P1", "warning") is None
    night.ok("disqualify", DIRECTOR, player="P2", reason="breach of terms")
    night.ok("substitute", DIRECTOR, player="P3", substitute="P9")
    night.ok("dispute_event", about="who sits where")
    assert night.answer("tournament_dispute", "decided", decision="as drawn") is None
    assert night.banks["P2"] == 0
    assert night.entrant("P9").seat == 3
    night.ok("abandon", DIRECTOR, reason="power cut")
    assert night.phase == "counting"
    for number in ("P1", "P9", "P4"):
        night.ok("count_bank", player=number, units=night.banks[number])
    night.ok("agree_counts", DIRECTOR)
    refused = night.order("tournament_release")
    assert refused is not None
    night.ok("close", person("HDD"))
    refused = night.order("tournament_release")
    assert refused is not None
    assert refused.clauses == ("8.4.3(c)",)


@clause("8.4.8(d)(i)", "8.4.8(d)(ii)")
def test_a_table_ends_early_when_it_is_certain_or_all_agree_to_cash() -> None:
    night = begun(3, P1=4000, P2=3900, P3=10)
    night.table.session.state.scored = 14
    refused = night.refused("end_agreed", DIRECTOR, yes=["P1", "P2", "P3"])
    assert refused.clauses == ("8.4.8(d)(ii)",)
    night.ok("end_certain", DIRECTOR)
    assert night.phase == "counting"
    open_ = begun(3)
    assert open_.refused("end_certain", DIRECTOR).clauses == ("8.4.8(d)(i)",)
