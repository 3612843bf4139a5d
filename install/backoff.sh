#!/bin/sh
# Waits before a start that follows others which did not last: 1, 2, 4, … at most 60 seconds.
# A table that ran for five minutes starts at once. Debian 12's systemd has no such setting of its own.
set -eu
state=${RUNTIME_DIRECTORY:?is set by the service manager}/starts
now=$(date +%s)
last=0
short=0
if [ -r "$state" ]; then
    read -r last short <"$state" || { last=0; short=0; }
fi
case "$last$short" in *[!0-9]*) last=0 short=0 ;; esac
ran=$((now - last))
if [ "$last" -gt 0 ] && [ "$ran" -ge 0 ] && [ "$ran" -lt 300 ]; then
    short=$((short + 1))
else
    short=0
fi
pause=0
[ "$short" -gt 0 ] && pause=1
step=1
while [ "$step" -lt "$short" ] && [ "$pause" -lt 60 ]; do
    pause=$((pause * 2))
    step=$((step + 1))
done
[ "$pause" -le 60 ] || pause=60
echo "$((now + pause)) $short" >"$state"
if [ "$pause" -gt 0 ]; then
    echo "start $short that did not last; waiting $pause s"
    sleep "$pause"
fi
