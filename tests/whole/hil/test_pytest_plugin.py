"""The pytest plugin, used as a firmware engineer uses it: pytest in a folder of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from drivers.capture import read_capture
from lab.captures.frames import frames, spec_of_run
from lab.conformance.program import Program
from tests import ROOT

FIRST = """
from firmware_specs.messages.shoe import CardOut, Lamp, Outputs


def a_card(card):
    return CardOut.build(
        {"at": 0, "draw": 1, "look": 1, "reading": "card", "card": card, "confidence": 97,
         "second": 0, "second_confidence": 0, "face_up": False, "forced": False}
    )


def test_a_card_is_told(shoe):
    shoe.see(a_card(12))
    assert shoe.expect(CardOut, card=12).confidence == 97


def test_the_gate_opens(shoe):
    shoe.set(locked=False, lamp="green")
    assert shoe.outputs() == Outputs(locked=False, lamp=Lamp.GREEN)


def test_a_card_survives_faults_and_restarts(shoe, faults):
    faults("shoe drop at_event=1")
    faults("shoe corrupt rate=0.2")
    for card in range(1, 11):
        shoe.see(a_card(card))
    shoe.expect(CardOut, within=30, card=4)
    shoe.restart()
    assert shoe.expect(CardOut, within=30, card=10)
    assert [event.card for event in shoe.events if isinstance(event, CardOut)] == list(range(1, 11))


def test_what_is_not_durable_comes_again(shoe):
    shoe.settling = False
    shoe.see(a_card(7))
    shoe.expect(CardOut, card=7)
    shoe.restart_host()
    shoe.expect(CardOut, card=7)
    shoe.settle()


def test_a_command_is_answered(wheel):
    assert wheel.do("ReadAngle")["status"] == "done"
"""


def run(folder: Path, text: str, *options: str) -> subprocess.CompletedProcess[str]:
    """Pytest in a process of its own, with this plugin alone."""
    (folder / "pytest.ini").write_text("[pytest]\naddopts = -p no:cacheprovider\n", "utf-8")
    (folder / "test_it.py").write_text(text, "utf-8")
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    words = [sys.executable, "-m", "pytest", "-p", "lab.plugin.fixtures", "-rs", *options, str(folder)]
    return subprocess.run(words, capture_output=True, text=True, timeout=120, cwd=folder, env=environment, check=False)


def test_first_tests_pass_with_simulated_devices(tmp_path: Path) -> None:
    told = run(tmp_path, FIRST)
    assert told.returncode == 0, told.stdout
    assert "5 passed" in told.stdout


def test_the_same_tests_pass_on_a_rig_with_the_reference(program: Path, tmp_path: Path) -> None:
    rig = tmp_path / "rig.toml"
    rig.write_text(
        f'speed = 10\n[devices.shoe]\nprogram = "{program}"\n[devices.wheel]\nprogram = "{program}"\n', "utf-8"
    )
    told = run(tmp_path, FIRST, "--rig", "rig.toml", "--rig-captures", "captures")
    assert told.returncode == 0, told.stdout
    assert "5 passed" in told.stdout
    runs = [run for run in read_capture(tmp_path / "captures" / "shoe.capture") if run.pieces]
    assert len(runs) >= 5  # the check of the rig, and a run for each test of the shoe
    spec = spec_of_run(runs[-1])
    assert any(type(frame.message).__name__ == "CardOut" for run in runs for frame in frames(run, spec))


def test_to_record_the_lines_of_no_rig_is_refused(tmp_path: Path) -> None:
    told = run(tmp_path, FIRST, "--rig-captures", "captures")
    assert told.returncode == 4
    assert "give one with --rig FILE" in told.stderr


EVERY_KIND = """
import pytest

from drivers.swipe import CardSwiped, CardUnread
from firmware_specs.messages.cards import CardsMoved
from firmware_specs.messages.chips import Inventory, TagsChanged
from firmware_specs.messages.shuffler import State, StateChanged


def test_chips_laid_by_hand_are_told(chips):
    chips.hand("place", tags=[7, 8], area=3)
    assert chips.expect(TagsChanged, to=(3, 3)).added == (7, 8)
    assert chips.do("ReadAll", snapshot=9)["status"] == "done"
    assert chips.expect(Inventory, snapshot=9, area=0).total == 0


@pytest.mark.needs("edge", "twice")
def test_a_card_dealt_by_hand_is_told(cards):
    cards.hand("place", tags=[77], antenna=2)
    assert cards.expect(CardsMoved, added=(77,)).to == (2,)


def test_a_shuffler_loaded_by_hand_gets_ready(shuffler):
    shuffler.hand("load", cards=["KS", "QH", "2D"])
    assert shuffler.expect(StateChanged, within=30, state=State.READY).inside == 3


def test_a_card_is_swiped_and_half_a_card_is_not(swipe):
    swipe.swipe()
    first = swipe.expect(CardSwiped)
    swipe.swipe()
    assert swipe.expect(CardSwiped).card == first.card
    swipe.swipe(bad=(1, 2))
    assert swipe.expect(CardUnread).reason == "half_read"
    swipe.expect_nothing(1.0)
"""


def test_devices_of_every_kind_are_moved_by_hand_simulated_or_in_their_own_process(tmp_path: Path) -> None:
    told = run(tmp_path, EVERY_KIND)
    assert told.returncode == 0, told.stdout
    assert "4 passed" in told.stdout
    rig = ["speed = 10"]
    for place in ("chips", "cards", "shuffler", "swipe"):
        rig += [f"[devices.{place}]", 'program = "simulate"']
    (tmp_path / "rig.toml").write_text("\n".join(rig), "utf-8")
    told = run(tmp_path, EVERY_KIND, "--rig", "rig.toml")
    assert told.returncode == 0, told.stdout
    assert "4 passed" in told.stdout


def the_page() -> str:
    """The test that the page for newcomers has them write."""
    page = (ROOT / "docs" / "first-device-test.md").read_text("utf-8")
    return page.partition("```python\n")[2].partition("```")[0]


def test_the_first_test_of_the_page_works_as_written(tmp_path: Path) -> None:
    told = run(tmp_path, the_page())
    assert told.returncode == 0, told.stdout
    assert "3 passed" in told.stdout


def test_the_first_test_of_the_page_works_on_the_reference(program: Path, tmp_path: Path) -> None:
    (tmp_path / "rig.toml").write_text(f'speed = 5\n[devices.shoe]\nprogram = "{program}"\n', "utf-8")
    told = run(tmp_path, the_page(), "--rig", "rig.toml")
    assert told.returncode == 0, told.stdout
    assert "3 passed" in told.stdout


def test_without_anybody_to_ask_a_real_device_is_skipped_and_not_passed(program: Path, tmp_path: Path) -> None:
    with Program(program, "shoe", speed=1.0, folder=tmp_path) as running:
        (tmp_path / "rig.toml").write_text(f'[devices.shoe]\nport = "{running.port}"\n', "utf-8")
        told = run(tmp_path, FIRST, "--rig", "rig.toml", "-k", "a_card_is_told or the_gate_opens")
    assert told.returncode == 1, told.stdout
    assert "nobody can be asked: run pytest with -s" in told.stdout
    assert "1 failed, 1 skipped" in told.stdout  # what the gate did cannot be seen from here
    assert "in  APPLIED" in told.stdout


def test_a_failure_carries_the_last_frames_both_ways(tmp_path: Path) -> None:
    told = run(
        tmp_path,
        "from firmware_specs.messages.shoe import CardOut\n"
        "def test_it(shoe):\n"
        "    shoe.set(locked=False)\n"
        "    shoe.expect(CardOut, within=1)\n",
    )
    assert told.returncode == 1
    assert "shoe: CardOut() did not happen within 1 s" in told.stdout
    assert "the last frames of shoe" in told.stdout
    assert "out SET" in told.stdout
    assert "in  APPLIED" in told.stdout


def test_a_failure_of_a_table_carries_its_journal(tmp_path: Path) -> None:
    told = run(
        tmp_path,
        "def test_it(bench):\n    bench.play(rounds=1)\n    bench.until('the roof falls in', lambda: False, 5)\n",
    )
    assert told.returncode == 1, told.stdout
    assert "the roof falls in did not happen" in told.stdout
    assert "the journal" in told.stdout
    assert "table.sqlite" in told.stdout
    assert "WheelRested" in told.stdout
    assert "the last frames of wheel" in told.stdout


def test_a_table_is_played_under_faults(tmp_path: Path) -> None:
    told = run(
        tmp_path,
        "import pytest\n"
        "@pytest.mark.table('wheel', option=2, seed=5)\n"
        "def test_it(bench):\n"
        "    bench.plan('wheel drop rate=0.2')\n"
        "    bench.play(rounds=3)\n"
        "    assert bench.table.shift.rounds >= 3\n",
    )
    assert told.returncode == 0, told.stdout


def test_a_test_asks_for_capabilities_and_is_skipped_without_them(tmp_path: Path) -> None:
    told = run(
        tmp_path,
        "import pytest\n"
        "@pytest.mark.needs('gate', 'lamp')\n"
        "def test_has(shoe): assert shoe.can('gate')\n"
        "@pytest.mark.needs('wings')\n"
        "def test_typo(shoe): pass\n",
    )
    assert "1 passed" in told.stdout
    assert "has no capability 'wings'; it may have both_sides, gate, lamp" in told.stdout


@pytest.mark.parametrize(
    ("rig", "cause"),
    [
        ('[devices.shoe]\nport = "/dev/not-there"\n', "/dev/not-there is not there"),
        ("[devices.shoe]\nsimulated = true\n[devices.shoe]\nsimulated = true\n", "the device 'shoe' is named twice"),
    ],
)
def test_a_broken_rig_skips_what_depends_on_it_and_tells_the_cause_once(tmp_path: Path, rig: str, cause: str) -> None:
    (tmp_path / "rig.toml").write_text(rig, "utf-8")
    told = run(tmp_path, FIRST + "\ndef test_without_devices(): pass\n", "--rig", "rig.toml")
    assert told.returncode == 0, told.stdout
    assert "1 passed, 5 skipped" in told.stdout
    skips, _, summary = told.stdout.partition("= rig =")
    assert cause in summary
    assert "(5 tests were skipped because of it)" in summary
    short = told.stdout.partition("short test summary info")[2]
    assert short.count("the cause was told with test_it.py::test_a_card_is_told") >= 1
    assert short.count("the rig is broken: ") == 1
    assert skips


def test_without_a_rig_what_needs_one_is_skipped(tmp_path: Path) -> None:
    told = run(tmp_path, "def test_it(rig): pass\n")
    assert told.returncode == 0
    assert "no rig: give one with --rig FILE" in told.stdout
