#!/usr/bin/env bash
# Makes a backup of the database while the server runs: docs/operating.md.
#
#   backup.sh DATABASE DIRECTORY [DAYS]
#
# DATABASE: SQLite's file, or the URL of PostgreSQL as in the server's settings. DAYS: backups in the directory that are
# older than that are deleted, unless all are: the clock may be wrong. Needs Python 3 for SQLite, pg_dump for
# PostgreSQL.
set -euo pipefail
umask 077

if [ $# -lt 2 ]; then
  sed -n '4,8s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
database="$1" directory="$2" days="${3:-}"
case "$days" in
  *[!0-9]*) echo "DAYS is no number: $days" >&2; exit 2 ;;
esac
mkdir -p "$directory"
when="$(date -u +%Y-%m-%dT%H-%M-%SZ)" made=""
trap '[ -z "$made" ] || rm -f "$made.part"' EXIT

case "$database" in
  postgresql*://*)
    made="$directory/cardtable-$when.dump"
    pg_dump --format=custom --no-owner --file "$made.part" "postgresql:${database#postgresql*:}"
    ;;
  *)
    made="$directory/cardtable-$when.db"
    python3 - "$database" "$made.part" <<'END'
import contextlib
import pathlib
import sqlite3
import sys

name, made = (pathlib.Path(word).resolve() for word in sys.argv[1:])
try:
    with (
        contextlib.closing(sqlite3.connect(f"{name.as_uri()}?mode=rw", uri=True)) as source,
        contextlib.closing(sqlite3.connect(made)) as copy,
    ):
        source.backup(copy)  # SQLite's online backup: the state at one moment, however much is written meanwhile
        found = copy.execute("PRAGMA integrity_check").fetchone()[0]
        copy.execute("PRAGMA journal_mode=DELETE")  # one file, with nothing beside it
except sqlite3.Error as error:
    sys.exit(f"no backup of {name}: {error}")
if found != "ok":
    sys.exit(f"the backup of {name} is damaged: {found}")
END
    ;;
esac
mv "$made.part" "$made"
if [ -n "$days" ]; then
  others=(find "$directory" -maxdepth 1 -type f -name 'cardtable-*' ! -path "$made")
  if [ -n "$("${others[@]}" ! -mtime "+$days" -print -quit)" ]; then
    "${others[@]}" -mtime "+$days" -delete
  elif [ -n "$("${others[@]}" -print -quit)" ]; then
    echo "all other backups are older than $days days, so none is deleted: is the clock right?" >&2
  fi
fi
echo "$made"
