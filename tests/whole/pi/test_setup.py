"""From nothing to a first settled round: a table is set up from its devices on pseudo-terminals, run, and played."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from controller.config.file import check_config
from controller.people.staff import read_staff
from controller.pi.before_opening import missing
from controller.pi.setup.questions import example_of
from tests.standing import TABLECTL
from tests.whole.pi.bench import Hand, Paired, free_port, simulated, until

STAKE, FLOAT, A = 0x1000, range(0x1001, 0x1040), 1
ANSWERS = """
[table]
name = "Wheel 9"
game = "wheel"
web = "127.0.0.1:{port}"
[limits]
min = 5
max = 500
unit = 5
smallest_chip = 5
[wheel]
option = 1
layout = "B"
ring = {ring}
[chips]
lists = ["chips.csv"]
[walk]
felt = "yes"
[screens]
pair = ["dealer", "sign"]
[[staff]]
id = "S1"
name = "Alex"
rank = "dealer"
pin = "4711"
[[staff]]
id = "S3"
name = "Casey"
rank = "AM"
pin = "8085"
"""


def set_up(folder: Path, mat: Hand) -> dict[str, str]:
    """Answer from a file, lay the chip where the set-up says, and keep the addresses of the screens."""
    rows = "".join(f"{tag:x},cash,5\n" for tag in (STAKE, *FLOAT))
    (folder / "chips.csv").write_text(f"tag,kind,value\n{rows}", "utf-8")
    answers = folder / "answers.toml"
    answers.write_text(ANSWERS.format(port=free_port(), ring=json.dumps(example_of("wheel")["wheel"]["ring"])), "utf-8")
    answers.chmod(0o600)
    command = [*TABLECTL, "setup", "--config", str(folder / "table.toml"), "--answers", str(answers)]
    command += ["--port", str(folder / "WS-9"), "--port", str(folder / "CM-9")]
    screens, said = {}, []
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as asking:
        assert asking.stdout is not None
        for line in asking.stdout:
            said.append(line)
            assert not (folder / "table.toml").exists() or "Lay the chip" not in line, "written before the walk is over"
            if laid := re.match(r"Lay the chip on (\d+)", line):
                mat("place", tags=[STAKE], area=int(laid[1]))
            elif shown := re.match(r"Open this on the (\w+) screen, once: (\S+)", line):
                screens[shown[1]] = shown[2]
    assert asking.returncode == 0, "".join(said)
    assert sum("Lay the chip" in line for line in said) == 8
    return screens


def act(dealer: Paired, mat: Hand, game: dict[str, Any]) -> None:
    """Whatever the dealer owes the round now."""
    match game["state"]:
        case "spin_open":
            dealer.press("no_more_bets")
        case "result":
            dealer.press("acknowledge")
        case "collect":
            mat("place", tags=[STAKE], area=0)
        case "pay" if game["areas"]["A"] == 500:
            mat("place", tags=[FLOAT[0]], area=A)
        case "pay" if game["areas"]["A"] == 1000:
            dealer.press("paid")


@pytest.mark.slow
def test_a_table_is_set_up_from_nothing_and_settles_its_first_round(tmp_path: Path) -> None:
    with simulated(tmp_path, ("wheel", "WS-9", ("--speed", "2")), ("chips", "CM-9", ())) as hands:
        mat, wheel = hands["CM-9"], hands["WS-9"]
        screens = set_up(tmp_path, mat)
        config = check_config(tmp_path / "table.toml")
        assert {place: device.serial for place, device in config.devices.items()} == {"wheel": "WS-9", "chips": "CM-9"}
        assert missing(config) == []
        mat("clear")
        mat("place", tags=list(FLOAT), area=0)
        with (tmp_path / "log").open("w") as log:
            table = subprocess.Popen([*TABLECTL, "run", "--config", str(tmp_path / "table.toml")], stderr=log)
        try:
            play(screens, mat, wheel, tmp_path / "log")
        finally:
            table.terminate()
            table.wait(20)
    assert re.search(r" settled .*outcome=.* wagers=1\b", (tmp_path / "log").read_text())


def play(screens: dict[str, str], mat: Hand, wheel: Hand, log: Path) -> None:
    """Open the table on its screens and play a round to its end."""
    until(lambda: "pages at" in log.read_text() or None)
    dealer, sign = Paired(screens["dealer"], "dealer"), Paired(screens["sign"], "sign")
    dealer.sign_in("S1", "4711")

    def shown() -> Any:
        return dealer.state()["set"]

    until(lambda: shown()["alarms"] == [] or None)
    dealer.press("open")

    def opened() -> bool | None:
        sign.post("sign-shown", revision=sign.state()["set"]["sign"]["revision"])
        return shown()["life"]["life"] == "open" or None

    until(opened)
    dealer.press("place_bets")
    mat("place", tags=[STAKE], area=A)
    until(lambda: shown()["game"]["wagers"] or None)
    dealer.press("assign", area=A, player="P1", tags=[STAKE])
    wheel("push", speed=1.4)

    def over() -> bool | None:
        act(dealer, mat, shown()["game"])
        return shown()["life"]["round"] == 2 or None

    until(over)


@pytest.mark.slow
def test_which_of_two_shoes_it_is_is_told_by_lifting_a_lid_and_a_wrong_plug_is_told_on_the_walk(tmp_path: Path) -> None:
    """A person at the terminal: what cannot be is asked again, and what was answered stands."""
    config = tmp_path / "table.toml"
    typed = ["war", "perth-war", "", "", "", *["1000", "10", "", ""], *[""] * 4]  # the maximum below the minimum
    typed += ["10", "1000", "", "", *[""] * 4]  # asked again
    typed += ["", "", "", "yes", "y", "S7", "Alex", "dealer", "4711", "", "n", "dealer sign"]
    devices = [("shoe", "SO-1", ()), ("shoe", "SO-2", ()), ("chips", "CM-9", ("--areas", "40"))]
    with simulated(tmp_path, *devices) as hands:
        command = [*TABLECTL, "setup", "--config", str(config)]
        for _, serial, _ in devices:
            command += ["--port", str(tmp_path / serial)]
        said = answered(command, typed, hands, crossed={2: 3})
    assert "Once more; what you answered stands in brackets." in said
    assert "It is SO-2." in said
    assert "It was seen by antenna 3" in said
    table = check_config(config)
    assert table.devices["shoe"].serial == "SO-2"
    assert (table.limits.min, table.limits.max) == (1000, 100_000)
    assert read_staff(tmp_path / "staff.json").members["S7"].ranks == {"perth-war": "dealer"}


def answered(command: list[str], typed: list[str], hands: dict[str, Hand], crossed: dict[int, int]) -> str:
    """Type these lines, lift the second shoe's lid, and lay the chip, over the wrong antenna first where crossed."""
    said: list[str] = []
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        start_new_session=True,  # no terminal to ask for secrets at: they come with the rest
    ) as asking:  # fmt: skip
        assert asking.stdin is not None
        assert asking.stdout is not None
        asking.stdin.write("\n".join(typed) + "\n")
        asking.stdin.flush()
        laid = 0
        for line in asking.stdout:
            said.append(line)
            if "Go to it and lift its lid" in line:
                hands["SO-2"]("open_lid")
            elif next_area := re.search(r"Lay the chip on (\d+)", line):
                laid = int(next_area[1])
                hands["CM-9"]("place", tags=[STAKE], area=crossed.get(laid, laid))
            elif "It was seen by" in line:
                hands["CM-9"]("place", tags=[STAKE], area=laid)
    assert asking.returncode == 0, "".join(said)
    return "".join(said)
