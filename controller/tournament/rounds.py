"""Rounds of a session: when one may begin, what must lie there, what it did to the banks, and who is out by it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from controller.core.desk import Refusal
from controller.core.effects import AnyEffect, Reversed, Settled
from controller.money.amounts import UNIT
from controller.people import TABLE, Person
from controller.tournament import alarms, conduct, levels, schedule
from controller.tournament.markers import CLAUSES, WORDS, Laid
from controller.tournament.state import Entrant, Pending, PlayOff, RoundUnderWay
from controller.tournament.terms import Lowest

if TYPE_CHECKING:
    from controller.tournament.session import Session

PRESENCE = "tournament:presence"
END = "tournament:end"


# -- whether one may begin -------------------------------------------------------------------------------------------


def no_round(session: Session) -> Refusal | None:
    """Why no round may begin, or have its first card: too early, nobody present, a closed slip."""
    if not session.taken:
        return None
    if under_way(session):
        return _not_laid(session)
    if session.phase in ("playing", "practising"):
        return _not_yet(session)
    if session.phase == "set":
        return _not_begun(session)
    if session.phase == "held":
        return _no("no_director", "No Director is present; a card or key of theirs lets it go on.", session, "2.3")
    if session.phase == "paused":
        return _no("paused", "The session is paused; the Director lets it go on.", session, "4.3(a)(i)")
    return _no("session_over", "The session is over at this table; count the banks.", session, "4.3(a)(i)")


def _no(code: str, text: str, session: Session, *endings: str) -> Refusal:
    return Refusal(code, text, session.clauses(*endings))


def _not_yet(session: Session) -> Refusal | None:
    """A break, hand for hand, or somebody whose chips differ from the ticket: the next hand waits."""
    if session.phase == "practising":
        return None
    if (rest := levels.on_break(session)) is not None:
        return _no("on_break", f"A break: level {rest.number} begins after it.", session, "4.3(a)(i)")
    if session.state.hand_for_hand and not session.state.next_hand:
        return _no("hand_for_hand", "Hand for hand: wait until every table is done.", session, "4.3(a)(i)")
    return None


def _not_begun(session: Session) -> Refusal:
    if not session.state.briefed_by:
        return _no("not_briefed", "The Director confirms first that the players were briefed.", session, "3.1")
    return _no("not_begun", "The Director begins the session first.", session, "4.3(a)(i)")


def under_way(session: Session) -> bool:
    """Whether a round was let begin and is not over."""
    return session.state.round.number != 0


def may_begin(session: Session) -> None:
    """Refuse a round that may not begin now."""
    if not under_way(session) and (no := no_round(session)) is not None:
        raise no


def begin_round(session: Session) -> None:
    """A round is let begin: whoever is out by now is, and what must be staked is what the sign has said long enough."""
    state = session.state
    if under_way(session):
        return
    for one in state.playing():
        if one.short:
            conduct.eliminate(session, one, "below the compulsory wager")
    for one in state.playing():
        if one.owes and session.terms.wagers.levels:
            text = f"{one.number} serves a penalty ({one.owes} hands): post the blinds, fold in turn."
            session.say("blinded", text, "4.8(a)(i)")
        elif session.terms.conduct.absent == "blinded" and (one.away or one.late):
            session.say("blinded", f"{one.number} is away: post the blinds, fold in turn.", "4.8(b)(ii)")
    state.next_hand = False
    state.round = RoundUnderWay(
        session.table.state.round, compulsory_now(session), began_at=session.desk.at, before=dict(state.ledger.banks)
    )


def compulsory_now(session: Session) -> int:
    """What must be staked in the round that begins now."""
    state, minutes = session.state, session.book.sign_minutes
    steps = session.terms.wagers.compulsory
    shown = state.shown_at if session.table.sign_needed else session.desk.at
    return schedule.in_force(steps, state.scored + 1, session.desk.at, shown, minutes, session.terms.tournament.starts)


# -- before the deal ---------------------------------------------------------------------------------------------------


def may_close(session: Session) -> None:
    """Betting is closed once markers have their chips, and secret wagers where the game wants them to lie by then."""
    if session.phase not in ("playing", "practising"):
        return
    if strange := session.felt.strangers({one.number for one in session.state.playing()}):
        text = f"Chips on {', '.join(strange)} are no entrant's: say whose they are, or take them off."
        session.refuse("no_owner", text, "2.5")
    laid = session.state.round.laid
    for who, zone in laid.all_in.items():
        due, lies = all_in_due(session, who, zone), session.felt.staked(who).get(zone, 0)
        if lies != due:
            text = f"{who}'s All-In marker stands for {due:,}: lay it on {zone}; {lies:,} lie there."
            session.refuse("all_in_differs", text, "4.4(d)")
    if session.felt.opened_before_close and (no := _not_laid(session)) is not None:
        raise no


def all_in_due(session: Session, who: str, zone: str) -> int:
    """What an All-In marker stands for: the whole bank, at most the maximum; the rest stays in the bank (T-18)."""
    beside = sum(units for other, units in session.felt.staked(who).items() if other != zone)
    return min(session.bank(who) - beside, session.felt.most(zone))


def secret_due(session: Session, who: str) -> int:
    """What a slip comes to: no more than the bank, and no more than the maximum counts (T-22)."""
    secret = session.state.round.laid.secrets[who]
    beside = sum(units for other, units in session.felt.staked(who).items() if other != secret.zone)
    return min(secret.units, max(0, session.bank(who) - beside), session.felt.most(secret.zone))


def _not_laid(session: Session) -> Refusal | None:
    """A secret wager that is not opened, or does not lie there."""
    for who, secret in session.state.round.laid.secrets.items():
        if not secret.opened:
            return _no("secret_closed", f"The secret wager of {who} is not opened yet.", session, "4.4(c)")
        due, lies = secret_due(session, who), session.felt.staked(who).get(secret.zone, 0)
        if lies != due:
            text = f"The secret wager of {who} is not laid: {due:,} on {secret.zone}; {lies:,} lie there."
            return _no("secret_not_laid", text, session, "4.4(c)")
    return None


def laid_for(session: Session, player: str) -> bool:
    """Whether the dealer lays an opened secret wager for this entrant."""
    secret = session.state.round.laid.secrets.get(player)
    return secret is not None and secret.opened


def no_stake(session: Session, player: str, place: int) -> Refusal | None:
    """Why this player may not stake here: only entrants do, each at their own place, and not after a pass."""
    if not session.taken:
        return None
    state = session.state
    one = state.entrants.get(player)
    if one is None or not one.plays or one.seat != place:
        text = f"Nobody stakes at {place} but whom the draw has put there."
        return _no("not_on_roster", text, session, "2.5", "1")
    if player in state.round.laid.passes:
        return _no("passed", f"{player} has passed this round; a pass is a round without a wager.", session, "4.4(e)")
    if one.owes and session.phase == "playing":
        return _no("misses_round", f"{player} misses this round as a penalty.", session, "4.8(a)(i)")
    if state.play_off is not None and player not in state.play_off.players:
        return _no("sits_out", f"{player} sits out while others play for a place.", session, "4.6(a)")
    return None


def short_of(session: Session) -> list[Entrant]:
    """Who must stake and does not meet the compulsory wager on any one zone (T-16)."""
    due = session.state.round.compulsory
    return [one for one in session.state.playing() if _must_stake(session, one) and _best(session, one) < due]


def _must_stake(session: Session, one: Entrant) -> bool:
    sits_out = session.state.play_off is not None and one.number not in session.state.play_off.players
    passed = one.number in session.state.round.laid.passes
    return not (one.away or one.late or one.owes or passed or sits_out)


def _best(session: Session, one: Entrant) -> int:
    return max(session.felt.staked(one.number).values(), default=0)


def say_short(session: Session) -> None:
    """A shortfall is told while it can still be put right."""
    for one in short_of(session):
        text = f"{one.number} has not laid the compulsory wager of {session.state.round.compulsory:,}."
        session.say("compulsory", text, "4.4(b)")


# -- what a round did --------------------------------------------------------------------------------------------------


def follow(session: Session, effects: list[AnyEffect]) -> None:
    """What the game has concluded, as far as the event is concerned."""
    for effect in effects:
        if isinstance(effect, Settled | Reversed):
            _settled(session, effect)
    if session.felt.dealt(effects):
        _dealt(session)
    ended = session.felt.over(effects)
    if ended == "again":
        _again(session)
    elif ended:
        _over(session, valid=ended == "valid")


def _settled(session: Session, effect: Settled | Reversed) -> None:
    state = session.state
    if state.practice is not None:
        nets = state.practice.nets
        for result in effect.results:
            nets[result.player] = nets.get(result.player, 0) + (result.pays - result.stake_taken) // UNIT
        return
    again = isinstance(effect, Reversed)
    for row in state.ledger.settled(effect.round, effect.results, session.desk.at, again):
        session.booked(row)


def _dealt(session: Session) -> None:
    """Stakes are fixed: markers that lie there are used up, and whoever fell short has done so."""
    state = session.state
    if session.phase == "practising" or not under_way(session):
        return
    state.round.dealt = True
    for one in state.playing():
        lies, bank = session.felt.open_stakes(one.number), session.bank(one.number)
        if lies > bank:
            alarms.OverBank(entrant=one.number, lies=f"{lies:,}", bank=f"{bank:,}").happened(session, one.number)
    state.round.breaches = [one.number for one in short_of(session)]
    for who, kind in state.round.laid.used():
        state.entrants[who].markers[kind] -= 1
        session.note("marker_used", (CLAUSES[kind],), entrant=who, marker=WORDS[kind],
                     left=state.entrants[who].markers[kind])  # fmt: skip


def _again(session: Session) -> None:
    """Of no effect: none of the session's rounds, its wagers stay, and it is played anew (T-43)."""
    if session.phase == "practising" or not under_way(session):
        return
    session.state.dealt += 1
    round_ = session.state.round
    round_.dealt, round_.breaches, round_.laid = False, [], Laid()
    session.note("round", ("4.3(a)(i)",), round=round_.number, scored=0, began=round_.began_at,
                 banks=dict(session.state.ledger.banks))  # fmt: skip


def _over(session: Session, valid: bool) -> None:
    state = session.state
    if session.phase == "practising":
        session.note("practice_round", ("3.2",), round=session.table.state.round)
        state.round = RoundUnderWay()
        return
    if not under_way(session):
        return
    scored = valid and state.play_off is None
    state.dealt += 1
    state.scored += scored
    session.note("round", ("4.3(a)(i)",), round=state.round.number, scored=state.scored if scored else 0,
                 began=state.round.began_at, banks=dict(state.ledger.banks))  # fmt: skip
    done, state.round = state.round, RoundUnderWay()
    if valid:
        _absences(session, done)
        _put_breaches(session, done)
    conduct.carry_out(session)
    _outs(session, done)
    if state.play_off is not None:
        _play_off_goes_on(session)
    elif scored:
        _lowest(session)
    levels.hand_played(session)
    levels.look(session)
    _may_end(session)
    hold_unless_present(session)


def _absences(session: Session, done: RoundUnderWay) -> None:
    """What it costs to be away or late, as the terms say (4.8(b)(i), (ii)); a missed round is served."""
    rules = session.terms.conduct
    for one in session.state.playing():
        one.owes = max(0, one.owes - 1)
        rule = rules.late if one.late else rules.absent if one.away else "nothing"
        if rule == "compulsory_forfeited":
            units = min(done.compulsory, session.bank(one.number))
            session.book_units(one.number, "late" if one.late else "absent", -units)
            session.to_tray(units, TABLE, one.number)
        elif rule == "eliminated":
            conduct.eliminate(session, one, "late" if one.late else "absent")


def _put_breaches(session: Session, done: RoundUnderWay) -> None:
    """A missed compulsory wager is the Director's matter (4.4(b))."""
    for number in done.breaches:
        if session.state.entrants[number].plays:
            session.note("breach", ("4.4(b)",), entrant=number, compulsory=done.compulsory, round=done.number)
            session.ask("breach", number)


def _outs(session: Session, done: RoundUnderWay) -> None:
    """Whoever is below what must be staked is out after the round; an unused Re-Buy marker is offered first (T-17)."""
    rule = session.terms.result.eliminated
    for one in session.state.playing():
        least = {"below_compulsory": compulsory_now(session), "stack_zero": 1}.get(str(rule), 0)
        if session.bank(one.number) >= least:
            one.short = False
        elif rebuy_open(session):
            one.short = True
            session.say("rebuy", f"{one.number} is out with the next hand unless a re-buy is taken.", "4.3(a)(iv)")
        elif one.markers.get("rebuy", 0) > 0:
            one.short = True
            has = f"{one.number} has {session.bank(one.number):,}"
            text = f"{has}: out with the next round unless the Re-Buy marker is used."
            session.say("rebuy", text, "4.4(f)", "4.5(a)")
        else:
            conduct.eliminate(session, one, "below the compulsory wager", done)


def rebuy_open(session: Session) -> bool:
    """Whether the terms let chips be bought again at this level."""
    rule = session.terms.again.rebuy
    return rule is not None and (not rule.until_level or session.state.level <= rule.until_level)


def _lowest(session: Session) -> None:
    rule, state = session.terms.result.eliminated, session.state
    if not isinstance(rule, Lowest) or state.scored not in rule.lowest_after:
        return
    banks = {one.number: session.bank(one.number) for one in state.playing()}
    lowest = [number for number, bank in banks.items() if bank == min(banks.values())]
    if len(lowest) == 1:
        conduct.eliminate(session, state.entrants[lowest[0]], "the lowest bank")
    elif session.terms.result.ties.how == "play_off":
        begin_play_off(session, lowest)
    else:
        session.ask("lowest", ",".join(lowest))


def begin_play_off(session: Session, players: list[str]) -> None:
    """Equal banks play off; the tie rule covers eliminations too (T-31)."""
    rounds = session.terms.result.ties.rounds
    session.state.play_off = PlayOff(players, rounds, rounds)
    session.note("play_off", ("4.5(a)", "4.6(a)"), players=players, rounds=rounds)
    session.say("play_off", f"{' and '.join(players)} are equal: they play {rounds} rounds, everybody else sits out.",
                "4.6(a)", to="all")  # fmt: skip


def _play_off_goes_on(session: Session) -> None:
    off = session.state.play_off
    assert off is not None
    off.left -= 1
    left = [number for number in off.players if session.state.entrants[number].plays]
    banks = {number: session.bank(number) for number in left}
    lowest = [number for number, bank in banks.items() if bank == min(banks.values())]
    if off.left > 0 and len(left) > 1:
        return
    session.state.play_off = None
    if len(left) < len(off.players):
        return  # somebody is out already
    if len(lowest) == 1:
        conduct.eliminate(session, session.state.entrants[lowest[0]], "lost the play-off")
    else:
        begin_play_off(session, lowest)


def _may_end(session: Session) -> None:
    """The session is over at this table once its rounds or its time are used up, or nobody plays against anybody."""
    state, terms = session.state, session.session
    if session.phase not in ("playing", "held", "paused") or state.play_off is not None:
        return
    used_up = bool(terms.rounds) and state.scored >= terms.rounds
    out_of_time = bool(state.ends_at) and session.desk.at >= state.ends_at
    if used_up or out_of_time or _won(session) or not state.playing():
        session.machine.fire("end_reached")


def _won(session: Session) -> bool:
    """One is left of a session at this table alone; with several tables only the hall knows, and orders the end."""
    here = session.session
    return here.until == "one_left" and len(here.tables) == 1 and len(session.state.playing()) <= 1


def let_short_go(session: Session) -> bool:
    """Whether the next round is none: without those who took no re-buy nobody would play, so they are out by now."""
    state = session.state
    short = [one for one in state.playing() if one.short]
    stay = len(state.playing()) - len(short)
    if session.phase != "playing" or under_way(session) or not short or stay >= (2 if session.session.until else 1):
        return False
    for one in short:
        conduct.eliminate(session, one, "below the compulsory wager")
    _may_end(session)
    return True


def one_left(session: Session) -> None:
    """The hall counts one left of all tables: the session is over here, after the round under way."""
    if len(session.state.playing()) + len(session.state.moving) > 1:
        session.refuse("not_one", "More than one plays here.", "4.3(a)(i)")
    if session.phase in ("playing", "held", "paused") and not under_way(session):
        session.machine.fire("end_reached")


def time_is_up(session: Session) -> None:
    """The round under way is finished; between two the session ends at once (T-44)."""
    if not under_way(session):
        _may_end(session)


def pause(session: Session, by: Person) -> None:
    """Between rounds at once, else after the one under way; level times move later, never earlier."""
    if under_way(session):
        session.state.pending.append(Pending("pause", by=by.id))
        session.say("pause_comes", "The session is paused after this round.", to="all")
    else:
        session.machine.fire("pause", by)


# -- presence ----------------------------------------------------------------------------------------------------------


def shown(session: Session, who: str, how: str) -> None:
    """Somebody was shown to be here; a Director's presence begins or goes on."""
    presence = session.state.presence
    if not presence.decides(who):
        return
    presence.shown(who, session.desk.at, how)
    if presence.until():
        session.desk.timer(PRESENCE, presence.until())
    if session.phase == "held" and presence.present(session.desk.at):
        session.machine.fire("presence")


def gone(session: Session, who: str) -> None:
    """A Director has signed out: the round under way is finished, none begins after it."""
    if session.state.presence.decides(who):
        session.state.presence.gone(who)
        hold_unless_present(session)


def hold_unless_present(session: Session, *by: object) -> None:
    if session.phase == "playing" and not under_way(session) and not session.present():
        session.machine.fire("presence_lost")


def say_held(session: Session, *by: object) -> None:
    alarms.NoDirector(name=session.state.presence.director).holds(session)


def say_paused(session: Session, *by: object) -> None:
    session.state.paused_at = session.desk.at
    session.desk.timer_off(levels.TIMER)
    session.say("paused", "The session is paused.", to="all")


def begin_levels(session: Session, *by: object) -> None:
    levels.look(session)


def clock_goes_on(session: Session, *by: object) -> None:
    """A pause moves every level later."""
    stood(session, session.desk.at - session.state.paused_at)


def stood(session: Session, for_ms: int) -> None:
    """The clock stood for so long."""
    session.state.moved_ms += for_ms
    levels.look(session)
    session.table.show_sign()


def say_goes_on(session: Session, *by: object) -> None:
    session.say("goes_on", "The session goes on.", to="all")


def as_words(numbers: Iterable[str]) -> str:
    return ", ".join(numbers) or "nobody"
