"""When the events of a case come about at the table, by which key, and whether they did."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from controller.games.war import dealing
from controller.games.war.state import DRAWING, IN_ROUND
from lab.scenarios.war.acts import DEALER, Action, Press, Stop
from lab.scenarios.war.case import CaseEvent
from lab.scenarios.war.words import KEY

if TYPE_CHECKING:
    from lab.scenarios.war.script import Script

WAR = ("war_burning", "war_dealing", "final")
AT_THE_END = (
    *("late_discovery", "placement_error", "hand_void", "round_void", "misdeal", "invalidated", "fraud"),
    *("missing_card", "bad_cut", "invalid_wager", "shuffle_ordered", "card_touched", "player_voided"),
    "invalid_player_card",
)
"""Told as late as they can come, unless the case says when."""
EARLY = ("placement_error", "invalid_wager")
"""What is about the first deal unless the case says otherwise."""
TIMED = ("csm_malfunction", "shoe_empty", "missing_card")
AFTERWARDS = ("mispayment", "dispute", "invalidated", "fraud", "invalid_player_card")
CLAIMS = {"no_wagers": "no_stakes", "shuffle_missed": "shuffle_missed", "feed_missed": "feed"}
"""Events that the table must notice by itself, and what it rules then."""


class Reports:
    """Who tells the table what went wrong, and when."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.game = script.game
        self._refused = True
        self._fields()

    @property
    def device(self) -> CaseEvent:
        """What the case says of the shuffler's fault."""
        return next(
            (event for event in self.script.events if event.kind == "csm_malfunction"),
            CaseEvent("csm_malfunction", "", {}),
        )

    def _fields(self) -> None:
        """Words that another house's rules know are no words here."""
        tree = ("disadvantage", "spare", "practicable", "damage", "damaged", "withdrawing")
        own = self.game.rules.remedies["device_fault"]
        hands = ("void_boxes", "can_complete") if own.returns == "hand" else ("can_complete",)
        allowed = tree if self.game.rules.cards.shuffler_fault == "step_by_step" else hands
        for event in self.script.kinds("csm_malfunction"):
            for field in event.told:
                if field in (*tree, "void_boxes", "can_complete") and field not in allowed:
                    raise event.wrong(
                        f"{field!r} decides nothing under {self.script.case.rulebook}; {', '.join(allowed)} do"
                    )
            if self.game.config.source != "csm":
                raise event.wrong("only a shuffler can stop; this table deals from a shoe")
        for event in self.script.kinds("no_wagers"):
            if any(stake.stage == "initial" for stake in self.script.case.stakes):
                raise event.wrong("the case has wagers")
        for event in self.script.events:
            self._named(event)
            flag = {"refused": "refused", "late_bet": "late"}.get(event.kind)
            if flag and not event.wagers and not self._flagged(flag):
                raise event.wrong("'wager' is missing")
            if event.kind in EARLY:
                event.told.setdefault("stage", "initial")

    def _named(self, event: CaseEvent) -> None:
        """Wagers, players and boxes that an event names must be there."""
        case = self.script.case
        told = event.told
        players = [*event.players, *told.get("withdrawing", []), *told.get("forfeit", [])]
        boxes = [*told.get("void_boxes", []), *([told["box"]] if "box" in told else [])]
        named: tuple[tuple[str, list[Any], set[Any]], ...] = (
            ("wager", [*event.wagers, *told.get("settled_as", {})], {stake.id for stake in case.stakes}),
            ("player", players, {stake.player for stake in case.stakes}),
            ("box", boxes, {stake.box for stake in case.stakes}),
        )
        for what, given, there in named:
            for one in given:
                if one not in there and event.kind not in ("box_reserved", "card_touched", "spoken_bet"):
                    raise event.wrong(f"the case has no {what} {one!r}")

    def _flagged(self, flag: str) -> bool:
        return any(getattr(stake, flag) for stake in self.script.case.stakes)

    def stage(self) -> str:
        """The part of the round that cards are dealt for."""
        return "war" if self.game.part in WAR else "initial"

    # -- when --------------------------------------------------------------------------------------------------

    def next(self, phase: str) -> Action | None:
        """The report whose time has come."""
        for event in self.script.events:
            if event.done:
                continue
            action = self._now(event, phase)
            if action is not None:
                return action
        return None

    def _now(self, event: CaseEvent, phase: str) -> Action | None:
        script, drawn = self.script, len(self.script.drawn)
        kind = event.kind
        if kind == "dealer_first_card_missing":
            return script.fire(event) if phase == "dealing" and dealing.expected(self.game) == "dealer" else None
        if kind in TIMED and (event.after_card is not None or kind in ("csm_malfunction", "shoe_empty")):
            return self._timed(event, phase)
        if kind == "burn_skipped":
            burning = dealing.expected(self.game) in ("shoe-burn", "shoe-start-up")
            return script.fire(event) if burning and phase in DRAWING else None
        if kind == "excess_card":
            return self._next_in_order(event, phase, drawn)
        if kind == "war_card_without_wager":
            return self._astray(event, phase, drawn)
        if kind == "house_chips_placed":
            return self._house_chips(event, phase)
        if kind == "invalid_wager" and event.after_card is None:
            return script.fire(event) if phase in ("dealing", "interim") else None
        if kind == "war_area_skipped":
            return script.fire(event) if phase in WAR and self._nothing_comes(phase) else None
        if kind == "misread_card":
            told = event.card_index == drawn - 1 and phase in (*DRAWING, "interim", "final", "ruling")
            return script.fire(event) if told else None
        if kind == "decision_misapplied":
            return self._wrongly_followed(event, phase)
        if kind == "player_absent" or (
            kind in ("player_voided", "invalid_player_card") and event.stage in ("", "in_hand", "initial")
        ):
            now = phase == "interim" if event.after_card is None else self._due(event, phase)
            return script.fire(event) if now else None
        return script.fire(event) if kind in AT_THE_END and self._due(event, phase) else None

    def _timed(self, event: CaseEvent, phase: str) -> Action | None:
        """At a number of cards, while another one is waited for, or when none is any more."""
        script = self.script
        waiting = phase in DRAWING and bool(dealing.expected(self.game))
        if event.after_card is None:
            now = waiting and not script.cards
        else:
            now = event.after_card == len(script.drawn) and (waiting or self._nothing_comes(phase))
        if not now:
            return None
        if event.kind == "csm_malfunction":
            event.done = True
            return Stop("jam")
        return script.fire(event)

    def _nothing_comes(self, phase: str) -> bool:
        script = self.script
        return not script.cards and not script.stakes_to_lay(phase) and self._at_rest(phase)

    def _due(self, event: CaseEvent, phase: str) -> bool:
        """Where the case says, else when nothing more comes."""
        script = self.script
        if phase not in (*IN_ROUND, "ruling") or event.stage in ("after_settlement", "before"):
            return False
        if event.after_card is not None:
            return event.after_card == len(script.drawn)
        if event.stage == "initial":
            return self.stage() == "initial" and (phase == "interim" or self._nothing_comes(phase))
        if event.stage in ("war", "in_hand") and self.stage() == "initial":
            return False
        return (phase == "final" and event.stage == "war") or self._nothing_comes(phase)

    def _next_in_order(self, event: CaseEvent, phase: str, drawn: int) -> Action | None:
        """A card pulled for a place that had one already is the next in order."""
        pulled_for = str(event.told.get("pulled_for", ""))
        index = event.card_index if event.card_index is not None or pulled_for in ("", "dealer") else drawn - 1
        taken = phase in ("interim", "final") or (phase in DRAWING and bool(dealing.expected(self.game)))
        return self.script.fire(event) if taken and index is not None and index == drawn - 1 else None

    def _astray(self, event: CaseEvent, phase: str, drawn: int) -> Action | None:
        if phase not in WAR:
            return None
        index = event.card_index
        if index is None:
            before = sum(1 for at in self.script.drawn if at < self._first_war_card())
            left = {stake.box for stake in self.game.state.round.war_stakes() if stake.box < event.told.get("box", 99)}
            index = before + self.game.rules.war.burns + len(left)
        if index != drawn - 1:
            return None
        event.told["card_index"] = index
        return self.script.fire(event)

    def _first_war_card(self) -> int:
        state = self.game.state
        turn = [at for at, card in enumerate(state.round.drawn) if not card.place]
        stages = [slot.stage for slot in state.round.slots]
        return next((at for at, stage in zip(turn, stages, strict=False) if stage == "war"), len(state.round.drawn))

    def _house_chips(self, event: CaseEvent, phase: str) -> Action | None:
        if phase not in WAR:
            return None
        event.done = True
        args = {"box": event.told["box"], "amount": event.told["amount"]}
        return Press("house_chips", args, about=event.name)

    def _wrongly_followed(self, event: CaseEvent, phase: str) -> Action | None:
        """A choice was carried out as the other one: told once the cards of that are on the table."""
        script = self.script
        if phase not in (*WAR, "choosing"):
            return None
        if script.early < 0:
            script.early = len(script.drawn) + len(event.told.get("requeued", []))
        over = len(script.drawn) >= script.early or not script.cards
        return script.fire(event) if over and not self.game.asked("choice:") else None

    def _at_rest(self, phase: str) -> bool:
        """Nothing more comes by itself: a card is waited for and none is left, or only the chips are to be moved."""
        if phase in ("interim", "final"):
            later = phase == "interim" and bool(self.game.state.round.tied_mains()) and self._choices_left()
            return not later
        return phase in (*IN_ROUND, "ruling") and not (phase == "choosing" and self._choices_left())

    def _choices_left(self) -> bool:
        tied = {(main.box, main.player) for main in self.game.state.round.tied_mains()}
        absent = any(event.kind == "player_absent" for event in self.script.events)
        return absent or any(place in tied for place in self.script.case.decisions)

    # -- how ---------------------------------------------------------------------------------------------------

    def press(self, event: CaseEvent) -> Action:
        """The key, with what the case tells, by the rank it names or one that may."""
        name, args = self._key(event)
        key = self.game.keys.get(name)
        if key is None:
            raise event.wrong(f"{self.script.case.rulebook} gives nobody this power")
        level = event.level(self.game.table.house.rulebook)
        self.script.replies.must(event, level, key.rank, key.clause)
        return Press(name, args, max(key.rank, level, DEALER), event.name)

    def _key(self, event: CaseEvent) -> tuple[str, dict[str, Any]]:
        told, key = event.told, KEY[event.kind]
        plain = ("player", "box", "wager", "reason", "most", "paid", "due", "decision")
        args: dict[str, Any] = {name: told[name] for name in plain if name in told}
        match event.kind:
            case "placement_error":
                args = {"withdraw": told["withdrawing"]} if told.get("withdrawing") else {}
            case "late_discovery":
                wager = next(iter(told["settled_as"]))
                args = {"wager": wager, "result": told["settled_as"].pop(wager)}
                event.done = not told["settled_as"]
            case "invalidated" | "fraud":
                cause = "fraud" if "fraud" in (told.get("reason"), event.name) else "disruption"
                args = {"reason": cause, **({"forfeit": told["forfeit"]} if told.get("forfeit") else {})}
            case "war_card_without_wager":
                args = {"card": self.script.drawn[told["card_index"]]}
            case "misread_card":
                index = told["card_index"]
                args = {"card": self.script.drawn[index], "face": self.script.case.cards[index]}
            case "missing_card":
                args = {"what": " ".join(["missing card:", told["card"]]) if "card" in told else "missing card"}
            case "excess_card":
                args = {"sight": ""}
            case "cards_replaced":
                args = {"why": told.get("reason", event.name)}
            case "shuffle_ordered":
                args = {"reason": told.get("reason", event.name)}
            case "dispute":
                args["text"] = told.get("text", "")
            case "spoken_bet":
                spoken = {"amount": told.get("amount", 0), "money": told.get("money", False)}
                args |= {**spoken, "zone": told.get("type", "main")}
        return key, args

    # -- afterwards --------------------------------------------------------------------------------------------

    def after_round(self) -> Action | None:
        """What comes to light when the round is over."""
        for event in self.script.kinds(*AFTERWARDS):
            if event.kind in ("mispayment", "dispute") or event.stage == "after_settlement":
                return self.script.fire(event)
        return None

    def conclude(self) -> None:
        """The round is over: what the table should have noticed by itself."""
        ruled = {ruling.what for ruling in self.game.state.round.rulings}
        for event in self.script.events:
            if event.kind in CLAIMS:
                event.done = CLAIMS[event.kind] in ruled
            elif event.kind == "refused":
                event.done = True  # held against the layout below
            elif event.kind == "new_shoe":
                event.done = True
            elif event.kind == "player_card_not_shown":
                mine = [stake for stake in self.game.state.round.stakes if stake.player == event.told["player"]]
                event.done = bool(mine) and all(stake.status == "refused" for stake in mine)
        status = {stake.id: stake.status for stake in self.game.state.round.stakes}
        self._refused = all(status.get(wager) == "refused" for wager in self.script.refused())

    def not_come_about(self) -> list[str]:
        """Events, refusals and choices of the case that never came about."""
        script = self.script
        found = [f"event {event.name!r} never came about" for event in script.events if not event.done]
        if not self._refused:
            found.append(f"the table did not refuse all of {', '.join(sorted(script.refused()))}")
        places = [place for place in script.case.decisions if place not in script.asked_of]
        return found + [f"{player} on box {box} was never asked to decide" for box, player in places]
