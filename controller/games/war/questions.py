"""What the table asks people, each question a class: whether it holds the round, its answers, and what each does."""

from __future__ import annotations

from typing import Any

import msgspec

from controller.core.desk import Ask, Refusal
from controller.core.effects import Asked
from controller.core.forms import wanting
from controller.core.questions import Answer, Questions
from controller.games.war import (
    alarms,
    betting,
    checking,
    chips,
    device,
    doubts,
    reports,
    rulings,
    seen,
    settling,
    several,
    shoe,
    voids,
)
from controller.games.war.asking import FACE, WarQuestion, card_told
from controller.games.war.cards import UNKNOWN, face_in_words, faces_in_words, place_in_words
from controller.games.war.doubts import NO_CARD, Finding, Together, Unread
from controller.games.war.play import War
from controller.games.war.players import Holding
from controller.games.war.rules import Remedy
from controller.games.war.rulings import ByRemedy
from controller.games.war.settling import Silence
from controller.games.war.state import Stake
from controller.money.amounts import dollars
from controller.people import Person

ANY_FACE = msgspec.structs.replace(FACE, optional=True)
ORDER = Ask("faces", "choice", "Which came first", several=True, optional=True)
COUNT = Ask("count", "number", "Cards counted", optional=True, least=0)


def needed(asks: tuple[Ask, ...]) -> tuple[Ask, ...]:
    """As a page asks for what the table could do without."""
    return tuple(msgspec.structs.replace(ask, optional=False) for ask in asks)


# -- stakes --------------------------------------------------------------------------------------------------------


class Late(WarQuestion):
    """Chips came after the call: in play, or back?"""

    subject, proposal, holds_round = "late", "return", False
    answers = (Answer("accept", "In play", "rule_late_chips"), Answer("return", "Give back", "rule_late_chips"))

    def named(self, about: Stake) -> str:
        return about.id

    def text(self, game: War, about: Stake) -> str:
        how = f"added {dollars(about.amount - about.before)}" if about.before else f"laid {dollars(about.amount)}"
        return f"{about.player} {how} on box {about.box} after the call. In or back?"

    def evidence(self, game: War, about: Stake) -> dict[str, Any]:
        return {"wager": about.id, "player": about.player, "box": about.box, "amount": about.amount}

    def why(self, game: War, about: Stake) -> tuple[str, ...]:
        return game.rules.remedies["late_chips"].clauses

    def otherwise(self, game: War, asked: Asked, answer: str, by: Person) -> None:
        betting.rule_late(game, str(asked.evidence["wager"]), answer)


class Several(WarQuestion):
    """May this player hold several boxes?"""

    subject, proposal, holds_round = "several", "allow", False
    answers = (Answer("allow", "Allow", "several_boxes"), Answer("refuse", "Only one box", "several_boxes"))

    def named(self, about: Holding) -> str:
        return about.player

    def text(self, game: War, about: Holding) -> str:
        return f"{about.player} stakes on boxes {', '.join(map(str, about.boxes))}. Allow it?"

    def evidence(self, game: War, about: Holding) -> dict[str, Any]:
        return {"player": about.player, "boxes": about.boxes}

    def why(self, game: War, about: Holding) -> tuple[str, ...]:
        return game.rules.cites["several_boxes"]

    def allow(self, game: War, asked: Asked, by: Person) -> None:
        player = str(asked.evidence["player"])
        game.ruled("several_boxes", f"{player}: allow", by, game.rules.cites["several_boxes"])
        if player not in game.state.players.several:
            game.state.players.several.append(player)

    def refuse(self, game: War, asked: Asked, by: Person) -> None:
        player = str(asked.evidence["player"])
        game.ruled("several_boxes", f"{player}: refuse", by, game.rules.cites["several_boxes"])
        several.only_one_box(game, player)


# -- war or surrender ----------------------------------------------------------------------------------------------


class _OfBox(WarQuestion):
    """About a player's tied main stake."""

    holds_round = False

    def surrender(self, game: War, asked: Asked, by: Person) -> None:
        self.choose(game, asked, "surrender")

    def choose(self, game: War, asked: Asked, choice: str) -> None:
        settling.choose(game, int(asked.evidence["box"]), str(asked.evidence["player"]), choice)


class Choice(_OfBox):
    """War or surrender?"""

    subject, proposal = "choice", ""
    answers = (
        Answer("war", "Go to war", "enter_decision"),
        Answer("surrender", "Surrender half", "enter_decision"),
        Answer("decline", "No answer", "enter_decision"),
    )

    def named(self, about: Stake) -> str:
        return f"{about.box}:{about.player}"

    def offered(self, game: War, about: Stake) -> tuple[Answer, ...]:
        """War only where the player may have the further stake that it takes."""
        can = game.table.can_match(about.player, about.counted)
        return tuple(answer for answer in self.answers if can or answer.answer != "war")

    def text(self, game: War, about: Stake) -> str:
        if not game.table.can_match(about.player, about.counted):
            return f"Box {about.box}, {about.player}: no chips are left for war, so surrender half?"
        return f"Box {about.box}, {about.player}: war with another {dollars(about.amount)}, or surrender half?"

    def evidence(self, game: War, about: Stake) -> dict[str, Any]:
        return {"box": about.box, "player": about.player, "amount": about.amount, "counted": about.counted}

    def why(self, game: War, about: Stake) -> tuple[str, ...]:
        return game.rules.cites["offers"]

    def war(self, game: War, asked: Asked, by: Person) -> None:
        self.choose(game, asked, "war")
        chips.take_war_chips(game, str(asked.evidence["player"]))

    def decline(self, game: War, asked: Asked, by: Person) -> None:
        self.choose(game, asked, "decline")


class Silent(_OfBox):
    """What becomes of a tied stake whose player says nothing?"""

    subject, proposal = "silent", "surrender"
    answers = (Answer("surrender", "Surrender half", ""), Answer("wait", "Ask again", "", rank=1))

    def named(self, about: Silence) -> str:
        return f"{about.main.box}:{about.main.player}"

    def text(self, game: War, about: Silence) -> str:
        player, box = about.main.player, about.main.box
        return f"{player} on box {box} makes no choice. Surrender is the one that needs no further stake."

    def evidence(self, game: War, about: Silence) -> dict[str, Any]:
        return {"box": about.main.box, "player": about.main.player, "why": about.why}

    def offered(self, game: War, about: Silence) -> tuple[Answer, ...]:
        power = game.rules.remedies["absent"].power
        return tuple(answer._replace(power=power) for answer in self.answers)

    def why(self, game: War, about: Silence) -> tuple[str, ...]:
        return game.rules.remedies["absent"].clauses

    def wait(self, game: War, asked: Asked, by: Person) -> None:
        settling.ask_again(game, int(asked.evidence["box"]), str(asked.evidence["player"]))


# -- cards in doubt ------------------------------------------------------------------------------------------------


class WrongDeck(WarQuestion):
    """A card cannot be, is missing, or is foreign: is the round void?"""

    subject, proposal, outlives_round, stops_play = "wrong_deck", "void", True, True
    answers = (
        Answer("void", "Void the round, money back", "wrong_deck"),
        Answer("misread", "The reader was wrong", "correct_card", (ANY_FACE,)),
        Answer("sound", "Nothing is wrong with the decks", "wrong_deck", needs_reason=True),
    )

    def before(self, game: War, about: Finding) -> None:
        alarms.WrongDeck(finding=about.text).happened(game)

    def text(self, game: War, about: Finding) -> str:
        return f"{about.text} Void the round and return its money?"

    def evidence(self, game: War, about: Finding) -> dict[str, Any]:
        return {"finding": about.text, "card": about.card, "by": about.by}

    def offered(self, game: War, about: Finding) -> tuple[Answer, ...]:
        """What a card says is read otherwise or stands; what somebody has told may be found to be wrong."""
        void, misread, sound = self.answers
        return (void, misread) if about.card != NO_CARD else (void, sound)

    def why(self, game: War, about: Finding) -> tuple[str, ...]:
        return game.rules.remedies["wrong_deck"].clauses

    def asks_now(self, game: War, asked: Asked, answer: Answer) -> tuple[Ask, ...]:
        """A card that has left the table meanwhile need not be named."""
        return needed(answer.asks) if asked.evidence["card"] != NO_CARD else ()

    def check(self, game: War, asked: Asked, answer: str, given: dict[str, Any]) -> None:
        if answer == "misread" and asked.evidence["card"] != NO_CARD:
            _name_it(given)

    def void(self, game: War, asked: Asked, by: Person) -> None:
        rulings.void_wrong_deck(game, str(asked.evidence["finding"]), by)

    def sound(self, game: War, asked: Asked, by: Person) -> None:
        """The decks were looked at, and are whole."""
        rulings.go_on(game)

    def misread(self, game: War, asked: Asked, by: Person, *, face: str = "") -> None:
        if asked.evidence["card"] != NO_CARD:
            rulings.name_card(game, int(asked.evidence["card"]), card_told(face))
        rulings.go_on(game)


def _name_it(given: dict[str, Any]) -> None:
    if "face" not in given:
        raise wanting(FACE)
    card_told(given["face"])


class Unknown(WarQuestion):
    """Which card is this, which the reader could not tell?"""

    subject, proposal = "unknown", "enter"
    answers = (
        Answer("enter", "Enter the card that lies there", "enter_card", (FACE,)),
        Answer("void", "It cannot be told any more", ""),
    )

    def named(self, about: Unread) -> str:
        return str(about.card)

    def text(self, game: War, about: Unread) -> str:
        return f"The card at {place_in_words(about.place)} could not be read. Which card lies there?"

    def evidence(self, game: War, about: Unread) -> dict[str, Any]:
        card = game.state.round.drawn[about.card]
        return {**about._asdict(), "read": card.read, "seen": card.seen}

    def offered(self, game: War, about: Unread) -> tuple[Answer, ...]:
        enter, void = self.answers
        return enter, void._replace(power=game.rules.remedies["rebuild_failed"].power)

    def why(self, game: War, about: Unread) -> tuple[str, ...]:
        return game.rules.cites["face_of_card"]

    def check(self, game: War, asked: Asked, answer: str, given: dict[str, Any]) -> None:
        if answer == "enter":
            _name_it(given)

    def enter(self, game: War, asked: Asked, by: Person, *, face: str) -> None:
        rulings.name_card(game, int(asked.evidence["card"]), card_told(face))
        rulings.go_on(game)

    def void(self, game: War, asked: Asked, by: Person) -> None:
        rulings.never_known(game, int(asked.evidence["card"]), by)


class Unseen(WarQuestion):
    """Did a card leave while the source could not see?"""

    subject, proposal, holds_round, stops_play = "unseen", "none", False, True
    answers = (
        Answer("none", "No card left unseen", "enter_card"),
        Answer("enter", "Enter the card that left", "enter_card", (FACE,)),
    )

    def text(self, game: War, about: Any) -> str:
        return "The card source lost its memory. Did a card leave it that is not on the screen?"

    def evidence(self, game: War, about: Any) -> dict[str, Any]:
        return {"cards": len(game.state.round.drawn)}

    def why(self, game: War, about: Any) -> tuple[str, ...]:
        return game.rules.cites["from_the_source"]

    def check(self, game: War, asked: Asked, answer: str, given: dict[str, Any]) -> None:
        if answer == "enter":
            _name_it(given)

    def none(self, game: War, asked: Asked, by: Person) -> None:
        rulings.go_on(game)

    def enter(self, game: War, asked: Asked, by: Person, *, face: str) -> None:
        seen.left_unseen(game, card_told(face))


class Double(WarQuestion):
    """Cards came together: can their order be told?"""

    subject, proposal = "double", "void"
    answers = (
        Answer("void", "It cannot be told", ""),
        Answer("order", "The order is known after all", "correct_card", (ORDER,)),
    )

    def _places(self, game: War, about: Together) -> list[str]:
        return game.state.round.places()[about.first :]

    def text(self, game: War, about: Together) -> str:
        places = " and ".join(map(place_in_words, self._places(game, about)))
        if UNKNOWN in about.faces:
            return f"{len(about.faces)} cards came together for {places}. Which came first?"
        return f"{len(about.faces)} cards came together ({faces_in_words(about.faces)}) for {places}. Which came first?"

    def evidence(self, game: War, about: Together) -> dict[str, Any]:
        return {"card": about.first, "faces": list(about.faces), "places": self._places(game, about)}

    def offered(self, game: War, about: Together) -> tuple[Answer, ...]:
        void, order = self.answers
        return void._replace(power=game.rules.remedies["double_unknown"].power), order

    def why(self, game: War, about: Together) -> tuple[str, ...]:
        return game.rules.remedies["double_unknown"].clauses

    def asks_now(self, game: War, asked: Asked, answer: Answer) -> tuple[Ask, ...]:
        """Both orders there are."""
        one, two = (str(face) for face in asked.evidence["faces"])
        choices = ((f"{one} {two}", face_in_words(one)), (f"{two} {one}", face_in_words(two)))
        return tuple(msgspec.structs.replace(ask, choices=choices) for ask in needed(answer.asks))

    def check(self, game: War, asked: Asked, answer: str, given: dict[str, Any]) -> None:
        if answer == "order" and sorted(given.get("faces", ())) != sorted(asked.evidence["faces"]):
            raise Refusal(
                "bad_order", f"Name the same cards in their order: {faces_in_words(asked.evidence['faces'])}."
            )

    def void(self, game: War, asked: Asked, by: Person) -> None:
        rulings.order_lost(game, [str(place) for place in asked.evidence["places"]], by)

    def order(self, game: War, asked: Asked, by: Person, *, faces: tuple[str, ...] = ()) -> None:
        rulings.order_told(game, int(asked.evidence["card"]), faces)


class Surplus(WarQuestion):
    """Was the face of a card too many seen?"""

    subject, proposal, holds_round, stops_next_round = "surplus", "", False, True
    answers = (Answer("seen", "Seen", "report"), Answer("unseen", "Not seen", "report"))

    def named(self, about: int) -> str:
        return str(about)

    def text(self, game: War, about: int) -> str:
        return "A card too many was drawn. Was its face seen?"

    def evidence(self, game: War, about: int) -> dict[str, Any]:
        return {"card": about}

    def why(self, game: War, about: int) -> tuple[str, ...]:
        return game.rules.remedies["surplus"].clauses

    def otherwise(self, game: War, asked: Asked, answer: str, by: Person) -> None:
        rulings.sight_told(game, int(asked.evidence["card"]), answer, by)


# -- the set of cards ----------------------------------------------------------------------------------------------


class Cut(WarQuestion):
    """Who cuts?"""

    subject, proposal, holds_round, outlives_round = "cut", "cut", False, True
    answers = (
        Answer("cut", "Cut, at least a deck from both ends", "record_cut"),
        Answer("refused", "Refused", "record_cut"),
        Answer("cut", "Cut for the players", "cut_for_players"),
    )

    def text(self, game: War, about: str) -> str:
        return f"{about} cuts the cards." if about else "No player cuts: a supervisor does."

    def evidence(self, game: War, about: str) -> dict[str, Any]:
        return {"player": about}

    def offered(self, game: War, about: str) -> tuple[Answer, ...]:
        return self.answers[:2] if about else self.answers[2:]

    def why(self, game: War, about: str) -> tuple[str, ...]:
        clauses = shoe.cutter(game)[1] if about else game.rules.cites["cut_refused"]
        return *clauses, *game.rules.cites["cut_depth"]

    def cut(self, game: War, asked: Asked, by: Person) -> None:
        shoe.cut(game, str(asked.evidence["player"]), asked.clauses, by)

    def refused(self, game: War, asked: Asked, by: Person) -> None:
        shoe.cut_refused(game)


class Sequence(WarQuestion):
    """Cards came as a new deck is packed: are they shuffled?"""

    subject, proposal, holds_round, outlives_round = "sequence", "shuffle", False, True
    answers = (
        Answer("shuffle", "Shuffle after this round", "order_shuffle"),
        Answer("play_on", "Play on", "order_shuffle", needs_reason=True),
    )

    def _alarm(self, cards: list[str]) -> alarms.InOrder:
        return alarms.InOrder(cards=faces_in_words(cards))

    def before(self, game: War, about: list[str]) -> None:
        self._alarm(about).happened(game)

    def text(self, game: War, about: list[str]) -> str:
        return f"{self._alarm(about).said(game).text} Shuffle?"

    def evidence(self, game: War, about: list[str]) -> dict[str, Any]:
        return {"cards": about}

    def why(self, game: War, about: list[str]) -> tuple[str, ...]:
        return game.rules.cites["sequence"]

    def shuffle(self, game: War, asked: Asked, by: Person) -> None:
        shoe.break_sequence(game)

    def play_on(self, game: War, asked: Asked, by: Person) -> None:
        """They stay as they are."""


class Count(WarQuestion):
    """Are all cards there after gaming?"""

    subject, proposal, holds_round, outlives_round = "count", "", False, True
    answers = (
        Answer("complete", "Complete", "check_cards", (COUNT,)),
        Answer("wrong", "Cards are missing, or too many", "check_cards", (COUNT,)),
    )

    def text(self, game: War, about: Any) -> str:
        return f"The table is closed: count the cards. There should be {game.state.shoe.cards.total}."

    def evidence(self, game: War, about: Any) -> dict[str, Any]:
        return {"expected": game.state.shoe.cards.total}

    def why(self, game: War, about: Any) -> tuple[str, ...]:
        return game.rules.cites["card_count"]

    def asks_now(self, game: War, asked: Asked, answer: Answer) -> tuple[Ask, ...]:
        return needed(answer.asks)

    def complete(self, game: War, asked: Asked, by: Person, *, count: int | None = None) -> None:
        expected = int(asked.evidence["expected"])
        checking.counted(game, expected, expected if count is None else count, by)

    def wrong(self, game: War, asked: Asked, by: Person, *, count: int = 0) -> None:
        expected = int(asked.evidence["expected"])
        checking.counted(game, expected, count, by, right=False)


class NoStakes(ByRemedy):
    """Cards were dealt although nobody staked: is the round void?"""

    subject, label = "no_stakes", "Void, burn the cards"

    def remedy(self, game: War, about: Any) -> Remedy:
        return game.rules.remedies["no_stakes"]

    def text(self, game: War, about: Any) -> str:
        return "Cards were dealt and no stake lies on the table. Void the round and burn them?"

    def evidence(self, game: War, about: Any) -> dict[str, Any]:
        return {"cards": len(game.state.round.drawn)}

    def rule(self, game: War, asked: Asked, by: Person) -> None:
        doubts.void_no_stakes(game, by)


QUESTIONS: Questions[War] = Questions(
    Late, Several, Choice, Silent, WrongDeck, Unknown, Unseen, Double, Surplus, NoStakes, Cut, Sequence, Count,
    *checking.QUESTIONS, *reports.QUESTIONS, *voids.QUESTIONS, *device.QUESTIONS,
)  # fmt: skip
