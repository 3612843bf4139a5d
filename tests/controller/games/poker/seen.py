"""What a poker table has told and still tells, and hands brought to where a test begins."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from controller.core.effects import Announced, AnyEffect, Noted, Refused, Ruled
from controller.core.events import TimerDue
from controller.games.poker.flop_chase import Colour
from drivers.shuffler import DeckChecked, ShufflerState
from lab.sim.config import default_config
from tests.controller.games.poker.play import PokerPlay, config

BOOK = "melbourne-poker"
READY = ShufflerState("shuffler", "ready", 52, True)


def clause(*named: str) -> Any:
    """Marks a test with the clauses of the poker rules that it proves."""
    return pytest.mark.clause(BOOK, *named)


def alarms(play: PokerPlay) -> set[str]:
    """The alarms that stand."""
    return set(play.table.state.desk.alarms)


def alarm(play: PokerPlay, code: str) -> tuple[str, str, tuple[str, ...]]:
    """Words, remedy and clauses of an alarm that stands."""
    told = play.table.state.desk.alarms[code]
    return told.text, told.remedy, told.clauses


def timers(play: PokerPlay) -> dict[str, int]:
    """What the table waits for, and until when."""
    found: dict[str, int] = play.table.state.desk.timers
    return found


def due(play: PokerPlay, timer: str) -> list[AnyEffect]:
    """Time is up for something, whether the table still waits for it or not."""
    return play.event(TimerDue(timer))


def notes(play: PokerPlay, what: str) -> list[Noted]:
    return [effect for effect in play.told if isinstance(effect, Noted) and effect.what == what]


def words(play: PokerPlay, code: str) -> list[Announced]:
    return [effect for effect in play.told if isinstance(effect, Announced) and effect.code == code]


def ruled(play: PokerPlay, subject: str) -> Ruled:
    """The last time somebody decided this."""
    return [effect for effect in play.told if isinstance(effect, Ruled) and effect.subject == subject][-1]


def refusals(play: PokerPlay) -> list[Refused]:
    """Everything the table has refused so far, by key or without."""
    return [effect for effect in play.told if isinstance(effect, Refused)]


def cards_of(play: PokerPlay, seat: int) -> list[str]:
    """The cards a seat was dealt, as the hand knows them."""
    found: list[str] = next(player.cards for player in play.game.hand.betting.players if player.seat == seat)
    return found


def seated(*stacks: int, setup: Any = None, deck: tuple[str, ...] = ()) -> PokerPlay:
    """A table with players at seats 1, 2, …"""
    play = PokerPlay(setup, deck)
    play.seat(*(stacks or (1000, 1000, 1000)))
    return play


def before_the_deal(*stacks: int, setup: Any = None, deck: tuple[str, ...] = ()) -> PokerPlay:
    """Blinds are up, the deck is shuffled and cut: seat 1 gets the first card."""
    play = seated(*stacks, setup=setup, deck=deck)
    play.press("start_hand")
    for owed in list(play.game.hand.dues):
        play.put(owed.seat, owed.amount)
    play.press("shuffled")
    play.press("cut")
    assert play.phase == "dealing"
    return play


def after_the_deal(*stacks: int, setup: Any = None, deck: tuple[str, ...] = ()) -> PokerPlay:
    """Everybody holds cards, and the first seat is to act."""
    play = seated(*stacks, setup=setup, deck=deck)
    play.start()
    return play


def on_the_flop(*stacks: int, setup: Any = None, deck: tuple[str, ...] = ()) -> PokerPlay:
    """Everybody has called, and the flop is due."""
    play = after_the_deal(*stacks, setup=setup, deck=deck)
    call_round(play)
    return play


def call_round(play: PokerPlay) -> None:
    """Everybody calls or checks until the betting round is over."""
    phase = play.phase
    while play.phase == phase:
        may = play.wanted().options
        if may.to_call:
            play.put(may.seat, may.to_call)
        else:
            play.press("check")


def pressed(play: PokerPlay, key: str, rank: int = 1, **told: Any) -> list[AnyEffect]:
    """Press a key as a page offers it now, with nothing but what its form can enter; it must be carried out."""
    found = [one for one in play.table.available() if one.name == key]
    assert found, f"no page offers {key} while {play.phase}"
    form = {ask.name: ask for ask in found[0].asks}
    for name, value in told.items():
        choices = [chosen for chosen, _ in form[name].choices]
        assert form[name].kind != "choice" or str(value) in choices, f"{key} does not offer {name} {value}: {choices}"
    effects = play.press(key, rank, **told)
    assert not any(isinstance(effect, Refused) for effect in effects), effects
    return effects


def is_offered(play: PokerPlay, key: str) -> bool:
    """Whether a page shows this key now."""
    return any(one.name == key for one in play.table.available())


def deal(play: PokerPlay, seat: int) -> str:
    """The next card of the deck to a seat, due there or not."""
    card = play.draw()
    play.lay(seat, card)
    return card


def with_shuffler() -> PokerPlay:
    """A table with three players whose deck comes out of a shuffler that is still empty."""
    return seated(setup=msgspec.structs.replace(config(), devices=default_config("poker").devices))


def checked(**found: Any) -> DeckChecked:
    """What the shuffler found in its deck: all in order but for what is told."""
    plain: dict[str, Any] = {
        "check": 1, "decks": 1, "complete": True, "good": True, "count": 52, "missing": (), "surplus": (),
        "unread": 0, "jokers": 0, "foreign": 0, "boxed": (),
    }  # fmt: skip
    return DeckChecked("shuffler", **{**plain, **found})


def make_ready(play: PokerPlay) -> None:
    """A good deck is loaded, checked and shuffled."""
    play.event(READY)
    play.event(checked())
    play.event(READY)


def with_side_wagers(*laid: tuple[int, Colour, int]) -> PokerPlay:
    """Two players, these side wagers (seat, colour, cents), blinds posted and the cards dealt; the flop is red."""
    deck = ("2c", "3c", "4c", "5c", "6c", "Ah", "Kh", "Qd", "7c", "8c", "9c", "Tc")
    play = PokerPlay(config(side_wagers=True), deck)
    play.seat(1000, 1000)
    play.press("start_hand")
    for seat, colour, cents in laid:
        play.put(play.game.layout.side(seat, colour), cents)
    for due in list(play.game.hand.dues):
        play.put(due.seat, due.amount)
    play.press("shuffled")
    play.press("cut")
    play.deal()
    return play
