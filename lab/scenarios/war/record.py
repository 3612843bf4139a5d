"""Writes a round of Casino War down as it was played, rulings included, so that `tablectl scenario` plays it again."""

from __future__ import annotations

from typing import Any

from controller.core.effects import Noted, Ruled, refusal_of
from controller.core.events import Command
from controller.core.runtime import Told
from controller.games.war.cards import FOREIGN, UNKNOWN
from controller.games.war.game import WarGame
from drivers.cards import CardDrawn, CardPushedBack, CardUnread, CuttingCard, TwoDrawn
from drivers.events import DeviceTrouble
from lab.scenarios.file import dollars
from lab.scenarios.forms import keys_of, written
from lab.scenarios.war.script import PREFACE

Step = dict[str, Any]
ELSEWHERE = (
    *("open", "close", "close_now", "assign", "sit", "fill", "credit", "buy_in", "float_explained", "clear_fault"),
    *("place_bets", "check_cards", "resume", "give_up_opening", "marker", "personal_limit", "change_limits"),
)
"""Keys that a case needs none of, because it begins at an open table and moves chips by itself."""


OTHER_CARDS = ("order_check", "replace_cards", "notified", "deck_checked", "set_aside", "replace_card")
"""What people did about the cards before the shuffle; a case begins with a set that is right."""


class WarRecord:
    """What people and devices did since the round began, as steps of a case."""

    def __init__(self, game: WarGame) -> None:
        self._game = game
        self._begin()

    def _begin(self) -> None:
        state = self._game.state
        self._steps: list[Step] = []
        self._laid: dict[str, Step] = {}
        self._names: dict[str, str] = {}
        self._warned, self._allowed = list(state.players.warned), list(state.players.several)
        special = (
            state.shoe.carried,
            state.players.kept_minimum,
            state.house.withheld,
            state.house.barred,
            state.players.reserved,
        )
        self._of_its_own = not any(special) and not self._game.table.state.personal

    # -- following the table -----------------------------------------------------------------------------------

    def told(self, told: Told) -> None:
        """One event and what came of it."""
        event = told.event
        if isinstance(event, Command):
            self._pressed(event, told)
        else:
            self._drawn(event)
        self._stakes()
        for effect in told.effects:
            if isinstance(effect, Noted) and effect.what == "house_chips":
                self._add("house_chips", box=effect.facts["box"], amount=dollars(effect.facts["amount"]))
            if isinstance(effect, Noted) and effect.what == "device_lost" and effect.facts["evidence_gone"]:
                self._of_its_own = False

    def _add(self, do: str, **fields: Any) -> None:
        self._steps.append({"do": do, **fields})

    def _pressed(self, event: Command, told: Told) -> None:
        if refusal_of(event.name, told.effects) is not None:
            return
        if event.name == "place_bets" and self._game.machine.state not in ("over", "closed"):
            self._begin()
        ladder = self._game.table.house.rulebook.ladder
        rank = ladder[min(max(event.by.rank, 1), len(ladder)) - 1]
        key = keys_of(self._game.table).get(event.name)
        told_args = {name: value for name, value in event.args.items() if name not in ("prompt", "answer")}
        args = written(key, told_args) if key is not None else told_args
        if event.name == "answer":
            ruled = (effect for effect in told.effects if isinstance(effect, Ruled))
            subject = next((one.subject for one in ruled if one.prompt == event.args.get("prompt")), "")
            self._add("answer", subject=subject, answer=event.args["answer"], rank=rank, args=args)
        elif event.name == "settled":
            self._add("settle")
        elif event.name not in (*ELSEWHERE, "house_chips"):
            self._add("press", key=event.name, rank=rank, args=args)

    def _drawn(self, event: object) -> None:
        match event:
            case CardDrawn(card=card, face_up=face_up):
                self._add("draw", cards=[card + "^" * face_up])
            case CardUnread(why=why, face_up=face_up, seen=seen):
                face = FOREIGN if why in ("joker", "foreign") else UNKNOWN
                if face_up and seen and face == UNKNOWN:
                    face = seen[0][0]
                self._add("draw", cards=[face + "^" * face_up])
            case CuttingCard():
                self._add("draw", cards=["CUT"])
            case TwoDrawn(cards=cards, order_known=known):
                self._add("draw", cards=[card or UNKNOWN for card in cards], how="two", order_known=known)
            case CardPushedBack(told=told):
                if told and self._steps and self._steps[-1]["do"] == "draw":
                    self._steps.pop()  # what was told of it is taken back in the same breath
                self._add("draw", how="half", after_read=told)
            case DeviceTrouble(code="jam"):
                self._add("jam")

    def _stakes(self) -> None:
        """Stakes that are new, or not what they were."""
        state = self._game.state
        for stake in state.round.stakes:
            step = self._laid.get(stake.id)
            if step is None:
                name = self._names.setdefault(stake.id, f"w{len(self._names) + 1}")
                amount = dollars(stake.amount)
                self._add("lay", wager=name, player=stake.player, box=stake.box, zone=stake.zone, amount=amount)
                self._laid[stake.id] = self._steps[-1]
                if stake.token:
                    self._steps[-1]["token"] = True
            elif not state.round.started:
                step["amount"] = dollars(stake.amount)
        if not state.round.started:
            lying = {stake.id for stake in state.round.stakes}
            for lifted in [wager for wager in self._laid if wager not in lying]:
                self._steps = [step for step in self._steps if step is not self._laid[lifted]]
                del self._laid[lifted]

    # -- the case ----------------------------------------------------------------------------------------------

    def case(self, facts: dict[str, Any]) -> dict[str, Any] | None:
        """The round that is just over, in steps; None where it rests on something from before it."""
        if not self._of_its_own or not self._tellable():
            return None
        names = self._names
        results = [(names[wager], *rest) for wager, *rest in facts["results"] if wager in names]
        return {
            "steps": self._told_anew(),
            "expected": [
                {"wager": wager, "result": result, "pays": dollars(pays), "stake_taken": dollars(taken),
                 "stake_returned": dollars(back)}
                for wager, result, pays, taken, back in results
            ],
        }  # fmt: skip

    def _tellable(self) -> bool:
        """A card that cannot be because of earlier rounds, or a lost memory, has its cause before this round."""
        subjects = {step.get("subject") for step in self._steps}
        wrong = any(step.get("key") == "wrong_deck" or FOREIGN in step.get("cards", []) for step in self._steps)
        return "unseen" not in subjects and ("wrong_deck" not in subjects or wrong)

    def _told_anew(self) -> list[Step]:
        """The steps behind an opening of their own, numbers of cards as they are then."""
        steps = [self._named(step) for step in self._steps]
        shuffled = next((at for at, step in enumerate(steps) if step.get("key") == "shuffled"), len(steps))
        first_card = next((at for at, step in enumerate(steps) if step["do"] == "draw"), len(steps))
        opening: list[Step] = [{"do": "press", "key": "check_cards", "args": {"how": "by hand"}}]
        top = self._game.table.house.rulebook.ladder[-1]
        burned: list[str] = []
        if shuffled < first_card:
            cut = [at for at, step in enumerate(steps[:first_card]) if step.get("subject") == "cut"]
            for at in cut:
                steps[at] |= {"answer": "cut", "rank": top}  # who was at the table before is no part of the case
            gone = [at for at, step in enumerate(steps[:first_card]) if step.get("key") in OTHER_CARDS] + cut[:-1]
            steps = [step for at, step in enumerate(steps) if at not in gone]
        else:
            burned = self._burn()
            opening.append({"do": "press", "key": "shuffled"})
            if self._game.config.source == "shoe":
                opening.append({"do": "answer", "subject": "cut", "answer": "cut", "rank": top})
            opening += [{"do": "draw", "cards": [card]} for card in burned]
        for step in steps:
            _shift(step, len(burned))
        coming = [card for step in (*opening, *steps) if step["do"] == "draw" for card in step.get("cards", [])]
        opening.insert(1, {"do": "load", "next": coming})
        return [*opening, *self._people(steps), *steps]

    def _people(self, steps: list[Step]) -> list[Step]:
        """Player cards, leave and warnings from before the round; one with an opening of its own has them in it."""
        top = self._game.table.house.rulebook.ladder[-1]
        carded = self._game.rules.wagers.player_card
        seats = dict.fromkeys((step["player"], step["box"]) for step in steps if step["do"] == "lay")
        known = {*self._allowed, *self._warned}
        came = [(who, box) for who, box in seats if carded or who in known]
        key = "player_card" if carded else "sit"
        told: list[Step] = [{"do": "press", "key": key, "args": {"player": who, "box": box}} for who, box in came]
        told += [{"do": "press", "key": "allow_several", "rank": top, "args": {"player": who}} for who in self._allowed]
        return told + [{"do": "press", "key": "warned", "args": {"player": who}} for who in self._warned]

    def _burn(self) -> list[str]:
        """What a fresh table burns before its first round."""
        rules, config = self._game.rules.shoe, self._game.config
        if rules.start_burn_optional and not config.start_burn:
            return []
        if config.source == "csm" and rules.start_burn_from_shuffler == "never":
            return []
        return list(PREFACE[rules.start_burn])

    def _named(self, step: Step) -> Step:
        """Wagers by the names that they have in the case."""
        args = dict(step.get("args") or {})
        if args.get("wager") in self._names:
            args["wager"] = self._names[args["wager"]]
        return {**step, "args": args} if args else {key: value for key, value in step.items() if key != "args"}


def _shift(step: Step, by: int) -> None:
    """Cards are counted from the opening on, which belongs to the round of a case."""
    if by and isinstance(step.get("args", {}).get("card"), int):
        step["args"]["card"] += by
    subject, colon, number = str(step.get("subject", "")).partition(":")
    if by and colon and subject in ("surplus", "unknown"):
        step["subject"] = f"{subject}:{int(number) + by}"
