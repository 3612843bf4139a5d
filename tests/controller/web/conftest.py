"""What tests of the screens share."""

from __future__ import annotations

import pytest

from controller.web import callers


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same waits, in a time that a test can have."""
    for name in ("REQUEST_S", "STALLED_S", "LOOK_EVERY_S"):
        monkeypatch.setattr(callers, name, getattr(callers, name) / 50)
