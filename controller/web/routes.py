"""The pages' addresses and the JSON interface behind them; documented for people in docs/screens.md."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import Meta
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import Scope

from controller import games
from controller.core.desk import Key
from controller.core.effects import refusal_of
from controller.core.events import NotSignedIn, SignedIn
from controller.core.runtime import Runtime, Told
from controller.people import Person
from controller.web.access import Access, Denied, Session
from controller.web.answers import Channel, File, Files, Lookups, TooManyLookups, Turned, TurnedAway, body_of
from controller.web.board import FRAME_S, SECTIONS, Board
from controller.web.callers import CHANNELS_A_PLACE, Callers
from controller.web.rounds import NoSuchRound
from controller.web.waiting import now, pause, within

if TYPE_CHECKING:
    from controller.web.annex import Annex, Handler

HERE = Path(__file__).parent
ANSWER_S = 5.0
"""How long a command may take to be durable before its page is told that it was not."""
SEEN_AT: dict[str, tuple[str, ...]] = {"sign": ("table", "life", "sign", "journal")}
"""Sections a place may see where it may not see everything."""
ONLY_IN_THE_PIT = frozenset({"uplink"})
"""Sections that concern nobody else: every other page is open to players, or has no use for them."""
CLAUSES_AT_ONCE = 20
DIGITS_MOST = 18

Word = Annotated[str, Meta(max_length=64)]


class _Untold(msgspec.Struct):
    """Shows nothing of what is in it."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}(…)"


class SignIn(_Untold, forbid_unknown_fields=True):
    """Staff number and PIN."""

    staff: Word
    pin: Word = ""


class SignInAt(_Untold, forbid_unknown_fields=True):
    """The same, at a screen."""

    staff: Word
    place: Word
    pin: Word = ""


class TypedPin(_Untold, forbid_unknown_fields=True):
    """The PIN of the card that was drawn through beside this screen."""

    place: Word
    pin: Word


class AtPlace(msgspec.Struct, forbid_unknown_fields=True):
    """Which screen this comes from."""

    place: Word


class Pressed(msgspec.Struct, forbid_unknown_fields=True):
    """A key with its arguments; `sign` when somebody else than the signed-in person answers for it."""

    name: Word
    place: Word
    args: dict[Word, str | int | float | bool | list[int | str] | None] = {}
    sign: SignIn | None = None


class Pairing(_Untold, forbid_unknown_fields=True):
    """The token that was told when the screen was made."""

    token: Word


class Shown(msgspec.Struct, forbid_unknown_fields=True):
    """The sign shows this revision."""

    revision: Annotated[int, Meta(ge=0)]


class Screens:
    """Everything a request can reach."""

    def __init__(
        self,
        runtime: Runtime,
        board: Board,
        access: Access,
        annex: Annex | None,
        name: str,
        tls: bool,
        callers: Callers,
        further: Sequence[BaseRoute] = (),
    ) -> None:
        self.runtime = runtime
        self.board = board
        self.access = access
        self.annex = annex
        self._callers = callers
        self._further = further
        self.lookups = Lookups()
        self._channels: Counter[str] = Counter()
        self._cookie = name
        self._tls = tls
        self._page = (HERE / "page.html").read_text()
        self._words: dict[str, bytes] = {}

    def app(self) -> Starlette:
        routes: list[BaseRoute] = [
            Route("/", self._page_of("status")),
            *(Route(f"/{place}", self._page_of(place)) for place in ("dealer", "pit", "sign")),
            Route("/pair", self._page_of("pair")),
            Route("/favicon.ico", self._icon),
            Route("/game.js", self._picture().show),
            Route("/api/state", self._guarded(self.state)),
            Route("/api/live", self._guarded(self.live)),
            Route("/api/me", self._guarded(self.me)),
            Route("/api/clauses", self._guarded(self.clauses)),
            Route("/api/rounds/{first}/{last}", self._guarded(self.round)),
            Route("/api/command", self._guarded(self.command), methods=["POST"]),
            Route("/api/preview", self._guarded(self.preview), methods=["POST"]),
            Route("/api/sign-in", self._guarded(self.sign_in), methods=["POST"]),
            Route("/api/sign-out", self._guarded(self.sign_out), methods=["POST"]),
            Route("/api/pin", self._guarded(self.pin), methods=["POST"]),
            Route("/api/pair", self._guarded(self.pair), methods=["POST"]),
            Route("/api/sign-shown", self._guarded(self.sign_shown), methods=["POST"]),
            Route("/words/{language}", self._guarded(self.words)),
            Route("/static/{name}", Files(HERE / "static").show),
            *self._further,
        ]
        if self.annex is not None:
            place = self.annex.place
            routes += [
                Route(f"/{place}", self._page_of(place)),
                Route(f"/{place}-static/{{name}}", Files(self.annex.static).show),
                *self.annex.routes(self._from_annex),
            ]
        return Starlette(routes=routes)

    # -- pages -------------------------------------------------------------------------------------------------

    def _page_of(self, place: str) -> Handler:
        static = "static" if self.annex is None or place != self.annex.place else f"{place}-static"
        page = self._page.replace("{script}", f"/{static}/{place}.js")
        page = page.replace("{place}", place).replace("{title}", place.capitalize())

        async def show(request: Request) -> Response:
            if place not in ("pair",) and not self.access.may_see(place, self._screen_token(request)):
                return RedirectResponse("/pair", 303)
            return HTMLResponse(page)

        return show

    def _picture(self) -> File:
        """How the game that is played here is drawn; the same address may play another after the next start."""
        return File(games.folder(self.runtime.table.game.name) / "page.js", cache_control="no-cache")

    async def _icon(self, request: Request) -> Response:
        return RedirectResponse("/static/icon.svg", 308)

    def _guarded(self, handler: Handler) -> Handler:
        async def guarded(request: Request) -> Response:
            try:
                return await handler(request)
            except Turned as turned:
                return JSONResponse(turned.body, turned.status, turned.headers)
            except Denied as denied:
                self._callers.refused.count(f"denied: {denied.kind}")
                return JSONResponse({"error": str(denied)}, 403)

        return guarded

    def _from_annex(self, handler: Handler) -> Handler:
        assert self.annex is not None
        place = self.annex.place

        async def seen(request: Request) -> Response:
            self._see(request, place)
            return await handler(request)

        return self._guarded(seen)

    # -- who asks ----------------------------------------------------------------------------------------------

    def paired_place(self, scope: Scope) -> str:
        """The place of the paired screen that this request comes from; empty for anybody else."""
        token = self._screen_token(Request(scope))
        try:
            return (self.access.place_of(token) or "") if token else ""
        except Denied:
            return ""

    def _screen_token(self, request: Request) -> str:
        return request.cookies.get(f"{self._cookie}-screen", "")

    def _see(self, request: Request, place: str) -> str:
        """The place a request comes from, if its screen is paired to it."""
        if place not in self.access.places:
            raise Turned(404, f"There is no screen {place!r} at this table.")
        if not self.access.may_see(place, self._screen_token(request)):
            raise Turned(401, "This screen is not paired with that place; open /pair with its token.")
        self._callers.belongs(request.scope.get("client"), place)
        return place

    def _session(self, request: Request, place: str) -> Session | None:
        return self.access.session(self._session_token(request, place), place, self._reader(request, place))

    def _session_token(self, request: Request, place: str) -> str:
        return request.cookies.get(f"{self._cookie}-{place}", "")

    def _reader(self, request: Request, place: str) -> str:
        """The card reader beside this screen, if there is one."""
        return self.access.reader_beside(place, self._screen_token(request))

    def _set_cookie(self, response: Response, which: str, value: str, seconds: int) -> None:
        response.set_cookie(
            f"{self._cookie}-{which}",
            value,
            max_age=seconds,
            httponly=True,
            samesite="strict",
            secure=self._tls,
            path="/",
        )

    # -- looking -----------------------------------------------------------------------------------------------

    def _sections(self, place: str) -> tuple[str, ...]:
        seen = SEEN_AT.get(place, SECTIONS)
        return seen if place == "pit" else tuple(name for name in seen if name not in ONLY_IN_THE_PIT)

    async def state(self, request: Request) -> Response:
        place = self._see(request, request.query_params.get("place", "status"))
        viewer = self.board.open(self._sections(place), live=False)
        self.board.leave(viewer)
        return Response(self.board.body(self._sections(place)), media_type="application/json")

    async def live(self, request: Request) -> Response:
        place = self._see(request, request.query_params.get("place", "status"))
        if self._channels[place] >= CHANNELS_A_PLACE:
            # Kept, its connection would take the place's share from screens that work.
            raise TurnedAway(503, f"Too many screens are open as {place}; close one.")
        self._channels[place] += 1
        viewer = self.board.open(self._sections(place), live=place != "sign")

        async def frames() -> AsyncGenerator[bytes, None]:
            yield b"retry: 500\n\n"
            while (frame := await viewer.frame()) is not None:
                sent = now()
                yield frame
                if (rest := sent + FRAME_S - now()) > 0:
                    await pause(rest)

        def left() -> None:
            self.board.leave(viewer)
            self._channels[place] -= 1

        return Channel(frames(), left)

    async def me(self, request: Request) -> Response:
        place = self._see(request, request.query_params.get("place", "status"))
        session, reader = self._session(request, place), self._reader(request, place)
        door = self.access.door
        return JSONResponse(
            {
                "place": place,
                "reader": reader,
                "card": door.wants_pin(reader) if door is not None and reader else "",
                "commands": place in self.access.commanding,
                "person": _who(session) if session else None,
                "staff": self.access.staff(),
                "pin": not self.access.practice,
            }
        )

    async def round(self, request: Request) -> Response:
        place = self._see(request, request.query_params.get("place", "pit"))
        if place in SEEN_AT or place == "dealer":
            raise Turned(403, "Records are shown in the pit.")
        first, last = (_number(request.path_params[name]) for name in ("first", "last"))
        names = self.access.names()
        try:
            found = await self.lookups.beside(
                lambda: msgspec.json.encode({"rows": self.board.rounds.full(first, last), "names": names})
            )
        except NoSuchRound as unknown:
            raise Turned(404, str(unknown)) from unknown
        except TooManyLookups as many:
            raise Turned(503, str(many)) from many
        return Response(found, media_type="application/json")

    async def clauses(self, request: Request) -> Response:
        """What these clauses ask for; the index is read when somebody asks first."""
        from controller.rules.clauses import meaning

        self._see(request, request.query_params.get("place", "status"))
        rulebook = self.runtime.table.house.rulebook.id
        asked = request.query_params.getlist("clause")[:CLAUSES_AT_ONCE]
        return JSONResponse({"clauses": {clause: meaning(rulebook, clause) for clause in asked}})

    async def words(self, request: Request) -> Response:
        """The words of a language; they hold nothing of this table, so that any screen may ask."""
        from controller.web.catalogue import catalogue, languages

        language = request.path_params["language"]
        if language not in languages():
            raise Turned(404, f"There are no words in the language {language[:64]!r}.")
        if language not in self._words:
            try:
                self._words[language] = await self.lookups.beside(lambda: msgspec.json.encode(catalogue(language)))
            except TooManyLookups as many:
                raise Turned(503, str(many)) from many
        return Response(self._words[language], media_type="application/json")

    # -- doing -------------------------------------------------------------------------------------------------

    async def command(self, request: Request) -> Response:
        pressed = await body_of(request, Pressed)
        place = self._see(request, pressed.place)
        if place not in self.access.commanding:
            raise Turned(403, "This screen has no keys.")
        by = await self._who_presses(request, place, pressed)
        return await self._press(_as_said(self._know(pressed), pressed), by)

    async def preview(self, request: Request) -> Response:
        """What a key would do, tried on a copy of the table, pressed by whoever is signed in.

        Where that person's rank is too low, somebody of the key's rank will sign for it: what follows then is told.
        """
        from controller.web.preview import tried

        pressed = await body_of(request, Pressed)
        place = self._see(request, pressed.place)
        if place not in self.access.commanding:
            raise Turned(403, "This screen has no keys.")
        by = await self._who_presses(request, place, pressed)
        least = self._know(pressed).rank
        if by.rank < least:
            by = msgspec.structs.replace(by, rank=least)
        guarded, at = self.runtime.guarded, self.board.wall()
        config, saved = guarded.config, guarded.save()
        try:
            lines = await self.lookups.beside(lambda: tried(config, saved, at, pressed.name, pressed.args, by))
        except TooManyLookups as many:
            raise Turned(503, str(many)) from many
        return JSONResponse({"lines": lines})

    async def _who_presses(self, request: Request, place: str, pressed: Pressed) -> Person:
        """Whoever is signed in here, or somebody who answers for this one key without taking the screen over."""
        if pressed.sign is not None:
            return (await self.access.recognise(place, pressed.sign.staff, pressed.sign.pin))[0]
        session = self._session(request, place)
        if session is None:
            raise Turned(401, "Sign in first.")
        return session.person

    def _know(self, pressed: Pressed) -> Key:
        table = self.runtime.table
        known = table.keys.get(pressed.name) or table.game.keys.get(pressed.name)
        if known is None:
            raise Turned(404, f"There is no key {pressed.name!r} at this table.")
        return known

    async def _press(self, pressed: Pressed, by: Person) -> Response:
        if self.runtime.broken:
            raise Turned(503, self.runtime.broken, code="journal")
        done: asyncio.Future[Told] = asyncio.get_running_loop().create_future()

        def reply(told: Told) -> None:
            if not done.done():
                done.set_result(told)

        self.runtime.command(pressed.name, by, pressed.args, reply)
        try:
            told = await within(ANSWER_S, done)
        except TimeoutError as late:
            raise Turned(504, "The table has not answered; look at what it shows before trying again.") from late
        if (no := refusal_of(pressed.name, told.effects)) is not None:
            # Too low a rank is refused by the table itself, so that the attempt is on record.
            status = 403 if no.code == "rank_too_low" else 409
            raise Turned(status, no.text, code=no.code, clauses=no.clauses, seq=told.seq)
        return JSONResponse({"seq": told.seq})

    async def sign_in(self, request: Request) -> Response:
        who = await body_of(request, SignInAt)
        place = self._see(request, who.place)
        token = await self.access.sign_in(who.staff, who.pin, place)
        session = self.access.session(token, place)
        assert session is not None
        self.access.sign_out(self._session_token(request, place), "", f"{session.person.id} signed in")
        self.runtime.submit(SignedIn(place, session.person))
        response = JSONResponse({"person": _who(session)})
        self._set_cookie(response, place, token, 12 * 3600)
        return response

    async def pin(self, request: Request) -> Response:
        """The second half of signing in by card: whoever drew it through beside this screen types the PIN on it."""
        typed = await body_of(request, TypedPin)
        place = self._see(request, typed.place)
        reader, door = self._reader(request, place), self.access.door
        if door is None or not reader or place not in self.access.commanding:
            raise Turned(403, "No card reader stands beside this screen; sign in with staff number and PIN.")
        for outcome in await door.pin(reader, typed.pin):
            if isinstance(outcome, NotSignedIn):
                raise Denied(outcome.text, outcome.code)
        session = self.access.session("", place, reader)
        return JSONResponse({"person": _who(session) if session else None})

    async def sign_out(self, request: Request) -> Response:
        place = (await body_of(request, AtPlace)).place
        reader = self._reader(request, place) if self.access.may_see(place, self._screen_token(request)) else ""
        self.access.sign_out(self._session_token(request, place), reader, "signed out at the screen")
        response = JSONResponse({"person": None})
        if place in self.access.places:
            response.delete_cookie(f"{self._cookie}-{place}", path="/")
        return response

    async def pair(self, request: Request) -> Response:
        token = (await body_of(request, Pairing)).token
        place = self.access.place_of(token)
        if place is None:
            raise Denied("This token pairs no screen; make a new one with: tablectl screens pair PLACE")
        response = JSONResponse({"place": place})
        self._set_cookie(response, "screen", token, 10 * 365 * 24 * 3600)
        return response

    async def sign_shown(self, request: Request) -> Response:
        self._see(request, "sign")
        revision = (await body_of(request, Shown)).revision
        if revision <= self.runtime.table.state.sign:
            self.runtime.sign_shown(revision)
        return JSONResponse({})


def _number(word: str) -> int:
    """The number of a row in an address."""
    if not (word.isascii() and word.isdigit() and len(word) <= DIGITS_MOST):
        raise Turned(404, f"There is no row {word[:DIGITS_MOST]!r}.")
    return int(word)


def _who(session: Session) -> dict[str, Any]:
    return {"id": session.person.id, "name": session.name, "rank": session.person.rank}


def _as_said(key: Key, pressed: Pressed) -> Pressed:
    """What was told; that nobody new was meant where a page did not say that somebody was."""
    args = pressed.args
    new = {ask.new_word: args.get(ask.new_word) is True for ask in key.asks if ask.new_word and args.get(ask.name)}
    return msgspec.structs.replace(pressed, args={**args, **new})
