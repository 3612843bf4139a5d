"""Hole cards stay unknown until they are tabled: no page, log, export or journal row tells one."""

from __future__ import annotations

import asyncio
import hashlib
import io
import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import structlog
from click.testing import CliRunner, Result

from controller import log
from controller.app import narrator
from controller.cards.events import CardsOpened
from controller.commands.journal import journal as journal_command
from controller.commands.unseal import in_play
from controller.core.effects import Uncovered
from controller.core.runtime import Told
from controller.games.poker.config import PokerSection
from controller.games.poker.game import PokerGame
from controller.journal import row as record
from controller.journal.file import JournalFile
from controller.people.staff import Member, Staff, with_pin, write_staff
from controller.pi.spare import copy_journal
from controller.rules.rulebook import load_rulebook
from controller.web.board import SECTIONS, Board
from firmware_specs.clock import VirtualClock
from lab.sim.config import default_config
from lab.sim.table import SimulatedTable
from simulators.decks import simulated_decks
from simulators.faults import Fault
from simulators.people.poker_habits import Habits

BOOK = "melbourne-poker"
TAGS = {tag: face for deck in simulated_decks() for tag, face in deck.items()}
HANDS = 25


BOOK = "melbourne-poker"
LADDER = load_rulebook(BOOK).ladder


def words_of(tag: int) -> list[bytes]:
    """Every way in which a tag could be written down."""
    little, big = tag.to_bytes(8, "little"), tag.to_bytes(8, "big")
    plain = [str(tag), f"{tag:x}", f"{tag:X}", little.hex(), big.hex()]
    return [*(word.encode() for word in plain), little, big]


class Watched:
    """A simulated poker table, and everything of it that anybody could see or keep."""

    def __init__(self, folder: Path) -> None:
        self.journal = folder / "table.sqlite"
        self.log = io.StringIO()
        log.setup(level="debug", json=True, stream=self.log)
        self.clock = VirtualClock()
        config = default_config("poker")
        config = msgspec.structs.replace(
            config, play=msgspec.structs.replace(config.own(PokerSection), side_wagers=True)
        )
        habits = Habits(6, 0.3, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1)
        self.table = SimulatedTable(config, self.journal, self.clock, 11, habits=habits)
        self.board: Board
        self.pages: list[bytes] = []
        self.opened: set[tuple[int, str]] = set()
        """Faces that lie open, by deal."""
        self.rows: list[tuple[int, bytes]] = []

    async def play(self) -> None:
        """A shift with a damaged line and a device that forgets; the pages belong to a running loop."""
        self.board = Board(self.table.runtime, {"name": "test"})
        self.table.runtime.watchers += [narrator(), self.told]
        self.table.start()
        self._until(3)
        # A damaged line is dumped into the log: that must not tell a card either.
        self.table.devices.plan(Fault.of({"device": "cards", "fault": "corrupt", "frames": 6}))
        self._until(HANDS // 2)
        self.table.devices.plan(Fault.of({"device": "cards", "fault": "reboot", "seconds": 1.0, "keep_memory": False}))
        self._until(HANDS)
        self.table.stop()
        self.board.close()

    def _until(self, hands: int) -> None:
        self.clock.run_until(lambda: self.table.shift.rounds >= hands, 7_200)

    @property
    def game(self) -> PokerGame:
        game = self.table.runtime.table.game
        assert isinstance(game, PokerGame)
        return game

    def told(self, told: Told) -> None:
        if isinstance(told.event, CardsOpened):
            self.opened |= {(self.game.deal, face) for _, face in told.event.cards}
        self.board._refresh()
        sections = self.board.body(SECTIONS)
        self.pages.append(sections)
        body = msgspec.json.encode(told.event) + b"".join(msgspec.json.encode(effect) for effect in told.effects)
        self.rows.append((self.game.deal, body))
        self.check_page(sections)

    def check_page(self, page: bytes) -> None:
        """A page names no card that does not lie open in this deal."""
        hidden = {face for face in TAGS.values() if (self.game.deal, face) not in self.opened}
        for face in hidden:
            assert f'"{face}"'.encode() not in page, f"a page names {face} while it lies face down"


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    before = structlog.get_config()
    one = Watched(tmp_path_factory.mktemp("secrecy"))
    asyncio.run(one.play())
    yield one
    structlog.configure(**before)


@pytest.mark.clause(BOOK, "8.7", "1.1 'Cards speak'", "1.1 'Hole cards'")
def test_no_tag_of_a_card_is_kept_or_shown_anywhere(watched: Watched) -> None:
    kept = {
        "journal": b"".join(path.read_bytes() for path in watched.journal.parent.glob("table.sqlite*")),
        "log": watched.log.getvalue().encode(),
        "pages": b"".join(watched.pages),
        "rows": b"".join(body for _, body in watched.rows),
    }
    assert kept["log"], "the damaged line was logged"
    for tag in TAGS:
        for word in words_of(tag):
            for place, octets in kept.items():
                assert word not in octets, f"the {place} holds a tag"


@pytest.mark.clause(BOOK, "8.7")
def test_a_face_enters_the_journal_only_with_the_cards_that_lie_open(watched: Watched) -> None:
    """Whatever names a card before it is opened would be a leak; the record of the deck's check is none."""
    opened: dict[int, set[str]] = {}
    for deal, body in watched.rows:
        event = json.loads(body[: body.index(b"}{") + 1] if b"}{" in body else body)
        known = opened.setdefault(deal, set())
        if event["type"] == "CardsOpened":
            known |= {face for _, face in event["cards"]}
        for face in TAGS.values():
            if face not in known:
                assert f'"{face}"'.encode() not in body, f"{event['type']} names {face} in deal {deal}"
    assert sum(len(faces) for faces in opened.values()) > 3 * HANDS


def test_only_cards_of_the_board_and_of_tabled_hands_were_opened(watched: Watched) -> None:
    file = JournalFile.read_only(watched.journal)
    orders: dict[str, tuple[str, ...]] = {}
    answered = 0
    for row in file.rows():
        kept = record.decode(row.body)
        orders |= {effect.order: effect.cards for effect in kept.effects if isinstance(effect, Uncovered)}
        if isinstance(kept.event, CardsOpened):
            answered += 1
            assert tuple(name for name, _ in kept.event.cards) == orders[kept.event.order]
    file.close()
    assert answered == len(orders) > 0


@pytest.mark.parametrize("arguments", [["show"], ["show", "--json"], ["export"], ["export", "--format", "csv"]])
def test_no_export_tells_a_card_that_was_not_opened(watched: Watched, arguments: list[str]) -> None:
    output = CliRunner().invoke(journal_command, [arguments[0], str(watched.journal), *arguments[1:]]).output
    assert output
    for tag in TAGS:
        for word in words_of(tag)[:5]:
            assert word.decode() not in output


def unseal(watched: Watched, folder: Path, key: Path, *more: str, by: str = "M1", pin: str = "2580") -> Result:
    """Look under the seals as a manager, or as somebody else."""
    known = Staff({"M1": Member("M1", "Max", {BOOK: LADDER[-1]}), "D1": Member("D1", "Dee", {BOOK: LADDER[0]})})
    write_staff(folder / "staff.json", with_pin(with_pin(known, "M1", "2580", bytes(16)), "D1", "2580", bytes(16)))
    words = ["unseal", str(watched.journal), "--key", str(key), "--by", by, "--reason", "a dispute"]
    return CliRunner().invoke(journal_command, [*words, "--staff", str(folder / "staff.json"), *more], input=f"{pin}\n")


@pytest.mark.parametrize(("by", "pin"), [("D1", "2580"), ("M1", "2581"), ("nobody", "2580")])
def test_only_a_supervisor_looks_under_the_seals(watched: Watched, tmp_path: Path, by: str, pin: str) -> None:
    told = unseal(watched, tmp_path, watched.journal.parent / "keys" / "cards.seal", "--json", by=by, pin=pin)
    assert told.exit_code == 1
    assert "deal" not in told.stdout


def test_whoever_looked_is_on_record_before_anything_is_shown(watched: Watched, tmp_path: Path) -> None:
    beside = watched.journal.with_name(watched.journal.name + ".unsealed")
    beside.unlink(missing_ok=True)
    key = watched.journal.parent / "keys" / "cards.seal"
    deal = next(card["deal"] for card in map(json.loads, unseal(watched, tmp_path, key, "--json").stdout.splitlines()))
    beside.unlink()
    first = unseal(watched, tmp_path, key, "--deal", str(deal), "--json")
    unseal(watched, tmp_path, key, "--json")
    lines = beside.read_bytes().splitlines(keepends=True)
    one, other = (json.loads(line) for line in lines)
    assert (one["by"], one["deal"], one["reason"]) == ("M1", deal, "a dispute")
    assert one["cards"] == len(first.stdout.splitlines()) > 0
    assert other["before"] == hashlib.sha256(lines[0]).hexdigest()
    beside.unlink()
    beside.symlink_to(tmp_path / "elsewhere")
    assert unseal(watched, tmp_path, key).exit_code == 1
    beside.unlink()


def test_the_hand_in_play_stays_sealed_for_everybody(watched: Watched, tmp_path: Path) -> None:
    """The same journal, cut off in the middle of every hand."""
    key = watched.journal.parent / "keys" / "cards.seal"
    cut = tmp_path / "cut.db"
    cards = [row.seq for row in JournalFile.read_only(watched.journal).rows() if b'"CardsMoved"' in row.body]
    seen: set[int] = set()
    for last in cards[:: max(1, len(cards) // 8)]:
        copy_journal(watched.journal, cut)
        with sqlite3.connect(cut) as connection:
            connection.execute("DELETE FROM entries WHERE seq > ?", (last,))
        connection.close()
        playing = in_play(cut)
        if playing is not None:
            seen.add(playing)
            one = Watched.__new__(Watched)
            one.journal = cut
            assert "being played" in unseal(one, tmp_path, key, "--deal", str(playing)).output
            told = unseal(one, tmp_path, key, "--json")
            assert playing not in {json.loads(line)["deal"] for line in told.stdout.splitlines()}
        cut.unlink()
    assert len(seen) > 1


def test_the_key_kept_for_disputes_tells_every_card_that_was_dealt(watched: Watched, tmp_path: Path) -> None:
    key = watched.journal.parent / "keys" / "cards.seal"
    found = unseal(watched, tmp_path, key, "--json")
    assert found.exit_code == 0, found.output
    cards: list[dict[str, Any]] = [json.loads(line) for line in found.stdout.splitlines()]
    by_deal: dict[int, list[str]] = {}
    for card in cards:
        by_deal.setdefault(card["deal"], []).append(card["card"])
        assert card["card"] in TAGS.values()
    assert len(by_deal) >= HANDS
    assert any(card["where"].startswith("seat") for card in cards)
    for deal, face in watched.opened:
        assert face in by_deal[deal]
    wrong = tmp_path / "wrong.seal"
    wrong.write_text("00" * 32)
    refused = unseal(watched, tmp_path, wrong)
    assert refused.exit_code == 1
    assert "does not open the seal" in refused.output
