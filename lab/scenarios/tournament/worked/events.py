"""What each word of a worked case makes people do at tables, and what is answered."""

from __future__ import annotations

from typing import Any

from floor.hall import acts
from lab.hall.plan import RoundPlan
from lab.scenarios.tournament.worked.at_hall import AtHall
from lab.scenarios.tournament.worked.before import NoWay
from lab.scenarios.tournament.worked.course import OF_THE_GAME, in_midst, player_of


class Doing(AtHall):
    """One course of a case with every word that it may say."""

    # -- presence --------------------------------------------------------------------------------------------------

    def _do_signed_out(self, said: dict[str, Any]) -> str:
        self.scene.signs(said["who"], False)
        if self.under_way:
            self._settle()
        return "ok"

    def _do_signed_in(self, said: dict[str, Any]) -> str:
        self.scene.signs(said["who"], True)
        return "ok"

    _do_card = _do_signed_in

    def _do_place_bets(self, said: dict[str, Any]) -> str:
        for who in ("TD", "DEP"):
            self.scene.signs(who, who in said.get("present", ("TD",)))
        return self._neutral()

    def _do_start_round(self, said: dict[str, Any]) -> str:
        scene, table = self.scene, self.scene.table
        if table.phase == "set" and table.session.state.briefed_by:
            scene.begin()
        if "round" in said:
            while table.session.state.scored < said["round"] - 1:
                scene.play(scene.neutral())
        answer = self._neutral()
        if answer == "ok" and "round" in said:
            self.began[said["round"]] = table.session.state.round.compulsory
        return answer

    # -- before the first round ------------------------------------------------------------------------------------

    def _do_practice_round(self, said: dict[str, Any]) -> str:
        scene, table = self.scene, self.scene.table
        if table.phase == "set" and (answer := scene.press(table, "practise", "TD")) != "ok":
            return answer
        stakes, passes, cards = {}, [], []
        for number, does in said["players"].items():
            if does.get("pass"):
                passes.append(number)
            else:
                stakes[number] = {"main": does.get("main", scene.least())}
                cards.append(scene.cards.beats() if does.get("result") == "win" else scene.cards.loses())
        before = table.runtime.table.state.round
        table.crew.take_plan(RoundPlan(stakes, (*cards, scene.cards.dealer()), passes=tuple(passes)))
        scene.event.until(
            lambda: table.runtime.table.state.round > before and table.crew.screen.state() in ("over", "betting")
            and not table.crew.on_felt, 600,
        )  # fmt: skip
        table.crew.plan = None
        return "ok"

    def _do_counted(self, said: dict[str, Any]) -> str:
        scene, table = self.scene, self.scene.table
        if table.phase == "playing":
            self._to_the_end({}, None)
        table.crew.lift_all()
        for one in table.session.state.playing():
            units = said.get("bank", {}).get(one.number, table.crew.purses.get(one.number, 0))
            answer = scene.press(table, "count_bank", said.get("by", "dealer"), player=one.number, units=units)
            if answer != "ok":
                return answer
        return "ok"

    def _do_agreed(self, said: dict[str, Any]) -> str:
        return self.scene.press(self.scene.table, "agree_counts", said.get("by", "TD"))

    def _do_practice_over(self, said: dict[str, Any]) -> str:
        answer = self.scene.press(self.scene.table, "practice_over", said.get("by", "TD"))
        if answer == "ok":
            self.scene.table.crew.new_banks()
        return answer

    def _do_briefed(self, said: dict[str, Any]) -> str:
        return self.scene.press(self.scene.table, "briefed", said.get("by", "TD"))

    def _do_start_session(self, said: dict[str, Any]) -> str:
        scene, table = self.scene, self.scene.table
        if not table.session.state.briefed_by:
            scene.must(table, "briefed", "TD")
        scene.count(table, self.case["given"].get("issued_read"))
        answer = scene.press(table, "begin_session", said.get("by", "TD"))
        self.refused += [answer] if answer != "ok" else []
        return answer

    # -- markers and slips -----------------------------------------------------------------------------------------

    def _do_all_in_marker(self, said: dict[str, Any]) -> str:
        self._coming.setdefault("all_in", {})[player_of(said, self.scene)] = said.get("zone", "main")
        return "ok"

    def _do_pass(self, said: dict[str, Any]) -> str:
        scene, who = self.scene, player_of(said, self.scene)
        answer = "ok"
        if scene.entrant(who).markers.get("pass", 0) <= 0:
            scene.call_for_bets()
            answer = scene.press(scene.table, "pass_marker", "dealer", player=who)
            self.refused.append(answer)
        plan = scene.neutral()
        stakes = {number: laid for number, laid in plan.stakes.items() if number != who}
        sums = {number: next(iter(laid.values())) for number, laid in stakes.items()}
        plan = scene.plan_of(sums)
        self._begin(RoundPlan(plan.stakes, plan.cards, passes=(who,) if answer == "ok" else ()))
        self._settle()
        self.rounds[-1] |= {"player": who, "answer": answer}
        return answer

    def _do_secret(self, said: dict[str, Any]) -> str:
        who = player_of(said, self.scene)
        slip = next((one for one in self._next if one["do"] == "reveal"), None)
        if slip is None:
            scene = self.scene
            scene.call_for_bets()
            answer = scene.press(scene.table, "secret_slip", "dealer", player=who)
            self.refused += [answer] if answer != "ok" else []
            return answer
        zone = str(slip.get("symbol") or slip.get("zone", "main"))
        self._coming.setdefault("secret", {})[who] = (zone, slip["amount"])
        return "ok"

    def _part(self, said: dict[str, Any]) -> str:
        self.order.append(said["do"])
        return "ok"

    _do_no_more_bets = _do_reveal = _do_laid = _part

    def _do_round(self, said: dict[str, Any]) -> str:
        self._play_rounds()
        return "ok"

    def _do_spin(self, said: dict[str, Any]) -> str:
        self.order.append("spin")
        if self.under_way:
            self._settle()
            if self._in_midst:
                self._in_midst = False
                return "ok"
        if "rest_symbol" not in said:
            return self._neutral()
        answer = self._begin(RoundPlan({}, rests_on=said["rest_symbol"], secret=self._coming.get("secret", {})))
        self._coming = {}
        return answer

    # -- people ----------------------------------------------------------------------------------------------------

    def _do_report_phone(self, said: dict[str, Any]) -> str:
        return self.scene.press(self.scene.table, "phone", said.get("by", "dealer"), player=said["player"])

    def _do_penalty(self, said: dict[str, Any]) -> str:
        who = player_of({name: value for name, value in said.items() if name == "player"}, self.scene)
        self._tray = self.scene.table.session.tray()
        return self.scene.press(self.scene.table, "penalty", said.get("by", "TD"), player=who, penalty=said["what"])

    def _midst(self) -> None:
        """The round that is under way when it is decided: the case's, or one that goes on."""
        if self.under_way:
            return
        given, self._in_midst = self.case["given"], True
        if self.case.get("round"):
            self._begin(self.plans()[0])
        elif "on_layout" in given:
            rest = next((one["rest_symbol"] for one in self._next if "rest_symbol" in one), "A")
            self._begin(RoundPlan(given["on_layout"], rests_on=rest))
        elif "round_under_way" in given:
            sums = {
                who: one["main"] * (1 if one["result"] == "win" else -1)
                for who, one in given["round_under_way"].items()
            }
            self._begin(self.scene.plan_of(sums))

    def _do_disqualify(self, said: dict[str, Any]) -> str:
        self._midst()
        return self.scene.press(
            self.scene.table, "disqualify", said.get("by", "TD"), player=said["player"], reason="as decided"
        )

    def _do_retire(self, said: dict[str, Any]) -> str:
        self._midst()
        return self.scene.press(self.scene.table, "retire", "dealer", player=said["player"])

    def _do_substitute(self, said: dict[str, Any]) -> str:
        self._midst()
        return self.scene.press(
            self.scene.table, "substitute", said.get("by", "TD"), player=said["for"], substitute=said["player"]
        )

    def _do_void_wager(self, said: dict[str, Any]) -> str:
        scene, table = self.scene, self.scene.table
        scene.press(table, "void_player", "dealer", player=said["player"])
        answer = scene.answer(table, "void_player", "rule", said.get("by", "TD"))
        self.refused += [answer] if answer != "ok" else []
        scene.answer(table, "void_player", "stand", "ACM")
        return answer

    def _do_dispute(self, said: dict[str, Any]) -> str:
        scene, game = self.scene, any(word in said["about"] for word in OF_THE_GAME)
        tournament = any(word in said["about"] for word in ("marker", "Marker", "out first", "place"))
        about = {"about": said["about"], "game": game and not tournament}
        self.disputes.append(about)
        if about["game"]:
            refused = scene.press(scene.table, "dispute", "dealer", text=said["about"], decision="it stands")
            clause = refused.partition(": ")[0].removeprefix("refused ")
            return f"asked {scene.hall.book.dispute_rank} {clause}" if refused != "ok" else "ok"
        answer = scene.press(scene.table, "dispute_event", "dealer", about=said["about"])
        asked = any(one.subject.startswith("tournament_dispute") for one in scene.asked(scene.table))
        return "asked TD or DEP" if asked else answer

    def _do_answer(self, said: dict[str, Any]) -> str:
        if not self.disputes:
            return "nobody is asked about a dispute"
        scene, about = self.scene, self.disputes[-1]
        what = said.get("what", "as it stands")
        if about["game"]:
            return scene.press(scene.table, "dispute", said.get("by", "TD"), text=about["about"], decision=what)
        return scene.answer(scene.table, "tournament_dispute", "decided", said.get("by", "TD"), decision=what)

    # -- the line --------------------------------------------------------------------------------------------------

    def _do_network_lost(self, said: dict[str, Any]) -> str:
        self.scene.table.connected = False
        return "ok"

    def _do_network_back(self, said: dict[str, Any]) -> str:
        self.scene.table.connected = True
        self.scene.event.clock.run_for(60.0)
        return "ok"

    def _do_play(self, said: dict[str, Any]) -> str:
        first, last = said["rounds"]
        while self.scene.table.session.state.scored < first - 1:
            self.scene.play(self.scene.neutral())
        self._to_the_end(self.case["given"].get("bank_after_round_20", {}), last)
        return "ok"

    # -- levels ----------------------------------------------------------------------------------------------------

    def _do_level(self, said: dict[str, Any]) -> str:
        """It is on, or begins within the minute."""
        from floor.hall.clock import now_on

        scene = self.scene
        on, _ = now_on(scene.hall, scene.event.clock.wall() + 60_000)
        level = on.level if on is not None else 0
        return "ok" if level >= said["n"] else f"level {level}"

    def _do_bring_forward(self, said: dict[str, Any]) -> str:
        day = self.scene.day
        return self._act(acts.BringForward(said["n"], f"{day[:11]}{said['to']}{day[16:]}"), said)

    def _do_start_hand(self, said: dict[str, Any]) -> str:
        answer = self._begin(RoundPlan())
        if answer == "ok" and "hand" in said:
            level = self.scene.blinds()
            self.began[said["hand"]] = [level.small, level.big]
        return answer

    def _do_hand_over(self, said: dict[str, Any]) -> str:
        """The hand under way is over; or one is played that makes these stacks of those."""
        before, after = said.get("stacks_before", {}), said.get("stacks_after", {})
        if before:
            if before.keys() != after.keys():
                raise NoWay(f"stacks are stated of {', '.join(before)} before and of {', '.join(after)} after")
            self.scene.bring({who: units for who, units in before.items() if units != self.scene.bank(who)})
            winner = max(before, key=lambda number: after[number] - before[number])
            lost = {number: stack - after[number] for number, stack in before.items() if number != winner}
            self._begin(RoundPlan(puts={**lost, winner: max(lost.values())}, wins=(winner,)))
            self._settle()
        return "ok"

    def _do_hand(self, said: dict[str, Any]) -> str:
        """A hand that two of those who are there play for four big blinds; everybody else folds."""
        scene = self.scene
        here = [one.number for one in scene.table.session.state.playing() if not one.away][:2]
        units = 4 * scene.blinds().big
        answer = self._begin(RoundPlan(puts=dict.fromkeys(here, units), wins=tuple(here[:1])))
        if answer == "ok":
            self._settle()
            table = self.scene.table
            self.stacks.append({number: table.session.bank(number) for number in table.session.state.entrants})
            self.out.append([one.number for one in table.session.state.entrants.values() if not one.plays])
        return answer

    def _do_rebuy(self, said: dict[str, Any]) -> str:
        """Paid at the hall, where it may be; the chips come at the table."""
        scene, who = self.scene, said["player"]
        given = self.case["given"].get("hand_60")
        if given is not None and in_midst(said):
            winner = next(number for number in scene.entrants if number != who)
            units = min(scene.bank(who), scene.bank(winner))
            self._begin(RoundPlan(puts={who: units, winner: units}, wins=(winner,)))
            return scene.press(scene.table, "rebuy", "dealer", player=who)
        scene.level(said.get("level", 0))
        paid = scene.do(acts.Rebuy(who), "dealer")
        answer = scene.press(scene.table, "rebuy", "dealer", player=who)
        return answer if answer != "ok" or paid.startswith("ok") else paid

    def _do_add_on(self, said: dict[str, Any]) -> str:
        scene, who = self.scene, said["player"]
        if in_midst(said):
            self._begin(RoundPlan(puts={}))
            return scene.press(scene.table, "add_on", "dealer", player=who)
        scene.level(said.get("level", 0))
        paid = scene.do(acts.AddOn(who), "dealer")
        return scene.press(scene.table, "add_on", "dealer", player=who) if paid.startswith("ok") else paid

    def _do_break(self, said: dict[str, Any]) -> str:
        """The stated break is waited for."""
        self.scene.event.until(self.scene.resting, 7200)
        return "ok"

    def _do_break_over(self, said: dict[str, Any]) -> str:
        self.scene.event.until(lambda: not self.scene.resting(), 7200)
        return "ok"
