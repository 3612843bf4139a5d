"""A hall at work: its journal holds what people did and tables said, and orders go out once that is on disk."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec

from controller.journal.file import Entry, JournalFile, JournalTrouble, Row
from floor.hall.acts import Act, AnyAct
from floor.hall.field import TableSaid
from floor.hall.hall import Hall
from floor.hall.state import Answer, By, Sent

FORM = 1
UNTIMELY = ("too_old", "too_early")
"""Why a table turns an order away that is good once it is dated anew."""


class Done(msgspec.Struct, frozen=True, tag="done"):
    """What somebody did, or tried to do."""

    did: AnyAct
    by: By


class HallRow(msgspec.Struct, frozen=True):
    """One row of the hall's journal: what came, and what the hall concluded from it."""

    event: Done | TableSaid
    answer: Answer
    form: int = FORM


class Order(msgspec.Struct, frozen=True):
    """An order as it leaves; its id names the row of the hall, so that a table tells of an old copy."""

    id: str
    sent: Sent
    by: By
    at: int


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(HallRow).decode


class HallAtWork:
    """Decides, writes, then sends; opened again, it hears its whole journal and must conclude the same."""

    def __init__(self, path: Path, now: Callable[[], int], send: Callable[[Order], None], durable: bool = True) -> None:
        self.hall = Hall()
        self._now, self._send = now, send
        self.journal = JournalFile.open(path, "hall", durable)
        self.pending: dict[str, Order] = {}
        try:
            self.journal.verify(1, self.journal.last_seq)
            for row in self.journal.rows():
                self._again(row)
        except BaseException:
            self.journal.close()
            raise

    def _again(self, row: Row) -> None:
        try:
            kept = _decode(row.body)
        except msgspec.MsgspecError as error:
            where = f"{self.journal.path}: event {row.seq}"
            raise JournalTrouble(f"{where} cannot be read ({error}); open it with the version that wrote it") from error
        answer = self._decide(kept.event, row.at)
        if answer != kept.answer:
            raise JournalTrouble(
                f"{self.journal.path}: event {row.seq} is decided otherwise by this version; go on with the one that "
                "wrote it"
            )
        self._note_orders(kept.event, answer, row.seq, row.at)

    def _decide(self, event: Done | TableSaid, at: int) -> Answer:
        if isinstance(event, Done):
            return self.hall.do(event.did, event.by, at)
        return self.hall.hear(event, at)

    # -- taking --------------------------------------------------------------------------------------------------------

    def do(self, act: Act, by: By) -> Answer:
        """What somebody does: on disk before anybody hears of it."""
        return self._take(Done(act, by))

    def hear(self, said: TableSaid) -> Answer:
        """A row of a table; heard again it is told so and leaves no trace."""
        table = self.hall.state.tables.get(said.table)
        if table is not None and table.journal == said.journal and said.place <= table.seq:
            return Answer(False, f"row {said.seq} of {said.table} was heard before")
        if said.what == "order":
            self._answered(said)
        return self._take(said)

    def _take(self, event: Done | TableSaid) -> Answer:
        at = self._now()
        answer = self._decide(event, at)
        self.journal.append([Entry(at, _encode(HallRow(event, answer)))])
        for order in self._note_orders(event, answer, self.journal.last_seq, at):
            self._send(order)
        return answer

    def _note_orders(self, event: Done | TableSaid, answer: Answer, row: int, at: int) -> list[Order]:
        by = event.by if isinstance(event, Done) else By("hall")
        name = self.hall.state.terms.id if self.hall.state.terms is not None else "hall"
        if isinstance(event, TableSaid) and event.what == "order" and event.facts.get("code") not in UNTIMELY:
            self.pending.pop(str(event.facts.get("id")), None)
        made = [Order(f"{name}.{row}.{n}", sent, sent.by or by, at) for n, sent in enumerate(answer.orders, 1)]
        self.pending |= {order.id: order for order in made}
        return made

    def _answered(self, said: TableSaid) -> None:
        """A table answers an order: refused ones are told, and one that the hall never gave shows an old copy."""
        row = str(said.facts.get("id", "")).split(".")
        if len(row) == 3 and row[1].isdigit() and int(row[1]) > self.journal.last_seq:
            raise JournalTrouble(
                f"{self.journal.path}: {said.table} carried out order {said.facts['id']}, and this journal ends with "
                f"row {self.journal.last_seq}: it is an old copy; restore the newest one before anything is done here"
            )

    def close(self) -> None:
        self.journal.close()
