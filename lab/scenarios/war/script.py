"""Who does what next when a written case is played: the dealer's, players' and devices' side of it.

It only looks at what the table shows and asks; the cards, choices and troubles come from the case.
"""

from __future__ import annotations

from controller.games.war import betting, dealing, settling
from controller.games.war.cards import CUT, FOREIGN, RANK, parse
from controller.games.war.game import WarGame
from controller.games.war.state import DRAWING
from lab.scenarios.file import ScenarioError
from lab.scenarios.war.acts import Action, Draw, Lay, Press
from lab.scenarios.war.case import Case, CaseEvent, CaseStake
from lab.scenarios.war.earlier import Earlier
from lab.scenarios.war.replies import SUPERVISOR, Replies
from lab.scenarios.war.reports import Reports
from lab.scenarios.war.words import RANKS

PREFACE = {"turned": ("AS", "2S"), "one": ("2S",), "none": ()}
"""Cards of the burn that opens a shoe, where the case begins in the middle of one."""
BEFORE_STAKES = (
    *("already_warned", "burn_shown", "player_barred", "share_limited", "box_reserved", "winnings_withheld"),
)
"""Events that people of rank bring about with a key before anybody stakes."""


class Script:
    """Plays one case; `next` says what happens now, None when nothing more does."""

    def __init__(self, case: Case, game: WarGame) -> None:
        self.case = case
        self.game = game
        self.events = case.events
        for event in case.events:
            event.level(game.table.house.rulebook)
        self.stakes = list(case.stakes)
        self.cards = list(case.cards)
        self.drawn: list[int] = []
        self.cutters: list[str] = []
        self.places: list[str] = []
        self.pressed: set[str] = set()
        self.asked_of: set[tuple[int, str]] = set()
        self.wrong: list[str] = []
        self.served = ""
        self.finishing = False
        self.early = -1
        self._mark_cards()
        opens = self.kinds("new_shoe", "burn_missed", "cards_replaced") != []
        self.preface: list[str] = [] if opens or not game.burn_needed() else self._preface()
        self.earlier = Earlier(game, case.events, self._parked_before())
        self.reports = Reports(self)
        self.replies = Replies(self)

    @property
    def ahead(self) -> list[str]:
        """Cards that come before those of the case."""
        return [*self.preface, *self.earlier.cards]

    def _preface(self) -> list[str]:
        return list(PREFACE[self.game.rules.shoe.start_burn])

    def kinds(self, *kinds: str) -> list[CaseEvent]:
        """Events of these kinds that have not come about yet."""
        return [event for event in self.events if event.kind in kinds and not event.done]

    def _mark_cards(self) -> None:
        """Events that are a card's own affair must have that card."""
        signs = {"face_up_card": "a card with ^", "foreign_card": FOREIGN, "cutting_card": CUT}
        for event in self.kinds(*signs):
            index = event.card_index if event.card_index is not None else event.told.get("after_card")
            kinds = [self._sign(card) for card in self.cards]
            if index is None:
                index = next((at for at, kind in enumerate(kinds) if kind == event.kind), None)
            if event.kind == "face_up_card" and index is not None and index < len(kinds) and kinds[index] == "card":
                self.cards[index] += "^"
            elif index is None or index >= len(kinds) or kinds[index] != event.kind:
                raise event.wrong(f"card {index} of the case is no {signs[event.kind]}")
            event.told["card_index"] = index
        for event in self.kinds("unreadable_card", "misread_card", "excess_card", "war_card_without_wager"):
            if event.card_index is not None and event.card_index >= len(self.cards):
                raise event.wrong(f"the case has no card {event.card_index}")

    @staticmethod
    def _sign(card: str) -> str:
        drawing = parse(card)
        if drawing.face_up:
            return "face_up_card"
        return {"cut": "cutting_card", "foreign": "foreign_card"}.get(drawing.kind, drawing.kind)

    def _parked_before(self) -> str:
        """The card left over from the round before the case's."""
        for event in self.kinds("parked_card"):
            if not self.cards:
                raise event.wrong("the case has no card")
            event.done = True
            self.drawn.append(0)
            return self.cards.pop(0)
        return ""

    # -- turn by turn ------------------------------------------------------------------------------------------

    def next(self) -> Action | None:
        """What happens now."""
        phase = self.game.machine.state
        if self.served == "?":
            self.served = self.game.state.shoe.cut_place
        for step in (self._opening, self._card_now, self.replies.next, self.reports.next, self._play):
            action = step(phase)
            if action is not None:
                return action
        return None

    def _opening(self, phase: str) -> Action | None:
        if phase == "unchecked":
            return self._seats() or Press("check_cards", {"how": "by hand"})
        if (
            phase == "unshuffled"
            and self.game.state.shoe.in_use
            and self.kinds("shuffle_missed")
            and not self.finishing
        ):
            return self._before_betting() or self._stake(phase) or self._first_card()
        for event in self.kinds("cards_replaced"):
            if phase == "unshuffled":
                return self._seat() or self.fire(event)
        if phase in ("unshuffled", "reshuffling") and not self._stop_here():
            return Press("shuffled", {})
        if phase == "burning":
            missed = next(iter(self.kinds("burn_missed")), None)
            if missed is not None:
                return self.fire(missed)
            if self.preface:
                return Draw((self.preface.pop(0),))
            return self.draw() if self.cards else None
        if not self.earlier.over and phase not in ("uncut", "recutting"):
            return self.earlier.next()
        if phase == "betting":
            return self._before_betting()
        return None

    def _seats(self) -> Action | None:
        """Who is at the table before a shuffle matters only where the case says who cuts."""
        told = [event for event in self.kinds("new_shoe", "cut_refused") if event.kind != "new_shoe" or _cutter(event)]
        if not told or not self.kinds("new_shoe"):
            return None
        return self._seat()

    def _seat(self) -> Action | None:
        for stake in self.stakes:
            at_box = f"seat {stake.player} {stake.box}"
            if at_box not in self.pressed:
                self.pressed.add(at_box)
                return Press("sit", {"box": stake.box, "player": stake.player})
        return None

    def _stop_here(self) -> bool:
        """The case is over and its shuffle is somebody else's story."""
        return self.finishing and not any(_cutter(event) for event in self.events)

    def _before_betting(self) -> Action | None:
        if self.finishing:
            return None
        for event in self.kinds(*BEFORE_STAKES):
            return self.fire(event)
        for event in self.kinds("spoken_bet"):
            if event.stage != "after_call":
                return self.fire(event)
        for stake in self.stakes:
            at_box = f"card {stake.player} {stake.box}"
            known = stake.player in self.case.kept_minimum
            if any(
                event.told["player"] == stake.player for event in self.events if event.kind == "player_card_not_shown"
            ):
                continue
            if (self.game.rules.wagers.player_card or known) and at_box not in self.pressed:
                self.pressed.add(at_box)
                return Press("player_card", {"player": stake.player, "box": stake.box})
        return self._raise_minimum()

    def _raise_minimum(self) -> Action | None:
        """Players who keep an old minimum were there before the house raised it (Star 6.5.1)."""
        kept = self.case.kept_minimum
        least = self.game.table.state.limits.least
        steps = sorted({*kept.values(), self.case.limits.least} - {least})
        higher = [step for step in steps if step > least]
        if not kept or not higher:
            return None
        if "keep_minimum" not in self.game.keys:
            raise ScenarioError(f"{self.case.where}: config: kept_min: {self.case.rulebook} knows no kept minimum")
        keep = sorted(player for player, old in kept.items() if old == least)
        args = {"least": higher[0], "most": self.case.limits.most, "players": keep}
        return Press("keep_minimum", args, self.game.keys["keep_minimum"].rank)

    def _card_now(self, phase: str) -> Action | None:
        """A card that comes although nobody waits for it."""
        if not self.cards or phase in ("unchecked", "unshuffled", "uncut", "betting", "closed", "over", "burning"):
            return None
        if self.kinds("no_wagers") and phase == "ruling":
            return self.draw()  # cards that were out before anybody noticed
        if dealing.expected(self.game):
            return None
        for event in self.kinds("excess_card"):
            at_war = event.stage == "war"
            now = phase == ("final" if at_war else "interim") if event.card_index is None else True
            if now and event.card_index in (None, len(self.drawn)):
                event.told["card_index"] = len(self.drawn)
                return self.draw()
        if self.game.asked("unknown:") and parse(self.cards[0]).kind == "unknown":
            return self.draw()
        return None

    def draw(self) -> Draw:
        """The next card of the case, or two of them where they come together."""
        number = len(self.drawn)
        state = self.game.state
        at = len(state.round.drawn) + len(state.shoe.carried)
        for event in self.kinds("csm_double_deal"):
            if event.after_card in (None, number) and len(self.cards) > 1:
                event.done = True
                self.drawn += [at, at + 1]
                return Draw((self.cards.pop(0), self.cards.pop(0)), bool(event.told.get("order_known", False)))
        card = self.cards.pop(0)
        self.drawn.append(at)
        for event in self.events:
            if event.kind in ("face_up_card", "foreign_card", "cutting_card") and event.card_index == number:
                event.done = True
        if parse(card).kind == "cut":
            self.served = "?"
        for event in self.kinds("unreadable_card", "misread_card"):
            if event.card_index == number and event.kind == "misread_card":
                return Draw((card,), how="misread", seen=str(event.told["read_as"]))
            if event.card_index == number or (event.card_index is None and parse(card).kind == "unknown"):
                event.told["card_index"] = number
                return Draw((card,), how="unreadable" if card in RANK else "")
        return Draw((card,))

    def about_card(self, index: int, *kinds: str) -> CaseEvent | None:
        """The event about this card of the round."""
        if index not in self.drawn:
            return None
        number = self.drawn.index(index)
        return next((event for event in self.events if event.kind in kinds and event.card_index == number), None)

    # -- events and keys ---------------------------------------------------------------------------------------

    def fire(self, event: CaseEvent) -> Action:
        """Somebody presses the key that brings an event about."""
        event.done = True
        return self.reports.press(event)

    # -- the game itself ---------------------------------------------------------------------------------------

    def _play(self, phase: str) -> Action | None:
        if phase in ("betting", "closed", "dealing", "choosing", "war_burning", "war_dealing"):
            stake = self._stake(phase)
            if stake is not None:
                return stake
        if phase == "betting" and not self.finishing:
            before = self._refusals() or self._invalid_before()
            if before is not None:
                return before
            if self.game.rules.wagers.close == "call" and self.case.stakes:
                return Press("no_more_bets", {})
            return self._first_card()
        if phase == "closed" and self.kinds("spoken_bet"):
            return self.fire(self.kinds("spoken_bet")[0])
        if phase == "closed" or (phase in DRAWING and dealing.expected(self.game)):
            return self.draw() if self.cards else None
        if phase in ("interim", "final") or settling.halves_wait(self.game):
            return Press("settled", {})
        return self._after_round() if phase == "over" else None

    def _first_card(self) -> Action | None:
        return self.draw() if self.cards else self._end_before_the_deal()

    def _refusals(self) -> Action | None:
        """What the case says was handed back and the table took is refused by the dealer."""
        for stake in self.game.state.round.stakes:
            if stake.live and stake.id in self.refused() and betting.why_refused(self.game, stake):
                return Press("refuse_stake", {"wager": stake.id}, about="refused")
        return None

    def refused(self) -> set[str]:
        """Wagers that the case says were not accepted."""
        named = {wager for event in self.events if event.kind == "refused" for wager in event.wagers}
        return named | {stake.id for stake in self.case.stakes if stake.refused}

    def _invalid_before(self) -> Action | None:
        for event in self.kinds("invalid_player_card"):
            if event.stage == "before":
                return self.fire(event)
        return None

    def _stake(self, phase: str) -> Action | None:
        stakes = self.stakes_to_lay(phase)
        return self.lay(stakes[0]) if stakes else None

    def stakes_to_lay(self, phase: str) -> list[CaseStake]:
        """Stakes of the case whose time this is."""
        first = [stake for stake in self.stakes if stake.stage == "initial"]
        if phase in ("betting", "unshuffled"):
            return [stake for stake in first if not self._lateness(stake)]
        if phase == "closed":
            return [stake for stake in first if self._lateness(stake) in ("", "after_call")]
        if phase == "dealing":
            return [stake for stake in first if self._lateness(stake)]
        if phase in ("choosing", "war_burning", "war_dealing"):
            at_war = {stake.box for stake in self.game.state.round.war_stakes()}
            here = [stake for stake in self.stakes if stake.stage == "war" and stake.zone != "war"]
            wars = {box for (box, _), choice in self.case.decisions.items() if choice == "war"}
            return [stake for stake in here if stake.box in at_war or (stake.refused and stake.box not in wars)]
        return []

    def _lateness(self, stake: CaseStake) -> str:
        for event in self.events:
            if event.kind == "late_bet" and (stake.id in event.wagers or (stake.late and not event.wagers)):
                event.done = True
                return event.stage or "late"
        return "late" if stake.late else ""

    def lay(self, stake: CaseStake) -> Lay:
        """A player lays what the case says."""
        self.stakes.remove(stake)
        return Lay(stake.id, stake.player, stake.box, stake.zone, stake.amount, stake.token)

    # -- the end -----------------------------------------------------------------------------------------------

    def _after_round(self) -> Action | None:
        if self.cards and self.kinds("no_wagers"):
            return self.draw()
        if not self.finishing:
            self.finishing = True
            lying = self.game.state.round.card_places()
            self.places = [lying[index] for index in self.drawn if index < len(lying)]
            self.reports.conclude()
        late = self.reports.after_round()
        if late is not None:
            return late
        due = self.game.state.shoe.shuffle_due and any(_cutter(event) for event in self.events)
        return Press("place_bets", {}) if due and not self.game.asked("surplus:") else None

    def _end_before_the_deal(self) -> Action | None:
        """Nothing was to be dealt: the case ends at the layout."""
        if not self.finishing:
            self.finishing = True
            self.reports.conclude()
        return None

    def differences(self) -> list[str]:
        """What did not come about as the case tells it, apart from the money."""
        found = [*self.wrong, *self.reports.not_come_about()]
        if self.cards:
            found.append(f"cards that never came: {', '.join(self.cards)}")
        found += [f"wager {stake.id} was never laid" for stake in self.stakes]
        if self.case.to is not None and self.places != self.case.to:
            found.append(f"cards lie at {self.places}, expected {self.case.to}")
        for event in self.events:
            if _cutter(event) and not self._cut_by(_cutter(event)):
                found.append(f"cut by {self.cutters}, expected {_cutter(event)}")
            serving = event.told.get("serving")
            if event.kind == "cutting_card" and serving is not None:
                served = {"first": "none"}.get(self.served, self.served)
                if served != serving:
                    found.append(f"the cutting card came while serving {served}, expected {serving}")
        return found

    def _cut_by(self, told: str) -> bool:
        ranks = self.game.table.house.rulebook.ladder[1:]
        return self.cutters[-1:] == [SUPERVISOR if told in (*RANKS, *ranks) else told]


def _cutter(event: CaseEvent) -> str:
    return str(event.told.get("next_cutter", ""))
