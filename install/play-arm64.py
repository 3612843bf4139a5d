"""Inside the arm64 root: make the table simulated, run the service's command as its user, and see it become ready."""

import os
import pwd
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

CONFIG = Path("/etc/tablectl/table.toml")
DEADLINE_S = 300

text = CONFIG.read_text("utf-8")
CONFIG.write_text(re.sub(r'^port = "(/dev|usb).*$', "simulated = true", text, flags=re.MULTILINE), "utf-8")
user = pwd.getpwnam("tablectl")
unit = Path("/etc/systemd/system/tablectl.service").read_text()
found = re.search(r"^ExecStart=(.+)$", unit, re.MULTILINE)
assert found is not None

notify = "/tmp/notify"
line = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
line.bind(notify)
os.chmod(notify, 0o777)
line.settimeout(DEADLINE_S)
service = subprocess.Popen(
    found[1].split(),
    env={"PATH": "/usr/bin:/bin", "NOTIFY_SOCKET": notify, "WATCHDOG_USEC": "30000000", "TABLECTL_LOG": "json"},
    user=user.pw_uid,
    group=user.pw_gid,
    extra_groups=[],
)
try:
    for word in ("READY=1", "WATCHDOG=1"):
        while word not in (heard := line.recv(4096).decode()):
            pass
        print("        ", heard.splitlines()[-1])
finally:
    service.send_signal(signal.SIGTERM)
    status = service.wait(DEADLINE_S)
if status:
    sys.exit(f"the service ended with {status}")
subprocess.run(["tablectl", "journal", "verify", "/var/lib/tablectl/table.db"], check=True, timeout=DEADLINE_S)
