"""Browser tests run in a real Chromium; where there is none and none can be had, they say so plainly."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest

from controller.web.chromium import BrowserTrouble, find_browser

INSTALL = ("apt-get", "install", "-y", "--no-install-recommends", "chromium")
LISTS = ("apt-get", "update")
LONGEST_S = 900
_missing: list[str] = []
_installed: list[str] = []


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "browser: runs in a real Chromium")


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of a Chromium, installed if this machine lets us."""
    try:
        return find_browser()
    except BrowserTrouble:
        why_not = _install()
    try:
        return find_browser()
    except BrowserTrouble as missing:
        text = f"{missing} ({why_not})"
        if os.environ.get("CI", "").lower() in ("1", "true"):
            pytest.fail(f"browser tests must run here: {text}")
        _missing.append(text)
        pytest.skip(f"NOT RUN: {text}")


def _install() -> str:
    """Have Debian bring a Chromium, where that is allowed; otherwise why it was not done or what came of it."""
    if os.geteuid() != 0:
        return "not installed from here: that needs root"
    if not shutil.which(INSTALL[0]):
        return f"not installed from here: this machine has no {INSTALL[0]}"
    for command in (INSTALL, LISTS, INSTALL):  # the lists of a fresh machine are empty
        try:
            done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=LONGEST_S)
        except subprocess.TimeoutExpired:
            return f"{' '.join(command)} took longer than {LONGEST_S} s"
        if command is INSTALL and done.returncode == 0:
            _installed.append(" ".join(INSTALL))
            return "installed just now, and not found all the same"
    return f"{' '.join(INSTALL)} failed: {(done.stderr.strip().splitlines() or ['it said nothing'])[-1]}"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if _installed:
        terminalreporter.write_line(f"Chromium was missing and was installed for the browser tests: {_installed[0]}")
    if _missing:
        terminalreporter.write_sep("!", "BROWSER TESTS DID NOT RUN", red=True)
        terminalreporter.write_line(_missing[0])
