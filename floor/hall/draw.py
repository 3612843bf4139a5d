"""The seat draw: an equal chance for all, and repeatable by anybody from the entropy on record."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import TypeVar

from floor.hall.state import Seat

T = TypeVar("T")


class NoRoom(Exception):
    """More people than seats."""


def numbers(entropy: str) -> Iterator[int]:
    """Sixty-four bits at a time: SHA-256 over the entropy and a running number."""
    count = 0
    while True:
        block = hashlib.sha256(f"{entropy}|{count}".encode()).digest()
        yield from (int.from_bytes(block[at : at + 8], "big") for at in range(0, 32, 8))
        count += 1


def below(most: int, source: Iterator[int]) -> int:
    """A whole number below `most`, each as likely as the others: what would favour some is thrown away."""
    limit = (1 << 64) - (1 << 64) % most
    return next(number for number in source if number < limit) % most


def shuffled(things: Sequence[T], source: Iterator[int]) -> list[T]:
    """Fisher and Yates, from the last place down."""
    order = list(things)
    for last in range(len(order) - 1, 0, -1):
        at = below(last + 1, source)
        order[last], order[at] = order[at], order[last]
    return order


def drawn(entropy: str, entrants: Sequence[str], tables: Sequence[str], seats: int) -> dict[str, Seat]:
    """A seat for everybody: tables filled evenly, in an order and at places that chance alone decides."""
    if len(entrants) > len(tables) * seats:
        raise NoRoom(f"{len(entrants)} entrants, and {len(tables)} tables of {seats} seats")
    source = numbers(entropy)
    order = shuffled(sorted(entrants), source)
    at_table = {table: shuffled(range(1, seats + 1), source) for table in tables}
    return {
        entrant: Seat(table := tables[number % len(tables)], at_table[table][number // len(tables)])
        for number, entrant in enumerate(order)
    }
