"""Rounds of two games at a table that is somewhere else: hands at its devices, fingers on its screens."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeVar

from controller.pi.setup.questions import example_of
from controller.pi.setup.toml import written
from tests.whole.pi.bench import Hand, Paired

T = TypeVar("T")
PATIENCE_S = 900.0
"""An emulated machine is slow, and slower while others work on this one."""
LOOK_EVERY_S = 0.5
STAKE, FLOAT = 0x1000, range(0x1001, 0x1040)
A, BOX_1 = 1, 1
"""The area of a wager: the first symbol of the wheel, the first box of a war."""
PUSH = 1.4
SHOE = ["2S"] + ["KS", "9H"] + [f"{rank}{suit}" for suit in "CDHS" for rank in "23456789TJQKA"] * 6
AREA_MANAGER = {"id": "S3", "name": "Casey", "rank": "AM", "pin": "8085"}
"""Deals too, and may cut for players who are not there."""


class Game(NamedTuple):
    """A table that can be set up: its devices (kind, serial number, options), and what its file of answers says."""

    devices: tuple[tuple[str, str, tuple[str, ...]], ...]
    own: dict[str, Any]


GAMES: Mapping[str, Game] = {
    "wheel": Game(
        (("wheel", "WS-9", ("--speed", "2")), ("chips", "CM-9", ())),
        {"wheel": {"option": 1, "layout": "B", "ring": example_of("wheel")["wheel"]["ring"]}},
    ),
    "war": Game(
        (("shoe", "SO-9", ()), ("chips", "CM-9", ("--areas", "40"))),
        {"war": {"decks": 6, "source": "shoe", "places": 7}, "seats": {"count": 7}},
    ),
}


def answers(game: str, port: int) -> str:
    """What `tablectl setup --answers` is given; the list of chips lies beside it."""
    return written(
        {
            "table": {
                "name": f"Image {game}",
                "game": game,
                "rulebook": f"melbourne-{game}",
                "web": f"127.0.0.1:{port}",
            },
            "limits": {"min": 5, "max": 500, "unit": 5, "smallest_chip": 5 if game == "wheel" else 2.5},
            **GAMES[game].own,
            "chips": {"lists": ["chips.csv"]},
            "walk": {"felt": "no"},
            "screens": {"pair": ["dealer", "sign"]},
            "staff": [AREA_MANAGER],
        }
    )


def chips() -> str:
    rows = "".join(f"{tag:x},cash,5\n" for tag in (STAKE, *FLOAT))
    return f"tag,kind,value\n{rows}"


def until(what: str, look: Callable[[], T | None]) -> T:
    """What is looked for, once it is there."""
    end, tick = time.monotonic() + PATIENCE_S, threading.Event()
    while (found := look()) is None:
        if time.monotonic() > end:
            raise TimeoutError(f"{what} did not come about within {PATIENCE_S:.0f} s")
        tick.wait(LOOK_EVERY_S)
    return found


def due(game: str, outcome: str) -> dict[str, object]:
    """What that one wager must have come to: a king beats a nine, and the first symbol pays even money."""
    if game == "war" or outcome == "A":
        return {"result": "win", "pays": 500, "stake_taken": 0, "stake_returned": 500}
    return {"result": "lose", "pays": 0, "stake_taken": 500, "stake_returned": 0}


class AtTable:
    """Whoever stands at the table: a dealer's finger on the screens, hands at chips, cards and wheel."""

    def __init__(self, dealer: Paired, sign: Paired, hands: Mapping[str, Hand]) -> None:
        self._dealer, self._sign, self._hands = dealer, sign, hands

    def shown(self) -> Any:
        return self._dealer.state()["set"]

    @property
    def state(self) -> str:
        return str(self.shown()["game"]["state"])

    def open(self) -> None:
        """From a table that was just set up to one that takes bets."""
        self._hands["CM-9"]("clear")
        self._hands["CM-9"]("place", tags=list(FLOAT), area=0)
        self._dealer.sign_in(AREA_MANAGER["id"], AREA_MANAGER["pin"])
        until("a table without alarms", lambda: self._quiet() or None)
        self._dealer.press("open")

        def opened() -> bool | None:
            self._sign.post("sign-shown", revision=self._sign.state()["set"]["sign"]["revision"])
            return self.shown()["life"]["life"] == "open" or None

        until("an open table", opened)

    def _quiet(self) -> bool:
        return self.shown()["alarms"] == []

    def again(self) -> None:
        """The machine started anew: somebody signs in, and the devices are there."""
        self._dealer.sign_in(AREA_MANAGER["id"], AREA_MANAGER["pin"])
        until("a table without alarms", lambda: self._quiet() or None)

    def begin(self, game: str) -> str:
        """A round up to its middle; the state that the table is in then."""
        return self._begin_wheel() if game == "wheel" else self._begin_war()

    def finish(self, game: str) -> None:
        """The same round to its end, wherever it stands."""
        step = self._step_wheel if game == "wheel" else self._step_war

        def over() -> bool | None:
            shown = self.shown()
            if shown["life"]["round"] == 2 or shown["game"]["state"] == "over":
                return True
            step(shown["game"])
            return None

        until("the end of the round", over)

    # The wheel: one wager on a symbol, and one push.

    def _begin_wheel(self) -> str:
        self._dealer.press("place_bets")
        self._hands["CM-9"]("place", tags=[STAKE], area=A)
        until("the wager", lambda: self.shown()["game"]["wagers"] or None)
        self._dealer.press("assign", area=A, player="P1", tags=[STAKE])
        self._hands["WS-9"]("push", speed=PUSH)
        until("the spin", lambda: self.state == "spin_open" or None)
        self._dealer.press("no_more_bets")
        return self.state

    def _step_wheel(self, game: Any) -> None:
        mat = self._hands["CM-9"]
        match game["state"]:
            case "result":
                self._dealer.press("acknowledge")
            case "collect":
                mat("place", tags=[STAKE], area=0)
            case "pay" if game["areas"]["A"] == 500:
                mat("place", tags=[FLOAT[0]], area=A)
            case "pay" if game["areas"]["A"] == 1000:
                self._dealer.press("paid")

    # War: one wager, a king against a nine.

    def _begin_war(self) -> str:
        self._hands["SO-9"]("take_out")
        self._dealer.press("check_cards", how="by hand")
        self._hands["SO-9"]("load", cards=SHOE)
        self._dealer.press("shuffled")
        asked = until("the question for a cut", lambda: next(iter(self._asked("cut")), None))
        self._dealer.press("answer", prompt=asked["prompt"], answer="cut")
        until("betting", lambda: self._drawn_until("betting"))
        self._hands["CM-9"]("place", tags=[STAKE], area=BOX_1)
        until("the wager", lambda: self.shown()["game"]["stakes"] or None)
        self._dealer.press("no_more_bets")
        return until("the first card", lambda: self._drawn_until("dealing"))

    def _asked(self, subject: str) -> list[Any]:
        return [prompt for prompt in self.shown()["prompts"] if prompt["subject"] == subject]

    def _drawn_until(self, state: str) -> str | None:
        """That state, once the table is in it; until then another card."""
        if self.state == state:
            return state
        self._draw()
        return None

    def _draw(self) -> None:
        """Pull a card where the gate lets one out."""
        with contextlib.suppress(AssertionError):  # the gate is locked until the table lets the next one out
            self._hands["SO-9"]("draw")

    def _step_war(self, game: Any) -> None:
        match game["state"]:
            case "dealing":
                self._draw()
            case "interim":
                self._hands["CM-9"]("place", tags=[FLOAT[0]], area=BOX_1)
                with contextlib.suppress(AssertionError):  # refused as underpaid until the mat has told of the chip
                    self._dealer.press("settled")
