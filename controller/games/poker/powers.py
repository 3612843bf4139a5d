"""What each key of a poker table does."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

from controller.core.desk import Refusal, told
from controller.games.poker import changes, dealing, deck, floor_work, seating
from controller.games.poker.actions import Announced
from controller.games.poker.floor import Opening
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
    Shuffled,
    StepDone,
    TimeUp,
)
from controller.games.poker.lying import total
from controller.games.poker.overlay import ABOUT_A_SEAT, REPORTED
from controller.games.poker.remedies import Irregularity
from controller.games.poker.round import ROUND_OF
from controller.games.poker.state import Hand
from controller.money.amounts import dollars
from controller.people import Person
from drivers.card_antennas import MUCK

if TYPE_CHECKING:
    from controller.games.poker.game import PokerGame

Power = Callable[["PokerGame", dict[str, Any], Person], None]


def _take(game: PokerGame, given: Input) -> None:
    """Hand an input over; a refusal is the key's."""
    game.give(given, by_key=True)


def _seat(game: PokerGame, args: dict[str, Any]) -> int:
    """The seat told, else the one in turn."""
    if args.get("seat") is not None:
        return seating.seat_number(game, args)
    hand = game.hand
    if hand.phase not in ROUND_OF:
        raise Refusal("nobody_in_turn", "Nobody is to act; tell which seat is meant.", ("1.1 'Action'",))
    return hand.betting.players[hand.betting.turn].seat


def _act(kind: ActKind) -> Power:
    def do(game: PokerGame, args: dict[str, Any], by: Person) -> None:
        amount = told(args, "amount", int) if kind in ("bet", "raise") else 0
        _take(game, Act(_seat(game, args), kind, amount))

    return do


def announce(game: PokerGame, args: dict[str, Any], by: Person) -> None:
    """A player said what the chips will be: a raise, or a call (6.12 to 6.14)."""
    what = told(args, "what")
    if what not in ("raise", "call"):
        raise Refusal("bad_argument", "Announced is “raise” or “call”; an amount goes with its own key.", ("6.14.2",))
    seat = _seat(game, args)
    game.state.announced[seat] = cast(Announced, what)
    game.desk.note("announced", ("6.14.2",), seat=seat, action=what)


def fees(game: PokerGame, args: dict[str, Any], by: Person) -> None:
    if not game.hand.fees_due:
        raise Refusal("no_fee", "No fee is due before this hand.", ("7.2.4(b)",))
    for seat in list(game.hand.fees_due):
        _take(game, Post(seat, game.state.terms.commission.fee, "fee"))


def refuse_blind(game: PokerGame, args: dict[str, Any], by: Person) -> None:
    seat = seating.seat_number(game, args)
    _take(game, RefuseBlind(seat))
    if seat in game.state.seats:
        game.state.seats[seat].flags.missed_blind = True


def shuffled(game: PokerGame, args: dict[str, Any], by: Person) -> None:
    _take(game, Shuffled())


def cut(game: PokerGame, args: dict[str, Any], by: Person) -> None:
    if not args.get("confirmed"):
        game.cards_gathered("deck")
    _take(game, Cut())


def time_up(game: PokerGame, args: dict[str, Any], by: Person) -> None:
    _take(game, TimeUp(_seat(game, args)))


def buy_time(game: PokerGame, args: dict[str, Any], by: Person) -> None:
    _take(game, BuyTime(_seat(game, args)))
    game.watch_time()


def turned_up(game: PokerGame, args: dict[str, Any], by: Person) -> None:
    dealing.turn_up(game)


def exposed(game: PokerGame, args: dict[str, Any], by: Person) -> None:
    """The card last dealt to a seat was shown; its face is not told."""
    seat = seating.seat_number(game, args)
    cards = next((player.cards for player in game.hand.betting.players if player.seat == seat), [])
    if not cards:
        raise Refusal("no_card", f"Seat {seat} has been dealt no card.", ("9.7",))
    _take(game, Exposed(seat, cards[-1]))


def boxed(game: PokerGame, args: dict[str, Any], by: Person) -> None:
    """The card that was found face up now lies in the muck (9.3)."""
    hand, cards = game.hand, game.state.cards
    strays = [name for name, place in cards.items() if place == MUCK and not dealing.known(game, hand, name)]
    if not strays:
        raise Refusal("no_card", "Lay the boxed card into the muck first.", ("9.3",))
    _take(game, Boxed(strays[-1]))


def report(game: PokerGame, args: dict[str, Any], by: Person) -> None:
    what = told(args, "what")
    if what not in REPORTED:
        raise Refusal("bad_argument", f"Known are {', '.join(sorted(REPORTED))}.", ("9.1.1",))
    seat = seating.seat_number(game, args) if what in ABOUT_A_SEAT or args.get("seat") else 0
    cards = _cards_about(game, what, seat)
    _take(game, Irregular(cast(Irregularity, what), seat, cards, bool(args.get("correctable", True))))


def _cards_about(game: PokerGame, what: str, seat: int) -> tuple[str, ...]:
    """The cards a report is about, as the antennas see them."""
    hand, state = game.hand, game.state
    player = next((player for player in hand.betting.players if player.seat == seat), None)
    if what == "wrong_count":
        return tuple(
            name for name, place in state.cards.items() if place == seat and player and name not in player.cards
        )
    if what == "kept_three":
        given_up = [name for name in hand.muck if state.cards.get(name) == seat]
        return tuple(given_up[-1:])
    return ()


def done(game: PokerGame, args: dict[str, Any], by: Person) -> None:
    """The dealer has carried out the step; the antennas must not contradict it."""
    ruling = game.hand.ruling
    if ruling is None or not ruling.steps:
        raise Refusal("no_step", "No step of a remedy is open.", ("9.1.1",))
    step = ruling.steps[0]
    if step.needs_card:
        raise Refusal(
            "card_needed", f"Lay the top card at seat {step.seat}; it is seen there.", (ruling.remedy.clause,)
        )
    wrong = dealing.step_is_done(game, step)
    if wrong and not args.get("confirmed"):
        raise Refusal("not_seen", f"{wrong} Do it, or confirm that it is done.", (ruling.remedy.clause,))
    _take(game, StepDone())


def table_hand(game: PokerGame, args: dict[str, Any], by: Person) -> None:
    """A hand lies open: exactly its cards are read (8.7)."""
    seat, hand = seating.seat_number(game, args), game.hand
    player = next((player for player in hand.betting.players if player.seat == seat), None)
    if hand.phase != "showdown":
        raise Refusal("no_showdown", "Hands are shown at the showdown only.", ("8.7",))
    if player is None or not player.live or player.shown:
        raise Refusal("no_hand", f"Seat {seat} has no hand left to show.", ("8.7",))
    if any(opening.seat == seat and opening.what == "hand" for opening in game.state.openings.values()):
        raise Refusal("under_way", f"The hand of seat {seat} is being read.", ("8.7",))
    dealing.uncover(game, Opening("hand", tuple(player.cards), seat, by.id))


def muck_hand(game: PokerGame, args: dict[str, Any], by: Person) -> None:
    _take(game, Muck(seating.seat_number(game, args)))


def ask_to_see(game: PokerGame, args: dict[str, Any], by: Person) -> None:
    _take(game, AskToSee(seating.seat_number(game, args), seating.seat_number(game, args, "asker")))


def pushed(game: PokerGame, args: dict[str, Any], by: Person) -> None:
    lying = total(game, game.layout.pot)
    if lying and game.hand.phase == "award" and not args.get("confirmed"):
        raise Refusal("pot_lies", f"{dollars(lying)} still lies in the pot; push it.", ("1.1 'Round of Play'",))
    _take(game, Pushed())


def dropped(game: PokerGame, args: dict[str, Any], by: Person) -> None:
    """The commission goes; what lies on the slide must be what was taken."""
    hand, confirmed = game.hand, bool(args.get("confirmed"))
    lying = total(game, game.layout.drop)
    if hand.phase == "drop" and lying != hand.rake + hand.fees and not confirmed:
        asked = dollars(hand.rake + hand.fees)
        raise Refusal("drop_differs", f"{dollars(lying)} lies on the drop; {asked} is due.", ("7.2.1(b)",))
    if hand.phase == "drop" and not game.side_paid(by, confirmed):
        return
    _take(game, Dropped())


def _cancel(reason: str) -> Power:
    def do(game: PokerGame, args: dict[str, Any], by: Person) -> None:
        why = told(args, "reason")
        clause = game.keys[f"cancel_{reason}"].clause
        _take(game, Cancel("fraud" if reason == "fraud" else "disruption", by.rank, by.id))
        game.desk.ruled("cancel", reason, by, (clause,), why)

    return do


def start_hand(game: PokerGame, args: dict[str, Any], by: Person) -> None:
    game.start_hand()


def _record(subject: str, what: str) -> Power:
    """A power whose use is put on record."""

    def do(game: PokerGame, args: dict[str, Any], by: Person) -> None:
        key = game.keys[subject]
        answer = told(args, what)
        about = str(args.get("player") or "")
        game.desk.ruled(subject, f"{about}: {answer}" if about else answer, by, (key.clause,))

    return do


def count_cards(game: PokerGame, args: dict[str, Any], by: Person) -> None:
    """Level 2 orders a count: the shuffler checks every card by identity (3.4)."""
    game.desk.ruled("count_cards", "ordered", by, ("3.4",))
    deck.check(game)


def change_cards(game: PokerGame, args: dict[str, Any], by: Person) -> None:
    """Another deck comes into play between hands, and is checked before it is dealt (5.3)."""
    if game.state.hand is not None:
        raise Refusal("hand_under_way", "Cards are changed between rounds of play.", ("5.3.1",))
    game.desk.ruled("change_cards", told(args, "reason"), by, ("5.3.1", "5.3.2"))
    game.state.deck = ""


DO: dict[str, Power] = {
    "start_hand": start_hand,
    "fees": fees,
    "refuse_blind": refuse_blind,
    "shuffled": shuffled,
    "cut": cut,
    "check": _act("check"),
    "call": _act("call"),
    "bet": _act("bet"),
    "raise": _act("raise"),
    "all_in": _act("all_in"),
    "fold": _act("fold"),
    "announce": announce,
    "time_up": time_up,
    "buy_time": buy_time,
    "turned_up": turned_up,
    "exposed": exposed,
    "boxed": boxed,
    "report": report,
    "done": done,
    "table_hand": table_hand,
    "muck_hand": muck_hand,
    "ask_to_see": ask_to_see,
    "look": floor_work.look,
    "inspect": floor_work.inspect,
    "pushed": pushed,
    "dropped": dropped,
    "cancel_disruption": _cancel("disruption"),
    "cancel_fraud": _cancel("fraud"),
    "sit": seating.sit,
    "leave": seating.leave,
    "move": seating.move,
    "add_chips": seating.add_chips,
    "lammer": seating.lammer,
    "walk": seating.walk,
    "back": seating.back,
    "place_button": seating.place_button,
    "deal_out": seating.deal_out,
    "posts": seating.posts,
    "newcomer_waits": lambda game, args, by: seating.newcomer(game, args, by, True),
    "newcomer_posts": lambda game, args, by: seating.newcomer(game, args, by, False),
    "pick_up": seating.pick_up,
    "change_game": changes.change_game,
    "agree": changes.agree,
    "close_agreed": changes.close_agreed,
    "change_commission": changes.change_commission,
    "waive_commission": changes.waive_commission,
    "count_cards": count_cards,
    "change_cards": change_cards,
    "collect_time": floor_work.collect_time,
    "check_time_charge": floor_work.check_time_charge,
    "bonus": floor_work.bonus,
    "conduct": _record("conduct", "ruling"),
    "device_seen": floor_work.device_seen,
    "exclude": floor_work.exclude,
    "withhold": _record("withhold", "reason"),
    "confiscate": _record("confiscate", "reason"),
    "dispute": floor_work.dispute,
}

WHEN: dict[str, Callable[[Hand], bool]] = {
    "fees": lambda hand: bool(hand.fees_due),
    "shuffled": lambda hand: hand.phase in ("posting", "shuffling") and not hand.shuffled,
    "cut": lambda hand: hand.shuffled and not hand.cut,
    "buy_time": lambda hand: hand.phase in ROUND_OF and hand.terms.extensions > 0,
    "turned_up": lambda hand: hand.phase not in ("posting", "shuffling", "dealing", "award", "drop"),
    "exposed": lambda hand: hand.phase == "dealing" and hand.dealt > 0,
    "done": lambda hand: hand.ruling is not None and bool(hand.ruling.steps),
    "ask_to_see": lambda hand: bool(hand.given_up) and hand.phase in ("showdown", "award"),
    "look": lambda hand: hand.phase in ("award", "drop"),
    "inspect": lambda hand: hand.phase in ("award", "drop"),
    "boxed": lambda hand: True,
    "report": lambda hand: hand.phase not in ("posting", "drop"),
}
"""Keys that mean something only in a hand, where no row says when."""
