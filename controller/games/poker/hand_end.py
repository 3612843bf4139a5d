"""The end of a hand: hands tabled or given up, pots shared, commission taken, chips pushed and dropped."""

from __future__ import annotations

from controller.games.poker.betting import Player
from controller.games.poker.commission import collect, everybody_tied, only_blinds
from controller.games.poker.evaluate import describe
from controller.games.poker.flop_chase import settle_side_wagers
from controller.games.poker.inputs import AskToSee, Dropped, Muck, Pushed, Table
from controller.games.poker.outputs import Award, Finished, Output, RakeSetAside, Recorded, Returned, SideSettled
from controller.games.poker.pots import Share, make_pots, uncalled
from controller.games.poker.remedies import Facts
from controller.games.poker.round import WHILE
from controller.games.poker.showdown import (
    asked_hand_is_live,
    odd_chip_order,
    read_hand,
    share_pots,
    tied_seats,
)
from controller.games.poker.state import Hand, Refusal, index_of, move, one_left, propose, side_house

MAY_LIE_OPEN = (
    "bet1", "discard1", "flop", "side_flop", "bet2", "discard2", "turn", "bet3", "river", "bet4", "showdown",
)  # fmt: skip
"""Where a player may lay cards open: they are played (9.6), and read at the showdown (8.7)."""
UNCONTESTED = {1: "8.17.3(a)", 2: "8.18.3(a)", 3: "8.19.3(a)", 4: "8.20.3(a)"}


def return_uncalled(hand: Hand, out: list[Output]) -> None:
    """Give back what nobody matched before pots and commission are reckoned (7.5, 1.1 'Pot')."""
    betting = hand.betting
    index, amount = uncalled(betting.players)
    if amount:
        player = betting.players[index]
        player.stack += amount
        player.in_hand -= amount
        player.all_in = 0
        if player.in_round >= amount:
            player.in_round -= amount
        else:
            betting.kept -= amount - player.in_round
            player.in_round = 0
        out.append(Returned(player.seat, amount, "7.5"))


def enter_showdown(hand: Hand, out: list[Output]) -> None:
    """Fix the pots and read what lies open already; from here hands are tabled or given up."""
    hand.pots = make_pots(hand.betting.players)
    early = [player for player in hand.betting.players if player.live and player.shown]
    for player in early:
        if not _read(hand, player, out):
            return
    if early:
        read_when_done(hand, out)


def table_hand(hand: Hand, given: Table, out: list[Output]) -> None:
    """A hand lies open: read it, whatever anybody says (8.7); before the board is complete it plays on (9.6)."""
    if hand.phase not in MAY_LIE_OPEN:
        raise Refusal("8.7", f"no hand can be shown while {WHILE[hand.phase]}")
    player = hand.betting.players[index_of(hand, given.seat)]
    if not player.live or player.shown:
        raise Refusal("8.7", f"seat {given.seat} has no hand left to show")
    if len(given.cards) != len(player.cards):
        raise Refusal("8.7", f"seat {given.seat} holds {len(player.cards)} cards: all of them must lie open")
    player.shown = list(given.cards)
    if hand.phase != "showdown":
        out.append(Recorded("hand shown before the showdown, plays on", "9.6", given.seat))
    elif _read(hand, player, out):
        read_when_done(hand, out)


def _read(hand: Hand, player: Player, out: list[Output]) -> bool:
    """Read a hand that lies open; False where a person has to decide first."""
    game = hand.terms.game
    shown, player.shown = player.shown, []
    if len(shown) != game.kept:
        propose(hand, "wrong_count", Facts(seat=player.seat, seat_acted=True, substantial=True), out)
        return False
    lying = [*hand.board, *(card for other in hand.betting.players for card in other.shown)]
    if twice := [card for card in shown if card in lying]:
        propose(hand, "defective_deck", Facts(shown=(twice[0],), seat=player.seat), out)
        return False
    player.shown = shown
    hand.hands.append(read_hand(player.seat, shown, hand.board, game))
    return True


def give_up(hand: Hand, given: Muck, out: list[Output]) -> None:
    """A hand is given up unseen; only tabled hands win (8.7, 8.20.4)."""
    if hand.phase != "showdown":
        raise Refusal("8.2.3", "outside the showdown a hand is given up by folding in turn")
    player = hand.betting.players[index_of(hand, given.seat)]
    if not player.live or any(read.seat == given.seat for read in hand.hands):
        raise Refusal("8.20.4", f"seat {given.seat} has shown its hand or holds none")
    player.live = False
    player.out = "mucked"
    hand.given_up.append(given.seat)
    out.append(Recorded("given up at the showdown", "8.20.4", given.seat))
    read_when_done(hand, out)


def read_when_done(hand: Hand, out: list[Output]) -> None:
    """Go on to the award once every live hand is shown, or only one is left."""
    read = {tabled.seat for tabled in hand.hands}
    if all(player.seat in read for player in hand.betting.players if player.live):
        move(hand, "hands_read", out)
    elif one_left(hand):
        move(hand, "left_alone", out)


def ask_to_see(hand: Hand, given: AskToSee, out: list[Output]) -> None:
    """A discarded called hand is asked for: live if the asker is winning, dead otherwise (9.5)."""
    if hand.phase not in ("showdown", "award"):
        raise Refusal("9.5", "a discarded hand can be asked for at the showdown, before the pots are pushed")
    player = hand.betting.players[index_of(hand, given.seat)]
    if given.seat not in hand.given_up:
        raise Refusal("9.5", f"seat {given.seat} did not give up a hand in the last called round")
    if player.out == "dead":
        raise Refusal("9.5", f"the hand of seat {given.seat} was touched to the muck: it is dead, whoever asks now")
    if not asked_hand_is_live(given.asker, hand.hands):
        player.out = "dead"
        out.append(Recorded("hand touched to the muck and shown, dead", "9.5", given.seat))
        return
    player.live = True
    player.out = ""
    hand.given_up.remove(given.seat)
    out.append(Recorded("hand shown live at the winner's request", "9.5", given.seat))
    if hand.phase == "award":
        move(hand, "hand_asked", out)


def enter_award(hand: Hand, out: list[Output]) -> None:
    """Work out commission and who gets what; the chips move when the dealer pushes them."""
    players = hand.betting.players
    live = [player.seat for player in players if player.live]
    shown_down = bool(hand.pots)
    hand.pots = make_pots(players, hand.given_up)
    pots = [pot.amount for pot in hand.pots]
    structure = hand.terms.structure
    tied = bool(hand.hands) and everybody_tied(players, tied_seats(hand.hands))
    blinds = only_blinds(players)
    if hand.betting.round == 1:  # a raise that nobody called leaves its own matching chips behind (P-A14)
        blinds = only_blinds(players, *live)
    taken = collect(
        hand.terms.commission, pots, structure.chip, dealt_in=len(players), blinds_only=blinds, all_tied=tied
    )
    if taken.total != hand.rake:
        out.append(RakeSetAside(taken.total - hand.rake, taken.total, taken.clause))
        hand.rake = taken.total
    hand.rake_by_pot = list(taken.by_pot)
    net = [amount - part for amount, part in zip(pots, taken.by_pot, strict=True)]
    if not shown_down:
        clause = UNCONTESTED[hand.betting.round]
        (winner,) = live
        hand.awards = [Share(number, winner, amount, "whole", clause) for number, amount in enumerate(net)]
    else:
        order = odd_chip_order(players, button=hand.button_in_use)
        hand.awards = share_pots(
            hand.pots,
            net,
            hand.hands,
            [*hand.given_up, *live],  # whoever is alone by now wins without showing
            hand.terms.game,
            structure.chip,
            order,
            button=hand.button_in_use,
        )
    words = {read.seat: describe(read.high) for read in hand.hands}
    for share in hand.awards:
        hand_words = words.get(share.seat, "") if share.side != "low" else "low"
        out.append(Award(share.pot, share.seat, share.amount, share.side, share.clause, hand_words))


def push(hand: Hand, given: Pushed, out: list[Output]) -> None:
    """The pots reach their winners."""
    if hand.phase != "award":
        raise Refusal("1.1 'Round of Play'", "there is no decided pot to push")
    move(hand, "pots_pushed", out)


def pay_winners(hand: Hand) -> None:
    """What was wagered is gone, and every winner has what was awarded."""
    won: dict[int, int] = {}
    for share in hand.awards:
        won[share.seat] = won.get(share.seat, 0) + share.amount
    for player in hand.betting.players:
        player.in_hand = 0
        player.stack += won.get(player.seat, 0)


def drop(hand: Hand, given: Dropped, out: list[Output]) -> None:
    """The commission is gone and the hand is over; side winnings join the stacks now (6.11.1(b))."""
    if hand.phase != "drop":
        raise Refusal("7.2.1(b)", "the commission is dropped after the pots are pushed")
    move(hand, "dropped", out)


def close(hand: Hand, out: list[Output]) -> None:
    """Pay side wagers into the stacks and report the hand."""
    won: dict[int, int] = {}
    for result in hand.side_results:
        if result.won:  # with both colours allowed, a seat may have two
            won[result.seat] = won.get(result.seat, 0) + result.amount + result.won
    for player in hand.betting.players:
        player.stack += won.get(player.seat, 0)
    stacks = {player.seat: player.stack for player in hand.betting.players}
    out.append(Finished(stacks, hand.rake, hand.fees, side_house(hand)))


def settle_side(hand: Hand, out: list[Output]) -> None:
    """Settle the side wagers on the flop that stands (10.2.1, 9.16)."""
    if not hand.side_results:
        hand.side_results = settle_side_wagers(hand.side, hand.board[:3], hand.terms.side_odds)
        for result in hand.side_results:
            out.append(SideSettled(result.seat, result.colour, result.amount, result.won, result.clause))


def unsettle_side(hand: Hand, clause: str, out: list[Output]) -> None:
    """The flop is dealt again: side wagers wait for the one that stands (9.16)."""
    for result in hand.side_results:
        out.append(Recorded("side wager waits for the corrected flop", clause, result.seat, result.amount))
    hand.side_results = []


def refund_all(hand: Hand, clause: str, out: list[Output]) -> None:
    """Everybody gets back what they put in, folded hands too, and the commission is reversed (13.6, P-A37)."""
    for player in hand.betting.players:
        if player.in_hand:
            out.append(Returned(player.seat, player.in_hand, clause))
        player.stack += player.in_hand
        player.in_hand = player.in_round = player.posted = player.all_in = 0
    if hand.rake:
        out.append(RakeSetAside(-hand.rake, 0, clause))
    hand.rake = 0
    hand.pots, hand.awards, hand.rake_by_pot = [], [], []
    hand.betting.kept = 0


def refund_side(hand: Hand, clause: str, out: list[Output]) -> None:
    """Side wagers go back to their owners, and a result they had is void (13.6)."""
    for wager in hand.side:
        hand.betting.players[index_of(hand, wager.seat)].stack += wager.amount
        out.append(Returned(wager.seat, wager.amount, clause))
    hand.side, hand.side_results = [], []
