#!/bin/sh
# Installs the table controller from this bundle, on 64-bit Raspberry Pi OS or Debian, without internet.
#
#   sudo ./install.sh               install, or upgrade beside the running version
#   sudo ./install.sh --kiosk       and show the dealer's screen on the Pi's own display
#   sudo ./install.sh --uninstall   remove the program; journal and configuration stay
#
#   --wait SECONDS  upgrade at the end of the round that is being played, if it comes within so long
#   --older         go back to a version that is older than the installed one
#   --unproved      take a bundle that the key of this table's builder (/etc/tablectl/builder.gpg) did not sign
#   --now           upgrade also in the middle of a round, which then goes on under the new version
#   --root DIR      into the system that lies in this folder instead of the running one; nothing is started (for images)
#   --no-start      install, but do not start or restart the table
#   PYTHON=...      which Python runs the table; it lies at the same place in DIR
#
# It ends with 75 where a round came first and nothing else is wrong, and with 1 where anything is.
set -eu
umask 022
# A script that a cut copy ends in the middle of would be run as far as it goes.
[ "$(tail -n 1 "$0")" = "# The end." ] || {
    printf 'install.sh: this is not a whole bundle: install.sh is cut short\n  Copy the bundle again, and unpack it again.\n' >&2
    exit 1
}

root=
kiosk=no
start=yes
now=no
wait=0
older=no
unproved=
action=install
here=$(cd "$(dirname "$0")" && pwd)
systemctl=${TABLECTL_SYSTEMCTL:-systemctl}
unfinished=
staged=
placed=
switched=

say() { printf '%s\n' "$*"; }

fail() { # what is wrong, and the remedy
    printf 'install.sh: %s\n' "$1" >&2
    [ -z "${2:-}" ] || printf '  %s\n' "$2" >&2
    exit "${status:-1}"
}

tidy() { # whatever ends this script early leaves nothing half-installed
    for path in $staged; do rm -f "$path.new"; done
    if [ -n "$placed" ] && [ -z "$switched" ]; then
        if [ -n "$before" ]; then
            staged=
            stage "$before" && put || true
        else
            for path in $placed; do rm -f "$path"; done
        fi
    fi
    [ -z "$unfinished" ] || rm -rf "$opt/versions/$unfinished" "$opt/versions/$unfinished.manifest" "$opt/seals/$unfinished"
}
trap tidy EXIT
trap 'exit 1' HUP INT TERM

while [ $# -gt 0 ]; do
    case "$1" in
    --root) [ $# -gt 1 ] || fail "--root needs a folder"; mkdir -p "$2"; root=$(cd "$2" && pwd); shift ;;
    --kiosk) kiosk=yes ;;
    --no-start) start=no ;;
    --now) now=yes ;;
    --wait)
        case "${2:-}" in "" | *[!0-9]*) fail "--wait needs a number of seconds" ;; esac
        wait=$2
        shift
        ;;
    --older) older=yes ;;
    --unproved) unproved=--unproved ;;
    --uninstall) action=uninstall ;;
    -h | --help) sed -n '2,17s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) fail "there is no option $1" "See install.sh --help." ;;
    esac
    shift
done

opt=$root/opt/tablectl
etc=$root/etc/tablectl
config=$etc/table.toml
builder=$etc/builder.gpg
data=$root/var/lib/tablectl
units=$root/etc/systemd/system
rules=$root/etc/udev/rules.d
users=$root/etc/sysusers.d
tmpfiles=$root/etc/tmpfiles.d
modules=$root/etc/modules-load.d
command=$root/usr/local/bin/tablectl
upkeep="doctor backup export retain" # what the machine does by itself, beside the table

[ -n "$root" ] || [ "$(id -u)" = 0 ] || fail "this needs the rights of root" "Run: sudo $0"

# systemd is asked only where it runs; a test names a program of its own that stands in for it.
managed() { [ -n "${TABLECTL_SYSTEMCTL:-}" ] || { [ -z "$root" ] && [ -d /run/systemd/system ]; }; }
ctl() { if managed; then "$systemctl" "$@"; fi; }

enable() { # units, also where no systemd runs yet: in an image they shall come up with the machine
    if managed; then
        "$systemctl" enable --quiet "$@"
        return
    fi
    for unit in "$@"; do
        for target in $(sed -n 's/^WantedBy=//p' "$units/$unit"); do
            mkdir -p "$units/$target.wants"
            ln -sfn "/etc/systemd/system/$unit" "$units/$target.wants/$unit"
        done
    done
}

reload() {
    ctl daemon-reload
    if [ -z "$root" ] && managed && [ -r "$modules/tablectl.conf" ]; then
        sed '/^#/d' "$modules/tablectl.conf" | xargs -r -n 1 modprobe -q || true # as at the next start of the machine
    fi
    if [ -z "$root" ] && command -v udevadm >/dev/null 2>&1 && [ -d /run/udev ]; then
        udevadm control --reload && udevadm trigger --subsystem-match=tty --subsystem-match=usb \
            --subsystem-match=usb-serial --subsystem-match=hidraw || say "Replug the devices once, for their rights."
    fi
}

uninstall() {
    ctl disable --now tablectl-fleet.service 2>/dev/null || true
    ctl disable --now tablectl-kiosk.service 2>/dev/null || true
    ctl disable --now tablectl.service 2>/dev/null || true
    for what in $upkeep; do
        ctl disable --now "tablectl-$what.timer" 2>/dev/null || true
        rm -f "$units/tablectl-$what.timer" "$units/tablectl-$what.service" "$units/"*.wants/"tablectl-$what.timer"
    done
    rm -f "$units/tablectl-fleet.service" "$units/"*.wants/tablectl-fleet.service
    rm -f "$units/tablectl.service" "$units/tablectl-kiosk.service" "$units/tablectl.service.d/network.conf" \
        "$units/"*.wants/tablectl.service "$units/"*.wants/tablectl-kiosk.service \
        "$rules/70-tablectl.rules" "$users/tablectl.conf" "$users/tablectl-kiosk.conf" \
        "$tmpfiles/tablectl.conf" "$modules/tablectl.conf" "$command"
    rmdir "$units/tablectl.service.d" 2>/dev/null || true
    rm -rf "$opt" "$root/run/tablectl-program"
    reload
    say "The program is removed. The journal in $data and the configuration in $etc are left as they are."
}

if [ "$action" = uninstall ]; then
    uninstall
    exit 0
fi

# --- before anything is touched -------------------------------------------------------------------

cd "$here"
[ -f share/prove.sh ] || fail "this is not a whole bundle: share/prove.sh is missing" "Unpack the bundle again, or copy it again."
if ! wrong=$(sh share/prove.sh . "$builder" $unproved 2>&1); then
    fail "$(printf '%s\n' "$wrong" | sed -n 1p)" "$(printf '%s\n' "$wrong" | sed -n '2s/^ *//p')"
fi
. ./share/versions.sh
version=$(cat VERSION)
arch=$(cat ARCH)
[ "$(uname -m)" = "$arch" ] || fail "this bundle is for $arch and this machine is $(uname -m)" \
    "Use a 64-bit system on the Pi, or build the bundle for this machine: make bundle ARCH=$(uname -m)"

python=${PYTHON:-/usr/bin/python3}
command -v "$python" >/dev/null 2>&1 || fail "there is no $python on this machine" "Run: apt install python3"
about='import os, struct, sys; print("%d.%d" % sys.version_info[:2], struct.calcsize("P") * 8, os.path.abspath(sys._base_executable))'
has=$("$python" -c "$about") || fail "$python does not run" "Run: apt install --reinstall python3"
[ -z "${PYTHON:-}" ] || python=${has#* * } # never the environment of somebody else
has=${has% *}
case " $(cat PYTHONS) " in
*" ${has% *} "*) ;;
*) fail "this bundle has no wheels for Python ${has% *}; it has $(cat PYTHONS)" "Build one that has: make bundle" ;;
esac
[ "${has#* }" = 64 ] || fail "this system is 32-bit" "Install the 64-bit Raspberry Pi OS."
if [ -n "$root" ]; then # the table will run with the Python over there
    there=$root$python
    [ -e "$there" ] || [ -L "$there" ] || fail "$root holds no system that could run the table: there is no $there" \
        "Make a Debian system there first (debootstrap --include=python3), or install inside it."
    name=$(readlink "$there" || echo "python${has% *}")
    case "${name##*/}" in
    "python${has% *}" | python3) ;;
    *) fail "the Python of $root is ${name##*/}, and the one of this machine is ${has% *}" \
        "Install inside it: chroot $root sh install.sh" ;;
    esac
fi

if [ "$kiosk" = yes ] && [ -z "$root" ]; then
    command -v cage >/dev/null 2>&1 && { command -v chromium >/dev/null 2>&1 || command -v chromium-browser >/dev/null 2>&1; } ||
        fail "the kiosk needs cage and chromium" "Run: apt install cage chromium fonts-wqy-microhei"
fi

# What runs says itself which version it is: a name may have got a number behind it.
runs=$("$opt/current/bin/tablectl" --version 2>/dev/null) && runs=${runs##* } || runs=
if [ "$older" = no ] && [ -n "$runs" ] && [ "$runs" != "$version" ] &&
    [ "$(printf '%s\n%s\n' "$runs" "$version" | sort -V | tail -n 1)" = "$runs" ]; then
    fail "version $version is older than $runs, which is installed" "Take a newer bundle. To go back on purpose: --older"
fi

first=yes
[ ! -e "$config" ] || first=no
if [ "$first" = no ] && [ ! -d "$data" ]; then
    fail "the data directory $data is missing, and this table has a configuration" \
        "Mount the disk it is on. For a table without a past make it: install -d -m 0750 -o tablectl -g tablectl $data"
fi
for folder in "$opt/versions" "$units" "$rules" "$users" "$tmpfiles" "$modules" "$etc" "$(dirname "$command")" "$root/var/lib"; do
    { mkdir -p "$folder" && touch "$folder/.tablectl-install" && rm "$folder/.tablectl-install"; } 2>/dev/null ||
        fail "$folder cannot be written: the root file system is read-only or full" \
            "Make it writable for the installation: mount -o remount,rw / (and ro again afterwards); see df and dmesg."
done
room=$(df -Pk "$opt" | { read -r _; read -r _ _ _ free _; echo "$free"; })
[ "$room" -ge 204800 ] || fail "only $((room / 1024)) MB are free at $opt, and 200 MB are needed" "Make room, then try again."

before=
if [ -L "$opt/current" ]; then before=$(readlink "$opt/current"); fi

# --- the new version, beside the running one ------------------------------------------------------

name=$version
count=1
while [ -e "$opt/versions/$name" ]; do
    name=$version.$count
    count=$((count + 1))
done
new=$opt/versions/$name
unfinished=$name
say "Building version $name in $new"

environment() { # an environment of its own, which names no place of the machine that builds it
    mkdir -p "$new/bin" "$new/lib/python${has% *}/site-packages" &&
        printf 'home = %s\ninclude-system-site-packages = false\nversion = %s\n' "$(dirname "$python")" "${has% *}" >"$new/pyvenv.cfg" &&
        ln -s "$python" "$new/bin/python"
}
environment || fail "$new cannot be written" "Look at the disk: df, dmesg | tail"
log=$new/install.log
"$new/bin/python" "$here/$(ls -d wheels/pip-*.whl)/pip" --isolated --disable-pip-version-check install --quiet \
    --no-index --no-deps --no-cache-dir --no-compile --require-hashes --find-links "$here/wheels" \
    --requirement "$here/requirements.txt" >"$log" 2>&1 ||
    fail "the packages cannot be installed: $(tail -n 1 "$log")" "Look at the disk (df); if it is well, build the bundle again with make bundle."
find "$new/bin" -type f -exec rm {} + # they name the place where they were made
cp share/tablectl "$new/bin/tablectl"
rm -f "$log"
"$new/bin/python" -m compileall -q --invalidation-mode unchecked-hash ${root:+-s "$root"} "$new/lib" >/dev/null ||
    fail "the program cannot be compiled" "Check the disk: dmesg | tail"
mkdir -p "$new/share"
cp -R share "$new/share/tablectl"
cp install.sh "$new/share/tablectl/install.sh"
chmod 755 "$new/bin/tablectl" "$new/share/tablectl/"*.sh "$new/share/tablectl/launch"
seal "$name" || fail "the new version cannot be written to the disk" "Look at the disk: df, dmesg | tail"
"$new/bin/tablectl" --version >/dev/null || fail "the new version does not start" "Keep the old one, and report this."

ask() { "$new/bin/python" -P -s -m "$@" --config "$config" ${root:+--root "$root"}; }

if [ "$first" = no ]; then
    trouble=$(ask controller.pi.install.ready 2>&1) ||
        fail "version $version cannot run this table: $(printf '%s\n' "$trouble" | tail -n 1)" "Nothing was changed."
    # The version that runs knows best where it stands.
    if [ "$now" = no ] && [ "$start" = yes ] && managed && "$systemctl" is-active --quiet tablectl.service &&
        ls "$opt/$before/lib/"*/site-packages/controller/pi/install/under_way.py >/dev/null 2>&1; then
        asks=$(ls "$opt/$before/lib/"*/site-packages/controller/pi/install/under_way.py)
        patient= # one that can wait by itself sees the end of a round sooner than one that is started again and again
        if grep -q -e '"--wait"' "$asks"; then patient="--wait $wait" wait=0; fi
        until trouble=$("$opt/$before/bin/python" -P -s -m controller.pi.install.under_way --config "$config" \
            ${root:+--root "$root"} $patient 2>&1); do
            [ "$wait" -gt 0 ] || status=75 fail "$(printf '%s\n' "$trouble" | tail -n 1)" \
                "Install between rounds. With --now the table stands still for some seconds, and the round goes on after them."
            wait=$((wait - 1))
            sleep 1
        done
    fi
fi

# --- what belongs to the system -------------------------------------------------------------------

known() { # is there such a user where we install?
    if [ -n "$root" ]; then grep -q "^$1:" "$root/etc/passwd" 2>/dev/null; else getent passwd "$1" >/dev/null; fi
}

make_user() { # name, home
    known "$1" && return
    if [ -n "$root" ]; then # otherwise the machine makes it when it starts, and tmpfiles.d gives it what is its own
        if command -v systemd-sysusers >/dev/null 2>&1; then
            systemd-sysusers --root="$root" >/dev/null 2>&1 || true
        fi
    else
        useradd --system --user-group --home-dir "$2" --no-create-home --shell /usr/sbin/nologin "$1" ||
            fail "the user $1 cannot be made" "Make it by hand, then try again."
    fi
}

own() { # owner:group, path; in another root by that root's numbers
    [ "$(id -u)" = 0 ] || return 0
    if [ -z "$root" ]; then
        chown "$1" "$2"
        return
    fi
    uid=$(sed -n "s/^${1%:*}:[^:]*:\([0-9]*\):.*/\1/p" "$root/etc/passwd" 2>/dev/null)
    gid=$(sed -n "s/^${1#*:}:[^:]*:\([0-9]*\):.*/\1/p" "$root/etc/group" 2>/dev/null)
    [ -z "$uid" ] || [ -z "$gid" ] || chown "$uid:$gid" "$2"
}

add() { # SOURCE PATH: lay a file beside its place, to be put there in one step
    staged="$staged $2"
    mkdir -p "$(dirname "$2")" && cat "$1" >"$2.new"
}

stage() { # VERSIONS/NAME: the files of a version that lie outside it
    share=$opt/$1/share/tablectl
    # A version of before has no launcher; the one that is there serves it as well.
    if [ -e "$share/launch" ]; then add "$share/launch" "$opt/launch"; fi &&
        add "$share/backoff.sh" "$opt/backoff.sh" &&
        add "$share/kiosk.sh" "$opt/kiosk.sh" &&
        chmod 755 "$opt/"*.new &&
        add "$share/tablectl.service" "$units/tablectl.service" &&
        if [ -e "$units/tablectl-kiosk.service" ] || [ "$kiosk" = yes ]; then
            add "$share/tablectl-kiosk.service" "$units/tablectl-kiosk.service" &&
                add "$share/tablectl-kiosk.sysusers" "$users/tablectl-kiosk.conf"
        fi &&
        if [ -e "$share/tablectl-fleet.service" ]; then
            add "$share/tablectl-fleet.service" "$units/tablectl-fleet.service"
        fi &&
        add "$share/70-tablectl.rules" "$rules/70-tablectl.rules" &&
        add "$share/tablectl.modules" "$modules/tablectl.conf" &&
        add "$share/tablectl.sysusers" "$users/tablectl.conf" &&
        if [ -e "$share/tablectl.tmpfiles" ]; then add "$share/tablectl.tmpfiles" "$tmpfiles/tablectl.conf"; fi &&
        for what in $upkeep; do
            [ ! -e "$share/tablectl-$what.timer" ] || # a version of before may have none
                { add "$share/tablectl-$what.service" "$units/tablectl-$what.service" &&
                    add "$share/tablectl-$what.timer" "$units/tablectl-$what.timer"; } || return 1
        done &&
        if [ -e "$share/upkeep.conf" ] && [ ! -e "$etc/upkeep.conf" ]; then add "$share/upkeep.conf" "$etc/upkeep.conf"; fi &&
        staged="$staged $units/tablectl.service.d/network.conf" &&
        mkdir -p "$units/tablectl.service.d" &&
        ask controller.pi.install.network >"$units/tablectl.service.d/network.conf.new"
}

put() { # what was laid beside its place; on the disk before and after
    sync -f "$opt" "$units" "$rules" "$etc" "$root/var/lib"
    for path in $staged; do
        mv "$path.new" "$path" || return 1
        placed="$placed $path"
    done
    staged=
    sync -f "$opt" "$units" "$rules" "$etc" "$root/var/lib"
}

stage "versions/$name" || fail "what belongs to the system cannot be written" "Look at the disk: df, dmesg | tail"
if [ -f builder.gpg ] && [ ! -e "$builder" ]; then # from now on only what this key signed
    add builder.gpg "$builder" || fail "$builder cannot be written" "Look at the disk: df, dmesg | tail"
fi
if [ "$first" = yes ]; then
    staged="$staged $config"
    sed 's|^journal = .*|journal = "/var/lib/tablectl/table.db"|' "$new/share/tablectl/table.toml" >"$config.new" ||
        fail "$config cannot be written" "Look at the disk: df, dmesg | tail"
fi
put || fail "what belongs to the system cannot be put in place" "Look at the disk: df, dmesg | tail"
make_user tablectl /var/lib/tablectl
[ "$kiosk" = no ] || make_user tablectl-kiosk /var/lib/tablectl-kiosk
if [ ! -d "$data" ]; then
    mkdir -m 0750 "$data"
    own tablectl:tablectl "$data"
fi
if [ "$first" = yes ]; then
    chmod 0640 "$config"
    own root:tablectl "$config"
fi
switch "$name" || { switch_back; fail "the new version cannot be switched to" "Look at the disk: df, dmesg | tail"; }
switched=yes
unfinished=
ln -sfn /opt/tablectl/launch "$command"
reload
enable tablectl.service $(for what in $upkeep; do echo "tablectl-$what.timer"; done)
if [ "$first" = no ] && [ "$start" = yes ] && managed; then ctl start $(for what in $upkeep; do echo "tablectl-$what.timer"; done) || true; fi
[ "$kiosk" = no ] || enable tablectl-kiosk.service
sync -f "$units" "$(dirname "$command")"

# --- start, and go back when it is not ready ------------------------------------------------------

if [ "$first" = no ] && [ "$start" = yes ] && managed; then
    say "Starting version $name"
    if ! { ctl restart tablectl.service && ctl is-active --quiet tablectl.service; }; then
        say "Version $name did not become ready."
        if [ -n "$before" ] && [ -d "$opt/$before" ]; then
            staged=
            stage "$before" && put
            switch_back
            reload
            ctl restart tablectl.service || say "The version before it does not become ready either."
            rm -rf "$new" "$opt/seals/$name"
            fail "version $name was taken back; ${before#versions/} runs again" \
                "See why: journalctl -u tablectl -b. The journal and the configuration were not changed."
        fi
        fail "version $name is installed but not ready" "See why: journalctl -u tablectl -b"
    fi
    [ "$kiosk" = no ] || ctl restart tablectl-kiosk.service
fi
prune

say "Version $name is installed."
if [ "$first" = yes ]; then
    say "Now set the table up (or correct $config by hand), start it, and look it over:"
    say "  sudo tablectl setup"
    say "  sudo tablectl restart"
    say "  sudo tablectl doctor"
elif [ "$start" = no ] || ! managed; then
    say "Start it: systemctl restart tablectl"
fi
# The end.
