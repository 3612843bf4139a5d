"""Casino War played at random from a seed."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from controller.core.desk import Limits
from controller.games.war.cards import FACES
from controller.games.war.config import WarConfig
from controller.games.war.events import (
    CardCame,
    CardsCameTogether,
    CardsRead,
    SourceEmpty,
    SourceStopped,
    StakeChanged,
    StakeLaid,
)
from tests.controller.games.war.play import Play

PLAYERS = ("P1", "P2", "P3", "P4")
AMOUNTS = (500, 1000, 1250, 2500, 5000, 7500, 70_000)
HOUSES: dict[str, list[dict[str, Any]]] = {
    "melbourne-war": [
        {"decks": 6},
        {"decks": 4, "source": "csm", "war_method": "B"},
        {"decks": 5, "start_burn": False},
    ],
    "perth-war": [
        {"decks": 6, "column": 2, "optional_zones": ("tie", "a_bomb", "perfect_pairs")},
        {"decks": 8, "column": 7, "optional_zones": ("perfect_pairs",), "round_burn": True, "source": "csm"},
    ],
    "star-war": [{"decks": 6}, {"decks": 6, "source": "csm"}],
}


class Chance:
    """A table where anything may happen next."""

    def __init__(self, seed: int, trouble: float) -> None:
        self.random = random.Random(seed)
        self.trouble = trouble
        self.rulebook = self.random.choice(sorted(HOUSES))
        config = self.random.choice(HOUSES[self.rulebook])
        self.config = WarConfig(boxes=5, **config)
        self.play = Play(self.rulebook, self.config, Limits(1000, 50_000, self.random.choice((0, 500)), 250))
        self.pack: list[str] = []
        self.wagers = 0

    def step(self) -> None:
        """One more thing happens."""
        if self.random.random() < self.trouble:
            self._trouble()
        elif not self._answer():
            self._play_on()

    def _answer(self) -> bool:
        prompts = list(self.play.table.state.desk.prompts.values())
        if not prompts:
            return False
        asked = self.random.choice(prompts)
        option = self.random.choice(asked.options)
        if option.answer == "war":
            evidence = asked.evidence
            self._lay(evidence["player"], evidence["box"], "war", evidence["amount"])
            return True
        told: dict[str, Any] = {
            "face": self.random.choice(FACES),
            "faces": list(asked.evidence.get("faces", ())),
            "withdraw": [self.random.choice(PLAYERS)] if self.random.random() < 0.3 else "",
        }
        asks = {ask.name for ask in self.play.game.asks(asked, option.answer)}
        args = {"reason": "chance", **{name: value for name, value in told.items() if name in asks}}
        self.play.press("answer", 4, prompt=asked.prompt, answer=option.answer, **args)
        return True

    def _play_on(self) -> None:
        play, phase = self.play, self.play.phase
        if phase == "unchecked":
            play.press("check_cards", how="by hand")
        elif phase in ("unshuffled", "reshuffling"):
            self.pack = []
            play.press("shuffled")
        elif phase == "betting" and self.random.random() < 0.8:
            self._stake()
        elif phase == "betting" and self.random.random() < 0.4:
            play.press("no_more_bets")
        elif phase in ("interim", "final"):
            play.press("settled")
        elif phase == "over":
            play.press("place_bets")
        elif phase == "blocked":
            for whom in ("surveillance", "inspector"):
                play.press("notified", whom=whom)
            play.press("deck_checked", outcome="right")
            play.press("replace_cards", why="chance")
        elif phase == "choosing":
            self._choose()
        else:
            self._card()

    def _choose(self) -> None:
        for choice in self.play.game.state.round.choices:
            if not choice.choice or self.random.random() < 0.3:
                key = self.random.choice(("war", "surrender"))
                self.play.press("choice", box=choice.box, player=choice.player, choice=key)
        for main in self.play.game.state.round.tied_mains():
            if self.play.game.state.round.choice_of(main) == "war":
                self._lay(main.player, main.box, "war", main.amount)

    def _stake(self) -> None:
        player = self.random.choice(PLAYERS)
        if self.random.random() < 0.9:
            self.play.press("player_card", player=player)
        zones = ("main", "main", "main", "tie", "a_bomb", "perfect_pairs")
        self._lay(player, self.random.randint(1, 5), self.random.choice(zones), self.random.choice(AMOUNTS))

    def _lay(self, player: str, box: int, zone: str, amount: int) -> None:
        self.wagers += 1
        self.play.take(StakeLaid(f"w{self.wagers}", player, box, zone, amount))

    def _card(self) -> None:
        if not self.pack:
            gone = Counter(self.play.game.state.shoe.cards.out)
            self.pack = list((Counter(dict.fromkeys(FACES, self.config.decks)) - gone).elements())
            self.random.shuffle(self.pack)
        self.play.take(CardCame(self.pack.pop() if self.pack else "2S"))

    def _trouble(self) -> None:
        play = self.play
        roll = self.random.randint(0, 13)
        if roll == 0:
            self._card()
        elif roll == 1:
            play.take(CardCame(self.random.choice(("CUT", "CUT", "??", "JOKER"))))
        elif roll == 2:
            play.take(CardCame(self.random.choice(FACES), face_up=True))
        elif roll == 3:
            faces = (self.random.choice(FACES), self.random.choice(FACES))
            play.take(CardsCameTogether(faces, self.random.random() < 0.5))
        elif roll == 4:
            play.take(SourceStopped("jam"))
        elif roll == 5:
            play.take(SourceEmpty())
        elif roll == 6:
            self._stake()
        elif roll == 7 and play.game.state.round.stakes:
            stake = self.random.choice(play.game.state.round.stakes)
            play.take(StakeChanged(stake.id, self.random.choice((0, *AMOUNTS))))
        elif roll == 8 and self.random.random() < 0.1:
            play.take(CardsRead(tuple(self.random.choices(FACES, k=5)), self.random.choice(("set", "layout"))))
        elif roll == 9:
            play.press("clear_fault", fault=next(iter(play.table.state.faults), ""))
        else:
            self._any_key()

    def _any_key(self) -> None:
        play = self.play
        state = play.game.state
        key = self.random.choice(sorted(play.game.keys))
        wager = self.random.choice(state.round.stakes).id if state.round.stakes else "w0"
        args = {
            "player": self.random.choice(PLAYERS),
            "box": self.random.randint(1, 5),
            "choice": self.random.choice(("war", "surrender", "decline", "hit")),
            "wager": wager,
            "card": self.random.randint(0, 6),
            "face": self.random.choice(FACES),
            "result": self.random.choice(("win", "lose")),
            "reason": self.random.choice(("disruption", "fraud")),
            "withdraw": [self.random.choice(PLAYERS)],
            "forfeit": [self.random.choice(PLAYERS)] if self.random.random() < 0.2 else [],
            "sight": self.random.choice(("seen", "unseen", "")),
            "most": self.random.randint(0, 4),
            "amount": 1000,
            "paid": 100,
            "due": 200_100,
            "whom": "inspector",
            "decision": "as played",
        }
        play.press(key, self.random.randint(1, 4), **args)
