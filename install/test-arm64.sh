#!/bin/sh
# Installs a bundle in an arm64 root of Debian and runs a table of each game there, with devices driven from outside.
# Needs root, debootstrap and qemu-user-static; Debian comes from where this machine's apt takes it.
#   install/test-arm64.sh BUNDLE.tar.gz TABLECTL [FOLDER [RELEASE]]      TABLECTL is the command of the lab
# FOLDER keeps the root, so that the next run is quick; RELEASE is bookworm (12, Python 3.11) or trixie (13, 3.13).
set -eu
bundle=$1
tablectl=$2
folder=${3:-build/arm64}
release=${4:-bookworm}
here=$(dirname "$0")
began=$(date +%s)

say() { printf '[%4d s] %s\n' "$(($(date +%s) - began))" "$*"; }
fail() { printf 'test-arm64: %s\n  %s\n' "$1" "$2" >&2; exit 1; }

[ "$(id -u)" = 0 ] || fail "this makes a root of its own and enters it" "Run it as root."
for tool in debootstrap chroot; do
    command -v "$tool" >/dev/null || fail "$tool is missing" "apt install debootstrap qemu-user-static binfmt-support"
done
if [ "$(uname -m)" != aarch64 ]; then
    [ -e /proc/sys/fs/binfmt_misc/register ] || mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc 2>/dev/null || true
    [ -e /proc/sys/fs/binfmt_misc/qemu-aarch64 ] || update-binfmts --enable qemu-aarch64 2>/dev/null || true
    [ -e /proc/sys/fs/binfmt_misc/qemu-aarch64 ] ||
        fail "this kernel cannot run arm64 programs" "apt install qemu-user-static binfmt-support, as root of the machine itself"
fi

mkdir -p "$folder"
base=$(cd "$folder" && pwd)/$release
if [ ! -e "$base/.whole" ]; then
    say "making an arm64 root of Debian $release (minutes, once)"
    rm -rf "$base"
    debootstrap --arch arm64 --variant=minbase --include=python3 "$release" "$base" "$("$here/mirror.sh")" >"$base.log" 2>&1 ||
        fail "debootstrap failed: $(tail -n 1 "$base.log")" "See $base.log; a Debian mirror must be reachable."
    touch "$base/.whole"
fi

root=$base.run
umount "$root/proc" 2>/dev/null || true
rm -rf "$root"
say "copying the root"
cp -a "$base" "$root"
mount -t proc proc "$root/proc"
trap 'umount "$root/proc" 2>/dev/null || true' EXIT
mkdir -p "$root/dev" "$root/tmp/bundle"
[ -e "$root/dev/null" ] || mknod -m 666 "$root/dev/null" c 1 3
[ -e "$root/dev/urandom" ] || mknod -m 666 "$root/dev/urandom" c 1 9
tar -xzf "$bundle" -C "$root/tmp/bundle" --strip-components 1

inside() { chroot "$root" /usr/bin/env -i PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin HOME=/root LC_ALL=C.UTF-8 "$@"; }

say "installing the bundle on $(inside uname -m), Debian $(inside cat /etc/debian_version), $(inside python3 --version)"
inside sh /tmp/bundle/install.sh
say "the version before is kept, and taken when the new one is spoilt"
inside sh /tmp/bundle/install.sh >/dev/null
: >"$root/opt/tablectl/current/bin/tablectl"
inside /opt/tablectl/launch --check
inside tablectl --version
inside sh /tmp/bundle/install.sh >/dev/null
say "running a table of each game, its devices outside"
python3 "$here/drive-outside.py" "$root" "$tablectl"
say "the doctor"
inside tablectl doctor --json >"$folder/doctor.json" || [ $? != 2 ]
say "uninstalling"
inside sh /tmp/bundle/install.sh --uninstall
[ -e "$root/var/lib/tablectl/table.db" ] || fail "the journal is gone" "Uninstalling must leave it."
say "arm64, Debian $release: installed, fell back, served, uninstalled"
