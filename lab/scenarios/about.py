"""What a case of any game may say about itself, and about its lines."""

from __future__ import annotations

from typing import Any, get_args

from controller.config.tomlread import ConfigError
from lab.scenarios.file import ScenarioError
from lab.scenarios.words import (
    ANYTHING,
    COUNT,
    FLAG,
    NAMES,
    NOTES,
    SECONDS,
    TEXT,
    Field,
    Section,
    Word,
    counted,
    either,
    list_of,
    measured,
    one_of,
)
from lab.sim.devices import SimulatedDevices
from simulators import faults

ABOUT = (
    Field("id", TEXT, "The name of the case.", optional=False),
    Field("rulebook", TEXT, "The rulebook that it is played by.", optional=False),
    Field("title", TEXT, "What it is about, for people."),
    Field("clauses", NAMES, "The clauses that it proves."),
    Field("interpretation", either(TEXT, NAMES), "The readings that it rests on."),
    Field("faults", list_of(ANYTHING), "What goes wrong on the lines: a list of faults."),
    *NOTES,
)
CHANCE = measured("chance from 0 to 1", most=1.0)
FAULTS = Section(
    "faults",
    "What goes wrong on the line of a device or with its power: at once, at a time, at an event, or by chance.",
    (
        Word(
            "fault",
            fields=(
                Field("device", TEXT, "Which device, by its place in the configuration.", optional=False),
                Field("fault", one_of(*get_args(faults.Kind)), "What happens.", optional=False),
                Field("at", SECONDS, "When, from the start."),
                Field("at_event", counted(least=1), "At which event of the device, counted from the start."),
                Field("rate", CHANCE, "By chance, for every frame."),
                Field("seed", COUNT, "Where the chance begins."),
                Field("way", one_of(*get_args(faults.Way)), "Which direction is hit."),
                Field("frames", counted(least=1), "How many frames in a row are hit."),
                Field("seconds", SECONDS, "How long a delay, a stall, a pulled cable or a lost power lasts."),
                Field("bits", CHANCE, "For corrupt: for every bit of every frame."),
                Field("keep_memory", FLAG, "For reboot: whether events that the device holds survive."),
            ),
        ),
    ),
)


def plan_faults(devices: SimulatedDevices, given: list[Any], where: str) -> None:
    """Let go wrong what the case says."""
    for told in FAULTS.read_all(given, where):
        try:
            devices.plan(faults.Fault.of(told.said))
        except (faults.BadFault, ConfigError) as error:
            raise ScenarioError(f"{where}: faults: {error}") from error
