"""How one Casino War table is set up, and whether its rulebook allows that."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
from msgspec import Meta

from controller.config.types import Level, Problem, Section, TableConfig
from controller.core.desk import Limits
from controller.core.house import House, Notice
from controller.games.war.rules import Column, WarRules, Zone, war_rules
from controller.rules.rulebook import Rulebook, load_rulebook

AREAS_MOST = 62
"""What one chip mat can tell apart besides the float."""


class WarSection(Section, frozen=True, forbid_unknown_fields=True):
    """How Casino War is dealt at this table; the rulebook says what may be chosen.

    `zones` are those that the rulebook leaves to the house; `options` are readings of what it leaves open.
    """

    decks: Level = 6
    source: Literal["shoe", "shuffler"] = "shoe"
    method: str = "A"
    payout_column: Level | None = None
    places: Level = 7
    zones: tuple[str, ...] = ()
    round_burn: bool = False
    start_burn: bool = True
    share_most: Annotated[int, Meta(ge=0)] = 0
    tournament: bool = False
    options: dict[str, bool | int | str] = msgspec.field(default_factory=dict)


class WarConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the house chose for this table within its rulebook."""

    decks: int
    boxes: int = 7
    source: Literal["shoe", "csm"] = "shoe"
    optional_zones: tuple[str, ...] = ()
    column: int = 0
    war_method: str = "A"
    round_burn: bool = False
    start_burn: bool = True
    share_most: int = 0
    tournament: bool = False
    readings: dict[str, str | bool | int] = {}


class NotAllowed(NamedTuple):
    """What the rulebook does not allow, with the clause."""

    text: str
    clause: str
    about: str = ""


def war_config(section: WarSection) -> WarConfig:
    """How Casino War is dealt at a table, from its configuration."""
    return WarConfig(
        decks=section.decks,
        boxes=section.places,
        source="shoe" if section.source == "shoe" else "csm",
        optional_zones=section.zones,
        column=section.payout_column or 0,
        war_method=section.method,
        round_burn=section.round_burn,
        start_burn=section.start_burn,
        share_most=section.share_most,
        tournament=section.tournament,
        readings=dict(section.options),
    )


def rules_for(rulebook: str, config: WarConfig) -> WarRules:
    """The rulebook with this house's choices among the readings it leaves open."""
    rules = war_rules(rulebook)
    if not config.readings:
        return rules
    values: Any = msgspec.to_builtins(rules)
    for option, choice in config.readings.items():
        table = values
        *path, last = option.split(".")
        for key in path:
            table = table[key]
        table[last] = choice
    return msgspec.convert(values, WarRules)


def house_of(rulebook: str) -> House:
    """The rulebook as the table uses it: powers, and how much notice people get."""
    notices = war_rules(rulebook).notices
    closing = Notice(notices.closing_clause, notices.closing_rounds, notices.closing_minutes)
    raising = Notice(notices.raise_minimum_clause, minutes=notices.raise_minimum_minutes)
    if notices.any_change_minutes:
        raising = Notice(notices.any_change_clause, minutes=notices.any_change_minutes)
    return House(load_rulebook(rulebook), closing, raising, "round", every_change=bool(notices.any_change_minutes))


def zones_of(rules: WarRules, config: WarConfig) -> tuple[Zone, ...]:
    """The zones players may stake on before the deal at this table."""
    chosen: tuple[Zone, ...] = tuple(zone for zone in rules.layout.optional_zones if zone in config.optional_zones)
    return rules.layout.zones + chosen


def column_of(rules: WarRules, config: WarConfig) -> Column | None:
    """The Perfect Pairs column in force."""
    return rules.column(config.column)


def not_allowed(rulebook: str, config: WarConfig, limits: Limits) -> list[NotAllowed]:
    """Everything in this set-up that the rulebook, as the house reads it, does not allow; empty when it may open."""
    readings = _readings(war_rules(rulebook), load_rulebook(rulebook), config)
    rules = war_rules(rulebook) if readings else rules_for(rulebook, config)
    return [
        *_layout(rules, config),
        *_cards(rules, config),
        *_options(rules, config),
        *limits_not_allowed(rules, limits),
        *readings,
    ]


def _layout(rules: WarRules, config: WarConfig) -> list[NotAllowed]:
    layout = rules.layout
    wrong = []
    if config.boxes < 1 or (layout.boxes_most and config.boxes > layout.boxes_most):
        most = layout.boxes_most or "as the layout shows"
        wrong.append(NotAllowed(f"{config.boxes} boxes; at least 1, at most {most}", layout.boxes_clause, "places"))
    for zone in config.optional_zones:
        if zone not in layout.optional_zones:
            wrong.append(NotAllowed(f"no zone '{zone}' in this rulebook", layout.zones_clause, "zones"))
    zones = len(zones_of(rules, config)) + 1 + (config.war_method == "B")
    if config.boxes * zones > AREAS_MOST:
        text = f"{config.boxes} boxes of {zones} zones are more than the {AREAS_MOST} areas of a chip mat"
        wrong.append(NotAllowed(text, layout.boxes_clause, "places"))
    return wrong


def _cards(rules: WarRules, config: WarConfig) -> list[NotAllowed]:
    wrong = []
    if config.decks not in rules.cards.decks:
        allowed = ", ".join(str(number) for number in rules.cards.decks)
        wrong.append(NotAllowed(f"{config.decks} decks; allowed: {allowed}", rules.cards.decks_clause, "decks"))
    if config.source == "csm" and not rules.cards.shuffler:
        wrong.append(NotAllowed("no shuffler is used here", rules.cards.shuffler_clause, "source"))
    if "perfect_pairs" in config.optional_zones or config.column:
        wrong += _column(rules, config)
    return wrong


def _column(rules: WarRules, config: WarConfig) -> list[NotAllowed]:
    column = column_of(rules, config)
    if column is None:
        fitting = ", ".join(str(column.number) for column in rules.columns if column.decks == config.decks)
        clause = "3.16" if rules.columns else rules.layout.zones_clause
        text = f"no payout column {config.column}; for {config.decks} decks: {fitting or 'none'}"
        return [NotAllowed(text, clause, "payout_column")]
    if column.decks != config.decks:
        text = f"payout column {column.number} is for {column.decks} decks, not {config.decks}"
        return [NotAllowed(text, column.clause, "payout_column")]
    return []


def _options(rules: WarRules, config: WarConfig) -> list[NotAllowed]:
    wrong = []
    if config.war_method not in rules.war.methods:
        clause = (rules.cites["house_chips"] or rules.cites["war_stake"])[0]
        text = f"war method {config.war_method!r}; allowed: {', '.join(rules.war.methods)}"
        wrong.append(NotAllowed(text, clause, "method"))
    if config.round_burn and not rules.shoe.round_burn_allowed:
        text = "no card is burned at the start of a round here"
        wrong.append(NotAllowed(text, rules.cites["first_deal"][0], "round_burn"))
    if not config.start_burn and not rules.shoe.start_burn_optional and rules.shoe.start_burn != "none":
        text = "the burn after a shuffle is not optional here"
        wrong.append(NotAllowed(text, rules.cites["start_burn"][0], "start_burn"))
    if config.share_most > rules.wagers.share_most or config.share_most < 0:
        text = f"{config.share_most} to share an area; at most {rules.wagers.share_most}"
        wrong.append(NotAllowed(text, rules.cites["zone_full"][0], "share_most"))
    if config.tournament and not rules.tournament.allowed:
        wrong.append(NotAllowed("this rulebook has no tournament play", rules.tournament.clause, "tournament"))
    return wrong


def limits_not_allowed(rules: WarRules, limits: Limits) -> list[NotAllowed]:
    """What the documents say of the amounts on the sign, whoever sets them."""
    wrong = []
    if not 0 < limits.least <= limits.most:
        clause = rules.cites["under_minimum"][0]
        wrong.append(NotAllowed("the minimum must be above nothing and not above the maximum", clause, "min"))
    if limits.smallest_chip <= 0:
        text = "the smallest chip must be worth something"
        wrong.append(NotAllowed(text, rules.cites["payment"][0], "smallest_chip"))
    elif limits.unit and rules.limits.off_unit == "unit_below":
        clause = rules.cites["off_unit"][0]
        if limits.least % limits.unit:
            wrong.append(NotAllowed("the minimum must be a multiple of the betting unit", clause, "min"))
        if limits.unit % limits.smallest_chip:
            wrong.append(NotAllowed("the betting unit must be payable in chips", clause, "unit"))
    return wrong


def _readings(rules: WarRules, book: Rulebook, config: WarConfig) -> list[NotAllowed]:
    """A house may choose only where the document leaves a choice, and only among what the engine can play."""
    wrong = []
    for option, choice in config.readings.items():
        reading = next((open_ for open_ in book.readings.values() if _within(option, open_.option)), None)
        if reading is None:
            wrong.append(NotAllowed(f"'{option}' is fixed by the document", rules.cites["dispute"][0], "options"))
            continue
        try:
            rules_for(book.edition, msgspec.structs.replace(config, readings={option: choice}))
        except (KeyError, TypeError, msgspec.ValidationError):
            wrong.append(NotAllowed(f"'{option}' cannot be {choice!r}", reading.clause, "options"))
    return wrong


def _within(option: str, reading: str) -> bool:
    """Whether this option is what a reading leaves open; a reading without an option leaves nothing to set."""
    return bool(reading) and (option == reading or option.startswith(f"{reading}."))


def check_war(config: TableConfig) -> Iterator[Problem]:
    """Decks, card source, layout, options and readings that the rulebook allows, each with its clause."""
    section = config.limits
    limits = Limits(section.min, section.max, section.unit, section.smallest_chip)
    for one in not_allowed(config.table.rulebook, war_config(config.own(WarSection)), limits):
        keys = ("limits" if hasattr(section, one.about) else "war", one.about)
        yield Problem(keys, f"{one.text} ({one.clause})", "choose what the rulebook allows")
    if war_rules(config.table.rulebook).wagers.player_card and not config.all_simulated():
        yield from _reads_cards(config)


def _reads_cards(config: TableConfig) -> Iterator[Problem]:
    """Where nobody stakes without a player card, one that can be read and is known (Star 5.1, 13.1).

    At a table that is simulated whole nobody has a card, and typed names stand for them.
    """
    if all(device.kind != "swipe" for device in config.devices.values()):
        what = "nobody may stake here without a player card that was read, and no card reader stands here (5.1)"
        yield Problem(("devices",), what, 'add [devices.reader] with kind = "swipe" and its port')
    elif not config.people.players:
        what = "nobody may stake here without a valid player card, and no list says which are (5.1)"
        yield Problem(("people",), what, 'add players = "players.csv" to [people]')


def usual_war(rulebook: str, source: Literal["shoe", "shuffler"] = "shoe") -> WarSection:
    """Six decks, every zone the rulebook leaves to the house, and the first payout column that fits."""
    rules = war_rules(rulebook)
    column = next((column.number for column in rules.columns if column.decks == 6), None)
    return WarSection(source=source, zones=rules.layout.optional_zones, payout_column=column)
