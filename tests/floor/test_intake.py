"""What tables sent is in the store once, as they meant it; what does not belong is told and kept aside."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import Engine, func, select
from sqlalchemy.exc import OperationalError

from controller import games
from controller.core.effects import Noted, Settled
from controller.core.events import Stopped
from controller.journal import row as record
from controller.journal.file import Entry, JournalFile
from controller.journal.head import Head, read_note
from controller.journal.rounds import Recall
from controller.uplink.messages import FORM, Address, Rows, encode
from floor.intake import Heard, Intake
from floor.known import Known
from floor.store.check import checked
from floor.store.schema import ALARMS, HELD, JOURNALS, QUESTIONS, ROUNDS, ROWS, WAGERS
from tests.floor.tables import CREATED, TABLE, WITNESS, changed, findings, floor_at, heard, known, played


def engine_of(intake: Intake) -> Engine:
    return intake._engine


def count(intake: Intake, table: object) -> int:
    with engine_of(intake).connect() as connection:
        return int(connection.execute(select(func.count()).select_from(table)).scalar() or 0)  # type: ignore[arg-type]


@pytest.mark.parametrize("game", games.names())
def test_the_rounds_and_wagers_of_a_table_are_those_it_settled(tmp_path: Path, game: str) -> None:
    path, summary = played(game)
    intake = floor_at(tmp_path, path)
    for one in heard(path):
        intake.take([one])
    with engine_of(intake).connect() as connection:
        rounds = connection.execute(select(ROUNDS).order_by(ROUNDS.c.first)).all()
        wagers = connection.execute(select(WAGERS)).all()
        face = connection.execute(select(JOURNALS)).one()
    settled = list(settlements(path, rounds[-1].last))
    assert summary.as_json()["rounds"] - len(rounds) in (0, 1)  # the last one may be settled and not over
    assert len(rounds) == face.rounds == len({one.round for one in settled})
    results = [result for one in settled for result in one.results]
    assert sorted((one.player, one.pays) for one in wagers) == sorted((one.player, one.pays) for one in results)
    assert face.win == sum(one.stake_taken - one.pays for one in results) == sum(one.taken - one.paid for one in rounds)
    assert face.handle == sum(one.stake_taken + one.stake_returned for one in results)
    assert [one.outcome for one in rounds] == [outcomes[-1] for outcomes in by_round(settled)]
    assert (face.name, face.game, face.life) == (f"The {game} 1", game, "open")
    assert face.size == JournalFile.read_only(path).last_seq
    assert findings(engine_of(intake)) == {}


def settlements(path: Path, upto: int) -> Iterator[Settled]:
    """What the table settled, straight from its journal."""
    for row in JournalFile.read_only(path).rows(1, upto):
        for effect in record.decode(row.body).effects:
            if isinstance(effect, Settled):
                yield effect


def by_round(settled: list[Settled]) -> list[list[str]]:
    found: dict[int, list[str]] = {}
    for one in settled:
        found.setdefault(one.round, []).append(one.outcome)
    return list(found.values())


@pytest.mark.parametrize("game", games.names())
def test_a_floor_that_is_stopped_anywhere_goes_on_as_if_it_had_not(tmp_path: Path, game: str) -> None:
    path, _ = played(game)
    (tmp_path / "whole").mkdir()
    (tmp_path / "broken").mkdir()
    whole = floor_at(tmp_path / "whole", path)
    messages = list(heard(path, 17))
    whole.take(messages)
    for one in messages:
        intake = floor_at(tmp_path / "broken", path)
        intake.take([*messages[: one.message - 1][-3:], one])  # some of them a second time
        engine_of(intake).dispose()
    assert everything(intake) == everything(whole)


def everything(intake: Intake) -> dict[str, list[tuple[object, ...]]]:
    from floor.store.schema import METADATA

    with engine_of(intake).connect() as connection:
        return {
            table.name: sorted((tuple(row) for row in connection.execute(select(table))), key=repr)
            for table in METADATA.sorted_tables
            if table.name != "heads"
        }


def test_alarms_questions_and_devices_stand_as_they_do_at_the_table(tmp_path: Path) -> None:
    path, _ = played("wheel")
    intake = floor_at(tmp_path, path)
    intake.take(heard(path))
    from controller.core.guarded import GuardedTable
    from controller.core.runtime import recover
    from tests.floor.tables import named

    table = GuardedTable(named("wheel", "The wheel 1"))
    recover(table, JournalFile.read_only(path), from_snapshot=False)
    state = table.table.state
    with engine_of(intake).connect() as connection:
        standing = {one.code for one in connection.execute(select(ALARMS).where(ALARMS.c.over == 0))}
        asked = {one.prompt for one in connection.execute(select(QUESTIONS))}
        over = connection.execute(select(func.count()).select_from(ALARMS).where(ALARMS.c.over > 0)).scalar()
    assert standing == set(state.desk.alarms)
    assert asked == set(state.desk.prompts)
    assert over


def test_a_head_that_the_table_signed_is_countersigned_and_sent_back(tmp_path: Path) -> None:
    path, _ = played("wheel")
    intake = floor_at(tmp_path, path)
    back = [one for message in heard(path) for one in intake.take([message])]
    assert len(back) == len(list(heard(path)))
    note = read_note(back[-1].text)
    journal = JournalFile.read_only(path)
    journal.prove(note.head)
    assert note.head.size == journal.last_seq
    assert WITNESS.public.signed(note) == 1_700_000_000
    assert TABLE.public(journal.origin).signed(note)
    assert intake.newest() == [back[-1]]
    assert [one.wrong for one in checked(engine_of(intake))] == [""]


# -- what does not belong ------------------------------------------------------------------------------------------


def broken(tmp_path: Path, change: list[Heard]) -> tuple[Intake, dict[str, str]]:
    path, _ = played("wheel")
    intake = floor_at(tmp_path, path)
    intake.take(change)
    return intake, findings(engine_of(intake))


def wheel(size: int = 40) -> list[Heard]:
    return list(heard(played("wheel")[0], size))


def test_a_row_changed_on_its_way_is_found_and_nothing_after_it_is_believed(tmp_path: Path) -> None:
    messages = wheel()
    said = msgspec.msgpack.decode(messages[1].data, type=Rows)
    forged = ((said.rows[0][0], said.rows[0][1].replace(b"1", b"2", 1)), *said.rows[1:])
    messages[1] = changed(messages[1], rows=forged)
    intake, told = broken(tmp_path, messages)
    assert "changed on its way" in told["forged"]
    assert count(intake, ROWS) == 40
    assert count(intake, HELD) == len(messages) - 1
    assert intake.newest()[0].text.split("\n")[1] == "40"


def test_rows_that_do_not_follow_are_found(tmp_path: Path) -> None:
    messages = wheel()
    intake, told = broken(tmp_path, [messages[0], messages[2]._replace(message=2)])
    assert "events 41 to 80 never came" in told["hole"]
    assert count(intake, ROWS) == 40


def test_a_past_written_anew_is_found(tmp_path: Path) -> None:
    first = wheel()
    other = list(heard(played("wheel", 3)[0]))
    journal = Address.on(first[0].subject)
    forged = [one._replace(subject=journal.rows, message=one.message + 100) for one in other]
    said = msgspec.msgpack.decode(forged[0].data, type=Rows)
    seq, at, body = 1, said.rows[0][0] + 1, said.rows[0][1]
    from controller.journal.chain import GENESIS, chained

    forged[0] = changed(forged[0], rows=((at, body),), hash=chained(GENESIS, seq, at, body), note="")
    intake, told = broken(tmp_path, [first[0], forged[0]])
    assert told == {}  # one row of a past that ended before ours says nothing yet
    whole = msgspec.msgpack.decode(first[0].data, type=Rows)
    rows = tuple((at + 1, body) for at, body in whole.rows)
    before = GENESIS
    for number, (at, body) in enumerate(rows, 1):
        before = chained(before, number, at, body)
    again = changed(first[0]._replace(message=200), rows=rows, hash=before, note="")
    intake.take([again])
    assert "event 40 or an earlier one is another now" in findings(engine_of(intake))["rewritten"]


def test_a_head_that_stands_for_another_past_is_found(tmp_path: Path) -> None:
    messages = wheel()
    origin = Address.on(messages[0].subject).origin
    messages[1] = changed(messages[1], note=TABLE.sign(Head(origin, 80, bytes(32))).text())
    intake, told = broken(tmp_path, messages)
    assert "event 80 or an earlier one" in told["rewritten"]
    assert intake.newest()[0].text.split("\n")[1] == "40"


@pytest.mark.parametrize(
    ("note", "code"),
    [
        (lambda origin: "no head", "bad_head"),
        (lambda origin: TABLE.sign(Head("tablectl/other/00ff", 40, bytes(32))).text(), "swapped"),
        (lambda origin: TABLE.sign(Head(origin, 9999, bytes(32))).text(), "ahead"),
    ],
)
def test_a_head_that_is_none_of_this_journal_is_found(tmp_path: Path, note: object, code: str) -> None:
    messages = wheel()
    origin = Address.on(messages[0].subject).origin
    messages[0] = changed(messages[0], note=note(origin))  # type: ignore[operator]
    assert code in broken(tmp_path, messages[:1])[1]


def test_a_message_of_another_version_is_kept_aside_and_the_rest_of_the_floor_goes_on(tmp_path: Path) -> None:
    messages, (war, _) = wheel(), played("war")
    newer = msgspec.msgpack.encode({"form": 2, "said": "something new"})
    intake, told = broken(tmp_path, [messages[0]._replace(data=newer), messages[1]])
    assert "form 2" in told["unknown_form"]
    intake.take(heard(war, start=10))
    assert intake.journals[Address.of(JournalFile.read_only(war).origin).origin].followed.size > 0
    assert count(intake, HELD) == 2


def test_a_row_that_cannot_be_read_is_kept_and_told(tmp_path: Path) -> None:
    from controller.journal.chain import GENESIS, chained

    body = b'{"form":99,"event":{"type":"FromTomorrow"}}'
    data = encode(Rows(FORM, 1, GENESIS, ((5, body),), chained(GENESIS, 1, 5, body)))
    intake = floor_at(tmp_path)
    intake.take([Heard(1, "rows.t1.00ff", data, 5)])
    assert "form 99" in findings(engine_of(intake))["unread"]
    assert count(intake, ROWS) == 1


@pytest.mark.parametrize(
    ("keys", "signed", "code"),
    [(Known({}), True, "unknown_table"), (None, False, ""), (Known({"the-wheel-1": (bytes(32),)}), True, "wrong_key")],
)
def test_nothing_is_countersigned_without_a_key_that_the_floor_knows(
    tmp_path: Path, keys: Known | None, signed: bool, code: str
) -> None:
    path, _ = played("wheel")
    intake = floor_at(tmp_path, path)
    intake._known = keys or known(path)
    assert intake.take(heard(path, signed=signed)) == []
    assert set(findings(engine_of(intake))) == ({code} if code else set())


def test_a_new_journal_under_a_known_name_is_told(tmp_path: Path) -> None:
    path, _ = played("wheel")
    intake = floor_at(tmp_path, path)
    messages = list(heard(path))
    intake.take(messages)
    intake.take([messages[0]._replace(subject="rows.the-wheel-1.0000", message=500)])
    assert "writes a new journal" in findings(engine_of(intake))["new_journal"]


def test_a_revoked_key_keeps_its_past_and_proves_nothing_new(tmp_path: Path) -> None:
    path, _ = played("war")
    intake, sent = floor_at(tmp_path, path), list(heard(path))
    assert intake.take(sent[:2])
    slug, middle = Address.of(JournalFile.read_only(path).origin).table, sent[2].at
    octets = TABLE.public("x").octets
    intake.know(Known({slug: (octets,)}, {octets: middle}))
    assert intake.take(sent[2:]) == []
    assert "revoked_key" in findings(engine_of(intake))
    (journal,) = intake.journals.values()
    assert (journal.key, journal.witnessed) == ("revoked", read_note(journal.note).head.size)
    assert 0 < journal.witnessed < journal.followed.size
    (tmp_path / "again").mkdir()
    again = floor_at(tmp_path / "again", path)
    again.know(Known({slug: (octets,)}, {octets: middle}))
    assert len(again.take(sent[:2])) == 1, "heard anew, what came before it was revoked is countersigned again"


def test_a_clock_an_hour_ahead_is_told_and_nothing_is_lost(tmp_path: Path) -> None:
    messages = [one._replace(at=one.at - 3_600_000) for one in wheel()]
    intake, told = broken(tmp_path, messages)
    assert "60 minutes ahead" in told["clock"]
    assert count(intake, ROWS) == JournalFile.read_only(played("wheel")[0]).last_seq


def test_a_store_that_fails_has_taken_nothing_and_takes_it_the_next_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, _ = played("wheel")
    intake, messages = floor_at(tmp_path, path), wheel()
    intake.take(messages[:2])

    def full(*_: object) -> None:
        raise OperationalError("INSERT", {}, Exception("disk full"))

    with monkeypatch.context() as patched:
        patched.setattr("floor.store.writes.Writes.write", full)
        with pytest.raises(OperationalError):
            intake.take(messages[2:4])
    assert intake.position == 2
    intake.take(messages[2:])
    assert count(intake, ROWS) == JournalFile.read_only(path).last_seq
    assert findings(engine_of(intake)) == {}


def test_a_store_that_is_away_when_it_fails_and_still_a_moment_later_has_every_row_once_it_is_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, _ = played("wheel")
    intake, messages = floor_at(tmp_path, path), list(heard(path))
    intake.take(messages[:2])

    def away(*_: object) -> None:
        raise OperationalError("COMMIT", {}, Exception("server closed the connection"))

    with monkeypatch.context() as patched:
        patched.setattr("floor.store.writes.Writes.write", away)
        patched.setattr("floor.intake.loaded", away)
        for _ in range(2):
            with pytest.raises(OperationalError):
                intake.take(messages[2:4])
    intake.take(messages[2:])
    assert count(intake, ROWS) == JournalFile.read_only(path).last_seq
    assert {(one.rows, one.wrong) for one in checked(engine_of(intake))} == {(count(intake, ROWS), "")}
    assert findings(engine_of(intake)) == {}


def test_a_broker_put_back_to_an_earlier_time_is_heard_from_its_beginning_and_nothing_is_missed(tmp_path: Path) -> None:
    """Its numbers are given anew; what comes under one that the floor had would be passed over."""
    path, (other, _) = played("wheel")[0], played("war")
    intake = floor_at(tmp_path, path, other)
    messages = list(heard(path))
    intake.take(messages)
    kept = len(messages) - 2
    intake.begin(CREATED, kept)
    fresh = [one._replace(message=number) for number, one in enumerate(heard(other), kept + 1)]
    again = [one._replace(message=fresh[-1].message + number) for number, one in enumerate(messages[kept:], 1)]
    intake.take([*messages[:kept], *fresh, *again])
    assert count(intake, ROWS) == sum(JournalFile.read_only(one).last_seq for one in (path, other))
    assert {one.wrong for one in checked(engine_of(intake))} == {""}
    assert findings(engine_of(intake)) == {}


def test_a_stream_made_anew_is_heard_from_its_beginning_and_doubles_nothing(tmp_path: Path) -> None:
    path, _ = played("wheel")
    intake = floor_at(tmp_path, path)
    intake.take(heard(path))
    before = everything(intake)
    intake.begin("another " + CREATED)
    assert intake.position == 0
    intake.take(heard(path, 23))
    after = everything(intake)
    assert {name: rows for name, rows in after.items() if name != "position"} == {
        name: rows for name, rows in before.items() if name != "position"
    }


DEEP = b"\x91" * 200_000
HOSTILE = {
    "no text": lambda one: one._replace(data=changed(one, note="abc").data.replace(b"\xa3abc", b"\xa3\xff\xfe\xfd")),
    "too deep": lambda one: one._replace(data=b"\x82\xa4form\x01\xa4deep" + DEEP + b"\x01"),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_a_message_made_to_break_the_reader_is_kept_aside_and_the_floor_goes_on(tmp_path: Path, what: str) -> None:
    path, (other, _) = played("wheel")[0], played("war")
    intake = floor_at(tmp_path, path, other)
    first, *_ = heard(path)
    intake.take([HOSTILE[what](first), *heard(other, start=100)])
    assert "unknown_form" in findings(engine_of(intake))
    assert sorted(bool(one.broken) for one in intake.journals.values()) == [False, True]


def noted(what: str, **facts: object) -> bytes:
    return record.encode(record.Record(Stopped(), [Noted(what, facts)], form=record.FORM))


BODIES = {
    "no text": b'{"event":{"type":"TimerDue","timer":"\xff"},"form":5}',
    "too deep": b'{"event":{"type":"Started","version":"1","config":{"a":' + b"[" * 200_000 + b"]" * 200_000 + b"}}}",
    "facts that are missing": noted("signed_in"),
    "facts of another kind": noted("limits", least="x", most="y"),
}


@pytest.mark.parametrize("what", BODIES)
def test_a_row_made_to_break_the_reader_is_kept_and_told_and_the_floor_goes_on(tmp_path: Path, what: str) -> None:
    journal = JournalFile.open(tmp_path / "hostile.sqlite", "Hostile", durable=False)
    journal.append([Entry(1_700_000_000_000, BODIES[what]), Entry(1_700_000_000_100, b'{"event":{"type":"Stopped"}}')])
    journal.close()
    other, _ = played("war")
    intake = floor_at(tmp_path, other)
    intake.take([*heard(tmp_path / "hostile.sqlite"), *heard(other, start=100)])
    assert "rows that this program cannot read" in findings(engine_of(intake))["unread"]
    by_name = {one.address.table: one for one in intake.journals.values()}
    assert (by_name["hostile"].followed.size, by_name["hostile"].broken) == (2, "")
    assert by_name["the-war-1"].witnessed


def test_a_message_that_no_store_can_keep_is_put_aside_alone(tmp_path: Path) -> None:
    journal = JournalFile.open(tmp_path / "hostile.sqlite", "Hostile", durable=False)
    vast = noted("float_opened", cents=1 << 62).replace(b"%d" % (1 << 62), b"9" * 40)
    journal.append([Entry(1_700_000_000_000, vast)])
    journal.close()
    other, _ = played("war")
    intake = floor_at(tmp_path, other)
    intake.take([*heard(tmp_path / "hostile.sqlite"), *heard(other, start=100)])
    assert "cannot be kept" in findings(engine_of(intake))["unknown_form"]
    by_name = {one.address.table: one for one in intake.journals.values()}
    assert (bool(by_name["hostile"].broken), by_name["the-war-1"].broken) == (True, "")
    assert count(intake, HELD) == 1
    assert intake.take(heard(tmp_path / "hostile.sqlite", start=1_000)) == []
    assert count(intake, HELD) == 2


def test_a_round_under_way_that_cannot_be_followed_again_keeps_no_floor_from_starting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, _ = played("war")
    intake = floor_at(tmp_path, path)
    intake.take(list(heard(path, size=10))[:3])
    (journal,) = intake.journals.values()
    assert journal.reading.face.open_round

    def fail(self: Recall, rows: object) -> None:
        raise KeyError("round")

    monkeypatch.setattr(Recall, "follow", fail)
    again = Intake(engine_of(intake), known(path), WITNESS)
    assert [one.followed.size for one in again.journals.values()] == [journal.followed.size]
