"""Whoever can make a device do something for the suite: a back door, a control socket, or a person.

Each thing that cannot be had here raises NotTried, and the step that needs it is told as not tried, never as passed.
"""

from __future__ import annotations

import contextlib
import json
import socket
from collections.abc import Callable
from typing import Any

from firmware_specs.spec import BadMessage, DeviceSpec, Message
from lab.conformance.probe import NotTried

CONTROL_S = 5.0


class CannotDo(Exception):
    """Hands at the device could not do this, and why."""


class Stimulus:
    """Nobody at hand: the part of the suite that needs no help is still run."""

    costs_nothing = True  # whether events may be asked for as often as one likes
    reason = "nobody is at hand to make the device do it; give --control or --ask"

    def events(self, count: int) -> None:
        """Have the device number at least so many further events."""
        raise NotTried(f"needs {count} events of the device, and {self.reason}")

    def post(self, message: Message) -> None:
        """Have this very event happen."""
        raise NotTried(f"needs the event {type(message).__name__} at its limits, and {self.reason}")

    def restart(self, keep_memory: bool) -> None:
        """Take the device's power and give it back."""
        raise NotTried(f"needs a restart of the device {_memory(keep_memory)}, and {self.reason}")

    def count_from(self, number: int) -> None:
        """Restart the device as if all events before this number had been, with nothing held."""
        raise NotTried(f"needs a device that has numbered {number - 1} events, and a control line that makes it so")

    def hand(self, name: str, **how: Any) -> Any:
        """Have hands do this to what the device sees: `place`, `draw`, `play` and the like."""
        raise NotTried(f"needs hands at the device ({name}), and {self.reason}")

    def outputs(self) -> Message | None:
        """What the outputs really are now; None when it cannot be seen."""
        return None

    def acted(self) -> int | None:
        """How many commands were acted on so far; None when it cannot be seen."""
        return None

    def close(self) -> None:
        """Nothing more is wanted."""


def _memory(keep: bool) -> str:
    return "with its memory" if keep else "without its memory"


class Person(Stimulus):
    """An engineer who is asked to do it."""

    costs_nothing = False
    reason = "the engineer passed over this"

    def post(self, message: Message) -> None:
        raise NotTried(f"no person can make {type(message).__name__} happen at its limits")

    def __init__(self, spec: DeviceSpec, ask: Callable[[str], bool]) -> None:
        self._spec = spec
        self._ask = ask

    def events(self, count: int) -> None:
        self._please(f"Make the {self._spec.title} see something {count} times (any event counts).")

    def restart(self, keep_memory: bool) -> None:
        if keep_memory:
            self._please(f"Switch the {self._spec.title} off and on again; its memory must survive.")
        else:
            self._please(f"Clear the memory of the {self._spec.title} and switch it off and on again.")

    def hand(self, name: str, **how: Any) -> Any:
        words = ", ".join(f"{key} {value}" for key, value in how.items())
        self._please(f"Do this at the {self._spec.title}: {name.replace('_', ' ')} ({words}).")

    def _please(self, text: str) -> None:
        if not self._ask(text):
            raise NotTried(f"{self.reason}: {text}")


class Control(Stimulus):
    """The control socket of the reference program, or of any firmware that offers the same lines."""

    def __init__(self, path: str, spec: DeviceSpec | None = None, sample: Message | None = None) -> None:
        """A device that speaks another protocol than ours has neither spec nor sample."""
        self._spec = spec
        self._sample = sample
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(CONTROL_S)
        self._waiting = b""
        try:
            self._socket.connect(path)
        except OSError as error:
            self._socket.close()
            raise NotTried(
                f"the control socket {path} cannot be reached ({error.strerror}); start the device first"
            ) from error

    def events(self, count: int) -> None:
        assert self._sample is not None
        for _ in range(count):
            self.post(self._sample)

    def post(self, message: Message) -> None:
        word, _, number = self._ask(f"post {message.ID} {message.encode().hex()}").partition(" ")
        if word != "number" or number in ("", "0"):
            raise NotTried(f"the device would not post {message}")

    def restart(self, keep_memory: bool) -> None:
        self._ask(f"restart {'keep' if keep_memory else 'lose'}")

    def count_from(self, number: int) -> None:
        if self._ask(f"count {number}") != "ok":
            super().count_from(number)

    def outputs(self) -> Message | None:
        word, _, octets = self._ask("outputs").partition(" ")
        if word != "outputs" or self._spec is None:
            return None
        try:
            return self._spec.outputs.decode(bytes.fromhex(octets))
        except BadMessage:
            return None

    def held(self) -> int:
        """How many events the device still holds."""
        word, _, number = self._ask("held").partition(" ")
        return int(number) if word == "held" else 0

    def acted(self) -> int | None:
        word, _, number = self._ask("commands").partition(" ")
        return int(number) if word == "commands" else None

    def hands(self) -> frozenset[str]:
        """What the device's own world can be moved to do; nothing where only events can be posted."""
        word, _, names = self._ask("hands").partition(" ")
        return frozenset(names.split()) if word == "hands" else frozenset()

    def hand(self, name: str, **how: Any) -> Any:
        """Have hands at the device do this; CannotDo when they cannot."""
        word, _, rest = self._ask(f"hand {name} {json.dumps(how)}").partition(" ")
        if word != "did":
            raise CannotDo(rest if word == "cannot" else f"the device does not understand `hand {name}`")
        return json.loads(rest or "null")

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._socket.close()

    def _ask(self, line: str) -> str:
        try:
            self._socket.sendall(line.encode() + b"\n")
            while b"\n" not in self._waiting:
                more = self._socket.recv(65536)
                if not more:
                    raise NotTried("the device closed its control socket")
                self._waiting += more
        except OSError as error:
            raise NotTried(f"the control socket does not answer ({error})") from error
        answer, _, self._waiting = self._waiting.partition(b"\n")
        return answer.decode()
