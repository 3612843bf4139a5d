"""A wheel's profile as a table takes it: one that cannot be judged by is refused before a spin, with what to do."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from controller.config.tomlread import ConfigError
from controller.config.types import TableConfig
from controller.devices import wheel_profile
from controller.games.wheel.config import WheelSection
from drivers.motion import simulated_wheel
from lab.sim.config import default_config

Spoil = Callable[[dict[str, Any]], Any]


def with_profile(path: Path) -> TableConfig:
    config = default_config("wheel", 1)
    section = msgspec.structs.replace(config.own(WheelSection), profile=str(path))
    return msgspec.structs.replace(config, play=section)


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda plain: plain.update(form=1), "form 1 and this program reads form"),
        (lambda plain: plain.pop("form") and plain.pop("natural"), "form 1 and this program reads form"),
        (lambda plain: plain["clockwise"].update(losses=[4.0]), "losses or their spread are not complete"),
        (lambda plain: plain["clockwise"]["losses"].__setitem__(3, -1.0), "not positive"),
        (lambda plain: plain.update(pegs=[0.1] * 51), "of every peg"),
        (lambda plain: plain.update(settled=[1.5]), "when each of its stretches is known"),
        (lambda plain: plain["natural"].__setitem__(3, []), "how far natural spins stray"),
    ],
)
def test_a_profile_that_no_spin_can_be_judged_by_is_refused_with_what_to_do(
    tmp_path: Path, spoil: Spoil, why: str
) -> None:
    path = tmp_path / "wheel.json"
    path.write_bytes(simulated_wheel().encode())
    assert wheel_profile(with_profile(path)) == simulated_wheel()
    plain = json.loads(path.read_bytes())
    spoil(plain)
    path.write_text(json.dumps(plain), encoding="utf-8")
    with pytest.raises(ConfigError, match=why) as refused:
        wheel_profile(with_profile(path))
    assert "run `tablectl wheel calibrate`" in str(refused.value)


def test_a_profile_that_was_cut_short_or_is_not_there_is_refused_with_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "wheel.json"
    with pytest.raises(ConfigError, match="run `tablectl wheel calibrate`"):
        wheel_profile(with_profile(path))
    path.write_bytes(simulated_wheel().encode()[:900])
    with pytest.raises(ConfigError, match="run `tablectl wheel calibrate`"):
        wheel_profile(with_profile(path))
