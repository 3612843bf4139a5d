"""Who looks after a session at a table: the Director with a card and keys, a dealer who opens, counts and closes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from controller.core.events import SignedIn
from controller.people import Person
from controller.tournament.questions import QUESTIONS

if TYPE_CHECKING:
    from lab.hall.table import EventTable

DEALER, MANAGER = Person("S1", 1), Person("S3", 3)
LOOK_S = 2.0
SHOWS_S = 900.0
"""How often the Director, who walks about, shows a card at every table."""


class EventStaff:
    """Does what is due by what the session's machine says, after a moment."""

    def __init__(self, table: EventTable) -> None:
        self._table = table
        self._busy = False
        self._shown_at = -1e9
        self.differences: dict[str, tuple[int | None, int]] = {}
        """Counts that were not what the ledger says, by entrant."""
        self.away = False
        """Whether the Director has gone, and shows no card until coming back."""
        self.by_hand = False
        """Whether briefing, counting and what the Director decides of a session wait for whoever presses keys."""
        self.closing = False
        """Whether the Director has sent everybody home: chips are handed in and the table closed."""

    def send_home(self) -> None:
        """The Director sends everybody home."""
        self.closing = True
        self.look()

    def look(self) -> None:
        if not self._busy:
            self._busy = True
            self._table.clock.call_later(LOOK_S, self._act)

    def _act(self) -> None:
        self._busy = False
        due = getattr(self, f"_when_{self._table.phase}", None)
        if self._table.phase != "held" and self._answers():
            return
        if due is not None:
            due()

    @property
    def director(self) -> Person:
        """Whom the roster names."""
        return Person(self._table.session.state.presence.director, 0, ("director",))

    def press(self, key: str, by: Person, **args: Any) -> None:
        self._table.runtime.command(key, by, args)

    def _answers(self) -> bool:
        """What is put to the Director is answered first, as it is proposed; by a plan, it waits for an answer."""
        if self._table.crew.by_plan:
            return False
        for asked in list(self._table.runtime.table.state.desk.prompts.values()):
            if asked.subject.partition(":")[0] in QUESTIONS:
                answers = [option.answer for option in asked.options]
                answer = asked.proposal if asked.proposal in answers else answers[0]
                asks = {ask.name for ask in QUESTIONS.asks(self._table.session, asked, answer)}
                said = {"decision": "as it stands"} if "decision" in asks else {}
                self.press("answer", self.director, prompt=asked.prompt, answer=answer, **said)
                return True
        return False

    def _show_card(self) -> bool:
        """Whether the Director's card had to be shown now."""
        now = self._table.clock.now()
        if self.away:
            return False
        if now - self._shown_at < SHOWS_S and self._table.session.present():
            return False
        self._shown_at = now
        self._table.runtime.submit(SignedIn("dealer", self.director))
        return True

    # -- by the state of the session's machine ---------------------------------------------------------------------

    def _when_set(self) -> None:
        table, session = self._table, self._table.session
        if table.runtime.table.state.life == "closed":
            if table.crew.has_chips():
                self.press("open", DEALER)
            else:
                table.crew.take_chips()
            self.look()
            return
        if not table.crew.ready() or self._show_card():
            self.look()
            return
        if self.by_hand:
            return
        if not session.state.briefed_by:
            self.press("briefed", self.director)
        elif len(session.terms.wagers.compulsory) > 1 and not session.state.released_by:
            self.press("release_schedule", MANAGER)
        elif uncounted := [one.number for one in session.state.playing() if one.counted is None]:
            self.press("count_bank", DEALER, player=uncounted[0], units=table.crew.purses.get(uncounted[0], 0))
        else:
            self.press("begin_session", self.director)
            table.crew.look()

    def _when_playing(self) -> None:
        self._show_card()
        self._moves()

    def _when_held(self) -> None:
        self._shown_at = -1e9
        self._show_card()

    def _moves(self) -> None:
        """Somebody arrives with chips in a rack, which are counted."""
        session = self._table.session
        for number in list(session.state.moving):
            units = self._table.crew.arriving.get(number)
            if units is not None:
                self.press("arrived", DEALER, player=number, units=units)
                if number not in session.state.moving:
                    self._table.crew.sits_down(number)
                return

    def _when_counting(self) -> None:
        session, crew = self._table.session, self._table.crew
        left = [one.number for one in session.state.playing() if one.counted is None]
        if session.state.moving or not crew.settled:  # whoever is on the way is counted too
            self._moves()
            crew.look()
            self.look()
        elif left and not self.by_hand:
            crew.lift_all()
            self.press("count_bank", DEALER, player=left[0], units=crew.purses.get(left[0], 0))

    def _when_counted(self) -> None:
        """A count that differs is agreed with a reason, and remembered: nobody here loses a chip."""
        if self.by_hand:
            return
        session = self._table.session
        wrong = {one.number: (one.counted, session.bank(one.number)) for one in session.state.playing()}
        self.differences |= {who: pair for who, pair in wrong.items() if pair[0] != pair[1]}
        self.press("agree_counts", self.director, reason="counted twice" if self.differences else "")

    def _when_waiting(self) -> None:
        if self.closing:
            self._close()

    _when_designated = _when_waiting

    def _close(self) -> None:
        table = self._table
        if table.runtime.table.state.life != "closed":
            table.crew.lift_all()
            self.press("close", MANAGER)
            self.look()
        elif table.bank.standard:
            table.bank.hand_in(table.devices.mat)
            self.look()
        elif table.sees_chips():
            self.look()
        else:
            table.closed()
