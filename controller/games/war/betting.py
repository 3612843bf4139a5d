"""Stakes come, change and go; betting closes; what lies there then is what the round is about."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec

from controller.core.desk import Limits, Refusal
from controller.core.effects import Refused
from controller.core.keys import CHIPS, Keys
from controller.games.war import alarms, hands, order, players, settling, several, spoken
from controller.games.war.asking import WAGER
from controller.games.war.events import StakeChanged, StakeLaid
from controller.games.war.giving_back import give_back, hand_back
from controller.games.war.play import War
from controller.games.war.stakes import (
    Counted,
    No,
    cap_area,
    count,
    partnership,
    refuse_first,
    refuse_war,
    refuse_war_pairs,
    ties_alone,
    unpayable,
)
from controller.games.war.state import AT_WAR, BEFORE_ROUND, SECOND_DEAL, Slot, Stake
from controller.money.amounts import dollars
from controller.people import Person

KEYS: Keys[War] = Keys(while_suspended=True, about=CHIPS)
WAR_PAIRS_FIRST = ("4.11",)
"""Perth's Perfect Pairs at war are offered first to those who went to war."""


def laid(game: War, event: StakeLaid) -> None:
    """Chips came to lie on a zone."""
    phase = game.machine.state
    waits = phase == "interim" or (phase == "ruling" and game.part in ("interim", "choosing"))
    if phase == "over" or (waits and event.zone == "war" and _is_tied(game, event)):
        _lies_ready(game, event)  # for what comes next; nobody has called for it yet
    elif phase in SECOND_DEAL and not war_stakes_open(game):
        _laid_late(game, event)
    elif event.zone == "war" or (event.zone == "perfect_pairs" and war_stakes_open(game)):
        _laid_for_war(game, event)
    elif phase in BEFORE_ROUND and phase != "closed":
        _laid_in_time(game, event)
    elif phase == "closed" and game.rules.wagers.close == "call" and not hands.in_time(game, event.player):
        _laid_after_call(game, event)
    elif phase == "closed":
        _laid_in_time(game, event)
    else:
        _laid_late(game, event)


def _is_tied(game: War, event: StakeLaid) -> bool:
    return game.state.round.tied_main(event.box, event.player) is not None


def _lies_ready(game: War, event: StakeLaid) -> None:
    felt = game.state.felt
    felt.early = [*(early for early in felt.early if early.wager != event.wager), event]


def _stake(game: War, event: StakeLaid, stage: str = "first", status: str = "live") -> Stake:
    round_ = game.state.round
    line = sum(1 for other in round_.stakes if (other.box, other.zone, other.stage) == (event.box, event.zone, stage))
    counted = event.amount
    return Stake(
        event.wager, event.player, event.box, event.zone, event.amount, stage, event.token, line, counted, status
    )


def _laid_in_time(game: War, event: StakeLaid) -> None:
    state = game.state
    stake, most = _stake(game, event), _share_most(game)
    no = players.may_not_stake(game, stake) or refuse_first(game.rules, game.layout, state.round.stakes, stake, most)
    if no is not None and no.code == "area_full" and _make_room(game, stake):
        no = None
    if event.player not in state.players.arrivals:
        state.players.arrivals.append(event.player)
    if no is not None:
        hand_back(game, stake, "refused", no)
        return
    state.round.stakes.append(stake)
    _warn_of_limits(game, stake)


def _share_most(game: War) -> int:
    return game.state.house.share_most or game.rules.wagers.share_most


def _make_room(game: War, stake: Stake) -> bool:
    """Who holds the area, by main stake or seat, comes before others on it: the last of those goes back."""
    clauses = game.rules.cites["priority"]
    beside = [other for other in game.state.round.stakes if other.live and other.box == stake.box]
    mains = {other.player for other in beside if other.zone == "main"}
    holders = mains if game.rules.wagers.share == "players" else {game.state.players.at_box.get(stake.box, "")}
    if not clauses or stake.player not in holders:
        return False
    yielding = [other for other in beside if other.zone == stake.zone and other.player not in holders]
    if not yielding:
        return False
    last = max(yielding, key=lambda other: other.line)
    text = f"{stake.player} comes first on the {stake.zone} of box {stake.box}."
    give_back(game, last, "refused", No("priority", text, clauses))
    return True


def _make_room_at_war(game: War, stake: Stake, at_war: set[tuple[int, str]]) -> bool:
    """Who went to war on a box comes before others on its Perfect Pairs: the last of those goes back (Perth 4.11)."""
    here = [other for other in game.state.round.stakes if other.live and other.stage == "war"]
    others = [other for other in here if other.box == stake.box and (other.box, other.player) not in at_war]
    if (stake.box, stake.player) not in at_war or not others:
        return False
    text = f"{stake.player} went to war on box {stake.box} and comes first on its {stake.zone}."
    give_back(game, max(others, key=lambda other: other.line), "refused", No("priority", text, WAR_PAIRS_FIRST))
    return True


@KEYS.key(
    "refuse_stake",
    "Refuse a stake before the deal",
    power="rule_late_chips",
    asks=(WAGER,),
    during=BEFORE_ROUND,
    undo="never",
)
def refuse_stake(game: War, by: Person, *, wager: str) -> None:
    """The dealer refuses a stake before the deal, such as one that could not be paid (Melbourne 5.14)."""
    stake = game.state.round.stake(wager)
    clauses = why_refused(game, stake) or game.rules.cites["stake_form"]
    if not stake.live:
        raise Refusal("in_play", f"{stake.player}'s stake is not in play, so there is nothing to refuse.", clauses)
    game.ruled("refuse_stake", stake.id, by, clauses)
    give_back(game, stake, "refused", No("refused", f"{stake.player}'s stake was refused.", clauses))


def why_refused(game: War, stake: Stake) -> tuple[str, ...]:
    """The clause that lets the dealer refuse a stake before the deal; none where nothing is wrong with it."""
    if stake in ties_alone(game.rules, game.state.round.stakes):
        return game.rules.cites["tie_alone"]
    limits = limits_of(game, stake)
    wrong = count(game.rules, stake, limits)
    if wrong.clauses or not unpayable(game.rules, stake, limits):
        return wrong.clauses or partnership(game.rules, game.state.round.stakes, stake, limits)
    return game.rules.cites["unpayable"]


def _warn_of_limits(game: War, stake: Stake) -> None:
    """Before the deal a wrong stake is put right, so say it while there is time."""
    limits = limits_of(game, stake)
    wrong = count(game.rules, stake, limits)
    if wrong.clauses:
        text = f"{stake.player}'s {dollars(stake.amount)} on box {stake.box} does not fit the limits."
        game.desk.announce("dealer", "limits", text, wrong.clauses)
    if unpayable(game.rules, stake, limits):
        text = f"A win of {stake.player} on box {stake.box} could not be paid exactly: refuse or accept the stake."
        game.desk.announce("dealer", "unpayable", text, game.rules.cites["unpayable"])
    together = partnership(game.rules, game.state.round.stakes, stake, limits) if not wrong.clauses else ()
    if together:
        text = f"Stakes on box {stake.box} are above the maximum together: refuse the last, if it is a partnership."
        game.desk.announce("dealer", "partnership", text, together)
    if any(other.player == stake.player and other.box != stake.box for other in game.state.round.stakes):
        several.look(game, stake.player)


def check_lines(game: War) -> None:
    """Shared stakes stand in one line, front player first: that is how each is known by its owner (Melbourne 5.12)."""
    shared: dict[int, list[str]] = {}
    for box, player in order.seats(game.state.round.stakes):
        shared.setdefault(box, []).append(player)
    lines = [f"box {box}: {', '.join(players)}" for box, players in shared.items() if len(players) > 1]
    if lines:
        text = f"See that shared stakes stand in line, front first ({'; '.join(lines)})."
        game.desk.announce("dealer", "line", text, game.rules.cites["line"])


def _laid_after_call(game: War, event: StakeLaid) -> None:
    """Between the call and the first card the dealer decides (M1)."""
    refused = spoken.was_refused(game, event.player, event.box, event.zone)
    if refused or game.rules.wagers.between_call_and_card == "return":
        _laid_late(game, event)
        return
    stake, most = _stake(game, event, status="asked"), _share_most(game)
    there = game.state.round.stakes
    no = players.may_not_stake(game, stake) or refuse_first(game.rules, game.layout, there, stake, most)
    if no is not None:
        hand_back(game, stake, "refused", no)
        return
    game.state.round.stakes.append(stake)
    game.ask("late", stake)


def _raised_after_call(game: War, stake: Stake, amount: int) -> None:
    """Chips added to a stake after the call are late chips like any others; what lay there at the call stays (M1)."""
    stake.before = stake.before or stake.amount
    stake.amount = amount
    stake.status = "asked"
    if game.rules.wagers.between_call_and_card == "return":
        rule_late(game, stake.id, "return")
        return
    game.ask("late", stake)


def take_early(game: War) -> None:
    """Chips that lay ready before the call for bets, before the choice of war was offered, or while the round stood."""
    early, game.state.felt.early = game.state.felt.early, []
    for event in early:
        laid(game, event)


def rule_late(game: War, wager: str, answer: str) -> None:
    """The dealer's word on chips after the call; another accepted stake may have filled the area meanwhile."""
    stake = game.state.round.stake(wager)
    if stake.before:
        _rule_raise(game, stake, answer)
    elif answer != "accept":
        stake.status = "late"
        stake.clauses = list(game.rules.remedies["late_chips"].clauses)
        return
    else:
        no = refuse_first(game.rules, game.layout, game.state.round.stakes, stake, _share_most(game))
        if no is not None:
            give_back(game, stake, "refused", no)
            return
        stake.status = "live"
    _warn_of_limits(game, stake)


def _rule_raise(game: War, stake: Stake, answer: str) -> None:
    """A stake that was added to counts whole, or as it lay at the call."""
    if answer != "accept":
        text = f"Give {dollars(stake.amount - stake.before)} back to {stake.player}."
        game.desk.announce("dealer", "hand_back", text, game.rules.remedies["late_chips"].clauses)
        stake.amount = stake.before
    stake.counted = stake.amount
    stake.status, stake.before = "live", 0


def _laid_late(game: War, event: StakeLaid) -> None:
    """After the first card nothing more comes into play."""
    clauses = game.rules.remedies["late_chips"].clauses
    hand_back(game, _stake(game, event), "late", No("late", "Chips after the close are not in play.", clauses))


def war_stakes_open(game: War) -> bool:
    """Whether war stakes, and Perfect Pairs at war, may be laid now."""
    phase = game.machine.state
    if phase == "choosing":
        return True
    return phase in AT_WAR and not any(
        slot.stage == "war" for slot in game.state.round.slots[: game.state.round.filled()]
    )


def _laid_for_war(game: War, event: StakeLaid) -> None:
    stake = _stake(game, event, "war")
    if event.player in game.state.house.barred:
        hand_back(game, stake, "refused", players.barred(game, event.player))
    elif event.zone == "war":
        _lay_war_stake(game, stake)
    else:
        _lay_war_pairs(game, stake)


def _lay_war_stake(game: War, stake: Stake) -> None:
    """Beside a tied main stake it is its player's choice of war."""
    round_ = game.state.round
    main = round_.tied_main(stake.box, stake.player) if war_stakes_open(game) else None
    lies = round_.war_stake(main) if main is not None else None
    no = refuse_war(game.rules, main, stake.amount)
    if no is None and lies is not None:
        no = No("war_stake_lies", "A war stake lies there already.", game.rules.cites["war_stake"])
    if no is not None:
        hand_back(game, stake, "refused", no)
        return
    assert main is not None  # it would have been refused
    round_.stakes.append(stake)
    _now_in_play(game, (stake.id,))
    stake.counted = min(stake.amount, main.counted)
    stake.clauses = list(main.clauses)
    settling.war_stake_laid(game, main)


def _lay_war_pairs(game: War, stake: Stake) -> None:
    """Perfect Pairs on the second deal."""
    round_ = game.state.round
    at_war = {(other.box, other.player) for other in round_.stakes if other.live and other.zone == "war"}
    no = refuse_war_pairs(game.rules, game.layout, round_.stakes, stake, _share_most(game), at_war)
    if no is not None and not _make_room_at_war(game, stake, at_war):
        hand_back(game, stake, "refused", no)
        return
    round_.stakes.append(stake)
    _now_in_play(game, (stake.id,))
    _count(game, [stake], game.state.players.warned)


def still_watched(game: War, stake: Stake) -> bool:
    """Whether what becomes of its chips matters although its result is booked."""
    if stake.stage == "war" and stake.status == "refused":
        return war_stakes_open(game)
    return stake.status == "late" or unpaid(game, stake)


def unpaid(game: War, stake: Stake) -> bool:
    """Whether it has won and is not paid yet: until then nobody touches it (Melbourne 5.4, Perth 6.1, Star 5.5)."""
    booked = game.state.round.booked.get(stake.id)
    if booked is None or booked.done or booked.result.result != "win":
        return False
    return game.money.unpaid(game.areas()[stake.id]) > 0


def changed(game: War, event: StakeChanged) -> None:
    """Chips of a stake became more or fewer."""
    round_ = game.state.round
    stake = next((stake for stake in round_.stakes if stake.id == event.wager), None)
    if stake is None or game.machine.state == "over":
        _changed_early(game, event)
        return
    if game.machine.state in BEFORE_ROUND:
        _changed_in_time(game, stake, event.amount)
        return
    if stake.stage == "war" and stake.status == "refused" and event.amount:
        _changed_in_time(game, stake, event.amount)  # put right, or tried again
        return
    if stake.status == "late":
        _late_again(game, stake, event.amount)
        return
    if stake.id in round_.booked and not unpaid(game, stake):
        return  # paid, taken or handed back: it may move
    if stake.live and event.amount and hands.in_time(game):
        stake.amount = event.amount
        _now_in_play(game, (stake.id,))
        _count(game, [stake], game.state.players.warned)
    elif event.amount == stake.amount or (event.amount > stake.amount and stake.id in round_.booked):
        round_.moved.pop(stake.id, None)
    elif event.amount != round_.moved.get(stake.id):
        round_.moved[stake.id] = event.amount
        alarm = alarms.StakeMoved(player=stake.player, box=stake.box, amount=dollars(event.amount))
        alarm.happened(game, stake.id)


def _late_again(game: War, stake: Stake, amount: int) -> None:
    """More chips that came too late are told like the first."""
    if amount > stake.amount:
        game.state.round.stakes.remove(stake)
        game.state.round.booked.pop(stake.id, None)
        laid(game, StakeLaid(stake.id, stake.player, stake.box, stake.zone, amount, stake.token))


def _changed_in_time(game: War, stake: Stake, amount: int) -> None:
    """Before the round a player may do as they like, but add nothing after the call; what went back is laid anew."""
    game.desk.withdraw(f"late:{stake.id}")
    in_time = hands.in_time(game, stake.player)
    called = game.machine.state == "closed" and game.rules.wagers.close == "call" and not in_time
    if called and (stake.live or stake.before) and amount > (stake.before or stake.amount):
        _raised_after_call(game, stake, amount)
        return
    if stake.before:
        stake.before, stake.status = 0, "live"
    uncarded = players.uncarded(game, stake.player) if stake.live and amount > stake.amount else None
    if uncarded is not None:
        _refuse_raise(game, stake, amount, uncarded)
        return
    if stake.live and amount > 0:
        stake.amount = stake.counted = amount
        _warn_of_limits(game, stake)
        return
    game.state.round.stakes.remove(stake)
    game.state.round.booked.pop(stake.id, None)
    several.look(game, stake.player)
    if amount > 0:
        laid(game, StakeLaid(stake.id, stake.player, stake.box, stake.zone, amount, stake.token))


def _refuse_raise(game: War, stake: Stake, amount: int, no: No) -> None:
    """What was added goes back; what lay there before stays in play."""
    game.desk.emit(Refused(f"stake {stake.id}", no.code, no.text, no.clauses))
    text = f"Give {dollars(amount - stake.amount)} back to {stake.player}."
    game.desk.announce("dealer", "hand_back", text, no.clauses)


def _changed_early(game: War, event: StakeChanged) -> None:
    kept = [early for early in game.state.felt.early if early.wager != event.wager]
    changed = [early for early in game.state.felt.early if early.wager == event.wager and event.amount > 0]
    game.state.felt.early = kept + [msgspec.structs.replace(early, amount=event.amount) for early in changed]


def call_no_more_bets(game: War) -> None:
    """Betting is closed by the call; a card that was parked is dealt now, as no reader will tell it."""
    if game.rules.wagers.close == "call":
        _closed(game)
    spoken.close(game)
    game.desk.announce("all", "no_more_bets", "No more bets.", game.rules.cites["no_more_bets"])
    if game.rules.cites["line"]:
        check_lines(game)
    if game.state.shoe.carried:
        game.machine.fire("parked_card")


def _closed(game: War) -> None:
    """Betting closes with the call, or else with the first card."""
    round_ = game.state.round
    if not round_.closed_at:
        round_.closed_at, round_.limits = game.desk.at, game.table.limits_in_force()


def say_not_called(game: War) -> None:
    if game.rules.wagers.close == "call":
        game.desk.announce("dealer", "no_call", "Dealt without the call.", game.rules.cites["no_more_bets"])


def limits_of(game: War, stake: Stake) -> Limits:
    """The limits this stake is measured with: the table's, the player's own, or a kept minimum (Star 6.5.1).

    Those that stood when betting closed; what is laid at a war is measured with those of now.
    """
    closed = game.state.round.limits if stake.stage == "first" else None
    limits = (closed or game.table.limits_in_force()).of(stake.player, stake.zone)
    kept = game.state.players.kept_minimum.get(stake.player)
    if kept is not None and _marked(game, stake):
        return msgspec.structs.replace(limits, least=min(kept, limits.least))
    return limits


def _marked(game: War, stake: Stake) -> bool:
    """The kept minimum is the player's on every box, or only where the marker lies: the first box taken (S17)."""
    taken = [box for box, player in game.state.players.at_box.items() if player == stake.player]
    return game.rules.limits.kept_minimum_boxes == "all" or stake.box in taken[:1]


def freeze(game: War) -> None:
    """The first card left: these are the round's stakes, this much of each counts, these places get cards."""
    state, rules = game.state, game.rules
    if game.table.state.desk.prompts:
        several.unanswered_go_back(game)
    state.round.started = True
    game.money.bets_closed()
    _closed(game)
    spoken.close(game)
    for stake in state.round.stakes:
        if stake.status == "asked":
            game.desk.withdraw(f"late:{stake.id}")
            rule_late(game, stake.id, "return")
    for stake in ties_alone(rules, state.round.stakes):
        stake.status = "invalid"
        stake.clauses = list(rules.cites["tie_alone"])
        game.desk.announce("dealer", "invalid", f"{stake.player}'s Tie has no main stake.", rules.cites["tie_alone"])
    warned = set(state.players.warned)  # stakes laid before the warning are all settled as placed (Melbourne 6.2.1)
    _count(game, [stake for stake in state.round.stakes if stake.live], warned)
    if rules.limits.count_per == "area":
        _cap_areas(game)
    _now_in_play(game, {stake.id for stake in state.round.stakes if stake.status in ("live", "give_back", "invalid")})
    state.players.seats = order.seats(state.round.stakes)
    places = order.first_places(rules, state.round.stakes, game.config.round_burn)
    state.round.slots += [Slot(place, "first") for place in places]


def _count(game: War, stakes: Sequence[Stake], warned: Collection[str]) -> None:
    """How much of each stake is in play, by the limits that hold for its player."""
    limits = [limits_of(game, stake) for stake in stakes]
    found = [count(game.rules, stake, its, stake.player in warned) for stake, its in zip(stakes, limits, strict=True)]
    for stake, counted in zip(stakes, found, strict=True):
        stake.counted, stake.clauses = counted.counted, list(counted.clauses)
        if counted.clauses:
            _outside_limits(game, stake, counted)


def _outside_limits(game: War, stake: Stake, found: Counted) -> None:
    if found.give_back:
        stake.status = "give_back"
    if found.warn and stake.player not in game.state.players.warned:
        game.state.players.warned.append(stake.player)
        game.desk.note("warned_under_minimum", found.clauses, player=stake.player, amount=stake.amount)
        text = f"Tell {stake.player} that wagers under the minimum come back from now on."
        game.desk.announce("dealer", "advise_minimum", text, found.clauses)
    else:
        text = f"Tell {stake.player} the table's limits."
        game.desk.announce("dealer", "advise_limits", text, found.clauses)


def _now_in_play(game: War, wagers: Collection[str]) -> None:
    """The chips of these stakes are known by their tags from now on, wherever they are put."""
    lying = game.state.felt.lying
    now = {tag: one for tag, one in lying.items() if one.wager in wagers}
    game.state.round.in_play |= now
    game.money.staked(now)


def _cap_areas(game: War) -> None:
    areas: dict[tuple[int, str], list[Stake]] = {}
    for stake in game.state.round.stakes:
        if stake.live:
            areas.setdefault((stake.box, stake.zone), []).append(stake)
    for (_, zone), line in areas.items():
        limits = game.state.round.limits or game.table.limits_in_force()
        cap_area(game.rules, line, limits.of("", zone).most)
