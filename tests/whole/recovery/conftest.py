"""What tests of power cuts share."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab.needs import C_COMPILER
from lab.proofs.redteam.power import compiled_shim
from tests.needed import needed


@pytest.fixture(scope="session")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file layer that keeps an account, made once."""
    needed(C_COMPILER, "a power cut is shown with a shim in C")
    return compiled_shim(tmp_path_factory.mktemp("shim"))
