"""Bundles that are not what they should be: told with the remedy, and the version that is installed plays on."""

from __future__ import annotations

import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest

from lab.bundle import BUILDER, SIGNATURE, BundleTrouble, _pack, sign, write_sums
from lab.needs import GPG
from tests.needed import needed
from tests.whole.pi.installed_machine import Machine


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A keyring of gpg with the house's key and a stranger's."""
    needed(GPG, "nothing was signed")
    home = tmp_path_factory.mktemp("gpg")
    home.chmod(0o700)
    for who in ("builder@house.invalid", "stranger@elsewhere.invalid"):
        make = ["gpg", "--batch", "--homedir", str(home), "--passphrase", "", "--quick-generate-key", who, "ed25519"]
        subprocess.run(make, capture_output=True, timeout=120, check=True)
    return str(home)


@pytest.fixture
def pi(tmp_path: Path, house: str) -> Machine:
    """A table that runs version 2.0 of the house's builder."""
    machine = Machine(tmp_path / "pi")
    made = machine.bundle("2.0")
    sign(made, "builder@house.invalid", house)
    done = machine.run(made)
    assert done.returncode == 0, done.stderr
    assert (machine.root / "etc" / "tablectl" / BUILDER).read_bytes() == (made / BUILDER).read_bytes()
    machine.asked()
    return machine


def refused(pi: Machine, made: Path, *options: str) -> str:
    """What the installer says to it; nothing has changed, and nobody was asked to restart."""
    before = pi.contents()
    done = pi.run(made, *options)
    assert done.returncode == 1, done.stdout
    assert pi.contents() == before
    assert pi.asked() == []
    assert len(done.stderr.splitlines()) == 2, "what, and what to do"
    return done.stderr


def test_a_bundle_that_nobody_signed_is_refused(pi: Machine) -> None:
    made = pi.bundle("3.0")
    assert "this bundle is not signed, and this table takes only those" in refused(pi, made)
    assert pi.run(made, "--unproved").returncode == 0
    assert pi.current == "3.0"


def test_a_bundle_that_a_stranger_signed_is_refused(pi: Machine, house: str) -> None:
    made = pi.bundle("3.0")
    sign(made, "stranger@elsewhere.invalid", house)
    assert "this bundle is not signed by the key in" in refused(pi, made)


def test_a_bundle_that_was_changed_after_it_was_signed_is_refused(pi: Machine, house: str) -> None:
    made = pi.bundle("3.0")
    sign(made, "builder@house.invalid", house)
    (made / "share" / "launch").write_text("#!/bin/sh\n")
    write_sums(made)  # as whoever changes it does
    assert "not signed by the key in" in refused(pi, made)
    sign(made, "builder@house.invalid", house)
    (made / "share" / "planted.timer").write_text("[Timer]\n")
    assert "holds what its check sums do not name: share/planted.timer" in refused(pi, made)


def test_the_builders_next_bundle_is_taken(pi: Machine, house: str) -> None:
    made = pi.bundle("3.0")
    sign(made, "builder@house.invalid", house)
    done = pi.run(made)
    assert done.returncode == 0, done.stderr
    assert pi.current == "3.0"


def test_an_older_bundle_is_refused_unless_it_is_meant(pi: Machine, house: str) -> None:
    made = pi.bundle("1.9")
    sign(made, "builder@house.invalid", house)
    assert "version 1.9 is older than 2.0, which is installed" in refused(pi, made)
    assert pi.run(made, "--older").returncode == 0
    assert pi.current == "1.9"


@pytest.mark.parametrize("share", [0.2, 0.6, 0.9, 0.99])
def test_a_bundle_that_was_cut_short_is_refused_as_far_as_it_was_unpacked(
    pi: Machine, house: str, tmp_path: Path, share: float
) -> None:
    made = pi.bundle("3.0")
    (pip,) = (made / "wheels").glob("pip-*")
    pip.unlink()
    pip.write_bytes(b"stands for pip, in one file")
    sign(made, "builder@house.invalid", house)
    _pack(made, tmp_path / "whole.tar.gz")
    octets = (tmp_path / "whole.tar.gz").read_bytes()
    (tmp_path / "cut.tar.gz").write_bytes(octets[: int(len(octets) * share)])
    (tmp_path / "out").mkdir()
    unpacked = subprocess.run(["tar", "-xzf", tmp_path / "cut.tar.gz", "-C", tmp_path / "out"], capture_output=True)
    assert unpacked.returncode != 0, "tar says so already"
    with pytest.raises((tarfile.ReadError, EOFError)), tarfile.open(tmp_path / "cut.tar.gz") as archive:
        archive.getmembers()
    if (tmp_path / "out" / made.name / "install.sh").exists():
        said = refused(pi, tmp_path / "out" / made.name)
        assert "not a whole bundle" in said or "damaged" in said


def test_a_key_that_is_not_there_signs_nothing(pi: Machine, house: str) -> None:
    made = pi.bundle("3.0")
    with pytest.raises(BundleTrouble, match="nothing can be signed"):
        sign(made, "nobody@house.invalid", house)
    assert not (made / SIGNATURE).exists()
    shutil.rmtree(made)
