"""Stakes come, change and go; betting closes; what lies there then is what the round is about."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import msgspec

from controller.core.desk import Limits, Refusal, told
from controller.core.effects import Option, Refused
from controller.games.war import alarms, booking, order, settling, spoken
from controller.games.war.events import StakeChanged, StakeLaid
from controller.games.war.play import War
from controller.games.war.stakes import (
    No,
    cap_area,
    cents,
    count,
    refuse_first,
    refuse_war,
    refuse_war_pairs,
    ties_alone,
)
from controller.games.war.state import AT_WAR, BEFORE_ROUND, Slot, Stake
from controller.people import Person

WAR_PAIRS_FIRST = ("4.11",)
"""Perth's Perfect Pairs at war are offered first to those who went to war."""


def laid(game: War, event: StakeLaid) -> None:
    """Chips came to lie on a zone."""
    phase = game.machine.state
    if phase == "over":
        game.state.felt.early.append(event)  # chips for the next round; nobody has called for them yet
    elif event.zone == "war" or (event.zone == "perfect_pairs" and war_stakes_open(game)):
        _laid_for_war(game, event)
    elif phase in BEFORE_ROUND and phase != "closed":
        _laid_in_time(game, event)
    elif phase == "closed" and game.rules.wagers.close == "call":
        _laid_after_call(game, event)
    elif phase == "closed":
        _laid_in_time(game, event)
    else:
        _laid_late(game, event)


def _stake(game: War, event: StakeLaid, stage: str = "first", status: str = "live") -> Stake:
    round_ = game.state.round
    line = sum(1 for other in round_.stakes if (other.box, other.zone, other.stage) == (event.box, event.zone, stage))
    counted = event.amount
    return Stake(
        event.wager, event.player, event.box, event.zone, event.amount, stage, event.token, line, counted, status
    )


def _laid_in_time(game: War, event: StakeLaid) -> None:
    state = game.state
    stake = _stake(game, event)
    no = _person(game, stake) or refuse_first(game.rules, game.config, state.round.stakes, stake, game.share_most())
    if no is not None and no.code == "area_full" and _make_room(game, stake):
        no = None
    if event.player not in state.players.arrivals:
        state.players.arrivals.append(event.player)
    if no is not None:
        _hand_back(game, stake, "refused", no)
        return
    state.round.stakes.append(stake)
    _warn_of_limits(game, stake)


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
    _give_back(game, last, "refused", No("priority", text, clauses))
    return True


def _make_room_at_war(game: War, stake: Stake, at_war: set[tuple[int, str]]) -> bool:
    """Who went to war on a box comes before others on its Perfect Pairs: the last of those goes back (Perth 4.11)."""
    here = [other for other in game.state.round.stakes if other.live and other.stage == "war"]
    others = [other for other in here if other.box == stake.box and (other.box, other.player) not in at_war]
    if (stake.box, stake.player) not in at_war or not others:
        return False
    text = f"{stake.player} went to war on box {stake.box} and comes first on its {stake.zone}."
    _give_back(game, max(others, key=lambda other: other.line), "refused", No("priority", text, WAR_PAIRS_FIRST))
    return True


def refuse_stake(game: War, args: dict[str, Any], by: Person) -> None:
    """The dealer refuses a stake before the deal, such as one that could not be paid (Melbourne 5.14)."""
    stake = game.state.round.stake(told(args, "wager"))
    clauses = why_refused(game, stake) or game.rules.cites["stake_form"]
    if not stake.live:
        raise Refusal("in_play", f"{stake.player}'s stake is not in play, so there is nothing to refuse.", clauses)
    game.ruled("refuse_stake", stake.id, by, clauses)
    _give_back(game, stake, "refused", No("refused", f"{stake.player}'s stake was refused.", clauses))


def hand_back_all(game: War, player: str, clauses: tuple[str, ...]) -> None:
    """A player's stakes go back before the deal and are no part of the round (Star 11.22.1)."""
    for stake in [stake for stake in game.state.round.stakes if stake.player == player and stake.live]:
        _give_back(game, stake, "refused", No("invalid", f"{player} has no valid card of their own here.", clauses))


def why_refused(game: War, stake: Stake) -> tuple[str, ...]:
    """The clause that lets the dealer refuse a stake before the deal; none where nothing is wrong with it."""
    if stake in ties_alone(game.rules, game.state.round.stakes):
        return game.rules.cites["tie_alone"]
    wrong = count(game.rules, stake, limits_of(game, stake))
    return wrong.clauses or (game.rules.cites["unpayable"] if _unpayable(game, stake) else ())


def _person(game: War, stake: Stake) -> No | None:
    """Whether this player may stake here at all."""
    state, rules = game.state, game.rules
    barred = _barred(game, stake.player)
    if barred is not None:
        return barred
    if rules.wagers.player_card and stake.player not in state.players.carded:
        return No("no_player_card", f"No valid card of {stake.player} was read.", ("5.1", "13.1"))
    owner = state.players.reserved.get(str(stake.box), stake.player)
    if owner != stake.player:
        return No("reserved", f"Box {stake.box} is kept for {owner}.", ("5.10",))
    return None


def _barred(game: War, player: str) -> No | None:
    """Who is barred takes no further part, in a war least of all (M 11.2.2, P 6.6(b), Star 13.4.2)."""
    if player not in game.state.house.barred:
        return None
    return No("barred", f"{player} is barred from the game.", game.rules.cites["barred"])


def _hand_back(game: War, stake: Stake, status: str, no: No) -> None:
    """Not in play: recorded, and to be given back."""
    game.state.round.stakes.append(stake)
    _give_back(game, stake, status, no)


def _give_back(game: War, stake: Stake, status: str, no: No) -> None:
    stake.status = status
    stake.clauses = list(no.clauses)
    game.desk.emit(Refused(f"stake {stake.id}", no.code, no.text, no.clauses))
    booking.void_stakes(game, lambda other: other is stake, ())
    game.desk.announce("dealer", "hand_back", f"Give {cents(stake.amount)} back to {stake.player}.", no.clauses)


def _warn_of_limits(game: War, stake: Stake) -> None:
    """Before the deal a wrong stake is put right, so say it while there is time."""
    limits = limits_of(game, stake)
    wrong = count(game.rules, stake, limits)
    if wrong.clauses:
        text = f"{stake.player}'s {cents(stake.amount)} on box {stake.box} does not fit the limits."
        game.desk.announce("dealer", "limits", text, wrong.clauses)
    boxes = {other.box for other in game.state.round.stakes if other.live and other.player == stake.player}
    if (
        game.rules.wagers.several_boxes == "approval"
        and len(boxes) > 1
        and stake.player not in game.state.players.several
    ):
        _ask_several(game, stake.player, sorted(boxes))
    if _unpayable(game, stake):
        text = f"A win of {stake.player} on box {stake.box} could not be paid exactly: refuse or accept the stake."
        game.desk.announce("dealer", "unpayable", text, game.rules.cites["unpayable"])


def _unpayable(game: War, stake: Stake) -> bool:
    """Whether a win could not be paid in chips, where the rulebook lets such a stake be refused."""
    odds = game.rules.odds.tie if stake.zone == "tie" else game.rules.odds.main
    return bool(game.rules.cites["unpayable"]) and stake.amount * odds % game.chip != 0


def _ask_several(game: War, player: str, boxes: list[int]) -> None:
    """One player on several boxes needs somebody's word; while nobody refuses, the stakes lie (M 5.13, P 6.3)."""
    if game.is_asked(f"several:{player}"):
        return
    rank, clause = game.table.house.power("several_boxes")
    options = (Option("allow", "Allow", rank, clause), Option("refuse", "Only one box", rank, clause))
    text = f"{player} stakes on boxes {', '.join(str(box) for box in boxes)}. Allow it?"
    game.desk.ask(f"several:{player}", text, {"player": player, "boxes": boxes}, "allow", options,
                  game.rules.cites["several_boxes"])  # fmt: skip


def check_lines(game: War) -> None:
    """Shared stakes stand in one line, front player first: that is how each is known by its owner (Melbourne 5.12)."""
    shared: dict[int, list[str]] = {}
    for box, player in seats_of(game):
        shared.setdefault(box, []).append(player)
    lines = [f"box {box}: {', '.join(players)}" for box, players in shared.items() if len(players) > 1]
    if lines:
        text = f"See that shared stakes stand in line, front first ({'; '.join(lines)})."
        game.desk.announce("dealer", "line", text, game.rules.cites["line"])


def waiting(game: War, args: dict[str, Any], by: Person) -> None:
    """Players wait for a place: whoever holds several boxes may be asked for them (M 5.13, P 6.3, Star 5.7.1)."""
    clauses = (game.table.house.power("several_boxes").clause,)
    boxes: dict[str, set[int]] = {}
    for box, player in (*game.state.players.at_box.items(), *seats_of(game)):
        boxes.setdefault(player, set()).add(box)
    several = {player: sorted(held) for player, held in boxes.items() if len(held) > 1}
    if not several:
        raise Refusal("no_several", "Nobody holds more than one box.", clauses)
    for player, held in several.items():
        game.state.players.several = [name for name in game.state.players.several if name != player]
        _ask_several(game, player, held)


def rule_several(game: War, player: str, answer: str, by: Person) -> None:
    """The word on somebody's several boxes; refused, all but the first go back if there is still time."""
    clauses = game.rules.cites["several_boxes"]
    game.ruled("several_boxes", f"{player}: {answer}", by, clauses)
    if answer == "allow":
        game.state.players.several.append(player)
        return
    mine = [stake for stake in game.state.round.stakes if stake.live and stake.player == player]
    seats = [box for box, name in game.state.players.at_box.items() if name == player]
    kept = sorted([stake.box for stake in mine] or seats)[:1]
    game.state.players.at_box = {
        box: name for box, name in game.state.players.at_box.items() if name != player or box in kept
    }
    for stake in mine:
        if stake.box not in kept and not game.state.round.started:
            _give_back(game, stake, "refused", No("several_boxes", f"{player} may stake on one box only.", clauses))


def _laid_after_call(game: War, event: StakeLaid) -> None:
    """Between the call and the first card the dealer decides (M1)."""
    refused = spoken.was_refused(game, event.player, event.box, event.zone)
    if refused or game.rules.wagers.between_call_and_card == "return":
        _laid_late(game, event)
        return
    stake = _stake(game, event, status="asked")
    no = _person(game, stake) or refuse_first(
        game.rules, game.config, game.state.round.stakes, stake, game.share_most()
    )
    if no is not None:
        _hand_back(game, stake, "refused", no)
        return
    game.state.round.stakes.append(stake)
    _ask_late(game, stake, f"{stake.player} laid {cents(stake.amount)} on box {stake.box} after the call. In or back?")


def _ask_late(game: War, stake: Stake, text: str) -> None:
    rank, clause = game.table.house.power("rule_late_chips")
    game.desk.ask(
        f"late:{stake.id}",
        text,
        {"wager": stake.id, "player": stake.player, "box": stake.box, "amount": stake.amount},
        "return",
        (Option("accept", "In play", rank, clause), Option("return", "Give back", rank, clause)),
        game.rules.remedies["late_chips"].clauses,
    )


def _raised_after_call(game: War, stake: Stake, amount: int) -> None:
    """Chips added to a stake after the call are late chips like any others; what lay there at the call stays (M1)."""
    stake.before = stake.before or stake.amount
    stake.amount = amount
    stake.status = "asked"
    if game.rules.wagers.between_call_and_card == "return":
        rule_late(game, stake.id, "return")
        return
    more = cents(amount - stake.before)
    _ask_late(game, stake, f"{stake.player} added {more} on box {stake.box} after the call. In or back?")


def take_early(game: War) -> None:
    """Chips that lay ready before the call for bets."""
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
        no = refuse_first(game.rules, game.config, game.state.round.stakes, stake, game.share_most())
        if no is not None:
            _give_back(game, stake, "refused", no)
            return
        stake.status = "live"
    _warn_of_limits(game, stake)


def _rule_raise(game: War, stake: Stake, answer: str) -> None:
    """A stake that was added to counts whole, or as it lay at the call."""
    if answer != "accept":
        text = f"Give {cents(stake.amount - stake.before)} back to {stake.player}."
        game.desk.announce("dealer", "hand_back", text, game.rules.remedies["late_chips"].clauses)
        stake.amount = stake.before
    stake.counted = stake.amount
    stake.status, stake.before = "live", 0


def _laid_late(game: War, event: StakeLaid) -> None:
    """After the first card nothing more comes into play."""
    clauses = game.rules.remedies["late_chips"].clauses
    _hand_back(game, _stake(game, event), "late", No("late", "Chips after the close are not in play.", clauses))


def war_stakes_open(game: War) -> bool:
    """Whether war stakes, and Perfect Pairs at war, may be laid now."""
    phase = game.machine.state
    if phase == "choosing":
        return True
    return phase in AT_WAR and not any(
        slot.stage == "war" for slot in game.state.round.slots[: game.state.round.filled()]
    )


def _laid_for_war(game: War, event: StakeLaid) -> None:
    state, rules = game.state, game.rules
    stake = _stake(game, event, "war")
    no = _barred(game, event.player)
    if no is None and event.zone == "war":
        main = game.state.round.tied_main(event.box, event.player) if war_stakes_open(game) else None
        no = refuse_war(rules, main, event.amount)
        if no is None and any(_is_war_of(other, event) for other in state.round.stakes):
            no = No("war_stake_lies", "A war stake lies there already.", rules.cites["war_stake"])
    elif no is None:
        at_war = {(other.box, other.player) for other in state.round.stakes if other.live and other.zone == "war"}
        no = refuse_war_pairs(rules, game.config, state.round.stakes, stake, game.share_most(), at_war)
        if no is not None and _make_room_at_war(game, stake, at_war):
            no = None
    if no is not None:
        _hand_back(game, stake, "refused", no)
        return
    state.round.stakes.append(stake)
    if event.zone == "war":
        main = game.state.round.tied_main(event.box, event.player)
        assert main is not None
        stake.counted = min(stake.amount, main.counted)
        stake.clauses = list(main.clauses)
        settling.choose(game, event.box, event.player, "war")
    else:
        _count_one(game, stake, state.players.warned)


def _is_war_of(stake: Stake, event: StakeLaid) -> bool:
    return stake.live and (stake.zone, stake.box, stake.player) == ("war", event.box, event.player)


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
    if stake.id in round_.booked:
        return  # paid, taken or handed back: it may move
    if event.amount == stake.amount:
        round_.moved.pop(stake.id, None)
    elif event.amount != round_.moved.get(stake.id):
        round_.moved[stake.id] = event.amount
        alarm = alarms.StakeMoved(player=stake.player, box=stake.box, amount=cents(event.amount))
        alarm.happened(game, stake.id)


def _changed_in_time(game: War, stake: Stake, amount: int) -> None:
    """Before the round a player may do as they like, but add nothing after the call; what went back is laid anew."""
    game.desk.withdraw(f"late:{stake.id}")
    called = game.machine.state == "closed" and game.rules.wagers.close == "call"
    if called and (stake.live or stake.before) and amount > (stake.before or stake.amount):
        _raised_after_call(game, stake, amount)
        return
    if stake.before:
        stake.before, stake.status = 0, "live"
    if stake.live and amount > 0:
        stake.amount = stake.counted = amount
        _warn_of_limits(game, stake)
        return
    game.state.round.stakes.remove(stake)
    game.state.round.booked.pop(stake.id, None)
    if amount > 0:
        laid(game, StakeLaid(stake.id, stake.player, stake.box, stake.zone, amount, stake.token))


def _changed_early(game: War, event: StakeChanged) -> None:
    kept = [early for early in game.state.felt.early if early.wager != event.wager]
    changed = [early for early in game.state.felt.early if early.wager == event.wager and event.amount > 0]
    game.state.felt.early = kept + [msgspec.structs.replace(early, amount=event.amount) for early in changed]


def limits_of(game: War, stake: Stake) -> Limits:
    """The limits this stake is measured with: the table's, the player's own, or a kept minimum (Star 6.5.1)."""
    limits = game.table.limits_of(stake.player, stake.zone)
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
    state.round.started = True
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
    for stake in state.round.stakes:
        if stake.live:
            _count_one(game, stake, warned)
    if rules.limits.count_per == "area":
        _cap_areas(game)
    state.players.seats = seats_of(game)
    places = order.first_places(rules, state.round.stakes, game.config.round_burn)
    state.round.slots += [Slot(place, "first") for place in places]


def _count_one(game: War, stake: Stake, warned: Collection[str]) -> None:
    found = count(game.rules, stake, limits_of(game, stake), stake.player in warned)
    stake.counted = found.counted
    stake.clauses = list(found.clauses)
    if found.give_back:
        stake.status = "give_back"
    if found.warn and stake.player not in game.state.players.warned:
        game.state.players.warned.append(stake.player)
        game.desk.note("warned_under_minimum", found.clauses, player=stake.player, amount=stake.amount)
        text = f"Tell {stake.player} that wagers under the minimum come back from now on."
        game.desk.announce("dealer", "advise_minimum", text, found.clauses)
    elif found.clauses:
        text = f"Tell {stake.player} the table's limits."
        game.desk.announce("dealer", "advise_limits", text, found.clauses)


def _cap_areas(game: War) -> None:
    areas: dict[tuple[int, str], list[Stake]] = {}
    for stake in game.state.round.stakes:
        if stake.live:
            areas.setdefault((stake.box, stake.zone), []).append(stake)
    for (_, zone), line in areas.items():
        cap_area(game.rules, line, game.table.limits_of("", zone).most)


def seats_of(game: War) -> list[tuple[int, str]]:
    """Who plays where, front of the line first."""
    stakes = sorted((stake for stake in game.state.round.stakes if stake.status != "refused"), key=_by_line)
    return list(dict.fromkeys((stake.box, stake.player) for stake in stakes))


def _by_line(stake: Stake) -> tuple[int, bool, int]:
    return stake.box, stake.zone != "main", stake.line
