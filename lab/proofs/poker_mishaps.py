"""What may befall the devices of a poker table besides their wires: jams, doors, decks, antennas, tags."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from firmware_specs.messages.shuffler import Mode
from lab.proofs.stage import World
from simulators.faults import Fault
from simulators.shuffler import CardShuffler

MENDED_S = 6.0
"""How long it takes until somebody has put it right; longer than silence is noticed."""
FOREIGN_TAG = 0xDEAD_BEEF
ANTENNA = 2
"""Of seat 2: chips and cards lie there in every hand."""


class Mishap(msgspec.Struct, frozen=True):
    """Something that happens to a device; in every state of the round unless it makes a difference in some only."""

    strike: Callable[[World, Any], None]
    states: tuple[str, ...] = ()
    told: str = ""
    """The alarm that must come of it."""
    suspends: bool = False


def _shuffler(world: World) -> CardShuffler:
    shuffler = world.devices.sources["shuffler"]
    assert isinstance(shuffler, CardShuffler)
    return shuffler


def _jam(world: World, crew: Any) -> None:
    _shuffler(world).jam("feed", recovers=False)


def _jam_shaken_free(world: World, crew: Any) -> None:
    _shuffler(world).jam("feed", recovers=True)


def _door(world: World, crew: Any) -> None:
    shuffler = _shuffler(world)
    shuffler.open_door()
    world.clock.call_later(MENDED_S, shuffler.close_door)


def _wrong_mode(world: World, crew: Any) -> None:
    shuffler = _shuffler(world)
    shuffler.set_mode(Mode.SORT)
    world.clock.call_later(MENDED_S, shuffler.set_mode, Mode.SINGLE_DECK)


def _no_power(world: World, crew: Any) -> None:
    fault = {"device": "shuffler", "fault": "reboot", "seconds": 30.0, "keep_memory": False}
    world.devices.plan(Fault.of(fault))


def _deck(spoil: Callable[[list[str]], list[str]]) -> Mishap:
    """A deck that is defective when it next goes into the shuffler."""

    def strike(world: World, crew: Any) -> None:
        crew.spoil = spoil

    return Mishap(strike, ("between_hands",), told="deck")


def _card_antenna(world: World, crew: Any) -> None:
    antennas = world.devices.antennas
    antennas.fail(ANTENNA)
    world.clock.call_later(MENDED_S, antennas.mend, ANTENNA)


def _chip_antenna(world: World, crew: Any) -> None:
    mat = world.devices.mat
    mat.fail(ANTENNA)
    world.clock.call_later(MENDED_S, mat.mend, ANTENNA)


def _foreign_tag(world: World, crew: Any) -> None:
    antennas = world.devices.antennas
    antennas.place((FOREIGN_TAG,), ANTENNA)

    def take_off() -> None:
        if antennas.where(FOREIGN_TAG) is not None:  # unless it was taken up with the cards
            antennas.remove((FOREIGN_TAG,))

    world.clock.call_later(MENDED_S, take_off)


def _cards_missed(world: World, crew: Any) -> None:
    antennas = world.devices.antennas
    antennas.miss([tag for seat in (1, 2, 3) for tag in antennas.lying(seat)], 2.0)


def _tag_twice(world: World, crew: Any) -> None:
    antennas = world.devices.antennas
    lying = antennas.lying(1)
    if lying:
        antennas.clone(lying[0], 3)
        world.clock.call_later(MENDED_S, antennas.unclone, lying[0])


_CARDS_LIE = ("bet1", "flop", "bet2", "turn", "bet3", "river", "bet4", "showdown")

MISHAPS: dict[tuple[str, str], Mishap] = {
    ("shuffler", "jam"): Mishap(_jam, ("between_hands", "bet2", "drop"), suspends=True),
    ("shuffler", "jam it frees"): Mishap(_jam_shaken_free, ("between_hands", "bet2", "drop")),
    ("shuffler", "door"): Mishap(_door, suspends=True),
    ("shuffler", "wrong mode"): Mishap(_wrong_mode, suspends=True),
    ("shuffler", "no power"): Mishap(_no_power, suspends=True),
    ("shuffler", "card missing"): _deck(lambda deck: deck[1:]),
    ("shuffler", "card too many"): _deck(lambda deck: [*deck, deck[0]]),
    ("shuffler", "card twice"): _deck(lambda deck: [deck[1], *deck[1:]]),
    ("shuffler", "joker"): _deck(lambda deck: [*deck, "JOKER"]),
    ("shuffler", "foreign card"): _deck(lambda deck: [f"!{deck[0]}", *deck[1:]]),
    ("shuffler", "unreadable card"): _deck(lambda deck: ["??", *deck[1:]]),
    ("shuffler", "five boxed"): _deck(lambda deck: [*(f"{card}^" for card in deck[:5]), *deck[5:]]),
    ("cards", "antenna broken"): Mishap(_card_antenna, suspends=True),
    ("cards", "foreign tag"): Mishap(_foreign_tag, told="foreign_card:"),
    ("cards", "cards missed"): Mishap(_cards_missed, _CARDS_LIE),
    ("cards", "tag twice"): Mishap(_tag_twice, _CARDS_LIE, told="doubled:"),
    ("chips", "antenna broken"): Mishap(_chip_antenna, suspends=True),
}
