"""The doctor: looks at the machine, the installation and the table, and gives each finding with its remedy.

Everything it asks of the world goes through a `Machine`, so that a test can be one.
"""

from __future__ import annotations

import os
import re
import stat
import subprocess
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import msgspec

from controller.config.types import TableConfig
from controller.core.runtime import DISK_LOW_MB
from controller.journal.file import JournalFile, JournalTrouble
from controller.pi import manifest
from controller.pi.install.network import drop_in
from controller.pi.trusted_clock import EARLIEST

Level = Literal["fine", "warning", "failed", "unknown"]
PROBE_S = 10
HOT_C, TOO_HOT_C = 75.0, 82.0
LITTLE_MB = 1000
_THROTTLED = (
    (0, "failed", "The supply voltage is too low right now."),
    (1, "warning", "The processor is held to a lower speed right now."),
    (2, "failed", "The processor is being slowed down right now."),
    (3, "warning", "The processor is at its soft temperature limit right now."),
    (16, "warning", "The supply voltage was too low since the Pi started."),
    (18, "warning", "The processor was slowed down since the Pi started."),
)
_POWER_REMEDY = "Use the power supply made for this Pi and a short cable; feed hungry USB devices from a powered hub."
_THROTTLED_FILE = "sys/devices/platform/soc/soc:firmware/get_throttled"
_DROP_IN = "etc/systemd/system/tablectl.service.d/network.conf"


class Finding(msgspec.Struct, frozen=True):
    """One thing that was looked at; `facts` are the same for machines: numbers, and which device."""

    check: str
    level: Level
    text: str
    remedy: str = ""
    facts: dict[str, str | int | float | bool] = {}


Findings = Iterator[Finding]


def run_command(*command: str) -> str | None:
    """What a program of this machine says; None when it is not here or fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PROBE_S)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None


class Machine:
    """The machine as the doctor sees it; `root` is where its files begin."""

    def __init__(
        self,
        root: Path = Path("/"),
        run: Callable[..., str | None] = run_command,
        wall: Callable[[], float] = time.time,
        statvfs: Callable[[Path], os.statvfs_result] = os.statvfs,
    ) -> None:
        self.root = root
        self.run = run
        self.wall = wall
        self.statvfs = statvfs

    def read(self, path: str) -> str | None:
        """A small file of the system, without the white space round it; None when it cannot be read."""
        try:
            return (self.root / path).read_text("utf-8", "replace").strip()
        except OSError:
            return None

    def at(self, path: str | Path) -> Path:
        """Where this machine has what the configuration calls by this path."""
        return self.root / str(path).lstrip("/") if self.root != Path("/") else Path(path)


def power(machine: Machine) -> Findings:
    """What the Pi's firmware says about its supply and its speed."""
    said = machine.run("vcgencmd", "get_throttled") or machine.read(
        "sys/devices/platform/soc/soc:firmware/get_throttled"
    )
    found = re.search(r"([0-9a-fA-F]+)$", said or "")
    if found is None:
        yield Finding("power", "unknown", "Nothing here tells about the power supply; this seems not to be a Pi.")
        return
    bits = int(found[1], 16)
    wrong = [(level, text) for bit, level, text in _THROTTLED if bits >> bit & 1]
    for level, text in wrong:
        yield Finding("power", "failed" if level == "failed" else "warning", text, _POWER_REMEDY)
    if not wrong:
        yield Finding("power", "fine", "Voltage and speed have been right since the Pi started.")


def temperature(machine: Machine) -> Findings:
    said = machine.read("sys/class/thermal/thermal_zone0/temp")
    if said is None or not said.lstrip("-").isdigit():
        yield Finding("temperature", "unknown", "Nothing here tells the processor's temperature.")
        return
    degrees = int(said) / 1000
    level: Level = "failed" if degrees >= TOO_HOT_C else "warning" if degrees >= HOT_C else "fine"
    remedy = "Give the Pi air or a heat sink; above 80 °C it slows itself down." if level != "fine" else ""
    yield Finding("temperature", level, f"The processor is at {degrees:.0f} °C.", remedy, {"celsius": degrees})


def clock(machine: Machine, journal: JournalFile | None) -> Findings:
    """Whether the time that events are dated with can be trusted, and where it comes from."""
    now = machine.wall()
    shown = datetime.fromtimestamp(now, UTC)
    if shown < EARLIEST:
        yield Finding("clock", "failed", f"The clock shows {shown:%Y-%m-%d}, which cannot be.",
                      "Set it (timedatectl set-time) or give the Pi a network with a time server.")  # fmt: skip
    if journal is not None and journal.last_at > now * 1000 + 1000:
        ahead = datetime.fromtimestamp(journal.last_at / 1000, UTC)
        yield Finding("clock", "failed", f"The journal's last event is of {ahead:%Y-%m-%d %H:%M:%S} UTC, and now it "
                      f"is {shown:%Y-%m-%d %H:%M:%S}: the clock went back.",
                      "Correct the clock before play; until then events are dated in the past.")  # fmt: skip
    own = bool(list((machine.root / "sys/class/rtc").glob("rtc*")))
    synced = machine.run("timedatectl", "show", "--property=NTPSynchronized", "--value")
    if synced is None and (machine.root / "run/systemd/timesync/synchronized").exists():
        synced = "yes"
    source = machine.run("timedatectl", "show-timesync", "--property=ServerName", "--value") or ""
    if synced is None:
        yield Finding("clock", "unknown", "Nothing here tells whether the clock follows a time server.")
    elif synced == "yes":
        text = f"The clock follows {source or 'a time server'}" + (", and has a battery." if own else ".")
        yield Finding("clock", "fine", text)
    elif own:
        yield Finding("clock", "warning", "The clock follows no time server; it runs from its own battery.",
                      "Compare it with a good clock now and then, or set a server in timesyncd.conf.")  # fmt: skip
    else:
        yield Finding("clock", "failed", "The clock follows no time server and has no battery: after a power cut it is "
                      "wrong.", "Fit a clock module (RTC), or give the Pi a network with a time server.")  # fmt: skip


def disk(machine: Machine, data: Path) -> Findings:
    """Room, writability and wear of what the journal lies on."""
    try:
        facts = machine.statvfs(machine.at(data))
    except OSError as error:
        yield Finding("disk", "failed", f"{data} cannot be looked at ({error.strerror}).",
                      "Mount the data directory, or install the program again.")  # fmt: skip
        return
    if facts.f_flag & os.ST_RDONLY:
        yield Finding("disk", "failed", f"{data} is mounted read-only; the card may be failing.",
                      "Read dmesg. Take a backup, and move the table to a spare (docs/spare-pi.md).")  # fmt: skip
    free = facts.f_bavail * facts.f_frsize // 1_000_000
    level: Level = "failed" if free < DISK_LOW_MB else "warning" if free < LITTLE_MB else "fine"
    remedy = "Export gaming days and remove them (tablectl evidence export, retain), or fit a larger card."
    yield Finding("disk", level, f"{free} MB are free under {data}; play stops below {DISK_LOW_MB} MB.",
                  remedy if level != "fine" else "", {"free_mb": free, "stops_below_mb": DISK_LOW_MB})  # fmt: skip
    if facts.f_files and facts.f_favail * 100 < facts.f_files:
        yield Finding("disk", "warning", f"Hardly any file can be made under {data}.", "Remove files nobody needs.")
    yield from _wear(machine)


def _wear(machine: Machine) -> Findings:
    told = False
    for counter in sorted((machine.root / "sys/fs/ext4").glob("*/errors_count")):
        errors = machine.read(str(counter.relative_to(machine.root)))
        if errors not in (None, "0"):
            yield Finding("disk health", "failed", f"The file system on {counter.parent.name} counts {errors} errors.",
                          "Take a backup now, then check it (fsck) or fit a new card.")  # fmt: skip
            told = True
    for block in sorted((machine.root / "sys/block").glob("mmcblk*")):
        lives = [int(used, 16) for used in (machine.read(f"sys/block/{block.name}/device/life_time") or "").split()]
        if not lives or not max(lives):
            continue
        told = True
        used = min(100, max(lives) * 10)
        level: Level = "failed" if used >= 100 else "warning" if used >= 80 else "fine"
        yield Finding("disk health", level, f"{block.name} has used up to {used} % of its life.",
                      "Fit a new one at the next opportunity." if level != "fine" else "",
                      {"used_percent": used})  # fmt: skip
    if not told:
        yield Finding("disk health", "unknown", "The card tells nothing about its wear; cheap ones do not.")


def permissions(machine: Machine, config_path: Path, config: TableConfig) -> Findings:
    """That the table can write its own, and nobody else can read or change it."""
    data = machine.at(Path(config.table.journal).parent)
    if not data.is_dir():
        yield Finding("permissions", "failed", f"The data directory {data} is not there.",
                      "Mount it, or install the program again.")  # fmt: skip
        return
    wrong = list(_wrong_rights(data, machine.at(config.table.journal).name, config_path))
    if wrong:
        yield from wrong
    else:
        yield Finding("permissions", "fine", f"What lies in {data} belongs to the table alone.")


def _wrong_rights(data: Path, journal: str, config_path: Path) -> Findings:
    table = data.stat()
    if table.st_mode & stat.S_IRWXO:
        yield Finding("permissions", "warning", f"Everybody on this machine can look into {data}.", f"chmod o= {data}")
    keys = [*sorted(path for path in data.glob("keys/*") if path.is_file()), *sorted(data.glob("*.key"))]
    for path in (*sorted(data.glob(f"{journal}*")), *sorted(data.glob("*.json")), *data.glob("keys"), *keys):
        facts = path.lstat()
        if facts.st_uid != table.st_uid:
            yield Finding("permissions", "failed", f"{path} is not the table's: it belongs to user {facts.st_uid}.",
                          f"chown --reference={data} {path}")  # fmt: skip
        if path in keys and facts.st_mode & 0o077:
            paired = path.parent.name == "keys" and path.suffix == ".key"
            then = "and pair that device again" if paired else "and ask yourself who may have read it"
            yield Finding("permissions", "failed", f"Others can read the key {path}.", f"chmod 600 {path}, {then}.")
    if config_path.exists() and config_path.stat().st_mode & stat.S_IWOTH:
        yield Finding("permissions", "failed", f"Everybody can change {config_path}.", f"chmod o-w {config_path}")


def program(path: Path | None) -> Findings:
    """The installed files against their manifest."""
    if path is None or not path.exists():
        yield Finding("program", "unknown", "This program was not installed from a bundle, so it has no manifest.")
        return
    checked = manifest.check(path)
    if checked.wrong:
        yield Finding("program", "failed", f"Installed files differ from the manifest: {', '.join(checked.wrong[:5])}.",
                      "Find out who changed them. Then install the bundle again.")  # fmt: skip
    else:
        yield Finding("program", "fine", f"All {checked.files} installed files are as they were installed.",
                      facts={"files": checked.files, "manifest": checked.digest})  # fmt: skip


def journal_chain(path: Path, quick: bool) -> Findings:
    if not path.exists():
        yield Finding("journal", "warning", f"There is no journal at {path} yet.", "Start the table; it makes one.")
        return
    try:
        journal = JournalFile.read_only(path)
        snapshot = journal.newest_sound_snapshot()
        first = snapshot.seq + 1 if quick and snapshot is not None else 1
        count = journal.verify(first)
    except JournalTrouble as trouble:
        text, _, remedy = str(trouble).partition("; ")
        yield Finding("journal", "failed", text, remedy)
        return
    size = path.stat().st_size / 1e6
    part = f"{count} events since the last snapshot" if quick else f"{count} events"
    yield Finding("journal", "fine", f"{part}, chain unbroken, {size:.1f} MB.",
                  facts={"events": count, "megabytes": size})  # fmt: skip


def service(machine: Machine, config: TableConfig) -> Findings:
    """How the service manager sees the table, and whether it lets the table reach what is configured."""
    state = machine.run("systemctl", "show", "tablectl.service", "--property=ActiveState,NRestarts,LoadState")
    facts = dict(line.partition("=")[::2] for line in (state or "").splitlines())
    if facts.get("LoadState") != "loaded":
        yield Finding("service", "unknown", "The table is not installed as a service here.")
        return
    if facts.get("ActiveState") == "active":
        again = int(facts.get("NRestarts") or 0)
        yield Finding("service", "warning" if again else "fine", f"The service runs; restarted {again} times.",
                      "See why: journalctl -u tablectl -p warning" if again else "", {"restarts": again})  # fmt: skip
    else:
        yield Finding("service", "failed", f"The service is {facts.get('ActiveState')}.",
                      "systemctl start tablectl; if it fails: journalctl -u tablectl -b")  # fmt: skip
    written = machine.read(_DROP_IN)
    if written is not None and written != drop_in(config).strip():
        yield Finding("service", "warning", "The service's network rights are not what the configuration needs.",
                      "sudo tablectl restart, between two rounds, writes them anew.")  # fmt: skip
