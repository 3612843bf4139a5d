"""The words of written Casino War cases: each with its one meaning, and nothing else is taken for them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from controller.commands import main
from controller.games.war.config import WarConfig
from lab.scenarios.file import ScenarioError
from lab.scenarios.war.case import CaseEvent, read_case
from lab.scenarios.war.replies import Replies
from lab.scenarios.war.words import EVENTS, KEY
from tests.controller.games.war.play import Play, Played

VALUES = {
    "box": 1, "player": "P1", "wager": "a", "most": 1, "amount": 5, "offered": 5, "paid": 5, "due": 6, "card_index": 0,
    "read_as": "2C", "settled_as": {"a": "lose"}, "decision": "as it was", "acted_as": "war",
}  # fmt: skip
A_ROUND: dict[str, Any] = {
    "id": "w", "rulebook": "melbourne-war", "decks": 6, "config": {"min": 10, "max": 500, "smallest_chip": 2.5},
    "wagers": [{"id": "a", "box": 1, "player": "P1", "type": "main", "amount": 50}],
    "cards": ["KH", "9C"],
    "expected": [{"wager": "a", "result": "win", "pays": 50, "stake_taken": 0, "stake_returned": 50}],
}  # fmt: skip


def read(name: str, **told: object) -> CaseEvent:
    return read_case({**A_ROUND, "events": [{"event": name, **told}]}).events[0]


def test_every_word_is_read_with_what_it_must_be_told() -> None:
    for word in EVENTS.words:
        meant = EVENTS.meant(word)
        needed = {field.name: VALUES[field.name] for field in meant.fields if not field.optional}
        assert read(word.name, **needed).kind == meant.name


def test_every_word_has_a_meaning_in_one_sentence() -> None:
    for word in EVENTS.words:
        meaning = EVENTS.meant(word).meaning
        assert meaning.endswith("."), word.name
        assert ". " not in meaning, word.name
        assert all(field.meaning or field.same_as for field in word.fields), word.name


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("war_card_on_empty_area", "war_card_without_wager"),
        ("exces_card", "excess_card"),
        ("double_deal", "csm_double_deal"),
        ("Shoe_Empty", "shoe_empty"),
        ("surplus", "known here"),
        ("outcome_cancelled", "known here"),
        ("", "known here"),
        ("alien_landing", "known here"),
    ],
)
def test_a_word_that_resembles_one_is_refused_with_the_nearest(name: str, nearest: str) -> None:
    with pytest.raises(ScenarioError, match=f"case w: events 1: '{name}' is no word of events; .*{nearest}"):
        read(name)


def test_a_card_laid_on_an_empty_war_area_is_not_played_as_an_empty_shoe(tmp_path: Path) -> None:
    case = {**A_ROUND, "events": [{"event": "card_on_empty_war_area", "after_card": 1}]}
    path = tmp_path / "case.json"
    path.write_text(json.dumps(case))
    result = CliRunner().invoke(main, ["scenario", str(path)])
    assert result.exit_code == 2
    assert "'card_on_empty_war_area' is no word of events" in result.stderr
    assert not json.loads(result.stdout)["ok"]


@pytest.mark.parametrize(
    ("where", "change", "why"),
    [
        ("case", {"card": ["KH"]}, "'card' means nothing here; did you mean 'cards'"),
        ("case", {"cards": ["KX"]}, "cards 1: 'KX' is no card"),
        ("case", {"steps": [{"do": "settle"}]}, "'wagers' means nothing beside steps"),
        ("case", {"to": ["bx1"]}, "'bx1' is no place for a card; did you mean 'box1'"),
        ("config", {"minimum": 5}, "config: 'minimum' means nothing here; did you mean 'min'"),
        ("config", {"kept_minimum_boxes": "marked"}, "means nothing here"),
        ("config", {"source": "sho"}, "source: 'sho' is none of its words; did you mean 'shoe'"),
        ("config", {"min": "5"}, "min: an amount in dollars"),
        ("config", {"bets": {"tie": {"least": 5}}}, "bets: tie: 'least' means nothing here"),
        ("wagers", [{"id": "a", "box": 1, "player": "P1", "type": "casino_war", "amount": 5}], "'casino_war' is none"),
        ("wagers", [{"id": "a", "player": "P1", "type": "main", "amount": 5}], "'box' is missing"),
        ("wagers", [{"box": 1, "wagers": [], "players": []}], "'players' means nothing here"),
        ("decisions", [{"box": 1, "player": "P1", "choice": "go_to_war"}], "'go_to_war' is none of its words"),
        ("expected", [{"wager": "a", "result": "push"}], "'push' is none of its words"),
        ("expected", [{"wager": "b", "result": "win"}], "there is no wager 'b'"),
        ("events", [{"event": "shoe_empty", "stage": "war"}], r"\(shoe_empty\): 'stage' means nothing here"),
        ("events", [{"event": "new_shoe", "shuffled": False}], "shuffled: true, or nothing at all, not False"),
        ("events", [{"event": "misdeal", "stage": "late"}], "'late' is none of its words"),
        ("events", [{"event": "parked_card", "card_index": 1}], "card_index: a whole number from 0 to 0"),
    ],
)
def test_another_field_or_value_is_refused_with_its_place(where: str, change: Any, why: str) -> None:
    case = json.loads(json.dumps(A_ROUND))
    if where == "case":
        case |= change
    elif where == "config":
        case["config"] |= change
    else:
        case[where] = change
    with pytest.raises(ScenarioError, match=why):
        read_case(case)


def test_every_event_comes_about_by_a_key_an_answer_or_the_cards_themselves() -> None:
    houses = ("melbourne-war", "perth-war", "star-war")
    keys = {key for house in houses for key in Play(house, WarConfig(decks=6)).game.keys}
    assert {key for key in KEY.values() if key not in keys} == set()
    by_answers = {"late_bet", "several_boxes", "cut_refused", "decision_not_offered", "war_stake_rejected"}
    assert {f"_on_{one}" for one in ("late", "several", "cut", "choice")} <= set(dir(Replies))
    by_world = {
        *("refused", "no_wagers", "csm_double_deal", "csm_malfunction", "face_up_card", "foreign_card"),
        *("cutting_card", "parked_card", "new_shoe", "unreadable_card", "shuffle_missed", "feed_missed"),
        "player_card_not_shown",
    }
    assert {word.name for word in EVENTS.words if not word.same_as} == set(KEY) | by_answers | by_world


def differences(**changes: Any) -> list[str]:
    return Played({**json.loads(json.dumps(A_ROUND)), **changes}).differences()


def test_a_plain_round_comes_out_as_it_is_written() -> None:
    assert differences() == []


@pytest.mark.parametrize(
    "event",
    [
        {"event": "several_boxes"},
        {"event": "house_chips_placed", "amount": 50},
        {"event": "war_stake_rejected", "offered": 20},
        {"event": "cut_refused", "player": "P1"},
        {"event": "excess_card", "stage": "war"},
        {"event": "misdeal", "stage": "war"},
    ],
)
def test_an_event_that_never_comes_about_fails_the_case(event: dict[str, Any]) -> None:
    assert f"event {event['event']!r} never came about" in differences(events=[event])


def test_a_card_left_over_fails_the_case() -> None:
    assert "cards that never came: 5D" in differences(cards=["KH", "9C", "5D"])


def test_a_stake_that_is_never_laid_fails_the_case() -> None:
    war = {"id": "b", "box": 1, "player": "P1", "type": "war", "amount": 50}
    assert "wager b was never laid" in differences(wagers=[*A_ROUND["wagers"], war])
