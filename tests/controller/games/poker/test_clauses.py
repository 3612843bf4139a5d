"""Clauses of the poker document that the other tests pass by: words of section 1, and the plain course of a hand."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from controller.cards.seal import FACES, Sealer, read_deck
from controller.commands.rules import rules as rules_command
from controller.config.file import require_right
from controller.config.tomlread import ConfigError
from controller.core.effects import Announced, Refused
from controller.games.poker.commission import Commission, destination, percentage_due
from controller.games.poker.config import PokerSection
from controller.games.poker.inputs import Board, Burn
from controller.games.poker.offers import GAMES
from controller.games.poker.pots import halves
from controller.money.dress import ChipRegister
from controller.rules.rulebook import load_rulebook
from drivers.card_antennas import BOARD, BURN, CardsSeen
from lab.sim.config import default_config
from simulators.decks import simulated_decks
from tests.controller.games.poker.dealer import Dealer, percentage, terms
from tests.controller.games.poker.play import PokerPlay, config

BOOK = "melbourne-poker"


@pytest.mark.clause(BOOK, "1.1 'Burn card'", "1.1 'Muck'")
def test_a_card_that_was_burned_or_mucked_takes_no_further_part() -> None:
    dealer = Dealer(terms(), {1: 1000, 2: 1000, 3: 1000}, 3)
    dealer.deal()
    dealer.act("3 fold", "1 call", "2 check")
    mucked = dealer.hand.muck[0]
    dealer.tell(Burn("2c"))
    assert dealer.refused(Board(("2c", "3c", "4c"))).clause == "3.1"
    assert dealer.refused(Board((mucked, "3c", "4c"))).clause == "3.1"


@pytest.mark.clause(BOOK, "1.1 'Button'", "1.1 'Lammer'")
def test_the_buttons_before_a_seat_are_on_the_screen() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000)
    play.press("walk", seat=2)
    play.press("lammer", seat=3, amount=50_000)
    status = {seat["seat"]: seat["status"] for seat in play.game.view()["seats"]}
    assert status == {1: "", 2: "walking", 3: "lammer"}
    play.press("add_chips", seat=3, amount=50_000)
    assert play.game.state.seats[3].flags.lammer == 0
    assert play.refused("lammer", seat=3, amount=-1).code == "bad_amount"


@pytest.mark.clause(BOOK, "1.1 'Cap'")
def test_commission_stops_at_its_cap() -> None:
    rake = percentage(10, 15)
    assert [percentage_due(rake, pot * 100, 100) for pot in (100, 150, 151, 10_000)] == [1_000, 1_500, 1_500, 1_500]


@pytest.mark.clause(BOOK, "1.1 'Community cards'", "1.1 'Showdown'", "8.20.3(b)")
def test_everybody_left_shows_down_with_the_same_board() -> None:
    play = PokerPlay(deck=("2c", "3c", "2d", "3d", "4c", "Ah", "Kh", "Qh", "5c", "Jh", "6c", "Th"))
    play.seat(1000, 1000)
    play.start()
    play.check_down()
    assert play.phase == "showdown"
    settled = play.finish()
    assert [(r.result, r.pays) for r in settled.results] == [("win", 0), ("win", 0)]


@pytest.mark.clause(BOOK, "1.1 'Cut'", "5.2")
def test_the_deck_is_cut_once() -> None:
    play = PokerPlay()
    play.seat(1000, 1000)
    play.press("start_hand")
    assert play.refused("cut").clauses == ("5.2",)
    play.press("shuffled")
    play.press("cut")
    assert play.refused("cut").clauses == ("5.2",)


class _Game:
    salt, deal = "aa", 1

    def uncovered(self) -> dict[str, tuple[str, ...]]:
        return {}


@pytest.mark.clause(BOOK, "1.1 'Cutting card'")
def test_the_cutting_card_counts_for_nothing(tmp_path: Path) -> None:
    deck = simulated_decks()[0]
    path = tmp_path / "deck.csv"
    path.write_text("\n".join([*(f"{tag:x},{face}" for tag, face in deck.items()), "c07,CUT"]))
    known = read_deck(path)
    assert sorted(face for face in known.values() if face in FACES) == sorted(FACES)
    rim = Sealer(bytes(32), known, _Game, ChipRegister({}), bytes)
    (event,) = rim.dress(CardsSeen("cards", ((0xC07, BURN), (next(iter(deck)), BURN)), ((0xC07, 3),)))
    assert len(event.added) == 1  # type: ignore[attr-defined]
    assert event.removed == ()  # type: ignore[attr-defined]


@pytest.mark.clause(BOOK, "1.1 'Dead hand'", "6.15")
def test_a_dead_hand_loses_its_claim_and_leaves_its_chips() -> None:
    play = PokerPlay(config(time_to_act_s=30))
    play.seat(1000, 1000, 1000)
    play.start()
    play.settle("act")
    play.answer("dead_hand", 1)
    dead = next(player for player in play.game.hand.betting.players if player.seat == 3)
    assert (dead.live, dead.out) == (False, "dead")


@pytest.mark.clause(
    BOOK, "1.1 'Flop'", "1.1 'Opener'", "8.18.3(b)", "8.19.2", "8.19.3(b)", "8.20.2", "8.2.1", "8.2.2", "8.2.3", "8.2.4"
)
def test_each_round_opens_left_of_the_button_and_leads_to_the_next_street() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000)
    play.start()
    play.put(3, 1_000)  # call
    play.put(1, 500)
    play.press("check")
    for street, cards in (("flop", 3), ("turn", 4), ("river", 5)):
        assert play.phase == street
        play.street()
        assert len(play.game.hand.board) == cards
        assert play.wanted().seats == (1,)
        if street == "turn":
            play.put(1, 2_000)  # bet
            play.put(2, 6_000)  # raise
            play.fold(3)
            play.put(1, 4_000)
        else:
            play.check_round()
    assert play.phase == "showdown"


@pytest.mark.clause(BOOK, "8.19.3(a)")
def test_a_bet_on_the_turn_that_nobody_calls_wins() -> None:
    play = PokerPlay()
    play.seat(1000, 1000)
    play.start()
    play.put(1, 500)
    play.press("check")
    play.street()
    play.check_round()
    play.street()
    play.put(1, 2_000)
    play.fold(2)
    assert play.phase == "award"
    assert play.finish().outcome == "uncontested"


@pytest.mark.clause(
    BOOK, "1.1 'Dealer'", "1.1 'TG Area Manager'", "1.1 'TG Assistant Casino Manager'", "1.1 'TG Higher Duties Dealer'"
)
def test_ranks_stand_one_above_the_other() -> None:
    book = load_rulebook(BOOK)
    assert book.ladder == ("dealer", "HDD", "AM", "ACM")
    for power, lowest in (("cut", 1), ("invalidate_fraud", 2), ("close", 3), ("exclude_player", 4)):
        assert [book.may(rank, power) for rank in book.ladder] == [level >= lowest for level in range(1, 5)]


@pytest.mark.clause(BOOK, "2.4", "7.2.3(c)")
def test_commission_goes_where_the_table_puts_it() -> None:
    assert destination(Commission("per_hand")) == ("chip_box", "7.2.3(c)")
    assert destination(Commission("percentage", stand_alone=True)) == ("float", "7.2.1(c)")


@pytest.mark.clause(
    BOOK,
    "4.1 Holdem",
    "4.1 Pineapple Holdem",
    "4.1 Crazy Pineapple Holdem",
    "4.1 Crazy Pineapple Holdem Hi-Lo Eight Qualifier",
    "4.1 Holdem Hi-Lo Eight Qualifier",
    "4.1 Omaha",
    "4.1 Omaha Hi-Lo Eight Qualifier",
)
@pytest.mark.parametrize("game", GAMES)
def test_a_game_takes_as_many_seats_as_the_document_says(game: str) -> None:
    most = 10 if game.startswith("omaha") else 11
    base = default_config("poker")
    for seats, fine in ((2, True), (most, True), (most + 1, False)):
        wanted = msgspec.structs.replace(
            base,
            play=msgspec.structs.replace(base.own(PokerSection), game=game),
            seats=msgspec.structs.replace(base.seats, count=seats),
        )
        if fine:
            require_right(wanted, "table")
        else:
            with pytest.raises(ConfigError, match=GAMES[game]):
                require_right(wanted, "table")


@pytest.mark.clause(BOOK, "8.20.4(d)(iv)", "8.20.4(d)(v)")
def test_omaha_hi_lo_gives_all_to_the_high_hand_without_a_low_and_the_odd_chip_with_one() -> None:
    assert halves(101, 1) == (51, 50)
    deck = ("As", "Ks", "Ad", "Kd", "4c", "5c", "4d", "5d", "2c", "Qh", "Jh", "9h", "3c", "Th", "6c", "2h")
    play = PokerPlay(config(game="omaha_hilo"), deck)
    play.seat(1000, 1000)
    play.start()
    play.check_down()
    settled = play.finish()
    (winner,) = [r for r in settled.results if r.result == "win"]
    assert winner.clauses == ("8.20.4(d)(iv)",)


@pytest.mark.clause(BOOK, "13.13")
def test_the_rules_can_be_shown_on_request() -> None:
    shown = CliRunner().invoke(rules_command, ["show", BOOK])
    assert "version 1.0" in shown.output


def test_a_card_on_the_board_that_was_burned_is_not_turned_up() -> None:
    play = PokerPlay()
    play.seat(1000, 1000)
    play.start()
    play.put(1, 500)
    play.press("check")
    burned = play.draw()
    play.lay(BURN, burned)
    play.lay(BOARD, burned)
    assert play.refused("turned_up").code == "no_card"
    assert not any(isinstance(effect, Announced) and effect.code == "bonus" for effect in play.told)
    assert isinstance(play.effects[0], Refused)
