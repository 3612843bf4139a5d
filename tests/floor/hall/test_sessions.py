"""Seats, progression, ties and ways back, by the chapters that have them."""

from __future__ import annotations

import pytest

from controller.tournament.moments import moment
from floor.hall import acts
from floor.hall.clock import now_on
from tests.floor.hall.halls import AM, DAYS, DESK, ENTROPY, TD, AtHall, chapters, cites, clock, hall_of

TWO = ("P1", "P2", "P3", "P4")


def heats(game: str, *changes: tuple[str, str]) -> AtHall:
    """The first session is played, and the tables have agreed these banks."""
    return hall_of(game, *changes).running(*TWO)


def counted(at: AtHall, *banks: int) -> None:
    at.counts(dict(zip(TWO, banks, strict=True)))


OVERALL = ("through = { per_table = 2 }", "through = { overall = 2 }")


@chapters("4.3(a)(ii)", games=("war", "wheel"))
def test_the_draw_fills_the_tables_of_the_session_and_no_others(game) -> None:
    at = hall_of(game).seated(*TWO)
    assert {seat.table for seat in at.hall.session.seats.values()} <= set(at.hall.terms.sessions[0].tables)
    small = hall_of(game, field="[3, 99]")
    refused = small.do(acts.LoadTerms(small.text), TD)
    assert not refused.ok


@chapters("4.3(a)(iii)", "4.6(a)", games=("war", "wheel"))
def test_who_goes_on_follows_from_agreed_counts_and_a_tie_at_the_line_is_broken_as_the_terms_say(game) -> None:
    at = heats(game, OVERALL)
    assert at.do(acts.ConfirmThrough()).text.endswith("not while the event is running.")
    counted(at, 900, 500, 500, 100)
    refused = at.do(acts.ConfirmThrough())
    assert refused.clauses == cites(game, "4.6(a)")
    assert at.do(acts.BreakTie(("P3", "P2"), "draw_cards")).clauses == cites(game, "4.6(a)")
    assert at.do(acts.BreakTie(("P1", "P4"), "play_off")).clauses == cites(game, "4.6(a)")
    at.must(acts.BreakTie(("P3", "P2"), "play_off"), acts.ConfirmThrough())
    assert at.hall.session.through == ("P1", "P3")
    assert [at.hall.entrant(number).phase for number in TWO] == ["through", "eliminated", "through", "eliminated"]
    at.must(acts.Draw(ENTROPY))
    assert set(at.hall.session.seats) == {"P1", "P3"}


@chapters("4.3(a)(iv)", games=("war", "wheel"))
def test_the_eliminated_buy_back_only_as_the_terms_offer_it(game) -> None:
    offer = ('buy_back = "none"', 'buy_back = { times = 1, units = 1000, price = 20, until = "final drawn" }')
    at = heats(game, OVERALL, *((offer,) if game == "wheel" else ()))
    assert not at.do(acts.BuyBack("P4"), DESK).ok
    counted(at, 900, 500, 400, 100)
    assert not at.do(acts.BuyBack("P4"), DESK).ok
    at.must(acts.ConfirmThrough())
    at.must(acts.BuyBack("P4"), by=DESK)
    assert at.hall.entrant("P4").phase == "through"
    assert at.hall.entrant("P4").paid["buy_back"] > 0
    at.must(acts.Draw(ENTROPY))
    assert at.do(acts.BuyBack("P3"), DESK).clauses == cites(game, "4.3(a)(iv)")
    none = heats("wheel", OVERALL)
    counted(none, 900, 500, 400, 100)
    none.must(acts.ConfirmThrough())
    assert none.do(acts.BuyBack("P4"), DESK).text == "The terms offer no buy-back."


@chapters("4.3(a)(v)")
def test_a_repechage_is_the_directors_where_the_terms_leave_it_open_and_nobodys_where_they_offer_none(game) -> None:
    if game == "poker":
        two = ('until = "one_left"\nbank = "fresh"\nthrough = "winner"',
               'rounds = 9\nbank = "fresh"\nthrough = { overall = 2 }\n\n[[sessions]]\nname = "final"\n'
               'tables = ["PK-1"]\nuntil = "one_left"\nbank = "fresh"\nthrough = "winner"')  # fmt: skip
        more: tuple[tuple[str, str], ...] = (
            two,
            ('ties = { how = "share" }', 'ties = { how = "play_off", rounds = 3 }'),
        )
    else:
        more = (OVERALL,)
    for rule in ("none", "director"):
        at = heats(game, *more, ('repechage = "none"', f'repechage = "{rule}"'))
        counted(at, 900, 500, 400, 100)
        at.must(acts.ConfirmThrough())
        answer = at.do(acts.Repechage("P4"))
        if rule == "none":
            assert answer.clauses == cites(game, "4.3(a)(v)")
        else:
            assert answer.ok
            assert at.hall.entrant("P4").phase == "through"
            assert not at.do(acts.Repechage("P3"), DESK).ok


@pytest.mark.clause("melbourne-poker", "footnote 2 s 66(2)", "6.10")
def test_tp_02_a_level_is_not_brought_forward_by_the_director_nor_within_twenty_minutes_of_the_sign() -> None:
    at = AtHall("poker", ("level_minutes = 20", "level_minutes = 15"), ("[9, 27]", "[3, 9]"), day=DAYS["poker"])
    at.running("P1", "P2", "P3")
    at.at = clock("14:05", DAYS["poker"])
    day = DAYS["poker"]
    early, fair = (acts.BringForward(3, f"{day}{to}+11:00") for to in ("14:22", "14:25"))
    assert at.do(early, TD).clauses == ("footnote 2 s 66(2)",)
    assert "17 minutes" in at.do(early, AM).text
    refused = at.do(fair, TD)
    assert refused.said() == "refused 6.10: It takes AM, and three hands' notice."
    assert not at.do(acts.BringForward(9, f"{day}14:40+11:00"), AM).ok
    _, coming = now_on(at.hall, at.at)
    assert [(one.level, one.begins) for one in coming[:3]] == [
        (2, clock("14:15", day)), (3, clock("14:30", day)), (0, clock("14:45", day)),
    ]  # fmt: skip
    taken = at.do(fair, AM)
    assert taken.ok, taken.said()
    assert [one.kind for one in taken.orders] == ["tournament_level"] * 3
    _, coming = now_on(at.hall, at.at)
    assert [(one.level, one.begins) for one in coming[:3]] == [
        (2, clock("14:15", day)), (3, clock("14:25", day)), (0, clock("14:40", day)),
    ]  # fmt: skip


def test_all_tables_go_by_the_first_that_began_and_stand_as_long_as_the_halls_clock() -> None:
    day = DAYS["poker"]
    at = AtHall("poker", ("[9, 27]", "[6, 27]"), day=day)
    at.seated(*(f"P{number}" for number in range(1, 13)))
    at.at = clock("14:00", day)
    at.must(acts.Brief(), acts.StartSession())
    at.at = clock("14:03", day)
    told = at.tell("PK-1", "begun", session="event")
    assert [(one.table, one.kind) for one in told.orders] == [
        ("PK-2", "tournament_clock"),
        ("PK-3", "tournament_clock"),
    ]
    assert at.tell("PK-2", "begun", session="event").orders == ()
    on, coming = now_on(at.hall, at.at)
    assert on is not None
    assert (on.begins, coming[0].begins) == (clock("14:03", day), clock("14:23", day))
    at.must(acts.Pause())
    at.at = clock("14:09", day)
    gone_on = at.do(acts.GoOn())
    assert {one.args["payload"] for one in gone_on.orders} == {'{"ms":360000}'}
    assert now_on(at.hall, at.at)[1][0].begins == clock("14:29", day)


def test_hand_for_hand_the_next_hand_begins_everywhere_once_every_table_that_deals_is_done() -> None:
    at = AtHall("poker", ("[9, 27]", "[6, 27]"), day=DAYS["poker"])
    at.running(*(f"P{number}" for number in range(1, 13)))
    begun = at.do(acts.HandForHand())
    assert [one.table for one in begun.orders] == ["PK-1", "PK-2", "PK-3"]
    assert at.tell("PK-1", "hand_for_hand", on=True, waits=True).orders == ()
    assert at.tell("PK-2", "round", round=4, scored=4).orders == ()
    let = at.tell("PK-3", "round", round=7, scored=7)
    assert {(one.table, one.kind) for one in let.orders} == {
        (name, "tournament_next_hand") for name in ("PK-1", "PK-2", "PK-3")
    }
    assert at.tell("PK-3", "round", round=8, scored=8).orders == ()
    assert len(at.do(acts.NextHand()).orders) == 3
    at.must(acts.HandForHand(on=False))
    assert not at.do(acts.NextHand()).ok
    assert not at.do(acts.HandForHand(on=False)).ok


@chapters("4.8(b)(vi)")
def test_who_leaves_between_draw_and_start_gives_the_seat_free_and_the_rest_begin(game) -> None:
    at = hall_of(game).seated(*TWO)
    at.must(acts.Retire("P1"), acts.Disqualify("P2", "breach of terms"))
    assert set(at.hall.session.seats) == {"P3", "P4"}
    at.at = max(at.at, moment(at.hall.state.starts))
    at.must(acts.Brief(), acts.StartSession())
    assert [at.hall.entrant(number).phase for number in TWO] == ["retired", "disqualified", "playing", "playing"]


@chapters("4.3(a)(iii)", games=("war", "wheel"))
def test_where_everybody_left_between_draw_and_start_there_is_no_session_of_nobody(game) -> None:
    at = hall_of(game).seated(*TWO)
    at.must(*(acts.Retire(number) for number in TWO))
    at.at = max(at.at, moment(at.hall.state.starts))
    at.must(acts.Brief())
    assert at.do(acts.StartSession()).clauses == cites(game, "4.3(a)(iii)")
    at.must(acts.Cancel("nobody is left"))


@chapters("4.5(a)", "4.8(d)(i)", games=("war", "wheel"))
def test_when_nobody_goes_on_the_order_of_going_is_the_final_one(game) -> None:
    at = heats(game)
    for number, bank in zip(TWO, (400, 300, 200, 100), strict=True):
        at.tell(at.hall.session.seats[number].table, "eliminated", entrant=number, bank=bank, scored=bank, before=bank)
    for table in {seat.table for seat in at.hall.session.seats.values()}:
        at.tell(table, "agreed", banks={})
    at.must(acts.ConfirmThrough())
    assert at.do(acts.Draw(ENTROPY)).clauses == cites(game, "4.3(a)(iii)")
    at.must(*(acts.DecideOrder(tuple(code.removeprefix("order:").split("+")))
              for code in list(at.hall.state.alarms) if code.startswith("order:")))  # fmt: skip
    at.must(acts.FinalOrder(), acts.ListPrizes(), acts.Release())
    assert sorted(at.hall.state.places.values()) == [1, 2, 3, 4]


@chapters("4.8(d)(i)", "4.6(a)", games=("war", "wheel"))
def test_one_who_is_left_for_the_final_has_won_without_playing_it(game) -> None:
    at = heats(game, OVERALL)
    counted(at, 900, 500, 400, 100)
    assert not at.do(acts.FinalOrder()).ok
    at.must(acts.ConfirmThrough(), acts.Draw(ENTROPY), acts.Retire("P1"))
    assert not at.do(acts.Cancel("too few")).ok, "heats were played"
    at.must(acts.FinalOrder())
    assert at.hall.state.places["P2"] == 1
