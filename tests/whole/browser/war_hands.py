"""What a dealer's and players' hands do at a Casino War table with its screens."""

from __future__ import annotations

from typing import Any

from lab.pictures.browser import Page
from tests.whole.browser.stand import Stand, sent_as_new, sign_in


def view(at: Stand) -> dict[str, Any]:
    return at.runtime.table.game.view()


async def open_table(at: Stand, page: Page) -> None:
    """From a closed table to the first bets: cards checked, shuffled, cut and burned."""
    await page.goto(at.url + "dealer")
    await sign_in(page, "S1")
    await at.until(lambda: not at.runtime.table.state.faults)
    await page.touch("[data-key=open]")
    await page.touch("[data-key=check_cards]")
    await at.until(lambda: at.state == "unshuffled")
    for box in ("1", "2"):
        await page.touch("[data-key=sit]")
        await page.touch(f"[data-choice='{box}']")
        await page.touch(f".choices.small .key:nth-child({box})")
        await page.touch(".sheet .go")
        await at.until(lambda: len(view(at)["at_box"]) == int(box))  # noqa: B023
    at.pull("load")
    await at.until(lambda: not at.runtime.table.state.faults)
    await page.touch("[data-key=shuffled]")
    await page.touch(".prompt[data-subject=cut] .proposed")
    await deal(at, "betting")


async def deal(at: Stand, until: str) -> None:
    """Pull cards, each once the gate lets it out."""
    while at.state != until:
        drawn = len(view(at)["cards"])
        await at.until(lambda: at.state == until or not at.levers.source.locked)  # type: ignore[attr-defined]
        if at.state != until:
            at.pull("draw")
            await at.until(lambda: len(view(at)["cards"]) > drawn or at.state == until)  # noqa: B023


async def bet(at: Stand, page: Page, faces: list[str]) -> None:
    """Two boxes are staked, betting is closed on the screen, and these cards are dealt."""
    for box in (1, 2):
        at.pull("place", area=f"box {box} main", dollars=20, player="")
    await at.until(lambda: len(view(at)["stakes"]) == 2)
    await page.until("document.querySelector('[data-box=\"2\"]').innerText.includes('$20')")
    await page.touch("[data-key=no_more_bets]")
    await at.until(lambda: at.state == "closed")
    await give(at, faces, "interim")


async def give(at: Stand, faces: list[str], until: str) -> None:
    """Deal with these cards coming in this order."""
    for face in faces:
        drawn = len(view(at)["cards"])
        at.pull("swap", face=face)
        await at.until(lambda: not at.levers.source.locked)  # type: ignore[attr-defined]
        at.pull("draw")
        await at.until(lambda: len(view(at)["cards"]) > drawn)  # noqa: B023
    await at.until(lambda: at.state == until)


async def take_and_pay(at: Stand, page: Page) -> None:
    """Move the chips as the screen says, and say so."""
    for due in [one for one in view(at)["results"] if not one["done"]]:
        zone, _, box = due["bet"].rpartition(" ")
        area = f"box {box} {zone}"
        if due["stake_taken"]:
            at.pull("collect", area=area, dollars=due["stake_taken"] / 100)
        if due["pays"]:
            at.pull("pay", area=area, dollars=due["pays"] / 100)
    await at.until(lambda: not at.runtime.table.money.findings())
    before = at.state
    await page.touch("[data-key=settled]")
    await at.until(lambda: at.state != before)


async def next_round(at: Stand, page: Page) -> None:
    """Players lift what is theirs, and the dealer calls for bets."""
    for box in (1, 2):
        for zone in ("main", "war"):
            if at.levers.felt.areas[at.levers.areas[f"box {box} {zone}"]]:  # type: ignore[attr-defined]
                at.pull("clear", area=f"box {box} {zone}")
    await at.until(lambda: not at.runtime.table.game.chip_picture())
    await page.touch("[data-key=place_bets]")
    await at.until(lambda: at.state == "betting")


async def more(page: Page, key: str) -> None:
    """Look a key up among all of them."""
    await page.touch("[data-key=more]")
    await page.touch(f"[data-pick={key}]")


async def go_on(page: Page) -> None:
    """Send what was filled in; somebody of rank signs where it is needed."""
    await sent_as_new(page)
    await page.until("!document.querySelector('.sheet')")
