# Completion of fdgc and fdg-run for bash: `source scripts/completion/fdg.bash`, in ~/.bashrc for good.
# Options and their values are asked from the tool itself (--help), so that they are always its own.

# All options of `$1 --help`.
_fdg_options() {
  "$1" --help 2>/dev/null | grep -oE '^ +-[^ ]+' | tr ',' '\n' | sed -E 's/^ +//; s/=<.*/=/' | sort -u
}

# The values that `fdgc --help` lists under option $2, as in --emit=graph.
_fdg_values() {
  "$1" --help 2>/dev/null | sed -nE "/^ +$2=</,/^ +-/{s/^ +=([^ ]+) .*/\1/p}"
}

# Folders, and the files whose names match. Readline puts a slash behind folders and quotes odd names; where it does
# not run (zsh), the slash is put here.
_fdg_files() {
  local pattern=$1 word=$2 slash=/ file
  compopt -o filenames 2>/dev/null && slash=
  while IFS= read -r file; do
    if [[ -d $file ]]; then
      COMPREPLY+=("$file$slash")
    elif [[ $file =~ $pattern ]]; then
      COMPREPLY+=("$file")
    fi
  done < <(compgen -f -- "$word")
}

# Readline splits words at `=`; this puts the word under the cursor together again.
_fdg_word() {
  local line=${COMP_LINE:0:$COMP_POINT}
  printf '%s' "${line##*[[:space:]]}"
}

# Those of the words $1 that begin with $2, behind the prefix $3.
_fdg_reply() {
  local word
  while IFS= read -r word; do
    COMPREPLY+=("${3-}$word")
  done < <(compgen -W "$1" -- "$2")
  [[ ${COMPREPLY[0]-} == *= ]] && compopt -o nospace 2>/dev/null
}

_fdgc() {
  local tool=${COMP_WORDS[0]} word prefix='' i
  word=$(_fdg_word)
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; ++i)); do
    if [[ ${COMP_WORDS[i]} == -- ]]; then  # flags for clang
      _fdg_files . "$word"
      return
    fi
  done
  case $word in
    --*=*)
      # Where words are not split at `=` (zsh), the offer is the whole word.
      [[ ${COMP_WORDS[COMP_CWORD]} == *=* && ${COMP_WORDS[COMP_CWORD]} != = ]] && prefix=${word%%=*}=
      _fdg_reply "$(_fdg_values "$tool" "${word%%=*}")" "${word#*=}" "$prefix"
      ;;
    -*) _fdg_reply "$(_fdg_options "$tool") --" "$word" ;;
    *)
      if [[ ${COMP_WORDS[COMP_CWORD - 1]} == -o ]]; then
        _fdg_files . "$word"
      else
        _fdg_files '\.(cpp|cc|cxx|C)$' "$word"
      fi
      ;;
  esac
}

# The config fields of the plan on the command line.
_fdg_fields() {
  local tool=$1 other
  for other in "${COMP_WORDS[@]:1}"; do
    if [[ $other == *.plan && -f $other ]]; then
      "$tool" --explain "$other" 2>/dev/null | sed -n '/^Config/,$p' | sed -nE '2,$s/^ +([a-z_][A-Za-z0-9_.]*) .*/\1=/p' |
        grep -v '^field=$'
    fi
  done
}

# The policies that come with FDG, beside the tool that runs.
_fdg_policies() {
  local folder
  folder=$(dirname -- "$(readlink -f -- "$(command -v -- "$1")")")/../../policies
  if [[ -d $folder ]]; then
    (cd -- "$folder" && printf '%s\n' *.yaml | sed 's/\.yaml$//')
  fi
}

_fdg_run() {
  local tool=${COMP_WORDS[0]} word before
  word=$(_fdg_word)
  before=${COMP_WORDS[COMP_CWORD - 1]}
  COMPREPLY=()
  case $before in
    --policy)
      _fdg_reply "$(_fdg_policies "$tool")" "$word"
      _fdg_files '\.ya?ml$' "$word"
      return
      ;;
    --config) _fdg_files '\.ya?ml$' "$word"; return ;;
    --set) _fdg_reply "$(_fdg_fields "$tool")" "$word"; return ;;
    --carrier) _fdg_reply 'auto mpi' "$word"; return ;;
    --out | --checkpoint | --resume) _fdg_files '$^' "$word"; return ;;
    -n | --replicas | --seed | --verify | --window | --every | --inject-latency | --stuck-after) return ;;
  esac
  case $word in
    -*) _fdg_reply "$(_fdg_options "$tool")" "$word" ;;
    *) _fdg_files '\.plan$' "$word" ;;
  esac
}

complete -F _fdgc fdgc
complete -F _fdg_run fdg-run
