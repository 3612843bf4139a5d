"""The chip register: every damaged byte found, a million tags opened at once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from controller.config.tomlread import ConfigError
from controller.money.lists import import_lists
from controller.money.register import ChipClass, RegisterFile, write_register
from tests.controller.money.listed import LIST, written


@pytest.fixture
def register(tmp_path: Path) -> RegisterFile:
    import_lists(tmp_path / "chips.reg", [written(tmp_path, LIST)])
    return RegisterFile(tmp_path / "chips.reg")


def test_every_single_damaged_byte_of_a_register_is_found_when_it_is_opened(
    register: RegisterFile, tmp_path: Path
) -> None:
    good = register.path.read_bytes()
    bad = tmp_path / "bad.reg"
    for place in range(len(good)):
        bad.write_bytes(good[:place] + bytes((good[place] ^ 0x10,)) + good[place + 1 :])
        with pytest.raises(ConfigError, match=r"bad\.reg"):
            RegisterFile(bad)
    for length in (0, 5, 40, 60, len(good) - 1):
        bad.write_bytes(good[:length])
        with pytest.raises(ConfigError, match=r"bad\.reg"):
            RegisterFile(bad)
    with pytest.raises(ConfigError, match="there is no such chip register"):
        RegisterFile(tmp_path / "none.reg")


OPEN_AND_ASK = """
import resource, sys, time
from controller.money.register import RegisterFile
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
start = time.perf_counter()
register = RegisterFile(sys.argv[1])
opened = time.perf_counter() - start
step = len(register) // 2000
tags = [0x1000 + 16 * step * number for number in range(2000)]
assert all(register.entry(tag) for tag in tags)
print(opened, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


def test_a_register_of_a_million_tags_opens_in_under_a_second_and_takes_memory_for_the_chips_asked_for(
    tmp_path: Path,
) -> None:
    classes = [ChipClass("cash", 500), ChipClass("cash", 2500)]
    path = tmp_path / "million.reg"
    write_register(path, classes, (500, 2500), [(0x1000 + 16 * n, n & 1, 0) for n in range(1_000_000)])
    done = subprocess.run(
        [sys.executable, "-c", OPEN_AND_ASK, str(path)], capture_output=True, text=True, timeout=60, check=True
    )
    opened, grown_kb = (float(word) for word in done.stdout.split())
    assert opened < 1.0
    # Two thousand chips from all over a file of 11 MB.
    assert grown_kb < 2_000
