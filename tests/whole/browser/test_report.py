"""The report of a gaming day as a regulator sees it: on a screen and on paper, in a real browser."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from click.testing import CliRunner

from controller.commands import main
from firmware_specs.clock import VirtualClock
from lab.pictures.browser import browser
from lab.sim.config import default_config
from lab.sim.table import SimulatedTable

pytestmark = pytest.mark.browser

FIGURES_END_TOGETHER = """[...document.querySelectorAll('table')].every((table) => {
    const ends = {};
    for (const cell of table.querySelectorAll('td.n, th.n')) {
        const text = document.createRange();
        text.selectNodeContents(cell);
        if (cell.innerText) (ends[cell.cellIndex] ??= new Set()).add(Math.round(text.getBoundingClientRect().right));
    }
    return Object.values(ends).every((edge) => edge.size === 1);
})"""
WIDER_THAN_ITS_PAGE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture(scope="module", params=["wheel", "war", "poker"])
def report(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder, clock = tmp_path_factory.mktemp("report"), VirtualClock()
    table = SimulatedTable(default_config(request.param), folder / "t.sqlite", clock, seed=4)
    table.start()
    clock.run_until(lambda: table.shift.rounds >= 12, 3 * 3600)
    table.stop()
    done = CliRunner().invoke(
        main, ["report", str(folder / "t.sqlite"), "--format", "html", "--output", str(folder / "day.html")]
    )
    assert done.exit_code == 0, done.output
    return folder / "day.html"


@pytest.mark.parametrize("width", [1280, 794])
def test_figures_end_together_and_nothing_is_wider_than_the_page(report: Path, width: int, chromium: str) -> None:
    async def look() -> None:
        async with browser(chromium) as chrome:
            page = await chrome.page(width, 1000)
            await page.goto(report.as_uri())
            assert await page.run("document.querySelectorAll('td.n').length") > 10
            assert await page.run(FIGURES_END_TOGETHER)
            assert await page.run(WIDER_THAN_ITS_PAGE) <= 0
            assert await page.run("document.querySelector('h1').innerText") == "Gaming day report"

    asyncio.run(look())
