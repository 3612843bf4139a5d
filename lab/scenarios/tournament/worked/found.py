"""What came of a worked case, held against what it expects."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from controller.core.desk import Refusal
from floor.hall import outcome as outcome_of
from floor.hall import sessions
from lab.scenarios.outcome import Outcome
from lab.scenarios.tournament.worked.before import NoWay
from lab.scenarios.tournament.worked.events import Doing

if TYPE_CHECKING:
    from lab.scenarios.tournament.worked.play import WorkedCase

CLAUSE = re.compile(r"\d+\.\d+(?:\.\d+)*(?:\([a-z]+\))*(?:\([ivx]+\))?|footnote \d+ s \d+\(\d+\)")


def kind_of(answer: str) -> str:
    return re.split(r"[\s,:]", answer, maxsplit=1)[0]


def clauses_in(answer: str) -> list[str]:
    """The clauses that an answer names before its words."""
    return CLAUSE.findall(answer.partition(":")[0]) if kind_of(answer) in ("refused", "asked") else []


def answered(outcome: Outcome, place: str, came: list[str], wanted: list[str]) -> None:
    """Answers are alike where they are of a kind and every clause that is wanted is named."""
    for number, (found, due) in enumerate(zip(came, wanted, strict=False), 1):
        named = [clause for clause in clauses_in(due) if clause not in found.partition(": ")[0]]
        if kind_of(found) != kind_of(due) or named:
            outcome.wrong(f"{place} {number}: {found}; expected {due}")
    if len(came) != len(wanted):
        outcome.wrong(f"{place}: {len(came)} of them, expected {len(wanted)}")


class Found:
    """Looks up each thing that a case expects."""

    def __init__(self, case: WorkedCase, doing: Doing) -> None:
        self.case, self.doing, self.scene = case, doing, doing.scene
        self.given = case.given

    def compare(self) -> None:
        outcome, expected = self.case.outcome, self.case.expected
        if not {"answers", "default", "first", "rounds"} & expected.keys():
            for said, answer in zip(self.doing.events, self.doing.answers, strict=True):
                first = said["do"] == "enter" and "refused_first" in expected
                if kind_of(answer) == "refused" and answer not in self.doing.refused and not first:
                    outcome.wrong(f"{said['do']}: {answer}")
        for name, wanted in expected.items():
            try:
                self._hold(name, wanted)
            except (NoWay, Refusal) as no:
                outcome.wrong(f"{name}: {no}; expected {wanted}")

    def _hold(self, name: str, wanted: Any) -> None:
        if (check := getattr(self, f"_check_{name}", None)) is not None:
            check(wanted)
        elif (look := getattr(self, f"_found_{name}", None)) is not None:
            found = look(wanted)
            if found != wanted:
                self.wrong(f"{name}: {found}, expected {wanted}")

    def wrong(self, text: str) -> None:
        self.case.outcome.wrong(text)

    @property
    def _session(self) -> Any:
        return self.scene.table.session

    # -- answers ---------------------------------------------------------------------------------------------------

    def _check_answers(self, wanted: list[str]) -> None:
        answered(self.case.outcome, "answer", self.doing.answers, wanted)

    _check_default = _check_answers

    def _check_refused(self, wanted: Any) -> None:
        for one in wanted if isinstance(wanted, list) else [wanted]:
            found = self.doing.refused[-1] if self.doing.refused else ""
            missing = [clause for clause in one["clauses"] if clause not in found.partition(": ")[0]]
            if not found.startswith("refused") or missing:
                self.wrong(f"{one['what']}: {found or 'nothing was refused'}, expected refused {one['clauses']}")

    def _check_told(self, wanted: str) -> None:
        """Refusals and findings say it; what is told beside a decision is a record."""
        if "right to consult" in wanted:
            return
        if not any(wanted in text for text in self.scene.refusals):
            self.wrong(f"told: {'; '.join(self.scene.refusals) or 'nothing'}; expected {wanted}")

    def _check_alarm(self, wanted: Any) -> None:
        found = [*self.scene.alarms, *self.scene.hall.state.alarms.values()]
        for text in wanted if isinstance(wanted, list) else [wanted]:
            if not any(text.rpartition(" on ")[2] in one for one in found):
                self.wrong(f"alarm: {found}, expected {text}")

    # -- banks and people ------------------------------------------------------------------------------------------

    def _found_bank(self, wanted: dict[str, int]) -> dict[str, int]:
        if self.scene.hall.state.cash:
            return {number: self.scene.hall.entrant(number).bank for number in wanted}
        return {number: self.scene.bank(number) for number in wanted}

    def _found_markers(self, wanted: dict[str, dict[str, int]]) -> dict[str, Any]:
        return {
            who: {kind: self.scene.entrant(who).markers.get(kind, 0) for kind in kinds} for who, kinds in wanted.items()
        }

    def _found_secret_left(self, wanted: dict[str, int]) -> dict[str, int]:
        return {who: self.scene.entrant(who).markers.get("secret", 0) for who in wanted}

    def _found_warnings(self, wanted: dict[str, int]) -> dict[str, int]:
        return {who: self.scene.entrant(who).warnings for who in wanted}

    def _found_warned(self, wanted: list[str]) -> list[str]:
        return [who for who, one in self._session.state.entrants.items() if one.warnings]

    def _found_offered(self, wanted: str) -> str:
        """What somebody who is below the compulsory wager may still use before the next round."""
        short = [one for one in self._session.state.entrants.values() if one.short]
        held = {name.replace("_", "-") for one in short for name, left in one.markers.items() if left}
        return " and ".join(f"{'re-buy' if name == 'rebuy' else name} marker" for name in sorted(held & {"rebuy"}))

    def _check_play(self, wanted: str) -> None:
        """It goes on, or it does not; what is said beside that is a remark."""
        goes_on = self.scene.hall.state.phase == "running"
        if goes_on is not wanted.startswith("goes on"):
            self.wrong(f"play: the event is {self.scene.hall.state.phase}, expected {wanted}")

    def _found_state(self, wanted: dict[str, str]) -> dict[str, str]:
        return {who: str(self.scene.hall.entrant(who).phase) for who in wanted}

    def _found_eliminated(self, wanted: list[str]) -> list[str]:
        return [one.number for one in self.scene.table.session.state.entrants.values() if one.standing == "eliminated"]

    def _found_left(self, wanted: int) -> int:
        return len(self.scene.hall.state.left)

    def _found_entrants(self, wanted: int) -> int:
        return len(self.scene.hall.state.field)

    def _found_places(self, wanted: dict[str, int]) -> dict[str, int]:
        places = self.scene.hall.state.places
        if not places and any(one["do"] == "hand_over" for one in self.doing.events):
            places = outcome_of.standing(self.scene.hall)
        if places:
            return {who: places.get(who, 0) for who in wanted}
        return {who: self.scene.entrant(who).place for who in wanted}

    # -- rounds ----------------------------------------------------------------------------------------------------

    def _found_scored(self, wanted: int) -> int:
        """Rounds scored since the case began, where it does not say how many were before."""
        base = 0 if "scored" in self.given or not self.doing.rounds or not self._before() else None
        return int(self._session.state.scored) if base is not None else len(self.doing.rounds)

    def _before(self) -> int:
        return int(self._session.state.scored) - len(self.doing.rounds)

    def _found_rounds_dealt(self, wanted: int) -> int:
        return int(self._session.state.dealt)

    def _found_spins_made(self, wanted: int) -> int:
        return int(self._session.state.dealt)

    def _played(self, number: int = -1) -> dict[str, Any]:
        if not self.doing.rounds:
            raise NoWay("no round was played")
        return self.doing.rounds[number]

    def _results(self, number: int = -1) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for one in self._played(number)["results"]:
            found.setdefault(one.player, one)
        return found

    def _found_counted_stake(self, wanted: int) -> int:
        """What was settled of whoever the marker or slip was."""
        marked = [who for one in self.doing.events for who in self.scene.entrants
                  if one["do"] in ("all_in_marker", "secret") and f"P{one.get('box', 0)}" == who]  # fmt: skip
        one = self._results().get(marked[0]) if marked else None
        if one is None:
            raise NoWay("no stake of a marker or slip was settled")
        lies = self.doing.plans()
        settled = one.stake if hasattr(one, "stake") else 0
        return int(settled // 100) if settled else int(sum(next(iter(lies[0].stakes.values()), {}).values()))

    def _check_settlement(self, wanted: dict[str, Any]) -> None:
        for who, due in wanted.items():
            one = self._results().get(who)
            found = {"result": one.result, "pays": one.pays // 100} if one is not None else {}
            if found != due:
                self.wrong(f"settlement of {who}: {found}, expected {due}")

    def _check_rounds(self, wanted: list[dict[str, Any]]) -> None:
        for number, (due, came) in enumerate(zip(wanted, self.doing.rounds, strict=False), 1):
            who = came.get("player", self.scene.entrants[0])
            one = next((one for one in came["results"] if one.player == who), None)
            found = {
                "result": one.result if one is not None else "", "pays": one.pays // 100 if one is not None else 0,
                "card_to_box": any(str(place) == f"box{self.scene.seat(who)}" for place in came["cards_to"]),
                "breach": who in came["breaches"], "pass_left": came["left"].get(who, 0),
            }  # fmt: skip
            for name, value in due.items():
                if name in found and found[name] != {"returned": "void"}.get(str(value), value):
                    self.wrong(f"round {number}: {name}: {found[name]}, expected {value}")
            if "refused" in due and not came.get("answer", "").startswith("refused"):
                self.wrong(f"round {number}: {came.get('answer')}, expected refused {due['refused']}")
        if len(wanted) != len(self.doing.rounds):
            self.wrong(f"{len(self.doing.rounds)} rounds were played, expected {len(wanted)}")

    def _found_cards_to(self, wanted: list[str]) -> list[str]:
        seats = {f"box{self.scene.seat(who)}": f"box{who[1:]}" for who in self.scene.entrants}
        return [seats.get(str(place), str(place)) for place in self._played()["cards_to"] if "burn" not in str(place)]

    def _check_breach(self, wanted: list[str]) -> None:
        found = sorted(self.doing.rounds[-1]["breaches"]) if self.doing.rounds else []
        if found != sorted(text.split(" ")[0] for text in wanted):
            self.wrong(f"breach: {found}, expected {wanted}")

    def _check_choices(self, wanted: list[str]) -> None:
        found = [one.result for one in self._results().values()]
        if wanted == ["surrender"] and "surrender" not in found:
            self.wrong(f"choices: the round ended {found}, expected {wanted}")

    def _pages(self) -> list[str]:
        return [text for texts in self.scene.pages.values() for text in texts]

    def _check_pages_before_reveal(self, wanted: str) -> None:
        if self._pages()[:1] != [wanted.partition(": ")[2]]:
            self.wrong(f"pages before: {self._pages()[:1]}, expected {wanted}")

    def _check_pages_after_reveal(self, wanted: str) -> None:
        if self._pages()[1:2] != [wanted.partition(": ")[2]]:
            self.wrong(f"pages after: {self._pages()[1:2]}, expected {wanted}")

    def _found_removed_from_play(self, wanted: int) -> int:
        return self._booked("removed")

    def _found_tray_gains(self, wanted: int) -> int:
        return self._booked("penalty")

    def _booked(self, kind: str) -> int:
        """Units that banks have lost under this head."""
        return sum(-int(row.units) for row in self._session.state.ledger.rows if row.kind == kind)

    def _check_seat(self, wanted: str) -> None:
        gone = [one.number for one in self._session.state.entrants.values() if not one.plays]
        if (wanted == "closed") is not bool(gone):
            self.wrong(f"seat: {gone} have left, expected {wanted}")

    # -- the end of a session --------------------------------------------------------------------------------------

    def _check_order(self, wanted: list[Any]) -> None:
        if all(isinstance(one, str) and not re.fullmatch(r"[PE]\d+", one) for one in wanted):
            if self.doing.order != wanted:
                self.wrong(f"order: {self.doing.order}, expected {wanted}")
            return
        found = [list(group) if len(group) > 1 else group[0] for group in self.scene.hall.session.order]
        if found != wanted:
            self.wrong(f"order: {found}, expected {wanted}")

    def _found_through(self, wanted: list[str]) -> list[str]:
        return [number for _, cut in sessions.cuts(self.scene.hall) for number in cut.through]

    def _found_play_off(self, wanted: dict[str, Any]) -> dict[str, Any]:
        off = self._session.state.play_off
        if off is not None:
            return {"players": list(off.players), "rounds": off.rounds}
        ties = self.scene.terms.result.ties
        tied = [number for _, cut in sessions.cuts(self.scene.hall) for number in cut.equal]
        return {"players": tied, "rounds": ties.rounds} if ties.how == "play_off" else {"players": tied}

    def _early(self, number: int, wanted: dict[str, Any]) -> None:
        if number >= len(self.doing.early):
            raise NoWay(f"an early end was asked for {len(self.doing.early)} times")
        answer = self.doing.early[number]
        if answer.startswith("ok") is not wanted["certain"]:
            self.wrong(f"early end: {answer}, expected {wanted}")
        if not wanted["certain"] and not all(part in answer for part in wanted["why"].split("; ")):
            self.wrong(f"early end: {answer}, expected {wanted['why']}")

    def _check_first(self, wanted: dict[str, Any]) -> None:
        self._early(0, wanted)

    def _check_second(self, wanted: dict[str, Any]) -> None:
        self._early(1, wanted)

    # -- money -----------------------------------------------------------------------------------------------------

    def _found_prizes_dollars(self, wanted: dict[str, int]) -> dict[str, int]:
        state = self.scene.hall.state
        return {who: (state.prizes or state.deal).get(who, 0) for who in wanted}

    def _found_sum_dollars(self, wanted: int) -> int:
        state = self.scene.hall.state
        return sum((state.cash or state.prizes).values())

    def _found_refunds_dollars(self, wanted: dict[str, int]) -> dict[str, int]:
        return {who: self.scene.hall.entrant(who).refunded for who in wanted}

    def _found_cash_dollars(self, wanted: dict[str, int]) -> dict[str, int]:
        return {who: self.scene.hall.state.cash.get(who, 0) for who in wanted}

    # -- signs and levels ------------------------------------------------------------------------------------------

    def _found_compulsory_by_round(self, wanted: dict[str, int]) -> dict[str, Any]:
        return {str(number): units for number, units in self.doing.began.items()}

    def _found_blinds_by_hand(self, wanted: dict[str, Any]) -> dict[str, Any]:
        return {str(number): blinds for number, blinds in self.doing.began.items()}

    _found_stack = _found_bank

    def _found_paid_dollars(self, wanted: dict[str, int]) -> dict[str, int]:
        kinds = ("rebuy", "add_on")
        return {who: sum(self.scene.hall.entrant(who).paid.get(kind, 0) for kind in kinds) for who in wanted}

    def _away(self) -> str:
        return str(self.given["away"][0])

    def _found_stack_by_hand(self, wanted: dict[str, int]) -> dict[str, int]:
        return {name: stacks[self._away()] for name, stacks in zip(wanted, self.doing.stacks, strict=False)}

    def _found_eliminated_after_hand(self, wanted: int) -> int:
        hands = [one["n"] for one in self.doing.events if one["do"] == "hand"]
        return next((hand for hand, out in zip(hands, self.doing.out, strict=False) if self._away() in out), 0)

    def _sign(self) -> dict[str, Any]:
        shown: dict[str, Any] = self.scene.table.runtime.table.sign()["tournament"]
        return shown

    def _check_coming_on_sign(self, wanted: list[Any]) -> None:
        from datetime import datetime, timedelta, timezone

        zone = timezone(timedelta(hours=int(self.scene.day[-6:-3])))
        found: list[Any] = []
        for one in self._sign()["coming"]:
            begins = datetime.fromtimestamp(one["not_before"] / 1000, zone)
            found.append([begins.strftime("%H:%M"), [one["small"], one["units"]]])
        if found != wanted:
            self.wrong(f"coming on the sign: {found}, expected {wanted}")

    def _found_asked(self, wanted: list[str]) -> list[str]:
        return [one.subject.partition(":")[0] for one in self.scene.asked(self.scene.table)]

    def _found_announcements(self, wanted: list[str]) -> list[str]:
        """Seats that were asked for: a table of an event announces none."""
        prompts = self.scene.listeners[self.scene.table.name].outcome.prompts
        return [one["subject"] for one in prompts if "seat" in one["subject"]]

    def _check_after(self, wanted: dict[str, Any]) -> None:
        banks = {who: self.scene.hall.entrant(who).bank for who in wanted.get("bank_at_hall", {})}
        if banks != wanted.get("bank_at_hall", {}):
            self.wrong(f"after: {banks}, expected {wanted['bank_at_hall']}")
        house, table = self.scene.event.house, self.scene.table
        if house.heard(table) != house.about_the_event(table):
            self.wrong("after: the hall has not heard every row of the table once")

    def _check_misdeal(self, wanted: dict[str, Any]) -> None:
        """Who decides it; the rest is said in words."""
        if self.scene.hall.book.dispute_rank != wanted.get("asked"):
            self.wrong(f"misdeal: {self.scene.hall.book.dispute_rank}, expected {wanted['asked']}")
