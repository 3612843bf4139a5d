"""How the questions of the table are answered when a written case is played."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from controller.core.effects import Asked
from controller.games.war import dealing
from controller.games.war.cards import RANK, UNKNOWN, parse
from lab.scenarios.file import dollars
from lab.scenarios.war.acts import DEALER, OWN, Action, Answer, Lay
from lab.scenarios.war.case import CaseEvent
from lab.scenarios.war.words import KEY

if TYPE_CHECKING:
    from lab.scenarios.war.script import Script

SUPERVISOR = "supervisor"
"""Who cuts when no player does."""


class Replies:
    """Whoever may, says what the case tells."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.game = script.game

    def next(self, phase: str) -> Action | None:
        for asked in list(self.game.table.state.desk.prompts.values()):
            action = self._answer(asked)
            if action is not None:
                return action
        return None

    def _answer(self, asked: Asked) -> Action | None:
        subject = asked.subject.partition(":")[0]
        take = getattr(self, f"_on_{subject}", None)
        if take is None:
            return self.say(asked, asked.proposal, self._told_by(subject))
        answer: Action | None = take(asked)
        return answer

    def ruling(self, *kinds: str) -> CaseEvent | None:
        """The event that a question came of, for the rank that rules."""
        return next((event for event in self.script.events if event.kind in kinds), None)

    def _told_by(self, key: str) -> CaseEvent | None:
        return self.ruling(*(word for word, told_by in KEY.items() if told_by == key))

    def say(self, asked: Asked, answer: str, event: CaseEvent | None = None, **args: Any) -> Answer:
        """Somebody of the rank that the case names, or who may, answers."""
        option = next(option for option in asked.options if option.answer == answer)
        if option.needs_reason:
            args["reason"] = "as the case has it"
        level = event.level(self.game.table.house.rulebook) if event is not None else 0
        if event is not None:
            self.must(event, level, option.rank, option.clause)
        return Answer(asked.prompt, answer, args, max(option.rank, level, DEALER))

    def must(self, event: CaseEvent, level: int, rank: int, clause: str) -> None:
        """The rank that a case names must be one that may rule."""
        if level and level < rank:
            needed = self.game.table.house.rulebook.ladder[rank - 1]
            raise event.wrong(f"{event.told['rank']} may not rule this; {needed} or above may ({clause})")

    def _on_cut(self, asked: Asked) -> Action:
        player = str(asked.evidence["player"])
        for event in self.script.events:
            if event.kind == "cut_refused" and player and (player in event.players or not event.players):
                event.done = True
                return self.say(asked, "refused")
        self.script.cutters.append(player or SUPERVISOR)
        return self.say(asked, "cut")

    def _on_sequence(self, asked: Asked) -> Action:
        return self.say(asked, "play_on")

    def _on_late(self, asked: Asked) -> Action:
        wager = str(asked.evidence["wager"])
        event = next(
            (event for event in self.script.events if event.kind == "late_bet" and wager in event.wagers), None
        )
        accepted = event is not None and event.told.get("accepted", False)
        return self.say(asked, "accept" if accepted else "return")

    def _on_several(self, asked: Asked) -> Action:
        player = str(asked.evidence["player"])
        event = next((e for e in self.script.events if e.kind == "several_boxes" and e.told["player"] == player), None)
        if event is not None:
            event.done = True
        allowed = event is None or event.told.get("allowed", True)
        return self.say(asked, "allow" if allowed else "refuse", event)

    def _on_choice(self, asked: Asked) -> Action | None:
        box, player = int(asked.evidence["box"]), str(asked.evidence["player"])
        for event in self.script.kinds("decision_not_offered", "decision_misapplied"):
            if event.told.get("box", box) == box and event.told.get("player", player) == player:
                event.told |= {"box": box, "player": player}
                return self._after_missed(asked, event, box, player)
        return self._choose(asked, box, player)

    def _after_missed(self, asked: Asked, event: CaseEvent, box: int, player: str) -> Action | None:
        """The forgotten player is asked only after the cards that were dealt too early."""
        acted_as = event.told.get("acted_as")
        if acted_as:
            return self._choose(asked, box, player, str(acted_as))  # the report follows (see Reports)
        others = [a for a in self.game.table.state.desk.prompts.values() if a.subject.startswith("choice:")]
        if len(others) > 1:
            return None
        if self.script.early < 0:
            self.script.early = len(event.told.get("requeued", self.script.cards))
        if self.script.early > 0 and self.script.cards:
            self.script.early -= 1
            return self.script.draw()
        event.done = True
        return self._choose(asked, box, player)

    def _choose(self, asked: Asked, box: int, player: str, instead: str = "") -> Action | None:
        for event in self.script.kinds("war_stake_rejected"):
            if event.told.get("box", box) == box and event.told.get("player", player) == player:
                event.done = True
                required = event.told.get("required")
                if required is not None and required != asked.evidence["amount"]:
                    raise event.wrong(f"required {dollars(required)} is not what {player} must lay")
                return Lay(f"{OWN}offered", player, box, "war", event.told["offered"])
        wrong = next(
            (s for s in self.script.stakes if s.refused and (s.zone, s.box, s.player) == ("war", box, player)), None
        )
        if wrong is not None:
            return self.script.lay(wrong)
        choice = instead or self.script.case.decisions.get((box, player))
        if not instead and choice is not None:
            self.script.asked_of.add((box, player))
        if choice == "war":
            stake = next((s for s in self.script.stakes if (s.zone, s.box, s.player) == ("war", box, player)), None)
            return self.script.lay(stake) if stake is not None else self.say(asked, "war")
        if choice is not None:
            return self.say(asked, "surrender" if choice == "surrender" else "decline")
        away = next((event for event in self.script.kinds("player_absent") if event.told["player"] == player), None)
        return self.script.fire(away) if away is not None else None

    def _on_surplus(self, asked: Asked) -> Action | None:
        event = self.script.about_card(int(asked.evidence["card"]), "excess_card")
        if event is not None:
            event.done = True
        seen = event is None or event.told.get("exposed", True)
        return self.say(asked, "seen" if seen else "unseen")

    def _on_unknown(self, asked: Asked) -> Action | None:
        event = self.script.about_card(int(asked.evidence["card"]), "unreadable_card")
        if event is not None:
            event.done = True
            face = str(event.told.get("face") or self.script.case.cards[event.card_index or 0])
            if face != UNKNOWN:
                return self.say(asked, "enter", event, face=face)
        if self.script.cards and (dealing.expected(self.game) or parse(self.script.cards[0]).kind == "unknown"):
            return None
        for named in self.script.kinds("hand_void", "misdeal", "round_void"):
            if named.stage in ("", self.script.reports.stage()):
                return self.script.fire(named)
        return self.say(asked, "void")

    def _on_wrong_deck(self, asked: Asked) -> Action:
        return self.say(asked, "void", self.ruling("foreign_card") or self.ruling("missing_card"))

    def _on_double(self, asked: Asked) -> Action:
        event = self.ruling("csm_double_deal")
        if event is not None and event.told.get("can_complete"):
            faces = [self.script.case.cards[self.script.drawn.index(int(asked.evidence["card"]) + at)] for at in (0, 1)]
            if any(face not in RANK for face in faces):
                raise event.wrong("a round that can be completed needs cards whose order is told")
            return self.say(asked, "order", event, faces=faces)
        return self.say(asked, "void", event)

    def _on_misplaced(self, asked: Asked) -> Action:
        event = self.ruling("placement_error")
        return self.say(asked, "rule", event, withdraw=_leaving(event))

    def _on_silent(self, asked: Asked) -> Action:
        return self.say(asked, "surrender", self.ruling("player_absent"))

    def _on_device(self, asked: Asked) -> Action:
        event = self.script.reports.device
        if event.told.get("can_complete"):
            return self.say(asked, "go_on")
        boxes = event.told.get("void_boxes")
        return self.say(asked, "void", event, **({"boxes": boxes} if boxes is not None else {}))

    def _on_device_harm(self, asked: Asked) -> Action:
        return self._yes(asked, self.script.reports.device.told.get("disadvantage", False))

    def _on_device_spare(self, asked: Asked) -> Action:
        return self._yes(asked, self.script.reports.device.told.get("spare", True))

    def _on_device_transfer(self, asked: Asked) -> Action:
        return self._yes(asked, self.script.reports.device.told.get("practicable", True))

    def _on_device_damage(self, asked: Asked) -> Action:
        damaged = self._damaged()
        harmed = bool(self.script.reports.device.told.get("damage") or damaged)
        return self._yes(asked, harmed, **({"damaged": damaged} if damaged else {}))

    def _on_device_shoe(self, asked: Asked) -> Action:
        event = self.script.reports.device
        return self.say(asked, "shoe", event, withdraw=_leaving(event), damaged=self._damaged())

    def _damaged(self) -> list[str]:
        return list(self.script.reports.device.told.get("damaged", []))

    def _yes(self, asked: Asked, yes: bool, **args: Any) -> Action:
        return self.say(asked, "yes" if yes else "no", self.script.reports.device, **args)


def _leaving(event: CaseEvent | None) -> list[str]:
    return [str(player) for player in event.told.get("withdrawing", [])] if event is not None else []
