"""The store checked by itself: every chain from its first row, also while the floor takes more."""

from __future__ import annotations

from pathlib import Path

import pytest

from floor import journals
from floor.store import check
from floor.store.check import checked
from floor.store.schema import ROWS
from tests.floor.tables import floor_at, heard, played


def test_a_store_that_grows_while_it_is_checked_is_unbroken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, _ = played("wheel")
    intake, messages = floor_at(tmp_path, path), list(heard(path))
    intake.take(messages[:2])

    def meanwhile(*given: object) -> object:
        intake.take(messages[2:])
        return journals.kept_rows(*given)  # type: ignore[arg-type]

    with monkeypatch.context() as patched:
        patched.setattr(check, "kept_rows", meanwhile)
        (one,) = checked(intake.engine)
    assert (one.rows, one.wrong) == (80, "")
    (one,) = checked(intake.engine)
    assert one.wrong == ""
    with intake.engine.begin() as store:
        store.execute(ROWS.delete().where(ROWS.c.seq == one.rows))
    assert checked(intake.engine)[0].wrong == f"event {one.rows} is missing"
    intake.engine.dispose()
