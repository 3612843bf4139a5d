"""Roll-outs over a house of machines with the real installer: bad versions, machines that are off, power cuts."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from lab.fleet.campaign import GOOD, run
from lab.floor.server import NatsServer
from lab.needs import MOUNTS, NATS_SERVER, ROOT
from tests.needed import needed
from tests.whole.pi.fleets import House, some

SEED = 3


@pytest.fixture
def house(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[House]:
    needed(NATS_SERVER, "no machine was asked for anything")
    server = NatsServer(tmp_path / "broker")
    server.start()
    made = House(tmp_path, server, request.param)
    yield made
    made.close()
    server.stop()


def begun(house: House) -> None:
    for one in house.machines:
        one.on()
    house.until(lambda: house.fleet("status").output.count(" MB free") == len(house.machines))


@pytest.mark.parametrize("house", [1], indirect=True)
def test_bad_words_change_nothing_and_are_told(house: House, tmp_path: Path) -> None:
    begun(house)
    bundle = house.archive("2.0")
    alone = house.fleet("roll-out", str(bundle), "--by", "F3", "--by", "F3", "--why", "alone")
    assert "these are one" in alone.output
    unknown = house.roll_out(bundle, "--tables", "big-wheel-9")
    assert "knows no key of a table 'big-wheel-9'" in unknown.output
    rubbish = tmp_path / "rubbish.tar.gz"
    rubbish.write_bytes(b"rubbish")
    assert "no bundle" in house.roll_out(rubbish).output
    assert house.state() == ""
    (tmp_path / "floor.key").rename(tmp_path / "old.key")
    assert "no key to sign with" in house.roll_out(bundle).output


@pytest.mark.parametrize("house", [3], indirect=True)
def test_with_some_off_and_power_cuts_everybody_ends_on_a_good_version(house: House) -> None:
    begun(house)
    dice = random.Random(SEED)
    off = list(some(house.machines, 1 / 3, SEED))
    for one in off:
        one.off()
    good, bad = house.archive("2.0"), house.archive("3.0")
    for one in house.machines:
        (one.folder / "unready").write_text("3.0")
    on = [one for one in house.machines if one not in off]
    waiting = {one: dice.uniform(2, 20) for one in on}
    begun_at = time.monotonic()

    def cut() -> None:
        """Each that is on loses its power once, at a moment by lot."""
        for one in [one for one, after in waiting.items() if time.monotonic() - begun_at > after]:
            del waiting[one]
            one.off()
            one.on()

    assert house.roll_out(bad, "--stages", "1,all").exit_code == 0
    house.until(lambda: ": halted;" in house.state(), 300, cut)
    assert "version 3.0 was taken back; 1.0 runs again" in house.state()
    assert house.versions() == {"1.0"}
    other = house.roll_out(good, "--stages", "1,10,all")
    assert other.exit_code == 0, other.output
    assert "is not over" in house.roll_out(bad).output
    house.until(lambda: {one.current for one in on} == {"2.0"} and not waiting, 900, cut)
    for one in off:
        one.on()
    house.until(lambda: ": over;" in house.state(), 600)
    assert house.versions() == {"2.0"}


@pytest.mark.slow
def test_machines_that_are_played_end_on_a_good_version_and_no_round_is_lost(tmp_path: Path) -> None:
    """The short form of `tablectl bench fleet`."""
    for need in (NATS_SERVER, ROOT, MOUNTS):
        needed(need, "no machine was upgraded")
    figures = run(tmp_path, 3, 3, print)
    assert (figures.problems, figures.versions, figures.cuts) == ([], {GOOD: 3}, 3)
    assert figures.rounds > 3
