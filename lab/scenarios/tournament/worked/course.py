"""One course of a worked case: its events in order, and the rounds that are played in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lab.hall.plan import RoundPlan
from lab.scenarios.tournament.worked.before import NoWay
from lab.scenarios.tournament.worked.scene import Scene, index

SIDES = {"tie": "tie", "main": "main"}
OF_THE_GAME = ("card", "misdeal", "wager", "deal", "pot", "read right")
"""A dispute that speaks of such a thing is about the game."""


DURING = ("signed_out", "disqualify", "retire", "substitute", "void_wager", "spin", "report_phone", "round_over")
"""What may happen while a round is under way; before anything else it is played out."""


def player_of(said: dict[str, Any], scene: Scene) -> str:
    """Who is meant: by name, by box, or the one who does it; NoWay where nobody sits there."""
    if not scene.entrants:
        raise NoWay("nobody has entered")
    for name in ("player", "for", "who"):
        if name in said:
            return str(said[name])
    if "box" in said:
        found = next((number for number in scene.entrants if index(number) == said["box"]), None)
        if found is None:
            raise NoWay(f"nobody sits at box {said['box']}")
        return found
    by = str(said.get("by", ""))
    return by if by in scene.entrants else scene.entrants[0]


def _clock(time: str) -> tuple[int, ...]:
    return tuple(int(part) for part in time.split(":"))


def in_midst(said: dict[str, Any]) -> bool:
    """Whether somebody asks for chips while a hand is under way."""
    return any(word in str(said.get("when", "")) for word in ("under way", "holds cards"))


class Course:
    """One course of a case: its events, in order, and what came of each."""

    def __init__(
        self, scene: Scene, case: dict[str, Any], events: list[dict[str, Any]], start: Callable[[], None]
    ) -> None:
        self.scene, self.case, self.events = scene, case, events
        self._start = start
        self.answers: list[str] = []
        self.rounds: list[dict[str, Any]] = []
        self.began: dict[int, Any] = {}
        self.order: list[str] = []
        self._coming: dict[str, Any] = {}
        self.under_way = self._in_midst = False
        self.disputes: list[dict[str, Any]] = []
        self.early: list[str] = []
        self.stacks: list[dict[str, int]] = []
        self.out: list[list[str]] = []
        self.refused: list[str] = []

    def run(self) -> None:
        """What has a time happens then, wherever it is listed; answers stand in the order of the list."""
        in_time = all("at" in one for one in self.events)
        order = sorted(range(len(self.events)), key=lambda at: _clock(self.events[at]["at"]) if in_time else at)
        answers: dict[int, str] = {}
        for number in order:
            said = self.events[number]
            if "at" in said:
                self.scene.at(said["at"])
            self._next = self.events[number + 1 :]
            if self.under_way and said["do"] not in DURING and not in_midst(said):
                self._settle()
            answers[number] = getattr(self, f"_do_{said['do']}")(said)
            if not in_time and not self.under_way:
                self.scene.event.clock.run_for(2.0)
        self.answers = [answers[number] for number in range(len(self.events))]
        self.finish()

    def finish(self) -> None:
        """What is under way is played out, but for a round that the case only lets begin."""
        last = self.events[-1] if self.events else {"do": ""}
        if self.under_way and (last["do"] not in ("start_round", "place_bets", "start_hand") or "then" in last):
            self._settle()
        if self._coming or (self._has_round() and not self.rounds):
            self._play_rounds()

    # -- rounds ----------------------------------------------------------------------------------------------------

    def _has_round(self) -> bool:
        return bool(self.case.get("round") or self.case.get("spin"))

    def plans(self) -> list[RoundPlan]:
        """The rounds that the case states, with whatever markers lie for the first of them."""
        if (spin := self.case.get("spin")) is not None:
            stakes: dict[str, dict[str, int]] = {}
            for one in self.case.get("wagers", []):
                stakes.setdefault(one["player"], {})[one["symbol"]] = one["amount"]
            return [
                RoundPlan(stakes, rests_on=spin["rest_symbol"], forward=float(spin.get("forward_compartments", 210)))
            ]
        told = self.case.get("round", [])
        return [self._plan(one) for one in (told if isinstance(told, list) else [told])]

    def _plan(self, told: dict[str, Any]) -> RoundPlan:
        stakes: dict[str, dict[str, int]] = {}
        for box in told["wagers"]:
            for wager in box["wagers"]:
                stakes.setdefault(wager["player"], {})[SIDES.get(wager["type"], wager["type"])] = wager["amount"]
        choices = {one["player"]: one["choice"] for one in told.get("decisions", [])}
        marked = {*self._coming.get("all_in", {}), *self._coming.get("secret", {})}
        return RoundPlan(
            {who: laid for who, laid in stakes.items() if who not in marked}, tuple(told["cards"]),
            surrender=tuple(who for who, choice in choices.items() if choice == "surrender"),
            all_in=self._coming.get("all_in", {}), secret=self._coming.get("secret", {}),
        )  # fmt: skip

    def _play_rounds(self) -> None:
        for plan in self.plans():
            self._begin(plan)
            self._settle()
            self._coming = {}

    def _begin(self, plan: RoundPlan) -> str:
        self._lay_foreign()
        self._results = len(self.scene.listeners[self.scene.table.name].results)
        self._refusals = len(self.scene.refusals)
        state = self.scene.table.session.state
        self._breaches = {one.subject for one in self.scene.asked(self.scene.table)}
        answer = self.scene.start(plan)
        self.under_way = answer == "ok"
        self._laid = {
            "passes": set(plan.passes),
            "pass": {n: e.markers.get("pass", 0) for n, e in state.entrants.items()},
        }
        return answer

    def _lay_foreign(self) -> None:
        """Chips that are none of the event's, on the zones where the case has them."""
        scene, laid = self.scene, self.case["given"].pop("chips_on", [])
        for one in laid:
            table, tag = (
                scene.table,
                scene.table.bank.of_elsewhere(one["kind"], one.get("value_dollars", 0) * 100, one.get("set", "")),
            )
            box = scene.seat(f"P{one['box']}")
            table.devices.mat.place([tag], table.crew.felt_area(box, one["zone"]))

    def _settle(self) -> None:
        scene = self.scene
        scene.settle()
        self.under_way = False
        table = scene.table
        results = scene.listeners[table.name].results[self._results :]
        breaches = [one.subject.partition(":")[2] for one in scene.asked(table)
                    if one.subject.startswith("breach") and one.subject not in self._breaches]  # fmt: skip
        game: Any = table.runtime.table.game
        places: Any = getattr(game.state, "round", None)
        self.rounds.append({
            "results": results, "breaches": breaches,
            "cards_to": list(places.card_places()) if hasattr(places, "card_places") else [],
            "left": {number: one.markers.get("pass", 0) for number, one in table.session.state.entrants.items()},
        })  # fmt: skip

    def _neutral(self) -> str:
        return self._begin(self.scene.neutral())
