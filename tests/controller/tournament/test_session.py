"""A table in a tournament, from its designation to its release: what people do at it beside the written cases."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from controller.build import build_table
from controller.core.events import Chip, ChipsMoved
from controller.tournament.state import Roster, Seated
from controller.tournament.table import TournamentTable
from tests.controller.tournament.cup import DIRECTOR, TRAY, Cup, begun, clause, person


@clause("10.1", "10.2.5")
def test_nobody_stakes_but_whom_the_draw_has_put_there() -> None:
    cup = begun(2)
    cup.lay(3, 500)
    assert [(one.status, one.player) for one in cup.game.state.round.stakes] == [("refused", "box 3")]
    assert cup.refused("sit", box=3, player="P7").clauses == ("10.2.5",)
    cup.press("coming", box=2, player="P1", zone="main")
    cup.lay(2, 500)
    assert not [one for one in cup.game.state.round.stakes if one.live and (one.box, one.player) == (2, "P1")]


@clause("10.4.8(b)(i)", "10.4.8(b)(ii)")
@pytest.mark.parametrize(("key", "term"), [("away", 'absent = "nothing"'), ("late", "")])
def test_who_is_away_or_late_pays_what_the_terms_say_and_is_in_no_breach(key: str, term: str) -> None:
    changes = ((term, 'absent = "compulsory_forfeited"'),) if term else ()
    cup = begun(2, *changes)
    cup.ok(key, player="P2")
    for suit in "SHD":
        cup.play({1: 500}, f"K{suit}", f"9{suit}")
    assert (cup.banks["P2"], cup.questions()) == (8500, [])
    assert cup.said("idle_seat") == []
    cup.ok("is_here", player="P2")
    cup.play({1: 500, 2: 500}, "KC", "KC", "9C")
    assert cup.banks["P2"] == 9000


@clause("10.4.8(b)(vi)")
def test_retirement_takes_effect_after_the_round_with_the_place_of_that_moment() -> None:
    cup = begun(3)
    for box in (1, 2, 3):
        cup.lay(box, 500)
    cup.ok("no_more_bets")
    cup.draw("KS")
    cup.ok("retire", player="P2")
    assert cup.entrant("P2").plays
    for card in ("2S", "QS", "9H"):
        cup.draw(card)
    cup.settle()
    assert (cup.banks["P2"], cup.entrant("P2").standing, cup.entrant("P2").place) == (0, "retired", 3)
    assert [one.number for one in cup.table.session.state.playing()] == ["P1", "P3"]


@clause("10.4.8(a)(i)")
def test_whoever_misses_a_round_as_a_penalty_stakes_nothing_in_it_and_plays_the_next() -> None:
    cup = begun(2)
    cup.ok("penalty", DIRECTOR, player="P2", penalty="miss_round")
    cup.lay(2, 500)
    assert [one.status for one in cup.game.state.round.stakes] == ["refused"]
    cup.clear()
    cup.lay(1, 500)
    cup.deal("KS", "9H")
    cup.settle()
    assert cup.questions() == []
    cup.play({1: 500, 2: 500}, "KS", "QS", "9H")
    assert cup.banks["P2"] == 10500


@clause("10.4.5(a)")
def test_an_elimination_is_taken_back_by_the_director_with_a_second_row() -> None:
    cup = begun(2, (', rebuy = { each = 1, units = 10000, at = "below_compulsory" }', ""), P2=600)
    cup.play({1: 500, 2: 600}, "KS", "2S", "9H")
    assert cup.entrant("P2").standing == "eliminated"
    out = cup.noted("eliminated")[-1]
    assert (out["entrant"], out["before"], out["left"], out["terms"]) == ("P2", 600, 1, cup.terms.digest)
    assert cup.refused("not_out", person("AM"), player="P2").code == "no_director"
    cup.ok("not_out", DIRECTOR, player="P2")
    assert cup.entrant("P2").plays
    assert cup.game.state.players.at_box[2] == "P2"


@clause("10.4.5(a)")
def test_the_lowest_banks_are_equal_so_they_play_off_and_everybody_else_sits_out() -> None:
    lowest = ('eliminated = "below_compulsory"', "eliminated = { lowest_after = [1] }")
    cup = begun(3, lowest, P1=12000)
    cup.play({1: 500, 2: 500, 3: 500}, "KS", "KH", "KD", "9H")
    assert cup.noted("play_off")[-1]["players"] == ["P2", "P3"]
    for suit in "SHD":
        cup.begin_round()
        cup.lay(1, 500)
        assert [one.status for one in cup.game.state.round.stakes if one.box == 1] == ["refused"]
        cup.clear()
        cup.lay(2, 500)
        cup.lay(3, 500)
        cup.deal(f"K{suit}", f"2{suit}", f"9{suit}")
        cup.settle()
    assert (cup.entrant("P3").standing, cup.entrant("P2").standing, cup.scored) == ("eliminated", "playing", 1)


@clause("10.4.3(a)(i)")
def test_a_session_by_time_ends_after_the_round_in_which_it_runs_out() -> None:
    cup = begun(1, ("rounds = 20\nbank = \"fresh\"\nthrough = { per_table = 2 }",
                    "minutes = 15\nbank = \"fresh\"\nthrough = { per_table = 2 }"))  # fmt: skip
    cup.lay(1, 500)
    cup.ok("no_more_bets")
    cup.due("tournament:end")
    assert cup.phase == "playing"
    cup.draw("KS")
    cup.draw("9H")
    cup.settle()
    assert cup.phase == "counting"


def test_the_session_is_paused_after_the_round_and_goes_on_at_the_directors_word() -> None:
    cup = begun(1)
    cup.lay(1, 500)
    cup.ok("no_more_bets")
    cup.ok("pause", DIRECTOR)
    cup.draw("KS")
    cup.draw("9H")
    cup.settle()
    assert cup.phase == "paused"
    cup.clear()
    assert cup.refused("place_bets").code == "paused"
    cup.ok("go_on", DIRECTOR)
    cup.ok("place_bets")


def test_a_settlement_that_is_taken_back_changes_the_bank_by_a_row_of_its_own() -> None:
    cup = begun(1)
    cup.play({1: 500}, "KS", "9H")
    assert cup.banks["P1"] == 10500
    cup.ok("cancel", person("ACM"), reason="fraud")
    assert cup.banks["P1"] == 10000
    assert [row["kind"] for row in cup.noted("ledger")][-2:] == ["result", "reversal"]


def test_a_table_that_is_restored_stands_where_it_stood_with_its_event() -> None:
    cup = begun(3)
    cup.play({1: 1000, 2: 1000, 3: 1000}, "KS", "2H", "4C", "9D")
    again = build_table(cup.config)
    again.restore(cup.table.save())
    assert isinstance(again, TournamentTable)
    assert again.save() == cup.table.save()
    assert again.session.phase == "playing"
    assert again.session.state.ledger.banks == cup.banks


def test_a_key_of_the_event_is_taken_back_like_any_other() -> None:
    cup = begun(2)
    cup.ok("pass_marker", player="P2")
    assert cup.table.session.state.round.laid.passes == ["P2"]
    cup.ok("take_back")
    assert cup.table.session.state.round.laid.passes == []


@clause("10.2.5", "10.4.3(c)")
def test_units_and_dollars_never_lie_in_one_book() -> None:
    cup = Cup()
    dollars_before = cup.table.state.limits
    cup.designate()
    cup.roster(2)
    cup.opened()
    assert cup.table.money.state.tray.value == sum(value * count for value, count in TRAY.items())
    assert cup.table.state.limits.least == 50_000
    assert cup.order("tournament_release") is not None
    cup.ok("close", person("HDD"))
    refused = cup.order("tournament_release")
    assert refused is not None
    assert (refused.code, refused.clauses) == ("chips_lie", ("10.4.3(c)",))
    cup.event(ChipsMoved("chips", 0, (), tuple(cup.tray)))
    assert cup.order("tournament_release") is None
    assert (cup.table.state.limits, cup.table.money.state.tray.value) == (dollars_before, 0)


@clause("10.2.4", "10.2.5", "10.4.4(a)")
def test_a_table_with_cash_on_it_or_open_for_cash_is_not_designated() -> None:
    cup = Cup()
    cup.ok("open")
    refused = cup.designate()
    assert refused is not None
    assert refused.code == "table_open"
    cup.ok("close", person("HDD"))
    cup.event(ChipsMoved("chips", 0, (Chip(7, "cash", 500),)))
    refused = cup.designate()
    assert refused is not None
    assert refused.code == "chips_lie"


@pytest.mark.parametrize(("change", "code"), [
    ({"digest": "other"}, "other_terms"), ({"session": "semi"}, "no_such_session"), ({"director": ""}, "no_director"),
    ({"entrants": ()}, "bad_roster"), ({"entrants": (Seated("P1", 1), Seated("P2", 1))}, "bad_roster"),
    ({"entrants": (Seated("P1", 10),)}, "bad_roster"),
])  # fmt: skip
def test_a_roster_that_does_not_fit_is_refused(change: dict[str, Any], code: str) -> None:
    cup = Cup()
    cup.designate()
    made = msgspec.structs.replace(Roster(cup.terms.digest, "heat", (Seated("P1", 1),), "TD"), **change)
    refused = cup.order("tournament_roster", payload=msgspec.json.encode(made).decode())
    assert refused is not None
    assert refused.code == code


def test_an_order_that_cannot_be_read_and_a_key_at_a_free_table_are_refused() -> None:
    cup = Cup()
    refused = cup.order("tournament_designate", payload="{")
    assert refused is not None
    assert refused.code == "bad_order"
    assert cup.refused("briefed", DIRECTOR).code == "no_tournament"
