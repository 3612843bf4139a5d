"""Whether what terms say of stakes holds together: limits, compulsory wagers, blinds and breaks, secrets, markers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from controller.tournament.book import Book
from controller.tournament.required import Finding
from controller.tournament.schedule import not_before
from controller.tournament.terms import Terms


def wagers(terms: Terms, book: Book) -> Iterator[Finding]:
    """Everything under [wagers], each thing by a check of its own."""
    for check in (_limits, _in_chips, _compulsory, _blinds, _breaks, _secrets, _markers):
        yield from check(terms, book)


def _limits(terms: Terms, book: Book) -> Iterator[Finding]:
    stakes, least = terms.wagers, book.clauses("4.4(b)")
    if book.levels and not stakes.levels:
        yield Finding("wagers.levels", "no levels are stated", least, "write levels = [[small, big], …]")
    if not book.levels and not stakes.minimum and not stakes.compulsory:
        yield Finding("wagers", "no minimum and no compulsory wager are stated", least, "add minimum = …")
    if stakes.maximum and stakes.minimum > stakes.maximum:
        yield Finding("wagers.minimum", f"{stakes.minimum} is above the maximum of {stakes.maximum}", least)
    if stakes.minimum > terms.bank.units:
        yield Finding("wagers.minimum", f"{stakes.minimum} is above the bank of {terms.bank.units}", least)


def _in_chips(terms: Terms, book: Book) -> Iterator[Finding]:
    """Nobody can stake what no chips of the set make."""
    stakes, chip = terms.wagers, terms.bank.chips.smallest
    said = [("minimum", stakes.minimum), ("maximum", stakes.maximum)]
    said += [(f"compulsory.{number}", step.units) for number, step in enumerate(stakes.compulsory, 1)]
    said += [(f"levels.{number}", amount) for number, level in enumerate(stakes.levels, 1)
             for amount in (level.small, level.big)]  # fmt: skip
    for where, units in said:
        if chip and units % chip:
            yield Finding(f"wagers.{where}", f"{units} cannot be made of chips of {chip}", book.clauses("4.4(b)"))


def _compulsory(terms: Terms, book: Book) -> Iterator[Finding]:
    """Never below what the table takes, never above what it takes or anybody has, and never falling."""
    stakes, least = terms.wagers, book.clauses("4.4(b)")
    if book.levels and stakes.compulsory:
        yield Finding("wagers.compulsory", "blinds are what must be staked in this game", least, "write levels")
    for number, step in enumerate(stakes.compulsory, 1):
        at = f"wagers.compulsory.{number}"
        if step.units < max(stakes.minimum, 1):
            yield Finding(at, f"{step.units} is below the minimum of {max(stakes.minimum, 1)}", least,
                          "raise it, or leave it out")  # fmt: skip
        if stakes.maximum and step.units > stakes.maximum:
            yield Finding(at, f"{step.units} is above the maximum of {stakes.maximum}", least)
        if number == 1 and step.units > terms.bank.units:
            yield Finding(at, f"{step.units} is above the bank of {terms.bank.units}", least)
        if step.not_before and not _is_time(terms, number - 1):
            yield Finding(f"{at}.not_before", f"'{step.not_before}' is no time", least, "write 14:20, or a whole time")
    for sooner, later in pairwise(stakes.compulsory):
        if later.from_ <= sooner.from_:
            yield Finding("wagers.compulsory", "its steps are not in order", least, "write the earlier round first")
        elif later.units <= sooner.units:
            yield Finding("wagers.compulsory", "a step does not rise", least, "write what each adds, or leave it out")


def _is_time(terms: Terms, number: int) -> bool:
    try:
        not_before(terms.wagers.compulsory[number], 0, 0, terms.tournament.starts)
    except ValueError:
        return False
    return True


def _blinds(terms: Terms, book: Book) -> Iterator[Finding]:
    levels, least = terms.wagers.levels, book.clauses("4.4(b)")
    if levels and not book.levels:
        yield Finding("wagers.levels", "this game has no blinds", book.clauses("4.8(c)"), "write compulsory wagers")
    for number, level in enumerate(levels, 1):
        if not level.big or level.small > level.big:
            text = f"a small blind of {level.small} and a big one of {level.big}"
            yield Finding(f"wagers.levels.{number}", text, least, "write [small, big], the smaller first")
    if any(later.big < sooner.big for sooner, later in pairwise(levels)):
        yield Finding("wagers.levels", "a level is below the one before it", least, "write the lower blinds first")


def _breaks(terms: Terms, book: Book) -> Iterator[Finding]:
    levels = terms.wagers.levels
    after = [rest.after for rest in terms.wagers.breaks]
    if after and not levels:
        yield Finding("wagers.breaks", "breaks come after levels, and there are none", book.clauses("4.3(a)(i)"),
                      "leave them out; the Director pauses")  # fmt: skip
        return
    for number, level in enumerate(after, 1):
        if level >= len(levels):
            text = f"no level comes after level {level}"
            yield Finding(f"wagers.breaks.{number}", text, book.clauses("4.3(a)(i)"), "name an earlier one")
    if len(set(after)) < len(after):
        yield Finding("wagers.breaks", "two come after the same level", book.clauses("4.3(a)(i)"), "make them one")


def _secrets(terms: Terms, book: Book) -> Iterator[Finding]:
    secret = terms.wagers.secret
    if secret is not None and secret.each and not book.options.secret:
        yield Finding("wagers.secret", f"secret {secret.each}: wagers are made in turn and in full view",
                      book.secret_clauses, "leave it out", "T-22")  # fmt: skip


def _markers(terms: Terms, book: Book) -> Iterator[Finding]:
    markers = terms.wagers.markers
    if markers is not None and not book.markers:
        yield Finding("wagers.markers", "this chapter has no markers", book.clauses("4.8(c)"), "leave them out")
    if markers is None or markers.rebuy is None:
        return
    if markers.rebuy.units != terms.bank.units:
        yield Finding("wagers.markers.rebuy.units", f"a re-buy brings the stated bank of {terms.bank.units}",
                      book.clauses("4.3(b)"), "one number for all", "T-15")  # fmt: skip
    if markers.rebuy.at == "below_compulsory" and not terms.wagers.compulsory:
        yield Finding("wagers.markers.rebuy.at", "no compulsory wager is stated", book.clauses("4.4(f)"),
                      'state wagers.compulsory, or write at = "zero"')  # fmt: skip
