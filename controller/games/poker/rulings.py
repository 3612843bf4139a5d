"""Rulings: a person decides, the dealer carries the remedy out step by step, and the hand goes on."""

from __future__ import annotations

from controller.games.poker.betting import call, wager_void
from controller.games.poker.board import add_to_board, back_into_stub, street_cards, take_from_board
from controller.games.poker.hand_end import refund_all, refund_side, return_uncalled, unsettle_side
from controller.games.poker.inputs import Cancel, Irregular, Rule, StepDone
from controller.games.poker.outputs import Acted, Instruct, Output, Prompt, RakeSetAside, Recorded, Returned
from controller.games.poker.play import acted, hand_is_out
from controller.games.poker.remedies import AREA_MANAGER, DEALER, HIGHER_DUTIES, Facts, Remedy, remedy
from controller.games.poker.round import BETWEEN, BOARD_TARGET, ROUND_OF, WHILE
from controller.games.poker.state import Hand, OpenRuling, Refusal, choices, index_of, move, one_left, propose

_AFTER_DEAL = ("bet1", "discard1", "flop", "side_flop", "bet2", "discard2", "turn", "bet3", "river", "bet4", "showdown")
_OPEN_BOARD = ("bet2", "bet3", "bet4")
REPORTED: dict[str, tuple[str, ...]] = {
    "exposed_in_cut": ("posting", "shuffling", "dealing", *_AFTER_DEAL),
    "not_shuffled": ("dealing", *_AFTER_DEAL),
    "out_of_order": _AFTER_DEAL,
    "dealt_out": _AFTER_DEAL,
    "extra_hand": _AFTER_DEAL,
    "wrong_count": _AFTER_DEAL,
    "survivor_wrong_count": ("award",),
    "defective_deck": ("shuffling", "dealing", *_AFTER_DEAL, "award"),
    "no_burn": _OPEN_BOARD,
    "too_many_flop": ("bet2",),
    "extra_flop_face_down": ("flop", "side_flop"),
    "kept_three": ("bet2", "bet3"),
    "player_exposed": ("dealing", *_AFTER_DEAL),
    "exchanged_cards": _AFTER_DEAL,
    "contravention": _AFTER_DEAL,
}
"""What a person may report and when; everything else the hand notices by itself from the cards."""
_HAND_OUT = ("hand_dead", "hand_void_refunded")
ABOUT_A_SEAT = ("wrong_count", "survivor_wrong_count", "kept_three", "exchanged_cards", "contravention")


def irregular(hand: Hand, given: Irregular, out: list[Output]) -> None:
    """Somebody noticed something: gather what is known and propose what the rules say."""
    what = given.what
    if hand.phase in ("drop", BETWEEN):
        raise Refusal("9.1.1(h)", "the pot has been pushed: the result stands")
    if hand.phase not in REPORTED.get(what, ()):
        raise Refusal("9.1.1", f"“{what.replace('_', ' ')}” cannot be reported while {WHILE[hand.phase]}")
    if hand.phase == "posting" and not hand.cut:
        raise Refusal("9.1.1", "the deck has not been cut for this hand")
    on_board = what in ("no_burn", "too_many_flop", "kept_three")
    street, shown = street_cards(hand) if on_board else ("", given.cards)
    actors = (hand.street_actors if on_board else hand.actors).bit_count()
    seat_acted = what in ABOUT_A_SEAT and _check_seat(hand, given)
    facts = Facts(
        street,
        shown,
        given.cards,
        burned=what != "no_burn",
        actors=actors,
        substantial=actors >= hand.terms.substantial_seats,
        seat=given.seat,
        seat_acted=seat_acted,
        correctable=given.correctable and (what != "wrong_count" or _count_can_be_put_right(hand, given)),
    )
    if one_left(hand) and remedy(what, facts).ruling in _HAND_OUT:
        raise Refusal("8.17.3(a)", f"seat {given.seat} is the only one left and wins the pot")
    propose(hand, what, facts, out)


def _check_seat(hand: Hand, given: Irregular) -> bool:
    """Refuse a report about a seat that it cannot be about; returns whether the seat has acted."""
    index = index_of(hand, given.seat)
    player = hand.betting.players[index]
    if not player.live:
        raise Refusal("1.1 'Dead hand'", f"seat {given.seat} has no hand any more")
    if given.what == "kept_three":
        if hand.betting.round != hand.terms.game.discard_after + 1 or len(given.cards) != 1:
            raise Refusal("9.15.2", "tell the one card kept, in the round after the discards")
        [kept] = given.cards
        if kept not in hand.muck:
            raise Refusal("9.15.2", f"seat {given.seat} is not known to have given up that card")
    if given.what == "survivor_wrong_count" and not one_left(hand):
        raise Refusal("9.1.1(g)", f"seat {given.seat} is not the only one left")
    return bool(hand.actors >> index & 1)


def _count_can_be_put_right(hand: Hand, given: Irregular) -> bool:
    player = hand.betting.players[index_of(hand, given.seat)]
    return bool(given.cards) or len(player.cards) < hand.terms.game.hole


def rule(hand: Hand, given: Rule, out: list[Output]) -> None:
    """A person decided: record who, then carry it out."""
    ruling = hand.ruling
    if ruling is None or ruling.decided:
        raise Refusal("13.10", "no question is open")
    cure = ruling.remedy
    if given.choice not in choices(cure):
        raise Refusal(cure.clause, f"'{given.choice}' is not possible here: {', '.join(choices(cure))}")
    if given.rank < cure.rank:
        raise Refusal(cure.clause, f"this decision needs level {cure.rank}, not {given.rank}")
    out.append(Recorded(f"ruled {given.choice} by {given.by or 'level ' + str(given.rank)}", cure.clause))
    ruling.decided = given.choice
    _carry_out(hand, ruling, out)


def _carry_out(hand: Hand, ruling: OpenRuling, out: list[Output]) -> None:
    cure = ruling.remedy
    if cure.steps and ruling.decided in (cure.ruling, "redeal"):
        ruling.steps = list(cure.steps)
        out.append(Instruct(ruling.steps[0], cure.clause))
        return
    _settle(hand, ruling, out)


def step_done(hand: Hand, given: StepDone, out: list[Output]) -> None:
    """The dealer did the next step; after the last one the hand goes on."""
    ruling = hand.ruling
    if ruling is None or not ruling.steps:
        raise Refusal("9.1.1", "no step of a remedy is open")
    step = ruling.steps[0]
    if step.needs_card:
        if not given.card or given.card in hand.seen:
            raise Refusal(ruling.remedy.clause, "tell which card came off the deck")
        _take_new_card(hand, step.seat, step.cards, given.card)
    ruling.steps.pop(0)
    if ruling.steps:
        out.append(Instruct(ruling.steps[0], ruling.remedy.clause))
    else:
        _settle(hand, ruling, out)


def _take_new_card(hand: Hand, seat: int, instead_of: tuple[str, ...], card: str) -> None:
    player = hand.betting.players[index_of(hand, seat)]
    cards, player.shown = player.cards, []  # a new card lies face down
    hand.seen.append(card)
    if instead_of:
        cards[cards.index(instead_of[0])] = card
    else:
        cards.append(card)


def _settle(hand: Hand, ruling: OpenRuling, out: list[Output]) -> None:
    """Everything a ruling changes, once it is decided and its steps are done."""
    cure = ruling.remedy
    decided = ruling.decided
    if decided == "misdeal":
        move(hand, "misdeal", out)
    elif decided == "misdeal_all_refunded":
        _deal_again_refunded(hand, cure.clause, out)
    elif decided == "hand_dead_all_refunded":
        move(hand, "all_refunded", out)
    elif ruling.what == "settled_side_wagers":
        _settled_side_decided(hand, decided, out)
    elif ruling.what == "time_up":
        _time_decided(hand, decided, out)
    elif ruling.what == "string_bet":
        trigger = "ruled_one_wager" if decided == "one_wager" else "ruled_two_wagers"
        move(hand, trigger, out, ruling.facts.seat, ruling.facts.amount)
    elif ruling.what == "late_announcement":
        _announcement_decided(hand, ruling, out)
    elif decided in _HAND_OUT:
        why = "void" if decided == "hand_void_refunded" else "dead"
        move(hand, "ruled_out", out, index_of(hand, ruling.facts.seat), why, cure.clause)
    elif ruling.what in ("out_of_order", "wrong_count", "dealt_out", "extra_hand"):
        _deal_corrected(hand, ruling, out)
    elif decided == "swap_exposed":
        _exposed_swapped(hand, ruling, out)
    elif ruling.what == "premature_turn" and hand.interrupted_from == "river":
        back_into_stub(hand, tuple(hand.aside))
        hand.aside = []
        hand.burn_ready = True
        move(hand, "ruled", out)
    else:
        _board_settled(hand, ruling, out)


def withdraw(hand: Hand, out: list[Output]) -> None:
    """What looked like an irregularity was none: the hand stands where it stood."""
    move(hand, "ruled", out)


def _board_settled(hand: Hand, ruling: OpenRuling, out: list[Output]) -> None:
    """Put the cards of a board irregularity where the remedy says, and deal on from there."""
    cure = ruling.remedy
    facts = ruling.facts
    if ruling.decided == "play_on":
        if hand.interrupted_from in BOARD_TARGET and facts.street:  # the cards were not on the board yet
            add_to_board(hand, facts.shown)
            hand.burn_ready = False
        move(hand, "ruled", out)
        return
    betting_since = hand.interrupted_from in ROUND_OF and not cure.finish_round_first
    take_from_board(hand, facts.shown)
    hand.burns += cure.burn
    hand.muck += cure.muck
    hand.aside += cure.aside
    hand.seen += [card for card in (*cure.burn, *cure.muck, *cure.aside) if card not in hand.seen]
    back_into_stub(hand, cure.back)
    if cure.redeal == "flop":
        unsettle_side(hand, "9.16", out)
    if ruling.what == "kept_three":
        # The card it should have given up is back with the seat, and the discards go on (9.15.1).
        hand.betting.players[index_of(hand, facts.seat)].cards += facts.extra
        hand.muck = [card for card in hand.muck if card not in facts.extra]
        hand.burn_ready = not cure.burn_next
        move(hand, "card_given_back", out)
        return
    if cure.redeal:
        hand.burn_ready = not cure.burn_next
        move(hand, "street_taken_back" if betting_since else "ruled", out)
        return
    add_to_board(hand, cure.keep)
    if len(hand.board) == BOARD_TARGET.get(hand.interrupted_from):
        # The second of two cards opened is the next burn (9.13.2); after the river none is due.
        hand.burn_ready = ruling.what == "two_opened"
    move(hand, "ruled", out)


def take_hand_out(hand: Hand, index: int, why: str, clause: str, out: list[Output]) -> None:
    """A hand was ruled dead, or void with its wagers back; the others play on."""
    player = hand.betting.players[index]
    if why == "void":
        out.append(Returned(player.seat, player.in_hand, clause))
        player.stack += player.in_hand
        hand.betting.kept -= player.in_hand - player.in_round
        player.in_hand = player.in_round = player.all_in = 0
        if hand.phase in ROUND_OF:
            _answers_to_it_go_back(hand, index, clause, out)
        else:
            return_uncalled(hand, out)
    hand_is_out(hand, index, why, clause, out)


def _answers_to_it_go_back(hand: Hand, index: int, clause: str, out: list[Output]) -> None:
    """A void wager need not be called, and what others put in to call it is theirs again (13.2.1, 9.1.1(f))."""
    hand.placed = None
    for at, amount in wager_void(hand.betting, index, hand.street_actors):
        out.append(Returned(hand.betting.players[at].seat, amount, clause))


def return_chips(seat: int, amount: int, out: list[Output]) -> None:
    """The first placement is the wager; what was added to it goes back (6.12)."""
    out.append(Prompt("return the chips", "6.12", DEALER, "return", (), seat, amount))


def _deal_corrected(hand: Hand, ruling: OpenRuling, out: list[Output]) -> None:
    facts = ruling.facts
    if hand.interrupted_from == "dealing":
        hand.betting.players[index_of(hand, facts.seat)].cards += facts.shown
        hand.seen += facts.shown
        hand.dealt += 1
    move(hand, "ruled", out)


def deal_progress(hand: Hand, out: list[Output]) -> None:
    """When the last card is dealt: swap a card the dealer showed, then bet."""
    if hand.dealt < len(hand.betting.players) * hand.terms.game.hole:
        return
    if hand.exposed:
        swap_shown_card(hand, out)
        return
    move(hand, "deal_done", out)


def swap_shown_card(hand: Hand, out: list[Output]) -> None:
    """The deal is done: a card that the dealer showed becomes the first burn (9.7)."""
    [(seat, card)] = hand.exposed  # a second one is a misdeal (9.1.1(i))
    propose(hand, "exposed_hole_card", Facts(shown=(card,), seat=seat), out)


def _exposed_swapped(hand: Hand, ruling: OpenRuling, out: list[Output]) -> None:
    hand.burns += ruling.remedy.burn
    hand.burn_ready = True
    hand.exposed = []
    move(hand, "ruled", out)


def _clear_cards(hand: Hand) -> None:
    hand.shuffled = hand.cut = False
    hand.dealt = hand.boxed = hand.actors = hand.street_actors = hand.flashed = 0
    hand.burn_ready = False
    hand.seen, hand.board, hand.burns, hand.muck, hand.aside = [], [], [], [], []
    hand.exposed, hand.held, hand.hands, hand.given_up = [], [], [], []
    hand.pots = []
    hand.misdeals += 1
    for player in hand.betting.players:
        player.cards, player.shown = [], []
        player.live, player.out = True, ""


def take_deal_back(hand: Hand, out: list[Output]) -> None:
    """A misdeal: the blinds stay, later wagers go back, same button and first seat (9.1.1)."""
    for player in hand.betting.players:
        back = player.in_hand - player.posted
        if back:
            out.append(Returned(player.seat, back, "9.1.1"))
        player.stack += back
        player.in_hand = player.in_round = player.posted
        player.all_in = 1 if not player.stack else 0
    unsettle_side(hand, "9.16", out)
    _clear_cards(hand)
    hand.betting.kept = 0
    if hand.rake:
        out.append(RakeSetAside(-hand.rake, 0, "9.1.1"))
        hand.rake = 0


def refund_dead_hand(hand: Hand, ruling: OpenRuling, out: list[Output]) -> None:
    """The only hand left is dead, so that nobody can win: everybody is refunded (9.1.1(g))."""
    hand.betting.players[index_of(hand, ruling.facts.seat)].out = "dead"
    refund_all(hand, ruling.remedy.clause, out)


def _deal_again_refunded(hand: Hand, clause: str, out: list[Output]) -> None:
    """A defective deck: everything goes back, then blinds, shuffle and deal anew (9.1.1(h))."""
    refund_all(hand, clause, out)
    _clear_cards(hand)
    hand.dues = list(hand.blinds)
    hand.straddle, hand.straddler = 0, -1
    if hand.side_results:  # already settled on that deck: a manager decides, void is proposed (P-A31)
        ask = Remedy("void", "13.10", AREA_MANAGER, otherwise=("stand",))
        hand.ruling = OpenRuling("settled_side_wagers", ask)
        out.append(Prompt("settled_side_wagers", "13.10", AREA_MANAGER, "void", ("void", "stand")))
        return
    refund_side(hand, clause, out)
    move(hand, "misdeal_refunded", out)


def _settled_side_decided(hand: Hand, decided: str, out: list[Output]) -> None:
    if decided == "void":
        refund_side(hand, "13.10", out)
    move(hand, "misdeal_refunded", out)


def _time_decided(hand: Hand, decided: str, out: list[Output]) -> None:
    index = hand.betting.turn
    if decided == "dead_hand":
        bit = 1 << index
        hand.actors |= bit
        hand.street_actors |= bit
        move(hand, "ruled_out", out, index, "dead", "6.15")
    else:
        move(hand, "ruled_a_check" if decided == "check" else "ruled", out)


def _announcement_decided(hand: Hand, ruling: OpenRuling, out: list[Output]) -> None:
    if ruling.decided == "with_the_chips":
        move(hand, "ruled_again", out, ruling.facts.said)
    else:
        move(hand, "ruled", out)


def check_out_of_time(hand: Hand, out: list[Output]) -> None:
    """Whoever had nothing to call and no time left has checked (6.15)."""
    index = hand.betting.turn
    call(hand.betting, index)
    player = hand.betting.players[index]
    out.append(Acted(player.seat, "check", player.in_round, 0, 0, False, "6.15"))
    acted(hand, index, out)


def cancel(hand: Hand, given: Cancel, out: list[Output]) -> None:
    """The hand is invalidated: everybody gets everything back, side wagers included (13.5, 13.6)."""
    clause = "13.5.1" if given.reason == "disruption" else "13.5.2"
    if given.rank < HIGHER_DUTIES:
        raise Refusal(clause, f"invalidating a hand needs level {HIGHER_DUTIES}, not {given.rank}")
    if hand.phase in ("drop", BETWEEN):
        raise Refusal(clause, "the pot has been pushed; a manager rules on the outcome (13.10)")
    move(hand, "cancel", out, "13.6")
