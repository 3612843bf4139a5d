"""What a test needs of the machine: without it the test is skipped, saying what is lacking and what brings it."""

from __future__ import annotations

import pytest

from lab.needs import Need


def needed(need: Need, so: str = "") -> str:
    """Where it is on this machine; otherwise the test is skipped, and `so` says what was then not tried."""
    found = need.found()
    if not found:
        pytest.skip(need.missing + (f": {so}" if so else ""))
    return found


def skip_without(need: Need, so: str = "") -> pytest.MarkDecorator:
    """The mark of a test that needs it."""
    return pytest.mark.skipif(not need.found(), reason=need.missing + (f": {so}" if so else ""))
