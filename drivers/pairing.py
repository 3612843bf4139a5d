"""The table's end of pairing: the keys it holds, whether a device proves its own, and giving a device its key."""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import msgspec

from firmware_specs import link, pairing
from firmware_specs.clock import Clock, Timer
from firmware_specs.frames import FrameDecoder, encode_frame
from firmware_specs.link import Identity
from firmware_specs.port import Port, PortTrouble
from firmware_specs.sealing import SEALS, Seal, sealed_proof
from firmware_specs.spec import BadMessage, DeviceSpec

from .identify import Problem, why_refused

Draw = Callable[[int], bytes]
SAY_AGAIN_S = 0.4
_NEW = ".new"


class KeyTrouble(Exception):
    """A key cannot be read or written: what, where, and what to do."""


class KeyRing:
    """The keys of paired devices, one file a serial number, readable by the controller alone."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, serial: str) -> Path:
        """Where the key of this device lies; serial numbers come from a wire and may hold anything."""
        name = re.sub(r"[^A-Za-z0-9._-]", lambda odd: f"%{ord(odd.group()):02x}", serial)
        return self.folder / f"{name if not name.startswith('.') else '%2e' + name[1:]}.key"

    def key(self, serial: str) -> bytes | None:
        """The key of this device; None when it has never been paired with this table."""
        return _read(self.path(serial))

    def begun(self, serial: str) -> bytes | None:
        """The key of a pairing that was begun and may have reached the device."""
        return _read(Path(f"{self.path(serial)}{_NEW}"))

    def begin(self, serial: str, key: bytes) -> None:
        """Have the new key on disk before the device hears it, so that no power cut locks the device out."""
        path = Path(f"{self.path(serial)}{_NEW}")
        part = Path(f"{path}.part")
        try:
            if not self.folder.exists():
                self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                _sync(self.folder.parent)
            part.unlink(missing_ok=True)
            with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600), "w") as file:
                file.write(key.hex() + "\n")
                file.flush()
                os.fsync(file.fileno())
            if os.geteuid() == 0:  # paired by root, read by the table's own user
                owner = self.folder.parent.stat()
                for mine in (self.folder, part):
                    os.chown(mine, owner.st_uid, owner.st_gid)
            part.replace(path)  # the key begun before may be the device's: it goes only when this one is on disk
            try:
                _sync(self.folder)
            except OSError:
                path.unlink()
                raise
        except OSError as error:
            raise KeyTrouble(
                f"{path}: the key cannot be written ({error.strerror}); give this user the right to write there"
            ) from error

    def finish(self, serial: str) -> None:
        """The device has proved the new key: it is the key from now on."""
        os.replace(f"{self.path(serial)}{_NEW}", self.path(serial))
        _sync(self.folder)

    def forget(self, serial: str) -> None:
        self.path(serial).unlink(missing_ok=True)
        Path(f"{self.path(serial)}{_NEW}").unlink(missing_ok=True)


def _sync(folder: Path) -> None:
    """Put the names in a folder on disk."""
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def _read(path: Path) -> bytes | None:
    try:
        key = bytes.fromhex(path.read_text("ascii"))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise KeyTrouble(
            f"{path}: the key cannot be read ({error.strerror}); it belongs to the user who runs the table, mode 600"
        ) from error
    except ValueError as error:
        raise KeyTrouble(f"{path}: not a key; remove it and pair the device again") from error
    if len(key) != link.KEY_BYTES or key == pairing.NO_KEY:
        raise KeyTrouble(f"{path}: not a key of {link.KEY_BYTES} bytes; remove it and pair the device again")
    return key


class Paired:
    """For a place whose device must prove the key it was given at commissioning."""

    def __init__(self, keys: KeyRing, draw: Draw = secrets.token_bytes, *, sealed: bool = False) -> None:
        self.keys = keys
        self.sealed = sealed  # whether what follows must be sealed too
        self._draw = draw

    def challenge(self) -> bytes:
        return self._draw(link.CHALLENGE_BYTES)

    def why_refused(self, identity: Identity, title: str, asked: bytes) -> Problem | None:
        again = "Stop the table and run `tablectl pair` for this place."
        if not identity.proof:
            return f"The {title} {identity.serial} is not paired, and this place demands it.", again
        try:
            key = self.keys.key(identity.serial)
        except KeyTrouble as trouble:
            return f"The {title} {identity.serial} cannot be checked: {trouble}.", again
        if key is None:
            return (
                f"The {title} {identity.serial} is paired, but this table holds no key for it.",
                "Bring its key with the table's data, or clear the key at the device and run `tablectl pair`.",
            )
        if not pairing.proves(identity, key, asked):
            return (
                f"The {title} that calls itself {identity.serial} does not hold the key of {identity.serial}.",
                "Find out where this device comes from. If it is the right one, clear its key and pair it again.",
            )
        if self.sealed and not identity.capabilities & SEALS:
            return (
                f"The {title} {identity.serial} cannot seal its frames, and this place demands it.",
                "Load firmware that can (capability bit 31), or remove sealed from this place's configuration.",
            )
        return None

    def proof(self, identity: Identity, asked: bytes) -> bytes:
        word = sealed_proof if self.sealed else pairing.host_proof
        return word(self._key(identity), asked, identity.challenge)

    def seal(self, identity: Identity, asked: bytes) -> Seal | None:
        return Seal(self._key(identity), asked, identity.challenge, host=True) if self.sealed else None

    def _key(self, identity: Identity) -> bytes:
        key = self.keys.key(identity.serial)
        assert key is not None  # else it was refused
        return key


class Outcome(msgspec.Struct, frozen=True):
    """How giving a key ended."""

    status: Literal["paired", "unpaired", "failed"]
    text: str
    remedy: str = ""
    serial: str = ""


class GiveKey:
    """Gives the device at a port a new key, or takes the key away; asks again until it is proved or time is up."""

    def __init__(
        self,
        clock: Clock,
        port: Port,
        spec: DeviceSpec,
        keys: KeyRing,
        done: Callable[[Outcome], None],
        *,
        serial: str | None = None,
        take_away: bool = False,
        within: float = 10.0,
        draw: Draw = secrets.token_bytes,
    ) -> None:
        self._clock = clock
        self._port = port
        self._spec = spec
        self._keys = keys
        self._done = done
        self._serial = serial
        self._take_away = take_away
        self._draw = draw
        self._decoder = FrameDecoder()
        self._over = False
        self._offered = False
        self._seal: Seal | None = None
        self._hello = link.Hello(1 + int.from_bytes(draw(3), "little"), 0, 0, challenge=draw(link.CHALLENGE_BYTES))
        self._timers: list[Timer] = [clock.call_later(within, self._late, within)]

    def start(self) -> None:
        """Open the port and begin; `done` is told within the time given, whatever happens."""
        try:
            self._port.open(self._on_bytes, self._on_lost)
        except PortTrouble as trouble:
            self._on_lost(trouble)
            return
        self._ask()

    def _ask(self) -> None:
        if not self._over:
            self._port.write(link.AFRESH + encode_frame(self._hello.encode()))
            self._timers.append(self._clock.call_later(SAY_AGAIN_S, self._ask))

    def _send(self, content: bytes) -> None:
        self._port.write(encode_frame(content))

    def _on_bytes(self, octets: bytes) -> None:
        for content in self._decoder.feed(octets):
            if content[0] != link.IDENTITY or self._over:
                continue
            try:
                identity = Identity.decode(content)
            except BadMessage as bad:
                self._end("failed", f"The device's answer cannot be understood: {bad}.", "Check its firmware.")
                return
            if identity.nonce == self._hello.nonce:
                try:
                    self._answered(identity)
                except KeyTrouble as trouble:
                    self._end("failed", f"{trouble}.", "", identity.serial)

    def _answered(self, identity: Identity) -> None:
        problem = why_refused(identity, self._spec, self._port.name, self._serial, 0)
        if problem is not None:
            self._end("failed", *problem)
            return
        serial, asked = identity.serial, self._hello.challenge
        name = f"The {self._spec.title} {serial}"
        begun, present = self._keys.begun(serial), self._keys.key(serial)
        if self._take_away and not identity.proof:
            self._keys.forget(serial)
            self._end("unpaired", f"{name} holds no key.", "", serial)
        elif begun is not None and not self._take_away and pairing.proves(identity, begun, asked):
            self._keys.finish(serial)
            self._end("paired", f"{name} and this table share a new key.", "", serial)
        elif not identity.proof:
            self._offer(serial)
        else:
            known = next((key for key in (present, begun) if key and pairing.proves(identity, key, asked)), None)
            if known is None:
                self._end(
                    "failed",
                    f"{name} holds a key that this table does not know.",
                    "Clear the key at the device, as its maker describes, then pair it again.",
                    serial,
                )
                return
            if identity.capabilities & SEALS:  # it takes another key only from who can seal it with the present one
                self._seal = Seal(known, asked, identity.challenge, host=True)
                proof = sealed_proof(known, asked, identity.challenge)
            else:
                proof = pairing.host_proof(known, asked, identity.challenge)
            self._send(link.encode_proof(self._hello.nonce, proof))
            if self._take_away:
                self._give(pairing.NO_KEY)
            else:
                self._offer(serial)

    def _give(self, key: bytes) -> None:
        content = link.encode_pair(self._hello.nonce, key)
        self._send(content if self._seal is None else self._seal.close(content))

    def _offer(self, serial: str) -> None:
        if not self._offered:
            self._offered = True
            self._keys.begin(serial, self._draw(link.KEY_BYTES))
        key = self._keys.begun(serial)
        assert key is not None
        self._give(key)

    def _on_lost(self, trouble: PortTrouble) -> None:
        self._end("failed", trouble.text, trouble.remedy)

    def _late(self, within: float) -> None:
        self._end(
            "failed",
            f"The {self._spec.title} at {self._port.name} gave no fitting answer within {within:g} s.",
            "Check its power and its cable, and that its firmware can be paired.",
        )

    def _end(self, status: Literal["paired", "unpaired", "failed"], text: str, remedy: str, serial: str = "") -> None:
        if self._over:
            return
        self._over = True
        for timer in self._timers:
            timer.cancel()
        self._port.close()
        self._done(Outcome(status, text, remedy, serial))
