#!/usr/bin/env bash
# What the browser client's checks need beside Python: a Chromium to drive, Node and npm for the check of types.
# Installs what is missing where that is possible (Debian or Ubuntu, as root), and else says what to do.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/debian.sh"

missing=()
[ -n "${CHROMIUM:-}" ] || [ -n "$(command -v chromium-headless-shell chromium chromium-browser google-chrome | head -1)" ] || missing+=(chromium-headless-shell)
command -v node >/dev/null || missing+=(nodejs)
command -v npm >/dev/null || missing+=(npm)
install_missing "The browser client" "Chromium, Node and npm" "${missing[@]}"
