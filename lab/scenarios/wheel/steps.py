"""The steps of Big Wheel besides those of all games: the wheel under people's hands, and the dealer's chips."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from lab.scenarios.steps import AREA, Steps, steps_section
from lab.scenarios.wheel.words import REVOLUTIONS, SPIN, STRENGTHS
from lab.scenarios.words import SOME_MONEY, TEXT, Field, Section, Word, measured
from simulators.wheel import sensor_fault
from simulators.wheel_physics import TouchKind
from simulators.wheel_script import USUAL

if TYPE_CHECKING:
    from lab.scenarios.wheel.play import WheelTable

NOT_A_STEP = ("wagers", "events")
TURNS = tuple(field for field in SPIN.words[0].fields if field.name not in NOT_A_STEP)
NOW = {
    **STRENGTHS,
    "hold": "stops the wheel within 1.5 / `strength` compartments",
    "nudge": "gives the wheel `strength` compartments a second more",
    "crawl": "leads the wheel on over `strength` compartments and stops it",
}
"""What a hand does that comes now, wherever the wheel is."""
OWN = (
    Word("spin", "The wheel is spun: as a spin is told, or by a push of which comes what may.", (
        *TURNS, Field("speed", measured("turns a second"), "How fast a push lets it go, where nothing else is told."))),
    *(Word(kind, f"A hand on the turning wheel {what}; {USUAL[kind]:g} unless told.", (
        Field("strength", measured("its kind"), "How strong it is."),)) for kind, what in NOW.items()),
    Word("turned", "Time passes until the wheel has turned so far in this spin.", (
        Field("revolutions", REVOLUTIONS, "How far.", optional=False),)),
    Word("rest", "Time passes until the wheel rests and the table has judged the spin."),
    Word("on_line", "Somebody lays one chip across the line between two areas.", (
        AREA, Field("beside", TEXT, "The area on the other side of the line.", optional=False),
        Field("amount", SOME_MONEY, "What the chip is worth.", optional=False),
        Field("wager", TEXT, "The name that this chip goes by from then on.", optional=False))),
    Word("off_line", "Somebody takes that chip off its line and keeps it, or slides it onto an area.", (
        Field("wager", TEXT, "Which chip, by its name.", optional=False),
        Field("to", TEXT, "The area it is slid to; none where it is kept."))),
    Word("collect", "The dealer takes chips off an area into the float.", (
        AREA, Field("amount", SOME_MONEY, "How much; all of them unless told."))),
    Word("pay", "The dealer lays chips of the float on an area.", (
        AREA, Field("amount", SOME_MONEY, "How much.", optional=False))),
    Word("settle", "The dealer announces the result, takes and pays what is due with chips, and says so."),
)  # fmt: skip
STEPS = steps_section(OWN)


class WheelSteps(Steps):
    """Carries them out with the hands of a case's table."""

    section: ClassVar[Section] = STEPS
    table: WheelTable

    def __init__(self, table: WheelTable) -> None:
        super().__init__(table, table.areas)
        self._symbols = {area: symbol for symbol, area in table.areas.items()}

    # -- chips -------------------------------------------------------------------------------------------------

    def do_lay(self, said: dict[str, Any]) -> None:
        """The dealer says whose chips they are once they lie there."""
        area, player = self.area(said), said.get("player", "")
        before = set(self.table.felt.areas[area])
        super().do_lay({name: value for name, value in said.items() if name != "player"})
        tags = [tag for tag in self.table.felt.areas[area] if tag not in before]
        if "wager" in said:
            self.table.ids[(player, self._symbols[area])] = said["wager"]
        if player:
            seen = self.table.runtime.table.game.chip_picture
            self.table.until(lambda: set(tags) <= set(seen().get(area, [])))
            self.assign(area, said, tags)

    def do_on_line(self, said: dict[str, Any]) -> None:
        between = (self.area(said), self.area(said, "beside"))
        (self.named[said["wager"]],) = ([tag] for tag in self.table.felt.bank.pieces([said["amount"]]))
        self.table.devices.mat.put_on_edge(self.named[said["wager"]][0], between)

    def do_off_line(self, said: dict[str, Any]) -> None:
        if said["wager"] not in self.named:
            raise self.wrong(f"no chips were laid as {said['wager']!r}")
        tags = self.named[said["wager"]]
        self.table.devices.mat.remove(tags)
        if "to" in said:
            self.table.felt.lay(tags, self.area(said, "to"))

    def do_collect(self, said: dict[str, Any]) -> None:
        area = self.area(said)
        if not self.table.felt.areas[area]:
            raise self.wrong("no chips lie there")
        self.table.felt.collect(area, said.get("amount"))

    def do_pay(self, said: dict[str, Any]) -> None:
        if not self.table.felt.pay(said["amount"], self.area(said)):
            raise self.wrong(f"the float cannot make {said['amount'] / 100:g} dollars")

    def do_settle(self, said: dict[str, Any]) -> None:
        self.table.settle()

    # -- the wheel ---------------------------------------------------------------------------------------------

    def do_spin(self, said: dict[str, Any]) -> None:
        wheel = self.table.devices.wheel
        if wheel.moving:
            raise self.wrong("the wheel turns already; push it, or let it rest")
        if "speed" not in said:
            wheel.play(self.table.told.script(said, self.where), sensor_fault(said.get("sensor_fault")))
            return
        if beside := [name for name in said if name not in ("speed", "direction", "at")]:
            raise self.wrong(f"a push of this speed says nothing about {beside[0]!r}; give one or the other")
        wheel.spin(said["speed"], -1 if said.get("direction") == "anticlockwise" else 1)

    def _touch(self, kind: TouchKind, said: dict[str, Any]) -> None:
        wheel = self.table.devices.wheel
        if not wheel.moving:
            self.table.wrong(f"{self.where}: never came about: the wheel stands still")
            return
        strength = said.get("strength", USUAL[kind])
        if strength <= 0:
            raise self.wrong("strength is more than nothing")
        wheel.touch(kind, strength)

    def do_brake(self, said: dict[str, Any]) -> None:
        self._touch("brake", said)

    def do_rigged(self, said: dict[str, Any]) -> None:
        self._touch("rigged", said)

    def do_push(self, said: dict[str, Any]) -> None:
        self._touch("push", said)

    def do_hold(self, said: dict[str, Any]) -> None:
        self._touch("hold", said)

    def do_nudge(self, said: dict[str, Any]) -> None:
        self._touch("nudge", said)

    def do_crawl(self, said: dict[str, Any]) -> None:
        self._touch("crawl", said)

    def do_turned(self, said: dict[str, Any]) -> None:
        if not self.table.turn_to(said["revolutions"]):
            self.table.wrong(f"{self.where}: never came about: the wheel came to rest before")

    def do_rest(self, said: dict[str, Any]) -> None:
        self.table.rest()
