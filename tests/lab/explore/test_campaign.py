"""Walks over every explored rulebook find what is known and nothing else; what is planted is found and shrunk."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from controller.core.desk import Refusal
from controller.core.keys import Keys
from controller.games.wheel.game import WheelGame
from controller.money.table_money import Money
from lab.commands.explore import explore
from lab.explore import steps
from lab.explore.campaign import FILE, Campaign, played, shows, tables
from lab.explore.coverage import Coverage
from lab.explore.findings import LATER_ROUNDS
from lab.explore.known import known_findings
from lab.explore.state_of_code import ROOT, _files, said, state_of_code
from lab.explore.steps import Walk, read, written

BOOKS = (
    ("war", "melbourne-war"),
    ("war", "perth-war"),
    ("war", "star-war"),
    ("wheel", "melbourne-wheel"),
    ("poker", "melbourne-poker"),
)
WALKS = 100
"""Few enough for a quick run; campaigns of thousands fill the list of what is known."""


@pytest.mark.parametrize(("game", "rulebook"), BOOKS)
def test_walks_find_nothing_that_is_not_listed_as_known(game: str, rulebook: str) -> None:
    campaign = Campaign(game, rulebook)
    campaign.run(WALKS, shrink=False)
    shown = {name: (one.found.text, one.walk.seed) for name, one in campaign.explored.items()}
    assert shown.keys() <= known_findings(rulebook).keys(), shown


@pytest.mark.parametrize(
    ("game", "rulebook", "name"), [(game, book, name) for game, book in BOOKS for name in tables(game, book)]
)
def test_a_table_where_nobody_does_anything_odd_shows_nothing(game: str, rulebook: str, name: str) -> None:
    table, end = played(Walk(game, rulebook, 1, (), table=name))
    assert end.found == []
    assert table.rounds == LATER_ROUNDS
    assert not table.table.state.desk.alarms


def wheel(*did: steps.AnyStep) -> Walk:
    return Walk("wheel", "melbourne-wheel", 1, did)


def names(walk: Walk) -> set[str]:
    return {found.name for found in played(walk)[1].found}


def test_a_key_that_leads_nowhere_is_a_dead_end(monkeypatch: pytest.MonkeyPatch) -> None:
    press = Keys.press

    def refuse(keys: Keys[object], owner: object, key: object, args: dict[str, object], by: object) -> None:
        if key.name == "acknowledge":  # type: ignore[attr-defined]
            raise Refusal("never", "Never.")
        press(keys, owner, key, args, by)  # type: ignore[arg-type]

    monkeypatch.setattr(Keys, "press", refuse)
    monkeypatch.setattr("lab.explore.hands.wheel.WheelHands.remedies", ())
    assert names(wheel()) == {"nothing leads on: result"}


def test_an_error_while_handling_an_event_is_a_defect_shrunk_to_the_step_that_meets_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def break_down(game: WheelGame, event: object) -> None:
        raise ValueError("a wheel that stands cannot be knocked")

    started = WheelGame._turned
    monkeypatch.setattr(WheelGame, "_turned", break_down)
    campaign = Campaign("wheel", "melbourne-wheel", 3)
    campaign.run(12)
    (name,) = (name for name in campaign.explored if name.startswith("defect: ValueError"))
    walk = campaign.explored[name].walk
    assert any(isinstance(step, steps.Turn) for step in walk.steps)
    for at in range(len(walk.steps)):
        fewer = walk.steps[:at] + walk.steps[at + 1 :]
        assert not shows(msgspec.structs.replace(walk, steps=fewer), name), "a step was left that it does not need"

    campaign.keep(tmp_path)
    (path,) = (path for path in tmp_path.glob("melbourne-wheel/defect*.json"))
    assert read(path.read_bytes()) == walk
    again = CliRunner().invoke(explore, ["--replay", str(path)])
    assert again.exit_code == 1
    assert f"found: {name}" in again.output
    monkeypatch.setattr(WheelGame, "_turned", started)
    mended = CliRunner().invoke(explore, ["--replay", str(path)])
    assert mended.exit_code == 0
    assert f"not found any more: {name}" in mended.output


def test_a_chip_that_the_table_loses_sight_of_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = Money.picture

    def forgetful(money: Money) -> dict[int, list[int]]:
        return {area: tags[1:] for area, tags in picture(money).items()}

    monkeypatch.setattr(Money, "picture", forgetful)
    assert "chips not conserved" in names(wheel())


def test_a_campaign_goes_on_where_the_last_one_stopped(tmp_path: Path) -> None:
    whole = Campaign("wheel", "melbourne-wheel", 5)
    whole.run(8)
    for _ in range(2):
        part = Campaign("wheel", "melbourne-wheel", 5)
        part.go_on(tmp_path)
        part.run(4)
        part.keep(tmp_path)
    kept = msgspec.json.decode((tmp_path / "melbourne-wheel" / FILE).read_bytes(), type=Coverage)
    assert kept == whole.coverage


def test_a_walk_reads_back_as_it_was_written() -> None:
    walk = wheel(steps.Lay(1, (steps.Piece(1_001, 500),)), steps.Push(), steps.Rest(None, ("interference",), "near"))
    assert read(written(walk)) == walk


def test_what_is_no_walk_is_refused_in_words(tmp_path: Path) -> None:
    path = tmp_path / "walk.json"
    path.write_text('{"game": "wheel"}')
    said = CliRunner().invoke(explore, ["--replay", str(path)])
    assert said.exit_code == 1
    assert "holds no walk" in said.output


def test_a_game_that_is_not_explored_is_refused_with_those_that_are() -> None:
    said = CliRunner().invoke(explore, ["bingo"])
    assert said.exit_code == 2
    assert "war, wheel, poker" in said.output


def test_the_command_tells_what_was_reached_and_keeps_it(tmp_path: Path) -> None:
    said = CliRunner().invoke(explore, ["wheel", "--walks", "3", "--keep", str(tmp_path)])
    assert said.exit_code == 0, said.output
    assert "melbourne-wheel: 3 walks, 3 in all; reached" in said.output
    assert (tmp_path / "melbourne-wheel" / FILE).exists()


def test_walks_are_counted_by_the_state_of_the_code_they_were_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for state in ("old", "new", "new"):
        monkeypatch.setattr("lab.explore.campaign.state_of_code", lambda game, state=state: state)
        campaign = Campaign("wheel", "melbourne-wheel")
        campaign.go_on(tmp_path)
        campaign.run(2)
        campaign.keep(tmp_path)
    kept = msgspec.json.decode((tmp_path / "melbourne-wheel" / FILE).read_bytes(), type=Coverage)
    assert kept.states == {"old": [2, 0], "new": [4, 0]}
    assert kept.walks == 6


def test_the_state_of_the_code_is_that_of_the_game_and_of_what_it_stands_on() -> None:
    digests = {game: state_of_code(game) for game, _ in BOOKS}
    assert len(set(digests.values())) == len(digests)
    files = {str(path.relative_to(ROOT)) for path in _files("war")}
    assert {
        "controller/games/war/settle.py",
        "controller/games/war/rulebooks/star-war.toml",
        "lab/explore/walk.py",
    } <= files
    assert not any("games/wheel" in name or "/web/" in name or "hands/poker" in name for name in files)


def test_a_comment_or_a_docstring_begins_no_new_state_of_the_code(tmp_path: Path) -> None:
    path = tmp_path / "due.py"
    path.write_text('"""What is due."""\n\n\ndef due(stake: int) -> int:\n    return stake  # even money\n')
    before = said(path)
    path.write_text('"""Otherwise said."""\n\ndef due(stake: int) -> int:\n    """To one."""\n    return stake\n')
    assert said(path) == before
    path.write_text('"""What is due."""\n\n\ndef due(stake: int) -> int:\n    return 2 * stake\n')
    assert said(path) != before
