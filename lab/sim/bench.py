"""What the bench offers: levers on the simulators, each with what must be told with it, so that pages can draw them."""

from __future__ import annotations

from typing import Any, Literal, Protocol

import msgspec


class Param(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing to set before a lever is pulled."""

    name: str
    label: str
    kind: Literal["number", "choice", "text", "flag"] = "number"
    default: float | str | bool = 0
    least: float | None = None
    most: float | None = None
    step: float | None = None
    unit: str = ""
    choices: tuple[str, ...] = ()


class Lever(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something one can do to the simulated world."""

    name: str
    label: str
    group: str
    params: tuple[Param, ...] = ()
    hint: str = ""


class BadPull(Exception):
    """A lever that does not exist, or values it cannot take; nothing was done."""


class Bench(Protocol):
    """The back door to the simulators; there is none when a real device is configured."""

    def levers(self) -> list[Lever]:
        """All levers, in the order in which a person would look for them."""

    def pull(self, name: str, args: dict[str, Any]) -> str:
        """Do it; a sentence about what was done. BadPull when it cannot be."""

    def status(self) -> dict[str, Any]:
        """Seed, speed, paused, whether people play by themselves: small and cheap, shown beside the levers."""

    def scenario(self) -> dict[str, Any]:
        """What was done so far, as a scenario file."""

    def play(self, case: dict[str, Any]) -> str:
        """Play one case of a scenario file; a sentence about what comes. BadPull when it cannot be."""


def checked(lever: Lever, args: dict[str, Any]) -> dict[str, Any]:
    """The arguments with defaults filled in, or BadPull naming the one that does not fit."""
    known = {param.name: param for param in lever.params}
    for name in args:
        if name not in known:
            raise BadPull(f"{lever.label} takes no {name!r}; it takes {', '.join(known) or 'nothing'}.")
    return {name: _value(lever, param, args.get(name, param.default)) for name, param in known.items()}


def _value(lever: Lever, param: Param, value: Any) -> Any:
    match param.kind:
        case "number":
            fits = isinstance(value, int | float) and not isinstance(value, bool)
            fits = (
                fits and (param.least is None or value >= param.least) and (param.most is None or value <= param.most)
            )
        case "choice":
            fits = value in param.choices
        case "flag":
            fits = isinstance(value, bool)
        case _:
            fits = isinstance(value, str) and len(value) <= 200
    if not fits:
        raise BadPull(f"{lever.label}: {param.label} cannot be {value!r}.")
    return value
