"""What a tournament at a table makes people look at, each with what ends it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from controller.core.alarms import Alarm, Alarms
from controller.core.desk import Clauses

if TYPE_CHECKING:
    from controller.tournament.session import Session


class NoDirector(Alarm["Session"]):
    """No round begins while nobody is present who must be."""

    code = "no_director"
    text = "No Director is present: no round begins."
    remedy = "Have {name}, or a deputy who counts as present, draw the card or press a key here."
    name: str

    def why(self, owner: Session) -> Clauses:
        return owner.clauses("2.3")

    @staticmethod
    def while_(session: Session, _: str) -> bool:
        """While the session is held for want of a Director."""
        return session.phase == "held"


class CountDiffers(Alarm["Session"]):
    """A bank that was counted is not what its ledger says."""

    code = "count_differs"
    text = "{entrant}: {counted} counted, {ledger} by the ledger; {last} when the last round began."
    remedy = "Count again, look at the last rounds, then the Director agrees a number with a reason."
    entrant: str
    counted: str
    ledger: str
    last: str

    def why(self, owner: Session) -> Clauses:
        return owner.clauses("4.6(a)")

    @staticmethod
    def while_(session: Session, number: str) -> bool:
        """Until the count agrees with the ledger, or the Director has agreed one."""
        one = session.state.entrants.get(number)
        return session.phase in ("counting", "counted") and one is not None and one.counted not in (
            None, session.bank(number),
        )  # fmt: skip


class UnitsMissing(Alarm["Session"]):
    """Banks and tray are not together what the table was issued."""

    code = "units_missing"
    text = "Banks and tray together lack {gap} units of what this table was issued."
    remedy = "Look under the layout and in the tray, count again; chips of this set count nowhere else."
    gap: str

    def why(self, owner: Session) -> Clauses:
        return owner.clauses("4.3(c)")

    @staticmethod
    def while_(session: Session, _: str) -> bool:
        """While the counts of the session are looked at."""
        return session.phase == "counted"


ALARMS: Alarms[Session] = Alarms(NoDirector, CountDiffers, UnitsMissing)
