"""A Pi as the doctor sees it, healthy unless a test says otherwise."""

from __future__ import annotations

import os
from pathlib import Path

from controller.pi.doctor import Finding, Machine

NOW = 1_767_225_600.0
Said = dict[str, str]


class Pi:
    """A machine made of files: a healthy Pi until a test says otherwise."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "pi"
        self.said: Said = {
            "vcgencmd get_throttled": "throttled=0x0",
            "timedatectl show --property=NTPSynchronized --value": "yes",
            "timedatectl show-timesync --property=ServerName --value": "time.example",
        }
        self.now = NOW
        self.disk = os.statvfs_result((4096, 4096, 10**7, 10**7, 10**7, 10**6, 10**6, 10**6, 0, 255))
        self.file("sys/class/thermal/thermal_zone0/temp", "48312")
        self.file("sys/class/rtc/rtc0/name", "rtc-ds3231")
        self.file("sys/fs/ext4/mmcblk0p2/errors_count", "0")
        self.file("sys/block/mmcblk0/device/life_time", "0x01 0x01")

    def file(self, path: str, text: str) -> Path:
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text + "\n")
        return place

    def run(self, *command: str) -> str | None:
        return self.said.get(" ".join(command))

    @property
    def machine(self) -> Machine:
        return Machine(self.root, self.run, lambda: self.now, lambda path: self.disk)


def only(findings: list[Finding], level: str) -> Finding:
    found = [finding for finding in findings if finding.level == level]
    assert len(found) == 1, findings
    if level != "unknown":
        assert found[0].remedy, "a finding comes with its remedy"
    return found[0]
