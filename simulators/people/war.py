"""A Casino War crew that plays by itself: dealer, supervisor and players, sensible most of the time."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

import msgspec

from firmware_specs.cards import DECK
from firmware_specs.clock import Clock
from simulators.card_mouth import CannotDraw
from simulators.people.chips import Felt
from simulators.people.mischief import WRONGS, Mischief
from simulators.people.table import CarriedOut, Question, Screen
from simulators.shoe import CardShoe
from simulators.shuffler import CardShuffler

REACTION_S = 0.5
PATIENCE_S = 10.0
"""How long the dealer looks for what is not paid or taken right before a supervisor is called."""
HAND_S = 0.5
"""How long winnings are in the dealer's hand on their way from the tray."""
CHIPS_SEEN_S = 0.6
"""How long a dealer who has moved chips waits before saying so."""
FLOAT_SEEN_S = 2.5
SHUFFLE_S = 40.0
SUPERVISOR = 4


class Habits(msgspec.Struct, frozen=True):
    """How often somebody does what they should not, and how people play."""

    players: int = 4
    boxes: int = 7
    tie: float = 0.1
    side: float = 0.05
    surrender: float = 0.1
    rides: float = 0.85
    late_bet: float = 0.01
    under_minimum: float = 0.01
    over_maximum: float = 0.002
    surplus: float = 0.004
    silent: float = 0.002
    wrong: float = 0.0
    wrongs: tuple[str, ...] = WRONGS


class WarScreen(Screen, Protocol):
    """The dealer's screen of Casino War as people use it."""

    def next_card(self) -> str:
        """Where the next card goes; empty when none may be drawn."""

    def main_stake(self, box: int, player: str) -> int:
        """What a player's main stake is worth."""

    def drawn(self) -> int:
        """How many cards of the round were told."""

    def cards(self) -> int:
        """The same without the cutting card."""

    def causes(self) -> list[str]:
        """What suspends the table."""

    def blocked_by(self) -> list[str]:
        """What must be recorded before the cards, or new ones, are played."""


class Layout(Protocol):
    """Where zones lie."""

    @property
    def zones(self) -> tuple[str, ...]: ...

    def area(self, box: int, zone: str) -> int | None: ...

    def place(self, area: int) -> tuple[int, str] | None: ...


class WarCrew:
    """Driven by what the screen says and by the clock."""

    def __init__(
        self,
        clock: Clock,
        screen: WarScreen,
        felt: Felt,
        source: CardShoe | CardShuffler,
        layout: Layout,
        decks: int,
        limits: tuple[int, int],
        seed: int,
        habits: Habits | None = None,
        cards_needed: bool = False,
        feeds_later: bool = False,
        read_card: Callable[[str], None] | None = None,
    ) -> None:
        """`cards_needed` where players show a card of the house, which `read_card` draws through a reader, if there
        is one; `feeds_later` where discards wait for a deal."""
        self.clock, self.screen, self.felt, self.source, self.layout = clock, screen, felt, source, layout
        self.decks = decks
        self.least, self.most = limits
        self.habits = habits or Habits()
        self.standing_back = False
        self._cards_needed, self._feeds_later, self._read_card = cards_needed, feeds_later, read_card
        self._random = random.Random(seed)
        self._busy = False
        self._seated = False
        self._staked = False
        self._called = False
        """Bets are called for, and what lies of the round before is not picked up yet."""
        self._carried_out = CarriedOut()
        self._moved_at = 0.0
        self._hand: list[tuple[int, list[int]]] = []
        self._held: list[str] = []
        self._discards: list[str] = []
        self._boxes = self._take_seats()
        self._left: dict[int, int] = {}
        own = self._random.getrandbits(32) if self.habits.wrong else 0
        mat: Any = felt.mat
        mains = [self._area(box, "main") for box in self._boxes]
        self.mischief = Mischief(clock, felt, mat, mains, own, self.habits.wrongs, self.habits.wrong)
        self._do: dict[str, Callable[[], None]] = {
            "unchecked": lambda: self.screen.press("check_cards", 1, {"how": "by hand"}),
            "unshuffled": self._shuffle,
            "reshuffling": self._shuffle,
            "uncut": self._answer_first,
            "recutting": self._answer_first,
            "burning": self._draw,
            "betting": self._bet,
            "closed": self._deal_or_reopen,
            "dealing": self._draw,
            "war_burning": self._draw,
            "war_dealing": self._draw,
            "interim": self._settle,
            "final": self._settle,
            "choosing": self._choose,
            "ruling": self._answer_first,
            "over": self._next_round,
            "blocked": self._bring_new_cards,
        }

    def _take_seats(self) -> dict[int, str]:
        """Boxes in turn, so that neighbours share a player where there are more boxes than players."""
        players, boxes = self.habits.players, self.habits.boxes
        return {box: f"P{(box - 1) * players // boxes + 1}" for box in range(1, boxes + 1)}

    # -- reacting ----------------------------------------------------------------------------------------------

    def stand_back(self, back: bool) -> None:
        """Leave the table to somebody else, or take it over again."""
        self.standing_back = back
        if not back:
            self.look()

    def look(self) -> None:
        """Something changed on the screen: do what is due, after a person's reaction time."""
        if not self._busy and not self.standing_back:
            self._then(REACTION_S, self._act)

    def _then(self, seconds: float, action: Callable[[], None]) -> None:
        """Do something after a while, as long as nothing else is begun."""
        self._busy = True
        self.clock.call_later(seconds, self._begin, action)

    def _begin(self, action: Callable[[], None]) -> None:
        self._busy = False
        if not self.standing_back:
            action()

    def _act(self) -> None:
        life = self.screen.life()
        if life == "closed":
            self.screen.press("open", 1)
        elif life in ("open", "closing"):
            if not self._seated:
                self._sit_down()
                if self._read_card is not None:
                    return
            if self._called and self.screen.state() != "over":
                self._new_round()
            due = self._do.get(self.screen.state())
            if due is not None:
                due()
        elif life == "suspended":
            self._mend()

    def _mend(self) -> None:
        """Whoever has the rank clears what only a person can."""
        for question in self.screen.questions():
            if not question.subject.startswith("choice"):
                self._answer(question, question.proposal)
                break
        for cause in self.screen.causes():
            self.screen.press("clear_fault", SUPERVISOR, {"fault": cause, "reason": "looked at"})

    def _sit_down(self) -> None:
        self._seated = True
        if self._read_card is not None:
            self._show_cards(list(self._boxes.items()))
            return
        players = sorted(set(self._boxes.values()))
        for box, player in self._boxes.items():
            self.screen.press("player_card" if self._cards_needed else "sit", 1, {"box": box, "player": player})
        for player in players:
            if list(self._boxes.values()).count(player) > 1:
                self.screen.press("allow_several", SUPERVISOR, {"player": player})

    def _show_cards(self, left: list[tuple[int, str]]) -> None:
        """Box by box, each player's card goes through the reader before anybody stakes."""
        if not left or self._read_card is None:
            self.look()
            return
        box, player = left[0]
        self.screen.press("player_card", 1, {"box": box})
        self._read_card(player)
        self._then(REACTION_S, lambda: self._show_cards(left[1:]))

    # -- the cards ---------------------------------------------------------------------------------------------

    def _shuffle(self) -> None:
        """All cards that do not lie on the table are shuffled; the cutting card goes in behind the middle."""
        self._then(SHUFFLE_S, self._shuffled)

    def _shuffled(self) -> None:
        self.load_cards()
        self._then(2.0, lambda: self.screen.press("shuffled", 1))

    def load_cards(self) -> None:
        """Everything that does not lie on the table is shuffled and put into the source."""
        if self.screen.state() != "reshuffling":
            self._discards += self._held
            self._held = []
        cards = [card for card in self.source.take_out() if card != "CUT"] + self._discards
        self._discards = []
        if not cards:
            cards = list(DECK) * self.decks
        self._random.shuffle(cards)
        if isinstance(self.source, CardShoe):
            at = len(cards) - self._random.randint(52, max(52, len(cards) // 2))
            cards.insert(max(at, 0), "CUT")
        self.source.load(cards)

    def pull(self, force: bool = False) -> float:
        """Draw a card, also one that nobody waits for; the seconds until it is out."""
        return self.source.draw(self._drew, force=force)

    def _deal_or_reopen(self) -> None:
        """Called too early, with nothing staked: betting opens again."""
        if self.screen.next_card():
            self._draw()
        elif not self.screen.questions():
            self._staked = False
            self.screen.press("place_bets", 1)
        else:
            self._answer_first()

    def _draw(self) -> None:
        if self.screen.questions() and not self.screen.next_card():
            self._answer_first()
            return
        try:
            self.source.draw(self._drew, force=False)
            self._busy = True
        except CannotDraw:
            self._then(1.0, self.look)

    def _drew(self, cards: tuple[str, ...]) -> None:
        self._busy = False
        self._held += [card for card in cards if card != "CUT"]
        if self.mischief.plan and self.screen.state() == "dealing":
            self.clock.call_later(0.3, self._late_mischief)
        if not cards:
            self.look()

    def _late_mischief(self) -> None:
        if self.screen.state() == "dealing":
            self.mischief.after_the_close()

    def _bring_new_cards(self) -> None:
        needs = self.screen.blocked_by()
        if needs == ["new cards"]:
            self._held, self._discards = [], []
            self.source.take_out()
            self.screen.press("replace_cards", SUPERVISOR, {"why": "the cards were wrong"})
            return
        for need in needs:
            if need == "check":
                self.screen.press("deck_checked", SUPERVISOR, {"outcome": "checked"})
            else:
                self.screen.press("notified", 1, {"whom": need})
            return

    # -- stakes ------------------------------------------------------------------------------------------------

    def _bet(self) -> None:
        if self._staked:
            self._close_and_deal()
            return
        self._staked = True
        for box in self._boxes:
            self._stake_on(box)
        if self.mischief.plan:
            self.clock.call_later(1.0, self.mischief.while_betting)
        self._then(2.0, self._close_and_deal)

    def _stake_on(self, box: int) -> None:
        draw = self._random.random
        area = self._area(box, "main")
        if self.felt.areas[area]:
            return  # it rides
        cents = self.least * self._random.choice((1, 1, 1, 2, 2, 4, 5, 10))
        if draw() < self.habits.under_minimum:
            cents = self.least // 2
        elif draw() < self.habits.over_maximum:
            cents = self.most + self.least
        self.felt.put(cents, area)
        if draw() < self.habits.tie:
            self.felt.put(self.least, self._area(box, "tie"))
        for zone in ("a_bomb", "perfect_pairs"):
            if zone in self.layout.zones and draw() < self.habits.side:
                self.felt.put(self.least, self._area(box, zone))

    def _area(self, box: int, zone: str) -> int:
        area = self.layout.area(box, zone)
        assert area is not None
        return area

    def _close_and_deal(self) -> None:
        if self.screen.state() == "betting" and not self.screen.next_card():
            self.screen.press("no_more_bets", 1)
        else:
            self._draw()
        if self._random.random() < self.habits.late_bet:
            box = self._random.choice(list(self._boxes))
            self.clock.call_later(self._random.uniform(1.0, 4.0), self.felt.put, self.least, self._area(box, "main"))

    # -- war or surrender --------------------------------------------------------------------------------------

    def _choose(self) -> None:
        for question in self.screen.questions():
            kind, _, rest = question.subject.partition(":")
            if kind != "choice":
                self._answer(question, question.proposal)
                return
            box, _, player = rest.partition(":")
            self._decide(question, int(box), player)
            return
        if self._move_chips():  # what was surrendered last
            self._then(HAND_S, lambda: self._lay_down(self.look))
            return
        if self.screen.dues() and self.clock.now() - self._moved_at > PATIENCE_S:
            self._say("settled")  # what was surrendered is not there: a supervisor lets it pass
        self._then(1.0, self.look)

    def _decide(self, question: Question, box: int, player: str) -> None:
        draw = self._random.random()
        if draw < self.habits.silent:
            self._answer(question, "decline")
        elif draw < self.habits.silent + self.habits.surrender:
            self._answer(question, "surrender")
        else:
            area = self._area(box, "war")
            if not self.felt.areas[area]:
                self.felt.put(self.screen.main_stake(box, player), area)
            self._then(1.0, self.look)

    # -- take and pay ------------------------------------------------------------------------------------------

    def _settle(self) -> None:
        """Losers first, then winners; once the chips lie right, the dealer says so."""
        self._feed()
        self.mischief.put_back()
        if self.mischief.plan:
            self.mischief.after_the_result(self._winning())
        if self._move_chips():
            self._then(HAND_S, lambda: self._lay_down(self._say_settled))
        else:
            self._say_settled()

    def _lay_down(self, then: Callable[[], None]) -> None:
        """Winnings go from the dealer's hand to the winners."""
        for area, tags in self._hand:
            self.felt.areas[area] += tags
            self.felt.mat.place(tags, area)
        self._hand = []
        self._moved_at = self.clock.now()
        self._then(CHIPS_SEEN_S, then)

    def _move_chips(self) -> bool:
        """Take what has lost, and take what is to be paid out of the tray; whether there was anything to do."""
        moves: dict[int, list[int]] = {}
        for due, take, pay in self._carried_out.left(self.screen.dues()):
            zone, _, box = due.bet.rpartition(" ")
            move = moves.setdefault(self._area(int(box), zone), [0, 0])
            move[0] += take
            move[1] += pay
        for area, (take, _) in moves.items():
            if take:
                self._collect(area, take)
        for area, (_, pay) in moves.items():
            if pays := self.mischief.paying(area, pay) if pay and self.mischief.plan else pay:
                self._pay(pays, area)
        return bool(moves)

    def _collect(self, area: int, take: int) -> None:
        if self.mischief.plan:
            self.mischief.collecting(area)
        if self.mischief.plan and self.mischief.leaves(area):
            self._left[area] = take
        else:
            self.felt.collect(area, take)

    def _winning(self) -> list[int]:
        bets = [due.bet.rpartition(" ") for due in self.screen.dues() if due.result == "win" and due.pays]
        return [self._area(int(box), zone) for zone, _, box in bets]

    def _pay(self, cents: int, area: int) -> None:
        if not self.felt.has_tray:
            self.felt.pay(cents, area)
            return
        tags = self.felt.bank.lift_out(cents)
        if not tags:
            # The float cannot make it: a fill comes from the cage, and then it can.
            self.screen.press("fill", SUPERVISOR, {"cents": self.felt.fill(cents)})
            tags = self.felt.bank.lift_out(cents)
        self.felt.mat.remove(tags)
        self._hand.append((area, tags))

    def _say_settled(self) -> None:
        state = self.screen.state()
        if state in ("interim", "final"):
            self._say("settled")
            if self.screen.state() == state:
                for area, take in self._left.items():
                    # Told that something still lies there, the dealer takes it.
                    self.clock.call_later(0.5, self.felt.collect, area, take)
                self._left = {}
                self._answer_surplus()
                self._then(1.0, self.look)

    def _answer_surplus(self) -> None:
        for question in self.screen.questions():
            if question.subject.startswith("surplus"):
                self._answer(question, "seen")
                return

    def _say(self, key: str) -> None:
        late = self.clock.now() - self._moved_at > PATIENCE_S
        args = {"confirmed": True, "reason": "seen by a supervisor"} if late else {}
        self.screen.press(key, SUPERVISOR if late else 1, args)

    # -- between rounds ----------------------------------------------------------------------------------------

    def _next_round(self) -> None:
        if self._move_chips():
            self._then(HAND_S, lambda: self._lay_down(self.look))
            return
        questions = self.screen.questions()
        if questions:
            self._answer(questions[0], questions[0].proposal or "seen")
            return
        self._lift()
        self._then(FLOAT_SEEN_S if self._tend_the_float() else CHIPS_SEEN_S, self._call_for_bets)

    def _call_for_bets(self) -> None:
        if self.screen.state() != "over":
            self.look()
            return
        self._say("place_bets")
        self._called = True
        if self.screen.state() == "over":
            self._then(1.0, self.look)  # refused, or the screen does not show it yet
            return
        self._new_round()

    def _new_round(self) -> None:
        self._called = False
        self._carried_out.forget()
        self._staked = False
        if self.habits.wrong:
            self.screen.press("float_explained", SUPERVISOR, {"reason": "counted with a supervisor"})
            self.mischief.new_round()
        self.pick_up()

    def pick_up(self) -> None:
        """The round's cards go to the discards, or back into the shuffler."""
        if isinstance(self.source, CardShuffler) and not self._feeds_later:
            self.source.load(self._held)
        else:
            self._discards += self._held
        self._held = []

    def _feed(self) -> None:
        """The first deal is done: the discards of the round before go into the shuffler."""
        if self._feeds_later and self._discards and isinstance(self.source, CardShuffler):
            self.source.load(self._discards)
            self._discards = []
            self.screen.press("fed", 1)

    def _lift(self) -> None:
        """Players take their winnings; some leave a stake where it lies."""
        for area in [area for area, tags in self.felt.areas.items() if tags and area]:
            place = self.layout.place(area)
            tags = self.felt.areas[area]
            if place is not None and place[1] == "main" and self._random.random() < self.habits.rides:
                keep = self._some(tags)
                self.felt.take([tag for tag in tags if tag not in keep], area)
            else:
                self.felt.take(list(tags), area)

    def _some(self, tags: Iterable[int]) -> set[int]:
        """Chips worth at least the minimum and not more than a player dares."""
        kept: set[int] = set()
        worth, dares = 0, min(self.most, 20 * self.least)
        for tag in tags:
            value = self.felt.bank.register[tag]
            if worth + value <= dares:
                kept.add(tag)
                worth += value
        return kept if worth >= self.least and worth % self.least == 0 else set()

    def _tend_the_float(self) -> bool:
        """Chips that run low come from the cage, and those that are too many go there."""
        if not self.felt.has_tray:
            return False
        booked = {"fill": self.felt.fill(), "credit": self.felt.credit()}
        for key, cents in booked.items():
            if cents:
                self.screen.press(key, SUPERVISOR, {"cents": cents})
        return any(booked.values())

    # -- questions ---------------------------------------------------------------------------------------------

    def _answer_first(self) -> None:
        for question in self.screen.questions():
            self._answer(question, question.proposal)
            return
        self._then(1.0, self.look)

    def _answer(self, question: Question, wanted: str) -> None:
        """The person of the rank that is needed answers; the proposal where it is an answer, else the first."""
        if question.subject == "unseen" and self._untold():
            wanted = "enter"
        rank, args = question.answered(wanted)
        self.screen.press("answer", max(rank, 1), {**args, **self._what(question)})

    def _what(self, question: Question) -> Mapping[str, Any]:
        """What people can see and the reader could not: the card that lies there."""
        kind, _, rest = question.subject.partition(":")
        if kind == "unseen" and self._untold():
            return {"face": self._untold()[0].rstrip("^?")}
        if kind != "unknown":
            return {}
        from_end = self.screen.drawn() - int(rest)
        return {"face": self._held[-from_end].rstrip("^?")} if 0 < from_end <= len(self._held) else {}

    def _untold(self) -> list[str]:
        """Cards that lie on the layout and not on the screen: drawn while the source could not see."""
        return self._held[self.screen.cards() :]
