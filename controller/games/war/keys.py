"""What people may do at a Casino War table: each key on the function that does it; ranks were checked before."""

from __future__ import annotations

from collections.abc import Iterator

from controller.core.desk import ACCEPT, Ask, Refusal
from controller.core.keys import CHIPS, PLAYERS, Keys
from controller.games.war import (
    betting,
    checking,
    chips,
    notices,
    players,
    reports,
    rounds,
    settling,
    several,
    shoe,
    spoken,
    voids,
)
from controller.games.war.asking import AMOUNT, PLAYER, TIED_BOX, WAGER, WAR_BOX
from controller.games.war.play import War
from controller.games.war.state import SECOND_DEAL
from controller.money.amounts import dollars
from controller.people import Person

PARTS = (betting, checking, chips, notices, players, reports, rounds, several, shoe, spoken, voids)
"""Parts of the game that declare keys of their own."""
KEYS: Keys[War] = Keys(*(part.KEYS for part in PARTS), while_suspended=True)
REPORTABLE_ABOVE = 100_000
"""A single wrong payment above $1,000 goes into the month's report (Star 11.21.2)."""


def _choices(game: War) -> Iterator[tuple[str, str]]:
    yield from (("war", "War"), ("surrender", "Surrender"), ("decline", "Says nothing"))


CHOICE = Ask("choice", "choice", "Choice", offered=_choices)
PAID = Ask("paid", "money", "Paid", least=0)
DUE = Ask("due", "money", "Should have been paid", least=0)
INTENDED = Ask("intended", "flag", "With intent", optional=True)
DISPUTED = Ask("text", "text", "What is disputed", optional=True)
DECISION = Ask("decision", "text", "Decision")


@KEYS.key("no_more_bets", "No more bets", power="no_more_bets", fires="close_bets")
def no_more_bets(game: War, by: Person) -> None:
    game.machine.fire("close_bets")


@KEYS.key(
    "settled",
    "Losers cleared, winners paid",
    power="settle",
    asks=ACCEPT,
    fires=("interim_settled", "final_settled", "chosen"),
    when=lambda game: not game.machine.can("chosen") or settling.halves_wait(game),
)
def settled(game: War, by: Person, *, confirmed: bool = False, reason: str = "") -> None:
    if game.state.round.choices and game.machine.can("chosen") and not settling.halves_wait(game):
        raise settling.not_yet(game)
    if game.money.may_end("settled", by, confirmed, reason):
        settling.settled(game)


@KEYS.key("choice", "War or surrender", power="enter_decision", asks=(TIED_BOX, PLAYER, CHOICE), fires="chosen")
def choice(game: War, by: Person, *, box: int, player: str, choice: str) -> None:
    main = game.state.round.tied_main(box, player)
    if main is None:
        raise Refusal("no_choice", f"{player} has no choice to make on box {box}.", game.rules.cites["offers"])
    if choice == "war" and not game.table.can_match(player, main.counted):
        text = f"{player} has no chips left for a war stake of {dollars(main.counted)}; surrender is what is open."
        raise Refusal("no_chips_for_war", text, game.rules.cites["war_stake"])
    if game.state.round.war_stake(main) is not None:
        raise Refusal("at_war", f"{player}'s war stake lies there already.", game.rules.cites["war_stake"])
    settling.choose(game, box, player, choice)
    if choice == "war":
        chips.take_war_chips(game, player)


@KEYS.key(
    "house_chips",
    "House chips laid",
    about=CHIPS,
    power="settle",
    asks=(WAR_BOX, AMOUNT),
    during=("choosing", *SECOND_DEAL, "ruling"),
    when=lambda game: game.config.war_method == "B",
)
def house_chips(game: War, by: Person, *, box: int, amount: int) -> None:
    """Method B: the house's own chips beside a war stake are no stake (7.4.4(a)(ii))."""
    if game.config.war_method != "B":
        raise Refusal("no_house_chips", "House chips are laid only under method B.", game.rules.cites["house_chips"])
    game.state.round.house_chips[str(box)] = game.state.round.house_chips.get(str(box), 0) + amount
    game.desk.note("house_chips", game.rules.cites["house_chips"], box=box, amount=amount)


@KEYS.key("mispaid", "Wrong payment", about=CHIPS, power="report", asks=(WAGER, PAID, DUE, INTENDED))
def mispaid(game: War, by: Person, *, wager: str, paid: int, due: int, intended: bool = False) -> None:
    """A wrong payment for the record, marked for the month's report where it is large (Star 11.19 to 11.21)."""
    if paid == due:
        text = f"{dollars(paid)} was paid and due, so nothing was paid wrongly; tell both amounts as they were."
        raise Refusal("paid_right", text, game.rules.cites["mispaid"])
    facts = {"wager": wager, "paid": paid, "due": due, "intended": intended}
    game.desk.note("mispaid", game.rules.cites["mispaid"], by=by.id, report=abs(paid - due) > REPORTABLE_ABOVE, **facts)


@KEYS.key("dispute", "Dispute: decide", about=PLAYERS, power="dispute", asks=(DISPUTED, DECISION))
def dispute(game: War, by: Person, *, decision: str, text: str = "") -> None:
    game.ruled("dispute", decision, by, game.rules.cites["dispute"])
    game.state.house.decided_by, game.state.house.decided_rank = by.id, by.rank
    game.desk.note("dispute", game.rules.cites["dispute"], text=text, told_of_inspector=True)


@KEYS.key(
    "review", "Dispute: review the decision", about=PLAYERS, power="review", asks=(DECISION,), only_where_known=True
)
def review(game: War, by: Person, *, decision: str) -> None:
    """A disputed decision is looked at again by somebody else of higher rank (Star 13.12)."""
    clauses = game.rules.cites["dispute"]
    if not game.state.house.decided_by:
        raise Refusal("no_decision", "There is no decision to review; decide the dispute first.", clauses)
    if game.state.house.decided_by == by.id:
        raise Refusal("same_person", f"{by.id} decided it; a review needs another person.", clauses)
    if by.rank <= game.state.house.decided_rank:
        decided = f"{game.state.house.decided_by} decided it as {game.desk.title(game.state.house.decided_rank)}"
        text = f"{decided}; a review needs somebody of higher rank."
        raise Refusal("rank_too_low", text, clauses)
    game.ruled("review", decision, by, clauses)
    game.desk.note("review", clauses, decided_by=game.state.house.decided_by, by=by.id, told_of_inspector=True)
    game.state.house.decided_by = ""
