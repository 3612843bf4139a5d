"""From a configuration to a table with its game, ready for its first event."""

from __future__ import annotations

from controller.config.types import TableConfig
from controller.desk import Limits, PersonalLimit
from controller.games.game import Game
from controller.games.poker import offers
from controller.games.war.config import house_of, war_config
from controller.games.war.game import WarGame
from controller.games.wheel.game import WheelGame, WheelSetup
from controller.house import House, Notice
from controller.rulebook import Rulebook, load_rulebook, wheel_rules
from controller.table import Table


def build_table(config: TableConfig) -> Table:
    """A closed table that has seen nothing yet."""
    book = load_rulebook(config.table.rulebook)
    table = Table(
        _house(book),
        _limits(config),
        frozenset(config.devices),
        config.table.sign,
        aside=_aside(config),
        float_tray=config.chips.float_tray,
        hold=config.chips.mispayment == "hold",
    )
    table.game = _game(config, table)
    table.state.personal = {
        limit.player: PersonalLimit(
            config.limits.min if limit.min is None else limit.min,
            config.limits.max if limit.max is None else limit.max,
            limit.marker,
        )
        for limit in config.personal_limits
    }
    return table


def _aside(config: TableConfig) -> frozenset[str]:
    """Places the game can do without: card readers, and a source of cards that is only a spare."""
    spare = "shuffler" if config.war is None or config.war.source == "shoe" else "shoe"
    kinds = ("swipe", spare) if config.war is not None else ("swipe",)
    return frozenset(place for place, device in config.devices.items() if device.kind in kinds)


def _limits(config: TableConfig) -> Limits:
    section = config.limits
    bets = {bet: section.of(bet) for bet in section.bets}
    return Limits(section.min, section.max, section.unit, section.smallest_chip, bets)


def _house(book: Rulebook) -> House:
    if book.game == "wheel":
        rules = wheel_rules(book.id)
        return House(
            book,
            closing=Notice(book.powers["close"].clause, rounds=rules.closing.notice_spins),
            raising=Notice("footnote 1 s 66(2)", minutes=rules.limits.raise_notice_minutes),
            round_word="spin",
        )
    if book.game == "war":
        return house_of(book.id)
    return offers.house_of(book.id)


def _game(config: TableConfig, table: Table) -> Game:
    if config.table.game == "war":
        places: dict[str, str] = {device.kind: place for place, device in reversed(config.devices.items())}
        return WarGame(table, war_config(config.the_war()), places)
    if config.table.game == "poker":
        return _poker(config, table)
    return WheelGame(table, wheel_setup(config))


def _poker(config: TableConfig, table: Table) -> Game:
    from controller.games.poker.game import PokerGame, PokerSetup  # its hand values take a while to load

    shuffler = next((place for place, device in config.devices.items() if device.kind == "shuffler"), "")
    rules = offers.poker_rules(config.table.rulebook)
    bonus = offers.prizes_of(config)
    return PokerGame(table, PokerSetup(rules, offers.terms_of(config), config.seats.count, shuffler, bonus))


def wheel_setup(config: TableConfig) -> WheelSetup:
    """The wheel of a Big Wheel table; betting areas are numbered from 1 in the order of the symbols."""
    wheel = config.the_wheel()
    rules = wheel_rules(config.table.rulebook)
    option = rules.option(wheel.option)
    areas = dict(enumerate(option.names, start=1))
    chips = config.chips
    return WheelSetup(rules, option, wheel.ring, areas, config.seats.count, chips.set_mark, chips.colours)
