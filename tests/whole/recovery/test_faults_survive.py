"""A fault is still there after a restart, and goes when a check finds its cause gone, whoever was told of it first."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_specs.clock import VirtualClock
from firmware_specs.messages.chips import ReadAllResult
from lab.proofs.stage import Host, World
from lab.proofs.wheel import BigWheel

WAIT_S = 30.0


@pytest.fixture
def world() -> World:
    world = World(BigWheel(), VirtualClock(), 1)
    world.devices.start()
    return world


def up(world: World, path: Path) -> Host:
    host = Host(world, path)
    host.start()
    return host


def wait(world: World, host: Host, *codes: str) -> None:
    """Until exactly these faults stand at the table."""
    clock = world.clock
    assert isinstance(clock, VirtualClock)
    clock.run_until(lambda: set(host.runtime.table.state.faults) == set(codes), WAIT_S)
    clock.run_for(1.0)  # so that it is on disk


def pass_time(world: World, seconds: float) -> None:
    assert isinstance(world.clock, VirtualClock)
    world.clock.run_for(seconds)


def test_a_mat_that_said_nothing_is_believed_again_by_the_next_controller(world: World, tmp_path: Path) -> None:
    mat = world.devices.mat
    answer = mat.command
    mat.command = lambda command_id, message: ReadAllResult(mat.areas)  # type: ignore[method-assign]
    first = up(world, tmp_path / "table.sqlite")
    wait(world, first, "chips:no_inventory")
    first.die()
    second = up(world, tmp_path / "table.sqlite")
    pass_time(world, 3.0)
    assert "chips:no_inventory" in second.runtime.table.state.faults
    mat.command = answer  # type: ignore[method-assign]
    wait(world, second)
    second.stop()


@pytest.mark.parametrize("restarted", [False, True])
def test_an_antenna_mended_while_the_mat_was_off_is_found_mended(world: World, tmp_path: Path, restarted: bool) -> None:
    mat = world.devices.mat
    host = up(world, tmp_path / "table.sqlite")
    wait(world, host)
    mat.fail(2)
    wait(world, host, "chips:area_2")
    if restarted:
        host.die()
        host = up(world, tmp_path / "table.sqlite")
        pass_time(world, 5.0)
        assert "chips:area_2" in host.runtime.table.state.faults
        host.die()
    mat.link.power_cycle(keep_memory=False, off_for=2.0)
    pass_time(world, 1.0)
    mat.mend(2)
    if restarted:
        host = up(world, tmp_path / "table.sqlite")
    wait(world, host)
    host.stop()


def test_a_slipped_coupling_is_over_when_a_spin_shows_so_after_a_restart(world: World, tmp_path: Path) -> None:
    wheel = world.devices.wheel
    first = up(world, tmp_path / "table.sqlite")
    wait(world, first)
    wheel.slip(5.5)
    wheel.spin(1.2, 1)
    wait(world, first, "wheel:map_slipped")
    first.die()
    second = up(world, tmp_path / "table.sqlite")
    pass_time(world, 10.0)
    assert "wheel:map_slipped" in second.runtime.table.state.faults
    wheel.slip(-5.5)
    wheel.spin(1.2, -1)
    wait(world, second)
    second.stop()
