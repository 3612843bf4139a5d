"""Who does what next when a written case is played: the dealer's, players' and devices' side of it.

It only looks at what the table shows and asks; the cards, choices and troubles come from the case.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from controller.effects import Asked
from controller.games.war import dealing
from controller.games.war.cards import parse
from controller.games.war.case import Case, CaseStake
from controller.games.war.game import WarGame
from controller.games.war.happenings import kind_of, level_of, seen
from controller.games.war.keys import DRAWING, IN_ROUND

DEALER = 1
PREFACE = {"turned": ("AS", "2S"), "one": ("2S",), "none": ()}
"""Cards of the burn that opens a shoe, where the case begins in the middle of one."""


class Lay(NamedTuple):
    """A player lays a stake."""

    wager: str
    player: str
    box: int
    zone: str
    amount: int
    token: bool = False


class Draw(NamedTuple):
    """The dealer draws a card, or several come together."""

    cards: tuple[str, ...]
    order_known: bool = True


class Press(NamedTuple):
    """Somebody of at least this rank presses a key."""

    key: str
    args: dict[str, Any]
    rank: int = DEALER


class Answer(NamedTuple):
    """Somebody of at least this rank answers a question."""

    prompt: str
    answer: str
    args: dict[str, Any]
    rank: int


class Stop(NamedTuple):
    """The shuffler stops."""

    cause: str


Action = Lay | Draw | Press | Answer | Stop

FIRED_AT_THE_END = (
    *("dealer_card_missing", "passed_over", "astray", "settled_as", "misplaced", "void_hand", "void_round"),
    *("misdeal", "cancel", "wrong_deck", "bad_cut", "invalid_stake"),
)
EARLY = ("void_player", "invalid_card", "absent")


class Script:
    """Plays one case; `next` says what happens now, None when nothing more does."""

    def __init__(self, case: Case, game: WarGame) -> None:
        self.case = case
        self.game = game
        self.events = [(kind_of(event), event) for event in case.events]
        for event in case.events:
            level_of(event, game.table.house.rulebook)
        self.stakes = list(case.stakes)
        self.cards = list(case.cards)
        self.drawn: list[int] = []
        self.cutters: list[str] = []
        self.places: list[str] = []
        self.done: set[int] = set()
        self.pressed: set[str] = set()
        opens = any(kind in ("new_shoe", "burn_missed") for kind, _ in self.events)
        self.preface: list[str] = [] if opens or not game.burn_needed() else self._preface()
        self.finishing = False

    def _preface(self) -> list[str]:
        return list(PREFACE[self.game.rules.shoe.start_burn])

    # -- turn by turn ------------------------------------------------------------------------------------------

    @property
    def unused(self) -> list[str]:
        """Cards of the case that nobody drew."""
        return list(self.cards)

    def next(self) -> Action | None:
        """What happens now."""
        phase = self.game.machine.state
        for step in (self._opening, self._card_now, self._questions, self._reports, self._play):
            action = step(phase)
            if action is not None:
                return action
        return None

    def _opening(self, phase: str) -> Action | None:
        if phase == "unchecked":
            return Press("check_cards", {"how": "by hand"})
        if phase in ("unshuffled", "reshuffling") and not self._stop_here():
            return Press("shuffled", {})
        if phase == "burning":
            missed = self._event("burn_missed")
            if missed is not None:
                return self._fire("burn_missed", missed)
            if self.preface:
                return Draw((self.preface.pop(0),))
            return self._draw() if self.cards else None
        if phase == "betting":
            return self._before_betting()
        return None

    def _stop_here(self) -> bool:
        """The case is over and its shuffle is somebody else's story."""
        return self.finishing and not self._has("cutting_card")

    def _before_betting(self) -> Action | None:
        for index, (kind, event) in enumerate(self.events):
            if kind == "warned" and index not in self.done:
                self.done.add(index)
                return Press("warned", {"player": event["player"]})
        if self.finishing:
            return None
        for stake in self.stakes:
            at_box = f"card {stake.player} {stake.box}"
            known = stake.player in self.case.kept_minimum
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
        keep = sorted(player for player, old in kept.items() if old == least)
        args = {"least": higher[0], "most": self.case.limits.most, "players": keep}
        return Press("keep_minimum", args, self.game.keys["keep_minimum"].rank)

    def _card_now(self, phase: str) -> Action | None:
        """A card that comes although nobody waits for it."""
        number = len(self.drawn)
        if not self.cards or phase in ("unchecked", "unshuffled", "uncut", "betting", "closed", "over", "burning"):
            return None
        for kind, event in self.events:
            if kind == "surplus" and event.get("card_index") == number and not dealing.expected(self.game):
                return self._draw()
        if self.game.asked("unknown:") and (phase == "ruling" or not dealing.expected(self.game)):
            return self._draw()
        return None

    def _draw(self) -> Draw:
        for index, (kind, event) in enumerate(self.events):
            if kind == "double" and index not in self.done and event.get("after_card", 0) == len(self.drawn):
                self.done.add(index)
                both = (self.cards.pop(0), self.cards.pop(0)) if len(self.cards) > 1 else (self.cards.pop(0),)
                at = len(self.game.state.drawn)
                self.drawn += [at + offset for offset in range(len(both))]
                return Draw(both, bool(event.get("order_known", False)))
        card = self.cards.pop(0)
        self.drawn.append(len(self.game.state.drawn))
        return Draw((card,))

    # -- questions ---------------------------------------------------------------------------------------------

    def _questions(self, phase: str) -> Action | None:
        for asked in list(self.game.table.state.desk.prompts.values()):
            action = self._answer(asked)
            if action is not None:
                return action
        return None

    def _answer(self, asked: Asked) -> Action | None:
        subject = asked.subject.partition(":")[0]
        take = getattr(self, f"_on_{subject}", None)
        if take is None:
            return self._say(asked, asked.proposal)
        answer: Action | None = take(asked)
        return answer

    def _say(self, asked: Asked, answer: str, **args: Any) -> Answer:
        option = next(option for option in asked.options if option.answer == answer)
        if option.needs_reason:
            args["reason"] = "as the case has it"
        return Answer(asked.prompt, answer, args, max(option.rank, DEALER))

    def _on_cut(self, asked: Asked) -> Action:
        self.cutters.append(str(asked.evidence["player"]))
        return self._say(asked, "cut")

    def _on_sequence(self, asked: Asked) -> Action:
        return self._say(asked, "play_on")

    def _on_choice(self, asked: Asked) -> Action | None:
        box, player = int(asked.evidence["box"]), str(asked.evidence["player"])
        missed = next((event for kind, event in self.events if kind == "choice_missed"), None)
        if missed is not None and (missed.get("box"), missed.get("player")) == (box, player):
            return self._after_missed(asked, missed, box, player)
        return self._choose(asked, box, player)

    def _after_missed(self, asked: Asked, event: dict[str, Any], box: int, player: str) -> Action | None:
        """The forgotten player is asked only after the cards that were dealt too early."""
        others = [a for a in self.game.table.state.desk.prompts.values() if a.subject.startswith("choice:")]
        if len(others) > 1:
            return None
        early = len(event.get("requeued", self.cards))
        if "early" not in self.pressed:
            self.pressed.add("early")
            self.early = early
        if self.early > 0 and self.cards:
            self.early -= 1
            return self._draw()
        return self._choose(asked, box, player)

    def _choose(self, asked: Asked, box: int, player: str) -> Action | None:
        rejected = self._event("war_stake_rejected")
        if rejected is not None:
            self._mark(rejected)
            amount = round(float(rejected.get("offered", 0)) * 100)
            return Lay("rejected", player, box, "war", amount)
        choice = self.case.decisions.get((box, player))
        if choice == "war":
            stake = next((s for s in self.stakes if (s.zone, s.box, s.player) == ("war", box, player)), None)
            return self._lay(stake) if stake is not None else self._say(asked, "war")
        if choice is not None:
            return self._say(asked, "surrender" if choice == "surrender" else "decline")
        if any(kind == "absent" and event.get("player") == player for kind, event in self.events):
            return self._fire_first("absent")
        return None

    def _on_surplus(self, asked: Asked) -> Action | None:
        event = next((event for kind, event in self.events if kind == "surplus"), {})
        return self._say(asked, "seen" if seen(event) else "unseen")

    def _on_unknown(self, asked: Asked) -> Action | None:
        if self.cards:
            return None
        named = self._fire_first("void_hand", "misdeal", "void_round")
        return named or self._say(asked, "void")

    def _on_wrong_deck(self, asked: Asked) -> Action:
        return self._say(asked, "void")

    def _on_double(self, asked: Asked) -> Action:
        return self._say(asked, "void")

    def _on_misplaced(self, asked: Asked) -> Action:
        event = next((event for kind, event in self.events if kind == "misplaced"), {})
        return self._say(asked, "rule", withdraw=_leaving(event))

    def _on_silent(self, asked: Asked) -> Action:
        return self._say(asked, "surrender")

    def _on_device(self, asked: Asked) -> Action:
        event = self._device()
        if event.get("can_complete") or event.get("cleared"):
            return self._say(asked, "go_on")
        boxes = event.get("void_boxes")
        return self._say(asked, "void", **({"boxes": boxes} if boxes is not None else {}))

    def _on_device_harm(self, asked: Asked) -> Action:
        return self._say(asked, "yes" if self._device().get("disadvantage") else "no")

    def _on_device_spare(self, asked: Asked) -> Action:
        return self._say(asked, "yes" if self._device().get("spare", True) else "no")

    def _on_device_transfer(self, asked: Asked) -> Action:
        return self._say(asked, "yes" if self._device().get("practicable", True) else "no")

    def _on_device_damage(self, asked: Asked) -> Action:
        event = self._device()
        named = event.get("damaged_cards") or event.get("damaged") or []
        damaged = named if isinstance(named, list) else []
        return self._say(asked, "yes" if event.get("damage") or damaged else "no", damaged=damaged)

    def _on_device_shoe(self, asked: Asked) -> Action:
        return self._say(asked, "shoe", withdraw=_leaving(self._device()))

    def _device(self) -> dict[str, Any]:
        return next((event for kind, event in self.events if kind == "device"), {})

    # -- reports -----------------------------------------------------------------------------------------------

    def _reports(self, phase: str) -> Action | None:
        """Troubles of the case, as late as they can come unless the case says when."""
        if phase in DRAWING and dealing.expected(self.game):
            timed = self._timed()
            if timed is not None:
                return timed
        astray = self._event("astray")
        at_war = phase in ("war_burning", "war_dealing", "final")
        if astray is not None and at_war and astray.get("card_index", len(self.drawn) - 1) == len(self.drawn) - 1:
            return self._fire("astray", astray)
        if phase in ("interim", "choosing", "ruling", *DRAWING):
            early = self._early(phase)
            if early is not None:
                return early
        if phase in ("war_burning", "war_dealing", "final"):
            chips = self._event("house_chips")
            if chips is not None:
                self._mark(chips)
                args = {"box": chips["box"], "amount": round(float(chips["amount"]) * 100)}
                return Press("house_chips", args)
        if self.cards or self._stakes_to_lay(phase) or not self._at_rest(phase):
            return None
        return self._fire_first(*FIRED_AT_THE_END)

    def _timed(self) -> Action | None:
        for index, (kind, event) in enumerate(self.events):
            if index in self.done or kind not in ("device", "empty", "wrong_deck", "surplus", "dealer_card_missing"):
                continue
            if kind == "dealer_card_missing" and dealing.expected(self.game) == "dealer":
                return self._fire(kind, event)
            if kind == "surplus" and event.get("card_index") == len(self.drawn) - 1:
                self._mark(event)
                return Press("surplus", {"sight": ""})
            if kind == "wrong_deck" and "after_card" not in event:
                continue
            if event.get("after_card", -1) == len(self.drawn):
                self._mark(event)
                if kind == "device":
                    return Stop("jam")
                return Press("shoe_empty", {}) if kind == "empty" else self._press("wrong_deck", event)
        return None

    def _early(self, phase: str) -> Action | None:
        for index, (kind, event) in enumerate(self.events):
            if index in self.done or kind not in EARLY:
                continue
            stage = str(event.get("stage", "in_hand"))
            if kind == "invalid_card" and stage in ("after_settlement", "before_hand", "before"):
                continue
            if phase == "interim" or (phase == "choosing" and stage == "war"):
                return self._fire(kind, event)
        return None

    def _at_rest(self, phase: str) -> bool:
        """Nothing more comes by itself: a card is waited for and none is left, or only the chips are to be moved."""
        if phase in ("interim", "final"):
            later = phase == "interim" and bool(self.game.tied_mains()) and self._choices_left()
            return not later
        return phase in (*IN_ROUND, "ruling") and not (phase == "choosing" and self._choices_left())

    def _choices_left(self) -> bool:
        tied = {(main.box, main.player) for main in self.game.tied_mains()}
        absent = any(kind == "absent" for kind, _ in self.events)
        return absent or any(place in tied for place in self.case.decisions)

    def _fire_first(self, *kinds: str) -> Action | None:
        for index, (kind, event) in enumerate(self.events):
            if kind in kinds and index not in self.done:
                return self._fire(kind, event)
        return None

    def _fire(self, kind: str, event: dict[str, Any]) -> Action:
        self._mark(event)
        return self._press(kind, event)

    def _press(self, kind: str, event: dict[str, Any]) -> Action:
        args: dict[str, Any] = {name: event[name] for name in ("player", "box", "wager", "reason") if name in event}
        if kind == "misplaced":
            args = {"withdraw": _leaving(event)}
        elif kind == "settled_as":
            wager, how = next(iter(event["settled_as"].items()))
            args = {"wager": wager, "result": how}
        elif kind == "cancel":
            reason = str(event.get("reason") or ("fraud" if "fraud" in str(event["event"]) else "disruption"))
            args = {"reason": reason, "forfeit": event.get("forfeit", [])}
        elif kind == "astray":
            args = {"card": self.drawn[int(event.get("card_index", -1))]}
        elif kind == "wrong_deck":
            args = {"what": str(event.get("event", "")).replace("_", " ")}
        key = self.game.keys[kind]
        return Press(kind, args, max(key.rank, self._rank(event)))

    def _rank(self, event: dict[str, Any]) -> int:
        return max(level_of(event, self.game.table.house.rulebook), DEALER)

    def _event(self, kind: str) -> dict[str, Any] | None:
        return next((e for i, (k, e) in enumerate(self.events) if k == kind and i not in self.done), None)

    def _has(self, word: str) -> bool:
        return any(word in str(event.get("event", "")) for event in self.case.events)

    def _mark(self, event: dict[str, Any]) -> None:
        self.done.add(next(i for i, (_, other) in enumerate(self.events) if other is event))

    # -- the game itself ---------------------------------------------------------------------------------------

    def _play(self, phase: str) -> Action | None:
        if phase in ("betting", "closed", "dealing", "choosing", "war_burning", "war_dealing"):
            stake = next(iter(self._stakes_to_lay(phase)), None)
            if stake is not None:
                return self._lay(stake)
        if phase == "betting" and not self.finishing:
            before = self._invalid_before()
            if before is not None:
                return before
            if self.game.rules.wagers.close == "call" and self.case.stakes:
                return Press("no_more_bets", {})
            return self._draw() if self.cards else None
        if phase == "closed" or (phase in DRAWING and dealing.expected(self.game)):
            return self._draw() if self.cards else None
        if phase in ("interim", "final"):
            return Press("settled", {})
        if phase == "over":
            return self._after_round()
        return None

    def _invalid_before(self) -> Action | None:
        for index, (kind, event) in enumerate(self.events):
            if kind == "invalid_card" and index not in self.done and "before" in str(event.get("stage", "")):
                return self._fire(kind, event)
        return None

    def _stakes_to_lay(self, phase: str) -> list[CaseStake]:
        if phase in ("betting", "closed"):
            return [s for s in self.stakes if s.stage == "initial" and not s.late]
        if phase == "dealing":
            return [s for s in self.stakes if s.late]
        if phase in ("choosing", "war_burning", "war_dealing"):
            at_war = {stake.box for stake in self.game.war_stakes()}
            return [s for s in self.stakes if s.stage == "war" and s.zone != "war" and s.box in at_war]
        return []

    def _lay(self, stake: CaseStake) -> Lay:
        self.stakes.remove(stake)
        return Lay(stake.id, stake.player, stake.box, stake.zone, stake.amount, stake.token)

    def _after_round(self) -> Action | None:
        if not self.finishing:
            self.finishing = True
            lying = dealing.card_places(self.game)
            self.places = [lying[index] for index in self.drawn if index < len(lying)]
        late = self._fire_first("invalid_card", *FIRED_AT_THE_END) if self._has("after") or self.events else None
        if late is not None and isinstance(late, Press) and late.key == "invalid_card":
            return late
        if self.game.state.shuffle_due and self._has("cutting_card") and not self.game.asked("surplus:"):
            return Press("place_bets", {})
        return None


def _leaving(event: dict[str, Any]) -> list[str]:
    for name in ("players_retracting", "retracting", "withdrawing", "withdraw"):
        if name in event:
            return [str(player) for player in event[name]]
    return []


def is_card(text: str) -> bool:
    """Whether a written card is one of the decks."""
    return parse(text).kind == "card"
