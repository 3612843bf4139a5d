"""A shuffler's fault during a round: each house's own way, Star's tree 12.1 to 12.5 step by step."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from controller.core.desk import Ask, Refusal
from controller.core.effects import Asked
from controller.core.questions import Answer
from controller.games.war import booking, rulings, settle, shoe
from controller.games.war.asking import WITHDRAW, WarQuestion, boxes, card_told
from controller.games.war.cards import face_in_words
from controller.games.war.play import War
from controller.games.war.state import DRAWING
from controller.people import Person

BOXES = Ask("boxes", "numbers", "Boxes that are void, all of the round if none is named", optional=True,
            offered=boxes)  # fmt: skip
DAMAGED = Ask("damaged", "cards", "Damaged cards (such as 5H, JD)", optional=True)


def stopped(game: War, cause: str) -> None:
    """The shuffler can no longer work; a round that needs no more cards is not concerned."""
    phase = game.machine.state
    if phase not in DRAWING or game.state.supply.source != "csm":
        clauses = game.rules.remedies["device_fault"].clauses
        game.desk.note("device_stopped", clauses, cause=cause, phase=phase)
    elif game.rules.cards.shuffler_fault == "step_by_step":
        game.hold("device_harm", cause)
    else:
        game.hold("device", cause)


class Device(WarQuestion):
    """The shuffler stopped in the middle of a deal."""

    subject, proposal = "device", "void"
    answers = (
        Answer("void", "The round cannot be completed", "", (BOXES,)),
        Answer("go_on", "The fault is cleared, go on", "report"),
    )

    def text(self, game: War, about: str) -> str:
        boxes = ", ".join(map(str, _affected(game)))
        return f"The shuffler stopped: {about.rstrip('.')}. Boxes still without their cards: {boxes}."

    def evidence(self, game: War, about: str) -> dict[str, Any]:
        return {"cause": about, "boxes": _affected(game)}

    def offered(self, game: War, about: str) -> tuple[Answer, ...]:
        void, go_on = self.answers
        return void._replace(power=game.rules.remedies["device_fault"].power), go_on

    def why(self, game: War, about: str) -> tuple[str, ...]:
        return game.rules.remedies["device_fault"].clauses

    def asks_now(self, game: War, asked: Asked, answer: Answer) -> tuple[Ask, ...]:
        """Where the whole round is void there is nothing to name."""
        return answer.asks if game.rules.remedies["device_fault"].returns == "hand" else ()

    def go_on(self, game: War, asked: Asked, by: Person) -> None:
        game.ruled("device", "completed", by, game.rules.remedies["device_fault"].clauses)
        rulings.go_on(game)

    def void(self, game: War, asked: Asked, by: Person, *, boxes: tuple[int, ...] = ()) -> None:
        remedy = game.rules.remedies["device_fault"]
        if remedy.returns == "hand":
            for box in boxes or asked.evidence["boxes"]:
                rulings.void_box(game, int(box), remedy, by)
            rulings.after_void_boxes(game)
            return
        game.ruled("device", "void", by, remedy.clauses)
        booking.void_round(game, remedy.returns, remedy.clauses)


def _affected(game: War) -> list[int]:
    """Hands that cannot be decided: all of this part of the round, since the dealer's card comes last."""
    stage = shoe.stage_to_resume(game)
    places = [slot.place for slot in game.state.round.slots if slot.stage == stage and slot.place.startswith("box")]
    return [int(place.removeprefix("box")) for place in places]


# -- the tree ------------------------------------------------------------------------------------------------------


class Step(WarQuestion):
    """A step of the tree; the proposed answer goes on down the list."""

    clause: ClassVar[str]
    words: ClassVar[str]
    answers = (Answer("yes", "Yes", "void_device"), Answer("no", "No", "void_device"))

    def text(self, game: War, about: str) -> str:
        return self.words

    def evidence(self, game: War, about: str) -> dict[str, Any]:
        return {"step": self.subject.removeprefix("device_"), "cause": about}

    def why(self, game: War, about: str) -> tuple[str, ...]:
        return self.clause, "12.1.2"

    def said(self, game: War, answer: str, by: Person) -> None:
        game.ruled(self.subject, answer, by, (self.clause,))


class Harm(Step):
    """Whether somebody suffers by the fault."""

    subject, proposal, clause = "device_harm", "no", "12.1.3"
    words = "Was the house or a player put at a disadvantage by the fault?"

    def yes(self, game: War, asked: Asked, by: Person) -> None:
        self.said(game, "yes", by)
        remedy = game.rules.remedies["device_fault"]
        booking.void_round(game, remedy.returns, remedy.clauses)

    def no(self, game: War, asked: Asked, by: Person) -> None:
        self.said(game, "no", by)
        game.hold("device_spare", asked.evidence["cause"])


class Spare(Step):
    """Whether there is another device."""

    subject, proposal, clause = "device_spare", "yes", "12.1.4"
    words = "Is another shuffling device at hand?"

    def yes(self, game: War, asked: Asked, by: Person) -> None:
        self.said(game, "yes", by)
        game.hold("device_transfer", asked.evidence["cause"])

    def no(self, game: War, asked: Asked, by: Person) -> None:
        self.said(game, "no", by)
        game.ask("device_shoe")


class Transfer(Step):
    """Whether the cards can be moved over to it."""

    subject, proposal, clause = "device_transfer", "yes", "12.1.5"
    words = "Can the cards be moved over to it?"

    def yes(self, game: War, asked: Asked, by: Person) -> None:
        self.said(game, "yes", by)
        game.hold("device_damage", asked.evidence["cause"])

    def no(self, game: War, asked: Asked, by: Person) -> None:
        self.said(game, "no", by)
        game.ask("device_shoe")


class Exchange(WarQuestion):
    """Damaged cards are named, and none more often than the set holds it."""

    def check(self, game: War, asked: Asked, answer: str, given: dict[str, Any]) -> None:
        damaged = _faces(given.get("damaged", ()))
        for face in damaged:
            if damaged.count(face) > game.state.shoe.cards.decks:
                times, decks = damaged.count(face), game.state.shoe.cards.decks
                text = f"{face_in_words(face)} cannot be damaged {times} times in {decks} decks."
                raise Refusal("bad_card", text, ("12.3.1",))


class Damage(Exchange, Step):
    """Whether cards were damaged: they leave, others of the same face come in, and the round goes on."""

    subject, proposal, clause = "device_damage", "no", "12.2"
    words = "Was any card damaged?"
    answers = (Answer("yes", "Yes", "void_device", (DAMAGED,)), Answer("no", "No", "void_device"))

    def yes(self, game: War, asked: Asked, by: Person, *, damaged: tuple[str, ...] = ()) -> None:
        self.said(game, "yes", by)
        faces = _exchanged(game, damaged, ("12.3.1", "12.3.3"))
        clauses = ("12.3.1", "12.3.2", "12.3.3", "12.3.4")
        game.ruled("device", f"damaged cards replaced ({', '.join(faces) or 'none named'})", by, clauses)
        rulings.go_on(game)

    def no(self, game: War, asked: Asked, by: Person) -> None:
        """All cards move over and the round goes on."""
        self.said(game, "no", by)
        game.ruled("device", "cards moved to another device, the round goes on", by, ("12.2",))
        rulings.go_on(game)


def _faces(damaged: Iterable[str]) -> list[str]:
    return [card_told(face) for face in damaged]


def _exchanged(game: War, damaged: Iterable[str], clauses: tuple[str, ...]) -> list[str]:
    """The set stays whole: one of the same face comes in from a new deck for each that leaves."""
    faces = _faces(damaged)
    game.desk.note("damaged", clauses, cards=faces, replaced_from="new deck")
    return faces


class FinishFromShoe(Exchange):
    """No second device: everybody may take open stakes back, the others finish from a shoe."""

    subject, proposal = "device_shoe", "shoe"
    clauses = ("12.5.1", "12.5.4")
    answers = (
        Answer("shoe", "Finish from a shoe", "void_device", (WITHDRAW, DAMAGED)),
        Answer("void", "Nobody stays", "void_device"),
    )

    def text(self, game: War, about: Any) -> str:
        return "Ask each player whether to take the stakes back; then shuffle, cut, and finish from a shoe."

    def evidence(self, game: War, about: Any) -> dict[str, Any]:
        return {"players": sorted({stake.player for stake in game.state.round.stakes if booking.is_open(game, stake)})}

    def void(self, game: War, asked: Asked, by: Person) -> None:
        _finish_without(game, set(asked.evidence["players"]), (), by)

    def shoe(
        self, game: War, asked: Asked, by: Person, *, withdraw: tuple[str, ...] = (), damaged: tuple[str, ...] = ()
    ) -> None:
        _finish_without(game, set(withdraw), damaged, by)


def _finish_without(game: War, leaving: set[str], damaged: tuple[str, ...], by: Person) -> None:
    """These take their open stakes back; for the others the cards are shuffled and cut, if there are any."""
    game.ruled("device", f"finish from a shoe without {', '.join(sorted(leaving)) or 'nobody'}", by, ("12.5.1",))
    booking.void_stakes(game, lambda stake: stake.player in leaving and booking.is_open(game, stake), ("12.5.1",))
    if not _drop_left_boxes(game):
        booking.void_round(game, "open", ("12.5.1",))
        return
    game.state.supply.source = "shoe"
    if damaged:
        _exchanged(game, damaged, ("12.5.2",))
    clauses = settle.merge(("12.5.2", "12.5.3", "12.5.4"), game.rules.cites["shuffle_before"])
    game.ruled("device", "shuffle and cut, finish from a shoe", by, clauses)
    if game.state.round.filled() < len(game.state.round.slots):
        game.machine.fire("finish_from_shoe")
    else:
        rulings.go_on(game)  # the cards that were missing came meanwhile


def _drop_left_boxes(game: War) -> set[int]:
    """Boxes on which nobody stays get no card; those on which somebody does."""
    round_, stage = game.state.round, shoe.stage_to_resume(game)
    staying = {stake.box for stake in round_.stakes if booking.is_open(game, stake)}
    for box in sorted({stake.box for stake in round_.stakes} - staying):
        card = round_.laid(stage).get(f"box{box}")
        if card is not None:
            card.place = "void"
        round_.drop_slot(f"box{box}", stage)
    return staying


QUESTIONS: tuple[type[WarQuestion], ...] = (Device, Harm, Spare, Transfer, Damage, FinishFromShoe)
