"""The ledger of colour chips: who was issued which colour at which value, and what the chips are redeemed for.

Rules of Big Wheel 3.1.2(a) to (f). All of it is pure: where a rule is not met, a Refusal is raised and nothing changes.
"""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from controller.core.desk import Refusal
from controller.money.colour_tags import ColourTags


class Holding(msgspec.Struct, frozen=True):
    """One line of the ledger: a player's colour, the value declared at issue, and the marker that shows it."""

    colour: str
    owner: str
    cents: int
    issued: int
    redeemed: int
    marker: int
    at: int
    by: str
    won: int = 0
    lost: int = 0

    @property
    def balance(self) -> int:
        """How many of these chips the player can have."""
        return self.issued + self.won - self.lost - self.redeemed


class ColourLedger(msgspec.Struct):
    """This table's set: lines in force in the order of issue, and the last line of every colour that was given up."""

    holdings: list[Holding] = []
    past: dict[str, Holding] = {}
    tags: ColourTags = msgspec.field(default_factory=ColourTags)

    def of(self, colour: str) -> list[Holding]:
        """The lines of a colour; more than one only where its holders agreed."""
        return [line for line in self.holdings if line.colour == colour]

    def held_by(self, owner: str) -> list[Holding]:
        """The colours a player has."""
        return [line for line in self.holdings if line.owner == owner]

    def worth(self, colour: str) -> tuple[int, str]:
        """A chip's unit value and owner; 0 when the colour is not in the ledger, no owner when it has several."""
        lines = self.of(colour)
        if not lines:
            return 0, ""
        return lines[0].cents, lines[0].owner if len(lines) == 1 else ""


class Issue(msgspec.Struct, frozen=True):
    """What a player asks for and the dealer has seen: value and count, the marker laid, who has agreed."""

    colour: str
    owner: str
    cents: int
    count: int
    at: int
    by: str
    marker: int = 0
    consent: frozenset[str] = frozenset()


def issue(
    ledger: ColourLedger, colours: Collection[str], minimum: int, wanted: Issue, *, below_minimum: bool = False
) -> Holding:
    """Issue colour chips; the line as it then stands."""
    _check(ledger, colours, minimum, wanted, below_minimum)
    others = [line.colour for line in ledger.held_by(wanted.owner) if line.colour != wanted.colour]
    if others:
        raise Refusal(
            "has_a_colour",
            f"{wanted.owner} has {', '.join(others)} already; a further colour needs level 2.",
            ("3.1.2(f)",),
        )
    return _enter(ledger, wanted)


def issue_further(
    ledger: ColourLedger,
    colours: Collection[str],
    minimum: int,
    wanted: Issue,
    wanting: Collection[str],
    *,
    below_minimum: bool = False,
) -> Holding:
    """Issue one more colour to a player who has one, unless a player who wants one would be left without."""
    _check(ledger, colours, minimum, wanted, below_minimum)
    taken = {line.colour for line in ledger.holdings} | {wanted.colour}
    left = [colour for colour in colours if colour not in taken]
    waiting = [player for player in wanting if player != wanted.owner and not ledger.held_by(player)]
    if len(left) < len(waiting):
        raise Refusal(
            "shut_out",
            f"{', '.join(waiting)} would be left without a colour; only {len(left)} would be free.",
            ("3.1.2(f)",),
        )
    return _enter(ledger, wanted)


def _check(ledger: ColourLedger, colours: Collection[str], minimum: int, wanted: Issue, below_minimum: bool) -> None:
    if wanted.colour not in colours:
        known = ", ".join(colours) or "none"
        raise Refusal("no_such_colour", f"This table's set has no {wanted.colour}; it has {known}.", ("3.1.2(a)",))
    if wanted.count < 1:
        raise Refusal("no_chips", "Issue one chip or more.", ("3.1.2(e)",))
    if wanted.cents < 1 or (wanted.cents < minimum and not below_minimum):
        raise Refusal("under_minimum", "A chip's value must not be below the table's minimum.", ("3.1.2(e)",))
    if wanted.marker not in (0, wanted.cents):
        raise Refusal("wrong_marker", "The marker must show the value that was declared.", ("3.1.2(e)",))
    if wanted.cents > minimum and not wanted.marker:
        raise Refusal(
            "marker_needed", "A value above the minimum needs a chip with its numbered marker.", ("3.1.2(e)",)
        )
    lines = ledger.of(wanted.colour)
    missing = [line.owner for line in lines if line.owner != wanted.owner and line.owner not in wanted.consent]
    if missing:
        raise Refusal(
            "colour_taken",
            f"{wanted.colour} is held by {', '.join(missing)}, who must agree first.",
            ("3.1.2(d)",),
        )
    if any(line.cents != wanted.cents for line in lines):
        # Chips of one colour look alike, so they can have one value only; it is fixed at issue (W-A14).
        raise Refusal("value_fixed", f"{wanted.colour} was issued at another value, which stays.", ("3.1.2(e)",))


def _enter(ledger: ColourLedger, wanted: Issue) -> Holding:
    for place, line in enumerate(ledger.holdings):
        if (line.colour, line.owner) == (wanted.colour, wanted.owner):
            more = msgspec.structs.replace(line, issued=line.issued + wanted.count, marker=line.marker or wanted.marker)
            ledger.holdings[place] = more
            return more
    marker = wanted.marker
    line = Holding(wanted.colour, wanted.owner, wanted.cents, wanted.count, 0, marker, wanted.at, wanted.by)
    ledger.holdings.append(line)
    return line


def line_of(ledger: ColourLedger, colour: str, owner: str) -> Holding:
    """What the ledger knows of a player's chips of a colour, in force or given up; refused where it knows none."""
    line = next((line for line in ledger.of(colour) if line.owner == owner), None)
    if line is None:
        line = ledger.past.get(colour)
        if line is None or line.owner != owner:
            raise Refusal(
                "not_in_ledger",
                f"The ledger knows no {colour} of {owner}; find the value at issue, or have the dispute decided.",
                ("3.1.2", "3.1.2(c)(i)"),
            )
    return line


def played(ledger: ColourLedger, colour: str, owner: str, won: int, lost: int) -> None:
    """A round has brought a player so many chips of a colour at most, and cost so many."""
    for place, line in enumerate(ledger.holdings):
        if (line.colour, line.owner) == (colour, owner):
            ledger.holdings[place] = msgspec.structs.replace(line, won=line.won + won, lost=line.lost + lost)


def redeem(ledger: ColourLedger, colour: str, owner: str, count: int, *, keeps: bool = False) -> tuple[Holding, int]:
    """Take this table's chips back at the value declared; the line, and the cents to pay.

    The colour is free for others afterwards, unless the player `keeps` some of it. Winnings are paid in colour too, so
    a player may bring more than was issued.
    """
    if count < 1:
        raise Refusal("no_chips", "Redeem one chip or more.", ("3.1.2(c)(i)",))
    line = line_of(ledger, colour, owner)
    back = msgspec.structs.replace(line, redeemed=line.redeemed + count)
    if line not in ledger.holdings:
        ledger.past[colour] = back
        return back, count * back.cents
    place = ledger.holdings.index(line)
    if keeps:
        ledger.holdings[place] = back
    else:
        del ledger.holdings[place]
        ledger.past[colour] = back
    return back, count * back.cents


class Exchange(msgspec.Struct, frozen=True):
    """What a closed table's chips are worth, and how that was found."""

    set_mark: str
    count: int
    cents: int
    basis: str

    @property
    def pays(self) -> int:
        return self.count * self.cents


def exchange(set_mark: str, own_mark: str, is_open: bool, count: int, at_issue: int, lowest_minimum: int) -> Exchange:
    """Value chips of another table's set: only of a closed one, at issue value, else the game's lowest minimum.

    Surveillance is told and an Area Manager verifies before anything is paid (3.1.2(c)(ii)).
    """
    if set_mark == own_mark:
        raise Refusal("own_set", "These are this table's own chips; redeem them from the ledger.", ("3.1.2(c)(i)",))
    if count < 1:
        raise Refusal("no_chips", "Exchange one chip or more.", ("3.1.2(c)(ii)",))
    if is_open:
        raise Refusal(
            "open_table",
            f"The table of set {set_mark} is open; its chips are used and redeemed there only.",
            ("3.1.2(b)", "3.1.2(c)(i)"),
        )
    if at_issue > 0:
        return Exchange(set_mark, count, at_issue, "value at issue")
    if lowest_minimum > 0:
        return Exchange(set_mark, count, lowest_minimum, "lowest minimum")
    raise Refusal(
        "value_unknown",
        "Neither the value at issue nor the lowest minimum now offered for that game is told.",
        ("3.1.2(c)(ii)",),
    )


def markers_due(ledger: ColourLedger, minimum: int) -> list[Holding]:
    """Lines that need a marker since the minimum has changed, and have none (W-A14)."""
    return [line for line in ledger.holdings if line.cents != minimum and not line.marker]


def marked(ledger: ColourLedger, line: Holding) -> None:
    """The marker of this line lies beside the wheel."""
    ledger.holdings[ledger.holdings.index(line)] = msgspec.structs.replace(line, marker=line.cents)
