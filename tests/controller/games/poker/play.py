"""A poker table for tests, without devices: cards and chips are put down, keys pressed, and the table concludes."""

from __future__ import annotations

from typing import Any

import msgspec

from controller.build import build_table
from controller.cards.events import CardsMoved, CardsOpened, SealBegun, Sealed
from controller.config.kept import plain
from controller.config.tomlread import Cents
from controller.config.types import TableConfig
from controller.core.effects import AnyEffect, Asked, Noted, Refused, Ruled, Settled, Uncovered
from controller.core.events import Chip, ChipsMoved, SignShown, Started, TimerDue
from controller.core.events import Command as Key
from controller.core.guarded import GuardedTable
from controller.games.poker.cards import DECK
from controller.games.poker.config import PokerSection, RakeSection
from controller.games.poker.game import PokerGame
from controller.games.poker.hand import expected
from controller.games.poker.positions import SeatFlags
from controller.journal import row as record
from controller.people import Person
from drivers.card_antennas import BOARD, BURN, MUCK
from drivers.events import DeviceUp
from lab.sim.config import default_config
from tests.controller.alarm_stories import no_flicker

CHIPS = (10_000, 2_500, 500, 250)


def config(**poker: Any) -> TableConfig:
    """A simulated poker table of nine seats without a shuffler, cents throughout."""
    base = default_config("poker")
    section = PokerSection(blinds=(Cents(500), Cents(1_000)), least_buy_in=Cents(10_000), rake=RakeSection(), **poker)
    limits = msgspec.structs.replace(base.limits, min=Cents(1_000), unit=Cents(500))
    devices = {place: device for place, device in base.devices.items() if device.kind != "shuffler"}
    return msgspec.structs.replace(
        base, play=section, limits=limits, devices=devices, seats=msgspec.structs.replace(base.seats, count=9)
    )


class PokerPlay:
    """One table and everything that happens at it; a refused event must change nothing."""

    def __init__(self, setup: TableConfig | None = None, deck: tuple[str, ...] = ()) -> None:
        self.config = setup or config()
        self.guarded = GuardedTable(self.config)
        self.at = 1_000_000
        self.effects: list[AnyEffect] = []
        self.told: list[AnyEffect] = []
        self.rows: list[tuple[int, msgspec.Struct]] = []
        self.tags = 100
        self.chips: dict[int, dict[int, int]] = {}
        self.deck = [*deck, *(card for card in DECK if card not in deck)]
        self.faces: dict[str, str] = {}
        self.lies: dict[str, int] = {}
        self.drawn = 0
        self.event(Started("test", plain(self.config)))
        for place in self.config.devices:
            self.event(DeviceUp(place, place, f"{place}-1", "1.0.0"))
        self.event(SealBegun("salt"))
        self.begin()

    def begin(self) -> None:
        """The table is opened."""
        self.press("open")
        self.event(SignShown(self.table.state.sign))
        assert self.table.state.life == "open", self.table.state.faults

    @property
    def table(self) -> Any:
        return self.guarded.table

    @property
    def game(self) -> PokerGame:
        game = self.guarded.table.game
        assert isinstance(game, PokerGame)
        return game

    @property
    def phase(self) -> str:
        return self.game.machine.state

    def event(self, event: msgspec.Struct) -> list[AnyEffect]:
        self.at += 50
        event = record.as_kept(event)
        before = self.stands()
        self.effects = self.guarded.apply(self.at, event)
        self.rows.append((self.at, event))
        self.told += self.effects
        no_flicker(self.effects)
        assert not any(code.startswith("error") for code in self.table.state.faults), self.table.state.faults
        if isinstance(event, Key) and self.effects and isinstance(self.effects[0], Refused):
            assert self.stands() == before, "a refused event changed the table"
        found = self.effects
        for effect in found:
            if isinstance(effect, Uncovered):
                self.event(CardsOpened(effect.order, tuple((name, self.faces[name]) for name in effect.cards)))
        return found

    def stands(self) -> Any:
        """Everything the table knows, but how much has happened since the last key (which may be taken back)."""
        saved = msgspec.json.decode(self.table.save())
        saved["table"].pop("pressed", None)
        return saved

    def press(self, key: str, rank: int = 1, **args: Any) -> list[AnyEffect]:
        return self.event(Key(key, Person(f"S{rank}", rank), args))

    def refused(self, key: str, rank: int = 1, **args: Any) -> Refused:
        found = self.press(key, rank, **args)
        assert found, "nothing was refused"
        assert isinstance(found[0], Refused), found
        return found[0]

    # -- people ------------------------------------------------------------------------------------------------

    def seat(self, *stacks: int) -> None:
        """Players P1, P2, … at seats 1, 2, … with these stacks in dollars."""
        for number, dollars in enumerate(stacks, start=1):
            self.press("sit", seat=number, player=f"P{number}", amount=dollars * 100)

    def put(self, area: int, cents: int, *, single: bool = False) -> None:
        """Chips onto an area; a placement on a line comes to rest after a moment, and hands rest a moment longer."""
        added = []
        left = cents
        while left:
            value = left if single else next((chip for chip in CHIPS if chip <= left), left)
            left -= value
            self.tags += 1
            added.append(self.chip(self.tags, value))
        self.chips.setdefault(area, {}).update({chip.tag: chip.cents for chip in added})
        self.event(ChipsMoved("chips", area, tuple(added)))
        self.settle(f"line:{area}")
        self.at += 1_000

    def chip(self, tag: int, cents: int) -> Chip:
        return Chip(tag, "cash", cents)

    def settle(self, timer: str) -> None:
        if timer in self.table.state.desk.timers:
            self.at = max(self.at, self.table.state.desk.timers[timer])
            self.event(TimerDue(timer))

    def lift(self, area: int) -> int:
        """Take everything off an area."""
        chips = self.chips.pop(area, {})
        if chips:
            self.event(ChipsMoved("chips", area, (), tuple(chips)))
        return sum(chips.values())

    def sweep(self) -> None:
        """Bring the wagers into the pot."""
        swept = {tag: cents for seat in range(1, 10) for tag, cents in self.chips.get(seat, {}).items()}
        for seat in range(1, 10):
            self.lift(seat)
        if swept:
            pot = self.game.layout.pot
            self.chips.setdefault(pot, {}).update(swept)
            self.event(ChipsMoved("chips", pot, tuple(self.chip(tag, cents) for tag, cents in swept.items())))

    # -- cards -------------------------------------------------------------------------------------------------

    def draw(self) -> str:
        """The next card's name; what its face is, the table does not know."""
        face = self.deck.pop(0)
        self.drawn += 1
        name = f"c{self.drawn}"
        self.faces[name] = face
        return name

    def lay(self, antenna: int, *names: str) -> None:
        removed = tuple((self.lies[name], name) for name in names if name in self.lies)
        self.lies.update(dict.fromkeys(names, antenna))
        added = tuple(Sealed(antenna, name, f"seal-{name}") for name in names)
        self.event(CardsMoved("cards", self.game.deal, added, removed))

    def take_up(self, *names: str) -> None:
        removed = tuple((self.lies.pop(name), name) for name in names if name in self.lies)
        self.event(CardsMoved("cards", self.game.deal, (), removed))

    def fold(self, seat: int) -> None:
        self.lay(MUCK, *[name for name, place in self.lies.items() if place == seat])

    # -- a hand ------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Blinds, shuffle, cut and hole cards."""
        self.gather()
        self.press("start_hand")
        assert self.game.state.hand is not None, self.effects
        self.post_and_deal()

    def post_and_deal(self) -> None:
        """The rest of it, once the hand is started."""
        for due in list(self.game.hand.dues):
            self.put(due.seat, min(due.amount, self.stack(due.seat)))
        self.press("shuffled")
        self.press("cut")
        self.deal()

    def gather(self) -> None:
        """Cards back into the deck."""
        self.take_up(*list(self.lies))
        self.deck += [face for face in self.faces.values() if face and face not in self.deck]
        self.faces.clear()

    def deal(self) -> None:
        while self.wanted().what == "card":
            self.lay(self.wanted().seats[0], self.draw())

    def wanted(self) -> Any:
        return expected(self.game.hand)

    def stack(self, seat: int) -> int:
        return next(player.stack for player in self.game.hand.betting.players if player.seat == seat)

    def street(self) -> None:
        """Burn and turn up what is due."""
        self.sweep()
        self.lay(BURN, self.draw())
        self.lay(BOARD, *[self.draw() for _ in range(self.wanted().amount)])
        self.press("turned_up")

    def check_down(self) -> None:
        """Everybody checks or calls with chips until the showdown."""
        while self.game.state.hand is not None and self.phase not in ("showdown", "award"):
            wanted = self.wanted()
            if wanted.what == "action":
                may = wanted.options
                if may.to_call:
                    self.put(may.seat, may.to_call)
                else:
                    self.press("check")
            elif wanted.what == "burn":
                self.street()
            elif wanted.what == "discard":
                for seat in wanted.seats:
                    name = next(name for name, place in self.lies.items() if place == seat)
                    self.lay(MUCK, name)
            else:
                raise AssertionError(wanted)

    def check_round(self) -> None:
        """Everybody checks until the round is over."""
        phase = self.phase
        while self.phase == phase:
            self.press("check")

    def show_all(self) -> None:
        while self.phase == "showdown":
            self.press("table_hand", seat=self.wanted().seats[0])

    def finish(self) -> Settled:
        """Show, push and drop; the settlement."""
        self.show_all()
        self.sweep()
        hand = self.game.hand
        rake = hand.rake
        self.lift(self.game.layout.pot)
        self.settle("push")
        if self.phase == "award":
            self.press("pushed", confirmed=True)
        if rake:
            self.put(self.game.layout.drop, rake)
            self.press("dropped")
            self.lift(self.game.layout.drop)
        return next(effect for effect in reversed(self.told) if isinstance(effect, Settled))

    def stacks(self) -> dict[int, int]:
        return {number: seat.stack for number, seat in self.game.state.seats.items()}

    def asked(self) -> Asked:
        (prompt,) = self.table.state.desk.prompts.values()
        assert isinstance(prompt, Asked)
        return prompt

    def answer(self, answer: str, rank: int = 3) -> None:
        self.press("answer", rank, prompt=self.asked().prompt, answer=answer)


def replayed(play: PokerPlay) -> bytes:
    """The table after the same events once more."""
    table = build_table(play.config)
    for seq, (at, event) in enumerate(play.rows, start=1):
        table.apply(seq, at, event)
    return table.save()


def told(**section: Any) -> TableConfig:
    """A table whose poker section says this and is silent about everything else it need not say."""
    base = config()
    return msgspec.structs.replace(base, play=msgspec.structs.replace(base.own(PokerSection), **section))


def noted(play: PokerPlay, what: str) -> list[tuple[dict[str, Any], tuple[str, ...]]]:
    """What was put on record under this name by the last event."""
    return [
        (effect.facts, effect.clauses) for effect in play.effects if isinstance(effect, Noted) and effect.what == what
    ]


def ruled(play: PokerPlay) -> list[Ruled]:
    return [effect for effect in play.effects if isinstance(effect, Ruled)]


def flags(play: PokerPlay, seat: int) -> SeatFlags:
    return play.game.state.seats[seat].flags


def fold_round(play: PokerPlay) -> None:
    """A hand that everybody gives up before the flop, to its end."""
    play.start()
    while play.phase == "bet1":
        play.fold(play.wanted().seats[0])
    play.finish()


def dealt_in(play: PokerPlay) -> list[int]:
    """The seats of the next hand, which is set up and called off again."""
    play.gather()
    play.press("start_hand")
    seats = sorted(player.seat for player in play.game.hand.betting.players)
    play.press("cancel_disruption", 2, reason="a test")
    return seats


def pennies(count: int = 9) -> TableConfig:
    """A table where one cent is the smallest chip and the smallest buy-in."""
    base = config()
    return msgspec.structs.replace(
        base,
        play=msgspec.structs.replace(base.own(PokerSection), least_buy_in=Cents(1)),
        limits=msgspec.structs.replace(base.limits, smallest_chip=Cents(1)),
        seats=msgspec.structs.replace(base.seats, count=count),
    )


HOUR_MS = 3_600_000


def by_the_hour(fee: int = 1_000) -> TableConfig:
    setup = config()
    return msgspec.structs.replace(
        setup, play=msgspec.structs.replace(setup.own(PokerSection), rake=RakeSection("time", fee=Cents(fee)))
    )


class Unread(PokerPlay):
    """A table whose opened cards are told only when the test says so."""

    reading = True

    def press(self, key: str, rank: int = 1, **args: Any) -> Any:
        if self.reading:
            return super().press(key, rank, **args)
        self.at += 50
        self.effects = self.guarded.apply(self.at, Key(key, Person(f"S{rank}", rank), args))
        self.told += self.effects
        return self.effects

    def read(self) -> None:
        """The faces of everything that waits to be opened."""
        for order, names in self.game.uncovered().items():
            self.event(CardsOpened(order, tuple((name, self.faces[name]) for name in names)))


def at_showdown(cards: tuple[str, ...] = ()) -> Unread:
    play = Unread(config(), cards)
    play.seat(1000, 1000, 1000, 1000)
    play.start()
    play.fold(3)
    play.check_down()
    assert play.phase == "showdown"
    play.reading = False
    return play


def opened(play: PokerPlay) -> list[tuple[str, ...]]:
    return [effect.cards for effect in play.effects if isinstance(effect, Uncovered)]
