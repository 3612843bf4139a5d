"""What people are asked: boxes, players, stakes and cards that are really there, and how a question holds a round."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar

from controller.core.desk import Ask, Refusal
from controller.core.questions import Question
from controller.games.war.cards import BadCard, face_in_words, parse, place_in_words
from controller.games.war.layout import HOUSE
from controller.games.war.play import War
from controller.games.war.state import Stake
from controller.money.amounts import dollars

Offered = Iterator[tuple[str, str]]


# -- what there is to choose from -----------------------------------------------------------------------------------


def boxes(game: War) -> Offered:
    """Every box of the table."""
    return _numbered(range(1, game.config.boxes + 1))


def _numbered(boxes: Any) -> Offered:
    return ((str(box), f"Box {box}") for box in boxes)


def boxes_of(which: Callable[[War], list[Stake]]) -> Callable[[War], Offered]:
    """The boxes of these stakes."""
    return lambda game: _numbered(sorted({stake.box for stake in which(game)}))


def _zones(game: War) -> Offered:
    return ((zone, in_words(zone).capitalize()) for zone in game.layout.zones if zone != HOUSE)


def players(game: War) -> list[str]:
    """Who is at the table, by seat, arrival, stake, or leave for several areas."""
    state = game.state
    staking = (stake.player for stake in state.round.stakes)
    known = (*state.players.at_box.values(), *state.players.arrivals, *staking, *state.players.several)
    return list(dict.fromkeys(known))


def known_players(game: War) -> Offered:
    """Who is at the table, to choose from."""
    return ((player, player) for player in players(game))


def wagers_of(which: Callable[[Stake], bool]) -> Callable[[War], Offered]:
    """The stakes of the round of this kind."""
    return lambda game: (
        (stake.id, f"Box {stake.box} {in_words(stake.zone)} · {stake.player} · {dollars(stake.amount)}")
        for stake in game.state.round.stakes
        if which(stake)
    )


def _cards(game: War) -> Offered:
    """The last one first, as it is the one that is mostly meant."""
    shown = list(enumerate(game.state.round.shown()))
    for place, (face, where) in reversed(shown):
        yield str(place), f"{place + 1}: {face_in_words(face)}, {place_in_words(where)}"


def in_words(zone: str) -> str:
    return zone.replace("_", " ")


BOX = Ask("box", "choice", "Box", number=True, offered=boxes, suggested=True)
TIED_BOX = Ask(
    "box", "choice", "Box", number=True, offered=boxes_of(lambda game: game.state.round.tied_mains()), suggested=True
)
WAR_BOX = Ask(
    "box", "choice", "Box", number=True, offered=boxes_of(lambda game: game.state.round.war_stakes()), suggested=True
)
STAKED_BOX = Ask("box", "choice", "Box", number=True, offered=boxes_of(lambda game: game.state.round.stakes))
ZONE = Ask("zone", "choice", "Zone", offered=_zones, suggested=True)
PLAYER = Ask("player", "player", "Player", offered=known_players)
"""Somebody who is at the table: seated, arrived, or with a stake."""
ANYBODY = Ask("player", "player", "Player", offered=known_players, suggested=True)
"""Somebody new too: who is spoken of before the first chips lie, and whoever stands by and never plays."""
WAGER = Ask("wager", "choice", "Which stake", offered=wagers_of(lambda stake: True))
WAGER_PLAYED = Ask("wager", "choice", "Which stake", offered=wagers_of(lambda stake: stake.played))
CARD = Ask("card", "choice", "Which card of the round, the last one if none is named", optional=True, number=True,
           offered=_cards, suggested=True)  # fmt: skip
FACE = Ask("face", "card", "The card is")
AMOUNT = Ask("amount", "money", "Amount")
WITHDRAW = Ask("withdraw", "names", "Who takes the stakes back (names, with commas)", optional=True,
               offered=known_players)  # fmt: skip


def card_told(face: str) -> str:
    """A card somebody entered."""
    try:
        drawing = parse(face)
    except BadCard as wrong:
        raise Refusal("bad_card", str(wrong)) from None
    if drawing.kind != "card":
        raise Refusal("bad_card", f"{drawing.face} is no card of the decks.")
    return drawing.face


# -- questions ------------------------------------------------------------------------------------------------------


class WarQuestion(Question[War]):
    """A question at this table; the round stands still while one that holds it is open.

    While one that stops play is open, nothing is dealt, paid or called for, in a round or between two; while one that
    stops the next round is, that round does not begin.
    """

    holds_round: ClassVar[bool] = True
    stops_play: ClassVar[bool] = False
    stops_next_round: ClassVar[bool] = False
    outlives_round: ClassVar[bool] = False

    def named(self, about: Any) -> str:
        """Nothing, unless there may be several of the kind at once."""
        return ""
