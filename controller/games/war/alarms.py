"""The alarms of Casino War."""

from __future__ import annotations

from typing import TYPE_CHECKING

from controller.core.alarms import Alarm, Alarms
from controller.games.war.rules import Clauses
from controller.games.war.state import NO_CARDS
from controller.people import player_cards

if TYPE_CHECKING:
    from controller.games.war.play import War


class NotAllowed(Alarm["War"]):
    """A table is not opened with what its rulebook forbids."""

    code = "configuration"
    text = "{what} ({clause})"
    remedy = "Correct the configuration."
    held = True
    what: str
    clause: str


# -- the card source -----------------------------------------------------------------------------------------------


class _OfTheSource(Alarm["War"]):
    """Cards come from the device in use, and only when they may."""

    cites = "from_the_source"


class GateForced(_OfTheSource):
    code = "gate_forced"
    text = "A card was pulled through the locked gate."
    remedy = "Look at the last card; the round waits."
    for_the_round = True
    seen_to = "resume"


class OtherSource(_OfTheSource):
    code = "other_source"
    text = "A card came from “{device}”, which is not dealt from now."
    remedy = "Put it back and deal from the device in use."
    for_the_round = True
    seen_to = "resume"
    device: str


class PushedBack(_OfTheSource):
    code = "pushed_back"
    text = "{card} went back into the source after it was counted."
    remedy = "Draw it again, or have the round ruled on."
    for_the_round = True
    seen_to = "resume"
    card: str


class OutOfTurn(_OfTheSource):
    code = "card_out_of_turn"
    text = "A card ({face}) came while {phase}."
    remedy = "Put it back and finish the step on the screen."
    seen_to = "resume"
    face: str
    phase: str

    @staticmethod
    def while_(game: War, _: str) -> bool:
        """Until cards may be dealt."""
        return game.machine.state in NO_CARDS or game.stopped_by is not None


class ReadDiffers(Alarm["War"]):
    """The reader is not sure of itself."""

    code = "read_differs"
    text = "The reader told {before} first and {now} now for one and the same card."
    remedy = "Look at the card; if the first reading was wrong, press “Card misread”."
    cites = "face_of_card"
    for_the_round = True
    seen_to = "correct_card"
    before: str
    now: str


class LeftInside(Alarm["War"]):
    """Cards in a machine that was carried away are missing from the table."""

    code = "cards_left_inside"
    text = "Shuffler {before} was replaced by {now} with {many} cards still inside."
    remedy = "Bring {before} back, take every card out, check the set by name, and load it."
    held = True
    before: str
    now: str
    many: str


class NotShuffling(Alarm["War"]):
    """A machine that sorts does not shuffle."""

    code = "shuffler_mode"
    text = "The shuffler is in {mode} mode and does not shuffle."
    remedy = "Set it to shuffle, then shuffle all cards anew."
    held = True
    mode: str


class WrongContent(Alarm["War"]):
    """Nobody put these cards there."""

    code = "shuffler_content"
    text = "The shuffler holds {inside} cards where {expected} belong."
    remedy = "Take every card out, check the set by name, and load it."
    held = True
    inside: int
    expected: int


class CuttingCardInside(Alarm["War"]):
    """A shuffler is used without a cutting card."""

    code = "cutting_card_in_shuffler"
    text = "A cutting card came from the shuffler, which is used without one."
    remedy = "Take it out, check that the shuffler holds only the decks in use, then clear this."
    held = True


# -- the cards -----------------------------------------------------------------------------------------------------


class WrongDeck(Alarm["War"]):
    """A card that cannot be, is missing, or is foreign."""

    code = "wrong_deck"
    text = "{finding}"
    remedy = "Stop. The question on the screen needs an answer."
    finding: str

    def why(self, owner: War) -> Clauses:
        return owner.rules.remedies["wrong_deck"].clauses

    @staticmethod
    def while_(game: War, _: str) -> bool:
        """Until somebody has ruled on the decks."""
        return game.is_asked("wrong_deck")


class WrongCount(Alarm["War"]):
    """The count after gaming does not come out."""

    code = "wrong_count"
    text = "{counted} cards were counted after gaming, there should be {expected}."
    remedy = "Bring in new cards and look for the ones that are missing."
    counted: int
    expected: int

    @classmethod
    def coded(cls, about: int | str) -> str:
        return WrongDeck.code

    def why(self, owner: War) -> Clauses:
        return owner.rules.remedies["wrong_deck"].clauses

    @staticmethod
    def while_(game: War, _: str) -> bool:
        """Until other cards are brought in."""
        return game.state.supply.blocked is not None


class BrokenOff(Alarm["War"]):
    """A check that was broken off proves nothing."""

    code = "check_broken_off"
    text = "The check of the cards was broken off."
    remedy = "Close the door and check again."
    seen_to = "resume"

    def why(self, owner: War) -> Clauses:
        return owner.rules.cite("card_check", "card_count")

    @staticmethod
    def while_(game: War, _: str) -> bool:
        """Until a check has come to its end."""
        return game.state.supply.broken_off


class SetAside(Alarm["War"]):
    """A damaged card left play."""

    code = "set_aside"
    text = "{face} is out and must be replaced before the next shuffle."
    remedy = "Bring in the same card from a new deck."
    face: str

    def why(self, owner: War) -> Clauses:
        return (owner.table.house.power("replace_unfit").clause,)

    @staticmethod
    def while_(game: War, face: str) -> bool:
        """Until another of its face came in."""
        return face in game.state.shoe.cards.set_aside


class InOrder(Alarm["War"]):
    """Cards in the order of manufacture are hardly shuffled at all."""

    code = "sequence"
    text = "{cards} came in the order of a new deck."
    remedy = "The cards may be unshuffled; the question needs an answer."
    cites = "sequence"
    cards: str

    @staticmethod
    def while_(game: War, _: str) -> bool:
        """Until somebody has said whether they are shuffled."""
        return game.is_asked("sequence")


class CutEarly(Alarm["War"]):
    """The cutting card lay too near to the front."""

    code = "cutting_card_early"
    text = "The cutting card came before half of the cards were drawn."
    remedy = "Check the cut after this round."
    cites = "cutting_card_early"
    seen_to = "record_cut"

    @staticmethod
    def while_(game: War, _: str) -> bool:
        """Until these cards are cut again, or leave."""
        return game.state.shoe.cut_place not in ("", "new", "replaced")


class CardTouched(Alarm["War"]):
    """What follows is a sanction's business."""

    code = "card_touched"
    text = "{player} handled cards."
    remedy = "Look at the cards on the table, and rule if they were changed."
    cites = "hands_off"
    for_the_round = True
    player: str


# -- people and their stakes ---------------------------------------------------------------------------------------


class ChoiceOpen(Alarm["War"]):
    """A card came past a choice that nobody took."""

    code = "choice_open"
    text = "A choice is still open: the card is held and dealt in its turn."
    remedy = "Take every choice, then go on dealing."

    def why(self, owner: War) -> Clauses:
        return owner.rules.remedies["decision_missed"].clauses

    @staticmethod
    def while_(game: War, _: str) -> bool:
        """Until every choice is taken."""
        return game.part == "choosing"


class NoBoxChosen(Alarm["War"]):
    """Nobody can say where its player stakes."""

    code = "player_card"
    text = "A player card was read, and no box was chosen for it."
    remedy = "Choose the box first, then read the card."
    clauses = player_cards.CLAUSES
    for_the_round = True

    @staticmethod
    def while_(game: War, _: str) -> bool:
        """Until a card is read for a box."""
        return game.state.players.card_unplaced


class StakeMoved(Alarm["War"]):
    """Nobody may touch a stake after the first card."""

    code = "moved"
    text = "Chips of {player} on box {box} changed to {amount} after the first card."
    remedy = "Put them back; the stake counts as it lay at the first card."
    player: str
    box: int
    amount: str

    def why(self, owner: War) -> Clauses:
        return owner.rules.remedies["moved_chips"].clauses

    @staticmethod
    def while_(game: War, wager: str) -> bool:
        """Until they lie as they lay, or the stake is settled and, where it has won, paid."""
        round_ = game.state.round
        booked = round_.booked.get(wager)
        unpaid = booked is not None and not booked.done and game.money.unpaid(game.areas()[wager]) > 0
        return wager in round_.moved and (booked is None or unpaid)


class Astray(Alarm["War"]):
    """What lies there is no stake."""

    code, about = "astray", int
    text = "Chips still lie on the {where}, where nothing is staked now."
    remedy = "Have them lifted."
    cites = "war_stake"
    where: str

    @staticmethod
    def while_(game: War, area: int) -> bool:
        """Until they are lifted, or staked there."""
        lie, place = any(one.area == area for one in game.state.felt.lying.values()), game.layout.place(area)
        return lie and not any((stake.box, stake.zone) == place and stake.live for stake in game.state.round.stakes)


class AcrossTheLine(Alarm["War"]):
    """A chip across a line lies on no zone."""

    code, about = "unclear", int
    text = "A chip lies across the line between {zones}; it counts for neither."
    remedy = "Have the player put it on one zone."
    cites = "stake_form"
    zones: str

    @staticmethod
    def while_(game: War, tag: int) -> bool:
        """Until it lies on one zone, or is lifted."""
        return tag in game.state.felt.unclear


ALARMS: Alarms[War] = Alarms(
    NotAllowed, GateForced, OtherSource, PushedBack, OutOfTurn, ReadDiffers, LeftInside, NotShuffling, WrongContent,
    CuttingCardInside, WrongDeck, WrongCount, BrokenOff, SetAside, InOrder, CutEarly, CardTouched, ChoiceOpen,
    NoBoxChosen, StakeMoved, Astray, AcrossTheLine,
)  # fmt: skip
