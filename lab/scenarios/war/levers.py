"""The bench of a simulated Casino War table: take hold of cards, shoe and shuffler as well."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, cast, get_args

from controller.core.effects import Moved, Noted
from controller.core.runtime import Told
from controller.games.war.cards import FACES
from controller.games.war.config import WarSection
from controller.games.war.game import WarGame
from firmware_specs.messages.shuffler import Mode
from lab.scenarios.file import dollars
from lab.scenarios.war.people import areas_of
from lab.scenarios.war.record import WarRecord
from lab.sim.bench import BadPull, Param
from lab.sim.levers import CASES_KEPT, Anew, PlayedLevers
from simulators.card_mouth import CannotDraw
from simulators.card_reader import MishapKind
from simulators.shoe import CardShoe
from simulators.shuffler import CardShuffler

if TYPE_CHECKING:
    from lab.sim.table import SimulatedTable

_WRONG: tuple[MishapKind, ...] = get_args(MishapKind)
_PLAIN = ("dealer", "war-burn", "round-burn")
"""Where cards of an ordinary round lie besides the boxes."""
_OPENING = ("shoe-burn", "shoe-start-up")


class WarLevers(PlayedLevers):
    """People, cards, chips, lines and time."""

    def __init__(self, table: SimulatedTable, seed: int = 0, anew: Anew | None = None) -> None:
        self._game = cast(WarGame, table.runtime.table.game)
        super().__init__(table, seed, areas_of(self._game.layout), anew)
        self._cases = _Cases(table, self._game)
        table.runtime.watchers.append(self._picked_up)
        self.add_people()
        self._add_cards()
        if isinstance(self.source, CardShuffler):
            self._add_shuffler()
        self.add_chips()
        self.add_lines_and_time()

    @property
    def source(self) -> CardShoe | CardShuffler:
        """What cards come from."""
        return cast("CardShoe | CardShuffler", self.crew.source)

    def _add_cards(self) -> None:
        group = "Cards"
        lid = "lid" if isinstance(self.source, CardShoe) else "door"
        self.add(self._draw, "draw", "Pull a card", group, Param("force", "although the gate is locked", "flag", False),
                 hint="It goes where the table waits for one; the gate opens once bets are closed.")  # fmt: skip
        self.add(self._swap, "swap", "Let another card come next", group,
                 Param("face", "Card", "choice", "KS", choices=FACES),
                 Param("sleeve", "out of a sleeve", "flag", False),
                 hint="From inside the cards stay whole; out of a sleeve they do not.")  # fmt: skip
        self.add(self._spoil, "spoil", "The next draw goes wrong", group,
                 Param("kind", "How", "choice", "unreadable", choices=_WRONG),
                 Param("seen", "Read as", "choice", "9H", choices=FACES),
                 Param("order_known", "order of two is known", "flag", True),
                 hint="Two come at once, face up, read wrongly, half drawn and pushed back, read twice.")  # fmt: skip
        self.add(self._load, "load", "Shuffle and load", group,
                 hint="All cards that do not lie on the table; say so on the dealer's screen as well.")  # fmt: skip
        self.add(self._lid, "lid", f"The {lid}", group, Param("open", "open", "flag", True),
                 hint="Opened during play, somebody must say what was done.")  # fmt: skip
        self.add(self._soil, "soil", "The reader's window", group,
                 Param("per_cent", "Dirt", "number", 60, 0, 95, 5, "%"),
                 hint="The dirtier, the more cards cannot be read.")  # fmt: skip

    def _add_shuffler(self) -> None:
        group = "Shuffler"
        self.add(self._jam, "jam", "Jam", group,
                 Param("place", "Where", "choice", "mouth", choices=("feed", "wheel", "mouth")),
                 Param("recovers", "it shakes itself free", "flag", False),
                 hint="No card comes until it is free again.")  # fmt: skip
        self.add(self._clear_jam, "clear_jam", "Free what is stuck", group, hint="As a hand would, with the door open.")
        self.add(self._starve, "starve", "No card comes", group, hint="The mouth stays empty though cards are inside.")
        self.add(self._miscount, "miscount", "Count wrongly", group,
                 Param("by", "By", "number", 1, -5, 5, 1, "cards"),
                 hint="What it says is inside differs from what went in.")  # fmt: skip
        modes = tuple(mode.name.lower() for mode in Mode)
        self.add(self._mode, "mode", "Turn the mode", group, Param("mode", "Mode", "choice", modes[0], choices=modes),
                 hint="Somebody turns the switch at the back.")  # fmt: skip

    def stake(self, player: str, area: str, cents: int) -> None:
        place = self._game.layout.place(self.areas[area])
        assert place is not None
        if player:
            self.crew.screen.press("assign", 1, {"box": place[0], "zone": place[1], "player": player})
        self.felt.put(cents, self.areas[area])

    def status(self) -> dict[str, Any]:
        return {**super().status(), "cases": len(self._cases.cases)}

    def scenario(self) -> dict[str, Any]:
        """The rounds played since the bench was opened, as cases that `tablectl scenario` plays again."""
        return {"meta": {"game": "Casino War", "made_by": "bench"}, "cases": list(self._cases.cases)}

    def _picked_up(self, told: Told) -> None:
        """Whoever plays by hand need not pick up every card as well."""
        if self.crew.standing_back and any(isinstance(e, Moved) and e.source == "over" for e in told.effects):
            self.crew.pick_up()

    # -- cards -------------------------------------------------------------------------------------------------

    def _draw(self, args: dict[str, Any]) -> str:
        try:
            self.crew.pull(force=args["force"])
        except CannotDraw as cannot:
            raise BadPull(f"{str(cannot).capitalize()}.") from cannot
        return "A card is drawn."

    def _swap(self, args: dict[str, Any]) -> str:
        source, face = self.source, args["face"]
        if isinstance(source, CardShoe):
            cards = source.cards
            if not cards:
                raise BadPull("The shoe is empty.")
            if args["sleeve"]:
                cards[0] = face
            elif face in cards:
                place = cards.index(face)
                cards[0], cards[place] = cards[place], cards[0]
            else:
                raise BadPull(f"There is no {face} left in the shoe.")
        else:
            if args["sleeve"]:
                source.load([face])
            try:
                source.stack([face])
            except ValueError as none:
                raise BadPull(f"There is no {face} in the shuffler.") from none
        return f"{face} comes next" + (", out of a sleeve." if args["sleeve"] else ".")

    def _spoil(self, args: dict[str, Any]) -> str:
        kind = args["kind"]
        seen = args["seen"] if kind in ("misread", "doubtful", "twice") else ""
        self.source.spoil(kind, seen=seen, order_known=args["order_known"])
        return f"The next draw goes wrong: {kind.replace('_', ' ')}."

    def _load(self, args: dict[str, Any]) -> str:
        try:
            self.crew.load_cards()
        except CannotDraw as cannot:
            raise BadPull(f"{str(cannot).capitalize()}.") from cannot
        return "Shuffled and loaded."

    def _lid(self, args: dict[str, Any]) -> str:
        source = self.source
        if isinstance(source, CardShoe):
            (source.open_lid if args["open"] else source.close_lid)()
            what = "lid"
        else:
            (source.open_door if args["open"] else source.close_door)()
            what = "door"
        return f"The {what} is {'open' if args['open'] else 'closed'}."

    def _soil(self, args: dict[str, Any]) -> str:
        if args["per_cent"]:
            self.source.soil(int(args["per_cent"]))
            return "The reader's window is dirty."
        self.source.clean()
        return "The reader's window was wiped."

    # -- the shuffler ------------------------------------------------------------------------------------------

    @property
    def _shuffler(self) -> CardShuffler:
        assert isinstance(self.source, CardShuffler)
        return self.source

    def _jam(self, args: dict[str, Any]) -> str:
        place: Literal["feed", "wheel", "mouth"] = args["place"]
        self._shuffler.jam(place, recovers=args["recovers"])
        return f"A card will stick in the {place}."

    def _clear_jam(self, args: dict[str, Any]) -> str:
        machine = self._shuffler
        was_open = machine.door_open
        machine.open_door()
        try:
            machine.load(machine.clear_jam())
        except ValueError as nothing:
            raise BadPull(f"{str(nothing).capitalize()}.") from nothing
        finally:
            if not was_open:
                machine.close_door()
        return "Freed, and fed in again."

    def _starve(self, args: dict[str, Any]) -> str:
        self._shuffler.starve()
        return "No card comes until the door was opened and closed."

    def _miscount(self, args: dict[str, Any]) -> str:
        self._shuffler.miscount(int(args["by"]))
        return f"The next cards are counted wrong by {int(args['by'])}."

    def _mode(self, args: dict[str, Any]) -> str:
        self._shuffler.set_mode(Mode[args["mode"].upper()])
        return f"The machine is set to {args['mode']}."


class _Cases:
    """Follows the table and writes every round down as a scenario case."""

    def __init__(self, table: SimulatedTable, game: WarGame) -> None:
        self.cases: list[dict[str, Any]] = []
        self._table, self._game = table, game
        self._record = WarRecord(game)
        table.runtime.watchers.append(self.told)

    def told(self, told: Told) -> None:
        self._record.told(told)
        for effect in told.effects:
            if isinstance(effect, Noted) and effect.what == "round":
                case = self._plain(effect.facts) or self._record.case(effect.facts)
                if case is not None:
                    self.cases = [*self.cases, {**self._head(effect.facts), **case}][-CASES_KEPT:]

    def _head(self, facts: dict[str, Any]) -> dict[str, Any]:
        """The table that the round was played at."""
        config, limits, war = (
            self._game.config,
            self._table.runtime.table.state.limits,
            self._table.config.own(WarSection),
        )
        return {
            "id": f"bench-{facts['round']}",
            "rulebook": self._table.config.table.rulebook,
            "decks": self._game.state.shoe.cards.decks,
            "config": {
                "min": dollars(limits.least),
                "max": dollars(limits.most),
                "unit": dollars(limits.unit),
                "smallest_chip": dollars(limits.smallest_chip),
                "source": config.source,
                "war_method": config.war_method,
                "round_burn": config.round_burn,
                "shoe_burn": config.start_burn,
                "perfect_pairs": war.payout_column,
                "boxes": config.boxes,
                "zones": list(config.optional_zones),
                "options": config.readings,
            },
        }

    def _plain(self, facts: dict[str, Any]) -> dict[str, Any] | None:
        """An ordinary round by its wagers, cards and choices; None where more happened, which is told in steps."""
        dealt = [
            (face, read, place)
            for face, read, place in zip(facts["cards"], facts["read"], facts["to"], strict=True)
            if place not in _OPENING
        ]
        plain = all(place.startswith("box") or place in _PLAIN for _, _, place in dealt)
        seen = all(face == read for face, read, _ in dealt)
        live = all(stake[-1] == "live" for stake in facts["stakes"])
        if not (facts["valid"] and plain and seen and live and facts["stakes"]) or facts["rulings"]:
            return None
        ids = {stake[0]: f"w{number}" for number, stake in enumerate(facts["stakes"], 1)}
        player = {stake[0]: _player(stake) for stake in facts["stakes"]}
        stakes = {stake[0]: stake for stake in facts["stakes"]}
        boxes = sorted({stake[2] for stake in facts["stakes"]})
        return {
            "wagers": [
                {
                    "box": box,
                    "wagers": [
                        {"id": ids[id_], "player": player[id_], "type": zone, "amount": dollars(amount),
                         "stage": "war" if "war" in (zone, stage) else "initial"}
                        for id_, _, where, zone, stage, amount, *_ in facts["stakes"] if where == box
                    ],
                }
                for box in boxes
            ],
            "cards": [face for face, _, _ in dealt],
            "to": [place for _, _, place in dealt],
            "decisions": [
                {"box": box, "player": next(player[s[0]] for s in facts["stakes"] if s[1:3] == [name, box]),
                 "choice": choice}
                for box, name, choice in facts["choices"]
            ],
            "events": [],
            "expected": [
                {"wager": ids[wager], "box": stakes[wager][2], "player": player[wager], "type": stakes[wager][3],
                 "result": result, "pays": dollars(pays), "stake_taken": dollars(taken),
                 "stake_returned": dollars(back)}
                for wager, result, pays, taken, back in facts["results"]
            ],
        }  # fmt: skip


def _player(stake: list[Any]) -> str:
    """Whoever holds several boxes here was allowed to; in a case every box has a player of its own."""
    return f"{stake[1]} at box {stake[2]}"
