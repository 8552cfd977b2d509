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
    tests/server/test_self_test.py tests/server/test_server.py tests/client/test_client_table.py tests/cli/test_play.py tests/cli/test_fullscreen.py \
    tests/lab/test_simulate.py tests/review/test_review.py tests/match/test_collection.py tests/envs/test_environment_adapters.py "$@"
