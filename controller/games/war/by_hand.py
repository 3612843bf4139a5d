"""What is keyed at a Casino War table while its shoe, its shuffler or its chip mat is dead for the night."""

from __future__ import annotations

from collections.abc import Iterator

from controller.core.by_hand import MAT, Part
from controller.core.desk import Ask
from controller.core.events import Chip
from controller.core.keys import CARDS, Keys
from controller.core.table_keys import without
from controller.games.war import asking, dealing, seen
from controller.games.war.cards import CUT
from controller.games.war.layout import HOUSE
from controller.games.war.play import SOURCES, War
from controller.games.war.state import DRAWING, Coming
from controller.people import Person
from drivers.cards import CardDrawn, CuttingCard

KEYS: Keys[War] = Keys(about=CARDS)
CARD = Ask("card", "card", "Card")
FACE_UP = Ask("face_up", "flag", "It lay face up inside", optional=True, aside=True)
CARDS_COME = ("burning", "betting", "closed", *DRAWING)


def _card_may_come(game: War) -> bool:
    dead = without(game.table, SOURCES[game.state.supply.source])
    return dead and game.machine.state in CARDS_COME and game.stopped_by is None


def _cut_may_come(game: War) -> bool:
    return _card_may_come(game) and game.state.supply.source == "shoe"


@KEYS.key("next_card", "Next card", power="told_by_hand", like="open_table", rank=1, asks=(CARD, FACE_UP),
          when=_card_may_come)  # fmt: skip
def next_card(game: War, by: Person, *, card: str, face_up: bool = False) -> None:
    """The next card of the deal, in the order in which it left: told as the reader would have told it."""
    game.desk.note("card_by_hand", game.rules.cites["from_the_source"], card=card, by=by.id)
    seen.take(game, CardDrawn(game.source_place, 0, card, 100, face_up))


@KEYS.key("cutting_card", "Cutting card came", power="told_by_hand", like="open_table", rank=1,
          when=_cut_may_come)  # fmt: skip
def cutting_card(game: War, by: Person) -> None:
    game.desk.note("card_by_hand", game.rules.cites["from_the_source"], card=CUT, by=by.id)
    seen.take(game, CuttingCard(game.source_place, 0))


class WarByHand(Part[War]):
    """Cards come by key, one by one; stakes and payments by who, where and how much."""

    keys = KEYS

    def begins(self, game: War, kind: str) -> None:
        """Nothing will tell that a chip lies across a line no more."""
        if kind == MAT:
            game.state.felt.unclear = []

    def ends(self, game: War, kind: str) -> None:
        """A shoe that is joined again holds what the decks still owe, whatever it was when it fell silent."""
        if kind != MAT:
            dealing.advance(game)

    def areas(self, game: War) -> Iterator[tuple[str, str]]:
        for area in range(1, game.layout.areas):
            place = game.layout.place(area)
            if place is not None and place[1] != HOUSE:
                yield str(area), game.layout.name(area).capitalize()

    def players(self, game: War) -> Iterator[tuple[str, str]]:
        return ((name, name) for name in asking.players(game))

    def lying(self, game: War) -> dict[int, list[Chip]]:
        found: dict[int, list[Chip]] = {}
        for tag, one in game.state.felt.lying.items():
            found.setdefault(one.area, []).append(Chip(tag, "token" if one.token else "cash", one.cents))
        return found

    def lays(self, game: War, area: int, player: str) -> None:
        place = game.layout.place(area)
        assert place is not None  # it was offered
        box, zone = place
        at_war = zone == "perfect_pairs" and game.machine.state in ("choosing",)
        game.state.felt.coming[area] = Coming(player, f"{zone}{' at war' if at_war else ''} {box} {player}")
