"""The keys of the float and of wrong payments, at whatever game; where no clause speaks of them, the house's own."""

from __future__ import annotations

from controller.core.desk import Ask
from controller.core.keys import Keys
from controller.money.mispayments import Report
from controller.money.table_money import Money
from controller.people import Person

KEYS: Keys[Money] = Keys()
CENTS = Ask("cents", "money", "Amount")
MISPAYMENT = (
    Ask(
        "item",
        "text",
        "Which of the open ones, none if it is another",
        optional=True,
        offered=lambda money: ((name, name) for name in money.state.mispayments),
        suggested=True,
    ),
    Ask("cents", "money", "Paid too much, with a minus too little, if it is another", optional=True, least=None),
    Ask("area", "number", "Area of the mat", optional=True, aside=True, least=0),
    Ask("bet", "text", "Bet", optional=True),
    Ask("round", "number", "Round, none if the last one", optional=True),
    Ask("cause", "text", "Cause", optional=True),
    Ask("remedy", "text", "How it was put right", optional=True),
    Ask("patron", "text", "Player", optional=True),
    Ask("intended", "flag", "With intent", optional=True),
)


@KEYS.key("fill", "Fill: chips for the float", power="fill", like="resume", asks=(CENTS,), while_suspended=True)
def fill(money: Money, by: Person, *, cents: int) -> None:
    money.book("fill", cents, by)


@KEYS.key("credit", "Credit: chips from the float", power="credit", like="resume", asks=(CENTS,), while_suspended=True)
def credit(money: Money, by: Person, *, cents: int) -> None:
    money.book("credit", cents, by)


@KEYS.key(
    "buy_in",
    "A player buys chips",
    power="buy_in",
    like="open_table",
    asks=(Ask("player", "player", "Player", suggested=True), CENTS),
)
def buy_in(money: Money, by: Person, *, player: str, cents: int) -> None:
    money.book("buy_in", cents, by, player=player)


@KEYS.key(
    "float_explained",
    "Explain the float",
    power="float_explained",
    like="resume",
    asks=(Ask("reason", "text", "Reason"),),
    while_suspended=True,
    when=lambda money: "float" in money.desk.state.alarms,
)
def float_explained(money: Money, by: Person, *, reason: str) -> None:
    money.explained(by, reason)


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
