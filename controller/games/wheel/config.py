"""How one Big Wheel table is set up, and whether its rulebook allows that."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from controller.config.tomlread import ConfigError, Keys, nearest
from controller.config.types import Problem, Section, TableConfig
from controller.games.wheel.rules import RETURN, WheelOption, wheel_rules
from drivers.motion import Geometry
from drivers.motion.profile import DOUBTED_ERRORS

Fraction = Annotated[float, Meta(gt=0, lt=0.5)]
Millimetres = Annotated[float, Meta(gt=0, le=5000)]


class WheelSection(Section, frozen=True, forbid_unknown_fields=True):
    """The wheel as it stands: option, order of symbols round it, and the geometry the dead band comes from."""

    option: Annotated[int, Meta(ge=1, le=4)]
    ring: tuple[str, ...]
    layout: str
    labels: dict[str, str] = msgspec.field(default_factory=dict)
    compartment_mm: Millimetres | None = None
    peg_mm: Millimetres | None = None
    pointer_mm: Millimetres | None = None
    sensor_error_mm: Annotated[float, Meta(ge=0, le=100)] = 1.0
    dead_band: Fraction | None = None
    near_band: Fraction | None = None
    near_by: Literal["sensor", "rulebook"] = "sensor"  # what the margin of a measured wheel comes from (W-A3)
    stillness_s: Annotated[float, Meta(ge=0.5, le=10)] | None = None
    profile: str = ""
    false_alarms: Annotated[float, Meta(ge=1e-6, le=0.05)] = 0.001  # the share of natural spins called touched

    @property
    def measured_dead_band(self) -> float | None:
        """What the geometry gives (W-A3); None until pegs, pointer and compartments are measured."""
        if self.compartment_mm is None or self.peg_mm is None or self.pointer_mm is None:
            return None
        reach = self.peg_mm / 2 + self.pointer_mm / 2 + 2 * self.sensor_error_mm
        return reach / self.compartment_mm

    @property
    def measured_margin(self) -> float | None:
        """Beyond it, what the sensor's own error leaves in doubt; None until the wheel is measured."""
        if self.measured_dead_band is None or self.compartment_mm is None:
            return None
        return DOUBTED_ERRORS * self.sensor_error_mm / self.compartment_mm


class Bands(msgspec.Struct, frozen=True):
    """Fractions of a compartment from a divider: not clear up to `dead`, to be confirmed up to `near`."""

    dead: float
    near: float


def wheel_bands(config: TableConfig) -> Bands:
    """The bands in force: as configured, else from the geometry, else the rulebook's (W-A3).

    A measured wheel is asked about only where the reading is in doubt, unless the house keeps the rulebook's margin
    there too (`near_by`); an assumed dead band keeps the wider margin.
    """
    wheel, spin = config.own(WheelSection), wheel_rules(config.table.rulebook).spin
    measured = wheel.measured_dead_band
    dead = wheel.dead_band or measured or spin.dead_band
    by_sensor = wheel.near_by == "sensor" and measured is not None and measured <= dead
    margin = wheel.measured_margin if by_sensor else None
    return Bands(dead, wheel.near_band or dead + (spin.near_margin if margin is None else margin))


def wheel_geometry(config: TableConfig) -> Geometry:
    """When this table's pointer is clearly inside, and what a valid spin needs."""
    spin = wheel_rules(config.table.rulebook).spin
    bands = wheel_bands(config)
    wheel = config.own(WheelSection)
    still = wheel.stillness_s or spin.stillness_s
    return Geometry(
        bands.dead, bands.near, spin.revolutions, round(still * 1000), spin.reversal_limit,
        false_alarms=wheel.false_alarms,
    )  # fmt: skip


def option_of(config: TableConfig) -> WheelOption | None:
    """The rulebook's wheel that this table has; None where it knows none of that number."""
    number = config.own(WheelSection).option
    return next((known for known in wheel_rules(config.table.rulebook).options if known.number == number), None)


def check_wheel(config: TableConfig) -> Iterator[Problem]:
    """Ring, counts, odds and layout of the chosen option (2.1, 2.1.x, 2.2, 6.1)."""
    wheel, rules = config.own(WheelSection), wheel_rules(config.table.rulebook)
    option = option_of(config)
    if option is None:
        known = ", ".join(str(known.number) for known in rules.options)
        yield Problem(("wheel", "option"), f"the rulebook has no option {wheel.option} (2.1)", f"it has {known}")
        return
    yield from check_ring(wheel.ring, option, rules.spin.compartments)
    yield from check_odds(wheel.ring, option)
    yield from check_layout(wheel.layout, option)
    for label in wheel.labels:
        if label not in option.names:
            remedy = nearest(label, list(option.names))
            yield Problem(("wheel", "labels", label), f"option {option.number} has no symbol '{label}'", remedy)
    if len(set(wheel.labels.values())) != len(wheel.labels):
        yield Problem(("wheel", "labels"), "two symbols have the same label (2.1)", "give each its own")
    dead = wheel.dead_band or wheel.measured_dead_band or rules.spin.dead_band
    if dead >= 0.5:
        what = f"the geometry gives a dead band of {dead:.2f}, so no spin could ever be clear (7.1.2)"
        yield Problem(("wheel", "compartment_mm"), what, "check the measurements, which are in millimetres")
    elif wheel.near_band is not None and wheel.near_band < dead:
        what = f"'near_band' {wheel.near_band:g} lies inside the dead band {dead:.3f} (7.1.2, W-A3)"
        yield Problem(("wheel", "near_band"), what, "make it larger, or leave it out")


def check_ring(ring: tuple[str, ...], option: WheelOption, compartments: int) -> Iterator[Problem]:
    """Exactly 52 compartments, each with a symbol of the option, as many of each as the document says."""
    keys: Keys = ("wheel", "ring")
    if len(ring) != compartments:
        what = f"'ring' has {len(ring)} compartments, not {compartments} ({option.wheel_clause})"
        yield Problem(keys, what, "list every compartment once, in the order they pass the indicator")
    for number, name in enumerate(ring):
        if name not in option.names:
            what = f"'ring' compartment {number + 1} is '{name}', which option {option.number} does not have"
            yield Problem((*keys, number), what + " (2.1)", f"its symbols are {', '.join(option.names)}")
    counts = Counter(ring)
    for symbol in option.symbols:
        if counts[symbol.symbol] != symbol.compartments:
            what = (
                f"'ring' has {counts[symbol.symbol]} compartments of symbol {symbol.symbol}, "
                f"not {symbol.compartments} ({symbol.wheel_clause})"
            )
            yield Problem(keys, what, "correct the ring, or the option")


def check_odds(ring: tuple[str, ...], option: WheelOption) -> Iterator[Problem]:
    """Compartments x (odds + 1) is 48 for every symbol, or ring and pay table do not belong together."""
    counts = Counter(ring)
    for symbol in option.symbols:
        product = counts[symbol.symbol] * (symbol.odds + 1)
        if product != RETURN:
            what = (
                f"symbol {symbol.symbol}: {counts[symbol.symbol]} compartments x ({symbol.odds} + 1) is "
                f"{product}, not {RETURN} ({symbol.pay_clause})"
            )
            yield Problem(("wheel", "ring"), what, "ring and pay table belong to different wheels")


def check_layout(layout: str, option: WheelOption) -> Iterator[Problem]:
    """The layout is the partner of the wheel (2.2)."""
    if layout != option.layout:
        what = f"layout '{layout}' is not the partner of option {option.number} (2.2, {option.layout_clause})"
        yield Problem(("wheel", "layout"), what, f'set layout = "{option.layout}", or the other option')


def worth_a_look(config: TableConfig) -> Iterator[Problem]:
    """Bands that were not measured, and friction that was not learnt."""
    wheel = config.own(WheelSection)
    measured = wheel.measured_dead_band
    if measured is None and wheel.dead_band is None:
        what = "the dead band is the rulebook's assumption, not this wheel's (7.1.2, W-A3)"
        yield Problem(("wheel",), what, "measure and set compartment_mm, peg_mm and pointer_mm")
    if measured is not None and wheel.dead_band is not None and wheel.dead_band < measured:
        what = f"'dead_band' {wheel.dead_band:g} is below the {measured:.3f} that the geometry gives (W-A3)"
        yield Problem(("wheel", "dead_band"), what, "leave dead_band out to use the geometry")
    if not wheel.profile and not all(device.simulated for device in config.devices.values()):
        what = "no friction profile is named, so weak interference is not detected (7.1.3)"
        yield Problem(("wheel",), what, "run 'tablectl wheel calibrate' and set profile")


def default_ring(option: int, rulebook: str = "melbourne-wheel") -> tuple[str, ...]:
    """An even spread of an option's symbols round the wheel.

    The document's diagrams are blank, so this order is an assumption, good for simulation only: a real
    table's ring is read off its wheel. The symbols take turns in the order of the document, each spread evenly
    over the compartments that are still free.
    """
    rules = wheel_rules(rulebook)
    ring = [""] * rules.spin.compartments
    for symbol in rules.option(option).symbols:
        free = [place for place, taken in enumerate(ring) if not taken]
        for number in range(symbol.compartments):
            ring[free[number * len(free) // symbol.compartments]] = symbol.symbol
    return tuple(ring)


def usual_wheel(rulebook: str, option: int = 1) -> WheelSection:
    """One of the rulebook's wheels, its symbols spread evenly."""
    rules = wheel_rules(rulebook)
    if option not in {known.number for known in rules.options}:
        known = ", ".join(str(known.number) for known in rules.options)
        raise ConfigError(f"{rulebook} has no option {option}; it has {known} (2.1)")
    return WheelSection(option, default_ring(option, rulebook), rules.option(option).layout)
