"""Keys, each declared on the function that does it: words, power, what it asks for, when it means something.

    KEYS = Keys[WheelGame]()

    @KEYS.key("no_spin", "Call a no spin", power="call_no_spin", asks=(WHY,), fires="call_no_spin")
    def no_spin(game: WheelGame, by: Person, *, reason: str) -> None: ...

The function is given what the key asks for and nothing else, so that nothing can be read that is not declared; a
declaration and a function that do not fit together fail when the module is loaded, with file and line.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Generic, NamedTuple, TypeVar, get_args

from controller.core.desk import Ask, Key, Kind
from controller.core.forms import read_form
from controller.core.house import House, Power
from controller.core.rows import BadDeclaration
from controller.core.take_back import Until
from controller.people import Person

ROUND, CHIPS, CARDS, PLAYERS, CASH, TABLE, EVENT = (
    "The round", "Chips and wagers", "Cards", "Players", "Float and cash", "The table", "Tournament",
)  # fmt: skip
"""What keys are about, in the words under which pages group them."""

O = TypeVar("O")  # noqa: E741 - whose keys they are
Does = TypeVar("Does", bound=Callable[..., None])


class Declared(NamedTuple):
    """One key as it was declared."""

    name: str
    label: str
    power: str
    rank: int
    like: str
    asks: tuple[Ask, ...]
    while_suspended: bool
    fires: tuple[str, ...]
    during: tuple[str, ...]
    when: Callable[[Any], bool] | None
    only_where_known: bool
    undo: Until
    role: str
    about: str
    do: Callable[..., None]

    @property
    def place(self) -> str:
        code = self.do.__code__
        return f"{code.co_filename}:{code.co_firstlineno}"

    def wrong(self, what: str) -> BadDeclaration:
        return BadDeclaration(f"{self.place}: key {self.name!r} {what}")


class Keys(Generic[O]):
    """The keys of a game, of the table or of its money."""

    def __init__(
        self, *others: Keys[O], about: str = ROUND, while_suspended: bool = False, undo: Until = "followed"
    ) -> None:
        """`others` are kept in modules of their own and belong here too; `about`, `while_suspended` and `undo` hold for
        those declared here that do not say it themselves.
        """
        self._about = about
        self._undo = undo
        self._declared: dict[str, Declared] = {}
        self._while_suspended = while_suspended
        for one in (one for other in others for one in other):
            self._add(one)

    def __contains__(self, name: str) -> bool:
        return name in self._declared

    def __iter__(self) -> Iterator[Declared]:
        return iter(self._declared.values())

    def key(
        self,
        name: str,
        label: str,
        *,
        power: str,
        rank: int = 0,
        like: str = "",
        asks: tuple[Ask, ...] = (),
        while_suspended: bool | None = None,
        fires: str | tuple[str, ...] = (),
        during: tuple[str, ...] = (),
        when: Callable[[O], bool] | None = None,
        only_where_known: bool = False,
        undo: Until | None = None,
        role: str = "",
        about: str = "",
    ) -> Callable[[Does], Does]:
        """Declare a key on the function that does it.

        `power` is whose it is by the rulebook, or everybody's from `rank` on under its clause; where a rulebook may not
        speak of it, it is `like` another, or there is none (`only_where_known`). Whoever has the `role` may too.
        It means something where a row for anything that it `fires` starts, `during` these states besides, and `when`
        this holds. Pressed by mistake it may be taken back until something has `followed` that cannot be undone, or
        `never`, where it is corrected otherwise.
        """
        suspended = self._while_suspended if while_suspended is None else while_suspended
        triggers = (fires,) if isinstance(fires, str) else fires

        def declare(do: Does) -> Does:
            declared = Declared(
                name, label, power, rank, like, asks, suspended, triggers, during, when, only_where_known,
                undo or self._undo, role, about or self._about, do,
            )  # fmt: skip
            _check(declared)
            self._add(declared)
            return do

        return declare

    def _add(self, one: Declared) -> None:
        if one.name in self._declared:
            raise one.wrong(f"is declared twice, first at {self._declared[one.name].place}")
        self._declared[one.name] = one

    def of(self, house: House) -> dict[str, Key]:
        """The keys by name, with rank and clause from the rulebook."""
        found = {}
        for one in self._declared.values():
            power = _power(one, house)
            if power is not None:
                asks = tuple(ask.here() for ask in one.asks if ask.known is None or ask.known(house))
                names = tuple(name for ask in asks for name in (ask.name, ask.new_word) if name)
                rank = one.rank or power.rank
                found[one.name] = Key(
                    one.name, one.label, rank, power.clause, names, one.while_suspended, asks, one.undo, one.role,
                    one.about,
                )  # fmt: skip
        return found

    def press(self, owner: O, key: Key, args: dict[str, Any], by: Person) -> None:
        """Do what the key does with what was told; refused where that does not fit what it asks for."""
        given = read_form(key.label, key.asks, args, owner, (key.clause,) if key.clause else ())
        self._declared[key.name].do(owner, by, **given)

    def means_something(self, owner: O, name: str, machine: Any = None) -> bool:
        """Whether pressing it leads anywhere now."""
        one = self._declared[name]
        return self.starts_here(name, machine) and (one.when is None or one.when(owner))

    def starts_here(self, name: str, machine: Any) -> bool:
        """Whether a row for what it fires starts in this state, or it means something here besides."""
        one = self._declared[name]
        if not one.fires and not one.during:
            return True
        return machine.state in one.during or any(machine.can(trigger) for trigger in one.fires)

    def check_machine(self, rows: Iterable[Any], states: Iterable[str]) -> None:
        """Refuse keys that fire what no row knows, or mean something in states that do not exist."""
        triggers, known = {row.trigger for row in rows}, set(states)
        for one in self._declared.values():
            if unknown := set(one.fires) - triggers:
                raise one.wrong(f"fires {', '.join(map(repr, sorted(unknown)))}, for which there is no row")
            if strange := set(one.during) - known:
                raise one.wrong(f"means something during {', '.join(sorted(strange))}, which is no state")


def _power(one: Declared, house: House) -> Power | None:
    known = one.power in house.rulebook.powers
    if known or one.like:
        return house.own(one.power, one.like) if one.like else house.power(one.power)
    if one.only_where_known:
        return None
    raise one.wrong(f"is of the power {one.power!r}, which {house.rulebook.id} does not know")


def _check(one: Declared) -> None:
    if not one.label:
        raise one.wrong("has no words")
    if why := fits(one.do, one.asks, ("", "by")):
        raise one.wrong(why)
    for ask in one.asks:
        if ask.kind == "choice" and not ask.choices and ask.offered is None:
            raise one.wrong(f"asks for {ask.name!r} as a choice of nothing")


def fits(do: Callable[..., None], asks: tuple[Ask, ...], first: tuple[str, ...]) -> str:
    """Why a function cannot be given what is asked for; nothing where it takes just that, each of its kind.

    `first` are the names of what it is given besides, in order; an empty one may have any name.
    """
    parameters = inspect.signature(do).parameters.values()
    besides = [each.name for each in parameters if each.kind is not inspect.Parameter.KEYWORD_ONLY]
    if len(besides) != len(first) or any(name and name != own for name, own in zip(first, besides, strict=True)):
        wanted = ", ".join(name or "its owner" for name in first)
        return f"must be done by a function of {wanted}, then * and what is asked for"
    taken = {each.name: each for each in parameters if each.kind is inspect.Parameter.KEYWORD_ONLY}
    asked = {ask.name: ask for ask in asks}
    if len(asked) != len(asks):
        return "asks for something twice"
    if unread := sorted(asked.keys() - taken.keys()):
        return f"asks for {', '.join(unread)}, which nothing reads"
    if unasked := sorted(taken.keys() - asked.keys()):
        return f"reads {', '.join(unasked)}, which it does not ask for"
    for name, ask in asked.items():
        if why := _unfit(ask):
            return f"asks for {name!r} {why}"
        if ask.optional != (taken[name].default is not inspect.Parameter.empty):
            return f"and its function do not agree whether {name!r} may be left out"
        if taken[name].annotation.removesuffix(" | None") != ask.type_name:
            return f"asks for {name!r} as {ask.type_name}, and its function takes {taken[name].annotation}"
    return ""


def _unfit(ask: Ask) -> str:
    """Why a page could not ask for this."""
    if ask.kind not in get_args(Kind):
        return f"as a {ask.kind!r}, which no page knows"
    if not ask.label and not ask.kind.startswith("accept"):
        return "without words for it"
    if ask.kind in ("player", "names", "numbers") and ask.offered is None and not ask.suggested:
        return "without saying who or what there is, or that it may be anybody"
    if len({value for value, _ in ask.choices}) < len(ask.choices):
        return "with one choice twice"
    return ""
