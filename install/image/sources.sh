#!/bin/sh
# Prints apt's sources of this machine as lines for an arm64 system of the same release; $DEBIAN_MIRROR names another place.
# The firmware of a Pi lies in a part of Debian of its own.
set -eu
release=$1
if [ -n "${DEBIAN_MIRROR:-}" ]; then
    printf 'deb %s %s main non-free-firmware\n' "$DEBIAN_MIRROR" "$release"
    exit 0
fi
found=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE)' 'Created-By: Packages' 2>/dev/null | sort -u |
    awk -v release="$release" '$2 == release || index($2, release "-") == 1 { print "deb", $1, $2, "main non-free-firmware" }')
[ -n "$found" ] || {
    echo "apt on this machine knows no Debian $release; add it to its sources and run apt update, or name a place: DEBIAN_MIRROR=..." >&2
    exit 1
}
printf '%s\n' "$found"
