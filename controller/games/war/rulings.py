"""Irregularities: what was noticed, what the rulebook makes of it, who rules, and what stands afterwards."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from controller.desk import Refusal, told
from controller.effects import Asked, Option
from controller.games.war import dealing, settling, shoe
from controller.games.war.cards import FOREIGN, RANK, UNKNOWN, BadCard, parse
from controller.games.war.keys import IN_ROUND
from controller.games.war.rules import Clauses, Remedy
from controller.games.war.state import NEXT_ROUND, Drawn, drop_slot, filled, held, laid, parked, places
from controller.people import TABLE, Person

if TYPE_CHECKING:
    from controller.games.war.game import WarGame


BURN_SURPLUS = "11.12"
"""A rebuild at The Star burns whatever came after the dealer's card."""
NO_CARD = -1
"""A finding about the decks that is not about one card of the round."""

# -- holding the round ---------------------------------------------------------------------------------------------


def hold(game: WarGame) -> None:
    """The round stands still until somebody rules."""
    phase = game.machine.state
    if phase in IN_ROUND:
        game.state.resume = phase
        game.machine.fire("irregular")


def go_on(game: WarGame) -> None:
    """The ruling is given; go on where the round stood."""
    if game.machine.state == "ruling" and not game.open_questions():
        game.machine.fire("ruled")
    dealing.advance(game)
    settling.after_choice(game)
    shoe.if_empty(game)


def reenter(game: WarGame, trigger: str) -> None:
    """Back to an earlier part of the round; it stands still there while another question is open."""
    game.machine.fire(trigger)
    if game.open_questions():
        hold(game)
    dealing.advance(game)
    shoe.if_empty(game)


def option(game: WarGame, answer: str, label: str, power: str, needs_reason: bool = False) -> Option:
    """An answer with the rank and clause of a power."""
    rank, clause = game.table.house.power(power)
    return Option(answer, label, rank, clause, needs_reason)


def may(game: WarGame, by: Person, remedy: Remedy) -> bool:
    """Whether this person may rule at once."""
    return by.rank >= game.table.house.power(remedy.power).rank


def face_told(args: dict[str, Any]) -> str:
    """A card somebody entered."""
    try:
        drawing = parse(told(args, "face"))
    except BadCard as wrong:
        raise Refusal("bad_card", str(wrong)) from None
    if drawing.kind != "card":
        raise Refusal("bad_card", f"{drawing.face} is no card of the decks.")
    return drawing.face


def listed(args: dict[str, Any], name: str) -> list[str]:
    """Several names as people enter them: a list, or one after the other with commas."""
    given = args.get(name) or []
    parts = re.split("[,;]", given) if isinstance(given, str) else [str(one) for one in given]
    return [part.strip() for part in parts if part.strip()]


def put(game: WarGame, subject: str, text: str, evidence: dict[str, Any], remedy: Remedy, label: str) -> None:
    """Ask the rank the rulebook names to rule as it proposes, or to let play stand; said twice, it is asked once."""
    hold(game)
    game.desk.withdraw(subject)
    yes = option(game, "rule", label, remedy.power)
    game.desk.ask(subject, text, evidence, "rule", (yes, option(game, "stand", "Play on", "dispute")), remedy.clauses)


# -- the decks -----------------------------------------------------------------------------------------------------


def wrong_deck(game: WarGame, text: str, index: int = NO_CARD, by: Person = TABLE) -> None:
    """A card that cannot be, is missing, or is foreign: stop at once."""
    remedy = game.rules.remedies["wrong_deck"]
    options = [option(game, "void", "Void the round, money back", "wrong_deck")]
    if index != NO_CARD:
        options.append(option(game, "misread", "The reader was wrong", "correct_card"))
    hold(game)
    evidence = {"finding": text, "card": index, "by": by.id}
    game.desk.alarm("wrong_deck", text, "Stop. The question on the screen needs an answer.", remedy.clauses)
    game.desk.ask("wrong_deck", f"{text} Void the round and return its money?", evidence, "void", tuple(options),
                  remedy.clauses)  # fmt: skip


def answer_wrong_deck(game: WarGame, asked: Asked, answer: str, args: dict[str, Any], by: Person) -> None:
    game.desk.alarm_over("wrong_deck")
    remedy = game.rules.remedies["wrong_deck"]
    index = int(asked.evidence["card"])
    if answer == "misread":
        if index != NO_CARD:
            name_card(game, index, str(args["face"]))
        go_on(game)
        return
    game.ruled("wrong_deck", "void", by, remedy.clauses)
    shoe.block(game, str(asked.evidence["finding"]))
    if game.machine.state == "unchecked":
        game.machine.fire("wrong_count")
    elif game.machine.state not in ("over", "blocked"):
        settling.void_round(game, remedy.returns, remedy.clauses)


def in_doubt(game: WarGame, index: int) -> bool:
    """Whether it is asked if this card can be."""
    prompts = game.table.state.desk.prompts.values()
    return any(asked.subject == "wrong_deck" and asked.evidence["card"] == index for asked in prompts)


def not_wrong(game: WarGame, index: int) -> None:
    """A card that cannot be never came: nothing is wrong with the decks."""
    _renumber(game, lambda card: None if card == index else card)


def moves_up(game: WarGame, index: int) -> None:
    """A card leaves the order drawn: it is asked about no more, and later ones have another number."""
    _renumber(game, lambda card: card if card < index else card - 1 if card > index else None)


def cards_leave(game: WarGame) -> None:
    """Whatever was found is still to be ruled on, but no card lies there any more that could be named."""
    _renumber(game, lambda card: NO_CARD)


def _renumber(game: WarGame, number: Callable[[int], int | None]) -> None:
    """Findings are asked about under the number their card has now; without one, no longer."""
    found = [asked for asked in game.table.state.desk.prompts.values() if asked.subject == "wrong_deck"]
    numbers = [number(int(asked.evidence["card"])) for asked in found]
    if numbers == [asked.evidence["card"] for asked in found]:
        return
    game.desk.withdraw("wrong_deck")
    for asked, card in zip(found, numbers, strict=True):
        if card is not None:
            evidence = {**asked.evidence, "card": card}
            game.desk.ask("wrong_deck", asked.text, evidence, asked.proposal, asked.options, asked.clauses)
    if not game.is_asked("wrong_deck"):
        game.desk.alarm_over("wrong_deck")


def name_card(game: WarGame, index: int, face: str) -> None:
    """What a card really is; what the reader told is kept beside it."""
    card = game.state.drawn[index]
    unaccount(game, card)
    game.desk.withdraw(f"unknown:{index}")
    not_wrong(game, index)
    if card.face == FOREIGN:
        card.place = ""
    card.face = face
    trouble = game.state.cards.draw(face)
    game.rule("card_named", f"card {index + 1} is {face}, read as {card.read}", game.rules.cite("face_of_card"))
    dealing.extend_burns(game)
    _order_told(game)
    if trouble is not None:
        wrong_deck(game, trouble.text, index)


def _order_told(game: WarGame) -> None:
    """Cards that came together have all got their names one by one."""
    asked = game.asked("double")
    if asked is None:
        return
    first = int(asked.evidence["card"])
    if all(card.face != UNKNOWN for card in game.state.drawn[first : first + len(asked.evidence["faces"])]):
        game.desk.withdraw("double")


def unaccount(game: WarGame, card: Drawn) -> None:
    """This card was another one, or never left: the decks no longer miss what it was booked as."""
    face = accounted(card)
    if face == UNKNOWN:
        game.state.cards.unknown -= 1
    else:
        game.state.cards.undraw(face)


def accounted(card: Drawn) -> str:
    """What the decks miss for this card: of one whose order is open, what the reader told."""
    return card.read if card.face == UNKNOWN and card.read in RANK else card.face


def unknown_card(game: WarGame, place: str, stage: str, index: int, holding: bool = True) -> None:
    """A face that matters and that the reader could not tell; what it thought is only a proposal."""
    subject = f"unknown:{index}"
    if holding:
        hold(game)
    if game.is_asked(subject):
        return
    remedy = game.rules.remedies["rebuild_failed"]
    options = [
        option(game, "enter", "Enter the card that lies there", "enter_card"),
        option(game, "void", "It cannot be told any more", remedy.power),
    ]
    text = f"The card at {place} could not be read. Which card lies there?"
    card = game.state.drawn[index]
    evidence = {"card": index, "place": place, "stage": stage, "read": card.read, "seen": card.seen}
    game.desk.ask(subject, text, evidence, "enter", tuple(options), game.rules.cite("face_of_card"))


def answer_unknown(game: WarGame, asked: Asked, answer: str, args: dict[str, Any], by: Person) -> None:
    index = int(asked.evidence["card"])
    place = places(game.state)[index]  # it may have moved up since it was asked for
    if answer == "enter":
        name_card(game, index, str(args["face"]))
    elif place == "shoe-start-up":
        game.state.skip_burn = True
    elif place.startswith(("box", "dealer")):
        boxes = [] if place == "dealer" else [int(place.removeprefix("box"))]
        lost(game, game.rules.remedies["rebuild_failed"], boxes, by)
    go_on(game)


def lost(game: WarGame, remedy: Remedy, boxes: Sequence[int], by: Person) -> None:
    """What cannot be put right: a hand, or the round, as the house has it; no boxes named means the dealer's."""
    if remedy.returns == "hand" and boxes:
        for box in boxes:
            void_box(game, box, remedy, by)
        after_void_boxes(game)
        return
    stage = _stage(game)
    lying = places(game.state)
    for card in (*laid_cards(game, stage), *held(game.state)):
        place = lying[index_of(game, card)]
        card.place = place if place in dealing.BURNS else "void"  # what was burned stays unseen
    game.ruled("void", f"round, {stage} cards", by, remedy.clauses)
    settling.void_round(game, remedy.returns, remedy.clauses)


def _stage(game: WarGame) -> str:
    phase = game.state.resume if game.machine.state in ("ruling", "reshuffling", "recutting") else game.machine.state
    return "war" if phase in ("war_burning", "war_dealing", "final") else "first"


def laid_cards(game: WarGame, stage: str) -> list[Drawn]:
    """The cards of one part of the round in drawn order, burns included."""
    turn = [card for card in game.state.drawn if card.in_turn]
    return [card for slot, card in zip(game.state.slots, turn, strict=False) if slot.stage == stage]


def void_box(game: WarGame, box: int, remedy: Remedy, by: Person) -> None:
    """One hand without result: all its stakes at first cards, the open ones at war (P10)."""
    stage = _stage(game)
    card = laid(game.state, stage).get(f"box{box}")
    if card is not None and remedy.card == "void":
        card.place = "void"
        drop_slot(game.state, f"box{box}", stage)
    elif card is None:
        drop_slot(game.state, f"box{box}", stage)
    game.ruled("void_hand", f"box {box}", by, remedy.clauses)
    settling.void_stakes(game, lambda stake: stake.box == box and settling.is_open(game, stake), remedy.clauses)


def after_void_boxes(game: WarGame, clauses: Clauses = ()) -> None:
    """Stakes went out of the round: go on with those that are open, or end it when none is."""
    settling.forget_choices(game)
    if game.state.started and not any(settling.is_open(game, stake) for stake in game.state.stakes):
        settling.void_round(game, "open", clauses)
    else:
        go_on(game)


# -- cards that came together, or too many -------------------------------------------------------------------------


def order_unknown(game: WarGame, first: int, faces: Sequence[str]) -> None:
    """Two cards at once and nobody can tell which was first."""
    remedy = game.rules.remedies["double_unknown"]
    hold(game)
    concerned = places(game.state)[first:]
    options = (
        option(game, "void", "It cannot be told", remedy.power),
        option(game, "order", "The order is known after all", "correct_card"),
    )
    evidence = {"card": first, "faces": list(faces), "places": concerned}
    text = f"{len(faces)} cards came together ({', '.join(faces)}) for {', '.join(concerned)}; their order is unknown."
    game.desk.ask("double", text, evidence, "void", options, remedy.clauses)


def answer_double(game: WarGame, asked: Asked, answer: str, args: dict[str, Any], by: Person) -> None:
    first = int(asked.evidence["card"])
    if answer == "order":
        for index, face in enumerate(args["faces"], first):
            game.state.drawn[index].face = game.state.drawn[index].read = str(face)  # the decks miss both already
            game.rule("card_named", f"card {index + 1} is {face}", game.rules.cite("face_of_card"))
        dealing.extend_burns(game)
        go_on(game)
        return
    remedy = game.rules.remedies["double_unknown"]
    touched = [str(place) for place in asked.evidence["places"]]
    boxes = [] if "dealer" in touched else [int(p.removeprefix("box")) for p in touched if p.startswith("box")]
    lost(game, remedy, boxes, by)


def surplus_came(game: WarGame) -> None:
    """A card nobody waits for is held as the next one; past an open choice it is a missed choice (9.8)."""
    index = len(game.state.drawn) - 1
    missed = game.machine.state == "choosing"
    remedy = game.rules.remedies["decision_missed" if missed else "surplus"]
    game.rule("surplus", f"card {index + 1} held as the next card", remedy.clauses)
    if missed:
        text = "A choice is still open: the card is held and dealt in its turn."
        game.desk.alarm("choice_open", text, "Take every choice, then go on dealing.", remedy.clauses)
    else:
        _ask_sight(game, index)


def _ask_sight(game: WarGame, index: int) -> None:
    """Whether people saw a card only they can say (X6)."""
    if game.is_asked(f"surplus:{index}"):
        return
    remedy = game.rules.remedies["surplus"]
    game.desk.ask(
        f"surplus:{index}",
        "A card too many was drawn. Was its face seen?",
        {"card": index},
        "",
        (option(game, "seen", "Seen", "report"), option(game, "unseen", "Not seen", "report")),
        remedy.clauses,
    )


def answer_surplus(game: WarGame, asked: Asked, answer: str, args: dict[str, Any], by: Person) -> None:
    rules, state = game.rules, game.state
    card = state.drawn[int(asked.evidence["card"])]
    card.sight = answer
    over = game.machine.state == "over"
    done = over or game.machine.state == "final"
    if any(card is waiting for waiting in held(state)):
        if answer == "unseen" and (over or rules.war.unseen_surplus == "next_round"):
            card.place = NEXT_ROUND
            game.ruled("surplus", "first card of the next round", by, rules.remedies["surplus_unseen"].clauses)
        elif answer == "seen" and (done or rules.war.surplus_before_war == "by_sight"):
            card.place = "discard"
            game.ruled("surplus", "discarded", by, rules.remedies["surplus_seen"].clauses)
    if over and card.place == NEXT_ROUND:
        state.carried.append(parked(card))
    _finish_waiting(game)


def held_waits(game: WarGame) -> bool:
    """Whether the round must wait for a word on cards it no longer needs; those told are put where they belong."""
    waits = False
    for card in held(game.state):
        if not card.sight:
            waits = True
            _ask_sight(game, index_of(game, card))
        elif card.sight == "seen":
            card.place = "discard"
            game.rule("surplus", "discarded", game.rules.remedies["surplus_seen"].clauses)
        else:
            card.place = NEXT_ROUND
            game.rule("surplus", "first card of the next round", game.rules.remedies["surplus_unseen"].clauses)
    return waits


def of_the_war(game: WarGame, index: int) -> bool:
    """Whether this card lies in the second deal, or waits for a place in it."""
    return any(card is game.state.drawn[index] for card in (*laid_cards(game, "war"), *held(game.state)))


def index_of(game: WarGame, card: Drawn) -> int:
    """The number of this very card; equal faces are different cards."""
    return next(index for index, drawn in enumerate(game.state.drawn) if drawn is card)


def _finish_waiting(game: WarGame) -> None:
    """The word on a surplus card was all that kept the round open."""
    phase = game.machine.state
    if phase in ("interim", "final") and all(booked.done for booked in game.state.booked.values()):
        settling.settled(game)
    else:
        settling.after_choice(game)


def no_stakes(game: WarGame) -> None:
    """Cards were dealt although nobody staked."""
    remedy = game.rules.remedies["no_stakes"]
    if game.table.house.power(remedy.power).rank <= 1:
        void_no_stakes(game, TABLE)
    else:
        text = "Cards were dealt and no stake lies on the table. Void the round and burn them?"
        put(game, "no_stakes", text, {"cards": len(game.state.drawn)}, remedy, "Void, burn the cards")


def void_no_stakes(game: WarGame, by: Person) -> None:
    remedy = game.rules.remedies["no_stakes"]
    for card in game.state.drawn:
        if card.in_turn:
            card.place = "discard"
    game.ruled("no_stakes", "void, cards burned", by, remedy.clauses)
    settling.void_round(game, remedy.returns, remedy.clauses)


# -- wrongly laid --------------------------------------------------------------------------------------------------


def misplaced(game: WarGame, args: dict[str, Any], by: Person) -> None:
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
    evidence = {"to": places(game.state), "withdraw_first": remedy.withdraw_first}
    put(game, "misplaced", text, evidence, remedy, "Rebuild")


def _in_window(game: WarGame) -> bool:
    """Before a winner is paid at interim, or before the first war card where nobody was to be paid (9.4.1, 9.4.2)."""
    war_drawn = any(slot.stage == "war" for slot in game.state.slots[: filled(game.state)])
    return not game.state.interim_paid and not war_drawn


def rebuild(game: WarGame, withdraw: Iterable[str], by: Person) -> None:
    """Cards in the order drawn; who takes the stake back first leaves the deal (M10)."""
    state, rules = game.state, game.rules
    remedy = rules.remedies["misplaced"]
    leaving = set(withdraw) if remedy.withdraw_first else set()
    game.desk.withdraw("misplaced")
    game.ruled("rebuild", "rebuilt in the order drawn", by, remedy.clauses)
    if BURN_SURPLUS in remedy.clauses:
        game.withdraw_questions("surplus:")
        for surplus in held(state):
            surplus.place = "discard"
            game.rule("surplus", "burned, it came after the dealer's card", (BURN_SURPLUS,))
    if not leaving:
        go_on(game)
        return
    settling.drop_war(game)
    settling.unbook(game, lambda booked: booked.stage in ("interim", "surrender"), remedy.clauses)
    settling.void_stakes(game, lambda stake: stake.player in leaving and stake.dealt, remedy.clauses)
    settling.undo_choices(game, lambda stake: True, remedy.clauses)
    staying = {stake.box for stake in state.stakes if stake.dealt}
    if not staying:
        for card in (*laid_cards(game, "first"), *held(state)):
            card.place = "void"
        settling.void_round(game, "open", remedy.clauses)
        return
    for box in sorted({stake.box for stake in state.stakes} - staying):
        theirs = laid(state, "first").get(f"box{box}")
        if theirs is not None and rules.war.withdrawn_box == "keeps_place":
            theirs.place = "void"
        drop_slot(state, f"box{box}", "first")
    reenter(game, "deal_again")


def dealer_card_missing(game: WarGame, args: dict[str, Any], by: Person) -> None:
    """The very next card is the dealer's; nothing is settled before it."""
    remedy = game.rules.remedies["dealer_card_missing"]
    game.ruled("dealer_card_missing", "the next card is the dealer's", by, remedy.clauses)
    game.desk.announce("dealer", "next_card", "The next card is the dealer's.", remedy.clauses)


def passed_over(game: WarGame, args: dict[str, Any], by: Person) -> None:
    """An area with a war stake got no card."""
    box = told(args, "box", int)
    remedy = game.rules.remedies["war_area_passed_over"]
    if not any(stake.box == box for stake in game.war_stakes()):
        raise Refusal("no_war_there", f"Box {box} has no war stake in the second deal.", remedy.clauses)
    game.ruled("war_area_passed_over", f"box {box}", by, remedy.clauses)
    if remedy.returns == "box":  # elsewhere the order drawn already gives the area its card
        drop_slot(game.state, f"box{box}", "war")
        settling.unbook(game, lambda booked: booked.stage == "final", remedy.clauses)
        settling.void_stakes(game, lambda stake: stake.box == box and settling.is_open(game, stake), remedy.clauses)
        again(game)


def again(game: WarGame) -> None:
    """The second deal, laid anew over the places that are left."""
    if game.at_war():
        reenter(game, "war_again")
    else:
        settling.drop_war(game)
        settling.void_round(game, "open", ())


def astray(game: WarGame, args: dict[str, Any], by: Person) -> None:
    """A war card lay on an area without war stake."""
    remedy = game.rules.remedies["war_card_without_stake"]
    index = game.card_index(args)
    card = game.state.drawn[index]
    if not of_the_war(game, index):
        raise Refusal("no_war_card", "That is no card of the second deal.", remedy.clauses)
    game.ruled("war_card_without_stake", f"card {index + 1}: {remedy.card}", by, remedy.clauses)
    if remedy.card == "discard":  # elsewhere it is the next card of the order drawn
        card.place = "discard"
        settling.unbook(game, lambda booked: booked.stage == "final", remedy.clauses)
        again(game)


def choice_missed(game: WarGame, args: dict[str, Any], by: Person) -> None:
    """A choice was not offered, or not followed: the later cards are dealt again after it (9.8)."""
    box, player = told(args, "box", int), told(args, "player")
    if game.machine.state == "over":
        clauses = game.rules.remedies["decision_missed_settled"].clauses
        game.ruled("decision_missed", "all settled, nothing changes", by, clauses)
        return
    remedy = game.rules.remedies["decision_missed"]
    main = game.tied_main(box, player, settled_too=True)
    if main is None:
        raise Refusal("no_choice", f"{player} has no tied stake on box {box}.", remedy.clauses)
    game.ruled("decision_missed", f"box {box}, {player}: choice taken again", by, remedy.clauses)
    if not game.choice_of(main):
        return  # it is open still
    settling.drop_war(game)
    settling.undo_choices(game, lambda stake: (stake.box, stake.player) == (box, player), remedy.clauses)
    game.machine.fire("choose_again")
    settling.offer(game)
