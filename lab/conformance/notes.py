"""Steps: the numbered notes of the devices' own pages, tried by hands that move what the device sees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from firmware_specs import link
from firmware_specs.cards import CODE_OF, DECK
from firmware_specs.messages import shuffler
from lab.conformance.commands import ask, status_of
from lab.conformance.kinds import done, hands, only, told
from lab.conformance.probe import Failed, NotTried
from lab.conformance.stimulus import CannotDo
from lab.conformance.suite import Steps, Trial

STEPS = Steps("notes", "the device's own page (tablectl spec page DEVICE)")
step = STEPS.step
SEEN_S = 1.5
"""A pass over all antennas, and the time after which a tag that is not read counts as gone."""
PULL_S = 3.0
AFTER_S = 0.75
"""What is told of a card behind its event, where it is told too much, and the next card in the mouth."""
LOAD_S = 120.0
SPIN_S = 90.0
STILL_MS = 1000
RING, PITCHES = 8320, 52
MOST_DRAWS = 25
"""A memory that so many cards do not fill is filled by a test of its maker's."""
KNOWN = ("2S", "AS", "2H", "AC")
"""The cards whose codes the page spells out."""
ONE, TWO, THREE, FOUR = 0x7E57_0011, 0x7E57_0012, 0x7E57_0013, 0x7E57_0014


def watch(t: Trial, since: int, seconds: float, until: Callable[[], bool] = bool, durable: int | None = None) -> None:
    """Let time pass as a host does that takes every event, until this is so."""
    end, probe = t.clock.now() + seconds, t.probe
    while not until() and t.clock.now() < end:
        seen = max((number for number, _ in probe.events(since)), default=probe.known.next - 1)
        probe.ack(seen, seen if durable is None else durable)
        probe.rest(0.25)


def of(t: Trial, since: int, *names: str) -> list[Any]:
    """The events of these kinds that came."""
    return [event for event in told(t, since) if type(event).__name__ in names]


# --- tags -------------------------------------------------------------------------------------


def _where(t: Trial, since: int) -> dict[int, set[int]]:
    """The areas on which each tag lies by what the mat has told; -1 is a line between areas."""
    lies: dict[int, set[int]] = {}
    for event in told(t, since):
        match type(event).__name__:
            case "TagsChanged":
                for tag, area in zip(event.removed, event.left, strict=True):
                    lies.get(tag, set()).discard(area)
                for tag, area in zip(event.added, event.to, strict=True):
                    lies.setdefault(tag, set()).add(area)
            case "TagOnEdge":
                lies.setdefault(event.tag, set()).add(-1)
            case "EdgeCleared":
                lies.get(event.tag, set()).discard(-1)
        if not getattr(event, "more", False) and (twice := [tag for tag, areas in lies.items() if len(areas) > 1]):
            raise Failed(f"tag {twice[0]:#x} is told in {len(lies[twice[0]])} places at a time")
    return lies


def _lies(t: Trial, since: int, wanted: dict[int, set[int]]) -> None:
    watch(t, since, SEEN_S)
    lies = _where(t, since)
    for tag, areas in wanted.items():
        if lies.get(tag, set()) != areas:
            raise Failed(f"tag {tag:#x} lies on {_named(areas)}, and is told on {_named(lies.get(tag, set()))}")


def _named(areas: set[int]) -> str:
    return " and ".join("a line" if area < 0 else f"area {area}" for area in sorted(areas)) or "no area"


@step("chips N1", "chips N2", "chips N3")
def tells_a_tag_where_it_lies(t: Trial) -> None:
    """A tag in the tray, on an area, moved and on a line is told there, and nowhere else."""
    only(t, "chips")
    edge = t.probe.drain().capabilities & t.spec.capabilities["edge"]
    since = t.probe.mark()
    try:
        hands(t, "place", tags=[ONE], area=0)
        hands(t, "place", tags=[TWO], area=1)
        _lies(t, since, {ONE: {0}, TWO: {1}})
        hands(t, "place", tags=[ONE], area=1)
        _lies(t, since, {ONE: {1}, TWO: {1}})
        if edge:
            hands(t, "put_on_edge", tag=TWO, areas=[1, 2])
            _lies(t, since, {ONE: {1}, TWO: {-1}})
            hands(t, "place", tags=[TWO], area=2)
            _lies(t, since, {ONE: {1}, TWO: {2}})
    finally:
        hands(t, "remove", tags=[ONE, TWO])
    _lies(t, since, {ONE: set(), TWO: set()})


@step("chips N4")
def tells_its_picture_to_who_lost_it(t: Trial) -> None:
    """ReadAll tells what lies there, also to a host that has heard nothing of it."""
    only(t, "chips")
    hands(t, "place", tags=[ONE], area=0)
    hands(t, "place", tags=[TWO], area=1)
    try:
        t.probe.rest(SEEN_S)
        wanted = (t.probe.drain().boot & 0xFFFF) ^ 0x2D2D
        since = t.probe.mark()
        done(t, "ReadAll", snapshot=wanted)
        watch(t, since, 15.0, lambda: any(not part.more for part in of(t, since, "Inventory")))
        pictured = {tag: part.area for part in of(t, since, "Inventory") for tag in part.tags}
        if (pictured.get(ONE), pictured.get(TWO)) != (0, 1):
            raise Failed("tags lie in the tray and on area 1, and the picture that was asked for does not have them so")
    finally:
        hands(t, "remove", tags=[ONE, TWO])
        t.probe.rest(SEEN_S)


@step("cards N1", "cards N2", "cards N3")
def tells_a_card_where_it_lies(t: Trial) -> None:
    """Cards at the muck, a seat, the board and the burn pile are told there by their tags; a move is one event."""
    only(t, "cards")
    t.probe.drain()
    since = t.probe.mark()
    placed = {ONE: 0, TWO: 1, THREE: 13, FOUR: 14}
    try:
        for tag, antenna in placed.items():
            hands(t, "place", tags=[tag], antenna=antenna)
        watch(t, since, SEEN_S)
        seen = {tag: to for event in of(t, since, "CardsMoved") for tag, to in zip(event.added, event.to, strict=True)}
        for tag, antenna in placed.items():
            if seen.get(tag) != antenna:
                raise Failed(f"tag {tag:#x} lies at antenna {antenna}, and is told at {seen.get(tag, 'none')}")
        before = len(of(t, since, "CardsMoved"))
        hands(t, "place", tags=[TWO], antenna=13)
        watch(t, since, SEEN_S)
        moved = of(t, since, "CardsMoved")[before:]
        if [(e.added, e.to, e.removed, e.left) for e in moved] != [((TWO,), (13,), (TWO,), (1,))]:
            raise Failed(f"a card went from seat 1 to the board, and {len(moved)} events do not tell it as one move")
    finally:
        hands(t, "remove", tags=list(placed))
    watch(t, since, SEEN_S)


# --- cards at a mouth -------------------------------------------------------------------------


def _unlock(t: Trial) -> None:
    lamp = max(t.spec.outputs.ENUMS["lamp"])
    t.probe.set(1, t.spec.outputs.build({"locked": False, "lamp": lamp.name.lower()}).encode())
    t.probe.rest(0.1)


def _pull(t: Trial, since: int) -> list[Any]:
    """Have a hand pull a card: the events that this brings."""
    before, out = len(told(t, since)), len(of(t, since, "CardOut"))
    hands(t, "draw")
    watch(t, since, PULL_S, lambda: len(of(t, since, "CardOut")) > out)
    watch(t, since, AFTER_S)
    return told(t, since)[before:]


def _one_event_a_card(pulls: list[list[Any]]) -> None:
    outs = [[event for event in pulled if type(event).__name__ == "CardOut"] for pulled in pulls]
    if [len(out) for out in outs] != [1] * len(pulls):
        raise Failed(f"cards were pulled one by one, and CardOut was told {[len(out) for out in outs]} times")
    draws = [out[0].draw for out in outs]
    if draws != list(range(draws[0], draws[0] + len(draws))):
        raise Failed(f"the draws of cards that followed each other are {draws}")


def _codes_fit(pulls: list[list[Any]]) -> None:
    codes = [event.card for pulled in pulls for event in pulled if type(event).__name__ == "CardOut"]
    if codes != [CODE_OF[card] for card in KNOWN]:
        raise Failed(f"{' '.join(KNOWN)} were pulled, and told as {codes}")


@step("shoe N2", "shoe N3")
def tells_each_card_of_a_shoe_once(t: Trial) -> None:
    """Each card that is pulled is told by one event under the next draw, and by the code of its face."""
    only(t, "shoe")
    hands(t, "clear")
    hands(t, "load", cards=[*KNOWN, "KD"])
    t.probe.rest(0.5)
    t.probe.drain()
    _unlock(t)
    since = t.probe.mark()
    pulls = [_pull(t, since) for _ in KNOWN]
    _one_event_a_card(pulls)
    if any(len(pulled) != 1 for pulled in pulls):
        raise Failed(f"a card brought {max(map(len, pulls))} events; it has one, when it is out")
    _codes_fit(pulls)
    hands(t, "clear")


def _deal(t: Trial) -> None:
    """A deck inside, the dealing mode, the gate open, and the known cards next: the first of them at the mouth."""
    t.probe.drain()
    if not done(t, "Count").inside:
        hands(t, "load", cards=list(DECK))
    done(t, "SetMode", mode="shuffle")
    watch(t, t.probe.mark(), LOAD_S, lambda: bool(hands(t, "mouth")))
    t.probe.drain()
    _unlock(t)


@step("shuffler N3", "shuffler N4")
def tells_each_card_of_a_shuffler_once(t: Trial) -> None:
    """Each card is told by one CardOut when it is taken, with its face; cards that follow it are not announced."""
    only(t, "shuffler")
    _deal(t)
    inside = done(t, "Count").inside
    if inside < len(DECK):
        raise NotTried(f"{inside} cards are inside; a whole deck is needed")
    since = t.probe.mark()
    hands(t, "stack", cards=list(KNOWN))
    watch(t, since, 5.0)
    if of(t, since, "CardOut"):
        raise Failed("a face was told while the card stood in the mouth")
    pulls = [_pull(t, since) for _ in KNOWN]
    _one_event_a_card(pulls)
    names = Counter(type(event).__name__ for pulled in pulls for event in pulled)
    if names["CardPresented"]:
        raise Failed(f"CardPresented was told {names['CardPresented']} times for cards that followed each other")
    _codes_fit(pulls)
    hands(t, "load", cards=list(KNOWN))


@step("shuffler N2")
def presents_by_itself_only_when_it_deals(t: Trial) -> None:
    """In the dealing mode a card stands in the mouth unasked; in another only after Eject."""
    only(t, "shuffler")
    _deal(t)
    since = t.probe.mark()
    if not of_kind(_pull(t, since), "CardOut"):
        raise Failed("no card came out in the dealing mode though none was asked for")
    command = t.spec.command_named("SetMode").build({"mode": "sort"})
    if status_of(ask(t, t.next_id(), command.ID, command.encode())) != link.Status.DONE:
        raise NotTried("this shuffler cannot sort, and has no mode in which it waits to be asked")
    since = t.probe.mark()
    watch(t, since, 20.0)
    if of(t, since, "CardPresented", "TwoPresented"):
        raise Failed("a card was presented while sorting though none was ejected")
    eject = shuffler.Eject()
    t.probe.command(t.next_id(), eject.ID, eject.encode())
    watch(t, since, 5.0, lambda: bool(of(t, since, "CardPresented")))
    if not of(t, since, "CardPresented"):
        raise Failed("Eject was asked for while sorting, and no card was presented")
    done(t, "SetMode", mode="shuffle")


def of_kind(events: list[Any], name: str) -> list[Any]:
    return [event for event in events if type(event).__name__ == name]


@step("shoe N4", "shuffler N5")
def holds_cards_back_before_it_forgets(t: Trial) -> None:
    """While there is no room to remember a card, none comes out though the gate is to be open."""
    only(t, "shoe", "shuffler")
    if not t.stimulus.costs_nothing:
        raise NotTried(f"needs some dozen cards, and {t.stimulus.reason}")
    if t.spec.kind == "shuffler":
        _deal(t)
    else:
        hands(t, "clear")
        hands(t, "load", cards=list(DECK))
        t.probe.rest(0.5)
        t.probe.drain()
    before, first = t.probe.hello(), t.probe.known.next
    since = t.probe.mark()
    t.probe.ack(first - 1, first - 1)
    _unlock(t)
    t.stimulus.events(t.declaration.least_events)
    drawn = 0
    try:
        while drawn < MOST_DRAWS:
            seen = len(told(t, since))
            t.stimulus.hand("draw")
            watch(t, since, PULL_S, lambda seen=seen: len(told(t, since)) > seen, first - 1)  # type: ignore[misc]
            watch(t, since, AFTER_S, durable=first - 1)
            drawn += 1
    except CannotDo as why:
        if not drawn:
            raise NotTried(f"no card can be drawn here: {why}") from why
    else:
        held = t.probe.hello()
        if held.epoch == before.epoch:
            raise NotTried(f"it remembers {held.next - held.oldest} events and takes more; fill it and try its gate")
    if t.probe.hello().epoch != before.epoch:
        raise Failed("it let cards out until it had no room for them, and forgot what it held")
    t.probe.drain()


# --- the wheel --------------------------------------------------------------------------------


@step("wheel N2", "wheel N3", "wheel N4", "wheel N5")
def keeps_a_whole_spin(t: Trial) -> None:
    """A spin is told turn by turn in pitches of the ring, rests after a second, and is held until it is durable."""
    only(t, "wheel")
    first = t.probe.drain().next
    since = t.probe.mark()
    hands(t, "play", forward=130.0)
    watch(t, since, SPIN_S, lambda: bool(of(t, since, "SpinRested")), durable=first - 1)
    if not (rests := of(t, since, "SpinRested")):
        raise Failed(f"a spin was played, and its end was not told within {SPIN_S:g} s")
    rest, turns = rests[-1], of(t, since, "TurnPassed")
    if rest.gap:
        raise NotTried("the sensor was blind for a part of this spin")
    pitches = {len(turn.pitches) for turn in turns}
    if pitches - {PITCHES} or rest.turns != len(turns) or rest.peak // RING != len(turns):
        raise Failed(
            f"{len(turns)} turns were told with {sorted(pitches)} pitches each, and a peak of {rest.peak} counts: "
            f"a turn is {PITCHES} pitches and {RING} counts"
        )
    marks, whole = sum(told.indexes for told in (*turns, rest)), rest.peak // RING
    if not whole <= marks <= whole + 1:
        raise Failed(f"{marks} index marks were told of {rest.peak} counts on the way out; there is one every {RING}")
    if rest.still < STILL_MS:
        raise Failed(f"the wheel was told to rest after {rest.still} ms; it rests after {STILL_MS}")
    spin = dict(t.probe.events(since))
    again = t.probe.mark()
    t.probe.hello()
    t.probe.ack(first - 1, first - 1)
    t.probe.rest(1.0 + t.line_s(sum(map(len, spin.values()))))
    if dict(t.probe.events(again)) != spin:
        raise Failed("a spin that was received but not on disk does not come again as a whole")
    t.probe.drain()
