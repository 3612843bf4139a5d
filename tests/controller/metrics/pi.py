"""The files in which a Pi says how it is."""

from __future__ import annotations

from pathlib import Path


def machine(root: Path, **files: str) -> Path:
    """The files of a Pi."""
    at = {
        "temp": "sys/class/thermal/thermal_zone0/temp", "type": "sys/class/thermal/thermal_zone0/type",
        "throttled": "sys/devices/platform/soc/soc:firmware/get_throttled",
        "throttled5": "sys/devices/platform/soc@107c000000/soc@107c000000:firmware/get_throttled",
        "hwmon": "sys/class/hwmon/hwmon1/name", "supply": "sys/class/hwmon/hwmon1/in0_lcrit_alarm",
        "spare": "sys/block/mmcblk0/device/pre_eol_info", "errors": "sys/fs/ext4/mmcblk0p2/errors_count",
        "boot": "sys/class/watchdog/watchdog0/bootstatus", "life": "sys/block/mmcblk0/device/life_time",
    }  # fmt: skip
    for name, text in files.items():
        path = root / at[name]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root
