"""From a configuration to a table with its game, ready for its first event."""

from __future__ import annotations

from controller import games
from controller.config.types import TableConfig
from controller.core.alarms import check_apart
from controller.core.desk import Limits, PersonalLimit
from controller.core.table import Table
from controller.money.bookings import Procedure
from controller.rules.rulebook import load_rulebook


def build_table(config: TableConfig) -> Table:
    """A closed table that has seen nothing yet."""
    game = games.find(config.table.game)
    aside = ("swipe", *game.spare(config.play))
    table = _kind(config)(
        game.house(load_rulebook(config.table.rulebook)),
        _limits(config),
        frozenset(config.devices),
        config.table.sign,
        aside=frozenset(place for place, device in config.devices.items() if device.kind in aside),
        float_tray=config.chips.float_tray,
        hold=config.chips.mispayment == "hold",
    )
    table.kinds = {place: device.kind for place, device in config.devices.items()}
    books = config.books
    table.money.procedure = Procedure(
        frozenset(books.slips), frozenset(books.second_signature), config.limits.smallest_chip
    )
    table.game = game.build(config, table)
    if config.tournament is not None:
        from controller.tournament import felt

        felt.join(table, config.table.game)
    check_apart(*(alarms for alarms, _ in table.alarms()))
    for alarms, owner in table.alarms():
        alarms.check_house(table.house, owner)
    table.game.questions.check_house(table.house)
    table.state.personal = {
        limit.player: PersonalLimit(
            config.limits.min if limit.min is None else limit.min,
            config.limits.max if limit.max is None else limit.max,
            limit.marker,
        )
        for limit in config.personal_limits
    }
    return table


def _kind(config: TableConfig) -> type[Table]:
    """A table of which tournaments may make use knows more, and loads more."""
    if config.tournament is None:
        return Table
    from controller.tournament.table import TournamentTable

    return TournamentTable


def _limits(config: TableConfig) -> Limits:
    section = config.limits
    bets = {bet: section.of(bet) for bet in section.bets}
    return Limits(section.min, section.max, section.unit, section.smallest_chip, bets)
