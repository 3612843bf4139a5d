"""The card reader's driver: a magnetic stripe drawn through a USB HID reader, told as a pseudonym and nothing more.

The reader sends one report of 337 bytes a swipe: three decode statuses, three lengths, the encode type, then three
tracks of 110 bytes. What stands on the stripe never leaves this module: the card's number becomes a keyed
fingerprint here, so neither log nor journal can hold it.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Callable
from typing import Any

from firmware_specs.clock import Clock, Timer
from firmware_specs.port import Port, PortTrouble

from .events import DeviceDown, DeviceEvent, DeviceHealth, DeviceTrouble, DeviceTroubleOver, DeviceUp, Sink
from .unrest import FLOOD, RESUME_S, Allowance, Unrest

VENDOR, PRODUCT = 0x0801, 0x0002
REPORT = 337
TRACK = 110
KEY_BYTES = 16
# The packets of one report follow each other within milliseconds; a longer gap means the rest will never come.
REPORT_GAP_S = 0.5
REOPEN_S, REOPEN_MOST_S = 0.25, 4.0

SWIPES_BURST, SWIPES_RATE = 60, 1.0
"""Cards that may be drawn at once, and each second from then on; nobody draws more."""

_TRACKS = 3
_HEAD = 7
_HIGHEST_ENCODING = 6
_NUMBER_1 = re.compile(rb"%B ?([0-9]{4,19})\^")
_NUMBER_2 = re.compile(rb";([0-9]{4,37})[=?]")


class CardSwiped(DeviceEvent, frozen=True):
    """A card was read: its keyed pseudonym, and how each track read (good, bad, blank)."""

    card: str
    tracks: tuple[str, str, str]


class CardUnread(DeviceEvent, frozen=True, tag="SwipeUnread"):
    """A card was drawn through and cannot be told: why, and what to do."""

    reason: str
    tracks: tuple[str, str, str]
    remedy: str


class BadReport(Exception):
    """A report that no such reader sends; the text says why and holds nothing of the stripe."""


class Stripe:
    """One decoded report; it never shows what is on it."""

    __slots__ = ("_texts", "states")

    def __init__(self, states: tuple[str, str, str], texts: tuple[bytes, bytes, bytes]) -> None:
        self.states = states
        self._texts = texts

    def __repr__(self) -> str:
        return f"Stripe({', '.join(self.states)})"

    def number(self) -> bytes | None:
        """The card's number; None when no track holds one, or two tracks hold different ones."""
        found = [match[1] for pattern, text in ((_NUMBER_2, self._texts[1]), (_NUMBER_1, self._texts[0]))
                 if (match := pattern.match(text))]  # fmt: skip
        return found[0] if found and len(set(found)) == 1 else None


def parse_report(report: bytes) -> Stripe:
    """Read one report; BadReport when it is none."""
    if len(report) != REPORT:
        raise BadReport(f"{len(report)} bytes, not {REPORT}")
    if report[6] > _HIGHEST_ENCODING:
        raise BadReport(f"encode type {report[6]} does not exist")
    states, texts = [], []
    for track in range(_TRACKS):
        failed, length = report[track] & 1, report[_TRACKS + track]
        if length > TRACK:
            raise BadReport(f"track {track + 1} claims {length} bytes of {TRACK}")
        if failed and length:
            raise BadReport(f"track {track + 1} failed and yet claims {length} bytes")
        start = _HEAD + track * TRACK
        text = report[start : start + length]
        whole = len(text) >= 3 and text[:1] in b"%;+" and text.endswith(b"?") and text.isascii()
        states.append("bad" if failed or (text and not whole) else "good" if text else "blank")
        texts.append(text if whole else b"")
    return Stripe((states[0], states[1], states[2]), (texts[0], texts[1], texts[2]))


def pseudonym(key: bytes, number: bytes | str) -> str:
    """The keyed fingerprint that stands for a card everywhere outside the reader."""
    if len(key) < KEY_BYTES:
        raise ValueError(f"the key for cards needs {KEY_BYTES} bytes or more")
    octets = number.encode("ascii") if isinstance(number, str) else number
    return hmac.new(key, b"card\0" + octets, hashlib.sha256).hexdigest()[:32]


class SwipeReader:
    """The host end of a swipe reader; `key` turns card numbers into pseudonyms.

    Give a USB port whose longest report is `REPORT`.
    """

    def __init__(self, name: str, clock: Clock, port: Port, sink: Sink, *, key: bytes, serial: str = "") -> None:
        if len(key) < KEY_BYTES:
            raise ValueError(f"the key for cards needs {KEY_BYTES} bytes or more")
        self.name = name
        self._clock = clock
        self._port = port
        self._sink = sink
        self._key = key
        self._serial = serial
        self._state = "stopped"
        self._wait = REOPEN_S
        self._part = b""
        self._timers: dict[str, Timer] = {}
        self._told_down = ""
        self._allowance = Allowance(SWIPES_BURST, SWIPES_RATE)
        self._unrest = Unrest(clock)
        self._counters = {"swipes": 0, "unread": 0, "bad_reports": 0, "lost": 0, "held_back": 0}

    # --- as a driver -------------------------------------------------------------------------

    def recall(self, troubles: frozenset[str]) -> None:
        """A reader has no lasting troubles."""

    def start(self) -> None:
        if self._state == "stopped":
            self._state = "closed"
            self._open()

    def stop(self) -> None:
        self._state = "stopped"
        self._part = b""
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()
        self._port.close()

    def desire(self, outputs: dict[str, Any]) -> None:
        """A reader has no outputs."""

    def order(
        self, command_id: int, name: str, args: dict[str, Any], done: Callable[[str, dict[str, Any]], None]
    ) -> None:
        done("refused", {"text": f"a card reader knows no command {name!r}"})

    def health(self) -> DeviceHealth:
        return DeviceHealth(self.name, "swipe", self._port.name, self._state, self._serial, "", dict(self._counters))

    # --- the port ----------------------------------------------------------------------------

    def _open(self) -> None:
        if self._state != "closed":
            return
        try:
            self._port.open(self._came, self._lost)
        except PortTrouble as trouble:
            self._tell_down(trouble)
            self._later("open", self._wait, self._open)
            self._wait = min(2 * self._wait, REOPEN_MOST_S)
            return
        self._state = "up"
        self._unrest.began()
        self._wait = REOPEN_S
        self._told_down = ""
        self._tell(DeviceUp(self.name, "swipe", self._serial, ""))

    def _lost(self, trouble: PortTrouble) -> None:
        if self._state == "stopped":
            return
        self._state = "closed"
        self._unrest.ended()
        self._counters["lost"] += 1
        self._give_up_part()
        self._tell_down(trouble)
        self._later("open", self._unrest.pause(), self._open)

    def _tell_down(self, trouble: PortTrouble) -> None:
        # Trying again every few seconds is told once for each cause.
        if self._told_down != trouble.text:
            self._told_down = trouble.text
            self._tell(DeviceDown(self.name, trouble.text, trouble.remedy))

    def _later(self, what: str, delay: float, action: Callable[[], None]) -> None:
        if what in self._timers:
            self._timers[what].cancel()
        self._timers[what] = self._clock.call_later(delay, action)

    # --- reports -----------------------------------------------------------------------------

    def _came(self, octets: bytes) -> None:
        self._part += octets
        while len(self._part) >= REPORT:
            report, self._part = self._part[:REPORT], self._part[REPORT:]
            self._take(report)
        if self._part:
            self._later("rest", REPORT_GAP_S, self._give_up_part)
        elif "rest" in self._timers:
            self._timers.pop("rest").cancel()

    def _give_up_part(self) -> None:
        """The rest of a report did not come: a reader pulled out in the middle of a swipe tells nothing."""
        if "rest" in self._timers:
            self._timers.pop("rest").cancel()
        if self._part:
            self._part = b""
            self._unread("cut_off", ("blank", "blank", "blank"))

    def _take(self, report: bytes) -> None:
        try:
            stripe = parse_report(report)
        except BadReport:
            self._counters["bad_reports"] += 1
            self._unread("bad_report", ("blank", "blank", "blank"))
            return
        number = stripe.number()
        if number is None:
            self._unread(_why(stripe), stripe.states)
            return
        self._counters["swipes"] += 1
        self._tell_card(CardSwiped(self.name, pseudonym(self._key, number), stripe.states))

    def _unread(self, reason: str, states: tuple[str, str, str]) -> None:
        self._counters["unread"] += 1
        self._tell_card(CardUnread(self.name, reason, states, _REMEDIES[reason]))

    def _tell_card(self, event: DeviceEvent) -> None:
        """A reader that tells more than hands can draw is broken, or none: what is too much is counted and not told."""
        if self._allowance.take(self._clock.now()) and not self._allowance.held_back:
            self._tell(event)
            return
        self._counters["held_back"] += 1
        if not self._allowance.held_back:
            self._allowance.held_back = True
            text = f"The card reader at {self._port.name} tells more cards than anybody draws; they are not taken."
            self._tell(DeviceTrouble(self.name, FLOOD, text, "Unplug it and plug it in again; then have it replaced."))
            self._later(FLOOD, RESUME_S, self._calmed)

    def _calmed(self) -> None:
        if self._allowance.recovered(self._clock.now()):
            self._allowance.held_back = False
            self._tell(DeviceTroubleOver(self.name, FLOOD))
        else:
            self._later(FLOOD, RESUME_S, self._calmed)

    def _tell(self, event: DeviceEvent) -> None:
        self._sink.take(event, None, None)


def _why(stripe: Stripe) -> str:
    if set(stripe.states) == {"blank"}:
        return "blank"
    return "half_read" if "bad" in stripe.states else "no_number"


_REMEDIES = {
    "blank": "Draw the card through again with the stripe towards the reader's head.",
    "half_read": "Draw the card through once more, at an even pace and to the end.",
    "no_number": "This is no card of the house; use a staff or player card.",
    "cut_off": "Check the reader's cable, then draw the card through again.",
    "bad_report": "Check that this is a reader of the right model, in its report mode and not as a keyboard.",
}
