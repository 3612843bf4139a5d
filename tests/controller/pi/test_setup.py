"""What a set-up takes, refuses and writes."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from hypothesis import given
from hypothesis import strategies as st

from controller import games, kept_file
from controller.config.file import check_config
from controller.people.staff import read_staff
from controller.pi.setup import plugged, toml
from controller.pi.setup.questions import example_of
from controller.web.access import PairingFile
from drivers.discover import DeviceFound
from tests.standing import tablectl

ANSWERS = """\
[table]
name = "War 3"
game = "war"
rulebook = "perth-war"
[limits]
min = 10
max = 1000
unit = 5
smallest_chip = 2.50
[war]
decks = 6
[walk]
felt = "no"
[[staff]]
id = "S1"
name = "Alex"
rank = "dealer"
pin = "4711"
[screens]
pair = ["dealer", "sign"]
"""
NUMBERS = st.integers(-(2**60), 2**60) | st.decimals(allow_nan=False, allow_infinity=False, places=2)
PLAIN = st.recursive(
    st.booleans() | NUMBERS | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)

SetUp = Callable[..., Result]


def found(kind: str, serial: str) -> DeviceFound:
    return DeviceFound(f"/dev/{serial}", "serial port", kind, serial, "1.0.0", 1, fits=True)


@pytest.fixture
def set_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SetUp:
    """Sets a table up from answers, with these devices on the ports of the machine."""

    def run(text: str = ANSWERS, devices: Any = (("shoe", "SO-1"), ("chips", "CM-1"))) -> Result:
        monkeypatch.setattr(plugged, "look", lambda extra: [found(*device) for device in devices])
        answers = tmp_path / "answers.toml"
        answers.write_text(text, "utf-8")
        answers.chmod(0o600)
        return tablectl("setup", "--config", tmp_path / "table.toml", "--answers", answers)

    return run


def left_in(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()} - {"answers.toml"}


def test_what_is_answered_stands_in_a_file_that_is_right(set_up: SetUp, tmp_path: Path) -> None:
    told = set_up()
    assert told.exit_code == 0, told.output
    config = check_config(tmp_path / "table.toml")
    assert (config.table.rulebook, config.limits.smallest_chip) == ("perth-war", 250)
    assert {place: device.port for place, device in config.devices.items()} == {
        "shoe": "/dev/SO-1",
        "chips": "/dev/CM-1",
    }
    assert read_staff(tmp_path / "staff.json").members["S1"].pin
    assert [screen.place for screen in PairingFile(tmp_path / "screens.json").read().screens] == ["dealer", "sign"]
    assert "before it opens: No chip register is named" in told.output
    assert "4711" not in (tmp_path / "staff.json").read_text() + told.output


@pytest.mark.parametrize(
    ("wrong", "instead", "said"),
    [
        (
            "max = 1000",
            "max = 7",
            "answers.toml:6: [limits] the minimum must be above nothing and not above the maximum",
        ),
        ("decks = 6", "decks = 5", "answers.toml:11: [war] 5 decks"),
        ("decks = 6", "deks = 6", "answers.toml:11: [war] unknown key 'deks'"),
        ("unit = 5\n", "", "unit"),
        ('"perth-war"', '"perth-whist"', "answers.toml:4: [table] 'rulebook' cannot be 'perth-whist'"),
        ('rank = "dealer"', 'rank = "king"', "'rank' cannot be 'king'"),
        ('pin = "4711"', 'pin = "1234"', "one that anybody would try first"),
        ('felt = "no"', 'felt = "no"\nfloor = "no"', "answers.toml:14: [walk] 'floor' is not asked for"),
        ('"sign"]', '"signal"]', "there is no screen 'signal'"),
        ("[walk]", '[chips]\nlists = ["gone.csv"]\n[walk]', "gone.csv: there is no such list"),
    ],
)
def test_what_is_wrong_is_told_where_it_was_answered_and_nothing_is_written(
    set_up: SetUp, tmp_path: Path, wrong: str, instead: str, said: str
) -> None:
    told = set_up(ANSWERS.replace(wrong, instead))
    assert told.exit_code == 2
    assert said in told.output
    assert left_in(tmp_path) == set()


def test_two_of_a_kind_are_told_apart_by_their_number(set_up: SetUp, tmp_path: Path) -> None:
    devices = (("shoe", "SO-1"), ("shoe", "SO-2"), ("chips", "CM-1"))
    told = set_up(devices=devices)
    assert told.exit_code == 2
    assert 'there are 2 of kind shoe (SO-1, SO-2); say which: [devices] shoe = "SO-1"' in told.output
    assert left_in(tmp_path) == set()
    told = set_up(ANSWERS + '[devices]\nshoe = "SO-2"\n', devices)
    assert told.exit_code == 0, told.output
    assert check_config(tmp_path / "table.toml").devices["shoe"].serial == "SO-2"


def test_a_device_that_is_not_there_is_named_with_what_is(set_up: SetUp, tmp_path: Path) -> None:
    told = set_up(devices=(("chips", "CM-1"),))
    assert told.exit_code == 2
    assert "no shoe answers here; plug it in. What is seen: /dev/CM-1: chips CM-1" in told.output
    assert left_in(tmp_path) == set()


def test_answers_with_pins_that_others_may_read_are_refused(set_up: SetUp, tmp_path: Path) -> None:
    set_up()
    (tmp_path / "answers.toml").chmod(0o644)
    told = tablectl("setup", "--config", tmp_path / "other.toml", "--answers", tmp_path / "answers.toml")
    assert told.exit_code == 2
    assert "chmod 600" in told.output


def test_a_table_that_has_played_is_not_set_up_again(set_up: SetUp, tmp_path: Path) -> None:
    (tmp_path / "table.db").touch()
    told = set_up()
    assert told.exit_code == 2
    assert "this table has a journal already" in told.output
    assert left_in(tmp_path) == {"table.db"}


def test_set_up_again_the_file_before_is_kept_and_people_and_screens_stay(set_up: SetUp, tmp_path: Path) -> None:
    set_up()
    first = (tmp_path / "table.toml").read_text()
    told = set_up(ANSWERS.replace('id = "S1"', 'id = "S2"').replace("War 3", "War 4"))
    assert told.exit_code == 0, told.output
    assert (tmp_path / "table.toml.before").read_text() == first
    assert sorted(read_staff(tmp_path / "staff.json").members) == ["S1", "S2"]
    assert len(PairingFile(tmp_path / "screens.json").read().screens) == 4


def test_a_disk_that_fails_before_the_last_step_leaves_the_file_of_before(
    set_up: SetUp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_up()
    first = (tmp_path / "table.toml").read_text()
    replace = kept_file.replace

    def failing(path: Path, octets: bytes, mode: int = 0o600) -> None:
        if path == tmp_path / "table.toml":
            raise OSError(28, "No space left on device", str(path))
        replace(path, octets, mode)

    monkeypatch.setattr(kept_file, "replace", failing)
    told = set_up(ANSWERS.replace("War 3", "War 4"))
    assert told.exit_code == 2
    assert "No space left on device" in told.output
    assert (tmp_path / "table.toml").read_text() == first
    assert check_config(tmp_path / "table.toml").table.name == "War 3"


@pytest.mark.parametrize("game", games.names())
def test_an_example_ships_for_every_game(game: str) -> None:
    assert example_of(game)["table"]["game"] == game


@given(st.dictionaries(st.text(), PLAIN, max_size=5))
def test_what_is_written_is_read_back(values: dict[str, Any]) -> None:
    assert tomllib.loads(toml.written(values), parse_float=Decimal) == values


def test_a_poker_table_with_a_card_reader_is_set_up_with_a_key_for_its_cards(set_up: SetUp, tmp_path: Path) -> None:
    example = example_of("poker")
    answers = {name: example[name] for name in ("limits", "seats", "poker")}
    answers["table"] = {"name": "Poker 7", "game": "poker"}
    answers |= {"readers": {"dealer": "usb:0801:0002"}, "walk": {"felt": "no"}, "chips": {"float_tray": False}}
    devices = [(kind, f"{kind}-1") for kind in ("cards", "chips", "shuffler")]
    told = set_up(toml.written(answers), devices)
    assert told.exit_code == 0, told.output
    table = check_config(tmp_path / "table.toml")
    assert table.devices["dealer"].kind == "swipe"
    assert table.key_file() == tmp_path / "staff.key"
    assert table.key_file().stat().st_mode & 0o077 == 0


@pytest.mark.clause("star-war", "5.1")
def test_a_table_of_the_star_is_set_up_with_a_reader_and_the_list_of_player_cards(
    set_up: SetUp, tmp_path: Path
) -> None:
    star = ANSWERS.replace("perth-war", "star-war")
    told = set_up(star)
    assert (told.exit_code, "no card reader stands here (5.1)" in told.output) == (2, True)
    star += '[readers]\ndealer = "usb:0801:0002"\n'
    told = set_up(star)
    assert (told.exit_code, "no list says which are (5.1)" in told.output) == (2, True)
    assert left_in(tmp_path) == set()
    (tmp_path / "players.csv").write_text("number\n60070199\n", "utf-8")
    (tmp_path / "players.csv").chmod(0o600)
    told = set_up(star + '[people]\nplayers = "players.csv"\n')
    assert told.exit_code == 0, told.output
    config = check_config(tmp_path / "table.toml")
    assert (config.devices["dealer"].kind, config.people.players) == ("swipe", str(tmp_path / "players.csv"))
