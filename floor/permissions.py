"""Who may do what at the broker, as NATS reads it: the floor everything, a table its own subjects and nothing else."""

from __future__ import annotations

import json

from controller.fleet.messages import PIECES_STREAM, STREAM
from controller.uplink.messages import ROWS_STREAM, WITNESS_STREAM

HEAD = "# Written by tablectl floor broker: write it anew after an act on keys, and have the broker read it (SIGHUP).\n"


def of_table(table: str) -> dict[str, object]:
    """What a table's key may do: send its rows and beats, ask where it stands, hear its heads and orders.

    And its machine's steward: hear what is wanted, fetch the pieces of it, say what there is.
    """
    return {
        "publish": [
            f"rows.{table}.*", f"beat.{table}.*", f"$JS.API.DIRECT.GET.{ROWS_STREAM}.rows.{table}.*",
            f"$JS.API.DIRECT.GET.{WITNESS_STREAM}.witness.{table}.*", f"fleet.has.{table}",
            f"$JS.API.DIRECT.GET.{STREAM}.fleet.want.{table}.*", f"$JS.API.DIRECT.GET.{PIECES_STREAM}.piece.*.*",
        ],
        "subscribe": [f"witness.{table}.*", f"order.{table}.*", f"fleet.want.{table}.*", f"_INBOX.{table}.>"],
        "allow_responses": {"max": 1, "expires": "10s"},
    }  # fmt: skip


def written(floor: str, tables: dict[str, tuple[str, ...]]) -> str:
    """The file: the floor's own user, and one for each key of each table."""
    users = [f"    {{ nkey: {floor} }}"]
    for table, keys in sorted(tables.items()):
        users += [f"    {{ nkey: {key}, permissions: {json.dumps(of_table(table))} }}" for key in keys]
    return HEAD + "authorization {\n  users: [\n" + ",\n".join(users) + "\n  ]\n}\n"
