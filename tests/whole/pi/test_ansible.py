"""The Ansible role, with the real installer on tables in roots of their own: what is wrong changes nothing."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tarfile
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from lab.bundle import write_sums
from lab.needs import ANSIBLE
from tests import ROOT
from tests.bundles import bundle, stub_wheel
from tests.needed import needed
from tests.whole.pi.installed_machine import Machine
from tests.whole.pi.own_root import own_bundle

PLAYBOOK = ROOT / "install" / "ansible" / "site.yml"
TEMPLATE = ROOT / "install" / "ansible" / "templates" / "wheel.toml.j2"
LONGEST_S = 600
RECAP = re.compile(r"^(\S+) +: ok=\d+ +changed=(\d+) +unreachable=0 +failed=(\d+)", re.MULTILINE)


class House:
    """Tables that one machine looks after, with what each of them has of its own."""

    def __init__(self, folder: Path, first: Path, count: int) -> None:
        self.folder = folder
        folder.mkdir(exist_ok=True)
        self.tables = [Machine(folder / f"m{number}") for number in range(1, count + 1)]
        self.own: list[dict[str, Any]] = []
        for number, table in enumerate(self.tables, 1):
            self.own.append(
                {"table_name": f"Big Wheel {number}", "wheel_serial": f"WS-{number}", "mat_serial": f"CM-{number}"}
            )
            done = table.run(first)
            assert done.returncode == 0, done.stderr
            text = table.config.read_text("utf-8").replace('"Big Wheel 1"', f'"Big Wheel {number}"', 1)
            table.config.write_text(text, "utf-8")  # as `tablectl setup` leaves it: with its own name

    def play(self, **everywhere: Any) -> Played:
        hosts = {
            f"big-wheel-{number}": {
                **own,
                "tablectl_root": str(table.root),
                "tablectl_environment": table.environment,
            }
            for number, (table, own) in enumerate(zip(self.tables, self.own, strict=True), 1)
        }
        shared = {"ansible_connection": "local", "ansible_become": False, "tablectl_wait": 2, **everywhere}
        inventory = self.folder / "inventory.json"
        inventory.write_text(json.dumps({"tables": {"hosts": hosts, "vars": shared}}))
        environment = {**os.environ, "ANSIBLE_NOCOLOR": "1", "ANSIBLE_LOCAL_TEMP": str(self.folder / "tmp")}
        environment |= {"ANSIBLE_REMOTE_TEMP": str(self.folder / "tmp"), "ANSIBLE_PIPELINING": "1"}
        done = subprocess.run(
            [needed(ANSIBLE, "the role was not tried"), "-i", str(inventory), str(PLAYBOOK)],
            env=environment, capture_output=True, text=True, timeout=LONGEST_S,
        )  # fmt: skip
        recap = {found[1]: (int(found[2]), int(found[3])) for found in RECAP.finditer(done.stdout)}
        return Played(done.returncode == 0, done.stdout + done.stderr, recap)

    def versions(self) -> list[str]:
        return [table.current for table in self.tables]

    def configurations(self) -> list[str]:
        return [table.config.read_text("utf-8") for table in self.tables]


class Played(NamedTuple):
    """How a playbook ended: what was said, and how many tasks changed something and failed, by table."""

    well: bool
    said: str
    recap: dict[str, tuple[int, int]]


def sent(folder: Path, made: Path) -> Path:
    """A bundle as it is sent: one file."""
    (pip,) = (made / "wheels").glob("pip-*.whl")
    if pip.is_symlink():
        unpacked = pip.resolve()
        pip.unlink()
        shutil.copytree(unpacked, pip)
        write_sums(made)
    path = folder / f"{made.name}.tar.gz"
    with tarfile.open(path, "w:gz") as packed:
        packed.add(made, made.name)
    return path


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Small programs by version; one is in the middle of a round, one refuses every table."""
    needed(ANSIBLE, "the role was not tried")
    folder = tmp_path_factory.mktemp("made")
    refuses, playing = {"4.0": "it cannot run this table"}, {"1.5": "A round is under way"}
    return {
        number: bundle(
            folder,
            number,
            stub_wheel(folder, number, refuses=refuses.get(number, ""), playing=playing.get(number, "")),
        )
        for number in ("1.0", "1.5", "2.0", "3.0", "4.0")
    }


@pytest.fixture(scope="module")
def house(made: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> House:
    """Two tables whose program is changed."""
    return House(tmp_path_factory.mktemp("house"), made["1.0"], 2)


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> House:
    """Two tables that run our own program, which looks at their configuration."""
    needed(ANSIBLE, "the role was not tried")
    folder = tmp_path_factory.mktemp("own")
    return House(tmp_path_factory.mktemp("real"), own_bundle(folder), 2)


def test_a_good_version_comes_to_every_table_and_a_second_run_changes_nothing(
    house: House, made: dict[str, Path], tmp_path: Path
) -> None:
    bundle = str(sent(tmp_path, made["2.0"]))
    first = house.play(tablectl_bundle=bundle)
    assert first.well, first.said
    assert house.versions() == ["2.0", "2.0"]
    again = house.play(tablectl_bundle=bundle)
    assert again.well, again.said
    assert again.recap == {"big-wheel-1": (0, 0), "big-wheel-2": (0, 0)}


@pytest.mark.slow
def test_a_version_that_does_not_become_ready_is_taken_back_and_ends_it_at_the_first_table(
    house: House, made: dict[str, Path], tmp_path: Path
) -> None:
    before = house.versions()
    for table in house.tables:
        (table.folder / "unready").write_text("3.0")
    played = house.play(tablectl_bundle=str(sent(tmp_path, made["3.0"])))
    assert not played.well
    assert "version 3.0 was taken back" in played.said
    assert house.versions() == before
    assert list(played.recap) == ["big-wheel-1"], "nobody else was asked"


@pytest.mark.slow
def test_a_version_that_cannot_run_the_table_is_refused_by_it(
    house: House, made: dict[str, Path], tmp_path: Path
) -> None:
    before = house.versions()
    played = house.play(tablectl_bundle=str(sent(tmp_path, made["4.0"])))
    assert not played.well
    assert "it cannot run this table" in played.said
    assert house.versions() == before


@pytest.mark.slow
def test_a_round_is_not_interrupted(made: dict[str, Path], tmp_path: Path) -> None:
    playing = House(tmp_path / "playing", made["1.5"], 1)
    played = playing.play(tablectl_bundle=str(sent(tmp_path, made["2.0"])))
    assert not played.well
    assert "A round is under way" in played.said
    assert playing.versions() == ["1.5"]


@pytest.mark.slow
def test_the_template_gives_each_table_its_own_values_and_a_second_run_changes_nothing(real: House) -> None:
    first = real.play(tablectl_template=str(TEMPLATE), limit_max=200)
    assert first.well, first.said
    assert first.recap == {"big-wheel-1": (1, 0), "big-wheel-2": (1, 0)}
    for number, text in enumerate(real.configurations(), 1):
        assert f'name = "Big Wheel {number}"' in text
        assert f'serial = "WS-{number}"' in text
        assert "max = 200" in text
    again = real.play(tablectl_template=str(TEMPLATE), limit_max=200)
    assert again.well, again.said
    assert again.recap == {"big-wheel-1": (0, 0), "big-wheel-2": (0, 0)}


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"limit_max": 1}, "max"),
        pytest.param(
            {"table_name": "Somebody Else"},
            "is for table Somebody Else, and this is Big Wheel 1",
            marks=pytest.mark.slow,
        ),
        pytest.param({"wheel_option": 9}, "option", marks=pytest.mark.slow),
    ],
    ids=lambda one: "-".join(one) if isinstance(one, dict) else "",
)
def test_a_template_that_does_not_fit_is_refused_by_the_table_and_changes_nothing(
    real: House, values: dict[str, Any], why: str
) -> None:
    before = real.configurations()
    own = real.own
    real.own = [{**one, **values} for one in own]
    played = real.play(tablectl_template=str(TEMPLATE))
    real.own = own
    assert not played.well
    assert why in played.said
    assert real.configurations() == before
    assert not any("restart" in line for table in real.tables for line in table.asked()[-1:])


@pytest.mark.slow
def test_a_configuration_that_the_table_does_not_become_ready_with_is_given_back(real: House) -> None:
    before = real.configurations()
    (real.tables[0].folder / "unready").write_text(real.tables[0].current)
    try:
        played = real.play(tablectl_template=str(TEMPLATE), limit_max=100)
    finally:
        (real.tables[0].folder / "unready").unlink()
    assert not played.well
    assert "was given back the one before" in played.said
    assert real.configurations() == before
