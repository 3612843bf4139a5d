"""A real table and the hall: its rows are heard as the journal holds them, and the hall's orders are what it takes."""

from __future__ import annotations

from controller.journal import row as record
from controller.journal.chain import Row
from floor.hall import acts
from floor.hall.link import said_in
from floor.hall.state import Answer
from tests.controller.tournament.cup import DIRECTOR, Cup
from tests.floor.hall.halls import ENTROPY, ONE_SESSION, AtHall

THREE = ("P1", "P2", "P3")


class Together:
    """One table under one hall, each order carried and each row heard."""

    def __init__(self) -> None:
        seats = ('name = "final"', 'name = "final"\nseats = 3')
        self.at = AtHall("war", *ONE_SESSION, ("[4, 9]", "[3, 3]"), seats)
        self.at.entering(*THREE)
        self.cup = Cup(self.at.hall.terms)
        self.heard = 0

    def do(self, act: acts.Act) -> Answer:
        answer = self.at.do(act)
        assert answer.ok, answer.said()
        for order in answer.orders:
            assert self.cup.order(order.kind, **order.args) is None, order.kind
        self.hear()
        return answer

    def hear(self) -> None:
        """Everything the table has written since, row by row as its journal would hold it."""
        for seq, (at, event, effects) in enumerate(self.cup.rows, 1):
            if seq > self.heard:
                body = record.encode(record.Record(event, effects, form=record.FORM))
                for said in said_in("CW-1", "tablectl/cw-1/real", Row(seq, at, body, b"")):
                    assert self.at.hall.hear(said, max(at, self.at.at)).ok
        self.heard = len(self.cup.rows)


def test_a_session_of_a_real_table_is_designated_seated_played_and_counted_by_the_hall() -> None:
    both = Together()
    both.do(acts.CloseEntries())
    both.do(acts.Designate())
    assert both.at.hall.table("CW-1").designated
    both.do(acts.Draw(ENTROPY))
    both.at.at = max(both.at.hall.terms.starts, both.at.at)
    both.do(acts.Brief())
    both.do(acts.StartSession())
    cup, hall = both.cup, both.at.hall
    assert {one.number: one.seat for one in cup.table.session.state.playing()} == {
        number: seat.seat for number, seat in hall.session.seats.items()
    }
    cup.opened()
    cup.signs_in("TD")
    cup.ok("briefed", DIRECTOR)
    for number in THREE:
        cup.ok("count_bank", player=number, units=10000)
    cup.ok("begin_session", DIRECTOR)
    cup.play({1: 500, 2: 1000, 3: 500}, "9C", "KD", "4S", "8H")
    both.hear()
    assert hall.table("CW-1").begun
    assert hall.table("CW-1").scored == 1
    assert {number: hall.entrant(number).bank for number in THREE} == cup.banks
    assert sorted(cup.banks.values()) != [10000] * 3
    assert hall.state.alarms == {}


def test_an_order_that_the_table_refuses_is_told_at_the_hall() -> None:
    both = Together()
    both.do(acts.CloseEntries())
    both.do(acts.Designate())
    refused = both.cup.order("tournament_designate", payload="{}")
    assert refused is not None
    both.hear()
    assert list(both.at.hall.state.alarms.values()) == [f"CW-1 refused: {refused.text}"]
