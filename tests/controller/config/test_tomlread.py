"""What a technician is told when a file is wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import msgspec
import pytest
from msgspec import Meta

from controller.config.tomlread import Cents, ConfigError, Document, convert, load


class Lamp(msgspec.Struct, frozen=True):
    colour: Literal["red", "green"]
    watts: Annotated[int, Meta(ge=1, le=60)] = 10


class Room(msgspec.Struct, frozen=True):
    name: str
    lamps: tuple[Lamp, ...] = ()
    doors: dict[str, Lamp] = {}
    price: Cents = Cents(0)
    height: float | None = None
    steps: tuple[int, ...] = ()


def told(text: str) -> str:
    with pytest.raises(ConfigError) as caught:
        convert(Document("room.toml", text), Room)
    return caught.value.text


def test_a_right_file_becomes_a_struct_with_money_in_cents() -> None:
    text = (
        'name = "a"\nprice = 2.50\nheight = 3\nsteps = [1, 2]\n'
        '[[lamps]]\ncolour = "red"\n[doors.left]\ncolour = "green"\n'
    )
    room = convert(Document("room.toml", text), Room)
    assert room == Room("a", (Lamp("red"),), {"left": Lamp("green")}, Cents(250), 3.0, (1, 2))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('name = "a"\npricee = 3\n', "room.toml:2: unknown key 'pricee'; did you mean 'price'?"),
        (
            'name = "a"\n\n[[lamps]]\ncolour = "red"\n[[lamps]]\ncolour = "red"\nwats = 3\n',
            "room.toml:7: [[lamps]] 2: unknown key 'wats'; did you mean 'watts'?",
        ),
        (
            'name = "a"\n[doors.left]\ncolour = "rot"\n',
            "room.toml:3: [doors.left] 'colour' cannot be the text 'rot'; known here: red, green",
        ),
        (
            'name = "a"\n[doors]\nleft = { colour = "gren" }\n',
            "room.toml:3: [doors.left] 'colour' cannot be the text 'gren'; did you mean 'green'?",
        ),
        (
            'name = "a"\nlamps = [\n  { colour = "red" },\n  { colour = "red", watts = 0 },\n]\n',
            "room.toml:4: [[lamps]] 2: 'watts' must be at least 1, not 0",
        ),
        ('name = "a"\ndoors.left.colour = 4\n', "room.toml:2: [doors.left] 'colour' must be text in quotes, not 4"),
        ("name = 4\n", "room.toml:1: 'name' must be text in quotes, not 4"),
        ('name = "a"\nheight = "tall"\n', "room.toml:2: 'height' must be a number, not the text 'tall'"),
        (
            'name = "a"\nsteps = [1,\n 2, "x"]\n',
            "room.toml:3: 'steps' entry 3 must be a whole number, not the text 'x'",
        ),
        ('name = "a"\nsteps = 3\n', "room.toml:2: 'steps' must be a list, not 3"),
        ('name = "a"\ndoors = 3\n', "room.toml:2: 'doors' must be a table, not 3"),
        ('name = "a"\nprice = 2.505\n', "room.toml:2: 'price' is 2.505, which has parts of a cent"),
        ('name = "a"\nprice = -1\n', "room.toml:2: 'price' is -1, which no table can pay"),
        ('name = "a"\nprice = inf\n', "room.toml:2: 'price'"),
        ('name = "a"\nprice = true\n', "room.toml:2: 'price' must be an amount of money, not true"),
        ("price = 1\n", "room.toml:1: 'name' is missing; add it: name = …"),
        ('name = "a"\n[[lamps]]\nwatts = 3\n', "room.toml:2: 'colour' is missing from [[lamps]] 1"),
        ('name = "a\n', "room.toml:1: not valid TOML: "),
        ('name = "a"\nname = "b"\n', "room.toml:2: not valid TOML: "),
    ],
)
def test_a_wrong_file_is_told_with_line_key_and_remedy(text: str, message: str) -> None:
    assert told(text).startswith(message)


def test_a_missing_file_and_a_file_that_is_no_text_are_told_by_name(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"absent\.toml: there is no such file"):
        load(tmp_path / "absent.toml")
    (tmp_path / "noise.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigError, match=r"noise\.toml: not UTF-8 text"):
        load(tmp_path / "noise.toml")
    with pytest.raises(ConfigError, match="cannot be read"):
        load(tmp_path)
