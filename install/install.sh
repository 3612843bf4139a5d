#!/bin/sh
# Installs the table controller from this bundle, on 64-bit Raspberry Pi OS or Debian, without internet.
#
#   sudo ./install.sh               install, or upgrade beside the running version
#   sudo ./install.sh --kiosk       and show the dealer's screen on the Pi's own display
#   sudo ./install.sh --uninstall   remove the program; journal and configuration stay
#
#   --root DIR      into this folder instead of the running system; nothing is started (for images and tests)
#   --no-start      install, but do not start or restart the table
#   PYTHON=...      which Python to build the environment with
set -eu
umask 022

root=
kiosk=no
start=yes
action=install
here=$(cd "$(dirname "$0")" && pwd)
systemctl=${TABLECTL_SYSTEMCTL:-systemctl}
unfinished=

say() { printf '%s\n' "$*"; }

fail() { # what is wrong, and the remedy
    printf 'install.sh: %s\n' "$1" >&2
    [ -z "${2:-}" ] || printf '  %s\n' "$2" >&2
    exit 1
}

tidy() { # whatever ends this script early leaves nothing half-installed
    [ -z "$unfinished" ] || rm -rf "$unfinished"
}
trap tidy EXIT
trap 'exit 1' HUP INT TERM

while [ $# -gt 0 ]; do
    case "$1" in
    --root) [ $# -gt 1 ] || fail "--root needs a folder"; mkdir -p "$2"; root=$(cd "$2" && pwd); shift ;;
    --kiosk) kiosk=yes ;;
    --no-start) start=no ;;
    --uninstall) action=uninstall ;;
    -h | --help) sed -n '2,11s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) fail "there is no option $1" "See install.sh --help." ;;
    esac
    shift
done

opt=$root/opt/tablectl
etc=$root/etc/tablectl
config=$etc/table.toml
data=$root/var/lib/tablectl
units=$root/etc/systemd/system
rules=$root/etc/udev/rules.d
users=$root/etc/sysusers.d
modules=$root/etc/modules-load.d
command=$root/usr/local/bin/tablectl

[ -n "$root" ] || [ "$(id -u)" = 0 ] || fail "this needs the rights of root" "Run: sudo $0"

# systemd is asked only where it runs; a test names a program of its own that stands in for it.
managed() { [ -n "${TABLECTL_SYSTEMCTL:-}" ] || { [ -z "$root" ] && [ -d /run/systemd/system ]; }; }
ctl() { if managed; then "$systemctl" "$@"; fi; }

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
    ctl disable --now tablectl-kiosk.service 2>/dev/null || true
    ctl disable --now tablectl.service 2>/dev/null || true
    rm -f "$units/tablectl.service" "$units/tablectl-kiosk.service" "$units/tablectl.service.d/network.conf" \
        "$rules/70-tablectl.rules" "$users/tablectl.conf" "$users/tablectl-kiosk.conf" \
        "$modules/tablectl.conf" "$command"
    rmdir "$units/tablectl.service.d" 2>/dev/null || true
    rm -rf "$opt"
    reload
    say "The program is removed. The journal in $data and the configuration in $etc are left as they are."
}

if [ "$action" = uninstall ]; then
    uninstall
    exit 0
fi

# --- before anything is touched -------------------------------------------------------------------

cd "$here"
[ -f SHA256SUMS ] || fail "this is not a whole bundle: SHA256SUMS is missing" "Unpack the bundle again, or copy it again."
if ! wrong=$(sha256sum --check --strict --quiet SHA256SUMS 2>&1); then
    fail "the bundle is damaged: $(printf '%s\n' "$wrong" | head -n 1)" \
        "Copy it again; if that does not help, build it again with make bundle."
fi
version=$(cat VERSION)
arch=$(cat ARCH)
[ "$(uname -m)" = "$arch" ] || fail "this bundle is for $arch and this machine is $(uname -m)" \
    "Use a 64-bit system on the Pi, or build the bundle for this machine: make bundle ARCH=$(uname -m)"

python=${PYTHON:-python3}
command -v "$python" >/dev/null 2>&1 || fail "there is no $python on this machine" "Run: apt install python3"
has=$("$python" -c 'import sys, struct; print("%d.%d" % sys.version_info[:2], struct.calcsize("P") * 8)') ||
    fail "$python does not run" "Run: apt install --reinstall python3"
case " $(cat PYTHONS) " in
*" ${has% *} "*) ;;
*) fail "this bundle has no wheels for Python ${has% *}; it has $(cat PYTHONS)" "Build one that has: make bundle" ;;
esac
[ "${has#* }" = 64 ] || fail "this system is 32-bit" "Install the 64-bit Raspberry Pi OS."

if [ "$kiosk" = yes ] && [ -z "$root" ]; then
    command -v cage >/dev/null 2>&1 && { command -v chromium >/dev/null 2>&1 || command -v chromium-browser >/dev/null 2>&1; } ||
        fail "the kiosk needs cage and chromium" "Run: apt install cage chromium"
fi

first=yes
[ ! -e "$config" ] || first=no
if [ "$first" = no ] && [ ! -d "$data" ]; then
    fail "the data directory $data is missing, and this table has a configuration" \
        "Mount the disk it is on. For a table without a past make it: install -d -m 0750 -o tablectl -g tablectl $data"
fi
mkdir -p "$opt/versions" || fail "$opt cannot be written" "Check that the root file system is writable for the installation."
room=$(df -Pk "$opt" | awk 'NR == 2 { print $4 }')
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
unfinished=$new
say "Building version $name in $new"
"$python" -m venv --without-pip "$new" || fail "$python cannot make an environment" "Run: apt install python3-venv"
log=$new/install.log
"$new/bin/python" "$here/$(ls -d wheels/pip-*.whl)/pip" --isolated --disable-pip-version-check install --quiet \
    --no-index --no-deps --no-cache-dir --no-compile --require-hashes --find-links "$here/wheels" \
    --requirement "$here/requirements.txt" >"$log" 2>&1 ||
    fail "the packages cannot be installed: $(tail -n 1 "$log")" "Build the bundle again with make bundle."
rm -f "$log"
"$new/bin/python" -m compileall -q --invalidation-mode unchecked-hash "$new/lib" >/dev/null ||
    fail "the program cannot be compiled" "Check the disk: dmesg | tail"
mkdir -p "$new/share"
cp -R share "$new/share/tablectl"
cp install.sh "$new/share/tablectl/install.sh"
chmod 755 "$new/share/tablectl/"*.sh
(cd "$new" && find . -type f ! -path ./MANIFEST -print0 | LC_ALL=C sort -z | xargs -0 sha256sum) >"$new.manifest"
mv "$new.manifest" "$new/MANIFEST"
"$new/bin/tablectl" --version >/dev/null || fail "the new version does not start" "Keep the old one, and report this."

if [ "$first" = no ]; then
    trouble=$("$new/bin/python" -m controller.pi.install.ready --config "$config" 2>&1) ||
        fail "version $version cannot run this table: $(printf '%s\n' "$trouble" | tail -n 1)" "Nothing was changed."
fi

# --- what belongs to the system -------------------------------------------------------------------

known() { # is there such a user where we install?
    if [ -n "$root" ]; then grep -q "^$1:" "$root/etc/passwd" 2>/dev/null; else getent passwd "$1" >/dev/null; fi
}

make_user() { # name, home
    cp "$new/share/tablectl/$1.sysusers" "$users/$1.conf"
    known "$1" && return
    if [ -n "$root" ]; then
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

place() { # the files of a version that lie outside it
    share=$opt/$1/share/tablectl
    cp "$share/tablectl.service" "$units/tablectl.service"
    if [ -e "$units/tablectl-kiosk.service" ] || [ "$kiosk" = yes ]; then
        cp "$share/tablectl-kiosk.service" "$units/tablectl-kiosk.service"
    fi
    cp "$share/70-tablectl.rules" "$rules/70-tablectl.rules"
    cp "$share/tablectl.modules" "$modules/tablectl.conf"
    mkdir -p "$units/tablectl.service.d"
    "$opt/$1/bin/python" -m controller.pi.install.network --config "$config" >"$units/tablectl.service.d/network.conf"
}

switch() { # to this version, in one step
    ln -s "$1" "$opt/current.new"
    mv -T "$opt/current.new" "$opt/current"
}

mkdir -p "$units" "$rules" "$users" "$modules" "$etc" "$(dirname "$command")" "$root/var/lib"
make_user tablectl /var/lib/tablectl
[ "$kiosk" = no ] || make_user tablectl-kiosk /var/lib/tablectl-kiosk
if [ ! -d "$data" ]; then
    mkdir -m 0750 "$data"
    own tablectl:tablectl "$data"
fi
if [ "$first" = yes ]; then
    sed 's|^journal = .*|journal = "/var/lib/tablectl/table.db"|' "$new/share/tablectl/table.toml" >"$config.new"
    chmod 0640 "$config.new"
    own root:tablectl "$config.new"
    mv "$config.new" "$config"
fi
rm -f "$opt/current.new"
place "versions/$name"
switch "versions/$name"
unfinished=
ln -sfn /opt/tablectl/current/bin/tablectl "$command"
reload
ctl enable --quiet tablectl.service
[ "$kiosk" = no ] || ctl enable --quiet tablectl-kiosk.service

# --- start, and go back when it is not ready ------------------------------------------------------

if [ "$first" = no ] && [ "$start" = yes ] && managed; then
    say "Starting version $name"
    if ! { ctl restart tablectl.service && ctl is-active --quiet tablectl.service; }; then
        say "Version $name did not become ready."
        if [ -n "$before" ] && [ -d "$opt/$before" ]; then
            place "$before"
            switch "$before"
            reload
            ctl restart tablectl.service || say "The version before it does not become ready either."
            rm -rf "$new"
            fail "version $name was taken back; ${before#versions/} runs again" \
                "See why: journalctl -u tablectl -b. The journal and the configuration were not changed."
        fi
        fail "version $name is installed but not ready" "See why: journalctl -u tablectl -b"
    fi
    [ "$kiosk" = no ] || ctl restart tablectl-kiosk.service
fi

for old in "$opt/versions/"*; do # the running one and the one before it stay
    [ "$old" = "$new" ] || [ "$old" = "$opt/$before" ] || rm -rf "$old"
done

say "Version $name is installed."
if [ "$first" = yes ]; then
    say "Now correct $config, then:"
    say "  tablectl check --config $config"
    say "  systemctl start tablectl"
    say "  tablectl doctor --config $config"
elif [ "$start" = no ] || ! managed; then
    say "Start it: systemctl restart tablectl"
fi
