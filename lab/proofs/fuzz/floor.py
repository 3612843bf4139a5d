"""A floor and a table that do not trust each other: orders that come down, rows that go up, acts on keys."""

from __future__ import annotations

import tempfile
from pathlib import Path

import msgspec

from controller.config.kept import plain
from controller.core.events import Command, FloorOrder, Order, OrdersTurnedAway, SignShown, Started, TableEvent
from controller.core.guarded import GuardedTable
from controller.journal import row as record
from controller.journal.chain import GENESIS, chained
from controller.journal.cosignature import WitnessKey
from controller.journal.file import JournalFile
from controller.journal.head import TableKey
from controller.people import Person
from controller.uplink.messages import FORM, Address, Rows, Signed, encode
from controller.uplink.orders import WHAT, Gate
from drivers.events import DeviceUp
from floor.acts import ActTrouble, Wanted, add, read_acts
from floor.acts import Person as Actor
from floor.intake import Heard, Intake
from floor.known import Known
from floor.store.database import opened
from lab.proofs.fuzz.campaign import Nonsense
from lab.proofs.fuzz.files import Files
from lab.sim.config import default_config
from lab.sim.table import play_rounds, shift_for

FLOOR = WitnessKey("floor.example", bytes(32))
HERE, AT = "tablectl/t1/00ff", 1_700_000_000_000
ORDERS = (
    Order("o1", HERE, "limits", "F3", "AM", AT, {"least": 500, "most": 90_000}),
    Order("o2", HERE, "closing", "F2", "HDD", AT),
    Order("o3", HERE, "message", "F2", "HDD", AT, {"text": "Call the desk"}),
)
A_TABLE = 200
"""Orders that one table is given before another one takes its place."""


class _Table:
    """An open table behind its gate; what its program cannot handle is a finding."""

    def __init__(self) -> None:
        self._guarded = GuardedTable(default_config())
        self._guarded.defect = self._defect
        self._failed = ""
        self._came: list[TableEvent] = []
        self._now = 0.0
        self._gate = Gate(FLOOR.public, HERE, self._came.append, lambda: self._now)
        opening = (
            Started("fuzz", plain(self._guarded.config)), DeviceUp("wheel", "wheel", "1", "1"),
            DeviceUp("chips", "chips", "1", "1"), SignShown(99), Command("open", Person("S1", 1)), SignShown(999),
        )  # fmt: skip
        for event in opening:
            self._guarded.apply(AT, event)
        self.left = A_TABLE

    def _defect(self, seq: int, trace: str) -> None:
        self._failed = trace

    def take(self, octets: bytes) -> None:
        self.left -= 1
        self._now += 3_600.0  # nobody is turned away for coming too fast
        self._gate.take(octets)
        if any(isinstance(one, FloorOrder) for one in self._came):
            raise Nonsense("what nobody signed became an order")
        self._gate.take(encode(Signed(FORM, octets, FLOOR.say(WHAT + octets))))
        for event in self._came:
            self._guarded.apply(AT, record.as_kept(event))
        if self._failed:
            raise Nonsense(f"the table cannot handle it: {self._failed}")
        if not all(isinstance(one, FloorOrder | OrdersTurnedAway) for one in self._came):
            raise Nonsense("something else than an order came through")
        self._came.clear()


class OrderMessages(Files):
    """Orders as bytes nobody signed, and the same bytes signed by a floor that has gone mad."""

    def __init__(self, seed: int) -> None:
        samples = [msgspec.json.encode(one) for one in ORDERS]
        super().__init__(seed, "order", "an order of the floor", samples, self._order, (), trees=True)
        self._table = _Table()

    def _order(self, path: Path) -> None:
        if not self._table.left:
            self._table = _Table()
        self._table.take(path.read_bytes())


def _acts_sample(path: Path) -> bytes:
    both = (Actor("F2", 2), Actor("F3", 3))
    for number in (1, 2):
        line = TableKey(bytes([number]) * 32).public(HERE).text()
        add(path, FLOOR, Wanted("join", line, "new"), both, number)
    return path.read_bytes()


class Acts(Files):
    """The file of acts; nothing in it is believed that the floor did not sign."""

    def __init__(self, seed: int) -> None:
        with tempfile.TemporaryDirectory() as folder:
            self._sample = _acts_sample(Path(folder) / "acts")
        super().__init__(seed, "acts", "the acts on tables' keys", [self._sample], self._acts, (ActTrouble,))

    def _acts(self, path: Path) -> None:
        acts = read_acts(path, FLOOR.public)
        if msgspec.json.encode(acts) not in {msgspec.json.encode(self._true()[:count]) for count in range(3)}:
            raise Nonsense("an act that nobody signed")

    def _true(self) -> list[object]:
        return [msgspec.json.decode(line)["act"] for line in self._sample.splitlines()]


class FloorRows(Files):
    """Rows of a table that has gone mad, well chained, into a floor: it must hear the next table all the same."""

    def __init__(self, seed: int) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path, config = Path(folder) / "played.sqlite", default_config()
            play_rounds(config, path, 3, 1, shift_for(config))
            journal = JournalFile.read_only(path)
            samples = [row.body for row in journal.rows()]
            journal.close()
        super().__init__(seed, "floor-rows", "rows on their way to the floor", samples, self._rows, (), trees=True)
        self._known = samples[0]
        self._intake, self._message = _floor(), 0

    def _rows(self, path: Path) -> None:
        if self._message >= 2 * A_TABLE:
            self._intake.engine.dispose()
            self._intake, self._message = _floor(), 0
        for body, table in ((path.read_bytes(), "mad"), (self._known, "sound")):
            self._message += 1
            self._intake.take((self._heard(body, Address(f"{table}-{self._message}", "00ff")),))
        sound = self._intake.journals[f"tablectl/sound-{self._message}/00ff"]
        if sound.broken or sound.followed.size != 1 or self._intake.position != self._message:
            raise Nonsense("another table is not heard any more")

    def _heard(self, body: bytes, address: Address) -> Heard:
        hash = chained(GENESIS, 1, AT, body)
        rows = Rows(FORM, 1, GENESIS, ((AT, body),), hash)
        return Heard(self._message, address.rows, encode(rows), AT)

    def close(self) -> None:
        self._intake.engine.dispose()
        super().close()


def _floor() -> Intake:
    intake = Intake(opened("sqlite://"), Known({}), None)
    intake.begin("now")
    return intake
