"""The rim of a poker table: what of the cards gets past it, the register they are known by, and who opens them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from controller.cards.events import CardBetween, CardDoubled, CardNotBetween, CardsCounted, CardSingle, CardsOpened
from controller.cards.seal import CUT, FACES, Seal, Sealer, read_deck
from controller.config.tomlread import ConfigError
from controller.core.effects import Noted, Uncovered
from controller.core.events import Chip, ChipsMoved, SignShown
from controller.core.runtime import Told
from controller.games.poker.game import PokerGame
from controller.journal.committer import Release
from controller.journal.file import Entry, JournalFile
from controller.money.dress import ChipRegister
from controller.people import Person
from drivers.card_antennas import (
    MUCK,
    CardOffEdge,
    CardOnEdge,
    CardPicture,
    CardsSeen,
    CardTwice,
    CardTwiceOver,
)
from drivers.events import DeviceUp
from firmware_specs.clock import VirtualClock
from lab.sim.devices import opened
from tests.controller.cards.sealed_cards import ACE, DECK, KEY, KING, OTHER, Game, moved, sealer
from tests.controller.games.poker.play import config

BOOK = "melbourne-poker"
CUTTING = 0xC07
FOREIGN = 0xBEEF


def clause(*named: str) -> Any:
    return pytest.mark.clause(BOOK, *named)


# -- names and seals --------------------------------------------------------------------------------------------------


@clause("8.7", "1.1 'Cards speak'")
def test_whatever_the_antennas_say_of_a_card_they_say_of_its_name() -> None:
    rim = sealer(Game())
    name = moved(rim, (ACE, 3)).added[0].card
    for said, told in (
        (CardOnEdge("cards", ACE, (3, 4)), CardBetween("cards", name, (3, 4))),
        (CardOffEdge("cards", ACE), CardNotBetween("cards", name)),
        (CardTwice("cards", ACE, (3, MUCK)), CardDoubled("cards", name, (3, MUCK))),
        (CardTwiceOver("cards", ACE), CardSingle("cards", name)),
        (CardOnEdge("cards", FOREIGN, (1, 2)), CardBetween("cards", "?beef", (1, 2))),
    ):
        assert rim.dress(said)[-1] == told


@clause("8.7", "1.1 'Cards speak'")
def test_a_card_leaves_under_a_name_even_if_this_process_never_saw_it_come() -> None:
    game = Game()
    game.salt = "aa"
    name = moved(sealer(game), (ACE, 3)).added[0].card
    assert moved(sealer(game), removed=((ACE, 3),)).removed == ((3, name),)


@clause("8.7", "1.1 'Cards speak'")
def test_a_whole_picture_takes_the_place_of_every_name_told_before() -> None:
    game = Game()
    game.salt = "aa"
    rim = sealer(game)
    old = moved(rim, (ACE, 3), (KING, 4)).added
    game.deal = 2
    counted = rim.dress(CardPicture("cards", ((KING, 4),)))[-1]
    assert isinstance(counted, CardsCounted)
    assert counted.deal == 2
    assert counted.cards[0].card != old[1].card
    gone = moved(rim, removed=((ACE, 3), (KING, 4)))
    assert gone.removed == ((3, Seal(KEY).name("aa", 2, ACE)), (4, counted.cards[0].card))


@clause("1.1 'Cutting card'", "8.7", "1.1 'Cards speak'")
def test_the_cutting_card_is_no_card_wherever_it_lies() -> None:
    game = Game()
    game.salt = "aa"
    rim = Sealer(KEY, {**DECK, CUTTING: CUT}, lambda: game, ChipRegister({}))
    counted = rim.dress(CardPicture("cards", ((ACE, 3), (CUTTING, 3), (KING, 4))))[-1]
    assert isinstance(counted, CardsCounted)
    assert [card.antenna for card in counted.cards] == [3, 4]
    seen = moved(rim, (CUTTING, 3), (ACE, MUCK), removed=((CUTTING, 4), (ACE, 3)))
    assert ([card.antenna for card in seen.added], [antenna for antenna, _ in seen.removed]) == ([MUCK], [3])
    assert rim.dress(CardOnEdge("cards", CUTTING, (3, 4)))[-1] == CardBetween("cards", "?c07", (3, 4))


# -- the register -----------------------------------------------------------------------------------------------------

LINES = [f"{tag:x},{face}" for tag, face in DECK.items()]
OTHERS = [f"{tag:x},{face}" for tag, face in OTHER.items()]


def register(path: Path, *lines: str) -> Path:
    file = path / "deck.csv"
    file.write_text("\n".join(lines), encoding="utf-8")
    return file


@clause("1.1 'Cutting card'")
def test_a_register_holds_a_deck_or_two_and_any_number_of_cutting_cards(tmp_path: Path) -> None:
    cutting = {CUTTING: CUT, 0xC08: CUT}
    lines = ["# the blue deck, new in May", "", *LINES[:20], "#", *(line.replace(",", " , ") for line in LINES[20:])]
    assert read_deck(register(tmp_path, *lines, "c07,CUT", "0xC08, CUT")) == {**DECK, **cutting}
    assert read_deck(register(tmp_path, *LINES, "c07,CUT", *OTHERS)) == {**DECK, **OTHER, CUTTING: CUT}


@clause("1.1 'Cutting card'")
@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ([*LINES[1:], "c07,CUT"], f"deck.csv: {FACES[0]} stands 0 times, not 1"),
        ([*LINES, "c07,As"], "deck.csv: As stands 2 times, not 1"),
        ([*LINES, *OTHERS[1:], "c07,CUT"], f"deck.csv: {FACES[0]} stands 1 times, not 2"),
        (["c07,CUT"], f"deck.csv: {FACES[0]} stands 0 times, not 1"),
        ([*LINES, "c07,CUT", LINES[0]], "deck.csv:54: this tag stands twice"),
        ([*LINES, "c07,Joker"], "deck.csv:53: a line is a tag and a card"),
        ([*LINES, "c07"], "deck.csv:53: a line is a tag and a card"),
        ([*LINES, "c07,CUT,old"], "deck.csv:53: a line is a tag and a card"),
        (["g07,CUT", *LINES], "deck.csv:1: 'g07' is no tag"),
        ([*LINES, "e0040150009a1001f,CUT"], "deck.csv:53: 'e0040150009a1001f' is no tag"),
    ],
)
def test_a_register_that_is_no_whole_deck_is_refused_by_its_line_and_a_cutting_card_makes_up_for_none(
    tmp_path: Path, lines: list[str], told: str
) -> None:
    with pytest.raises(ConfigError) as refused:
        read_deck(register(tmp_path, *lines))
    assert told in str(refused.value)


@clause("1.1 'Cutting card'")
def test_a_register_that_cannot_be_read_is_told_as_such(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        read_deck(tmp_path / "none.csv")
    spoilt = tmp_path / "spoilt.csv"
    spoilt.write_bytes(b"c07,\xff\xfe")
    with pytest.raises(ConfigError, match="save it as CSV in UTF-8"):
        read_deck(spoilt)


# -- opening what lies open -------------------------------------------------------------------------------------------


class SlowDisk:
    """A committer whose disk takes entries only when it is told to; what it has not taken is lost with the power."""

    def __init__(self, journal: JournalFile) -> None:
        self.journal = journal
        self.waiting: list[tuple[Entry, Release]] = []

    def add(self, entry: Entry, release: Release) -> None:
        self.waiting.append((entry, release))

    def commit(self, most: int = -1) -> None:
        while self.waiting and most:
            entry, release = self.waiting.pop(0)
            self.journal.append([entry])
            release()
            most -= 1

    def probe(self, release: Release) -> None:
        release()

    def close(self) -> None:
        self.journal.close()


class Rim:
    """A poker table at its runtime, without people or devices: antennas and keys are told by hand."""

    def __init__(self, folder: Path) -> None:
        self.clock = VirtualClock()
        self.runtime = opened(config(), folder / "table.sqlite", self.clock, ChipRegister({}), durable=False)
        self.disk = SlowDisk(self.runtime.journal)
        self.told: list[Told] = []
        self.runtime.watchers.append(self.told.append)
        self.runtime.start("test", config(), self.disk)

    @property
    def game(self) -> PokerGame:
        game = self.runtime.table.game
        assert isinstance(game, PokerGame)
        return game

    def press(self, key: str, rank: int = 1, **args: Any) -> None:
        self.runtime.command(key, Person(f"S{rank}", rank), args)

    def cards(self, *added: tuple[int, int], removed: tuple[tuple[int, int], ...] = ()) -> None:
        self.runtime.take(CardsSeen("cards", added, removed), None, None)

    def uncontested(self) -> dict[int, tuple[int, int]]:
        """A hand that the small blind gave up; the tags that lie at each seat."""
        for place in config().devices:
            self.runtime.submit(DeviceUp(place, place, f"{place}-1", "1.0.0"))
        self.press("open")
        self.runtime.submit(SignShown(self.runtime.table.state.sign))
        for seat in (1, 2):
            self.press("sit", seat=seat, player=f"P{seat}", amount=100_000)
        self.press("start_hand")
        for seat, blind in ((1, 500), (2, 1_000)):
            self.runtime.submit(ChipsMoved("chips", seat, (Chip(seat, "cash", blind),)))
        self.press("shuffled")
        self.press("cut")
        tags = list(DECK)
        for number, seat in enumerate((1, 2, 1, 2)):
            self.cards((tags[number], seat))
        self.press("fold", seat=1)
        assert self.game.machine.state == "award"
        return {1: (tags[0], tags[2]), 2: (tags[1], tags[3])}

    def name_of(self, tag: int) -> str:
        key = bytes.fromhex((self.runtime.journal.path.parent / "keys" / "cards.seal").read_text())
        return Seal(key).name(self.game.salt, self.game.deal, tag)

    def opened(self) -> list[CardsOpened]:
        return [told.event for told in self.told if isinstance(told.event, CardsOpened)]

    def looked_at(self) -> list[list[str]]:
        return [
            effect.facts["cards"]
            for told in self.told
            for effect in told.effects
            if isinstance(effect, Noted) and effect.what == "hand_looked_at"
        ]


@clause("8.7", "1.1 'Cards speak'")
def test_cards_are_opened_once_and_only_after_the_word_that_they_lie_open_is_on_disk(tmp_path: Path) -> None:
    rim = Rim(tmp_path)
    lying = rim.uncontested()
    rim.disk.commit()
    rim.press("lammer", seat=1, amount=500)
    rim.press("look", seat=2)
    rim.disk.commit(1)
    assert len(rim.disk.waiting) == 1  # nothing has answered yet
    rim.disk.commit()
    (order,) = [effect for told in rim.told for effect in told.effects if isinstance(effect, Uncovered)]
    names = [rim.name_of(tag) for tag in lying[2]]
    faces = [DECK[tag] for tag in lying[2]]
    assert list(order.cards) == names
    assert rim.opened() == [CardsOpened(order.order, tuple(zip(names, faces, strict=True)))]
    assert rim.looked_at() == [faces]
    rim.disk.close()


@clause("8.7", "1.1 'Cards speak'")
def test_a_restarted_table_opens_first_of_all_what_it_still_waits_for(tmp_path: Path) -> None:
    rim = Rim(tmp_path)
    lying = rim.uncontested()
    rim.press("look", seat=2)
    rim.disk.commit(len(rim.disk.waiting))  # the answer waits for the disk when the power goes
    rim.disk.close()
    again = Rim(tmp_path)
    assert again.opened() == []
    again.disk.commit(1)  # Started
    again.disk.commit(1)
    assert again.looked_at() == [[DECK[tag] for tag in lying[2]]]
    again.press("lammer", seat=1, amount=500)
    again.disk.commit()
    assert len(again.opened()) == 1
    again.disk.close()


@clause("8.7", "1.1 'Cards speak'")
def test_what_has_been_overtaken_before_it_was_on_disk_is_not_opened(tmp_path: Path) -> None:
    rim = Rim(tmp_path)
    lying = rim.uncontested()
    rim.disk.commit()
    rim.press("look", seat=2)
    rim.press("cancel_disruption", 2, reason="fire")
    rim.cards(removed=tuple((tag, seat) for seat, tags in lying.items() for tag in tags))
    rim.press("start_hand")
    assert rim.game.machine.state == "posting"
    rim.disk.commit()
    assert (rim.opened(), rim.looked_at()) == ([], [])
    rim.disk.close()
