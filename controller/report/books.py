"""The money of a gaming day as a count room reads it: the float line by line, drop, win, cash, what was put right."""

from __future__ import annotations

from typing import Any

import msgspec

from controller.money.float import SIGNS

LINES = {
    "fill": "fills",
    "credit": "credits",
    "buy_in": "chips sold for cash",
    "bought_back": "colour chips sold for chips",
    "redeem": "colour chips redeemed",
    "taken_back": "taken back of settled rounds",
    "given_back": "given back of settled rounds",
    "commission": "commission that joined the float",
    "explained": "differences explained",
}
"""What is booked, as a line of the float's column."""


class Booked(msgspec.Struct, frozen=True, omit_defaults=True):
    """One booking; `earlier` is a correction of what was booked before this float: no chips move for it now."""

    at: int
    booking: int
    kind: str
    cents: int
    by: str = ""
    second: str = ""
    slip: str = ""
    player: str = ""
    reason: str = ""
    corrects: int = 0
    earlier: bool = False


class Box(msgspec.Struct, frozen=True, omit_defaults=True):
    """The drop box counted, and what should have been in it; a count that was corrected has a second line."""

    at: int
    cents: int
    should: int
    by: str = ""
    second: str = ""
    slip: str = ""


class Cash(msgspec.Struct, frozen=True):
    """Cash of a player for chips."""

    at: int
    player: str
    cents: int


class CashLine(msgspec.Struct):
    """A player's cash of the day, in how many transactions, and the largest of them."""

    player: str
    cents: int = 0
    times: int = 0
    largest: int = 0
    first: int = 0
    last: int = 0


class Books(msgspec.Struct):
    """A day's money in cents; chips by value, none where no tray is watched."""

    opening: dict[int, int] | None = None
    opening_at: int = 0
    closing: dict[int, int] | None = None
    closing_at: int = 0
    stays_open: bool = False
    booked: list[Booked] = []
    outside: list[int] = []  # places in `booked` of what was booked before the day's opening
    between: list[int] = []  # and of what was booked since its last closing
    boxes: list[Box] = []
    cash: list[Cash] = []
    colour_cash: int = 0
    while_closed: int = 0
    unexplained: int = 0
    open_before: int = 0  # what was too much, or with a minus missing, when the day of an open table began
    open_after: int = 0  # and when it ended
    hands: int = 0
    rake: int = 0
    fees: int = 0
    side_wagers: int = 0
    brought: int = 0  # chips with which players sat down, or which they bought at a game among them
    carried_off: int = 0

    def gross(self, kind: str) -> int:
        """What was booked as this kind, before corrections."""
        return sum(line.cents for line in self._of_the_float() if line.kind == kind and not line.corrects)

    def corrected(self, kind: str) -> int:
        """By how much that was corrected."""
        return sum(line.cents for line in self._of_the_float() if line.kind == kind and line.corrects)

    def _of_the_float(self) -> list[Booked]:
        """What was booked between the day's opening and its closing; the rest is in the one or in the next one."""
        left_out = {*self.outside, *self.between}
        return [line for place, line in enumerate(self.booked) if place not in left_out]

    def net(self, kind: str) -> int:
        return self.gross(kind) + self.corrected(kind)

    @property
    def drop(self) -> int:
        """Cash for chips and for colour chips."""
        return self.net("buy_in") + self.colour_cash

    @property
    def left_open(self) -> int:
        """What the float gained, or with a minus lost, that nobody has explained."""
        return self.unexplained + self.open_after - self.open_before

    @property
    def taken_of_the_game(self) -> int:
        """What the house has of a game among players."""
        return self.rake + self.fees + self.side_wagers

    @property
    def commission(self) -> int:
        """What was taken of a game among players, beside its side wagers."""
        return self.rake + self.fees

    @property
    def dropped(self) -> int:
        """Of that, what went into a chip box: at a stand-alone table it joins the float."""
        return self.commission - self.net("commission")

    @property
    def counted_box(self) -> int | None:
        """What was found in the box, where it was counted."""
        return sum(box.cents for box in self.boxes) if self.boxes else None

    @property
    def box_difference(self) -> int:
        """What was found in the box beyond the cash that was booked; below nothing, what was missing."""
        return sum(box.cents - box.should for box in self.boxes)

    @property
    def win(self) -> int | None:
        """Closing less opening less fills, and credits and drop; where no tray is watched, there is none to tell."""
        if self.opening is None or self.closing is None:
            return None
        return value(self.closing) - value(self.opening) - self.net("fill") + self.net("credit") + self.drop

    def column(self) -> list[tuple[str, int]]:
        """The float from opening to closing; the lines between them add up to what lies between."""
        if self.opening is None or self.closing is None:
            return []
        lines = [(words, SIGNS[kind] * self.gross(kind)) for kind, words in LINES.items()]
        lines += [
            ("bookings corrected", sum(SIGNS[kind] * self.corrected(kind) for kind in LINES)),
            ("changed while the table was closed", self.while_closed),
            ("never explained", self.unexplained),
            ("unexplained when the day began", -self.open_before),
            ("unexplained when the day ended", self.open_after),
        ]
        moved = [(words, cents) for words, cents in lines if cents]
        opening, closing = value(self.opening), value(self.closing)
        play = closing - opening - sum(cents for _, cents in moved)
        return [("opening float", opening), *moved, ("won in chips at play", play), ("closing float", closing)]

    def cash_by_player(self) -> list[CashLine]:
        """Cash of each player over the day, the most first."""
        lines: dict[str, CashLine] = {}
        for one in self.cash:
            line = lines.setdefault(one.player, CashLine(one.player, first=one.at))
            line.cents += one.cents
            line.times += one.cents > 0
            line.largest = max(line.largest, one.cents)
            line.last = one.at
        return sorted(lines.values(), key=lambda line: (-line.cents, line.player))

    # -- from the journal ------------------------------------------------------------------------------------------

    def take_booking(self, at: int, facts: dict[str, Any], closed: bool = False) -> None:
        """A note of a booking, perhaps while the table was closed; those of earlier programs have no number."""
        known = {name: facts[name] for name in Booked.__struct_fields__ if name in facts}
        line = msgspec.convert({"booking": 0, **known, "at": at}, Booked)
        if line.kind == "box":
            self.boxes.append(Box(at, line.cents, 0, line.by, line.second, line.slip))
        if line.kind not in SIGNS:
            return
        of_today = not line.corrects or any(one.booking == line.corrects for one in self.booked)
        self.booked.append(line)
        if closed and not line.earlier and not facts.get("of_closing"):
            self.between.append(len(self.booked) - 1)
        # What was not explained when a float was closed is explained by this.
        self.unexplained -= SIGNS[line.kind] * line.cents if line.earlier else facts.get("of_closing", 0)
        if line.kind == "buy_in" and of_today:
            self.cash.append(Cash(at, line.player, line.cents))

    def take_box(self, at: int, facts: dict[str, Any]) -> None:
        known = {name: facts[name] for name in Box.__struct_fields__ if name in facts}
        self.boxes.append(msgspec.convert({**known, "at": at}, Box))

    def take_colour_cash(self, at: int, player: str, cents: int) -> None:
        self.colour_cash += cents
        self.cash.append(Cash(at, player, cents))

    def opened(self, at: int, facts: dict[str, Any]) -> None:
        """The table opened; what lay there is the day's opening, or is held against the closing before it."""
        if self.opening is None:
            self.opening, self.opening_at = chips_of(facts), at
            self.outside += self.between
        else:
            self.while_closed += facts.get("since_closing") or 0
        self.closing, self.between = None, []

    def closed(self, at: int, facts: dict[str, Any]) -> None:
        self.closing, self.closing_at = chips_of(facts), at
        self.unexplained += facts.get("gap", 0)


def chips_of(facts: dict[str, Any]) -> dict[int, int]:
    """Chips by value, as a note keeps them."""
    return {int(worth): count for worth, count in facts.get("chips", {}).items()}


def value(chips: dict[int, int]) -> int:
    return sum(worth * count for worth, count in chips.items())
