"""Which antenna lies under which area: as a list, as a picture, and the doctor's numbers for machines."""

from __future__ import annotations

import json
import xml.etree.ElementTree as tree
from pathlib import Path

import pytest

from controller import games
from controller.config.file import check_config
from tests.standing import EXAMPLE, Configured, tablectl


@pytest.mark.parametrize("game", ["table", "war", "poker"])
def test_every_antenna_of_every_game_has_a_name_and_a_place_in_the_picture(game: str, tmp_path: Path) -> None:
    example, picture = EXAMPLE.with_name(f"{game}.toml"), tmp_path / "felt.svg"
    done = tablectl("layout", "--config", example, "--json", "--picture", picture)
    assert done.exit_code == 0, done.output
    areas = json.loads(done.output)
    config = check_config(example)
    numbers = [int(number) for number in areas]
    assert numbers == list(range(0 if config.chips.float_tray else 1, games.find(config.table.game).areas(config)))
    assert len(set(areas.values())) == len(areas), "no two areas have one name"
    drawn = "".join(tree.parse(picture).getroot().itertext())
    assert all(name in drawn for name in areas.values())
    assert tablectl("layout", "--config", example).output.count("\n") == len(areas)


def test_the_doctor_has_numbers_and_devices_for_machines(
    configured: Configured, outside: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "data").mkdir()
    told = json.loads(tablectl("doctor", "--config", configured(**outside), "--json").output)
    facts = {(one["check"], one["facts"].get("device", "")): one["facts"] for one in told["findings"]}
    assert told["version"]
    assert isinstance(facts["disk", ""]["free_mb"], int)
    assert facts["devices", "wheel"]["serial"] == "WS-0001"
    assert facts["devices", "chips"]["kind"] == "chips"
    assert facts["link", "wheel"]["answered"] == facts["link", "wheel"]["asked"]
