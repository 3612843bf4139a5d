"""What a function reads of what it is given."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable


def names_read(function: Callable[..., None]) -> set[str]:
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
