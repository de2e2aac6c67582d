#!/bin/bash
# leaves_nothing.sh MPIRUN OPTIONS… SUITE: starts the suite's ranks with --stay, kills all of them and their
# launcher with SIGKILL once they are connected, and looks for shared memory that they left behind. Open MPI's
# own backing files, which such a kill leaves, go into a folder of this test.
set -u
mpi_files=$(mktemp -d)
trap 'rm -rf "$mpi_files"' EXIT
fifo=$(mktemp -u)
mkfifo "$fifo"
"$1" --mca btl_sm_backing_directory "$mpi_files" "${@:2}" --carrier=shared --stay > "$fifo" &
launcher=$!
exec 3< "$fifo"
rm -f "$fifo"

pids=()
while [ "${#pids[@]}" -lt 2 ] && read -r word pid <&3; do
  [ "$word" = connected ] && pids+=("$pid")
done
if [ "${#pids[@]}" -lt 2 ]; then
  echo "the ranks did not connect" >&2
  exit 1
fi

left() {
  for pid in "${pids[@]}"; do
    compgen -G "/dev/shm/fdg-$pid-*"
  done
}
if [ -n "$(left)" ]; then
  echo "names are still there after connect: $(left)" >&2
  exit 1
fi
kill -9 "$launcher" "${pids[@]}"
wait "$launcher" 2> /dev/null
# The pipe ends when the last rank is gone.
cat <&3 > /dev/null
if [ -n "$(left)" ]; then
  echo "left behind after the kill: $(left)" >&2
  exit 1
fi
