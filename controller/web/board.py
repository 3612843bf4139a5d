"""What the screens show: the table's durable state as JSON, cut into sections so that a change sends only itself."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Collection
from typing import Any

import msgspec

from controller import games
from controller.core import take_back
from controller.core.effects import Alarmed, Announced, AnyEffect, Asked, Refused, Reversed, Ruled, Settled
from controller.core.events import Command, FloorOrder
from controller.core.runtime import Runtime, Told
from controller.money.view import checklist
from controller.people.door import Doorkeeper
from controller.people.signing_in import PinWanted
from controller.web.rounds import RoundLog
from controller.web.waiting import within
from firmware_specs.clock import Clock, RealClock, Timer

FRAME_S = 1 / 30
"""At most this often is anything sent to one page."""
BEAT_S = 1.0
SLOW_S = 2.0
"""How long a view may be behind what was decided before it says so itself."""
"""A page that hears nothing for a few beats knows that its channel is lost."""
LINES_KEPT = 40
SECTIONS = (
    "table", "life", "game", "keys", "prompts", "alarms", "devices", "limits", "sign", "people", "rounds", "lines",
    "journal", "uplink", "checklist",
)  # fmt: skip

_encode = msgspec.json.Encoder().encode


class Viewer:
    """One open page: the names of what it has not been sent yet. However slow it is, it owes no more than that."""

    def __init__(self, board: Board, sections: Collection[str], live: bool) -> None:
        self._board = board
        self._sections = frozenset(sections)
        self._wants_live = live
        self._owed: set[str] = set()
        self._live: set[str] = set(board.live) if live else set()
        self._whole = True
        self._wake = asyncio.Event()
        self._ended = False

    def owe(self, names: Collection[str]) -> None:
        """These sections changed."""
        mine = self._sections.intersection(names)
        if mine:
            self._owed |= mine
            self._wake.set()

    def owe_live(self, device: str) -> None:
        if self._wants_live:
            self._live.add(device)
            self._wake.set()

    def end(self) -> None:
        """The controller goes down: the page is told so instead of waiting."""
        self._ended = True
        self._wake.set()

    async def frame(self) -> bytes | None:
        """The next thing to send: the whole state first, then changes, live values, or a beat; None at the end."""
        if not self._whole and not self._owed and not self._live and not self._ended:
            self._wake.clear()
            try:
                await within(BEAT_S, self._wake.wait())
            except TimeoutError:
                return b"event: beat\ndata: %d\n\n" % self._board.wall()
        if self._ended:
            return None
        parts = []
        if self._whole:
            self._whole = False
            self._owed.clear()
            parts.append(self._board.frame(b"whole", self._sections))
        elif self._owed:
            owed, self._owed = frozenset(self._owed), set()
            parts.append(self._board.frame(b"change", owed))
        if self._live:
            live, self._live = frozenset(self._live), set()
            parts.append(self._board.live_frame(live))
        return b"".join(parts)


class Board:
    """Follows the runtime and keeps every section encoded once for all pages."""

    def __init__(
        self, runtime: Runtime, face: dict[str, Any], door: Doorkeeper | None = None, clock: Clock | None = None
    ) -> None:
        """The pages' time is the loop's, however fast a table is played; or that of the clock given."""
        self.runtime = runtime
        self._clock = clock or RealClock(asyncio.get_running_loop())
        self._door = door
        self.names: Callable[[], dict[str, str]] = dict
        """Who is who, by staff number."""
        self.rounds = RoundLog(runtime)
        self.revision = 0
        self.live: dict[str, msgspec.Struct] = {}
        """The newest live value of each device, whether a page was open or not: one that opens late sees it too."""
        self._asked: dict[str, tuple[int, dict[str, Any]]] = {}
        """When each open question was put, and how the world stood then."""
        self._lines: deque[dict[str, Any]] = deque(maxlen=LINES_KEPT)
        self._viewers: set[Viewer] = set()
        self._told_seq = self._shown_seq = runtime.guarded.position.seq
        self._behind_since: float | None = None
        self._lived: dict[str, Any] = {}
        self._stale = True
        self._due: Timer | None = None
        self._beat: Timer | None = None
        self._last_refresh = -FRAME_S
        self._frames: dict[tuple[bytes, frozenset[str]], bytes] = {}
        self._bodies: dict[str, bytes] = dict.fromkeys(SECTIONS, b"null")
        self._bodies["table"] = _encode(face)
        self._parts: dict[str, Callable[[], Any]] = {
            "life": self._life,
            "game": self._game,
            "keys": lambda: runtime.table.available(),
            "prompts": self._questions,
            "alarms": self._alarms,
            "devices": self._devices,
            "limits": self._limits,
            "sign": self._sign,
            "people": self._people,
            "rounds": lambda: self.rounds.summaries(),
            "lines": lambda: list(self._lines),
            "journal": self._journal,
            "uplink": lambda: runtime.uplink_sign(),
            "checklist": lambda: checklist(runtime.table.money),
        }
        runtime.watchers.append(self.told)
        runtime.glimpses.append(self.glimpse)
        if door is not None:
            door.listeners.append(self.at_the_door)
        self._refresh()

    def close(self) -> None:
        """Stop following, and end every page's channel."""
        self.runtime.watchers.remove(self.told)
        self.runtime.glimpses.remove(self.glimpse)
        if self._door is not None:
            self._door.listeners.remove(self.at_the_door)
        for timer in (self._due, self._beat):
            if timer is not None:
                timer.cancel()
        for viewer in self._viewers:
            viewer.end()

    # -- pages come and go -------------------------------------------------------------------------------------

    def open(self, sections: Collection[str], live: bool) -> Viewer:
        """A page wants to see these sections from now on."""
        if self._stale:
            self._refresh()
        viewer = Viewer(self, sections, live)
        self._viewers.add(viewer)
        if self._beat is None:
            self._beat = self._clock.call_later(BEAT_S, self._look_at_health)
        return viewer

    def leave(self, viewer: Viewer) -> None:
        self._viewers.discard(viewer)

    @property
    def pages(self) -> int:
        return len(self._viewers)

    # -- what happens at the table -----------------------------------------------------------------------------

    def told(self, told: Told) -> None:
        """Something is certain now."""
        self._told_seq = told.seq
        self.rounds.told(told)
        for effect in told.effects:
            if isinstance(effect, Asked):
                self._asked[effect.prompt] = (told.at, self._world())
            line = _line(effect, told.event, self.names)
            if line:
                self._lines.append({"seq": told.seq, "at": told.at, **line})
        self._stale = True
        if not self._viewers:
            return
        wait = self._last_refresh + FRAME_S - self._clock.now()
        if wait <= 0:
            self._refresh()
        elif self._due is None:
            self._due = self._clock.call_later(wait, self._refresh)

    def glimpse(self, device: str, live: msgspec.Struct) -> None:
        """A live value: the newest wins, and it may be lost."""
        self.live[device] = live
        for viewer in self._viewers:
            viewer.owe_live(device)

    def at_the_door(self, outcome: msgspec.Struct) -> None:
        """A card that waits for its PIN is no event of the table; the screen beside it must ask at once."""
        if isinstance(outcome, PinWanted):
            self._set("people")

    def _look_at_health(self) -> None:
        """Counters and a broken journal change without an event of the table."""
        self._beat = None
        if self._viewers:
            self._set("journal", "uplink", "life", *(() if self._behind() else ("devices",)))
            self._beat = self._clock.call_later(BEAT_S, self._look_at_health)

    def _refresh(self) -> None:
        self._due = None
        if self._behind():
            return  # the commit under way calls again
        self._stale = False
        self._shown_seq = self._told_seq
        if self._viewers:
            self._last_refresh = self._clock.now()
        self._set(*self._parts)

    def _behind(self) -> bool:
        """Whether memory is ahead of the disk, so that nothing of it may be shown; and since when."""
        behind = self._told_seq < self.runtime.guarded.position.seq
        if not behind:
            self._behind_since = None
        elif self._behind_since is None:
            self._behind_since = self._clock.now()
        return behind

    def _set(self, *names: str) -> None:
        changed = []
        for name in names:
            body = _encode(self._parts[name]())
            if body != self._bodies[name]:
                self._bodies[name] = body
                changed.append(name)
        if changed:
            self.revision += 1
            self._frames.clear()
            for viewer in self._viewers:
                viewer.owe(changed)

    # -- the sections ------------------------------------------------------------------------------------------

    def _life(self) -> dict[str, Any]:
        """As it stood on disk last, and whether the journal broke since: memory may be ahead of it for good then."""
        if not self._behind():
            state = self.runtime.table.state
            resume_to = state.resume_to if state.life == "suspended" else ""
            self._lived = {"life": state.life, "resume_to": resume_to, "round": state.round}
        return {**self._lived, "broken": self.runtime.broken}

    def _game(self) -> dict[str, Any]:
        game = self.runtime.table.game
        beside = {**games.find(game.name).beside(game), "drawn": self.rounds.last_drawn}
        seen = {**game.view(), **beside, **self.runtime.table.event_view()}
        return {"game": game.name, "state": game.machine.state, **seen}

    def _questions(self) -> list[dict[str, Any]]:
        """What is open, since when, what has changed since then, and what is told with each answer."""
        table = self.runtime.table
        prompts = table.state.desk.prompts
        self._asked = {prompt: then for prompt, then in self._asked.items() if prompt in prompts}
        return [
            {
                **msgspec.to_builtins(asked),
                **self._since(asked.prompt),
                "options": [
                    {**msgspec.to_builtins(option), "asks": table.game.asks(asked, option.answer)}
                    for option in asked.options
                ],
            }
            for asked in prompts.values()
        ]

    def _since(self, prompt: str) -> dict[str, Any]:
        if prompt not in self._asked:
            return {"at": 0, "changed": []}  # put before this controller started
        at, then = self._asked[prompt]
        now = self._world()
        return {"at": at, "changed": [words for words in then if then[words] != now[words]]}

    def _world(self) -> dict[str, Any]:
        """What a question may be about, each part by what is said when it is another one."""
        view = self._game()
        return {
            "chips have moved": {area: sorted(tags) for area, tags in self.runtime.table.money.picture().items()},
            "cards have moved": (view.get("cards"), view.get("board")),
            "the wheel has moved": (view.get("turning"), view.get("spin")),
        }

    def _alarms(self) -> list[dict[str, Any]]:
        """Everything somebody must look at; those that suspend the table come first."""
        table = self.runtime.table
        state = table.state
        found: list[dict[str, Any]] = [
            {"code": f.code, "text": f.text, "remedy": f.remedy, "clauses": [], "since": f.since, "rank": f.rank,
             "suspends": True, "count": 1}
            for f in state.faults.values()
        ]  # fmt: skip
        found += [
            {"code": a.code, "text": a.text, "remedy": a.remedy, "clauses": a.clauses, "since": 0,
             "rank": by_hand.rank if (by_hand := table.ends_by_hand(a.code)) else 0, "suspends": False,
             "count": a.count}
            for a in state.desk.alarms.values() if a.code not in state.faults
        ]  # fmt: skip
        return found

    def _devices(self) -> list[dict[str, Any]]:
        known = self.runtime.table.state.devices
        drivers = self.runtime.drivers
        devices = []
        for place in sorted(known.keys() | drivers.keys()):
            driver = drivers.get(place)
            device = msgspec.to_builtins(driver.health()) if driver is not None else {"name": place}
            devices.append({**device, "table": known.get(place, "up")})
        return devices

    def _journal(self) -> dict[str, Any]:
        """Whether the disk keeps up, and the newest head, for whoever writes it down."""
        since, note = self._behind_since, self.runtime.newest_head()
        return {
            "slow": since is not None and self._clock.now() - since >= SLOW_S and not self.runtime.broken,
            "head": note.facts() if note is not None else None,
        }

    def _limits(self) -> dict[str, Any]:
        state = self.runtime.table.state
        return {
            "now": state.limits,
            "coming": state.coming,
            "personal": state.personal,
            "closing": state.closing,
            "sign": state.sign,
            "sign_shown": state.sign_shown,
            "sign_needed": self.runtime.table.sign_needed,
        }

    def _sign(self) -> dict[str, Any]:
        """What players read: the terms, and past outcomes where they know them from such boards."""
        table = self.runtime.table
        past = [line.outcome for line in self.rounds.summaries() if line.outcome and not line.reversed]
        shown = past if games.find(table.game.name).past_on_sign else []
        return {"revision": table.state.sign, "past": shown, **table.sign()}

    def _people(self) -> dict[str, Any]:
        """Who stands where, at which readers a card waits for its PIN, and the key that may still be taken back."""
        standing = {place: person.id for place, person in self.runtime.table.state.people.standing.items()}
        door = self._door
        waiting = {place: door.wants_pin(place) for place in door.door.signs.waiting} if door is not None else {}
        return {
            "standing": standing,
            "waiting": {place: who for place, who in waiting.items() if who},
            "pressed": take_back.shown(self.runtime.table),
        }

    # -- encoded -----------------------------------------------------------------------------------------------

    def wall(self) -> int:
        return self.runtime.clock.wall()

    def body(self, names: Collection[str]) -> bytes:
        """These sections as one JSON object, with the journal position they stand for."""
        inside = b",".join(b'"%b":%b' % (name.encode(), self._bodies[name]) for name in SECTIONS if name in names)
        return b'{"revision":%d,"seq":%d,"now":%d,"set":{%b}}' % (self.revision, self._shown_seq, self.wall(), inside)

    def frame(self, kind: bytes, names: frozenset[str]) -> bytes:
        """The same for the live channel; encoded once for all pages that need it."""
        known = self._frames.get((kind, names))
        if known is None:
            known = self._frames[(kind, names)] = b"event: %b\ndata: %b\n\n" % (kind, self.body(names))
        return known

    def live_frame(self, devices: frozenset[str]) -> bytes:
        inside = b",".join(b'"%b":%b' % (name.encode(), _encode(self.live[name])) for name in sorted(devices))
        return b"event: live\ndata: {%b}\n\n" % inside


def _line(effect: AnyEffect, event: msgspec.Struct, names: Callable[[], dict[str, str]]) -> dict[str, Any] | None:
    """What a person reads of a conclusion, if anything."""
    match effect:
        case Announced(to, code, text, clauses):
            return {"kind": "announced", "to": to, "code": code, "text": text, "clauses": clauses}
        case Asked():
            return {"kind": "asked", "text": effect.text, "clauses": effect.clauses}
        case Ruled():
            why = f" ({effect.reason})" if effect.reason else ""
            said = [_words(effect.subject.partition(":")[0]), _words(effect.answer)]
            text = f"{names().get(effect.by, effect.by)}: {', '.join(dict.fromkeys(filter(None, said)))}{why}"
            return {"kind": "ruled", "text": text, "clauses": effect.clauses}
        case Refused():
            by = f"{names().get(event.by.id, event.by.id)}: " if isinstance(event, Command) else ""
            by = f"{event.order.by} of the floor: " if isinstance(event, FloorOrder) else by
            return {"kind": "refused", "text": f"{by}{effect.text}", "clauses": effect.clauses}
        case Settled():
            return {"kind": "settled", "text": f"Round {effect.round} settled: {effect.outcome}", "clauses": ()}
        case Reversed():
            return {"kind": "reversed", "text": f"Round {effect.round} taken back", "clauses": effect.clauses}
        case Alarmed():
            again = f" ({effect.count} times now)" if effect.count > 1 else ""
            return {"kind": "alarm", "text": f"{effect.text}{again}", "clauses": effect.clauses}
        case _:
            return None


def _words(code: str) -> str:
    return code.replace("_", " ")
