"""Sloppy hands at Casino War: a dealer who takes and pays before saying so, a winner who lifts what is paid."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

RANKS = "23456789TJQKA"
SURRENDERS = 0.6
"""How often a tied player surrenders where a dealer is watched who takes the half at once."""

COLLECTS_S = 0.8
"""How long the dealer takes to sweep losing stakes in before paying."""


class EarlyDealer:
    """Takes half of a stake before surrender is keyed, and what is due while the dealer's unread card is asked for."""

    def __init__(self, people: Any) -> None:
        self.people = people
        self._usual = people.habits
        self._spoiled = 0

    def new_round(self, taking: bool) -> None:
        """Players surrender more often where half of their stakes may be `taking` leave early."""
        asked = msgspec.structs.replace(self._usual, surrender=SURRENDERS)
        self.people.habits = asked if taking else self._usual

    def spoils_the_dealers_card(self) -> None:
        """Let the reader miss the card that decides, where it is the next one."""
        screen = self.people.screen
        if screen.state() == "dealing" and screen.next_card() == "dealer":
            self.people.source.spoil("unreadable")
            self._spoiled = screen.drawn()

    def winning(self) -> list[int]:
        """Where somebody has won and is paid."""
        won = [due.bet.rpartition(" ") for due in self.people.screen.dues() if due.result == "win" and due.pays]
        return [self.people.layout.area(int(box), zone) for zone, _, box in won]

    def takes_half(self, args: Mapping[str, Any]) -> bool:
        """A player has said it, and the dealer takes half of the stake before keying it; whether that was done."""
        subject = next((one.subject for one in self.people.screen.questions() if one.id == args.get("prompt")), "")
        kind, _, rest = subject.partition(":")
        if kind != "choice" or args.get("answer") != "surrender":
            return False
        box, _, player = rest.partition(":")
        stake = self.people.screen.main_stake(int(box), player)
        self._take(f"main {box} {player}", self.people.layout.area(int(box), "main"), stake // 2)
        return True

    def settles(self, args: Mapping[str, Any]) -> bool:
        """The dealer sees the card that is asked for, and takes and pays the main stakes; whether that was done."""
        asked = [one.subject for one in self.people.screen.questions() if one.id == args.get("prompt")]
        decided = self._decided() if asked == [f"unknown:{self._spoiled}"] and "face" in args else []
        for wager, area, higher, cents in decided:
            if higher < 0:
                self._take(wager, area, cents)
        winners = [(wager, area, cents) for wager, area, higher, cents in decided if higher > 0]
        self.people.clock.call_later(COLLECTS_S, self._pay, winners)
        return bool(decided)

    def _pay(self, winners: list[tuple[str, int, int]]) -> None:
        for wager, area, cents in winners:
            if self.people.felt.pay(cents, area):
                self.people.carried_out.early(wager, 0, cents)

    def _decided(self) -> list[tuple[str, int, int, int]]:
        """Each main stake: wager, area, how much higher its card is than the dealer's, and what it is worth."""
        people = self.people
        staked = [box for box in people.boxes if people.felt.areas[people.layout.area(box, "main")]]
        *cards, dealers = (_rank(card) for card in people.held[-len(staked) - 1 :])
        if len(cards) != len(staked):
            return []  # not every box has a card
        found = []
        for box, card in zip(staked, cards, strict=True):
            area = people.layout.area(box, "main")
            wager = f"main {box} {people.boxes[box]}"
            found.append((wager, area, card - dealers, people.felt.bank.worth(people.felt.areas[area])))
        return found

    def _take(self, wager: str, area: int, cents: int) -> None:
        self.people.felt.collect(area, cents)
        self.people.carried_out.early(wager, cents, 0)


def _rank(card: str) -> int:
    return RANKS.index(card[0])
