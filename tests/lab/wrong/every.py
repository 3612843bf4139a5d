"""Every device that is wrong on purpose, each in one way in which firmware has been wrong before."""

from __future__ import annotations

from tests.lab.wrong import commands, events, frames, identity, kinds, memory, notes, outputs, pairing, sessions, timing

PARTS = (frames, identity, sessions, pairing, events, memory, commands, outputs, timing, kinds, notes)
WRONG = [wrong for part in PARTS for wrong in part.WRONG]
