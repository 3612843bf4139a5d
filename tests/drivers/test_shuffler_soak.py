"""Hours at a shuffler where everything goes wrong: no card is lost or told twice, and it always gets going again."""

from __future__ import annotations

import random
from collections import Counter
from typing import Union

import msgspec
import pytest

from drivers import cards, events, shoe, shuffler
from drivers.cards import CardDrawn, CardPushedBack, CardUnread, TwoDrawn
from firmware_specs.cards import DECK
from firmware_specs.messages.shuffler import Mode, State
from simulators.card_mouth import CannotDraw
from simulators.card_reader import MishapRates
from simulators.faults import Fault, Faults
from tests.drivers.card_source import ShufflerBench

RATES = MishapRates(unreadable=0.03, doubtful=0.03, twice=0.03, half=0.03, two=0.03)


class Soak:
    """A clumsy dealer at a bad machine on a bad line."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.bench = ShufflerBench(" ".join(DECK), seed=seed, rates=RATES)
        self.device = self.bench.device
        self.hands: list[str] = []
        self.faults = Faults.on_wire(self.bench.clock, self.bench.wire, self.device.link, "shuffler")
        self.faults.plan(Fault("shuffler", "drop", rate=0.03, seed=seed))
        self.faults.plan(Fault("shuffler", "corrupt", rate=0.03, seed=seed))

    def draw(self) -> None:
        try:
            self.device.draw(self.hold)
        except CannotDraw:
            self.bench.clock.run_for(1)
            if self.random.random() < 0.3:
                self.door()

    def hold(self, cards: tuple[str, ...]) -> None:
        self.hands += cards

    def discard(self) -> None:
        if not self.device._pulling:
            cards, self.hands = self.hands, []
            self.device.load(cards)

    def door(self) -> None:
        self.device.open_door()
        self.bench.clock.run_for(self.random.random())
        if self.device._jam is not None:
            self.hands += self.device.clear_jam()
        self.device.close_door()

    def jam(self) -> None:
        place = self.random.choice(("feed", "wheel", "mouth"))
        self.device.jam(place, recovers=self.random.random() < 0.5, after=self.random.randrange(3))  # type: ignore[arg-type]

    def mode(self) -> None:
        if self.device.state is not State.CHECKING:
            self.device.set_mode(self.random.choice(tuple(Mode)))
            self.bench.clock.run_for(self.random.random())
            self.device.set_mode(Mode.SHUFFLE)

    def check(self) -> None:
        self.bench.order("StartCheck", check=1, decks=1)

    def power(self) -> None:
        self.device.link.power_cycle(True, self.random.random())

    def run(self, steps: int) -> None:
        whims = [self.draw] * 30 + [self.discard] * 3 + [self.door, self.jam, self.mode, self.check, self.power]
        for _ in range(steps):
            self.random.choice(whims)()
            self.bench.clock.run_for(self.random.random() * 1.5)
            self.nothing_is_lost()
        self.faults.clear()
        self.bench.clock.run_for(20)
        self.door()
        self.discard()
        self.bench.clock.run_until(lambda: self.device.link.held == 0, 300)

    def nothing_is_lost(self) -> None:
        device = self.device
        everywhere = [*device.feed, *device.inside, *device.mouth, *device.stuck, *self.hands]
        assert Counter(everywhere) == Counter(DECK)


@pytest.mark.parametrize("seed", range(12))
def test_every_card_is_somewhere_and_every_draw_is_told_once(seed: int) -> None:
    soak = Soak(seed)
    soak.run(250)
    journal = soak.bench.journal
    draws: list[int] = []
    for event in journal.events:
        match event:
            case CardDrawn() | CardUnread():
                draws.append(event.draw)
            case TwoDrawn():
                draws += event.draws
            case CardPushedBack() if not event.told:
                draws.append(event.draw)
    assert draws == list(range(1, len(draws) + 1))
    assert len(draws) > 60
    assert not [event for event in journal.of(CardUnread) if event.why == "untold"]
    for drawn in journal.of(CardDrawn):
        assert drawn.card in soak.device.drawn


@pytest.mark.parametrize("seed", range(12))
def test_a_machine_that_was_put_right_has_no_trouble_left_and_deals(seed: int) -> None:
    soak = Soak(seed)
    soak.run(120)
    bench = soak.bench
    soak.device._jams_due.clear()
    soak.device.load(soak.device.take_out())
    bench.clock.run_for(60)
    assert bench.journal.troubles() == set()
    bench.unlock()
    before = len(soak.device.drawn)
    bench.deal(10)
    assert len(soak.device.drawn) > before


def test_every_event_of_shoe_and_shuffler_comes_back_from_a_journal_as_it_went_in() -> None:
    kinds = (*cards.EVENTS, *shoe.EVENTS, *shuffler.EVENTS, events.DeviceTrouble, events.DeviceTroubleOver)
    decode = msgspec.json.Decoder(Union[kinds]).decode  # noqa: UP007
    soak = Soak(3)
    soak.run(150)
    told = [event for event in soak.bench.journal.events if isinstance(event, kinds)]
    assert len({type(event) for event in told}) > 10
    assert [decode(msgspec.json.encode(event)) for event in told] == told
