"""Terms, approval, notices and moved starts, by each of the three chapters."""

from __future__ import annotations

from floor.hall import acts
from tests.controller.tournament.stated import changed
from tests.floor.hall.halls import AM, COO, DAYS, DESK, ENTROPY, TD, chapters, cites, clock, hall_of


@chapters("2.1", "4.1(a)(i)")
def test_an_event_is_made_from_complete_terms_that_the_named_person_approved(game) -> None:
    at = hall_of(game)
    reference = at.text.replace("terms = {", "# terms = {", 1)
    refused = at.do(acts.LoadTerms(reference), AM)
    assert refused.text.startswith("tournament.terms: not stated")
    assert cites(game, "2.1")[0] in refused.text
    starts = next(line for line in at.text.splitlines() if line.startswith("starts"))
    assert cites(game, "4.1(a)(i)")[0] in at.do(acts.LoadTerms(at.text.replace(starts, "")), AM).text
    at.must(acts.LoadTerms(at.text), acts.NameDirector("TD"), by=AM)
    assert at.do(acts.Approve(at.hall.terms.digest), AM).clauses == cites(game, "2.1")
    assert at.do(acts.Approve("another"), COO).clauses == cites(game, "2.1")
    at.must(acts.Approve(at.hall.terms.digest), by=COO)
    at.must(acts.LoadTerms(at.text + "# a word more\n"), by=AM)
    assert at.hall.state.phase == "documented"
    assert at.hall.state.approved_by == ""


@chapters("2.2(a)", "2.2(b)")
def test_nobody_enters_before_the_terms_are_out_and_the_inspectorate_knows(game) -> None:
    at = hall_of(game).approved()
    assert at.do(acts.Enter("P1"), DESK).clauses == cites(game, "2.2(a)", "2.2(b)")
    at.must(acts.InspectorateTold("inspector on duty"))
    assert at.do(acts.Enter("P1"), DESK).clauses == cites(game, "2.2(a)")
    at.must(acts.TermsAvailable("desk"))
    assert at.do(acts.Enter("P1"), DESK).text == "Entries are not open yet."
    at.must(acts.OpenEntries())
    at.must(acts.Enter("P1"), by=DESK)


@chapters("4.1(b)", "4.1(c)")
def test_a_moved_start_is_the_directors_and_holds_everything_until_the_regulator_was_told(game) -> None:
    at = hall_of(game).seated("P1", "P2", "P3")
    later = f"{DAYS[game]}14:30+11:00"
    assert at.do(acts.MoveStart(later, "announcement"), AM).text == "AM is not the Director."
    assert at.do(acts.MoveStart(later, " ")).clauses == cites(game, "4.1(b)")
    at.at = clock("13:55", DAYS[game])
    at.must(acts.MoveStart(later, "announcement"))
    assert [note.code for note in at.answers[-1].notes] == ["short_notice", "start_moved"]
    at.must(acts.Brief())
    at.at = clock("14:30", DAYS[game])
    assert at.do(acts.StartSession()).clauses == cites(game, "4.1(c)")
    at.must(acts.RegulatorTold())
    at.at = clock("14:29", DAYS[game])
    assert at.do(acts.StartSession()).clauses == cites(game, "4.1(b)")
    at.at = clock("14:30", DAYS[game])
    at.must(acts.StartSession())


@chapters("4.8(c)")
def test_terms_that_change_the_game_are_refused_when_they_are_loaded(game) -> None:
    at = hall_of(game)
    refused = at.do(acts.LoadTerms(at.text.replace("[game]", "[game]\nown_rule = true")), AM)
    assert refused.clauses == cites(game, "4.8(c)")
    assert at.hall.state.phase == "drafted"


@chapters("4.1(a)(ii)", games=("war", "wheel"))
def test_every_amount_that_an_entrant_may_have_to_pay_is_stated(game) -> None:
    at = hall_of(game)
    assert cites(game, "4.1(a)(ii)")[0] in at.do(acts.LoadTerms(at.text.replace(', add_on = "none" }', " }")), AM).text


@chapters("4.1(a)(iv)", games=("war",))
def test_the_place_is_stated(game) -> None:
    assert changed("war", ('place = "Pit 4"\n', ""))
    at = hall_of(game)
    assert at.do(acts.LoadTerms(at.text.replace('place = "Pit 4"\n', "")), AM).clauses == cites(game, "4.1(a)(iv)")


@chapters("4.4(c)", games=("poker",))
def test_terms_with_secret_wagers_are_no_terms_of_poker(game) -> None:
    at = hall_of(game)
    refused = at.do(acts.LoadTerms(at.text.replace("level_minutes = 20", "level_minutes = 20\nsecret = 1")), AM)
    assert cites(game, "4.4(c)")[0] in refused.clauses


@chapters("2.1")
def test_only_one_draw_follows_and_by_the_director_alone(game) -> None:
    at = hall_of(game).seated("P1", "P2", "P3")
    assert not at.do(acts.Draw(ENTROPY), TD).ok
    assert not at.do(acts.Draw(ENTROPY), AM).ok
