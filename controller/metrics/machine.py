"""What the machine under a table or floor says of itself: room, heat, supply, clock, and whether its watchdog bit.

What a machine does not have, or does not let us read, is not told.
"""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator
from pathlib import Path

from prometheus_client.core import Metric as Family

from controller.metrics import names
from controller.metrics.served import family, single
from controller.pi.trusted_clock import kernel

ROOT = Path("/")
THROTTLE_BITS = ("undervoltage", "frequency_capped", "throttled", "soft_limit")
"""As the Pi's firmware numbers them: from bit 0 what is so now, from bit 16 what has been since it booted."""
THROTTLED_AT = "sys/devices/platform/soc*/soc*firmware/get_throttled"
"""With the Pi's own kernel, each model by its address; Debian's has only the alarm of the supply."""
SUPPLY, ALARM = "rpi_volt", "in0_lcrit_alarm"
CARD_RESET = 0x20
"""The bit of a watchdog's status that says it caused the boot."""


class MachineNumbers:
    """Reads them when it is asked; `root` is where the machine's files hang."""

    def __init__(self, folder: Path, root: Path | None = None) -> None:
        self._folder, self._root = folder, root or ROOT

    def collect(self) -> Iterator[Family]:
        with contextlib.suppress(OSError):
            disk = shutil.disk_usage(self._folder)
            yield single(names.DISK_FREE, disk.free)
            yield single(names.DISK_SIZE, disk.total)
        yield family(names.DISK_ERRORS, self._errors())
        yield family(names.TEMPERATURE, self._temperatures())
        yield family(names.THROTTLED, self._throttled())
        yield from self._clock()
        yield family(names.WORN, self._worn())
        yield family(names.SPARE, self._spare())
        if (status := self._number("sys/class/watchdog/watchdog*/bootstatus", 0)) is not None:
            yield single(names.WATCHDOG, bool(status & CARD_RESET))

    def _number(self, where: str, base: int) -> int | None:
        for path in sorted(self._root.glob(where)):
            with contextlib.suppress(OSError, ValueError):
                return int(path.read_text("ascii").strip(), base)
        return None

    def _temperatures(self) -> Iterator[tuple[tuple[str, ...], float]]:
        for zone in sorted(self._root.glob("sys/class/thermal/thermal_zone*")):
            with contextlib.suppress(OSError, ValueError):
                kind = (zone / "type").read_text("ascii").strip()
                yield (f"{zone.name.removeprefix('thermal_zone')}:{kind}",), int((zone / "temp").read_text()) / 1000

    def _throttled(self) -> Iterator[tuple[tuple[str, ...], float]]:
        if (bits := self._number(THROTTLED_AT, 16)) is None:
            yield from self._supply()
            return
        for number, what in enumerate(THROTTLE_BITS):
            yield (what, "now"), bits >> number & 1
            yield (what, "since_boot"), bits >> (16 + number) & 1

    def _supply(self) -> Iterator[tuple[tuple[str, ...], float]]:
        for name in sorted(self._root.glob("sys/class/hwmon/hwmon*/name")):
            with contextlib.suppress(OSError, ValueError):
                if name.read_text("ascii").strip() == SUPPLY:
                    yield ("undervoltage", "now"), int((name.parent / ALARM).read_text("ascii"))
                    return

    def _errors(self) -> Iterator[tuple[tuple[str, ...], float]]:
        for path in sorted(self._root.glob("sys/fs/ext4/*/errors_count")):
            with contextlib.suppress(OSError, ValueError):
                yield (path.parent.name,), int(path.read_text("ascii"))

    def _spare(self) -> Iterator[tuple[tuple[str, ...], float]]:
        """Nothing where the card leaves it open, which it says as nought."""
        for path in sorted(self._root.glob("sys/block/mmcblk*/device/pre_eol_info")):
            with contextlib.suppress(OSError, ValueError):
                if state := int(path.read_text("ascii"), 16):
                    yield (path.parent.parent.name,), state

    def _worn(self) -> Iterator[tuple[tuple[str, ...], float]]:
        """A card tells tenths of its life; many tell nothing."""
        for path in sorted(self._root.glob("sys/block/mmcblk*/device/life_time")):
            with contextlib.suppress(OSError, ValueError):
                tenths = max((int(word, 16) for word in path.read_text("ascii").split()), default=0)
                if tenths:
                    yield (path.parent.parent.name,), min(100, 10 * tenths)

    def _clock(self) -> Iterator[Family]:
        if (said := kernel()) is not None:  # the sandbox of the service may not let us ask
            yield single(names.CLOCK_OFFSET, said.offset_us / 1e6)
            yield single(names.CLOCK_ERROR, said.error_us / 1e6)
            yield single(names.CLOCK_SYNCED, said.followed)
