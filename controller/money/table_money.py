"""The table's money, whatever the game: where chips lie, the float, what settlements ask, and what nobody explains.

It sees every change of chips before the game does. A game says once what its chips are (`join`), tells every settlement
(`owe`), asks before the next round (`may_end`), and says when a round is over or called off. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from controller.core.desk import Clauses, Desk
from controller.core.effects import Refused, WagerResult
from controller.core.events import Chip, ChipsCounted, ChipsMoved
from controller.core.house import House
from controller.money import alarms, bookings, float_tray, payment, twice
from controller.money import float as floats
from controller.money import view as screens
from controller.money.amounts import dollars
from controller.money.bookings import Books, Procedure
from controller.money.float import FLOAT, MONEY, Float, name_beside
from controller.money.mispayments import Report, completed, corrected, recorded
from controller.money.payment import Due, Finding, Mispayment, Spot, Watch
from controller.money.strange import chip_clauses, strange
from controller.money.twice import Twice
from controller.people import Person

HAND_MS = 5_000
"""While nothing is owed, chips lifted from the layout that reach the tray later than this came from a player."""


class Layout(NamedTuple):
    """What a game says of its chips: words for an area, a chip's worth, the kinds that may be staked, its clauses, and
    whose they may be.

    Clauses go by what they are about: collect, pay, foreign, fraud, and a kind of chip that has one of its own.
    """

    name: Callable[[int], str] = name_beside
    worth: Callable[[Chip], int] = lambda chip: chip.cents
    kinds: frozenset[str] = frozenset({"cash", "colour", "token"})
    clauses: Mapping[str, Clauses] = {}
    players: Callable[[], Sequence[str]] = tuple


class MoneyState(msgspec.Struct):
    """What is known of chips and debts between two events."""

    tray: Float = msgspec.field(default_factory=Float)
    laid: dict[int, Spot] = {}
    rack: dict[int, int] = {}
    unread: dict[int, tuple[int, ...]] = {}
    twice: dict[int, Twice] = {}
    cloned: set[int] = set()
    read: bool = False
    opening_due: bool = False
    watched: bool = False
    unseen: bool = False  # it would be, were it not played without the chip mat
    slip: dict[int, int] | None = None
    closed_with: int | None = None
    miscounted: bool = False
    watch: Watch | None = None
    settling: int | None = None
    due: dict[int, Due] = {}
    patrons: dict[int, list[str]] = {}
    called_off: bool = False
    bets_closed_at: int = 0
    mispayments: dict[str, Mispayment] = {}
    let_pass: dict[int, int] = {}  # what somebody with the rank let pass in this round, by area
    books: Books = msgspec.field(default_factory=Books)


class Money:
    """The money of one table; `state` is saved and restored with the table's own."""

    def __init__(
        self, desk: Desk, house: House, state: MoneyState, round_: Callable[[], int], tray: bool, hold: bool
    ) -> None:
        self.desk = desk
        self.house = house
        self.state = state
        self.round = round_
        self.layout = Layout()
        self.has_tray = tray
        self._hold = hold
        self.release = house.power("resume")
        self.procedure = Procedure()

    def join(self, layout: Layout) -> None:
        """A game says what its chips are."""
        self.layout = layout

    # -- where chips lie ---------------------------------------------------------------------------------------

    def picture(self) -> dict[int, list[int]]:
        """Tags by area, tray included; where a chip driver goes on after a restart."""
        areas: dict[int, list[int]] = {}
        for tag, spot in self.state.laid.items():
            areas.setdefault(spot.area, []).append(tag)
        tray = [*self.state.tray.tray, *self.state.rack]
        if tray:
            areas[FLOAT] = tray
        for tag, seen in self.state.twice.items():
            areas.setdefault(seen.second, []).append(tag)
        return areas

    def place_of(self, tag: int) -> int | None:
        """The area a chip lies on, or the float; none where it is not at the table."""
        state = self.state
        spot = state.laid.get(tag)
        if spot is not None:
            return spot.area
        return FLOAT if tag in state.tray.tray or tag in state.rack else None

    def unread(self, area: int) -> tuple[int, ...]:
        """Chips that no antenna reads on this area just now; whether they lie there still is known a moment later."""
        return self.state.unread.get(area, ())

    def handed_out(self, tag: int) -> bool:
        """Whether a chip came from the float and nothing explains it yet."""
        return tag in self.state.tray.out or tag in self.state.tray.passed

    def moved(self, moves: tuple[ChipsMoved, ...]) -> list[ChipsMoved]:
        """Chips came or went, all at one moment; the changes as the game shall see them."""
        known = dict(self.state.twice)
        for move in moves:
            self._step(move.area, move.added, move.removed, move.partial)
            self.state.unread.pop(move.area, None)
            if move.unread:
                self.state.unread[move.area] = move.unread
        self.look()
        return [*twice.arrived(self, known, moves), *(twice.once(self, move) for move in moves)]

    def counted(self, event: ChipsCounted) -> ChipsCounted:
        """Everything was read anew; the event as the game shall see it."""
        now = {area: {chip.tag: chip for chip in chips} for area, chips in event.areas.items()}
        held = {area: set(tags) for area, tags in self.picture().items()}
        for area in sorted(now):
            if gone := held.get(area, set()) - now[area].keys():
                self._step(area, (), tuple(sorted(gone)), False)
        for area in sorted(now):
            fresh = tuple(chip for tag, chip in now[area].items() if tag not in held.get(area, set()))
            if fresh:
                self._step(area, fresh, (), False)
        self.state.read = True
        self.state.unread = {}
        if self.state.opening_due:
            float_tray.opened(self)
        self.look()
        return twice.counted_once(self, event)

    def _step(self, area: int, added: tuple[Chip, ...], removed: tuple[int, ...], partial: bool) -> None:
        once = []
        for chip in added:
            place = self.place_of(chip.tag)
            if place is None or place == area:
                once.append(chip)
            else:
                twice.seen(self, chip, place, area)
            if chip.kind not in self.layout.kinds:
                self._foreign(chip, area)
        self.carry(area, once, [tag for tag in removed if not twice.let_go(self, tag, area)], partial)

    def carry(self, area: int, added: Iterable[Chip], removed: Iterable[int], partial: bool) -> None:
        """Put down where chips lie now, in the tray, in the watch over payments and on the layout."""
        state = self.state
        added, removed = tuple(added), tuple(removed)
        if state.watch is None:
            floats.hands_empty(state.tray, self.desk.at - HAND_MS)
        owed = state.watch is not None
        if state.watch is not None:
            payment.no_longer_lent(state.watch, [tag for tag in state.watch.lent if tag not in state.tray.out])
        floats.moved(state.tray, area, added, removed, self.desk.at, partial, owed)
        valued = []
        for chip in added:
            cents = self.layout.worth(chip) if chip.kind in self.layout.kinds else 0
            valued.append((chip.tag, cents))
            if area == FLOAT:
                state.laid.pop(chip.tag, None)
                if chip.kind not in MONEY or not chip.cents:
                    state.rack[chip.tag] = cents
            else:
                state.rack.pop(chip.tag, None)
                state.laid[chip.tag] = Spot(area, cents)
        if state.watch is not None:
            payment.moved(state.watch, area, valued, removed, partial, state.due)
        for tag in removed:
            if area == FLOAT:
                state.rack.pop(tag, None)
            elif tag in state.laid and state.laid[tag].area == area:
                del state.laid[tag]

    # -- chips that are no wagers ------------------------------------------------------------------------------

    def _foreign(self, chip: Chip, area: int) -> None:
        where = "in the float tray" if area == FLOAT else f"on {self.layout.name(area)}"
        found = strange(chip.kind)
        if found.keep and f"{alarms.Foreign.code}:{chip.tag}" not in self.desk.state.alarms:
            clauses = chip_clauses(self.layout.clauses, chip.kind)
            self.desk.announce("surveillance", chip.kind, f"{found.what} lies {where}.", clauses)
        alarms.Foreign(what=found.what, where=where, then=found.then).holds(self, chip.tag)

    def where(self, area: int) -> str:
        return "outside the table" if area < FLOAT else name_beside(area) if area == FLOAT else self.layout.name(area)

    # -- the float ---------------------------------------------------------------------------------------------

    def open_float(self) -> None:
        """The table opens: the float is what the antennas read in the tray, now or once they have read it."""
        if self.state.read:
            float_tray.opened(self)
        else:
            self.state.opening_due = True

    def close_float(self, slip: dict[int, int] | None = None) -> None:
        """The table closes: the float from opening to closing, for the record."""
        float_tray.closed(self, slip)

    def book(self, kind: str, cents: int, by: Person, player: str = "") -> None:
        """Chips come into the tray or leave it by what a game does; kinds are those of `float.BOOKINGS`."""
        bookings.enter(self, kind, cents, by, player=player)

    def took_cash(self, cents: int) -> None:
        """So much cash went into the drop box for something else than cash chips."""
        self.state.books.box += cents

    def look(self) -> None:
        """After every change: whether something is missing, and whether a wrong payment was put right."""
        float_tray.look(self)
        if "take_and_pay" in self.desk.state.alarms:
            found = self.still_wrong()
            self._tell(found)
            if self.state.called_off and not found:
                self.round_over()

    def timer(self, timer: str) -> None:
        """The time that chips may be under way is over."""
        if timer == float_tray.TIMER:
            float_tray.missing(self)
        elif timer == twice.TIMER:
            twice.prove(self)

    # -- take and pay ------------------------------------------------------------------------------------------

    def owe(
        self,
        results: Iterable[WagerResult],
        area_of: Callable[[WagerResult], int],
        governing: Mapping[int, Spot] | None = None,
    ) -> None:
        """A settlement stands: these chips must be taken and paid.

        `governing` holds the chips as they count (area and cents by tag), where betting closed before they were
        touched. A game that settles in steps calls this once a step; what was taken for an earlier one counts in that.
        """
        state = self.state
        results = tuple(results)
        before, governing = {}, governing or {}
        if state.watch is not None and not state.called_off:
            before = payment.remaining(state.watch, state.due, float_watched=state.watched)
            payment.stays_taken(state.watch, state.due)
            counted = state.watch.collected.keys() - state.watch.slid
            governing = {tag: spot for tag, spot in governing.items() if tag not in counted}
        elif state.called_off:
            self._record(self.findings(), accepted=True)
            state.settling = None
        state.called_off = False
        if state.watch is None:
            floats.hands_empty(state.tray, self.desk.at - HAND_MS, governing)
        self.in_play(governing)
        state.watch = self._watch(governing)
        state.due = payment.dues(results, area_of)
        for area, left in before.items():
            now = state.due.get(area, Due(area, left.bet))
            state.due[area] = msgspec.structs.replace(now, pays=now.pays + left.pays, taken=now.taken + left.taken)
        for result in results:
            who = state.patrons.setdefault(area_of(result), [])
            if result.player and result.player not in who:
                who.append(result.player)
        self.desk.timer_off(float_tray.TIMER)
        float_tray.missing(self)
        self._enough()

    def nothing_decided(
        self, results: Iterable[WagerResult], area_of: Callable[[WagerResult], int], lay: Mapping[int, Spot]
    ) -> None:
        """These wagers have no result: what was taken or paid for them before anything was owed goes back, and the
        next round waits for it."""
        state = self.state
        if not (state.watched and state.watch is None and state.bets_closed_at):
            return
        if any(self.place_of(tag) == FLOAT for tag in lay) or floats.early(state.tray, state.bets_closed_at):
            self.owe(results, area_of, lay)

    def bets_closed(self) -> None:
        """No more bets: what has come from the float until now and is no stake is no payment of it either."""
        self.state.bets_closed_at = self.desk.at

    def staked(self, tags: Iterable[int]) -> None:
        """These chips are a stake from now on, also where they came from the float while something else was owed."""
        tags = tuple(tags)
        if self.state.watch is not None:
            for tag in payment.staked(self.state.watch, tags, self.state.laid):
                floats.staked(self.state.tray, tag, self.desk.at)
            float_tray.look(self)
        self.in_play(tags)

    def in_play(self, tags: Iterable[int]) -> None:
        """Betting is closed on these chips: what nobody bought of them is owed to the float, won or lost."""
        floats.in_play(self.state.tray, tags)

    def expect(self, area: int, cents: int, bet: str, governing: Mapping[int, Spot]) -> None:
        """The house lays this much on an area, or takes it back (below nothing), for another reason than a result."""
        state = self.state
        state.watch = state.watch or self._watch(governing)
        now = state.due.get(area, Due(area, bet))
        state.due[area] = msgspec.structs.replace(now, pays=now.pays + max(cents, 0), taken=now.taken + max(-cents, 0))

    def no_longer(self, area: int, result: WagerResult, governing: Mapping[int, Spot]) -> None:
        """A booked result is taken back, and with it what it asked for; what was done for it goes back."""
        self.state.watch = self.state.watch or self._watch(governing)
        self.state.due[area] = payment.without(self.state.due.get(area, Due(area, result.bet)), result)

    def amend(self, area: int, was: WagerResult, now: WagerResult) -> None:
        """A booked wager is decided otherwise before it is paid or taken."""
        self.state.due[area] = payment.amended(self.state.due[area], was, now)

    def _watch(self, governing: Mapping[int, Spot]) -> Watch:
        state = self.state
        state.settling = self.settled_round()
        return payment.begun(state.tray, state.laid, state.rack, governing, state.bets_closed_at)

    def _enough(self) -> None:
        """Say at once when the float cannot pay what is owed, so that a fill is on its way."""
        if lacks := float_tray.lacks(self):
            alarms.FloatShort(lacks=lacks).holds(self)

    def findings(self) -> tuple[Finding, ...]:
        """What is not as the settlement asks, area by area; without a watched tray only what is sure is told."""
        state = self.state
        if state.watch is None:
            return ()
        found = payment.verify(state.watch, state.due, float_watched=state.watched)
        return found if state.watched else tuple(one for one in found if one.kind in ("underpaid", "not_collected"))

    def still_wrong(self) -> tuple[Finding, ...]:
        """Findings that nobody has let pass; one that was is not asked about again in its round."""
        passed = self.state.let_pass
        return tuple(one for one in self.findings() if passed.get(one.area) != one.cents)

    def owed_back(self) -> frozenset[int]:
        """Chips of the house that lie there for a settlement that was taken back, unless in place of what was taken."""
        state = self.state
        if not state.called_off or state.watch is None:
            return frozenset()
        wrong = {one.area for one in self.findings()}
        came = state.watch.came.items()
        return frozenset(tag for tag, spot in came if tag in state.watch.house and spot.area in wrong)

    def unpaid(self, area: int) -> int:
        """What an area has still to be paid."""
        watch, due = self.state.watch, self.state.due
        left = payment.remaining(watch, due, float_watched=self.state.watched) if watch is not None else {}
        return left[area].pays if area in left else 0

    def uncollected(self) -> list[int]:
        """Areas where chips that have lost still lie."""
        return [finding.area for finding in self.findings() if finding.kind == "not_collected"]

    def uncollected_words(self) -> str:
        """Those areas in words, with the place where their chips lie now when that is another one."""
        watch, words = self.state.watch, []
        for area in self.uncollected() if watch is not None else ():
            assert watch is not None
            chips = [tag for tag, spot in watch.lay.items() if spot.area == area and tag not in watch.collected]
            places = {self.state.laid[tag].area for tag in chips if tag in self.state.laid}
            now = ", ".join(self.where(place) for place in sorted(places - {area}))
            words.append(self.layout.name(area) + (f" (now lying on {now})" if now else ""))
        return ", ".join(words)

    def may_end(self, what: str, by: Person, confirmed: bool = False, reason: str = "") -> bool:
        """Whether everything is taken and paid, so that the next round may come; if not, it has been said why."""
        found, watch = self.still_wrong(), self.state.watch
        if not found or watch is None:
            return True
        clauses = self.layout.clauses.get("pay", ())
        if not self.state.watched:
            if not confirmed:
                text = f"The payment was not seen: {self._words(found)} Pay it, or confirm it."
                self.desk.emit(Refused(what, "not_seen", text, clauses))
                return False
            areas = [self.layout.name(finding.area) for finding in found]
            self.desk.note("payment_confirmed_by_hand", clauses, areas=areas, by=by.id)
            return True
        if not confirmed and payment.under_way(found, watch, self.state.tray, self.state.unread, self.desk.at):
            text = f"Chips are on their way and not read yet: {self._words(found)} Let them lie and press again."
            self.desk.emit(Refused(what, "not_read_yet", text, clauses))
            return False
        self._tell(found)
        self._record(found)
        if self._hold and not (confirmed and by.rank >= self.release.rank):
            who = self.desk.title(self.release.rank)
            text = f"{self._words(found)} Put it right, or have {who} or above confirm it."
            self.desk.emit(Refused(what, "mispaid", text, clauses))
            return False
        if confirmed:
            self.desk.ruled("payment", "accepted", by, clauses, reason)
        self._record(found, accepted=True)
        self.state.let_pass |= {one.area: one.cents for one in found}
        return True

    def _words(self, found: Iterable[Finding]) -> str:
        return " ".join(
            f"{self.layout.name(one.area).capitalize()}: {dollars(one.cents)} {one.kind.replace('_', ' ')}"
            f"{'' if one.sure else ' (read in part only)'}."
            for one in found
        )

    def _tell(self, found: tuple[Finding, ...]) -> None:
        if found:
            steps = " ".join(dict.fromkeys(one.remedy for one in found))
            alarms.TakeAndPay(findings=self._words(found), steps=steps).holds(self)

    def round_over(self) -> None:
        """The round is over: what moved is explained by its settlement, or was recorded as wrong."""
        state = self.state
        corrected(self, self.findings())
        state.watch, state.settling, state.due, state.patrons, state.called_off = None, None, {}, {}, False
        state.let_pass, state.bets_closed_at = {}, 0
        floats.round_over(state.tray)
        float_tray.missing(self)

    def call_off(self) -> None:
        """The settlement is taken back: whatever was moved for it goes back; said until it is done."""
        state = self.state
        if state.watch is None:
            return
        payment.stays_taken(state.watch, state.due)
        state.let_pass = {}
        state.due = {area: Due(area, due.bet) for area, due in state.due.items()}
        found = self.findings()
        if found:
            state.called_off = True
            self._tell(found)
        else:
            self.round_over()

    def reverse(self, results: Iterable[WagerResult], by: Person) -> None:
        """A settled round is invalidated after its chips have moved: what it cost or brought goes back."""
        net = sum(result.pays - result.stake_taken for result in results if not result.withheld)
        if net:
            self.book("taken_back" if net > 0 else "given_back", abs(net), by)

    # -- mispayments -------------------------------------------------------------------------------------------

    @property
    def records_mispayments(self) -> bool:
        """Whether the rulebook asks for a record of wrong payments."""
        return "mispayment" in self.house.rulebook.powers

    def settled_round(self) -> int:
        """The round whose chips are taken and paid; a game may have counted on to the next one meanwhile."""
        return self.round() if self.state.settling is None else self.state.settling

    def _record(self, found: Iterable[Finding], accepted: bool = False) -> None:
        for finding in found:
            recorded(self, finding, accepted)

    def mispayment(self, item: str, cents: int | None, said: Report, by: Person) -> None:
        """A person completes the record of a wrong payment, or enters one."""
        completed(self, item, cents, said, by)

    def view(self) -> dict[str, Any]:
        """What the screens show of the float and of what is still to be taken and paid."""
        return screens.shown(self)
