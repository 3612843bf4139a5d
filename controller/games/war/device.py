"""A shuffler's fault during a round: each house's own way, Star's tree 12.1 to 12.5 step by step."""

from __future__ import annotations

from typing import Any

from controller.core.desk import Refusal
from controller.core.effects import Asked
from controller.games.war import booking, rulings, settle, shoe
from controller.games.war.asking import Question, face_told, hold, listed, option
from controller.games.war.play import War
from controller.games.war.state import DRAWING
from controller.people import Person

Args = dict[str, Any]

TREE = {
    # question: clause, words, answer that goes on down the list, where the other answer leads
    "harm": ("12.1.3", "Was the house or a player put at a disadvantage by the fault?", "no", "12.4"),
    "spare": ("12.1.4", "Is another shuffling device at hand?", "yes", "12.5.1"),
    "transfer": ("12.1.5", "Can the cards be moved over to it?", "yes", "12.5.1"),
    "damage": ("12.2", "Was any card damaged?", "no", "12.3.1"),
}
ORDER = tuple(TREE)


def stopped(game: War, cause: str) -> None:
    """The shuffler can no longer work; a round that needs no more cards is not concerned."""
    phase = game.machine.state
    remedy = game.rules.remedies["device_fault"]
    if phase not in DRAWING or game.state.supply.source != "csm":
        game.desk.note("device_stopped", remedy.clauses, cause=cause, phase=phase)
        return
    if game.rules.cards.shuffler_fault == "step_by_step":
        hold(game, _step(game, "harm", cause))
        return
    boxes = affected(game)
    options = (
        option(game, "void", "The round cannot be completed", remedy.power),
        option(game, "go_on", "The fault is cleared, go on", "report"),
    )
    text = f"The shuffler stopped: {cause}. Boxes {boxes} still need cards."
    evidence = {"cause": cause, "boxes": boxes}
    hold(game, Question("device", text, evidence, "void", options, remedy.clauses))


def affected(game: War) -> list[int]:
    """Hands that cannot be decided: all of this part of the round, since the dealer's card comes last."""
    stage = shoe.stage_to_resume(game)
    places = [slot.place for slot in game.state.round.slots if slot.stage == stage and slot.place.startswith("box")]
    return [int(place.removeprefix("box")) for place in places]


def answer_device(game: War, asked: Asked, answer: str, args: Args, by: Person) -> None:
    remedy = game.rules.remedies["device_fault"]
    if answer == "go_on":
        game.ruled("device", "completed", by, remedy.clauses)
        rulings.go_on(game)
        return
    if remedy.returns == "hand":
        boxes = [int(box) for box in listed(args, "boxes") or asked.evidence["boxes"]]
        for box in boxes:
            rulings.void_box(game, box, remedy, by)
        rulings.after_void_boxes(game)
        return
    game.ruled("device", "void", by, remedy.clauses)
    booking.void_round(game, remedy.returns, remedy.clauses)


# -- the tree ------------------------------------------------------------------------------------------------------


def _step(game: War, step: str, cause: str) -> Question:
    clause, words, good, _ = TREE[step]
    options = tuple(option(game, answer, answer.capitalize(), "void_device") for answer in ("yes", "no"))
    return Question(f"device_{step}", words, {"step": step, "cause": cause}, good, options, (clause, "12.1.2"))


def answer_step(game: War, asked: Asked, answer: str, args: Args, by: Person) -> None:
    step = asked.subject.removeprefix("device_")
    clause, _, good, _ = TREE[step]
    game.ruled(f"device_{step}", answer, by, (clause,))
    if answer == good:
        after = ORDER.index(step) + 1
        if after < len(ORDER):
            hold(game, _step(game, ORDER[after], str(asked.evidence["cause"])))
        else:
            _transferred(game, by)
    elif step == "harm":
        remedy = game.rules.remedies["device_fault"]
        booking.void_round(game, remedy.returns, remedy.clauses)
    elif step == "damage":
        _replace_damaged(game, args, by)
    else:
        _ask_who_stays(game)


def _transferred(game: War, by: Person) -> None:
    """All cards move over and the round goes on."""
    game.ruled("device", "cards moved to another device, the round goes on", by, ("12.2",))
    rulings.go_on(game)


def _replace_damaged(game: War, args: Args, by: Person) -> None:
    """Damaged cards leave play, others of the same face come in from a new deck, and the round goes on."""
    damaged = _exchange(game, args, ("12.3.1", "12.3.3"))
    clauses = ("12.3.1", "12.3.2", "12.3.3", "12.3.4")
    game.ruled("device", f"damaged cards replaced ({', '.join(damaged) or 'none named'})", by, clauses)
    rulings.go_on(game)


def _exchange(game: War, args: Args, clauses: tuple[str, ...]) -> list[str]:
    """The set stays whole: one of the same face comes in from a new deck for each that leaves."""
    damaged = [str(face) for face in args.get("damaged", [])]
    game.desk.note("damaged", clauses, cards=damaged, replaced_from="new deck")
    return damaged


def check_damaged(game: War, args: Args) -> None:
    """Damaged cards are named, and none more often than the set holds it."""
    damaged = [face_told({"face": face}) for face in listed(args, "damaged")]
    for face in damaged:
        if damaged.count(face) > game.state.shoe.cards.decks:
            text = f"{face} cannot be damaged {damaged.count(face)} times in {game.state.shoe.cards.decks} decks."
            raise Refusal("bad_card", text, ("12.3.1",))
    args["damaged"] = damaged


def _ask_who_stays(game: War) -> None:
    """No second device: everybody may take open stakes back, the others finish from a shoe."""
    options = (
        option(game, "shoe", "Finish from a shoe", "void_device"),
        option(game, "void", "Nobody stays", "void_device"),
    )
    players = sorted({stake.player for stake in game.state.round.stakes if booking.is_open(game, stake)})
    text = "Ask each player whether to take the stakes back; then shuffle, cut, and finish from a shoe."
    game.desk.ask("device_shoe", text, {"players": players}, "shoe", options, ("12.5.1", "12.5.4"))


def answer_shoe(game: War, asked: Asked, answer: str, args: Args, by: Person) -> None:
    state = game.state
    leaving = set(asked.evidence["players"]) if answer == "void" else set(listed(args, "withdraw"))
    game.ruled("device", f"finish from a shoe without {', '.join(sorted(leaving)) or 'nobody'}", by, ("12.5.1",))
    booking.void_stakes(game, lambda stake: stake.player in leaving and booking.is_open(game, stake), ("12.5.1",))
    stage = shoe.stage_to_resume(game)
    staying = {stake.box for stake in state.round.stakes if booking.is_open(game, stake)}
    for box in sorted({stake.box for stake in state.round.stakes} - staying):
        card = state.round.laid(stage).get(f"box{box}")
        if card is not None:
            card.place = "void"
        state.round.drop_slot(f"box{box}", stage)
    if not staying:
        booking.void_round(game, "open", ("12.5.1",))
        return
    state.supply.source = "shoe"
    if args.get("damaged"):
        _exchange(game, args, ("12.5.2",))
    clauses = settle.merge(("12.5.2", "12.5.3", "12.5.4"), game.rules.cites["shuffle_before"])
    game.ruled("device", "shuffle and cut, finish from a shoe", by, clauses)
    if state.round.filled() < len(state.round.slots):
        game.machine.fire("finish_from_shoe")
    else:
        rulings.go_on(game)  # the cards that were missing came meanwhile
