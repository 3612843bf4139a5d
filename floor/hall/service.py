"""A hall inside the running floor: hears its tables' rows from the store, and has its orders signed and sent."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import structlog
from sqlalchemy import Engine

from controller.core.events import Order as TableOrder
from controller.journal.cosignature import WitnessKey
from controller.journal.file import JournalTrouble
from controller.journal.head import slug
from floor.hall.acts import Draw, Enter
from floor.hall.asked import BadAct, act_of
from floor.hall.at_work import HallAtWork, Order
from floor.hall.link import new_rows, said_in
from floor.hall.register import Register
from floor.hall.state import Answer, By
from floor.hall.view import view
from floor.orders import OrderTrouble, put_again, table_of

if TYPE_CHECKING:
    from floor.hall.web import HallPages

log = structlog.get_logger()
ENTROPY_BYTES = 32
AGAIN_MS = 30_000
"""An order that no table has answered for so long is sent again."""


class HallService:
    """One event; whoever asks and whatever comes takes its turn, since there is one journal and one writer."""

    def __init__(self, path: Path, engine: Engine, key: WitnessKey | None, now: Any, durable: bool = True) -> None:
        self._engine, self._key, self._now = engine, key, now
        self._turn = threading.Lock()
        self._heard: dict[str, dict[str, int]] = {}
        self.old_copy = ""
        self.sent: Callable[[], None] = lambda: None
        """Told whenever an order waits to be sent."""
        self._sent: dict[str, int] = {}
        self._untold: dict[str, str] = {}
        self._dated = 0
        self.register = Register(path.with_name(path.name + ".names"))
        self.work = HallAtWork(path, now, self._send, durable)

    def act(self, name: str, args: dict[str, Any], by: By, person: str = "") -> Answer:
        """What somebody does at a page; a draw's entropy is the hall's own, a name goes into the register."""
        if self.old_copy:  # what were done here would be done a second time, and otherwise
            return Answer(False, f"Nothing can be done: {self.old_copy}.")
        try:
            act = act_of(name, args)
        except BadAct as wrong:
            return Answer(False, f"This cannot be done so: {wrong}.")
        if isinstance(act, Draw):
            act = Draw(secrets.token_hex(ENTROPY_BYTES))
        with self._turn:
            answer = self.work.do(act, by)
            if answer.ok and isinstance(act, Enter) and person:
                self.register.put(act.entrant, person)
        return answer

    @property
    def trouble(self) -> str:
        """What keeps the hall from its tables."""
        return self.old_copy or "; ".join(f"{table}: {why}" for table, why in self._untold.items())

    def view(self, by: By | None) -> dict[str, Any]:
        with self._turn:
            return {**view(self.work.hall, self._now(), self.register.names, by), "trouble": self.trouble}

    def _send(self, order: Order) -> None:
        """Sign it and lay it out to be sent; what cannot be is told, and tried again while it is pending."""
        self._dated = at = max(self._now(), self._dated + 1)  # later than the one before: tables get them in order
        try:
            with self._engine.begin() as store:
                to = table_of(store, slug(order.sent.table))
                by, args = order.by, order.sent.args
                put_again(store, self._key, TableOrder(order.id, to.origin, order.sent.kind, by.id, by.rank, at, args))
        except OrderTrouble as trouble:
            if self._untold.get(order.sent.table) != str(trouble):
                log.error("hall_order_not_sent", table=order.sent.table, why=str(trouble))
            self._untold[order.sent.table] = str(trouble)
        else:
            self._untold.pop(order.sent.table, None)
            self._sent[order.id] = at
            self.sent()

    def send_again(self) -> int:
        """What no table has answered, dated anew: after a restart, a cut line or a lost answer; how many."""
        due = [one for one in self.work.pending.values() if self._now() - self._sent.get(one.id, 0) >= AGAIN_MS]
        for order in due:
            self._send(order)
        return len(due)

    def pull(self) -> int:
        """Take what the tables of the event have said since; how many rows were new."""
        state = self.work.hall.state
        if state.terms is None:
            return 0
        count = 0
        for name in dict.fromkeys(name for session in state.terms.sessions for name in session.tables):
            count += self._pull(name)
        if not self.old_copy:
            with self._turn:
                self.send_again()
        return count

    def _pull(self, name: str) -> int:
        heard, count = self._heard.setdefault(name, self._known(name)), 0
        with self._engine.connect() as store:
            rows = list(new_rows(store, slug(name), heard))
        for origin, row in rows:
            for said in said_in(name, origin, row):
                with self._turn:
                    try:
                        count += self.work.hear(said).ok
                    except JournalTrouble as trouble:
                        self.old_copy = str(trouble)
                        log.critical("hall_is_an_old_copy", why=str(trouble))
                        return count
            heard[origin] = row.seq
        return count

    def _known(self, name: str) -> dict[str, int]:
        """From its own journal: up to where it has heard this table; the last row again, for its further parts."""
        table = self.work.hall.state.tables.get(name)
        return {table.journal: table.seq // 1000 - 1} if table is not None and table.journal else {}

    def pages(self, officers: Mapping[str, str] | None = None) -> HallPages:
        """Its pages; `officers` hold an office by their number."""
        from floor.hall.web import HallPages

        return HallPages(self, officers or {})

    def close(self) -> None:
        self.work.close()
