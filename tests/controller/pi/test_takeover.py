"""A table is taken over from a stick with backups or from a dead machine's card, and from nothing else."""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from controller import kept_file
from controller.config.file import check_config
from controller.journal.file import JournalFile
from controller.journal.head import PublicKey, read_public_key
from controller.pi.evidence import EvidenceTrouble
from controller.pi.spare import backup
from controller.pi.takeover import ASIDE, newest_backup, take_over
from tests.controller.pi.days import NOON
from tests.standing import tablectl


@pytest.fixture
def stick(tmp_path: Path) -> Path:
    (tmp_path / "stick").mkdir()
    return tmp_path / "stick"


@pytest.fixture
def spare(tmp_path: Path) -> Path:
    """A spare machine as the installer leaves it."""
    (tmp_path / "spare" / "data").mkdir(parents=True)
    (tmp_path / "spare" / "table.toml").write_text("# as the installer left it\n")
    return tmp_path / "spare" / "table.toml"


@pytest.fixture
def card(played: Path, spare: Path, tmp_path: Path) -> Path:
    """The card of the table that has played, where every path is that of the machine it was in."""
    there = tmp_path / "card" / spare.parent.relative_to("/")
    there.mkdir(parents=True)
    shutil.copytree(tmp_path / "data", there / "data")
    shutil.copy(played, there / "table.toml")
    return tmp_path / "card"


def own(card: Path, spare: Path) -> Path:
    return card / spare.parent.relative_to("/")


def signed(played: Path) -> PublicKey:
    text = re.sub(r"^\[table\]", '[table]\nsigning_key = "table.key"', played.read_text(), flags=re.MULTILINE)
    played.write_text(text)
    return read_public_key(tablectl("evidence", "key", "--config", played).output.strip())


def last(journal: Path) -> int:
    file = JournalFile.read_only(journal)
    file.close()
    return file.last_seq


def test_the_newest_backup_on_a_stick_is_taken(played: Path, spare: Path, stick: Path) -> None:
    for hours in (5, 9, 7):
        backup(played, stick, NOON + hours * 3_600_000)
    found = newest_backup(stick)
    assert found is not None
    assert json.loads((found / "backup.json").read_text())["at"] == NOON + 9 * 3_600_000
    assert take_over(stick, spare, NOON).events == last(spare.parent / "data" / "table.db")


def test_a_stick_with_backups_of_two_tables_is_not_guessed_at(played: Path, spare: Path, stick: Path) -> None:
    backup(played, stick, NOON)
    played.write_text(played.read_text().replace('name = "Big Wheel 1"', 'name = "Big Wheel 2"'))
    backup(played, stick, NOON)
    with pytest.raises(EvidenceTrouble, match="backups of Big Wheel 1 and Big Wheel 2; name the folder of yours"):
        take_over(stick, spare, NOON)
    assert take_over(next(stick.glob("big-wheel-2-*")), spare, NOON).table == "Big Wheel 2"


def test_a_card_is_taken_as_it_was_left_and_is_only_read(card: Path, spare: Path) -> None:
    before = {path: path.read_bytes() for path in card.rglob("*") if path.is_file()}
    done = take_over(card, spare, NOON)
    assert done.events == last(own(card, spare) / "data" / "table.db")
    assert check_config(spare).table.name == "Big Wheel 1"
    assert {path.name for path in (spare.parent / "data" / "keys").iterdir()} >= {"WS-0001.key"}
    assert {path: path.read_bytes() for path in before} == before
    assert not list((spare.parent / "data").glob(f"{ASIDE}*"))


def test_a_card_proves_itself_by_the_key_on_it(played: Path, spare: Path, card: Path, tmp_path: Path) -> None:
    key = signed(played)
    shutil.copy(played, own(card, spare) / "table.toml")
    with pytest.raises(EvidenceTrouble, match="holds no key of its table"):
        take_over(card, spare, NOON, key=key)
    shutil.copy(tmp_path / "table.key", own(card, spare) / "table.key")
    with pytest.raises(EvidenceTrouble, match="not of the table of this key"):
        take_over(card, spare, NOON, key=key._replace(octets=bytes(32)))
    assert list((spare.parent / "data").iterdir()) == []
    take_over(card, spare, NOON, key=key)
    assert (spare.parent / "table.key").read_text() == (tmp_path / "table.key").read_text()
    assert (spare.parent / "table.key").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("name", ["data/keys/WS-0001.key", "data/table.db", "data/keys", "table.toml"])
def test_a_link_on_a_card_is_not_followed(card: Path, spare: Path, tmp_path: Path, name: str) -> None:
    at = own(card, spare) / name
    elsewhere = tmp_path / "elsewhere"
    at.rename(elsewhere)
    at.symlink_to(elsewhere)
    with pytest.raises(EvidenceTrouble, match="a link, and no table's card has one there"):
        take_over(card, spare, NOON)
    assert list((spare.parent / "data").iterdir()) == []


def test_what_is_neither_backup_nor_card_is_told(spare: Path, stick: Path) -> None:
    (stick / "holiday.jpg").write_bytes(b"\xff\xd8")
    with pytest.raises(EvidenceTrouble, match="no backup, and no card of a table"):
        take_over(stick, spare, NOON)
    with pytest.raises(EvidenceTrouble, match="plug in and mount"):
        take_over(stick / "not there", spare, NOON)


@pytest.mark.parametrize("step", range(1, 5))
def test_after_a_cut_in_the_middle_the_same_command_goes_through(
    played: Path, spare: Path, stick: Path, tmp_path: Path, mocker: MockerFixture, step: int
) -> None:
    (tmp_path / "data" / "staff.json").write_text("{}")
    (tmp_path / "data" / "staff.key").write_text("ab" * 32)
    done = backup(played, stick, NOON)
    placed = iter(range(1, 9))
    put = kept_file.put

    def cut(path: Path, octets: bytes, mode: int, owner: os.stat_result) -> None:
        if next(placed) == step:
            path.with_name(path.name + ".new").write_bytes(octets[:3])
            raise KeyboardInterrupt
        put(path, octets, mode, owner)

    mocker.patch.object(kept_file, "put", cut)
    with pytest.raises(KeyboardInterrupt):
        take_over(stick, spare, NOON)
    assert not (spare.parent / "data" / "table.db").exists(), "without a journal nobody plays on half a table"
    mocker.stopall()
    assert take_over(stick, spare, NOON).events == done.events
    assert (spare.parent / "data" / "staff.key").read_text() == "ab" * 32


def test_people_and_keys_of_another_table_are_not_mixed_in(played: Path, spare: Path, stick: Path) -> None:
    backup(played, stick, NOON)
    (spare.parent / "data" / "keys").mkdir()
    (spare.parent / "data" / "keys" / "WS-0001.key").write_text("ef" * 32)
    with pytest.raises(EvidenceTrouble, match=r"WS-0001\.key: is there already; move it aside"):
        take_over(stick, spare, NOON)


def test_no_stick_writes_what_roots_own_timers_read(played: Path, spare: Path, stick: Path, tmp_path: Path) -> None:
    (tmp_path / "upkeep.conf").write_text("LD_PRELOAD=/tmp/somebodys.so\n")
    played.write_text(played.read_text() + '\n[people]\nplayers = "upkeep.conf"\n')
    (tmp_path / "data" / "staff.key").write_text("ab" * 32)
    backup(played, stick, NOON)
    with pytest.raises(EvidenceTrouble, match="nothing was restored"):
        take_over(stick, spare, NOON)
    assert not (spare.parent / "upkeep.conf").exists()


def test_the_keys_to_the_floor_come_along_and_the_table_starts(
    played: Path, spare: Path, stick: Path, tmp_path: Path
) -> None:
    (tmp_path / "uplink.nk").write_text("SUAKEY")
    (tmp_path / "floor.pem").write_text("a certificate")
    (tmp_path / "scrape").write_text("a long random word")
    uplink = '[uplink]\nservers = ["tls://floor.house:4222"]\nnkey = "uplink.nk"\nca = "floor.pem"\n'
    played.write_text(f'{played.read_text()}\n{uplink}[metrics]\ntoken = "scrape"\n')
    backup(played, stick, NOON)
    take_over(stick, spare, NOON)
    assert check_config(spare).uplink is not None, "every file that it names is there"
    assert (spare.parent / "uplink.nk").stat().st_mode & 0o077 == 0
