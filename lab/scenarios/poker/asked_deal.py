"""Questions about the deal, the burns and the board, put to a table whose dealer does what the question tells."""

from __future__ import annotations

from typing import Any

from lab.scenarios.file import dollars
from lab.scenarios.poker.asked import Answer, Asker
from lab.scenarios.poker.asked_money import dealt
from simulators.people.poker_screen import BURN, MUCK

NAMES = {"SB": 1, "BB": 2, "BTN": 3}
HANDS = {1: ["As", "Ad"], 2: ["Kc", "Kd"], 3: ["Jc", "Td"]}
BOARD = ["2s", "7c", "9d", "3s", "5s"]


def _burned(ask: Asker, actions: list[Any], top: list[str], shuffled: list[str]) -> Any:
    """A hand of three whose stub begins with these cards, and with those once it is shuffled."""
    deck = [HANDS[seat][number] for number in range(2) for seat in (1, 2, 3)] + top
    return ask.hand(3, actions, deck, shuffled_to=shuffled)


def _rulings(played: Any) -> list[str]:
    return [one["answer"] for one in played.listener.outcome.rulings if one["subject"] not in ("open", "button")]


def exposed(ask: Asker) -> Answer:
    """The dealer shows one hole card (9.7)."""
    deck, shown = ask.inputs["deck"], ask.inputs["exposed"]
    number = deck.index(shown)
    seat = number % 3 + 1
    actions = [{"do": "exposed", "seat": seat, "after_cards": number + 1}]
    played = ask.hand(3, actions, deck)
    holes = played.holes()
    burns = played.faces_at(BURN)
    return {
        "hands": {name: holes[place] for name, place in NAMES.items()},
        "first_burn": burns[0],
        "flop": played.board[:3],
    }


def several_exposed(ask: Asker) -> Answer:
    """The dealer shows several hole cards (9.1.1(i))."""
    count = ask.inputs["exposed_by_dealer"]
    actions = [{"do": "exposed", "seat": seat, "after_cards": 3} for seat in range(1, count + 1)]
    played = ask.hand(3, actions)
    ruled = _rulings(played)
    return {"ruling": ruled[0] if ruled else "none"}


def wrong_count(ask: Asker) -> Answer:
    """A seat is found with a wrong number of cards (9.1.1(e), (f))."""
    inputs = ask.inputs
    seat, seats = int(inputs["seat"]), 9 if inputs.get("is_last_in_deal") else 6
    actions: list[Any] = []
    for words in inputs["actions"]:
        who, what = words.split()[:2]
        amount = inputs.get("wagered", 20)
        actions.append({"seat": int(who), "do": what, **({"to": amount} if what in ("raise", "bet") else {})})
    if inputs["cards"] != 3:
        raise ValueError("a card that was never dealt is not seen at a table")
    actions.append({"do": "deal_to", "seat": seat})
    report = {"do": "report", "what": "wrong_count", "seat": seat, "correctable": bool(inputs.get("correctable"))}
    actions.append(report)
    played = ask.hand(seats, actions, blinds=[5, 10])
    ruled = _rulings(played)
    return {"ruling": ruled[0] if ruled else "none", "refund": dollars(played.returned.get(seat, 0))}


def not_shuffled(ask: Asker) -> Answer:
    """It turns out that the deck was not shuffled (9.1.1(b))."""
    found = []
    for row in ask.inputs["rows"]:
        actions: list[Any] = [{"seat": int(words.split()[0]), "do": words.split()[1]} for words in row["actions"]]
        played = ask.hand(6, [*actions, {"do": "report", "what": "not_shuffled"}])
        ruled = _rulings(played)
        found.append(ruled[0] if ruled else "none")
    return {"ruling": found}


def no_burn_flop(ask: Asker) -> Answer:
    """The flop came without a burn, and nobody has acted (9.8)."""
    inputs = ask.inputs
    actions = [{"do": "turn_up", "burn": False}]
    played = _burned(ask, actions, inputs["stub_top"], inputs["reshuffled_stub_top"])
    return {
        "taken_back": played.remedies.get("take_back", []),
        "cut": "cut" in played.remedies,
        "burn": played.faces_at(BURN)[:1],
        "flop": played.board[:3],
    }


def too_many_on_the_flop(ask: Asker) -> Answer:
    """Four or more cards on the flop (9.9)."""
    inputs = ask.inputs
    actions = [{"do": "turn_up", "cards": len(inputs["shown"])}]
    played = _burned(ask, actions, [*inputs["burned"], *inputs["shown"]], inputs["reshuffled_stub_top"])
    return {
        "taken_back": played.remedies.get("take_back", []),
        "cut": "cut" in played.remedies,
        "burn": played.faces_at(BURN)[:1],
        "flop": played.board[:3],
    }


def premature_flop(ask: Asker) -> Answer:
    """The flop came before the first round was over (9.10)."""
    inputs = ask.inputs
    actions: list[Any] = [
        {"seat": 3, "do": "call"},
        {"seat": 1, "do": "call"},
        {"do": "turn_up", "early": True, "burn": True},
    ]
    played = _burned(ask, actions, [*inputs["burned"], *inputs["shown"]], inputs["reshuffled_stub_top"])
    burns = played.faces_at(BURN)
    states = played.listener.outcome.states
    ruled = states.index("ruling")
    return {
        "burn": burns[:1],
        "finish_round_first": states[ruled + 1] == "bet1",
        "cut": "cut" in played.remedies,
        "flop": played.board[:3],
        "next_burn": burns[1],
    }


def premature_river(ask: Asker) -> Answer:
    """The river came before the third round was over (9.11)."""
    inputs = ask.inputs
    flop, turn = BOARD[:3], BOARD[3]
    top = [inputs["burned"][0], *flop, inputs["burned"][1], turn, *inputs["stub_top"]]
    actions: list[Any] = [
        {"do": "until", "street": "turn"},
        {"do": "turn_up", "early": True, "burn": True},
    ]
    played = _burned(ask, actions, top, inputs["reshuffled_stub_top"])
    burns = played.faces_at(BURN)
    return {"burns": burns, "river": played.board[4], "new_burn": len(burns) > len(inputs["burned"]) + 1}


def opened_together(ask: Asker) -> Answer:
    """Two cards are opened where one was due (9.13)."""
    found = []
    for row in ask.inputs["rows"]:
        river = row["street"] == "river"
        start = ["6c", *BOARD[:3], "6d", *([BOARD[3], "8c"] if river else [])]
        actions: list[Any] = [{"do": "until", "street": "flop"}]
        actions += [{"do": "check"}] * 3 + ([{"do": "turn_up"}, *[{"do": "check"}] * 3] if river else [])
        actions.append({"do": "turn_up", "cards": len(row["opened"])})
        top = [*start, *row["opened"], *row.get("stub_after", [])]
        played = _burned(ask, actions, top, row.get("reshuffled_stub_top", []))
        if river:
            found.append({"river": played.board[4], "muck": played.faces_at(MUCK)})
        else:
            burn = played.faces_at(BURN)[-1]
            found.append({"turn": played.board[3], "river_burn": burn, "river": played.board[4]})
    return {"rows": found}


def boxed(ask: Asker) -> Answer:
    """Cards that lie face up in the deck (9.3): the next one replaces them, and the fifth spoils the deck."""
    deck = [str(card).removesuffix("(boxed)") for card in ask.inputs["deck"]]
    at = next(number for number, card in enumerate(ask.inputs["deck"]) if str(card).endswith("(boxed)"))
    played = ask.hand(3, [{"do": "boxed", "after_cards": at}], deck)
    holes = played.holes()
    defective = []
    for count in ask.inputs.get("rows", []):
        again = ask.hand(3, [{"do": "boxed", "after_cards": 1}] * count)
        defective.append(any(one["subject"] == "defective_deck" for one in again.listener.outcome.prompts))
    return {
        "hands": {name: holes[place] for name, place in NAMES.items()},
        "muck": played.faces_at(MUCK),
        "defective": defective,
    }


def dead_button(ask: Asker) -> Answer:
    """Players leave between hands: where button and blinds are in the next ones (8.9.6)."""
    inputs = ask.inputs
    count, (button, _, big) = inputs["seats"], inputs["previous"]
    seats = dict.fromkeys(range(1, count + 1), 1_000)
    played = ask.hand(seats, [], button=button, seated_then=inputs["occupied_history"])
    if played.positions[0]["big"] != big:
        raise ValueError(f"with the button at {button} the big blind is {played.positions[0]['big']}, not {big}")
    return {"hands": played.positions[1:]}


def two_players(ask: Asker) -> Answer:
    """Two players: who posts which blind, and who acts first (8.9.2, P-A1)."""
    inputs = ask.inputs
    stacks = {int(seat): 1_000 for seat in inputs["occupied"]}
    actions = [{"do": "probe"}, {"do": "until", "street": "flop"}, {"do": "probe"}]
    played = ask.hand(stacks, actions, button=inputs["button"], blinds=inputs["blinds"])
    posted = played.posted
    before, after = played.people.probes
    return {
        "small": posted[0],
        "big": posted[1],
        "first_to_act_preflop": before.seats[0],
        "first_to_act_postflop": after.seats[0],
    }


def asked_to_see(ask: Asker) -> Answer:
    """A discarded hand of the last round is asked for (9.5): by the winner it is live again, by another it is dead."""
    found = []
    for row in ask.inputs["rows"]:
        better = row["hand_better"]
        hands = {1: HANDS[1 if better else 2], 2: HANDS[2 if better else 1], 3: HANDS[3]}
        asker = 2 if row["asker"] == "pot_winner" else 3
        actions: list[Any] = [{"do": "show", "seat": 2}, {"do": "muck", "seat": 1}, {"do": "muck", "seat": 3}]
        actions += [{"do": "ask_to_see", "seat": 1, "asker": asker}]
        actions += [{"do": "show", "seat": 1}] if asker == 2 else []
        played = ask.hand(3, actions, dealt(hands, BOARD))
        found.append("shown_hand" if 1 in played.awarded else "original_winner")
    return {"award": found}
