"""No-limit hold'em hands of six players to a showdown in PokerKit, everything automated that can be: seconds."""

import json
import sys
import time

from pokerkit import Automation, NoLimitTexasHoldem

AUTOMATIONS = tuple(Automation)
SCRIPT = (
    (30, 0, 0, 0, 0, 0),  # a raise to 30, five calls
    (20, 0, 0, 0, 0, 0),
    (0, 0, 0, 0, 0, 0),  # six checks
    (0, 0, 0, 0, 0, 40, 0, 0, 0, 0, 0),
)


def hand():
    state = NoLimitTexasHoldem.create_state(AUTOMATIONS, True, 0, (5, 10), 10, (400,) * 6, 6)
    for street in SCRIPT:
        for total in street:
            if total:
                state.complete_bet_or_raise_to(total)
            else:
                state.check_or_call()
    assert not state.status
    assert sum(state.stacks) == 2400


begin, hands = time.process_time(), 0
while time.process_time() - begin < float(sys.argv[1]):
    hand()
    hands += 1
print(json.dumps({"per_second": hands / (time.process_time() - begin)}))
