"""The real table beside the felt, in real time until it is told to stop."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from controller import VERSION, log, rules
from controller.config.types import TableConfig
from controller.core.events import EditionDue, FellBack, JournalChecked, TwinSeen
from controller.core.runtime import Runtime, Told
from controller.devices import drivers_for, opened, real_ports, register_for, threaded
from controller.journal.chain_check import ChainCheck
from controller.journal.heads import against_kept, kept, key_of
from controller.money.dress import ChipRegister
from controller.people.door import Doorkeeper, with_player_cards
from controller.pi.notify import ServiceLine, Watchdog
from controller.web.callers import keep_what_stands
from controller.web.server import WebTrouble, serve
from firmware_specs.clock import RealClock

if TYPE_CHECKING:
    from controller.pi.manifest import Checked
    from controller.rules.amended import Amended
    from controller.uplink.link import UplinkThread

Say = Callable[[str], None]
LIVE_RATE = 20
"""Times a second the wheel's angle is shown while it turns."""


async def run_table(
    config: TableConfig,
    register: ChipRegister | None,
    captures: Path | None,
    say: Say,
    program: Checked | None = None,
    instead_of: str = "",
) -> None:
    """The table of a configuration on its real ports, until it is told to stop.

    `program` is what a check of the installed files found, `instead_of` the version that should run and is not whole.
    """
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(log.not_handled)
    log.tell_what_nobody_took()
    manager = ServiceLine()
    clock = RealClock(loop)
    over = asyncio.Event()
    stop_on_signal(loop, over)
    known = with_player_cards(register or register_for(config), config)
    runtime = opened(config, Path(config.table.journal), clock, known)
    config, edition = edition_at_start(runtime, config)
    trouble = against_kept(runtime.journal, config)
    keeper = kept(
        runtime.journal,
        config,
        bool(trouble),
        lambda why: loop.call_soon_threadsafe(runtime.submit, TwinSeen(why)),
    )
    runtime.newest_head = lambda: keeper.newest
    log.place.table = config.table.name
    runtime.watchers.append(narrator())
    drivers_for(runtime, config, real_ports(config, loop), captures)
    past_ms = runtime.journal.last_at
    runtime.start(VERSION, config, threaded(runtime, loop))
    if trouble:
        runtime.submit(JournalChecked(runtime.journal.last_seq, trouble))
    if edition is not None:
        tell_when_due(runtime, edition)
    uplink = uplinked(runtime, config)
    unwatch = watched_clock(runtime, past_ms)
    chain_check = ChainCheck(clock, runtime.journal.path, runtime.submit)
    chain_check.start()
    door = Doorkeeper(runtime, config.staff_file())
    door.start()
    if program is not None:
        runtime.submit(program.event())
    if instead_of:
        runtime.submit(FellBack(instead_of, VERSION))
    if "wheel" in runtime.drivers:
        runtime.drivers["wheel"].desire({"live_rate": LIVE_RATE})
    try:
        server = await serve(runtime, config, door=door)
    except WebTrouble:
        chain_check.stop()
        unwatch()
        runtime.stop()
        keeper.close()
        if uplink is not None:
            uplink.close()
        raise
    say(f"Table {config.table.name}: pages at {server.url}")
    watchdog = Watchdog(clock, manager, runtime, runtime.journal.path.parent)
    runtime.committer.probe(lambda: manager.ready(f"Table {config.table.name}: pages at {server.url}"))
    watchdog.start()
    keep_what_stands()
    await over.wait()  # until the service manager or a person says stop
    manager.stopping()
    watchdog.stop()
    await server.stop()
    door.stop()
    chain_check.stop()
    unwatch()
    runtime.stop()
    keeper.close()
    if uplink is not None:
        uplink.close()


def edition_at_start(runtime: Runtime, config: TableConfig) -> tuple[TableConfig, Amended | None]:
    """What the table plays by, and the edition that waits; nothing of this is loaded where nothing was amended."""
    playing = runtime.guarded.config.table.rulebook
    if not Path(config.table.journal).with_name(rules.FOLDER).is_dir() and not rules.is_amended(playing):
        return config, None
    from controller.rules.amended import at_start

    return at_start(config, playing, runtime.table.state.life == "closed", runtime.clock.wall())


CLOCK_AFTER_S = 10.0
"""The clock is compared once the table is up: no start waits for it."""


def watched_clock(runtime: Runtime, past_ms: int) -> Callable[[], None]:
    """Keep in the journal what is known of the machine's clock; what is returned ends that."""
    ends: list[Callable[[], None]] = []

    def watch() -> None:
        from controller.pi.trusted_clock import TrustedClock

        trusted = TrustedClock(runtime.clock, runtime.submit, past_ms=past_ms)
        trusted.start()
        ends.append(trusted.stop)

    ends.append(runtime.clock.call_later(CLOCK_AFTER_S, watch).cancel)

    def end() -> None:
        for each in ends:
            each()

    return end


LONGEST_WAIT_S = 3600
"""A clock that is set meanwhile is noticed after this."""


def tell_when_due(runtime: Runtime, edition: Amended) -> None:
    """Tell the table that an amended rulebook is in force, once it is."""
    left_s = (edition.effective - runtime.clock.wall()) / 1000
    if left_s > 0:
        runtime.clock.call_later(min(left_s, LONGEST_WAIT_S), lambda: tell_when_due(runtime, edition))
    else:
        version, reference = edition.book.rulebook.version, edition.act.reference
        runtime.submit(EditionDue(version, reference, edition.effective))


def uplinked(runtime: Runtime, config: TableConfig) -> UplinkThread | None:
    """The way to the floor of a table that has one; where it has none, nothing of it is loaded."""
    if config.uplink is None:
        return None
    from controller.uplink import joined

    return joined(runtime, config.uplink, key_of(config))


def stop_on_signal(loop: asyncio.AbstractEventLoop, over: asyncio.Event) -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, over.set)


def narrator() -> Callable[[Told], None]:
    """Logs what the table concludes, each line with its round and event."""
    logger = log.get_logger("table")

    def tell(told: Told) -> None:
        log.place.event = told.seq
        for effect in told.effects:
            facts = msgspec.to_builtins(effect)
            kind = facts.pop("type")
            if kind == "Settled":
                log.place.round = facts["round"]
                logger.info("settled", outcome=facts["outcome"], wagers=len(facts["results"]))
            elif kind in ("Alarmed", "Asked", "Refused", "Reversed"):
                logger.warning(kind.lower(), **_short(facts))
            elif kind in ("AlarmOver", "Announced", "Ruled"):
                logger.info(kind.lower(), **_short(facts))

    return tell


def _short(facts: dict[str, object]) -> dict[str, object]:
    wanted = ("code", "text", "remedy", "subject", "answer", "by", "rank", "clauses", "proposal")
    return {key: facts[key] for key in wanted if facts.get(key)}
