"""The table that a case of Casino War is played at."""

from __future__ import annotations

import msgspec

from controller.config.tomlread import Cents
from controller.config.types import Bounds, DeviceSection, LimitsSection, PersonalLimit, TableConfig
from controller.games.war.config import WarSection
from lab.scenarios.war.case import Case
from lab.sim.config import default_config


def table_config(case: Case) -> TableConfig:
    """The table that this case is played at."""
    war, limits = case.config, case.limits
    config = default_config("war", rulebook=case.rulebook, source="shoe" if war.source == "shoe" else "shuffler")
    devices = dict(config.devices)
    if war.source == "csm":
        devices["shoe"] = DeviceSection("shoe", simulated=True)  # to finish from, should the shuffler fail
    least = min([limits.least, *case.kept_minimum.values()])
    return msgspec.structs.replace(
        config,
        limits=LimitsSection(
            Cents(least),
            Cents(limits.most),
            Cents(limits.unit),
            Cents(limits.smallest_chip),
            {bet: Bounds(Cents(low), Cents(high)) for bet, (low, high) in limits.bets.items()},
        ),
        devices=devices,
        play=WarSection(
            decks=war.decks,
            source="shoe" if war.source == "shoe" else "shuffler",
            method=war.war_method,
            payout_column=war.column or None,
            places=case.places or max([7, *(stake.box for stake in case.stakes)]),
            zones=war.optional_zones,
            round_burn=war.round_burn,
            start_burn=war.start_burn,
            share_most=war.share_most,
            tournament=war.tournament,
            options=dict(war.readings),
        ),
        personal_limits=tuple(
            PersonalLimit(player, 1, Cents(least), Cents(most), marker=True)
            for player, (least, most) in case.personal.items()
        ),
    )
