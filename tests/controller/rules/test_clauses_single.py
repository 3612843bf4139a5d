"""Single clauses that no written case and no other test speaks of."""

from __future__ import annotations

import itertools
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner

from controller.commands import main
from controller.core.desk import Limits
from controller.core.effects import Asked, Noted, Settled
from controller.core.events import Command
from controller.core.house import House, Notice
from controller.core.table import Table
from controller.games.war.config import WarConfig
from controller.people import Person
from controller.rules.rulebook import load_rulebook
from tests.controller.games.war.play import Play


@pytest.mark.clause("melbourne-wheel", "9.13")
def test_the_rules_of_the_wheel_can_be_shown_to_whoever_asks_with_their_version() -> None:
    told = CliRunner().invoke(main, ["rules", "show", "melbourne-wheel"])
    assert told.exit_code == 0
    assert "Big Wheel, Crown Melbourne" in told.output
    assert "version 4.0" in told.output
    assert "\n  9.13 " in told.output


def opened(rulebook: str) -> Play:
    play = Play(rulebook, WarConfig(decks=6))
    play.new_shoe("2C")
    for player in ("P1", "P2", "P3"):
        play.press("player_card", player=player)
    assert play.phase == "betting"
    return play


@pytest.mark.clause("melbourne-war", "5.3")
def test_a_spoken_bet_is_in_play_only_with_chips_on_the_zone_before_the_call() -> None:
    play = opened("melbourne-war")
    play.lay("in time", "P1", 1, "main", 1000)
    play.press("no_more_bets")
    play.lay("spoken", "P2", 2, "main", 1000)
    (asked,) = [subject for subject in play.questions() if "spoken" in subject]
    play.answer(asked, "return")
    assert not play.game.state.round.stake("spoken").live
    assert play.rulings()[-1].clauses[0] == "5.4"
    play.cards("KH", "5D")
    assert play.results()["in time"].result == "win"
    assert play.results()["spoken"].stake_returned == 1000
    assert play.results()["spoken"].pays == 0


@pytest.mark.clause("star-war", "8.2.3")
def test_at_interim_decided_hands_are_done_and_equal_hands_stay_with_their_card() -> None:
    play = opened("star-war")
    for number, player in enumerate(("P1", "P2", "P3"), 1):
        play.lay(f"w{number}", player, number, "main", 1000)
    play.press("no_more_bets")
    play.cards("KH", "5D", "2C", "5S")
    (settled,) = [effect for effect in play.effects if isinstance(effect, Settled)]
    assert {result.wager: result.result for result in settled.results} == {"w1": "win", "w3": "lose"}
    play.press("settled")
    assert play.phase == "choosing"
    assert [effect.subject for effect in play.effects if isinstance(effect, Asked)][-1] == "choice:2:P2"
    assert play.game.state.round.stake("w2").live
    assert "w2" not in play.results()
    assert play.game.state.round.laid("first")["box2"].face == "5D"


@pytest.mark.clause("star-war", "11.21.1.1", "11.21.1.2")
@pytest.mark.parametrize(
    ("cents", "kind", "remedy"),
    [(-2500, "underpaid", "tried to pay the patron the rest"), (2500, "overpaid", "tried to get it back")],
)
def test_the_attempt_to_put_a_wrong_payment_right_with_a_known_patron_is_recorded(
    cents: int, kind: str, remedy: str
) -> None:
    notice = Notice("13.9", minutes=5)
    table = Table(House(load_rulebook("star-war"), notice, notice, "hand"), Limits(1000, 50_000), frozenset())
    table.game = SimpleNamespace(desired=dict)  # type: ignore[assignment]
    at = itertools.count(1)

    def press(**args: Any) -> Noted:
        now = next(at)
        (noted,) = table.apply(now, now, Command("mispayment", Person("GS1", 2), args))
        assert isinstance(noted, Noted)
        return noted

    found = press(cents=cents, bet="main", area=3)
    assert (found.facts["kind"], found.facts["cents"], found.facts["put_right_at"]) == (kind, cents, 0)
    tried = press(item=found.facts["item"], remedy=remedy, patron="P-abc123")
    assert (tried.facts["remedy"], tried.facts["patron"], tried.facts["by"]) == (remedy, "P-abc123", "GS1")
    assert tried.facts["put_right_at"] == 2
    assert tried.clauses == ("11.19.1",)
