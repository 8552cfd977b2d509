#!/usr/bin/env bash
# The whole suite several times in random order, beside a program that keeps every core busy: what depends on the order
# of tests, on the speed of the machine or on chance fails here.
#
#   tools/stress_tests.sh VENV [RUNS [OPTIONS OF PYTEST ...]]    # a virtual environment with the extra `dev`; 5 runs
#
# Each run prints its seed; `pytest -p randomly --randomly-seed=N` repeats its order. The last lines say how many tests
# failed in each run; the exit code is 1 if any did.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

python="$1/bin/python"
runs="${2:-5}"
shift "$(($# < 2 ? $# : 2))"
cores="$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)"

busy=()
for _ in $(seq "$cores"); do
    "$python" -c 'while True: pass' &
    busy+=($!)
done
trap 'kill "${busy[@]}" 2>/dev/null; [ -z "${postgres:-}" ] || tools/postgres.sh stop "$postgres"' EXIT

if [ -z "${CARDTABLE_TEST_POSTGRES:-}" ]; then
    postgres="${TMPDIR:-/tmp}/cardtable-stress-$$"
    if CARDTABLE_TEST_POSTGRES="$(tools/postgres.sh start "$postgres")"; then
        export CARDTABLE_TEST_POSTGRES
    else
        postgres=
    fi
fi

said=()
failed=0
for run in $(seq "$runs"); do
    seed="$RANDOM"
    printf '\n== run %d of %d, order %d\n' "$run" "$runs" "$seed"
    log="$(mktemp)"
    code=0
    "$python" -m pytest -q -n "$((cores + 1))" --dist worksteal -p randomly --randomly-seed="$seed" \
        --randomly-dont-reset-seed "$@" 2>&1 | tee "$log" || code=$?
    said+=("order $seed: $(tail -n 1 "$log")")
    [ "$code" = 0 ] || failed=1
    rm -f "$log"
done
printf '\n'
printf '%s\n' "${said[@]}"
exit "$failed"
