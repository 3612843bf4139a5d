"""The same transitions with a guard and an action in our strict machine: seconds."""

import json
import sys
import time

from controller.core.machine import Row, StrictMachine


class Round:
    fired = 0

    def may(self):
        return True

    def count(self):
        self.fired += 1


ROWS = (
    Row("invite", "idle", "betting", "may", "count"),
    Row("close", "betting", "closed", "may", "count"),
    Row("settle", "closed", "idle", "may", "count"),
)
model = Round()
machine = StrictMachine("round", model, ("idle", "betting", "closed"), ROWS, "idle", lambda *moved: None)
begin, fired = time.process_time(), 0
while time.process_time() - begin < float(sys.argv[1]):
    for _ in range(100):
        machine.fire("invite")
        machine.fire("close")
        machine.fire("settle")
    fired += 300
assert model.fired == fired
print(json.dumps({"per_second": fired / (time.process_time() - begin)}))
