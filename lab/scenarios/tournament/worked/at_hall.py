"""What each word of a worked case makes people do at the hall, from the papers to the prizes."""

from __future__ import annotations

from typing import Any

from floor.hall import acts
from floor.hall.acts import Act
from floor.hall.state import By
from lab.scenarios.tournament.worked.course import Course


class AtHall(Course):
    """Papers, entries, the end of a session and of the event, and tables that are the event's or free."""

    # -- papers and entries ----------------------------------------------------------------------------------------

    def _act(self, act: Act, said: dict[str, Any], who: str = "TD") -> str:
        return self.scene.do(act, str(said.get("by", who)))

    def _do_terms_available(self, said: dict[str, Any]) -> str:
        return self._act(acts.TermsAvailable(said.get("how", "at the desk")), said)

    def _do_inspectorate_told(self, said: dict[str, Any]) -> str:
        return self._act(acts.InspectorateTold(said.get("whom", "on duty")), said)

    def _do_regulator_told(self, said: dict[str, Any]) -> str:
        return self._act(acts.RegulatorTold(), said)

    def _do_open_entries(self, said: dict[str, Any]) -> str:
        return self._act(acts.OpenEntries(), said)

    def _do_close_entries(self, said: dict[str, Any]) -> str:
        return self._act(acts.CloseEntries(), said)

    def _do_enter(self, said: dict[str, Any]) -> str:
        signed = said.get("signed", True)
        return self._act(acts.Enter(said["player"], signed=signed, employee=said.get("employee", False)), said)

    def _do_approval(self, said: dict[str, Any]) -> str:
        answer = self.scene.event.do(acts.ApproveEntrant(said["for"]), By("coo", "", said.get("by", "")))
        return self.scene.said(answer.ok, answer.clauses, answer.text)

    def _do_sign(self, said: dict[str, Any]) -> str:
        return self._act(acts.Sign(said["player"]), said)

    def _do_withdraw(self, said: dict[str, Any]) -> str:
        return self._act(acts.Withdraw(said["player"]), said)

    def _do_draw(self, said: dict[str, Any]) -> str:
        return self._act(acts.Draw("5eed" * 16), said)

    def _do_move_start(self, said: dict[str, Any]) -> str:
        day = self.scene.day
        return self._act(acts.MoveStart(f"{day[:11]}{said['to']}{day[16:]}", said.get("told", "announcement")), said)

    # -- the end ---------------------------------------------------------------------------------------------------

    def _to_the_end(self, banks: dict[str, int], scored: int | None) -> None:
        """Rounds that bring these banks, to so many or to as many as the session has."""
        scene, session = self.scene, self.scene.table.session
        rounds = (scored or session.session.rounds) - session.state.scored
        changes = {number: units - scene.bank(number) for number, units in banks.items()}
        scene.lead(changes, rounds, tuple(self.case["given"].get("void_rounds", ())))

    def _do_round_over(self, said: dict[str, Any]) -> str:
        if "scored" in said:
            self._to_the_end(self.case["given"].get("bank", {}), said["scored"])
        return "ok"

    _do_spin_over = _do_round_over

    def _counts(self) -> None:
        """Every table is counted and agreed."""
        scene = self.scene
        for table in scene.playing:
            table.crew.lift_all()
            for one in table.session.state.playing():
                scene.must(table, "count_bank", "dealer", player=one.number, units=table.crew.purses.get(one.number, 0))
            scene.must(table, "agree_counts", "TD")
        scene.event.until(lambda: scene.hall.state.phase == "between", 600)

    def _prizes(self) -> str:
        answer = self.scene.do(acts.FinalOrder())
        return self.scene.do(acts.ListPrizes()) if answer.startswith("ok") else answer

    def _do_final(self, said: dict[str, Any]) -> str:
        self._to_the_end(said["bank"], None)
        self._counts()
        return self._prizes()

    def _do_final_order(self, said: dict[str, Any]) -> str:
        if self.scene.hall.state.phase != "running":
            self._start()
        step, units = 4 * self.scene.least(), self.scene.terms.bank.units
        middle = len(said["order"]) // 2
        return self._do_final({"bank": {who: units + step * (middle - at) for at, who in enumerate(said["order"])}})

    def _do_to_cash(self, said: dict[str, Any]) -> str:
        if "cash" not in self._coming and self.scene.table.phase == "waiting":
            self.scene.event.until(lambda: self.scene.hall.state.phase == "between", 600)
        return self._act(acts.ToCash(), said)

    def _do_deal(self, said: dict[str, Any]) -> str:
        return self._act(acts.Deal(said["dollars"], tuple(said["yes"])), said)

    def _do_share_pot(self, said: dict[str, Any]) -> str:
        """A table knows no such key: a pot goes where the cards send it."""
        from controller.rules.rulebook import load_rulebook

        keys = self.scene.table.runtime.table.keys
        return (
            "ok"
            if "share_pot" in keys
            else f"refused {'8.6' if load_rulebook(self.scene.terms.rulebook) else ''}: no key"
        )

    def _do_ask_early_end(self, said: dict[str, Any]) -> str:
        scene = self.scene
        left = self.case["given"].get("rounds_left", 1)
        self._to_the_end(said["bank"], scene.table.session.session.rounds - left)
        answer = scene.press(scene.table, "end_certain", said.get("by", "TD"))
        self.early.append(answer)
        return answer

    def _do_early_end(self, said: dict[str, Any]) -> str:
        return self.scene.press(self.scene.table, "end_agreed", said.get("by", "TD"), yes=tuple(said["yes"]))

    # -- a designated table ----------------------------------------------------------------------------------------

    @property
    def _designated(self) -> Any:
        return next(iter(self.scene.event.tables.values()))

    def _do_open_for_cash(self, said: dict[str, Any]) -> str:
        return self.scene.press(self._designated, "open", said.get("by", "HDD"))

    def _do_buy_in(self, said: dict[str, Any]) -> str:
        return self.scene.press(self._designated, "buy_in", said.get("by", "dealer"), cents=said["amount_dollars"])

    def _do_release(self, said: dict[str, Any]) -> str:
        """The hall lets tables go once the event is over or given up."""
        scene = self.scene
        for act in (acts.Cancel("as the case has it"), acts.Abandon("as the case has it")):
            scene.event.do(act, scene.by("TD"))
        scene.event.do(acts.RegulatorTold(), scene.by("TD"))
        answer = scene.do(acts.Release())
        scene.event.until(lambda: self._designated.phase == "free", 600)
        return answer

    def _do_designate(self, said: dict[str, Any]) -> str:
        """Ordered by the hall; a table that does not take it says why."""
        scene, table = self.scene, self._designated
        before = len(scene.turned_away)
        act: Act = acts.OrderAgain(table.name) if scene.hall.state.refused else acts.Designate()
        answer = scene.do(act)
        scene.event.clock.run_for(5.0)
        for refused in scene.turned_away[before:]:
            return scene.said(False, refused.clauses, refused.text)
        return answer if table.phase == "designated" or not answer.startswith("ok") else "nothing came of it"

    def _do_waive_commission(self, said: dict[str, Any]) -> str:
        """At an open table; it is closed again once it takes none."""
        scene, table = self.scene, self._designated
        if table.runtime.table.state.life == "closed":
            scene.must(table, "open", "dealer")
        answer = scene.press(table, "waive_commission", said.get("by", "AM"))
        if answer == "ok":
            scene.must(table, "close", "AM")
            scene.event.until(lambda: table.runtime.table.state.life == "closed", 3600)
        return answer
