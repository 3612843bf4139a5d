"""Ask our simulated wheel sensor for its angle over TCP, through real frames, as often as it answers: port, seconds."""

import json
import socket
import sys
import time

from firmware_specs import link
from firmware_specs.frames import FrameDecoder, encode_frame
from firmware_specs.link import Hello, Identity
from firmware_specs.messages.wheel import ReadAngle, ReadAngleResult

port, seconds = int(sys.argv[1]), float(sys.argv[2])
line = socket.create_connection(("127.0.0.1", port), timeout=10)
line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
frames = FrameDecoder()


def ask(content: bytes, kind: int) -> bytes:
    """Send a frame; the next one of this kind that comes."""
    line.sendall(encode_frame(content))
    while True:
        for heard in frames.feed(line.recv(4096)):
            if heard[0] == kind:
                return heard


who = Identity.decode(ask(Hello(7, 0, 0).encode(), link.IDENTITY))
line.sendall(encode_frame(link.encode_ack(who.epoch, who.oldest - 1, who.oldest - 1)))
asked = 0


def ask_angle(count):
    """This many commands at once; all their results."""
    global asked
    body = ReadAngle().encode()
    line.sendall(
        b"".join(
            encode_frame(link.pack_event(link.COMMAND, number, ReadAngle.ID) + body)
            for number in range(asked + 1, asked + count + 1)
        )
    )
    last = asked + count
    while asked < last:
        for heard in frames.feed(line.recv(4096)):
            if heard[0] == link.RESULT:
                asked += 1
                assert link.unpack_event(heard)[1:] == (asked, link.Status.DONE)
                ReadAngleResult.decode(heard[link.HEAD_EVENT.size :])


def rate(together):
    first, begin = asked, time.perf_counter()
    while time.perf_counter() - begin < seconds:
        ask_angle(together)
    return (asked - first) / (time.perf_counter() - begin)


print(json.dumps({"per_second": rate(500), "one_at_a_time": rate(1)}))
