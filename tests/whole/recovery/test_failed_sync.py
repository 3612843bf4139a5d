"""A sync that failed is never believed: what it did not keep is written anew or asked for again, never just read."""

from __future__ import annotations

from pathlib import Path

import pytest

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
