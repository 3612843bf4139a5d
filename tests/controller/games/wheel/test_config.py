"""The ring and the layout of a wheel as its rulebook allows them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import msgspec
import pytest

from controller.config.file import require_right
from controller.config.tomlread import ConfigError
from controller.games.wheel.config import WheelSection, default_ring, wheel_bands
from controller.games.wheel.rules import wheel_rules
from lab.sim.config import default_config
from tests.controller.config.example import line_of, told

OPTIONS = (1, 2, 3, 4)


@pytest.mark.clause("melbourne-wheel", "2.1")
def test_a_ring_of_51_compartments_is_refused(tmp_path: Path) -> None:
    text = told(tmp_path, ('"C", "F",', '"F",'))
    assert text == (
        f"table.toml:{line_of('ring')}: [wheel] 'ring' has 51 compartments, not 52 (2.1); "
        "list every compartment once, in the order they pass the indicator"
    )


@pytest.mark.clause("melbourne-wheel", "2.1")
def test_a_symbol_the_option_does_not_have_is_refused_at_its_own_line(tmp_path: Path) -> None:
    text = told(tmp_path, ('"C", "F",', '"C", "X",'))
    assert text.startswith(f"table.toml:{line_of('ring') + 2}: [wheel] 'ring' compartment 26 is 'X'")


@pytest.mark.parametrize("option", OPTIONS)
@pytest.mark.clause("melbourne-wheel", *[s.wheel_clause for o in wheel_rules().options for s in o.symbols])
def test_one_compartment_too_many_or_too_few_of_any_symbol_is_refused_with_its_clause(option: int) -> None:
    config = default_config("wheel", option)
    for symbol in wheel_rules().option(option).symbols:
        other = next(name for name in wheel_rules().option(option).names if name != symbol.symbol)
        for gone, come in ((symbol.symbol, other), (other, symbol.symbol)):
            ring = list(config.own(WheelSection).ring)
            ring[ring.index(gone)] = come
            wheel = msgspec.structs.replace(config.own(WheelSection), ring=tuple(ring))
            with pytest.raises(ConfigError) as caught:
                require_right(msgspec.structs.replace(config, play=wheel), "case")
            both = {wheel_rules().option(option).symbol(name).wheel_clause for name in (gone, come)}
            assert any(f"({clause})" in caught.value.text for clause in both)


@pytest.mark.parametrize(("option", "partner"), [(1, "B"), (2, "D"), (3, "F"), (4, "H")])
@pytest.mark.clause("melbourne-wheel", "2.2", "2.2.1(a)", "2.2.2(a)", "2.2.3(a)", "2.2.4(a)")
def test_only_the_partner_layout_of_an_option_is_accepted(option: int, partner: str) -> None:
    config = default_config("wheel", option)
    assert config.own(WheelSection).layout == partner
    for layout in set("BDFH") - {partner}:
        wheel = msgspec.structs.replace(config.own(WheelSection), layout=layout)
        with pytest.raises(ConfigError, match=rf"2\.2\.{option}\(a\)"):
            require_right(msgspec.structs.replace(config, play=wheel), "case")


@pytest.mark.parametrize("option", OPTIONS)
def test_the_simulated_ring_is_right_and_never_has_a_symbol_beside_itself(option: int) -> None:
    ring = default_ring(option)
    counts = Counter(ring)
    assert counts == {symbol.symbol: symbol.compartments for symbol in wheel_rules().option(option).symbols}
    assert all(ring[place] != ring[place - 1] for place in range(52))


def test_the_dead_band_comes_from_the_setting_else_the_geometry_else_the_rulebook() -> None:
    config = default_config()
    assert wheel_bands(config).dead == 0.10
    assert wheel_bands(config).near == pytest.approx(0.15)
    wheel = msgspec.structs.replace(
        config.own(WheelSection), compartment_mm=100.0, peg_mm=10.0, pointer_mm=4.0, sensor_error_mm=0.5
    )
    measured = msgspec.structs.replace(config, play=wheel)
    assert wheel_bands(measured).dead == pytest.approx(0.08)
    assert wheel_bands(measured).near == pytest.approx(0.095)  # what the reading leaves open, no more
    wide = msgspec.structs.replace(config, play=msgspec.structs.replace(wheel, dead_band=0.12))
    assert wheel_bands(wide).near == pytest.approx(0.135)
    narrow = msgspec.structs.replace(config, play=msgspec.structs.replace(wheel, dead_band=0.05))
    assert wheel_bands(narrow).near == pytest.approx(0.10)  # less than was measured is an assumption
    by_book = msgspec.structs.replace(config, play=msgspec.structs.replace(wheel, near_by="rulebook"))
    assert wheel_bands(by_book).near == pytest.approx(0.13)  # the house keeps W-A3's margin on a measured wheel
    set_by_hand = msgspec.structs.replace(wheel, dead_band=0.2, near_band=0.3)
    bands = wheel_bands(msgspec.structs.replace(config, play=set_by_hand))
    assert (bands.dead, bands.near) == (0.2, 0.3)


def test_an_option_that_does_not_exist_has_no_simulated_table() -> None:
    with pytest.raises(ConfigError, match="melbourne-wheel has no option 5"):
        default_config("wheel", 5)
