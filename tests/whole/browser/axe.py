"""axe-core on a page as it stands."""

from __future__ import annotations

import importlib.util
from functools import cache
from pathlib import Path
from typing import Any

from lab.needs import AXE
from lab.pictures.browser import Page
from tests.needed import needed

RUN = """axe.run(document, {resultTypes: ['violations']}).then((found) => found.violations.map((one) =>
  `${one.id}: ${one.nodes.map((node) => node.html.slice(0, 120)).join(' / ')}`))"""


@cache
def script() -> str:
    needed(AXE, "ACCESSIBILITY WAS NOT LOOKED AT")
    found = importlib.util.find_spec("axe_playwright_python")
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).with_name("axe.min.js").read_text()


async def violations(page: Page) -> Any:
    """What axe finds wrong with what is shown now."""
    if not await page.run("Boolean(window.axe)"):
        await page.run(f"{script()};0")
    return await page.run(RUN)
