"""A paired device and its table prove their key to each other; whoever cannot is refused with the reason."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from itertools import count
from pathlib import Path

import msgspec
import pytest

import firmware_specs
from drivers.link import HostLink
from drivers.pairing import GiveKey, KeyRing, KeyTrouble, Outcome, Paired
from firmware_specs import link, pairing
from firmware_specs.frames import FrameDecoder, encode_frame
from lab.needs import ROOT
from tests.drivers.linked import Joined, bell
from tests.needed import skip_without

KEY = bytes(range(32))
OTHER = bytes(range(1, 33))


def drawn() -> Callable[[int], bytes]:
    """Challenges and keys that differ each time and are the same in each run."""
    number = count(1)
    return lambda length: hashlib.sha256(str(next(number)).encode()).digest()[:length]


@pytest.fixture
def keys(tmp_path: Path) -> KeyRing:
    return KeyRing(tmp_path / "keys")


def hold(keys: KeyRing, key: bytes, serial: str = "B-1") -> None:
    keys.begin(serial, key)
    keys.finish(serial)


def joined(keys: KeyRing | None, device_key: bytes) -> Joined:
    table = Joined()
    table.device.key = device_key
    if keys is not None:
        table.host.pairing = Paired(keys, drawn())
    return table


def refusals(table: Joined) -> list[tuple[str, str]]:
    table.device.start()
    table.host.start()
    table.clock.run_until(lambda: bool(table.ears.refusals), 30)
    assert table.host.state == "refused"
    assert not table.device.in_session
    return table.ears.refusals


def test_a_paired_device_plays_after_both_proved_their_key(keys: KeyRing) -> None:
    hold(keys, KEY)
    table = joined(keys, KEY).start()
    table.ring(3)
    table.settle_down()
    assert table.rings() == [3]


def test_an_unpaired_device_is_refused_where_pairing_is_demanded(keys: KeyRing) -> None:
    hold(keys, KEY)
    [(reason, remedy)] = refusals(joined(keys, b""))
    assert "is not paired" in reason
    assert "tablectl pair" in remedy


def test_a_device_with_another_key_is_refused(keys: KeyRing) -> None:
    hold(keys, KEY)
    [(reason, _)] = refusals(joined(keys, OTHER))
    assert "does not hold the key of B-1" in reason


def test_a_paired_device_of_another_table_is_refused_for_want_of_its_key(keys: KeyRing) -> None:
    [(reason, remedy)] = refusals(joined(keys, KEY))
    assert "holds no key for it" in reason
    assert "tablectl pair" in remedy


def test_a_paired_device_where_no_pairing_is_configured_is_refused_instead_of_waiting_for_ever() -> None:
    [(reason, remedy)] = refusals(joined(None, KEY))
    assert "is paired" in reason
    assert "paired = true" in remedy


def test_a_key_file_that_is_no_key_refuses_the_device_and_says_where(keys: KeyRing) -> None:
    hold(keys, KEY)
    keys.path("B-1").write_text("rubbish")
    [(reason, _)] = refusals(joined(keys, KEY))
    assert str(keys.path("B-1")) in reason


def test_a_paired_device_hears_nothing_from_a_host_that_does_not_prove_itself() -> None:
    """A host that forges everything but the proof gets neither events nor outputs nor commands."""
    table = joined(None, KEY)
    table.device.start()
    table.ring(5)
    heard: list[bytes] = []
    decoder = FrameDecoder()
    port = table.wire.host
    port.open(lambda octets: heard.extend(decoder.feed(octets)), lambda trouble: None)
    for content in (
        link.Hello(7, 0, 0, challenge=bytes(16)).encode(),
        link.encode_proof(7, bytes(16)),
        link.encode_ack(table.device.epoch, 0, 0),
        link.HEAD_SET.pack(link.SET, 1) + bell.SPEC.safe.encode(),
        link.pack_event(link.COMMAND, 1, bell.Ring.ID) + bell.Ring(times=1).encode(),
        link.encode_pair(7, OTHER),
    ):
        port.write(encode_frame(content))
    table.clock.run_for(3)
    assert {content[0] for content in heard} == {link.IDENTITY}
    assert table.bell.acted == []
    assert table.device.held == 1
    assert table.device.key == KEY
    assert table.device.counters["unproved"] == 2


def test_a_recorded_session_played_back_opens_nothing(keys: KeyRing) -> None:
    hold(keys, KEY)
    table = joined(keys, KEY)
    said: list[bytes] = []

    class Tape:
        def record(self, direction: str, octets: bytes) -> None:
            if direction == "out":
                said.append(octets)

    table.host.recorder = Tape()
    table.start()
    table.host.stop()
    table.clock.run_for(10)  # the device notices the silence and ends the session
    table.ring(4)
    assert not table.device.in_session
    heard: list[bytes] = []
    decoder = FrameDecoder()
    table.wire.host.open(lambda octets: heard.extend(decoder.feed(octets)), lambda trouble: None)
    for octets in list(said):
        table.wire.host.write(octets)
    table.clock.run_for(3)
    assert not table.device.in_session
    assert link.EVENT not in {content[0] for content in heard}


def test_an_identity_altered_on_its_way_is_not_proved() -> None:
    identity = link.Identity.decode(content_of("IDENTITY with proof"))
    asked = content_of("HELLO asking for proof")[14:]
    key = content_of("PAIR")[5:]
    assert pairing.proves(identity, key, asked)
    for change in ({"serial": "W-0043"}, {"epoch": 1}, {"oldest": 1}, {"proof": bytes(16)}):
        assert not pairing.proves(msgspec.structs.replace(identity, **change), key, asked)
    assert not pairing.proves(identity, key, bytes(16))


def content_of(name: str) -> bytes:
    vectors = Path(firmware_specs.__file__).parent / "vectors" / "link.json"
    frames = json.loads(vectors.read_text())["frames"]
    return bytes.fromhex(next(frame["content"] for frame in frames if frame["name"] == name))


def test_the_golden_proofs_are_what_the_description_says() -> None:
    """Computed here from the words of the page, with the hash function alone."""
    hello, identity = content_of("HELLO asking for proof"), content_of("IDENTITY with proof")
    key, asked, offered = content_of("PAIR")[5:], hello[14:], identity[-32:-16]

    def mac(text: bytes) -> bytes:
        return hashlib.blake2s(text, key=key, digest_size=16).digest()

    assert identity[-16:] == mac(b"device" + asked + offered + content_of("IDENTITY"))
    assert content_of("PROOF")[5:] == mac(b"host" + offered + asked)
    decoded = link.Identity.decode(identity)
    assert decoded.encode() == identity
    assert decoded.claims() == content_of("IDENTITY")
    assert link.Hello.decode(hello).encode() == hello
    assert link.encode_proof(0x11223344, content_of("PROOF")[5:]) == content_of("PROOF")
    assert link.decode_pair(content_of("PAIR")) == (0x11223344, key)


# --- commissioning ---------------------------------------------------------------------------


def pair(table: Joined, keys: KeyRing, **options: object) -> Outcome:
    outcomes: list[Outcome] = []
    table.host.stop()
    table.device.start()
    given = GiveKey(table.clock, table.wire.host, bell.SPEC, keys, outcomes.append, draw=drawn(), **options)  # type: ignore[arg-type]
    given.start()
    table.clock.run_until(lambda: bool(outcomes), 30)
    return outcomes[0]


def resumed(table: Joined, keys: KeyRing) -> HostLink:
    host = table.new_host(None)
    host.pairing = Paired(keys, drawn())
    table.host = host
    host.start()
    table.clock.run_until(lambda: host.state == "up" and table.device.in_session, 30)
    return host


def test_pairing_gives_a_device_its_key_and_it_plays_from_then_on(keys: KeyRing) -> None:
    table = joined(None, b"")
    outcome = pair(table, keys)
    assert (outcome.status, outcome.serial) == ("paired", "B-1")
    assert keys.key("B-1") == table.device.key != b""
    assert keys.path("B-1").stat().st_mode & 0o777 == 0o600
    resumed(table, keys)


def test_pairing_again_changes_the_key(keys: KeyRing) -> None:
    table = joined(None, KEY)
    hold(keys, KEY)
    assert pair(table, keys).status == "paired"
    assert keys.key("B-1") == table.device.key != KEY
    resumed(table, keys)


def test_a_device_with_a_foreign_key_keeps_it_and_the_remedy_is_told(keys: KeyRing) -> None:
    table = joined(None, OTHER)
    outcome = pair(table, keys)
    assert outcome.status == "failed"
    assert "does not know" in outcome.text
    assert "Clear the key at the device" in outcome.remedy
    assert table.device.key == OTHER
    assert keys.key("B-1") is None


def test_a_pairing_that_died_after_the_device_took_the_key_is_finished_by_the_next(keys: KeyRing) -> None:
    keys.begin("B-1", OTHER)
    table = joined(None, OTHER)
    assert pair(table, keys).status == "paired"
    assert keys.key("B-1") == OTHER


def test_unpairing_takes_the_key_from_both(keys: KeyRing) -> None:
    hold(keys, KEY)
    table = joined(None, KEY)
    assert pair(table, keys, take_away=True).status == "unpaired"
    assert table.device.key == b""
    assert keys.key("B-1") is None


def test_nobody_at_the_port_is_told_in_time(keys: KeyRing) -> None:
    table = joined(None, b"")
    outcomes: list[Outcome] = []
    GiveKey(table.clock, table.wire.host, bell.SPEC, keys, outcomes.append, within=4.0).start()
    table.clock.run_until(lambda: bool(outcomes), 5)
    assert outcomes[0].status == "failed"
    assert "within 4 s" in outcomes[0].text


def test_the_wrong_device_is_not_paired(keys: KeyRing) -> None:
    outcome = pair(joined(None, b""), keys, serial="B-2")
    assert outcome.status == "failed"
    assert "B-2 belongs here" in outcome.text
    assert not keys.folder.exists()


@pytest.mark.parametrize("serial", ["../evil", ".hidden", "a/b", "A B", "naïve"])
def test_a_serial_number_from_the_wire_never_leaves_the_folder_of_keys(keys: KeyRing, serial: str) -> None:
    assert keys.path(serial).parent == keys.folder
    assert not keys.path(serial).name.startswith(".")
    hold(keys, KEY, serial)
    assert keys.key(serial) == KEY


@skip_without(ROOT, "nobody else can write for another user")
def test_a_key_made_by_root_belongs_to_the_owner_of_the_data_directory(tmp_path: Path) -> None:
    os.chown(tmp_path, 4711, 4712)
    keys = KeyRing(tmp_path / "keys")
    hold(keys, KEY)
    assert {(path.stat().st_uid, path.stat().st_gid) for path in (keys.folder, keys.path("B-1"))} == {(4711, 4712)}


def test_a_folder_that_cannot_be_written_is_told_before_the_device_hears_a_key(tmp_path: Path) -> None:
    (tmp_path / "keys").write_text("a file in the way")
    keys = KeyRing(tmp_path / "keys")
    with pytest.raises(KeyTrouble, match="cannot be written"):
        keys.begin("B-1", KEY)
    table = joined(None, b"")
    assert pair(table, keys).status == "failed"
    assert table.device.key == b""
