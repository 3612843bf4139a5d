#!/bin/sh
# Prints where this machine's apt takes Debian from; $DEBIAN_MIRROR names another place.
set -eu
if [ -n "${DEBIAN_MIRROR:-}" ]; then
    printf '%s\n' "$DEBIAN_MIRROR"
    exit 0
fi
# Security updates come from a place that holds no whole release.
found=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE)' 'Created-By: Packages' 2>/dev/null |
    awk '$2 !~ /security/ { print $1; exit }')
[ -n "$found" ] || {
    echo "apt on this machine knows no Debian mirror; add one to its sources, or name one: DEBIAN_MIRROR=..." >&2
    exit 1
}
printf '%s\n' "${found%/}"
