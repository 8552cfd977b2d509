#!/usr/bin/env bash
# What the browser client's checks need beside Python: a Chromium to drive, Node and npm for the check of types.
# Installs what is missing where that is possible (Debian or Ubuntu, as root), and else says what to do.
set -euo pipefail

missing=()
[ -n "${CHROMIUM:-}" ] || [ -n "$(command -v chromium-headless-shell chromium chromium-browser google-chrome | head -1)" ] || missing+=(chromium-headless-shell)
command -v node >/dev/null || missing+=(nodejs)
command -v npm >/dev/null || missing+=(npm)
if [ ${#missing[@]} -eq 0 ]; then
  echo "Chromium, Node and npm are there"
elif [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
  echo "installed: ${missing[*]}"
else
  echo "The browser client cannot be checked without: ${missing[*]} (on Debian: apt-get install ${missing[*]})" >&2
  exit 1
fi
