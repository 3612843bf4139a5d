"""Terms, charges and words of a poker table: from when they hold, how often they come, and what they leave unsaid."""

from __future__ import annotations

import msgspec
import pytest

from controller.config.tomlread import Cents
from controller.games.poker.config import PokerSection, RakeSection
from controller.games.poker.instructions import step_words
from controller.games.poker.layout import Layout
from controller.games.poker.remedies import Step
from tests.controller.games.poker.play import HOUR_MS, by_the_hour, config
from tests.controller.games.poker.seen import after_the_deal, clause, notes, seated, timers, words


@clause("6.10", "footnote 2 s 66(2)")
@pytest.mark.parametrize(("waited_ms", "blinds"), [(1_199_999, (500, 1_000)), (1_200_000, (1_000, 2_000))])
def test_a_higher_minimum_has_twenty_minutes_of_notice_whoever_agrees_to_it(
    waited_ms: int, blinds: tuple[int, ...]
) -> None:
    play = seated()
    play.press("change_game", 3, blinds="10 20", minimum=2_000)
    since = play.at
    for seat in (1, 2, 3):
        play.press("agree", seat=seat)
    assert [(note.facts["seat"], note.clauses) for note in notes(play, "agreed")] == [
        (1, ("6.10",)),
        (2, ("6.10",)),
        (3, ("6.10",)),
    ]
    play.at = since + waited_ms - 50
    play.press("start_hand")
    assert play.game.hand.terms.blinds == blinds


@clause("1.1 'Collection time'", "7.2.2(b)")
def test_the_hour_of_the_charge_runs_from_its_first_hand_and_no_later_hand_puts_it_off() -> None:
    play = seated(setup=by_the_hour())
    play.press("start_hand")
    until = play.at + HOUR_MS
    play.press("cancel_disruption", 2, reason="fire")
    play.press("start_hand")
    assert timers(play)["collection"] == until


@clause("7.2.1(c)", "7.2.1(b)")
@pytest.mark.parametrize(("stand_alone", "place"), [(True, "the float"), (False, "the chip box")])
def test_the_commission_of_a_stand_alone_table_goes_to_the_float(stand_alone: bool, place: str) -> None:
    setup = config()
    rake = RakeSection("percentage", 10, Cents(1_000), stand_alone=stand_alone)
    setup = msgspec.structs.replace(setup, play=msgspec.structs.replace(setup.own(PokerSection), rake=rake))
    play = after_the_deal(setup=setup, deck=("As", "2c", "3d", "Ah", "7c", "8d"))
    play.check_down()
    play.show_all()
    play.sweep()
    play.lift(play.game.layout.pot)
    play.settle("push")
    assert [told.text for told in words(play, "drop")] == [f"Drop $2.50 into {place}."]


@clause("1.1 'Hole cards'")
@pytest.mark.parametrize(
    ("cards", "told"),
    [(("As", "Kd"), "A♠, K♦"), (("c7",), "the card"), (("c7", "c8"), "2 cards"), (("As", "c7"), "A♠, the card")],
)
def test_a_step_names_no_card_that_nobody_has_seen(cards: tuple[str, ...], told: str) -> None:
    assert step_words(Step("take_back", cards)) == f"Take back {told}."


@clause("2.3")
def test_the_areas_before_and_after_those_of_the_side_wagers_are_nobodys_side_wager() -> None:
    layout = Layout(9)
    spots = {area: layout.wager_at(area) for area in range(layout.areas + 1)}
    wagers = [wager for wager in spots.values() if wager is not None]
    assert sorted(wagers) == sorted((seat, colour) for seat in range(1, 10) for colour in ("red", "black"))
    assert all(layout.side(*wager) == area for area, wager in spots.items() if wager is not None)
