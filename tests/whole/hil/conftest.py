"""The reference program, compiled once for all tests on benches."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.reference import build_program


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_program(tmp_path_factory.mktemp("reference"))
