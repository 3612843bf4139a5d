"""What a firmware author gets beside the pages: the printable edition, and the dissector for Wireshark."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from click.testing import CliRunner

import firmware_specs
from controller.commands.spec import spec as spec_command
from lab.commands.capture import capture as capture_command
from lab.commands.conform import conform as conform_command
from lab.conformance.sentences import sentences
from lab.needs import TSHARK
from tests.needed import skip_without

HERE = Path(firmware_specs.__file__).parent


def test_the_printable_edition_holds_the_whole_kit_in_one_file(tmp_path: Path) -> None:
    told = CliRunner().invoke(spec_command, ["edition", "--output", str(tmp_path / "kit.html")])
    assert told.exit_code == 0, told.output
    page = (tmp_path / "kit.html").read_text("utf-8")
    assert page == (HERE / "kit.html").read_text("utf-8")
    for number in sentences():
        assert f'<b id="{number}">{number}</b>' in page
    for title in ("Card shoe", "Wheel sensor", "Chip mat", "Card antennas", "Shuffler", "The reference firmware"):
        assert re.search(rf'<h1 id="part\d">{title}</h1>', page)
    assert "http" not in page
    assert "**" not in re.sub(r"<pre>.*?</pre>|<code>.*?</code>", "", page, flags=re.DOTALL)
    assert page.count("<table>") == page.count("</table>") > 60


@skip_without(TSHARK)
def test_wireshark_reads_a_recorded_line(tmp_path: Path) -> None:
    plugin, tape, packets = tmp_path / "link.lua", tmp_path / "tape", tmp_path / "tape.pcap"
    assert CliRunner().invoke(spec_command, ["dissector", "--output", str(plugin)]).exit_code == 0
    words = ["chips", "--port", "simulated", "--record", str(tape)]
    for step in (
        "identify.answers_strays",
        "events.pass*",
        "commands.*",
        "outputs.are_applied*",
        "kind.reads*",
        "hostile.c*",
    ):
        words += ["--step", step]
    assert CliRunner().invoke(conform_command, words).exit_code == 0
    told = CliRunner().invoke(capture_command, ["pcap", str(tape), "--output", str(packets)])
    assert told.exit_code == 0, told.output

    def shark(*more: str) -> str:
        line = ["tshark", "-X", f"lua_script:{plugin}", "-r", str(packets), *more]
        told = subprocess.run(line, capture_output=True, text=True, timeout=60, check=True)
        assert "Lua: Error" not in told.stdout + told.stderr
        return told.stdout

    short = shark()
    for seen in (
        "HELLO",
        "IDENTITY",
        "EVENT TagsChanged",
        "EVENT Inventory",
        "COMMAND ReadAll",
        "RESULT done",
        "APPLIED",
    ):
        assert seen in short, seen
    assert "DAMAGED" in short  # the frames that were cut on purpose
    full = shark("-V")
    assert "snapshot = " in full
    assert "serial = SIM-CHIPS" in full
    assert "cause = noise" in full or "cause = reader_hot" in full
