#!/usr/bin/env bash
# The lowest versions of the dependencies that pyproject.toml allows, installed together; with them a deal is played
# over a socket and in the terminal, matches are simulated and reviewed, and the environments are stepped. All other
# steps of .ci/run have the newest versions that it allows.
#
#   tools/lowest.sh FOLDER [OPTIONS OF PYTEST ...]    # FOLDER: for the virtual environment and the cache
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

folder="$1"
shift
python="$folder/bin/python"
[ -x "$python" ] || "${PYTHON:-python3}" -m venv "$folder"
"$python" tools/lowest.py >"$folder/lowest.txt"
"$python" -m pip install --quiet --disable-pip-version-check --constraint "$folder/lowest.txt" \
    --editable ".[test,rl,frames,scale,postgres]"
CARDTABLE_CACHE="$folder/cache" "$python" -m pytest -q -n "${JOBS:-3}" --dist worksteal -m "not exhaustive" \
    tests/test_self_test.py tests/test_server.py tests/test_client_table.py tests/test_play.py tests/test_fullscreen.py \
    tests/test_simulate.py tests/test_review.py tests/test_collection.py tests/test_environment_adapters.py "$@"
