"""The subjects between tables and floor as AsyncAPI, made from the types of the messages on them."""

from __future__ import annotations

from typing import Any

import msgspec

from controller.core.events import Order
from controller.uplink.messages import EXPECTED, FORM, Address, Beat, Rows, Signed

CHANNELS: dict[str, tuple[str, type[msgspec.Struct] | None, str]] = {
    "rows": ("table", Rows, f"Rows of a journal in order, once each ({EXPECTED}); kept in the stream ROWS."),
    "beat": ("table", Beat, "A table is there, and where it thinks the stream stands; kept nowhere."),
    "witness": ("floor", None, "The newest head that the floor countersigned (C2SP signed note); stream WITNESS."),
    "order": ("floor", Signed, "An order of a person at the floor, signed by the floor."),
}
"""Every kind of subject: who speaks on it, in which form, and what."""


def asyncapi(version: str) -> dict[str, Any]:
    """The whole page."""
    kinds = [kind for _, kind, _ in CHANNELS.values() if kind is not None]
    _, schemas = msgspec.json.schema_components([*kinds, Order], ref_template="#/components/schemas/{name}")
    inside = {"contentMediaType": "application/json", "contentSchema": {"$ref": "#/components/schemas/Order"}}
    schemas[Signed.__name__]["properties"]["order"] |= inside
    return {
        "asyncapi": "3.0.0",
        "info": {"title": "Between tables and floor", "version": version, "description": f"Messages in form {FORM}."},
        "channels": {name: _channel(name) for name in CHANNELS},
        "operations": {f"{CHANNELS[name][0]}-says-{name}": _operation(name) for name in CHANNELS},
        "components": {"messages": {name: _message(name) for name in CHANNELS}, "schemas": schemas},
    }


def _channel(name: str) -> dict[str, Any]:
    subject = getattr(Address("{table}", "{journal}"), name)
    parameters = {"table": {"description": "A table's name in small letters."}, "journal": {"description": "Its id."}}
    return {
        "address": subject,
        "description": CHANNELS[name][2],
        "parameters": parameters,
        "messages": {name: {"$ref": f"#/components/messages/{name}"}},
    }


def _operation(name: str) -> dict[str, Any]:
    return {"action": "send", "channel": {"$ref": f"#/channels/{name}"}}


def _message(name: str) -> dict[str, Any]:
    kind = CHANNELS[name][1]
    if kind is None:
        return {"contentType": "text/plain", "payload": {"type": "string"}}
    return {"contentType": "application/msgpack", "payload": {"$ref": f"#/components/schemas/{kind.__name__}"}}
