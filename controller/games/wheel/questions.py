"""What keeps a result from standing by itself, and what else people are asked, one question at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from controller.core.desk import Ask, Refusal
from controller.core.effects import Asked
from controller.core.questions import Answer, Question, Questions
from controller.games.wheel import colours
from controller.games.wheel.layout import Laid
from controller.games.wheel.state import NO_SPIN_REASONS, Unclear
from controller.people import Person
from drivers.motion import SpinVerdict

if TYPE_CHECKING:
    from controller.games.wheel.game import WheelGame

SYMBOL = Ask("symbol", "choice", "The indicator rests in", optional=True,
             offered=lambda game: ((symbol, symbol) for symbol in game.setup.option.names),
             suggested=True)  # fmt: skip
OTHER_SYMBOL = msgspec.structs.replace(SYMBOL, label="Only if it is another symbol than was seen: it rests in")


class Doubt(Question["WheelGame"]):
    """Keeps the result of a spin from standing until it is ruled on."""

    def open(self, game: WheelGame) -> bool:
        """Whether this spin gives cause for it."""
        raise NotImplementedError

    def rule(self, game: WheelGame) -> None:
        """It is settled; the next question follows, or the result."""
        game.state.round.ruled = (*game.state.round.ruled, self.subject)
        game.machine.fire("rule_on")

    def refund(self, game: WheelGame, asked: Asked, by: Person) -> None:
        game.machine.fire("cancel", "9.11")


class _BettingNotClosed(Doubt):
    """The wagers at the close are not known for certain."""

    def open(self, game: WheelGame) -> bool:
        return self.subject in game.state.round.doubts

    def evidence(self, game: WheelGame, about: Any) -> dict[str, Any]:
        return {"wagers": [msgspec.to_builtins(wager) for wager in game.wagers()]}

    def settle(self, game: WheelGame, asked: Asked, by: Person) -> None:
        self.rule(game)


REFUND = Answer("refund", "Hand every wager back", "dispute", needs_reason=True)


class CloseNotAnnounced(_BettingNotClosed):
    """Nobody said that no more bets may be placed."""

    subject, proposal = "close_not_announced", "settle"
    clauses = ("5.1.2", "3.2", "9.11")
    answers = (Answer("settle", "Settle what lies on the layout", "close_not_announced"), REFUND)

    def text(self, game: WheelGame, about: Any) -> str:
        return "The wheel rests and “no more bets” was never announced."


class CloseUnseen(_BettingNotClosed):
    """The antennas were out when betting closed."""

    subject, proposal = "close_unseen", "refund"
    clauses = ("3.5", "9.11")
    answers = (
        Answer("settle", "The layout is as it was at the close: settle", "close_not_announced", needs_reason=True),
        REFUND,
    )

    def text(self, game: WheelGame, about: Any) -> str:
        return "The chip antennas were out while betting closed; the picture is the one seen since."


class Spin(Doubt):
    """The sensor or somebody saw a reason for a no spin."""

    subject, proposal = "spin", "no_spin"
    answers = (
        Answer("no_spin", "No spin", "call_no_spin"),
        Answer("stands", "The spin stands", "refuse_no_spin_proposal", (SYMBOL,), needs_reason=True),
    )

    def open(self, game: WheelGame) -> bool:
        return bool(reasons(game))

    def text(self, game: WheelGame, about: Any) -> str:
        return "No spin? " + ", ".join(reasons(game)).replace("_", " ") + "."

    def evidence(self, game: WheelGame, about: Any) -> dict[str, Any]:
        return {**evidence(game.state.round.seen), "reasons": list(reasons(game))}

    def offered(self, game: WheelGame, about: Any) -> tuple[Answer, ...]:
        why, (no_spin, stands) = reasons(game), self.answers
        power = "override_under_revs" if "under_revs" in why else "override_not_clear" if "not_clear" in why else ""
        return no_spin, stands._replace(power=power or stands.power)

    def why(self, game: WheelGame, about: Any) -> tuple[str, ...]:
        return tuple(dict.fromkeys(NO_SPIN_REASONS[reason] for reason in reasons(game)))

    def asks_now(self, game: WheelGame, asked: Asked, answer: Answer) -> tuple[Ask, ...]:
        """Where the wheel rests: needed if the sensor could not see it, else if it is not to be believed."""
        if not answer.asks:
            return ()
        if game.state.round.seen.compartment is None:
            return (msgspec.structs.replace(SYMBOL.shown(game), optional=False),)
        return (OTHER_SYMBOL.shown(game),)

    def check(self, game: WheelGame, asked: Asked, answer: str, given: dict[str, Any]) -> None:
        if answer != "stands":
            return
        symbol = given.get("symbol", "")
        if symbol and symbol not in game.setup.option.names:
            raise Refusal("no_such_symbol", f"This wheel has no symbol {symbol!r}.", ("5.1.3",))
        if not symbol and game.state.round.seen.compartment is None:
            text = "The sensor has no result; say which symbol the indicator rests in."
            raise Refusal("symbol_needed", text, ("5.1.3",))

    def no_spin(self, game: WheelGame, asked: Asked, by: Person) -> None:
        game.machine.fire("call_no_spin", reasons(game))

    def stands(self, game: WheelGame, asked: Asked, by: Person, *, symbol: str = "") -> None:
        game.state.round.winner = symbol
        self.rule(game)


class Homing(Doubt):
    """The sensor found its index mark anew; pegs look alike, so only an eye can tell that its map still holds."""

    subject, proposal = "homing", "as_read"
    clauses = ("7.1.2", "7.1.3")
    answers = (
        Answer("as_read", "As the sensor reads it", "confirm_near"),
        Answer("elsewhere", "It rests elsewhere: no spin", "call_no_spin"),
    )

    def open(self, game: WheelGame) -> bool:
        return game.state.homing and game.state.round.seen.compartment is not None and not game.state.round.winner

    def text(self, game: WheelGame, about: Any) -> str:
        ring, at = game.setup.ring, game.state.round.seen.compartment
        assert at is not None
        before, after = _told_apart_by(ring, at)
        return (
            f"The sensor found its index mark anew and reads {ring[at]}, between {' '.join(before)} and "
            f"{' '.join(after)}. Look: is the indicator clearly inside that {ring[at]}?"
        )

    def evidence(self, game: WheelGame, about: Any) -> dict[str, Any]:
        return evidence(game.state.round.seen)

    def as_read(self, game: WheelGame, asked: Asked, by: Person) -> None:
        game.state.homing = False
        self.rule(game)

    def elsewhere(self, game: WheelGame, asked: Asked, by: Person) -> None:
        """The map is out by whole compartments: this question comes again with every spin until it is right."""
        game.desk.note("index_moved", self.clauses, read=game.state.round.seen.compartment, by=by.id)
        text = "The sensor's index mark has moved. Put it back where it was, or calibrate: `tablectl wheel calibrate`."
        game.desk.announce("console", "index_moved", text, self.clauses)
        game.machine.fire("call_no_spin", ("malfunction",))


def _told_apart_by(ring: tuple[str, ...], at: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """As many neighbours before and after a compartment as no other of its symbol has."""

    def around(place: int, reach: int) -> tuple[str, ...]:
        return tuple(ring[(place + step) % len(ring)] for step in range(-reach, reach + 1))

    reach = 1
    while reach < len(ring) // 2 and sum(around(n, reach) == around(at, reach) for n in range(len(ring))) > 1:
        reach += 1
    seen = around(at, reach)
    return seen[:reach], seen[reach + 1 :]


class Near(Doubt):
    """The indicator rests close to a divider."""

    subject, proposal = "near", "clear"
    clauses = ("7.1.2",)
    answers = (
        Answer("clear", "Clearly inside", "confirm_near"),
        Answer("no_spin", "Not clear: no spin", "call_no_spin"),
    )

    def open(self, game: WheelGame) -> bool:
        return game.state.round.seen.clear == "near" and Homing.subject not in game.state.round.ruled

    def _symbol(self, game: WheelGame) -> str:
        compartment = game.state.round.seen.compartment
        assert compartment is not None
        return game.setup.ring[compartment]

    def text(self, game: WheelGame, about: Any) -> str:
        return f"The indicator rests close to a divider, on the side of {self._symbol(game)}. Is it clearly inside?"

    def evidence(self, game: WheelGame, about: Any) -> dict[str, Any]:
        return evidence(game.state.round.seen)

    def offered(self, game: WheelGame, about: Any) -> tuple[Answer, ...]:
        clear, no_spin = self.answers
        return clear._replace(label=f"Clearly inside {self._symbol(game)}"), no_spin

    def clear(self, game: WheelGame, asked: Asked, by: Person) -> None:
        self.rule(game)

    def no_spin(self, game: WheelGame, asked: Asked, by: Person) -> None:
        game.machine.fire("call_no_spin", ("not_clear",))


class Owners(Doubt):
    """More than one player's maximum lies on a symbol, and nobody knows whose it is."""

    subject, proposal = "owners", ""
    clauses = ("4.2.2",)
    answers = (Answer("one_player", "All of one player: settle at the maximum", "assign_wager"),)

    def proposed(self, game: WheelGame, about: Any) -> str:
        """No answer: the key that says whose they are."""
        return "assign"

    def open(self, game: WheelGame) -> bool:
        return bool(_ownerless_over_maximum(game))

    def text(self, game: WheelGame, about: Any) -> str:
        return f"More than the maximum lies on {', '.join(_ownerless_over_maximum(game))}. Whose chips are they?"

    def evidence(self, game: WheelGame, about: Any) -> dict[str, Any]:
        return {"symbols": _ownerless_over_maximum(game)}

    def one_player(self, game: WheelGame, asked: Asked, by: Person) -> None:
        self.rule(game)


class LateChange(Doubt):
    """Somebody touched the layout after the close."""

    subject, proposal = "late_change", "as_closed"
    clauses = ("3.2", "3.5", "9.11")
    answers = (
        Answer("as_closed", "Settle the picture at the close", "rule_late_change"),
        Answer("as_lying", "Settle what lies there now", "dispute", needs_reason=True),
    )

    def open(self, game: WheelGame) -> bool:
        round_ = game.state.round
        restored = round_.disturbed and game.setup.rules.betting.restored_late_change == "ask"
        return bool(round_.late) or restored

    def text(self, game: WheelGame, about: Any) -> str:
        return "The layout is not as it was at “no more bets”."

    def evidence(self, game: WheelGame, about: Any) -> dict[str, Any]:
        return {"changes": [msgspec.to_builtins(change) for change in game.state.round.late]}

    def as_closed(self, game: WheelGame, asked: Asked, by: Person) -> None:
        self.rule(game)

    def as_lying(self, game: WheelGame, asked: Asked, by: Person) -> None:
        round_ = game.state.round
        round_.frozen = dict(game.state.picture)
        round_.ruled = (*round_.ruled, "late_change_as_lying")
        self.rule(game)


class Position(Question["WheelGame"]):
    """On which area does this chip lie?"""

    subject, proposal = "position", "ask_player"
    clauses = ("3.4", "3.7")

    def named(self, about: Unclear) -> str:
        return str(about.chip.tag)

    def text(self, game: WheelGame, about: Unclear) -> str:
        return "A chip lies on the line between two areas. Where does it count?"

    def evidence(self, game: WheelGame, about: Unclear) -> dict[str, Any]:
        return {"tag": about.chip.tag, "cents": about.chip.cents, "areas": list(about.areas)}

    def offered(self, game: WheelGame, about: Unclear) -> tuple[Answer, ...]:
        names = game.setup.areas
        return tuple(Answer(f"area{area}", f"On {names.get(area, area)}", "place_chip") for area in about.areas)

    def otherwise(self, game: WheelGame, asked: Asked, answer: str, by: Person) -> None:
        tag, area = int(asked.subject.partition(":")[2]), int(answer.removeprefix("area"))
        unclear = game.state.unclear.pop(tag)
        game.state.picture[tag] = Laid(unclear.chip, area)
        colours.give_owners(game, (unclear.chip,))
        game.desk.note("position_told", ("3.4",), tag=tag, area=area)


class DeviceSeen(Question["WheelGame"]):
    """What becomes of a player with a prohibited device (9.1, 9.2)?"""

    subject, proposal = "device", "withhold"
    clauses = ("9.1", "9.2.1", "9.2.2", "9.2.3")
    answers = (
        Answer("withhold", "Withhold winnings until the inquiry is over", "withhold", needs_reason=True),
        Answer("void", "Void this player's wagers", "void_wager", needs_reason=True),
        Answer("exclude", "Exclude from the game", "exclude_player", needs_reason=True),
        Answer("nothing", "Nothing was found", "withhold", needs_reason=True),
    )

    def text(self, game: WheelGame, about: Any) -> str:
        return f"{about} is reported with a device that records or predicts the game."

    def evidence(self, game: WheelGame, about: Any) -> dict[str, Any]:
        return {"player": about, "wagers": [msgspec.to_builtins(w) for w in game.wagers() if w.owner == about]}

    def withhold(self, game: WheelGame, asked: Asked, by: Person) -> None:
        game.state.withheld.add(asked.subject.partition(":")[2])

    def void(self, game: WheelGame, asked: Asked, by: Person) -> None:
        game.state.voided.add(asked.subject.partition(":")[2])

    def exclude(self, game: WheelGame, asked: Asked, by: Person) -> None:
        game.state.excluded.add(asked.subject.partition(":")[2])

    def nothing(self, game: WheelGame, asked: Asked, by: Person) -> None: ...


DOUBTS: tuple[type[Doubt], ...] = (CloseNotAnnounced, CloseUnseen, Spin, Homing, Near, Owners, LateChange)
"""In the order in which they are asked."""
QUESTIONS: Questions[WheelGame] = Questions(*DOUBTS, Position, DeviceSeen, colours.ClosedTableChips)


def next_doubt(game: WheelGame) -> str:
    """The first open question about this spin; nothing where the result stands."""
    ruled = game.state.round.ruled
    found = (one for one in QUESTIONS if isinstance(one, Doubt) and one.subject not in ruled and one.open(game))
    return next((one.subject for one in found), "")


def withdraw_doubts(game: WheelGame) -> None:
    """Nothing of this spin is asked any more."""
    for doubt in DOUBTS:
        game.desk.withdraw(doubt.subject)


def reasons(game: WheelGame) -> tuple[str, ...]:
    """All reasons for a no spin, seen by the sensor or told by people."""
    round_ = game.state.round
    return tuple(dict.fromkeys((*round_.seen.reasons, *round_.reported)))


def _ownerless_over_maximum(game: WheelGame) -> list[str]:
    wagers = game.wagers()
    return [w.symbol for w in wagers if not w.owner and w.cents > game.table.limits_of("", w.symbol).most]


def evidence(verdict: SpinVerdict) -> dict[str, Any]:
    """The numbers a person sees."""
    seen: dict[str, Any] = msgspec.to_builtins(verdict)
    seen.pop("trace", None)
    seen.pop("against", None)
    return seen


def owners_told(game: WheelGame) -> None:
    """Chips found their owner: the question of ownership may have answered itself."""
    open_question = any(asked.subject == Owners.subject for asked in game.desk.state.prompts.values())
    if open_question and not _ownerless_over_maximum(game):
        game.desk.withdraw(Owners.subject)
        game.machine.fire("rule_on")
