"""The tree over a journal, its heads and who signs them, held against others who know the same forms."""

from __future__ import annotations

import hashlib
import random
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner
from pymerkle import InmemoryTree
from pytest_mock import MockerFixture

from controller.commands import main
from controller.config.types import TableConfig
from controller.journal.file import Entry, JournalFile, JournalTrouble, Stub
from controller.journal.head import (
    Head,
    HeadTrouble,
    Note,
    Signature,
    TableKey,
    make_key,
    read_head,
    read_key,
    read_note,
    read_public_key,
)
from controller.journal.heads import HeadKeeper, against_kept, kept, kept_at, put
from controller.journal.tree import Tree, leaf
from lab.sim.config import default_config

SIZES = [0, 1, 2, 3, 5, 8, 255, 256, 257, 511, 512, 700]


def entry(seq: int) -> Entry:
    return Entry(1000 + seq, b'{"event":%d}' % seq)


def judged(size: int) -> bytes:
    """The root as an independent library computes it."""
    tree = InmemoryTree(algorithm="sha256")
    for seq in range(1, size + 1):
        tree.append_entry(b"%d|%d|%b" % (seq, 1000 + seq, entry(seq).body))
    root: bytes = tree.get_root()
    return root


@pytest.mark.parametrize("size", SIZES)
def test_the_root_is_that_of_rfc_6962(size: int) -> None:
    tree = Tree()
    for seq in range(1, size + 1):
        tree.add(leaf(seq, 1000 + seq, entry(seq).body))
    assert tree.root() == judged(size)


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal of some subtrees, written in pieces of all sizes."""
    path = tmp_path_factory.mktemp("long") / "table.sqlite"
    journal = JournalFile.open(path, "T1", durable=False)
    draw, seq = random.Random(3), 0
    while seq < 700:
        count = min(draw.choice([1, 1, 1, 2, 40]), 700 - seq)
        journal.append([entry(seq + 1 + each) for each in range(count)])
        seq += count
    journal.close()
    return path


@pytest.mark.parametrize("size", SIZES)
def test_a_journal_finds_the_root_of_any_of_its_sizes(long: Path, size: int) -> None:
    assert JournalFile.read_only(long).tree_at(size).root() == judged(size)


def test_a_journal_goes_on_with_its_tree_after_a_restart(long: Path, tmp_path: Path) -> None:
    path = tmp_path / "table.sqlite"
    path.write_bytes(long.read_bytes())
    for seq in range(701, 780):
        journal = JournalFile.open(path, "T1", durable=False)
        journal.append([entry(seq)])
        journal.close()
    file = JournalFile.read_only(path)
    assert file.verify() == 779
    assert file.tree_at(779).root() == judged(779)


def test_rows_that_were_removed_stay_in_the_tree(long: Path, tmp_path: Path) -> None:
    path = tmp_path / "table.sqlite"
    path.write_bytes(long.read_bytes())
    journal = JournalFile.open(path, "T1", durable=False)
    head = journal.head()
    journal.remove_before(Stub(300, journal.hash_at(300)))
    journal.append([entry(701)])
    assert journal.verify() == 401
    assert journal.head().root == judged(701)
    journal.prove(head)
    with pytest.raises(JournalTrouble, match="give a head that is newer"):
        journal.prove(Head(head.origin, 299, judged(299)))
    journal.close()
    again = JournalFile.open(path, "T1", durable=False)
    assert again.head().root == judged(701)
    again.close()


def test_a_journal_of_before_there_was_a_tree_gets_one_with_its_next_row(tmp_path: Path) -> None:
    path = tmp_path / "table.sqlite"
    journal = JournalFile.open(path, "T1", durable=False)
    journal.append([entry(seq) for seq in range(1, 601)])
    execute = journal._connection.execute
    execute("DROP TABLE tree")
    execute("DELETE FROM meta WHERE key = 'id'")
    execute("UPDATE meta SET value = '2' WHERE key = 'schema'")
    journal.close()
    assert JournalFile.read_only(path).verify() == 600
    assert JournalFile.read_only(path).tree_at(600).root() == judged(600)
    journal = JournalFile.open(path, "T1", durable=False)
    journal.append([entry(601)])
    assert journal.verify() == 601
    assert journal.head().root == judged(601)
    journal.close()


def test_a_subtree_that_was_altered_or_is_gone_is_found(long: Path, tmp_path: Path) -> None:
    path = tmp_path / "table.sqlite"
    for sql in ("UPDATE tree SET hash = zeroblob(32) WHERE place = 1", "DELETE FROM tree WHERE place = 1"):
        path.write_bytes(long.read_bytes())
        journal = JournalFile.open(path, "T1", durable=False)
        journal._connection.execute(sql)
        journal.close()
        with pytest.raises(JournalTrouble, match="event 512 or one shortly before it is not the one in the tree"):
            JournalFile.read_only(path).verify()


def test_a_row_that_the_database_swallows_is_no_row_on_disk(tmp_path: Path) -> None:
    journal = JournalFile.open(tmp_path / "table.sqlite", "T1")
    journal._connection.execute("CREATE TRIGGER quiet BEFORE INSERT ON entries BEGIN SELECT RAISE(IGNORE); END")
    for entries in ([entry(1)], [entry(1), entry(2)]):
        with pytest.raises(Exception, match="the database took"):
            journal.append(entries)
    assert journal.last_seq == 0
    journal.close()


def test_the_journal_of_another_table_is_not_played_on(tmp_path: Path) -> None:
    JournalFile.open(tmp_path / "table.sqlite", "T1").close()
    with pytest.raises(JournalTrouble, match="the journal of T1, and this is T2"):
        JournalFile.open(tmp_path / "table.sqlite", "T2")


# -- heads as text -------------------------------------------------------------------------------------------------

HEAD = Head("tablectl/t1/0011223344556677", 12, bytes(range(32)))
SEED = bytes(range(32))


def test_a_head_is_three_lines_and_a_line_a_signature() -> None:
    note = TableKey(SEED).sign(HEAD)
    lines = note.text().split("\n")
    assert lines[:4] == [HEAD.origin, "12", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=", ""]
    assert lines[4].startswith(f"— {HEAD.origin} ")
    assert read_note(note.text()) == note


def test_a_key_as_others_publish_it_is_read_and_its_signature_believed() -> None:
    """The example that the documentation of Go's package for signed notes shows."""
    key = read_public_key("PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW")
    text = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n"
    octets = "x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM="
    signature = read_note(f"a\n0\n{'A' * 43}=\n\n— PeterNeumann {octets}\n").signatures[0]

    class Quoted(Head):
        def text(self) -> str:
            return text

    assert key.signed(Note(Quoted("a", 0, bytes(32)), (signature,)))
    assert not key.signed(Note(HEAD, (signature,)))


def test_a_signature_holds_for_this_head_and_this_journal_only(tmp_path: Path) -> None:
    key = make_key(tmp_path / "table.key", HEAD.origin, SEED)
    public = read_public_key(key.public(HEAD.origin).text())
    note = key.sign(HEAD)
    assert public.signed(note)
    for other in (HEAD._replace(size=13), HEAD._replace(root=bytes(32)), HEAD._replace(origin="tablectl/t2/00")):
        assert not public.signed(note._replace(head=other))
    assert not public.signed(Note(HEAD))
    assert not public.signed(Note(HEAD, (Signature(HEAD.origin, public.id, bytes(64)),)))
    witness = Signature("witness", b"1234", b"x" * 72)
    assert public.signed(Note(HEAD, (witness, *note.signatures))), "others may sign, too"


def test_a_key_is_made_once_and_read_by_its_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "table.key"
    made = make_key(path, HEAD.origin, SEED)
    assert path.stat().st_mode & 0o777 == 0o600
    assert read_key(path).public("t") == made.public("t")
    with pytest.raises(HeadTrouble, match="is there already"):
        make_key(path, HEAD.origin, SEED)
    with pytest.raises(HeadTrouble, match="cannot be read"):
        read_key(tmp_path / "none.key")
    path.write_text("hello")
    with pytest.raises(HeadTrouble, match=r"not (as it was written|the key of a table)"):
        read_key(path)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "t1\n12\n",
        "t1\n012\n" + "A" * 43 + "=\n",
        "t1\n-1\n" + "A" * 43 + "=\n",
        "t 1\n1\n" + "A" * 43 + "=\n",
        "t1\n1\nAAAA\n",
        "t1\n1\n" + "A" * 43 + "=\nmore\n",
        "t1\n1\n" + "A" * 43 + "=\n\nsigned by me\n",
        "t1\n1\n" + "A" * 43 + "=\n\n— t1 !!\n",
        "t1\n1\n" + "A" * 43 + "=\n\n— t1 AAAA\n",
        "t1\n1\n" + "A" * 20_000,
    ],
)
def test_what_is_no_head_is_refused_in_words(text: str) -> None:
    with pytest.raises(HeadTrouble, match=r"head.*;"):
        read_note(text)


# -- heads on their way out ----------------------------------------------------------------------------------------


def table(tmp_path: Path) -> TableConfig:
    config = default_config("wheel")
    (tmp_path / "stick").mkdir()
    section = msgspec.structs.replace(
        config.table, heads=str(tmp_path / "stick"), signing_key=str(tmp_path / "table.key"), name="T1"
    )
    return msgspec.structs.replace(config, table=section)


def test_the_newest_head_is_signed_shown_and_kept_on_another_medium(tmp_path: Path) -> None:
    config = table(tmp_path)
    journal = JournalFile.open(tmp_path / "table.sqlite", "T1")
    key = make_key(tmp_path / "table.key", journal.origin, SEED)
    keeper = kept(journal, config)
    for seq in range(1, 100):
        journal.append([entry(seq)])
    journal.append([entry(100)._replace(snapshot=b"the end")])
    keeper.close()
    path = kept_at(config)
    assert path is not None
    note = read_head(path)
    assert note.head == journal.head()
    assert note.head.size == 100
    assert keeper.newest == note
    assert key.public(journal.origin).signed(note)
    assert against_kept(journal, config) == ""
    journal.close()


def test_a_medium_that_is_not_there_keeps_nobody_waiting_and_is_told_once(
    tmp_path: Path, mocker: MockerFixture
) -> None:
    logged = mocker.patch("controller.journal.heads.log.error")
    keeper = HeadKeeper(None, tmp_path / "gone" / "t1.head")
    keeper._keep(HEAD)
    keeper._keep(HEAD._replace(size=13))
    keeper.close()
    assert logged.call_count == 1
    assert "cannot be kept there" in keeper.failed
    assert keeper.newest == Note(HEAD._replace(size=13))


def test_a_kept_head_that_differs_is_told_and_never_overwritten(tmp_path: Path) -> None:
    config = table(tmp_path)
    journal = JournalFile.open(tmp_path / "table.sqlite", "T1")
    make_key(tmp_path / "table.key", journal.origin, SEED)
    path = kept_at(config)
    assert path is not None
    put(Note(Head(journal.origin, 5, hashlib.sha256(b"other").digest())), path)
    before = path.read_bytes()
    journal.append([entry(seq) for seq in range(1, 8)])
    told = against_kept(journal, config)
    assert "event 5 or an earlier one is not what it was" in told
    assert str(path) in told
    keeper = kept(journal, config, differs=True)
    journal.append([entry(8)._replace(snapshot=b"x")])
    keeper.close()
    assert path.read_bytes() == before
    journal.close()


def test_a_table_whose_key_stayed_on_another_machine_plays_on_with_unsigned_heads(
    tmp_path: Path, mocker: MockerFixture
) -> None:
    logged = mocker.patch("controller.journal.heads.log.error")
    config = table(tmp_path)
    journal = JournalFile.open(tmp_path / "table.sqlite", "T1")
    keeper = kept(journal, config)
    journal.append([entry(1)._replace(snapshot=b"x")])
    keeper.close()
    assert keeper.newest == Note(journal.head())
    assert logged.call_args.args == ("no_signing_key",)
    journal.close()


def test_a_head_is_printed_and_checked_from_the_command_line(long: Path, tmp_path: Path) -> None:
    key = make_key(tmp_path / "table.key", JournalFile.read_only(long).origin, SEED)
    printed = CliRunner().invoke(main, ["journal", "head", str(long), "--key", str(tmp_path / "table.key")])
    assert printed.exit_code == 0, printed.output
    (tmp_path / "kept.head").write_text(printed.output)
    assert key.public(read_note(printed.output).head.origin).signed(read_note(printed.output))
    words = ["journal", "verify", str(long), "--head", str(tmp_path / "kept.head")]
    checked = CliRunner().invoke(main, words)
    assert checked.exit_code == 0, checked.output
    assert "events up to 700 are those of the head kept outside" in checked.output
    assert "unproved" not in checked.output
