"""One file for many tables: every place filled with the table's own value, and each file right for its table."""

from __future__ import annotations

from pathlib import Path

import pytest

from floor.fleet.line import FleetTrouble
from floor.fleet.templates import fitted, read_values, render
from tests import ROOT

EXAMPLE = (ROOT / "controller" / "examples" / "table.toml").read_text("utf-8")
TEMPLATE = EXAMPLE.replace('name = "Big Wheel 1"', "name = {{ name }}").replace("max = 500", "max = {{ most }}", 1)
OWN = {"name": "Big Wheel 7", "most": 300}


def test_each_table_gets_its_own_values() -> None:
    text = fitted(TEMPLATE, {"big-wheel-7": OWN})["big-wheel-7"].decode()
    assert 'name = "Big Wheel 7"' in text
    assert "max = 300" in text
    assert "{{" not in text


def test_what_a_file_names_lies_with_its_table_and_not_on_the_floor() -> None:
    text = TEMPLATE.replace('# register = "chips.register"', 'register = "chips.register"')
    text += '\n[uplink]\nservers = ["tls://floor:4222"]\nnkey = "/etc/tablectl/broker.nk"\nca = "floor-ca.pem"\n'
    assert b"broker.nk" in fitted(text, {"big-wheel-7": OWN})["big-wheel-7"]


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"name": "Big Wheel 7"}, "has a place most, and the table no value"),
        ({**OWN, "mots": 3}, "has no place mots"),
        ({**OWN, "most": {"a": 1}}, "most is neither text"),
        ({**OWN, "name": "Big Wheel 8"}, "its file is for table Big Wheel 8"),
        ({**OWN, "most": 1}, "big-wheel-7: its file"),
        ({**OWN, "name": 'Big Wheel 7"\nrulebook = "other'}, "which is big-wheel-7-rulebook-other"),
    ],
)
def test_a_template_that_does_not_fit_a_table_is_refused(values: dict[str, object], said: str) -> None:
    with pytest.raises(FleetTrouble, match=said):
        fitted(TEMPLATE, {"big-wheel-7": values})


def test_a_value_cannot_leave_its_place() -> None:
    assert render("a = {{ a }}", "t", {"a": 'x"\nb = 1'}) == 'a = "x\\"\\nb = 1"'
    assert render("a = {{ a }}", "t", {"a": [True, 2, "\\"]}) == 'a = [true, 2, "\\\\"]'


@pytest.mark.parametrize("text", ["tables = 1", "[other]\na = 1", "[tables]\na = 1", "not toml ="])
def test_values_are_a_section_for_each_table(text: str, tmp_path: Path) -> None:
    path = tmp_path / "values.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(FleetTrouble, match="values"):
        read_values(path)
    path.write_text("[tables.big-wheel-7]\nmost = 3\n", "utf-8")
    assert read_values(path) == {"big-wheel-7": {"most": 3}}
