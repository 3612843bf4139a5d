"""Questions about commission, side wagers, early actions, time and invalidated hands, put to a table."""

from __future__ import annotations

from typing import Any

from lab.scenarios.file import dollars
from lab.scenarios.poker.asked import DEEP, Answer, Asker, only, options_of, street

BOARD = ["2c", "7d", "9h", "3s", "5c"]
HANDS = (["As", "Ah"], ["Kc", "Kd"], ["Qh", "Jd"], ["Th", "8d"])
TIE_BOARD = ["Ts", "Js", "Qs", "Ks", "As"]
HILO_BOARD = ["Ks", "8c", "7d", "3h", "Qs"]
"""Kings are high on it, ace and deuce low."""


def dealt(hands: dict[int, list[str]], board: list[str]) -> list[str]:
    """A deck that gives these seats these cards and this board, seat 1 first."""
    used = {card for cards in hands.values() for card in cards} | set(board)
    burns = [card for card in ("4c", "6d", "8h", "4d", "6h", "8c") if card not in used][:3]
    size = max(len(cards) for cards in hands.values())
    deck = [hands[seat][number] for number in range(size) for seat in sorted(hands)]
    return [*deck, burns[0], *board[:3], burns[1], board[3], burns[2], board[4]]


def _rake(inputs: dict[str, Any]) -> dict[str, Any]:
    return {"percent": inputs["pct"], "cap": inputs["cap"]}


def commission(ask: Asker) -> Answer:
    """So much in one pot: what the house takes, and what is left."""
    inputs = ask.inputs
    pot, chip = inputs["pot"], inputs.get("chip", 1)
    odd = pot % (2 * chip)
    each = (pot - odd) // 2
    seats = {1: DEEP, 2: DEEP, 3: DEEP} if odd else {1: DEEP, 2: DEEP}
    actions: list[Any] = [{"seat": 3, "do": "call"}, {"seat": 1, "do": "fold"}] if odd else []
    hands = {seat: HANDS[seat - 1] for seat in seats}
    blinds = [odd or chip, each]
    played = ask.hand(seats, actions, dealt(hands, BOARD), chip=chip, blinds=blinds, min=chip, rake=_rake(inputs))
    return {"rake": dollars(played.rake), "net": dollars(sum(played.awarded.values()))}


def commission_by_rounds(ask: Asker) -> Answer:
    """The pot after each round: what is set aside each time."""
    inputs = ask.inputs
    pots = inputs["pot_after_rounds"]
    actions: list[Any] = []
    for number, (before, after) in enumerate(zip([pots[0], *pots], pots[1:], strict=False)):
        actions += [{"do": "until", "street": street(number + 2)}]
        if number:
            before = pots[number]
        actions += [{"seat": 1, "do": "bet", "to": (after - before) // 2}, {"seat": 2, "do": "call"}]
    hands = {1: HANDS[0], 2: HANDS[1]}
    played = ask.hand(2, actions, dealt(hands, BOARD), blinds=[1, pots[0] // 2], min=1, rake=_rake(inputs))
    increments = [dollars(amount) for amount in played.rakes]
    increments += [0] * (len(pots) - len(increments))
    return {"increments": increments[: len(pots)], "total": dollars(played.rake)}


def commission_uncalled(ask: Asker) -> Answer:
    """A last bet that nobody calls is outside the base (7.5)."""
    inputs = ask.inputs
    actions: list[Any] = [
        {"do": "until", "street": "river"},
        {"seat": 1, "do": "bet", "to": inputs["uncalled"]},
        {"seat": 2, "do": "fold"},
    ]
    played = ask.hand(2, actions, blinds=[1, inputs["called"] // 2], min=1, rake=_rake(inputs))
    return _uncontested(played)


def _uncontested(played: Any) -> Answer:
    won = dollars(sum(played.awarded.values()))
    back = dollars(sum(played.returned.values()))
    return {
        "rake": dollars(played.rake),
        "returned": back,
        "uncalled_returned": back,
        "net": won,
        "pot_to_raiser": won,
    }


def commission_of_blinds(ask: Asker) -> Answer:
    """Only blinds and over-blinds are left in the pot (7.6)."""
    inputs = ask.inputs
    config: dict[str, Any] = {"blinds": inputs["blinds"], "rake": {"percent": 10, "cap": 20}}
    if "pct" in inputs:
        config["rake"] = _rake(inputs)
    actions: list[Any] = []
    words = str(inputs["action"]).replace(",", "").split()
    if "straddle" in inputs:
        config["straddle"] = True
        actions = [{"do": "straddle", "seat": 3, "amount": inputs["straddle"]}]
        folds = [4, 5, 1, 2]
    elif "raises" in words:
        actions = [{"seat": 3, "do": "raise", "to": int(words[words.index("to") + 1])}]
        folds = [4, 5, 1, 2]
    else:
        folds = [3, 4, 5, 1]
    actions += [{"seat": seat, "do": "fold"} for seat in folds]
    return _uncontested(ask.hand(5, actions, **config))


def commission_of_a_tie(ask: Asker) -> Answer:
    """Contributors who tie, or win one half each: whether the exemption holds (7.8)."""
    inputs = ask.inputs
    put_in = {int(seat): amount for seat, amount in inputs["contributions"].items()}
    out = [int(seat) for seat in inputs.get("folded", [])]
    # Whoever folds sits on the small blind and leaves it; the others put in what they put in.
    seats = dict.fromkeys(range(1, len(put_in) + 1), DEEP)
    stay = max(amount for seat, amount in put_in.items() if seat not in out)
    small = put_in[out[0]] if out else 1
    actions: list[Any] = [{"seat": 3, "do": "call"}, {"seat": 1, "do": "fold"}] if out else []
    place = {seat: number for number, seat in enumerate([*out, *(s for s in put_in if s not in out)], start=1)}
    if inputs.get("tie"):
        hands, board = {1: ["Kh", "Jh"], 2: ["2h", "3d"], 3: ["2d", "3h"]}, TIE_BOARD
        hands = {seat: hands[seat] for seat in seats}
    else:
        size = 4 if "Omaha" in str(ask.case.body.get("game")) else 2
        hands, board = {1: ["Kc", "Kd", "Qh", "Jd"][:size], 2: ["Ah", "2h", "9c", "Tc"][:size]}, HILO_BOARD
    played = ask.hand(seats, actions, dealt(hands, board), blinds=[small, stay], min=1, rake=_rake(inputs))
    award = {str(seat): dollars(played.awarded.get(place[seat], 0)) for seat in put_in if seat not in out}
    return {"rake": dollars(played.rake), "award": award}


def commission_of_side_pots(ask: Asker) -> Answer:
    """Several pots: the cap is one for all, the main pot first (P-A13)."""
    pots = ask.inputs["pots"]
    count = len(pots) + 1
    level = 0
    stacks = {}
    for number, pot in enumerate(pots):
        level += pot // (count - number)
        stacks[number + 1] = level
    stacks[count] = level
    order = [*range(3, count + 1), 1, 2]
    actions: list[Any] = [{"seat": seat, "do": "all_in"} for seat in order]
    hands = {seat: HANDS[seat - 1] for seat in stacks}
    played = ask.hand(stacks, actions, dealt(hands, BOARD), blinds=[1, 2], rake=_rake(ask.inputs))
    rake = [dollars(amount) for amount in played.rake_by_pot]
    return {"rake": rake, "net": [dollars(pot.amount - taken) for pot, taken in zip(
        played.pots, played.rake_by_pot, strict=True)]}  # fmt: skip


def fees(ask: Asker) -> Answer:
    """A fee for each person before the hand (7.2.4)."""
    inputs = ask.inputs
    rake = {"method": "per_person", "fee": inputs["fee"]}
    played = ask.hand(inputs["dealt_in"], [], rake=rake)
    first = played.listener.outcome.states
    blocked = played.waited_for[:1] == ["fee"] and "dealing" in first
    return {"collected": dollars(int(played.over["fees"])), "deal_blocked_until_collected": blocked}


def side_wagers(ask: Asker) -> Answer:
    """Flop Chase on the flops that came."""
    winnings = []
    for row in ask.inputs["rows"]:
        text = row["flop"]
        flop = [text[at : at + 2] for at in range(0, 6, 2)]
        spare = [card for card in ("4c", "5d", "8h", "8s", "Td", "Qc", "Qs", "6c", "6s") if card not in flop]
        hands = {seat: [spare.pop(), spare.pop()] for seat in (1, 2, 3)}
        deck = dealt(hands, [*flop, "As", "Ac"])
        actions = [{"do": "side", **wager} for wager in row["wagers"]]
        played = ask.hand(3, actions, deck, side_wagers=True)
        side = played.sides()
        winnings.append([side.get(str(wager["seat"]), 0) for wager in row["wagers"]])
    return {"winnings": winnings}


def side_wagers_redealt(ask: Asker) -> Answer:
    """A flop that is taken back and dealt again: side wagers wait for the final one (9.16)."""
    inputs = ask.inputs

    def cards(text: str) -> list[str]:
        return [text[at : at + 2] for at in range(0, len(text), 2)]

    first, final = cards(inputs["first_flop"]), cards(inputs["final_flop"])
    hands = {1: ["As", "Ac"], 2: ["Qs", "Qc"], 3: ["Js", "Tc"]}
    deck = [hands[seat][number] for number in range(2) for seat in (1, 2, 3)] + ["8c", *first]
    actions = [{"do": "side", **wager} for wager in inputs["wagers"]]
    actions.append({"do": "turn_up", "cards": len(first)})
    played = ask.hand(3, actions, deck, shuffled_to=final, side_wagers=True)
    side = played.sides()
    settled_on = "final_flop" if played.board[:3] == final else "first_flop"
    return {"winnings": [side.get(str(one["seat"]), 0) for one in inputs["wagers"]], "settled_on": settled_on}


def straddles(ask: Asker) -> Answer:
    """Over-blinds that somebody puts up (6.5, 8.9.4)."""
    accepted = []
    place = {"UTG": 3, "UTG+1": 4, "UTG+2": 5}
    for row in ask.inputs["rows"]:
        actions: list[Any] = []
        before = str(row.get("after", "")).split()
        if before:
            actions.append({"do": "straddle", "seat": place[before[0]], "amount": int(before[-1])})
        actions.append({"do": "straddle", "seat": place[row["seat"]], "amount": row["amount"]})
        over = bool(ask.inputs.get("over_blinds_permitted"))
        played = ask.hand(6, actions, blinds=ask.inputs["blinds"], straddle=True, over_blinds=over)
        accepted.append(not played.listener.refusals)
    return {"accepted": accepted}


def early_actions(ask: Asker) -> Answer:
    """Somebody acts before a seat that was skipped (6.18)."""
    seat_of = {"A": 1, "B": 2, "C": 3, "D": 4}
    events = ask.inputs["events"]
    name, held = events[0]["seat"], events[0].get("amount", 0)
    early = seat_of[name]
    all_in = events[0]["action"] == "all_in"
    stacks: dict[int, Any] = dict.fromkeys(range(1, max(3, early) + 1), DEEP)
    if all_in:
        stacks[early] = held + 2
    actions: list[Any] = [{"do": "until", "street": "flop"}]
    for event in events:
        seat = seat_of[event["seat"]]
        if "amount" in event:
            actions.append({"seat": seat, "chips": event["amount"], "single": False})
        else:
            actions.append({"seat": seat, "do": event["action"]})
    acted = {seat_of[event["seat"]] for event in events}
    actions += [{"seat": seat, "do": "fold"} for seat in range(1, early) if seat not in acted]
    played = ask.hand(stacks, [*actions, *([] if all_in else [{"do": "probe"}])], blinds=[1, 2])
    overtaken = "early_action_overtaken" in played.announced
    stood = next((act for act in played.acts if act["seat"] == early and act["board"]), None)
    took = stood if stood is not None and stood["kind"].startswith("all_in") else None
    answer: Answer = {name: {"all_in": dollars(took["total"]) if took else None, "take_back_allowed": overtaken}}
    wanted = ask.case.body.get("expected", {}).get(f"{name}_options")
    probe = played.people.probes[-1] if played.people.probes else None
    if probe is not None and probe.seats == (early,):
        options = options_of(probe) | {
            "call_more": dollars(probe.to_call) - held,
            "take_back_and_fold": overtaken,
            "min_reraise_to": dollars(probe.raise_min) if probe.raise_max else None,
        }
        answer[f"{name}_options"] = only(options, wanted)
    return answer


def time_is_up(ask: Asker) -> Answer:
    """The time to act runs out: what the dealer is offered (6.15)."""
    proposals = []
    ranks = set()
    for row in ask.inputs["rows"]:
        actions: list[Any] = []
        if row.get("round", 2) == 1 and row.get("seat") == "BB":
            actions = [{"do": "call"}, {"do": "call"}]
        else:
            actions = [{"do": "until", "street": "flop"}]
            actions += [{"do": "bet", "to": row["facing"]}] if row["facing"] else []
        played = ask.hand(3, [*actions, {"do": "time_up"}], time_to_act_s=600)
        asked = [one for one in played.listener.outcome.prompts if one["subject"].startswith("time")]
        proposals.append(asked[0]["proposal"] if asked else None)
        ranks |= {one["rank"] for one in played.listener.outcome.rulings if one["subject"].startswith("time")}
    return {"proposal": proposals, "confirm_by": "dealer" if ranks == {1} else f"levels {sorted(ranks)}"}


def invalidated(ask: Asker) -> Answer:
    """A hand is invalidated: who may, and what everybody gets back (13.5, 13.6)."""
    inputs = ask.inputs
    put_in = {int(seat): amount for seat, amount in inputs["contributions"].items()}
    most, least = max(put_in, key=lambda seat: put_in[seat]), min(put_in, key=lambda seat: put_in[seat])
    accepted = []
    refund: dict[str, Any] = {}
    rake = 0
    for attempt in inputs["attempts"]:
        sides = [
            {"do": "side", "seat": int(seat), "colour": "red", "amount": amount}
            for seat, amount in inputs.get("side_wagers", {}).items()
        ]
        # Both put in the smaller part before the flop; the other bets the rest, and nobody has answered yet.
        key = "cancel_fraud" if attempt["reason"] == "fraud" else "cancel_disruption"
        rest = put_in[most] - put_in[least]
        actions: list[Any] = [*sides, {"do": "until", "street": "flop"}]
        actions += [] if most == 1 else [{"do": "check"}]
        actions += [{"seat": most, "do": "bet", "to": rest}] if rest else []
        actions.append({"do": key, "rank": attempt["rank"], "reason": attempt["reason"]})
        played = ask.hand(2, actions, blinds=[1, put_in[least]], min=1, side_wagers=True,
                          rake={"percent": 10, "cap": 50})  # fmt: skip
        done = played.listener.outcomes[-1:] == ["refunded"]
        accepted.append(done)
        if done and not refund:
            refund, rake = played.refunds(), played.rake
    return {"accepted": accepted, "refund": refund, "rake": dollars(rake)}
