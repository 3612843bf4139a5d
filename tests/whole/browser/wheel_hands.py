"""What a dealer's and players' hands do at a Big Wheel table with its screens."""

from __future__ import annotations

from lab.pictures.browser import Page
from tests.whole.browser.stand import Stand, sign_in


async def open_table(at: Stand, page: Page) -> None:
    await page.goto(at.url + "dealer")
    await sign_in(page, "S1")
    await at.until(lambda: not at.runtime.table.state.faults)
    await page.touch("[data-key=open]")
    await at.until(lambda: at.runtime.table.state.life == "open")


async def bet_and_spin(at: Stand, page: Page, speed: float, player: str = "P1") -> None:
    """Open betting, lay chips on A and B, push the wheel, and close betting."""
    await page.touch("[data-key=place_bets]")
    await at.until(lambda: at.state == "betting_open")
    at.pull("place", area="A", dollars=25, player=player)
    at.pull("place", area="B", dollars=10, player="P2")
    await at.until(lambda: len(at.runtime.table.game.view()["wagers"]) == 2)
    await at.until(lambda: all(wager["owner"] for wager in at.runtime.table.game.view()["wagers"]))
    await page.until("document.querySelector('[data-symbol=A]').innerText.includes('$25')")
    at.pull("spin", speed=speed)
    await at.hold_when(lambda: at.state == "spin_open")
    await page.touch("[data-key=no_more_bets]")
    await at.until(lambda: at.state not in ("betting_open", "spin_open"))
    at.clock.resume()


async def settle(at: Stand, page: Page) -> None:
    """Announce, collect and pay as the screen says; then the players lift what is theirs."""
    await page.touch("[data-key=acknowledge]")
    await at.until(lambda: at.state in ("collect", "pay", "idle"))
    view = at.runtime.table.game.view
    results = view()["results"]
    for result in results:
        if result["stake_taken"]:
            at.pull("collect", area=result["bet"])
    await at.until(lambda: at.state in ("pay", "idle"))
    for result in results:
        if result["pays"]:
            at.pull("pay", area=result["bet"], dollars=result["pays"] / 100)
    if at.state == "pay":
        owed = {result["bet"]: result["pays"] + result["stake_returned"] for result in results if result["pays"]}
        await at.until(lambda: {bet: view()["areas"].get(bet) for bet in owed} == owed)
        await page.touch("[data-key=paid]")
    await at.until(lambda: at.state == "idle")
    for symbol in ("A", "B"):
        if view()["areas"].get(symbol):
            at.pull("clear", area=symbol)
    await at.until(lambda: not view()["areas"])
    await page.until("!document.querySelector('.layout').innerText.includes('$')")


async def answer_until_result(at: Stand, page: Page) -> None:
    """Answer whatever the table asks with what it proposes, until a result stands."""
    while at.state != "result":
        await at.until(lambda: at.state in ("ruling", "result"))
        if at.state == "ruling":
            await page.touch(".prompt .proposed")
            await page.touch("[data-staff=S2]")
            await at.until(lambda: at.state != "ruling")
