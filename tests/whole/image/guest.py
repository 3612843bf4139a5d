"""A machine that starts from the image: its card, its cables, its power."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

from tests.standing import TABLECTL
from tests.whole.image.played import GAMES, answers, chips, until
from tests.whole.pi.bench import Hand, free_port

CARD_SIZE = "4G"
BOOT_AT = 4 << 20
"""Where the first partition begins, in octets."""
RUN_S = 240
NO_WAIT = "systemd.mask=systemd-time-wait-sync.service"
NO_MEMORY_OF_TIME = "systemd.mask=systemd-timesyncd.service"
"""It gives a machine without a clock of its own the time that it knew last."""
PATIENT = (
    "mkdir -p /run/systemd/system/tablectl.service.d && printf '[Service]\\nTimeoutStartSec=15min\\n'"
    " >/run/systemd/system/tablectl.service.d/slow.conf && systemctl daemon-reload"
)
"""A Pi starts the table in seconds; emulated among others' work it may take longer than its 90 s, each time anew."""


def run(*command: str | Path, timeout: float = RUN_S) -> str:
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=timeout)
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))}: {done.stdout}{done.stderr}")
    return done.stdout


class Card:
    """A card that the image was flashed to, with what a technician lays onto its first partition."""

    def __init__(self, folder: Path, game: str) -> None:
        self.folder, self.game = folder, game
        self.disk = folder / "card.qcow2"
        self.key = folder / "key"
        self.ports = folder / "ports"

    @property
    def port(self) -> dict[str, int]:
        """What is where on this machine: each device by its serial number, the way in, the pages."""
        return {name: int(number) for name, number in map(str.split, self.ports.read_text().splitlines())}

    def flash(self, image: Path) -> None:
        """The image onto a larger card; key, answers and chips onto its first partition."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        names = [serial for _, serial, _ in GAMES[self.game].devices] + ["ssh", "web"]
        self.ports.write_text("".join(f"{name} {free_port()}\n" for name in names))
        run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self.key)
        flashed = self.folder / "flashed.img"
        run("cp", "--sparse=always", image, flashed)
        self._lay(flashed, "authorized_keys", self.key.with_suffix(".pub").read_text())
        self._lay(flashed, "setup.toml", answers(self.game, self.port["web"]))
        self._lay(flashed, "chips.csv", chips())
        # What the machine did not have flushed is lost with its power: it never reached the tables of this format.
        run("qemu-img", "create", "-q", "-f", "qcow2", "-F", "raw", "-b", flashed.resolve(), self.disk, CARD_SIZE)
        for name in ("vmlinuz", "initrd.img", "cmdline.txt", "bcm2837-rpi-3-b.dtb"):
            run("mcopy", "-n", "-i", f"{flashed}@@{BOOT_AT}", f"::{name}", self.folder / name)

    def _lay(self, image: Path, name: str, text: str) -> None:
        (self.folder / name).write_text(text, "utf-8")
        run("mcopy", "-o", "-i", f"{image}@@{BOOT_AT}", self.folder / name, f"::{name}")


class Machine:
    """QEMU with that card: a virtual machine, its USB serial lines ending at devices on this one."""

    def __init__(self, card: Card, *more: str, told: str = NO_WAIT) -> None:
        """The kernel is `told` more: not to wait for a clock, which takes a minute here, where nobody sets it."""
        self.card, self._told = card, told
        self.console = card.folder / "console.log"
        self._qemu = subprocess.Popen(
            [*self._virt(), *more], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT
        )

    def _virt(self) -> list[str]:
        folder, port = self.card.folder, self.card.port
        command = ["qemu-system-aarch64", "-M", "virt", "-cpu", "cortex-a72", "-smp", "2", "-m", "1024"]
        command += ["-accel", "tcg,thread=multi", "-display", "none", "-no-reboot", "-action", "watchdog=reset"]
        command += ["-kernel", str(folder / "vmlinuz"), "-initrd", str(folder / "initrd.img")]
        command += ["-append", f"{(folder / 'cmdline.txt').read_text().strip()} console=ttyAMA0 {self._told}"]
        command += ["-serial", f"file:{self.console}", "-device", "i6300esb", "-device", "qemu-xhci"]
        command += [
            "-drive",
            f"if=none,id=card,file={self.card.disk},format=qcow2",
            "-device",
            "virtio-blk-pci,drive=card",
        ]
        # Nothing outside is reached, no time server either; only the way in is open.
        command += ["-nic", f"user,model=virtio-net-pci,restrict=on,hostfwd=tcp:127.0.0.1:{port['ssh']}-:22"]
        for _, serial, _ in GAMES[self.card.game].devices:
            command += ["-chardev", f"socket,id={serial},host=127.0.0.1,port={port[serial]},reconnect=1"]
            command += ["-device", f"usb-serial,chardev={serial},serial={serial}"]
        return command

    def ssh(self, *words: str, key: Path | None = None) -> list[str]:
        command = ["ssh", "-p", str(self.card.port["ssh"]), "-o", "StrictHostKeyChecking=no", "-o", "LogLevel=ERROR"]
        command += ["-o", "UserKnownHostsFile=/dev/null", "-o", "BatchMode=yes", "-o", "ConnectTimeout=30"]
        command += ["-o", "IdentitiesOnly=yes", "-i", str(key or self.card.key)]
        return [*command, *words]

    def does(self, line: str, timeout: float = RUN_S) -> subprocess.CompletedProcess[str]:
        """What a technician types there."""
        return subprocess.run(
            self.ssh("root@127.0.0.1", line), capture_output=True, text=True, timeout=timeout, stdin=subprocess.DEVNULL
        )

    def did(self, line: str, timeout: float = RUN_S) -> str:
        done = self.does(line, timeout)
        if done.returncode:
            raise RuntimeError(f"{line}: {done.stdout}{done.stderr}")
        return done.stdout.strip()

    def up(self) -> None:
        """Until somebody with the key gets in."""

        def answers_there() -> bool | None:
            if self.ended():
                raise RuntimeError(f"the machine ended; see {self.console}")
            with contextlib.suppress(subprocess.TimeoutExpired):
                return self.does("true", 40).returncode == 0 or None
            return None

        until("a way in", answers_there)
        self.did(PATIENT)

    def served(self) -> None:
        """Until the table runs."""
        until("the table's service", lambda: self.does("systemctl is-active tablectl").returncode == 0 or None)

    @contextlib.contextmanager
    def pages(self) -> Iterator[None]:
        """The table's pages, which are for its own machine alone, at the same address here."""
        web = self.card.port["web"]
        way = subprocess.Popen(
            self.ssh("-N", "-L", f"{web}:127.0.0.1:{web}", "-o", "ExitOnForwardFailure=yes", "root@127.0.0.1")
        )
        try:
            yield
        finally:
            way.terminate()
            way.wait(20)

    def ended(self) -> bool:
        return self._qemu.poll() is not None

    def wait(self, timeout: float) -> None:
        self._qemu.wait(timeout)

    def cut(self) -> None:
        """The power goes."""
        os.kill(self._qemu.pid, signal.SIGKILL)
        self._qemu.wait(20)


@contextlib.contextmanager
def plugged(card: Card) -> Iterator[dict[str, Hand]]:
    """The devices of the table, programs of their own out here: they keep their memory when its power goes."""
    started, hands = [], {}
    try:
        for kind, serial, options in GAMES[card.game].devices:
            control = card.folder / f"{serial}.control"
            command = [*TABLECTL, "simulate", kind, "--port", f"tcp:127.0.0.1:{card.port[serial]}", "--serial", serial]
            device = subprocess.Popen(
                [*command, *options, "--control", str(control)], stdout=subprocess.PIPE, text=True
            )
            started.append(device)
            assert device.stdout is not None
            assert " on " in device.stdout.readline(), "a simulated device does not start"
            hands[serial] = Hand(control)
        yield hands
    finally:
        for hand in hands.values():
            hand.close()
        for device in started:
            device.terminate()
            device.communicate(timeout=20)
