"""Interim settlement, choices, second deal, final settlement, and what a void takes back."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from controller.effects import Option, Reversed, Settled, WagerResult
from controller.games.war import dealing, order, persons, rulings, settle, shoe
from controller.games.war.cards import UNKNOWN
from controller.games.war.composition import Composition
from controller.games.war.layout import HOUSE
from controller.games.war.rules import Clauses
from controller.games.war.stakes import Stake, cents
from controller.games.war.state import NEXT_ROUND, Booked, Choice, Slot, filled, held, laid, parked, places
from controller.people import Person

if TYPE_CHECKING:
    from controller.games.war.game import WarGame


def interim(game: WarGame) -> None:
    """Everything the first cards decided is paid, taken or given back."""
    state, rules = game.state, game.rules
    cards = {place: card.face for place, card in laid(state, "first").items()}
    results = []
    for stake in state.stakes:
        if stake.id in state.booked:
            continue
        if not stake.live:
            results.append(settle.void(stake, ()))
            continue
        outcome = settle.on_first_cards(rules, game.column, stake.zone, cards[f"box{stake.box}"], cards["dealer"])
        if outcome.result != "tied":
            results.append(settle.book(rules, stake, outcome, game.chip))
    _book(game, "interim", results, rules.cite("interim"))
    if rules.cites["decided_hands"]:
        _clear(game, {stake.box for stake in state.stakes} - {main.box for main in game.tied_mains()}, "decided_hands")
    shoe.feed_if_due(game)


def _clear(game: WarGame, boxes: set[int], why: str) -> None:
    """Hands that are done leave the layout; the others stay with their card (Star 8.2.3, 8.3, Perth 4.10(b))."""
    dealt = sorted(box for box in boxes if f"box{box}" in laid(game.state, "first"))
    if dealt:
        text = f"Cards of {'box' if len(dealt) == 1 else 'boxes'} {', '.join(map(str, dealt))} to the discards."
        game.desk.announce("dealer", "clear_cards", text, game.rules.cite(why))


def _book(game: WarGame, stage: str, results: Iterable[WagerResult], clauses: Clauses) -> None:
    """Owe what was decided; steps for the dealer in the order of the rulebook."""
    state = game.state
    results = tuple(persons.as_due(game, result) for result in results)
    for result in results:
        state.booked[result.wager] = Booked(result, stage)
    if results:
        game.desk.emit(Settled(game.table.state.round, stage, results))
        owe(game, results)
    steps = order.interim_steps if stage == "interim" else order.final_steps
    todo = [list(step) for step in steps(game.rules, state.stakes, results)]
    game.desk.note(f"settle_{stage}", clauses, steps=todo)


def owe(game: WarGame, results: Iterable[WagerResult]) -> None:
    """These chips are to be taken and paid now."""
    if game.sees_chips:
        game.money.owe(results, game.area_of)


def take_back(game: WarGame, results: Iterable[WagerResult]) -> None:
    """What these results asked for is asked no longer; whatever was moved for them goes back."""
    for result in results:
        if result.withheld and result.player in game.state.held_back:
            game.state.held_back[result.player] -= result.pays
        net = result.stake_taken - (0 if result.withheld else result.pays)
        if net and game.sees_chips:
            game.money.expect(game.area_of(result), net, result.bet)


def take_and_pay_done(game: WarGame, what: str, args: dict[str, Any], by: Person) -> bool:
    """Whether the chips lie as the settlement asks, or somebody of rank lets it pass; if not, it has been said why."""
    return game.money.may_end(what, by, bool(args.get("confirmed")), str(args.get("reason", "")))


def settled(game: WarGame) -> None:
    """The dealer says that chips were moved as listed."""
    phase = game.machine.state
    for booked in game.state.booked.values():
        if booked.result.result == "win":
            game.state.interim_paid = True
        booked.done = True
    if phase == "interim":
        if game.ties_open():
            game.machine.fire("interim_settled")
            offer(game)
        elif not rulings.held_waits(game):
            game.machine.fire("interim_settled")
            end(game, True)
    elif not rulings.held_waits(game):
        game.machine.fire("final_settled")
        end(game, True)


# -- war or surrender ----------------------------------------------------------------------------------------------


def offer(game: WarGame) -> None:
    """Put the choice to every tied main stake that has none, in the order of the house."""
    state, rules = game.state, game.rules
    rank, clause = game.table.house.power("enter_decision")
    for main in order.offers(rules, game.tied_mains()):
        if any((choice.box, choice.player) == (main.box, main.player) for choice in state.choices):
            continue
        state.choices.append(Choice(main.box, main.player))
        if main.player in state.absent:
            silent(game, main, "absent")
            continue
        game.desk.ask(
            _subject(main),
            f"Box {main.box}, {main.player}: war with another {cents(main.amount)}, or surrender half?",
            {"box": main.box, "player": main.player, "amount": main.amount, "counted": main.counted},
            "",
            (
                Option("war", "Go to war", rank, clause),
                Option("surrender", "Surrender half", rank, clause),
                Option("decline", "No answer", rank, clause),
            ),
            rules.cite("offers"),
        )
    after_choice(game)


def _subject(main: Stake) -> str:
    return f"choice:{main.box}:{main.player}"


def withdraw_question(game: WarGame, main: Stake) -> None:
    """The choice, or what to make of its silence, is no question any more."""
    game.desk.withdraw(_subject(main))
    game.desk.withdraw(f"silent:{main.box}:{main.player}")


def choose(game: WarGame, box: int, player: str, answer: str) -> None:
    """A player's choice; players sharing a box choose alone."""
    main = game.tied_main(box, player)
    choice = game.choice(box, player)
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
        _expect_war_stake(game, main)
    after_choice(game)


def _expect_war_stake(game: WarGame, main: Stake) -> None:
    if game.war_stake(main) is None:
        text = f"{main.player} lays {cents(main.amount)} beside the main stake on box {main.box}."
        game.desk.announce("dealer", "war_stake", text, game.rules.cite("war_stake"))
    elif game.config.war_method == "B":
        text = f"Lay {cents(main.counted)} of house chips on box {main.box}."
        game.desk.announce("dealer", "house_chips", text, game.rules.cite("house_chips"))
        asked = game.state.house_asked
        asked[str(main.box)] = asked.get(str(main.box), 0) + main.counted
        _expect_house_chips(game, main.box, main.counted)


def _expect_house_chips(game: WarGame, box: int, amount: int) -> None:
    if game.sees_chips:
        area = game.layout.area(box, HOUSE)
        assert area is not None  # method B has a place for them
        game.money.expect(area, amount, f"{HOUSE} {box}")


def silent(game: WarGame, main: Stake, why: str) -> None:
    """A player who is away or makes no choice: a surrender where the rules say so, else a ruling (M18, P12, S13)."""
    choice = game.choice(main.box, main.player)
    assert choice is not None
    remedy = game.rules.remedies["absent"]
    if game.rules.war.silent_player == "surrender":
        choice.choice = "surrender"
        _surrender(game, main, remedy.clauses if why == "absent" else game.rules.cite("decline"))
        return
    rank, clause = game.table.house.power(remedy.power)
    game.desk.ask(
        f"silent:{main.box}:{main.player}",
        f"{main.player} on box {main.box} makes no choice. Surrender is the one that needs no further stake.",
        {"box": main.box, "player": main.player, "why": why},
        "surrender",
        (Option("surrender", "Surrender half", rank, clause), Option("wait", "Ask again", 1, clause)),
        remedy.clauses,
    )


def forget_choices(game: WarGame) -> None:
    """Whoever has no main stake in the round any more has nothing to choose."""
    state = game.state
    playing = {(stake.box, stake.player) for stake in state.stakes if stake.zone == "main" and stake.live}
    state.choices = [choice for choice in state.choices if (choice.box, choice.player) in playing]
    game.withdraw_questions("choice:", "silent:", only_stale=True)


def ask_again(game: WarGame, box: int, player: str) -> None:
    """Nobody ruled; the player is asked once more."""
    game.state.choices = [c for c in game.state.choices if (c.box, c.player) != (box, player)]
    game.state.absent = [name for name in game.state.absent if name != player]
    offer(game)


def _surrender(game: WarGame, main: Stake, why: Clauses = ()) -> None:
    result = settle.surrender(game.rules, main, game.chip, why)
    game.state.booked[main.id] = Booked(result, "surrender", done=True)
    game.desk.emit(Settled(game.table.state.round, "surrender", (result,)))
    owe(game, (result,))


def after_choice(game: WarGame) -> None:
    """Once every choice is made and every war stake lies there, the second deal, or the end."""
    if game.machine.state != "choosing" or not game.all_chosen():
        return
    boxes = [stake.box for stake in game.war_stakes()]
    if not boxes and rulings.held_waits(game):
        return
    _clear(game, {choice.box for choice in game.state.choices} - set(boxes), "surrendered_hands")
    if not boxes:
        game.machine.fire("chosen")
        end(game, True)
        return
    game.withdraw_questions("surplus:")
    game.desk.alarm_over("choice_open")
    game.machine.fire("chosen")
    game.state.slots += [Slot(place, "war") for place in order.war_places(game.rules, boxes)]
    dealing.advance(game)


def drop_war(game: WarGame) -> None:
    """The second deal has not happened: its places are gone, its cards wait to be dealt again in drawn order."""
    game.state.slots = [slot for slot in game.state.slots if slot.stage != "war"]
    unbook(game, lambda booked: booked.stage == "final", ())


def undo_choices(game: WarGame, whose: Callable[[Stake], bool], clauses: Clauses) -> None:
    """These have not chosen yet: no half was kept, and their war stakes are theirs until they choose."""
    state = game.state
    theirs = {stake.id: stake for stake in state.stakes if whose(stake)}
    unbook(game, lambda booked: booked.stage == "surrender" and booked.result.wager in theirs, clauses)
    for stake in theirs.values():
        withdraw_question(game, stake)
        state.choices = [c for c in state.choices if (c.box, c.player) != (stake.box, stake.player)]
    for stake in game.war_stakes():
        if whose(stake):
            state.stakes.remove(stake)
            _no_house_chips(game, stake)
            text = f"Hand {stake.player} the war stake until the choice is taken."
            game.desk.announce("dealer", "hand_back", text, clauses)


def final(game: WarGame) -> None:
    """Main stakes at war, war stakes and war-stage Perfect Pairs."""
    state, rules = game.state, game.rules
    cards = {place: card.face for place, card in laid(state, "war").items()}
    results = []
    for stake in state.stakes:
        if stake.id not in state.booked:
            outcome = settle.on_war_cards(rules, game.column, stake.zone, cards[f"box{stake.box}"], cards["dealer"])
            results.append(settle.book(rules, stake, outcome, game.chip))
    _book(game, "final", results, rules.cite("final"))
    _house_chips_go_back(game)


# -- void ----------------------------------------------------------------------------------------------------------


def unbook(game: WarGame, which: Callable[[Booked], bool], clauses: Clauses) -> None:
    """Take results back that are to be decided anew."""
    gone = [wager for wager, booked in game.state.booked.items() if which(booked)]
    taken_back = tuple(game.state.booked.pop(wager).result for wager in gone)
    if taken_back:
        take_back(game, taken_back)
        back = tuple(settle.void(game.stake(result.wager), clauses) for result in taken_back)
        game.desk.emit(Reversed(game.table.state.round, back, clauses))


def void_stakes(game: WarGame, which: Callable[[Stake], bool], clauses: Clauses, forfeit: Iterable[str] = ()) -> None:
    """No result for these stakes, whatever was booked before; they go back, or are forfeited by direction."""
    state = game.state
    taken = set(forfeit)
    results: list[WagerResult] = []
    reversed_: list[WagerResult] = []
    for stake in state.stakes:
        if not which(stake):
            continue
        result = settle.void(stake, clauses, stake.player in taken)
        if stake.id in state.booked:
            take_back(game, (state.booked[stake.id].result,))
        if result.stake_taken:
            owe(game, (result,))
        (reversed_ if stake.id in state.booked else results).append(result)
        state.booked[stake.id] = Booked(result, "void", done=True)
        if stake.dealt:
            stake.status = "void"
    if reversed_:
        game.desk.emit(Reversed(game.table.state.round, tuple(reversed_), clauses))
    if results:
        game.desk.emit(Settled(game.table.state.round, "void", tuple(results)))


def is_open(game: WarGame, stake: Stake) -> bool:
    """Not yet decided with its chips moved."""
    booked = game.state.booked.get(stake.id)
    return booked is None or not booked.done


def void_round(game: WarGame, scope: str, clauses: Clauses, forfeit: Iterable[str] = ()) -> None:
    """End the round without result for all of its stakes, or for the open ones; a shuffle under way is done anew."""
    if scope == "all":
        void_stakes(game, lambda stake: stake.status != "refused", clauses, forfeit)
    else:
        void_stakes(game, lambda stake: is_open(game, stake), clauses, forfeit)
    for card in held(game.state):
        card.place = "discard"
    if game.machine.state in ("reshuffling", "recutting"):
        game.state.shuffle_due = list(game.rules.remedies["shoe_empty"].clauses)
    game.machine.fire("end_round")
    end(game, False)


# -- the end -------------------------------------------------------------------------------------------------------


def end(game: WarGame, valid: bool) -> None:
    """The round is over: keep everything about it for the record."""
    state = game.state
    game.desk.alarm_over("choice_open")
    game.desk.alarm_over("gate_forced")
    game.desk.alarm_over("card_touched")
    game.withdraw_questions()
    game.desk.withdraw("cut")
    _house_chips_go_back(game)
    lying = dealing.card_places(game)
    game.desk.note(
        "round",
        game.rules.cite("round_over"),
        round=game.table.state.round,
        valid=valid,
        cards=[card.face for card in state.drawn],
        read=[card.read for card in state.drawn],
        to=lying,
        stakes=[[s.id, s.player, s.box, s.zone, s.stage, s.amount, s.counted, s.status] for s in state.stakes],
        choices=[[c.box, c.player, c.choice] for c in state.choices],
        results=[
            [b.result.wager, b.result.result, b.result.pays, b.result.stake_taken, b.result.stake_returned]
            for b in state.booked.values()
        ],
        rulings=[[r.what, r.answer, r.by, list(r.clauses)] for r in state.rulings],
    )
    state.slots = state.slots[: filled(state)]  # whatever comes now is surplus
    state.carried = [parked(card) for card, place in zip(state.drawn, lying, strict=True) if place == NEXT_ROUND]
    shoe.collect(game)
    game.table.round_over(notice=valid)  # a void round is over too: the next one has the next number


def _no_house_chips(game: WarGame, stake: Stake) -> None:
    """Method B: the chips laid beside this war stake go back with it."""
    asked = game.state.house_asked
    if str(stake.box) in asked:
        asked[str(stake.box)] -= stake.counted
        _expect_house_chips(game, stake.box, -stake.counted)


def _house_chips_go_back(game: WarGame) -> None:
    """Method B: chips that pay nobody go back to the float; those slid to a winner have left their place as well."""
    asked, game.state.house_asked = game.state.house_asked, {}
    for box, amount in asked.items():
        _expect_house_chips(game, int(box), -amount)


def on_layout(game: WarGame) -> Composition:
    """The cards of this round alone, as when all others were shuffled back."""
    cards = Composition(game.state.cards.decks, set_aside=list(game.state.cards.set_aside))
    for card, place in zip(game.state.drawn, places(game.state), strict=True):
        if place in ("cut", "discard", "shoe-burn", "shoe-start-up", "round-burn"):
            continue
        if rulings.accounted(card) == UNKNOWN:
            cards.draw_unknown()
        else:
            cards.draw(rulings.accounted(card))
    return cards
