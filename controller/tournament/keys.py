"""What people may do in a tournament at a table: the dealer's keys, and those that are the Director's alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from controller.core.desk import Ask, Key
from controller.core.keys import EVENT, Keys
from controller.people import Person
from controller.tournament import conduct, ending, levels, moves, rounds
from controller.tournament.markers import CLAUSES, WORDS, Laid, Marker, Secret
from controller.tournament.state import Entrant, Pending

if TYPE_CHECKING:
    from controller.tournament.session import Session

KEYS: Keys[Session] = Keys(about=EVENT)
DIRECTOR = "director"
_ENDINGS: dict[str, str] = {}
_DIRECTORS: set[str] = set()
Does = TypeVar("Does", bound=Callable[..., None])
IN_SESSION = ("practising", "playing", "held", "paused")
AT_TABLE = ("set", *IN_SESSION, "emptying", "counting", "counted")


def _declare(
    name: str,
    label: str,
    ending: str,
    *,
    asks: tuple[Ask, ...] = (),
    states: tuple[str, ...],
    director: bool = False,
    undo: Any = None,
    when: Callable[[Session], bool] | None = None,
) -> Callable[[Does], Does]:
    """A key of the chapter's clause, the dealer's or the Director's, that means something in these states."""
    _ENDINGS[name] = ending
    if director:
        _DIRECTORS.add(name)

    def holds(session: Session) -> bool:
        return session.phase in states and (when is None or when(session))

    return KEYS.key(
        name, label, power="open_table", rank=1, asks=asks, while_suspended=True, when=holds, undo=undo,
        role=DIRECTOR if director else "",
    )  # fmt: skip


def keys_of(session: Session) -> dict[str, Key]:
    """The keys by name; a Director's key needs the role and no rank."""
    found = KEYS.of(session.table.house)
    return {
        name: msgspec.structs.replace(
            key, clause=session.book.clause(_ENDINGS[name]), rank=0 if name in _DIRECTORS else key.rank
        )
        for name, key in found.items()
    }


def _in_play(session: Session) -> Iterator[tuple[str, str]]:
    return ((one.number, f"{one.number} at {one.seat}") for one in session.state.playing())


def _out(session: Session) -> Iterator[tuple[str, str]]:
    return ((one.number, one.number) for one in session.state.entrants.values() if one.standing == "eliminated")


def _coming(session: Session) -> Iterator[tuple[str, str]]:
    return ((number, f"{number} to {one.seat}") for number, one in session.state.moving.items())


def _zones(session: Session) -> Iterator[tuple[str, str]]:
    return ((zone, zone.replace("_", " ").capitalize()) for zone in session.felt.zones())


def _penalties(session: Session) -> Iterator[tuple[str, str]]:
    return ((name, words.capitalize()) for name, words in conduct.penalties(session).items())


ENTRANT = Ask("player", "player", "Entrant", offered=_in_play)
COMING = Ask("player", "player", "Entrant", offered=_coming)
WAS_OUT = Ask("player", "player", "Entrant", offered=_out)
ZONE = Ask("zone", "choice", "Zone", offered=_zones)
UNITS = Ask("units", "number", "Units", least=0, most=1_000_000_000)
COUNTED = Ask("units", "number", "Units, none if the chips lie on the layout", optional=True, least=0,
              most=1_000_000_000)  # fmt: skip
PENALTY = Ask("penalty", "choice", "Penalty", offered=_penalties, suggested=True)
REASON = Ask("reason", "text", "Reason", optional=True)
COLOUR = Ask("colour", "text", "Colour")
ABOUT = Ask("about", "text", "What it is about")
SUBSTITUTE = Ask("substitute", "text", "Number of the substitute")
YES = Ask("yes", "names", "Who agrees (numbers, with commas)", offered=_in_play)


# -- the Director ------------------------------------------------------------------------------------------------------


@_declare("briefed", "Players were briefed", "3.1", states=("set", "practising"), director=True)
def briefed(session: Session, by: Person) -> None:
    session.state.briefed_by = by.id
    session.note("briefed", ("3.1",), by=by.id)


@_declare("practise", "Practice rounds", "3.2", states=("set",), director=True, undo="never")
def practise(session: Session, by: Person) -> None:
    session.machine.fire("practise", by)


@_declare("practice_over", "Practice is over", "3.2", states=("practising",), director=True, undo="never")
def practice_over(session: Session, by: Person) -> None:
    session.machine.fire("practice_ended", by)


@_declare("begin_session", "Begin the session", "4.3(a)(i)", states=("set",), director=True, undo="never")
def begin_session(session: Session, by: Person) -> None:
    session.machine.fire("begin", by)


@_declare("pause", "Pause the session", "4.3(a)(i)", states=("playing",), director=True)
def pause(session: Session, by: Person) -> None:
    """Between rounds; one under way is finished."""
    rounds.pause(session, by)


@_declare("go_on", "The session goes on", "4.3(a)(i)", states=("paused",), director=True)
def go_on(session: Session, by: Person) -> None:
    session.machine.fire("go_on", by)


@_declare("penalty", "Apply a penalty", "4.8(a)(i)", asks=(ENTRANT, PENALTY, REASON), states=IN_SESSION, director=True)
def penalty(session: Session, by: Person, *, player: str, penalty: str, reason: str = "") -> None:
    conduct.penalise(session, player, penalty, by, reason)
    for subject in ("phone", "breach"):
        session.desk.withdraw(f"{subject}:{player}")


@_declare("disqualify", "Disqualify", "4.8(a)(ii)", asks=(ENTRANT, REASON), states=AT_TABLE, director=True)
def disqualify(session: Session, by: Person, *, player: str, reason: str = "") -> None:
    """After the round: its wagers are settled by the rules of the game."""
    conduct.decide(session, Pending("disqualify", session.entrant(player).number, by=by.id, reason=reason))


@_declare("substitute", "Substitute", "4.8(a)(iii)", asks=(ENTRANT, SUBSTITUTE), states=AT_TABLE, director=True)
def substitute(session: Session, by: Person, *, player: str, substitute: str) -> None:
    if session.terms.conduct.substitute.in_play != "director":
        session.refuse("no_substitutes", "These terms know no substitute during play.", "4.8(b)(iv)")
    if substitute in session.state.entrants:
        session.refuse("known", f"{substitute} is an entrant already.", "4.8(a)(iii)")
    conduct.decide(session, Pending("substitute", session.entrant(player).number, substitute, by.id))


@_declare("not_out", "Take an elimination back", "4.5(a)", asks=(WAS_OUT,), states=IN_SESSION, director=True)
def not_out(session: Session, by: Person, *, player: str) -> None:
    conduct.take_back_out(session, player, by)


@_declare(
    "end_certain",
    "End early: those who go on are certain",
    "4.8(d)(i)",
    states=("playing", "held", "paused"),
    director=True,
    undo="never",
    when=lambda session: not rounds.under_way(session),
)
def end_certain(session: Session, by: Person) -> None:
    ending.end_certain(session, by)


@_declare("end_agreed", "End early: all agree", "4.8(d)(ii)", asks=(YES,), states=("playing", "held", "paused"),
          director=True, undo="never")  # fmt: skip
def end_agreed(session: Session, by: Person, *, yes: tuple[str, ...]) -> None:
    ending.end_by_agreement(session, yes, by)


@_declare("abandon", "Abandon the session here", "4.8(d)(i)", asks=(REASON,), states=("playing", "held", "paused"),
          director=True, undo="never", when=lambda session: not rounds.under_way(session))  # fmt: skip
def abandon(session: Session, by: Person, *, reason: str = "") -> None:
    if not reason:
        session.refuse("reason_needed", "Say why the session is abandoned.", "4.8(d)(i)")
    session.note("abandoned", ("4.8(d)(i)",), by=by.id, why=reason)
    session.machine.fire("abandon", by)


@_declare(
    "agree_counts", "Agree the counts", "4.6(a)", asks=(REASON,), states=("counted",), director=True, undo="never"
)
def agree_counts(session: Session, by: Person, *, reason: str = "") -> None:
    session.machine.fire("agree", by, reason)


# -- the dealer --------------------------------------------------------------------------------------------------------


@_declare(
    "count_bank", "Bank counted", "4.3(b)", asks=(ENTRANT, COUNTED), states=("set", "practising", "counting", "counted")
)
def count_bank(session: Session, by: Person, *, player: str, units: int | None = None) -> None:
    """A bank as it was counted, or as the antennas read it at the entrant's place."""
    found = session.felt.lying(session.entrant(player).number) if units is None else units
    ending.counted(session, player, found, by)


@_declare("colour_given", "Colour of an entrant's chips", "4.4(a)", asks=(ENTRANT, COLOUR), states=("set",),
          when=lambda session: session.terms.bank.chips.kind == "colour")  # fmt: skip
def colour_given(session: Session, by: Person, *, player: str, colour: str) -> None:
    """One colour an entrant, and none of a second one in the same session (T-3)."""
    holder = session.state.colours.get(colour)
    if holder not in (None, player):
        session.refuse("colour_taken", f"{colour} is {holder}'s in this session.", "4.4(a)")
    session.state.colours = {one: who for one, who in session.state.colours.items() if who != player}
    session.state.colours[colour] = session.entrant(player).number
    session.note("colour", ("4.4(a)",), entrant=player, colour=colour, by=by.id)


@_declare("pass_marker", "Pass marker laid", "4.4(e)", asks=(ENTRANT,), states=("practising", "playing"))
def pass_marker(session: Session, by: Person, *, player: str) -> None:
    """A round without any wager (T-20)."""
    one = _may_lay(session, player, "pass")
    if session.felt.staked(one.number):
        session.refuse("staked", f"{player} has a wager there; a pass is a round without any.", "4.4(e)")
    _lay(session).passes.append(one.number)


@_declare("all_in_marker", "All-In marker laid", "4.4(d)", asks=(ENTRANT, ZONE), states=("practising", "playing"))
def all_in_marker(session: Session, by: Person, *, player: str, zone: str) -> None:
    """The whole bank on this zone, at most the maximum; the dealer lays it (T-18)."""
    one = _may_lay(session, player, "all_in")
    due = rounds.all_in_due(session, one.number, zone)
    _lay(session).all_in[one.number] = zone
    session.say("lay", f"All in: lay {due:,} of {player}'s bank on {zone}.", "4.4(d)")


@_declare("secret_slip", "Secret wager: slip laid", "4.4(c)", asks=(ENTRANT,), states=("practising", "playing"))
def secret_slip(session: Session, by: Person, *, player: str) -> None:
    one = _may_lay(session, player, "secret")
    _lay(session).secrets[one.number] = Secret()


@_declare(
    "open_slip",
    "Secret wager: slip opened",
    "4.4(c)",
    asks=(ENTRANT, ZONE, UNITS),
    states=("practising", "playing", "held"),
    when=lambda session: bool(session.state.round.laid.sealed()),
)
def open_slip(session: Session, by: Person, *, player: str, zone: str, units: int) -> None:
    """The slip is read out and its chips are laid from the bank (T-22)."""
    slip = session.state.round.laid.secrets.get(player)
    if slip is None:
        session.refuse("no_slip", f"No slip of {player} lies there.", "4.4(c)")
    session.table.may_open_slips()
    slip.zone, slip.units, slip.opened = zone, units, True
    session.say(
        "lay", f"Secret wager: lay {rounds.secret_due(session, player):,} of {player}'s bank on {zone}.", "4.4(c)"
    )


@_declare("lift_marker", "Marker taken back", "4.4(d)", asks=(ENTRANT,), states=("practising", "playing"))
def lift_marker(session: Session, by: Person, *, player: str) -> None:
    _before_the_close(session, "4.4(d)")
    _laid(session).lifted(session.entrant(player).number)


@_declare(
    "rebuy_marker", "Re-Buy marker used", "4.4(f)", asks=(ENTRANT,), states=("playing", "held", "paused"), undo="never"
)
def rebuy_marker(session: Session, by: Person, *, player: str) -> None:
    """Between rounds, at the stated bank: adds the stated units (T-21)."""
    one, markers = session.entrant(player), session.terms.wagers.markers
    if session.state.round.dealt:
        session.refuse("round_under_way", "A Re-Buy marker is used between rounds.", "4.4(f)")
    if markers is None or markers.rebuy is None or one.markers.get("rebuy", 0) <= 0:
        session.refuse("no_marker", f"{player} has no Re-Buy marker left.", "4.4(f)")
    least = 1 if markers.rebuy.at == "zero" else session.compulsory()
    if session.bank(player) >= least:
        text = f"{player} has {session.bank(player):,}; the marker is good below {least:,}."
        session.refuse("bank_too_high", text, "4.4(f)")
    one.markers["rebuy"] -= 1
    one.short = False
    session.book_units(player, "rebuy", markers.rebuy.units, by.id)
    session.to_tray(-markers.rebuy.units, by, player)
    session.note("marker_used", ("4.4(f)",), entrant=player, marker=WORDS["rebuy"], left=one.markers["rebuy"])


@_declare("rebuy", "Re-buy", "4.3(a)(iv)", asks=(ENTRANT,), states=("playing", "held", "paused"), undo="never",
          when=lambda session: session.terms.again.rebuy is not None)  # fmt: skip
def rebuy(session: Session, by: Person, *, player: str) -> None:
    """As the terms say, never with cards in hand; its price is paid at the hall (T-21)."""
    one, rule = session.entrant(player), session.terms.again.rebuy
    assert rule is not None  # else the key is none
    if session.felt.in_hand(one.number):
        session.refuse_citing("in_hand", f"{player} holds cards; chips come after the hand.", ("6.11",))
    if not rounds.rebuy_open(session):
        session.refuse("rebuy_closed", f"Re-buys closed with level {rule.until_level}.", "4.3(a)(iv)")
    if rule.when == "stack_zero" and session.bank(player):
        session.refuse(
            "bank_too_high", f"{player} has {session.bank(player):,}; a re-buy is for nothing left.", "4.3(a)(iv)"
        )
    if rule.times and one.rebought >= rule.times:
        session.refuse("rebuys_used", f"{player} has had {rule.times} re-buys already.", "4.3(a)(iv)")
    one.rebought, one.short = one.rebought + 1, False
    session.book_units(player, "rebuy", rule.units, by.id)
    session.issue(rule.units)


@_declare("add_on", "Add-on", "4.1(a)(ii)", asks=(ENTRANT,), states=("playing", "held", "paused"), undo="never",
          when=lambda session: session.terms.again.add_on is not None)  # fmt: skip
def add_on(session: Session, by: Person, *, player: str) -> None:
    """Once, at the stated break, and not with cards in hand (T-21)."""
    one, rule = session.entrant(player), session.terms.again.add_on
    assert rule is not None  # else the key is none
    if session.felt.in_hand(one.number):
        session.refuse_citing("in_hand", f"{player} holds cards; chips come after the hand.", ("6.11",))
    rest = levels.on_break(session)
    if rest is None or (rule.at.startswith("break after level") and rule.at != f"break after level {rest.number - 1}"):
        session.refuse("not_at_break", f"An add-on is taken only at the {rule.at}.", "4.1(a)(ii)")
    if one.added_on >= rule.times:
        session.refuse("added_on", f"{player} has had the add-on already: {rule.times} each.", "4.1(a)(ii)")
    one.added_on += 1
    session.book_units(player, "add_on", rule.units, by.id)
    session.issue(rule.units)


@_declare("next_hand", "Hand for hand: the next hand", "4.3(a)(i)", states=("playing",), director=True,
          when=lambda session: session.state.hand_for_hand)  # fmt: skip
def next_hand(session: Session, by: Person) -> None:
    """The Director's word at the table, where the hall is not heard."""
    session.state.next_hand = True


@_declare("away", "Entrant is away", "4.8(b)(ii)", asks=(ENTRANT,), states=IN_SESSION)
def away(session: Session, by: Person, *, player: str) -> None:
    session.entrant(player).away = True
    session.note("away", ("4.8(b)(ii)",), entrant=player, by=by.id)


@_declare("late", "Entrant has not come yet", "4.8(b)(i)", asks=(ENTRANT,), states=("set", *IN_SESSION))
def late(session: Session, by: Person, *, player: str) -> None:
    session.entrant(player).late = True
    session.note("late", ("4.8(b)(i)",), entrant=player, by=by.id)


@_declare("is_here", "Entrant is here", "4.8(b)(ii)", asks=(ENTRANT,), states=("set", *IN_SESSION))
def is_here(session: Session, by: Person, *, player: str) -> None:
    one = session.entrant(player)
    one.away = one.late = False
    session.note("here", ("4.8(b)(i)", "4.8(b)(ii)"), entrant=player, by=by.id)


@_declare("arrived", "Moved entrant has arrived: chips counted", "4.3(a)(iii)", asks=(COMING, UNITS), states=AT_TABLE,
          when=lambda session: bool(session.state.moving))  # fmt: skip
def arrived(session: Session, by: Person, *, player: str, units: int) -> None:
    moves.arrived(session, player, units, by)


@_declare("phone", "Report a telephone", "4.8(b)(iii)", asks=(ENTRANT,), states=AT_TABLE)
def phone(session: Session, by: Person, *, player: str) -> None:
    """From begin to agreed (T-50); the Director applies what the terms say."""
    session.note("phone", ("4.8(b)(iii)",), entrant=session.entrant(player).number, by=by.id)
    session.ask("phone", player)


@_declare("retire", "Entrant retires", "4.8(b)(vi)", asks=(ENTRANT,), states=IN_SESSION)
def retire(session: Session, by: Person, *, player: str) -> None:
    """After the round, with the place of that moment (T-29)."""
    conduct.decide(session, Pending("retire", session.entrant(player).number, by=by.id))


@_declare("dispute_event", "Dispute about the tournament", "4.8(h)", asks=(ABOUT,), states=AT_TABLE)
def dispute_event(session: Session, by: Person, *, about: str) -> None:
    """For the Director; what is about the game goes to the rank the rulebook names (T-49)."""
    session.ask("tournament_dispute", (session.desk.seq, about, by.id))


# -- markers -----------------------------------------------------------------------------------------------------------


def _laid(session: Session) -> Laid:
    return session.state.round.laid


def _lay(session: Session) -> Laid:
    """A marker is laid for the round that begins with it, if none has."""
    rounds.begin_round(session)
    return session.state.round.laid


def _before_the_close(session: Session, ending: str) -> None:
    if session.state.round.dealt or session.table.bets_closed():
        session.refuse("bets_closed", "Betting is closed for this round.", ending)


def _may_lay(session: Session, player: str, kind: Marker) -> Entrant:
    """Refuse a marker that this entrant has not, or lays too late; in practice none is used up."""
    one, ending_ = session.entrant(player), CLAUSES[kind]
    rounds.may_begin(session)
    _before_the_close(session, ending_)
    if one.short:
        session.refuse("below", f"{player} is out with this round unless the Re-Buy marker is used first.", "4.5(a)")
    if one.markers.get(kind, 0) <= 0:
        session.refuse("no_marker", f"{player} has no {WORDS[kind]} left.", ending_)
    if player in _laid(session).passes or player in _laid(session).all_in or player in _laid(session).secrets:
        session.refuse("marker_lies", f"A marker of {player} lies there already.", ending_)
    return one
