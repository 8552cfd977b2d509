#!/usr/bin/env bash
# Every program that a test needs beside Python (tests/support/programs.py); PostgreSQL is started by tools/postgres.sh.
# Installs what is missing where that is possible (Debian or Ubuntu, as root), and else says what to do.
set -euo pipefail

export PATH="$PATH:/usr/sbin:/sbin"
missing=()
need() {
    local package="$1" name
    shift
    for name in "$@"; do if command -v "$name" >/dev/null; then return; fi; done
    missing+=("$package")
}
[ -n "${CHROMIUM:-}" ] || need chromium-headless-shell chromium-headless-shell chromium chromium-browser google-chrome
need nodejs node
need npm npm
need nginx-light nginx
need caddy caddy
need systemd systemd-analyze
need openssl openssl
need jq jq
need fish fish
need zsh zsh

if [ "${#missing[@]}" = 0 ]; then
    echo "every program is there"
elif [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
    echo "installed: ${missing[*]}"
else
    echo "Not everything can be tested without: ${missing[*]} (on Debian: apt-get install ${missing[*]})" >&2
    exit 1
fi
