"""The layout of Big Wheel: whose chips lie where, what differs from the picture at the close."""

from __future__ import annotations

from controller.core.events import Chip
from controller.games.wheel.layout import Laid, LateChange, late_changes, wagers_of
from controller.games.wheel.settle import Wager
from tests.controller.games.wheel.play import clause

# -- the layout -------------------------------------------------------------------------------------------------------


def lies(tag: int, area: int, cents: int = 500, owner: str = "", kind: str = "cash") -> Laid:
    return Laid(Chip(tag, kind, cents), area, owner)


@clause("3.4", "4.2.2", "3.1.1")
def test_wagers_are_summed_for_each_owner_and_symbol_from_chips_that_count() -> None:
    picture = {
        1: lies(1, 2, 500, "Ann"), 2: lies(2, 2, 700, "Ann"), 3: lies(3, 1, 100, "Bob"), 4: lies(4, 2, 900, "Bob"),
        5: lies(5, 1, 100, kind="token"), 6: lies(6, 1, 0, "Zed", "colour"), 7: lies(7, 9, 100),
        8: lies(8, 1, 300, kind="colour"),
    }  # fmt: skip
    assert wagers_of(picture, {1: "A", 2: "B"}) == (
        Wager("", "A", 300),
        Wager("Bob", "A", 100),
        Wager("Ann", "B", 1200),
        Wager("Bob", "B", 900),
    )


@clause("3.2", "3.3")
def test_every_difference_from_the_picture_at_the_close_is_named() -> None:
    frozen = {1: lies(1, 1, 500, "Ann"), 2: lies(2, 1, 700, "Bob"), 3: lies(3, 2, 900, "Cyd"), 4: lies(4, 2, 100)}
    live = {1: lies(1, 1, 500, "Ann"), 2: lies(2, 3, 700, "Bob"), 5: lies(5, 1, 500, "Dot"), 6: lies(6, 2, 900, "Eve")}
    assert late_changes(frozen, live, 40) == (
        LateChange("moved", 2, 700, "Bob", 1, 3, 40),
        LateChange("removed", 4, 100, "", 2, -1, 40),
        LateChange("added", 5, 500, "Dot", -1, 1, 40),
        LateChange("swapped", 6, 900, "Cyd", 2, 2, 40, 3),
    )
    two = {7: lies(7, 2, 900, "Eve"), 8: lies(8, 2, 900, "Eve")}
    swaps = late_changes({3: lies(3, 2, 900, "Cyd")}, two, 40)
    assert [(one.kind, one.tag, one.instead) for one in swaps] == [("added", 8, 0), ("swapped", 7, 3)]
    assert late_changes(frozen, frozen, 40) == ()


@clause("3.2", "3.3")
def test_only_a_chip_that_came_for_one_that_went_is_a_swap() -> None:
    def kinds(frozen: dict[int, Laid], live: dict[int, Laid]) -> list[tuple[str, int, int, str]]:
        return [(one.kind, one.tag, one.instead, one.owner) for one in late_changes(frozen, live, 40)]

    slid = kinds({1: lies(1, 1, 500, "Ann")}, {1: lies(1, 2, 500, "Zed"), 2: lies(2, 1, 500)})
    assert slid == [("moved", 1, 0, "Ann"), ("added", 2, 0, "")]
    came = kinds({1: lies(1, 1, 500, "Ann"), 2: lies(2, 2, 500, "Bob")}, {1: lies(1, 2, 500, "Ann")})
    assert came == [("moved", 1, 0, "Ann"), ("removed", 2, 0, "Bob")]
    both = kinds({3: lies(3, 1, 500, "Ann"), 4: lies(4, 1, 500, "Bob")}, {7: lies(7, 1, 500)})
    assert both == [("removed", 4, 0, "Bob"), ("swapped", 7, 3, "Ann")]
