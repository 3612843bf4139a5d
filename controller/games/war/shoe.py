"""The life of the cards: shuffle, cut, burn, cutting card, reshuffle inside a round, replacement."""

from __future__ import annotations

from collections.abc import Iterator

from controller.core.desk import Ask, Refusal
from controller.core.keys import CARDS, Keys
from controller.games.war import alarms, doubts, notices, order
from controller.games.war.asking import FACE, card_told
from controller.games.war.cards import FACES, UNKNOWN, face_in_words, faces_in_words
from controller.games.war.composition import Composition
from controller.games.war.play import War
from controller.games.war.rules import Clauses
from controller.games.war.state import HELD, IN_ROUND, Slot, WrongDeck
from controller.people import TABLE, Person

KEYS: Keys[War] = Keys(while_suspended=True, about=CARDS)
STEPS = ("check", "surveillance", "inspector")
NEW_CARDS = "new cards"


def _to_be_told(game: War) -> Iterator[tuple[str, str]]:
    """Who must still be told before these cards are played, or else may be."""
    blocked = game.state.supply.blocked
    return ((whom, whom.capitalize()) for whom in STEPS[1:] if blocked is None or whom in blocked.needs)


MAY_SAY_WHY = Ask("reason", "text", "Reason", optional=True)
WHY_REPLACED = Ask("why", "text", "Why", optional=True)
WHOM = Ask("whom", "choice", "Who was told", offered=_to_be_told)
FOUND = Ask("outcome", "text", "What was found", optional=True)


# -- the shuffle ---------------------------------------------------------------------------------------------------


@KEYS.key("shuffled", "Cards shuffled", power="record_shuffle", fires="shuffled")
def shuffled(game: War, by: Person) -> None:
    refuse_set_aside(game)
    game.machine.fire("shuffled", by, "shuffled")


@KEYS.key("riffle", "Riffle pre-shuffled cards", power="approve_riffle", only_where_known=True)
def riffle(game: War, by: Person) -> None:
    """Pre-shuffled cards are riffled once more at a player's request, just before the cut (Star 4.2, 4.2.1)."""
    clause = game.table.house.power("approve_riffle").clause
    if game.machine.state != "uncut":
        raise Refusal("not_now", "Pre-shuffled cards are riffled only just before the cut.", (clause, "4.2.1"))
    game.ruled("riffle", "riffled before the cut", by, (clause, "4.2.1"))


def cut_needed(game: War, *shuffle: object) -> bool:
    return game.state.supply.source == "shoe"


def burn_needed(game: War, *shuffle: object) -> bool:
    rules = game.rules.shoe
    if rules.start_burn == "none" or (rules.start_burn_optional and not game.config.start_burn):
        return False
    if game.state.supply.source == "csm":
        return rules.start_burn_from_shuffler == "once" and not game.state.shoe.shuffler_burned
    return True


def in_use(game: War) -> bool:
    return game.state.shoe.in_use


def refuse_set_aside(game: War) -> None:
    """No set of cards is used while one of it is missing."""
    if game.state.shoe.cards.set_aside:
        text = f"{faces_in_words(game.state.shoe.cards.set_aside)} was set aside and never replaced."
        raise Refusal("card_not_replaced", text, game.rules.remedies["wrong_deck"].clauses)


def take_shuffle(game: War, by: Person, how: str) -> None:
    """All cards went into the shuffle."""
    _old_burn_over(game)
    game.state.shoe.cards.shuffled()
    _fresh(game, by, how)


def take_reshuffle(game: War, by: Person, how: str) -> None:
    """All cards but those on the layout went into the shuffle."""
    game.state.shoe.cards = on_layout(game)
    _fresh(game, by, how)


def _fresh(game: War, by: Person, how: str) -> None:
    state = game.state
    state.shoe.recent = []
    state.shoe.face_up = 0
    state.shoe.in_use = False
    state.shoe.empty = False
    state.shoe.shuffle_due = []
    state.shoe.skip_burn = False
    if game.rules.limits.warning_lasts == "shoe":
        state.players.warned = []
    state.shoe.carried = []
    state.shoe.last = None
    game.ruled("shuffle", how, by, game.rules.cites["shuffle_before"])


def _old_burn_over(game: War) -> None:
    """A burn that a cutting card broke off is not finished from the next shoe, which has its own."""
    round_ = game.state.round
    game.withdraw_questions("unknown:", "surplus:")
    for card, place in zip(round_.drawn, round_.places(), strict=True):
        card.place = "discard" if place == HELD else place
    round_.slots = []


# -- the cut -------------------------------------------------------------------------------------------------------


def cutter(game: War) -> tuple[str, tuple[str, ...]]:
    """Who cuts, and by which clause; nobody when no player is at the table."""
    state, rules = game.state, game.rules
    seats = seated(game)
    place = state.shoe.cut_place
    if place == "new" and state.players.arrivals:
        return state.players.arrivals[0], rules.cites["cut_new_game"]
    if place.startswith("box"):
        box = int(place.removeprefix("box"))
        front = next((name for number, name in seats if number == box), "")
        return front or order.furthest_right(seats), rules.cites["cut_on_box"]
    if place == "dealer":
        return order.furthest_right(seats), rules.cites["cut_on_dealer"]
    if place == "first":
        return order.furthest_right(seats), rules.cites["cut_first_card"]
    if place == "replaced":
        return order.furthest_right(seats), rules.cites["cut_replaced"]
    if rules.shoe.cutter_without_cutting_card == "first_seated" and seats:
        box = min(number for number, _ in seats)
        return next(name for number, name in seats if number == box), rules.cites["cut_replaced"]
    return order.furthest_right(seats), rules.cites["cut_replaced"]


def seated(game: War) -> list[tuple[int, str]]:
    """Who sits where, front of the line first: by the stakes lying there, those of the last round, and the seats."""
    found: list[tuple[int, str]] = []
    for seats in (
        order.seats(game.state.round.stakes),
        game.state.players.seats,
        sorted(game.state.players.at_box.items()),
    ):
        known = {player for _, player in found}
        found += [(box, player) for box, player in seats if player not in known]
    return found


def _cutters(game: War) -> list[str]:
    first, _ = cutter(game)
    return [first, *order.clockwise_from(first, seated(game))] if first else []


def offer_cut(game: War, *shuffle: object) -> None:
    """Whoever is named by the rulebook is offered the stack first."""
    _offer_cut(game, _cutters(game))


def _offer_cut(game: War, players: list[str]) -> None:
    """Offer the stack; after every refusal to the next clockwise, at last to a supervisor."""
    game.state.shoe.cut_offers = players
    game.ask("cut", players[0] if players else "")


def cut_refused(game: War) -> None:
    _offer_cut(game, game.state.shoe.cut_offers[1:])


def cut(game: War, player: str, clauses: Clauses, by: Person) -> None:
    game.desk.note("cut", clauses, player=player, by=by.id)
    game.machine.fire("cut")


def put_in_use(game: War, *shuffle: object) -> None:
    """These cards are dealt from now on, and nobody is named yet who cuts the next."""
    game.state.shoe.cut_place = ""
    game.state.shoe.in_use = True


def begin_burn(game: War, *shuffle: object) -> None:
    """The burn after a shuffle."""
    put_in_use(game)
    game.state.round.slots += _burn_slots(game, "start")
    game.state.shoe.shuffler_burned = True
    game.desk.announce("dealer", "burn", "Burn as the rulebook says.", game.rules.cites["start_burn"])


def burn_again(game: War, *shuffle: object) -> None:
    """The burn after a shuffle inside a round, where the rulebook wants one."""
    put_in_use(game)
    if game.rules.shoe.burn_after_reshuffle:
        at = game.state.round.filled()
        game.state.round.slots[at:at] = _burn_slots(game, stage_to_resume(game))
        text = "Burn as after any shuffle; a supervisor may skip it."
        game.desk.announce("dealer", "burn", text, game.rules.cites["start_burn"])


def _burn_slots(game: War, stage: str) -> list[Slot]:
    if game.rules.shoe.start_burn == "turned":
        return [Slot("shoe-start-up", stage)]
    return [Slot("shoe-burn", stage)]


@KEYS.key(
    "show_burn",
    "Burn card shown",
    power="record_shuffle",
    when=lambda game: game.rules.shoe.start_burn_shown == "on_request",
)
def show_burn(game: War, by: Person) -> None:
    """A player asked to see the burned card (Melbourne 4.3.1)."""
    if game.rules.shoe.start_burn_shown != "on_request":
        raise Refusal("not_shown", "The burned card is not shown on request here.", game.rules.cites["start_burn"])
    game.desk.note("burn_shown", game.rules.cites["start_burn"], by=by.id)


# -- a shuffle is due ----------------------------------------------------------------------------------------------


@KEYS.key("order_shuffle", "Order a shuffle", power="order_shuffle", asks=(MAY_SAY_WHY,))
def order_shuffle(game: War, by: Person, *, reason: str = "ordered") -> None:
    """On suspicion, or for cause; a round in progress is finished first (M4)."""
    clause = game.table.house.power("order_shuffle").clause
    game.ruled("order_shuffle", reason, by, (clause,))
    _shuffle_due(game, (clause,))


def _shuffle_due(game: War, clauses: tuple[str, ...]) -> None:
    """After this round, or now if none has begun."""
    _due(game, clauses)
    if game.machine.can("shuffle"):
        game.machine.fire("shuffle")


def _due(game: War, clauses: tuple[str, ...]) -> None:
    game.state.shoe.shuffle_due = list(clauses)
    nobody_named(game)


def shuffle_anew(game: War, *void: object) -> None:
    """A shuffle under way when the round was voided is done anew."""
    game.state.shoe.shuffle_due = list(game.rules.remedies["shoe_empty"].clauses)


def nobody_named(game: War) -> None:
    """No cutting card says who cuts, unless one came before (M5)."""
    game.state.shoe.cut_place = game.state.shoe.cut_place or "none"


@KEYS.key("bad_cut", "Cut not as it should be", power="report")
def bad_cut(game: War, by: Person) -> None:
    """The cut was not as it should be: finish, then shuffle and cut; earlier results stay (Star 11.9)."""
    clauses = game.rules.remedies["bad_cut"].clauses
    game.ruled("bad_cut", "shuffle and cut after this round", by, clauses)
    _shuffle_due(game, clauses)


def break_sequence(game: War) -> None:
    """Cards that came as a new deck is packed are shuffled: at once where the house has it so, or after the round."""
    if game.rules.shoe.abnormal_sequence == "at_once" and game.machine.can("out_of_cards"):
        game.machine.fire("out_of_cards")
    else:
        _shuffle_due(game, game.rules.cites["sequence"])


# -- empty in the middle of a round --------------------------------------------------------------------------------


@KEYS.key("shoe_empty", "No cards left", power="report")
def out_of_cards(game: War, by: Person) -> None:
    """The discards are shuffled and the same round goes on; needless while no card is waited for."""
    phase = game.machine.state
    clauses = game.rules.remedies["shoe_empty"].clauses
    if game.machine.can("out_of_cards"):
        game.ruled("shoe_empty", "discards shuffled, the round goes on", by, clauses)
        game.machine.fire("out_of_cards")
    elif phase in IN_ROUND or phase == "over":
        game.ruled("shoe_empty", "shuffle after this round", by, clauses)
        _shuffle_due(game, clauses)
    elif game.machine.can("nothing_to_deal"):
        game.ruled("shoe_empty", "shuffle now", by, clauses)
        _due(game, clauses)
        game.machine.fire("nothing_to_deal")
    else:
        raise Refusal("not_now", "No cards are being dealt.", clauses)


def stage_to_resume(game: War) -> str:
    """The part of the round that stands still."""
    return "first" if game.part == "dealing" else "war"


def on_layout(game: War) -> Composition:
    """The cards of this round alone, as when all others were shuffled back."""
    cards = Composition(game.state.shoe.cards.decks, set_aside=list(game.state.shoe.cards.set_aside))
    for card, place in zip(game.state.round.drawn, game.state.round.places(), strict=True):
        if place in ("cut", "discard", "shoe-burn", "shoe-start-up", "round-burn"):
            continue
        if doubts.accounted(card) == UNKNOWN:
            cards.draw_unknown()
        else:
            cards.draw(doubts.accounted(card))
    return cards


# -- wrong, worn and new cards -------------------------------------------------------------------------------------


def block(game: War, why: str) -> None:
    """No further round from these cards until what the rulebook asks for is recorded."""
    needs = [NEW_CARDS] if game.rules.cards.replace_after_wrong_deck == "new_cards" else list(STEPS)
    game.state.supply.blocked = WrongDeck(why, needs)
    if game.machine.can("wrong_count"):
        game.machine.fire("wrong_count")


@KEYS.key("notified", "Notification recorded", power="report", asks=(WHOM,))
def notified(game: War, by: Person, *, whom: str) -> None:
    _recorded(game, whom, by, f"{whom} notified")


@KEYS.key("deck_checked", "Decks checked", power="order_check", asks=(FOUND,))
def deck_checked(game: War, by: Person, *, outcome: str = "checked") -> None:
    game.state.supply.check_due = False
    _recorded(game, "check", by, outcome)


def _recorded(game: War, what: str, by: Person, words: str) -> None:
    clauses = game.rules.remedies["wrong_deck"].clauses
    blocked = game.state.supply.blocked
    game.ruled("cards", words, by, clauses if blocked else game.rules.cites["card_check"])
    if blocked is None or what not in blocked.needs:
        return
    blocked.needs.remove(what)
    if not blocked.needs and game.machine.can("cards_released"):
        game.machine.fire("cards_released")


def release(game: War) -> None:
    """All that the rulebook asks for is recorded: these cards may be shuffled and used."""
    game.state.supply.blocked = None
    game.state.shoe.cut_place = "replaced"
    game.state.shoe.in_use = False


def _no_stake_waits(game: War) -> bool:
    """Nobody waits for a deal from these cards; from blocked ones there is none, and stakes wait for new cards."""
    blocked = game.state.supply.blocked is not None
    return blocked or (game.machine.state != "closed" and not any(stake.live for stake in game.state.round.stakes))


@KEYS.key(
    "replace_cards",
    "Replace the cards",
    power="replace_cards",
    asks=(WHY_REPLACED,),
    fires="cards_replaced",
    when=_no_stake_waits,
)
def replace_cards(game: War, by: Person, *, why: str = "replaced") -> None:
    """New cards come in; they are checked, shuffled, cut and burned like any others."""
    state = game.state
    if not _no_stake_waits(game):
        raise Refusal("not_now", "Cards are replaced between rounds only.", game.rules.cites["all_replaced"])
    if game.machine.state in ("betting", "closed"):
        _may_replace_now(game, by)
    if state.supply.blocked is not None and state.supply.blocked.needs != [NEW_CARDS]:
        needs = ", ".join(state.supply.blocked.needs)
        raise Refusal("steps_open", f"First record: {needs}.", game.rules.remedies["wrong_deck"].clauses)
    game.machine.fire("cards_replaced", why, by)


def new_cards(game: War, why: str, by: Person) -> None:
    """They are the whole set from now on."""
    state = game.state
    state.supply.blocked = None
    state.shoe.cut_place = "replaced"
    notices.new_cards(game)
    state.shoe.shuffler_burned = False
    if not any(code.startswith(f"{game.places.get('shuffler')}:") for code in game.table.state.faults):
        state.supply.source = game.config.source  # a round that a shoe finished (Star 12.5.4) is long over
    game.ruled("replace_cards", why, by, game.rules.cites["all_replaced"])


def _may_replace_now(game: War, by: Person) -> None:
    """In the middle of a shoe the documents let fewer people replace the cards, or nobody."""
    when = game.rules.cards.replace_mid_shoe
    rank, clause = game.table.house.power("replace_unfit")
    if when == "unfit" and by.rank < rank:
        text = f"Before the last round of a shoe only unfit cards are replaced, by {game.desk.title(rank)} or above."
        raise Refusal("rank_too_low", text, (clause,))
    if when == "never" and game.config.source == "shoe":
        clause = game.table.house.power("replace_cards").clause
        raise Refusal("not_now", "Cards are replaced only after the round in which the cutting card came.", (clause,))


@KEYS.key("set_aside", "Card set aside", power="replace_unfit", asks=(FACE,))
def set_aside(game: War, by: Person, *, face: str) -> None:
    """A damaged card leaves play; no shuffle is accepted until another of its face came in."""
    face = card_told(face)
    game.state.shoe.cards.put_aside(face)
    clause = game.table.house.power("replace_unfit").clause
    game.ruled("set_aside", face, by, (clause,))
    alarms.SetAside(face=face).happened(game, face)


@KEYS.key("replace_card", "Card replaced", power="replace_unfit", asks=(FACE,))
def replace_card(game: War, by: Person, *, face: str) -> None:
    face = card_told(face)
    clause = game.table.house.power("replace_unfit").clause
    if not game.state.shoe.cards.replace(face):
        raise Refusal("not_missing", f"No {face_in_words(face)} was set aside.", (clause,))
    game.ruled("replace_card", face, by, (clause,))


def source_empty(game: War) -> None:
    """The device says that no card is left: what the decks still owe by name is missing."""
    state = game.state
    if any(code.endswith((":lid_open", ":door_open")) for code in game.table.state.faults):
        return  # somebody lifts the cards out
    state.shoe.empty = True
    missing = [face for face in FACES for _ in range(state.shoe.cards.left(face))]
    if state.shoe.in_use and missing and not state.shoe.cards.unknown and state.supply.source == "shoe":
        names = ", ".join(missing[:12])
        doubts.wrong_deck(game, f"The shoe is empty and {len(missing)} cards never came: {names}.")
    elif game.machine.state in ("betting", "closed", *IN_ROUND, "over"):
        out_of_cards(game, TABLE)


def filled_again(game: War) -> None:
    """Cards lie in the source again."""
    game.state.shoe.empty = False


def if_empty(game: War) -> None:
    """Play goes on after a ruling, and the source ran out meanwhile."""
    waits = game.machine.can("out_of_cards") and game.state.round.filled() < len(game.state.round.slots)
    if game.state.shoe.empty and waits:
        out_of_cards(game, TABLE)
