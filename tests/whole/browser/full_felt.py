"""Felts with every box taken, by players with long names and several stakes each, up to the end of their wars."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

from controller.core.runtime import Runtime, Told
from controller.web.board import Board
from controller.web.server import face
from lab.scenarios.file import read_cases
from lab.scenarios.play import play_case
from tests.whole.browser.moments import Sections, Watched, shown

PLAYERS = (
    "Alexandra Papadopoulos",
    "Bartholomew",
    "Chen Wei",
    "Dimitriou",
    "Eleanor",
    "Fitzgerald",
    "Gonzales",
    "Harrington",
    "Ingeborg",
)
DEALT = ("KS", "9H", "KD", "9C", "KH", "9D", "3S", "TC", "QD")
"""What every box is dealt; three of them tie with the dealer."""
DEALERS = "9S"
SURRENDERS, AT_WAR = 2, (4, 6)
WAR_CARDS = ("TH", "7D", "8C")


class House(NamedTuple):
    """What such a felt needs to know of a rulebook."""

    cuts: str
    burned: list[str]
    """Before the first round."""
    at_war: list[str]
    """Burned before the cards of a war."""
    bets: tuple[str, ...]
    config: dict[str, Any]


HOUSES = {
    "melbourne-war": House("ACM", ["2C"], [], ("tie",), {}),
    "perth-war": House(
        "TGM",
        ["AC", "2C"],
        ["3C", "4C", "5C"],
        ("tie", "perfect_pairs"),
        {"zones": ["tie", "perfect_pairs"], "perfect_pairs": "col2:6d 25/12/5"},
    ),
}


def steps(book: str) -> list[dict[str, Any]]:
    house = HOUSES[book]
    faces, war = [*DEALT, DEALERS], [*house.at_war, *WAR_CARDS]
    laid = [
        {"do": "lay", "wager": f"{zone} {box}", "player": player, "box": box, "zone": zone, "amount": amount}
        for box, player in enumerate(PLAYERS, 1)
        for zone, amount in (("main", 480), *((side, 75) for side in house.bets))
    ]
    shared = {"do": "lay", "wager": "beside", "player": "Jo", "box": 3, "zone": "main", "amount": 60}
    return [
        {"do": "press", "key": "check_cards", "args": {"how": "by hand"}},
        {"do": "load", "next": [*house.burned, *faces, *war]},
        {"do": "press", "key": "shuffled"},
        {"do": "answer", "subject": "cut", "answer": "cut", "rank": house.cuts},
        {"do": "draw", "cards": house.burned},
        *laid,
        shared,
        {"do": "press", "key": "no_more_bets"},
        {"do": "draw", "cards": faces},
        {"do": "settle"},
        {"do": "answer", "subject": f"choice:{SURRENDERS}:{PLAYERS[SURRENDERS - 1]}", "answer": "surrender"},
        *(
            {"do": "lay", "wager": f"war {box}", "player": PLAYERS[box - 1], "box": box, "zone": "war", "amount": 480}
            for box in AT_WAR
        ),
        {"do": "settle"},
        {"do": "draw", "cards": war},
    ]


class EveryState(Watched):
    """The last moment of each state is kept: that in which the most lies on the felt."""

    def ready(self, runtime: Runtime) -> None:
        board = Board(runtime, face(runtime, self._config, True, None))

        def look(told: Told) -> None:
            if told.seq == runtime.guarded.position.seq:
                self._kept[(runtime.table.game.machine.state,)] = shown(board)

        runtime.watchers.append(look)


def full_felt(book: str, folder: Path) -> dict[tuple[str, ...], Sections]:
    """What pages show of each state of a round on such a felt; called inside a running loop."""
    path = folder / f"{book}.json"
    config = {
        "boxes": len(PLAYERS),
        "min": 10,
        "max": 500,
        "smallest_chip": 2.5,
        "source": "shoe",
        **HOUSES[book].config,
    }
    case = {"id": book, "rulebook": book, "title": "Every box is taken", "decks": 6, "config": config}
    path.write_text(json.dumps({"meta": {}, "cases": [{**case, "steps": steps(book), "expected": [], "clauses": []}]}))
    kept: dict[tuple[str, ...], Sections] = {}
    for played in read_cases(path):
        play_case(played, EveryState(kept))
    return kept
