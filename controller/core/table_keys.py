"""What people may do with the table itself, whatever is played: open and close it, its limits, its faults."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from controller import games
from controller.core import take_back
from controller.core.alarms import end_by_hand
from controller.core.desk import Ask, Key, Limits, PersonalLimit, Refusal, limit_faults
from controller.core.events import FloorOrder, OrdersTurnedAway
from controller.core.keys import TABLE, Keys
from controller.money import keys as money_keys
from controller.money.float_tray import float_slip
from controller.people import Person

if TYPE_CHECKING:
    from controller.core.table import Table

KEYS: Keys[Table] = Keys(about=TABLE)


def cited(key: Key) -> tuple[str, ...]:
    """The clause a key rests on; nothing where it is the house's own procedure."""
    return (key.clause,) if key.clause else ()


def admit(table: Table, key: Key, by: Person) -> None:
    """Refuse a rank that is too low, and what means nothing at a suspended table."""
    answers = key.name == "answer" and bool(by.roles)  # each answer says itself whose it is
    if by.rank < key.rank and not by.has(key.role) and not answers:
        raise Refusal("rank_too_low", table.desk.too_low(key.label, key.rank, by), cited(key))
    if table.state.life == "suspended" and not key.while_suspended:
        causes = "; ".join(fault.text for fault in table.state.faults.values())
        raise Refusal("suspended", f"The table is suspended: {causes}")


def ordered(table: Table, event: FloorOrder | OrdersTurnedAway) -> None:
    """A key that somebody of the floor presses from afar."""
    from controller.core import orders  # only where a floor orders anything

    if isinstance(event, FloorOrder):
        orders.take(table, event)
    else:
        orders.turned_away(table, event)


def _by_hand(table: Table) -> Iterator[tuple[str, str]]:
    return ((fault.code, fault.text) for fault in table.state.faults.values() if fault.rank)


def _to_see_to(table: Table) -> Iterator[tuple[str, str]]:
    return ((alarm.code, alarm.text) for alarm in table.state.desk.alarms.values() if table.ends_by_hand(alarm.code))


FLOAT_SLIP = Ask("float", "slip", "Float slip, dollars and chips: 5:40 25:20", optional=True, aside=True)
LEAST = Ask("least", "money", "Minimum", least=None)
MOST = Ask("most", "money", "Maximum", least=None)
PLAYER = Ask(
    "player", "player", "Player", offered=lambda t: ((name, name) for name in t.game.players_here()), suggested=True
)
WITH_LIMITS = Ask("player", "player", "Player", offered=lambda t: ((name, name) for name in t.state.personal),
                  suggested=True)  # fmt: skip
CONSENT = Ask("consent", "flag", "All players agree: it holds at once", optional=True,
              known=lambda house: house.every_change)  # fmt: skip
FAULT = Ask("fault", "choice", "Fault", offered=_by_hand, suggested=True)
ALARM = Ask("alarm", "choice", "Alarm", offered=_to_see_to, suggested=True)
FOUND = Ask("reason", "text", "What was found", optional=True)
MAY_SAY_WHY = Ask("reason", "text", "Why, if it was somebody else's or chips have moved", optional=True)
LAID = Ask("laid", "flag", "The marker lies at the position", optional=True)


@KEYS.key(
    "open",
    "Open the table",
    power="open_table",
    rank=1,
    asks=(FLOAT_SLIP,),
    undo="never",
    when=lambda t: t.life.can("open_table"),
)
def open_(table: Table, by: Person, *, float: str | dict[str, int] | None = None) -> None:
    if table.state.edition_due:
        version = table.state.edition_due
        raise Refusal(
            "edition_due", f"The rulebook's version {version} is in force; restart the controller, then open the table."
        )
    table.life.fire("open_table", float_slip(float), by)


@KEYS.key(
    "give_up_opening",
    "Stay closed",
    power="open_table",
    rank=1,
    while_suspended=True,
    when=lambda t: t.life.may("give_up_opening"),
)
def give_up_opening(table: Table, by: Person) -> None:
    table.life.fire("give_up_opening")


def _closing_means_something(table: Table) -> bool:
    return table.playing and (table.state.closing is None or (table.game.idle() and table.may_close()))


@KEYS.key("close", "Close the table", power="close", asks=(FLOAT_SLIP,), undo="never", when=_closing_means_something)
def close(table: Table, by: Person, *, float: str | dict[str, int] | None = None) -> None:
    slip = float_slip(float)
    if table.game.idle() and table.may_close():
        if table.money.state.unseen and slip is None:
            _refuse_uncounted(table)
        table.life.fire("close", slip, by)
    elif table.state.closing is not None:
        clause = table.keys["close"].clause
        raise Refusal("notice_runs", f"Closing notice still runs: {table.notice_text()}.", (clause,))
    else:
        table.life.fire("give_notice", by)


def _refuse_uncounted(table: Table) -> None:
    """A float that nobody reads is closed with what somebody has counted, or with the mat once it answers."""
    if any(table.kind_of(place) == "chips" and table.state.devices[place] != "up" for place in table.state.by_hand):
        text = "Nobody reads the float tray: count it, and close the table with the chips on its slip."
        raise Refusal("slip_needed", text, (table.keys["close"].clause,))


@KEYS.key(
    "limits",
    "Change the limits",
    power="change_limits",
    asks=(LEAST, MOST, CONSENT),
    when=lambda t: t.state.life != "suspended",
)
def limits(table: Table, by: Person, *, least: int, most: int, consent: bool = False) -> None:
    old = table.state.limits
    new = msgspec.structs.replace(old, least=least, most=most)
    _refuse_wrong(table, new)
    house = table.house
    table.desk.ruled("limits", f"{new.least}-{new.most}", by, (house.raising.clause,))
    waits = new.least > old.least or (house.every_change and new != old)
    free = house.every_change and (consent or not table.game.players_present())
    announced = _with_announced(table, new)
    if waits and not free:
        table.propose_limits(announced)
    else:
        table.take_limits(new, announced)
    table.show_sign()


def _with_announced(table: Table, new: Limits) -> Limits:
    """These limits, and what was announced before of the one that stays as it is: its notice is not taken back."""
    old, coming = table.state.limits, table.state.coming
    if coming is None or new == old:
        return new
    least = coming.limits.least if new.least == old.least else new.least
    most = coming.limits.most if new.most == old.most else new.most
    return msgspec.structs.replace(new, least=least, most=max(most, least))


@KEYS.key(
    "personal_limit",
    "Agree personal limits",
    power="personal_limit",
    asks=(PLAYER, LEAST, MOST),
    only_where_known=True,
    when=lambda t: t.playing,
)
def personal_limit(table: Table, by: Person, *, player: str, least: int, most: int) -> None:
    _refuse_wrong(table, msgspec.structs.replace(table.state.limits, least=least, most=most))
    table.state.personal[player] = PersonalLimit(least, most)
    clause = table.keys["personal_limit"].clause
    table.desk.ruled("personal_limit", f"{player}: {least}-{most}", by, (clause,))
    table.desk.announce("dealer", "marker", f"Lay the limit marker at the position of {player}.", (clause,))


def _refuse_wrong(table: Table, new: Limits) -> None:
    """Limits that a configuration may not have are no limits by key either."""
    if not 0 < new.least <= new.most:
        raise Refusal("bad_limits", "The minimum must be above nothing and not above the maximum.")
    for why in (*(fault.what for fault in limit_faults(new)), *table.game.limit_faults(new)):
        raise Refusal("bad_limits", f"These limits cannot be: {why}.")


@KEYS.key(
    "marker",
    "Marker laid or lifted",
    power="personal_limit",
    rank=1,
    asks=(WITH_LIMITS, LAID),
    only_where_known=True,
    when=lambda t: t.playing and bool(t.state.personal),
)
def marker(table: Table, by: Person, *, player: str, laid: bool = True) -> None:
    clause = table.keys["marker"].clause
    if player not in table.state.personal:
        raise Refusal("no_personal_limit", f"No personal limits are agreed for {player}.", (clause,))
    table.state.personal[player] = msgspec.structs.replace(table.state.personal[player], marker=laid)
    table.desk.note("marker", (clause,), player=player, laid=laid, by=by.id)


@KEYS.key(
    "clear_fault",
    "Fault looked at and cleared",
    power="resume",
    asks=(FAULT, FOUND),
    while_suspended=True,
    when=lambda t: any(fault.rank for fault in t.state.faults.values()),
)
def clear_fault(table: Table, by: Person, *, fault: str, reason: str = "") -> None:
    known = table.state.faults.get(fault)
    if known is None:
        raise Refusal("no_such_fault", f"There is no fault {fault!r}.")
    if not known.rank:
        raise Refusal("not_by_hand", f"This goes away by itself once its cause does: {known.remedy}")
    table.fault_over(fault)
    table.desk.ruled("fault", fault, by, (table.keys["clear_fault"].clause,), reason)


@KEYS.key(
    "seen_to",
    "Alarm seen to",
    power="seen_to",
    like="resume",
    rank=1,
    asks=(ALARM, FOUND),
    while_suspended=True,
    when=lambda t: any(_to_see_to(t)),
)
def seen_to(table: Table, by: Person, *, alarm: str, reason: str = "") -> None:
    known = table.state.desk.alarms.get(alarm)
    if known is None:
        raise Refusal("no_such_alarm", f"There is no alarm {alarm!r}; it may be over already.")
    rank, clause = table.ends_by_hand(alarm) or (0, "")
    if not rank:
        raise Refusal("not_by_hand", f"This goes away by itself once its cause does: {known.remedy}", known.clauses)
    if by.rank < rank:
        raise Refusal("rank_too_low", table.desk.too_low(known.text, rank, by), (clause,))
    end_by_hand(table.desk, alarm)
    table.desk.ruled("alarm", alarm, by, (clause,), reason)


@KEYS.key(
    "take_back",
    "Take the last key back",
    power=take_back.KEY,
    like="resume",
    rank=1,
    asks=(MAY_SAY_WHY,),
    while_suspended=True,
    undo="never",
    when=lambda t: take_back.last_key(t) is not None,
)
def take_it_back(table: Table, by: Person, *, reason: str = "") -> None:
    """Whoever pressed it, at once; a rank with a reason where chips have moved since, or for somebody else."""
    take_back.check(table, by, reason)
    table.taking_back = True


# -- playing on by hand ----------------------------------------------------------------------------------------------
# Few tables ever do: what it takes is loaded when somebody declares it, or begins from a state in which somebody has.


def _to_do_without(table: Table) -> Iterator[tuple[str, str]]:
    """The devices in use that people can stand in for, and do not yet."""
    kinds, used = games.find(table.game.name).by_hand_without, table.game.devices
    for place, state in table.state.devices.items():
        kind = table.kind_of(place)
        if kind in kinds and (place in used or kind in used) and place not in table.state.by_hand:
            yield place, f"{NAMES[kind]} “{place}” ({state})" if kind in NAMES else place


DEVICE = Ask("device", "choice", "Device", offered=_to_do_without)
WHY = Ask(
    "reason", "text", "What is wrong with it", suggested=True,
    choices=(("silent", "It is silent"), ("wrong", "It reads wrongly"), ("damaged", "It is damaged")),
)  # fmt: skip


@KEYS.key(
    "by_hand",
    "Play on without a device",
    power="by_hand",
    like="resume",
    asks=(DEVICE, WHY),
    while_suspended=True,
    when=lambda t: t.state.life in ("open", "closing", "suspended") and any(_to_do_without(t)),
)
def play_by_hand(table: Table, by: Person, *, device: str, reason: str) -> None:
    """It is dead for the night: what it would have told is asked for at the page."""
    from controller.core import by_hand

    by_hand.begin(table, device, by, reason)


def _done_without(table: Table) -> Iterator[tuple[str, str]]:
    return ((place, place) for place in table.state.by_hand)


def _answers_between_rounds(table: Table) -> bool:
    up = any(table.state.devices[place] == "up" for place in table.state.by_hand)
    return up and table.game.idle()


@KEYS.key(
    "by_hand_over",
    "Use the device again",
    power="by_hand",
    like="resume",
    asks=(Ask("device", "choice", "Device", offered=_done_without),),
    while_suspended=True,
    undo="never",
    when=_answers_between_rounds,
)
def by_hand_over(table: Table, by: Person, *, device: str) -> None:
    """It is listened to again, between two rounds."""
    from controller.core import by_hand

    by_hand.over(table, device, by)


class OwnedKeys(NamedTuple):
    """A list of keys, and whose they are."""

    keys: Keys[Any]
    owner: Any


def owned(table: Table, key: Key) -> OwnedKeys:
    """Whose a key is, of those that are the same at every game, or that stand in for a device."""
    if key.name in money_keys.KEYS:
        return OwnedKeys(money_keys.KEYS, table.money)
    if key.name in KEYS or key.name == "answer":
        return OwnedKeys(KEYS, table)
    from controller.core import by_hand

    return OwnedKeys(*by_hand.owned(table, key.name))


def means_something(table: Table, key: Key) -> bool:
    """Whether this key means something now."""
    if key.name == "answer":
        return bool(table.state.desk.prompts)
    keys, owner = owned(table, key)
    held = owner is table or table.playing or key.while_suspended
    return held and keys.means_something(owner, key.name, table.game.machine)


def press(table: Table, key: Key, args: dict[str, Any], by: Person) -> None:
    """Do what such a key does; one that stands in for a device means nothing where that would have told nothing."""
    keys, owner = owned(table, key)
    here = keys in (KEYS, money_keys.KEYS) or (
        table.playing and keys.means_something(owner, key.name, table.game.machine)
    )
    if not here and not key.while_suspended:
        raise Refusal("not_now", f"“{key.label}” means nothing now; the page shows what does.")
    keys.press(owner, key, args, by)


def told_by_hand(table: Table) -> dict[str, Key]:
    """The keys that stand in for devices."""
    if not games.find(table.game.name).by_hand_without:
        return {}
    from controller.core import by_hand

    return by_hand.told(table)


def played_by_hand(table: Table, valid: bool) -> None:
    """A round is over in which some device was not listened to."""
    if table.state.by_hand:
        from controller.core import by_hand

        by_hand.round_over(table, valid)


def without(table: Table, kind: str) -> bool:
    """Whether it is played without such a device."""
    return any(table.kind_of(place) == kind for place in table.state.by_hand)


def layout_cleared(table: Table, round_before: int) -> None:
    """A round has ended at a table whose chips nobody reads: whoever stakes again is keyed again."""
    if table.state.by_hand and table.state.round != round_before:
        from controller.core import by_hand

        by_hand.clear_layout(table)


def closing_by_hand(table: Table) -> None:
    """The table closes: nothing is played by hand any more."""
    if table.state.by_hand:
        from controller.core import by_hand

        by_hand.closing(table)


def by_hand_words(table: Table) -> list[str]:
    """The devices that are played without, as a sign names them."""
    return [NAMES.get(table.kind_of(place), place) for place in table.state.by_hand]


NAMES = {
    "chips": "chip mat", "shoe": "card shoe", "shuffler": "shuffler", "cards": "card antennas", "wheel": "wheel sensor",
}  # fmt: skip
