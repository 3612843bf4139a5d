"""The chip register: made from lists, refused with the line, opened at once, and what a tag is at this table."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from controller.commands.chips import chips
from controller.config.tomlread import ConfigError
from controller.core.events import Chip, ChipPlaced, ChipsCounted, ChipsMoved, ChipsSwept, ChipUnclear
from controller.money.dress import ChipRegister
from controller.money.lists import cents_of, export_list, import_lists, in_a_list
from controller.money.register import ChipClass, RegisterFile, write_register
from drivers.chips import AreaChange, AreaChips, ChipInventory, ChipOffEdge, ChipOnEdge, ChipsSeen
from drivers.events import DeviceDown

LIST = """tag,kind,value,set,colour,table,state
a1,cash,5,,,,
a2,cash,2.50,,,,live
b1,colour,,BW1,blue,Big Wheel 1,
b2,colour,,BW2,blue,Big Wheel 2,
b3,colour,,BW3,blue,,
c1,token,25,,,,
d1,tournament,33,,,,
e1,cash,100,,,,missing
e2,colour,,BW1,pink,Big Wheel 1,retired
f1,cash,100,,,Baccarat 7,
"""


def written(folder: Path, text: str, name: str = "list.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def register(tmp_path: Path) -> RegisterFile:
    import_lists(tmp_path / "chips.reg", [written(tmp_path, LIST)])
    return RegisterFile(tmp_path / "chips.reg")


@pytest.mark.clause("melbourne-wheel", "3.1.1", "3.1.2(a)", "3.1.2(b)")
def test_a_tag_is_at_this_table_what_the_register_says_and_no_good_when_it_is_another_tables(
    register: RegisterFile,
) -> None:
    here = ChipRegister(register, "Big Wheel 1", "BW1")
    assert here.chip(0xA1) == Chip(0xA1, "cash", 500)
    assert here.chip(0xA2) == Chip(0xA2, "cash", 250)
    assert here.chip(0xB1) == Chip(0xB1, "colour", 0, "BW1/blue")
    assert here.chip(0xB2) == Chip(0xB2, "other_table", 0, "BW2/blue")
    assert here.chip(0xB3) == Chip(0xB3, "other_table", 0, "BW3/blue")
    assert here.chip(0xC1) == Chip(0xC1, "token", 2500)
    assert here.chip(0xD1) == Chip(0xD1, "tournament", 3300)
    assert here.chip(0xE1) == Chip(0xE1, "retired", 0, "missing")
    assert here.chip(0xE2) == Chip(0xE2, "retired", 0, "BW1/pink")
    assert here.chip(0xF1) == Chip(0xF1, "other_table", 0, "Baccarat 7")
    assert here.chip(0xFF) == Chip(0xFF, "unknown", 0)


@pytest.mark.clause("melbourne-wheel", "3.1.1")
def test_what_the_antennas_saw_reaches_the_table_as_chips(register: RegisterFile) -> None:
    here = ChipRegister(register, "Big Wheel 1", "BW1")
    five, blue = Chip(0xA1, "cash", 500), Chip(0xB1, "colour", 0, "BW1/blue")
    came, left = AreaChange(3, (0xA1, 0xB1), (), True), AreaChange(4, (), (7,))
    moved, went = ChipsMoved("chips", 3, (five, blue), (), True), ChipsMoved("chips", 4, (), (7,))
    assert here.dress(ChipsSeen("chips", (came,))) == [moved]
    assert here.dress(ChipsSeen("chips", (left, came))) == [ChipsSwept("chips", (went, moved))]
    assert here.dress(ChipOnEdge("chips", 0xA1, (1, 2))) == [ChipUnclear("chips", five, (1, 2))]
    assert here.dress(ChipOffEdge("chips", 0xA1)) == [ChipPlaced("chips", 0xA1)]
    assert here.dress(ChipInventory("chips", (AreaChips(0, (0xB1,)),))) == [ChipsCounted("chips", {0: (blue,)})]
    gone = DeviceDown("chips", "silent", "look")
    assert here.dress(gone) == [gone]


@pytest.mark.clause("melbourne-wheel", "3.1.1")
def test_a_simulated_table_knows_its_chips_by_what_they_were_made_worth() -> None:
    made = {7: 500}
    here = ChipRegister(made)
    assert here.chip(8) == Chip(8, "unknown", 0)
    made[8] = 2500
    assert here.chip(8) == Chip(8, "cash", 2500)


def test_a_register_written_as_a_list_imports_to_the_same_register(register: RegisterFile, tmp_path: Path) -> None:
    out = io.StringIO()
    assert export_list(register, out) == 10
    import_lists(tmp_path / "again.reg", [written(tmp_path, out.getvalue(), "again.csv")])
    assert list(RegisterFile(tmp_path / "again.reg")) == list(register)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("xyz,cash,5,,,,", "'xyz' is no tag"),
        ("11223344556677889,cash,5,,,,", "is no tag"),
        ("a9,cahs,5,,,,", "there is no kind 'cahs'; did you mean 'cash'?"),
        ("a9,cash,7,,,,", "no cash chip is worth $7; known denominations: 1, 2, 2.50"),
        ("a9,cash,,,,,", "'' is no amount in dollars"),
        ("a9,cash,NaN,,,,", "'NaN' is no amount"),
        ("a9,cash,0.005,,,,", "no amount in whole cents"),
        ("a9,cash,5,BW1,blue,,", "neither set nor colour"),
        ("a9,colour,5,BW1,blue,Big Wheel 1,", "no value of its own"),
        ("a9,colour,,,blue,,", "needs the mark of its set"),
        ("a9,colour,,B/1,blue,,", "must hold no '/'"),
        ("a9,colour,,BW1,red,Big Wheel 9,", "a set is one table's alone (3.1.2(a))"),
        ("a9,cash,5,,,,lost", "there is no state 'lost'"),
        ("a9,cash,5", "3 fields, not 7"),
        ("a1,cash,5,,,,", "tag a1 stands already on line 2"),
        ('a9,cash,"5', "not CSV"),
    ],
)
def test_a_wrong_line_is_refused_with_its_place_and_nothing_is_written(tmp_path: Path, line: str, told: str) -> None:
    with pytest.raises(ConfigError) as refusal:
        import_lists(tmp_path / "chips.reg", [written(tmp_path, LIST + line + "\n")])
    assert "list.csv:12: " in refusal.value.text
    assert told in refusal.value.text
    assert not (tmp_path / "chips.reg").exists()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "list.csv:1: the list is empty"),
        ("tag,kind,vaule\n", "list.csv:1: there is no column 'vaule'; did you mean 'value'?"),
        ("kind,value\n", "list.csv:1: the column 'tag' is missing"),
        ("tag,tag,kind\n", "a column is named twice"),
    ],
)
def test_a_list_without_the_right_columns_is_refused(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(ConfigError, match=r"list\.csv") as refusal:
        import_lists(tmp_path / "chips.reg", [written(tmp_path, text)])
    assert told in refusal.value.text


def test_a_list_that_is_not_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "list.csv").write_bytes(b"tag,kind,value\na1,cash,5\n\xff\xfe,cash,5\n")
    with pytest.raises(ConfigError, match="not UTF-8"):
        import_lists(tmp_path / "chips.reg", [tmp_path / "list.csv"])


@pytest.mark.clause("melbourne-wheel", "3.1.2(a)")
def test_a_set_that_the_register_gives_one_table_cannot_be_given_another_by_a_later_list(tmp_path: Path) -> None:
    register = tmp_path / "chips.reg"
    head = "tag,kind,value,set,colour,table\n"
    ours = written(tmp_path, head + "b1,colour,,BW1,blue,Big Wheel 1\n1,cash,7.50,,,\n", "ours.csv")
    assert import_lists(register, [ours], denominations=(750,)) == 2
    theirs = written(tmp_path, head + "b2,colour,,BW1,pink,Big Wheel 2\n", "theirs.csv")
    with pytest.raises(ConfigError) as refusal:
        import_lists(register, [theirs])
    belongs = f"the set 'BW1' belongs to 'Big Wheel 2' here and to 'Big Wheel 1' at {register}, tag 2"
    assert refusal.value.text == f"{theirs}:2: {belongs}; a set is one table's alone (3.1.2(a))"
    more = written(tmp_path, head + "b2,colour,,BW1,pink,Big Wheel 1\n2,cash,7.50,,,\n", "more.csv")
    assert import_lists(register, [more]) == 4
    assert RegisterFile(register).head.denominations == (750,)
    assert [entry.tag for entry in RegisterFile(register)] == [1, 2, 0xB1, 0xB2]
    with pytest.raises(ConfigError, match=r"more\.csv:3: no cash chip is worth \$7.50"):
        import_lists(register, [more], denominations=(500,))


@pytest.mark.clause("melbourne-wheel", "3.1.2(a)")
def test_a_list_that_cannot_be_read_is_named_and_nothing_is_written(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"gone\.csv: there is no such list; check the path"):
        import_lists(tmp_path / "chips.reg", [tmp_path / "gone.csv"])
    with pytest.raises(ConfigError, match=r"cannot be read \(Is a directory\); check its permissions"):
        import_lists(tmp_path / "chips.reg", [tmp_path])
    assert not (tmp_path / "chips.reg").exists()


def test_two_lists_may_say_the_same_of_a_tag_but_not_disagree(tmp_path: Path) -> None:
    one = written(tmp_path, "tag,kind,value\na1,cash,5\na2,cash,5\n", "one.csv")
    same = written(tmp_path, "tag,kind,value\na2,cash,5\na3,cash,5\n", "same.csv")
    other = written(tmp_path, "tag,kind,value\na4,cash,5\na2,cash,25\n", "other.csv")
    assert import_lists(tmp_path / "chips.reg", [one, same]) == 3
    with pytest.raises(ConfigError) as refusal:
        import_lists(tmp_path / "new.reg", [one, other])
    assert f"{other}:3: tag a2 is cash $25 here and cash $5 in {one}:3" in refusal.value.text


def test_a_list_that_disagrees_with_the_register_is_refused_unless_it_shall_replace(tmp_path: Path) -> None:
    register = tmp_path / "chips.reg"
    import_lists(register, [written(tmp_path, "tag,kind,value\na1,cash,5\na2,cash,5\n")])
    lost = written(tmp_path, "tag,kind,value,state\na2,cash,5,missing\n", "lost.csv")
    with pytest.raises(ConfigError, match=r"lost\.csv:2: tag a2 .*--replace"):
        import_lists(register, [lost])
    assert import_lists(register, [lost], replace=True) == 2
    entry = RegisterFile(register).entry(0xA2)
    assert entry is not None
    assert entry.state == "missing"


def test_every_single_damaged_byte_of_a_register_is_found_when_it_is_opened(
    register: RegisterFile, tmp_path: Path
) -> None:
    good = register.path.read_bytes()
    bad = tmp_path / "bad.reg"
    for place in range(len(good)):
        bad.write_bytes(good[:place] + bytes((good[place] ^ 0x10,)) + good[place + 1 :])
        with pytest.raises(ConfigError, match=r"bad\.reg"):
            RegisterFile(bad)
    for length in (0, 5, 40, 60, len(good) - 1):
        bad.write_bytes(good[:length])
        with pytest.raises(ConfigError, match=r"bad\.reg"):
            RegisterFile(bad)
    with pytest.raises(ConfigError, match="there is no such chip register"):
        RegisterFile(tmp_path / "none.reg")


OPEN_AND_ASK = """
import resource, sys, time
from controller.money.register import RegisterFile
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
start = time.perf_counter()
register = RegisterFile(sys.argv[1])
opened = time.perf_counter() - start
step = len(register) // 2000
tags = [0x1000 + 16 * step * number for number in range(2000)]
assert all(register.entry(tag) for tag in tags)
print(opened, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


def test_a_register_of_a_million_tags_opens_in_under_a_second_and_takes_memory_for_the_chips_asked_for(
    tmp_path: Path,
) -> None:
    classes = [ChipClass("cash", 500), ChipClass("cash", 2500)]
    path = tmp_path / "million.reg"
    write_register(path, classes, (500, 2500), [(0x1000 + 16 * n, n & 1, 0) for n in range(1_000_000)])
    done = subprocess.run(
        [sys.executable, "-c", OPEN_AND_ASK, str(path)], capture_output=True, text=True, timeout=60, check=True
    )
    opened, grown_kb = (float(word) for word in done.stdout.split())
    assert opened < 1.0
    # Two thousand chips from all over a file of 11 MB.
    assert grown_kb < 2_000


@given(st.integers(1, 10_000_000_000))
def test_an_amount_in_a_list_reads_back_as_the_same_cents(cents: int) -> None:
    assert cents_of(in_a_list(cents)) == cents


def test_the_command_line_imports_shows_and_exports(tmp_path: Path) -> None:
    path, register = written(tmp_path, LIST), tmp_path / "chips.reg"
    run = CliRunner().invoke
    done = run(chips, ["import", str(register), str(path)])
    assert (done.exit_code, done.output) == (0, f"{register}: 10 tags\n")
    shown = run(chips, ["show", str(register)]).output
    assert "cash $2.50" in shown
    assert "colour BW1/pink of Big Wheel 1, retired" in shown
    assert "cash $5, live" in run(chips, ["show", str(register), "a1"]).output
    assert run(chips, ["show", str(register), "99"]).exit_code == 1
    assert run(chips, ["export", str(register)]).output.startswith("tag,kind,value,set,colour,table,state\n")
    own = written(tmp_path, "tag,kind,value\n1,cash,7.50\n", "own.csv")
    assert run(chips, ["import", str(tmp_path / "own.reg"), str(own), "--denominations", "7.50,5"]).exit_code == 0
    assert run(chips, ["import", str(tmp_path / "own.reg"), str(own), "--denominations", "x"]).exit_code == 2
