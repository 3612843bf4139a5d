"""The neighbours of a function: each has one comparison, number, condition or statement changed."""

from __future__ import annotations
import __future__

import ast
from collections.abc import Iterator
from types import CodeType
from typing import Any, NamedTuple, TypeVar

Function = ast.FunctionDef | ast.AsyncFunctionDef
Node = TypeVar("Node", bound=ast.AST)

BOUNDARY: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
}
OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.GtE,
    ast.LtE: ast.Gt,
    ast.Gt: ast.LtE,
    ast.GtE: ast.Lt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
CALLS = {"min": "max", "max": "min", "any": "all", "all": "any"}
UNTOUCHED = {"annotation", "decorator_list", "args_defaults", "returns", "type_comment", "ctx"}


class Change(NamedTuple):
    """One neighbour: where it differs, how, and its compiled code."""

    line: int
    text: str
    code: CodeType


class Slot(NamedTuple):
    """A place in the tree that one node can be taken out of and another put into."""

    holder: Any
    key: str | int
    node: ast.AST
    decides: bool
    """Whether the node is, or is part of, the condition of a branch."""
    statement: str
    """The first line of the statement around it."""

    def put(self, node: ast.AST) -> None:
        if isinstance(self.key, int):
            self.holder[self.key] = node
        else:
            setattr(self.holder, self.key, node)


def changes(function: Function, inside: tuple[str, ...], file: str) -> list[Change]:
    """Every neighbour of the function; `inside` are the classes it stands in, outermost first."""
    found = []
    seen: dict[str, int] = {}
    for slot, new, text in _all(function):
        slot.put(new)
        try:
            code = _compiled(function, inside, file)
        except (SyntaxError, ValueError, TypeError):
            code = None  # no program any more: nothing to try
        finally:
            slot.put(slot.node)
        if code is None:
            continue
        seen[text] = seen.get(text, 0) + 1
        numbered = text if seen[text] == 1 else f"{text} (number {seen[text]})"
        found.append(Change(_line(slot.node), numbered, code))
    return found


def _all(function: Function) -> Iterator[tuple[Slot, ast.AST, str]]:
    body = function.body
    written = body[1:] if _is_docstring(body[0]) else body
    if len(written) > 1:
        first = body.index(written[0])
        whole = Slot(body, first, written[0], False, "")
        yield whole, _at(ast.Return(value=None), written[0]), "the whole function does nothing"
    for slot in _slots(function):
        if slot.node is body[-1] and isinstance(slot.node, ast.Return) and _gives_none(slot.node):
            continue  # the function ends there either way
        for new, text in _neighbours(slot):
            yield slot, _at(new, slot.node), text


def _slots(node: ast.AST, decides: bool = False, statement: str = "") -> Iterator[Slot]:
    statement = _first_line(node) if isinstance(node, ast.stmt) else statement
    for field, value in ast.iter_fields(node):
        if field in UNTOUCHED or (field == "args" and isinstance(value, ast.arguments)):
            continue
        condition = field == "test" or (decides and isinstance(node, ast.BoolOp)) or field == "ifs"
        holders: list[tuple[Any, str | int, Any]]
        holders = (
            [(value, i, one) for i, one in enumerate(value)] if isinstance(value, list) else [(node, field, value)]
        )
        for holder, key, child in holders:
            if not isinstance(child, ast.AST) or isinstance(child, ast.JoinedStr) or _is_docstring(child):
                continue
            if isinstance(child, ast.keyword) and child.arg == "strict":
                continue  # how zip guards itself is no rule
            yield Slot(holder, key, child, condition, statement)
            yield from _slots(child, condition, statement)


def _neighbours(slot: Slot) -> Iterator[tuple[ast.AST, str]]:
    node = slot.node
    if isinstance(node, ast.stmt):
        yield from _statement(node)
    elif isinstance(node, ast.Compare):
        yield from _comparison(node, slot.decides)
    elif isinstance(node, ast.BoolOp):
        yield from _operands(node)
    elif isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC:
        new = ast.BinOp(left=node.left, op=ARITHMETIC[type(node.op)](), right=node.right)
        yield new, _arrow(node, new)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not) and not slot.decides:
        yield node.operand, _arrow(node, node.operand)
    elif isinstance(node, ast.IfExp):
        yield node.body, _arrow(node, node.body)
        yield node.orelse, _arrow(node, node.orelse)
    elif isinstance(node, ast.Constant):
        yield from _constant(node, slot.statement)
    elif isinstance(node, ast.Name) and node.id in CALLS:
        yield ast.Name(id=CALLS[node.id], ctx=ast.Load()), f"{node.id} → {CALLS[node.id]} in '{slot.statement}'"
    elif isinstance(node, ast.comprehension):
        for number, condition in enumerate(node.ifs):
            rest = [one for i, one in enumerate(node.ifs) if i != number]
            every = ast.comprehension(target=node.target, iter=node.iter, ifs=rest, is_async=node.is_async)
            yield every, f"{ast.unparse(node).strip()}: without 'if {ast.unparse(condition)}'"


def _statement(node: ast.stmt) -> Iterator[tuple[ast.AST, str]]:
    gone = f"without '{_first_line(node)}'"
    if isinstance(node, ast.Return):
        if _gives_none(node):
            yield ast.Pass(), gone
        elif not (isinstance(node.value, ast.Constant) and isinstance(node.value.value, bool)):
            yield ast.Return(value=None), f"{_first_line(node)} → return None"  # a yes or no is turned round instead
    elif isinstance(node, ast.If):
        test = ast.unparse(node.test)
        yield ast.If(test=ast.Constant(True), body=node.body, orelse=node.orelse), f"if {test} → always"
        yield ast.If(test=ast.Constant(False), body=node.body, orelse=node.orelse), f"if {test} → never"
    elif isinstance(node, ast.While):
        never = ast.While(test=ast.Constant(False), body=node.body, orelse=node.orelse)
        yield never, f"while {ast.unparse(node.test)} → never"
    elif isinstance(node, ast.AugAssign):
        yield ast.Pass(), gone
        if type(node.op) in ARITHMETIC:
            new = ast.AugAssign(target=node.target, op=ARITHMETIC[type(node.op)](), value=node.value)
            yield new, _arrow(node, new)
    elif isinstance(node, ast.Assign):
        # A plain name that is never set is noticed by the interpreter, not by a test.
        if not all(isinstance(target, ast.Name) for target in node.targets):
            yield ast.Pass(), gone
    elif isinstance(node, ast.Expr | ast.Raise | ast.Delete | ast.Continue | ast.Break | ast.For):
        yield ast.Pass(), gone


def _comparison(node: ast.Compare, decides: bool) -> Iterator[tuple[ast.AST, str]]:
    for number, operator in enumerate(node.ops):
        kinds = []
        if type(operator) in BOUNDARY:
            kinds.append(BOUNDARY[type(operator)])
        # The opposite of a whole condition is weaker than the branch never and always taken.
        if not (decides and len(node.ops) == 1):
            kinds.append(OPPOSITE[type(operator)])
        for kind in kinds:
            ops = [kind() if i == number else one for i, one in enumerate(node.ops)]
            new = ast.Compare(left=node.left, ops=ops, comparators=node.comparators)
            yield new, _arrow(node, new)


def _operands(node: ast.BoolOp) -> Iterator[tuple[ast.AST, str]]:
    # Leaving out each operand in turn is stronger than trading 'and' for 'or'.
    for number in range(len(node.values)):
        rest = [one for i, one in enumerate(node.values) if i != number]
        new = rest[0] if len(rest) == 1 else ast.BoolOp(op=node.op, values=rest)
        yield new, _arrow(node, new)


def _constant(node: ast.Constant, statement: str) -> Iterator[tuple[ast.AST, str]]:
    value = node.value
    if isinstance(value, bool):
        yield ast.Constant(not value), f"{value} → {not value} in '{statement}'"
    elif isinstance(value, int):
        yield ast.Constant(value + 1), f"{value} → {value + 1} in '{statement}'"
        yield ast.Constant(value - 1), f"{value} → {value - 1} in '{statement}'"


def _compiled(function: Function, inside: tuple[str, ...], file: str) -> CodeType:
    tree: ast.stmt = function
    decorators, function.decorator_list = function.decorator_list, []
    for name in reversed(inside):
        tree = _at(ast.ClassDef(name=name, bases=[], keywords=[], body=[tree], decorator_list=[]), function)
    try:
        module = ast.fix_missing_locations(ast.Module(body=[tree], type_ignores=[]))
        flags = __future__.annotations.compiler_flag
        code: CodeType = compile(module, file, "exec", flags, dont_inherit=True)
    finally:
        function.decorator_list = decorators
    for name in (*inside, function.name):
        code = next(one for one in code.co_consts if isinstance(one, CodeType) and one.co_name == name)
    return code


def _at(new: Node, old: ast.AST) -> Node:
    if hasattr(old, "lineno"):
        ast.copy_location(new, old)
    return new


def _arrow(old: ast.AST, new: ast.AST) -> str:
    return f"{ast.unparse(old)} → {ast.unparse(new)}"


def _gives_none(node: ast.Return) -> bool:
    return node.value is None or (isinstance(node.value, ast.Constant) and node.value.value is None)


def _line(node: ast.AST) -> int:
    line: int = node.target.lineno if isinstance(node, ast.comprehension) else vars(node)["lineno"]
    return line


def _first_line(node: ast.AST) -> str:
    return ast.unparse(node).splitlines()[0]


def _is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
