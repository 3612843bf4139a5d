"""Interim settlement, war or surrender, and final settlement."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from controller.core.desk import Refusal
from controller.games.war import booking, doubts, order, settle
from controller.games.war.play import War
from controller.games.war.rules import Clauses
from controller.games.war.state import Booked, Choice, Slot, Stake
from controller.money.amounts import dollars


def interim(game: War) -> None:
    """Everything the first cards decided is paid, taken or given back."""
    round_, rules = game.state.round, game.rules
    cards = {place: card.face for place, card in round_.laid("first").items()}
    chip, column, results = game.chip, game.column, []
    given_back = {stake.id for stake in round_.stakes if not stake.live}
    for stake in round_.stakes:
        if stake.id in round_.booked:
            continue
        if stake.id in given_back:
            results.append(settle.void(stake, ()))
            continue
        outcome = settle.on_first_cards(rules, column, stake.zone, cards[f"box{stake.box}"], cards["dealer"])
        if outcome.result != "tied":
            results.append(settle.book(rules, stake, outcome, chip))
    booking.book(game, "interim", results, rules.cites["interim"])
    if rules.cites["decided_hands"]:
        tied = {main.box for main in round_.tied_mains()}
        _clear(game, {stake.box for stake in round_.stakes} - tied, "decided_hands")


def ties_open(game: War) -> bool:
    return bool(game.state.round.tied_mains())


def at_war(game: War) -> bool:
    return bool(game.state.round.war_stakes())


def war_burns(game: War) -> bool:
    return game.rules.war.burns > 0 and at_war(game)


def _clear(game: War, boxes: set[int], why: str) -> None:
    """Hands that are done leave the layout; the others stay with their card (Star 8.2.3, 8.3, Perth 4.10(b))."""
    dealt = sorted(box for box in boxes if f"box{box}" in game.state.round.laid("first"))
    if dealt:
        text = f"Cards of {'box' if len(dealt) == 1 else 'boxes'} {', '.join(map(str, dealt))} to the discards."
        game.desk.announce("dealer", "clear_cards", text, game.rules.cite(why))


def settled(game: War) -> None:
    """The dealer says that chips were moved as listed; a round that ends so waits for the word on a surplus card."""
    for booked in game.state.round.booked.values():
        if booked.result.result == "win":
            game.state.round.interim_paid = True
        booked.done = True
    if game.state.round.choices and game.machine.can("chosen"):
        after_choice(game, halves_taken=True)
        return
    interim = game.machine.can("interim_settled")
    if (interim and game.state.round.tied_mains()) or not doubts.held_waits(game):
        game.machine.fire("interim_settled" if interim else "final_settled")


def finish_waiting(game: War) -> None:
    """The word on a surplus card was all that kept the round open."""
    to_settle = game.machine.can("interim_settled") or game.machine.can("final_settled")
    if to_settle and all(booked.done for booked in game.state.round.booked.values()):
        settled(game)
    else:
        after_choice(game)


# -- war or surrender ----------------------------------------------------------------------------------------------


def offer(game: War) -> None:
    """Put the choice to every tied main stake that has none, in the order of the house."""
    round_, rules = game.state.round, game.rules
    for main in order.offers(rules, game.state.round.tied_mains()):
        if any((choice.box, choice.player) == (main.box, main.player) for choice in round_.choices):
            continue
        round_.choices.append(Choice(main.box, main.player))
        if main.player in round_.absent:
            silent(game, main, "absent")
        else:
            game.ask("choice", main)
    after_choice(game)


def withdraw_question(game: War, main: Stake) -> None:
    """The choice, or what to make of its silence, is no question any more."""
    game.desk.withdraw(f"choice:{main.box}:{main.player}")
    game.desk.withdraw(f"silent:{main.box}:{main.player}")


def choose(game: War, box: int, player: str, answer: str) -> None:
    """A player's choice, before any war stake is laid; players sharing a box choose alone."""
    main = game.state.round.tied_main(box, player)
    choice = game.state.round.choice(box, player)
    assert main is not None  # nobody else is asked, and no question outlives its stake
    assert choice is not None
    withdraw_question(game, main)
    if answer == "decline":
        silent(game, main, "decline")
    elif answer == "surrender":
        choice.choice = "surrender"
        _surrender(game, main)
    else:
        choice.choice = "war"
        text = f"{main.player} lays {dollars(main.amount)} beside the main stake on box {main.box}."
        game.desk.announce("dealer", "war_stake", text, game.rules.cites["war_stake"])
    after_choice(game)


def war_stake_laid(game: War, main: Stake) -> None:
    """A war stake laid down is the choice of war; under method B the house lays as much beside it."""
    choice = game.state.round.choice(main.box, main.player)
    assert choice is not None  # whoever has a tied stake was asked
    choice.choice = "war"
    withdraw_question(game, main)
    if game.config.war_method == "B":
        text = f"Lay {dollars(main.counted)} of house chips on box {main.box}."
        game.desk.announce("dealer", "house_chips", text, game.rules.cites["house_chips"])
        asked = game.state.round.house_asked
        asked[str(main.box)] = asked.get(str(main.box), 0) + main.counted
        booking.expect_house_chips(game, main.box, main.counted)
    after_choice(game)


class Silence(NamedTuple):
    """Whose choice is missing, and why."""

    main: Stake
    why: str


def silent(game: War, main: Stake, why: str) -> None:
    """A player who is away or makes no choice: a surrender where the rules say so, else a ruling (M18, P12, S13)."""
    choice = game.state.round.choice(main.box, main.player)
    assert choice is not None
    remedy = game.rules.remedies["absent"]
    if game.rules.war.silent_player == "surrender":
        choice.choice = "surrender"
        _surrender(game, main, remedy.clauses if why == "absent" else game.rules.cites["decline"])
        return
    game.ask("silent", Silence(main, why))


def forget_choices(game: War) -> None:
    """Whoever has no main stake in the round any more has nothing to choose."""
    round_ = game.state.round
    playing = {(stake.box, stake.player) for stake in round_.stakes if stake.zone == "main" and stake.live}
    round_.choices = [choice for choice in round_.choices if (choice.box, choice.player) in playing]
    game.withdraw_questions("choice:", "silent:", only_stale=True)


def ask_again(game: War, box: int, player: str) -> None:
    """Nobody ruled; the player is asked once more."""
    game.state.round.choices = [c for c in game.state.round.choices if (c.box, c.player) != (box, player)]
    game.state.round.absent = [name for name in game.state.round.absent if name != player]
    offer(game)


def _surrender(game: War, main: Stake, why: Clauses = ()) -> None:
    result = settle.surrender(game.rules, main, game.chip, why)
    game.state.round.booked[main.id] = Booked(result, "surrender", done=True)
    booking.settled(game, "surrender", (result,))
    booking.owe(game, (result,))


def after_choice(game: War, halves_taken: bool = False) -> None:
    """Once every choice is made and every war stake lies there, the second deal, or the end.

    A round in which everybody surrendered is over once the house has its halves, or somebody answers for them.
    """
    if not game.machine.can("chosen") or not game.state.round.all_chosen():
        return
    boxes = {stake.box for stake in game.state.round.war_stakes()}
    if not boxes and ((halves_lie(game) and not halves_taken) or doubts.held_waits(game)):
        return
    _clear(game, {choice.box for choice in game.state.round.choices} - boxes, "surrendered_hands")
    game.machine.fire("chosen")


def halves_lie(game: War) -> bool:
    """Whether the half of a surrendered stake is still to be taken, as far as the chips can be seen."""
    if not game.sees_chips:
        return False
    areas, booked = game.areas(), game.state.round.booked
    surrendered = {areas[wager] for wager, one in booked.items() if one.stage == "surrender"}
    return bool(surrendered) and any(one.area in surrendered for one in game.money.still_wrong())


def halves_wait(game: War) -> bool:
    """Whether nothing but those halves keeps the round open."""
    round_ = game.state.round
    return game.machine.can("chosen") and round_.all_chosen() and not round_.war_stakes() and halves_lie(game)


def not_yet(game: War) -> Refusal:
    """While tied boxes choose nothing is settled but the half of what was surrendered last."""
    open_ = [main for main in game.state.round.tied_mains() if not game.state.round.war_stake(main)]
    boxes = ", ".join(str(main.box) for main in open_)
    text = f"War or surrender is still open on box {boxes}." if boxes else "Nothing is left to take here."
    return Refusal("not_now", text, game.rules.cites["offers"])


def all_have_chosen(game: War) -> None:
    """Nothing that was open about the choices is asked any more."""
    if game.table.state.desk.prompts:
        game.withdraw_questions("surplus:")


def lay_out_war(game: War) -> None:
    """The second deal has its places."""
    boxes = [stake.box for stake in game.state.round.war_stakes()]
    game.state.round.slots += [Slot(place, "war") for place in order.war_places(game.rules, boxes)]


def drop_war(game: War) -> None:
    """The second deal has not happened: its places are gone, its cards wait to be dealt again in drawn order."""
    game.state.round.slots = [slot for slot in game.state.round.slots if slot.stage != "war"]
    booking.unbook(game, lambda booked: booked.stage == "final", ())


def undo_choices(game: War, whose: Callable[[Stake], bool], clauses: Clauses) -> None:
    """These have not chosen yet: no half was kept, and their war stakes are theirs until they choose."""
    round_ = game.state.round
    theirs = {stake.id: stake for stake in round_.stakes if whose(stake)}
    booking.unbook(game, lambda booked: booked.stage == "surrender" and booked.result.wager in theirs, clauses)
    for stake in theirs.values():
        withdraw_question(game, stake)
        round_.choices = [c for c in round_.choices if (c.box, c.player) != (stake.box, stake.player)]
    for stake in game.state.round.war_stakes():
        if whose(stake):
            round_.stakes.remove(stake)
            round_.moved.pop(stake.id, None)
            round_.in_play = {tag: lay for tag, lay in round_.in_play.items() if lay.wager != stake.id}
            booking.no_house_chips(game, stake)
            text = f"Hand {stake.player} the war stake until the choice is taken."
            game.desk.announce("dealer", "hand_back", text, clauses)


def final(game: War) -> None:
    """Main stakes at war, war stakes and war-stage Perfect Pairs."""
    round_, rules = game.state.round, game.rules
    cards = {place: card.face for place, card in round_.laid("war").items()}
    chip, column, results = game.chip, game.column, []
    for stake in round_.stakes:
        if stake.id not in round_.booked:
            outcome = settle.on_war_cards(rules, column, stake.zone, cards[f"box{stake.box}"], cards["dealer"])
            results.append(settle.book(rules, stake, outcome, chip))
    booking.book(game, "final", results, rules.cites["final"])
    booking.house_chips_go_back(game)
