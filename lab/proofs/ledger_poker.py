"""Three gaming days at a poker table: commission of every method, side wagers, players who buy in and leave."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import msgspec

from controller.config.tomlread import Cents
from controller.config.types import ChipsSection, TableConfig
from controller.core.runtime import Runtime
from controller.games.poker.config import PokerSection, RakeSection
from controller.games.poker.game import PokerGame
from controller.games.poker.layout import Layout
from lab.proofs.ledger_days import CHIEF, DEALER, MANAGER, Acts, House

METHODS: tuple[dict[str, Any], ...] = (
    {"method": "time", "fee": 500},
    {"method": "per_person", "fee": 250},
    {"method": "percentage", "percent": 5, "cap": 1_000},
    {"method": "per_hand", "fees": {"2": 300, "4": 500}},
)
"""How commission is taken, one method after the other."""
SPARE = 120
"""Chips of one value that a tray holds well."""
RUNNER_CENTS = 20_000
"""What a chip runner brings."""


class PokerHouse(House):
    """A poker table with a watched float, from which side wagers are paid and chips are sold."""

    stands_alone = False
    _method = -1

    @property
    def slide(self) -> int | None:
        return Layout(self.config.seats.count).drop

    def set_up(self, base: TableConfig) -> TableConfig:
        rake = RakeSection("percentage", 5, Cents(1_000), stand_alone=self.stands_alone)
        play = msgspec.structs.replace(base.own(PokerSection), side_wagers=True, rake=rake)
        limits = msgspec.structs.replace(base.limits, smallest_chip=Cents(100))
        return msgspec.structs.replace(base, play=play, limits=limits, chips=ChipsSection(float_tray=True))

    def stretches(self) -> tuple[Acts, Acts, Acts]:
        morning, night, late = super().stretches()
        return (
            (*morning, self.chip_runner, self.change_commission),
            (self.collect_time, *night, self.leaves),
            (self.change_commission, *late, self.chip_runner),
        )

    def at_any_time(self) -> Acts:
        return (*super().at_any_time(), self.chip_runner, self.leaves, self.change_commission, self.collect_time)

    # -- what is seen of the table ---------------------------------------------------------------------------------

    @property
    def poker(self) -> PokerGame:
        return cast(PokerGame, self.runtime.table.game)

    def quiet(self) -> None:
        """Between two hands, with everything gathered."""
        self._until(lambda: self._is_quiet(self.runtime))

    def _is_quiet(self, runtime: Runtime) -> bool:
        lying = any(self.devices.mat.lying(area) for area in range(1, Layout(self.config.seats.count).areas))
        return self.state == "between_hands" and not lying and not runtime.table.money.state.tray.unexplained

    def _with_slip(self, key: str, args: Any) -> Any:
        """Chips that come to a seat have a slip of the cage, or of the sale."""
        if key in ("sit", "add_chips"):
            self.ledger.wrote("brought", args["amount"])
        return super()._with_slip(key, args)

    # -- what people do --------------------------------------------------------------------------------------------

    def sell(self) -> None:
        """A player buys chips out of the float, and has them in front."""
        super().sell()
        self._to_seat(10_000)

    def sell_wrongly(self) -> None:
        super().sell_wrongly()
        self._to_seat(5_000)

    def chip_runner(self) -> None:
        """Chips come from the cage: a lammer lies there until they do."""
        self.press("lammer", DEALER, seat=2, amount=RUNNER_CENTS)
        self._to_seat(RUNNER_CENTS, 2)

    def _to_seat(self, cents: int, seat: int = 1) -> None:
        self.quiet()
        self.press("add_chips", DEALER, seat=seat, amount=cents)

    def leaves(self) -> None:
        """A player goes, with everything in front; somebody else sits down."""
        self.ledger.wrote("carried off", self.people.screen.stacks()[3])
        self.press("leave", DEALER, seat=3)

    def change_commission(self) -> None:
        self._method = (self._method + 1) % len(METHODS)
        self.press("change_commission", MANAGER, **METHODS[self._method])

    def collect_time(self) -> None:
        """The hourly charge, where it is due: every player pays, somebody checks it, and it is dropped."""
        fee = self.poker.state.terms.commission.fee
        if not self.poker.state.charge_due or self.poker.state.terms.commission.method != "time":
            return
        paying = sum(stack >= fee for stack in self.people.screen.stacks().values())
        self.press("collect_time", DEALER)
        tags = self.people.felt.put(fee * paying, self.slide)
        self.press("check_time_charge", CHIEF)
        self._empty_slide(tags)

    def _empty_slide(self, tags: list[int]) -> None:
        """What was collected goes into the chip box."""
        self.people.felt.take(tags, self.slide)


class StandAlone(PokerHouse):
    """A poker table that stands alone: its dealer lays the commission into the float, before the key or after it."""

    stands_alone = True

    def _with_slip(self, key: str, args: Any) -> Any:
        if key == "dropped" and self.draw.random() < 0.5:
            self._join_float()
        elif key == "dropped":
            self.clock.call_later(0.2, self._join_float)
        return super()._with_slip(key, args)

    def _empty_slide(self, tags: list[int]) -> None:
        self._join_float()

    def _do(self, act: Callable[[], None]) -> None:
        """The cage takes small chips back before there are more than a tray holds."""
        self.quiet()
        tray = self.bank.tray
        if spare := [tag for value in tray for tag in tray[value][SPARE:]]:
            self.bank.tray = {value: tags[:SPARE] for value, tags in tray.items()}
            self.devices.mat.remove(spare)
            self.bank.take_back(spare)
            self.press("credit", CHIEF, cents=self.bank.worth(spare))
        super()._do(act)

    def _join_float(self) -> None:
        felt = self.people.felt
        felt.sweep(list(felt.areas[self.slide]), self.slide)
