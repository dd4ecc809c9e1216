#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs dask_map.py with the first Python that has Dask and pyopencl: the one in PATH, or the
# system's.
for python in python3 /usr/bin/python3; do
    if "$python" -c "import dask.array, pyopencl" 2>/dev/null; then
        exec "$python" "$(dirname "$0")/dask_map.py" "$@"
    fi
done
echo "no Python with Dask and pyopencl"
exit 77
