"""Tables of Casino War for the tests of cards, shoe and shuffler, and what such a table said."""

from __future__ import annotations

from typing import Any

from controller.core.desk import Limits
from controller.core.effects import Alarmed, Announced, AnyEffect, Asked, Noted, Ruled
from controller.games.war.cards import FACES
from controller.games.war.config import WarConfig
from tests.controller.games.war.play import Play

MELBOURNE, PERTH, STAR = "melbourne-war", "perth-war", "star-war"
HOUSES = (MELBOURNE, PERTH, STAR)
BURN = {MELBOURNE: ("2C",), PERTH: ("AC", "2C"), STAR: ("2C",)}
"""The shortest burn after a cut."""
PLAYERS = ("Ann", "Bob", "Cyd", "Dot")


def closed_shoe(house: str, **config: Any) -> Play:
    """A table whose cards nobody has checked yet."""
    return Play(house, WarConfig(**{"decks": 6, **config}), Limits(1000, 50_000, 0, 250))


def uncut(house: str, **config: Any) -> Play:
    """Checked and shuffled; the cut is on offer."""
    play = closed_shoe(house, **config)
    play.press("check_cards", how="by hand")
    play.press("shuffled")
    return play


def betting(house: str, **config: Any) -> Play:
    """Betting is open; where a shuffler deals, Melbourne burns nothing."""
    play = closed_shoe(house, **config)
    play.new_shoe(*() if (house, config.get("source")) == (MELBOURNE, "csm") else BURN[house])
    for player in PLAYERS:
        play.press("player_card", player=player)
    assert play.phase == "betting"
    return play


def staked(house: str, *players: str, **config: Any) -> Play:
    """These players stake ten dollars on the boxes from the first on, and betting is closed."""
    play = betting(house, **config)
    stake(play, *players)
    return play


def stake(play: Play, *players: str) -> None:
    for box, player in enumerate(players, 1):
        play.lay(f"m{player}", player, box, "main", 1000)
    play.press("no_more_bets")


def at_war(house: str, *players: str, **config: Any) -> Play:
    """Everybody's king ties with the dealer's, and everybody has laid the war stake."""
    play = staked(house, *players, **config)
    play.cards(*["KH"] * len(players), "KS")
    play.press("settled")
    for box, player in enumerate(players, 1):
        play.answer(f"choice:{box}:{player}", "war")
        play.lay(f"w{player}", player, box, "war", 1000)
    return play


def use_up(play: Play, cards: int) -> None:
    """So many cards are out of the source, as after many rounds."""
    faces = [face for _ in range(play.game.state.shoe.cards.decks) for face in FACES]
    for face in faces:
        if play.game.state.shoe.cards.drawn < cards and play.game.state.shoe.cards.left(face):
            play.game.state.shoe.cards.draw(face)
    assert play.game.state.shoe.cards.drawn == cards


# -- what the table said ------------------------------------------------------------------------------------------


def announced(play: Play, code: str) -> list[tuple[str, str, tuple[str, ...]]]:
    """To whom, in which words, by which clauses."""
    found = [effect for effect in play.effects if isinstance(effect, Announced) and effect.code == code]
    return [(effect.to, effect.text, effect.clauses) for effect in found]


def noted(play: Play, what: str) -> list[tuple[dict[str, Any], tuple[str, ...]]]:
    found = [effect for effect in play.effects if isinstance(effect, Noted) and effect.what == what]
    return [(effect.facts, effect.clauses) for effect in found]


def alarmed(effects: list[AnyEffect]) -> list[tuple[str, tuple[str, ...]]]:
    return [(effect.code, effect.clauses) for effect in effects if isinstance(effect, Alarmed)]


def ruled(effects: list[AnyEffect]) -> list[tuple[str, str, str, tuple[str, ...]]]:
    """What was ruled, how, by whom, by which clauses."""
    return [
        (effect.subject, effect.answer, effect.by, effect.clauses) for effect in effects if isinstance(effect, Ruled)
    ]


def question(play: Play, subject: str) -> Asked:
    """The open question of this very subject."""
    asked = play.game.asked(subject)
    assert asked is not None, f"nobody asks about {subject}; open: {play.questions()}"
    assert asked.subject == subject
    return asked


def answers(asked: Asked) -> list[tuple[str, int, str]]:
    """Each answer with its rank and clause."""
    return [(option.answer, option.rank, option.clause) for option in asked.options]


def lying(play: Play) -> list[tuple[str, str]]:
    """The cards of the round as the screens show them."""
    return [(card["face"], card["to"]) for card in play.game.view()["cards"]]


def left(play: Play) -> int:
    """How many cards the source still holds, as the screens show it."""
    return int(play.game.view()["left"])


def refused(play: Play) -> tuple[str, tuple[str, ...]]:
    """The last refusal."""
    return play.refusals()[-1].code, play.refusals()[-1].clauses


def paid(play: Play) -> dict[str, tuple[str, int, int, int]]:
    """How each wager ended: result, paid, taken, returned."""
    return {wager: (one.result, one.pays, one.stake_taken, one.stake_returned) for wager, one in play.results().items()}
