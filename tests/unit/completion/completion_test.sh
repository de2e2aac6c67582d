#!/usr/bin/env bash
# completion_test.sh SCRIPT FDGC [FDG_RUN]: what bash offers for beginnings of command lines.
set -u
script=$1 fdgc=$2 fdg_run=${3-}
source "$script"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
touch program.cpp notes.txt run.plan my.yaml
mkdir inner
failed=0

# offers FUNCTION LINE: what is offered at the end of LINE, words split as readline does.
offers() {
  COMP_LINE=$2 COMP_POINT=${#2}
  read -ra COMP_WORDS <<<"${2//=/ = }"
  [[ $2 == *' ' ]] && COMP_WORDS+=('')
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
  COMPREPLY=()
  "$1" 2>/dev/null
  printf '%s\n' "${COMPREPLY[@]-}" | sort -u | paste -sd' '
}

# expect FUNCTION LINE PATTERN: the offers must match the pattern (a regular expression).
expect() {
  local got
  got=$(offers "$1" "$2")
  if [[ ! $got =~ $3 ]]; then
    printf 'after "%s" bash offers "%s", which does not match "%s"\n' "$2" "$got" "$3"
    failed=1
  fi
}

expect _fdgc "$fdgc --em" '^--emit=$'
expect _fdgc "$fdgc --emit=h" '^html$'
expect _fdgc "$fdgc --emit=" 'coverage .*cpp .*graph .*html .*manifest .*plan svg$'
expect _fdgc "$fdgc --partition=c" '^components$'
expect _fdgc "$fdgc " '^inner/ program.cpp$'
expect _fdgc "$fdgc -o n" '^notes.txt$'
expect _fdgc "$fdgc program.cpp -- n" '^notes.txt$'
expect _fdgc "$fdgc -R" '^$|Rfdg'
expect _fdgc "$fdgc --ti" '^--time-steps$'
if [[ -n $fdg_run ]]; then
  expect _fdg_run "$fdg_run --exp" '^--explain$'
  expect _fdg_run "$fdg_run --d" '^--dry-run$'
  expect _fdg_run "$fdg_run " '^inner/ run.plan$'
  expect _fdg_run "$fdg_run --policy m" '^my.yaml$'
  expect _fdg_run "$fdg_run --policy dp" '^dp-a dp-b '
  expect _fdg_run "$fdg_run --carrier m" '^mpi$'
  expect _fdg_run "$fdg_run -n " '^$'
fi
exit $failed
