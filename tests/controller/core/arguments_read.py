"""Which arguments of a key or an answer the program reads: its functions followed along the dict they are handed.

Every function that receives the dict is read as syntax, with what is known of its other parameters: names that are
constants, functions of modules and methods of the table that stands there. A branch whose condition is known is taken
or left; of every other one both ways are followed. What cannot be followed is no excuse: it is listed in `lost`.
"""

from __future__ import annotations

import ast
import builtins
import inspect
from collections.abc import Callable, Iterable
from functools import cache
from types import FunctionType, MethodType, ModuleType
from typing import Any

ARGS = type("ARGS", (), {"__repr__": lambda self: "the arguments"})()
UNKNOWN = type("UNKNOWN", (), {"__repr__": lambda self: "unknown"})()


class Live:
    """Something of the table that stands there: its methods are known, what it holds now decides nothing."""

    def __init__(self, thing: Any) -> None:
        self.thing = thing


class Open:
    """The answer, while it may be any: what it is compared with is remembered."""

    def __init__(self) -> None:
        self.compared: set[str] = set()


class Subject:
    """A question of which only the subject is known."""

    def __init__(self, subject: str) -> None:
        self.subject = subject


@cache
def _functions(module: ModuleType) -> dict[int, list[ast.FunctionDef | ast.Lambda]]:
    """The functions of a module by the line they begin at."""
    found: dict[int, list[ast.FunctionDef | ast.Lambda]] = {}
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        if isinstance(node, ast.FunctionDef | ast.Lambda):
            first = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", ()))])
            found.setdefault(first, []).append(node)
    return found


def _node_of(function: FunctionType) -> ast.FunctionDef | ast.Lambda:
    code = function.__code__
    module = inspect.getmodule(function)
    assert module is not None
    wanted = list(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])
    for node in _functions(module)[code.co_firstlineno]:
        names = [each.arg for each in (*node.args.args, *node.args.kwonlyargs)]
        if names == wanted and getattr(node, "name", "<lambda>") == code.co_name:
            return node
    raise LookupError(f"no source of {function}")


class Reader:
    """Follows a function and whatever it hands the arguments to."""

    def __init__(self, stop_at: Iterable[str] = ()) -> None:
        self.read: set[str] = set()
        self.lost: list[str] = []
        self._stop_at = frozenset(stop_at)
        self._under_way: list[tuple[Any, ...]] = []

    def follow(self, function: Callable[..., Any], *values: Any, **named: Any) -> Reader:
        """Follow a call with these values."""
        if isinstance(function, MethodType):
            values, function = (Live(function.__self__), *values), function.__func__
        assert isinstance(function, FunctionType), function
        call = (function.__code__, repr([_told(each) for each in (*values, *named.values())]))
        if call in self._under_way:
            return self
        self._under_way.append(call)
        _Body(self, function, values, named).run()
        self._under_way.pop()
        return self

    def reads(self, name: Any, where: str) -> None:
        if isinstance(name, str):
            self.read.add(name)
        else:
            self.lost.append(f"{where}: an argument by a name that is not known")


def _told(value: Any) -> Any:
    return value.subject if isinstance(value, Subject) else value


class _Body:
    """One function, statement by statement."""

    def __init__(self, reader: Reader, function: FunctionType, values: tuple[Any, ...], named: dict[str, Any]) -> None:
        self._reader = reader
        self._function = function
        self._node = _node_of(function)
        closed = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
        self._outside = {
            **vars(builtins),
            **function.__globals__,
            **{name: cell.cell_contents for name, cell in closed},
        }
        names = [each.arg for each in (*self._node.args.args, *self._node.args.kwonlyargs)]
        given = dict(zip(names, values, strict=False)) | named
        defaults = {name: one.default for name, one in inspect.signature(function).parameters.items()}
        self._here: dict[str, list[Any]] = {
            name: [given.get(name, UNKNOWN if defaults[name] is inspect.Parameter.empty else defaults[name])]
            for name in names
        }

    def run(self) -> None:
        if isinstance(self._node, ast.Lambda):
            self._value(self._node.body)
        else:
            self._block(self._node.body)

    # -- statements: whether what follows is never reached ---------------------------------------------------------

    def _block(self, body: list[ast.stmt]) -> bool:
        return any(self._statement(one) for one in body)

    def _statement(self, one: ast.stmt) -> bool:
        match one:
            case ast.If():
                return self._either(self._truth(one.test), one.body, one.orelse)
            case ast.Return() | ast.Raise():
                for part in ast.iter_child_nodes(one):
                    self._value(part)
                return True
            case ast.For():
                self._each(one.target, one.iter)
                self._block(one.body)
                self._block(one.orelse)
            case ast.Assign():
                found = self._value(one.value)
                for target in one.targets:
                    self._bind(target, one.value, found)
            case ast.AnnAssign() | ast.AugAssign():
                self._bind(one.target, one.value, self._value(one.value) if one.value else [UNKNOWN])
            case ast.FunctionDef():
                self._here[one.name] = [UNKNOWN]
                self._block(one.body)
            case ast.Try():
                self._block([*one.body, *(each for handler in one.handlers for each in handler.body), *one.finalbody])
            case ast.Match():
                self._match(one)
            case ast.While() | ast.With():
                self._value(one)
            case _:
                for part in ast.iter_child_nodes(one):
                    self._value(part)
        return False

    def _either(self, known: bool | None, yes: list[ast.stmt], no: list[ast.stmt]) -> bool:
        ends = [self._block(body) for way, body in ((True, yes), (False, no)) if known in (None, way)]
        return all(ends)

    def _match(self, one: ast.Match) -> None:
        subjects = self._value(one.subject)
        for case in one.cases:
            for pattern in ast.walk(case.pattern):
                if isinstance(pattern, ast.MatchValue):
                    self._compared(subjects, self._value(pattern.value))
                if isinstance(pattern, ast.MatchAs) and pattern.name:
                    self._here[pattern.name] = [UNKNOWN]
            self._block(case.body)

    def _bind(self, target: ast.expr, value: ast.expr | None, found: list[Any]) -> None:
        if isinstance(target, ast.Name):
            self._here[target.id] = [*found]
        elif isinstance(target, ast.Tuple):
            parts = value.elts if isinstance(value, ast.Tuple) and len(value.elts) == len(target.elts) else None
            for place, each in enumerate(target.elts):
                self._bind(each, None, self._value(parts[place]) if parts else [UNKNOWN])
        elif isinstance(target, ast.Starred):
            self._bind(target.value, None, [UNKNOWN])
        elif isinstance(target, ast.Subscript):
            self._value(target.slice)
            self._value(target.value)
        else:
            self._value(target)

    def _each(self, target: ast.expr, over: ast.expr) -> None:
        found: list[Any] = []
        for many in self._value(over):
            known = isinstance(many, tuple | list | frozenset | set)
            found += list(many) if known else [UNKNOWN]
        self._bind(target, None, found or [UNKNOWN])

    # -- expressions: what they may be -----------------------------------------------------------------------------

    def _value(self, one: ast.AST) -> list[Any]:
        match one:
            case ast.Constant():
                return [one.value]
            case ast.Name():
                return self._here.get(one.id) or [self._outside.get(one.id, UNKNOWN)]
            case ast.Attribute():
                return [_attribute(each, one.attr) for each in self._value(one.value)]
            case ast.Tuple() | ast.List() | ast.Set():
                parts = [self._value(each) for each in one.elts]
                self._kept_nowhere(parts, one)
                if all(len(part) == 1 and _plain(part[0]) for part in parts):
                    return [tuple(part[0] for part in parts)]
                return [tuple(one_of for part in parts for one_of in part)] if parts else [()]
            case ast.Subscript():
                return self._subscript(one)
            case ast.Call():
                return self._call(one)
            case ast.Compare():
                return self._compare(one)
            case ast.BoolOp():
                return self._bool_op(one)
            case ast.UnaryOp(op=ast.Not()):
                known = self._truth(one.operand)
                return [UNKNOWN if known is None else not known]
            case ast.IfExp():
                known = self._truth(one.test)
                ways = ((True, one.body), (False, one.orelse))
                return [each for way, body in ways if known in (None, way) for each in self._value(body)]
            case ast.Lambda():
                for each in one.args.args:
                    self._here.setdefault(each.arg, [UNKNOWN])
                self._value(one.body)
                return [UNKNOWN]
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                return self._comprehension(one)
            case ast.NamedExpr():
                self._bind(one.target, one.value, self._value(one.value))
                return self._value(one.value)
            case ast.stmt():
                self._statement(one)
                return [UNKNOWN]
            case _:
                self._kept_nowhere([self._value(part) for part in ast.iter_child_nodes(one)], one)
                return [UNKNOWN]

    def _kept_nowhere(self, parts: list[list[Any]], one: ast.AST) -> None:
        if any(ARGS in part for part in parts) and not isinstance(one, ast.stmt | ast.With | ast.While):
            self._lose(one, "the arguments go where they cannot be followed")

    def _subscript(self, one: ast.Subscript) -> list[Any]:
        holders, keys = self._value(one.value), self._value(one.slice)
        found = []
        for holder in holders:
            for key in keys:
                if holder is ARGS:
                    if isinstance(one.ctx, ast.Load):
                        self._reader.reads(key, self._where(one))
                    found.append(UNKNOWN)
                else:
                    found.append(_item(holder, key))
        return found

    def _comprehension(self, one: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> list[Any]:
        for part in one.generators:
            self._each(part.target, part.iter)
            for condition in part.ifs:
                self._value(condition)
        for part_of in (one.key, one.value) if isinstance(one, ast.DictComp) else (one.elt,):
            self._value(part_of)
        return [UNKNOWN]

    def _compare(self, one: ast.Compare) -> list[Any]:
        left, right = self._value(one.left), self._value(one.comparators[0])
        for more in one.comparators[1:]:
            self._value(more)
        if ARGS in right and isinstance(one.ops[0], ast.In | ast.NotIn):
            for name in left:
                self._reader.reads(name, self._where(one))
            return [UNKNOWN]
        self._compared(left, right)
        self._compared(right, left)
        if len(one.ops) > 1 or len(left) != 1 or len(right) != 1:
            return [UNKNOWN]
        return [_decided(one.ops[0], left[0], right[0])]

    def _compared(self, these: list[Any], those: list[Any]) -> None:
        """Remember what an open answer, alone or beside a known subject, is held against."""
        for this in these:
            inside = this if isinstance(this, tuple) else (this,)
            place = next((at for at, each in enumerate(inside) if isinstance(each, Open)), None)
            if place is not None:
                inside[place].compared.update(_constants(those, place if isinstance(this, tuple) else None, inside))

    def _bool_op(self, one: ast.BoolOp) -> list[Any]:
        ends_at = isinstance(one.op, ast.Or)
        found: list[Any] = []
        for part in one.values:
            values = self._value(part)
            found += values
            truths = {_truth_of(each) for each in values}
            if truths == {ends_at}:
                break
        return found if any(each is not UNKNOWN for each in found) else [UNKNOWN]

    def _truth(self, test: ast.expr) -> bool | None:
        if isinstance(test, ast.BoolOp):
            return self._joined(test)
        truths = {_truth_of(each) for each in self._value(test)}
        return truths.pop() if len(truths) == 1 else None

    def _joined(self, test: ast.BoolOp) -> bool | None:
        ends_at = isinstance(test.op, ast.Or)
        open_ = False
        for part in test.values:
            known = self._truth(part)
            if known is ends_at:
                return ends_at
            open_ = open_ or known is None
        return None if open_ else not ends_at

    # -- calls -----------------------------------------------------------------------------------------------------

    def _call(self, one: ast.Call) -> list[Any]:
        if isinstance(one.func, ast.Attribute):
            holders = self._value(one.func.value)
            if ARGS in holders:
                return self._of_the_dict(one)
        given = [self._value(each) for each in one.args]
        named = {each.arg: self._value(each.value) for each in one.keywords}
        callees = self._value(one.func)
        hands_on = any(ARGS in each for each in (*given, *named.values()))
        if not hands_on:
            return [_called(callee, given) for callee in callees]
        for callee in callees:
            self._hand_on(one, callee, given, named)
        return [UNKNOWN]

    def _of_the_dict(self, one: ast.Call) -> list[Any]:
        assert isinstance(one.func, ast.Attribute)
        if one.func.attr not in ("get", "pop", "setdefault") or not one.args:
            self._lose(one, f"the arguments are asked for their {one.func.attr}")
            return [UNKNOWN]
        for name in self._value(one.args[0]):
            self._reader.reads(name, self._where(one))
        return [UNKNOWN]

    def _hand_on(self, one: ast.Call, callee: Any, given: list[list[Any]], named: dict[str | None, list[Any]]) -> None:
        thing = callee.thing if isinstance(callee, Live) else callee
        if getattr(thing, "__name__", "") in self._reader._stop_at:
            return
        if not isinstance(thing, FunctionType | MethodType) or None in named:
            self._lose(one, "the arguments are handed to something that is not known")
            return
        for values in _ways(given):
            for more in _ways(list(named.values())):
                self._reader.follow(thing, *values, **dict(zip((str(name) for name in named), more, strict=True)))

    def _lose(self, one: ast.AST, why: str) -> None:
        self._reader.lost.append(f"{self._where(one)}: {why}")

    def _where(self, one: ast.AST) -> str:
        return f"{self._function.__module__}.{self._function.__qualname__}, line {getattr(one, 'lineno', '?')}"


def _ways(given: list[list[Any]]) -> list[list[Any]]:
    found: list[list[Any]] = [[]]
    for values in given:
        found = [[*way, value] for way in found for value in values]
    return found


def _plain(value: Any) -> bool:
    return value not in (UNKNOWN, ARGS) and not isinstance(value, Live)


def _constants(those: list[Any], place: int | None, inside: tuple[Any, ...]) -> set[str]:
    found: set[str] = set()
    for that in those:
        for each in that if isinstance(that, tuple | set | frozenset | list | dict) else (that,):
            if place is None and isinstance(each, str):
                found.add(each)
            elif place is not None and isinstance(each, tuple) and len(each) == len(inside):
                found.add(str(each[place]))
        if place is not None and isinstance(that, tuple) and len(that) == len(inside) and isinstance(that[place], str):
            found.add(that[place])
    return found


def _attribute(of: Any, name: str) -> Any:
    if of is UNKNOWN or of is ARGS or isinstance(of, Open):
        return UNKNOWN
    if isinstance(of, Subject):
        return of.subject if name == "subject" else UNKNOWN
    if isinstance(of, Live):
        found = inspect.getattr_static(of.thing, name, None)
        if isinstance(found, property):
            return UNKNOWN
        thing = getattr(of.thing, name, UNKNOWN)
        return UNKNOWN if thing is UNKNOWN else Live(thing)
    return getattr(of, name, UNKNOWN)


def _item(holder: Any, key: Any) -> Any:
    if not isinstance(holder, dict | tuple | str) or not isinstance(key, str | int | tuple):
        return UNKNOWN
    try:
        return holder[key]  # type: ignore[index]
    except (KeyError, IndexError, TypeError):
        return UNKNOWN


def _called(callee: Any, given: list[list[Any]]) -> Any:
    """What a call gives that has nothing to do with the arguments: only words and the program's own tables."""
    word = getattr(callee, "__self__", None)
    if isinstance(word, dict) and callee.__name__ == "get" and given and all(len(each) == 1 for each in given):
        return word.get(given[0][0], UNKNOWN if len(given) == 1 else given[1][0]) if _known(given[0][0]) else UNKNOWN
    if isinstance(word, str) and all(len(each) == 1 and isinstance(each[0], str | int) for each in given):
        return callee(*(each[0] for each in given))
    return UNKNOWN


def _truth_of(value: Any) -> bool | None:
    if value is UNKNOWN or value is ARGS or isinstance(value, Live | Open | Subject):
        return None
    return bool(value)


def _known(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(_known(each) for each in value)
    return value is not UNKNOWN and value is not ARGS and not isinstance(value, Live | Open | Subject)


def _decided(how: ast.cmpop, left: Any, right: Any) -> Any:
    if not (_known(left) and _known(right)):
        return UNKNOWN
    match how:
        case ast.Eq():
            return left == right
        case ast.NotEq():
            return left != right
        case ast.Is():
            return left is right
        case ast.IsNot():
            return left is not right
        case ast.In() | ast.NotIn() if isinstance(right, str | tuple | set | frozenset | list | dict):
            return (left in right) is isinstance(how, ast.In)
        case _:
            return UNKNOWN
