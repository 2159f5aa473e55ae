#!/bin/sh
# Print the path of an interpreter that can make environments: find_python.sh 3.12
# It is looked up on the PATH, then among the versions of pyenv; the exit code is 1 without one.
base=$(python3 -c 'import sys; print(sys.base_prefix)')
for python in "python$1" \
    "${PYENV_ROOT:-/nonexistent}/versions/$1."*"/bin/python$1" \
    "${HOME:-/nonexistent}/.pyenv/versions/$1."*"/bin/python$1" \
    "$base/../$1."*"/bin/python$1"; do
    "$python" -c 'import venv, ensurepip' 2>/dev/null && exec "$python" -c 'import sys; print(sys.executable)'
done
exit 1
