"""Orders of the floor: each is declared like a key, checked like one, and taken once.

Loaded when the first order comes. Whatever else may be ordered at a table (a tournament's orders) is declared with
`Keys` in a module of its own and joined with `table.orderable.append((KEYS, owner))` when the table is built.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from controller.core import table_keys
from controller.core.desk import Ask, Key, Refusal
from controller.core.effects import Refused
from controller.core.events import FloorOrder, Order, OrdersTurnedAway
from controller.core.keys import Keys
from controller.core.table_alarms import FloorMessage, StrangeOrders
from controller.people import Person

if TYPE_CHECKING:
    from controller.core.table import Table

AGE_MS = 300_000
"""An order that is older is not carried out: the table may be another by then."""
AHEAD_MS = 60_000
"""So far may the floor's clock be ahead of the table's."""
REMEMBERED_MS = 86_400_000
"""Ids are remembered for longer than any order lives, so that no clock set back brings one to life again."""
AT_THE_DOOR = frozenset({"wrong_table", "used_order", "too_old", "too_early", "no_such_order", "rank_too_low"})
"""Refusals that have nothing to do with how the table stands."""
TEXT_MOST = 400
HALL = "hall"
"""The role of those whose orders come from what spans tables; a key that wants a rank besides names no role."""

TEXT = Ask("text", "text", "Message")
ORDERS: Keys[Table] = Keys()


@ORDERS.key("limits", "Change the limits", power="change_limits", asks=(table_keys.LEAST, table_keys.MOST))
def limits(table: Table, by: Person, *, least: int, most: int) -> None:
    table_keys.limits(table, by, least=least, most=most)


@ORDERS.key("closing", "Give notice of closing", power="close")
def closing(table: Table, by: Person) -> None:
    """Notice only: whoever closes the table counts its float."""
    if table.state.closing is not None:
        clause = table.house.power("close").clause
        raise Refusal("notice_runs", f"Closing notice runs already: {table.notice_text()}.", (clause,))
    table.life.fire("give_notice", by)


@ORDERS.key("message", "Message for the pit", power="floor_message", like="resume", asks=(TEXT,), while_suspended=True,
            undo="never")  # fmt: skip
def message(table: Table, by: Person, *, text: str) -> None:
    if len(text) > TEXT_MOST:
        raise Refusal("too_long", f"A message has at most {TEXT_MOST} characters; this one has {len(text)}.")
    FloorMessage(who=by.id, words=text).holds(table, table.desk.seq)


def orderable(table: Table) -> Iterator[tuple[Keys[Any], Any, Key]]:
    """Everything that may be ordered here: where it is declared, whose it is, and its words, rank and clause."""
    for keys, owner in ((ORDERS, table), *table.orderable):
        for key in keys.of(table.house).values():
            yield keys, owner, key


def take(table: Table, event: FloorOrder) -> None:
    """Carry an order out, or refuse it as its key would be refused."""
    order = event.order
    _check(table, order, event.to)
    found = next((one for one in orderable(table) if one[2].name == order.kind), None)
    if found is None:
        raise Refusal("no_such_order", f"Nobody can order {order.kind!r} at this table.")
    keys, owner, key = found
    by = Person(order.by, table.house.rulebook.level(order.rank), *roles_for(keys))
    table_keys.admit(table, key, by)
    keys.press(owner, key, order.args, by)
    table.desk.announce("pit", "order", f"{order.by} of the floor ordered: {key.label}.", table_keys.cited(key))


def roles_for(keys: Keys[Any]) -> tuple[tuple[str, ...], ...]:
    """Whoever orders what is joined from elsewhere was let do so by role there, before the floor signed it."""
    return () if keys is ORDERS else ((HALL,),)


def _check(table: Table, order: Order, to: str) -> None:
    """Refuse what is not meant for this table now; from here on its id is used up, whatever comes of it."""
    if order.table != to:
        raise Refusal("wrong_table", f"This order of {order.by} is for {order.table}, and this is {to}.")
    now, known = table.desk.at, table.state.orders
    late = (now - order.at) // 1000
    if order.id in known:
        raise Refusal("used_order", f"This order of {order.by} was heard before, and is carried out once at most.")
    if order.at < now - AGE_MS:
        raise Refusal("too_old", f"This order of {order.by} is {late} seconds old; have it given again.")
    if order.at > now + AHEAD_MS:
        text = f"This order of {order.by} is from {-late} seconds ahead: the floor's clock or this table's is off."
        raise Refusal("too_early", f"{text} Set it, and have the order given again.")
    for each in [each for each, until in known.items() if until < now]:
        del known[each]
    known[order.id] = now + REMEMBERED_MS


def turned_away(table: Table, event: OrdersTurnedAway) -> None:
    """Somebody else than the floor speaks to this table, or something is wrong at the floor."""
    StrangeOrders(count=event.count, cause=event.why).happened(table)


def stands_in_the_way(refused: Refused | None) -> bool:
    """Whether what became of an order hangs on how the table stood."""
    return refused is None or refused.code not in AT_THE_DOOR
