"""Transitions with a guard and an action in python-statemachine: seconds."""

import json
import sys
import time

from statemachine import State, StateMachine


class Round(StateMachine):
    idle = State(initial=True)
    betting = State()
    closed = State()

    invite = idle.to(betting, cond="may", on="count")
    close = betting.to(closed, cond="may", on="count")
    settle = closed.to(idle, cond="may", on="count")

    fired = 0

    def may(self):
        return True

    def count(self):
        self.fired += 1


table = Round()
begin, fired = time.process_time(), 0
while time.process_time() - begin < float(sys.argv[1]):
    for _ in range(100):
        table.invite()
        table.close()
        table.settle()
    fired += 300
assert table.fired == fired
print(json.dumps({"per_second": fired / (time.process_time() - begin)}))
