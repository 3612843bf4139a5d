"""The Debian package as dpkg and apt take it: upgrade, back, refusals; what runs plays on, on a machine of its own."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from floor.fleet.program import read_program
from lab import bundle, deb
from lab.bundle import source
from lab.needs import DPKG, GPG, MOUNTS, OVERLAY, ROOT
from tests.bundles import stub_wheel
from tests.needed import needed

LONGEST_S = 300
COVERED = ("etc", "opt", "var", "run", "media")
LAID_OUT = (
    *("usr", "work", "run/systemd/system", "media/stick", "etc/apt", "etc/systemd/system", "var/log", "var/tmp"),
    *("var/lib/dpkg/info", "var/lib/dpkg/updates", "var/lib/apt/lists/partial", "var/cache/apt/archives/partial"),
)
SYSTEMCTL = """#!/bin/sh
echo "$*" >>/run/asked
[ "$1" != restart ] || [ "$(basename "$(readlink /opt/tablectl/current)")" != "$(cat /run/unready 2>/dev/null)" ]
"""
Made = Callable[..., Path]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Made]:
    """Builds a package round a stub of our program, once for each kind."""
    needed(DPKG, "no package was built")
    folder, built = tmp_path_factory.mktemp("debs"), dict[str, Path]()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bundle, "_download", lambda folder, arch, python, wanted: None)
        patch.setattr(bundle, "without_pip", lambda lock: "")

        def make(version: str, refuses: str = "", playing: str = "") -> Path:
            name = f"{version}{'-refuses' * bool(refuses)}{'-plays' * bool(playing)}"
            if name not in built:
                patch.setattr(bundle, "build_version", lambda tree: version)
                patch.setattr(
                    bundle,
                    "build_wheel",
                    lambda tree, to, scratch, version: stub_wheel(to, version, refuses, 0, playing),
                )
                built[name] = deb.build_deb(source(), "x86_64", folder / name, lambda text: None)
            return built[name]

        yield make


def stub_of(to: Path, version: str, refuses: str, playing: str) -> Path:
    return stub_wheel(to, version, refuses=refuses, playing=playing)


class Box:
    """A machine of its own over the files of this one: what is written there stays in a folder of the test."""

    def __init__(self, folder: Path) -> None:
        for need in (ROOT, MOUNTS, OVERLAY):
            needed(need, "a machine of its own has mounts of its own")
        self.folder = folder
        for each in (*COVERED, *LAID_OUT):
            (folder / each).mkdir(parents=True, exist_ok=True)
        (folder / "var/lib/dpkg/status").touch()
        for name in ("nsswitch.conf", "ld.so.cache", "ld.so.conf", "alternatives"):
            if Path("/etc", name).exists():
                subprocess.run(["cp", "-a", f"/etc/{name}", folder / "etc"], check=True, timeout=60)
        (folder / "etc/passwd").write_text("root:x:0:0::/root:/bin/sh\ntablectl:x:990:990::/:/bin/false\n")
        (folder / "etc/group").write_text("root:x:0:\ntablectl:x:990:\n")
        tools = folder / "media" / "tools"
        tools.mkdir()
        for name, text in (("systemctl", SYSTEMCTL), ("systemd-sysusers", "#!/bin/sh\n"), ("udevadm", "#!/bin/sh\n")):
            (tools / name).write_text(text)
            (tools / name).chmod(0o755)

    def run(self, line: str) -> subprocess.CompletedProcess[str]:
        binds = "".join(f' && mount --bind "$0/{each}" /{each}' for each in COVERED)
        over = 'mount -t overlay overlay -o "lowerdir=/usr,upperdir=$0/usr,workdir=$0/work" /usr'
        script = f'mount --make-rprivate / && {over}{binds} && cd / && exec sh -c "$1"'
        environment = {"PATH": "/media/tools:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", "HOME": "/root"}
        command = ["unshare", "--mount", "sh", "-c", script, str(self.folder), line]
        return subprocess.run(
            command, env={**environment, "DEBIAN_FRONTEND": "noninteractive"}, capture_output=True, text=True,
            timeout=LONGEST_S,
        )  # fmt: skip

    def dpkg(self, package: Path, before: str = "") -> subprocess.CompletedProcess[str]:
        """Install a package that lies on the stick; what it depends on is this machine's."""
        shutil.copy(package, self.folder / "media/stick/tablectl.deb")
        return self.run(f"{before} dpkg --force-depends --install /media/stick/tablectl.deb")

    @property
    def current(self) -> str:
        return (self.folder / "opt/tablectl/current").readlink().name

    def asked(self) -> list[str]:
        path = self.folder / "run/asked"
        said = path.read_text().splitlines() if path.exists() else []
        path.unlink(missing_ok=True)
        return said


@pytest.fixture
def box(tmp_path: Path, made: Made) -> Box:
    """A table that was installed from package 2.0, and has played."""
    machine = Box(tmp_path / "box")
    done = machine.dpkg(made("2.0"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert machine.run("tablectl --version").stdout == "tablectl, version 2.0\n"
    (machine.folder / "var/lib/tablectl/table.db").write_text("a night")
    machine.asked()
    return machine


def test_an_upgrade_is_put_beside_switched_to_and_restarted_and_both_can_go_back(box: Box, made: Made) -> None:
    config = (box.folder / "etc/tablectl/table.toml").read_text()
    done = box.dpkg(made("3.0"))
    assert done.returncode == 0, done.stderr
    assert (box.current, (box.folder / "opt/tablectl/previous").readlink().name) == ("3.0", "2.0")
    assert "restart tablectl.service" in box.asked()
    older = box.dpkg(made("2.0"))
    assert older.returncode != 0
    assert "version 2.0 is older than 3.0, which is installed" in older.stderr
    assert "TABLECTL_OLDER=1" in older.stderr
    assert box.current == "3.0"
    assert "restart tablectl.service" not in box.asked(), "the installed version plays on"
    assert box.run("dpkg-query -W -f '${Version} ${db:Status-Abbrev}' tablectl").stdout == "3.0 ii "
    assert box.dpkg(made("2.0"), "TABLECTL_OLDER=1").returncode == 0
    assert box.run("tablectl --version").stdout == "tablectl, version 2.0\n"
    assert (box.folder / "etc/tablectl/table.toml").read_text() == config


def test_a_package_that_does_not_become_ready_is_taken_back(box: Box, made: Made) -> None:
    (box.folder / "run/unready").write_text("3.0")
    done = box.dpkg(made("3.0"))
    assert done.returncode != 0
    assert "version 3.0 did not become ready and was taken back" in done.stderr
    assert box.current == "2.0"
    assert box.asked().count("restart tablectl.service") == 2


def test_a_package_that_cannot_run_this_table_changes_nothing(box: Box, made: Made) -> None:
    done = box.dpkg(made("3.0", refuses="table.db: is in a form this version does not read"))
    assert "version 3.0 cannot run this table: table.db: is in a form" in done.stderr
    assert box.current == "2.0"
    assert "restart tablectl.service" not in box.asked()


def test_in_the_middle_of_a_round_it_waits_for_the_word(box: Box, made: Made) -> None:
    assert box.dpkg(made("2.5", playing="A round is under way.")).returncode == 0
    box.asked()
    done = box.dpkg(made("3.0"))
    assert "A round is under way.\n  After it: dpkg --configure tablectl" in done.stderr
    assert box.current == "2.5"
    assert box.run("TABLECTL_NOW=1 dpkg --force-depends --configure tablectl").returncode == 0
    assert box.current == "3.0"


@pytest.mark.parametrize("share", [0.1, 0.7, 0.99])
def test_a_package_that_was_cut_short_changes_nothing(box: Box, made: Made, tmp_path: Path, share: float) -> None:
    octets = made("3.0").read_bytes()
    (tmp_path / "cut.deb").write_bytes(octets[: int(len(octets) * share)])
    done = box.dpkg(tmp_path / "cut.deb")
    assert done.returncode != 0
    assert box.current == "2.0"
    assert box.run("tablectl --version").stdout == "tablectl, version 2.0\n"
    assert box.run("dpkg-query -W -f '${Version} ${db:Status-Abbrev}' tablectl").stdout == "2.0 ii "
    assert "restart tablectl.service" not in box.asked()


def test_a_purge_leaves_the_night_and_its_configuration(box: Box) -> None:
    done = box.run("dpkg --purge tablectl")
    assert done.returncode == 0, done.stderr
    assert not (box.folder / "opt/tablectl").exists()
    assert (box.folder / "var/lib/tablectl/table.db").read_text() == "a night"
    assert (box.folder / "etc/tablectl/table.toml").exists()


INSTALLED = """Package: {name}
Status: install ok installed
Maintainer: nobody <nobody@example.invalid>
Architecture: amd64
Version: 3.12
Description: as far as this test goes

"""
STEWARD = """
import sys, tempfile
from pathlib import Path
from controller.fleet.machine import Machine, Refused
machine = Machine(Path("/etc/tablectl/table.toml"))
with tempfile.TemporaryDirectory(dir="/var/tmp") as scratch:
    try:
        machine.install(Path(sys.argv[1]), sys.argv[2], Path(scratch), 1)
        print("done", machine.versions(), machine.packaged())
    except Refused as refused:
        print(type(refused).__name__, refused)
"""


class Sending:
    """A house that sends packages to one machine by its fleet; `key` signs them."""

    def __init__(self, box: Box, made: Made, home: Path, key: str) -> None:
        self._box, self._made, self._home, self.key = box, made, home, key
        tools = 'DPkg::Path "/media/tools:/usr/sbin:/usr/bin:/sbin:/bin";\n'  # apt has a path of its own
        (box.folder / "etc/apt/apt.conf").write_text(tools)
        with (box.folder / "var/lib/dpkg/status").open("a") as known:
            known.writelines(INSTALLED.format(name=name) for name in ("libc6", "python3", "libusb-1.0-0", "systemd"))

    def repository(self, *packages: Path) -> Path:
        folder = self._home / "repository"
        shutil.rmtree(folder, ignore_errors=True)
        return deb.repository([*packages], folder, self.key, str(self._home))

    def send(self, *packages: Path) -> str:
        """What the steward makes of it."""
        sent = read_program(self.repository(*packages))
        (self._box.folder / "media/stick/sent").write_bytes(sent.octets)
        (self._box.folder / "media/stick/steward.py").write_text(STEWARD)
        done = self._box.run(f"{sys.executable} /media/stick/steward.py /media/stick/sent {sent.version}")
        return done.stdout.strip() or done.stderr


@pytest.fixture
def sending(box: Box, made: Made, tmp_path: Path) -> Sending:
    """The house's key lies where the machine's apt has it."""
    needed(GPG, "nothing was signed")
    home = tmp_path / "gpg"
    home.mkdir(mode=0o700)
    for who in ("builder@house.invalid", "stranger@elsewhere.invalid"):
        make = ["gpg", "--batch", "--homedir", str(home), "--passphrase", "", "--quick-generate-key", who, "ed25519"]
        subprocess.run(make, capture_output=True, timeout=120, check=True)
    found = Sending(box, made, home, "builder@house.invalid")
    (box.folder / "etc/apt/keyrings").mkdir()
    shutil.copy(found.repository(made("3.0")) / "tablectl.gpg", box.folder / "etc/apt/keyrings/tablectl.gpg")
    return found


def test_a_steward_has_apt_take_what_the_house_signed_and_nothing_else(box: Box, made: Made, sending: Sending) -> None:
    sending.key = "stranger@elsewhere.invalid"
    assert "Refused the repository that was sent is not the house's, or damaged" in sending.send(made("3.0"))
    sending.key = "builder@house.invalid"
    assert (box.current, box.asked()) == ("2.0", [])
    assert sending.send(made("2.0"), made("3.0")) == "done ('3.0', '2.0') True"
    assert box.asked().count("restart tablectl.service") == 1
    assert box.run("dpkg-query -W -f '${Version} ${db:Status-Abbrev}' tablectl").stdout == "3.0 ii "
    (box.folder / "etc/apt/keyrings/tablectl.gpg").unlink()
    assert "put the house's at /etc/apt/keyrings/tablectl.gpg" in sending.send(made("3.0"))


def test_a_steward_tells_a_package_that_went_back_from_one_that_a_round_held_up(
    box: Box, made: Made, sending: Sending
) -> None:
    assert box.dpkg(made("2.5", playing="A round is under way.")).returncode == 0
    box.asked()
    said = sending.send(made("3.0"))
    assert said.startswith("RoundFirst A round is under way. After it: dpkg --configure tablectl")
    assert (box.current, "restart tablectl.service" in box.asked()) == ("2.5", False)
    again = sending.send(made("3.0"))
    assert again.startswith("RoundFirst"), "what dpkg has half done is gone on with"
    assert box.run("TABLECTL_NOW=1 dpkg --configure tablectl").returncode == 0
    assert box.current == "3.0"
    (box.folder / "run/unready").write_text("4.0")
    said = sending.send(made("4.0"))
    assert said.startswith("Refused version 4.0 did not become ready and was taken back. See why: journalctl")
    assert (box.current, box.run("tablectl --version").stdout) == ("3.0", "tablectl, version 3.0\n")


def test_a_bundle_is_no_package_and_a_machine_takes_what_it_was_installed_from(
    box: Box, sending: Sending, tmp_path: Path
) -> None:
    bundle = tmp_path / "bundle" / "tablectl-3.0"
    bundle.mkdir(parents=True)
    (bundle / "install.sh").write_text("exit 1\n")
    stick = box.folder / "media/stick"
    subprocess.run(["tar", "-czf", stick / "sent", "-C", bundle.parent, bundle.name], check=True, timeout=60)
    (stick / "steward.py").write_text(STEWARD)
    done = box.run(f"{sys.executable} /media/stick/steward.py /media/stick/sent 3.0")
    assert "Refused this machine was installed from the Debian package; send it the repository" in done.stdout
    assert box.current == "2.0"


def test_apt_takes_the_package_only_from_a_repository_of_the_houses_key(box: Box, made: Made, tmp_path: Path) -> None:
    needed(GPG, "nothing was signed")
    home = tmp_path / "gpg"
    home.mkdir(mode=0o700)
    for who in ("builder@house.invalid", "stranger@elsewhere.invalid"):
        make = ["gpg", "--batch", "--homedir", str(home), "--passphrase", "", "--quick-generate-key", who, "ed25519"]
        subprocess.run(make, capture_output=True, timeout=120, check=True)
    stick = box.folder / "media/stick/repository"
    line = "deb [signed-by=/etc/apt/tablectl.gpg] file:///media/stick/repository ./\n"
    (box.folder / "etc/apt/sources.list").write_text(line)
    update = "apt-get -o APT::Sandbox::User=root -o Acquire::Languages=none update"
    deb.repository([made("3.0")], stick, "builder@house.invalid", str(home))
    shutil.copy(stick / "tablectl.gpg", box.folder / "etc/apt/tablectl.gpg")
    told = box.run(f"{update} && apt-cache policy tablectl")
    assert "Candidate: 3.0" in told.stdout, told.stdout + told.stderr
    deb.repository([made("3.0")], stick, "stranger@elsewhere.invalid", str(home))
    assert "couldn't be verified because the public key is not available" in box.run(update).stderr
    deb.repository([made("3.0")], stick)
    unsigned = box.run(update)
    assert unsigned.returncode != 0
    assert "is no longer signed" in unsigned.stderr or "is not signed" in unsigned.stderr
    assert box.current == "2.0"
