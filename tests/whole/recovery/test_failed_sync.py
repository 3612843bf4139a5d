"""A sync that failed is never believed: what it did not keep is written anew or asked for again, never just read."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from controller.cards.seal import key_at
from controller.journal.cosignature import make_witness_key
from controller.journal.head import HeadTrouble, make_key
from controller.uplink.nkey import BadSeed, make_broker_key
from drivers.pairing import KeyRing, KeyTrouble
from lab.proofs.redteam.syncs import ENDS, KINDS, every_sync

CUTS = 3
"""Power cuts tried after each failed sync, besides the one at the very end."""
EVERY_END = pytest.mark.parametrize("end", ENDS)


@EVERY_END
def test_no_event_that_a_device_forgot_is_lost_whichever_sync_failed_before_a_power_cut(
    shim: Path, tmp_path: Path, end: str
) -> None:
    tried = every_sync(shim, tmp_path, end, CUTS)
    assert tried.failed.keys() >= KINDS
    assert tried.problems == []


@pytest.mark.slow
@EVERY_END
def test_no_event_is_lost_whichever_sync_failed_and_whenever_the_power_goes_after_it(
    shim: Path, tmp_path: Path, end: str
) -> None:
    assert every_sync(shim, tmp_path, end, 1_000).problems == []


SEED = bytes(range(32))
KEYS: dict[str, Callable[[Path], object]] = {
    "keys/cards.seal": lambda path: key_at(path, lambda octets: SEED[:octets]),
    "table.key": lambda path: make_key(path, "tablectl/t1/1", SEED),
    "witness.key": lambda path: make_witness_key(path, "floor", SEED),
    "broker.key": lambda path: make_broker_key(path, SEED),
    "keys/SIM-1.key.new": lambda path: KeyRing(path.parent).begin("SIM-1", SEED),
}


@pytest.mark.parametrize("name", KEYS)
def test_a_key_whose_sync_failed_is_not_there_for_the_next_start_to_believe(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each kind of key, each of its syncs: file, folder, and the folder's own name where that is made, too."""
    sync, left = os.fsync, 0

    def failing(descriptor: int) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", failing)
    number, failed = 0, True
    while failed:
        number, left = number + 1, number + 1
        path = tmp_path / str(number) / name
        path.parent.parent.mkdir(exist_ok=True)
        (tmp_path / str(number)).mkdir(exist_ok=True)
        try:
            KEYS[name](path)
            failed = False
        except (OSError, HeadTrouble, BadSeed, KeyTrouble):
            assert not path.exists(), f"after sync {number}"
            left = 0
            KEYS[name](path)
        assert path.exists()
    assert number > 2, "file and folder were synced"
