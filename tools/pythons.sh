#!/usr/bin/env bash
# `make test` on each Python from 3.11 to 3.14 that is found here.
#
#   tools/pythons.sh                        # those on the PATH
#   tools/pythons.sh /opt/python3.13 ...    # those that are named
#
# Each has a virtual environment of its own, .venv-3.11 and so on, which stays for the next time. TEST_ARGS are options
# of pytest. The last lines say which Pythons passed.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

version_of() { "$1" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null; }

pythons=("$@")
if [ "$#" = 0 ]; then
    for version in 3.11 3.12 3.13 3.14; do
        if version_of "python$version" >/dev/null; then
            pythons+=("python$version")
        else
            echo "python$version is not on the PATH: left out"
        fi
    done
fi
[ "${#pythons[@]}" -gt 0 ] || { echo "There is no Python from 3.11 to 3.14 on the PATH; name one." >&2; exit 2; }

said=()
failed=0
for python in "${pythons[@]}"; do
    if ! version="$(version_of "$python")"; then
        said+=("$python does not start")
        failed=1
    elif make --no-print-directory PYTHON="$python" VENV=".venv-$version" ARGS="${TEST_ARGS:-}" test; then
        said+=("$version passed ($("$python" --version))")
    else
        said+=("$version FAILED ($("$python" --version))")
        failed=1
    fi
done
printf '\n'
printf '%s\n' "${said[@]}"
exit "$failed"
