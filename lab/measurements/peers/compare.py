"""What a person might use instead, side by side with ours: same machine, same run, same work.

`make bench-peers` installs the peers from the package registry into a virtual environment of their own and calls
this. Peer and ours take turns, and the median of the turns counts. One JSON object a line.
"""

import argparse
import contextlib
import json
import socket
import statistics
import subprocess
import sys
from pathlib import Path

from lab.measurements.history import run_facts

HERE = Path(__file__).parent
TURN_S = 1.0
LONGEST_S = 120
UP_S = 20.0
PAIRS = (
    ("mpf", "mpf_switches", "our_events", "switch events a second in memory, from the switch to whoever listens"),
    ("pokerkit", "pokerkit_hands", "our_hands", "no-limit hands of six players to a showdown a second"),
    ("python-statemachine", "statemachine_transitions", "our_transitions", "guarded transitions a second"),
)


def failed(python, why):
    """A peer that does not run here is told and passed over; when ours does not, there is nothing to compare."""
    return SystemExit(f"ours does not run: {why}") if python == sys.executable else RuntimeError(why)


def measured(python, script, *args):
    """What a script says it did, by the second."""
    ran = subprocess.run(
        [python, HERE / f"{script}.py", *map(str, args)], capture_output=True, text=True, timeout=LONGEST_S, check=False
    )
    if ran.returncode:
        why = ran.stderr.strip().splitlines()[-1] if ran.stderr.strip() else f"exit {ran.returncode}"
        raise failed(python, why)
    return json.loads(ran.stdout.splitlines()[-1])


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def serving(command, port):
    """A simulated device in a process of its own, once it listens on this port."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        patience = int(UP_S / 0.2)
        while patience:
            if process.poll() is not None:
                raise failed(command[0], f"{command[0]} ended at once")
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
                break
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(timeout=0.2)
            patience -= 1
        yield
    finally:
        process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=10)
        process.kill()


def exchanges(peers, turns):
    """Questions a second that a simulated device answers over TCP: lewis as fast as it goes, and ours."""
    theirs, ours = [], []
    for _ in range(turns):
        port = free_port()
        lewis = [
            str(peers.parent / "lewis"), "angle", "-a", str(HERE), "-k", "lewis_devices", "-c", "0", "-o", "none",
            "-p", f"stream: {{bind_address: 127.0.0.1, port: {port}}}",
        ]  # fmt: skip
        with serving(lewis, port):
            theirs.append(measured(peers, "lewis_exchanges", port, TURN_S))
        port = free_port()
        wheel = [
            sys.executable, "-c", "from controller.commands import main; main()", "simulate", "wheel",
            "--port", f"tcp:127.0.0.1:{port}", "--seed", "1",
        ]  # fmt: skip
        with serving(wheel, port):
            ours.append(measured(sys.executable, "our_exchanges", port, TURN_S))
    return theirs, ours


def side_by_side(peers, script, our_script, turns):
    theirs, ours = [], []
    for _ in range(turns):
        theirs.append(measured(peers, script, TURN_S))
        ours.append(measured(sys.executable, our_script, TURN_S))
    return theirs, ours


def version_of(peers, package):
    asked = [peers, "-c", f"from importlib.metadata import version; print(version({package!r}))"]
    ran = subprocess.run(asked, capture_output=True, text=True, timeout=LONGEST_S, check=False)
    return ran.stdout.strip()


def main():
    reading = argparse.ArgumentParser(description=__doc__)
    reading.add_argument("peers", type=Path, help="the python of the environment that holds the peers")
    reading.add_argument("--turns", type=int, default=3)
    reading.add_argument("--history", type=Path, help="a file that the results are added to as well")
    given = reading.parse_args()
    run = run_facts()

    def tell(result):
        print(json.dumps(result), flush=True)
        if given.history is not None and "skipped" not in result:
            with given.history.open("a") as kept:
                kept.write(json.dumps({**result, **run}) + "\n")

    works = {
        "lewis": ("questions a second answered by a simulated device over TCP, five hundred at a time", exchanges, ())
    }
    works |= {package: (what, side_by_side, scripts) for package, *scripts, what in PAIRS}
    for package, (what, work, scripts) in works.items():
        told = {"bench": f"peer_{package}", "peer": package, "what": what}
        version = version_of(given.peers, package)
        if not version:
            tell({**told, "skipped": f"{package} cannot be installed on this Python"})
            continue
        try:
            theirs, ours = (medians(turns) for turns in work(given.peers, *scripts, given.turns))
        except (RuntimeError, OSError, subprocess.SubprocessError) as error:
            tell({**told, "version": version, "skipped": f"does not run here: {error}"})
            continue
        told |= {"version": version, "theirs": theirs.pop("per_second"), "ours": ours.pop("per_second")}
        told |= {"times": round(told["ours"] / told["theirs"], 1)}
        told |= {f"times_{name}": round(ours[name] / theirs[name], 1) for name in theirs if name in ours}
        told |= {f"theirs_{name}": value for name, value in theirs.items()}
        told |= {f"ours_{name}": value for name, value in ours.items()}
        tell(told)


def medians(turns):
    """The median of each number over the turns."""
    return {name: round(statistics.median(turn[name] for turn in turns), 1) for name in turns[0]}


if __name__ == "__main__":
    main()
