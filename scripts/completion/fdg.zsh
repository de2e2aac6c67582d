# Completion of fdgc and fdg-run for zsh, by way of bash's: `source scripts/completion/fdg.zsh`, in
# ~/.zshrc for good.
autoload -Uz +X compinit && compinit -u
autoload -Uz +X bashcompinit && bashcompinit
source "${0:A:h}/fdg.bash"
# zsh's `complete` cannot say word by word whether a blank follows, and none may follow `--emit=`.
complete -o nospace -F _fdgc fdgc
complete -o nospace -F _fdg_run fdg-run
