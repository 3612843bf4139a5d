"""Worked cases of a Casino War tournament at one table; each is named by its id."""

from __future__ import annotations

from controller.core.effects import Announced, Moved
from controller.core.events import FloorOrder
from controller.core.guarded import GuardedTable
from tests.controller.tournament.cup import DEALER, DEPUTY, DIRECTOR, Cup, begun, clause, person

CASH = ('disposition = "handed_in"', "disposition = { units = 100, dollars = 1 }")


@clause("10.2.3", "10.2.3(a)")
def test_tw_03_the_director_leaves_in_mid_round_and_a_deputys_card_lets_the_next_begin() -> None:
    cup = begun(2)
    for suit in "SHDCSH":
        cup.play({1: 500, 2: 500}, f"K{suit}", f"Q{suit}", f"9{suit}")
    assert cup.scored == 6
    cup.begin_round()
    cup.signs_out("TD")
    for box in (1, 2):
        cup.lay(box, 500)
    cup.deal("KS", "QS", "9H")
    cup.settle()
    assert (cup.scored, cup.phase) == (7, "held")
    cup.clear()
    refused = cup.refused("place_bets")
    assert (refused.code, refused.clauses) == ("no_director", ("10.2.3",))
    assert "no_director" in cup.table.state.desk.alarms
    cup.signs_in("DEP")
    assert cup.phase == "playing"
    assert "no_director" not in cup.table.state.desk.alarms
    cup.play({1: 500, 2: 500}, "KS", "QS", "9H")
    assert cup.scored == 8


@clause("10.2.3")
def test_presence_lapses_half_an_hour_after_the_last_proof_and_not_when_a_screen_was_idle() -> None:
    cup = begun(2)
    cup.signs_out("TD", "idle")
    assert cup.phase == "playing"
    until = cup.table.state.desk.timers["tournament:presence"]
    assert until == cup.table.session.state.presence.proofs["TD"].at + 30 * 60_000
    cup.due("tournament:presence")
    assert cup.phase == "held"
    assert cup.order("tournament_presence", who="TD") is None
    assert cup.phase == "playing"
    refused = cup.order("tournament_presence", who="D1")
    assert refused is not None
    assert refused.clauses == ("10.2.3",)


@clause("10.2.5", "10.4.4(a)", "10.4.4(b)")
def test_tw_04_a_cash_chip_on_a_box_is_no_wager_and_gets_no_card() -> None:
    cup = begun(2)
    cup.lay(1, 1000)
    cup.lay(2, 500, kind="cash", mark="")
    assert any("main of box 2" in text for text in cup.alarms())
    cup.deal("KS", "9H")
    cup.settle()
    assert [one for one in cup.game.state.round.card_places() if one != "shoe-burn"] == ["box1", "dealer"]
    assert cup.banks == {"P1": 11000, "P2": 10000}
    assert cup.questions() == ["breach:P2"]


@clause("10.4.4(a)")
def test_chips_of_another_event_are_no_wager() -> None:
    cup = begun(2)
    cup.lay(1, 1000, mark="CUP-B")
    assert cup.game.state.round.stakes == []
    assert any("none of this tournament" in text for text in cup.alarms())


@clause("10.3.1", "10.3.2", "10.4.3(b)")
def test_tw_05_practice_changes_nothing_and_no_scored_hand_comes_before_the_briefing() -> None:
    cup = Cup()
    cup.designate()
    cup.roster(2)
    cup.opened()
    cup.signs_in("TD")
    cup.ok("practise", DIRECTOR)
    cup.play({1: 1000, 2: 500}, "2S", "KH", "9C")
    cup.begin_round()
    cup.ok("pass_marker", player="P1")
    cup.lay(2, 300)
    cup.deal("KH", "9C")
    cup.settle()
    assert cup.game.state.players.warned == ["P2"]
    assert cup.refused("practice_over", DIRECTOR).clauses == ("10.3.2",)
    for number in ("P1", "P2"):
        cup.ok("count_bank", player=number, units=10000)
    cup.ok("practice_over", DIRECTOR)
    assert (cup.banks, cup.scored) == ({"P1": 10000, "P2": 10000}, 0)
    assert cup.entrant("P1").markers["pass"] == 2
    assert cup.game.state.players.warned == []
    assert len(cup.noted("practice_round")) == 2
    cup.clear()
    assert cup.refused("place_bets").clauses == ("10.3.1",)
    cup.ok("briefed", DIRECTOR)
    cup.ok("begin_session", DIRECTOR)
    cup.ok("place_bets")
    assert cup.game.machine.state == "betting"
    assert (cup.banks, cup.questions()) == ({"P1": 10000, "P2": 10000}, [])


@clause("10.4.3(b)")
def test_tw_06_one_bank_that_is_a_hundred_short_keeps_the_table_from_starting() -> None:
    cup = Cup()
    cup.designate()
    cup.roster(6)
    cup.opened()
    cup.signs_in("TD")
    cup.ok("briefed", DIRECTOR)
    for seat in range(1, 7):
        cup.ok("count_bank", player=f"P{seat}", units=9900 if seat == 4 else 10000)
    refused = cup.refused("begin_session", DIRECTOR)
    assert (refused.code, refused.clauses) == ("bank_differs", ("10.4.3(b)",))
    assert "P4: 9,900 of 10,000" in refused.text


@clause("10.4.3(b)")
def test_a_bank_may_be_read_by_the_antennas_at_its_own_box() -> None:
    cup = Cup()
    cup.designate()
    cup.roster(2)
    cup.opened()
    cup.lay(1, 10000)
    cup.ok("count_bank", player="P1")
    assert cup.entrant("P1").counted == 10000


@clause("10.4.6(a)")
def test_tw_07_a_round_moves_three_banks() -> None:
    cup = begun(3)
    tray = cup.table.session.tray()
    cup.begin_round()
    for box, units, zone in ((1, 1000, "main"), (2, 1000, "main"), (2, 500, "tie"), (3, 1000, "main")):
        cup.lay(box, units, zone)
    cup.deal("KS", "9H", "4C", "9D")
    cup.settle()
    assert cup.answer("choice:2:P2", "surrender", DEALER) is None
    assert cup.scored == 0, "half of the stake still lies there"
    cup.take_in(cup.area(2, "main"), 50_000)
    assert cup.banks == {"P1": 11000, "P2": 14500, "P3": 9000}
    assert (cup.scored, sum(cup.banks.values()) - 30000, tray) == (1, 4500, 90000)


@clause("10.4.4(d)")
def test_tw_08_an_all_in_marker_above_the_maximum_counts_as_the_maximum() -> None:
    cup = begun(1, P1=7300)
    cup.ok("all_in_marker", player="P1", zone="main")
    assert cup.said("lay")[-1] == "All in: lay 5,000 of P1's bank on main."
    assert cup.refused("no_more_bets").clauses == ("10.4.4(d)",)
    cup.lay(1, 5000)
    cup.deal("AS", "KD")
    cup.settle()
    assert (cup.banks["P1"], cup.entrant("P1").markers["all_in"]) == (12300, 0)


@clause("10.4.4(d)", "10.4.8(c)")
def test_tw_09_all_in_and_a_tie_leaves_only_surrender() -> None:
    cup = begun(1, P1=3200)
    cup.ok("all_in_marker", player="P1", zone="main")
    cup.lay(1, 3200)
    cup.deal("8S", "8D")
    cup.settle()
    asked = cup.asked("choice:1")
    assert asked is not None
    assert [option.answer for option in asked.options] == ["surrender", "decline"]
    assert cup.refused("choice", box=1, player="P1", choice="war").code == "no_chips_for_war"
    cup.answer("choice:1", "surrender", DEALER)
    assert (cup.banks["P1"], cup.entrant("P1").markers["all_in"]) == (1600, 0)


@clause("10.4.4(e)", "10.4.8(a)(i)")
def test_tw_10_two_passes_are_good_and_the_third_asks_the_director() -> None:
    cup = begun(2)
    for left in (1, 0):
        cup.begin_round()
        cup.ok("pass_marker", player="P2")
        cup.lay(1, 500)
        cup.deal("KS", "9H")
        assert [one for one in cup.game.state.round.card_places() if one != "shoe-burn"] == ["box1", "dealer"]
        cup.settle()
        assert (cup.entrant("P2").markers["pass"], cup.questions()) == (left, [])
    cup.begin_round()
    assert cup.refused("pass_marker", player="P2").clauses == ("10.4.4(e)",)
    cup.lay(1, 500)
    cup.deal("KS", "9H")
    cup.settle()
    asked = cup.asked("breach:P2")
    assert asked is not None
    assert [option.answer for option in asked.options] == ["warning", "lose_1000", "miss_round", "no_penalty"]
    assert cup.answer("breach:P2", "warning", person("ACM")).code == "no_director"  # type: ignore[union-attr]
    assert cup.answer("breach:P2", "warning") is None
    assert (cup.banks["P2"], cup.entrant("P2").warnings) == (10000, 1)


@clause("10.4.4(e)")
def test_a_stake_after_a_pass_goes_back() -> None:
    cup = begun(2)
    cup.ok("pass_marker", player="P2")
    cup.lay(2, 500)
    assert [one.status for one in cup.game.state.round.stakes] == ["refused"]
    cup.lay(1, 500)
    assert cup.refused("pass_marker", player="P1").code == "staked"


@clause("10.4.4(c)")
def test_tw_11_a_secret_wager_is_shown_to_nobody_until_betting_has_closed() -> None:
    cup = begun(3, P3=10000)
    cup.lay(1, 500)
    cup.lay(2, 500)
    cup.ok("secret_slip", player="P3")
    assert shown(cup, "P3") == "secret"
    assert cup.refused("open_slip", player="P3", zone="main", units=2500).clauses == ("10.4.4(c)",)
    cup.ok("no_more_bets")
    assert shown(cup, "P3") == "secret"
    assert not cup.game.may_draw()
    cup.ok("open_slip", player="P3", zone="main", units=2500)
    assert shown(cup, "P3") == "main 2,500"
    assert not cup.game.may_draw()
    cup.lay(3, 2500)
    assert cup.questions() == []
    assert cup.game.may_draw()
    for card in ("2S", "3S", "QS", "JD"):
        cup.draw(card)
    cup.settle()
    assert (cup.banks["P3"], cup.entrant("P3").markers["secret"]) == (12500, 0)
    cup.begin_round()
    assert cup.refused("secret_slip", player="P3").clauses == ("10.4.4(c)",)


@clause("10.4.4(c)")
def test_a_card_that_leaves_before_a_secret_wager_lies_is_put_back() -> None:
    cup = begun(1)
    cup.ok("secret_slip", player="P1")
    cup.ok("no_more_bets")
    cup.draw("KS")
    assert cup.game.machine.state == "closed"
    assert any("KS" in text for text in cup.alarms())


def shown(cup: Cup, number: str) -> str:
    from controller.tournament.view import table

    return str(next(one["laid"] for one in table(cup.table.session)["entrants"] if one["entrant"] == number))


@clause("10.4.4(c)", "10.4.4(f)", "10.4.5(a)")
def test_tw_12_a_slip_for_more_than_the_bank_counts_as_the_bank() -> None:
    cup = begun(3, P3=4000)
    cup.ok("secret_slip", player="P3")
    cup.lay(1, 500)
    cup.lay(2, 500)
    cup.ok("no_more_bets")
    cup.ok("open_slip", player="P3", zone="main", units=4500)
    assert cup.said("lay")[-1] == "Secret wager: lay 4,000 of P3's bank on main."
    cup.lay(3, 4000)
    for card in ("QS", "QC", "3S", "KD"):
        cup.draw(card)
    cup.settle()
    assert cup.banks["P3"] == 0
    assert "Re-Buy marker" in cup.said("rebuy")[-1]
    assert cup.entrant("P3").plays
    cup.begin_round()
    assert cup.entrant("P3").standing == "eliminated"


@clause("10.4.4(f)")
def test_a_re_buy_marker_is_used_between_rounds_at_the_stated_bank() -> None:
    cup = begun(2, P2=900)
    assert cup.refused("rebuy_marker", player="P2").code == "bank_too_high"
    cup.lay(1, 500)
    cup.lay(2, 900)
    cup.ok("no_more_bets")
    cup.draw("KS")
    assert cup.refused("rebuy_marker", player="P2").code == "round_under_way"
    cup.draw("2S")
    cup.draw("9H")
    cup.settle()
    cup.ok("rebuy_marker", player="P2")
    assert (cup.banks["P2"], cup.entrant("P2").markers["rebuy"]) == (10000, 0)
    cup.begin_round()
    assert cup.entrant("P2").plays
    assert cup.refused("rebuy_marker", player="P2").code == "no_marker"


@clause("10.4.4(b)", "10.4.8(c)")
def test_tw_13_under_the_compulsory_wager_the_games_own_rule_settles_it() -> None:
    cup = begun(1)
    cup.play({1: 300}, "KS", "9H")
    assert cup.banks["P1"] == 10300
    assert cup.said("advise_minimum")
    assert cup.answer("breach:P1", "no_penalty") is None
    cup.play({1: 300}, "KD", "9C")
    assert (cup.banks["P1"], cup.questions()) == (10300, ["breach:P1"])


@clause("10.4.8(a)(i)", "10.4.8(b)(iii)", "1.1 [Tournament Director]")
def test_tw_14_penalties_come_from_the_list_and_from_the_director() -> None:
    cup = begun(1, ('phone = "warning"', 'phone = "lose 1000"'))
    cup.ok("phone", player="P1")
    asked = cup.asked("phone:P1")
    assert asked is not None
    assert asked.proposal == "lose_1000"
    assert cup.refused("penalty", person("AM"), player="P1", penalty="lose_1000").code == "no_director"
    assert cup.refused("penalty", DIRECTOR, player="P1", penalty="lose_2000").code == "not_in_terms"
    cup.ok("penalty", DIRECTOR, player="P1", penalty="lose_1000")
    assert (cup.banks["P1"], cup.questions()) == (9000, [])
    assert cup.table.money.state.books.made["1"].kind == "taken_back"


@clause("10.4.8(a)(ii)", "10.4.8(b)(v)")
def test_tw_15_disqualified_in_mid_round_the_wager_is_settled_and_then_the_chips_leave_play() -> None:
    cup = begun(2, P2=8000)
    cup.lay(1, 500)
    cup.lay(2, 1000)
    cup.deal("2S", "TS", "4H")
    cup.ok("disqualify", DIRECTOR, player="P2", reason="breach of terms")
    assert cup.entrant("P2").plays
    cup.ok("void_player", player="P2")
    refused = cup.answer("void_player", "rule", DIRECTOR)
    assert refused is not None
    assert (refused.code, refused.clauses) == ("rank_too_low", ("11.2.1",))
    assert cup.answer("void_player", "stand", person("AM")) is None
    cup.settle()
    assert cup.results()["main 2 P2"].pays == 100_000
    assert cup.banks["P2"] == 0
    assert [row["units"] for row in cup.noted("ledger") if row["kind"] == "removed"] == [-9000]
    assert 2 not in cup.game.state.players.at_box


@clause("10.4.8(d)(i)")
def test_tw_17_what_looks_settled_is_not_because_the_tie_pays_ten_to_one() -> None:
    no_markers = (', rebuy = { each = 1, units = 10000, at = "below_compulsory" }', "")
    cup = begun(3, no_markers, P1=40000, P2=30000, P3=9000)
    cup.table.session.state.scored = 19
    refused = cup.refused("end_certain", DIRECTOR)
    assert refused.clauses == ("10.4.8(d)(i)",)
    assert "P3 can reach 67,000; P2 can fall to 20,000" in refused.text
    cup.table.session.book_units("P3", "agreed", -8000)
    assert cup.refused("end_certain", person("AM")).code == "no_director"
    cup.ok("end_certain", DIRECTOR)
    assert cup.phase == "counting"
    assert cup.noted("certain")[-1]["why"] == "P3 can reach 11,000; P2 cannot fall below 20,000"


@clause("10.4.8(d)(ii)", "10.4.3(c)")
def test_tw_18_chips_to_cash_all_must_say_yes() -> None:
    cup = begun(4, CASH)
    refused = cup.refused("end_agreed", DIRECTOR, yes=["P1", "P2", "P3"])
    assert (refused.clauses, "P4 has not agreed" in refused.text) == (("10.4.8(d)(ii)",), True)
    cup.ok("end_agreed", DIRECTOR, yes=["P1", "P2", "P3", "P4"])
    assert cup.phase == "counting"
    agreed = cup.noted("agreed_to_end")[-1]
    assert (agreed["agreed"], len(agreed["banks"])) == (["P1", "P2", "P3", "P4"], 4)
    other = begun(4)
    assert "no chips into cash" in other.refused("end_agreed", DIRECTOR, yes=["P1", "P2", "P3", "P4"]).text


@clause("6.4", "10.4.4(b)")
def test_tw_21_a_compulsory_wager_rises_with_the_hand_and_not_before_its_sign_has_stood() -> None:
    cup = begun(1, ('[11, 1000, "not before 14:20"]', "[11, 1000]"))
    state = cup.table.session.state
    since = state.shown_at
    state.scored = 10
    for minutes, due in ((12, 500), (17, 500), (21, 1000)):
        cup.at = since + minutes * 60_000
        cup.signs_in("TD")
        cup.begin_round()
        cup.lay(1, 1000)
        assert cup.table.session.compulsory() == (due if state.round.number else cup.table.session.compulsory())
        cup.ok("no_more_bets")
        assert state.round.compulsory == due
        cup.draw("KS")
        cup.draw("2H")
        cup.settle()
    first = cup.signs()[0]
    assert first["coming"] == [{"units": 1000, "from": 11, "not_before": first["coming"][0]["not_before"]}]
    assert cup.table.sign()["tournament"]["coming"] == []


@clause("10.2.4", "10.2.5")
def test_tw_24_a_designated_table_refuses_ordinary_play_until_it_is_released() -> None:
    cup = Cup()
    assert cup.designate() is None
    shown_ = cup.table.sign()["tournament"]
    assert (shown_["name"], shown_["words"]) == ("Spring Cup", "no other play")
    for key, args in (("open", {}), ("buy_in", {"cents": 10_000}), ("limits", {"least": 500, "most": 1000})):
        assert cup.refused(key, person("HDD"), **args).clauses == ("10.2.5",)
    assert cup.order("tournament_release") is None
    assert cup.phase == "free"
    cup.ok("open")


@clause("10.4.8(a)(iii)", "10.4.8(b)(iv)")
def test_tw_27_a_substitute_takes_over_everything_after_the_round() -> None:
    cup = begun(3, P3=8200)
    one = cup.entrant("P3")
    one.markers["pass"], one.markers["all_in"], one.warnings = 1, 0, 1
    for box in (1, 2):
        cup.lay(box, 500)
    cup.lay(3, 1000)
    cup.deal("KS", "QS", "2S", "9H")
    assert cup.refused("substitute", person("AM"), player="P3", substitute="P9").code == "no_director"
    cup.ok("substitute", DIRECTOR, player="P3", substitute="P9")
    assert cup.entrant("P3").plays
    cup.settle()
    new = cup.entrant("P9")
    assert (cup.banks["P9"], cup.banks["P3"], cup.entrant("P3").standing) == (7200, 0, "replaced")
    assert (new.markers["pass"], new.markers["all_in"], new.warnings, new.seat) == (1, 0, 1, 3)
    assert cup.game.state.players.at_box[3] == "P9"


@clause("10.2.3(a)", "10.4.8(h)", "10.4.8(a)(i)")
def test_tw_29_a_deputy_decides_in_the_directors_place_and_a_higher_rank_does_not() -> None:
    cup = begun(1)
    cup.signs_out("TD")
    cup.signs_in("DEP")
    cup.ok("dispute_event", about="was my Pass marker already used?")
    refused = cup.answer("tournament_dispute", "decided", person("ACM"), decision="no")
    assert refused is not None
    assert refused.code == "no_director"
    assert cup.answer("tournament_dispute", "decided", DEPUTY, decision="used in round 4") is None
    assert cup.noted("dispute")[-1]["told_of_inspector"]
    assert cup.noted("designee")[-1]["of"] == "TD"
    cup.ok("penalty", DEPUTY, player="P1", penalty="lose_1000")
    refused = cup.refused("dispute", DEPUTY, text="was my card read right?", decision="read right")
    assert refused.clauses == ("11.10",)
    cup.ok("dispute", person("AM"), text="was my card read right?", decision="read right")
    assert cup.banks["P1"] == 9000


@clause("10.4.3(a)(i)", "10.4.6(a)")
def test_tw_16_a_void_round_is_none_of_the_session_and_the_end_is_counted_and_agreed() -> None:
    cup = begun(2, ("rounds = 20", "rounds = 2"))
    cup.play({1: 500, 2: 500}, "KS", "2S", "9H")
    cup.begin_round()
    cup.ok("no_more_bets")
    cup.ok("place_bets")
    for box in (1, 2):
        cup.lay(box, 500)
    cup.ok("no_more_bets")
    cup.draw("KS")
    cup.ok("void_round", person("AM"))
    assert (cup.scored, cup.table.session.state.dealt, cup.phase) == (1, 2, "playing")
    cup.play({1: 500, 2: 500}, "KS", "2S", "9H")
    assert (cup.scored, cup.phase) == (2, "counting")
    assert cup.refused("place_bets").code == "session_over"
    cup.ok("count_bank", player="P1", units=11000)
    cup.ok("count_bank", player="P2", units=8900)
    assert cup.phase == "counted"
    assert any("P2: 8,900 counted, 9,000 by the ledger" in text for text in cup.alarms())
    assert cup.refused("agree_counts", person("AM")).code == "no_director"
    assert cup.refused("agree_counts", DIRECTOR).code == "reason_needed"
    cup.ok("agree_counts", DIRECTOR, reason="a chip of 100 was lost")
    assert cup.phase == "waiting"
    assert cup.noted("agreed")[-1]["banks"] == {"P1": 11000, "P2": 8900}
    assert not any(isinstance(one, Announced) and one.code == "closing" for one in cup.told)
    moves = [(one.source, one.dest) for one in cup.told if isinstance(one, Moved) and one.machine == "tournament"]
    assert moves[-3:] == [("playing", "counting"), ("counting", "counted"), ("counted", "waiting")]


@clause("10.4.3(a)(i)", "10.2.3")
def test_tw_23_without_the_hall_a_table_plays_its_session_to_the_end_and_its_rows_say_it_again() -> None:
    cup = begun(2, ("rounds = 20", "rounds = 6"))
    for suit in "SH":
        cup.play({1: 500, 2: 500}, f"K{suit}", f"2{suit}", f"9{suit}")
    rows = len(cup.rows)
    cup.later(29)
    cup.signs_in("TD")
    for suit in "DCSH":
        cup.play({1: 500, 2: 500}, f"Q{suit}", f"3{suit}", f"8{suit}")
    assert not any(isinstance(event, FloorOrder) for _, event, _ in cup.rows[rows:])
    for number in ("P1", "P2"):
        cup.ok("count_bank", player=number, units=cup.banks[number])
    cup.ok("agree_counts", DIRECTOR)
    assert (cup.phase, cup.scored, cup.banks) == ("waiting", 6, {"P1": 13000, "P2": 7000})
    alone = GuardedTable(cup.config)
    for at, event, effects in cup.rows:
        assert alone.apply(at, event) == effects
    assert alone.table.save() == cup.table.save()
