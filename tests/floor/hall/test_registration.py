"""Entries, fees, withdrawals, substitutes and refunds, by each of the three chapters."""

from __future__ import annotations

from floor.hall import acts
from floor.hall.acts import Enter
from tests.floor.hall.halls import COO, DESK, ENTROPY, chapters, cites, hall_of

STAFF = (
    ("entry_is_acceptance", "staff_entrants = true\nentry_is_acceptance"),
    ("starts = ", 'event = "charity"\nstarts = '),
)


@chapters("4.1(a)(iii)")
def test_no_more_enter_than_the_most_and_fewer_than_the_least_are_not_drawn(game) -> None:
    at = hall_of(game, field="[3, 4]").entering("P1", "P2")
    at.must(acts.CloseEntries())
    assert at.hall.state.phase == "short"
    assert not at.do(acts.Draw(ENTROPY)).ok
    at.must(acts.Extend())
    at.must(Enter("P3"), Enter("P4"), by=DESK)
    assert at.do(Enter("P5"), DESK).clauses == cites(game, "4.1(a)(iii)")
    assert at.do(Enter("P4"), DESK).text == "P4 has entered already."


def test_with_a_waiting_list_the_first_of_it_moves_up_when_somebody_leaves() -> None:
    at = hall_of("war", ("signed = true", "signed = true\nwaiting_list = true"), field="[3, 4]").entering(
        "P1", "P2", "P3", "P4"
    )
    assert at.do(Enter("P5"), DESK).said() == "ok, on the waiting list"
    assert at.hall.entrant("P5").paid_in_all == 0
    at.must(acts.Withdraw("P2"), by=DESK)
    assert (at.hall.entrant("P5").phase, at.hall.entrant("P5").paid_in_all) == ("entered", 5000)


@chapters("4.2(a)(v)")
def test_staff_enter_only_a_charitable_event_with_an_executives_approval_and_win_no_prize(game) -> None:
    ordinary = hall_of(game).entering("P1", "P2", "P3")
    assert ordinary.do(Enter("E1", employee=True, signed=True), DESK).clauses == cites(game, "4.2(a)(v)")
    event = (('event = "ordinary"           ', "# was: "), *STAFF) if game == "war" else STAFF
    at = hall_of(game, *event).entering("P1", "P2", "P3")
    assert at.do(Enter("E1", employee=True, signed=True), DESK).text == "E1 enters without executive approval."
    assert not at.do(acts.ApproveEntrant("E1"), DESK).ok
    at.must(acts.ApproveEntrant("E1"), by=COO)
    at.must(Enter("E1", employee=True, signed=True), by=DESK)
    assert at.hall.barred() == {"E1"}


@chapters("4.2(b)(iii)", games=("wheel", "poker"))
def test_where_signing_is_asked_for_nobody_unsigned_gets_a_seat(game) -> None:
    at = hall_of(game, ("withdraw = ", "signed = true\nwithdraw = ")).entering("P1", "P2")
    at.must(Enter("P3"), by=DESK)
    at.must(acts.CloseEntries())
    assert at.do(acts.Draw(ENTROPY)).clauses == cites(game, "4.2(b)(iii)")
    at.must(acts.Sign("P3"), by=DESK)
    at.must(acts.Draw(ENTROPY))


@chapters("4.8(a)(iv)")
def test_a_refund_is_on_record_with_its_reason_and_never_more_than_was_paid(game) -> None:
    at = hall_of(game).entering("P1", "P2", "P3")
    paid = at.hall.entrant("P1").paid_in_all
    assert paid > 0
    assert at.do(acts.Refund("P1", paid + 1, "ill")).clauses == cites(game, "4.8(a)(iv)")
    assert not at.do(acts.Refund("P1", paid, "ill"), DESK).ok
    at.must(acts.Refund("P1", paid, "ill"))
    assert "ill" in at.answers[-1].notes[0].text
    assert at.do(acts.Refund("P1", 1, "ill")).clauses == cites(game, "4.8(a)(iv)")


@chapters("4.8(b)(iv)")
def test_a_substitute_before_the_draw_takes_over_fee_and_place(game) -> None:
    at = hall_of(game).entering("P1", "P2", "P3")
    at.must(acts.Substitute("P1", "S1", signed=True), by=DESK)
    assert (at.hall.entrant("P1").phase, at.hall.entrant("S1").phase) == ("replaced", "entered")
    assert at.hall.entrant("S1").paid_in_all > at.hall.entrant("P1").paid_in_all == 0
    assert at.do(acts.Substitute("P2", "S1"), DESK).clauses == cites(game, "4.2(d)")
    at.must(acts.CloseEntries(), acts.Draw(ENTROPY))
    assert at.do(acts.Substitute("P2", "S2"), DESK).text == "A substitute can no longer be named."
