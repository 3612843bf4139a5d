"""A table opens only with a configuration that its rulebook allows."""

from __future__ import annotations

import tomllib
from collections import Counter
from importlib import resources
from pathlib import Path

import msgspec
import pytest

from controller import games
from controller.config.file import check_config, check_config_with_warnings, require_right
from controller.config.tomlread import ConfigError
from controller.games.wheel.config import WheelSection, default_ring, wheel_bands
from controller.games.wheel.rules import RETURN, wheel_rules
from controller.rules.rulebook import load_rulebook, rulebook_ids
from lab.sim.config import default_config

EXAMPLE = resources.files("controller").joinpath("examples/table.toml").read_text(encoding="utf-8")
OPTIONS = (1, 2, 3, 4)


def told(tmp_path: Path, *changes: tuple[str, str]) -> str:
    """What a technician is told about the example after these changes, without the folder's name."""
    text = EXAMPLE
    for old, new in changes:
        assert old in text, f"the example no longer says {old!r}"
        text = text.replace(old, new, 1)
    path = tmp_path / "table.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        check_config(path)
    return caught.value.text.replace(f"{tmp_path}/", "")


def line_of(text: str) -> int:
    """The line of the example that begins with this text."""
    return next(n for n, row in enumerate(EXAMPLE.splitlines(), 1) if row.startswith(text))


def test_the_commented_example_is_a_right_configuration(tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_text(EXAMPLE, encoding="utf-8")
    config, warnings = check_config_with_warnings(tmp_path / "table.toml")
    assert config.limits.smallest_chip == 250
    assert config.limits.of("F") == (500, 10_000)
    assert config.limits.of("A") == (500, 50_000)
    assert config.table.journal == str(tmp_path / "big-wheel-1.db")
    assert wheel_bands(config).dead == pytest.approx(0.1)
    assert len(warnings) == 1
    assert "tablectl wheel calibrate" in warnings[0]


@pytest.mark.clause("melbourne-wheel", "2.1")
def test_a_ring_of_51_compartments_is_refused(tmp_path: Path) -> None:
    text = told(tmp_path, ('"C", "F",', '"F",'))
    assert text == (
        f"table.toml:{line_of('ring')}: [wheel] 'ring' has 51 compartments, not 52 (2.1); "
        "list every compartment once, in the order they pass the indicator"
    )


@pytest.mark.clause("melbourne-wheel", "2.1")
def test_a_symbol_the_option_does_not_have_is_refused_at_its_own_line(tmp_path: Path) -> None:
    text = told(tmp_path, ('"C", "F",', '"C", "X",'))
    assert text.startswith(f"table.toml:{line_of('ring') + 2}: [wheel] 'ring' compartment 26 is 'X'")


@pytest.mark.parametrize("option", OPTIONS)
@pytest.mark.clause("melbourne-wheel", *[s.wheel_clause for o in wheel_rules().options for s in o.symbols])
def test_one_compartment_too_many_or_too_few_of_any_symbol_is_refused_with_its_clause(option: int) -> None:
    config = default_config("wheel", option)
    for symbol in wheel_rules().option(option).symbols:
        other = next(name for name in wheel_rules().option(option).names if name != symbol.symbol)
        for gone, come in ((symbol.symbol, other), (other, symbol.symbol)):
            ring = list(config.own(WheelSection).ring)
            ring[ring.index(gone)] = come
            wheel = msgspec.structs.replace(config.own(WheelSection), ring=tuple(ring))
            with pytest.raises(ConfigError) as caught:
                require_right(msgspec.structs.replace(config, play=wheel), "case")
            both = {wheel_rules().option(option).symbol(name).wheel_clause for name in (gone, come)}
            assert any(f"({clause})" in caught.value.text for clause in both)


@pytest.mark.parametrize(("option", "partner"), [(1, "B"), (2, "D"), (3, "F"), (4, "H")])
@pytest.mark.clause("melbourne-wheel", "2.2", "2.2.1(a)", "2.2.2(a)", "2.2.3(a)", "2.2.4(a)")
def test_only_the_partner_layout_of_an_option_is_accepted(option: int, partner: str) -> None:
    config = default_config("wheel", option)
    assert config.own(WheelSection).layout == partner
    for layout in set("BDFH") - {partner}:
        wheel = msgspec.structs.replace(config.own(WheelSection), layout=layout)
        with pytest.raises(ConfigError, match=rf"2\.2\.{option}\(a\)"):
            require_right(msgspec.structs.replace(config, play=wheel), "case")


@pytest.mark.parametrize("option", OPTIONS)
@pytest.mark.clause("melbourne-wheel", "2.1")
def test_every_bet_of_every_option_returns_48_of_52_and_fills_the_wheel(option: int) -> None:
    known = wheel_rules().option(option)
    assert sum(symbol.compartments for symbol in known.symbols) == 52
    assert {symbol.compartments * (symbol.odds + 1) for symbol in known.symbols} == {RETURN}


@pytest.mark.clause("melbourne-wheel", "2.1.3[unlettered item after (m)]", "2.1.3(n)", "2.1.3(o)")
def test_option_3_goes_by_ordinal_where_the_document_lacks_a_letter() -> None:
    option = wheel_rules().option(3)
    assert [option.symbol(name).wheel_clause for name in "MNOP"] == [
        "2.1.3(m)",
        "2.1.3[unlettered item after (m)]",
        "2.1.3(n)",
        "2.1.3(o)",
    ]
    assert option.symbol("N").pay_clause == "6.1 Option 3 Symbol N"


@pytest.mark.parametrize("option", OPTIONS)
def test_the_simulated_ring_is_right_and_never_has_a_symbol_beside_itself(option: int) -> None:
    ring = default_ring(option)
    counts = Counter(ring)
    assert counts == {symbol.symbol: symbol.compartments for symbol in wheel_rules().option(option).symbols}
    assert all(ring[place] != ring[place - 1] for place in range(52))


def test_the_dead_band_comes_from_the_setting_else_the_geometry_else_the_rulebook() -> None:
    config = default_config()
    assert wheel_bands(config).dead == 0.10
    assert wheel_bands(config).near == pytest.approx(0.15)
    wheel = msgspec.structs.replace(
        config.own(WheelSection), compartment_mm=100.0, peg_mm=10.0, pointer_mm=4.0, sensor_error_mm=0.5
    )
    measured = msgspec.structs.replace(config, play=wheel)
    assert wheel_bands(measured).dead == pytest.approx(0.08)
    set_by_hand = msgspec.structs.replace(wheel, dead_band=0.2, near_band=0.3)
    bands = wheel_bands(msgspec.structs.replace(config, play=set_by_hand))
    assert (bands.dead, bands.near) == (0.2, 0.3)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("option = 1", "optoin = 1", "[wheel] unknown key 'optoin'; did you mean 'option'?"),
        ("option = 1", "option = 5", "[wheel] 'option' must be at most 4, not 5"),
        ("game = ", 'game = "whele" #', "[table] 'game' cannot be the text 'whele'; did you mean 'wheel'?"),
        ("rulebook = ", 'rulebook = "melburne-wheel" #', "[table] there is no rulebook 'melburne-wheel'; did you"),
        ("rulebook = ", 'rulebook = "melbourne-poker" #', "[table] rulebook 'melbourne-poker' is for the game 'poker'"),
        ("web = ", 'web = "8642" #', "[table] '8642' is no address; write HOST:PORT"),
        ("web = ", 'web = "localhost:99999" #', "[table] 'localhost:99999' is no address"),
        ("max = 500\n", "max = 4\n", "[limits] the maximum $4 is below the minimum $5"),
        ("unit = 5 ", "unit = 3 ", "[limits] 'unit' $3 cannot be made of $2.50 chips"),
        ("F = { max = 100 }", "Q = { max = 100 }", "[limits.bets] limits for 'Q', which is no bet here"),
        ("F = { max = 100 }", "F = { max = 1 }", "[limits.bets] 'F': minimum $5 and maximum $1 do not go together"),
        ("seat = 3", "seat = 8", "[[personal_limits]] 1: seat 8 does not exist; the table has 7"),
        ('"S300"\n\n#', '"S100"\n\n#', "[[personal_limits]] 1: Alex is dealer; personal limits need AM (4.3)"),
        ('rank = "HDD"', 'rank = "TI"', "[[staff]] 2: Billie has the rank 'TI', which melbourne-wheel does not know"),
        ('id = "S200"', 'id = "S100"', "[[staff]] 2: id 'S100' is given twice"),
        ('kind = "chips"', 'kind = "shoe"', "wheel needs a device of kind 'chips'; add [devices.chips]"),
        ('port = "usb:1209', 'port = "usb;1209', "[devices.chips] 'usb;1209:7ab1' is no port; use /dev/…[@BAUD]"),
        ('port = "usb:1209:7ab1"', 'port = "wire"', "[devices.chips] 'wire' runs inside the process"),
        ("peg_mm = 12.0", "peg_mm = 120.0", "[wheel] the geometry gives a dead band of 0.70"),
        ("# near_band = 0.15", "near_band = 0.05", "[wheel] 'near_band' 0.05 lies inside the dead band 0.100"),
        ("[seats]", "[war]\n[seats]", "[war] section [war] belongs to another game; this table plays wheel"),
        ('A = "1", B = "3"', 'A = "3", B = "3"', "[wheel] two symbols have the same label"),
    ],
)
def test_a_wrong_value_is_refused_with_file_line_and_remedy(tmp_path: Path, old: str, new: str, message: str) -> None:
    text = told(tmp_path, (old, new))
    assert text.startswith("table.toml:")
    assert int(text.split(":")[1]) > 1
    assert text.partition(": ")[2].startswith(message)


def test_pages_that_others_can_reach_are_warned_about(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    keys = 'certificate = "c.pem"\ncertificate_key = "k.pem"\nweb = "0.0.0.0:8642" #'
    path.write_text(EXAMPLE.replace('web = "127.0.0.1:8642"', keys), encoding="utf-8")
    config, warnings = check_config_with_warnings(path)
    assert any("can be reached from other machines" in warning for warning in warnings)
    assert config.table.certificate == str(tmp_path / "c.pem")


def test_pages_for_other_machines_are_refused_without_a_certificate(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text(EXAMPLE.replace("127.0.0.1:8642", "0.0.0.0:8642"), encoding="utf-8")
    with pytest.raises(ConfigError, match="would travel in clear"):
        check_config_with_warnings(path)


@pytest.mark.clause("melbourne-wheel", "1.2", "1.1 'Dealer'", "1.1 'TG Higher Duties Dealer'")
@pytest.mark.clause("melbourne-wheel", "1.1 'TG Area Manager'", "1.1 'TG Assistant Casino Manager'")
def test_each_power_needs_its_rank_and_every_higher_rank_has_it_too() -> None:
    book = load_rulebook("melbourne-wheel")
    assert book.ladder == ("dealer", "HDD", "AM", "ACM")
    needed = {"place_bets": 1, "idle_spin": 2, "close": 2, "invalidate_disruption": 2, "dispute": 3}
    needed |= {"personal_limit": 3, "invalidate_fraud": 4, "void_wager": 4}
    for power, level in needed.items():
        allowed = [book.may(rank, power) for rank in book.ladder]
        assert allowed == [step >= level for step in (1, 2, 3, 4)], power
    assert not book.may("stranger", "place_bets")


def test_ranks_belong_to_the_rulebook_for_poker_closes_and_cancels_differently() -> None:
    poker = load_rulebook("melbourne-poker")
    assert not poker.may("HDD", "close")
    assert poker.may("HDD", "invalidate_fraud")


def test_every_reading_of_the_wheel_names_a_clause_and_the_option_it_is_set_with() -> None:
    book = load_rulebook("melbourne-wheel")
    assert list(book.readings) == [f"W-A{number}" for number in range(1, 26)]


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_every_rulebook_file_loads_with_clauses_that_exist(rulebook: str) -> None:
    book = load_rulebook(rulebook)
    assert book.rulebook.version
    assert book.powers


def test_a_rulebook_that_pays_wrong_odds_does_not_load(monkeypatch: pytest.MonkeyPatch) -> None:
    from controller.config.tomlread import Document
    from controller.games.wheel.rules import WheelRules, check_wheels
    from controller.rules import rulebook as module

    text = games.rulebooks()["melbourne-wheel"].read_text(encoding="utf-8")
    wrong = text.replace("compartments = 4, odds = 11", "compartments = 4, odds = 12", 1)
    assert tomllib.loads(wrong) != tomllib.loads(text)
    monkeypatch.setattr(module, "_document", lambda _: Document("melbourne-wheel.toml", wrong))
    with pytest.raises(
        ConfigError, match=r"symbol D: 4 compartments x \(12 \+ 1\) is 52, not 48 \(6\.1 Option 1 Symbol D\)"
    ):
        module.load_rules("melbourne-wheel", WheelRules, check_wheels)


def test_an_option_that_does_not_exist_has_no_simulated_table() -> None:
    with pytest.raises(ConfigError, match="melbourne-wheel has no option 5"):
        default_config("wheel", 5)


def test_files_that_chips_and_cards_are_known_from_must_be_there(tmp_path: Path) -> None:
    register = told(tmp_path, ("# register =", "register ="))
    assert register.startswith(f"table.toml:{line_of('# register')}: ")
    assert "tablectl chips import" in register
    reader = ('# [devices.dealer]\n# kind = "swipe"\n# port', '[devices.dealer]\nkind = "swipe"\nport')
    assert "without a key" in told(tmp_path, reader)
    assert "player cards" in told(tmp_path, ("# [people]", "[people]"), ("# players =", "players ="))
