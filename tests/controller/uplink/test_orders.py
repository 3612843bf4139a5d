"""Only what the floor's key has signed becomes an order, whoever owns the broker."""

from __future__ import annotations

import base64
import re
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result

from controller.commands import main
from controller.core.effects import Refused
from controller.core.events import FloorOrder, Order, OrdersTurnedAway, TableEvent
from controller.journal import row as record
from controller.journal.cosignature import WitnessKey
from controller.journal.file import Entry, JournalFile
from controller.uplink.messages import FORM, Signed, decode, encode
from controller.uplink.orders import A_MINUTE, AT_ONCE, BYTES_MOST, TELL_S, WHAT, Gate, signed, stands_signed
from tests.controller.config.example import EXAMPLE

FLOOR = WitnessKey("floor.example", bytes(32))
STRANGER = WitnessKey("floor.example", bytes([7]) * 32)
ORIGIN = "tablectl/t1/00ff"
ORDER = Order("o1", ORIGIN, "limits", "F3", "AM", 1_700_000_000_000, {"most": 90_000, "least": 500})


class Door:
    """A gate, what came through it, and a clock that is moved by hand."""

    def __init__(self, known: bool = True) -> None:
        self.now = 50.0
        self.through: list[TableEvent] = []
        self.gate = Gate(FLOOR.public if known else None, ORIGIN, self.through.append, lambda: self.now)

    def take(self, data: bytes) -> TableEvent | None:
        before = len(self.through)
        self.gate.take(data)
        return self.through[before] if len(self.through) > before else None


def test_a_signed_order_comes_through_as_it_was_given_and_its_signature_can_be_checked_later() -> None:
    event = Door().take(signed(ORDER, FLOOR))
    assert isinstance(event, FloorOrder)
    assert (event.order, event.to) == (ORDER, ORIGIN)
    kept = msgspec.json.decode(msgspec.json.encode(event), type=FloorOrder)
    assert stands_signed(kept, FLOOR.public)
    assert not stands_signed(kept, STRANGER.public)
    other = msgspec.structs.replace(kept, order=msgspec.structs.replace(ORDER, by="F1"))
    assert not stands_signed(other, FLOOR.public)


def forged(**change: object) -> bytes:
    return encode(msgspec.structs.replace(decode(signed(ORDER, FLOOR), Signed), **change))


TEXT = decode(signed(ORDER, FLOOR), Signed).order
EXTRA = TEXT[:-1] + b',"aside":1}'
STRANGE = {
    "signed by another key": signed(ORDER, STRANGER),
    "changed on its way": forged(order=TEXT.replace(b"90000", b"99000")),
    "without a signature": forged(signature=b""),
    "the signature of a head": forged(signature=FLOOR.say(TEXT)),
    "no message at all": b"\xff\xfe garbage",
    "of another form": forged(form=FORM + 1),
    "nothing": b"",
    "far too long": bytes(BYTES_MOST + 1),
    "no order, though signed": encode(Signed(FORM, b"{}", FLOOR.say(WHAT + b"{}"))),
    "more in it than is known here": encode(Signed(FORM, EXTRA, FLOOR.say(WHAT + EXTRA))),
}


@pytest.mark.parametrize("what", STRANGE)
def test_anything_else_is_turned_away_and_told(what: str) -> None:
    event = Door().take(STRANGE[what])
    assert isinstance(event, OrdersTurnedAway)
    assert event.count == 1
    assert event.why


def test_a_table_that_knows_no_floor_takes_no_orders() -> None:
    event = Door(known=False).take(signed(ORDER, FLOOR))
    assert isinstance(event, OrdersTurnedAway)
    assert "witness" in event.why


def test_a_flood_of_forgeries_fills_no_journal_and_keeps_no_order_out() -> None:
    door = Door()
    for _ in range(10_000):
        door.take(STRANGE["signed by another key"])
    assert len(door.through) == 1
    assert isinstance(door.take(signed(ORDER, FLOOR)), FloorOrder)
    door.now += TELL_S
    event = door.take(STRANGE["nothing"])
    assert event == OrdersTurnedAway(10_000, event.why if isinstance(event, OrdersTurnedAway) else "")


def test_an_order_sent_again_and_again_fills_no_journal_either() -> None:
    door = Door()
    for _ in range(1_000):
        door.take(signed(ORDER, FLOOR))
    assert [type(each) for each in door.through] == [FloorOrder] * AT_ONCE + [OrdersTurnedAway]
    door.now += 60
    for _ in range(1_000):
        door.take(signed(ORDER, FLOOR))
    assert len(door.through) == AT_ONCE + 1 + A_MINUTE + 1


def test_the_floor_s_key_signs_no_head_by_mistake() -> None:
    with pytest.raises(ValueError, match="signed as one"):
        FLOOR.say(b"cosignature/v1\ntime 1\n")


def test_an_auditor_lists_orders_and_sees_one_that_the_floor_did_not_sign(tmp_path: Path) -> None:
    config = re.sub(r'^journal = ".*"', 'journal = "table.db"', EXAMPLE, flags=re.MULTILINE)
    uplink = f'[uplink]\nservers = ["nats://127.0.0.1:1"]\nwitness = "{FLOOR.public.text()}"\n'
    (tmp_path / "table.toml").write_text(f"{config}\n{uplink}")
    journal = JournalFile.open(tmp_path / "table.db", "T1", durable=False)

    def keep(key: WitnessKey, *effects: Refused) -> Result:
        event = FloorOrder(ORDER, ORIGIN, base64.b64encode(decode(signed(ORDER, key), Signed).signature).decode())
        journal.append([Entry(ORDER.at, record.encode(record.Record(event, list(effects), form=record.FORM)))])
        return CliRunner().invoke(main, ["evidence", "orders", "--config", str(tmp_path / "table.toml")])

    done = keep(FLOOR)
    assert (done.exit_code, "F3 (AM)  limits: carried out" in done.output) == (0, True), done.output
    done = keep(FLOOR, Refused("FloorOrder", "used_order", "It was heard before."))
    assert (done.exit_code, "refused: It was heard before." in done.output) == (0, True)
    done = keep(STRANGER)
    assert (done.exit_code != 0, done.output.count("NOT SIGNED BY THIS FLOOR")) == (True, 1)
    journal.close()
