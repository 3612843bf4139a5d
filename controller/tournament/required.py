"""What terms must state, each with the clause that asks for it (n.4.1 to n.4.8)."""

from __future__ import annotations

from typing import Any, NamedTuple

from controller.tournament.book import Book
from controller.tournament.shorthand import at_length


class Finding(NamedTuple):
    """One thing that terms lack or may not say: where, what, the clauses it rests on, and what to do."""

    about: str
    text: str
    clauses: tuple[str, ...] = ()
    remedy: str = ""
    reading: str = ""

    def said(self) -> str:
        rests = ", ".join((*self.clauses, *((self.reading,) if self.reading else ())))
        said = f"{self.about}: {self.text}" + (f" ({rests})" if rests else "")
        return f"{said}; {self.remedy}" if self.remedy else said


class Required(NamedTuple):
    """A term that must be stated: where, by which clause of the chapter, what, and what stands in for it meanwhile."""

    path: str
    clause: str
    what: str
    instead: Any


_MONEY = {"entry_fee": 0, "buy_in": 0, "rebuy": 0, "add_on": 0}
REQUIRED = (
    Required("tournament.id", "2.1", "the event's name in records", "?"),
    Required("tournament.terms", "2.1", "reference, version and digest of the filed terms",
             {"reference": "?", "version": 1, "digest": "?"}),
    Required("tournament.starts", "4.1(a)(i)", "date and time", "2000-01-01T00:00:00+00:00"),
    Required("tournament.money", "4.1(a)(ii)", 'each amount in dollars, or "none"', _MONEY),
    *(Required(f"tournament.money.{name}", "4.1(a)(ii)", f"{name} in dollars, or \"none\"", 0) for name in _MONEY),
    Required("tournament.entrants", "4.1(a)(iii)", "least and most entrants", [2, 2]),
    Required("tournament.place", "4.1(a)(iv)", "the place", "?"),
    Required("tournament.entry", "4.2(c)", "the method of entry", "?"),
    Required("tournament.withdraw", "4.2(d)", "until when one may withdraw",
             {"free_until": "draw"}),
    Required("tournament.approved", "2.1", "who approves the terms", {"by": "?"}),
    Required("bank", "4.3(b)", "the starting bank",
             {"units": 1, "chips": {"kind": "tournament"}, "disposition": "handed_in"}),
    Required("bank.units", "4.3(b)", "the starting bank in units", 1),
    Required("bank.chips", "4.4(a)", "which chips are used", {"kind": "tournament"}),
    Required("bank.disposition", "4.3(c)", "what becomes of the chips", "handed_in"),
    Required("wagers", "4.4(b)", "the minimum or compulsory wager", {}),
    Required("sessions", "4.3(a)(i)", "number and length of the sessions", []),
    Required("sessions.*.name", "4.3(a)(i)", "the session's name", "?"),
    Required("sessions.*.tables", "4.3(a)(ii)", "the tables of the session", []),
    Required("sessions.*.bank", "4.3(b)", "whether the bank is fresh or carried", "fresh"),
    Required("sessions.*.through", "4.3(a)(iii)", "who goes on", {"winner": True}),
    Required("again", "4.3(a)(iv)", "ways back in, or \"none\"", {"buy_back": "none", "repechage": "none"}),
    Required("again.buy_back", "4.3(a)(iv)", "buy-back, or \"none\"", "none"),
    Required("again.repechage", "4.3(a)(v)", "a repechage rule, \"director\" or \"none\"", "none"),
    Required("result", "4.6(a)", "how the winner is found",
             {"eliminated": "none", "ties": "director", "prizes": {"pool": 0, "split": [100]}}),
    Required("result.eliminated", "4.5(a)", "who is eliminated, and when", "none"),
    Required("result.ties", "4.6(a)", "how equal banks are told apart", "director"),
    Required("result.prizes", "4.7(a)", "the prize pool", {"pool": 0, "split": [100]}),
    Required("result.prizes.pool", "4.7(a)", "the prize pool, or what it is made of", 0),
    Required("result.prizes.split", "4.7(b)", "how the pool is split", [100]),
    Required("conduct", "4.8(a)(i)", "penalties and consequences", {}),
    Required("conduct.penalties", "4.8(a)(i)", "which penalties there are", []),
    Required("conduct.penalised_for", "4.8(a)(i)", "what is penalised", []),
    Required("conduct.disqualified_for", "4.8(a)(ii)", "what disqualifies", []),
    Required("conduct.substitute", "4.8(a)(iii)", "whether and how a substitute may come in play", {"in_play": "none"}),
    Required("conduct.refund", "4.8(a)(iv)", "when fees are refunded", "none"),
    Required("conduct.late", "4.8(b)(i)", "what late arrival costs", "nothing"),
    Required("conduct.absent", "4.8(b)(ii)", "what absence costs", "nothing"),
    Required("conduct.phone", "4.8(b)(iii)", "what using a telephone costs", "nothing"),
    Required("conduct.disqualified_chips", "4.8(b)(v)", "what becomes of a disqualified player's chips", "out_of_play"),
    Required("conduct.retired", "4.8(b)(vi)", "what retirement entails", "placed"),
)  # fmt: skip
"""A table comes before what stands in it, so that a table that is missing is told once."""


def gaps_of(stated: dict[str, Any], book: Book) -> tuple[list[Finding], dict[str, Any]]:
    """Every required term that is not stated, and the terms with something in its stead, so that the rest is read."""
    gaps: list[Finding] = []
    values: Any = stated
    for required in REQUIRED:
        values, absent = _with(values, required.path.split("."), required.instead, "")
        gaps += [
            Finding(where, f"not stated: {required.what}", (book.clause(required.clause),), "the terms must say it")
            for where in absent
        ]
    return gaps, at_length(values)


def _with(values: Any, path: list[str], instead: Any, where: str) -> tuple[Any, list[str]]:
    head, *rest = path
    if head == "*":
        if not isinstance(values, list):
            return values, []
        each = [_with(one, rest, instead, f"{where}{number}.") for number, one in enumerate(values, 1)]
        return [one for one, _ in each], [absent for _, absents in each for absent in absents]
    if not isinstance(values, dict):
        return values, []
    if rest:
        if head not in values:
            return values, []
        inner, absents = _with(values[head], rest, instead, f"{where}{head}.")
        return {**values, head: inner}, absents
    if values.get(head) in (None, "", []):
        return {**values, head: instead}, [f"{where}{head}"]
    return values, []
