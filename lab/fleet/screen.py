"""A table's screens as browsers have them: paired, signed in at with a PIN, and looked at again after a restart."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Mapping
from http.cookiejar import CookieJar
from typing import Any

ASK_S = 20.0


class NotShown(Exception):
    """The table does not answer now: it is off, or comes up."""


class RefusedKey(Exception):
    """The table answered, and did not take it: why."""


class PairedScreen:
    """One screen of a table; `token` is what it was paired with."""

    def __init__(self, url: str, place: str, token: str) -> None:
        self._url, self.place, self._token = url, place, token
        self._browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        self._paired = False

    def state(self) -> dict[str, Any]:
        """All it shows."""
        if not self._paired:
            self.post("pair", token=self._token)
            self._paired = True
        found: dict[str, Any] = self._ask(f"{self._url}/api/state?place={self.place}")["set"]
        return found

    def post(self, what: str, **body: Any) -> None:
        headers = {"content-type": "application/json", "origin": self._url}
        self._ask(urllib.request.Request(f"{self._url}/api/{what}", json.dumps(body).encode(), headers))

    def press(self, key: str, args: Mapping[str, Any], sign: Mapping[str, str] | None) -> None:
        """Press a key as whoever is signed in, or as somebody else who signs for it."""
        more = {"sign": dict(sign)} if sign else {}
        self.post("command", place=self.place, name=key, args=dict(args), **more)

    def _ask(self, asked: str | urllib.request.Request) -> Any:
        try:
            with self._browser.open(asked, timeout=ASK_S) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as refused:
            raise RefusedKey(f"{refused.code} {refused.read().decode(errors='replace')[:300]}") from refused
        except (OSError, ValueError) as away:
            raise NotShown(str(away)) from away
