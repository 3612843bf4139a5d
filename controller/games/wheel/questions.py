"""What keeps a result from standing by itself, and what else people are asked, one question at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from controller.core.desk import Ask, Refusal, spoken
from controller.core.effects import Asked
from controller.core.questions import Answer, Question, Questions
from controller.games.wheel import colours, lines, players, taken_back
from controller.games.wheel.state import NO_SPIN_REASONS, REASON_WORDS, Unclear
from controller.people import Person
from drivers.motion import SpinVerdict

if TYPE_CHECKING:
    from controller.games.wheel.game import WheelGame

SYMBOL = Ask("symbol", "choice", "The indicator rests in", optional=True,
             offered=lambda game: ((symbol, symbol) for symbol in game.setup.option.names),
             suggested=True)  # fmt: skip
OTHER_SYMBOL = msgspec.structs.replace(SYMBOL, optional=False)


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
        Answer("elsewhere", "It stands on another symbol", "dispute", (OTHER_SYMBOL,), needs_reason=True),
    )

    def open(self, game: WheelGame) -> bool:
        return bool(reasons(game))

    def text(self, game: WheelGame, about: Any) -> str:
        return "No spin? " + ", ".join(REASON_WORDS[reason] for reason in reasons(game)).capitalize() + "."

    def evidence(self, game: WheelGame, about: Any) -> dict[str, Any]:
        return {**evidence(game.state.round.seen), "reasons": list(reasons(game))}

    def offered(self, game: WheelGame, about: Any) -> tuple[Answer, ...]:
        """The eye names the symbol where the sensor cannot; against its reading, that is a dispute to be decided."""
        why, (no_spin, stands, elsewhere) = reasons(game), self.answers
        power = "override_under_revs" if "under_revs" in why else "override_not_clear" if "not_clear" in why else ""
        stands = stands._replace(power=power or stands.power)
        if (read := read_by_sensor(game)) is None:
            return no_spin, stands
        label = f"It stands on another symbol than {read}, which the sensor reads"
        return no_spin, stands._replace(label=f"The spin stands: {read}"), elsewhere._replace(label=label)

    def why(self, game: WheelGame, about: Any) -> tuple[str, ...]:
        return tuple(dict.fromkeys(NO_SPIN_REASONS[reason] for reason in reasons(game)))

    def asks_now(self, game: WheelGame, asked: Asked, answer: Answer) -> tuple[Ask, ...]:
        """Where the wheel rests: asked for if the sensor could not see it, or is not to be believed."""
        read = read_by_sensor(game)
        if not answer.asks or (answer.answer == "stands" and read is not None):
            return ()
        others = tuple(choice for choice in SYMBOL.shown(game).choices if choice[0] != read)
        return (msgspec.structs.replace(OTHER_SYMBOL, choices=others, offered=None),)

    def check(self, game: WheelGame, asked: Asked, answer: str, given: dict[str, Any]) -> None:
        if answer == "no_spin":
            return
        symbol, read = given.get("symbol", ""), read_by_sensor(game)
        if symbol and symbol not in game.setup.option.names:
            raise Refusal("no_such_symbol", f"This wheel has no symbol {spoken(symbol)}.", ("5.1.3",))
        if not symbol and read is None:
            text = "The sensor has no result; say which symbol the indicator rests in."
            raise Refusal("symbol_needed", text, ("5.1.3",))
        if answer == "stands" and read is not None and symbol not in ("", read):
            text = f"The sensor reads {read} and not {symbol}; against it somebody of higher rank must decide."
            raise Refusal("against_the_sensor", text, ("5.1.3", "9.11"))
        if answer == "elsewhere" and symbol == read:
            raise Refusal("as_read", f"{read} is what the sensor reads; let the spin stand.", ("5.1.3",))

    def no_spin(self, game: WheelGame, asked: Asked, by: Person) -> None:
        game.machine.fire("call_no_spin", reasons(game))

    def stands(self, game: WheelGame, asked: Asked, by: Person, *, symbol: str = "") -> None:
        if read_by_sensor(game) is None:
            game.desk.note("symbol_by_eye", ("5.1.3", *asked.clauses), symbol=symbol, by=by.id)
            game.state.round.winner, game.state.round.named_by = symbol, by.id
        self.rule(game)

    def elsewhere(self, game: WheelGame, asked: Asked, by: Person, *, symbol: str) -> None:
        read, clauses = read_by_sensor(game), ("5.1.3", "9.11")
        game.desk.note("symbol_against_sensor", clauses, read=read, symbol=symbol, by=by.id)
        text = f"{by.id} let the spin stand on {symbol}; the sensor reads {read}."
        game.desk.announce("surveillance", "symbol_against_sensor", text, clauses)
        game.state.round.winner, game.state.round.named_by = symbol, by.id
        self.rule(game)


def read_by_sensor(game: WheelGame) -> str | None:
    """The symbol in which the sensor sees the indicator; none where it cannot tell."""
    compartment = game.state.round.seen.compartment
    return None if compartment is None else game.setup.ring[compartment]


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
        lines.ruled_onto(game, int(asked.subject.partition(":")[2]), int(answer.removeprefix("area")))


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

    def _decided(self, game: WheelGame, asked: Asked, by: Person, whom: set[str] | None) -> None:
        """Winnings that waited for this decision are paid, unless it is to withhold them."""
        player = asked.subject.partition(":")[2]
        if whom is not None:
            whom.add(player)
        if player in players.inquired(game):
            players.weigh_anew(game, player)
        else:
            players.pay_held(game, player, by)

    def withhold(self, game: WheelGame, asked: Asked, by: Person) -> None:
        self._decided(game, asked, by, game.state.withheld)

    def void(self, game: WheelGame, asked: Asked, by: Person) -> None:
        self._decided(game, asked, by, game.state.voided)

    def exclude(self, game: WheelGame, asked: Asked, by: Person) -> None:
        self._decided(game, asked, by, game.state.excluded)

    def nothing(self, game: WheelGame, asked: Asked, by: Person) -> None:
        self._decided(game, asked, by, None)


class Touched(Question["WheelGame"]):
    """A spin whose result is announced, or paid, is said to have been touched while it turned (7.1.3)."""

    subject, proposal = taken_back.TOUCHED, "stands"
    clauses = ("7.1.3", "7.2")
    answers = (
        Answer("no_spin", "No spin: take and pay are undone", "no_spin_settled", needs_reason=True),
        Answer("stands", "The spin stands", "refuse_no_spin_proposal", needs_reason=True),
    )

    def named(self, about: str) -> str:
        return ""

    def text(self, game: WheelGame, about: str) -> str:
        return f"The wheel was touched in round {self._round(game)}, it is said. Does the spin stand?"

    def _round(self, game: WheelGame) -> int:
        past = game.state.past
        return past.round if game.state.round.spin is None and past is not None else game.table.state.round

    def evidence(self, game: WheelGame, about: str) -> dict[str, Any]:
        verdict = game.state.round.verdict
        return {"round": self._round(game), "actor": about, **(evidence(verdict) if verdict else {})}

    def offered(self, game: WheelGame, about: str) -> tuple[Answer, ...]:
        no_spin, stands = self.answers
        return no_spin._replace(power="dispute" if game.state.round.spin is None else no_spin.power), stands

    def no_spin(self, game: WheelGame, asked: Asked, by: Person) -> None:
        if game.machine.can("take_back"):
            game.machine.fire("take_back", reasons(game))
        else:
            taken_back.past_no_spin(game, "interference", by)

    def stands(self, game: WheelGame, asked: Asked, by: Person) -> None:
        game.state.round.reported = tuple(told for told in game.state.round.reported if told != "interference")
        game.after_collecting_or_paying()


DOUBTS: tuple[type[Doubt], ...] = (CloseNotAnnounced, CloseUnseen, Spin, Homing, Near, Owners, LateChange)
"""In the order in which they are asked."""
QUESTIONS: Questions[WheelGame] = Questions(
    *DOUBTS, Position, DeviceSeen, Touched, colours.ClosedTableChips, colours.MoreThanIssued
)


def next_doubt(game: WheelGame) -> str:
    """The first open question about this spin; nothing where the result stands."""
    ruled = game.state.round.ruled
    found = (one for one in QUESTIONS if isinstance(one, Doubt) and one.subject not in ruled and one.open(game))
    return next((one.subject for one in found), "")


def withdraw_doubts(game: WheelGame) -> None:
    """Nothing of this spin is asked any more."""
    for subject in (*(doubt.subject for doubt in DOUBTS), Touched.subject):
        game.desk.withdraw(subject)


def reasons(game: WheelGame) -> tuple[str, ...]:
    """All reasons for a no spin, seen by the sensor or told by people."""
    round_ = game.state.round
    return tuple(dict.fromkeys((*round_.seen.reasons, *round_.reported)))


def _ownerless_over_maximum(game: WheelGame) -> list[str]:
    wagers = game.wagers()
    return [w.symbol for w in wagers if not w.owner and w.cents > game.limits_of("", w.symbol).most]


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
