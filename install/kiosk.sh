#!/bin/sh
# Shows the dealer's page in a browser that can show nothing else; started by tablectl-kiosk.service inside cage.
set -eu
page=${TABLECTL_PAGE:-http://127.0.0.1:8642/dealer}
browser=
for name in chromium chromium-browser; do
    command -v "$name" >/dev/null 2>&1 && browser=$name && break
done
[ -n "$browser" ] || { echo "kiosk: no browser; apt install chromium" >&2; exit 1; }
exec "$browser" --kiosk --app="$page" --user-data-dir="${STATE_DIRECTORY:?}" --no-first-run --noerrdialogs \
    --disable-infobars --disable-session-crashed-bubble --disable-pinch --overscroll-history-navigation=0 \
    --disable-features=Translate,TranslateUI --check-for-update-interval=31536000 --ozone-platform=wayland
