"""Casino War on the whole stack: simulated people and devices, frames, drivers, journal and table."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from controller.commands import main
from controller.commands.journal import records_of
from controller.config.file import require_right
from controller.config.tomlread import ConfigError
from controller.core.guarded import GuardedTable
from controller.core.runtime import recover
from controller.games.war.config import WarSection
from controller.journal.file import JournalFile
from controller.journal.rounds import last_rounds
from controller.rules import clauses
from firmware_specs.cards import DECK
from lab.sim.config import default_config
from simulators.people.war import Habits
from tests.controller.games.war.shift import BOOKS, CARELESS, MISHAPS, Shift


@pytest.mark.parametrize("source", ["shoe", "shuffler"])
@pytest.mark.parametrize("book", BOOKS)
def test_careless_people_and_failing_devices_lose_no_chip_no_card_and_no_clause(
    book: str, source: str, tmp_path: Path
) -> None:
    config = default_config("war", rulebook=book, source=source)
    shift = Shift(config, tmp_path / "t.sqlite", 3, CARELESS)
    device = shift.table.devices.sources[source]
    device.reader.suffer(MISHAPS)
    shift.clock.call_later(30.0, shift.strike, random.Random(5))
    shift.play(40)
    shift.everything_arrives()
    assert shift.went_wrong, "no reading went wrong, so nothing was proved about those"
    # cards in equal cards out: what the source holds, what lies on the table and what waits makes the decks
    inside = device.take_out()
    crew = shift.crew
    cards = Counter(card.rstrip("^") for card in (*inside, *crew._held, *crew._discards) if card != "CUT")
    assert cards == Counter(DECK * config.own(WarSection).decks)
    # chips in equal chips out: the table knows of every chip where it really lies
    mat = shift.table.devices.mat
    known = {area: sorted(tags) for area, tags in shift.table.runtime.table.money.picture().items() if tags}
    assert known == {area: sorted(mat.lying(area)) for area in range(mat.areas) if mat.lying(area)}
    # every ruling, refusal, payment and prompt rests on a clause that exists
    assert [clause for clause in shift.cited if not clauses.exists(book, clause)] == []
    assert not [code for code in shift.table.runtime.table.state.faults if code.startswith("error")]
    shift.table.stop()
    journal = JournalFile.read_only(tmp_path / "t.sqlite")
    assert recover(GuardedTable(config), journal, from_snapshot=False) == journal.last_seq


@pytest.mark.clause("melbourne-war", "7.7.1", "11.10")
@pytest.mark.clause("star-war", "13.12")
@pytest.mark.clause("perth-war", "6.11")
@pytest.mark.parametrize("book", BOOKS)
def test_the_last_ten_rounds_are_recalled_with_every_card_wager_ruling_and_clause(book: str, tmp_path: Path) -> None:
    shift = Shift(default_config("war", rulebook=book), tmp_path / "t.sqlite", 2, Habits(surrender=1.0))
    shift.play(14)
    shift.table.stop()
    found = last_rounds(JournalFile.read_only(shift.path), 10, records_of)
    assert [one.round for one in found] == list(range(5, 15))
    for one in found:
        assert {card["to"] for card in one.cards} >= {"dealer"}
        assert one.wagers
        assert all(wager["clauses"] for wager in one.wagers)
        assert f"Round {one.round}" in one.as_text()
    assert any(line.what == "ruled" and line.clauses for one in found for line in one.lines)


def test_the_recall_is_a_command_for_every_game(tmp_path: Path) -> None:
    for game in ("war", "wheel"):
        path = tmp_path / f"{game}.sqlite"
        made = CliRunner().invoke(main, ["sim", "--game", game, "--rounds", "4", "--journal", str(path)])
        assert made.exit_code == 0, made.output
        told = CliRunner().invoke(main, ["journal", "rounds", str(path), "--last", "3", "--json"])
        assert [json.loads(line)["round"] for line in told.output.splitlines()] == [2, 3, 4]


@pytest.mark.clause("melbourne-war", "7.4.4(a)")
@pytest.mark.parametrize(
    ("book", "section", "message"),
    [
        ("star-war", {"decks": 8}, r"war.decks: 8 decks; allowed: 6 \(3.1\)"),
        ("perth-war", {"decks": 5}, r"war.decks: 5 decks; allowed: 4, 6, 8 \(2.2\)"),
        ("perth-war", {"payout_column": 6, "zones": ("perfect_pairs",)}, r"war.payout_column: .* is for 8 decks"),
        ("melbourne-war", {"zones": ("a_bomb",)}, r"war.zones: no zone 'a_bomb' in this rulebook \(2.2.1\)"),
        ("star-war", {"method": "B"}, r"war.method: war method 'B'; allowed: A \(9.1\)"),
        ("melbourne-war", {"places": 10}, r"war.places: 10 boxes; at least 1, at most 9 \(2.1\)"),
        ("star-war", {"round_burn": True}, r"war.round_burn: no card is burned at the start of a round here \(7.1\)"),
        ("star-war", {"start_burn": False}, r"war.start_burn: .* not optional here \(4.9\)"),
        ("perth-war", {"tournament": True}, r"war.tournament: this rulebook has no tournament play"),
        ("perth-war", {"share_most": 4}, r"war.share_most: 4 to share an area; at most 3 \(3.3\)"),
        ("star-war", {"options": {"odds.tie": 9}}, r"war.options: 'odds.tie' is fixed by the document"),
    ],
)
def test_what_the_rulebook_does_not_allow_is_refused_with_its_clause(
    book: str, section: dict[str, object], message: str
) -> None:
    config = default_config("war", rulebook=book)
    with pytest.raises(ConfigError, match=message):
        require_right(msgspec.structs.replace(config, play=msgspec.convert(section, WarSection)), "table.toml")


CSM = {"source": "csm"}


def scenario(tmp_path: Path, *cases: dict[str, object]) -> tuple[int, list[dict[str, object]]]:
    path = tmp_path / "cases.json"
    path.write_text(json.dumps(list(cases)))
    told = CliRunner().invoke(main, ["scenario", str(path)])
    return told.exit_code, [json.loads(line) for line in told.stdout.splitlines()]


BARE: dict[str, object] = {"wagers": [], "cards": []}


def case(name: str, **more: object) -> dict[str, object]:
    wager = {"id": "a", "player": "P1", "type": "main", "amount": 50}
    return {
        "id": name,
        "rulebook": "star-war",
        "decks": 6,
        "wagers": [{"box": 1, "wagers": [wager]}],
        "cards": ["KS", "9H"],
        **more,
    }


def test_a_case_is_told_as_one_object_and_its_expectation_decides_the_exit_status(tmp_path: Path) -> None:
    won = {"wager": "a", "result": "win", "pays": 50, "stake_taken": 0, "stake_returned": 50}
    status, told = scenario(tmp_path, case("right", expected=[won], to=["box1", "dealer"]), case("untold"))
    assert status == 0
    assert list(told[0]) == ["id", "ok", "settlement", "states", "rulings", "prompts", "errors", "to"]
    status, told = scenario(tmp_path, case("wrong", expected=[{**won, "pays": 51}], to=["box1", "box2"]))
    assert status == 1
    assert told[0]["errors"] == [
        "wager a: pays is 50, expected 51",
        "cards lie at ['box1', 'dealer'], expected ['box1', 'box2']",
    ]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (
            {"events": [{"event": "alien_landing"}]},
            "events 1: 'alien_landing' is no word of events; known here: refused",
        ),
        ({"events": [{"event": "exces_card"}]}, "did you mean 'excess_card'?"),
        ({"events": [{"event": "late_bet", "wager": "a", "colour": "red"}]}, "'colour' means nothing here"),
        ({"events": [{"event": "excess_card", "exposd": True}]}, "did you mean 'exposed'?"),
        ({"events": [{"event": "excess_card", "exposed": "yes"}]}, "true or false, not 'yes'"),
        ({"events": [{"event": "excess_card", "seen": True}]}, "'seen' means nothing here"),
        (
            {"events": [{"event": "placement_error", "players_retracting": ["P1"], "withdrawing": ["P1"]}]},
            "says 'withdrawing' a second time",
        ),
        ({"events": [{"event": "house_chips_placed"}]}, "'amount' is missing"),
        ({"events": [{"event": "hand_void", "box": 7}]}, "the case has no box 7"),
        ({"events": [{"event": "player_absent", "player": "P9"}]}, "the case has no player 'P9'"),
        ({"events": [{"event": "late_bet", "wager": "z"}]}, "the case has no wager 'z'"),
        ({"events": [{"event": "misdeal", "stage": "lunch"}]}, "stage: 'lunch' is none of its words"),
        ({"events": [{"event": "misdeal", "clause": "99.9"}]}, "'clause' means nothing here"),
        ({"events": [{"event": "cutting_card"}]}, "is no CUT"),
        ({"events": [{"event": "csm_malfunction", "after_card": 1}]}, "this table deals from a shoe"),
        (
            {"config": CSM, "events": [{"event": "csm_malfunction", "after_card": 1, "can_complete": True}]},
            "'can_complete' decides nothing under star-war",
        ),
        ({"events": [{"event": "no_wagers"}]}, "the case has wagers"),
        ({"events": [{"event": "winnings_withheld", "player": "P1"}]}, "star-war gives nobody this power"),
        ({"events": [{"event": "misdeal", "rank": "dealer"}]}, "dealer may not rule this; GS or above may (11.16)"),
        ({"config": {"mim": 10}}, "config: 'mim' means nothing here; did you mean 'min'?"),
        ({"config": {"perfect_pairs": "col 2 or so"}}, "write col2:6d 25/12/5"),
        ({"to": ["box1", "floor"]}, "'floor' is no place for a card"),
        ({"expected": [{"wager": "a", "result": "jackpot"}]}, "result: 'jackpot' is none of its words"),
        ({"expected": [{"wager": "z", "result": "win"}]}, "there is no wager 'z'"),
        ({"expected": [{"wager": "a", "box": 2, "result": "win"}]}, "wager a has box 1, not 2"),
        ({"expected": [{"wager": "a", "stake_taken": 5, "stake_returned": 5}]}, "do not make up the stake"),
        ({"expected": [{"wager": "a", "payz": 5}]}, "did you mean 'pays'?"),
        ({"decisions": [{"box": 3, "player": "P1", "choice": "war"}]}, "has no main stake on box 3"),
        ({"decisions": [{"box": 1, "player": "P1", "choice": "war", "when": 1}]}, "'when' means nothing here"),
        ({"events": [{"event": "misdeal", "rank": "KING"}]}, "star-war knows no rank 'KING'"),
        ({"events": ["misdeal"]}, "events 1: must be an object"),
        ({"decks": 5}, "5 decks; allowed: 6 (3.1)"),
        ({"cards": ["1S"]}, "cards 1: '1S' is no card"),
        ({"decisions": [{"box": 1, "player": "P1", "choice": "maybe"}]}, "choice: 'maybe' is none of its words"),
        (
            {"wagers": [{"box": 0, "wagers": [{"id": "a", "player": "P", "type": "main", "amount": 5}]}]},
            "box: a whole number from 1, not 0",
        ),
        ({"wagers": [{"box": 1, "wagers": [{"id": "a", "player": "P", "type": "jackpot", "amount": 5}]}]}, "'jackpot'"),
        ({"wagers": [{"box": 1, "wagers": [{"id": "a", "player": "P", "type": "main"}]}]}, "'amount' is missing"),
        ({**BARE, "steps": [{"do": "dance"}]}, "steps 1: 'dance' is no word of steps"),
        ({**BARE, "steps": [{"do": "settle", "how": "fast"}]}, "steps 1 (settle): 'how' means nothing here"),
        ({"wagerz": []}, "'wagerz' means nothing here; did you mean 'wagers'"),
    ],
)
def test_a_wrong_case_is_named_with_its_place_and_the_others_are_played(
    tmp_path: Path, more: dict[str, object], message: str
) -> None:
    status, told = scenario(tmp_path, case("bad", **more), case("good"))
    assert status == 2
    assert message in str(told[0]["errors"])
    assert told[1]["ok"] is True


@pytest.mark.parametrize(
    ("more", "error"),
    [
        ({"events": [{"event": "excess_card", "card_index": 1}], "cards": ["KS", "9H"]}, ""),
        ({"events": [{"event": "war_area_skipped", "box": 1}]}, "event 'war_area_skipped' never came about"),
        ({"events": [{"event": "cut_refused"}]}, "event 'cut_refused' never came about"),
        (
            {"events": [{"event": "new_shoe", "next_cutter": "P7"}], "cards": ["2S", "KS", "9H"]},
            "cut by ['P1'], expected P7",
        ),
        ({"expected": [{"wager": "a", "result": "win", "clauses": ["5.2.1.2"]}]}, "does not rest on 5.2.1.2"),
        ({"expected": [{"wager": "a", "result": "refused"}]}, "result is win, expected void"),
        ({"to": ["box1", "discard"]}, "cards lie at"),
    ],
)
def test_an_event_that_never_came_about_fails_the_case(tmp_path: Path, more: dict[str, object], error: str) -> None:
    status, told = scenario(tmp_path, case("x", **more))
    assert status == (1 if error else 0)
    assert error in str(told[0]["errors"])


def test_a_choice_that_nobody_was_asked_for_fails_the_case(tmp_path: Path) -> None:
    status, told = scenario(tmp_path, case("x", decisions=[{"box": 1, "player": "P1", "choice": "war"}]))
    assert (status, told[0]["errors"]) == (1, ["P1 on box 1 was never asked to decide"])
