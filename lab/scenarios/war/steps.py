"""The steps of Casino War besides those of all games: cards, shoe and shuffler, and what a dealer does with chips."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from controller.games.war.cards import parse
from controller.games.war.config import WarSection
from controller.games.war.layout import HOUSE
from firmware_specs.messages.shuffler import Mode
from lab.scenarios.steps import AREA, WHICH, Steps, steps_section
from lab.scenarios.war.people import area_name, areas_of
from lab.scenarios.war.words import BOX, CARD, FACE, ZONES, written
from lab.scenarios.words import FLAG, SOME_MONEY, TEXT, Field, Kind, Section, Word, counted, list_of, one_of, plain
from simulators.card_reader import MishapKind
from simulators.shoe import CardShoe
from simulators.shuffler import CardShuffler

if TYPE_CHECKING:
    from lab.scenarios.war.play import WarTable

HOW: tuple[MishapKind, ...] = ("two", "half", "unreadable", "misread")
"""How a draw may go wrong."""
PACKED = tuple(rank + suit for suit in "SHDC" for rank in "A23456789TJQK")
"""A new deck as it comes out of its box."""


def _any_back(value: Any, where: str) -> str:
    back = "!" if str(value).startswith("!") else ""
    return back + written(str(value).removeprefix("!"), where)


BACKED = Kind(f"{CARD.name}, `!` before one with another back", _any_back)
CARDS = list_of(BACKED)
WITHOUT = Field("without", list_of(FACE), "Cards that are lacking.")
WITH = Field("with", CARDS, "Cards that are among them besides.")
MISCOUNT = Field("miscount", plain("a whole number", int), "By how many the shuffler counts them wrong.")
PLACE = (Field("box", BOX, "Which box, where no area is named."), Field("zone", one_of(*ZONES, HOUSE), "What of it."))
OWN = (
    Word("load", "All decks go into the shoe or shuffler.", (
        Field("cards", one_of("shuffled", "factory"), "Shuffled where not told, or as a maker packs them."),
        WITHOUT, WITH, Field("next", CARDS, "The cards that come first, in this order; none may be left over."),
        MISCOUNT)),
    Word("draw", "Cards are drawn; those that are named come, out of a sleeve where none is inside.", (
        Field("cards", CARDS, "The cards in their order; those of `next`, while some of them are to come."),
        Field("times", counted(least=1), "How many, where none is named."),
        Field("how", one_of(*HOW), "Two at once, half drawn and pushed back, unreadable, or read as another card."),
        Field("seen", FACE, "What the reader takes the card for."),
        Field("order_known", FLAG, "Of two at once: whether it can be told which came first."),
        Field("after_read", FLAG, "Of one half drawn: whether it was read before it went back."))),
    Word("next", "These cards, which are inside the shuffler, come out next.", (
        Field("cards", CARDS, "The cards.", optional=False),)),
    Word("feed", "The round's cards go back into the shuffler.", (WITHOUT, WITH, MISCOUNT)),
    Word("house_chips", "The dealer lays the house's chips beside a war stake (method B).", (
        Field("box", BOX, "Which box.", optional=False), Field("amount", SOME_MONEY, "Their worth.", optional=False))),
    Word("swap", "Something is taken away and another is put in its place: chips on an area, or the shuffler.", (
        AREA, *PLACE, *WHICH, Field("with", list_of(SOME_MONEY), "The values of the chips that are laid."),
        Field("serial", TEXT, "The serial number of the other shuffler."),
        Field("left_inside", CARDS, "The cards that are in the other shuffler."))),
    Word("settle", "The dealer takes and pays what is due with chips, and says so."),
    Word("next_round", "Everybody lifts what is theirs, and the dealer calls for bets."),
    Word("jam", "A card sticks in the mouth of the shuffler, and it cannot shake it free."),
    Word("mode", "The shuffler is switched to another mode.", (
        Field("mode", one_of(*(mode.name.lower() for mode in Mode)), "Which.", optional=False),)),
)  # fmt: skip
STEPS = steps_section(
    OWN,
    {
        **dict.fromkeys(("lay", "lift", "move", "split"), PLACE),
        "lay": (*PLACE, Field("token", FLAG, "Whether they are promotional tokens.")),
        "expect": (Field("decks", counted(least=1), "How many decks are in play."),),
    },
)


class WarSteps(Steps):
    """Carries them out with the hands of a case's table."""

    section: ClassVar[Section] = STEPS
    table: WarTable

    def __init__(self, table: WarTable) -> None:
        super().__init__(table, areas_of(table.game.layout))
        self.held: list[str] = []
        self.ahead: list[str] = []

    def judge(self) -> None:
        """Cards that were to come and did not are left over."""
        if self.ahead:
            self.table.wrong(f"cards that never came: {', '.join(self.ahead)}")

    # -- cards -------------------------------------------------------------------------------------------------

    def do_load(self, said: dict[str, Any]) -> None:
        self.ahead = list(said.get("next", ()))
        packed = said.get("cards") == "factory"
        decks = self.table.config.own(WarSection).decks
        cards = list(PACKED) * decks if packed else self.table.shuffled_without(self.ahead)
        cards = [*self._without(cards, said), *(thing(card) for card in said.get("with", ()))]
        self.table.load(self.ahead, cards, said.get("miscount", 0))

    def _without(self, cards: list[str], said: dict[str, Any]) -> list[str]:
        for face in said.get("without", ()):
            if face not in cards:
                raise self.wrong(f"without: there is no {face} among them")
            cards.remove(face)
        return cards

    def do_draw(self, said: dict[str, Any]) -> None:
        how, cards = said.get("how"), [thing(card) for card in said.get("cards", ())]
        if how is not None:
            self._bring(cards)
            self._spoil(how, said, cards)
            self._pull(cards)
            return
        for card in cards or [""] * said.get("times", 1):
            self._bring([card] if card else [])
            self._pull([card] if card else [])

    def _bring(self, cards: list[str]) -> None:
        """See to it that these cards are the next ones, unless the order was told when the cards were loaded."""
        source = self.table.source
        if self.ahead:
            return
        if isinstance(source, CardShoe):
            if source.cards:
                source.stack(cards)
        elif source.mouth and source.mouth[: len(cards)] != tuple(cards):
            source.load([card for card in cards if card not in (*source.inside, *source.feed, *source.mouth)])
            source.stack(cards)
            self.table.until(lambda: bool(source.mouth))

    def _pull(self, wanted: list[str]) -> None:
        drawn = self.table.draw()
        self.held += drawn
        self.ahead = self.ahead[len(drawn) :]
        if wanted and drawn != tuple(wanted):
            self.table.wrong(f"{self.where}: {', '.join(drawn) or 'no card'} came where {', '.join(wanted)} should")

    def _spoil(self, how: MishapKind, said: dict[str, Any], cards: list[str]) -> None:
        if how == "two":
            self.table.two_at_once(said.get("order_known", True), cards or self.ahead)
            return
        seen, after_read = said.get("seen", ""), said.get("after_read", False)
        self.table.source.spoil(how, seen=seen, confidence=99, after_read=after_read)

    def _shuffler(self) -> CardShuffler:
        source = self.table.source
        if not isinstance(source, CardShuffler):
            raise self.wrong("this table deals from a shoe; only a shuffler can do this")
        return source

    def do_next(self, said: dict[str, Any]) -> None:
        source = self._shuffler()
        self.ahead = list(said["cards"])
        try:
            source.stack([thing(card) for card in self.ahead])
        except ValueError as lacking:  # a card that lies elsewhere cannot come out of the machine
            raise self.wrong(f"cards: {lacking}") from None
        self.table.until(lambda: bool(source.mouth))

    def do_feed(self, said: dict[str, Any]) -> None:
        source, cards = self._shuffler(), self._without(list(self.held), said)
        self.held = []
        source.miscount(said.get("miscount", 0))
        source.load([*cards, *(thing(card) for card in said.get("with", ()))])
        self.table.wait(0.1 * len(cards) + 1.0)

    def do_jam(self, said: dict[str, Any]) -> None:
        self._shuffler()
        self.table.jam(self.ahead)

    def do_mode(self, said: dict[str, Any]) -> None:
        self._shuffler().set_mode(Mode[said["mode"].upper()])
        self.table.wait(6.0)

    def do_swap(self, said: dict[str, Any]) -> None:
        if ("serial" in said) == ("with" in said):
            raise self.wrong("one of 'with' (chips) and 'serial' (the shuffler) says what is put there")
        if "with" in said:
            super().do_swap(said)
            return
        self._shuffler()
        left = tuple(thing(card) for card in said.get("left_inside", ()))
        self.table.devices.swap("shuffler", said["serial"], left)
        self.table.wait(2.0)

    # -- chips -------------------------------------------------------------------------------------------------

    def area(self, said: dict[str, Any], field: str = "area") -> int:
        if field == "area" and "box" in said:
            said = {"area": area_name(said["box"], said.get("zone", "main"))}
        return super().area(said, field)

    def assign(self, area: int, said: dict[str, Any], tags: list[int]) -> None:
        place = self.table.game.layout.place(area)
        assert place is not None
        told = {"box": place[0], "zone": place[1], "player": said["player"]}
        self.table.press("assign", {**told, **({"wager": said["wager"]} if "wager" in said else {})}, 1)

    def named_chips(self, said: dict[str, Any], tags: list[int]) -> None:
        super().named_chips(said, tags)
        self.table.tags |= {said["wager"]: tags} if "wager" in said else {}
        if said.get("token"):
            self.table.register.tokens.update(tags)

    def do_house_chips(self, said: dict[str, Any]) -> None:
        self.table.house_chips(said["box"], said["amount"])

    def do_settle(self, said: dict[str, Any]) -> None:
        self.table.say("settled")

    def do_next_round(self, said: dict[str, Any]) -> None:
        self.table.lift()
        self.table.say("place_bets")

    # -- questions ---------------------------------------------------------------------------------------------

    def before_answer(self, subject: str, answer: str) -> None:
        self.table.prepare(subject, answer, self.ahead)

    def now(self) -> dict[str, Any]:
        return {**super().now(), "decks": self.table.game.state.shoe.cards.decks}


def thing(card: str) -> str:
    """A card as the simulated devices write it; a leading ! has another back."""
    if card.startswith("!"):
        return "!" + parse(card[1:]).face
    drawing = parse(card)
    return f"{drawing.face}^" if drawing.face_up else drawing.face
