"""Lists of chips: wrong lines refused with their place, lists that disagree with each other or with the register."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.config.tomlread import ConfigError
from controller.money.lists import cents_of, export_list, import_lists, in_a_list
from controller.money.register import RegisterFile
from tests.controller.money.listed import LIST, written


@pytest.fixture
def register(tmp_path: Path) -> RegisterFile:
    import_lists(tmp_path / "chips.reg", [written(tmp_path, LIST)])
    return RegisterFile(tmp_path / "chips.reg")


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
        ("a9,cash,1e999999,,,,", "'1e999999' is no amount in dollars; write it as 5 or 2.50"),
        ("a9,cash,1E-999999,,,,", "is no amount in dollars"),
        ("a9,cash," + "9" * 4000 + ",,,,", "is no amount in dollars"),
        ("a9,cash,Infinity,,,,", "is no amount in whole cents"),
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


@given(st.integers(1, 10_000_000_000))
def test_an_amount_in_a_list_reads_back_as_the_same_cents(cents: int) -> None:
    assert cents_of(in_a_list(cents)) == cents
