"""A night that was rewritten by whoever owns disk and key is found by the head that was kept outside."""

from __future__ import annotations

import gzip
import hashlib
import json
from pathlib import Path

import pytest

from controller.core.guarded import GuardedTable
from controller.core.runtime import recover
from controller.journal.file import JournalFile
from controller.journal.head import make_key, read_head
from controller.journal.heads import put
from controller.pi.evidence import SUFFIX
from lab.proofs.redteam.forger import Forger
from lab.proofs.redteam.night import (
    ORIGINAL,
    Night,
    night_in,
    not_found,
    outside,
    stolen_copy,
    told_at_start,
    told_on_the_way,
    verify,
)
from lab.proofs.redteam.tampers import ONLY_ON_THE_WAY, TAMPERS, Tamper


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory) -> Night:
    return night_in(tmp_path_factory.mktemp("night"))


@pytest.fixture
def stolen(night: Night, tmp_path: Path) -> Forger:
    return stolen_copy(night, tmp_path)


@pytest.mark.parametrize("tamper", TAMPERS, ids=lambda tamper: tamper.__name__)
def test_a_journal_rewritten_with_everything_computed_again_is_found_by_the_head_outside_and_told_at_start(
    night: Night, tmp_path: Path, tamper: Tamper
) -> None:
    assert not_found(night, tamper, tmp_path) == []


@pytest.mark.parametrize("tamper", sorted(ONLY_ON_THE_WAY, key=str), ids=lambda tamper: tamper.__name__)
def test_what_no_start_sees_is_seen_by_whoever_follows_the_rows(night: Night, stolen: Forger, tamper: Tamper) -> None:
    tamper(stolen, night.size)
    assert told_at_start(stolen.path, night.config) == ""
    assert "evidence" in told_on_the_way(stolen.path)


def test_what_is_as_it_was_is_proved_up_to_the_head_and_what_came_later_is_named_unproved(night: Night) -> None:
    path = night.folder / ORIGINAL
    last = JournalFile.read_only(path).last_seq
    found = verify(path, "--head", str(outside(night.config)), "--key", night.key)
    assert found.exit_code == 0, found.output
    assert f"events up to {night.size} are those of the head kept outside" in found.output
    assert f"events {night.size + 1} to {last} are unproved" in found.output
    assert told_at_start(path, night.config) == ""
    assert f"events 1 to {last} are unproved" in verify(path).output


def test_events_removed_behind_a_right_stub_are_named_and_proved_by_nothing_but_their_exports(
    night: Night, stolen: Forger, tmp_path: Path
) -> None:
    """Whoever owns the machine can take a night away and say that it was exported."""
    exports = tmp_path / "exports"
    exports.mkdir()
    whole = exports / f"all{SUFFIX}"
    _exported(stolen.path, whole, 200)
    digest = hashlib.sha256(whole.read_bytes()).hexdigest()
    stolen.stand_for(200, [[whole.name, digest, 1, 200]])
    head = ("--head", str(outside(night.config)))
    found = verify(stolen.path, *head)
    assert "events 1 to 200 are not here, and unproved until their exports are looked at" in found.output
    assert f"1 to 200 in {whole.name}, sha256 {digest}" in found.output
    assert f"events 201 to {night.size} are those of the head kept outside" in found.output
    found = verify(stolen.path, *head, "--exports", str(exports))
    assert found.exit_code == 0, found.output
    assert f"events 1 to 200 were removed, and are those in {exports}" in found.output
    whole.unlink()
    found = verify(stolen.path, *head, "--exports", str(exports))
    assert found.exit_code == 1
    assert "not there, and events 1 to 200 were removed for it" in found.output


def test_exports_of_another_night_are_no_proof_though_the_stub_names_them(
    night: Night, stolen: Forger, tmp_path: Path
) -> None:
    exports = tmp_path / "exports"
    exports.mkdir()
    whole = exports / f"all{SUFFIX}"
    _exported(night.folder / "again.sqlite", whole, 200)
    stolen.stand_for(200, [[whole.name, hashlib.sha256(whole.read_bytes()).hexdigest(), 1, 200]])
    found = verify(stolen.path, "--head", str(outside(night.config)), "--exports", str(exports))
    assert found.exit_code == 1
    assert "are not the events 1 to 200 that were removed" in found.output


def _exported(journal: Path, to: Path, last: int) -> None:
    """The first events of a journal as an exported day holds them."""
    rows = list(JournalFile.read_only(journal).rows(1, last))
    head = {"gaming_day": 1, "table": "T", "day": "2026-01-01", "end": 0, "first": 1, "last": last, "before": "00" * 32}
    lines = [head, *({"seq": r.seq, "at": r.at, "body": r.body.decode(), "hash": r.hash.hex()} for r in rows)]
    to.write_bytes(gzip.compress(b"".join(json.dumps(line).encode() + b"\n" for line in lines)))


def test_what_is_changed_after_the_head_stays_among_the_unproved(night: Night, stolen: Forger) -> None:
    at, row = stolen.rows[-1]
    stolen.rows[-1] = (at + 1, row)
    stolen.write()
    found = verify(stolen.path, "--head", str(outside(night.config)))
    assert found.exit_code == 0, found.output
    assert f"events {night.size + 1} to {len(stolen.rows)} are unproved" in found.output


def test_a_forger_who_changes_nothing_is_not_found(night: Night, stolen: Forger) -> None:
    """Else the forger of these tests would be found for its own mistakes."""
    stolen.write()
    assert verify(stolen.path, "--head", str(outside(night.config))).exit_code == 0
    assert recover(GuardedTable(night.config), JournalFile.read_only(stolen.path), from_snapshot=False)


def test_a_head_that_the_table_did_not_sign_is_not_rested_on(night: Night, tmp_path: Path) -> None:
    forged = tmp_path / "forged.head"
    note = read_head(outside(night.config))
    other = make_key(tmp_path / "other.key", note.head.origin, bytes(32))
    put(other.sign(note.head), forged)
    found = verify(night.folder / ORIGINAL, "--head", str(forged), "--key", night.key)
    assert found.exit_code == 1
    assert "not signed with this table's key" in found.output
