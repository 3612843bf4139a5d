"""A table's key sealed by a TPM: the same machine signs with it, a copy of the disk in another does not."""

from __future__ import annotations

import contextlib
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from controller.journal.head import SEALED, Head, HeadTrouble, make_key, read_key
from controller.journal.heads import key_of
from controller.journal.tpm import seal_key
from lab.needs import SWTPM
from lab.sim.config import default_config
from tests.needed import skip_without

SEED = bytes(range(7, 39))
HEAD = Head("tablectl/t1/1", 3, bytes(32))
NEEDS_TPM = skip_without(SWTPM, "no key was sealed by a TPM")


@contextlib.contextmanager
def machine(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A machine whose TPM is a program; another folder is another machine."""
    folder.mkdir(exist_ok=True)
    port = _two_free_ports()
    process = subprocess.Popen(
        [
            *(SWTPM.found(), "socket", "--tpm2", "--tpmstate", f"dir={folder}", "--flags", "startup-clear"),
            *("--server", f"type=tcp,port={port},bindaddr=127.0.0.1"),
            *("--ctrl", f"type=tcp,port={port + 1},bindaddr=127.0.0.1"),
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _listening(port + 1)
        monkeypatch.setenv("TPM2TOOLS_TCTI", f"swtpm:host=127.0.0.1,port={port}")
        yield
    finally:
        process.kill()
        process.wait(10)


def _two_free_ports() -> int:
    """The first of two ports beside each other that nobody listens at: the program takes both."""
    for _ in range(100):
        with contextlib.suppress(OSError), socket.socket() as one, socket.socket() as two:
            one.bind(("127.0.0.1", 0))
            port = int(one.getsockname()[1])
            two.bind(("127.0.0.1", port + 1))
            return port
    raise AssertionError("no two ports beside each other are free")


def _listening(port: int) -> None:
    until = time.monotonic() + 10
    while time.monotonic() < until:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 0.2):
            return
    raise AssertionError("the software TPM did not come up")


@NEEDS_TPM
def test_a_sealed_key_signs_as_the_same_key_would_after_every_start_of_its_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "table.key"
    with machine(tmp_path / "one", monkeypatch):
        made = seal_key(path, HEAD.origin, SEED)
        assert path.read_text().startswith(SEALED)
        assert SEED.hex() not in path.read_text()
        assert path.stat().st_mode & 0o777 == 0o600
        with pytest.raises(HeadTrouble, match="is there already"):
            seal_key(path, HEAD.origin, SEED)
    with machine(tmp_path / "one", monkeypatch):
        key = read_key(path)
    assert key.sign(HEAD) == made.sign(HEAD) == make_key(tmp_path / "plain.key", HEAD.origin, SEED).sign(HEAD)
    assert key.public(HEAD.origin).signed(made.sign(HEAD))


@NEEDS_TPM
def test_a_copy_of_the_disk_opens_no_key_in_another_machine_and_the_table_plays_on_unsigned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "table.key"
    with machine(tmp_path / "one", monkeypatch):
        seal_key(path, HEAD.origin, SEED)
    config = default_config("wheel")
    config = msgspec.structs.replace(config, table=msgspec.structs.replace(config.table, signing_key=str(path)))
    with machine(tmp_path / "other", monkeypatch):
        with pytest.raises(HeadTrouble, match="another machine's TPM"):
            read_key(path)
        assert key_of(config) is None


def test_a_table_whose_tpm_is_gone_says_so_and_starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "table.key"
    path.write_text(f"{SEALED}tablectl/t1/1+00000000 AAAA AAAA\n")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(HeadTrouble, match="apt install tpm2-tools"):
        read_key(path)
    config = default_config("wheel")
    config = msgspec.structs.replace(config, table=msgspec.structs.replace(config.table, signing_key=str(path)))
    assert key_of(config) is None
