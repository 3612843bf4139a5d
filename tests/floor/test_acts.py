"""Keys of tables join and are revoked by two persons; the floor signs each act, and a changed one is noticed."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from controller.journal.cosignature import WitnessKey, read_witness_key
from controller.journal.head import Head, TableKey
from controller.uplink.messages import Address
from controller.uplink.nkey import BrokerKey
from floor.acts import ActTrouble, Person, Wanted, add, broker_users, known, read_acts
from floor.commands import floor as command
from floor.config import read_floor
from floor.give import who
from floor.run import Floor
from tests.floor.running import TOML

FLOOR, STRANGER = WitnessKey("tablectl-floor/test", bytes(32)), WitnessKey("tablectl-floor/test", bytes([7]) * 32)
MANAGER, SUPERVISOR, INSPECTOR = Person("F3", 3), Person("F2", 2), Person("F1", 1)
BOTH = (SUPERVISOR, MANAGER)
ADDRESS = Address("t1", "00ff")
OLD, NEW = TableKey(bytes([1]) * 32), TableKey(bytes([2]) * 32)
NKEY = BrokerKey(bytes([5]) * 32).public


def line(key: TableKey, table: str = "t1") -> str:
    return key.public(f"tablectl/{table}/00ff").text()


def test_a_new_key_joins_and_a_lost_one_is_revoked(tmp_path: Path) -> None:
    lines, path = tmp_path / "tables.keys", tmp_path / "tables.acts"
    lines.write_text(line(OLD) + "\n")
    add(path, FLOOR, Wanted("join", line(NEW), "a spare Pi", NKEY), BOTH, 1_000)
    add(path, FLOOR, Wanted("revoke", line(OLD), "its card was lost"), BOTH, 2_000)
    acts = read_acts(path, FLOOR.public)
    assert [(act.number, act.what, act.by, act.why) for act in acts] == [
        (1, "join", ("F2", "F3"), "a spare Pi"),
        (2, "revoke", ("F2", "F3"), "its card was lost"),
    ]
    tables = known(lines, acts)
    head = Head("tablectl/t1/00ff", 5, bytes(32))
    assert [tables.signed(ADDRESS, OLD.sign(head), at) for at in (1_999, 2_000)] == ["known", "revoked"]
    assert tables.signed(ADDRESS, NEW.sign(head), 9_000) == "known"
    assert tables.signed(ADDRESS, TableKey(bytes(32)).sign(head), 1) == "wrong"
    assert broker_users(acts) == {"t1": (NKEY,)}
    add(path, FLOOR, Wanted("revoke", line(NEW), "stolen"), BOTH, 3_000)
    assert broker_users(read_acts(path, FLOOR.public)) == {}


@pytest.mark.parametrize(
    ("by", "wanted", "why"),
    [
        ((MANAGER, MANAGER), Wanted("join", line(NEW), "spare"), "two persons"),
        ((SUPERVISOR, Person("F4", 2)), Wanted("join", line(NEW), "spare"), "needs a manager"),
        ((INSPECTOR, MANAGER), Wanted("join", line(NEW), "spare"), "supervisor or manager"),
        (BOTH, Wanted("join", line(NEW), "  "), "Say why"),
        (BOTH, Wanted("join", line(NEW)[:-4], "spare"), "key"),
        (BOTH, Wanted("join", line(NEW), "spare", NKEY[:-1] + "A"), "no key of a broker"),
        (BOTH, Wanted("join", line(OLD), "again"), "never comes back"),
    ],
)
def test_an_act_that_cannot_be_is_refused(tmp_path: Path, by: tuple[Person, Person], wanted: Wanted, why: str) -> None:
    path = tmp_path / "tables.acts"
    add(path, FLOOR, Wanted("revoke", line(OLD), "lost"), BOTH, 1)
    with pytest.raises(ActTrouble, match=why):
        add(path, FLOOR, wanted, by, 2)
    assert len(read_acts(path, FLOOR.public)) == 1


def test_a_key_joins_once(tmp_path: Path) -> None:
    path = tmp_path / "tables.acts"
    add(path, FLOOR, Wanted("join", line(NEW), "new"), BOTH, 1)
    with pytest.raises(ActTrouble, match="joined already"):
        add(path, FLOOR, Wanted("join", line(NEW), "new"), BOTH, 2)


def three(path: Path) -> list[bytes]:
    for number in (1, 2, 3):
        add(path, FLOOR, Wanted("join", line(TableKey(bytes([number + 10]) * 32), f"t{number}"), "new"), BOTH, number)
    return path.read_bytes().splitlines(keepends=True)


@pytest.mark.parametrize("damage", ["changed", "removed", "swapped", "forged", "garbage"])
def test_whoever_changes_the_file_is_noticed(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "tables.acts"
    lines = three(path)
    if damage == "forged":
        add(tmp_path / "other", STRANGER, Wanted("join", line(NEW), "mine"), BOTH, 9)
        lines = [(tmp_path / "other").read_bytes()]
    changed = {
        "changed": [lines[0].replace(b"F2", b"F9"), *lines[1:]],
        "removed": [lines[0], *lines[2:]],
        "swapped": [lines[0], *reversed(lines[1:])],
        "forged": lines,
        "garbage": [*lines, b"not an act\n"],
    }
    path.write_bytes(b"".join(changed[damage]))
    with pytest.raises(ActTrouble, match=r"tables\.acts:\d: "):
        read_acts(path, FLOOR.public)


def test_acts_without_the_floor_s_key_are_told(tmp_path: Path) -> None:
    three(tmp_path / "tables.acts")
    with pytest.raises(ActTrouble, match="restore it from its backup"):
        read_acts(tmp_path / "tables.acts", None)


def floor_folder(folder: Path) -> list[str]:
    config = folder / "floor.toml"
    config.write_text(TOML.format(url="nats://127.0.0.1:4222") + 'nkey = "floor.nk"\n')
    for number, rank in (("F1", "inspector"), ("F2", "supervisor"), ("F3", "manager")):
        done = run("staff", number, "--name", number, "--rank", rank, "--pin", "7301", "--config", str(config))
        assert done.exit_code == 0, done.output
    assert run("key", "--config", str(config)).exit_code == 0
    return ["--config", str(config)]


def run(*words: str, said: str = "") -> Result:
    return CliRunner().invoke(command, list(words), input=said)


def test_two_persons_with_their_pins_let_a_key_join_and_the_broker_s_file_says_so(tmp_path: Path) -> None:
    config = floor_folder(tmp_path)
    words = ["join", line(NEW), "--nkey", NKEY, "--by", "F2", "--by", "F3", "--why", "a spare Pi", *config]
    wrong = run(*words, said="7301\n9999\n")
    assert (wrong.exit_code, "do not belong together" in wrong.output) == (1, True)
    done = run(*words, said="7301\n7301\n")
    assert (done.exit_code, "act 1: join a key of t1" in done.output) == (0, True)
    alone = run("revoke", line(NEW), "--by", "F3", "--why", "lost", *config)
    assert (alone.exit_code != 0, "two persons" in alone.output) == (True, True)
    written = run("broker", *config).output
    assert NKEY in written
    assert '"rows.t1.*"' in written
    assert (
        run("revoke", line(NEW), "--by", "F3", "--by", "F2", "--why", "lost", *config, said="7301\n7301\n").exit_code
        == 0
    )
    assert NKEY not in run("broker", *config).output


def test_somebody_s_rank_at_a_rulebook_is_kept_with_them(tmp_path: Path) -> None:
    config = floor_folder(tmp_path)
    words = ["staff", "F4", "--name", "Dale", "--rank", "manager", "--pin", "7301", *config]
    for wrong in ("melbourne-wheel", "melbourne-wheel=Duke", "no-book=AM"):
        assert run(*words, "--at", wrong).exit_code != 0
    assert run(*words, "--at", "melbourne-wheel=ACM").exit_code == 0
    giver = who(read_floor(tmp_path / "floor.toml"), "F4", lambda: "7301")
    assert (giver.rank_at("melbourne-wheel"), giver.rank_at("perth-war")) == ("ACM", "TGM")


def test_whoever_is_dismissed_signs_nothing_any_more(tmp_path: Path) -> None:
    config = floor_folder(tmp_path)
    assert run("staff", "F4", "--name", "Dale", "--rank", "manager", "--pin", "7301", *config).exit_code == 0
    wrong = run("dismiss", "F9", *config)
    assert wrong.exit_code == 2
    assert "F4" in wrong.output
    assert run("dismiss", "F4", *config).exit_code == 0
    with pytest.raises(Exception, match=r"do not belong together|Nobody"):
        who(read_floor(tmp_path / "floor.toml"), "F4", lambda: "7301")


def test_whoever_stands_in_the_floor_s_own_file_is_dismissed_there(tmp_path: Path) -> None:
    config = floor_folder(tmp_path)
    told = tmp_path / "floor.toml"
    told.write_text(told.read_text() + '[[staff]]\nid = "P1"\nname = "Petra"\nrank = "inspector"\n')
    wrong = run("dismiss", "P1", *config)
    assert wrong.exit_code == 2
    assert "[[staff]]" in wrong.output


def test_the_check_of_the_store_follows_the_acts_too(tmp_path: Path) -> None:
    config = floor_folder(tmp_path)
    add(tmp_path / "tables.acts", read_witness_key(tmp_path / "floor.key"), Wanted("join", line(NEW), "new"), BOTH, 1)
    assert run("check", *config).exit_code == 0
    kept = (tmp_path / "tables.acts").read_bytes()
    (tmp_path / "tables.acts").write_bytes(kept.replace(b"F2", b"F9"))
    done = run("check", *config)
    assert (done.exit_code != 0, "this floor did not sign it" in done.output) == (True, True)


def test_a_running_floor_knows_an_act_without_a_restart(tmp_path: Path) -> None:
    floor_folder(tmp_path)
    floor = Floor(read_floor(tmp_path / "floor.toml"))
    add(tmp_path / "tables.acts", read_witness_key(tmp_path / "floor.key"), Wanted("join", line(NEW), "new"), BOTH, 1)
    floor.listener.looked()
    assert "t1" in floor.intake._known
    (tmp_path / "tables.acts").write_bytes(b"broken\n")
    floor.listener.looked()
    assert "t1" in floor.intake._known, "what cannot be read changes nothing"
    floor.close()
