"""Writes what comes from the declarations: `python -m firmware_specs.generate [--check]`.

A further product is one more entry in PRODUCTS.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from .c_header import c_header
from .declaration import BadDeclaration, Declaration, load
from .dissector import dissector
from .edition import edition
from .python_codec import python_module
from .reference_page import reference_page

HERE = Path(__file__).parent

#: where a product goes, and who writes it
PRODUCTS: tuple[tuple[str, Callable[[Declaration], str]], ...] = (
    ("messages/{kind}.py", python_module),
    ("pages/{kind}.md", reference_page),
    ("headers/{kind}.h", c_header),
)


def products(folder: Path) -> dict[Path, str]:
    """Every generated file as it should be, from all declarations in a folder."""
    wanted: dict[Path, str] = {}
    codes: dict[int, str] = {}
    declarations: list[Declaration] = []
    for path in sorted(folder.glob("*.toml")):
        declaration = load(path)
        if declaration.kind != path.stem:
            raise BadDeclaration(f"{path.name}: [device] kind is {declaration.kind!r}; name the file like the kind")
        if declaration.code in codes:
            raise BadDeclaration(f"{path.name}: code {declaration.code} belongs to {codes[declaration.code]}")
        codes[declaration.code] = path.name
        for place, write in PRODUCTS:
            wanted[folder / place.format(kind=declaration.kind)] = write(declaration)
        declarations.append(declaration)
    if (folder / "README.md").exists():
        wanted[folder / "table_link.lua"] = dissector(declarations)
        wanted[folder / "kit.html"] = edition(folder)
    return wanted


def stale(folder: Path) -> list[Path]:
    """Files that are missing, differ from their declaration, or have lost it."""
    wanted = products(folder)
    found = [path for path, text in wanted.items() if not path.exists() or path.read_text("utf-8") != text]
    for place, _ in PRODUCTS:
        suffix = Path(place).suffix
        for path in sorted((folder / Path(place).parent).glob(f"*{suffix}")):
            if path not in wanted and path.name != "__init__.py":
                found.append(path)
    return found


def main(arguments: list[str]) -> int:
    """Write, or with --check only tell what is stale."""
    if arguments not in ([], ["--check"]):
        print("usage: python -m firmware_specs.generate [--check]", file=sys.stderr)
        return 2
    try:
        behind = stale(HERE)
        wanted = products(HERE)
    except BadDeclaration as error:
        print(error, file=sys.stderr)
        return 2
    for path in behind:
        if arguments:
            print(
                f"{path.relative_to(HERE.parent)} does not match its declaration; run python -m firmware_specs.generate"
            )
        elif path in wanted:
            path.parent.mkdir(exist_ok=True)
            path.write_text(wanted[path], "utf-8")
            print(f"wrote {path.relative_to(HERE.parent)}")
        else:
            print(f"{path.relative_to(HERE.parent)} has no declaration any more; delete it")
    return 1 if arguments and behind else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
