"""Orders on their whole way: given at the floor, decided at a table that plays, answered by its rows; and a broker that
somebody else owns."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import nats
import pytest
from click.testing import CliRunner
from nats.aio.msg import Msg
from sqlalchemy import create_engine, select

from controller.core.effects import Refused
from controller.core.events import FloorOrder, Order, OrdersTurnedAway
from controller.journal import row as record
from controller.journal.cosignature import WitnessKey, read_witness_key
from controller.journal.file import JournalFile
from controller.uplink.messages import Address, Signed, decode, encode
from controller.uplink.orders import signed, stands_signed
from floor.asyncapi import asyncapi
from floor.commands import floor as command
from floor.config import read_floor
from floor.give import given_here
from floor.orders import Giver, OrderTrouble, give, kind_of, orders_of, stands, told
from floor.store.schema import ALARMS, JOURNALS, ORDERS
from lab.floor.house import House
from lab.floor.server import free_port
from lab.floor.tables import journal_of
from lab.needs import NATS_SERVER
from tests.floor.fits import fits
from tests.floor.tables import WITNESS, floor_at, heard, played
from tests.needed import needed
from tests.uplinks import until

NAME, SLUG = "Big Wheel 1", "big-wheel-1"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A broker that asks nobody who they are, a floor, and one table that plays."""
    needed(NATS_SERVER, "nothing was ordered")
    made = House(tmp_path_factory.mktemp("house"), 1, free_port())
    made.tables = [msgspec.structs.replace(made.tables[0], name=NAME, game="wheel", rulebook="melbourne-wheel")]
    made.start()
    try:
        until(lambda: found(made, select(JOURNALS.c.life).where(JOURNALS.c.slug == SLUG)) == [("open",)], 60)
        yield made
    finally:
        made.stop()


def found(house: House, wanted: Any) -> list[tuple[Any, ...]]:
    engine = create_engine(f"sqlite:///{house.folder / 'floor.db'}")
    try:
        with engine.connect() as connection:
            return [tuple(one) for one in connection.execute(wanted)]
    except Exception:  # the floor is making its tables just now
        return []
    finally:
        engine.dispose()


def order(house: House, kind: str, *said: str, by: str = "F3") -> tuple[str, str]:
    came = given_here(read_floor(house.config), SLUG, kind, said, by, str, 30.0)
    return came.state, came.text


def rows(house: House) -> list[record.Record[msgspec.Struct]]:
    journal = JournalFile.read_only(journal_of(house.folder / "journals", house.tables[0]))
    try:
        return [record.read(row) for row in journal.rows()]
    finally:
        journal.close()


def orders(house: House) -> list[tuple[FloorOrder, list[str]]]:
    """Every order in the table's journal, with the codes of its refusals."""
    return [
        (kept.event, [one.code for one in kept.effects if isinstance(one, Refused)])
        for kept in rows(house)
        if isinstance(kept.event, FloorOrder)
    ]


def send(house: House, *messages: bytes) -> None:
    """Say this to the table as whoever owns the broker can."""
    (origin,) = found(house, select(JOURNALS.c.origin).where(JOURNALS.c.slug == SLUG))[0]

    async def say() -> None:
        client = await nats.connect(house.server.url)
        for one in messages:
            await client.publish(Address.of(origin).order, one)
        await client.flush()
        await client.close()

    asyncio.run(say())


def newest(house: House) -> bytes:
    (message,) = found(house, select(ORDERS.c.message).order_by(ORDERS.c.at.desc()).limit(1))[0]
    assert isinstance(message, bytes)
    return message


def test_an_order_is_carried_out_by_the_table_and_its_row_is_the_answer(house: House) -> None:
    state, text = order(house, "limits", "least=5", "most=775")
    assert state == "done"
    event, refusals = orders(house)[-1]
    assert (event.order.by, event.order.rank, event.order.args) == ("F3", "AM", {"least": 500, "most": 77_500})
    assert refusals == []
    assert stands_signed(event, read_witness_key(house.folder / "floor.key").public)
    assert f"event {len(rows(house))}" in text or "event" in text
    until(lambda: found(house, select(JOURNALS.c.max).where(JOURNALS.c.slug == SLUG)) == [(77_500,)])


def test_an_order_on_the_wire_is_what_the_page_of_the_subjects_says(house: House) -> None:
    page, came = asyncapi("1"), list[Msg]()

    async def overhear() -> None:
        client = await nats.connect(house.server.url)
        heard = asyncio.Event()

        async def take(message: Msg) -> None:
            came.append(message)
            heard.set()

        await client.subscribe("order.>", cb=take)
        await client.flush()
        await asyncio.to_thread(order, house, "message", "text=Count your float")
        await asyncio.wait_for(heard.wait(), 20)
        await client.close()

    asyncio.run(overhear())
    schema = page["components"]["messages"]["order"]["payload"]
    said = msgspec.msgpack.decode(came[0].data)
    assert fits(said, schema, page) == []
    inside = page["components"]["schemas"]["Signed"]["properties"]["order"]["contentSchema"]
    assert fits(json.loads(said["order"]), inside, page) == []
    assert json.loads(said["order"])["args"] == {"text": "Count your float"}
    assert fits({**json.loads(said["order"]), "at": "now"}, inside, page) == [".at: 'now' is no ['integer']"]


def test_a_rank_that_is_too_low_is_refused_by_the_table_and_the_answer_says_so(house: House) -> None:
    state, text = order(house, "limits", "least=5", "most=888", by="F2")
    assert (state, "needs TG Area Manager or above" in text) == ("refused", True)
    assert orders(house)[-1][1] == ["rank_too_low"]


def test_an_inspector_orders_nothing_and_an_unknown_person_neither(house: House) -> None:
    before = len(orders(house))
    run = CliRunner().invoke(command, ["order", SLUG, "closing", "--by", "F1", "--config", str(house.config)])
    assert (run.exit_code, "An inspector looks" in run.output) == (1, True)
    run = CliRunner().invoke(command, ["order", SLUG, "closing", "--by", "F9", "--config", str(house.config)])
    assert (run.exit_code, "Nobody has the number" in run.output) == (1, True)
    assert len(orders(house)) == before


def test_the_command_prints_the_answer(house: House) -> None:
    words = ["order", SLUG, "message", "text=Call the desk", "--by", "F2", "--config", str(house.config)]
    run = CliRunner().invoke(command, [*words, "--json", "--wait", "30"])
    assert (run.exit_code, json.loads(run.output)["state"]) == (0, "done")
    until(lambda: "F2 of the floor: Call the desk" in json.dumps(found(house, select(ALARMS.c.text))))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nonsense",), "there is limits, closing, message"),
        (("limits", "least=five", "most=6"), "least=five is no amount"),
        (("limits", "least"), "is not NAME=VALUE"),
        (("limits", "least=5"), "Maximum"),
        (("limits", "least=5", "most=6", "colour=red"), "knows no 'colour'"),
        (("message", "text="), "Message"),
    ],
)
def test_what_no_table_could_take_is_not_even_signed(house: House, words: tuple[str, ...], said: str) -> None:
    before = found(house, select(ORDERS.c.id))
    with pytest.raises(OrderTrouble, match=said):
        order(house, *words)
    assert found(house, select(ORDERS.c.id)) == before


# -- the broker is somebody else's ---------------------------------------------------------------------------------


def test_an_order_sent_again_is_refused_told_and_does_not_change_its_answer(house: House) -> None:
    assert order(house, "message", "text=Once")[0] == "done"
    message, before = newest(house), len(orders(house))
    send(house, message)
    until(lambda: len(orders(house)) == before + 1)
    assert orders(house)[-1][1] == ["used_order"]
    last = orders(house)[-1][0].order.id
    (answer,) = [one for one in standing(house) if one["id"] == last]
    assert answer["stands"]["state"] == "done"


def standing(house: House) -> list[dict[str, Any]]:
    engine = create_engine(f"sqlite:///{house.folder / 'floor.db'}")
    with engine.connect() as connection:
        answers = orders_of(connection, int(time.time() * 1000), most=100)
    engine.dispose()
    return answers


def test_an_order_for_another_table_or_journal_or_time_is_refused(house: House) -> None:
    key = read_witness_key(house.folder / "floor.key")
    here, now = orders(house)[-1][0].to, int(time.time() * 1000)
    before = len(orders(house))
    send(
        house,
        signed(Order("x1", "tablectl/casino-war-2/00ff", "closing", "F3", "AM", now), key),
        signed(Order("x2", here[:-4] + "0000", "closing", "F3", "AM", now), key),
        signed(Order("x3", here, "closing", "F3", "AM", now - 600_000), key),
        signed(Order("x4", here, "closing", "F3", "AM", now + 600_000), key),
    )
    until(lambda: len(orders(house)) == before + 4)
    codes = [one[1] for one in orders(house)[before:]]
    assert codes == [["wrong_table"], ["wrong_table"], ["too_old"], ["too_early"]]


def test_what_the_floor_did_not_sign_never_becomes_an_order_and_the_pit_is_told(house: House) -> None:
    here, now, before = orders(house)[-1][0].to, int(time.time() * 1000), len(orders(house))
    stranger = WitnessKey("tablectl-floor/simulated", bytes([9]) * 32)
    changed = decode(newest(house), Signed)
    forged = encode(msgspec.structs.replace(changed, order=changed.order.replace(b'"F3"', b'"F9"')))
    send(house, signed(Order("y1", here, "closing", "F3", "AM", now), stranger), forged, b"", b"\xff" * 100_000)
    until(lambda: any(isinstance(one.event, OrdersTurnedAway) for one in rows(house)))
    assert order(house, "message", "text=Still here")[0] == "done"
    assert len(orders(house)) == before + 1
    assert len([one for one in rows(house) if isinstance(one.event, OrdersTurnedAway)]) == 1
    until(lambda: "the floor's key did not sign them" in json.dumps(found(house, select(ALARMS.c.text))))


# -- at the floor --------------------------------------------------------------------------------------------------

NOW = 1_700_000_000_000


def test_an_order_is_signed_when_it_is_given_and_waits_for_its_table(tmp_path: Path) -> None:
    path, _ = played("war")
    intake = floor_at(tmp_path, path)
    intake.take(heard(path))
    one = give(intake.engine, WITNESS, "the-war-1", "closing", Giver("F2", 2), {}, NOW)
    with intake.engine.connect() as connection:
        (given,) = orders_of(connection, NOW)
        assert (given["stands"]["state"], given["rank"], given["id"]) == ("waiting", one.rank, one.id)
        (late,) = orders_of(connection, NOW + 300_000)
        assert late["stands"]["state"] == "missed"
    for slug, key, why in (("nowhere", WITNESS, "no table"), ("the-war-1", None, "no key")):
        with pytest.raises(OrderTrouble, match=why):
            give(intake.engine, key, slug, "closing", Giver("F2", 2), {}, NOW)
    intake.engine.dispose()


@pytest.mark.parametrize(
    ("giver", "rulebook", "rank"),
    [
        (Giver("F2", 2), "melbourne-wheel", "HDD"),
        (Giver("F3", 3), "melbourne-wheel", "AM"),
        (Giver("F3", 3), "perth-war", "TGM"),
        (Giver("F3", 3, {"melbourne-wheel": "ACM"}), "melbourne-wheel", "ACM"),
        (Giver("F1", 1, {"star-war": "GS"}), "star-war", "GS"),
    ],
)
def test_the_rank_of_an_order_is_one_of_the_table_s_own_rulebook(giver: Giver, rulebook: str, rank: str) -> None:
    assert giver.rank_at(rulebook) == rank


def test_what_is_heard_and_not_answered_says_so() -> None:
    given = {"seq": None, "code": None, "text": None, "heard": NOW, "at": NOW}
    assert [stands(given, now).state for now in (NOW, NOW + 299_999, NOW + 300_000)] == ["heard", "heard", "unanswered"]
    assert told(kind_of("limits"), {"least": "2.50", "most": "$1000"}) == {"least": 250, "most": 100_000}
