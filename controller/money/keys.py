"""The keys of the float and of wrong payments, at whatever game; where no clause speaks of them, the house's own."""

from __future__ import annotations

from collections.abc import Iterator

from controller.core.desk import Ask
from controller.core.keys import CASH, Keys
from controller.money import bookings, float_tray
from controller.money.amounts import dollars
from controller.money.mispayments import Report
from controller.money.table_money import Money
from controller.people import Person

KEYS: Keys[Money] = Keys(undo="never", about=CASH)
OFFERED = 12
"""Bookings that a page offers to be corrected; an older one is named by its number."""
CENTS = Ask("cents", "money", "Amount", least=None)
SLIP = Ask("slip", "text", "Number of the slip", optional=True)
REASON = Ask("reason", "text", "Reason")
CHIPS = Ask("chips", "slip", "Chips on the slip, dollars and how many: 25:20 5:40", optional=True)
OF_A_CAGE = (CENTS, SLIP, CHIPS)


def _waiting(money: Money) -> Iterator[tuple[str, str]]:
    return ((number, one.words) for number, one in money.state.books.waiting.items())


UNSIGNED = Ask("booking", "choice", "Booking", offered=_waiting, suggested=True)


def _made(money: Money) -> Iterator[tuple[str, str]]:
    """The latest first: a wrong one is mostly noticed at once."""
    return ((number, one.words) for number, one in list(money.state.books.made.items())[: -OFFERED - 1 : -1])


def _open_items(money: Money) -> Iterator[tuple[str, str]]:
    """Wrong payments whose record lacks something, in words."""
    for item, made in money.state.mispayments.items():
        how = "too much" if made.cents > 0 else "too little"
        yield item, f"Round {made.round}, {money.where(made.area)}: {dollars(abs(made.cents))} {how}"


def _staked_areas(money: Money) -> Iterator[tuple[str, str]]:
    return ((str(area), money.where(area).capitalize()) for area in sorted(money.state.patrons))


def _patrons(money: Money) -> Iterator[tuple[str, str]]:
    named = dict.fromkeys(player for players in money.state.patrons.values() for player in players)
    return ((player, player) for player in named)


def _players(money: Money) -> Iterator[tuple[str, str]]:
    return ((player, player) for player in money.layout.players())


BUYER = Ask("player", "player", "Player", offered=_players, suggested=True)
"""Somebody new too: who comes to a table mostly buys chips first."""
MISPAYMENT = (
    Ask(
        "item",
        "choice",
        "Which of the open ones, none if it is another",
        optional=True,
        offered=_open_items,
        suggested=True,
    ),
    Ask("cents", "money", "If it is another: paid too much, with a minus too little", optional=True, least=None),
    Ask("area", "choice", "If it is another: where", optional=True, number=True, offered=_staked_areas, suggested=True),
    Ask("bet", "text", "Bet", optional=True, aside=True),
    Ask("round", "number", "Round, none if the last one", optional=True, aside=True),
    Ask("cause", "text", "Cause", optional=True),
    Ask("remedy", "text", "How it was put right", optional=True),
    Ask("patron", "player", "Player", optional=True, offered=_patrons, suggested=True),
    Ask("intended", "flag", "With intent", optional=True),
)  # fmt: skip


@KEYS.key("fill", "Fill: chips for the float", power="fill", like="resume", asks=OF_A_CAGE, while_suspended=True)
def fill(money: Money, by: Person, *, cents: int, slip: str = "", chips: str | dict[str, int] | None = None) -> None:
    _with_the_cage(money, "fill", cents, by, slip, chips)


@KEYS.key("credit", "Credit: chips from the float", power="credit", like="resume", asks=OF_A_CAGE, while_suspended=True)
def credit(money: Money, by: Person, *, cents: int, slip: str = "", chips: str | dict[str, int] | None = None) -> None:
    _with_the_cage(money, "credit", cents, by, slip, chips)


def _with_the_cage(
    money: Money, kind: str, cents: int, by: Person, slip: str, chips: str | dict[str, int] | None
) -> None:
    bookings.check_amount(money, cents)
    named = float_tray.float_slip(chips)
    if named:
        bookings.check_chips(cents, named)
    bookings.enter(money, kind, cents, by, slip=slip, chips=named)


@KEYS.key(
    "buy_in",
    "A player buys chips",
    power="buy_in",
    like="open_table",
    asks=(BUYER, CENTS, SLIP),
)
def buy_in(money: Money, by: Person, *, player: str, cents: int, slip: str = "") -> None:
    bookings.check_amount(money, cents)
    bookings.check_words(player)
    bookings.enter(money, "buy_in", cents, by, slip=slip, player=player)


@KEYS.key(
    "float_explained",
    "Explain the float",
    power="float_explained",
    like="resume",
    asks=(REASON, SLIP),
    while_suspended=True,
    when=float_tray.may_explain,
)
def float_explained(money: Money, by: Person, *, reason: str, slip: str = "") -> None:
    bookings.check_words(reason)
    float_tray.explained(money, by, reason, slip)


@KEYS.key(
    "sign_booking",
    "Sign a booking",
    power="sign_booking",
    like="open_table",
    asks=(UNSIGNED,),
    while_suspended=True,
    when=lambda money: bool(money.state.books.waiting),
)
def sign_booking(money: Money, by: Person, *, booking: str) -> None:
    bookings.sign(money, booking, by)


@KEYS.key(
    "strike_booking",
    "Withdraw a booking that waits for a signature",
    power="strike_booking",
    like="open_table",
    asks=(UNSIGNED,),
    while_suspended=True,
    when=lambda money: bool(money.state.books.waiting),
)
def strike_booking(money: Money, by: Person, *, booking: str) -> None:
    bookings.strike(money, booking, by)


@KEYS.key(
    "correct_booking",
    "Correct a booking",
    power="correct_booking",
    like="resume",
    asks=(
        Ask("booking", "choice", "Booking that is wrong", offered=_made, suggested=True),
        Ask("cents", "money", "What it should have been, 0 if nothing", least=None),
        REASON,
        SLIP,
    ),
    while_suspended=True,
    when=lambda money: bool(money.state.books.made),
)
def correct_booking(money: Money, by: Person, *, booking: str, cents: int, reason: str, slip: str = "") -> None:
    bookings.check_words(reason)
    bookings.correct(money, booking, cents, reason, slip, by)


@KEYS.key(
    "count_float",
    "Count the float",
    power="count_float",
    like="resume",
    asks=(Ask("float", "slip", "Chips counted, dollars and how many: 5:40 25:20"),),
    while_suspended=True,
    when=lambda money: money.state.watched,
)
def count_float(money: Money, by: Person, *, float: str | dict[str, int]) -> None:
    slip = float_tray.float_slip(float)
    assert slip is not None
    float_tray.counted(money, slip, by)


@KEYS.key(
    "count_box",
    "Drop box counted",
    power="count_box",
    like="resume",
    asks=(Ask("cents", "money", "Cash found in it", least=None), SLIP),
    while_suspended=True,
    when=lambda money: bool(money.state.books.box),
)
def count_box(money: Money, by: Person, *, cents: int, slip: str = "") -> None:
    bookings.check_cash(cents)
    bookings.enter(money, "box", cents, by, slip=slip)


@KEYS.key(
    "mispayment",
    "Record a wrong payment",
    power="mispayment",
    asks=MISPAYMENT,
    while_suspended=True,
    only_where_known=True,
)
def mispayment(
    money: Money, by: Person, *, item: str = "", cents: int | None = None, area: int = 0, bet: str = "",
    round: int | None = None, cause: str = "", remedy: str = "", patron: str = "", intended: bool | None = None,
) -> None:  # fmt: skip
    money.mispayment(item, cents, Report(area, bet, round, cause, remedy, patron, intended), by)
