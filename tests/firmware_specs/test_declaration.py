"""Declarations are read strictly, and what is generated from them keeps to them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_specs import generate
from firmware_specs.c_header import c_header
from firmware_specs.cards import CODE_OF
from firmware_specs.declaration import MAX_BODY, BadDeclaration, load
from firmware_specs.generate import HERE
from firmware_specs.messages import chips
from firmware_specs.reference_page import reference_page
from firmware_specs.spec import BadMessage
from tests.drivers.linked import BELL, bell, declared, module_of

lamps = st.sampled_from(list(bell.Lamp))
rungs = st.builds(bell.Rung, at=st.integers(0, 2**32 - 1), times=st.integers(1, 1000), lamp=lamps, loud=st.booleans())
tunes = st.builds(
    bell.Tune,
    key=st.integers(-7, 7),
    notes=st.lists(st.integers(20, 20000), max_size=64).map(tuple),
    score=st.binary(max_size=300),
    title=st.text(max_size=20).filter(lambda text: len(text.encode(errors="ignore")) <= 20),
    lamps=st.lists(lamps, max_size=4).map(tuple),
    marks=st.lists(st.integers(0, 2**64 - 1), max_size=8).map(tuple),
    length=st.integers(0, 2**32 - 1),
)


def test_what_is_generated_matches_the_declarations() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "firmware_specs.generate", "--check"],
        cwd=generate.HERE.parent,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr


def test_stale_missing_and_orphaned_files_are_named(tmp_path: Path) -> None:
    (tmp_path / "bell.toml").write_text(BELL, "utf-8")
    assert [path.name for path in generate.stale(tmp_path)] == ["bell.py", "bell.md", "bell.h"]
    for path, text in generate.products(tmp_path).items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    assert generate.stale(tmp_path) == []
    (tmp_path / "bell.toml").write_text(BELL.replace("max = 1000", "max = 999"), "utf-8")
    assert [path.name for path in generate.stale(tmp_path)] == ["bell.py", "bell.md", "bell.h"]
    (tmp_path / "bell.toml").unlink()
    assert [path.name for path in generate.stale(tmp_path)] == ["bell.py", "bell.md", "bell.h"]


def test_two_devices_cannot_share_a_code(tmp_path: Path) -> None:
    (tmp_path / "bell.toml").write_text(BELL, "utf-8")
    (tmp_path / "gong.toml").write_text(BELL.replace('kind = "bell"', 'kind = "gong"'), "utf-8")
    with pytest.raises(BadDeclaration, match=r"gong.toml: code 250 belongs to bell.toml"):
        generate.products(tmp_path)


def test_a_declaration_is_named_like_its_kind(tmp_path: Path) -> None:
    (tmp_path / "gong.toml").write_text(BELL, "utf-8")
    with pytest.raises(BadDeclaration, match="name the file like the kind"):
        generate.products(tmp_path)


@pytest.mark.parametrize(
    ("right", "wrong", "told"),
    [
        ('meaning = "how often"', 'meening = "how often"', "did you mean 'meaning'"),
        ("hold_ms = 4000", "hold = 4000", "did you mean 'hold_ms'"),
        ("[live.Loudness]", "[lives.Loudness]", "did you mean 'live'"),
        ('type = "i8"', 'type = "int8"', "unknown type 'int8'"),
        ('type = "Lamp", meaning = "what', 'type = "Lmap", meaning = "what', "did you mean 'Lamp'"),
        ("max = 1000", "max = 70000", r"\[events.Rung\] line 2 max"),
        ("min = 1, max = 1000", "min = 9, max = 2", "max: must be a whole number from 9"),
        ('id = 2\nmeaning = "A whole', 'id = 1\nmeaning = "A whole', "id 1 is Rung's already"),
        ('name = "times", type = "u16"', 'name = "at", type = "u16"', "'at' is there already"),
        ('name = "times", type = "u16"', 'name = "class", type = "u16"', "not reserved"),
        ('name = "times", type = "u16"', 'name = "message", type = "u16"', "not reserved"),
        ('safe = "red"', 'safe = "blue"', "must be one of off, red, green"),
        ("safe = true", "safe = 1", "must be true or false"),
        ("hold_ms = 4000", "hold_ms = 1000", "hold_ms: must be a whole number from 2001"),
        ("bytes<300>", "bytes<1000>", f"room for {MAX_BODY}"),
        ("code = 250", "code = 256", "from 1 to 255"),
        ("code = 250\n", "", "'code' is missing"),
        ('{ name = "red", value = 1', '{ name = "red", value = 0', "red = 0 is there already"),
        ("[commands.Oil]", "[commands.Rung]", "share one namespace"),
        ('type = "bool", meaning', 'type = "bool", max = 1, meaning', "min and max mean nothing"),
    ],
)
def test_a_mistake_is_refused_with_its_place(right: str, wrong: str, told: str) -> None:
    assert right in BELL
    with pytest.raises(BadDeclaration, match=told) as caught:
        declared(BELL.replace(right, wrong, 1))
    assert str(caught.value).startswith("bell.toml: ")


def test_the_digest_follows_the_bytes_and_not_the_words() -> None:
    digest = declared(BELL).digest
    assert len(digest) == 8
    reworded = BELL.replace("Somebody rang.", "A guest rang.").replace('title = "Bell"', 'title = "Gong"')
    reworded = reworded.replace('meaning = "dark"', 'meaning = "no light"').replace("it has a lamp", "lamp")
    assert declared(reworded).digest == digest
    for right, wrong in (
        ("max = 1000", "max = 999"),
        ('unit = "ms"', 'unit = "us"'),
        ('{ name = "green", value = 2', '{ name = "green", value = 3'),
        ('name = "loud"', 'name = "noisy"'),
        ("safe = true", "safe = false"),
        ("hold_ms = 4000", "hold_ms = 4001"),
        ("bit = 0", "bit = 1"),
        ('type = "u64[8]"', 'type = "u64[7]"'),
    ):
        assert declared(BELL.replace(right, wrong, 1)).digest != digest, wrong


@given(st.one_of(rungs, tunes))
def test_a_message_comes_back_as_it_was(message: Any) -> None:
    assert type(message).decode(message.encode()) == message
    assert type(message).build(message.plain()) == message


@given(
    st.sampled_from([bell.Rung, bell.Tune, bell.Loudness, bell.Ring, bell.Oil, bell.Outputs]), st.binary(max_size=60)
)
def test_random_bytes_are_a_good_message_or_a_bad_one_and_nothing_else(kind: Any, body: bytes) -> None:
    try:
        message = kind.decode(body)
    except BadMessage:
        return
    assert message.encode() == body


@given(tunes, st.data())
def test_a_message_cut_short_or_drawn_out_is_bad(tune: Any, data: st.DataObject) -> None:
    body = tune.encode()
    cut = data.draw(st.integers(0, len(body) - 1))
    for wrong in (body[:cut], body + b"\0"):
        with pytest.raises(BadMessage):
            bell.Tune.decode(wrong)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("key", 8),
        ("key", -8),
        ("notes", (19,)),
        ("notes", (20,) * 65),
        ("score", b"x" * 301),
        ("title", "ü" * 11),
        ("lamps", (bell.Lamp.RED,) * 5),
        ("marks", (-1,)),
        ("length", 2**32),
    ],
)
def test_a_value_out_of_range_is_not_sent_and_is_named(field: str, value: Any) -> None:
    good = {"key": 0, "notes": (), "score": b"", "title": "", "lamps": (), "marks": (), "length": 0}
    with pytest.raises(BadMessage) as caught:
        bell.Tune(**{**good, field: value}).encode()
    assert (caught.value.message, caught.value.field) == ("Tune", field)


def test_a_value_out_of_range_is_not_taken_and_is_named() -> None:
    body = bell.Rung(at=1, times=1000, lamp=bell.Lamp.RED, loud=True).encode()
    for at, octet, field in ((5, 0xFF, "times"), (6, 3, "lamp"), (7, 2, "loud")):
        wrong = bytearray(body)
        wrong[at] = octet
        with pytest.raises(BadMessage) as caught:
            bell.Rung.decode(bytes(wrong))
        assert (caught.value.message, caught.value.field) == ("Rung", field)


def test_a_message_lies_on_the_wire_as_declared() -> None:
    rung = bell.Rung(at=0x01020304, times=513, lamp=bell.Lamp.GREEN, loud=True)
    assert rung.encode().hex() == "0403020101020201"
    tune = bell.Tune(
        key=-2, notes=(440, 880), score=b"\xaa", title="é", lamps=(bell.Lamp.OFF, bell.Lamp.RED), marks=(1,), length=5
    )
    wire = "fe02b80170030100aa02c3a902000101010000000000000005000000"
    assert tune.encode().hex() == wire


def test_plain_values_make_a_message_and_wrong_ones_do_not() -> None:
    made = bell.Outputs.build({"lamp": "green"}, bell.SPEC.safe)
    assert made == bell.Outputs(muted=True, lamp=bell.Lamp.GREEN)
    assert made.plain() == {"muted": True, "lamp": "green"}
    for wrong, told in (
        ({"lamp": "blue"}, "off, red, green"),
        ({"lmap": "red"}, "one of muted, lamp"),
        ({"muted": "yes"}, "muted"),
    ):
        with pytest.raises(BadMessage, match=told):
            bell.Outputs.build(wrong, bell.SPEC.safe)
    with pytest.raises(BadMessage, match="missing"):
        bell.Ring.build({})
    with pytest.raises(BadMessage, match="1 to 9"):
        bell.Ring.build({"times": 10})


def test_the_spec_knows_its_messages_and_safe_outputs() -> None:
    spec = bell.SPEC
    assert spec.events == {1: bell.Rung, 2: bell.Tune}
    assert spec.results == {1: bell.RingResult, 2: bell.OilResult}
    assert spec.safe == bell.Outputs(muted=True, lamp=bell.Lamp.RED)
    assert spec.hold_ms == {"muted": 4000, "lamp": 9000}
    assert spec.capabilities == {"lamp": 1}
    assert spec.digest == declared(BELL).digest
    assert spec.command_named("Ring") is bell.Ring
    with pytest.raises(BadMessage, match="one of Ring, Oil"):
        spec.command_named("Wring")


def test_a_device_may_have_nothing_to_set() -> None:
    mute = module_of(BELL[: BELL.index("[[outputs]]")], "declared_mute_bell")
    assert mute.SPEC.outputs.decode(b"") == mute.SPEC.safe
    with pytest.raises(BadMessage):
        mute.SPEC.outputs.decode(b"\0")


def test_the_reference_page_tells_every_name_unit_range_and_fallback() -> None:
    page = reference_page(declared(BELL))
    for words in (
        "Somebody rang.",
        "`times` | u16 |  | 1 to 1000",
        "| ms |",
        "4000 ms",
        "at most 64, each 20 to 20000",
    ):
        assert words in page


def test_what_a_firmware_author_must_know_stands_on_page_and_header_and_not_in_a_comment() -> None:
    for path in sorted(HERE.glob("*.toml")):
        text = path.read_text("utf-8")
        assert not [line for line in text.splitlines() if line.lstrip().startswith("#")], path.name
        declaration = load(path)
        assert declaration.notes
        header = " ".join(c_header(declaration).replace("\n *", " ").split())
        for note in declaration.notes:
            assert note in reference_page(declaration)
            assert " ".join(note.split()) in header


def test_card_codes_are_told_as_the_table_reads_them() -> None:
    for kind in ("shoe", "shuffler"):
        (note,) = [note for note in load(HERE / f"{kind}.toml").notes if "card code" in note]
        assert "1 + 13 × suit + rank" in note
        for words, card in (
            ("1 the two of spades", "2S"),
            ("13 the ace of spades", "AS"),
            ("14 the two of hearts", "2H"),
            ("52 the ace of clubs", "AC"),
        ):
            assert words in note
            assert CODE_OF[card] == int(words.split()[0])
    for suit, letter in enumerate("SHDC"):
        for rank, name in enumerate("23456789TJQKA"):
            assert CODE_OF[name + letter] == 1 + 13 * suit + rank


def test_lists_that_belong_together_are_of_equal_length() -> None:
    moved = chips.TagsChanged(0, 0, (1, 2), (3, 4), (), (), (), 2, False)
    assert chips.TagsChanged.decode(moved.encode()) == moved
    with pytest.raises(BadMessage, match="as many as added"):
        chips.TagsChanged(0, 0, (1, 2), (3,), (), (), (), 2, False).encode()
    body = bytearray(moved.encode())
    at = 4 + 2 + 1 + 16
    with pytest.raises(BadMessage, match="as many as added"):
        chips.TagsChanged.decode(bytes(body[:at]) + b"\1\3" + bytes(body[at + 3 :]))


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('as_many_as = "nothing"', "must name a list before it"),
        ('as_many_as = "key"', "must name a list before it"),
    ],
)
def test_a_partner_that_is_none_is_refused(line: str, told: str) -> None:
    text = BELL.replace('name = "lamps", type = "Lamp[4]"', f'name = "lamps", {line}, type = "Lamp[4]"')
    with pytest.raises(BadDeclaration, match=told):
        declared(text)
