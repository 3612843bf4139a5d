"""Bookings that people sign: each with a number, its slip, who signed it, and the later one that corrects it.

Chips that come into the tray or leave it by a booking are held against what the antennas saw (`float`). What a house
wants signed by two waits for the second signature and changes nothing until it has come. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import gcd
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from controller.core.desk import Refusal, spoken
from controller.money import alarms
from controller.money import float as floats
from controller.money.amounts import dollars
from controller.people import Person

if TYPE_CHECKING:
    from controller.money.table_money import Money

MOST_CENTS = 1_000_000_000
"""Nobody carries more than ten million dollars to one table; a longer number is a slip of the finger."""
KEPT = 200
"""Bookings that can still be corrected at the table."""
SLIPS_KEPT = 1_000
"""Slip numbers that are known to be used up."""
LONGEST = 200
"""Of a name or a reason, as a page takes them."""
SLIP = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ./_-]{0,31}")
PARTS = re.compile(r"[A-Z]+|[0-9]+")
WORDS = {
    "fill": "Fill",
    "credit": "Credit",
    "buy_in": "Buy-in",
    "redeem": "Colour chips redeemed",
    "bought_back": "Colour chips sold for chips",
    "given_back": "Given back",
    "taken_back": "Taken back",
    "commission": "Commission",
    "explained": "Explained difference",
    "box": "Drop box counted",
    "correction": "Correction",
}
"""What is booked, in words."""


class Procedure(NamedTuple):
    """What the house asks of bookings: which need a slip's number, which a second signature; and its smallest chip."""

    slips: frozenset[str] = frozenset()
    signed_twice: frozenset[str] = frozenset()
    smallest_chip: int = 0


class Booking(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of the books; `now` is what it comes to after corrections."""

    number: int
    kind: str
    cents: int
    at: int
    by: str
    rank: int
    opening: int
    now: int = 0
    slip: str = ""
    player: str = ""
    reason: str = ""
    corrects: int = 0
    second: str = ""
    chips: dict[int, int] = {}
    while_closed: bool = False

    @property
    def words(self) -> str:
        what = f"{WORDS[self.kind]} {self.number}, {dollars(self.cents)}"
        return what + (f", slip {self.slip}" if self.slip else "") + (f", {self.player}" if self.player else "")


class Books(msgspec.Struct):
    """What was booked lately, what waits for a second signature, and the cash that should lie in the drop box."""

    last: int = 0
    openings: int = 0
    made: dict[str, Booking] = {}
    waiting: dict[str, Booking] = {}
    slips: list[str] = []
    box: int = 0
    box_counted: int = 0  # by which booking
    closed_gap: int = 0  # what the float was closed with and nobody has explained since
    corrections: dict[str, int] = {}  # by their number, the booking that each corrects


def enter(
    money: Money, kind: str, cents: int, by: Person, *,
    slip: str = "", player: str = "", reason: str = "", corrects: int = 0, chips: Mapping[int, int] | None = None,
) -> None:  # fmt: skip
    """Somebody books: at once, or once a second person has signed it where the house asks for that."""
    slip, player, reason = slip.strip(), player.strip(), reason.strip()
    _check_slip(money, kind, slip)
    books = money.state.books
    books.last += 1
    made = Booking(
        books.last, kind, cents, money.desk.at, by.id, by.rank, books.openings, cents, slip, player, reason, corrects,
        chips=dict(chips or {}), while_closed=money.state.closed_with is not None,
    )  # fmt: skip
    if slip:
        books.slips = [*books.slips[1 - SLIPS_KEPT :], slip]
    if kind in money.procedure.signed_twice:
        books.waiting[str(made.number)] = made
        money.desk.note("booking_waits", **_facts(made))
        alarms.Unsigned(what=made.words, by=by.id).holds(money, made.number)
    else:
        _take(money, made)


def check_cash(cents: int) -> None:
    """Refuse what is no amount of cash."""
    if not 0 <= cents <= MOST_CENTS:
        text = f"{dollars(cents)} is no amount of cash that a box can hold; check it."
        raise Refusal("bad_amount", text)


def check_amount(money: Money, cents: int) -> None:
    """Refuse what no chips of this table make."""
    if cents <= 0:
        raise Refusal("bad_amount", "An amount above nothing is booked.")
    if cents > MOST_CENTS:
        raise Refusal("bad_amount", f"{dollars(cents)} is more than anybody brings to one table; check the amount.")
    tray = money.state.tray
    strays = (stray.cents for stray in (*tray.gone, *tray.come))
    unit = gcd(money.procedure.smallest_chip, *tray.tray.values(), *strays)
    if unit and cents % unit:
        text = f"No chips of this float make {dollars(cents)}; its amounts are multiples of {dollars(unit)}."
        raise Refusal("bad_amount", text)


def check_words(words: str) -> None:
    """Refuse what is no name and no reason."""
    if len(words) > LONGEST or not words.isprintable():
        raise Refusal("bad_words", f"Names and reasons have up to {LONGEST} letters, on one line.")


def check_chips(cents: int, chips: Mapping[int, int]) -> None:
    """Refuse a slip whose chips do not come to its amount."""
    value = sum(worth * count for worth, count in chips.items())
    if value != cents:
        text = f"The chips on this slip come to {dollars(value)}, and its amount is {dollars(cents)}; count them again."
        raise Refusal("slip_sum", text)


def _check_slip(money: Money, kind: str, slip: str) -> None:
    if not slip and kind in money.procedure.slips:
        raise Refusal("slip_needed", f"{WORDS[kind]}: enter the number of its slip.")
    if slip and not SLIP.fullmatch(slip):
        raise Refusal("bad_slip_number", "A slip's number has up to 32 letters and digits, as printed on the slip.")
    if _as_printed(slip) in map(_as_printed, money.state.books.slips if slip else ()):
        raise Refusal("slip_twice", f"Slip {slip} is booked already; each slip is booked once. Look at its number.")


def _as_printed(slip: str) -> tuple[str, ...]:
    """A slip's number however it is typed: letters and figures in order, without what divides them or leads them."""
    parts = PARTS.findall("".join(slip.split()).upper())
    return tuple(part.lstrip("0") or "0" for part in parts)


# -- the second signature --------------------------------------------------------------------------------------------


def sign(money: Money, number: str, by: Person) -> None:
    """A second person signs: now it is booked."""
    made = _waiting(money, number)
    if made.by == by.id:
        text = f"{by.id} has signed {made.words} already; the second signature is another person's."
        raise Refusal("same_person", text)
    needed = money.release.rank
    if max(made.rank, by.rank) < needed:
        text = (
            f"One of the two signatures must be by {money.desk.title(needed)} or above; "
            f"{made.by} and {by.id} are below."
        )
        raise Refusal("rank_too_low", text)
    if made.kind == "explained" and made.cents != money.state.tray.gap:
        text = f"The float now differs by {dollars(money.state.tray.gap)}; withdraw {made.words} and explain it anew."
        raise Refusal("gap_changed", text)
    if made.corrects and str(made.corrects) not in money.state.books.made:
        raise _out_of_reach(str(made.corrects))
    del money.state.books.waiting[number]
    _take(money, msgspec.structs.replace(made, second=by.id))


def strike(money: Money, number: str, by: Person) -> None:
    """A booking that nobody has signed yet is withdrawn."""
    made = _waiting(money, number)
    if by.id != made.by and by.rank < money.release.rank:
        text = f"{made.by} withdraws {made.words}, or {money.desk.title(money.release.rank)} or above."
        raise Refusal("rank_too_low", text)
    _struck(money, made, by.id)


def unsigned_is_void(money: Money) -> None:
    """The float opens or closes: what nobody has signed by now was not booked."""
    for made in list(money.state.books.waiting.values()):
        _struck(money, made, "table")


def _struck(money: Money, made: Booking, by: str) -> None:
    books = money.state.books
    del books.waiting[str(made.number)]
    books.slips = [slip for slip in books.slips if not made.slip or slip != made.slip]
    money.desk.note("booking_struck", **{**_facts(made), "struck_by": by})


def _waiting(money: Money, number: str) -> Booking:
    made = money.state.books.waiting.get(number)
    if made is None:
        open_ = ", ".join(money.state.books.waiting) or "none"
        raise Refusal("no_such_booking", f"No booking {spoken(number)} waits for a signature; waiting: {open_}.")
    return made


# -- corrections -----------------------------------------------------------------------------------------------------


def correct(money: Money, number: str, cents: int, reason: str, slip: str, by: Person) -> None:
    """A booking was wrong: a second one that names it brings it to this amount; both stay."""
    wrong = _to_correct(money, number)
    if cents == wrong.now:
        raise Refusal("nothing_wrong", f"{wrong.words} comes to {dollars(cents)} already.")
    if cents and wrong.kind == "explained":
        raise Refusal("bad_amount", "An explanation is taken back whole: enter 0, then explain the float anew.")
    if wrong.kind == "box":
        check_cash(cents)
    elif cents:
        check_amount(money, cents)
    if any(one.corrects == wrong.number for one in money.state.books.waiting.values()):
        raise Refusal("waits", f"A correction of {wrong.words} waits for its second signature; sign or withdraw it.")
    enter(
        money, "correction", cents - wrong.now, by,
        slip=slip, player=wrong.player, reason=reason, corrects=wrong.number,
    )  # fmt: skip


def _to_correct(money: Money, number: str) -> Booking:
    books = money.state.books
    if (wrong := books.made.get(number)) is not None:
        return wrong
    if (waiting := books.waiting.get(number)) is not None:
        raise Refusal("waits", f"Nobody has signed {waiting.words} yet; withdraw it and book what is right.")
    if (corrected := books.corrections.get(number)) is not None:
        text = (
            f"Booking {number} corrects booking {corrected}; correct booking {corrected} to what it should have been."
        )
        raise Refusal("a_correction", text)
    raise _out_of_reach(number)


def _out_of_reach(number: str) -> Refusal:
    known = f"the last {KEPT} can be corrected here, older ones in the count room"
    return Refusal("no_such_booking", f"No booking {spoken(number)} is at hand; {known}.")


# -- what a signed booking does --------------------------------------------------------------------------------------


def _take(money: Money, made: Booking) -> None:
    books = money.state.books
    if made.corrects:
        _take_correction(money, made, books.made[str(made.corrects)])
        return
    books.made[str(made.number)] = made
    for old in list(books.made)[:-KEPT]:
        del books.made[old]
    if made.kind == "box":
        _box_counted(money, made)
        return
    if made.kind == "buy_in":
        books.box += made.cents
    _chips(money, made.kind, made.cents, made.chips)
    money.desk.note("booked", **_facts(made), **_while_closed(money, made.kind, made.cents))
    if made.kind == "explained":
        _tell_surveillance(money, made)
    money.look()


def _while_closed(money: Money, kind: str, cents: int) -> dict[str, Any]:
    """What is booked while the table is closed is part of what it opens with; what explains a gap that the float was
    closed with is not, and is told as such."""
    state = money.state
    if state.closed_with is None:
        return {}
    gap, state.books.closed_gap = (state.books.closed_gap, 0) if kind == "explained" else (0, state.books.closed_gap)
    state.closed_with += floats.SIGNS[kind] * cents - gap
    return {"of_closing": gap} if gap else {}


def _take_correction(money: Money, made: Booking, wrong: Booking) -> None:
    """What was booked since the float opened changes what its chips are held against; what was booked before it does
    not, for that float was closed and counted."""
    books = money.state.books
    books.made[str(wrong.number)] = msgspec.structs.replace(wrong, now=wrong.now + made.cents)
    books.corrections[str(made.number)] = wrong.number
    for old in list(books.corrections)[:-KEPT]:
        del books.corrections[old]
    another = wrong.opening != books.openings
    closed_since = money.state.closed_with is not None and not wrong.while_closed
    earlier = another or closed_since
    if wrong.kind == "buy_in" and wrong.number > books.box_counted:
        books.box += made.cents
    if wrong.kind != "box" and not another:
        _chips(money, wrong.kind, made.cents, {}, correction=True)
        if closed_since:
            books.closed_gap -= floats.SIGNS[wrong.kind] * made.cents
        else:
            _while_closed(money, wrong.kind, made.cents)
    money.desk.note("booked", **{**_facts(made), "kind": wrong.kind, "earlier": earlier})
    _tell_surveillance(money, made)
    money.look()


def _tell_surveillance(money: Money, made: Booking) -> None:
    signed = f"{made.by} and {made.second}" if made.second else made.by
    about = f"{made.words}, of booking {made.corrects}" if made.corrects else made.words
    money.desk.announce("surveillance", "booking", f"{about}: {made.reason} ({signed}).")


def _chips(money: Money, kind: str, cents: int, chips: Mapping[int, int], correction: bool = False) -> None:
    """The chips of a booking, seen or still to be seen."""
    tray, watch = money.state.tray, money.state.watch
    strays, tray.booked_at = set(tray.out), money.desk.at
    if not money.state.watched:
        tray.booked[kind] = tray.booked.get(kind, 0) + cents
    elif correction:
        floats.correct(tray, kind, cents)
    elif kind == "explained":
        floats.balanced(tray)
    else:
        floats.book(tray, kind, cents, chips)
    if watch is not None and not tray.out:
        watch.house -= strays  # they are the player's now and cannot pay anybody


def _box_counted(money: Money, made: Booking) -> None:
    """The cash in the drop box against what was sold for cash since it was last counted."""
    books = money.state.books
    should, books.box, books.box_counted = books.box, 0, made.number
    money.desk.note("box_counted", **_facts(made), should=should)
    if off := made.cents - should:
        words = f"{dollars(abs(off))} {'more' if off > 0 else 'less'}"
        alarms.BoxCount(found=dollars(made.cents), off=words, should=dollars(should)).happened(money)


def _facts(made: Booking) -> dict[str, Any]:
    """A booking for the record; what is not known of it is left out."""
    named = {name: word for name in ("slip", "player", "reason", "second") if (word := getattr(made, name))}
    more: dict[str, Any] = {"corrects": made.corrects} if made.corrects else {}
    if made.chips:
        more["chips"] = made.chips
    return {"booking": made.number, "kind": made.kind, "cents": made.cents, "by": made.by, **named, **more}
