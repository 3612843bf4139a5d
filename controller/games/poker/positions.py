"""Where the button and the blinds go, and who is dealt in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from controller.games.poker.cards import by_rank_then_suit


class Positions(msgspec.Struct, frozen=True):
    """Button and blinds of one hand; a seat of 0 in `posts` means nobody owes that blind."""

    button: int
    blinds: tuple[int, ...]
    """The places of the blinds, first to last, whoever sits there."""
    posts: tuple[int, ...]
    """Who posts each of them; 0 when the place was vacated (8.9.6)."""
    dead_button: bool = False

    @property
    def last(self) -> int:
        """The seat of the last compulsory blind."""
        return self.posts[-1]


def next_seat(after: int, live: Sequence[int]) -> int:
    """The first live seat clockwise of a place."""
    ahead = [seat for seat in live if seat > after]
    return min(ahead) if ahead else min(live)


def clockwise_from(after: int, live: Sequence[int]) -> list[int]:
    """All live seats in clockwise order, the one at `after` itself last."""
    ordered = sorted(live)
    return [seat for seat in ordered if seat > after] + [seat for seat in ordered if seat <= after]


def first_positions(live: Sequence[int], blinds: int, heads_up: str = "literal") -> Positions:
    """The first hand of a game: the button at the dealer's right hand, the highest seat (1.1 'Dealer Button')."""
    return positions_at(max(live), live, blinds, heads_up)


def positions_at(button: int, live: Sequence[int], blinds: int, heads_up: str = "literal") -> Positions:
    """Blinds left of a given button (8.9.2)."""
    if heads_up == "usual" and len(live) == 2 and blinds == 2 and button in live:
        other = next_seat(button, live)
        return Positions(button, (button, other), (button, other))
    order = clockwise_from(button, live)
    places = tuple(order[number % len(order)] for number in range(blinds))
    return Positions(button, places, places, button not in live)


def next_positions(previous: Positions, live: Sequence[int], heads_up: str = "literal") -> Positions:
    """Move on after a completed hand so that each pays in turn (8.9.2, 8.9.6, 1.1 'Dead button', P-A19).

    The last blind goes to the next live seat; every other blind and the button follow to the place the one
    before it held, empty or not.
    """
    last = next_seat(previous.blinds[-1], live)
    if heads_up == "usual" and len(live) == 2 and len(previous.blinds) == 2:
        button = next_seat(last, live)
        return Positions(button, (button, last), (button, last))
    places = (*previous.blinds[1:], last)
    taken = {last}
    posts: list[int] = [last]
    for place in reversed(places[:-1]):
        owner = place if place in live and place not in taken else 0
        taken.add(owner)
        posts.insert(0, owner)
    button = previous.blinds[0]
    return Positions(button, places, tuple(posts), button not in live)


class SeatFlags(msgspec.Struct):
    """The buttons that lie before a seat (1.1 'Button')."""

    missed_blind: bool = False
    absent: bool = False
    """A missed blind and away."""
    walking: bool = False
    dealt_out: bool = False
    """This hand only."""
    reserved: bool = False
    lammer: int = 0
    """Chips or cash on their way to the seat, in cents."""
    new: bool = False
    """Has not been dealt a hand yet."""
    wait_for_blind: bool = False
    must_post: bool = False
    """Posts the large blind before being dealt in (8.9.5, 8.10.2)."""
    excused: bool = False
    """Comes from a game that has closed, or was moved by level 2: may be dealt in on the button (8.10)."""


Place = Literal["big_blind", "button", "other"]


def dealt_in(flags: SeatFlags, place: Place, posted: bool) -> tuple[bool, str]:
    """Whether a seat gets cards, and the clause that says so."""
    if flags.reserved:
        return False, "8.3"
    if flags.dealt_out:
        return False, "1.1 'Dealt-out Button'"
    if flags.absent:
        return False, "1.1 'Absent Button'"
    if flags.walking:
        return False, "1.1 'Player Walking Button'"
    if place == "big_blind":
        return True, "8.9.2(b)"
    if flags.missed_blind and not posted:
        return False, "8.9.3"
    if flags.new and not flags.excused:
        if place == "button":
            return False, "8.10"
        if flags.wait_for_blind:
            return False, "8.10.1"
        if flags.must_post and not posted:
            return False, "8.10.2"
    elif (flags.must_post or flags.wait_for_blind) and not posted:
        return False, "8.9.5"
    return True, "8.4"


def blind_missed(flags: SeatFlags) -> None:
    """The seat did not post a blind that was due (1.1 'Missed Blind Button')."""
    flags.missed_blind = True
    if flags.walking:
        flags.walking, flags.absent = False, True


def blind_made_good(flags: SeatFlags) -> None:
    """The seat has posted, or the blind has come round to it (8.9.3, P-A20)."""
    flags.missed_blind = flags.must_post = flags.wait_for_blind = flags.new = flags.excused = False


def live_seats_gained(leaving: int, taking: int, live: Sequence[int], last_big_blind: int) -> int:
    """How many more live seats the big blind meets before a player who moves (8.9.5, P-A21)."""
    others = [seat for seat in live if seat not in (leaving, taking)]

    def before(place: int) -> int:
        order = clockwise_from(last_big_blind, [*others, place])
        return order.index(place)

    return before(taking) - before(leaving)


def move_is_free(gained: int, allowed: int, *, paid_lap: bool = False, to_button: bool = False) -> bool:
    """Whether a moved player is dealt in at once without posting (8.9.5)."""
    return gained <= allowed or (paid_lap and to_button)


def waiting_list_place(away_s: int, head_minutes: int) -> Literal["head", "tail"]:
    """Where a picked-up player goes on return (8.12)."""
    return "head" if away_s <= head_minutes * 60 else "tail"


def seat_draw(cards: dict[str, str]) -> str:
    """Which claimant gets the seat: the highest card drawn, suits breaking ties (8.1.1, 3.3)."""
    return max(cards, key=lambda claimant: by_rank_then_suit(cards[claimant]))
