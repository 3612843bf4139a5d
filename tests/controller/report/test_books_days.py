"""Random days at a table that may stay open: every line of the float is what truly happened, and they add up."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from controller.core.events import SignShown
from controller.report import Report, report
from controller.report.books import value
from tests.controller.money.play import STOCK
from tests.controller.report.written import DAY, Written

DAYS = 3
OPENING = value(STOCK)


def column(made: Report) -> dict[str, int]:
    lines = made.books.column()
    assert sum(cents for _, cents in lines[:-1]) == lines[-1][1]
    return dict(lines)


def days(play: Written) -> list[Report]:
    return [report(play.rows, day * DAY, (day + 1) * DAY) for day in range(DAYS)]


def test_what_is_missing_at_the_days_end_of_an_open_table_is_a_line_and_goes_back_where_it_is_explained() -> None:
    play = Written()
    play.opened(STOCK)
    play.out(2_500)
    play.time(1)
    play.at = DAY + 1_000
    play.out(100)
    play.time(1)
    play.at = 2 * DAY + 1_000
    play.press("float_explained", 2, reason="both are on the film")
    first, second, third = days(play)
    assert column(first) == {
        "opening float": OPENING, "unexplained when the day ended": -2_500, "won in chips at play": 0,
        "closing float": OPENING - 2_500,
    }  # fmt: skip
    assert column(second) == {
        "opening float": OPENING - 2_500, "unexplained when the day began": 2_500,
        "unexplained when the day ended": -2_600, "won in chips at play": 0, "closing float": OPENING - 2_600,
    }  # fmt: skip
    assert column(third) == {
        "opening float": OPENING - 2_600, "differences explained": -2_600,
        "unexplained when the day began": 2_600,
        "won in chips at play": 0, "closing float": OPENING - 2_600,
    }  # fmt: skip
    assert [made.win for made in (first, second, third)] == [-2_500, -100, 0]
    assert not any(made.beside_settlements for made in (first, second, third))


class Truth:
    """A table whose people remember, day by day, what truly went through the tray."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)
        self.play = Written()
        self.play.opened(STOCK)
        self.went: list[Counter[str]] = [Counter() for _ in range(DAYS)]
        self.day = self.slips = 0
        self.next_tag = 900

    def did(self, what: str, cents: int) -> None:
        self.went[self.day][what] += cents

    def fill(self) -> None:
        tags = range(self.next_tag, self.next_tag + self.draw.randint(1, 5))
        self.next_tag += 5
        self.play.fetch(*tags)
        self.play.press("fill", 2, cents=2_500 * len(tags))
        self.did("fill", 2_500 * len(tags))

    def credit(self) -> None:
        self.play.out(10_000)
        self.play.press("credit", 2, cents=10_000)
        self.did("credit", 10_000)

    def sell(self) -> None:
        self.play.out(500, 500)
        self.play.press("buy_in", player="Ann", cents=1_000)
        self.did("drop", 1_000)

    def sell_wrongly(self) -> None:
        self.play.out(500)
        self.play.press("buy_in", player="Bob", cents=5_000)
        self.play.press("correct_booking", 2, booking=str(self.play.table.money.state.books.last), cents=500,
                        reason="a nought too many")  # fmt: skip
        self.did("drop", 500)

    def steal(self) -> None:
        self.play.out(100)
        self.play.time(1)

    def explain(self) -> None:
        if "float" in self.play.alarms:
            self.play.press("float_explained", 2, reason="it is on the film")

    def lose(self) -> None:
        tag = self.play.bet("p1", "A", 50)
        self.play.result("B")
        self.play.collect("A", tag)
        self.did("play", 5_000)
        self.play.press("place_bets")

    def win(self) -> None:
        tag = self.play.bet("p1", "A", 5)
        self.play.result("A")
        due = self.play.table.money.unpaid(self.play.area("A"))
        paid = self.play.pay("A", *[500] * (due // 500))
        self.play.press("paid")
        self.play.off("A", tag, *paid)
        self.did("play", -due)
        self.play.press("place_bets")

    def close_and_open(self) -> None:
        """Between two rounds; what is missing then was closed with, and the next float begins without it."""
        if self.draw.random() < 0.5:
            self.explain()
        self.play.result("A")
        self.play.press("close", 2)
        self.play.press("open")
        self.play.event(SignShown(9_999 + self.play.seq))
        self.play.press("place_bets")
        assert self.play.life == "open"

    def live(self) -> None:
        acts = (self.fill, self.credit, self.sell, self.sell_wrongly, self.steal, self.explain, self.lose, self.win)
        for self.day in range(DAYS):
            self.play.at = self.day * DAY + DAY // 4
            for _ in range(self.draw.randint(2, 14)):
                self.draw.choice(acts)()
                assert not self.play.refused, self.play.refused
            if self.draw.random() < 0.3:
                self.close_and_open()
            self.play.time(1)


@pytest.mark.parametrize("seed", range(40))
def test_over_random_days_every_line_is_what_truly_happened(seed: int) -> None:
    truth = Truth(seed)
    truth.live()
    last = OPENING
    for made, went in zip(days(truth.play), truth.went, strict=True):
        books, lines = made.books, column(made)
        assert (books.net("fill"), books.net("credit"), made.drop) == (went["fill"], went["credit"], went["drop"])
        assert lines["won in chips at play"] == went["play"] == made.won
        assert lines["opening float"] == last
        opening, last = last, lines["closing float"]
        assert made.win == last - opening - went["fill"] + went["credit"] + went["drop"]
        assert made.beside_settlements == 0
