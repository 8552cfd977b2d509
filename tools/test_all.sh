#!/usr/bin/env bash
# What `make test-all` runs: every test, with every program that one needs.
#
#   tools/test_all.sh VENV    # a virtual environment with the extra `dev`
#
# The rules run three ways: compiled; as plain Python, where coverage is measured; and bounds-checked.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

venv="$1"
python="$venv/bin/python"
jobs="${JOBS:-3}"
# Seconds of processor time that a test may take, on the machine that tests/support/processor_time.py describes.
EACH=5
# And all tests together: 50 for each preset, because most tests are of presets, and each has one golden deal.
MOST=$((50 * $(find tests/golden -name '*.txt' | wc -l)))
# Per cent of the statements and branches of the games' rules.py that the tests must reach as plain Python.
RULES=100
step() { printf '\n== %s  [%d:%02d]\n' "$1" $((SECONDS / 60)) $((SECONDS % 60)); }

# Only what is reported is traced, not the kernel under it: six tests took a sixth less time, with the same figures.
traced=cardtable.games,cardtable.rules.contract,cardtable.rules.worlds

plain() {
    rm -rf build/coverage-rules
    mkdir -p build/coverage-rules
    export COVERAGE_FILE="$PWD/build/coverage-rules/data"
    env -u CARDTABLE_REQUIRED -u CARDTABLE_TEST_POSTGRES NUMBA_DISABLE_JIT=1 \
        "$python" -m coverage run "--source=$traced" -m pytest -q -m "rules or contract and not exhaustive"
    "$python" -m coverage combine --quiet
    "$python" -m coverage report --fail-under=0 --skip-covered \
        --include 'cardtable/games/*,cardtable/rules/contract.py,cardtable/rules/worlds.py'
    "$python" -m coverage report --fail-under="$RULES" --include 'cardtable/games/*/rules.py'
}
ordinary() {
    CARDTABLE_NUMBA=ordinary "$python" -m pytest -q tests/rules/test_contract.py -k "scopa and not any_house"
}
spread() { "$python" -m pytest -q -n "$jobs" --dist worksteal "$@" 2>&1 | tee -a "$log"; }

step "OpenSpiel"
make --no-print-directory VENV="$venv" "$venv/.bench"

step "PostgreSQL for the store's tests"
postgres="${TMPDIR:-/tmp}/cardtable-postgres-$$"
trap 'kill $(jobs -p) 2>/dev/null || true; tools/postgres.sh stop "$postgres"' EXIT
CARDTABLE_TEST_POSTGRES="$(tools/postgres.sh start "$postgres")"
export CARDTABLE_TEST_POSTGRES CARDTABLE_REQUIRED=all

step "the contract of every game, bounds-checked"
echo "Beside this step and the next, in one process: the rules as plain Python, with coverage; a small game compiled by Numba's documented interface alone."
said="$(mktemp)"
log="$(mktemp)"
yardstick="$(mktemp)"
# What compiling takes is measured, so nothing may be compiled yet.
checked="$(mktemp -d)"
(
    set -e
    plain
    ordinary
) >"$said" 2>&1 &
beside=$!
code=0
CARDTABLE_CACHE="$checked" NUMBA_BOUNDSCHECK=1 spread --yardstick="$yardstick" -m contract tests/rules/*contract*.py || code=$?
rm -rf "$checked"

step "all tests"
spread --slowest 25 --most-each "$EACH" --most-all "$MOST" --yardstick="$yardstick" || code=$?

step "what ran beside"
wait "$beside" || code=$?
cat "$said"
if [ "$code" != 0 ]; then
    step "what failed"  # at the end, too: a log may be cut in front
    grep -hE '^(FAILED|ERROR) | s of processor time; ' "$log" "$said" || true
fi
exit "$code"
