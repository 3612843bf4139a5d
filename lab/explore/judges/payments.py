"""Take and pay as it truly went: chips that a hand carried between tray and areas, held against the settlement."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from controller.core.effects import Reversed, Settled
from controller.core.events import ChipsMoved, ChipsSwept, Command, Started
from drivers.events import DeviceDown
from lab.explore.found import Found
from lab.explore.judges import Seen
from lab.explore.steps import Piece

if TYPE_CHECKING:
    from lab.explore.table import ExploredTable

TRAY = 0
CHIPS = "chips"
CLOSING = ("settled", "losers_clear", "paid", "place_bets")
"""Keys by which a dealer says that all is taken and paid."""
BETWEEN = ("over", "idle")
"""Where players lift what is theirs."""
BOOKED = ("buy_in", "fill", "credit", "float_explained", "correct_booking", "strike_booking")
"""Keys that say why chips left the tray."""
WITHOUT_RESULT = "void"
"""How a settlement ends in which nothing is decided; a stake that goes back in another one is decided by it."""
TO_GIVE = ("underpaid", "overcollected")
"""Findings of the table that make its page order chips to an area."""


class Payments:
    """What each area is due since the round was settled, and what has truly come to it and left it for the tray."""

    def __init__(
        self,
        undecided: frozenset[str],
        area_of: Callable[[ExploredTable, str], int],
        besides: Callable[[ExploredTable], Mapping[int, int]] = lambda table: {},
    ) -> None:
        """`undecided` are the states between the close of bets and their settlement.

        `besides` tells what the document has the house lay on an area for another reason than a result.
        """
        self._undecided, self._area_of, self._besides = undecided, area_of, besides
        self._owed: dict[str, tuple[int, int]] = {}
        self._due: Counter[int] = Counter()
        self._won: set[int] = set()
        self._done: Counter[int] = Counter()
        self._away: Counter[int] = Counter()
        self._lent: set[int] = set()
        self._doubted: set[int] = set()
        self._decided: set[int] = set()
        self._mixed: set[int] = set()
        self._aside: dict[int, int] = {}
        self._apart: dict[int, int] = {}
        self._back: Counter[int] = Counter()
        self._begun_early = False
        self._lay: dict[int, int] = {}
        self._net: Counter[int] = Counter()
        self._heard = 0
        self._sure, self._open, self._early = True, False, False

    def look(self, table: ExploredTable, seen: Seen) -> Iterator[Found]:
        if isinstance(seen.row.event, Started | DeviceDown) or table.straddling or CHIPS in table.down:
            self._sure = False
        if isinstance(seen.row.event, Command) and seen.row.event.name in BOOKED and self._lent:
            self._doubted = self._lent | self._doubted  # some of it may be bought by this, and some not
            self._sure = self._sure and not self._open
        if isinstance(seen.row.event, Command) and seen.row.event.args.get("confirmed"):
            self._sure = self._sure and not self._open  # somebody takes it as it is, also where the round closes later
        self._take_moves(table, seen.state)
        for effect in seen.row.effects:
            if isinstance(effect, Settled):
                self._settled(table, effect)
            elif isinstance(effect, Reversed):
                self._sure = False
        if self._open and table.config.chips.float_tray:
            yield from self._looked(table, seen)

    def _take_moves(self, table: ExploredTable, state: str) -> None:
        for area, to, piece in table.carried[self._heard :]:
            cents = 0 if self._goes_back(table, area, to, piece) else piece.cents
            if state in self._undecided and (TRAY in (area, to) or min(area, to) > TRAY):
                self._early = True
            if TRAY not in (area, to) and area >= 0:
                self._away[area] += cents if state not in BETWEEN else 0
                if to >= 0:
                    self._sure = False  # from area to area: whose it is then, chips alone do not say
            self._done[to] += cents if area == TRAY else 0
            self._done[area] -= cents if to == TRAY else 0
            # Taken from where it lay at the settlement, wherever a hand has put it since.
            self._net[self._lay.get(piece.tag, area)] -= cents if to == TRAY else 0
            self._net[to] += cents if area == TRAY else 0
            if min(area, to) > TRAY and piece.tag not in self._lay and self._net[area] != self._due[area]:
                # The house's own, laid on the wrong area and slid on; what was right is a player's by now.
                self._net[area] -= cents
                self._net[to] += cents
        self._heard = len(table.carried)

    def _goes_back(self, table: ExploredTable, area: int, to: int, piece: Piece) -> bool:
        """Whether the house's own chip, laid without a buy-in where nothing was decided, goes back to the tray."""
        tag = piece.tag
        if area == TRAY and to > TRAY and not self._open:
            if table.table.state.life != "closed":  # before the float was opened it was none of it
                self._lent.add(tag)
        elif to == TRAY and tag in self._apart:
            self._lent.discard(tag)
            self._back[self._apart.pop(tag)] += piece.cents
            return True
        elif to == TRAY and tag in self._lent:
            self._lent.discard(tag)
            if self._lay.get(tag, area) in self._decided:
                self._back[area] += piece.cents
                return False
            return self._open and tag not in self._doubted
        return False

    def _settled(self, table: ExploredTable, settled: Settled) -> None:
        results = settled.results
        if not self._open and not any(result.pays or result.stake_taken for result in results):
            return  # a stake that goes back in the middle of a round settles nothing
        if not self._open:
            self._open, self._sure = True, not self._early and CHIPS not in table.down and not table.straddling
            self._owed, self._done, self._away = {}, Counter(), Counter()
            self._sure = self._sure and not self._doubted & self._lent
            self._won, self._decided, self._net, self._back = set(), set(), Counter(), Counter()
            self._lay_beside(table, settled)
            self._begun_early = self._early
            self._lay = {tag: area for area, pieces in table.felt.items() if area > TRAY for tag in pieces}
        elif settled.outcome != WITHOUT_RESULT:
            self._staked_since(table, settled)
        now: dict[str, tuple[int, int]] = {}
        for result in results:
            area = self._area_of(table, result.bet)
            pays = 0 if result.withheld else result.pays
            now[result.wager] = area, now.get(result.wager, (0, 0))[1] + pays - result.stake_taken
            if pays:
                self._won.add(area)
            if settled.outcome != WITHOUT_RESULT:
                self._decided.add(area)
        self._owed |= now  # whatever was settled of these before, a person has settled otherwise
        self._due = Counter()
        for area, net in self._owed.values():
            self._due[area] += net

    def _staked_since(self, table: ExploredTable, settled: Settled) -> None:
        """Chips that were laid since for a stake, and have paid nothing, also where they came from the tray."""
        for area, cents in self._staked(table, settled).items():
            if area in self._decided or area in self._lay.values() or not self._done[area]:
                continue
            if table.worth(area) == cents:
                self._done[area] = self._net[area] = 0
            else:
                self._sure = False  # which of them are the stake, chips alone do not say

    def _staked(self, table: ExploredTable, settled: Settled) -> Counter[int]:
        staked: Counter[int] = Counter()
        for result in settled.results:
            staked[self._area_of(table, result.bet)] += result.stake_taken + result.stake_returned
        return staked

    def _lay_beside(self, table: ExploredTable, settled: Settled) -> None:
        """Whose the house's own chips are that lie beside others: all chips there are the stake, or all but these.

        Where it is neither, such as a stake of which a part is refused, their value does not say.
        """
        staked = self._staked(table, settled)
        self._mixed, self._aside, self._apart = set(), {}, {}
        for area, pieces in table.felt.items():
            lent = self._lent & pieces.keys() if area > TRAY else set()
            beside, worth = table.worth(area) - staked[area], sum(pieces[tag].cents for tag in lent)
            if lent and not beside:
                self._lent -= lent  # they are of the stake, and of what is taken or given back for it
            elif lent and beside == worth and staked[area]:
                self._aside[area] = worth
                self._apart |= dict.fromkeys(lent, area)
            elif lent:
                self._mixed.add(area)

    def _looked(self, table: ExploredTable, seen: Seen) -> Iterator[Found]:
        event = seen.row.event
        if table.table.money.state.watch is None:
            if self._sure and isinstance(event, Command) and event.name in CLOSING and not event.args.get("confirmed"):
                yield from self._closed(table)
            self._open = self._early = False
            self._sure = True
        elif isinstance(event, ChipsMoved | ChipsSwept) and not table.halfway:
            yield from self._compared(table)

    def _all_right(self, table: ExploredTable) -> bool:
        areas = {area for area in self._due.keys() | self._done.keys() if area > TRAY}
        return all(self._right(table, area) for area in areas)

    def _right(self, table: ExploredTable, area: int) -> bool:
        """Whether so much has moved as was due, the house's own chips that went back for no stake not counted."""
        done, back = self._done[area], self._back[area]
        if area in self._aside and self._due[area] < 0:  # of what is taken, one chip is worth another
            return self._due[area] in (done, done - back + self._aside[area])
        if area in self._aside:  # what lay there before is no payment
            return self._due[area] == done
        cleared = back if area in self._mixed and not table.lying(area) else 0
        return self._due[area] in (done, done + cleared)

    def _sure_of(self, table: ExploredTable, area: int) -> bool:
        """Whether it can be told whose chips went; where the house's lay beside others, if none or all of them did."""
        return area not in self._mixed or not self._back[area] or not table.lying(area)

    def _as_due(self, table: ExploredTable, area: int) -> bool:
        """Whether so much has moved; of the house's chips that lay beside a stake, what did not go back lies there."""
        least = self._done[area]
        if area in self._aside and self._due[area] >= 0:
            return self._due[area] == least
        if area in self._aside:
            left = least - self._back[area] - (self._due[area] - self._aside[area])
            return 0 <= left <= min(self._aside[area], table.worth(area))
        return least <= self._due[area] <= least + (self._back[area] if area in self._mixed else 0)

    def _closed(self, table: ExploredTable) -> Iterator[Found]:
        sure = {area: due for area, due in self._due.items() if not self._away[area]}
        wrong = {area: (self._done[area], due) for area, due in sure.items() if not self._as_due(table, area)}
        if wrong:
            yield Found("closed as paid and is not", f"area: moved, due: {wrong}")

    def _compared(self, table: ExploredTable) -> Iterator[Found]:
        found = table.table.money.findings()
        right = self._sure and not +self._away and self._all_right(table)
        for one in found:
            if right and one.sure and one.area in self._due and self._sure_of(table, one.area):
                yield Found(f"a right payment is called {one.kind.replace('_', ' ')}", f"area {one.area}: {one.cents}")
            taken_or_won = one.area in self._won or min(self._done[one.area], self._net[one.area]) < 0
            besides = one.cents <= self._besides(table).get(one.area, 0)
            known = not self._begun_early  # what was taken before anything was decided goes back as well
            if one.kind in TO_GIVE and known and not taken_or_won and not besides and self._due[one.area] >= 0:
                yield Found("the page orders a payment where nothing was won", f"area {one.area}: {one.cents}")
