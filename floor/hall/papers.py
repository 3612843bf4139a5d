"""Terms, approval, notices and the Director: everything that must be on record before and beside play."""

from __future__ import annotations

from typing import TYPE_CHECKING

from controller.config.tomlread import ConfigError
from controller.tournament.checks import BadTerms, terms_of
from controller.tournament.moments import moment
from floor.hall import acts
from floor.hall.state import By, MovedStart

if TYPE_CHECKING:
    from floor.hall.hall import Hall

MINUTE_MS = 60_000


def take_terms(hall: Hall, act: acts.LoadTerms, by: By) -> None:
    """Terms, or a new version of them: approval and notices lapse with the digest (T-59)."""
    try:
        terms = terms_of(act.text)
    except BadTerms as bad:
        clauses = tuple(dict.fromkeys(clause for finding in bad.findings for clause in finding.clauses))
        hall.refuse(str(bad), clauses=clauses)
    except ConfigError as wrong:
        hall.refuse(str(wrong))
    state = hall.state
    if state.terms is not None and terms.rulebook != state.terms.rulebook:
        hall.refuse(f"This event is played by {state.terms.rulebook}, and these terms are for {terms.rulebook}.", "2.1")
    if state.terms is not None and terms.digest == state.terms.digest:
        hall.refuse("These are the terms that are loaded already.", "2.1")
    if state.terms is not None:
        state.regulator_due = "the terms were changed"
    state.terms, state.starts, state.released_by = terms, terms.tournament.starts, by.id
    state.approved_by, state.available_at, state.inspectorate_at = "", 0, 0
    hall.note(
        "terms_loaded", f"terms {terms.tournament.terms.reference} version {terms.tournament.terms.version}", "2.1"
    )


def take_approval(hall: Hall, act: acts.Approve, by: By) -> None:
    if act.digest != hall.terms.digest:
        hall.refuse(f"What was approved is {act.digest[:12]}, and loaded is {hall.terms.digest[:12]}.", "2.1")
    hall.state.approved_by = by.id
    hall.note("terms_approved", f"approved by {by.id} ({hall.terms.tournament.approved.by})", "2.1")


def take_director(hall: Hall, act: acts.NameDirector, by: By) -> None:
    hall.state.director = act.person
    hall.note("director", f"{act.person} is the Director, named by {by.id}", "2.3")


def take_deputy(hall: Hall, act: acts.EnrolDeputy, by: By) -> None:
    if by.id != hall.state.director:
        hall.refuse("Deputies are enrolled by the Director alone.", "2.3(a)")
    hall.state.deputies = tuple(dict.fromkeys((*hall.state.deputies, act.person)))
    hall.note("deputy", f"{act.person} is a deputy of {by.id}", "2.3(a)")


def note_seen(hall: Hall, act: acts.Seen, by: By) -> None:
    """The proof itself is kept with every act of theirs; tables are told."""
    for name in hall.playing_tables():
        hall.order(name, "tournament_presence", who=by.id)


def inspectorate_knows(hall: Hall, act: acts.Act, by: By) -> bool:
    return bool(hall.state.inspectorate_at)


def terms_are_out(hall: Hall, act: acts.Act, by: By) -> bool:
    return bool(hall.state.available_at)


def note_available(hall: Hall, act: acts.TermsAvailable, by: By) -> None:
    hall.state.available_at = hall.at
    hall.note("terms_available", f"terms made available: {act.how}", "2.2(a)")


def note_inspectorate(hall: Hall, act: acts.InspectorateTold, by: By) -> None:
    hall.state.inspectorate_at = hall.at
    hall.note("inspectorate_told", f"{by.id} told {act.whom}", "2.2(b)")


def note_moved_start(hall: Hall, act: acts.MoveStart, by: By) -> None:
    """The Director may, with notice; it is held until the regulator was told (T-35)."""
    try:
        new = moment(act.to)
    except ValueError:
        hall.refuse(f"'{act.to}' is no time with its zone, as in 2026-11-28T14:30+11:00.", "4.1(b)")
    if not act.told.strip():
        hall.refuse("Say how the players were told.", "4.1(b)")
    state, was = hall.state, hall.state.starts
    notice = (min(moment(was), new) - hall.at) // MINUTE_MS
    state.moved.append(MovedStart(was, act.to, act.told, hall.at))
    state.starts = act.to
    if hall.book.options.regulator_before_moved_start:
        state.regulator_due = "the start was moved"
        hall.say("held until the regulator is told")
    if notice < hall.book.options.start_notice_minutes:
        hall.note("short_notice", f"players had {max(notice, 0)} minutes", "4.1(b)")
    hall.note("start_moved", f"{was} to {act.to}, players told by {act.told} and signs", "4.1(b)")


def note_regulator(hall: Hall, act: acts.RegulatorTold, by: By) -> None:
    state = hall.state
    for moved in state.moved:
        moved.regulator_at = moved.regulator_at or hall.at
    what, state.regulator_due = state.regulator_due or "as asked", ""
    hall.note("regulator_told", f"regulator told by {by.id}: {what}", "4.1(c)")


def note_suspended(hall: Hall, act: acts.Suspend, by: By) -> None:
    hall.note("suspended", act.why, "4.1(b)")


def before_play(hall: Hall, act: acts.Act, by: By) -> bool:
    return not in_play(hall, act, by)


def in_play(hall: Hall, act: acts.Act, by: By) -> bool:
    """Whether a session has been started: from then on an event is abandoned and not cancelled."""
    return any(one.started_at for one in hall.state.sessions)
