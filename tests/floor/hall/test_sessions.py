"""Seats, progression, ties and ways back, by the chapters that have them."""

from __future__ import annotations

from floor.hall import acts
from tests.floor.hall.halls import DESK, ENTROPY, TD, AtHall, chapters, cites, hall_of

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
