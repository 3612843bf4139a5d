"""Orders that people of the floor give to tables: signed when they are given, kept, and sent until a table has them."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from typing import Any, NamedTuple

from sqlalchemy import Connection, Engine, and_, delete, select, update

from controller.core.desk import Ask, Refusal
from controller.core.events import Order
from controller.core.forms import read_form
from controller.core.keys import Declared
from controller.core.orders import AGE_MS, ORDERS
from controller.journal.cosignature import WitnessKey
from controller.money.amounts import cents
from controller.rules.rulebook import load_rulebook
from controller.uplink.orders import signed
from floor.store.schema import ANSWERS, JOURNALS
from floor.store.schema import ORDERS as GIVEN

ID_BYTES = 12
SHOWN = 12


class OrderTrouble(Exception):
    """An order that is not even sent: why, and what to do."""


class Giver(NamedTuple):
    """Who orders: number, step on the floor's own ladder, and the rank that each rulebook gives them, where it does."""

    id: str
    step: int
    ranks: Mapping[str, str] = {}

    def rank_at(self, rulebook: str) -> str:
        """The rank on a rulebook's ladder: their own, or the step that theirs on the floor is: a supervisor's is the
        one above the dealer, a manager's the one above that."""
        if rulebook in self.ranks:
            return self.ranks[rulebook]
        if self.step < 2:
            raise OrderTrouble("An inspector looks, and orders nothing.")
        ladder = load_rulebook(rulebook).ladder
        return ladder[min(self.step, len(ladder)) - 1]


class To(NamedTuple):
    """The table an order is for: its name in addresses, the journal it writes, and its rulebook."""

    slug: str
    origin: str
    rulebook: str


def table_of(connection: Connection, slug: str) -> To:
    """The table of this name, by the journal that was heard last."""
    wanted = select(JOURNALS.c.slug, JOURNALS.c.origin, JOURNALS.c.rulebook).where(JOURNALS.c.slug == slug)
    found = connection.execute(wanted.order_by(JOURNALS.c.heard.desc())).first()
    if found is None or not found.rulebook:
        raise OrderTrouble(f"The floor has heard of no table {slug!r}.")
    return To(found.slug, found.origin, found.rulebook)


def kinds() -> list[dict[str, Any]]:
    """What a page offers to order: words, and what each asks for."""
    return [{"kind": one.name, "label": one.label, "asks": [_asked(ask) for ask in one.asks]} for one in ORDERS]


def _asked(ask: Ask) -> dict[str, str]:
    return {"name": ask.name, "kind": ask.kind, "label": ask.label}


def kind_of(name: str) -> Declared:
    """The order of this name, of those that people give by hand."""
    found = next((one for one in ORDERS if one.name == name), None)
    if found is None:
        raise OrderTrouble(f"Nobody can order {name!r}; there is {', '.join(one.name for one in ORDERS)}.")
    return found


def told(kind: Declared, words: Mapping[str, str]) -> dict[str, Any]:
    """What somebody wrote as NAME=VALUE, each of its kind; amounts are in dollars."""
    of = {ask.name: ask.kind for ask in kind.asks}
    return {name: _amount(name, word) if of.get(name) == "money" else word for name, word in words.items()}


def _amount(name: str, word: str) -> int:
    try:
        return cents(word)
    except (ValueError, OverflowError) as error:
        raise OrderTrouble(f"{name}={word} is no amount; write dollars, such as 25 or 2.50.") from error


def give(
    engine: Engine, key: WitnessKey | None, slug: str, kind: str, by: Giver, args: dict[str, Any], at: int
) -> Order:
    """Sign an order and keep it to be sent; it is the table that decides about it."""
    declared = kind_of(kind)
    try:
        read_form(declared.label, declared.asks, args, None, ())
    except Refusal as refusal:
        raise OrderTrouble(refusal.text) from refusal
    with engine.begin() as connection:
        to = table_of(connection, slug)
        order = Order(secrets.token_hex(ID_BYTES), to.origin, kind, by.id, by.rank_at(to.rulebook), at, args)
        put(connection, key, order)
    return order


def put(connection: Connection, key: WitnessKey | None, order: Order) -> None:
    """Keep a signed order to be sent, in the transaction of whatever it follows from."""
    if key is None:
        raise OrderTrouble("The floor has no key to sign orders with; make one: tablectl floor key")
    slug, message = order.table.split("/")[1], signed(order, key)
    connection.execute(GIVEN.insert().values(
        id=order.id, slug=slug, origin=order.table, kind=order.kind, by=order.by, rank=order.rank, at=order.at,
        args=json.dumps(order.args), message=message, heard=0,
    ))  # fmt: skip


def put_again(connection: Connection, key: WitnessKey | None, order: Order) -> None:
    """The same order, dated and signed anew, in place of one that no table has answered; tables take an id once."""
    connection.execute(delete(GIVEN).where(GIVEN.c.id == order.id))
    put(connection, key, order)


class Waiting(NamedTuple):
    """An order that no table has yet."""

    id: str
    origin: str
    message: bytes


def waiting(engine: Engine, at: int) -> list[Waiting]:
    """What is still to be sent, in the order it was given; what is too old would be refused."""
    wanted = select(GIVEN.c.id, GIVEN.c.origin, GIVEN.c.message).where(GIVEN.c.heard == 0, GIVEN.c.at > at - AGE_MS)
    with engine.connect() as connection:
        return [Waiting(*one) for one in connection.execute(wanted.order_by(GIVEN.c.at))]


def heard(engine: Engine, order: str, at: int) -> None:
    """A table has it."""
    with engine.begin() as connection:
        connection.execute(update(GIVEN).where(GIVEN.c.id == order).values(heard=at))


class Stands(NamedTuple):
    """What has become of an order: `done`, `refused`, `heard`, `unanswered`, `waiting` or `missed`; and in words."""

    state: str
    text: str


def stands(order: Mapping[str, Any], now: int) -> Stands:
    """What has become of an order with its answer, as `orders_of` finds it."""
    if order["code"]:
        return Stands("refused", order["text"])
    if order["seq"]:
        return Stands("done", f"carried out, event {order['seq']}")
    if order["heard"] and order["at"] > now - AGE_MS:
        return Stands("heard", "the table has it and has not answered yet")
    if order["heard"]:
        return Stands("unanswered", "the table had it and never answered; look there before it is given again")
    if order["at"] <= now - AGE_MS:
        return Stands("missed", "it never reached the table; give it again once the table is connected")
    return Stands("waiting", "waits for the table to be connected")


def orders_of(connection: Connection, now: int, *where: Any, most: int = SHOWN) -> list[dict[str, Any]]:
    """The newest orders that fit, each with what has become of it."""
    mine = and_(JOURNALS.c.origin == GIVEN.c.origin)
    answered = and_(ANSWERS.c.journal == JOURNALS.c.id, ANSWERS.c.order == GIVEN.c.id)
    columns = [column for column in GIVEN.c if column.name != "message"]
    wanted = (
        select(*columns, ANSWERS.c.seq, ANSWERS.c.code, ANSWERS.c.text)
        .join(JOURNALS, mine)
        .outerjoin(ANSWERS, answered)
        .where(*where)
        .order_by(GIVEN.c.at.desc())
        .limit(most)
    )
    found = [dict(one) for one in connection.execute(wanted).mappings()]
    return [{**one, "args": json.loads(one["args"]), "stands": stands(one, now)._asdict()} for one in found]
