"""Inside the booted machine: the table under its service manager, and a USB device that comes and goes."""

import json
import os
import pwd
import re
import signal
import socket
import struct
import subprocess
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path

CONFIG = "/etc/tablectl/table.toml"
JOURNAL = "/var/lib/tablectl/table.db"
VHCI = Path("/sys/devices/platform/vhci_hcd.0")
DEADLINE_S = 120


def say(text: str) -> None:
    print(f"TEST: {text}", flush=True)


def out(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, timeout=DEADLINE_S).stdout.strip()


def until(what: str, condition: Callable[[], object]) -> None:
    began = time.monotonic()
    while not condition():
        if time.monotonic() - began > DEADLINE_S:
            raise RuntimeError(f"{what} did not happen within {DEADLINE_S} s")
        time.sleep(0.2)
    say(f"{what} ({time.monotonic() - began:.1f} s)")


def service(key: str) -> str:
    return out("systemctl", "show", "tablectl.service", f"--property={key}", "--value")


def chips_events() -> list[str]:
    return events_of("chips")


def events_of(device: str) -> list[str]:
    """What the journal holds about a device, in order."""
    lines = out("/usr/local/bin/tablectl", "journal", "show", JOURNAL, "--json").splitlines()
    events = [json.loads(line)["event"] for line in lines]
    return [event["type"] for event in events if event.get("device") == device]


def attach(port: int) -> None:
    """Import the device from the machine outside and hand its connection to the kernel."""
    with socket.create_connection(("10.0.2.2", port), timeout=20) as line:
        line.sendall(struct.pack(">HHI32s", 0x0111, 0x8003, 0, b"1-1"))
        answer = b""
        while len(answer) < 320:
            answer += line.recv(320 - len(answer)) or sys.exit("the import was refused")
        bus, device, speed = struct.unpack_from(">III", answer, 8 + 288)
        (VHCI / "attach").write_text(f"0 {line.fileno()} {bus << 16 | device} {speed}")


def by_itself() -> None:
    """What the timers start, once each, while the table plays."""
    timers = out("systemctl", "list-timers", "--all", "--full", "--no-legend", "tablectl-*")
    Path("/etc/tablectl/upkeep.conf").write_text("BACKUP_TO=/srv/backups\nEXPORT_TO=/srv/days\nKEEP_DAYS=30\n")
    for folder in ("/srv/backups", "/srv/days"):
        os.makedirs(folder)
    for what in ("backup", "export", "retain", "doctor"):
        assert f"tablectl-{what}.timer" in timers, f"{what} is not among {timers}"
        done = subprocess.run(["systemctl", "start", f"tablectl-{what}.service"], timeout=DEADLINE_S)
        result = out("systemctl", "show", f"tablectl-{what}.service", "--property=Result,ExecMainStatus", "--value")
        # The doctor may find something here; that it looked is what counts.
        assert done.returncode == 0 or (what == "doctor" and "1" in result.split()), f"{what}: {result}"
        say(f"the timer of {what} is listed, and what it starts was done ({' '.join(result.split())})")
    assert os.listdir("/srv/backups"), "no backup was taken"


def main() -> None:
    found = re.search(r"usbip\.port=(\d+)", Path("/proc/cmdline").read_text())
    assert found is not None
    port = int(found[1])
    out("modprobe", "e1000")
    until("the network card is there", lambda: [name for name in os.listdir("/sys/class/net") if name != "lo"])
    card = next(name for name in os.listdir("/sys/class/net") if name != "lo")
    out("ip", "addr", "add", "10.0.2.15/24", "dev", card)
    out("ip", "link", "set", card, "up")

    assert not Path("/sys/module/vhci_hcd").exists(), "the first USB device shall come after the table has started"
    until("the service is active under systemd", lambda: service("ActiveState") == "active")
    say(f"status: {service('StatusText')}")
    security = out("systemd-analyze", "security", "--no-pager", "tablectl.service").splitlines()
    say(security[-1].encode("ascii", "replace").decode())
    user = pwd.getpwuid(os.stat(f"/proc/{service('MainPID')}").st_uid).pw_name
    assert user == "tablectl", f"the table runs as {user}"

    until("the table hears the wheel outside", lambda: "WheelRested" in events_of("wheel"))

    out("modprobe", "vhci-hcd")
    attach(port)
    until("the kernel sees a USB device", lambda: list(Path("/dev/tablectl").glob("1209-7ab1-*")))
    until("the table has its chip mat, through libusb", lambda: "DeviceUp" in chips_events())
    (VHCI / "detach").write_text("0")
    until("the table notices that it was unplugged", lambda: chips_events()[-1] == "DeviceDown")
    attach(port)
    until(
        "the table has it again", lambda: chips_events()[-1] != "DeviceDown" and chips_events().count("DeviceUp") == 2
    )

    by_itself()

    say("the controller is stopped dead")
    first = int(service("MainPID"))
    os.kill(first, signal.SIGSTOP)
    until(
        "the watchdog has it restarted",
        lambda: service("ActiveState") == "active" and int(service("MainPID")) not in (0, first),
    )
    until("the restarted table has its chip mat", lambda: chips_events().count("DeviceUp") >= 3)
    out("systemctl", "stop", "tablectl.service")
    say(out("/usr/local/bin/tablectl", "journal", "verify", JOURNAL))
    doctor = subprocess.run(
        ["/usr/local/bin/tablectl", "doctor", "--config", CONFIG], capture_output=True, text=True, timeout=DEADLINE_S
    )
    for line in doctor.stdout.splitlines():
        print("  ", line.encode("ascii", "replace").decode())
    say("all is well")


try:
    main()
except BaseException:
    traceback.print_exc()
    print(out("journalctl", "-b", "--no-pager", "-n", "80", "-u", "tablectl.service"))
    print(out("/usr/local/bin/tablectl", "journal", "show", JOURNAL)[-3000:])
    print(out("ls", "-lR", "/dev/bus/usb"))
    say("failed")
finally:
    subprocess.run(["systemctl", "poweroff", "--force", "--force"], timeout=DEADLINE_S)
