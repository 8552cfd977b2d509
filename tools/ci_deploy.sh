#!/usr/bin/env bash
# What the checks of deploy/ need beside Python: nginx, Caddy, systemd-analyze, and openssl for a certificate.
# Installs what is missing where that is possible (Debian or Ubuntu, as root), and else says what to do.
set -euo pipefail

export PATH="$PATH:/usr/sbin:/sbin"
missing=()
command -v nginx >/dev/null || missing+=(nginx-light)
command -v caddy >/dev/null || missing+=(caddy)
command -v systemd-analyze >/dev/null || missing+=(systemd)
command -v openssl >/dev/null || missing+=(openssl)
if [ ${#missing[@]} -eq 0 ]; then
  echo "nginx, Caddy, systemd-analyze and openssl are there"
elif [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
  echo "installed: ${missing[*]}"
else
  echo "deploy/ cannot be checked without: ${missing[*]} (on Debian: apt-get install ${missing[*]})" >&2
  exit 1
fi
