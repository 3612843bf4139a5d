"""A capture as a file for Wireshark: one frame of the link a packet, with the way it went."""

from __future__ import annotations

import struct

from drivers.capture import IN, OUT, Run

USER0 = 147
_FILE = struct.Struct("<IHHiIII")
_PACKET = struct.Struct("<IIII")


def as_pcap(run: Run) -> bytes:
    """Every frame that passed, damaged ones included; `table_link.lua` reads them."""
    packets = [_FILE.pack(0xA1B2C3D4, 2, 4, 0, 0, 65535, USER0)]
    waiting = {IN: b"", OUT: b""}
    for piece in run.pieces:
        frames = (waiting[piece.direction] + piece.octets).split(b"\0")
        waiting[piece.direction] = frames.pop()
        at = max(0.0, run.heading.wall / 1000 + piece.time - run.heading.now)
        for frame in frames:
            if frame:
                octets = bytes((piece.direction == IN,)) + frame + b"\0"
                packets.append(_PACKET.pack(int(at), int(at % 1 * 1e6), len(octets), len(octets)) + octets)
    return b"".join(packets)
