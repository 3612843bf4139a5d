"""Browser tests run in a real Chromium; where there is none, they say so plainly."""

from __future__ import annotations

import pytest

from lab.needs import CHROMIUM, PLAYWRIGHT
from tests.needed import needed

SO = "BROWSER TESTS DID NOT RUN"


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "browser: runs in a real Chromium")


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of a Chromium."""
    needed(PLAYWRIGHT, SO)
    return needed(CHROMIUM, SO)
