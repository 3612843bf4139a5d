"""A whole simulated house: every row of every table reaches the floor's store, and is countersigned."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import create_engine, select

from controller.journal.file import JournalFile
from floor.store.check import checked
from floor.store.schema import JOURNALS
from lab.floor.house import House, planned
from lab.floor.server import free_port
from lab.floor.tables import journal_of
from lab.needs import NATS_SERVER
from tests.floor.tables import findings
from tests.needed import needed
from tests.uplinks import until

TABLES = 5


def test_tables_of_all_games_play_and_the_floor_has_all_of_it_also_after_a_kill(tmp_path: Path) -> None:
    needed(NATS_SERVER, "no house was played")
    house = House(tmp_path, TABLES, port=free_port(), speed=60.0)
    house.start()
    engine = create_engine(f"sqlite:///{tmp_path / 'floor.db'}")
    try:
        until(lambda: played(tmp_path) >= TABLES, 60)
        assert house.floor is not None
        house.floor.kill()
        house.floor.wait(10)
        house.start_floor()
        before = played(tmp_path)
        until(lambda: played(tmp_path) > before + TABLES, 60)
        assert not house.dead()
    finally:
        house.stop()
    with engine.connect() as connection:
        stands = {one.origin: one for one in connection.execute(select(JOURNALS))}
    for one in house.tables:
        journal = JournalFile.read_only(journal_of(tmp_path / "journals", one))
        assert stands[journal.origin].size == journal.last_seq
        assert stands[journal.origin].witnessed == journal.last_seq  # a table that stops signs its last row
        assert stands[journal.origin].name == one.name
        journal.close()
    assert {one.wrong for one in checked(engine)} == {""}
    assert set(findings(engine)) <= {"clock"}  # at this pace their clocks run ahead
    engine.dispose()


def played(folder: Path) -> int:
    """How many rounds are in the floor's store."""
    if not (folder / "floor.db").exists():
        return 0
    engine = create_engine(f"sqlite:///{folder / 'floor.db'}")
    try:
        with engine.connect() as connection:
            return sum(one.rounds for one in connection.execute(select(JOURNALS)))
    except Exception:  # the floor is making its tables just now
        return 0
    finally:
        engine.dispose()


def test_a_house_has_every_game_under_each_of_its_rulebooks() -> None:
    books = {one.rulebook for one in planned(12)}
    assert books == {"melbourne-wheel", "melbourne-war", "perth-war", "star-war", "melbourne-poker"}
    assert len({one.name for one in planned(300)}) == len({one.key for one in planned(300)}) == 300
