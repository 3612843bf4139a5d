"""Conformance of swipe readers: they speak their maker's protocol, so the suite tries their reports and not our link.

Nothing of a stripe enters the report: cards are compared by fingerprints, and only whether they differ is told.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable

from drivers.ports import open_port
from drivers.ports.usb import UsbPort
from drivers.swipe import REPORT, REPORT_GAP_S, BadReport, Stripe, parse_report, pseudonym
from firmware_specs.clock import DeadlineMissed, Deadlock
from firmware_specs.port import Port, PortTrouble
from lab.conformance.probe import Failed, NotTried
from lab.conformance.stimulus import CannotDo, Control
from lab.conformance.suite import Report, StepResult, Verdict
from lab.sim.loop_clock import LoopClock, SteppedClock

QUIET_S = 2.0
SWIPE_S = 3.0
PERSON_S = 120.0
SECTION = "the reader's report: three statuses, three lengths, the encoding, three tracks of 110 bytes"
BENCH_KEY = b"fingerprints of a bench"
CARDS = ("6011000990139424", "6011000990139432")
"""Numbers for cards that are nobody's."""


class Swiper:
    """Nobody at hand to draw a card through."""

    patience = SWIPE_S

    def swipe(self, which: int) -> None:
        """Draw the first or the second card through."""
        raise NotTried("needs a card to be drawn through, and nobody is at hand; give --control or --ask")

    def half(self) -> None:
        """Draw the first card half through."""
        self.swipe(0)

    def close(self) -> None:
        """Nothing more is wanted."""


class ControlSwiper(Swiper):
    """Cards drawn through by the reader's control socket."""

    def __init__(self, control: Control) -> None:
        self._control = control

    def swipe(self, which: int) -> None:
        self._swipe(which, [])

    def half(self) -> None:
        self._swipe(0, [1, 2])

    def _swipe(self, which: int, bad: list[int]) -> None:
        number = CARDS[which]
        try:
            self._control.hand("swipe", track1=f"%B{number}^HOUSE/CARD^3012101?", track2=f";{number}=3012101?", bad=bad)
        except CannotDo as why:
            raise NotTried(str(why)) from why

    def close(self) -> None:
        self._control.close()


class PersonSwiper(Swiper):
    """A person with two cards."""

    patience = PERSON_S

    def __init__(self, ask: Callable[[str], bool]) -> None:
        self._ask = ask

    def swipe(self, which: int) -> None:
        self._please(f"Draw the {('first', 'second')[which]} of your two cards through the reader, once.")

    def half(self) -> None:
        self._please("Draw the first card half through the reader and pull it back.")

    def _please(self, text: str) -> None:
        if not self._ask(text):
            raise NotTried(f"the engineer passed over this: {text}")


class SwipeTrial:
    """A reader on its port, and what it has sent."""

    def __init__(self, clock: SteppedClock, port: Port, swiper: Swiper) -> None:
        self.clock = clock
        self.port = port
        self.swiper = swiper
        self.came: list[tuple[float, bytes]] = []
        self.lost = ""

    def open(self) -> None:
        self.port.open(self._on_bytes, self._on_lost)

    def _on_bytes(self, octets: bytes) -> None:
        self.came.append((self.clock.now(), octets))

    def _on_lost(self, trouble: PortTrouble) -> None:
        self.lost = trouble.text

    def octets(self) -> bytes:
        return b"".join(piece for _, piece in self.came)

    def reports(self, swipes: list[Callable[[], None]]) -> list[Stripe]:
        """What these swipes made the reader send: one report each, whole and without a gap."""
        self.came.clear()
        for swipe in swipes:
            swipe()
        wanted = REPORT * len(swipes)
        try:
            self.clock.run_until(lambda: len(self.octets()) >= wanted or bool(self.lost), self.swiper.patience)
        except (DeadlineMissed, Deadlock):
            raise Failed(f"{len(self.octets())} bytes came of {len(swipes)} swipes, not {wanted}") from None
        self.clock.run_for(REPORT_GAP_S)
        if self.lost:
            raise Failed(f"the port was lost: {self.lost}")
        octets = self.octets()
        if len(octets) != wanted:
            raise Failed(f"{len(octets)} bytes came of {len(swipes)} swipes, not {wanted}")
        for (before, _), (after, _) in zip(self.came, self.came[1:], strict=False):
            if len(swipes) == 1 and after - before > REPORT_GAP_S:
                raise Failed(f"the report has a gap of {after - before:.2f} s; the table gives it up after that")
        try:
            return [parse_report(octets[start : start + REPORT]) for start in range(0, wanted, REPORT)]
        except BadReport as bad:
            raise Failed(f"a report cannot be read: {bad}") from bad

    def card(self, stripe: Stripe) -> str:
        """A fingerprint of the card, for comparing it with another."""
        number = stripe.number()
        if number is None:
            raise Failed(f"no card number can be read; the tracks are {', '.join(stripe.states)}")
        return pseudonym(BENCH_KEY, number)


def _says_nothing_by_itself(t: SwipeTrial) -> None:
    """Without a card nothing is sent."""
    t.came.clear()
    t.clock.run_for(QUIET_S)
    if t.came:
        raise Failed(f"{len(t.octets())} bytes came though no card was drawn through")


def _sends_one_report_a_swipe(t: SwipeTrial) -> None:
    """A swipe is one report of 337 bytes that holds a card's number."""
    (stripe,) = t.reports([lambda: t.swiper.swipe(0)])
    t.card(stripe)


def _knows_a_card_again(t: SwipeTrial) -> None:
    """The same card reads the same twice."""
    (first,) = t.reports([lambda: t.swiper.swipe(0)])
    (second,) = t.reports([lambda: t.swiper.swipe(0)])
    if t.card(first) != t.card(second):
        raise Failed("the same card was read as two different ones")


def _tells_cards_apart(t: SwipeTrial) -> None:
    """Two cards are two cards, also when one follows the other at once."""
    if t.swiper.patience == PERSON_S:
        (first,) = t.reports([lambda: t.swiper.swipe(0)])
        (second,) = t.reports([lambda: t.swiper.swipe(1)])
    else:
        first, second = t.reports([lambda: t.swiper.swipe(0), lambda: t.swiper.swipe(1)])
    if t.card(first) == t.card(second):
        raise Failed("two different cards were read as one")


def _never_guesses_half_a_card(t: SwipeTrial) -> None:
    """A card drawn half through is told as unread, never as a number."""
    (stripe,) = t.reports([t.swiper.half])
    if stripe.number() is not None:
        raise Failed("a number was read from a card that was drawn half through")
    if "bad" not in stripe.states:
        raise Failed(f"half a card was told with the tracks {', '.join(stripe.states)}; one must be bad")


_FUNCTIONS = (
    _says_nothing_by_itself,
    _sends_one_report_a_swipe,
    _knows_a_card_again,
    _tells_cards_apart,
    _never_guesses_half_a_card,
)


class SwipeStep:
    """One thing to try on a reader."""

    def __init__(self, function: Callable[[SwipeTrial], None]) -> None:
        self.name = f"swipe.{function.__name__.lstrip('_')}"
        self.title = (function.__doc__ or "").rstrip(".")
        self.run = function


def swipe_steps() -> list[SwipeStep]:
    return [SwipeStep(function) for function in _FUNCTIONS]


def conform_swipe(
    trial: SwipeTrial,
    steps: Iterable[SwipeStep] | None = None,
    on_step: Callable[[StepResult], None] | None = None,
) -> Report:
    """Run the reader's suite on an open trial."""
    results: list[StepResult] = []
    trial.open()
    try:
        for one in swipe_steps() if steps is None else steps:
            begun = trial.clock.now()
            verdict: Verdict = "passed"
            text = ""
            try:
                one.run(trial)
            except NotTried as reason:
                verdict, text = "not tried", str(reason)
            except (Failed, PortTrouble, DeadlineMissed, Deadlock) as wrong:
                verdict, text = "failed", str(wrong)
            seconds = round(trial.clock.now() - begun, 3)
            results.append(StepResult(one.name, one.title, SECTION, verdict, text, seconds=seconds))
            if on_step is not None:
                on_step(results[-1])
    finally:
        trial.port.close()
    return Report("swipe", trial.port.name, "", "", f"report of {REPORT} bytes", results)


def conform_reader_on(
    address: str,
    swiper: Swiper,
    steps: Iterable[SwipeStep] | None = None,
    on_step: Callable[[StepResult], None] | None = None,
) -> Report:
    """The reader's suite against whatever is on a port."""
    loop = asyncio.new_event_loop()
    try:
        usb = address.startswith("usb:")
        port = UsbPort(address, loop=loop, read_size=REPORT) if usb else open_port(address, loop)
        return conform_swipe(SwipeTrial(LoopClock(loop), port, swiper), steps, on_step)
    finally:
        swiper.close()
        loop.close()
