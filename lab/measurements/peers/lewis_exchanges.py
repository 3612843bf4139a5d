"""Ask a device that lewis simulates for its angle over TCP, as often as it answers: port, seconds.

Five hundred questions at a time, because one at a time it mostly waits for the network's own delays.
"""

import json
import socket
import sys
import time

port, seconds = int(sys.argv[1]), float(sys.argv[2])
line = socket.create_connection(("127.0.0.1", port), timeout=10)
line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def ask(count):
    """This many questions at once; all their answers."""
    line.sendall(b"A\r\n" * count)
    answer = b""
    while len(answer) < 6 * count:
        answer += line.recv(4096)
    assert answer == b"4711\r\n" * count, answer


def rate(together):
    asked, begin = 0, time.perf_counter()
    while time.perf_counter() - begin < seconds:
        ask(together)
        asked += together
    return asked / (time.perf_counter() - begin)


print(json.dumps({"per_second": rate(500), "one_at_a_time": rate(1)}))
