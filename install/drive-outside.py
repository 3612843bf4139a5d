"""Proves an installed root by devices that are driven from outside it: one table of each game, on its ports.

    drive-outside.py ROOT TABLECTL      TABLECTL is the command of the lab, on this machine

The service's own command runs in ROOT as its user; the devices are programs of their own out here, on TCP.
"""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

DEADLINE_S = 300
SPINS = 2
CONFIG = Path("etc/tablectl/table.toml")
DATA = Path("var/lib/tablectl")
PATH = "PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"


def inside(root: Path, *command: str) -> list[str]:
    return ["chroot", str(root), "/usr/bin/env", "-i", PATH, "LC_ALL=C.UTF-8", *command]


def free_port() -> int:
    with socket.socket() as line:
        line.bind(("127.0.0.1", 0))
        return int(line.getsockname()[1])


def on_tcp(text: str) -> tuple[str, dict[str, tuple[str, str, int]]]:
    """A table's file with its devices on TCP, and those devices: kind, serial number and port by place."""
    devices = {}
    for found in re.finditer(r'^\[devices\.(\w+)\]\nkind = "(\w+)"\nport = ".*"\nserial = "(.*)"$', text, re.MULTILINE):
        devices[found[1]] = (found[2], found[3], free_port())
    for place, (kind, _, port) in devices.items():
        text = re.sub(
            rf'(\[devices\.{place}\]\nkind = "{kind}"\n)port = ".*"', rf'\1port = "tcp://127.0.0.1:{port}"', text
        )
    text = re.sub(r'^journal = ".*"', f'journal = "/{DATA}/table.db"', text, flags=re.MULTILINE)
    text = re.sub(r'^deck = ".*"', f'deck = "/{DATA}/deck.csv"', text, flags=re.MULTILINE)
    return re.sub(r'^seal_key = ".*"', f'seal_key = "/{DATA}/keys/cards.seal"', text, flags=re.MULTILINE), devices


def deck() -> str:
    cards = [f"{rank}{suit}" for suit in "cdhs" for rank in "23456789TJQKA"]
    rows = [f"e004015000{number:06x},{card}" for number, card in enumerate([*cards, "CUT"], 1)]
    return "\n".join([*rows, ""])


@contextmanager
def simulated(tablectl: str, devices: dict[str, tuple[str, str, int]]) -> Iterator[None]:
    """Each device a program of its own, as long as it is needed."""
    started = []
    for kind, serial, port in devices.values():
        command = [tablectl, "simulate", kind, "--port", f"tcp:127.0.0.1:{port}", "--serial", serial, "--seed", "3"]
        command += ["--spin-every", "20", "--speed", "4"] if kind == "wheel" else []
        started.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
    try:
        for device in started:
            assert device.stdout is not None
            assert " on " in device.stdout.readline(), "a simulated device does not start"
        yield
    finally:
        for device in started:
            device.terminate()
            device.wait(20)


def told(root: Path) -> list[dict[str, object]]:
    """Every event in the journal of the table."""
    show = inside(root, "tablectl", "journal", "show", "--json")
    lines = subprocess.run(show, capture_output=True, text=True, timeout=DEADLINE_S, check=True).stdout.splitlines()
    return [json.loads(line)["event"] for line in lines]


def serve(root: Path, devices: dict[str, tuple[str, str, int]]) -> None:
    """Run the service's command until every device is up and the wheel has been spun, then stop it in good order."""
    unit = (root / "etc/systemd/system/tablectl.service").read_text()
    found = re.search(r"^ExecStart=(.+)$", unit, re.MULTILINE)
    assert found is not None
    ids = {line.split(":")[0]: line.split(":")[2:4] for line in (root / "etc/passwd").read_text().splitlines()}
    uid, gid = (int(number) for number in ids["tablectl"])
    notify = root / "tmp/notify"
    notify.unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind(str(notify))
        os.chmod(notify, 0o777)
        line.settimeout(DEADLINE_S)
        began = time.monotonic()
        command = ["chroot", f"--userspec={uid}:{gid}", str(root), "/usr/bin/env", "-i", PATH]
        command += ["NOTIFY_SOCKET=/tmp/notify", "WATCHDOG_USEC=30000000", "TABLECTL_LOG=json", *found[1].split()]
        service = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        try:
            for word in ("READY=1", "WATCHDOG=1"):
                while word not in (heard := line.recv(4096).decode()):
                    pass
                print(f"          {heard.splitlines()[-1]} ({time.monotonic() - began:.1f} s)")
            until_seen(root, devices)
        finally:
            service.send_signal(signal.SIGTERM)
            status = service.wait(DEADLINE_S)
    if status:
        sys.exit(f"the service ended with {status}")


def until_seen(root: Path, devices: dict[str, tuple[str, str, int]]) -> None:
    began = time.monotonic()
    while time.monotonic() - began < DEADLINE_S:
        events = told(root)
        up = {event["device"] for event in events if event["type"] == "DeviceUp"}
        spins = sum(event["type"] == "WheelRested" for event in events)
        if up == set(devices) and (spins >= SPINS or "wheel" not in devices):
            print(f"          up: {', '.join(sorted(up))}; spins judged: {spins}; events: {len(events)}")
            return
        time.sleep(1)
    sys.exit(f"not every device was heard within {DEADLINE_S} s: {sorted(up)} of {sorted(devices)}, {spins} spins")


def main() -> None:
    root, tablectl = Path(sys.argv[1]).resolve(), sys.argv[2]
    data = root / DATA
    owner = data.stat()
    for example in sorted((root / "opt/tablectl/current/share/tablectl/examples").glob("*.toml")):
        print(f"        {example.stem}")
        for old in data.glob("table.db*"):
            old.unlink()
        (data / "deck.csv").write_text(deck())
        os.chown(data / "deck.csv", owner.st_uid, owner.st_gid)
        text, devices = on_tcp(example.read_text("utf-8"))
        (root / CONFIG).write_text(text, "utf-8")
        with simulated(tablectl, devices):
            subprocess.run(inside(root, "tablectl", "check"), check=True, timeout=DEADLINE_S, stdout=subprocess.DEVNULL)
            serve(root, devices)
        subprocess.run(inside(root, "tablectl", "journal", "verify"), check=True, timeout=DEADLINE_S)


main()
