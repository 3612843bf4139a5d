"""Where one round ends and the next begins: the record, the cards gathered, the call for bets."""

from __future__ import annotations

from controller.core.desk import ACCEPT, Refusal
from controller.core.keys import Keys
from controller.games.war import booking, shoe
from controller.games.war.cards import RANK
from controller.games.war.play import War
from controller.games.war.state import NEXT_ROUND, Round, parked
from controller.people import Person

KEYS: Keys[War] = Keys()


@KEYS.key("place_bets", "Place your bets", power="open_table", asks=ACCEPT, fires=("next_round", "reopen_bets"))
def place_bets(game: War, by: Person, *, confirmed: bool = False, reason: str = "") -> None:
    """The next round, unless the cards need something first; or betting again, when the call found nothing staked."""
    if game.machine.can("reopen_bets"):
        if any(stake.dealt for stake in game.state.round.stakes):
            raise Refusal("bets_lie", "Stakes lie there; deal the round.", game.rules.cites["no_more_bets"])
        game.machine.fire("reopen_bets")
        return
    if game.state.supply.source == "csm":
        shoe.refuse_set_aside(game)
    if game.money.may_end("place_bets", by, confirmed, reason):
        game.machine.fire("next_round")


def cards_blocked(game: War) -> bool:
    return game.state.supply.blocked is not None and bool(game.state.supply.blocked.needs)


def cards_cleared(game: War) -> bool:
    """All was recorded before the cards of the round were gathered."""
    return game.state.supply.blocked is not None and not game.state.supply.blocked.needs


def shuffle_is_due(game: War) -> bool:
    return bool(game.state.shoe.shuffle_due)


def clear_layout(game: War) -> None:
    """Nothing of the round that is over lies there any more."""
    game.money.round_over()
    game.state.shoe.last = game.state.round.drawn[-1] if game.state.round.drawn else game.state.shoe.last
    game.state.round = Round()
    game.state.felt.slid.begin(game.desk.at)


def shuffle_first(game: War) -> None:
    """The cards need a shuffle before anybody stakes on them."""
    text = "Shuffle before the next round."
    game.desk.announce("dealer", "shuffle", text, tuple(game.state.shoe.shuffle_due))


def say_what_blocks(game: War) -> None:
    """No round from these cards until all is recorded."""
    assert game.state.supply.blocked is not None  # nothing else keeps a round from beginning
    text = f"{game.state.supply.blocked.why} Still needed: {', '.join(game.state.supply.blocked.needs)}."
    game.desk.announce("dealer", "blocked", text, game.rules.remedies["wrong_deck"].clauses)


def bets_open(game: War, *shuffle: object) -> None:
    game.state.round.closed_at, game.state.round.limits = 0, None
    game.desk.announce("all", "place_bets", "Place your bets.", game.rules.cites["bets_open"])


# -- the end -------------------------------------------------------------------------------------------------------


def end_settled(game: War) -> None:
    _end(game, True)


def end_void(game: War, *void: object) -> None:
    _end(game, False)


def _end(game: War, valid: bool) -> None:
    """The round is over: keep everything about it for the record."""
    state = game.state
    if game.table.state.desk.prompts:
        game.withdraw_questions()
        game.desk.withdraw("cut")
    booking.house_chips_go_back(game)
    lying = state.round.card_places()
    game.desk.note(
        "round",
        game.rules.cites["round_over"],
        round=game.table.state.round,
        valid=valid,
        cards=[card.face for card in state.round.drawn],
        read=[card.read for card in state.round.drawn],
        to=lying,
        stakes=[[s.id, s.player, s.box, s.zone, s.stage, s.amount, s.counted, s.status] for s in state.round.stakes],
        choices=[[c.box, c.player, c.choice] for c in state.round.choices],
        results=[
            [b.result.wager, b.result.result, b.result.pays, b.result.stake_taken, b.result.stake_returned]
            for b in state.round.booked.values()
        ],
        rulings=[[r.what, r.answer, r.by, list(r.clauses)] for r in state.round.rulings],
    )
    state.round.slots = state.round.slots[: state.round.filled()]  # whatever comes now is surplus
    state.shoe.carried = [
        parked(card) for card, place in zip(state.round.drawn, lying, strict=True) if place == NEXT_ROUND
    ]
    _collect(game)
    if state.supply.source != game.config.source and not game.source_place:  # finished without a reader (Star 12.5.4)
        state.supply.source, state.shoe.shuffle_due = game.config.source, list(game.rules.cites["shuffle_before"])
    state.round.number = game.table.state.round
    game.table.round_over(notice=valid)  # a void round is over too: the next one has the next number


def _collect(game: War) -> None:
    """The round's cards go to the discards, or into the shuffler's tray; idle players are counted."""
    state = game.state
    if state.supply.source == "csm":
        gone = [
            card.face
            for card, place in zip(state.round.drawn, state.round.places(), strict=True)
            if place != "next-round"
        ]
        state.shoe.rack += [face for face in gone if face in RANK]
        if game.rules.cards.feed == "at_once":
            state.shoe.cards.fed(state.shoe.rack)
            state.shoe.rack = []
    _count_idle(game)


def _count_idle(game: War) -> None:
    state, notices = game.state, game.rules.notices
    staked = {stake.player for stake in state.round.stakes}
    full = len({*state.players.at_box, *(box for box, _ in state.players.seats)}) >= game.config.boxes
    for player in state.players.arrivals:
        state.players.idle[player] = 0 if player in staked else state.players.idle.get(player, 0) + 1
        idle = state.players.idle[player] >= notices.idle_rounds and (full or not notices.idle_needs_full_table)
        if idle and game.table.announces_idle_seats():
            text = f"{player} has not staked for {state.players.idle[player]} rounds and may be asked for the seat."
            game.desk.announce("dealer", "idle_seat", text, (notices.idle_clause,))


def feed_if_due(game: War) -> None:
    """The first deal is done: the discards go back into the device (Star 7.2)."""
    state = game.state
    if state.supply.source == "csm" and state.shoe.rack and game.rules.cards.feed == "after_first_deal":
        if state.shoe.feed_due:
            game.rule("feed", "missed last time, due now", game.rules.cites["feed"])
        state.shoe.feed_due = True
        game.desk.announce("dealer", "feed", "Feed the discards into the device.", game.rules.cites["feed"])


@KEYS.key(
    "fed",
    "Discards fed in",
    power="record_shuffle",
    when=lambda game: game.state.supply.source == "csm",
    while_suspended=True,
)
def fed(game: War, by: Person) -> None:
    state = game.state
    if state.supply.source != "csm":
        raise Refusal("no_shuffler", "There is no shuffler to feed.", game.rules.cites["feed"])
    state.shoe.cards.fed(state.shoe.rack)
    state.shoe.rack = []
    state.shoe.feed_due = False
    game.desk.note("fed", game.rules.cites["feed"], by=by.id)
