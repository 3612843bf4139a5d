#!/bin/sh
# Whether a bundle is whole and comes from who builds for this table. Read by install.sh; `tablectl upgrade` runs the one
# of the installed version, before anything of the new bundle has run.
#   prove.sh FOLDER KEYRING [--unproved]     KEYRING: whose bundles this table takes; anybody's where there is none
set -eu
unproved=${3:-}

wrong() { # what is wrong, and the remedy
    printf '%s\n  %s\n' "$1" "$2" >&2
    exit 1
}

cd "$1"
[ -f SHA256SUMS ] || wrong "this is not a whole bundle: SHA256SUMS is missing" "Unpack the bundle again, or copy it again."
if ! found=$(sha256sum --check --strict --quiet SHA256SUMS 2>&1); then
    wrong "the bundle is damaged: $(printf '%s\n' "$found" | head -n 1)" \
        "Copy it again; if that does not help, build it again with make bundle."
fi
added=$(find . -type f ! -name SHA256SUMS ! -name SHA256SUMS.gpg -printf '%P\n' | while IFS= read -r name; do
    grep -qxE "[0-9a-f]{64}  $(printf '%s' "$name" | sed 's/[][\.*^$+?(){}|/]/\\&/g')" SHA256SUMS || { printf '%s\n' "$name"; break; }
done)
[ -z "$added" ] || wrong "the bundle holds what its check sums do not name: $added" "Unpack it into an empty folder."
[ -z "$unproved" ] && [ -e "$2" ] || exit 0
[ -f SHA256SUMS.gpg ] || wrong "this bundle is not signed, and this table takes only those that the key in $2 signed" \
    "Take the bundle from who builds for the house; --unproved takes this one as it is."
if command -v gpgv >/dev/null 2>&1; then
    gpgv --keyring "$(readlink -f "$2")" SHA256SUMS.gpg SHA256SUMS 2>/dev/null && exit 0
elif command -v sqv >/dev/null 2>&1; then
    sqv --keyring "$2" SHA256SUMS.gpg SHA256SUMS >/dev/null 2>&1 && exit 0
else
    wrong "nothing on this machine can check the bundle's signature" "Run: apt install gpgv"
fi
wrong "this bundle is not signed by the key in $2" \
    "It is somebody else's, or was changed: do not use it. After a change of that key put the new one there by hand."
