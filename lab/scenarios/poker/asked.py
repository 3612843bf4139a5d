"""Cases that ask the rules something: each is put to a table that plays up to the question, and answers it.

A question names a structure and wagers, or chips put forward, or commission and a pot. Seats are numbered from the
left of the button; whoever is not in the question calls, checks, or is not there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from lab.scenarios.file import Case, dollars
from simulators.people.poker_screen import Wanted

if TYPE_CHECKING:
    from lab.scenarios.poker.play import PokerTable

DEEP = 10_000
"""A stack that no question exhausts, in dollars."""
Answer = dict[str, Any]


class Asker:
    """Puts hands to the table for one case."""

    def __init__(self, case: Case, play: Callable[[dict[str, Any], list[str]], PokerTable]) -> None:
        self.case = case
        self.inputs: dict[str, Any] = case.body["inputs"]
        self._play = play

    def hand(self, seats: dict[int, Any] | int, actions: list[Any], deck: Any = (), **config: Any) -> PokerTable:
        """Play a hand of these seats with their stacks, the last one on the button."""
        stacks = dict.fromkeys(range(1, seats + 1), DEEP) if isinstance(seats, int) else seats
        game = self.case.body.get("game", "Holdem")
        button, top = config.pop("button", max(stacks)), config.pop("shuffled_to", [])
        then = config.pop("seated_then", [])
        body = {"config": {"game": game, **config}, "seats": stacks, "actions": actions, "button": button}
        body["seated_then"] = then
        if deck:
            body["deck"] = deck
        return self._play(body, top)


def street(betting_round: int) -> str:
    return ("preflop", "flop", "turn", "river")[betting_round - 1]


def _limits(inputs: dict[str, Any]) -> dict[str, Any]:
    """The structure of a question, with blinds that fit it."""
    kind = inputs.get("structure", "no_limit")
    chip = inputs.get("chip", 1)
    if kind in ("fixed", "structured"):
        levels = inputs.get("levels") or [inputs["level"]] * 4
        blinds = inputs.get("blinds") or [levels[0] / 2 if levels[0] % 2 else levels[0] // 2, levels[0]]
        return {"structure": "fixed", "levels": levels, "blinds": blinds, "chip": chip}
    least = inputs.get("table_minimum", inputs.get("min", 2 * chip))
    limits = {"structure": kind, "blinds": inputs.get("blinds") or [chip, max(least, 2 * chip)], "chip": chip}
    if kind == "spread":
        limits |= {"min": inputs["min"], "max": inputs["max"]}
    elif "table_minimum" in inputs:
        limits["min"] = least
    return limits


def _pot_limits(inputs: dict[str, Any], pot: Any) -> tuple[int, dict[str, Any]]:
    """Seats and limits by which so much lies in the pot when the flop comes: each puts in an equal part."""
    chip = inputs.get("chip", 1)
    for seats in range(2, 10):
        each = pot // seats
        if pot % seats == 0 and each % chip == 0 and each >= chip:
            break
    else:
        return 0, {}
    limits = {"structure": inputs.get("structure", "no_limit"), "blinds": [chip, each], "chip": chip, "min": chip}
    if limits["structure"] == "fixed":
        limits |= {"levels": [inputs["level"]] * 4, "min": inputs["level"]}
    taken = inputs.get("rake_already_taken")
    if taken and taken % chip == 0:
        limits["rake"] = {"percent": 10, "cap": taken}
    return seats, limits


def options_of(probe: Wanted) -> Answer:
    """What a seat may do, in every word a case may use for it."""
    may = bool(probe.raise_max)
    low = dollars(probe.raise_min) if may else None
    return {
        "call": dollars(probe.in_round + probe.to_call),
        "call_more": dollars(probe.to_call),
        "raise_to": low,
        "min_raise_to": low,
        "raise_allowed": may,
        "may_raise": may,
    }


def only(found: Answer, wanted: Any) -> Any:
    """As much of an answer as is asked for."""
    if isinstance(wanted, dict):
        return {key: found.get(key) for key in wanted}
    return found


def _wagers(amounts: list[Any], order: list[int], opened: bool) -> list[Any]:
    """These totals one after the other, round the seats."""
    return [
        {"seat": order[number % len(order)], "do": "raise" if number or opened else "bet", "to": amount}
        for number, amount in enumerate(amounts)
    ]


# -- structures --------------------------------------------------------------------------------------------------


def wagers_made(ask: Asker) -> Answer:
    """A row of bets and raises: may the next seat raise, and to what?"""
    inputs = ask.inputs
    limits = _limits(inputs)
    count = inputs.get("players_in_round", inputs.get("able_to_act", 3))
    betting_round = inputs.get("round", 1 if "straddle" in inputs else 2)
    seats: dict[int, Any] = dict.fromkeys(range(1, count + 1), DEEP)
    for _ in range(inputs.get("all_in_from_earlier_round", 0)):
        seats[max(seats) + 1] = limits["blinds"][-1]  # the call before the flop is all it has
    order = list(range(1, count + 1))
    actions: list[Any] = []
    if "straddle" in inputs:
        limits["straddle"] = True
        actions.append({"do": "straddle", "seat": 3, "amount": inputs["straddle"]})
        order = [*order[3:], *order[:3]]
    elif betting_round > 1:
        actions.append({"do": "until", "street": street(betting_round)})
    actions += _wagers(inputs["wagers"], order, betting_round == 1)
    words = str(inputs.get("then", "")).split()
    if words:
        actions.append({"seat": int(words[1]), "do": words[2]})
    played = ask.hand(seats, [*actions, {"do": "probe"}], **limits)
    probe = played.people.probes[-1]
    raises = sum(act["kind"] == "raise" for act in played.acts)
    whole = probe.in_round + DEEP * 100
    last = 0
    if "straddle" in inputs:
        passive = ask.hand(seats, [actions[0], {"do": "until", "street": "flop"}], **limits)
        last = [act["seat"] for act in passive.acts if not act["board"]][-1]
    return {
        "raises_made": raises,
        "options": ["call", "fold", *(["raise"] if probe.raise_max else [])],
        "next_raise_to": dollars(probe.raise_min) if probe.raise_max else None,
        "last_act_before_flop": "straddler" if last == 3 else f"seat {last}",
        "min_total": dollars(probe.raise_min),
        "max": "stack" if probe.raise_max > whole - DEEP * 50 else dollars(probe.raise_max),
        "max_total": dollars(probe.raise_max),
        **options_of(probe),
    }


def tried(ask: Asker) -> Answer:
    """Bets and raises that somebody tries, each in a hand of its own."""
    legal = []
    for row in ask.inputs["rows"]:
        given = {**ask.inputs, **row}
        facing = given.get("facing", 0)
        actions: list[Any] = [{"do": "until", "street": street(given.get("round", 2))}]
        if facing:
            actions.append({"do": "bet", "to": facing})
        total = given.get("try_bet", given.get("try_raise_to", given.get("bet")))
        limits = _limits(given)
        seats: dict[int, Any] = {1: DEEP, 2: DEEP, 3: DEEP}
        if "stack" in row:
            seats[1] = row["stack"] + limits["blinds"][-1]
        whole = row.get("stack") == total
        actions.append({"do": "all_in"} if whole else {"do": "raise" if facing else "bet", "to": total})
        legal.append(not ask.hand(seats, actions, **limits).listener.refusals)
    return {"legal": legal, "accepted": legal}


def pot_ratio(ask: Asker) -> Answer:
    """How much of a pot may be bet, and raised."""
    inputs = ask.inputs
    seats, limits = _pot_limits(inputs, inputs.get("pot_before_bet", inputs.get("pot")))
    actions: list[Any] = [{"do": "until", "street": "flop"}, {"do": "probe"}]
    if "bet" in inputs:
        actions += [{"do": "bet", "to": inputs["bet"]}, {"do": "probe"}]
    played = ask.hand(seats, actions, **limits)
    opening, last = played.people.probes[0], played.people.probes[-1]
    return {
        "max_open": dollars(opening.raise_max),
        "max_total": dollars(last.raise_max),
        "min_total": dollars(last.raise_min),
    }


def short_all_in(ask: Asker) -> Answer:
    """Somebody goes all-in for less than the bet or raise due: what may those before and after do?"""
    inputs, wanted = ask.inputs, ask.case.body.get("expected", {})
    limits = _limits(inputs)
    total = inputs.get("all_in_total", inputs.get("all_in"))
    blind = limits["blinds"][-1]
    opens = "bet" not in inputs
    seats: dict[int, Any] = {1: DEEP, 2: DEEP, 3: DEEP}
    seats[1 if opens else 2] = total + blind
    begin: list[Any] = [{"do": "until", "street": street(inputs.get("round", 2))}]
    begin += [] if opens else [{"do": "bet", "to": inputs["bet"]}]
    begin += [{"do": "all_in", "seat": 1 if opens else 2}, {"do": "probe"}]
    third = str(inputs.get("third_seat", ""))
    if "completed_to" in inputs:
        begin.append({"do": "raise", "to": inputs["completed_to"]})
    else:
        begin.append({"do": "call"})
    played = ask.hand(seats, [*begin, {"do": "probe"}], **limits)
    later, earlier = options_of(played.people.probes[0]), options_of(played.people.probes[-1])
    answer: Answer = {
        "later_seat_options": only(later, wanted.get("later_seat_options")),
        "earlier_seat_options": only(earlier, wanted.get("earlier_seat_options")),
        "bettor_options": only(earlier, wanted.get("bettor_options")),
        "third_seat_min_raise_to": later["raise_to"],
    }
    if third.startswith("to act") and later["raise_to"] is not None:
        again = [*begin[:-1], {"do": "raise", "to": later["raise_to"]}, {"do": "probe"}]
        answer["bettor_may_raise_after"] = bool(ask.hand(seats, again, **limits).people.probes[-1].raise_max)
    return answer


def big_blind_option(ask: Asker) -> Answer:
    """Everybody only calls: has the last blind still something to say?"""
    callers = len(ask.inputs["actions"])
    actions: list[Any] = [{"do": "call"}] * callers + [{"do": "probe"}]
    played = ask.hand(callers + 1, actions, blinds=ask.inputs["blinds"])
    probe = played.people.probes[-1]
    options = ["check (call 0)" if not probe.to_call else "call", *(["raise"] if probe.raise_max else []), "fold"]
    return {"round_over": probe.seats != (2,), "bb_options": options}


# -- chips without words -----------------------------------------------------------------------------------------


def silent_chips(ask: Asker) -> Answer:
    """Chips put forward: what they are, what stands, and what goes back."""
    rows = ask.inputs.get("rows")
    if rows is None:
        return _one_placement(ask, ask.inputs)
    return {"rows": [only(_one_placement(ask, {**ask.inputs, **row}), want) for row, want in zip(
        rows, ask.case.body.get("expected", {}).get("rows", rows), strict=False)]}  # fmt: skip


def _one_placement(ask: Asker, given: dict[str, Any]) -> Answer:
    betting_round = given.get("round", 2)
    chips = given.get("chips")
    put: Any = given.get("put_in", given.get("stack") if chips is None else sum(chips))
    facing = given.get("bet", given.get("to_call", 0))
    seats: dict[int, Any] = {1: DEEP, 2: DEEP, 3: DEEP}
    if "pot" in given:
        count, limits = _pot_limits(given, given["pot"])
        seats = dict.fromkeys(range(1, count + 1), DEEP)
    else:
        limits = _limits(given)
    actions: list[Any] = []
    if betting_round == 1:
        limits["blinds"] = [facing / 2 if facing % 2 else facing // 2, facing]
        seat = 3
    else:
        wagers = given.get("wagers", [facing] if facing else [])
        actions = [{"do": "until", "street": street(betting_round)}, *_wagers(wagers, [1, 2, 3], False)]
        seat = len(wagers) % 3 + 1
    if "stack" in given and "put_in" not in given:
        seats[seat] = given["stack"] + limits["blinds"][-1] * (betting_round > 1)
    placement: dict[str, Any] = {"seat": seat, "chips": chips if chips is not None else put}
    if chips is None:
        placement["single"] = False
    if given.get("announced"):
        placement["said"] = given["announced"]
    played = ask.hand(seats, [*actions, placement, {"do": "probe"}], **limits)
    if "short_call" in played.announced:
        owes = played.people.probes[-1]
        choices = [f"add {dollars(owes.to_call)}", f"fold and leave {dollars(owes.in_round)}"]
        return {"prompt": choices, "take_back_allowed": owes.in_round < round(put * 100)}
    act = next(act for act in played.acts if act["seat"] == seat and act["laid"])
    back = dollars(max(0, round(put * 100) - act["added"]))
    return {
        "ruling": act["kind"],
        "total": dollars(act["total"]),
        "returned": back,
        "change": back,
        "eligible_from_each_opponent": dollars(act["total"]),
        "acts_later": any(later["seat"] == seat for later in played.acts[played.acts.index(act) + 1 :]),
    }
