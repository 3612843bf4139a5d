"""Hostile input: a short campaign against every reader, and proof that the campaign can find something."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from click.testing import CliRunner

from controller.cards.seal import read_deck
from controller.commands import main
from controller.config.tomlread import ConfigError, Document
from controller.core.effects import Refused
from controller.core.events import Command
from controller.core.guarded import GuardedTable
from controller.money.register import MAGIC, RegisterFile
from controller.people import Person
from controller.people.player_cards import read_player_list
from controller.people.staff import pin_fits, read_staff
from controller.pi.evidence import EvidenceTrouble, verify_export
from controller.rules.clauses import ClauseIndexError, read_index
from drivers.capture import Captured, Heading, Run
from firmware_specs.frames import FrameDecoder, encode_frame
from firmware_specs.messages import wheel
from lab.captures.frames import frames
from lab.proofs.fuzz import campaign, wires
from lab.proofs.fuzz.campaign import Nonsense, fire
from lab.proofs.fuzz.noise import NoisyShift
from lab.proofs.fuzz.targets import TARGETS
from lab.scenarios.file import ScenarioError, read_cases
from lab.sim.config import default_config

INPUTS = {"line-noise": 1, **{name: 60 for name in TARGETS if name.startswith("table-")}, "rulebook": 40}


@pytest.mark.parametrize("name", list(TARGETS))
def test_no_reader_breaks_on_hostile_input(name: str) -> None:
    tally = fire(TARGETS[name](3), INPUTS.get(name, 150))
    assert [finding.text() for finding in tally.findings] == []
    assert tally.inputs >= INPUTS.get(name, 150)


class Reader:
    """A reader that does something wrong."""

    name, what = "reader", "a reader"
    refusals: tuple[type[Exception], ...] = (ConfigError,)

    def __init__(self, does: Exception | str) -> None:
        self.does = does

    def next(self) -> bytes:
        return b"input"

    def take(self, octets: bytes) -> int:
        if isinstance(self.does, Exception):
            raise self.does
        while self.does == "hang":
            pass
        return 1

    def close(self) -> None:
        pass


@pytest.mark.parametrize(
    ("does", "found"),
    [
        (KeyError("x"), "KeyError"),
        (Nonsense("half believed"), "half believed"),
        (ConfigError("no"), "words"),
        (ConfigError("table.toml:1: \ud800 cannot be written down"), "cannot be written"),
        ("hang", "Overran"),
    ],
)
def test_a_reader_that_does_wrong_is_found(does: Exception | str, found: str) -> None:
    tally = fire(Reader(does), 1, slowest=0.05)
    assert [found in finding.what for finding in tally.findings] == [True]


def test_a_reader_that_refuses_in_words_is_not_found() -> None:
    tally = fire(Reader(ConfigError("table.toml:3: unknown key 'x'; delete it")), 3)
    assert (tally.refused, tally.findings) == (3, [])


def test_a_decoder_that_forgets_a_range_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def careless(body: bytes) -> wheel.SpinStarted:
        spin, angle, sense, homed, wound = wheel._SPIN_STARTED_0.unpack(body[:10])
        return wheel.SpinStarted(spin, angle, wheel.Sense(sense or 1), bool(homed), wound)

    monkeypatch.setattr(wheel.SpinStarted, "decode", careless)
    assert fire(TARGETS["messages-wheel"](1), 3_000).findings


def test_a_frame_decoder_without_its_check_sum_yields_wrong_angles_and_is_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def trusting(self: FrameDecoder, stuffed: bytes) -> bytes | None:
        from cobs import cobs

        try:
            whole: bytes = cobs.decode(stuffed)
        except cobs.DecodeError:
            return None
        self.good += 1
        return whole[:-4] or None

    monkeypatch.setattr(FrameDecoder, "_check", trusting)
    shift = NoisyShift(b"w1", tmp_path / "table.sqlite", bits=3e-4)
    shift.play()
    assert shift.problems


def test_the_same_seed_makes_the_same_inputs() -> None:
    def made(seed: int) -> list[bytes]:
        target = TARGETS["config"](seed)
        inputs = [target.next() for _ in range(20)]
        target.close()
        return inputs

    assert made(1) == made(1) != made(2)


def test_the_command_tells_what_it_did_and_refuses_an_unknown_target(tmp_path: Path) -> None:
    told = CliRunner().invoke(main, ["fuzz", "frames", "swipe", "--inputs", "20"])
    assert told.exit_code == 0
    assert "20 inputs" in told.output
    wrong = CliRunner().invoke(main, ["fuzz", "farms"])
    assert wrong.exit_code == 2
    assert "there is no target 'farms'" in wrong.output


def test_findings_fail_the_command_and_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wires.Frames, "take", lambda self, octets: 1 // 0)
    told = CliRunner().invoke(main, ["fuzz", "frames", "--inputs", "5", "--keep", str(tmp_path)])
    assert told.exit_code == 1
    assert "ZeroDivisionError" in told.output
    assert list(tmp_path.glob("frames-1.bin"))
    assert campaign.SHOWN


# What campaigns have found, each as the input that showed it.


def test_a_file_nested_thousands_deep_is_refused_in_words() -> None:
    with pytest.raises(ConfigError, match="too deep"):
        Document("table.toml", "a = " + "[" * 5_000 + "]" * 5_000)


def test_a_number_of_thousands_of_digits_is_refused_in_words(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="correct the value"):
        Document("table.toml", "a = " + "9" * 5_000)
    case = tmp_path / "case.json"
    case.write_text('{"id": ' + "9" * 5_000 + "}")
    with pytest.raises(ScenarioError, match="mend the file"):
        read_cases(case)
    with pytest.raises(ConfigError, match="milliseconds"):
        read_player_list("players.csv", "number,state,until\n1234,valid," + "9" * 30, str)


def test_a_captured_frame_too_short_for_its_kind_is_shown_as_such() -> None:
    for kind in (0x83, 0x04, 0x85):
        piece = Captured(0.0, "in", encode_frame(bytes((kind,))).hex())
        (shown,) = frames(Run(Heading(1, "wheel", "wheel", 0, 0.0), [piece]), wheel.SPEC)
        assert "DOES NOT FIT" in str(shown)


def test_a_register_that_is_no_text_inside_is_refused_in_words(tmp_path: Path) -> None:
    staff = tmp_path / "staff.json"
    staff.touch(mode=0o600)
    staff.write_bytes(b'{"members": {"\xff": 1}}')
    with pytest.raises(ConfigError, match="damaged"):
        read_staff(staff)
    deck = tmp_path / "deck.csv"
    deck.write_bytes(b"\xff,As")
    with pytest.raises(ConfigError, match="UTF-8"):
        read_deck(deck)
    deck.write_text("-1f,As")
    with pytest.raises(ConfigError, match="no tag"):
        read_deck(deck)
    with pytest.raises(ClauseIndexError, match="quotes"):
        read_index("melbourne-wheel", 'clause,role,does,code\n"1')


def test_an_edited_hash_of_a_pin_neither_breaks_nor_hangs_the_door() -> None:
    assert not pin_fits("2580", "scrypt$-1$8$1$00$00")
    assert not pin_fits("2580", "scrypt$9999999999$8$1$00$00")


def test_a_chip_register_with_a_right_sum_and_wrong_insides_is_refused(tmp_path: Path) -> None:
    import hashlib
    import struct

    head = b'{"tags":2,"classes":[{"kind":"cash","cents":500}],"denominations":[500]}'
    for tags, classes in (((2, 1), (0, 0)), ((1, 2), (0, 7))):
        body = struct.pack("<I", len(head)) + head + struct.pack("<2Q2H2B", *tags, *classes, 0, 0)
        path = tmp_path / "chips.register"
        path.write_bytes(MAGIC + hashlib.blake2b(body, digest_size=32).digest() + body)
        with pytest.raises(ConfigError, match="damaged"):
            list(RegisterFile(path))


def test_an_exported_day_without_its_end_is_refused_in_words(tmp_path: Path) -> None:
    path = tmp_path / "day.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"gaming_day":1,"first":1,"before":""}\n'))
    with pytest.raises(EvidenceTrouble, match="export the day again"):
        verify_export(path)


@pytest.mark.parametrize(
    ("key", "args"),
    [
        ("change_commission", {"fees": 5}),
        ("change_commission", {"method": 5}),
        ("change_game", {"blinds": 5}),
        ("change_game", {"blinds": "inf 5"}),
        ("change_game", {"levels": True}),
    ],
)
def test_terms_of_poker_that_are_no_terms_are_refused_and_break_nothing(key: str, args: dict[str, object]) -> None:
    table = GuardedTable(default_config("poker"))
    broken: list[str] = []
    table.defect = lambda seq, trace: broken.append(trace)
    assert key in table.table.game.keys
    table.apply(1, Command("open", Person("S1", 1), {}))
    table.table.life.restore("open")
    table.table.state.life = "open"
    effects = table.apply(2, Command(key, Person("S6", 6), args))
    assert broken == []
    assert any(isinstance(effect, Refused) for effect in effects)
