"""The final order, the pool and the prizes, by each of the three chapters."""

from __future__ import annotations

from floor.hall import acts
from tests.floor.hall.halls import ACM, DESK, ENTROPY, chapters, cites, hall_of

FIELD = ("P1", "P2", "P3")


def ended(game: str, *changes: tuple[str, str], banks: tuple[int, int, int] = (900, 500, 100)):
    """Whoever is in plays every session with these banks at its end."""
    at = hall_of(game, *changes).running(*FIELD)
    while True:
        stay = {number: units for number, units in zip(FIELD, banks, strict=True) if number in at.hall.session.seats}
        at.counts(stay)
        if at.hall.session_terms.through.winner:
            return at
        at.must(acts.ConfirmThrough(), acts.Draw(ENTROPY), acts.Brief(), acts.StartSession())
        at.begun()


ALL = ("through = { per_table = 2 }", "through = { overall = 3 }")


@chapters("4.6(a)", "4.7(a)", "4.7(b)")
def test_prizes_are_listed_once_the_order_stands_and_their_sum_is_the_pool(game) -> None:
    at = ended(game, *((ALL,) if game != "poker" else ()))
    assert at.do(acts.ListPrizes()).ok is False
    at.must(acts.FinalOrder())
    assert [at.hall.state.places[number] for number in FIELD] == [1, 2, 3]
    at.must(acts.Hold("P2", "inquiry"), by=ACM)
    assert at.do(acts.ListPrizes()).clauses == cites(game, "4.7(b)")
    at.must(acts.LetGo("P2"), by=ACM)
    at.must(acts.ListPrizes())
    pool = {"war": 1_000_000, "wheel": 500_000, "poker": 3 * 20_000}[game]
    assert sum(at.hall.state.prizes.values()) == at.hall.state.pool == pool
    assert at.hall.state.prizes["P1"] == pool * {"war": 50, "wheel": 60, "poker": 50}[game] // 100


@chapters("4.6(a)")
def test_no_order_is_final_while_a_tie_is_open_that_a_prize_depends_on(game) -> None:
    tie = ('ties = { how = "share" }', 'ties = { how = "draw_cards" }') if game == "poker" else ALL
    at = ended(game, tie, banks=(900, 500, 500))
    assert at.do(acts.FinalOrder()).clauses == cites(game, "4.6(a)")
    at.must(acts.BreakTie(("P3", "P2"), "draw_cards" if game == "poker" else "play_off"), acts.FinalOrder())
    assert [at.hall.state.places[number] for number in FIELD] == [1, 3, 2]


def test_a_re_buy_is_paid_for_with_nothing_left_and_within_its_window() -> None:
    at = hall_of("poker").running(*FIELD)
    one = at.hall.entrant("P1")
    at.tell(one.table, "ledger", entrant="P1", kind="result", units=-10000, bank=0)
    assert at.do(acts.Rebuy("P2"), DESK).text == "P2 still has 10,000."
    at.must(acts.Rebuy("P1"), by=DESK)
    assert one.paid == {"entry_fee": 2000, "buy_in": 20000, "rebuy": 20000}
    at.at += 75 * 60_000
    assert at.do(acts.Rebuy("P1"), DESK).clauses == ("12.4.3(a)(iv)",)
