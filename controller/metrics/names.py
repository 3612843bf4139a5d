"""Every number that is told, declared once: pages, alert rules and dashboard know no other name."""

from __future__ import annotations

from typing import Literal, NamedTuple

Kind = Literal["gauge", "counter", "histogram"]


class Metric(NamedTuple):
    """One number: how Prometheus calls it, what it is, and what tells its samples apart."""

    name: str
    kind: Kind
    says: str
    labels: tuple[str, ...] = ()


INFO = Metric("tablectl_info", "gauge", "Which table this is; always 1", ("table", "game", "rulebook", "version"))
LIFE = Metric("tablectl_life", "gauge", "1 for the state the table is in", ("state",))
EVENTS = Metric("tablectl_events_total", "counter", "Events on disk since the journal began")
ROUNDS = Metric("tablectl_rounds_total", "counter", "Rounds that counted since the journal began")
TO_DISK = Metric("tablectl_to_disk_seconds", "histogram", "From an event to its row being on disk and acknowledged")
BROKEN = Metric("tablectl_journal_broken", "gauge", "1 when the journal cannot be written any more")
UNCLEAN = Metric("tablectl_started_unclean", "gauge", "1 when the start before this one did not end in good order")
ALARMS = Metric("tablectl_alarms", "gauge", "Alarms that stand", ("kind",))
SUSPENDING = Metric("tablectl_faults", "gauge", "Causes for which the table is suspended")
QUESTIONS = Metric("tablectl_questions", "gauge", "Decisions that wait for a person")
DEVICE_UP = Metric("tablectl_device_up", "gauge", "1 when the table has the device at this place", ("place",))
DEVICE_LINK = Metric(
    "tablectl_device_link_total", "counter",
    "What happened on the line to a device since the start: ups (restarts and reconnects), downs, frames_in, damaged, "
    "gaps, lost_events and others", ("place", "what"),
)  # fmt: skip
UPLINK_UP = Metric("tablectl_uplink_up", "gauge", "1 when the floor is heard; of a table with an uplink only")
UPLINK_BEHIND = Metric("tablectl_uplink_behind_rows", "gauge", "Rows that are not sent yet")
UPLINK_WITNESSED = Metric("tablectl_uplink_witnessed_rows", "gauge", "Rows that the floor has countersigned")

DISK_FREE = Metric("tablectl_machine_disk_free_bytes", "gauge", "Room under the journal, or the floor's store")
DISK_SIZE = Metric("tablectl_machine_disk_bytes", "gauge", "Size of the disk under it")
TEMPERATURE = Metric("tablectl_machine_temperature_celsius", "gauge", "Temperature of the processor", ("zone",))
THROTTLED = Metric(
    "tablectl_machine_throttled", "gauge",
    "What a Pi says of its supply and heat: undervoltage, frequency_capped, throttled, soft_limit; now or since boot",
    ("what", "when"),
)  # fmt: skip
CLOCK_OFFSET = Metric("tablectl_machine_clock_offset_seconds", "gauge", "How far the clock is off, says the kernel")
CLOCK_ERROR = Metric("tablectl_machine_clock_error_seconds", "gauge", "How far it may be off at most")
CLOCK_SYNCED = Metric("tablectl_machine_clock_synchronised", "gauge", "1 when somebody keeps the clock right")
WORN = Metric("tablectl_machine_card_worn_percent", "gauge", "How much of its life a card has used, at most", ("card",))
SPARE = Metric(
    "tablectl_machine_card_spare", "gauge", "What a card says of its spare blocks: 1 well, 2 most used, 3 nearly all",
    ("card",),
)  # fmt: skip
DISK_ERRORS = Metric("tablectl_machine_disk_errors", "gauge", "Errors that a file system has counted", ("disk",))
WATCHDOG = Metric("tablectl_machine_watchdog_reset", "gauge", "1 when the hardware watchdog caused the last boot")

TABLE = (
    INFO, LIFE, EVENTS, ROUNDS, TO_DISK, BROKEN, UNCLEAN, ALARMS, SUSPENDING, QUESTIONS, DEVICE_UP, DEVICE_LINK,
    UPLINK_UP, UPLINK_BEHIND, UPLINK_WITNESSED,
)  # fmt: skip
MACHINE = (
    DISK_FREE, DISK_SIZE, DISK_ERRORS, TEMPERATURE, THROTTLED, CLOCK_OFFSET, CLOCK_ERROR, CLOCK_SYNCED, WORN, SPARE,
    WATCHDOG,
)  # fmt: skip

FLOOR_HEARS = Metric("tablectl_floor_hears", "gauge", "1 when the floor hears the broker and keeps what comes")
FLOOR_TABLES = Metric("tablectl_floor_tables", "gauge", "Tables by their state", ("life",))
FLOOR_ROWS = Metric("tablectl_floor_rows_total", "counter", "Rows of a table in the store", ("table",))
FLOOR_ROUNDS = Metric("tablectl_floor_rounds_total", "counter", "Rounds of a table in the store", ("table",))
FLOOR_BEHIND = Metric("tablectl_floor_behind_rows", "gauge", "Rows that a table has and the floor has not", ("table",))
FLOOR_UNPROVED = Metric("tablectl_floor_unproved_rows", "gauge", "Rows that are not countersigned yet", ("table",))
FLOOR_HERE = Metric("tablectl_floor_table_here", "gauge", "1 when the table is heard", ("table",))
FLOOR_ALARMS = Metric("tablectl_floor_alarms", "gauge", "Alarms that stand at a table", ("table",))
FLOOR_FINDINGS = Metric("tablectl_floor_findings", "gauge", "What the floor found and nobody has closed", ("code",))
FLOOR_ORDERS = Metric("tablectl_floor_orders", "gauge", "Orders of the last five minutes that no table has yet")
FLOOR = (
    FLOOR_HEARS, FLOOR_TABLES, FLOOR_ROWS, FLOOR_ROUNDS, FLOOR_BEHIND, FLOOR_UNPROVED, FLOOR_HERE, FLOOR_ALARMS,
    FLOOR_FINDINGS, FLOOR_ORDERS,
)  # fmt: skip

FLEET_VERSION = Metric(
    "tablectl_fleet_version", "gauge", "1 for the version that a table's machine has", ("table", "version")
)
FLEET_HERE = Metric("tablectl_fleet_here", "gauge", "1 when a table's machine was heard within a minute", ("table",))
FLEET_FOUND = Metric(
    "tablectl_fleet_found", "gauge", "What the doctor of a table's machine found, by how bad it is", ("table", "level")
)
FLEET_DOUBLED = Metric(
    "tablectl_fleet_doubled", "gauge", "1 for a table whose computer answers under another name, too", ("table",)
)
FLEET_REFUSED = Metric(
    "tablectl_fleet_refused", "gauge", "1 for a table that refused what was rolled out, or went back", ("table", "kind")
)
FLEET_LAGGING = Metric(
    "tablectl_fleet_lagging", "gauge", "Tables that do not have yet what the newest roll-out brings", ("kind",)
)
FLEET_ROLL_OUT = Metric("tablectl_fleet_roll_out", "gauge", "1 for the state of the newest roll-out", ("kind", "state"))
FLEET = (
    FLEET_VERSION, FLEET_HERE, FLEET_FOUND, FLEET_DOUBLED, FLEET_REFUSED, FLEET_LAGGING, FLEET_ROLL_OUT,
)  # fmt: skip
ALL = (*TABLE, *MACHINE, *FLOOR, *FLEET)
