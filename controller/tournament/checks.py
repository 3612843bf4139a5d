"""Whether terms will do: every sentence ticked, nothing against the rulebook, and all that is wrong told at once."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

import msgspec

from controller.config.tomlread import ConfigError, Document, nearest
from controller.rules.rulebook import rulebook_ids
from controller.tournament.book import NO_CHAPTER, Book, has_chapter, load_book, rule_at
from controller.tournament.moments import moment
from controller.tournament.required import Finding, gaps_of
from controller.tournament.stakes import wagers
from controller.tournament.terms import Lowest, Terms, Through, digest_of, typed


class BadTerms(Exception):
    """Terms that no event may be made from, with everything that is wrong about them."""

    def __init__(self, findings: tuple[Finding, ...]) -> None:
        super().__init__("\n".join(finding.said() for finding in findings))
        self.findings = findings


def terms_of(text: str, name: str = "terms") -> Terms:
    """The terms that this text states, checked."""
    document = Document(name, text)
    stated = document.values
    rulebook = _rulebook(document, stated)
    if not has_chapter(rulebook):
        raise BadTerms((Finding("tournament", NO_CHAPTER, (), "", "T-56"),))
    book = load_book(rulebook)
    gaps, filled = gaps_of(stated, book)
    terms = typed(document, filled, digest_of(text))
    missing = tuple(gap.about for gap in gaps)
    others = (found for found in against(terms, book) if not found.about.startswith(missing))
    if findings := (*gaps, *others):
        raise BadTerms(findings)
    return terms


def _rulebook(document: Document, values: Mapping[str, Any]) -> str:
    details = values.get("tournament")
    rulebook = details.get("rulebook") if isinstance(details, dict) else None
    if not isinstance(rulebook, str):
        raise ConfigError(f'{document.name}:1: no rulebook is named; add rulebook = "…" to [tournament]')
    if rulebook not in rulebook_ids():
        known = list(rulebook_ids())
        raise document.error(("tournament", "rulebook"), f"no rulebook '{rulebook}'", nearest(rulebook, known))
    return rulebook


# -- what may not be said so -----------------------------------------------------------------------------------------


def against(terms: Terms, book: Book) -> Iterator[Finding]:
    """Everything in complete terms that the chapter or the game's rules do not allow."""
    for check in (words, statements, details, chips, wagers, sessions, ways_back, conduct, result, the_game):
        yield from check(terms, book)


def words(terms: Terms, book: Book) -> Iterator[Finding]:
    """Nothing that no page, paper or record can bear, wherever it stands."""
    for where, text in _texts(msgspec.to_builtins(terms)):
        if odd := next((one for one in text if not one.isprintable()), ""):
            said = f"it holds {odd!r}, which no page or paper can show"
            yield Finding(where, said, book.clauses("2.1"), "leave it out")
        elif len(text) > LONGEST:
            yield Finding(where, f"it has {len(text)} letters", book.clauses("2.1"), f"write at most {LONGEST}")
    for number, session in enumerate(terms.sessions, 1):
        for table in session.tables:
            if not _NAME.fullmatch(table):
                yield Finding(f"sessions.{number}.tables", f"'{table}' cannot name a table", book.clauses("4.3(a)(ii)"),
                              "write letters, digits, dots and dashes, at most 64")  # fmt: skip


def _texts(value: Any, where: str = "") -> Iterator[tuple[str, str]]:
    """Each text of the terms with its place."""
    if isinstance(value, str):
        yield where, value
    pairs = value.items() if isinstance(value, dict) else enumerate(value, 1) if isinstance(value, list) else ()
    for key, one in pairs:
        yield from _texts(one, f"{where}.{key}" if where else str(key))


def statements(terms: Terms, book: Book) -> Iterator[Finding]:
    """Every sentence that the filed terms contain is ticked."""
    for name, statement in book.statements.items():
        if statement.events and terms.tournament.event not in statement.events:
            continue
        ticked = terms.statements.get(name)
        if ticked is None or not (ticked or statement.may_be_false):
            text = f"the terms do not say: {statement.says}"
            yield Finding(f"statements.{name}", text, (statement.clause,), f"add the sentence, then {name} = true")
    for name in terms.statements.keys() - book.statements.keys():
        yield Finding(f"statements.{name}", "no such sentence", (), nearest(name, sorted(book.statements)))


_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
"""What names an event or a table in records, files and addresses."""
LONGEST = 2000


def details(terms: Terms, book: Book) -> Iterator[Finding]:
    """A name that records can bear, times that are times, and a field that can be seated."""
    event = terms.tournament
    if not _NAME.fullmatch(event.id):
        text = f"'{event.id}' cannot name an event in records"
        yield Finding("tournament.id", text, book.clauses("2.1"), "write letters, digits, dots and dashes, at most 64")
    for name, text in (("starts", event.starts), ("approved.at", event.approved.at)):
        if text and _time(text) is None:
            yield Finding(
                f"tournament.{name}", f"'{text}' is no time", book.clauses("4.1(a)(i)"), "write 2026-11-28T14:00+11:00"
            )
    begins = _time(event.starts)
    for name in ("free_until", "substitute_until"):
        until = getattr(event.withdraw, name)
        at = _time(until)
        if at is None and until not in ("draw", "start", "none"):
            remedy = 'write a time with its zone, "draw", "start" or "none"'
            yield Finding(f"tournament.withdraw.{name}", f"'{until}' is no time", book.clauses("4.2(d)"), remedy)
        if at is not None and begins is not None and at > begins:
            yield Finding(
                f"tournament.withdraw.{name}", "it is after the start", book.clauses("4.2(d)"), "name an earlier time"
            )
    if len(event.entrants) != 2 or not 2 <= event.least <= event.most:
        yield Finding("tournament.entrants", "the least must be two or more and not above the most",
                      book.clauses("4.1(a)(iii)"), "write [least, most]")  # fmt: skip
    elif terms.sessions and (room := _room(terms, book, 0)) < event.most:
        yield Finding("tournament.entrants", f"the first session seats {room}, and up to {event.most} may enter",
                      book.clauses("4.3(a)(ii)"), "name more tables or fewer entrants")  # fmt: skip


def _time(text: str) -> int | None:
    try:
        return moment(text)
    except ValueError:
        return None


def _room(terms: Terms, book: Book, number: int) -> int:
    session = terms.sessions[number]
    return len(session.tables) * (session.seats or book.seats(terms.game))


def chips(terms: Terms, book: Book) -> Iterator[Finding]:
    """Chips that may be played with, that make the bank, and that may go where the sessions send them."""
    bank = terms.bank
    kind = bank.chips.kind
    if kind not in book.chips and not (kind == "cash" and book.options.cash_chips):
        reading = "T-1" if kind == "cash" else "T-3"
        named = book.chip_clauses.get(kind, book.clauses("4.4(a)"))
        yield Finding(
            "bank.chips.kind", f"{kind} chips are not played with", named, "name a tournament's own set", reading
        )
    if kind == "tournament" and (not bank.chips.values or not bank.chips.set):
        yield Finding(
            "bank.chips", "the set and its values are not named", book.clauses("4.4(a)"), "add set and values"
        )
    smallest = bank.chips.smallest
    if smallest and bank.units % smallest:
        yield Finding("bank.units", f"{bank.units} cannot be made of chips of {smallest}", book.clauses("4.3(b)"))
    if kind == "colour" and not bank.chips.unit:
        yield Finding(
            "bank.chips.unit", "colour chips need one declared value for all", book.clauses("4.4(a)"), "add unit", "T-3"
        )
    for number, session in enumerate(terms.sessions, 1):
        if session.bank == "carried" and kind == "colour":
            text = f"session {number} carries a bank, and colour chips do not leave the table that issued them"
            named = book.chip_clauses["carried_colour"]
            yield Finding(
                f"sessions.{number}.bank", text, named, "give a fresh bank, or play with tournament chips", "T-3"
            )


def sessions(terms: Terms, book: Book) -> Iterator[Finding]:
    """Each ends, names its tables once, and sends on as many as the next can seat; the last finds the winner."""
    for number, session in enumerate(terms.sessions, 1):
        at = f"sessions.{number}"
        if sum(map(bool, (session.rounds, session.minutes, session.until))) != 1:
            yield Finding(at, "it needs one length: rounds, minutes or until", book.clauses("4.3(a)(i)"))
        if session.name in [other.name for other in terms.sessions[: number - 1]]:
            yield Finding(f"{at}.name", f"a session '{session.name}' stands above", book.clauses("4.3(a)(i)"),
                          "give each a name of its own")  # fmt: skip
        if session.until and terms.result.eliminated == "none":
            yield Finding(f"{at}.until", "nobody is ever out, so that it would never end", book.clauses("4.3(a)(i)"),
                          "name rounds or minutes, or who is eliminated")  # fmt: skip
        if session.rounds and session.last_rounds > session.rounds:
            yield Finding(f"{at}.last_rounds", f"it has {session.rounds} rounds in all", book.clauses("4.3(a)(i)"))
        yield from _goes_on(session.through, at, book)
        if len(set(session.tables)) != len(session.tables):
            yield Finding(f"{at}.tables", "a table is named twice", book.clauses("4.3(a)(ii)"))
        if session.seats > book.seats(terms.game):
            yield Finding(f"{at}.seats", f"a table of this game seats {book.seats(terms.game)}", book.clauses("4.8(c)"))
        if number == 1 and session.bank == "carried":
            yield Finding(
                f"{at}.bank", "the first session has nothing to carry", book.clauses("4.3(b)"), 'write "fresh"'
            )
    for number, (before, _) in enumerate(pairwise(terms.sessions), 1):
        on = before.through.per_table * len(before.tables) or before.through.overall
        if before.through.winner:
            yield Finding(
                f"sessions.{number}.through", "nobody goes on, yet a session follows", book.clauses("4.3(a)(iii)")
            )
        elif (room := _room(terms, book, number)) < on:
            yield Finding(f"sessions.{number}.through", f"{on} go on, and the next session seats {room}",
                          book.clauses("4.3(a)(iii)"), "name more tables, or let fewer go on")  # fmt: skip
    if terms.sessions and not terms.sessions[-1].through.winner and terms.sessions[-1].until != "one_left":
        yield Finding(f"sessions.{len(terms.sessions)}.through", "the last session must find the winner",
                      book.clauses("4.6(a)"), 'write through = "winner"')  # fmt: skip


def _goes_on(through: Through, at: str, book: Book) -> Iterator[Finding]:
    ways = (through.per_table, through.overall, through.survivors, through.winner)
    if sum(map(bool, ways)) != 1:
        remedy = 'write one of { per_table = N }, { overall = N }, "survivors" and "winner"'
        yield Finding(f"{at}.through", "it needs one rule of who goes on", book.clauses("4.3(a)(iii)"), remedy)


def ways_back(terms: Terms, book: Book) -> Iterator[Finding]:
    """What can be bought again is stated in dollars and in units, and one number for all."""
    money, again = terms.tournament.money, terms.again
    for name, price, offered in (("rebuy", money.rebuy, again.rebuy), ("add_on", money.add_on, again.add_on)):
        if bool(price) != (offered is not None):
            text = "priced, but not offered" if price else "offered, but no price is stated"
            yield Finding(
                f"again.{name}", text, book.clauses("4.1(a)(ii)"), f"state both money.{name} and again.{name}"
            )
    for name, units in (
        ("rebuy", again.rebuy and again.rebuy.units),
        ("buy_back", again.buy_back and again.buy_back.units),
    ):
        if units is not None and units != terms.bank.units:
            text = f"it brings the stated bank of {terms.bank.units}"
            yield Finding(f"again.{name}.units", text, book.clauses("4.3(b)"), "one number for all", "T-15")
    if again.add_on is not None and again.add_on.at not in {
        f"break after level {rest.after}" for rest in terms.wagers.breaks
    }:
        text = f"no break is stated that is the {again.add_on.at}" if terms.wagers.breaks else "no break is stated"
        yield Finding("again.add_on.at", text, book.clauses("4.1(a)(ii)"),
                      'write at = "break after level N" and that break')  # fmt: skip
    if again.rebuy is not None and again.rebuy.until_level > len(terms.wagers.levels):
        text = f"there are {len(terms.wagers.levels)} levels"
        yield Finding("again.rebuy.until_level", text, book.clauses("4.3(a)(iv)"), "name one of them, or 0 for always")


_PENALTIES = ("warning", "miss_round", "one_orbit", "nothing")


def conduct(terms: Terms, book: Book) -> Iterator[Finding]:
    """Penalties that can be carried out, and consequences that are among them."""
    listed = terms.conduct.penalties
    for number, penalty in enumerate(listed, 1):
        if penalty not in _PENALTIES and not terms.penalty_units(penalty):
            yield Finding(f"conduct.penalties.{number}", f"'{penalty}' is no penalty that can be carried out",
                          book.clauses("4.8(a)(i)"), "write warning, miss_round, one_orbit or lose N")  # fmt: skip
    phone = terms.conduct.phone.replace("_", " ")
    if phone not in {one.replace("_", " ") for one in (*listed, *_PENALTIES)}:
        yield Finding(
            "conduct.phone", f"'{terms.conduct.phone}' is not among the penalties", book.clauses("4.8(b)(iii)")
        )
    blinded = ("blinded", "dealt_out_blinds_taken")
    for name, clause in (("late", "4.8(b)(i)"), ("absent", "4.8(b)(ii)")):
        if getattr(terms.conduct, name) in blinded and not terms.wagers.levels:
            yield Finding(f"conduct.{name}", "there are no blinds in this game", book.clauses(clause))


def result(terms: Terms, book: Book) -> Iterator[Finding]:
    """Ties that decide what they must, and a pool that is given away whole."""
    outcome = terms.result
    if outcome.ties.how == "play_off" and not outcome.ties.rounds:
        yield Finding(
            "result.ties.rounds", "the length of a play-off is not stated", book.clauses("4.6(a)"), "add rounds", "T-31"
        )
    goes_on = any(session.through.per_table or session.through.overall for session in terms.sessions)
    if outcome.ties.how == "share" and goes_on and len(terms.sessions) > 1:
        yield Finding("result.ties", "sharing decides prizes, not who goes on", book.clauses("4.6(a)"),
                      "name a play-off, the earlier bank or a draw of cards", "T-31")  # fmt: skip
    compulsory = any(step.units for step in terms.wagers.compulsory)
    if outcome.eliminated == "below_compulsory" and not compulsory:
        yield Finding("result.eliminated", "no compulsory wager is stated that a bank could be below",
                      book.clauses("4.5(a)"), 'state wagers.compulsory, or write "stack_zero"')  # fmt: skip
    if book.levels and outcome.eliminated != "stack_zero":
        yield Finding("result.eliminated", "who has no chips is dealt no cards", book.clauses("4.5(a)"),
                      'write "stack_zero"')  # fmt: skip
    if isinstance(outcome.eliminated, Lowest) and outcome.ties.how == "share":
        yield Finding("result.ties", "sharing decides prizes, not who is out", book.clauses("4.6(a)"),
                      "name a play-off, the earlier bank or a draw of cards", "T-31")  # fmt: skip
    yield from _pool(terms, book)


_PAID = {"entry_fees": ("entry_fee",), "buy_ins": ("buy_in", "rebuy", "add_on"),
         "all_paid": ("entry_fee", "buy_in", "rebuy", "add_on")}  # fmt: skip


def _pool(terms: Terms, book: Book) -> Iterator[Finding]:
    """There is something to be won, and all of it is."""
    prizes, money = terms.result.prizes, terms.tournament.money
    added = any(getattr(money, name) for name in _PAID.get(prizes.made_of, ()))
    if not (prizes.pool or prizes.guarantee or added):
        text = f"nobody pays any {prizes.made_of.replace('_', ' ')}" if prizes.made_of else "there is nothing to be won"
        remedy = "state the pool in dollars, a guarantee, or what it is made of"
        yield Finding("result.prizes.pool", text, book.clauses("4.7(a)"), remedy)
    if sum(prizes.split) != 100:
        yield Finding(
            "result.prizes.split", f"it adds up to {sum(prizes.split)} and not to 100", book.clauses("4.7(b)")
        )
    if len(prizes.split) > terms.tournament.most:
        yield Finding("result.prizes.split", "there are more prizes than entrants", book.clauses("4.7(b)"))
    if not prizes.unit or prizes.pool % prizes.unit or prizes.guarantee % prizes.unit:
        yield Finding("result.prizes.unit", "the pool is no whole number of it", book.clauses("4.7(b)"), "", "T-33")


def the_game(terms: Terms, book: Book) -> Iterator[Finding]:
    """Nothing that the game's own rules fix is changed by terms (n.4.8(c), T-9)."""
    for name, value in terms.game.items():
        rule = book.game.get(name)
        if rule is None:
            what = "the terms say something of the game that its rules know nothing of"
            yield Finding(f"game.{name}", what, book.clauses("4.8(c)"), nearest(name, sorted(book.game)), "T-9")
        elif rule.rule != "any" and value not in (allowed := _allowed(terms.rulebook, rule.rule, rule.values)):
            may = f"it is {', '.join(str(one) for one in allowed)}" if allowed else "leave it out"
            yield Finding(
                f"game.{name}", f"{rule.what} cannot be {_plain(value)}", rule.clauses, may, rule.reading or "T-9"
            )


def _allowed(rulebook: str, rule: str, values: tuple[Any, ...]) -> tuple[Any, ...]:
    if not rule:
        return values
    fixed = rule_at(rulebook, rule)
    return tuple(fixed) if isinstance(fixed, list) else (fixed,)


def _plain(value: Any) -> str:
    return "set by the terms" if isinstance(value, list | dict) else str(value)


# -- tables of one session -------------------------------------------------------------------------------------------


def unequal(terms: Terms, tables: Mapping[str, Mapping[str, Any]]) -> Iterator[Finding]:
    """Tables of one session that are not alike, so that the chance is not equal (n.1, T-47)."""
    book = load_book(terms.rulebook)
    for number, session in enumerate(terms.sessions, 1):
        known = {name: tables[name] for name in session.tables if name in tables}
        for fact in dict.fromkeys(key for facts in known.values() for key in facts):
            said = {name: facts.get(fact) for name, facts in known.items()}
            if len({str(value) for value in said.values()}) > 1:
                first, *others = said.items()
                other = next(pair for pair in others if str(pair[1]) != str(first[1]))
                text = f"session {number}: {first[0]} has {fact} {first[1]}, {other[0]} {fact} {other[1]}"
                yield Finding(
                    f"sessions.{number}.tables", text, book.clauses("1"), "name tables that are alike", "T-47"
                )
