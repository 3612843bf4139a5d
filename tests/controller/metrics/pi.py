"""The files in which a Pi says how it is."""

from __future__ import annotations

from pathlib import Path


def machine(root: Path, **files: str) -> Path:
    """The files of a Pi."""
    at = {
        "temp": "sys/class/thermal/thermal_zone0/temp", "type": "sys/class/thermal/thermal_zone0/type",
        "throttled": "sys/devices/platform/soc/soc:firmware/get_throttled",
        "boot": "sys/class/watchdog/watchdog0/bootstatus", "life": "sys/block/mmcblk0/device/life_time",
    }  # fmt: skip
    for name, text in files.items():
        path = root / at[name]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root
