"""A house under fire: brokers, floor and tables killed and lines cut, and every row still comes once, in order."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.uplink.messages import FORM, Address, Rows, encode
from lab.floor import faults
from lab.floor.faults import NODE, Campaign, Shown, Stream, Struck, _read, campaign, played, summed
from lab.needs import NATS_SERVER
from tests.needed import needed
from tests.uplinks import Writer


def test_every_kind_of_fault_loses_doubles_and_reorders_nothing(tmp_path: Path) -> None:
    needed(NATS_SERVER, "no house was struck")
    house = Campaign(tmp_path, 4, seed=1)
    house.start()
    try:
        for number, (what, strike) in enumerate(list(house._strikes.items()), 1):
            house._strikes = {what: strike}
            struck = house.strike(number * (faults.CHECK_EVERY if number == len(faults.KINDS) else 1))
            assert (struck.lost, struck.doubled, struck.out_of_order, struck.wrong) == (0, 0, 0, ""), struck
            assert 0 <= struck.answered_after <= struck.told_after <= struck.right_after
    finally:
        house.stop()
    assert house.stream.rows > 100


def test_a_campaign_goes_on_where_it_was_interrupted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Still(Campaign):
        def start(self) -> None: ...

        def stop(self) -> None: ...

        def strike(self, number: int) -> Struck:
            return Struck(number, NODE, 0.0, 12.0, 10 * number, 1.0)

    monkeypatch.setattr(faults, "Campaign", Still)
    log = tmp_path / "log.jsonl"
    campaign(tmp_path, log, 2, 4, lambda one: None)
    both = campaign(tmp_path, log, 3, 4, lambda one: None)
    assert [one.number for one in both] == [1, 2, 3, 4, 5] == [one.number for one in played(log)]
    total = summed(both)
    assert (total.faults, total.rows, total.late, total.misled) == (5, 50, 0, 0)
    late = summed([Struck(1, "floor killed", 0.0, 5.1, 1, 0.5), Struck(2, NODE, 0.0, 14.1, 2, 0.5, slowed=4.0)])
    assert (late.late, late.late_when_quiet, late.misled) == (2, 1, 0)
    assert summed([Struck(1, NODE, 0.0, 5.2, 1, 5.1), Struck(2, NODE, 0.0, 0.1, 2)]).misled == 2


def test_a_page_misleads_nobody_that_has_every_row_or_says_what_it_lacks() -> None:
    frame = {"trouble": "", "lines": [{"slug": "a", "size": 7, "behind": 2, "silent": 0}]}
    page = _read(frame)
    assert page.has("a", 7)
    assert not page.has("a", 8)
    assert page.owns_up("a", 9)
    assert not page.owns_up("a", 10)
    assert not page.owns_up("b", 1)
    assert _read({**frame, "trouble": "the broker: gone"}).owns_up("b", 1)
    assert not Shown().owns_up("a", 1)


@pytest.fixture
def stream(tmp_path: Path) -> tuple[Stream, Address, list[Rows]]:
    """A reader of the stream, and what a table of thirty rows sends in three messages."""
    table = Writer(tmp_path, "nats://127.0.0.1:1")
    table.write(30)
    rows = list(table.journal.rows())
    said = [
        Rows(FORM, first, b"", tuple((row.at, row.body) for row in rows[first - 1 : first + 9]), b"")
        for first in (1, 11, 21)
    ]
    made = Stream([], {table.journal.origin: table.path})
    address = table.address
    table.close()
    return made, address, said


class Message:
    """A message of the stream as the client gives it."""

    def __init__(self, address: Address, said: Rows) -> None:
        self.subject, self.data, self.metadata, self.sequence, self.stream = address.rows, encode(said), self, self, 1


@pytest.mark.parametrize(
    ("order", "found"),
    [((0, 1, 2), (0, 0, 0)), ((0, 2), (10, 0, 1)), ((0, 1, 1, 2), (0, 10, 0)), ((0, 2, 1), (10, 20, 1))],
)
def test_the_judge_of_a_campaign_sees_what_is_lost_doubled_or_out_of_order(
    stream: tuple[Stream, Address, list[Rows]], order: tuple[int, ...], found: tuple[int, int, int]
) -> None:
    judge, address, said = stream
    assert [judge._take(Message(address, said[place])) for place in order] == [""] * len(order)
    assert (judge.lost, judge.doubled, judge.out_of_order) == found


def test_the_judge_of_a_campaign_sees_a_row_that_is_another(stream: tuple[Stream, Address, list[Rows]]) -> None:
    import msgspec

    judge, address, said = stream
    forged = msgspec.structs.replace(said[0], rows=((1, b"{}"), *said[0].rows[1:]))
    assert "events from 1 are others" in judge._take(Message(address, forged))
