"""Casino War judged from the cards and chips that lay: a small judge of its own for each of the three documents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from controller.core.effects import Announced, Moved, Settled, WagerResult
from controller.core.events import ChipsCounted, Command, Started
from drivers.events import DeviceDown
from lab.explore.found import Found
from lab.explore.judges import Judge, Seen
from lab.explore.judges.payments import CHIPS, Payments

if TYPE_CHECKING:
    from lab.explore.table import ExploredTable

HIGH = {face: height for height, face in enumerate("23456789TJQKA")}
BEGINS = ("first_card", "parked_card")
"""Moves by which a round begins: its first card leaves, or the one that was kept for it is dealt."""
CLOSES_OR_OPENS = ("close_bets", "reopen_bets")
"""Stakes are measured by the limits that held when bets were closed."""
BY_PERSON = ("settled_as",)
"""Keys by which a person says how a wager ended."""
BY_CARDS = ("interim", "final", "surrender")
UNDECIDED = frozenset(
    {"closed", "dealing", "interim", "choosing", "war_burning", "war_dealing", "ruling", "reshuffling", "recutting"}
)


class Document(NamedTuple):
    """What one approved document says of money: odds at war, how halves and payments are made, and the unit."""

    equal_main: int
    equal_war: int
    half_up: bool
    unit: bool


DOCUMENTS = {
    "melbourne-war": Document(1, 1, True, False),
    "perth-war": Document(1, 1, False, True),
    "star-war": Document(0, 2, True, False),
}
PAIRS = {1: (30, 12, 5), 2: (25, 12, 5), 3: (30, 12, 5), 4: (30, 10, 5), 5: (25, 12, 6), 6: (25, 12, 5), 7: (25, 12, 6)}
"""Perfect Pairs by column: perfect, coloured, mixed."""


class WarJudge:
    """Holds the stakes of a round against the chips that lay at its first card, and its results against the cards."""

    def __init__(self) -> None:
        self._limits: Any = None
        self._at_close: Any = None
        self._counted: dict[tuple[str, str], int] = {}
        self._mat_saw_all = True
        self._handed_back = False

    def look(self, table: ExploredTable, seen: Seen) -> Iterator[Found]:
        if isinstance(seen.row.event, ChipsCounted):
            self._mat_saw_all = True
        elif CHIPS in table.down or isinstance(seen.row.event, Started | DeviceDown):
            self._mat_saw_all = False
        self._handed_back = self._handed_back or any(
            isinstance(effect, Announced) and effect.code == "hand_back" for effect in seen.row.effects
        )
        by_person = isinstance(seen.row.event, Command) and seen.row.event.name in BY_PERSON
        for effect in seen.row.effects:
            if isinstance(effect, Moved) and effect.trigger in BEGINS:
                yield from self._begins(table)
                self._handed_back, self._at_close = False, None
            elif isinstance(effect, Moved) and effect.trigger in CLOSES_OR_OPENS:
                now = table.table.state
                self._at_close = (now.limits, dict(now.personal)) if effect.dest == "closed" else None
            elif isinstance(effect, Settled) and effect.outcome in BY_CARDS and not by_person:
                yield from self._judged(table, effect)

    # -- chips -------------------------------------------------------------------------------------------------

    def _begins(self, table: ExploredTable) -> Iterator[Found]:
        """The first card: every chip on a box is somebody's stake, told or refused, and every stake lies there."""
        state = table.table.state
        self._limits, self._counted = self._at_close or (state.limits, dict(state.personal)), {}
        game: Any = table.table.game
        if not self._mat_saw_all or CHIPS in table.down or table.straddling or not state.money.read:
            return
        whole, live = Counter[int](), Counter[int]()
        for stake in game.view()["stakes"]:
            area = game.layout.area(stake["box"], stake["zone"])
            whole[area] += max(stake["amount"], stake["before"])
            live[area] += stake["amount"] if stake["status"] == "live" else 0
        for area in table.areas:
            box, zone = game.layout.place(area)
            lies = table.worth(area)
            if zone not in game.layout.staked:
                continue
            if lies > whole[area] and not self._handed_back:
                yield Found("chips lie there and are no stake", f"{zone} {box}: {lies} lie, {whole[area]} staked")
            if live[area] > lies:
                yield Found("a stake of chips that do not lie there", f"{zone} {box}: {live[area]}, {lies} lie")

    # -- cards -------------------------------------------------------------------------------------------------

    def _judged(self, table: ExploredTable, settled: Settled) -> Iterator[Found]:
        game: Any = table.table.game
        at = 1 if settled.outcome == "final" else 0
        lying: dict[str, list[str]] = {}
        for card in game.view()["cards"]:
            lying.setdefault(card["to"], []).append(card["face"])
        for result in settled.results:
            zone, _, box = result.bet.partition(" ")
            if result.result in ("void", "returned"):
                continue
            cards = [lying.get(place, [])[at : at + 1] for place in (f"box{box}", "dealer")]
            if not all(cards):
                yield Found("a wager decided without its cards", f"{result}: {lying}")
                continue
            yield from self._held(table, result, zone, cards[0][0], cards[1][0], bool(at))

    def _held(
        self, table: ExploredTable, result: WagerResult, zone: str, mine: str, dealers: str, war: bool
    ) -> Iterator[Found]:
        how, odds = self._decided(table, zone, mine, dealers, war)
        if result.result == "surrender" and not war and how == "tied":
            how = "surrender"
        if result.result != how:
            text = f"{result.bet}: {mine} against {dealers} is {how}, settled as {result.result}"
            yield Found("a result that the cards do not give", text)
        elif (wrong := self._money(table, result, zone, odds)) is not None:
            yield Found("an amount that the stake does not give", f"{result}: {wrong}")

    def _decided(self, table: ExploredTable, zone: str, mine: str, dealers: str, war: bool) -> tuple[str, int]:
        document = DOCUMENTS[table.config.table.rulebook]
        order = HIGH[mine[0]] - HIGH[dealers[0]]
        match zone:
            case "tie":
                return ("win", 10) if order == 0 else ("lose", 0)
            case "a_bomb":
                return ("win", 10) if mine[0] == "A" else ("lose", 0)
            case "perfect_pairs":
                return _pair(mine, dealers, PAIRS[table.table.game.config.column])  # type: ignore[attr-defined]
        if order < 0:
            return "lose", 0
        if not war:
            return ("win", 1) if order else ("tied", 0)
        odds = int(zone == "war") if order else document.equal_war if zone == "war" else document.equal_main
        return ("win" if odds else "standoff"), odds

    def _money(self, table: ExploredTable, result: WagerResult, zone: str, odds: int) -> str | None:
        """What is due instead, in cents; nothing where it is right."""
        document = DOCUMENTS[table.config.table.rulebook]
        whole = result.stake_taken + result.stake_returned
        if self._limits is None:
            return None
        limits, least, most = self._limits_of(result.player, zone)
        counted = min(whole, most)
        if document.unit and counted >= least:
            counted -= counted % limits.unit
        place = (result.bet.partition(" ")[2], result.player)
        if zone == "main":
            self._counted[place] = counted
        elif zone == "war":
            counted = min(whole, self._counted.get(place, whole))
        chip = limits.smallest_chip
        due = counted * odds if result.result == "win" else 0
        if not document.unit:
            due = -(-due // chip) * chip
        match result.result:
            case "lose":
                taken = counted
            case "surrender" if document.half_up:
                taken = max(0, counted - -(-counted // (2 * chip)) * chip)
            case "surrender":
                taken = counted // (2 * chip) * chip
            case _:
                taken = 0
        right = (result.pays, result.stake_taken) == (due, taken)
        return None if right else f"{due} is due and {taken} is taken"

    def _limits_of(self, player: str, zone: str) -> tuple[Any, int, int]:
        """The table's limits, with least and most of a wager: a bet's own, or what a marker says was agreed."""
        limits, personal = self._limits
        own = personal.get(player)
        if zone in limits.bets:
            return limits, *limits.bets[zone]
        if own is not None and own.marker:
            return limits, own.least, own.most
        return limits, limits.least, limits.most


def _pair(mine: str, dealers: str, column: tuple[int, int, int]) -> tuple[str, int]:
    if mine[0] != dealers[0]:
        return "lose", 0
    if mine[1] == dealers[1]:
        return "win", column[0]
    return "win", column[1] if (mine[1] in "HD") == (dealers[1] in "HD") else column[2]


def area_of(table: ExploredTable, bet: str) -> int:
    """Where the chips of a bet lie."""
    zone, _, box = bet.partition(" ")
    area: int = table.table.game.layout.area(int(box), zone)  # type: ignore[attr-defined]
    return area


def beside_war(table: ExploredTable) -> dict[int, int]:
    """What the house lays beside each war stake where the method has it lie there: as much as it (7.4.4(a)(ii))."""
    game: Any = table.table.game
    found: Counter[int] = Counter()
    for stake in game.view()["stakes"]:
        area = game.layout.area(stake["box"], "house")
        if area is not None and stake["zone"] == "war" and stake["status"] == "live":
            found[area] += stake["counted"]
    return found


def judges() -> list[Judge]:
    return [WarJudge(), Payments(UNDECIDED, area_of, beside_war)]
