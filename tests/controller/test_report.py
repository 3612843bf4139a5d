"""The report of a gaming day says what the journal says, in three forms."""

from __future__ import annotations

import base64
import csv
import html
import json
import re
import sqlite3
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from controller.commands import main
from controller.config.kept import plain
from controller.core.effects import Noted, Reversed, Settled, WagerResult
from controller.core.events import Started, Stopped
from controller.journal import row as record
from controller.journal.file import Entry, JournalFile
from controller.journal.head import ED25519, TableKey, read_note
from controller.people import Person
from controller.report import HOUR_MS, report, reportable
from controller.report.page import page
from drivers.events import DeviceDown, DeviceUp
from drivers.wheel import WheelRested
from firmware_specs.clock import VirtualClock
from lab.sim.config import default_config
from lab.sim.table import SimulatedTable

ROUNDS = 25
DAY = "2026-01-01"


@pytest.fixture(scope="module")
def shift(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A simulated shift that begins at midnight UTC, with a buy-in."""
    clock = VirtualClock()
    path = tmp_path_factory.mktemp("report") / "t.sqlite"
    table = SimulatedTable(default_config(), path, clock, seed=11)
    table.start()
    clock.run_until(lambda: table.shift.rounds >= 2, 3600)
    table.runtime.command("buy_in", Person("S1", 1), {"player": "P9", "cents": 20_000})
    clock.run_until(lambda: table.shift.rounds >= ROUNDS, 3 * 3600)
    table.stop()
    return path


def ran(*args: object) -> Result:
    return CliRunner().invoke(main, ["report", *map(str, args), "--zone", "UTC", "--starts", "00:00"])


def settled(path: Path) -> list[WagerResult]:
    rows = JournalFile.read_only(path).rows()
    return [
        result
        for row in rows
        for effect in record.decode(row.body).effects
        if isinstance(effect, Settled)
        for result in effect.results
    ]


def test_the_tables_of_a_day_add_up_to_the_settlements_in_the_journal(shift: Path) -> None:
    lines = list(csv.reader(ran(shift, "--format", "csv").stdout.splitlines()))
    bets = {line[1]: line for line in lines if line and line[0] == "money by bet" and line[1] != "bet"}
    results = settled(shift)
    for bet, line in bets.items():
        own = [result for result in results if result.bet == bet]
        assert float(line[4]) * 100 == sum(result.pays for result in own)
        assert float(line[5]) * 100 == sum(result.stake_taken - result.pays for result in own)
    assert set(bets) == {result.bet for result in results}
    rounds = [int(line[2]) for line in lines if line and line[0] == "rounds by hour" and line[1] != "from"]
    assert sum(rounds) == ROUNDS


def test_the_text_tells_rounds_pace_drop_and_decisions(shift: Path) -> None:
    text = ran(shift).stdout
    assert re.search(rf"rounds +{ROUNDS} in .* an hour", text)
    assert re.search(r"drop +\$200\b", text)
    assert "staff decisions" in text
    assert "float opened" in text


def test_a_day_without_play_says_so_and_fails(shift: Path) -> None:
    for form in ("text", "csv", "html", "json"):
        done = ran(shift, "--day", "2026-03-01", "--format", form)
        assert done.exit_code == 1
        assert "nothing was played" in done.stderr
    assert re.search(r"rounds +none: nothing was played", ran(shift, "--day", "2026-03-01").stdout)


def test_a_program_reads_the_day_as_json_with_what_is_counted_out(shift: Path) -> None:
    day = json.loads(ran(shift, "--json").stdout)
    assert (day["rounds"], day["drop"]) == (ROUNDS, 20_000)
    assert day["won"] == sum(result.stake_taken - result.pays for result in settled(shift))
    column = {line["line"]: line["cents"] for line in day["column"]}
    assert sum(column.values()) - 2 * column["closing float"] == 0
    assert column["chips sold for cash"] == -20_000
    opening = sum(int(worth) * count for worth, count in day["books"]["opening"].items())
    assert opening == column["opening float"]
    assert day["books"]["stays_open"] is True
    assert day["win"] == column["closing float"] - opening - day_net(day, "fill") + day_net(day, "credit") + 20_000


def day_net(day: dict[str, Any], kind: str) -> int:
    return sum(line["cents"] for line in day["books"]["booked"] if line["kind"] == kind)


def test_the_page_stands_by_itself_with_its_plots(shift: Path, tmp_path: Path) -> None:
    out = tmp_path / "day.html"
    assert ran(shift, "--format", "html", "--output", out).exit_code == 0
    text = out.read_text(encoding="utf-8")
    assert text.count("<svg") == 5
    assert not re.search(r"https?:|src=|url\(|<script|<link", text)


def test_landings_of_the_wheel_are_in_the_day_as_numbers_and_as_a_picture(shift: Path) -> None:
    rows = [record.decode(row.body).event for row in JournalFile.read_only(shift).rows()]
    rested = [event.verdict.compartment for event in rows if isinstance(event, WheelRested) and event.verdict.valid]
    day = json.loads(ran(shift, "--format", "json").stdout)
    assert (day["landings"]["spins"], len(rested) > 10) == (len(rested), True)
    assert day["landings"]["counts"] == [rested.count(place) for place in range(52)]
    lines = list(csv.reader(ran(shift, "--format", "csv").stdout.splitlines()))
    assert sum(int(line[3]) for line in lines if line and line[0] == "landings" and line[1] != "compartment") == len(
        rested
    )
    drawn = ran(shift, "--format", "html").stdout
    plot = drawn.partition("Where the wheel came to rest")[2].partition("</svg>")[0]
    assert plot.count("<rect") == 52
    assert "one unit staked on unevenness" in drawn


def test_names_in_a_journal_cannot_write_into_the_page() -> None:
    day = report([], 0, 24 * HOUR_MS)
    day.table = "<script>alert(1)</script>"
    assert "<script>" not in page(day, str)


def test_a_wrong_date_or_zone_is_told_in_one_line(shift: Path) -> None:
    assert ran(shift, "--day", "yesterday").exit_code == 2
    assert "no time zone" in CliRunner().invoke(main, ["report", str(shift), "--zone", "Nowhere"]).output
    assert CliRunner().invoke(main, ["report", str(shift) + "x"]).exit_code == 2


# -- a journal written by hand -----------------------------------------------------------------------------------


def result(wager: str, name: str, pays: int, taken: int, returned: int) -> WagerResult:
    return WagerResult(wager, "p1", "A", name, pays, taken, returned, ("3.6.2",))


class Written:
    """A journal row by row."""

    def __init__(self, path: Path) -> None:
        self.file = JournalFile.open(path, "T", False)
        self.at = 0

    def add(self, minutes: int, event: object, *effects: object) -> None:
        self.at += minutes * 60_000
        body = record.encode(record.Record(event, list(effects)))  # type: ignore[arg-type]
        self.file.append([Entry(self.at, body)])


@pytest.fixture
def written(tmp_path: Path) -> Written:
    return Written(tmp_path / "w.sqlite")


def test_what_was_reversed_no_longer_counts_as_won(written: Written) -> None:
    won, back = result("p1/A", "lose", 0, 5000, 0), result("p1/A", "returned", 0, 0, 5000)
    written.add(1, Stopped(), Settled(1, "B", (won,)))
    written.add(1, Stopped(), Reversed(1, (back,), ("9.3", "9.5")))
    day = report(written.file.rows(), 0, 24 * HOUR_MS)
    assert (day.won, day.staked, day.rounds) == (0, 0, 1)
    assert [(void.what, void.cents) for void in day.voids] == [("reversed", 5000)]


def test_a_device_is_up_from_its_word_to_its_silence_and_not_while_the_controller_is_off(written: Written) -> None:
    started = Started("test", plain(default_config()))
    written.add(0, started)
    written.add(10, DeviceUp("wheel", "wheel", "1", "1"))
    written.add(30, DeviceDown("wheel", "cable", "plug it in"))
    written.add(10, DeviceUp("wheel", "wheel", "1", "1"))
    written.add(10, Stopped())
    written.add(60, started)
    written.add(30, DeviceUp("wheel", "wheel", "1", "1"))
    written.add(30, Stopped())
    wheel = report(written.file.rows(), 0, 24 * HOUR_MS).devices["wheel"]
    assert (wheel.up_ms, wheel.down_ms, wheel.losses) == (70 * 60_000, 110 * 60_000, 1)


@pytest.mark.parametrize("what", ["booked", "late_change", "mispayment", "mispaid", "no_spin"])
def test_a_game_may_note_facts_of_its_own_under_a_word_that_the_report_counts(written: Written, what: str) -> None:
    written.add(1, Stopped(), Noted(what, {"lying": 500}))
    day = report(written.file.rows(), 0, 24 * HOUR_MS)
    assert (day.late, day.mispayments, day.voids, day.booked) == ([], {}, [], {})
    assert reportable(written.file.rows(), 0, 24 * HOUR_MS, 0) == []


@pytest.mark.clause("star-war", "11.21.2")
def test_the_months_list_holds_single_mispayments_above_a_thousand_as_they_were_last_recorded(
    written: Written, tmp_path: Path
) -> None:
    def noted(item: str, cents: int, **more: object) -> Noted:
        return Noted("mispayment", {"item": item, "cents": cents, "found_at": written.at, **more})

    written.add(60, Stopped(), noted("a", 100_000), noted("b", -150_000, remedy=""))
    written.add(60, Stopped(), noted("b", -150_000, remedy="paid the rest"))
    listed = reportable(written.file.rows(), 0, 31 * 24 * HOUR_MS, 100_000)
    assert [(item["item"], item["remedy"]) for item in listed] == [("b", "paid the rest")]
    text = ran(tmp_path / "w.sqlite", "--month", "1970-01").stdout
    assert "-$1,500" in text
    assert ran(tmp_path / "w.sqlite", "--month", "1970-02").stdout.startswith("no single mispayment")


@pytest.mark.parametrize("form", ["text", "csv", "html"])
def test_the_daily_print_carries_the_head_that_proves_the_journal(shift: Path, form: str) -> None:
    file = JournalFile.read_only(shift)
    root = base64.b64encode(file.tree_at(file.last_seq).root()).decode()
    printed = ran(shift, "--format", form).output
    assert root in html.unescape(printed)
    assert f"{file.origin}, {file.last_seq} events" in html.unescape(printed)


def of_page(text: str, name: str) -> str:
    """What stands under a word at the top of the page."""
    found = re.search(rf"<dt>{name}</dt><dd>(.*?)</dd>", text)
    assert found, name
    return html.unescape(found[1])


def test_the_page_begins_with_what_it_is_made_from_and_the_figures_a_regulator_asks_for(shift: Path) -> None:
    text = ran(shift, "--format", "html").stdout
    assert text.index("<h1>Gaming day report</h1>") < text.index("Journal head") < text.index("The day in figures")
    assert "Simulated wheel, 2026-01-01 00:00:00 to 2026-01-02 00:00:00" in text
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d, tablectl \S+", of_page(text, "Made"))
    events = JournalFile.read_only(shift).last_seq
    assert of_page(text, "Checked") == f"{events} events, each of which follows from the one before"
    assert of_page(text, "Signature").startswith("none")
    for name in ("Rounds", "Staked", "Drop", "Win", "Hold", "Theoretical win", "Fills", "Credits", "Alarms",
                 "Late changes", "Mispayments", "Voids", "Decisions of staff"):  # fmt: skip
        assert of_page(text, name)
    assert "<td>Alex (S1)</td><td>Dealer</td>" in text


def test_a_key_signs_the_head_that_is_printed(shift: Path, tmp_path: Path) -> None:
    origin = JournalFile.read_only(shift).origin
    seed = bytes(range(32))
    (tmp_path / "t.key").write_text(f"PRIVATE+KEY+{origin}+00000000+{base64.b64encode(ED25519 + seed).decode()}")
    text = ran(shift, "--format", "html", "--key", tmp_path / "t.key").stdout
    origin, size, root = re.fullmatch(r"(.*), (\d+) events, root (.*)", of_page(text, "Journal head")).groups()  # type: ignore[union-attr]
    note = read_note(f"{origin}\n{size}\n{root}\n\n{of_page(text, 'Signature')}\n")
    assert TableKey(seed).public(origin).signed(note)
    assert not TableKey(bytes(32)).public(origin).signed(note)


def test_a_journal_that_was_changed_is_told_on_the_page_and_by_the_status(shift: Path, tmp_path: Path) -> None:
    copy = tmp_path / "changed.sqlite"
    with sqlite3.connect(shift) as source, sqlite3.connect(copy) as target:
        source.backup(target)
        target.execute("UPDATE entries SET at = at + 1 WHERE seq = 40")
    done = ran(copy, "--format", "html")
    assert done.exit_code == 2
    assert of_page(done.stdout, "Checked").startswith("NOT WHOLE: ")
    assert "NOT WHOLE" in done.stderr


def test_what_was_won_is_drawn_in_steps_and_never_sloping(shift: Path) -> None:
    (points,) = re.findall(r'<polyline class="line" points="([^"]*)"', ran(shift, "--format", "html").stdout)
    drawn = [tuple(point.split(",")) for point in points.split()]
    assert len(drawn) > 20
    assert all(a[0] == b[0] or a[1] == b[1] for a, b in pairwise(drawn))


def test_figures_stand_to_the_right_and_words_to_the_left(shift: Path) -> None:
    text = ran(shift, "--format", "html").stdout
    assert '<th>line</th><th class="n">amount</th>' in text
    assert re.search(r'<td class="t">[^<]*</td><td class="n">[^<]*</td><td>buy in</td><td class="n">\$200</td>', text)


def test_a_day_without_play_says_so_at_the_top_of_the_page(shift: Path) -> None:
    text = ran(shift, "--day", "2026-03-01", "--format", "html").stdout
    assert '<p class="alert">Rounds: none: nothing was played on this day.</p>' in text
