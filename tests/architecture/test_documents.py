"""What the documents name exists: every path, every link, every command with its options, every target of make."""

from __future__ import annotations

import functools
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from controller.commands import main
from controller.rules.clauses import _imports
from tests import ROOT
from tests.whole.new_game.document import files

ROOMS = (
    "controller",
    "drivers",
    "firmware_specs",
    "simulators",
    "floor",
    "lab",
    "tests",
    "docs",
    "install",
    "distributions",
)
DOCUMENTS = sorted(
    path.relative_to(ROOT).as_posix()
    for room in (*ROOMS, "")
    for path in (ROOT / room).glob("**/*.md" if room else "*.md")
)
_FENCE = re.compile(r"^```(.*?)\n(.*?)^```", re.MULTILINE | re.DOTALL)
_SPAN = re.compile(r"`([^`\n]+)`")
_LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
_PATH = re.compile(rf"(?:{'|'.join(ROOMS)})/[\w./*<>{{}},-]*")
_MODULE = re.compile(r"\w[\w/]*\.(?:py|js)")
_DOTTED = re.compile(r"(?:controller|drivers|firmware_specs|simulators|floor|lab)(?:\.\w+)+")


def read(document: str) -> str:
    return (ROOT / document).read_text("utf-8")


def prose(document: str) -> str:
    """Without what stands between fences."""
    return _FENCE.sub("", read(document))


def spans(document: str) -> Iterator[str]:
    """Whatever is written as code within a line; a bar in a table is escaped."""
    return (span.replace("\\|", "|") for span in _SPAN.findall(prose(document)))


def shell_lines(document: str) -> Iterator[str]:
    """The lines of fences that show a terminal, without their remarks; a block with a path is a file."""
    for kind, body in _FENCE.findall(read(document)):
        if kind.strip() in ("", "sh", "bash", "console", "shell"):
            for line in body.replace("\\\n", " ").splitlines():
                yield line.partition(" # ")[0].strip().removeprefix("$ ").removeprefix("sudo ")


# -- paths ---------------------------------------------------------------------------------------------------------


@functools.cache
def shown_files() -> frozenset[str]:
    """The files that a document builds, and the folders they lie in."""
    return frozenset({*files(), *(f"{parent}/" for path in files() for parent in Path(path).parents)})


def alternatives(path: str) -> list[str]:
    """`a/{b,c}.py` names two; `<device>` stands for any."""
    found = re.search(r"\{([^}]*)\}", path)
    if found is None:
        return [re.sub(r"<[^>]*>", "*", path)]
    return [one for part in found[1].split(",") for one in alternatives(path.replace(found[0], part, 1))]


def there(path: str) -> bool:
    if path in shown_files() or f"{path}/" in shown_files():
        return True
    return all(any(ROOT.glob(one.rstrip("/.") or ".")) for one in alternatives(path))


def missing_paths(document: str) -> list[str]:
    named = [path.rstrip(".,") for span in spans(document) for path in _PATH.findall(span) if span.startswith(path[:8])]
    return sorted({path for path in named if not there(path)})


@functools.cache
def _tails() -> frozenset[str]:
    """Every file by every end of its path."""
    kept = [path.relative_to(ROOT).as_posix() for room in ROOMS for path in (ROOT / room).rglob("*") if path.is_file()]
    parts = [path.split("/") for path in (*kept, *files())]
    return frozenset("/".join(one[at:]) for one in parts for at in range(len(one)))


def missing_modules(document: str) -> list[str]:
    named = {span for span in spans(document) if _MODULE.fullmatch(span)}
    return sorted(named - _tails())


def missing_names(document: str) -> list[str]:
    """Modules, classes and functions under their full names; what a document builds is not here to be imported."""
    named = {span for span in spans(document) if _DOTTED.fullmatch(span) and "highcard" not in span}
    return sorted(name for name in named if not _imports(name))


def missing_links(document: str) -> list[str]:
    here = (ROOT / document).parent
    links = [link for link in _LINK.findall(prose(document)) if "://" not in link and not link.startswith("mailto:")]
    return sorted({link for link in links if not (here / link).exists()})


# -- commands ------------------------------------------------------------------------------------------------------


def wrong_command(words: list[str]) -> str:
    """What is wrong with the words after `tablectl`; nothing where each is a command, an option or what it takes."""
    command: click.Command = main
    context = click.Context(main, info_name="tablectl")
    while words and isinstance(command, click.Group):
        if words[0].startswith("-") or not words[0][0].isalpha():
            break
        for name in words[0].split("|"):
            inner = command.get_command(context, name)
            if inner is None:
                return f"there is no command {name!r} of {context.command_path!r}"
        assert inner is not None
        command, words = inner, words[1:]
        context = click.Context(command, context, info_name=command.name)
    known = {name for one in command.get_params(context) for name in (*one.opts, *one.secondary_opts)}
    for word in words:
        option = word.partition("=")[0].rstrip(".,;…")
        if option.startswith("--") and option not in known:
            return f"{context.command_path!r} has no option {option!r}"
    return ""


def commands(document: str) -> Iterator[str]:
    for text in (*spans(document), *shell_lines(document)):
        for part in re.split(r"\s+(?:&&|\||;)\s+", text):
            if re.match(r"(?:\S*/)?tablectl ", part):
                yield part


def wrong_commands(document: str) -> list[str]:
    found = []
    for text in commands(document):
        try:
            words = shlex.split(text.replace("…", ""))[1:]
        except ValueError:
            words = text.split()[1:]
        if wrong := wrong_command([word for word in words if word]):
            found.append(f"`{text}`: {wrong}")
    return found


def targets() -> set[str]:
    return set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))


def wrong_targets(document: str) -> list[str]:
    named = [
        match[1]
        for text in (*spans(document), *shell_lines(document))
        if (match := re.match(r"make ([a-z][\w-]*)", text))
    ]
    return sorted(set(named) - targets())


# -- the tests -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("document", DOCUMENTS)
def test_what_a_document_names_is_there(document: str) -> None:
    assert missing_paths(document) == []
    assert missing_modules(document) == []
    assert missing_names(document) == []
    assert missing_links(document) == []


@pytest.mark.parametrize("document", DOCUMENTS)
def test_what_a_document_has_people_type_can_be_typed(document: str) -> None:
    assert (wrong_commands(document), wrong_targets(document)) == ([], [])


def mapped(room: str) -> set[str]:
    """What the map in docs/architecture.md names in a room."""
    chapter = read("docs/architecture.md").partition(f"In `{room}/`:\n")[2].partition("\nIn `")[0].partition("\n## ")[0]
    rows = [line.split("|")[1] for line in chapter.splitlines() if line.startswith("| `")]
    return {name.rstrip("/") for row in rows for name in _SPAN.findall(row)}


@pytest.mark.parametrize("room", ["controller", "drivers", "simulators", "lab", "tests/whole"])
def test_the_map_names_everything_in_a_room_and_nothing_else(room: str) -> None:
    left_out = ("__init__.py", "__pycache__")
    there_is = {path.name for path in (ROOT / room).iterdir() if path.name not in left_out and _holds_something(path)}
    assert mapped(room) == there_is


def _holds_something(path: Path) -> bool:
    """A module, or a folder in which more is left than what Python keeps of modules that were there."""
    return path.suffix == ".py" or (path.is_dir() and any(one.suffix != ".pyc" for one in path.rglob("*.*")))


def listed() -> list[str]:
    """The commands in the table of the README."""
    chapter = read("README.md").partition("## Commands")[2].partition("\n## ")[0]
    rows = [line for line in chapter.splitlines() if line.startswith("| a")]
    return [span.replace("\\|", "|") for row in rows for span in _SPAN.findall(row) if not span.startswith("--")]


def test_the_table_of_commands_names_each_and_no_other() -> None:
    assert [wrong for one in listed() if (wrong := wrong_command(one.replace("…", "").split()))] == []
    context = click.Context(main)
    assert set(main.list_commands(context)) - {one.split()[0] for one in listed()} == set()


def test_a_path_a_command_or_an_option_that_is_not_there_is_found() -> None:
    assert not there("controller/rules/books/*.toml")
    assert there("drivers/<device>.py")
    assert there("controller/games/highcard/page.js")
    assert not there("controller/games/highcard/other.js")
    assert "no command 'nothing'" in wrong_command(["rules", "nothing"])
    assert "no option '--nothing'" in wrong_command(["sim", "--nothing"])
    assert wrong_command(["journal", "show|verify", "FILE"]) == ""
