"""Cards as the antennas tell them, by name: who is dealt what, burns, the board, folds and discards.

No card is known here by its face unless a person said that it lies open.
"""

from __future__ import annotations

import msgspec

from controller.cards.events import (
    CardBetween,
    CardDoubled,
    CardsCounted,
    CardsMoved,
    CardsOpened,
    Sealed,
    is_foreign,
)
from controller.core.desk import Refusal
from controller.core.effects import Uncovered
from controller.core.take_back import Beside
from controller.games.poker import alarms, prizes, rulings
from controller.games.poker.betting import Player
from controller.games.poker.cards import is_face
from controller.games.poker.inputs import Act, Board, Burn, CardTo, Discard, Muck, StepDone, Table
from controller.games.poker.lying import known, new_on_board, owner
from controller.games.poker.outputs import Output
from controller.games.poker.remedies import Step
from controller.games.poker.round import BOARD_TARGET, ROUND_OF, WHILE
from controller.games.poker.state import Deal, Hand, Opening, OpenRuling, PokerState
from controller.games.poker.table import PokerTable
from drivers.card_antennas import BOARD, BURN, MUCK, place_name

LATE_MS = 1_500
"""A card may be read this much later than the one dealt after it."""
AWAY_MS = 20_000
"""Players lift their cards to look; after this long off the antennas somebody asks where they are (8.13)."""
TIMER = "deal"
AWAY = "away:"


def new_deal(state: PokerState) -> None:
    """Every card has another name from here on, so nothing is known under the old ones."""
    state.deal = Deal(state.deal.number + 1)


def moved(game: PokerTable, event: CardsMoved) -> None:
    """Cards came to antennas or left them."""
    cards = game.state.felt.cards
    for antenna, name in event.removed:
        if cards.get(name) == antenna:
            del cards[name]
    for card in event.added:
        cards.pop(card.card, None)
        cards[card.card] = card.antenna
    for antenna, name in event.removed:
        if name not in cards:
            _left(game, name, antenna)
    current = event.deal == game.state.deal.number
    hand = game.state.hand
    added = event.added
    if hand is not None and hand.ruling is not None:
        added = tuple(sorted(added, key=lambda card: card.antenna != BURN))  # what it is swapped for comes after it
    for card in added:
        _arrived(game, card, current)


def counted(game: PokerTable, event: CardsCounted) -> None:
    """Everything was read anew: take what differs as if it had just happened."""
    before = game.state.felt.cards
    now = {card.card: card.antenna for card in event.cards}
    # A card behind an antenna that cannot be read, and seen nowhere else, is taken to lie where it was.
    kept = {name: antenna for name, antenna in before.items() if antenna in event.unread}
    game.state.felt.cards = {**{name: now[name] for name in before if name in now}, **kept, **now}
    for name, antenna in before.items():
        if name not in game.state.felt.cards:
            _left(game, name, antenna)
    current = event.deal == game.state.deal.number
    for card in event.cards:
        if before.get(card.card) != card.antenna:
            _arrived(game, card, current)


def between(game: PokerTable, event: CardBetween) -> None:
    """A card is read by two antennas: it lies at neither."""
    game.state.felt.cards.pop(event.card, None)
    fresh = event.card not in game.state.deal.between
    if fresh:
        game.state.deal.between.append(event.card)
    alarm = alarms.CardBetweenPlaces(places=" and ".join(place_name(antenna) for antenna in event.antennas))
    (alarm.happened if fresh else alarm.holds)(game)


def not_between(game: PokerTable, card: str) -> None:
    """A card lies clearly again."""
    if card in game.state.deal.between:
        game.state.deal.between.remove(card)


def doubled(game: PokerTable, event: CardDoubled) -> None:
    """One tag answers from two places at once."""
    if event.card not in game.state.deal.doubled:
        game.state.deal.doubled.append(event.card)
    places = " and ".join(place_name(antenna) for antenna in event.antennas)
    alarms.CardTwice(places=places).holds(game, event.card)


def single(game: PokerTable, card: str) -> None:
    """A tag answers from one place again."""
    if card in game.state.deal.doubled:
        game.state.deal.doubled.remove(card)


def _left(game: PokerTable, name: str, antenna: int) -> None:
    hand = game.state.hand
    if hand is None:
        return
    _wait_no_longer(game, name)
    player = owner(hand, name)
    if player is not None and player.live and not player.shown and hand.ruling is None:
        timer = f"{AWAY}{player.seat}"
        if timer not in game.desk.state.timers:
            game.desk.timer(timer, game.desk.at + AWAY_MS)


def _looked_at(game: PokerTable, event: CardsMoved, moved_on: bool) -> bool:
    """Whether players only lifted their own cards to look, or laid them back (8.13)."""
    hand = game.state.hand
    if hand is None or hand.phase not in ROUND_OF or moved_on:
        return False
    moved = (*event.removed, *((card.antenna, card.card) for card in event.added))
    theirs = ((antenna, owner(hand, name)) for antenna, name in moved)
    return all(player is not None and player.live and player.seat == antenna for antenna, player in theirs)


BESIDE: Beside = {CardsMoved: _looked_at}


def unread(game: PokerTable) -> str:
    """A name for a card that no antenna has read."""
    return f"by hand {game.state.deal.number}.{len(game.hand.seen) + 1}"


def away_due(game: PokerTable, timer: str) -> None:
    """The time a player may hold cards off the table is over (8.13)."""
    hand, seat = game.state.hand, int(timer.removeprefix(AWAY))
    if hand is None:
        return
    for player in hand.betting.players:
        if player.seat == seat and player.live and (gone := _away(game, player)):
            alarms.CardsAway(gone=gone, seat=seat).happened(game, seat)


def _away(game: PokerTable, player: Player) -> int:
    """How many of a player's cards no antenna sees."""
    return sum(name not in game.state.felt.cards for name in player.cards)


def _arrived(game: PokerTable, card: Sealed, current: bool) -> None:
    name, antenna = card.card, card.antenna
    if is_foreign(name):
        alarms.ForeignCard(place=place_name(antenna)).holds(game, name[1:])
        return
    hand = game.state.hand
    if hand is None or not current:
        return
    if name in game.state.deal.between:
        game.state.deal.between.remove(name)
    if _of_another_deck(game.state.deal, card):
        alarms.OtherDeck(place=place_name(antenna)).holds(game, antenna)
    elif hand.ruling is not None:
        _during_ruling(game, hand, hand.ruling, name, antenna)
    elif antenna == MUCK:
        _to_muck(game, hand, name)
    elif known(game, hand, name):
        _known_elsewhere(game, hand, name, antenna)
    elif antenna == BURN:
        if not game.give(Burn(name)):
            alarms.BurnNotDue().happened(game)
    elif antenna == BOARD:
        if hand.phase not in BOARD_TARGET:
            alarms.BoardEarly(phase=WHILE[hand.phase]).happened(game)
    else:
        _wait(game, antenna, name)
        deal_waiting(game)


def _of_another_deck(deal: Deal, card: Sealed) -> bool:
    """Whether a card comes from another registered deck than the one that is dealt (3.1)."""
    if deal.dealt_from < 0:
        deal.dealt_from = card.deck
    stranger = card.deck != deal.dealt_from
    if stranger and card.card not in deal.strangers:
        deal.strangers.append(card.card)
    return stranger


# -- the deal ----------------------------------------------------------------------------------------------------


def _wait(game: PokerTable, antenna: int, name: str) -> None:
    """A card lies here until its turn in the deal has come, and nowhere else."""
    _wait_no_longer(game, name)
    game.state.deal.waiting.append((antenna, name))


def _wait_no_longer(game: PokerTable, name: str) -> None:
    game.state.deal.waiting = [(antenna, card) for antenna, card in game.state.deal.waiting if card != name]


def deal_waiting(game: PokerTable) -> None:
    """Deal the cards that have come, in the order that is due, whatever order they were read in."""
    state, hand = game.state, game.hand
    while state.deal.waiting and hand.ruling is None:
        due = hand.betting.players[hand.dealt % len(hand.betting.players)].seat
        ready = [(seat, name) for seat, name in state.deal.waiting if seat == due or hand.phase != "dealing"]
        if not ready:
            if TIMER not in game.desk.state.timers:
                game.desk.timer(TIMER, game.desk.at + LATE_MS)
            return
        _deal(game, *ready[0])
    game.desk.timer_off(TIMER)


def _deal(game: PokerTable, seat: int, name: str) -> None:
    _wait_no_longer(game, name)
    if not game.give(CardTo(seat, name)):
        alarms.Stray(seat=seat).happened(game, seat)


def late_due(game: PokerTable) -> None:
    """No late read has explained the order: what lies there was dealt out of order (9.1.1(c))."""
    hand, waiting = game.state.hand, game.state.deal.waiting
    if waiting and hand is not None and hand.ruling is None:
        _deal(game, *waiting[0])


def _during_ruling(game: PokerTable, hand: Hand, ruling: OpenRuling, name: str, antenna: int) -> None:
    step = next(iter(ruling.steps), None)
    if step is not None and step.kind == "swap_with_top_card" and antenna == BURN:
        _burned_instead(hand, ruling, step, name)
    elif step is not None and step.kind == "move_card" and known(game, hand, name):
        _moved_instead(game, hand, ruling, step, name, antenna)
    elif ruling.what == "out_of_order" and antenna == ruling.facts.seat and name not in ruling.facts.shown:
        _late_after_all(game, hand, ruling, name)
    elif step is not None and step.needs_card and not known(game, hand, name):
        if antenna == step.seat:
            game.give(StepDone(name))
    elif hand.interrupted_from == "dealing" and 0 < antenna < BOARD:
        _dealt_on(game, hand, ruling, name, antenna)


def _dealt_on(game: PokerTable, hand: Hand, ruling: OpenRuling, name: str, antenna: int) -> None:
    """A card dealt while a ruling is open waits for its turn after it."""
    if not known(game, hand, name) and name not in ruling.facts.shown:
        _wait(game, antenna, name)


def _late_after_all(game: PokerTable, hand: Hand, ruling: OpenRuling, name: str) -> None:
    """The card that was missing has been read: the deal was right, and the question or its remedy is taken back."""
    if known(game, hand, name) or hand.interrupted_from != "dealing":
        return
    shown = [(game.state.felt.cards[card], card) for card in ruling.facts.shown if card in game.state.felt.cards]
    game.desk.withdraw("out_of_order")
    outs: list[Output] = []
    rulings.withdraw(hand, outs)
    game.state.deal.waiting[:0] = [(ruling.facts.seat, name), *shown]
    game.conclude(outs)


def _burned_instead(hand: Hand, ruling: OpenRuling, step: Step, name: str) -> None:
    """The card that goes to the burns is the one that was shown, whichever the dealer's key was taken for (9.7)."""
    player = owner(hand, name)
    if player is not None and player.seat == step.seat:
        replace = msgspec.structs.replace
        ruling.steps = [replace(step, cards=(name,))]
        ruling.remedy = replace(ruling.remedy, burn=(name,))


def _moved_instead(game: PokerTable, hand: Hand, ruling: OpenRuling, step: Step, name: str, antenna: int) -> None:
    """Of two cards at one seat the dealer carries the one that went astray, whichever was read first (9.1.1(c))."""
    player = owner(hand, name)
    if player is None or antenna != step.seat:
        return
    for stays in step.cards:
        if lies(game, stays) == player.seat:
            player.cards[player.cards.index(name)] = stays
            hand.seen[hand.seen.index(name)] = stays
            hand.exposed = [(seat, stays if card == name else card) for seat, card in hand.exposed]
            replace = msgspec.structs.replace
            ruling.steps = [replace(step, cards=(name,))]
            ruling.facts = replace(ruling.facts, shown=(name,))


def _known_elsewhere(game: PokerTable, hand: Hand, name: str, antenna: int) -> None:
    """A card that was dealt lies somewhere else now: with another player it may have been handed over (13.14)."""
    player = owner(hand, name)
    if player is None or not player.live:
        return
    if antenna == player.seat:
        if (gone := _away(game, player)) and f"cards_away:{player.seat}" in game.desk.state.alarms:
            alarms.CardsAway(gone=gone, seat=player.seat).holds(game, player.seat)
    else:
        alarms.CardElsewhere(seat=player.seat, place=place_name(antenna)).happened(game, player.seat)


# -- folds, discards, hands given up -----------------------------------------------------------------------------


def _to_muck(game: PokerTable, hand: Hand, name: str) -> None:
    player = owner(hand, name)
    if player is None or not player.live or any(read.seat == player.seat for read in hand.hands):
        return
    seat = player.seat
    if hand.phase in ("discard1", "discard2") and len(player.cards) == hand.terms.game.hole:
        game.give(Discard(seat, name))
    elif all(game.state.felt.cards.get(card) == MUCK for card in player.cards):
        _given_up(game, hand, seat)


def _given_up(game: PokerTable, hand: Hand, seat: int) -> None:
    if hand.phase in ROUND_OF:
        game.give(Act(seat, "fold"))
    elif hand.phase == "showdown":
        game.give(Muck(seat))
    else:
        alarms.GivenUp(seat=seat, phase=WHILE[hand.phase]).happened(game, seat)


# -- cards that lie open -----------------------------------------------------------------------------------------


def turn_up(game: PokerTable) -> None:
    """The dealer says that what lies on the board lies open."""
    hand = game.hand
    new = new_on_board(game, hand)
    if hand.ruling is not None:
        raise Refusal("ruling_open", "A ruling is open; answer it first.", ("9.1.1",))
    if not new:
        raise Refusal("no_card", "No new card lies on the board.", ("8.18.1",))
    if any(opening.what == "board" for opening in game.state.deal.openings.values()):
        raise Refusal("under_way", "The board is being read.", ("8.18.1",))
    uncover(game, Opening("board", tuple(new)))


def uncover(game: PokerTable, opening: Opening) -> None:
    """Have the faces of these cards told."""
    state = game.state
    state.deck.opened += 1
    order = f"open{state.deck.opened}"
    state.deal.openings[order] = opening
    game.desk.emit(Uncovered(order, opening.cards))


def opened(game: PokerTable, event: CardsOpened) -> None:
    """Faces were told: of the board, or of a hand that was tabled."""
    opening = game.state.deal.openings.pop(event.order, None)
    hand = game.state.hand
    if opening is None or hand is None:
        return
    faces = dict(event.cards)
    if not all(map(is_face, faces.values())):
        alarms.UnknownFace().happened(game)
        return
    shown = tuple(faces[name] for name in opening.cards)
    if opening.what == "look":
        game.desk.note("hand_looked_at", ("8.21",), seat=opening.seat, cards=list(shown), by=opening.by)
        return
    game.state.deal.faces.update(faces)
    if opening.what == "board":
        game.give(Board(shown))
    else:
        game.give(Table(opening.seat, shown))
        prizes.look(game, hand)


def lies(game: PokerTable, card: str) -> int | None:
    """The antenna that sees a card, given by its name or, if it lies open, by its face."""
    cards = game.state.felt.cards
    if card in cards:
        return cards[card]
    return next((cards[name] for name, face in game.state.deal.faces.items() if face == card and name in cards), None)


def step_is_done(game: PokerTable, step: Step) -> str:
    """What still contradicts a step that is said to be done; empty when nothing does."""
    for card in step.cards:
        place = lies(game, card)
        if step.kind == "to_burn" and place != BURN:
            return "The card does not lie with the burns."
        if step.kind == "to_muck" and place != MUCK:
            return "The card does not lie in the muck."
        if step.kind == "move_card" and place != step.seat:
            return f"The card does not lie at seat {step.seat}."
        if step.kind in ("take_back", "set_aside", "return_to_top") and place is not None:
            return f"A card still lies at {place_name(place)}."
    return ""
