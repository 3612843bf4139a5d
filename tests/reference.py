"""The reference devices in C, compiled for tests: as a program, and as a library on the virtual clock."""

from __future__ import annotations

import ctypes
import json
import subprocess
from pathlib import Path
from typing import Any

import firmware_specs
from firmware_specs.clock import Clock
from firmware_specs.port import Port, PortTrouble
from firmware_specs.spec import Message
from lab.conformance.bench import sample_event, spec_of
from lab.conformance.stimulus import CannotDo, Stimulus
from tests.c_compiler import STRICT, needs_compiler

SOURCES = Path(firmware_specs.__file__).parent / "reference"
CORE = (
    *("device_link.c", "shoe.c", "wheel.c", "wheel_ring.c"),
    *("tags.c", "chips.c", "cards.c", "shuffler.c", "kinds.c"),
)
TICK_S = 0.005
_SEND = ctypes.CFUNCTYPE(None, ctypes.POINTER(ctypes.c_uint8), ctypes.c_size_t)


def build(into: Path, main: str, *options: str) -> Path:
    """Compile the core with one of its shells; skips the test when there is no compiler."""
    words = [
        needs_compiler(),
        *STRICT,
        "-O1",
        "-DDEVICE_RING_BYTES=32768u",
        *options,
        *(str(SOURCES / name) for name in (*CORE, main)),
    ]
    told = subprocess.run([*words, "-o", str(into)], capture_output=True, text=True, timeout=120, check=False)
    assert told.returncode == 0, told.stderr
    return into


def build_program(folder: Path) -> Path:
    return build(folder / "device", "posix.c")


def build_library(folder: Path) -> Path:
    return build(folder / "device.so", "library.c", "-shared", "-fPIC")


class Reference(Stimulus):
    """The library as a device on a port, and as its own stimulus."""

    def __init__(self, library: Path, kind: str, clock: Clock, port: Port, serial: str = "REF-1") -> None:
        self.kind = kind
        self.clock = clock
        self.port = port
        self.serial = serial
        self.sent: list[bytes] = []
        self._c = ctypes.CDLL(str(library))
        self._c.reference_post.restype = ctypes.c_uint32
        self._c.reference_card.restype = ctypes.c_uint32
        self._c.reference_free.restype = ctypes.c_uint32
        self._c.reference_memory_bytes.restype = ctypes.c_size_t
        self._send = _SEND(self._on_send)
        self._c.reference_empty()

    def start(self) -> None:
        self.port.open(self._on_bytes, self._on_lost)
        self.power_on()
        self.clock.call_later(TICK_S, self._tick)

    def power_on(self) -> None:
        self._started = self.clock.now()
        self._c.reference_start(self.kind.encode(), self.serial.encode(), self._send, self._now())

    def _now(self) -> ctypes.c_uint32:
        return ctypes.c_uint32(round((self.clock.now() - self._started) * 1000))

    def _on_send(self, octets: ctypes._Pointer[ctypes.c_uint8], length: int) -> None:
        frame = ctypes.string_at(octets, length)
        self.sent.append(frame)
        self.port.write(frame)

    def _on_bytes(self, octets: bytes) -> None:
        self._c.reference_heard(octets, ctypes.c_size_t(len(octets)), self._now())

    def _on_lost(self, trouble: PortTrouble) -> None:
        raise AssertionError(trouble.text)

    def _tick(self) -> None:
        self._c.reference_tick(self._now())
        self.clock.call_later(TICK_S, self._tick)

    # the back door

    def events(self, count: int) -> None:
        for _ in range(count):
            self.post(sample_event(self.kind))

    def post(self, message: Message) -> None:
        assert self.put(message.ID, message.encode())

    def put(self, message_id: int, body: bytes) -> int:
        number: int = self._c.reference_post(message_id, body, ctypes.c_size_t(len(body)))
        return number

    def card(self, code: int, confidence: int = 97) -> int:
        number: int = self._c.reference_card(code, confidence)
        return number

    def ring(self, ticks: int, steps: int, index: bool, pegs: int, deflection: int) -> None:
        """What the ring of the wheel saw up to this time, in 20 µs."""
        self._c.reference_ring(ctypes.c_uint32(ticks & 0xFFFFFFFF), steps, int(index), pegs, deflection)

    def begin_card(self) -> None:
        self._c.reference_card_begins()

    def restart(self, keep_memory: bool) -> None:
        if not keep_memory:
            self._c.reference_lose()
        self.power_on()

    def cut_after(self, saves: int) -> None:
        self._c.reference_cut_after(ctypes.c_long(saves))

    def count_from(self, number: int) -> None:
        self._c.reference_count_from(ctypes.c_uint32(number), ctypes.c_uint32(0))
        self.power_on()

    def count_commands_from(self, sequence: int) -> None:
        """As if so many commands had been already, with no event held or numbered."""
        self._c.reference_count_from(ctypes.c_uint32(1), ctypes.c_uint32(sequence))

    @property
    def is_cut(self) -> bool:
        return bool(self._c.reference_is_cut())

    @property
    def free(self) -> int:
        return int(self._c.reference_free())

    @property
    def memory_bytes(self) -> int:
        return int(self._c.reference_memory_bytes())

    @property
    def gate_locked(self) -> bool:
        return bool(self._c.reference_gate_locked())

    def spoil(self, at: int) -> None:
        self._c.reference_spoil(ctypes.c_size_t(at))

    def hand(self, name: str, **how: Any) -> Any:
        answer = ctypes.create_string_buffer(8192)
        line = f"hand {name} {json.dumps(how)}".encode()
        self._c.reference_hand(line, self._now(), answer, ctypes.c_size_t(len(answer)))
        word, _, rest = answer.value.decode().strip().partition(" ")
        if word != "did":
            raise CannotDo(rest)
        return json.loads(rest)

    def outputs(self) -> Message | None:
        body = (ctypes.c_uint8 * 64)()
        length = self._c.reference_outputs(body, ctypes.c_size_t(64))
        return spec_of(self.kind).outputs.decode(bytes(body[:length]))

    def acted(self) -> int | None:
        return int(self._c.reference_commands())
