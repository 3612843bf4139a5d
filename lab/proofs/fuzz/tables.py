"""Whole tables under fire: devices that say anything, people who press anything, no error of the controller's own."""

from __future__ import annotations

import random
import tempfile
from pathlib import Path
from typing import Any, cast

from controller.config.types import TableConfig
from controller.core.guarded import GuardedTable
from controller.core.runtime import Runtime, recover
from controller.devices import inline
from controller.money.dress import ChipRegister
from controller.people import Person
from drivers.device import Device
from firmware_specs import link
from firmware_specs.clock import VirtualClock
from firmware_specs.frames import encode_frame
from firmware_specs.port import Port
from lab.proofs.fuzz.campaign import Nonsense
from lab.proofs.fuzz.mutate import Mutator
from lab.proofs.fuzz.samples import kinds, right_message
from lab.proofs.fuzz.sessions import in_pieces, spoilt
from lab.proofs.fuzz.wires import Pipe, identity
from lab.sim.config import default_config
from lab.sim.devices import drivers_for, opened
from lab.sim.table import sign_that_shows

STEPS = 120
CHIPS = range(1, 40)
_WORDS = ("", "A", "B", "P1", "P2", "1", "2", "dealer", "yes", "no", "stands", "void", "error", "chips:down", "\0", "é")


class Tables:
    """A table of one game whose devices say anything and whose people press anything."""

    refusals: tuple[type[Exception], ...] = ()
    slowest = 30.0

    def __init__(self, seed: int, name: str, game: str, rulebook: str) -> None:
        self.name = f"table-{name}"
        self.what = f"a whole table of {name} with hostile devices and people"
        self._draw = random.Random(f"{seed} {self.name}")
        self._config = default_config(game, rulebook=rulebook)
        self._folder = tempfile.TemporaryDirectory(prefix="tablectl-fuzz-")

    def next(self) -> bytes:
        return self._draw.randbytes(8)

    def take(self, octets: bytes) -> int:
        path = Path(self._folder.name) / "table.sqlite"
        for old in Path(self._folder.name).glob("table.sqlite*"):
            old.unlink()
        session = _Session(self._config, path, octets)
        try:
            return session.play()
        finally:
            session.runtime.journal.close()

    def close(self) -> None:
        self._folder.cleanup()


class _Session:
    """One table from its first event to a replay of all of them."""

    def __init__(self, config: TableConfig, path: Path, octets: bytes) -> None:
        self.draw, self.mutator = random.Random(octets), Mutator(octets.hex())
        self.config, self.path = config, path
        self.clock = VirtualClock()
        values = {tag: self.draw.choice((250, 500, 1_000, 2_500, 10_000)) for tag in CHIPS}
        self.runtime: Runtime = opened(config, path, self.clock, ChipRegister(values), durable=False)
        self.ports = {place: Pipe() for place in config.devices}
        drivers_for(self.runtime, config, cast(dict[str, Port], self.ports))
        sign_that_shows(self.runtime, self.clock)
        self.defects: list[str] = []
        self.runtime.guarded.defect = lambda seq, trace: self.defects.append(trace)

    def play(self) -> int:
        draw, heard = self.draw, 0
        self.runtime.start("fuzz", self.config, inline(self.runtime))
        for place in self.ports:
            self._hear(place, self._identity(place))
        self.clock.run_for(0.5)
        self.runtime.command("open", Person("S1", 1))
        self.clock.run_for(1.0)
        for _ in range(STEPS):
            chance = draw.random()
            if chance < 0.55:
                place = draw.choice(list(self.ports))
                for piece in in_pieces(draw, spoilt(draw, self.mutator, self._says(place))):
                    self._hear(place, piece)
                heard += 1
            elif chance < 0.85:
                self._press()
            else:
                self.clock.run_for(draw.choice((0.01, 0.3, 1.5, 5.0)))
            if self.defects:
                raise Nonsense(f"the table could not handle an event: {_last_lines(self.defects[0])}")
        self.clock.run_for(1.0)
        for port in self.ports.values():
            port.lose()
        self.clock.run_for(1.0)
        if self.defects:
            raise Nonsense(f"the table could not handle an event: {_last_lines(self.defects[0])}")
        self.runtime.journal.verify()
        recover(GuardedTable(self.config), self.runtime.journal, from_snapshot=False)
        return heard

    def _hear(self, place: str, octets: bytes) -> None:
        self.ports[place].hear(octets)

    def _link(self, place: str) -> Any:
        driver = self.runtime.drivers[place]
        assert isinstance(driver, Device)
        return driver.link

    def _identity(self, place: str) -> bytes:
        who = identity(self.draw, self.config.devices[place].kind, self._link(place)._nonce, 1)
        return encode_frame(who.encode())

    def _says(self, place: str) -> bytes:
        """What a device of this kind might say next, about tags and areas that this table has."""
        draw, device, host = self.draw, self.config.devices[place].kind, self._link(place)
        if host.state != "up":
            return identity(
                draw, device, draw.choice((host._nonce, host._nonce, 0)), draw.choice((1, 1, 1, 2))
            ).encode()
        found = [key for key in kinds(device) if key[0] == "events"]
        group, number = draw.choice(found)
        message = right_message(draw, device, group, number)
        likely: dict[str, Any] = {}
        for name in message.__struct_fields__:
            value = getattr(message, name)
            if name in ("tag", "card") and isinstance(value, int):
                likely[name] = draw.choice(CHIPS)
            elif name in ("tags", "added", "removed", "came", "gone") and isinstance(value, tuple):
                likely[name] = tuple(sorted({draw.choice(CHIPS) for _ in value[:8]}))
            elif name == "area" and isinstance(value, int):
                likely[name] = draw.randint(0, 12)
            elif name == "spin" and isinstance(value, int):
                likely[name] = draw.randint(1, 3)
        for field in kinds(device)[group, number][1]:  # lists that belong together stay of equal length
            if field.as_many_as in likely:
                likely[field.name] = getattr(message, field.name)[: len(likely[field.as_many_as])]
        if likely and draw.random() < 0.8:
            message = type(message).build(likely, message)
        counted = (host._at.received + draw.choice((1, 1, 1, 1, 1, 0))) & 0xFFFFFFFF
        return link.pack_event(link.EVENT, counted, number) + message.encode()

    def _press(self) -> None:
        """A key that is offered, mostly, with arguments that mostly make sense."""
        draw, table = self.draw, self.runtime.table
        keys = table.available() if draw.random() < 0.85 else [*table.keys.values(), *table.game.keys.values()]
        if not keys:
            return
        key = draw.choice(keys)
        args: dict[str, Any] = {name: self._argument(name) for name in key.args if draw.random() < 0.9}
        if draw.random() < 0.2:
            args[draw.choice(("float", "consent", "laid", "box", "seat", "amount", "odd"))] = self._argument("")
        if key.name == "answer" and table.state.desk.prompts and draw.random() < 0.9:
            asked = draw.choice(list(table.state.desk.prompts.values()))
            args["prompt"] = asked.prompt
            if asked.options and draw.random() < 0.9:
                args["answer"] = draw.choice(asked.options).answer
            args["reason"] = draw.choice(("", "seen on camera"))
        if key.name == "clear_fault" and table.state.faults:
            args["fault"] = draw.choice(list(table.state.faults))
        rank = draw.choice((key.rank, 1, 3, 6))
        self.runtime.command(key.name, Person(f"S{rank}", rank), args)

    def _argument(self, name: str) -> Any:
        draw = self.draw
        return draw.choice(
            (
                draw.randint(0, 9), draw.choice((500, 1_000, 250, 5_000, 50_000)), draw.choice((-1, 2**40, 0)),
                draw.choice(_WORDS), draw.choice(_WORDS), draw.choice((True, False, None, 1.5)),
                [draw.randint(0, 3)], [draw.choice(_WORDS)],
            )
        )  # fmt: skip


def _last_lines(trace: str) -> str:
    return " / ".join(line.strip() for line in trace.strip().splitlines()[-5:])
