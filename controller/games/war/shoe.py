"""The life of the cards: shuffle, cut, burn, cutting card, reshuffle inside a round, replacement."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from controller.desk import Refusal, told
from controller.effects import Asked, Option
from controller.games.war import betting, chips, dealing, notices, order, rulings, settling
from controller.games.war.cards import FACES, RANK
from controller.games.war.keys import DRAWING, IN_ROUND
from controller.games.war.state import HELD, Slot, WarState, WrongDeck, filled, places
from controller.people import TABLE, Person

if TYPE_CHECKING:
    from controller.games.war.game import WarGame

Args = dict[str, Any]


# -- the shuffle ---------------------------------------------------------------------------------------------------


def shuffled(game: WarGame, args: Args, by: Person) -> None:
    if game.state.cards.set_aside:
        raise _not_replaced(game)
    _shuffled(game, by, "shuffled")


def pre_shuffled(game: WarGame, by: Person) -> None:
    """The cards came shuffled and secured; no further shuffle is asked for."""
    _shuffled(game, by, "pre_shuffled")


def riffle(game: WarGame, args: Args, by: Person) -> None:
    """Pre-shuffled cards are riffled once more at a player's request, just before the cut (Star 4.2, 4.2.1)."""
    clause = game.table.house.power("approve_riffle").clause
    if game.machine.state != "uncut":
        raise Refusal("not_now", "Pre-shuffled cards are riffled only just before the cut.", (clause, "4.2.1"))
    game.ruled("riffle", "riffled before the cut", by, (clause, "4.2.1"))


def _not_replaced(game: WarGame) -> Refusal:
    text = f"{', '.join(game.state.cards.set_aside)} was set aside and never replaced."
    return Refusal("card_not_replaced", text, game.rules.remedies["wrong_deck"].clauses)


def _shuffled(game: WarGame, by: Person, how: str) -> None:
    state = game.state
    inside = game.machine.state == "reshuffling"
    if inside:
        state.cards = settling.on_layout(game)
    else:
        _old_burn_over(game)
        state.cards.shuffled()
    state.recent = []
    state.in_use = False
    state.empty = False
    state.shuffle_due = []
    state.skip_burn = False
    if game.rules.limits.warning_lasts == "shoe":
        state.warned = []
    state.carried = []
    game.ruled("shuffle", how, by, game.rules.cite("shuffle_before"))
    if game.cut_needed():
        game.machine.fire("shuffled")
        _offer_cut(game, _cutters(game))
    elif inside:
        _resume_round(game, "shuffled")
    else:
        game.machine.fire("shuffled")
        _after_cut(game)


def _old_burn_over(game: WarGame) -> None:
    """A burn that a cutting card broke off is not finished from the next shoe, which has its own."""
    state = game.state
    game.withdraw_questions("unknown:", "surplus:")
    for card, place in zip(state.drawn, places(state), strict=True):
        card.place = "discard" if place == HELD else place
    state.slots = []


# -- the cut -------------------------------------------------------------------------------------------------------


def cutter(game: WarGame) -> tuple[str, tuple[str, ...]]:
    """Who cuts, and by which clause; nobody when no player is at the table."""
    state, rules = game.state, game.rules
    seats = seated(game)
    place = state.cut_place
    if place == "new" and state.arrivals:
        return state.arrivals[0], rules.cite("cut_new_game")
    if place.startswith("box"):
        box = int(place.removeprefix("box"))
        front = next((name for number, name in seats if number == box), "")
        return front or order.furthest_right(seats), rules.cite("cut_on_box")
    if place == "dealer":
        return order.furthest_right(seats), rules.cite("cut_on_dealer")
    if place == "first":
        return order.furthest_right(seats), rules.cite("cut_first_card")
    if place == "replaced":
        return order.furthest_right(seats), rules.cite("cut_replaced")
    if rules.shoe.cutter_without_cutting_card == "first_seated" and seats:
        box = min(number for number, _ in seats)
        return next(name for number, name in seats if number == box), rules.cite("cut_replaced")
    return order.furthest_right(seats), rules.cite("cut_replaced")


def seated(game: WarGame) -> list[tuple[int, str]]:
    """Who sits where, front of the line first: by the stakes lying there, and by those of the last round too."""
    now, before = betting.seats_of(game), game.state.seats
    if not now:
        return before or list(game.state.at_box.items())
    staking = {player for _, player in now}
    return [*now, *((box, player) for box, player in before if player not in staking)]


def _cutters(game: WarGame) -> list[str]:
    first, _ = cutter(game)
    return [first, *order.clockwise_from(first, seated(game))] if first else []


def _offer_cut(game: WarGame, players: list[str]) -> None:
    """Offer the stack; after every refusal to the next clockwise, at last to a supervisor."""
    rules = game.rules
    game.state.cut_offers = players
    if players:
        _, clauses = cutter(game)
        rank, clause = game.table.house.power("record_cut")
        options: tuple[Option, ...] = (
            Option("cut", "Cut, at least a deck from both ends", rank, clause),
            Option("refused", "Refused", rank, clause),
        )
        text = f"{players[0]} cuts the cards."
    else:
        clauses = rules.cite("cut_refused")
        options = (rulings.option(game, "cut", "Cut for the players", "cut_for_players"),)
        text = "No player cuts: a supervisor does."
    evidence = {"player": players[0] if players else ""}
    game.desk.ask("cut", text, evidence, "cut", options, (*clauses, *rules.cite("cut_depth")))


def answer_cut(game: WarGame, asked: Asked, answer: str, args: Args, by: Person) -> None:
    if answer == "refused":
        _offer_cut(game, game.state.cut_offers[1:])
        return
    game.desk.note("cut", asked.clauses, player=asked.evidence["player"], by=by.id)
    if game.machine.state == "recutting":
        _resume_round(game, "cut")
        return
    game.machine.fire("cut")
    _after_cut(game)


def _after_cut(game: WarGame) -> None:
    state = game.state
    state.cut_place = ""
    state.in_use = True
    if game.machine.state == "burning":
        state.slots += _burn_slots(game, "start")
        state.shuffler_burned = True
        game.desk.announce("dealer", "burn", "Burn as the rulebook says.", game.rules.cite("start_burn"))
    else:
        bets_open(game)


def _burn_slots(game: WarGame, stage: str) -> list[Slot]:
    if game.rules.shoe.start_burn == "turned":
        return [Slot("shoe-start-up", stage)]
    return [Slot("shoe-burn", stage)]


def show_burn(game: WarGame, args: Args, by: Person) -> None:
    """A player asked to see the burned card (Melbourne 4.3.1)."""
    if game.rules.shoe.start_burn_shown != "on_request":
        raise Refusal("not_shown", "The burned card is not shown on request here.", game.rules.cite("start_burn"))
    game.desk.note("burn_shown", game.rules.cite("start_burn"), by=by.id)


# -- rounds --------------------------------------------------------------------------------------------------------


def bets_open(game: WarGame) -> None:
    game.desk.announce("all", "place_bets", "Place your bets.", game.rules.cite("bets_open"))


def place_bets(game: WarGame, args: Args, by: Person) -> None:
    """The next round, unless the cards need something first; or betting again, when the call found nothing staked."""
    if game.machine.state == "closed":
        if any(stake.dealt for stake in game.state.stakes):
            raise Refusal("bets_lie", "Stakes lie there; deal the round.", game.rules.cite("no_more_bets"))
        game.machine.fire("reopen_bets")
        bets_open(game)
        return
    if game.asked("surplus:") is not None:
        raise Refusal("surplus_open", "Say first whether the surplus card was seen.", game.rules.cite("bets_open"))
    if game.state.source == "csm" and game.state.cards.set_aside:
        raise _not_replaced(game)
    if game.state.check_due:
        text = "A check of all cards was ordered; have them read and enter what was found."
        raise Refusal("check_due", text, (game.table.house.power("order_check").clause,))
    refuse_unruled(game)
    if not settling.take_and_pay_done(game, "place_bets", args, by):
        return
    game.money.round_over()
    game.state.clear_round()
    game.machine.fire("next_round")
    if game.state.blocked is not None and not game.state.blocked.needs:
        unblock(game)  # all was recorded before the cards of the round were gathered
    betting.take_early(game)
    chips.lay_again(game)
    phase = game.machine.state
    if phase == "betting":
        bets_open(game)
    elif phase == "unshuffled":
        text = "Shuffle before the next round."
        game.desk.announce("dealer", "shuffle", text, tuple(game.state.shuffle_due))
    else:
        assert game.state.blocked is not None  # nothing else keeps a round from beginning
        text = f"{game.state.blocked.why} Still needed: {', '.join(game.state.blocked.needs)}."
        game.desk.announce("dealer", "blocked", text, game.rules.remedies["wrong_deck"].clauses)


def refuse_unruled(game: WarGame) -> None:
    """No card comes into use while it is open whether one is missing or foreign."""
    if game.asked("wrong_deck") is not None:
        text = "Rule first on the missing or foreign card."
        raise Refusal("wrong_deck_open", text, game.rules.remedies["wrong_deck"].clauses)


def collect(game: WarGame) -> None:
    """The round's cards go to the discards, or into the shuffler's tray; idle players are counted."""
    state = game.state
    if state.source == "csm":
        gone = [card.face for card, place in zip(state.drawn, places(state), strict=True) if place != "next-round"]
        state.rack += [face for face in gone if face in RANK]
        if game.rules.cards.feed == "at_once":
            state.cards.fed(state.rack)
            state.rack = []
    _count_idle(game)


def _count_idle(game: WarGame) -> None:
    state, notices = game.state, game.rules.notices
    staked = {stake.player for stake in state.stakes}
    full = len({box for box, _ in state.seats}) >= game.config.boxes
    for player in state.arrivals:
        state.idle[player] = 0 if player in staked else state.idle.get(player, 0) + 1
        if state.idle[player] >= notices.idle_rounds and (full or not notices.idle_needs_full_table):
            text = f"{player} has not staked for {state.idle[player]} rounds and may be asked for the seat."
            game.desk.announce("dealer", "idle_seat", text, (notices.idle_clause,))


def feed_if_due(game: WarGame) -> None:
    """The first deal is done: the discards go back into the device (Star 7.2)."""
    state = game.state
    if state.source == "csm" and state.rack and game.rules.cards.feed == "after_first_deal":
        if state.feed_due:
            game.rule("feed", "missed last time, due now", game.rules.cite("feed"))
        state.feed_due = True
        game.desk.announce("dealer", "feed", "Feed the discards into the device.", game.rules.cite("feed"))


def fed(game: WarGame, args: Args, by: Person) -> None:
    state = game.state
    if state.source != "csm":
        raise Refusal("no_shuffler", "There is no shuffler to feed.", game.rules.cite("feed"))
    state.cards.fed(state.rack)
    state.rack = []
    state.feed_due = False
    game.desk.note("fed", game.rules.cite("feed"), by=by.id)


# -- a shuffle is due ----------------------------------------------------------------------------------------------


def order_shuffle(game: WarGame, args: Args, by: Person) -> None:
    """On suspicion, or for cause; a round in progress is finished first (M4)."""
    clause = game.table.house.power("order_shuffle").clause
    game.ruled("order_shuffle", str(args.get("reason") or "ordered"), by, (clause,))
    _shuffle_due(game, (clause,))


def _shuffle_due(game: WarGame, clauses: tuple[str, ...]) -> None:
    game.state.shuffle_due = list(clauses)
    _nobody_named(game)
    if game.machine.state == "betting":
        game.machine.fire("shuffle")


def _nobody_named(game: WarGame) -> None:
    """No cutting card says who cuts, unless one came before (M5)."""
    game.state.cut_place = game.state.cut_place or "none"


def bad_cut(game: WarGame, args: Args, by: Person) -> None:
    """The cut was not as it should be: finish, then shuffle and cut; earlier results stay (Star 11.9)."""
    clauses = game.rules.remedies["bad_cut"].clauses
    game.ruled("bad_cut", "shuffle and cut after this round", by, clauses)
    _shuffle_due(game, clauses)


def suspicious_sequence(game: WarGame) -> None:
    """Cards in the order of manufacture: hardly shuffled at all."""
    run = game.state.recent[-game.rules.cards.factory_run :]
    clauses = game.rules.cite("sequence")
    if game.is_asked("sequence"):
        return
    options = (
        rulings.option(game, "shuffle", "Shuffle after this round", "order_shuffle"),
        rulings.option(game, "play_on", "Play on", "order_shuffle", needs_reason=True),
    )
    text = f"{', '.join(run)} came in the order of a new deck."
    game.desk.alarm("sequence", text, "The cards may be unshuffled; the question needs an answer.", clauses)
    game.desk.ask("sequence", f"{text} Shuffle?", {"cards": run}, "shuffle", options, clauses)


def answer_sequence(game: WarGame, asked: Asked, answer: str, args: Args, by: Person) -> None:
    game.desk.alarm_over("sequence")
    if answer != "shuffle":
        return
    phase = game.machine.state
    if game.rules.shoe.abnormal_sequence == "at_once" and phase in DRAWING:
        reshuffle(game, phase)
    else:
        _shuffle_due(game, game.rules.cite("sequence"))


# -- empty in the middle of a round --------------------------------------------------------------------------------


def out_of_cards(game: WarGame, args: Args, by: Person) -> None:
    """The discards are shuffled and the same round goes on; needless while no card is waited for."""
    phase = game.machine.state
    clauses = game.rules.remedies["shoe_empty"].clauses
    if phase in DRAWING:
        game.ruled("shoe_empty", "discards shuffled, the round goes on", by, clauses)
        reshuffle(game, phase)
    elif phase in IN_ROUND or phase == "over":
        game.ruled("shoe_empty", "shuffle after this round", by, clauses)
        _shuffle_due(game, clauses)
    elif phase in ("betting", "closed"):
        game.ruled("shoe_empty", "shuffle now", by, clauses)
        if phase == "closed":
            game.machine.fire("reopen_bets")
        _shuffle_due(game, clauses)
    else:
        raise Refusal("not_now", "No cards are being dealt.", clauses)


def reshuffle(game: WarGame, resume: str) -> None:
    """The round stands still until the cards that are not on the layout are shuffled, and cut from a shoe."""
    game.state.resume = resume
    _nobody_named(game)
    game.machine.fire("out_of_cards")


def stage_to_resume(state: WarState) -> str:
    """The part of the round that stands still."""
    return "first" if state.resume == "dealing" else "war"


def _resume_round(game: WarGame, trigger: str) -> None:
    state = game.state
    state.cut_place = ""
    state.in_use = True
    if game.rules.shoe.burn_after_reshuffle:
        at = filled(state)
        state.slots[at:at] = _burn_slots(game, stage_to_resume(state))
        text = "Burn as after any shuffle; a supervisor may skip it."
        game.desk.announce("dealer", "burn", text, game.rules.cite("start_burn"))
    game.machine.fire(trigger)
    dealing.advance(game)


# -- wrong, worn and new cards -------------------------------------------------------------------------------------


def block(game: WarGame, why: str) -> None:
    """No further round from these cards until what the rulebook asks for is recorded."""
    steps = ["check", "surveillance", "inspector"]
    needs = ["new cards"] if game.rules.cards.replace_after_wrong_deck == "new_cards" else steps
    game.state.blocked = WrongDeck(why, needs)


def notified(game: WarGame, args: Args, by: Person) -> None:
    whom = told(args, "whom")
    _recorded(game, whom, by, f"{whom} notified")


def deck_checked(game: WarGame, args: Args, by: Person) -> None:
    game.state.check_due = False
    _recorded(game, "check", by, str(args.get("outcome") or "checked"))


def _recorded(game: WarGame, what: str, by: Person, words: str) -> None:
    clauses = game.rules.remedies["wrong_deck"].clauses
    blocked = game.state.blocked
    game.ruled("cards", words, by, clauses if blocked else game.rules.cite("card_check"))
    if blocked is None or what not in blocked.needs:
        return
    blocked.needs.remove(what)
    if not blocked.needs and game.machine.state == "blocked":
        unblock(game)


def unblock(game: WarGame) -> None:
    game.state.blocked = None
    game.state.cut_place = "replaced"
    game.state.in_use = False
    game.machine.fire("cards_ready")


def replace_cards(game: WarGame, args: Args, by: Person) -> None:
    """New cards come in; they are checked, shuffled, cut and burned like any others."""
    state = game.state
    if any(stake.live for stake in state.stakes):
        raise Refusal("not_now", "Cards are replaced between rounds only.", game.rules.cite("all_replaced"))
    if game.machine.state == "betting":
        _may_replace_now(game, by)
    if state.blocked is not None and state.blocked.needs != ["new cards"]:
        needs = ", ".join(state.blocked.needs)
        raise Refusal("steps_open", f"First record: {needs}.", game.rules.remedies["wrong_deck"].clauses)
    state.blocked = None
    state.cut_place = "replaced"
    notices.new_cards(game)
    state.shuffler_burned = False
    if not any(code.startswith(f"{game.places.get('shuffler')}:") for code in game.table.state.faults):
        state.source = game.config.source  # a round that a shoe finished (Star 12.5.4) is long over
    game.ruled("replace_cards", str(args.get("why") or "replaced"), by, game.rules.cite("all_replaced"))
    game.machine.fire("cards_replaced")


def _may_replace_now(game: WarGame, by: Person) -> None:
    """In the middle of a shoe the documents let fewer people replace the cards, or nobody."""
    when = game.rules.cards.replace_mid_shoe
    rank, clause = game.table.house.power("replace_unfit")
    if when == "unfit" and by.rank < rank:
        text = f"Before the last round of a shoe only unfit cards are replaced, by rank {rank} or above."
        raise Refusal("rank_too_low", text, (clause,))
    if when == "never" and game.config.source == "shoe":
        clause = game.table.house.power("replace_cards").clause
        raise Refusal("not_now", "Cards are replaced only after the round in which the cutting card came.", (clause,))


def set_aside(game: WarGame, args: Args, by: Person) -> None:
    """A damaged card leaves play; no shuffle is accepted until another of its face came in."""
    face = rulings.face_told(args)
    game.state.cards.put_aside(face)
    clause = game.table.house.power("replace_unfit").clause
    game.ruled("set_aside", face, by, (clause,))
    text = f"{face} is out and must be replaced before the next shuffle."
    game.desk.alarm("set_aside", text, "Bring in the same card from a new deck.", (clause,))


def replace_card(game: WarGame, args: Args, by: Person) -> None:
    face = rulings.face_told(args)
    clause = game.table.house.power("replace_unfit").clause
    if not game.state.cards.replace(face):
        raise Refusal("not_missing", f"No {face} was set aside.", (clause,))
    game.ruled("replace_card", face, by, (clause,))
    if not game.state.cards.set_aside:
        game.desk.alarm_over("set_aside")


def source_empty(game: WarGame) -> None:
    """The device says that no card is left: what the decks still owe by name is missing."""
    state = game.state
    if any(code.endswith((":lid_open", ":door_open")) for code in game.table.state.faults):
        return  # somebody lifts the cards out
    state.empty = True
    missing = [face for face in FACES for _ in range(state.cards.left(face))]
    if state.in_use and missing and not state.cards.unknown and state.source == "shoe":
        names = ", ".join(missing[:12])
        rulings.wrong_deck(game, f"The shoe is empty and {len(missing)} cards never came: {names}.")
    elif game.machine.state in (*DRAWING, "betting", "closed", *IN_ROUND, "over"):
        out_of_cards(game, {}, TABLE)


def filled_again(game: WarGame) -> None:
    """Cards lie in the source again."""
    game.state.empty = False


def if_empty(game: WarGame) -> None:
    """Play goes on after a ruling, and the source ran out meanwhile."""
    waits = game.machine.state in DRAWING and filled(game.state) < len(game.state.slots)
    if game.state.empty and waits:
        out_of_cards(game, {}, TABLE)
