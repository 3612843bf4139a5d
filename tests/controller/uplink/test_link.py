"""Rows reach the stream in order and once each, whatever breaks; the table waits for nothing of it."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from pathlib import Path

import pytest
from nats.aio.client import Client
from pytest_mock import MockerFixture

from controller.config.types import UplinkSection
from controller.journal.chain import Stub
from controller.journal.cosignature import WitnessKey
from controller.journal.file import GENESIS, JournalFile
from controller.journal.head import Head, Note, read_note
from controller.uplink import link
from controller.uplink.broker import Away, Broker
from controller.uplink.link import Uplink
from controller.uplink.messages import BEAT_SUBJECTS, Beat, decode
from lab.floor.line import Line
from lab.floor.server import NatsServer
from tests.uplinks import SEED, CutLine, Writer, ask, messages, prepared, rows_of, until

FLOOR = WitnessKey("floor.example", bytes(32))


def exact(writer: Writer, url: str) -> None:
    """Everything in the journal is in the stream, in order, once, and hangs together."""
    found = messages(url, writer.address)
    assert rows_of(found) == writer.rows()
    before = GENESIS
    for one in found:
        assert one.before == before
        before = one.hash
    assert before == writer.journal.hash_at(writer.journal.last_seq)


def test_rows_go_out_as_they_were_journalled_and_a_backlog_shares_messages(server: NatsServer, tmp_path: Path) -> None:
    writer = Writer(tmp_path, server.url)
    writer.write(2_500)
    writer.connect()
    until(writer.settled)
    writer.write(7)
    until(lambda: writer.sent(server.url))
    writer.close()
    exact(writer2 := reopened(writer), server.url)
    found = messages(server.url, writer2.address)
    assert 3 <= len(found) < 20
    writer2.close()


def reopened(writer: Writer) -> Writer:
    return Writer(writer.path.parent, writer.section.servers[0], writer.path.stem)


def test_a_head_goes_out_once_its_rows_have_and_never_before(server: NatsServer, tmp_path: Path) -> None:
    writer = Writer(tmp_path, server.url)
    writer.write(3_000)
    writer.connect()
    until(writer.settled)
    writer.write(100)
    until(lambda: writer.sent(server.url))
    writer.disconnect()
    upto, sizes = 0, []
    for one in messages(server.url, writer.address):
        upto = one.upto
        if one.note:
            note = read_note(one.note)
            assert note.head.size <= upto
            assert writer.key.public(writer.journal.origin).signed(note)
            sizes.append(note.head.size)
    assert sizes == sorted(set(sizes))
    assert sizes[-1] >= 3_072
    writer.close()


@pytest.mark.usefixtures("hasty")
def test_a_line_that_breaks_anywhere_loses_doubles_and_reorders_nothing(server: NatsServer, tmp_path: Path) -> None:
    line = CutLine(server.port, seed=7)
    writer = Writer(tmp_path, line.url)
    writer.connect()
    while line.count < 100:
        writer.write(3)
        before = line.count
        until(lambda: line.count > before or writer.settled())  # noqa: B023 - called before the next pass
    line.breaks = False
    until(lambda: writer.sent(server.url), 60)
    writer.disconnect()
    exact(writer, server.url)
    writer.close()
    line.close()


@pytest.mark.usefixtures("hasty")
def test_a_broker_killed_while_rows_come_has_them_all_when_it_is_back(tmp_path: Path) -> None:
    own = prepared(NatsServer(tmp_path / "broker"))
    writer = Writer(tmp_path, own.url)
    writer.connect()
    for _ in range(5):
        writer.write(40)
        until(writer.settled)
        writer.write(40)
        own.kill()
        writer.write(40)
        until(lambda: writer.uplink.sign.state == "away")
        own.start()
    until(lambda: writer.sent(own.url))
    writer.disconnect()
    exact(writer, own.url)
    writer.close()
    own.stop()


@pytest.mark.usefixtures("hasty")
def test_a_broker_that_answers_too_late_gets_no_row_twice(tmp_path: Path) -> None:
    own = prepared(NatsServer(tmp_path / "broker"))
    writer = Writer(tmp_path, own.url)
    writer.connect()
    until(writer.settled)
    for _ in range(3):
        own.freeze()
        writer.write(5)
        until(lambda: writer.uplink.sign.state == "away")
        own.freeze(False)
        until(writer.settled)
    until(lambda: writer.sent(own.url))
    writer.disconnect()
    exact(writer, own.url)
    writer.close()
    own.kill()


def test_days_later_it_goes_on_where_the_stream_stands(server: NatsServer, tmp_path: Path) -> None:
    writer = Writer(tmp_path, server.url)
    for _ in range(3):
        writer.write(50)
        writer.connect()
        until(lambda: writer.sent(server.url))
        writer.disconnect()
        writer.write(300)
    writer.connect()
    until(lambda: writer.sent(server.url))
    exact(writer, server.url)
    writer.close()


def test_what_is_on_disk_when_the_table_stops_is_sent_before_it_ends(server: NatsServer, tmp_path: Path) -> None:
    writer = Writer(tmp_path, server.url)
    writer.connect()
    until(writer.settled)
    writer.write(400)
    writer.disconnect()
    exact(writer, server.url)
    writer.close()


def test_a_dead_network_costs_the_table_nothing_but_a_sign(tmp_path: Path) -> None:
    writer = Writer(tmp_path, "nats://127.0.0.1:1")
    writer.connect()
    writer.write(500)
    until(lambda: "not connected yet" not in writer.uplink.sign.text)
    assert writer.uplink.sign.state == "away"
    assert writer.uplink.sign.text
    assert writer.journal.last_seq == 500
    writer.close()


@pytest.mark.usefixtures("hasty")
def test_a_broker_without_a_floor_is_told_and_waited_for(tmp_path: Path) -> None:
    own = NatsServer(tmp_path / "broker")
    own.start()
    writer = Writer(tmp_path, own.url)
    writer.write(3)
    writer.connect()
    until(lambda: "start the floor" in writer.uplink.sign.text)
    prepared_now(own)
    until(lambda: writer.sent(own.url))
    writer.close()
    own.stop()


def test_a_table_says_what_it_has_while_the_stream_takes_nothing_and_keeps_its_connection(
    tmp_path: Path, mocker: MockerFixture
) -> None:
    """Beats need no stream: the floor can show what is missing while brokers elect a leader."""
    own = NatsServer(tmp_path / "broker")
    own.start()
    reached = mocker.spy(Broker, "reach")
    writer = Writer(tmp_path, own.url)
    writer.write(3)

    async def beats(client: Client) -> list[int]:
        heard = await client.subscribe(BEAT_SUBJECTS)
        await client.flush()
        writer.connect()
        return [decode((await heard.next_msg(10)).data, Beat).last for _ in range(3)]

    assert ask(own.url, beats) == [3, 3, 3]
    prepared_now(own)
    until(lambda: writer.sent(own.url), 2 * link.UNREADY_S[0] + 5)
    assert reached.call_count == 1
    writer.close()
    own.stop()


def prepared_now(server: NatsServer) -> None:
    from floor.streams import made, rows_stream, witness_stream

    ask(server.url, lambda client: made(client.jetstream(), rows_stream(), witness_stream()))


# -- another past --------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("hasty")
def test_a_journal_put_back_to_an_earlier_time_sends_nothing_and_says_so(server: NatsServer, tmp_path: Path) -> None:
    writer = Writer(tmp_path, server.url)
    writer.write(100)
    writer.journal.close()
    shutil.copy(writer.path, tmp_path / "backup")
    writer = reopened(writer)
    writer.write(50)
    writer.connect()
    until(lambda: writer.sent(server.url))
    before = messages(server.url, writer.address)
    writer.close()
    for path in tmp_path.glob("T1.sqlite*"):
        path.unlink()
    shutil.copy(tmp_path / "backup", writer.path)
    again = reopened(writer)
    again.connect()
    until(lambda: again.uplink.sign.state == "parted")
    assert "the floor has 150 events" in again.uplink.sign.text
    again.write(80, "b")  # it has more than the floor now, and they are others
    until(lambda: "is another at the floor" in again.uplink.sign.text)
    again.close()
    assert messages(server.url, again.address) == before


@pytest.mark.usefixtures("hasty")
def test_two_machines_with_one_journal_are_told_apart(server: NatsServer, tmp_path: Path) -> None:
    first = Writer(tmp_path, server.url)
    first.write(20)
    (tmp_path / "spare").mkdir()
    with sqlite3.connect(tmp_path / "spare" / "T1.sqlite") as copy, sqlite3.connect(first.path) as source:
        source.backup(copy)
    second = Writer(tmp_path / "spare", server.url)
    first.connect()
    until(lambda: first.sent(server.url))
    second.connect()
    until(second.settled)
    first.write(5)
    until(lambda: first.sent(server.url))
    second.write(1, "other")
    until(lambda: second.uplink.sign.state == "parted")
    exact(first, server.url)
    first.close()
    second.close()


def test_rows_that_were_removed_before_anybody_heard_them_are_stood_for(server: NatsServer, tmp_path: Path) -> None:
    writer = Writer(tmp_path, server.url)
    writer.write(300)
    peaks = writer.journal.tree_at(200).peaks
    writer.journal.remove_before(Stub(200, writer.journal.hash_at(200), (("days.jsonl.gz", "00" * 32, 1, 200),)))
    writer.connect()
    until(lambda: writer.sent(server.url))
    found = messages(server.url, writer.address)
    assert (found[0].first, found[0].before) == (201, writer.journal.hash_at(200))
    assert list(found[0].peaks) == peaks
    writer.write(3)
    until(lambda: writer.sent(server.url))
    assert not messages(server.url, writer.address)[-1].peaks
    writer.close()


# -- the witness ---------------------------------------------------------------------------------------------------


def countersigned(writer: Writer, server: NatsServer, note: Note) -> None:
    """The floor sends this head back."""

    async def publish(client: object) -> None:
        stream = client.jetstream()  # type: ignore[attr-defined]
        await stream.publish(writer.address.witness, note.text().encode())

    ask(server.url, publish)


def test_a_countersigned_head_is_kept_beside_the_journal_and_found_there_again(
    server: NatsServer, tmp_path: Path
) -> None:
    writer = Writer(tmp_path, server.url, witness=FLOOR.public.text())
    writer.write(40)
    writer.connect()
    until(writer.settled)
    assert writer.note is not None
    countersigned(writer, server, FLOOR.sign(writer.note, 1_700_000_000))
    until(lambda: writer.uplink.witnessed is not None)
    kept = read_note(writer.uplink.keeps.read_text("utf-8"))
    assert kept.head == writer.note.head
    assert FLOOR.public.signed(kept) == 1_700_000_000
    assert writer.key.public(writer.journal.origin).signed(kept)
    writer.disconnect()
    writer.connect()
    assert writer.uplink.witnessed == writer.note.head
    writer.close()


def test_what_another_witness_signed_is_not_kept(server: NatsServer, tmp_path: Path) -> None:
    writer = Writer(tmp_path, server.url, witness=FLOOR.public.text())
    writer.write(64)
    assert writer.note is not None
    stranger = WitnessKey("floor.example", SEED)
    countersigned(writer, server, stranger.sign(writer.note, 1_700_000_000))
    writer.connect()
    until(writer.settled)
    assert writer.uplink.witnessed is None
    assert not writer.uplink.keeps.exists()
    writer.close()


@pytest.mark.usefixtures("hasty")
def test_a_head_that_the_floor_countersigned_and_that_is_none_of_ours_is_told(
    server: NatsServer, tmp_path: Path
) -> None:
    writer = Writer(tmp_path, server.url, witness=FLOOR.public.text())
    writer.write(64)
    writer.connect()
    until(writer.settled)
    other = writer.key.sign(Head(writer.journal.origin, 30, bytes(32)))
    countersigned(writer, server, FLOOR.sign(other, 1_700_000_000))
    until(lambda: writer.uplink.sign.state == "parted")
    assert "countersigned another past" in writer.uplink.sign.text
    writer.close()


def test_a_journal_is_one_writer_s_and_the_uplink_only_reads_it(server: NatsServer, tmp_path: Path) -> None:
    writer = Writer(tmp_path, server.url)
    writer.write(10)
    writer.connect()
    until(writer.settled)
    assert JournalFile.read_only(writer.path).verify() == 10
    writer.close()


def test_after_a_break_of_a_line_that_was_up_the_next_attempt_comes_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link, "AGAIN_S", (0.2, 10.0))
    uplink = Uplink(tmp_path / "none.sqlite", UplinkSection(("nats://127.0.0.1:1",)), lambda: None)
    course, pauses = iter(["away", "away", "away", "up", "up", "away", "away"]), list[float]()

    async def once() -> float:
        said = next(course, "")
        if not said:
            uplink.stop()
        if said == "up":
            uplink._say("up", "")
        raise Away("the line broke")

    async def pause(seconds: float) -> None:
        pauses.append(seconds)

    monkeypatch.setattr(uplink, "_once", once)
    monkeypatch.setattr(uplink, "_pause", pause)
    asyncio.run(uplink.run())
    assert pauses == [0.2, 0.4, 0.8, 0.2, 0.2, 0.4, 0.8]


def test_a_line_that_is_lost_while_nothing_is_said_is_noticed_at_once(server: NatsServer, tmp_path: Path) -> None:
    line = Line(server.port)
    table = Writer(tmp_path, line.url)
    table.write(3)
    table.connect()
    until(table.settled)
    line.cut()
    until(lambda: table.uplink.sign.state == "away", link.BEAT_S / 2)
    line.mend()
    until(table.settled)
    table.close()
    line.close()


def test_the_sign_says_how_much_was_not_sent_also_while_the_floor_is_away(tmp_path: Path) -> None:
    own = prepared(NatsServer(tmp_path / "broker"))
    writer = Writer(tmp_path, own.url)
    writer.write(10)
    writer.connect()
    until(writer.settled)
    assert writer.uplink.shown(writer.journal.last_seq).behind == 0
    own.stop()
    writer.write(7)
    until(lambda: writer.uplink.sign.state == "away")
    assert writer.uplink.shown(writer.journal.last_seq).behind == 7
    writer.close()


def test_a_row_that_comes_when_its_loop_has_ended_stops_nobody(tmp_path: Path) -> None:
    uplink = Uplink(tmp_path / "none.sqlite", UplinkSection(("nats://127.0.0.1:1",)), lambda: None)
    uplink.stop()
    asyncio.run(uplink.run())
    uplink._woken.clear()  # as a connection that had taken all leaves it
    uplink.wake()
