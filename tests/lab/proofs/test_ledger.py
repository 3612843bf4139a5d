"""The books of three days against a ledger of hands, and that the ledger would notice."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from click.testing import CliRunner

from controller.commands import main
from controller.journal.file import JournalFile
from controller.report import report
from controller.report.days import Span, gaming_day
from lab.proofs.ledger import Ledger
from lab.proofs.ledger_days import DAYS, FIRST, STARTS, ZONE
from lab.proofs.ledger_held import HOUSES, Held, differences, prove


class Mat:
    """Somewhere to lay chips."""

    def __init__(self, *tray: int) -> None:
        self.tray = set(tray)

    def lying(self, area: int) -> set[int]:
        return self.tray

    def place(self, tags: Iterable[int], area: int) -> None: ...

    def remove(self, tags: Iterable[int]) -> None: ...


def test_a_chip_that_a_dealer_carries_is_paid_or_taken_and_one_that_stays_away_has_left() -> None:
    mat, now = Mat(1, 2), [0]
    ledger = Ledger(mat, dict.fromkeys((1, 2, 3), 500), lambda: now[0])
    mat.place([3], 4)
    for at, tags, area in ((1000, [1], None), (3000, [1], 4), (4000, [3], None), (5000, [3], 0), (6000, [2], None),
                           (60_000, [2], 4)):  # fmt: skip
        now[0] = at
        mat.remove(tags) if area is None else mat.place(tags, area)
    account = ledger.account(0, 100_000)
    assert (account.paid, account.collected, account.came, account.left) == (500, 500, 0, 500)


def test_a_ledger_of_hands_tells_play_from_what_comes_and_goes() -> None:
    mat, now = Mat(1, 2), [0]
    ledger = Ledger(mat, {1: 500, 2: 500, 3: 2500, 4: 2500}, lambda: now[0])
    mat.place([3], 5)
    mat.place([3], 0)
    mat.place([1], 5)
    mat.remove([1])
    now[0] = 10
    mat.place([4, 9], 0)
    mat.remove([2])
    ledger.wrote("buy_in", 500)
    first, second = ledger.account(0, 10), ledger.account(10, 20)
    assert (first.opening, first.closing) == ({500: 2}, {2500: 1, 500: 1})
    assert (first.won, first.came, first.left) == (2000, 0, 0)
    assert (second.opening, second.closing) == ({2500: 1, 500: 1}, {2500: 2})
    assert (second.won, second.came, second.left, second.credits, second.drop) == (0, 2500, 500, 0, 500)
    assert second.win == 5000 - 3000 - 2500 + 500


class Played:
    """Three short days, played once."""

    def __init__(self, path: Path, game: str) -> None:
        self.house = HOUSES[game](path, 1, game.removeprefix("stand-alone "))
        self.house.play(40.0)
        self.file = JournalFile.read_only(path)

    def span(self, number: int) -> Span:
        return gaming_day(FIRST + timedelta(days=number), STARTS, ZoneInfo(ZONE))


@pytest.fixture(scope="module", params=HOUSES)
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Played:
    return Played(tmp_path_factory.mktemp("ledger") / "t.db", request.param)


def test_both_ledgers_agree_over_three_days_with_restarts_corrections_colours_and_nights(played: Played) -> None:
    for number in range(DAYS):
        span = played.span(number)
        made = report(played.file, *span)
        assert differences(played.house.ledger.account(*span), made) == []
        assert made.rounds > 5
        assert made.books.gross("buy_in") != made.books.net("buy_in")
        assert made.books.net("explained") == -2500
        assert made.books.colour_cash == (10_000 if played.house.has_colours else 0)
    assert (played.house.kills, played.house.restarts) == (DAYS, DAYS)
    assert played.house.acts["close_and_open"] == 1


def test_every_method_of_commission_side_wagers_and_players_chips_are_in_both_ledgers(played: Played) -> None:
    days = [report(played.file, *played.span(number)).books for number in range(DAYS)]
    of_players = [(day.rake, day.fees, day.side_wagers, day.brought, day.carried_off) for day in days]
    if played.house.game != "poker":
        assert not any(map(any, of_players))
        return
    assert all(map(all, of_players))
    span = played.span(1)
    for field in ("boxed", "lifted"):
        account = played.house.ledger.account(*span)
        setattr(account, field, getattr(account, field) + 100)
        assert differences(account, report(played.file, *span)) != []


def test_chips_of_a_slide_go_to_the_box_and_what_players_lay_and_lift_is_theirs() -> None:
    mat = Mat(1)
    ledger = Ledger(mat, dict.fromkeys((1, 2, 3), 500), lambda: 0, slide=9)
    ledger.wrote("brought", 1500)
    mat.place([2, 3], 4)
    mat.place([2], 9)
    mat.remove([2, 3])
    account = ledger.account(0, 1)
    assert (account.boxed, account.laid, account.lifted, account.players_gained, account.win) == (
        500,
        1000,
        500,
        1000,
        500,
    )


@pytest.mark.parametrize("what", ["a chip", "a slip"])
def test_a_chip_or_a_slip_that_the_books_do_not_know_is_noticed(played: Played, what: str) -> None:
    span = played.span(1)
    made, account = report(played.file, *span), played.house.ledger.account(*span)
    if what == "a chip":
        account.collected += 100
    else:
        account.slips["buy_in"] += 100
    assert differences(account, made) != []


def test_the_command_says_what_it_held(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    held = Held(1, [], 1, 1, 0, 0, {})
    monkeypatch.setattr("lab.proofs.ledger_held.prove", lambda *args, **more: held)
    done = CliRunner().invoke(main, ["ledger", "--json"])
    assert (done.exit_code, json.loads(done.stdout)["ok"]) == (0, True)
    (tmp_path / "t.db").write_text("")
    assert CliRunner().invoke(main, ["ledger", "--journal", str(tmp_path / "t.db")]).exit_code == 2
    assert callable(prove)
