"""Sheets of the store for other programs: every line once, money and times as they were."""

from __future__ import annotations

import csv
import io
import json
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from sqlalchemy import func, select

from controller.commands import main
from floor.exports.sheets import SHEETS, Part, write
from floor.exports.write import HandsText
from floor.intake import Intake
from floor.store.schema import JOURNALS, ROUNDS, WAGERS
from tests.floor.tables import floor_at, heard, played
from tests.floor.web.served import served


@pytest.fixture(scope="module")
def intake(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Intake]:
    paths = [played(game)[0] for game in ("wheel", "war", "poker")]
    made = floor_at(tmp_path_factory.mktemp("floor"), *paths)
    for number, path in enumerate(paths):
        made.take(heard(path, start=1000 * number))
    yield made
    made._engine.dispose()


@pytest.mark.parametrize("name", SHEETS)
def test_a_sheet_has_every_line_of_the_store_in_both_forms(intake: Intake, tmp_path: Path, name: str) -> None:
    with intake._engine.connect() as store:
        lines = store.execute(select(func.count()).select_from(SHEETS[name].of)).scalar()
        assert write(store, name, Part(), "parquet", tmp_path / "sheet.parquet") == lines
        assert write(store, name, Part(), "csv", tmp_path / "sheet.csv") == lines
    found = pq.read_table(tmp_path / "sheet.parquet")
    with (tmp_path / "sheet.csv").open(encoding="utf-8", newline="") as file:
        told = list(csv.DictReader(file))
    assert len(told) == found.num_rows == lines
    assert lines or name in ("taken", "findings", "staff")
    if told:
        assert list(told[0]) == found.column_names


def test_money_and_times_are_as_the_store_has_them(intake: Intake, tmp_path: Path) -> None:
    with intake._engine.connect() as store:
        write(store, "rounds", Part(), "parquet", tmp_path / "rounds.parquet")
        write(store, "wagers", Part(), "parquet", tmp_path / "wagers.parquet")
        rounds = store.execute(select(ROUNDS).order_by(ROUNDS.c.journal, ROUNDS.c.first)).all()
        pays = store.execute(select(func.sum(WAGERS.c.pays))).scalar()
    found = pq.read_table(tmp_path / "rounds.parquet").to_pylist()
    assert [one["staked_cents"] for one in found] == [one.staked for one in rounds]
    assert [round(one["ended"].timestamp() * 1000) for one in found] == [one.ended for one in rounds]
    assert [one["clauses"] for one in found] == [one.clauses.strip("|").split("|") for one in rounds]
    assert {one["table"] for one in found} == {"The wheel 1", "The war 1", "The poker 1"}
    assert sum(one["pays_cents"] for one in pq.read_table(tmp_path / "wagers.parquet").to_pylist()) == pays


def test_one_table_and_a_time_are_cut_out(intake: Intake, tmp_path: Path) -> None:
    with intake._engine.connect() as store:
        ended = store.execute(
            select(ROUNDS.c.ended).join(JOURNALS).where(JOURNALS.c.slug == "the-war-1").order_by(ROUNDS.c.ended)
        ).scalars().all()  # fmt: skip
        assert len(ended) > 2
        assert write(store, "rounds", Part("the-war-1"), "csv", tmp_path / "a.csv") == len(ended)
        part = Part("the-war-1", ended[1], ended[-1])
        assert write(store, "rounds", part, "csv", tmp_path / "b.csv") == len(ended) - 2
        wagers = Part("the-war-1", ended[-1])
        write(store, "wagers", wagers, "csv", tmp_path / "c.csv")
    with (tmp_path / "c.csv").open(encoding="utf-8", newline="") as file:
        assert {one["slug"] for one in csv.DictReader(file)} == {"the-war-1"}


def test_poker_hands_are_written_one_after_the_other_and_what_is_left_out_is_counted(intake: Intake) -> None:
    with intake._engine.connect() as store:
        journal = store.execute(select(JOURNALS.c.id).where(JOURNALS.c.game == "poker")).scalar()
        assert journal is not None
        text = HandsText(store, journal, Part(), "Test")
        hands = tomllib.loads("".join(text))
        rounds = store.execute(select(func.count()).where(ROUNDS.c.journal == journal).select_from(ROUNDS)).scalar()
    assert list(hands) == [str(number) for number in range(1, text.count + 1)]
    assert text.count + text.left_out.total() == rounds
    assert all(sum(one["finishing_stacks"]) + one["_rake"] == sum(one["starting_stacks"]) for one in hands.values())


def test_hands_of_a_journal_whose_beginning_is_gone_are_left_out_with_the_reason(tmp_path: Path) -> None:
    path, _ = played("poker")
    intake = floor_at(tmp_path, path)
    intake.take(heard(path))
    from floor.store.schema import ROWS

    with intake._engine.begin() as store:
        store.execute(ROWS.delete().where(ROWS.c.seq < 5))
        text = HandsText(store, 1, Part(), "Test")
        assert "".join(text) == ""
    assert "its first event here is 5" in next(iter(text.left_out))
    intake._engine.dispose()


def test_the_command_writes_everything_and_says_how_much(tmp_path: Path) -> None:
    path, _ = played("poker")
    intake = floor_at(tmp_path, path)
    intake.take(heard(path))
    intake._engine.dispose()
    (tmp_path / "floor.toml").write_text('[floor]\nname = "T"\n[broker]\nservers = ["nats://127.0.0.1:1"]\n', "utf-8")
    words = ["floor", "export", "--config", str(tmp_path / "floor.toml"), "--to", str(tmp_path / "out")]
    done = CliRunner().invoke(main, [*words, "--json"])
    assert done.exit_code == 0, done.output
    told = {Path(one["file"]).name.split("-")[0].split(".")[0]: one["lines"] for one in json.loads(done.output)}
    assert set(told) == {"hands", *SHEETS}
    assert told["rounds"] == told["hands"] >= 3
    assert not list((tmp_path / "out").glob(".*"))
    wrong = CliRunner().invoke(main, [*words, "--what", "colours"])
    assert wrong.exit_code == 2
    assert "there is no such export" in wrong.output


def test_exports_come_from_the_pages_for_whoever_is_signed_in(tmp_path: Path) -> None:
    with served(tmp_path, "wheel", "poker") as floor:
        assert floor.caller().get("/api/export/rounds").status == 401
        caller = floor.caller("F1")
        answer = caller.get("/api/export/rounds?form=csv&table=the-wheel-1")
        assert answer.status == 200
        assert 'filename="rounds.csv"' in answer.headers["content-disposition"]
        assert {one["slug"] for one in csv.DictReader(io.StringIO(answer.body))} == {"the-wheel-1"}
        hands = caller.get("/api/export/hands")
        assert tomllib.loads(hands.body)["1"]["variant"] == "NT"
        assert caller.get("/api/export/colours").status == 400
        assert caller.get("/api/export/rounds?form=xls").status == 400
