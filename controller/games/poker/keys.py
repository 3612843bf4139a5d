"""What people may do at a poker table: the keys of a hand, each on the function that does it.

Keys of the seats, of the terms and of staff around the hands stand in modules of their own and belong here too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import cast

from controller.core.desk import Ask, Refusal
from controller.core.forms import wanting
from controller.core.keys import CARDS, Keys
from controller.core.table_keys import without
from controller.games.poker import cards_seen, change_of_terms, deck, prizes, seating, staff_keys
from controller.games.poker.actions import Announced
from controller.games.poker.asks import CONFIRMED, REASON, SEAT, taken_seats
from controller.games.poker.betting import Player
from controller.games.poker.hand import options_now, shown_in_deal_counts
from controller.games.poker.hand_end import MAY_LIE_OPEN
from controller.games.poker.inputs import (
    Act,
    ActKind,
    AskToSee,
    Boxed,
    BuyTime,
    Cancel,
    Cut,
    Dropped,
    Exposed,
    Input,
    Irregular,
    Muck,
    Post,
    Pushed,
    RefuseBlind,
    SaidLate,
    Shuffled,
    StepDone,
    TimeUp,
)
from controller.games.poker.lying import has_acted, new_at, total
from controller.games.poker.remedies import Irregularity
from controller.games.poker.round import BOARD_TARGET, PLAYING, ROUND_OF, ROWS, STATES
from controller.games.poker.rulings import ABOUT_A_SEAT, REPORTED
from controller.games.poker.seating import check_seat
from controller.games.poker.state import Hand, Opening
from controller.games.poker.table import PokerTable
from controller.money.amounts import dollars
from controller.people import Person
from drivers.card_antennas import MUCK

HAND: Keys[PokerTable] = Keys()
BOARD_MAY_COME = tuple(state for state in PLAYING if state not in ("posting", "shuffling", "dealing", "award"))


def _where(holds: Callable[[Hand], bool]) -> Callable[[PokerTable], bool]:
    """What is asked of the hand under way."""
    return lambda game: game.state.hand is not None and holds(game.state.hand)


def _sizes(game: PokerTable) -> Iterator[tuple[str, str]]:
    """The least wager, twice that, and the most."""
    may = options_now(game.state.hand) if game.state.hand is not None else None
    if may is not None:
        for cents in sorted({may.raise_min, 2 * may.raise_min, may.raise_max}):
            if cents <= may.raise_max:
                yield str(cents), dollars(cents)


OUT_OF_TURN = Ask(
    "seat",
    "choice",
    "Seat, if it is not the one in turn",
    optional=True,
    aside=True,
    number=True,
    offered=taken_seats,
    suggested=True,
)
BET = Ask("amount", "money", "Bet", offered=_sizes)
RAISE = Ask("amount", "money", "Raise to", offered=_sizes)
ANNOUNCED = Ask(
    "what", "choice", "What was announced", choices=(("raise", "Raise"), ("call", "Call")), clauses=("6.14.2",)
)


def _reported_now(game: PokerTable) -> Iterator[tuple[str, str]]:
    """What can have happened and can still be put right where the hand stands."""
    phase = game.state.hand.phase if game.state.hand is not None else ""
    return (choice for choice in _REPORTED if phase in REPORTED[choice[0]])


_REPORTED = tuple((what, what.replace("_", " ").capitalize()) for what in sorted(REPORTED))
REPORTED_IS = Ask("what", "choice", "What", clauses=("9.1.1",), choices=_REPORTED, offered=_reported_now)
ABOUT_SEAT = Ask(
    "seat",
    "choice",
    "At which seat, if it is about one",
    optional=True,
    number=True,
    offered=taken_seats,
    suggested=True,
)
CORRECTABLE = Ask("correctable", "flag", "It can still be put right", optional=True)
ASKER = Ask("asker", "choice", "Who asks", number=True, offered=taken_seats, suggested=True)


def _take(game: PokerTable, given: Input) -> None:
    """Hand an input over; a refusal is the key's."""
    game.give(given, by_key=True)


def _in_turn(game: PokerTable, seat: int | None) -> int:
    """The seat told, else the one in turn."""
    if seat is not None:
        return check_seat(game, seat)
    hand = game.hand
    if hand.phase not in ROUND_OF:
        raise Refusal("nobody_in_turn", "Nobody is to act; tell which seat is meant.", ("1.1 'Action'",))
    return hand.betting.players[hand.betting.turn].seat


def _player(game: PokerTable, seat: int) -> Player | None:
    return next((player for player in game.hand.betting.players if player.seat == seat), None)


# -- before the deal ---------------------------------------------------------------------------------------------


@HAND.key("start_hand", "Start the hand", power="deal_hand", fires="start_hand")
def start_hand(game: PokerTable, by: Person) -> None:
    game.start_hand()


@HAND.key("fees", "Fees taken", power="collect", when=_where(lambda hand: bool(hand.fees_due)))
def fees(game: PokerTable, by: Person) -> None:
    if not game.hand.fees_due:
        raise Refusal("no_fee", "No fee is due before this hand.", ("7.2.4(b)",))
    for seat in list(game.hand.fees_due):
        _take(game, Post(seat, game.state.terms.commission.fee, "fee"))


@HAND.key("refuse_blind", "Blind not posted", power="post_blinds", asks=(SEAT,), fires="blind_refused")
def refuse_blind(game: PokerTable, by: Person, *, seat: int) -> None:
    _take(game, RefuseBlind(check_seat(game, seat)))
    if (place := game.state.seats.get(seat)) is not None:
        place.flags.missed_blind = place.refused = True


@HAND.key(
    "shuffled",
    "Deck shuffled",
    power="shuffle",
    during=("posting", "shuffling"),
    when=_where(lambda hand: not hand.shuffled),
)
def shuffled(game: PokerTable, by: Person) -> None:
    if game.state.deck.defective:
        raise deck.refused()
    _take(game, Shuffled())


@HAND.key("cut", "Deck cut", power="cut", asks=(CONFIRMED,), when=_where(lambda hand: hand.shuffled and not hand.cut))
def cut(game: PokerTable, by: Person, *, confirmed: bool = False) -> None:
    if game.state.deck.defective:
        raise deck.refused()
    if not confirmed:
        game.cards_gathered("deck")
    _take(game, Cut())


# -- what players do ---------------------------------------------------------------------------------------------


def _act(game: PokerTable, kind: ActKind, seat: int | None, amount: int = 0) -> None:
    _take(game, Act(_in_turn(game, seat), kind, amount))


@HAND.key("check", "Check", power="action", asks=(OUT_OF_TURN,), fires="round_done")
def check(game: PokerTable, by: Person, *, seat: int | None = None) -> None:
    _act(game, "check", seat)


@HAND.key("call", "Call announced", power="action", asks=(OUT_OF_TURN,), fires="round_done")
def call(game: PokerTable, by: Person, *, seat: int | None = None) -> None:
    _act(game, "call", seat)


@HAND.key("bet", "Bet announced", power="action", asks=(BET, OUT_OF_TURN), fires="round_done")
def bet(game: PokerTable, by: Person, *, amount: int, seat: int | None = None) -> None:
    _act(game, "bet", seat, amount)


@HAND.key("raise", "Raise announced", power="action", asks=(RAISE, OUT_OF_TURN), fires="round_done")
def raise_(game: PokerTable, by: Person, *, amount: int, seat: int | None = None) -> None:
    _act(game, "raise", seat, amount)


@HAND.key("all_in", "All-in announced", power="action", asks=(OUT_OF_TURN,), fires="round_done")
def all_in(game: PokerTable, by: Person, *, seat: int | None = None) -> None:
    _act(game, "all_in", seat)


@HAND.key("fold", "Fold", power="action", asks=(OUT_OF_TURN,), fires="round_done")
def fold(game: PokerTable, by: Person, *, seat: int | None = None) -> None:
    _act(game, "fold", seat)


@HAND.key("announce", "Announced without an amount", power="action", asks=(ANNOUNCED, OUT_OF_TURN), fires="round_done")
def announce(game: PokerTable, by: Person, *, what: str, seat: int | None = None) -> None:
    """A player said what the chips will be: a raise, or a call (6.12 to 6.14)."""
    number, said = _in_turn(game, seat), cast(Announced, what)
    if has_acted(game.hand, number):
        _take(game, SaidLate(number, said))
        return
    game.in_play.announced[number] = said
    game.desk.note("announced", ("6.14.2",), seat=number, action=what)


@HAND.key(
    "time_up",
    "Time to act is over",
    power="call_time",
    asks=(OUT_OF_TURN,),
    fires="round_done",
    when=_where(lambda hand: hand.terms.time_to_act_s > 0),
)
def time_up(game: PokerTable, by: Person, *, seat: int | None = None) -> None:
    _take(game, TimeUp(_in_turn(game, seat)))


@HAND.key(
    "buy_time",
    "Time bought",
    power="call_time",
    asks=(OUT_OF_TURN,),
    during=tuple(ROUND_OF),
    when=_where(lambda hand: hand.terms.extensions > 0),
)
def buy_time(game: PokerTable, by: Person, *, seat: int | None = None) -> None:
    _take(game, BuyTime(_in_turn(game, seat)))
    game.watch_time()


# -- cards and what goes wrong -----------------------------------------------------------------------------------


def _cards_are_read(game: PokerTable) -> bool:
    """Whether antennas tell which cards lie where."""
    return not without(game.table, "cards")


@HAND.key("turned_up", "Board turned up", power="turn_up", during=BOARD_MAY_COME, when=_cards_are_read, undo="never")
def turned_up(game: PokerTable, by: Person) -> None:
    cards_seen.turn_up(game)


@HAND.key(
    "exposed",
    "Hole card shown by the dealer",
    about=CARDS,
    power="report",
    asks=(SEAT,),
    during=("dealing", "bet1"),
    when=_where(lambda hand: hand.dealt > 0 and shown_in_deal_counts(hand)),
)
def exposed(game: PokerTable, by: Person, *, seat: int) -> None:
    """The card last dealt to a seat was shown; its face is not told."""
    player = _player(game, check_seat(game, seat))
    if player is None or not player.cards:
        raise Refusal("no_card", f"Seat {seat} has been dealt no card.", ("9.7",))
    _take(game, Exposed(seat, player.cards[-1]))


@HAND.key("boxed", "Boxed card", about=CARDS, power="report", during=("dealing", *BOARD_TARGET))
def boxed(game: PokerTable, by: Person) -> None:
    """The card that was found face up now lies in the muck (9.3)."""
    strays = new_at(game, game.hand, MUCK) if _cards_are_read(game) else [cards_seen.unread(game)]
    if not strays:
        raise Refusal("no_card", "Lay the boxed card into the muck first.", ("9.3",))
    _take(game, Boxed(strays[-1]))


@HAND.key(
    "report",
    "Something went wrong",
    power="report",
    asks=(REPORTED_IS, ABOUT_SEAT, CORRECTABLE),
    during=PLAYING,
    when=lambda game: game.state.hand is None or game.state.hand.phase != "posting" or game.state.hand.cut,
)
def report(game: PokerTable, by: Person, *, what: str, seat: int | None = None, correctable: bool = True) -> None:
    if seat is None and what in ABOUT_A_SEAT:
        raise wanting(SEAT)
    number = check_seat(game, seat) if seat is not None else 0
    _take(game, Irregular(cast(Irregularity, what), number, _cards_about(game, what, number), correctable))


def _cards_about(game: PokerTable, what: str, seat: int) -> tuple[str, ...]:
    """The cards a report is about, as the antennas see them."""
    cards, player = game.state.felt.cards, _player(game, seat)
    if what == "wrong_count":
        return tuple(name for name, place in cards.items() if place == seat and player and name not in player.cards)
    if what == "kept_three":
        given_up = [name for name in game.hand.muck if cards.get(name) == seat]
        return tuple(given_up[-1:])
    return ()


@HAND.key(
    "done",
    "Step done",
    power="report",
    asks=(CONFIRMED,),
    when=_where(lambda hand: hand.ruling is not None and bool(hand.ruling.steps)),
)
def done(game: PokerTable, by: Person, *, confirmed: bool = False) -> None:
    """The dealer has carried out the step; the antennas must not contradict it."""
    ruling = game.hand.ruling
    if ruling is None or not ruling.steps:
        raise Refusal("no_step", "No step of a remedy is open.", ("9.1.1",))
    step, read = ruling.steps[0], _cards_are_read(game)
    if step.needs_card and not read:
        _take(game, StepDone(cards_seen.unread(game)))
        return
    if step.needs_card:
        raise Refusal(
            "card_needed", f"Lay the top card at seat {step.seat}; it is seen there.", (ruling.remedy.clause,)
        )
    wrong = cards_seen.step_is_done(game, step) if read else ""
    if wrong and not confirmed:
        raise Refusal("not_seen", f"{wrong} Do it, or confirm that it is done.", (ruling.remedy.clause,))
    _take(game, StepDone())


# -- the end of a hand -------------------------------------------------------------------------------------------


@HAND.key(
    "table_hand",
    "Hand tabled",
    power="table_hand",
    asks=(SEAT,),
    during=MAY_LIE_OPEN,
    when=_cards_are_read,
    undo="never",
)
def table_hand(game: PokerTable, by: Person, *, seat: int) -> None:
    """A hand lies open: exactly its cards are read (8.7), and before the showdown they play on (9.6)."""
    player = _player(game, check_seat(game, seat))
    if game.hand.phase not in MAY_LIE_OPEN:
        raise Refusal("no_showdown", "Hands lie open once they are dealt, until the pots are decided.", ("8.7",))
    if player is None or not player.live or player.shown:
        raise Refusal("no_hand", f"Seat {seat} has no hand left to show.", ("8.7",))
    if any(opening.seat == seat and opening.what == "hand" for opening in game.state.deal.openings.values()):
        raise Refusal("under_way", f"The hand of seat {seat} is being read.", ("8.7",))
    cards_seen.uncover(game, Opening("hand", tuple(player.cards), seat, by.id))


@HAND.key("muck_hand", "Hand given up", power="table_hand", asks=(SEAT,), fires="hands_read")
def muck_hand(game: PokerTable, by: Person, *, seat: int) -> None:
    _take(game, Muck(check_seat(game, seat)))


@HAND.key(
    "ask_to_see",
    "Discarded hand asked for",
    about=CARDS,
    power="inspect_hand",
    asks=(SEAT, ASKER),
    during=("showdown", "award"),
    when=_where(lambda hand: bool(hand.given_up)),
)
def ask_to_see(game: PokerTable, by: Person, *, seat: int, asker: int) -> None:
    _take(game, AskToSee(check_seat(game, seat), check_seat(game, asker)))


@HAND.key(
    "look",
    "Look at a hand after play",
    about=CARDS,
    power="look_at_hand",
    asks=(SEAT,),
    during=("award", "drop"),
    when=_cards_are_read,
    undo="never",
)
def look(game: PokerTable, by: Person, *, seat: int) -> None:
    """Once play is over a hand may be looked at; who looked is on record (8.21)."""
    _uncover(game, seat, by, "8.21", "look")


@HAND.key(
    "inspect",
    "Show to all what one has seen",
    about=CARDS,
    power="inspect_hand",
    asks=(SEAT,),
    during=("award", "drop"),
    when=_cards_are_read,
    undo="never",
)
def inspect(game: PokerTable, by: Person, *, seat: int) -> None:
    """A hand that one neighbour saw is shown to all at the end of the hand, when somebody asks (9.2)."""
    _uncover(game, seat, by, "9.2", "inspect")


def _uncover(game: PokerTable, seat: int, by: Person, clause: str, subject: str) -> None:
    player = _player(game, check_seat(game, seat))
    if game.hand.phase not in ("award", "drop"):
        raise Refusal("not_over", "A hand may be looked at once the play of it is over.", (clause,))
    if player is None:
        raise Refusal("no_hand", f"Seat {seat} was dealt no cards.", (clause,))
    game.desk.ruled(subject, f"seat {seat}", by, (clause,))
    cards_seen.uncover(game, Opening("look", tuple(player.cards), seat, by.id))


@HAND.key("pushed", "Pots pushed", power="push", asks=(CONFIRMED,), fires="pots_pushed")
def pushed(game: PokerTable, by: Person, *, confirmed: bool = False) -> None:
    lying = total(game, game.layout.pot)
    if lying and game.hand.phase == "award" and not confirmed:
        raise Refusal("pot_lies", f"{dollars(lying)} still lies in the pot; push it.", ("1.1 'Round of Play'",))
    _take(game, Pushed())


@HAND.key("dropped", "Commission dropped", power="drop", asks=(CONFIRMED,), fires="dropped", undo="never")
def dropped(game: PokerTable, by: Person, *, confirmed: bool = False) -> None:
    """The commission goes; what lies on the slide must be what was taken, or level 2 answers for it."""
    if game.hand.phase == "drop":
        _check_drop(game, by, confirmed)
        if not game.side_paid(by, confirmed):
            return
        _join_float(game, by)
    _take(game, Dropped())


def _join_float(game: PokerTable, by: Person) -> None:
    """At a stand-alone table the commission is not dropped but joins the float (7.2.1(c))."""
    if game.hand.terms.commission.stand_alone:
        from controller.games.poker import stand_alone

        stand_alone.joins(game, game.hand.rake + game.hand.fees, by)


def _check_drop(game: PokerTable, by: Person, confirmed: bool) -> None:
    """What was seen on the slide is what is on record, whoever confirms that more was dropped."""
    hand, seen = game.hand, total(game, game.layout.drop) + game.state.joined
    if without(game.table, "chips"):
        game.desk.note("drop_by_hand", ("7.2.1(b)",), due=hand.rake + hand.fees, by=by.id)
    elif seen != (due := hand.rake + hand.fees):
        least = game.table.house.power("drop_unseen").rank
        text = f"{dollars(seen)} lies on the drop; {dollars(due)} is due."
        if not confirmed:
            raise Refusal("drop_differs", text, ("7.2.1(b)",))
        if by.rank < least and seen != hand.rake:  # fees may have been dropped at once (7.2.4(c))
            raise Refusal("rank_too_low", f"{text} Lay it there, or have level {least} confirm it.", ("7.2.1(b)",))
        game.desk.ruled("drop", f"{dollars(seen)} seen of {dollars(due)}", by, ("7.2.1(b)",))
        game.desk.note("drop_seen", ("7.2.1(b)",), seen=seen, due=due, by=by.id)


@HAND.key(
    "cancel_disruption",
    "Invalidate: disruption",
    power="invalidate_disruption",
    asks=(REASON,),
    fires="cancel",
    while_suspended=True,
)
def cancel_disruption(game: PokerTable, by: Person, *, reason: str) -> None:
    _take(game, Cancel("disruption", by.rank, by.id))
    game.desk.ruled("cancel", "disruption", by, (game.keys["cancel_disruption"].clause,), reason)


@HAND.key(
    "cancel_fraud", "Invalidate: fraud", power="invalidate_fraud", asks=(REASON,), fires="cancel", while_suspended=True
)
def cancel_fraud(game: PokerTable, by: Person, *, reason: str) -> None:
    _take(game, Cancel("fraud", by.rank, by.id))
    game.desk.ruled("cancel", "fraud", by, (game.keys["cancel_fraud"].clause,), reason)


KEYS: Keys[PokerTable] = Keys(HAND, seating.KEYS, change_of_terms.KEYS, staff_keys.KEYS, prizes.KEYS)
KEYS.check_machine(ROWS, STATES)
