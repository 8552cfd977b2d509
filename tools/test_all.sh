#!/usr/bin/env bash
# What `make test-all` runs after `make test`: everything that takes long, about 25 minutes on two cores.
#
#   tools/test_all.sh VENV    # a virtual environment with the extra `dev`
#
# The rules run three ways: plain (coverage is measured there), bounds-checked, and compiled. Tests on PostgreSQL and in
# Chromium fail here where `make test` skips them. One sixth of the tests marked `exhaustive` runs, for the next
# commit another: CARDTABLE_PART=0/6, 1/6, ... says which, CARDTABLE_LONG=1 runs all, and longer.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

venv="$1"
python="$venv/bin/python"
jobs="${JOBS:-3}"
step() { printf '\n== %s  [%d:%02d]\n' "$1" $((SECONDS / 60)) $((SECONDS % 60)); }

# Only what is reported is traced, not the kernel under it: six tests took a sixth less time, with the same figures.
traced=cardtable.games,cardtable.contract,cardtable.worlds

plain() {
    env -u CARDTABLE_CI -u CARDTABLE_TEST_POSTGRES NUMBA_DISABLE_JIT=1 \
        "$python" -m coverage run "--source=$traced" -m pytest -q -m rules
    "$python" -m coverage report --skip-covered --include 'cardtable/games/*,cardtable/contract.py,cardtable/worlds.py'
}
ordinary() {
    CARDTABLE_NUMBA=ordinary "$python" -m pytest -q tests/test_contract.py -k "scopa and not any_house"
}
spread() { "$python" -m pytest -q -n "$jobs" --dist worksteal "$@"; }

step "PostgreSQL for the store's tests"
postgres="${TMPDIR:-/tmp}/cardtable-postgres-$$"
trap 'kill $(jobs -p) 2>/dev/null || true; tools/postgres.sh stop "$postgres"' EXIT
CARDTABLE_TEST_POSTGRES="$(tools/postgres.sh start "$postgres")"
export CARDTABLE_TEST_POSTGRES CARDTABLE_CI=1 CARDTABLE_BROWSER=required

step "OpenSpiel"
make --no-print-directory VENV="$venv" "$venv/.bench"

step "the contract of every game, bounds-checked"
echo "Beside this step and the next two, in one process: the rules as plain Python, with coverage; a small game compiled by Numba's documented interface alone."
said="$(mktemp)"
(
    set -e
    plain
    ordinary
) >"$said" 2>&1 &
beside=$!
NUMBA_BOUNDSCHECK=1 spread -m contract tests/*contract*.py

commits="$(git rev-list --count HEAD 2>/dev/null || echo 0)"
part="${CARDTABLE_PART-$([ "${CARDTABLE_LONG:-0}" != 0 ] || echo "$((commits % 6))/6")}"
step "what make test leaves out, compiled (part ${part:-1/1}): every house, every browser test, load, chaos, OpenSpiel's deals"
code=0
CARDTABLE_PART="$part" spread --durations 25 -m exhaustive || code=$?
step "attacks and house rules at random at full length; everything on PostgreSQL"
spread -m "not exhaustive" tests/test_attacks.py tests/test_contract.py::test_any_house_rules_keep_the_contract || code=$?
spread -m "postgresql and not exhaustive" || code=$?
step "what ran beside"
wait "$beside" || code=$?
cat "$said"
exit "$code"
