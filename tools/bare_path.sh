#!/usr/bin/env bash
# A PATH as on a machine that has only Python and make: all programs but those that the tests can do without.
#
#   PATH="$(tools/bare_path.sh DIRECTORY)" make test    # fills the directory with links, and prints its name
set -euo pipefail

hidden() {
    case "$1" in
    chrom* | google-chrome* | node | nodejs | npm | npx | psql | postgres | initdb | pg_* | createdb | dropdb) ;;
    nginx | caddy | systemd-analyze | openssl | jq | git | git-* | fish | zsh | docker) ;;
    *) return 1 ;;
    esac
}

mkdir -p "$1"
IFS=: read -ra folders <<<"$PATH"
shopt -s nullglob
for folder in "${folders[@]}"; do
    for program in "$folder"/*; do
        name="${program##*/}"
        [ -x "$program" ] && [ ! -d "$program" ] && [ ! -e "$1/$name" ] && ! hidden "$name" || continue
        ln -s "$program" "$1/$name"
    done
done
cd "$1" && pwd
