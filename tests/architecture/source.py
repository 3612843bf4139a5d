"""Reads the product's own source for the architecture tests: imports, names in use, calls."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from pathlib import Path

from tests import ROOT

PACKAGES = ("firmware_specs", "drivers", "simulators", "controller", "floor", "lab")


class Source:
    """One module: where it lies, its tree, and what each local name stands for."""

    def __init__(self, path: Path, root: Path) -> None:
        self.path = path.relative_to(root).as_posix()
        self.text = path.read_text(encoding="utf-8")
        self.tree = ast.parse(self.text, self.path)
        self.nodes = list(ast.walk(self.tree))
        self.module = self.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        self.names: dict[str, str] = {}
        for dotted, alias, _ in self._bindings():
            self.names[alias] = dotted

    def imports(self) -> Iterator[tuple[str, int]]:
        """Every module or name imported, wherever in the file, with its line."""
        for dotted, _, line in self._bindings():
            yield dotted, line

    def _bindings(self) -> Iterator[tuple[str, str, int]]:
        for node in self.nodes:
            if isinstance(node, ast.Import):
                for name in node.names:
                    dotted = name.name if name.asname else name.name.partition(".")[0]
                    yield name.name if name.asname else dotted, name.asname or dotted, node.lineno
                    if not name.asname and "." in name.name:
                        yield name.name, dotted + "\0", node.lineno
            elif isinstance(node, ast.ImportFrom):
                base = self._base(node)
                for name in node.names:
                    yield f"{base}.{name.name}", name.asname or name.name, node.lineno

    def _base(self, node: ast.ImportFrom) -> str:
        if not node.level:
            return node.module or ""
        package = self.module.split(".")
        if not self.path.endswith("__init__.py"):
            package = package[:-1]
        package = package[: len(package) - node.level + 1]
        return ".".join([*package, *([node.module] if node.module else [])])

    def dotted(self, node: ast.expr) -> str:
        """The full dotted name an expression stands for; empty when it is no imported name."""
        parts: list[str] = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if isinstance(node, ast.Name) and node.id in self.names:
            return ".".join([self.names[node.id], *reversed(parts)])
        return ""

    def uses(self) -> Iterator[tuple[str, int]]:
        """Every imported thing the code refers to, called or not, with its line."""
        for node in self.nodes:
            if isinstance(node, ast.Attribute | ast.Name):
                dotted = self.dotted(node)
                if dotted:
                    yield dotted, node.lineno

    def calls(self) -> Iterator[ast.Call]:
        for node in self.nodes:
            if isinstance(node, ast.Call):
                yield node


@functools.cache
def sources(root: Path = ROOT, packages: tuple[str, ...] = PACKAGES) -> list[Source]:
    """Every module of these packages."""
    return [Source(path, root) for package in packages for path in sorted((root / package).rglob("*.py"))]


@functools.cache
def product() -> list[Source]:
    """Every module of the product."""
    found = sources()
    assert len(found) > 20, "the product's source was not found"
    return found
