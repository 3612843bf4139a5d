"""Questions, each a class: when it is open, its answers, what each asks for, and what each does.

    class Near(Question["WheelGame"]):
        subject, proposal, clauses = "near", "clear", ("7.1.2",)
        answers = (Answer("clear", "Clearly inside", "confirm_near"), Answer("no_spin", "No spin", "call_no_spin"))

        def clear(self, game: WheelGame, asked: Asked, by: Person) -> None: ...

The method of an answer's name does it and is given what the answer asks for and nothing else; one without a method is
done by `otherwise`, and so is one that is called like a method of every question. What does not fit together fails when
the class is made, with file and line.
"""

from __future__ import annotations

import inspect
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

import msgspec

from controller.core.desk import Ask
from controller.core.effects import Asked, Option
from controller.core.forms import read_form
from controller.core.house import House
from controller.core.keys import fits
from controller.core.rows import BadDeclaration
from controller.people import Person

G = TypeVar("G")
CARRIED = ("prompt", "answer", "reason")
"""What comes with every answer besides what the answer itself asks for."""


class Answer(NamedTuple):
    """One answer: its words, whose power it is (or everybody's from `rank` on under its clause), what is told with it,
    and whether it needs a reason.
    """

    answer: str
    label: str
    power: str
    asks: tuple[Ask, ...] = ()
    needs_reason: bool = False
    rank: int = 0


class Question(Generic[G]):
    """One kind of question; what is open of it stands on the desk. `about` is what it is about, where there may be
    several of the kind."""

    subject: ClassVar[str]
    proposal: ClassVar[str]
    clauses: ClassVar[tuple[str, ...]] = ()
    answers: ClassVar[tuple[Answer, ...]] = ()

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        for answer in cls.answers:
            method = _method(cls, answer.answer)
            if answer.asks and method is None:
                raise _wrong(cls, f"answer {answer.answer!r} asks for something, and nothing is done with it")
            if method is not None and (why := fits(method, answer.asks, ("self", "", "asked", "by"))):
                raise _wrong(cls, f"answer {answer.answer!r} {why}")

    # -- how it is put -----------------------------------------------------------------------------------------

    def named(self, about: Any) -> str:
        """What tells it from others of its kind."""
        return "" if about is None else str(about)

    def text(self, game: G, about: Any) -> str:
        """The question in words."""
        raise NotImplementedError

    def evidence(self, game: G, about: Any) -> dict[str, Any]:
        """What people are shown with it."""
        return {}

    def offered(self, game: G, about: Any) -> tuple[Answer, ...]:
        """The answers that are possible now."""
        return self.answers

    def proposed(self, game: G, about: Any) -> str:
        """The answer that is proposed now."""
        return self.proposal

    def option(self, game: Any, about: Any, answer: Answer) -> Option:
        """An answer as it is offered, with the rank and the clause of its power."""
        rank, clause = game.table.house.power(answer.power)
        return Option(answer.answer, answer.label, answer.rank or rank, clause, answer.needs_reason)

    def why(self, game: G, about: Any) -> tuple[str, ...]:
        """The clauses it rests on now."""
        return self.clauses

    def before(self, game: G, about: Any) -> None:
        """What is done just before it is put, such as saying it aloud."""

    def asks_now(self, game: G, asked: Asked, answer: Answer) -> tuple[Ask, ...]:
        """What this answer asks for now: so a page draws it, and so it is read."""
        return answer.asks

    # -- how it is answered ------------------------------------------------------------------------------------

    def check(self, game: G, asked: Asked, answer: str, given: dict[str, Any]) -> None:
        """Refuse what cannot be carried out, before anything changes."""

    def otherwise(self, game: G, asked: Asked, answer: str, by: Person) -> None:
        """Do an answer that has no method of its own."""
        raise NotImplementedError


class Questions(Generic[G]):
    """The questions of a game, by subject."""

    def __init__(self, *kinds: type[Question[G]]) -> None:
        self._by_subject: dict[str, Question[G]] = {}
        for kind in kinds:
            if kind.subject in self._by_subject:
                raise _wrong(kind, f"there are two questions about {kind.subject!r}")
            self._by_subject[kind.subject] = kind()

    def __iter__(self) -> Any:
        return iter(self._by_subject.values())

    def __contains__(self, subject: str) -> bool:
        return subject in self._by_subject

    def check_house(self, house: House) -> None:
        """Refuse questions that could not be put or answered at a table of this house."""
        for question in self:
            if why := _unfit(type(question), house):
                raise _wrong(type(question), why)

    def of(self, asked: Asked) -> Question[G]:
        return self._by_subject[asked.subject.partition(":")[0]]

    def ask(self, game: Any, subject: str, about: Any = None) -> None:
        """Put a question of this kind."""
        question = self._by_subject[subject]
        question.before(game, about)
        game.desk.ask(
            f"{subject}:{name}" if (name := question.named(about)) else subject,
            question.text(game, about),
            question.evidence(game, about),
            question.proposed(game, about),
            tuple(question.option(game, about, answer) for answer in question.offered(game, about)),
            question.why(game, about),
        )

    def asks(self, game: G, asked: Asked, answer: str) -> tuple[Ask, ...]:
        """What a page asks for with this answer."""
        return tuple(ask.shown(game) for ask in self._asked_for(game, asked, answer))

    def check(self, game: G, asked: Asked, answer: str, args: dict[str, Any]) -> None:
        """Refuse an answer that cannot be carried out."""
        self.of(asked).check(game, asked, answer, self._given(game, asked, answer, args))

    def answered(self, game: G, asked: Asked, answer: str, args: dict[str, Any], by: Person) -> None:
        """Carry out an answer."""
        question = self.of(asked)
        method = _method(question, answer) if _declared(question, answer) is not None else None
        if method is None:
            question.otherwise(game, asked, answer, by)
        else:
            method(game, asked, by, **self._given(game, asked, answer, args))

    def _given(self, game: G, asked: Asked, answer: str, args: dict[str, Any]) -> dict[str, Any]:
        label = next((option.label for option in asked.options if option.answer == answer), answer)
        declared = _declared(self.of(asked), answer)
        now = {ask.name: ask for ask in self._asked_for(game, asked, answer)}
        asks = tuple(_spared(ask, now.get(ask.name)) for ask in (declared.asks if declared is not None else ()))
        return read_form(label, asks, args, game, asked.clauses, CARRIED)

    def _asked_for(self, game: G, asked: Asked, answer: str) -> tuple[Ask, ...]:
        question = self.of(asked)
        declared = _declared(question, answer)
        return question.asks_now(game, asked, declared) if declared is not None else ()


def _unfit(kind: type[Question[Any]], house: House) -> str:
    """Why a declaration cannot be meant; nothing where it can."""
    if kind.text is Question.text:
        return "says nothing: it has no text"
    chosen_when_asked = kind.offered is not Question.offered or kind.option is not Question.option
    names = [answer.answer for answer in kind.answers]
    if len(set(names)) < len(names) and not chosen_when_asked:
        return "has two answers of one name"
    fixed = kind.proposed is Question.proposed and not chosen_when_asked
    if fixed and kind.proposal and kind.proposal not in names:
        return f"proposes {kind.proposal!r}, which is none of its answers"
    for answer in kind.answers:
        if _method(kind, answer.answer) is None and kind.otherwise is Question.otherwise:
            return f"answer {answer.answer!r} is done by nothing"
        if not answer.power and not chosen_when_asked:
            return f"answer {answer.answer!r} is nobody's power"
        if answer.power and answer.power not in house.rulebook.powers:
            return f"answer {answer.answer!r} is of the power {answer.power!r}, which {house.rulebook.id} does not know"
        if not answer.label and not chosen_when_asked:
            return f"answer {answer.answer!r} has no words"
    return ""


def _method(of: Any, answer: str) -> Any:
    """What does an answer; none where every question has something else of that name, such as `check`."""
    return None if hasattr(Question, answer) else getattr(of, answer, None)


def _declared(question: Question[Any], answer: str) -> Answer | None:
    return next((one for one in question.answers if one.answer == answer), None)


def _spared(declared: Ask, now: Ask | None) -> Ask:
    """As it is read: a page may insist on what the table can do without, and not ask for what is refused in words."""
    if now is None:
        return msgspec.structs.replace(declared, optional=True)
    return msgspec.structs.replace(now, optional=now.optional or declared.optional)


def _wrong(kind: type, what: str) -> BadDeclaration:
    place = f"{inspect.getsourcefile(kind)}:{inspect.getsourcelines(kind)[1]}"
    return BadDeclaration(f"{place}: question {kind.__name__}: {what}")
