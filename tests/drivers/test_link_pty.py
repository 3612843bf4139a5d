"""The link on a real pseudo-terminal and the real clock: the same promises, nothing simulated in between."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from drivers.link import HostLink
from firmware_specs.clock import RealClock
from firmware_specs.ports_io import PtyPort, SerialPort
from simulators.faults import Fault, FaultyPort
from simulators.link import DeviceLink
from tests.drivers.linked import Bell, Ears, bell, rung


async def until(condition: Callable[[], bool]) -> None:
    """Wait for a condition, with a deadline; the loop runs in between."""
    turn = asyncio.Event()
    async with asyncio.timeout(20):
        while not condition():
            asyncio.get_running_loop().call_later(0.005, turn.set)
            await turn.wait()
            turn.clear()


def test_rings_cross_a_pseudo_terminal_once_each_through_faults_and_restarts(tmp_path: Path) -> None:
    async def play() -> None:
        loop = asyncio.get_running_loop()
        clock = RealClock(loop, speed=10)
        path = str(tmp_path / "bell")
        port = FaultyPort(clock, PtyPort(loop, link=path), "bell")
        device = DeviceLink(clock, port, bell.SPEC, Bell(), serial="B-1")
        ears = Ears()
        host = HostLink(clock, SerialPort(loop, path), bell.SPEC, ears, name="bell")
        ears.link = host
        host.start()  # before there is anything to open
        device.start()
        try:
            await until(lambda: device.in_session)
            for fault in ("drop rate=0.1", "corrupt rate=0.1", "split rate=0.3", "duplicate rate=0.1", "unplug at=1"):
                port.faults.plan(Fault.parse(f"bell {fault}"))
            start = clock.now()
            for times in range(1, 101):
                device.post(rung(times))
                if times == 60:
                    device.power_cycle(keep_memory=True)
                    await until(lambda: device.powered)
                await until(lambda due=start + times * 0.02: clock.now() >= due)  # type: ignore[misc]
            await until(lambda: device.held == 0)
            assert [message.times for _, message in ears.events] == list(range(1, 101))  # type: ignore[attr-defined]
            assert len(ears.ups) >= 2
            host.desire(bell.Outputs(muted=False, lamp=bell.Lamp.GREEN))
            await until(lambda: device.outputs == bell.Outputs(muted=False, lamp=bell.Lamp.GREEN))
        finally:
            host.stop()
            device.stop()

    asyncio.run(play())
