"""Chips on the layout become stakes: where they lie, whose they are, and which of them only pay a winner."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from controller.core.desk import Ask, Refusal
from controller.core.events import Chip, ChipsCounted, ChipsMoved, ChipUnclear
from controller.core.keys import CHIPS, Keys
from controller.games.war import alarms, betting, hands, settling
from controller.games.war.asking import ANYBODY, BOX, ZONE
from controller.games.war.events import StakeChanged, StakeLaid
from controller.games.war.layout import HOUSE
from controller.games.war.play import War
from controller.games.war.state import BEFORE_ROUND, Coming, Lying, Stack
from controller.people import Person

Place = tuple[int, str]
"""Box and zone."""
KINDS = frozenset({"cash", "token"})
"""What may be staked at all; whether a token may, the rulebook says."""
NO_STAKES = ("over", "unchecked", "blocked")
"""Phases in which chips merely lie there."""
KEYS: Keys[War] = Keys(while_suspended=True, about=CHIPS)
TAGS = Ask("tags", "numbers", "Only the chips with these tags", optional=True, aside=True, suggested=True)
NAME = Ask("wager", "text", "Name of the stake", optional=True, aside=True)


def moved(game: War, event: ChipsMoved) -> None:
    """Chips came to an area or left it, a little before it is told; whatever follows from them was so then."""
    game.state.felt.since = game.desk.at - event.ago
    _moved(game, event)
    game.state.felt.since = 0
    if any(choice.choice == "surrender" for choice in game.state.round.choices):
        settling.after_choice(game)  # what the house keeps may be all that was still to be moved


def _moved(game: War, event: ChipsMoved) -> None:
    """An area read in part waits until it is read whole."""
    clear_now(game, (*(chip.tag for chip in event.added), *event.removed))
    place = game.layout.place(event.area)
    if place is None:
        return
    touched = _carry(game, event.area, place, event.added, event.removed)
    unread = game.state.felt.unread
    if event.partial:
        if event.area not in unread:
            unread.append(event.area)
        return
    if event.area in unread:
        unread.remove(event.area)
        touched |= dict.fromkeys(_wagers_at(game, event.area, place))
    _tell(game, touched)
    if place[1] in ("war", HOUSE) and game.machine.state in BEFORE_ROUND:
        _say_astray(game, event.area, game.layout.name(event.area))


def counted(game: War, event: ChipsCounted) -> None:
    """Everything was read anew: only what differs from what was known has moved."""
    clear_now(game, (chip.tag for chips in event.areas.values() for chip in chips))
    touched: dict[str, None] = {}
    held: dict[int, set[int]] = {}
    for tag, lying in game.state.felt.lying.items():
        held.setdefault(lying.area, set()).add(tag)
    for area in sorted(event.areas):
        place = game.layout.place(area)
        if place is None:
            continue
        now = {chip.tag: chip for chip in event.areas[area]}
        known = held.get(area, set())
        added = tuple(chip for tag, chip in now.items() if tag not in known)
        touched |= _carry(game, area, place, added, tuple(sorted(known - now.keys())))
        if area in game.state.felt.unread:
            game.state.felt.unread.remove(area)
            touched |= dict.fromkeys(_wagers_at(game, area, place))
    _tell(game, touched)


def _carry(game: War, area: int, place: Place, added: Iterable[Chip], removed: Iterable[int]) -> dict[str, None]:
    """Put down where chips lie now; the wagers concerned, those that lost chips first."""
    lying = game.state.felt.lying
    gone = {tag: lying[tag].wager for tag in removed if tag in lying and lying[tag].area == area}
    for tag in gone:
        del lying[tag]
    touched = dict.fromkeys(gone.values())
    if gone and not game.state.round.started:
        game.state.felt.slid.lift(gone.items(), _since(game))
    came: Coming | None = game.state.felt.coming.pop(area, None) if added else None
    staked = [chip for chip in added if chip.kind in KINDS and chip.cents]
    slid = {chip.tag: lying.pop(chip.tag).wager for chip in staked if chip.tag in lying}
    for chip in staked:
        _put(game, area, place, chip, slid.get(chip.tag, ""), came, touched)
    return touched


def _since(game: War) -> int:
    """When chips moved that are being taken, by the mat's clock where it told."""
    return game.state.felt.since or game.desk.at


def _put(
    game: War, area: int, place: Place, chip: Chip, before: str, came: Coming | None, touched: dict[str, None]
) -> None:
    felt = game.state.felt
    if before:
        touched[before] = None
    elif chip.tag in felt.slid.lifted:
        before = felt.slid.owner(chip.tag, _since(game))
    wager = _wager_of(game, area, place, chip, before, came)
    if wager == before and wager in felt.stacks:
        touched |= dict.fromkeys(_came_before(game, area, wager))
    felt.lying[chip.tag] = Lying(area, chip.cents, wager, chip.kind == "token")
    touched.pop(wager, None)
    touched[wager] = None


def _wagers_at(game: War, area: int, place: Place) -> list[str]:
    found = [stake.id for stake in game.state.round.stakes if (stake.box, stake.zone) == place]
    return [*found, *(lying.wager for lying in game.state.felt.lying.values() if lying.area == area)]


def unclear(game: War, event: ChipUnclear) -> None:
    """A chip across a line lies on no zone, so it is no stake until it is moved."""
    where = " and ".join(game.layout.name(area) for area in event.areas)
    if event.chip.tag not in game.state.felt.unclear:
        game.state.felt.unclear.append(event.chip.tag)
    alarms.AcrossTheLine(zones=where).holds(game, event.chip.tag)


def clear_now(game: War, tags: Iterable[int]) -> None:
    """These chips lie on one zone, or were lifted."""
    if game.state.felt.unclear:
        now = set(tags)
        game.state.felt.unclear = [tag for tag in game.state.felt.unclear if tag not in now]


# -- whose chips ---------------------------------------------------------------------------------------------------


def _wager_of(game: War, area: int, place: Place, chip: Chip, before: str, came: Coming | None) -> str:
    """The wager a chip belongs to: a winner's, its own, the one the dealer named, its owner's, or the box's.

    `before` is the wager it belonged to where it lay until just now, whoever's hand has slid it here.
    """
    box, zone = place
    if zone == HOUSE:
        return f"{HOUSE} {box}"
    known = _pays(game, area, place, chip) or _in_play(game, chip.tag, zone)
    if known:
        return known
    if came is not None:
        wager, player = _laid_for_war(game, area, came.player, chip.cents) or came.wager, came.player
    else:
        player = _slid_from(game, before, place) or _player_at(game, box, zone, chip.cents)
        wager = _name_kept(game, before, area) or _name(game, box, zone, player)
    if chip.kind == "token" and not game.rules.wagers.tokens and came is None:
        wager = f"{wager} token"  # it makes no cash chip beside it a stake of its kind
    elif game.money.state.watched and game.money.unpaid(area):
        wager = f"{wager} late"
    game.state.felt.stacks[wager] = Stack(player, box, zone)
    return wager


def _slid_from(game: War, before: str, place: Place) -> str:
    """Whose chip it is that was slid here; at a war spot only theirs who may go to war on that box."""
    stack = game.state.felt.stacks.get(before)
    if stack is None or stack.player == nobody(stack.box):
        return ""
    box, zone = place
    return stack.player if zone != "war" or game.state.round.tied_main(box, stack.player) is not None else ""


def _name_kept(game: War, before: str, area: int) -> str:
    """The name that the dealer gave a stake goes with it, where the whole of it is slid before the deal."""
    stack = game.state.felt.stacks.get(before)
    if stack is None or game.state.round.started or before == _name(game, stack.box, stack.zone, stack.player):
        return ""
    return "" if any(one.wager == before and one.area != area for one in game.state.felt.lying.values()) else before


def _came_before(game: War, area: int, wager: str) -> list[str]:
    """Chip by chip a stake is slid under the name of its box; with the last one it has its own name again."""
    stack, lying = game.state.felt.stacks[wager], game.state.felt.lying
    name = _name(game, stack.box, stack.zone, stack.player)
    slid = {tag: one for tag, one in lying.items() if one.area == area and one.wager == name != wager}
    lying |= {tag: msgspec.structs.replace(one, wager=wager) for tag, one in slid.items()}
    return [name] if slid else []


def _in_play(game: War, tag: int, zone: str) -> str:
    """The wager of this round whose chip it is, wherever it is put, until its chips were taken or paid.

    What was collected into the float and lies for a war is somebody's stake, bought or not.
    """
    lay, watch = game.state.round.in_play.get(tag), game.money.state.watch
    if zone == "war" and watch is not None and tag in watch.collected and tag not in watch.slid:
        return ""
    booked = None if lay is None else game.state.round.booked.get(lay.wager)
    return "" if lay is None or (booked is not None and booked.done) else lay.wager


def _name(game: War, box: int, zone: str, player: str) -> str:
    """What a stake is called: one a player and zone, so that chips laid on top belong to it."""
    at_war = zone == "perfect_pairs" and betting.war_stakes_open(game)
    return f"{zone}{' at war' if at_war else ''} {box} {player}"


def _laid_for_war(game: War, area: int, player: str, cents: int) -> str:
    """What lies there for a war of this player and is too little yet: the rest is laid to it, whatever it is called."""
    round_, unread = game.state.round, game.money.unread(area)
    for wager, stack in game.state.felt.stacks.items():
        if (stack.zone, stack.player, game.layout.area(stack.box, "war")) != ("war", player, area):
            continue
        main = round_.tied_main(stack.box, player)
        there = {tag: one.cents for tag, one in game.state.felt.lying.items() if one.wager == wager}
        part = sum(there.values()) if not there.keys() & set(unread) else 0
        if main is not None and round_.war_stake(main) is None and part and part + cents <= main.amount:
            return wager
    return ""


def _player_at(game: War, box: int, zone: str, cents: int) -> str:
    """Who stakes here when nobody said so: card or seat, else the one player there, else the front of the line."""
    state = game.state
    seated = state.players.at_box.get(box)
    if zone == "war":
        mains = sorted((main for main in game.state.round.tied_mains() if main.box == box), key=lambda main: main.line)
        waiting = [main for main in mains if game.state.round.war_stake(main) is None]
        fitting = [main.player for main in waiting if cents in (main.amount, main.counted)]
        if len(waiting) > 1 and seated not in fitting:
            return (fitting or [main.player for main in waiting])[0]
        if waiting:
            return seated if seated in [main.player for main in waiting] else waiting[0].player
    if seated:
        return seated
    line = [stake.player for stake in sorted(state.round.stakes, key=lambda stake: stake.line) if stake.box == box]
    return line[0] if line else nobody(box)


def nobody(box: int) -> str:
    """Whose chips are called that lie at a box nobody has taken."""
    return f"box {box}"


def _pays(game: War, area: int, place: Place, chip: Chip) -> str:
    """The wager that this chip pays or gives back, if it does: the house's chips, or what an area is still owed."""
    state = game.state
    if not state.round.booked or not state.round.started or area in state.felt.paid:
        return ""
    settled = [
        stake for stake in state.round.stakes if (stake.box, stake.zone) == place and stake.id in state.round.booked
    ]
    settled = [stake for stake in settled if stake.status != "refused"]  # never in play, nothing is paid on them
    if not settled:
        return ""
    watch = game.money.state.watch
    if game.money.state.watched:
        house = watch is not None and chip.tag in watch.house
        return settled[0].id if house else ""
    owed = sum(_stays(game, stake.id) for stake in settled)
    ids = {stake.id for stake in settled}
    there = sum(lying.cents for lying in state.felt.lying.values() if lying.wager in ids and lying.area == area)
    if there + chip.cents > owed:
        return ""
    if there + chip.cents == owed:
        state.felt.paid.append(area)
    return settled[0].id


def _stays(game: War, wager: str) -> int:
    result = game.state.round.booked[wager].result
    return result.pays + result.stake_returned


# -- what the game is told -----------------------------------------------------------------------------------------


def worth(game: War, wager: str) -> int:
    """What lies there for a wager; a chip of it that was put elsewhere does not."""
    lay, lying = game.state.round.in_play, game.state.felt.lying
    of_it = {tag: one for tag, one in lying.items() if one.wager == wager}
    there = [
        one.cents for tag, one in of_it.items() if (was := lay.get(tag, one)).area == one.area or was.wager != wager
    ]
    return sum(there)


def _tell(game: War, touched: Iterable[str]) -> None:
    """Stakes came or changed; between rounds chips merely lie there."""
    state = game.state
    for wager in touched:
        if wager.startswith(f"{HOUSE} "):
            _house_chips(game, wager)
        elif wager in state.felt.stacks and game.machine.state not in NO_STAKES:
            _tell_stake(game, wager, state.felt.stacks[wager])


def _tell_stake(game: War, wager: str, stack: Stack) -> None:
    stake = next((stake for stake in game.state.round.stakes if stake.id == wager), None)
    settled = wager in game.state.round.booked and game.state.round.started
    if stake is not None and settled and not betting.still_watched(game, stake):
        return  # paid, taken or handed back: its chips may move
    cents = worth(game, wager)
    if stake is not None and (stake.box, stake.zone) != (stack.box, stack.zone) and game.machine.state in BEFORE_ROUND:
        betting.changed(game, StakeChanged(wager, 0))  # it lies elsewhere now
        stake = None
    if stake is None and not cents:
        betting.changed(game, StakeChanged(wager, 0))
    elif stake is None and not (stack.zone == "war" and hands.still_coming(game, wager, stack, cents)):
        token = all(lying.token for lying in game.state.felt.lying.values() if lying.wager == wager)
        betting.laid(game, StakeLaid(wager, stack.player, stack.box, stack.zone, cents, token))
    elif stake is not None and (cents != stake.amount or wager in game.state.round.moved):
        betting.changed(game, StakeChanged(wager, cents))


def stack_due(game: War, timer: str) -> None:
    """A hand had time to lay the rest of a stack down: it is taken as it lies."""
    wager = timer.removeprefix(hands.STACK)
    if wager in game.state.felt.stacks and worth(game, wager):
        _tell(game, (wager,))


def take_lying(game: War, *cards: object) -> None:
    """Chips that merely lay there while the cards could not be used are staked now, and those lifted are not."""
    touched = (*(stake.id for stake in game.state.round.stakes), *(one.wager for one in game.state.felt.lying.values()))
    _tell(game, dict.fromkeys(touched))


def lay_anew(game: War) -> None:
    """Chips that are no stake any more and were slid to another box's war spot are a stake of who plays there."""
    felt, touched = game.state.felt, dict[str, None]()
    for tag, one in list(felt.lying.items()):
        place, stack = game.layout.place(one.area), felt.stacks.get(one.wager)
        slid = stack is not None and place is not None and place[1] == "war" and (stack.box, stack.zone) != place
        if place is not None and slid and tag not in game.state.round.in_play:
            del felt.lying[tag]
            chip = Chip(tag, "token" if one.token else "cash", one.cents)
            _put(game, one.area, place, chip, one.wager, None, touched)
    _tell(game, touched)


def seated(game: War) -> None:
    """Somebody took a box: chips that lie there and were nobody's are theirs; what was refused stays so (11.22.1)."""
    refused = {stake.id for stake in game.state.round.stakes if not stake.live}
    if game.state.round.started or game.machine.state not in BEFORE_ROUND:
        return
    felt, touched = game.state.felt, dict[str, None]()
    for tag, lying in felt.lying.items():
        stack = felt.stacks.get(lying.wager) if lying.wager not in refused else None
        player = game.state.players.at_box.get(stack.box) if stack is not None else None
        if stack is not None and player is not None and stack.player == nobody(stack.box):
            wager = _name(game, stack.box, stack.zone, player)
            felt.stacks[wager] = Stack(player, stack.box, stack.zone)
            felt.lying[tag] = msgspec.structs.replace(lying, wager=wager)
            touched |= {lying.wager: None, wager: None}
    _tell(game, touched)


def take_war_chips(game: War, player: str = "") -> None:
    """A war stake may lie there before it is offered: what this player, or anybody, laid is taken as it is."""
    if game.state.felt.early:
        betting.take_early(game)
    for wager, stack in list(game.state.felt.stacks.items()):
        theirs = stack.zone == "war" and player in ("", stack.player)
        if theirs and (cents := worth(game, wager)):
            _take_again(game, wager, stack, cents)


def _take_again(game: War, wager: str, stack: Stack, cents: int) -> None:
    stake = next((stake for stake in game.state.round.stakes if stake.id == wager), None)
    if stake is None:
        _tell_stake(game, wager, stack)
    elif not stake.live:
        betting.changed(game, StakeChanged(wager, cents))


def _house_chips(game: War, wager: str) -> None:
    """Method B: the house's own chips are counted apart; they are nobody's stake (Melbourne 7.4.4(a)(ii))."""
    box = wager.removeprefix(f"{HOUSE} ")
    cents = worth(game, wager)
    before = game.state.round.house_chips.get(box, 0)
    if cents:
        game.state.round.house_chips[box] = cents
    else:
        game.state.round.house_chips.pop(box, None)
    if cents > before:
        game.desk.note("house_chips", game.rules.cites["house_chips"], box=int(box), amount=cents)


def lay_again(game: War) -> None:
    """What was left on the layout is staked on the next round; the war and house spots are for later."""
    state = game.state
    if state.felt.early:
        betting.take_early(game)
    state.felt.paid, state.felt.coming = [], {}
    stacks: dict[str, Stack] = {}
    astray: dict[int, str] = {}
    for tag, lying in state.felt.lying.items():
        place = game.layout.place(lying.area)
        assert place is not None
        box, zone = place
        stack = state.felt.stacks.get(lying.wager)
        player = stack.player if stack else _player_at(game, box, zone, lying.cents)
        wager = f"{HOUSE} {box}" if zone == HOUSE else f"{zone} {box} {player}"
        state.felt.lying[tag] = msgspec.structs.replace(lying, wager=wager)
        if zone in ("war", HOUSE):
            astray[lying.area] = game.layout.name(lying.area)
        else:
            stacks[wager] = Stack(player, box, zone)
    state.felt.stacks = stacks
    for area, where in astray.items():
        _say_astray(game, area, where)
    _tell(game, list(stacks))


def _say_astray(game: War, area: int, where: str) -> None:
    """Chips that no antenna reads just now were lifted, or are read again a moment later."""
    if any(one.area == area and tag not in game.money.unread(area) for tag, one in game.state.felt.lying.items()):
        alarms.Astray(where=where).holds(game, area)


# -- keys ----------------------------------------------------------------------------------------------------------


@KEYS.key("assign", "Whose chips are these", power="open_table", asks=(BOX, ZONE, ANYBODY, TAGS, NAME))
def assign(
    game: War, by: Person, *, box: int, zone: str, player: str, tags: tuple[int, ...] = (), wager: str = ""
) -> None:
    """Whose chips these are; without tags, whose the next ones on that zone will be."""
    area = game.layout.area(box, zone)
    if area is None or zone == HOUSE:
        raise Refusal("no_such_zone", f"Box {box} has no {zone} zone.", game.rules.cites["zone_unknown"])
    wager = wager or _name(game, box, zone, player)
    state = game.state
    if not tags:
        state.felt.coming[area] = Coming(player, wager)
        game.desk.note("assigned", (), player=player, box=box, zone=zone, wager=wager, by=by.id)
        return
    mine = [tag for tag in tags if tag in state.felt.lying and state.felt.lying[tag].area == area]
    if not mine:
        raise Refusal("no_such_chips", f"Those chips do not lie on the {zone} of box {box}.")
    before = {state.felt.lying[tag].wager for tag in mine}
    if state.round.started and any(stake.id in before for stake in state.round.stakes):
        text = "These chips are in play; whose they are is fixed until the round is over."
        raise Refusal("in_play", text, game.rules.remedies["moved_chips"].clauses)
    state.felt.stacks[wager] = Stack(player, box, zone)
    for tag in mine:
        state.felt.lying[tag] = msgspec.structs.replace(state.felt.lying[tag], wager=wager)
    game.desk.note("assigned", (), player=player, box=box, zone=zone, wager=wager, by=by.id)
    _tell(game, [*sorted(before - {wager}), wager])
