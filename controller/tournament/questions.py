"""What is put to the Director, each question a class; a rank does not replace the role."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from controller.core.desk import Ask
from controller.core.effects import Asked, Option
from controller.core.questions import Answer, Question, Questions
from controller.people import Person
from controller.tournament import conduct, moves

if TYPE_CHECKING:
    from controller.tournament.session import Session

DECISION = Ask("decision", "text", "Decision")


class DirectorsQuestion(Question["Session"]):
    """A question only the Director or a deputy answers; no round waits for it unless it says so."""

    holds_round = False
    stops_play = False
    stops_next_round = False
    outlives_round = True
    ending = "4.8(h)"

    def option(self, game: Any, about: Any, answer: Answer) -> Option:
        return Option(answer.answer, answer.label, 0, game.book.clause(self.ending), answer.needs_reason)

    def why(self, game: Session, about: Any) -> tuple[str, ...]:
        return game.clauses(self.ending)


class Breach(DirectorsQuestion):
    """What a missed compulsory wager costs."""

    subject, proposal, ending = "breach", conduct.NO_PENALTY, "4.4(b)"
    answers = (Answer("penalty", "A listed penalty", ""),)

    def text(self, game: Session, about: Any) -> str:
        return f"{about} has not met the compulsory wager. Which penalty of the terms?"

    def evidence(self, game: Session, about: Any) -> dict[str, Any]:
        return {"entrant": about, "warnings": game.entrant(about).warnings, "bank": game.bank(about)}

    def offered(self, game: Session, about: Any) -> tuple[Answer, ...]:
        listed = conduct.penalties(game).items()
        return (
            *(Answer(name, words.capitalize(), "") for name, words in listed),
            Answer("no_penalty", "No penalty", ""),
        )

    def otherwise(self, game: Session, asked: Asked, answer: str, by: Person) -> None:
        conduct.penalise(game, str(asked.evidence["entrant"]), answer, by, "compulsory wager missed")


class Phone(Breach):
    """A telephone was used during play."""

    subject, ending = "phone", "4.8(b)(iii)"

    def text(self, game: Session, about: Any) -> str:
        return f"{about} has used a telephone; the terms say: {game.terms.conduct.phone}."

    def proposed(self, game: Session, about: Any) -> str:
        said = conduct.listed(game.terms.conduct.phone)
        return said if said in conduct.penalties(game) else conduct.NO_PENALTY

    def otherwise(self, game: Session, asked: Asked, answer: str, by: Person) -> None:
        conduct.penalise(game, str(asked.evidence["entrant"]), answer, by, "telephone")


class Dispute(DirectorsQuestion):
    """A dispute about the tournament ends with the Director's word; the right to complain is told with it."""

    subject, proposal, ending = "tournament_dispute", "decided", "4.8(h)"
    answers = (Answer("decided", "Decide it", "", (DECISION,)),)

    def named(self, about: Any) -> str:
        return str(about[0])

    def text(self, game: Session, about: Any) -> str:
        return f"A dispute about the tournament: {about[1]}"

    def evidence(self, game: Session, about: Any) -> dict[str, Any]:
        return {"about": about[1], "by": about[2]}

    def decided(self, game: Session, asked: Asked, by: Person, *, decision: str) -> None:
        game.note("dispute", ("4.8(h)", "4.8(j)"), about=asked.evidence["about"], decision=decision, by=by.id,
                  told_of_inspector=True)  # fmt: skip
        game.say("dispute", "Final. The player may take a complaint to the regulator.", "4.8(j)", to="all")


class Lowest(DirectorsQuestion):
    """Equal lowest banks, and terms that name no way to tell them apart."""

    subject, proposal, ending = "lowest", "", "4.5(a)"
    answers = (Answer("out", "This one is out", ""),)

    def text(self, game: Session, about: Any) -> str:
        return f"{about.replace(',', ' and ')} have the lowest bank. Who is out?"

    def evidence(self, game: Session, about: Any) -> dict[str, Any]:
        return {"entrants": about.split(",")}

    def offered(self, game: Session, about: Any) -> tuple[Answer, ...]:
        return tuple(Answer(number, f"{number} is out", "") for number in about.split(","))

    def otherwise(self, game: Session, asked: Asked, answer: str, by: Person) -> None:
        conduct.eliminate(game, game.entrant(answer), "the lowest bank, by the Director's word")


class OfTicket(DirectorsQuestion):
    """Chips that differ from the ticket: nobody is dealt in before the Director's answer (T-57)."""

    subject, proposal, ending = "ticket", "fetch", "4.8(h)"
    answers = (
        Answer("take", "Take what was counted", ""),
        Answer("fetch", "The missing chips are fetched, then count again", ""),
        Answer("send_back", "Send back", ""),
    )

    def named(self, about: Any) -> str:
        return str(about[0])

    def text(self, game: Session, about: Any) -> str:
        number, units = about
        return f"{number}: {units:,} read, {game.state.moving[number].stack:,} on the ticket."

    def evidence(self, game: Session, about: Any) -> dict[str, Any]:
        return {"entrant": about[0], "counted": about[1], "ticket": game.state.moving[about[0]].stack}

    def take(self, game: Session, asked: Asked, by: Person) -> None:
        moves.take_in(game, str(asked.evidence["entrant"]), int(asked.evidence["counted"]), by)

    def fetch(self, game: Session, asked: Asked, by: Person) -> None:
        game.note("fetch", ("4.8(h)",), entrant=asked.evidence["entrant"], by=by.id)

    def send_back(self, game: Session, asked: Asked, by: Person) -> None:
        moves.send_back(game, str(asked.evidence["entrant"]), by)


KINDS = (Breach, Phone, Dispute, Lowest, OfTicket)
QUESTIONS: Questions[Session] = Questions(*KINDS)
