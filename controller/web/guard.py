"""What every request passes first: the right host and origin, a small body, not too often; and strict headers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from controller.web.callers import Address, Allowance, home

BODY_MOST = 16 * 1024
POSTS_A_SECOND = 20.0
POSTS_AT_ONCE = 40.0
GETS_A_SECOND = 60.0
GETS_AT_ONCE = 240.0
CLIENTS_KNOWN = 512
TOO_OFTEN = 429

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), usb=(), serial=()",
}


class Guard:
    """An ASGI layer in front of all routes."""

    def __init__(
        self,
        app: ASGIApp,
        hosts: frozenset[str],
        tls: bool,
        now: Callable[[], float],
        paired_place: Callable[[Scope], str],
        hold_back: Callable[[Address | None], Awaitable[None]],
    ) -> None:
        """`paired_place` tells the place of the paired screen that a request comes from, if it does; `hold_back` is
        what who asks too often waits for."""
        self._app = app
        self._hosts = hosts
        self._scheme = "https" if tls else "http"
        self._now = now
        self._paired_place = paired_place
        self._hold_back = hold_back
        self._allowed: dict[tuple[tuple[str, str], bool], Allowance] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        if refusal is not None:
            status, text = refusal
            if status == TOO_OFTEN:
                await self._hold_back(scope.get("client"))
            await JSONResponse({"error": text}, status)(scope, receive, self._with_headers(send))
            return
        await self._app(scope, receive, self._with_headers(send))

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "").lower()
        if host not in self._hosts:
            return 421, "This controller does not answer under that name; use the address it was configured with."
        posting = scope["method"] not in ("GET", "HEAD")
        client = scope.get("client")
        # Strangers and the table's own screens may have one address; what one of them spends is not the other's.
        whose = (home(client[0]) if client else "", self._paired_place(scope))
        if not self._take_token(whose, posting):
            return TOO_OFTEN, "Too many requests; slow down."
        if not posting:
            return None
        if headers.get("origin", "").lower() != f"{self._scheme}://{host}":
            return 403, "Commands are taken from this controller's own pages only (Origin must be its address)."
        if headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            return 415, "Commands are JSON (Content-Type: application/json)."
        if "content-length" not in headers or "transfer-encoding" in headers:
            return 411, "Say how long the request is (Content-Length)."
        if not headers["content-length"].isdigit() or int(headers["content-length"]) > BODY_MOST:
            return 413, f"A request may hold {BODY_MOST} bytes at most."
        return None

    def _take_token(self, whose: tuple[str, str], posting: bool) -> bool:
        rate, most = (POSTS_A_SECOND, POSTS_AT_ONCE) if posting else (GETS_A_SECOND, GETS_AT_ONCE)
        now = self._now()
        if len(self._allowed) > CLIENTS_KNOWN:
            self._allowed.clear()
        return self._allowed.setdefault((whose, posting), Allowance(most, now)).take(now, rate, most)

    def _with_headers(self, send: Send) -> Send:
        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                headers.setdefault("cache-control", "no-store")
                if self._scheme == "https":
                    headers["strict-transport-security"] = "max-age=31536000"
            await send(message)

        return sending
