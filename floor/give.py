"""An order given by hand on the floor's own machine: who gives it, and what the table answers."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Engine

from floor.config import FloorConfig
from floor.orders import Giver, OrderTrouble, Stands, give, kind_of, orders_of, told
from floor.run import key_of
from floor.store.database import opened
from floor.store.schema import ORDERS
from floor.web.access import Access

LOOK_S = 0.2


class Came(NamedTuple):
    """What has become of an order."""

    id: str
    state: str
    text: str


def given_here(
    config: FloorConfig, table: str, kind: str, said: tuple[str, ...], number: str, pin: Callable[[], str],
    seconds: float,
) -> Came:  # fmt: skip
    """Give an order as this person, and wait for its answer so long."""
    args = told(kind_of(kind), dict(_pair(one) for one in said))
    giver = who(config, number, pin)
    engine = opened(config.floor.store)
    try:
        order = give(engine, key_of(config), table, kind, giver, args, int(time.time() * 1000))
        return Came(order.id, *_answer(engine, order.id, seconds))
    finally:
        engine.dispose()


def _pair(word: str) -> tuple[str, str]:
    name, equals, value = word.partition("=")
    if not equals:
        raise OrderTrouble(f"'{word}' is not NAME=VALUE, such as most=500.")
    return name, value


def who(config: FloorConfig, number: str, pin: Callable[[], str]) -> Giver:
    """Somebody of the floor, by number and PIN as at its pages."""
    access = Access(config.staff, Path(config.floor.staff), config.floor.practice, time.monotonic)
    _, session = asyncio.run(access.sign_in(number, "" if access.practice else pin()))
    return Giver(session.id, session.rank, session.ranks)


def _answer(engine: Engine, order: str, seconds: float) -> Stands:
    until = time.monotonic() + seconds
    while True:
        with engine.connect() as connection:
            (found,) = orders_of(connection, int(time.time() * 1000), ORDERS.c.id == order)
        stands = Stands(**found["stands"])
        if stands.state in ("done", "refused") or time.monotonic() >= until:
            return stands
        time.sleep(LOOK_S)
