#!/usr/bin/env bash
# What the checks of deploy/ need beside Python: nginx, Caddy, systemd-analyze, openssl for a certificate,
# and jq for a command of the guide.
# Installs what is missing where that is possible (Debian or Ubuntu, as root), and else says what to do.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/debian.sh"

export PATH="$PATH:/usr/sbin:/sbin"
missing=()
command -v nginx >/dev/null || missing+=(nginx-light)
command -v caddy >/dev/null || missing+=(caddy)
command -v systemd-analyze >/dev/null || missing+=(systemd)
command -v openssl >/dev/null || missing+=(openssl)
command -v jq >/dev/null || missing+=(jq)
install_missing "deploy/" "nginx, Caddy, systemd-analyze, openssl and jq" "${missing[@]}"
