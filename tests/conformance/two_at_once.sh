#!/bin/bash
# two_at_once.sh COMMAND…: two runs of the suite at the same time, which must not meet in shared memory.
set -u
"$@" --carrier=shared --gtest_filter='Ordered.*:Newest.*' > /dev/null &
first=$!
"$@" --carrier=shared --gtest_filter='Ordered.*:Newest.*'
second_code=$?
wait "$first" || { echo "the first run failed" >&2; exit 1; }
exit "$second_code"
