"""What a ruling leads to: cards named, hands and rounds voided, deals mended, and the round that goes on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from controller.core.desk import Refusal, told
from controller.core.effects import Asked
from controller.games.war import booking, dealing, doubts, settling, shoe
from controller.games.war.asking import hold, listed, may, put
from controller.games.war.cards import FOREIGN, UNKNOWN
from controller.games.war.play import War
from controller.games.war.rules import Clauses, Remedy
from controller.games.war.state import (
    BURNS,
    NEXT_ROUND,
    SECOND_DEAL,
    parked,
)
from controller.people import Person

# -- the round goes on ---------------------------------------------------------------------------------------------


def go_on(game: War) -> None:
    """The ruling is given; go on where the round stood, unless another is waited for."""
    if not game.machine.can("ruled"):
        play_on(game)
    elif not game.open_questions():
        game.machine.fire("ruled")


def play_on(game: War) -> None:
    """As far as cards and choices allow; the source may have run out meanwhile."""
    if not dealing.advance(game):
        settling.after_choice(game)
        shoe.if_empty(game)


def take_up(game: War) -> None:
    """An earlier part of the round is played again; it stands still there while another question is open."""
    if game.open_questions():
        hold(game)
    else:
        play_on(game)


# -- the decks -----------------------------------------------------------------------------------------------------


def answer_wrong_deck(game: War, asked: Asked, answer: str, args: dict[str, Any], by: Person) -> None:
    remedy = game.rules.remedies["wrong_deck"]
    index = int(asked.evidence["card"])
    if answer == "misread":
        if index != doubts.NO_CARD:
            name_card(game, index, str(args["face"]))
        go_on(game)
        return
    game.ruled("wrong_deck", "void", by, remedy.clauses)
    shoe.block(game, str(asked.evidence["finding"]))
    if game.machine.can("voided"):
        booking.void_round(game, remedy.returns, remedy.clauses)
    elif game.machine.can("cards_found_wrong"):
        game.machine.fire("cards_found_wrong", remedy.returns, remedy.clauses)


def name_card(game: War, index: int, face: str) -> None:
    """What a card really is; what the reader told is kept beside it."""
    card = game.state.round.drawn[index]
    doubts.unaccount(game, card)
    game.desk.withdraw(f"unknown:{index}")
    doubts.not_wrong(game, index)
    if card.face == FOREIGN:
        card.place = ""
    card.face = face
    trouble = game.state.shoe.cards.draw(face)
    game.rule("card_named", f"card {index + 1} is {face}, read as {card.read}", game.rules.cites["face_of_card"])
    dealing.extend_burns(game)
    _order_told(game)
    if trouble is not None:
        doubts.wrong_deck(game, trouble.text, index)


def _order_told(game: War) -> None:
    """Cards that came together have all got their names one by one."""
    asked = game.asked("double")
    if asked is None:
        return
    first = int(asked.evidence["card"])
    if all(card.face != UNKNOWN for card in game.state.round.drawn[first : first + len(asked.evidence["faces"])]):
        game.desk.withdraw("double")


def answer_unknown(game: War, asked: Asked, answer: str, args: dict[str, Any], by: Person) -> None:
    index = int(asked.evidence["card"])
    place = game.state.round.places()[index]  # it may have moved up since it was asked for
    if answer == "enter":
        name_card(game, index, str(args["face"]))
    elif place == "shoe-start-up":
        game.state.shoe.skip_burn = True
    elif place.startswith(("box", "dealer")):
        boxes = [] if place == "dealer" else [int(place.removeprefix("box"))]
        lost(game, game.rules.remedies["rebuild_failed"], boxes, by)
    go_on(game)


def lost(game: War, remedy: Remedy, boxes: Sequence[int], by: Person) -> None:
    """What cannot be put right: a hand, or the round, as the house has it; no boxes named means the dealer's."""
    if remedy.returns == "hand" and boxes:
        for box in boxes:
            void_box(game, box, remedy, by)
        after_void_boxes(game)
        return
    stage = _stage(game)
    lying = game.state.round.places()
    for card in (*game.state.round.laid_cards(stage), *game.state.round.held()):
        place = lying[game.state.round.index_of(card)]
        card.place = place if place in BURNS else "void"  # what was burned stays unseen
    game.ruled("void", f"round, {stage} cards", by, remedy.clauses)
    booking.void_round(game, remedy.returns, remedy.clauses)


def _stage(game: War) -> str:
    return "war" if game.part in SECOND_DEAL else "first"


def void_box(game: War, box: int, remedy: Remedy, by: Person) -> None:
    """One hand without result: all its stakes at first cards, the open ones at war (P10)."""
    stage = _stage(game)
    card = game.state.round.laid(stage).get(f"box{box}")
    if card is not None and remedy.card == "void":
        card.place = "void"
        game.state.round.drop_slot(f"box{box}", stage)
    elif card is None:
        game.state.round.drop_slot(f"box{box}", stage)
    game.ruled("void_hand", f"box {box}", by, remedy.clauses)
    booking.void_stakes(game, lambda stake: stake.box == box and booking.is_open(game, stake), remedy.clauses)


def after_void_boxes(game: War, clauses: Clauses = ()) -> None:
    """Stakes went out of the round: go on with those that are open, or end it when none is."""
    settling.forget_choices(game)
    if game.state.round.started and not any(booking.is_open(game, stake) for stake in game.state.round.stakes):
        booking.void_round(game, "open", clauses)
    else:
        go_on(game)


# -- cards that came together, or too many -------------------------------------------------------------------------


def answer_double(game: War, asked: Asked, answer: str, args: dict[str, Any], by: Person) -> None:
    first = int(asked.evidence["card"])
    if answer == "order":
        for index, face in enumerate(args["faces"], first):
            game.state.round.drawn[index].face = game.state.round.drawn[index].read = str(
                face
            )  # the decks miss both already
            game.rule("card_named", f"card {index + 1} is {face}", game.rules.cites["face_of_card"])
        dealing.extend_burns(game)
        go_on(game)
        return
    remedy = game.rules.remedies["double_unknown"]
    touched = [str(place) for place in asked.evidence["places"]]
    boxes = [] if "dealer" in touched else [int(p.removeprefix("box")) for p in touched if p.startswith("box")]
    lost(game, remedy, boxes, by)


def answer_surplus(game: War, asked: Asked, answer: str, args: dict[str, Any], by: Person) -> None:
    rules, state = game.rules, game.state
    card = state.round.drawn[int(asked.evidence["card"])]
    card.sight = answer
    over = game.machine.state == "over"
    done = over or game.machine.state == "final"
    if any(card is waiting for waiting in state.round.held()):
        if answer == "unseen" and (over or rules.war.unseen_surplus == "next_round"):
            card.place = NEXT_ROUND
            game.ruled("surplus", "first card of the next round", by, rules.remedies["surplus_unseen"].clauses)
        elif answer == "seen" and (done or rules.war.surplus_before_war == "by_sight"):
            card.place = "discard"
            game.ruled("surplus", "discarded", by, rules.remedies["surplus_seen"].clauses)
    if over and card.place == NEXT_ROUND:
        state.shoe.carried.append(parked(card))
    settling.finish_waiting(game)


# -- wrongly laid --------------------------------------------------------------------------------------------------


def misplaced(game: War, args: dict[str, Any], by: Person) -> None:
    """First cards lie at wrong places; the order drawn is known, so the hand can be rebuilt."""
    remedy = game.rules.remedies["misplaced"]
    if remedy.withdraw_first and not _in_window(game):
        late = game.rules.remedies["rebuild_failed"]
        put(game, "misplaced", "Cards were laid wrongly and winners are paid already.", {"withdraw": []}, late, "Void")
        return
    if may(game, by, remedy):
        rebuild(game, listed(args, "withdraw"), by)
        return
    text = "Cards were laid wrongly. Rebuild them in the order drawn?"
    evidence = {"to": game.state.round.places(), "withdraw_first": remedy.withdraw_first}
    put(game, "misplaced", text, evidence, remedy, "Rebuild")


def _in_window(game: War) -> bool:
    """Before a winner is paid at interim, or before the first war card where nobody was to be paid (9.4.1, 9.4.2)."""
    war_drawn = any(slot.stage == "war" for slot in game.state.round.slots[: game.state.round.filled()])
    return not game.state.round.interim_paid and not war_drawn


def rebuild(game: War, withdraw: Iterable[str], by: Person) -> None:
    """Cards in the order drawn; who takes the stake back first leaves the deal (M10)."""
    round_, rules = game.state.round, game.rules
    remedy = rules.remedies["misplaced"]
    leaving = set(withdraw) if remedy.withdraw_first else set()
    game.desk.withdraw("misplaced")
    game.ruled("rebuild", "rebuilt in the order drawn", by, remedy.clauses)
    if rules.war.surplus_at_rebuild == "burned":
        game.withdraw_questions("surplus:")
        for surplus in round_.held():
            surplus.place = "discard"
            game.rule("surplus", "burned, it came after the dealer's card", rules.cites["surplus_at_rebuild"])
    if not leaving:
        go_on(game)
        return
    settling.drop_war(game)
    booking.unbook(game, lambda booked: booked.stage in ("interim", "surrender"), remedy.clauses)
    booking.void_stakes(game, lambda stake: stake.player in leaving and stake.dealt, remedy.clauses)
    settling.undo_choices(game, lambda stake: True, remedy.clauses)
    staying = {stake.box for stake in round_.stakes if stake.dealt}
    if not staying:
        for card in (*game.state.round.laid_cards("first"), *round_.held()):
            card.place = "void"
        booking.void_round(game, "open", remedy.clauses)
        return
    for box in sorted({stake.box for stake in round_.stakes} - staying):
        theirs = round_.laid("first").get(f"box{box}")
        if theirs is not None and rules.war.withdrawn_box == "keeps_place":
            theirs.place = "void"
        round_.drop_slot(f"box{box}", "first")
    game.machine.fire("rebuilt")


def dealer_card_missing(game: War, args: dict[str, Any], by: Person) -> None:
    """The very next card is the dealer's; nothing is settled before it."""
    remedy = game.rules.remedies["dealer_card_missing"]
    game.ruled("dealer_card_missing", "the next card is the dealer's", by, remedy.clauses)
    game.desk.announce("dealer", "next_card", "The next card is the dealer's.", remedy.clauses)


def passed_over(game: War, args: dict[str, Any], by: Person) -> None:
    """An area with a war stake got no card."""
    box = told(args, "box", int)
    remedy = game.rules.remedies["war_area_passed_over"]
    if not any(stake.box == box for stake in game.state.round.war_stakes()):
        raise Refusal("no_war_there", f"Box {box} has no war stake in the second deal.", remedy.clauses)
    game.ruled("war_area_passed_over", f"box {box}", by, remedy.clauses)
    if remedy.returns == "box":  # elsewhere the order drawn already gives the area its card
        game.state.round.drop_slot(f"box{box}", "war")
        booking.unbook(game, lambda booked: booked.stage == "final", remedy.clauses)
        booking.void_stakes(game, lambda stake: stake.box == box and booking.is_open(game, stake), remedy.clauses)
        again(game)


def again(game: War) -> None:
    """The second deal, laid anew over the places that are left."""
    if game.state.round.war_stakes():
        game.machine.fire("second_deal_mended")
    else:
        settling.drop_war(game)
        booking.void_round(game, "open", ())


def astray(game: War, args: dict[str, Any], by: Person) -> None:
    """A war card lay on an area without war stake."""
    remedy = game.rules.remedies["war_card_without_stake"]
    index = game.card_index(args)
    card = game.state.round.drawn[index]
    if not game.state.round.of_the_war(index):
        raise Refusal("no_war_card", "That is no card of the second deal.", remedy.clauses)
    game.ruled("war_card_without_stake", f"card {index + 1}: {remedy.card}", by, remedy.clauses)
    if remedy.card == "discard":  # elsewhere it is the next card of the order drawn
        card.place = "discard"
        booking.unbook(game, lambda booked: booked.stage == "final", remedy.clauses)
        again(game)


def choice_missed(game: War, args: dict[str, Any], by: Person) -> None:
    """A choice was not offered, or not followed: the later cards are dealt again after it (9.8)."""
    box, player = told(args, "box", int), told(args, "player")
    if game.machine.state == "over":
        clauses = game.rules.remedies["decision_missed_settled"].clauses
        game.ruled("decision_missed", "all settled, nothing changes", by, clauses)
        return
    remedy = game.rules.remedies["decision_missed"]
    main = game.state.round.tied_main(box, player, settled_too=True)
    if main is None:
        raise Refusal("no_choice", f"{player} has no tied stake on box {box}.", remedy.clauses)
    game.ruled("decision_missed", f"box {box}, {player}: choice taken again", by, remedy.clauses)
    if not game.state.round.choice_of(main):
        return  # it is open still
    settling.drop_war(game)
    settling.undo_choices(game, lambda stake: (stake.box, stake.player) == (box, player), remedy.clauses)
    game.machine.fire("choice_missed")
