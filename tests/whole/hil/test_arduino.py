"""The shoe as an Arduino library: its sketch is built with Debian's core, and what fits no board of it is named."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from lab.needs import ARDUINO_CORE, AVR_COMPILER
from tests import ROOT
from tests.needed import needed

REFERENCE = ROOT / "firmware_specs" / "reference"
STACK = 1536
"""Bytes that the reference's stack is given: more than its calls can take on a core of 32 bits."""


@pytest.fixture(scope="module")
def core() -> Path:
    needed(AVR_COMPILER)
    needed(ARDUINO_CORE)
    return Path(ARDUINO_CORE.found()).parents[2]


def boards(core: Path) -> dict[str, str]:
    """What Arduino says of its boards."""
    lines = (core / "boards.txt").read_text("utf-8").splitlines()
    return {name: value for name, _, value in (line.partition("=") for line in lines if "=" in line)}


def largest(core: Path) -> int:
    """The RAM of the largest board."""
    return max(int(value) for name, value in boards(core).items() if name.endswith("upload.maximum_data_size"))


def said(kind: str) -> tuple[float, str]:
    """What the reference's page says that this device takes, in bytes, and the boards that hold it."""
    page = (REFERENCE / "README.md").read_text("utf-8")
    ((taken, held),) = re.findall(rf"^\| {kind} \| ([\d.]+) kB \| (Mega[^|]*|none) \|$", page, re.MULTILINE)
    return 1000 * float(taken), held


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)


def ram(elf: Path) -> int:
    _, data, bss = map(int, run("avr-size", str(elf)).stdout.splitlines()[1].split()[:3])
    return data + bss


def compiled(source: Path, folder: Path, words: list[str]) -> str:
    """The object of one source, as Arduino's own recipe makes it."""
    c = source.suffix != ".cpp"
    flags = ["-std=gnu11"] if c else ["-std=gnu++11", "-fpermissive", "-fno-exceptions", "-fno-threadsafe-statics"]
    if source.suffix == ".S":
        flags = ["-x", "assembler-with-cpp"]
    made = folder / f"{source.parent.name}-{source.name}.o"
    told = run("avr-gcc" if c else "avr-g++", "-c", "-g", "-Os", "-w", *flags, *words, str(source), "-o", str(made))
    assert told.returncode == 0, told.stderr
    return str(made)


def test_the_sketch_of_the_shoe_is_built_with_the_core_and_fits_a_mega(core: Path, tmp_path: Path) -> None:
    board = boards(core)
    mcu, variant = board["mega.menu.cpu.atmega2560.build.mcu"], board["mega.build.variant"]
    sketch = tmp_path / "Shoe.cpp"
    sketch.write_text(
        "#include <Arduino.h>\n" + (REFERENCE / "examples" / "Shoe" / "Shoe.ino").read_text("utf-8"), "utf-8"
    )
    folders = [core / "cores" / "arduino", core / "variants" / variant, core / "libraries" / "SPI" / "src"]
    words = [f"-mmcu={mcu}", f"-DF_CPU={board['mega.build.f_cpu']}", "-DARDUINO=10819", "-DARDUINO_ARCH_AVR"]
    words += ["-DDECIMAL_DIG=__DECIMAL_DIG__"]  # Debian's compiler is older than the core and tells it to C alone
    words += ["-DARDUINO_AVR_MEGA2560", "-ffunction-sections", "-fdata-sections"]
    words += [f"-I{folder}" for folder in (*folders, REFERENCE / "src")]
    sources = [
        each for folder in (folders[0], folders[2], REFERENCE / "src") for each in sorted(folder.glob("*.[cS]*"))
    ]
    objects = [compiled(source, tmp_path, words) for source in [sketch, *sources]]
    told = run("avr-gcc", "-Os", "-Wl,--gc-sections", f"-mmcu={mcu}", *objects, "-lm", "-o", str(tmp_path / "shoe.elf"))
    assert told.returncode == 0, told.stderr
    names = run("avr-nm", str(tmp_path / "shoe.elf")).stdout
    assert re.search(r" T main$", names, re.MULTILINE)  # the core's own
    assert re.search(r" [tT] shoe_card_leaves$", names, re.MULTILINE)
    taken = ram(tmp_path / "shoe.elf")
    assert taken < int(board["mega.upload.maximum_data_size"]) - STACK, f"{taken} bytes of RAM are taken"
    assert said("shoe") == (pytest.approx(taken, rel=0.05), "Mega 2560, Mega ADK")
    assert taken > max(2048, 2560)  # nor would it fit a smaller one: an Uno has 2048, a Leonardo 2560


RINGS = {"wheel": 4096, "chips": 8192, "cards": 8192, "shuffler": 4096}
"""What the page of each asks to be held, in bytes."""


@pytest.mark.parametrize("kind", RINGS)
def test_no_board_of_the_core_has_the_ram_for_the_other_devices(kind: str, core: Path, tmp_path: Path) -> None:
    parts = {"wheel": ["wheel", "wheel_ring"], "chips": ["chips", "tags"], "cards": ["cards", "tags"]}.get(kind, [kind])
    header = (REFERENCE.parent / "headers" / f"{kind}.h").read_text("utf-8")
    (longest,) = re.findall(r"#define \w+_LONGEST_SENT (\d+)u", header)
    (least,) = re.findall(r"#define \w+_LEAST_BYTES (\d+)u", header)
    assert int(least) == RINGS[kind]
    words = [f"-DBOARD_{kind}", f"-DDEVICE_RING_BYTES={least}u", f"-DDEVICE_LONGEST={longest}u", "-DTAGS_MOST=64u"]
    sources = [str(REFERENCE / f"{name}.c") for name in ("device_link", *parts, "cortex_m0")]
    roomy = "-Wl,--defsym=__DATA_REGION_LENGTH__=60000"  # a board that there is not, to see how much it takes
    elf = tmp_path / f"{kind}.elf"
    told = run("avr-gcc", "-mmcu=atmega2560", "-std=gnu99", "-Os", "-w", roomy, *words, *sources, "-o", str(elf))
    assert told.returncode == 0, told.stderr
    assert ram(elf) > largest(core) - STACK, f"{ram(elf)} bytes fit after all: say so in TableDevice.h and the README"
    assert said(kind) == (pytest.approx(ram(elf), rel=0.05), "none")
