"""Keys of the table: what people report, and what those of rank may order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from controller.core.desk import Refusal, told
from controller.games.war import (
    betting,
    booking,
    checking,
    chips,
    dealing,
    doubts,
    notices,
    persons,
    rounds,
    rulings,
    settle,
    settling,
    shoe,
    spoken,
)
from controller.games.war.asking import face_told, listed, may, put
from controller.games.war.play import War
from controller.games.war.rules import Remedy
from controller.games.war.state import Booked, Stake
from controller.people import Person

Args = dict[str, Any]
REPORTABLE_ABOVE = 100_000
"""A single wrong payment above $1,000 goes into the month's report (Star 11.21.2)."""


def no_more_bets(game: War, args: Args, by: Person) -> None:
    game.machine.fire("close_bets")


def settled(game: War, args: Args, by: Person) -> None:
    if booking.take_and_pay_done(game, "settled", args, by):
        settling.settled(game)


def choice(game: War, args: Args, by: Person) -> None:
    box, player, answer = told(args, "box", int), told(args, "player"), told(args, "choice")
    if answer not in ("war", "surrender", "decline"):
        raise Refusal("bad_choice", "War, surrender or decline; nothing else is offered.", game.rules.cites["offers"])
    main = game.state.round.tied_main(box, player)
    if main is None:
        raise Refusal("no_choice", f"{player} has no choice to make on box {box}.", game.rules.cites["offers"])
    if game.state.round.war_stake(main) is not None:
        raise Refusal("at_war", f"{player}'s war stake lies there already.", game.rules.cites["war_stake"])
    settling.choose(game, box, player, answer)


def house_chips(game: War, args: Args, by: Person) -> None:
    """Method B: the house's own chips beside a war stake are no stake (7.4.4(a)(ii))."""
    if game.config.war_method != "B":
        raise Refusal("no_house_chips", "House chips are laid only under method B.", game.rules.cites["house_chips"])
    box, amount = told(args, "box", int), told(args, "amount", int)
    game.state.round.house_chips[str(box)] = game.state.round.house_chips.get(str(box), 0) + amount
    game.desk.note("house_chips", game.rules.cites["house_chips"], box=box, amount=amount)


def surplus(game: War, args: Args, by: Person) -> None:
    sight = str(args.get("sight", ""))
    asked = game.asked("surplus:")
    remedy = game.rules.remedies["surplus"]
    if asked is not None and sight in ("seen", "unseen"):
        game.desk.withdraw(asked.subject)
        rulings.answer_surplus(game, asked, sight, {}, by)
    else:
        game.ruled("surplus", "the next card in order", by, remedy.clauses)


def misread(game: War, args: Args, by: Person) -> None:
    """A card is another one than the reader told; what was paid on it already is a dispute."""
    index, face = game.card_index(args), face_told(args)
    if game.part not in ("burning", "dealing", "interim") and not game.state.round.of_the_war(index):
        raise Refusal(
            "settled", "Chips were moved on this card already; rule the dispute.", game.rules.cites["dispute"]
        )
    clauses = game.rules.cites["face_of_card"]
    booking.unbook(game, lambda booked: not booked.done, clauses)
    rulings.name_card(game, index, face)
    if game.machine.may("misread"):
        game.machine.fire("misread")
    else:
        rulings.go_on(game)


def not_drawn(game: War, args: Args, by: Person) -> None:
    """A card told twice, or half drawn and pushed back, never left; what is asked of later ones is asked anew."""
    index = game.card_index(args)
    if game.part not in dealing.DEALS and not doubts.in_doubt(game, index):
        raise Refusal("settled", "The round went on from this card; rule the dispute.", game.rules.cites["dispute"])
    if game.is_asked("double"):
        text = "Say first in which order the cards came that came together."
        raise Refusal("order_open", text, game.rules.remedies["double_unknown"].clauses)
    dealing.not_drawn(game, index, by)
    rulings.go_on(game)


def settled_as(game: War, args: Args, by: Person) -> None:
    """Everything was settled, one stake wrongly: the error came to light too late to change it (9.8.1)."""
    stake, how = game.state.round.stake(told(args, "wager")), told(args, "result")
    clauses = game.rules.remedies["decision_missed_settled"].clauses
    if how not in ("win", "lose", "standoff", "surrender"):
        raise Refusal("bad_result", "A stake was settled as win, lose, standoff or surrender.", clauses)
    odds = {"tie": game.rules.odds.tie, "a_bomb": game.rules.odds.a_bomb}.get(stake.zone, 1)
    pays = settle.payable(game.rules, stake.counted * odds, game.chip) if how == "win" else 0
    result = settle.result(stake, how, pays, stake.counted if how == "lose" else 0, clauses)
    if how == "surrender":
        result = settle.surrender(game.rules, stake, game.chip, clauses)
    if stake.id in game.state.round.booked:
        booking.take_back(game, (game.state.round.booked[stake.id].result,))
    booking.owe(game, (result,))
    game.state.round.booked[stake.id] = Booked(result, "as_settled")
    game.emit_settled("as_settled", (result,))
    game.ruled("settled_as", f"{stake.id}: {how}", by, clauses)
    for booked in game.state.round.booked.values():
        booked.done = True
    if stake.zone == "main":
        settling.withdraw_question(game, stake)
    if any(booking.is_open(game, other) for other in game.state.round.stakes):
        settling.after_choice(game)
    else:
        game.machine.fire("settled_otherwise")


def burn_missed(game: War, args: Args, by: Person) -> None:
    """The first card was not burned: it stays in play (Star 11.10)."""
    clauses = game.rules.remedies["burn_missed"].clauses
    start = [slot for slot in game.state.round.slots if slot.stage == "start"]
    if not start:
        raise Refusal("no_burn", "No burn was due.", clauses)
    game.ruled("burn_missed", "the card stays in play", by, clauses)
    for slot in start:
        game.state.round.drop_slot(slot.place, "start")
    dealing.advance(game)


def skip_burn(game: War, args: Args, by: Person) -> None:
    """A supervisor lets play go on without further burns (X8)."""
    state = game.state
    state.shoe.skip_burn = True
    done = state.round.filled()
    state.round.slots[done:] = [
        slot for slot in state.round.slots[done:] if slot.place not in ("shoe-burn", "shoe-start-up")
    ]
    game.ruled("skip_burn", "no further burn", by, (game.table.house.power("skip_burn").clause,))
    dealing.advance(game)


def absent(game: War, args: Args, by: Person) -> None:
    player = told(args, "player")
    if player not in game.state.round.absent:
        game.state.round.absent.append(player)
    game.ruled("absent", player, by, game.rules.remedies["absent"].clauses)
    for main in game.state.round.tied_mains():
        taken = game.state.round.choice(main.box, main.player)
        if main.player == player and taken is not None and not taken.choice:
            game.desk.withdraw(f"choice:{main.box}:{player}")
            settling.silent(game, main, "absent")
    settling.after_choice(game)


def invalid_card(game: War, args: Args, by: Person) -> None:
    """A stake laid without the player's own valid card (Star 11.22)."""
    player, remedy = told(args, "player"), game.rules.remedies["invalid_card"]
    if not game.rules.wagers.player_card:
        raise Refusal("no_card_rule", "This rulebook asks for no player card.", remedy.clauses)
    if player in game.state.players.carded:
        game.state.players.carded.remove(player)
    if game.machine.state == "over":
        game.ruled("invalid_card", f"{player}: settled, results stand", by, ("11.22.3",))
    elif not game.state.round.started:
        game.ruled("invalid_card", f"{player}: stakes returned", by, ("11.22.1", "13.1"))
        betting.hand_back_all(game, player, ("11.22.1", "13.1"))
    elif may(game, by, remedy):
        void_invalid(game, player, by)
    else:
        text = f"{player} played on a card that is not their own. Void the stakes, money back?"
        put(game, f"invalid:{player}", text, {"player": player}, remedy, "Void, stake back, no winnings")


def void_invalid(game: War, player: str, by: Person) -> None:
    remedy = game.rules.remedies["invalid_card"]
    game.desk.withdraw(f"invalid:{player}")
    game.ruled("invalid_card", f"{player}: void", by, remedy.clauses)
    _void_of_player(game, player, remedy, keep_losing=game.rules.wagers.losing_invalid_stake == "collect")


def invalid_stake(game: War, args: Args, by: Person) -> None:
    """A stake against the rules goes back, and with a main stake what needs it to lie there."""
    stake = game.state.round.stake(told(args, "wager"))
    clauses = game.rules.cites["tie_alone"]
    game.ruled("invalid_stake", f"{stake.id}: void, goes back", by, clauses)
    needing = ("war",) if game.rules.wagers.tie_alone else ("war", "tie")

    def concerned(other: Stake) -> bool:
        same = (other.box, other.player) == (stake.box, stake.player)
        needs_it = stake.zone == "main" and same and other.zone in needing
        return booking.is_open(game, other) and (other.id == stake.id or needs_it)

    if booking.is_open(game, stake):
        booking.void_stakes(game, concerned, clauses)
        rulings.after_void_boxes(game, clauses)


def void_hand(game: War, args: Args, by: Person) -> None:
    box, remedy = told(args, "box", int), game.rules.remedies["rebuild_failed"]
    if may(game, by, remedy):
        do_void_hand(game, [box], by)
    else:
        text = f"The hand on box {box} cannot be rebuilt. Void it?"
        put(game, f"void_hand:{box}", text, {"boxes": [box]}, remedy, "Void the hand")


def do_void_hand(game: War, boxes: list[int], by: Person) -> None:
    game.withdraw_questions("unknown:")
    for box in boxes:
        game.desk.withdraw(f"void_hand:{box}")
    rulings.lost(game, game.rules.remedies["rebuild_failed"], boxes, by)


def void_round(game: War, args: Args, by: Person) -> None:
    _void_by(game, "void_round", "rebuild_failed", "The round cannot be rebuilt. Void it?", by)


def misdeal(game: War, args: Args, by: Person) -> None:
    _void_by(game, "misdeal", "misdeal", "A misdeal: void the open stakes and deal anew?", by)


def _void_by(game: War, subject: str, name: str, text: str, by: Person) -> None:
    remedy = game.rules.remedies[name]
    if may(game, by, remedy):
        rulings.lost(game, remedy, [], by)
    else:
        put(game, subject, text, {"remedy": name}, remedy, "Void")


def wrong_deck(game: War, args: Args, by: Person) -> None:
    doubts.wrong_deck(game, str(args.get("what") or "A card is missing or foreign."), by=by)
    asked = game.asked("wrong_deck")
    assert asked is not None  # by the line before
    if may(game, by, game.rules.remedies["wrong_deck"]):
        game.desk.withdraw("wrong_deck")
        rulings.answer_wrong_deck(game, asked, "void", {}, by)


def cancel(game: War, args: Args, by: Person) -> None:
    """The outcome is cancelled: disruption or fraud; a device user's stake may be forfeited (Star 13.6)."""
    reason = told(args, "reason")
    name = "cancel_fraud" if reason == "fraud" else "cancel_disruption"
    remedy = game.rules.remedies[name]
    forfeit = listed(args, "forfeit")
    if forfeit and "forfeit" not in game.table.house.rulebook.powers:
        raise Refusal("no_forfeit", "This rulebook knows no forfeiture.", remedy.clauses)
    if may(game, by, remedy):
        do_cancel(game, name, forfeit, by)
    else:
        text = f"Cancel the outcome ({reason}) and refund the stakes?"
        put(game, "cancel", text, {"remedy": name, "forfeit": forfeit}, remedy, "Cancel and refund")


def do_cancel(game: War, name: str, forfeit: list[str], by: Person) -> None:
    remedy = game.rules.remedies[name]
    game.desk.withdraw("cancel")
    game.ruled("cancel", name, by, remedy.clauses)
    if game.machine.can("voided"):
        booking.void_round(game, remedy.returns, remedy.clauses, forfeit)
    else:
        booking.void_scope(game, "all", remedy.clauses, forfeit)


def void_player(game: War, args: Args, by: Person) -> None:
    player, remedy = told(args, "player"), game.rules.remedies["sanction"]
    if may(game, by, remedy):
        do_void_player(game, player, by)
    else:
        text = f"Void the wagers of {player}?"
        put(game, f"void_player:{player}", text, {"player": player}, remedy, "Void")


def do_void_player(game: War, player: str, by: Person) -> None:
    remedy = game.rules.remedies["sanction"]
    game.desk.withdraw(f"void_player:{player}")
    game.ruled("void_player", player, by, remedy.clauses)
    _void_of_player(game, player, remedy)


def _void_of_player(game: War, player: str, remedy: Remedy, keep_losing: bool = False) -> None:
    """One player's open stakes have no result; boxes nobody else holds get no further card."""
    round_ = game.state.round
    forfeit = [player] if game.rules.wagers.voided_stake == "forfeited" else []

    def concerned(stake: Stake) -> bool:
        if stake.player != player or not booking.is_open(game, stake):
            return False
        booked = round_.booked.get(stake.id)
        return not (keep_losing and booked is not None and booked.result.result == "lose")

    booking.void_stakes(game, concerned, remedy.clauses, forfeit)
    done = round_.filled()
    playing = {f"box{s.box}" for s in round_.stakes if booking.is_open(game, s)}
    keep = [slot for slot in round_.slots[done:] if not slot.place.startswith("box") or slot.place in playing]
    round_.slots[done:] = keep
    rulings.after_void_boxes(game, remedy.clauses)


def bar_player(game: War, args: Args, by: Person) -> None:
    player = told(args, "player")
    game.state.house.barred.append(player)
    game.ruled("bar_player", player, by, game.rules.cites["barred"])


def warned(game: War, args: Args, by: Person) -> None:
    player = told(args, "player")
    if player not in game.state.players.warned:
        game.state.players.warned.append(player)
    game.desk.note("warned_under_minimum", game.rules.cites["under_minimum"], player=player, by=by.id)


def allow_several(game: War, args: Args, by: Person) -> None:
    player = told(args, "player")
    game.desk.withdraw(f"several:{player}")
    if player not in game.state.players.several:
        game.state.players.several.append(player)
    game.ruled("several_boxes", player, by, game.rules.cites["several_boxes"])


def share(game: War, args: Args, by: Person) -> None:
    most = told(args, "most", int)
    if not 1 <= most <= game.rules.wagers.share_most:
        text = f"Between 1 and {game.rules.wagers.share_most} may share an area."
        raise Refusal("bad_share", text, game.rules.cites["zone_full"])
    game.state.house.share_most = most
    game.ruled("share", str(most), by, game.rules.cites["zone_full"])


def mispaid(game: War, args: Args, by: Person) -> None:
    """A wrong payment for the record, marked for the month's report where it is large (Star 11.19 to 11.21)."""
    paid, due = told(args, "paid", int), told(args, "due", int)
    facts = {"wager": args.get("wager", ""), "paid": paid, "due": due, "intended": bool(args.get("intended", False))}
    game.desk.note("mispaid", game.rules.cites["mispaid"], by=by.id, report=abs(paid - due) > REPORTABLE_ABOVE, **facts)


def dispute(game: War, args: Args, by: Person) -> None:
    game.ruled("dispute", told(args, "decision"), by, game.rules.cites["dispute"])
    game.state.house.decided_by = by.id
    game.desk.note("dispute", game.rules.cites["dispute"], text=args.get("text", ""), told_of_inspector=True)


def review(game: War, args: Args, by: Person) -> None:
    """A disputed decision is looked at again by somebody else of higher rank (Star 13.12)."""
    clauses = game.rules.cites["dispute"]
    decision = told(args, "decision")
    if not game.state.house.decided_by:
        raise Refusal("no_decision", "There is no decision to review; decide the dispute first.", clauses)
    if game.state.house.decided_by == by.id:
        raise Refusal("same_person", f"{by.id} decided it; a review needs another person.", clauses)
    game.ruled("review", decision, by, clauses)
    game.desk.note("review", clauses, decided_by=game.state.house.decided_by, by=by.id, told_of_inspector=True)
    game.state.house.decided_by = ""


DO: dict[str, Callable[[War, Args, Person], None]] = {
    "check_cards": checking.check_cards,
    "order_check": checking.order_check,
    "read_cards": checking.read_cards,
    "shuffled": shoe.shuffled,
    "place_bets": rounds.place_bets,
    "no_more_bets": no_more_bets,
    "settled": settled,
    "choice": choice,
    "keep_minimum": notices.keep_minimum,
    "change_decks": notices.change_decks,
    "assign": chips.assign,
    "sit": persons.sit,
    "withhold": persons.withhold,
    "inquiry_over": persons.inquiry_over,
    "refuse_stake": betting.refuse_stake,
    "spoken": spoken.spoken,
    "house_chips": house_chips,
    "player_card": persons.player_card,
    "player_left": persons.player_left,
    "reserve": persons.reserve,
    "card_touched": persons.card_touched,
    "riffle": shoe.riffle,
    "show_burn": shoe.show_burn,
    "fed": rounds.fed,
    "surplus": surplus,
    "misread": misread,
    "not_drawn": not_drawn,
    "misplaced": rulings.misplaced,
    "dealer_card_missing": rulings.dealer_card_missing,
    "passed_over": rulings.passed_over,
    "astray": rulings.astray,
    "choice_missed": rulings.choice_missed,
    "settled_as": settled_as,
    "burn_missed": burn_missed,
    "skip_burn": skip_burn,
    "bad_cut": shoe.bad_cut,
    "shoe_empty": shoe.out_of_cards,
    "absent": absent,
    "invalid_card": invalid_card,
    "invalid_stake": invalid_stake,
    "void_hand": void_hand,
    "void_round": void_round,
    "misdeal": misdeal,
    "wrong_deck": wrong_deck,
    "cancel": cancel,
    "void_player": void_player,
    "bar_player": bar_player,
    "warned": warned,
    "order_shuffle": shoe.order_shuffle,
    "replace_cards": shoe.replace_cards,
    "set_aside": shoe.set_aside,
    "replace_card": shoe.replace_card,
    "notified": shoe.notified,
    "deck_checked": shoe.deck_checked,
    "allow_several": allow_several,
    "share": share,
    "waiting": betting.waiting,
    "mispaid": mispaid,
    "dispute": dispute,
    "review": review,
}
