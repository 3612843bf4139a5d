"""Chips that are no wager at this table: what each is called, which clause speaks of it, and what is done with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from controller.core.desk import Clauses


class Strange(NamedTuple):
    """What such a chip is called, and what is done with it; `keep` where nobody may hand it back or exchange it."""

    what: str
    then: str
    keep: bool = False


KEPT = "Do not exchange it or hand it back: keep it apart, call a supervisor and Surveillance."
STRANGE = {
    "stolen": Strange("A chip that was reported stolen", f"{KEPT} Say who laid it.", keep=True),
    "missing": Strange(
        "A chip that is missing from this casino's stock", f"{KEPT} The cage holds it against its stock.", keep=True
    ),
    "counterfeit": Strange(
        "A counterfeit chip", f"{KEPT} Look at the others that came with it: it is not the only one.", keep=True
    ),
    "retired": Strange("A chip that was withdrawn from play", "Take it off; the cage exchanges it."),
    "tournament": Strange("A tournament chip", "Take it off; it is worth nothing outside its tournament."),
    "other_money": Strange(
        "A chip that is none of this tournament", "Take it off; only this tournament's chips count."
    ),
    "promotional": Strange(
        "A promotional chip", "Take it off; it is no wager here, the cage says what it is good for."
    ),
    "other_table": Strange("A chip of another table", "Take it off; it counts at the table it was issued at."),
    "colour": Strange("A colour chip", "Take it off; it counts at the table it was issued at."),
    "token": Strange("A token", "Have it exchanged for chips before it is laid."),
    "unknown": Strange("Something that is no chip of this casino", "Take it off; it is not exchanged here."),
}


def chip_clauses(clauses: Mapping[str, Clauses], kind: str) -> Clauses:
    """What the rulebook says of such a chip: what makes a wager, and of one that is kept also what it says of fraud."""
    if kind in clauses:
        return clauses[kind]
    no_wager = clauses.get("foreign", ())
    return tuple(dict.fromkeys((*no_wager, *clauses.get("fraud", ())))) if strange(kind).keep else no_wager


def kind_called(what: str) -> str:
    """The kind of chip that is called so."""
    return next(kind for kind, one in STRANGE.items() if one.what == what)


def strange(kind: str) -> Strange:
    """What a chip of this kind is; one that no register knows is none of this casino."""
    return STRANGE.get(kind, STRANGE["unknown"])
