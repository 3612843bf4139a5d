"""When the events of a case come about at the table, by which key, and whether they did."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from controller.games.war import dealing
from controller.games.war.state import DRAWING, IN_ROUND
from controller.rules import clauses
from lab.scenarios.war.acts import DEALER, Action, Press, Stop
from lab.scenarios.war.errors import BadCase
from lab.scenarios.war.happenings import Happening, level_of

if TYPE_CHECKING:
    from lab.scenarios.war.script import Script

WAR = ("war_burning", "war_dealing", "final")
AT_THE_END = (
    *("settled_as", "misplaced", "void_hand", "void_round", "misdeal", "cancel", "wrong_deck", "bad_cut"),
    *("invalid_stake", "order_shuffle", "card_touched", "void_player", "invalid_card", "choice_missed"),
)
"""Told as late as they can come, unless the case says when."""
EARLY = ("misplaced", "invalid_stake")
"""What is about the first deal unless the case says otherwise."""
TIMED = ("device", "empty", "wrong_deck", "dealer_card_missing", "skip_burn")
AFTERWARDS = ("mispaid", "dispute", "cancel", "invalid_card")
CLAIMS = {"no_stakes": "no_stakes", "shuffle_missed": "shuffle_missed", "feed_missed": "feed"}
"""Events that the table must notice by itself, and what it rules then."""


class Reports:
    """Who tells the table what went wrong, and when."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.game = script.game
        self._refused = True
        self._fields()

    @property
    def device(self) -> Happening:
        """What the case says of the shuffler's fault."""
        return next((event for event in self.script.events if event.kind == "device"), Happening("device", "", {}))

    def _fields(self) -> None:
        """Words that another house's rules know are no words here."""
        tree = ("disadvantage", "spare", "practicable", "damage", "damaged", "withdrawing")
        own = self.game.rules.remedies["device_fault"]
        hands = ("void_boxes", "can_complete") if own.returns == "hand" else ("can_complete",)
        allowed = tree if self.game.rules.cards.shuffler_fault == "step_by_step" else hands
        for event in self.script.kinds("device"):
            for field in event.told:
                if field in (*tree, "void_boxes", "can_complete") and field not in allowed:
                    text = f"{field!r} decides nothing under {self.script.case.rulebook}; {', '.join(allowed)} do"
                    raise BadCase(f"event {event.name!r}: {text}")
            if self.game.config.source != "csm":
                raise BadCase(f"event {event.name!r}: only a shuffler can stop; this table deals from a shoe")
        if self.script.kinds("no_stakes") and any(stake.stage == "initial" for stake in self.script.case.stakes):
            raise BadCase("event 'no_wagers': the case has wagers")
        for event in self.script.events:
            self._named(event)
            if event.kind in ("refused", "late") and not event.wagers and not self._flagged(event.kind):
                raise BadCase(f"event {event.name!r}: 'wager' is missing")
            if event.kind in EARLY:
                event.told.setdefault("stage", "first")

    def _named(self, event: Happening) -> None:
        """Wagers, players, boxes and clauses that an event names must be there."""
        case = self.script.case
        told = event.told
        players = [*event.players, *told.get("withdrawing", []), *told.get("forfeit", [])]
        boxes = [*told.get("void_boxes", []), *told.get("boxes", []), *([told["box"]] if "box" in told else [])]
        named: tuple[tuple[str, list[Any], set[Any]], ...] = (
            ("wager", [*event.wagers, *told.get("settled_as", {})], {stake.id for stake in case.stakes}),
            ("player", players, {stake.player for stake in case.stakes}),
            ("box", boxes, {stake.box for stake in case.stakes}),
        )
        for what, given, there in named:
            for one in given:
                if one not in there and event.kind not in ("reserve", "card_touched", "spoken"):
                    raise BadCase(f"event {event.name!r}: the case has no {what} {one!r}")
        for clause in [*told.get("clauses", []), *([told["clause"]] if "clause" in told else [])]:
            if not clauses.exists(case.rulebook, str(clause)):
                raise BadCase(f"event {event.name!r}: {case.rulebook} has no clause {clause!r}")

    def _flagged(self, flag: str) -> bool:
        return any(getattr(stake, flag) for stake in self.script.case.stakes)

    def stage(self) -> str:
        """The part of the round that cards are dealt for."""
        return "war" if self.game.part in WAR else "first"

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

    def _now(self, event: Happening, phase: str) -> Action | None:
        script, drawn = self.script, len(self.script.drawn)
        kind = event.kind
        if kind == "dealer_card_missing":
            return script.fire(event) if phase == "dealing" and dealing.expected(self.game) == "dealer" else None
        if kind in TIMED and (event.after_card is not None or kind in ("device", "empty")):
            return self._timed(event, phase)
        if kind == "skip_burn":
            burning = dealing.expected(self.game) in ("shoe-burn", "shoe-start-up")
            return script.fire(event) if burning and phase in DRAWING else None
        if kind == "surplus":
            return self._next_in_order(event, phase, drawn)
        if kind == "astray":
            return self._astray(event, phase, drawn)
        if kind == "house_chips":
            return self._house_chips(event, phase)
        if kind == "invalid_stake" and event.after_card is None:
            return script.fire(event) if phase in ("dealing", "interim") else None
        if kind == "passed_over":
            return script.fire(event) if phase in WAR and self._nothing_comes(phase) else None
        if kind == "misread":
            told = event.card_index == drawn - 1 and phase in (*DRAWING, "interim", "final", "ruling")
            return script.fire(event) if told else None
        if kind == "choice_missed":
            return self._wrongly_followed(event, phase)
        if kind == "absent" or (kind in ("void_player", "invalid_card") and event.stage in ("", "in_hand", "first")):
            now = phase == "interim" if event.after_card is None else self._due(event, phase)
            return script.fire(event) if now else None
        return script.fire(event) if kind in AT_THE_END and self._due(event, phase) else None

    def _timed(self, event: Happening, phase: str) -> Action | None:
        """At a number of cards, while another one is waited for, or when none is any more."""
        script = self.script
        waiting = phase in DRAWING and bool(dealing.expected(self.game))
        if event.after_card is None:
            now = waiting and not script.cards
        else:
            now = event.after_card == len(script.drawn) and (waiting or self._nothing_comes(phase))
        if not now:
            return None
        if event.kind == "device":
            event.done = True
            return Stop("jam")
        return script.fire(event)

    def _nothing_comes(self, phase: str) -> bool:
        script = self.script
        return not script.cards and not script.stakes_to_lay(phase) and self._at_rest(phase)

    def _due(self, event: Happening, phase: str) -> bool:
        """Where the case says, else when nothing more comes."""
        script = self.script
        if phase not in (*IN_ROUND, "ruling") or event.stage in ("after", "before"):
            return False
        if event.after_card is not None:
            return event.after_card == len(script.drawn)
        if event.stage == "first":
            return self.stage() == "first" and (phase == "interim" or self._nothing_comes(phase))
        if event.stage in ("war", "in_hand") and self.stage() == "first":
            return False
        return (phase == "final" and event.stage == "war") or self._nothing_comes(phase)

    def _next_in_order(self, event: Happening, phase: str, drawn: int) -> Action | None:
        """A card pulled for a place that had one already is the next in order."""
        pulled_for = str(event.told.get("pulled_for", ""))
        index = event.card_index if event.card_index is not None or pulled_for in ("", "dealer") else drawn - 1
        taken = phase in ("interim", "final") or (phase in DRAWING and bool(dealing.expected(self.game)))
        return self.script.fire(event) if taken and index is not None and index == drawn - 1 else None

    def _astray(self, event: Happening, phase: str, drawn: int) -> Action | None:
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

    def _house_chips(self, event: Happening, phase: str) -> Action | None:
        if phase not in WAR:
            return None
        event.done = True
        args = {"box": event.told["box"], "amount": round(event.told["amount"] * 100)}
        return Press("house_chips", args, about=event.name)

    def _wrongly_followed(self, event: Happening, phase: str) -> Action | None:
        """A choice was carried out as the other one: told once the cards of that are on the table."""
        script = self.script
        if not event.told.get("acted_as") or phase not in (*WAR, "choosing"):
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
        absent = any(event.kind == "absent" for event in self.script.events)
        return absent or any(place in tied for place in self.script.case.decisions)

    # -- how ---------------------------------------------------------------------------------------------------

    def press(self, event: Happening) -> Action:
        """The key, with what the case tells, by the rank it names or one that may."""
        name, args = self._key(event)
        key = self.game.keys.get(name)
        if key is None:
            raise BadCase(f"event {event.name!r}: {self.script.case.rulebook} gives nobody this power")
        level = level_of(event, self.game.table.house.rulebook)
        self.script.replies.must(event, level, key.rank, key.clause)
        return Press(name, args, max(key.rank, level, DEALER), event.name)

    def _key(self, event: Happening) -> tuple[str, dict[str, Any]]:
        told = event.told
        plain = ("player", "box", "wager", "reason", "most")
        args: dict[str, Any] = {name: told[name] for name in plain if name in told}
        match event.kind:
            case "misplaced":
                return "misplaced", {"withdraw": [str(player) for player in told.get("withdrawing", [])]}
            case "settled_as":
                wager = next(iter(told["settled_as"]))
                how = told["settled_as"].pop(wager)
                event.done = not told["settled_as"]
                return "settled_as", {"wager": wager, "result": how}
            case "cancel":
                reason = str(told.get("reason") or event.name)
                fraud = "fraud" in reason
                return "cancel", {"reason": "fraud" if fraud else reason, "forfeit": told.get("forfeit", [])}
            case "astray":
                return "astray", {"card": self.script.drawn[told["card_index"]]}
            case "misread":
                index = told["card_index"]
                return "misread", {"card": self.script.drawn[index], "face": self.script.case.cards[index]}
            case "wrong_deck":
                words = event.name.replace("_", " ")
                return "wrong_deck", {"what": f"{words}: {told['card']}" if "card" in told else words}
            case "surplus":
                return "surplus", {"sight": ""}
            case "empty":
                return "shoe_empty", {}
            case "replaced":
                return "replace_cards", {"why": str(told.get("reason") or event.name)}
            case "order_shuffle":
                return "order_shuffle", {"reason": str(told.get("reason") or event.name)}
            case "mispaid":
                return "mispaid", {**args, "paid": round(told["paid"] * 100), "due": round(told["due"] * 100)}
            case "dispute":
                return "dispute", {"text": told.get("text", ""), "decision": told["decision"]}
            case "spoken":
                spoken = {"amount": round(told.get("amount", 0) * 100), "money": told.get("money", False)}
                return "spoken", {**args, **spoken, "zone": told.get("type", "main")}
            case _:
                return event.kind, args

    # -- afterwards --------------------------------------------------------------------------------------------

    def after_round(self) -> Action | None:
        """What comes to light when the round is over."""
        for event in self.script.kinds(*AFTERWARDS):
            if event.kind in ("mispaid", "dispute") or event.stage == "after":
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
            elif event.kind == "no_card":
                mine = [stake for stake in self.game.state.round.stakes if stake.player == event.told["player"]]
                event.done = bool(mine) and all(stake.status == "refused" for stake in mine)
        status = {stake.id: stake.status for stake in self.game.state.round.stakes}
        self._refused = all(status.get(wager) == "refused" for wager in self.script.refused())

    def not_come_about(self) -> list[str]:
        """Events of the case that never came about, and refusals that did not."""
        script = self.script
        found = [f"event {event.name!r} never came about" for event in script.events if not event.done]
        if not self._refused:
            found.append(f"the table did not refuse all of {', '.join(sorted(script.refused()))}")
        return found

    def notes(self) -> list[str]:
        """Choices of the case that the table never came to."""
        script = self.script
        places = [place for place in script.case.decisions if place not in script.asked_of]
        return [f"{player} on box {box} was never asked to decide" for box, player in places]
