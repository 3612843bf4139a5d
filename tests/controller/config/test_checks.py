"""A table opens only with a configuration that its rulebook and its place allow."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.config.file import check_config_with_warnings
from controller.config.tomlread import ConfigError
from controller.games.wheel.config import wheel_bands
from tests.controller.config.example import EXAMPLE, line_of, told


def test_the_commented_example_is_a_right_configuration(tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_text(EXAMPLE, encoding="utf-8")
    config, warnings = check_config_with_warnings(tmp_path / "table.toml")
    assert config.limits.smallest_chip == 250
    assert config.limits.of("F") == (500, 10_000)
    assert config.limits.of("A") == (500, 50_000)
    assert config.table.journal == str(tmp_path / "big-wheel-1.db")
    assert wheel_bands(config).dead == pytest.approx(0.1)
    assert len(warnings) == 1
    assert "tablectl wheel calibrate" in warnings[0]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("option = 1", "optoin = 1", "[wheel] unknown key 'optoin'; did you mean 'option'?"),
        ("option = 1", "option = 5", "[wheel] 'option' must be at most 4, not 5"),
        ("game = ", 'game = "whele" #', "[table] 'game' cannot be the text 'whele'; did you mean 'wheel'?"),
        ("rulebook = ", 'rulebook = "melburne-wheel" #', "[table] there is no rulebook 'melburne-wheel'; did you"),
        ("rulebook = ", 'rulebook = "melbourne-poker" #', "[table] rulebook 'melbourne-poker' is for the game 'poker'"),
        ("web = ", 'web = "8642" #', "[table] '8642' is no address; write HOST:PORT"),
        ("web = ", 'web = "localhost:99999" #', "[table] 'localhost:99999' is no address"),
        ("max = 500\n", "max = 4\n", "[limits] the maximum $4 is below the minimum $5"),
        ("unit = 5 ", "unit = 3 ", "[limits] 'unit' $3 cannot be made of $2.50 chips"),
        ("F = { max = 100 }", "Q = { max = 100 }", "[limits.bets] limits for 'Q', which is no bet here"),
        ("F = { max = 100 }", "F = { max = 1 }", "[limits.bets] 'F': minimum $5 and maximum $1 do not go together"),
        ("max = 1000", "max = 999", "[[personal_limits]] 1: 'max' $999 cannot be made of $2.50 chips"),
        ("seat = 3", "seat = 8", "[[personal_limits]] 1: seat 8 does not exist; the table has 7"),
        ('"S300"\n\n#', '"S100"\n\n#', "[[personal_limits]] 1: Alex is dealer; personal limits need AM (4.3)"),
        ('rank = "AM"', 'rank = "AN"', "[[staff]] 3: Casey has the rank 'AN', which melbourne-wheel does not know"),
        ('"06:00"\n', '"25:00"\n', "[books] 'day_starts' cannot be the text '25:00'; write a time such as 06:00"),
        ('"14:00"', '"14"', "[books] 'shifts' entry 2 cannot be the text '14'; write a time such as 06:00"),
        ('rank = "HDD"', 'rank = "TI"', "[[staff]] 2: Billie has the rank 'TI', which melbourne-wheel does not know"),
        ('id = "S200"', 'id = "S100"', "[[staff]] 2: id 'S100' is given twice"),
        ('kind = "chips"', 'kind = "shoe"', "wheel needs a device of kind 'chips'; add [devices.chips]"),
        ('port = "usb:1209', 'port = "usb;1209', "[devices.chips] 'usb;1209:7ab1' is no port; use /dev/…[@BAUD]"),
        ('port = "usb:1209:7ab1"', 'port = "wire"', "[devices.chips] 'wire' runs inside the process"),
        ("peg_mm = 12.0", "peg_mm = 120.0", "[wheel] the geometry gives a dead band of 0.70"),
        ("# near_band = 0.117", "near_band = 0.05", "[wheel] 'near_band' 0.05 lies inside the dead band 0.100"),
        ("[seats]", "[war]\n[seats]", "[war] section [war] belongs to another game; this table plays wheel"),
        ('A = "1", B = "3"', 'A = "3", B = "3"', "[wheel] two symbols have the same label"),
    ],
)
def test_a_wrong_value_is_refused_with_file_line_and_remedy(tmp_path: Path, old: str, new: str, message: str) -> None:
    text = told(tmp_path, (old, new))
    assert text.startswith("table.toml:")
    assert int(text.split(":")[1]) > 1
    assert text.partition(": ")[2].startswith(message)


def test_pages_that_others_can_reach_are_warned_about(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    keys = 'certificate = "c.pem"\ncertificate_key = "k.pem"\nweb = "0.0.0.0:8642" #'
    path.write_text(EXAMPLE.replace('web = "127.0.0.1:8642"', keys), encoding="utf-8")
    config, warnings = check_config_with_warnings(path)
    assert any("can be reached from other machines" in warning for warning in warnings)
    assert config.table.certificate == str(tmp_path / "c.pem")


def test_pages_for_other_machines_are_refused_without_a_certificate(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text(EXAMPLE.replace("127.0.0.1:8642", "0.0.0.0:8642"), encoding="utf-8")
    with pytest.raises(ConfigError, match="would travel in clear"):
        check_config_with_warnings(path)


def test_files_that_chips_and_cards_are_known_from_must_be_there(tmp_path: Path) -> None:
    register = told(tmp_path, ("# register =", "register ="))
    assert register.startswith(f"table.toml:{line_of('# register')}: ")
    assert "tablectl chips import" in register
    reader = ('# [devices.dealer]\n# kind = "swipe"\n# port', '[devices.dealer]\nkind = "swipe"\nport')
    assert "without a key" in told(tmp_path, reader)
    assert "player cards" in told(tmp_path, ("# [people]", "[people]"), ("# players =", "players ="))


UPLINK = """
[uplink]
servers = ["nats://127.0.0.1:4222"]
"""


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('["nats://127.0.0.1:4222"]', "[]", "'servers' names no broker; write servers"),
        ("nats://127.0.0.1:4222", "127.0.0.1", "'127.0.0.1' is no broker; write nats://HOST:PORT"),
        ("nats://127.0.0.1:4222", "http://floor:80", "is no broker"),
        ("nats://127.0.0.1:4222", "nats://u:p@floor:4222", "is no broker"),
        ('"nats://127.0.0.1:4222"', '"tls://a:4222", "nats://b:4222"', "in clear and others not; write tls://"),
        ("servers", 'witness = "floor"\nservers', "not the public key of a witness; copy the whole line"),
        ("servers", 'nkey = "none.nk"\nservers', "there is no file at"),
        ("servers", 'ca = "none.pem"\nservers', "there is no file at"),
        ("servers", 'broker = "x"\nservers', "unknown key 'broker'"),
    ],
)
def test_a_wrong_uplink_is_refused_in_words(tmp_path: Path, old: str, new: str, message: str) -> None:
    path = tmp_path / "table.toml"
    path.write_text(EXAMPLE + UPLINK.replace(old, new), "utf-8")
    with pytest.raises(ConfigError, match=r"table\.toml:") as wrong:
        check_config_with_warnings(path)
    assert message in str(wrong.value)


def test_an_uplink_that_goes_out_in_clear_is_warned_about(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text(EXAMPLE + UPLINK, "utf-8")
    config, warnings = check_config_with_warnings(path)
    assert config.uplink is not None
    assert not any("in clear" in one for one in warnings)
    path.write_text(EXAMPLE + UPLINK.replace("127.0.0.1", "10.0.0.5"), "utf-8")
    assert any("goes to the floor in clear" in one for one in check_config_with_warnings(path)[1])
