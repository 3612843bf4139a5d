# Versions beside each other in $opt: read by install.sh and by the package. What a power cut can take is what was not
# yet on the disk, so every step here is on the disk before the next one relies on it.

seal() { # NAME: write down what the version consists of, and have all of it on the disk
    (cd "$opt/versions/$1" && find . -type f ! -path ./MANIFEST -print0 | LC_ALL=C sort -z | xargs -0 sha256sum) >"$opt/versions/$1.manifest" &&
        mv "$opt/versions/$1.manifest" "$opt/versions/$1/MANIFEST" &&
        mkdir -p "$opt/seals" &&
        (cd "$opt/versions/$1" && sha256sum MANIFEST) >"$opt/seals/$1" &&
        sync -f "$opt/versions/$1/MANIFEST"
}

point() { # NAME TARGET: a link changed in one step
    rm -f "$opt/$1.new"
    ln -s "$2" "$opt/$1.new" && mv -T "$opt/$1.new" "$opt/$1"
}

switch() { # NAME: make it the current version; the last one that was whole becomes the one before
    before=$(readlink "$opt/current" 2>/dev/null) || before=
    before_that=$(readlink "$opt/previous" 2>/dev/null) || before_that=
    if [ -n "$before" ] && "$opt/launch" --whole "$before"; then point previous "$before" || return 1; fi
    point current "versions/$1" && sync -f "$opt"
}

point_back() { # NAME TARGET
    if [ -z "$2" ]; then
        rm -f "$opt/$1"
    elif [ "$(readlink "$opt/$1" 2>/dev/null)" != "$2" ]; then
        point "$1" "$2"
    fi
}

switch_back() { # to where `switch` found it
    point_back current "$before"
    point_back previous "$before_that"
    sync -f "$opt"
}

prune() { # only the current version and the one before it stay
    for old in "$opt/versions/"*; do
        case "versions/${old##*/}" in
        "$(readlink "$opt/current")" | "$(readlink "$opt/previous" 2>/dev/null)") ;;
        *) rm -rf "$old" "$opt/seals/${old##*/}" ;;
        esac
    done
}
