"""What people are asked about a hand: each question with the answers that a remedy may leave open.

Which of them are open, which is proposed, who may decide and by which clause stands in the remedy (`remedies.py`): it
depends on what is known of the irregularity. The hand carries the answer out.
"""

from __future__ import annotations

from typing import Any

from controller.core.desk import Refusal
from controller.core.effects import Asked, Option
from controller.core.questions import Answer, Question, Questions
from controller.games.poker.inputs import Rule
from controller.games.poker.outputs import Prompt
from controller.games.poker.round import WHILE
from controller.games.poker.table import PokerTable
from controller.people import Person

BY_REMEDY = ""
"""No power of the rulebook: the remedy says who may decide."""
MISDEAL = Answer("misdeal", "Misdeal: shuffle, cut and deal again", BY_REMEDY)
MISDEAL_REFUNDED = Answer("misdeal_all_refunded", "Misdeal: everything goes back", BY_REMEDY)
PLAY_ON = Answer("play_on", "Play on", BY_REMEDY)
CORRECT = Answer("correct", "Put it right", BY_REMEDY)
HAND_DEAD = Answer("hand_dead", "The hand is dead", BY_REMEDY)
HAND_VOID = Answer("hand_void_refunded", "The hand is void, its wagers go back", BY_REMEDY)
ALL_REFUNDED = Answer("hand_dead_all_refunded", "The hand is dead, everybody is refunded", BY_REMEDY)
SWAP = Answer("swap_exposed", "Swap the exposed card", BY_REMEDY)
REDEAL = Answer("redeal", "Deal it again", BY_REMEDY)
BECOMES_BURN = Answer("card_becomes_burn", "The card becomes the burn", BY_REMEDY)
SET_ASIDE = Answer("set_aside", "Set the card aside", BY_REMEDY)
FIRST_STAYS = Answer("first_stays", "The first card stays", BY_REMEDY)


class Ruling(Question["PokerTable"]):
    """Keeps the hand from going on until somebody has decided; what it is about is what the hand asked."""

    proposal = ""
    what = ""
    """What happened, as a dealer says it."""

    def named(self, about: Prompt) -> str:
        return ""

    def text(self, game: PokerTable, about: Prompt) -> str:
        return f"Seat {about.seat}: {self.what}" if about.seat else self.what

    def evidence(self, game: PokerTable, about: Prompt) -> dict[str, Any]:
        whose = {"seat": about.seat} if about.seat else {}
        return {**whose, "while": WHILE[game.hand.interrupted_from], "board": list(game.hand.board)}

    def proposed(self, game: PokerTable, about: Prompt) -> str:
        return about.proposal

    def offered(self, game: PokerTable, about: Prompt) -> tuple[Answer, ...]:
        known = {answer.answer: answer for answer in self.answers}
        return tuple(known[choice] for choice in about.choices)

    def option(self, game: PokerTable, about: Prompt, answer: Answer) -> Option:
        return Option(answer.answer, answer.label, about.rank, about.clause)

    def why(self, game: PokerTable, about: Prompt) -> tuple[str, ...]:
        return (about.clause,)

    def check(self, game: PokerTable, asked: Asked, answer: str, given: dict[str, Any]) -> None:
        if game.state.hand is None or game.state.hand.ruling is None:
            raise Refusal("overtaken", "This question has been overtaken.", ("9.1.1",))

    def otherwise(self, game: PokerTable, asked: Asked, answer: str, by: Person) -> None:
        game.give(Rule(answer, by.rank, by.id))


class ExposedInCut(Ruling):
    """A card was seen while the deck was cut."""

    subject = "exposed_in_cut"
    what = "A card was seen in the cut."
    answers = (MISDEAL,)


class NotShuffled(Ruling):
    """Cards were dealt from a deck that was not shuffled."""

    subject = "not_shuffled"
    what = "The deck was dealt without a shuffle."
    answers = (PLAY_ON, MISDEAL)


class OutOfOrder(Ruling):
    """A card went to another seat than the one that was due."""

    subject = "out_of_order"
    what = "A card was dealt out of order."
    answers = (PLAY_ON, MISDEAL, CORRECT)


class DealtOut(Ruling):
    """A seat that plays was passed over in the deal."""

    subject = "dealt_out"
    what = "A player was passed over in the deal."
    answers = (PLAY_ON, MISDEAL, CORRECT)


class ExtraHand(Ruling):
    """A seat that does not play was dealt a hand."""

    subject = "extra_hand"
    what = "A hand was dealt to somebody who does not play."
    answers = (PLAY_ON, MISDEAL, CORRECT)


class WrongCount(Ruling):
    """A hand holds too many cards or too few."""

    subject = "wrong_count"
    what = "A hand has too many cards or too few."
    answers = (HAND_DEAD, HAND_VOID, MISDEAL, CORRECT)


class SurvivorWrongCount(Ruling):
    """The only hand left holds too many cards or too few."""

    subject = "survivor_wrong_count"
    what = "The last hand left has too many cards or too few."
    answers = (ALL_REFUNDED,)


class DefectiveDeck(Ruling):
    """A card of the deck is missing, double or strange."""

    subject = "defective_deck"
    what = "The deck is not whole."
    answers = (MISDEAL_REFUNDED,)


class ExposedHoleCard(Ruling):
    """The dealer showed a card in the deal."""

    subject = "exposed_hole_card"
    what = "The dealer showed a card in the deal."
    answers = (SWAP,)


class SeveralExposed(Ruling):
    """The dealer showed more than one card in the deal."""

    subject = "several_exposed"
    what = "The dealer showed several cards in the deal."
    answers = (MISDEAL,)


class NoBurn(Ruling):
    """A street was turned up without its burn."""

    subject = "no_burn"
    what = "The board was turned up without a burn."
    answers = (PLAY_ON, REDEAL, BECOMES_BURN)


class TooManyFlop(Ruling):
    """The flop has more than three cards."""

    subject = "too_many_flop"
    what = "The flop has too many cards."
    answers = (PLAY_ON, REDEAL)


class ExtraFlopFaceDown(Ruling):
    """Too many cards lie face down for the flop."""

    subject = "extra_flop_face_down"
    what = "Too many cards lie face down for the flop."
    answers = (CORRECT,)


class PrematureFlop(Ruling):
    """The flop came before the betting was over."""

    subject = "premature_flop"
    what = "The flop came before the betting was over."
    answers = (REDEAL,)


class PrematureTurn(Ruling):
    """The turn came before the betting was over."""

    subject = "premature_turn"
    what = "The turn came before the betting was over."
    answers = (SET_ASIDE,)


class PrematureRiver(Ruling):
    """The river came before the betting was over."""

    subject = "premature_river"
    what = "The river came before the betting was over."
    answers = (REDEAL,)


class TwoOpened(Ruling):
    """Two cards were opened for one."""

    subject = "two_opened"
    what = "Two cards were turned up for one."
    answers = (FIRST_STAYS,)


class MoreOpened(Ruling):
    """More than two cards were opened for one."""

    subject = "more_opened"
    what = "Several cards were turned up for one."
    answers = (FIRST_STAYS,)


class KeptThree(Ruling):
    """A seat has kept the card that it had to give up."""

    subject = "kept_three"
    what = "A player kept the card that had to go."
    answers = (HAND_DEAD, REDEAL, SET_ASIDE)


class PlayerExposed(Ruling):
    """A player has shown cards."""

    subject = "player_exposed"
    what = "A player showed cards."
    answers = (PLAY_ON,)


class ExchangedCards(Ruling):
    """Players have exchanged cards."""

    subject = "exchanged_cards"
    what = "Players exchanged cards."
    answers = (HAND_DEAD, PLAY_ON)


class Contravention(Ruling):
    """A player has broken the rules."""

    subject = "contravention"
    what = "A player broke the rules."
    answers = (HAND_VOID, HAND_DEAD, PLAY_ON)


class SettledSideWagers(Ruling):
    """Side wagers were settled on a deck that turned out defective."""

    subject = "settled_side_wagers"
    what = "Side wagers were settled with a deck that is not whole."
    answers = (Answer("void", "They are void", BY_REMEDY), Answer("stand", "They stand", BY_REMEDY))


class TimeIsOver(Ruling):
    """The seat in turn has used up its time to act."""

    subject = "time_to_act_is_over"
    what = "The time to act is over."
    answers = (
        Answer("dead_hand", "The hand is dead", BY_REMEDY),
        Answer("check", "Check", BY_REMEDY),
        Answer("more_time", "Give more time", BY_REMEDY),
    )


class StringBet(Ruling):
    """Chips were added to a wager that had come to rest."""

    subject = "string_bet"
    what = "Chips were added to a wager that lay."
    answers = (
        Answer("return_chips", "The first wager counts; the rest goes back", BY_REMEDY),
        Answer("one_wager", "It was announced: all of it is one wager", BY_REMEDY),
    )


class LateAnnouncement(Ruling):
    """A raise or a call was told of chips that had been ruled on."""

    subject = "late_announcement"
    what = "It was told late what the chips mean."
    answers = (
        Answer("too_late", "It was said after the chips: they stay what they are", BY_REMEDY),
        Answer("with_the_chips", "It was said with the chips: rule on them again", BY_REMEDY),
    )


QUESTIONS: Questions[PokerTable] = Questions(
    ExposedInCut,
    NotShuffled,
    OutOfOrder,
    DealtOut,
    ExtraHand,
    WrongCount,
    SurvivorWrongCount,
    DefectiveDeck,
    ExposedHoleCard,
    SeveralExposed,
    NoBurn,
    TooManyFlop,
    ExtraFlopFaceDown,
    PrematureFlop,
    PrematureTurn,
    PrematureRiver,
    TwoOpened,
    MoreOpened,
    KeptThree,
    PlayerExposed,
    ExchangedCards,
    Contravention,
    SettledSideWagers,
    TimeIsOver,
    StringBet,
    LateAnnouncement,
)
