"""The worked cases of the hall, by their ids."""

from __future__ import annotations

import json

import pytest

from floor.hall import acts, field, moves, outcome
from floor.hall.acts import Enter
from tests.floor.hall.halls import AM, COO, DESK, ENTROPY, HDD, ONE_SESSION, TD, AtHall

SIX = ("P1", "P2", "P3", "P4", "P5", "P6")


def test_tw_02_no_entry_before_the_terms_are_out_and_the_inspectorate_is_told() -> None:
    at = AtHall().approved()
    at.answers.clear()
    at.do(Enter("P1"), DESK, "10:00")
    at.do(acts.TermsAvailable("desk and web page"), at="10:05")
    at.do(Enter("P1"), DESK, "10:06")
    at.do(acts.InspectorateTold("inspector on duty"), at="10:10")
    at.do(acts.OpenEntries(), at="10:10:30")
    at.do(Enter("P1"), DESK, "10:11")
    assert [answer.clauses for answer in at.answers] == [("10.2.2(a)", "10.2.2(b)"), (), ("10.2.2(b)",), (), (), ()]
    assert [answer.ok for answer in at.answers] == [False, True, False, True, True, True]
    assert len(at.hall.state.field) == 1


def test_tw_19_staff_enter_with_approval_and_when_they_win_everybody_eligible_moves_up() -> None:
    charity = (
        ('event = "ordinary"', 'event = "charity"'),
        ("entry_is_acceptance", "staff_entrants = true\nentry_is_acceptance"),
    )
    at = AtHall("war", *charity).entering("P2", "P3", "P4", "P5", "P6")
    refused = at.do(Enter("E1", employee=True, signed=True), DESK)
    assert (refused.ok, refused.clauses) == (False, ("10.4.2(a)(v)",))
    assert refused.text == "E1 enters without executive approval."
    at.must(acts.ApproveEntrant("E1"), by=COO)
    at.must(Enter("E1", employee=True, signed=True), by=DESK)
    final(at, {"E1": 30000, "P2": 20000, "P3": 15000, "P4": 12000, "P5": 9000, "P6": 100})
    assert {number: cents // 100 for number, cents in at.hall.state.prizes.items()} == {
        "P2": 5000,
        "P3": 3000,
        "P4": 2000,
    }
    assert {number: at.hall.state.places[number] for number in ("E1", "P2", "P3", "P4")} == {
        "E1": 1,
        "P2": 2,
        "P3": 3,
        "P4": 4,
    }


def final(at: AtHall, banks: dict[str, int]) -> None:
    """Whoever has entered plays through all sessions and ends with these banks, prizes listed."""
    at.must(acts.CloseEntries(), acts.Designate())
    for name in {name for session in at.hall.terms.sessions for name in session.tables}:
        at.tell(name, "designated")
    for session in at.hall.terms.sessions:
        at.must(acts.Draw(ENTROPY))
        at.at = max(at.at, at.hall.terms.starts)
        at.must(acts.Brief(), acts.StartSession())
        at.begun()
        at.counts({number: banks[number] for number in at.hall.session.seats})
        if not session.through.winner:
            at.must(acts.ConfirmThrough())
    at.must(acts.FinalOrder(), acts.ListPrizes())


def test_tw_20_prizes_in_whole_dollars_the_odd_one_to_the_first_and_equal_banks_share() -> None:
    share = ('ties = { how = "play_off", rounds = 3 }', 'ties = "share"')
    pool = ("pool = 10000", "pool = 1001")
    at = AtHall("war", *ONE_SESSION, share, pool).entering("P1", "P2", "P3", "P4")
    final(at, {"P1": 20000, "P2": 12000, "P3": 12000, "P4": 300})
    assert {number: cents // 100 for number, cents in at.hall.state.prizes.items()} == {"P1": 501, "P2": 250, "P3": 250}
    assert sum(at.hall.state.prizes.values()) == 100_100


def test_tb_07_a_start_is_moved_by_the_director_and_held_until_the_regulator_is_told() -> None:
    at = AtHall("wheel", day="2026-11-21T").entering("P1", "P2", "P3", "P4")
    to = acts.MoveStart("2026-11-21T14:30+11:00", "announcement")
    at.answers.clear()
    at.do(to, AM, "13:38")
    at.do(to, TD, "13:40")
    assert "held until the regulator is told" in at.answers[-1].said()
    assert at.do(acts.CloseEntries()).ok
    at.do(acts.RegulatorTold(), TD, "13:45")
    assert at.answers[0].said() == "refused 8.4.1(b): AM is not the Director."
    assert at.answers[1].ok
    assert at.answers[-1].ok
    (moved,) = at.hall.state.moved
    assert (moved.was[11:16], moved.now[11:16], moved.told) == ("14:00", "14:30", "announcement")
    assert moved.regulator_at - moved.told_at == 5 * 60_000


def test_tp_03_two_out_in_one_hand_the_larger_stack_at_its_start_takes_the_better_place() -> None:
    at = AtHall("poker", ("entrants = [9, 27]", "entrants = [8, 27]"), day="2026-12-05T").running(
        *(f"P{n}" for n in range(1, 9))
    )
    assert len(at.hall.state.left) == 8
    table = at.hall.entrant("P3").table
    for number, before in (("P3", 4000), ("P5", 2500)):
        at.tell(table, "eliminated", entrant=number, began=at.at - 90_000, before=before, scored=40)
    places = outcome.standing(at.hall)
    assert (places["P3"], places["P5"], len(at.hall.state.left)) == (7, 8, 6)


def test_tp_09_all_stacks_of_all_tables_add_up_or_the_hall_says_where_to_look() -> None:
    entrants = [f"P{n}" for n in range(1, 25)]
    at = AtHall("poker", day="2026-12-05T").running(*entrants)
    bought = [one.number for one in at.hall.state.left][:3]
    for number in bought:
        at.tell(at.hall.entrant(number).table, "ledger", entrant=number, kind="rebuy", units=10000, bank=20000)
    out = entrants[-1]
    at.tell(at.hall.entrant(out).table, "ledger", entrant=out, kind="result", units=-1800, bank=8200)
    other = next(
        one.number
        for one in at.hall.state.left
        if one.table == at.hall.entrant(out).table and one.number not in (out, *bought)
    )
    at.tell(at.hall.entrant(other).table, "ledger", entrant=other, kind="result", units=1800, bank=11800)
    at.tell(at.hall.entrant(out).table, "ledger", entrant=out, kind="removed", units=-8200, bank=0)
    assert field.units_expected(at.hall) == field.units_found(at.hall) == 261_800
    tables = {name: table.ledger for name, table in at.hall.state.tables.items()}
    for name, units in tables.items():
        at.tell(name, "table_counted", units=units - (100 if name == "PK-3" else 0))
    assert at.hall.state.alarms == {"count:PK-3": "100 units missing since the last agreed count of PK-3"}
    assert at.hall.state.phase == "running"
    at.tell("PK-3", "table_counted", units=tables["PK-3"])
    assert at.hall.state.alarms == {}


def test_tp_11_three_left_share_the_prizes_only_as_the_terms_provide() -> None:
    deal = acts.Deal({"P1": 200_000, "P2": 150_000, "P3": 150_000}, ("P1", "P2", "P3"))
    pool = ('pool = "buy_ins"', "pool = 5000")
    for provided in (False, True):
        own = ('odd = "first" }', 'odd = "first", deal = "all_agree" }') if provided else ("", "")
        least = ("entrants = [9, 27]", "entrants = [3, 27]")
        at = AtHall("poker", pool, least, own, day="2026-12-05T").running("P1", "P2", "P3")
        answer = at.do(deal)
        if provided:
            assert answer.said() == "ok, with 3 consents"
            assert at.hall.state.phase == "running"
            short = at.do(acts.Deal(deal.cents, ("P1", "P2")))
            assert short.text == "P3 did not agree."
        else:
            assert answer.said() == "refused 12.4.7(b): the terms provide no deal."


def test_tw_25_where_signing_is_asked_for_an_unsigned_entrant_is_not_drawn() -> None:
    at = AtHall().entering("P3", "P4", "P5", "P6")
    at.answers.clear()
    at.do(Enter("P1", signed=True), DESK)
    at.do(Enter("P2"), DESK)
    at.do(acts.CloseEntries())
    at.do(acts.Draw(ENTROPY))
    at.do(acts.Sign("P2"), DESK, "13:20")
    at.do(acts.Draw(ENTROPY))
    assert [answer.said() for answer in at.answers] == [
        "ok", "ok, signature missing", "ok", "refused 10.4.2(b)(iii): P2 has not signed.", "ok", "ok",
    ]  # fmt: skip


def test_tw_26_withdrawal_gives_the_money_back_within_the_free_period_and_none_after_it() -> None:
    at = AtHall("war", ("2026-11-27T18:00+11:00", "2026-11-28T12:00+11:00")).entering("P1", "P2")
    first, second = at.do(acts.Withdraw("P1"), DESK, "11:40"), at.do(acts.Withdraw("P2"), DESK, "12:10")
    assert (first.said(), second.said()) == ("ok, $50 due", "ok, nothing due")
    assert {number: cents // 100 for number, cents in at.hall.state.refunds.items()} == {"P1": 50, "P2": 0}
    assert {at.hall.entrant(number).phase for number in ("P1", "P2")} == {"withdrawn"}


def test_tw_28_chips_become_cash_at_the_stated_rate_counted_before_they_are_paid() -> None:
    cash = ('disposition = "handed_in"', "disposition = { units = 100, dollars = 1 }")
    at = AtHall("war", *ONE_SESSION, ("[4, 9]", "[3, 9]"), cash).running("P1", "P2", "P3")
    at.must(acts.Suspend("look"), acts.Resume())
    early = at.do(acts.ToCash())
    assert (early.ok, early.clauses) == (False, ("10.4.3(c)",))
    at.counts({"P1": 12300, "P2": 4500, "P3": 0})
    at.must(acts.ToCash())
    assert {number: cents // 100 for number, cents in at.hall.state.cash.items()} == {"P1": 123, "P2": 45, "P3": 0}
    assert sum(at.hall.state.cash.values()) == 16_800
    assert [at.hall.entrant(number).bank for number in ("P1", "P2", "P3")] == [0, 0, 0]


def test_tw_16_two_equal_banks_play_off_for_the_last_place_of_their_table() -> None:
    two = ("through = { per_table = 2 }", "through = { overall = 2 }")
    at = AtHall("war", two).running(*SIX)
    at.counts({"P1": 14500, "P2": 9800, "P3": 9800, "P4": 7000, "P5": 0, "P6": 9100})
    assert at.hall.session.order == (("P1",), ("P2", "P3"), ("P6",), ("P4",), ("P5",))
    refused = at.do(acts.ConfirmThrough())
    assert refused.said() == "refused 10.4.6(a): Equal at the line: P2, P3 for 1; break the tie first."
    assert at.do(acts.BreakTie(("P3", "P2"), "director")).clauses == ("10.4.6(a)",)
    at.must(acts.BreakTie(("P3", "P2"), "play_off"), acts.ConfirmThrough())
    assert at.hall.session.through == ("P1", "P3")


@pytest.mark.parametrize("again", [[(97, 118), (118, 142)], [(97, 142), (97, 142)], [(97, 120), (121, 142)]])
def test_tw_23_rows_that_come_late_and_twice_are_counted_once_each(again) -> None:
    from floor.hall.field import TableSaid

    at = AtHall("war", *ONE_SESSION, ("[4, 9]", "[2, 9]")).running("P1", "P2")
    base = at.hall.table("CW-1").seq // 1000
    heard = []
    for first, last in again:
        for seq in range(first, last + 1):
            units = 10 if seq % 2 else -10
            number = "P1" if seq % 4 < 2 else "P2"
            row = TableSaid(
                "CW-1",
                "CW-1-journal",
                base + seq,
                at.at,
                "ledger",
                {"entrant": number, "kind": "result", "units": units},
            )
            if at.hall.hear(row, at.at).ok:
                heard.append(seq)
    assert heard == list(range(97, 143))


def test_who_went_at_two_tables_at_once_is_put_to_the_director_only_where_a_prize_depends_on_it() -> None:
    at = AtHall("poker", ("entrants = [9, 27]", "entrants = [6, 27]"), day="2026-12-05T").running(*SIX)
    left = {
        table: sorted(one.number for one in at.hall.state.left if one.table == table)
        for table in ("PK-1", "PK-2", "PK-3")
    }
    first, second = left["PK-1"][0], left["PK-2"][0]
    for table, number in (("PK-1", first), ("PK-2", second)):
        at.tell(table, "eliminated", entrant=number, began=at.at - 90_000, before=4000, round=3)
    assert at.hall.state.alarms == {}
    assert {outcome.standing(at.hall)[number] for number in (first, second)} == {5}
    at.at += 600_000
    third, fourth = left["PK-3"][0], left["PK-1"][1]
    for table, number in (("PK-3", third), ("PK-1", fourth)):
        at.tell(table, "eliminated", entrant=number, began=at.at - 90_000, before=4000, round=9)
    assert len(at.hall.state.alarms) == 1
    assert at.do(acts.DecideOrder((first, second))).clauses == ("12.4.5(a)",)
    at.must(acts.DecideOrder((fourth, third)))
    assert at.hall.state.alarms == {}
    assert (outcome.standing(at.hall)[fourth], outcome.standing(at.hall)[third]) == (3, 4)


def test_looking_at_the_hall_changes_nothing_of_it() -> None:
    import copy

    from floor.hall.view import view

    at = AtHall("poker", ("entrants = [9, 27]", "entrants = [6, 27]"), day="2026-12-05T").running(*SIX)
    before = copy.deepcopy(at.hall.state)
    view(at.hall, at.at, {}, TD)
    assert at.hall.state == before


def test_an_elimination_that_was_wrong_is_taken_back_and_places_follow() -> None:
    at = AtHall("poker", ("entrants = [9, 27]", "entrants = [6, 27]"), day="2026-12-05T").running(*SIX)
    out = at.hall.entrant("P1")
    at.tell(out.table, "eliminated", entrant="P1", began=at.at, before=100, round=3)
    assert (out.phase, len(at.hall.state.left)) == ("eliminated", 5)
    at.must(acts.UndoOut("P1"))
    assert (out.phase, len(at.hall.state.left), at.hall.state.outs) == ("playing", 6, {})
    assert [order.kind for order in at.answers[-1].orders] == ["tournament_not_out"]


def moved(at: AtHall, read: int):
    one = at.hall.entrant("P1")
    to = next(name for name in ("PK-1", "PK-2", "PK-3") if name != one.table)
    seat = moves.free_seat(at.hall, to)
    at.must(acts.Move("P1", to, seat), by=HDD)
    origin = one.table
    at.tell(origin, "ledger", entrant="P1", kind="moved_out", units=-10000, bank=0)
    told = at.tell(origin, "released", ticket=1, entrant="P1", stack=10000, markers={"pass": 1}, used={"rebought": 1})
    assert [(order.table, order.kind) for order in told.orders] == [(to, "tournament_move_in")]
    assert (at.hall.state.in_transit, one.phase) == (10000, "in_transit")
    assert field.units_found(at.hall) == field.units_expected(at.hall)
    at.tell(to, "arrived", ticket=1, entrant="P1", counted=read)
    return one, (to, seat), origin


def test_tp_06_a_player_is_moved_with_a_ticket_ordered_by_hdd_and_counted_at_both_ends() -> None:
    at = AtHall("poker", ("entrants = [9, 27]", "entrants = [6, 27]"), day="2026-12-05T").running(*SIX)
    assert at.do(acts.Move("P1", "PK-2", 9), TD).text == "It takes HDD or above."
    one, (to, seat), _ = moved(at, 10000)
    at.tell(to, "ledger", entrant="P1", kind="moved_in", units=10000, bank=10000)
    assert (one.table, one.seat, one.phase, at.hall.state.in_transit) == (to, seat, "playing", 0)
    assert at.hall.state.tickets[1].phase == "accepted"
    assert field.units_found(at.hall) == field.units_expected(at.hall) == 60_000


def test_tp_07_a_count_that_differs_from_the_ticket_is_told_and_what_the_director_takes_in_is_what_counts() -> None:
    at = AtHall("poker", ("entrants = [9, 27]", "entrants = [6, 27]"), day="2026-12-05T").running(*SIX)
    one, (to, _), _ = moved(at, 9900)
    assert one.phase == "in_transit"
    assert "9,900 read at" in next(iter(at.hall.state.alarms.values()))
    at.tell(to, "ledger", entrant="P1", kind="moved_in", units=9900, bank=9900)
    assert (one.phase, one.bank, at.hall.state.in_transit, at.hall.state.alarms) == ("playing", 9900, 0, {})
    assert field.units_found(at.hall) == field.units_expected(at.hall) == 59_900


def test_who_is_sent_back_goes_where_they_came_from_with_the_stack_they_left_with() -> None:
    at = AtHall("poker", ("entrants = [9, 27]", "entrants = [6, 27]"), day="2026-12-05T").running(*SIX)
    one, (to, _), origin = moved(at, 9900)
    told = at.tell(to, "sent_back", ticket=1, entrant="P1")
    assert [(order.table, order.kind) for order in told.orders] == [(origin, "tournament_move_in")]
    payload = json.loads(told.orders[0].args["payload"])
    assert (payload["markers"], payload["used"]) == ({"pass": 1}, {"rebought": 1})
    assert told.orders[0].by == HDD
    at.tell(origin, "arrived", ticket=2, entrant="P1", counted=10000)
    at.tell(origin, "ledger", entrant="P1", kind="moved_in", units=10000, bank=10000)
    assert (one.table, one.phase, one.bank, at.hall.state.in_transit) == (origin, "playing", 10000, 0)
    assert field.units_found(at.hall) == field.units_expected(at.hall) == 60_000


def test_a_table_in_a_round_that_refuses_to_be_broken_is_told_again_after_it() -> None:
    at = AtHall("poker", ("entrants = [9, 27]", "entrants = [6, 27]"), day="2026-12-05T").running(*SIX)
    at.must(acts.BreakTable("PK-1"), by=HDD)
    (order,) = at.answers[-1].orders
    assert (order.table, order.kind) == ("PK-1", "tournament_break")
    at.tell("PK-1", "order", id="x", kind="tournament_break", refused="A round is under way.")
    assert at.hall.state.alarms == {}
    assert [one.kind for one in at.tell("PK-1", "round", round=4, scored=4).orders] == ["tournament_break"]
    at.tell("PK-1", "order", id="y", kind="tournament_break", refused="")
    assert at.tell("PK-1", "round", round=5, scored=5).orders == ()


@pytest.mark.parametrize(
    ("act", "by", "why"),
    [
        (acts.Enter("P9"), DESK, "Entries are closed."),
        (acts.Draw(ENTROPY), TD, "no second draw"),
        (acts.Withdraw("P1"), DESK, "not while the entrant is playing"),
        (acts.ListPrizes(), TD, "not while the event is running"),
        (acts.Refund("P1", 10**9, "kind"), TD, "no more can be refunded"),
        (acts.Disqualify("P1", "phone"), AM, "AM is not the Director."),
    ],
)
def test_what_comes_too_late_twice_or_from_the_wrong_person_is_refused_with_a_clause_and_changes_nothing(
    act, by, why
) -> None:
    import copy

    at = AtHall("war").running(*SIX)
    before = copy.deepcopy(at.hall.state)
    answer = at.do(act, by)
    assert why in answer.text
    assert answer.clauses
    before.seen = at.hall.state.seen
    assert at.hall.state == before


def test_a_session_does_not_start_without_a_director_a_briefing_or_designated_tables() -> None:
    at = AtHall("war").entering(*SIX)
    at.must(acts.CloseEntries(), acts.Draw(ENTROPY))
    at.at = at.hall.terms.starts
    assert at.do(acts.StartSession(), DESK).clauses == ("10.4.3(a)(i)",)
    assert at.do(acts.StartSession()).clauses == ("10.2.3",)
    at.must(acts.Seen())
    assert at.do(acts.StartSession()).clauses == ("10.3.1",)
    at.must(acts.Brief())
    assert at.do(acts.StartSession()).clauses == ("10.2.4",)


def test_below_the_least_the_event_is_short_and_can_be_extended_or_cancelled_with_refunds() -> None:
    at = AtHall("war").entering("P1", "P2")
    answer = at.do(acts.CloseEntries())
    assert at.hall.state.phase == "short"
    assert "2 of at least 6 have entered" in answer.text
    at.must(acts.Extend(), acts.CloseEntries(), acts.Cancel("too few"))
    assert at.hall.state.refunds == {"P1": 5000, "P2": 5000}
    assert at.do(acts.Release()).clauses == ("10.4.1(c)",)
    at.must(acts.RegulatorTold(), acts.Release())
    assert at.hall.state.phase == "over"


def test_tp_12_a_dispute_about_the_game_is_the_rank_s_and_one_about_the_tournament_the_directors() -> None:
    at = AtHall("poker", ("entrants = [9, 27]", "entrants = [6, 27]"), day="2026-12-05T").running(*SIX)
    at.must(acts.OpenDispute("a pot", of_the_game=True), acts.OpenDispute("a place"))
    assert at.do(acts.CloseDispute(1, "split"), TD).clauses == ("13.10",)
    assert at.do(acts.CloseDispute(2, "stands"), AM).clauses == ("12.4.8(h)",)
    at.must(acts.CloseDispute(1, "split"), by=AM)
    assert "complaint right is told" in at.do(acts.CloseDispute(2, "stands"), TD).text
