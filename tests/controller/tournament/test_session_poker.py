"""Worked cases of a Crown Poker tournament at one table; each is named by its id."""

from __future__ import annotations

import msgspec

from controller.config.types import TableConfig, TournamentSection
from controller.core.effects import Noted
from controller.core.events import SignedIn, SignedOut
from controller.games.poker.config import RakeSection
from controller.people import Person
from controller.tournament.moves import Breaking, Coming, Ticketed
from controller.tournament.state import Roster, Seated
from tests.controller.games.poker.play import told as poker_told
from tests.controller.tournament.cup import DEALER, DEPUTY, DIRECTOR
from tests.controller.tournament.poker_night import MINUTE, PokerNight, begun, clause

NO_REBUY = (
    ('rebuy = { units = 10000, until_level = 3, when = "stack_zero" }', 'rebuy = "none"'),
    ("rebuy = 200", 'rebuy = "none"'),
)


@clause("12.4.4(b)", "12.4.3(a)(i)")
def test_tp_01_a_level_begins_with_the_next_hand_and_not_inside_one() -> None:
    night = begun()
    began = night.session.state.began_at
    assert night.blinds() == (50, 100)
    night.at = began + 19 * MINUTE + 40_000
    night.start()
    night.at = began + 21 * MINUTE
    night.settle("tournament:level")
    assert night.blinds() == (50, 100)
    while night.phase == "bet1":
        night.fold(night.wanted().seats[0])
    night.finish()
    assert (night.blinds(), night.session.state.level) == ((100, 200), 2)
    night.start()
    assert sorted(player.in_hand for player in night.game.hand.betting.players) == [0, 10_000, 20_000]
    coming = night.table.sign()["tournament"]["coming"]
    assert (coming[0]["units"], coming[0]["not_before"]) == (400, began + 40 * MINUTE)


@clause("12.4.4(b)")
def test_a_level_does_not_rise_before_its_sign_has_stood_for_twenty_minutes_and_a_pause_moves_it_later() -> None:
    night = begun(changes=(("level_minutes = 20", "level_minutes = 15"),))
    state = night.session.state
    night.at = state.began_at + 16 * MINUTE
    night.settle("tournament:level")
    assert state.level == 1
    night.at = state.shown_at + 20 * MINUTE
    night.settle("tournament:level")
    assert state.level == 2
    third = night.table.sign()["tournament"]["coming"][0]["not_before"]
    night.ok("pause", DIRECTOR)
    night.at += 10 * MINUTE
    night.ok("go_on", DIRECTOR)
    assert night.table.sign()["tournament"]["coming"][0]["not_before"] >= third + 10 * MINUTE


@clause("12.4.8(a)[(i)]", "12.4.3(a)(iii)")
def test_an_orbit_is_counted_off_hand_by_hand_and_no_move_washes_it_away() -> None:
    night = begun()
    night.ok("penalty", DIRECTOR, player="P2", penalty="one_orbit", reason="late decision twice")
    assert night.entrant("P2").owes == 3
    night.fold_all()
    assert "P2 serves a penalty (3 hands): post the blinds, fold in turn." in night.said("blinded")
    night.entrant("P2").added_on = 1
    assert night.send("tournament_move_out", Ticketed("P2", "PK-2", 5, 3), "HDD") is None
    used = night.noted_event("released")[-1]["used"]
    assert used == {"warnings": 0, "penalties": 1, "owes": 2, "rebought": 0, "added_on": 1}
    other = begun()
    assert other.send("tournament_move_in", Coming("P9", "PK-1", 5, 7350, 3, {}, used), "HDD") is None
    other.ok("arrived", player="P9", units=7350)
    one = other.entrant("P9")
    assert (one.owes, one.penalties, one.added_on) == (2, 1, 1)


@clause("footnote 2 s 66(2)", "6.10")
def test_tp_02_a_level_that_is_brought_forward_waits_for_three_hands_and_for_its_sign() -> None:
    night = begun(changes=(("level_minutes = 20", "level_minutes = 60"),))
    state, began = night.session.state, night.session.state.began_at
    payload = f'{{"level":2,"at":{began + 25 * MINUTE}}}'
    assert night.order("tournament_level", "HDD", payload=payload).code == "rank_too_low"  # type: ignore[union-attr]
    night.at = began + 3 * MINUTE
    assert night.order("tournament_level", "AM", payload=payload) is None
    coming = night.table.sign()["tournament"]["coming"]
    assert [one["not_before"] for one in coming[:2]] == [began + 25 * MINUTE, began + 85 * MINUTE]
    assert state.forward is not None
    assert state.forward.shown_at > 0
    night.at = began + 26 * MINUTE
    night.settle("tournament:level")
    assert (state.level, state.forward.hands) == (1, 3)
    played = []
    for _ in range(3):
        night.fold_all()
        played.append(state.level)
    assert played == [1, 1, 2]
    assert night.blinds() == (100, 200)


@clause("12.2.4", "12.2.5", "12.1")
def test_tp_05_commission_is_set_to_nil_by_level_3_before_a_table_is_designated() -> None:
    raked = RakeSection("percentage", 5)
    night = PokerNight(setup=config_with(raked))
    refused = night.designate()
    assert refused is not None
    assert (refused.clauses[0], "percentage commission stands" in refused.text) == ("7.1", True)
    night.ok("open")
    refused = night.by(Person("H1", 2), "waive_commission")
    assert refused is not None
    assert refused.code == "rank_too_low"
    night.ok("waive_commission", Person("A1", 3))
    night.ok("close", Person("A1", 3))
    assert night.designate() is None
    assert night.by(Person("H1", 2), "open").clauses == ("12.2.5",)  # type: ignore[union-attr]


def config_with(rake: RakeSection) -> TableConfig:
    return msgspec.structs.replace(poker_told(rake=rake), tournament=TournamentSection())


@clause("12.4.8(b)(ii)", "12.4.5(a)")
def test_tp_08_an_absent_player_is_blinded_out() -> None:
    night = begun(10000, 10000, 150, changes=NO_REBUY)
    night.ok("away", player="P3")
    night.fold_all_but_winner()
    night.fold_all_but_winner()
    assert night.banks["P3"] == 50
    night.gather()
    rigged = ["2c", "As", "Ks", "7d", "Ah", "Kh", "3c", "Ad", "Ac", "9s"]
    night.deck = [*rigged, *(card for card in night.deck if card not in rigged)]
    night.fold_all_but_winner()
    assert (night.banks["P3"], night.entrant("P3").standing) == (0, "eliminated")
    assert night.by(Person("A1", 3), "pick_up", seat=3).clauses == ("12.2.5",)  # type: ignore[union-attr]
    assert night.said("blinded")


@clause("12.4.3(a)(iv)", "12.4.1(a)(ii)")
def test_tp_10_a_re_buy_waits_for_the_end_of_the_hand_and_for_its_window() -> None:
    night = begun(10000, 100, 10000)
    night.shove_and_lose(2)
    assert night.banks["P2"] == 0
    assert night.entrant("P2").plays
    night.ok("rebuy", player="P2")
    assert (night.banks["P2"], night.game.state.seats[2].stack) == (10000, 1_000_000)
    night.start()
    refused = night.by(Person("D1", 1), "rebuy", player="P2")
    assert refused is not None
    assert refused.clauses == ("6.11",)
    while night.phase == "bet1":
        night.fold(night.wanted().seats[0])
    night.finish()
    night.session.state.level = 4
    refused = night.by(Person("D1", 1), "rebuy", player="P3")
    assert refused is not None
    assert (refused.clauses, "closed with level 3" in refused.text) == (("12.4.3(a)(iv)",), True)


@clause("12.4.1(a)(ii)")
def test_tp_13_an_add_on_is_taken_once_at_the_stated_break_and_not_with_cards_in_hand() -> None:
    said = 'add_on = { units = 5000, at = "break after level 3", times = 1 }'
    add_on = ('repechage = "none"', f'repechage = "none"\n{said}')
    paid = ('add_on = "none"', "add_on = 50")
    night = begun(10000, 6200, 3000, changes=(add_on, paid))
    night.at = night.session.state.began_at + 59 * MINUTE
    night.settle("tournament:level")
    night.start()
    refused = night.by(Person("D1", 1), "add_on", player="P3")
    assert refused is not None
    assert refused.clauses == ("6.11",)
    while night.phase == "bet1":
        night.fold(night.wanted().seats[0])
    night.finish()
    night.at = night.session.state.began_at + 61 * MINUTE
    night.event(SignedIn("dealer", DIRECTOR))
    before = night.banks["P2"]
    assert night.by(Person("D1", 1), "start_hand").code == "on_break"  # type: ignore[union-attr]
    night.ok("add_on", player="P2")
    assert night.banks["P2"] == before + 5000
    assert night.by(Person("D1", 1), "add_on", player="P2").clauses == ("12.4.1(a)(ii)",)  # type: ignore[union-attr]
    night.at = night.session.state.began_at + 71 * MINUTE
    refused = night.by(Person("D1", 1), "add_on", player="P3")
    assert refused is not None
    assert "only at the break after level 3" in refused.text


@clause("12.4.8(h)")
def test_tp_12_two_disputes_have_two_judges() -> None:
    night = begun()
    night.ok("dispute_event", about="which of us was out first?")
    asked = night.question("tournament_dispute")
    assert asked is not None
    refused = night.by(Person("A1", 3), "answer", prompt=asked.prompt, answer="decided", decision="P4")
    assert refused is not None
    assert refused.code == "no_director"
    assert night.by(DIRECTOR, "answer", prompt=asked.prompt, answer="decided", decision="P4") is None
    assert night.noted_event("dispute")[-1]["told_of_inspector"]
    refused = night.by(DIRECTOR, "dispute", text="was it a misdeal?", decision="no")
    assert refused is not None
    assert refused.clauses == ("13.10",)


@clause("12.4.3(a)(iii)")
def test_tp_06_a_moved_player_is_let_go_after_the_hand_and_dealt_in_on_the_button() -> None:
    night = begun(10000, 10000, 10000, 10000)
    night.start()
    assert night.send("tournament_move_out", Ticketed("P4", "PK-2", 4, 7), "HDD") is None
    assert night.entrant("P4").plays
    while night.phase == "bet1":
        night.fold(night.wanted().seats[0])
    night.finish()
    let_go = night.noted_event("released")[-1]
    assert (let_go["entrant"], let_go["to"], let_go["to_seat"], night.entrant("P4").standing) == (
        "P4",
        "PK-2",
        4,
        "moved",
    )
    assert (4 in night.game.state.seats, night.banks["P4"]) == (False, 0)
    other = begun(10000, 10000, 10000)
    other.fold_all()
    assert other.send("tournament_move_in", Coming("P9", "PK-1", 5, 7350, 7), "HDD") is None
    assert other.send("tournament_move_in", Coming("P8", "PK-1", 6, 7350, 7), "HDD").code == "ticket_used"  # type: ignore[union-attr]
    other.ok("arrived", player="P9", units=7350)
    other.game.state.button = 5
    other.start()
    assert 5 in {player.seat for player in other.game.hand.betting.players}
    assert other.banks["P9"] == 7350


@clause("12.2.3")
def test_tp_07_chips_that_differ_from_the_ticket_wait_for_the_director() -> None:
    night = begun()
    assert night.send("tournament_move_in", Coming("P9", "PK-1", 5, 7350, 7), "HDD") is None
    night.ok("arrived", player="P9", units=7250)
    asked = night.question("ticket:P9")
    assert asked is not None
    assert asked.text == "P9: 7,250 read, 7,350 on the ticket."
    assert [option.answer for option in asked.options] == ["take", "fetch", "send_back"]
    assert 5 not in night.game.state.seats
    assert night.by(DIRECTOR, "answer", prompt=asked.prompt, answer="fetch") is None
    night.ok("arrived", player="P9", units=7350)
    assert night.game.state.seats[5].player == "P9"


@clause("12.4.3(a)(ii)")
def test_a_broken_table_lets_everybody_go_with_a_ticket_and_is_counted_empty() -> None:
    night = begun()
    some = Breaking((Ticketed("P1", "PK-2", 1, 1),))
    assert night.send("tournament_break", some, "HDD").code == "no_ticket"  # type: ignore[union-attr]
    every = Breaking(tuple(Ticketed(f"P{seat}", "PK-2", seat, seat) for seat in (1, 2, 3)))
    assert night.send("tournament_break", every, "HDD") is None
    assert (night.session.phase, night.banks) == ("counted", {"P1": 0, "P2": 0, "P3": 0})
    night.ok("agree_counts", DIRECTOR)  # nobody is left to be counted, and the table goes on
    assert night.session.phase == "waiting"


def test_hand_for_hand_every_table_waits_for_the_hall_or_for_the_directors_word() -> None:
    night = begun()
    assert night.order("tournament_hand_for_hand", on=True) is None
    assert night.by(Person("D1", 1), "start_hand").code == "hand_for_hand"  # type: ignore[union-attr]
    assert night.order("tournament_next_hand") is None
    night.fold_all()
    assert night.by(Person("D1", 1), "start_hand").code == "hand_for_hand"  # type: ignore[union-attr]
    night.ok("next_hand", DIRECTOR)
    night.fold_all()


@clause("12.2.5", "12.4.4(a)")
def test_stacks_are_banks_and_nobody_buys_in() -> None:
    night = begun()
    night.fold_all()
    stacks = {seat.player: seat.stack // 100 for seat in night.game.state.seats.values()}
    assert stacks == night.banks
    assert sum(night.banks.values()) == 30000
    for key, args in (("sit", {"seat": 5, "player": "P7", "amount": 1}), ("add_chips", {"seat": 1, "amount": 1})):
        assert night.by(Person("D1", 1), key, **args).clauses == ("12.2.5",)  # type: ignore[union-attr]
    assert [one.facts["bank"] for one in night.told if isinstance(one, Noted) and one.what == "tournament_ledger"]


@clause("12.2.3(a)", "12.3.1", "12.3.2", "12.4.3(b)", "12.4.8(a)[(i)]", "12.4.8(a)(ii)", "12.4.8(a)(iii)",
        "12.4.8(b)(i)", "12.4.8(b)(iii)", "12.4.8(b)(v)", "12.4.8(b)(vi)", "1.1 'Tournament Director'")  # fmt: skip
def test_what_the_chapters_have_in_common_holds_at_poker_under_its_own_clauses() -> None:
    night = PokerNight()
    assert night.designate() is None
    seats = tuple(Seated(f"P{seat}", seat) for seat in range(1, 6))
    assert night.send("tournament_roster", Roster(night.terms.digest, "event", seats, "TD", ("DEP",))) is None
    night.ok("open")
    night.event(SignedIn("dealer", DIRECTOR))
    night.ok("practise", DIRECTOR)
    night.fold_all()
    for seat in range(1, 6):
        night.ok("count_bank", player=f"P{seat}", units=10000)
    night.ok("practice_over", DIRECTOR)
    assert {seat.stack for seat in night.game.state.seats.values()} == {1_000_000}
    assert night.by(DEALER, "start_hand").clauses == ("12.3.1",)  # type: ignore[union-attr]
    night.ok("briefed", DIRECTOR)
    night.ok("count_bank", player="P5", units=9975)
    assert night.by(DIRECTOR, "begin_session").clauses == ("12.4.3(b)",)  # type: ignore[union-attr]
    night.ok("count_bank", player="P5", units=10000)
    night.ok("begin_session", DIRECTOR)
    night.ok("late", player="P5")
    night.ok("penalty", DEPUTY, player="P1", penalty="warning")
    assert night.noted_event("designee")[-1]["of"] == "TD"
    night.ok("phone", player="P1")
    asked = night.question("phone:P1")
    assert asked is not None
    assert night.by(DIRECTOR, "answer", prompt=asked.prompt, answer="warning") is None
    assert night.entrant("P1").warnings == 2
    night.start()
    night.ok("disqualify", DIRECTOR, player="P2", reason="breach of terms")
    night.ok("substitute", DIRECTOR, player="P3", substitute="P9")
    night.ok("retire", player="P4")
    assert len(night.session.state.playing()) == 5
    while night.phase == "bet1":
        night.fold(night.wanted().seats[0])
    night.finish()
    assert {one.number for one in night.session.state.playing()} == {"P1", "P9", "P5"}
    assert (night.banks["P2"], night.banks["P4"], night.entrant("P4").place) == (0, 0, 4)
    assert {seat.player: seat.stack // 100 for seat in night.game.state.seats.values()} == {
        number: night.banks[number] for number in ("P1", "P9", "P5")
    }
    night.event(SignedOut("dealer", DIRECTOR, "signed out by card"))
    night.event(SignedIn("dealer", DEPUTY))
    assert night.session.phase == "held"


@clause("12.4.8(d)[(i)]", "12.4.8(d)(ii)", "12.4.3(c)")
def test_a_table_ends_early_when_it_is_certain_and_is_released_once_its_chips_are_handed_in() -> None:
    two = ('through = "winner"', "through = { per_table = 2 }")
    night = begun(10000, 10000, 10000, changes=(*NO_REBUY, two))
    refused = night.by(DIRECTOR, "end_certain")
    assert refused is not None
    assert (refused.clauses, "3 are left and 2 go on" in refused.text) == (("12.4.8(d)[(i)]",), True)
    assert night.by(DIRECTOR, "end_agreed", yes=["P1", "P2", "P3"]).clauses == ("12.4.8(d)(ii)",)  # type: ignore[union-attr]
    night.ok("retire", player="P3")
    night.ok("end_certain", DIRECTOR)
    for number in ("P1", "P2"):
        night.ok("count_bank", player=number, units=10000)
    night.ok("agree_counts", DIRECTOR)
    night.put(1, 10_000)
    night.ok("close", Person("A1", 3))
    refused = night.order("tournament_release")
    assert refused is not None
    assert refused.clauses == ("12.4.3(c)",)
    night.lift(1)
    assert night.order("tournament_release") is None
    assert (night.game.state.seats, night.game.state.terms.blinds) == ({}, (500, 1000))


ONE_TABLE = ('tables = ["PK-1", "PK-2", "PK-3"]', 'tables = ["PK-1"]'), ("[9, 27]", "[2, 9]")


@clause("12.4.5(a)", "12.4.3(a)(iv)")
def test_who_takes_no_re_buy_heads_up_is_out_when_the_next_hand_is_called_for_and_the_session_is_over() -> None:
    night = begun(20000, 0, changes=ONE_TABLE)
    night.entrant("P2").short = True
    night.ok("start_hand")
    assert night.entrant("P2").standing == "eliminated"
    assert night.session.phase == "counting"


@clause("12.4.5(a)")
def test_who_is_alone_at_one_of_several_tables_waits_for_a_move_until_the_hall_counts_one_left() -> None:
    night = begun(20000, 0)
    night.entrant("P2").short = True
    night.ok("start_hand")
    assert night.entrant("P2").standing == "eliminated"
    assert night.session.phase == "playing"
    coming = Coming("P7", "PK-2", 2, 5000, 4)
    assert night.send("tournament_move_in", coming) is None
    refused = night.order("tournament_one_left")
    assert refused is not None
    assert refused.code == "not_one"
    night.session.state.moving.clear()
    assert night.order("tournament_one_left") is None
    assert night.session.phase == "counting"


@clause("12.4.5(a)")
def test_without_the_hall_the_director_says_that_nobody_else_is_left() -> None:
    night = begun(20000, 0)
    night.entrant("P2").short = True
    refused = night.by(DIRECTOR, "end_certain")
    assert refused is not None
    night.ok("start_hand")
    night.ok("end_certain", DIRECTOR)
    assert night.session.phase == "counting"
