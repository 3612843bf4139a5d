"""`python -m tests.whole.image.steps IMAGE BUNDLE FOLDER [STEP…]`: the image is started and tried, step by step.

Each step starts the machine from the card as the step before left it, so that one can be repeated alone; `make
test-image` takes all of them. A step that fails ends the run with status 1; the console is in FOLDER/GAME/console.log.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tests.whole.image.guest import CARD_SIZE, NO_MEMORY_OF_TIME, NO_WAIT, Card, Machine, plugged, run
from tests.whole.image.played import AtTable, due, until
from tests.whole.pi.bench import Hand, Paired

LONG_AGO = "2001-01-01"
UNPACK = "rm -rf /var/tmp/new; mkdir /var/tmp/new; tar -xzf /root/new.tar.gz -C /var/tmp/new --strip-components 1"
UPGRADE = f"{UNPACK}; sh /var/tmp/new/install.sh"
"""As a fleet does it."""
UPGRADE_S = 1800
REBOOTED_S = 300
ALIKE_S = 3600
"""How far a clock may be from the time known last; the year 2001 is farther."""
ON_THE_BOARD = (
    "mmcblk0p2): mounted filesystem",
    "image: the data partition takes the rest of the card",
    "mmcblk0p3): mounted filesystem",
    "multi-user.target",
    "tablectl-first-set",
)
"""What its console says, one after the other."""
NO_WATCHDOG = "module_blacklist=bcm2835_wdt"
"""This emulator's board is reset at once by whoever sets its watchdog, instead of fifteen seconds later."""
BEGAN = time.monotonic()


def say(text: str) -> None:
    print(f"[{time.monotonic() - BEGAN:4.0f} s] {text}", flush=True)


def is_so(what: str, right: object, seen: object = "") -> None:
    """Say what was seen, or end here."""
    if not right:
        sys.exit(f"test-image: {what}: NO\n  {seen}")
    say(f"  {what}")


class Trial:
    """What every step needs: image, bundle, and a card for each game."""

    def __init__(self, image: Path, bundle: Path, folder: Path) -> None:
        self.image, self.bundle, self.folder = image, bundle, folder

    def card(self, game: str) -> Card:
        return Card(self.folder / game, game)

    @contextmanager
    def started(self, game: str, *more: str, told: str = NO_WAIT) -> Iterator[tuple[Machine, Mapping[str, Hand]]]:
        """The machine with its devices; what still runs in the end loses its power."""
        card = self.card(game)
        with plugged(card) as hands:
            machine = Machine(card, *more, told=told)
            try:
                began = time.monotonic()
                machine.up()
                machine.served()
                say(f"  a way in, and the table's service active, {time.monotonic() - began:.0f} s after power on")
                yield machine, hands
            finally:
                if not machine.ended():
                    machine.cut()


def paired(machine: Machine, hands: Mapping[str, Hand]) -> AtTable:
    """Screens of the table, given their places by a technician."""
    said = {
        place: machine.did(f"sudo -u tablectl tablectl screens pair {place} --config /etc/tablectl/table.toml")
        for place in ("dealer", "sign")
    }
    address = {place: found[0] for place, text in said.items() if (found := re.search(r"http\S+", text))}
    return AtTable(Paired(address["dealer"], "dealer"), Paired(address["sign"], "sign"), hands)


def settled_rightly(machine: Machine) -> None:
    """What was won and lost, as the journal tells it."""
    told = json.loads(machine.did("tablectl journal rounds --round 1 --json").splitlines()[0])
    wanted = due(machine.card.game, told["outcome"])
    wagers = [{name: wager[name] for name in wanted} for wager in told["wagers"]]
    is_so(f"round {told['round']} was settled once and right: {wanted}", wagers == [wanted], wagers)


# --- the steps ---------------------------------------------------------------------------------


def flash(trial: Trial, game: str) -> None:
    trial.card(game).flash(trial.image)
    say(f"  flashed, with a key and the answers for a table of {game}")


def first(trial: Trial, game: str) -> None:
    """The first start: set up from the file on the card; nobody gets in without the key; nothing writes the system."""
    with trial.started(game, told="") as (machine, _):
        look_over(machine)
        if game == "wheel":
            no_way_in(machine)


def look_over(machine: Machine) -> None:
    mounts = {words[1]: words for words in map(str.split, machine.did("cat /proc/mounts").splitlines())}
    is_so(
        "the system is mounted read-only",
        "ro" in mounts["/run/image/system"][3].split(","),
        mounts["/run/image/system"],
    )
    is_so(
        "what is written lies over it",
        mounts["/"][2] == "overlay" and "upperdir=/data/system/over" in mounts["/"][3],
        mounts["/"],
    )
    refused = machine.does("touch /run/image/system/etc/here")
    is_so("a write to the system is refused", "Read-only file system" in refused.stderr, refused.stderr)
    data = mounts["/var/lib/tablectl"]
    is_so("the table's data are on the data partition", data[0].endswith("3") and data[2] == "ext4", data)
    size = int(machine.did("df --output=size -m /var/lib/tablectl | tail -n 1"))
    is_so(f"which has grown over the card ({size} MB)", size > 2500)
    is_so(
        "the answers, which hold PINs, are gone from the card", not machine.does("ls /boot/firmware/setup.toml").stdout
    )
    is_so("the table was set up", machine.does("test -e /etc/tablectl/not-set-up").returncode == 1)
    dog = machine.did("cat /sys/class/watchdog/watchdog0/state /sys/class/watchdog/watchdog0/timeout").split()
    is_so(f"the hardware watchdog is fed, and waits {dog[1]} s", dog == ["active", "15"], dog)
    late = machine.did("systemctl show systemd-time-wait-sync --property=Result --value")
    is_so("the wait for a clock that nobody sets has ended by itself", late == "timeout", late)
    limit = machine.did("systemd-analyze cat-config systemd/journald.conf | grep ^SystemMaxUse")
    is_so(f"the log is limited ({limit})", limit == "SystemMaxUse=64M")
    latency = machine.did("cat /sys/bus/usb-serial/devices/*/latency_timer").split()
    names = machine.did("ls /dev/tablectl").split()
    is_so(f"USB serial lines by name, with 1 ms: {' '.join(names)}", latency == ["1", "1"] and len(names) == 2, latency)
    failed = machine.did("systemctl list-units --failed --plain --no-legend --full | cut -d' ' -f1").split()
    is_so("no other unit has failed", failed == ["systemd-time-wait-sync.service"], failed)


def no_way_in(machine: Machine) -> None:
    other = machine.card.folder / "other"
    other.unlink(missing_ok=True)
    other.with_suffix(".pub").unlink(missing_ok=True)
    run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", other)
    stranger = subprocess.run(
        machine.ssh("root@127.0.0.1", "true", key=other), capture_output=True, text=True, timeout=120
    )
    is_so("another key is refused", "Permission denied (publickey)" in stranger.stderr, stranger.stderr)
    asked = machine.ssh("-o", "PreferredAuthentications=password,keyboard-interactive", "root@127.0.0.1", "true")
    password = subprocess.run(asked, capture_output=True, text=True, timeout=120)
    is_so("a password is not even asked for", "Permission denied (publickey)" in password.stderr, password.stderr)
    is_so("no console has a login", "login:" not in machine.console.read_text("utf-8", "replace"))
    is_so("root has no password", machine.did("getent shadow root").split(":")[1].startswith(("!", "*")))


def cut_round(trial: Trial, game: str) -> None:
    """A round is begun, the power goes in the middle of it, and it is finished after the next start."""
    with trial.started(game) as (machine, hands):
        with machine.pages():
            at = paired(machine, hands)
            at.open()
            state = at.begin(game)
        machine.cut()
        say(f"  the power went in {state}")
        machine = Machine(trial.card(game))
        try:
            machine.up()
            machine.served()
            with machine.pages():
                at = paired(machine, hands)
                at.again()
                say(f"  the table is back, in {at.state}")
                at.finish(game)
                shown = at.shown()
            is_so(
                f"the round is finished: {shown['rounds'][0] if shown['rounds'] else shown['life']}",
                shown["life"]["round"] == 2,
                shown["life"],
            )
            settled_rightly(machine)
            is_so("the journal is whole", machine.does("tablectl journal verify").returncode == 0)
            in_good_order(machine)
        finally:
            if not machine.ended():
                machine.cut()


def in_good_order(machine: Machine) -> None:
    machine.does("systemctl poweroff")
    machine.wait(REBOOTED_S)
    say("  the machine went off in good order")


def cut_upgrade(trial: Trial, game: str) -> None:
    """The power goes in the middle of an upgrade; then the upgrade is made, and stays."""
    with trial.started(game) as (machine, _):
        before = machine.did("readlink /opt/tablectl/current")
        run(
            "scp",
            "-q",
            *machine.ssh()[3:],
            "-P",
            str(machine.card.port["ssh"]),
            trial.bundle,
            "root@127.0.0.1:/root/new.tar.gz",
            timeout=UPGRADE_S,
        )
        upgrade = subprocess.Popen(
            machine.ssh("root@127.0.0.1", UPGRADE),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        until(
            "half a version",
            lambda: (
                int(
                    machine.does("ls -d /opt/tablectl/versions/*/lib/*/site-packages/* 2>/dev/null | wc -l").stdout or 0
                )
                > 50
                or None
            ),
        )
        machine.cut()
        upgrade.wait(60)
        say("  the power went while the new version was being built")
    with trial.started(game) as (machine, _):
        is_so("the version of before plays", machine.did("readlink /opt/tablectl/current") == before)
        said = machine.did(UPGRADE, UPGRADE_S)
        after = machine.did("readlink /opt/tablectl/current")
        is_so(f"upgraded: {after}", after != before, said)
        machine.cut()
        say("  the power went right after it")
    with trial.started(game) as (machine, _):
        is_so("the new version plays", machine.did("readlink /opt/tablectl/current") == after)
        is_so("the journal is whole", machine.does("tablectl journal verify").returncode == 0)


def clock(trial: Trial, game: str) -> None:
    """No network, and a clock that starts long ago: the table is there all the same, and says what cannot be."""
    ago = ("-rtc", f"base={LONG_AGO}")
    with trial.started(game, *ago, told="") as (machine, _):
        known, now = machine.did("stat -c %Y /var/lib/systemd/timesync/clock; date +%s").split()
        is_so("it goes by the time that it knew last, not by 2001", 0 <= int(now) - int(known) < ALIKE_S, (known, now))
        until("a look at the clock", lambda: looks_at_the_clock(machine) or None)
        is_so("and its journal says that no clock was followed", looks_at_the_clock(machine)[-1]["followed"] is False)
    with trial.started(game, *ago, told=f"{NO_WAIT} {NO_MEMORY_OF_TIME}") as (machine, hands), machine.pages():
        at = paired(machine, hands)
        alarms = until(
            "its alarm", lambda: [one for one in at.shown()["alarms"] if one["code"] == "clock_wrong"] or None
        )
        is_so(f"with a clock that cannot be right, it serves its pages and says so: {alarms[0]['text']}", alarms)


def looks_at_the_clock(machine: Machine) -> list[dict[str, object]]:
    """What the journal says of them, since the table started."""
    events = [json.loads(line)["event"] for line in machine.did("tablectl journal show --json").splitlines()]
    started = max(number for number, event in enumerate(events) if event["type"] == "Started")
    return [event for event in events[started:] if event["type"] == "ClockCompared"]


def hang(trial: Trial, game: str) -> None:
    """A kernel that hangs is ended by the hardware watchdog."""
    with trial.started(game) as (machine, _):
        machine.did("echo 0 > /proc/sys/kernel/panic; sync")
        began = time.monotonic()
        subprocess.run(
            machine.ssh("root@127.0.0.1", "echo c > /proc/sysrq-trigger"), capture_output=True, timeout=120, check=False
        )
        machine.wait(REBOOTED_S)
        is_so(f"the watchdog reset it after {time.monotonic() - began:.0f} s", machine.ended())


def board(trial: Trial, game: str) -> None:
    """The board of a Pi 3 with the image's own device tree, card in its slot: as far as it goes."""
    card = trial.card(game)
    console = card.folder / "board.log"
    console.write_text("")  # QEMU opens it a moment later
    disk = card.folder / "board.qcow2"
    run(
        "qemu-img",
        "create",
        "-q",
        "-f",
        "qcow2",
        "-F",
        "raw",
        "-b",
        (card.folder / "flashed.img").resolve(),
        disk,
        CARD_SIZE,
    )
    command = ["qemu-system-aarch64", "-M", "raspi3b", "-display", "none", "-no-reboot", "-serial", f"file:{console}"]
    command += ["-kernel", str(card.folder / "vmlinuz"), "-initrd", str(card.folder / "initrd.img")]
    command += ["-dtb", str(card.folder / "bcm2837-rpi-3-b.dtb"), "-drive", f"if=sd,file={disk},format=qcow2"]
    command += ["-append", (card.folder / "cmdline.txt").read_text().strip() + f" console=ttyAMA0,115200 {NO_WATCHDOG}"]
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT
    ) as machine:
        try:
            for what in ON_THE_BOARD:
                until(what, lambda what=what: what in console.read_text("utf-8", "replace") or None)  # type: ignore[misc]
                say(f"  on the board of a Pi 3: {what}")
        finally:
            machine.kill()


STEPS: dict[str, tuple[str, Callable[[Trial, str], None]]] = {
    "flash-wheel": ("wheel", flash),
    "first-wheel": ("wheel", first),
    "round-wheel": ("wheel", cut_round),
    "upgrade": ("wheel", cut_upgrade),
    "board": ("wheel", board),
    "flash-war": ("war", flash),
    "round-war": ("war", cut_round),
    "clock": ("war", clock),
    "hang": ("war", hang),
}


def main() -> None:
    image, bundle, folder, *names = sys.argv[1:]
    if unknown := set(names) - set(STEPS):
        sys.exit(f"test-image: there is no step {' '.join(sorted(unknown))}; there are {' '.join(STEPS)}")
    trial = Trial(Path(image), Path(bundle), Path(folder))
    for name in names or STEPS:
        say(name)
        game, step = STEPS[name]
        step(trial, game)
    say(f"{len(names or STEPS)} steps of {len(STEPS)}: all is well")


if __name__ == "__main__":
    main()
