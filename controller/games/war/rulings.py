"""What a ruling leads to: cards named, hands and rounds voided, deals mended, and the round that goes on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from controller.core.effects import Asked
from controller.core.questions import Answer
from controller.games.war import betting, booking, dealing, doubts, settling, shoe
from controller.games.war.asking import WarQuestion
from controller.games.war.cards import FOREIGN, UNKNOWN
from controller.games.war.play import War
from controller.games.war.rules import Clauses, Remedy
from controller.games.war.state import BURNS, NEXT_ROUND, SECOND_DEAL, parked
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
    if dealing.advance(game):
        return
    if game.state.felt.early and game.machine.can("chosen") and not game.state.round.all_chosen():
        betting.take_early(game)  # a choice of war, and what follows from it
    else:
        settling.after_choice(game)
    shoe.if_empty(game)


def take_up(game: War, *shuffle: object) -> None:
    """A part of the round is played again, or on after a shuffle; it stands still there while a question is open."""
    if game.open_questions():
        game.hold()
    else:
        play_on(game)


def was_at_interim(game: War) -> bool:
    return game.machine.interrupted_from == "interim"


def was_at_final(game: War) -> bool:
    return game.machine.interrupted_from == "final"


def ask(game: War, subject: str, about: Any) -> None:
    """The round stands still for this; nothing is asked where another question holds it already."""
    if subject:
        game.ask(subject, about)


class ByRemedy(WarQuestion):
    """Asks the rank that the rulebook names to rule as it proposes, or to let play stand; said twice, asked once."""

    proposal = "rule"
    label: ClassVar[str]
    answers = (Answer("rule", "", ""), Answer("stand", "Play on", "dispute"))

    def remedy(self, game: War, about: Any) -> Remedy:
        """What the rulebook says about it."""
        raise NotImplementedError

    def before(self, game: War, about: Any) -> None:
        game.desk.withdraw(f"{self.subject}:{name}" if (name := self.named(about)) else self.subject)

    def offered(self, game: War, about: Any) -> tuple[Answer, ...]:
        rule, stand = self.answers
        return rule._replace(label=self.label, power=self.remedy(game, about).power), stand

    def why(self, game: War, about: Any) -> tuple[str, ...]:
        return self.remedy(game, about).clauses

    def stand(self, game: War, asked: Asked, by: Person) -> None:
        go_on(game)


# -- the decks -----------------------------------------------------------------------------------------------------


def void_wrong_deck(game: War, finding: str, by: Person) -> None:
    """The cards are wrong: nothing that was dealt from them stands, and no further round is."""
    remedy = game.rules.remedies["wrong_deck"]
    game.ruled("wrong_deck", "void", by, remedy.clauses)
    shoe.block(game, finding)
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
    _all_named(game)
    if trouble is not None:
        doubts.wrong_deck(game, trouble.text, index)


def _all_named(game: War) -> None:
    """Cards that came together have all got their names one by one."""
    asked = game.asked("double")
    if asked is None:
        return
    first = int(asked.evidence["card"])
    if all(card.face != UNKNOWN for card in game.state.round.drawn[first : first + len(asked.evidence["faces"])]):
        game.desk.withdraw("double")


def never_known(game: War, index: int, by: Person) -> None:
    """Nobody can say any more which card this was; it may have moved up since it was asked for."""
    place = game.state.round.places()[index]
    if place == "shoe-start-up":
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


def order_told(game: War, first: int, faces: Sequence[str]) -> None:
    """In which order cards came that came together."""
    for index, face in enumerate(faces, first):
        game.state.round.drawn[index].face = game.state.round.drawn[index].read = face  # the decks miss both already
        game.rule("card_named", f"card {index + 1} is {face}", game.rules.cites["face_of_card"])
    dealing.extend_burns(game)
    go_on(game)


def order_lost(game: War, places: Sequence[str], by: Person) -> None:
    """Nobody can say in which order the cards for these places came."""
    boxes = [] if "dealer" in places else [int(p.removeprefix("box")) for p in places if p.startswith("box")]
    lost(game, game.rules.remedies["double_unknown"], boxes, by)


def sight_told(game: War, index: int, sight: str, by: Person) -> None:
    """Whether people saw the face of a card too many."""
    rules, state = game.rules, game.state
    card = state.round.drawn[index]
    card.sight = sight
    over = game.machine.state == "over"
    done = over or game.machine.state == "final"
    if any(card is waiting for waiting in state.round.held()):
        if sight == "unseen" and (over or rules.war.unseen_surplus == "next_round"):
            card.place = NEXT_ROUND
            game.ruled("surplus", "first card of the next round", by, rules.remedies["surplus_unseen"].clauses)
        elif sight == "seen" and (done or rules.war.surplus_before_war == "by_sight"):
            card.place = "discard"
            game.ruled("surplus", "discarded", by, rules.remedies["surplus_seen"].clauses)
    if over and card.place == NEXT_ROUND:
        state.shoe.carried.append(parked(card))
    settling.finish_waiting(game)


# -- wrongly laid --------------------------------------------------------------------------------------------------


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


def again(game: War) -> None:
    """The second deal, laid anew over the places that are left."""
    if game.state.round.war_stakes():
        game.machine.fire("second_deal_mended")
    else:
        settling.drop_war(game)
        booking.void_round(game, "open", ())
