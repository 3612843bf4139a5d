"""The layout over the antennas: every box has its zones, and every zone is an area of the mat."""

from __future__ import annotations

from controller.games.war.config import WarConfig, zones_of
from controller.games.war.rules import WarRules
from controller.money.float import name_beside

HOUSE = "house"
"""Where the dealer lays the house's own chips beside a war stake (Melbourne 7.4.4(a)(ii))."""


class Layout:
    """Area 1 is the first zone of box 1; areas rise zone by zone, then box by box."""

    def __init__(self, boxes: int, staked: tuple[str, ...], besides: tuple[str, ...] = ()) -> None:
        """`staked` are the zones that are staked on before the deal."""
        self.boxes = boxes
        self.staked = staked
        self.zones = zones = (*staked, *besides)
        places = [(box, zone) for box in range(1, boxes + 1) for zone in zones]
        self._places = dict(enumerate(places, start=1))
        self._areas = {place: area for area, place in self._places.items()}

    @property
    def areas(self) -> int:
        """How many areas there are, the float tray (area 0) included."""
        return 1 + len(self._places)

    def area(self, box: int, zone: str) -> int | None:
        """The area of a zone; None where the table has no such place."""
        return self._areas.get((box, zone))

    def place(self, area: int) -> tuple[int, str] | None:
        """Box and zone of an area; None for the float and whatever lies beyond the boxes."""
        return self._places.get(area)

    def name(self, area: int) -> str:
        """The area in the words of the table."""
        place = self.place(area)
        if place is None:
            return name_beside(area)
        return f"{place[1].replace('_', ' ')} of box {place[0]}"


def layout_of(rules: WarRules, config: WarConfig) -> Layout:
    """The zones this table has: those that are staked on before the deal, the war spot, and the house's."""
    house = (HOUSE,) if config.war_method == "B" else ()
    return Layout(config.boxes, zones_of(rules, config), ("war", *house))
