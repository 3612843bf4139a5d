"""Browser tests run in a real Chromium; where there is none and none can be had, they say so plainly."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest

from controller.web.chromium import BrowserTrouble, find_browser

INSTALL = ("apt-get", "install", "-y", "--no-install-recommends", "chromium")
_missing: list[str] = []


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "browser: runs in a real Chromium")


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of a Chromium, installed if this machine lets us."""
    try:
        return find_browser()
    except BrowserTrouble as missing:
        if os.geteuid() == 0 and shutil.which(INSTALL[0]):
            subprocess.run(INSTALL, check=False, capture_output=True, timeout=900)
        try:
            return find_browser()
        except BrowserTrouble:
            if os.environ.get("CI") == "true":
                pytest.fail(f"browser tests must run here: {missing}")
            _missing.append(str(missing))
            pytest.skip(f"NOT RUN: {missing}")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if _missing:
        terminalreporter.write_sep("!", "browser tests did not run", red=True)
        terminalreporter.write_line(_missing[0])
