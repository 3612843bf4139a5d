"""A table moves to a spare machine with everything it is known by, and nothing of a journal is placed by half."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import random
import re
import shutil
import sqlite3
import time
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from controller import kept_file
from controller.config.file import check_config
from controller.devices import keys_of
from controller.journal.file import Entry, JournalFile, JournalTrouble
from controller.journal.row import decode
from controller.money.register import ChipClass, write_register
from controller.pi.evidence import EvidenceTrouble
from controller.pi.spare import backup, check_backup, copy_journal, restore
from drivers.events import DeviceUp
from lab.proofs.stage import Host
from tests.controller.pi.days import NOON
from tests.controller.pi.played import Played
from tests.standing import tablectl


@pytest.fixture(autouse=True)
def mounted(tmp_path: Path) -> None:
    """A stick and a share, as they are there when somebody has plugged them in."""
    (tmp_path / "out").mkdir()
    (tmp_path / "stick").mkdir()


@pytest.fixture
def spare(tmp_path: Path) -> Path:
    """A spare machine as the installer leaves it: its configuration and an empty data directory."""
    (tmp_path / "spare" / "data").mkdir(parents=True)
    (tmp_path / "spare" / "table.toml").write_text("# as the installer left it\n")
    return tmp_path / "spare" / "table.toml"


# --- backup and the spare machine ------------------------------------------------------------


def test_a_backup_is_taken_while_play_goes_on(tmp_path: Path) -> None:
    """The writer commits between every two pages of the copy and never waits; the copy is of one moment."""
    journal = JournalFile.open(tmp_path / "table.db", "T1")
    journal._connection.execute("PRAGMA busy_timeout=0")
    for number in range(50):
        journal.append([Entry(number, random.Random(number).randbytes(3000))])
    source = sqlite3.connect(f"file:{journal.path}?mode=ro", uri=True, isolation_level=None)
    copy = sqlite3.connect(tmp_path / "copy.db", isolation_level=None)
    source.execute("BEGIN")
    source.execute("SELECT max(seq) FROM entries").fetchone()
    left: list[int] = []

    def progress(status: int, remaining: int, total: int) -> None:
        left.append(remaining)
        journal.append([Entry(1000 + len(left), b"y" * 500)])

    source.backup(copy, pages=4, progress=progress, sleep=0)
    assert len(left) > 5
    copy.close()
    source.close()
    copied = JournalFile.read_only(tmp_path / "copy.db")
    assert (copied.verify(), copied.last_seq) == (50, 50)
    copy_journal(journal.path, tmp_path / "later.db")
    assert JournalFile.read_only(tmp_path / "later.db").verify() == 50 + len(left)


def test_a_table_moves_to_a_spare_machine_and_plays_on(table: Played, spare: Path, tmp_path: Path) -> None:
    config = table.stop()
    done = json.loads(tablectl("evidence", "backup", "--config", config, "--to", tmp_path / "stick", "--json").output)
    assert Path(done["folder"]).stat().st_mode & 0o077 == 0
    result = tablectl("evidence", "restore", done["folder"], "--config", spare, "--unproved")
    assert result.exit_code == 0, result.output
    assert spare.with_name("table.toml.before-restore").read_text() == "# as the installer left it\n"
    assert keys_of(check_config(spare)).key("WS-0001") == keys_of(check_config(config)).key("WS-0001")
    again = JournalFile.read_only(spare.parent / "data" / "table.db")
    assert (again.last_seq, again.hash_at(again.last_seq).hex()) == (done["events"], done["head"])
    again.close()
    table.host = table.controller(spare)
    assert table.play(2) > done["events"]
    assert losses(table.host) == []
    table.stop()
    assert JournalFile.read_only(spare.parent / "data" / "table.db").verify() > done["events"]


def test_everything_that_a_table_is_known_by_moves_with_it(played: Path, spare: Path, tmp_path: Path) -> None:
    """Keys of readers and seals, the chip register, the list of players: without one the spare would not play."""
    house, data = tmp_path / "house", tmp_path / "data"
    house.mkdir()
    write_register(house / "chips.register", [ChipClass("cash", 500)], [500], [(7, 0, 0)])
    (house / "players.csv").write_text("6011000990139424,P1042\n")
    text = played.read_text("utf-8") + '\n[people]\nplayers = "house/players.csv"\n'
    text = re.sub(r"^\[chips\]", '[chips]\nregister = "house/chips.register"', text, flags=re.MULTILINE)
    (data / "staff.json").write_text("{}")
    (data / "staff.key").write_text("ab" * 32)
    (data / "players.key").write_text("ef" * 32)
    (data / "keys" / "cards.seal").write_text("cd" * 32 + "\n")
    played.write_text(text, "utf-8")
    folder = Path(backup(played, tmp_path / "stick", NOON).folder)
    (spare.parent / "house").mkdir()
    (spare.parent / "house" / "players.csv").write_text("an older list\n")
    with pytest.raises(EvidenceTrouble, match="outside the table's data"):
        restore(folder, spare)
    assert list((spare.parent / "data").iterdir()) == []
    restore(folder, spare, also=(spare.parent / "house",))
    there = spare.parent
    assert (there / "data" / "staff.key").read_text() == "ab" * 32
    assert (there / "data" / "players.key").read_text() == "ef" * 32
    assert (there / "data" / "keys" / "cards.seal").read_text() == "cd" * 32 + "\n"
    assert (there / "house" / "chips.register").read_bytes() == (house / "chips.register").read_bytes()
    assert (there / "house" / "players.csv").read_text() == "6011000990139424,P1042\n"
    assert (there / "house" / "players.csv.before-restore").read_text() == "an older list\n"
    for name in (
        "data/staff.key", "data/players.key", "data/keys/cards.seal", "data/staff.json", "house/players.csv"
    ):  # fmt: skip
        assert (there / name).stat().st_mode & 0o077 == 0, name
    assert check_config(spare).table.name == check_config(played).table.name


def test_a_stick_that_is_not_plugged_in_is_told_and_not_made_up(played: Path, tmp_path: Path) -> None:
    before = time.strftime("%Y-%m-%d", time.localtime(NOON / 1000))
    for words in (["backup"], ["export", "--day", before, "--starts", "00:00"]):
        told = tablectl("evidence", *words, "--config", played, "--to", tmp_path / "gone")
        assert told.exit_code == 1
        assert "gone: is not there; plug in and mount what it is on" in told.output
        assert not (tmp_path / "gone").exists()


def losses(host: Host) -> list[str]:
    """The places whose device was said to have evidence that the journal has not."""
    rows = host.runtime.journal.rows()
    ups = [event for row in rows if isinstance(event := decode(row.body).event, DeviceUp)]
    return [event.device for event in ups if event.lost]


def test_a_spare_with_yesterdays_backup_is_told_that_evidence_is_missing(
    table: Played, spare: Path, tmp_path: Path
) -> None:
    """Taken during play; what came later is on no disk any more, and the devices know how much that was."""
    folder = Path(backup(table.config, tmp_path / "stick", NOON).folder)
    table.play(2)
    table.host.die()
    restore(folder, spare)
    table.host = table.controller(spare)
    table.clock.run_for(10)
    assert set(losses(table.host)) == {"wheel", "chips"}
    asked: list[int] = []
    wheel = table.host.runtime.drivers["wheel"]
    wheel.order = lambda number, *rest: asked.append(number)  # type: ignore[method-assign]
    table.host.runtime._order(5, "wheel", "anything", {})
    assert asked[0] > 1 << 27, "the number of this order may be one that the wheel has done already"


@pytest.mark.parametrize("at", range(5))
def test_a_stick_pulled_in_the_middle_of_a_backup_leaves_no_half_of_one(
    played: Path, tmp_path: Path, mocker: MockerFixture, at: int
) -> None:
    made, steps = kept_file.create, iter(range(99))

    def pulled(path: Path) -> int:
        if next(steps) == at:
            raise OSError(errno.EIO, "Input/output error", str(path))
        return made(path)

    mocker.patch.object(kept_file, "create", pulled)
    with pytest.raises(EvidenceTrouble, match=r"cannot be copied \(Input/output error\); check space and rights"):
        backup(played, tmp_path / "stick", NOON)
    assert list((tmp_path / "stick").iterdir()) == []
    mocker.stopall()
    assert backup(played, tmp_path / "stick", NOON).events > 0


def test_a_journal_that_is_already_there_is_never_overwritten(played: Path, tmp_path: Path) -> None:
    folder = backup(played, tmp_path / "stick", NOON).folder
    before = Path(check_config(played).table.journal).read_bytes()
    result = tablectl("evidence", "restore", folder, "--config", played, "--unproved")
    assert result.exit_code == 1
    assert "move it aside" in result.output
    assert Path(check_config(played).table.journal).read_bytes() == before


@pytest.mark.parametrize("harm", ["spoilt", "missing", "added"])
def test_a_damaged_backup_is_refused_and_nothing_is_placed(
    played: Path, spare: Path, tmp_path: Path, harm: str
) -> None:
    folder = Path(backup(played, tmp_path / "stick", NOON).folder)
    check_backup(folder)
    key = next((folder / "keys").iterdir())
    if harm == "spoilt":
        key.write_text("00" * 32)
    elif harm == "missing":
        key.unlink()
    else:
        shutil.copy(key, folder / "keys" / "other.key")
    with pytest.raises(EvidenceTrouble, match="take another backup"):
        restore(folder, spare)
    assert sorted(path.name for path in spare.parent.rglob("*")) == ["data", "table.toml"]


def test_a_spare_without_its_data_directory_is_told_what_to_do(played: Path, tmp_path: Path) -> None:
    folder = Path(backup(played, tmp_path / "stick", NOON).folder)
    with pytest.raises(EvidenceTrouble, match="data directory is not there"):
        restore(folder, tmp_path / "nowhere" / "table.toml")


# --- what somebody else's stick must not do ---------------------------------------------------


def resummed(folder: Path) -> None:
    """Check sums made to fit, as whoever changes a backup does."""
    names = sorted(path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("SHA256SUMS"))
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(folder)}\n" for path in names]
    (folder / "SHA256SUMS").write_text("".join(lines))


def below(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.mark.parametrize("wanted", ['journal = "{out}/table.db"', 'certificate = "{out}/web.crt"', 'staff = "{out}/x"',
                                    'certificate = "data/../../out/web.crt"'])  # fmt: skip
def test_a_stick_cannot_have_anything_written_outside_the_data_folder(
    played: Path, spare: Path, tmp_path: Path, wanted: str
) -> None:
    folder = Path(backup(played, tmp_path / "stick", NOON).folder)
    text = (folder / "table.toml").read_text()
    line = wanted.format(out=tmp_path / "out")
    key = line.partition(" ")[0]
    if key == "staff":
        text += f'\n[people]\nplayers = "{tmp_path}/out/x"\n'
        (folder / "players.csv").write_text("number\n6007\n")
    else:
        text = re.sub(rf"^{key} = .*\n", "", text, flags=re.MULTILINE)
        text = re.sub(r"^\[table\]", f"[table]\n{line}", text, flags=re.MULTILINE)
        if key == "certificate":
            text = text.replace(line, f'{line}\ncertificate_key = "data/web.key"')
            (folder / "web.crt").write_text("a certificate")
    (folder / "table.toml").write_text(text)
    resummed(folder)
    before = below(spare.parent)
    with pytest.raises(EvidenceTrouble, match=r"--also|--data"):
        restore(folder, spare)
    assert list((tmp_path / "out").iterdir()) == []
    assert below(spare.parent) == before


@pytest.mark.parametrize("name", ["journal.db", "keys/other.key", "table.toml"])
def test_a_link_on_a_stick_is_refused(played: Path, spare: Path, tmp_path: Path, name: str) -> None:
    folder = Path(backup(played, tmp_path / "stick", NOON).folder)
    secret = tmp_path / "out" / "secret"
    secret.write_bytes((folder / name).read_bytes() if (folder / name).exists() else b"root's own")
    (folder / name).unlink(missing_ok=True)
    (folder / name).symlink_to(secret)
    resummed(folder)
    with pytest.raises(EvidenceTrouble, match="a link"):
        restore(folder, spare)


@pytest.mark.parametrize("name", ["table.db.part", "keys", "screens.json", "screens.json.new"])
def test_a_link_laid_in_the_data_folder_is_not_written_through(
    played: Path, spare: Path, tmp_path: Path, name: str
) -> None:
    (tmp_path / "data" / "screens.json").write_text("{}")
    folder = Path(backup(played, tmp_path / "stick", NOON).folder)
    (tmp_path / "out" / "keys").mkdir()
    (tmp_path / "out" / "other").write_text("not the table's")
    at = spare.parent / "data" / name
    at.symlink_to(tmp_path / "out" / ("keys" if name == "keys" else "other"))
    with contextlib.suppress(EvidenceTrouble):
        restore(folder, spare)
    assert (tmp_path / "out" / "other").read_text() == "not the table's"
    assert list((tmp_path / "out" / "keys").iterdir()) == []


def test_a_changed_backup_does_not_pass_for_the_tables_own(played: Path, spare: Path, tmp_path: Path) -> None:
    text = re.sub(r"^\[table\]", '[table]\nsigning_key = "table.key"', played.read_text(), flags=re.MULTILINE)
    played.write_text(text)
    key = tablectl("evidence", "key", "--config", played).output.strip()
    folder = Path(backup(played, tmp_path / "stick", NOON).folder)
    words = ("evidence", "restore", folder, "--config", spare)
    assert tablectl(*words).exit_code == 2
    (folder / "keys" / "planted.key").write_text("00" * 32)
    resummed(folder)
    told = tablectl(*words, "--key", key)
    assert (told.exit_code, "not signed by the table" in told.output) == (1, True), told.output
    assert list((spare.parent / "data").iterdir()) == []
    (folder / "keys" / "planted.key").unlink()
    resummed(folder)
    assert tablectl(*words, "--key", key).exit_code == 0
    assert "signing" not in "".join(path.name for path in folder.rglob("*"))


def test_what_a_table_writes_is_private_whatever_the_umask(table: Played, tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        JournalFile.open(tmp_path / "data" / "other.db", "T").close()
        folder = Path(backup(table.stop(), tmp_path / "stick", NOON).folder)
    finally:
        os.umask(before)
    files = [*folder.rglob("*"), tmp_path / "data" / "other.db", tmp_path / "data" / "other.db.lock"]
    assert [path.name for path in files if path.stat().st_mode & 0o077] == []


@pytest.mark.parametrize("end", ["", ".lock", "-wal"])
def test_a_journal_is_not_opened_through_a_link(tmp_path: Path, end: str) -> None:
    victim = tmp_path / "victim"
    victim.write_text("not the table's")
    (tmp_path / f"table.db{end}").symlink_to(victim)
    with pytest.raises(JournalTrouble, match="link"):
        JournalFile.open(tmp_path / "table.db", "T")
    assert victim.read_text() == "not the table's"


def test_an_amended_rulebook_goes_with_the_table_before_its_time_has_come(
    played: Path, spare: Path, tmp_path: Path
) -> None:
    here = Path(check_config(played).table.journal).parent / "rulebooks"
    here.mkdir()
    (here / "given.toml").write_text("as it was given")
    done = backup(played, tmp_path / "stick", NOON)
    restore(Path(done.folder), spare)
    assert (spare.parent / "data" / "rulebooks" / "given.toml").read_text() == "as it was given"
