# Completion of fdgc and fdg-run for zsh, by way of bash's: `source scripts/completion/fdg.zsh`, in
# ~/.zshrc for good.
autoload -Uz +X compinit && compinit -u
autoload -Uz +X bashcompinit && bashcompinit
source "${0:A:h}/fdg.bash"
