"""The machine under a table, as its steward handles it: versions, files in `/etc/tablectl`, and the service."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import tarfile
from pathlib import Path, PurePosixPath

import msgspec

from controller import kept_file, rules
from controller.config.file import check_config
from controller.config.tomlread import ConfigError
from controller.config.types import TableConfig
from controller.journal.head import slug
from controller.pi.install.network import drop_in
from controller.pi.install.ready import journal_under, why_not
from controller.pi.install.under_way import round_under_way
from controller.rules import amended

INSTALL_S = 1800.0
RESTART_S = 180.0
TIDY_S = 20.0
UNPACKED_MOST = 1 << 30
"""A bundle has a tenth of this."""
FILES_MOST = 10_000
ROUND_FIRST = 75
"""How an installer ends that only a round held up."""


class Refused(Exception):
    """The machine does not take what was wanted: why. Nothing was changed, or it was changed back."""


class RoundFirst(Refused):
    """The table was being played all the time; nothing else was wrong, and nothing was changed."""


class Machine:
    """One machine; `root` is where its files begin, `systemctl` how its services are asked."""

    def __init__(self, config: Path, root: Path = Path("/"), systemctl: str = "") -> None:
        self.config, self.root = config, root
        self._systemctl = systemctl or os.environ.get("TABLECTL_SYSTEMCTL", "systemctl")
        self._opt = root / "opt" / "tablectl"

    def table(self) -> TableConfig:
        """The table that is configured, its journal where this machine has it."""
        config = check_config(self.config)
        journal = str(journal_under(config, self.root))
        return msgspec.structs.replace(config, table=msgspec.structs.replace(config.table, journal=journal))

    # -- what it has -----------------------------------------------------------------------------------------------

    def versions(self) -> tuple[str, str]:
        """The version that is to run, and the one before it; empty where there is none."""
        links = (self._opt / "current", self._opt / "previous")
        current, before = (os.path.basename(os.readlink(link)) if link.is_symlink() else "" for link in links)
        return current, before

    def instead_of(self) -> str:
        """The version that should run and is not whole, where the one before it runs; empty where all is well."""
        current, before = self.versions()
        launch = self._opt / "launch"
        if not before or not launch.exists() or self._quietly([str(launch), "--whole", f"versions/{current}"]):
            return ""
        return current

    def configuration(self) -> str:
        """The digest of the table's file."""
        try:
            return hashlib.sha256(self.config.read_bytes()).hexdigest()
        except OSError:
            return ""

    def running(self) -> bool:
        return self._quietly([self._systemctl, "is-active", "--quiet", "tablectl.service"])

    def id(self) -> str:
        """The same for everything this computer says; it tells nothing else about it."""
        path = self.root / "etc" / "machine-id"
        told = path.read_bytes().strip() if path.exists() else b""
        return hashlib.sha256(b"tablectl-machine\n" + told).hexdigest()[:16] if told else ""

    def playing(self) -> str:
        """What is being played, in words; empty between rounds."""
        return round_under_way(self.config, self.root)

    # -- what it is given ------------------------------------------------------------------------------------------

    def install(self, bundle: Path, folder: Path, wait_s: float) -> None:
        """Install a bundle with its own installer, which waits so long for the end of a round, and goes back by itself
        where the new version does not become ready."""
        inside = unpack(bundle, folder)
        command = ["sh", str(inside / "install.sh"), "--wait", str(int(wait_s))]
        if self.root != Path("/"):
            command += ["--root", str(self.root)]
        ended, told = _ended(command, wait_s + INSTALL_S)
        if ended:
            said = ". ".join(line.strip().rstrip(".") for line in told.splitlines()[-2:])
            kind = RoundFirst if ended == ROUND_FIRST else Refused
            raise kind(said.removeprefix("install.sh: ") or f"the installer ended with {ended}")

    def check_configuration(self, text: bytes) -> None:
        """Refuse a file that this table cannot be run by, or that is another table's."""
        aside = self.config.with_name(self.config.name + ".wanted")
        kept_file.replace(aside, text)
        try:
            if reason := why_not(aside, self.root):
                raise Refused(reason.replace(str(aside), "the file that was sent"))
            now, new = check_config(self.config).table, check_config(aside).table
            if slug(new.name) != slug(now.name):
                raise Refused(f"the file that was sent is for table {new.name}, and this is {now.name}")
            if check_config(self.config).uplink is not None and not _hears_a_floor(check_config(aside)):
                raise Refused(
                    "the file that was sent would cut this machine off from the floor; do that at the machine"
                )
            if new.journal != now.journal:
                raise Refused(f"the file that was sent keeps its journal at {new.journal}, and this is {now.journal}")
        except ConfigError as error:
            raise Refused(str(error)) from error
        finally:
            aside.unlink(missing_ok=True)
        self.config.with_name(self.config.name + ".before").unlink(missing_ok=True)  # of another roll-out

    def configure(self, text: bytes, again: bool = False) -> None:
        """Run the table by this file; by the one before where it does not become ready.

        `again` after a power cut in the middle of it: the file before is the one that was put aside then.
        """
        aside = self.config.with_name(self.config.name + ".before")
        before = aside.read_bytes() if again and aside.exists() else self.config.read_bytes()
        kept_file.replace(aside, before, 0o640)
        self._take(text)
        if self._restarted():
            return
        self._take(before)
        nor = "" if self._restarted() else "; nor did it by the one before: look at it with journalctl -u tablectl -b"
        raise Refused(f"the table did not become ready with it, and was given back the one before{nor}")

    def amend(self, text: bytes, folder: Path) -> str:
        """Take in an amended rulebook, in words; it takes effect by its own date."""
        aside = folder / "rulebook.toml"
        kept_file.replace(aside, text)
        try:
            return amended.take_in(self.table(), aside).said
        except ConfigError as error:
            raise Refused(str(error).replace(str(aside), "the rulebook that was sent")) from error
        finally:
            aside.unlink(missing_ok=True)

    def editions(self) -> tuple[str, ...]:
        """The amended editions that lie with the table."""
        return tuple(one.name.partition(rules.MARK)[2] for one in amended.lying(self.table()))

    # -- how -------------------------------------------------------------------------------------------------------

    def _take(self, text: bytes) -> None:
        kept_file.replace(self.config, text)
        network = self.root / "etc/systemd/system/tablectl.service.d/network.conf"
        if network.parent.is_dir():
            kept_file.replace(network, drop_in(check_config(self.config)).encode(), 0o644)
            self._quietly([self._systemctl, "daemon-reload"])

    def _restarted(self) -> bool:
        return self._quietly([self._systemctl, "restart", "tablectl.service"]) and self.running()

    def _quietly(self, command: list[str]) -> bool:
        try:
            return subprocess.run(command, capture_output=True, timeout=RESTART_S).returncode == 0
        except (OSError, subprocess.TimeoutExpired):
            return False


def _hears_a_floor(config: TableConfig) -> bool:
    return config.uplink is not None and bool(config.uplink.witness)


def _ended(command: list[str], seconds: float) -> tuple[int, str]:
    """How a command ended, and what it said; with all that it started it is ended after so long."""
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True,
                          start_new_session=True) as running:  # fmt: skip
        try:
            _, told = running.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(running.pid, signal.SIGTERM)  # it tidies up behind itself
            try:
                running.communicate(timeout=TIDY_S)
            except subprocess.TimeoutExpired:
                os.killpg(running.pid, signal.SIGKILL)
            return 1, "the installer did not come to its end; look at the machine: journalctl -b"
    return running.returncode, told


def unpack(bundle: Path, folder: Path) -> Path:
    """The one folder in a bundle's archive; Refused where it is no archive, or holds more than a bundle does."""
    try:
        with tarfile.open(bundle, "r:gz") as archive:
            size = count = 0
            for member in archive:
                size, count = size + member.size, count + 1
                if size > UNPACKED_MOST or count > FILES_MOST:
                    raise Refused("what was sent holds more than a bundle does")
                if not (member.isfile() or member.isdir()) or _leads_out(member.name):
                    raise Refused(f"what was sent is no bundle: {member.name[:80]} has no place in one")
                archive.extract(member, folder, set_attrs=False)
    except (tarfile.TarError, OSError, EOFError) as error:
        raise Refused(f"what was sent is no bundle ({error})") from error
    inside = [path for path in folder.iterdir() if (path / "install.sh").is_file()]
    if len(inside) != 1:
        raise Refused("what was sent is no bundle: there is no installer in it")
    return inside[0]


def _leads_out(name: str) -> bool:
    path = PurePosixPath(name)
    return path.is_absolute() or ".." in path.parts
