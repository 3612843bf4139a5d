"""Wrong files: configuration, rulebooks, scenarios, rigs, chip and card registers, staff, profiles, clause indexes."""

from __future__ import annotations

import gzip
import hashlib
import json
import tempfile
from collections.abc import Callable, Sequence
from importlib import resources
from io import StringIO
from pathlib import Path
from typing import Any

import msgspec

from controller import games
from controller.cards.seal import CUT, FACES, read_deck
from controller.config.checks import problems
from controller.config.file import check_config, config_in
from controller.config.kept import from_plain, plain
from controller.config.tomlread import ConfigError, Document, convert
from controller.devices import wheel_profile
from controller.games.wheel.config import WheelSection
from controller.games.wheel.rules import WheelRules, check_wheels
from controller.journal.file import GENESIS, chained
from controller.money.lists import export_list, import_lists
from controller.money.register import MAGIC, RegisterFile
from controller.people.player_cards import PlayerCard, read_player_list
from controller.people.staff import Member, Staff, pin_fits, read_staff, with_pin
from controller.pi.evidence import FORM, EvidenceTrouble, verify_export
from controller.rules import clauses, rulebook
from controller.web.routes import Pressed
from drivers.motion.profile import WheelProfile, simulated_wheel
from lab.proofs.fuzz.campaign import Nonsense
from lab.proofs.fuzz.mutate import Mutator, words_of
from lab.rig.file import Rig, read_rig
from lab.scenarios.file import ScenarioError, read_cases
from lab.sim.config import default_config

Check = Callable[[Path], None]


class Files:
    """One reader of files; `check` reads the file that lies at a path and looks at what it accepted."""

    def __init__(
        self,
        seed: int,
        name: str,
        what: str,
        samples: Sequence[bytes],
        check: Check,
        refusals: tuple[type[Exception], ...] = (ConfigError,),
        *,
        trees: bool = False,
        suffix: str = "",
    ) -> None:
        """`trees` are JSON files, which are changed by their values as well as by their text."""
        self.name, self.what, self.refusals = name, what, refusals
        self._check = check
        self._mutator = Mutator(f"{seed} {name}")
        self._samples = list(samples)
        self._texts = [sample.decode(errors="replace") for sample in samples]
        self._words = words_of(self._texts)
        self._trees: list[Any] = [json.loads(text) for text in self._texts] if trees else []
        self._folder = tempfile.TemporaryDirectory(prefix="tablectl-fuzz-")
        self._path = Path(self._folder.name) / f"file{suffix}"
        self._path.touch(mode=0o600)

    def next(self) -> bytes:
        draw, chance = self._mutator.draw, self._mutator.draw.random()
        place = draw.randrange(len(self._samples))
        if chance < 0.02:
            return self._samples[place]
        if chance < 0.15:
            return self._mutator.octets(self._samples[place], self._samples)
        if self._trees and chance < 0.8:
            return json.dumps(self._mutator.tree(self._trees[place], self._trees)).encode()
        return self._mutator.text(self._texts[place], self._words, self._texts).encode(errors="surrogatepass")

    def take(self, octets: bytes) -> int:
        with self._path.open("wb") as file:
            file.write(octets)
        self._check(self._path)
        return 1

    def close(self) -> None:
        self._folder.cleanup()


# -- configuration, rigs, rulebooks ------------------------------------------------------------------------------


def _examples() -> list[bytes]:
    folder = resources.files("controller.examples")
    return [
        one.read_bytes() for one in sorted(folder.iterdir(), key=lambda file: file.name) if one.name.endswith(".toml")
    ]


def _config(path: Path) -> None:
    config = check_config(path)
    if from_plain(msgspec.json.decode(msgspec.json.encode(plain(config)))) != config:
        raise Nonsense("the configuration means something else once it was in the journal")
    if list(problems(config)):
        raise Nonsense("what was accepted from the file is refused as a value")
    if not 0 < config.limits.min <= config.limits.max:
        raise Nonsense(f"limits of {config.limits}")


def _parts(path: Path) -> None:
    """A whole configuration needs files beside it, so most wrong ones end there; this reads the text alone."""
    document = Document(path.name, path.read_text(errors="replace"))
    config = config_in(document)
    for problem in problems(config):
        raise document.error(problem.keys, problem.what, problem.remedy)
    if from_plain(msgspec.json.decode(msgspec.json.encode(plain(config)))) != config:
        raise Nonsense("the configuration means something else once it was in the journal")


RIG = b"""
name = "bench 2"
speed = 1.0
[devices.wheel]
port = "/dev/serial/by-id/usb-wheel-sensor"
serial = "WS-0001"
control = "wheel.sock"
[devices.chips]
simulated = true
port = "pty"
[devices.shoe]
kind = "shoe"
program = "./shoe --port {port}"
[devices.left]
kind = "cards"
simulated = true
port = "/dev/ttyUSB1"
simulator_port = "/dev/ttyUSB2"
"""


def _rig(path: Path) -> None:
    rig = read_rig(path)
    if msgspec.json.decode(msgspec.json.encode(rig), type=Rig) != rig:
        raise Nonsense("the rig means something else once it was written")
    for place in rig.devices:
        if not rig.kind(place):
            raise Nonsense(f"nothing stands at {place!r}")


def _rulebooks() -> list[bytes]:
    return [path.read_bytes() for path in games.rulebooks().values()]


def _rulebook(path: Path) -> None:
    """As a rulebook is read when a table is built, but from this file."""
    document = Document(path.name, path.read_text(errors="replace"))
    title = document.values.get("rulebook")
    name = title.get("id") if isinstance(title, dict) else None
    if name not in rulebook.rulebook_ids():
        raise ConfigError(f"{path}: no rulebook of this name")
    head = {key: value for key, value in document.values.items() if key in rulebook.HEADER}
    book = convert(document, rulebook.Rulebook, head)
    rulebook._check_header(document, book, str(name))
    body = {key: value for key, value in document.values.items() if key not in rulebook.HEADER}
    kind = type(games.find(book.game).rules(str(name)))
    rules = convert(document, kind, body)
    if isinstance(rules, WheelRules):
        check_wheels(document, rules, str(name))
    again = msgspec.json.decode(msgspec.json.encode(rules), type=kind)
    if again != rules:
        raise Nonsense("the rules mean something else once they were written")


def _clauses(path: Path) -> None:
    for clause in clauses.read_index("melbourne-wheel", path.read_text(errors="replace")):
        if not clause.clause or clause.role not in clauses.ROLES:
            raise Nonsense(f"a clause without name or role: {clause}")


# -- chips, cards, people ----------------------------------------------------------------------------------------

CHIPS = b"""tag,kind,value,set,colour,table,state
e00401500011a001,cash,5,,,,live
e00401500011a002,cash,2.50,,,,retired
e00401500011a003,colour,,R7,blue,Roulette 7,live
e00401500011a004,token,100,,,,missing
0x1f,tournament,500,,,,live
"""


def _chip_list(path: Path) -> None:
    register = path.with_name("register")
    register.unlink(missing_ok=True)
    count = import_lists(register, [path])
    opened = RegisterFile(register)
    entries = list(opened)
    written = StringIO()
    export_list(opened, written)
    opened.close()
    tags = [entry.tag for entry in entries]
    if len(entries) != count or tags != sorted(set(tags)):
        raise Nonsense(f"{count} tags were imported and {len(entries)} are there")
    for entry in entries:
        if entry.chip.kind != "colour" and not 0 < entry.chip.cents <= 10_000_000_000:
            raise Nonsense(f"a chip is worth {entry.chip.cents} cents")
    again, second = path.with_name("again"), path.with_name("second")
    again.write_text(written.getvalue(), encoding="utf-8", newline="")
    second.unlink(missing_ok=True)
    import_lists(second, [again])
    reopened = RegisterFile(second)
    same = list(reopened) == entries
    reopened.close()
    if not same:
        raise Nonsense("the exported list gives another register")


def _register_sample() -> bytes:
    with tempfile.TemporaryDirectory(prefix="tablectl-fuzz-") as folder:
        (Path(folder) / "list").write_bytes(CHIPS)
        import_lists(Path(folder) / "register", [Path(folder) / "list"])
        return (Path(folder) / "register").read_bytes()


def _chip_register(path: Path) -> None:
    """The digest is made right again: what passes it must still be looked at."""
    body = path.read_bytes()[len(MAGIC) + 32 :]
    path.write_bytes(MAGIC + hashlib.blake2b(body, digest_size=32).digest() + body)
    register = RegisterFile(path)
    try:
        entries = list(register)
        register.counts()
        for entry in entries:
            if register.entry(entry.tag) is None:
                raise Nonsense(f"tag {entry.tag:x} is listed and not found")
        if len(entries) != len(register):
            raise Nonsense(f"{len(register)} tags are announced and {len(entries)} are there")
    finally:
        register.close()


def _deck_sample() -> bytes:
    rows = [f"{0xE0040150009A1000 + number:x},{face}" for number, face in enumerate(FACES)]
    return "\n".join(["# blue", *rows, f"e0040150009affff,{CUT}"]).encode()


def _deck(path: Path) -> None:
    deck = read_deck(path)
    faces = [face for face in deck.values() if face != CUT]
    if len(faces) % len(FACES) or len(set(faces)) != len(FACES):
        raise Nonsense(f"a deck of {len(faces)} cards")
    if any(not 0 <= tag < 1 << 64 for tag in deck):
        raise Nonsense("a tag that no antenna can read")


PLAYERS = b"number,state,until\n6007012345678901,valid,0\n6007012345678902,blocked,\n60070123,withdrawn,1767225600000\n"


def _players(path: Path) -> None:
    known = read_player_list(path.name, path.read_text(errors="replace"), lambda number: f"card {number}")
    for name, card in known.items():
        if name != card.card or not 0 <= card.until < 1 << 63:
            raise Nonsense(f"a card valid until {card.until}")
        if msgspec.json.decode(msgspec.json.encode(card), type=PlayerCard) != card:
            raise Nonsense("a card means something else once it was written")


def _staff_sample() -> bytes:
    staff = Staff(
        {
            "S1": Member("S1", "Alex", {"melbourne-wheel": "dealer"}, "a" * 32),
            "S2": Member("S2", "Billie", {"melbourne-wheel": "supervisor", "perth-war": "supervisor"}, "b" * 32),
        }
    )
    return msgspec.json.encode(with_pin(staff, "S2", "2580", bytes(16)))


def _staff(path: Path) -> None:
    staff = read_staff(path)
    books = [rulebook.load_rulebook(book) for book in rulebook.rulebook_ids()]
    for member in staff.members.values():
        if any(not 0 <= member.level(book) <= len(book.ranks) for book in books):
            raise Nonsense(f"{member} has a rank outside the ladder")
        if member.pin and len(member.pin) < 4_000 and not member.pin.startswith("scrypt$14$8$1$"):
            pin_fits("2580", member.pin)
    if msgspec.json.decode(msgspec.json.encode(staff), type=Staff) != staff:
        raise Nonsense("the register means something else once it was written")


def _profile(path: Path) -> None:
    config = default_config("wheel")
    wheel = msgspec.structs.replace(config.own(WheelSection), profile=str(path))
    profile = wheel_profile(msgspec.structs.replace(config, play=wheel))
    if WheelProfile.decode(profile.encode()) != profile:
        raise Nonsense("the profile means something else once it was written")


PRESSED = b'{"name": "limits", "place": "dealer", "args": {"least": 500, "most": 50000, "boxes": [1, 2], "x": null}}'
BODY = b'{"event":{"type":"Stopped"}}'


def _evidence_sample() -> bytes:
    before = GENESIS.hex()
    head = {
        "gaming_day": FORM,
        "table": "T",
        "day": "2026-01-01",
        "begin": 1,
        "end": 9,
        "first": 1,
        "last": 2,
        "before": before,
    }
    one = chained(GENESIS, 1, 5, BODY)
    two = chained(one, 2, 6, BODY)
    rows = [
        {"seq": seq, "at": at, "body": BODY.decode(), "hash": known.hex()}
        for seq, at, known in ((1, 5, one), (2, 6, two))
    ]
    return "\n".join(json.dumps(line) for line in (head, *rows)).encode() + b"\n"


def _evidence(path: Path) -> None:
    """Half of what is changed lies inside the compressed file, half in the file itself."""
    octets = path.read_bytes()
    if len(octets) % 2:
        path.write_bytes(gzip.compress(octets, 1))
    day = verify_export(path)
    if not 0 <= day.last - day.first + 1 <= 2:
        raise Nonsense(f"an exported day of the events {day.first} to {day.last}")


def _pressed(path: Path) -> None:
    """A key as a screen sends it, with its arguments."""
    pressed = msgspec.json.decode(path.read_bytes(), type=Pressed)
    if msgspec.json.decode(msgspec.json.encode(pressed), type=Pressed) != pressed:
        raise Nonsense("a key means something else once it was written")


# -- scenarios ---------------------------------------------------------------------------------------------------

SCENARIOS: tuple[Any, ...] = (
    {
        "id": "wheel", "rulebook": "melbourne-wheel", "title": "a win",
        "config": {"option": 1, "min": 5, "max": 100, "smallest_chip": 1, "unit": 5,
                   "personal": {"p1": {"max": 500, "marker": True}}},
        "wagers": [{"id": "a", "player": "p1", "symbol": "A", "amount": 300}],
        "spin": {"rest_symbol": "A", "forward_compartments": 190},
        "events": [{"do": "answer", "subject": "spin", "answer": "stands", "rank": 2, "reason": "sensor_fault"}],
        "faults": [{"device": "wheel", "fault": "drop", "at_event": 2}],
        "expected": {"outcome": "A", "wagers": [{"wager": "a", "result": "win", "pays": 300}]}, "clauses": ["7.2"],
    },
    {
        "id": "war", "rulebook": "star-war", "title": "a war", "decks": 6,
        "config": {"min": 10, "max": 500, "unit": None, "smallest_chip": 2.5, "source": "shoe"},
        "wagers": [{"box": 1, "wagers": [
            {"id": "a", "player": "P1", "type": "main", "amount": 50, "stage": "initial"},
            {"id": "b", "player": "P1", "type": "war", "amount": 50, "stage": "war"}]}],
        "cards": ["8S", "8D", "QC", "7H"], "to": ["box1", "dealer", "box1", "dealer"],
        "decisions": [{"box": 1, "player": "P1", "choice": "war"}], "events": [],
        "expected": [{"wager": "a", "box": 1, "player": "P1", "type": "main", "result": "standoff", "pays": 0}],
        "clauses": ["9.2.1"],
    },
    {
        "id": "poker", "rulebook": "melbourne-poker", "game": "Holdem", "title": "values",
        "inputs": {"board": "3d5h8cKcKs", "hands": {"1": "As2s", "2": "AcQh"}, "omaha": False, "hilo": False},
        "expected": {"high_winners": ["1", "2"]}, "clauses": ["8.20"],
    },
)  # fmt: skip


def _scenario(path: Path) -> None:
    for case in read_cases(path):
        if not case.id or not case.game:
            raise Nonsense("a case without name or game")


TARGETS: dict[str, Callable[[int], Files]] = {
    "config": lambda seed: Files(seed, "config", "the configuration reader", _examples(), _config, suffix=".toml"),
    "config-text": lambda seed: Files(seed, "config-text", "the configuration's own values", _examples(), _parts),
    "rulebook": lambda seed: Files(seed, "rulebook", "the rulebook reader", _rulebooks(), _rulebook),
    "rig": lambda seed: Files(seed, "rig", "the reader of rig files", [RIG], _rig),
    "scenario": lambda seed: Files(
        seed, "scenario", "the scenario reader", [json.dumps(one).encode() for one in (list(SCENARIOS), *SCENARIOS)],
        _scenario, (ScenarioError,), trees=True,
    ),
    "chip-list": lambda seed: Files(seed, "chip-list", "the reader of chip lists", [CHIPS], _chip_list),
    "chip-register": lambda seed: Files(
        seed, "chip-register", "the chip register", [_register_sample()], _chip_register
    ),
    "deck": lambda seed: Files(seed, "deck", "the deck register", [_deck_sample()], _deck),
    "players": lambda seed: Files(seed, "players", "the list of player cards", [PLAYERS], _players),
    "staff": lambda seed: Files(seed, "staff", "the staff register", [_staff_sample()], _staff, trees=True),
    "evidence": lambda seed: Files(
        seed, "evidence", "the exported gaming day",
        [_evidence_sample(), gzip.compress(_evidence_sample(), 1, mtime=0)], _evidence, (EvidenceTrouble,),
    ),
    "pressed": lambda seed: Files(
        seed, "pressed", "a key that a screen sends", [PRESSED], _pressed,
        (msgspec.MsgspecError, UnicodeDecodeError, RecursionError), trees=True,
    ),
    "profile": lambda seed: Files(
        seed, "profile", "the wheel's profile", [simulated_wheel().encode()], _profile, trees=True
    ),
    "clauses": lambda seed: Files(
        seed, "clauses", "the index of clauses",
        [games.clauses()["melbourne-wheel"].read_bytes()[:6_000]],
        _clauses, (clauses.ClauseIndexError,),
    ),
}  # fmt: skip
"""Readers of files, by name."""
