"""Cases told step by step: what hands do to chips, keys, lines and time, each with nothing about what should follow.

What every game has is here; a game adds its own words (`own`), each carried out by the method `do_<word>`, and says
where chips may lie (`areas`, by name).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from controller.config.tomlread import nearest
from lab.scenarios.file import ScenarioError, dollars
from lab.scenarios.forms import RANK, answered, check_subject, fields_of, filled_in, is_about, keys_of, kind_of, rank_of
from lab.scenarios.table import CaseTable
from lab.scenarios.words import (
    ANYTHING,
    MONEY,
    NAMES,
    NOTES,
    SECONDS,
    TEXT,
    BadWords,
    Field,
    Section,
    Told,
    Word,
    counted,
    list_of,
    measured,
    read_fields,
)
from simulators.people.chips import worth_exactly

SETTLE_S = 0.5
"""After every step, so that what was done is seen before the next."""
AREA = Field("area", TEXT, "Where, by the name of the area.")
WHICH = (
    Field("wager", TEXT, "The chips that were laid under this name."),
    Field("chips", list_of(MONEY), "The chips of these values."),
    Field("tags", list_of(counted()), "The chips with these tags."),
    Field("amount", MONEY, "Chips worth so much."),
)
"""How chips on an area are named; all of them where nothing is told."""
IN_DOLLARS = ("min", "max", "to_call")
SEEN = ("alarms", "faults", "refused", "asked", "ruled", "announced", "noted")
WORDS = (
    Word("lay", "Somebody lays chips on an area.", (
        AREA, Field("player", TEXT, "Whose they are; the dealer says so before. Nobody says whose where not told."),
        Field("wager", TEXT, "The name that these chips go by from then on."),
        Field("amount", MONEY, "What they are worth, in as few chips as can be."),
        Field("chips", list_of(MONEY), "The values of the chips, where they matter."),
        Field("tags", list_of(counted()), "The very chips, by their tags."))),
    Word("lift", "Somebody takes chips off an area and keeps them.", (AREA, *WHICH)),
    Word("move", "Chips are slid from an area to another one.", (
        AREA, *WHICH, Field("to", TEXT, "The area they are slid to.", optional=False))),
    Word("split", "A stack is parted: the chips that are named go to another area, and others stay.", (
        AREA, *WHICH, Field("to", TEXT, "The area that they go to.", optional=False))),
    Word("swap", "Chips are taken off an area and others are laid there in their place.", (
        AREA, *WHICH, Field("with", list_of(MONEY), "The values of the chips that are laid.", optional=False))),
    Word("press", "Somebody presses a key.", (
        Field("key", TEXT, "Which key.", optional=False), Field("rank", RANK, "The rank of who does; else the dealer."),
        Field("args", ANYTHING, "What its form asks for; see keys."))),
    Word("answer", "Somebody answers a question that is open.", (
        Field("subject", TEXT, "Which question.", optional=False), Field("answer", TEXT, "The answer.", optional=False),
        Field("rank", RANK, "The rank of who does; else the dealer."), Field("reason", TEXT, "Why, told with it."),
        Field("args", ANYTHING, "What its form asks for besides."))),
    Word("unplug", "The cable of a device is pulled.", (
        Field("device", TEXT, "Which, by its place at the table.", optional=False),
        Field("seconds", SECONDS, "For how long; until it is plugged in where not told."))),
    Word("plug", "The cable of a device is plugged in again.", (
        Field("device", TEXT, "Which, by its place at the table.", optional=False),)),
    Word("restart", "The controller is stopped and started again."),
    Word("wait", "Time passes.", (
        Field("seconds", SECONDS, "So many seconds."), Field("hours", measured("hours"), "So many hours."))),
    Word("expect", "What must be so at this moment.", (
        Field("life", TEXT, "What the table is: open, closed, suspended and so on."),
        Field("state", TEXT, "Where the round stands."),
        Field("min", MONEY, "The minimum in force."), Field("max", MONEY, "The maximum in force."),
        Field("alarms", NAMES, "Alarms that must stand."), Field("no_alarms", NAMES, "Alarms that must not stand."),
        Field("faults", NAMES, "Faults that must stand."), Field("asked", NAMES, "Questions that must be open."),
        Field("refused", NAMES, "Refusals that there must have been, by their codes."),
        Field("ruled", NAMES, "Rulings that there must have been, as `subject: answer`."),
        Field("announced", NAMES, "What the table must have told people, by its codes."),
        Field("noted", NAMES, "What must have been put on record, by its names."))),
)  # fmt: skip


def steps_section(own: Sequence[Word] = (), also: dict[str, tuple[Field, ...]] | None = None) -> Section:
    """The steps of a game: those of all games, `also` with fields of its own, and its `own` words."""
    named = {word.name for word in own}
    common = [word._replace(fields=(*word.fields, *(also or {}).get(word.name, ()))) for word in WORDS]
    return Section(
        "steps",
        "What hands do, one step after the other.",
        (*(word for word in common if word.name not in named), *own),
        tag="do",
        common=(Field("at", SECONDS, "When, from the first step on; at once where not told."), *NOTES),
    )


class Steps:
    """Carries the steps of a case out one after the other."""

    section: ClassVar[Section] = steps_section()

    def __init__(self, table: CaseTable, areas: dict[str, int]) -> None:
        self.table, self.areas = table, areas
        self.named: dict[str, list[int]] = {}
        self.where = table.case.where
        if missing := [word.name for word in self.section.words if not hasattr(self, f"do_{word.name}")]:
            raise BadWords(f"steps: nothing carries out {', '.join(missing)}")

    # -- all of them -------------------------------------------------------------------------------------------

    def run(self, bodies: Any) -> None:
        """Read all of them, then carry them out; ScenarioError where one is wrong."""
        told = self.section.read_all(bodies, self.table.case.where)
        for number, step in enumerate(told, 1):
            self.where = f"{self.table.case.where}: steps {number} ({step.name})"
            self._check(step)
        begun = self.table.clock.now()
        for number, step in enumerate(told, 1):
            self.where = f"{self.table.case.where}: steps {number} ({step.name})"
            self._until(begun, step.said.get("at"))
            getattr(self, f"do_{step.word.name}")(step.said)
            self.table.wait(SETTLE_S)

    def _check(self, step: Told) -> None:
        """What can be told before anything is played."""
        match step.word.name:
            case "press":
                self._form(step.said)
                self._rank(step.said)
            case "answer":
                check_subject(self.table.case.game, step.said["subject"], self.where)
                self._rank(step.said)
            case "unplug" | "plug":
                self._faults(step.said)
            case "wait" if not any(step.said.get(name) for name in ("seconds", "hours", "at")):
                raise self.wrong("how long? Say so many seconds or hours")
            case "expect":
                self._known_alarms((*step.said.get("alarms", ()), *step.said.get("no_alarms", ())))
                self._known_places(step.said)
                for subject in step.said.get("asked", ()):
                    check_subject(self.table.case.game, subject, self.where)

    def _known_alarms(self, codes: Iterable[str]) -> None:
        """Refuse an alarm that no table of this kind ever raises: that it does not stand would prove nothing."""
        table = self.table.runtime.table
        kinds = [kind for alarms, _ in table.alarms() for kind in alarms]
        own = {word for kind in kinds for word in (kind.code, kind.coded(0).partition(":")[0])}
        known = own | set(table.state.devices) | set(self.table.devices.faults)
        for code in codes:
            if code.partition(":")[0] not in known:
                raise self.wrong(f"there is no alarm {code!r}; {nearest(code, sorted(known))}")

    def _known_places(self, said: dict[str, Any]) -> None:
        """Refuse a state of the round, or of the table, in which neither ever stands."""
        table = self.table.runtime.table
        for field, known in (("state", table.game.machine.states), ("life", table.life.states)):
            if (name := said.get(field)) is not None and name not in known:
                raise self.wrong(f"{field}: there is no {name!r}; {nearest(name, sorted(known))}")

    def _until(self, begun: float, at: float | None) -> None:
        if at is None:
            return
        late = self.table.clock.now() - begun - at
        if late > SETTLE_S:
            raise self.wrong(f"at: {at:g} s is over; the steps before it take {late + at:g} s")
        if late < 0:
            self.table.clock.run_for(-late)

    def wrong(self, what: str) -> ScenarioError:
        """Something is wrong with the step, with its place."""
        return ScenarioError(f"{self.where}: {what}")

    # -- chips -------------------------------------------------------------------------------------------------

    def area(self, said: dict[str, Any], field: str = "area") -> int:
        """The area that a step is about."""
        name = said.get(field)
        if name is None:
            raise self.wrong(f"{field!r} is missing; there are {', '.join(self.areas)}")
        if name not in self.areas:
            raise self.wrong(f"{field}: there is no area {name!r}; {nearest(name, list(self.areas))}")
        return self.areas[name]

    def assign(self, area: int, said: dict[str, Any], tags: list[int]) -> None:
        """The dealer says whose chips these are."""
        self.table.press("assign", {"area": area, "player": said["player"], "tags": tags}, 1)

    def _from(self, said: dict[str, Any]) -> tuple[int, list[int]]:
        """The area that chips are taken from, and which; by the name they were laid under the area goes without."""
        if "wager" in said:
            return self._by_name(said)
        area = self.area(said)
        lying = self.table.felt.areas[area]
        if not lying:
            raise self.wrong("no chips lie there")
        return area, self._chosen(said, lying)

    def _by_name(self, said: dict[str, Any]) -> tuple[int, list[int]]:
        own = self.named.get(said["wager"], [])
        for area, lying in self.table.felt.areas.items():
            there = [tag for tag in own if tag in lying]
            if there:
                return area, self._chosen(said, there)
        hint = nearest(said["wager"], list(self.named))
        raise self.wrong(f"wager: no chips lie there that were laid as {said['wager']!r}; {hint}")

    def _chosen(self, said: dict[str, Any], lying: list[int]) -> list[int]:
        """Those of the chips that lie there which the step names."""
        worth = self.table.felt.bank.register
        if "tags" in said:
            if strange := [tag for tag in said["tags"] if tag not in lying]:
                raise self.wrong(f"tags: no chip {strange[0]} lies there; there are {', '.join(map(str, lying))}")
            return list(said["tags"])
        if "chips" in said:
            left = list(lying)
            for value in said["chips"]:
                tag = next((tag for tag in left if worth.get(tag) == value), None)
                if tag is None:
                    raise self.wrong(f"chips: not so many chips of {value / 100:g} dollars lie there")
                left.remove(tag)
            return [tag for tag in lying if tag not in left]
        if "amount" in said:
            found = worth_exactly(lying, said["amount"], worth)
            if found is None:
                raise self.wrong(f"amount: the chips there do not make {said['amount'] / 100:g} dollars")
            return found
        return list(lying)

    def do_lay(self, said: dict[str, Any]) -> None:
        area, felt = self.area(said), self.table.felt
        ways = [way for way in ("amount", "chips", "tags") if way in said]
        if len(ways) != 1:
            raise self.wrong("one of 'amount', 'chips' and 'tags' says what is laid")
        tags = list(said.get("tags", ()))
        tags = tags or (felt.bank.pieces(said["chips"]) if "chips" in said else felt.bank.make(said["amount"]))
        if "player" in said:
            self.assign(area, said, tags)
        self.named_chips(said, tags)
        felt.lay(tags, area)

    def named_chips(self, said: dict[str, Any], tags: list[int]) -> None:
        """What is known of chips from the moment they are laid."""
        if "wager" in said:
            self.named[said["wager"]] = tags

    def do_lift(self, said: dict[str, Any]) -> None:
        area, tags = self._from(said)
        self.table.felt.take(tags, area)

    def do_move(self, said: dict[str, Any]) -> None:
        area, tags = self._from(said)
        self.table.felt.slide(tags, area, self.area(said, "to"))

    def do_split(self, said: dict[str, Any]) -> None:
        area, tags = self._from(said)
        if len(tags) == len(self.table.felt.areas[area]):
            raise self.wrong("all the chips would go; say which of them do, or move them")
        self.table.felt.slide(tags, area, self.area(said, "to"))

    def do_swap(self, said: dict[str, Any]) -> None:
        area, tags = self._from(said)
        others = self.table.felt.bank.pieces(said["with"])
        self.table.felt.take(tags, area)
        self.table.felt.lay(others, area)
        if "wager" in said:
            self.named[said["wager"]] = [tag for tag in self.named[said["wager"]] if tag not in tags] + others

    # -- keys --------------------------------------------------------------------------------------------------

    def _form(self, said: dict[str, Any]) -> dict[str, Any]:
        """What is entered into the form of a key."""
        table = self.table.runtime.table
        keys = keys_of(table)
        if said["key"] not in keys:
            raise self.wrong(f"there is no key {said['key']!r}; {nearest(said['key'], list(keys))}")
        key = keys[said["key"]]
        given = said.get("args") or {}
        if not isinstance(given, dict):
            raise self.wrong(f"args: an object, not {given!r}")
        return filled_in(table, key, read_fields(fields_of(key), given, f"{self.where}: args"))

    def _rank(self, said: dict[str, Any]) -> int:
        return rank_of(self.table.runtime.table, said.get("rank"), f"{self.where}: rank")

    def do_press(self, said: dict[str, Any]) -> None:
        self.table.press_told(self.where, said["key"], self._form(said), self._rank(said))

    def before_answer(self, subject: str, answer: str) -> None:
        """What hands do before somebody answers."""

    def do_answer(self, said: dict[str, Any]) -> None:
        subject = said["subject"]
        question = next((one for one in self.table.screen.questions() if is_about(one, subject)), None)
        if question is None:
            self.table.wrong(f"{self.where}: nobody asks about {subject}")
            return
        table = self.table.runtime.table
        asks = table.game.asks(table.state.desk.prompts[question.id], said["answer"])
        form = (*(Field(ask.name, kind_of(ask)) for ask in asks), Field("reason", TEXT))
        given = read_fields(form, said.get("args") or {}, f"{self.where}: args")
        args = answered(question, {"reason": "as the case has it", **said, "args": given}, self.where)
        self.before_answer(question.subject, said["answer"])
        self.table.press_told(self.where, "answer", args, self._rank(said))

    # -- lines, the controller, time ---------------------------------------------------------------------------

    def _faults(self, said: dict[str, Any]) -> Any:
        faults = self.table.devices.faults
        if said["device"] not in faults:
            raise self.wrong(f"there is no device {said['device']!r}; {nearest(said['device'], list(faults))}")
        return faults[said["device"]]

    def do_unplug(self, said: dict[str, Any]) -> None:
        self._faults(said).unplug()
        self.table.unplugged |= {said["device"]}
        if "seconds" in said:
            self.table.clock.call_later(said["seconds"], self.do_plug, said)

    def do_plug(self, said: dict[str, Any]) -> None:
        if said["device"] not in self.table.unplugged:
            raise self.wrong(f"{said['device']} is plugged in")
        self._faults(said).replug()
        self.table.unplugged -= {said["device"]}

    def do_restart(self, said: dict[str, Any]) -> None:
        self.table.restart()

    def do_wait(self, said: dict[str, Any]) -> None:
        self.table.wait(said.get("seconds", 0.0) + 3600 * said.get("hours", 0.0))

    # -- what must be ------------------------------------------------------------------------------------------

    def now(self) -> dict[str, Any]:
        """What can be expected of this moment."""
        table, listener = self.table.runtime.table, self.table.listener
        return {
            "life": table.state.life,
            "state": table.game.machine.state,
            "min": table.state.limits.least,
            "max": table.state.limits.most,
            "alarms": list(table.state.desk.alarms),
            "faults": list(table.state.faults),
            "refused": [refusal.code for refusal in listener.refusals],
            "asked": [asked.subject for asked in table.state.desk.prompts.values()],
            "ruled": [f"{one['subject']}: {one['answer']}" for one in listener.outcome.rulings],
            "announced": listener.announced,
            "noted": [note.what for note in listener.notes],
        }

    def do_expect(self, said: dict[str, Any]) -> None:
        found = self.now()
        self.table.expect_refused(said.get("refused", ()))
        for key, wanted in said.items():
            if key == "no_alarms":
                for one in wanted:
                    if _among(one, found["alarms"]):
                        self.table.wrong(f"{self.where}: the alarm {one} stands")
            elif key in SEEN:
                for one in wanted:
                    if not _among(one, found[key]):
                        self.table.wrong(f"{self.where}: {key}: {one} is not among {found[key]}")
            elif key in found and found[key] != wanted:
                shown = [dollars(one) if key in IN_DOLLARS else one for one in (found[key], wanted)]
                self.table.wrong(f"{self.where}: {key} is {shown[0]}, expected {shown[1]}")


def _among(one: str, found: list[str]) -> bool:
    """Whether it is there under its whole name, or before the colon that says which of its kind."""
    return any(one in (each, each.partition(":")[0]) for each in found)
