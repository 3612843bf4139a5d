"""Alarms, each a class: its words, its clauses, and what ends it.

    class LateChange(Alarm["WheelGame"]):
        code = "late_change"
        text = "After “no more bets”: {changes}."
        remedy = "Put the layout back as it was; otherwise the picture at the close is settled."
        clauses = ("3.2",)
        changes: str

        @staticmethod
        def while_(game: WheelGame, _: str) -> bool:
            \"\"\"While the layout differs from the picture at the close.\"\"\"
            return bool(game.state.round.late)

    LateChange(changes=words).holds(game)

The placeholders of the words are the fields of the class, so that none is left unfilled. An alarm ends by what it
declares and by nothing else: it is looked at after each event as long as it stands. What does not fit together fails
when the class is made, with file and line.
"""

from __future__ import annotations

import inspect
from collections.abc import Collection, Iterable, Iterator
from string import Formatter
from typing import Any, ClassVar, Generic, Protocol, TypeVar

import msgspec

from controller.core.desk import Clauses, Desk
from controller.core.effects import Alarmed
from controller.core.house import House
from controller.core.rows import BadDeclaration


class Alarming(Protocol):
    """Whoever raises alarms: the table, its money, its game."""

    @property
    def desk(self) -> Desk: ...


O = TypeVar("O", bound=Alarming)  # noqa: E741 - whose alarms they are
Raiser = TypeVar("Raiser", bound=Alarming, contravariant=True)


class Alarm(msgspec.Struct, Generic[Raiser]):
    """One kind of alarm; its fields are the words of one occurrence. `about` is what it is about, where there may be
    several of the kind."""

    code: ClassVar[str]
    text: ClassVar[str]
    remedy: ClassVar[str]
    clauses: ClassVar[Clauses] = ()
    cites: ClassVar[str] = ""
    """Where the rulebook names its clauses, the word it does so under."""
    about: ClassVar[type[int] | type[str]] = str

    for_the_round: ClassVar[bool] = False
    """It ends with the round."""
    held: ClassVar[bool] = False
    """It ends when the table lets go of its cause: a fault, or what keeps it from opening."""
    seen_to: ClassVar[str] = ""
    """Whoever has this power may end it, by the key that is the same for all alarms."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "code" in vars(cls) and (why := _unfit(cls)):
            raise wrong(cls, why)

    @staticmethod
    def while_(owner: Any, about: Any) -> bool:
        """It stands as long as this holds of its owner and what it is about; the docstring of one that does says so."""
        return True

    def why(self, owner: Any) -> Clauses:
        """The clauses it rests on."""
        return owner.rules.cites[self.cites] if self.cites else self.clauses

    @classmethod
    def coded(cls, about: int | str) -> str:
        """What tells it from others of its kind, and from other alarms."""
        return f"{cls.code}:{about}" if about != "" else cls.code

    # -- raised ------------------------------------------------------------------------------------------------

    def happened(self, owner: Raiser, about: int | str = "") -> None:
        """It happened, perhaps again: each time is told and counted."""
        owner.desk.alarm(self.said(owner, about), self.code, again=True)

    def holds(self, owner: Raiser, about: int | str = "") -> None:
        """It is so now: told once, and again where its words have changed."""
        owner.desk.alarm(self.said(owner, about), self.code, again=False)

    def said(self, owner: Raiser, about: int | str = "") -> Alarmed:
        """The alarm in words."""
        kind, words = type(self), msgspec.structs.asdict(self)
        text, remedy = kind.text.format(**words), kind.remedy.format(**words)
        return Alarmed(kind.coded(about), text, remedy, self.why(owner))

    # -- ended -------------------------------------------------------------------------------------------------

    @classmethod
    def stands(cls, owner: Raiser, code: str, causes: Collection[str]) -> bool:
        """Whether it is not over yet; `causes` are those the table holds."""
        return code in causes if cls.held else cls.while_(owner, cls.about_of(code))

    @classmethod
    def about_of(cls, code: str) -> int | str:
        """What an alarm of this kind is about."""
        about = code.partition(":")[2]
        return cls.about(about) if about else ""


class Alarms(Generic[O]):
    """The alarms of the table, of its money or of its game, by code."""

    def __init__(self, *kinds: type[Alarm[O]]) -> None:
        self._by_code: dict[str, type[Alarm[O]]] = {}
        for kind in kinds:
            if kind.code in self._by_code:
                raise wrong(kind, f"there are two alarms {kind.code!r}")
            self._by_code[kind.code] = kind

    def __iter__(self) -> Iterator[type[Alarm[O]]]:
        return iter(self._by_code.values())

    def check_house(self, house: House, owner: Any) -> None:
        """Refuse alarms that nobody of this house may end, or whose clauses its rulebook does not name."""
        for kind in self:
            if kind.seen_to and kind.seen_to not in house.rulebook.powers:
                raise wrong(kind, f"is seen to by the power {kind.seen_to!r}, which {house.rulebook.id} does not know")
            if kind.cites and kind.cites not in owner.rules.cites:
                raise wrong(kind, f"cites {kind.cites!r}, which {house.rulebook.id} does not name")

    def get(self, code: str) -> type[Alarm[O]] | None:
        """The declaration of this code."""
        return self._by_code.get(code)


Owned = tuple[Alarms[Any], Any]
"""Alarms, and whose they are."""


def declared(desk: Desk, code: str, owned: Iterable[Owned]) -> tuple[type[Alarm[Any]] | None, Any]:
    """The declaration of an alarm that stands, and its owner.

    Of one that an earlier version has raised only the beginning of its code is known.
    """
    name = desk.state.kinds.get(code) or code.partition(":")[0]
    for alarms, owner in owned:
        if (kind := alarms.get(name)) is not None:
            return kind, owner
    return None, None


def end_those_over(desk: Desk, owned: Iterable[Owned], causes: Collection[str]) -> None:
    """Look at every alarm that stands, after an event; one that nobody declares any more nobody could end."""
    for code in tuple(desk.state.alarms):
        kind, owner = declared(desk, code, owned)
        if code not in causes if kind is None else not kind.stands(owner, code, causes):
            desk.alarm_over(code)


def end_with_round(desk: Desk, owned: Iterable[Owned]) -> None:
    """A round is over."""
    for code in tuple(desk.state.alarms):
        kind, _ = declared(desk, code, owned)
        if kind is not None and kind.for_the_round:
            desk.alarm_over(code)


def end_by_hand(desk: Desk, code: str) -> None:
    """Somebody has seen to it."""
    desk.alarm_over(code)


def check_apart(*several: Alarms[Any]) -> None:
    """Refuse two alarms of one code, wherever at one table they are declared."""
    known: set[str] = set()
    for kind in (kind for alarms in several for kind in alarms):
        if kind.code in known:
            raise wrong(kind, f"there are two alarms {kind.code!r} at one table")
        known.add(kind.code)


def placeholders(*texts: str) -> set[str]:
    """What is to be filled in."""
    return {name for text in texts for _, name, _, _ in Formatter().parse(text) if name is not None}


def words_of(kind: type[Alarm[Any]]) -> set[str]:
    """What an occurrence fills in."""
    own = (vars(each).get("__annotations__", {}) for each in kind.__mro__ if each not in Alarm.__mro__)
    return {name for annotations in own for name, kind in annotations.items() if "ClassVar" not in str(kind)}


def has_condition(kind: type[Alarm[Any]]) -> bool:
    """Whether it is looked at after each event."""
    return kind.while_ is not Alarm.while_


def _unfit(kind: type[Alarm[Any]]) -> str:
    """Why a declaration cannot be meant; nothing where it can."""
    for name in ("code", "text", "remedy"):
        if not getattr(kind, name, ""):
            return f"has no {name}"
    wanted, given = placeholders(kind.text, kind.remedy), words_of(kind)
    if unfilled := sorted(wanted - given):
        return f"says {', '.join(unfilled)}, which nobody fills"
    if unsaid := sorted(given - wanted):
        return f"is given {', '.join(unsaid)}, which its words do not say"
    if not (has_condition(kind) or kind.for_the_round or kind.held or kind.seen_to):
        return "names nothing that ends it"
    if not kind.while_.__doc__:
        return "does not say in words how long it stands"
    return ""


def wrong(kind: type, what: str) -> BadDeclaration:
    place = f"{inspect.getsourcefile(kind)}:{inspect.getsourcelines(kind)[1]}"
    return BadDeclaration(f"{place}: alarm {kind.__name__}: {what}")
