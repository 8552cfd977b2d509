#!/usr/bin/env bash
# A PostgreSQL server of its own for the tests, in a directory for the time being, behind a Unix socket.
#
#   url="$(tools/postgres.sh start DIRECTORY)"   # prints its URL for CARDTABLE_TEST_POSTGRES
#   tools/postgres.sh stop DIRECTORY             # stops it, and removes the directory
#   tools/postgres.sh halt DIRECTORY             # stops it at once, as a crash does; its data stays
#   tools/postgres.sh resume DIRECTORY           # starts it again
#
# Where there is no PostgreSQL it is installed from Debian, for which one must be root.
set -euo pipefail

find_programs() {  # the directory of initdb and pg_ctl
    local found
    found="$(dirname "$(readlink -f "$(command -v initdb || true)")" 2>/dev/null || true)"
    if [[ -n "$found" && -x "$found/initdb" && -x "$found/postgres" ]]; then echo "$found"; return; fi
    find /usr/lib/postgresql -maxdepth 2 -name bin 2>/dev/null | sort -V | tail -n 1
}

as_owner() {  # PostgreSQL refuses to run as root
    if [[ "$(id -u)" == 0 ]]; then (cd / && runuser -u postgres -- "$@"); else "$@"; fi
}

programs() {
    local bin
    bin="$(find_programs)"
    if [[ -z "$bin" && "$(id -u)" == 0 ]]; then
        (apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends postgresql) >&2
        bin="$(find_programs)"
    fi
    [[ -n "$bin" ]] || { echo "there is no PostgreSQL here; install Debian's package postgresql" >&2; return 1; }
    echo "$bin"
}

resume() {
    local directory="$1"
    as_owner "$(programs)/pg_ctl" -D "$directory/data" -l "$directory/log" -w -t 60 \
        -o "-c listen_addresses='' -c unix_socket_directories='$directory' -c unix_socket_permissions=0777" start >&2 </dev/null
}

halt() {
    as_owner "$(programs)/pg_ctl" -D "$1/data" -m immediate -w -s stop >&2
}

start() {
    local directory="$1" bin
    bin="$(programs)"
    if [[ "$(id -u)" == 0 ]] && ! id postgres >/dev/null 2>&1; then useradd --system --no-create-home postgres >&2; fi
    mkdir -p "$directory"
    if [[ "$(id -u)" == 0 ]]; then chown postgres "$directory"; fi
    chmod 0711 "$directory"
    as_owner "$bin/initdb" -D "$directory/data" -U cardtable -A trust -E UTF8 --no-locale --no-sync >&2
    resume "$directory"
    as_owner "$bin/createdb" -h "$directory" -U cardtable cardtable >&2
    echo "postgresql+psycopg://cardtable@/cardtable?host=$directory"
}

stop() {
    local directory="$1"
    halt "$directory" || true
    rm -rf "$directory"
}

case "${1:-}" in
    start | stop | halt | resume) "$1" "$(realpath -m "${2:?a directory}")" ;;
    *) sed -n '2,9s/^# \{0,1\}//p' "$0"; exit 2 ;;
esac
