"""Switches hit and released in a Mission Pinball Framework machine under its own virtual time: seconds."""

import json
import logging
import pathlib
import sys
import tempfile
import time

from mpf.tests.MpfTestCase import MpfTestCase

logging.disable(logging.CRITICAL)
MACHINE = pathlib.Path(tempfile.mkdtemp())
(MACHINE / "config").mkdir()
(MACHINE / "config" / "config.yaml").write_text(
    "#config_version=6\nswitches:\n  s_reel:\n    number: 1\n    events_when_activated: reel_seen\n"
)


class Machine(MpfTestCase):
    def get_config_file(self):
        return "config.yaml"

    def get_machine_path(self):
        return str(MACHINE)

    def get_absolute_machine_path(self):
        return str(MACHINE)

    def runTest(self):
        seen = 0

        def on_seen(**kwargs):
            nonlocal seen
            seen += 1

        self.machine.events.add_handler("reel_seen", on_seen)
        begin, hits = time.process_time(), 0
        while time.process_time() - begin < float(sys.argv[1]):
            for _ in range(100):
                self.hit_and_release_switch("s_reel")
            hits += 100
        took = time.process_time() - begin
        assert seen == hits, (seen, hits)
        print(json.dumps({"per_second": 2 * hits / took}))


machine = Machine()
machine.setUp()
machine.runTest()
