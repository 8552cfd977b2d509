#!/usr/bin/env bash
# What `make coverage` runs: how many branches of the package the tests reach. It fails below
# `fail_under`, if [tool.coverage.report] in pyproject.toml sets it.
#
#   tools/coverage.sh VENV [OPTIONS of pytest]    # a virtual environment with the extra `dev`
#
# What is compiled is not traced, so the tests of the rules run as plain Python first. Then the tests of `make test` run,
# in all their processes. Tracing doubles their time; `.ci/run` leaves it out. The report is in build/coverage/html.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

python="$1/bin/python"
shift
folder="$PWD/build/coverage"
rm -rf "$folder"
mkdir -p "$folder"
export COVERAGE_FILE="$folder/data"
code=0

# Options may choose files without such tests: that is pytest's exit code 5.
NUMBA_DISABLE_JIT=1 "$python" -m coverage run -m pytest -q -m rules "$@" || [ $? = 5 ] || code=1
"$python" -m coverage run -m pytest -q -n "${JOBS:-3}" --dist worksteal -m "not exhaustive" "$@" || [ $? = 5 ] || code=1
"$python" -m coverage combine --quiet
"$python" -m coverage html --quiet --directory "$folder/html"
"$python" -m coverage report --skip-covered || code=1
exit "$code"
