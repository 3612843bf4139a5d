"""What the installer leaves behind: the unit and its command on a read-only root, rules, checks before a switch."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.journal.file import JournalFile
from controller.journal.row import decode
from controller.pi import manifest
from drivers.discover import OWN_USB
from lab.needs import MOUNTS, SYSTEMD
from tests.bundles import TREE, borrowed_wheel, bundle, own_wheel, system
from tests.needed import skip_without

UNIT = TREE / "install" / "tablectl.service"
RULES = TREE / "install" / "70-tablectl.rules"
DEADLINE_S = 60


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A root with our own program installed; nothing hangs on the ports of its table."""
    folder = tmp_path_factory.mktemp("pi")
    made = bundle(folder, "1.0", own_wheel(folder, "1.0"), borrowed_wheel(folder))
    root = system(folder / "root")
    environment = {**os.environ, "PYTHON": sys.executable}
    command = ["sh", str(made / "install.sh"), "--root", str(root)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    config = root / "etc" / "tablectl" / "table.toml"
    text = config.read_text("utf-8")
    text = re.sub(
        r'^port = "(/dev|usb).*$', lambda port: f'port = "tcp://127.0.0.1:{free_port()}"', text, flags=re.MULTILINE
    )
    text = text.replace('"/var/lib', f'"{root}/var/lib').replace("8642", str(free_port()))
    config.write_text(text, "utf-8")
    return root


def free_port() -> int:
    with socket.socket() as line:
        line.bind(("127.0.0.1", 0))
        return int(line.getsockname()[1])


def exec_start(root: Path) -> list[str]:
    """The service's own command, inside this root."""
    unit = (root / "etc/systemd/system/tablectl.service").read_text()
    found = re.search(r"^ExecStart=(.+)$", unit, re.MULTILINE)
    assert found is not None
    return [f"{root}{word}" if word.startswith("/") else word for word in found[1].split()]


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind(str(tmp_path / "notify"))
        line.settimeout(DEADLINE_S)
        yield line


def until(manager: socket.socket, word: str) -> None:
    while word not in manager.recv(4096).decode():
        pass


def started(root: Path, manager: socket.socket, *before: str) -> subprocess.Popen[str]:
    environment = {"PATH": "/usr/bin:/bin", "NOTIFY_SOCKET": manager.getsockname(), "WATCHDOG_USEC": "600000"}
    environment |= {"PYTHONDONTWRITEBYTECODE": "1", "TABLECTL_LOG": "json"}
    return subprocess.Popen([*before, *exec_start(root)], env=environment, stderr=subprocess.PIPE, text=True, cwd="/")


def stopped(service: subprocess.Popen[str]) -> str:
    service.send_signal(signal.SIGTERM)
    said = service.communicate(timeout=DEADLINE_S)[1]
    assert service.returncode == 0, said
    return said


def test_the_services_command_runs_with_nothing_but_the_data_directory_writable(
    root: Path, manager: socket.socket, tmp_path: Path
) -> None:
    data = root / "var" / "lib" / "tablectl"
    # The whole file system read-only, but for the data directory, as on a Pi with a read-only root.
    script = (
        f"mount --make-rprivate / && mount --bind {data} {data} && mount -o remount,ro,bind / && "
        f'! touch {root}/etc/written 2>/dev/null && touch {data}/written && rm {data}/written && exec "$@"'
    )
    probe = subprocess.run(["unshare", "--mount", "sh", "-c", script, "sh", "true"], capture_output=True, timeout=20)
    if probe.returncode:
        pytest.skip(f"{MOUNTS.missing}: a read-only root needs it")
    service = started(root, manager, "unshare", "--mount", "sh", "-c", script, "sh")
    until(manager, "READY=1")
    until(manager, "WATCHDOG=1")
    said = stopped(service)
    assert all(json.loads(line) for line in said.splitlines() if line.startswith("{"))
    journal = JournalFile.read_only(data / "table.db")
    kinds = [type(decode(row.body).event).__name__ for row in journal.rows()]
    assert kinds[0] == "Started"
    assert kinds[-1] == "Stopped"


def test_the_installed_program_passes_its_own_check(root: Path, manager: socket.socket) -> None:
    checked = manifest.check(root / "opt/tablectl/current/MANIFEST")
    assert checked.wrong == ()
    assert checked.files > 200
    service = started(root, manager)
    until(manager, "READY=1")
    stopped(service)
    assert manifest.check(root / "opt/tablectl/current/MANIFEST").wrong == (), "running it must not change it"


# --- the unit --------------------------------------------------------------------------------


@skip_without(SYSTEMD)
def test_the_unit_is_hardened_to_an_exposure_of_at_most_two() -> None:
    command = ["systemd-analyze", "security", "--offline=true", "--no-pager", str(UNIT)]
    said = subprocess.run(command, capture_output=True, text=True, timeout=60)
    if "Unknown" in said.stderr and "offline" in said.stderr:
        pytest.skip("this systemd-analyze is too old to judge a file")
    found = re.search(r"exposure level for \S+: ([0-9.]+)", said.stdout)
    assert found is not None, said.stderr
    assert float(found[1]) <= 2.0
    subprocess.run([*command, "--threshold=20"], capture_output=True, check=True, timeout=60)


def unit_settings() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in UNIT.read_text().splitlines():
        key, mark, value = line.partition("=")
        if mark and not line.startswith("#"):
            found.setdefault(key, []).append(value)
    return found


def test_the_unit_has_no_root_writes_one_directory_and_restarts() -> None:
    unit = unit_settings()
    assert unit["User"] == ["tablectl"]
    assert unit["Type"] == ["notify"]
    assert unit["ReadWritePaths"] == ["-/var/lib/tablectl"]
    assert unit["CapabilityBoundingSet"] == [""]
    assert unit["IPAddressDeny"] == ["any"]
    assert unit["Restart"] == ["on-failure"]
    assert int(unit["WatchdogSec"][0]) >= 10
    assert unit["StartLimitIntervalSec"] == ["0"], "a table comes back however often it has failed"


@skip_without(SYSTEMD)
def test_systemd_understands_every_line_of_the_units() -> None:
    for unit in ("tablectl.service", "tablectl-kiosk.service"):
        command = ["systemd-analyze", "verify", "--man=no", str(TREE / "install" / unit)]
        said = subprocess.run(command, capture_output=True, text=True, timeout=60)
        wrong = [line for line in said.stderr.splitlines() if unit in line and "not executable" not in line]
        assert wrong == []


def starts(folder: Path, *moments: int) -> list[int]:
    """How long backoff.sh waits when the table starts at these moments, in seconds."""
    tools = folder / "tools"
    tools.mkdir()
    (tools / "date").write_text(f"#!/bin/sh\ncat {folder}/now\n")
    (tools / "sleep").write_text(f'#!/bin/sh\necho "$1" >{folder}/slept\n')
    for tool in tools.iterdir():
        tool.chmod(0o755)
    waits = []
    for moment in moments:
        (folder / "now").write_text(f"{moment}\n")
        (folder / "slept").write_text("0\n")
        environment = {"PATH": f"{tools}:/usr/bin:/bin", "RUNTIME_DIRECTORY": str(folder)}
        subprocess.run(["sh", str(TREE / "install" / "backoff.sh")], env=environment, check=True, timeout=10)
        waits.append(int((folder / "slept").read_text()))
    return waits


def test_starts_that_do_not_last_come_further_and_further_apart(tmp_path: Path) -> None:
    moments, now = [], 1000
    for wait in (0, 1, 2, 4, 8, 16, 32, 60, 60):
        moments.append(now)
        now += wait + 3
    assert starts(tmp_path, *moments, now + 400) == [0, 1, 2, 4, 8, 16, 32, 60, 60, 0]


def test_a_damaged_count_of_starts_keeps_no_table_from_starting(tmp_path: Path) -> None:
    (tmp_path / "starts").write_text("rubbish; rm -rf /\n")
    assert starts(tmp_path, 5000) == [0]


# --- udev rules ------------------------------------------------------------------------------


def test_the_rules_give_rights_and_names_to_our_devices_and_speed_to_adapters() -> None:
    rules = [line for line in RULES.read_text().splitlines() if line and not line.startswith("#")]
    for rule in rules:
        parts = re.findall(r'([A-Z_]+(?:\{[^}]+\})?)(==|!=|\+=|=)"([^"]*)"', rule)
        assert ", ".join(f'{key}{how}"{value}"' for key, how, value in parts) == rule
    latency = [rule for rule in rules if "latency_timer" in rule]
    assert len(latency) == 1
    assert 'ATTR{latency_timer}="1"' in latency[0]
    ours = next(rule for rule in rules if 'ATTR{idVendor}=="1209"' in rule and "MODE" in rule)
    pattern = re.search(r'ATTR\{idProduct\}=="([^"]+)"', ours)
    assert pattern is not None
    assert all(re.fullmatch(pattern[1], f"{product:04x}") and vendor == 0x1209 for vendor, product in OWN_USB)
    assert all('GROUP="tablectl"' in rule for rule in rules if "MODE=" in rule)
    assert any("$env{ID_SERIAL_SHORT}" in rule and "SYMLINK+=" in rule and "tty" in rule for rule in rules)
    assert '"0801"' in RULES.read_text()
