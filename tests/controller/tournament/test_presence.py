"""A Director's presence has proofs and an end, and a deputy's counts where the document says so."""

from __future__ import annotations

import pytest

from controller.tournament.presence import Presence

HALF_AN_HOUR = 30 * 60_000


@pytest.mark.parametrize("counts", [False, True])
def test_a_deputy_decides_everywhere_and_counts_as_present_where_it_is_said(counts: bool) -> None:
    presence = Presence("TD", ("DEP",), counts)
    presence.shown("DEP", 0, "card")
    assert (presence.decides("DEP"), presence.present(1)) == (True, counts)
    presence.shown("AM", 0, "card")
    assert (presence.decides("AM"), "AM" in presence.proofs) == (False, False)


def test_presence_ends_half_an_hour_after_its_last_proof_or_by_leaving() -> None:
    presence = Presence("TD")
    assert (presence.until(), presence.present(0)) == (0, False)
    presence.shown("TD", 0, "card")
    presence.shown("TD", 1_000, "key")
    assert presence.present(1_000 + HALF_AN_HOUR - 1)
    assert not presence.present(1_000 + HALF_AN_HOUR)
    presence.gone("TD")
    assert not presence.present(2_000)


def test_nobody_decides_where_nobody_is_named() -> None:
    assert not Presence().decides("")
