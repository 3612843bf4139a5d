"""The deck is checked in the shuffler before it is dealt, counted and changed."""

from __future__ import annotations

import msgspec
import pytest

from controller.config.types import TableConfig
from drivers.shuffler import DeckChecked, ShufflerLoaded, ShufflerState
from lab.sim.config import default_config
from tests.controller.games.poker.play import PokerPlay, config
from tests.controller.games.poker.seen import BOOK, READY

# -- the deck ----------------------------------------------------------------------------------------------------


def checked(**found: object) -> DeckChecked:
    plain: dict[str, object] = {
        "check": 1, "decks": 1, "complete": True, "good": True, "count": 52, "missing": (), "surplus": (),
        "unread": 0, "jokers": 0, "foreign": 0, "boxed": (),
    }  # fmt: skip
    return DeckChecked("shuffler", **{**plain, **found})  # type: ignore[arg-type]


def with_shuffler() -> TableConfig:
    setup = config()
    return msgspec.structs.replace(setup, devices=default_config("poker").devices)


@pytest.mark.clause(BOOK, "3.1", "5.1", "5.3.2")
def test_the_shuffler_checks_the_deck_before_it_is_dealt() -> None:
    play = PokerPlay(with_shuffler())
    play.seat(1000, 1000)
    play.event(ShufflerLoaded("shuffler", 52, 52))
    ready = ShufflerState("shuffler", "ready", 52, True)
    *_, order = play.event(ready)
    assert order.command == "StartCheck"  # type: ignore[union-attr]
    play.event(checked())
    play.event(ready)
    play.press("start_hand")
    play.put(1, 500)
    play.put(2, 1_000)
    assert play.wanted().what == "cut"


@pytest.mark.clause(BOOK, "1.1 'Defective deck'")
@pytest.mark.parametrize(
    ("found", "words"),
    [
        ({"missing": ("As",), "count": 51}, "As missing"),
        ({"surplus": ("As",), "missing": ("Kd",)}, "As too many"),
        ({"jokers": 1}, "1 jokers"),
        ({"boxed": ("As", "Ks", "Qs", "Js", "Ts")}, "5 boxed"),
    ],
)
def test_a_defective_deck_is_told_and_not_dealt(found: dict[str, object], words: str) -> None:
    play = PokerPlay(with_shuffler())
    play.seat(1000, 1000)
    play.event(ShufflerLoaded("shuffler", 52, 52))
    play.event(ShufflerState("shuffler", "ready", 52, True))
    play.event(checked(**found))
    assert words in play.table.state.desk.alarms["deck"].text
    play.event(ShufflerState("shuffler", "ready", 52, True))
    refusal = play.refused("start_hand")
    assert (refusal.code, refusal.clauses) == ("deck_defective", ("1.1 'Defective deck'", "3.1"))
    play.event(ShufflerLoaded("shuffler", 52, 52))
    play.press("start_hand")
    assert play.refused("shuffled").code == "deck_defective"
    play.put(1, 500)
    play.put(2, 1_000)
    assert play.wanted().what == "shuffle"
    play.event(ShufflerState("shuffler", "ready", 52, True))
    play.event(checked())
    play.event(ShufflerState("shuffler", "ready", 52, True))
    assert play.wanted().what == "cut"


def given() -> PokerPlay:
    """A hand has been given the deck that came ready out of the shuffler."""
    play = PokerPlay(with_shuffler())
    play.seat(1000, 1000)
    play.event(ShufflerLoaded("shuffler", 52, 52))
    play.event(READY)
    play.event(checked())
    play.event(READY)
    play.press("start_hand")
    play.event(ShufflerState("shuffler", "empty", 0, True))
    return play


def lay_in_and_lift_a_defective_deck(play: PokerPlay) -> None:
    play.event(ShufflerLoaded("shuffler", 51, 51))
    play.event(READY)
    play.event(checked(missing=("Tc",), count=51))
    play.event(ShufflerState("shuffler", "empty", 0, True))


@pytest.mark.clause(BOOK, "1.1 'Defective deck'", "3.1", "5.1", "5.3.2")
@pytest.mark.parametrize("cut_before", [False, True])
def test_a_deck_found_defective_after_another_was_ready_is_changed_and_shuffled_before_anything_is_dealt(
    cut_before: bool,
) -> None:
    play = given()
    if cut_before:
        play.press("cut")
    lay_in_and_lift_a_defective_deck(play)
    play.put(1, 500)
    play.put(2, 1_000)
    assert play.wanted().what == "cut"
    assert play.refused("cut").code == "deck_defective"
    play.press("change_cards", reason="the ten of clubs is missing")
    assert (play.wanted().what, set(play.table.state.desk.alarms)) == ("shuffle", set())
    play.press("shuffled")
    play.press("cut")
    assert play.phase == "dealing"


@pytest.mark.clause(BOOK, "3.1", "5.3.1")
def test_a_defective_deck_in_the_shuffler_is_none_of_the_hand_that_is_being_dealt() -> None:
    play = given()
    play.put(1, 500)
    play.put(2, 1_000)
    play.press("cut")
    lay_in_and_lift_a_defective_deck(play)
    assert (play.phase, play.refused("change_cards", reason="x").code) == ("dealing", "hand_under_way")
    play.deal()
    assert play.phase == "bet1"


@pytest.mark.clause(BOOK, "3.4", "5.3.1")
def test_level_two_orders_a_count_and_the_dealer_changes_the_deck() -> None:
    play = PokerPlay(with_shuffler())
    assert play.refused("count_cards", 1).code == "rank_too_low"
    effects = play.press("count_cards", 2)
    assert any(getattr(effect, "command", "") == "StartCheck" for effect in effects)
    play.press("change_cards", reason="a marked card")
    assert play.game.state.deck.status == ""
