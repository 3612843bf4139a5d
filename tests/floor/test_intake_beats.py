"""That a table says it is there: who may say it, what it tells of the clock, and that it counts once."""

from __future__ import annotations

import itertools
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import Engine, select

from controller.journal.file import JournalFile
from controller.uplink.messages import FORM, Address, Beat
from floor.intake import Intake
from floor.store.schema import FINDINGS
from tests.floor.tables import TABLE, WITNESS, findings, floor_at, heard, known, played

LATER = 2_000_000_000_000
"""After every row that these tables wrote."""
TICKS = itertools.count(LATER)


def engine_of(intake: Intake) -> Engine:
    return intake._engine


def taken(folder: Path, game: str) -> tuple[Intake, JournalFile]:
    """A floor that has all of a table's rows, and the table's own journal."""
    path, _ = played(game)
    intake = floor_at(folder, path)
    intake.take(heard(path))
    return intake, JournalFile.read_only(path)


def beaten(beat: Beat, address: Address, at: int = 0) -> Beat:
    """A beat as the table signs it."""
    beat = msgspec.structs.replace(beat, at=at or next(TICKS))
    return msgspec.structs.replace(beat, signature=TABLE.say(beat.words(address.origin)))


def test_somebody_else_cannot_say_that_a_table_is_there(tmp_path: Path) -> None:
    intake, journal = taken(tmp_path, "war")
    address, last = Address.of(journal.origin), journal.last_seq
    true = beaten(Beat(FORM, last, last, journal.hash_at(last)), address)
    assert intake.beaten(address, true, 1)
    forged = [
        msgspec.structs.replace(true, signature=b""),
        msgspec.structs.replace(true, at=true.at + 1),
        msgspec.structs.replace(true, last=last + 5, at=true.at + 1),
        beaten(true, Address("another", address.journal)),
        true,  # the same once more, as somebody kept it
    ]
    assert [intake.beaten(address, one, 100_000 * number) for number, one in enumerate(forged, 2)] == [False] * 5
    assert "strange_beat" in findings(engine_of(intake))
    with engine_of(intake).connect() as connection:
        assert connection.execute(select(FINDINGS.c.count).where(FINDINGS.c.code == "strange_beat")).scalar() == 5
    assert intake.beaten(address, beaten(true, address), 1_000_000)


def test_a_flood_of_strange_beats_is_told_once_a_minute(tmp_path: Path) -> None:
    intake, journal = taken(tmp_path, "war")
    address = Address.of(journal.origin)
    for _ in range(1_000):
        assert not intake.beaten(address, Beat(FORM, 1, 1, bytes(32)), 1_000_000)
    with engine_of(intake).connect() as connection:
        assert connection.execute(select(FINDINGS.c.count).where(FINDINGS.c.code == "strange_beat")).scalar() == 1


def test_a_table_that_says_its_journal_is_another_is_told(tmp_path: Path) -> None:
    intake, journal = taken(tmp_path, "wheel")
    address, last = Address.of(journal.origin), journal.last_seq
    intake.beaten(address, beaten(Beat(FORM, last + 9, last, journal.hash_at(last)), address), 1)
    intake.beaten(address, beaten(Beat(FORM, last, 50, journal.hash_at(50)), address), 1)
    assert findings(engine_of(intake)) == {}
    intake.beaten(address, beaten(Beat(FORM, last, 50, bytes(32)), address), 1)
    assert "at event 50 or before" in findings(engine_of(intake))["rewritten"]
    intake.beaten(address, beaten(Beat(FORM, 60, 60, journal.hash_at(60), "put back"), address), 1)
    assert "it has 60 events" in findings(engine_of(intake))["rolled_back"]


@pytest.mark.parametrize(("ahead", "said"), [(-3_600_000, "60 minutes behind"), (3_600_000, "60 minutes ahead of")])
def test_a_clock_that_is_off_is_told_by_the_table_s_beats_until_it_is_right(
    tmp_path: Path, ahead: int, said: str
) -> None:
    intake, journal = taken(tmp_path, "wheel")
    address, last, now = Address.of(journal.origin), journal.last_seq, LATER

    def beat(at: int, off: int) -> dict[str, str]:
        one = Beat(FORM, last, last, journal.hash_at(last))
        assert intake.beaten(address, beaten(one, address, at + off), at)
        return findings(engine_of(intake))

    assert beat(now, ahead) == {}  # one alone may have waited somewhere
    assert said in beat(now + 5_000, ahead)["clock"]
    assert "clock" in beat(now + 10_000, ahead)
    assert beat(now + 20_000, 0) == {}, "a clock that is right again is believed at once"
    assert beat(now + 25_000, 0) == {}
    journal.close()


def test_a_beat_counts_once_whatever_the_clocks_said_meanwhile_and_after_a_restart(tmp_path: Path) -> None:
    intake, journal = taken(tmp_path, "wheel")
    address, last = Address.of(journal.origin), journal.last_seq
    wrote = next(iter(journal.rows(last, last))).at
    one = Beat(FORM, last, last, journal.hash_at(last))
    ahead, right = (beaten(one, address, wrote + each) for each in (3_700_000, 100_000))
    assert intake.beaten(address, ahead, wrote + 95_000)
    assert intake.beaten(address, right, wrote + 100_000)
    for kept in (ahead, right):
        assert not intake.beaten(address, kept, wrote + 101_000)
        assert not intake.beaten(address, kept, wrote + 3_701_000)
    told = findings(engine_of(intake))["strange_beat"]
    assert "its clock was set back, or somebody sends again" in told
    again = Intake(engine_of(intake), known(played("wheel")[0]), WITNESS)
    assert not again.beaten(address, beaten(one, address, wrote - 1), wrote + 4_000_000), "older than its last row"
    assert again.beaten(address, beaten(one, address, wrote + 4_000_000), wrote + 4_000_000)
    journal.close()


def test_beats_that_waited_for_the_network_and_come_at_once_accuse_no_clock(tmp_path: Path) -> None:
    intake, journal = taken(tmp_path, "wheel")
    address, last, now = Address.of(journal.origin), journal.last_seq, LATER
    for number, made in enumerate(range(now, now + 120_000, 5_000)):
        said = Beat(FORM, last, last, journal.hash_at(last))
        assert intake.beaten(address, beaten(said, address, made), now + 200_000 + number)
    assert findings(engine_of(intake)) == {}
    journal.close()
