"""A page that is told what to show instead of asking the table: any moment of any game, one after the other."""

from __future__ import annotations

import json
from typing import Any

from lab.pictures.browser import Page

SIZES = ((800, 480), (1024, 768), (1280, 800), (390, 844))
TELLER = """
window.EventSource = class {
  constructor() { this.heard = {}; window.teller = this; }
  addEventListener(kind, does) { this.heard[kind] = does; }
  close() {}
  tell(kind, data) { this.heard[kind]?.({ data: JSON.stringify(data) }); }
};
setInterval(() => window.teller?.heard.beat?.({ data: String(Date.now()) }), 500);
"""
SIGN_IN = (
    "fetch('/api/sign-in', {method: 'POST', headers: {'content-type': 'application/json'}, "
    "body: JSON.stringify({staff: 'S1', pin: '', place: 'PLACE'})}).then((answer) => answer.status)"
)


class ToldPage:
    """One page to which nobody but the test tells anything."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self._url = url
        self._table: Any = None
        self._ready = False

    async def tell(self, sections: dict[str, Any]) -> None:
        """Show this moment; a page that has drawn another table begins anew."""
        if not self._ready:
            await self.page.first(TELLER)
        if self._table != sections["table"]:
            await self.page.goto(self._url)
            await self.page.until("Boolean(window.teller?.heard.whole)")
        self._ready, self._table = True, sections["table"]
        frame = json.dumps({"revision": 1, "seq": 1, "now": 0, "set": sections})
        await self.page.run(f"window.teller.tell('whole', {{...{frame}, now: Date.now()}})")

    async def live(self, devices: dict[str, Any]) -> None:
        await self.page.run(f"window.teller.tell('live', {json.dumps(devices)})")


async def at_its_desk(page: Page, url: str, place: str, language: str = "") -> ToldPage:
    await page.goto(url + place + language)
    if place:
        assert await page.run(SIGN_IN.replace("PLACE", place)) == 200
    return ToldPage(page, url + place + language)
